/* Columns of rows one after the other do what columns of any rows do, bit by bit; and groups of
   rows that lie together are groups of all rows. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "base/arena.h"
#include "ref/ref_random.h"
#include "solve/implicit.h"
#include "solve/net.h"
#include "solve/straight.h"
#include "springs.h"

/* Cloth as nets of the library. */
typedef struct cloth {
    spring_body body; /* rows, and springs */
    float* w;
    supi_arena arena, scratch;
    supi_spring_net net, once;
} cloth;

static cloth cloth_make(spring_cloth plan, bool straight) {
    cloth c = {.body = spring_body_cloth(&plan)};
    int32_t rows = c.body.net.row_count;
    supi_arena_init(&c.arena, sup_allocator_default());
    supi_arena_init(&c.scratch, sup_allocator_default());
    c.w = spring_body_new((size_t)rows, sizeof *c.w);
    for (int32_t i = 0; i < rows; i++) c.w[i] = c.body.x[i].w;
    const supi_net_source source = {.row_count = rows,
                                    .spring_count = c.body.net.spring_count,
                                    .springs = c.body.springs,
                                    .inverse_mass = c.w,
                                    .rest = c.body.rest};
    supi_net_rooms rooms = {
        .used = supi_arena_push(&c.scratch, (size_t)rows, sizeof *rooms.used),
        .columns = supi_arena_push(&c.arena, (size_t)rows / 8 + 1, sizeof *rooms.columns)};
    if (straight) {
        rooms.straight = supi_arena_push(&c.arena, (size_t)rows / 8, sizeof *rooms.straight);
    }
    assert_true(supi_net_push(&c.arena, supi_net_cut(&source, &rooms), &rooms));
    c.net = supi_net_fill(&source, &rooms);
    assert_true(supi_net_once(&c.net, &c.arena, &c.scratch, &c.once));
    return c;
}

static void cloth_free(cloth* c) {
    supi_arena_free(&c->arena);
    supi_arena_free(&c->scratch);
    free(c->w);
    spring_body_free(&c->body);
}

static const spring_cloth plans[] = {{37, 29, 0.05, 0.001, 1000, 500, 50, 0.01, true},
                                     {16, 40, 0.05, 0.001, 1000, 500, 0, 0.01, false},
                                     {130, 90, 0.05, 0.001, 1000, 500, 50, 0.01, true},
                                     {9, 5, 0.05, 0.001, 1000, 500, 50, 0.01, true}};
enum { PLANS = sizeof plans / sizeof *plans };

/* Bent, moving, and here and there two ends in one place. */
static void stir(cloth* c) {
    uint64_t seed = 71;
    for (int32_t i = 0; i < c->body.count; i++) {
        c->body.x[i].z += (float)(0.02 * ref_random(&seed));
        c->body.v[i] = (sup_row){(float)ref_random(&seed), (float)ref_random(&seed),
                                 (float)ref_random(&seed), 0.01f};
        if (i % 97 == 96) memcpy(c->body.x + i, c->body.x + i - 1, 3 * sizeof(float));
    }
}

/* ---- Columns ---- */

/* Every side is there, in the row it belongs to, and straight columns are. */
static int32_t check_columns(const supi_spring_net* net, const sup_spring* springs, int32_t* met) {
    int32_t straight = 0;
    for (int32_t slice = 0; slice < net->row_count / 8; slice++) {
        for (int32_t c = net->columns[slice]; c < net->columns[slice + 1]; c++) {
            const int32_t *other = net->other + 8 * c, *spring = net->spring + 8 * c;
            bool whole = c < net->straight[slice];
            straight += whole;
            for (int k = 0; k < 8; k++) {
                int32_t row = 8 * slice + k;
                assert_in_range(other[k], 0, net->row_count - 1);
                if (whole) assert_int_equal(other[k], other[0] + k);
                for (int j = 0; j < k && net->mutual && c < net->mutual[slice]; j++) {
                    assert_int_not_equal(other[j], other[k]);
                    assert_int_equal(other[j] / supi_spring_block(net->row_count),
                                     row / supi_spring_block(net->row_count));
                }
                if (spring[k] < 0) continue;
                const sup_spring* s = springs + spring[k];
                assert_true((s->a == row && s->b == other[k]) || (s->b == row && s->a == other[k]));
                assert_true(net->stiffness[8 * c + supi_lane_order(k)] == s->stiffness);
                met[spring[k]] += net->mutual && c < net->mutual[slice] ? 2 : 1;
            }
        }
    }
    return straight;
}

