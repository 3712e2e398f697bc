/* Spec 4, A20 in worlds: cloth of springs, and of springs that a limit keeps as long as links, is
   folded, dropped and thrown and never begins to cross. Crossings are counted over the whole mesh,
   in double, in every frame. */
#include "restored.h"
#include "world/sheets.h"

/* All of it at night, a coarser and shorter version by day. */
static int32_t side(void) { return long_tests() ? 60 : short_tests() ? 8 : 16; }

static const double halves[] = {0.3, 0.02}; /* of edges */
static const char* const names[] = {"springs", "links"};

static cloth make_cloth(int32_t along, int links) {
    cloth c = cloth_make(along, false);
    c.limit = links ? 0.01 : 0;
    return c;
}

static double thickness(const cloth* c, int which) { return 2 * halves[which] / (c->side - 1); }

/* ---- Folded, thrown on itself, a ball and a plane ---- */

static int32_t run_drop(const cloth* c, bool folds, double thick, int32_t sweeps, int32_t frames,
                        double* speed) {
    sup_body body;
    sup_world* world = drop_swept(c, folds, thick, sweeps, 1, SUP_SIMD_AUTO, &body);
    int32_t worst = 0, active = 0;
    for (int32_t f = 0; f < frames; f++) {
        assert_int_equal(sup_world_step(world, 1.0 / 60), SUP_OK);
        assert_int_equal(restored_count(world), 0);
        int32_t now = crossings(world, c, &body, 1);
        sup_measures m = sup_world_measure(world);
        if (folds) assert_int_equal(m.thin.crossings, 0);
        active += m.thin.active;
        worst = now > worst ? now : worst;
    }
    assert_true(folds == (active > 0));
    *speed = rms_speed(world, c, body);
    sup_world_destroy(world);
    return worst;
}

/* `kind`: index of the name and of half the thickness. */
static double drop(int32_t along, int32_t sweeps, int32_t frames, int kind) {
    cloth c = make_cloth(along, kind / 2);
    double speed;
    assert_int_equal(run_drop(&c, true, thickness(&c, kind % 2), sweeps, frames, &speed), 0);
    print_message("%s %d x %d, half %g, %d sweeps: rms %.3g mm/s\n", names[kind / 2], (int)along,
                  (int)along, halves[kind % 2], (int)sweeps, 1e3 * speed);
    cloth_free(&c);
    return speed;
}

/* The spec has its figure for springs from 36 x 36. Finer ones, which have more layers, want more
   sweeps: with the usual ones 60 x 60 keep 12 mm/s at half 0.02, with 8 it is 6. */
static void a_dropped_fold_does_not_cross_and_comes_to_rest(void** state) {
    (void)state;
    const int32_t usual = sup_world_default().sweeps, many = 8;
    int32_t frames = long_tests() ? 600 : short_tests() ? 12 : 180;
    for (int k = 0; k < 2; k++) {
        double speed = drop(long_tests() ? 36 : short_tests() ? side() : 26, usual, frames, k);
        if (!short_tests()) assert_true(speed < 10e-3);
        if (long_tests()) assert_true(drop(side(), many, frames, k) < 10e-3);
    }
    /* A limit that pulls at crumpled layers keeps them moving: only told. */
    for (int k = 2; k < 4; k++) drop(side(), usual, frames, k);
}

static void without_the_setting_it_crosses(void** state) {
    (void)state;
    skip_under_sanitizers();
    cloth c = cloth_make(26, false);
    double speed;
    assert_true(run_drop(&c, false, 0, sup_world_default().sweeps, 60, &speed) > 0);
    cloth_free(&c);
}

/* ---- Free flight ---- */

/* What a solve leaves is momentum too. */
static void exact(sup_world* world, const cloth* c, sup_body body, double thick) {
    sup_spring_settings s = sup_spring_settings_default();
    sup_error error = {0};
    s.meets_itself = true;
    s.thickness = thick;
    s.limit = c->limit;
    s.drag = 0;
    s.tolerance = 1e-6;
    s.iterations = 1000;
    assert_ok(sup_body_set_springs(world, body, &s, &error), error);
}

static sup_world* empty_world(int32_t substeps) {
    const double none[3] = {0, 0, 0};
    sup_world* world = quiet_world(substeps, 1, SUP_SIMD_AUTO);
    assert_int_equal(sup_world_set_gravity(world, none, NULL), SUP_OK);
    return world;
}

/* Turns a sheet around x, then y, about the origin; shifts and throws it. */
static void throw_sheet(sup_world* world, const cloth* c, sup_body body, double around_x,
                        double around_y, const double to[3], double speed) {
    sup_point* p = calloc((size_t)c->count, sizeof *p);
    sup_vec3* v = calloc((size_t)c->count, sizeof *v);
    sup_body_read_particles(world, body, p, v);
    for (int32_t i = 0; i < c->count; i++) {
        double y = cos(around_x) * p[i].y - sin(around_x) * p[i].z;
        double z = sin(around_x) * p[i].y + cos(around_x) * p[i].z, x = p[i].x;
        p[i].x = cos(around_y) * x + sin(around_y) * z + to[0];
        p[i].y = y + to[1];
        p[i].z = cos(around_y) * z - sin(around_y) * x + to[2];
        v[i] = (sup_vec3){0, (float)speed, 0};
    }
    assert_int_equal(sup_body_write_particles(world, body, p, v, NULL), SUP_OK);
    free(p);
    free(v);
}

