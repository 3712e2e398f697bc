/* A machine without threads: only the one that calls. */
#include "base/threads.h"

#include "base/error.h"

sup_result supi_threads_create(const sup_allocator* allocator, int32_t worker_count,
                               supi_threads** out, sup_error* error) {
    (void)allocator, (void)out;
    return supi_error_set(error, SUP_UNSUPPORTED,
                          "this build has no threads: their number must be 1, not %d",
                          (int)worker_count);
}

/* Never called: there is no pool. */
void supi_threads_destroy(supi_threads* threads) { (void)threads; }

void supi_threads_run(supi_threads* threads, int32_t count, sup_task* task, void* context) {
    (void)threads, (void)count, (void)task, (void)context;
}
