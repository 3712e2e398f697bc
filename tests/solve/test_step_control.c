/* Largest frequencies of springs, and steps that are as long as stability and error allow. */
#include "solve/pieces.h"
#include "solve/spring_motion.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

/* A body with all that the control of its steps needs. */
typedef struct controlled {
    spring_motion s;
    supi_step_rules rules;
    supi_step_state state;
    sup_row* mode;
    supi_step_survey survey; /* at the start */
    supi_step_report report; /* of all spans */
} controlled;

static void controlled_init(controlled* c, spring_body body, sup_integrator integrator) {
    size_t rows = (size_t)body.net.row_count;
    *c = (controlled){0};
    spring_motion_init(&c->s, body, integrator);
    c->s.motion.span = 1.0 / 60.0;
    c->mode = spring_body_new(rows, sizeof(sup_row));
    c->rules = (supi_step_rules){
        .net = &c->s.body.net,
        .error = 1e-5 + 1e-3 * (double)body.net.mean_length,
        .scratch = spring_body_new(SUPI_STEP_SCRATCH * rows, sizeof(sup_row)),
        .parts =
            spring_body_new((size_t)supi_piece_count(body.net.row_count), sizeof(supi_step_part)),
    };
    c->survey = supi_step_begin(NULL, &body.net, body.x, c->mode, c->rules.scratch, c->rules.parts);
}

static void controlled_free(controlled* c) {
    spring_motion_free(&c->s);
    free(c->mode);
    free(c->rules.scratch);
    free(c->rules.parts);
}

static supi_step_report controlled_span(controlled* c) {
    supi_step_report r =
        supi_step_span(&c->s.motion, &c->rules, &c->state, c->mode, c->s.rows.x, c->s.rows.v);
    c->report.steps += r.steps;
    c->report.rejected += r.rejected;
    c->report.forced += r.forced;
    return r;
}

/* ---- Frequencies ---- */

/* rad/s: the root of the largest eigenvalue of M^-1 K of flat cloth by power iteration in double,
   to the end. K is the sum of k u u^T over the springs, which are at rest, without the rows of
   pins; no spring moves anything across the sheet. Endless cloth has sqrt((4 k_struct + 4 k_shear)
   / m), a little more: 2449.5. Iterations that stop early have less: 2400.4 after 20 rounds, 2431.6
   after 100. */
static double true_frequency(const spring_body* body) {
    enum { MOST = 441 };
    double y[MOST][2], g[MOST][2], value = 0.0;
    assert_true(body->count <= MOST);
    for (int32_t i = 0; i < 2 * body->count; i++) y[i / 2][i % 2] = sin(1.0 + i * i);
    for (int round = 0; round < 3000; round++) {
        double square = 0.0, along = 0.0;
        memset(g, 0, sizeof g);
        for (int32_t s = 0; s < body->net.spring_count; s++) {
            int32_t a = body->springs[s].a, b = body->springs[s].b;
            double d[2] = {(double)body->rest[b].x - (double)body->rest[a].x,
                           (double)body->rest[b].y - (double)body->rest[a].y};
            double k = (double)body->springs[s].stiffness / (d[0] * d[0] + d[1] * d[1]);
            double pull = k * (d[0] * (y[b][0] - y[a][0]) + d[1] * (y[b][1] - y[a][1]));
            for (int c = 0; c < 2; c++) g[a][c] -= pull * d[c], g[b][c] += pull * d[c];
        }
        for (int32_t i = 0; i < 2 * body->count; i++) {
            double* z = &g[i / 2][i % 2];
            *z *= (double)body->x[i / 2].w;
            along += y[i / 2][i % 2] * *z;
            square += *z * *z;
        }
        for (int32_t i = 0; i < 2 * body->count; i++)
            y[i / 2][i % 2] = g[i / 2][i % 2] / sqrt(square);
        if (round > 0) value = along; /* y has length 1 from then on */
    }
    return sqrt(value);
}

