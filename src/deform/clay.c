/* Making surfaces, and asking them. */
#include "deform/clay.h"

#include "base/check.h"
#include "base/error.h"
#include "base/float_mode.h"
#include "deform/places.h"
#include "deform/press.h"
#include "deform/split.h"
#include "geom/mesh.h"
#include "geom/vector.h"

#include <float.h>
#include <string.h>

#define VALUES_MOST 64

sup_clay_def sup_clay_default(void) {
    return (sup_clay_def){.size = sizeof(sup_clay_def), .worker_count = 1};
}

/* ---- Fabric ---- */

float supi_fabric_give(float mass) { return mass < FLT_MAX ? 1.0f / (mass + 1.0f) : 0.0f; }

double supi_fabric_shortest(const supi_fabric* f, bool* with_zero) {
    double shortest = 0.0;
    *with_zero = false;
    for (int32_t row = 0; row < f->graph.point_count; row++) {
        double a[3], b[3];
        supi_vector_of_row(&f->rows[row], a);
        for (int32_t n = f->graph.starts[row]; n < f->graph.starts[row + 1]; n++) {
            if (f->graph.neighbours[n] < row) continue;
            supi_vector_of_row(&f->rows[f->graph.neighbours[n]], b);
            supi_vector_subtract(b, a, b);
            double square = supi_vector_dot(b, b);
            if (square <= 0.0) {
                *with_zero = true;
            } else if (shortest == 0.0 || square < shortest) {
                shortest = square;
            }
        }
    }
    return sqrt(shortest);
}

/* A sum of whole parts of the longest edge, which has no order. */
static double mean_edge(const supi_fabric* f) {
    double longest = 0.0;
    uint64_t sum = 0;
    for (int32_t e = 0; e < f->graph.edge_count; e++) {
        double length = supi_edge_length(f, e);
        if (length > longest) longest = length;
    }
    if (longest <= 0.0) return 0.0;
    for (int32_t e = 0; e < f->graph.edge_count; e++)
        sum += (uint64_t)(supi_edge_length(f, e) / longest * 0x1p32);
    return (double)sum / f->graph.edge_count * 0x1p-32 * longest;
}

static bool make_room(supi_fabric* f, const sup_mesh* mesh, const sup_clay_def* def,
                      bool with_transfers) {
    size_t points = (size_t)mesh->point_count, polygons = (size_t)mesh->polygon_count;
    size_t edges = (size_t)f->graph.edge_count, corners = (size_t)mesh->corner_count;
    f->value_width = def->values ? def->value_width : 0;
    f->mesh = (sup_mesh){.point_count = mesh->point_count,
                         .polygon_count = mesh->polygon_count,
                         .corner_count = mesh->corner_count};
    f->mesh.points = supi_arena_push(&f->arena, points, sizeof *f->mesh.points);
    f->mesh.starts = supi_arena_push(&f->arena, polygons + 1, sizeof *f->mesh.starts);
    f->mesh.corners = supi_arena_push(&f->arena, corners, sizeof *f->mesh.corners);
    f->rows = supi_arena_push(&f->arena, points, sizeof *f->rows);
    f->firsts = supi_arena_push(&f->arena, edges, sizeof *f->firsts);
    f->rests = supi_arena_push(&f->arena, edges, sizeof *f->rests);
    f->point_from = supi_arena_push(&f->arena, points, sizeof *f->point_from);
    f->polygon_from = supi_arena_push(&f->arena, polygons, sizeof *f->polygon_from);
    f->values = supi_arena_push(&f->arena, corners, (size_t)f->value_width * sizeof *f->values);
    if (with_transfers) f->transfers = supi_arena_push(&f->arena, edges, sizeof *f->transfers);
    return f->mesh.points && f->mesh.starts && f->mesh.corners && f->rows && f->firsts &&
           f->rests && f->point_from && f->polygon_from && f->values &&
           (f->transfers || !with_transfers);
}

static void fill_fabric(supi_fabric* f, const sup_mesh* mesh, const sup_clay_def* def) {
    size_t corners = (size_t)mesh->corner_count;
    memcpy(f->mesh.points, mesh->points, (size_t)mesh->point_count * sizeof *mesh->points);
    if (mesh->polygon_count > 0) {
        memcpy(f->mesh.starts, mesh->starts,
               ((size_t)mesh->polygon_count + 1) * sizeof *mesh->starts);
        memcpy(f->mesh.corners, mesh->corners, corners * sizeof *mesh->corners);
    }
    if (f->value_width > 0)
        memcpy(f->values, def->values, corners * (size_t)f->value_width * sizeof *f->values);
    for (int32_t id = 0; id < mesh->point_count; id++) {
        sup_vec3 at = mesh->points[id];
        float give = def->masses ? supi_fabric_give(def->masses[id]) : 1.0f;
        f->rows[f->graph.row_of[id]] = (sup_row){at.x, at.y, at.z, give};
        f->point_from[id] = id;
    }
    for (int32_t p = 0; p < mesh->polygon_count; p++) f->polygon_from[p] = p;
    for (int32_t e = 0; e < f->graph.edge_count; e++) {
        f->firsts[e] = f->rests[e] = (float)supi_edge_length(f, e);
        if (def->transfers) f->transfers[e] = def->transfers[e];
    }
    f->mean_edge = mean_edge(f);
    f->light = !def->masses;
}

