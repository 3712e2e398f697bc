/* The worker pool. A loop is a job: workers that are awake join it, those that come too late find
   it closed, so a short job never waits for a sleeper. */
#include "base/threads.h"

#include "base/error.h"
#include "base/float_mode.h"
#include "base/memory.h"

#include <pthread.h>
#include <stdatomic.h>
#include <unistd.h>
#if defined(__SSE2__)
#include <xmmintrin.h>
#endif

/* How often an idle worker looks for work before it sleeps: some 50 us, longer than the gap between
   two loops of a step, far shorter than a frame. */
#define SPINS 1000

typedef struct worker {
    supi_threads* threads;
    int32_t index;
    pthread_t thread;
} worker;

struct supi_threads {
    const sup_allocator* allocator;
    int32_t worker_count;
    int32_t spins; /* 0 where workers outnumber processors: spinning would steal the time of those
                      that work */
    worker workers[SUPI_WORKERS_MAX];

    _Atomic uint32_t generation; /* changes with every job and when the pool stops */
    _Atomic int64_t next;        /* first item nobody has taken */
    _Atomic int32_t joined;      /* threads inside the job; changed under the mutex */

    pthread_mutex_t mutex; /* guards all below */
    pthread_cond_t wake, done;
    int32_t sleepers;
    bool open, stop;
    int32_t count;
    sup_task* task;
    void* context;
};

static void pause_briefly(void) {
#if defined(__SSE2__)
    _mm_pause();
#else
    atomic_signal_fence(memory_order_seq_cst);
#endif
}

static void take_items(supi_threads* threads, sup_task* task, void* context, int64_t count,
                       int32_t index) {
    for (;;) {
        int64_t item = atomic_fetch_add_explicit(&threads->next, 1, memory_order_relaxed);
        if (item >= count) return;
        task(context, (int32_t)item, index);
    }
}

/* Waits for a generation other than `seen`: awake for a while, then asleep. */
static uint32_t await_generation(supi_threads* threads, uint32_t seen) {
    for (int32_t i = 0; i < threads->spins; i++) {
        uint32_t now = atomic_load_explicit(&threads->generation, memory_order_acquire);
        if (now != seen) return now;
        pause_briefly();
    }
    pthread_mutex_lock(&threads->mutex);
    threads->sleepers++;
    while (atomic_load_explicit(&threads->generation, memory_order_relaxed) == seen) {
        pthread_cond_wait(&threads->wake, &threads->mutex);
    }
    threads->sleepers--;
    uint32_t now = atomic_load_explicit(&threads->generation, memory_order_relaxed);
    pthread_mutex_unlock(&threads->mutex);
    return now;
}

static void* work(void* argument) {
    worker* self = argument;
    supi_threads* threads = self->threads;
    supi_float_mode_enter(); /* whatever the thread that made the pool had set */
    uint32_t seen = 0;
    for (;;) {
        seen = await_generation(threads, seen);
        pthread_mutex_lock(&threads->mutex);
        bool stop = threads->stop, open = threads->open;
        sup_task* task = threads->task;
        void* context = threads->context;
        int32_t count = threads->count;
        if (open) atomic_fetch_add_explicit(&threads->joined, 1, memory_order_relaxed);
        pthread_mutex_unlock(&threads->mutex);
        if (stop) return NULL;
        if (!open) continue;

        take_items(threads, task, context, count, self->index);
        pthread_mutex_lock(&threads->mutex);
        if (atomic_fetch_sub_explicit(&threads->joined, 1, memory_order_release) == 1) {
            pthread_cond_signal(&threads->done);
        }
        pthread_mutex_unlock(&threads->mutex);
    }
}

/* Tells everyone that the job, or the pool, has changed. The mutex is held. */
static void announce(supi_threads* threads) {
    atomic_fetch_add_explicit(&threads->generation, 1, memory_order_release);
    if (threads->sleepers > 0) pthread_cond_broadcast(&threads->wake);
}

void supi_threads_run(supi_threads* threads, int32_t count, sup_task* task, void* context) {
    pthread_mutex_lock(&threads->mutex);
    threads->task = task;
    threads->context = context;
    threads->count = count;
    threads->open = true;
    atomic_store_explicit(&threads->next, 0, memory_order_relaxed);
    announce(threads);
    pthread_mutex_unlock(&threads->mutex);

    take_items(threads, task, context, count, 0);

    pthread_mutex_lock(&threads->mutex);
    threads->open = false;
    pthread_mutex_unlock(&threads->mutex);
    for (int32_t i = 0; i < threads->spins; i++) {
        if (atomic_load_explicit(&threads->joined, memory_order_acquire) == 0) return;
        pause_briefly();
    }
    pthread_mutex_lock(&threads->mutex);
    while (atomic_load_explicit(&threads->joined, memory_order_acquire) > 0) {
        pthread_cond_wait(&threads->done, &threads->mutex);
    }
    pthread_mutex_unlock(&threads->mutex);
}

/* Ends and joins the threads 1 .. started-1. */
static void stop_threads(supi_threads* threads, int32_t started) {
    pthread_mutex_lock(&threads->mutex);
    threads->stop = true;
    announce(threads);
    pthread_mutex_unlock(&threads->mutex);
    for (int32_t i = 1; i < started; i++) pthread_join(threads->workers[i].thread, NULL);
}

static void free_pool(supi_threads* threads) {
    pthread_cond_destroy(&threads->done);
    pthread_cond_destroy(&threads->wake);
    pthread_mutex_destroy(&threads->mutex);
    supi_memory_free(threads->allocator, threads, 1, sizeof *threads);
}

/* A default mutex and condition take no resources on any system with the threads we use, so their
   making is not asked for errors. */
static supi_threads* new_pool(const sup_allocator* allocator, int32_t worker_count) {
    supi_threads* threads = supi_memory_new(allocator, 1, sizeof *threads);
    if (!threads) return NULL;
    threads->allocator = allocator;
    threads->worker_count = worker_count;
    threads->spins = worker_count <= sysconf(_SC_NPROCESSORS_ONLN) ? SPINS : 0;
    pthread_mutex_init(&threads->mutex, NULL);
    pthread_cond_init(&threads->wake, NULL);
    pthread_cond_init(&threads->done, NULL);
    return threads;
}

/* Starts the threads 1 .. worker_count-1; those that started are ended where one does not. */
static sup_result start_threads(supi_threads* threads, sup_error* error) {
    for (int32_t i = 1; i < threads->worker_count; i++) {
        worker* self = &threads->workers[i];
        self->threads = threads;
        self->index = i;
        if (pthread_create(&self->thread, NULL, work, self) != 0) {
            stop_threads(threads, i);
            return supi_error_set(error, SUP_NO_MEMORY,
                                  "the system refused to start thread %d of %d", (int)i + 1,
                                  (int)threads->worker_count);
        }
    }
    return SUP_OK;
}

sup_result supi_threads_create(const sup_allocator* allocator, int32_t worker_count,
                               supi_threads** out, sup_error* error) {
    supi_threads* threads = new_pool(allocator, worker_count);
    if (!threads) return supi_error_memory(error);
    sup_result result = start_threads(threads, error);
    if (result != SUP_OK) {
        free_pool(threads);
        return result;
    }
    *out = threads;
    return SUP_OK;
}

void supi_threads_destroy(supi_threads* threads) {
    stop_threads(threads, threads->worker_count);
    free_pool(threads);
}
