/* Levels of detail of the bodies of a scene, and the budget that chooses among them. */
#include "blueprint/blueprint.h"
#include "scene/fixture.h"
#include "scene/scene.h"
#include "supple/snapshot.h"

#define LEVELS                                                                                     \
    "'details': [{'clusters': 'whole'}, {'clusters': {'cubes': {'edge': 0.7}}, 'mode': 'linear'}," \
    "{'clusters': {'cubes': {'edge': 0.5}}, 'mode': 'quadratic'}]"
#define JELLY "'shape': {'box': {'segments': [6, 6, 6]}}, 'fill': 0.17"

static const char three[] =
    "{'version': 1, 'budget_ms': 2, 'sleep': {'speed': 0}, 'bodies': [{'name': 'plain', 'shape': "
    "'box', 'position': [-3, 2, 0]},{'name': 'jelly', " JELLY
    ", 'position': [0, 1.2, 0], 'rotation': [10, 0, 20], " LEVELS
    ", 'copies': {'grid': {'count': [2, 1, 1], 'step': [2, 0, 0]}}},{'name': 'small', 'shape': "
    "{'box': {'size': [0.5, 0.5, 0.5]}}, 'position': [6, 1, 0], 'detail':1, 'details': [{'mode': "
    "'rigid'}, {'mode': 'linear'}, {'mode': 'quadratic'}]}],'colliders': [{'shape': 'plane'}]}";

static int32_t clusters_of(sup_scene* scene, int32_t body) {
    sup_body handle = sup_scene_get_body(scene, body, NULL);
    return sup_blueprint_get_info(sup_body_blueprint(sup_scene_world(scene), handle)).cluster_count;
}

static void set_level(sup_scene* scene, int32_t body, int32_t level) {
    sup_error error = {0};
    if (sup_scene_set_detail(scene, body, level, &error) != SUP_OK) fail_msg("%s", error.text);
    assert_int_equal(sup_scene_get_detail(scene, body), level);
}

static uint64_t hash_of(sup_scene* scene) { return sup_world_hash(sup_scene_world(scene)); }

/* ---- Levels ---- */

static void levels_are_known_and_set(void** state) {
    (void)state;
    fixture f;
    begin(&f);
    sup_scene* scene = load(&f, three);
    assert_true(sup_scene_get_info(scene).budget_ms == 2);
    const int32_t counts[4] = {0, 3, 3, 3}, levels[4] = {-1, 2, 2, 1};
    for (int32_t i = 0; i < 4; i++) {
        assert_int_equal(sup_scene_detail_count(scene, i), counts[i]);
        assert_int_equal(sup_scene_get_detail(scene, i), levels[i]);
    }
    for (int32_t i = -1; i <= 4; i += 5) {
        assert_int_equal(sup_scene_detail_count(scene, i), 0);
        assert_int_equal(sup_scene_get_detail(scene, i), -1);
        assert_int_equal(sup_scene_set_detail(scene, i, 0, NULL), SUP_BAD_ARGUMENT);
    }
    run(scene, 0, 10);
    int32_t fine = clusters_of(scene, 2);
    set_level(scene, 2, 1);
    int32_t some = clusters_of(scene, 2);
    set_level(scene, 2, 0);
    assert_int_equal(clusters_of(scene, 2), 1);
    assert_true(1 < some && some < fine);
    assert_int_equal(clusters_of(scene, 1), fine);
    run(scene, 10, 20);
    set_level(scene, 2, 2);
    assert_int_equal(clusters_of(scene, 2), fine);
    uint64_t hash = hash_of(scene);
    sup_error error = {0};
    assert_int_equal(sup_scene_set_detail(scene, 1, 3, &error), SUP_BAD_ARGUMENT);
    assert_string_equal(error.text, "body 1 has 3 levels of detail, not 3");
    assert_int_equal(sup_scene_set_detail(scene, 1, -1, NULL), SUP_BAD_ARGUMENT);
    assert_int_equal(sup_scene_set_detail(scene, 0, 0, &error), SUP_BAD_ARGUMENT);
    assert_string_equal(error.text, "body 0 has no levels of detail");
    assert_int_equal(sup_scene_set_detail(scene, -1, 0, &error), SUP_BAD_ARGUMENT);
    assert_non_null(strstr(error.text, "there is no body -1, the scene has "));
    set_level(scene, 1, 2); /* it has that already */
    assert_int_equal(hash_of(scene), hash);
    /* what a user makes of a body may be none of its levels */
    sup_world* world = sup_scene_world(scene);
    sup_body body = sup_scene_get_body(scene, 1, NULL);
    assert_int_equal(sup_body_set_mode(world, body, SUP_MATCH_RIGID, NULL), SUP_OK);
    assert_int_equal(sup_scene_get_detail(scene, 1), -1);
    assert_int_equal(sup_body_destroy(world, body), SUP_OK);
    assert_int_equal(sup_scene_get_detail(scene, 1), -1);
    assert_int_equal(sup_scene_set_detail(scene, 1, 0, NULL), SUP_STALE);
    sup_scene_free(scene);
    end(&f);
}

