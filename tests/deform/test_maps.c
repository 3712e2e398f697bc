/* Maps of eight points at a time: right, and with the same bits in every copy. */
#include "deform/maps.h"

#include "deform/surfaces.h"

static const sup_simd copies[] = {SUP_SIMD_SCALAR, SUP_SIMD_SSE2, SUP_SIMD_AVX2};

/* From 1e-3 to 1e3 of the radius, in all directions. */
static void places(uint64_t* seed, float radius, float at[3][8]) {
    for (int i = 0; i < 8; i++) {
        double size = (double)radius * pow(10.0, 6.0 * ref_random(seed) - 3.0);
        for (int k = 0; k < 3; k++) at[k][i] = (float)(size * (ref_random(seed) - 0.5));
    }
}

static void balls_push_as_far_as_they_should(void** state) {
    (void)state;
    uint64_t seed = 11;
    double worst = 0;
    for (int turn = 0; turn < 2000; turn++) {
        float at[3][8], by[3][8], radius = (float)pow(10.0, turn % 9 - 4);
        places(&seed, radius, at);
        supi_map_kernels_find(SUP_SIMD_AUTO)->push((const float(*)[8])at, radius, by);
        for (int i = 0; i < 8; i++) {
            double r = 0, moved = 0, cube = pow((double)radius, 3.0);
            for (int k = 0; k < 3; k++) {
                r += (double)at[k][i] * (double)at[k][i];
                moved += (double)at[k][i] * (double)by[k][i];
            }
            r = sqrt(r);
            double after = cbrt(r * r * r + cube);
            double wanted = cube / (after * after + after * r + r * r);
            worst = fmax(worst, fabs(moved / r / wanted - 1.0));
        }
    }
    print_message("ways differ by %.3g at most\n", worst);
    assert_true(worst < 1e-6);
}

static void all_copies_give_the_same_bits(void** state) {
    (void)state;
    enum { MARKS = 13 };
    uint64_t seed = 5;
    float columns[6][MARKS];
    for (int k = 0; k < 6; k++)
        for (int i = 0; i < MARKS; i++) columns[k][i] = (float)ref_random(&seed);
    const supi_marks marks = {
        MARKS, {columns[0], columns[1], columns[2]}, {columns[3], columns[4], columns[5]}};
    for (int turn = 0; turn < 500; turn++) {
        float at[3][8], first[7][8];
        places(&seed, 1.0f, at);
        for (int s = 0; s < 3; s++) {
            const supi_map_kernels* kernels = supi_map_kernels_find(copies[s]);
            float out[7][8];
            if (!kernels) continue;
            kernels->push((const float(*)[8])at, 0.7f, out);
            kernels->blend(&marks, (const float(*)[8])at, out + 3, out[6]);
            if (s == 0) memcpy(first, out, sizeof out);
            assert_memory_equal(out, first, sizeof out);
        }
    }
}

/* A small and a large world: the weights of neither leave the range of floats. */
static void means_hold_at_every_size(void** state) {
    (void)state;
    uint64_t seed = 8;
    for (int turn = 0; turn < 300; turn++) {
        float columns[6][5], at[3][8], mean[3][8], nearest[8];
        double size = pow(10.0, turn % 22 - 11);
        for (int k = 0; k < 6; k++)
            for (int i = 0; i < 5; i++) columns[k][i] = (float)(size * ref_random(&seed));
        for (int k = 0; k < 3; k++)
            for (int i = 0; i < 8; i++) at[k][i] = (float)(size * ref_random(&seed));
        const supi_marks marks = {
            5, {columns[0], columns[1], columns[2]}, {columns[3], columns[4], columns[5]}};
        supi_map_kernels_find(SUP_SIMD_AUTO)->blend(&marks, (const float(*)[8])at, mean, nearest);
        for (int i = 0; i < 8; i++) {
            double sum = 0, wanted = 0;
            for (int n = 0; n < 5; n++) {
                double square = 0;
                for (int k = 0; k < 3; k++)
                    square += pow((double)at[k][i] - (double)columns[k][n], 2.0);
                sum += pow(square / size / size, -2.0);
                wanted += pow(square / size / size, -2.0) * (double)columns[3][n];
            }
            assert_near((double)mean[0][i] / size, wanted / sum / size, 2e-5);
        }
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(balls_push_as_far_as_they_should),
        cmocka_unit_test(all_copies_give_the_same_bits),
        cmocka_unit_test(means_hold_at_every_size),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
