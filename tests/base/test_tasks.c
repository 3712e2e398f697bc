/* The worker pool and the host's: every item once, results the same for every worker count, nothing
 * left behind.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "allocators.h"
#include "base/tasks.h"

#include <fenv.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#define ITEMS_MAX 5000

typedef struct tally {
    _Atomic int32_t seen[ITEMS_MAX];
    double results[ITEMS_MAX];
    _Atomic int32_t worker_errors;
    int32_t worker_count;
} tally;

static void count_item(void* context, int32_t index, int32_t worker) {
    tally* t = context;
    atomic_fetch_add(&t->seen[index], 1);
    if (worker < 0 || worker >= t->worker_count) atomic_fetch_add(&t->worker_errors, 1);
    double sum = 0;
    for (int32_t i = 1; i <= 20; i++) sum += 1.0 / (index + i);
    t->results[index] = sum;
}

/* 1, 2, 3, 8 and what the environment asks for. */
static int32_t worker_counts(int32_t counts[5]) {
    const int32_t usual[4] = {1, 2, 3, 8};
    memcpy(counts, usual, sizeof usual);
    const char* asked = getenv("SUPPLE_TEST_WORKERS");
    if (!asked) return 4;
    counts[4] = (int32_t)strtol(asked, NULL, 10);
    return 5;
}

static void every_item_runs_once(void** state) {
    (void)state;
    const int32_t sizes[] = {0, 1, 2, 3, 7, 64, 1000, ITEMS_MAX};
    int32_t workers[5];
    int32_t variants = worker_counts(workers);
    static tally t, first;
    for (int32_t k = 0; k < variants; k++) {
        supi_tasks* tasks = NULL;
        assert_int_equal(supi_tasks_create(sup_allocator_default(), workers[k], NULL, &tasks, NULL),
                         SUP_OK);
        assert_int_equal(supi_tasks_worker_count(tasks), workers[k]);
        for (size_t s = 0; s < sizeof sizes / sizeof *sizes; s++) {
            memset(&t, 0, sizeof t);
            t.worker_count = workers[k];
            supi_tasks_run(tasks, sizes[s], count_item, &t);
            for (int32_t i = 0; i < ITEMS_MAX; i++) {
                assert_int_equal(t.seen[i], i < sizes[s] ? 1 : 0);
            }
            assert_int_equal(t.worker_errors, 0);
        }
        if (k == 0) memcpy(first.results, t.results, sizeof t.results);
        assert_memory_equal(first.results, t.results, sizeof t.results);
        supi_tasks_destroy(tasks);
    }
}

static void add_index(void* context, int32_t index, int32_t worker) {
    (void)worker;
    atomic_fetch_add((atomic_llong*)context, index);
}

/* Short jobs in quick succession: a worker that comes late must find its job closed, not the next
 * one's items. */
static void many_short_jobs(void** state) {
    (void)state;
    int32_t workers[5];
    int32_t variants = worker_counts(workers);
    for (int32_t k = 0; k < variants; k++) {
        supi_tasks* tasks = NULL;
        assert_int_equal(supi_tasks_create(sup_allocator_default(), workers[k], NULL, &tasks, NULL),
                         SUP_OK);
        for (int32_t job = 0; job < 3000; job++) {
            int32_t count = job % 17;
            atomic_llong sum = 0;
            supi_tasks_run(tasks, count, add_index, &sum);
            assert_int_equal(sum, count * (count - 1) / 2);
        }
        supi_tasks_destroy(tasks);
    }
}

static void look_at_rounding(void* context, int32_t index, int32_t worker) {
    (void)index;
    volatile float one = 1.0f, tiny = 1e-10f;
    volatile float sum = one + tiny; /* rounded upwards it would be more */
    if (worker > 0 && sum != 1.0f) atomic_fetch_add((atomic_int*)context, 1);
}

static void workers_round_to_nearest(void** state) {
    (void)state;
    fesetround(FE_UPWARD);
    supi_tasks* tasks = NULL;
    assert_int_equal(supi_tasks_create(sup_allocator_default(), 3, NULL, &tasks, NULL), SUP_OK);
    fesetround(FE_TONEAREST);
    atomic_int wrong = 0;
    for (int32_t job = 0; job < 200; job++) supi_tasks_run(tasks, 100, look_at_rounding, &wrong);
    assert_int_equal(wrong, 0);
    supi_tasks_destroy(tasks);
}

