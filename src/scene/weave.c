/* The springs of a body: woven over its shape. */
#include "base/memory.h"
#include "scene/build.h"
#include "supple/mesh.h"
#include "world/springs.h"

#include <math.h>
#include <stddef.h>
#include <string.h>

/* Ranges are those of the tables. */
sup_weave_moduli supi_weave_moduli(const supi_weave_draft* w) {
    sup_weave_moduli out = {.young = w->young};
    if (w->kind != SUPI_WEAVE_MESH) {
        if (w->poisson > 0) sup_weave_solid_moduli(w->young, w->poisson, &out, NULL);
    } else if (w->poisson > 0) {
        sup_weave_sheet_moduli(w->young, w->poisson, w->thickness, &out, NULL);
    } else if (w->thickness > 0) {
        sup_weave_sheet_moduli(w->young, 1.0 / 3.0, w->thickness, &out, NULL);
        out.young = w->young;
        out.solid.area = 0.0; /* springs alone, to the last bit */
    }
    return out;
}

/* Are there terms of volume? */
static bool keeps_volume(const supi_body_draft* body) {
    return (body->springs && body->springs->solid.volume > 0) ||
           supi_weave_moduli(body->weave).solid.volume > 0;
}

static sup_result weave_cloth(const sup_allocator* allocator, const supi_body_draft* body,
                              sup_web* out, sup_error* error) {
    const supi_weave_draft* w = body->weave;
    sup_weave_grid_def def = sup_weave_grid_default();
    for (int k = 0; k < 2; k++) {
        def.count[k] = body->shape.segments[k] + 1;
        def.sides[k] = body->shape.size[k] * body->scale[2 * k];
    }
    def.stretch = w->stretch;
    def.shear = w->shear;
    def.bend = w->bend;
    def.density = w->density;
    def.levels = w->levels;
    return sup_weave_grid(allocator, &def, out, error);
}

static sup_result weave_mesh(const sup_allocator* allocator, const supi_body_draft* body,
                             const sup_mesh* mesh, sup_web* out, sup_error* error) {
    const supi_weave_draft* w = body->weave;
    sup_weave_mesh_def def = sup_weave_mesh_default();
    def.mesh = mesh;
    if (body->weld >= 0) def.weld = body->weld;
    def.young = supi_weave_moduli(w).young;
    def.stiffness = w->stiffness;
    def.shear = w->shear;
    def.bend = w->thickness > 0 && !supi_json_find(w->place, "bend") ? 0.0 : w->bend;
    def.density = w->density;
    sup_result result = sup_weave_mesh(allocator, &def, out, error);
    if (result != SUP_OK || !w->struts.place) return result;
    sup_weave_struts_def struts = sup_weave_struts_default();
    struts.stiffness = w->struts.stiffness;
    struts.every = w->struts.every;
    struts.split = w->struts.split;
    result = sup_weave_struts(&struts, out, error);
    if (result != SUP_OK) sup_web_free(out);
    return result;
}

static sup_result weave_shell(const sup_allocator* allocator, const supi_body_draft* body,
                              const sup_mesh* mesh, sup_web* out, sup_error* error) {
    const supi_weave_draft* w = body->weave;
    sup_weave_shell_def def = sup_weave_shell_default();
    def.mesh = mesh;
    if (body->weld >= 0) def.weld = body->weld;
    def.layers = w->layers;
    def.inner = (sup_weave_inner)w->inner;
    def.thickness = w->thickness;
    def.scale = w->scale;
    def.centre = w->centre;
    def.rule = (sup_weave_rule)w->rule;
    def.young = supi_weave_moduli(w).young;
    def.density = w->density;
    return sup_weave_shell(allocator, &def, out, error);
}

/* A box is as many cells long as its size says. */
static sup_result count_cells(const supi_reader* reader, const supi_body_draft* body,
                              int32_t cells[3]) {
    for (int k = 0; k < 3; k++) {
        double count = body->shape.size[k] * body->scale[k] / body->weave->cell;
        double whole = floor(count + 0.5);
        if (!(whole >= 1 && whole <= 1024 && fabs(count - whole) <= 1e-6 * whole)) {
            return supi_reader_fail(reader, supi_reader_place(body->weave->place, "cell"),
                                    "the box must be 1 to 1024 times \"cell\" long along each "
                                    "side, and a whole number of times");
        }
        cells[k] = (int32_t)whole;
    }
    return SUP_OK;
}