/* A body that begins at a level is the body with these clusters and this mode. */
static void a_level_is_the_body_it_says(void** state) {
    (void)state;
    static const char* const plain[3] = {
        "'clusters': 'whole'",
        "'clusters': {'cubes': {'edge': 0.7}}, 'material': {'mode': 'linear'}",
        "'clusters': {'cubes': {'edge': 0.5}}, 'material': {'mode': 'quadratic'}"};
    fixture f;
    begin(&f);
    for (int32_t level = 0; level < 3; level++) {
        char text[1024];
        uint64_t hashes[2];
        for (int k = 0; k < 2; k++) {
            char keys[512];
            snprintf(keys, sizeof keys, "'detail': %d, " LEVELS, (int)level);
            snprintf(text, sizeof text,
                     "{'version': 1, 'budget_ms': %d, 'bodies': [{" JELLY
                     ", 'position': [0, 0.7, 0], %s}], 'colliders': [{'shape': 'plane'}]}",
                     k, k ? keys : plain[level]);
            sup_scene* scene = load(&f, text);
            run(scene, 0, 20);
            hashes[k] = hash_of(scene);
            sup_scene_free(scene);
        }
        assert_int_equal(hashes[0], hashes[1]);
    }
    end(&f);
}

/* Regions keep their stiffness, pins their motion, attachments their particles. */
static void regions_pins_and_attachments_go_along(void** state) {
    (void)state;
    fixture f;
    begin(&f);
    sup_scene* scene = load(
        &f, "{'version': 1, 'bodies': [{'name': 'a', " JELLY ", 'position': [0, 3, 0], " LEVELS
            ", 'regions': [{'box': {'low': [-1, -1, -1], 'high': [0, 1, 1]}, 'material': "
            "{'stiffness':40}}], 'pins': [{'box': {'low': [-1, 0.4, -1], 'high': [1, 1, 1]}, "
            "'motion': {'keys':[{'time': 0, 'offset': [0, 0, 0]}, {'time': 1, 'offset': [1, 0, "
            "0]}]}}]},{'name': 'b', 'shape': 'icosphere', 'position': [0, 1.4, 0]}],'attachments': "
            "[{'body': 'b', 'nearest': [0, 0.5, 0], 'to': {'body': 'a'}}]}");
    sup_world* world = sup_scene_world(scene);
    double held[3], holder[3];
    for (int32_t frame = 0; frame < 60; frame++) {
        run(scene, frame, frame + 1);
        if (frame % 10 == 5) set_level(scene, 0, (frame / 10 + 1) % 3);
        assert_int_equal(sup_scene_read_attachment(scene, 0, held, holder), SUP_OK);
    }
    double low[3], high[3];
    assert_int_equal(sup_body_bounds(world, sup_scene_get_body(scene, 0, NULL), low, high), SUP_OK);
    assert_true(fabs(high[0] - 1.5) < 0.05 && fabs(high[1] - 3.5) < 0.05);
    int32_t count;
    const sup_event* events = sup_world_events(world, &count);
    for (int32_t i = 0; i < count; i++)
        assert_int_not_equal(events[i].kind, SUP_EVENT_BODY_RESTORED);
    sup_scene_free(scene);
    end(&f);
}

