/* The laboratory of integrators: energy, limits, order, rest and momentum, of the twins in double
   and of the engine's own. */
#include "ref/ref_random.h"
#include "solve/spring_motion.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

static const sup_integrator explicit_ones[6] = {
    SUP_INTEGRATOR_EULER,           SUP_INTEGRATOR_SYMPLECTIC, SUP_INTEGRATOR_VELOCITY_VERLET,
    SUP_INTEGRATOR_POSITION_VERLET, SUP_INTEGRATOR_MIDPOINT,   SUP_INTEGRATOR_RK4};
static const char* const names[] = {[SUP_INTEGRATOR_IMPLICIT] = "implicit",
                                    [SUP_INTEGRATOR_SYMPLECTIC] = "symplectic",
                                    [SUP_INTEGRATOR_VELOCITY_VERLET] = "velocity Verlet",
                                    [SUP_INTEGRATOR_POSITION_VERLET] = "position Verlet",
                                    [SUP_INTEGRATOR_EULER] = "Euler",
                                    [SUP_INTEGRATOR_MIDPOINT] = "midpoint",
                                    [SUP_INTEGRATOR_RK4] = "RK4"};

/* ---- One mass on a spring: m = 1 kg, k = 100 N/m, w0 = 10 rad/s ---- */

/* In double or, where `single`, by the engine: a pinned row and one on a spring of no length. */
typedef struct oscillator {
    bool single;
    ref_system twin;
    spring_motion engine;
} oscillator;

static void oscillator_forces(const void* context, const double* x, const double* v, double* f) {
    const double* damping = context;
    f[0] = -100.0 * x[0] - *damping * v[0];
}

static void oscillator_init(oscillator* o, bool single, sup_integrator integrator,
                            const double* damping) {
    o->single = single;
    o->twin = (ref_system){.count = 1, .forces = oscillator_forces, .context = damping};
    o->twin.inverse_mass[0] = 1.0;
    o->twin.x[0] = 1.0;
    if (!single) return;
    const sup_vec3 points[2] = {{0, 0, 0}, {1, 0, 0}};
    const float w[2] = {0, 1};
    sup_spring spring = {0, 1, 0.0f, 100.0f, (float)*damping, 0, false};
    spring_motion_init(&o->engine, spring_body_make(points, w, 2, &spring, 1, 0.0), integrator);
}

static void oscillator_step(oscillator* o, sup_integrator integrator, double h) {
    if (o->single) {
        supi_explicit_step(&o->engine.motion, 0.0, h, NULL, &o->engine.rows);
        o->twin.x[0] = (double)o->engine.rows.x[1].x;
        o->twin.v[0] = (double)o->engine.rows.v[1].x;
    } else {
        ref_system_step(&o->twin, integrator, h);
    }
}

static void oscillator_free(oscillator* o) {
    if (o->single) spring_motion_free(&o->engine);
}

/* Energy after the steps as a share of what it was; *least and *most on the way. */
static double energy_after(bool single, sup_integrator integrator, int steps, double* least,
                           double* most) {
    static oscillator o;
    const double damping = 0.0;
    double energy = 1.0;
    oscillator_init(&o, single, integrator, &damping);
    *least = *most = 1.0;
    for (int n = 0; n < steps; n++) {
        oscillator_step(&o, integrator, 0.01);
        energy = o.twin.x[0] * o.twin.x[0] + o.twin.v[0] * o.twin.v[0] / 100.0;
        *least = fmin(*least, energy);
        *most = fmax(*most, energy);
    }
    oscillator_free(&o);
    return energy;
}

