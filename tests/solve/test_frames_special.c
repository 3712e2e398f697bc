/* Oriented particles where formulas have no answer, input that makes no sense, and memory. */
#include "solve/frames.h"

static void assert_sane(const frames* f) {
    for (int32_t i = 0; i < f->count; i++) {
        const float* rows[4] = {&f->slices.x[i].x, &f->slices.v[i].x, &f->slices.q[i].x,
                                &f->slices.w[i].x};
        for (int r = 0; r < 4; r++) {
            for (int k = 0; k < (r == 2 ? 4 : 3); k++) assert_true(fabsf(rows[r][k]) < 1e6f);
        }
    }
}

static void stir(frames* f, uint64_t* seed) {
    for (int32_t i = 0; i < f->count; i++) {
        f->slices.v[i].x += (float)ref_random(seed);
        f->slices.v[i].y += (float)ref_random(seed);
        f->slices.v[i].z += (float)ref_random(seed);
        f->slices.w[i].x += (float)ref_random(seed);
    }
}

enum {
    ALONE,
    TWO,
    POINTS_IN_LINE,
    COINCIDENT,
    INVERTED,
    DISC,
    NEEDLE,
    WEIGHTLESS,
    ALL_PINNED,
    PART_OF_ONE,
    POINT_PART,
    PARTS_AND_LINKS,
    CASES
};

static void make_case(frames* f, int which) {
    const double square[3] = {0.01, 0.0, 0.01}, line[3] = {0.01, 0.0, 0.0}, none[4] = {0, 0, 0, 1};
    int32_t members[4] = {0, 1, 2, 3};
    frames_begin(f);
    bool points = which == POINTS_IN_LINE || which == POINT_PART;
    int32_t count = which == ALONE ? 1 : (which == TWO ? 2 : 6);
    frames_chain(f, count, which == COINCIDENT ? 0.0 : 0.1, 1.0, points ? 0.0 : 0.05);
    if (which == INVERTED) {
        frames_add(f, 0.1, 0.1, 0.1, 1.0, 0.05);
        for (int32_t i = 0; i < 6; i++) frames_link(f, i, 6);
    }
    if (which == DISC) frames_shape(f, 2, square, none);
    for (int32_t i = 0; which == NEEDLE && i < count; i++) frames_shape(f, i, line, none);
    if (which == WEIGHTLESS) {
        f->mass[2] = f->inverse_mass[2] = f->mass[5] = f->inverse_mass[5] = 0.0f;
    }
    for (int32_t i = 0; which == ALL_PINNED && i < count; i++) f->inverse_mass[i] = 0.0f;
    if (which == PART_OF_ONE) frames_part(f, 1, members);
    if (which == POINT_PART || which == PARTS_AND_LINKS) frames_part(f, 4, members);
    for (int32_t i = 0; i < f->link_count; i++) {
        f->links[i].compliance = i % 2 == 0 ? 0.0f : 1e-4f;
        f->links[i].torsion = 0.01f;
    }
    frames_make(f);
}

static void test_cases(void** state) {
    (void)state;
    for (int which = 0; which < CASES; which++) {
        for (int mode = 0; mode < 2; mode++) {
            static frames f;
            uint64_t seed = 4;
            make_case(&f, which);
            f.settings.mode = (sup_frame_mode)mode;
            if (which == INVERTED) f.slices.x[6].z = -0.1f, f.slices.x[6].y = -0.1f;
            if (which != ALL_PINNED) stir(&f, &seed);
            for (int32_t i = 0; i < (short_tests() ? 1000 : 10000); i++) {
                frames_step(&f, 1.0 / 480.0, 1);
            }
            assert_sane(&f);
            frames_end(&f);
        }
    }
}

/* Three that tumble, longer than wide or without any width, the third without weight perhaps, so
   that nothing resists a turn about the line of the others: whatever is given back to their
   momenta, they do not gather speed. */
