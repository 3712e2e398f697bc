/* Bodies that meet each other and the ground: momentum, energy, penetration, friction, bounce,
   rest. */
#include "world/world.h"
#include "world/yard.h"

#include "geom/triangle.h"

#define PI 3.14159265358979323846

/* ---- How deep is one body in another? ---- */

/* The drawn surface as it is now. */
static sup_mesh deformed_surface(const sup_world* world, sup_body body) {
    const sup_blueprint* print = sup_body_blueprint(world, body);
    sup_blueprint_info info = sup_blueprint_get_info(print);
    const int32_t *starts, *corners;
    sup_blueprint_get_surface(print, &starts, &corners);
    sup_vec3* vertices = calloc((size_t)info.vertex_count, sizeof *vertices);
    assert_int_equal(sup_body_read_vertices(world, body, NULL, vertices), SUP_OK);
    sup_mesh mesh;
    assert_int_equal(sup_mesh_create(NULL, info.vertex_count, vertices, info.polygon_count, starts,
                                     corners, &mesh, NULL),
                     SUP_OK);
    free(vertices);
    return mesh;
}

static double distance_to_mesh(const sup_mesh* mesh, const double p[3]) {
    double least = 1e30;
    for (int32_t k = 0; k < mesh->polygon_count; k++) {
        const int32_t* corner = mesh->corners + mesh->starts[k];
        for (int32_t i = 1; i + 1 < mesh->starts[k + 1] - mesh->starts[k]; i++) {
            const sup_vec3* points = mesh->points;
            supi_triangle t =
                supi_triangle_from(points + corner[0], points + corner[i], points + corner[i + 1]);
            double d = sqrt(supi_triangle_distance2(&t, p));
            least = d < least ? d : least;
        }
    }
    return least;
}

/* The deepest particle of `guest` inside the surface of `host`, m; 0 where none is. */
static double depth_inside(const sup_world* world, sup_body guest, sup_body host) {
    double low[3], high[3], deepest = 0;
    assert_int_equal(sup_body_bounds(world, host, low, high), SUP_OK);
    sup_mesh mesh = deformed_surface(world, host);
    swarm s = read_swarm(world, guest);
    for (int32_t i = 0; i < s.count; i++) {
        double p[3] = {s.x[i].x, s.x[i].y, s.x[i].z};
        bool near = true;
        for (int k = 0; k < 3; k++) near = near && p[k] > low[k] && p[k] < high[k];
        if (!near || sup_mesh_winding(&mesh, p) < 0.5) continue;
        double depth = distance_to_mesh(&mesh, p);
        deepest = depth > deepest ? depth : deepest;
    }
    free_swarm(&s);
    sup_mesh_free(&mesh);
    return deepest;
}

static double worst_depth(const sup_world* world, sup_body a, sup_body b) {
    double one = depth_inside(world, a, b), other = depth_inside(world, b, a);
    return one > other ? one : other;
}

/* ---- Two bodies in free flight ---- */

typedef struct meeting {
    double momentum;     /* change as a share of sum m |v| */
    double depth;        /* deepest of all frames, in radii */
    double energy, peak; /* kinetic and elastic after / before, and the largest of all frames */
    double apart;        /* m/s at the end along the line of centres, positive: they part */
    bool met;
} meeting;

static meeting let_meet(sup_blueprint* left, sup_blueprint* right, double speed, double offset) {
    sup_world* world = make_weightless_world();
    sup_body_def def = body_at(left, -0.7, 0, 0);
    def.velocity[0] = speed;
    sup_body a = add_body(world, &def);
    def = body_at(right, 0.7, offset, 0.3 * offset);
    def.velocity[0] = -speed;
    sup_body b = add_body(world, &def);
    sup_blueprint_info info = sup_blueprint_get_info(left);
    sup_measures before = sup_world_measure(world);
    double scale = (info.mass + sup_blueprint_get_info(right).mass) * speed;
    meeting m = {.met = false};
    int32_t frames = (int32_t)(1.4 / speed * 60.0) + 30;
    for (int32_t i = 0; i < frames; i++) {
        take_steps(world, 1);
        sup_measures now = sup_world_measure(world);
        double change[3];
        for (int k = 0; k < 3; k++) change[k] = (now.momentum[k] - before.momentum[k]) / scale;
        m.momentum = fmax(m.momentum, length_of(change));
        m.peak = fmax(m.peak, (now.kinetic + now.elastic) / before.kinetic);
        m.depth = fmax(m.depth, worst_depth(world, a, b) / info.radius);
        m.energy = (now.kinetic + now.elastic) / before.kinetic;
        m.met = m.met || now.contact_count > 0;
    }
    double xa[3], va[3], xb[3], vb[3], line = 0;
    centre_of(world, a, xa, va);
    centre_of(world, b, xb, vb);
    for (int k = 0; k < 3; k++) line += (xb[k] - xa[k]) * (vb[k] - va[k]);
    m.apart = line / distance_of(xa, xb);
    sup_world_destroy(world);
    return m;
}

