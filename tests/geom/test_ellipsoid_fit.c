/* Ellipsoids from points around a place. */
#include <math.h>

#include "base/memory.h"
#include "geom/ellipsoid_fit.h"
#include "geom/vector.h"
#include "ref/ref_matrix.h"
#include "ref/ref_random.h"
#include "sizes.h"

#define PI 3.14159265358979323846
enum { MOST = 1000 };

/* A cloud of points that all weigh the same. */
typedef struct points {
    supi_cloud cloud;
    sup_vec3 places[MOST];
    double areas[MOST], normals[MOST][3];
    int32_t ids[MOST];
} points;

static void begin(points* p, int32_t count) {
    p->cloud = (supi_cloud){count, p->places, p->areas, p->normals};
    for (int32_t i = 0; i < count; i++) {
        p->areas[i] = 1;
        p->ids[i] = i;
        for (int k = 0; k < 3; k++) p->normals[i][k] = k == 1;
    }
}

static void turned(const double q[4], const double from[3], double to[3]) {
    double once[3], twice[3];
    supi_vector_cross(q, from, once);
    supi_vector_cross(q, once, twice);
    for (int k = 0; k < 3; k++) to[k] = from[k] + 2 * (q[3] * once[k] + twice[k]);
}

/* Degrees between two axes that have no sign. */
static double degrees_between(const double a[3], const double b[3]) {
    double c = fabs(supi_vector_dot(a, b)) / (supi_vector_length(a) * supi_vector_length(b));
    return acos(c < 1 ? c : 1) * 180 / PI;
}

/* Points on a turned ellipsoid (3, 2, 1): evenly spread (Fibonacci), or at random. Returns how far
   the axes are off, degrees; *radius: the largest relative error of a radius. */
static double fit_ellipsoid(points* p, int32_t count, uint64_t* seed, bool even, double* radius) {
    static const double radii[3] = {3, 2, 1};
    double q[4], worst = 0;
    ref_quaternion_random(seed, q);
    begin(p, count);
    for (int32_t i = 0; i < count; i++) {
        double z = even ? 1 - (2 * i + 1.0) / count : ref_random(seed);
        double angle = even ? i * PI * (3 - sqrt(5)) : PI * ref_random(seed);
        double ring = sqrt(1 - z * z), x[3];
        double y[3] = {radii[0] * ring * cos(angle), radii[1] * ring * sin(angle), radii[2] * z};
        turned(q, y, x);
        p->places[i] = supi_vector_round(x[0], x[1], x[2]);
    }
    const supi_ellipsoid_rules rules = {.reach = 4, .sphere = 0.5, .least = 0.1, .aspect = 8};
    supi_ellipsoid_fit fit;
    supi_ellipsoid_fit_points(&rules, &p->cloud, count, p->ids, (double[3]){0, 0, 0}, NULL, &fit);
    assert_false(fit.sphere);
    *radius = 0;
    for (int k = 0; k < 3; k++) {
        double axis[3] = {k == 0, k == 1, k == 2}, there[3];
        turned(q, axis, there);
        double off = degrees_between(there, fit.axes + 3 * k);
        worst = off > worst ? off : worst;
        double error = fabs(fit.radii[k] / radii[k] - 1);
        *radius = error > *radius ? error : *radius;
    }
    return worst;
}

/* 100 evenly spread points: axes within 3 degrees, radii within 10 %. */
static void finds_a_turned_ellipsoid(void** state) {
    (void)state;
    points p;
    uint64_t seed = 7;
    double worst = 0, largest = 0;
    for (int turn = 0; turn < 50; turn++) {
        double radius, off = fit_ellipsoid(&p, 100, &seed, true, &radius);
        worst = off > worst ? off : worst;
        largest = radius > largest ? radius : largest;
    }
    print_message("axes %.2f degrees, radii %.1f %%\n", worst, 100 * largest);
    assert_true(worst < 3 && largest < 0.1);
}

/* The control: independent points are off by their own noise, the more of them the less. */
static void random_points_are_noisier(void** state) {
    (void)state;
    points p;
    uint64_t seed = 11;
    double few = 0, many = 0, radius;
    for (int turn = 0; turn < 20; turn++) {
        few += fit_ellipsoid(&p, 100, &seed, false, &radius) / 20;
        many += fit_ellipsoid(&p, 1000, &seed, false, &radius) / 20;
    }
    print_message("random: %.1f degrees of 100 points, %.1f of 1000\n", few, many);
    assert_true(few > 3 && many < 0.6 * few);
}

/* 60 random points of a flat patch with noise of 1 %: the smallest axis is the normal within 3
   degrees. */
static void finds_the_normal_of_a_patch(void** state) {
    (void)state;
    points p;
    uint64_t seed = 3;
    for (int turn = 0; turn < 50; turn++) {
        double q[4], normal[3];
        ref_quaternion_random(&seed, q);
        turned(q, (double[3]){0, 1, 0}, normal);
        begin(&p, 60);
        for (int32_t i = 0; i < 60; i++) {
            double y[3] = {ref_random(&seed), 0.01 * ref_random(&seed), ref_random(&seed)}, x[3];
            turned(q, y, x);
            p.places[i] = supi_vector_round(x[0], x[1], x[2]);
        }
        const supi_ellipsoid_rules rules = {.reach = 2, .sphere = 0.5, .least = 0.01, .aspect = 8};
        supi_ellipsoid_fit fit;
        supi_ellipsoid_fit_points(&rules, &p.cloud, 60, p.ids, (double[3]){0, 0, 0}, NULL, &fit);
        assert_true(degrees_between(normal, fit.axes + 6) < 3);
        assert_true(fit.radii[2] >= fit.radii[0] / 8 * 0.999);
        assert_true(fit.radii[0] > 0.8 && fit.radii[1] > 0.8);
    }
}

