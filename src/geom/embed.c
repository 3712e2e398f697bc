/* A fine surface that tetrahedra carry: each point hangs on one of them by its barycentric
   coordinates. Inside it is the one that holds the point best, found by a grid of boxes; outside
   the nearest one, found by the tree of the outside. */
#include "geom/embed.h"
#include "base/arena.h"
#include "base/check.h"
#include "base/error.h"
#include "base/memory.h"
#include "base/real.h"
#include "geom/bvh.h"
#include "geom/mesh.h"
#include "geom/rotation.h"
#include "geom/symmetric.h"
#include "geom/tet.h"
#include "geom/vector.h"

#include <float.h>

#define INSIDE -1e-5 /* least coordinate of a point that is inside */
#define EXTEND -0.5  /* least coordinate of one outside that is extrapolated */
#define CELLS_EACH 4 /* of the grid for each tetrahedron, at most */

typedef struct binding {
    const sup_tets* tets;
    int32_t cells[3];
    double low[3], size; /* m, of the grid */
    int32_t* starts;     /* by cell (cell count + 1) */
    int32_t* members;    /* tetrahedra whose boxes touch it */
    supi_bvh outside;
    int32_t* owners; /* by triangle of the outside: its tetrahedron */
} binding;

/* Coordinates of a place in a tetrahedron. Returns the least. */
static double coordinates(const sup_tets* tets, int32_t t, const double x[3], double b[4]) {
    const int32_t* tet = tets->tets + 4 * (size_t)t;
    double c[4][3], to[3], normal[3];
    for (int k = 0; k < 4; k++) supi_vector_from(&tets->points[tet[k]], c[k]);
    for (int k = 1; k < 4; k++) supi_vector_subtract(c[k], c[0], c[k]);
    supi_vector_subtract(x, c[0], to);
    supi_vector_cross(c[2], c[3], normal);
    double volume = supi_vector_dot(c[1], normal);
    for (int k = 1; k < 4; k++) {
        supi_vector_cross(c[k % 3 + 1], c[(k + 1) % 3 + 1], normal);
        b[k] = supi_vector_dot(to, normal) / volume;
    }
    b[0] = 1.0 - b[1] - b[2] - b[3];
    double least = b[0];
    for (int k = 1; k < 4; k++) least = b[k] < least ? b[k] : least;
    return least;
}

/* ---- The grid ---- */

static void find_span(const binding* e, const double low[3], const double high[3],
                      int32_t span[3][2]) {
    for (int k = 0; k < 3; k++) {
        double ends[2] = {(low[k] - e->low[k]) / e->size, (high[k] - e->low[k]) / e->size};
        for (int i = 0; i < 2; i++) {
            double most = e->cells[k] - 1.0, at = floor(ends[i]);
            span[k][i] = (int32_t)(at < 0.0 ? 0.0 : at > most ? most : at);
        }
    }
}

/* Counts the members of each cell (members NULL), or puts them there. */
static void spread(binding* e, int32_t* members) {
    for (int32_t t = 0; t < e->tets->tet_count; t++) {
        double low[3], high[3], c[3];
        int32_t span[3][2];
        for (int i = 0; i < 4; i++) {
            supi_vector_from(&e->tets->points[e->tets->tets[4 * (size_t)t + (size_t)i]], c);
            for (int k = 0; k < 3; k++) {
                low[k] = i == 0 || c[k] < low[k] ? c[k] : low[k];
                high[k] = i == 0 || c[k] > high[k] ? c[k] : high[k];
            }
        }
        find_span(e, low, high, span);
        for (int32_t z = span[2][0]; z <= span[2][1]; z++) {
            for (int32_t y = span[1][0]; y <= span[1][1]; y++) {
                for (int32_t x = span[0][0]; x <= span[0][1]; x++) {
                    int32_t* at = &e->starts[(z * e->cells[1] + y) * e->cells[0] + x];
                    if (members)
                        members[at[0]++] = t;
                    else
                        at[1]++;
                }
            }
        }
    }
}

/* Cells of about the size of a tetrahedron, but not many more than there are of these. False: the
   box has no volume. */
