/* Matching of groups of oriented particles: moments, rigid motion, and the twin in double. */
#include "solve/frames_twin.h"

/* ---- Moments ---- */

/* The sum of (R y)(Rbar y)^T over points in an ellipsoid. */
static void sum_points(const double radii[3], const double now[9], const double then[9],
                       int32_t count, uint64_t* seed, double a[9]) {
    memset(a, 0, 9 * sizeof *a);
    for (int32_t n = 0; n < count;) {
        double u[3] = {ref_random(seed), ref_random(seed), ref_random(seed)}, p[3], q[3];
        if (ref_dot(u, u) > 1.0) continue;
        n++;
        for (int k = 0; k < 3; k++) u[k] *= radii[k];
        ref_matrix_apply(now, u, p);
        ref_matrix_apply(then, u, q);
        for (int k = 0; k < 9; k++) a[k] += p[k / 3] * q[k % 3] / count;
    }
}

/* The kernel's moment of a particle with mass 1, as a matrix. */
static void moment_of(const double radii[3], const double rest[4], const double q[4], double a[9]) {
    static frames f;
    const double square[3] = {radii[0] * radii[0], radii[1] * radii[1], radii[2] * radii[2]};
    frames_begin(&f);
    frames_add(&f, 0, 0, 0, 1.0, 0.0);
    frames_add(&f, 1, 0, 0, 1.0, 0.1);
    frames_shape(&f, 0, square, rest);
    frames_link(&f, 0, 1);
    frames_make(&f);
    const double none[3] = {0, 0, 0};
    frames_put(&f, q, none);
    supi_frame_rows rows = {.q = (sup_row*)f.slices.q, .moment = f.room.moment};
    f.kernels->frames->moments(f.net.rest.rows, 1, SUP_FRAME_CLASSIC, &rows);
    for (int k = 0; k < 3; k++) {
        const sup_row* row = f.room.moment + k;
        a[3 * k] = (double)row->x, a[3 * k + 1] = (double)row->y, a[3 * k + 2] = (double)row->z;
    }
    frames_end(&f);
}

static void test_moments(void** state) {
    (void)state;
    const double radii[3] = {1.0, 0.5, 0.25};
    uint64_t seed = 5;
    for (int trial = 0; trial < 3; trial++) {
        double rest[4], q[4], then[9], turn[9], now[9], summed[9], a[9], r[9], stretch[3];
        ref_quaternion_random(&seed, rest);
        ref_quaternion_random(&seed, q);
        ref_quaternion_matrix(rest, then);
        ref_quaternion_matrix(q, turn);
        ref_matrix_product(turn, then, now);
        sum_points(radii, now, then, short_tests() ? 100000 : 1000000, &seed, summed);
        moment_of(radii, rest, q, a);
        double d[9];
        for (int k = 0; k < 9; k++) d[k] = a[k] - summed[k];
        assert_true(sqrt(ref_matrix_agreement(d, d) / ref_matrix_agreement(a, a)) < 0.01);
        ref_matrix_rotation(a, r, stretch);
        assert_true(ref_matrix_angle(r, turn) < 1e-5);
    }
}

/* ---- Turning all turns the answer ---- */

static void chain_of_three(frames* f, uint64_t* seed) {
    const double square[3] = {1.0, 0.04, 0.04};
    frames_begin(f);
    for (int32_t i = 0; i < 3; i++) {
        const double none[4] = {0, 0, 0, 1};
        frames_add(f, i, 0, 0, 1.0, 0.0);
        frames_shape(f, i, square, none);
        if (i > 0) frames_link(f, i - 1, i);
    }
    frames_make(f);
    for (int32_t i = 0; i < 3; i++) {
        double q[4];
        ref_quaternion_turn(seed, 0.3 * ref_random(seed), q);
        f->slices.q[i] = (sup_quat){(float)q[0], (float)q[1], (float)q[2], (float)q[3]};
        f->slices.x[i].x += (float)(0.1 * ref_random(seed));
        f->slices.x[i].y += (float)(0.1 * ref_random(seed));
        f->slices.x[i].z += (float)(0.1 * ref_random(seed));
    }
}