/* Quadratic cubes and a lattice, which knows no quadratic goals, change both ways. */
#define SKINNED "'shape': {'box': {'segments': [6, 6, 6]}}, 'fill': 0.17, 'skin': 'clusters'"
static void lattices_may_be_levels(void** state) {
    (void)state;
    fixture f;
    begin(&f);
    sup_scene* scene =
        load(&f, "{'version': 1, 'bodies': [{" SKINNED
                 ", 'position': [0, 0.7, 0], 'details': [{'clusters': 'whole', 'mode': "
                 "'quadratic'}, {'clusters': {'lattice': {'reach': 2}}}, {'clusters': 'lattice', "
                 "'mode': 'linear'}]}], 'colliders': [{'shape': 'plane'}]}");
    int32_t particles = sup_scene_get_entry(scene, 0).blueprint.particle_count;
    const int32_t levels[] = {0, 1, 2, 1, 0, 2, 0};
    int32_t memberships[3];
    for (int32_t i = 0; i < 7; i++) {
        set_level(scene, 0, levels[i]);
        run(scene, 5 * i, 5 * i + 5);
        assert_int_equal(clusters_of(scene, 0), levels[i] == 0 ? 1 : particles);
        sup_body body = sup_scene_get_body(scene, 0, NULL);
        memberships[levels[i]] =
            sup_blueprint_get_info(sup_body_blueprint(sup_scene_world(scene), body))
                .membership_count;
    }
    assert_true(memberships[1] > 2 * memberships[2]); /* of reach 2, and of 1 */
    sup_scene_free(scene);
    end(&f);
}

/* Levels whose hashes happen to be the same are still told apart. */
static void equal_hashes_are_not_trusted(void** state) {
    (void)state;
    fixture f;
    begin(&f);
    sup_scene* scene = load(&f, "{'version': 1, 'bodies': [{" JELLY ", 'details': [{'clusters': "
                                "{'cubes': {'edge': 0.7}}}, {'clusters': {'cubes': {'edge': "
                                "0.7, 'overlap': 0.51}}}]}]}");
    const supi_details* details = &scene->details[0];
    assert_int_equal(details->count, 2);
    for (int k = 0; k < 2; k++) details->levels[k].blueprint->hash = 7;
    run(scene, 0, 3);
    assert_int_equal(sup_scene_get_detail(scene, 0), 1);
    for (int k = 0; k < 2; k++) {
        set_level(scene, 0, k);
        sup_body body = sup_scene_get_body(scene, 0, NULL);
        assert_ptr_equal(sup_body_blueprint(sup_scene_world(scene), body),
                         details->levels[k].blueprint);
    }
    sup_scene_free(scene);
    end(&f);
}

