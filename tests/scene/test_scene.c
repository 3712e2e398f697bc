/* Scenes: what is built, what is refused and where, memory and files that fail. */
#include <math.h>
#include <stdio.h>

#include "failing_files.h"
#include "supple/scene.h"

#define TETRAHEDRON "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n"

/* A scene with one body, whose other keys are `more`. */
#define BODY(more) "{\"version\": 1, \"bodies\": [{\"shape\": \"box\"" more "}]}"

typedef struct fixture {
    failing_disk disk;
    sup_file_gate gate;
    test_allocator memory;
    sup_scene_options options;
} fixture;

static void begin(fixture* f) {
    memset(f, 0, sizeof *f);
    f->gate = failing_gate(&f->disk);
    f->options = sup_scene_options_default();
    f->options.allocator = test_allocator_init(&f->memory);
    f->options.files = &f->gate;
    failing_place(&f->disk, "dir/tetra.obj", TETRAHEDRON);
    failing_place(&f->disk, "dir/open.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n");
    failing_place(&f->disk, "dir/bad.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 9\n");
}

static void end(fixture* f) {
    assert_int_equal(f->memory.blocks, 0);
    failing_wipe(&f->disk);
}

static sup_result parse(fixture* f, const char* text, sup_scene** scene, sup_error* error) {
    return sup_scene_parse(&f->options, "dir/s.json", (const uint8_t*)text, strlen(text), scene,
                           error);
}

static sup_scene* load(fixture* f, const char* text) {
    sup_scene* scene = NULL;
    sup_error error = {0};
    sup_result result = parse(f, text, &scene, &error);
    if (result != SUP_OK) print_message("%s\n", error.text);
    assert_int_equal(result, SUP_OK);
    return scene;
}

/* ---- refusals ---- */

typedef struct refusal {
    const char* scene;
    const char* text;
} refusal;

static void check_refusals(const refusal* refusals, size_t count) {
    fixture f;
    begin(&f);
    for (size_t i = 0; i < count; i++) {
        sup_scene* scene = NULL;
        sup_error error = {0};
        sup_result result = parse(&f, refusals[i].scene, &scene, &error);
        assert_string_equal(error.text, refusals[i].text);
        assert_int_not_equal(result, SUP_OK);
        assert_int_equal(result, error.code);
        assert_true(error.line > 0 && error.column > 0);
        assert_null(scene);
        assert_int_equal(f.memory.blocks, 0);
        assert_int_equal(parse(&f, refusals[i].scene, &scene, NULL), result);
    }
    end(&f);
}

#define CHECK(refusals) check_refusals(refusals, sizeof refusals / sizeof *refusals)

static void structure_is_checked(void** state) {
    (void)state;
    static const refusal refusals[] = {
        {"[]", "dir/s.json:1:1: a scene must be an object, not an array"},
        {"{}", "dir/s.json:1:1: a scene needs \"version\""},
        {"{\"version\": 2, \"bodies\": []}", "dir/s.json:1:13: \"version\" must be 1, not 2"},
        {"{\"version\": 1}", "dir/s.json:1:1: a scene needs \"bodies\""},
        {"{\"version\": 1,\n \"bodies\": []}", "dir/s.json:2:12: a scene needs a body"},
        {"{\"version\": 1,\n \"bodys\": []}",
         "dir/s.json:2:2: unknown key \"bodys\" in a scene; did you mean \"bodies\"?"},
        {"{\"version\": 1, \"bodies\": [{}]}", "dir/s.json:1:27: a body needs \"shape\""},
        {"{\"version\": 1, \"bodies\": [7]}",
         "dir/s.json:1:27: a body must be an object, not a number"},
        {"{\"version\": 1, \"bodies\": {}}",
         "dir/s.json:1:26: \"bodies\" must be an array, not an object"},
        {"{\"version\": 1, \"bodies\": [{\"shape\": \"bx\"}]}",
         "dir/s.json:1:37: \"shape\" cannot be \"bx\"; did you mean \"box\"?"},
        {"{\"version\": 1, \"bodies\": [{\"shape\": {\"cone\": {}}}]}",
         "dir/s.json:1:38: \"shape\" cannot be \"cone\"; known: \"box\", \"icosphere\", "
         "\"torus\", \"capsule\", \"grid\", \"mesh\""},
        {"{\"version\": 1, \"bodies\": [{\"shape\": {}}]}",
         "dir/s.json:1:37: \"shape\" must name one of \"box\", \"icosphere\", \"torus\", "
         "\"capsule\", \"grid\", \"mesh\""},
        {"{\"version\": 1, \"bodies\": [{\"shape\": {\"box\": {\"radius\": 1}}}]}",
         "dir/s.json:1:46: unknown key \"radius\" in a box; known: \"size\", \"segments\""},
        {"{\"version\": 1, \"camera\": {\"from\": [0, 1, 0], \"look_at\": [0, 0, 0]},\n"
         "\"bodies\": [{\"shape\": \"box\"}]}",
         "dir/s.json:1:57: the camera must not look straight up or down"},
        {"{\"version\": 1, \"fps\": 1, \"bodies\": [{\"shape\": \"box\"}]}",
         "dir/s.json:1:23: \"fps\" times \"substeps\" must be at least 10"},
        {"{\"version\": 1, \"bodies\": [{\"shape\": \"box\", \"name\": \"a\"},\n"
         "{\"shape\": \"box\", \"name\": \"a\"}]}",
         "dir/s.json:2:26: two bodies have the name \"a\""},
    };
    CHECK(refusals);
}

