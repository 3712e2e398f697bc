/* Clusters of a scene: elements and sets, what is refused, and what is told of them. */
#include "fixture.h"

#include "supple/diagnose.h"

/* A box of 8 particles, 1 m wide; its ids: 0 to 3 are below, 4 to 7 above. */
#define CUBE "'shape': {'box': {'segments': [1, 1, 1]}}"
#define BODIES(more) "{'version': 1, 'bodies': [{" CUBE ",\n" more "}]}"
#define SETS(lists) "'clusters': {'sets': {'particles': " lists "}}"
#define CORNERS(lists) "'clusters': {'elements': {'corners': " lists "}}"

static sup_blueprint_info info_of(const char* text, int32_t notes) {
    fixture f;
    begin(&f);
    sup_scene* scene = load(&f, text);
    sup_blueprint_info info = sup_scene_get_entry(scene, 0).blueprint;
    for (int32_t i = 0; i < notes; i++) assert_non_null(sup_scene_note(scene, i));
    if (sup_scene_note(scene, notes)) fail_msg("%s", sup_scene_note(scene, notes));
    run(scene, 0, 2);
    sup_scene_free(scene);
    end(&f);
    return info;
}

static void sets_and_elements_become_clusters(void** state) {
    (void)state;
    sup_blueprint_info info = info_of(BODIES(SETS("[[0,1,2,3,4,5,6,7]]")), 0);
    assert_int_equal(info.cluster_count, 1);
    info = info_of(BODIES(SETS("[[0,1,2,3,4,5],[2,3,4,5,6,7],[]]")), 0);
    assert_int_equal(info.cluster_count, 2);
    assert_int_equal(info.membership_count, 12);
    info = info_of(BODIES(CORNERS("[[0,1,2,3,4,5,6,7]]") ", 'material': {'mode': 'linear'}"), 0);
    assert_int_equal(info.cluster_count, 1);
    info = info_of(BODIES(CORNERS("[[0,1,2,4],[1,2,4,7],[1,2,3,7],[1,4,5,7],[2,4,6,7]]") ""), 0);
    assert_int_equal(info.cluster_count, 5);
    assert_int_equal(info.membership_count, 20);
    info = info_of("{'version': 1, 'bodies': [{'shape': 'box', 'fill': 0.25, 'clusters': "
                   "'elements'}]}",
                   0);
    assert_int_equal(info.cluster_count, 8);
    assert_int_equal(info.particle_count, 98 + 27);
}

/* Those under a skin only. */
#define FILLED "{'version': 1, 'bodies': [{'shape': 'box', 'fill': 0.2"
static void fillings_become_lattices(void** state) {
    (void)state;
    sup_blueprint_info info =
        info_of(FILLED ", 'skin': 'clusters', 'clusters': {'lattice': {'reach': 4}}}]}", 0);
    assert_int_equal(info.cluster_count, info.particle_count);
    assert_int_equal(info.membership_count, info.particle_count * info.particle_count);
    info = info_of(FILLED ", 'skin': 'clusters', 'clusters': 'lattice'}]}", 0);
    assert_int_equal(info.cluster_count, info.particle_count);
    static const refusal refusals[] = {
        {FILLED ", 'clusters': 'lattice'}]}",
         "dir/s.json:1:69: the points of a surface are no nodes of a lattice: fill it and give it "
         "a skin of clusters, or give points only"},
        {FILLED ", 'skin': 'clusters', 'clusters': 'lattice', 'material': {'mode': "
                "'quadratic'}}]}",
         "dir/s.json:1:89: clusters of a lattice match rigid or linear: their sums have no "
         "quadratic terms"},
    };
    check_refusals(refusals, sizeof refusals / sizeof *refusals);
}

static void joints_may_be_allowed(void** state) {
    (void)state;
    static const char text[] = BODIES("'clusters': {'sets': {'particles': [[0,1,2,3],[3,4,5,6,7]], "
                                      "'joints': true}}");
    assert_int_equal(info_of(text, 0).cluster_count, 2);
}

