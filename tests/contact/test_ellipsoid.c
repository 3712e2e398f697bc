/* Ellipsoids against planes, spheres, each other and solids with corners: beside directions tried
   one by one in double. */
#include "sizes.h"

#include "contact/ellipsoids.h"

#include <float.h>
#include <string.h>

static int32_t cases(void) { return short_tests() ? 2000 : 100000; }
static int32_t slow_cases(void) { return short_tests() ? 50 : ref_repeats(2000, 5000); }

/* How errors are spread: how many there were, how many above a limit, and the worst. */
typedef struct spread {
    double limit, worst, low, high;
    int32_t count, above;
} spread;

static void take(spread* s, double error) {
    s->low = fmin(s->low, error);
    s->high = fmax(s->high, error);
    error = fabs(error);
    s->count++;
    s->above += !(error <= s->limit);
    if (!(error <= s->worst)) s->worst = error;
}

static void show(const char* name, const spread* s) {
    print_message("%s: %d cases, error %.2g .. %.2g, %d above %.0e\n", name, (int)s->count, s->low,
                  s->high, (int)s->above, s->limit);
}

/* ---- Planes ---- */

/* The largest n.y over the surface, by the formula of a scaled sphere and by many points. */
static void reach_is_the_furthest_point(void** state) {
    (void)state;
    uint64_t seed = 1;
    spread s = {.limit = 1e-6};
    for (int32_t i = 0; i < cases(); i++) {
        supi_ellipsoid e = random_ellipsoid(&seed, 0, 10);
        sup_vec3 n = unit_vec3(random_offset(&seed, 1));
        ref_ellipsoid r = twin(&e);
        double m[3], along = 0;
        doubles_of(n, m);
        double reach = ref_ellipsoid_reach(&r, m), size = largest_radius(&e);
        take(&s, ((double)supi_ellipsoid_reach(&e, n) - reach) / size);
        /* the radius along the normal, with which contacts are missed, is never more */
        for (int k = 0; k < 3; k++) along += pow(ref_dot(r.axes[k], m) / r.radii[k], 2);
        assert_true(1 / sqrt(along) <= reach * (1 + 1e-12));
        /* the foremost place reaches as far and lies on the surface */
        sup_vec3 place = supi_ellipsoid_foremost(&e, n);
        double p[3], on = 0;
        doubles_of(place, p);
        for (int k = 0; k < 3; k++) on += pow(ref_dot(r.axes[k], p) / r.radii[k], 2);
        assert_true(fabs(ref_dot(p, m) - reach) < 1e-6 * size);
        assert_true(fabs(on - 1) < 1e-4);
    }
    show("reach", &s);
    assert_true(s.worst < 1e-6); /* asked for: 1e-4 */
}

static void planes_are_exact(void** state) {
    (void)state;
    uint64_t seed = 2;
    for (int32_t i = 0; i < 1000; i++) {
        supi_ellipsoid e = random_ellipsoid(&seed, 3, 10);
        if (i % 3 == 0) e.radii[i % 9 / 3] = 0;                   /* a disc */
        if (i % 5 == 0) e.radii[0] = e.radii[1] = e.radii[2] = 0; /* a point */
        sup_vec3 n = unit_vec3(random_offset(&seed, 1));
        float offset = (float)ref_random(&seed);
        ref_ellipsoid r = twin(&e);
        double m[3], p[3];
        doubles_of(n, m);
        supi_gap gap = supi_ellipsoid_plane(&e, n, offset);
        doubles_of(gap.place, p);
        double distance = ref_dot(m, r.centre) - (double)offset - ref_ellipsoid_reach(&r, m);
        assert_true(fabs((double)gap.distance - distance) < 2e-6);
        assert_true(fabs(ref_dot(p, m) - (double)offset - distance) < 2e-6);
    }
}

/* ---- Spheres ---- */

