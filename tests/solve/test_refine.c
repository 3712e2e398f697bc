/* Cloth that is cut where it bends: masses, springs and ties of any state of its cells are those of
   one and the same cloth, and points come and go without a jolt. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "allocators.h"
#include "ref/ref_random.h"
#include "solve/implicit.h"
#include "solve/refine.h"

#include <math.h>
#include <string.h>

enum { CELLS = 10 };
#define BENT 0.9659258262890683 /* cosines of 15 and 6 degrees */
#define FLAT 0.9945218953682733

static const supi_refine_rules even = {BENT, FLAT, false}, seed = {BENT, FLAT, true};

/* A square of 1 m. */
typedef struct sheet {
    test_allocator counter;
    supi_arena arena;
    supi_refine_grid grid;
    supi_refine refine;
    int32_t points, side; /* points, and those along a side */
    int32_t* row_of;
    sup_vec3* rest;
    float* inverse_mass;
    sup_row *x, *v;
} sheet;

static sheet* sheet_of(int32_t cells, int32_t levels, double bend) {
    sheet* s = calloc(1, sizeof *s);
    s->side = (cells << levels) + 1;
    s->points = s->side * s->side;
    int32_t rows = (s->points + 7) & ~7;
    s->row_of = calloc((size_t)s->points, sizeof *s->row_of);
    s->rest = calloc((size_t)rows, sizeof *s->rest);
    s->inverse_mass = calloc((size_t)rows, sizeof *s->inverse_mass);
    s->x = calloc((size_t)rows, sizeof *s->x);
    s->v = calloc((size_t)rows, sizeof *s->v);
    for (int32_t p = 0; p < s->points; p++) {
        int32_t row = (int32_t)((int64_t)p * 7 % s->points); /* rows need not be in order */
        if (s->points % 7 == 0) row = p;
        s->row_of[p] = row;
        s->rest[row] = (sup_vec3){(float)(p % s->side) / (float)(s->side - 1), 0,
                                  (float)(p / s->side) / (float)(s->side - 1)};
        s->inverse_mass[row] = 1.0f;
        s->x[row] = (sup_row){s->rest[row].x, 0, s->rest[row].z, 0};
    }
    s->grid = (supi_refine_grid){.cells = {cells, cells},
                                 .levels = levels,
                                 .row_count = rows,
                                 .stretch = {1000, 1000},
                                 .bend = {bend, bend},
                                 .shear = 500,
                                 .mass = 0.2 / (cells * cells),
                                 .damping = 0.05,
                                 .row_of = s->row_of,
                                 .rest = s->rest,
                                 .inverse_mass = s->inverse_mass};
    supi_arena_init(&s->arena, test_allocator_init(&s->counter));
    assert_true(supi_refine_push(&s->arena, &s->grid, &s->refine));
    supi_refine_make(&s->grid, &even, &s->refine);
    return s;
}

static void free_sheet(sheet* s) {
    supi_arena_free(&s->arena);
    assert_int_equal(s->counter.blocks, 0);
    free(s->row_of);
    free(s->rest);
    free(s->inverse_mass);
    free(s->x);
    free(s->v);
    free(s);
}

/* Cells of level 0 from .. to-1 along both sides get a level. */
static void set_levels(sheet* s, int32_t from_i, int32_t to_i, int32_t from_j, int32_t to_j,
                       int32_t level) {
    int32_t size = 1 << s->grid.levels, n = s->side - 1;
    for (int32_t j = from_j * size; j < to_j * size; j++) {
        for (int32_t i = from_i * size; i < to_i * size; i++) {
            s->refine.level[j * n + i] = (uint8_t)level;
        }
    }
    assert_true(supi_refine_fits(&s->grid, s->refine.level));
}

/* ---- Statics in doubles: the sheet in its plane, ends held along x ---- */

typedef double pair[2];

static bool is_free(const sheet* s, int32_t row, int k) {
    bool end = s->rest[row].x == 0.0f || s->rest[row].x == 1.0f;
    return s->refine.mass[row] > 0.0f && !(k == 0 && end);
}

static void spread(const sheet* s, pair* x) {
    for (int32_t i = 0; i < s->refine.tie_count; i++) {
        const supi_tie* t = s->refine.ties + i;
        for (int k = 0; k < 2; k++) x[t->row][k] = 0.5 * (x[t->a][k] + x[t->b][k]);
    }
}

