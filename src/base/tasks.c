/* Who does the items of a loop: the caller alone, with a pool of threads, or a host's task system,
   to which they are handed on. */
#include "base/tasks.h"

#include "base/error.h"
#include "base/float_mode.h"
#include "base/memory.h"

struct supi_tasks {
    const sup_allocator* allocator;
    sup_task_system host;  /* all zero: none */
    supi_threads* threads; /* NULL: none */
    int32_t worker_count;
};

typedef struct hosted_job {
    supi_task* task;
    void* context;
} hosted_job;

/* The host's threads may round as they like; our items do not. */
static void do_hosted_item(void* context, int32_t index, int32_t by) {
    const hosted_job* job = context;
    supi_float_mode mode = supi_float_mode_enter();
    job->task(job->context, index, by);
    supi_float_mode_leave(mode);
}

static void run_hosted(const sup_task_system* host, int32_t count, supi_task* task, void* context) {
    hosted_job job = {task, context};
    host->finish(host->user, host->enqueue(host->user, do_hosted_item, &job, count));
}

void supi_tasks_run(supi_tasks* tasks, int32_t count, supi_task* task, void* context) {
    if (count > 1 && tasks->host.enqueue) {
        run_hosted(&tasks->host, count, task, context);
    } else if (count > 1 && tasks->threads) {
        supi_threads_run(tasks->threads, count, task, context);
    } else {
        for (int32_t i = 0; i < count; i++) task(context, i, 0);
    }
}

int32_t supi_tasks_worker_count(const supi_tasks* tasks) { return tasks->worker_count; }

static sup_result check(int32_t worker_count, const sup_task_system* host, sup_error* error) {
    if (host && (!host->enqueue || !host->finish)) {
        return supi_error_set(error, SUP_BAD_ARGUMENT,
                              "a task system must have both enqueue and finish");
    }
    if (worker_count < 1 || worker_count > SUPI_WORKERS_MAX) {
        return supi_error_set(error, SUP_BAD_ARGUMENT, "the number of %s must be 1..%d, not %d",
                              host ? "workers of a task system" : "threads", SUPI_WORKERS_MAX,
                              (int)worker_count);
    }
    return SUP_OK;
}

sup_result supi_tasks_create(const sup_allocator* allocator, int32_t worker_count,
                             const sup_task_system* host, supi_tasks** out, sup_error* error) {
    if (host) worker_count = host->worker_count;
    sup_result result = check(worker_count, host, error);
    if (result != SUP_OK) return result;
    supi_tasks* tasks = supi_memory_new(allocator, 1, sizeof *tasks);
    if (!tasks) return supi_error_memory(error);
    tasks->allocator = allocator;
    tasks->worker_count = worker_count;
    if (host) {
        tasks->host = *host;
    } else if (worker_count > 1) {
        result = supi_threads_create(allocator, worker_count, &tasks->threads, error);
    }
    if (result != SUP_OK) {
        supi_tasks_destroy(tasks);
        return result;
    }
    *out = tasks;
    return SUP_OK;
}

void supi_tasks_destroy(supi_tasks* tasks) {
    if (!tasks) return;
    if (tasks->threads) supi_threads_destroy(tasks->threads);
    supi_memory_free(tasks->allocator, tasks, 1, sizeof *tasks);
}
