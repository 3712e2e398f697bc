/* The scenes that show what moves and holds: each does what its name says. */
#include "scene/fixture.h"
#include "scene/shipped.h"
#include "sizes.h"

static sup_scene* open_scene(const char* name) {
    sup_scene* scene = shipped_scene(name, 2);
    if (sup_scene_note(scene, 0)) fail_msg("%s", sup_scene_note(scene, 0));
    return scene;
}

static int32_t find_body(const sup_scene* scene, const char* wanted) {
    for (int32_t i = 0; i < sup_scene_get_info(scene).body_count; i++) {
        const char* name;
        sup_scene_get_body(scene, i, &name);
        if (strcmp(name, wanted) == 0) return i;
    }
    fail_msg("no body %s", wanted);
    return -1;
}

/* The middle of the box of a body. */
static void read_middle(sup_scene* scene, int32_t index, double out[3]) {
    double low[3], high[3];
    sup_body body = sup_scene_get_body(scene, index, NULL);
    assert_int_equal(sup_body_bounds(sup_scene_world(scene), body, low, high), SUP_OK);
    for (int k = 0; k < 3; k++) out[k] = (low[k] + high[k]) / 2;
}

/* The hand closes, lifts the peach and lets it fall. */
static void squeeze_lifts_and_drops(void** state) {
    (void)state;
    skip_under_sanitizers();
    sup_scene* scene = open_scene("squeeze");
    int32_t peach = find_body(scene, "peach");
    double at[3], low[3], high[3];
    run(scene, 0, 130);
    sup_body body = sup_scene_get_body(scene, peach, NULL);
    sup_body_bounds(sup_scene_world(scene), body, low, high);
    assert_true(high[0] - low[0] < 0.65); /* 0.84 m across without the hand */
    run(scene, 130, 255);
    read_middle(scene, peach, at);
    assert_true(at[1] > 1.0 && fabs(at[0]) < 0.1 && fabs(at[2]) < 0.1);
    run(scene, 255, 480);
    read_middle(scene, peach, at);
    assert_true(at[1] < 0.6);
    sup_scene_free(scene);
}

/* The links stay together, the ball swings through and throws the tower down, then hangs. */
static void chain_hangs(void** state) {
    (void)state;
    skip_under_sanitizers();
    sup_scene* scene = open_scene("chain");
    int32_t ball = find_body(scene, "ball"), count = sup_scene_get_info(scene).attachment_count;
    double start[3], at[3];
    read_middle(scene, ball, start);
    run(scene, 0, 480);
    read_middle(scene, ball, at);
    double away = sqrt(at[0] * at[0] + (at[1] - 3.4) * (at[1] - 3.4) + at[2] * at[2]);
    double widest = 0;
    for (int32_t i = 0; i < count; i++) {
        double a[3], b[3];
        assert_int_equal(sup_scene_read_attachment(scene, i, a, b), SUP_OK);
        double d = sqrt((a[0] - b[0]) * (a[0] - b[0]) + (a[1] - b[1]) * (a[1] - b[1]) +
                        (a[2] - b[2]) * (a[2] - b[2]));
        widest = d > widest ? d : widest;
    }
    print_message("chain: ball %.2f m from its hook, %.2f m at the start; widest gap %.3f m\n",
                  away, start[0], widest);
    assert_true(at[1] < 1.2 && away < 1.15 * start[0]);
    assert_true(widest < 0.12); /* 0.06 m */
    sup_scene_free(scene);
}

/* 3 m g at the lowest point are 177 N: the weak rope (125 N) breaks on the way down, once; the
 * strong one holds. */