static void bad_counts_are_refused(void** state) {
    (void)state;
    test_allocator counter;
    const sup_allocator* allocator = test_allocator_init(&counter);
    supi_tasks* tasks = NULL;
    sup_error error = {0};
    assert_int_equal(supi_tasks_create(allocator, 0, NULL, &tasks, &error), SUP_BAD_ARGUMENT);
    assert_int_equal(supi_tasks_create(allocator, SUPI_WORKERS_MAX + 1, NULL, &tasks, &error),
                     SUP_BAD_ARGUMENT);
    assert_non_null(strstr(error.text, "threads"));
    test_allocator_arm(&counter, 1, false);
    assert_int_equal(supi_tasks_create(allocator, 4, NULL, &tasks, &error), SUP_NO_MEMORY);
    assert_null(tasks);
    test_allocator_arm(&counter, 0, false);
    assert_int_equal(supi_tasks_create(allocator, 4, NULL, &tasks, &error), SUP_OK);
    supi_tasks_destroy(tasks);
    supi_tasks_destroy(NULL);
    assert_int_equal(counter.blocks, 0);
    assert_int_equal(counter.bytes, 0);
}

/* A host without threads of its own: takes the items from last to first, when asked to finish. */
typedef struct lazy_host {
    sup_task* task;
    void* context;
    int32_t count, enqueued, finished;
} lazy_host;

static void* lazy_enqueue(void* user, sup_task* task, void* context, int32_t count) {
    lazy_host* host = user;
    host->task = task;
    host->context = context;
    host->count = count;
    host->enqueued++;
    return &host->count;
}

static void lazy_finish(void* user, void* token) {
    lazy_host* host = user;
    assert_ptr_equal(token, &host->count);
    for (int32_t i = host->count - 1; i >= 0; i--) host->task(host->context, i, i % 3);
    host->finished++;
}

static void host_gets_every_job(void** state) {
    (void)state;
    static tally t;
    test_allocator counter;
    const sup_allocator* allocator = test_allocator_init(&counter);
    lazy_host host = {0};
    sup_task_system system = {&host, 3, lazy_enqueue, lazy_finish};
    supi_tasks* tasks = NULL;
    assert_int_equal(supi_tasks_create(allocator, 8, &system, &tasks, NULL), SUP_OK);
    system = (sup_task_system){0}; /* it was copied */
    assert_int_equal(supi_tasks_worker_count(tasks), 3);
    const int32_t sizes[] = {0, 1, 2, 1000};
    for (int s = 0; s < 4; s++) {
        memset(&t, 0, sizeof t);
        t.worker_count = 3;
        supi_tasks_run(tasks, sizes[s], count_item, &t);
        for (int32_t i = 0; i < ITEMS_MAX; i++) {
            assert_int_equal(t.seen[i], i < sizes[s] ? 1 : 0);
        }
        assert_int_equal(t.worker_errors, 0);
    }
    assert_int_equal(host.enqueued, 2); /* a single item is not worth the way */
    assert_int_equal(host.finished, 2);
    supi_tasks_destroy(tasks);
    assert_int_equal(counter.blocks, 0);
}

static void hosted_items_round_to_nearest(void** state) {
    (void)state;
    lazy_host host = {0};
    sup_task_system system = {&host, 3, lazy_enqueue, lazy_finish};
    supi_tasks* tasks = NULL;
    atomic_int wrong = 0;
    assert_int_equal(supi_tasks_create(sup_allocator_default(), 1, &system, &tasks, NULL), SUP_OK);
    fesetround(FE_UPWARD);
    supi_tasks_run(tasks, 100, look_at_rounding, &wrong);
    int left = fegetround();
    fesetround(FE_TONEAREST);
    assert_int_equal(wrong, 0);
    assert_int_equal(left, FE_UPWARD);
    supi_tasks_destroy(tasks);
}

static void bad_hosts_are_refused(void** state) {
    (void)state;
    const sup_task_system bad[] = {
        {NULL, 2, NULL, lazy_finish},
        {NULL, 2, lazy_enqueue, NULL},
        {NULL, 0, lazy_enqueue, lazy_finish},
        {NULL, SUPI_WORKERS_MAX + 1, lazy_enqueue, lazy_finish},
    };
    test_allocator counter;
    const sup_allocator* allocator = test_allocator_init(&counter);
    for (int i = 0; i < 4; i++) {
        supi_tasks* tasks = NULL;
        sup_error error = {0};
        assert_int_equal(supi_tasks_create(allocator, 1, bad + i, &tasks, &error),
                         SUP_BAD_ARGUMENT);
        assert_non_null(strstr(error.text, "task system"));
        assert_null(tasks);
    }
    assert_int_equal(counter.calls, 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_item_runs_once),     cmocka_unit_test(many_short_jobs),
        cmocka_unit_test(workers_round_to_nearest), cmocka_unit_test(bad_counts_are_refused),
        cmocka_unit_test(host_gets_every_job),      cmocka_unit_test(hosted_items_round_to_nearest),
        cmocka_unit_test(bad_hosts_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
