/* Bad nets of springs, each through calls and through a scene: what is refused, what is mended with
   a note, and that the message names what it is about. */
#include "scene/fixture.h"
#include "supple/mesh.h"
#include "supple/supple.h"

/* ---- Through calls ---- */

/* Six particles in two squares that share nothing yet. */
static const sup_vec3 places[6] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0},
                                   {5, 0, 0}, {6, 0, 0}, {5, 1, 0}};

static sup_spring join(int32_t a, int32_t b) {
    return (sup_spring){a, b, -1, 10, -1, SUP_SPRING_STRUCT, false};
}

static sup_blueprint_def net_of(int32_t points, int32_t count, const sup_spring* springs) {
    sup_blueprint_def def = sup_blueprint_default();
    def.points = places;
    def.point_count = points;
    def.layout = SUP_CLUSTERS_NONE;
    def.springs = springs;
    def.spring_count = count;
    return def;
}

static void expect_refusal(const sup_blueprint_def* def, const char* text) {
    sup_error error = {0};
    sup_blueprint* print = NULL;
    assert_int_equal(sup_blueprint_create(def, &print, &error), SUP_BAD_ARGUMENT);
    assert_string_equal(error.text, text);
    assert_null(print);
}

/* The one finding about a blueprint, NULL: there is none. */
static void expect_finding(const sup_blueprint_def* def, sup_diagnosis_kind kind, int32_t count,
                           int32_t particle, const char* text) {
    sup_error error = {0};
    sup_blueprint* print = NULL;
    if (sup_blueprint_create(def, &print, &error) != SUP_OK) fail_msg("%s", error.text);
    sup_diagnosis list[SUP_DIAGNOSIS_KINDS];
    int32_t found = -1;
    assert_int_equal(sup_blueprint_diagnose(print, SUP_MATCH_LINEAR, list, &found, NULL), SUP_OK);
    sup_blueprint_release(print);
    assert_int_equal(found, text ? 1 : 0);
    if (!text) return;
    assert_int_equal(list[0].kind, kind);
    assert_int_equal(list[0].count, count);
    assert_int_equal(list[0].particle, particle);
    assert_string_equal(list[0].text, text);
}

/* ---- Through scenes ---- */

#define WOVEN(shape, weave, more)                                                                  \
    "{'version': 1, 'bodies': [{'shape': " shape ",\n'weave': " weave more "}]}"
#define FILE_OF(name) "{'mesh': {'file': '" name "'}}"
#define BOX "{'box': {'size': [0.4, 0.4, 0.4]}}"

/* A file of that content is dir/own.obj. */
static void expect_note(const char* own, const char* text, const char* note) {
    fixture f;
    begin(&f);
    failing_place(&f.disk, "dir/own.obj", own);
    sup_scene* scene = load(&f, text);
    const char* told = sup_scene_note(scene, 0);
    if (note) {
        assert_non_null(told);
        assert_string_equal(told, note);
    }
    assert_null(sup_scene_note(scene, note ? 1 : 0));
    run(scene, 0, 3);
    sup_scene_free(scene);
    end(&f);
}

/* ---- Cases ---- */

static void good_nets_are_silent(void** state) {
    (void)state;
    const sup_spring springs[] = {join(0, 1), join(1, 2)};
    sup_blueprint_def def = net_of(3, 2, springs);
    expect_finding(&def, 0, 0, 0, NULL);
    expect_note(TETRAHEDRON, WOVEN(FILE_OF("own.obj"), "'mesh'", ""), NULL);
}

/* It has mass by calls and moves alone; by a weave it would have none and is left out. */
static void isolated_particles(void** state) {
    (void)state;
    const sup_spring springs[] = {join(0, 1), join(1, 3)};
    sup_blueprint_def def = net_of(6, 2, springs);
    expect_finding(&def, SUP_DIAGNOSIS_ISOLATED, 3, 2,
                   "isolated particles: 3, such as particle 2; no spring holds them, each moves by "
                   "itself; give them springs, or leave them out");
    expect_note("v 9 9 9\nv 0 0 0\nv 1 0 0\nv 8 8 8\nv 0 1 0\nf 2 3 5\n",
                WOVEN(FILE_OF("own.obj"), "'mesh'", ""),
                "dir/s.json:2:10: isolated points, which no polygon has: 2, such as point 0; they "
                "would have no mass and are left out");
}

