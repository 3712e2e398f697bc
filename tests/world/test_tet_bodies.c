/* Bodies of tetrahedra in worlds: they hit, contain, slide on and rest on each other, sleep and
   wake, and are told about. */
#include "world/tets.h"
#include "world/world.h"

#define PI 3.14159265358979

/* A11 in worlds: momentum stays, they part, and nothing is gained. */
static void crashes_keep_momentum(void** state) {
    (void)state;
    for (int k = 0; k < 4; k++) {
        bool balls = k / 2;
        double beside = 0.1 * (k % 2), reach = balls ? 0.25 : 0.2, deepest = 0, edge = 0.1, at[3],
               v[3];
        sup_world* world = make_world(0, 4, 1);
        sup_body bodies[2];
        for (int i = 0; i < 2; i++) {
            double side = i ? 1 : -1;
            placing p = place(side * (reach + 0.011), 0.5 * side * beside, 0);
            p.v[0] = -side;
            p.damping = 0;
            sup_tets tets = balls ? make_ball(0.25, 0.1) : make_block(4, 4, 4, 0.4, 0.4, 0.4);
            bodies[i] = add(world, make_print(tets, false), &p);
        }
        sup_measures before = sup_world_measure(world), after = before;
        for (int s = 0; s < 30; s++) {
            step(world);
            after = sup_world_measure(world);
            deepest = fmax(deepest, after.deepest);
        }
        double sum = 0, size = 2 * before.kinetic; /* sum of m |v|, as all are at 1 m/s */
        for (int j = 0; j < 3; j++) sum += pow(after.momentum[j] - before.momentum[j], 2);
        print_message("%s: momentum %.1e, energy %.3f, deepest %.3f m\n", balls ? "balls" : "cubes",
                      sqrt(sum) / size, after.kinetic / before.kinetic, deepest);
        assert_true(sqrt(sum) / size < 1e-5);
        assert_true(after.kinetic <= 1.1 * before.kinetic);
        assert_true(deepest > 0 && deepest < edge);
        assert_int_equal(after.contact_count, 0);
        read_middle(world, bodies[0], at, v);
        assert_true(v[0] < 0);
        sup_world_destroy(world);
    }
}

/* A12 in worlds. */
static void what_is_contained_comes_out(void** state) {
    (void)state;
    static const double besides[] = {0, 0.02, 0.1};
    for (int k = 0; k < 6; k++) {
        sup_world* world = make_world(0, k % 2 ? 4 : 1, 1);
        placing small = place(besides[k / 2], 0, 0), large = place(0, 0, 0);
        double last = 0, a[3], b[3], u[3], v[3];
        sup_body one = add(world, make_print(make_block(2, 2, 2, 0.2, 0.2, 0.2), false), &small);
        sup_body two = add(world, make_print(make_block(5, 5, 5, 1, 1, 1), false), &large);
        for (int s = 0; s < 120; s++) {
            step(world);
            sup_measures m = sup_world_measure(world);
            if (s == 0) assert_true(m.contact_count >= 27 && m.deepest > 0.3);
            if (m.contact_count > 0) last = (s + 1) / 60.0;
            assert_true(isfinite(m.kinetic));
            read_middle(world, one, a, u);
            read_middle(world, two, b, v);
            assert_true(sqrt(pow(u[0] - v[0], 2) + pow(u[1] - v[1], 2) + pow(u[2] - v[2], 2)) < 5);
        }
        print_message("%.2f m beside: last contact at %.2f s\n", besides[k / 2], last);
        assert_true(last < 1.9);
        assert_true(fabs(a[0] - b[0]) + fabs(a[1] - b[1]) + fabs(a[2] - b[2]) > 0.6);
        sup_world_destroy(world);
    }
}

