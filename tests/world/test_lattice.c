/* Clusters of a lattice: the same motion as that of the same clusters given as lists, for every
   reach, shape, scheme and mode; momenta; special nodes; workers; snapshots. */
#include "allocators.h"
#include "supple/mesh.h"
#include "world/lattices.h"

static const double dt = 1.0 / 240.0;

static sup_body_def turned_body(uint64_t seed) {
    sup_body_def def = sup_body_default();
    dice d = {seed};
    dice_turn(&d, def.rotation);
    def.position[0] = 3.0;
    def.velocity[1] = 1.0;
    def.angular_velocity[0] = 2.0;
    def.angular_velocity[2] = -1.0;
    def.stays_awake = true;
    return def;
}

/* ---- The same as lists ---- */

/* Largest distance after one step and after some, over the size of the body. */
static void compare(const nodes* n, const sup_body_def* def, const sup_blueprint_def* given,
                    const char* name) {
    sup_world_def settings = weightless_world();
    settings.gravity[1] = -9.81;
    sup_blueprint_def ways[2] = {nodes_def(n, false), nodes_def(n, true)};
    block b[2];
    for (int i = 0; i < 2; i++) {
        ways[i].region_count = given->region_count;
        ways[i].regions = given->regions;
        b[i] = block_make(&settings, &ways[i], def);
        block_disturb(&b[i], 0.1 * n->spacing, 0.1);
        block_step(&b[i], 1, dt);
    }
    double once = block_gap(&b[0], &b[1]) / b[0].size;
    for (int i = 0; i < 2; i++) block_step(&b[i], 4, dt);
    double later = block_gap(&b[0], &b[1]) / b[0].size;
    print_message("%s, reach %d: %.1e of the size after a step, %.1e after five\n", name,
                  (int)n->reach, once, later);
    assert_below(once, 1e-6);
    assert_below(later, 1e-5);
    assert_int_equal(sup_blueprint_get_info(b[0].print).membership_count,
                     sup_blueprint_get_info(b[1].print).membership_count);
    /* What is derived from clusters is the same, too. */
    sup_measures lattice = sup_world_measure(b[0].world), listed = sup_world_measure(b[1].world);
    assert_near(lattice.elastic, listed.elastic, 1e-3);
    assert_near(lattice.strain_mean, listed.strain_mean, 1e-3);
    assert_near(lattice.strain_largest, listed.strain_largest, 5e-3);
    for (int i = 0; i < 2; i++) block_free(&b[i]);
}

static void lattices_move_as_lists_do(void** state) {
    (void)state;
    const sup_blueprint_def plain = {0};
    const struct {
        const char* name;
        int32_t size[3], reach_most;
        nodes_shape* shape;
    } shapes[] = {{"box", {6, 9, 5}, 4, shape_full},       {"bar", {64, 8, 8}, 1, shape_full},
                  {"angle", {12, 15, 4}, 4, shape_angle},  {"plane", {11, 1, 12}, 3, shape_full},
                  {"line", {1, 140, 1}, 4, shape_full},    {"two", {1, 1, 2}, 2, shape_full},
                  {"long bar", {3, 2, 130}, 3, shape_full}};
    for (size_t i = 0; i < sizeof shapes / sizeof *shapes; i++) {
        for (int32_t reach = 1; reach <= shapes[i].reach_most; reach++) {
            nodes n = nodes_make(shapes[i].size, reach, shapes[i].shape);
            for (sup_scheme scheme = SUP_SCHEME_D; scheme <= SUP_SCHEME_P; scheme++) {
                sup_body_def def = turned_body(5 + (uint64_t)reach);
                def.material.scheme = scheme;
                def.material.mode = reach % 2 ? SUP_MATCH_RIGID : SUP_MATCH_LINEAR;
                if (i == 0) def.material.mode = SUP_MATCH_LINEAR;
                compare(&n, &def, &plain, shapes[i].name);
            }
            nodes_free(&n);
        }
    }
}

static void weightless_nodes_go_where_lists_put_them(void** state) {
    (void)state;
    const sup_blueprint_def plain = {0};
    for (int32_t reach = 1; reach <= 3; reach++) {
        nodes n = nodes_make((int32_t[3]){5, 6, 7}, reach, shape_full);
        for (int32_t i = 0; i < n.count; i += 3) n.masses[i] = 0.0f;
        sup_body_def def = turned_body(3);
        compare(&n, &def, &plain, "weightless");
        nodes_free(&n);
    }
}

