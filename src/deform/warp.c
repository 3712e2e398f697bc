/* Tools that push space aside: along each ray from the centre, r -> cbrt(r^3 + R^3). */
#include "base/check.h"
#include "base/error.h"
#include "base/float_mode.h"
#include "base/memory.h"
#include "base/real.h"
#include "deform/maps.h"
#include "deform/places.h"
#include "geom/bvh.h"
#include "geom/mesh.h"
#include "geom/vector.h"
#include "supple/deform.h"

#include <string.h>

#define AT_CENTRE 1e-6 /* of the tool's radius: a point that is nearer goes up */
/* What rounding may have moved inside: of the tool's reach, and of the largest coordinate */
#define ON_TOOL 1e-5
#define ON_GRID 0x1p-22
#define HITS_MOST 16
#define NUDGE 1e-7 /* of a ray that finds no triangle: it went through a crack between two */

sup_warp_def sup_warp_default(void) {
    return (sup_warp_def){.size = sizeof(sup_warp_def),
                          .radii = {1.0, 1.0, 1.0},
                          .rotation = {0.0, 0.0, 0.0, 1.0},
                          .strength = 1.0};
}

typedef struct warping {
    const sup_warp_def* def;
    double axes[3][3]; /* of the tool */
    double part;       /* cbrt of the strength */
    supi_bvh tree;
    double far; /* m, beyond all of the mesh */
} warping;

/* ---- How far the tool reaches ---- */

static double reach_of_mesh(const warping* w, const double u[3]) {
    double times[HITS_MOST], most = 0.0;
    int32_t senses[HITS_MOST];
    for (int trial = 0; trial < 4 && most <= 0.0; trial++) {
        double to[3];
        for (int k = 0; k < 3; k++) {
            double nudge = trial > 0 && k == trial - 1 ? NUDGE : 0.0;
            to[k] = w->def->centre[k] + w->far * (u[k] + nudge);
        }
        int32_t count = supi_bvh_cross_all(&w->tree, w->def->centre, to, HITS_MOST, times, senses);
        for (int32_t i = 0; i < count && i < HITS_MOST; i++)
            most = times[i] > most ? times[i] : most;
    }
    return most * w->far;
}

static double reach(const warping* w, const double u[3]) {
    const double* r = w->def->radii;
    if (w->def->shape == SUP_WARP_BALL) return r[0];
    if (w->def->shape == SUP_WARP_MESH) return reach_of_mesh(w, u);
    double least = 0.0, square = 0.0;
    for (int k = 0; k < 3; k++) {
        double part = fabs(supi_vector_dot(u, w->axes[k])) / r[k];
        square += part * part;
        least = part > least ? part : least;
    }
    return 1.0 / (w->def->shape == SUP_WARP_ELLIPSOID ? sqrt(square) : least);
}

/* ---- The map ---- */

/* 1 near the centre, 0 far away. */
static double faded(const sup_warp_def* def, double distance) {
    if (def->far_end <= 0.0) return 1.0;
    double t = (distance - def->near_end) / (def->far_end - def->near_end);
    t = t < 0.0 ? 0.0 : t > 1.0 ? 1.0 : t;
    return 1.0 - t * t * (3.0 - 2.0 * t);
}

/* How far a point at `rho` goes outwards; written so that nothing overflows or cancels. */
static double outwards(double rho, double radius) {
    double big = rho > radius ? rho : radius, small = rho > radius ? radius : rho;
    double q = small / big, after = big * supi_cbrt(1.0 + q * q * q);
    double r = radius / after, p = rho / after;
    return after * r * r * r / (1.0 + p + p * p);
}

/* And back: what was at the centre stays there. */
static double inwards(double rho, double radius) {
    if (rho <= radius) return -rho;
    double q = radius / rho;
    return rho * supi_cbrt((1.0 - q) * (1.0 + q + q * q)) - rho;
}

static sup_vec3 warp_point(const warping* w, sup_vec3 point) {
    double at[3], u[3] = {0.0, 1.0, 0.0};
    supi_vector_from(&point, at);
    supi_vector_subtract(at, w->def->centre, at);
    double rho = supi_vector_length(at);
    if (rho > 0.0)
        for (int k = 0; k < 3; k++) u[k] = at[k] / rho;
    double radius = reach(w, u);
    if (rho < AT_CENTRE * radius && !w->def->inverse) {
        u[0] = u[2] = 0.0;
        u[1] = 1.0;
        radius = reach(w, u);
    }
    radius *= w->part * supi_cbrt(faded(w->def, rho));
    if (radius <= 0.0) return point;
    double by = w->def->inverse ? inwards(rho, radius) : outwards(rho, radius);
    for (int k = 0; k < 3; k++) at[k] += by * u[k];
    return supi_vector_round(w->def->centre[0] + at[0], w->def->centre[1] + at[1],
                             w->def->centre[2] + at[2]);
}

