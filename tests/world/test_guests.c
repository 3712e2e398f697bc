/* Particles that do not move by their own mass: pinned and weightless ones. */
#include "world/lattices.h"

#include <time.h>

/* ---- Pins ---- */

/* A bar that hangs on pins of this mass, after a while. */
static block hang(const nodes* n, float pin_mass, bool listed, sup_stiffness_rule rule) {
    int32_t pins[64], used = 0;
    for (int32_t i = 0; i < n->count; i++) {
        bool pinned = i % n->size[0] == 0;
        n->masses[i] = pinned ? pin_mass : 1.0f;
        if (pinned) pins[used++] = i;
    }
    sup_world_def settings = sup_world_default();
    settings.substeps = 1;
    settings.sleep_speed = 0.0;
    sup_blueprint_def print = nodes_def(n, listed);
    print.pins = pins;
    print.pin_count = used;
    sup_body_def def = sup_body_default();
    def.material.rule = rule;
    def.material.stiffness = 120.0;
    block b = block_make(&settings, &print, &def);
    block_step(&b, 60, 1.0 / 60.0);
    return b;
}

/* What is held has no use for its mass. */
static void masses_of_pins_do_not_matter(void** state) {
    (void)state;
    const sup_stiffness_rule rules[] = {SUP_STIFFNESS_RIGID, SUP_STIFFNESS_IMPLICIT};
    nodes n = nodes_make((int32_t[3]){10, 3, 3}, 1, shape_full);
    for (int i = 0; i < 4; i++) {
        block none = hang(&n, 0.0f, i / 2 == 1, rules[i % 2]);
        block some = hang(&n, 5.0f, i / 2 == 1, rules[i % 2]);
        assert_true(block_gap(&none, &some) == 0.0);
        block_free(&none);
        block_free(&some);
    }
    nodes_free(&n);
}

/* ---- Weightless particles ---- */

/* Processor time of a step in seconds, where every particle but the `each`-th is weightless; 0:
   none is. */
static double time_step(int32_t each) {
    nodes n = nodes_make((int32_t[3]){24, 24, 12}, 1, shape_full);
    for (int32_t i = 0; i < n.count; i++) n.masses[i] = each && i % each ? 0.0f : 1.0f;
    sup_world_def settings = weightless_world();
    sup_blueprint_def print = nodes_def(&n, true);
    sup_body_def def = sup_body_default();
    block b = block_make(&settings, &print, &def);
    double best = 1e30;
    block_step(&b, 1, 1.0 / 60.0);
    for (int i = 0; i < 5; i++) {
        clock_t start = clock();
        block_step(&b, 1, 1.0 / 60.0);
        double took = (double)(clock() - start) / CLOCKS_PER_SEC;
        best = took < best ? took : best;
    }
    block_free(&b);
    nodes_free(&n);
    return best;
}

/* The cluster of a membership is not looked for among all. */
static void weightless_particles_take_no_time(void** state) {
    (void)state;
    double none = time_step(0), half = time_step(2);
    print_message("a step takes %.2f times as long with half of 6912 weightless\n", half / none);
    assert_below(half / none, 15.0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(masses_of_pins_do_not_matter),
        cmocka_unit_test(weightless_particles_take_no_time),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
