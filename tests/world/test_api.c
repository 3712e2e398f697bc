/* The public door: defaults, refusals, handles, reading and writing, hash, floating-point mode. */
#include "world/yard.h"

#include <stdio.h>
#if defined(__SSE2__)
#include <xmmintrin.h>
#endif

/* A small scene: a floor and three balls, one of them on the floor. */
typedef struct play {
    sup_world* world;
    sup_blueprint* ball;
    sup_body bodies[3];
    sup_collider floor;
} play;

static play make_play(void) {
    play p = {.world = make_world(NULL), .ball = ball_of(0.2, 1, sup_blueprint_default())};
    sup_collider_def floor = sup_collider_default();
    p.floor = add_collider(p.world, &floor);
    for (int i = 0; i < 3; i++) {
        sup_body_def def = body_at(p.ball, 1.5 * i, 0.25 + 0.5 * i, 0);
        def.velocity[0] = 0.3;
        def.angular_velocity[2] = 1.0;
        def.user = 10u + (uint64_t)i;
        p.bodies[i] = add_body(p.world, &def);
    }
    take_steps(p.world, 10);
    return p;
}

static void free_play(play* p) {
    sup_world_destroy(p->world);
    sup_blueprint_release(p->ball);
}

static void version_matches_the_header(void** state) {
    (void)state;
    char text[32];
    snprintf(text, sizeof text, "%d.%d.%d", SUP_VERSION_MAJOR, SUP_VERSION_MINOR,
             SUP_VERSION_PATCH);
    assert_string_equal(sup_version(), text);
}

static void results_and_simd_have_names(void** state) {
    (void)state;
    for (int i = SUP_OK; i <= SUP_IO; i++) assert_true(strlen(sup_result_name((sup_result)i)) > 1);
    for (int i = SUP_SIMD_AUTO; i <= SUP_SIMD_AVX2; i++) {
        assert_true(strlen(sup_simd_name((sup_simd)i)) > 2);
        sup_world_def def = sup_world_default();
        sup_error error = {0};
        sup_world* world = NULL;
        def.simd = (sup_simd)i;
        sup_result result = sup_world_create(&def, &world, &error);
        assert_int_equal(result, sup_simd_available(def.simd) ? SUP_OK : SUP_UNSUPPORTED);
        if (world && i != SUP_SIMD_AUTO) assert_int_equal(sup_world_simd(world), def.simd);
        sup_world_destroy(world);
    }
    assert_true(sup_simd_available(SUP_SIMD_AUTO) && sup_simd_available(SUP_SIMD_SCALAR));
}

/* ---- Refusals ---- */

/* A number of a definition, and values that it must not have. NaN is always one. */
typedef struct bad_number {
    const char* name;
    double* field;
    double wrong[2];
} bad_number;

static void check_message(sup_result result, const sup_error* error, const char* name) {
    assert_int_equal(result, SUP_BAD_ARGUMENT);
    assert_int_equal(error->code, SUP_BAD_ARGUMENT);
    if (strstr(error->text, name)) return;
    print_error("\"%s\" does not name %s\n", error->text, name);
    fail();
}

