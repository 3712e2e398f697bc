/* Overlap and nearest particles against slow answers in double. */
#include "world/answers.h"

/* Particles of the surface have a contact radius, those inside have none. */
static double radius_of(const sup_blueprint* print, int32_t id) {
    sup_blueprint_info info = sup_blueprint_get_info(print);
    return id < info.surface_particle_count ? (double)(float)info.radius : 0.0;
}

/* The least gap between a place and the particles of a body. */
static double gap_to_body(const sup_world* world, sup_body body, const double place[3], bool thick,
                          int32_t* id) {
    const sup_blueprint* print = sup_body_blueprint(world, body);
    swarm s = read_swarm(world, body);
    double least = (double)INFINITY;
    for (int32_t i = 0; i < s.count; i++) {
        const double x[3] = {s.x[i].x, s.x[i].y, s.x[i].z};
        double gap = distance_of(x, place) - (thick ? radius_of(print, i) : 0.0);
        if (gap >= least) continue;
        least = gap;
        *id = i;
    }
    free_swarm(&s);
    return least;
}

enum { BODIES = 6, COLLIDERS = 7 };

typedef struct garden {
    sup_world* world;
    sup_blueprint* prints[2];
    sup_body bodies[BODIES];
    sup_collider colliders[COLLIDERS];
    sup_collider_def defs[COLLIDERS];
    double middle[3];
} garden;

static void add_garden_bodies(garden* g, dice* d) {
    g->prints[0] = ball_of(0.4, 2, filled(0.15));
    g->prints[1] = box_of((double[3]){0.5, 0.3, 0.4}, 3, sup_blueprint_default());
    for (int i = 0; i < BODIES; i++) {
        double at[3];
        for (int k = 0; k < 3; k++) at[k] = g->middle[k] + 1.5 * dice_roll(d);
        sup_body_def def = body_at(g->prints[i % 2], at[0], at[1], at[2]);
        dice_turn(d, def.rotation);
        def.filter.category = 1u << i;
        g->bodies[i] = add_body(g->world, &def);
    }
}

/* One of each kind and one inverted; the mesh is a box, the heights are flat and wide. */
static void add_garden_colliders(garden* g, dice* d) {
    const float flat[4] = {0, 0, 0, 0};
    for (int i = 0; i < COLLIDERS; i++) {
        sup_collider_def def = sup_collider_default();
        sup_mesh mesh = {0};
        double size[3];
        def.kind = i < 6 ? (sup_collider_kind)i : SUP_COLLIDER_SPHERE;
        def.inverted = i == 6;
        def.radius = i == 6 ? 2.5 : 0.3;
        for (int k = 0; k < 3; k++) {
            def.half_size[k] = 0.2 + 0.1 * k;
            size[k] = 2 * def.half_size[k];
            def.position[k] = g->middle[k] + (i == 6 ? 0.0 : 1.5 * dice_roll(d));
        }
        dice_turn(d, def.rotation);
        assert_int_equal(sup_mesh_box(NULL, size, (int32_t[3]){2, 2, 2}, &mesh, NULL), SUP_OK);
        def.mesh = &mesh;
        def.heights = flat;
        def.height_count[0] = def.height_count[1] = 2;
        def.height_step[0] = def.height_step[1] = 100;
        g->colliders[i] = add_collider(g->world, &def);
        g->defs[i] = def;
        sup_mesh_free(&mesh);
    }
}

static garden make_garden(double x, double y, double z) {
    garden g = {.world = make_weightless_world(), .middle = {x, y, z}};
    dice d = {21};
    add_garden_bodies(&g, &d);
    add_garden_colliders(&g, &d);
    return g;
}

static void free_garden(garden* g) {
    sup_world_destroy(g->world);
    for (int i = 0; i < 2; i++) sup_blueprint_release(g->prints[i]);
}

/* ---- Overlap ---- */

static void check_body_hit(const garden* g, int index, const double centre[3], const sup_hit* hit) {
    int32_t id = -1;
    double gap = gap_to_body(g->world, g->bodies[index], centre, true, &id), foot[3];
    assert_memory_equal(&hit->body, &g->bodies[index], sizeof hit->body);
    assert_int_equal(hit->collider.slot, 0);
    assert_int_equal(hit->particle, id);
    assert_below(fabs(hit->distance - gap), 1e-11);
    for (int k = 0; k < 3; k++) foot[k] = centre[k] - hit->distance * hit->normal[k];
    assert_below(distance_of(foot, hit->point), 1e-9);
}