static void breakaway_breaks_once(void** state) {
    (void)state;
    skip_under_sanitizers();
    sup_scene* scene = open_scene("breakaway");
    sup_world* world = sup_scene_world(scene);
    int32_t broken = 0, when = 0;
    double force = 0, most = 0;
    for (int32_t frame = 1; frame <= 420; frame++) {
        run(scene, frame - 1, frame);
        int32_t count;
        const sup_event* events = sup_world_events(world, &count);
        for (int32_t i = 0; i < count; i++) {
            if (events[i].kind != SUP_EVENT_ATTACHMENT_BROKEN) continue;
            assert_int_equal(events[i].attachment.slot,
                             sup_scene_get_attachment(scene, 0).handle.slot);
            broken++, when = frame, force = events[i].value;
        }
        double pull[3];
        sup_attachment strong = sup_scene_get_attachment(scene, 1).handle;
        assert_int_equal(sup_attachment_read_force(world, strong, pull), SUP_OK);
        double size = sqrt(pull[0] * pull[0] + pull[1] * pull[1] + pull[2] * pull[2]);
        most = size > most && frame < 60 ? size : most;
    }
    print_message("breakaway: broke at frame %d under %.0f N; the other bore %.0f N\n", (int)when,
                  force, most);
    assert_int_equal(broken, 1);
    assert_true(when > 20 && when < 50); /* the lowest point is passed at about 0.77 s */
    assert_true(force > 125 && force < 160);
    assert_true(most > 150 && most < 220);
    assert_false(sup_attachment_is_valid(world, sup_scene_get_attachment(scene, 0).handle));
    double at[3];
    read_middle(scene, find_body(scene, "weak"), at);
    assert_true(at[1] < 0.5); /* it lies on the floor */
    sup_scene_free(scene);
}

/* Whatever falls into the bowl stays in it, and none of it goes through. */
static void bowl_holds(void** state) {
    (void)state;
    skip_under_sanitizers();
    sup_scene* scene = open_scene("bowl");
    run(scene, 0, long_tests() ? 420 : 100);
    for (int32_t i = 0; i < sup_scene_get_info(scene).body_count; i++) {
        double at[3];
        read_middle(scene, i, at);
        double out = sqrt(at[0] * at[0] + at[2] * at[2]);
        double wall = 0.25 + pow(out / 1.7, 2.4); /* the profile of the bowl */
        assert_true(out < 1.9 && at[1] > wall);
    }
    sup_scene_free(scene);
}

/* A box on the table goes round with it. */
static void carousel_carries(void** state) {
    (void)state;
    sup_scene* scene = open_scene("carousel");
    run(scene, 0, long_tests() ? 480 : 90);
    double spin = sup_world_measure(sup_scene_world(scene)).angular_momentum[1];
    int32_t above = 0;
    for (int32_t i = 0; i < sup_scene_get_info(scene).body_count; i++) {
        double at[3];
        read_middle(scene, i, at);
        assert_true(at[1] > 0.05);
        above += at[1] > 0.7;
    }
    print_message("carousel: %d bodies on the table, angular momentum %.1f kg m^2/s\n", (int)above,
                  spin);
    assert_true(above > 0);
    sup_scene_free(scene);
}

/* Thirty bodies roll down the hills and come to rest: all asleep within 20 s. */
static void terrain_falls_asleep(void** state) {
    (void)state;
    sup_scene* scene = open_scene("terrain");
    sup_world* world = sup_scene_world(scene);
    int32_t count = sup_scene_get_info(scene).body_count, last = long_tests() ? 1200 : 60,
            frame = 0;
    assert_int_equal(count, 30);
    while (frame < last && sup_world_measure(world).asleep_count < count) {
        run(scene, frame, frame + 1);
        frame++;
    }
    for (int32_t i = 0; i < count; i++) {
        double at[3];
        read_middle(scene, i, at);
        assert_true(fabs(at[0]) < 5.5 && fabs(at[2]) < 5.5 && at[1] > 0);
    }
    if (long_tests()) {
        print_message("terrain: all asleep at frame %d\n", (int)frame);
        assert_int_equal(sup_world_measure(world).asleep_count, count);
    }
    sup_scene_free(scene);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(squeeze_lifts_and_drops), cmocka_unit_test(chain_hangs),
        cmocka_unit_test(breakaway_breaks_once),   cmocka_unit_test(bowl_holds),
        cmocka_unit_test(carousel_carries),        cmocka_unit_test(terrain_falls_asleep),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
