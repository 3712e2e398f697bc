/* Bodies of loose points for tests of motion: the engine's through its public door, to be compared
   with the slow twin. Both are made from one sup_blueprint_def, and both show their state as arrays
   of double[3]. */
#ifndef SUPPLE_TESTS_WORLD_BODIES_H
#define SUPPLE_TESTS_WORLD_BODIES_H

#include "ref/ref_body.h"
#include "sizes.h"
#include "supple/supple.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { BODY_POINTS_MOST = 192 };

/* ---- Chance ---- */

typedef struct dice {
    uint64_t state;
} dice;

/* Even in -1 .. 1. */
static inline double dice_roll(dice* d) {
    uint64_t z = (d->state += UINT64_C(0x9e3779b97f4a7c15));
    z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
    return ldexp((double)((z ^ (z >> 31)) >> 11), -52) - 1.0;
}

/* A quaternion that is even over all rotations. */
static inline void dice_turn(dice* d, double q[4]) {
    double squared;
    do {
        squared = 0;
        for (int k = 0; k < 4; k++) {
            q[k] = dice_roll(d);
            squared += q[k] * q[k];
        }
    } while (squared > 1.0 || squared < 0.01);
    for (int k = 0; k < 4; k++) q[k] /= sqrt(squared);
}

/* ---- Shapes ---- */

/* nx x ny x nz points about the origin, x fastest; returns how many. */
static inline int32_t make_lattice(int nx, int ny, int nz, const double spacing[3],
                                   sup_vec3* points) {
    int32_t count = 0;
    for (int z = 0; z < nz; z++) {
        for (int y = 0; y < ny; y++) {
            for (int x = 0; x < nx; x++) {
                points[count++] = (sup_vec3){(float)((x - 0.5 * (nx - 1)) * spacing[0]),
                                             (float)((y - 0.5 * (ny - 1)) * spacing[1]),
                                             (float)((z - 0.5 * (nz - 1)) * spacing[2])};
            }
        }
    }
    return count;
}

/* 64 points of a cube of edge 1. */
static inline sup_blueprint_def cube_of_64(sup_vec3 points[64]) {
    sup_blueprint_def def = sup_blueprint_default();
    def.point_count = make_lattice(4, 4, 4, (double[3]){1.0 / 3, 1.0 / 3, 1.0 / 3}, points);
    def.points = points;
    return def;
}

/* The eight overlapping clusters of 3 x 3 x 3 particles that such a cube has. */
typedef struct eight_clusters {
    int32_t starts[9], members[8 * 27];
} eight_clusters;

static inline void split_cube(sup_blueprint_def* cube, eight_clusters* lists) {
    int32_t used = 0;
    for (int corner = 0; corner < 8; corner++) {
        lists->starts[corner] = used;
        for (int i = 0; i < 27; i++) {
            int x = i % 3 + (corner & 1), y = i / 3 % 3 + (corner >> 1 & 1),
                z = i / 9 + (corner >> 2);
            lists->members[used++] = x + 4 * y + 16 * z;
        }
    }
    lists->starts[8] = used;
    cube->layout = SUP_CLUSTERS_EXPLICIT;
    cube->cluster_count = 8;
    cube->cluster_starts = lists->starts;
    cube->cluster_members = lists->members;
}

/* ---- A body of the engine, alone in its world ---- */

typedef struct live {
    sup_world* world;
    sup_blueprint* blueprint;
    sup_body body;
    double h;
    int32_t count;
    double size;
    double mass[BODY_POINTS_MOST];
    double x[BODY_POINTS_MOST][3], v[BODY_POINTS_MOST][3]; /* as of the last read */
} live;

static inline void live_read(live* l) {
    sup_point places[BODY_POINTS_MOST];
    sup_vec3 speeds[BODY_POINTS_MOST];
    assert_int_equal(sup_body_read_particles(l->world, l->body, places, speeds), SUP_OK);
    for (int32_t i = 0; i < l->count; i++) {
        double x[3] = {places[i].x, places[i].y, places[i].z};
        double v[3] = {(double)speeds[i].x, (double)speeds[i].y, (double)speeds[i].z};
        memcpy(l->x[i], x, sizeof x);
        memcpy(l->v[i], v, sizeof v);
    }
}

/* Hands x and v to the body, and reads what became of them in float. */
static inline void live_write(live* l) {
    sup_point places[BODY_POINTS_MOST];
    sup_vec3 speeds[BODY_POINTS_MOST];
    for (int32_t i = 0; i < l->count; i++) {
        places[i] = (sup_point){l->x[i][0], l->x[i][1], l->x[i][2]};
        speeds[i] = (sup_vec3){(float)l->v[i][0], (float)l->v[i][1], (float)l->v[i][2]};
    }
    assert_int_equal(sup_body_write_particles(l->world, l->body, places, speeds, NULL), SUP_OK);
    live_read(l);
}

static inline void live_write_speeds(live* l) {
    sup_vec3 speeds[BODY_POINTS_MOST];
    for (int32_t i = 0; i < l->count; i++) {
        speeds[i] = (sup_vec3){(float)l->v[i][0], (float)l->v[i][1], (float)l->v[i][2]};
    }
    assert_int_equal(sup_body_write_particles(l->world, l->body, NULL, speeds, NULL), SUP_OK);
}

/* A world of one substep without gravity in which nobody sleeps. */
static inline sup_world_def weightless_world(void) {
    sup_world_def def = sup_world_default();
    def.sleep_speed = 0.0;
    def.substeps = 1;
    def.gravity[1] = 0.0;
    return def;
}

