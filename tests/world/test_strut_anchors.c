/* Anchors in place of struts that meet nothing: who has them, and that they move no body as a
   whole. */
#include "supple/mesh.h"
#include "supple/snapshot.h"
#include "supple/weave.h"
#include "world/springs.h"

/* A box without its top, woven with struts: those from its bottom meet nothing. */
static sup_web cup_web(void) {
    sup_mesh mesh;
    sup_web web;
    sup_error error = {0};
    int32_t kept = 0, end = 0;
    const double size[3] = {0.4, 0.4, 0.4};
    assert_ok(sup_mesh_box(NULL, size, (int32_t[3]){4, 4, 4}, &mesh, &error), error);
    sup_mesh open = mesh;
    for (int32_t p = 0; p < mesh.polygon_count; p++) {
        int32_t first = mesh.starts[p], last = mesh.starts[p + 1];
        bool top = true;
        for (int32_t c = first; c < last; c++) top = top && mesh.points[mesh.corners[c]].y > 0.19f;
        if (top) continue;
        for (int32_t c = first; c < last; c++) open.corners[end++] = mesh.corners[c];
        open.starts[++kept] = end;
    }
    open.polygon_count = kept;
    open.corner_count = end;
    sup_weave_mesh_def def = sup_weave_mesh_default();
    def.mesh = &open;
    def.young = 100;
    assert_ok(sup_weave_mesh(NULL, &def, &web, &error), error);
    const sup_weave_struts_def struts = sup_weave_struts_default();
    assert_ok(sup_weave_struts(&struts, &web, &error), error);
    sup_mesh_free(&mesh);
    return web;
}

static sup_blueprint* cup_of(const sup_web* web) {
    sup_error error = {0};
    sup_blueprint* print = NULL;
    sup_blueprint_def def = sup_web_blueprint(web);
    assert_ok(sup_blueprint_create(&def, &print, &error), error);
    return print;
}

static sup_world* empty_world(double gravity) {
    sup_world_def def = sup_world_default();
    def.gravity[1] = gravity;
    def.sleep_speed = 0.0;
    return make_world(&def);
}

static void shake(sup_world* world, sup_body body, int32_t count) {
    sup_point x[200];
    sup_vec3 v[200];
    uint32_t seed = 7;
    assert_true(count <= 200);
    assert_int_equal(sup_body_read_particles(world, body, x, v), SUP_OK);
    for (int32_t i = 0; i < count; i++) {
        float* to = &v[i].x;
        for (int k = 0; k < 3; k++) {
            seed = seed * 1664525u + 1013904223u;
            to[k] += (float)(seed >> 8) / 16777216.0f - 0.3f;
        }
    }
    assert_int_equal(sup_body_write_particles(world, body, x, v, NULL), SUP_OK);
}

/* The bottom swings about; the body as a whole does not feel what draws it back. */
static void momenta_stay(void** state) {
    (void)state;
    sup_web web = cup_web();
    assert_true(web.anchor_count > 0 && web.anchor_count < web.point_count / 2);
    sup_blueprint* print = cup_of(&web);
    const sup_integrator integrators[] = {SUP_INTEGRATOR_IMPLICIT, SUP_INTEGRATOR_SYMPLECTIC};
    for (int k = 0; k < 2; k++) {
        sup_world* world = empty_world(0.0);
        sup_body_def def = body_at(print, 0, 0, 0);
        def.springs.integrator = integrators[k];
        def.springs.drag = 0.0;
        def.springs.anchor.frequency = 60.0;
        sup_body body = add_body(world, &def);
        shake(world, body, web.point_count);
        sup_measures before = sup_world_measure(world);
        take_steps(world, 60);
        sup_measures after = sup_world_measure(world);
        for (int i = 0; i < 3; i++) {
            double drift = fabs(after.momentum[i] - before.momentum[i]);
            double turn = fabs(after.angular_momentum[i] - before.angular_momentum[i]);
            if (!(drift < 1e-5 && turn < 1e-5)) {
                fail_msg("integrator %d, axis %d: %g kg m/s, %g kg m^2/s", k, i, drift, turn);
            }
        }
        assert_true(after.kinetic < before.kinetic);
        sup_world_destroy(world);
    }
    sup_blueprint_release(print);
    sup_web_free(&web);
}

/* In a fixed frame the bottom stays, and the rest hangs on it. */
static void anchors_hold_their_own(void** state) {
    (void)state;
    sup_web web = cup_web();
    sup_blueprint* print = cup_of(&web);
    sup_world* world = empty_world(-9.81);
    sup_body_def def = body_at(print, 0, 0, 0);
    def.springs.anchor = (sup_spring_anchor){200.0, 1.0, SUP_ANCHOR_FIXED};
    sup_body body = add_body(world, &def);
    take_steps(world, 120);
    sup_point x[200];
    assert_int_equal(sup_body_read_particles(world, body, x, NULL), SUP_OK);
    double held = 0.0, fallen = 0.0;
    for (int32_t i = 0; i < web.point_count; i++) {
        bool is_held = false;
        for (int32_t k = 0; k < web.anchor_count; k++) is_held = is_held || web.anchors[k] == i;
        double fall = (double)web.points[i].y - x[i].y;
        if (is_held && fall > held) held = fall;
        if (fall > fallen) fallen = fall;
    }
    if (!(held < 0.02 && fallen > 4.0 * held)) fail_msg("held %g m, fallen %g m", held, fallen);
    sup_world_destroy(world);
    sup_blueprint_release(print);
    sup_web_free(&web);
}

/* A snapshot knows who is held. */
static void snapshots_keep_them(void** state) {
    (void)state;
    sup_web web = cup_web();
    sup_blueprint* print = cup_of(&web);
    sup_world *world = empty_world(-9.81), *other = empty_world(0.0);
    sup_body_def def = body_at(print, 0, 0, 0);
    def.springs.anchor = (sup_spring_anchor){50.0, 0.1, SUP_ANCHOR_FIXED};
    add_body(world, &def);
    take_steps(world, 5);
    sup_bytes bytes;
    sup_error error = {0};
    assert_ok(sup_world_save(world, &bytes, &error), error);
    assert_ok(sup_world_restore(other, bytes.data, bytes.size, &error), error);
    sup_bytes_free(&bytes);
    take_steps(world, 5);
    take_steps(other, 5);
    assert_true(sup_world_hash(world) == sup_world_hash(other));
    sup_world_destroy(world);
    sup_world_destroy(other);
    sup_blueprint_release(print);
    sup_web_free(&web);
}

static void bad_anchors_are_refused(void** state) {
    (void)state;
    sup_web web = cup_web();
    sup_error error = {0};
    sup_blueprint* print = NULL;
    sup_blueprint_def def = sup_web_blueprint(&web);
    const int32_t wrong = web.point_count;
    def.anchors = &wrong;
    def.anchor_count = 1;
    assert_int_equal(sup_blueprint_create(&def, &print, &error), SUP_BAD_ARGUMENT);
    assert_non_null(strstr(error.text, "anchor 0 names particle"));
    sup_web_free(&web);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(momenta_stay),
        cmocka_unit_test(anchors_hold_their_own),
        cmocka_unit_test(snapshots_keep_them),
        cmocka_unit_test(bad_anchors_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
