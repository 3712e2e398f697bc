/* Parts of thin contact, each by itself: closest points and crossings as in double, pairs as by
   brute force, pushes that cancel, the same bits from every copy and worker, memory. */
#include "allocators.h"
#include "contact/sheets.h"
#include "ref/ref_random.h"

/* Eight pairs at a time with particles of their own. */
static void random_places(uint64_t* seed, sup_row x[32], double shrink) {
    for (int i = 0; i < 32; i++) {
        x[i] = (sup_row){(float)ref_random(seed), (float)ref_random(seed),
                         (float)(shrink * ref_random(seed)), 1};
    }
}

static void place_of(const sup_row* row, double out[3]) {
    out[0] = (double)row->x;
    out[1] = (double)row->y;
    out[2] = (double)row->z;
}

/* Distance by the kernel and by the twin; and does the answer say where that is: the way from b to
   a is the distance along the normal? */
static void check_lane(const supi_thin_block* b, int k, bool faces, const sup_row* x, float apart) {
    double p[4][3], way[3] = {0, 0, 0}, sum = 0;
    for (int i = 0; i < 4; i++) {
        place_of(x + b->at[i][k], p[i]);
        sum += (double)b->share[i][k];
        for (int j = 0; j < 3; j++) way[j] += (double)b->share[i][k] * p[i][j];
        bool of_a = i < (faces ? 1 : 2);
        assert_true(of_a ? b->share[i][k] >= 0 : b->share[i][k] <= 0);
    }
    double want = faces ? ref_thin_point_triangle(p[0], p[1], p[2], p[3])
                        : ref_thin_edge_edge(p[0], p[1], p[2], p[3]);
    assert_true(fabs((double)apart - want) < 2e-5);
    assert_true(fabs(sum) < 1e-5);
    double length = 0;
    for (int j = 0; j < 3; j++) {
        assert_true(fabs(way[j] - (double)apart * (double)b->normal[j][k]) < 2e-4);
        length += (double)b->normal[j][k] * (double)b->normal[j][k];
    }
    assert_true(fabs(length - 1) < 1e-5);
}

static void closest_points_are_those_of_the_twin(void** state) {
    (void)state;
    const sup_simd copies[] = {SUP_SIMD_AUTO, SUP_SIMD_SSE2, SUP_SIMD_SCALAR};
    uint64_t seed = 5;
    int32_t rounds = short_tests() ? 500 : 20000;
    for (int32_t round = 0; round < rounds; round++) {
        sup_row x[32];
        supi_thin_block b = {0}, first = {0};
        random_places(&seed, x, round % 3 == 0 ? 0.01 : 1.0);
        for (int i = 0; i < 32; i++) b.at[i / 8][i % 8] = i;
        bool faces = round % 2;
        for (int c = 0; c < 3; c++) {
            const supi_thin_kernels* kernels = supi_thin_kernels_find(copies[c]);
            if (!kernels) continue;
            float apart[8];
            (faces ? kernels->faces : kernels->edges)(&b, x, apart);
            for (int k = 0; k < 8; k++) check_lane(&b, k, faces, x, apart[k]);
            if (c == 0) first = b;
            assert_memory_equal(first.share, b.share, sizeof b.share);
            assert_memory_equal(first.normal, b.normal, sizeof b.normal);
        }
    }
}

/* Edges that are parallel, in line, or points; triangles that are lines or points. */
static void degenerate_features_have_an_answer(void** state) {
    (void)state;
    const sup_row at[] = {{0, 1, 0, 1}, {1, 1, 0, 1}, {0, 0, 0, 1},
                          {1, 0, 0, 1}, {3, 0, 0, 1}, {2, 0, 0, 1}};
    const int32_t pairs[2][8][4] = {{{0, 1, 2, 3},
                                     {0, 1, 3, 2},
                                     {2, 3, 4, 5},
                                     {0, 0, 2, 3},
                                     {0, 1, 2, 2},
                                     {0, 0, 2, 2},
                                     {2, 3, 5, 4},
                                     {0, 1, 3, 4}},
                                    {{0, 2, 3, 4},
                                     {0, 2, 2, 3},
                                     {0, 2, 3, 3},
                                     {0, 2, 2, 2},
                                     {1, 4, 2, 5},
                                     {1, 4, 5, 5},
                                     {4, 2, 3, 3},
                                     {0, 3, 2, 5}}};
    const supi_thin_kernels* kernels = supi_thin_kernels_find(SUP_SIMD_AUTO);
    for (int faces = 0; faces < 2; faces++) {
        supi_thin_block b = {0};
        float apart[8];
        for (int i = 0; i < 32; i++) b.at[i % 4][i / 4] = pairs[faces][i / 4][i % 4];
        (faces ? kernels->faces : kernels->edges)(&b, at, apart);
        for (int k = 0; k < 8; k++) {
            assert_true(apart[k] > 0);
            for (int j = 0; j < 3; j++) assert_true(isfinite(b.normal[j][k]));
        }
        if (!faces) assert_true(fabsf(apart[0] - 1) < 1e-6f && fabsf(apart[2] - 1) < 1e-6f);
    }
    /* Coincident points give no direction, and no push. */
    supi_thin_block b = {0};
    float apart[8];
    kernels->faces(&b, at, apart);
    assert_true(apart[0] < 0);
    for (int j = 0; j < 4; j++) assert_true(b.share[j][0] == 0);
}