static void test_frequencies_of_cloth(void** state) {
    (void)state;
    const spring_cloth cloth = {21, 21, 0.05, 1e-3, 1000, 500, 50, 0.01, true};
    static controlled c;
    controlled_init(&c, spring_body_cloth(&cloth), SUP_INTEGRATOR_SYMPLECTIC);
    supi_step_survey last = c.survey;
    for (int n = 0; n < 3000; n++) {
        last =
            supi_step_look(NULL, c.rules.net, c.s.rows.x, c.mode, c.rules.scratch, c.rules.parts);
    }
    print_message("converged %.1f, power %.1f, Gershgorin %.1f rad/s\n", last.power, c.survey.power,
                  c.survey.gershgorin);
    double known = true_frequency(&c.s.body);
    assert_true(fabs(known - 2441.149) < 1e-2);
    assert_true(fabs(last.power / known - 1.0) < 1e-4);
    assert_true(c.survey.power > 0.97 * last.power && c.survey.power < last.power);
    assert_true(fabs(c.survey.gershgorin / 3521.0 - 1.0) < 1e-3);
    supi_step_report report;
    supi_step_limit(&c.survey, SUP_INTEGRATOR_SYMPLECTIC, (supi_step_others){0, 0}, &report);
    assert_true(report.frequency > last.power && report.frequency < 1.1 * last.power);
    double z = 0.01 * report.frequency / (2.0 * 50.0); /* of the softest springs */
    double h = 0.9 * 2.0 / report.frequency * (sqrt(1.0 + z * z) - z);
    print_message("h_stab %.3e s, damping ratio %.3f\n", report.stable, z);
    assert_true(fabs(report.stable / h - 1.0) < 1e-6);
    controlled_free(&c);
}

/* Two masses of 1 kg on a spring of 100 N/m. Along, w^2 = 200, whatever its length; across, 200 (1
   - L/l): nothing where it is compressed, as what pushes aside does not swing. The bound does not
   know that. */
static void test_frequencies_of_a_pair(void** state) {
    (void)state;
    const sup_vec3 points[2] = {{0, 0, 0}, {1, 0, 0}};
    const float w[2] = {1, 1};
    const struct {
        float length;
        double power, bound;
    } cases[3] = {{1.0f, 200, 200}, {0.5f, 200, 200}, {4.0f, 200, 600}};
    for (int k = 0; k < 3; k++) {
        const sup_spring spring = {0, 1, cases[k].length, 100.0f, 2.0f, 0, k == 2};
        static controlled c;
        controlled_init(&c, spring_body_make(points, w, 2, &spring, 1, 0.0),
                        SUP_INTEGRATOR_SYMPLECTIC);
        assert_true(fabs(c.survey.power - sqrt(cases[k].power)) < 1e-3);
        assert_true(fabs(c.survey.gershgorin - sqrt(cases[k].bound)) < 1e-3);
        assert_true(fabs(c.survey.delay - 0.02) < 1e-6 && c.survey.dashpots == 0.0);
        assert_true(fabs(c.survey.shortest / (double)cases[k].length - 1.0) < 1e-6);
        controlled_free(&c);
    }
}

/* Does a cube of tetrahedra, damped critically, stay small in 2000 steps of h? */
static bool cube_stays(double h) {
    static spring_motion s;
    spring_motion_init(&s, spring_cube(4, 0.1, 0.01, 500.0, 1.0), SUP_INTEGRATOR_SYMPLECTIC);
    s.rows.v[21] = (sup_row){1e-3f, 2e-3f, -1e-3f, 0.0f};
    for (int n = 0; n < 2000; n++) supi_explicit_step(&s.motion, 0.0, h, NULL, &s.rows);
    bool stays = fabsf(s.rows.v[21].x) < 0.1f;
    spring_motion_free(&s);
    return stays;
}

/* The longest stable step is one, and not much shorter than it must be. */
static void test_limit_of_cube(void** state) {
    (void)state;
    static controlled c;
    controlled_init(&c, spring_cube(4, 0.1, 0.01, 500.0, 1.0), SUP_INTEGRATOR_SYMPLECTIC);
    supi_step_report report;
    supi_step_limit(&c.survey, SUP_INTEGRATOR_SYMPLECTIC, (supi_step_others){0, 0}, &report);
    print_message("cube: w %.0f rad/s, h_stab %.2e s\n", report.frequency, report.stable);
    assert_true(cube_stays(report.stable) && !cube_stays(1.4 * report.stable));
    /* Something else that is a hundred times as stiff rules alone. */
    double w = report.frequency;
    supi_step_limit(&c.survey, SUP_INTEGRATOR_RK4, (supi_step_others){1e4 * w * w, 0}, &report);
    assert_true(fabs(report.frequency / (100.0 * w) - 1.0) < 1e-4);
    /* And so does a damper. */
    supi_step_limit(&c.survey, SUP_INTEGRATOR_SYMPLECTIC, (supi_step_others){0, 1e4 * w}, &report);
    assert_true(fabs(report.stable * 1e4 * w / 1.8 - 1.0) < 1e-2);
    controlled_free(&c);
}