static void collect(const sheet* s, pair* f) {
    for (int32_t i = s->refine.tie_count - 1; i >= 0; i--) {
        const supi_tie* t = s->refine.ties + i;
        for (int k = 0; k < 2; k++) {
            f[t->a][k] += 0.5 * f[t->row][k];
            f[t->b][k] += 0.5 * f[t->row][k];
            f[t->row][k] = 0.0;
        }
    }
}

/* Forces at x, or with p what their derivative does to it. */
static void pull(const sheet* s, const pair* x, const pair* p, pair* f) {
    memset(f, 0, (size_t)s->points * sizeof *f);
    for (int32_t i = 0; i < s->refine.spring_count; i++) {
        const sup_spring* e = s->refine.springs + i;
        double d[2] = {x[e->b][0] - x[e->a][0], x[e->b][1] - x[e->a][1]}, l = hypot(d[0], d[1]);
        double rest = hypot((double)s->rest[e->b].x - (double)s->rest[e->a].x,
                            (double)s->rest[e->b].z - (double)s->rest[e->a].z);
        double k = (double)e->stiffness, across = k * (1.0 - rest / l), along = 0.0;
        double dp[2] = {d[0], d[1]};
        if (p) {
            for (int c = 0; c < 2; c++) dp[c] = p[e->b][c] - p[e->a][c];
            along = k * rest / l * (d[0] * dp[0] + d[1] * dp[1]) / (l * l);
        }
        for (int c = 0; c < 2; c++) {
            double force = across * dp[c] + along * d[c];
            f[e->a][c] += force;
            f[e->b][c] -= force;
        }
    }
    collect(s, f);
}

/* Newton's method; x in equilibrium, its ends where they were. */
static void relax(const sheet* s, pair* x) {
    size_t count = (size_t)s->points;
    pair *f = calloc(count, sizeof *f), *p = calloc(count, sizeof *p),
         *g = calloc(count, sizeof *g), *d = calloc(count, sizeof *d);
    for (int step = 0; step < 8; step++) {
        double rho = 0.0, first;
        spread(s, x);
        pull(s, (const pair*)x, NULL, f);
        memset(d, 0, count * sizeof *d);
        for (int32_t i = 0; i < 2 * s->points; i++) {
            f[i / 2][i % 2] = is_free(s, i / 2, i % 2) ? f[i / 2][i % 2] : 0.0;
            p[i / 2][i % 2] = f[i / 2][i % 2];
            rho += f[i / 2][i % 2] * f[i / 2][i % 2];
        }
        first = rho;
        for (int c = 0; c < 2000 && rho > 1e-24 * first && rho > 1e-24; c++) {
            double curvature = 0.0, next = 0.0;
            spread(s, p);
            pull(s, (const pair*)x, (const pair*)p, g);
            for (int32_t i = 0; i < 2 * s->points; i++) {
                double* gi = &g[i / 2][i % 2];
                *gi = is_free(s, i / 2, i % 2) ? -*gi : 0.0;
                curvature += *gi * p[i / 2][i % 2];
            }
            for (int32_t i = 0; i < 2 * s->points; i++) {
                d[i / 2][i % 2] += rho / curvature * p[i / 2][i % 2];
                f[i / 2][i % 2] -= rho / curvature * g[i / 2][i % 2];
                next += f[i / 2][i % 2] * f[i / 2][i % 2];
            }
            for (int32_t i = 0; i < 2 * s->points; i++) {
                p[i / 2][i % 2] = f[i / 2][i % 2] + next / rho * p[i / 2][i % 2];
            }
            rho = next;
        }
        for (int32_t i = 0; i < 2 * s->points; i++) x[i / 2][i % 2] += d[i / 2][i % 2];
    }
    spread(s, x);
    free(f), free(p), free(g), free(d);
}

/* N/m of width and strain, when the sheet is stretched by 5 % and free at its long sides; the
   places in `x`. */
static double tension(const sheet* s, pair* x) {
    pair* f = calloc((size_t)s->points, sizeof *f);
    double sum = 0.0;
    for (int32_t row = 0; row < s->points; row++) {
        x[row][0] = 1.05 * (double)s->rest[row].x;
        x[row][1] = (double)s->rest[row].z;
    }
    relax(s, x);
    pull(s, (const pair*)x, NULL, f);
    for (int32_t row = 0; row < s->points; row++) {
        if (s->rest[row].x == 0.0f) sum += f[row][0];
    }
    free(f);
    return sum / 0.05;
}

static double tension_at(int32_t level, double bend, const supi_refine_rules* rules) {
    sheet* s = sheet_of(CELLS, level, bend);
    pair* x = calloc((size_t)s->points, sizeof *x);
    set_levels(s, 0, CELLS, 0, CELLS, level);
    supi_refine_make(&s->grid, rules, &s->refine);
    double found = tension(s, x);
    free(x);
    free_sheet(s);
    return found;
}

