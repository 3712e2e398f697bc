/* Rigid parts of oriented particles and their joints. */
#include "solve/frames_twin.h"
#include "solve/joint.h"

static double distance(const frames* f, int32_t a, int32_t b) {
    double p[3], q[3], d[3];
    frames_place(f, a, p);
    frames_place(f, b, q);
    for (int k = 0; k < 3; k++) d[k] = p[k] - q[k];
    return ref_length(d);
}

static double rest_distance(const frames* f, int32_t a, int32_t b) {
    const sup_vec3 *p = f->rest + a, *q = f->rest + b;
    double d[3] = {(double)p->x - (double)q->x, (double)p->y - (double)q->y,
                   (double)p->z - (double)q->z};
    return ref_length(d);
}

/* Largest change of a distance within a part, m. */
static double deformation(const frames* f) {
    double worst = 0.0;
    for (int32_t part = 0; part < f->net.part_count; part++) {
        for (int32_t i = f->net.part_starts[part]; i < f->net.part_starts[part + 1]; i++) {
            for (int32_t k = f->net.part_starts[part]; k < i; k++) {
                int32_t a = f->net.part_members[i], b = f->net.part_members[k];
                worst = fmax(worst, fabs(distance(f, a, b) - rest_distance(f, a, b)));
            }
        }
    }
    return worst;
}

/* Largest gap that joints were left with, m. */
static double widest_gap(const frames* f) {
    double worst = 0.0;
    for (int32_t i = 0; i < f->net.rest.joints.count; i++) {
        const supi_frame_joint* j = f->net.rest.joints.joints + i;
        double at[2][3];
        frames_place(f, j->row, at[0]);
        for (int k = 0; k < 2; k++) {
            int32_t part = k == 0 ? j->a : j->b, member = k == 0 ? j->member_a : j->member_b;
            if (part < 0) continue;
            const sup_vec3* p = f->net.rest.offset + member;
            double offset[3] = {(double)p->x, (double)p->y, (double)p->z};
            ref_matrix_apply(f->room.parts[part].r, offset, at[k]);
            for (int n = 0; n < 3; n++) at[k][n] += f->room.parts[part].c[n];
        }
        double d[3] = {at[0][0] - at[1][0], at[0][1] - at[1][1], at[0][2] - at[1][2]};
        worst = fmax(worst, ref_length(d));
    }
    return worst;
}

/* ---- One part ---- */

static void box(frames* f) {
    int32_t members[8];
    frames_begin(f);
    for (int i = 0; i < 8; i++) {
        members[i] = frames_add(f, 0.2 * (i & 1), 0.3 * (i >> 1 & 1), 0.5 * (i >> 2), 1.0, 0.05);
    }
    frames_part(f, 8, members);
    frames_make(f);
    frames_float(f);
}

static void spin_box(frames* f, double rate) {
    const double w[3] = {0, 0, rate};
    for (int i = 0; i < 8; i++) {
        double p[3], v[3];
        frames_place(f, i, p);
        p[0] -= 0.1, p[1] -= 0.15, p[2] -= 0.25;
        ref_cross(w, p, v);
        f->slices.v[i] = (sup_row){(float)v[0], (float)v[1], (float)v[2], 0.0f};
        f->slices.w[i] = (sup_row){0.0f, 0.0f, (float)rate, 0.0f};
    }
}

static void test_spinning_box(void** state) {
    (void)state;
    for (int fast = 0; fast < 2; fast++) {
        for (int restore = 0; restore < 2; restore++) {
            static frames f;
            box(&f);
            f.settings.restore = restore;
            spin_box(&f, fast ? 5.0 : 2.0);
            double p0[3], l0[3], p1[3], l1[3], worst = 0.0;
            frames_momenta(&f, p0, l0);
            for (int i = 0; i < 4800; i++) {
                frames_step(&f, 1.0 / 480.0, 1);
                worst = fmax(worst, deformation(&f));
            }
            frames_momenta(&f, p1, l1);
            if (getenv("SUPPLE_SHOW")) {
                printf("box: L %.4f, %.1e m\n", ref_length(l1) / ref_length(l0), worst);
            }
            assert_true(fabs(ref_length(l1) / ref_length(l0) - 1.0) < 0.01);
            assert_true(worst < 1e-5 * 0.6);
            frames_end(&f);
        }
    }
}

/* About z, of balls. */
static double twin_spin(const ref_frames* twin) {
    double sum = 0.0;
    for (int32_t i = 0; i < twin->count; i++) {
        const double *x = twin->x[i], *v = twin->v[i];
        sum += twin->mass[i] * (x[0] * v[1] - x[1] * v[0]);
        sum += (twin->moment[i][0] + twin->moment[i][4]) * twin->w[i][2];
    }
    return sum;
}