static void bodies_bounce_off_each_other(void** state) {
    (void)state;
    sup_blueprint* ball = ball_of(0.3, 2, filled(0.12));
    sup_blueprint* box = box_of((double[3]){0.5, 0.5, 0.5}, 4, filled(0.12));
    sup_blueprint* pairs[3][2] = {{ball, ball}, {ball, box}, {box, box}};
    for (int i = 0; i < 3; i++) {
        for (int k = 0; k < 4; k++) {
            meeting m = let_meet(pairs[i][0], pairs[i][1], k < 2 ? 2 : 5, k % 2 ? 0.25 : 0);
            assert_true(m.met);
            assert_below(m.momentum, 1e-5);
            assert_below(m.depth, 1.0);
            assert_below(m.peak, 1.05);
            assert_below(m.energy, 1.05);
            assert_above(m.apart, 0.5);
        }
    }
    sup_blueprint_release(ball);
    sup_blueprint_release(box);
}

/* Bodies made inside each other part by their own spring, without a burst. */
static void old_overlap_opens_slowly(void** state) {
    (void)state;
    sup_world* world = make_weightless_world();
    sup_blueprint* ball = ball_of(0.3, 2, filled(0.12));
    sup_body_def def = body_at(ball, 0, 0, 0);
    sup_body a = add_body(world, &def);
    def.position[0] = 0.45;
    sup_body b = add_body(world, &def);
    assert_above(worst_depth(world, a, b), 0.1);
    for (int32_t i = 0; i < 120; i++) {
        take_steps(world, 1);
        assert_below(sup_world_measure(world).top_speed, 5.0); /* 11 if all of it became speed */
    }
    assert_true(worst_depth(world, a, b) == 0.0);
    assert_below(sup_world_measure(world).deepest_share, 0.1);
    sup_blueprint_release(ball);
    sup_world_destroy(world);
}

/* ---- On an incline ---- */

static sup_material stiff(double friction_static, double friction_kinetic) {
    sup_material m = sup_body_default().material;
    m.stiffness = 300;
    m.damping = 0.3;
    m.friction_static = friction_static;
    m.friction_kinetic = friction_kinetic;
    return m;
}

/* How far a block has slid after each second, 0..5. */
static void slide(sup_blueprint* block, double friction_static, double friction_kinetic,
                  double moved[6]) {
    sup_world* world = make_world(NULL);
    double tilt = 20.0 / 180.0 * PI;
    sup_collider_def plane = sup_collider_default();
    plane.rotation[2] = sin(tilt / 2);
    plane.rotation[3] = cos(tilt / 2);
    plane.friction_static = friction_static;
    plane.friction_kinetic = friction_kinetic;
    add_collider(world, &plane);
    double height = 0.2021;
    sup_body_def def = body_at(block, -sin(tilt) * height, cos(tilt) * height, 0);
    memcpy(def.rotation, plane.rotation, sizeof def.rotation);
    def.material = stiff(friction_static, friction_kinetic);
    sup_body body = add_body(world, &def);
    double start[3], now[3];
    for (int i = 0; i < 6; i++) {
        if (i > 0) take_steps(world, 60);
        centre_of(world, body, now, NULL);
        if (i == 0) memcpy(start, now, sizeof start);
        moved[i] = distance_of(start, now);
    }
    sup_world_destroy(world);
}

