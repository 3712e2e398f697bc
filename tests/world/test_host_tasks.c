/* A host's task system in place of the world's own threads: the same bits. */
#include "world/yard.h"

#include <pthread.h>
#include <stdatomic.h>

enum { STEPS = 40, CREW = 3 };

/* ---- A host that runs everything inline, from last to first ---- */

static void* enqueue_backwards(void* user, sup_task* task, void* context, int32_t count) {
    for (int32_t i = count - 1; i >= 0; i--) task(context, i, 0);
    return user;
}

static void finish_nothing(void* user, void* token) {
    assert_ptr_equal(user, token);
    ++*(int*)user;
}

/* ---- A host of three threads that work while the world waits ---- */

typedef struct crew {
    pthread_t threads[CREW];
    pthread_mutex_t mutex;
    pthread_cond_t changed;
    sup_task* task;
    void* context;
    int32_t count, next, done, hired;
    bool over;
    int jobs;
} crew;

static void* toil(void* user) {
    crew* c = user;
    pthread_mutex_lock(&c->mutex);
    int32_t worker = c->hired++;
    while (!c->over) {
        if (c->next >= c->count) {
            pthread_cond_wait(&c->changed, &c->mutex);
            continue;
        }
        int32_t item = c->next++;
        pthread_mutex_unlock(&c->mutex);
        c->task(c->context, item, worker);
        pthread_mutex_lock(&c->mutex);
        if (++c->done == c->count) pthread_cond_broadcast(&c->changed);
    }
    pthread_mutex_unlock(&c->mutex);
    return NULL;
}

static void* enqueue_for_crew(void* user, sup_task* task, void* context, int32_t count) {
    crew* c = user;
    pthread_mutex_lock(&c->mutex);
    c->task = task;
    c->context = context;
    c->count = count;
    c->next = c->done = 0;
    c->jobs++;
    pthread_cond_broadcast(&c->changed);
    pthread_mutex_unlock(&c->mutex);
    return &c->done;
}

static void wait_for_crew(void* user, void* token) {
    crew* c = user;
    assert_ptr_equal(token, &c->done);
    pthread_mutex_lock(&c->mutex);
    while (c->done < c->count) pthread_cond_wait(&c->changed, &c->mutex);
    pthread_mutex_unlock(&c->mutex);
}

static void start_crew(crew* c) {
    *c = (crew){0};
    pthread_mutex_init(&c->mutex, NULL);
    pthread_cond_init(&c->changed, NULL);
    for (int i = 0; i < CREW; i++) {
        assert_int_equal(pthread_create(&c->threads[i], NULL, toil, c), 0);
    }
}

static void stop_crew(crew* c) {
    pthread_mutex_lock(&c->mutex);
    c->over = true;
    pthread_cond_broadcast(&c->changed);
    pthread_mutex_unlock(&c->mutex);
    for (int i = 0; i < CREW; i++) pthread_join(c->threads[i], NULL);
    pthread_cond_destroy(&c->changed);
    pthread_mutex_destroy(&c->mutex);
}

/* ---- Tests ---- */

/* Small bodies that fall onto each other and onto a large one, which all workers share. */
static void run(const sup_task_system* tasks, uint64_t hashes[STEPS]) {
    sup_world_def def = sup_world_default();
    def.tasks = tasks;
    sup_world* world = make_world(&def);
    sup_blueprint* small = ball_of(0.2, 2, in_cubes(0.1, 0.3));
    sup_blueprint* large = ball_of(0.6, 5, sup_blueprint_default());
    sup_body_def body = body_at(large, 0.3, 0.61, 0.1);
    add_floor(world);
    add_body(world, &body);
    for (int i = 0; i < 20; i++) {
        body = body_at(small, 0.41 * (i % 3), 1.45 + 0.38 * (i / 6), 0.41 * (i / 3 % 2));
        body.velocity[1] = -3.0;
        add_body(world, &body);
    }
    for (int i = 0; i < STEPS; i++) {
        take_steps(world, 1);
        hashes[i] = sup_world_hash(world);
    }
    assert_true(sup_world_measure(world).contact_count > 50);
    sup_world_destroy(world);
    sup_blueprint_release(small);
    sup_blueprint_release(large);
}

static void hosts_do_not_change_the_result(void** state) {
    (void)state;
    uint64_t wanted[STEPS], hashes[STEPS];
    run(NULL, wanted);
    int jobs = 0;
    sup_task_system system = {&jobs, 1, enqueue_backwards, finish_nothing};
    run(&system, hashes);
    assert_memory_equal(hashes, wanted, sizeof wanted);
    assert_true(jobs > STEPS);

    crew c;
    start_crew(&c);
    system = (sup_task_system){&c, CREW, enqueue_for_crew, wait_for_crew};
    run(&system, hashes);
    stop_crew(&c);
    assert_memory_equal(hashes, wanted, sizeof wanted);
    assert_true(c.jobs > STEPS);
}

static void the_system_is_copied(void** state) {
    (void)state;
    int jobs = 0;
    sup_task_system system = {&jobs, 2, enqueue_backwards, finish_nothing};
    sup_world_def def = sup_world_default();
    def.tasks = &system;
    sup_world* world = make_world(&def);
    system = (sup_task_system){0};
    sup_blueprint* print = ball_of(0.2, 1, sup_blueprint_default());
    for (int i = 0; i < 20; i++) {
        sup_body_def body = body_at(print, i, 0, 0);
        add_body(world, &body);
    }
    take_steps(world, 3);
    sup_world_destroy(world);
    sup_blueprint_release(print);
}

static void bad_systems_are_refused(void** state) {
    (void)state;
    int jobs = 0;
    const sup_task_system bad[] = {
        {&jobs, 0, enqueue_backwards, finish_nothing},
        {&jobs, 65, enqueue_backwards, finish_nothing},
        {&jobs, 2, NULL, finish_nothing},
        {&jobs, 2, enqueue_backwards, NULL},
    };
    for (int i = 0; i < 4; i++) {
        sup_world_def def = sup_world_default();
        sup_world* world = NULL;
        sup_error error = {0};
        def.tasks = &bad[i];
        assert_int_equal(sup_world_create(&def, &world, &error), SUP_BAD_ARGUMENT);
        assert_non_null(strstr(error.text, "task system"));
        assert_null(world);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(hosts_do_not_change_the_result),
        cmocka_unit_test(the_system_is_copied),
        cmocka_unit_test(bad_systems_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
