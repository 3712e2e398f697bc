/* Linear and quadratic goals: exact fits, both momenta, and no jump on the way through flat to
 * inside out. */
#include "sizes.h"
#include "solve/clouds.h"

static const supi_pull still = {.h = 0.01f, .k = 1.0f};
static const double nothing[3] = {0, 0, 0};

static void random_vector(uint64_t* seed, double size, double out[3]) {
    for (int k = 0; k < 3; k++) out[k] = size * ref_random(seed);
}

/* A map with singular values up to 2 and a volume above 0.3. */
static void random_strain(uint64_t* seed, double f[9]) {
    double turn[4], r[9];
    do {
        ref_quaternion_random(seed, turn);
        ref_quaternion_matrix(turn, r);
        double norm = 0.0;
        for (int k = 0; k < 9; k++) {
            f[k] = r[k] + 0.6 * ref_random(seed);
            norm += f[k] * f[k];
        }
        if (norm > 4.0) f[0] = NAN;
    } while (!(ref_matrix_determinant(f) > 0.3));
}

/* x = f q + bend b(q), with terms of the size of a cluster. */
static void deform(cloud* c, const double f[9], double bend[3][6], const double t[3]) {
    for (int32_t i = 0; i < c->count; i++) {
        double q[3], x[3];
        cloud_offset(c, i, q);
        ref_matrix_apply(f, q, x);
        const double terms[6] = {q[0] * q[0], q[1] * q[1], q[2] * q[2],
                                 q[0] * q[1], q[1] * q[2], q[2] * q[0]};
        for (int k = 0; k < 3; k++) {
            x[k] += t[k];
            for (int n = 0; n < 6; n++) x[k] += bend[k][n] * terms[n];
        }
        cloud_put(c, i, x, nothing);
    }
}

static void test_exact_fits(void** state) {
    (void)state;
    const supi_kernels* tables[3];
    int table_count = kernel_tables(tables);
    static const cloud_goals linear = {SUP_MATCH_LINEAR, 1.0f, false},
                             quadratic = {SUP_MATCH_QUADRATIC, 1.0f, false};
    uint64_t seed = 11;
    static cloud c;
    double straight = 0.0, bent = 0.0, control = 0.0;
    for (int trial = 0; trial < 300; trial++) {
        double f[9], bend[3][6], none[3][6] = {{0}}, t[3];
        cloud_random(&c, 40 + ref_random_index(&seed, 100), &seed);
        random_strain(&seed, f);
        random_vector(&seed, 0.2, t);
        for (int k = 0; k < 18; k++) bend[k / 6][k % 6] = 0.3 * ref_random(&seed);
        for (int n = 0; n < table_count; n++) {
            deform(&c, f, none, t);
            straight = fmax(straight, cloud_worst_miss(&linear, &c, tables[n], &still));
            deform(&c, f, bend, t);
            bent = fmax(bent, cloud_worst_miss(&quadratic, &c, tables[n], &still));
            control = fmax(control, cloud_worst_miss(&linear, &c, tables[n], &still));
        }
    }
    print_message("linear %.1e, quadratic %.1e sizes; linear goals of a bent cloud %.1e\n",
                  straight, bent, control);
    assert_true(straight < 1e-5);
    assert_true(bent < 1e-5);
    assert_true(control > 1e-2);
}

/* sum m (g - x) and sum m p x (g - x) over M size and M size^2. */
static void momentum_of(const cloud* c, double wish[][3], double* linear, double* angular) {
    double push[3], turn[3];
    cloud_moments(c, wish, push, turn);
    *linear = ref_length(push) / (c->total * c->size);
    *angular = ref_length(turn) / (c->total * c->size * c->size);
}

static void make_bent(cloud* c, uint64_t* seed) {
    double rest[CLOUD_MOST][3], mass[CLOUD_MOST], f[9], bend[3][6], t[3];
    for (int32_t i = 0; i < 200; i++) {
        random_vector(seed, 0.5, rest[i]);
        rest[i][1] *= 0.5;
        mass[i] = 1.0 + 0.5 * ref_random(seed);
    }
    cloud_rest(c, 200, rest, mass);
    random_strain(seed, f);
    random_vector(seed, 0.2, t);
    for (int k = 0; k < 18; k++) bend[k / 6][k % 6] = 0.5 * ref_random(seed);
    deform(c, f, bend, t);
    for (int32_t i = 0; i < c->count; i++) {
        double x[3], shake[3];
        random_vector(seed, 0.05, shake);
        for (int k = 0; k < 3; k++) x[k] = c->x[i][k] + shake[k];
        cloud_put(c, i, x, nothing);
    }
}

/* The basis of the paper, whose terms are not centred: by their mean the goals push the body. */
static double push_of_plain_basis(const cloud* c, const cloud_goals* goals,
                                  const supi_kernels* table) {
    static cloud plain;
    plain = *c;
    for (int k = 0; k < SUPI_BEND_TERMS; k++) plain.bend.mean[k] = plain.bend.residue[k] = 0.0f;
    float q[4] = {0, 0, 0, 1};
    const float xref[3] = {0, 0, 0};
    double wish[CLOUD_MOST][3], linear, angular;
    supi_goal goal = cloud_match_to(goals, &plain, table, &still, SUPI_CLUSTER_PLAIN, xref, q);
    cloud_wishes_to(goals, &plain, table, &goal, &still, SUPI_CLUSTER_PLAIN, wish);
    momentum_of(c, wish, &linear, &angular);
    return linear;
}

