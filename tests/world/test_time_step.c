/* A material is the same at every step: with the static rule, the default, a load sags as far, a
   swing fades as fast and swings as often at 30 as at 240 steps per second, with one substep or
   eight, as long as w0 h does not exceed 1. Where it does, an event names the substeps it takes.

   A swing that the goals do not follow obeys x'' = -(alpha/h^2) x - (delta/h) x' in the steps of
   scheme D. From its recurrence, with z = damping and w = w0 h: it fades by exactly exp(-z w) per
   step and turns by t per step, where cos t = cosh(z w) - (w^2 / 2) exp(z w). To second order that
   is the damped frequency times 1 + z w / 2 + w^2 / 24. */
#include "world/bodies.h"

static const double rates[] = {30, 60, 120, 240}; /* steps per second */
static const int32_t substep_counts[] = {1, 2, 4, 8};
static const double stiffnesses[] = {30, 20, 60, 120}; /* rad/s; by day only the first */

typedef enum layout { WHOLE, OVERLAPPING, CUBES, LAYOUTS } layout;
typedef enum support { HANGING, STANDING, FREE, SUPPORTS } support;
enum { MODES = SUP_MATCH_QUADRATIC + 1 };
static const char* const layout_names[] = {"one cluster", "eight clusters", "cubes"};
static const char* const support_names[] = {"hanging", "standing", "free"};
static const char* const mode_names[] = {"rigid", "linear", "quadratic"};

/* A cube of 64, or a block of 6 x 4 x 6 in cubes. */
typedef struct recipe {
    sup_blueprint_def def;
    sup_vec3 points[144];
    eight_clusters lists;
    int32_t pins[36];
    double lowest, highest;
} recipe;

static void make_recipe(recipe* r, layout how, support held) {
    const double spacing = 1.0 / 3;
    int wide = how == CUBES ? 6 : 4;
    r->def = sup_blueprint_default();
    r->def.points = r->points;
    r->def.point_count =
        make_lattice(wide, 4, wide, (double[3]){spacing, spacing, spacing}, r->points);
    r->highest = 1.5 * spacing;
    r->lowest = -r->highest;
    if (how == OVERLAPPING) split_cube(&r->def, &r->lists);
    if (how == CUBES) r->def.layout = SUP_CLUSTERS_CUBES;
    if (held != HANGING) return;
    for (int32_t i = 0; i < r->def.point_count; i++) {
        if ((double)r->points[i].y > r->highest - 0.01) r->pins[r->def.pin_count++] = i;
    }
    r->def.pins = r->pins;
}

typedef struct setting {
    layout how;
    support held;
    sup_match_mode mode;
    double w0, zeta;
} setting;

static void start(live* l, recipe* r, const setting* s, double dt, int32_t substeps) {
    sup_world_def world = weightless_world();
    sup_body_def body = sup_body_default();
    sup_collider_def floor_def = sup_collider_default();
    make_recipe(r, s->how, s->held);
    if (s->held != FREE) world.gravity[1] = -9.81;
    world.substeps = substeps;
    body.material.mode = s->mode;
    body.material.stiffness = s->w0;
    body.material.damping = s->zeta;
    body.position[1] = floor_def.thickness - r->lowest;
    live_create(l, &world, &r->def, &body, dt);
    if (s->held == STANDING) {
        assert_int_equal(sup_collider_create(l->world, &floor_def, NULL, NULL), SUP_OK);
    }
}

static void settle(live* l, const setting* s) { live_step(l, (int32_t)(200 / (s->w0 * l->h))); }

static double height_of(const live* l) {
    double low = l->x[0][1], high = low;
    for (int32_t i = 1; i < l->count; i++) {
        low = fmin(low, l->x[i][1]);
        high = fmax(high, l->x[i][1]);
    }
    return high - low;
}

/* ---- Sag ---- */

/* How far the settled body differs from its rest height, m. */
static double sag_of(const setting* s, double dt, int32_t substeps) {
    static recipe r;
    live l;
    start(&l, &r, s, dt, substeps);
    settle(&l, s);
    double sag = r.highest - r.lowest - height_of(&l);
    live_free(&l);
    return s->held == HANGING ? -sag : sag;
}

/* Rates and substeps number 0 to 15: all at night, by day the least and the highest rate, and for
   sanitizers just a few. */
