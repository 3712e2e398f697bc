/* Cloth that falls onto the middle of a ball: both preconditioners are as symmetric as the scene,
   but for what their tolerance leaves. */
#include "scene/fixture.h"
#include "supple/supple.h"

enum { SIDE = 61, LANDED = 9 /* the first frame in which it touches the ball */ };

/* m: how far particles are from where their mirror images say. */
static double askew(const char* preconditioner, double tolerance) {
    static const char scene_text[] =
        "{'version': 1, 'fps': 60, 'bodies': [{'shape': {'grid': {'size': [1.7, 1.7], "
        "'segments': [60, 60]}}, 'weave': {'cloth': {'stretch': 1e4, 'shear': 5e3, 'bend': 125}}, "
        "'springs': {'damping': 0.1, 'preconditioner': '%s', 'tolerance': %g, 'iterations': 1000}, "
        "'material': {'friction': 0.35}, 'position': [0, 1.15, 0]}], 'colliders': [{'shape': "
        "{'sphere': {'radius': 0.45}}, 'position': [0, 0.6, 0], 'thickness': 0.015}]}";
    char text[sizeof scene_text + 64];
    snprintf(text, sizeof text, scene_text, preconditioner, tolerance);
    fixture f;
    begin(&f);
    sup_scene* scene = load(&f, text);
    run(scene, 0, LANDED);
    static sup_point at[SIDE * SIDE];
    sup_body body = sup_scene_get_body(scene, 0, NULL);
    assert_int_equal(sup_body_read_particles(sup_scene_world(scene), body, at, NULL), SUP_OK);
    double most = 0.0;
    for (int j = 0; j < SIDE; j++) {
        for (int i = 0; i < SIDE; i++) {
            const sup_point *p = &at[j * SIDE + i], *q = &at[j * SIDE + SIDE - 1 - i];
            most = fmax(most, fmax(fabs(p->x + q->x), fmax(fabs(p->y - q->y), fabs(p->z - q->z))));
        }
    }
    sup_scene_free(scene);
    end(&f);
    print_message("%s to %g: %.2g m\n", preconditioner, tolerance, most);
    return most;
}

/* Groups of particles have no mirror images, so what a solve leaves has none; it fades with the
   tolerance. Each particle by itself leaves what is as symmetric as the cloth. */
static void what_is_askew_is_what_the_tolerance_leaves(void** state) {
    (void)state;
    double coarse = askew("levels", 1e-2), fine = askew("levels", 1e-4),
           exact = askew("levels", 1e-5);
    assert_true(coarse < 2e-3);
    assert_true(fine < 0.1 * coarse);
    assert_true(exact < 1e-5);
    assert_true(askew("blocks", 1e-2) < 1e-5);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_askew_is_what_the_tolerance_leaves),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