static void broken_clusters_are_refused(void** state) {
    (void)state;
    static const refusal refusals[] = {
        {BODIES("'clusters': 'sets'"), "dir/s.json:2:13: clusters from sets needs \"particles\""},
        {BODIES(SETS("[]")),
         "dir/s.json:2:36: \"particles\" must hold a set of particles at least"},
        {BODIES(CORNERS("[]")), "dir/s.json:2:38: \"corners\" must hold an element at least"},
        {BODIES(SETS("[0, 1]")), "dir/s.json:2:37: \"particles\" must be an array, not a number"},
        {BODIES(SETS("[[0, 1.5]]")),
         "dir/s.json:2:41: \"particles\" must be a whole number, not 1.5"},
        {BODIES(SETS("[[-1]]")),
         "dir/s.json:2:38: \"particles\" must be from 0 to 2147483647, not -1"},
        {BODIES(SETS("[[0,1,2,3,4,5,6,8]]")),
         "dir/s.json:2:22: cluster 0 names particle 8, there are 8"},
        {BODIES(SETS("[[0,1,2,3,4,5,6]]")),
         "dir/s.json:2:22: particle 7 is in none of the clusters"},
        {BODIES(SETS("[[0,1,2,3,4,6]]")),
         "dir/s.json:2:22: particle 5 is in none of the clusters, nor is 1 other"},
        {BODIES(SETS("[[0,4,5,6]]")),
         "dir/s.json:2:22: particle 1 is in none of the clusters, nor are 3 others"},
        {BODIES(SETS("[[0,1,2,3],[3,4,5,6,7]]")),
         "dir/s.json:2:22: the clusters fall into 2 parts that share fewer than 3 particles off a "
         "line (clusters 0 and 1 share particle 3 only): make the clusters larger or their overlap "
         "greater, or allow joints"},
        {BODIES(CORNERS("[[0,1,2]]")),
         "dir/s.json:2:39: an element has 4 corners (a tetrahedron) or 8 (a hexahedron), not 3"},
        {BODIES(CORNERS("[[0,1,2,3],[1,2,3,4,5]]")),
         "dir/s.json:2:49: this element has 5 corners, the first 4"},
        {BODIES(CORNERS("[[0,1,2,2]]")), "dir/s.json:2:26: element 0 names particle 2 twice"},
        {BODIES("'clusters': 'elements'"),
         "dir/s.json:2:13: clusters of elements need a list of these, or a filled surface"},
        {BODIES("'clusters': {'elements': {'edge': 1}}"),
         "dir/s.json:2:27: unknown key \"edge\" in clusters from elements: it belongs to clusters "
         "in cubes; known: \"corners\", "
         "\"joints\""},
    };
    CHECK(refusals);
}

/* A message points at the key that is to blame, not at the body. */
static void blame_has_a_place(void** state) {
    (void)state;
    static const refusal refusals[] = {
        {BODIES("'fill': 2.1, 'skin': 'clusters'"),
         "dir/s.json:2:9: no particle under the skin: the surface is too narrow for a filling of "
         "this spacing"},
        {BODIES("'clusters': {'cubes': {'edge': 1.5}}"),
         "dir/s.json:2:23: cubes of 1.5 m are too small: the particles are 1 m apart, and "
         "a cube needs more than twice that"},
        {BODIES("'clusters': {'cubes': {'edge': 1.5}}, 'pins': [{'index': [0]}]"),
         "dir/s.json:2:23: cubes of 1.5 m are too small: the particles are 1 m apart, and "
         "a cube needs more than twice that"},
        {BODIES("'clusters': 'lattice'"), "dir/s.json:2:13: a lattice needs its spacing as fill"},
        {BODIES("'fill': 1e-5"),
         "dir/s.json:2:9: cannot fill: the spacing is too small for the size of the surface, it "
         "gives more than 4000000 lattice points"},
        {BODIES("'mass': 1e-40"),
         "dir/s.json:1:27: mass of particle 0 must be 0 or lie between 1e-30 and 1e9 kg"},
    };
    CHECK(refusals);
}

