/* Forces and tangents of springs against their twin in double, and the laws that they keep. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "ref/ref_matrix.h"
#include "ref/ref_random.h"
#include "ref/ref_springs.h"
#include "solve/kernels.h"
#include "solve/net.h"
#include "springs.h"

enum { POINTS = 60, SPRINGS = 300 };

static const double step_h = 1.0 / 60.0, step_drag = 0.3;

static const supi_spring_kernels* kernels(void) {
    return supi_kernels_find(SUP_SIMD_AUTO)->springs;
}

/* Random points with springs of all sorts between them: stretched, compressed, slack, of no length;
   some particles are pinned. */
static spring_body random_body(uint64_t* seed) {
    sup_vec3 points[POINTS];
    float w[POINTS];
    sup_spring springs[SPRINGS];
    for (int i = 0; i < POINTS; i++) {
        points[i] =
            (sup_vec3){(float)ref_random(seed), (float)ref_random(seed), (float)ref_random(seed)};
        w[i] = i % 11 == 5 ? 0.0f : (float)(1.0 + 0.5 * ref_random(seed));
    }
    for (int s = 0; s < SPRINGS; s++) {
        int32_t a = ref_random_index(seed, POINTS), b = ref_random_index(seed, POINTS - 1);
        springs[s] = (sup_spring){a,
                                  b < a ? b : b + 1,
                                  s % 9 == 0 ? 0.0f : (float)(1.0 + 0.7 * ref_random(seed)),
                                  (float)(500.0 + 400.0 * ref_random(seed)),
                                  (float)(2.0 + ref_random(seed)),
                                  SUP_SPRING_STRUCT,
                                  s % 7 == 3};
    }
    spring_body body = spring_body_make(points, w, POINTS, springs, SPRINGS, 0.0);
    for (int i = 0; i < POINTS; i++) {
        body.v[i] = (sup_row){(float)ref_random(seed), (float)ref_random(seed),
                              (float)ref_random(seed), 0.01f};
    }
    return body;
}

static double largest(const double* a, int32_t count) {
    double most = 0.0;
    for (int32_t i = 0; i < count; i++) most = fmax(most, fabs(a[i]));
    return most;
}

/* Rows agree with vectors in double up to a share of the largest. */
static void assert_rows(const sup_row* rows, const double* expected, int32_t count, double share) {
    double scale = largest(expected, 3 * count);
    for (int32_t i = 0; i < count; i++) {
        const float row[3] = {rows[i].x, rows[i].y, rows[i].z};
        for (int k = 0; k < 3; k++) {
            assert_true(fabs((double)row[k] - expected[3 * i + k]) <= share * scale);
        }
    }
}

/* ---- The twin itself, by central differences ---- */

static void assert_derivative(const sup_spring* spring, const double d[3], const double speed[3],
                              bool by_speed, const double expected[9]) {
    double e = 1e-6, scale = largest(expected, 9), worst = 0.0;
    for (int j = 0; j < 3; j++) {
        double at[2][3], rate[2][3], force[2][3];
        for (int side = 0; side < 2; side++) {
            memcpy(at[side], d, sizeof at[side]);
            memcpy(rate[side], speed, sizeof rate[side]);
            /* The end `a` moves by +-e: what is seen from it moves the other way. */
            *(by_speed ? rate[side] + j : at[side] + j) -= side ? e : -e;
            ref_spring_force(spring, at[side], rate[side], force[side]);
        }
        for (int i = 0; i < 3; i++) {
            double slope = (force[1][i] - force[0][i]) / (2.0 * e);
            worst = fmax(worst, fabs(slope - expected[3 * i + j]));
        }
    }
    assert_true(worst < 1e-6 * scale);
}

static void test_derivatives(void** state) {
    (void)state;
    uint64_t seed = 11;
    const double still[3] = {0, 0, 0};
    for (int trial = 0; trial < 300; trial++) {
        const double strains[3] = {0.5, 1.0, 2.0};
        double d[3], speed[3], k[9], c[9];
        for (int i = 0; i < 3; i++) {
            d[i] = ref_random(&seed);
            speed[i] = ref_random(&seed);
        }
        double l = ref_length(d);
        if (l < 0.1) continue;
        sup_spring spring = {0, 1, (float)(l / strains[trial % 3]), 100.0f, 3.0f, 0, false};
        if (trial % 10 == 9) spring.length = 0.0f;
        ref_spring_stiffness(&spring, d, REF_TANGENT_EXACT, k);
        ref_spring_damping(&spring, d, c);
        assert_derivative(&spring, d, still, false, k);
        assert_derivative(&spring, d, speed, true, c);
        double along[3];
        ref_matrix_apply(k, d, along);
        assert_true(fabs(ref_dot(d, along) / (l * l) + 100.0) < 1e-4);
        /* A misprinted tangent is found out. */
        double wrong[9];
        ref_spring_stiffness(&spring, d, REF_TANGENT_WRONG, wrong);
        if (spring.length > 0.0f) assert_true(fabs(wrong[0] - k[0]) + fabs(wrong[4] - k[4]) > 1.0);
    }
}