static void blocks_hold_and_slide(void** state) {
    (void)state;
    const double size[3] = {0.4, 0.4, 0.4};
    sup_blueprint* blocks[2] = {box_of(size, 4, filled(0.1)), box_of(size, 4, in_cubes(0.1, 0.25))};
    for (int i = 0; i < 2; i++) {
        double moved[6];
        slide(blocks[i], 0.5, 0.4, moved); /* tan 20 degrees is 0.36 */
        assert_below(fabs(moved[5] - moved[1]), 1e-3);
        slide(blocks[i], 0.2, 0.2, moved); /* g (sin 20 - 0.2 cos 20) */
        assert_near((moved[5] - 2 * moved[3] + moved[1]) / 4.0, 1.512, 0.02);
        sup_blueprint_release(blocks[i]);
    }
}

/* How fast a rigid block is after 2 s on a slope, friction 0.5 at rest and 0.4 sliding. */
static double speed_on_slope(sup_blueprint* block, double degrees) {
    sup_world* world = make_world(NULL);
    double tilt = degrees / 180.0 * PI, height = 0.103;
    sup_collider_def plane = sup_collider_default();
    plane.rotation[2] = sin(tilt / 2);
    plane.rotation[3] = cos(tilt / 2);
    add_collider(world, &plane);
    sup_body_def def = body_at(block, -sin(tilt) * height, cos(tilt) * height, 0);
    memcpy(def.rotation, plane.rotation, sizeof def.rotation);
    def.material.rule = SUP_STIFFNESS_RIGID;
    add_body(world, &def);
    take_steps(world, 120);
    double speed = sup_world_measure(world).top_speed;
    sup_world_destroy(world);
    return speed;
}

/* Static friction holds to atan 0.5 = 26.6 degrees, sliding friction alone to 21.8. */
static void static_friction_holds_beyond_sliding_friction(void** state) {
    (void)state;
    const double size[3] = {0.5, 0.2, 0.5};
    sup_blueprint* block = box_of(size, 5, sup_blueprint_default());
    assert_below(speed_on_slope(block, 25.0), 1e-3);
    assert_true(speed_on_slope(block, 28.0) > 1.0);
    sup_blueprint_release(block);
}

/* ---- Bounce ---- */

/* An undamped body with full restitution keeps its energy: it gains none from the floor. */
static void elastic_bounces_add_no_energy(void** state) {
    (void)state;
    const double size[3] = {1, 1, 1};
    sup_blueprint* box = box_of(size, 4, sup_blueprint_default());
    sup_world* world = make_world(NULL);
    sup_collider_def floor = sup_collider_default();
    add_collider(world, &floor);
    sup_body_def def = body_at(box, 0, 2, 0);
    def.rotation[0] = 0.1;
    def.rotation[2] = 0.3;
    def.material.stiffness = 240;
    def.material.damping = 0;
    def.material.restitution = 1;
    add_body(world, &def);
    sup_measures m = sup_world_measure(world);
    double start = m.kinetic + m.potential + m.elastic, most = start;
    for (int i = 0; i < 600; i++) {
        take_steps(world, 1);
        m = sup_world_measure(world);
        double now = m.kinetic + m.potential + m.elastic;
        most = now > most ? now : most;
    }
    print_message("largest energy %.4f of the start\n", most / start);
    assert_below(most / start, 1.05);
    sup_world_destroy(world);
    sup_blueprint_release(box);
}

/* How high the lowest particle of a body comes after it was dropped from `drop`. */
static double bounce_height(sup_blueprint* print, const sup_material* material, double drop) {
    sup_world* world = make_world(NULL);
    sup_collider_def floor = sup_collider_default();
    double low[3], high[3], top = 0, before = 0;
    floor.position[1] = -floor.thickness;
    add_collider(world, &floor);
    sup_body_def def = body_at(print, 0, 0, 0);
    def.material = *material;
    sup_body body = add_body(world, &def);
    sup_body_bounds(world, body, low, high);
    sup_body_destroy(world, body);
    def.position[1] = drop - low[1];
    body = add_body(world, &def);
    bool landed = false;
    for (int32_t i = 0; i < 90; i++) {
        double v[3];
        take_steps(world, 1);
        sup_body_bounds(world, body, low, high);
        centre_of(world, body, NULL, v);
        landed = landed || v[1] > before;
        before = v[1];
        if (landed && low[1] > top) top = low[1];
    }
    sup_world_destroy(world);
    return top;
}

