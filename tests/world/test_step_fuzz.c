/* Steps of changing length. With the implicit rule a body that falls, lands and lies stays as slow
   as its fall allows, whatever the steps are; without damping the same steps blow it up, while
   steps of one length never do. */
#include "world/bodies.h"

static const double gravity = 9.81, fall = 1.5, w0 = 120.0;
static const double shortest = 1e-4, longest = 1.0 / 20.0; /* s */

enum { MODES = SUP_MATCH_QUADRATIC + 1 };
static const char* const mode_names[] = {"rigid", "linear", "quadratic"};

static double random_step(dice* d) {
    return shortest + (longest - shortest) * (0.5 + 0.5 * dice_roll(d));
}

static double fastest_of(const live* l) {
    double fastest = 0;
    for (int32_t i = 0; i < l->count; i++) {
        double speed = length_of(l->v[i]);
        fastest = !(speed < 1e30) ? INFINITY : speed > fastest ? speed : fastest;
    }
    return fastest;
}

/* ---- A cube that falls onto a floor ---- */

typedef struct drop {
    sup_scheme scheme;
    sup_match_mode mode;
    bool tumbled; /* in a random attitude, not on a face */
    double h;     /* s; 0: another one every step */
    double damping;
    uint64_t seed;
} drop;

typedef struct speeds {
    double all, late; /* largest of all steps, and of the second half */
} speeds;

/* Falls by `fall` from where its lowest particle is. Stops beyond 1e5 m/s, where nothing is left to
 * see. */
static speeds drop_cube(const drop* how, int32_t steps) {
    sup_vec3 points[64];
    sup_blueprint_def def = cube_of_64(points);
    sup_world_def world = weightless_world();
    sup_body_def body = sup_body_default();
    sup_collider_def floor_def = sup_collider_default();
    dice d = {how->seed};
    world.gravity[1] = -gravity;
    body.material.scheme = how->scheme;
    body.material.rule = SUP_STIFFNESS_IMPLICIT;
    body.material.mode = how->mode;
    body.material.stiffness = w0;
    body.material.damping = how->damping;
    if (how->tumbled) dice_turn(&d, body.rotation);
    live l;
    live_create(&l, &world, &def, &body, how->h);
    double lowest = l.x[0][1];
    for (int32_t i = 1; i < l.count; i++) lowest = fmin(lowest, l.x[i][1]);
    const double lift[3] = {0, fall + floor_def.thickness - lowest, 0};
    assert_int_equal(sup_body_teleport(l.world, l.body, lift, NULL, NULL), SUP_OK);
    assert_int_equal(sup_collider_create(l.world, &floor_def, NULL, NULL), SUP_OK);
    speeds out = {0, 0};
    for (int32_t t = 0; t < steps && out.all < 1e5; t++) {
        if (how->h == 0) l.h = random_step(&d);
        live_step(&l, 1);
        double now = fastest_of(&l);
        out.all = fmax(out.all, now);
        if (t >= steps / 2) out.late = fmax(out.late, now);
    }
    live_free(&l);
    return out;
}

/* Without damping of the material the rule damps as much as it pulls, and no less. */
static void falling_cube_survives_any_steps(void** state) {
    (void)state;
    int32_t seeds = short_tests() ? 2 : 10;
    int32_t steps = long_tests() ? 20000 : short_tests() ? 500 : 4000;
    const double impact = sqrt(2 * gravity * fall) + gravity * longest;
    for (int n = 0; n < 4 * MODES; n++) {
        drop how = {.mode = (sup_match_mode)(n % MODES),
                    .tumbled = n / MODES % 2,
                    .damping = n < 2 * MODES ? 0.3 : 0.0};
        speeds worst = {0, 0};
        for (int32_t seed = 0; seed < seeds; seed++) {
            how.seed = 100 + (uint64_t)seed;
            speeds now = drop_cube(&how, steps);
            worst.all = fmax(worst.all, now.all);
            worst.late = fmax(worst.late, now.late);
        }
        print_message("%s, %s, damping %.1f: fastest %.2f m/s, at rest %.2f\n",
                      how.tumbled ? "random attitude" : "on a face", mode_names[how.mode],
                      how.damping, worst.all, worst.late);
        assert_below(worst.all, how.tumbled ? 2 * impact : 7.5);
        assert_below(worst.late, 2 * w0 * gravity * longest * longest);
    }
}

