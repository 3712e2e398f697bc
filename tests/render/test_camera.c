/* The automatic camera: the whole box is in the picture, from every height and side. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "render/camera.h"

#include <math.h>

static double dot(sup_vec3 a, const double b[3]) {
    return (double)a.x * b[0] + (double)a.y * b[1] + (double)a.z * b[2];
}

/* Where a place is in the picture: -1..1 each. */
static void project(const render_camera* c, const double place[3], double* x, double* y) {
    const double way[3] = {place[0] - (double)c->from.x, place[1] - (double)c->from.y,
                           place[2] - (double)c->from.z};
    double ahead = dot(c->ahead, way);
    assert_true(ahead > 0);
    *x = dot(c->right, way) /
         (dot(c->right, (double[3]){(double)c->right.x, (double)c->right.y, (double)c->right.z}) *
          ahead);
    *y = dot(c->up, way) /
         (dot(c->up, (double[3]){(double)c->up.x, (double)c->up.y, (double)c->up.z}) * ahead);
}

/* The farthest corner of the box from the middle of the picture, 1: at its edge. */
static double farthest(const render_camera* camera, const double low[3], const double high[3]) {
    double most = 0;
    for (int corner = 0; corner < 8; corner++) {
        double place[3], x, y;
        for (int k = 0; k < 3; k++) place[k] = corner >> k & 1 ? high[k] : low[k];
        project(camera, place, &x, &y);
        most = fmax(most, fmax(fabs(x), fabs(y)));
    }
    return most;
}

static void test_box_in_view(void** state) {
    (void)state;
    const sup_scene_camera automatic = {.fov = 40};
    const double boxes[3][2][3] = {
        {{-1, 0, -1}, {1, 2, 1}}, {{-0.1, 0, -3}, {0.1, 9, 3}}, {{5, 1, 2}, {9, 1.01, 20}}};
    const double aspects[] = {16.0 / 9, 0.4}, origin[3] = {0, 0, 0};
    for (int b = 0; b < 3; b++) {
        const double *low = boxes[b][0], *high = boxes[b][1];
        for (int k = 0; k < 2 * CAMERA_RISES; k++) {
            double aspect = aspects[k / CAMERA_RISES];
            int rise = k % CAMERA_RISES;
            camera_stand stand = camera_choose(&automatic, low, high, aspect, false, rise);
            render_camera camera = camera_at(&stand, 0, aspect, origin);
            double edge = farthest(&camera, low, high);
            assert_true(edge < 0.8401 && edge > 0.8399); /* as near as the margin lets it */
            stand = camera_choose(&automatic, low, high, aspect, true, rise);
            for (int degrees = 0; degrees < 360; degrees += 15) {
                camera = camera_at(&stand, degrees, aspect, origin);
                assert_true(farthest(&camera, low, high) < 0.8401);
            }
        }
    }
}

static void test_rises(void** state) {
    (void)state;
    const sup_scene_camera automatic = {.fov = 40};
    const double low[3] = {-1, 0, -1}, high[3] = {1, 2, 1};
    const double degrees[CAMERA_RISES] = {18.4, 40, 60, 75};
    for (int rise = 0; rise < CAMERA_RISES; rise++) {
        camera_stand s = camera_choose(&automatic, low, high, 1.5, false, rise);
        double flat = hypot(s.from[0] - s.look_at[0], s.from[2] - s.look_at[2]);
        double angle = atan2(s.from[1] - s.look_at[1], flat) * 180 / 3.14159265358979;
        assert_true(fabs(angle - degrees[rise]) < 0.1);
    }
}

static void test_given(void** state) {
    (void)state;
    const sup_scene_camera given = {{1, 2, 3}, {0, 1, 0}, 30, true};
    const double low[3] = {-50, -50, -50}, high[3] = {50, 50, 50};
    camera_stand s = camera_choose(&given, low, high, 1.5, true, 3);
    assert_memory_equal(s.from, given.from, sizeof s.from);
    assert_memory_equal(s.look_at, given.look_at, sizeof s.look_at);
    assert_true(s.fov == 30);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_box_in_view),
        cmocka_unit_test(test_rises),
        cmocka_unit_test(test_given),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