static void values_are_checked(void** state) {
    (void)state;
    static const refusal refusals[] = {
        {BODY(", \"mass\": -1"),
         "dir/s.json:1:52: \"mass\" must be above 0 and at most 1000000000, not -1"},
        {BODY(", \"mass\": \"heavy\""), "dir/s.json:1:52: \"mass\" must be a number, not a string"},
        {BODY(", \"mass\": null"), "dir/s.json:1:52: \"mass\" must be a number, not null"},
        {BODY(", \"mass\": 1, \"density\": 2"),
         "dir/s.json:1:52: a body takes \"mass\" or \"density\", not both"},
        {BODY(", \"density\": 0.5"),
         "dir/s.json:1:55: \"density\" must be from 1 to 20000, not 0.5"},
        {BODY(", \"position\": [0, 1]"),
         "dir/s.json:1:56: \"position\" must be an array of 3 numbers"},
        {BODY(", \"position\": [0, 1, true]"),
         "dir/s.json:1:63: \"position\" must be a number, not true"},
        {BODY(", \"scale\": \"big\""),
         "dir/s.json:1:53: \"scale\" must be a number or an array of 3 numbers"},
        {BODY(", \"scale\": 0"),
         "dir/s.json:1:53: \"scale\" must be above 0 and at most 1000000, not 0"},
        {BODY(", \"pass_through\": 1"),
         "dir/s.json:1:60: \"pass_through\" must be true or false, not a number"},
        {BODY(", \"pass_through\": true, \"radius\": 1"),
         "dir/s.json:1:76: a body that others pass through has no \"radius\""},
        {BODY(", \"name\": \"\""), "dir/s.json:1:52: \"name\" is empty"},
        {BODY(", \"colour\": \"red\""),
         "dir/s.json:1:54: \"colour\" must be a colour like \"#e07a2f\""},
        {BODY(", \"clusters\": {\"cubes\": {\"overlap\": 0.9}}"),
         "dir/s.json:1:78: \"overlap\" must be from 0.25 to 0.75, not 0.9"},
        {"{\"version\": 1, \"bodies\": [{\"shape\": {\"icosphere\": {\"subdivisions\": 2.5}}}]}",
         "dir/s.json:1:68: \"subdivisions\" must be a whole number, not a number"},
        {"{\"version\": 1, \"bodies\": [{\"shape\": {\"torus\": {\"radius\": 1, \"tube\": 1}}}]}",
         "dir/s.json:1:69: \"tube\" must be below \"radius\""},
        {"{\"version\": 1, \"colliders\": [{\"shape\": {\"plane\": {\"x\": 1}}}],\n"
         "\"bodies\": [{\"shape\": \"box\"}]}",
         "dir/s.json:1:51: unknown key \"x\" in a plane; it has none"},
    };
    CHECK(refusals);
}

