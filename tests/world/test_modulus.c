/* Young's modulus as stiffness: bars of overlapping clusters swing along their length as an elastic
   bar does, whatever their thickness and spacing, and with goals of every mode. */
#include "blueprint/blueprint.h"
#include "world/elements.h"

enum { LONG = 24, REACH = 1 };
static const double modulus = 1e6, density = 1000.0; /* Pa, kg/m^3 */
static const double pi = 3.14159265358979324;

/* A lattice of LONG x n x n particles, and around each the cluster of those within REACH. */
typedef struct bar {
    int32_t size[3], count;
    sup_vec3* points;
    float* masses;
    int32_t *starts, *members;
} bar;

static int32_t bar_id(const bar* b, const int32_t at[3]) {
    return at[0] + b->size[0] * (at[1] + b->size[1] * at[2]);
}

static void bar_cluster(const bar* b, const int32_t at[3], int32_t* used) {
    int32_t low[3], high[3], p[3];
    for (int k = 0; k < 3; k++) {
        low[k] = at[k] < REACH ? 0 : at[k] - REACH;
        high[k] = at[k] + REACH >= b->size[k] ? b->size[k] - 1 : at[k] + REACH;
    }
    for (p[2] = low[2]; p[2] <= high[2]; p[2]++) {
        for (p[1] = low[1]; p[1] <= high[1]; p[1]++) {
            for (p[0] = low[0]; p[0] <= high[0]; p[0]++) b->members[(*used)++] = bar_id(b, p);
        }
    }
}

static bar bar_make(int32_t n, int32_t length, double spacing) {
    bar b = {.size = {length, n, n}, .count = length * n * n};
    size_t count = (size_t)b.count;
    b.points = calloc(count, sizeof *b.points);
    b.masses = calloc(count, sizeof *b.masses);
    b.starts = calloc(count + 1, sizeof *b.starts);
    b.members = calloc(27 * count, sizeof *b.members);
    make_lattice(length, n, n, (double[3]){spacing, spacing, spacing}, b.points);
    int32_t used = 0;
    for (int32_t i = 0; i < b.count; i++) {
        const int32_t at[3] = {i % length, i / length % n, i / length / n};
        b.masses[i] = (float)(density * spacing * spacing * spacing);
        bar_cluster(&b, at, &used);
        b.starts[i + 1] = used;
    }
    return b;
}

static void bar_free(bar* b) {
    free(b->points);
    free(b->masses);
    free(b->starts);
    free(b->members);
}

static sup_blueprint_def bar_print(const bar* b, sup_cluster_layout layout, double spacing) {
    sup_blueprint_def print = sup_blueprint_default();
    print.point_count = b->count;
    print.points = b->points;
    print.masses = b->masses;
    print.density = density;
    print.layout = layout;
    print.fill = layout == SUP_CLUSTERS_LATTICE ? spacing : 0.0;
    print.reach = REACH;
    print.allow_joints = true; /* lines of particles hold each other by two */
    print.cluster_count = b->count;
    print.cluster_starts = b->starts;
    print.cluster_members = b->members;
    return print;
}

/* The amplitude of the first mode along x: sum over particles of u cos(pi (x + L/2) / L). */
static double mode_of(const sup_blueprint_def* print, const sup_point* places, double length) {
    double sum = 0;
    for (int32_t i = 0; i < print->point_count; i++) {
        double x = (double)print->points[i].x;
        sum += (places[i].x - x) * cos(pi * (x / length + 0.5));
    }
    return sum;
}

static sup_material of_modulus(sup_match_mode mode, double beta, bool keeps_volume) {
    sup_material m = sup_body_default().material;
    m.scheme = SUP_SCHEME_S;
    m.rule = SUP_STIFFNESS_MODULUS;
    m.stiffness = modulus;
    m.mode = mode;
    m.beta = beta;
    m.keeps_volume = keeps_volume;
    return m;
}

/* Frequency of the first longitudinal mode over that of an elastic bar of this length, with steps
 * of h. */
