/* Thousands of steps of changing length under all that can be done to a body: impulses, jumps,
   collapse to a point, a line and a plane, turning inside out. It stays finite, comes back to its
   shape in the time that its material says, and never has more energy than it was given.

   The energy is kinetic and elastic. A cluster has the potential (w0^2 / 2) sum w |x - goal|^2 of
   its rigid goals, and of its linear or quadratic ones as far as these count: (1 - b) U_rigid +
   b U_fit with b their share. That share goes as the volume goes, and then there is no potential at
   all: what collapses gets some energy, or loses it. Damping takes more than that; the schemes S
   and P have none, and are looked at only while their clusters keep some volume. */
#include "ref/ref_matrix.h"
#include "world/bodies.h"

enum { MODES = SUP_MATCH_QUADRATIC + 1, CLUSTERS = 8, TERMS = 10 };
static const char* const mode_names[] = {"rigid", "linear", "quadratic"};

typedef enum insult {
    IMPULSE,   /* another velocity for every particle */
    TELEPORT,  /* elsewhere, in another attitude */
    JUMP,      /* the same, but the body is not told */
    POINT,     /* all particles in one place */
    LINE,      /* all on one line */
    PLANE,     /* all in one plane */
    MIRROR,    /* mirrored at a plane */
    INVERSION, /* mirrored at the centre */
    INSULTS
} insult;
static const char* const insult_names[] = {"impulse", "teleport", "jump",   "point",
                                           "line",    "plane",    "mirror", "inversion"};

/* One way to be tortured. */
typedef struct trial {
    sup_match_mode mode;
    sup_scheme scheme;
    sup_stiffness_rule rule;
    bool overlapping, keeps_volume;
    double w0, zeta, shortest, longest; /* rad/s, 1, s */
    double release;                     /* s, after which the shape is looked at; 0: never */
    double following;                   /* times as long where goals follow a strain; 0: as long */
    bool energy;                        /* is looked at */
} trial;

/* Rest shape of a cluster: offsets, and functions of them that are orthonormal under its weights.
 */
typedef struct shape {
    int32_t count, members[64], function_count;
    double weight[64], q[64][3], total, spread;
    double functions[TERMS][64];
} shape;

typedef struct victim {
    live l;
    sup_vec3 points[64];
    eight_clusters lists;
    shape shapes[CLUSTERS];
    int shape_count;
    const trial* how;
    double beta;
    double speck; /* J: of no account, beside what a collapse costs */
} victim;

static void shape_functions(shape* s, sup_match_mode mode) {
    int wanted = mode == SUP_MATCH_RIGID ? 1 : mode == SUP_MATCH_LINEAR ? 4 : TERMS;
    s->function_count = 0;
    for (int f = 0; f < wanted; f++) {
        double* now = s->functions[s->function_count];
        for (int32_t m = 0; m < s->count; m++) {
            const double* q = s->q[m];
            const double terms[TERMS] = {1,           q[0],        q[1],        q[2],
                                         q[0] * q[0], q[1] * q[1], q[2] * q[2], q[0] * q[1],
                                         q[1] * q[2], q[2] * q[0]};
            now[m] = terms[f];
        }
        for (int e = 0; e < s->function_count; e++) {
            double part = 0;
            for (int32_t m = 0; m < s->count; m++) {
                part += s->weight[m] * now[m] * s->functions[e][m];
            }
            for (int32_t m = 0; m < s->count; m++) now[m] -= part * s->functions[e][m];
        }
        double squared = 0;
        for (int32_t m = 0; m < s->count; m++) squared += s->weight[m] * now[m] * now[m];
        if (squared < 1e-9 * s->total) continue; /* it is one of those before */
        for (int32_t m = 0; m < s->count; m++) now[m] /= sqrt(squared);
        s->function_count++;
    }
}

