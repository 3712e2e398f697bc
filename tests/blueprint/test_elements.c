/* Clusters from elements: those of lists and those of a filling. */
#include "allocators.h"
#include "blueprint/extent.h"
#include "blueprint/voxels.h"
#include "world/elements.h"

#include "supple/diagnose.h"

#include <stdio.h>

static sup_blueprint* create(const sup_blueprint_def* def) {
    sup_error error = {0};
    sup_blueprint* print = NULL;
    assert_ok(sup_blueprint_create(def, &print, &error), error);
    return print;
}

static void check_refused(const sup_blueprint_def* def, const char* words) {
    sup_error error = {0};
    sup_blueprint* print = NULL;
    assert_int_equal(sup_blueprint_create(def, &print, &error), SUP_BAD_ARGUMENT);
    assert_null(print);
    if (!strstr(error.text, words)) fail_msg("\"%s\" does not say \"%s\"", error.text, words);
}

/* How many clusters hold a particle; *first: the lowest of them. */
static int32_t clusters_of(const sup_blueprint* b, int32_t row, int32_t* first) {
    int32_t count = 0;
    for (int32_t c = b->cluster_count - 1; c >= 0; c--) {
        for (int32_t i = 0; i < b->clusters[c].count; i++) {
            if (b->members.index[b->clusters[c].begin + i] != row) continue;
            count++;
            *first = c;
        }
    }
    return count;
}

/* ---- Lists ---- */

static void tetrahedra_become_clusters(void** state) {
    (void)state;
    static element_bar bar;
    make_element_bar((int32_t[3]){4, 2, 2}, 0.1, 4, &bar);
    sup_blueprint* b = create(&bar.def);
    assert_int_equal(b->cluster_count, 18);
    assert_int_equal(b->info.membership_count, 72);
    const int32_t *starts, *corners; /* of a surface that is not there */
    sup_blueprint_get_surface(b, &starts, &corners);
    assert_non_null(corners);
    assert_int_equal(starts[b->info.polygon_count], 0);
    for (int32_t c = 0; c < 18; c++) {
        assert_int_equal(b->clusters[c].count, 4);
        for (int32_t i = 0; i < 4; i++) {
            int32_t row = b->row_of[bar.elements[4 * c + i]];
            bool there = false;
            for (int32_t j = 0; j < 4; j++) {
                there = there || b->members.index[b->clusters[c].begin + j] == row;
            }
            assert_true(there);
        }
    }
    sup_blueprint_release(b);
}

static void hexahedra_become_clusters(void** state) {
    (void)state;
    static element_bar bar;
    make_element_bar((int32_t[3]){5, 3, 3}, 0.1, 8, &bar);
    sup_blueprint* b = create(&bar.def);
    assert_int_equal(b->cluster_count, 16);
    for (int32_t c = 0; c < 16; c++) {
        assert_int_equal(b->clusters[c].count, 8);
        assert_near(supi_extent_of(b, c), 0.0025, 1e-6);
    }
    sup_blueprint_release(b);
}

static void broken_lists_are_refused(void** state) {
    (void)state;
    static element_bar bar;
    make_element_bar((int32_t[3]){2, 2, 2}, 0.1, 4, &bar);
    sup_blueprint_def def = bar.def;
    def.element_corners = 5;
    check_refused(&def, "4 or 8 corners, not 5");
    def = bar.def;
    def.elements = NULL;
    check_refused(&def, "need their list");
    def = bar.def;
    def.element_count = -1;
    check_refused(&def, "need their list");
    def.element_count = 0;
    check_refused(&def, "or a filled surface");
    def = bar.def;
    def.element_count = INT32_MAX;
    check_refused(&def, "too many elements");
    def = bar.def;
    int32_t kept = bar.elements[9];
    bar.elements[9] = 8;
    check_refused(&def, "element 2 names particle 8, there are 8");
    bar.elements[9] = bar.elements[8];
    check_refused(&def, "element 2 names particle 0 twice");
    bar.elements[9] = kept;
    const int32_t last = bar.def.element_count - 1;
    int32_t own[4];
    memcpy(own, bar.elements + 4 * last, sizeof own);
    for (int k = 0; k < 4; k++) bar.elements[4 * last + k] = bar.elements[4 + (k + 3) % 4];
    check_refused(&def, "elements 1 and 5 have the same corners");
    memcpy(bar.elements + 4 * last, own, sizeof own);
    def.element_count = 1; /* four particles are in no element */
    check_refused(&def, "is in none of the clusters");
}