static void world_definitions_are_checked(void** state) {
    (void)state;
    sup_world_def def;
    const bad_number numbers[] = {
        {"gravity", &def.gravity[0], {2e4, -2e4}},
        {"gravity", &def.gravity[1], {2e4, (double)-INFINITY}},
        {"gravity", &def.gravity[2], {2e4, (double)INFINITY}},
    };
    const struct {
        const char* name;
        int32_t* field;
        int32_t wrong[3];
    } counts[] = {
        {"substeps", &def.substeps, {0, 65, -1}},
        {"sweeps", &def.sweeps, {0, 9, -1}},
        {"threads", &def.threads, {0, 65, -1}},
    };
    sup_world* world = NULL;
    sup_error error;
    for (size_t i = 0; i < 9; i++) {
        def = sup_world_default();
        *numbers[i / 3].field = i % 3 < 2 ? numbers[i / 3].wrong[i % 3] : (double)NAN;
        check_message(sup_world_create(&def, &world, &error), &error, numbers[i / 3].name);
        def = sup_world_default();
        *counts[i / 3].field = counts[i / 3].wrong[i % 3];
        check_message(sup_world_create(&def, &world, &error), &error, counts[i / 3].name);
    }
    def = sup_world_default();
    def.size = 0;
    check_message(sup_world_create(&def, &world, &error), &error, "sup_world_default");
    check_message(sup_world_create(NULL, &world, &error), &error, "sup_world_default");
    assert_null(world);
    assert_int_equal(sup_world_create(NULL, &world, NULL), SUP_BAD_ARGUMENT);
}

static void body_definitions_are_checked(void** state) {
    (void)state;
    play p = make_play();
    uint64_t before = sup_world_hash(p.world);
    sup_body_def def;
    sup_material* m = &def.material;
    const bad_number numbers[] = {
        {"position", &def.position[0], {2e12, -2e12}},
        {"position", &def.position[1], {2e12, (double)INFINITY}},
        {"position", &def.position[2], {2e12, (double)-INFINITY}},
        {"velocity", &def.velocity[0], {2e5, -2e5}},
        {"velocity", &def.velocity[1], {2e5, -2e5}},
        {"velocity", &def.velocity[2], {2e5, -2e5}},
        {"angular_velocity", &def.angular_velocity[0], {2e5, -2e5}},
        {"angular_velocity", &def.angular_velocity[1], {2e5, -2e5}},
        {"angular_velocity", &def.angular_velocity[2], {2e5, -2e5}},
        {"gravity_scale", &def.gravity_scale, {2e3, -2e3}},
        {"rotation", &def.rotation[0], {1e7, (double)INFINITY}},
        {"rotation", &def.rotation[3], {0.0, (double)INFINITY}},
        {"stiffness", &m->stiffness, {-1.0, 2e5}},
        {"damping", &m->damping, {-0.1, 1.1}},
        {"raw_damping", &m->raw_damping, {1.1, (double)-INFINITY}},
        {"friction_static", &m->friction_static, {-0.1, 2.1}},
        {"friction_kinetic", &m->friction_kinetic, {-0.1, 0.6}},
        {"restitution", &m->restitution, {-0.1, 1.1}},
    };
    sup_body body = {0};
    sup_error error;
    for (size_t i = 0; i < 3 * sizeof numbers / sizeof *numbers; i++) {
        def = body_at(p.ball, 0, 5, 0);
        *numbers[i / 3].field = i % 3 < 2 ? numbers[i / 3].wrong[i % 3] : (double)NAN;
        check_message(sup_body_create(p.world, &def, &body, &error), &error, numbers[i / 3].name);
        /* The same material is refused for a body that lives. */
        double* field = numbers[i / 3].field;
        if ((char*)field < (char*)m || (char*)field >= (char*)(m + 1)) continue;
        check_message(sup_body_set_material(p.world, p.bodies[0], m, &error), &error,
                      numbers[i / 3].name);
    }
    assert_true(body.slot == 0 && body.age == 0);
    def = body_at(p.ball, 0, 5, 0);
    def.size++;
    check_message(sup_body_create(p.world, &def, NULL, &error), &error, "sup_body_default");
    def = body_at(NULL, 0, 5, 0);
    check_message(sup_body_create(p.world, &def, NULL, &error), &error, "blueprint");
    check_message(sup_body_create(p.world, NULL, NULL, &error), &error, "sup_body_default");

    def = body_at(p.ball, 0, 5, 0);
    m->scheme = (sup_scheme)3;
    check_message(sup_body_create(p.world, &def, NULL, &error), &error, "scheme");
    m->scheme = SUP_SCHEME_D;
    m->rule = (sup_stiffness_rule)8;
    check_message(sup_body_create(p.world, &def, NULL, &error), &error, "rule");
    m->rule = SUP_STIFFNESS_RIGID;
    m->scheme = SUP_SCHEME_S;
    check_message(sup_body_create(p.world, &def, NULL, &error), &error, "scheme D");
    m->scheme = SUP_SCHEME_D;
    m->rule = SUP_STIFFNESS_RAW;
    m->stiffness = 1.5;
    check_message(sup_body_create(p.world, &def, NULL, &error), &error, "stiffness");
    assert_int_equal(sup_body_create(p.world, &def, NULL, NULL), SUP_BAD_ARGUMENT);
    assert_int_equal(sup_world_bodies(p.world, NULL, 0), 3);
    assert_true(sup_world_hash(p.world) == before);
    free_play(&p);
}

