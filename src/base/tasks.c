/* The worker pool. A loop is a job: workers that are awake join it, those that come too late find
   it closed, so a short job never waits for a sleeper. With a host's task system there is no pool:
   jobs are handed on. */
#include "base/tasks.h"

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
    supi_tasks* tasks;
    int32_t index;
    pthread_t thread;
} worker;

struct supi_tasks {
    const sup_allocator* allocator;
    sup_task_system host; /* all zero: own threads */
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
    supi_task* task;
    void* context;
};

static void pause_briefly(void) {
#if defined(__SSE2__)
    _mm_pause();
#else
    atomic_signal_fence(memory_order_seq_cst);
#endif
}

static void take_items(supi_tasks* tasks, supi_task* task, void* context, int64_t count,
                       int32_t index) {
    for (;;) {
        int64_t item = atomic_fetch_add_explicit(&tasks->next, 1, memory_order_relaxed);
        if (item >= count) return;
        task(context, (int32_t)item, index);
    }
}

/* Waits for a generation other than `seen`: awake for a while, then asleep. */
static uint32_t await_generation(supi_tasks* tasks, uint32_t seen) {
    for (int32_t i = 0; i < tasks->spins; i++) {
        uint32_t now = atomic_load_explicit(&tasks->generation, memory_order_acquire);
        if (now != seen) return now;
        pause_briefly();
    }
    pthread_mutex_lock(&tasks->mutex);
    tasks->sleepers++;
    while (atomic_load_explicit(&tasks->generation, memory_order_relaxed) == seen) {
        pthread_cond_wait(&tasks->wake, &tasks->mutex);
    }
    tasks->sleepers--;
    uint32_t now = atomic_load_explicit(&tasks->generation, memory_order_relaxed);
    pthread_mutex_unlock(&tasks->mutex);
    return now;
}

static void* work(void* argument) {
    worker* self = argument;
    supi_tasks* tasks = self->tasks;
    supi_float_mode_enter(); /* whatever the thread that made the pool had set */
    uint32_t seen = 0;
    for (;;) {
        seen = await_generation(tasks, seen);
        pthread_mutex_lock(&tasks->mutex);
        bool stop = tasks->stop, open = tasks->open;
        supi_task* task = tasks->task;
        void* context = tasks->context;
        int32_t count = tasks->count;
        if (open) atomic_fetch_add_explicit(&tasks->joined, 1, memory_order_relaxed);
        pthread_mutex_unlock(&tasks->mutex);
        if (stop) return NULL;
        if (!open) continue;

        take_items(tasks, task, context, count, self->index);
        pthread_mutex_lock(&tasks->mutex);
        if (atomic_fetch_sub_explicit(&tasks->joined, 1, memory_order_release) == 1) {
            pthread_cond_signal(&tasks->done);
        }
        pthread_mutex_unlock(&tasks->mutex);
    }
}

/* Tells everyone that the job, or the pool, has changed. The mutex is held. */
static void announce(supi_tasks* tasks) {
    atomic_fetch_add_explicit(&tasks->generation, 1, memory_order_release);
    if (tasks->sleepers > 0) pthread_cond_broadcast(&tasks->wake);
}

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

static void run_pooled(supi_tasks* tasks, int32_t count, supi_task* task, void* context) {
    pthread_mutex_lock(&tasks->mutex);
    tasks->task = task;
    tasks->context = context;
    tasks->count = count;
    tasks->open = true;
    atomic_store_explicit(&tasks->next, 0, memory_order_relaxed);
    announce(tasks);
    pthread_mutex_unlock(&tasks->mutex);

    take_items(tasks, task, context, count, 0);

    pthread_mutex_lock(&tasks->mutex);
    tasks->open = false;
    pthread_mutex_unlock(&tasks->mutex);
    for (int32_t i = 0; i < tasks->spins; i++) {
        if (atomic_load_explicit(&tasks->joined, memory_order_acquire) == 0) return;
        pause_briefly();
    }
    pthread_mutex_lock(&tasks->mutex);
    while (atomic_load_explicit(&tasks->joined, memory_order_acquire) > 0) {
        pthread_cond_wait(&tasks->done, &tasks->mutex);
    }
    pthread_mutex_unlock(&tasks->mutex);
}

void supi_tasks_run(supi_tasks* tasks, int32_t count, supi_task* task, void* context) {
    bool hosted = tasks->host.enqueue;
    if (count <= 1 || (!hosted && tasks->worker_count == 1)) {
        for (int32_t i = 0; i < count; i++) task(context, i, 0);
    } else if (hosted) {
        run_hosted(&tasks->host, count, task, context);
    } else {
        run_pooled(tasks, count, task, context);
    }
}

int32_t supi_tasks_worker_count(const supi_tasks* tasks) { return tasks->worker_count; }

/* Ends and joins the threads 1 .. started-1. */
static void stop_threads(supi_tasks* tasks, int32_t started) {
    pthread_mutex_lock(&tasks->mutex);
    tasks->stop = true;
    announce(tasks);
    pthread_mutex_unlock(&tasks->mutex);
    for (int32_t i = 1; i < started; i++) pthread_join(tasks->workers[i].thread, NULL);
}

static void free_pool(supi_tasks* tasks) {
    pthread_cond_destroy(&tasks->done);
    pthread_cond_destroy(&tasks->wake);
    pthread_mutex_destroy(&tasks->mutex);
    supi_memory_free(tasks->allocator, tasks, 1, sizeof *tasks);
}

/* A default mutex and condition take no resources on any system with the threads we use, so their
   making is not asked for errors. */
static supi_tasks* new_pool(const sup_allocator* allocator, int32_t worker_count) {
    supi_tasks* tasks = supi_memory_new(allocator, 1, sizeof *tasks);
    if (!tasks) return NULL;
    tasks->allocator = allocator;
    tasks->worker_count = worker_count;
    tasks->spins = worker_count <= sysconf(_SC_NPROCESSORS_ONLN) ? SPINS : 0;
    pthread_mutex_init(&tasks->mutex, NULL);
    pthread_cond_init(&tasks->wake, NULL);
    pthread_cond_init(&tasks->done, NULL);
    return tasks;
}

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

/* Starts the threads 1 .. worker_count-1; those that started are ended where one does not. */
static sup_result start_threads(supi_tasks* tasks, sup_error* error) {
    for (int32_t i = 1; i < tasks->worker_count; i++) {
        worker* self = &tasks->workers[i];
        self->tasks = tasks;
        self->index = i;
        if (pthread_create(&self->thread, NULL, work, self) != 0) {
            stop_threads(tasks, i);
            return supi_error_set(error, SUP_NO_MEMORY,
                                  "the system refused to start thread %d of %d", (int)i + 1,
                                  (int)tasks->worker_count);
        }
    }
    return SUP_OK;
}

sup_result supi_tasks_create(const sup_allocator* allocator, int32_t worker_count,
                             const sup_task_system* host, supi_tasks** out, sup_error* error) {
    if (host) worker_count = host->worker_count;
    sup_result result = check(worker_count, host, error);
    if (result != SUP_OK) return result;
    supi_tasks* tasks = new_pool(allocator, worker_count);
    if (!tasks) return supi_error_memory(error);
    if (host) {
        tasks->host = *host;
    } else {
        result = start_threads(tasks, error);
        if (result != SUP_OK) {
            free_pool(tasks);
            return result;
        }
    }
    *out = tasks;
    return SUP_OK;
}

void supi_tasks_destroy(supi_tasks* tasks) {
    if (!tasks) return;
    if (!tasks->host.enqueue) stop_threads(tasks, tasks->worker_count);
    free_pool(tasks);
}