static void load_pair(supi_ellipsoid_pairs* pairs, int32_t lane, const supi_ellipsoid* a,
                      const supi_ellipsoid* b) {
    supi_ellipsoid_load(pairs, lane, a, b);
    for (int k = 0; k < 3; k++) pairs->normal[k][lane] = 0;
}

static const supi_ellipsoid_kernels* best_kernels(void) {
    return supi_ellipsoid_kernels_find(SUP_SIMD_AUTO);
}

/* Both ways to the distance of a sphere agree, outside and down to 30 % of the smallest radius. */
static void spheres_as_pairs(void** state) {
    (void)state;
    uint64_t seed = 3;
    spread s = {.limit = 1e-4};
    supi_ellipsoid_pairs pairs = {.margin = FLT_MAX, .rounds = 6};
    for (int32_t done = 0; done < cases(); done += 8) {
        supi_ellipsoid e[8], ball[8];
        supi_gap gaps[8];
        for (int lane = 0; lane < 8; lane++) {
            do {
                float radius = (float)between(&seed, 0, 1);
                e[lane] = random_ellipsoid(&seed, 1, 10);
                ball[lane] =
                    supi_ellipsoid_at(random_offset(&seed, 1.5), random_turn(&seed),
                                      random_turn(&seed), (float[3]){radius, radius, radius});
                gaps[lane] = supi_ellipsoid_sphere(&e[lane], ball[lane].centre, radius);
            } while ((double)gaps[lane].distance <
                     -0.3 * fmin(smallest_radius(&e[lane]), (double)ball[lane].radii[0]));
            load_pair(&pairs, lane, &ball[lane], &e[lane]);
        }
        best_kernels()->separate(&pairs);
        for (int lane = 0; lane < 8; lane++) {
            double size = largest_radius(&e[lane]) + (double)ball[lane].radii[0];
            take(&s, (double)(gaps[lane].distance - pairs.separation[lane]) / size);
        }
    }
    show("sphere against pair", &s);
    assert_true(s.above < s.count / 1000 && s.worst < 1e-3);
}

/* Points of all kinds, with those on symmetry planes and in the middle, in double by brute force.
 */
static void nearest_points(void** state) {
    (void)state;
    uint64_t seed = 4;
    spread s = {.limit = 1e-4};
    for (int32_t i = 0; i < cases() / 50; i++) {
        supi_ellipsoid e = random_ellipsoid(&seed, 0, i % 2 ? 10 : 3);
        if (i % 7 == 0) e.radii[1] = e.radii[0];
        if (i % 14 == 0) e.radii[2] = e.radii[0];
        double z[3];
        for (int k = 0; k < 3; k++) z[k] = between(&seed, -2, 2) * (double)e.radii[k];
        for (int k = 0; k < 3; k++) z[k] *= i >> (4 + k) & 1 ? 0 : 1;
        ref_ellipsoid r = twin(&e);
        double p[3] = {0, 0, 0};
        for (int k = 0; k < 3; k++) {
            for (int c = 0; c < 3; c++) p[c] += z[k] * r.axes[k][c];
        }
        sup_vec3 point = {(float)p[0], (float)p[1], (float)p[2]};
        double corner[1][3];
        doubles_of(point, corner[0]);
        supi_gap gap = supi_ellipsoid_sphere(&e, point, 0);
        double distance = ref_ellipsoid_separation(&r, &(ref_solid){corner, 1, NULL, 0}, NULL);
        take(&s, ((double)gap.distance - distance) / largest_radius(&e));
        assert_true(isfinite(gap.normal.x) && isfinite(gap.place.x));
    }
    show("points", &s);
    assert_true(s.worst < 1e-3 && s.above == 0);
}

