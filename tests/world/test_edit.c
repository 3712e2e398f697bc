/* Bodies taken by the hand: teleport, reset, pause, led pins, regions of material. */
#include "world/yard.h"

static void teleport_moves_and_turns_without_speed(void** state) {
    (void)state;
    sup_world* world = make_weightless_world();
    sup_blueprint* box = box_of((double[3]){1, 0.5, 0.3}, 4, filled(0.1));
    sup_body_def def = body_at(box, 0.3, 0.2, -0.1);
    def.angular_velocity[1] = 2.0;
    def.velocity[0] = 1.0;
    sup_body body = add_body(world, &def);
    take_steps(world, 10);
    sup_measures before = sup_world_measure(world);
    swarm was = read_swarm(world, body);
    double centre[3] = {0, 0, 0};
    for (int32_t i = 0; i < was.count; i++) { /* all particles weigh the same */
        centre[0] += was.x[i].x / was.count;
        centre[1] += was.x[i].y / was.count;
        centre[2] += was.x[i].z / was.count;
    }
    /* A quarter turn about z: (x, y) -> (-y, x). */
    const double shift[3] = {5000.25, -3, 2}, turn[4] = {0, 0, sqrt(0.5), sqrt(0.5)};
    assert_int_equal(sup_body_teleport(world, body, shift, turn, NULL), SUP_OK);
    swarm is = read_swarm(world, body);
    for (int32_t i = 0; i < was.count; i++) {
        double x = was.x[i].x - centre[0], y = was.x[i].y - centre[1];
        assert_below(fabs(is.x[i].x - (centre[0] - y + shift[0])), 2e-6);
        assert_below(fabs(is.x[i].y - (centre[1] + x + shift[1])), 2e-6);
        assert_below(fabs(is.x[i].z - (was.x[i].z + shift[2])), 2e-6);
        assert_below(fabs((double)(is.v[i].x + was.v[i].y)), 2e-6);
        assert_below(fabs((double)(is.v[i].y - was.v[i].x)), 2e-6);
    }
    take_steps(world, 60);
    sup_measures after = sup_world_measure(world);
    assert_near(after.kinetic, before.kinetic, 1e-3);
    assert_below(after.strain_largest, 0.05);
    free_swarm(&was);
    free_swarm(&is);

    const double far[3] = {NAN, 0, 0}, none[4] = {0, 0, 0, 0};
    assert_int_equal(sup_body_teleport(world, body, far, NULL, NULL), SUP_BAD_ARGUMENT);
    assert_int_equal(sup_body_teleport(world, body, shift, none, NULL), SUP_BAD_ARGUMENT);
    sup_body_destroy(world, body);
    assert_int_equal(sup_body_teleport(world, body, shift, NULL, NULL), SUP_STALE);
    sup_world_destroy(world);
    sup_blueprint_release(box);
}

/* Whole units move the anchor alone: the body goes on with the same bits. */
/* However often: a snapshot must still know the place. */
static void teleports_end_somewhere(void** state) {
    (void)state;
    sup_world* world = make_world(NULL);
    sup_blueprint* print = ball_of(0.5, 1, sup_blueprint_default());
    sup_body_def def = body_at(print, 0, 0, 0);
    sup_body body = add_body(world, &def);
    const double shift[3] = {0, -1e12, 0};
    int32_t count = 0;
    while (sup_body_teleport(world, body, shift, NULL, NULL) == SUP_OK) count++;
    assert_in_range(count, 90, 101);
    sup_bytes saved;
    assert_int_equal(sup_world_save(world, &saved, NULL), SUP_OK);
    assert_int_equal(sup_world_restore(world, saved.data, saved.size, NULL), SUP_OK);
    sup_bytes_free(&saved);
    sup_world_destroy(world);
    sup_blueprint_release(print);
}

static void teleport_by_units_keeps_the_motion(void** state) {
    (void)state;
    sup_blueprint* ball = ball_of(0.3, 2, filled(0.15));
    swarm ends[2];
    for (int k = 0; k < 2; k++) {
        sup_world* world = make_weightless_world();
        sup_body_def def = body_at(ball, 0, 0, 0);
        def.angular_velocity[2] = 5.0;
        sup_body body = add_body(world, &def);
        take_steps(world, 20);
        const double shift[3] = {64, -32, 128}, back[3] = {-64, 32, -128};
        if (k) assert_int_equal(sup_body_teleport(world, body, shift, NULL, NULL), SUP_OK);
        take_steps(world, 20);
        if (k) assert_int_equal(sup_body_teleport(world, body, back, NULL, NULL), SUP_OK);
        ends[k] = read_swarm(world, body);
        sup_world_destroy(world);
    }
    assert_memory_equal(ends[0].x, ends[1].x, (size_t)ends[0].count * sizeof *ends[0].x);
    assert_memory_equal(ends[0].v, ends[1].v, (size_t)ends[0].count * sizeof *ends[0].v);
    free_swarm(&ends[0]);
    free_swarm(&ends[1]);
    sup_blueprint_release(ball);
}

