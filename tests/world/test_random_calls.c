/* Ten thousand random calls of the public door: good, stale, null and wild ones, also from inside
   callbacks. Nothing may crash; every refusal has a result and has changed nothing; the world goes
   on. The calls themselves stand in fuzz/calls.h, which a fuzzer plays too. */
#include "fuzz/calls.h"
#include "world/bodies.h"

enum { CALLS = 10000 };

static int32_t roll(void* source, int32_t count) {
    return (int32_t)((dice_roll(source) * 0.5 + 0.5) * count) % count;
}

static void random_calls_are_survived(void** state) {
    (void)state;
    for (uint64_t seed = 1; seed <= (long_tests() ? 4u : 1u); seed++) {
        dice d = {seed};
        calls c = {.pick = roll, .source = &d};
        assert_true(calls_begin(&c));
        for (int32_t i = 0; i < CALLS; i++) {
            calls_make(&c);
            if (i % 100 == 0) calls_check_saved(&c);
        }
        print_message("seed %d: %d done, %d refused, %d events\n", (int)seed, (int)c.done,
                      (int)c.refused, (int)c.told);
        assert_true(c.done > CALLS / 4 && c.refused > CALLS / 20 && c.told > 100);
        /* It still works. */
        assert_int_equal(sup_world_step(c.world, 1.0 / 60.0), SUP_OK);
        calls_end(&c);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(random_calls_are_survived)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
