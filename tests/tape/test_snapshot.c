/* Snapshots: what was saved goes on as if nothing had happened. */
#include "base/hash.h"
#include "tape/snapshots.h"

#include <fenv.h>

/* ---- Going on ---- */

enum { LAST = 300 };

/* An undisturbed run: hash and events of every step. */
typedef struct history {
    uint64_t hashes[LAST + 1];
    int32_t event_counts[LAST + 1];
    uint64_t event_sums[LAST + 1];
} history;

static void note(const sup_world* world, int32_t frame, history* h) {
    int32_t count;
    const sup_event* events = sup_world_events(world, &count);
    uint64_t sum = supi_hash_begin();
    for (int32_t i = 0; i < count; i++) {
        const sup_event* e = events + i;
        sum = supi_hash_word(sum, (uint64_t)e->kind);
        sum = supi_hash_word(sum, (uint64_t)e->body.slot << 32 | e->body.age);
        sum = supi_hash_word(sum, (uint64_t)e->other.slot << 32 | e->other.age);
        sum = supi_hash_word(sum, (uint64_t)e->collider.slot << 32 | e->collider.age);
        sum = supi_hash_word(sum, (uint64_t)e->attachment.slot << 32 | e->attachment.age);
        sum = supi_hash_double(sum, e->value);
    }
    h->hashes[frame] = sup_world_hash(world);
    h->event_counts[frame] = count;
    h->event_sums[frame] = sum;
}

static void go_through(const stage* s, int32_t from, history* h) {
    if (from == 0) h->hashes[0] = sup_world_hash(s->world);
    for (int32_t frame = from + 1; frame <= LAST; frame++) {
        stage_run(s, frame - 1, frame);
        note(s->world, frame, h);
    }
}

static void assert_same_history(const history* a, const history* b, int32_t from) {
    for (int32_t frame = from + 1; frame <= LAST; frame++) {
        if (a->hashes[frame] != b->hashes[frame]) fail_msg("frame %d has another hash", frame);
        assert_int_equal(a->event_counts[frame], b->event_counts[frame]);
        assert_true(a->event_sums[frame] == b->event_sums[frame]);
    }
}

static const int32_t cuts[] = {0, 1, 137, 138, 220};
enum { CUTS = sizeof cuts / sizeof *cuts };

static void goes_on_as_undisturbed(void** state) {
    (void)state;
    static history whole, again;
    stage s = stage_make(NULL);
    go_through(&s, 0, &whole);
    sup_world_destroy(s.world);
    int32_t events = 0;
    for (int32_t i = 1; i <= LAST; i++) events += whole.event_counts[i];
    assert_true(events > 20); /* or the comparison says little */

    for (int i = 0; i < CUTS; i += short_tests() ? 2 : 1) {
        stage a = stage_make(NULL), b = a, c = a;
        stage_run(&a, 0, cuts[i]);
        sup_bytes saved = save(a.world);
        /* into a new world, with other threads and kernels */
        sup_world_def def = sup_world_default();
        def.threads = 2;
        if (every_copy()) def.simd = SUP_SIMD_SCALAR;
        def.gravity[1] = 3.0;
        b.world = make_world(&def);
        restore(b.world, &saved);
        assert_int_equal(sup_world_hash(b.world), sup_world_hash(a.world));
        sup_bytes resaved = save(b.world);
        assert_same_bytes(&saved, &resaved);
        sup_bytes_free(&resaved);
        go_through(&b, cuts[i], &again);
        assert_same_history(&whole, &again, cuts[i]);
        /* into the running one, which has gone further meanwhile */
        stage_run(&a, cuts[i], cuts[i] + 20);
        restore(a.world, &saved);
        resaved = save(a.world);
        assert_same_bytes(&saved, &resaved);
        sup_bytes_free(&resaved);
        go_through(&a, cuts[i], &again);
        assert_same_history(&whole, &again, cuts[i]);
        /* into one that held something else */
        c.world = make_world(NULL);
        add_floor(c.world);
        restore(c.world, &saved);
        stage_run(&c, cuts[i], cuts[i] + 10);
        sup_bytes_free(&saved);
        sup_world_destroy(a.world);
        sup_world_destroy(b.world);
        sup_world_destroy(c.world);
    }
}

