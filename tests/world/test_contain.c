/* Containment: whatever is broken in one body, no other body hears of it. */
#include "world/yard.h"

#include "world/world.h"

#include <stdio.h>

enum { BODY_COUNT = 20 };

/* Twenty bodies of six kinds in two layers on a floor, touching each other. */
typedef struct crowd {
    sup_world* world;
    sup_body bodies[BODY_COUNT];
} crowd;

static crowd make_crowd(void) {
    static const int32_t pins[2] = {0, 5};
    crowd c = {.world = make_wakeful_world()};
    add_floor(c.world);
    sup_blueprint_def pinned = filled(0.1), pinned_cubes = in_cubes(0.1, 0.25);
    pinned.pin_count = pinned_cubes.pin_count = 2;
    pinned.pins = pinned_cubes.pins = pins;
    sup_blueprint* prints[] = {
        ball_of(0.2, 1, sup_blueprint_default()),
        ball_of(0.2, 1, in_cubes(0.1, 0.3)),
        ball_of(0.2, 1, pinned),
        ball_of(0.2, 1, pinned_cubes),
        box_of((double[3]){0.36, 0.36, 0.36}, 3, filled(0.12)),
    };
    const sup_scheme schemes[] = {SUP_SCHEME_D, SUP_SCHEME_D, SUP_SCHEME_P, SUP_SCHEME_S};
    for (int32_t i = 0; i < BODY_COUNT; i++) {
        sup_body_def def = body_at(prints[i % 5], 0.42 * (i % 5), 0.21 + 0.4 * (i / 10),
                                   0.42 * (i / 5 % 2) + 0.1 * (i / 10));
        def.material.scheme = schemes[i / 5];
        c.bodies[i] = add_body(c.world, &def);
    }
    for (size_t i = 0; i < sizeof prints / sizeof *prints; i++) sup_blueprint_release(prints[i]);
    take_steps(c.world, 90);
    assert_true(sup_world_measure(c.world).contact_count > 100);
    return c;
}

/* Everybody is finite and slow. */
static void check_bodies(const crowd* c, double limit) {
    for (int32_t i = 0; i < BODY_COUNT; i++) {
        assert_below(top_speed_of(c->world, c->bodies[i]), limit);
    }
}

static const float poisons[] = {NAN, INFINITY, -INFINITY, 1e30f};

static int32_t pick(dice* d, int32_t count) {
    int32_t index = (int32_t)((0.5 + 0.5 * dice_roll(d)) * count);
    return index < count ? index : count - 1;
}

/* Writes poison into one number that the next step reads; says which. */
static void poison_body(dice* d, sup_world* world, const supi_body* body, char* what, size_t size) {
    static const char* const names[] = {"x", "v", "rotation", "centre"};
    supi_state* now = &world->now;
    int32_t kind = pick(d, 16), entry = pick(d, 4), which = pick(d, 4);
    kind = kind < 7 ? 0 : kind < 14 ? 1 : kind - 12;
    int32_t row = body->row + pick(d, body->blueprint->info.particle_count);
    int32_t cluster = body->cluster + pick(d, body->blueprint->cluster_count);
    if (kind == 3) entry = entry % 3;       /* its fourth is not read */
    if (kind < 2 && entry == 3) which %= 3; /* inverse mass and radius: any finite number passes */
    float* numbers[] = {&now->x[row].x, &now->v[row].x, &now->rotation[cluster].x,
                        &now->centre[cluster].x};
    numbers[kind][entry] = poisons[which];
    snprintf(what, size, "%g in %s[%d]", (double)poisons[which], names[kind], (int)entry);
}

/* The last step has restored this body, and nothing went wrong with any other. */
static void check_restored(const sup_world* world, sup_body body, const char* what) {
    int32_t count;
    const sup_event* events = sup_world_events(world, &count);
    for (int32_t i = 0; i < count && mishap_count(world) == 1; i++) {
        if (events[i].kind == SUP_EVENT_BODY_RESTORED && events[i].body.slot == body.slot &&
            events[i].body.age == body.age) {
            return;
        }
    }
    print_error("%s in body %u: %d events\n", what, body.slot, (int)count);
    fail();
}

static void poison_is_contained(void** state) {
    (void)state;
    crowd c = make_crowd();
    dice d = {1};
    int32_t pinned_count = 0, cubes_count = 0;
    for (int32_t round = 0; round < 1000; round++) {
        char what[64];
        int32_t bad = pick(&d, BODY_COUNT);
        const supi_body* body = supi_world_body(c.world, c.bodies[bad]);
        pinned_count += body->blueprint->pin_count > 0;
        cubes_count += !body->blueprint->single;
        poison_body(&d, c.world, body, what, sizeof what);
        take_steps(c.world, 1);
        check_restored(c.world, c.bodies[bad], what);
        assert_below(top_speed_of(c.world, c.bodies[bad]), 5.0);
        check_bodies(&c, 50.0);
        int32_t later = long_tests() || round % (short_tests() ? 50 : 10) == 0 ? 60 : 3;
        for (int32_t i = 0; i < later; i++) {
            take_steps(c.world, 1);
            assert_int_equal(mishap_count(c.world), 0);
        }
        check_bodies(&c, 50.0);
    }
    assert_true(pinned_count > 300 && cubes_count > 300);
    sup_world_destroy(c.world);
}