/* Hexahedra that share an edge or a corner only hang in joints. */
static void edges_and_corners_are_joints(void** state) {
    (void)state;
    static element_bar bar;
    for (int32_t corner = 0; corner < 2; corner++) {
        make_element_bar((int32_t[3]){3, 3, corner ? 3 : 2}, 0.1, 8, &bar);
        /* The first cell and the one across. */
        memcpy(bar.elements + 8, bar.elements + 8 * (bar.def.element_count - 1),
               8 * sizeof *bar.elements);
        bar.def.element_count = 2;
        /* Only their particles. */
        int32_t ids[BAR_POINTS_MOST], used = 0;
        sup_vec3 points[16];
        for (int32_t i = 0; i < bar.def.point_count; i++) ids[i] = -1;
        for (int32_t i = 0; i < 16; i++) {
            int32_t* id = &ids[bar.elements[i]];
            if (*id < 0) points[*id = used++] = bar.points[bar.elements[i]];
            bar.elements[i] = *id;
        }
        bar.def.points = points;
        bar.def.point_count = used;
        assert_int_equal(used, corner ? 15 : 14);
        check_refused(&bar.def, corner ? "clusters 0 and 1 share particle 7 only"
                                       : "and none off their line");
        bar.def.allow_joints = true;
        sup_blueprint* b = create(&bar.def);
        sup_diagnosis list[SUP_DIAGNOSIS_KINDS];
        int32_t count;
        assert_int_equal(sup_blueprint_diagnose(b, SUP_MATCH_RIGID, list, &count, NULL), SUP_OK);
        assert_int_equal(list[0].kind, corner ? SUP_DIAGNOSIS_BALL_JOINTS : SUP_DIAGNOSIS_HINGES);
        assert_int_equal(list[0].count, 1);
        sup_blueprint_release(b);
    }
}

/* ---- Fillings ---- */

/* Every particle is in a cluster, none in too many, and each cluster has a cell of eight particles
   of the filling. */
static void check_filling(const sup_blueprint* b) {
    int32_t first;
    for (int32_t r = 0; r < b->info.particle_count; r++) {
        assert_in_range(clusters_of(b, r, &first), 1, 48);
    }
    for (int32_t c = 0; c < b->cluster_count; c++) {
        int32_t inside = 0;
        for (int32_t i = 0; i < b->clusters[c].count; i++) {
            inside += b->radius[b->members.index[b->clusters[c].begin + i]] == 0.0f;
        }
        assert_true(inside >= 8);
    }
    sup_diagnosis list[SUP_DIAGNOSIS_KINDS];
    int32_t count;
    assert_int_equal(sup_blueprint_diagnose(b, SUP_MATCH_LINEAR, list, &count, NULL), SUP_OK);
    for (int32_t i = 0; i < count; i++) {
        assert_true(list[i].kind == SUP_DIAGNOSIS_MEMBERSHIPS ||
                    list[i].kind == SUP_DIAGNOSIS_SINGLES);
    }
}

static sup_blueprint_def in_elements(double fill) {
    sup_blueprint_def def = filled(fill);
    def.layout = SUP_CLUSTERS_ELEMENTS;
    return def;
}

static void fillings_become_clusters(void** state) {
    (void)state;
    /* 9 x 5 x 5 particles inside, half a spacing from the faces. */
    sup_blueprint* b = box_of((double[3]){1.0, 0.6, 0.6}, 6, in_elements(0.1));
    assert_int_equal(b->cluster_count, 8 * 4 * 4);
    check_filling(b);
    sup_blueprint_release(b);
    for (int32_t i = 0; i < 4; i++) {
        b = ball_of(0.5, 2, in_elements(0.1 + 0.03 * i));
        assert_true(b->cluster_count >= 7);
        check_filling(b);
        sup_blueprint_release(b);
    }
    sup_mesh mesh;
    assert_int_equal(sup_mesh_torus(NULL, 0.4, 0.15, 24, 12, &mesh, NULL), SUP_OK);
    b = blueprint_of(&mesh, in_elements(0.07));
    check_filling(b);
    sup_blueprint_release(b);
}

/* Fingers do not hold each other; a block of the same size is one piece. */
static void fingers_are_not_glued(void** state) {
    (void)state;
    const double cell = 0.1;
    for (int32_t fork = 0; fork < 2; fork++) {
        sup_mesh mesh = voxel_mesh(fork ? inside_fork : inside_block, cell);
        /* A gap of a fifth of a spacing, across which the lattice is nearer than behind. */
        for (int32_t i = 0; i < mesh.point_count; i++) {
            if (mesh.points[i].x > 0.25f)
                mesh.points[i].x -= mesh.points[i].x < 0.45f ? 0.09f : 0.02f;
        }
        sup_blueprint* b = blueprint_of(&mesh, in_elements(0.05));
        check_filling(b);
        int32_t glued = count_glued(b, 0.205 / 2.5, 2.5 * cell);
        if (fork)
            assert_int_equal(glued, 0);
        else
            assert_true(glued >= 3);
        sup_blueprint_release(b);
    }
}

