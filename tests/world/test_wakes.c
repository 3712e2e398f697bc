/* Who lies still while something is done to what is around: woken where it matters, left alone
   where it does not, and never in two places. */
#include "allocators.h"
#include "world/yard.h"

#include <fenv.h>

static const double unturned[4] = {0, 0, 0, 1};

/* A box asleep on a floor. */
typedef struct bed {
    sup_world* world;
    sup_blueprint* box;
    sup_body body;
    sup_collider floor;
} bed;

static void wait_for_sleep(sup_world* world, sup_body body) {
    for (int i = 0; i < 900 && !sup_body_is_asleep(world, body); i++) take_steps(world, 1);
    assert_true(sup_body_is_asleep(world, body));
}

static bed make_bed(const sup_world_def* def) {
    bed b = {.world = make_world(def),
             .box = box_of((double[3]){0.5, 0.25, 0.5}, 4, filled(0.125))};
    sup_collider_def floor = sup_collider_default();
    b.floor = add_collider(b.world, &floor);
    sup_body_def at = body_at(b.box, 0, 0.13, 0);
    b.body = add_body(b.world, &at);
    wait_for_sleep(b.world, b.body);
    return b;
}

static void free_bed(bed* b) {
    sup_world_destroy(b->world);
    sup_blueprint_release(b->box);
}

static double height_of(const bed* b, sup_body body) {
    double low[3], high[3];
    assert_int_equal(sup_body_bounds(b->world, body, low, high), SUP_OK);
    return low[1];
}

static int32_t count_events(const sup_world* world, sup_event_kind kind) {
    int32_t count, found = 0;
    const sup_event* events = sup_world_events(world, &count);
    for (int32_t i = 0; i < count; i++) found += events[i].kind == kind;
    return found;
}

/* Every allocation of the step that would wake the body fails in turn: after each the body sleeps
 * on in one place. */
static void failed_steps_leave_sleepers_in_one_place(void** state) {
    (void)state;
    int32_t failed = 0;
    for (int32_t allowed = 0; allowed < 12; allowed++) {
        test_allocator gate;
        sup_world_def def = sup_world_default();
        def.allocator = test_allocator_init(&gate);
        bed b = make_bed(&def);
        for (int i = 0; i < 6; i++) { /* the columns must grow */
            sup_body_def more = body_at(b.box, 2.0 + 0.3 * i, 0.5 + 0.1 * i, 0);
            add_body(b.world, &more);
        }
        const double up[3] = {0, 0.05, 0}, home[3] = {0, 0, 0};
        assert_int_equal(sup_collider_move(b.world, b.floor, up, unturned, NULL), SUP_OK);
        test_allocator_arm(&gate, allowed + 1, false);
        sup_result result = sup_world_step(b.world, FRAME);
        failed += result == SUP_NO_MEMORY;
        test_allocator_arm(&gate, 0, false);
        if (result == SUP_NO_MEMORY) {
            assert_int_equal(sup_collider_move(b.world, b.floor, home, unturned, NULL), SUP_OK);
            double at = height_of(&b, b.body);
            for (int i = 0; i < 4; i++) {
                take_steps(b.world, 1);
                assert_true(sup_body_is_asleep(b.world, b.body));
                assert_true(height_of(&b, b.body) == at);
            }
        }
        free_bed(&b);
    }
    assert_true(failed > 3);
}

/* Moved to where it is, at substeps that are no power of two. */
static void colliders_that_do_not_move_wake_nobody(void** state) {
    (void)state;
    for (int32_t substeps = 3; substeps <= 7; substeps++) {
        sup_world_def def = sup_world_default();
        def.substeps = substeps;
        bed b = make_bed(&def);
        const double home[3] = {0, 0, 0}, turn[4] = {0, sin(0.35), 0, cos(0.35)};
        assert_int_equal(sup_collider_place(b.world, b.floor, home, turn, NULL), SUP_OK);
        wait_for_sleep(b.world, b.body);
        for (int i = 0; i < 60; i++) {
            assert_int_equal(sup_collider_move(b.world, b.floor, home, turn, NULL), SUP_OK);
            take_steps(b.world, 1);
            assert_true(sup_body_is_asleep(b.world, b.body));
            assert_int_equal(count_events(b.world, SUP_EVENT_CONTACT_END), 0);
        }
        free_bed(&b);
    }
}

static void carriers_feel_those_who_sleep(void** state) {
    (void)state;
    sup_world* world = make_world(NULL);
    sup_blueprint* ball = ball_of(0.2, 2, filled(0.1));
    sup_collider_def hook = sup_collider_default();
    hook.kind = SUP_COLLIDER_SPHERE;
    hook.radius = 0.05;
    hook.position[1] = 2;
    sup_attachment_def def = sup_attachment_default();
    def.collider = add_collider(world, &hook);
    sup_body_def at = body_at(ball, 0, 1, 0);
    def.body = add_body(world, &at);
    def.here = true;
    double weight = sup_blueprint_get_info(ball).mass * 9.81;
    for (def.particle = 0; def.particle < 30; def.particle++) {
        assert_int_equal(sup_attachment_create(world, &def, NULL, NULL), SUP_OK);
    }
    wait_for_sleep(world, def.body);
    take_steps(world, 5);
    double impulse[3];
    assert_int_equal(sup_collider_read_impulse(world, def.collider, impulse, NULL), SUP_OK);
    assert_near(-impulse[1] / FRAME, weight, 0.02);
    sup_world_destroy(world);
    sup_blueprint_release(ball);
}