static double relative_frequency(const sup_blueprint_def* print, const sup_material* material,
                                 double size, double h) {
    sup_world_def settings = weightless_world();
    sup_body_def def = sup_body_default();
    sup_world* world = NULL;
    sup_body body;
    sup_error error;
    assert_ok(sup_blueprint_create(print, &def.blueprint, &error), error);
    def.material = *material;
    def.stays_awake = true;
    assert_int_equal(sup_world_create(&settings, &world, &error), SUP_OK);
    assert_ok(sup_body_create(world, &def, &body, &error), error);

    double half = size / sqrt(modulus / density); /* half a period */
    sup_point* places = calloc((size_t)print->point_count, sizeof *places);
    for (int32_t i = 0; i < print->point_count; i++) {
        const sup_vec3* p = print->points + i;
        double x = (double)p->x;
        places[i] =
            (sup_point){x + 1e-3 * size * cos(pi * (x / size + 0.5)), (double)p->y, (double)p->z};
    }
    assert_int_equal(sup_body_write_particles(world, body, places, NULL, &error), SUP_OK);
    /* Ten times through zero: half a period between two. */
    double first = 0, last = 0, before = mode_of(print, places, size);
    int crossings = 0;
    for (int t = 1; crossings < 11 && t * h < 20 * half; t++) {
        assert_int_equal(sup_world_step(world, h), SUP_OK);
        assert_int_equal(sup_body_read_particles(world, body, places, NULL), SUP_OK);
        double now = mode_of(print, places, size);
        if ((now < 0) != (before < 0)) {
            last = (t - now / (now - before)) * h;
            if (crossings++ == 0) first = last;
        }
        before = now;
    }
    assert_int_equal(crossings, 11);
    free(places);
    sup_world_destroy(world);
    sup_blueprint_release(def.blueprint);
    return half / ((last - first) / 10);
}

/* A bar of the first kind, at w0 h = `pace` where goals are rigid. */
static double bar_frequency(sup_cluster_layout layout, const sup_material* material, int32_t n,
                            int32_t length, double spacing, double pace) {
    bar b = bar_make(n, length, spacing);
    sup_blueprint_def print = bar_print(&b, layout, spacing);
    double w0 = sqrt(modulus / (density * spacing * spacing * 2.0 / 3.0));
    double ratio = relative_frequency(&print, material, length * spacing, pace / w0);
    bar_free(&b);
    return ratio;
}

static void check_bars(sup_cluster_layout layout, int thickest) {
    const int32_t widths[] = {1, 2, 4, 8};
    const sup_material rigid = of_modulus(SUP_MATCH_RIGID, 0.5, true);
    for (int i = 0; i < thickest; i++) {
        for (int k = 0; k < 2; k++) {
            double pace = k == 0 ? 0.1 : 0.3;
            double ratio = bar_frequency(layout, &rigid, widths[i], LONG, 0.05, pace);
            print_message("24 x %d x %d, w0 h = %.1f: %.4f\n", (int)widths[i], (int)widths[i], pace,
                          ratio);
            assert_near(ratio, 1.0, 0.01);
        }
    }
    double finer = bar_frequency(layout, &rigid, 2, 2 * LONG, 0.025, 0.3);
    print_message("half the spacing: %.4f\n", finer);
    assert_near(finer, 1.0, 0.01);
}

static void bars_swing_as_elastic_ones(void** state) {
    (void)state;
    skip_under_sanitizers();
    check_bars(SUP_CLUSTERS_EXPLICIT, long_tests() ? 4 : 3);
}

static void lattices_swing_as_elastic_bars(void** state) {
    (void)state;
    check_bars(SUP_CLUSTERS_LATTICE, short_tests() ? 3 : 4);
}

/* The part of a stretch that goals follow is made up for, whether they keep the volume or not.
   Where they do, bars contract sideways, and clusters that are cut at the rim do not resist that
   fully.
 */
static void other_modes_have_the_modulus_too(void** state) {
    (void)state;
    skip_under_sanitizers();
    for (int volume = 0; volume < 2; volume++) {
        for (int mode = SUP_MATCH_LINEAR; mode <= SUP_MATCH_QUADRATIC; mode++) {
            for (int i = 0; i < 3; i++) {
                const double betas[] = {0.2, 0.5, 0.8};
                sup_material m = of_modulus((sup_match_mode)mode, betas[i], volume == 1);
                double ratio = bar_frequency(SUP_CLUSTERS_EXPLICIT, &m, 3, LONG, 0.05, 0.1);
                print_message("%s, beta %.1f%s: %.4f\n",
                              mode == SUP_MATCH_LINEAR ? "linear" : "quadratic", betas[i],
                              volume ? ", volume kept" : "", ratio);
                assert_near(ratio, 1.0, volume ? 0.06 : 0.01);
            }
        }
    }
}

/* Elements of a mesh: hexahedra are such a solid; tetrahedra lie askew, turn instead of being
   stretched, and take it unevenly. */