/* A single particle comes back to e^2 of the height; a body, which has its own give, never higher
   than it fell from. */
static void bounces(void** state) {
    (void)state;
    const sup_vec3 origin = {0, 0, 0};
    sup_blueprint_def def = sup_blueprint_default();
    sup_blueprint* point = NULL;
    def.points = &origin;
    def.point_count = 1;
    assert_int_equal(sup_blueprint_create(&def, &point, NULL), SUP_OK);
    sup_blueprint* ball = ball_of(0.2, 2, filled(0.1));
    sup_blueprint* box = box_of((double[3]){0.4, 0.4, 0.4}, 4, filled(0.1));
    for (int i = 0; i <= 5; i++) {
        sup_material material = sup_body_default().material;
        double e = material.restitution = 0.2 * i;
        assert_below(fabs(bounce_height(point, &material, 1.0) - e * e), 0.02);
        const double stiffness[] = {60, 120, 300};
        for (int k = 0; k < 3; k++) {
            material.stiffness = stiffness[k];
            assert_below(bounce_height(ball, &material, 1.0), 1.0);
            assert_below(bounce_height(box, &material, 1.0), 1.0);
        }
        material.rule = SUP_STIFFNESS_RIGID;
        assert_below(bounce_height(ball, &material, 1.0), 1.0);
        assert_below(bounce_height(box, &material, 1.0), 1.0);
    }
    sup_blueprint_release(point);
    sup_blueprint_release(ball);
    sup_blueprint_release(box);
}

/* ---- Rest ---- */

/* Three cubes, each 3 mm above the one below: equal ones, and ever smaller ones. */
static void stacks_come_to_rest(void** state) {
    (void)state;
    for (int shrink = 0; shrink < 2; shrink++) {
        sup_world* world = make_wakeful_world();
        sup_body top = {0};
        double ground = 0.005, mass = 0, start[3], end[3];
        add_floor(world);
        for (int i = 0; i < 3; i++) {
            double side = 0.4 - 0.04 * i * shrink;
            sup_blueprint* print = box_of((double[3]){side, side, side}, 4, filled(side / 4));
            sup_blueprint_info info = sup_blueprint_get_info(print);
            if (i > 0) ground += info.radius;
            sup_body_def def = body_at(print, 0, ground + side / 2, 0);
            def.material = stiff(0.5, 0.4);
            top = add_body(world, &def);
            ground += side + info.radius + 0.003;
            mass += info.mass;
            sup_blueprint_release(print);
        }
        centre_of(world, top, start, NULL);
        take_steps(world, 600);
        centre_of(world, top, end, NULL);
        sup_measures m = sup_world_measure(world);
        assert_true(m.contact_count > 30);
        assert_below(sqrt(2 * m.kinetic / mass), 2e-3);
        assert_below(m.deepest_share, 0.1);
        assert_below(fabs(end[0] - start[0]) + fabs(end[2] - start[2]), 2e-3);
        assert_below(start[1] - end[1], 0.04);
        sup_world_destroy(world);
    }
}

/* ---- Speed ---- */

/* A plate 0.2 m thick stops what comes at 10 and 20 m/s, in any attitude. */
static void plates_stop_fast_bodies(void** state) {
    (void)state;
    sup_blueprint* prints[3] = {ball_of(0.2, 2, filled(0.1)),
                                box_of((double[3]){0.3, 0.3, 0.3}, 4, in_cubes(0.1, 0.25)),
                                box_of((double[3]){0.6, 0.1, 0.1}, 3, sup_blueprint_default())};
    dice d = {3};
    for (int32_t i = 0; i < 36; i++) {
        sup_world* world = make_world(NULL);
        sup_collider_def plate = sup_collider_default();
        plate.kind = SUP_COLLIDER_BOX;
        plate.half_size[0] = plate.half_size[2] = 20.0;
        plate.half_size[1] = 0.1;
        add_collider(world, &plate);
        sup_body_def def = body_at(prints[i % 3], 0, 1, 0);
        dice_turn(&d, def.rotation);
        def.velocity[1] = i % 2 ? -10.0 : -20.0;
        sup_body body = add_body(world, &def);
        for (int32_t k = 0; k < 60; k++) {
            double low[3], high[3];
            take_steps(world, 1);
            sup_body_bounds(world, body, low, high);
            assert_above(low[1], 0.1);
        }
        sup_world_destroy(world);
    }
    for (int i = 0; i < 3; i++) sup_blueprint_release(prints[i]);
}

