/* The oriented particles of a body: fitted to its shape, or read from a file. */
#include "supple/fit.h"
#include "scene/build.h"

#include <math.h>
#include <string.h>

#define PI 3.14159265358979323846

/* Links of all pairs have the same numbers. */
static sup_result paint_links(const supi_fit_draft* fit, sup_rig* rig, sup_error* error) {
    const sup_brush all = {.kind = SUP_BRUSH_ALL};
    sup_result result = SUP_OK;
    if (fit->compliance > 0) {
        result = sup_rig_paint(rig, SUP_PAINT_COMPLIANCE, fit->compliance, &all, error);
    }
    if (result == SUP_OK && fit->damping > 0) {
        result = sup_rig_paint(rig, SUP_PAINT_DAMPING, fit->damping, &all, error);
    }
    if (result == SUP_OK && fit->torsion >= 0) {
        result = sup_rig_paint(rig, SUP_PAINT_TORSION, fit->torsion, &all, error);
    }
    return result;
}

static sup_result weigh(const supi_body_draft* body, sup_rig* rig, sup_error* error) {
    sup_weigh_def def = sup_weigh_default();
    if (body->density > 0) def.density = body->density;
    def.mass = body->mass;
    return sup_rig_weigh(rig, &def, error);
}

/* Particles sprayed into or onto the mesh, linked and shaped. */
static sup_result spray(const supi_body_draft* body, sup_rig* rig, sup_error* error) {
    static const sup_spray_where where[] = {SUP_SPRAY_AUTO, SUP_SPRAY_INSIDE, SUP_SPRAY_SURFACE};
    const supi_fit_draft* fit = body->fit;
    sup_spray_def particles = sup_spray_default();
    sup_spray_links_def links = sup_spray_links_default();
    sup_fit_def shapes = sup_fit_default();
    particles.where = where[fit->kind];
    particles.spacing = fit->spacing;
    particles.count = fit->count;
    particles.seed = fit->seed;
    links.reach = fit->reach;
    shapes.aspect = fit->aspect;
    sup_result result = sup_rig_spray(rig, &particles, NULL, error);
    if (result == SUP_OK) result = sup_rig_spray_links(rig, &links, NULL, error);
    if (result == SUP_OK) result = sup_rig_bridge(rig, 3, NULL, error);
    if (result == SUP_OK) result = sup_rig_fit(rig, &shapes, error);
    if (result == SUP_OK) result = weigh(body, rig, error);
    return result;
}

/* Balls along a rope, each linked to the next. */
static sup_result string_chain(const supi_body_draft* body, sup_rig* rig, sup_error* error) {
    const supi_shape_draft* shape = &body->shape;
    int32_t count = shape->segments[0] + 1;
    double way[3], length = 0.0;
    for (int k = 0; k < 3; k++) {
        way[k] = body->scale[k] * (shape->to[k] - shape->from[k]);
        length += way[k] * way[k];
    }
    length = sqrt(length);
    double radius = body->fit->radius > 0 ? body->fit->radius : 0.5 * length / (count - 1);
    float r = (float)radius;
    const sup_ellipsoid ball = {{0.0f, 0.0f, 0.0f, 1.0f}, {r, r, r}};
    sup_result result = SUP_OK;
    for (int32_t i = 0; result == SUP_OK && i < count; i++) {
        double place[3];
        for (int k = 0; k < 3; k++) {
            place[k] = body->scale[k] * shape->from[k] + way[k] * i / (count - 1);
        }
        result = sup_rig_add(rig, place, NULL, error);
        if (result == SUP_OK) result = sup_rig_set_ellipsoid(rig, i, &ball, error);
        if (result == SUP_OK && i > 0) result = sup_rig_link(rig, i - 1, i, error);
    }
    if (result != SUP_OK) return result;
    sup_weigh_def def = sup_weigh_default();
    double density = body->density > 0 ? body->density : def.density;
    def.mass = body->mass > 0 ? body->mass : density * PI * radius * radius * length;
    return sup_rig_weigh(rig, &def, error);
}

