/* Scenes: what is built, what is refused and where, memory and files that fail. */
#include "scene/fixture.h"

#define MAY_DIFFER                                                                                 \
    "; its \"yield\", \"creep\" and \"limit\" may differ, and a \"yield\" of 1e9 leaves nothing "  \
    "but "                                                                                         \
    "slow flow"

/* ---- refusals ---- */

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
         "\"torus\", \"capsule\", \"grid\", \"mesh\", \"rope\", \"voxels\", \"squid\", "
         "\"lionfish\", \"truck\", \"twisted_rope\", \"plant\", \"rig\""},
        {"{\"version\": 1, \"bodies\": [{\"shape\": {}}]}",
         "dir/s.json:1:37: \"shape\" must name one of \"box\", \"icosphere\", \"torus\", "
         "\"capsule\", \"grid\", \"mesh\", \"rope\", \"voxels\", \"squid\", \"lionfish\", "
         "\"truck\", \"twisted_rope\", \"plant\", \"rig\""},
        {"{\"version\": 1, \"bodies\": [{\"shape\": {\"box\": {\"radius\": 1}}}]}",
         "dir/s.json:1:46: unknown key \"radius\" in a box: it belongs to an icosphere; known: "
         "\"size\", \"segments\""},
        {"{\"version\": 1, \"camera\": {\"from\": [0, 1, 0], \"look_at\": [0, 0, 0]},\n"
         "\"bodies\": [{\"shape\": \"box\"}]}",
         "dir/s.json:1:57: the camera must not look straight up or down"},
        {"{\"version\": 1, \"fps\": 1, \"bodies\": [{\"shape\": \"box\"}]}",
         "dir/s.json:1:23: \"fps\" times \"substeps\" must be at least 10"},
        {"{\"version\": 1, \"bodies\": [{\"shape\": \"box\", \"name\": \"a\"},\n"
         "{\"shape\": \"box\", \"name\": \"a\"}]}",
         "dir/s.json:2:26: two bodies have the name \"a\""},
        {"{'version': 1, 'bodies': [{'shape': 'box'}], 'colliders': [{'shape': 'box', 'name': "
         "'a'},\n{'shape': 'box', 'name': 'a'}]}",
         "dir/s.json:2:26: two colliders have the name \"a\""},
        {"{'$schema': '', 'version': 1, 'bodies': [{'shape': 'box'}]}",
         "dir/s.json:1:13: \"$schema\" is empty"},
        {"{'version': 1, 'sleep': {'speed': 2}, 'bodies': [{'shape': 'box'}]}",
         "dir/s.json:1:35: \"speed\" must be from 0 to 1, not 2"},
        {"{'version': 1, 'sleep': {'time': 0}, 'bodies': [{'shape': 'box'}]}",
         "dir/s.json:1:34: \"time\" must be from 0.05 to 60, not 0"},
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
        {BODY(", \"clusters\": {\"lattice\": {\"reach\": 5}}"),
         "dir/s.json:1:78: \"reach\" must be from 1 to 4, not 5"},
        {"{\"version\": 1, \"bodies\": [{\"shape\": {\"icosphere\": {\"subdivisions\": 2.5}}}]}",
         "dir/s.json:1:68: \"subdivisions\" must be a whole number, not 2.5"},
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
        {BODY(", \"material\": {\"stiffness\": -1}"),
         "dir/s.json:1:70: \"stiffness\" must not be below 0"},
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

