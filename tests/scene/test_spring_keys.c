/* Keys of wind and of what acts beside springs: they reach the world, and nonsense is refused with
   its place. */
#include "scene/fixture.h"
#include "supple/supple.h"

#define BALL(more)                                                                                 \
    "{'version': 1, 'gravity': [0, 0, 0], 'sleep': {'speed': 0}," more                             \
    " 'weave': {'mesh': {}}, 'shape': {'icosphere': {'radius': 0.2, 'subdivisions': 2}}}]}"

/* Where the first particle of a scene is after 30 frames. */
static double after(const char* text, int axis) {
    fixture f;
    begin(&f);
    sup_scene* scene = load(&f, text);
    sup_body body = sup_scene_get_body(scene, 0, NULL);
    run(scene, 0, 30);
    sup_point x[200];
    assert_int_equal(sup_body_read_particles(sup_scene_world(scene), body, x, NULL), SUP_OK);
    double sum = 0.0;
    for (int i = 0; i < 162; i++) {
        double at[3] = {x[i].x, x[i].y, x[i].z};
        sum += axis < 3 ? at[axis] / 162 : at[0] * at[0] + at[1] * at[1] + at[2] * at[2];
    }
    sup_scene_free(scene);
    end(&f);
    return sum;
}

static void wind_blows(void** state) {
    (void)state;
    double still = after(BALL("'bodies': [{"), 0);
    double blown = after(BALL("'wind': {'velocity': [9, 0, 0], 'gust': 1}, 'bodies': [{"), 0);
    double slick = after(BALL("'wind': {'velocity': [9, 0, 0]}, 'bodies': [{'springs': {'air': "
                              "{'across': 0, 'along': 0}},"),
                         0);
    assert_true(fabs(still) < 1e-6 && fabs(slick) < 1e-6 && blown > 0.1);
}

static void gas_swells(void** state) {
    (void)state;
    double empty = after(BALL("'bodies': [{"), 3);
    double full = after(BALL("'bodies': [{'springs': {'pressure': {'inside': 3000}},"), 3);
    assert_true(full > 1.05 * empty);
}

static void the_rest_is_read(void** state) {
    (void)state;
    after(BALL("'bodies': [{'springs': {'solid': {'area': 10, 'bend': 0.001}, 'anchor': "
               "{'frequency': 3, 'frame': 'fixed'}, 'yield': {'strain': 0.1, 'time': 1}},"),
          0);
}

/* A net in a plane, without springs against folding. */
static void cloth_in_a_plane(void** state) {
    (void)state;
    fixture f;
    begin(&f);
    sup_scene* scene = load(&f, "{'version': 1, 'wind': {'velocity': [0, 0, 9]}, 'bodies': ["
                                "{'shape': {'grid': {'size': [1, 1], 'segments': [6, 4]}}, "
                                "'weave': {'cloth': {'bend': 0}}, 'locked': 'z', "
                                "'rotation': [90, 0, 0], 'pins': [{'index': [0]}]}]}");
    assert_int_equal(sup_scene_get_entry(scene, 0).blueprint.spring_count,
                     7 * 4 + 5 * 6 + 2 * 6 * 4);
    sup_body body = sup_scene_get_body(scene, 0, NULL);
    sup_point before[35], after_all[35];
    assert_int_equal(sup_body_read_particles(sup_scene_world(scene), body, before, NULL), SUP_OK);
    run(scene, 0, 20);
    assert_int_equal(sup_body_read_particles(sup_scene_world(scene), body, after_all, NULL),
                     SUP_OK);
    for (int i = 0; i < 35; i++) assert_true(before[i].z == after_all[i].z);
    assert_true(after_all[34].y < before[34].y - 0.1);
    sup_scene_free(scene);
    end(&f);
}

static void nonsense_is_refused(void** state) {
    (void)state;
    static const refusal refusals[] = {
        {BALL("'wind': {'gust_time': 0}, 'bodies': [{"),
         "dir/s.json:1:82: \"gust_time\" must be from 0.01 to 1000000, not 0"},
        {BALL("'bodies': [{'springs': {'pressure': {}},"),
         "dir/s.json:1:96: the gas in a body needs \"inside\""},
        {BALL("'bodies': [{'springs': {'anchor': {'frame': 'loose'}},"),
         "dir/s.json:1:104: \"frame\" cannot be \"loose\"; known: \"fitted\", \"fixed\""},
        {BALL("'bodies': [{'springs': {'preconditioner': 'none'},"),
         "dir/s.json:1:102: \"preconditioner\" cannot be \"none\"; known: \"blocks\", \"levels\""},
        {BALL("'bodies': [{'springs': {'solid': {'volume': 5}},"),
         "dir/s.json:1:104: springs.solid.volume needs tetrahedra in the blueprint"},
        {BALL("'bodies': [{'springs': {'yield': {'limit': 9}},"),
         "dir/s.json:1:103: \"limit\" must be from 0 to 2, not 9"},
    };
    CHECK(refusals);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(wind_blows),          cmocka_unit_test(gas_swells),
        cmocka_unit_test(the_rest_is_read),    cmocka_unit_test(cloth_in_a_plane),
        cmocka_unit_test(nonsense_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
