/* Linear and quadratic goals in a world: momenta stay, a bar that is squeezed or twisted by its
   ends follows as far as its mode lets it, and of the energy that is measured the share beta is
   none. */
#include "world/bodies.h"

enum { MODES = SUP_MATCH_QUADRATIC + 1 };
static const char* const mode_names[MODES] = {"rigid", "linear", "quadratic"};

/* ---- Momenta ---- */

/* A shaken and spinning cube, alone: dP and dL after `steps`, relative. */
static void drift(const sup_blueprint_def* print, sup_match_mode mode, sup_scheme scheme,
                  bool keeps_volume, double* linear, double* angular) {
    sup_world_def world = weightless_world();
    sup_body_def body = sup_body_default();
    body.material.mode = mode;
    body.material.scheme = scheme;
    body.material.keeps_volume = keeps_volume;
    body.material.beta = 0.7;
    body.stays_awake = true;
    live l;
    live_create(&l, &world, print, &body, 1.0 / 240.0);
    set_motion(l.count, l.mass, l.x, l.v, (double[3]){0.3, -0.2, 0.1}, (double[3]){1, 2, -1});
    dice d = {21};
    for (int32_t i = 0; i < l.count; i++) {
        for (int k = 0; k < 3; k++) l.x[i][k] += 0.08 * dice_roll(&d);
    }
    live_write(&l);
    momenta before = measure(l.count, l.mass, l.x, l.v);
    live_step(&l, 600);
    momenta after = measure(l.count, l.mass, l.x, l.v);
    *linear = distance_of(after.linear, before.linear) / length_of(before.linear);
    *angular = distance_of(after.spin, before.spin) / length_of(before.spin);
    live_free(&l);
}

/* One cluster, and eight that overlap in the middle. */
static void momenta_stay(void** state) {
    (void)state;
    sup_vec3 points[64];
    eight_clusters lists;
    for (int n = 0; n < 2 * MODES * 4; n++) {
        sup_blueprint_def print = cube_of_64(points);
        sup_match_mode mode = (sup_match_mode)(n / 4 % MODES);
        sup_scheme scheme = n & 1 ? SUP_SCHEME_S : SUP_SCHEME_D;
        bool overlapping = n >= 4 * MODES, keeps_volume = n & 2;
        if (overlapping) split_cube(&print, &lists);
        double linear, angular;
        drift(&print, mode, scheme, keeps_volume, &linear, &angular);
        print_message("%-9s %s, %s, volume %s: dP/P %.1e, dL/L %.1e\n", mode_names[mode],
                      overlapping ? "8 clusters" : "1 cluster", n & 1 ? "S" : "D",
                      keeps_volume ? "kept" : "free", linear, angular);
        assert_below(linear, 1e-3);
        assert_below(angular, 1e-3);
    }
}

/* ---- Bars held by their ends ---- */

enum { ACROSS = 4, ALONG = 9, BAR = ACROSS * ACROSS * ALONG };
static const double spacing = 0.1;

/* Where a particle of the bar, whose lower end is held, goes if the whole bar follows its upper
   end: lowered by a share, turned about the axis y. */
static void follow(const sup_vec3* rest, double lowered, double turned, double out[3]) {
    double height = 0.5 * spacing * (ALONG - 1), share = ((double)rest->y + height) / (2 * height);
    double angle = share * turned, x = (double)rest->x, z = (double)rest->z;
    out[0] = cos(angle) * x + sin(angle) * z;
    out[1] = (double)rest->y - share * lowered * 2 * height;
    out[2] = cos(angle) * z - sin(angle) * x;
}

