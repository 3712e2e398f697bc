/* Young's modulus as stiffness: bars of overlapping clusters swing along their length as an elastic
   bar does, whatever their thickness and spacing. */
#include "world/bodies.h"

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

/* The amplitude of the first mode along x: sum over particles of u cos(pi (x + L/2) / L). */
static double mode_of(const bar* b, const sup_point* places, double length) {
    double sum = 0;
    for (int32_t i = 0; i < b->count; i++) {
        double x = (double)b->points[i].x;
        sum += (places[i].x - x) * cos(pi * (x / length + 0.5));
    }
    return sum;
}

/* Frequency of the first longitudinal mode over that of an elastic bar, at w0 h = `pace`; clusters
 * as lists or as those of a lattice. */
static double relative_frequency(sup_cluster_layout layout, int32_t n, int32_t length,
                                 double spacing, double pace) {
    bar b = bar_make(n, length, spacing);
    sup_blueprint_def print = sup_blueprint_default();
    print.point_count = b.count;
    print.points = b.points;
    print.masses = b.masses;
    print.density = density;
    print.layout = layout;
    print.fill = layout == SUP_CLUSTERS_LATTICE ? spacing : 0.0;
    print.reach = REACH;
    print.allow_joints = true; /* lines of particles hold each other by two */
    print.cluster_count = b.count;
    print.cluster_starts = b.starts;
    print.cluster_members = b.members;
    sup_world_def settings = weightless_world();
    sup_body_def def = sup_body_default();
    sup_world* world = NULL;
    sup_body body;
    sup_error error;
    assert_int_equal(sup_blueprint_create(&print, &def.blueprint, &error), SUP_OK);
    def.material.scheme = SUP_SCHEME_S;
    def.material.rule = SUP_STIFFNESS_MODULUS;
    def.material.stiffness = modulus;
    def.stays_awake = true;
    assert_int_equal(sup_world_create(&settings, &world, &error), SUP_OK);
    assert_int_equal(sup_body_create(world, &def, &body, &error), SUP_OK);

    double size = length * spacing, w0 = sqrt(modulus / (density * spacing * spacing * 2.0 / 3.0));
    double h = pace / w0, half = size / sqrt(modulus / density); /* half a period */
    sup_point* places = calloc((size_t)b.count, sizeof *places);
    for (int32_t i = 0; i < b.count; i++) {
        double x = (double)b.points[i].x;
        places[i] = (sup_point){x + 1e-3 * size * cos(pi * (x / size + 0.5)), (double)b.points[i].y,
                                (double)b.points[i].z};
    }
    assert_int_equal(sup_body_write_particles(world, body, places, NULL, &error), SUP_OK);
    /* Ten times through zero: half a period between two. */
    double first = 0, last = 0, before = mode_of(&b, places, size);
    int crossings = 0;
    for (int t = 1; crossings < 11 && t * h < 20 * half; t++) {
        assert_int_equal(sup_world_step(world, h), SUP_OK);
        assert_int_equal(sup_body_read_particles(world, body, places, NULL), SUP_OK);
        double now = mode_of(&b, places, size);
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
    bar_free(&b);
    return half / ((last - first) / 10);
}

static void check_bars(sup_cluster_layout layout, int thickest) {
    const int32_t widths[] = {1, 2, 4, 8};
    for (int i = 0; i < thickest; i++) {
        for (int k = 0; k < 2; k++) {
            double pace = k == 0 ? 0.1 : 0.3;
            double ratio = relative_frequency(layout, widths[i], LONG, 0.05, pace);
            print_message("24 x %d x %d, w0 h = %.1f: %.4f\n", (int)widths[i], (int)widths[i], pace,
                          ratio);
            assert_near(ratio, 1.0, 0.01);
        }
    }
    double finer = relative_frequency(layout, 2, 2 * LONG, 0.025, 0.3);
    print_message("half the spacing: %.4f\n", finer);
    assert_near(finer, 1.0, 0.01);
}

static void bars_swing_as_elastic_ones(void** state) {
    (void)state;
    check_bars(SUP_CLUSTERS_EXPLICIT, long_tests() ? 4 : 3);
}

static void lattices_swing_as_elastic_bars(void** state) {
    (void)state;
    check_bars(SUP_CLUSTERS_LATTICE, short_tests() ? 3 : 4);
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
                                       cmocka_unit_test(density_shows_in_the_hash)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