/* Turns all rows by Q. */
static void turn_all(frames* f, const double q[4]) {
    double r[9];
    ref_quaternion_matrix(q, r);
    for (int32_t i = 0; i < f->count; i++) {
        double x[3], to[3], turned[4];
        const sup_quat* own = f->slices.q + i;
        double from[4] = {(double)own->x, (double)own->y, (double)own->z, (double)own->w};
        frames_place(f, i, x);
        ref_matrix_apply(r, x, to);
        ref_quaternion_product(q, from, turned);
        f->slices.x[i] = (sup_row){(float)to[0], (float)to[1], (float)to[2], f->slices.x[i].w};
        f->slices.q[i] =
            (sup_quat){(float)turned[0], (float)turned[1], (float)turned[2], (float)turned[3]};
    }
}

static void make_cold(frames* f) {
    const sup_quat identity = {0, 0, 0, 1};
    supi_frame_start(&f->net, &identity, f->slices.group_turn, f->slices.part_turn);
}

/* Rotations of all groups, from a cold start. */
static void match_cold(frames* f) {
    make_cold(f);
    supi_frame_pull pull = supi_frame_prepare(&f->net, &f->settings, 1e-3, f->s);
    supi_frame_rows rows = {.x = f->slices.x,
                            .v = f->slices.v,
                            .q = (sup_row*)f->slices.q,
                            .w = f->slices.w,
                            .moment = f->room.moment};
    const supi_frame_rest* rest = &f->net.rest;
    const supi_frame_kernels* k = f->kernels->frames;
    k->moments(rest->rows, f->net.row_count / 8, SUP_FRAME_MEAN, &rows);
    k->match(rest->batches, f->net.group_count / 8, rest->columns, &pull.drive, f->s, &rows,
             (sup_row*)f->slices.group_turn, f->room.origin, f->room.centre);
}

static void rotation_of(const frames* f, int32_t row, double r[9]) {
    const sup_quat* q = f->slices.group_turn + f->net.group_of[row];
    double turn[4] = {(double)q->x, (double)q->y, (double)q->z, (double)q->w};
    ref_quaternion_matrix(turn, r);
}

static void test_turning_all(void** state) {
    (void)state;
    uint64_t seed = 11;
    double worst = 0.0, wrong = 0.0;
    for (int trial = 0; trial < 200; trial++) {
        static frames f;
        static ref_frames twin;
        double q[4], by[9], r[9], turned[9], expected[9], goals[REF_FRAMES_MEMBERS][3];
        int32_t members[REF_FRAMES_MEMBERS];
        chain_of_three(&f, &seed);
        ref_quaternion_random(&seed, q);
        ref_quaternion_matrix(q, by);
        for (int control = 0; control < 2; control++) {
            for (int k = 0; k < 2; k++) {
                if (k == 1) turn_all(&f, q);
                if (control) {
                    frames_to_twin(&f, &twin);
                    twin.wrong_order = true;
                    ref_frames_match(&twin, 1, k == 0 ? r : turned, members, goals);
                } else {
                    match_cold(&f);
                    rotation_of(&f, 1, k == 0 ? r : turned);
                }
                if (k == 1 && control == 0) { /* back, for the control */
                    const double back[4] = {-q[0], -q[1], -q[2], q[3]};
                    turn_all(&f, back);
                }
            }
            ref_matrix_product(by, r, expected);
            double angle = ref_matrix_angle(turned, expected);
            if (control)
                wrong = fmax(wrong, angle);
            else
                worst = fmax(worst, angle);
        }
        frames_end(&f);
    }
    if (getenv("SUPPLE_SHOW")) printf("equivariance %.1e, wrong order %.2f rad\n", worst, wrong);
    assert_true(worst < 1e-5);
    assert_true(wrong > 0.05);
}

/* ---- Rigid motion ---- */

static void make(frames* f, int which, uint64_t* seed) {
    frames_begin(f);
    if (which == 0) frames_graph(f, 50, 4, seed);
    if (which == 1) frames_chain(f, 20, 0.1, 1.0, 0.05);
    if (which == 2) frames_lattice(f, 7, 7, 1, 0.1, 1.0, 0.05);
    if (which == 3) frames_add(f, 0, 0, 0, 1.0, 0.05);
    frames_make(f);
    frames_float(f);
}

