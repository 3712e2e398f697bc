/* Bodies from clouds: what the drawn spheres touch, particles touch too. */
#include "world/yard.h"

#include "supple/snapshot.h"

/* A lattice of 5 x 5 x 5 points 0.1 m apart: radius 0.05 m. */
static sup_blueprint* cloud_of(sup_blueprint_def def) {
    sup_vec3 points[125];
    make_lattice(5, 5, 5, (double[3]){0.1, 0.1, 0.1}, points);
    sup_mesh mesh;
    assert_int_equal(sup_mesh_create(NULL, 125, points, 0, NULL, NULL, &mesh, NULL), SUP_OK);
    def.mass = 10;
    return blueprint_of(&mesh, def);
}

static double lowest(const sup_world* world, sup_body body) {
    double low[3], high[3];
    assert_int_equal(sup_body_bounds(world, body, low, high), SUP_OK);
    return low[1];
}

/* The lowest centres are a radius and the thickness above the floor. */
static void spheres_lie_on_the_floor(void** state) {
    (void)state;
    static const sup_match_mode modes[] = {SUP_MATCH_RIGID, SUP_MATCH_LINEAR, SUP_MATCH_QUADRATIC};
    for (int i = 0; i < 3; i++) {
        sup_world* world = make_world(NULL);
        add_floor(world);
        sup_blueprint* print = cloud_of(sup_blueprint_default());
        sup_body_def def = body_at(print, 0, 0.4, 0);
        def.material.mode = modes[i];
        sup_body body = add_body(world, &def);
        take_steps(world, 240);
        assert_below(fabs(lowest(world, body) - 0.052), 0.003);
        assert_true(sup_body_is_asleep(world, body));
        sup_blueprint_release(print);
        sup_world_destroy(world);
    }
}

/* In a room it keeps the same from every wall, also where three meet and one sweep must do. */
static void spheres_stay_in_a_box(void** state) {
    (void)state;
    sup_world_def once = sup_world_default();
    once.sweeps = 1;
    for (int k = 0; k < 3; k++) once.gravity[k] = -60 - 10 * k;
    sup_world* world = make_world(&once);
    sup_collider_def room = sup_collider_default();
    room.kind = SUP_COLLIDER_BOX;
    room.inverted = true;
    for (int k = 0; k < 3; k++) room.half_size[k] = 0.4;
    add_collider(world, &room);
    sup_blueprint* print = cloud_of(sup_blueprint_default());
    sup_body_def def = body_at(print, 0, 0, 0);
    sup_body body = add_body(world, &def);
    for (int i = 0; i < 120; i++) {
        double low[3], high[3];
        take_steps(world, 1);
        assert_int_equal(sup_body_bounds(world, body, low, high), SUP_OK);
        for (int k = 0; k < 3; k++) {
            assert_above(low[k], -0.3483);
            assert_below(high[k], 0.3483);
        }
    }
    sup_blueprint_release(print);
    sup_world_destroy(world);
}

/* One on the other: two radii between centres. */
static void clouds_meet(void** state) {
    (void)state;
    sup_world* world = make_world(NULL);
    add_floor(world);
    sup_blueprint* print = cloud_of(sup_blueprint_default());
    sup_body_def def = body_at(print, 0, 0.3, 0);
    add_body(world, &def);
    def.position[1] = 0.9;
    sup_body upper = add_body(world, &def);
    take_steps(world, 240);
    assert_below(fabs(lowest(world, upper) - (0.052 + 0.4 + 0.1)), 0.02);
    sup_blueprint_release(print);
    sup_world_destroy(world);
}

/* The point of a contact is between sphere and floor. */
static void contacts_are_below_the_spheres(void** state) {
    (void)state;
    sup_world* world = make_wakeful_world();
    add_floor(world);
    sup_blueprint* print = cloud_of(sup_blueprint_default());
    sup_body_def def = body_at(print, 0, 0.26, 0);
    add_body(world, &def);
    take_steps(world, 120);
    sup_contact contacts[64];
    int32_t count = sup_world_contacts(world, contacts, 64);
    assert_true(count > 0 && count <= 64);
    for (int32_t i = 0; i < count; i++) {
        assert_below(fabs(contacts[i].point[1] - 0.001), 0.001);
    }
    sup_blueprint_release(print);
    sup_world_destroy(world);
}

static void rays_meet_spheres(void** state) {
    (void)state;
    sup_world* world = make_weightless_world();
    sup_blueprint* print = cloud_of(sup_blueprint_default());
    sup_body_def def = body_at(print, 0, 0, 0);
    add_body(world, &def);
    sup_hit hit;
    const sup_filter all = {~0u, ~0u};
    const double from[3] = {0, 0, -2}, way[3] = {0, 0, 4}, beside[3] = {0.28, 0, -2};
    assert_true(sup_world_cast_ray(world, from, way, all, &hit));
    assert_near(hit.distance, 2 - 0.2 - 0.05, 1e-5);
    assert_false(sup_world_cast_ray(world, beside, way, all, &hit));
    sup_blueprint_release(print);
    sup_world_destroy(world);
}

/* A snapshot goes on as the world it was taken from. */
static void snapshots_hold_clouds(void** state) {
    (void)state;
    sup_world *one = make_world(NULL), *two = make_world(NULL);
    add_floor(one);
    sup_blueprint_def cubes = sup_blueprint_default();
    cubes.layout = SUP_CLUSTERS_CUBES;
    cubes.cube = 0.25;
    sup_blueprint* print = cloud_of(cubes);
    sup_body_def def = body_at(print, 0, 0.5, 0);
    sup_body body = add_body(one, &def);
    take_steps(one, 15);
    sup_error error = {0};
    sup_bytes bytes;
    assert_ok(sup_world_save(one, &bytes, &error), error);
    assert_ok(sup_world_restore(two, bytes.data, bytes.size, &error), error);
    sup_bytes_free(&bytes);
    take_steps(one, 60);
    take_steps(two, 60);
    assert_true(sup_world_hash(one) == sup_world_hash(two));
    assert_below(fabs(lowest(two, body) - 0.052), 0.01);
    sup_blueprint_release(print);
    sup_world_destroy(one);
    sup_world_destroy(two);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(spheres_lie_on_the_floor),
        cmocka_unit_test(spheres_stay_in_a_box),
        cmocka_unit_test(clouds_meet),
        cmocka_unit_test(contacts_are_below_the_spheres),
        cmocka_unit_test(rays_meet_spheres),
        cmocka_unit_test(snapshots_hold_clouds),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