static void middle_is_along_the_smallest_radius(void** state) {
    (void)state;
    supi_ellipsoid e = supi_ellipsoid_at((sup_vec3){1, 2, 3}, (sup_quat){0, 0, 0, 1},
                                         (sup_quat){0, 0, 0, 1}, (float[3]){0.3f, 0.1f, 0.2f});
    supi_gap gap = supi_ellipsoid_sphere(&e, e.centre, 0.05f);
    assert_float_equal(gap.distance, -0.15, 1e-6);
    assert_float_equal(fabsf(gap.normal.y), 1, 1e-6);
    e.radii[0] = e.radii[1] = e.radii[2] = 0; /* a point is as far as it is */
    gap = supi_ellipsoid_sphere(&e, (sup_vec3){1, 0, 3}, 0.5f);
    assert_float_equal(gap.distance, 1.5, 1e-6);
    assert_float_equal(gap.normal.y, 1, 1e-6);
    gap = supi_ellipsoid_sphere(&e, e.centre, 0.5f);
    assert_float_equal(gap.distance, -0.5, 0);
}

/* ---- Pairs ---- */

typedef struct pair_errors {
    spread gap, depth, swapped;
    int32_t wrong; /* called apart, but is not */
    double rounds;
} pair_errors;

static void judge_pair(pair_errors* errors, const supi_ellipsoid* a, const supi_ellipsoid* b,
                       double found) {
    ref_ellipsoid ra = twin(a), rb = twin(b);
    double size = largest_radius(a) + largest_radius(b);
    double exact = ref_ellipsoid_separation(&rb, &(ref_solid){NULL, 0, &ra, 0}, NULL);
    double error = (found - exact) / size;
    /* Along any direction two are at most as far apart as they are, so what is called apart is, but
       for the rounding of floats: of the offset, the outlines and their difference, eight times
       half a unit in the last place of the size. */
    errors->wrong += found > 0 && exact < -8 * 0x1p-24 * size;
    if (exact > 0)
        take(&errors->gap, error);
    else if (exact > -0.3 * fmin(smallest_radius(a), smallest_radius(b)))
        take(&errors->depth, error);
}

/* Moves the seconds of all pairs to about where they touch. */
static void bring_together(supi_ellipsoid_pairs* pairs, const supi_ellipsoid a[8],
                           supi_ellipsoid b[8], uint64_t* seed) {
    best_kernels()->separate(pairs);
    for (int lane = 0; lane < 8; lane++) {
        double least = fmin(smallest_radius(&a[lane]), smallest_radius(&b[lane]));
        float by = (float)between(seed, -0.3 * least, 0.3 * least) - pairs->separation[lane];
        b[lane].centre.x += by * pairs->normal[0][lane];
        b[lane].centre.y += by * pairs->normal[1][lane];
        b[lane].centre.z += by * pairs->normal[2][lane];
        load_pair(pairs, lane, &a[lane], &b[lane]);
    }
}

static void pairs_beside_brute_force(void** state) {
    (void)state;
    uint64_t seed = 5;
    pair_errors errors = {
        .gap = {.limit = 1e-4}, .depth = {.limit = 1e-3}, .swapped = {.limit = 4e-6}};
    int32_t count = cases();
    for (int32_t done = 0; done < count; done += 8) {
        supi_ellipsoid a[8], b[8];
        supi_ellipsoid_pairs pairs = {.margin = FLT_MAX, .rounds = 6}, back = pairs;
        for (int lane = 0; lane < 8; lane++) {
            a[lane] = random_ellipsoid(&seed, 0.8, 10);
            b[lane] = random_ellipsoid(&seed, 0.8, 10);
            load_pair(&pairs, lane, &a[lane], &b[lane]);
        }
        if (done % 16 == 0) bring_together(&pairs, a, b, &seed);
        for (int lane = 0; lane < 8; lane++) load_pair(&back, lane, &b[lane], &a[lane]);
        best_kernels()->separate(&pairs);
        best_kernels()->separate(&back);
        for (int lane = 0; lane < 8; lane++) {
            judge_pair(&errors, &a[lane], &b[lane], (double)pairs.separation[lane]);
            take(&errors.swapped, (double)(pairs.separation[lane] - back.separation[lane]));
            errors.rounds += pairs.taken[lane];
        }
    }
    show("gap", &errors.gap);
    show("depth", &errors.depth);
    show("swapped", &errors.swapped);
    print_message("rounds %.2f\n", errors.rounds / count);
    assert_true(errors.gap.worst < 1e-4);
    assert_int_equal(errors.wrong, 0);
    assert_true(errors.depth.count > count / 10);
    assert_true(errors.depth.above <= errors.depth.count / 1000);
    assert_int_equal(errors.swapped.above, 0);
}