static void few_points_give_a_sphere(void** state) {
    (void)state;
    points p;
    begin(&p, 4);
    p.places[0] = (sup_vec3){1, 0, 0};
    p.places[1] = (sup_vec3){0, 1, 0};
    p.places[2] = (sup_vec3){0, 0, 1};
    p.places[3] = (sup_vec3){0, 0, 9}; /* beyond the reach */
    const supi_ellipsoid_rules rules = {.reach = 2, .sphere = 0.5, .least = 0.1, .aspect = 8};
    supi_ellipsoid_fit fit;
    for (int32_t count = 0; count <= 4; count++) {
        supi_ellipsoid_fit_points(&rules, &p.cloud, count, p.ids, (double[3]){0, 0, 0}, NULL, &fit);
        assert_true(fit.sphere && fit.radii[0] == 0.5 && fit.radii[2] == 0.5);
    }
    for (int k = 0; k < 4; k++) p.places[k] = (sup_vec3){1, 0, 0};
    supi_ellipsoid_fit_points(&rules, &p.cloud, 4, p.ids, (double[3]){0, 0, 0}, NULL, &fit);
    assert_true(fit.sphere);
}

/* The place goes to the middle of the box, but no further than half the reach. */
static void centres_on_the_box(void** state) {
    (void)state;
    points p;
    begin(&p, 8);
    for (int i = 0; i < 8; i++) {
        p.places[i] = (sup_vec3){i & 1 ? 1 : -1, i & 2 ? 0.5f : -0.5f, i & 4 ? 0.2f : -0.2f};
    }
    const supi_ellipsoid_rules rules = {.reach = 3, .sphere = 0.5, .least = 0.1, .aspect = 8};
    supi_ellipsoid_fit fit;
    supi_ellipsoid_fit_points(&rules, &p.cloud, 8, p.ids, (double[3]){0.3, 0, 0}, NULL, &fit);
    for (int k = 0; k < 3; k++) assert_true(fabs(fit.centre[k]) < 1e-6);
    assert_true(fabs(fit.radii[0] - 1) < 1e-6 && fabs(fit.radii[1] - 0.5) < 1e-6);
    supi_ellipsoid_fit_points(&rules, &p.cloud, 8, p.ids, (double[3]){1.6, 0, 0}, NULL, &fit);
    assert_true(fit.centre[0] == 1.6);
}

/* Axes that are not unique follow the neighbour's. */
static void round_things_follow_their_neighbour(void** state) {
    (void)state;
    points p;
    begin(&p, 100);
    for (int i = 0; i < 100; i++) { /* a round disc in the plane of x and z */
        double angle = 2 * PI * i / 50, r = i < 50 ? 1 : 0.5;
        p.places[i] = supi_vector_round(r * cos(angle), 0, r * sin(angle));
    }
    const supi_ellipsoid_rules rules = {.reach = 2, .sphere = 0.5, .least = 0.1, .aspect = 8};
    double c = cos(0.4), s = sin(0.4);
    const double like[9] = {c, 0, s, 0, 1, 0, -s, 0, c};
    supi_ellipsoid_fit fit;
    supi_ellipsoid_fit_points(&rules, &p.cloud, 100, p.ids, (double[3]){0, 0, 0}, like, &fit);
    double least = 90;
    for (int k = 0; k < 3; k += 2) {
        double off = degrees_between(fit.axes, like + 3 * k);
        least = off < least ? off : least;
    }
    assert_true(least < 0.01);
    assert_true(degrees_between(fit.axes + 6, (double[3]){0, 1, 0}) < 0.01);
    double turn[3];
    supi_vector_cross(fit.axes, fit.axes + 3, turn);
    assert_true(supi_vector_dot(turn, fit.axes + 6) > 0.999);
}

/* Areas and normals of a cloud are those of its triangles, however fine it is. */
static void clouds_have_the_area_of_the_surface(void** state) {
    (void)state;
    const sup_vec3 corners[] = {{0, 0, 0}, {2, 0, 0}, {0, 0, 1}, {5, 5, 5}};
    const int32_t triangle[] = {0, 2, 1};
    for (double step = 0.1; step < 5; step *= 2) {
        supi_arena arena;
        supi_cloud cloud;
        supi_arena_init(&arena, sup_allocator_default());
        assert_true(supi_cloud_sample(&arena, 4, corners, 1, triangle, step, &cloud));
        double area = 0, normal = 0;
        for (int32_t i = 0; i < cloud.count; i++) {
            area += cloud.areas[i];
            normal += cloud.normals[i][1];
        }
        assert_true(fabs(area - 1) < 1e-12 && fabs(normal - 1) < 1e-12);
        assert_true(step > 3 ? cloud.count == 3 : cloud.count > 3);
        supi_arena_free(&arena);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(finds_a_turned_ellipsoid),
        cmocka_unit_test(random_points_are_noisier),
        cmocka_unit_test(finds_the_normal_of_a_patch),
        cmocka_unit_test(few_points_give_a_sphere),
        cmocka_unit_test(centres_on_the_box),
        cmocka_unit_test(round_things_follow_their_neighbour),
        cmocka_unit_test(clouds_have_the_area_of_the_surface),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
