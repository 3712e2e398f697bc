/* Bodies thrown at 100 m/s at every kind of collider, still and moving: no particle ends inside
   one, or behind one that has no way around. */
#include "geom/quaternion.h"
#include "world/yard.h"

#define SPEED 100.0
#define THICKNESS 0.005
#define SLACK 5e-4 /* m: sweeps leave this much */

/* Distance of a place from what is solid, in double. */
typedef double solid_distance(const double p[3]);

/* Half size of the target that stands in the way, where its kind has one. */
static const double plate[3] = {6.0, 0.0005, 6.0};

static double above_plane(const double p[3]) { return p[1]; }

static double from_sphere(const double p[3]) { return length_of(p) - 0.4; }

static double from_box_of(const double half[3], const double p[3]) {
    double out[3], most = -1e9;
    for (int k = 0; k < 3; k++) {
        double q = fabs(p[k]) - half[k];
        most = q > most ? q : most;
        out[k] = q > 0 ? q : 0;
    }
    return most > 0 ? length_of(out) : most;
}

static double from_box(const double p[3]) { return from_box_of((double[3]){0.4, 0.3, 0.5}, p); }

static double from_capsule(const double p[3]) {
    double y = p[1] < -0.5 ? -0.5 : p[1] > 0.5 ? 0.5 : p[1];
    return length_of((double[3]){p[0], p[1] - y, p[2]}) - 0.3;
}

static double inside_sphere(const double p[3]) { return 4.0 - length_of(p); }

static double inside_box(const double p[3]) { return -from_box_of((double[3]){3.0, 2.5, 4.0}, p); }

static double inside_capsule(const double p[3]) {
    double y = p[1] < -3 ? -3 : p[1] > 3 ? 3 : p[1];
    return 2.5 - length_of((double[3]){p[0], p[1] - y, p[2]});
}

/* Heights 0.3 x - 0.2 z: a plane. */
static double above_slope(const double p[3]) {
    return (p[1] - 0.3 * p[0] + 0.2 * p[2]) / sqrt(1 + 0.09 + 0.04);
}

typedef struct target {
    const char* name;
    solid_distance* distance;
    void (*define)(sup_collider_def* def, sup_mesh* mesh, float* heights);
    bool around; /* bodies come from all sides */
    bool within; /* they start inside */
} target;

static void define_plane(sup_collider_def* def, sup_mesh* mesh, float* heights) {
    (void)mesh, (void)heights;
    def->kind = SUP_COLLIDER_PLANE;
}

static void define_sphere(sup_collider_def* def, sup_mesh* mesh, float* heights) {
    (void)mesh, (void)heights;
    def->kind = SUP_COLLIDER_SPHERE;
    def->radius = 0.4;
}

static void set_half(sup_collider_def* def, const double half[3]) {
    def->kind = SUP_COLLIDER_BOX;
    memcpy(def->half_size, half, sizeof def->half_size);
}

static void define_box(sup_collider_def* def, sup_mesh* mesh, float* heights) {
    (void)mesh, (void)heights;
    set_half(def, (double[3]){0.4, 0.3, 0.5});
}

static void define_plate(sup_collider_def* def, sup_mesh* mesh, float* heights) {
    (void)mesh, (void)heights;
    set_half(def, plate);
}

static void define_capsule(sup_collider_def* def, sup_mesh* mesh, float* heights) {
    (void)mesh, (void)heights;
    def->kind = SUP_COLLIDER_CAPSULE;
    def->radius = 0.3;
    def->half_length = 0.5;
}

static void use_mesh(sup_collider_def* def, const sup_mesh* mesh) {
    def->kind = SUP_COLLIDER_MESH;
    def->mesh = mesh;
}

static void define_mesh_box(sup_collider_def* def, sup_mesh* mesh, float* heights) {
    (void)heights;
    assert_int_equal(
        sup_mesh_box(NULL, (double[3]){0.8, 0.6, 1.0}, (int32_t[3]){3, 3, 3}, mesh, NULL), SUP_OK);
    use_mesh(def, mesh);
}

static void define_mesh_plate(sup_collider_def* def, sup_mesh* mesh, float* heights) {
    (void)heights;
    assert_int_equal(
        sup_mesh_box(NULL, (double[3]){12.0, 0.001, 12.0}, (int32_t[3]){24, 1, 24}, mesh, NULL),
        SUP_OK);
    use_mesh(def, mesh);
}