static void other_kernels_go_on_alike(void** state) {
    (void)state;
    if (!sup_simd_available(SUP_SIMD_AVX2)) skip();
    sup_world_def fast = sup_world_default(), plain = fast;
    fast.simd = SUP_SIMD_AVX2;
    plain.simd = SUP_SIMD_SCALAR;
    stage a = stage_make(&fast), b = a;
    stage_run(&a, 0, 40);
    sup_bytes saved = save(a.world);
    b.world = make_world(&plain);
    restore(b.world, &saved);
    assert_int_equal(sup_world_simd(b.world), SUP_SIMD_SCALAR);
    stage_run(&a, 40, 100);
    stage_run(&b, 40, 100);
    assert_int_equal(sup_world_hash(a.world), sup_world_hash(b.world));
    sup_bytes_free(&saved);
    sup_world_destroy(a.world);
    sup_world_destroy(b.world);
}

/* However the caller rounds, which stays as it was. */
static void rounding_of_the_caller_does_not_matter(void** state) {
    (void)state;
    stage a = stage_make(NULL), b = a;
    stage_run(&a, 0, 100);
    sup_bytes saved = save(a.world);
    b.world = make_world(NULL);
    int before = fegetround();
    fesetround(FE_UPWARD);
    sup_result result = sup_world_restore(b.world, saved.data, saved.size, NULL);
    int left = fegetround();
    fesetround(before);
    assert_int_equal(result, SUP_OK);
    assert_int_equal(left, FE_UPWARD);
    assert_int_equal(sup_world_hash(a.world), sup_world_hash(b.world));
    /* what is worked out anew, as the sides of a led mesh, shows later */
    take_steps(a.world, 30);
    take_steps(b.world, 30);
    assert_int_equal(sup_world_hash(a.world), sup_world_hash(b.world));
    sup_bytes_free(&saved);
    sup_world_destroy(a.world);
    sup_world_destroy(b.world);
}

/* Three boxes on the floor, one of them on a rope, and one that falls onto them later. */
static sup_world* make_sleepers(sup_body bodies[4]) {
    sup_world* world = make_world(NULL);
    add_floor(world);
    sup_blueprint* box = box_of((double[3]){0.6, 0.6, 0.6}, 3, sup_blueprint_default());
    for (int i = 0; i < 3; i++) {
        sup_body_def def = body_at(box, 0.9 * i, 0.31, 0);
        bodies[i] = add_body(world, &def);
    }
    sup_body_def late = body_at(box, 0.45, 14.0, 0);
    late.velocity[1] = 6.0;
    bodies[3] = add_body(world, &late);
    sup_blueprint_release(box);
    sup_attachment_def rope = sup_attachment_default();
    rope.body = bodies[2];
    rope.here = true;
    rope.length = 0.5;
    rope.stiffness = 5.0;
    rope.damping = 5.0;
    sup_error error = {0};
    assert_ok(sup_attachment_create(world, &rope, NULL, &error), error);
    return world;
}

static bool has_event(const sup_world* world, sup_event_kind kind) {
    int32_t count;
    const sup_event* events = sup_world_events(world, &count);
    for (int32_t i = 0; i < count; i++) {
        if (events[i].kind == kind) return true;
    }
    return false;
}

/* Both go on; returns the kinds of events that both had, as bits. */
static uint32_t go_side_by_side(sup_world* a, sup_world* b, int32_t steps,
                                const sup_body bodies[4]) {
    uint32_t kinds = 0;
    for (int32_t i = 0; i < steps; i++) {
        take_steps(a, 1);
        take_steps(b, 1);
        assert_int_equal(sup_world_hash(a), sup_world_hash(b));
        for (int k = 0; k < 4; k++) {
            assert_int_equal(sup_body_is_asleep(a, bodies[k]), sup_body_is_asleep(b, bodies[k]));
        }
        for (int kind = SUP_EVENT_BODY_RESTORED; kind <= SUP_EVENT_BODY_WOKE; kind++) {
            bool seen = has_event(a, (sup_event_kind)kind);
            assert_int_equal(seen, has_event(b, (sup_event_kind)kind));
            kinds |= (uint32_t)seen << kind;
        }
    }
    return kinds;
}