static double tumble(bool part) {
    const double widths[] = {0.05, 0.03, 0.02, 0.01, 0.001, 0.0}, spins[] = {3, 20, 50, 100, 200};
    const double none[4] = {0, 0, 0, 1};
    double worst = 0.0;
    for (int n = 0; n < 6 * 5 * 2 * 2 * 2; n++) {
        static frames f;
        int32_t rate = n / 4 % 2 ? 480 : 1920;
        double width = widths[n / 40], square[3] = {0.01, width * width, width * width};
        double spin = spins[n / 8 % 5], most = 0.0;
        frames_begin(&f);
        frames_add(&f, 0.0, 0.0, 0.0, 1.0, 0.1);
        frames_add(&f, 0.05, 0.0, 0.0, 1.0, 0.1);
        frames_add(&f, 0.02, 0.05, 0.0, n % 2 ? 0.0 : 1.0, 0.1);
        for (int32_t i = 0; i < 3; i++) {
            frames_shape(&f, i, square, none);
            if (!part) frames_link(&f, i, (i + 1) % 3)->compliance = 0.0f;
        }
        if (part) frames_part(&f, 3, (int32_t[3]){0, 1, 2});
        frames_make(&f);
        frames_float(&f);
        f.settings.restore = !part;
        f.settings.mode = (sup_frame_mode)(n / 2 % 2);
        for (int32_t i = 0; i < 3; i++) {
            double p[3], w[3] = {0.1 * spin, 0.0, spin}, v[3];
            frames_place(&f, i, p);
            ref_cross(w, p, v);
            f.slices.v[i] = (sup_row){(float)v[0], (float)v[1], (float)v[2], 0};
            f.slices.w[i] = (sup_row){(float)w[0], (float)w[1], (float)w[2], 0};
        }
        for (int32_t i = 0; i < (short_tests() ? 100 : rate); i++) {
            frames_step(&f, 1.0 / rate, 1);
            for (int32_t k = 0; k < 3; k++) {
                const sup_row* v = f.slices.v + k;
                double speed[3] = {(double)v->x, (double)v->y, (double)v->z};
                if (f.mass[k] > 0.0f) most = fmax(most, ref_length(speed));
            }
        }
        worst = fmax(worst, most / (0.054 * spin));
        frames_end(&f);
    }
    if (getenv("SUPPLE_SHOW")) printf("thin ones: %.2f of their speed\n", worst);
    return worst;
}

static void test_thin_bodies_tumble(void** state) {
    (void)state;
    assert_true(tumble(false) < 2.0);
}

/* The same as one part, to which its own momentum is given back and no other. */
static void test_thin_parts_tumble(void** state) {
    (void)state;
    assert_true(tumble(true) < 2.0);
}

/* Largest change of a distance between any two, in sizes. */
static double deformed(const frames* f, double size) {
    double worst = 0.0;
    for (int32_t i = 0; i < f->count; i++) {
        for (int32_t k = 0; k < i; k++) {
            const sup_vec3 *a = f->rest + i, *b = f->rest + k;
            double p[3], q[3], d[3];
            double e[3] = {(double)(a->x - b->x), (double)(a->y - b->y), (double)(a->z - b->z)};
            frames_place(f, i, p);
            frames_place(f, k, q);
            for (int n = 0; n < 3; n++) d[n] = p[n] - q[n];
            worst = fmax(worst, fabs(ref_length(d) - ref_length(e)) / size);
        }
    }
    return worst;
}

static void test_recovery(void** state) {
    (void)state;
    skip_under_sanitizers();
    for (int which = 0; which < 4; which++) {
        static frames f;
        uint64_t seed = 12;
        bool chain = which < 2, scattered = which % 2 == 1;
        frames_begin(&f);
        if (chain)
            frames_chain(&f, 20, 0.1, 1.0, 0.05);
        else
            frames_lattice(&f, 3, 3, 3, 0.1, 1.0, 0.05);
        frames_make(&f);
        frames_float(&f);
        f.settings.damping = f.settings.turn_damping = 1.0f;
        for (int32_t i = 0; i < f.count; i++) {
            sup_row* x = f.slices.x + i;
            double q[4];
            *x = (sup_row){0, 0, 0, x->w};
            if (!scattered) continue;
            x->x = (float)ref_random(&seed);
            x->y = (float)ref_random(&seed);
            x->z = (float)ref_random(&seed);
            ref_quaternion_random(&seed, q);
            f.slices.q[i] = (sup_quat){(float)q[0], (float)q[1], (float)q[2], (float)q[3]};
        }
        for (int i = 0; i < 10000; i++) frames_step(&f, 1.0 / 480.0, 1);
        double worst = deformed(&f, chain ? 1.9 : 0.35);
        if (getenv("SUPPLE_SHOW")) printf("recovery %d: %.4f\n", which, worst);
        assert_sane(&f);
        assert_true(worst < 0.02);
        frames_end(&f);
    }
}

/* Inside out: all of it mirrored, or a corner pushed through the side across, so that groups have
   determinants below 0. Shapes are right again after a while. */