static void all_levels_pull_alike(void** state) {
    (void)state;
    const double known[3] = {1552, 1564, 1569};
    const double flat = tension_at(0, 0, &even);
    for (int32_t level = 0; level < 3; level++) {
        double found = tension_at(level, 50, &even);
        assert_true(fabs(found - known[level]) < 1.0);
        assert_true(fabs(found - known[0]) < 0.02 * known[0]);
        double doubled = tension_at(level, 50, &seed);
        assert_true(fabs(doubled - ldexp(found, level)) < 1e-5 * doubled);
        assert_true(fabs(tension_at(level, 0, &even) - flat) < 1e-5 * flat);
    }
}

/* A state that is strained alike everywhere stays one where fine cells meet coarse ones. */
static void check_patch(int32_t from, int32_t to, int32_t from_j, int32_t to_j, int32_t levels) {
    const double flat = tension_at(0, 0, &even);
    sheet* s = sheet_of(CELLS, levels, 0);
    pair* x = calloc((size_t)s->points, sizeof *x);
    set_levels(s, from, to, from_j, to_j, 1);
    supi_refine_make(&s->grid, &even, &s->refine);
    assert_true(s->refine.tie_count > 0);
    assert_true(fabs(tension(s, x) - flat) < 1e-5 * flat);
    double narrow = 0.0, middle = 0.0;
    for (int32_t row = 0; row < s->points; row++) {
        if (s->rest[row].x == 0.0f && s->rest[row].z == 0.0f) middle = x[row][1];
        if (s->rest[row].x == 0.0f && s->rest[row].z == 1.0f) narrow = x[row][1];
    }
    narrow -= middle;
    for (int32_t row = 0; row < s->points; row++) {
        if (s->refine.loose[row] == 0.0f) continue;
        assert_true(fabs(x[row][0] - 1.05 * (double)s->rest[row].x) < 1e-6);
        assert_true(fabs(x[row][1] - middle - narrow * (double)s->rest[row].z) < 1e-6);
    }
    /* Each spring is strained as one along it would be in the whole sheet. */
    for (int32_t i = 0; i < s->refine.spring_count; i++) {
        const sup_spring* e = s->refine.springs + i;
        double rest[2] = {(double)s->rest[e->b].x - (double)s->rest[e->a].x,
                          (double)s->rest[e->b].z - (double)s->rest[e->a].z};
        double length = hypot(x[e->b][0] - x[e->a][0], x[e->b][1] - x[e->a][1]);
        double even_length = hypot(1.05 * rest[0], narrow * rest[1]);
        assert_true(fabs(length - even_length) < 1e-6 * hypot(rest[0], rest[1]));
    }
    free(x);
    free_sheet(s);
}

static void fine_and_coarse_fit_together(void** state) {
    (void)state;
    check_patch(0, CELLS / 2, 0, CELLS, 1);
    check_patch(3, 7, 3, 7, 1);
    check_patch(3, 7, 3, 7, 2);
}

/* ---- Motion with ties ---- */

/* Half of it fine and pulled out of shape; hanging rows weigh nothing in an implicit step. */
static sheet* mixed_sheet(void) {
    uint64_t random = 5;
    sheet* s = sheet_of(6, 1, 50);
    set_levels(s, 0, 3, 0, 6, 1);
    supi_refine_make(&s->grid, &even, &s->refine);
    for (int32_t row = 0; row < s->points; row++) {
        s->x[row].y = (float)(0.02 * ref_random(&random));
        s->x[row].w = s->refine.inverse[row];
    }
    supi_refine_follow(&s->grid, &s->refine, s->x);
    return s;
}

/* However strained it is, momentum grows by gravity alone, and the tied stay the mean of their
 * ends.
 */