static sup_result weave_block(const supi_reader* reader, const supi_body_draft* body, sup_web* out,
                              sup_error* error) {
    const supi_weave_draft* w = body->weave;
    sup_weave_block_def def = sup_weave_block_default();
    sup_result result = count_cells(reader, body, def.cells);
    if (result != SUP_OK) return result;
    def.cell = w->cell;
    def.rule = (sup_weave_rule)w->rule;
    def.young = supi_weave_moduli(w).young;
    def.density = w->density;
    return sup_weave_block(reader->store->allocator, &def, out, error);
}

/* A box is voxels that are all full. */
static sup_result weave_full(const supi_reader* reader, const supi_body_draft* body,
                             sup_weave_voxels_def* def, sup_web* out, sup_error* error) {
    sup_result result = count_cells(reader, body, def->cells);
    if (result != SUP_OK) return result;
    size_t count = (size_t)def->cells[0] * (size_t)def->cells[1] * (size_t)def->cells[2];
    const sup_allocator* allocator = reader->store->allocator;
    uint8_t* voxels = supi_memory_new(allocator, count, 1);
    if (!voxels) return supi_reader_memory(reader);
    memset(voxels, 1, count);
    def->voxels = voxels;
    def->cell = body->weave->cell;
    result = sup_weave_voxels(allocator, def, out, error);
    supi_memory_free(allocator, voxels, count, 1);
    return result;
}

static sup_result weave_hexes(const supi_reader* reader, const sup_file_gate* files,
                              const supi_body_draft* body, const char* path, sup_web* out,
                              sup_error* error) {
    const supi_weave_draft* w = body->weave;
    sup_weave_voxels_def def = sup_weave_voxels_default();
    def.young = supi_weave_moduli(w).young;
    def.space = w->space;
    def.density = w->density;
    def.tets = keeps_volume(body);
    if (body->shape.kind == SUPI_SHAPE_BOX) return weave_full(reader, body, &def, out, error);
    for (int k = 0; k < 3; k++) def.cells[k] = body->shape.segments[k];
    def.cell = body->shape.cell * body->scale[0];
    def.least = body->shape.least;
    return sup_weave_load_voxels(reader->store->allocator, files, path, &def, out, error);
}

/* What has no polygons is drawn as the beads that it is made of. */
static sup_result string_beads(const sup_allocator* allocator, sup_web* web, sup_error* error) {
    sup_mesh beads;
    sup_result result =
        sup_mesh_create(allocator, web->point_count, web->points, 0, NULL, NULL, &beads, error);
    if (result == SUP_OK)
        web->surface = beads;
    else
        sup_web_free(web);
    return result;
}

static sup_result weave_tets(const sup_allocator* allocator, const supi_body_draft* body,
                             const sup_mesh* mesh, sup_web* out, sup_error* error) {
    const supi_weave_draft* w = body->weave;
    sup_weave_tets_def def = sup_weave_tets_default();
    def.points = mesh->points;
    def.point_count = mesh->point_count;
    def.tets = w->corners.members;
    def.tet_count = w->corners.count;
    if (body->weld >= 0) def.weld = body->weld;
    def.rule = (sup_weave_rule)w->rule;
    def.young = supi_weave_moduli(w).young;
    def.density = w->density;
    return sup_weave_tets(allocator, &def, out, error);
}

static sup_result weave_own_hexes(const sup_allocator* allocator, const supi_body_draft* body,
                                  const sup_mesh* mesh, sup_web* out, sup_error* error) {
    const supi_weave_draft* w = body->weave;
    sup_weave_hexes_def def = sup_weave_hexes_default();
    def.points = mesh->points;
    def.point_count = mesh->point_count;
    def.hexes = w->corners.members;
    def.hex_count = w->corners.count;
    if (body->weld >= 0) def.weld = body->weld;
    def.young = supi_weave_moduli(w).young;
    def.density = w->density;
    def.tets = keeps_volume(body);
    return sup_weave_hexes(allocator, &def, out, error);
}

/* Tetrahedra or hexahedra over the points of the mesh, whatever polygons it has. Where each side
   belongs to two of them there is no surface. */
static sup_result weave_elements(const sup_allocator* allocator, const supi_body_draft* body,
                                 const sup_mesh* mesh, sup_web* out, sup_error* error) {
    sup_result result = body->weave->corners.starts[1] == 4
                            ? weave_tets(allocator, body, mesh, out, error)
                            : weave_own_hexes(allocator, body, mesh, out, error);
    if (result != SUP_OK || out->surface.polygon_count > 0) return result;
    return string_beads(allocator, out, error);
}