/* Resting particles are pushed up by their own body in every substep: that is no blow to bounce
 * from. */
static void bouncing_bodies_come_to_rest(void** state) {
    (void)state;
    sup_blueprint* ball = ball_of(0.3, 2, sup_blueprint_default());
    for (int i = 0; i < 3; i++) {
        sup_world* world = make_world(NULL);
        sup_collider_def floor = sup_collider_default();
        add_collider(world, &floor);
        sup_body_def def = body_at(ball, 0, 0.35, 0);
        def.material.stiffness = 200;
        def.material.restitution = 0.4 * i;
        add_body(world, &def);
        take_steps(world, 600);
        double speed = sup_world_measure(world).top_speed;
        print_message("restitution %.1f: %.2g m/s after 10 s\n", 0.4 * i, speed);
        assert_below(speed, 0.01);
        sup_world_destroy(world);
    }
    sup_blueprint_release(ball);
}

/* A body whose surface has no weight follows itself and pushes nobody. */
static void weightless_surfaces_do_not_push(void** state) {
    (void)state;
    sup_mesh mesh;
    assert_int_equal(sup_mesh_icosphere(NULL, 0.3, 2, &mesh, NULL), SUP_OK);
    float masses[163];
    sup_vec3 centre = {0, 0, 0};
    for (int i = 0; i < 163; i++) masses[i] = i < 162 && i % 2 ? 0.0f : 1.0f;
    sup_blueprint_def recipe = sup_blueprint_default();
    recipe.surface = &mesh;
    recipe.point_count = 1;
    recipe.points = &centre;
    recipe.masses = masses;
    sup_blueprint* ball;
    assert_int_equal(sup_blueprint_create(&recipe, &ball, NULL), SUP_OK);
    sup_world_def settings = sup_world_default();
    settings.gravity[1] = 0;
    sup_world* world;
    assert_int_equal(sup_world_create(&settings, &world, NULL), SUP_OK);
    for (int i = 0; i < 2; i++) {
        sup_body_def def = body_at(ball, i == 0 ? -0.5 : 0.5, 0, 0);
        def.velocity[0] = i == 0 ? 2 : -1;
        add_body(world, &def);
    }
    double before = sup_world_measure(world).momentum[0];
    take_steps(world, 120);
    assert_near(sup_world_measure(world).momentum[0], before, 1e-4);
    sup_world_destroy(world);
    sup_blueprint_release(ball);
    sup_mesh_free(&mesh);
}

/* Padding rows fall without end where nothing pulls them back; the box must not follow. */
static void padding_stays_with_its_body(void** state) {
    (void)state;
    sup_blueprint* ball =
        ball_of(0.3, 1, sup_blueprint_default()); /* 42 particles: 6 rows of padding */
    sup_world* world = make_world(NULL);
    sup_collider_def floor = sup_collider_default();
    add_collider(world, &floor);
    sup_body_def def = body_at(ball, 0, 0.4, 0);
    def.material.stiffness = 0;
    sup_body body = add_body(world, &def);
    take_steps(world, 600);
    const supi_body* inside = supi_world_body(world, body);
    assert_true(inside->box.low[1] > -1.0f);
    assert_true(inside->anchor[1] == 0.0);
    sup_world_destroy(world);
    sup_blueprint_release(ball);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(static_friction_holds_beyond_sliding_friction),
        cmocka_unit_test(elastic_bounces_add_no_energy),
        cmocka_unit_test(bouncing_bodies_come_to_rest),
        cmocka_unit_test(weightless_surfaces_do_not_push),
        cmocka_unit_test(padding_stays_with_its_body),
        cmocka_unit_test(bodies_bounce_off_each_other),
        cmocka_unit_test(old_overlap_opens_slowly),
        cmocka_unit_test(blocks_hold_and_slide),
        cmocka_unit_test(bounces),
        cmocka_unit_test(stacks_come_to_rest),
        cmocka_unit_test(plates_stop_fast_bodies),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
