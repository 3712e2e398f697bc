/* Stability of the schemes S, P and D: eigenvalues of one step of a stretched pair of particles,
   measured on the real thing. Lengths, masses and the step are powers of two, so the goals are
   exact and what is measured is the scheme. */
#include "solve/clouds.h"

#include "ref/ref_oscillator.h"

static const double step = 1.0 / 64.0; /* s */

static void assert_close(double found, double expected) {
    if (!(fabs(found - expected) < 1e-6)) print_message("%.9g, not %.9g\n", found, expected);
    assert_true(fabs(found - expected) < 1e-6);
}

/* ---- One step of a pair along x, by the kernels ---- */

/* Two particles of 1 kg at rest at -0.5 and 0.5, each `offset` further out and flying apart at
 * `speed`. */
static void make_pair(cloud* c, double offset, double speed) {
    double rest[2][3] = {{-0.5, 0, 0}, {0.5, 0, 0}};
    cloud_rest(c, 2, rest, NULL);
    for (int i = 0; i < 2; i++) {
        double side = i == 0 ? -1.0 : 1.0;
        const double x[3] = {side * (0.5 + offset), 0, 0}, v[3] = {side * speed, 0, 0};
        cloud_put(c, i, x, v);
    }
}

static void step_pair(cloud* c, const supi_kernels* table, supi_cluster_kind kind, double alpha,
                      double delta) {
    const float xref[3] = {0, 0, 0};
    float q[4] = {0, 0, 0, 1};
    supi_pull pull = {.h = (float)step, .k = (float)(alpha / step), .delta = (float)delta};
    cloud_step(c, table, &pull, kind, xref, q);
    assert_true(c->place[0].x == -c->place[1].x && c->place[1].y == 0.0f && c->place[1].z == 0.0f);
}

/* The linear map of a step on (h v, x - rest). */
static void map_of_kernels(const supi_kernels* table, supi_cluster_kind kind, double alpha,
                           double delta, double map[4]) {
    static cloud c;
    const double size = 0.25;
    for (int j = 0; j < 2; j++) {
        make_pair(&c, j == 1 ? size : 0.0, j == 0 ? size / step : 0.0);
        step_pair(&c, table, kind, alpha, delta);
        map[j] = step * (double)c.speed[1].x / size;
        map[2 + j] = ((double)c.place[1].x - 0.5) / size;
    }
}

/* |lambda| of S is 1 below alpha = 4 and leaves 1 above; P damps by sqrt(1 - alpha); D with both at
   1 is dead in two steps. */
static void test_eigenvalues(void** state) {
    (void)state;
    const struct {
        supi_cluster_kind kind;
        double alpha, delta, larger, smaller;
    } cases[] = {
        {SUPI_CLUSTER_PLAIN, 0.1, 0, 1, 1},
        {SUPI_CLUSTER_PLAIN, 0.5, 0, 1, 1},
        {SUPI_CLUSTER_PLAIN, 1, 0, 1, 1},
        {SUPI_CLUSTER_PLAIN, 3.9, 0, 1, 1},
        {SUPI_CLUSTER_PLAIN, 4.1, 0, 1.370156, 0.729844},
        {SUPI_CLUSTER_PREDICTED, 0.5, 0, 0.707107, 0.707107},
        {SUPI_CLUSTER_PREDICTED, 1, 0, 0, 0},
        {SUPI_CLUSTER_DAMPED, 1, 1, 0, 0},
        {SUPI_CLUSTER_DAMPED, 0.5, 0.5, 0.707107, 0.707107},
    };
    const supi_kernels* tables[3];
    int table_count = kernel_tables(tables);
    for (int t = 0; t < table_count; t++) {
        for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
            double map[4], moduli[2];
            map_of_kernels(tables[t], cases[i].kind, cases[i].alpha, cases[i].delta, map);
            ref_moduli(map, moduli);
            assert_close(moduli[0], cases[i].larger);
            assert_close(moduli[1], cases[i].smaller);
        }
    }
}