/* A13 in worlds: on a pinned block, gravity turned in place of it. */
static void friction_holds_and_slides(void** state) {
    (void)state;
    skip_under_sanitizers();
    const double angle = 20 * PI / 180;
    for (int slides = 0; slides < 2; slides++) {
        sup_world_def def = sup_world_default();
        sup_world* world;
        def.gravity[0] = 9.81 * sin(angle);
        def.gravity[1] = -9.81 * cos(angle);
        def.sleep_speed = 0;
        assert_ok(sup_world_create(&def, &world, &error_));
        placing floor = place(11.3, -0.25, 0.01), block = place(0, 0.2, 0);
        sup_body ground = add(world, make_print(make_block(48, 1, 3, 24, 0.5, 1.5), true), &floor);
        sup_body moved = add(world, make_print(make_block(4, 4, 4, 0.4, 0.4, 0.4), false), &block);
        sup_material material = sup_body_default().material;
        material.stiffness = 300;
        material.friction_static = slides ? 0.2 : 0.5;
        material.friction_kinetic = slides ? 0.2 : 0.4;
        assert_ok(sup_body_set_material(world, ground, &material, &error_));
        assert_ok(sup_body_set_material(world, moved, &material, &error_));
        double from[3], to[3], u[3], v[3];
        for (int s = 0; s < 60; s++) step(world);
        read_middle(world, moved, from, u);
        for (int s = 0; s < 240; s++) step(world);
        read_middle(world, moved, to, v);
        print_message("%s: %.3f mm, %.3f m/s^2\n", slides ? "slides" : "held",
                      1000 * (to[0] - from[0]), (v[0] - u[0]) / 4);
        if (slides)
            assert_true(fabs((v[0] - u[0]) / 4 / 1.512 - 1) < 0.02);
        else
            assert_true(fabs(to[0] - from[0]) < 1e-3);
        sup_world_destroy(world);
    }
}

static sup_world* make_stack(int32_t count, sup_overlap_mode mode, int32_t threads,
                             sup_body* bodies) {
    sup_world* world = make_world(9.81, 4, threads);
    sup_collider_def ground = sup_collider_default();
    double bottom = 0.003;
    assert_ok(sup_collider_create(world, &ground, NULL, &error_));
    for (int32_t i = 0; i < count; i++) {
        double side = 0.4 - 0.04 * i;
        placing p = place(0, bottom + 0.5 * side, 0);
        p.overlap.mode = mode;
        bodies[i] = add(world, make_print(make_block(4, 4, 4, side, side, side), false), &p);
        bottom += side + 0.003;
    }
    return world;
}

/* A19 in worlds. */
static void stacks_stand(void** state) {
    (void)state;
    skip_under_sanitizers();
    for (int32_t count = 3; count <= 5; count += 2) {
        sup_body bodies[5];
        sup_world* world = make_stack(count, SUP_OVERLAP_DEPTH, 1, bodies);
        double from[3], to[3], v[3], deepest = 0, mass = 0;
        read_middle(world, bodies[count - 1], from, v);
        for (int s = 0; s < 600; s++) {
            step(world);
            if (s >= 540) deepest = fmax(deepest, sup_world_measure(world).deepest);
        }
        read_middle(world, bodies[count - 1], to, v);
        for (int32_t i = 0; i < count; i++) mass += 1000 * pow(0.4 - 0.04 * i, 3);
        double speed = sqrt(2 * sup_world_measure(world).kinetic / mass);
        double sideways = sqrt(pow(to[0] - from[0], 2) + pow(to[2] - from[2], 2));
        print_message("%d cubes: %.3f mm/s, %.2f mm sideways, deepest %.2f mm\n", (int)count,
                      1000 * speed, 1000 * sideways, 1000 * deepest);
        assert_true(to[1] > from[1] - 0.1);
        assert_true(speed < 2e-3);
        assert_true(sideways < 2e-3);
        assert_true(deepest < 0.1 * 0.1);
        sup_world_destroy(world);
    }
}