static void define_sheet(sup_collider_def* def, sup_mesh* mesh, float* heights) {
    (void)heights;
    assert_int_equal(sup_mesh_grid(NULL, 12.0, 12.0, 24, 24, mesh, NULL), SUP_OK);
    use_mesh(def, mesh);
}

static void define_slope(sup_collider_def* def, sup_mesh* mesh, float* heights) {
    (void)mesh;
    def->kind = SUP_COLLIDER_HEIGHTS;
    def->height_count[0] = def->height_count[1] = 33;
    def->height_step[0] = def->height_step[1] = 0.5;
    for (int k = 0; k < 33; k++) {
        for (int i = 0; i < 33; i++) {
            heights[33 * k + i] = (float)(0.3 * 0.5 * (i - 16) - 0.2 * 0.5 * (k - 16));
        }
    }
    def->heights = heights;
}

static void define_ball_room(sup_collider_def* def, sup_mesh* mesh, float* heights) {
    define_sphere(def, mesh, heights);
    def->radius = 4.0;
    def->inverted = true;
}

static void define_box_room(sup_collider_def* def, sup_mesh* mesh, float* heights) {
    (void)mesh, (void)heights;
    set_half(def, (double[3]){3.0, 2.5, 4.0});
    def->inverted = true;
}

static void define_mesh_room(sup_collider_def* def, sup_mesh* mesh, float* heights) {
    (void)heights;
    assert_int_equal(
        sup_mesh_box(NULL, (double[3]){6.0, 5.0, 8.0}, (int32_t[3]){4, 4, 4}, mesh, NULL), SUP_OK);
    use_mesh(def, mesh);
    def->inverted = true;
}

static void define_capsule_room(sup_collider_def* def, sup_mesh* mesh, float* heights) {
    (void)mesh, (void)heights;
    def->kind = SUP_COLLIDER_CAPSULE;
    def->radius = 2.5;
    def->half_length = 3.0;
    def->inverted = true;
}

/* Plates and sheets cannot be gone around by these shots: above is outside. */
static const target targets[] = {
    {"plane", above_plane, define_plane, false, false},
    {"sphere", from_sphere, define_sphere, true, false},
    {"box", from_box, define_box, true, false},
    {"plate of 1 mm", above_plane, define_plate, false, false},
    {"capsule", from_capsule, define_capsule, true, false},
    {"closed mesh", from_box, define_mesh_box, true, false},
    {"mesh plate of 1 mm", above_plane, define_mesh_plate, false, false},
    {"open sheet", above_plane, define_sheet, false, false},
    {"heights", above_slope, define_slope, false, false},
    {"ball room", inside_sphere, define_ball_room, false, true},
    {"box room", inside_box, define_box_room, false, true},
    {"mesh room", inside_box, define_mesh_room, false, true},
    {"capsule room", inside_capsule, define_capsule_room, false, true},
};

/* A unit vector, for targets below within the upper half; every other one close to grazing. */
static void draw_direction(dice* d, const target* t, int32_t shot, double out[3]) {
    double length;
    do {
        for (int k = 0; k < 3; k++) out[k] = dice_roll(d);
        length = length_of(out);
    } while (length > 1 || length < 0.1);
    for (int k = 0; k < 3; k++) out[k] /= length;
    if (t->around || t->within) return;
    out[1] = fabs(out[1]);
    if (shot % 2 && out[1] > 0.1) out[1] *= 0.1;
}

/* The place above a target without a way around it that is `height` above its surface. */
static double surface_height(const target* t, const double p[3]) {
    return t->distance == above_slope ? 0.3 * p[0] - 0.2 * p[2] : 0.0;
}

/* Chooses where the middle of the body starts, and its direction. */
static void take_aim(const target* t, dice* d, int32_t shot, double from[3], double way[3]) {
    double out[3], aim[3], away = 2.0 + 0.5 * dice_roll(d);
    draw_direction(d, t, shot, out);
    for (int k = 0; k < 3; k++) aim[k] = t->within ? 0 : 0.15 * dice_roll(d);
    for (int k = 0; k < 3; k++) from[k] = t->within ? 0 : aim[k] + away * out[k];
    if (t->around || t->within) {
        for (int k = 0; k < 3; k++) way[k] = t->within ? -out[k] : (aim[k] - from[k]) / away;
        return;
    }
    /* From above: the body itself, 0.2 m large, begins outside. */
    aim[1] = surface_height(t, aim);
    from[1] = surface_height(t, from) + 0.26 + away * out[1];
    double length = distance_of(aim, from);
    for (int k = 0; k < 3; k++) way[k] = (aim[k] - from[k]) / length;
}