/* What looks like a mistake is told with its place; the rest is for who asks. */
static void mistakes_are_told(void** state) {
    (void)state;
    fixture f;
    begin(&f);
    sup_scene* scene = load(
        &f, "{'version': 1, 'bodies': [{'shape': {'mesh': {'file': 'tetra.obj'}},\n"
            "'material': {'mode': 'quadratic'}, 'position': [0, 9, 0]},\n"
            "{" CUBE ",\n 'clusters': {'sets': {'particles': [[0,1,2,3],[4,5,6,7]],"
            " 'joints': true}}, 'position': [3, 0, 0]},\n"
            "{" CUBE ",\n" CORNERS("[[0,1,2,3,4,5,6,7]]") ", 'material': {'mode': 'quadratic'},"
                                                          " 'position': [6, 0, 0]}]}");
    assert_string_equal(sup_scene_note(scene, 0),
                        "dir/s.json:1:27: clusters with fewer than the 12 particles that quadratic "
                        "goals want: 1, such as cluster 0 with 4; make them larger, or take a "
                        "lower mode");
    const char* note = sup_scene_note(scene, 1);
    assert_non_null(note);
    assert_non_null(strstr(note, "dir/s.json:4:23: pieces that share no particle: 2, "));
    assert_string_equal(sup_scene_note(scene, 2),
                        "dir/s.json:6:26: clusters with fewer than the 12 particles that quadratic "
                        "goals want: 1, such as cluster 0 with 8; make them larger, or take a "
                        "lower mode");
    assert_null(sup_scene_note(scene, 3));
    sup_scene_free(scene);
    end(&f);
}

/* Pa instead of kPa: the body would lie flat. */
static void collapse_is_told(void** state) {
    (void)state;
    fixture f;
    begin(&f);
    sup_scene* scene = load(&f, BODIES("'material': {'rule': 'modulus', 'stiffness': 15.5}"));
    assert_string_equal(sup_scene_note(scene, 0),
                        "dir/s.json:2:46: with 15.5 Pa the body sags by more than its own height "
                        "under its weight; is it meant in kPa?");
    assert_null(sup_scene_note(scene, 1));
    sup_scene_free(scene);
    end(&f);
    info_of(BODIES("'material': {'rule': 'modulus', 'stiffness': 15500}"), 0);
    info_of(BODIES("'material': {'rule': 'modulus', 'stiffness': 15}, 'gravity_scale': 0"), 0);
}

/* Cubes have as many particles as the mode of the body wants. */
static void cubes_follow_the_mode(void** state) {
    (void)state;
#define BAR(mode)                                                                                  \
    "{'version': 1, 'bodies': [{'shape': {'box': {'size': [2.4, 0.1, 0.1], 'segments': [24, 1, "   \
    "1]}}, 'clusters': {'cubes': {'edge': 0.22}}, 'material': {'mode': '" mode "'}}]}"
    int32_t rigid = info_of(BAR("rigid"), 0).cluster_count;
    int32_t quadratic = info_of(BAR("quadratic"), 0).cluster_count;
    assert_true(quadratic < rigid && quadratic > rigid / 4);
}

/* More overlap, more cubes; but one row of them where a single one reaches across the bar: the
   numbers of docs/shape-matching.md. */
static void cubes_jump_with_their_overlap(void** state) {
    (void)state;
    static const struct {
        const char* overlap;
        int32_t clusters;
    } rows[] = {{"0.25", 28}, {"0.4", 36},  {"0.45", 40}, {"0.5", 10},
                {"0.6", 12},  {"0.65", 56}, {"0.7", 15},  {"0.75", 18}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        char text[400];
        snprintf(text, sizeof text,
                 "{'version': 1, 'bodies': [{'shape': {'box': {'size': [1.6, 0.24, 0.24], "
                 "'segments': [20, 3, 3]}}, 'fill': 0.08, 'clusters': {'cubes': {'edge': 0.32, "
                 "'overlap': %s}}}]}",
                 rows[i].overlap);
        assert_int_equal(info_of(text, 0).cluster_count, rows[i].clusters);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sets_and_elements_become_clusters),
        cmocka_unit_test(fillings_become_lattices),
        cmocka_unit_test(joints_may_be_allowed),
        cmocka_unit_test(broken_clusters_are_refused),
        cmocka_unit_test(blame_has_a_place),
        cmocka_unit_test(mistakes_are_told),
        cmocka_unit_test(collapse_is_told),
        cmocka_unit_test(cubes_follow_the_mode),
        cmocka_unit_test(cubes_jump_with_their_overlap),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