static void make_shapes(victim* v) {
    int32_t shared[64] = {0};
    v->shape_count = v->how->overlapping ? CLUSTERS : 1;
    for (int32_t m = 0; m < 8 * 27; m++) shared[v->lists.members[m]]++;
    for (int c = 0; c < v->shape_count; c++) {
        shape* s = v->shapes + c;
        double centre[3] = {0, 0, 0};
        *s = (shape){.count = v->how->overlapping ? 27 : 64};
        for (int32_t m = 0; m < s->count; m++) {
            int32_t i = s->members[m] = v->how->overlapping ? v->lists.members[27 * c + m] : m;
            s->weight[m] = v->how->overlapping ? 1.0 / shared[i] : 1.0;
            s->total += s->weight[m];
            s->q[m][0] = (double)v->points[i].x;
            s->q[m][1] = (double)v->points[i].y;
            s->q[m][2] = (double)v->points[i].z;
            for (int k = 0; k < 3; k++) centre[k] += s->weight[m] * s->q[m][k];
        }
        for (int32_t m = 0; m < s->count; m++) {
            for (int k = 0; k < 3; k++) s->q[m][k] -= centre[k] / s->total;
            for (int k = 0; k < 3; k++) s->spread += s->weight[m] * s->q[m][k] * s->q[m][k];
        }
        shape_functions(s, v->how->mode);
    }
}

/* sum w |x - goal|^2 of a cluster, for goals as they count now. */
static double misfit_of(const victim* v, const shape* s) {
    double centre[3] = {0, 0, 0}, apq[9] = {0}, aqq[9] = {0}, r[9], stretch[3], squared = 0,
           fitted = 0;
    for (int32_t m = 0; m < s->count; m++) {
        for (int k = 0; k < 3; k++) {
            centre[k] += s->weight[m] * v->l.x[s->members[m]][k] / s->total;
        }
    }
    double parts[TERMS][3] = {{0}};
    for (int32_t m = 0; m < s->count; m++) {
        double p[3];
        for (int k = 0; k < 3; k++) {
            p[k] = v->l.x[s->members[m]][k] - centre[k];
            squared += s->weight[m] * p[k] * p[k];
            for (int f = 0; f < s->function_count; f++) {
                parts[f][k] += s->weight[m] * p[k] * s->functions[f][m];
            }
        }
        for (int k = 0; k < 9; k++) {
            apq[k] += s->weight[m] * p[k / 3] * s->q[m][k % 3];
            aqq[k] += s->weight[m] * s->q[m][k / 3] * s->q[m][k % 3];
        }
    }
    ref_matrix_rotation(apq, r, stretch);
    double rigid = squared + s->spread - 2 * (stretch[0] + stretch[1] + stretch[2]);
    if (v->how->mode == SUP_MATCH_RIGID) return rigid;
    double volume = ref_matrix_determinant(apq) / ref_matrix_determinant(aqq);
    for (int f = 0; f < s->function_count; f++) {
        for (int k = 0; k < 3; k++) fitted += parts[f][k] * parts[f][k];
    }
    if (v->how->keeps_volume) { /* goals do not follow a change of volume */
        double away = cbrt(fmax(0.1, fmin(10, volume))) - 1;
        fitted -= away * away * s->spread;
    }
    double t = volume < 0 ? 0 : volume > 0.1 ? 1 : volume / 0.1;
    double share = v->beta * t * t * (3 - 2 * t);
    return (1 - share) * rigid + share * (squared - fitted);
}

static double potential_of(const victim* v) {
    double sum = 0;
    for (int c = 0; c < v->shape_count; c++) {
        sum += 0.5 * v->how->w0 * v->how->w0 * misfit_of(v, v->shapes + c);
    }
    return sum;
}

static double energy_of(const victim* v) {
    double sum = potential_of(v);
    for (int32_t i = 0; i < v->l.count; i++) {
        for (int k = 0; k < 3; k++) sum += 0.5 * v->l.mass[i] * v->l.v[i][k] * v->l.v[i][k];
    }
    return sum;
}

