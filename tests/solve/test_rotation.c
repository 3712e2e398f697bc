/* Rotation extraction against a double reference: how many steps, how exact, and what happens at
 * the edges. */
#include "solve/clouds.h"

#include "geom/rotation_lanes.h"

#include <stdlib.h>

/* ---- Matrices ---- */

/* b = u diag(s) v^T in float, with u and v at random; also the rotation part of the rounded b. */
static void matrix_of_stretch(uint64_t* seed, const double s[3], float b[9], double r[9]) {
    double uq[4], vq[4], u[9], v[9], vt[9], us[9], product[9], rounded[9], stretch[3];
    ref_quaternion_random(seed, uq);
    ref_quaternion_random(seed, vq);
    ref_quaternion_matrix(uq, u);
    ref_quaternion_matrix(vq, v);
    ref_matrix_transpose(v, vt);
    for (int i = 0; i < 9; i++) us[i] = u[i] * s[i % 3];
    ref_matrix_product(us, vt, product);
    for (int i = 0; i < 9; i++) {
        b[i] = (float)product[i];
        rounded[i] = (double)b[i];
    }
    ref_matrix_rotation(rounded, r, stretch);
}

/* A rotation `angle` away from r, as a warm start. */
static void warm_start(uint64_t* seed, const double r[9], double angle, float q[4]) {
    double column[4] = {0, 0, 0, 0}, turn[4], start[4];
    float exact[4] = {0, 0, 0, 1}, b[9];
    for (int i = 0; i < 9; i++) b[i] = (float)r[i];
    supi_rotation_cold(b, exact);
    for (int i = 0; i < 4; i++) column[i] = (double)exact[i];
    ref_quaternion_turn(seed, angle, turn);
    ref_quaternion_product(column, turn, start);
    for (int i = 0; i < 4; i++) q[i] = (float)start[i];
}

static void matrix_of_quaternion(const float q[4], double r[9]) {
    const double wide[4] = {(double)q[0], (double)q[1], (double)q[2], (double)q[3]};
    ref_quaternion_matrix(wide, r);
}

static double error_of(const float q[4], const double r[9]) {
    double found[9];
    matrix_of_quaternion(q, found);
    return ref_matrix_angle(found, r);
}

static bool same_bits(const float* a, const float* b, int count) {
    return memcmp(a, b, (size_t)count * sizeof *a) == 0;
}

/* The reference is a rotation, makes r^T b symmetric, and no other rotation does better. */
static void test_reference(void** state) {
    (void)state;
    uint64_t seed = 1;
    for (int trial = 0; trial < 2000; trial++) {
        double b[9], r[9], rt[9], c[9], stretch[3], other[9], q[4], size = 0.0;
        for (int i = 0; i < 9; i++) b[i] = ref_random(&seed);
        if (trial % 4 == 1) memcpy(b + 6, b + 3, 3 * sizeof *b);
        if (trial % 4 == 2) {
            for (int i = 3; i < 9; i++) b[i] = 2.0 * b[i - 3];
        }
        for (int i = 0; i < 9; i++) size += fabs(b[i]);
        ref_matrix_rotation(b, r, stretch);
        assert_true(fabs(ref_matrix_determinant(r) - 1.0) < 1e-13);
        ref_matrix_transpose(r, rt);
        ref_matrix_product(rt, r, c);
        for (int i = 0; i < 9; i++) assert_true(fabs(c[i] - (i % 4 == 0)) < 1e-13);
        ref_matrix_product(rt, b, c);
        for (int i = 1; i < 9; i++) assert_true(fabs(c[i] - c[3 * (i % 3) + i / 3]) < 1e-13 * size);
        double best = ref_matrix_agreement(r, b);
        assert_true(fabs(best - stretch[0] - stretch[1] - stretch[2]) < 1e-13 * size);
        assert_true(stretch[0] >= stretch[1] && stretch[1] >= fabs(stretch[2]) - 1e-13);
        for (int i = 0; i < 20; i++) {
            ref_quaternion_random(&seed, q);
            ref_quaternion_matrix(q, other);
            assert_true(ref_matrix_agreement(other, b) <= best + 1e-13 * size);
        }
    }
}