static void test_energy(void** state) {
    (void)state;
    const struct {
        sup_integrator integrator;
        double factor;
    } cases[] = {{SUP_INTEGRATOR_EULER, 2.0959e4},
                 {SUP_INTEGRATOR_MIDPOINT, 1.02531},
                 {SUP_INTEGRATOR_RK4, 0.999986}};
    double least, most;
    for (int single = 0; single < 2; single++) {
        for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
            double found = energy_after(single, cases[i].integrator, 1000, &least, &most);
            print_message("%s %s: energy %.6g\n", single ? "float" : "double",
                          names[cases[i].integrator], found);
            assert_true(fabs(found / cases[i].factor - 1.0) < 1e-3);
        }
        energy_after(single, SUP_INTEGRATOR_SYMPLECTIC, 1000, &least, &most);
        print_message("symplectic: %.5f .. %.5f\n", least, most);
        assert_true(least >= 0.9523 && least < 0.96 && most <= 1.0527 && most > 1.04);
        energy_after(single, SUP_INTEGRATOR_VELOCITY_VERLET, 1000, &least, &most);
        assert_true(least > 0.997 && most < 1.003);
    }
    double amplitude = sqrt(energy_after(false, SUP_INTEGRATOR_IMPLICIT, 100, &least, &most));
    print_message("implicit: amplitude %.5f\n", amplitude);
    assert_true(fabs(amplitude - 0.6080) < 1e-3);
}

/* Largest |x| within 1e5 steps of h = share of the limit, or the first beyond 1e3. */
static double swing(bool single, double damping, double limit, double share) {
    static oscillator o;
    double most = 0.0;
    oscillator_init(&o, single, SUP_INTEGRATOR_SYMPLECTIC, &damping);
    for (int n = 0; n < 100000 && most <= 1e3; n++) {
        oscillator_step(&o, SUP_INTEGRATOR_SYMPLECTIC, share * limit / 10.0);
        most = fmax(most, fabs(o.twin.x[0]));
    }
    oscillator_free(&o);
    return most;
}

/* z = 0.5 is c = 2 z sqrt(k m) = 10. */
static void test_limits_of_symplectic_euler(void** state) {
    (void)state;
    for (int single = 0; single < 2; single++) {
        assert_true(swing(single, 0.0, 2.0, 0.999) < 1e3);
        assert_true(swing(single, 0.0, 2.0, 1.001) > 1e3);
        assert_true(swing(single, 10.0, sqrt(5.0) - 1.0, 0.999) < 1e3);
        assert_true(swing(single, 10.0, sqrt(5.0) - 1.0, 1.001) > 1e3);
    }
}

/* |(x, v/w0) - exact| at 1 s. Position Verlet has the velocity of that time after one more step. */
static double error_at_one_second(sup_integrator integrator, int steps) {
    static oscillator o;
    const double damping = 0.0;
    double h = 1.0 / steps;
    oscillator_init(&o, false, integrator, &damping);
    for (int n = 0; n < steps; n++) oscillator_step(&o, integrator, h);
    double x = o.twin.x[0], v = o.twin.v[0];
    if (integrator == SUP_INTEGRATOR_POSITION_VERLET) {
        oscillator_step(&o, integrator, h);
        v = 0.5 * (v + o.twin.v[0]);
    }
    return hypot(x - cos(10.0), v / 10.0 + sin(10.0));
}

static void test_order(void** state) {
    (void)state;
    const struct {
        sup_integrator integrator;
        double ratio, within;
    } cases[] = {{SUP_INTEGRATOR_EULER, 2, 0.2},
                 {SUP_INTEGRATOR_SYMPLECTIC, 2, 0.2},
                 {SUP_INTEGRATOR_IMPLICIT, 2, 0.2},
                 {SUP_INTEGRATOR_VELOCITY_VERLET, 4, 0.3},
                 {SUP_INTEGRATOR_POSITION_VERLET, 4, 0.3},
                 {SUP_INTEGRATOR_MIDPOINT, 4, 0.3},
                 {SUP_INTEGRATOR_RK4, 16, 2}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        double ratio = error_at_one_second(cases[i].integrator, 400) /
                       error_at_one_second(cases[i].integrator, 800);
        print_message("%s: order ratio %.2f\n", names[cases[i].integrator], ratio);
        assert_true(fabs(ratio - cases[i].ratio) < cases[i].within);
    }
}

/* ---- The engine's and the twin ---- */