/* D is stable exactly where 2 delta + alpha < 4, and while it swings it loses sqrt(1 - delta) per
 * step. */
static void test_border_of_damping(void** state) {
    (void)state;
    const supi_kernels* table = supi_kernels_find(SUP_SIMD_AUTO);
    for (int i = 1; i <= 40; i++) {
        for (int j = 1; j <= 20; j++) {
            double alpha = i / 8.0, delta = j / 10.0, map[4], moduli[2];
            double trace = 2.0 - alpha - delta, border = 2.0 * delta + alpha - 4.0;
            map_of_kernels(table, SUPI_CLUSTER_DAMPED, alpha, delta, map);
            ref_moduli(map, moduli);
            if (fabs(border) > 1e-3) assert_int_equal(moduli[0] < 1.0, border < 0.0);
            if (trace * trace < 4.0 * (1.0 - delta) - 1e-3) {
                assert_close(moduli[0], sqrt(1.0 - delta));
            }
        }
    }
}

/* ---- The same through the front door ---- */

static void map_of_world(sup_simd simd, const sup_material* material, double map[4]) {
    const sup_vec3 rest[2] = {{-0.5f, 0, 0}, {0.5f, 0, 0}};
    sup_world_def world_def = sup_world_default();
    world_def.gravity[1] = 0.0;
    world_def.substeps = 1;
    world_def.simd = simd;
    sup_blueprint_def print_def = sup_blueprint_default();
    print_def.point_count = 2;
    print_def.points = rest;
    print_def.mass = 2.0;
    print_def.radius = -1.0;
    sup_blueprint* print;
    assert_int_equal(sup_blueprint_create(&print_def, &print, NULL), SUP_OK);
    const double size = 0.25;
    for (int j = 0; j < 2; j++) {
        sup_world* world;
        sup_body body;
        sup_body_def body_def = sup_body_default();
        body_def.blueprint = print;
        body_def.material = *material;
        assert_int_equal(sup_world_create(&world_def, &world, NULL), SUP_OK);
        assert_int_equal(sup_body_create(world, &body_def, &body, NULL), SUP_OK);
        double out = 0.5 + (j == 1 ? size : 0.0);
        float speed = j == 0 ? (float)(size / step) : 0.0f;
        sup_point places[2] = {{-out, 0, 0}, {out, 0, 0}};
        sup_vec3 velocities[2] = {{-speed, 0, 0}, {speed, 0, 0}};
        assert_int_equal(sup_body_write_particles(world, body, places, velocities, NULL), SUP_OK);
        assert_int_equal(sup_world_step(world, step), SUP_OK);
        assert_int_equal(sup_body_read_particles(world, body, places, velocities), SUP_OK);
        map[j] = step * (double)velocities[1].x / size;
        map[2 + j] = (places[1].x - 0.5) / size;
        assert_true(places[0].x == -places[1].x);
        sup_world_destroy(world);
    }
    sup_blueprint_release(print);
}

static void test_eigenvalues_in_a_world(void** state) {
    (void)state;
    const struct {
        sup_scheme scheme;
        double alpha, delta, modulus;
    } cases[] = {
        {SUP_SCHEME_S, 0.1, -1, 1}, {SUP_SCHEME_S, 0.5, -1, 1},
        {SUP_SCHEME_S, 1, -1, 1},   {SUP_SCHEME_P, 0.5, -1, 0.707107},
        {SUP_SCHEME_P, 1, -1, 0},   {SUP_SCHEME_D, 1, 1, 0},
        {SUP_SCHEME_D, 1, 0, 1},    {SUP_SCHEME_D, 0.25, 0.75, 0.5},
    };
    const sup_simd sets[3] = {SUP_SIMD_SCALAR, SUP_SIMD_SSE2, SUP_SIMD_AVX2};
    for (int s = 0; s < 3; s++) {
        if (!sup_simd_available(sets[s])) continue;
        for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
            sup_material material = sup_body_default().material;
            material.scheme = cases[i].scheme;
            material.rule = SUP_STIFFNESS_RAW;
            material.stiffness = cases[i].alpha;
            material.raw_damping = cases[i].delta;
            double map[4], moduli[2];
            map_of_world(sets[s], &material, map);
            ref_moduli(map, moduli);
            assert_close(moduli[0], cases[i].modulus);
            assert_close(moduli[1], cases[i].modulus);
        }
    }
}

