/* Boxes of oriented particles lie on a slope of 20 degrees and stay there. */
#include "world/yard.h"

#include "world/oriented.h"

#include <stdio.h>

#define TILT (20.0 / 180.0 * 3.14159265358979323846)
#define BALL 0.05

/* m, largest way of a particle of a box that was laid on the slope, down to `late` and from there
   to `end`, s. */
typedef struct slide {
    double first, then;
} slide;

static double farthest(const swarm* a, const swarm* b) {
    double most = 0.0;
    for (int32_t i = 0; i < a->count; i++) {
        const double p[3] = {a->x[i].x, a->x[i].y, a->x[i].z};
        const double q[3] = {b->x[i].x, b->x[i].y, b->x[i].z};
        most = fmax(most, distance_of(p, q));
    }
    return most;
}

/* A plane that rises by 20 degrees, and a box on it. */
static sup_world* lay_down(const block_def* block, double stiffness, double friction,
                           int32_t substeps, sup_body* body) {
    sup_world_def settings = sup_world_default();
    settings.sleep_speed = 0.0;
    settings.substeps = substeps;
    sup_world* world = make_world(&settings);
    sup_collider_def plane = sup_collider_default();
    plane.rotation[2] = sin(-0.5 * TILT);
    plane.rotation[3] = cos(0.5 * TILT);
    plane.friction_static = friction;
    plane.friction_kinetic = 0.8 * friction;
    add_collider(world, &plane);
    sup_body_def def = sup_body_default();
    memcpy(def.rotation, plane.rotation, sizeof def.rotation);
    double up = BALL + plane.thickness;
    def.position[0] = up * sin(TILT);
    def.position[1] = up * cos(TILT);
    def.frames.stiffness = stiffness;
    def.frames.damping = def.frames.turn_damping = 0.0;
    def.material.friction_static = friction;
    def.material.friction_kinetic = 0.8 * friction;
    *body = add_oriented(world, make_block(block), &def);
    return world;
}

static slide lay(const block_def* block, double stiffness, double friction, double late,
                 double end) {
    sup_body body;
    sup_world* world = lay_down(block, stiffness, friction, 8, &body);
    swarm start = read_swarm(world, body);
    take_steps(world, (int32_t)(60 * late));
    swarm middle = read_swarm(world, body);
    take_steps(world, (int32_t)(60 * (end - late)));
    swarm last = read_swarm(world, body);
    slide s = {farthest(&start, &middle), farthest(&middle, &last)};
    if (getenv("SUPPLE_SHOW")) {
        printf("moved by %.4f mm in the first %g s, by %.4f mm until %g s\n", 1e3 * s.first, late,
               1e3 * s.then, end);
    }
    assert_int_equal(mishap_count(world), 0);
    free_swarm(&start);
    free_swarm(&middle);
    free_swarm(&last);
    sup_world_destroy(world);
    return s;
}

static void boxes_stay_where_they_lie(void** state) {
    (void)state;
    const block_def rigid = {{2, 2, 2}, 0.1, BALL, 1.0, 0, false, true, false, 0};
    const block_def soft = {{3, 3, 3}, 0.1, BALL, 1.0, 0, false, false, false, 1e6};
    double end = short_tests() ? 3.0 : 10.0;
    slide s = lay(&rigid, 400.0, 0.5, 1.0, end);
    assert_below(s.first + s.then, 1e-3);
    s = lay(&soft, 400.0, 0.5, 2.0, end);
    assert_below(s.first, 10e-3); /* it settles */
    assert_below(s.then, 0.1e-3);
}

/* What must not be done: friction as a change of velocity after the move, of at most what the
   weight of the box allows. The box creeps, as each substep moves it before friction stops it. */
static void friction_on_velocities_lets_it_creep(void** state) {
    (void)state;
    const block_def soft = {{3, 3, 3}, 0.1, BALL, 1.0, 0, false, false, false, 1e6};
    const double h = 1.0 / 480.0, most = 3.0 * 0.5 * 9.81 * cos(TILT) * h; /* three on each other */
    const double low = BALL + sup_collider_default().thickness + 1e-5;
    sup_body body;
    sup_world* world = lay_down(&soft, 400.0, 0.0, 1, &body);
    swarm start = read_swarm(world, body);
    for (int i = 0; i < 10 * 480; i++) {
        assert_int_equal(sup_world_step(world, h), SUP_OK);
        swarm s = read_swarm(world, body);
        for (int32_t k = 0; k < s.count; k++) {
            if ((double)s.x[k].x * sin(TILT) + (double)s.x[k].y * cos(TILT) > low) continue;
            double out = (double)s.v[k].x * sin(TILT) + (double)s.v[k].y * cos(TILT);
            double t[3] = {(double)s.v[k].x - out * sin(TILT), (double)s.v[k].y - out * cos(TILT),
                           (double)s.v[k].z};
            double length = sqrt(t[0] * t[0] + t[1] * t[1] + t[2] * t[2]);
            double take = length < most ? 1.0 : most / length;
            s.v[k].x -= (float)(take * t[0]);
            s.v[k].y -= (float)(take * t[1]);
            s.v[k].z -= (float)(take * t[2]);
        }
        assert_int_equal(sup_body_write_particles(world, body, NULL, s.v, NULL), SUP_OK);
        free_swarm(&s);
    }
    swarm last = read_swarm(world, body);
    double creep = farthest(&start, &last);
    print_message("friction on velocities: %.0f mm in 10 s\n", 1e3 * creep);
    assert_above(creep, 50e-3);
    free_swarm(&start);
    free_swarm(&last);
    sup_world_destroy(world);
}

/* Less than the tangent of the angle holds nothing. */
static void too_little_friction_lets_them_go(void** state) {
    (void)state;
    const block_def rigid = {{2, 2, 2}, 0.1, BALL, 1.0, 0, false, true, false, 0};
    slide s = lay(&rigid, 400.0, 0.3, 0.5, 1.0);
    double wanted = 0.5 * 9.81 * (sin(TILT) - 0.24 * cos(TILT));
    assert_true(fabs((s.first + s.then) / wanted - 1.0) < 0.05);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(boxes_stay_where_they_lie),
        cmocka_unit_test(friction_on_velocities_lets_it_creep),
        cmocka_unit_test(too_little_friction_lets_them_go),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