/* `body` says how it starts and what it is made of; its blueprint comes from `def`. */
static inline void live_create(live* l, const sup_world_def* world, const sup_blueprint_def* def,
                               const sup_body_def* body, double h) {
    sup_error error = {0};
    sup_body_def own = *body;
    *l = (live){.h = h, .count = def->point_count};
    assert_true(def->point_count <= BODY_POINTS_MOST);
    assert_int_equal(sup_world_create(world, &l->world, &error), SUP_OK);
    assert_int_equal(sup_blueprint_create(def, &l->blueprint, &error), SUP_OK);
    own.blueprint = l->blueprint;
    assert_int_equal(sup_body_create(l->world, &own, &l->body, &error), SUP_OK);
    for (int32_t i = 0; i < l->count; i++) {
        l->mass[i] = def->masses ? (double)def->masses[i] : 1.0;
    }
    l->size = sup_blueprint_get_info(l->blueprint).size;
    live_read(l);
}

static inline void live_free(live* l) {
    sup_world_destroy(l->world);
    sup_blueprint_release(l->blueprint);
}

/* Steps without reading. The engine must not have put the body back: that would hide a blow-up. */
static inline void live_advance(live* l, int32_t steps) {
    for (int32_t i = 0; i < steps; i++) {
        int32_t count;
        assert_int_equal(sup_world_step(l->world, l->h), SUP_OK);
        const sup_event* events = sup_world_events(l->world, &count);
        for (int32_t e = 0; e < count; e++) {
            assert_int_not_equal(events[e].kind, SUP_EVENT_BODY_RESTORED);
        }
    }
}

static inline void live_step(live* l, int32_t steps) {
    live_advance(l, steps);
    live_read(l);
}

/* ---- What is measured ---- */

typedef struct momenta {
    double mass, centre[3], velocity[3];
    double linear[3], angular[3]; /* about the origin */
    double spin[3];               /* angular momentum about the centre */
} momenta;

static inline double length_of(const double a[3]) {
    return sqrt(a[0] * a[0] + a[1] * a[1] + a[2] * a[2]);
}

static inline double distance_of(const double a[3], const double b[3]) {
    return length_of((double[3]){a[0] - b[0], a[1] - b[1], a[2] - b[2]});
}

static inline momenta measure(int32_t count, const double* mass, double (*x)[3], double (*v)[3]) {
    momenta m = {0};
    for (int32_t i = 0; i < count; i++) {
        m.mass += mass[i];
        for (int k = 0; k < 3; k++) {
            int a = (k + 1) % 3, b = (k + 2) % 3;
            m.centre[k] += mass[i] * x[i][k];
            m.linear[k] += mass[i] * v[i][k];
            m.angular[k] += mass[i] * (x[i][a] * v[i][b] - x[i][b] * v[i][a]);
        }
    }
    for (int k = 0; k < 3; k++) m.centre[k] /= m.mass;
    for (int k = 0; k < 3; k++) {
        int a = (k + 1) % 3, b = (k + 2) % 3;
        m.velocity[k] = m.linear[k] / m.mass;
        m.spin[k] = m.angular[k] - (m.centre[a] * m.linear[b] - m.centre[b] * m.linear[a]);
    }
    return m;
}

/* Sets v to a rigid motion about the centre of mass. */
static inline void set_motion(int32_t count, const double* mass, double (*x)[3], double (*v)[3],
                              const double velocity[3], const double spin[3]) {
    momenta m = measure(count, mass, x, v);
    for (int32_t i = 0; i < count; i++) {
        for (int k = 0; k < 3; k++) {
            int a = (k + 1) % 3, b = (k + 2) % 3;
            v[i][k] =
                velocity[k] + spin[a] * (x[i][b] - m.centre[b]) - spin[b] * (x[i][a] - m.centre[a]);
        }
    }
}

/* Gives the twin the state of the living body. */
static inline void copy_state(const live* l, ref_body* twin) {
    memcpy(twin->x, l->x, (size_t)l->count * sizeof *l->x);
    memcpy(twin->v, l->v, (size_t)l->count * sizeof *l->v);
}

/* Largest distance between particles of the same id. */
static inline double largest_gap(int32_t count, double (*a)[3], double (*b)[3]) {
    double worst = 0;
    for (int32_t i = 0; i < count; i++) {
        double gap = distance_of(a[i], b[i]);
        worst = gap > worst ? gap : worst;
    }
    return worst;
}

/* assert_true with the figure, for limits in doubles. */
#define assert_below(value, limit)                                                                 \
    do {                                                                                           \
        double assert_value = (value), assert_limit = (limit);                                     \
        if (!(assert_value < assert_limit)) {                                                      \
            print_error("%s = %.9g, limit %.9g\n", #value, assert_value, assert_limit);            \
            fail();                                                                                \
        }                                                                                          \
    } while (0)
#define assert_above(value, limit) assert_below(-(value), -(limit))
#define assert_near(value, wanted, share)                                                          \
    do {                                                                                           \
        double near_value = (value), near_wanted = (wanted);                                       \
        if (!(fabs(near_value - near_wanted) <= (share)*fabs(near_wanted))) {                      \
            print_error("%s = %.9g, wanted %.9g\n", #value, near_value, near_wanted);              \
            fail();                                                                                \
        }                                                                                          \
    } while (0)

#endif