static bool lay_grid(binding* e) {
    const sup_tets* tets = e->tets;
    const sup_mesh cloud = {.point_count = tets->point_count, .points = tets->points};
    double high[3], total = 1.0, count;
    supi_mesh_bounds(&cloud, e->low, high);
    for (int k = 0; k < 3; k++) total *= high[k] - e->low[k];
    e->size = supi_cbrt(total / tets->tet_count * 2.0);
    if (!(e->size > 0.0)) return false;
    do {
        count = 1.0;
        for (int k = 0; k < 3; k++) count *= floor((high[k] - e->low[k]) / e->size) + 1.0;
        if (count > CELLS_EACH * (double)tets->tet_count + 8.0) e->size *= 1.5;
    } while (count > CELLS_EACH * (double)tets->tet_count + 8.0);
    for (int k = 0; k < 3; k++) e->cells[k] = (int32_t)floor((high[k] - e->low[k]) / e->size) + 1;
    return true;
}

static bool build_grid(supi_arena* arena, binding* e) {
    int32_t count = e->cells[0] * e->cells[1] * e->cells[2];
    e->starts = supi_arena_push(arena, (size_t)count + 1, sizeof *e->starts);
    if (!e->starts) return false;
    spread(e, NULL);
    for (int32_t i = 0; i < count; i++) e->starts[i + 1] += e->starts[i];
    e->members = supi_arena_push(arena, (size_t)e->starts[count], sizeof *e->members);
    if (!e->members) return false;
    spread(e, e->members);
    /* Each start has moved on to the next one: shift them back. */
    for (int32_t i = count; i > 0; i--) e->starts[i] = e->starts[i - 1];
    e->starts[0] = 0;
    return true;
}

/* The tetrahedron that holds a place best, and the coordinates there; returns the least. */
static double find_holder(const binding* e, const double x[3], int32_t* tet, double b[4]) {
    int32_t span[3][2];
    double best = -DBL_MAX, own[4];
    find_span(e, x, x, span);
    int32_t cell = (span[2][0] * e->cells[1] + span[1][0]) * e->cells[0] + span[0][0];
    for (int32_t i = e->starts[cell]; i < e->starts[cell + 1]; i++) {
        double least = coordinates(e->tets, e->members[i], x, own);
        if (least <= best) continue;
        best = least;
        *tet = e->members[i];
        for (int k = 0; k < 4; k++) b[k] = own[k];
    }
    return best;
}

/* ---- Binding ---- */

/* Triangles of the outside come in the order of their tetrahedra, and of the sides of these. False:
   these do not. */
static bool find_owners(const sup_tets* tets, int32_t* owners) {
    int32_t at = 0;
    for (int32_t s = 0; s < 4 * tets->tet_count && at < tets->triangle_count; s++) {
        bool same = true;
        for (int k = 0; k < 3; k++)
            same = same &&
                   tets->triangles[3 * at + k] == tets->tets[s / 4 * 4 + supi_tet_sides[s % 4][k]];
        if (same) owners[at++] = s / 4;
    }
    return at > 0 && at == tets->triangle_count;
}

/* Weights that add up to 1, none below 0. */
static void clamp(double b[4]) {
    double sum = 0.0;
    for (int k = 0; k < 4; k++) b[k] = b[k] < 0.0 ? 0.0 : b[k], sum += b[k];
    for (int k = 0; k < 4; k++) b[k] /= sum;
}

/* Outside: as far as half a tetrahedron away its coordinates go on; beyond that the point is held
   by the nearest place, and what is left goes along as something rigid. */
static void bind_outside(const binding* e, const double x[3], int32_t* tet, double b[4],
                         double offset[3]) {
    int32_t triangle;
    supi_facet_point nearest;
    if (!supi_bvh_nearest_to(&e->outside, x, 1e18, &triangle, &nearest)) return;
    *tet = e->owners[triangle];
    if (coordinates(e->tets, *tet, x, b) >= EXTEND) return;
    coordinates(e->tets, *tet, nearest.place, b);
    clamp(b);
    supi_vector_subtract(x, nearest.place, offset);
}

static void bind_point(const binding* e, const sup_vec3* point, int32_t i, sup_embedding* out) {
    double x[3], b[4] = {1, 0, 0, 0}, offset[3] = {0, 0, 0};
    int32_t tet = 0;
    supi_vector_from(point, x);
    if (find_holder(e, x, &tet, b) >= INSIDE)
        clamp(b);
    else
        bind_outside(e, x, &tet, b, offset);
    out->tets[i] = tet;
    out->weights[i] = (sup_row){(float)b[0], (float)b[1], (float)b[2], (float)b[3]};
    out->offsets[i] = supi_vector_round(offset[0], offset[1], offset[2]);
}