static void test_rigid_motion(void** state) {
    (void)state;
    const double size[4] = {0.5, 2.0, 0.85, 0.1};
    uint64_t seed = 21;
    double worst = 0.0, far = 0.0;
    for (int trial = 0; trial < 40; trial++) {
        static frames f;
        double q[4], t[3], r[9], found[9];
        int which = trial % 4;
        make(&f, which, &seed);
        ref_quaternion_random(&seed, q);
        for (int k = 0; k < 3; k++) t[k] = 1.7 * size[which] * ref_random(&seed);
        frames_put(&f, q, t);
        ref_quaternion_matrix(q, r);
        match_cold(&f);
        for (int32_t i = 0; i < f.count && f.net.group_of[i] >= 0; i++) {
            rotation_of(&f, i, found);
            worst = fmax(worst, ref_matrix_angle(found, r));
        }
        static sup_row before[FRAMES_MOST];
        memcpy(before, f.slices.x, (size_t)f.count * sizeof *before);
        f.settings.restore = false;
        f.settings.stiffness = 1e6f;
        make_cold(&f);
        frames_step(&f, 1e-3, 1);
        for (int32_t i = 0; i < f.count; i++) {
            double x[3], d[3];
            frames_place(&f, i, x);
            d[0] = x[0] - (double)before[i].x;
            d[1] = x[1] - (double)before[i].y;
            d[2] = x[2] - (double)before[i].z;
            far = fmax(far, ref_length(d) / size[which]);
        }
        frames_end(&f);
    }
    if (getenv("SUPPLE_SHOW")) printf("rigid: %.1e rad, %.1e size\n", worst, far);
    assert_true(worst < 1e-5);
    assert_true(far < 1e-5);
}

/* ---- The twin ---- */

static void compare(int which, sup_frame_mode mode, double* far, double* turned) {
    static frames f;
    static ref_frames twin;
    uint64_t seed = 31;
    frames_begin(&f);
    if (which == 0) frames_graph(&f, 50, 4, &seed);
    if (which == 1) frames_chain(&f, 20, 0.1, 1.0, 0.05);
    if (which == 2) frames_lattice(&f, 4, 4, 3, 0.1, 1.0, 0.05);
    for (int32_t i = 0; i < f.link_count; i++) f.links[i].torsion = which == 0 ? -1.0f : 0.01f;
    f.inverse_mass[0] = 0.0f;
    frames_make(&f);
    f.settings.mode = mode;
    f.settings.restore = false;
    for (int32_t i = 1; i < f.count; i++) {
        f.slices.v[i] = (sup_row){(float)ref_random(&seed), (float)ref_random(&seed),
                                  (float)ref_random(&seed), 0.0f};
        f.slices.w[i] = (sup_row){(float)ref_random(&seed), (float)ref_random(&seed),
                                  (float)ref_random(&seed), 0.0f};
    }
    frames_to_twin(&f, &twin);
    *far = *turned = 0.0;
    for (int i = 0; i < 20; i++) {
        double angle;
        frames_step(&f, 1.0 / 480.0, 1);
        ref_frames_substep(&twin, 1.0 / 480.0);
        *far = fmax(*far, frames_from_twin(&f, &twin, &angle));
        *turned = fmax(*turned, angle);
    }
    frames_end(&f);
}

/* Links are nearly without force, so that their order does not matter. */
static void test_twin(void** state) {
    (void)state;
    for (int which = 0; which < 3; which++) {
        double far, turned;
        compare(which, SUP_FRAME_MEAN, &far, &turned);
        if (getenv("SUPPLE_SHOW")) printf("twin %d: %.1e m %.1e rad\n", which, far, turned);
        assert_true(far < 1e-5 && turned < 2e-5);
        compare(which, SUP_FRAME_CLASSIC, &far, &turned);
        if (getenv("SUPPLE_SHOW")) printf("  classic: %.1e m %.1e rad\n", far, turned);
        assert_true(far < 1e-5 && turned < 2e-5);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_moments),
        cmocka_unit_test(test_turning_all),
        cmocka_unit_test(test_rigid_motion),
        cmocka_unit_test(test_twin),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