static void check_collider_hit(const garden* g, int index, const double centre[3],
                               const sup_hit* hit) {
    const sup_collider_def* def = &g->defs[index];
    assert_memory_equal(&hit->collider, &g->colliders[index], sizeof hit->collider);
    assert_int_equal(hit->body.slot, 0);
    assert_int_equal(hit->particle, -1);
    assert_below(fabs(hit->distance - distance_to(def, centre)), 3e-6);
    assert_below(fabs(distance_to(def, hit->point)), 3e-6);
    assert_below(fabs(length_of(hit->normal) - 1), 1e-9);
}

/* Every one that is clearly inside must be there, nobody that is clearly outside. */
static void check_overlap(const garden* g, const double centre[3], double radius, int counts[2]) {
    sup_hit hits[BODIES + COLLIDERS];
    int32_t count =
        sup_world_overlap_sphere(g->world, centre, radius, ALL, hits, BODIES + COLLIDERS);
    int32_t next = 0, id;
    for (int i = 0; i < BODIES; i++) {
        if (gap_to_body(g->world, g->bodies[i], centre, true, &id) > radius) continue;
        assert_true(next < count);
        check_body_hit(g, i, centre, &hits[next++]);
        counts[0]++;
    }
    for (int i = 0; i < COLLIDERS; i++) {
        bool there = next < count && hits[next].collider.slot == g->colliders[i].slot;
        double gap = distance_to(&g->defs[i], centre);
        if (fabs(gap - radius) > 3e-6) assert_int_equal(there, gap < radius);
        if (!there) continue;
        check_collider_hit(g, i, centre, &hits[next++]);
        counts[1]++;
    }
    assert_int_equal(next, count);
}

static void overlap_is_that_of_brute_force(void** state) {
    (void)state;
    const double places[2][3] = {{0, 0, 0}, {10000, 10000, -10000}};
    for (int where = 0; where < 2; where++) {
        garden g = make_garden(places[where][0], places[where][1], places[where][2]);
        uint64_t hash = sup_world_hash(g.world);
        dice d = {31};
        int counts[2] = {0, 0};
        for (int i = 0; i < 2000; i++) {
            double centre[3];
            for (int k = 0; k < 3; k++) centre[k] = g.middle[k] + 2 * dice_roll(&d);
            check_overlap(&g, centre, i % 10 == 0 ? 0.0 : 0.5 + 0.5 * dice_roll(&d), counts);
        }

        assert_true(counts[0] > 300 && counts[1] > 300);
        assert_int_equal(sup_world_hash(g.world), hash);
        free_garden(&g);
    }
}

static void overlap_counts_beyond_its_capacity(void** state) {
    (void)state;
    garden g = make_garden(0, 0, 0);
    sup_hit hits[BODIES + COLLIDERS] = {{.particle = 77}, {.particle = 78}, {.particle = 79}};
    int32_t all = sup_world_overlap_sphere(g.world, g.middle, 100, ALL, NULL, 0);
    assert_int_equal(all, BODIES + COLLIDERS);
    assert_int_equal(sup_world_overlap_sphere(g.world, g.middle, 100, ALL, hits, 2), all);
    assert_int_equal(hits[2].particle, 79);
    assert_memory_equal(&hits[1].body, &g.bodies[1], sizeof hits[1].body);

    /* Bodies 0 to 5 have the categories 1 to 32, colliders all have 1. */
    assert_int_equal(sup_world_overlap_sphere(g.world, g.middle, 100, (sup_filter){1, 0x34}, hits,
                                              BODIES + COLLIDERS),
                     3);
    assert_memory_equal(&hits[0].body, &g.bodies[2], sizeof hits[0].body);
    assert_int_equal(sup_world_overlap_sphere(g.world, g.middle, 100, (sup_filter){0, UINT32_MAX},
                                              hits, BODIES + COLLIDERS),
                     0);

    /* Sensors are not there for questions; who is gone is not found. */
    sup_collider_def sensor = g.defs[SUP_COLLIDER_BOX];
    sensor.sensor = true;
    add_collider(g.world, &sensor);
    assert_int_equal(sup_body_destroy(g.world, g.bodies[0]), SUP_OK);
    assert_int_equal(sup_collider_destroy(g.world, g.colliders[2]), SUP_OK);
    assert_int_equal(
        sup_world_overlap_sphere(g.world, g.middle, 100, ALL, hits, BODIES + COLLIDERS), all - 2);
    for (int32_t i = 0; i < all - 2; i++) {
        bool body = i < BODIES - 1;
        int index = i + 1 - (body ? 0 : BODIES) + (!body && i + 1 - BODIES >= 2);
        if (body) {
            assert_memory_equal(&hits[i].body, &g.bodies[index], sizeof hits[i].body);
        } else {
            assert_memory_equal(&hits[i].collider, &g.colliders[index], sizeof hits[i].collider);
        }
    }
    free_garden(&g);
}