/* ---- The kernels ---- */

static void test_forces(void** state) {
    (void)state;
    uint64_t seed = 12;
    for (int trial = 0; trial < 20; trial++) {
        spring_body body = random_body(&seed);
        ref_springs twin = ref_springs_new(POINTS, body.x, body.v, body.springs, SPRINGS);
        double expected[3 * POINTS], energy = 0.0;
        supi_spring_sums sums;
        ref_springs_forces(&twin, expected);
        kernels()->forces(&body.net, 0, body.net.row_count / 8, body.x, body.v, body.f, NULL);
        assert_rows(body.f, expected, POINTS, 2e-6);
        kernels()->forces(&body.net, 0, body.net.row_count / 8, body.x, body.v, body.f, &sums);
        for (int i = 0; i < 3 * POINTS; i++) expected[i] *= 2.0;
        assert_rows(body.f, expected, POINTS, 2e-6);
        for (int s = 0; s < SPRINGS; s++) {
            const sup_spring* spring = body.springs + s;
            double d[3];
            for (int k = 0; k < 3; k++)
                d[k] = twin.x[3 * spring->b + k] - twin.x[3 * spring->a + k];
            double longer = ref_length(d) - (double)spring->length;
            if (spring->slack && longer < 0.0) longer = 0.0;
            energy += 0.5 * (double)spring->stiffness * longer * longer;
        }
        assert_true(fabs(sums.energy - energy) < 1e-5 * energy);
        ref_springs_free(&twin);
        spring_body_free(&body);
    }
}

/* Springs neither push nor turn the whole. */
static void test_forces_cancel(void** state) {
    (void)state;
    uint64_t seed = 13;
    for (int trial = 0; trial < 20; trial++) {
        spring_body body = random_body(&seed);
        double sum[3] = {0}, turn[3] = {0}, most = 0.0;
        /* Damping across turns: only springs of no length have it. */
        for (int32_t side = 0; side < 8 * body.net.column_count; side++) {
            if (!(fabsf(body.length[side]) > 0.0f)) body.damping[side] = 0.0f;
        }
        kernels()->forces(&body.net, 0, body.net.row_count / 8, body.x, body.v, body.f, NULL);
        for (int i = 0; i < POINTS; i++) {
            const double f[3] = {(double)body.f[i].x, (double)body.f[i].y, (double)body.f[i].z};
            const double x[3] = {(double)body.x[i].x, (double)body.x[i].y, (double)body.x[i].z};
            double torque[3];
            ref_cross(x, f, torque);
            for (int k = 0; k < 3; k++) {
                sum[k] += f[k];
                turn[k] += torque[k];
            }
            most += ref_length(f);
        }
        assert_true(ref_length(sum) < 1e-5 * most);
        assert_true(ref_length(turn) < 1e-5 * most);
        spring_body_free(&body);
    }
}

/* A at the state of a body. */
typedef struct tangent {
    supi_spring_tangent8* sides;
    supi_spring_rows8* rows;
} tangent;

static tangent tangent_of(spring_body* body) {
    tangent t = {spring_body_new((size_t)body->net.column_count, sizeof *t.sides),
                 spring_body_new((size_t)body->net.row_count / 8, sizeof *t.rows)};
    const supi_spring_step step = {(float)step_h, (float)step_drag, (float)step_h, false};
    kernels()->linearise(&body->net, 0, body->net.row_count / 8, &step, body->x, body->v, body->f,
                         t.sides, t.rows);
    return t;
}

static void tangent_free(tangent* t) {
    free(t->sides);
    free(t->rows);
}