static void ties_hold_in_implicit_steps(void** state) {
    (void)state;
    const float h = 1.0f / 240.0f;
    sheet* s = mixed_sheet();
    const supi_refine* r = &s->refine;
    size_t rows = (size_t)s->grid.row_count;
    void* memory = aligned_alloc(64, (supi_implicit_scratch_size(&r->net) + 63) / 64 * 64);
    supi_implicit_scratch scratch = supi_implicit_scratch_place(&r->net, memory);
    sup_row *force = calloc(rows, sizeof *force), *dv = calloc(rows, sizeof *dv);
    for (size_t row = 0; row < rows; row++) force[row].y = -9.81f * r->mass[row];
    for (int32_t i = 0; i < r->tie_count; i++) s->x[r->ties[i].row].w = SUPI_TIED;
    assert_true(r->tie_count > 0);
    for (int newton = 1; newton < 4; newton += 2) {
        const supi_implicit step = {.kernels = supi_kernels_find(SUP_SIMD_AUTO),
                                    .net = &r->net,
                                    .force = force,
                                    .tie_count = r->tie_count,
                                    .ties = r->ties,
                                    .h = h,
                                    .tolerance = 1e-6,
                                    .iterations = 500,
                                    .newton = newton};
        double before = 0.0, after = 0.0;
        for (int32_t i = 0; i < s->points; i++) before += (double)(r->mass[i] * s->v[i].y);
        supi_implicit_report report = supi_implicit_step(&step, &scratch, s->x, s->v, dv);
        assert_false(report.failed);
        assert_int_equal(report.negative, 0);
        assert_true(report.residual < 1e-5);
        for (int32_t i = 0; i < s->points; i++) after += (double)(r->mass[i] * s->v[i].y);
        assert_true(fabs(after - before + 0.2 * 9.81 * (double)h) < 1e-6);
        for (int32_t i = 0; i < r->tie_count; i++) {
            const supi_tie* t = r->ties + i;
            assert_true(fabsf(2 * s->v[t->row].y - s->v[t->a].y - s->v[t->b].y) < 1e-5f);
            assert_true(fabsf(2 * s->x[t->row].y - s->x[t->a].y - s->x[t->b].y) < 1e-6f);
        }
    }
    free(memory), free(force), free(dv);
    free_sheet(s);
}

/* ---- Points that come and go ---- */

typedef struct sums {
    double mass, momentum[3], energy, speed;
} sums;

static sums sum_up(const sheet* s) {
    sums all = {0};
    for (int32_t row = 0; row < s->points; row++) {
        const sup_row* v = s->v + row;
        double m = (double)s->refine.mass[row], u[3] = {(double)v->x, (double)v->y, (double)v->z};
        all.mass += m;
        for (int k = 0; k < 3; k++) {
            all.momentum[k] += m * u[k];
            all.energy += 0.5 * m * u[k] * u[k];
            all.speed += m * fabs(u[k]);
        }
    }
    return all;
}

static void check_sums(const sums* before, const sums* after) {
    assert_true(fabs(after->mass - before->mass) <= 1e-6 * before->mass);
    for (int k = 0; k < 3; k++) {
        assert_true(fabs(after->momentum[k] - before->momentum[k]) <= 1e-6 * before->speed);
    }
    assert_true(after->energy <= before->energy * (1 + 1e-6));
}

/* Places bent at random, so that cells all over the sheet are cut; or flat, so that they join. */
static void crumple(sheet* s, uint64_t* random, double height) {
    for (int32_t row = 0; row < s->points; row++) {
        s->x[row].y = (float)(height * ref_random(random));
    }
    supi_refine_follow(&s->grid, &s->refine, s->x);
}

static void stir(sheet* s, uint64_t* random) {
    for (int32_t row = 0; row < s->points; row++) {
        s->v[row] = (sup_row){(float)ref_random(random), (float)ref_random(random),
                              (float)ref_random(random), 0.0f};
    }
    supi_refine_follow(&s->grid, &s->refine, s->v);
}

static void changes_keep_momentum(void** state) {
    (void)state;
    uint64_t random = 7;
    sheet* s = sheet_of(5, 3, 50);
    int32_t cuts = 0, joins = 0;
    for (int round = 0; round < 200; round++) {
        double height = round / 25 % 2 ? 0.0 : 0.03;
        crumple(s, &random, height);
        stir(s, &random);
        sums before = sum_up(s);
        int32_t leaves = s->refine.leaf_count;
        int32_t changed = supi_refine_check(&s->grid, &even, NULL, s->x, s->v, &s->refine);
        sums after = sum_up(s);
        check_sums(&before, &after);
        assert_true(fabs(after.mass - 0.2) < 1e-6 * 0.2);
        assert_true(changed <= (leaves / 20 > 4 ? leaves / 20 + 3 : 4));
        assert_true(supi_refine_fits(&s->grid, s->refine.level));
        assert_true(s->refine.spring_count <= s->refine.spring_room);
        for (int32_t i = 0; i < s->refine.net.row_count / 8; i++) {
            int32_t sides = s->refine.net.columns[i + 1] - s->refine.net.columns[i];
            assert_true(sides <= 20); /* what there is room for */
        }
        cuts += s->refine.leaf_count > leaves;
        joins += s->refine.leaf_count < leaves;
    }
    assert_true(cuts > 20 && joins > 20);
    free_sheet(s);
}