/* ---- The oscillator that scheme S is ---- */

static ref_oscillator spring_of(double a) {
    return (ref_oscillator){
        .mass = 2.0, .stiffness = 2.0 * a / (step * step), .rest = 0.5, .h = step};
}

/* h^2 k / m takes the place of alpha, and nothing keeps it small. */
static void test_oscillator(void** state) {
    (void)state;
    const struct {
        double a, larger, smaller;
    } cases[] = {{0.1, 1, 1}, {3.9, 1, 1}, {5, 2.618034, 0.381966}, {1e6, 999998, 1.000002e-6}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        double map[4], moduli[2];
        ref_oscillator spring = spring_of(cases[i].a);
        ref_oscillator_map(&spring, map);
        ref_moduli(map, moduli);
        assert_true(fabs(moduli[0] / cases[i].larger - 1.0) < 1e-6);
        assert_close(moduli[1], cases[i].smaller);
        if (cases[i].a > 10.0) continue;
        /* The kernels of S do the same, far beyond what a material may ask for. */
        map_of_kernels(supi_kernels_find(SUP_SIMD_AUTO), SUPI_CLUSTER_PLAIN, cases[i].a, 0.0, map);
        ref_moduli(map, moduli);
        assert_close(moduli[0], cases[i].larger);
        assert_close(moduli[1], cases[i].smaller);
    }
}

/* Slope of log |x| against log n by least squares. */
typedef struct slope {
    double n, x, y, xx, xy;
} slope;

static void slope_add(slope* s, double n, double value) {
    double x = log(n), y = log(fabs(value));
    s->n += 1.0;
    s->x += x;
    s->y += y;
    s->xx += x * x;
    s->xy += x * y;
}

static double slope_of(const slope* s) {
    return (s->n * s->xy - s->x * s->y) / (s->n * s->xx - s->x * s->x);
}

/* At the border, a = 4, both eigenvalues are -1 and yet the swing grows: linearly, in the reference
   and in the kernels, whose numbers are all multiples of 2^-20 here and so not rounded. */
static void test_linear_growth_at_the_border(void** state) {
    (void)state;
    const supi_kernels* tables[3];
    int table_count = kernel_tables(tables);
    ref_oscillator spring = spring_of(4.0);
    spring.x = spring.rest + 1.0;
    slope reference = {0};
    static cloud c[3];
    slope measured[3] = {{0}};
    const double tiny = ldexp(1.0, -20);
    for (int t = 0; t < table_count; t++) make_pair(&c[t], tiny, 0.0);
    for (int n = 1; n <= 10000; n++) {
        ref_oscillator_step(&spring);
        if (n >= 100) slope_add(&reference, n, spring.x - spring.rest);
        for (int t = 0; t < table_count; t++) {
            step_pair(&c[t], tables[t], SUPI_CLUSTER_PLAIN, 4.0, 0.0);
            double offset = ((double)c[t].place[1].x - 0.5) / tiny;
            if (n >= 100) slope_add(&measured[t], n, offset);
            assert_true(fabs(offset) == 2.0 * n + 1.0);
        }
    }
    assert_true(fabs(slope_of(&reference) - 1.0) < 0.01);
    for (int t = 0; t < table_count; t++) assert_true(fabs(slope_of(&measured[t]) - 1.0) < 0.01);
    print_message("slope %.4f\n", slope_of(&measured[0]));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_eigenvalues),
        cmocka_unit_test(test_border_of_damping),
        cmocka_unit_test(test_eigenvalues_in_a_world),
        cmocka_unit_test(test_oscillator),
        cmocka_unit_test(test_linear_growth_at_the_border),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
