/* Bars of oriented particles, in floats for the engine and in double for its twin, and points of a
   skin around them. */
#ifndef SUPPLE_TESTS_SKIN_RIGS_H
#define SUPPLE_TESTS_SKIN_RIGS_H

#include "ref/ref_random.h"
#include "ref/ref_skin.h"
#include "skin/carriers.h"
#include "skin/kernels.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include <math.h>
#include <string.h>

enum { RIG_LONG = 14, RIG_WIDE = 3, RIG_CARRIERS = RIG_LONG * RIG_WIDE * RIG_WIDE }; /* at most */
enum { RIG_POINTS = 2003, RIG_LINKS = 64 * RIG_CARRIERS }; /* not a multiple of eight */
enum { RIG_ROOM = 2004 };                                  /* whole lines of rows */

typedef struct rig {
    double size;         /* m: of the bar */
    double middle;       /* m: where its axis is, in y and z */
    int32_t count, wide; /* carriers, and how many across */
    ref_carrier twins[RIG_CARRIERS];
    sup_vec3 centres[RIG_CARRIERS];
    sup_ellipsoid ellipsoids[RIG_CARRIERS];
    int32_t starts[RIG_CARRIERS + 1], links[RIG_LINKS];
    supi_carriers_def def;

    sup_vec3 points[RIG_POINTS], normals[RIG_POINTS];
    sup_row tangents[RIG_POINTS];

    sup_row rest[RIG_CARRIERS], x[RIG_CARRIERS]; /* the pose, relative to origin and anchor */
    sup_quat turn[RIG_CARRIERS], lasting[RIG_CARRIERS];
    supi_skin_pose pose;
    float origin[3], base[3];

    supi_arena arena;
    supi_carriers carriers;
    supi_skin skin;
    supi_skin_plan plan;
    supi_skin_frame frames[RIG_CARRIERS];
    supi_skin_dual duals[RIG_CARRIERS];
    sup_row places[RIG_ROOM], out_normals[RIG_ROOM], out_tangents[RIG_ROOM];
} rig;

static inline sup_quat rig_quat(const double q[4]) {
    return (sup_quat){(float)q[0], (float)q[1], (float)q[2], (float)q[3]};
}
/* The same numbers as the engine has. GCC 12 forgets to round pairs that stay in registers. */
static inline void rig_round(const double* from, int count, double* to) {
    for (int k = 0; k < count; k++) {
        volatile float rounded = (float)from[k];
        to[k] = (double)rounded;
    }
}

static inline void rig_random_unit(uint64_t* seed, double out[3]) {
    double length;
    do {
        for (int k = 0; k < 3; k++) out[k] = ref_random(seed);
        length = ref_length(out);
    } while (!(length > 0.1 && length < 1.0));
    for (int k = 0; k < 3; k++) out[k] /= length;
}

static inline void rig_link(rig* r, double reach) {
    int32_t used = 0;
    for (int32_t i = 0; i < r->count; i++) {
        r->starts[i] = used;
        for (int32_t j = 0; j < r->count; j++) {
            double d[3];
            for (int k = 0; k < 3; k++) d[k] = r->twins[i].rest[k] - r->twins[j].rest[k];
            if (i != j && ref_length(d) < reach) r->links[used++] = j;
        }
    }
    r->starts[r->count] = used;
}

/* A bar of spacing 0.1 m along x, `wide` particles across, shaken a little, of ellipsoids with up
   to `aspect` between their radii. */
