/* What a clay keeps: everything when a pull fails, the plan when points are put elsewhere; and
   where a pass ends. */
#include "allocators.h"
#include "deform/clay.h"
#include "deform/surfaces.h"

#include <math.h>

enum { SIDE = 12, POINTS = (SIDE + 1) * (SIDE + 1) };

typedef struct seen {
    sup_vec3 points[POINTS], moved[POINTS];
    int32_t generations[POINTS];
    float masses[POINTS];
} seen;

static void look(const sup_clay* clay, seen* out) {
    *out = (seen){.generations = {0}};
    assert_int_equal(sup_clay_point_count(clay), POINTS);
    sup_clay_points(clay, out->points);
    sup_clay_moved(clay, out->moved);
    sup_clay_generations(clay, out->generations);
    sup_clay_masses(clay, out->masses);
}

static sup_result pull_once(sup_clay* clay, const sup_pull_def* def, int32_t point) {
    const sup_vec3 by = {0.1f, 0.2f, 0.6f};
    return sup_clay_pull(clay, def, 1, &point, &by, NULL, NULL);
}

/* Each allocation of a second pull refused in turn; then it is done after all. */
static void refuse_each(const sup_pull_def* second) {
    sup_mesh mesh = sheet(SIDE);
    sup_pull_def first = sup_pull_default();
    first.remember = true;
    long long fail_at = 0;
    for (bool done = false; !done;) {
        test_allocator memory;
        const sup_clay_def made = sup_clay_default();
        sup_clay* clay;
        assert_int_equal(sup_clay_create(test_allocator_init(&memory), &mesh, &made, &clay, NULL),
                         SUP_OK);
        assert_int_equal(pull_once(clay, &first, 40), SUP_OK);
        static seen before, after;
        look(clay, &before);
        test_allocator_arm(&memory, ++fail_at, false);
        done = pull_once(clay, second, 100) == SUP_OK;
        if (!done) {
            look(clay, &after);
            assert_memory_equal(&before, &after, sizeof before);
        }
        test_allocator_arm(&memory, 0, false);
        sup_clay_destroy(clay);
        assert_int_equal(atomic_load(&memory.blocks), 0);
    }
    assert_true(fail_at > 5); /* something was refused */
    sup_mesh_free(&mesh);
}

static void a_pull_that_fails_has_changed_nothing(void** state) {
    (void)state;
    sup_pull_def plain = sup_pull_default(), splitting = sup_pull_default();
    plain.remember = true;
    splitting.transfer = 0.5;
    splitting.split = 1.1;
    refuse_each(&plain);
    refuse_each(&splitting);
}

/* Put back, a surface is pulled on the plan of before, with the bits of a new one. */
static void points_put_elsewhere_keep_the_plan(void** state) {
    (void)state;
    sup_mesh mesh = sheet(SIDE), other = sheet(SIDE);
    sup_pull_def def = sup_pull_default();
    test_allocator memory;
    const sup_clay_def made = sup_clay_default();
    sup_clay *kept, *fresh;
    for (int32_t i = 0; i < POINTS; i++) other.points[i].z = 0.01f * (float)(i % 7);
    assert_int_equal(sup_clay_create(test_allocator_init(&memory), &mesh, &made, &kept, NULL),
                     SUP_OK);
    assert_int_equal(sup_clay_create(NULL, &other, &made, &fresh, NULL), SUP_OK);
    assert_int_equal(pull_once(kept, &def, 40), SUP_OK);
    assert_int_equal(sup_clay_set_points(kept, other.points, NULL), SUP_OK);
    static seen a, b;
    look(kept, &a);
    assert_memory_equal(a.points, other.points, sizeof a.points);
    assert_int_equal(a.generations[40], -1); /* not pulled since */
    assert_true(kept->plan.ready);
    test_allocator_arm(&memory, 1, true);
    assert_int_equal(pull_once(kept, &def, 40), SUP_OK); /* without any memory */
    assert_int_equal(pull_once(fresh, &def, 40), SUP_OK);
    look(kept, &a);
    look(fresh, &b);
    assert_memory_equal(&a, &b, sizeof a);
    sup_clay_destroy(kept);
    sup_clay_destroy(fresh);
    sup_mesh_free(&mesh);
    sup_mesh_free(&other);
}

/* Halves from point to point, exactly, until less than 2^-62 m is left. */
static void motion_ends_where_it_is_nothing(void** state) {
    (void)state;
    enum { LONG = 200 };
    sup_mesh mesh = chain(LONG, 1.0);
    sup_pull_def def = one_pass(0.5, 1.0);
    sup_clay* clay = surface_of(&mesh, NULL);
    int32_t generations[LONG];
    pull_by(clay, &def, 0, (sup_vec3){0.0f, 1.0f, 0.0f});
    sup_vec3* moved = moved_of(clay);
    sup_clay_generations(clay, generations);
    for (int i = 0; i < LONG; i++) {
        assert_true(moved[i].y == (i < 62 ? ldexpf(1.0f, -i) : 0.0f));
        assert_int_equal(generations[i], i);
    }
    free(moved);
    sup_clay_destroy(clay);
    sup_mesh_free(&mesh);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_pull_that_fails_has_changed_nothing),
        cmocka_unit_test(points_put_elsewhere_keep_the_plan),
        cmocka_unit_test(motion_ends_where_it_is_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
