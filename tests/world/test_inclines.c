/* Coulomb's law on an incline of 20 degrees, for every kind of collider, also one that moves. */
#include "world/yard.h"

#define TILT (20.0 / 180.0 * 3.14159265358979323846)

typedef struct slope {
    const char* name;
    void (*define)(sup_collider_def* def, sup_mesh* mesh);
    double depth;    /* m, from the collider's origin up to its surface */
    bool holds_only; /* too bent to slide on */
} slope;

static void define_plane(sup_collider_def* def, sup_mesh* mesh) {
    (void)mesh;
    def->kind = SUP_COLLIDER_PLANE;
}

static void define_box(sup_collider_def* def, sup_mesh* mesh) {
    (void)mesh;
    def->kind = SUP_COLLIDER_BOX;
    def->half_size[0] = 30;
    def->half_size[1] = def->half_size[2] = 1;
}

/* Its line runs down the slope. */
static void define_capsule(sup_collider_def* def, sup_mesh* mesh) {
    (void)mesh;
    def->kind = SUP_COLLIDER_CAPSULE;
    def->radius = 4;
    def->half_length = 30;
}

static void define_sphere(sup_collider_def* def, sup_mesh* mesh) {
    (void)mesh;
    def->kind = SUP_COLLIDER_SPHERE;
    def->radius = 20;
}

static void use_mesh(sup_collider_def* def, const sup_mesh* mesh) {
    def->kind = SUP_COLLIDER_MESH;
    def->mesh = mesh;
}

static void define_slab(sup_collider_def* def, sup_mesh* mesh) {
    assert_int_equal(sup_mesh_box(NULL, (double[3]){60, 2, 2}, (int32_t[3]){40, 1, 4}, mesh, NULL),
                     SUP_OK);
    use_mesh(def, mesh);
}

static void define_sheet(sup_collider_def* def, sup_mesh* mesh) {
    assert_int_equal(sup_mesh_grid(NULL, 60, 2, 40, 4, mesh, NULL), SUP_OK);
    use_mesh(def, mesh);
}

static void define_heights(sup_collider_def* def, sup_mesh* mesh) {
    static const float flat[41 * 5];
    (void)mesh;
    def->kind = SUP_COLLIDER_HEIGHTS;
    def->height_count[0] = 41;
    def->height_count[1] = 5;
    def->height_step[0] = 1.5;
    def->height_step[1] = 0.5;
    def->heights = flat;
}

static const slope slopes[] = {
    {"plane", define_plane, 0, false},       {"box", define_box, 1, false},
    {"capsule", define_capsule, 4, false},   {"sphere", define_sphere, 20, true},
    {"slab of mesh", define_slab, 1, false}, {"open sheet", define_sheet, 0, false},
    {"heights", define_heights, 0, false},
};

/* A block of 0.4 m on a slope that goes along x at `speed`: how far it has slid relative to it
 * after each second, 0..5. */
static void slide(const slope* s, sup_blueprint* block, double friction_static,
                  double friction_kinetic, double speed, double moved[6]) {
    sup_world* world = make_wakeful_world();
    sup_mesh mesh = {0};
    sup_collider_def def = sup_collider_default();
    s->define(&def, &mesh);
    const double upright[4] = {0, 0, sin(TILT / 2), cos(TILT / 2)};
    double turn[4] = {upright[0], upright[1], upright[2], upright[3]};
    if (def.kind == SUP_COLLIDER_CAPSULE) { /* a quarter turn more: y becomes the way down */
        turn[2] = sin(TILT / 2 + 0.25 * 3.14159265358979323846);
        turn[3] = cos(TILT / 2 + 0.25 * 3.14159265358979323846);
    }
    memcpy(def.rotation, turn, sizeof turn);
    def.position[0] = sin(TILT) * s->depth;
    def.position[1] = -cos(TILT) * s->depth;
    def.friction_static = friction_static;
    def.friction_kinetic = friction_kinetic;
    sup_collider collider = add_collider(world, &def);
    double height = 0.2021;
    sup_body_def at = body_at(block, -sin(TILT) * height, cos(TILT) * height, 0);
    memcpy(at.rotation, upright, sizeof upright);
    at.velocity[0] = speed;
    at.material.stiffness = 300;
    at.material.friction_static = friction_static;
    at.material.friction_kinetic = friction_kinetic;
    sup_body body = add_body(world, &at);
    double start[3] = {0}, now[3];
    for (int i = 0; i < 6; i++) {
        for (int k = 0; i > 0 && k < 60; k++) {
            double t = (60 * (i - 1) + k + 1) * FRAME;
            const double to[3] = {def.position[0] + t * speed, def.position[1], 0};
            if (speed != 0) {
                assert_int_equal(sup_collider_move(world, collider, to, turn, NULL), SUP_OK);
            }
            take_steps(world, 1);
        }
        swarm all = read_swarm(world, body);
        memset(now, 0, sizeof now);
        for (int32_t p = 0; p < all.count; p++) {
            now[0] += (all.x[p].x - speed * i) / all.count;
            now[1] += all.x[p].y / all.count;
            now[2] += all.x[p].z / all.count;
        }
        free_swarm(&all);
        if (i == 0) memcpy(start, now, sizeof start);
        moved[i] = distance_of(start, now);
    }
    sup_world_destroy(world);
    if (mesh.points) sup_mesh_free(&mesh);
}

static void check_slope(const slope* s, sup_blueprint* block, double speed) {
    double held[6], slid[6] = {0};
    slide(s, block, 0.5, 0.4, speed, held); /* tan 20 degrees is 0.36 */
    double acceleration = 0, creep = fabs(held[5] - held[1]);
    if (!s->holds_only) {
        slide(s, block, 0.2, 0.2, speed, slid);
        acceleration = (slid[5] - 2 * slid[3] + slid[1]) / 4.0;
    }
    print_message("%s%s: creeps %.3f mm, slides at %.4f m/s^2\n", s->name,
                  speed != 0 ? ", moving" : "", 1e3 * creep, acceleration);
    assert_below(creep, 1e-3);
    if (!s->holds_only) assert_near(acceleration, 1.512, 0.02); /* g (sin 20 - 0.2 cos 20) */
}

static void blocks_hold_and_slide_on_everything(void** state) {
    (void)state;
    sup_blueprint* block = box_of((double[3]){0.4, 0.4, 0.4}, 4, filled(0.1));
    for (size_t i = 0; i < sizeof slopes / sizeof *slopes; i++) check_slope(&slopes[i], block, 0);
    sup_blueprint_release(block);
}

static void moving_slopes_are_no_different(void** state) {
    (void)state;
    sup_blueprint* block = box_of((double[3]){0.4, 0.4, 0.4}, 4, filled(0.1));
    for (size_t i = 0; i < sizeof slopes / sizeof *slopes; i++) check_slope(&slopes[i], block, 2.5);
    sup_blueprint_release(block);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(blocks_hold_and_slide_on_everything),
        cmocka_unit_test(moving_slopes_are_no_different),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
