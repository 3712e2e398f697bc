/* Links of oriented particles: how far they give, and what they do about twist. */
#include "solve/frames_twin.h"

#define PI 3.14159265358979

/* ---- Length ---- */

static double elongation(int substeps, double damping) {
    static frames f;
    frames_begin(&f);
    frames_add(&f, 0, 0, 0, 1.0, 0.0);
    frames_add(&f, 0, -1, 0, 1.0, 0.0);
    f.inverse_mass[0] = 0.0f;
    sup_link* link = frames_link(&f, 0, 1);
    link->compliance = 1e-3f;
    link->damping = (float)damping;
    frames_make(&f);
    f.settings.stiffness = 0.0f;
    f.settings.gravity[1] = -10.0f;
    f.settings.damping = 5.0f;
    frames_run(&f, 20.0, substeps);
    double longer = -1.0 - (double)f.slices.x[1].y;
    frames_end(&f);
    return longer;
}

static void test_compliance(void** state) {
    (void)state;
    for (int substeps = 1; substeps <= 16; substeps *= 4) {
        for (int damped = 0; damped < 2; damped++) {
            double longer = elongation(substeps, damped ? 10.0 : 0.0);
            if (getenv("SUPPLE_SHOW")) printf("%d substeps: %.6f m\n", substeps, longer);
            assert_true(fabs(longer - 0.010) < 0.005 * 0.010);
        }
    }
}

/* Damping after the forces takes part of every load. */
static void test_damping_last(void** state) {
    (void)state;
    static ref_frames twin;
    double longer[2];
    for (int last = 0; last < 2; last++) {
        memset(&twin, 0, sizeof twin);
        twin.count = 2;
        twin.link_count = 1;
        twin.links[0] = (ref_frames_link){0, 1, 1.0, 1e-3, 0.0, -1.0};
        for (int i = 0; i < 2; i++) {
            twin.rest[i][1] = twin.x[i][1] = -i;
            twin.q[i][3] = twin.mass[i] = twin.moment[i][0] = twin.moment[i][4] = 1.0;
            twin.moment[i][8] = 1.0;
        }
        twin.pinned[0] = true;
        twin.damping = 5.0;
        twin.gravity[1] = -10.0;
        twin.damps_last = last;
        for (int i = 0; i < 1200; i++) ref_frames_substep(&twin, 1.0 / 60.0);
        longer[last] = -1.0 - twin.x[1][1];
    }
    assert_true(fabs(longer[0] - 0.010) < 1e-6);
    assert_true(longer[1] < 0.0095);
}

/* Damping of a link takes from motion along it and from nothing else. */
static void test_damped_link(void** state) {
    (void)state;
    double speed[2];
    for (int across = 0; across < 2; across++) {
        static frames f;
        frames_begin(&f);
        frames_add(&f, 0, 0, 0, 1.0, 0.0);
        frames_add(&f, 1, 0, 0, 1.0, 0.0);
        sup_link* link = frames_link(&f, 0, 1);
        link->compliance = 1.0f;
        link->damping = 5.0f;
        frames_make(&f);
        frames_float(&f);
        f.settings.stiffness = 0.0f;
        f.settings.restore = false;
        f.slices.v[1] = across ? (sup_row){0, 0.01f, 0, 0} : (sup_row){0.01f, 0, 0, 0};
        f.slices.v[0] = across ? (sup_row){0, -0.01f, 0, 0} : (sup_row){-0.01f, 0, 0, 0};
        frames_run(&f, 0.1, 8);
        speed[across] = across ? (double)f.slices.v[1].y : (double)f.slices.v[1].x;
        frames_end(&f);
    }
    assert_true(speed[1] > 0.00999);
    /* 2 c/m against the speed, for 0.1 s: e^-1. */
    assert_true(fabs(speed[0] / 0.01 - exp(-1.0)) < 0.05);
}

/* Of two links that pull at one particle from both sides, one is broken down to nothing: it still
   knows where it pointed. */
static void test_no_length(void** state) {
    (void)state;
    static frames f;
    frames_begin(&f);
    frames_add(&f, 0, 0, 0, 1.0, 0.0);
    frames_add(&f, 0, 1, 0, 1.0, 0.0);
    frames_link(&f, 0, 1)->compliance = 0.0f;
    frames_make(&f);
    frames_float(&f);
    f.settings.stiffness = 0.0f;
    f.slices.x[1].y = 0.0f;
    frames_step(&f, 1.0 / 480.0, 1);
    double a[3], b[3], d[3];
    frames_place(&f, 0, a);
    frames_place(&f, 1, b);
    for (int k = 0; k < 3; k++) d[k] = b[k] - a[k];
    assert_true(fabs(d[1] - 1.0) < 1e-5 && fabs(d[0]) < 1e-6 && fabs(d[2]) < 1e-6);
    frames_end(&f);
}