static void materials_are_checked(void** state) {
    (void)state;
    static const refusal refusals[] = {
        {BODY(", \"material\": \"jelly\""), "dir/s.json:1:56: \"materials\" has no \"jelly\""},
        {BODY(", \"material\": 5"),
         "dir/s.json:1:56: \"material\" must be the name of a material or an object"},
        {BODY(", \"material\": {\"stifness\": 5}"),
         "dir/s.json:1:57: unknown key \"stifness\" in a material; did you mean \"stiffness\"?"},
        {BODY(", \"material\": {\"scheme\": \"Q\"}"),
         "dir/s.json:1:67: \"scheme\" cannot be \"Q\"; known: \"D\", \"S\", \"P\""},
        {BODY(", \"material\": {\"rule\": \"raw\"}"),
         "dir/s.json:1:56: a material with the rule \"raw\" needs \"stiffness\""},
        {BODY(", \"material\": {\"rule\": \"raw\", \"stiffness\": 2}"),
         "dir/s.json:1:85: \"stiffness\" must be from 0 to 1 with the rule \"raw\""},
        {BODY(", \"material\": {\"friction\": 0.1, \"sliding_friction\": 0.2}"),
         "dir/s.json:1:94: \"sliding_friction\" must not be above \"friction\""},
        {"{\"version\": 1, \"materials\": {\"unused\": {\"damping\": 2}},\n"
         "\"bodies\": [{\"shape\": \"box\"}]}",
         "dir/s.json:1:52: \"damping\" must be from 0 to 1, not 2"},
        {"{\"version\": 1, \"materials\": [], \"bodies\": [{\"shape\": \"box\"}]}",
         "dir/s.json:1:29: \"materials\" must be an object"},
    };
    CHECK(refusals);
}

static void copies_and_pins_are_checked(void** state) {
    (void)state;
    static const refusal refusals[] = {
        {BODY(", \"copies\": {\"grid\": {\"count\": [10000, 10000, 10000], \"step\": [1, 1, 1]}}"),
         "dir/s.json:1:73: a body may have at most 1000000 copies"},
        {BODY(", \"copies\": {\"grid\": {\"count\": [100, 100, 99], \"step\": [1, 1, 1]}}"),
         "dir/s.json:1:27: with this body the scene has 97020000 particles; at most 8000000 fit"},
        {BODY(", \"copies\": {\"scatter\": {\"count\": 3, \"low\": [0, 2, 0], \"high\": [1, 1, "
              "1]}}"),
         "dir/s.json:1:86: \"low\" is above \"high\" in y"},
        {BODY(", \"copies\": {\"scatter\": {\"count\": 9, \"low\": [0, 0, 0], \"high\": [1, 1, 1], "
              "\"gap\": 1.5}}"),
         "dir/s.json:1:123: only 1 of 9 copies fit; make the box larger or \"gap\" smaller"},
        {BODY(", \"pins\": [{\"index\": [98]}]"),
         "dir/s.json:1:63: there is no particle 98; the body has 98 (0 to 97)"},
        {BODY(", \"pins\": [{\"index\": [-1]}]"),
         "dir/s.json:1:64: \"index\" must be from 0 to 2147483647, not -1"},
        {BODY(", \"pins\": [{\"box\": {\"low\": [2, 2, 2], \"high\": [3, 3, 3]}}]"),
         "dir/s.json:1:61: no particle lies in this box"},
        {BODY(", \"pins\": [{\"sphere\": {\"centre\": [0, 0, 0], \"radius\": 0.1}}]"),
         "dir/s.json:1:64: no particle lies in this sphere"},
        {BODY(", \"pins\": [\"nearest\"]"),
         "dir/s.json:1:53: \"nearest\" needs a value: {\"nearest\": ...}"},
    };
    CHECK(refusals);
}

static void meshes_are_checked(void** state) {
    (void)state;
#define MESH(file, more)                                                                           \
    "{\"version\": 1, \"bodies\": [{\"shape\": {\"mesh\": {\"file\": \"" file "\"}}" more "}]}"
    static const refusal refusals[] = {
        {"{\"version\": 1, \"bodies\": [{\"shape\": \"mesh\"}]}",
         "dir/s.json:1:37: a mesh needs \"file\""},
        {MESH("none.obj", ""), "dir/s.json:1:55: cannot read dir/none.obj: there is no such file"},
        {MESH("open.obj", ", \"fill\": 0.1"),
         "dir/s.json:1:77: \"fill\" needs a closed surface, but this mesh has 3 open edges"},
    };
    CHECK(refusals);
    /* The words about the content of a mesh are its reader's; the scene puts its own place before
     * them. */
    fixture f;
    begin(&f);
    sup_scene* scene;
    sup_error error;
    assert_int_equal(parse(&f, MESH("bad.obj", ""), &scene, &error), SUP_BAD_FILE);
    const char* start = "dir/s.json:1:55: dir/bad.obj:4:";
    assert_memory_equal(error.text, start, strlen(start));
    end(&f);
}

