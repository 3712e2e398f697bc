/* Weaves of a wanted Poisson's ratio and thickness: what hangs and bends like that. */
#include "scene/fixture.h"
#include "sizes.h"
#include "supple/supple.h"
#include "supple/weave.h"

enum { MOST = 2048 };

/* Where the particles of the only body of a scene are, at rest and after 4 s. Under sanitizers it
   is let go only, and not judged. */
typedef struct states {
    int32_t count;
    sup_point rest[MOST], hung[MOST];
} states;

static void hang(const char* text, states* out) {
    fixture f;
    begin(&f);
    sup_scene* scene = load(&f, text);
    sup_world* world = sup_scene_world(scene);
    sup_body body = sup_scene_get_body(scene, 0, NULL);
    out->count = (int32_t)sup_scene_get_info(scene).particle_count;
    assert_true(out->count <= MOST);
    assert_int_equal(sup_body_read_particles(world, body, out->rest, NULL), SUP_OK);
    run(scene, 0, short_tests() ? 2 : 240);
    assert_int_equal(sup_body_read_particles(world, body, out->hung, NULL), SUP_OK);
    sup_scene_free(scene);
    end(&f);
}

/* A bar of 0.8 m that hangs by its upper end, 1e6 Pa and 1000 kg/m^3. */
#define BAR(weave)                                                                                 \
    "{'version': 1, 'sleep': {'speed': 0}, 'bodies': [{'shape': {'box': {'size': [0.2, 0.8, "      \
    "0.2]}}, 'weave': {" weave "}, 'springs': {'drag': 10, 'tolerance': 1e-5, 'iterations': 500}," \
    " 'pins': [{'box': {'low': [-1, 0.39, -1], 'high': [1, 0.41, 1]}}]}]}"

/* The strain of the bar in its middle, beside what it should be, and its Poisson's ratio. */
static void check_bar(const char* text, double ratio) {
    static states s;
    hang(text, &s);
    double side = 0, sides = 0, above = 0, below = 0, layers[2] = {0, 0};
    for (int32_t i = 0; i < s.count; i++) {
        const sup_point *a = s.rest + i, *b = s.hung + i;
        if (fabs(a->y) < 1e-3 && fabs(a->x) > 0.099) side += fabs(b->x) / 0.1 - 1, sides++;
        if (fabs(a->y - 0.05) < 1e-3) above += b->y, layers[0]++;
        if (fabs(a->y + 0.05) < 1e-3) below += b->y, layers[1]++;
    }
    double strain = (above / layers[0] - below / layers[1]) / 0.1 - 1;
    double wanted = 1000 * 9.81 * 0.4 / 1e6, found = -side / sides / strain;
    print_message("strain %.5f of %.5f, ratio %.3f of %.3f\n", strain, wanted, found, ratio);
    if (short_tests()) return;
    assert_true(fabs(strain / wanted - 1) < 0.02);
    assert_true(fabs(found - ratio) < 0.005);
}

static void bars_get_thinner_as_they_should(void** state) {
    (void)state;
    check_bar(BAR("'hexes': {'cell': 0.05, 'young': 1e6}"), 0.25);
    check_bar(BAR("'hexes': {'cell': 0.05, 'young': 1e6, 'poisson': 0.35}"), 0.35);
    check_bar(BAR("'hexes': {'cell': 0.05, 'young': 1e6, 'poisson': 0.45}"), 0.45);
}

/* A strip of 0.4 m that sticks out from a wall: Young's modulus times thickness 1e5 N/m. */
#define STRIP(more)                                                                                \
    "{'version': 1, 'gravity': [0, -0.1, 0], 'sleep': {'speed': 0}, 'bodies': [{'shape': {'grid':" \
    " {'size': [0.4, 0.4], 'segments': [16, 16]}}, 'weave': {'mesh': {'young': 1e5, 'density': "   \
    "1" more "}}, 'springs': {'drag': 10, 'tolerance': 1e-5, 'iterations': 500}, 'pins': [{'box':" \
    " {'low': [-0.21, -1, -1], 'high': [-0.174, 1, 1]}}]}]}"

