/* Worker threads, own ones or the host's, for loops whose items do not touch each other. Which
   worker takes which item is left to chance; results may depend on the item's index only, so they
   are the same for every worker count. */
#ifndef SUPPLE_BASE_TASKS_H
#define SUPPLE_BASE_TASKS_H

#include "base/threads.h"

typedef struct supi_tasks supi_tasks;

/* Does item `index`; `worker` (0 .. worker_count-1) names scratch memory, never results. */
typedef sup_task supi_task;

/* `worker_count` counts the calling thread too (1 .. SUPI_WORKERS_MAX); 1 starts no thread. With a
   `host` (copied; NULL: none) no thread is started and its own worker_count counts. */
sup_result supi_tasks_create(const sup_allocator* allocator, int32_t worker_count,
                             const sup_task_system* host, supi_tasks** out, sup_error* error);
void supi_tasks_destroy(supi_tasks* tasks);
int32_t supi_tasks_worker_count(const supi_tasks* tasks);

/* Runs task(context, i, worker) for i in 0 .. count-1 and returns when all are done. */
void supi_tasks_run(supi_tasks* tasks, int32_t count, supi_task* task, void* context);

/* The same by worker 0 alone, in order, where `tasks` is NULL or there is one item. */
static inline void supi_tasks_each(supi_tasks* tasks, int32_t count, supi_task* task,
                                   void* context) {
    if (tasks && count > 1) {
        supi_tasks_run(tasks, count, task, context);
    } else {
        for (int32_t i = 0; i < count; i++) task(context, i, 0);
    }
}

#endif
