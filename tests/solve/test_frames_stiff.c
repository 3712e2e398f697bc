/* Stiffness of oriented particles depends neither on the substep nor on how many they are. */
#include "solve/frames_twin.h"

/* ---- Cantilevers ---- */

/* Spans of length d along x. The first particle is held; the last has half the mass, as it stands
   for half a span. With 12 spans the sag is 0.739 of the length after 8 s, when it still swings a
   little, and 0.732 after 30 s; a last particle of full mass would sag by 0.755. */
static void cantilever(frames* f, int32_t spans, double d, double r, double mass) {
    frames_begin(f);
    frames_chain(f, spans + 1, d, mass, r);
    f->inverse_mass[0] = 0.0f;
    f->mass[spans] *= 0.5f;
    f->inverse_mass[spans] *= 2.0f;
    for (int k = 0; k < 3; k++) f->moment[spans][k] *= 0.5f;
}

static double tip_sag(const frames* f) {
    return -(double)f->slices.x[f->count - 1].y / (double)f->rest[f->count - 1].x;
}

static double sag_of(sup_frame_mode mode, int substeps) {
    static frames f;
    cantilever(&f, 12, 0.1, 0.05, 1.0);
    frames_make(&f);
    f.settings.mode = mode;
    f.settings.damping = 1.0f;
    f.settings.turn_damping = 1.0f;
    frames_run(&f, 8.0, substeps);
    double sag = tip_sag(&f);
    if (getenv("SUPPLE_SHOW")) printf("mode %d, %d substeps: sag %.4f\n", mode, substeps, sag);
    frames_end(&f);
    return sag;
}

static double twin_sag(bool classic, ref_frames_share share, int substeps, double seconds) {
    static frames f;
    static ref_frames twin;
    cantilever(&f, 12, 0.1, 0.05, 1.0);
    frames_make(&f);
    f.settings.damping = f.settings.turn_damping = 1.0f;
    frames_to_twin(&f, &twin);
    frames_end(&f);
    twin.classic = classic;
    twin.share = share;
    for (int i = 0; i < (int)(60 * seconds) * substeps; i++) {
        ref_frames_substep(&twin, 1.0 / (60.0 * substeps));
    }
    double sag = -twin.x[12][1] / 1.2;
    if (getenv("SUPPLE_SHOW")) {
        printf("twin, classic %d, share %d, %d substeps: sag %.4f\n", classic, share, substeps,
               sag);
    }
    return sag;
}

static bool within(double a, double b, double share) { return fabs(a - b) < share * fabs(b); }

static void test_substeps(void** state) {
    (void)state;
    skip_under_sanitizers();
    double few = sag_of(SUP_FRAME_MEAN, 8), more = sag_of(SUP_FRAME_MEAN, 16);
    double many = sag_of(SUP_FRAME_MEAN, 64);
    assert_true(within(few, many, 0.01) && within(more, many, 0.01) && within(few, more, 0.01));
    assert_true(within(many, 0.733, 0.02));
    double low = twin_sag(false, REF_SHARE_IMPLICIT, 8, 8.0);
    double high = twin_sag(false, REF_SHARE_IMPLICIT, 64, 8.0);
    assert_false(within(low, high, 0.10));
}

static void test_substeps_classic(void** state) {
    (void)state;
    skip_under_sanitizers();
    double few = sag_of(SUP_FRAME_CLASSIC, 16), more = sag_of(SUP_FRAME_CLASSIC, 64);
    double many = sag_of(SUP_FRAME_CLASSIC, 256);
    assert_true(within(few, more, 0.12));
    assert_true(within(more, many, 0.04));
    double low = twin_sag(true, REF_SHARE_HALF, 4, 4.0);
    double high = twin_sag(true, REF_SHARE_HALF, 64, 4.0);
    assert_true(low > 10.0 * high);
}

/* ---- Bars and beams of a material ---- */