/* ---- How many steps ---- */

/* Steps to an error of 1e-3 rad, medians and maxima that the method is known for, from 0.05, 0.3
 * and 1 rad. */
static const double starts[3] = {0.05, 0.3, 1.0};
static const struct {
    double stretch[3];
    int newton_most[3]; /* Newton with Cayley update */
    int plain_median;   /* iteration of 2016, from 0.05 rad */
} known[6] = {
    {{1, 1, 1}, {1, 2, 3}, 4},      {{1, 0.5, 0.25}, {1, 2, 3}, 6},
    {{1, 0.1, 0.1}, {1, 2, 4}, 18}, {{1, 0.01, 0.01}, {2, 5, 5}, 164},
    {{1, 1, 0}, {1, 2, 3}, 6},      {{1, 0.5, -0.45}, {2, 3, 7}, 66},
};

/* Newton steps until each lane's error against the reference is below 1e-3 rad. What counts is the
   error itself, looked at after every step; the kernel only sees its last step, so it needs one
   more to know. */
static void count_steps(float b[9][8], float q[4][8], double r[8][9], int steps[8]) {
    supi_f8 matrix[9], turn[4], squared = f8_set(0.0f);
    for (int i = 0; i < 9; i++) matrix[i] = f8_load(b[i]);
    for (int i = 0; i < 9; i++) squared = f8_madd(matrix[i], matrix[i], squared);
    for (int i = 0; i < 4; i++) turn[i] = f8_load(q[i]);
    for (int lane = 0; lane < 8; lane++) steps[lane] = 0;
    for (int step = 1, left = 8; left > 0 && step <= 20; step++) {
        supi_f8 rotation[9], w[3], next[4];
        supi_m8 certain;
        float angles[3][8], now[4][8];
        lanes_quaternion_matrix(turn, rotation);
        rotation_newton_step(matrix, rotation, f8_sqrt(squared), w, &certain);
        for (int k = 0; k < 3; k++) f8_store(angles[k], w[k]);
        for (int lane = 0; lane < 8; lane++) {
            const double wide[3] = {(double)angles[0][lane], (double)angles[1][lane],
                                    (double)angles[2][lane]};
            double length = ref_length(wide);
            for (int k = 0; k < 3 && length > 2.0; k++) angles[k][lane] *= (float)(2.0 / length);
        }
        supi_f8 half = f8_set(0.5f);
        supi_f8 by[4] = {f8_mul(half, f8_load(angles[0])), f8_mul(half, f8_load(angles[1])),
                         f8_mul(half, f8_load(angles[2])), f8_set(1.0f)};
        lanes_quaternion_product(turn, by, next);
        for (int i = 0; i < 4; i++) f8_store(now[i], turn[i] = next[i]);
        for (int lane = 0; lane < 8; lane++) {
            const float one[4] = {now[0][lane], now[1][lane], now[2][lane], now[3][lane]};
            if (steps[lane] == 0 && error_of(one, r[lane]) < 1e-3) {
                steps[lane] = step;
                left--;
            }
        }
    }
}

static int compare_int(const void* a, const void* b) {
    int x = *(const int*)a, y = *(const int*)b;
    return (x > y) - (x < y);
}

static void fill_batch(uint64_t* seed, const double stretch[3], double angle, float b[9][8],
                       float q[4][8], double r[8][9]) {
    for (int lane = 0; lane < 8; lane++) {
        float one[9], start[4];
        matrix_of_stretch(seed, stretch, one, r[lane]);
        warm_start(seed, r[lane], angle, start);
        for (int i = 0; i < 9; i++) b[i][lane] = one[i];
        for (int i = 0; i < 4; i++) q[i][lane] = start[i];
    }
}

