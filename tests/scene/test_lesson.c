/* The lesson of docs/mass-spring.md: what every integrator does to an oscillator, and to x' = -x,
   in the scenes that the charts are made of, beside theory. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "scene/shipped.h"
#include "supple/supple.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define SWING 0.2 /* h w of the oscillators */

static sup_measures measure(sup_scene* scene, const char* name) {
    for (int32_t i = 0; i < sup_scene_get_info(scene).entry_count; i++) {
        sup_scene_entry entry = sup_scene_get_entry(scene, i);
        sup_measures out;
        if (strcmp(entry.name, name) != 0) continue;
        sup_body body = sup_scene_get_body(scene, entry.first_body, NULL);
        assert_int_equal(sup_body_measure(sup_scene_world(scene), body, &out), SUP_OK);
        return out;
    }
    fail_msg("no body %s", name);
    return (sup_measures){0};
}

static double energy(sup_scene* scene, const char* name) {
    sup_measures m = measure(scene, name);
    return m.kinetic + m.potential + m.elastic;
}

static void step(sup_scene* scene) {
    assert_int_equal(sup_world_step(sup_scene_world(scene), 1.0 / sup_scene_get_info(scene).fps),
                     SUP_OK);
}

/* Energy by frame over that at the start is within these bounds. */
static void check_share(double share, double low, double high, const char* name, int32_t frame) {
    if (share >= low && share <= high) return;
    fail_msg("%s has %.6f of its energy at frame %d, not %.6f .. %.6f", name, share, (int)frame,
             low, high);
}

static void energies_are_those_of_theory(void** state) {
    (void)state;
    const double z2 = SWING * SWING, z4 = z2 * z2, z6 = z4 * z2;
    /* The square of the amplification of an undamped swing, per step. */
    const struct {
        const char* name;
        double gain;
    } grows[] = {
        {"euler", 1.0 + z2},
        {"implicit", 1.0 / (1.0 + z2)},
        {"midpoint", 1.0 + z4 / 4.0},
        {"rk4", 1.0 - z6 / 72.0 + z6 * z2 / 576.0},
    };
    /* Those that keep it let it swing between these shares. */
    const struct {
        const char* name;
        double low, high;
    } keep[] = {
        {"symplectic", 1.0 / (1.0 + SWING / 2), 1.0 / (1.0 - SWING / 2)},
        {"position_verlet", 1.0 / (1.0 + SWING / 2), 1.0 / (1.0 - SWING / 2)},
        {"velocity_verlet", 1.0, 1.0 / (1.0 - z2 / 4)},
    };
    sup_scene* scene = shipped_scene("oscillators", 1);
    int32_t frames = sup_scene_get_info(scene).frames;
    double start = energy(scene, "euler");
    assert_true(frames == 140 && start > 0.0);
    for (int32_t frame = 1; frame <= frames; frame++) {
        step(scene);
        for (size_t i = 0; i < sizeof grows / sizeof *grows; i++) {
            double share = energy(scene, grows[i].name) / start, ideal = pow(grows[i].gain, frame);
            check_share(share, 0.9995 * ideal, 1.0005 * ideal, grows[i].name, frame);
        }
        for (size_t i = 0; i < sizeof keep / sizeof *keep; i++) {
            check_share(energy(scene, keep[i].name) / start, keep[i].low - 1e-3,
                        keep[i].high + 1e-3, keep[i].name, frame);
        }
    }
    /* The figures that the manual states. */
    assert_true(fabs(energy(scene, "euler") / start - 242.5) < 0.5);
    assert_true(fabs(start / energy(scene, "implicit") - 242.5) < 0.5);
    assert_true(fabs(energy(scene, "midpoint") / start - 1.058) < 0.001);
    assert_true(fabs(energy(scene, "rk4") / start - 0.99988) < 0.00002);
    sup_scene_free(scene);
}

/* Velocities after each step: (1 - z)^n and 1 / (1 + z)^n for z = h times the rate. The springs
   that damp pull, too, by a 400th of what they damp. */
static void decay_is_that_of_theory(void** state) {
    (void)state;
    static const char* const sizes[] = {"0.5", "1", "1.5", "2", "2.5"};
    sup_scene* scene = shipped_scene("decay", 1);
    double start = measure(scene, "explicit-1").momentum[1];
    assert_true(start == 5.0);
    for (int32_t frame = 1; frame <= 5; frame++) {
        step(scene);
        for (int i = 0; i < 5; i++) {
            char names[2][24];
            double z = 0.5 * (i + 1);
            const double ideals[2] = {pow(1.0 - z, frame), pow(1.0 + z, -frame)};
            snprintf(names[0], sizeof names[0], "explicit-%s", sizes[i]);
            snprintf(names[1], sizeof names[1], "implicit-%s", sizes[i]);
            for (int k = 0; k < 2; k++) {
                double off = measure(scene, names[k]).momentum[1] / start - ideals[k];
                double room = 0.005 + 0.02 * fabs(ideals[k]);
                if (fabs(off) > room) fail_msg("%s is off by %g", names[k], off);
            }
        }
    }
    sup_scene_free(scene);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(energies_are_those_of_theory),
        cmocka_unit_test(decay_is_that_of_theory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