/* Two sheets at each other, each so fast. The most crossings of a frame; `momentum` is what they
   have in the end, as a share of what each particle had. */
static int32_t run_throw(const cloth* c, int which, double speed, int32_t substeps, int32_t frames,
                         double* momentum) {
    sup_world* world = empty_world(substeps);
    sup_body bodies[2];
    int32_t worst = 0, active = 0;
    for (int b = 0; b < 2; b++) {
        bodies[b] = cloth_put(world, c, true, thickness(c, which), (double[3]){0, 0, 0});
        exact(world, c, bodies[b], thickness(c, which));
        throw_sheet(world, c, bodies[b], b ? -0.5 : 0.5, b ? 0.7 : 0,
                    b ? (double[3]){0.013, 0.8, 0.021} : (double[3]){0, 0, 0}, b ? -speed : speed);
    }
    for (int32_t f = 0; f < frames; f++) {
        assert_int_equal(sup_world_step(world, 1.0 / 60), SUP_OK);
        assert_int_equal(restored_count(world), 0);
        int32_t now = crossings(world, c, bodies, 2);
        worst = now > worst ? now : worst;
        active += sup_world_measure(world).thin.active;
    }
    sup_measures m = sup_world_measure(world);
    double mass = 2 * 0.2;
    *momentum = 0;
    for (int k = 0; k < 3; k++) {
        *momentum = fmax(*momentum, fabs(m.momentum[k]) / (mass * speed));
    }
    assert_true(active > 0);
    sup_world_destroy(world);
    return worst;
}

static void thrown_sheets_do_not_cross(void** state) {
    (void)state;
    for (int k = 0; k < 4; k++) {
        cloth c = make_cloth(side(), k / 2);
        double momentum;
        int32_t frames = long_tests() ? 60 : short_tests() ? 6 : 20;
        int32_t crossed = run_throw(&c, k % 2, 10, 4, frames, &momentum);
        print_message("%s, half %g: %d crossings, momentum %.2g\n", names[k / 2], halves[k % 2],
                      (int)crossed, momentum);
        assert_int_equal(crossed, 0);
        assert_true(momentum < 1e-5);
        cloth_free(&c);
    }
}

static void thrown_sheets_do_not_cross_in_one_substep(void** state) {
    (void)state;
    for (int links = 0; links < 2; links++) {
        cloth c = make_cloth(side(), links);
        double momentum;
        int32_t crossed = run_throw(&c, 0, 30, 1,
                                    long_tests()    ? 60
                                    : short_tests() ? 5
                                                    : 15,
                                    &momentum);
        print_message("%s: %d crossings, momentum %.2g\n", names[links], (int)crossed, momentum);
        assert_int_equal(crossed, 0);
        /* Sweeps of the limit lose more where a substep is half a metre long. */
        assert_true(momentum < (links ? 1e-3 : 1e-5));
        cloth_free(&c);
    }
}

/* Along x, by mass: rims are lighter. */
static double middle(const sup_world* world, const cloth* c, sup_body body) {
    sup_point* p = calloc((size_t)c->count, sizeof *p);
    double sum = 0, mass = 0;
    sup_body_read_particles(world, body, p, NULL);
    for (int32_t i = 0; i < c->count; i++) {
        double m = (double)sup_blueprint_get_particle(c->print, i).mass;
        sum += m * p[i].x;
        mass += m;
    }
    free(p);
    return sum / mass;
}

static void a_fold_flies_freely(void** state) {
    (void)state;
    skip_under_sanitizers();
    for (int k = 0; k < 4; k++) {
        /* Coarser ones unfold faster than this looks at. */
        cloth c = make_cloth(long_tests() ? 60 : 26, k / 2);
        sup_world* world = empty_world(4);
        sup_body body = cloth_put(world, &c, true, 0, (double[3]){0, 0, 0});
        exact(world, &c, body, thickness(&c, k % 2));
        cloth_fold(world, &c, body, 2.0 / (c.side - 1), (double[3]){5, 0, 0});
        double from = middle(world, &c, body);
        for (int32_t f = 0; f < 30; f++) {
            assert_int_equal(sup_world_step(world, 1.0 / 60), SUP_OK);
            assert_int_equal(crossings(world, &c, &body, 1), 0);
        }
        double way = middle(world, &c, body) - from, speed = rms_speed(world, &c, body);
        print_message("%s, half %g: %.5f m, rms %.4f m/s\n", names[k / 2], halves[k % 2], way,
                      speed);
        assert_true(fabs(way - 2.5) < 1e-3);
        assert_true(speed < 5.02);
        sup_world_destroy(world);
        cloth_free(&c);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_dropped_fold_does_not_cross_and_comes_to_rest),
        cmocka_unit_test(without_the_setting_it_crosses),
        cmocka_unit_test(thrown_sheets_do_not_cross),
        cmocka_unit_test(thrown_sheets_do_not_cross_in_one_substep),
        cmocka_unit_test(a_fold_flies_freely),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