static void victim_create(victim* v, const trial* how) {
    sup_world_def world = weightless_world();
    sup_body_def body = sup_body_default();
    sup_blueprint_def def = cube_of_64(v->points);
    v->how = how;
    split_cube(&def, &v->lists);
    if (!how->overlapping) def.layout = SUP_CLUSTERS_WHOLE;
    body.material.mode = how->mode;
    body.material.scheme = how->scheme;
    body.material.rule = how->rule;
    body.material.keeps_volume = how->keeps_volume;
    body.material.stiffness = how->w0;
    body.material.damping = how->zeta;
    v->beta = body.material.beta;
    live_create(&v->l, &world, &def, &body, how->longest);
    make_shapes(v);
    v->speck = 0;
    for (int c = 0; c < v->shape_count; c++) {
        v->speck += 1e-6 * 0.5 * how->w0 * how->w0 * v->shapes[c].spread;
    }
}

static double fit_of(const victim* v) {
    return ref_fit_distance(v->l.count, v->points, v->l.mass, (const double(*)[3])v->l.x) /
           v->l.size;
}

/* ---- Insults ---- */

/* x = centre + f (x - centre) + shift, v = f v */
static void map_body(live* l, const double f[9], const double shift[3]) {
    momenta m = measure(l->count, l->mass, l->x, l->v);
    for (int32_t i = 0; i < l->count; i++) {
        double p[3], to[3], speed[3];
        for (int k = 0; k < 3; k++) p[k] = l->x[i][k] - m.centre[k];
        ref_matrix_apply(f, p, to);
        ref_matrix_apply(f, l->v[i], speed);
        for (int k = 0; k < 3; k++) l->x[i][k] = m.centre[k] + to[k] + shift[k];
        memcpy(l->v[i], speed, sizeof speed);
    }
}

/* Scales by x, y and z along three random axes that are across each other. */
static void squash(dice* d, double x, double y, double z, double f[9]) {
    double q[4], r[9];
    const double scale[3] = {x, y, z};
    dice_turn(d, q);
    ref_quaternion_matrix(q, r);
    for (int k = 0; k < 9; k++) {
        f[k] = 0;
        for (int n = 0; n < 3; n++) f[k] += r[3 * (k / 3) + n] * scale[n] * r[3 * (k % 3) + n];
    }
}

/* New velocities: rigid and random. The spin turns by 0.05 rad per step at most along each axis, as
   a body that spins is stretched by half of that angle's square, and by its centrifugal force. */
static void push(victim* v, dice* d) {
    live* l = &v->l;
    double velocity[3], spin[3], most = fmin(3, 0.05 / v->how->longest);
    for (int k = 0; k < 3; k++) velocity[k] = 3 * dice_roll(d);
    for (int k = 0; k < 3; k++) spin[k] = most * dice_roll(d);
    set_motion(l->count, l->mass, l->x, l->v, velocity, spin);
    for (int32_t i = 0; i < l->count; i++) {
        for (int k = 0; k < 3; k++) l->v[i][k] += 5 * dice_roll(d);
    }
}

static void suffer(victim* v, insult what, dice* d) {
    live* l = &v->l;
    double f[9], q[4], shift[3] = {0, 0, 0};
    const double none[3] = {0, 0, 0};
    switch (what) {
    case IMPULSE:
        push(v, d);
        live_write_speeds(l);
        live_read(l);
        return;
    case TELEPORT:
        for (int k = 0; k < 3; k++) shift[k] = 10 * dice_roll(d);
        dice_turn(d, q);
        assert_int_equal(sup_body_teleport(l->world, l->body, shift, q, NULL), SUP_OK);
        live_read(l);
        return;
    case JUMP:
        for (int k = 0; k < 3; k++) shift[k] = 10 * dice_roll(d);
        dice_turn(d, q);
        ref_quaternion_matrix(q, f);
        break;
    case POINT: squash(d, 0, 0, 0, f); break;
    case LINE: squash(d, 0, 0, 1, f); break;
    case PLANE: squash(d, 0, 1, 1, f); break;
    case MIRROR: squash(d, -1, 1, 1, f); break;
    default: squash(d, -1, -1, -1, f); break;
    }
    map_body(l, f, what == JUMP ? shift : none);
    if (what != JUMP) push(v, d);
    live_write(l);
}