sup_result supi_fabric_build(supi_fabric* out, const sup_allocator* allocator, const sup_mesh* mesh,
                             const sup_clay_def* def, bool with_transfers, sup_error* error) {
    supi_fabric f = {.value_width = 0};
    supi_arena_init(&f.arena, allocator);
    sup_result result = supi_graph_build(&f.arena, mesh, def->keep_order, &f.graph, error);
    if (result == SUP_OK && !make_room(&f, mesh, def, with_transfers))
        result = supi_error_memory(error);
    if (result != SUP_OK) {
        supi_arena_free(&f.arena);
        return result;
    }
    fill_fabric(&f, mesh, def);
    *out = f;
    return SUP_OK;
}

void supi_fabric_free(supi_fabric* f) { supi_arena_free(&f->arena); }

/* ---- Checks ---- */

static sup_result check_masses(const sup_clay_def* def, int32_t count, sup_error* error) {
    for (int32_t i = 0; def->masses && i < count; i++) {
        if (!(def->masses[i] >= 0.0f))
            return supi_error_set(error, SUP_BAD_ARGUMENT, "masses[%d] is below 0", (int)i);
    }
    return SUP_OK;
}

/* They are counted by an int32_t. */
static bool values_fit(int32_t corners, int32_t width) {
    return (int64_t)corners * width <= INT32_MAX;
}

static sup_result check_def(const sup_mesh* mesh, const sup_clay_def* def, sup_error* error) {
    if (def->size != sizeof *def)
        return supi_error_set(error, SUP_BAD_ARGUMENT,
                              "the definition is not from "
                              "sup_clay_default");
    const supi_range ranges[] = {
        {"worker_count", def->worker_count, 1, SUPI_WORKERS_MAX},
        {"value_width", def->value_width, 0, VALUES_MOST},
    };
    sup_result result = supi_check_ranges(ranges, sizeof ranges / sizeof *ranges, error);
    if (result == SUP_OK && def->values && !values_fit(mesh->corner_count, def->value_width))
        result = supi_error_set(error, SUP_BAD_ARGUMENT,
                                "%d corners of %d values each are more than 2^31 - 1",
                                (int)mesh->corner_count, (int)def->value_width);
    if (result == SUP_OK) result = supi_mesh_check(mesh, error);
    if (result != SUP_OK) return result;
    if (mesh->point_count == 0)
        return supi_error_set(error, SUP_BAD_ARGUMENT, "the mesh has no points");
    result = supi_places_check("points", mesh->point_count, mesh->points, error);
    if (result == SUP_OK) result = check_masses(def, mesh->point_count, error);
    size_t values = def->values ? (size_t)mesh->corner_count * (size_t)def->value_width : 0;
    for (size_t i = 0; result == SUP_OK && i < values; i++) {
        if (!(fabsf(def->values[i]) <= FLT_MAX))
            result = supi_error_set(error, SUP_BAD_ARGUMENT, "values[%zu] is not finite", i);
    }
    return result;
}

static sup_result check_transfers(const supi_fabric* f, sup_error* error) {
    for (int32_t e = 0; f->transfers && e < f->graph.edge_count; e++) {
        if (!(f->transfers[e] >= 0.0f && f->transfers[e] <= 1.0f))
            return supi_error_set(error, SUP_BAD_ARGUMENT, "transfers[%d] is not from 0 to 1",
                                  (int)e);
    }
    return SUP_OK;
}

/* ---- Clay ---- */

static sup_result fill_clay(sup_clay* s, const sup_mesh* mesh, const sup_clay_def* def,
                            sup_error* error) {
    int32_t workers = def->worker_count;
    sup_result result = supi_tasks_create(s->allocator, workers, NULL, &s->tasks, error);
    if (result == SUP_UNSUPPORTED)
        result = supi_tasks_create(s->allocator, 1, NULL, &s->tasks, error);
    if (result == SUP_OK)
        result =
            supi_fabric_build(&s->fabric, s->allocator, mesh, def, def->transfers != NULL, error);
    if (result != SUP_OK) return result;
    s->first_mean_edge = s->fabric.mean_edge;
    s->plan.allocator = s->spare.allocator = s->allocator;
    s->drift = -1.0;
    s->keep_order = def->keep_order;
    s->kernels = supi_sweep_kernels_find(SUP_SIMD_AUTO);
    return SUP_OK;
}