static void test_inverted(void** state) {
    (void)state;
    skip_under_sanitizers();
    for (int which = 0; which < 4; which++) {
        static frames f;
        bool all = which < 2;
        frames_begin(&f);
        frames_lattice(&f, 3, 3, 3, 0.1, 1.0, 0.05);
        frames_make(&f);
        frames_float(&f);
        f.settings.mode = (sup_frame_mode)(which % 2);
        f.settings.damping = f.settings.turn_damping = 1.0f;
        for (int32_t i = 0; i < f.count; i++) {
            sup_row* x = f.slices.x + i;
            if (all) x->z = -x->z;
            if (!all && i == 0) x->x += 0.3f, x->y += 0.3f, x->z += 0.3f;
        }
        for (int i = 0; i < 10000; i++) frames_step(&f, 1.0 / 480.0, 1);
        double worst = deformed(&f, 0.35);
        if (getenv("SUPPLE_SHOW")) printf("inverted %d: %.4f\n", which, worst);
        assert_sane(&f);
        assert_true(worst < 0.02);
        frames_end(&f);
    }
}

/* What weighs nothing is where its groups have it, and changes nothing for the others. */
static void test_weightless(void** state) {
    (void)state;
    static frames f, g;
    uint64_t seed = 2;
    for (int k = 0; k < 2; k++) {
        frames* one = k == 0 ? &f : &g;
        frames_begin(one);
        frames_chain(one, 4, 0.1, 1.0, 0.05);
        if (k == 1) {
            frames_add(one, 0.1, 0.1, 0, 0.0, 0.0);
            frames_link(one, 1, 4)->compliance = 0.0f;
        }
        frames_make(one);
        frames_float(one);
        one->settings.stiffness = 100.0f;
        seed = 2;
        for (int32_t i = 0; i < 4; i++) {
            one->slices.v[i].x = (float)(0.1 * ref_random(&seed));
            one->slices.v[i].y = (float)(0.1 * ref_random(&seed));
        }
        frames_run(one, 0.5, 8);
    }
    for (int32_t i = 0; i < 4; i++) {
        double a[3], b[3];
        frames_place(&f, i, a);
        frames_place(&g, i, b);
        for (int k = 0; k < 3; k++) assert_true(fabs(a[k] - b[k]) < 1e-6);
    }
    double p[3], q[3], d[3];
    frames_place(&g, 1, p);
    frames_place(&g, 4, q);
    for (int k = 0; k < 3; k++) d[k] = p[k] - q[k];
    assert_true(fabs(ref_length(d) - 0.1) < 0.01);
    const sup_row* v = g.slices.v + 4;
    assert_true(fabsf(v->x) + fabsf(v->y) + fabsf(v->z) < 2.0f);
    frames_end(&f);
    frames_end(&g);
}

/* Pinned rows are the caller's, and fourth entries pass. */
static void test_untouched(void** state) {
    (void)state;
    static frames f;
    frames_begin(&f);
    frames_chain(&f, 9, 0.1, 1.0, 0.05);
    for (int32_t i = 0; i < f.link_count; i++) f.links[i].compliance = 1e-5f;
    f.inverse_mass[4] = 0.0f;
    frames_make(&f);
    for (int32_t i = 0; i < f.count; i++) {
        f.slices.v[i].w = (float)i;
        f.slices.w[i].w = (float)-i;
    }
    sup_row x = f.slices.x[4], v = {1, 2, 3, 4}, w = {4, 5, 6, -4};
    sup_quat q = {0.6f, 0, 0.8f, 0};
    f.slices.v[4] = v;
    f.slices.w[4] = w;
    f.slices.q[4] = q;
    frames_run(&f, 0.2, 8);
    assert_memory_equal(f.slices.x + 4, &x, sizeof x);
    assert_memory_equal(f.slices.v + 4, &v, sizeof v);
    assert_memory_equal(f.slices.w + 4, &w, sizeof w);
    assert_memory_equal(f.slices.q + 4, &q, sizeof q);
    for (int32_t i = 0; i < f.count; i++) {
        assert_true(f.slices.v[i].w == (float)i && f.slices.w[i].w == (float)-i);
        assert_true(f.slices.x[i].w == f.inverse_mass[i]);
    }
    frames_end(&f);
}

/* ---- What is refused ---- */