/* Depth leads out where it came in; the nearest surface of a plate is the far one for who is past
   its middle. */
static void naive_ways_lead_through(void** state) {
    (void)state;
    for (int naive = 0; naive < 2; naive++) {
        sup_world* world = make_world(0, 4, 1);
        placing plate = place(0, 0, 0), cube = place(0, 0.2 + 0.1 - 0.12, 0);
        plate.overlap.mode = naive ? SUP_OVERLAP_NAIVE : SUP_OVERLAP_DEPTH;
        add(world, make_print(make_block(8, 2, 8, 0.8, 0.2, 0.8), true), &plate);
        sup_body body = add(world, make_print(make_block(2, 2, 2, 0.4, 0.4, 0.4), false), &cube);
        double v[3], at[3];
        for (int s = 0; s < 60; s++) step(world);
        read_middle(world, body, at, v);
        double deepest = sup_world_measure(world).deepest;
        print_message("%s: %.3f m up, %.3f m deep, %.2f m/s\n", naive ? "naive" : "depth", at[1],
                      deepest, v[1]);
        if (naive)
            assert_true(deepest > 0.05);
        else
            assert_true(at[1] > 0.299 && deepest == 0 && v[1] < 6);
        sup_world_destroy(world);
    }
}

/* Springs and dampers hold a cube, and let it sink. */
static void penalties_hold(void** state) {
    (void)state;
    sup_body bodies[2];
    sup_world* world = make_stack(2, SUP_OVERLAP_PENALTY, 1, bodies);
    double at[3], v[3];
    for (int s = 0; s < 300; s++) step(world);
    read_middle(world, bodies[1], at, v);
    print_message("penalty: the upper cube at %.3f m\n", at[1]);
    assert_true(at[1] > 0.5 && at[1] < 0.578); /* 0.58 where it does not sink */
    sup_world_destroy(world);
}

/* What is told of the contacts adds up to what carries the upper cube. */
static void reports_add_up(void** state) {
    (void)state;
    enum { MOST = 1000 };
    static sup_contact list[MOST];
    sup_body bodies[2];
    sup_world* world = make_stack(2, SUP_OVERLAP_DEPTH, 1, bodies);
    for (int s = 0; s < 300; s++) step(world);
    double weight = 1000 * pow(0.36, 3) * 9.81 / 60, up = 0;
    int32_t count;
    const sup_meeting* meetings = sup_world_meetings(world, &count);
    assert_int_equal(count, 2); /* lower with upper, lower with ground */
    assert_true(sup_body_is_valid(world, meetings[0].other));
    print_message("meeting: %.4f of the weight, %d contacts, deepest %.2f mm\n",
                  -meetings[0].impulse[1] / weight, (int)meetings[0].contact_count,
                  1000 * meetings[0].deepest);
    assert_true(fabs(-meetings[0].impulse[1] / weight - 1) < 0.01);
    assert_true(meetings[0].contact_count > 20 && meetings[0].deepest > 0);
    int32_t all = sup_world_contacts(world, list, MOST), found = 0;
    assert_true(all > 0 && all <= MOST);
    for (int32_t i = 0; i < all; i++) {
        const sup_contact* c = &list[i];
        if (c->collider.age != 0) continue;
        bool upper = c->body.slot == bodies[1].slot;
        double sign = upper ? 1 : -1;
        up += sign *
              ((double)c->normal_impulse * (double)c->normal[1] + (double)c->friction_impulse[1]);
        assert_true(fabs(c->point[1] - 0.403) < 0.02);
        assert_true(c->depth >= 0 && c->particle >= 0 && c->other_particle >= 0);
        found++;
    }
    assert_int_equal(found, meetings[0].contact_count);
    print_message("contacts of the last substep: %.4f\n", 4 * up / weight);
    assert_true(fabs(4 * up / weight - 1) < 0.1);
    sup_world_destroy(world);
}