static void regions_are_checked(void** state) {
    (void)state;
    static const refusal refusals[] = {
        {BODY(", 'regions': [{'index': [0]}]"), "dir/s.json:1:56: a region needs \"material\""},
        {BODY(", 'regions': [{'material': {}}]"),
         "dir/s.json:1:56: a region needs one of \"box\", \"sphere\", \"index\", \"nearest\""},
        {BODY(", 'regions': [{'index': [0], 'material': 'x'}]"),
         "dir/s.json:1:83: \"materials\" has no \"x\""},
        {BODY(", 'regions': [{'index': [0], 'material': {'scheme': 'S'}}]"),
         "dir/s.json:1:83: the material of a region must have the \"scheme\" of the body's"},
        {BODY(", 'regions': [{'index': [0], 'material': {'rule': 'rigid'}}]"),
         "dir/s.json:1:83: the material of a region must have the \"rule\" of the body's"},
        {BODY(", 'regions': [{'index': [0], 'material': {'plastic': {}}}]"),
         "dir/s.json:1:83: the material of a region must have the \"plastic\" of the "
         "body's" MAY_DIFFER},
        {BODY(", 'material': {'plastic': {}}, 'regions': [{'index': [0], 'material': {'plastic': "
              "{'flow_time': 2}}}]"),
         "dir/s.json:1:112: the material of a region must have the \"flow_time\" of the "
         "body's" MAY_DIFFER},
        {BODY(", 'material': {'plastic': {'limit': 5}}"),
         "dir/s.json:1:78: \"limit\" must be from 0 to 4, not 5"},
        {BODY(", 'material': {'plastic': {'rule': 'soft'}}"),
         "dir/s.json:1:77: \"rule\" cannot be \"soft\"; known: \"log\", \"paper\""},
        {BODY(", 'material': {'plastic': true}"),
         "dir/s.json:1:68: the plasticity of a material must be an object, not true"},
        {BODY(", 'regions': [{'sphere': {'centre': [9, 9, 9], 'radius': 1}, 'material': {}}]"),
         "dir/s.json:1:67: no particle lies in this sphere"},
        {BODY(", 'category': [32]"), "dir/s.json:1:57: \"category\" must be from 0 to 31, not 32"},
        {BODY(", 'mask': 1"), "dir/s.json:1:52: \"mask\" must be an array, not a number"},
        {BODY(", 'paused': 1"), "dir/s.json:1:54: \"paused\" must be true or false, not a number"},
        {BODY(", 'stays_awake': 'no'"),
         "dir/s.json:1:59: \"stays_awake\" must be true or false, not a string"},
        {BODY(", 'locked': 'depth'"),
         "dir/s.json:1:54: \"locked\" cannot be \"depth\"; known: \"none\", \"x\", \"y\", "
         "\"xy\", \"z\", \"xz\", \"yz\""},
        {BODY(", 'locked': 'z', 'velocity': [0, 0, 1]"),
         "dir/s.json:1:27: the velocity along z must be 0, as that axis is locked"},
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
         "dir/s.json:1:53: a pin must be an object, not a string"},
        {BODY(", \"pins\": [{}]"), "dir/s.json:1:53: a pin needs one of \"box\", \"sphere\", "
                                   "\"index\", \"nearest\""},
        {BODY(", \"pins\": [{\"index\": [0], \"nearest\": [0, 0, 0]}]"),
         "dir/s.json:1:79: a pin takes \"index\" or \"nearest\", not both"},
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
        {MESH("cloud.obj", ", \"fill\": 0.1"),
         "dir/s.json:1:78: \"fill\" needs a closed surface, but cloud.obj is a cloud of points"},
        {"{\"version\": 1, \"bodies\": [{\"shape\": \"box\", \"skin\": \"clusters\"}]}",
         "dir/s.json:1:52: a \"skin\" of \"clusters\" needs \"fill\": particles under the surface"},
        {MESH("cloud.obj", ", \"skin\": \"clusters\""),
         "dir/s.json:1:78: \"skin\" needs a surface, but cloud.obj is a cloud of points"},
        {"{\"version\": 1, \"bodies\": [{\"shape\": \"box\", \"skin\": \"cluster\"}]}",
         "dir/s.json:1:52: \"skin\" cannot be \"cluster\"; did you mean \"clusters\"?"},
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
    assert_false(entry.material.plastic.on);
    assert_false(sup_scene_get_camera(scene).given);
    assert_string_equal(sup_scene_file(scene, 0), "dir/s.json");
    assert_null(sup_scene_file(scene, 1));
    assert_int_equal(sup_scene_get_body(scene, 5, NULL).age, 0);
    sup_scene_free(scene);
    sup_scene_free(NULL);
    end(&f);
}

