/* Points between landmarks: inverse distance weights (Shepard) of displacements, after an affine
   map that fits best. */
#include "base/arena.h"
#include "base/check.h"
#include "base/error.h"
#include "base/float_mode.h"
#include "base/real.h"
#include "deform/maps.h"
#include "deform/places.h"
#include "geom/eigen.h"
#include "geom/mesh.h"
#include "geom/morton.h"
#include "geom/point_tree.h"
#include "geom/vector.h"
#include "supple/deform.h"

#include <string.h>

#define SAME 1e-6     /* of the size of all: nearer landmarks are in one place */
#define AFFINE_FROM 5 /* landmarks, for SUP_LANDMARKS_AUTO */
#define CONDITION 1e4
#define MANY 256 /* more are compact */
#define IN_REACH 8

sup_landmarks_def sup_landmarks_default(void) {
    return (sup_landmarks_def){.size = sizeof(sup_landmarks_def), .power = 4.0, .amount = 1.0};
}

/* Landmarks in Morton order, without repeated ones; `from` and distances are in a frame in which
   they are spread alike along all axes, or in m where a reach is one in m. */
typedef struct landmarks {
    const sup_landmarks_def* def;
    int32_t count;
    sup_vec3* places; /* m */
    sup_vec3* targets;
    double (*from)[3]; /* in the frame */
    sup_vec3* rounded; /* the same, for the tree */
    double (*left)[3]; /* m: displacements that the affine map leaves */
    double frame[3][3];
    double affine[3][3], middle[3], to[3]; /* to + affine (P - middle) */
    sup_landmark_fit fit;
    double same; /* in the frame */
    supi_point_tree tree;
    int32_t* near;
    double reach;      /* in the frame; 0: everywhere */
    bool metres;       /* so is the frame */
    float* columns[6]; /* `from` and `left` for kernels, where all count by the fourth power */
} landmarks;

static void apply(const double m[3][3], const double v[3], double out[3]) {
    for (int i = 0; i < 3; i++) out[i] = supi_vector_dot(m[i], v);
}

static double apart(const sup_vec3* a, const sup_vec3* b) {
    double x[3], y[3];
    supi_vector_from(a, x);
    supi_vector_from(b, y);
    supi_vector_subtract(x, y, x);
    return supi_vector_length(x);
}

/* ---- Checks and order ---- */

static double size_of(int32_t count, const sup_vec3* places) {
    double low[3], high[3], side[3];
    const sup_mesh cloud = {.point_count = count, .points = (sup_vec3*)places};
    supi_mesh_bounds(&cloud, low, high);
    supi_vector_subtract(high, low, side);
    double size = supi_vector_length(side);
    return size > 0.0 ? size : 1.0;
}

/* In Morton order; of those in one place the first. */
static sup_result sort_landmarks(landmarks* l, supi_arena* arena, int32_t count,
                                 const sup_vec3* from, const sup_vec3* to, sup_error* error) {
    int32_t* order = supi_arena_push(arena, (size_t)count, sizeof *order);
    sup_vec3* sorted = supi_arena_push(arena, (size_t)count, sizeof *sorted);
    l->near = supi_arena_push(arena, (size_t)count, sizeof *l->near);
    supi_point_tree tree;
    if (!order || !sorted || !l->near ||
        !supi_morton_order(arena->allocator, count, &from->x, 3, order))
        return supi_error_memory(error);
    for (int32_t i = 0; i < count; i++) sorted[i] = from[order[i]];
    if (!supi_point_tree_build(arena, count, sorted, &tree)) return supi_error_memory(error);
    double same = SAME * size_of(count, from);
    for (int32_t i = 0; i < count; i++) {
        double at[3];
        bool repeated = false;
        supi_vector_from(&sorted[i], at);
        int32_t near = supi_point_tree_within(&tree, at, same * same, l->near);
        for (int32_t k = 0; k < near; k++) {
            int32_t other = l->near[k];
            repeated = repeated || other < i;
            if (apart(&to[order[i]], &to[order[other]]) > same)
                return supi_error_set(
                    error, SUP_BAD_ARGUMENT,
                    "landmarks %d and %d are in one place and go to different ones",
                    (int)(order[i] < order[other] ? order[i] : order[other]),
                    (int)(order[i] < order[other] ? order[other] : order[i]));
        }
        if (repeated) continue;
        l->places[l->count] = sorted[i];
        l->targets[l->count++] = to[order[i]];
    }
    return SUP_OK;
}

/* ---- The affine map ---- */