/* Rows that follow do not matter to momentum, and a turn of the whole stays that turn. */
static void new_points_turn_along(void** state) {
    (void)state;
    sheet* s = sheet_of(4, 2, 50);
    for (int32_t row = 0; row < s->points; row++) {
        s->v[row] = (sup_row){s->rest[row].z, 1.0f, -s->rest[row].x, 0.0f};
    }
    supi_refine_follow(&s->grid, &s->refine, s->v);
    set_levels(s, 0, 2, 0, 2, 1);
    supi_refine_make(&s->grid, &even, &s->refine);
    for (int32_t row = 0; row < s->points; row++) {
        assert_true(fabsf(s->v[row].x - s->rest[row].z) < 1e-6f);
        assert_true(fabsf(s->v[row].z + s->rest[row].x) < 1e-6f);
    }
    free_sheet(s);
}

/* Only a ridge is cut, at most by the levels there are, and flat cloth becomes coarse again. */
static void ridges_are_cut(void** state) {
    (void)state;
    sheet* s = sheet_of(8, 2, 50);
    for (int round = 0; round < 100; round++) {
        for (int32_t row = 0; row < s->points; row++) {
            s->x[row].y = 0.5f - 0.5f * fabsf(s->rest[row].x - 0.5f);
        }
        supi_refine_follow(&s->grid, &s->refine, s->x);
        supi_refine_check(&s->grid, &even, NULL, s->x, s->v, &s->refine);
    }
    assert_int_equal(s->refine.deepest, 2);
    int32_t n = s->side - 1;
    for (int32_t c = 0; c < n * n; c++) {
        int32_t from_ridge = abs(2 * (c % n) + 1 - n) / 2; /* finest cells */
        if (from_ridge < 1) assert_int_equal(s->refine.level[c], 2);
        if (from_ridge >= 8) assert_int_equal(s->refine.level[c], 0);
    }
    for (int round = 0; round < 100; round++) {
        for (int32_t row = 0; row < s->points; row++) s->x[row].y = 0.0f;
        supi_refine_check(&s->grid, &even, NULL, s->x, s->v, &s->refine);
    }
    assert_int_equal(s->refine.leaf_count, 64);
    free_sheet(s);
}

/* What is pinned or held is active, and stays. */
static void held_points_stay(void** state) {
    (void)state;
    sheet* s = sheet_of(4, 3, 50);
    int32_t pinned = s->row_of[5], grasped = s->row_of[17 * s->side + 11];
    uint8_t* held = calloc((size_t)s->grid.row_count, 1);
    s->inverse_mass[pinned] = 0.0f;
    held[grasped] = 1;
    assert_true(supi_refine_hold(&s->grid, held, &s->refine) > 0);
    supi_refine_make(&s->grid, &even, &s->refine);
    for (int round = 0; round < 40; round++) {
        assert_true(supi_refine_fits(&s->grid, s->refine.level));
        assert_true(s->refine.mass[pinned] > 0.0f && s->refine.inverse[pinned] == 0.0f);
        assert_true(s->refine.inverse[grasped] > 0.0f);
        assert_int_equal(supi_refine_check(&s->grid, &even, held, s->x, s->v, &s->refine), 0);
    }
    assert_int_equal(supi_refine_hold(&s->grid, held, &s->refine), 0);
    free(held);
    free_sheet(s);
}

static void levels_that_cannot_be_are_found(void** state) {
    (void)state;
    sheet* s = sheet_of(2, 2, 50);
    uint8_t* level = s->refine.level;
    assert_true(supi_refine_fits(&s->grid, level));
    level[0] = 3;
    assert_false(supi_refine_fits(&s->grid, level));
    level[0] = 1;
    assert_false(supi_refine_fits(&s->grid, level));
    memset(level, 0, 64);
    for (int32_t j = 0; j < 4; j++) memset(level + 8 * j, 2, 4);
    assert_false(supi_refine_fits(&s->grid, level));
    free_sheet(s);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(all_levels_pull_alike),
        cmocka_unit_test(fine_and_coarse_fit_together),
        cmocka_unit_test(ties_hold_in_implicit_steps),
        cmocka_unit_test(changes_keep_momentum),
        cmocka_unit_test(new_points_turn_along),
        cmocka_unit_test(ridges_are_cut),
        cmocka_unit_test(held_points_stay),
        cmocka_unit_test(levels_that_cannot_be_are_found),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
