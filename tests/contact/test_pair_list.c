/* Pairs of different runs that are kept from call to call: always those that the grid finds, and
   looked for anew only when somebody has gone too far. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "allocators.h"
#include "contact/boxes.h"
#include "contact/pair_list.h"
#include "ref/ref_random.h"

#include <math.h>
#include <string.h>

enum { RUNS = 12, ROWS = 70 }; /* some in one span, some in two */

typedef struct crowd {
    supi_run runs[RUNS];
    sup_row x[RUNS * ROWS], v[RUNS * ROWS];
    sup_vec3 velocity[RUNS];
} crowd;

static float number(uint64_t* seed, double size) { return (float)(size * ref_random(seed)); }

/* Runs of different sizes around far anchors, some rows without a radius; one row too few for a
   full eight, and one run far from all others. */
static void fill(crowd* c, uint64_t* seed) {
    memset(c, 0, sizeof *c);
    for (int32_t i = 0; i < RUNS; i++) {
        supi_run* run = &c->runs[i];
        *run = (supi_run){.first = i * ROWS, .count = ROWS - i, .filter = {1, UINT32_MAX}};
        for (int k = 0; k < 3; k++) run->anchor[k] = 100 + 0.25 * (double)ref_random_index(seed, 5);
        if (i == 5) run->anchor[0] += 3;
        for (int32_t j = run->first; j < run->first + run->count; j++) {
            float* at = &c->x[j].x;
            for (int k = 0; k < 3; k++) at[k] = number(seed, 0.5);
            c->v[j].w = j % 5 ? 0.1f + number(seed, 0.04) : 0;
        }
        c->velocity[i] = (sup_vec3){number(seed, 0.004), number(seed, 0.004), i == 5 ? 0.01f : 0};
        fit_box(run, c->x, c->v);
    }
    c->velocity[5].x = -0.02f; /* comes, and goes again */
}

static void go(crowd* c, uint64_t* seed) {
    for (int32_t i = 0; i < RUNS; i++) {
        supi_run* run = &c->runs[i];
        float shift = i == 3 ? 0.125f : 0; /* its anchor follows */
        run->anchor[1] += (double)shift;
        for (int32_t j = run->first; j < run->first + run->count; j++) {
            c->x[j].x += c->velocity[i].x + number(seed, 0.002);
            c->x[j].y += c->velocity[i].y + number(seed, 0.002) - shift;
            c->x[j].z += c->velocity[i].z;
        }
        fit_box(run, c->x, c->v);
    }
}

static void check(const supi_pair_lists* lists, const supi_grid* grid) {
    assert_int_equal(lists->pair_count, grid->pair_count);
    assert_int_equal(lists->group_count, grid->group_count);
    for (int32_t i = 0; i < grid->group_count; i++) {
        const supi_pair_group *a = &lists->groups[i], *b = &grid->groups[i];
        assert_true(a->run_a == b->run_a && a->run_b == b->run_b && a->count == b->count);
        for (int32_t k = 0; k < a->count; k++) {
            const supi_candidate* c = &lists->near[a->first + k];
            assert_memory_equal(&c->pair, &grid->pairs[b->first + k], sizeof c->pair);
            assert_true(c->scale == 1);
        }
    }
}

static supi_tasks* make_tasks(int32_t workers) {
    supi_tasks* tasks = NULL;
    assert_int_equal(supi_tasks_create(sup_allocator_default(), workers, NULL, &tasks, NULL),
                     SUP_OK);
    return tasks;
}

static void pairs_equal_those_of_the_grid(void** state) {
    (void)state;
    static crowd c;
    const uint64_t couple = UINT64_C(1) << 32 | 2;
    for (int workers = 1; workers <= 3; workers += 2) {
        uint64_t seed = 7;
        supi_tasks* tasks = make_tasks(workers);
        supi_pair_lists lists = {0};
        supi_grid grid = {0};
        int32_t made = 0, pairs = 0, steps = 200;
        fill(&c, &seed);
        for (int32_t step = 0; step < steps; step++) {
            supi_exemptions exemptions = {.couples = &couple, .couple_count = step / 50 % 2};
            c.runs[4].asleep = c.runs[7].asleep = step > 60 && step < 120;
            if (step == 90) c.v[1].w *= 0.5f;
            assert_int_equal(supi_pair_lists_find(&lists, sup_allocator_default(), tasks, c.runs,
                                                  RUNS, &exemptions, c.x, c.v),
                             SUP_OK);
            assert_int_equal(supi_grid_find(&grid, sup_allocator_default(), tasks, c.runs, RUNS,
                                            &exemptions, c.x, c.v, 0),
                             SUP_OK);
            check(&lists, &grid);
            made += lists.anew;
            pairs += lists.pair_count;
            go(&c, &seed);
        }
        print_message("%d pairs in %d steps, found anew %d times\n", (int)pairs, (int)steps,
                      (int)made);
        assert_true(pairs > 50 * steps && made < steps / 2);
        supi_pair_lists_free(&lists, sup_allocator_default());
        supi_grid_free(&grid, sup_allocator_default());
        supi_tasks_destroy(tasks);
    }
}

static void memory_is_kept_and_may_run_out(void** state) {
    (void)state;
    static crowd c;
    uint64_t seed = 8;
    test_allocator counter;
    const sup_allocator* allocator = test_allocator_init(&counter);
    supi_tasks* tasks = make_tasks(1);
    supi_pair_lists lists = {0};
    supi_grid grid = {0};
    fill(&c, &seed);
    assert_int_equal(
        supi_grid_find(&grid, sup_allocator_default(), tasks, c.runs, RUNS, NULL, c.x, c.v, 0),
        SUP_OK);
    long long calls = 0;
    for (int again = 0; again < 5; again++) {
        assert_int_equal(
            supi_pair_lists_find(&lists, allocator, tasks, c.runs, RUNS, NULL, c.x, c.v), SUP_OK);
        if (again == 0) calls = counter.calls;
        if (again == 3) supi_pair_lists_forget(&lists);
        assert_int_equal(lists.anew, again == 0 || again == 4);
    }
    assert_int_equal(counter.calls, calls);
    supi_pair_lists_free(&lists, allocator);
    for (long long n = 1; n <= calls; n++) {
        test_allocator_arm(&counter, n, false);
        assert_int_equal(
            supi_pair_lists_find(&lists, allocator, tasks, c.runs, RUNS, NULL, c.x, c.v),
            SUP_NO_MEMORY);
        assert_true(lists.pair_count == 0 && lists.group_count == 0);
        test_allocator_arm(&counter, 0, false);
        assert_int_equal(
            supi_pair_lists_find(&lists, allocator, tasks, c.runs, RUNS, NULL, c.x, c.v), SUP_OK);
        check(&lists, &grid);
        supi_pair_lists_free(&lists, allocator);
        assert_int_equal(counter.blocks, 0);
    }
    supi_grid_free(&grid, sup_allocator_default());
    supi_tasks_destroy(tasks);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(pairs_equal_those_of_the_grid),
        cmocka_unit_test(memory_is_kept_and_may_run_out),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