static void collider_definitions_are_checked(void** state) {
    (void)state;
    play p = make_play();
    uint64_t before = sup_world_hash(p.world);
    sup_collider_def def;
    const bad_number numbers[] = {
        {"position", &def.position[0], {2e12, -2e12}},
        {"position", &def.position[1], {2e12, (double)INFINITY}},
        {"position", &def.position[2], {2e12, (double)-INFINITY}},
        {"rotation", &def.rotation[0], {1e7, (double)INFINITY}},
        {"rotation", &def.rotation[3], {0.0, (double)INFINITY}},
        {"radius", &def.radius, {0.0, 2e7}},
        {"half_size", &def.half_size[0], {0.0, 2e7}},
        {"half_size", &def.half_size[1], {-1.0, 2e7}},
        {"half_size", &def.half_size[2], {0.0, 2e7}},
        {"thickness", &def.thickness, {-0.1, 2e3}},
        {"friction_static", &def.friction_static, {-0.1, 2.1}},
        {"friction_kinetic", &def.friction_kinetic, {-0.1, 0.6}},
        {"restitution", &def.restitution, {-0.1, 1.1}},
    };
    sup_collider collider = {0};
    sup_error error;
    for (size_t i = 0; i < 3 * sizeof numbers / sizeof *numbers; i++) {
        def = sup_collider_default();
        *numbers[i / 3].field = i % 3 < 2 ? numbers[i / 3].wrong[i % 3] : (double)NAN;
        check_message(sup_collider_create(p.world, &def, &collider, &error), &error,
                      numbers[i / 3].name);
    }
    def = sup_collider_default();
    def.kind = (sup_collider_kind)6;
    check_message(sup_collider_create(p.world, &def, &collider, &error), &error, "kind");
    def = sup_collider_default();
    def.size--;
    check_message(sup_collider_create(p.world, &def, &collider, &error), &error,
                  "sup_collider_default");
    assert_true(collider.slot == 0 && collider.age == 0);
    assert_true(sup_world_hash(p.world) == before);
    free_play(&p);
}

static void bad_steps_are_refused(void** state) {
    (void)state;
    play p = make_play();
    uint64_t before = sup_world_hash(p.world);
    const double wrong[] = {0.0, -FRAME, 9e-7, 1.1, (double)NAN, (double)INFINITY, 0.41};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        assert_int_equal(sup_world_step(p.world, wrong[i]), SUP_BAD_ARGUMENT);
    }
    assert_true(sup_world_hash(p.world) == before);
    assert_int_equal(sup_world_step_count(p.world), 10);
    assert_int_equal(sup_world_step(p.world, 1e-6), SUP_OK);
    assert_int_equal(sup_world_step(p.world, 0.4), SUP_OK);
    assert_int_equal(sup_world_step_count(p.world), 12);
    assert_near(sup_world_time(p.world), 10 * FRAME + 1e-6 + 0.4, 1e-12);
    free_play(&p);
}

/* ---- Handles ---- */