/* ---- Torture ---- */

/* What became of a body. */
typedef struct outcome {
    double fit, energy;                  /* worst: sizes; share of what was given */
    int32_t release_count, caught_count; /* several clusters may be caught in each other */
} outcome;

static void wait_for(victim* v, double time) {
    for (double t = 0; t < time; t += v->l.h) live_step(&v->l, 1);
}

/* A body that is caught rests in another minimum of its potential: however long it is let alone, no
   goal leads out of it. */
static void check_caught(victim* v) {
    wait_for(v, 2 * v->how->release);
    double before = potential_of(v);
    assert_true(before > 1e3 * v->speck);
    wait_for(v, 4 * v->how->release);
    assert_below(fabs(potential_of(v) / before - 1), 1e-4);
}

/* Looks at the shape of a body that was let alone. Where several clusters were turned inside out or
   crushed, they are put back if they did not come back by themselves. */
static void look(victim* v, int what, outcome* out) {
    double fit = fit_of(v);
    out->release_count++;
    if (v->how->overlapping && what >= POINT && fit > 0.02) {
        out->caught_count++;
        check_caught(v);
        assert_int_equal(sup_body_reset(v->l.world, v->l.body), SUP_OK);
        live_read(&v->l);
    } else {
        if (fit > 0.02) print_message("%s: %.3f sizes off\n", insult_names[what], fit);
        out->fit = fmax(out->fit, fit);
    }
}

/* The next insult, and how long to wait then. One cluster is not let to recover every time; a body
   that never does begins anew. Returns the energy given. */
static double insult_next(victim* v, dice* d, int* what, double* wait) {
    const trial* how = v->how;
    if (how->release == 0) {
        assert_int_equal(sup_body_reset(v->l.world, v->l.body), SUP_OK);
        live_read(&v->l);
    }
    *what = (int)floor((0.5 + 0.5 * dice_roll(d)) * INSULTS);
    if (*what == INSULTS) *what = 0;
    suffer(v, (insult)*what, d);
    bool hurried = !how->overlapping && dice_roll(d) < 0;
    *wait = how->release == 0 ? 0.1 : hurried ? 0.2 * how->release : how->release;
    return energy_of(v);
}

static void torture(const trial* how, int32_t steps, uint64_t seed, outcome* out) {
    static victim v;
    dice d = {seed};
    double wait, since = 0;
    int what = IMPULSE;
    victim_create(&v, how);
    double given = insult_next(&v, &d, &what, &wait);
    for (int32_t t = 0; t < steps; t++) {
        if (since >= wait) {
            if (how->release > 0 && wait == how->release) look(&v, what, out);
            given = insult_next(&v, &d, &what, &wait);
            since = 0;
        }
        v.l.h = how->shortest + (how->longest - how->shortest) * (0.5 + 0.5 * dice_roll(&d));
        live_step(&v.l, 1);
        since += v.l.h;
        bool steady = how->scheme == SUP_SCHEME_D || how->mode == SUP_MATCH_RIGID || what < POINT;
        if (!how->energy || !steady) continue;
        double share = energy_of(&v) / (given + v.speck);
        if (share > 1.05) print_message("%s: energy %.3f\n", insult_names[what], share);
        out->energy = fmax(out->energy, share);
    }
    live_free(&v.l);
}

