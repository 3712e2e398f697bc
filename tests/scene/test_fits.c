/* What scenes say of oriented particles reaches the bodies, or is refused with its place. */
#include "fixture.h"

#define ROPE(segments) "{'shape': {'rope': {'to': [1, 0, 0], 'segments': " segments "}}, "
#define HELD ", 'pins': [{'index': [0]}]"
#define SCENE(body) "{'version': 1, 'substeps': 16, 'bodies': [" body "}]}"

/* How far the last particle of a rope that is held at its beginning has sunk, m. */
static double measure_sag(const char* text, int32_t frames) {
    fixture f;
    sup_point points[64];
    begin(&f);
    sup_scene* scene = load(&f, text);
    run(scene, 0, frames);
    sup_body body = sup_scene_get_body(scene, 0, NULL);
    int64_t count = sup_scene_get_info(scene).particle_count;
    assert_true(count > 1 && count <= 64);
    assert_int_equal(sup_body_read_particles(sup_scene_world(scene), body, points, NULL), SUP_OK);
    double sag = points[0].y - points[count - 1].y;
    sup_scene_free(scene);
    end(&f);
    return sag;
}

static void pins_weigh_more_in_groups(void** state) {
    (void)state;
    static const char plain[] = SCENE(ROPE("10") "'fit': 'chain', 'mass': 1" HELD);
    static const char told[] =
        SCENE(ROPE("10") "'fit': 'chain', 'mass': 1, 'frames': {'pin_factor': 1}" HELD);
    static const char firm[] =
        SCENE(ROPE("10") "'fit': 'chain', 'mass': 1, 'frames': {'pin_factor': 100}" HELD);
    double sag = measure_sag(plain, 30), held = measure_sag(firm, 30);
    print_message("pin factor 1: %g m, 100: %g m\n", sag, held);
    assert_true(sag == measure_sag(told, 30));
    assert_true(held < 0.95 * sag);
}

/* A round rod of one material hangs as low, however many balls it has: these resist turning so that
   bending is that of the whole. */
static void ropes_can_be_calibrated(void** state) {
    (void)state;
#define ROD(segments, turn)                                                                        \
    "{'version': 1, 'substeps': 48, 'bodies': [" ROPE(                                             \
        segments) "'fit': {'chain': {'radius': 0.1, 'compliance': 1000" turn                       \
                  "}}, 'density': 955, 'frames': "                                                 \
                  "{'modulus': 1.1e6, 'damping': 3, 'turn_damping': 3, 'meet_itself': false}" HELD \
                  "}]}"
    double few = measure_sag(ROD("15", ", 'turn_radius': 0.07298"), 180);
    double many = measure_sag(ROD("45", ", 'turn_radius': 0.07840"), 180);
    double thick = measure_sag(ROD("15", ""), 180);
    print_message("15 spans: %g m, 45: %g m, balls as thick as the rope: %g m\n", few, many, thick);
    assert_true(few > 0.0 && fabs(few - many) < 0.15 * many);
    assert_true(thick < 0.8 * few);
#undef ROD
}

/* A rope without polygons has no volume, but the density of a round rod. */
static void mass_is_as_good_as_density(void** state) {
    (void)state;
#define ROD(weight)                                                                                \
    SCENE(ROPE("10") "'fit': {'chain': {'radius': 0.1}}, 'frames': {'modulus': 1e5}, " weight HELD)
    double dense = measure_sag(ROD("'density': 100"), 30);
    double heavy = measure_sag(ROD("'mass': 3.141592653589793"), 30);
    print_message("100 kg/m^3: %g m, as heavy: %g m\n", dense, heavy);
    assert_true(fabs(dense - heavy) < 1e-6 * dense);
#undef ROD
}

static void expect_density(fixture* f, const char* text, double low, double high) {
    sup_scene* scene = load(f, text);
    double density = sup_scene_get_entry(scene, 0).blueprint.density;
    print_message("%g kg/m^3\n", density);
    assert_true(density > low && density < high);
    sup_scene_free(scene);
}

/* Of what has neither volume nor polygons along a line, that of its ellipsoids. */
static void open_bodies_have_a_density(void** state) {
    (void)state;
    static const char flat[] = "{'version': 1, 'bodies': [{'shape': {'grid': {}}, 'mass': %s, "
                               "'fit': {'surface': {'count': 60}}, 'frames': {%s}}]}";
    fixture f;
    char text[256];
    begin(&f);
    snprintf(text, sizeof text, flat, "1", "'modulus': 1e5");
    sup_scene* scene = load(&f, text);
    double density = sup_scene_get_entry(scene, 0).blueprint.density;
    sup_scene_free(scene);
    assert_true(density > 5 && density < 500); /* a square metre, some centimetres thick */
    snprintf(text, sizeof text, flat, "10", "'modulus': 1e5");
    expect_density(&f, text, 9.999 * density, 10.001 * density);
    snprintf(text, sizeof text, flat, "1e-6", "'modulus': 1e5"); /* as a blueprint may have it */
    expect_density(&f, text, 0.999, 1.001);
    snprintf(text, sizeof text, flat, "1", ""); /* nobody asks for it */
    expect_density(&f, text, 999, 1001);
    end(&f);
}

static void bad_fits_are_refused(void** state) {
    (void)state;
    static const refusal refusals[] = {
        {SCENE(ROPE("3") "\n'fit': {'chain': {'turn_radius': 0}}"),
         "dir/s.json:2:34: \"turn_radius\" must be above 0 and at most 1000, not 0"},
        {SCENE("{'shape': 'box', 'fit': {'inside':\n{'turn_radius': 1}}"),
         "dir/s.json:2:2: unknown key \"turn_radius\" in particles inside: it belongs to a "
         "chain; known: \"spacing\", \"count\", \"seed\", \"reach\", \"aspect\", \"compliance\", "
         "\"damping\", \"torsion\""},
        {SCENE("{'shape': 'box', 'fit': 'inside',\n'frames': {'pin_factor': 0.5}"),
         "dir/s.json:2:26: \"pin_factor\" must be from 1 to 1000, not 0.5"},
        {SCENE("{'shape': 'box', 'fit': 'inside',\n'skin_slots': 5"),
         "dir/s.json:2:15: \"skin_slots\" must be from 1 to 4, not 5"},
        {SCENE("{'shape': 'box',\n'skin_slots': 2"),
         "dir/s.json:2:15: \"skin_slots\" is for oriented particles: give the body a \"fit\""},
        {SCENE(ROPE("3") "'fit': 'chain',\n'skin_slots': 2"),
         "dir/s.json:2:15: \"skin_slots\" is for a mesh that follows oriented particles"}};
    CHECK(refusals);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(pins_weigh_more_in_groups),  cmocka_unit_test(ropes_can_be_calibrated),
        cmocka_unit_test(mass_is_as_good_as_density), cmocka_unit_test(open_bodies_have_a_density),
        cmocka_unit_test(bad_fits_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