static void test_newton_steps(void** state) {
    (void)state;
    const supi_kernels* tables[3];
    int table_count = kernel_tables(tables);
    uint64_t seed = 2;
    int batches = ref_repeats(250, 2500);
    for (int row = 0; row < 6; row++) {
        int most[3] = {0, 0, 0};
        double worst = 0.0;
        for (int s = 0; s < 3; s++) {
            for (int trial = 0; trial < batches; trial++) {
                float b[9][8], q[4][8];
                double r[8][9];
                int steps[8];
                fill_batch(&seed, known[row].stretch, starts[s], b, q, r);
                count_steps(b, q, r, steps);
                for (int lane = 0; lane < 8; lane++) {
                    assert_true(steps[lane] > 0);
                    most[s] = steps[lane] > most[s] ? steps[lane] : most[s];
                }
                for (int t = 0; t < table_count; t++) {
                    float found[4][8];
                    int32_t taken[8];
                    memcpy(found, q, sizeof q);
                    tables[t]->rotate(b, found, taken);
                    for (int lane = 0; lane < 8; lane++) {
                        const float one[4] = {found[0][lane], found[1][lane], found[2][lane],
                                              found[3][lane]};
                        worst = fmax(worst, error_of(one, r[lane]));
                        /* One step to see that the last was enough, and one because the step seen
                           is not quite the error; never fewer than two, never more than six. */
                        int allowed = steps[lane] + 2 < 6 ? steps[lane] + 2 : 6;
                        assert_in_range(taken[lane], 2, allowed);
                    }
                }
            }
            assert_true(most[s] <= known[row].newton_most[s] + 1);
        }
        print_message("stretch %4g %5g %5g: at most %d %d %d steps, error at the end %.1e rad\n",
                      known[row].stretch[0], known[row].stretch[1], known[row].stretch[2], most[0],
                      most[1], most[2], worst);
        assert_true(worst < 1e-3);
    }
}

/* The iteration of Mueller, Bender, Chentanez, Macklin (2016) with its bracket put right. */
static int plain_steps(const double b[9], double q[4], const double r[9]) {
    for (int step = 1; step <= 200; step++) {
        double now[9], torque[3] = {0, 0, 0}, along = 0.0, turn[4], next[4];
        ref_quaternion_matrix(q, now);
        for (int k = 0; k < 3; k++) {
            const double mine[3] = {now[k], now[3 + k], now[6 + k]},
                         its[3] = {b[k], b[3 + k], b[6 + k]};
            double across[3];
            ref_cross(mine, its, across);
            for (int i = 0; i < 3; i++) torque[i] += across[i];
            along += ref_dot(mine, its);
        }
        double angle = ref_length(torque) / (fabs(along) + 1e-9);
        for (int i = 0; i < 3; i++) {
            turn[i] = angle > 0.0 ? torque[i] / ref_length(torque) * sin(0.5 * angle) : 0.0;
        }
        turn[3] = cos(0.5 * angle);
        ref_quaternion_product(turn, q, next);
        memcpy(q, next, sizeof next);
        ref_quaternion_matrix(q, now);
        if (ref_matrix_angle(now, r) < 1e-3) return step;
    }
    return 201;
}

/* Control: the iteration that Newton replaces is fine for bulky matrices and hopeless for thin
 * ones. */
static void test_plain_iteration_is_slow(void** state) {
    (void)state;
    uint64_t seed = 3;
    enum { CASES = 400 };
    static int steps[CASES];
    for (int row = 0; row < 6; row++) {
        for (int trial = 0; trial < CASES; trial++) {
            float b[9], start[4];
            double r[9], wide[9], q[4];
            matrix_of_stretch(&seed, known[row].stretch, b, r);
            warm_start(&seed, r, 0.05, start);
            for (int i = 0; i < 9; i++) wide[i] = (double)b[i];
            for (int i = 0; i < 4; i++) q[i] = (double)start[i];
            steps[trial] = plain_steps(wide, q, r);
        }
        qsort(steps, CASES, sizeof *steps, compare_int);
        int median = steps[CASES / 2], expected = known[row].plain_median;
        assert_true(abs(median - expected) <= 1 + expected / 20);
        assert_true(median > 2 * known[row].newton_most[0] + 1);
    }
}

/* ---- Any matrix ---- */

/* Random matrices: full, inverted, of rank 2, 1 (exactly, and but for rounding) and 0, scaled by
 * 1e-18 .. 1e18. */