static void regions_have_their_materials(void** state) {
    (void)state;
    nodes n = nodes_make((int32_t[3]){9, 5, 4}, 2, shape_full);
    uint8_t regions[9 * 5 * 4];
    for (int32_t i = 0; i < n.count; i++) regions[i] = i % 9 > 4;
    sup_blueprint_def given = {.region_count = 2, .regions = regions};
    sup_body_def def = turned_body(4);
    sup_material two[2] = {def.material, def.material};
    two[1].stiffness = 30.0;
    two[1].damping = 0.05;
    def.region_materials = two;
    compare(&n, &def, &given, "regions");
    nodes_free(&n);
}

/* Weights of pins are a multiple of a mean that is taken a little differently: nearly the same. */
static void pinned_lattices_hang_as_lists_do(void** state) {
    (void)state;
    nodes n = nodes_make((int32_t[3]){10, 4, 4}, 1, shape_full);
    int32_t pins[16], used = 0;
    for (int32_t i = 0; i < n.count; i++) {
        n.masses[i] = 0.1f;
        if (i % 10 == 0) pins[used++] = i;
    }
    sup_world_def settings = sup_world_default();
    const sup_stiffness_rule rules[] = {SUP_STIFFNESS_AUTO, SUP_STIFFNESS_IMPLICIT};
    for (int rule = 0; rule < 2; rule++) {
        block b[2];
        double sag[2];
        for (int i = 0; i < 2; i++) {
            sup_blueprint_def print = nodes_def(&n, i == 1);
            print.pins = pins;
            print.pin_count = used;
            sup_body_def def = sup_body_default();
            def.material.rule = rules[rule];
            def.material.stiffness = 200.0;
            b[i] = block_make(&settings, &print, &def);
            double before = b[i].places[9].y;
            block_step(&b[i], short_tests() ? 30 : 300, 1.0 / 60.0);
            sag[i] = before - b[i].places[9].y;
            assert_below(fabs(b[i].places[0].x - (double)n.points[0].x), 1e-6);
        }
        print_message("rule %d: sags by %.5f m, listed by %.5f m\n", rule, sag[0], sag[1]);
        assert_above(sag[0], 0.001);
        /* Implicit bodies that took gravity of their pins for their own would sag by 8e-4 more. */
        assert_near(sag[0], sag[1], rule == 1 && !short_tests() ? 4e-4 : 0.02);
        for (int i = 0; i < 2; i++) block_free(&b[i]);
    }
    nodes_free(&n);
}

/* ---- Laws ---- */

static momenta momenta_of(const block* b, const float* masses) {
    double* mass = calloc((size_t)b->count, sizeof *mass);
    double(*x)[3] = calloc((size_t)b->count, sizeof *x);
    double(*v)[3] = calloc((size_t)b->count, sizeof *v);
    for (int32_t i = 0; i < b->count; i++) {
        mass[i] = (double)masses[i];
        memcpy(x[i], &b->places[i], sizeof x[i]);
        v[i][0] = (double)b->speeds[i].x;
        v[i][1] = (double)b->speeds[i].y;
        v[i][2] = (double)b->speeds[i].z;
    }
    momenta m = measure(b->count, mass, x, v);
    free(mass);
    free(x);
    free(v);
    return m;
}

static void momenta_stay(void** state) {
    (void)state;
    for (int32_t reach = 1; reach <= 3; reach++) {
        nodes n = nodes_make((int32_t[3]){16, 5, 4}, reach, shape_angle);
        for (int i = 0; i < 4; i++) {
            sup_world_def settings = weightless_world();
            sup_blueprint_def print = nodes_def(&n, false);
            sup_body_def def = turned_body(9);
            def.material.scheme = i < 2 ? SUP_SCHEME_S : SUP_SCHEME_D;
            def.material.mode = i % 2 ? SUP_MATCH_LINEAR : SUP_MATCH_RIGID;
            block b = block_make(&settings, &print, &def);
            block_disturb(&b, 0.1 * n.spacing, 0.1);
            momenta before = momenta_of(&b, n.masses);
            block_step(&b, 300, dt);
            momenta after = momenta_of(&b, n.masses);
            double dp = distance_of(before.linear, after.linear) / length_of(before.linear);
            double dl = distance_of(before.spin, after.spin) / length_of(before.spin);
            print_message("reach %d, case %d: dP/P %.1e, dL/L %.1e\n", (int)reach, i, dp, dl);
            assert_below(dp, 1e-4);
            assert_below(dl, 1e-3);
            block_free(&b);
        }
        nodes_free(&n);
    }
}

