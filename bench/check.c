/* Makes sure that the references do the work they are timed for: they must move as Supple does. */
#include "cloud.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { CHECK_STEPS = 2 * BENCH_SUBSTEPS };

#define CHECK_DISTANCE 1e-4 /* m, for bodies of 1 m after 8 steps */
#define CHECK_TRAVEL 1e-2   /* m, that points move meanwhile */

/* Where the points are after the check's steps, NULL when anything failed. */
static sup_point* places_after(bench_subject* subject, size_t count) {
    sup_point* places = malloc(count * sizeof(sup_point));
    bool good = places != NULL;
    for (int32_t n = 0; n < CHECK_STEPS && good; n += subject->steps)
        good = subject->step(subject->state);
    if (good && subject->read(subject->state, places)) return places;
    free(places);
    return NULL;
}

static double distance(sup_point a, sup_point b) {
    double x = a.x - b.x, y = a.y - b.y, z = a.z - b.z;
    return sqrt(x * x + y * y + z * z);
}

/* Largest distance; infinite where one is not a number. */
static double farthest(const sup_point* a, const sup_point* b, size_t count) {
    double worst = 0.0;
    for (size_t n = 0; n < count; n++) {
        double d = distance(a[n], b[n]);
        if (!(d <= worst)) worst = isnan(d) ? INFINITY : d;
    }
    return worst;
}

static bool move_alike(const char* name, bench_subject* supple, bench_subject* reference,
                       size_t count) {
    sup_point* start = malloc(count * sizeof(sup_point));
    bool read = start && supple->read(supple->state, start);
    sup_point* mine = places_after(supple, count);
    sup_point* theirs = places_after(reference, count);
    bool alike = false;
    if (read && mine && theirs) {
        double apart = farthest(mine, theirs, count), travel = farthest(start, mine, count);
        alike = apart <= CHECK_DISTANCE && travel >= CHECK_TRAVEL;
        if (!alike) {
            fprintf(stderr,
                    "supple_bench: after %d steps Supple moved %g m and %s is %g m away (at most "
                    "%g)\n",
                    CHECK_STEPS, travel, name, apart, CHECK_DISTANCE);
        }
    } else {
        fprintf(stderr, "supple_bench: %s could not be compared with Supple\n", name);
    }
    free(start);
    free(mine);
    free(theirs);
    return alike;
}

typedef bool (*create_reference)(const bench_cloud* cloud, bench_subject* out);

static bool check_reference(const char* name, create_reference create, const bench_cloud* cloud) {
    bench_subject supple, reference;
    if (!bench_supple_create(cloud, SUP_SCHEME_S, 1, SUP_SIMD_AUTO, &supple)) return false;
    bool alike = false;
    if (create(cloud, &reference)) {
        size_t count = (size_t)cloud->body_count * (size_t)cloud->point_count;
        alike = move_alike(name, &supple, &reference, count);
        reference.destroy(reference.state);
    }
    supple.destroy(supple.state);
    return alike;
}

bool bench_check_references(void) {
    static const int32_t sizes[][2] = {{16, 64}, {1, 1000}};
    for (size_t k = 0; k < sizeof(sizes) / sizeof(sizes[0]); k++) {
        bench_cloud cloud;
        if (!bench_cloud_create(sizes[k][0], sizes[k][1], &cloud)) return false;
        bool alike = check_reference("the Eigen reference", bench_eigen_create, &cloud) &&
                     check_reference("the plain C reference", bench_plain_create, &cloud);
        bench_cloud_destroy(&cloud);
        if (!alike) return false;
    }
    return true;
}
