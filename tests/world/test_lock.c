/* Locked axes: no particle moves along them, whatever pushes it and whatever moves the body; along
   the others all goes on as it should. */
#include "ref/ref_integrators.h"
#include "supple/snapshot.h"
#include "world/springs.h"

enum { MOST = 512 };

typedef struct state_of {
    int32_t count;
    sup_point x[MOST];
    sup_vec3 v[MOST];
} state_of;

static state_of read_state(const sup_world* world, sup_body body) {
    state_of s = {.count = sup_blueprint_get_info(sup_body_blueprint(world, body)).particle_count};
    assert_true(s.count <= MOST);
    assert_int_equal(sup_body_read_particles(world, body, s.x, s.v), SUP_OK);
    return s;
}

/* Its first state and now: to the bit along z, but not elsewhere. */
static void check_locked_z(const sup_world* world, sup_body body, const state_of* first) {
    state_of now = read_state(world, body);
    double moved = 0.0;
    for (int32_t i = 0; i < now.count; i++) {
        assert_true(now.x[i].z == first->x[i].z);
        assert_true(now.v[i].z == 0.0f);
        moved += fabs(now.x[i].x - first->x[i].x) + fabs(now.x[i].y - first->x[i].y);
    }
    assert_true(isfinite(moved) && moved > 0.0);
}

/* Gravity aslant, wind, a ball that it falls on beside its middle. */
static sup_world* make_rough_world(void) {
    sup_world_def def = sup_world_default();
    def.gravity[2] = 4.0;
    def.sleep_speed = 0.0;
    def.wind.density = 1.2;
    def.wind.velocity[2] = 5.0;
    def.wind.gust = 2.0;
    sup_world* world = make_world(&def);
    sup_collider_def ball = sup_collider_default();
    ball.kind = SUP_COLLIDER_SPHERE;
    ball.radius = 0.6;
    ball.position[0] = 0.4;
    ball.position[1] = -0.9;
    ball.position[2] = 0.2;
    add_collider(world, &ball);
    return world;
}

/* A drawn cloth of n x n cells that bulges out of its plane, in the plane of x and y when turned.
 */
static sup_blueprint* bulging_of(int32_t n, sup_cluster_layout layout, bool pins) {
    sup_mesh mesh;
    sup_spring springs[8 * MOST];
    int32_t across = n + 1, spring_count = 0;
    assert_int_equal(sup_mesh_grid(NULL, 1, 1, n, n, &mesh, NULL), SUP_OK);
    for (int32_t i = 0; i < mesh.point_count; i++) {
        double x = (double)mesh.points[i].x, y = (double)mesh.points[i].z;
        mesh.points[i] = (sup_vec3){(float)x, (float)y, (float)(0.1 * cos(4 * x) * cos(3 * y))};
    }
    const cloth_def weave = {across, 1, 0.3, 200, 100, 10, 0.05, pins, layout};
    spring_count = cloth_weave(&weave, springs);
    const int32_t held[2] = {0, n};
    sup_blueprint_def def = sup_blueprint_default();
    def.layout = layout;
    def.cube = 0.7;
    def.springs = springs;
    def.spring_count = layout == SUP_CLUSTERS_NONE || pins ? spring_count : 0;
    def.spring_damping = 0.05;
    def.pins = held;
    def.pin_count = pins ? 2 : 0;
    def.radius = 0.04;
    def.mass = 0.3;
    return blueprint_of(&mesh, def);
}

static void run_rough(sup_blueprint* print, const sup_spring_settings* settings) {
    sup_world* world = make_rough_world();
    sup_body_def def = body_at(print, 0, 0.2, 0);
    def.locked = SUP_AXIS_Z;
    def.velocity[0] = 0.5;
    def.angular_velocity[2] = 1.0;
    def.material.restitution = 0.5;
    if (settings) def.springs = *settings;
    sup_body body = add_body(world, &def);
    def.position[1] = 1.2; /* a free one falls on it */
    def.position[2] = 0.3;
    def.locked = 0;
    add_body(world, &def);
    state_of first = read_state(world, body);
    sup_attachment_def hold = sup_attachment_default();
    hold.body = body;
    hold.particle = 3;
    hold.point[0] = first.x[3].x;
    hold.point[1] = first.x[3].y;
    hold.point[2] = first.x[3].z + 0.2;
    sup_error error = {0};
    assert_ok(sup_attachment_create(world, &hold, NULL, &error), error);
    sup_point pins[2] = {first.x[0], first.x[6]};
    int32_t pin_count = sup_blueprint_get_info(print).pinned_count;
    for (int32_t i = 0; i < 12; i++) {
        for (int32_t k = 0; k < pin_count; k++) {
            pins[k].y += 0.01;
            pins[k].z += 0.01;
        }
        assert_ok(sup_body_move_pins(world, body, pins, &error), error);
        take_steps(world, 1);
        check_locked_z(world, body, &first);
    }
    sup_world_destroy(world);
    sup_blueprint_release(print);
}