static void any_matrix(uint64_t* seed, int kind, float b[9]) {
    double wide[9] = {0}, scale = pow(10.0, 18.0 * ref_random(seed));
    int rank = kind == 0 || kind == 1 ? 3 : kind < 6 ? 1 + kind % 2 : 0;
    bool exact = kind == 4 || kind == 5;
    for (int term = 0; term < rank; term++) {
        double u[3], v[3];
        for (int i = 0; i < 3; i++) {
            u[i] = exact ? ref_random_index(seed, 7) - 3 : ref_random(seed);
            v[i] = exact ? ref_random_index(seed, 7) - 3 : ref_random(seed);
        }
        for (int i = 0; i < 9; i++) wide[i] += u[i / 3] * v[i % 3];
    }
    if (exact) scale = ldexp(1.0, (int)(59.0 * ref_random(seed)));
    if (kind == 1 && ref_matrix_determinant(wide) > 0.0) scale = -scale;
    for (int i = 0; i < 9; i++) b[i] = (float)(scale * wide[i]);
}

/* Always a rotation, and one that agrees with the matrix as well as the reference does. The
   matrices go in as sums of a match, so that the matrix that is handed on is looked at. */
static void test_any_matrix(void** state) {
    (void)state;
    const supi_kernels* tables[3];
    int table_count = kernel_tables(tables);
    uint64_t seed = 4;
    int batches = ref_repeats(12500, 125000);
    double worst_det = 0.0, worst_loss = 0.0;
    for (int trial = 0; trial < batches; trial++) {
        float b[8][9];
        double best[8];
        supi_match8 fresh = {.h = 0.01f};
        for (int lane = 0; lane < 8; lane++) {
            double wide[9], r[9], stretch[3], q[4];
            any_matrix(&seed, (trial + lane) % 7, b[lane]);
            for (int i = 0; i < 9; i++) wide[i] = (double)b[lane][i];
            ref_matrix_rotation(wide, r, stretch);
            best[lane] = stretch[0] + stretch[1] + stretch[2];
            ref_quaternion_random(&seed, q);
            for (int i = 0; i < 9; i++) fresh.sums[SUPI_SUM_APQ + i][lane] = b[lane][i];
            for (int i = 0; i < 4; i++) fresh.rotation[i][lane] = (float)q[i];
            fresh.weight[lane] = 1.0f;
        }
        for (int t = 0; t < table_count; t++) {
            supi_match8 m = fresh;
            tables[t]->match(&m);
            for (int lane = 0; lane < 8; lane++) {
                double r[9], agreement = 0.0;
                for (int i = 0; i < 9; i++) r[i] = (double)m.matrix[i][lane];
                for (int i = 0; i < 9; i++) agreement += r[i] * (double)b[lane][i];
                double det = fabs(ref_matrix_determinant(r) - 1.0);
                worst_det = fmax(worst_det, det);
                assert_true(det < 1e-5);
                if (best[lane] > 0.0) worst_loss = fmax(worst_loss, 1.0 - agreement / best[lane]);
                assert_true(agreement >= best[lane] * (1.0 - 1e-5));
            }
        }
    }
    print_message("%d matrices: |det - 1| <= %.1e, agreement lost <= %.1e\n", 8 * batches,
                  worst_det, worst_loss);
}

/* Inverted matrices whose two smaller stretches nearly cancel have a saddle almost as high as the
   maximum. Where the shift of the Hessian hides it the rotation may stay there; it never loses more
   than twice that shift. */
static void test_nearly_equal_saddle(void** state) {
    (void)state;
    const supi_kernels* tables[3];
    int table_count = kernel_tables(tables);
    uint64_t seed = 5;
    for (int trial = 0; trial < 4000; trial++) {
        float b[9][8], q[4][8];
        double r[8][9], gap = pow(10.0, -4.0 + 3.0 * ref_random(&seed));
        const double stretch[3] = {1.0, 0.5, -0.5 + gap};
        int32_t taken[8];
        fill_batch(&seed, stretch, 3.14159265, b, q, r);
        tables[trial % table_count]->rotate(b, q, taken);
        for (int lane = 0; lane < 8; lane++) {
            const float one[4] = {q[0][lane], q[1][lane], q[2][lane], q[3][lane]};
            double found[9], wide[9];
            matrix_of_quaternion(one, found);
            for (int i = 0; i < 9; i++) wide[i] = (double)b[i][lane];
            assert_true(ref_matrix_agreement(found, wide) >= 1.0 + gap - 3e-4);
        }
    }
}