static void means(landmarks* l) {
    for (int32_t i = 0; i < l->count; i++) {
        double p[3], q[3];
        supi_vector_from(&l->places[i], p);
        supi_vector_from(&l->targets[i], q);
        for (int k = 0; k < 3; k++) {
            l->middle[k] += p[k] / l->count;
            l->to[k] += q[k] / l->count;
        }
    }
}

static void moments(const landmarks* l, double spread[9], double mixed[3][3]) {
    for (int32_t i = 0; i < l->count; i++) {
        double p[3], q[3];
        supi_vector_from(&l->places[i], p);
        supi_vector_from(&l->targets[i], q);
        supi_vector_subtract(p, l->middle, p);
        supi_vector_subtract(q, l->to, q);
        for (int a = 0; a < 3; a++) {
            for (int b = 0; b < 3; b++) {
                spread[3 * a + b] += p[a] * p[b] / l->count;
                mixed[a][b] += q[a] * p[b] / l->count;
            }
        }
    }
}

/* Least squares: (sum q p^T) (sum p p^T)^-1; the frame is the root of the inverse, unless that is
   to stay. */
static void fit_affine(landmarks* l) {
    double spread[9] = {0}, mixed[3][3] = {{0}}, values[3], vectors[9];
    l->fit = SUP_LANDMARKS_TRANSLATION;
    means(l);
    moments(l, spread, mixed);
    supi_eigen_symmetric(3, spread, values, vectors);
    if (l->count < 4 || !(values[2] * CONDITION * CONDITION > values[0])) return;
    l->fit = SUP_LANDMARKS_AFFINE_MAP;
    for (int a = 0; a < 3; a++) {
        for (int b = 0; b < 3; b++) {
            double sum = 0.0;
            for (int k = 0; k < 3; k++) {
                const double* v = vectors + 3 * k;
                sum += supi_vector_dot(mixed[a], v) / values[k] * v[b];
            }
            l->affine[a][b] = sum;
            if (!l->metres) l->frame[a][b] = vectors[3 * a + b] / sqrt(values[a]);
        }
    }
}

static void map_affine(const landmarks* l, const double p[3], double out[3]) {
    double off[3];
    supi_vector_subtract(p, l->middle, off);
    apply(l->affine, off, out);
    for (int k = 0; k < 3; k++) out[k] += l->to[k];
}

static void find_left(landmarks* l) {
    for (int32_t i = 0; i < l->count; i++) {
        double p[3], off[3], mapped[3], q[3];
        supi_vector_from(&l->places[i], p);
        supi_vector_from(&l->targets[i], q);
        supi_vector_subtract(p, l->middle, off);
        apply(l->frame, off, l->from[i]);
        l->rounded[i] = supi_vector_round(l->from[i][0], l->from[i][1], l->from[i][2]);
        map_affine(l, p, mapped);
        supi_vector_subtract(q, mapped, l->left[i]);
    }
    l->same = SAME * size_of(l->count, l->rounded);
}

static bool fill_columns(landmarks* l, supi_arena* arena) {
    for (int k = 0; k < 6; k++) {
        l->columns[k] = supi_arena_push(arena, (size_t)l->count, sizeof *l->columns[k]);
        if (!l->columns[k]) return false;
        for (int32_t i = 0; i < l->count; i++)
            l->columns[k][i] = (float)(k < 3 ? l->from[i][k] : l->left[i][k - 3]);
    }
    return true;
}

/* ---- Reach ---- */

/* The squared distance of landmark i from the eighth nearest of `near`, or the farthest of fewer.
 */
static double eighth(const landmarks* l, int32_t i, int32_t count, const int32_t* near) {
    double nearest[IN_REACH];
    int32_t found = 0;
    for (int32_t k = 0; k < count; k++) {
        double d[3];
        if (near[k] == i) continue;
        supi_vector_subtract(l->from[i], l->from[near[k]], d);
        double square = supi_vector_dot(d, d);
        if (found == IN_REACH && square >= nearest[IN_REACH - 1]) continue;
        int32_t at = found < IN_REACH ? found++ : IN_REACH - 1;
        for (; at > 0 && nearest[at - 1] > square; at--) nearest[at] = nearest[at - 1];
        nearest[at] = square;
    }
    return found > 0 ? nearest[found - 1] : 0.0;
}

/* The distance to the eighth other, of the landmark that has it farthest. The tree knows rounded
   places: who is found within a radius counts if he is a little inside of it. */