/* A known normal saves rounds: four are enough after a small move. */
static void known_normals_need_four_rounds(void** state) {
    (void)state;
    uint64_t seed = 6;
    spread s = {.limit = 1e-4};
    for (int32_t done = 0; done < cases() / 10; done += 8) {
        supi_ellipsoid_pairs pairs = {.margin = FLT_MAX, .rounds = 30};
        supi_ellipsoid a[8], b[8];
        for (int lane = 0; lane < 8; lane++) {
            a[lane] = random_ellipsoid(&seed, 1, 8);
            b[lane] = random_ellipsoid(&seed, 1, 8);
            load_pair(&pairs, lane, &a[lane], &b[lane]);
        }
        best_kernels()->separate(&pairs);
        for (int lane = 0; lane < 8; lane++) {
            sup_vec3 by = random_offset(&seed, 0.05);
            b[lane].centre.x += by.x;
            b[lane].centre.y += by.y;
            b[lane].centre.z += by.z;
            supi_ellipsoid_load(&pairs, lane, &a[lane], &b[lane]);
        }
        supi_ellipsoid_pairs longer = pairs;
        pairs.rounds = 4;
        best_kernels()->separate(&pairs);
        best_kernels()->separate(&longer);
        for (int lane = 0; lane < 8; lane++) {
            double least = -0.3 * fmin(smallest_radius(&a[lane]), smallest_radius(&b[lane]));
            if ((double)longer.separation[lane] < least) continue;
            take(&s, (double)(pairs.separation[lane] - longer.separation[lane]));
        }
    }
    show("four rounds", &s);
    assert_true(s.above <= s.count / 1000);
}

static void special_pairs(void** state) {
    (void)state;
    const sup_quat none = {0, 0, 0, 1};
    const sup_vec3 origin = {0, 0, 0};
    supi_ellipsoid e = supi_ellipsoid_at(origin, none, none, (float[3]){0.3f, 0.1f, 0.2f});
    supi_ellipsoid ball = supi_ellipsoid_at(origin, none, none, (float[3]){0.1f, 0.1f, 0.1f});
    supi_ellipsoid point =
        supi_ellipsoid_at((sup_vec3){0, 0.5f, 0}, none, none, (float[3]){0, 0, 0});
    supi_ellipsoid disc =
        supi_ellipsoid_at((sup_vec3){0, 0.5f, 0}, none, none, (float[3]){0.2f, 0, 0.2f});
    supi_ellipsoid far = supi_ellipsoid_at((sup_vec3){0, 9, 0}, none, none, (float[3]){1, 1, 1});
    supi_ellipsoid_pairs pairs = {.margin = 1, .rounds = 6};
    const supi_ellipsoid* both[8][2] = {{&e, &ball},      {&e, &point},   {&point, &e},
                                        {&e, &disc},      {&disc, &disc}, {&disc, &point},
                                        {&point, &point}, {&e, &far}};
    const double expected[8] = {-0.2, 0.4, 0.4, 0.4, -2e-4 * 2, 0, 0, 7.9};
    for (int lane = 0; lane < 8; lane++) load_pair(&pairs, lane, both[lane][0], both[lane][1]);
    best_kernels()->separate(&pairs);
    for (int lane = 0; lane < 8; lane++) {
        assert_true(fabs((double)pairs.separation[lane] - expected[lane]) < 1e-3);
        float square = 0;
        for (int k = 0; k < 3; k++) square += pairs.normal[k][lane] * pairs.normal[k][lane];
        assert_float_equal(square, 1, 1e-5);
        assert_true(isfinite(pairs.reach_a[0][lane]) && isfinite(pairs.reach_b[0][lane]));
    }
    assert_float_equal(fabsf(pairs.normal[1][0]), 1, 1e-6); /* across the smallest radius */
    assert_int_equal(pairs.taken[7], 0);                    /* beyond the margin */
}