/* ---- what is built ---- */

static void counts_and_defaults(void** state) {
    (void)state;
    fixture f;
    begin(&f);
    sup_scene* scene = load(&f, BODY(""));
    sup_scene_info info = sup_scene_get_info(scene);
    assert_string_equal(info.name, "");
    assert_true(info.fps == 60 && info.frames == 300 && info.substeps == 4 && info.sweeps == 2);
    assert_true(info.gravity[1] == -9.81);
    assert_int_equal(info.body_count, 1);
    assert_int_equal(info.particle_count, 98);
    assert_int_equal(info.triangle_count, 6 * 16 * 2);
    assert_true(fabs(info.mass - 1000) < 1e-3);
    sup_scene_entry entry = sup_scene_get_entry(scene, 0);
    assert_string_equal(entry.name, "body-1");
    assert_string_equal(entry.shape, "box");
    assert_true(entry.material.stiffness == 120 && entry.material.damping == 0.3);
    assert_true(entry.material.raw_damping < 0 && entry.material.friction_static == 0.5);
    assert_true(entry.material.friction_kinetic == 0.4 && entry.material.restitution == 0);
    assert_false(sup_scene_get_camera(scene).given);
    assert_string_equal(sup_scene_file(scene, 0), "dir/s.json");
    assert_null(sup_scene_file(scene, 1));
    assert_int_equal(sup_scene_get_body(scene, 5, NULL).age, 0);
    sup_scene_free(scene);
    sup_scene_free(NULL);
    end(&f);
}

static void grid_copies_stand_in_rows(void** state) {
    (void)state;
    fixture f;
    begin(&f);
    sup_scene* scene =
        load(&f, BODY(", \"name\": \"b\", \"position\": [10, 0, 0], \"copies\": {\"grid\": "
                      "{\"count\": [2, 1, 3], \"step\": [2, 0, 5]}}"));
    int32_t count;
    const sup_surface* surfaces = sup_scene_surfaces(scene, &count);
    assert_int_equal(count, 6);
    assert_string_equal(surfaces[0].name, "b.1");
    assert_string_equal(surfaces[5].name, "b.6");
    assert_ptr_equal(surfaces[0].corners, surfaces[5].corners); /* one blueprint */
    for (int32_t i = 0; i < 6; i++) {
        double low[3], high[3];
        sup_body body = sup_scene_get_body(scene, i, NULL);
        assert_int_equal(sup_body_bounds(sup_scene_world(scene), body, low, high), SUP_OK);
        assert_true(fabs((low[0] + high[0]) / 2 - (10 + 2 * (i % 2))) < 1e-5);
        assert_true(fabs((low[2] + high[2]) / 2 - 5 * (i / 2)) < 1e-5);
    }
    sup_scene_free(scene);
    end(&f);
}

#define SCATTER(seed)                                                                              \
    BODY(", \"copies\": {\"scatter\": {\"count\": 30, \"low\": [-4, 1, -4], \"high\": [4, 9, 4], " \
         "\"gap\": 1.8, \"turn\": true, \"seed\": " seed "}}")

static void read_centres(sup_scene* scene, double centres[30][3]) {
    for (int32_t i = 0; i < 30; i++) {
        double low[3], high[3];
        sup_body body = sup_scene_get_body(scene, i, NULL);
        sup_body_bounds(sup_scene_world(scene), body, low, high);
        for (int k = 0; k < 3; k++) centres[i][k] = (low[k] + high[k]) / 2;
    }
}

static void scatter_keeps_its_gap_and_its_seed(void** state) {
    (void)state;
    fixture f;
    begin(&f);
    double a[30][3], b[30][3], c[30][3];
    sup_scene* scene = load(&f, SCATTER("7"));
    read_centres(scene, a);
    uint64_t hash = sup_world_hash(sup_scene_world(scene));
    sup_scene_free(scene);
    scene = load(&f, SCATTER("7"));
    read_centres(scene, b);
    assert_true(sup_world_hash(sup_scene_world(scene)) == hash);
    sup_scene_free(scene);
    scene = load(&f, SCATTER("8"));
    read_centres(scene, c);
    assert_true(sup_world_hash(sup_scene_world(scene)) != hash);
    sup_scene_free(scene);
    assert_memory_equal(a, b, sizeof a);
    assert_memory_not_equal(a, c, sizeof a);
    for (int i = 0; i < 30; i++) {
        assert_true(a[i][0] >= -4 && a[i][0] <= 4 && a[i][1] >= 1 && a[i][1] <= 9);
        for (int j = 0; j < i; j++) {
            double dx = a[i][0] - a[j][0], dy = a[i][1] - a[j][1], dz = a[i][2] - a[j][2];
            assert_true(dx * dx + dy * dy + dz * dz > 1.799 * 1.799);
        }
    }
    end(&f);
}