/* A power of two changes nothing at all; nor do the neighbours in the batch. */
static void test_scale_and_neighbours(void** state) {
    (void)state;
    const supi_kernels* tables[3];
    int table_count = kernel_tables(tables);
    uint64_t seed = 6;
    for (int trial = 0; trial < 2000; trial++) {
        float b[9][8], q[4][8], alone_b[9][8], alone_q[4][8];
        int32_t taken[8], alone_taken[8];
        for (int lane = 0; lane < 8; lane++) {
            double start[4];
            ref_quaternion_random(&seed, start);
            for (int i = 0; i < 4; i++) q[i][lane] = (float)start[i];
            for (int i = 0; i < 9; i++) b[i][lane] = (float)ref_random(&seed);
        }
        int chosen = ref_random_index(&seed, 8), power = ref_random_index(&seed, 181) - 90;
        for (int lane = 0; lane < 8; lane++) {
            for (int i = 0; i < 4; i++) alone_q[i][lane] = q[i][chosen];
            for (int i = 0; i < 9; i++) alone_b[i][lane] = ldexpf(b[i][chosen], power);
        }
        const supi_kernels* table = tables[trial % table_count];
        table->rotate(b, q, taken);
        table->rotate(alone_b, alone_q, alone_taken);
        for (int lane = 0; lane < 8; lane++) {
            assert_int_equal(alone_taken[lane], taken[chosen]);
            for (int i = 0; i < 4; i++) assert_true(same_bits(&alone_q[i][lane], &q[i][chosen], 1));
        }
    }
}

/* Nothing, or nothing finite: the rotation stays, in the kernels and in the cold start. */
static void test_nothing_to_go_by(void** state) {
    (void)state;
    const supi_kernels* tables[3];
    int table_count = kernel_tables(tables);
    const float odd[4] = {0.0f, NAN, INFINITY, -INFINITY};
    for (int t = 0; t < table_count; t++) {
        for (int place = 0; place < 9; place++) {
            for (int kind = 0; kind < 4; kind++) {
                float b[9][8], q[4][8], one[9];
                const float start[4] = {0.5f, -0.5f, 0.5f, 0.5f};
                int32_t taken[8];
                for (int i = 0; i < 9; i++) {
                    one[i] = i == place ? odd[kind] : kind == 0 ? 0.0f : 1.0f + (float)i;
                    for (int lane = 0; lane < 8; lane++) b[i][lane] = one[i];
                }
                for (int i = 0; i < 4; i++) {
                    for (int lane = 0; lane < 8; lane++) q[i][lane] = start[i];
                }
                tables[t]->rotate(b, q, taken);
                for (int lane = 0; lane < 8; lane++) {
                    assert_int_equal(taken[lane], 0);
                    for (int i = 0; i < 4; i++) assert_true(q[i][lane] == start[i]);
                }
                float cold[4];
                memcpy(cold, start, sizeof cold);
                supi_rotation_cold(one, cold);
                assert_true(same_bits(cold, start, 4));
            }
        }
    }
}

/* ---- Cold start ---- */

static void test_cold_start(void** state) {
    (void)state;
    uint64_t seed = 7;
    double worst = 0.0;
    for (int trial = 0; trial < 5000; trial++) {
        const double s[3] = {1.0, 0.5 + 0.5 * ref_random(&seed), 0.3 * ref_random(&seed)};
        float b[9], q[4];
        double r[9], start[4];
        matrix_of_stretch(&seed, s, b, r);
        ref_quaternion_random(&seed, start);
        for (int i = 0; i < 4; i++) q[i] = (float)start[i];
        float scale = (float)pow(10.0, 18.0 * ref_random(&seed));
        for (int i = 0; i < 9; i++) b[i] *= scale;
        supi_rotation_cold(b, q);
        /* What rounding can turn grows as the flattest direction of the maximum gets flatter. */
        double flat = s[1] + s[2];
        if (flat < 1e-3) continue;
        double error = flat * error_of(q, r);
        worst = fmax(worst, error);
        assert_true(error < 1e-6);
    }
    print_message("cold start: error <= %.1e rad / flatness\n", worst);
}