/* Things fall asleep, are saved while they doze off and while they sleep, and wake at the same
   time. */
static void sleepers_sleep_on(void** state) {
    (void)state;
    sup_body bodies[4];
    int32_t slept = 0;
    sup_world* first = make_sleepers(bodies);
    for (; !sup_body_is_asleep(first, bodies[2]) && slept < 100; slept++) take_steps(first, 1);
    sup_world_destroy(first);
    const int32_t times[] = {slept - 12, slept, 150};
    for (int i = 0; i < 3; i++) {
        sup_world *world = make_sleepers(bodies), *other = make_world(NULL);
        take_steps(world, times[i]);
        assert_int_equal(sup_body_is_asleep(world, bodies[2]), i > 0);
        sup_bytes saved = save(world);
        restore(other, &saved);
        assert_int_equal(sup_body_is_asleep(other, bodies[2]), i > 0);
        uint32_t kinds = go_side_by_side(world, other, 300 - times[i], bodies);
        assert_true(kinds & 1u << SUP_EVENT_BODY_WOKE);
        if (i == 0) assert_true(kinds & 1u << SUP_EVENT_BODY_SLEPT);
        sup_bytes_free(&saved);
        sup_world_destroy(world);
        sup_world_destroy(other);
    }
}

/* Woken between two steps: the next one tells it. */
static void who_was_woken_is_told(void** state) {
    (void)state;
    sup_body bodies[4];
    sup_world *world = make_sleepers(bodies), *other = make_world(NULL);
    take_steps(world, 90);
    assert_int_equal(sup_body_wake(world, bodies[1]), SUP_OK);
    sup_bytes saved = save(world);
    restore(other, &saved);
    assert_true(go_side_by_side(world, other, 1, bodies) & 1u << SUP_EVENT_BODY_WOKE);
    sup_bytes_free(&saved);
    sup_world_destroy(world);
    sup_world_destroy(other);
}

/* A mesh that is closed only because points lay at the same places when it was made: what it is
   made of are those places, wherever its points are now. */
static void led_meshes_stay_what_they_were_made_of(void** state) {
    (void)state;
    static const sup_vec3 corner[4] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    static const int32_t faces[12] = {0, 2, 1, 0, 1, 3, 0, 3, 2, 1, 2, 3};
    int32_t starts[5] = {0, 3, 6, 9, 12}, corners[12];
    sup_vec3 points[12];
    for (int i = 0; i < 12; i++) {
        points[i] = corner[faces[i]];
        corners[i] = i;
    }
    sup_mesh mesh = {NULL, 12, 4, 12, points, starts, corners, 0};
    sup_collider_def def = sup_collider_default();
    def.kind = SUP_COLLIDER_MESH;
    def.mesh = &mesh;
    def.sensor = true; /* which open meshes cannot be */
    sup_world *world = make_world(NULL), *other = make_world(NULL);
    sup_collider collider = add_collider(world, &def);
    for (int i = 0; i < 12; i++) points[i].x += 0.001f * (float)i;
    assert_int_equal(sup_collider_move_points(world, collider, points, NULL), SUP_OK);
    sup_bytes pending = save(world);
    take_steps(world, 2);
    sup_bytes saved = save(world);
    restore(other, &pending);
    take_steps(other, 2);
    assert_int_equal(sup_world_hash(world), sup_world_hash(other));
    restore(other, &saved);
    sup_bytes again = save(other);
    assert_same_bytes(&saved, &again);
    sup_bytes_free(&pending);
    sup_bytes_free(&saved);
    sup_bytes_free(&again);
    sup_world_destroy(world);
    sup_world_destroy(other);
}

/* ---- Handles ---- */