static void unconnected_parts(void** state) {
    (void)state;
    const sup_spring springs[] = {join(5, 3), join(0, 1), join(4, 3), join(1, 2)};
    sup_blueprint_def def = net_of(6, 4, springs);
    expect_finding(&def, SUP_DIAGNOSIS_LOOSE_PIECES, 2, 3,
                   "parts that no spring joins: 2, such as that of particle 0 and that of particle "
                   "3; each moves by itself; make them bodies of their own, or join them by "
                   "springs");
    expect_note("v 0 0 0\nv 1 0 0\nv 0 1 0\nv 3 0 0\nv 4 0 0\nv 3 1 0\nf 1 2 3\nf 4 5 6\n",
                WOVEN(FILE_OF("own.obj"), "{'mesh': {}}", ""),
                "dir/s.json:2:19: parts that no spring joins: 2, such as that of particle 0 and "
                "that of particle 3; each moves by itself; make them bodies of their own, or join "
                "them by springs");
}

static bool falls_apart(const sup_blueprint_def* def) {
    sup_blueprint* print;
    sup_diagnosis list[SUP_DIAGNOSIS_KINDS];
    int32_t found, loose = 0;
    assert_int_equal(sup_blueprint_create(def, &print, NULL), SUP_OK);
    assert_int_equal(sup_blueprint_diagnose(print, SUP_MATCH_RIGID, list, &found, NULL), SUP_OK);
    for (int32_t i = 0; i < found; i++) {
        assert_int_not_equal(list[i].kind, SUP_DIAGNOSIS_ISOLATED); /* clusters hold all */
        loose += list[i].kind == SUP_DIAGNOSIS_LOOSE_PIECES;
    }
    sup_blueprint_release(print);
    return loose > 0;
}

/* Springs hold clusters together that share nothing, and the other way round. */
static void clusters_and_springs_join_alike(void** state) {
    (void)state;
    const sup_spring across[] = {join(0, 3)}, within[] = {join(0, 1), join(3, 4)};
    const int32_t starts[] = {0, 3, 6}, members[] = {0, 1, 2, 3, 4, 5};
    sup_blueprint_def def = net_of(6, 0, NULL);
    def.layout = SUP_CLUSTERS_EXPLICIT;
    def.cluster_count = 2;
    def.cluster_starts = starts;
    def.cluster_members = members;
    def.allow_joints = true;
    assert_true(falls_apart(&def));
    def.springs = within;
    def.spring_count = 2;
    assert_true(falls_apart(&def));
    def.springs = across;
    def.spring_count = 1;
    assert_false(falls_apart(&def));
    def.springs = within;
    def.spring_count = 2;
    def.layout = SUP_CLUSTERS_WHOLE;
    assert_false(falls_apart(&def));
}

/* Refused in a list; edges that polygons of a mesh share have one spring. */
static void duplicate_springs(void** state) {
    (void)state;
    const sup_spring springs[] = {join(0, 1), join(1, 2), join(1, 0)};
    sup_blueprint_def def = net_of(3, 3, springs);
    expect_refusal(&def, "spring 2 is a duplicate of spring 0: both are of one kind and join "
                         "particles 0 and 1; make them one, with the sum of the stiffnesses");
    sup_spring other[] = {join(0, 1), join(1, 2), join(1, 0)};
    other[2].kind = SUP_SPRING_BEND; /* one of each kind may be */
    def.springs = other;
    expect_finding(&def, 0, 0, 0, NULL);

    fixture f;
    begin(&f);
    failing_place(&f.disk, "dir/own.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\nf 3 2 1\n");
    sup_scene* scene = load(&f, WOVEN(FILE_OF("own.obj"), "'mesh'", ""));
    assert_int_equal(sup_scene_get_entry(scene, 0).blueprint.spring_count, 3);
    sup_scene_free(scene);
    end(&f);
}