/* ---- Twist ---- */

enum { ROD = 20 };

/* user[0]: angle (rad) that the first end is turned by, user[1]: s until it is there. */
static void turn_first(frames* f, double h) {
    (void)h;
    double share = f->user[1] > 0.0 ? f->time / f->user[1] : 1.0;
    double angle = (share < 1.0 ? share : 1.0) * f->user[0];
    f->slices.q[0] = (sup_quat){(float)sin(0.5 * angle), 0, 0, (float)cos(0.5 * angle)};
}

/* torsion < 0: none. */
static void rod(frames* f, double torsion, bool held) {
    frames_begin(f);
    frames_chain(f, ROD, 0.1, 1.0, 0.05);
    for (int32_t i = 0; i < f->link_count; i++) f->links[i].torsion = (float)torsion;
    f->inverse_mass[0] = 0.0f;
    if (held) f->inverse_mass[ROD - 1] = 0.0f;
    frames_make(f);
    frames_float(f);
    f->settings.damping = f->settings.turn_damping = 2.0f;
    f->pins = turn_first;
}

/* Twist about x of each particle, rad, followed along the rod from its last end. */
static void twists(const frames* f, double* out) {
    double before = 0.0;
    for (int32_t i = ROD - 1; i >= 0; i--) {
        const sup_quat* q = f->slices.q + i;
        double angle = 2.0 * atan2((double)q->x, (double)q->w);
        while (angle - before > PI) angle -= 2.0 * PI;
        while (angle - before < -PI) angle += 2.0 * PI;
        out[i] = before = angle;
    }
}

static void test_free_end(void** state) {
    (void)state;
    skip_under_sanitizers();
    const double torsions[3] = {-1.0, 0.02, 0.0};
    for (int k = 0; k < 3; k++) {
        static frames f;
        double angle[ROD], worst = 0.0;
        rod(&f, torsions[k], false);
        f.user[0] = 0.5 * PI;
        for (int second = 0; second < 10; second++) {
            if (second == 6) {
                twists(&f, angle);
                for (int i = 0; i < ROD; i++) worst = fmax(worst, fabs(angle[i] - 0.5 * PI));
                if (getenv("SUPPLE_SHOW")) printf("6 s: %.3f deg\n", worst * 180 / PI);
                assert_true(worst < PI / 180.0);
            }
            frames_run(&f, 1.0, 8);
        }
        worst = 0.0;
        twists(&f, angle);
        for (int i = 0; i < ROD; i++) worst = fmax(worst, fabs(angle[i] - 0.5 * PI));
        if (getenv("SUPPLE_SHOW")) printf("10 s: %.4f deg\n", worst * 180 / PI);
        assert_true(worst < 0.1 * PI / 180.0);
        frames_end(&f);
    }
}

/* Largest deviation from a straight profile, and from their own line that of 3 .. 18 counted from
   1. */
static void profile(const frames* f, double total, double* all, double* inner) {
    double angle[ROD], sx = 0, sy = 0, sxx = 0, sxy = 0;
    twists(f, angle);
    *all = *inner = 0.0;
    for (int i = 0; i < ROD; i++) {
        *all = fmax(*all, fabs(angle[i] - total * (1.0 - (double)i / (ROD - 1))));
        if (i < 2 || i > ROD - 3) continue;
        sx += i, sy += angle[i], sxx += i * i, sxy += i * angle[i];
    }
    double n = ROD - 4, slope = (n * sxy - sx * sy) / (n * sxx - sx * sx);
    for (int i = 2; i < ROD - 2; i++) {
        *inner = fmax(*inner, fabs(angle[i] - (sy / n + slope * (i - sx / n))));
    }
    *all *= 180.0 / PI;
    *inner *= 180.0 / PI;
}

static void test_held_twist(void** state) {
    (void)state;
    skip_under_sanitizers();
    for (int k = 0; k < 2; k++) {
        static frames f;
        double all, inner, spin = 0.0;
        rod(&f, k == 0 ? -1.0 : 0.02, true);
        f.user[0] = 0.5 * PI;
        f.user[1] = 1.0;
        frames_run(&f, 15.0, 8);
        profile(&f, 0.5 * PI, &all, &inner);
        for (int i = 1; i < ROD - 1; i++) {
            const sup_row* w = f.slices.w + i;
            spin = fmax(spin, sqrt((double)(w->x * w->x + w->y * w->y + w->z * w->z)));
        }
        if (getenv("SUPPLE_SHOW")) {
            printf("held: %.2f deg, %.3f deg, %.1e rad/s\n", all, inner, spin);
        }
        assert_true(all < 1.0 && inner < 0.3 && spin < 1e-3);
        frames_end(&f);
    }
}