static bool is_run(int i) {
    return long_tests() || (short_tests() ? i == 0 || i == 3 : i / 4 == 0 || i / 4 == 3);
}

/* Largest deviation of the sag from that of the finest steps, as a share of it. */
static double sag_spread(const setting* s, int32_t* runs) {
    double reference = sag_of(s, 1.0 / 240, short_tests() ? 1 : 8), worst = 0;
    assert_above(reference, 9.81 / (s->w0 * s->w0));
    for (int i = 0; i < 16; i++) {
        double dt = 1.0 / rates[i / 4];
        int32_t substeps = substep_counts[i % 4];
        if (!is_run(i) || s->w0 * dt / substeps > 1.0 + 1e-9) continue;
        worst = fmax(worst, fabs(sag_of(s, dt, substeps) / reference - 1));
        ++*runs;
    }
    return worst;
}

/* Damping changes no sag; where swings are slow it is strong, to wait less. */
static void sag_is_the_same_at_every_step(void** state) {
    (void)state;
    for (int n = 0; n < LAYOUTS * MODES * 2; n++) {
        setting s = {.how = (layout)(n / (2 * MODES)),
                     .held = (support)(n % 2),
                     .mode = (sup_match_mode)(n / 2 % MODES)};
        double worst = 0;
        int32_t runs = 0;
        s.zeta = s.how == CUBES ? 1.0 : 0.3;
        for (int i = 0; i < (long_tests() ? 4 : 1); i++) {
            s.w0 = stiffnesses[i];
            worst = fmax(worst, sag_spread(&s, &runs));
        }
        print_message("%s, %s, %s: %d runs, sag within %.1e\n", layout_names[s.how],
                      support_names[s.held], mode_names[s.mode], (int)runs, worst);
        assert_below(worst, 0.01);
    }
}

/* A step of n substeps is n steps of one: what holds for short steps holds for substeps. */
static void substeps_are_steps(void** state) {
    (void)state;
    for (int n = 0; n < LAYOUTS * MODES; n++) {
        static recipe r;
        live parts, whole;
        setting s = {(layout)(n / MODES), STANDING, (sup_match_mode)(n % MODES), 120, 0.3};
        start(&parts, &r, &s, 1.0 / 240, 1);
        start(&whole, &r, &s, 1.0 / 60, 4);
        live_step(&parts, 240);
        live_step(&whole, 60);
        assert_memory_equal(parts.x, whole.x, (size_t)whole.count * sizeof *whole.x);
        live_free(&parts);
        live_free(&whole);
    }
}

/* ---- Swings ---- */

enum { FIELD = 3 * BODY_POINTS_MOST, FUNCTIONS = 30, CONSTRAINTS = 8 * FUNCTIONS };

/* Takes from `field` its part along each of the orthonormal `units`. */
static void take_off(double* field, double (*units)[FIELD], int count) {
    for (int pass = 0; pass < 2; pass++) { /* twice is enough to be exact */
        for (int i = 0; i < count; i++) {
            double part = 0;
            for (int k = 0; k < FIELD; k++) part += field[k] * units[i][k];
            for (int k = 0; k < FIELD; k++) field[k] -= part * units[i][k];
        }
    }
}

static double norm_of(const double* field) {
    double squared = 0;
    for (int k = 0; k < FIELD; k++) squared += field[k] * field[k];
    return sqrt(squared);
}

/* Fields that the goals of one cluster follow, as far as they reach particles that may move. */
static int add_constraints(const recipe* r, const bool* held, int functions, const int32_t* members,
                           int32_t count, double (*units)[FIELD], int used) {
    for (int f = 0; f < functions; f++) {
        double field[FIELD] = {0};
        for (int32_t m = 0; m < count; m++) {
            int32_t i = members ? members[m] : m;
            const sup_vec3* p = r->points + i;
            double x = (double)p->x, y = (double)p->y, z = (double)p->z;
            const double terms[10] = {1, x, y, z, x * x, y * y, z * z, x * y, y * z, z * x};
            int32_t shared = 0;
            for (int32_t k = 0; k < r->def.cluster_count * 27; k++) {
                shared += r->lists.members[k] == i;
            }
            if (!held[i]) field[3 * i + f % 3] = terms[f / 3] / (shared > 0 ? shared : 1);
        }
        take_off(field, units, used);
        double norm = norm_of(field);
        if (norm < 1e-6) continue;
        for (int k = 0; k < FIELD; k++) units[used][k] = field[k] / norm;
        used++;
    }
    return used;
}