static void every_integrator_obeys(void** state) {
    (void)state;
    for (int i = 0; i < INTEGRATORS; i++) {
        sup_spring_settings s = sup_spring_settings_default();
        s.integrator = integrator_at(i);
        s.newton = 1 + i % 3;
        s.pressure.power = 1;
        run_rough(bulging_of(6, SUP_CLUSTERS_NONE, i % 2 == 0), &s);
    }
}

static void limits_and_terms_obey(void** state) {
    (void)state;
    for (int i = 0; i < 2; i++) {
        sup_spring_settings s = sup_spring_settings_default();
        s.integrator = i ? SUP_INTEGRATOR_SYMPLECTIC : SUP_INTEGRATOR_IMPLICIT;
        s.limit = 0.02;
        s.solid.area = 20.0;
        s.solid.bend = 0.01;
        s.yield.strain = 0.05;
        run_rough(bulging_of(6, SUP_CLUSTERS_NONE, true), &s);
    }
}

/* With nothing to meet and nothing to hold it. */
static void run_alone(sup_blueprint* print) {
    sup_world_def slant = sup_world_default();
    slant.gravity[2] = 4.0;
    sup_world* world = make_world(&slant);
    sup_body_def def = body_at(print, 0, 0, 0);
    def.locked = SUP_AXIS_Z;
    def.angular_velocity[2] = 2.0;
    sup_body body = add_body(world, &def);
    state_of first = read_state(world, body);
    for (int32_t i = 0; i < 12; i++) {
        take_steps(world, 1);
        check_locked_z(world, body, &first);
    }
    sup_world_destroy(world);
    sup_blueprint_release(print);
}

static void clusters_obey(void** state) {
    (void)state;
    run_rough(bulging_of(6, SUP_CLUSTERS_WHOLE, false), NULL);
    run_rough(bulging_of(6, SUP_CLUSTERS_CUBES, false), NULL);
    run_rough(bulging_of(6, SUP_CLUSTERS_CUBES, true), NULL); /* springs beside them */
    run_rough(box_of((double[3]){0.8, 0.4, 0.6}, 3, filled(0.2)), NULL);
    run_alone(bulging_of(6, SUP_CLUSTERS_CUBES, false));
    run_alone(box_of((double[3]){0.8, 0.4, 0.6}, 3, filled(0.2)));
}

/* In a plane the lock has nothing to do: the rest of the motion is the same to the bit. */
static void the_rest_is_as_without(void** state) {
    (void)state;
    for (int i = 0; i < INTEGRATORS; i++) {
        cloth_def cloth = cloth_default(9);
        cloth.held = i % 2 == 0;
        cloth.bend = i % 3 ? 50 : 0;
        sup_blueprint* print = cloth_of(&cloth);
        sup_world_def planar = sup_world_default();
        planar.gravity[1] = 0.0;
        planar.gravity[0] = -9.81;
        sup_world* world = make_world(&planar);
        sup_body_def def = body_at(print, 0, 0.3, 0);
        def.springs.integrator = integrator_at(i);
        def.velocity[2] = 1.0;
        def.angular_velocity[1] = 2.0;
        sup_body bodies[2];
        bodies[0] = add_body(world, &def);
        def.locked = SUP_AXIS_Y;
        bodies[1] = add_body(world, &def);
        take_steps(world, 60);
        state_of free_one = read_state(world, bodies[0]), locked = read_state(world, bodies[1]);
        for (int32_t k = 0; k < locked.count; k++) {
            assert_true(free_one.x[k].x == locked.x[k].x && free_one.x[k].z == locked.x[k].z);
            assert_true(free_one.v[k].x == locked.v[k].x && free_one.v[k].z == locked.v[k].z);
        }
        sup_spring_measures a = measure_springs(world, bodies[0]);
        assert_true(a.energy == measure_springs(world, bodies[1]).energy);
        sup_world_destroy(world);
        sup_blueprint_release(print);
    }
}

/* A free body that is locked falls as if it were not; along the lock it does not. */
static void others_axes_fall_freely(void** state) {
    (void)state;
    for (int i = 0; i < INTEGRATORS; i++) {
        cloth_def cloth = cloth_default(5);
        cloth.held = false;
        sup_blueprint* print = cloth_of(&cloth);
        sup_world_def def = sup_world_default();
        def.gravity[2] = 3.0;
        sup_world* world = make_world(&def);
        sup_body_def body_def = body_at(print, 0, 0, 0);
        body_def.springs.integrator = integrator_at(i);
        body_def.springs.adaptive = false;
        body_def.springs.drag = 0.0;
        body_def.locked = SUP_AXIS_Z;
        sup_body body = add_body(world, &body_def);
        state_of first = read_state(world, body);
        take_steps(world, 60);
        check_locked_z(world, body, &first);
        double fallen = first.x[7].y - read_state(world, body).x[7].y;
        assert_true(fabs(fallen - 0.5 * 9.81) < 0.1);
        sup_world_destroy(world);
        sup_blueprint_release(print);
    }
}