static void check_stale(sup_world* world, sup_body body) {
    sup_error error = {0};
    sup_material material = sup_body_default().material;
    double corner[3];
    sup_point place;
    sup_vec3 velocity = {0, 0, 0};
    uint64_t before = sup_world_hash(world);
    assert_false(sup_body_is_valid(world, body));
    assert_null(sup_body_blueprint(world, body));
    assert_int_equal(sup_body_user(world, body), 0);
    assert_int_equal(sup_body_destroy(world, body), SUP_STALE);
    assert_int_equal(sup_body_set_material(world, body, &material, &error), SUP_STALE);
    assert_int_equal(error.code, SUP_STALE);
    assert_int_equal(sup_body_read_particles(world, body, &place, &velocity), SUP_STALE);
    assert_int_equal(sup_body_write_particles(world, body, NULL, &velocity, &error), SUP_STALE);
    assert_int_equal(sup_body_read_vertices(world, body, NULL, &velocity), SUP_STALE);
    assert_int_equal(sup_body_bounds(world, body, corner, corner), SUP_STALE);
    assert_true(sup_world_hash(world) == before);
}

static void stale_handles_are_found_out(void** state) {
    (void)state;
    play p = make_play();
    sup_body list[4];
    assert_int_equal(sup_body_destroy(p.world, p.bodies[1]), SUP_OK);
    check_stale(p.world, p.bodies[1]);
    check_stale(p.world, (sup_body){0, 0});
    check_stale(p.world, (sup_body){p.bodies[0].slot, p.bodies[0].age + 2});
    check_stale(p.world, (sup_body){p.bodies[0].slot, p.bodies[0].age + 1});
    check_stale(p.world, (sup_body){1000000, 1});
    check_stale(p.world, (sup_body){UINT32_MAX, UINT32_MAX});
    assert_int_equal(sup_world_bodies(p.world, list, 4), 2);
    assert_true(list[0].slot == p.bodies[0].slot && list[1].slot == p.bodies[2].slot);
    assert_int_equal(sup_body_user(p.world, p.bodies[2]), 12);
    assert_ptr_equal(sup_body_blueprint(p.world, p.bodies[2]), p.ball);

    /* The slot is used again, under another age. */
    sup_body_def def = body_at(p.ball, 0, 7, 0);
    sup_body again = add_body(p.world, &def);
    assert_int_equal(again.slot, p.bodies[1].slot);
    assert_int_not_equal(again.age, p.bodies[1].age);
    assert_true(sup_body_is_valid(p.world, again));
    check_stale(p.world, p.bodies[1]);
    list[0] = (sup_body){9, 9};
    assert_int_equal(sup_world_bodies(p.world, list, 0), 3); /* room for none */
    assert_int_equal(list[0].slot, 9);

    sup_collider_def floor = sup_collider_default();
    assert_true(sup_collider_is_valid(p.world, p.floor));
    assert_int_equal(sup_collider_destroy(p.world, p.floor), SUP_OK);
    assert_false(sup_collider_is_valid(p.world, p.floor));
    assert_int_equal(sup_collider_destroy(p.world, p.floor), SUP_STALE);
    assert_int_equal(sup_collider_destroy(p.world, (sup_collider){0, 0}), SUP_STALE);
    sup_collider new_floor = add_collider(p.world, &floor);
    assert_int_equal(new_floor.slot, p.floor.slot);
    assert_false(sup_collider_is_valid(p.world, p.floor));
    free_play(&p);
}

/* A blueprint goes with its last body, not before. */
static void blueprints_outlive_their_maker(void** state) {
    (void)state;
    sup_world* world = make_world(NULL);
    sup_blueprint* print = ball_of(0.2, 1, sup_blueprint_default());
    sup_body_def def = body_at(print, 0, 1, 0);
    sup_body one = add_body(world, &def);
    add_body(world, &def);
    sup_blueprint_release(print);
    sup_body_destroy(world, one);
    take_steps(world, 3);
    sup_world_destroy(world);
    sup_blueprint_release(NULL);
    sup_world_destroy(NULL);
}