/* The twin matches and gives nothing back: every substep takes its part of the spin. */
static void test_spin_that_is_not_restored(void** state) {
    (void)state;
    const double rates[2] = {2.0, 5.0}, kept[2] = {0.93, 0.71};
    for (int k = 0; k < 2; k++) {
        static frames f;
        static ref_frames twin;
        box(&f);
        spin_box(&f, rates[k]);
        frames_to_twin(&f, &twin);
        twin.part_count = 1;
        twin.part_size[0] = 8;
        for (int32_t i = 0; i < 8; i++) twin.parts[0][i] = i;
        double before = twin_spin(&twin);
        for (int i = 0; i < 4800; i++) ref_frames_substep(&twin, 1.0 / 480.0);
        double left = twin_spin(&twin) / before;
        if (getenv("SUPPLE_SHOW")) printf("box that gets nothing back: L %.4f\n", left);
        assert_true(fabs(left - kept[k]) < 0.01);
        frames_end(&f);
    }
}

/* ---- A chain ---- */

enum { LINKS = 20 };

/* Joints .1 kg, between them two bodies of .2 kg. Joint i is row 3 i. */
static void chain(frames* f) {
    frames_begin(f);
    for (int32_t i = 0; i <= LINKS; i++) {
        frames_add(f, 0.1 * i, 0, 0, 0.1, 0.0);
        if (i == LINKS) break;
        frames_add(f, 0.1 * i + 0.1 / 3.0, 0, 0, 0.2, 0.02);
        frames_add(f, 0.1 * i + 0.2 / 3.0, 0, 0, 0.2, 0.02);
    }
    for (int32_t i = 0; i < LINKS; i++) {
        const int32_t members[4] = {3 * i, 3 * i + 1, 3 * i + 2, 3 * i + 3};
        frames_part(f, 4, members);
    }
    f->inverse_mass[0] = 0.0f;
}

static void test_chain(void** state) {
    (void)state;
    skip_under_sanitizers();
    for (int passes = 0; passes < 2; passes++) {
        static frames f;
        double gap = 0.0, bent = 0.0;
        chain(&f);
        frames_make(&f);
        assert_int_equal(f.net.rest.joints.tree_count, LINKS);
        if (passes) f.net.rest.joints.tree_count = 0; /* all of them as if there were loops */
        for (int i = 0; i < 600; i++) {
            frames_step(&f, 1.0 / 60.0, 8);
            gap = fmax(gap, widest_gap(&f) / 0.1);
            bent = fmax(bent, deformation(&f) / 0.1);
        }
        if (getenv("SUPPLE_SHOW")) printf("chain: gap %.4f %%, %.4f %%\n", 100 * gap, 100 * bent);
        assert_true(gap < (passes ? 0.01 : 0.001));
        assert_true(passes || bent < 0.001);
        frames_end(&f);
    }
}

/* Shared particles alone hand on next to nothing of a gap. */
static void test_handing_on(void** state) {
    (void)state;
    static frames f;
    static ref_frames twin;
    chain(&f);
    frames_make(&f);
    f.settings.damping = f.settings.turn_damping = 0.0f;
    frames_to_twin(&f, &twin);
    twin.passes = 2;
    twin.part_count = LINKS;
    for (int32_t i = 0; i < LINKS; i++) {
        twin.part_size[i] = 4;
        memcpy(twin.parts[i], f.part_members + 4 * i, sizeof(int32_t) * 4);
    }
    double worst = 0.0;
    for (int i = 0; i < 480; i++) {
        ref_frames_substep(&twin, 1.0 / 480.0);
        for (int k = 0; k < LINKS; k++) {
            double d[3];
            for (int n = 0; n < 3; n++) d[n] = twin.x[3 * k][n] - twin.x[3 * k + 3][n];
            worst = fmax(worst, fabs(ref_length(d) - 0.1) / 0.1);
        }
    }
    if (getenv("SUPPLE_SHOW")) printf("handing on: %.1f %%\n", 100 * worst);
    assert_true(worst > 0.05);
    frames_end(&f);
}

/* ---- Two parts ---- */

/* Four particles about a line along x; returns the first. */
static int32_t ring(frames* f, double x) {
    int32_t first = f->count;
    for (int i = 0; i < 4; i++) {
        double angle = 0.5 * 3.14159265358979 * i;
        frames_add(f, x, 0.05 * cos(angle), 0.05 * sin(angle), 0.2, 0.02);
    }
    return first;
}

static double spin_of(const frames* f, int32_t first) {
    double l = 0.0;
    for (int32_t i = first; i < first + 4; i++) {
        const sup_row *x = f->slices.x + i, *v = f->slices.v + i;
        l += (double)f->mass[i] * ((double)x->y * (double)v->z - (double)x->z * (double)v->y);
    }
    return l;
}

