/* Pairs of one run that meets itself: the same as brute force, in order, for every copy of the
   kernels and every worker count. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "allocators.h"
#include "contact/boxes.h"
#include "contact/grid.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { ROWS = 1500, BEFORE = 3 }; /* rows of others before those of the run */

typedef struct crowd {
    sup_row x[BEFORE + ROWS], v[BEFORE + ROWS];
    int32_t starts[ROWS + 1], joined[ROWS];
    supi_self self;
    supi_run run;
} crowd;

static uint64_t random_state;

static float uniform(float low, float high) {
    random_state = random_state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return low + (high - low) * (float)((double)(random_state >> 11) * 0x1p-53);
}

/* Every seventh row meets nobody, and each spares the next but one. */
static void make_crowd(crowd* c, const float sides[3], float centre, float radius) {
    random_state = 7;
    memset(c, 0, sizeof *c);
    for (int32_t i = 0; i < BEFORE + ROWS; i++) {
        c->x[i] = (sup_row){centre + uniform(0, sides[0]), centre + uniform(0, sides[1]),
                            centre + uniform(0, sides[2]), 1};
        c->v[i].w = i % 7 == 0 ? 0 : uniform(0.5f * radius, radius);
    }
    for (int32_t i = 0; i < ROWS; i++) {
        c->starts[i + 1] = i + 2 < ROWS ? i + 1 : c->starts[i];
        c->joined[i] = i + 2;
    }
    c->self = (supi_self){.joined = c->joined, .joined_starts = c->starts};
    c->run = (supi_run){.first = BEFORE, .count = ROWS, .self = &c->self};
    fit_box(&c->run, c->x, c->v);
}

static bool meet(const crowd* c, int32_t a, int32_t b, float margin) {
    float dx = c->x[a].x - c->x[b].x, dy = c->x[a].y - c->x[b].y, dz = c->x[a].z - c->x[b].z;
    float sum = c->v[a].w + c->v[b].w + margin;
    return c->v[a].w > 0 && c->v[b].w > 0 && dx * dx + dy * dy + dz * dz < sum * sum && b != a + 2;
}

/* How many pairs there are. */
static int32_t check(const crowd* c, const supi_grid* grid, float margin) {
    int32_t next = 0, end = BEFORE + c->run.count;
    for (int32_t a = BEFORE; a < end; a++) {
        for (int32_t b = a + 1; b < end; b++) {
            if (!meet(c, a, b, margin)) continue;
            assert_true(next < grid->pair_count);
            assert_int_equal(grid->pairs[next].a, a);
            assert_int_equal(grid->pairs[next].b, b);
            next++;
        }
    }
    assert_int_equal(grid->pair_count, next);
    assert_int_equal(grid->group_count, next > 0);
    if (next > 0) assert_int_equal(grid->groups[0].count, next);
    return next;
}

static void find(supi_grid* grid, const crowd* c, int32_t workers, float margin) {
    supi_tasks* tasks = NULL;
    assert_int_equal(supi_tasks_create(sup_allocator_default(), workers, NULL, &tasks, NULL),
                     SUP_OK);
    assert_int_equal(
        supi_grid_find_self(grid, sup_allocator_default(), tasks, &c->run, c->x, c->v, margin),
        SUP_OK);
    supi_tasks_destroy(tasks);
}

typedef struct shape {
    float sides[3], centre, radius, margin;
    bool fits; /* cells of its box have numbers */
} shape;

static const shape shapes[] = {
    {{1, 1, 1}, 0, 0.05f, 0, true},          {{1, 1, 1}, -0.5f, 0.04f, 0.05f, true},
    {{100, 0.1f, 0.1f}, 0, 0.1f, 0, true},   {{0.1f, 30, 2}, 1000, 0.1f, 0, true},
    {{1, 1, 0}, 0, 0.02f, 0.01f, true},      {{0.01f, 0.01f, 0.01f}, 5, 1, 0, true}, /* one heap */
    {{100, 100, 100}, 0, 0.05f, 0.1f, false}};

