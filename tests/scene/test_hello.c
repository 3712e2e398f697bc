/* The hello scene as a whole: nothing falls through anything, and the pile at rest does not
 * overlap. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "scene/shipped.h"
#include "sizes.h"
#include "world/world.h"

#include <stdio.h>
#include <stdlib.h>

/* Least distance of any particle to the surface of any collider, m. */
static double least_distance(const sup_world* world) {
    double least = 1e9;
    for (int32_t c = 0; c < world->collider_count; c++) {
        for (int32_t b = 0; b < world->body_count; b++) {
            const supi_body* body = world->bodies + b;
            supi_shape shape;
            supi_shape_place(world->solids + c, body->anchor, &shape);
            for (int32_t r = 0; r < body->blueprint->info.particle_count; r++) {
                const sup_row* x = world->now.x + body->row + r;
                supi_probe probe;
                supi_shape_probe(&shape, (sup_vec3){x->x, x->y, x->z}, 1, &probe);
                double d = (double)probe.distance;
                least = d < least ? d : least;
            }
        }
    }
    return least;
}

static void pile_comes_to_rest_without_overlap(void** state) {
    (void)state;
    sup_scene* scene = shipped_scene("hello", 1);
    sup_world* world = sup_scene_world(scene);
    assert_true(world->body_count >= 20);
    int frames = long_tests() ? 900 : short_tests() ? 60 : 300;
    double least = 1e9, deepest = 0.0;
    for (int frame = 1; frame <= frames; frame++) {
        assert_int_equal(sup_world_step(world, 1.0 / 60.0), SUP_OK);
        if (frame % 10 == 0) {
            double distance = least_distance(world);
            least = distance < least ? distance : least;
        }
        if (frame > frames - 60) {
            double share = sup_world_measure(world).deepest_share;
            deepest = share > deepest ? share : deepest;
        }
    }
    sup_measures end = sup_world_measure(world);
    double rest = least_distance(world);
    print_message(
        "distance to colliders: least %.2g m, at rest %.2g m; deepest overlap at rest %.3f "
        "of the radius; kinetic energy %.2f J\n",
        least, rest, deepest, end.kinetic);
    assert_true(least > -0.01); /* half a particle's radius, for a moment, under a hard blow */
    sup_scene_free(scene);
    if (short_tests()) return; /* it still falls */
    assert_true(rest > -1e-4);
    assert_true(deepest < 0.1);
    assert_true(end.kinetic < 50.0); /* 636 kg: the pile rests, one or two things may still roll */
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(pile_comes_to_rest_without_overlap)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