static void random_rows(const spring_body* body, uint64_t* seed, sup_row* p, double* twin) {
    memset(p, 0, (size_t)body->net.row_count * sizeof *p);
    for (int i = 0; i < POINTS; i++) {
        if (body->x[i].w > 0.0f) {
            p[i] = (sup_row){(float)ref_random(seed), (float)ref_random(seed),
                             (float)ref_random(seed), 0.0f};
        }
        twin[3 * i] = (double)p[i].x;
        twin[3 * i + 1] = (double)p[i].y;
        twin[3 * i + 2] = (double)p[i].z;
    }
}

static double rows_product(const sup_row* a, const sup_row* b) {
    double sum = 0.0;
    for (int i = 0; i < POINTS; i++) {
        sum += (double)a[i].x * (double)b[i].x + (double)a[i].y * (double)b[i].y +
               (double)a[i].z * (double)b[i].z;
    }
    return sum;
}

/* Rows of pinned particles are anything: here they are 0. */
static void clear_pinned(const spring_body* body, sup_row* a) {
    for (int i = 0; i < POINTS; i++) {
        if (!(body->x[i].w > 0.0f)) a[i] = (sup_row){0};
    }
}

static void test_tangent(void** state) {
    (void)state;
    uint64_t seed = 14;
    const ref_implicit step = {.h = step_h, .drag = step_drag, .tangent = REF_TANGENT_PROJECTED};
    for (int trial = 0; trial < 20; trial++) {
        spring_body body = random_body(&seed);
        ref_springs twin = ref_springs_new(POINTS, body.x, body.v, body.springs, SPRINGS);
        double expected[3 * POINTS], p[3 * POINTS], q[3 * POINTS];
        sup_row rows_p[POINTS + 8], rows_q[POINTS + 8], ap[POINTS + 8], aq[POINTS + 8];
        tangent t = tangent_of(&body);
        int32_t slices = body.net.row_count / 8;
        ref_implicit_right_side(&twin, &step, expected);
        assert_rows(body.f, expected, POINTS, 4e-6);

        random_rows(&body, &seed, rows_p, p);
        random_rows(&body, &seed, rows_q, q);
        ref_implicit_apply(&twin, &step, p, expected);
        double dot = kernels()->apply(&body.net, 0, slices, t.sides, t.rows, rows_p, ap);
        kernels()->apply(&body.net, 0, slices, t.sides, t.rows, rows_q, aq);
        clear_pinned(&body, ap);
        clear_pinned(&body, aq);
        assert_rows(ap, expected, POINTS, 2e-6);

        /* Symmetric, and not below the lightest mass. */
        double pp = rows_product(rows_p, rows_p), lengths = sqrt(pp * rows_product(aq, aq));
        assert_true(fabs(rows_product(rows_p, aq) - rows_product(rows_q, ap)) <= 1e-5 * lengths);
        assert_true(fabs(dot - rows_product(rows_p, ap)) <= 1e-5 * fabs(dot));
        assert_true(dot >= pp / 1.5);
        ref_springs_free(&twin);
        tangent_free(&t);
        spring_body_free(&body);
    }
}

/* The block of a row is what A does to the row alone; its inverse undoes that. */
static void test_blocks(void** state) {
    (void)state;
    uint64_t seed = 15;
    spring_body body = random_body(&seed);
    tangent t = tangent_of(&body);
    int32_t slices = body.net.row_count / 8;
    sup_row p[POINTS + 8], y[POINTS + 8], unused[POINTS + 8];
    supi_spring_lanes8 back[POINTS / 8 + 1];
    supi_spring_rows8* inverse = spring_body_new((size_t)slices, sizeof *inverse);
    memcpy(inverse, t.rows, (size_t)slices * sizeof *inverse);
    kernels()->invert(inverse, 0, slices);
    for (int i = 0; i < POINTS; i++) {
        for (int k = 0; k < 3; k++) {
            memset(p, 0, sizeof p);
            *(&p[i].x + k) = 1.0f;
            kernels()->apply(&body.net, 0, slices, t.sides, t.rows, p, y);
            memset(unused, 0, sizeof unused);
            kernels()->descend(inverse, 0, slices, -1.0f, y, unused, back, false, NULL);
            float expected = body.x[i].w > 0.0f ? 1.0f : 0.0f;
            int32_t lane = supi_lane_order(i & 7);
            const float at[3] = {back[i / 8].x[lane], back[i / 8].y[lane], back[i / 8].z[lane]};
            for (int n = 0; n < 3; n++) {
                assert_true(fabsf(at[n] - (n == k ? expected : 0.0f)) < 1e-4f);
            }
        }
    }
    free(inverse);
    tangent_free(&t);
    spring_body_free(&body);
}

