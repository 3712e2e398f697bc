/* Forms: true distances, values that nowhere are too steep, boxes that hold their solids, and what
   is left of a tree in a ball. */
#include "geom/form.h"

#include <string.h>

#include "geom/meshes.h"
#include "geom/vector.h"
#include "sizes.h"

#define AT(x, y, z) ((const double[3]){(x), (y), (z)})
#define FORMS 18
#define EXACT 7 /* of them have the distance itself */

static const double kite[5][2] = {{0, -0.3}, {0.5, 0}, {0.1, 0.1}, {0, 0.6}, {-0.2, 0}};

static void make_solids(supi_arena* a, const supi_form** out) {
    static const double ways[4][3] = {{0, 0, 0}, {0.5, 0.2, 0}, {0.6, 0.7, 0.3}, {0.2, 0.9, 0.8}};
    static const double radii[4] = {0.2, 0.15, 0.1, 0.05};
    static const double bowl[5][2] = {{0, 0}, {0.5, 0.1}, {0.7, 0.6}, {0.6, 0.6}, {0, 0.2}};
    out[0] = supi_form_ellipsoid(a, AT(0.1, 0, -0.2), AT(0.9, 0.3, 0.5));
    out[1] = supi_form_ellipsoid(a, AT(0, 0, 0), AT(1, 1, 0.05));
    out[2] = supi_form_torus(a, AT(0, 0.3, 0), 0.7, 0.2);
    out[3] = supi_form_prism(a, 5, kite, 0.2, 0.05);
    out[4] = supi_form_lathe(a, 5, bowl, 0.03);
    out[5] = supi_form_triangle(a, AT(0, 0, 0), AT(1, 0.1, 0), AT(0.3, 0.2, 0.9), 0.07);
    out[6] = supi_form_box(a, AT(0, 0.1, 0), AT(0.5, 0.3, 0.2), 0.1);
    out[7] = supi_form_capsule(a, AT(0, 0, 0), 0.3, AT(1, 0.5, 0), 0.1);
    out[8] = supi_form_tube(a, 4, ways, radii, 5);
}

/* Every kind at least once; the first EXACT have true distances. */
static void make_forms(supi_arena* a, const supi_form** out) {
    make_solids(a, out);
    const supi_form* two[2] = {out[2], out[6]};
    const supi_form* many[4] = {out[0], out[3], out[5], out[8]};
    out[9] = supi_form_join(a, 2, two, 0.3);
    out[10] = supi_form_join(a, 4, many, 0.1);
    out[11] = supi_form_cut(a, out[0], out[6], 0.1);
    out[12] = supi_form_swell(a, out[3], 0.1);
    out[13] = supi_form_turn(a, supi_form_move(a, out[8], AT(0.2, -0.4, 0)), 0, 0.7);
    out[14] = supi_form_scale(a, out[7], AT(1, 0.4, 2));
    const supi_form* aside = supi_form_move(a, out[10], AT(1.5, 0, 0.2));
    out[15] = supi_form_mirror(a, supi_form_ring(a, aside, 7), 1);
    out[16] = supi_form_twist(a, out[6], 2.5);
    out[17] = supi_form_bend(a, supi_form_move(a, out[3], AT(0.3, 0, 0)), 1.1);
    for (int i = 0; i < FORMS; i++) assert_non_null(out[i]);
}

static void random_place(const supi_form* form, uint64_t* seed, double out[3]) {
    for (int k = 0; k < 3; k++) {
        double middle = 0.5 * (form->low[k] + form->high[k]), half = form->high[k] - middle;
        out[k] = middle + 1.6 * (half + 0.1) * random_number(seed);
    }
}