/* Bodies of all kinds, each on its own. */
static void add_loners(sup_world* world, bool with_middle, sup_body bodies[6]) {
    const int32_t pins[1] = {2};
    sup_blueprint_def pinned = in_cubes(0.1, 0.3);
    pinned.pins = pins;
    pinned.pin_count = 1;
    sup_blueprint* prints[3] = {ball_of(0.2, 1, sup_blueprint_default()),
                                box_of((double[3]){0.3, 0.3, 0.3}, 3, in_cubes(0.1, 0.3)),
                                ball_of(0.2, 1, pinned)};
    for (int i = 0; i < 6; i++) {
        sup_body_def def = body_at(prints[i % 3], 2.0 * i, 0.5, 0);
        def.angular_velocity[0] = 2.0;
        if (i != 2 || with_middle) bodies[i] = add_body(world, &def);
    }
    for (int i = 0; i < 3; i++) sup_blueprint_release(prints[i]);
}

/* The others do not feel that a body goes, or that it was never there. */
static void destruction_leaves_the_others_alone(void** state) {
    (void)state;
    sup_world *with = make_world(NULL), *without = make_world(NULL);
    sup_body bodies[6], others[6];
    add_floor(with);
    add_floor(without);
    add_loners(with, true, bodies);
    add_loners(without, false, others);
    for (int i = 0; i < 60; i++) {
        if (i == 20) assert_int_equal(sup_body_destroy(with, bodies[2]), SUP_OK);
        take_steps(with, 1);
        take_steps(without, 1);
        for (int k = 0; k < 6; k++) {
            if (k == 2) continue;
            swarm a = read_swarm(with, bodies[k]), b = read_swarm(without, others[k]);
            assert_memory_equal(a.x, b.x, (size_t)a.count * sizeof *a.x);
            assert_memory_equal(a.v, b.v, (size_t)a.count * sizeof *a.v);
            free_swarm(&a);
            free_swarm(&b);
        }
    }
    sup_world_destroy(with);
    sup_world_destroy(without);
}

/* ---- Reading and writing ---- */

static void particles_come_back_as_written(void** state) {
    (void)state;
    play p = make_play();
    swarm s = read_swarm(p.world, p.bodies[1]);
    uint64_t before = sup_world_hash(p.world);
    assert_int_equal(sup_body_write_particles(p.world, p.bodies[1], NULL, s.v, NULL), SUP_OK);
    assert_true(sup_world_hash(p.world) == before);
    for (int32_t i = 0; i < s.count; i++) {
        s.x[i].x += 0.125;
        s.v[i].y += 1.0f;
    }
    assert_int_equal(sup_body_write_particles(p.world, p.bodies[1], s.x, s.v, NULL), SUP_OK);
    assert_true(sup_world_hash(p.world) != before);
    swarm back = read_swarm(p.world, p.bodies[1]);
    for (int32_t i = 0; i < s.count; i++) {
        assert_below(fabs(back.x[i].x - s.x[i].x), 1e-6);
        assert_below(fabs(back.x[i].y - s.x[i].y), 1e-6);
    }
    assert_memory_equal(back.v, s.v, (size_t)s.count * sizeof *s.v);

    /* Vertices and box say the same. */
    sup_vec3* vertices = calloc((size_t)s.count, sizeof *vertices);
    const double origin[3] = {1.0, 0.5, -2.0};
    double low[3], high[3], least = 1e30;
    assert_int_equal(sup_body_read_vertices(p.world, p.bodies[1], origin, vertices), SUP_OK);
    assert_int_equal(sup_body_bounds(p.world, p.bodies[1], low, high), SUP_OK);
    for (int32_t i = 0; i < s.count; i++) {
        assert_below(fabs((double)vertices[i].x + 1.0 - back.x[i].x), 1e-6);
        assert_below(fabs((double)vertices[i].z - 2.0 - back.x[i].z), 1e-6);
        least = back.x[i].y < least ? back.x[i].y : least;
    }
    assert_below(fabs(low[1] - least), 1e-6);
    assert_true(high[0] > low[0] && high[1] > low[1] && high[2] > low[2]);

    /* One wrong number, and nothing is written. */
    sup_error error;
    before = sup_world_hash(p.world);
    const double wrong[] = {(double)NAN, (double)INFINITY, 2e12, 1e9 /* too far from the others */};
    for (int i = 0; i < 4; i++) {
        swarm bad = read_swarm(p.world, p.bodies[1]);
        bad.x[bad.count - 1].z = wrong[i];
        check_message(sup_body_write_particles(p.world, p.bodies[1], bad.x, NULL, &error), &error,
                      "places");
        bad.v[bad.count - 1].z = (float)wrong[i];
        check_message(sup_body_write_particles(p.world, p.bodies[1], NULL, bad.v, &error), &error,
                      "velocities");
        free_swarm(&bad);
    }
    assert_true(sup_world_hash(p.world) == before);
    free(vertices);
    free_swarm(&s);
    free_swarm(&back);
    free_play(&p);
}