static double wide_enough(const landmarks* l) {
    double reach = 0.0, radius = 0.0;
    for (int32_t i = 0; i < l->count; i++) {
        double square = 0.0;
        radius = radius > 0.0 ? radius : 4.0 * l->same;
        for (;; radius *= 2.0) {
            int32_t count = supi_point_tree_within(&l->tree, l->from[i], radius * radius, l->near);
            square = eighth(l, i, count, l->near);
            bool enough = count > IN_REACH && square <= 0.98 * radius * radius;
            if (enough || count == l->count) break;
        }
        if (square > reach) reach = square;
        radius = 1.1 * sqrt(square); /* neighbours have their eighth about as far */
    }
    return 1.001 * sqrt(reach) + 2.0 * l->same;
}

static sup_result prepare(landmarks* l, supi_arena* arena, int32_t count, const sup_vec3* from,
                          const sup_vec3* to, sup_error* error) {
    size_t room = (size_t)count;
    l->places = supi_arena_push(arena, room, sizeof *l->places);
    l->targets = supi_arena_push(arena, room, sizeof *l->targets);
    l->rounded = supi_arena_push(arena, room, sizeof *l->rounded);
    l->from = supi_arena_push(arena, room, sizeof *l->from);
    l->left = supi_arena_push(arena, room, sizeof *l->left);
    if (!l->places || !l->targets || !l->rounded || !l->from || !l->left)
        return supi_error_memory(error);
    sup_result result = sort_landmarks(l, arena, count, from, to, error);
    if (result != SUP_OK) return result;
    for (int k = 0; k < 3; k++) l->frame[k][k] = l->affine[k][k] = 1.0;
    bool within = l->def->compact || l->count > MANY;
    l->metres = l->def->compact || (within && l->def->reach > 0.0);
    sup_landmark_method method = l->def->method;
    if (method == SUP_LANDMARKS_AUTO && l->count >= AFFINE_FROM) method = SUP_LANDMARKS_AFFINE;
    if (method == SUP_LANDMARKS_AFFINE) fit_affine(l);
    find_left(l);
    if (within) {
        if (!supi_point_tree_build(arena, l->count, l->rounded, &l->tree))
            return supi_error_memory(error);
        l->reach = l->def->reach > 0.0 ? l->def->reach : wide_enough(l);
    } else if (l->def->power == 4.0 && !fill_columns(l, arena)) {
        return supi_error_memory(error);
    }
    return SUP_OK;
}

/* ---- Points ---- */

static double weight(const landmarks* l, double square) {
    if (l->reach > 0.0) {
        double r = sqrt(square), part = (l->reach - r) / (l->reach * r);
        return part > 0.0 ? part * part : 0.0;
    }
    if (l->def->power == 4.0) return 1.0 / (square * square);
    return supi_exp(-0.5 * l->def->power * supi_log(square));
}

/* What is left of the displacements, in the mean over landmarks. False: none is in reach. */
static bool blend_left(const landmarks* l, const double at[3], double out[3]) {
    double sum = 0.0;
    double limit = (l->reach + l->same) * (l->reach + l->same);
    int32_t count =
        l->reach > 0.0 ? supi_point_tree_within(&l->tree, at, limit, l->near) : l->count;
    memset(out, 0, 3 * sizeof *out);
    for (int32_t k = 0; k < count; k++) {
        int32_t i = l->reach > 0.0 ? l->near[k] : k;
        double d[3];
        supi_vector_subtract(at, l->from[i], d);
        double square = supi_vector_dot(d, d);
        if (square < l->same * l->same) {
            memcpy(out, l->left[i], 3 * sizeof *out);
            return true;
        }
        double w = weight(l, square);
        sum += w;
        for (int a = 0; a < 3; a++) out[a] += w * l->left[i][a];
    }
    for (int a = 0; a < 3; a++) out[a] = sum > 0.0 ? out[a] / sum : 0.0;
    return sum > 0.0;
}

static void into_frame(const landmarks* l, const double p[3], double at[3]) {
    double off[3];
    supi_vector_subtract(p, l->middle, off);
    apply(l->frame, off, at);
}

/* The affine map and what it leaves, or the part of the way that is wanted. */
static sup_vec3 go_on(const landmarks* l, const double p[3], const double left[3]) {
    double mapped[3], to[3];
    map_affine(l, p, mapped);
    for (int k = 0; k < 3; k++) to[k] = p[k] + l->def->amount * (mapped[k] + left[k] - p[k]);
    return supi_vector_round(to[0], to[1], to[2]);
}

static sup_vec3 move(const landmarks* l, sup_vec3 point) {
    double p[3], at[3], left[3];
    supi_vector_from(&point, p);
    into_frame(l, p, at);
    if (!blend_left(l, at, left) && l->metres) return point;
    return go_on(l, p, left);
}