static void steady_steps_leave_it_at_rest(void** state) {
    (void)state;
    for (int mode = 0; mode < MODES; mode++) {
        drop how = {.mode = (sup_match_mode)mode, .h = longest, .damping = 0.3, .seed = 1};
        speeds flat = drop_cube(&how, 2000);
        how.tumbled = true;
        speeds tumbled = drop_cube(&how, 2000);
        print_message("steps of 1/20 s, %s: at rest %.4f m/s, %.4f after a tumble\n",
                      mode_names[mode], flat.late, tumbled.late);
        assert_below(flat.late, 0.05);
        assert_below(tumbled.late, 0.05);
    }
}

static void no_damping_explodes(void** state) {
    (void)state;
    drop how = {.scheme = SUP_SCHEME_S, .seed = 1};
    double fastest = drop_cube(&how, 20000).all;
    print_message("scheme S: %.1e m/s\n", fastest);
    assert_above(fastest, 1e4);
}

/* ---- Scheme S at a constant step ---- */

enum { EARLY = 200 };
static const double alphas[] = {0.1, 0.5, 1.0};

static double kinetic_of(int32_t count, const double* mass, double (*v)[3]) {
    double sum = 0;
    for (int32_t i = 0; i < count; i++) sum += 0.5 * mass[i] * pow(length_of(v[i]), 2);
    return sum;
}

/* A free cube at rest, every particle up to 1 % of its size out of place. */
static void start_disturbed(live* l, const sup_blueprint_def* def, double alpha, double h) {
    sup_world_def world = weightless_world();
    sup_body_def body = sup_body_default();
    dice d = {31};
    body.material.scheme = SUP_SCHEME_S;
    body.material.rule = SUP_STIFFNESS_RAW;
    body.material.stiffness = alpha;
    live_create(l, &world, def, &body, h);
    for (int32_t i = 0; i < l->count; i++) {
        for (int k = 0; k < 3; k++) l->x[i][k] += 0.01 * l->size * dice_roll(&d);
    }
    live_write(l);
}

/* Largest kinetic energy of all steps as a multiple of that of the first EARLY ones; *twin_growth:
   the same of the double twin. */
static double growth(double alpha, double h, int32_t steps, double* twin_growth) {
    sup_vec3 points[64];
    sup_blueprint_def def = cube_of_64(points);
    live l;
    start_disturbed(&l, &def, alpha, h);
    ref_body* twin = ref_body_create(&def, REF_AVERAGE, false);
    copy_state(&l, twin);
    ref_rules rules = ref_rules_default();
    rules.scheme = REF_S;
    rules.h = h;
    rules.alpha = alpha;
    double most[2] = {0, 0}, early[2] = {0, 0};
    for (int32_t t = 0; t < steps; t++) {
        live_step(&l, 1);
        ref_body_step(twin, &rules);
        most[0] = fmax(most[0], kinetic_of(l.count, l.mass, l.v));
        most[1] = fmax(most[1], kinetic_of(l.count, l.mass, twin->v));
        if (t < EARLY) memcpy(early, most, sizeof early);
    }
    ref_body_free(twin);
    live_free(&l);
    *twin_growth = most[1] / early[1];
    return most[0] / early[0];
}

static void s_neither_grows_nor_fades_at_steady_steps(void** state) {
    (void)state;
    const double hs[] = {1.0 / 1000.0, 1.0 / 60.0, 1.0 / 20.0};
    int32_t steps = long_tests() ? 100000 : short_tests() ? 500 : 5000;
    for (int i = 0; i < 9; i++) {
        double exact, alpha = alphas[i / 3], h = hs[i % 3], ratio;
        ratio = growth(alpha, h, steps, &exact);
        print_message("S, alpha %.1f, h %.4f: energy x %.4f, in double x %.6f\n", alpha, h, ratio,
                      exact);
        assert_below(ratio, 1.25);
        assert_below(exact, 1.001);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(falling_cube_survives_any_steps),
        cmocka_unit_test(steady_steps_leave_it_at_rest),
        cmocka_unit_test(no_damping_explodes),
        cmocka_unit_test(s_neither_grows_nor_fades_at_steady_steps),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