static void try_all_modes(trial how, const char* name) {
    int32_t steps = short_tests() ? 500 : 10000, seeds = long_tests() ? 10 : 1;
    const double release = how.release;
    for (int n = 0; n < 2 * MODES; n++) {
        outcome seen = {0};
        how.mode = (sup_match_mode)(n % MODES);
        how.keeps_volume = n >= MODES;
        if (how.mode == SUP_MATCH_RIGID && how.keeps_volume) continue;
        how.release = release;
        if (how.mode != SUP_MATCH_RIGID && how.following > 0) how.release *= how.following;
        for (int seed = 0; seed < seeds; seed++) {
            torture(&how, steps, 50 + (uint64_t)(2 * MODES * seed + n), &seen);
        }
        print_message("%s, %s, volume %s: %.4f sizes off, %d of %d caught, energy %.3f\n", name,
                      mode_names[how.mode], how.keeps_volume ? "kept" : "free", seen.fit,
                      (int)seen.caught_count, (int)seen.release_count, seen.energy);
        assert_below(seen.fit, 0.02);
        assert_below(seen.energy, 1.05);
        assert_true(seen.caught_count <= 1 + seen.release_count / 100);
    }
}

/* D with the rule for changing steps. */
static trial implicit_trial(void) {
    return (trial){.rule = SUP_STIFFNESS_IMPLICIT,
                   .w0 = 120,
                   .zeta = 0.3,
                   .shortest = 1e-3,
                   .longest = 1.0 / 60,
                   .release = 5 / (0.3 * 120),
                   .energy = true};
}

/* Goals that follow the share beta of a strain leave 1 - alpha (1 - beta) of it in a step, half of
   it in long steps, however long they are. Where zeta w0 h is above log(2), that is slower than
   exp(-zeta w0 h). */
static void long_steps_leave_a_share(void** state) {
    (void)state;
    const double stretch[9] = {1.3, 0, 0, 0, 1, 0, 0, 0, 1}, none[3] = {0, 0, 0};
    for (int mode = SUP_MATCH_LINEAR; mode < MODES; mode++) {
        static victim v;
        trial how = implicit_trial();
        how.mode = (sup_match_mode)mode;
        how.longest = 1.0 / 20;
        double wh = how.w0 * how.longest, alpha = wh * wh / (1 + wh * wh);
        victim_create(&v, &how);
        map_body(&v.l, stretch, none);
        live_write(&v.l);
        double before = fit_of(&v);
        for (int t = 0; t < 4; t++) live_step(&v.l, 1);
        double share = pow(fit_of(&v) / before, 1.0 / 4);
        print_message("%s: a step of %.0f / w0 leaves %.3f of a strain, exp(-zeta w0 h) is %.3f\n",
                      mode_names[mode], wh, share, exp(-how.zeta * wh));
        assert_below(fabs(share / (1 - alpha * (1 - v.beta)) - 1), 0.05);
        live_free(&v.l);
    }
}

static void one_cluster_survives(void** state) {
    (void)state;
    trial how = implicit_trial();
    try_all_modes(how, "one cluster");
    how.zeta = 0.05;
    how.release = 5 / (how.zeta * how.w0);
    try_all_modes(how, "one cluster, hardly damped");
    how = implicit_trial();
    /* At steps so long that a spin alone stretches the body, energy is not what it was. Goals that
       follow a strain, of which a long step leaves half, have 1.5 times as long: after 5 / (zeta
       w0), which is 4 to 8 steps, 247 of 62,000 bodies, all of them turned inside out, are off by
       more than 2 %, the worst by 3.6. Rigid ones are in time. */
    how.shortest = 1e-4;
    how.longest = 1.0 / 20;
    how.energy = false;
    how.following = 1.5;
    try_all_modes(how, "one cluster, long steps");
}

/* The one attitude from which every best rotation is as far as can be: the own, mirrored at the
   centre. */
static void inside_out_at_rest(void** state) {
    (void)state;
    const double inverted[9] = {-1, 0, 0, 0, -1, 0, 0, 0, -1}, none[3] = {0, 0, 0};
    for (int mode = 0; mode < MODES; mode++) {
        static victim v;
        trial how = implicit_trial();
        how.mode = (sup_match_mode)mode;
        how.rule = SUP_STIFFNESS_AUTO;
        how.longest = 1.0 / 240;
        victim_create(&v, &how);
        map_body(&v.l, inverted, none);
        live_write(&v.l);
        double given = energy_of(&v), most = 0;
        for (int t = 0; t < 60; t++) {
            live_step(&v.l, 1);
            most = fmax(most, energy_of(&v) / given);
        }
        assert_below(most, 1.05);
        assert_below(fit_of(&v), 0.02);
        live_free(&v.l);
    }
}