static inline void rig_make(rig* r, int32_t wide, double aspect, uint64_t* seed) {
    memset(r, 0, sizeof *r);
    r->size = 0.1 * RIG_LONG;
    r->wide = wide;
    r->count = RIG_LONG * wide * wide;
    r->middle = 0.05 * (wide - 1);
    for (int32_t i = 0; i < r->count; i++) {
        ref_carrier* c = r->twins + i;
        const int at[3] = {i / (wide * wide), i / wide % wide, i % wide};
        double place[3], q[4], radii[3];
        ref_quaternion_random(seed, q);
        for (int k = 0; k < 3; k++) {
            place[k] = 0.1 * at[k] + 0.02 * ref_random(seed);
            radii[k] = 0.06 * pow(aspect, 0.5 * ref_random(seed));
        }
        rig_round(place, 3, c->rest);
        rig_round(q, 4, c->axes);
        rig_round(radii, 3, c->radii);
        r->centres[i] = (sup_vec3){(float)place[0], (float)place[1], (float)place[2]};
        r->ellipsoids[i] =
            (sup_ellipsoid){rig_quat(q), {(float)radii[0], (float)radii[1], (float)radii[2]}};
        c->turn[3] = c->lasting[3] = 1.0;
        memcpy(c->x, c->rest, sizeof c->x);
    }
    rig_link(r, 0.17);
    r->def = (supi_carriers_def){.count = r->count,
                                 .centres = r->centres,
                                 .ellipsoids = r->ellipsoids,
                                 .link_starts = r->starts,
                                 .links = r->links};
    double beside = 0.05 * wide;
    for (int i = 0; i < RIG_POINTS; i++) {
        double n[3], t[3];
        rig_random_unit(seed, n);
        rig_random_unit(seed, t);
        r->points[i] = (sup_vec3){(float)(0.65 + 0.75 * ref_random(seed)),
                                  (float)(r->middle + beside * ref_random(seed)),
                                  (float)(r->middle + beside * ref_random(seed))};
        r->normals[i] = (sup_vec3){(float)n[0], (float)n[1], (float)n[2]};
        r->tangents[i] = (sup_row){(float)t[0], (float)t[1], (float)t[2], i % 2 ? 1.0f : -1.0f};
    }
    const float origin[3] = {0.65f, (float)r->middle, (float)r->middle};
    memcpy(r->origin, origin, sizeof origin);
    supi_arena_init(&r->arena, sup_allocator_default());
}

static inline void rig_bind(rig* r, int32_t most) {
    supi_arena scratch;
    supi_arena_init(&scratch, sup_allocator_default());
    assert_true(supi_carriers_build(&r->def, &r->arena, &r->carriers));
    assert_true(supi_carriers_bind(&r->carriers, most, RIG_POINTS, r->points, &r->arena, &scratch,
                                   &r->skin));
    assert_true(supi_skin_plan_build(&r->skin, r->origin, r->normals, r->tangents, &r->arena,
                                     &scratch, &r->plan));
    supi_arena_free(&scratch);
}

/* Puts carrier i where the twin is to have it. */
static inline void rig_put(rig* r, int32_t i, const double x[3], const double turn[4],
                           const double lasting[4]) {
    ref_carrier* c = r->twins + i;
    rig_round(x, 3, c->x);
    rig_round(turn, 4, c->turn);
    rig_round(lasting, 4, c->lasting);
    r->x[i] = (sup_row){(float)x[0], (float)x[1], (float)x[2], 7.0f};
    r->turn[i] = rig_quat(turn);
    r->lasting[i] = rig_quat(lasting);
    r->rest[i] = (sup_row){r->centres[i].x - r->origin[0], r->centres[i].y - r->origin[1],
                           r->centres[i].z - r->origin[2], 5.0f};
}

/* One motion for all. */
static inline void rig_move(rig* r, const double turn[4], const double shift[3]) {
    const double still[4] = {0, 0, 0, 1};
    double m[9];
    ref_quaternion_matrix(turn, m);
    for (int32_t i = 0; i < r->count; i++) {
        double x[3];
        ref_matrix_apply(m, r->twins[i].rest, x);
        for (int k = 0; k < 3; k++) x[k] += shift[k];
        rig_put(r, i, x, turn, still);
    }
}