/* How near the two are does not change the direction: no history is needed to know the side. */
static void normals_are_exact_however_near(void** state) {
    (void)state;
    const supi_thin_kernels* kernels = supi_thin_kernels_find(SUP_SIMD_AUTO);
    for (int e = 3; e < 8; e++) {
        float tiny = powf(10.0f, (float)-e);
        for (int side = -1; side < 2; side += 2) {
            sup_row x[4] = {
                {0.3f, (float)side * tiny, 0.3f, 1}, {0, 0, 0, 1}, {1, 0, 0, 1}, {0, 0, 1, 1}};
            supi_thin_block b = {0};
            for (int i = 0; i < 32; i++) b.at[i / 8][i % 8] = i / 8;
            float apart[8];
            kernels->faces(&b, x, apart);
            assert_true(b.normal[1][0] == (float)side);
            assert_true(fabsf(apart[0] / tiny - 1) < 1e-3f);
        }
    }
}

/* ---- Pairs ---- */

/* Two crumpled sheets, and how far they have gone. */
static void crumple(sheets* s, uint64_t* seed) {
    for (int32_t i = 0; i < s->row_count; i++) {
        sup_row* x = s->x + i;
        x->x = 0.3f * x->x + 0.01f * (float)ref_random(seed);
        x->z = 0.3f * x->z + 0.01f * (float)ref_random(seed);
        x->y = 0.1f * (float)ref_random(seed) + (i < s->row_count / 2 ? 0 : 0.1f);
        s->start[i] = *x;
        s->v[i] =
            (sup_row){(float)ref_random(seed), (float)ref_random(seed), (float)ref_random(seed), 0};
        x->x += s->v[i].x / 240;
        x->y += s->v[i].y / 240;
        x->z += s->v[i].z / 240;
    }
    for (int32_t i = 0; i < s->sheet_count; i++) s->bodies[i].grips = &s->grip;
}

static bool boxes_meet(const supi_thin* t, const int32_t* a, int32_t a_count, const int32_t* b,
                       int32_t b_count) {
    for (int k = 0; k < 3; k++) {
        float low[2] = {INFINITY, INFINITY}, high[2] = {-INFINITY, -INFINITY};
        for (int32_t i = 0; i < a_count + b_count; i++) {
            int32_t at = i < a_count ? a[i] : b[i - a_count], side = i >= a_count;
            float l = (&t->low[at].x)[k], h = (&t->high[at].x)[k];
            low[side] = l < low[side] ? l : low[side];
            high[side] = h > high[side] ? h : high[side];
        }
        if (high[0] < low[1] || high[1] < low[0]) return false;
    }
    for (int32_t i = 0; i < a_count * b_count; i++) {
        if (a[i / b_count] == b[i % b_count]) return false;
    }
    return true;
}

/* A feature of both sheets together. */
static void feature(const sheets* s, const int32_t* members, int32_t size, int32_t count, int32_t i,
                    int32_t out[3]) {
    for (int32_t k = 0; k < size; k++) {
        out[k] = members[size * (i % count) + k] + i / count * s->side * s->side;
    }
}