static void reset_brings_back_the_start(void** state) {
    (void)state;
    sup_world* world = make_world(NULL);
    add_floor(world);
    sup_blueprint* ball = ball_of(0.3, 2, filled(0.15));
    sup_body_def def = body_at(ball, 3, 2, 1);
    def.velocity[0] = 2;
    def.angular_velocity[2] = 3;
    sup_body body = add_body(world, &def);
    swarm start = read_swarm(world, body);
    take_steps(world, 200);
    assert_int_equal(sup_body_reset(world, body), SUP_OK);
    swarm again = read_swarm(world, body);
    assert_memory_equal(start.x, again.x, (size_t)start.count * sizeof *start.x);
    assert_memory_equal(start.v, again.v, (size_t)start.count * sizeof *start.v);
    assert_int_equal(sup_body_reset(world, (sup_body){0}), SUP_STALE);
    free_swarm(&start);
    free_swarm(&again);
    sup_world_destroy(world);
    sup_blueprint_release(ball);
}

static void a_paused_body_is_a_rock(void** state) {
    (void)state;
    sup_world* world = make_world(NULL);
    sup_blueprint* box = box_of((double[3]){1, 0.4, 1}, 8, filled(0.125));
    sup_blueprint* ball = ball_of(0.2, 2, filled(0.1));
    sup_body_def rock = body_at(box, 0, 0, 0), stone = body_at(ball, 0, 1.5, 0);
    sup_body held = add_body(world, &rock), falling = add_body(world, &stone);
    assert_int_equal(sup_body_set_paused(world, held, true), SUP_OK);
    assert_true(sup_body_is_paused(world, held));
    swarm was = read_swarm(world, held);
    take_steps(world, 240);
    swarm is = read_swarm(world, held);
    assert_memory_equal(was.x, is.x, (size_t)was.count * sizeof *was.x);
    double low[3], high[3];
    assert_int_equal(sup_body_bounds(world, falling, low, high), SUP_OK);
    assert_above(low[1], 0.2); /* lies on it */
    assert_below(high[1], 0.9);
    assert_int_equal(sup_body_set_paused(world, held, false), SUP_OK);
    take_steps(world, 60);
    free_swarm(&is);
    is = read_swarm(world, held);
    assert_below(is.x[0].y, was.x[0].y - 2.0); /* falls like anything */
    free_swarm(&was);
    free_swarm(&is);
    assert_int_equal(sup_body_set_paused(world, (sup_body){7, 7}, true), SUP_STALE);
    sup_world_destroy(world);
    sup_blueprint_release(box);
    sup_blueprint_release(ball);
}

/* A bar pinned at one end, whose pins are led along a circle: every substep finds them on their
 * way, and at the end of a step they are where they were told to be. */
static void led_pins_are_followed_exactly(void** state) {
    (void)state;
    sup_vec3 points[64];
    sup_blueprint_def def = cube_of_64(points);
    int32_t pins[16];
    for (int i = 0; i < 16; i++) pins[i] = 4 * i; /* x = lowest */
    def.pin_count = 16;
    def.pins = pins;
    sup_blueprint* print;
    sup_error error = {0};
    assert_ok(sup_blueprint_create(&def, &print, &error), error);
    sup_world* world = make_weightless_world();
    sup_body_def at = body_at(print, 0, 0, 0);
    sup_body body = add_body(world, &at);
    int32_t ids[16];
    sup_blueprint_read_pins(print, ids);
    swarm rest = read_swarm(world, body);
    for (int32_t step = 1; step <= 120; step++) {
        double angle = 0.05 * step, shift[2] = {2 * sin(angle), 2 - 2 * cos(angle)};
        sup_point to[16];
        for (int i = 0; i < 16; i++) {
            to[i] = rest.x[ids[i]];
            to[i].x += shift[0];
            to[i].y += shift[1];
        }
        assert_int_equal(sup_body_move_pins(world, body, to, &error), SUP_OK);
        take_steps(world, 1);
        swarm s = read_swarm(world, body);
        for (int i = 0; i < 16; i++) {
            assert_below(fabs(s.x[ids[i]].x - to[i].x), 1e-6);
            assert_below(fabs(s.x[ids[i]].y - to[i].y), 1e-6);
            double speed = speed_of(&s.v[ids[i]]);
            if (step > 1) assert_near(speed, 2 * 0.05 / FRAME, 1e-2);
        }
        free_swarm(&s);
    }
    sup_measures m = sup_world_measure(world);
    assert_below(m.strain_largest, 0.5);
    take_steps(world, 1); /* not moved again: they stand */
    swarm s = read_swarm(world, body);
    for (int i = 0; i < 16; i++) assert_true(speed_of(&s.v[ids[i]]) == 0);
    free_swarm(&s);
    free_swarm(&rest);
    sup_point bad[16] = {{NAN, 0, 0}};
    assert_int_equal(sup_body_move_pins(world, body, bad, &error), SUP_BAD_ARGUMENT);
    sup_world_destroy(world);
    sup_blueprint_release(print);
}