/* Any number of workers, and a world restored in the middle: the same bits. */
static void the_same_bits(void** state) {
    (void)state;
    sup_body bodies[5];
    uint64_t hash[3];
    sup_bytes saved = {0};
    sup_world* worlds[3];
    for (int k = 0; k < 3; k++)
        worlds[k] = make_stack(4, SUP_OVERLAP_DEPTH, k == 1 ? 8 : 1, bodies);
    for (int s = 0; s < 90; s++) {
        step(worlds[0]);
        step(worlds[1]);
        if (s == 30) assert_ok(sup_world_save(worlds[0], &saved, &error_));
        if (s == 30) assert_ok(sup_world_restore(worlds[2], saved.data, saved.size, &error_));
        if (s == 30) assert_true(worlds[2]->overlaps.found.memory_count > 20);
        if (s == 30) assert_true(sup_world_hash(worlds[0]) == sup_world_hash(worlds[2]));
        if (s > 30) step(worlds[2]);
    }
    for (int k = 0; k < 3; k++) hash[k] = sup_world_hash(worlds[k]);
    assert_true(hash[0] == hash[1]);
    assert_true(hash[0] == hash[2]);
    for (int k = 0; k < 3; k++) sup_world_destroy(worlds[k]);
    sup_bytes_free(&saved);
}

/* A pile falls asleep as an island, and a cube that falls on it wakes it. */
static void piles_sleep_and_wake(void** state) {
    (void)state;
    enum { PILE = 3 }; /* two beside each other, one on both */
    static const double places[PILE][2] = {{-0.23, 0.203}, {0.23, 0.203}, {0.01, 0.605}};
    sup_world_def def = sup_world_default();
    sup_world* world;
    sup_body bodies[PILE + 1];
    assert_ok(sup_world_create(&def, &world, &error_));
    sup_collider_def ground = sup_collider_default();
    assert_ok(sup_collider_create(world, &ground, NULL, &error_));
    for (int i = 0; i < PILE; i++) {
        placing p = place(places[i][0], places[i][1], 0);
        bodies[i] = add(world, make_print(make_block(4, 4, 4, 0.4, 0.4, 0.4), false), &p);
    }
    int s = 0;
    while (s < 600 && sup_world_measure(world).asleep_count < PILE) step(world), s++;
    print_message("asleep after %.2f s\n", s / 60.0);
    assert_true(s < 600);
    uint64_t hash = sup_world_hash(world);
    step(world);
    assert_int_equal(sup_world_measure(world).asleep_count, PILE);
    assert_true(hash != sup_world_hash(world));      /* time goes on */
    assert_int_equal(world->overlaps.body_count, 0); /* nobody was looked at, */
    step(world);
    assert_int_equal(world->overlaps.found.memory_count, 0); /* and what was is forgotten */
    placing p = place(0.03, 1.1, 0);
    bodies[PILE] = add(world, make_print(make_block(4, 4, 4, 0.4, 0.4, 0.4), false), &p);
    for (s = 0; s < 60 && sup_world_measure(world).asleep_count > 0; s++) step(world);
    assert_true(s > 5 && s < 60);
    double at[3], v[3];
    for (s = 0; s < 60; s++) step(world);
    read_middle(world, bodies[PILE], at, v);
    assert_true(at[1] > 0.9);
    sup_world_destroy(world);
}

