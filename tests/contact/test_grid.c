/* Pairs of particles: the same set as brute force, sorted, the same for every worker count, no
 * memory when warm. */
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
#include <time.h>

static uint64_t random_state = 1;

static double uniform(double low, double high) {
    random_state = random_state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return low + (high - low) * (double)(random_state >> 11) * 0x1p-53;
}

typedef struct cloud {
    supi_run* runs;
    sup_row *x, *v;
    int32_t run_count, row_count;
} cloud;

/* Runs of random size, place and radii around `centre`; a third of the particles are interior. */
static cloud make_cloud(int32_t run_count, int32_t run_size, double extent, double centre) {
    cloud c = {.run_count = run_count};
    c.runs = calloc((size_t)run_count, sizeof *c.runs);
    c.x = calloc((size_t)(run_count * run_size), sizeof *c.x);
    c.v = calloc((size_t)(run_count * run_size), sizeof *c.v);
    for (int32_t i = 0; i < run_count; i++) {
        supi_run* r = &c.runs[i];
        r->first = c.row_count;
        r->filter = (sup_filter){1, UINT32_MAX};
        r->count = (int32_t)uniform(0, run_size + 0.999);
        double size = uniform(0.2, 1.0), radius = uniform(0.02, 0.12);
        for (int k = 0; k < 3; k++) r->anchor[k] = centre + floor(uniform(-extent, extent) * 4) / 4;
        for (int32_t j = 0; j < r->count; j++) {
            c.x[c.row_count] = (sup_row){(float)uniform(-size, size), (float)uniform(-size, size),
                                         (float)uniform(-size, size), 1};
            c.v[c.row_count].w = j % 3 ? (float)(radius * uniform(0.5, 1)) : 0;
            c.row_count++;
        }
        fit_box(&c.runs[i], c.x, c.v);
    }
    return c;
}

static void free_cloud(cloud* c) {
    free(c->runs);
    free(c->x);
    free(c->v);
}

static bool meet(const cloud* c, int32_t run_a, int32_t a, int32_t run_b, int32_t b, float margin) {
    const double *from = c->runs[run_a].anchor, *to = c->runs[run_b].anchor;
    float dx = c->x[a].x - (c->x[b].x + (float)(to[0] - from[0]));
    float dy = c->x[a].y - (c->x[b].y + (float)(to[1] - from[1]));
    float dz = c->x[a].z - (c->x[b].z + (float)(to[2] - from[2]));
    float sum = c->v[a].w + c->v[b].w + margin;
    return c->v[a].w > 0 && c->v[b].w > 0 && dx * dx + dy * dy + dz * dz < sum * sum;
}

/* Brute force gives the pairs in the order that is asked of the grid. */
static void check(const cloud* c, const supi_grid* grid, float margin) {
    int32_t next = 0, group = 0;
    for (int32_t i = 0; i < c->run_count; i++) {
        for (int32_t j = i + 1; j < c->run_count; j++) {
            const supi_run *p = &c->runs[i], *q = &c->runs[j];
            int32_t first = next;
            for (int32_t a = p->first; a < p->first + p->count; a++) {
                for (int32_t b = q->first; b < q->first + q->count; b++) {
                    if (!meet(c, i, a, j, b, margin)) continue;
                    assert_true(next < grid->pair_count);
                    assert_int_equal(grid->pairs[next].a, a);
                    assert_int_equal(grid->pairs[next].b, b);
                    next++;
                }
            }
            if (next == first) continue;
            assert_true(group < grid->group_count);
            assert_int_equal(grid->groups[group].run_a, i);
            assert_int_equal(grid->groups[group].run_b, j);
            assert_int_equal(grid->groups[group].first, first);
            assert_int_equal(grid->groups[group].count, next - first);
            group++;
        }
    }
    assert_int_equal(grid->pair_count, next);
    assert_int_equal(grid->group_count, group);
}

static supi_tasks* make_tasks(int32_t workers) {
    supi_tasks* tasks = NULL;
    assert_int_equal(supi_tasks_create(sup_allocator_default(), workers, NULL, &tasks, NULL),
                     SUP_OK);
    return tasks;
}