/* Rounding that is the same in every step must not push a body that rests. */
static void resting_bodies_stay(void** state) {
    (void)state;
    skip_under_sanitizers();
    for (int32_t reach = 1; reach <= 3; reach++) {
        nodes n = nodes_make((int32_t[3]){16, 5, 4}, reach, shape_angle);
        sup_world_def settings = weightless_world();
        sup_blueprint_def print = nodes_def(&n, false);
        sup_body_def def = sup_body_default();
        dice d = {3};
        dice_turn(&d, def.rotation);
        def.stays_awake = true;
        block b = block_make(&settings, &print, &def);
        block_step(&b, 3000, dt);
        double drift = length_of(momenta_of(&b, n.masses).velocity);
        print_message("reach %d: %.1e m/s after 12.5 s\n", (int)reach, drift);
        assert_below(drift, 3e-4);
        block_free(&b);
        nodes_free(&n);
    }
}

static void one_node_falls_freely(void** state) {
    (void)state;
    nodes n = nodes_make((int32_t[3]){1, 1, 1}, 4, shape_full);
    sup_blueprint_def print = nodes_def(&n, false);
    print.allow_joints = false;
    sup_world_def settings = weightless_world();
    settings.gravity[1] = -10.0;
    for (sup_scheme scheme = SUP_SCHEME_D; scheme <= SUP_SCHEME_P; scheme++) {
        for (sup_match_mode mode = SUP_MATCH_RIGID; mode <= SUP_MATCH_LINEAR; mode++) {
            sup_body_def def = sup_body_default();
            def.material.scheme = scheme;
            def.material.mode = mode;
            block b = block_make(&settings, &print, &def);
            block_step(&b, 240, dt);
            assert_near((double)b.speeds[0].y, -10.0, 1e-4);
            assert_int_equal(sup_blueprint_get_info(b.print).cluster_count, 1);
            block_free(&b);
        }
    }
    nodes_free(&n);
}

/* Far from where it was made, and after being written, moved and reset. */
static void edits_leave_no_strain(void** state) {
    (void)state;
    nodes n = nodes_make((int32_t[3]){7, 6, 5}, 2, shape_full);
    sup_blueprint_def print = nodes_def(&n, false);
    sup_world_def settings = weightless_world();
    sup_body_def def = sup_body_default();
    block b = block_make(&settings, &print, &def);
    const double shift[3] = {1e4, -20, 7}, turn[4] = {0.5, 0.5, 0.5, 0.5};
    assert_int_equal(sup_body_teleport(b.world, b.body, shift, turn, NULL), SUP_OK);
    block_step(&b, 20, dt);
    assert_below(sup_world_measure(b.world).strain_largest, 1e-5);
    assert_below(sup_world_measure(b.world).top_speed, 1e-3);
    assert_int_equal(sup_body_reset(b.world, b.body), SUP_OK);
    block_step(&b, 20, dt);
    for (int32_t i = 0; i < b.count; i++) {
        assert_below(fabs(b.places[i].x - (double)n.points[i].x), 1e-6);
    }
    block_free(&b);
    nodes_free(&n);
}

/* ---- Workers, snapshots, memory ---- */

/* A pinned angle of two materials, too large for one worker, and a small box that it shares the
 * world with; a hash after each step. */
static void run(const nodes* large, const nodes* small, int32_t threads, sup_simd simd,
                uint64_t hashes[20], bool restored) {
    sup_world_def settings = sup_world_default();
    settings.threads = threads;
    settings.simd = simd;
    int32_t pins[2] = {0, 40};
    uint8_t* regions = calloc((size_t)large->count, 1);
    for (int32_t i = 0; i < large->count; i += 2) regions[i] = 1;
    sup_blueprint_def print = nodes_def(large, false), box = nodes_def(small, false);
    print.pins = pins;
    print.pin_count = 2;
    print.regions = regions;
    print.region_count = 2;
    sup_body_def def = turned_body(2);
    sup_material two[2] = {def.material, def.material};
    two[1].stiffness = 60.0;
    def.region_materials = two;
    block b = block_make(&settings, &print, &def);
    sup_blueprint* other;
    assert_int_equal(sup_blueprint_create(&box, &other, NULL), SUP_OK);
    def.region_materials = NULL;
    def.blueprint = other;
    def.position[2] = 4.0;
    def.material.mode = SUP_MATCH_LINEAR;
    assert_int_equal(sup_body_create(b.world, &def, NULL, NULL), SUP_OK);
    for (int i = 0; i < 20; i++) {
        assert_int_equal(sup_world_step(b.world, 1.0 / 60.0), SUP_OK);
        hashes[i] = sup_world_hash(b.world);
        if (i != 9 || !restored) continue;
        sup_bytes bytes;
        sup_error error;
        sup_world* again;
        assert_int_equal(sup_world_save(b.world, &bytes, &error), SUP_OK);
        assert_int_equal(sup_world_create(&settings, &again, &error), SUP_OK);
        if (sup_world_restore(again, bytes.data, bytes.size, &error) != SUP_OK) {
            fail_msg("%s", error.text);
        }
        sup_bytes_free(&bytes);
        sup_world_destroy(b.world);
        b.world = again;
    }
    block_free(&b);
    sup_blueprint_release(other);
    free(regions);
}

