/* Many bodies of tetrahedra of all kinds rain into a bowl and come to rest: nothing is lost, and
   nothing stays deep in anything: as contacts tell, and by the distance of points to the surface of
   others, whatever contacts may tell of it. Settings are those of a scene
   that says nothing, but for sweeps: with two of them a quarter of every depth stays, and with four
   a sixteenth. */
#include "ref/ref_inside.h"
#include "restored.h"
#include "sizes.h"
#include "supple/scene.h"
#include "supple/supple.h"
#include "world/world.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* The bowl of scenes/heap.json: y = (r / 1.7)^2.4, open above; there is no floor under it. Bodies
   of clusters, one of them with a region of its own, of springs, and woven ones. */
static const char* const text =
    "{ 'version': 1, 'sweeps': 4, %s 'materials': { 'jelly': { 'stiffness': 200, 'friction': 0.4 },"
    "    'firm': { 'stiffness': 300, 'friction': 0.4 } },"
    "  'bodies': ["
    "  { 'name': 'ball', 'shape': { 'icosphere': { 'radius': 0.17, 'subdivisions': 3 } },"
    "    'solid': { 'clusters': { 'count': %d } }, 'material': 'jelly', 'density': 300,"
    "    'position': [0, 1, 0], %s },"
    "  { 'name': 'die', 'shape': { 'box': { 'size': [0.3, 0.3, 0.3], 'segments': [6, 6, 6] } },"
    "    'solid': { 'springs': { 'count': %d } }, 'material': 'jelly', 'density': 300,"
    "    'position': [0, %g, 0], %s },"
    "  { 'name': 'ring', 'shape': { 'torus': { 'radius': 0.16, 'tube': 0.08 } },"
    "    'solid': { 'clusters': { 'count': %d } }, 'material': 'jelly', 'density': 300,"
    "    'regions': [{ 'box': { 'low': [0, -1, -1], 'high': [1, 1, 1] }, 'material': 'firm' }],"
    "    'position': [0, %g, 0], %s },"
    "  { 'name': 'pill', 'shape': { 'capsule': { 'radius': 0.1, 'length': 0.2 } },"
    "    'solid': { 'springs': { 'count': %d } }, 'material': 'jelly', 'density': 300,"
    "    'position': [0, %g, 0], %s },"
    "  { 'name': 'brick', 'shape': { 'box': { 'size': [0.3, 0.3, 0.3] } },"
    "    'weave': { 'block': { 'cell': %g, 'density': 300 } }, 'material': 'jelly',"
    "    'position': [0, %g, 0], %s }],"
    "  'colliders': [{ 'shape': { 'mesh': { 'file': 'meshes/bowl.obj' } }, 'thickness': 0.015,"
    "    'friction': 0.4 }] }";

enum { KINDS = 5 };
#define SIZE 0.3 /* m, of the smallest body */

typedef struct pile {
    int32_t each, tets; /* bodies of a kind; tetrahedra of a body, about */
    double layer, cell; /* m: room for one kind above the other; a cell of a brick */
    int32_t frames;
} pile;

static sup_scene* make_pile(const pile* p, const char* settings) {
    char copies[KINDS][200], path[1024], bytes[4000];
    const char* source = getenv("SUPPLE_SOURCE");
    for (int k = 0; k < KINDS; k++) {
        snprintf(copies[k], sizeof copies[k],
                 "'copies': { 'scatter': { 'count': %d, 'low': [-0.8, 0, -0.8], 'high': [0.8, %g, "
                 "0.8], 'gap': 0.5, 'seed': %d, 'turn': true } }",
                 (int)p->each, p->layer - 0.5, k + 3);
    }
    int32_t size =
        snprintf(bytes, sizeof bytes, text, settings, (int)p->tets, copies[0], (int)p->tets,
                 1 + p->layer, copies[1], (int)p->tets, 1 + 2 * p->layer, copies[2], (int)p->tets,
                 1 + 3 * p->layer, copies[3], p->cell, 1 + 4 * p->layer, copies[4]);
    assert_true(size < (int32_t)sizeof bytes);
    for (char* c = bytes; *c; c++) *c = *c == '\'' ? '"' : *c;
    snprintf(path, sizeof path, "%s/scenes/pile.json", source ? source : ".");
    sup_scene_options options = sup_scene_options_default();
    sup_scene* scene;
    sup_error error = {0};
    options.threads = 2;
    if (sup_scene_parse(&options, path, (const uint8_t*)bytes, (size_t)size, &scene, &error)) {
        fail_msg("%s", error.text);
    }
    return scene;
}

/* Are the middles of all bodies above the bowl? */
static bool all_are_in(sup_scene* scene, int32_t count) {
    const sup_world* world = sup_scene_world(scene);
    for (int32_t i = 0; i < count; i++) {
        double low[3], high[3];
        sup_body body = sup_scene_get_body(scene, i, NULL);
        if (sup_body_bounds(world, body, low, high) != SUP_OK) return false;
        double x = 0.5 * (low[0] + high[0]), z = 0.5 * (low[2] + high[2]);
        double r = sqrt(x * x + z * z), y = 0.5 * (low[1] + high[1]);
        if (!(r < 1.7 && y > pow(r / 1.7, 2.4))) return false;
    }
    return true;
}