static void equals_brute_force(void** state) {
    (void)state;
    const double centres[] = {0, -3, 1e7, -1e7};
    const float margins[] = {0, 0.03f};
    supi_tasks* tasks = make_tasks(1);
    supi_grid grid = {0};
    int64_t total = 0;
    for (int round = 0; round < 40; round++) {
        cloud c = make_cloud(2 + round % 20, 150, 1, centres[round % 4]);
        float margin = margins[round / 4 % 2];
        assert_int_equal(supi_grid_find(&grid, sup_allocator_default(), tasks, c.runs, c.run_count,
                                        NULL, c.x, c.v, margin),
                         SUP_OK);
        assert_int_equal(grid.skipped, 0);
        check(&c, &grid, margin);
        total += grid.pair_count;
        free_cloud(&c);
    }
    assert_true(total > 2000);
    supi_grid_free(&grid, sup_allocator_default());
    supi_tasks_destroy(tasks);
}

/* One run under many: more neighbours than are tested one by one. */
static void one_big_run_under_many(void** state) {
    (void)state;
    cloud c = make_cloud(60, 120, 2.5, 0);
    supi_run* floor_run = &c.runs[59];
    for (int k = 0; k < 3; k++) floor_run->anchor[k] = 0;
    for (int32_t i = floor_run->first; i < floor_run->first + floor_run->count; i++) {
        c.x[i] = (sup_row){(float)uniform(-3, 3), 0, (float)uniform(-3, 3), 1};
        c.v[i].w = 0.3f;
    }
    fit_box(&c.runs[59], c.x, c.v);
    supi_tasks* tasks = make_tasks(1);
    supi_grid grid = {0};
    assert_int_equal(supi_grid_find(&grid, sup_allocator_default(), tasks, c.runs, c.run_count,
                                    NULL, c.x, c.v, 0),
                     SUP_OK);
    check(&c, &grid, 0);
    assert_true(grid.group_count > 20);
    supi_grid_free(&grid, sup_allocator_default());
    supi_tasks_destroy(tasks);
    free_cloud(&c);
}

static void particles_beyond_all_cells_are_skipped(void** state) {
    (void)state;
    cloud c = make_cloud(2, 1, 0, 0);
    for (int32_t i = 0; i < 2; i++) {
        c.runs[i] =
            (supi_run){.first = i, .count = 1, .filter = {1, UINT32_MAX}, .anchor = {1e9, 0, 0}};
        c.x[i] = (sup_row){0, 0, 0, 1};
        c.v[i].w = 0.1f;
        fit_box(&c.runs[i], c.x, c.v);
    }
    supi_tasks* tasks = make_tasks(1);
    supi_grid grid = {0};
    assert_int_equal(
        supi_grid_find(&grid, sup_allocator_default(), tasks, c.runs, 2, NULL, c.x, c.v, 0),
        SUP_OK);
    assert_int_equal(grid.skipped, 2);
    assert_int_equal(grid.pair_count, 0);
    assert_int_equal(
        supi_grid_find(&grid, sup_allocator_default(), tasks, c.runs, 0, NULL, c.x, c.v, 0),
        SUP_OK);
    assert_int_equal(grid.skipped, 0);
    supi_grid_free(&grid, sup_allocator_default());
    supi_tasks_destroy(tasks);
    free_cloud(&c);
}

static void same_for_every_worker_count(void** state) {
    (void)state;
    const int32_t workers[] = {1, 2, 8};
    cloud c = make_cloud(200, 100, 2, 0);
    supi_grid grids[3] = {{0}};
    for (int k = 0; k < 3; k++) {
        supi_tasks* tasks = make_tasks(workers[k]);
        for (int again = 0; again < 5; again++) {
            assert_int_equal(supi_grid_find(&grids[k], sup_allocator_default(), tasks, c.runs,
                                            c.run_count, NULL, c.x, c.v, 0),
                             SUP_OK);
            assert_int_equal(grids[k].pair_count, grids[0].pair_count);
            assert_int_equal(grids[k].group_count, grids[0].group_count);
            assert_memory_equal(grids[k].pairs, grids[0].pairs,
                                (size_t)grids[0].pair_count * sizeof(supi_pair));
            assert_memory_equal(grids[k].groups, grids[0].groups,
                                (size_t)grids[0].group_count * sizeof(supi_pair_group));
        }
        supi_tasks_destroy(tasks);
    }
    assert_true(grids[0].pair_count > 1000);
    for (int k = 0; k < 3; k++) supi_grid_free(&grids[k], sup_allocator_default());
    free_cloud(&c);
}

