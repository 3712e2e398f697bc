#include "blueprint/rim.h"

#include "geom/bvh.h"
#include "geom/vector.h"

#include <float.h>
#include <math.h>
#include <string.h>

/* ---- The lattice of the filling ---- */

/* Lattice points by ascending key, which is also their order as particles. */
typedef struct lattice {
    int32_t count;
    int64_t* keys;
    int64_t steps[3]; /* of the key, to the neighbour along each axis */
} lattice;

/* How many spacings a particle is from the low corner, along each axis. */
static void lattice_place(const sup_blueprint* b, int32_t id, const double low[3], double spacing,
                          int64_t out[3]) {
    double p[3];
    supi_vector_from(b->rest + b->row_of[id], p);
    for (int k = 0; k < 3; k++) out[k] = (int64_t)floor((p[k] - low[k]) / spacing + 0.5);
}

static bool make_lattice(const sup_blueprint* b, int32_t count, double spacing, supi_arena* scratch,
                         lattice* out) {
    double low[3] = {DBL_MAX, DBL_MAX, DBL_MAX};
    int64_t place[3], most[3] = {0, 0, 0};
    out->count = count;
    out->keys = supi_arena_push(scratch, (size_t)count, sizeof *out->keys);
    if (!out->keys) return false;
    for (int32_t id = 0; id < count; id++) {
        double p[3];
        supi_vector_from(b->rest + b->row_of[id], p);
        for (int k = 0; k < 3; k++) low[k] = p[k] < low[k] ? p[k] : low[k];
    }
    for (int32_t id = 0; id < count; id++) {
        lattice_place(b, id, low, spacing, place);
        for (int k = 0; k < 3; k++) most[k] = place[k] > most[k] ? place[k] : most[k];
    }
    out->steps[0] = 1;
    out->steps[1] = most[0] + 2; /* so that the end of a line is no neighbour of the next one */
    out->steps[2] = out->steps[1] * (most[1] + 2);
    for (int32_t id = 0; id < count; id++) {
        lattice_place(b, id, low, spacing, place);
        out->keys[id] = place[0] + place[1] * out->steps[1] + place[2] * out->steps[2];
    }
    return true;
}

/* The particle with this key, or -1. */
static int32_t find_key(const lattice* l, int64_t key) {
    int32_t low = 0, high = l->count;
    while (low < high) {
        int32_t middle = low + (high - low) / 2;
        if (l->keys[middle] < key)
            low = middle + 1;
        else
            high = middle;
    }
    return low < l->count && l->keys[low] == key ? low : -1;
}

/* Lists the neighbours, and counts them for each row. */
static bool list_edges(const sup_blueprint* b, const lattice* l, supi_arena* scratch,
                       int32_t* neighbours, int32_t** edges, int32_t* edge_count) {
    *edge_count = 0;
    *edges = supi_arena_push(scratch, 6 * (size_t)l->count, sizeof **edges);
    if (!*edges) return false;
    for (int32_t id = 0; id < l->count; id++) {
        for (int axis = 0; axis < 3; axis++) {
            int32_t other = find_key(l, l->keys[id] + l->steps[axis]);
            if (other < 0) continue;
            int32_t* pair = *edges + 2 * (*edge_count)++;
            pair[0] = b->row_of[id];
            pair[1] = b->row_of[other];
            neighbours[pair[0]]++;
            neighbours[pair[1]]++;
        }
    }
    return true;
}

/* ---- The surface above ---- */

static int32_t* fan_triangles(const sup_mesh* mesh, supi_arena* scratch, int32_t* count) {
    *count = mesh->corner_count - 2 * mesh->polygon_count;
    int32_t *triangles = supi_arena_push(scratch, 3 * (size_t)*count, sizeof *triangles),
            *to = triangles;
    for (int32_t p = 0; triangles && p < mesh->polygon_count; p++) {
        const int32_t* corners = mesh->corners + mesh->starts[p];
        for (int32_t i = 2; i < mesh->starts[p + 1] - mesh->starts[p]; i++) {
            *to++ = corners[0];
            *to++ = corners[i - 1];
            *to++ = corners[i];
        }
    }
    return triangles;
}

/* What a particle of the rim sees. */
typedef struct view {
    double depth;      /* m under the surface; 0: on it or outside */
    double outward[3]; /* unit, or 0 where there is no surface */
} view;

static void unit_of(const double v[3], double out[3]) {
    double length = supi_vector_length(v);
    for (int k = 0; k < 3; k++) out[k] = length > 0 ? v[k] / length : 0.0;
}