/* Eight points and a ball. Who is so near to its middle that he goes up is left to warp_point. */
static void warp_eight(const warping* w, const supi_map_kernels* kernels, int32_t count,
                       const sup_vec3* points, sup_vec3* out) {
    double radius = w->part * w->def->radii[0], least = 2.0 * AT_CENTRE * w->def->radii[0];
    float at[3][8], by[3][8];
    for (int32_t i = 0; i < 8; i++) {
        sup_vec3 p = points[i < count ? i : 0];
        at[0][i] = (float)((double)p.x - w->def->centre[0]);
        at[1][i] = (float)((double)p.y - w->def->centre[1]);
        at[2][i] = (float)((double)p.z - w->def->centre[2]);
    }
    kernels->push((const float(*)[8])at, (float)radius, by);
    for (int32_t i = 0; i < count; i++) {
        sup_vec3 p = points[i];
        bool off = fabs((double)at[0][i]) > least || fabs((double)at[1][i]) > least ||
                   fabs((double)at[2][i]) > least;
        out[i] =
            off ? (sup_vec3){p.x + by[0][i], p.y + by[1][i], p.z + by[2][i]} : warp_point(w, p);
    }
}

static void warp_all(const warping* w, int32_t count, const sup_vec3* points, sup_vec3* out) {
    const sup_warp_def* def = w->def;
    const supi_map_kernels* kernels = supi_map_kernels_find(SUP_SIMD_AUTO);
    bool ball = def->shape == SUP_WARP_BALL && !def->inverse && def->far_end <= 0.0;
    bool by_eight = ball && def->strength > 0.0;
    for (int32_t i = 0; by_eight && i < count; i += 8)
        warp_eight(w, kernels, count - i < 8 ? count - i : 8, points + i, out + i);
    for (int32_t i = 0; !by_eight && i < count; i++) out[i] = warp_point(w, points[i]);
}

/* Nothing was ever nearer than the tool reaches: the way back ends at its centre. */
static bool inside_tool(const warping* w, const sup_vec3* point) {
    double at[3], u[3] = {0.0, 1.0, 0.0}, largest = 0.0;
    supi_vector_from(point, at);
    for (int k = 0; k < 3; k++) largest = fabs(at[k]) > largest ? fabs(at[k]) : largest;
    supi_vector_subtract(at, w->def->centre, at);
    double rho = supi_vector_length(at);
    if (rho > 0.0)
        for (int k = 0; k < 3; k++) u[k] = at[k] / rho;
    return rho < (1.0 - ON_TOOL) * w->part * reach(w, u) - ON_GRID * largest;
}

static sup_result check_inverse(const warping* w, int32_t count, const sup_vec3* points,
                                sup_error* error) {
    int32_t inside = 0, first = -1;
    for (int32_t i = 0; i < count; i++) {
        if (!inside_tool(w, points + i)) continue;
        if (inside++ == 0) first = i;
    }
    if (inside == 0) return SUP_OK;
    return supi_error_set(error, SUP_BAD_ARGUMENT,
                          "no way leads back for %d points inside of the tool, the first is %d: "
                          "they would all come to its centre",
                          (int)inside, (int)first);
}

/* ---- Tools ---- */

static void turn_axes(warping* w) {
    const double *q = w->def->rotation, x = q[0], y = q[1], z = q[2], r = q[3];
    const double axes[3][3] = {
        {1 - 2 * (y * y + z * z), 2 * (x * y + z * r), 2 * (x * z - y * r)},
        {2 * (x * y - z * r), 1 - 2 * (x * x + z * z), 2 * (y * z + x * r)},
        {2 * (x * z + y * r), 2 * (y * z - x * r), 1 - 2 * (x * x + y * y)},
    };
    memcpy(w->axes, axes, sizeof axes);
}

/* Closed, and every triangle shows its back to the centre: then each ray leaves it once. */
static sup_result check_star(const sup_mesh* t, const double centre[3], sup_error* error) {
    for (int32_t i = 0; i < t->polygon_count; i++) {
        double a[3], b[3], c[3], n[3];
        supi_vector_from(&t->points[t->corners[3 * i]], a);
        supi_vector_from(&t->points[t->corners[3 * i + 1]], b);
        supi_vector_from(&t->points[t->corners[3 * i + 2]], c);
        supi_vector_subtract(b, a, b);
        supi_vector_subtract(c, a, c);
        supi_vector_subtract(a, centre, a);
        supi_vector_cross(b, c, n);
        double area = supi_vector_length(n);
        if (area > 0.0 && !(supi_vector_dot(n, a) > 1e-9 * area * supi_vector_length(a)))
            return supi_error_set(error, SUP_BAD_ARGUMENT,
                                  "the tool is not star-shaped: triangle %d cannot be seen from "
                                  "its centre",
                                  (int)i);
    }
    double winding = sup_mesh_winding(t, centre);
    if (!(fabs(winding - 1.0) < 0.01))
        return supi_error_set(error, SUP_BAD_ARGUMENT,
                              "the tool does not lie around its centre once, but %.3g times",
                              winding);
    return SUP_OK;
}

