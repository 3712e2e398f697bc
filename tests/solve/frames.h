/* A body of oriented particles for tests, moved without a world. */
#ifndef SUPPLE_TESTS_SOLVE_FRAMES_H
#define SUPPLE_TESTS_SOLVE_FRAMES_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "allocators.h"
#include "ref/ref_matrix.h"
#include "ref/ref_random.h"
#include "sizes.h"
#include "solve/part.h"

enum { FRAMES_MOST = 512, FRAMES_LINKS_MOST = 2048 };

typedef struct frames {
    /* What it is made of. */
    int32_t count, link_count, part_count;
    sup_vec3 rest[FRAMES_MOST];
    float mass[FRAMES_MOST], inverse_mass[FRAMES_MOST], moment[FRAMES_MOST][6];
    sup_link links[FRAMES_LINKS_MOST];
    int32_t part_starts[FRAMES_MOST + 1], part_members[2 * FRAMES_MOST];
    float pin_factor;
    bool yields;
    /* What it is. */
    test_allocator memory;
    supi_arena arena;
    supi_frame_net net;
    supi_frame_room room;
    supi_part_state parts;
    supi_part_settings part_settings;
    supi_frame_settings settings;
    supi_frame_slices slices;
    const supi_kernels* kernels;
    float* s;
    bool backward;
    double time;
    /* Called with the time at the end of a substep: before project, where pinned rows are set, and
       after it, where contacts may be. */
    void (*pins)(struct frames* f, double h);
    void (*contacts)(struct frames* f, double h);
    double user[4];
} frames;

static inline void frames_begin(frames* f) {
    memset(f, 0, sizeof *f);
    f->pin_factor = 1.0f;
    f->settings = supi_frame_settings_default();
    f->part_settings = supi_part_settings_default();
    f->kernels = supi_kernels_find(SUP_SIMD_AUTO);
}

/* A sphere of radius r, 0: a point. */
static inline int32_t frames_add(frames* f, double x, double y, double z, double mass, double r) {
    int32_t i = f->count++;
    assert_true(i < FRAMES_MOST);
    f->rest[i] = (sup_vec3){(float)x, (float)y, (float)z};
    f->mass[i] = (float)mass;
    f->inverse_mass[i] = mass > 0.0 ? (float)(1.0 / mass) : 0.0f;
    for (int k = 0; k < 3; k++) f->moment[i][k] = (float)(mass * r * r / 5.0);
    return i;
}

/* An ellipsoid of squared radii, its axes turned by q. */
static inline void frames_shape(frames* f, int32_t i, const double square[3], const double q[4]) {
    double r[9], m[9] = {0};
    ref_quaternion_matrix(q, r);
    for (int a = 0; a < 3; a++) {
        for (int b = 0; b < 3; b++) {
            for (int k = 0; k < 3; k++) {
                m[3 * a + b] += r[3 * a + k] * square[k] * r[3 * b + k] * (double)f->mass[i] / 5.0;
            }
        }
    }
    const int at[6] = {0, 4, 8, 5, 2, 1};
    for (int k = 0; k < 6; k++) f->moment[i][k] = (float)m[at[k]];
}

static inline sup_link* frames_link(frames* f, int32_t a, int32_t b) {
    assert_true(f->link_count < FRAMES_LINKS_MOST);
    f->links[f->link_count] = (sup_link){a, b, -1.0f, 1e6f, 0.0f, -1.0f};
    return f->links + f->link_count++;
}

static inline void frames_part(frames* f, int32_t count, const int32_t* members) {
    int32_t at = f->part_starts[f->part_count];
    for (int32_t i = 0; i < count; i++) f->part_members[at + i] = members[i];
    f->part_starts[++f->part_count] = at + count;
}

static inline sup_result frames_try(frames* f, sup_error* error) {
    supi_frame_source source = {.particle_count = f->count,
                                .row_count = (f->count + 7) & ~7,
                                .mass = f->mass,
                                .inverse_mass = f->inverse_mass,
                                .rest = f->rest,
                                .moment = (const float(*)[6])f->moment,
                                .link_count = f->link_count,
                                .links = f->links,
                                .part_count = f->part_count,
                                .part_starts = f->part_starts,
                                .part_members = f->part_members,
                                .pin_factor = f->pin_factor,
                                .yields = f->yields};
    supi_arena scratch;
    supi_arena_init(&scratch, &f->memory.table);
    sup_result result = supi_frame_net_build(&source, &f->arena, &scratch, &f->net, error);
    supi_arena_free(&scratch);
    return result;
}