static void zero_free_mass(void** state) {
    (void)state;
    const sup_spring springs[] = {join(0, 1), join(1, 2)};
    const float masses[] = {2, 4, 0};
    const int32_t pin = 2;
    sup_blueprint_def def = net_of(3, 2, springs);
    def.masses = masses;
    expect_refusal(&def, "particle 2 has zero mass, but springs are to move it: give it a mass, "
                         "pin it, or set clamp_masses");
    def.pins = &pin;
    def.pin_count = 1;
    expect_finding(&def, 0, 0, 0, NULL);
    def.pin_count = 0;
    def.clamp_masses = true;
    sup_blueprint* print;
    assert_int_equal(sup_blueprint_create(&def, &print, NULL), SUP_OK);
    assert_true(fabs(sup_blueprint_get_info(print).mass - 6.000002) < 1e-7);
    sup_blueprint_release(print);
    static const refusal refusals[] = {
        {WOVEN("'grid'", "{'cloth': {'density': 0}}", ""),
         "dir/s.json:2:32: \"density\" must be from 1e-9 to 1000000000, not 0"},
        {WOVEN("'grid'", "'cloth'", ", 'mass': 0"),
         "dir/s.json:2:27: \"mass\" must be above 0 and at most 1000000000, not 0"},
    };
    CHECK(refusals);
}

static void negative_stiffness(void** state) {
    (void)state;
    sup_spring springs[] = {join(0, 1), join(1, 2)};
    springs[1].stiffness = -2.5f;
    sup_blueprint_def def = net_of(3, 2, springs);
    expect_refusal(&def, "spring 1, of particles 1 and 2, has a stiffness of -2.5: it must be 0 to "
                         "1e12 N/m");
    sup_weave_grid_def grid = sup_weave_grid_default();
    grid.shear = -1;
    sup_web web = {0};
    sup_error error = {0};
    assert_int_equal(sup_weave_grid(NULL, &grid, &web, &error), SUP_BAD_ARGUMENT);
    assert_non_null(strstr(error.text, "shear"));
    static const refusal refusals[] = {
        {WOVEN("'grid'", "{'cloth': {'stretch': -1}}", ""),
         "dir/s.json:2:32: \"stretch\" must be from 0 to 1000000000000, not -1"},
        {WOVEN("'icosphere'", "{'mesh': {'struts': {'stiffness': -1}}}", ""),
         "dir/s.json:2:44: \"stiffness\" must be from 0 to 1000000000000, not -1"},
    };
    CHECK(refusals);
}

/* A warning, and a spring for every pair of polygons. */
static void non_manifold_edges(void** state) {
    (void)state;
    static const char book[] = "v 7 7 7\nv 0 0 1\nv 1 0 0\nv 0 0 0\nv 0 1 0\nv -1 0 0\nv 0 -1 0\n"
                               "v 1 -1 0\nf 4 2 3\nf 4 2 5\nf 2 4 6\n";
    fixture f;
    begin(&f);
    failing_place(&f.disk, "dir/own.obj", book);
    sup_mesh mesh;
    assert_int_equal(sup_mesh_load(NULL, &f.gate, "dir/own.obj", &mesh, NULL), SUP_OK);
    sup_weave_mesh_def def = sup_weave_mesh_default();
    def.mesh = &mesh;
    sup_web web;
    assert_int_equal(sup_weave_mesh(NULL, &def, &web, NULL), SUP_OK);
    assert_int_equal(web.report.tangled, 1);
    assert_int_equal(web.report.tangled_edge[0], 1);
    assert_int_equal(web.report.tangled_edge[1], 3);
    assert_int_equal(web.report.isolated_point, 0);
    assert_int_equal(web.spring_count, 7 + 3);
    sup_web_free(&web);
    sup_mesh_free(&mesh);
    end(&f);
    expect_note("v 0 0 0\nv 0 0 1\nv 1 0 0\nv 0 1 0\nv -1 0 0\nf 1 2 3\nf 1 2 4\nf 1 2 5\n",
                WOVEN(FILE_OF("own.obj"), "'mesh'", ""),
                "dir/s.json:2:10: non-manifold edges, which three polygons or more share: 1, such "
                "as the one of points 0 and 1; each pair of polygons bends there");
    expect_note("v 0 0 0\nv 0 0 1\nv 1 0 0\nv 0 1 0\nf 1 2 3\nf 1 2 4\nf 2 1 3\nf 3 1 2\n",
                WOVEN(FILE_OF("own.obj"), "'mesh'", ""),
                "dir/s.json:2:10: polygons that are there twice: 2, such as one of points 1, 0 and "
                "2; each counts once");
    static const refusal refusals[] = {
        {WOVEN(FILE_OF("open.obj"), "'shell'", ""),
         "dir/s.json:2:10: a shell needs a closed surface: 3 edges have one polygon, 0 are "
         "tangled"},
    };
    CHECK(refusals);
}

