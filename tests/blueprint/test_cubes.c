/* Clusters by overlapping cubes: they cover the body, overlap, hang together, and glue nothing. */
#include "allocators.h"
#include "blueprint/voxels.h"

#include <stdio.h>
#include <time.h>

/* ---- Clusters as sets of particle ids ---- */

static double coordinate(const sup_vec3* p, int axis) {
    return (double)(axis == 0 ? p->x : axis == 1 ? p->y : p->z);
}

/* Clusters that hold each row. */
static int32_t* count_clusters(const sup_blueprint* b) {
    int32_t* counts = calloc((size_t)b->info.particle_count, sizeof *counts);
    for (int32_t c = 0; c < b->cluster_count; c++) {
        for (int32_t i = 0; i < cluster_size(b, c); i++) counts[member(b, c, i)]++;
    }
    return counts;
}

static bool is_subset(const sup_blueprint* b, int32_t c, int32_t of, char* mark) {
    memset(mark, 0, (size_t)b->info.particle_count);
    for (int32_t i = 0; i < cluster_size(b, of); i++) mark[member(b, of, i)] = 1;
    for (int32_t i = 0; i < cluster_size(b, c); i++) {
        if (!mark[member(b, c, i)]) return false;
    }
    return true;
}

/* What must hold for every layout of cubes. */
static void check_layout(const sup_blueprint* b) {
    int32_t* counts = count_clusters(b);
    char* mark = calloc(1, (size_t)b->info.particle_count);
    int32_t total = 0;
    for (int32_t r = 0; r < b->info.particle_count; r++) {
        assert_true(counts[r] >= 1);
        total += counts[r];
        if (b->single) continue;
        assert_true(b->share[r] == 1.0f / (float)counts[r]);
        assert_int_equal(b->ask_starts[r + 1] - b->ask_starts[r], counts[r]);
        for (int32_t i = b->ask_starts[r]; i < b->ask_starts[r + 1]; i++) {
            assert_int_equal(b->members.index[b->asks[i]], r);
        }
    }
    assert_int_equal(b->info.membership_count, total);
    for (int32_t c = 0; c < b->cluster_count; c++) {
        assert_true(cluster_size(b, c) >= 4);
        for (int32_t i = 1; i < cluster_size(b, c); i++) {
            assert_true(member(b, c, i) > member(b, c, i - 1));
        }
        for (int32_t d = 0; d < b->cluster_count; d++) {
            assert_false(d != c && is_subset(b, c, d, mark));
        }
    }
    double weight = 0;
    for (int32_t c = 0; c < b->cluster_count; c++) weight += (double)b->clusters[c].weight;
    assert_near(weight, b->info.mass, 1e-4);
    free(counts);
    free(mark);
}

/* Longest side of the box around a cluster. */
static double extent_of(const sup_blueprint* b, int32_t c) {
    double longest = 0;
    for (int k = 0; k < 3; k++) {
        double low = 1e30, high = -1e30;
        for (int32_t i = 0; i < cluster_size(b, c); i++) {
            double x = coordinate(b->rest + member(b, c, i), k);
            low = x < low ? x : low;
            high = x > high ? x : high;
        }
        longest = high - low > longest ? high - low : longest;
    }
    return longest;
}

/* ---- Bodies ---- */

/* n^3 loose points, `spacing` apart, away from the origin. */
static sup_blueprint* lattice_of(int n, double spacing, sup_blueprint_def def) {
    sup_error error = {0};
    sup_blueprint* print = NULL;
    sup_vec3* points = calloc((size_t)(n * n * n), sizeof *points);
    def.points = points;
    def.point_count = make_lattice(n, n, n, (double[3]){spacing, spacing, spacing}, points);
    for (int32_t i = 0; i < def.point_count; i++) points[i].y += 0.37f;
    assert_ok(sup_blueprint_create(&def, &print, &error), error);
    free(points);
    return print;
}

/* ---- Tests ---- */

static void cubes_cover_balls_and_boxes(void** state) {
    (void)state;
    const double overlaps[] = {0.25, 0.3, 0.5, 0.6, 0.75};
    for (size_t i = 0; i < sizeof overlaps / sizeof *overlaps; i++) {
        /* Neighbours share at least two layers of particles. */
        sup_blueprint_def def = in_cubes(0.125, 0.35 / overlaps[i]);
        def.overlap = overlaps[i];
        sup_blueprint* b = ball_of(0.5, 2, def);
        check_layout(b);
        if (overlaps[i] >= 0.5) assert_true(b->cluster_count >= 8);
        sup_blueprint_release(b);
        b = box_of((double[3]){1.0, 0.6, 0.4}, 8, def);
        check_layout(b);
        sup_blueprint_release(b);
    }
}