/* A body turned and moved by its definition, and its motion. */
static void bodies_start_where_they_are_put(void** state) {
    (void)state;
    sup_world* world = make_weightless_world();
    sup_vec3 points[64];
    sup_blueprint_def print_def = cube_of_64(points);
    for (int i = 0; i < 64; i++) points[i].x += 2.0f; /* the centre is not the origin */
    sup_blueprint* print = NULL;
    assert_int_equal(sup_blueprint_create(&print_def, &print, NULL), SUP_OK);
    sup_body_def def = body_at(print, 10, 20, 30);
    const double turn[4] = {0, 0, 3.0, 3.0}; /* a quarter about z, not normalised */
    memcpy(def.rotation, turn, sizeof turn);
    def.velocity[1] = 4.0;
    def.angular_velocity[2] = 0.5;
    sup_body body = add_body(world, &def);
    swarm s = read_swarm(world, body);
    for (int32_t i = 0; i < 64; i++) {
        double x = (double)points[i].x, y = (double)points[i].y, z = (double)points[i].z;
        assert_below(fabs(s.x[i].x - (10 - y)), 1e-5);
        assert_below(fabs(s.x[i].y - (20 + x)), 1e-5);
        assert_below(fabs(s.x[i].z - (30 + z)), 1e-5);
        /* spin about the centre (10, 22, 30) */
        assert_below(fabs((double)s.v[i].x + 0.5 * (s.x[i].y - 22)), 1e-5);
        assert_below(fabs((double)s.v[i].y - 4.0 - 0.5 * (s.x[i].x - 10)), 1e-5);
    }
    free_swarm(&s);
    sup_blueprint_release(print);
    sup_world_destroy(world);
}

/* A body so far out that a float has steps of a metre moves as one at the origin. */
static void far_bodies_move_alike(void** state) {
    (void)state;
    double height[2] = {0, 0};
    for (int far = 0; far < 2; far++) {
        sup_world* world = make_world(NULL);
        double x = far ? 1e7 : 0.0;
        sup_collider_def floor = sup_collider_default();
        floor.position[0] = x;
        floor.position[2] = -x;
        add_collider(world, &floor);
        sup_blueprint* print = ball_of(0.2, 1, filled(0.1));
        sup_body_def def = body_at(print, x, 0.5, -x);
        def.angular_velocity[2] = 1.0;
        sup_body body = add_body(world, &def);
        def.position[1] = 1.0;
        add_body(world, &def);
        take_steps(world, 60);
        assert_int_equal(mishap_count(world), 0);
        double centre[3];
        centre_of(world, body, centre, NULL);
        assert_below(fabs(centre[0] - x), 1.0);
        height[far] = centre[1];
        sup_world_destroy(world);
        sup_blueprint_release(print);
    }
    assert_below(fabs(height[0] - height[1]), 0.01);
    assert_above(height[1], 0.1);
}