static sup_result begin_mesh(warping* w, const sup_allocator* allocator, sup_error* error) {
    sup_mesh triangles;
    sup_mesh_report report;
    sup_result result =
        sup_mesh_triangulate(allocator, w->def->mesh, NULL, NULL, &triangles, error);
    if (result != SUP_OK) return result;
    result = sup_mesh_inspect(allocator, &triangles, &report, error);
    if (result == SUP_OK && !report.closed)
        result = supi_error_set(error, SUP_BAD_ARGUMENT, "the tool is not a closed mesh");
    if (result == SUP_OK) result = check_star(&triangles, w->def->centre, error);
    if (result == SUP_OK && !supi_bvh_build(allocator, triangles.points, triangles.corners,
                                            triangles.polygon_count, &w->tree))
        result = supi_error_memory(error);
    for (int k = 0; k < 3 && result == SUP_OK; k++)
        w->far += 2.0 * (report.high[k] - report.low[k]);
    sup_mesh_free(&triangles);
    return result;
}

static sup_result check_warp(const sup_warp_def* d, sup_error* error) {
    if (d->size != sizeof *d)
        return supi_error_set(error, SUP_BAD_ARGUMENT,
                              "the definition is not from sup_warp_default");
    const supi_range ranges[] = {
        {"shape", (int)d->shape, SUP_WARP_BALL, SUP_WARP_MESH},
        {"centre", fabs(d->centre[0]) + fabs(d->centre[1]) + fabs(d->centre[2]), 0.0, 1e9},
        {"radii", d->radii[0], 1e-6, 1e6},
        {"radii", d->radii[1], 1e-6, 1e6},
        {"radii", d->radii[2], 1e-6, 1e6},
        {"strength", d->strength, 0.0, 1.0},
        {"near_end", d->near_end, 0.0, 1e9},
        {"far_end", d->far_end, 0.0, 1e9},
    };
    sup_result result = supi_check_ranges(ranges, sizeof ranges / sizeof *ranges, error);
    double unit = 0.0;
    for (int k = 0; k < 4; k++) unit += d->rotation[k] * d->rotation[k];
    if (result == SUP_OK && !(fabs(unit - 1.0) < 1e-3))
        result = supi_error_set(error, SUP_BAD_ARGUMENT, "rotation is no unit quaternion");
    if (result == SUP_OK && d->far_end > 0.0 && !(d->near_end < d->far_end))
        result = supi_error_set(error, SUP_BAD_ARGUMENT, "near_end must be below far_end");
    if (result == SUP_OK && d->far_end > 0.0 && d->inverse)
        result = supi_error_set(error, SUP_BAD_ARGUMENT, "a tool that fades has no way back");
    if (result == SUP_OK && (d->shape == SUP_WARP_MESH) != (d->mesh != NULL))
        result = supi_error_set(error, SUP_BAD_ARGUMENT,
                                "a mesh belongs to SUP_WARP_MESH and to no other shape");
    return result;
}

sup_result sup_points_warp(const sup_allocator* allocator, const sup_warp_def* def, int32_t count,
                           const sup_vec3* points, sup_vec3* out, sup_error* error) {
    SUPI_NEED(error, def);
    if (count > 0) SUPI_NEED(error, points, out);
    allocator = supi_mesh_allocator(allocator);
    sup_result result = check_warp(def, error);
    if (result == SUP_OK && count < 0)
        result = supi_error_set(error, SUP_BAD_ARGUMENT, "count is below 0");
    if (result == SUP_OK) result = supi_places_check("points", count, points, error);
    if (result != SUP_OK) return result;
    supi_float_mode mode = supi_float_mode_enter();
    warping w = {.def = def, .part = supi_cbrt(def->strength)};
    turn_axes(&w);
    if (def->mesh) result = begin_mesh(&w, allocator, error);
    bool with_tree = result == SUP_OK && def->mesh;
    if (result == SUP_OK && def->inverse) result = check_inverse(&w, count, points, error);
    if (result == SUP_OK) warp_all(&w, count, points, out);
    if (with_tree) supi_bvh_free(&w.tree);
    supi_float_mode_leave(mode);
    return result;
}