/* Mean distance of the free particles from there, once the bar is at rest, in bar lengths. */
static double lag_of(sup_match_mode mode, double lowered, double turned, double* farthest) {
    sup_vec3 points[BAR];
    int32_t pins[2 * ACROSS * ACROSS], count = 0;
    sup_blueprint_def print = sup_blueprint_default();
    print.point_count =
        make_lattice(ACROSS, ALONG, ACROSS, (double[3]){spacing, spacing, spacing}, points);
    print.points = points;
    for (int32_t i = 0; i < BAR; i++) {
        int32_t y = i / ACROSS % ALONG;
        if (y == 0 || y == ALONG - 1) pins[count++] = i;
    }
    print.pin_count = count;
    print.pins = pins;
    sup_world_def world = weightless_world();
    sup_body_def body = sup_body_default();
    body.material.mode = mode;
    body.material.beta = 0.9;
    live l;
    live_create(&l, &world, &print, &body, 1.0 / 240.0);
    int32_t ids[2 * ACROSS * ACROSS];
    sup_blueprint_read_pins(l.blueprint, ids);
    for (int t = 1; t <= 960; t++) {
        double share = t < 480 ? t / 480.0 : 1.0;
        sup_point places[2 * ACROSS * ACROSS];
        for (int32_t i = 0; i < count; i++) {
            double at[3];
            follow(points + ids[i], share * lowered, share * turned, at);
            places[i] = (sup_point){at[0], at[1], at[2]};
        }
        assert_int_equal(sup_body_move_pins(l.world, l.body, places, NULL), SUP_OK);
        live_step(&l, 1);
    }
    double sum = 0;
    *farthest = 0;
    for (int32_t i = 0; i < BAR; i++) {
        double at[3];
        follow(points + i, lowered, turned, at);
        double apart = distance_of(at, l.x[i]) / (spacing * (ALONG - 1));
        sum += apart / (BAR - count);
        *farthest = apart > *farthest ? apart : *farthest;
    }
    live_free(&l);
    return sum;
}

/* A squeezed quadratic bar must not drive its own bends: with its volume kept it once grew to three
   times its height. */
static void bars_follow_their_ends(void** state) {
    (void)state;
    double squeezed[MODES], twisted[MODES], far;
    for (int mode = 0; mode < MODES; mode++) {
        squeezed[mode] = lag_of((sup_match_mode)mode, 0.5, 0.1, &far);
        assert_below(far, 0.3);
        twisted[mode] = lag_of((sup_match_mode)mode, 0.0, 1.2, &far);
        assert_below(far, 0.3);
        print_message("%-9s lags %.3f lengths behind a squeeze, %.3f behind a twist\n",
                      mode_names[mode], squeezed[mode], twisted[mode]);
    }
    assert_below(squeezed[SUP_MATCH_LINEAR], 0.7 * squeezed[SUP_MATCH_RIGID]);
    assert_below(squeezed[SUP_MATCH_QUADRATIC], 0.7 * squeezed[SUP_MATCH_RIGID]);
    assert_above(twisted[SUP_MATCH_LINEAR], 0.7 * twisted[SUP_MATCH_RIGID]);
    assert_below(twisted[SUP_MATCH_QUADRATIC], 0.6 * twisted[SUP_MATCH_RIGID]);
}

/* ---- Energy ---- */

/* A cube that was stretched by a tenth is let go: the energy that is measured, and the most that
   becomes kinetic. */
static void release(sup_match_mode mode, double beta, double* elastic, double* kinetic) {
    sup_vec3 points[64];
    sup_blueprint_def print = cube_of_64(points);
    sup_world_def world = weightless_world();
    sup_body_def body = sup_body_default();
    body.material.mode = mode;
    body.material.beta = beta;
    body.material.keeps_volume = false;
    body.material.scheme = SUP_SCHEME_S;
    body.material.stiffness = 20.0;
    live l;
    live_create(&l, &world, &print, &body, 1.0 / 2000.0);
    for (int32_t i = 0; i < l.count; i++) l.x[i][0] *= 1.1;
    live_write(&l);
    *elastic = sup_world_measure(l.world).elastic;
    *kinetic = 0.0;
    for (int step = 0; step < 400; step++) {
        live_advance(&l, 1);
        *kinetic = fmax(*kinetic, sup_world_measure(l.world).kinetic);
    }
    live_free(&l);
}

/* The measure is taken against rigid goals in every mode. */
static void measured_energy_is_that_of_rigid_goals(void** state) {
    (void)state;
    double rigid, kinetic;
    release(SUP_MATCH_RIGID, 0.6, &rigid, &kinetic);
    assert_near(kinetic, rigid, 0.02);
    for (int mode = SUP_MATCH_LINEAR; mode < MODES; mode++) {
        double elastic;
        release((sup_match_mode)mode, 0.6, &elastic, &kinetic);
        print_message("%-9s %.4f J measured, %.4f J become kinetic\n", mode_names[mode], elastic,
                      kinetic);
        assert_near(elastic, rigid, 1e-6);
        assert_near(kinetic, 0.4 * elastic, 0.02);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(momenta_stay),
        cmocka_unit_test(bars_follow_their_ends),
        cmocka_unit_test(measured_energy_is_that_of_rigid_goals),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