/* ---- Hash ---- */

static void hash_of_change(sup_world_def world_def, sup_blueprint_def print_def,
                           sup_collider_def floor, sup_body_def def, const char* what,
                           uint64_t* hashes, int32_t* count) {
    sup_world* world = make_world(&world_def);
    add_collider(world, &floor);
    def.blueprint = ball_of(0.2, 1, print_def);
    add_body(world, &def);
    hashes[*count] = sup_world_hash(world);
    for (int32_t i = 0; i < *count; i++) {
        if (hashes[i] != hashes[*count]) continue;
        print_error("%s does not change the hash\n", what);
        fail();
    }
    ++*count;
    sup_blueprint_release(def.blueprint);
    sup_world_destroy(world);
}

static void every_input_changes_the_hash(void** state) {
    (void)state;
    const sup_world_def w0 = sup_world_default();
    const int32_t pins[1] = {3};
    sup_blueprint_def p0 = sup_blueprint_default();
    p0.pins = pins;
    p0.pin_count = 1;
    p0.cube = 0.3;
    const sup_collider_def c0 = sup_collider_default();
    const sup_body_def b0 = body_at(NULL, 0, 0.5, 0);
    uint64_t hashes[64];
    int32_t count = 0;
    hash_of_change(w0, p0, c0, b0, "nothing", hashes, &count);
#define CHANGE(original, field, value)                                                             \
    do {                                                                                           \
        sup_world_def w = w0;                                                                      \
        sup_blueprint_def p = p0;                                                                  \
        sup_collider_def c = c0;                                                                   \
        sup_body_def b = b0;                                                                       \
        original.field = value;                                                                    \
        hash_of_change(w, p, c, b, #original "." #field, hashes, &count);                          \
    } while (0)
    CHANGE(w, gravity[0], 1.0);
    CHANGE(w, gravity[1], -9.8);
    CHANGE(w, gravity[2], 1.0);
    CHANGE(w, substeps, 5);
    CHANGE(w, sweeps, 3);
    CHANGE(p, density, 900.0);
    CHANGE(p, fill, 0.15);
    CHANGE(p, pin_count, 0);
    CHANGE(p, pin_factor, 20.0);
    CHANGE(p, radius, 0.01);
    CHANGE(p, layout, SUP_CLUSTERS_CUBES);
    CHANGE(c, kind, SUP_COLLIDER_SPHERE);
    CHANGE(c, position[0], 1.0);
    CHANGE(c, rotation[0], 0.1);
    CHANGE(c, radius, 0.6);
    CHANGE(c, half_size[1], 0.6);
    CHANGE(c, thickness, 0.003);
    CHANGE(c, friction_static, 0.6);
    CHANGE(c, friction_kinetic, 0.3);
    CHANGE(c, restitution, 0.3);
    CHANGE(b, position[0], 1.0);
    CHANGE(b, rotation[1], 0.1);
    CHANGE(b, velocity[2], 0.1);
    CHANGE(b, angular_velocity[2], 0.1);
    CHANGE(b, gravity_scale, 0.9);
    CHANGE(b, material.scheme, SUP_SCHEME_P);
    CHANGE(b, material.rule, SUP_STIFFNESS_STATIC);
    CHANGE(b, material.stiffness, 121.0);
    CHANGE(b, material.damping, 0.4);
    CHANGE(b, material.raw_damping, 0.4);
    CHANGE(b, material.friction_static, 0.6);
    CHANGE(b, material.friction_kinetic, 0.3);
    CHANGE(b, material.restitution, 0.3);
    CHANGE(b, material.plastic.on, true);
    CHANGE(b, material.plastic.rule, SUP_PLASTIC_PAPER);
    CHANGE(b, material.plastic.yield, 0.2);
    CHANGE(b, material.plastic.creep, 20.0);
    CHANGE(b, material.plastic.limit, 0.6);
    CHANGE(b, material.plastic.flow_time, 20.0);
    CHANGE(b, material.plastic.flow_power, 2.0);
    CHANGE(b, material.plastic.flow_strain, 0.02);
    CHANGE(b, material.plastic.flow_least, 2e-4);
#undef CHANGE
    assert_int_equal(count, 43);
}

/* The hash knows the recipe too: the same places with another rest shape go on in another way. */
static void rest_shapes_change_the_hash(void** state) {
    (void)state;
    uint64_t hashes[2];
    sup_vec3 points[64];
    for (int i = 0; i < 2; i++) {
        sup_blueprint_def def = cube_of_64(points);
        sup_point places[64];
        const sup_vec3 still[64] = {{0, 0, 0}};
        for (int k = 0; k < 64; k++) {
            places[k] = (sup_point){(double)points[k].x, (double)points[k].y, (double)points[k].z};
        }
        if (i == 1) points[21].x += 0.01f;
        sup_blueprint* print = NULL;
        sup_world* world = make_world(NULL);
        assert_int_equal(sup_blueprint_create(&def, &print, NULL), SUP_OK);
        sup_body_def body_def = body_at(print, 0, 0, 0);
        sup_body body = add_body(world, &body_def);
        assert_int_equal(sup_body_write_particles(world, body, places, still, NULL), SUP_OK);
        hashes[i] = sup_world_hash(world);
        sup_blueprint_release(print);
        sup_world_destroy(world);
    }
    assert_true(hashes[0] != hashes[1]);
}

/* ---- Floating-point mode ---- */

#if defined(__SSE2__)
/* Rounding to zero, flush to zero, denormals are zero: the caller's own business. */
static void the_callers_float_mode_is_its_own(void** state) {
    (void)state;
    const unsigned modes[] = {0x1f80, 0x1f80 | 0x8040, 0x1f80 | 0x6000, 0x1f80 | 0x2000,
                              0x1f80 | 0x4000 | 0x8040};
    uint64_t wanted = 0;
    for (size_t i = 0; i < 2 * sizeof modes / sizeof *modes; i++) {
        unsigned mine = _mm_getcsr(), mode = modes[i / 2];
        play p = make_play();
        _mm_setcsr(mode);
        for (int k = 0; k < 30; k++) {
            sup_result result = sup_world_step(p.world, FRAME);
            unsigned after = _mm_getcsr() & 0xffc0u;
            if (result != SUP_OK || after != mode) _mm_setcsr(mine);
            assert_int_equal(result, SUP_OK);
            assert_int_equal(after, mode);
        }
        _mm_setcsr(mine);
        if (i == 0) wanted = sup_world_hash(p.world);
        assert_true(sup_world_hash(p.world) == wanted);
        free_play(&p);
    }
}
#endif

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(version_matches_the_header),
        cmocka_unit_test(results_and_simd_have_names),
        cmocka_unit_test(world_definitions_are_checked),
        cmocka_unit_test(body_definitions_are_checked),
        cmocka_unit_test(collider_definitions_are_checked),
        cmocka_unit_test(bad_steps_are_refused),
        cmocka_unit_test(stale_handles_are_found_out),
        cmocka_unit_test(blueprints_outlive_their_maker),
        cmocka_unit_test(destruction_leaves_the_others_alone),
        cmocka_unit_test(particles_come_back_as_written),
        cmocka_unit_test(bodies_start_where_they_are_put),
        cmocka_unit_test(far_bodies_move_alike),
        cmocka_unit_test(every_input_changes_the_hash),
        cmocka_unit_test(rest_shapes_change_the_hash),
#if defined(__SSE2__)
        cmocka_unit_test(the_callers_float_mode_is_its_own),
#endif
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