static void elements_have_the_modulus(void** state) {
    (void)state;
    skip_under_sanitizers();
    static element_bar bars;
    const double spacing = 0.05;
    float masses[BAR_POINTS_MOST];
    for (int i = 0; i < BAR_POINTS_MOST; i++) masses[i] = (float)(density * pow(spacing, 3));
    for (int corners = 8; corners >= 4; corners -= 4) {
        for (int mode = SUP_MATCH_RIGID; mode <= SUP_MATCH_LINEAR; mode++) {
            make_element_bar((int32_t[3]){20, 3, 3}, spacing, corners, &bars);
            bars.def.masses = masses;
            bars.def.density = density;
            sup_material m = of_modulus((sup_match_mode)mode, 0.5, true);
            double ratio = relative_frequency(&bars.def, &m, 20 * spacing, 1e-4);
            print_message("%d corners, mode %d: %.4f, modulus %.3f\n", corners, mode, ratio,
                          ratio * ratio);
            if (corners == 8) {
                assert_near(ratio, 1.0, 0.02);
            } else {
                assert_true(ratio * ratio > 0.65 && ratio * ratio < 1.05);
            }
        }
    }
}

/* A ring is stretched along itself, wherever that leads. */
static void rings_are_as_wide_as_bars(void** state) {
    (void)state;
    enum { COUNT = 48 };
    sup_vec3 points[COUNT];
    int32_t starts[COUNT + 1] = {0}, members[3 * COUNT];
    for (int i = 0; i < COUNT; i++) {
        double turn = 2 * pi * i / COUNT;
        points[i] = (sup_vec3){(float)cos(turn), (float)sin(turn), 0};
        starts[i + 1] = 3 * (i + 1);
        for (int k = 0; k < 3; k++) members[3 * i + k] = (i + k) % COUNT;
    }
    sup_blueprint_def def = sup_blueprint_default();
    def.points = points;
    def.point_count = def.cluster_count = COUNT;
    def.layout = SUP_CLUSTERS_EXPLICIT;
    def.cluster_starts = starts;
    def.cluster_members = members;
    def.allow_joints = true;
    sup_blueprint* print;
    sup_error error;
    assert_ok(sup_blueprint_create(&def, &print, &error), error);
    double step = 2 * sin(pi / COUNT);
    assert_near((double)print->extent, step * step * 2 / 3, 0.02);
    sup_blueprint_release(print);
}

/* Goals that follow every stretch have no modulus. */
static void full_beta_is_refused(void** state) {
    (void)state;
    sup_material bad = of_modulus(SUP_MATCH_LINEAR, 1.0, true), fine = bad;
    static element_bar bars;
    make_element_bar((int32_t[3]){2, 2, 2}, 0.1, 8, &bars);
    sup_world_def settings = weightless_world();
    sup_body_def def = sup_body_default();
    sup_world* world = make_world(&settings);
    sup_error error;
    assert_ok(sup_blueprint_create(&bars.def, &def.blueprint, &error), error);
    fine.mode = SUP_MATCH_RIGID;
    def.material = fine;
    sup_body body = add_body(world, &def);
    assert_int_equal(sup_body_set_material(world, body, &bad, &error), SUP_BAD_ARGUMENT);
    assert_string_equal(error.text, "a modulus needs a beta below 1: goals that follow every "
                                    "stretch do not resist it");
    assert_int_equal(sup_body_set_mode(world, body, SUP_MATCH_LINEAR, &error), SUP_BAD_ARGUMENT);
    sup_world_destroy(world);
    sup_blueprint_release(def.blueprint);
}

/* Bodies that differ in their density alone move otherwise, and their worlds say so before. */
static void density_shows_in_the_hash(void** state) {
    (void)state;
    uint64_t hashes[2];
    for (int i = 0; i < 2; i++) {
        static live l;
        sup_vec3 points[64];
        sup_world_def world = weightless_world();
        sup_blueprint_def def = cube_of_64(points);
        def.mass = 64.0;
        def.density = i == 0 ? 1000.0 : 4000.0;
        sup_body_def body = sup_body_default();
        body.material.rule = SUP_STIFFNESS_MODULUS;
        body.material.stiffness = 1e4;
        live_create(&l, &world, &def, &body, 1.0 / 60.0);
        hashes[i] = sup_world_hash(l.world);
        live_free(&l);
    }
    assert_true(hashes[0] != hashes[1]);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(bars_swing_as_elastic_ones),
                                       cmocka_unit_test(lattices_swing_as_elastic_bars),
                                       cmocka_unit_test(other_modes_have_the_modulus_too),
                                       cmocka_unit_test(elements_have_the_modulus),
                                       cmocka_unit_test(rings_are_as_wide_as_bars),
                                       cmocka_unit_test(full_beta_is_refused),
                                       cmocka_unit_test(density_shows_in_the_hash)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