/* Bodies come and go while others lie in each other; settings change. */
static void edits_are_followed(void** state) {
    (void)state;
    sup_body bodies[5];
    sup_world* world = make_stack(4, SUP_OVERLAP_DEPTH, 1, bodies);
    for (int s = 0; s < 60; s++) step(world);
    assert_int_equal(sup_body_destroy(world, bodies[1]), SUP_OK);
    assert_int_equal(sup_world_contacts(world, NULL, 0), 0);
    double at[3], lower[3], v[3];
    for (int s = 0; s < 60; s++) step(world);
    read_middle(world, bodies[2], at, v);
    assert_true(at[1] > 0.5 && at[1] < 0.65); /* it lies on the first one now */
    const double shift[3] = {1, 0, 0};
    assert_ok(sup_body_teleport(world, bodies[3], shift, NULL, &error_));
    for (int s = 0; s < 60; s++) step(world);
    read_middle(world, bodies[3], lower, v);
    assert_true(lower[1] < 0.3);
    sup_overlap_settings s = sup_overlap_settings_default();
    s.stiffness = 2;
    sup_error error = {0};
    assert_int_equal(sup_body_set_overlap(world, bodies[0], &s, &error), SUP_BAD_ARGUMENT);
    assert_non_null(strstr(error.text, "overlap.stiffness"));
    s.stiffness = 1;
    s.mode = SUP_OVERLAP_SPHERES;
    assert_ok(sup_body_set_overlap(world, bodies[0], &s, &error_));
    assert_int_equal(sup_body_set_overlap(world, bodies[1], &s, &error), SUP_STALE);
    for (int i = 0; i < 60; i++) step(world);
    read_middle(world, bodies[2], lower, v);
    assert_true(lower[1] > at[1] + 0.02); /* spheres reach beyond the surface */
    sup_world_destroy(world);
}

/* A bar bent shut on itself opens, and a world restored in the middle goes on with the same bits.
 */
static bool arm_of_u(int32_t i, int32_t j, int32_t k) {
    (void)k;
    return j < 2 || i < 2 || i >= 4;
}

static sup_world* make_shut(bool meets_itself, sup_body* body) {
    sup_world* world = make_world(0, 4, 1);
    placing p = place(0, 0, 0);
    p.overlap.meets_itself = meets_itself;
    *body = add(world, make_print(make_cells(6, 8, 2, 0.6, 0.8, 0.2, arm_of_u), false), &p);
    sup_material soft = sup_body_default().material;
    soft.stiffness = 3;
    assert_ok(sup_body_set_material(world, *body, &soft, &error_));
    sup_point places[300];
    sup_blueprint_info info = sup_blueprint_get_info(sup_body_blueprint(world, *body));
    assert_true(info.particle_count <= 300);
    assert_int_equal(sup_body_read_particles(world, *body, places, NULL), SUP_OK);
    for (int32_t i = 0; i < info.particle_count; i++) { /* the arms lean towards each other */
        double up = fmax(0, (places[i].y + 0.2) / 0.6);
        places[i].x -= 0.17 * up * (places[i].x > 0 ? 1 : -1);
        places[i].z += places[i].x > 0 ? 0.013 : 0;
    }
    assert_ok(sup_body_write_particles(world, *body, places, NULL, &error_));
    return world;
}

/* How deep points of one arm are in tetrahedra of the other, mean edges. */
static double overlap_of_arms(const sup_world* world, sup_body body) {
    sup_tets tets = make_cells(6, 8, 2, 0.6, 0.8, 0.2, arm_of_u);
    sup_tets_report report;
    sup_point places[300];
    double x[300][3];
    int8_t arms[300];
    assert_int_equal(tets.point_count,
                     sup_blueprint_get_info(sup_body_blueprint(world, body)).particle_count);
    assert_ok(sup_tets_measure(NULL, &tets, &report, &error_));
    assert_int_equal(sup_body_read_particles(world, body, places, NULL), SUP_OK);
    for (int32_t i = 0; i < tets.point_count; i++) {
        x[i][0] = places[i].x, x[i][1] = places[i].y, x[i][2] = places[i].z;
        sup_vec3 rest = tets.points[i];
        arms[i] = rest.y < -0.19f ? 0 : rest.x < 0 ? 1 : 2;
    }
    const ref_tets twin = {tets.point_count, tets.tet_count, tets.triangle_count, x,
                           tets.tets,        tets.triangles};
    double overlap = ref_tets_overlap(&twin, arms, (double[3]){-1, 0, 0}) / report.mean_edge;
    sup_tets_free(&tets);
    return overlap;
}