/* A random field of displacements, 1 at most, that no goal follows: it leaves what is pinned or on
   the floor where it is, and every best fit of every cluster alone. */
static void make_field(const recipe* r, const setting* s, double field[FIELD]) {
    static double units[CONSTRAINTS][FIELD];
    bool held[BODY_POINTS_MOST] = {false};
    int used = 0, functions = s->mode == SUP_MATCH_QUADRATIC ? 30 : 12;
    dice d = {41};
    memset(field, 0, FIELD * sizeof *field);
    for (int32_t i = 0; i < r->def.point_count; i++) {
        bool lowest = (double)r->points[i].y < r->lowest + 0.01;
        bool highest = (double)r->points[i].y > r->highest - 0.01;
        held[i] = (s->held == HANGING && highest) || (s->held == STANDING && lowest);
        for (int k = 0; k < 3 && !held[i]; k++) field[3 * i + k] = dice_roll(&d);
    }
    if (s->how == WHOLE)
        used = add_constraints(r, held, functions, NULL, r->def.point_count, units, 0);
    for (int c = 0; s->how == OVERLAPPING && c < 8; c++) {
        used = add_constraints(r, held, functions, r->lists.members + 27 * c, 27, units, used);
    }
    take_off(field, units, used);
    double most = 0;
    for (int k = 0; k < FIELD; k++) most = fmax(most, fabs(field[k]));
    assert_above(most, 0.1);
    for (int k = 0; k < FIELD; k++) field[k] /= most;
}

/* A stretch along x that keeps the volume: linear and quadratic goals follow it by beta. */
static void make_stretch(const recipe* r, double field[FIELD]) {
    memset(field, 0, FIELD * sizeof *field);
    for (int32_t i = 0; i < r->def.point_count; i++) {
        field[3 * i] = (double)r->points[i].x;
        field[3 * i + 1] = -0.5 * (double)r->points[i].y;
        field[3 * i + 2] = -0.5 * (double)r->points[i].z;
    }
}

/* How much of the field the particles are away from `rest`. */
static double part_of(const live* l, double (*rest)[3], const double field[FIELD]) {
    double sum = 0, squared = 0;
    for (int32_t i = 0; i < l->count; i++) {
        for (int k = 0; k < 3; k++) {
            sum += field[3 * i + k] * (l->x[i][k] - rest[i][k]);
            squared += field[3 * i + k] * field[3 * i + k];
        }
    }
    return sum / squared;
}

typedef struct swing {
    double decay, frequency; /* 1/s, rad/s */
} swing;

/* From values at equal times `apart`, by the best recurrence a[n+1] = t a[n] - d a[n-1]. */
static swing swing_of(const double* a, int count, double apart) {
    double xx = 0, xy = 0, yy = 0, xz = 0, yz = 0;
    for (int n = 1; n + 1 < count; n++) {
        xx += a[n] * a[n];
        xy += a[n] * a[n - 1];
        yy += a[n - 1] * a[n - 1];
        xz += a[n] * a[n + 1];
        yz += a[n - 1] * a[n + 1];
    }
    double det = xx * yy - xy * xy;
    double t = (xz * yy - yz * xy) / det, d = -(yz * xx - xz * xy) / det;
    return (swing){-log(d) / (2 * apart), acos(t / (2 * sqrt(d))) / apart};
}

/* Displaces the settled body by a little of the field and looks at how that swings. */
static swing watch(const setting* s, double h, const double field[FIELD]) {
    enum { SAMPLES = 9 };
    static recipe r;
    double rest[BODY_POINTS_MOST][3], parts[SAMPLES];
    live l;
    start(&l, &r, s, h, 1);
    if (s->held != FREE) settle(&l, s);
    memcpy(rest, l.x, sizeof rest);
    for (int32_t i = 0; i < l.count; i++) {
        for (int k = 0; k < 3; k++) l.x[i][k] += 2e-3 * field[3 * i + k];
    }
    live_write(&l);
    int32_t stride = (int32_t)(0.7 / (s->w0 * h));
    if (stride < 1) stride = 1;
    for (int n = 0; n < SAMPLES; n++) {
        parts[n] = part_of(&l, rest, field);
        live_step(&l, stride);
    }
    live_free(&l);
    return swing_of(parts, SAMPLES, stride * h);
}