static void plasticity_is_read(void** state) {
    (void)state;
    fixture f;
    begin(&f);
    sup_scene* scene =
        load(&f, BODY(", \"material\": {\"plastic\": {\"rule\": \"paper\", \"yield\": 0.02, "
                      "\"limit\": 2, \"flow_time\": 30, \"flow_power\": 3}}"));
    sup_plasticity p = sup_scene_get_entry(scene, 0).material.plastic;
    assert_true(p.on && p.rule == SUP_PLASTIC_PAPER && p.yield == 0.02 && p.creep == 10);
    assert_true(p.limit == 2 && p.flow_time == 30 && p.flow_power == 3);
    assert_true(p.flow_strain == 0.01 && p.flow_least == 1e-4);
    sup_scene_free(scene);
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

static void regions_have_their_materials(void** state) {
    (void)state;
    fixture f;
    begin(&f);
    sup_scene* scene =
        load(&f, "{'version': 1, 'materials': {'hard': {'stiffness': 200, 'friction': 1}}, "
                 "'bodies': [{'shape': 'box', 'material': {'stiffness': 30}, 'clusters': {'cubes': "
                 "{'edge': 0.8, 'overlap': 0.7}}, 'regions': [{'box': {'low': [0, -1, -1], 'high': "
                 "[1, 1, 1]}, "
                 "'material': 'hard'}, {'nearest': [0.5, 0.5, 0.5], 'material': {}}]}]}");
    sup_scene_entry entry = sup_scene_get_entry(scene, 0);
    assert_int_equal(entry.blueprint.region_count, 3);
    assert_true(entry.material.stiffness == 30);
    assert_true(entry.region_materials[0].stiffness == 30);
    assert_true(entry.region_materials[1].stiffness == 200);
    assert_true(entry.region_materials[1].friction_static == 1);
    assert_true(entry.region_materials[2].stiffness == 120);
    sup_scene_free(scene);
    end(&f);
}

/* Pulled by its own weight from one end, the soft half of a bar stretches more than the hard one.
 */
static double hanging_length(const char* text, double* lower_half) {
    fixture f;
    begin(&f);
    sup_scene* scene = load(&f, text);
    run(scene, 0, 120);
    sup_vec3 v[500];
    sup_scene_info info = sup_scene_get_info(scene);
    assert_true(info.vertex_count < 500);
    assert_int_equal(sup_scene_read_vertices(scene, v), SUP_OK);
    double low = 1e9, middle = 0, high = -1e9;
    int32_t ring = 0;
    for (int32_t i = 0; i < info.vertex_count; i++) {
        low = v[i].y < low ? (double)v[i].y : low;
        high = v[i].y > high ? (double)v[i].y : high;
    }
    /* the box mesh is made row by row: take the vertices that began in the middle */
    sup_scene* again = load(&f, text);
    sup_vec3 start[500];
    assert_int_equal(sup_scene_read_vertices(again, start), SUP_OK);
    for (int32_t i = 0; i < info.vertex_count; i++) {
        if (fabs((double)start[i].y) < 1e-4) middle += (double)v[i].y, ring++;
    }
    assert_true(ring > 0);
    *lower_half = middle / ring - low;
    sup_scene_free(again);
    sup_scene_free(scene);
    end(&f);
    return high - low;
}

#define HANGING(regions)                                                                           \
    "{'version': 1, 'bodies': [{'shape': {'box': {'size': [0.2, 1.6, 0.2], 'segments': [2, 16, "   \
    "2]}}, 'clusters': {'cubes': {'edge': 0.4}}, 'material': {'stiffness': 40, 'damping': 1}, "    \
    "'pins': [{'box': {'low': [-1, 0.79, -1], 'high': [1, 1, 1]}}]" regions "}]}"

static void regions_differ_in_stiffness(void** state) {
    (void)state;
    double soft_half, hard_half;
    double soft = hanging_length(HANGING(""), &soft_half);
    double mixed = hanging_length(HANGING(", 'regions': [{'box': {'low': [-1, -1, -1], 'high': [1, "
                                          "-0.01, 1]}, 'material': {'stiffness': 200, "
                                          "'damping': 1}}]"),
                                  &hard_half);
    print_message("hanging: %.3f m, lower half %.3f; with a hard lower half %.3f m, %.3f\n", soft,
                  soft_half, mixed, hard_half);
    assert_true(soft_half - 0.8 > 4 * fabs(hard_half - 0.8));
    assert_true(soft > 1.8 && mixed > 1.8); /* the upper halves are the same */
}

static void filters_and_flags_reach_the_world(void** state) {
    (void)state;
    fixture f;
    begin(&f);
    /* one falls through the floor, one rests on it, one stands still in the air */
    sup_scene* scene =
        load(&f, "{'$schema': 'x', 'version': 1, 'sleep': {'speed': 0.05, 'time': 0.2}, 'bodies': ["
                 "{'shape': 'box', 'position': [0, 0.6, 0], 'category': [3, 5], 'mask': [1]},"
                 "{'shape': 'box', 'position': [3, 0.52, 0]},"
                 "{'shape': 'box', 'position': [6, 3, 0], 'paused': true},"
                 "{'shape': 'box', 'position': [9, 0.52, 0], 'stays_awake': true}],"
                 "'colliders': [{'shape': 'plane', 'category': [0], 'mask': [0, 5]}]}");
    assert_true(sup_scene_get_info(scene).sleep_speed == 0.05);
    assert_true(sup_scene_get_info(scene).sleep_time == 0.2);
    assert_null(sup_scene_note(scene, 0));
    sup_world* world = sup_scene_world(scene);
    run(scene, 0, 120);
    double low[4][3], high[3];
    for (int32_t i = 0; i < 4; i++) {
        sup_body_bounds(world, sup_scene_get_body(scene, i, NULL), low[i], high);
    }
    assert_true(low[0][1] < -1);
    assert_true(low[1][1] > -0.01 && low[1][1] < 0.1);
    assert_true(low[2][1] == 2.5);
    assert_true(sup_body_is_paused(world, sup_scene_get_body(scene, 2, NULL)));
    assert_true(sup_body_is_asleep(world, sup_scene_get_body(scene, 1, NULL)));
    assert_false(sup_body_is_asleep(world, sup_scene_get_body(scene, 3, NULL)));
    sup_scene_free(scene);
    end(&f);
}

/* ---- notes ---- */

static void overlap_is_noted(void** state) {
    (void)state;
    fixture f;
    begin(&f);
    sup_scene* scene = load(
        &f, "{'version': 1, 'bodies': [{'shape': 'box', 'position': [0, 2, 0]},\n"
            "{'shape': 'icosphere', 'name': 'ball', 'position': [0.4, 2.3, 0]},\n"
            "{'shape': 'icosphere', 'name': 'ghost', 'position': [0.4, 2.3, 0], 'mask': []},\n"
            "{'shape': 'box', 'name': 'sunk', 'position': [5, 0.1, 0]},\n"
            "{'shape': 'box', 'name': 'near', 'position': [8, 0.5, 0]},\n"
            "{'shape': 'box', 'name': 'out', 'position': [0, 5.2, 0]}],"
            "'colliders': [{'shape': 'plane', 'name': 'floor'}, {'shape': 'sphere', 'position': "
            "[5, 0.5, 0], 'sensor': true}, {'shape': {'box': {'size': [20, 10, 20]}}, 'inverted': "
            "true, 'name': 'room'}]}");
    assert_string_equal(sup_scene_note(scene, 0),
                        "dir/s.json:2:1: \"ball\" overlaps \"body-1\" at the start");
    assert_string_equal(sup_scene_note(scene, 1),
                        "dir/s.json:4:1: \"sunk\" overlaps the collider \"floor\" at the start");
    assert_string_equal(sup_scene_note(scene, 2),
                        "dir/s.json:6:1: \"out\" overlaps the collider \"room\" at the start");
    assert_null(sup_scene_note(scene, 3));
    assert_null(sup_scene_note(scene, -1));
    sup_scene_free(scene);
    end(&f);
}

static void made_up_names_give_way(void** state) {
    (void)state;
    fixture f;
    begin(&f);
    sup_scene* scene = load(
        &f, "{'version': 1, 'bodies': [{'shape': 'box'},\n"
            "{'shape': 'box', 'name': 'body-1', 'position': [3, 0, 0]},\n"
            "{'shape': 'box', 'name': 'b', 'position': [6, 0, 0], 'copies': {'grid': {'count': "
            "[2, 1, 1], 'step': [3, 0, 0]}}},\n"
            "{'shape': 'box', 'name': 'b.2', 'position': [12, 0, 0]}],"
            "'colliders': [{'shape': 'plane', 'position': [0, -5, 0]}, {'shape': 'plane', "
            "'name': 'collider-1', 'position': [0, -5, 0]}]}");
    static const char* const names[] = {"body-1-2", "body-1", "b.1", "b.2-2", "b.2"};
    for (int32_t i = 0; i < 5; i++) {
        const char* name;
        sup_scene_get_body(scene, i, &name);
        assert_string_equal(name, names[i]);
    }
    assert_string_equal(sup_scene_get_collider(scene, 0).name, "collider-1-2");
    assert_string_equal(sup_scene_note(scene, 0), "dir/s.json:1:27: \"body-1\" is taken; this one "
                                                  "is called \"body-1-2\"");
    assert_string_equal(sup_scene_note(scene, 1), "dir/s.json:3:1: \"b.2\" is taken; this one is "
                                                  "called \"b.2-2\"");
    assert_non_null(sup_scene_note(scene, 2));
    assert_null(sup_scene_note(scene, 3));
    sup_scene_free(scene);
    end(&f);
}

/* Three notes for the copies of a body, and the notes of a scene end with a word about the rest. */
static void notes_end_somewhere(void** state) {
    (void)state;
    fixture f;
    begin(&f);
    sup_scene* scene = load(&f, BODY(", 'copies': {'grid': {'count': [20, 1, 2], 'step': [0.1, 0, "
                                     "0]}}"));
    assert_non_null(sup_scene_note(scene, 2));
    assert_null(sup_scene_note(scene, 3));
    sup_scene_free(scene);
    char text[4096] = "{'version': 1, 'bodies': [{'shape': 'box'}";
    for (int i = 0; i < 50; i++) {
        size_t used = strlen(text);
        snprintf(text + used, sizeof text - used, ", {'shape': 'box', 'name': 'b%d'}", i);
    }
    strcat(text, "]}");
    scene = load(&f, text);
    int32_t count = 0;
    while (sup_scene_note(scene, count)) count++;
    assert_true(count > 10 && count < 100);
    assert_non_null(strstr(sup_scene_note(scene, count - 1), "more"));
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

/* ---- how scenes are asked for ---- */

static void files_must_be_there(void** state) {
    (void)state;
    fixture f;
    begin(&f);
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
        cmocka_unit_test(regions_are_checked),
        cmocka_unit_test(copies_and_pins_are_checked),
        cmocka_unit_test(meshes_are_checked),
        cmocka_unit_test(counts_and_defaults),
        cmocka_unit_test(plasticity_is_read),
        cmocka_unit_test(grid_copies_stand_in_rows),
        cmocka_unit_test(scatter_keeps_its_gap_and_its_seed),
        cmocka_unit_test(rotation_turns_x_then_y_then_z),
        cmocka_unit_test(pins_are_joined),
        cmocka_unit_test(regions_have_their_materials),
        cmocka_unit_test(regions_differ_in_stiffness),
        cmocka_unit_test(filters_and_flags_reach_the_world),
        cmocka_unit_test(overlap_is_noted),
        cmocka_unit_test(made_up_names_give_way),
        cmocka_unit_test(notes_end_somewhere),
        cmocka_unit_test(colliders_and_looks),
        cmocka_unit_test(spin_and_velocity_reach_the_world),
        cmocka_unit_test(files_must_be_there),
        cmocka_unit_test(options_are_checked),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
