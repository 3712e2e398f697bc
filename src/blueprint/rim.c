#include "blueprint/rim.h"

#include "blueprint/filling.h"
#include "geom/bvh.h"
#include "geom/point_tree.h"
#include "geom/vector.h"

#include <float.h>
#include <math.h>
#include <string.h>

/* Lists the neighbours in the filling, and counts them for each row. */
static bool list_edges(const supi_filling* filling, supi_arena* scratch, int32_t* neighbours,
                       int32_t** edges, int32_t* edge_count) {
    *edge_count = 0;
    *edges = supi_arena_push(scratch, 6 * (size_t)filling->count, sizeof **edges);
    if (!*edges) return false;
    for (int32_t site = 0; site < filling->count; site++) {
        for (int axis = 0; axis < 3; axis++) {
            int32_t other = filling->beside[site][2 * axis + 1];
            if (other < 0) continue;
            int32_t* pair = *edges + 2 * (*edge_count)++;
            pair[0] = supi_filling_row(filling, site);
            pair[1] = supi_filling_row(filling, other);
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

/* Whom a particle may see. */
typedef struct outlook {
    const sup_vec3* points; /* of the surface */
    const int32_t* triangles;
    supi_bvh surface;
    supi_point_tree particles; /* by row */
} outlook;

/* What a particle of the rim sees. */
typedef struct view {
    double place[3];   /* the nearest of the surface */
    double depth;      /* m under the surface; 0: on it or outside */
    double outward[3]; /* unit, or 0 where there is no surface */
} view;

static void unit_of(const double v[3], double out[3]) {
    double length = supi_vector_length(v);
    for (int k = 0; k < 3; k++) out[k] = length > 0 ? v[k] / length : 0.0;
}

/* `inside`: it is known to be. Otherwise the side of the nearest triangle tells. */
static view look_out(const outlook* o, const sup_vec3* at, bool inside) {
    view seen = {.depth = 0.0};
    supi_facet_point nearest;
    int32_t triangle;
    if (!supi_bvh_nearest(&o->surface, *at, FLT_MAX, &triangle, &nearest)) return seen;
    double x[3], up[3], normal[3];
    sup_vec3 corners[3];
    for (int k = 0; k < 3; k++) corners[k] = o->points[o->triangles[3 * triangle + k]];
    supi_vector_from(at, x);
    memcpy(seen.place, nearest.place, sizeof seen.place);
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

/* Is a loose particle inside, since another one lies between it and the surface? That one is nearer
   to the place it sees by half a spacing: less are the steps of the rim itself. */
static bool is_covered(const outlook* o, const view* seen, double spacing) {
    double square;
    supi_point_tree_nearest(&o->particles, seen->place, -1, &square);
    return sqrt(square) < seen->depth - 0.5 * spacing;
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
                     const int32_t* neighbours, const outlook* o) {
    for (int32_t row = 0; row < b->info.particle_count; row++) {
        bool filled = b->id_of[row] < source->filled_count;
        if (filled && neighbours[row] == 6) continue;
        view seen = {.depth = 0.0};
        if (o && (filled || source->closed)) seen = look_out(o, b->rest + row, filled);
        if (o && !filled && is_covered(o, &seen, b->info.spacing)) continue;
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
    outlook o = {.points = source->welded->points};
    o.triangles = fan_triangles(source->welded, scratch, &count);
    if (!o.triangles) return false;
    if (count == 0) {
        fill_rim(def, source, b, neighbours, NULL);
        return true;
    }
    if (!supi_point_tree_build(scratch, b->info.particle_count, b->rest, &o.particles) ||
        !supi_bvh_build(scratch->allocator, o.points, o.triangles, count, &o.surface)) {
        return false;
    }
    fill_rim(def, source, b, neighbours, &o);
    supi_bvh_free(&o.surface);
    return true;
}

bool supi_rim_build(const sup_blueprint_def* def, const supi_rim_source* source,
                    sup_blueprint* blueprint, supi_arena* scratch, int32_t** edges,
                    int32_t* edge_count) {
    sup_blueprint* b = blueprint;
    size_t rows = (size_t)b->info.particle_count, points = (size_t)source->welded->point_count;
    int32_t* neighbours = supi_arena_push(scratch, rows, sizeof *neighbours);
    supi_filling filling;
    b->depth = supi_arena_push(&b->arena, rows, sizeof *b->depth);
    if (source->closed) b->outward = supi_arena_push(&b->arena, rows, sizeof *b->outward);
    b->skin.rest = supi_arena_push(&b->arena, points, sizeof *b->skin.rest);
    if (!neighbours || !b->depth || (source->closed && !b->outward) || !b->skin.rest) return false;
    b->skin.count = source->welded->point_count;
    memcpy(b->skin.rest, source->welded->points, points * sizeof *b->skin.rest);
    return supi_filling_lay(b, source->filled_count, def->fill, scratch, &filling) &&
           list_edges(&filling, scratch, neighbours, edges, edge_count) &&
           look_at_surface(def, source, b, neighbours, scratch);
}

bool supi_rim_renew(sup_blueprint* b, const sup_mesh* surface, supi_arena* scratch) {
    int32_t count;
    int32_t* triangles = fan_triangles(surface, scratch, &count);
    outlook o = {.points = surface->points, .triangles = triangles};
    if (!triangles ||
        !supi_bvh_build(scratch->allocator, surface->points, triangles, count, &o.surface)) {
        return false;
    }
    b->deepest = 0.0f;
    for (int32_t row = 0; row < b->info.particle_count; row++) {
        const sup_vec3* n = b->outward + row;
        if (n->x == 0.0f && n->y == 0.0f && n->z == 0.0f) continue;
        view seen = look_out(&o, b->rest + row, b->depth[row] > 0.0f);
        put_view(b, row, &seen);
    }
    supi_bvh_free(&o.surface);
    return true;
}