/* The value never changes faster than the place, and is never below the distance to the box. */
static void values_are_safe(void** state) {
    (void)state;
    supi_arena arena;
    supi_arena_init(&arena, sup_allocator_default());
    const supi_form* forms[FORMS];
    make_forms(&arena, forms);
    for (int i = 0; i < FORMS; i++) {
        uint64_t seed = 7;
        for (int n = 0; n < 4000; n++) {
            double p[3], q[3], way[3], out = 0;
            random_place(forms[i], &seed, p);
            double step = n % 2 ? 1e-3 : 0.2;
            for (int k = 0; k < 3; k++) q[k] = p[k] + step * random_number(&seed);
            supi_vector_subtract(q, p, way);
            double here = supi_form_value(forms[i], p), there = supi_form_value(forms[i], q);
            if (fabs(there - here) > 1.0000001 * supi_vector_length(way) + 1e-9) {
                fail_msg("form %d: %g at (%g, %g, %g) and %g at (%g, %g, %g)", i, here, p[0], p[1],
                         p[2], there, q[0], q[1], q[2]);
            }
            for (int k = 0; k < 3; k++) {
                double over = fabs(p[k] - 0.5 * (forms[i]->low[k] + forms[i]->high[k])) -
                              0.5 * (forms[i]->high[k] - forms[i]->low[k]);
                if (over > 0) out += over * over;
            }
            if (out > 0) assert_true(here >= sqrt(out) - 1e-9);
        }
    }
    supi_arena_free(&arena);
}

/* Going against the normal by the value leads to the surface, and the slope is 1. */
static void distances_are_true(void** state) {
    (void)state;
    supi_arena arena;
    supi_arena_init(&arena, sup_allocator_default());
    const supi_form* forms[FORMS];
    make_forms(&arena, forms);
    for (int i = 0; i < EXACT; i++) {
        uint64_t seed = 3;
        for (int n = 0; n < 2000; n++) {
            double p[3], normal[3];
            random_place(forms[i], &seed, p);
            double value = supi_form_value(forms[i], p);
            if (value < 0) continue; /* inside, the nearest place may be at a ridge */
            supi_form_normal(forms[i], p, 1e-6, normal);
            for (int k = 0; k < 3; k++) p[k] -= value * normal[k];
            if (fabs(supi_form_value(forms[i], p)) > 1e-3) fail_msg("form %d is no distance", i);
        }
    }
    const supi_form* ball = supi_form_ellipsoid(&arena, AT(1, 2, 3), AT(0.5, 0.5, 0.5));
    assert_true(fabs(supi_form_value(ball, AT(1, 2, 3)) + 0.5) < 1e-8);
    assert_true(fabs(supi_form_value(ball, AT(1, 4, 3)) - 1.5) < 1e-8);
    const supi_form* flat = supi_form_ellipsoid(&arena, AT(0, 0, 0), AT(2, 1, 0.5));
    assert_true(fabs(supi_form_value(flat, AT(0, 0, 0)) + 0.5) < 1e-7);
    assert_true(fabs(supi_form_value(flat, AT(3, 0, 0)) - 1) < 1e-7);
    assert_true(fabs(supi_form_value(flat, AT(0, 0, 0.4)) + 0.1) < 1e-7);
    supi_arena_free(&arena);
}