/* What the steps make of a swing of which goals and rigid velocity leave the part `left`, and of
   that part the goals follow the share `followed`. */
static swing expected_swing(const setting* s, double h, double left, double followed) {
    double w = s->w0 * h, delta = -expm1(-2 * s->zeta * w), kept = sqrt(1 - left * delta);
    double turn = acos((2 - left * (delta + (1 - followed) * w * w)) / (2 * kept));
    return (swing){-log(kept) / h, turn / h};
}

/* The frequency of the continuous swing and its documented error. */
static double documented_frequency(const setting* s, double h) {
    double w = s->w0 * h;
    return s->w0 * sqrt(1 - s->zeta * s->zeta) * (1 + s->zeta * w / 2 + w * w / 24);
}

typedef struct misses {
    double decay, frequency, documented;
} misses;

/* Largest deviations over steps from 1/30 to 1/1920 s with w0 h <= `most`. */
static misses swing_misses(const setting* s, double most, bool stretched) {
    static recipe r;
    double field[FIELD];
    misses worst = {0, 0, 0};
    make_recipe(&r, s->how, s->held);
    if (stretched)
        make_stretch(&r, field);
    else
        make_field(&r, s, field);
    for (double rate = 30; rate < 2000; rate *= short_tests() ? 8 : 2) {
        double h = 1 / rate;
        if (s->w0 * h > most + 1e-9) continue;
        swing seen = watch(s, h, field);
        swing wanted = expected_swing(s, h, 1, stretched ? 0.5 : 0);
        worst.decay = fmax(worst.decay, fabs(seen.decay / wanted.decay - 1));
        worst.frequency = fmax(worst.frequency, fabs(seen.frequency / wanted.frequency - 1));
        worst.documented =
            fmax(worst.documented, fabs(seen.frequency / documented_frequency(s, h) - 1));
    }
    return worst;
}

static void swings_are_the_same_at_every_step(void** state) {
    (void)state;
    skip_under_sanitizers();
    for (int n = 0; n < 2 * SUPPORTS * MODES; n++) {
        setting s = {.how = (layout)(n / (SUPPORTS * MODES)),
                     .held = (support)(n / MODES % SUPPORTS),
                     .mode = (sup_match_mode)(n % MODES)};
        /* Eight quadratic clusters follow every field of 64 particles somewhere. */
        if (s.how == OVERLAPPING && s.mode == SUP_MATCH_QUADRATIC) continue;
        for (int i = 0; i < (long_tests() ? 4 : 1); i++) {
            s.w0 = stiffnesses[i];
            s.zeta = 0.3;
            misses all = swing_misses(&s, 1, false), fine = swing_misses(&s, 0.4, false);
            s.zeta = 0.05;
            misses light = swing_misses(&s, 1, false);
            print_message("%s, %s, %s, w0 %g: decay within %.1e, frequency %.1e; of its "
                          "documented error %.4f below w0 h = 0.4, %.4f lightly damped\n",
                          layout_names[s.how], support_names[s.held], mode_names[s.mode], s.w0,
                          all.decay, all.frequency, fine.documented, light.documented);
            assert_below(fmax(all.decay, light.decay), 0.02);
            assert_below(fmax(all.frequency, light.frequency), 0.01);
            assert_below(fine.documented, 0.01);
            assert_below(light.documented, 0.01);
        }
    }
}

/* A stretch is followed by half of linear and quadratic goals: half the pull, all of the damping.
 */
static void followed_swings_are_softer(void** state) {
    (void)state;
    for (int mode = SUP_MATCH_LINEAR; mode <= SUP_MATCH_QUADRATIC; mode++) {
        setting s = {WHOLE, FREE, (sup_match_mode)mode, 30, 0.3};
        misses worst = swing_misses(&s, 1, true);
        print_message("%s stretch: decay within %.1e, frequency %.1e\n", mode_names[mode],
                      worst.decay, worst.frequency);
        assert_below(worst.decay, 0.02);
        assert_below(worst.frequency, 0.01);
    }
}

/* A pair that hangs from a pin of the same weight: goals and rigid velocity follow half of its
   swing, as they do with all that several clusters or a pin do together. Such a swing fades slower
   at long steps, by a share of (1 - 1/2) z w at most: half as much with twice the substeps. */