static void test_columns(void** state) {
    (void)state;
    for (int p = 0; p < PLANS; p++) {
        cloth c = cloth_make(plans[p], true), plain = cloth_make(plans[p], false);
        const supi_spring_net* nets[2] = {&c.net, &c.once};
        assert_null(plain.net.straight);
        assert_int_equal(c.net.column_count, plain.net.column_count);
        for (int k = 0; k < 2; k++) {
            int32_t* met = spring_body_new((size_t)c.net.spring_count, sizeof *met);
            int32_t straight = check_columns(nets[k], c.body.springs, met);
            for (int32_t s = 0; s < c.net.spring_count; s++) assert_int_equal(met[s], 2);
            print_message("%d x %d: %d of %d columns are straight, %d without\n", (int)plans[p].nx,
                          (int)plans[p].ny, (int)straight, (int)nets[k]->column_count,
                          (int)(k ? plain.once.column_count : plain.net.column_count));
            if (plans[p].nx > 9) assert_true(10 * straight > 8 * nets[k]->column_count);
            free(met);
        }
        assert_true(c.once.column_count <= plain.once.column_count + 1);
        cloth_free(&c);
        cloth_free(&plain);
    }
}

/* A second spring of another kind to the same row, and a row that is joined to all. */
static void test_odd_springs(void** state) {
    (void)state;
    enum { ROWS = 96, SPRINGS = ROWS - 1 + ROWS - 2 + 8 };
    sup_vec3 points[ROWS];
    float w[ROWS];
    sup_spring springs[SPRINGS];
    int32_t count = 0, met[SPRINGS] = {0};
    for (int i = 0; i < ROWS; i++) {
        points[i] = (sup_vec3){(float)i, 0.0f, 0.1f * (float)(i % 3)};
        w[i] = 1.0f;
    }
    for (int i = 0; i + 1 < ROWS; i++) {
        springs[count++] = (sup_spring){i, i + 1, 1.0f, (float)(100 + i), 1.0f, 0, false};
    }
    for (int i = 0; i + 2 < ROWS; i++) {
        springs[count++] = (sup_spring){0, i + 2, 1.0f, 50.0f, 1.0f, 0, false};
    }
    for (int i = 0; i < 8; i++) {
        springs[count++] = (sup_spring){i + 8, i + 9, 1.0f, 10.0f, 1.0f, SUP_SPRING_BEND, false};
    }
    assert_int_equal(count, SPRINGS);
    spring_body body = spring_body_make(points, w, ROWS, springs, SPRINGS, 0.0);
    int32_t used[ROWS], columns[ROWS / 8 + 1], straight[ROWS / 8];
    supi_arena arena;
    supi_arena_init(&arena, sup_allocator_default());
    const supi_net_source source = {
        .row_count = ROWS, .spring_count = count, .springs = springs, .inverse_mass = w};
    supi_net_rooms rooms = {.used = used, .columns = columns, .straight = straight};
    assert_true(supi_net_push(&arena, supi_net_cut(&source, &rooms), &rooms));
    supi_spring_net net = supi_net_fill(&source, &rooms), once;
    assert_true(check_columns(&net, springs, met) > ROWS / 8);
    assert_true(supi_net_once(&net, &arena, &arena, &once));
    check_columns(&once, springs, met);
    for (int s = 0; s < SPRINGS; s++) assert_int_equal(met[s], 4);
    supi_arena_free(&arena);
    spring_body_free(&body);
}

/* ---- The same bits ---- */

static void assert_same_rows(const sup_row* a, const sup_row* b, int32_t count) {
    assert_memory_equal(a, b, (size_t)count * sizeof *a);
}

/* All that kernels make of a net. */
typedef struct outcome {
    sup_row *f, *g;
    supi_spring_tangent8* tangents;
    supi_spring_rows8* rows;
    supi_spring_sums sums;
    double product;
} outcome;

static outcome outcome_of(const supi_spring_kernels* k, const cloth* c, const supi_spring_net* net,
                          bool sums) {
    size_t rows = (size_t)net->row_count, columns = (size_t)net->column_count;
    outcome out = {.f = spring_body_new(rows, sizeof *out.f),
                   .g = spring_body_new(rows, sizeof *out.g),
                   .tangents = spring_body_new(columns, sizeof *out.tangents),
                   .rows = spring_body_new(rows / 8, sizeof *out.rows)};
    const supi_spring_step step = {1.0f / 60.0f, 0.5f, 1.0f / 60.0f, false};
    int32_t slices = net->row_count / 8;
    k->forces(net, 0, slices, c->body.x, c->body.v, out.f, sums ? &out.sums : NULL);
    if (net->mutual) return out;
    k->linearise(net, 0, slices, &step, c->body.x, c->body.v, out.g, out.tangents, out.rows);
    out.product = k->apply(net, 0, slices, out.tangents, out.rows, c->body.v, out.g);
    return out;
}

static void outcome_free(outcome* o) {
    free(o->f);
    free(o->g);
    free(o->tangents);
    free(o->rows);
}

static void compare(const supi_spring_kernels* k, const cloth* c, const supi_spring_net* straight,
                    bool sums) {
    supi_spring_net any = *straight;
    any.straight = NULL;
    outcome one = outcome_of(k, c, straight, sums), two = outcome_of(k, c, &any, sums);
    assert_same_rows(one.f, two.f, any.row_count);
    assert_same_rows(one.g, two.g, any.row_count);
    assert_memory_equal(one.tangents, two.tangents,
                        (size_t)any.column_count * sizeof *one.tangents);
    assert_memory_equal(&one.product, &two.product, sizeof one.product);
    assert_memory_equal(&one.sums.energy, &two.sums.energy, sizeof one.sums.energy);
    outcome_free(&one);
    outcome_free(&two);
}