/* ---- Regions ---- */

/* A bar of cubes that hangs by its pinned top; ids below half of the height are region 1. */
static sup_blueprint* make_bar(bool split) {
    sup_mesh mesh;
    assert_int_equal(
        sup_mesh_box(NULL, (double[3]){0.3, 1.2, 0.3}, (int32_t[3]){3, 12, 3}, &mesh, NULL),
        SUP_OK);
    sup_blueprint_def def = in_cubes(0.1, 0.3);
    def.surface = &mesh;
    def.mass = 1;
    sup_blueprint* plain;
    sup_error error = {0};
    assert_ok(sup_blueprint_create(&def, &plain, &error), error);
    int32_t count = sup_blueprint_get_info(plain).particle_count, pin_count = 0;
    sup_vec3* rest = calloc((size_t)count, sizeof *rest);
    uint8_t* regions = calloc((size_t)count, 1);
    int32_t* pins = calloc((size_t)count, sizeof *pins);
    sup_blueprint_read_rest(plain, rest);
    for (int32_t i = 0; i < count; i++) {
        regions[i] = rest[i].y < 0;
        if (rest[i].y > 0.59f) pins[pin_count++] = i;
    }
    sup_blueprint_release(plain);
    def.pin_count = pin_count;
    def.pins = pins;
    if (split) {
        def.region_count = 2;
        def.regions = regions;
    }
    sup_blueprint* print;
    assert_ok(sup_blueprint_create(&def, &print, &error), error);
    sup_mesh_free(&mesh);
    free(rest);
    free(regions);
    free(pins);
    return print;
}

/* How far the middle and the lower end have sunk, m. */
static void hang(sup_blueprint* print, const sup_material* upper, const sup_material* lower,
                 double sag[2]) {
    sup_world* world = make_world(NULL);
    sup_body_def def = body_at(print, 0, 0, 0);
    sup_material both[2] = {*upper, *lower};
    def.material = *upper;
    if (sup_blueprint_get_info(print).region_count == 2) def.region_materials = both;
    sup_body body = add_body(world, &def);
    swarm rest = read_swarm(world, body);
    take_steps(world, 600);
    swarm s = read_swarm(world, body);
    sag[0] = sag[1] = 0;
    for (int32_t i = 0; i < s.count; i++) {
        double sunk = rest.x[i].y - s.x[i].y;
        if (fabs(rest.x[i].y) < 0.01 && sunk > sag[0]) sag[0] = sunk;
        if (rest.x[i].y < -0.59 && sunk > sag[1]) sag[1] = sunk;
    }
    free_swarm(&rest);
    free_swarm(&s);
    sup_world_destroy(world);
}

static void regions_have_materials_of_their_own(void** state) {
    (void)state;
    sup_material stiff = sup_body_default().material, soft = stiff;
    stiff.stiffness = 200;
    soft.stiffness = 40;
    sup_blueprint *whole = make_bar(false), *split = make_bar(true);
    assert_int_equal(sup_blueprint_get_info(whole).region_count, 1);
    assert_int_equal(sup_blueprint_get_info(split).region_count, 2);
    double all_stiff[2], all_soft[2], same[2], soft_end[2], soft_top[2];
    hang(whole, &stiff, &stiff, all_stiff);
    hang(whole, &soft, &soft, all_soft);
    hang(split, &stiff, &stiff, same);
    hang(split, &stiff, &soft, soft_end);
    hang(split, &soft, &stiff, soft_top);
    assert_near(same[0], all_stiff[0], 1e-3); /* regions alone change nothing */
    assert_near(same[1], all_stiff[1], 1e-3);
    /* The middle sinks by what is above it, the end more where it is soft. */
    assert_below(soft_end[0], 0.5 * all_soft[0]);
    assert_above(soft_end[1] - soft_end[0], 3 * (all_stiff[1] - all_stiff[0]));
    assert_above(soft_top[0], 5 * all_stiff[0]);
    assert_below(soft_top[1] - soft_top[0], 0.5 * (all_soft[1] - all_soft[0]));
    sup_blueprint_release(whole);
    sup_blueprint_release(split);
}