static void test_ball_joint(void** state) {
    (void)state;
    static frames f;
    frames_begin(&f);
    frames_add(&f, 0, 0, 0, 0.1, 0.0);
    int32_t one = ring(&f, 0.1), two = ring(&f, -0.1);
    const int32_t a[5] = {0, one, one + 1, one + 2, one + 3};
    const int32_t b[5] = {0, two, two + 1, two + 2, two + 3};
    frames_part(&f, 5, a);
    frames_part(&f, 5, b);
    frames_make(&f);
    frames_float(&f);
    for (int32_t i = one; i < one + 4; i++) {
        f.slices.v[i].y = -10.0f * f.slices.x[i].z;
        f.slices.v[i].z = 10.0f * f.slices.x[i].y;
        f.slices.w[i].x = 10.0f;
    }
    double before = spin_of(&f, one);
    frames_run(&f, 2.0, 8);
    double kept = spin_of(&f, one) / before, got = spin_of(&f, two) / before;
    if (getenv("SUPPLE_SHOW")) printf("ball joint: %.5f, %.1e\n", kept, got);
    assert_true(fabs(kept - 1.0) < 0.01 && fabs(got) < 0.01);
    frames_end(&f);
}

/* Two plates that share two points swing about them, and keep them. */
static void test_hinge(void** state) {
    (void)state;
    static frames f;
    frames_begin(&f);
    frames_add(&f, 0, 0, 0, 0.1, 0.0);
    frames_add(&f, 0, 0, 0.2, 0.1, 0.0);
    for (int i = 0; i < 4; i++) frames_add(&f, i < 2 ? 0.2 : -0.2, 0, 0.2 * (i & 1), 0.2, 0.02);
    f.inverse_mass[4] = f.inverse_mass[5] = 0.0f;
    const int32_t a[4] = {0, 1, 2, 3}, b[4] = {0, 1, 4, 5};
    frames_part(&f, 4, a);
    frames_part(&f, 4, b);
    frames_make(&f);
    assert_int_equal(f.net.part_count, 2);
    assert_int_equal(f.net.rest.joints.tree_count, 0);
    double gap = 0.0;
    for (int i = 0; i < 120; i++) {
        frames_step(&f, 1.0 / 60.0, 8);
        gap = fmax(gap, widest_gap(&f) / 0.2);
    }
    if (getenv("SUPPLE_SHOW")) printf("hinge: gap %.4f %%\n", 100 * gap);
    assert_true(gap < 0.01);
    assert_true(fabs((double)f.slices.x[0].z - 0.0) < 0.002);
    assert_true(fabs((double)f.slices.x[4].x + 0.2) < 1e-6);
    frames_end(&f);
}

/* A joint of three parts, and a tree with branches. */
static void test_branches(void** state) {
    (void)state;
    static frames f;
    frames_begin(&f);
    frames_add(&f, 0, 0, 0, 0.1, 0.0);
    for (int32_t i = 0; i < 3; i++) {
        double angle = 2.0 * 3.14159265358979 * i / 3.0;
        int32_t body = frames_add(&f, 0.1 * cos(angle), 0, 0.1 * sin(angle), 0.3, 0.03);
        int32_t far = frames_add(&f, 0.2 * cos(angle), 0, 0.2 * sin(angle), 0.1, 0.0);
        int32_t last = frames_add(&f, 0.3 * cos(angle), 0, 0.3 * sin(angle), 0.3, 0.03);
        const int32_t inner[3] = {0, body, far}, outer[2] = {far, last};
        frames_part(&f, 3, inner);
        frames_part(&f, 2, outer);
    }
    f.inverse_mass[3] = 0.0f; /* the far end of the first arm */
    frames_make(&f);
    assert_int_equal(f.net.rest.joints.tree_count, 6);
    double gap = 0.0, bent = 0.0;
    for (int i = 0; i < 300; i++) {
        frames_step(&f, 1.0 / 60.0, 8);
        gap = fmax(gap, widest_gap(&f) / 0.1);
        bent = fmax(bent, deformation(&f) / 0.1);
    }
    if (getenv("SUPPLE_SHOW")) printf("branches: %.4f %%, %.4f %%\n", 100 * gap, 100 * bent);
    assert_true(gap < 0.002 && bent < 0.002);
    frames_end(&f);
}

static void test_welded(void** state) {
    (void)state;
    static frames f;
    frames_begin(&f);
    for (int i = 0; i < 12; i++) {
        frames_add(&f, 0.1 * (i % 2), 0.1 * (i / 2 % 2), 0.1 * (i / 4), 1.0, 0.02);
    }
    int32_t members[8];
    for (int part = 0; part < 2; part++) {
        for (int i = 0; i < 8; i++) members[i] = 4 * part + i;
        frames_part(&f, 8, members);
    }
    frames_make(&f);
    assert_int_equal(f.net.part_count, 1);
    assert_int_equal(f.net.part_starts[1], 12);
    assert_int_equal(f.net.part_of[1], 0);
    assert_int_equal(f.net.rest.joints.count, 0);
    frames_end(&f);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_spinning_box), cmocka_unit_test(test_spin_that_is_not_restored),
        cmocka_unit_test(test_chain),        cmocka_unit_test(test_handing_on),
        cmocka_unit_test(test_ball_joint),   cmocka_unit_test(test_hinge),
        cmocka_unit_test(test_branches),     cmocka_unit_test(test_welded),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