/* All numbers of a body at once, in two bodies, in every scheme. */
static void wholly_broken_bodies_come_back(void** state) {
    (void)state;
    for (size_t which = 0; which < sizeof poisons / sizeof *poisons; which++) {
        crowd c = make_crowd();
        for (int32_t bad = 0; bad < BODY_COUNT; bad += 13) {
            const supi_body* body = supi_world_body(c.world, c.bodies[bad]);
            float* x = &c.world->now.x[body->row].x;
            float* v = &c.world->now.v[body->row].x;
            for (int32_t i = 0; i < 4 * body->blueprint->row_count; i++)
                x[i] = v[i] = poisons[which];
        }
        take_steps(c.world, 1);
        assert_int_equal(mishap_count(c.world), 2);
        check_bodies(&c, 50.0);
        for (int32_t i = 0; i < 60; i++) {
            take_steps(c.world, 1);
            assert_int_equal(mishap_count(c.world), 0);
        }
        check_bodies(&c, 50.0);
        sup_world_destroy(c.world);
    }
}

/* A body that meets nobody comes back close to where it was. */
static void free_bodies_come_back_where_they_were(void** state) {
    (void)state;
    sup_blueprint* prints[2] = {ball_of(0.2, 1, sup_blueprint_default()),
                                ball_of(0.2, 1, in_cubes(0.1, 0.25))};
    for (int32_t round = 0; round < 64; round++) {
        sup_world* world = make_world(NULL);
        sup_body_def def = body_at(prints[round % 2], 0, 0, 0);
        def.angular_velocity[0] = 3.0;
        def.velocity[0] = 2.0;
        def.material.scheme = (sup_scheme)(round / 2 % 3);
        sup_body body = add_body(world, &def);
        def.position[2] = 5.0;
        add_body(world, &def);
        take_steps(world, 30);
        double before[3], after[3];
        centre_of(world, body, before, NULL);
        char what[64];
        dice d = {(uint64_t)round};
        poison_body(&d, world, supi_world_body(world, body), what, sizeof what);
        take_steps(world, 1);
        check_restored(world, body, what);
        centre_of(world, body, after, NULL);
        assert_below(distance_of(before, after), 0.2);
        sup_world_destroy(world);
    }
    for (int i = 0; i < 2; i++) sup_blueprint_release(prints[i]);
}

/* Both states that the world keeps are broken: the rest shape is what is left. */
static void rest_shape_is_the_last_resort(void** state) {
    (void)state;
    crowd c = make_crowd();
    const supi_body* body = supi_world_body(c.world, c.bodies[6]);
    c.world->now.x[body->row].x = c.world->before.x[body->row].x = NAN;
    take_steps(c.world, 1);
    check_restored(c.world, c.bodies[6], "two NaN");
    check_bodies(&c, 50.0);
    take_steps(c.world, 60);
    assert_int_equal(mishap_count(c.world), 0);
    assert_below(sup_world_measure(c.world).strain_largest, 0.3);
    sup_world_destroy(c.world);
}

/* A lasting stretch that is none is given up, and so is every one with the rest shape. */
static void lasting_stretches_come_back_sane(void** state) {
    (void)state;
    sup_blueprint* print = ball_of(0.2, 1, in_cubes(0.1, 0.25));
    for (int lost = 0; lost < 2; lost++) {
        sup_world* world = make_weightless_world();
        sup_body_def def = body_at(print, 0, 0, 0);
        def.material.plastic.on = true;
        sup_body handle = add_body(world, &def);
        take_steps(world, 2);
        supi_body* body = supi_world_body(world, handle);
        int32_t clusters = body->blueprint->cluster_count;
        const double log[6] = {0.2, -0.1, -0.1, 0, 0, 0};
        supi_plastic_from_log(log, body->plastic);
        supi_body_keep_plastic(body);
        body->plastic[1].stretch[0] = body->plastic[clusters + 1].stretch[0] = NAN;
        world->now.x[body->row].x = NAN;
        if (lost) world->before.x[body->row].x = NAN;
        take_steps(world, 1);
        check_restored(world, handle, "a stretch");
        float* stretches = malloc(6 * (size_t)clusters * sizeof *stretches);
        assert_non_null(stretches);
        sup_body_read_plastic(world, handle, stretches);
        assert_true(supi_plastic_sane(supi_world_body(world, handle)->plastic + 1));
        assert_true(stretches[6] == 1.0f && stretches[7] == 1.0f);
        assert_true(lost ? stretches[0] == 1.0f : stretches[0] > 1.1f);
        free(stretches);
        take_steps(world, 60);
        assert_int_equal(mishap_count(world), 0);
        assert_below(top_speed_of(world, handle), 1.0);
        sup_world_destroy(world);
    }
    sup_blueprint_release(print);
}