static void forms_are_where_they_should_be(void** state) {
    (void)state;
    supi_arena arena;
    supi_arena_init(&arena, sup_allocator_default());
    supi_arena* a = &arena;
    const supi_form* left = supi_form_ellipsoid(a, AT(-1, 0, 0), AT(0.8, 0.8, 0.8));
    const supi_form* right = supi_form_ellipsoid(a, AT(1, 0, 0), AT(0.8, 0.8, 0.8));
    const supi_form* both[2] = {left, right};
    assert_true(fabs(supi_form_value(supi_form_join(a, 2, both, 0), AT(0, 0, 0)) - 0.2) < 1e-8);
    assert_true(fabs(supi_form_value(supi_form_join(a, 2, both, 1), AT(0, 0, 0)) + 0.05) < 1e-8);
    const supi_form* hole = supi_form_cut(a, right, supi_form_swell(a, right, -0.3), 0);
    assert_true(fabs(supi_form_value(hole, AT(1, 0, 0)) - 0.5) < 1e-6);
    assert_true(fabs(supi_form_value(supi_form_mirror(a, right, 0), AT(-1, 0, 0.8))) < 1e-8);
    const supi_form* ring = supi_form_ring(a, right, 4);
    for (int i = 0; i < 4; i++) {
        double c = cos(i * PI / 2), s = sin(i * PI / 2);
        assert_true(fabs(supi_form_value(ring, AT(1.8 * c, 0, 1.8 * s))) < 1e-8);
    }
    /* a quarter of a turn along 1 m */
    const supi_form* rod = supi_form_capsule(a, AT(0.5, 0, 0), 0.1, AT(0.5, 1, 0), 0.1);
    const supi_form* screw = supi_form_twist(a, rod, PI / 2);
    assert_true(supi_form_value(screw, AT(0.5, 0, 0)) < 0);
    assert_true(supi_form_value(screw, AT(0, 1, -0.5)) < 0);
    assert_true(supi_form_value(screw, AT(0.5, 1, 0)) > 0);
    /* a quarter of a circle, and its round end beyond */
    const supi_form* bar = supi_form_capsule(a, AT(0, 0, 0), 0.1, AT(1, 0, 0), 0.1);
    const supi_form* up = supi_form_bend(a, bar, PI / 2);
    const supi_form* down = supi_form_bend(a, bar, -PI / 2);
    double r = 2 / PI, c = r * cos(0.55 * PI), s = r * sin(0.55 * PI);
    assert_true(fabs(supi_form_value(up, AT(s, r - c, 0))) < 1e-8);
    assert_true(fabs(supi_form_value(down, AT(s, c - r, 0))) < 1e-8);
    assert_true(supi_form_value(up, AT(r, r, 0)) < 0);
    const supi_form* turned = supi_form_turn(a, bar, 2, PI / 2);
    assert_true(supi_form_value(turned, AT(0, 1, 0)) < 0);
    supi_arena_free(&arena);
}

/* In a ball, what is left of a form has its values to the last bit, and some are much shorter. */
static void neighbourhoods_keep_every_bit(void** state) {
    (void)state;
    supi_arena arena, small;
    supi_arena_init(&arena, sup_allocator_default());
    supi_arena_init(&small, sup_allocator_default());
    const supi_form* forms[FORMS];
    make_forms(&arena, forms);
    int shorter = 0;
    for (int i = 0; i < FORMS; i++) {
        uint64_t seed = 11;
        for (int n = 0; n < 400; n++) {
            double middle[3], radius = 0.02 + 0.2 * (n % 5);
            random_place(forms[i], &seed, middle);
            supi_arena_clear(&small);
            const supi_form* near = supi_form_near(&small, forms[i], middle, radius);
            if (near != forms[i]) shorter++;
            for (int m = 0; m < 20; m++) {
                double p[3];
                for (int k = 0; k < 3; k++) {
                    p[k] = middle[k] + 0.57 * radius * random_number(&seed);
                }
                double a = supi_form_value(forms[i], p), b = supi_form_value(near, p);
                assert_memory_equal(&a, &b, sizeof a);
            }
        }
    }
    assert_true(shorter > 1000);
    supi_arena_free(&small);
    supi_arena_free(&arena);
}

static sup_result attempt_forms(const sup_allocator* allocator, sup_error* error) {
    supi_arena arena;
    supi_arena_init(&arena, allocator);
    const supi_form* ball = supi_form_ellipsoid(&arena, AT(0, 0, 0), AT(1, 1, 1));
    const supi_form* both[2] = {ball, supi_form_move(&arena, ball, AT(1, 0, 0))};
    const supi_form* all = supi_form_join(&arena, 2, both, 0.1);
    all = supi_form_bend(&arena, supi_form_twist(&arena, all, 0.1), 0.1);
    all = supi_form_mirror(&arena, supi_form_ring(&arena, all, 5), 1);
    all = supi_form_swell(&arena, supi_form_cut(&arena, all, ball, 0), 0.1);
    supi_arena_free(&arena);
    if (all) return SUP_OK;
    error->code = SUP_NO_MEMORY;
    return SUP_NO_MEMORY;
}

static void failures_are_passed_on(void** state) {
    (void)state;
    refuse_each_allocation(attempt_forms);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(values_are_safe),
        cmocka_unit_test(distances_are_true),
        cmocka_unit_test(forms_are_where_they_should_be),
        cmocka_unit_test(neighbourhoods_keep_every_bit),
        cmocka_unit_test(failures_are_passed_on),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