/* Also where the goals have to change with the clusters. */
static void failing_levels_change_nothing(void** state) {
    (void)state;
    static const char sleeper[] =
        "{'version': 1, 'gravity': [0, 0, 0], 'bodies': [{'shape': 'icosphere', 'fill': 0.2,"
        "'skin': 'clusters', 'detail': 1, 'details': [{'clusters': {'lattice': {'reach': 1}},"
        "'mode': 'linear'}, {'clusters': {'cubes': {'edge': 0.9}}, 'mode': 'quadratic'}]}]}";
    fixture f;
    begin(&f);
    sup_scene* scene = load(&f, sleeper);
    sup_world* world = sup_scene_world(scene);
    sup_body body = sup_scene_get_body(scene, 0, NULL);
    run(scene, 0, 120);
    for (int32_t level = 0; level < 2; level++) {
        sup_result result = SUP_NO_MEMORY;
        int failures = 0;
        while (result != SUP_OK) {
            uint64_t hash = hash_of(scene);
            bool slept = sup_body_is_asleep(world, body);
            test_allocator_arm(&f.memory, failures + 1, true);
            result = sup_scene_set_detail(scene, 0, level, NULL);
            test_allocator_arm(&f.memory, 0, false);
            if (result == SUP_OK) break;
            assert_int_equal(result, SUP_NO_MEMORY);
            assert_true(hash_of(scene) == hash);
            assert_int_equal(sup_body_is_asleep(world, body), slept);
            assert_int_equal(sup_scene_get_detail(scene, 0), 1 - level);
            failures++;
        }
        assert_true(failures > 0);
        assert_int_equal(sup_scene_get_detail(scene, 0), level);
    }
    sup_scene_free(scene);
    end(&f);
}

/* ---- Snapshots ---- */

/* In a fresh scene a snapshot brings its levels along, and goes on to the same bytes. */
static void levels_come_back_from_a_snapshot(void** state) {
    (void)state;
    fixture f;
    begin(&f);
    sup_bytes middle, ends[2];
    sup_error error = {0};
    for (int k = 0; k < 2; k++) {
        sup_scene* scene = load(&f, three);
        sup_world* world = sup_scene_world(scene);
        if (k == 0) {
            run(scene, 0, 7);
            set_level(scene, 1, 1);
            run(scene, 7, 12);
            set_level(scene, 3, 0);
            assert_int_equal(sup_world_save(world, &middle, &error), SUP_OK);
        } else {
            assert_int_equal(sup_world_restore(world, middle.data, middle.size, &error), SUP_OK);
            const int32_t levels[4] = {-1, 1, 2, 0};
            for (int32_t i = 0; i < 4; i++) {
                assert_int_equal(sup_scene_get_detail(scene, i), levels[i]);
            }
        }
        run(scene, 12, 15);
        set_level(scene, 2, 1); /* now both copies have the same level, and share its blueprint */
        run(scene, 15, 20);
        assert_int_equal(sup_world_save(world, &ends[k], &error), SUP_OK);
        sup_scene_free(scene);
    }
    assert_int_equal(ends[0].size, ends[1].size);
    assert_memory_equal(ends[0].data, ends[1].data, ends[0].size);
    sup_bytes_free(&middle);
    for (int k = 0; k < 2; k++) sup_bytes_free(&ends[k]);
    end(&f);
}

/* ---- The budget ---- */

static sup_detail_choice adapt(sup_scene* scene, double ms) {
    sup_detail_choice choice;
    sup_error error = {0};
    if (sup_scene_adapt(scene, ms, &choice, &error) != SUP_OK) fail_msg("%s", error.text);
    assert_int_equal(choice.frame, (int32_t)sup_world_step_count(sup_scene_world(scene)));
    if (choice.body >= 0) {
        assert_int_equal(sup_scene_get_detail(scene, choice.body), choice.level);
    }
    return choice;
}

/* The next choice within so many steps of `ms`; *steps: which of them. */
static sup_detail_choice next_choice(sup_scene* scene, double ms, int32_t most, int32_t* steps) {
    sup_detail_choice choice = {0, -1, -1};
    for (*steps = 1; *steps <= most; ++*steps) {
        choice = adapt(scene, ms);
        if (choice.body >= 0) break;
    }
    return choice;
}