static void handles_stay_what_they_are(void** state) {
    (void)state;
    stage s = stage_make(NULL), t = s;
    sup_body_destroy(s.world, s.gone);
    sup_bytes saved = save(s.world);
    t.world = make_world(NULL);
    restore(t.world, &saved);
    assert_false(sup_body_is_valid(t.world, s.gone));
    assert_false(sup_attachment_is_valid(t.world, s.lost));
    assert_true(sup_body_is_valid(t.world, s.jelly));
    assert_true(sup_collider_is_valid(t.world, s.lift));
    assert_true(sup_attachment_is_valid(t.world, s.spring));
    assert_int_equal(sup_attachment_user(t.world, s.spring), 5);
    sup_body bodies[16], others[16];
    int32_t count = sup_world_bodies(s.world, bodies, 16);
    assert_int_equal(sup_world_bodies(t.world, others, 16), count);
    for (int32_t i = 0; i < count; i++) {
        assert_int_equal(bodies[i].slot, others[i].slot);
        assert_int_equal(sup_body_user(s.world, bodies[i]), sup_body_user(t.world, others[i]));
    }
    /* new ones get the same numbers, and reset leads to the same start */
    stage* both[2] = {&s, &t};
    sup_body made[2];
    for (int i = 0; i < 2; i++) {
        sup_world* world = both[i]->world;
        sup_body_def def =
            body_at((sup_blueprint*)(uintptr_t)sup_body_blueprint(world, bodies[0]), 9, 9, 9);
        made[i] = add_body(world, &def);
        assert_int_equal(sup_body_reset(world, bodies[1]), SUP_OK);
        stage_run(both[i], 0, 5);
    }
    assert_int_equal(made[0].slot, made[1].slot);
    assert_int_equal(made[0].age, made[1].age);
    assert_int_equal(sup_world_hash(s.world), sup_world_hash(t.world));
    sup_bytes_free(&saved);
    sup_world_destroy(s.world);
    sup_world_destroy(t.world);
}

/* The sums of the last step are for the user, and are there again. */
static void sums_are_kept(void** state) {
    (void)state;
    stage s = stage_make(NULL), t = s;
    stage_run(&s, 0, 60);
    sup_bytes saved = save(s.world);
    t.world = make_world(NULL);
    restore(t.world, &saved);
    double a[3], b[3], c[3], d[3];
    assert_int_equal(sup_collider_read_impulse(s.world, s.lift, a, b), SUP_OK);
    assert_int_equal(sup_collider_read_impulse(t.world, s.lift, c, d), SUP_OK);
    assert_memory_equal(a, c, sizeof a);
    assert_memory_equal(b, d, sizeof b);
    assert_int_equal(sup_attachment_read_force(s.world, s.spring, a), SUP_OK);
    assert_int_equal(sup_attachment_read_force(t.world, s.spring, c), SUP_OK);
    assert_memory_equal(a, c, sizeof a);
    int32_t m, n;
    const sup_meeting* x = sup_world_meetings(s.world, &m);
    const sup_meeting* y = sup_world_meetings(t.world, &n);
    assert_int_equal(m, n);
    assert_true(m > 2);
    for (int32_t i = 0; i < m; i++) {
        assert_true(x[i].normal_impulse == y[i].normal_impulse);
        assert_true(x[i].friction_impulse == y[i].friction_impulse);
        assert_true(x[i].deepest == y[i].deepest);
        assert_int_equal(x[i].contact_count, y[i].contact_count);
        assert_memory_equal(x[i].impulse, y[i].impulse, sizeof x[i].impulse);
        assert_memory_equal(x[i].moment, y[i].moment, sizeof x[i].moment);
    }
    assert_true(sup_world_time(t.world) == sup_world_time(s.world));
    assert_int_equal(sup_world_step_count(t.world), 60);
    sup_bytes_free(&saved);
    sup_world_destroy(s.world);
    sup_world_destroy(t.world);
}

/* ---- Blueprints ---- */