/* At overlap 1/2 every particle inside lies in eight cubes, and every cluster fits into one. */
static void lattices_have_eight_clusters_each(void** state) {
    (void)state;
    sup_blueprint_def def = sup_blueprint_default();
    def.layout = SUP_CLUSTERS_CUBES;
    def.cube = 0.43;
    sup_blueprint* b = lattice_of(10, 0.1, def);
    check_layout(b);
    int32_t* counts = count_clusters(b);
    for (int32_t r = 0; r < b->info.particle_count; r++) {
        bool within = true;
        for (int k = 0; k < 3; k++) {
            double x = coordinate(b->rest + r, k) - (k == 1 ? 0.37 : 0.0);
            within = within && fabs(x) < 0.2;
        }
        assert_in_range(counts[r], within ? 8 : 1, 8);
    }
    for (int32_t c = 0; c < b->cluster_count; c++) assert_below(extent_of(b, c), 0.43);
    free(counts);
    sup_blueprint_release(b);
}

/* No cluster grows beyond its cube, for any overlap: a particle on a cube's wall is not lost to a
   cube that is not there. */
static void clusters_stay_in_their_cubes(void** state) {
    (void)state;
    for (int32_t i = 0; i <= 50; i++) {
        sup_blueprint_def def = sup_blueprint_default();
        def.layout = SUP_CLUSTERS_CUBES;
        def.cube = 0.43;
        def.overlap = 0.25 + 0.01 * i;
        sup_blueprint* b = lattice_of(8, 0.1, def);
        int32_t* counts = count_clusters(b);
        for (int32_t r = 0; r < b->info.particle_count; r++) assert_true(counts[r] >= 1);
        for (int32_t c = 0; c < b->cluster_count; c++) assert_below(extent_of(b, c), 0.43 + 1e-6);
        free(counts);
        sup_blueprint_release(b);
    }
}

/* The last cube of a rod holds three particles, too few to know its rotation: its neighbour takes
   them. */
static void small_clusters_are_merged(void** state) {
    (void)state;
    sup_error error = {0};
    sup_vec3 points[14];
    sup_blueprint* b = NULL;
    sup_blueprint_def def = sup_blueprint_default();
    def.points = points;
    def.point_count = make_lattice(14, 1, 1, (double[3]){0.1, 0.1, 0.1}, points);
    def.layout = SUP_CLUSTERS_CUBES;
    def.cube = 0.55;
    def.overlap = 0.25;
    def.allow_joints = true;
    assert_ok(sup_blueprint_create(&def, &b, &error), error);
    check_layout(b);
    assert_int_equal(b->cluster_count, 3);
    assert_near(extent_of(b, 2), 0.6, 1e-5); /* 0.7 .. 1.2, and 1.3 */
    sup_blueprint_release(b);
}

/* Cubes of four spacings where nothing is said. */
static void default_edge(void** state) {
    (void)state;
    sup_blueprint_def def = sup_blueprint_default();
    def.layout = SUP_CLUSTERS_CUBES;
    sup_blueprint* b = lattice_of(10, 0.1, def);
    double longest = 0;
    for (int32_t c = 0; c < b->cluster_count; c++) {
        longest = extent_of(b, c) > longest ? extent_of(b, c) : longest;
    }
    assert_near(b->info.spacing, 0.1, 1e-3);
    assert_near(longest, 0.3, 1e-3); /* edge 0.4: four points of 0.1 */
    sup_blueprint_release(b);
}

/* Fingers that pass the same cube move on their own; a block of the same size is one piece. */
static void fingers_are_not_glued(void** state) {
    (void)state;
    const double cell = 0.1;
    for (int32_t fill = 0; fill < 2; fill++) {
        sup_blueprint_def def = in_cubes(fill ? cell : 0.0, 0.45);
        for (int32_t block = 0; block < 2; block++) {
            sup_mesh mesh = voxel_mesh(block ? inside_block : inside_fork, cell);
            sup_blueprint* b = blueprint_of(&mesh, def);
            check_layout(b);
            assert_near(b->info.volume, 1e-3 * (block ? 140 : 116), 1e-4);
            int32_t glued = count_glued(b, cell, 2.5 * cell);
            if (block)
                assert_true(glued >= 3);
            else
                assert_int_equal(glued, 0);
            sup_blueprint_release(b);
        }
    }
}