static void equals_brute_force(void** state) {
    (void)state;
    const sup_simd copies[] = {SUP_SIMD_SCALAR, SUP_SIMD_SSE2, SUP_SIMD_AVX2, SUP_SIMD_AUTO};
    const int32_t workers[] = {1, 2, 8, 1};
    crowd* c = malloc(sizeof *c);
    for (size_t i = 0; i < sizeof shapes / sizeof *shapes; i++) {
        const shape* s = &shapes[i];
        make_crowd(c, s->sides, s->centre, s->radius);
        assert_int_equal(supi_crowd_fits(&c->run, s->margin), s->fits);
        for (int k = 0; k < 4; k++) {
            supi_grid grid = {.kernels = supi_near_kernels_find(copies[k])};
            if (!grid.kernels) continue;
            find(&grid, c, workers[k], s->margin);
            int32_t pairs = check(c, &grid, s->margin);
            assert_true(!s->fits || pairs > 500);
            supi_grid_free(&grid, sup_allocator_default());
        }
    }
    free(c);
}

/* Rows that are nowhere meet nobody, and rows beyond the box that was told are found as well. */
static void odd_rows(void** state) {
    (void)state;
    crowd* c = malloc(sizeof *c);
    make_crowd(c, (float[3]){1, 1, 1}, 0, 0.05f);
    c->run.high[0] = 0.5f;
    c->run.low[1] = 0.25f;
    c->x[BEFORE + 10].y = NAN;
    c->x[BEFORE + 11].x = INFINITY;
    c->x[BEFORE + 12] = (sup_row){-INFINITY, INFINITY, NAN, 1};
    supi_grid grid = {0};
    find(&grid, c, 2, 0);
    assert_true(check(c, &grid, 0) > 500);
    supi_grid_free(&grid, sup_allocator_default());
    free(c);
}

/* Fewer rows than workers. */
static void few_rows(void** state) {
    (void)state;
    crowd* c = malloc(sizeof *c);
    supi_grid grid = {0};
    for (int32_t count = 1; count <= 20; count++) {
        make_crowd(c, (float[3]){0.1f, 0.1f, 0.1f}, 0, 0.05f);
        c->run.count = count;
        fit_box(&c->run, c->x, c->v);
        assert_true(supi_crowd_fits(&c->run, 0));
        find(&grid, c, 8, 0);
        assert_true(check(c, &grid, 0) > 0 || count < 6);
    }
    supi_grid_free(&grid, sup_allocator_default());
    free(c);
}

/* Wherever memory runs out there are no pairs, and the next call finds them all; a warm one needs
   none. */
static void memory_is_kept_and_may_run_out(void** state) {
    (void)state;
    crowd* c = malloc(sizeof *c);
    make_crowd(c, (float[3]){1, 1, 1}, 0, 0.05f);
    supi_tasks* tasks = NULL;
    assert_int_equal(supi_tasks_create(sup_allocator_default(), 1, NULL, &tasks, NULL), SUP_OK);
    test_allocator counter;
    const sup_allocator* allocator = test_allocator_init(&counter);
    supi_grid grid = {0};
    assert_int_equal(supi_grid_find_self(&grid, allocator, tasks, &c->run, c->x, c->v, 0), SUP_OK);
    long long calls = counter.calls;
    for (int again = 0; again < 3; again++) {
        assert_int_equal(supi_grid_find_self(&grid, allocator, tasks, &c->run, c->x, c->v, 0),
                         SUP_OK);
    }
    assert_int_equal(counter.calls, calls);
    supi_grid_free(&grid, allocator);
    for (long long n = 1; n <= calls; n++) {
        test_allocator_arm(&counter, n, false);
        assert_int_equal(supi_grid_find_self(&grid, allocator, tasks, &c->run, c->x, c->v, 0),
                         SUP_NO_MEMORY);
        assert_int_equal(grid.pair_count, 0);
        assert_int_equal(grid.group_count, 0);
        test_allocator_arm(&counter, 0, false);
        assert_int_equal(supi_grid_find_self(&grid, allocator, tasks, &c->run, c->x, c->v, 0),
                         SUP_OK);
        check(c, &grid, 0);
        supi_grid_free(&grid, allocator);
        assert_int_equal(counter.blocks, 0);
    }
    supi_tasks_destroy(tasks);
    free(c);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(equals_brute_force),
        cmocka_unit_test(odd_rows),
        cmocka_unit_test(few_rows),
        cmocka_unit_test(memory_is_kept_and_may_run_out),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