/* A loose particle within reach goes along, one far away is refused. */
static void loose_particles_join_near_cells(void** state) {
    (void)state;
    sup_error error = {0};
    sup_blueprint* b = NULL;
    sup_mesh mesh;
    sup_vec3 loose = {0.65f, 0, 0};
    assert_int_equal(sup_mesh_box(NULL, (double[3]){1, 1, 1}, (int32_t[3]){5, 5, 5}, &mesh, NULL),
                     SUP_OK);
    sup_blueprint_def def = in_elements(0.2);
    def.surface = &mesh;
    def.points = &loose;
    def.point_count = 1;
    assert_ok(sup_blueprint_create(&def, &b, &error), error);
    int32_t first;
    assert_int_equal(clusters_of(b, b->row_of[b->info.particle_count - 1], &first), 20);
    sup_blueprint_release(b);
    const float far[] = {1.2f, 1e6f, -1e6f};
    for (int i = 0; i < 3; i++) {
        loose.y = far[i];
        if (i > 0) loose.x = far[i] / 8, loose.y = 0;
        check_refused(&def, "is too far from all full cells");
    }
    sup_mesh_free(&mesh);
}

static void thin_fillings_are_refused(void** state) {
    (void)state;
    sup_mesh mesh;
    /* One layer of particles: no cell. */
    assert_int_equal(
        sup_mesh_box(NULL, (double[3]){1, 0.15, 1}, (int32_t[3]){5, 1, 5}, &mesh, NULL), SUP_OK);
    sup_blueprint_def def = in_elements(0.1);
    def.surface = &mesh;
    check_refused(&def, "no cell of 8 particles");
    sup_mesh_free(&mesh);
    /* A long capsule with a thin one inside the lattice: particles on a line, far from any cell. */
    assert_int_equal(sup_mesh_capsule(NULL, 0.09, 1.0, 12, 4, 10, &mesh, NULL), SUP_OK);
    check_refused(&def, "no cell of 8 particles");
    for (int32_t i = 0; i < mesh.point_count; i++) { /* a club: thick below */
        if (mesh.points[i].y > -0.3f) continue;
        mesh.points[i].x *= 3.5f;
        mesh.points[i].z *= 3.5f;
    }
    check_refused(&def, "is too far from all full cells");
    sup_mesh_free(&mesh);
}

/* A bar across its box has few particles in much room: memory goes with the particles, but for what
   filling takes anyhow. */
static void slanted_bars_need_no_box(void** state) {
    (void)state;
    long long peaks[2];
    sup_mesh mesh;
    assert_int_equal(
        sup_mesh_box(NULL, (double[3]){0.3, 4.0, 0.3}, (int32_t[3]){2, 30, 2}, &mesh, NULL),
        SUP_OK);
    for (int32_t i = 0; i < mesh.point_count; i++) { /* sheared along x = y = z */
        mesh.points[i].x += mesh.points[i].y;
        mesh.points[i].z += mesh.points[i].y;
    }
    for (int elements = 0; elements < 2; elements++) {
        test_allocator counter;
        sup_error error = {0};
        sup_blueprint* b = NULL;
        sup_blueprint_def def = elements ? in_elements(0.05) : filled(0.05);
        def.allocator = test_allocator_init(&counter);
        def.surface = &mesh;
        assert_ok(sup_blueprint_create(&def, &b, &error), error);
        if (elements) check_filling(b);
        peaks[elements] = atomic_load(&counter.peak);
        sup_blueprint_release(b);
    }
    printf("peak %lld bytes as a whole, %lld in elements\n", peaks[0], peaks[1]);
    assert_true(peaks[1] < peaks[0] + peaks[0] / 10);
    sup_mesh_free(&mesh);
}

/* Far from the origin floats are too coarse for the filling. */
static void fillings_finer_than_floats_are_refused(void** state) {
    (void)state;
    sup_mesh mesh;
    assert_int_equal(sup_mesh_icosphere(NULL, 0.5, 1, &mesh, NULL), SUP_OK);
    for (int32_t i = 0; i < mesh.point_count; i++) mesh.points[i].x += 3e5f;
    sup_blueprint_def def = filled(0.025);
    def.surface = &mesh;
    def.layout = SUP_CLUSTERS_ELEMENTS;
    check_refused(&def, "of the filling apart");
    sup_mesh_free(&mesh);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(tetrahedra_become_clusters),
        cmocka_unit_test(hexahedra_become_clusters),
        cmocka_unit_test(broken_lists_are_refused),
        cmocka_unit_test(edges_and_corners_are_joints),
        cmocka_unit_test(fillings_become_clusters),
        cmocka_unit_test(fingers_are_not_glued),
        cmocka_unit_test(loose_particles_join_near_cells),
        cmocka_unit_test(thin_fillings_are_refused),
        cmocka_unit_test(slanted_bars_need_no_box),
        cmocka_unit_test(fillings_finer_than_floats_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