static void refinement_of_no_grid(void** state) {
    (void)state;
    const sup_spring springs[] = {join(0, 1), join(1, 2)};
    sup_blueprint_def def = net_of(3, 2, springs);
    def.refine = (sup_refine_grid){.levels = 1, .cells = {1, 1}};
    expect_refusal(&def,
                   "refinement is for grids: one of 1 x 1 cells with 1 levels has 9 particles, "
                   "here are 3");
    static const refusal refusals[] = {
        {WOVEN("'icosphere'", "{'cloth': {'levels': 1}}", ""),
         "dir/s.json:2:20: the weave \"cloth\" is for the shape \"grid\": only grids can be "
         "refined"},
        {WOVEN("'icosphere'", "{'mesh': {'levels': 1}}", ""),
         "dir/s.json:2:20: unknown key \"levels\" in springs of a mesh: it belongs to cloth over a "
         "grid; known: \"young\", \"stiffness\", \"poisson\", \"thickness\", \"shear\", \"bend\", "
         "\"density\", \"tear\", "
         "\"tear_force\", \"spare\", "
         "\"struts\""},
        {WOVEN("'icosphere'", "'cloth'", ""),
         "dir/s.json:2:10: the weave \"cloth\" is for the shape \"grid\"; \"mesh\" takes any "
         "surface"},
        {WOVEN("{'grid': {'segments': [1500, 1500]}}", "{'cloth': {'levels': 1}}", ""),
         "dir/s.json:1:46: cloth of 9006001 particles; at most 8000000 fit"},
    };
    CHECK(refusals);
}

/* ---- Elements ---- */

/* The cloud of four points is a tetrahedron, here turned inside out, with a fifth that is in none.
 */
static void elements_are_woven(void** state) {
    (void)state;
    static const char five[] = "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nv 5 5 5\n";
    fixture f;
    begin(&f);
    failing_place(&f.disk, "dir/own.obj", five);
    sup_scene* scene =
        load(&f, WOVEN(FILE_OF("own.obj"), "{'elements': {'corners': [[0, 2, 1, 3]]}}",
                       ", 'springs': {'solid': {'volume': 10}}"));
    sup_blueprint_info info = sup_scene_get_entry(scene, 0).blueprint;
    assert_int_equal(info.particle_count, 4);
    assert_int_equal(info.spring_count, 6);
    assert_int_equal(info.polygon_count, 4);
    assert_true(fabs(info.mass - 1000.0 / 6) < 1e-3);
    assert_non_null(strstr(sup_scene_note(scene, 0), "such as point 4"));
    assert_non_null(strstr(sup_scene_note(scene, 1), "inside out: 1"));
    run(scene, 0, 3);
    sup_scene_free(scene);
    end(&f);
    static const refusal refusals[] = {
        {WOVEN(FILE_OF("tetra.obj"), "{'elements': {'corners': [[0, 1, 2]]}}", ""),
         "dir/s.json:2:36: an element has 4 corners (a tetrahedron) or 8 (a hexahedron), not 3"},
        {WOVEN(FILE_OF("tetra.obj"), "{'elements': {'corners': []}}", ""),
         "dir/s.json:2:35: \"corners\" must hold an element at least"},
        {WOVEN(FILE_OF("tetra.obj"), "{'elements': {'corners': [[0, 1, 2, 9]]}}", ""),
         "dir/s.json:2:46: tetrahedron 0 names point 9, but there are 4 points"},
        {WOVEN(FILE_OF("tetra.obj"), "{'elements': {'corners': [[0, 1, 2, 3],\n[0, 1, 2, 2]]}}",
               ""),
         "dir/s.json:3:11: tetrahedron 1 names point 2 twice"},
        {WOVEN(FILE_OF("tetra.obj"), "{'elements': {'corners': [[0, 1, 2, 3], [3, 1, 2, 0]]}}", ""),
         "dir/s.json:2:23: tetrahedra 0 and 1 have the same corners: leave one of them out"},
        {WOVEN(FILE_OF("cloud.obj"), "'mesh'", ""),
         "dir/s.json:2:10: the mesh is a cloud of 4 points without polygons: springs go along the "
         "edges of polygons"},
        {WOVEN(FILE_OF("cloud.obj"), "'shell'", ""),
         "dir/s.json:2:10: the mesh is a cloud of 4 points without polygons: springs go along the "
         "edges of polygons"},
        {WOVEN("'box'", "{'elements': {'corners': [[0, 1, 2, 3]]}}", ""),
         "dir/s.json:2:23: the weave \"elements\" is for the points of the shape \"mesh\""},
        {WOVEN(FILE_OF("tetra.obj"), "'elements'", ""),
         "dir/s.json:2:10: springs of elements needs \"corners\""},
    };
    CHECK(refusals);
}