/* ---- The planar problem in double ---- */

enum { CORNERS = 8, TWIN_STEPS = 20 };
#define TWIN_STEP 0.004

/* A box of springs between all corners, which stands aslant in its lock. */
static int32_t corner_springs(sup_spring* springs, sup_vec3* points) {
    int32_t count = 0;
    for (int32_t i = 0; i < CORNERS; i++) {
        points[i] = (sup_vec3){0.3f * (float)(i & 1), 0.2f * (float)(i >> 1 & 1),
                               0.25f * (float)(i >> 2) + 0.05f * (float)(i & 1)};
        for (int32_t j = 0; j < i; j++) {
            double d[3] = {(double)(points[i].x - points[j].x), (double)(points[i].y - points[j].y),
                           (double)(points[i].z - points[j].z)};
            float length = (float)(0.9 * sqrt(d[0] * d[0] + d[1] * d[1] + d[2] * d[2]));
            springs[count++] = (sup_spring){j, i, length, 40, 0.2f, SUP_SPRING_STRUCT, false};
        }
    }
    return count;
}

static void twins_agree(void** state) {
    (void)state;
    sup_vec3 points[CORNERS];
    sup_spring springs[CORNERS * CORNERS];
    float masses[CORNERS];
    for (int k = 0; k < CORNERS; k++) masses[k] = 0.1f * (float)(1 + k % 3);
    sup_blueprint_def def = sup_blueprint_default();
    def.points = points;
    def.point_count = CORNERS;
    def.masses = masses;
    def.layout = SUP_CLUSTERS_NONE;
    def.springs = springs;
    def.spring_count = corner_springs(springs, points);
    def.radius = -1;
    sup_error error = {0};
    sup_blueprint* print = NULL;
    assert_ok(sup_blueprint_create(&def, &print, &error), error);
    for (int i = 0; i < INTEGRATORS; i++) {
        sup_world_def quiet = sup_world_default();
        quiet.substeps = 1;
        quiet.sleep_speed = 0.0;
        sup_world* world = make_world(&quiet);
        sup_body_def body_def = body_at(print, 0, 0, 0);
        body_def.locked = SUP_AXIS_Z;
        body_def.velocity[0] = 0.5;
        body_def.angular_velocity[2] = 3.0;
        body_def.springs.integrator = integrator_at(i);
        body_def.springs.adaptive = false;
        body_def.springs.drag = 0.0;
        body_def.springs.tolerance = 1e-6;
        body_def.springs.newton = 5;
        sup_body body = add_body(world, &body_def);
        state_of now = read_state(world, body);
        ref_system twin = {.count = 3 * CORNERS, .forces = ref_spring_list_forces};
        const ref_spring_list list = {&twin, springs, def.spring_count, {0, -9.81, 0}, false};
        twin.context = &list;
        for (int32_t k = 0; k < CORNERS; k++) {
            const double x[3] = {now.x[k].x, now.x[k].y, now.x[k].z};
            const double v[3] = {(double)now.v[k].x, (double)now.v[k].y, 0.0};
            for (int a = 0; a < 3; a++) {
                twin.inverse_mass[3 * k + a] = a < 2 ? 1.0 / (double)masses[k] : 0.0;
                twin.x[3 * k + a] = x[a];
                twin.v[3 * k + a] = v[a];
            }
        }
        double worst = 0.0;
        for (int32_t step = 0; step < TWIN_STEPS; step++) {
            assert_int_equal(sup_world_step(world, TWIN_STEP), SUP_OK);
            ref_system_step(&twin, integrator_at(i), TWIN_STEP);
        }
        now = read_state(world, body);
        for (int32_t k = 0; k < CORNERS; k++) {
            double off[3] = {now.x[k].x - twin.x[3 * k], now.x[k].y - twin.x[3 * k + 1],
                             now.x[k].z - twin.x[3 * k + 2]};
            for (int a = 0; a < 3; a++) worst = fabs(off[a]) > worst ? fabs(off[a]) : worst;
            assert_true(off[2] == 0.0);
        }
        if (!(worst < 2e-5)) print_error("integrator %d is %g m off\n", i, worst);
        assert_true(worst < 2e-5);
        sup_world_destroy(world);
    }
    sup_blueprint_release(print);
}

/* ---- Hands ---- */