/* Makes the net and puts the body down as it is at rest. */
static inline void frames_make(frames* f) {
    sup_error error = {0};
    test_allocator_init(&f->memory);
    supi_arena_init(&f->arena, &f->memory.table);
    if (frames_try(f, &error) != SUP_OK) fail_msg("%s", error.text);
    size_t rows = (size_t)f->net.row_count;
    supi_frame_room_size size = {0};
    supi_frame_room_add(&size, &f->net);
    assert_true(supi_frame_room_push(&f->arena, &size, &f->room));
    f->slices.x = supi_arena_push(&f->arena, rows, sizeof(sup_row));
    f->slices.v = supi_arena_push(&f->arena, rows, sizeof(sup_row));
    f->slices.q = supi_arena_push(&f->arena, rows, sizeof(sup_quat));
    f->slices.w = supi_arena_push(&f->arena, rows, sizeof(sup_row));
    f->slices.group_turn = supi_arena_push(&f->arena, (size_t)f->net.group_count, sizeof(sup_quat));
    f->slices.part_turn = supi_arena_push(&f->arena, (size_t)f->net.part_count, sizeof(sup_quat));
    f->s = supi_arena_push(&f->arena, (size_t)f->net.group_count, sizeof(float));
    assert_non_null(f->s);
    const sup_quat identity = {0, 0, 0, 1};
    supi_frame_start(&f->net, &identity, f->slices.group_turn, f->slices.part_turn);
    for (int32_t i = 0; i < f->net.row_count; i++) {
        bool real = i < f->count;
        const sup_vec3* p = f->rest + (real ? i : 0);
        f->slices.x[i] = (sup_row){p->x, p->y, p->z, real ? f->inverse_mass[i] : 0.0f};
        f->slices.q[i] = identity;
    }
    if (f->net.yields) {
        assert_true(supi_part_state_push(&f->net, &f->arena, &f->parts));
        f->slices.parts = &f->parts;
    }
}

static inline void frames_end(frames* f) {
    supi_arena_free(&f->arena);
    assert_int_equal(f->memory.blocks, 0);
}

static inline void frames_substep(frames* f, const supi_frame_pull* prepared) {
    supi_frame_pull pull = *prepared;
    pull.backward = f->backward;
    f->backward = !f->backward;
    f->time += (double)pull.drive.h;
    supi_frame_predict(&f->net, &pull, f->kernels, &f->slices, &f->slices);
    if (f->pins) f->pins(f, (double)pull.drive.h);
    supi_frame_project(&f->net, &pull, f->kernels, &f->slices, &f->room);
    if (f->contacts) f->contacts(f, (double)pull.drive.h);
    if (f->net.yields) {
        supi_part_advance(&f->net, &f->part_settings, &pull, f->kernels, &f->slices, &f->room);
    }
}

static inline void frames_step(frames* f, double dt, int substeps) {
    supi_frame_pull pull = supi_frame_prepare(&f->net, &f->settings, dt / substeps, f->s);
    for (int i = 0; i < substeps; i++) frames_substep(f, &pull);
}

static inline void frames_run(frames* f, double seconds, int substeps) {
    int32_t count = (int32_t)(seconds * 60.0 + 0.5);
    for (int32_t i = 0; i < count; i++) frames_step(f, 1.0 / 60.0, substeps);
}

/* ---- Bodies ---- */

/* Along x. */
static inline void frames_chain(frames* f, int32_t count, double d, double mass, double r) {
    for (int32_t i = 0; i < count; i++) {
        frames_add(f, d * i, 0, 0, mass, r);
        if (i > 0) frames_link(f, i - 1, i);
    }
}

static inline void frames_lattice(frames* f, int32_t nx, int32_t ny, int32_t nz, double d,
                                  double mass, double r) {
    for (int32_t z = 0; z < nz; z++) {
        for (int32_t y = 0; y < ny; y++) {
            for (int32_t x = 0; x < nx; x++) {
                int32_t i = frames_add(f, d * x, d * y, d * z, mass, r);
                if (x > 0) frames_link(f, i - 1, i);
                if (y > 0) frames_link(f, i - nx, i);
                if (z > 0) frames_link(f, i - nx * ny, i);
            }
        }
    }
}