/* x, then y, then z about fixed axes: (1, 0, 0) -> x by 90: stays, y by 90: (0, 0, -1), z by 90:
 * stays. */
static void rotation_turns_x_then_y_then_z(void** state) {
    (void)state;
    fixture f;
    begin(&f);
    sup_scene* scene = load(&f, "{\"version\": 1, \"bodies\": [{\"shape\": {\"mesh\": {\"file\": "
                                "\"tetra.obj\"}}, \"scale\": [2, 1, 1], \"mass\": 1, \"rotation\": "
                                "[90, 90, 90], \"position\": [0, 0, 5]}]}");
    assert_string_equal(sup_scene_file(scene, 1), "dir/tetra.obj");
    sup_vec3 v[4];
    assert_int_equal(sup_scene_read_vertices(scene, v), SUP_OK);
    /* the corner at (2, 0, 0) */
    assert_true(fabs(v[1].x) < 1e-5 && fabs(v[1].y) < 1e-5 && fabs(v[1].z - 3) < 1e-5);
    /* (0, 1, 0) -> (0, 0, 1) -> (1, 0, 0) -> (0, 1, 0) */
    assert_true(fabs(v[2].x) < 1e-5 && fabs(v[2].y - 1) < 1e-5 && fabs(v[2].z - 5) < 1e-5);
    sup_scene_free(scene);
    end(&f);
}

static void pins_are_joined(void** state) {
    (void)state;
    fixture f;
    begin(&f);
    /* 25 particles on the face x = -0.5, one corner of it again, one more corner, one by its id */
    sup_scene* scene =
        load(&f, BODY(", \"pins\": [{\"box\": {\"low\": [-0.6, -1, -1], \"high\": [-0.4, 1, 1]}},"
                      "{\"sphere\": {\"centre\": [-0.5, 0.5, 0.5], \"radius\": 0.1}},"
                      "{\"nearest\": [9, 9, 9]}]"));
    assert_int_equal(sup_scene_get_entry(scene, 0).blueprint.pinned_count, 26);
    sup_scene_free(scene);
    scene = load(&f, BODY(", \"pins\": [{\"index\": [0, 97, 0]}]"));
    assert_int_equal(sup_scene_get_entry(scene, 0).blueprint.pinned_count, 2);
    sup_scene_free(scene);
    end(&f);
}

static void colliders_and_looks(void** state) {
    (void)state;
    fixture f;
    begin(&f);
    sup_scene* scene = load(
        &f, "{\"version\": 1, \"background\": \"#ffffff\", \"camera\": {\"from\": [1, 2, 3], "
            "\"look_at\": [0, 0, 0], \"fov\": 60}, \"bodies\": [{\"shape\": \"box\", \"colour\": "
            "\"#ff0000\"}, {\"shape\": \"icosphere\"}], \"colliders\": [{\"shape\": \"plane\", "
            "\"name\": \"floor\"}, {\"shape\": {\"box\": {\"size\": [2, 4, 6]}}, \"friction\": "
            "0.5}]}");
    assert_int_equal(sup_scene_get_info(scene).collider_count, 2);
    sup_scene_collider floor_ = sup_scene_get_collider(scene, 0);
    sup_scene_collider box = sup_scene_get_collider(scene, 1);
    assert_string_equal(floor_.name, "floor");
    assert_true(sup_collider_is_valid(sup_scene_world(scene), box.handle));
    assert_true(box.def.half_size[2] == 3 && box.def.friction_kinetic == 0.4);
    int32_t count;
    const sup_surface* surfaces = sup_scene_surfaces(scene, &count);
    assert_true(surfaces[0].colour[0] == 1 && surfaces[0].colour[1] == 0);
    assert_memory_not_equal(surfaces[0].colour, surfaces[1].colour, sizeof surfaces[0].colour);
    assert_true(sup_scene_get_info(scene).background[1] == 1);
    assert_true(sup_scene_get_camera(scene).given && sup_scene_get_camera(scene).fov == 60);
    sup_scene_free(scene);
    end(&f);
}