/* Positions and velocities after uneven steps are those of the twin but for rounding. */
static void test_twins(void** state) {
    (void)state;
    for (int k = 0; k < 6; k++) {
        static spring_motion s;
        static ref_system twin;
        ref_spring_list springs;
        spring_motion_init(&s, spring_cube(3, 0.1, 0.01, 500.0, 0.1), explicit_ones[k]);
        s.gravity = (sup_vec3){0.5f, -9.81f, 0};
        uint64_t seed = 7;
        for (int32_t i = 0; i < s.body.count; i++) {
            s.body.v[i] = (sup_row){(float)ref_random(&seed), (float)ref_random(&seed),
                                    (float)ref_random(&seed), 0.25f};
        }
        s.body.x[4].w = 0.0f;
        s.body.v[4] = (sup_row){0, 0, 0, 0.25f};
        spring_motion_twin(&s, &twin, &springs);
        for (int n = 0; n < 40; n++) {
            double h = n % 3 == 0 ? 2e-4 : 3e-4;
            supi_explicit_step(&s.motion, 0.0, h, NULL, &s.rows);
            ref_system_step(&twin, explicit_ones[k], h);
        }
        double miss = 0.0;
        for (int32_t i = 0; i < s.body.count; i++) {
            const sup_row *x = s.rows.x + i, *v = s.rows.v + i;
            miss =
                fmax(miss, hypot((double)x->x - twin.x[3 * i], (double)x->y - twin.x[3 * i + 1]));
            miss = fmax(miss, 1e-2 * fabs((double)v->z - twin.v[3 * i + 2]));
            assert_true(x->w == (i == 4 ? 0.0f : 100.0f) && v->w == 0.25f);
        }
        print_message("%s: %.1e m from the twin\n", names[explicit_ones[k]], miss);
        assert_true(miss < 1e-6);
        assert_true(s.rows.x[4].x == s.body.rest[4].x && s.rows.v[4].x == 0.0f);
        spring_motion_free(&s);
    }
}

/* What forces are already known need not be computed again, and drag divides velocities. */
static void test_first_forces_and_drag(void** state) {
    (void)state;
    for (int k = 0; k < 6; k++) {
        static spring_motion a, b;
        spring_motion_init(&a, spring_chain(9, 0.1, 0.1, 1000.0, 0.1, true), explicit_ones[k]);
        spring_motion_init(&b, spring_chain(9, 0.1, 0.1, 1000.0, 0.1, true), explicit_ones[k]);
        a.gravity = b.gravity = (sup_vec3){1, -9.81f, 0};
        b.motion.drag = 100.0;
        spring_motion_forces(&b, b.rows.x, b.rows.v, b.body.f);
        supi_explicit_step(&a.motion, 0.0, 1e-2, NULL, &a.rows);
        supi_explicit_step(&b.motion, 0.0, 1e-2, b.body.f, &b.rows);
        for (int32_t i = 0; i < 9; i++) {
            assert_true(a.rows.x[i].x == b.rows.x[i].x && a.rows.x[i].y == b.rows.x[i].y);
            assert_true(b.rows.v[i].y == 0.5f * a.rows.v[i].y);
        }
        assert_true(a.rows.v[8].y < 0.0f);
        spring_motion_free(&a);
        spring_motion_free(&b);
    }
}

/* A pin on its way: stages find it where it is at their time, and it ends exactly at its end. Its
   chain follows as by RK4, within the error of the scheme. */
static void test_pins_move(void** state) {
    (void)state;
    const sup_vec3 from = {0, 0, 0}, to = {0.3f, 0.1f, -0.7f};
    const int32_t pin = 0;
    const double most[5] = {8e-3, 4e-4, 2e-4, 4e-4, 2e-5}; /* half a step late: 3.5e-4 */
    sup_row ends[6];
    for (int k = 0; k < 6; k++) {
        static spring_motion s;
        spring_motion_init(&s, spring_chain(3, 0.1, 0.1, 100.0, 0.5, true), explicit_ones[k]);
        s.motion.pin_count = 1;
        s.motion.pins = &pin;
        s.motion.pin_start = &from;
        s.motion.pin_end = &to;
        s.motion.drag = 1e-9;
        for (int n = 0; n < 1000; n++) {
            supi_explicit_step(&s.motion, n / 1000.0, 1e-3, NULL, &s.rows);
            assert_true(fabs((double)s.rows.x[0].z + 0.7 * (n + 1) / 1000.0) < 1e-7);
        }
        assert_true(s.rows.x[0].x == to.x && s.rows.x[0].y == to.y && s.rows.x[0].z == to.z);
        assert_true(s.rows.v[0].x == to.x && s.rows.v[0].z == to.z);
        ends[k] = s.rows.x[2];
        spring_motion_free(&s);
    }
    for (int k = 0; k < 5; k++) {
        double miss = hypot((double)(ends[k].x - ends[5].x), (double)(ends[k].z - ends[5].z));
        print_message("%s: %.1e m from RK4\n", names[explicit_ones[k]], miss);
        assert_true(miss < most[k]);
    }
}

