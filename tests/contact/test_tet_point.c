/* One tetrahedron and a point, two tetrahedra: nobody is missed, nobody is made up. */
#include "contact/tet_bodies.h"

#include "contact/tet_test.h"
#include "ref/ref_tets.h"

static void random_tet(uint64_t* seed, double size, double away, sup_row x[4]) {
    double middle[3];
    for (int k = 0; k < 3; k++) middle[k] = away * ref_random(seed);
    for (int c = 0; c < 4; c++) {
        double at[3];
        for (int k = 0; k < 3; k++) at[k] = middle[k] + size * ref_random(seed);
        x[c] = (sup_row){(float)at[0], (float)at[1], (float)at[2], 1};
    }
}

static void in_double(const sup_row x[4], double out[4][3]) {
    for (int c = 0; c < 4; c++) {
        out[c][0] = (double)x[c].x, out[c][1] = (double)x[c].y, out[c][2] = (double)x[c].z;
    }
}

/* A5: a million random points, in tetrahedra of all shapes; the lanes may only sort out what is
   outside, and all copies agree bit by bit. */
static void test_random_points(void** state) {
    (void)state;
    static const sup_simd sets[] = {SUP_SIMD_SCALAR, SUP_SIMD_SSE2, SUP_SIMD_AVX2, SUP_SIMD_WASM};
    uint64_t seed = 5;
    int32_t inside_count = 0, sorted_out = 0, close = 0;
    for (int32_t round = 0; round < 125000; round++) {
        sup_row x[32];
        supi_tet_probes probes;
        double corners[8][4][3], points[8][3];
        for (int k = 0; k < 8; k++) {
            random_tet(&seed, 1, round % 2 ? 0 : 50, x + 4 * k);
            in_double(x + 4 * k, corners[k]);
            for (int j = 0; j < 3; j++) {
                double mean = 0.25 * (corners[k][0][j] + corners[k][1][j] + corners[k][2][j] +
                                      corners[k][3][j]);
                points[k][j] = mean + 0.6 * ref_random(&seed);
                probes.at[j][k] = (float)(points[k][j] - corners[k][0][j]);
            }
            for (int j = 0; j < 4; j++) probes.corners[j][k] = 4 * k + j;
        }
        int maybe = best_kernels()->maybe(x, &probes);
        for (size_t s = 0; s < sizeof sets / sizeof *sets; s++) {
            const supi_tet_kernels* copy = supi_tet_kernels_find(sets[s]);
            if (copy) assert_int_equal(copy->maybe(x, &probes), maybe);
        }
        for (int k = 0; k < 8; k++) {
            double expected[4], weights[4];
            bool inverted = false, whole = ref_tets_weights(corners[k], points[k], expected);
            const int32_t tet[4] = {0, 1, 2, 3};
            supi_tet_side side = supi_tet_locate(x + 4 * k, tet, 0, points[k], weights, &inverted);
            if (!whole) continue;
            double least = fmin(fmin(expected[0], expected[1]), fmin(expected[2], expected[3]));
            close += fabs(least) <= 1e-4;
            sorted_out += !(maybe >> k & 1);
            if (fabs(least) <= 1e-4) continue;
            assert_int_equal(side, least > 0 ? SUPI_TET_INSIDE : SUPI_TET_OUTSIDE);
            if (least > 0) assert_true(maybe >> k & 1);
            inside_count += least > 0;
        }
    }
    assert_true(inside_count > 20000);
    assert_true(sorted_out > 500000); /* lanes that sort out nobody would be right, too */
    assert_true(close < 2000);
}

/* A5: inner sides belong to the inside, the outer ones are touched; in every tetrahedron that a
   point is on. */
static void test_sides(void** state) {
    (void)state;
    tet_thing block;
    uint64_t seed = 8;
    thing_make(&block, make_block(3, 3, 3, 0.7, 0.9, 1.1), 1, 0);
    double turn[3][3];
    random_rotation(&seed, turn);
    thing_pose(&block, (const double(*)[3])turn, 3, -2, 1);
    const supi_tet_form* form = &block.form;
    int32_t inner = 0, outer = 0;
    for (int32_t t = 0; t < form->tet_count; t++) {
        for (int side = 0; side < 4; side++) {
            const int32_t* tet = form->tets + 4 * t;
            double w[4] = {0, 0, 0, 0}, sum = 0, p[3] = {0, 0, 0};
            for (int k = 0; k < 4; k++) w[k] = k == side ? 0 : 1.1 + ref_random(&seed);
            for (int k = 0; k < 4; k++) sum += w[k];
            for (int k = 0; k < 4; k++) {
                const sup_row* x = &block.body.x[tet[k]];
                p[0] += w[k] / sum * (double)x->x;
                p[1] += w[k] / sum * (double)x->y;
                p[2] += w[k] / sum * (double)x->z;
            }
            /* as a float, as points of bodies are */
            for (int k = 0; k < 3; k++) p[k] = (double)(float)p[k];
            int32_t found = 0, touching = 0;
            for (int32_t other = 0; other < form->tet_count; other++) {
                double weights[4];
                bool inverted;
                supi_tet_side at = supi_tet_locate(block.body.x, form->tets + 4 * other,
                                                   form->outer[other], p, weights, &inverted);
                found += at == SUPI_TET_INSIDE;
                touching += at == SUPI_TET_TOUCHING;
            }
            bool outside = form->outer[t] >> side & 1;
            assert_int_equal(touching > 0, outside);
            assert_true(outside || found >= 2);
            inner += !outside;
            outer += outside;
        }
    }
    assert_int_equal(outer, form->triangle_count);
    assert_true(inner > 400);
    thing_free(&block);
}

