/* Ellipsoids against every kind of collider: beside the distances of many places of their surface,
   and out again by what they are told. */
#include "contact/ellipsoids.h"
#include "contact/things.h"
#include "contact/vec3.h"
#include "ref/ref_trimesh.h"
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
static void move_out(const supi_shape* shape, supi_ellipsoid* e, float side) {
    sup_vec3 velocity;
    for (int i = 0; i < 8; i++) {
        supi_gap gap = supi_ellipsoid_probe(shape, e, side, 0, &velocity);
        if (gap.distance >= 0) break;
        e->centre = supi_vec3_along(e->centre, -gap.distance, gap.normal);
    }
}

static float left_after(const supi_shape* shape, supi_ellipsoid e, float side, bool open) {
    sup_vec3 velocity;
    move_out(shape, &e, side);
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

/* ---- Triangles one by one ---- */

enum { TRIANGLES_MOST = 1024 };

typedef struct soup {
    const sup_vec3* points;
    sup_vec3 own[TRIANGLES_MOST];
    int32_t ids[3 * TRIANGLES_MOST], count;
} soup;

static void gather(const thing* t, soup* s) {
    int32_t n[2];
    double step[2];
    const float* values;
    if (t->mesh) {
        s->points = supi_trimesh_points(t->mesh);
        s->count = supi_trimesh_triangle_count(t->mesh);
        assert_true(s->count <= TRIANGLES_MOST);
        memcpy(s->ids, supi_trimesh_triangles(t->mesh), 3 * (size_t)s->count * sizeof *s->ids);
        return;
    }
    supi_heights_get(t->heights, n, step, &values);
    s->points = s->own;
    s->count = 0;
    for (int32_t i = 0; i < n[0] * n[1]; i++) {
        int32_t x = i % n[0], z = i / n[0];
        s->own[i] = (sup_vec3){(float)((x - 0.5 * (n[0] - 1)) * step[0]), values[i],
                               (float)((z - 0.5 * (n[1] - 1)) * step[1])};
        if (x + 1 == n[0] || z + 1 == n[1]) continue;
        const int32_t cell[6] = {i, i + n[0] + 1, i + 1, i, i + n[0], i + n[0] + 1};
        memcpy(s->ids + 3 * s->count, cell, sizeof cell);
        s->count += 2;
    }
}

/* In the frame of the thing. */
static ref_ellipsoid seen_from(const thing* t, const supi_ellipsoid* e) {
    ref_ellipsoid out = twin(e), r = out;
    double q[4], length = 0, m[9];
    for (int k = 0; k < 4; k++) length += t->def.rotation[k] * t->def.rotation[k];
    for (int k = 0; k < 4; k++) q[k] = t->def.rotation[k] / sqrt(length);
    ref_quaternion_matrix(q, m);
    for (int k = 0; k < 3; k++) r.centre[k] -= t->def.position[k];
    for (int k = 0; k < 3; k++) {
        const double back[3] = {m[k], m[3 + k], m[6 + k]};
        out.centre[k] = ref_dot(back, r.centre);
        for (int axis = 0; axis < 3; axis++) out.axes[axis][k] = ref_dot(back, r.axes[axis]);
    }
    return out;
}

/* The least separation from any triangle, m, if it is below `margin`. */
static double from_triangles(const soup* s, const ref_ellipsoid* e, double margin) {
    double least = margin, reach = fmax(e->radii[0], fmax(e->radii[1], e->radii[2]));
    for (int32_t i = 0; i < s->count; i++) {
        const int32_t* ids = s->ids + 3 * i;
        if (ref_trimesh_distance(s->points, ids, 1, e->centre) - reach > least) continue;
        double corners[3][3];
        for (int k = 0; k < 3; k++) doubles_of(s->points[ids[k]], corners[k]);
        double apart = ref_ellipsoid_separation(e, &(ref_solid){corners, 3, NULL, 0}, NULL);
        least = fmin(least, apart);
    }
    return least;
}

typedef struct met {
    int apart, overlap;
    double error, left; /* m, the worst */
} met;

static void meet_triangles(const thing* t, const soup* s, uint64_t* seed, met* m) {
    const double margin = 0.1;
    supi_shape shape = place_thing(t, origin);
    supi_ellipsoid e = random_ellipsoid(seed, 0.9, 5);
    for (int k = 0; k < 3; k++) e.radii[k] *= t->def.inverted ? 0.15f : 0.25f;
    float side = t->open && probe_at(&shape, e.centre, 1).distance < 0 ? -1 : 1;
    if (probe_at(&shape, e.centre, side).distance < 0.02f) return;
    sup_vec3 velocity;
    supi_gap gap = supi_ellipsoid_probe(&shape, &e, side, (float)margin, &velocity);
    ref_ellipsoid r = seen_from(t, &e);
    double exact = from_triangles(s, &r, margin);
    if (exact > 0) {
        m->apart++;
        m->error = fmax(m->error, fabs((double)gap.distance - exact));
        return;
    }
    m->overlap++;
    assert_true(gap.distance < 1e-3f);
    move_out(&shape, &e, side);
    r = seen_from(t, &e);
    m->left = fmax(m->left, -from_triangles(s, &r, margin));
}

/* What is about a metre in size, within a thousandth of it. */
static void triangles_are_met_exactly(void** state) {
    (void)state;
    static soup s;
    thing things[THINGS];
    uint64_t seed = 3;
    make_things(things);
    for (int i = 0; i < THINGS; i++) {
        thing* t = &things[i];
        met m = {0};
        if (!t->mesh && !t->heights) continue;
        gather(t, &s);
        for (int round = 0; round < (short_tests() ? 20 : ref_repeats(200, 4000)); round++) {
            if (t->mesh) {
                random_pose(&seed, t->def.position, t->def.rotation);
                for (int k = 0; k < 3; k++) t->def.position[k] *= 0.2;
            }
            meet_triangles(t, &s, &seed, &m);
        }
        print_message("%s by triangles: %d apart, error %.1e m; %d overlap, left %.1e m\n", t->name,
                      m.apart, m.error, m.overlap, m.left);
        assert_true(m.apart + m.overlap > (short_tests() ? 0 : 10));
        assert_true(m.error < 1e-3 && m.left < 1e-3);
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
        cmocka_unit_test(triangles_are_met_exactly),
        cmocka_unit_test(surface_speed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
