/* Attachments as things: what is refused, handles, callbacks, threads, memory. */
#include "allocators.h"
#include "world/links.h"

/* ---- Handles and arguments ---- */

static void check_refused(sup_world* world, const sup_attachment_def* def, sup_result wanted,
                          const char* part) {
    sup_error error = {0};
    sup_attachment out = {9, 9};
    uint64_t hash = sup_world_hash(world);
    assert_int_equal(sup_attachment_create(world, def, &out, &error), wanted);
    if (!strstr(error.text, part)) fail_msg("\"%s\" does not say \"%s\"", error.text, part);
    assert_int_equal(out.slot, 9);
    assert_true(sup_world_hash(world) == hash);
}

static void bad_attachments_are_refused(void** state) {
    (void)state;
    sup_world* world = make_world(NULL);
    sup_blueprint* print = make_block();
    sup_body_def body_def = body_at(print, 0, 0, 0);
    sup_body a = add_body(world, &body_def), b = add_body(world, &body_def);
    sup_body gone = add_body(world, &body_def);
    sup_collider carrier = add_carrier(world), lost = add_carrier(world);
    sup_body_destroy(world, gone);
    sup_collider_destroy(world, lost);
    sup_attachment_def d = hold(gone, 0);
    check_refused(world, &d, SUP_STALE, "body");
    d = join(a, 0, gone, 0);
    check_refused(world, &d, SUP_STALE, "other body");
    d = hold(a, 0);
    d.collider = lost;
    check_refused(world, &d, SUP_STALE, "collider");
    d = hold(a, BLOCK_COUNT);
    check_refused(world, &d, SUP_BAD_ARGUMENT, "no particle 27");
    d = join(a, 0, b, -1);
    check_refused(world, &d, SUP_BAD_ARGUMENT, "no particle -1");
    d = join(a, 0, a, 0);
    check_refused(world, &d, SUP_BAD_ARGUMENT, "itself");
    d = join(a, 0, b, 0);
    d.collider = carrier;
    check_refused(world, &d, SUP_BAD_ARGUMENT, "both");
    d = join(a, 0, b, 0);
    d.here = true;
    check_refused(world, &d, SUP_BAD_ARGUMENT, "here");
    d = hold(a, 0);
    d.stiffness = -1;
    check_refused(world, &d, SUP_BAD_ARGUMENT, "stiffness");
    d = hold(a, 0);
    d.damping = (double)NAN;
    check_refused(world, &d, SUP_BAD_ARGUMENT, "damping");
    d = hold(a, 0);
    d.break_force = -1;
    check_refused(world, &d, SUP_BAD_ARGUMENT, "break_force");
    d = hold(a, 0);
    d.point[1] = (double)INFINITY;
    check_refused(world, &d, SUP_BAD_ARGUMENT, "point");
    /* what is worked out must be in range too */
    body_def.position[0] = 1e12;
    sup_body far = add_body(world, &body_def);
    body_def.position[0] = -1e12;
    sup_body wide = add_body(world, &body_def);
    const double away[3] = {1e12, 0, 0};
    assert_int_equal(sup_body_teleport(world, far, away, NULL, NULL), SUP_OK);
    d = hold(far, 0);
    d.here = true;
    check_refused(world, &d, SUP_BAD_ARGUMENT, "point");
    d = join(far, 0, wide, 0);
    d.length = -1;
    check_refused(world, &d, SUP_BAD_ARGUMENT, "length");
    d = hold(a, 0);
    d.size = 3;
    check_refused(world, &d, SUP_BAD_ARGUMENT, "sup_attachment_default");
    assert_int_equal(sup_world_attachments(world, NULL, 0), 0);
    sup_world_destroy(world);
    sup_blueprint_release(print);
}

static void particles_without_mass_hold_nothing(void** state) {
    (void)state;
    sup_vec3 points[8];
    const float masses[8] = {1, 1, 1, 1, 1, 1, 1, 0};
    const int32_t pin = 0;
    sup_error error = {0};
    sup_blueprint_def def = sup_blueprint_default();
    sup_blueprint* print = NULL;
    def.point_count = make_lattice(2, 2, 2, (double[3]){0.2, 0.2, 0.2}, points);
    def.points = points;
    def.masses = masses;
    def.pins = &pin;
    def.pin_count = 1;
    assert_ok(sup_blueprint_create(&def, &print, &error), error);
    sup_world* world = make_world(NULL);
    sup_body_def body_def = body_at(print, 0, 0, 0);
    sup_body body = add_body(world, &body_def), other = add_body(world, &body_def);
    sup_attachment_def d = hold(body, 7);
    check_refused(world, &d, SUP_BAD_ARGUMENT, "no mass");
    d = hold(body, 0);
    check_refused(world, &d, SUP_BAD_ARGUMENT, "pinned");
    d = join(body, 0, other, 0);
    check_refused(world, &d, SUP_BAD_ARGUMENT, "pinned");
    d = join(body, 0, other, 1);
    attach(world, &d);
    sup_world_destroy(world);
    sup_blueprint_release(print);
}