/* An open mesh has two outsides. */
static void sheets_are_reached_from_both_sides(void** state) {
    (void)state;
    sup_world* world = make_world(NULL);
    sup_mesh mesh;
    sup_collider_def def = sup_collider_default();
    sup_hit hit;
    assert_int_equal(sup_mesh_grid(NULL, 2, 2, 3, 3, &mesh, NULL), SUP_OK);
    def.kind = SUP_COLLIDER_MESH;
    def.mesh = &mesh;
    add_collider(world, &def);
    for (int side = -1; side <= 1; side += 2) {
        const double centre[3] = {0.2, 0.5 * side, 0.3};
        assert_int_equal(sup_world_overlap_sphere(world, centre, 0.49, ALL, &hit, 1), 0);
        assert_int_equal(sup_world_overlap_sphere(world, centre, 0.51, ALL, &hit, 1), 1);
        assert_below(fabs(hit.distance - 0.5), 1e-6);
        assert_below(distance_of(hit.point, (double[3]){0.2, 0, 0.3}), 1e-6);
        assert_below(distance_of(hit.normal, (double[3]){0, side, 0}), 1e-6);
    }
    sup_mesh_free(&mesh);
    sup_world_destroy(world);
}

/* A collider counts where it is now, not where the last step saw it. */
static void colliders_are_met_where_they_are(void** state) {
    (void)state;
    const double upright[4] = {0, 0, 0, 1}, there[3] = {5, 0, 0}, origin[3] = {0, 0, 0};
    sup_world* world = make_world(NULL);
    sup_collider_def def = sup_collider_default();
    def.kind = SUP_COLLIDER_BOX;
    sup_collider box = add_collider(world, &def);
    sup_hit hit;
    assert_int_equal(sup_world_overlap_sphere(world, origin, 0.1, ALL, &hit, 1), 1);
    assert_int_equal(sup_collider_move(world, box, there, upright, NULL), SUP_OK);
    assert_int_equal(sup_world_overlap_sphere(world, origin, 0.1, ALL, &hit, 1), 1);
    take_steps(world, 1);
    assert_int_equal(sup_world_overlap_sphere(world, origin, 0.1, ALL, &hit, 1), 0);
    assert_int_equal(sup_world_overlap_sphere(world, there, 0.1, ALL, &hit, 1), 1);
    assert_true(sup_world_cast_ray(world, origin, there, ALL, &hit));
    assert_below(fabs(hit.distance - 4.5), 1e-9);
    assert_int_equal(sup_collider_place(world, box, origin, upright, NULL), SUP_OK);
    assert_int_equal(sup_world_overlap_sphere(world, origin, 0.1, ALL, &hit, 1), 1);
    sup_world_destroy(world);
}

/* ---- Nearest ---- */

static void nearest_particle_is_that_of_brute_force(void** state) {
    (void)state;
    garden g = make_garden(-10000, 3, 10000);
    uint64_t hash = sup_world_hash(g.world);
    dice d = {41};
    int found_count = 0;
    for (int i = 0; i < 2000; i++) {
        double point[3], least = (double)INFINITY, most = 0.5 + 0.5 * dice_roll(&d);
        int32_t id = -1, body = -1;
        sup_filter filter = {1, i % 3 == 0 ? 0x15u : UINT32_MAX};
        for (int k = 0; k < 3; k++) point[k] = g.middle[k] + 2 * dice_roll(&d);
        for (int b = 0; b < BODIES; b++) {
            int32_t one = -1;
            double gap = gap_to_body(g.world, g.bodies[b], point, false, &one);
            if (!(filter.mask & 1u << b) || gap >= least) continue;
            least = gap;
            id = one;
            body = b;
        }
        sup_hit hit;
        bool found = sup_world_nearest_particle(g.world, point, most, filter, &hit);
        if (fabs(least - most) > 1e-9) assert_int_equal(found, least <= most);
        if (!found) continue;
        found_count++;
        assert_memory_equal(&hit.body, &g.bodies[body], sizeof hit.body);
        assert_int_equal(hit.particle, id);
        assert_below(fabs(hit.distance - least), 1e-11);
        assert_below(fabs(distance_of(hit.point, point) - least), 1e-9);
    }
    assert_true(found_count > 300 && found_count < 1900);
    assert_int_equal(sup_world_hash(g.world), hash);
    free_garden(&g);
}