/* All bodies in one frame, for the twin; their places are read anew. */
static ref_tets* bodies_of(const sup_world* world) {
    ref_tets* out = calloc((size_t)world->body_count, sizeof *out);
    for (int32_t i = 0; i < world->body_count; i++) {
        const supi_tet_form* form = &world->bodies[i].blueprint->form;
        out[i] = (ref_tets){.point_count = form->point_count,
                            .tet_count = form->tet_count,
                            .triangle_count = form->triangle_count,
                            .x = calloc((size_t)form->point_count, sizeof *out->x),
                            .tets = form->tets,
                            .triangles = form->triangles};
    }
    return out;
}

static ref_inside look_inside(const sup_world* world, ref_tets* bodies) {
    for (int32_t i = 0; i < world->body_count; i++) {
        const supi_body* body = world->bodies + i;
        for (int32_t k = 0; k < bodies[i].point_count; k++) {
            const sup_row* x = world->now.x + body->row + k;
            bodies[i].x[k][0] = body->anchor[0] + (double)x->x;
            bodies[i].x[k][1] = body->anchor[1] + (double)x->y;
            bodies[i].x[k][2] = body->anchor[2] + (double)x->z;
        }
    }
    return ref_inside_find(bodies, world->body_count, 0.02 * SIZE);
}

static void free_bodies(ref_tets* bodies, int32_t count) {
    for (int32_t i = 0; i < count; i++) free(bodies[i].x);
    free(bodies);
}

static pile size_of_the_day(void) {
    return long_tests() ? (pile){20, 1000, 2.5, 0.06, 1200} : (pile){3, 250, 0.8, 0.1, 380};
}

static void bodies_come_to_rest(void** state) {
    (void)state;
    skip_under_sanitizers();
    pile p = size_of_the_day();
    sup_scene* scene = make_pile(&p, "'sleep': { 'speed': 0 },");
    sup_world* world = sup_scene_world(scene);
    ref_tets* bodies = bodies_of(world);
    ref_inside* inside = calloc((size_t)p.frames, sizeof *inside);
    double peak = 0, kinetic = 0, told = 0;
    int32_t rest = 0; /* the first frame from which on the energy stays small */
    for (int32_t i = 0; i < p.frames; i++) {
        assert_int_equal(sup_world_step(world, 1.0 / 60), SUP_OK);
        sup_measures m = sup_world_measure(world);
        assert_true(isfinite(m.kinetic) && restored_count(world) == 0);
        peak = fmax(peak, m.kinetic);
        kinetic = m.kinetic;
        if (kinetic >= 1e-4 * peak) rest = i + 1;
        if (i < rest + 60) continue;
        inside[i] = look_inside(world, bodies);
        told = fmax(told, m.deepest);
    }
    double worst = 0;
    int32_t deep = 0, points = 0;
    for (int32_t i = rest + 60; i < p.frames; i++) {
        worst = fmax(worst, inside[i].deepest);
        deep += inside[i].deep > 0;
        points = inside[i].deep > points ? inside[i].deep : points;
    }
    print_message("%d bodies, %lld particles: at rest after %.1f s, %.1e of the peak in the end, "
                  "deepest from a second later on %.2f mm (told: %.2f), too deep in %d frames, %d "
                  "of %d points at most\n",
                  (int)(KINDS * p.each), (long long)sup_scene_get_info(scene).particle_count,
                  rest / 60.0, kinetic / peak, 1000 * worst, 1000 * told, (int)deep, (int)points,
                  (int)inside[p.frames - 1].count);
    assert_true(rest + 120 <= p.frames);
    assert_true(told > 0 && told < 0.02 * SIZE);
    assert_true(worst < 0.02 * SIZE);
    assert_true(all_are_in(scene, KINDS * p.each));
    free(inside);
    free_bodies(bodies, KINDS * p.each);
    sup_scene_free(scene);
}

static void a_pile_lasts(void** state) {
    (void)state;
    skip_under_sanitizers();
    pile p = size_of_the_day();
    const int32_t frames = long_tests() ? 10000 : 120;
    sup_scene* scene = make_pile(&p, "");
    sup_world* world = sup_scene_world(scene);
    for (int32_t i = 0; i < frames; i++) {
        assert_int_equal(sup_world_step(world, 1.0 / 60), SUP_OK);
        sup_measures m = sup_world_measure(world);
        assert_true(isfinite(m.kinetic) && isfinite(m.deepest) && restored_count(world) == 0);
    }
    assert_true(all_are_in(scene, KINDS * p.each));
    sup_scene_free(scene);
}

/* A corner of one tetrahedron in another, 0.1 from its nearest side; none if that is inside out. */
static void the_twin_measures(void** state) {
    (void)state;
    double a[4][3] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    double b[4][3] = {{0.1, 0.2, 0.3}, {-1, 0.2, 0.3}, {-1, 1.2, 0.3}, {-1, 0.2, 1.3}};
    static const int32_t corners[4] = {0, 1, 2, 3}, folded[4] = {0, 2, 1, 3};
    static const int32_t sides[12] = {0, 2, 1, 0, 1, 3, 0, 3, 2, 1, 2, 3};
    ref_tets bodies[2] = {{4, 1, 4, a, corners, sides}, {4, 1, 4, b, corners, sides}};
    ref_inside found = ref_inside_find(bodies, 2, 0.05);
    assert_true(found.count == 1 && found.deep == 1 && fabs(found.deepest - 0.1) < 1e-12);
    assert_true(found.body == 1 && found.point == 0 && found.other == 0);
    assert_int_equal(ref_inside_find(bodies, 2, 0.11).deep, 0);
    bodies[0].tets = folded;
    assert_int_equal(ref_inside_find(bodies, 2, 0.05).count, 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(the_twin_measures),
                                       cmocka_unit_test(bodies_come_to_rest),
                                       cmocka_unit_test(a_pile_lasts)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