static void workers_and_snapshots_do_not_matter(void** state) {
    (void)state;
    nodes large = nodes_make((int32_t[3]){40, 30, 6}, 2, shape_angle);
    nodes small = nodes_make((int32_t[3]){6, 5, 4}, 3, shape_full);
    uint64_t wanted[20], hashes[20];
    run(&large, &small, 1, SUP_SIMD_AUTO, wanted, false);
    const int32_t threads[] = {2, 3, 8};
    for (int i = short_tests() ? 2 : 0; i < 3; i++) {
        run(&large, &small, threads[i], SUP_SIMD_AUTO, hashes, false);
        assert_memory_equal(hashes, wanted, sizeof wanted);
    }
    for (sup_simd simd = SUP_SIMD_SCALAR; every_copy() && simd <= SUP_SIMD_AVX2; simd++) {
        if (!sup_simd_available(simd)) continue;
        run(&large, &small, 2, simd, hashes, false);
        assert_memory_equal(hashes, wanted, sizeof wanted);
    }
    run(&large, &small, 2, SUP_SIMD_AUTO, hashes, true);
    assert_memory_equal(hashes, wanted, sizeof wanted);
    nodes_free(&large);
    nodes_free(&small);
}

static void warm_steps_allocate_nothing(void** state) {
    (void)state;
    test_allocator counter;
    nodes n = nodes_make((int32_t[3]){20, 15, 10}, 3, shape_full);
    sup_blueprint_def print = nodes_def(&n, false);
    sup_world_def settings = sup_world_default();
    settings.allocator = test_allocator_init(&counter);
    sup_body_def def = turned_body(1);
    block b = block_make(&settings, &print, &def);
    block_step(&b, 4, dt);
    test_allocator_arm(&counter, 0, false);
    block_step(&b, 3, dt);
    assert_int_equal(counter.calls, 0);
    block_free(&b);
    assert_int_equal(counter.blocks, 0);
    nodes_free(&n);
}

/* A place that is no number is put back, and the neighbour in the world sees nothing of it. */
static void broken_lattices_are_mended(void** state) {
    (void)state;
    nodes n = nodes_make((int32_t[3]){8, 8, 8}, 1, shape_full);
    sup_blueprint_def print = nodes_def(&n, false);
    sup_world_def settings = weightless_world();
    sup_body_def def = turned_body(1);
    block b = block_make(&settings, &print, &def);
    block_step(&b, 2, dt);
    for (int32_t i = 0; i < b.count; i++) b.speeds[i].x = 1e6f;
    b.speeds[0].x = -1e6f;
    def.material.stiffness = 1e5;
    assert_int_equal(sup_body_write_particles(b.world, b.body, NULL, b.speeds, NULL), SUP_OK);
    for (int i = 0; i < 100; i++) assert_int_equal(sup_world_step(b.world, dt), SUP_OK);
    sup_body_read_particles(b.world, b.body, b.places, b.speeds);
    for (int32_t i = 0; i < b.count; i++) assert_true(b.places[i].x * 0 == 0);
    block_free(&b);
    nodes_free(&n);
}

/* ---- Refusals ---- */

static void refuse(const sup_blueprint_def* def, const char* part) {
    sup_error error = {0};
    sup_blueprint* print = NULL;
    assert_int_equal(sup_blueprint_create(def, &print, &error), SUP_BAD_ARGUMENT);
    if (!strstr(error.text, part)) fail_msg("\"%s\" does not say \"%s\"", error.text, part);
    assert_null(print);
}