sup_result supi_clay_make(const sup_allocator* allocator, const sup_mesh* mesh,
                          const sup_clay_def* def, sup_clay** out, sup_error* error) {
    sup_clay* s = supi_memory_new(allocator, 1, sizeof *s);
    if (!s) return supi_error_memory(error);
    s->allocator = allocator;
    supi_float_mode mode = supi_float_mode_enter();
    sup_result result = fill_clay(s, mesh, def, error);
    supi_float_mode_leave(mode);
    if (result != SUP_OK) {
        sup_clay_destroy(s);
        return result;
    }
    *out = s;
    return SUP_OK;
}

sup_result sup_clay_create(const sup_allocator* allocator, const sup_mesh* mesh,
                           const sup_clay_def* def, sup_clay** out, sup_error* error) {
    SUPI_NEED(error, mesh, def, out);
    sup_clay* made = NULL;
    sup_result result = check_def(mesh, def, error);
    if (result == SUP_OK)
        result = supi_clay_make(supi_mesh_allocator(allocator), mesh, def, &made, error);
    if (result == SUP_OK) result = check_transfers(&made->fabric, error);
    if (result != SUP_OK) {
        sup_clay_destroy(made);
        return result;
    }
    *out = made;
    return SUP_OK;
}

void sup_clay_destroy(sup_clay* s) {
    if (!s) return;
    supi_column* columns[] = {&s->places[0], &s->places[1], &s->steps[0], &s->steps[1],
                              &s->moved,     &s->keys[0],   &s->keys[1],  &s->picks[0],
                              &s->picks[1],  &s->sources,   &s->pulls,    &s->changes.list,
                              &s->fresh.list};
    for (size_t i = 0; i < sizeof columns / sizeof *columns; i++)
        supi_column_free(columns[i], s->allocator);
    if (s->plan.allocator) supi_plan_free(&s->plan);
    if (s->spare.allocator) supi_plan_free(&s->spare);
    if (s->fabric.arena.allocator) supi_fabric_free(&s->fabric);
    if (s->tasks) supi_tasks_destroy(s->tasks);
    supi_memory_free(s->allocator, s, 1, sizeof *s);
}

void supi_clay_settle(sup_clay* s) {
    supi_plan_bring_back(&s->plan, s->fabric.rows);
    s->plan.ready = s->pulled = s->remembers = false;
}

sup_clay_event* supi_changes_grow(supi_changes* changes, const sup_allocator* allocator,
                                  int32_t more) {
    return supi_column_reserve(&changes->list, allocator, changes->count + more,
                               sizeof(sup_clay_event));
}

void supi_clay_tell(sup_clay* s) {
    supi_changes old = s->changes;
    s->changes = s->fresh;
    s->fresh = old;
    s->fresh.count = 0;
}

/* ---- Questions ---- */

const sup_clay_event* sup_clay_events(const sup_clay* s, int32_t* count) {
    *count = s->changes.count;
    return s->changes.list.items;
}

int32_t sup_clay_point_count(const sup_clay* s) { return s->fabric.graph.point_count; }

/* The row that knows where a point is. */
static sup_row* knowing_row(const sup_clay* s, int32_t id) {
    int32_t row = s->fabric.graph.row_of[id];
    int32_t place = s->plan.ready ? SUPI_PLAN_INTS(s->plan.places)[row] : -1;
    return place >= 0 ? (sup_row*)s->plan.rows.items + place : s->fabric.rows + row;
}

void sup_clay_points(const sup_clay* s, sup_vec3* points) {
    for (int32_t id = 0; id < s->fabric.graph.point_count; id++) {
        const sup_row* at = knowing_row(s, id);
        points[id] = (sup_vec3){at->x, at->y, at->z};
    }
}

sup_result sup_clay_set_points(sup_clay* clay, const sup_vec3* points, sup_error* error) {
    SUPI_NEED(error, clay, points);
    sup_result result = supi_places_check("points", clay->fabric.graph.point_count, points, error);
    if (result != SUP_OK) return result;
    for (int32_t id = 0; id < clay->fabric.graph.point_count; id++) {
        sup_row* row = knowing_row(clay, id); /* who follows whom stays as it is */
        *row = (sup_row){points[id].x, points[id].y, points[id].z, row->w};
    }
    clay->pulled = clay->remembers = false;
    clay->drift = -1.0;
    return SUP_OK;
}