/* A box with one slippery and one rough half slides, turning about the rough one. */
static void regions_have_friction_of_their_own(void** state) {
    (void)state;
    sup_mesh mesh;
    assert_int_equal(
        sup_mesh_box(NULL, (double[3]){1, 0.2, 0.2}, (int32_t[3]){10, 2, 2}, &mesh, NULL), SUP_OK);
    sup_blueprint_def def = sup_blueprint_default();
    uint8_t regions[1024];
    assert_true(mesh.point_count < 1024);
    for (int32_t i = 0; i < mesh.point_count; i++) regions[i] = mesh.points[i].x > 0;
    def.region_count = 2;
    def.regions = regions;
    def.weld = 0;
    sup_blueprint* print = blueprint_of(&mesh, def);
    sup_world* world = make_world(NULL);
    add_floor(world);
    sup_body_def at = body_at(print, 0, 0.105, 0);
    sup_material both[2] = {at.material, at.material};
    both[0].friction_static = both[0].friction_kinetic = 0;
    both[1].friction_static = both[1].friction_kinetic = 2;
    at.region_materials = both;
    at.velocity[2] = 3;
    sup_body body = add_body(world, &at);
    take_steps(world, 30);
    sup_measures m = sup_world_measure(world);
    /* The rough side (+x) lags behind in +z: angular momentum about +y is positive there. */
    assert_above(m.angular_momentum[1], 0.5);
    /* Both alike: it does not turn. */
    sup_material alike = both[1];
    assert_int_equal(sup_body_set_material(world, body, &alike, NULL), SUP_OK);
    assert_int_equal(sup_body_reset(world, body), SUP_OK);
    take_steps(world, 10);
    m = sup_world_measure(world);
    assert_below(fabs(m.angular_momentum[1]), 0.2);
    sup_world_destroy(world);
    sup_blueprint_release(print);
}

static void bad_regions_are_refused(void** state) {
    (void)state;
    sup_error error = {0};
    sup_vec3 points[64];
    sup_blueprint_def def = cube_of_64(points);
    uint8_t regions[64] = {0};
    regions[63] = 2;
    def.region_count = 2;
    def.regions = regions;
    sup_blueprint* print = NULL;
    assert_int_equal(sup_blueprint_create(&def, &print, &error), SUP_BAD_ARGUMENT);
    assert_non_null(strstr(error.text, "region"));
    def.region_count = 257;
    assert_int_equal(sup_blueprint_create(&def, &print, &error), SUP_BAD_ARGUMENT);
    def.region_count = 3;
    assert_ok(sup_blueprint_create(&def, &print, &error), error);
    sup_world* world = make_world(NULL);
    sup_body_def at = body_at(print, 0, 0, 0);
    sup_material mixed[3] = {at.material, at.material, at.material};
    mixed[2].scheme = SUP_SCHEME_S;
    at.region_materials = mixed;
    sup_body body;
    assert_int_equal(sup_body_create(world, &at, &body, &error), SUP_BAD_ARGUMENT);
    at.region_materials = NULL;
    body = add_body(world, &at);
    assert_int_equal(sup_body_set_region_material(world, body, 3, &mixed[0], &error),
                     SUP_BAD_ARGUMENT);
    assert_int_equal(sup_body_set_region_material(world, body, -1, &mixed[0], &error),
                     SUP_BAD_ARGUMENT);
    assert_int_equal(sup_body_set_region_material(world, body, 1, &mixed[2], &error),
                     SUP_BAD_ARGUMENT);
    assert_int_equal(sup_body_set_region_material(world, body, 1, &mixed[0], &error), SUP_OK);
    sup_world_destroy(world);
    sup_blueprint_release(print);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(teleport_moves_and_turns_without_speed),
        cmocka_unit_test(teleports_end_somewhere),
        cmocka_unit_test(teleport_by_units_keeps_the_motion),
        cmocka_unit_test(reset_brings_back_the_start),
        cmocka_unit_test(a_paused_body_is_a_rock),
        cmocka_unit_test(led_pins_are_followed_exactly),
        cmocka_unit_test(regions_have_materials_of_their_own),
        cmocka_unit_test(regions_have_friction_of_their_own),
        cmocka_unit_test(bad_regions_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