/* Puts the body somewhere outside, turned anyhow, and sends it towards the target. */
static void shoot(sup_world* world, sup_body body, const swarm* rest, const target* t, dice* d,
                  int32_t shot) {
    double from[3], way[3], q[4], m[9];
    take_aim(t, d, shot, from, way);
    dice_turn(d, q);
    supi_quaternion_matrix(q, m);
    swarm s = {rest->count, calloc((size_t)rest->count, sizeof *s.x),
               calloc((size_t)rest->count, sizeof *s.v)};
    for (int32_t i = 0; i < s.count; i++) {
        double r[3] = {rest->x[i].x, rest->x[i].y, rest->x[i].z}, p[3];
        for (int k = 0; k < 3; k++) {
            p[k] = from[k] + m[3 * k] * r[0] + m[3 * k + 1] * r[1] + m[3 * k + 2] * r[2];
        }
        s.x[i] = (sup_point){p[0], p[1], p[2]};
        s.v[i] =
            (sup_vec3){(float)(SPEED * way[0]), (float)(SPEED * way[1]), (float)(SPEED * way[2])};
        assert_true(t->distance(p) > THICKNESS);
    }
    assert_int_equal(sup_body_write_particles(world, body, s.x, s.v, NULL), SUP_OK);
    free_swarm(&s);
}

/* The deepest particle, m below the distance that is kept. */
static double deepest_in(const sup_world* world, sup_body body, const target* t, double shift) {
    double worst = -1e9;
    swarm s = read_swarm(world, body);
    for (int32_t i = 0; i < s.count; i++) {
        double depth = THICKNESS - t->distance((double[3]){s.x[i].x, s.x[i].y - shift, s.x[i].z});
        worst = depth > worst ? depth : worst;
    }
    free_swarm(&s);
    return worst;
}

static void shoot_at(const target* t, bool moving) {
    dice d = {42};
    float heights[33 * 33];
    sup_mesh mesh = {0};
    sup_collider_def def = sup_collider_default();
    def.thickness = THICKNESS;
    t->define(&def, &mesh, heights);
    sup_world* world = make_weightless_world();
    sup_collider collider = add_collider(world, &def);
    sup_blueprint* ball = ball_of(0.2, 2, filled(0.1));
    sup_body_def at = body_at(ball, 0, 0, 0);
    sup_body body = add_body(world, &at);
    swarm rest = read_swarm(world, body);
    double worst = -1e9;
    int32_t shots = long_tests() ? 1000 : short_tests() ? 20 : 120;
    for (int32_t shot = 0; shot < shots; shot++) {
        const double home[3] = {0, 0, 0}, turn[4] = {0, 0, 0, 1};
        assert_int_equal(sup_collider_place(world, collider, home, turn, NULL), SUP_OK);
        shoot(world, body, &rest, t, &d, shot);
        for (int32_t step = 1; step <= 4; step++) {
            double to[3] = {0, moving ? 0.2 * step : 0, 0};
            if (moving)
                assert_int_equal(sup_collider_move(world, collider, to, turn, NULL), SUP_OK);
            take_steps(world, 1);
            double depth = deepest_in(world, body, t, to[1]);
            if (depth > worst) worst = depth;
            if (depth > SLACK) {
                print_error("%s%s: shot %d, step %d: %.6f m deep\n", t->name,
                            moving ? ", moving" : "", (int)shot, (int)step, depth);
                fail();
            }
        }
    }
    print_message("%s%s: %d shots, deepest %.2g m\n", t->name, moving ? ", moving" : "", (int)shots,
                  worst);
    free_swarm(&rest);
    sup_world_destroy(world);
    sup_blueprint_release(ball);
    if (mesh.points) sup_mesh_free(&mesh);
}

static void still_colliders_stop_everything(void** state) {
    (void)state;
    for (size_t i = 0; i < sizeof targets / sizeof *targets; i++) shoot_at(&targets[i], false);
}

/* Upwards at 12 m/s, against most of the shots. */
static void moving_colliders_stop_everything(void** state) {
    (void)state;
    for (size_t i = 0; i < sizeof targets / sizeof *targets; i++) {
        if (!targets[i].within) shoot_at(&targets[i], true);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(still_colliders_stop_everything),
        cmocka_unit_test(moving_colliders_stop_everything),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