/* ---- Bodies ---- */

/* Ten masses hang from a pinned one: sum of 1 .. 10 times m g / k. */
static void test_hanging_chain(void** state) {
    (void)state;
    const double right = 55.0 * 0.1 * 9.81 / 1000.0;
    for (int k = 0; k < 7; k++) {
        static spring_motion s;
        static ref_system twin;
        ref_spring_list springs;
        sup_integrator integrator = k < 6 ? explicit_ones[k] : SUP_INTEGRATOR_IMPLICIT;
        spring_motion_init(&s, spring_chain(11, 0.1, 0.1, 1000.0, 0.5, true), integrator);
        s.gravity = (sup_vec3){0, -9.81f, 0};
        spring_motion_twin(&s, &twin, &springs);
        int steps = k < 6 ? 10000 : 500; /* the twin's solve is slow, but takes long steps */
        for (int n = 0; n < steps; n++) {
            if (k < 6) supi_explicit_step(&s.motion, 0.0, 1e-3, NULL, &s.rows);
            ref_system_step(&twin, integrator, 10.0 / steps);
        }
        double found = -1.0 - (double)s.rows.x[10].y, doubled = -1.0 - twin.x[31];
        if (k == 6) found = doubled; /* its own test is that of the implicit step */
        print_message("%s: extension %.6f m, twin %.6f (%.6f)\n", names[integrator], found, doubled,
                      right);
        assert_true(fabs(doubled / right - 1.0) < 0.01 && fabs(found / right - 1.0) < 0.01);
        spring_motion_free(&s);
    }
}

/* Momentum, and angular momentum about the centre of the masses. */
static void momenta(const spring_motion* s, double p[3], double spin[3], double* speeds) {
    double centre[3] = {0}, mass = 0.0;
    for (int k = 0; k < 3; k++) p[k] = spin[k] = 0.0;
    *speeds = 0.0;
    for (int pass = 0; pass < 2; pass++) {
        for (int32_t i = 0; i < s->body.count; i++) {
            const sup_row *x = s->rows.x + i, *v = s->rows.v + i;
            double m = 1.0 / (double)x->w, at[3] = {(double)x->x, (double)x->y, (double)x->z},
                   u[3] = {(double)v->x, (double)v->y, (double)v->z};
            if (pass == 0) mass += m;
            for (int k = 0; k < 3; k++) {
                int a = (k + 1) % 3, b = (k + 2) % 3;
                if (pass == 0) {
                    centre[k] += m * at[k];
                    p[k] += m * u[k];
                } else {
                    spin[k] += m * ((at[a] - centre[a]) * u[b] - (at[b] - centre[b]) * u[a]);
                }
            }
            if (pass == 1) *speeds += m * sqrt(u[0] * u[0] + u[1] * u[1] + u[2] * u[2]);
        }
        for (int k = 0; k < 3 && pass == 0; k++) centre[k] /= mass;
    }
}

