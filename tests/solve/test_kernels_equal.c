/* The scalar, SSE2 and AVX2 copies of every kernel give the same bits, for good numbers and for bad
 * ones. */
#include "sizes.h"
#include "solve/clouds.h"
#include "springs.h"

enum { FEW_ROWS = 64, ROWS = 1280 }; /* long spans are moved and summed in one loop */

/* Mostly ordinary; with `bad` now and then something that arithmetic stumbles over. */
static float any_float(uint64_t* seed, bool bad) {
    static const float odd[] = {0.0f,   -0.0f,    1e-40f,    -1e-45f, 1e-30f, 1e19f,
                                -3e38f, INFINITY, -INFINITY, NAN,     1e8f,   -2e8f};
    if (bad && ref_random_index(seed, 12) == 0) {
        return odd[ref_random_index(seed, sizeof odd / sizeof *odd)];
    }
    return (float)(ref_random(seed) * exp2(4.0 * ref_random(seed)));
}

static void fill(float* values, size_t count, uint64_t* seed, bool bad) {
    for (size_t i = 0; i < count; i++) values[i] = any_float(seed, bad);
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

static void assert_same_box(const supi_extent* a, const supi_extent* b) {
    assert_same(a->low, b->low, 3);
    assert_same(a->high, b->high, 3);
    assert_int_equal(a->sane, b->sane);
}

/* Everything a streaming kernel reads. */
typedef struct input {
    float q[3][ROWS], w[ROWS];
    int32_t index[ROWS];
    sup_row x[ROWS], v[ROWS];
    float xref[3];
    supi_pull pull;
    supi_goal goal;
    supi_bend bend;
    supi_members streamed, indexed;
} input;

/* And what it writes. */
typedef struct output {
    float streamed_sums[SUPI_SUM_COUNT], indexed_sums[SUPI_SUM_COUNT], carried_sums[SUPI_SUM_COUNT];
    sup_row x[ROWS], v[ROWS], asked[ROWS];
    supi_extent moved, inspected;
} output;

static void make_input(input* in, int32_t rows, uint64_t* seed, bool bad) {
    size_t count = (size_t)rows;
    for (int k = 0; k < 3; k++) fill(in->q[k], count, seed, bad);
    fill(in->w, count, seed, bad);
    fill(&in->x[0].x, 4 * count, seed, bad);
    fill(&in->v[0].x, 4 * count, seed, bad);
    fill(in->xref, 3, seed, bad);
    fill(&in->pull.h, sizeof in->pull / sizeof(float), seed, bad);
    fill(in->goal.matrix, sizeof in->goal / sizeof(float), seed, bad);
    fill(&in->bend.scale, sizeof in->bend / sizeof(float), seed, bad);
    for (int i = 0; i < rows; i++) in->index[i] = ref_random_index(seed, rows);
    in->streamed = (supi_members){in->q[0], in->q[1], in->q[2], in->w, NULL};
    in->indexed = in->streamed;
    in->indexed.index = in->index;
}

/* What a call works on. */
typedef struct work {
    supi_cluster_kind kind;
    bool bends;
    int32_t begin, end;
} work;

static supi_span span_of(const input* in, const supi_members* members, const work* w) {
    return (supi_span){members, w->begin, w->end, w->bends ? &in->bend : NULL};
}

static void run(const supi_kernels* table, const input* in, const work* w, output* out) {
    supi_span streamed = span_of(in, &in->streamed, w), indexed = span_of(in, &in->indexed, w);
    memset(out, 0, sizeof *out);
    table->moments(&streamed, in->x, in->v, &in->pull, w->kind, in->xref, out->streamed_sums);
    table->moments(&indexed, in->x, in->v, &in->pull, w->kind, in->xref, out->indexed_sums);
    table->move(&streamed, &in->goal, &in->pull, w->kind, in->x, in->v, out->x, out->v, &out->moved,
                in->xref, out->carried_sums);
    table->ask(&indexed, &in->goal, &in->pull, w->kind, in->x, in->v, out->asked);
    table->inspect(in->x, w->begin, w->end - 1, &out->inspected);
}

static void assert_same_output(const output* a, const output* b, int32_t rows) {
    size_t count = 4 * (size_t)rows;
    assert_same(a->streamed_sums, b->streamed_sums, SUPI_SUM_COUNT);
    assert_same(a->indexed_sums, b->indexed_sums, SUPI_SUM_COUNT);
    assert_same(a->carried_sums, b->carried_sums, SUPI_SUM_COUNT);
    assert_same(a->x, b->x, count);
    assert_same(a->v, b->v, count);
    assert_same(a->asked, b->asked, count);
    assert_same_box(&a->moved, &b->moved);
    assert_same_box(&a->inspected, &b->inspected);
}

/* Sums carried out of a move are those of the next moments, and moving in place changes nothing. */
static void assert_carried(const supi_kernels* table, const input* in, const work* w,
                           const output* out) {
    supi_span span = span_of(in, &in->streamed, w);
    size_t count = 4 * (size_t)(w->end - w->begin);
    static sup_row x[ROWS], v[ROWS];
    float sums[SUPI_SUM_COUNT] = {0};
    supi_extent box;
    memcpy(x, in->x, sizeof x);
    memcpy(v, in->v, sizeof v);
    table->move(&span, &in->goal, &in->pull, w->kind, x, v, x, v, &box, in->xref, NULL);
    assert_same(out->x + w->begin, x + w->begin, count);
    assert_same(out->v + w->begin, v + w->begin, count);
    assert_same_box(&out->moved, &box);
    if (w->kind == SUPI_CLUSTER_PREDICTED) return;
    table->moments(&span, x, v, &in->pull, w->kind, in->xref, sums);
    assert_same(out->carried_sums, sums, SUPI_SUM_COUNT);
}

static void test_streams(void** state) {
    (void)state;
    const supi_kernels* tables[3];
    int table_count = kernel_tables(tables);
    uint64_t seed = 1;
    static input in;
    static output first, other;
    for (int trial = 0; trial < 3000; trial++) {
        int32_t rows = trial % 25 == 0 ? ROWS : FEW_ROWS;
        make_input(&in, rows, &seed, trial % 2 == 1);
        int32_t begin = 8 * ref_random_index(&seed, rows / 8);
        int32_t end = begin + 8 * (1 + ref_random_index(&seed, (rows - begin) / 8));
        work w = {(supi_cluster_kind)(trial % 3), trial % 4 > 1, begin, end};
        run(tables[0], &in, &w, &first);
        for (int t = 0; t < table_count; t++) {
            run(tables[t], &in, &w, &other);
            assert_same_output(&first, &other, rows);
            assert_carried(tables[t], &in, &w, &other);
        }
    }
}

static void test_match(void** state) {
    (void)state;
    const supi_kernels* tables[3];
    int table_count = kernel_tables(tables);
    uint64_t seed = 2;
    for (int trial = 0; trial < 5000; trial++) {
        bool bad = trial % 2 == 1;
        supi_match8 fresh = {.h = 0.01f,
                             .damped = trial % 4 < 2,
                             .mode = (sup_match_mode)(trial % 3),
                             .plastic = trial % 5 < 2},
                    first = {0};
        fill(fresh.stretch[0], 8 * 6, &seed, bad);
        fill(fresh.unstretch[0], 8 * 6, &seed, bad);
        fill(fresh.inverse[0], 8 * 6, &seed, bad);
        fill(fresh.null[0], 8 * 6, &seed, bad);
        fill(fresh.beta, 8, &seed, bad);
        fill(fresh.volume, 8, &seed, bad);
        fill(fresh.bend_scale, 8, &seed, bad);
        fill(fresh.bend_residue[0], 8 * SUPI_BEND_TERMS, &seed, bad);
        fill(fresh.bend_inverse[0], 8 * 45, &seed, bad);
        fill(fresh.sums[0], 8 * SUPI_SUM_COUNT, &seed, bad);
        fill(fresh.residue[0], 24, &seed, bad);
        fill(fresh.weight, 8, &seed, bad);
        for (int lane = 0; lane < 8; lane++) {
            double q[4];
            ref_quaternion_random(&seed, q);
            for (int k = 0; k < 4; k++) fresh.rotation[k][lane] = (float)q[k];
            fresh.inertia_floor[lane] = bad ? 1e-6f : 0.0f;
            if (!bad) fresh.weight[lane] = fabsf(fresh.weight[lane]) + 0.1f;
        }
        for (int t = 0; t < table_count; t++) {
            supi_match8 m = fresh;
            tables[t]->match(&m);
            if (t == 0) first = m;
            assert_same(first.rotation, m.rotation, 4 * 8);
            assert_same(first.matrix, m.matrix, 9 * 8);
            assert_same(first.bend, m.bend, 18 * 8);
            assert_same(first.strained, m.strained, 9 * 8);
            assert_same(first.shift, m.shift, 3 * 8);
            assert_same(first.offset, m.offset, 3 * 8);
            assert_same(first.velocity, m.velocity, 3 * 8);
            assert_same(first.spin, m.spin, 3 * 8);
        }
    }
}

static void test_rotate(void** state) {
    (void)state;
    const supi_kernels* tables[3];
    int table_count = kernel_tables(tables);
    uint64_t seed = 3;
    for (int trial = 0; trial < 10000; trial++) {
        float b[9][8], start[4][8], first[4][8] = {{0}};
        int32_t first_taken[8] = {0};
        fill(b[0], 9 * 8, &seed, trial % 2 == 1);
        for (int lane = 0; lane < 8; lane++) {
            double q[4];
            ref_quaternion_random(&seed, q);
            for (int k = 0; k < 4; k++) start[k][lane] = (float)q[k];
            /* Rank 2 and 1 too. */
            for (int k = 0; k < 3 && trial % 3 > 0; k++) b[6 + k][lane] = b[3 + k][lane];
            for (int k = 0; k < 3 && trial % 3 > 1; k++)
                b[3 + k][lane] = b[6 + k][lane] = b[k][lane];
        }
        for (int t = 0; t < table_count; t++) {
            float q[4][8];
            int32_t taken[8];
            memcpy(q, start, sizeof q);
            tables[t]->rotate(b, q, taken);
            if (t == 0) memcpy(first, q, sizeof q);
            if (t == 0) memcpy(first_taken, taken, sizeof taken);
            assert_same(first, q, 4 * 8);
            assert_memory_equal(first_taken, taken, sizeof taken);
        }
    }
}

/* Rows with one bad value anywhere are found out by every copy; good ones are not. */
static void test_inspect_finds_all(void** state) {
    (void)state;
    const supi_kernels* tables[3];
    int table_count = kernel_tables(tables);
    const float bad[5] = {NAN, INFINITY, -INFINITY, 1.1e8f, -1.1e8f};
    uint64_t seed = 4;
    for (int t = 0; t < table_count; t++) {
        for (int32_t count = 1; count <= 9; count++) {
            sup_row rows[9];
            supi_extent box;
            fill(&rows[0].x, 4 * 9, &seed, false);
            tables[t]->inspect(rows, 0, count, &box);
            assert_true(box.sane);
            for (int32_t i = 0; i < count; i++) {
                const float at[3] = {rows[i].x, rows[i].y, rows[i].z};
                for (int k = 0; k < 3; k++)
                    assert_true(box.low[k] <= at[k] && at[k] <= box.high[k]);
                for (int k = 0; k < 3; k++) {
                    for (int n = 0; n < 5; n++) {
                        float* value = &rows[i].x + k;
                        *value = bad[n];
                        tables[t]->inspect(rows, 0, count, &box);
                        assert_false(box.sane);
                        *value = at[k];
                    }
                }
            }
        }
    }
}

/* ---- Springs ---- */

enum { SPRINGS = 200, SLICES = ROWS / 8 };

/* Springs between any rows, some of no length, slack, or between points that coincide. */
static spring_body any_springs(uint64_t* seed, bool bad) {
    sup_vec3 points[ROWS];
    float w[ROWS];
    sup_spring springs[SPRINGS];
    fill(&points[0].x, 3 * ROWS, seed, false);
    for (int i = 0; i < ROWS; i++) w[i] = i % 5 == 0 ? 0.0f : fabsf(any_float(seed, false));
    points[1] = points[0];
    for (int s = 0; s < SPRINGS; s++) {
        int32_t a = s % 9 == 0 ? 0 : ref_random_index(seed, ROWS);
        int32_t b = s % 9 == 0 ? 1 : ref_random_index(seed, ROWS);
        float length = s % 7 == 0 ? 0.0f : fabsf(any_float(seed, bad));
        springs[s] = (sup_spring){a,
                                  b == a ? (a + 1) % ROWS : b,
                                  length,
                                  fabsf(any_float(seed, bad)),
                                  fabsf(any_float(seed, bad)),
                                  SUP_SPRING_STRUCT,
                                  s % 4 == 0};
    }
    spring_body body = spring_body_make(points, w, ROWS, springs, SPRINGS, 0.0);
    fill(&body.v[0].x, 4 * ROWS, seed, bad);
    for (int i = 0; i < ROWS && bad; i++) body.x[i].y = any_float(seed, true);
    return body;
}

/* What all kernels of springs write, one after the other. */
typedef struct spring_output {
    sup_row f[ROWS], b[ROWS], g[ROWS], r[ROWS], p[ROWS], dv[ROWS], sums_of_r[SLICES];
    sup_row collected[ROWS], moved[ROWS];
    supi_spring_lanes8 steps[SLICES];
    supi_spring_rows8 groups[2][SLICES];
    supi_spring_tangent8 tangents[ROWS * 16];
    supi_spring_rows8 rows[SLICES];
    supi_spring_sums sums;
    double products[2];
} spring_output;

static void run_springs(const supi_spring_kernels* k, const spring_body* body, float h,
                        spring_output* out) {
    const supi_spring_net* net = &body->net;
    const supi_spring_step step = {h, 0.5f, h, false};
    int32_t of[ROWS], members[ROWS];
    for (int i = 0; i < ROWS; i++) {
        of[i] = i * 5 % (4 * SLICES); /* any groups will do */
        members[i] = i * 11 % ROWS;
    }
    memset(out, 0, sizeof *out);
    assert_in_range(net->column_count, 1, ROWS * 16);
    k->forces(net, 0, SLICES / 2, body->x, body->v, out->f, NULL);
    k->forces(net, SLICES / 2, SLICES, body->x, body->v, out->f, &out->sums);
    k->linearise(net, 0, SLICES, &step, body->x, body->v, out->b, out->tangents, out->rows);
    k->invert(out->rows, 0, SLICES);
    k->group(net, of, out->tangents, out->rows,
             (supi_spring_rows8* const[2]){out->groups[0], out->groups[1]}, 2);
    memcpy(out->r, out->b, sizeof out->r);
    out->products[0] = k->apply(net, 0, SLICES, out->tangents, out->rows, body->v, out->g);
    out->products[1] =
        k->descend(out->rows, 1, SLICES, h, out->g, out->r, out->steps, true, out->sums_of_r);
    memcpy(out->p, body->v, sizeof out->p);
    k->collect(members, 0, ROWS / 64, out->r, out->collected);
    k->spread(SLICES / 2, out->steps, out->steps + SLICES / 2, out->moved);
    k->turn(out->rows, 1, SLICES, h, 0.3f, out->steps, of, out->moved, out->p, out->dv);
}

static void assert_same_doubles(const double* a, const double* b, int count) {
    for (int i = 0; i < count; i++) {
        if (!isnan(a[i]) || !isnan(b[i])) assert_memory_equal(a + i, b + i, sizeof *a);
    }
}

static void test_springs(void** state) {
    (void)state;
    const supi_kernels* tables[3];
    int table_count = kernel_tables(tables);
    uint64_t seed = 5;
    static spring_output first, other;
    for (int trial = 0; trial < (short_tests() ? 50 : ref_repeats(200, 1000)); trial++) {
        spring_body body = any_springs(&seed, trial % 2 == 1);
        float h = fabsf(any_float(&seed, false));
        run_springs(tables[0]->springs, &body, h, &first);
        for (int t = 1; t < table_count; t++) {
            run_springs(tables[t]->springs, &body, h, &other);
            assert_same(&first, &other, offsetof(spring_output, sums) / sizeof(float));
            assert_same_doubles(&first.sums.energy, &other.sums.energy, 1);
            assert_same_doubles(&first.sums.loss, &other.sums.loss, 1);
            assert_same(&first.sums.stiffest, &other.sums.stiffest, 1);
            assert_same_doubles(first.products, other.products, 2);
        }
        spring_body_free(&body);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_streams), cmocka_unit_test(test_match),
        cmocka_unit_test(test_rotate),  cmocka_unit_test(test_inspect_finds_all),
        cmocka_unit_test(test_springs),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