static void memory_is_kept_and_may_run_out(void** state) {
    (void)state;
    cloud c = make_cloud(30, 60, 1, 0);
    supi_tasks* tasks = make_tasks(3);
    test_allocator counter;
    const sup_allocator* allocator = test_allocator_init(&counter);
    supi_grid grid = {0};
    assert_int_equal(
        supi_grid_find(&grid, allocator, tasks, c.runs, c.run_count, NULL, c.x, c.v, 0), SUP_OK);
    long long calls = counter.calls;
    for (int again = 0; again < 20; again++) {
        assert_int_equal(
            supi_grid_find(&grid, allocator, tasks, c.runs, c.run_count, NULL, c.x, c.v, 0),
            SUP_OK);
    }
    assert_int_equal(counter.calls, calls);
    supi_grid_free(&grid, allocator);
    assert_int_equal(counter.blocks, 0);

    for (long long n = 1; n <= calls; n++) {
        for (int on = 0; on < 2; on++) {
            test_allocator_arm(&counter, n, on);
            assert_int_equal(
                supi_grid_find(&grid, allocator, tasks, c.runs, c.run_count, NULL, c.x, c.v, 0),
                SUP_NO_MEMORY);
            assert_int_equal(grid.pair_count, 0);
            assert_int_equal(grid.group_count, 0);
            test_allocator_arm(&counter, 0, false);
            assert_int_equal(
                supi_grid_find(&grid, allocator, tasks, c.runs, c.run_count, NULL, c.x, c.v, 0),
                SUP_OK);
            check(&c, &grid, 0);
            supi_grid_free(&grid, allocator);
            assert_int_equal(counter.blocks, 0);
            assert_int_equal(counter.bytes, 0);
        }
    }
    supi_tasks_destroy(tasks);
    free_cloud(&c);
}

static double seconds(void) {
    struct timespec t;
    timespec_get(&t, TIME_UTC);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* 4000 bodies that do not touch cost far less than looking at all pairs of them would. */
static void bodies_apart_are_cheap(void** state) {
    (void)state;
    enum { SIDE = 16, RUNS = SIDE * SIDE * SIDE };
    cloud c = make_cloud(RUNS, 30, 0, 0);
    for (int32_t i = 0; i < RUNS; i++) {
        const int32_t at[3] = {i % SIDE, i / SIDE % SIDE, i / (SIDE * SIDE)};
        for (int k = 0; k < 3; k++) c.runs[i].anchor[k] = 3.0 * at[k];
    }
    supi_tasks* tasks = make_tasks(1);
    supi_grid grid = {0};
    double best = 1e9;
    for (int again = 0; again < 5; again++) {
        double start = seconds();
        assert_int_equal(
            supi_grid_find(&grid, sup_allocator_default(), tasks, c.runs, RUNS, NULL, c.x, c.v, 0),
            SUP_OK);
        double took = seconds() - start;
        best = took < best ? took : best;
    }
    print_message("%d bodies apart: %.3f ms\n", RUNS, 1e3 * best);
    assert_int_equal(grid.pair_count, 0);
    assert_true(best < 0.2);
    supi_grid_free(&grid, sup_allocator_default());
    supi_tasks_destroy(tasks);
    free_cloud(&c);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(equals_brute_force),
        cmocka_unit_test(one_big_run_under_many),
        cmocka_unit_test(particles_beyond_all_cells_are_skipped),
        cmocka_unit_test(same_for_every_worker_count),
        cmocka_unit_test(memory_is_kept_and_may_run_out),
        cmocka_unit_test(bodies_apart_are_cheap),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