static void spin_and_velocity_reach_the_world(void** state) {
    (void)state;
    fixture f;
    begin(&f);
    sup_scene* scene = load(&f, BODY(", \"mass\": 2, \"velocity\": [3, 0, 0]"));
    sup_measures now = sup_world_measure(sup_scene_world(scene));
    assert_true(fabs(now.momentum[0] - 6) < 1e-4);
    assert_true(fabs(now.kinetic - 9) < 1e-3);
    sup_scene_free(scene);
    scene = load(&f, BODY(", \"spin\": [0, 180, 0]"));
    now = sup_world_measure(sup_scene_world(scene));
    assert_true(fabs(now.top_speed - 3.14159265 * sqrt(0.5)) < 1e-3);
    sup_scene_free(scene);
    end(&f);
}

/* ---- when memory or files fail ---- */

static const char whole_scene[] =
    "{\"version\": 1, \"name\": \"n\", \"materials\": {\"m\": {\"stiffness\": 50}}, \"bodies\": "
    "[{\"shape\": {\"mesh\": {\"file\": \"tetra.obj\"}}, \"mass\": 1, \"material\": \"m\", "
    "\"pins\": "
    "[{\"index\": [0]}]}, {\"shape\": {\"box\": {\"segments\": [2, 2, 2]}}, \"fill\": 0.3, "
    "\"position\": "
    "[5, 5, 5], \"copies\": {\"scatter\": {\"count\": 3, \"low\": [0, 0, 0], \"high\": [9, 9, 9], "
    "\"gap\": "
    "2}}}], \"colliders\": [{\"shape\": \"plane\"}]}";

static void memory_may_fail_anywhere(void** state) {
    (void)state;
    fixture f;
    begin(&f);
    bool done = false;
    for (long long n = 1; !done; n++) {
        assert_true(n < 2000);
        test_allocator_arm(&f.memory, n, false);
        sup_scene* scene = NULL;
        sup_error error = {0};
        sup_result result = parse(&f, whole_scene, &scene, &error);
        done = f.memory.refused == 0;
        assert_int_equal(result, done ? SUP_OK : SUP_NO_MEMORY);
        assert_int_equal(error.code, result);
        sup_scene_free(scene);
        assert_int_equal(f.memory.blocks, 0);
    }
    end(&f);
}

static void files_may_fail_anywhere(void** state) {
    (void)state;
    fixture f;
    begin(&f);
    failing_place(&f.disk, "dir/s.json", whole_scene);
    bool done = false;
    for (int n = 1; !done; n++) {
        f.disk.plan = (failing_plan){.fail_at = n};
        sup_scene* scene = NULL;
        sup_error error = {0};
        sup_result result = sup_scene_load(&f.options, "dir/s.json", &scene, &error);
        done = !f.disk.plan.failed;
        if (done) assert_int_equal(result, SUP_OK);
        /* a file that was read whole may fail to close without harm */
        if (result != SUP_OK) assert_int_equal(result, SUP_IO);
        sup_scene_free(scene);
        assert_int_equal(f.memory.blocks, 0);
    }
    f.disk.plan = (failing_plan){0};
    sup_scene* scene;
    assert_int_equal(sup_scene_load(&f.options, "dir/none.json", &scene, NULL), SUP_NOT_FOUND);
    end(&f);
}

static void options_are_checked(void** state) {
    (void)state;
    fixture f;
    begin(&f);
    f.options.size = 0;
    sup_scene* scene;
    sup_error error;
    assert_int_equal(parse(&f, BODY(""), &scene, &error), SUP_BAD_ARGUMENT);
    end(&f);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(structure_is_checked),
        cmocka_unit_test(values_are_checked),
        cmocka_unit_test(materials_are_checked),
        cmocka_unit_test(copies_and_pins_are_checked),
        cmocka_unit_test(meshes_are_checked),
        cmocka_unit_test(counts_and_defaults),
        cmocka_unit_test(grid_copies_stand_in_rows),
        cmocka_unit_test(scatter_keeps_its_gap_and_its_seed),
        cmocka_unit_test(rotation_turns_x_then_y_then_z),
        cmocka_unit_test(pins_are_joined),
        cmocka_unit_test(colliders_and_looks),
        cmocka_unit_test(spin_and_velocity_reach_the_world),
        cmocka_unit_test(memory_may_fail_anywhere),
        cmocka_unit_test(files_may_fail_anywhere),
        cmocka_unit_test(options_are_checked),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