/* A line leaves the turn about itself open: of all best rotations the one nearest to the start is
 * taken. */
static void test_nearest_of_many(void** state) {
    (void)state;
    uint64_t seed = 8;
    for (int trial = 0; trial < 1000; trial++) {
        double start[4], from[3], to[3] = {0, 0, 0};
        float b[9], q[4];
        for (int i = 0; i < 3; i++) from[i] = ref_random_index(&seed, 9) - 4.25;
        for (int i = 0; i < 3; i++) to[i] = ref_random_index(&seed, 9) - 4.25;
        for (int i = 0; i < 9; i++) b[i] = (float)(to[i / 3] * from[i % 3]);
        ref_quaternion_random(&seed, start);
        for (int i = 0; i < 4; i++) q[i] = (float)start[i];
        supi_rotation_cold(b, q);
        double chosen[4], wide[9], found[9], nearness = 0.0;
        for (int i = 0; i < 9; i++) wide[i] = (double)b[i];
        for (int i = 0; i < 4; i++) chosen[i] = (double)q[i];
        for (int i = 0; i < 4; i++) nearness += chosen[i] * start[i];
        ref_quaternion_matrix(chosen, found);
        double best = ref_length(from) * ref_length(to);
        assert_true(ref_matrix_agreement(found, wide) > best * (1.0 - 1e-6));
        for (int i = 0; i < 64; i++) {
            double half = 3.14159265358979 * i / 64.0, other[4], twist[4], near = 0.0;
            for (int k = 0; k < 3; k++) twist[k] = from[k] / ref_length(from) * sin(half);
            twist[3] = cos(half);
            ref_quaternion_product(chosen, twist, other);
            for (int k = 0; k < 4; k++) near += other[k] * start[k];
            assert_true(fabs(near) <= nearness + 1e-6);
        }
    }
}

/* A body turned inside out at its centre: all half turns fit best, and its old attitude, across all
   of them, worst of all. It must not be kept. */
static void test_across_all_best(void** state) {
    (void)state;
    const supi_kernels* tables[3];
    int table_count = kernel_tables(tables);
    const double stretches[3][3] = {{-1, -1, -1}, {-1, -1, -0.5}, {-1, -0.5, -0.5}};
    for (int n = 0; n < 3; n++) {
        const double *s = stretches[n], best = -s[0] - s[1] + s[2];
        const float b[9] = {(float)s[0], 0, 0, 0, (float)s[1], 0, 0, 0, (float)s[2]};
        float cold[4] = {0, 0, 0, 1}, lanes[9][8], q[4][8];
        double found[9], wide[9];
        for (int i = 0; i < 9; i++) wide[i] = (double)b[i];
        supi_rotation_cold(b, cold);
        matrix_of_quaternion(cold, found);
        assert_true(ref_matrix_agreement(found, wide) > best * (1.0 - 1e-5));
        for (int t = 0; t < table_count; t++) {
            int32_t taken[8];
            for (int i = 0; i < 72; i++) lanes[i / 8][i % 8] = b[i / 8];
            for (int i = 0; i < 32; i++) q[i / 8][i % 8] = i / 8 == 3 ? 1.0f : 0.0f;
            tables[t]->rotate(lanes, q, taken);
            const float one[4] = {q[0][5], q[1][5], q[2][5], q[3][5]};
            matrix_of_quaternion(one, found);
            assert_true(ref_matrix_agreement(found, wide) > best * (1.0 - 1e-5));
        }
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_reference),
        cmocka_unit_test(test_newton_steps),
        cmocka_unit_test(test_plain_iteration_is_slow),
        cmocka_unit_test(test_any_matrix),
        cmocka_unit_test(test_nearly_equal_saddle),
        cmocka_unit_test(test_scale_and_neighbours),
        cmocka_unit_test(test_nothing_to_go_by),
        cmocka_unit_test(test_cold_start),
        cmocka_unit_test(test_nearest_of_many),
        cmocka_unit_test(test_across_all_best),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