/* A free bar of length 1 and its first longitudinal frequency by crossings of zero. */
static double bar_frequency(int32_t count, double young, double density) {
    static frames f;
    double d = 1.0 / count;
    frames_begin(&f);
    frames_chain(&f, count, d, density * d * 1e-4, 0.3 * d);
    frames_make(&f);
    frames_float(&f);
    float stiffness = 0.0f;
    stiffness = (float)sqrt(young / (density * (double)f.net.spread[count / 2]));
    f.settings.stiffness = stiffness;
    for (int32_t i = 0; i < count; i++) {
        double s = ((double)i + 0.5) * d;
        f.slices.v[i].x = (float)(0.01 * cos(3.14159265358979 * s));
    }
    double h = 0.5 / (double)stiffness, first = 0.0, last = 0.0, before = 1.0;
    int crossings = 0;
    supi_frame_pull pull = supi_frame_prepare(&f.net, &f.settings, h, f.s);
    for (int i = 1; crossings < 9 && i < 1000000; i++) {
        frames_substep(&f, &pull);
        double amplitude = 0.0;
        for (int32_t k = 0; k < count; k++) {
            double s = ((double)k + 0.5) * d;
            amplitude += (double)f.slices.v[k].x * cos(3.14159265358979 * s);
        }
        if (amplitude * before < 0.0) {
            double when = h * (i - 1 + before / (before - amplitude));
            if (crossings == 0) first = when;
            last = when;
            crossings++;
        }
        before = amplitude;
    }
    frames_end(&f);
    return 0.5 * (crossings - 1) / (last - first);
}

static void test_bar(void** state) {
    (void)state;
    const double young = 1e5, density = 1000.0;
    double expected = sqrt(young / density) / 2.0;
    for (int32_t count = 10; count <= 80; count *= 2) {
        double ratio = bar_frequency(count, young, density) / expected;
        if (getenv("SUPPLE_SHOW")) printf("bar of %d: %.4f\n", (int)count, ratio);
        assert_true(fabs(ratio - 1.0) < 0.01);
    }
}

/* Round rod of radius L/10, clamped by its first particle; tip of half mass. w0 h as given. */
static double beam_sag(int32_t spans, double step) {
    static frames f;
    const double length = 1.0, radius = 0.1, young = 1e6, density = 1000.0;
    const double area = 3.14159265358979 * radius * radius;
    double d = length / spans, inertia_per_area = radius * radius / 4.0;
    double moment_radius = sqrt((inertia_per_area - d * d / 12.0) / 0.4);
    cantilever(&f, spans, d, moment_radius, density * area * d);
    frames_make(&f);
    double stiffness = sqrt(1.5 * young / density) / d;
    f.settings.stiffness = (float)stiffness;
    f.settings.damping = f.settings.turn_damping = 10.0f;
    double slender = 0.0557; /* what q L^4 / 8 E I is to be, in lengths */
    double load = young * slender * inertia_per_area * 8.0 / (density * length * length * length);
    f.settings.gravity[1] = (float)-load;
    double h = step / stiffness;
    supi_frame_pull pull = supi_frame_prepare(&f.net, &f.settings, h, f.s);
    int32_t count = (int32_t)(2.5 / h);
    for (int32_t i = 0; i < count; i++) frames_substep(&f, &pull);
    double sag = tip_sag(&f);
    if (getenv("SUPPLE_SHOW")) {
        printf("beam of %d, w0 h %.2f: %.5f, %.4f of slender\n", (int)spans, step, sag,
               sag / slender);
    }
    frames_end(&f);
    return sag / slender;
}

static void test_beam(void** state) {
    (void)state;
    skip_under_sanitizers();
    double ten = beam_sag(10, 0.6), again = beam_sag(10, 0.15);
    double twenty = beam_sag(20, 0.6), sixty = beam_sag(60, 0.6);
    assert_true(within(ten, sixty, 0.15));
    assert_true(fabs(sixty - 1.0) < 0.02);
    assert_true(fabs(twenty - 1.0) < 0.04);
    assert_true(within(ten, again, 0.005));
}

/* ---- Varying steps ---- */

static void test_varying_steps(void** state) {
    (void)state;
    skip_under_sanitizers();
    static frames f;
    double sag[2];
    for (int vary = 0; vary < 2; vary++) {
        uint64_t seed = 17;
        cantilever(&f, 12, 0.1, 0.05, 1.0);
        frames_make(&f);
        f.settings.damping = f.settings.turn_damping = 1.0f;
        f.settings.longest = 1.0f / (30.0f * 16.0f);
        while (f.time < 8.0) {
            double share = 0.5 + 0.5 * ref_random(&seed);
            frames_step(&f, vary ? 1.0 / 144.0 + share * (1.0 / 30.0 - 1.0 / 144.0) : 1.0 / 60.0,
                        16);
        }
        sag[vary] = tip_sag(&f);
        frames_end(&f);
    }
    if (getenv("SUPPLE_SHOW")) printf("sag %.4f, with varying steps %.4f\n", sag[0], sag[1]);
    assert_true(within(sag[1], sag[0], 0.03));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_substeps),      cmocka_unit_test(test_substeps_classic),
        cmocka_unit_test(test_bar),           cmocka_unit_test(test_beam),
        cmocka_unit_test(test_varying_steps),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