static void refuse(frames* f, const char* text) {
    sup_error error = {0};
    test_allocator_init(&f->memory);
    supi_arena_init(&f->arena, &f->memory.table);
    sup_result result = frames_try(f, &error);
    supi_arena_free(&f->arena);
    assert_int_equal(result, SUP_BAD_ARGUMENT);
    if (!strstr(error.text, text)) fail_msg("\"%s\" lacks \"%s\"", error.text, text);
    assert_int_equal(f->memory.blocks, 0);
}

static void good(frames* f) {
    frames_begin(f);
    frames_chain(f, 5, 0.1, 1.0, 0.05);
}

static void test_refusals(void** state) {
    (void)state;
    static frames f;
    good(&f), f.links[2].b = 5, refuse(&f, "link 2");
    good(&f), f.links[2].a = -1, refuse(&f, "link 2");
    good(&f), f.links[1].b = 1, refuse(&f, "link 1");
    good(&f), f.links[3] = f.links[1], refuse(&f, "link 3");
    good(&f), f.links[3] = (sup_link){2, 1, -1, 0, 0, -1}, refuse(&f, "link 3");
    good(&f), f.links[0].compliance = -1.0f, refuse(&f, "link 0");
    good(&f), f.links[0].compliance = NAN, refuse(&f, "link 0");
    good(&f), f.links[0].damping = -1.0f, refuse(&f, "link 0");
    good(&f), f.links[0].length = INFINITY, refuse(&f, "link 0");
    good(&f), f.links[0].torsion = NAN, refuse(&f, "link 0");
    good(&f), f.mass[3] = -1.0f, refuse(&f, "mass");
    good(&f), f.rest[3].y = NAN, refuse(&f, "place");
    good(&f), f.moment[3][1] = -1.0f, refuse(&f, "moment");
    good(&f), f.pin_factor = 0.5f, refuse(&f, "pin_factor");
    good(&f), f.count = 0, refuse(&f, "0 oriented particles");
    const int32_t twice[3] = {0, 1, 0}, wrong[2] = {0, 7}, one[3] = {0, 1, 2};
    const int32_t two[3] = {0, 1, 3};
    good(&f), frames_part(&f, 3, twice), refuse(&f, "part 0");
    good(&f), frames_part(&f, 3, one), frames_part(&f, 2, wrong), refuse(&f, "part 1");
    good(&f), frames_part(&f, 3, one), frames_part(&f, 0, wrong), refuse(&f, "part 1");
    good(&f), f.rest[1] = (sup_vec3){0.001f, 0, 0}, f.rest[2].y = f.rest[3].y = 0.1f;
    frames_part(&f, 3, one), frames_part(&f, 3, two), refuse(&f, "parts 0 and 1");
}

/* ---- Memory ---- */

static void make_rich(frames* f) {
    frames_begin(f);
    uint64_t seed = 8;
    frames_graph(f, 40, 3, &seed);
    for (int32_t i = 0; i < f->link_count; i++) f->links[i].torsion = 0.1f;
    const int32_t one[5] = {0, 1, 2, 3, 4}, two[4] = {4, 5, 6, 7};
    frames_part(f, 5, one);
    frames_part(f, 4, two);
    f->yields = true;
}

static void test_memory(void** state) {
    (void)state;
    static frames f;
    make_rich(&f);
    test_allocator_init(&f.memory);
    for (long long n = 1;; n++) {
        sup_error error = {0};
        test_allocator_arm(&f.memory, n, false);
        supi_arena_init(&f.arena, &f.memory.table);
        sup_result result = frames_try(&f, &error);
        supi_arena_free(&f.arena);
        assert_int_equal(f.memory.blocks, 0);
        if (result == SUP_OK) break;
        assert_int_equal(result, SUP_NO_MEMORY);
    }
    make_rich(&f);
    frames_make(&f);
    test_allocator_arm(&f.memory, 1, true);
    for (int mode = 0; mode < 2; mode++) {
        f.settings.mode = (sup_frame_mode)mode;
        supi_part_hit(&f.part_settings, 1.0f / 480.0f, &f.parts, mode, 100.0f);
        frames_run(&f, 0.5, 8);
    }
    assert_int_equal(f.memory.calls, 0);
    assert_sane(&f);
    frames_end(&f);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_cases),
        cmocka_unit_test(test_thin_bodies_tumble),
        cmocka_unit_test(test_thin_parts_tumble),
        cmocka_unit_test(test_recovery),
        cmocka_unit_test(test_inverted),
        cmocka_unit_test(test_weightless),
        cmocka_unit_test(test_untouched),
        cmocka_unit_test(test_refusals),
        cmocka_unit_test(test_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
