/* Particles that are hardly ellipsoids meet colliders: points, discs, needles, without weight,
   turning faster than a substep can tell. */
#include "world/yard.h"

#include "world/oriented.h"

typedef struct special {
    const char* name;
    float radii[3];
    bool linked;     /* three of them; else one, alone */
    bool weightless; /* the third */
} special;

static const special SPECIALS[] = {
    {"point", {0, 0, 0}, false, false},
    {"disc", {0.1f, 0, 0.1f}, false, false},
    {"needle", {0.1f, 0, 0}, false, false},
    {"thin disc", {0.1f, 0.1f, 1e-4f}, false, false},
    {"ellipsoid", {0.1f, 0.05f, 0.02f}, false, false},
    {"points", {0, 0, 0}, true, true},
    {"discs", {0.1f, 0, 0.1f}, true, true},
    {"needles", {0.1f, 0, 0}, true, true},
    {"thin discs", {0.1f, 0.1f, 1e-4f}, true, false},
    {"ellipsoids", {0.1f, 0.05f, 0.02f}, true, true},
};

static const sup_collider_kind KINDS[] = {SUP_COLLIDER_PLANE, SUP_COLLIDER_BOX, SUP_COLLIDER_SPHERE,
                                          SUP_COLLIDER_CAPSULE};

static sup_blueprint* make_special(const special* s) {
    const sup_vec3 points[3] = {{0, 0, 0}, {0.05f, 0, 0}, {0.02f, 0.05f, 0}};
    const sup_link links[3] = {
        {0, 1, -1, 0, 0, 0.01f}, {1, 2, -1, 0, 0, 0.01f}, {0, 2, -1, 0, 0, -1}};
    const float masses[3] = {1, 1, s->weightless ? 0.0f : 1.0f};
    const int32_t starts[2] = {0, 1}, member = 0;
    sup_ellipsoid shapes[3];
    for (int i = 0; i < 3; i++) {
        shapes[i] = (sup_ellipsoid){{0, 0, 0, 1}, {s->radii[0], s->radii[1], s->radii[2]}};
    }
    sup_blueprint_def def = sup_blueprint_default();
    def.points = points;
    def.point_count = s->linked ? 3 : 1;
    def.masses = masses;
    def.ellipsoids = shapes;
    def.layout = SUP_CLUSTERS_NONE;
    if (s->linked)
        def.links = links, def.link_count = 3;
    else
        def.part_count = 1, def.part_starts = starts, def.part_members = &member;
    sup_blueprint* print = NULL;
    sup_error error = {0};
    assert_ok(sup_blueprint_create(&def, &print, &error), error);
    return print;
}

/* Half a metre high, above a floor a metre lower; capsules lie along x. */
static void add_obstacle(sup_world* world, sup_collider_kind kind) {
    sup_collider_def def = sup_collider_default();
    def.position[1] = -1.0;
    add_collider(world, &def);
    def.position[1] = 0.0;
    def.kind = kind;
    def.radius = def.half_length = 0.5;
    if (kind == SUP_COLLIDER_CAPSULE) def.rotation[2] = def.rotation[3] = sqrt(0.5);
    add_collider(world, &def);
}

/* m, how far a place is from being inside; 0.5 stands for the size of all of them. */
static double outside(sup_collider_kind kind, const sup_point* p) {
    double low = p->y + 1.0, x = fabs(p->x), y = fabs(p->y), z = fabs(p->z);
    double past = kind == SUP_COLLIDER_CAPSULE ? fmax(x - 0.5, 0.0) : x;
    if (kind == SUP_COLLIDER_PLANE) return p->y;
    if (kind == SUP_COLLIDER_BOX) return fmin(low, fmax(fmax(x, y), z) - 0.5);
    return fmin(low, length_of((double[3]){past, y, z}) - 0.5);
}

/* Steps a world of 8 substeps. Returns the largest speed, m/s. */
static double watch(sup_world* world, sup_body body, sup_collider_kind kind, int32_t count,
                    int32_t frames) {
    double fast = 0.0;
    for (int32_t i = 0; i < frames; i++) {
        take_steps(world, 1);
        assert_int_equal(mishap_count(world), 0);
        swarm p = read_swarm(world, body);
        for (int32_t k = 0; k < count; k++) {
            assert_true(outside(kind, p.x + k) > 0.0);
            fast = fmax(fast, speed_of(p.v + k));
        }
        free_swarm(&p);
    }
    return fast;
}

/* 1e4 substeps, at first with 0.4 rad in each, or with more than can be told: nobody gets inside,
   has to be put back, or becomes faster than the fall and the rim. */
static void special_shapes_meet_colliders(void** state) {
    (void)state;
    const double spins[2] = {200.0, 900.0};
    const int32_t frames = long_tests() ? 1250 : short_tests() ? 30 : 300;
    for (size_t n = 0; n < 8 * sizeof SPECIALS / sizeof *SPECIALS; n++) {
        const special* s = SPECIALS + n / 8;
        sup_collider_kind kind = KINDS[n % 4];
        sup_world_def settings = sup_world_default();
        settings.sleep_speed = 0.0;
        settings.substeps = 8;
        sup_world* world = make_world(&settings);
        add_obstacle(world, kind);
        sup_body_def def = sup_body_default();
        def.position[0] = 0.01;
        def.position[1] = kind == SUP_COLLIDER_PLANE ? 0.5 : 1.0;
        def.angular_velocity[0] = 3.0;
        def.angular_velocity[2] = spins[n / 4 % 2];
        sup_body body = add_oriented(world, make_special(s), &def);
        double fast = watch(world, body, kind, s->linked ? 3 - s->weightless : 1, frames);
        assert_below(fast, 8.0 + 0.1 * spins[n / 4 % 2]);
        sup_world_destroy(world);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(special_shapes_meet_colliders)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