/* The block of a group is what A does to it when all of it moves that is not pinned. */
static void test_groups(void** state) {
    (void)state;
    uint64_t seed = 16;
    spring_body body = random_body(&seed);
    tangent t = tangent_of(&body);
    const int pairs[6][2] = {{0, 0}, {1, 1}, {2, 2}, {1, 2}, {2, 0}, {0, 1}};
    supi_spring_rows8 groups[2][1] = {0};
    int32_t of[POINTS + 8];
    for (int32_t i = 0; i < POINTS + 8; i++) of[i] = i * 5 % 8; /* rows here and there */
    kernels()->group(&body.net, of, t.sides, t.rows,
                     (supi_spring_rows8* const[2]){groups[0], groups[1]}, 2);
    for (int level = 0; level < 2; level++) {
        for (int32_t group = 0; group < (level == 0 ? 8 : 1); group++) {
            int32_t lane = supi_lane_order(group);
            for (int n = 0; n < 6; n++) {
                sup_row p[POINTS + 8] = {0}, y[POINTS + 8];
                double sum = 0.0, mass = 0.0;
                for (int32_t i = 0; i < POINTS; i++) {
                    if (of[i] >> 3 * level != group) continue;
                    *(&p[i].x + pairs[n][0]) = body.x[i].w > 0.0f ? 1.0f : 0.0f;
                    mass += (double)t.rows[i / 8].mass[supi_lane_order(i & 7)];
                }
                kernels()->apply(&body.net, 0, body.net.row_count / 8, t.sides, t.rows, p, y);
                for (int32_t i = 0; i < POINTS; i++) {
                    if (of[i] >> 3 * level != group) continue;
                    if (body.x[i].w > 0.0f) sum += (double)*(&y[i].x + pairs[n][1]);
                }
                double found = (double)groups[level][0].block[n][lane];
                assert_true(fabs(found - sum) <= 1e-4 * fabs(sum) + 1e-4 * mass);
                assert_true(fabs((double)groups[level][0].mass[lane] - mass) <= 1e-5 * mass);
            }
        }
    }
    tangent_free(&t);
    spring_body_free(&body);
}

/* Ends in one place are driven apart, each the other way: as at rest, or somehow. */
static void test_coincident(void** state) {
    (void)state;
    for (int same_at_rest = 0; same_at_rest < 2; same_at_rest++) {
        const sup_vec3 points[2] = {{0, 0, 0}, {0, same_at_rest ? 0.0f : 1.0f, 0}};
        const float w[2] = {1.0f, 1.0f};
        const sup_spring spring = {0, 1, 1.0f, 100.0f, 1.0f, 0, false};
        spring_body body = spring_body_make(points, w, 2, &spring, 1, 0.0);
        body.x[1].y = 0.0f;
        kernels()->forces(&body.net, 0, 1, body.x, body.v, body.f, NULL);
        const double f[3] = {(double)body.f[0].x, (double)body.f[0].y, (double)body.f[0].z};
        assert_true(fabs(ref_length(f) - 100.0) < 1e-3);
        assert_true(body.f[0].x == -body.f[1].x && body.f[0].y == -body.f[1].y &&
                    body.f[0].z == -body.f[1].z);
        if (!same_at_rest) assert_true(body.f[0].y == -100.0f);
        tangent t = tangent_of(&body);
        for (int i = 0; i < 2; i++) {
            assert_true(isfinite(t.sides[0].ux[supi_lane_order(i)]));
            assert_true(t.sides[0].beta[supi_lane_order(i)] == 0.0f);
        }
        tangent_free(&t);
        spring_body_free(&body);
    }
}

/* The bound of the largest frequency: one mass on one spring, where it is twice too high. */
static void test_stiffest(void** state) {
    (void)state;
    const sup_vec3 points[2] = {{0, 0, 0}, {1, 0, 0}};
    const float w[2] = {0.0f, 2.0f};
    const sup_spring spring = {0, 1, 1.0f, 50.0f, 0.0f, 0, false};
    spring_body body = spring_body_make(points, w, 2, &spring, 1, 0.0);
    supi_spring_sums sums;
    body.v[1].x = 3.0f;
    kernels()->forces(&body.net, 0, 1, body.x, body.v, body.f, &sums);
    assert_true(sums.stiffest == 200.0f);
    assert_true(sums.energy == 0.0 && sums.loss == 0.0);
    body.damping[0] = body.damping[4] = 2.0f;
    kernels()->forces(&body.net, 0, 1, body.x, body.v, body.f, &sums);
    assert_true(sums.loss == 18.0);
    spring_body_free(&body);
}