static void the_costliest_gets_coarser_first(void** state) {
    (void)state;
    static const int32_t order[][2] = {{1, 1}, {2, 1}, {1, 0}, {2, 0}, {3, 0}};
    fixture f;
    begin(&f);
    sup_scene* scene = load(&f, three);
    int32_t steps;
    /* a single slow step is none too many, and neither are two */
    for (int i = 0; i < 20; i++) assert_int_equal(adapt(scene, i % 3 ? 99 : 2).body, -1);
    assert_int_equal(adapt(scene, 2).body, -1);
    for (size_t i = 0; i < sizeof order / sizeof *order; i++) {
        sup_detail_choice choice = next_choice(scene, 3, 10, &steps);
        assert_int_equal(steps, 3);
        assert_int_equal(choice.body, order[i][0]);
        assert_int_equal(choice.level, order[i][1]);
    }
    assert_int_equal(next_choice(scene, 3, 50, &steps).body, -1); /* there is nothing left */
    /* what costs least gets finer first, after a while, and only where it fits */
    assert_int_equal(next_choice(scene, 1.9, 200, &steps).body, -1);
    sup_detail_choice choice = next_choice(scene, 0.5, 200, &steps);
    assert_int_equal(choice.body, 3);
    assert_int_equal(choice.level, 1);
    choice = next_choice(scene, 0.5, 200, &steps);
    assert_true(steps >= 30);
    assert_int_equal(choice.body, 3);
    choice = next_choice(scene, 0.001, 200, &steps);
    assert_int_equal(choice.body, 1);
    assert_int_equal(choice.level, 1);
    /* having to take it back makes patient */
    choice = next_choice(scene, 3, 10, &steps);
    assert_int_equal(choice.body, 1);
    next_choice(scene, 0.001, 200, &steps);
    assert_int_equal(steps, 60);
    sup_scene_free(scene);
    end(&f);
}

/* A machine that takes so long for each membership, with some noise: in the end nothing changes any
   more, and the budget is kept wherever it can be. */
static void it_does_not_flutter(void** state) {
    (void)state;
    fixture f;
    begin(&f);
    for (int n = 0; n < 40; n++) {
        sup_scene* scene = load(&f, three);
        double speed = 2e-4 * pow(1.4, n - 20.0), ms = 0;
        int32_t late = 0, coarse = 0;
        for (int32_t step = 0; step < 3000; step++) {
            double members = 0;
            coarse = 0;
            for (int32_t i = 0; i < 4; i++) {
                sup_body body = sup_scene_get_body(scene, i, NULL);
                const sup_blueprint* print = sup_body_blueprint(sup_scene_world(scene), body);
                members += sup_blueprint_get_info(print).membership_count;
                coarse += i == 0 || sup_scene_get_detail(scene, i) == 0;
            }
            ms = speed * members * (1 + 0.1 * sin(step * 1.7));
            late += adapt(scene, ms).body >= 0 && step > 600;
        }
        assert_int_equal(late, 0);
        assert_true(coarse == 4 || ms < 2.2);
        sup_scene_free(scene);
    }
    end(&f);
}

/* Who sleeps or is paused costs nothing, whatever its level. */
static void the_still_are_left_alone(void** state) {
    (void)state;
    fixture f;
    begin(&f);
    sup_scene* scene =
        load(&f, "{'version': 1, 'budget_ms': 1, 'bodies': [{" JELLY
                 ", 'position': [0, 0.5, 0], 'detail': 1, " LEVELS "},{" JELLY
                 ", 'position': [3, 0.5, 0], 'paused': true, " LEVELS
                 "},{'shape': 'icosphere', 'position': [0, 90, 0], 'details':[{'mode': 'rigid'}, "
                 "{'mode': 'linear'}]}],'colliders': [{'shape': 'plane'}]}");
    run(scene, 0, 200);
    assert_true(sup_body_is_asleep(sup_scene_world(scene), sup_scene_get_body(scene, 0, NULL)));
    int32_t steps;
    assert_int_equal(next_choice(scene, 5, 10, &steps).body, 2);
    assert_int_equal(next_choice(scene, 5, 50, &steps).body, -1);
    assert_true(sup_body_is_asleep(sup_scene_world(scene), sup_scene_get_body(scene, 0, NULL)));
    sup_scene_free(scene);
    end(&f);
}