static void stale_handles_are_found_out(void** state) {
    (void)state;
    sup_world* world = make_world(NULL);
    sup_blueprint* print = make_block();
    sup_body_def body_def = body_at(print, 0, 0, 0);
    sup_body a = add_body(world, &body_def), b = add_body(world, &body_def);
    sup_attachment links[3], list[3];
    for (int i = 0; i < 3; i++) {
        sup_attachment_def d = i == 1 ? join(a, 1, b, 2) : hold(a, i);
        d.user = 10 + (uint64_t)i;
        links[i] = attach(world, &d);
    }
    const double up[3] = {0, 1, 0}, bad[3] = {0, (double)NAN, 0};
    double force[3];
    sup_error error = {0};
    assert_int_equal(sup_attachment_move(world, links[1], up, &error), SUP_BAD_ARGUMENT);
    assert_int_equal(sup_attachment_move(world, links[0], bad, &error), SUP_BAD_ARGUMENT);
    assert_int_equal(sup_attachment_user(world, links[2]), 12);
    assert_int_equal(sup_world_attachments(world, list, 3), 3);
    assert_memory_equal(list, links, sizeof links);
    assert_int_equal(sup_attachment_destroy(world, links[0]), SUP_OK);
    assert_int_equal(sup_attachment_destroy(world, links[0]), SUP_STALE);
    assert_int_equal(sup_attachment_user(world, links[0]), 0);
    assert_int_equal(sup_attachment_user(world, links[2]), 12);
    assert_int_equal(sup_world_attachments(world, list, 1), 2);
    assert_memory_equal(list, links + 1, sizeof *links);
    assert_int_equal(sup_body_destroy(world, b), SUP_OK);
    assert_false(sup_attachment_is_valid(world, links[1]));
    assert_int_equal(sup_attachment_destroy(world, links[1]), SUP_STALE);
    assert_int_equal(sup_attachment_read_force(world, links[1], force), SUP_STALE);
    assert_int_equal(sup_attachment_move(world, links[1], up, &error), SUP_STALE);
    assert_int_equal(sup_world_attachments(world, list, 3), 1);
    take_steps(world, 1);
    assert_int_equal(sup_world_attachments(world, list, 3), 1);
    assert_memory_equal(list, links + 2, sizeof *links);
    assert_false(sup_attachment_is_valid(world, (sup_attachment){0, 0}));
    sup_world_destroy(world);
    sup_blueprint_release(print);
}

/* Destroyed in a callback: gone when the last event was told. */
static void let_all_go(void* user, sup_world* world, const sup_event* event) {
    sup_attachment* links = user;
    if (event->kind != SUP_EVENT_ATTACHMENT_BROKEN) return;
    assert_int_equal(sup_attachment_destroy(world, links[0]), SUP_OK);
    assert_int_equal(sup_attachment_destroy(world, links[0]), SUP_STALE);
    assert_false(sup_attachment_is_valid(world, links[1]));
    assert_int_equal(sup_world_step(world, FRAME), SUP_BUSY);
}

static void callbacks_may_destroy(void** state) {
    (void)state;
    sup_attachment links[2];
    sup_world_def settings = sup_world_default();
    settings.on_event = let_all_go;
    settings.user = links;
    sup_world* world = make_world(&settings);
    sup_blueprint* print = make_block();
    sup_body_def def = body_at(print, 0, 0, 0);
    sup_body body = add_body(world, &def);
    for (int i = 0; i < 2; i++) {
        sup_attachment_def d = hold(body, i);
        d.break_force = i ? 1e-3 : 0;
        links[i] = attach(world, &d);
    }
    take_steps(world, 1);
    assert_false(sup_attachment_is_valid(world, links[0]));
    assert_int_equal(sup_world_attachments(world, NULL, 0), 0);
    sup_world_destroy(world);
    sup_blueprint_release(print);
}

/* ---- The house's laws ---- */

static uint64_t run_with(int32_t threads) {
    sup_world_def settings = sup_world_default();
    settings.threads = threads;
    sup_world* world = make_world(&settings);
    sup_blueprint* print = make_block();
    sup_body bodies[12];
    sup_collider carrier = add_carrier(world);
    for (int i = 0; i < 12; i++) {
        sup_body_def def = body_at(print, 0.4 * i, 0.1 * i, 0);
        bodies[i] = add_body(world, &def);
        sup_attachment_def d =
            i ? join(bodies[i], at(0, 2, 1), bodies[i - 1], at(2, 2, 1)) : hold(bodies[i], 0);
        if (i == 0) d.collider = carrier;
        d.length = i % 3 == 1 ? 0.2 : 0;
        d.stiffness = i % 4 == 2 ? 4000 : 0;
        d.damping = 3;
        attach(world, &d);
    }
    for (int i = 0; i < 60; i++) {
        const double p[3] = {0.05 * i, 0, 0}, q[4] = {0, 0, 0.01 * i, 1};
        assert_int_equal(sup_collider_move(world, carrier, p, q, NULL), SUP_OK);
        take_steps(world, 1);
    }
    uint64_t hash = sup_world_hash(world);
    sup_world_destroy(world);
    sup_blueprint_release(print);
    return hash;
}

static void workers_do_not_change_the_result(void** state) {
    (void)state;
    assert_true(run_with(1) == run_with(3));
}

static void warm_steps_allocate_nothing(void** state) {
    (void)state;
    test_allocator counter;
    sup_world_def settings = sup_world_default();
    settings.allocator = test_allocator_init(&counter);
    sup_blueprint* print = make_block();
    sup_world* world = make_world(&settings);
    sup_attachment links[4];
    hang(world, print, (double[3]){0, 0, 0}, links, NULL);
    take_steps(world, 2);
    test_allocator_arm(&counter, 0, false);
    take_steps(world, 30);
    assert_int_equal(atomic_load(&counter.calls), 0);
    sup_world_destroy(world);
    sup_blueprint_release(print);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(bad_attachments_are_refused),
        cmocka_unit_test(particles_without_mass_hold_nothing),
        cmocka_unit_test(stale_handles_are_found_out),
        cmocka_unit_test(callbacks_may_destroy),
        cmocka_unit_test(workers_do_not_change_the_result),
        cmocka_unit_test(warm_steps_allocate_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