sup_result sup_clay_set_masses(sup_clay* clay, const float* masses, sup_error* error) {
    SUPI_NEED(error, clay);
    const sup_clay_def def = {.masses = masses};
    sup_result result = check_masses(&def, clay->fabric.graph.point_count, error);
    if (result != SUP_OK) return result;
    supi_clay_settle(clay);
    for (int32_t id = 0; id < clay->fabric.graph.point_count; id++) {
        float give = masses ? supi_fabric_give(masses[id]) : 1.0f;
        clay->fabric.rows[clay->fabric.graph.row_of[id]].w = give;
    }
    clay->fabric.light = !masses;
    return SUP_OK;
}

void sup_clay_masses(const sup_clay* s, float* masses) {
    for (int32_t id = 0; id < s->fabric.graph.point_count; id++) {
        double give = (double)s->fabric.rows[s->fabric.graph.row_of[id]].w;
        masses[id] = give > 0.0 ? (float)(1.0 / give - 1.0) : INFINITY;
    }
}

void sup_clay_generations(const sup_clay* s, int32_t* generations) {
    const supi_graph* g = &s->fabric.graph;
    for (int32_t id = 0; id < g->point_count; id++) generations[id] = -1;
    if (!s->pulled) return;
    const int32_t* levels = SUPI_PLAN_INTS(s->plan.levels);
    const int32_t* widths = SUPI_PLAN_INTS(s->plan.widths);
    for (int32_t level = 0; level < s->plan.level_count; level++) {
        for (int32_t k = 0; k < widths[level]; k++)
            generations[g->id_of[SUPI_PLAN_INTS(s->plan.order)[levels[level] + k]]] = level;
    }
}

void sup_clay_moved(const sup_clay* s, sup_vec3* moved) {
    const supi_graph* g = &s->fabric.graph;
    const sup_row* by = s->moved.items;
    for (int32_t id = 0; id < g->point_count; id++) {
        int32_t place = s->remembers ? SUPI_PLAN_INTS(s->plan.places)[g->row_of[id]] : -1;
        moved[id] = (sup_vec3){0.0f, 0.0f, 0.0f};
        if (place >= 0) moved[id] = (sup_vec3){by[place].x, by[place].y, by[place].z};
    }
}

void sup_clay_maps_free(sup_clay_maps* maps) {
    if (!maps) return;
    const sup_allocator* allocator = supi_mesh_allocator(maps->allocator);
    supi_memory_free(allocator, maps->points, (size_t)maps->point_count, sizeof *maps->points);
    supi_memory_free(allocator, maps->polygons, (size_t)maps->polygon_count,
                     sizeof *maps->polygons);
    supi_memory_free(allocator, maps->values, (size_t)maps->value_count, sizeof *maps->values);
    *maps = (sup_clay_maps){0};
}

static bool copy_maps(const supi_fabric* f, const sup_allocator* allocator, sup_clay_maps* out) {
    sup_clay_maps maps = {allocator,
                          f->mesh.point_count,
                          f->mesh.polygon_count,
                          f->mesh.corner_count * f->value_width,
                          NULL,
                          NULL,
                          NULL};
    size_t points = (size_t)maps.point_count, polygons = (size_t)maps.polygon_count;
    maps.points = supi_memory_new(allocator, points, sizeof *maps.points);
    maps.polygons = supi_memory_new(allocator, polygons, sizeof *maps.polygons);
    maps.values = supi_memory_new(allocator, (size_t)maps.value_count, sizeof *maps.values);
    if (!maps.points || !maps.polygons || !maps.values) {
        sup_clay_maps_free(&maps);
        return false;
    }
    memcpy(maps.points, f->point_from, points * sizeof *maps.points);
    memcpy(maps.polygons, f->polygon_from, polygons * sizeof *maps.polygons);
    memcpy(maps.values, f->values, (size_t)maps.value_count * sizeof *maps.values);
    *out = maps;
    return true;
}

sup_result sup_clay_mesh(const sup_clay* clay, const sup_allocator* allocator, sup_mesh* out,
                         sup_clay_maps* maps, sup_error* error) {
    SUPI_NEED(error, clay, out);
    const sup_mesh* now = &clay->fabric.mesh;
    sup_mesh mesh;
    allocator = supi_mesh_allocator(allocator);
    if (maps && !values_fit(now->corner_count, clay->fabric.value_width))
        return supi_error_set(error, SUP_UNSUPPORTED, "there are more than 2^31 - 1 values");
    if (!supi_mesh_new(allocator, now->point_count, now->polygon_count, now->corner_count, &mesh))
        return supi_error_memory(error);
    if (maps && !copy_maps(&clay->fabric, allocator, maps)) {
        sup_mesh_free(&mesh);
        return supi_error_memory(error);
    }
    sup_clay_points(clay, mesh.points);
    memcpy(mesh.starts, now->starts, ((size_t)now->polygon_count + 1) * sizeof *mesh.starts);
    memcpy(mesh.corners, now->corners, (size_t)now->corner_count * sizeof *mesh.corners);
    *out = mesh;
    return SUP_OK;
}
