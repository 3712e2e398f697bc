/* Bodies of elements: bars of tetrahedra and hexahedra keep their momenta in flight, and hang and
   swing from their pinned ends. */
#include "world/elements.h"

static sup_blueprint* create(const sup_blueprint_def* def) {
    sup_error error = {0};
    sup_blueprint* print = NULL;
    assert_ok(sup_blueprint_create(def, &print, &error), error);
    return print;
}

static double change_of(const double before[3], const double after[3]) {
    return distance_of(before, after) / length_of(before);
}

/* A bar that was bent, twisted and thrown keeps both momenta, whatever its elements and goals. */
static void flights_keep_momenta(void** state) {
    (void)state;
    static element_bar bar;
    const int32_t steps = short_tests() ? 30 : 300;
    for (int mode = 0; mode < 3; mode++) {
        for (int32_t corners = 4; corners <= 8; corners += 4) {
            live l;
            sup_world_def world = weightless_world();
            sup_body_def body = sup_body_default();
            body.material.mode = (sup_match_mode)mode;
            make_element_bar((int32_t[3]){10, 3, 3}, 0.1, corners, &bar);
            live_create(&l, &world, &bar.def, &body, 1.0 / 240.0);
            for (int32_t i = 0; i < l.count; i++) {
                l.x[i][1] += 0.2 * l.x[i][0] * l.x[i][0];
                l.x[i][2] += 0.3 * l.x[i][0] * l.x[i][1];
            }
            set_motion(l.count, l.mass, l.x, l.v, (double[3]){0.3, 0, 0.1}, (double[3]){0, 2, 0.7});
            live_write(&l);
            momenta before = measure(l.count, l.mass, l.x, l.v);
            double start[BODY_POINTS_MOST][3];
            memcpy(start, l.x, sizeof start);
            live_step(&l, steps);
            momenta after = measure(l.count, l.mass, l.x, l.v);
            assert_below(change_of(before.linear, after.linear), 1e-3);
            assert_below(change_of(before.spin, after.spin), 1e-3);
            assert_above(largest_gap(l.count, start, l.x), 0.05); /* it did move */
            live_free(&l);
        }
    }
}

/* A bar of 10 x 3 x 3 particles, held by an edge of one end, about which it can turn. */
typedef struct held_bar {
    sup_world* world;
    sup_body body;
    sup_blueprint* print;
} held_bar;

static held_bar hold_bar(int32_t corners, int mode, const double rotation[4]) {
    static element_bar bar;
    static const int32_t pins[3] = {0, 10 * 3, 20 * 3};
    make_element_bar((int32_t[3]){10, 3, 3}, 0.1, corners, &bar);
    bar.def.pins = pins;
    bar.def.pin_count = 3;
    held_bar held = {make_wakeful_world(), {0, 0}, create(&bar.def)};
    sup_body_def def = body_at(held.print, 0, 0, 0);
    memcpy(def.rotation, rotation, sizeof def.rotation);
    def.material.mode = (sup_match_mode)mode;
    def.material.stiffness = 240.0;
    held.body = add_body(held.world, &def);
    return held;
}

static void let_go(held_bar* held) {
    sup_world_destroy(held->world);
    sup_blueprint_release(held->print);
}

/* Mean of the free end, seen from the held edge. */
static void free_end(const held_bar* held, double end[3]) {
    swarm s = read_swarm(held->world, held->body);
    memset(end, 0, 3 * sizeof *end);
    for (int32_t i = 9; i < s.count; i += 10) {
        end[0] += (s.x[i].x - s.x[0].x) / 9;
        end[1] += (s.x[i].y - s.x[0].y) / 9;
    }
    free_swarm(&s);
}

/* Let go level, the bar swings as a rod of its length does: lowest after a quarter of its period,
   and up again on the other side. */
static void bars_swing(void** state) {
    (void)state;
    /* 1.18: the period from level, over that of small swings. */
    const double quarter = 0.25 * 1.18 * 2.0 * 3.14159265 * sqrt(2.0 * 0.95 / (3.0 * 9.81));
    for (int32_t corners = 4; corners <= 8; corners += 4) {
        for (int mode = 0; mode < 2; mode++) {
            held_bar held = hold_bar(corners, mode, (double[4]){0, 0, 0, 1});
            double end[3], lowest = 0, highest = -9, time = 0;
            for (int32_t frame = 1; frame <= 70; frame++) {
                take_steps(held.world, 1);
                assert_int_equal(mishap_count(held.world), 0);
                free_end(&held, end);
                if (end[1] < lowest && frame < 45) lowest = end[1], time = frame * FRAME;
                if (frame > 45) highest = end[1] > highest ? end[1] : highest;
            }
            assert_near(time, quarter, 0.3); /* it bends on its way */
            assert_true(lowest < -0.85 && lowest > -1.3);
            assert_above(highest, -0.45);
            let_go(&held);
        }
    }
}

/* Hanging from its end it comes to rest, a little longer than it was: its elements carry it. */
static void bars_hang(void** state) {
    (void)state;
    for (int32_t corners = 4; corners <= 8; corners += 4) {
        for (int mode = 0; mode < 3; mode++) {
            const double half = sqrt(0.5);
            held_bar held = hold_bar(corners, mode, (double[4]){0, 0, -half, half});
            double end[3];
            take_steps(held.world, short_tests() ? 120 : 600);
            free_end(&held, end);
            double reach = sqrt(end[0] * end[0] + end[1] * end[1]);
            assert_true(reach > 0.9 && reach < 1.1);
            let_go(&held);
        }
    }
}

/* Flat and thin elements stay finite in every mode: four points in a plane, on a line, in one
   place, and a sliver. */
static void degenerate_elements_stay_calm(void** state) {
    (void)state;
    static const sup_vec3 shapes[4][4] = {
        {{0, 0, 0}, {1, 0, 0}, {0, 0, 1}, {1, 0, 1}},
        {{0, 0, 0}, {1, 0, 0}, {2, 0, 0}, {3, 0, 0}},
        {{1, 1, 1}, {1, 1, 1}, {1, 1, 1}, {1, 1, 1}},
        {{0, 0, 0}, {1, 0, 0}, {0, 0, 1}, {1, 1e-5f, 1}},
    };
    const int32_t element[4] = {0, 1, 2, 3};
    for (int shape = 0; shape < 4; shape++) {
        for (int mode = 0; mode < 3; mode++) {
            sup_blueprint_def print_def = sup_blueprint_default();
            print_def.points = shapes[shape];
            print_def.point_count = 4;
            print_def.layout = SUP_CLUSTERS_ELEMENTS;
            print_def.element_corners = 4;
            print_def.element_count = 1;
            print_def.elements = element;
            sup_blueprint* print = create(&print_def);
            sup_world* world = make_world(NULL);
            add_floor(world);
            sup_body_def def = body_at(print, 0, 1, 0);
            def.material.mode = (sup_match_mode)mode;
            def.angular_velocity[0] = 1.0;
            sup_body body = add_body(world, &def);
            for (int32_t frame = 0; frame < 120; frame++) {
                take_steps(world, 1);
                assert_int_equal(mishap_count(world), 0);
                swarm s = read_swarm(world, body);
                for (int32_t i = 0; i < 4; i++) assert_true(speed_of(&s.v[i]) < 30.0);
                free_swarm(&s);
            }
            sup_world_destroy(world);
            sup_blueprint_release(print);
        }
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(flights_keep_momenta),
        cmocka_unit_test(bars_swing),
        cmocka_unit_test(bars_hang),
        cmocka_unit_test(degenerate_elements_stay_calm),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