static inline void rig_axis_turn(int axis, double angle, double q[4]) {
    for (int k = 0; k < 3; k++) q[k] = k == axis ? sin(0.5 * angle) : 0.0;
    q[3] = cos(0.5 * angle);
}

/* Bent about z into an arc of `bend` rad, twisted by `twist` rad over its length; part of the
   rotation has become lasting, and signs of quaternions alternate. */
static inline void rig_bend(rig* r, double bend, double twist) {
    double length = 0.1 * (RIG_LONG - 1), radius = length / bend;
    for (int32_t i = 0; i < r->count; i++) {
        const double* p = r->twins[i].rest;
        double arc[4], own[4], lasting[4], back[4], turn[4], m[9], x[3];
        double angle = bend * p[0] / length, across[3] = {0.0, p[1] - r->middle, p[2] - r->middle};
        rig_axis_turn(2, angle, arc);
        rig_axis_turn(0, twist * p[0] / length, own);
        ref_quaternion_product(arc, own, turn);
        ref_quaternion_matrix(turn, m);
        ref_matrix_apply(m, across, x);
        x[0] += radius * sin(angle);
        x[1] += radius * (1.0 - cos(angle)) + 3.0;
        rig_axis_turn(1, 0.01 * i, lasting);
        for (int k = 0; k < 4; k++) back[k] = k < 3 ? -lasting[k] : lasting[k];
        ref_quaternion_product(turn, back, turn);
        for (int k = 0; k < 4; k++) turn[k] *= i % 2 ? 1.0 : -1.0;
        rig_put(r, i, x, turn, lasting);
    }
}

static inline void rig_draw(rig* r, const supi_skin_kernels* kernels, bool dual) {
    r->pose = (supi_skin_pose){r->count, r->rest, r->x, r->turn, r->lasting};
    memcpy(r->base, &r->x[r->count / 2].x, sizeof r->base);
    const supi_skin_drawn out = {r->places, r->out_normals, r->out_tangents};
    kernels->frames(&r->pose, r->base, r->frames, r->duals);
    if (dual)
        kernels->dual(&r->plan, r->duals, r->base, &out);
    else
        kernels->linear(&r->plan, r->frames, r->base, &out);
}

/* The slots of a point as the engine has them, with carriers from the strongest to the weakest. */
static inline ref_slots rig_slots(const rig* r, int32_t point) {
    ref_slots out = {.home = r->skin.home[point]};
    for (int32_t s = r->skin.starts[point]; s < r->skin.starts[point + 1]; s++) {
        int32_t at = out.count++;
        double w = (double)r->skin.weights[s];
        for (; at > 0 && out.weights[at - 1] < w; at--) {
            out.weights[at] = out.weights[at - 1];
            out.carriers[at] = out.carriers[at - 1];
        }
        out.weights[at] = w;
        out.carriers[at] = r->skin.frames[s];
    }
    return out;
}

static inline void rig_vector(const sup_vec3* p, double out[3]) {
    out[0] = (double)p->x, out[1] = (double)p->y, out[2] = (double)p->z;
}
static inline void rig_row(const sup_row* p, double out[3]) {
    out[0] = (double)p->x, out[1] = (double)p->y, out[2] = (double)p->z;
}
static inline double rig_distance(const double a[3], const double b[3]) {
    const double d[3] = {a[0] - b[0], a[1] - b[1], a[2] - b[2]};
    return ref_length(d);
}

static inline int skin_tables(const supi_skin_kernels* tables[4]) {
    const supi_skin_kernels* all[4] = {
        supi_skin_kernels_find(SUP_SIMD_SCALAR), supi_skin_kernels_find(SUP_SIMD_SSE2),
        supi_skin_kernels_find(SUP_SIMD_AVX2), supi_skin_kernels_wide()};
    int count = 0;
    for (int i = 0; i < 4; i++) {
        if (all[i]) tables[count++] = all[i];
    }
    return count;
}

#endif
