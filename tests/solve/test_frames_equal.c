/* The scalar, SSE2 and AVX2 copies of the kernels of oriented particles give the same bits, for
   good numbers and for bad ones; and so do bodies alone and in a herd. */
#include "solve/frames.h"

static int kernel_tables(const supi_kernels* tables[3]) {
    const sup_simd sets[3] = {SUP_SIMD_SCALAR, SUP_SIMD_SSE2, SUP_SIMD_AVX2};
    int count = 0;
    for (int i = 0; i < 3; i++) {
        const supi_kernels* table = supi_kernels_find(sets[i]);
        if (table) tables[count++] = table;
    }
    return count;
}

/* Bit for bit; which NaN it is does not matter. */
static void assert_same(const void* a, const void* b, size_t count) {
    for (size_t i = 0; i < count; i++) {
        float x, y;
        memcpy(&x, (const char*)a + i * sizeof x, sizeof x);
        memcpy(&y, (const char*)b + i * sizeof y, sizeof y);
        if (isnan(x) && isnan(y)) continue;
        assert_memory_equal(&x, &y, sizeof x);
    }
}

static float odd(uint64_t* seed) {
    static const float values[] = {0.0f,   -0.0f,    1e-40f,    -1e-45f, 1e-30f, 1e19f,
                                   -3e38f, INFINITY, -INFINITY, NAN,     1e8f,   -2e8f};
    return values[ref_random_index(seed, sizeof values / sizeof *values)];
}

static void make(frames* f, int trial, const supi_kernels* table) {
    uint64_t seed = (uint64_t)trial + 1;
    frames_begin(f);
    f->kernels = table;
    frames_graph(f, 20 + ref_random_index(&seed, 40), 3, &seed);
    for (int32_t i = 0; i < f->link_count; i++) {
        f->links[i].compliance = i % 3 == 0 ? 0.0f : 1e-4f;
        f->links[i].damping = i % 5 == 0 ? 10.0f : 0.0f;
        f->links[i].torsion = i % 2 == 0 ? 0.1f : -1.0f;
    }
    if (trial % 3 == 1) f->inverse_mass[3] = 0.0f;
    if (trial % 3 == 2) f->inverse_mass[5] = f->mass[5] = 0.0f;
    const int32_t one[5] = {0, 1, 2, 3, 4}, two[4] = {4, 6, 7, 8};
    if (trial % 4 > 1) {
        frames_part(f, 5, one);
        frames_part(f, 4, two);
        f->yields = trial % 8 > 5;
    }
    frames_make(f);
    f->settings.mode = (sup_frame_mode)(trial % 2);
    f->settings.torsion = (sup_torsion_mode)(trial / 2 % 2);
    f->settings.fastest = 3.0f;
    for (int32_t i = 0; i < f->count; i++) {
        sup_row *v = f->slices.v + i, *w = f->slices.w + i;
        *v = (sup_row){(float)ref_random(&seed), (float)ref_random(&seed), (float)ref_random(&seed),
                       0.1f};
        *w = (sup_row){(float)(9 * ref_random(&seed)), (float)(900 * ref_random(&seed)),
                       (float)ref_random(&seed), 0.2f};
    }
    for (int32_t i = 0; trial % 5 == 4 && i < 3; i++) {
        float* rows[4] = {&f->slices.x[0].x, &f->slices.v[0].x, &f->slices.q[0].x,
                          &f->slices.w[0].x};
        int32_t row = ref_random_index(&seed, f->count);
        rows[ref_random_index(&seed, 4)][4 * row + ref_random_index(&seed, 3)] = odd(&seed);
    }
}

static void test_copies(void** state) {
    (void)state;
    const supi_kernels* tables[3];
    int count = kernel_tables(tables);
    for (int trial = 0; trial < (short_tests() ? 20 : 100); trial++) {
        static frames first, other;
        make(&first, trial, tables[0]);
        frames_run(&first, 0.05, 8);
        size_t rows = 4 * (size_t)first.net.row_count, groups = 4 * (size_t)first.net.group_count;
        for (int t = 1; t < count; t++) {
            make(&other, trial, tables[t]);
            frames_run(&other, 0.05, 8);
            assert_same(first.slices.x, other.slices.x, rows);
            assert_same(first.slices.v, other.slices.v, rows);
            assert_same(first.slices.q, other.slices.q, rows);
            assert_same(first.slices.w, other.slices.w, rows);
            assert_same(first.slices.group_turn, other.slices.group_turn, groups);
            frames_end(&other);
        }
        frames_end(&first);
    }
}