/* Five tetrahedra over five points: each side belongs to two of them, so nothing is outside. */
static void elements_without_a_surface_are_drawn_as_points(void** state) {
    (void)state;
    fixture f;
    begin(&f);
    failing_place(&f.disk, "dir/own.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nv .2 .2 .2\n");
    sup_scene* scene =
        load(&f, WOVEN(FILE_OF("own.obj"),
                       "{'elements': {'corners': [[0, 1, 2, 3], [0, 1, 2, 4], [0, 1, 3, 4], "
                       "[0, 2, 3, 4], [1, 2, 3, 4]]}}",
                       ""));
    int32_t count;
    const sup_surface* surface = sup_scene_surfaces(scene, &count);
    assert_int_equal(surface->point_count, 5);
    assert_int_equal(surface->polygon_count, 0);
    assert_int_equal(surface->starts[0], 0);
    assert_true(surface->point_radius > 0.0f);
    run(scene, 0, 3);
    sup_scene_free(scene);
    end(&f);
}

/* ---- Places ---- */

/* Keys that do not suit the body are refused where they stand, also those within others; files by
   the key that names them, and points far out by their own number. */
static void every_refusal_has_its_place(void** state) {
    (void)state;
    static const refusal refusals[] = {
        {WOVEN("'grid'", "'cloth'", ",\n'springs': {'drag': 1, 'pressure': {'inside': 5}}"),
         "dir/s.json:3:36: pressure needs a closed surface of particles: gas would leave through "
         "the boundary of this one"},
        {WOVEN("'grid'", "'cloth'", ",\n'springs': {'solid': {'area': 1,\n'volume': 5}}"),
         "dir/s.json:4:11: springs.solid.volume needs tetrahedra in the blueprint"},
        {WOVEN("{'rope': {}}", "'rope'", ",\n'springs': {'solid': {'bend': 3}}"),
         "dir/s.json:3:31: springs.solid.area and bend need a drawn surface of particles"},
        {WOVEN("{'rope': {}}", "'rope'", ",\n'springs': {'solid': {'bend': 3, 'area': 3}}"),
         "dir/s.json:3:22: springs.solid.area and bend need a drawn surface of particles"},
        {WOVEN("'grid'", "{'cloth': {'tear': 0.2}}", ",\n'springs': {'yield': {}}"),
         "dir/s.json:3:22: a body that tears does not yield"},
        {WOVEN("'grid'", "{'cloth': {'levels': 1}}", ",\n'springs': {'meet_itself': true}"),
         "dir/s.json:3:28: springs.meet_itself is for cloth whose cells stay: this one has levels"},
        {WOVEN("'grid'", "'cloth'", ",\n'springs': {'error_length': 0, 'error_strain': 0}"),
         "dir/s.json:3:29: springs.error_length and springs.error_strain are both 0: no step would "
         "be short enough"},
        {WOVEN("{'voxels': {'file': 'none.raw', 'cells': [2, 2, 2]}}", "'hexes'", ""),
         "dir/s.json:1:57: cannot read dir/none.raw: there is no such file"},
        {WOVEN("{'voxels': {'file': 'tetra.obj', 'cells': [2, 2, 2]}}", "'hexes'", ""),
         "dir/s.json:1:57: dir/tetra.obj: 64 bytes, but 2 x 2 x 2 voxels are 8"},
    };
    CHECK(refusals);
    const sup_vec3 points[] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}, {2e6f, 0, 0}};
    const int32_t corners[] = {0, 1, 2, 3};
    sup_mesh mesh;
    sup_error error = {0};
    sup_web web;
    assert_int_equal(sup_mesh_create(NULL, 5, points, 1, NULL, corners, &mesh, NULL), SUP_OK);
    sup_weave_mesh_def surface = sup_weave_mesh_default();
    surface.mesh = &mesh;
    assert_int_equal(sup_weave_mesh(NULL, &surface, &web, &error), SUP_BAD_ARGUMENT);
    assert_string_equal(error.text, "point 4 is not finite or beyond 1e6 m");
    sup_mesh_free(&mesh);
    sup_weave_tets_def solid = sup_weave_tets_default();
    solid.point_count = 5, solid.points = points;
    solid.tet_count = 1, solid.tets = corners;
    assert_int_equal(sup_weave_tets(NULL, &solid, &web, &error), SUP_BAD_ARGUMENT);
    assert_string_equal(error.text, "point 4 is not finite or beyond 1e6 m");
}