static void wrong_lattices_are_refused(void** state) {
    (void)state;
    nodes n = nodes_make((int32_t[3]){4, 3, 2}, 1, shape_full);
    sup_blueprint_def def = nodes_def(&n, false), good = def;
    def.fill = 0;
    refuse(&def, "a lattice needs its spacing");
    def = good;
    def.reach = 0;
    refuse(&def, "reach");
    def.reach = 5;
    refuse(&def, "reach");
    def = good;
    sup_vec3 points[24];
    memcpy(points, n.points, sizeof points);
    def.points = points;
    points[7].x += 0.003f * (float)n.spacing;
    refuse(&def, "particle 7 is off the lattice");
    points[7].x += 0.3f * (float)n.spacing; /* so far that the mean is off for all the others */
    refuse(&def, "particle 7 is off the lattice");
    points[7] = points[3];
    refuse(&def, "particles 3 and 7 lie on the same node");
    points[7] = n.points[7];
    points[23].z += 3.0f * (float)n.spacing;
    def.allow_joints = false;
    refuse(&def, "particle 23 does not hang together");
    points[23].z = 4e5f;
    refuse(&def, "cells");
    def = good;
    float masses[24] = {1};
    def.masses = masses;
    refuse(&def, "has no mass");
    sup_mesh box = {0};
    assert_int_equal(sup_mesh_box(NULL, (double[3]){1, 1, 1}, (int32_t[3]){1, 1, 1}, &box, NULL),
                     SUP_OK);
    def = good;
    def.surface = &box;
    def.masses = NULL;
    refuse(&def, "surface");
    sup_mesh_free(&box);
    nodes_free(&n);
}

/* Particles that are off by less are put on their nodes. */
static void small_errors_are_put_right(void** state) {
    (void)state;
    nodes n = nodes_make((int32_t[3]){4, 3, 2}, 1, shape_full);
    nodes exact = nodes_make((int32_t[3]){4, 3, 2}, 1, shape_full);
    n.points[0].x -= 0.0009f * (float)n.spacing;
    n.points[5].y += 0.0009f * (float)n.spacing;
    sup_blueprint_def def = nodes_def(&n, false);
    sup_blueprint* print;
    sup_vec3 rest[24];
    assert_int_equal(sup_blueprint_create(&def, &print, NULL), SUP_OK);
    sup_blueprint_read_rest(print, rest);
    for (int i = 0; i < 24; i++) {
        assert_below(fabs((double)(rest[i].x - exact.points[i].x)), 1e-4 * n.spacing);
        assert_below(fabs((double)(rest[i].y - exact.points[i].y)), 1e-4 * n.spacing);
    }
    sup_blueprint_release(print);
    nodes_free(&n);
    nodes_free(&exact);
}

static void quadratic_goals_are_refused(void** state) {
    (void)state;
    nodes n = nodes_make((int32_t[3]){4, 3, 2}, 1, shape_full);
    sup_blueprint_def print = nodes_def(&n, false);
    sup_world_def settings = weightless_world();
    sup_body_def def = sup_body_default();
    block b = block_make(&settings, &print, &def);
    sup_error error;
    def.blueprint = b.print;
    def.material.mode = SUP_MATCH_QUADRATIC;
    assert_int_equal(sup_body_create(b.world, &def, NULL, &error), SUP_BAD_ARGUMENT);
    assert_non_null(strstr(error.text, "quadratic"));
    assert_int_equal(sup_body_set_material(b.world, b.body, &def.material, &error),
                     SUP_BAD_ARGUMENT);
    assert_int_equal(sup_body_set_region_material(b.world, b.body, 0, &def.material, &error),
                     SUP_BAD_ARGUMENT);
    block_step(&b, 1, dt);
    block_free(&b);
    nodes_free(&n);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(lattices_move_as_lists_do),
        cmocka_unit_test(weightless_nodes_go_where_lists_put_them),
        cmocka_unit_test(regions_have_their_materials),
        cmocka_unit_test(pinned_lattices_hang_as_lists_do),
        cmocka_unit_test(momenta_stay),
        cmocka_unit_test(resting_bodies_stay),
        cmocka_unit_test(one_node_falls_freely),
        cmocka_unit_test(edits_leave_no_strain),
        cmocka_unit_test(workers_and_snapshots_do_not_matter),
        cmocka_unit_test(warm_steps_allocate_nothing),
        cmocka_unit_test(broken_lattices_are_mended),
        cmocka_unit_test(wrong_lattices_are_refused),
        cmocka_unit_test(small_errors_are_put_right),
        cmocka_unit_test(quadratic_goals_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