static void test_three_half_turns(void** state) {
    (void)state;
    skip_under_sanitizers();
    static frames f;
    double all, inner, aside = 0.0;
    uint64_t seed = 3;
    rod(&f, 0.02, true);
    for (int i = 1; i < ROD - 1; i++) {
        f.slices.x[i].y += (float)(0.001 * ref_random(&seed));
        f.slices.x[i].z += (float)(0.001 * ref_random(&seed));
    }
    f.user[0] = 3.0 * PI;
    f.user[1] = 1.0;
    frames_run(&f, 10.0, 8);
    profile(&f, 3.0 * PI, &all, &inner);
    for (int i = 0; i < ROD; i++) {
        aside = fmax(aside, hypot((double)f.slices.x[i].y, (double)f.slices.x[i].z));
    }
    if (getenv("SUPPLE_SHOW")) printf("540 deg: %.2f, %.2f deg, %.1e m\n", all, inner, aside);
    assert_true(all < 6.0 && inner < 1.8 && aside < 0.01 * 1.9);
    frames_end(&f);
}

/* A rod that is bent by 90 degrees over ten links does not twist. */
static void test_bending(void** state) {
    (void)state;
    static frames f;
    static ref_frames now;
    uint64_t seed = 9;
    frames_begin(&f);
    frames_chain(&f, 11, 0.1, 1.0, 0.05);
    for (int32_t i = 0; i < f.link_count; i++) f.links[i].torsion = 0.02f;
    f.inverse_mass[0] = f.inverse_mass[10] = 0.0f;
    frames_make(&f);
    frames_float(&f);
    f.settings.damping = f.settings.turn_damping = 2.0f;
    double place[2] = {0, 0};
    for (int i = 0; i < 11; i++) {
        double angle = 0.05 * PI * i, along = 0.05 * PI * (i + 0.5), by[4], q[4];
        f.slices.x[i].x = (float)place[0];
        f.slices.x[i].y = (float)place[1];
        place[0] += 0.1 * cos(along);
        place[1] += 0.1 * sin(along);
        const double turn[4] = {0, 0, sin(0.5 * angle), cos(0.5 * angle)};
        ref_quaternion_turn(&seed, i % 10 == 0 ? 0.0 : 0.05, by);
        ref_quaternion_product(by, turn, q);
        f.slices.q[i] = (sup_quat){(float)q[0], (float)q[1], (float)q[2], (float)q[3]};
    }
    frames_run(&f, 10.0, 8);
    frames_to_twin(&f, &now);
    double worst = 0.0;
    for (int i = 0; i < 10; i++) {
        double e[3], d[4], back[4];
        for (int k = 0; k < 3; k++) e[k] = now.x[i + 1][k] - now.x[i][k];
        for (int k = 0; k < 4; k++) back[k] = k < 3 ? -now.q[i][k] : now.q[i][k];
        ref_quaternion_product(now.q[i + 1], back, d);
        worst = fmax(worst, fabs(2.0 * atan2(ref_dot(d, e) / ref_length(e), d[3])));
    }
    if (getenv("SUPPLE_SHOW")) printf("twist of a bent rod: %.1e rad\n", worst);
    assert_true(worst < 0.01);
    frames_end(&f);
}

/* By a share of the whole turn, ends meet in the middle, both from what was. */
static void test_slerp(void** state) {
    (void)state;
    static frames f;
    frames_begin(&f);
    frames_chain(&f, 2, 0.1, 1.0, 0.05);
    f.links[0].torsion = 1.0f;
    frames_make(&f);
    frames_float(&f);
    f.settings.stiffness = 0.0f;
    f.settings.torsion = SUP_TORSION_SLERP;
    f.settings.slerp = 1.0f;
    f.settings.restore = false;
    f.slices.q[1] = (sup_quat){0, 0, sinf(0.5f), cosf(0.5f)}; /* 1 rad about z */
    frames_step(&f, 1.0 / 60.0, 1);
    for (int i = 0; i < 2; i++) {
        const sup_quat* q = f.slices.q + i;
        assert_true(fabs(2.0 * atan2((double)q->z, (double)q->w) - 0.5) < 1e-5);
    }
    frames_end(&f);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_compliance),
        cmocka_unit_test(test_damping_last),
        cmocka_unit_test(test_damped_link),
        cmocka_unit_test(test_no_length),
        cmocka_unit_test(test_free_end),
        cmocka_unit_test(test_held_twist),
        cmocka_unit_test(test_three_half_turns),
        cmocka_unit_test(test_bending),
        cmocka_unit_test(test_slerp),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