static void test_momentum(void** state) {
    (void)state;
    static spring_motion s;
    double p[2][3], spin[2][3], speeds[2];
    spring_motion_init(&s, spring_cube(4, 0.1, 0.01, 500.0, 0.05), SUP_INTEGRATOR_SYMPLECTIC);
    uint64_t seed = 3;
    for (int32_t i = 0; i < s.body.count; i++) {
        s.body.v[i] = (sup_row){(float)ref_random(&seed), (float)ref_random(&seed),
                                (float)ref_random(&seed), 0.0f};
    }
    momenta(&s, p[0], spin[0], &speeds[0]);
    for (int n = 0; n < 10000; n++) supi_explicit_step(&s.motion, 0.0, 1e-3, NULL, &s.rows);
    momenta(&s, p[1], spin[1], &speeds[1]);
    double drift =
        sqrt(pow(p[1][0] - p[0][0], 2) + pow(p[1][1] - p[0][1], 2) + pow(p[1][2] - p[0][2], 2)) /
        speeds[0];
    print_message("momentum drift %.1e\n", drift);
    assert_true(drift < 1e-4);
    spring_motion_free(&s);
}

/* The angular momentum of a spin of 5 rad/s, at first and after 10,000 steps. */
static void spin_on(bool unprojected, double spin[2][3]) {
    static spring_motion s;
    double p[3], speeds;
    spring_motion_init(&s, spring_cube(4, 0.1, 0.01, 500.0, 1.0), SUP_INTEGRATOR_SYMPLECTIC);
    s.unprojected = unprojected;
    for (int32_t i = 0; i < s.body.count; i++) {
        s.body.x[i].x -= 0.15f;
        s.body.x[i].y -= 0.15f;
        s.body.v[i] = (sup_row){-5.0f * s.body.x[i].y, 5.0f * s.body.x[i].x, 0.0f, 0.0f};
    }
    momenta(&s, p, spin[0], &speeds);
    for (int n = 0; n < 10000; n++) supi_explicit_step(&s.motion, 0.0, 1e-4, NULL, &s.rows);
    momenta(&s, p, spin[1], &speeds);
    spring_motion_free(&s);
}

static double length_of(const double v[3]) { return sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]); }

/* Its direction stays, too: what drifts is the vector. */
static void test_spin(void** state) {
    (void)state;
    double spin[2][3], wrong[2][3], change[3];
    spin_on(false, spin);
    spin_on(true, wrong);
    for (int k = 0; k < 3; k++) change[k] = spin[1][k] - spin[0][k];
    double drift = length_of(change) / length_of(spin[0]);
    double left = length_of(wrong[1]) / length_of(wrong[0]);
    print_message("spin drift %.1e, with unprojected damping %.3f left\n", drift, left);
    assert_true(drift < 1e-4);
    assert_true(left < 0.9);
}

/* Rows in pieces: the number of workers changes no bit. */
static void test_workers(void** state) {
    (void)state;
    for (int k = 0; k < 6; k++) {
        static spring_motion s[2];
        supi_tasks* tasks;
        assert_int_equal(supi_tasks_create(sup_allocator_default(), 4, NULL, &tasks, NULL), SUP_OK);
        for (int i = 0; i < 2; i++) {
            spring_motion_init(&s[i], spring_cube(14, 0.1, 0.01, 500.0, 0.1), explicit_ones[k]);
            s[i].gravity = (sup_vec3){1, -9.81f, 2};
            s[i].body.x[0].w = 0.0f;
            s[i].motion.drag = 0.5;
            if (i == 1) s[i].motion.tasks = tasks;
            for (int n = 0; n < 5; n++) {
                supi_explicit_step(&s[i].motion, 0.0, 1e-3, NULL, &s[i].rows);
            }
        }
        size_t size = (size_t)s[0].motion.row_count * sizeof(sup_row);
        assert_memory_equal(s[0].rows.x, s[1].rows.x, size);
        assert_memory_equal(s[0].rows.v, s[1].rows.v, size);
        supi_tasks_destroy(tasks);
        for (int i = 0; i < 2; i++) spring_motion_free(&s[i]);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_energy),
        cmocka_unit_test(test_limits_of_symplectic_euler),
        cmocka_unit_test(test_order),
        cmocka_unit_test(test_twins),
        cmocka_unit_test(test_first_forces_and_drag),
        cmocka_unit_test(test_pins_move),
        cmocka_unit_test(test_hanging_chain),
        cmocka_unit_test(test_momentum),
        cmocka_unit_test(test_spin),
        cmocka_unit_test(test_workers),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