/* What plain springs leave out does not change what they do, where ends coincide included. */
static void test_plain(void** state) {
    (void)state;
    enum { CHAIN = 40 };
    sup_vec3 points[CHAIN];
    float w[CHAIN];
    sup_spring springs[CHAIN - 1];
    sup_row general[CHAIN];
    uint64_t seed = 5;
    for (int i = 0; i < CHAIN; i++) {
        points[i] = (sup_vec3){0.1f * (float)i, (float)ref_random(&seed), 0.0f};
        w[i] = 1.0f;
    }
    for (int s = 0; s < CHAIN - 1; s++) {
        springs[s] = (sup_spring){s, s + 1, -1.0f, 100.0f, 1.0f, SUP_SPRING_STRUCT, false};
    }
    spring_body body = spring_body_make(points, w, CHAIN, springs, CHAIN - 1, 0.0);
    assert_true(body.net.plain);
    for (int i = 0; i < CHAIN; i++) body.v[i].x = (float)ref_random(&seed);
    body.x[20] = body.x[21];
    for (int plain = 0; plain < 2; plain++) {
        body.net.plain = plain;
        memset(body.f, 0, CHAIN * sizeof *body.f);
        kernels()->forces(&body.net, 0, body.net.row_count / 8, body.x, body.v, body.f, NULL);
        for (int i = 0; i < CHAIN && plain; i++) {
            const float *a = &body.f[i].x, *b = &general[i].x;
            for (int k = 0; k < 3; k++) assert_true(fabsf(a[k] - b[k]) < 1e-3f);
        }
        memcpy(general, body.f, sizeof general);
    }
    assert_true(fabsf(general[20].y) > 1.0f); /* pushed apart, although its end has no direction */
    spring_body_free(&body);
}

/* ---- Springs with one side ---- */

/* More than a block of points, each with springs to its neighbours, and one with many. */
static spring_body large_body(bool plain) {
    enum { COUNT = 4096 + 300, EACH = 4, HUB = 50 };
    sup_vec3* points = spring_body_new(COUNT, sizeof *points);
    float* w = spring_body_new(COUNT, sizeof *w);
    sup_spring* springs = spring_body_new(EACH * COUNT + HUB, sizeof *springs);
    int32_t count = 0;
    uint64_t seed = 7;
    for (int32_t i = 0; i < COUNT; i++) {
        points[i] = (sup_vec3){0.1f * (float)i, (float)ref_random(&seed), (float)ref_random(&seed)};
        w[i] = 1.0f;
        for (int32_t k = 0; k < EACH; k++) {
            int32_t to = i + 1 + k * k;
            if (to < COUNT) springs[count++] = (sup_spring){i, to, -1.0f, 90.0f, 1.0f, 0, false};
        }
    }
    for (int32_t k = 0; k < HUB; k++) {
        springs[count++] =
            (sup_spring){10, 100 + 7 * k, 1.0f, 0.05f, 0.01f, 0, !plain && k % 3 == 0};
    }
    spring_body body = spring_body_make(points, w, COUNT, springs, count, 0.0);
    for (int32_t i = 0; i < COUNT; i++) {
        body.x[i].x += 0.05f * (float)ref_random(&seed);
        body.v[i] = (sup_row){(float)ref_random(&seed), (float)ref_random(&seed), 0.0f, 0.01f};
    }
    body.x[20] = body.x[21]; /* of no direction */
    free(points);
    free(w);
    free(springs);
    return body;
}

/* Inside of a block every spring has one side, else two; no column pulls a row back twice. */
static void assert_sides(const supi_spring_net* once) {
    const int32_t block = supi_spring_block(once->row_count);
    int32_t* sides = spring_body_new((size_t)once->spring_count, sizeof *sides);
    for (int32_t c = 0, slice = 0; c < once->column_count; c++) {
        while (c >= once->columns[slice + 1]) slice++;
        for (int32_t k = 0; k < 8; k++) {
            const int32_t *other = once->other + 8 * c, spring = once->spring[8 * c + k];
            bool mutual = c < once->mutual[slice];
            for (int32_t j = 0; j < k && mutual; j++) assert_int_not_equal(other[j], other[k]);
            bool within = other[k] / block == 8 * slice / block;
            if (mutual) assert_true(within);
            if (spring < 0) continue;
            assert_int_equal(within, mutual);
            sides[spring] += mutual ? 2 : 1;
        }
    }
    for (int32_t i = 0; i < once->spring_count; i++) assert_int_equal(sides[i], 2);
    free(sides);
}