/* Flat ones hold nobody; those inside out do, and say so. */
static void test_flat_and_inverted(void** state) {
    (void)state;
    sup_row x[4] = {{0, 0, 0, 1}, {1, 0, 0, 1}, {0, 1, 0, 1}, {0, 0, 1, 1}};
    const int32_t tet[4] = {0, 1, 2, 3}, turned[4] = {0, 2, 1, 3};
    const double p[3] = {0.2, 0.3, 0.1};
    double w[4];
    bool inverted = true;
    assert_int_equal(supi_tet_locate(x, tet, 0, p, w, &inverted), SUPI_TET_INSIDE);
    assert_false(inverted);
    for (int k = 0; k < 4; k++) {
        assert_true(fabs(w[k] - (const double[]){0.4, 0.2, 0.3, 0.1}[k]) < 1e-7);
    }
    assert_int_equal(supi_tet_locate(x, turned, 0, p, w, &inverted), SUPI_TET_INSIDE);
    assert_true(inverted);
    x[3] = (sup_row){0.3f, 0.3f, 5e-10f, 1};
    assert_int_equal(supi_tet_locate(x, tet, 0, (const double[3]){0.3, 0.3, 0}, w, &inverted),
                     SUPI_TET_FLAT);
    x[3].z = 0;
    assert_int_equal(supi_tet_locate(x, tet, 0, (const double[3]){0.3, 0.3, 0}, w, &inverted),
                     SUPI_TET_FLAT);
}

/* A7 */
static void test_two(void** state) {
    (void)state;
    uint64_t seed = 77;
    int32_t meeting = 0, close = 0;
    for (int32_t round = 0; round < 100000; round++) {
        sup_row x[8];
        sup_vec3 a[4], b[4];
        double da[4][3], db[4][3];
        random_tet(&seed, 1, 10, x);
        random_tet(&seed, 1, 0, x + 4);
        for (int k = 4; k < 8; k++) {
            x[k].x += x[0].x, x[k].y += x[0].y, x[k].z += x[0].z;
        }
        in_double(x, da);
        in_double(x + 4, db);
        for (int k = 0; k < 4; k++) {
            a[k] = (sup_vec3){x[k].x, x[k].y, x[k].z};
            b[k] = (sup_vec3){x[k + 4].x, x[k + 4].y, x[k + 4].z};
        }
        double gap = ref_tets_gap((const double(*)[3])da, (const double(*)[3])db);
        bool meets = supi_tet_meet(a, b);
        meeting += meets;
        close += fabs(gap) <= 1e-5;
        if (fabs(gap) > 1e-5) assert_int_equal(meets, gap < 0);
    }
    assert_true(meeting > 10000 && meeting < 90000);
    assert_true(close < 100);
}

/* A7: neighbours in a mesh share a side, an edge or a point, and meet nobody. */
static void test_neighbours(void** state) {
    (void)state;
    tet_thing block;
    uint64_t seed = 4;
    double turn[3][3];
    thing_make(&block, make_block(3, 3, 3, 1, 1, 1), 1, 0);
    random_rotation(&seed, turn);
    thing_pose(&block, (const double(*)[3])turn, 5, 2, -7);
    for (int32_t i = 0; i < block.form.tet_count; i++) {
        for (int32_t j = 0; j < block.form.tet_count; j++) {
            sup_vec3 a[4], b[4];
            for (int k = 0; k < 4; k++) {
                a[k] = supi_tet_place(&block.body, block.form.tets[4 * i + k]);
                b[k] = supi_tet_place(&block.body, block.form.tets[4 * j + k]);
            }
            assert_int_equal(supi_tet_meet(a, b), i == j);
        }
    }
    thing_free(&block);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_random_points), cmocka_unit_test(test_sides),
        cmocka_unit_test(test_flat_and_inverted), cmocka_unit_test(test_two),
        cmocka_unit_test(test_neighbours)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