/* ---- Springs beside clusters ---- */

#define MIXED(springs, more)                                                                       \
    WOVEN(BOX, "'hexes'", ",\n'clusters': 'whole', 'springs': {" springs "}" more)
#define ONLY_SYMPLECTIC                                                                            \
    "dir/s.json:3:48: springs.integrator: a body with clusters beside its springs moves by "       \
    "\"symplectic\" (or \"auto\"): the others know no clusters"

static void integrators_that_know_no_clusters(void** state) {
    (void)state;
    static const refusal refusals[] = {
        {MIXED("'integrator': 'implicit'", ""), ONLY_SYMPLECTIC},
        {MIXED("'integrator': 'euler'", ""), ONLY_SYMPLECTIC},
        {MIXED("'integrator': 'midpoint'", ""), ONLY_SYMPLECTIC},
        {MIXED("'integrator': 'rk4'", ""), ONLY_SYMPLECTIC},
        {MIXED("'integrator': 'velocity_verlet'", ""), ONLY_SYMPLECTIC},
        {MIXED("'integrator': 'position_verlet'", ""), ONLY_SYMPLECTIC},
        {MIXED("'limit': 0.1", ""), "dir/s.json:3:43: springs.limit is for bodies of springs "
                                    "alone: this one has clusters too"},
        {MIXED("'anchor': {}", ""), "dir/s.json:3:44: anchors are for bodies of springs alone"},
        {MIXED("", ", 'material': {'scheme': 'P'}"),
         "dir/s.json:3:49: springs beside clusters need scheme D or S: scheme P knows no forces "
         "that depend on places"},
    };
    CHECK(refusals);
    static const char* const good[] = {MIXED("'integrator': 'symplectic'", ""),
                                       MIXED("'integrator': 'auto'", "")};
    for (int i = 0; i < 2; i++) expect_note("", good[i], NULL);
}

/* ---- Keys that do nothing ---- */