/* Dashpots alone have no frequency, but a rate: two masses of 1 kg and c = 50 have 100 / s. */
static void test_limit_of_a_dashpot(void** state) {
    (void)state;
    const sup_vec3 points[2] = {{0, 0, 0}, {1, 0, 0}};
    const float w[2] = {1, 1};
    const sup_spring spring = {0, 1, 1.0f, 0.0f, 50.0f, 0, false};
    static controlled c;
    controlled_init(&c, spring_body_make(points, w, 2, &spring, 1, 0.0), SUP_INTEGRATOR_SYMPLECTIC);
    supi_step_report report;
    supi_step_limit(&c.survey, SUP_INTEGRATOR_SYMPLECTIC, (supi_step_others){0, 0}, &report);
    assert_true(report.frequency == 0.0 && fabs(report.stable - 0.9 * 0.02) < 1e-6);
    controlled_free(&c);
    controlled_init(&c, spring_body_make(points, w, 2, NULL, 0, 0.0), SUP_INTEGRATOR_SYMPLECTIC);
    supi_step_limit(&c.survey, SUP_INTEGRATOR_SYMPLECTIC, (supi_step_others){0, 0}, &report);
    assert_true(isinf(report.stable));
    c.s.gravity = (sup_vec3){0, -9.81f, 0};
    c.rules.error = 0.1;
    report = controlled_span(&c);
    assert_int_equal(report.steps, 1);
    controlled_free(&c);
}

/* ---- Steps ---- */

/* A plane that takes all speed. */
static void land(void* context, double h, sup_row* x, sup_row* v) {
    const spring_motion* s = context;
    (void)h;
    for (int32_t i = 0; i < s->body.count; i++) {
        if (x[i].y >= 0.0f) continue;
        x[i].y = 0.0f;
        if (v[i].y < 0.0f) v[i].y = 0.0f;
    }
}

enum { FRAMES = 30 };

/* Heights of the centre of a chain that falls onto the plane, by steps of 1e-5 s in double. */
static void heights_by_twin(const controlled* c, double heights[FRAMES]) {
    static ref_system twin;
    ref_spring_list springs;
    spring_motion_twin(&c->s, &twin, &springs);
    int done = 0;
    for (int frame = 0; frame < FRAMES; frame++) {
        for (; done < (frame + 1) * 1e5 / 60.0; done++) {
            ref_system_step(&twin, SUP_INTEGRATOR_SYMPLECTIC, 1e-5);
            for (int i = 1; i < twin.count; i += 3) {
                if (twin.x[i] >= 0.0) continue;
                twin.x[i] = 0.0;
                if (twin.v[i] < 0.0) twin.v[i] = 0.0;
            }
        }
        heights[frame] = 0.0;
        for (int i = 1; i < twin.count; i += 3) heights[frame] += twin.x[i] / 10.0;
    }
}

/* A chain of 10 with its lowest mass 0.1 m above the plane. */
static void falling_chain(controlled* c, double stiffness, double zeta) {
    spring_body body = spring_chain(10, 0.1, 0.1, stiffness, zeta, false);
    for (int32_t i = 0; i < 10; i++) body.x[i].y += 1.0f;
    controlled_init(c, body, SUP_INTEGRATOR_SYMPLECTIC);
    c->s.gravity = (sup_vec3){0, -9.81f, 0};
    c->s.motion.after = land;
}

static void test_falling_chain(void** state) {
    (void)state;
    const double zetas[2] = {0.0, 0.05};
    for (int k = 0; k < 2; k++) {
        static controlled c;
        double right[FRAMES], miss = 0.0;
        falling_chain(&c, 1e4, zetas[k]);
        heights_by_twin(&c, right);
        for (int frame = 0; frame < FRAMES; frame++) {
            controlled_span(&c);
            double height = 0.0;
            for (int32_t i = 0; i < 10; i++) height += (double)c.s.rows.x[i].y / 10.0;
            assert_true(isfinite(height));
            miss = fmax(miss, fabs(height - right[frame]) / 0.55);
        }
        print_message("zeta %.2f: %d steps, %d rejected, %d forced, centre off by %.2f %%\n",
                      zetas[k], c.report.steps, c.report.rejected, c.report.forced, 100.0 * miss);
        assert_true(c.report.rejected > 0 && c.report.forced == 0);
        assert_true(c.report.steps > 200 && c.report.steps < 1000);
        assert_true(miss < 0.01);
        controlled_free(&c);
        /* Ten times as stiff: stability alone rules. */
        falling_chain(&c, 1e5, zetas[k]);
        for (int frame = 0; frame < FRAMES; frame++) controlled_span(&c);
        print_message("stiff: %d steps, %d rejected\n", c.report.steps, c.report.rejected);
        assert_int_equal(c.report.rejected, 0);
        controlled_free(&c);
    }
}