static float any_float(uint64_t* seed) {
    static const float odd[] = {0.0f, -0.0f, 1e-40f, 1e-30f, 1e19f, -3e38f, INFINITY, NAN, 1e8f};
    if (ref_random_index(seed, 40) == 0) return odd[ref_random_index(seed, 9)];
    return (float)ref_random(seed);
}

/* Every copy gives the same bits, and a lane does not depend on the others. */
static void copies_agree(void** state) {
    (void)state;
    const supi_ellipsoid_kernels* scalar = supi_ellipsoid_kernels_find(SUP_SIMD_SCALAR);
    uint64_t seed = 7;
    for (int round = 0; round < 3000; round++) {
        supi_ellipsoid_pairs in = {.margin = (float)between(&seed, 0, 1), .rounds = 6};
        for (int lane = 0; lane < 8; lane++) {
            for (int k = 0; k < 9; k++) {
                in.a[k][lane] = any_float(&seed);
                in.b[k][lane] = any_float(&seed);
            }
            for (int k = 0; k < 3; k++) in.offset[k][lane] = 2 * any_float(&seed);
        }
        supi_ellipsoid_pairs expected = in;
        scalar->separate(&expected);
        for (sup_simd simd = SUP_SIMD_AUTO; simd <= SUP_SIMD_WASM; simd++) {
            const supi_ellipsoid_kernels* kernels = supi_ellipsoid_kernels_find(simd);
            if (!kernels) continue;
            supi_ellipsoid_pairs out = in;
            kernels->separate(&out);
            for (int lane = 0; lane < 8; lane++) {
                float a = expected.separation[lane], b = out.separation[lane];
                if (isnan(a) && isnan(b)) continue;
                assert_memory_equal(&a, &b, sizeof a);
                for (int k = 0; k < 3; k++) {
                    assert_memory_equal(&expected.normal[k][lane], &out.normal[k][lane], sizeof a);
                    assert_memory_equal(&expected.reach_b[k][lane], &out.reach_b[k][lane],
                                        sizeof a);
                }
            }
        }
        int lane = round % 8;
        supi_ellipsoid_pairs alone = {.margin = in.margin, .rounds = in.rounds};
        for (int k = 0; k < 9; k++) alone.a[k][3] = in.a[k][lane], alone.b[k][3] = in.b[k][lane];
        for (int k = 0; k < 3; k++) alone.offset[k][3] = in.offset[k][lane];
        scalar->separate(&alone);
        float a = expected.separation[lane], b = alone.separation[3];
        assert_true((isnan(a) && isnan(b)) || memcmp(&a, &b, sizeof a) == 0);
    }
}

/* ---- Solids with corners ---- */

/* Errors of one kind of solid, deep ones left out. */
typedef struct solid_errors {
    spread all;
    double size;
} solid_errors;

static void judge_solid(spread* s, const supi_ellipsoid* e, const ref_solid* solid, supi_gap gap,
                        double size) {
    ref_ellipsoid r = twin(e);
    double n[3], back[3];
    double exact = ref_ellipsoid_separation(&r, solid, n);
    if (exact < -0.3 * smallest_radius(e)) return;
    take(s, ((double)gap.distance - exact) / size);
    /* the place is the foremost one */
    for (int k = 0; k < 3; k++)
        n[k] = k == 0 ? (double)gap.normal.x : k == 1 ? (double)gap.normal.y : (double)gap.normal.z;
    double p[3];
    doubles_of(gap.place, p);
    for (int k = 0; k < 3; k++) back[k] = r.centre[k] - p[k];
    assert_true(fabs(ref_dot(back, n) - ref_ellipsoid_reach(&r, n)) < 1e-5 * size);
}