/* Of springs with one side a slice has as many columns as its busiest row, or the busiest at the
   other end, has sides. */
static void assert_few_columns(const supi_spring_net* once) {
    int32_t* others = spring_body_new((size_t)once->row_count, sizeof *others);
    for (int32_t slice = 0; slice < once->row_count / 8; slice++) {
        int32_t first = once->columns[slice], end = once->mutual[slice], most = 0, own[8] = {0};
        for (int32_t side = 8 * first; side < 8 * end; side++) {
            if (once->spring[side] < 0) continue;
            int32_t here = ++own[side & 7], there = ++others[once->other[side]];
            most = here > most ? here : most;
            most = there > most ? there : most;
        }
        assert_int_equal(end - first, most);
        for (int32_t side = 8 * first; side < 8 * end; side++) others[once->other[side]] = 0;
    }
    free(others);
}

/* Blocks are large where that leaves enough of them. */
static void test_block(void** state) {
    (void)state;
    assert_int_equal(supi_spring_block(8), 4096);
    assert_int_equal(supi_spring_block(65528), 4096);
    assert_int_equal(supi_spring_block(65536), 8192);
    assert_int_equal(supi_spring_block(168104), 16384);
    for (int32_t rows = 8; rows < 1 << 29; rows += rows / 16 * 8 + 8) {
        int32_t block = supi_spring_block(rows);
        assert_true(block == 4096 || (rows / block >= 8 && rows / block < 16));
    }
}

/* The same forces but for rounding; and the same bits from every copy, in whatever order blocks
   come. */
static void test_once(void** state) {
    (void)state;
    for (int plain = 0; plain < 2; plain++) {
        spring_body body = large_body(plain);
        int32_t slices = body.net.row_count / 8, block = supi_spring_block(body.net.row_count) / 8;
        size_t bytes = (size_t)body.net.row_count * sizeof *body.f;
        supi_arena arena, scratch;
        supi_arena_init(&arena, sup_allocator_default());
        supi_arena_init(&scratch, sup_allocator_default());
        supi_spring_net once, net = body.net;
        assert_true(body.net.plain == plain && supi_net_once(&body.net, &arena, &scratch, &once));
        assert_sides(&once);
        assert_few_columns(&once);
        assert_true(once.column_count < 3 * body.net.column_count / 4);
        net.once = &once;
        sup_row* expected = spring_body_new((size_t)body.net.row_count, sizeof *expected);
        kernels()->forces(&body.net, 0, slices, body.x, body.v, expected, NULL);
        kernels()->forces(&net, 0, slices, body.x, body.v, body.f, NULL);
        for (int32_t i = 0; i < body.count; i++) {
            const float *a = &body.f[i].x, *b = &expected[i].x;
            for (int k = 0; k < 3; k++) assert_true(fabsf(a[k] - b[k]) < 2e-3f);
        }
        const sup_simd copies[] = {SUP_SIMD_AUTO, SUP_SIMD_SSE2, SUP_SIMD_SCALAR};
        for (int k = 0; k < 3; k++) {
            const supi_kernels* copy = supi_kernels_find(copies[k]);
            if (!copy) continue;
            memset(expected, 0, bytes);
            copy->springs->forces(&net, block, slices, body.x, body.v, expected, NULL);
            copy->springs->forces(&net, 0, block, body.x, body.v, expected, NULL);
            assert_memory_equal(body.f, expected, bytes);
        }
        once.row_count = 1 << 24; /* as if there were more, so that caches are asked ahead */
        memset(expected, 0, bytes);
        kernels()->forces(&net, 0, slices, body.x, body.v, expected, NULL);
        assert_memory_equal(body.f, expected, bytes);
        free(expected);
        supi_arena_free(&arena);
        supi_arena_free(&scratch);
        spring_body_free(&body);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_derivatives),   cmocka_unit_test(test_forces),
        cmocka_unit_test(test_forces_cancel), cmocka_unit_test(test_tangent),
        cmocka_unit_test(test_groups),        cmocka_unit_test(test_blocks),
        cmocka_unit_test(test_coincident),    cmocka_unit_test(test_stiffest),
        cmocka_unit_test(test_plain),         cmocka_unit_test(test_once),
        cmocka_unit_test(test_block),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
