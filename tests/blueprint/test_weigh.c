/* Weights for matching: how light and pinned particles count, in lists and on lattices. */
#include "blueprint/groups.h"
#include "blueprint/members.h"
#include "supple/diagnose.h"
#include "world/lattices.h"

static sup_blueprint* make(const sup_blueprint_def* def) {
    sup_blueprint* print = NULL;
    sup_error error = {0};
    if (sup_blueprint_create(def, &print, &error) != SUP_OK) fail_msg("%s", error.text);
    return print;
}

/* The weight of a particle in the first of its clusters. */
static double weight_of(const sup_blueprint* print, int32_t id) {
    int32_t row = print->row_of[id];
    supi_member_walk m = supi_members_of(print, print->leader ? print->leader[row] : 0);
    while (supi_members_next(&m)) {
        if (m.row == row) return (double)m.w;
    }
    fail();
    return 0;
}

/* ---- Light particles ---- */

/* Masses that grow a millionfold from end to end, but little from node to node. */
static nodes graded(void) {
    nodes n = nodes_make((int32_t[3]){40, 3, 3}, 1, shape_full);
    for (int32_t i = 0; i < n.count; i++) {
        n.masses[i] = (float)(1e-3 * pow(10.0, 6.0 * (i % 40) / 39.0));
    }
    return n;
}

static int32_t told_ratio(const sup_blueprint* print, double* value) {
    sup_diagnosis list[SUP_DIAGNOSIS_KINDS];
    int32_t count = 0, clusters = 0;
    assert_int_equal(sup_blueprint_diagnose(print, SUP_MATCH_RIGID, list, &count, NULL), SUP_OK);
    for (int32_t i = 0; i < count; i++) {
        if (list[i].kind != SUP_DIAGNOSIS_MASS_RATIO) continue;
        clusters = list[i].count;
        *value = list[i].value;
    }
    return clusters;
}

/* Who is far away is no reason to count as heavier. */
static void graded_lattices_keep_their_weights(void** state) {
    (void)state;
    nodes n = graded();
    double value;
    sup_blueprint_def def = nodes_def(&n, false);
    sup_blueprint* print = make(&def);
    for (int32_t i = 0; i < n.count; i++) {
        int32_t row = print->row_of[i];
        assert_near(weight_of(print, i), (double)n.masses[i] / print->clusters[row].count, 1e-7);
    }
    assert_int_equal(told_ratio(print, &value), 0);
    sup_blueprint_release(print);
    nodes_free(&n);
}

static void graded_lattices_keep_their_momentum(void** state) {
    (void)state;
    nodes n = graded();
    sup_world_def settings = weightless_world();
    sup_blueprint_def def = nodes_def(&n, false);
    sup_body_def body = sup_body_default();
    block b = block_make(&settings, &def, &body);
    for (int32_t i = 0; i < n.count; i++) {
        b.places[i].y += 0.15 * sin(6.0 * b.places[i].x);
        b.places[i].x *= 1.2;
    }
    assert_int_equal(sup_body_write_particles(b.world, b.body, b.places, b.speeds, NULL), SUP_OK);
    double worst = 0.0, flow = 0.0;
    for (int step = 0; step < 60; step++) {
        double sum[3] = {0, 0, 0}, sizes = 0.0;
        block_step(&b, 1, 1.0 / 60.0);
        for (int32_t i = 0; i < n.count; i++) {
            const double v[3] = {(double)b.speeds[i].x, (double)b.speeds[i].y,
                                 (double)b.speeds[i].z};
            for (int k = 0; k < 3; k++) sum[k] += (double)n.masses[i] * v[k];
            sizes += (double)n.masses[i] * length_of(v);
        }
        worst = length_of(sum) > worst ? length_of(sum) : worst;
        flow = sizes > flow ? sizes : flow;
    }
    print_message("momentum %.2e of what moves to and fro\n", worst / flow);
    assert_below(worst / flow, 1e-4);
    block_free(&b);
    nodes_free(&n);
}

/* A heavy node raises all that share a cluster with it, and this is told. */
static void heavy_nodes_raise_their_neighbours(void** state) {
    (void)state;
    nodes n = nodes_make((int32_t[3]){12, 1, 1}, 1, shape_full);
    for (int32_t i = 0; i < n.count; i++) n.masses[i] = i == 0 ? 6e4f : 3.0f;
    sup_blueprint_def def = nodes_def(&n, false);
    sup_blueprint* print = make(&def);
    double value = 0;
    const double heaviest = 3e4; /* the end lies in two clusters, the others in three */
    assert_near(weight_of(print, 0), heaviest, 1e-7);
    assert_near(weight_of(print, 1), heaviest / 1e4, 1e-7);
    assert_near(weight_of(print, 2), heaviest / 1e4, 1e-7);
    assert_near(weight_of(print, 3), 1.0, 1e-7);
    assert_int_equal(told_ratio(print, &value), 4); /* around nodes 0 to 3, which hold 1 or 2 */
    assert_near(value, heaviest / 1.0, 1e-6);
    sup_blueprint_release(print);
    nodes_free(&n);
}

/* ---- Pins ---- */

/* Eight nodes within reach of each other, so that lists and lattices are the same eight clusters.
 */
static void check_pins(int32_t pin_count, const int32_t* pins, int32_t weightless, double wanted) {
    nodes n = nodes_make((int32_t[3]){2, 2, 2}, 1, shape_full);
    for (int32_t i = 0; i < 8; i++) n.masses[i] = i == weightless ? 0.0f : (float)(1 + i);
    for (int i = 0; i < 2; i++) {
        sup_blueprint_def def = nodes_def(&n, i == 1);
        def.pins = pins;
        def.pin_count = pin_count;
        sup_blueprint* print = make(&def);
        assert_near(weight_of(print, pins[0]), def.pin_factor * wanted, 1e-7);
        assert_true(weight_of(print, weightless) == 0.0);
        sup_blueprint_release(print);
    }
    nodes_free(&n);
}

static void pins_weigh_alike_everywhere(void** state) {
    (void)state;
    /* The mean is that of free particles with mass. */
    check_pins(1, (const int32_t[]){0}, 7, (2 + 3 + 4 + 5 + 6 + 7) / 6.0 / 8.0);
    check_pins(2, (const int32_t[]){0, 6}, 3, (2 + 3 + 5 + 6 + 8) / 5.0 / 8.0);
    check_pins(7, (const int32_t[]){0, 1, 2, 3, 4, 5, 6}, 7, 1.0); /* there is none */
}

/* ---- Too much ---- */

static void too_many_memberships_are_refused(void** state) {
    (void)state;
    int32_t starts[2] = {0, INT32_MAX - 3};
    const supi_groups groups = {1, starts, NULL};
    const sup_blueprint_def def = sup_blueprint_default();
    sup_error error = {0};
    supi_arena scratch;
    supi_arena_init(&scratch, sup_allocator_default());
    sup_blueprint print = {.info.particle_count = 1};
    supi_arena_init(&print.arena, sup_allocator_default());
    assert_int_equal(supi_rest_build(&def, &groups, &print, &scratch, &error), SUP_BAD_ARGUMENT);
    assert_string_equal(error.text, "the clusters give too many memberships");
    supi_arena_free(&scratch);
    supi_arena_free(&print.arena);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(graded_lattices_keep_their_weights),
        cmocka_unit_test(graded_lattices_keep_their_momentum),
        cmocka_unit_test(heavy_nodes_raise_their_neighbours),
        cmocka_unit_test(pins_weigh_alike_everywhere),
        cmocka_unit_test(too_many_memberships_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