static void sleepers_feel_edits_of_what_carries_them(void** state) {
    (void)state;
    for (int what = 0; what < 3; what++) {
        bed b = make_bed(NULL);
        assert_int_equal(sup_body_set_paused(b.world, b.body, true), SUP_OK);
        sup_body_def at = body_at(b.box, 0, 0.62, 0);
        sup_body top = add_body(b.world, &at);
        wait_for_sleep(b.world, top);
        double before = height_of(&b, top);
        const double away[3] = {10, 0, 0};
        if (what == 0)
            assert_int_equal(sup_body_teleport(b.world, b.body, away, NULL, NULL), SUP_OK);
        if (what == 1)
            assert_int_equal(sup_body_set_filter(b.world, b.body, (sup_filter){1, 0}), SUP_OK);
        if (what == 2) {
            assert_int_equal(sup_body_set_paused(b.world, b.body, false), SUP_OK);
            assert_int_equal(sup_body_teleport(b.world, b.body, away, NULL, NULL), SUP_OK);
        }
        assert_false(sup_body_is_asleep(b.world, top));
        take_steps(b.world, 60);
        assert_below(height_of(&b, top), before - 0.2);
        free_bed(&b);
    }
}

/* A paused body that was carried away does not go on pressing on the floor. */
static void paused_bodies_leave_their_meetings_behind(void** state) {
    (void)state;
    bed b = make_bed(NULL);
    assert_int_equal(sup_body_set_paused(b.world, b.body, true), SUP_OK);
    take_steps(b.world, 1);
    assert_int_equal(sup_body_teleport(b.world, b.body, (double[3]){0, 100, 0}, NULL, NULL),
                     SUP_OK);
    take_steps(b.world, 1);
    assert_int_equal(count_events(b.world, SUP_EVENT_CONTACT_END), 1);
    double impulse[3];
    int32_t count;
    assert_int_equal(sup_collider_read_impulse(b.world, b.floor, impulse, NULL), SUP_OK);
    sup_world_meetings(b.world, &count);
    assert_true(impulse[1] == 0 && count == 0);
    free_bed(&b);
}

static void sensors_that_come_and_go_are_told(void** state) {
    (void)state;
    bed b = make_bed(NULL);
    sup_collider_def def = sup_collider_default();
    def.kind = SUP_COLLIDER_SPHERE;
    def.sensor = true;
    sup_collider sensor = add_collider(b.world, &def);
    take_steps(b.world, 1);
    assert_int_equal(count_events(b.world, SUP_EVENT_SENSOR_BEGIN), 1);
    wait_for_sleep(b.world, b.body);
    const double away[3] = {100, 0, 0};
    assert_int_equal(sup_collider_place(b.world, sensor, away, unturned, NULL), SUP_OK);
    take_steps(b.world, 1);
    assert_int_equal(count_events(b.world, SUP_EVENT_SENSOR_END), 1);
    free_bed(&b);
}

/* A ghost around a sleeper becomes solid. */
static void filters_wake(void** state) {
    (void)state;
    bed b = make_bed(NULL);
    sup_collider_def def = sup_collider_default();
    def.kind = SUP_COLLIDER_SPHERE;
    def.radius = 0.3;
    def.filter.mask = 0;
    sup_collider ghost = add_collider(b.world, &def);
    take_steps(b.world, 10);
    assert_true(sup_body_is_asleep(b.world, b.body));
    assert_int_equal(sup_collider_set_filter(b.world, ghost, (sup_filter){1, UINT32_MAX}), SUP_OK);
    assert_false(sup_body_is_asleep(b.world, b.body));
    free_bed(&b);
}

/* Whatever rounding the caller has set. */
static void rounding_of_the_caller_does_not_matter(void** state) {
    (void)state;
    uint64_t hashes[2];
    for (int i = 0; i < 2; i++) {
        int mode = fegetround();
        if (i == 1) fesetround(FE_UPWARD);
        sup_world* world = make_world(NULL);
        sup_mesh mesh;
        fesetround(mode); /* the meshes are the same */
        assert_int_equal(sup_mesh_icosphere(NULL, 1, 2, &mesh, NULL), SUP_OK);
        sup_blueprint* ball = ball_of(0.2, 2, filled(0.1));
        if (i == 1) fesetround(FE_UPWARD);
        sup_collider_def def = sup_collider_default();
        def.kind = SUP_COLLIDER_MESH;
        def.mesh = &mesh;
        def.rotation[0] = 0.3;
        sup_collider hill = add_collider(world, &def);
        sup_body_def at = body_at(ball, 0.1, 1.4, 0);
        sup_body body = add_body(world, &at);
        take_steps(world, 20);
        swarm s = read_swarm(world, body);
        for (int32_t k = 0; k < s.count; k++) s.x[k].x += 1e-3 / 3.0;
        assert_int_equal(sup_body_write_particles(world, body, s.x, s.v, NULL), SUP_OK);
        free_swarm(&s);
        const double to[3] = {0.01, 0.02, 0.03}, turn[4] = {0.3, 0.1, 0, 1};
        assert_int_equal(sup_collider_move(world, hill, to, turn, NULL), SUP_OK);
        take_steps(world, 40);
        fesetround(mode);
        hashes[i] = sup_world_hash(world);
        sup_world_destroy(world);
        sup_blueprint_release(ball);
        sup_mesh_free(&mesh);
    }
    assert_true(hashes[0] == hashes[1]);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(failed_steps_leave_sleepers_in_one_place),
        cmocka_unit_test(colliders_that_do_not_move_wake_nobody),
        cmocka_unit_test(carriers_feel_those_who_sleep),
        cmocka_unit_test(sleepers_feel_edits_of_what_carries_them),
        cmocka_unit_test(paused_bodies_leave_their_meetings_behind),
        cmocka_unit_test(sensors_that_come_and_go_are_told),
        cmocka_unit_test(filters_wake),
        cmocka_unit_test(rounding_of_the_caller_does_not_matter),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
