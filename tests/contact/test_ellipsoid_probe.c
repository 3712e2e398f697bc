/* Ellipsoids against every kind of collider: beside the distances of many places of their surface,
   and out again by what they are told. */
#include "contact/ellipsoids.h"
#include "contact/things.h"
#include "contact/vec3.h"
#include "sizes.h"

#include <float.h>

enum { PLACES = 1500 };

/* The least distance of any place of the surface. */
static float least_distance(const supi_shape* shape, const supi_ellipsoid* e, float side) {
    float least = FLT_MAX;
    for (int i = 0; i < PLACES; i++) {
        float y = 1 - (2 * (float)i + 1) / PLACES, r = sqrtf(1 - y * y),
              turn = 2.3999632f * (float)i;
        const float s[3] = {r * cosf(turn), y, r * sinf(turn)};
        sup_vec3 place = e->centre;
        for (int k = 0; k < 3; k++) {
            place = supi_vec3_along(place, s[k] * e->radii[k], supi_vec3_from(e->axes[k]));
        }
        float distance = probe_at(shape, place, side).distance;
        least = distance < least ? distance : least;
    }
    return least;
}

typedef struct found {
    int apart, overlap;
    float error, left; /* m, the worst: of distances, and of what is left after moving out */
} found;

/* Moves out by what the probe says, a few times: as sweeps do. */
static float left_after(const supi_shape* shape, supi_ellipsoid e, float side, bool open) {
    sup_vec3 velocity;
    for (int i = 0; i < 8; i++) {
        supi_gap gap = supi_ellipsoid_probe(shape, &e, side, 0, &velocity);
        if (gap.distance >= 0) break;
        e.centre = supi_vec3_along(e.centre, -gap.distance, gap.normal);
    }
    if (open) return supi_ellipsoid_probe(shape, &e, side, 0, &velocity).distance;
    return least_distance(shape, &e, side);
}

static void look(const thing* t, uint64_t* seed, found* f) {
    supi_shape shape = place_thing(t, origin);
    supi_ellipsoid e = random_ellipsoid(seed, t->def.inverted ? 0.4 : 0.9, 5);
    for (int k = 0; k < 3; k++) e.radii[k] *= t->def.inverted ? 0.15f : 0.25f;
    float side = t->open && probe_at(&shape, e.centre, 1).distance < 0 ? -1 : 1;
    if (probe_at(&shape, e.centre, side).distance < 0.02f) return;
    sup_vec3 velocity;
    supi_gap gap = supi_ellipsoid_probe(&shape, &e, side, 0.1f, &velocity);
    float least = least_distance(&shape, &e, side);
    float length = supi_vec3_dot(gap.normal, gap.normal);
    assert_float_equal(length, 1, 1e-4);
    if (least > 0) {
        f->apart++;
        bool beyond = gap.distance == 0.1f && least > 0.0999f;
        float error = beyond ? 0 : fabsf(gap.distance - least);
        f->error = error > f->error ? error : f->error;
    } else if (least < -1e-4f) {
        f->overlap++;
        /* around the border of a sheet places may be behind it without having crossed it */
        if (t->open && gap.distance >= 0) return;
        assert_true(gap.distance < 0);
        float left = -left_after(&shape, e, side, t->open);
        f->left = left > f->left ? left : f->left;
    }
}

static void distances_and_ways_out(void** state) {
    (void)state;
    thing things[THINGS];
    uint64_t seed = 1;
    make_things(things);
    for (int i = 0; i < THINGS; i++) {
        thing* t = &things[i];
        found f = {0};
        int rounds = short_tests() ? 30 : 300;
        if (i == THINGS - 1) rounds *= 10; /* there is little room in it */
        for (int round = 0; round < rounds; round++) {
            if (t->def.kind != SUP_COLLIDER_HEIGHTS) {
                random_pose(&seed, t->def.position, t->def.rotation);
                for (int k = 0; k < 3; k++) t->def.position[k] *= 0.2;
            }
            look(t, &seed, &f);
        }
        print_message("%s: %d apart, error %.1e m; %d overlap, left %.1e m\n", t->name, f.apart,
                      (double)f.error, f.overlap, (double)f.left);
        assert_true(f.apart + f.overlap > (short_tests() ? 1 : 20));
        assert_true(f.error < 2e-3f);
        assert_true(f.left < 5e-3f);
    }
    free_things(things);
}

/* Moving colliders take what touches them along. */
static void surface_speed(void** state) {
    (void)state;
    sup_collider_def def = {
        .size = sizeof def, .kind = SUP_COLLIDER_SPHERE, .rotation = {0, 0, 0, 1}, .radius = 0.5};
    const double to[3] = {0.02, 0, 0};
    supi_solid solid;
    supi_shape shape;
    supi_solid_make(&def, NULL, NULL, &solid);
    supi_solid_pose(&solid, def.position, def.rotation, to, def.rotation, 0.01);
    supi_shape_place(&solid, origin, &shape);
    supi_ellipsoid e = supi_ellipsoid_at((sup_vec3){0.02f, 0.6f, 0}, (sup_quat){0, 0, 0, 1},
                                         (sup_quat){0, 0, 0, 1}, (float[3]){0.2f, 0.1f, 0.2f});
    sup_vec3 velocity;
    supi_gap gap = supi_ellipsoid_probe(&shape, &e, 1, 0, &velocity);
    assert_float_equal(gap.distance, 0, 1e-6);
    assert_float_equal(gap.normal.y, 1, 1e-6);
    assert_float_equal(velocity.x, 2, 1e-4);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(distances_and_ways_out),
        cmocka_unit_test(surface_speed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