/* Gives every particle of a body a random velocity, past the checks of the public door. */
static void scatter(dice* d, sup_world* world, const supi_body* body, double speed) {
    for (int32_t r = 0; r < body->blueprint->info.particle_count; r++) {
        sup_row* v = world->now.v + body->row + r;
        v->x = (float)(speed * dice_roll(d));
        v->y = (float)(speed * dice_roll(d));
        v->z = (float)(speed * dice_roll(d));
    }
}

/* Bodies that fly apart. At 9e5 m/s, near the most a user may write, they stay in range and pull
   themselves together; at 2e10 m/s most leave it in the middle of the step. */
static void explosions_are_contained(void** state) {
    (void)state;
    dice d = {2};
    int32_t restored = 0;
    for (int32_t round = 0; round < 10; round++) {
        crowd c = make_crowd();
        int32_t bad = pick(&d, BODY_COUNT);
        bool wild = round % 2 == 1;
        for (int32_t again = 0; again < 3; again++) {
            scatter(&d, c.world, supi_world_body(c.world, c.bodies[bad]), wild ? 2e10 : 9e5);
            take_steps(c.world, 1);
            if (mishap_count(c.world) > 0) {
                assert_true(wild);
                check_restored(c.world, c.bodies[bad], "explosion");
                restored++;
            }
            assert_true(isfinite(top_speed_of(c.world, c.bodies[bad])));
            for (int32_t i = 0; i < BODY_COUNT; i++) {
                if (i != bad) assert_below(top_speed_of(c.world, c.bodies[i]), 50.0);
            }
        }
        sup_world_destroy(c.world);
    }
    assert_true(restored >= 8);
}

/* The strongest gravity there is, on one body of a crowd. */
static void huge_gravity_is_contained(void** state) {
    (void)state;
    sup_world_def def = sup_world_default();
    def.gravity[1] = -1e4;
    sup_world* world = make_world(&def);
    add_floor(world);
    sup_blueprint* print = ball_of(0.2, 1, filled(0.1));
    sup_body bodies[4];
    for (int32_t i = 0; i < 4; i++) {
        sup_body_def body = body_at(print, 0.3 * i, 0.21 + 0.4 * i, 0.0);
        body.gravity_scale = i == 1 ? 1000.0 : i == 2 ? -1000.0 : 1e-3;
        bodies[i] = add_body(world, &body);
    }
    sup_blueprint_release(print);
    for (int32_t i = 0; i < 300; i++) {
        take_steps(world, 1);
        for (int32_t k = 0; k < 4; k++) assert_true(isfinite(top_speed_of(world, bodies[k])));
    }
    assert_below(top_speed_of(world, bodies[0]), 50.0);
    assert_below(top_speed_of(world, bodies[3]), 50.0);
    sup_world_destroy(world);
}

/* A container that is very far away pulls a body into it at once, beyond what rows can hold. */
static void throws_of_contacts_are_contained(void** state) {
    (void)state;
    sup_world* world = make_wakeful_world();
    sup_collider_def container = sup_collider_default();
    container.kind = SUP_COLLIDER_SPHERE;
    container.inverted = true;
    add_collider(world, &container);
    sup_blueprint* print = ball_of(0.2, 1, sup_blueprint_default());
    sup_body_def def = body_at(print, 1e11, 0, 0);
    sup_body body = add_body(world, &def);
    for (int i = 0; i < 3; i++) {
        double low[3], high[3];
        take_steps(world, 1);
        assert_int_equal(mishap_count(world), 1);
        assert_int_equal(sup_body_bounds(world, body, low, high), SUP_OK);
        assert_true(low[0] > 0.99e11 && high[0] < 1.01e11);
        sup_bytes saved;
        assert_int_equal(sup_world_save(world, &saved, NULL), SUP_OK);
        assert_int_equal(sup_world_restore(world, saved.data, saved.size, NULL), SUP_OK);
        sup_bytes_free(&saved);
    }
    sup_world_destroy(world);
    sup_blueprint_release(print);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(poison_is_contained),
        cmocka_unit_test(wholly_broken_bodies_come_back),
        cmocka_unit_test(free_bodies_come_back_where_they_were),
        cmocka_unit_test(rest_shape_is_the_last_resort),
        cmocka_unit_test(lasting_stretches_come_back_sane),
        cmocka_unit_test(explosions_are_contained),
        cmocka_unit_test(huge_gravity_is_contained),
        cmocka_unit_test(throws_of_contacts_are_contained),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
