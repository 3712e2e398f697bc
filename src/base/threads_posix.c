/* The worker pool. A loop is a job: workers that are awake join it, those that come too late find
   it closed, so a short job never waits for a sleeper. While all are awake no lock is taken. */
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

/* How often an idle worker looks for work before it sleeps: some 100 us (a pause takes 24 ns on
   Zen 5, 40 and more on others), longer than the gap between two loops of a step, even of a
   thousand bodies, and far shorter than a frame. */
#define SPINS 4000

/* The state of a pool: the number of the job in the upper half, and below it whether the job may be
   joined, whether the pool ends, and how many workers are inside. */
#define NUMBER_SHIFT 32
#define OPEN (UINT64_C(1) << 31)
#define STOP (UINT64_C(1) << 30)
#define JOINED (STOP - 1)

/* Every worker has a share of the items, which it takes first, so that it finds in its cache what
   it had in the last loop over the same; then it helps the others. A line of the cache each. */
typedef struct share {
    _Alignas(64) _Atomic int32_t taken;
} share;

typedef struct worker {
    supi_threads* threads;
    int32_t index;
    pthread_t thread;
} worker;

struct supi_threads {
    share shares[SUPI_WORKERS_MAX];
    _Alignas(64) _Atomic uint64_t state;
    /* The job: changed while nobody is inside. */
    int32_t count;
    sup_task* task;
    void* context;

    _Alignas(64) _Atomic int32_t sleepers; /* changed under the mutex */
    _Atomic bool caller_sleeps;
    int32_t spins; /* 0 where workers outnumber processors: spinning would steal the time of those
                      that work */
    int32_t worker_count;
    const sup_allocator* allocator;
    pthread_mutex_t mutex; /* of those who go to sleep and those who wake them */
    pthread_cond_t wake, done;
    worker workers[SUPI_WORKERS_MAX];
};

static void pause_briefly(void) {
#if defined(__SSE2__)
    _mm_pause();
#else
    atomic_signal_fence(memory_order_seq_cst);
#endif
}

/* Items are taken in bunches of up to this many, as taking waits for all that was written before;
   at least so many bunches are a share, so that all end at about the same time. */
enum { BUNCH_MOST = 16, BUNCHES = 64 };

static int32_t bunch_of(int32_t size) {
    int32_t bunch = size / BUNCHES;
    return bunch < 1 ? 1 : bunch < BUNCH_MOST ? bunch : BUNCH_MOST;
}

static void take_items(supi_threads* threads, int32_t index) {
    int64_t count = threads->count;
    int32_t workers = threads->worker_count;
    for (int32_t k = 0; k < workers; k++) {
        int32_t whose = (index + k) % workers;
        _Atomic int32_t* taken = &threads->shares[whose].taken;
        int32_t begin = (int32_t)(count * whose / workers);
        int32_t size = (int32_t)(count * (whose + 1) / workers) - begin;
        int32_t bunch = bunch_of(size);
        while (atomic_load_explicit(taken, memory_order_relaxed) < size) {
            int32_t first = atomic_fetch_add_explicit(taken, bunch, memory_order_relaxed);
            int32_t left = size - first, some = left < bunch ? left : bunch;
            for (int32_t i = 0; i < some; i++) {
                threads->task(threads->context, begin + first + i, index);
            }
        }
    }
}

/* ---- Workers ---- */

/* Waits for a job other than `seen`: awake for a while, then asleep. */
static uint64_t await_job(supi_threads* threads, uint64_t seen) {
    for (int32_t i = 0; i < threads->spins; i++) {
        uint64_t now = atomic_load(&threads->state);
        if (now >> NUMBER_SHIFT != seen) return now;
        pause_briefly();
    }
    pthread_mutex_lock(&threads->mutex);
    atomic_fetch_add(&threads->sleepers, 1);
    while (atomic_load(&threads->state) >> NUMBER_SHIFT == seen) {
        pthread_cond_wait(&threads->wake, &threads->mutex);
    }
    atomic_fetch_sub(&threads->sleepers, 1);
    pthread_mutex_unlock(&threads->mutex);
    return atomic_load(&threads->state);
}

/* Goes into the job of `state`; false where it has closed. */
static bool join(supi_threads* threads, uint64_t state) {
    uint64_t number = state >> NUMBER_SHIFT;
    while (state & OPEN && state >> NUMBER_SHIFT == number) {
        if (atomic_compare_exchange_weak(&threads->state, &state, state + 1)) return true;
    }
    return false;
}

/* The last to go wakes the caller. */
static void leave(supi_threads* threads) {
    uint64_t before = atomic_fetch_sub(&threads->state, 1);
    if ((before & JOINED) > 1 || !atomic_load(&threads->caller_sleeps)) return;
    pthread_mutex_lock(&threads->mutex);
    pthread_cond_signal(&threads->done);
    pthread_mutex_unlock(&threads->mutex);
}

static void* work(void* argument) {
    worker* self = argument;
    supi_threads* threads = self->threads;
    supi_float_mode_enter(); /* whatever the thread that made the pool had set */
    uint64_t state = 0;
    for (;;) {
        state = await_job(threads, state >> NUMBER_SHIFT);
        if (state & STOP) return NULL;
        if (!join(threads, state)) continue;
        take_items(threads, self->index);
        leave(threads);
    }
}

/* ---- The caller ---- */

/* Makes the next state known. Who goes to sleep counts itself before it looks at the state for the
   last time, so one of the two sees the other. */
static void announce(supi_threads* threads, uint64_t flag) {
    uint64_t number = (atomic_load(&threads->state) >> NUMBER_SHIFT) + 1;
    atomic_store(&threads->state, number << NUMBER_SHIFT | flag);
    if (atomic_load(&threads->sleepers) == 0) return;
    pthread_mutex_lock(&threads->mutex);
    pthread_cond_broadcast(&threads->wake);
    pthread_mutex_unlock(&threads->mutex);
}

static bool anyone_inside(supi_threads* threads) {
    return (atomic_load(&threads->state) & JOINED) > 0;
}

static void await_workers(supi_threads* threads) {
    for (int32_t i = 0; i < threads->spins; i++) {
        if (!anyone_inside(threads)) return;
        pause_briefly();
    }
    pthread_mutex_lock(&threads->mutex);
    atomic_store(&threads->caller_sleeps, true);
    while (anyone_inside(threads)) pthread_cond_wait(&threads->done, &threads->mutex);
    atomic_store(&threads->caller_sleeps, false);
    pthread_mutex_unlock(&threads->mutex);
}

void supi_threads_run(supi_threads* threads, int32_t count, sup_task* task, void* context) {
    threads->task = task;
    threads->context = context;
    threads->count = count;
    for (int32_t i = 0; i < threads->worker_count; i++) {
        atomic_store_explicit(&threads->shares[i].taken, 0, memory_order_relaxed);
    }
    announce(threads, OPEN);
    take_items(threads, 0);
    atomic_fetch_and(&threads->state, ~OPEN);
    await_workers(threads);
}

/* Ends and joins the threads 1 .. started-1. */
static void stop_threads(supi_threads* threads, int32_t started) {
    announce(threads, STOP);
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