static void equal_blueprints_are_shared(void** state) {
    (void)state;
    stage s = stage_make(NULL);
    sup_body bodies[16];
    sup_world_bodies(s.world, bodies, 16);
    const sup_blueprint* before = sup_body_blueprint(s.world, bodies[0]);
    sup_bytes saved = save(s.world);
    stage_run(&s, 0, 3);
    restore(s.world, &saved);
    assert_ptr_equal(sup_body_blueprint(s.world, bodies[0]), before);
    assert_ptr_equal(sup_body_blueprint(s.world, bodies[1]), before);
    sup_world* other = make_world(NULL);
    restore(other, &saved);
    assert_ptr_not_equal(sup_body_blueprint(other, bodies[0]), before);
    assert_ptr_equal(sup_body_blueprint(other, bodies[0]), sup_body_blueprint(other, bodies[1]));
    sup_bytes_free(&saved);
    sup_world_destroy(s.world);
    sup_world_destroy(other);
}

/* Also where the world has lost one of them since. */
static void blueprints_that_are_alike_stay_two(void** state) {
    (void)state;
    sup_world* world = make_world(NULL);
    sup_body bodies[2];
    for (int i = 0; i < 2; i++) {
        sup_blueprint* print = ball_of(0.5, 1, sup_blueprint_default());
        sup_body_def def = body_at(print, 2.0 * i, 0, 0);
        bodies[i] = add_body(world, &def);
        sup_blueprint_release(print);
    }
    sup_bytes saved = save(world);
    assert_int_equal(sup_body_destroy(world, bodies[0]), SUP_OK);
    restore(world, &saved);
    assert_ptr_not_equal(sup_body_blueprint(world, bodies[0]),
                         sup_body_blueprint(world, bodies[1]));
    sup_bytes again = save(world);
    assert_same_bytes(&again, &saved);
    sup_bytes_free(&saved);
    sup_bytes_free(&again);
    sup_world_destroy(world);
}

static void an_empty_world_is_saved_too(void** state) {
    (void)state;
    sup_world* world = make_world(NULL);
    sup_bytes saved = save(world);
    stage s = stage_make(NULL);
    restore(s.world, &saved);
    assert_int_equal(sup_world_bodies(s.world, NULL, 0), 0);
    assert_false(sup_body_is_valid(s.world, s.jelly));
    assert_int_equal(sup_world_hash(world), sup_world_hash(s.world));
    assert_int_equal(sup_world_step(s.world, FRAME), SUP_OK);
    sup_bytes_free(&saved);
    sup_world_destroy(world);
    sup_world_destroy(s.world);
}

static sup_result in_callback[2];

static void save_and_restore(void* user, sup_world* world, const sup_event* event) {
    (void)event;
    const sup_bytes* saved = user;
    sup_bytes bytes = {0};
    in_callback[0] = sup_world_save(world, &bytes, NULL);
    in_callback[1] = sup_world_restore(world, saved->data, saved->size, NULL);
}

static void callbacks_are_too_early(void** state) {
    (void)state;
    sup_bytes saved = {0};
    sup_world_def def = sup_world_default();
    def.on_event = save_and_restore;
    def.user = &saved;
    stage s = stage_make(&def);
    saved = save(s.world);
    in_callback[0] = in_callback[1] = SUP_OK;
    stage_run(&s, 0, 60);
    assert_int_equal(in_callback[0], SUP_BUSY);
    assert_int_equal(in_callback[1], SUP_BUSY);
    /* the callback is the world's own and survives */
    restore(s.world, &saved);
    in_callback[0] = SUP_OK;
    stage_run(&s, 0, 60);
    assert_int_equal(in_callback[0], SUP_BUSY);
    sup_bytes_free(&saved);
    sup_world_destroy(s.world);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(goes_on_as_undisturbed),
        cmocka_unit_test(other_kernels_go_on_alike),
        cmocka_unit_test(rounding_of_the_caller_does_not_matter),
        cmocka_unit_test(sleepers_sleep_on),
        cmocka_unit_test(who_was_woken_is_told),
        cmocka_unit_test(led_meshes_stay_what_they_were_made_of),
        cmocka_unit_test(handles_stay_what_they_are),
        cmocka_unit_test(sums_are_kept),
        cmocka_unit_test(equal_blueprints_are_shared),
        cmocka_unit_test(blueprints_that_are_alike_stay_two),
        cmocka_unit_test(an_empty_world_is_saved_too),
        cmocka_unit_test(callbacks_are_too_early),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