/* `inside`: it is known to be. Otherwise the side of the nearest triangle tells. */
static view look_out(const supi_bvh* tree, const sup_mesh* mesh, const int32_t* triangles,
                     const sup_vec3* at, bool inside) {
    view seen = {0.0, {0, 0, 0}};
    supi_facet_point nearest;
    int32_t triangle;
    if (!supi_bvh_nearest(tree, *at, FLT_MAX, &triangle, &nearest)) return seen;
    double x[3], up[3], normal[3];
    sup_vec3 corners[3];
    for (int k = 0; k < 3; k++) corners[k] = mesh->points[triangles[3 * triangle + k]];
    supi_vector_from(at, x);
    supi_vector_subtract(nearest.place, x, up);
    bool faces = supi_facet_normal(corners, normal);
    if (inside || (faces && supi_vector_dot(up, normal) > 0)) {
        seen.depth = supi_vector_length(up);
        unit_of(up, seen.outward);
    } else if (faces) {
        unit_of(normal, seen.outward);
    }
    return seen;
}

static void put_view(sup_blueprint* b, int32_t row, const view* seen) {
    const double* n = seen->outward;
    b->depth[row] = (float)seen->depth;
    if (b->depth[row] > b->deepest) b->deepest = b->depth[row];
    if (b->outward) b->outward[row] = supi_vector_round(n[0], n[1], n[2]);
}

/* The contact radius of a particle of the rim. */
static double radius_at(const sup_blueprint_def* def, const sup_blueprint* b, double depth) {
    if (def->radius != 0) return def->radius > 0 ? def->radius : 0.0;
    return depth > 0 ? depth : 0.5 * b->info.spacing;
}

static void fill_rim(const sup_blueprint_def* def, const supi_rim_source* source, sup_blueprint* b,
                     const int32_t* neighbours, const supi_bvh* tree, const int32_t* triangles) {
    for (int32_t row = 0; row < b->info.particle_count; row++) {
        bool filled = b->id_of[row] < source->filled_count;
        if (filled && neighbours[row] == 6) continue;
        view seen = {0.0, {0, 0, 0}};
        if (tree && (filled || source->closed)) {
            seen = look_out(tree, source->welded, triangles, b->rest + row, filled);
        }
        put_view(b, row, &seen);
        /* A weightless particle meets nobody: it would push with infinite mass. */
        if (!(b->mass[row] > 0.0f)) continue;
        b->radius[row] = (float)radius_at(def, b, seen.depth);
        if ((double)b->radius[row] > b->info.radius) b->info.radius = (double)b->radius[row];
    }
}

static bool look_at_surface(const sup_blueprint_def* def, const supi_rim_source* source,
                            sup_blueprint* b, const int32_t* neighbours, supi_arena* scratch) {
    int32_t count;
    supi_bvh tree;
    int32_t* triangles = fan_triangles(source->welded, scratch, &count);
    if (!triangles) return false;
    if (count == 0) {
        fill_rim(def, source, b, neighbours, NULL, triangles);
        return true;
    }
    if (!supi_bvh_build(scratch->allocator, source->welded->points, triangles, count, &tree)) {
        return false;
    }
    fill_rim(def, source, b, neighbours, &tree, triangles);
    supi_bvh_free(&tree);
    return true;
}

bool supi_rim_build(const sup_blueprint_def* def, const supi_rim_source* source,
                    sup_blueprint* blueprint, supi_arena* scratch, int32_t** edges,
                    int32_t* edge_count) {
    sup_blueprint* b = blueprint;
    size_t rows = (size_t)b->info.particle_count, points = (size_t)source->welded->point_count;
    int32_t* neighbours = supi_arena_push(scratch, rows, sizeof *neighbours);
    lattice l;
    b->depth = supi_arena_push(&b->arena, rows, sizeof *b->depth);
    if (source->closed) b->outward = supi_arena_push(&b->arena, rows, sizeof *b->outward);
    b->skin.rest = supi_arena_push(&b->arena, points, sizeof *b->skin.rest);
    if (!neighbours || !b->depth || (source->closed && !b->outward) || !b->skin.rest) return false;
    b->skin.count = source->welded->point_count;
    memcpy(b->skin.rest, source->welded->points, points * sizeof *b->skin.rest);
    return make_lattice(b, source->filled_count, def->fill, scratch, &l) &&
           list_edges(b, &l, scratch, neighbours, edges, edge_count) &&
           look_at_surface(def, source, b, neighbours, scratch);
}

bool supi_rim_renew(sup_blueprint* b, const sup_mesh* surface, supi_arena* scratch) {
    int32_t count;
    supi_bvh tree;
    int32_t* triangles = fan_triangles(surface, scratch, &count);
    if (!triangles ||
        !supi_bvh_build(scratch->allocator, surface->points, triangles, count, &tree)) {
        return false;
    }
    b->deepest = 0.0f;
    for (int32_t row = 0; row < b->info.particle_count; row++) {
        const sup_vec3* n = b->outward + row;
        if (n->x == 0.0f && n->y == 0.0f && n->z == 0.0f) continue;
        view seen = look_out(&tree, surface, triangles, b->rest + row, b->depth[row] > 0.0f);
        put_view(b, row, &seen);
    }
    supi_bvh_free(&tree);
    return true;
}