/* Two boxes that are not joined by anything. */
static bool inside_pair(int x, int y, int z) {
    return x >= 0 && x < 7 && x != 3 && y >= 0 && y < 3 && z >= 0 && z < 3;
}

static void parts_are_refused(void** state) {
    (void)state;
    sup_error error = {0};
    sup_blueprint* b = NULL;
    sup_mesh mesh = voxel_mesh(inside_pair, 0.1);
    sup_blueprint_def def = in_cubes(0.0, 0.45);
    def.surface = &mesh;
    assert_int_equal(sup_blueprint_create(&def, &b, &error), SUP_BAD_ARGUMENT);
    assert_non_null(strstr(error.text, "fall into 2 parts"));
    def.allow_joints = true;
    assert_ok(sup_blueprint_create(&def, &b, &error), error);
    check_layout(b);
    sup_blueprint_release(b);
    sup_mesh_free(&mesh);
}

static void small_cubes_are_refused(void** state) {
    (void)state;
    sup_error error = {0};
    sup_blueprint* b = NULL;
    sup_mesh mesh = voxel_mesh(inside_block, 0.1);
    sup_blueprint_def def = in_cubes(0.0, 0.19);
    def.surface = &mesh;
    assert_int_equal(sup_blueprint_create(&def, &b, &error), SUP_BAD_ARGUMENT);
    assert_non_null(strstr(error.text, "too small"));
    def.cube = 0.35;
    def.fill = 0.18; /* the coarser of surface and inside counts */
    assert_int_equal(sup_blueprint_create(&def, &b, &error), SUP_BAD_ARGUMENT);
    assert_non_null(strstr(error.text, "too small"));
    sup_mesh_free(&mesh);
}

/* One cube around everything is one cluster of everything. */
static void large_cubes_are_whole(void** state) {
    (void)state;
    sup_blueprint* b = ball_of(0.5, 2, in_cubes(0.125, 10.0));
    assert_true(b->single);
    assert_int_equal(b->info.membership_count, b->info.particle_count);
    sup_blueprint_release(b);
}

/* However often small clusters are merged: the memory of a pass is there for the next one. */
static void passes_share_their_memory(void** state) {
    (void)state;
    long long peaks[2];
    for (int many = 0; many < 2; many++) {
        test_allocator counter;
        sup_blueprint_def def = in_cubes(0, 0.3);
        def.allocator = test_allocator_init(&counter);
        def.least_members = many ? 1000 : 4;
        sup_blueprint* b = lattice_of(16, 0.1, def);
        sup_blueprint_release(b);
        peaks[many] = atomic_load(&counter.peak);
        assert_int_equal(atomic_load(&counter.bytes), 0);
    }
    printf("peak %lld bytes for one pass, %lld for many\n", peaks[0], peaks[1]);
    assert_true(peaks[1] < peaks[0] + peaks[0] / 10);
}

/* Processor time to build a ball of many particles under a coarse surface, s. */
static double build_time(sup_cluster_layout layout) {
    sup_blueprint_def def = in_cubes(0.035, 2.0);
    def.layout = layout;
    clock_t start = clock();
    sup_blueprint* b = ball_of(0.5, 3, def);
    double took = (double)(clock() - start) / CLOCKS_PER_SEC;
    assert_true(b->info.particle_count > 10000 && b->single);
    sup_blueprint_release(b);
    return took;
}

/* All particles of a cube are near many others, and still not looked at two by two. */
static void full_cubes_take_little_time(void** state) {
    (void)state;
    double whole = build_time(SUP_CLUSTERS_WHOLE), cubes = build_time(SUP_CLUSTERS_CUBES);
    print_message("one cluster %.3f s, cubes %.3f s\n", whole, cubes);
    assert_true(cubes < 100.0 * whole); /* 26 times; 260 two by two */
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(cubes_cover_balls_and_boxes),
        cmocka_unit_test(lattices_have_eight_clusters_each),
        cmocka_unit_test(clusters_stay_in_their_cubes),
        cmocka_unit_test(small_clusters_are_merged),
        cmocka_unit_test(passes_share_their_memory),
        cmocka_unit_test(default_edge),
        cmocka_unit_test(fingers_are_not_glued),
        cmocka_unit_test(parts_are_refused),
        cmocka_unit_test(small_cubes_are_refused),
        cmocka_unit_test(large_cubes_are_whole),
        cmocka_unit_test(full_cubes_take_little_time),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
