/* Cloth of 2 m x 2 m that hangs by two corners, moved by the implicit integrator in steps of 1/60
   s: no step fails, nothing is strained beyond bounds, and how low it hangs does not depend on the
   number of springs. */
#include "world/springs.h"

typedef struct hanging {
    double lowest;            /* m */
    sup_spring_measures last; /* of the last step */
    int32_t forced;           /* in all steps */
    double most_strain;       /* in the last second */
} hanging;

static hanging hang(int32_t n, double seconds) {
    cloth_def cloth = cloth_default(n);
    sup_blueprint* print = cloth_of(&cloth);
    sup_world_def def = sup_world_default();
    def.substeps = 1;
    def.sleep_speed = 0.0;
    sup_world* world = make_world(&def);
    sup_body_def body_def = body_at(print, 0, 0, 0);
    body_def.springs.tolerance = 1e-3;
    body_def.springs.iterations = 400;
    sup_body body = add_body(world, &body_def);
    hanging out = {0};
    int32_t steps = (int32_t)(60.0 * seconds);
    for (int32_t i = 0; i < steps; i++) {
        take_steps(world, 1);
        assert_int_equal(mishap_count(world), 0);
        if (i % 10 != 0 && i + 60 < steps) continue;
        out.last = measure_springs(world, body);
        out.forced += out.last.forced;
        if (i + 60 < steps) continue;
        if (out.last.most_strain > out.most_strain) out.most_strain = out.last.most_strain;
    }
    swarm s = read_swarm(world, body);
    for (int32_t i = 0; i < s.count; i++) {
        if (s.x[i].y < out.lowest) out.lowest = s.x[i].y;
    }
    free_swarm(&s);
    sup_world_destroy(world);
    sup_blueprint_release(print);
    return out;
}

/* The corner carries half of the cloth by its three springs, which are the shorter the more there
   are: 30 % is what 100 x 100 may have. */
static void it_hangs_calmly(void** state) {
    (void)state;
    int32_t n = long_tests() ? 100 : short_tests() ? 16 : 50;
    hanging cloth = hang(n, long_tests() ? 60.0 : short_tests() ? 4.0 : 15.0);
    print_message("%d x %d: lowest %.4f m, mean strain %.4f, largest %.4f\n", n, n, cloth.lowest,
                  cloth.last.mean_strain, cloth.most_strain);
    assert_int_equal(cloth.forced, 0);
    assert_true(cloth.last.mean_strain < 0.01);
    assert_true(cloth.most_strain < 0.30);
}

static void resolution_does_not_matter(void** state) {
    (void)state;
    if (short_tests()) return;
    int32_t counts[3] = {20, 40, 60};
    double seconds = 15.0;
    if (long_tests()) {
        const int32_t whole[3] = {50, 100, 200};
        memcpy(counts, whole, sizeof counts);
        seconds = 20.0;
    }
    double low = 0, high = -1e9;
    for (int k = 0; k < 3; k++) {
        double lowest = hang(counts[k], seconds).lowest;
        print_message("%d x %d: %.4f m\n", counts[k], counts[k], lowest);
        low = lowest < low ? lowest : low;
        high = lowest > high ? lowest : high;
    }
    assert_true(high - low < 0.03 * fabs(low));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(it_hangs_calmly),
        cmocka_unit_test(resolution_does_not_matter),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