/* One of a herd: all have the net that the trial says, and each its own state. */
static void make_one_of(frames* f, int trial, int index, const supi_kernels* table) {
    uint64_t seed = (uint64_t)trial + 1, own = 1000 * (uint64_t)index + seed;
    frames_begin(f);
    f->kernels = table;
    frames_graph(f, 20 + ref_random_index(&seed, 40), 3, &seed);
    for (int32_t i = 0; i < f->link_count; i++) {
        f->links[i].compliance = i % 3 == 0 ? 0.0f : 1e-4f;
        f->links[i].damping = trial % 2 && i % 5 == 0 ? 10.0f : 0.0f;
    }
    if (trial % 4 == 1) f->inverse_mass[3] = 0.0f;
    if (trial % 4 == 2) f->inverse_mass[5] = f->mass[5] = 0.0f;
    if (trial % 4 == 3) memset(f->moment[7], 0, sizeof f->moment[7]);
    frames_make(f);
    assert_non_null(f->net.herd);
    f->settings.fastest = 3.0f;
    f->settings.restore = trial % 5 != 0;
    double q[4], t[3] = {ref_random(&own), ref_random(&own), ref_random(&own)};
    ref_quaternion_random(&own, q);
    frames_put(f, q, t);
    for (int32_t i = 0; i < f->count; i++) {
        sup_row *x = f->slices.x + i, *v = f->slices.v + i, *w = f->slices.w + i;
        *v = (sup_row){(float)ref_random(&own), (float)ref_random(&own), (float)ref_random(&own),
                       0.1f};
        *w = (sup_row){(float)(9 * ref_random(&own)), (float)(900 * ref_random(&own)),
                       (float)ref_random(&own), 0.2f};
        if (ref_random_index(&own, 9) == 0) x->x += 0.05f;
    }
    /* a link of no length */
    f->slices.x[f->links[0].b] = f->slices.x[f->links[0].a];
    f->slices.v[f->links[0].b] = f->slices.v[f->links[0].a];
}

static void test_herds(void** state) {
    (void)state;
    enum { MOST = 8, SUBSTEPS = 8 };
    const supi_kernels* tables[3];
    int table_count = kernel_tables(tables);
    for (int trial = 0; trial < (short_tests() ? 20 : 60); trial++) {
        static frames alone, flock[MOST];
        const supi_kernels* table = tables[trial % table_count];
        int count = trial % 3 ? 8 : 5;
        supi_frame_slices slices[MOST];
        supi_frame_pull pulls[MOST];
        for (int j = 0; j < count; j++) {
            make_one_of(&flock[j], trial, j, table);
            slices[j] = flock[j].slices;
            pulls[j] =
                supi_frame_prepare(&flock[j].net, &flock[j].settings, 1.0 / 480.0, flock[j].s);
            assert_true(supi_frame_flocks(&flock[0].net, pulls, pulls + j));
        }
        for (int i = 0; i < SUBSTEPS; i++) {
            for (int j = 0; j < count; j++) {
                supi_frame_predict(&flock[j].net, pulls + j, table, slices + j, slices + j);
            }
            supi_frame_project_herd(&flock[0].net, pulls, table, slices, count, &flock[0].room);
        }
        size_t rows = 4 * (size_t)flock[0].net.row_count,
               groups = 4 * (size_t)flock[0].net.group_count;
        for (int j = 0; j < count; j++) {
            make_one_of(&alone, trial, j, table);
            for (int i = 0; i < SUBSTEPS; i++) frames_substep(&alone, pulls + j);
            assert_same(alone.slices.x, slices[j].x, rows);
            assert_same(alone.slices.v, slices[j].v, rows);
            assert_same(alone.slices.q, slices[j].q, rows);
            assert_same(alone.slices.w, slices[j].w, rows);
            assert_same(alone.slices.group_turn, slices[j].group_turn, groups);
            frames_end(&alone);
        }
        pulls[1].drive.keep_v *= 0.5f; /* who is slowed down otherwise goes alone */
        assert_false(supi_frame_flocks(&flock[0].net, pulls, pulls + 1));
        for (int j = 0; j < count; j++) frames_end(&flock[j]);
    }
}

/* Whichever row it is, also behind the last full eight. */
static void checks_see_every_row(void** state) {
    (void)state;
    enum { TURNS = 13, RATES = 16 };
    const supi_kernels* tables[3];
    int count = kernel_tables(tables);
    for (int t = 0; t < count; t++) {
        const supi_frame_kernels* k = tables[t]->frames;
        sup_row q[TURNS], w[RATES] = {{0}};
        for (int i = 0; i < TURNS; i++) q[i] = (sup_row){0.5f, -0.5f, 0.5f, 0.5f};
        assert_true(k->are_turns(q, TURNS) && k->are_turns(q, 0) && k->are_finite(w, RATES / 8));
        for (int i = 0; i < 4 * TURNS; i++) {
            float *at = &q[i / 4].x + i % 4, was = *at;
            *at = i % 3 ? NAN : 2.0f;
            assert_false(k->are_turns(q, TURNS));
            *at = was;
        }
        for (int i = 0; i < RATES; i++) {
            float* at = &w[i].x + i % 3;
            *at = i % 2 ? NAN : -INFINITY;
            assert_false(k->are_finite(w, RATES / 8));
            *at = 0.0f;
        }
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_copies), cmocka_unit_test(test_herds),
                                       cmocka_unit_test(checks_see_every_row)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