static void test_goals_keep_momentum(void** state) {
    (void)state;
    const supi_kernels* tables[3];
    int table_count = kernel_tables(tables);
    uint64_t seed = 12;
    static cloud c;
    double push = 0.0, turn = 0.0, control = 1.0;
    for (int trial = 0; trial < 60; trial++) {
        make_bent(&c, &seed);
        for (int n = 0; n < 18; n++) {
            const cloud_goals goals = {(sup_match_mode)(n % 3), 0.5f * (float)(n / 3 % 3), n >= 9};
            for (int t = 0; t < table_count; t++) {
                float q[4] = {0, 0, 0, 1};
                const float xref[3] = {0.05f, 0, -0.05f};
                double wish[CLOUD_MOST][3], linear, angular;
                supi_goal goal =
                    cloud_match_to(&goals, &c, tables[t], &still, SUPI_CLUSTER_PLAIN, xref, q);
                cloud_wishes_to(&goals, &c, tables[t], &goal, &still, SUPI_CLUSTER_PLAIN, wish);
                momentum_of(&c, wish, &linear, &angular);
                push = fmax(push, linear);
                turn = fmax(turn, angular);
            }
        }
        const cloud_goals bent = {SUP_MATCH_QUADRATIC, 1.0f, false};
        control = fmin(control, push_of_plain_basis(&c, &bent, tables[0]));
    }
    print_message("push %.1e, turn %.1e; basis not centred %.1e\n", push, turn, control);
    assert_true(push < 1e-5);
    assert_true(turn < 1e-5);
    assert_true(control > 1e-3);
}

/* Largest way of a goal between two squeezes of a cube that differ by `step` in volume. */
static double largest_jump(const cloud_goals* goals, double step) {
    static cloud c;
    const supi_kernels* table = supi_kernels_find(SUP_SIMD_SCALAR);
    static double rest[64][3];
    for (int i = 0; i < 64; i++) {
        for (int k = 0; k < 3; k++) rest[i][k] = (i >> 2 * k & 3) / 3.0 - 0.5;
    }
    cloud_rest(&c, 64, rest, NULL);
    static double before[64][3];
    double worst = 0.0;
    float q[4] = {0, 0, 0, 1};
    for (int n = 0; 1.0 - n * step >= -1.0; n++) {
        double f[9] = {1.0 - n * step, 0, 0, 0, 1, 0, 0, 0, 1}, none[3][6] = {{0}};
        deform(&c, f, none, nothing);
        const float xref[3] = {0, 0, 0};
        double wish[CLOUD_MOST][3];
        supi_goal goal = cloud_match_to(goals, &c, table, &still, SUPI_CLUSTER_PLAIN, xref, q);
        cloud_wishes_to(goals, &c, table, &goal, &still, SUPI_CLUSTER_PLAIN, wish);
        for (int32_t i = 0; i < c.count; i++) {
            double way[3];
            for (int k = 0; k < 3; k++) {
                double at = c.x[i][k] + wish[i][k];
                way[k] = at - before[i][k];
                before[i][k] = at;
            }
            if (n > 0) worst = fmax(worst, ref_length(way) / c.size);
        }
    }
    return worst;
}

static void test_no_jump_through_flat(void** state) {
    (void)state;
    skip_under_sanitizers();
    for (int n = 0; n < 4; n++) {
        bool volume = n % 2 == 1;
        sup_match_mode mode = n < 2 ? SUP_MATCH_LINEAR : SUP_MATCH_QUADRATIC;
        const cloud_goals full = {mode, 1.0f, volume}, half = {mode, 0.5f, volume};
        double jump = largest_jump(&full, 1e-3), finer = largest_jump(&full, 5e-4);
        double softer = largest_jump(&half, 1e-3);
        print_message("%s, volume %s: %.2e sizes, half the step %.2e, half of beta %.2e\n",
                      n < 2 ? "linear" : "quadratic", volume ? "kept" : "free", jump, finer,
                      softer);
        assert_true(jump < (volume ? 1.2e-2 : 6e-3));
        assert_true(fabs(finer / jump - 0.5) < 0.05);
        assert_true(fabs(softer / jump - 0.5) < 0.05);
    }
}

/* Clusters that have no volume at rest, or no extent at all, get goals too: flat ones as they are,
 * all others the rigid ones. */
static void test_flat_and_empty(void** state) {
    (void)state;
    const supi_kernels* table = supi_kernels_find(SUP_SIMD_AUTO);
    uint64_t seed = 13;
    static cloud c;
    for (int n = 0; n < 8; n++) {
        int extent = n % 4; /* directions in which the cloud has one */
        double rest[24][3];
        for (int i = 0; i < 24; i++) {
            for (int k = 0; k < 3; k++) rest[i][k] = k < extent ? ref_random(&seed) : 0.0;
        }
        cloud_rest(&c, 24, rest, NULL);
        double turn[4], r[9], none[3][6] = {{0}}, t[3] = {1, 2, 3};
        ref_quaternion_random(&seed, turn);
        ref_quaternion_matrix(turn, r);
        deform(&c, r, none, t);
        if (extent == 0) c.size = 1.0;
        const cloud_goals goals = {n < 4 ? SUP_MATCH_LINEAR : SUP_MATCH_QUADRATIC, 1.0f, true};
        assert_true(cloud_worst_miss(&goals, &c, table, &still) < 1e-5);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_exact_fits),
        cmocka_unit_test(test_goals_keep_momentum),
        cmocka_unit_test(test_no_jump_through_flat),
        cmocka_unit_test(test_flat_and_empty),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
