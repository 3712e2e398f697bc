/* The scene heap: a hundred bodies rain into a bowl and come to rest there. Long only: by day
   world.tet_pile shows the same of fewer. */
#include "restored.h"
#include "sizes.h"

#include "scene/shipped.h"
#include "supple/supple.h"

#include <math.h>

#define SIZE 0.26 /* m, of a die, the smallest */

/* After 4 s all of it rests, and has for a second; nothing is deeper than 2 % of a die from then
   on, and nobody is below the bowl or beside it. */
static void it_comes_to_rest(void** state) {
    (void)state;
    if (!long_tests()) skip();
    enum { REST = 240, FRAMES = 360 };
    sup_scene* scene = shipped_scene("heap", 2);
    sup_world* world = sup_scene_world(scene);
    double peak = 0.0, most = 0.0, deepest = 0.0;
    for (int32_t frame = 1; frame <= FRAMES; frame++) {
        assert_int_equal(sup_world_step(world, 1.0 / 60.0), SUP_OK);
        sup_measures now = sup_world_measure(world);
        assert_true(isfinite(now.kinetic) && restored_count(world) == 0);
        peak = fmax(peak, now.kinetic);
        if (frame < REST) continue;
        most = fmax(most, now.kinetic);
        deepest = fmax(deepest, now.deepest);
    }
    print_message("%.2g of the peak of %.0f J, deepest %.1f mm\n", most / peak, peak,
                  1e3 * deepest);
    assert_true(most < 1e-4 * peak);
    assert_true(deepest < 0.02 * SIZE);
    assert_int_equal(sup_scene_get_info(scene).body_count, 100);
    for (int32_t i = 0; i < 100; i++) {
        double low[3], high[3];
        assert_int_equal(sup_body_bounds(world, sup_scene_get_body(scene, i, NULL), low, high),
                         SUP_OK);
        assert_true(low[1] > 0.2 && fabs(low[0]) < 1.7 && fabs(low[2]) < 1.7);
    }
    sup_scene_free(scene);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(it_comes_to_rest)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