static void idle_keys_are_told(void** state) {
    (void)state;
    expect_note("", WOVEN("'grid'", "'cloth'", ", 'springs': {'integrator': 'rk4', 'newton': 2}"),
                "dir/s.json:2:62: \"newton\" does nothing here: it is for the implicit integrator");
    expect_note("", WOVEN("'grid'", "'cloth'", ", 'springs': {'adaptive': false}"),
                "dir/s.json:2:43: \"adaptive\" does nothing here: it is for explicit integrators");
    expect_note("", WOVEN("'grid'", "'cloth'", ", 'springs': {'limit_sweeps': 9}"),
                "dir/s.json:2:47: \"limit_sweeps\" does nothing here: there is no \"limit\"");
    expect_note("", WOVEN("'grid'", "'cloth'", ", 'material': {'friction': 1, 'stiffness': 9}"),
                "dir/s.json:2:60: \"stiffness\" does nothing here: it is for clusters; the "
                "\"weave\" says how stiff springs are, \"springs\" how they are damped");
    static const struct {
        const char *file, *note;
    } idle[] = {
        {WOVEN("'grid'", "'cloth'",
               ", 'springs': {'integrator': 'rk4', 'preconditioner': 'levels'}"),
         "dir/s.json:2:70: \"preconditioner\" does nothing here: it is for the implicit "
         "integrator"},
        {WOVEN("'grid'", "'cloth'",
               ", 'springs': {'integrator': 'rk4', 'adaptive': false, 'error_strain': 1}"),
         "dir/s.json:2:87: \"error_strain\" does nothing here: steps are not \"adaptive\""},
        {WOVEN("'grid'", "'cloth'", ", 'springs': {'thickness': 0.01}"),
         "dir/s.json:2:44: \"thickness\" does nothing here: there is no \"meet_itself\""},
        {WOVEN("'grid'", "{'cloth': {'refine_angle': 9}}", ""),
         "dir/s.json:2:37: \"refine_angle\" does nothing here: there are no \"levels\""},
        {WOVEN("'grid'", "{'mesh': {'stiffness': 9, 'young': 9}}", ""),
         "dir/s.json:2:45: \"young\" does nothing here: \"stiffness\" is that of all edges"},
        {WOVEN("'icosphere'", "{'shell': {'scale': 0.5}}", ""),
         "dir/s.json:2:30: \"scale\" does nothing here: it is for scaled layers"},
        {WOVEN("'icosphere'", "{'shell': {'inner': 'scaled', 'thickness': 0.1}}", ""),
         "dir/s.json:2:53: \"thickness\" does nothing here: \"scale\" says how deep a scaled layer "
         "lies"},
        {WOVEN("'grid'", "'cloth'", ", 'springs': {'preconditioner': 'levels', 'limit': 0.1}"),
         "dir/s.json:2:49: \"levels\" are the same as \"blocks\" beside a \"limit\""},
        {WOVEN("'grid'", "'cloth'", ", 'springs': {'air': {}}"),
         "dir/s.json:2:38: \"air\" does nothing here: the scene has no \"wind\""},
        {WOVEN("'grid'", "'cloth'", ", 'springs': {'anchor': {'frequency': 0}}"),
         "dir/s.json:2:55: with a \"frequency\" of 0 \"anchor\" does nothing"},
        {WOVEN("'grid'", "'cloth'", ", 'springs': {'yield': {'strain': 0}}"),
         "dir/s.json:2:51: with a \"strain\" of 0 \"yield\" does nothing"},
        {WOVEN("'icosphere'", "{'mesh': {'struts': {'stiffness': 0}}}", ""),
         "dir/s.json:2:44: with a \"stiffness\" of 0 \"struts\" does nothing"},
        {WOVEN("'grid'", "'cloth'", ", 'pin_factor': 9"),
         "dir/s.json:2:33: \"pin_factor\" does nothing here: it is for clusters, and this body "
         "has none"},
        {MIXED("'adaptive': true", ""), "dir/s.json:3:46: \"adaptive\" does nothing here: springs "
                                        "beside clusters take one step a substep"},
    };
    for (size_t i = 0; i < sizeof idle / sizeof *idle; i++) {
        expect_note("", idle[i].file, idle[i].note);
    }
    expect_note("", WOVEN("'grid'", "'cloth'", ", 'material': {'friction': 1}"), NULL);
    expect_note("", "{'version': 1, 'bodies': [{'shape': {'rope': {}}, 'weave': 'rope'}]}", NULL);
    expect_note(
        "", WOVEN("'grid'", "{'mesh': {'struts': {}}}", ""),
        "dir/s.json:2:19: struts that meet nothing, for the surface is open there: 81, such "
        "as that of particle 0; anchors hold these particles instead");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(good_nets_are_silent),
        cmocka_unit_test(isolated_particles),
        cmocka_unit_test(unconnected_parts),
        cmocka_unit_test(clusters_and_springs_join_alike),
        cmocka_unit_test(duplicate_springs),
        cmocka_unit_test(zero_free_mass),
        cmocka_unit_test(negative_stiffness),
        cmocka_unit_test(non_manifold_edges),
        cmocka_unit_test(every_refusal_has_its_place),
        cmocka_unit_test(refinement_of_no_grid),
        cmocka_unit_test(elements_are_woven),
        cmocka_unit_test(elements_without_a_surface_are_drawn_as_points),
        cmocka_unit_test(integrators_that_know_no_clusters),
        cmocka_unit_test(idle_keys_are_told),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
