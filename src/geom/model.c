/* Models: forms -> fine triangles on a grid -> even triangles -> one mesh of all parts. */
#include "geom/model.h"

#include "base/check.h"
#include "base/error.h"
#include "geom/isosurface.h"
#include "geom/mesh.h"
#include "geom/remesh.h"
#include "geom/vector.h"

#include <string.h>

typedef struct entry {
    const char* name;
    void (*build)(supi_arena* arena, supi_model* out);
} entry;

static const entry entries[] = {{"squid", supi_model_squid},
                                {"lionfish", supi_model_lionfish},
                                {"truck", supi_model_truck},
                                {"twisted_rope", supi_model_rope},
                                {"plant", supi_model_plant}};
#define ENTRIES ((int)(sizeof entries / sizeof *entries))

const char* sup_model_name(sup_model model) {
    return (int)model >= 0 && (int)model < ENTRIES ? entries[model].name : NULL;
}

/* --- The field of a form --- */

static double depth(const void* form, const double place[3]) {
    return -supi_form_value(form, place);
}

static bool is_far(const void* form, const double middle[3], double radius) {
    return fabs(supi_form_value(form, middle)) > radius;
}

/* Each level has an arena. */
static const void* focus(void* scratch, int32_t level, const void* form, const double middle[3],
                         double radius) {
    supi_arena* arena = (supi_arena*)scratch + level;
    supi_arena_clear(arena);
    return supi_form_near(arena, form, middle, radius);
}

/* Places come one beside the other: the form that is near one is near the next. */
typedef struct projector {
    const supi_form *form, *near;
    double middle[3], radius; /* m, of the ball where `near` is the form */
    supi_arena arena;
} projector;

static void project(void* data, const double normal[3], double place[3]) {
    projector* p = data;
    double way[3];
    supi_vector_subtract(place, p->middle, way);
    if (!p->near || supi_vector_dot(way, way) > 0.5 * p->radius * p->radius) {
        supi_arena_clear(&p->arena);
        p->near = supi_form_near(&p->arena, p->form, place, p->radius);
        memcpy(p->middle, place, sizeof p->middle);
    }
    double most = 0.2 * p->radius; /* stays in the ball */
    for (int step = 0; step < 2; step++) {
        double value = supi_form_value(p->near, place);
        value = value < -most ? -most : value > most ? most : value;
        for (int k = 0; k < 3; k++) place[k] -= value * normal[k];
    }
}

/* --- Parts --- */

static sup_result mesh_part(const sup_allocator* allocator, const supi_model_part* part,
                            double detail, sup_mesh* out, sup_error* error) {
    if (!part->form) return supi_error_memory(error);
    double finer = sqrt(detail), length = part->length / finer;
    supi_arena arenas[2];
    for (int i = 0; i < 2; i++) supi_arena_init(arenas + i, allocator);
    supi_iso_field field = {part->form, depth, is_far, focus, arenas};
    supi_iso_grid grid = {.spacing = 0.5 * part->thin};
    if (grid.spacing > length) grid.spacing = length;
    for (int k = 0; k < 3; k++) {
        grid.low[k] = part->form->low[k] - 1.5 * grid.spacing;
        grid.high[k] = part->form->high[k] + 1.5 * grid.spacing;
    }
    sup_result result = supi_isosurface_mesh(allocator, &field, &grid, out, error);
    for (int i = 0; i < 2; i++) supi_arena_free(arenas + i);
    if (result != SUP_OK) return result;
    projector onto = {.form = part->form, .radius = 4 * length};
    supi_arena_init(&onto.arena, allocator);
    supi_remesh_def def = {.length = length,
                           .finest = part->finest / finer,
                           .angle = 0.4 / finer,
                           .rounds = 5,
                           .project = project,
                           .data = &onto};
    result = supi_remesh(out, &def, error);
    supi_arena_free(&onto.arena);
    if (result != SUP_OK) sup_mesh_free(out);
    return result;
}

/* Adds a copy of a part's mesh to a mesh that has room for it. */
static void add_copy(const supi_model_part* part, int32_t copy, const sup_mesh* from, sup_mesh* to,
                     int32_t* points, int32_t* triangles) {
    const double* by = part->places[copy];
    double side = part->turned[copy] ? -1 : 1;
    for (int32_t i = 0; i < from->point_count; i++) {
        double p[3];
        supi_vector_from(from->points + i, p);
        to->points[*points + i] =
            supi_vector_round(side * p[0] + by[0], p[1] + by[1], side * p[2] + by[2]);
    }
    for (int32_t c = 0; c < from->corner_count; c++) {
        to->corners[3 * *triangles + c] = from->corners[c] + *points;
    }
    *points += from->point_count;
    *triangles += from->polygon_count;
}

static sup_result gather(const sup_allocator* allocator, const supi_model* model,
                         const sup_mesh* meshes, sup_mesh* out, sup_error* error) {
    int32_t points = 0, triangles = 0;
    for (int32_t i = 0; i < model->part_count; i++) {
        points += model->parts[i].count * meshes[i].point_count;
        triangles += model->parts[i].count * meshes[i].polygon_count;
    }
    if (!supi_mesh_new(allocator, points, triangles, 3 * triangles, out)) {
        return supi_error_memory(error);
    }
    points = triangles = 0;
    for (int32_t i = 0; i < model->part_count; i++) {
        for (int32_t copy = 0; copy < model->parts[i].count; copy++) {
            add_copy(model->parts + i, copy, meshes + i, out, &points, &triangles);
        }
    }
    for (int32_t t = 0; t <= triangles; t++) out->starts[t] = 3 * t;
    return SUP_OK;
}

sup_result sup_mesh_model(const sup_allocator* allocator, sup_model model, double detail,
                          sup_mesh* out, sup_error* error) {
    SUPI_NEED(error, out);
    allocator = supi_mesh_allocator(allocator);
    if (!sup_model_name(model)) {
        return supi_error_set(error, SUP_BAD_ARGUMENT, "there is no model %d", (int)model);
    }
    if (!(detail >= SUP_MODEL_LEAST_DETAIL && detail <= SUP_MODEL_MOST_DETAIL)) {
        return supi_error_set(error, SUP_BAD_ARGUMENT, "detail must be from %g to %g",
                              SUP_MODEL_LEAST_DETAIL, SUP_MODEL_MOST_DETAIL);
    }
    supi_arena arena;
    supi_model parts = {0};
    sup_mesh meshes[SUPI_MODEL_PARTS], whole;
    int32_t made = 0;
    supi_arena_init(&arena, allocator);
    entries[model].build(&arena, &parts);
    sup_result result = SUP_OK;
    while (result == SUP_OK && made < parts.part_count) {
        result = mesh_part(allocator, parts.parts + made, detail, meshes + made, error);
        if (result == SUP_OK) made++;
    }
    if (result == SUP_OK) result = gather(allocator, &parts, meshes, &whole, error);
    if (result == SUP_OK) *out = whole;
    while (made > 0) sup_mesh_free(meshes + --made);
    supi_arena_free(&arena);
    return result;
}