/* Every integrator goes through the same fall of a hung cloth, with as many steps as it needs, and
   ends where RK4 does. */
static void test_integrators_agree(void** state) {
    (void)state;
    const spring_cloth cloth = {5, 5, 0.1, 0.01, 100, 50, 5, 0.05, true};
    sup_row right = {0, 0, 0, 0};
    for (int k = SUP_INTEGRATOR_RK4; k >= SUP_INTEGRATOR_SYMPLECTIC; k--) {
        static controlled c;
        controlled_init(&c, spring_body_cloth(&cloth), (sup_integrator)k);
        c.s.gravity = (sup_vec3){0, 0, -9.81f};
        c.rules.error = 2e-5;
        for (int frame = 0; frame < 15; frame++) controlled_span(&c);
        sup_row at = c.s.rows.x[22];
        if (k == SUP_INTEGRATOR_RK4) right = at;
        double miss = hypot((double)(at.y - right.y), (double)(at.z - right.z));
        print_message("integrator %d: %d steps, %d rejected, %.1e m from RK4\n", k, c.report.steps,
                      c.report.rejected, miss);
        assert_true(c.report.forced == 0 && miss < 5e-3);
        controlled_free(&c);
    }
}

/* ---- Rejections ---- */

/* Two masses on one spring of 1 m, flying with the same speed: a step goes half a metre at most. */
static void test_no_step_goes_too_far(void** state) {
    (void)state;
    static controlled c;
    controlled_init(&c, spring_chain(2, 1.0, 1.0, 1.0, 0.0, false), SUP_INTEGRATOR_SYMPLECTIC);
    c.rules.error = 1.0;
    for (int i = 0; i < 2; i++) c.s.rows.v[i].x = 100.0f; /* 1.7 m in a span: four steps */
    supi_step_report r = controlled_span(&c);
    assert_int_equal(r.steps, 4);
    assert_int_equal(r.rejected, 2);
    assert_int_equal(r.forced, 0);
    assert_int_equal(c.state.level, 2);
    assert_true(fabs((double)c.s.rows.x[0].x - 100.0 / 60.0) < 1e-5);
    controlled_free(&c);
}

/* A spring of 1 m and one of 4 m, both without force worth mentioning. Ends that go 0.4 m each in a
   step are slow enough, but may pull only the long one apart; together they may go. */
static void test_no_spring_grows_too_much(void** state) {
    (void)state;
    const sup_vec3 points[7] = {{0, 2, 0}, {0, 0, 0}, {0, 1, 0}, {1, 0, 0},
                                {0, 3, 0}, {0, 4, 0}, {4, 1, 0}};
    const float w[7] = {1, 1, 1, 1, 1, 1, 1};
    const sup_spring springs[2] = {{1, 3, 1.0f, 1e-3f, 0.0f, 0, false},
                                   {2, 6, 4.0f, 1e-3f, 0.0f, 0, false}};
    const struct {
        int which;
        float speed;
        int32_t steps;
    } cases[3] = {{0, 24.0f, 2}, {0, -24.0f, 1}, {1, 24.0f, 1}};
    for (int k = 0; k < 3; k++) {
        static controlled c;
        controlled_init(&c, spring_body_make(points, w, 7, springs, 2, 0.0),
                        SUP_INTEGRATOR_SYMPLECTIC);
        c.rules.error = 10.0;
        c.s.rows.v[springs[cases[k].which].a].x = -cases[k].speed;
        c.s.rows.v[springs[cases[k].which].b].x = cases[k].speed;
        supi_step_report r = controlled_span(&c);
        assert_int_equal(r.steps, cases[k].steps);
        assert_int_equal(r.rejected, cases[k].steps - 1);
        controlled_free(&c);
    }
}

static void no_forces(void* context, const sup_row* x, const sup_row* v, sup_row* f) {
    spring_motion_forces(context, x, v, f);
    f[1].x = NAN;
}

/* Nothing is short enough: steps of a tick count, but with velocities that are cut and finite. */
static void test_forced_steps(void** state) {
    (void)state;
    static controlled c;
    for (int broken = 0; broken < 2; broken++) {
        controlled_init(&c, spring_chain(2, 1.0, 1.0, 1.0, 0.0, false),
                        SUP_INTEGRATOR_VELOCITY_VERLET);
        c.s.rows.v[1].x = 1e6f;
        if (broken) c.s.motion.forces = no_forces;
        supi_step_report r = controlled_span(&c);
        double v = (double)c.s.rows.v[1].x, most = 0.5 * 60.0 * 1024.0; /* 0.5 m in a tick */
        print_message("forced %d of %d, rejected %d, v %g\n", r.forced, r.steps, r.rejected, v);
        assert_true(broken ? r.forced == 1024 && r.rejected == 10 : r.forced > 0);
        assert_true(r.steps == 1024);
        assert_true(v > 0.9 * most && v < 1.0001 * most && isfinite(c.s.rows.x[1].x));
        controlled_free(&c);
    }
}