static void swings_of_pinned_pair(void** state) {
    (void)state;
    const sup_vec3 points[2] = {{0, 0.5f, 0}, {0, -0.5f, 0}};
    const int32_t top = 0;
    const setting s = {.w0 = 30, .zeta = 0.3};
    sup_blueprint_def def = sup_blueprint_default();
    sup_world_def world = weightless_world();
    sup_body_def body = sup_body_default();
    def.point_count = 2;
    def.points = points;
    def.pin_count = 1;
    def.pins = &top;
    def.pin_factor = 1;
    body.material.stiffness = s.w0;
    body.material.damping = s.zeta;
    for (double rate = 30; rate < 2000; rate *= 2) {
        enum { SAMPLES = 9 };
        double parts[SAMPLES], h = 1 / rate, limit = 0.5 * s.zeta * s.w0;
        int32_t stride = (int32_t)(1 / (s.w0 * h));
        live l;
        live_create(&l, &world, &def, &body, h);
        l.x[1][1] -= 0.01;
        live_write(&l);
        for (int n = 0; n < SAMPLES; n++) {
            parts[n] = l.x[1][1] + 0.5;
            live_step(&l, stride);
        }
        swing seen = swing_of(parts, SAMPLES, stride * h), wanted = expected_swing(&s, h, 0.5, 0);
        print_message("pinned pair, w0 h = %.3f: decay %.4f of its limit, frequency %.4f\n",
                      s.w0 * h, seen.decay / limit, seen.frequency / (s.w0 * sqrt(0.5)));
        assert_near(seen.decay, wanted.decay, 0.01);
        assert_near(seen.frequency, wanted.frequency, 0.01);
        assert_below(fabs(1 - seen.decay / limit), 0.5 * s.zeta * s.w0 * h + 0.01);
        live_free(&l);
    }
}

/* ---- Steps that are too long ---- */

/* The substeps that the event names; 0: no event. */
static int32_t substeps_asked(const sup_material* material, double dt, int32_t substeps) {
    const sup_vec3 points[2] = {{-0.5f, 0, 0}, {0.5f, 0, 0}};
    sup_blueprint_def def = sup_blueprint_default();
    sup_world_def world = weightless_world();
    sup_body_def body = sup_body_default();
    def.point_count = 2;
    def.points = points;
    world.substeps = substeps;
    body.material = *material;
    live l;
    int32_t count, asked = 0, seen = 0;
    live_create(&l, &world, &def, &body, dt);
    live_advance(&l, 1);
    const sup_event* events = sup_world_events(l.world, &count);
    for (int32_t i = 0; i < count; i++) {
        if (events[i].kind != SUP_EVENT_STIFFNESS_SATURATED) continue;
        assert_int_equal((int)events[i].body.slot, (int)l.body.slot);
        asked = (int32_t)events[i].value;
        seen++;
    }
    assert_true(seen <= 1);
    live_free(&l);
    return asked;
}

static void event_names_enough_substeps(void** state) {
    (void)state;
    dice d = {42};
    sup_material material = sup_body_default().material;
    int raised = 0;
    for (int n = 0; n < 500; n++) {
        double dt = 1 / rates[n % 4];
        int32_t substeps = substep_counts[n / 4 % 4];
        /* Every other one a round number, which meets the limit exactly. */
        material.stiffness = n % 2 ? 30.0 * (1 + n % 32) : 470 + 450 * dice_roll(&d);
        double wh = material.stiffness * dt / substeps;
        int32_t asked = substeps_asked(&material, dt, substeps);
        assert_int_equal(asked > 0, wh > 1 + 1e-12);
        if (asked == 0) continue;
        raised++;
        assert_int_equal(asked, (int32_t)ceil(material.stiffness * dt - 1e-9));
        if (asked <= 64) assert_int_equal(substeps_asked(&material, dt, asked), 0);
        if (asked <= 65) assert_true(substeps_asked(&material, dt, asked - 1) == asked);
    }
    assert_true(raised > 100);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sag_is_the_same_at_every_step),
        cmocka_unit_test(substeps_are_steps),
        cmocka_unit_test(swings_are_the_same_at_every_step),
        cmocka_unit_test(followed_swings_are_softer),
        cmocka_unit_test(swings_of_pinned_pair),
        cmocka_unit_test(event_names_enough_substeps),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
