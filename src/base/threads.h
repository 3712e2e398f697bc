/* The own threads of a world: a pool that takes the items of a loop together with its caller. */
#ifndef SUPPLE_BASE_THREADS_H
#define SUPPLE_BASE_THREADS_H

#include "supple/world.h"

typedef struct supi_threads supi_threads;

#define SUPI_WORKERS_MAX 64

/* `worker_count` (2 .. SUPI_WORKERS_MAX) counts the calling thread too. SUP_UNSUPPORTED on a
 * machine without threads. */
sup_result supi_threads_create(const sup_allocator* allocator, int32_t worker_count,
                               supi_threads** out, sup_error* error);
void supi_threads_destroy(supi_threads* threads);

/* Runs task(context, i, worker) for i in 0 .. count-1 and returns when all are done. */
void supi_threads_run(supi_threads* threads, int32_t count, sup_task* task, void* context);

#endif