static void without_a_budget_nothing_is_chosen(void** state) {
    (void)state;
    fixture f;
    begin(&f);
    sup_scene* scene = load(&f, "{'version': 1, 'bodies': [{" JELLY ", " LEVELS "}]}");
    uint64_t hash = hash_of(scene);
    int32_t steps;
    assert_int_equal(next_choice(scene, 1e6, 100, &steps).body, -1);
    assert_int_equal(hash_of(scene), hash);
    sup_detail_choice choice;
    sup_error error = {0};
    assert_int_equal(sup_scene_adapt(scene, 1, NULL, &error), SUP_OK); /* who wants to know? */
    const double bad[] = {-1, NAN, INFINITY};
    for (int i = 0; i < 3; i++) {
        assert_int_equal(sup_scene_adapt(scene, bad[i], &choice, &error), SUP_BAD_ARGUMENT);
        assert_non_null(strstr(error.text, "step_ms"));
    }
    sup_scene_free(scene);
    end(&f);
}

/* Days over the budget with nothing to change do not count beyond what counts. */
static void counters_stay(void** state) {
    (void)state;
    fixture f;
    begin(&f);
    sup_scene* scene = load(&f, three);
    int32_t steps;
    for (int i = 0; i < 40; i++) adapt(scene, 3);
    assert_true(scene->watch.over > 0 && scene->watch.over < 100);
    scene->watch.over = INT32_MAX;
    for (int i = 0; i < 3; i++) assert_int_equal(adapt(scene, 3).body, -1);
    assert_true(scene->watch.over > 0);
    scene->watch.under = INT32_MAX;
    assert_int_equal(next_choice(scene, 0.001, 2, &steps).body, 3);
    sup_scene_free(scene);
    end(&f);
}

/* The drawn surface stays when the clusters under it change. */
static void levels_change_under_a_skin(void** state) {
    (void)state;
    fixture f;
    begin(&f);
    sup_scene* scene =
        load(&f, "{'version': 1, 'bodies': [{'shape': {'icosphere': "
                 "{'subdivisions': 4}}, 'fill': 0.17, 'skin': 'clusters', " LEVELS "}]}");
    for (int32_t level = 0; level < 3; level++) {
        set_level(scene, 0, level);
        run(scene, 2 * level, 2 * level + 2);
    }
    sup_scene_free(scene);
    end(&f);
}

/* What looks like a mistake is told with its place. */
static void idle_budgets_and_wrong_orders_are_told(void** state) {
    (void)state;
    static const struct {
        const char *text, *note;
    } cases[] = {
        {"{'version': 1, 'budget_ms': 2, 'bodies': [{'shape': 'box', 'details': [{}]}]}",
         "dir/s.json:1:29: \"budget_ms\" changes nothing: no body has two levels of \"details\""},
        {"{'version': 1, 'bodies': [{" JELLY ", 'details': [{'clusters': {'cubes': {'edge': 0.5}}}"
         ", {}]}]}",
         "has fewer clusters than level 0; levels go from coarse to fine"},
        {"{'version': 1, 'bodies': [{" JELLY ", 'details': [{'mode': 'linear'}, {}]}]}",
         "level 1 of \"details\" has a lower mode than level 0; levels go from coarse to fine"},
        {"{'version': 1, 'budget_ms': 2, 'bodies': [{" JELLY ", " LEVELS "}]}", NULL},
    };
    fixture f;
    begin(&f);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        sup_scene* scene = load(&f, cases[i].text);
        const char* note = sup_scene_note(scene, 0);
        if (!cases[i].note) assert_null(note);
        if (cases[i].note && (!note || !strstr(note, cases[i].note))) {
            fail_msg("\"%s\" lacks \"%s\"", note ? note : "", cases[i].note);
        }
        sup_scene_free(scene);
    }
    end(&f);
}