static sup_result weave_rope(const sup_allocator* allocator, const supi_body_draft* body,
                             sup_web* out, sup_error* error) {
    const supi_weave_draft* w = body->weave;
    sup_weave_rope_def def = sup_weave_rope_default();
    def.count = body->shape.segments[0] + 1;
    for (int k = 0; k < 3; k++) {
        def.ends[0][k] = body->shape.from[k] * body->scale[k];
        def.ends[1][k] = body->shape.to[k] * body->scale[k];
    }
    def.stretch = w->stretch;
    def.bend = w->bend;
    def.density = w->density;
    def.slack = w->slack;
    sup_result result = sup_weave_rope(allocator, &def, out, error);
    return result == SUP_OK ? string_beads(allocator, out, error) : result;
}

bool supi_weave_anchored(const supi_body_draft* body) {
    const supi_weave_draft* w = body->weave;
    return !body->clusters.place && !(w->tear > 0 || w->tear_force > 0);
}

/* ---- Places of what is refused ---- */

/* The corner of an element that no point has, or that it has twice; NULL: there is none. */
static const supi_json* find_bad_corner(const supi_json* corners, int32_t point_count) {
    for (const supi_json* element = corners->first; element; element = element->next) {
        for (const supi_json* at = element->first; at; at = at->next) {
            if (!(at->number < point_count)) return at;
            for (const supi_json* other = element->first; other != at; other = other->next) {
                if (other->number == at->number) return at;
            }
        }
    }
    return NULL;
}

/* Where it stands what a weave could not be made of. */
static const supi_json* blamed(const supi_body_draft* body, const sup_mesh* mesh,
                               sup_result result) {
    const supi_json* weave = body->weave->place;
    const supi_json* corners = supi_json_find(weave, "corners");
    bool voxels = body->shape.kind == SUPI_SHAPE_VOXELS;
    if (voxels && result != SUP_BAD_ARGUMENT) return supi_reader_place(body->shape.place, "file");
    const supi_json* bad = corners ? find_bad_corner(corners, mesh->point_count) : NULL;
    return bad ? bad : weave;
}

const supi_json* supi_weave_blamed(const supi_body_draft* body, const sup_spring_settings* settings,
                                   const sup_blueprint* print) {
#define PART(field) offsetof(sup_spring_settings, field), sizeof settings->field
    static const struct {
        const char *key, *inner; /* NULL: the whole of it */
        size_t at, size;
    } parts[] = {
        {"integrator", NULL, PART(integrator)},
        {"limit", NULL, PART(limit)},
        {"limit_compression", NULL, PART(limit_compression)},
        {"error_length", NULL, PART(error_length)},
        {"pressure", NULL, PART(pressure)},
        {"solid", "area", PART(solid.area)},
        {"solid", "volume", PART(solid.volume)},
        {"solid", "bend", PART(solid.bend)},
        {"solid", NULL, PART(solid)},
        {"anchor", NULL, PART(anchor)},
        {"yield", NULL, PART(yield)},
        {"meet_itself", NULL, PART(meets_itself)},
    };
#undef PART
    if (!body->springs) return body->weave->place;
    const sup_spring_settings usual = sup_spring_settings_default();
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
        const supi_json* given = supi_json_find(body->springs->place, parts[i].key);
        sup_spring_settings less = *settings;
        memcpy((char*)&less + parts[i].at, (const char*)&usual + parts[i].at, parts[i].size);
        if (given && supi_springs_check(&less, print, NULL) == SUP_OK)
            return parts[i].inner ? supi_reader_place(given, parts[i].inner) : given;
    }
    return body->springs->place;
}

/* ---- The weave ---- */

sup_result supi_weave_make(const supi_reader* reader, const sup_file_gate* files,
                           const supi_body_draft* body, const char* path, const sup_mesh* mesh,
                           sup_web* out) {
    const sup_allocator* allocator = reader->store->allocator;
    sup_error cause = {0};
    sup_result result = SUP_BAD_ARGUMENT;
    switch (body->weave->kind) {
    case SUPI_WEAVE_CLOTH: result = weave_cloth(allocator, body, out, &cause); break;
    case SUPI_WEAVE_MESH: result = weave_mesh(allocator, body, mesh, out, &cause); break;
    case SUPI_WEAVE_SHELL: result = weave_shell(allocator, body, mesh, out, &cause); break;
    case SUPI_WEAVE_BLOCK: result = weave_block(reader, body, out, &cause); break;
    case SUPI_WEAVE_HEXES: result = weave_hexes(reader, files, body, path, out, &cause); break;
    case SUPI_WEAVE_ROPE: result = weave_rope(allocator, body, out, &cause); break;
    case SUPI_WEAVE_ELEMENTS: result = weave_elements(allocator, body, mesh, out, &cause); break;
    case SUPI_WEAVE_SOLID: break; /* see solid.c */
    }
    if (result == SUP_OK || cause.text[0] == '\0') return result;
    return supi_reader_wrap(reader, blamed(body, mesh, result), &cause);
}