/* A corner of the box is at (1, 1, 1), with a contact radius of 0.25. */
static void exactly_as_far_as_asked_for_is_near(void** state) {
    (void)state;
    sup_world* world = make_weightless_world();
    sup_blueprint_def recipe = sup_blueprint_default();
    recipe.radius = 0.25;
    sup_blueprint* print = box_of((double[3]){2, 2, 2}, 1, recipe);
    sup_body_def def = body_at(print, 0, 0, 0);
    add_body(world, &def);
    const double corner[3] = {1, 1, 1}, asked[3] = {1, 1, 4};
    sup_hit hit;
    assert_true(sup_world_nearest_particle(world, asked, 3.0, ALL, &hit));
    assert_true(hit.distance == 3 && hit.normal[2] == 1 && hit.point[2] == 1);
    assert_false(sup_world_nearest_particle(world, asked, 2.999999, ALL, &hit));
    assert_true(sup_world_nearest_particle(world, corner, 0.0, ALL, &hit));
    assert_true(hit.distance == 0 && hit.normal[1] == 1);
    assert_int_equal(sup_world_overlap_sphere(world, asked, 2.75, ALL, &hit, 1), 1);
    assert_true(hit.distance == 2.75 && hit.point[2] == 1.25);
    assert_int_equal(sup_world_overlap_sphere(world, asked, 2.7499, ALL, &hit, 1), 0);
    assert_int_equal(sup_world_overlap_sphere(world, corner, 0.0, ALL, &hit, 1), 1);
    assert_true(hit.distance == -0.25);
    sup_world_destroy(world);
    sup_blueprint_release(print);
}

static void senseless_questions_find_nothing(void** state) {
    (void)state;
    garden g = make_garden(0, 0, 0);
    const double bad[] = {(double)NAN, (double)INFINITY, -(double)INFINITY, -1.0, 1e300};
    sup_hit hit;
    for (int i = 0; i < 5; i++) {
        for (int k = 0; k < 3 && i != 3; k++) {
            double place[3] = {0, 0, 0};
            place[k] = bad[i];
            assert_int_equal(sup_world_overlap_sphere(g.world, place, 1, ALL, &hit, 1), 0);
            assert_false(sup_world_nearest_particle(g.world, place, 1e9, ALL, &hit));
        }
        bool huge = i == 4; /* but finite: everything is near */
        int32_t count = sup_world_overlap_sphere(g.world, g.middle, bad[i], ALL, &hit, 1);
        assert_int_equal(count > 0, huge);
        assert_int_equal(sup_world_nearest_particle(g.world, g.middle, bad[i], ALL, &hit), huge);
    }
    free_garden(&g);

    sup_world* empty = make_world(NULL);
    const double origin[3] = {0, 0, 0}, down[3] = {0, -1, 0};
    assert_false(sup_world_cast_ray(empty, origin, down, ALL, &hit));
    assert_false(sup_world_nearest_particle(empty, origin, 1e9, ALL, &hit));
    assert_int_equal(sup_world_overlap_sphere(empty, origin, 1e9, ALL, &hit, 1), 0);
    sup_world_destroy(empty);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(overlap_is_that_of_brute_force),
        cmocka_unit_test(overlap_counts_beyond_its_capacity),
        cmocka_unit_test(sheets_are_reached_from_both_sides),
        cmocka_unit_test(colliders_are_met_where_they_are),
        cmocka_unit_test(nearest_particle_is_that_of_brute_force),
        cmocka_unit_test(exactly_as_far_as_asked_for_is_near),
        cmocka_unit_test(senseless_questions_find_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