/* ---- The state between spans ---- */

static void test_longer_steps_after_eight_good_ones(void** state) {
    (void)state;
    static controlled c;
    controlled_init(&c, spring_chain(2, 1.0, 1.0, 1.0, 0.0, false), SUP_INTEGRATOR_SYMPLECTIC);
    c.state.level = 4;
    /* 8 of 1/16, 4 of 1/8: 12; then 4 more of 1/8, 2 of 1/4: 6; then 4; then 2 of 1/4 and 1/2 */
    const int32_t steps[6] = {12, 6, 4, 3, 2, 2};
    for (int k = 0; k < 6; k++) assert_int_equal(controlled_span(&c).steps, steps[k]);
    controlled_free(&c);
}

/* State and mode carry all that the next span needs, and workers change nothing. */
static void test_state_and_workers(void** state) {
    (void)state;
    const spring_cloth cloth = {40, 40, 0.05, 1e-3, 300, 100, 10, 0.002, true};
    static controlled c[2];
    supi_tasks* tasks;
    assert_int_equal(supi_tasks_create(sup_allocator_default(), 3, NULL, &tasks, NULL), SUP_OK);
    for (int k = 0; k < 2; k++) {
        controlled_init(&c[k], spring_body_cloth(&cloth), SUP_INTEGRATOR_POSITION_VERLET);
        c[k].s.gravity = (sup_vec3){0, 0, -9.81f};
        controlled_span(&c[k]);
    }
    assert_memory_equal(&c[0].state, &c[1].state, sizeof c[0].state);
    assert_true(c[0].state.last > 0.0 && c[0].state.level > 0);
    size_t size = (size_t)c[0].s.motion.row_count * sizeof(sup_row);
    /* The second one goes on from a copy of the state, with other scratch and workers. */
    c[1].s.motion.tasks = tasks;
    memset(c[1].rules.scratch, 0x55, SUPI_STEP_SCRATCH * size);
    memset(c[1].s.motion.scratch, 0x55, size);
    for (int k = 0; k < 2; k++) controlled_span(&c[k]);
    assert_memory_equal(c[0].s.rows.x, c[1].s.rows.x, size);
    assert_memory_equal(c[0].s.rows.v, c[1].s.rows.v, size);
    assert_memory_equal(c[0].mode, c[1].mode, size);
    assert_memory_equal(&c[0].state, &c[1].state, sizeof c[0].state);
    supi_tasks_destroy(tasks);
    for (int k = 0; k < 2; k++) controlled_free(&c[k]);
}

/* A pin that is on its way through a span of many steps. */
static void test_pins_in_a_span(void** state) {
    (void)state;
    const int32_t pin = 0;
    const sup_vec3 from = {0, 0, 0}, to = {0.01f, 0.02f, 0};
    static controlled c;
    controlled_init(&c, spring_chain(4, 0.1, 0.1, 1e4, 0.1, true), SUP_INTEGRATOR_SYMPLECTIC);
    c.s.motion.pin_count = 1;
    c.s.motion.pins = &pin;
    c.s.motion.pin_start = &from;
    c.s.motion.pin_end = &to;
    supi_step_report r = controlled_span(&c);
    assert_true(r.steps > 4 && r.forced == 0);
    assert_true(c.s.rows.x[0].x == to.x && c.s.rows.x[0].y == to.y);
    assert_true(fabs((double)c.s.rows.v[0].x - 0.6) < 1e-6);
    assert_true(c.s.rows.x[1].y > -0.1f + 1e-3f);
    controlled_free(&c);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_frequencies_of_cloth),
        cmocka_unit_test(test_frequencies_of_a_pair),
        cmocka_unit_test(test_limit_of_cube),
        cmocka_unit_test(test_limit_of_a_dashpot),
        cmocka_unit_test(test_falling_chain),
        cmocka_unit_test(test_integrators_agree),
        cmocka_unit_test(test_no_step_goes_too_far),
        cmocka_unit_test(test_no_spring_grows_too_much),
        cmocka_unit_test(test_forced_steps),
        cmocka_unit_test(test_longer_steps_after_eight_good_ones),
        cmocka_unit_test(test_state_and_workers),
        cmocka_unit_test(test_pins_in_a_span),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