static void pairs_are_those_of_brute_force(void** state) {
    (void)state;
    uint64_t seed = 9;
    for (int32_t round = 0; round < 3; round++) {
        sheets s;
        sheets_make(&s, 9, 2, 0.3f);
        crumple(&s, &seed);
        assert_int_equal(supi_thin_find(&s.thin, sup_allocator_default(), s.tasks, s.bodies, 2,
                                        NULL, s.start, s.x, s.v, true),
                         SUP_OK);
        const supi_thin_features* f = &s.features;
        int32_t count = 0, all_edges = 2 * f->edge_count, a[3], b[3];
        for (int32_t i = 0; i < s.row_count; i++) {
            for (int32_t j = 0; j < 2 * f->triangle_count; j++) {
                feature(&s, f->triangles, 3, f->triangle_count, j, b);
                count += boxes_meet(&s.thin, &i, 1, b, 3);
            }
        }
        for (int32_t i = 0; i < all_edges; i++) {
            feature(&s, f->edges, 2, f->edge_count, i, a);
            for (int32_t j = i + 1; j < all_edges; j++) {
                feature(&s, f->edges, 2, f->edge_count, j, b);
                count += boxes_meet(&s.thin, a, 2, b, 2);
            }
        }
        assert_int_equal(s.thin.counts.candidates, count);
        assert_true(count > 1000);
        sheets_free(&s);
    }
}

/* Crumpled sheets pass through themselves and each other: all of it is seen, by another test than
   the twin's, and nobody is pushed by what he is crossed with. */
static void crossings_are_those_of_the_twin(void** state) {
    (void)state;
    uint64_t seed = 11;
    sheets s;
    sheets_make(&s, 13, 2, 0.3f);
    crumple(&s, &seed);
    memcpy(s.x, s.start, (size_t)s.row_count * sizeof *s.x);
    assert_int_equal(supi_thin_find(&s.thin, sup_allocator_default(), s.tasks, s.bodies, 2, NULL,
                                    s.start, s.x, s.v, true),
                     SUP_OK);
    int32_t want = sheets_crossings(&s);
    assert_true(want > 100);
    assert_int_equal(s.thin.counts.crossings, want);
    sheets_free(&s);
}

/* One edge through one triangle is let out again; the same sheets apart keep their distance. */
static void what_is_crossed_at_the_start_may_part(void** state) {
    (void)state;
    sheets s;
    sheets_make(&s, 6, 2, 0.3f);
    s.gravity = s.drag = 0;
    sheets_turn(&s, 1, 1.5f, 0.3f);
    sheets_throw(&s, 1, 0.03f, 0.42f, 0.02f, 0, 1, 0);
    int32_t before = sheets_crossings(&s);
    assert_true(before > 0);
    for (int32_t i = 0; i < 60; i++) sheets_substep(&s, 1.0f / 240, i % 4 == 0);
    assert_int_equal(sheets_crossings(&s), 0);
    assert_int_equal(s.thin.counts.crossings, 0);
    sheets_free(&s);
}

/* ---- Pushes ---- */

static void sum_momentum(const sheets* s, double out[3]) {
    for (int k = 0; k < 3; k++) out[k] = 0;
    for (int32_t i = 0; i < s->row_count; i++) {
        for (int k = 0; k < 3; k++) out[k] += (double)(&s->v[i].x)[k] / (double)s->x[i].w;
    }
}

static void pushes_and_friction_cancel(void** state) {
    (void)state;
    sheets s;
    sheets_make(&s, 9, 2, 0.3f);
    sheets_turn(&s, 1, 0.2f, 0.5f);
    sheets_throw(&s, 0, 0, 0, 0, 2, 0, 0);
    sheets_throw(&s, 1, 0.1f, 0.12f, 0.05f, -1, -12, 1);
    for (int32_t i = 0; i < s.row_count; i++) {
        s.start[i] = s.x[i];
        s.x[i].x += s.v[i].x / 60, s.x[i].y += s.v[i].y / 60, s.x[i].z += s.v[i].z / 60;
    }
    for (int32_t i = 0; i < 2; i++) s.bodies[i].grips = &s.grip;
    double before[3], after[3], all = 0.2 * (2 + sqrt(146.0));
    sum_momentum(&s, before);
    assert_int_equal(supi_thin_find(&s.thin, sup_allocator_default(), s.tasks, s.bodies, 2, NULL,
                                    s.start, s.x, s.v, true),
                     SUP_OK);
    for (int i = 0; i < 4; i++) supi_thin_sweep(&s.thin, s.x, s.v, 1.0f / 60);
    assert_true(s.thin.counts.active > 10);
    sum_momentum(&s, after);
    for (int k = 0; k < 3; k++) assert_true(fabs(after[k] - before[k]) < 1e-5 * all);
    sheets_free(&s);
}