sup_result supi_fit_make(const supi_reader* reader, const sup_file_gate* files,
                         const supi_body_draft* body, const char* path, const sup_mesh* mesh,
                         sup_rig** out) {
    const supi_fit_draft* fit = body->fit;
    const sup_allocator* allocator = reader->store->allocator;
    sup_error cause;
    *out = NULL;
    bool drawn = mesh->point_count > 0;
    sup_result result = fit ? sup_rig_create(allocator, drawn ? mesh : NULL, out, &cause)
                            : sup_rig_load(allocator, files, path, out, &cause);
    if (result == SUP_OK && fit) {
        result = fit->kind == SUPI_FIT_CHAIN ? string_chain(body, *out, &cause)
                                             : spray(body, *out, &cause);
        if (result == SUP_OK) result = paint_links(fit, *out, &cause);
    }
    if (result == SUP_OK) return SUP_OK;
    sup_rig_free(*out);
    *out = NULL;
    return supi_reader_wrap(reader, fit ? fit->place : supi_reader_place(body->shape.place, "file"),
                            &cause);
}

/* ---- The blueprint ---- */

/* Rigid parts by the particles that are picked for them; those of a rig come first. */
static sup_result pick_parts(const supi_reader* reader, const supi_body_draft* draft,
                             sup_blueprint_def* def) {
    size_t count = (size_t)def->point_count, more = (size_t)draft->parts.count;
    if (more == 0) return SUP_OK;
    int32_t had = def->part_count, members = had > 0 ? def->part_starts[had] : 0;
    size_t most = (size_t)members + more * count;
    int32_t* starts = supi_arena_push(reader->store, (size_t)had + more + 1, sizeof *starts);
    int32_t* ids = supi_arena_push(reader->store, most, sizeof *ids);
    int32_t* marks = supi_arena_push(reader->store, count, sizeof *marks);
    if (!starts || !ids || !marks) return supi_reader_memory(reader);
    for (int32_t i = 0; i <= had && had > 0; i++) starts[i] = def->part_starts[i];
    for (int32_t i = 0; i < members; i++) ids[i] = def->part_members[i];
    const supi_part_draft* parts = draft->parts.items;
    for (int32_t p = 0; p < draft->parts.count; p++) {
        sup_result result = supi_pick_mark(reader, parts[p].place, &parts[p].pick, (int32_t)count,
                                           def->points, p + 1, marks);
        if (result != SUP_OK) return result;
        for (size_t i = 0; i < count; i++) {
            if (marks[i] == p + 1) ids[members++] = (int32_t)i;
        }
        starts[had + p + 1] = members;
    }
    def->part_count = had + draft->parts.count;
    def->part_starts = starts;
    def->part_members = ids;
    return SUP_OK;
}

/* Particles without a surface are drawn as the balls that they are. */
static sup_result draw_balls(const supi_reader* reader, sup_blueprint_def* def) {
    sup_mesh* cloud = supi_arena_push(reader->store, 1, sizeof *cloud);
    int32_t* starts = supi_arena_push(reader->store, 1, sizeof *starts);
    if (!cloud || !starts) return supi_reader_memory(reader);
    *cloud = (sup_mesh){.point_count = def->point_count,
                        .points = (sup_vec3*)(uintptr_t)def->points,
                        .starts = starts};
    def->surface = cloud;
    def->weld = 0;
    def->point_count = 0;
    def->points = NULL;
    return SUP_OK;
}

sup_result supi_fit_take(const supi_reader* reader, const supi_body_draft* draft,
                         const sup_rig* rig, sup_blueprint_def* def) {
    def->surface = NULL;
    sup_rig_fill_def(rig, def);
    def->parts_yield = def->parts_yield || (draft->frames && draft->frames->dents.place);
    def->radius = draft->pass_through ? -1 : 0;
    if (!draft->clusters.place) def->layout = SUP_CLUSTERS_NONE;
    bool named = supi_json_find(draft->place, "skin") != NULL;
    if (def->surface && !named) def->skin = SUP_SKIN_FRAMES;
    sup_result result = pick_parts(reader, draft, def);
    return result == SUP_OK && !def->surface ? draw_balls(reader, def) : result;
}