void sup_embedding_free(sup_embedding* embedding) {
    if (!embedding || !embedding->allocator) return;
    size_t count = (size_t)embedding->point_count;
    supi_memory_free(embedding->allocator, embedding->tets, count, sizeof *embedding->tets);
    supi_memory_free(embedding->allocator, embedding->weights, count, sizeof *embedding->weights);
    supi_memory_free(embedding->allocator, embedding->offsets, count, sizeof *embedding->offsets);
    *embedding = (sup_embedding){0};
}

static sup_result bind(binding* e, supi_arena* arena, int32_t point_count, const sup_vec3* points,
                       sup_embedding* out, sup_error* error) {
    const sup_tets* tets = e->tets;
    e->owners = supi_arena_push(arena, (size_t)tets->triangle_count, sizeof *e->owners);
    if (!out->tets || !out->weights || !out->offsets || !e->owners) return supi_error_memory(error);
    if (!lay_grid(e) || !find_owners(tets, e->owners)) {
        return supi_error_set(error, SUP_BAD_ARGUMENT,
                              "these are no tetrahedra with a volume and their outside");
    }
    if (!build_grid(arena, e) || !supi_bvh_build(arena->allocator, tets->points, tets->triangles,
                                                 tets->triangle_count, &e->outside)) {
        return supi_error_memory(error);
    }
    for (int32_t i = 0; i < point_count; i++) bind_point(e, &points[i], i, out);
    supi_bvh_free(&e->outside);
    return SUP_OK;
}

sup_result sup_tets_embed(const sup_allocator* allocator, const sup_tets* tets, int32_t point_count,
                          const sup_vec3* points, sup_embedding* out, sup_error* error) {
    SUPI_NEED(error, tets, out);
    if (point_count > 0) SUPI_NEED(error, points);
    allocator = supi_mesh_allocator(allocator);
    for (int32_t i = 0; i < point_count; i++) {
        if (isfinite(points[i].x) && isfinite(points[i].y) && isfinite(points[i].z)) continue;
        return supi_error_set(error, SUP_BAD_ARGUMENT, "point %d is not finite", (int)i);
    }
    if (point_count < 0 || tets->tet_count < 1)
        return supi_error_set(error, SUP_BAD_ARGUMENT, "there is nothing to hang points on");
    size_t count = (size_t)point_count;
    sup_embedding made = {.allocator = allocator, .point_count = point_count};
    made.tets = supi_memory_new(allocator, count, sizeof *made.tets);
    made.weights = supi_memory_new(allocator, count, sizeof *made.weights);
    made.offsets = supi_memory_new(allocator, count, sizeof *made.offsets);
    binding e = {.tets = tets};
    supi_arena arena;
    supi_arena_init(&arena, allocator);
    sup_result result = bind(&e, &arena, point_count, points, &made, error);
    supi_arena_free(&arena);
    if (result == SUP_OK)
        *out = made;
    else
        sup_embedding_free(&made);
    return result;
}

/* ---- Moving ---- */

/* Place of point i in an array of floats that has `stride` of them for each. */
static void get_place(const float* places, size_t stride, int32_t i, double out[3]) {
    const float* p = places + stride * (size_t)i;
    for (int k = 0; k < 3; k++) out[k] = (double)p[k];
}

static void get_edges(const float* places, size_t stride, const int32_t tet[4],
                      double edges[3][3]) {
    double first[3];
    get_place(places, stride, tet[0], first);
    for (int k = 0; k < 3; k++) {
        get_place(places, stride, tet[k + 1], edges[k]);
        supi_vector_subtract(edges[k], first, edges[k]);
    }
}

/* The offset turned as the tetrahedron has turned since its rest. */
static void turn_offset(const supi_embed_pose* pose, const int32_t tet[4], const sup_vec3* offset,
                        double out[3]) {
    double at_rest[3][3], now[3][3], rows[3][3], o[3], axis[3];
    float matrix[9], q[4] = {0, 0, 0, 1};
    get_edges(&pose->rest->x, 3, tet, at_rest);
    get_edges(pose->moved, pose->stride, tet, now);
    for (int k = 0; k < 3; k++)
        supi_vector_cross(at_rest[(k + 1) % 3], at_rest[(k + 2) % 3], rows[k]);
    double volume = supi_vector_dot(at_rest[0], rows[0]);
    for (int i = 0; i < 9; i++) {
        double sum = 0.0;
        for (int k = 0; k < 3; k++) sum += now[k][i / 3] * rows[k][i % 3] / volume;
        matrix[i] = (float)sum;
    }
    supi_rotation_cold(matrix, q);
    supi_vector_from(offset, o);
    const double r[3] = {(double)q[0], (double)q[1], (double)q[2]};
    supi_vector_cross(r, o, axis);
    supi_vector_cross(r, axis, out);
    for (int k = 0; k < 3; k++) out[k] = o[k] + 2.0 * ((double)q[3] * axis[k] + out[k]);
}