/* A sheet at rest, and one bent as far as neighbours let it, exert nothing. */
static void neighbours_at_rest_exert_nothing(void** state) {
    (void)state;
    sheets s;
    sheets_make(&s, 12, 1, 0.5f); /* so thick that all neighbours are closer at rest */
    s.gravity = 0;
    for (int32_t i = 0; i < 20; i++) sheets_substep(&s, 1.0f / 240, i % 4 == 0);
    assert_true(s.thin.counts.candidates > 0);
    assert_int_equal(s.thin.counts.active, 0);
    assert_true(sheets_rms(&s) < 1e-4);
    sheets_free(&s);
}

/* ---- Same bits, memory ---- */

static void run_thrown(sheets* s, sup_simd simd, int32_t workers) {
    sheets_make(s, 16, 2, 0.3f);
    supi_tasks_destroy(s->tasks);
    supi_tasks_create(sup_allocator_default(), workers, NULL, &s->tasks, NULL);
    s->thin.kernels = supi_thin_kernels_find(simd);
    s->gravity = 0;
    sheets_turn(s, 0, 0.5f, 0);
    sheets_turn(s, 1, -0.5f, 0.7f);
    sheets_throw(s, 0, 0, 0, 0, 0, 10, 0);
    sheets_throw(s, 1, 0.013f, 0.8f, 0.021f, 0, -10, 0);
    for (int32_t i = 0; i < 40; i++) sheets_substep(s, 1.0f / 240, i % 4 == 0);
}

static void all_copies_and_workers_agree(void** state) {
    (void)state;
    sheets want;
    run_thrown(&want, SUP_SIMD_AUTO, 1);
    assert_true(want.rounds > 1 && want.thin.counts.active > 0);
    const sup_simd copies[] = {SUP_SIMD_SSE2, SUP_SIMD_SCALAR, SUP_SIMD_AUTO};
    const int32_t workers[] = {1, 2, 5};
    for (int c = every_copy() ? 0 : 1; c < 3; c++) {
        if (!supi_thin_kernels_find(copies[c])) continue;
        sheets got;
        run_thrown(&got, every_copy() ? copies[c] : SUP_SIMD_AUTO, workers[c]);
        assert_memory_equal(got.x, want.x, (size_t)want.row_count * sizeof *want.x);
        assert_memory_equal(got.v, want.v, (size_t)want.row_count * sizeof *want.v);
        sheets_free(&got);
    }
    sheets_free(&want);
}

static void memory_may_run_out_anywhere(void** state) {
    (void)state;
    uint64_t seed = 3;
    sheets s;
    sheets_make(&s, 8, 2, 0.3f);
    crumple(&s, &seed);
    test_allocator counter;
    test_allocator_init(&counter);
    for (long long at = 1;; at++) {
        supi_thin thin = {0};
        test_allocator_arm(&counter, at, false);
        sup_result result = supi_thin_find(&thin, &counter.table, s.tasks, s.bodies, 2, NULL,
                                           s.start, s.x, s.v, true);
        bool refused = atomic_load(&counter.refused) > 0;
        assert_int_equal(result, refused ? SUP_NO_MEMORY : SUP_OK);
        if (refused) assert_int_equal(thin.job_count, 0);
        if (!refused) { /* warm: the same again takes no memory */
            test_allocator_arm(&counter, 1, true);
            assert_int_equal(supi_thin_find(&thin, &counter.table, s.tasks, s.bodies, 2, NULL,
                                            s.start, s.x, s.v, true),
                             SUP_OK);
        }
        supi_thin_sweep(&thin, s.x, s.v, 0.01f);
        supi_thin_bound(&thin, s.x, s.v, 0.01f);
        supi_thin_free(&thin, &counter.table);
        assert_int_equal(atomic_load(&counter.blocks), 0);
        if (!refused) break;
        assert_true(at < 1000);
    }
    sheets_free(&s);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(closest_points_are_those_of_the_twin),
        cmocka_unit_test(degenerate_features_have_an_answer),
        cmocka_unit_test(normals_are_exact_however_near),
        cmocka_unit_test(pairs_are_those_of_brute_force),
        cmocka_unit_test(crossings_are_those_of_the_twin),
        cmocka_unit_test(what_is_crossed_at_the_start_may_part),
        cmocka_unit_test(pushes_and_friction_cancel),
        cmocka_unit_test(neighbours_at_rest_exert_nothing),
        cmocka_unit_test(all_copies_and_workers_agree),
        cmocka_unit_test(memory_may_run_out_anywhere),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