/* Who is at a landmark, but for rounding, is left to move(). */
static void move_eight(const landmarks* l, const supi_map_kernels* kernels, int32_t count,
                       const sup_vec3* points, sup_vec3* out) {
    const supi_marks marks = {l->count,
                              {l->columns[0], l->columns[1], l->columns[2]},
                              {l->columns[3], l->columns[4], l->columns[5]}};
    float places[3][8], mean[3][8], nearest[8];
    for (int32_t i = 0; i < 8; i++) {
        double p[3], at[3];
        supi_vector_from(&points[i < count ? i : 0], p);
        into_frame(l, p, at);
        for (int k = 0; k < 3; k++) places[k][i] = (float)at[k];
    }
    kernels->blend(&marks, (const float(*)[8])places, mean, nearest);
    for (int32_t i = 0; i < count; i++) {
        double p[3], left[3] = {(double)mean[0][i], (double)mean[1][i], (double)mean[2][i]};
        supi_vector_from(&points[i], p);
        bool away = (double)nearest[i] > 4.0 * l->same * l->same;
        out[i] = away ? go_on(l, p, left) : move(l, points[i]);
    }
}

static void move_all(const landmarks* l, int32_t count, const sup_vec3* points, sup_vec3* out) {
    const supi_map_kernels* kernels = supi_map_kernels_find(SUP_SIMD_AUTO);
    bool by_eight = l->columns[0] != NULL;
    for (int32_t i = 0; by_eight && i < count; i += 8)
        move_eight(l, kernels, count - i < 8 ? count - i : 8, points + i, out + i);
    for (int32_t i = 0; !by_eight && i < count; i++) out[i] = move(l, points[i]);
}

static sup_result check_def(const sup_landmarks_def* d, sup_error* error) {
    if (d->size != sizeof *d)
        return supi_error_set(error, SUP_BAD_ARGUMENT,
                              "the definition is not from sup_landmarks_default");
    const supi_range ranges[] = {
        {"method", (int)d->method, SUP_LANDMARKS_AUTO, SUP_LANDMARKS_AFFINE},
        {"power", d->power, 2.0, 6.0},
        {"reach", d->reach, 0.0, 1e9},
        {"amount", d->amount, 0.0, 1.0},
    };
    return supi_check_ranges(ranges, sizeof ranges / sizeof *ranges, error);
}

sup_result sup_points_landmarks(const sup_allocator* allocator, const sup_landmarks_def* def,
                                int32_t landmark_count, const sup_vec3* from, const sup_vec3* to,
                                int32_t count, const sup_vec3* points, sup_vec3* out,
                                sup_landmarks_report* report, sup_error* error) {
    SUPI_NEED(error, def);
    if (count > 0) SUPI_NEED(error, points, out);
    if (landmark_count > 0) SUPI_NEED(error, from, to);
    sup_result result = check_def(def, error);
    if (result == SUP_OK && (landmark_count < 0 || count < 0))
        result = supi_error_set(error, SUP_BAD_ARGUMENT, "a count is below 0");
    if (result == SUP_OK) result = supi_places_check("from", landmark_count, from, error);
    if (result == SUP_OK) result = supi_places_check("to", landmark_count, to, error);
    if (result == SUP_OK) result = supi_places_check("points", count, points, error);
    if (result != SUP_OK) return result;
    if (landmark_count == 0) {
        if (count > 0) memmove(out, points, (size_t)count * sizeof *out);
        if (report) *report = (sup_landmarks_report){0, SUP_LANDMARKS_NO_MAP};
        return SUP_OK;
    }
    supi_arena arena;
    landmarks l = {.def = def};
    supi_float_mode mode = supi_float_mode_enter();
    supi_arena_init(&arena, supi_mesh_allocator(allocator));
    result = prepare(&l, &arena, landmark_count, from, to, error);
    if (result == SUP_OK) move_all(&l, count, points, out);
    if (result == SUP_OK && report) *report = (sup_landmarks_report){l.count, l.fit};
    supi_arena_free(&arena);
    supi_float_mode_leave(mode);
    return result;
}

void sup_points_blend(int32_t count, const sup_vec3* a, const sup_vec3* b, double part,
                      sup_vec3* out) {
    supi_float_mode mode = supi_float_mode_enter();
    for (int32_t i = 0; i < count; i++) {
        double p[3], q[3];
        supi_vector_from(&a[i], p);
        supi_vector_from(&b[i], q);
        out[i] = supi_vector_round(p[0] + part * (q[0] - p[0]), p[1] + part * (q[1] - p[1]),
                                   p[2] + part * (q[2] - p[2]));
    }
    supi_float_mode_leave(mode);
}