static void default_material_survives(void** state) {
    (void)state;
    trial how = implicit_trial();
    how.rule = SUP_STIFFNESS_AUTO;
    how.shortest = how.longest = 1.0 / 240;
    try_all_modes(how, "one cluster, default rule");
    how.overlapping = true;
    how.release *= 4;
    try_all_modes(how, "eight clusters, default rule");
}

/* The largest potential within a swing. */
static double peak_of(victim* v) {
    double most = 0, swing = 2 * 3.141592653589793 / v->how->w0;
    for (double t = 0; t < swing; t += v->l.h) {
        live_step(&v->l, 1);
        most = fmax(most, potential_of(v));
    }
    return most;
}

/* How fast what is left of a swing fades, in units of zeta w0. */
static double fading_of(bool overlapping) {
    static victim v;
    dice d = {7};
    trial how = implicit_trial();
    how.overlapping = overlapping;
    how.zeta = 0.1;
    how.shortest = how.longest = 2e-4;
    victim_create(&v, &how);
    for (int32_t i = 0; i < v.l.count; i++) {
        for (int k = 0; k < 3; k++) v.l.v[i][k] = 0.1 * dice_roll(&d);
    }
    live_write_speeds(&v.l);
    live_read(&v.l);
    wait_for(&v, 2 / (how.zeta * how.w0));
    double time = 0.2, before = peak_of(&v);
    wait_for(&v, time - 2 * 3.141592653589793 / how.w0);
    double rate = 0.5 * log(before / peak_of(&v)) / (time * how.zeta * how.w0);
    live_free(&v.l);
    return rate;
}

/* The slowest swing of eight clusters fades half as fast as that of one: after 5 / (zeta w0) exp(-5
   / 2) of it is left, 8 %. So they are looked at later, and first they have to turn back. */
static void overlapping_clusters_fade_slower(void** state) {
    (void)state;
    double one = fading_of(false), eight = fading_of(true);
    print_message("fading: one cluster %.3f, eight %.3f\n", one, eight);
    assert_true(one > 0.9);
    assert_true(eight > 0.4 && eight < 0.6);
}

static void eight_clusters_survive(void** state) {
    (void)state;
    trial how = implicit_trial();
    how.overlapping = true;
    how.longest = 1.0 / 120;
    how.release *= 4;
    try_all_modes(how, "eight clusters");
}

/* P has no damping that would say when it should be back. */
static void scheme_p_survives(void** state) {
    (void)state;
    for (int overlapping = 0; overlapping < 2; overlapping++) {
        trial how = implicit_trial();
        how.scheme = SUP_SCHEME_P;
        how.overlapping = overlapping;
        how.longest = 1.0 / 120;
        how.release = 0;
        try_all_modes(how, overlapping ? "P, eight clusters" : "P, one cluster");
    }
}

/* S swings for ever, and needs steady steps: short ones, as it keeps the energy but for w0 h / 2.
 */
static void scheme_s_survives(void** state) {
    (void)state;
    for (int overlapping = 0; overlapping < 2; overlapping++) {
        trial how = {.scheme = SUP_SCHEME_S,
                     .overlapping = overlapping,
                     .w0 = 120,
                     .shortest = 1.0 / 2400,
                     .longest = 1.0 / 2400,
                     .energy = true};
        try_all_modes(how, overlapping ? "S, eight clusters" : "S, one cluster");
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(inside_out_at_rest),
        cmocka_unit_test(long_steps_leave_a_share),
        cmocka_unit_test(one_cluster_survives),
        cmocka_unit_test(default_material_survives),
        cmocka_unit_test(eight_clusters_survive),
        cmocka_unit_test(overlapping_clusters_fade_slower),
        cmocka_unit_test(scheme_p_survives),
        cmocka_unit_test(scheme_s_survives),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