/* ---- Refusals ---- */

#define CUBE_LEVELS(levels)                                                                        \
    "{'version': 1, 'bodies': [{'shape': {'box': {'segments': [1, 1, 1]}},\n'details': [" levels   \
    "]}]}"

static void bad_levels_are_refused(void** state) {
    (void)state;
    static const refusal refusals[] = {
        {BODY(", 'details': []"), "dir/s.json:1:55: \"details\" must hold 1 to 16 levels"},
        {BODY(", 'details': {}"), "dir/s.json:1:55: \"details\" must be an array, not an object"},
        {BODY(", 'fill': 0.2, 'skin': 'clusters', 'details': [{'clusters': 'lattice', 'mode': "
              "'quadratic'}]"),
         "dir/s.json:1:102: clusters of a lattice match rigid or linear: their sums have no "
         "quadratic terms"},
        {BODY(", 'details': [{'cube': 1}]"),
         "dir/s.json:1:57: unknown key \"cube\" in a level of detail; known: \"clusters\", "
         "\"mode\""},
        {BODY(", 'details': [{'clusters': {'cubes': {'edge': 0.1}}}]"),
         "dir/s.json:1:79: cubes of 0.1 m are too small: the particles are 0.25 m apart, and a "
         "cube "
         "needs more than twice that"},
        {BODY(", 'details': [{'mode': 'rigid'}, {'mode': 'linear'}, {'clusters': 'whole'}]"),
         "dir/s.json:1:95: levels 0 and 2 of \"details\" are the same"},
        {CUBE_LEVELS("{'clusters': {'elements': {'corners': [[0,1,2,3,4]]}}}"),
         "dir/s.json:2:52: an element has 4 corners (a tetrahedron) or 8 (a hexahedron), not 5"},
        /* a level has no elements of the one before */
        {CUBE_LEVELS("{'clusters': {'elements': {'corners': [[0,1,2,3,4,5,6,7]]}}}, "
                     "{'clusters': 'elements'}"),
         "dir/s.json:2:88: clusters of elements need a list of these, or a filled surface"},
        {BODY(", 'detail': 0"),
         "dir/s.json:1:54: \"detail\" is 0, but the body has 0 levels in \"details\""},
        {BODY(", 'details': [{}], 'detail': 1"),
         "dir/s.json:1:71: \"detail\" is 1, but the body has 1 levels in \"details\""},
        {BODY(", 'detail': 16"), "dir/s.json:1:54: \"detail\" must be from 0 to 15, not 16"},
        {"{'version': 1, 'budget_ms': -1, 'bodies': [{'shape': 'box'}]}",
         "dir/s.json:1:29: \"budget_ms\" must be from 0 to 1000000, not -1"},
    };
    CHECK(refusals);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(levels_are_known_and_set),
        cmocka_unit_test(a_level_is_the_body_it_says),
        cmocka_unit_test(regions_pins_and_attachments_go_along),
        cmocka_unit_test(lattices_may_be_levels),
        cmocka_unit_test(equal_hashes_are_not_trusted),
        cmocka_unit_test(failing_levels_change_nothing),
        cmocka_unit_test(levels_come_back_from_a_snapshot),
        cmocka_unit_test(the_costliest_gets_coarser_first),
        cmocka_unit_test(it_does_not_flutter),
        cmocka_unit_test(the_still_are_left_alone),
        cmocka_unit_test(without_a_budget_nothing_is_chosen),
        cmocka_unit_test(counters_stay),
        cmocka_unit_test(idle_budgets_and_wrong_orders_are_told),
        cmocka_unit_test(levels_change_under_a_skin),
        cmocka_unit_test(bad_levels_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