static double droop_of(const char* text) {
    static states s;
    hang(text, &s);
    double sum = 0, count = 0;
    for (int32_t i = 0; i < s.count; i++) {
        if (s.rest[i].x > 0.199) sum += s.rest[i].y - s.hung[i].y, count++;
    }
    return sum / count;
}

/* By the square of it, as a plate: q l^4 / (8 D) with D = Y t^2 / (12 (1 - nu^2)), for 0.375 m.
   Hinges of a grid of squares are not the same in all directions, and give way 1.8 times as much.
 */
static void sheets_bend_by_their_thickness(void** state) {
    (void)state;
    double plate = 0.1 * 0.375 * 0.375 * 0.375 * 0.375 / 8 / (1e5 * 1e-4 / 12 / (1 - 1.0 / 9));
    double thin = droop_of(STRIP(", 'thickness': 0.01"));
    double thick = droop_of(STRIP(", 'thickness': 0.02"));
    print_message("droop %.3g and %.3g m, of a plate %.3g m\n", thin, thick, plate);
    if (short_tests()) return;
    assert_true(fabs(thin / thick - 4) < 0.04);
    assert_true(thin > plate && thin < 2 * plate);
}

static void the_sums_are_right(void** state) {
    (void)state;
    sup_weave_moduli m;
    assert_int_equal(sup_weave_solid_moduli(1e5, 0.25, &m, NULL), SUP_OK);
    assert_true(fabs(m.young / 1e5 - 1) < 1e-12 && m.solid.volume < 1e-9);
    assert_int_equal(sup_weave_solid_moduli(1e5, 0.4, &m, NULL), SUP_OK);
    assert_true(fabs(m.young / (1e5 / 1.12) - 1) < 1e-12);
    assert_true(fabs(m.solid.volume / (1e5 / 0.7 - 1e5 / 2.8) - 1) < 1e-12);
    assert_int_equal(sup_weave_sheet_moduli(1e3, 0.5, 0.1, &m, NULL), SUP_OK);
    assert_true(fabs(m.young / (8e3 / 9) - 1) < 1e-12);
    assert_true(fabs(m.solid.area / (1e3 / 3) - 1) < 1e-12);
    assert_true(fabs(m.solid.bend / (1e3 * 0.01 / 9) - 1) < 1e-12);
    sup_error error = {0};
    assert_int_equal(sup_weave_solid_moduli(1e5, 0.5, &m, &error), SUP_BAD_ARGUMENT);
    assert_string_equal(error.text, "poisson of a solid must be from 0.25 to 0.49");
    assert_int_equal(sup_weave_solid_moduli((double)NAN, 0.3, &m, &error), SUP_BAD_ARGUMENT);
    assert_int_equal(sup_weave_sheet_moduli(1e3, 0.3, 0.1, &m, &error), SUP_BAD_ARGUMENT);
    assert_int_equal(sup_weave_sheet_moduli(1e3, 0.5, -1, &m, &error), SUP_BAD_ARGUMENT);
}

static void nonsense_is_refused(void** state) {
    (void)state;
    static const refusal refusals[] = {
        {BODY(", \"weave\": {\"block\": {\"poisson\": 0.5}}"),
         "dir/s.json:1:75: \"poisson\" must be from 0.25 to 0.49, not 0.5"},
        {BODY(", \"weave\": {\"mesh\": {\"stiffness\": 5, \"poisson\": 0.5}}"),
         "dir/s.json:1:90: \"poisson\" goes with \"young\", not with \"stiffness\""},
    };
    CHECK(refusals);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(bars_get_thinner_as_they_should),
        cmocka_unit_test(sheets_bend_by_their_thickness),
        cmocka_unit_test(the_sums_are_right),
        cmocka_unit_test(nonsense_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