static void test_same_bits(void** state) {
    (void)state;
    const sup_simd sets[] = {SUP_SIMD_SCALAR, SUP_SIMD_SSE2, SUP_SIMD_AVX2};
    for (int p = 0; p < PLANS; p++) {
        for (int slack = 0; slack < 2; slack++) {
            cloth c = cloth_make(plans[p], true);
            stir(&c);
            c.net.plain = c.once.plain = slack == 0;
            for (int t = 0; t < 3; t++) {
                const supi_kernels* k = supi_kernels_find(sets[t]);
                if (!k) continue;
                compare(k->springs, &c, &c.net, false);
                compare(k->springs, &c, &c.net, true);
                compare(k->springs, &c, &c.once, false);
            }
            cloth_free(&c);
        }
    }
}

/* ---- Groups ---- */

static void test_groups(void** state) {
    (void)state;
    const int32_t counts[] = {1, 7, 8, 9, 64, 65, 500, 513, 4097};
    for (size_t n = 0; n < sizeof counts / sizeof *counts; n++) {
        int32_t count = counts[n], rows = (count + 7) & ~7, room = (count + 63) & ~63;
        uint64_t seed = 72;
        sup_vec3* rest = spring_body_new((size_t)count, sizeof *rest);
        int32_t* of = spring_body_new((size_t)rows, sizeof *of);
        int32_t* members = spring_body_new((size_t)room, sizeof *members);
        int32_t* met = spring_body_new((size_t)rows, sizeof *met);
        supi_arena scratch;
        supi_arena_init(&scratch, sup_allocator_default());
        for (int32_t i = 0; i < count; i++) {
            rest[i] = (sup_vec3){(float)ref_random(&seed), (float)ref_random(&seed), 0.0f};
        }
        assert_true(supi_levels_order(count, rows, rest, &scratch, of, members));
        for (int32_t i = 0; i < room; i++) {
            assert_in_range(members[i], 0, rows);
            if (members[i] == rows) continue;
            met[members[i]]++;
            assert_int_equal(of[members[i]], i / 64 * 8 + i % 8);
        }
        for (int32_t i = 0; i < rows; i++) assert_int_equal(met[i], 1);
        supi_arena_free(&scratch);
        free(rest);
        free(of);
        free(members);
        free(met);
    }
}

/* Boxes of rows take fewer iterations than rows one after the other in lines. */
static void test_iterations(void** state) {
    (void)state;
    const spring_cloth plan = {60, 60, 0.02, 0.0002, 1000, 500, 50, 0.001, true};
    int32_t taken[2];
    for (int grouped = 0; grouped < 2; grouped++) {
        cloth c = cloth_make(plan, true);
        int32_t rows = c.net.row_count, room = (rows + 63) & ~63;
        int32_t* of = supi_arena_push(&c.arena, (size_t)rows, sizeof *of);
        int32_t* members = supi_arena_push(&c.arena, (size_t)room, sizeof *members);
        assert_true(supi_levels_order(c.body.count, rows, c.body.rest, &c.scratch, of, members));
        if (grouped) c.net.groups = (supi_spring_groups){of, members};
        void* memory = spring_body_new(supi_implicit_scratch_size(&c.net), 1);
        sup_row* dv = spring_body_new((size_t)rows, sizeof *dv);
        supi_implicit_scratch scratch = supi_implicit_scratch_place(&c.net, memory);
        for (int32_t i = 0; i < c.body.count; i++) {
            if (c.w[i] > 0.0f) c.body.f[i].z = -9.81f / c.w[i];
        }
        const supi_implicit step = {.kernels = supi_kernels_find(SUP_SIMD_AUTO),
                                    .net = &c.net,
                                    .force = c.body.f,
                                    .h = 1.0f / 60.0f,
                                    .levels = true,
                                    .tolerance = 1e-4,
                                    .iterations = 2000,
                                    .newton = 1};
        taken[grouped] = 0;
        for (int i = 0; i < 3; i++) {
            supi_implicit_report report =
                supi_implicit_step(&step, &scratch, c.body.x, c.body.v, dv);
            assert_false(report.failed);
            assert_true(report.residual <= 1e-4);
            taken[grouped] += report.iterations;
        }
        free(memory);
        free(dv);
        cloth_free(&c);
    }
    print_message("iterations: rows in lines %d, boxes %d\n", (int)taken[0], (int)taken[1]);
    assert_true(3 * taken[1] < 2 * taken[0]);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_columns),    cmocka_unit_test(test_odd_springs),
        cmocka_unit_test(test_same_bits),  cmocka_unit_test(test_groups),
        cmocka_unit_test(test_iterations),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