static void bodies_meet_themselves(void** state) {
    (void)state;
    sup_body body;
    int32_t count[2];
    double start = 0, end[2];
    for (int meets = 0; meets < 2; meets++) {
        sup_world *world = make_shut(meets, &body), *other = make_shut(meets, &body);
        sup_bytes saved = {0};
        start = overlap_of_arms(world, body);
        step(world);
        count[meets] = sup_world_measure(world).contact_count;
        assert_ok(sup_world_save(world, &saved, &error_));
        assert_ok(sup_world_restore(other, saved.data, saved.size, &error_));
        for (int s = 0; s < 10; s++) step(world), step(other);
        assert_true(sup_world_hash(world) == sup_world_hash(other));
        end[meets] = overlap_of_arms(world, body);
        sup_bytes_free(&saved);
        sup_world_destroy(world);
        sup_world_destroy(other);
    }
    print_message("contacts with itself: %d and %d; overlap from %.2f edges to %.2f and %.2f\n",
                  (int)count[0], (int)count[1], start, end[0], end[1]);
    assert_int_equal(count[0], 0);
    assert_true(count[1] > 0);
    /* What pulls it into its shape is too soft to open it in this time. */
    assert_true(start > 0.4 && end[0] > 0.5 * start);
    assert_true(end[1] < 0.1);
}

/* Rods that cross edge by edge, with no point in each other: one falls through the other unless
   edges count. Filters let them pass; attached bodies do not meet. */
static void edges_and_filters_count(void** state) {
    (void)state;
    double height[4];
    for (int k = 0; k < 4; k++) {
        sup_world* world = make_world(9.81, 8, 1);
        placing low = place(0, 0, 0), high = place(0.01, 0.25, 0.02);
        low.overlap.edges = k != 0;
        sup_body lower = add(world, make_print(make_block(1, 1, 1, 0.16, 0.16, 2), true), &low);
        sup_body upper = add(world, make_print(make_block(1, 1, 1, 2, 0.16, 0.16), false), &high);
        const double turn[4] = {sin(PI / 8), 0, 0, cos(PI / 8)}, none[3] = {0, 0, 0};
        assert_ok(sup_body_teleport(world, upper, none, turn, &error_));
        if (k == 2) sup_body_set_filter(world, upper, (sup_filter){2, 2});
        if (k == 3) {
            sup_attachment_def hold = sup_attachment_default();
            hold.body = upper;
            hold.other = lower;
            hold.stiffness = 0.01;
            assert_ok(sup_attachment_create(world, &hold, NULL, &error_));
        }
        double at[3], v[3];
        for (int s = 0; s < 45; s++) step(world);
        read_middle(world, upper, at, v);
        height[k] = at[1];
        sup_world_destroy(world);
    }
    print_message("points %.2f, edges %.2f, filtered %.2f, attached %.2f m\n", height[0], height[1],
                  height[2], height[3]);
    assert_true(height[0] < -1 && height[2] < -1 && height[3] < -1);
    assert_true(height[1] > 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(crashes_keep_momentum),
                                       cmocka_unit_test(what_is_contained_comes_out),
                                       cmocka_unit_test(friction_holds_and_slides),
                                       cmocka_unit_test(stacks_stand),
                                       cmocka_unit_test(naive_ways_lead_through),
                                       cmocka_unit_test(penalties_hold),
                                       cmocka_unit_test(reports_add_up),
                                       cmocka_unit_test(the_same_bits),
                                       cmocka_unit_test(piles_sleep_and_wake),
                                       cmocka_unit_test(edits_are_followed),

                                       cmocka_unit_test(bodies_meet_themselves),
                                       cmocka_unit_test(edges_and_filters_count)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