/* Ellipsoids in a cube half a metre wide, each with links to its nearest. */
static inline void frames_graph(frames* f, int32_t count, int32_t links, uint64_t* seed) {
    const double size = 0.25;
    for (int32_t i = 0; i < count; i++) {
        double q[4], square[3];
        frames_add(f, size * ref_random(seed), size * ref_random(seed), size * ref_random(seed),
                   1.0 + 0.5 * ref_random(seed), 0.0);
        ref_quaternion_random(seed, q);
        for (int k = 0; k < 3; k++) square[k] = 0.02 * size * size * (1.0 + 0.8 * ref_random(seed));
        frames_shape(f, i, square, q);
    }
    for (int32_t i = 0; i < count; i++) {
        double last = -1.0;
        for (int32_t n = 0; n < links; n++) {
            double best = 1e30;
            int32_t other = -1;
            for (int32_t k = 0; k < count; k++) {
                const sup_vec3 *a = f->rest + i, *b = f->rest + k;
                double d[3] = {(double)(a->x - b->x), (double)(a->y - b->y), (double)(a->z - b->z)};
                double far = ref_dot(d, d);
                if (k == i || far <= last || far >= best) continue;
                best = far;
                other = k;
            }
            last = best;
            bool known = false;
            for (int32_t k = 0; k < f->link_count; k++) {
                const sup_link* l = f->links + k;
                known = known || (l->a == i && l->b == other) || (l->a == other && l->b == i);
            }
            if (!known) frames_link(f, i, other);
        }
    }
}

/* ---- Measures ---- */

static inline void frames_place(const frames* f, int32_t i, double out[3]) {
    const sup_row* x = f->slices.x + i;
    out[0] = (double)x->x, out[1] = (double)x->y, out[2] = (double)x->z;
}

static inline void frames_turn(const frames* f, int32_t i, double r[9]) {
    const sup_quat* q = f->slices.q + i;
    double p[4] = {(double)q->x, (double)q->y, (double)q->z, (double)q->w};
    ref_quaternion_matrix(p, r);
}

/* Momenta about the origin, and the size of their terms. */
static inline void frames_momenta(const frames* f, double p[3], double l[3]) {
    for (int k = 0; k < 3; k++) p[k] = l[k] = 0.0;
    for (int32_t i = 0; i < f->count; i++) {
        const sup_row *v = f->slices.v + i, *w = f->slices.w + i;
        double x[3], r[9], m = (double)f->mass[i];
        double speed[3] = {(double)v->x, (double)v->y, (double)v->z}, turn[3];
        double spin[3] = {(double)w->x, (double)w->y, (double)w->z};
        frames_place(f, i, x);
        frames_turn(f, i, r);
        ref_cross(x, speed, turn);
        double trace = 0.0, body[3] = {0, 0, 0}, own[3];
        for (int k = 0; k < 3; k++) {
            trace += (double)f->moment[i][k];
            for (int j = 0; j < 3; j++) body[k] += r[3 * j + k] * spin[j];
        }
        const float* d = f->moment[i];
        const double full[9] = {(double)d[0], (double)d[5], (double)d[4],
                                (double)d[5], (double)d[1], (double)d[3],
                                (double)d[4], (double)d[3], (double)d[2]};
        for (int k = 0; k < 3; k++) {
            own[k] = trace * body[k];
            for (int j = 0; j < 3; j++) own[k] -= full[3 * k + j] * body[j];
        }
        for (int k = 0; k < 3; k++) {
            p[k] += m * speed[k];
            l[k] += m * turn[k];
            for (int j = 0; j < 3; j++) l[k] += r[3 * k + j] * own[j];
        }
    }
}

static inline double frames_energy(const frames* f) {
    double sum = 0.0;
    for (int32_t i = 0; i < f->count; i++) {
        const sup_row *v = f->slices.v + i, *w = f->slices.w + i;
        double inertia = (double)(f->moment[i][0] + f->moment[i][1]);
        sum += 0.5 * (double)f->mass[i] * (double)(v->x * v->x + v->y * v->y + v->z * v->z);
        sum += 0.5 * inertia * (double)(w->x * w->x + w->y * w->y + w->z * w->z);
    }
    return sum;
}

/* No gravity, no damping. */
static inline void frames_float(frames* f) {
    memset(f->settings.gravity, 0, sizeof f->settings.gravity);
    f->settings.damping = f->settings.turn_damping = 0.0f;
}

/* Puts the body down turned by q and moved by t. */
static inline void frames_put(frames* f, const double q[4], const double t[3]) {
    double r[9];
    ref_quaternion_matrix(q, r);
    for (int32_t i = 0; i < f->count; i++) {
        double p[3] = {(double)f->rest[i].x, (double)f->rest[i].y, (double)f->rest[i].z}, to[3];
        ref_matrix_apply(r, p, to);
        sup_row* x = f->slices.x + i;
        *x = (sup_row){(float)(to[0] + t[0]), (float)(to[1] + t[1]), (float)(to[2] + t[2]), x->w};
        f->slices.q[i] = (sup_quat){(float)q[0], (float)q[1], (float)q[2], (float)q[3]};
    }
}

#endif