static void capsules_boxes_and_triangles(void** state) {
    (void)state;
    uint64_t seed = 9;
    spread capsule = {.limit = 1e-4}, triangle = {.limit = 1e-4}, box = {.limit = 1e-4};
    for (int32_t i = 0; i < slow_cases(); i++) {
        supi_ellipsoid e = random_ellipsoid(&seed, 1.2, 8);
        double size = 1 + largest_radius(&e);
        sup_vec3 c[8];
        double corners[8][3];
        for (int k = 0; k < 3; k++) {
            c[k] = random_offset(&seed, 1);
            doubles_of(c[k], corners[k]);
        }
        float radius = (float)between(&seed, 0, 0.5);
        judge_solid(&capsule, &e, &(ref_solid){corners, 2, NULL, (double)radius},
                    supi_ellipsoid_capsule(&e, c[0], c[1], radius), size);
        judge_solid(&triangle, &e, &(ref_solid){corners, 3, NULL, 0},
                    supi_ellipsoid_triangle(&e, c), size);
        supi_ellipsoid frame = random_ellipsoid(&seed, 0.3, 5);
        for (int k = 0; k < 8; k++) {
            doubles_of(frame.centre, corners[k]);
            for (int j = 0; j < 3; j++) {
                double half = (double)frame.radii[j] * (k >> j & 1 ? 0.7 : -0.7);
                for (int a = 0; a < 3; a++) corners[k][a] += half * (double)frame.axes[j][a];
            }
        }
        float half[3] = {0.7f * frame.radii[0], 0.7f * frame.radii[1], 0.7f * frame.radii[2]};
        judge_solid(&box, &e, &(ref_solid){corners, 8, NULL, 0},
                    supi_ellipsoid_box(&e, frame.centre, frame.axes, half), size);
    }
    show("capsule", &capsule);
    show("triangle", &triangle);
    show("box", &box);
    const spread* all[] = {&capsule, &triangle, &box};
    for (int k = 0; k < 3; k++) {
        assert_true(all[k]->worst < 1e-3);
        assert_true(all[k]->low > -1e-5); /* above 0: it has found more than the twin */
        assert_true(all[k]->count > slow_cases() / 3);
    }
}

static void inside_of_bowls(void** state) {
    (void)state;
    uint64_t seed = 10;
    spread s = {.limit = 1e-3};
    for (int32_t i = 0; i < (short_tests() ? 20 : ref_repeats(150, 1000)); i++) {
        supi_ellipsoid e = random_ellipsoid(&seed, 1, 6);
        sup_vec3 a = random_offset(&seed, 0.5), b = i % 2 ? random_offset(&seed, 0.5) : a;
        ref_ellipsoid r = twin(&e);
        double from[3], to[3];
        doubles_of(a, from);
        doubles_of(b, to);
        take(&s, (double)supi_ellipsoid_inside(&e, a, b, 1.5f).distance -
                     ref_ellipsoid_inside(&r, from, to, 1.5));
    }
    show("bowl", &s);
    assert_true(s.worst < 1e-3);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(reach_is_the_furthest_point),
        cmocka_unit_test(planes_are_exact),
        cmocka_unit_test(spheres_as_pairs),
        cmocka_unit_test(nearest_points),
        cmocka_unit_test(middle_is_along_the_smallest_radius),
        cmocka_unit_test(pairs_beside_brute_force),
        cmocka_unit_test(known_normals_need_four_rounds),
        cmocka_unit_test(special_pairs),
        cmocka_unit_test(copies_agree),
        cmocka_unit_test(capsules_boxes_and_triangles),
        cmocka_unit_test(inside_of_bowls),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