static void edits_obey(void** state) {
    (void)state;
    sup_blueprint* print = bulging_of(4, SUP_CLUSTERS_NONE, false);
    sup_world* world = make_weightless_world();
    sup_body_def def = body_at(print, 0, 0, 0);
    def.locked = SUP_AXIS_Z;
    def.angular_velocity[2] = 1.0;
    sup_body body = add_body(world, &def);
    state_of s = read_state(world, body);
    for (int32_t i = 0; i < s.count; i++) {
        s.x[i].z += 0.5;
        s.v[i].z = 2.0f;
    }
    sup_error error = {0};
    assert_ok(sup_body_write_particles(world, body, s.x, s.v, &error), error);
    state_of first = read_state(world, body);
    assert_true(fabs(first.x[0].z - s.x[0].z) < 1e-6 && first.v[0].z == 0.0f);
    take_steps(world, 3);
    check_locked_z(world, body, &first);
    const double quarter[4] = {sqrt(0.5), 0, 0, sqrt(0.5)};
    assert_ok(sup_body_teleport(world, body, (double[3]){0, 0, 1}, quarter, &error), error);
    first = read_state(world, body);
    assert_true(first.v[0].z == 0.0f && first.v[3].x != 0.0f);
    take_steps(world, 3);
    check_locked_z(world, body, &first);
    sup_world_destroy(world);
    sup_blueprint_release(print);
}

static void locks_are_state(void** state) {
    (void)state;
    sup_blueprint* print = bulging_of(4, SUP_CLUSTERS_NONE, false);
    sup_world* worlds[2];
    uint64_t hashes[2];
    sup_body body;
    for (int i = 0; i < 2; i++) {
        worlds[i] = make_rough_world();
        sup_body_def def = body_at(print, 0, 0.2, 0);
        def.locked = i ? SUP_AXIS_Z : 0;
        body = add_body(worlds[i], &def);
        hashes[i] = sup_world_hash(worlds[i]);
    }
    assert_true(hashes[0] != hashes[1]);
    take_steps(worlds[1], 5);
    sup_bytes bytes;
    sup_error error = {0};
    assert_ok(sup_world_save(worlds[1], &bytes, &error), error);
    assert_ok(sup_world_restore(worlds[0], bytes.data, bytes.size, &error), error);
    sup_bytes_free(&bytes);
    state_of first = read_state(worlds[0], body);
    for (int i = 0; i < 2; i++) take_steps(worlds[i], 20);
    assert_true(sup_world_hash(worlds[0]) == sup_world_hash(worlds[1]));
    check_locked_z(worlds[0], body, &first);
    for (int i = 0; i < 2; i++) sup_world_destroy(worlds[i]);
    sup_blueprint_release(print);
}

static void nonsense_is_refused(void** state) {
    (void)state;
    static const struct {
        int32_t locked;
        double velocity[3], spin[3];
        const char* text;
    } refusals[] = {
        {8, {0}, {0}, "locked must be a sum of SUP_AXIS_X, SUP_AXIS_Y and SUP_AXIS_Z"},
        {-1, {0}, {0}, "locked must be a sum of SUP_AXIS_X, SUP_AXIS_Y and SUP_AXIS_Z"},
        {7, {0}, {0}, "a body with all three axes locked could not move: pause it"},
        {4, {1, 0, 1}, {0}, "the velocity along z must be 0, as that axis is locked"},
        {4,
         {0},
         {0, 1, 0},
         "the angular velocity about y must be 0, as an axis across it is locked"},
        {3,
         {0},
         {0, 0, 1},
         "the angular velocity about z must be 0, as an axis across it is locked"},
    };
    sup_blueprint* print = bulging_of(4, SUP_CLUSTERS_NONE, false);
    sup_world* world = make_world(NULL);
    for (size_t i = 0; i < sizeof refusals / sizeof *refusals; i++) {
        sup_body_def def = body_at(print, 0, 0, 0);
        sup_error error = {0};
        def.locked = refusals[i].locked;
        memcpy(def.velocity, refusals[i].velocity, sizeof def.velocity);
        memcpy(def.angular_velocity, refusals[i].spin, sizeof def.velocity);
        assert_int_equal(sup_body_create(world, &def, NULL, &error), SUP_BAD_ARGUMENT);
        assert_string_equal(error.text, refusals[i].text);
    }
    sup_world_destroy(world);
    sup_blueprint_release(print);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_integrator_obeys),
        cmocka_unit_test(limits_and_terms_obey),
        cmocka_unit_test(clusters_obey),
        cmocka_unit_test(the_rest_is_as_without),
        cmocka_unit_test(others_axes_fall_freely),
        cmocka_unit_test(twins_agree),
        cmocka_unit_test(edits_obey),
        cmocka_unit_test(locks_are_state),
        cmocka_unit_test(nonsense_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
