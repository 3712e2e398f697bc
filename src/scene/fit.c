/* The oriented particles of a body: fitted to its shape, or read from a file. */
#include "blueprint/fit.h"
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

/* Particles sprayed into or onto the mesh, linked and shaped. */
static sup_result spray(const supi_body_draft* body, sup_rig* rig, sup_error* error) {
    static const sup_spray_where where[] = {SUP_SPRAY_AUTO, SUP_SPRAY_INSIDE, SUP_SPRAY_SURFACE};
    const supi_fit_draft* fit = body->fit;
    supi_rig_body whole = supi_rig_body_default();
    whole.spray.where = where[fit->kind];
    whole.spray.spacing = fit->spacing;
    whole.spray.count = fit->count;
    whole.spray.seed = fit->seed;
    whole.links.reach = fit->reach;
    whole.shapes.aspect = fit->aspect;
    if (body->density > 0) whole.weigh.density = body->density;
    whole.weigh.mass = body->mass;
    return supi_rig_make_body(rig, &whole, error);
}

/* The round rod that a chain stands for. */
typedef struct rod {
    double way[3], radius, volume; /* m, from its beginning to its end; m; m^3 */
} rod;

static rod measure_rod(const supi_body_draft* body) {
    const supi_shape_draft* shape = &body->shape;
    rod out;
    double square = 0.0;
    for (int k = 0; k < 3; k++) {
        out.way[k] = body->scale[k] * (shape->to[k] - shape->from[k]);
        square += out.way[k] * out.way[k];
    }
    double length = sqrt(square);
    out.radius = body->fit->radius > 0 ? body->fit->radius : 0.5 * length / shape->segments[0];
    out.volume = PI * out.radius * out.radius * length;
    return out;
}

/* Balls along a rope, each linked to the next. */
static sup_result string_chain(const supi_body_draft* body, sup_rig* rig, sup_error* error) {
    const supi_shape_draft* shape = &body->shape;
    int32_t count = shape->segments[0] + 1;
    const rod whole = measure_rod(body);
    double turn = body->fit->turn_radius;
    float r = (float)whole.radius;
    const sup_ellipsoid ball = {{0.0f, 0.0f, 0.0f, 1.0f}, {r, r, r}};
    sup_result result = SUP_OK;
    for (int32_t i = 0; result == SUP_OK && i < count; i++) {
        double place[3];
        for (int k = 0; k < 3; k++) {
            place[k] = body->scale[k] * shape->from[k] + whole.way[k] * i / (count - 1);
        }
        result = sup_rig_add(rig, place, NULL, error);
        if (result == SUP_OK) result = sup_rig_set_ellipsoid(rig, i, &ball, error);
        if (result == SUP_OK && turn > 0) result = sup_rig_set_turn_radius(rig, i, turn, error);
        if (result == SUP_OK && i > 0) result = sup_rig_link(rig, i - 1, i, error);
    }
    if (result != SUP_OK) return result;
    sup_weigh_def def = sup_weigh_default();
    double density = body->density > 0 ? body->density : def.density;
    def.mass = body->mass > 0 ? body->mass : density * whole.volume;
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
    }
    const supi_json* place = fit ? fit->place : supi_reader_place(body->shape.place, "file");
    if (result != SUP_OK) return supi_reader_wrap(reader, place, &cause);
    result = supi_fit_parts(reader, body, *out);
    if (result != SUP_OK || !fit) return result;
    result = paint_links(fit, *out, &cause);
    return result == SUP_OK ? SUP_OK : supi_reader_wrap(reader, place, &cause);
}

/* ---- The blueprint ---- */

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

/* What a modulus is measured by where no closed surface says it: mass over the volume of the rod,
   or of all ellipsoids; within what a blueprint takes. */
static void find_density(const supi_body_draft* draft, const sup_rig* rig, sup_blueprint_def* def) {
    sup_rig_view view = sup_rig_get(rig);
    double mass = 0.0, volume = 0.0;
    for (int32_t i = 0; i < view.particle_count; i++) {
        const float* r = view.ellipsoids[i].radii;
        mass += (double)view.masses[i];
        volume += 4.0 / 3.0 * PI * (double)r[0] * (double)r[1] * (double)r[2];
    }
    if (draft->fit && draft->fit->kind == SUPI_FIT_CHAIN) volume = measure_rod(draft).volume;
    if (!(volume > 0.0)) return;
    double density = mass / volume;
    def->density = density < 1.0 ? 1.0 : density > 20000.0 ? 20000.0 : density;
}

sup_result supi_fit_take(const supi_reader* reader, const supi_body_draft* draft,
                         const sup_rig* rig, sup_blueprint_def* def) {
    def->surface = NULL;
    sup_rig_fill_def(rig, def);
    /* What the scene says is said of the whole body; what it fits has no other stiffness. */
    bool stated = draft->frames && supi_json_find(draft->frames->place, "stiffness");
    if (draft->fit || stated) def->frame_stiffness = NULL;
    if (draft->frames) def->link_pin_factor = draft->frames->pin_factor;
    if (draft->frames && draft->frames->modulus > 0) find_density(draft, rig, def);
    def->parts_yield = def->parts_yield || (draft->frames && draft->frames->dents.place);
    def->radius = draft->pass_through ? -1 : 0;
    if (!draft->clusters.place) def->layout = SUP_CLUSTERS_NONE;
    const supi_json* skin = supi_json_find(draft->place, "skin");
    if (def->surface && skin && draft->skin == SUP_SKIN_PARTICLES) {
        return supi_reader_fail(reader, skin,
                                "the mesh is no particle of such a body: take \"frames\" or "
                                "\"dual\"");
    }
    const supi_json* slots = supi_json_find(draft->place, "skin_slots");
    if (slots && (!def->surface || draft->skin == SUP_SKIN_CLUSTERS)) {
        return supi_reader_fail(reader, slots,
                                "\"skin_slots\" is for a mesh that follows oriented particles");
    }
    return def->surface ? SUP_OK : draw_balls(reader, def);
}