sup_vec3 supi_embed_place(const supi_embed_pose* pose, const int32_t tet[4], const sup_row* weights,
                          const sup_vec3* offset) {
    const double w[4] = {(double)weights->x, (double)weights->y, (double)weights->z,
                         (double)weights->w};
    double place[3] = {0, 0, 0}, turned[3] = {0, 0, 0}, x[3];
    if (offset->x != 0 || offset->y != 0 || offset->z != 0) turn_offset(pose, tet, offset, turned);
    for (int k = 0; k < 4; k++) {
        get_place(pose->moved, pose->stride, tet[k], x);
        for (int d = 0; d < 3; d++) place[d] += w[k] * x[d];
    }
    return supi_vector_round(place[0] + turned[0], place[1] + turned[1], place[2] + turned[2]);
}

void sup_embedding_pose(const sup_embedding* embedding, const sup_tets* rest, const sup_vec3* moved,
                        sup_vec3* points) {
    const supi_embed_pose pose = {rest->points, &moved->x, 3};
    for (int32_t i = 0; i < embedding->point_count; i++) {
        const int32_t* tet = rest->tets + 4 * (size_t)embedding->tets[i];
        points[i] = supi_embed_place(&pose, tet, &embedding->weights[i], &embedding->offsets[i]);
    }
}

/* ---- Forces ---- */

/* Forces on four corners that add up to nothing and have a moment, the least ones. */
static void twist(double x[4][3], const double moment[3], double forces[4][3]) {
    double middle[3] = {0, 0, 0}, inertia[6] = {0}, inverse[6], turn[3], f[3];
    for (int k = 0; k < 4; k++) {
        for (int d = 0; d < 3; d++) middle[d] += 0.25 * x[k][d];
    }
    for (int k = 0; k < 4; k++) {
        supi_vector_subtract(x[k], middle, x[k]);
        supi_symmetric_add_mass(1.0, x[k], inertia);
    }
    supi_symmetric_invert(inertia, inverse);
    supi_symmetric_apply(inverse, moment, turn);
    for (int k = 0; k < 4; k++) {
        supi_vector_cross(turn, x[k], f);
        for (int d = 0; d < 3; d++) forces[k][d] += f[d];
    }
}

static void spread_one(const supi_embed_pose* pose, const int32_t tet[4], const sup_row* weights,
                       const sup_vec3* offset, const sup_vec3* force, sup_vec3* out) {
    const double w[4] = {(double)weights->x, (double)weights->y, (double)weights->z,
                         (double)weights->w};
    double f[3], forces[4][3];
    supi_vector_from(force, f);
    for (int k = 0; k < 4; k++) {
        for (int d = 0; d < 3; d++) forces[k][d] = w[k] * f[d];
    }
    if (offset->x != 0 || offset->y != 0 || offset->z != 0) {
        double turned[3], moment[3], x[4][3];
        turn_offset(pose, tet, offset, turned);
        supi_vector_cross(turned, f, moment);
        for (int k = 0; k < 4; k++) get_place(pose->moved, pose->stride, tet[k], x[k]);
        twist(x, moment, forces);
    }
    for (int k = 0; k < 4; k++) {
        out[tet[k]].x += (float)forces[k][0];
        out[tet[k]].y += (float)forces[k][1];
        out[tet[k]].z += (float)forces[k][2];
    }
}

void sup_embedding_spread(const sup_embedding* embedding, const sup_tets* rest,
                          const sup_vec3* moved, const sup_vec3* forces, sup_vec3* out) {
    const supi_embed_pose pose = {rest->points, &moved->x, 3};
    for (int32_t i = 0; i < embedding->point_count; i++) {
        const int32_t* tet = rest->tets + 4 * (size_t)embedding->tets[i];
        spread_one(&pose, tet, &embedding->weights[i], &embedding->offsets[i], &forces[i], out);
    }
}
