/* Makes sure that the references do the work they are timed for: they must move as Supple does. */
#include "contest.h"
#include "scenes.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { CHECK_STEPS = 2 * BENCH_SUBSTEPS };

#define CHECK_DISTANCE 1e-4 /* m, for bodies of 1 m after 8 steps */
#define CHECK_BULLET 2e-2   /* m: it goes to the same goals in another way */
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

/* Has the reference moved as Supple has, from the same start? */
static bool places_alike(const char* name, const sup_point* start, const sup_point* mine,
                         const sup_point* theirs, size_t count, double limit) {
    double apart = farthest(mine, theirs, count), travel = farthest(start, mine, count);
    if (apart <= limit && travel >= CHECK_TRAVEL) return true;
    fprintf(stderr,
            "supple_bench: after %d steps Supple moved %g m and %s is %g m away (at most %g)\n",
            CHECK_STEPS, travel, name, apart, limit);
    return false;
}

static bool move_alike(const char* name, bench_contestant* supple, bench_contestant* reference,
                       double limit) {
    size_t count = supple->cloud.body_points[supple->cloud.body_count];
    sup_point* start = malloc(count * sizeof(sup_point));
    bool read = start && supple->subject.read(supple->subject.state, start);
    sup_point* mine = places_after(&supple->subject, count);
    sup_point* theirs = places_after(&reference->subject, count);
    bool alike = read && mine && theirs;
    if (alike) {
        alike = places_alike(name, start, mine, theirs, count, limit);
    } else {
        fprintf(stderr, "supple_bench: %s could not be compared with Supple\n", name);
    }
    free(start);
    free(mine);
    free(theirs);
    return alike;
}

/* `entry` as Supple moves it beside another mover. */
static bool check_reference(const char* name, bench_mover mover, const bench_entry* entry,
                            double limit) {
    bench_entry other = *entry;
    other.mover = mover;
    bench_contestant supple, reference;
    if (!bench_contestant_create(entry, &supple)) return false;
    bool alike = false;
    if (bench_contestant_create(&other, &reference)) {
        alike = move_alike(name, &supple, &reference, limit);
        bench_contestant_destroy(&reference);
    }
    bench_contestant_destroy(&supple);
    return alike;
}

/* The hash after the check's steps, 0 when anything failed. */
static uint64_t hash_after(const bench_entry* entry) {
    bench_contestant who;
    if (!bench_contestant_create(entry, &who)) return 0;
    bool good = true;
    for (int32_t n = 0; n < CHECK_STEPS && good; n += who.subject.steps) {
        good = who.subject.step(who.subject.state);
    }
    uint64_t hash = good ? bench_supple_hash(&who.subject) : 0;
    bench_contestant_destroy(&who);
    return hash;
}

/* Two workers must give the bits of one. */
static bool check_workers(void) {
    bench_entry entry = BENCH_SCENE(MOVER_SUPPLE, &bench_scene_384, D, QUADRATIC);
    uint64_t one = hash_after(&entry);
    entry.way.threads = 2;
    uint64_t two = hash_after(&entry);
    if (one != 0 && one == two) return true;
    fprintf(stderr, "supple_bench: two workers give other bits than one\n");
    return false;
}

bool bench_check_references(void) {
    static const bench_entry entries[] = {
        BENCH_CUBES(MOVER_SUPPLE, 16, 64, 1, S, RIGID),
        BENCH_CUBES(MOVER_SUPPLE, 16, 64, 1, S, LINEAR),
        BENCH_CUBES(MOVER_SUPPLE, 16, 64, 1, S, QUADRATIC),
        BENCH_CUBES(MOVER_SUPPLE, 1, 1000, 1, S, RIGID),
        BENCH_CUBES(MOVER_SUPPLE, 1, 1000, 1, S, LINEAR),
        BENCH_CUBES(MOVER_SUPPLE, 1, 1000, 1, S, QUADRATIC),
        BENCH_CUBES(MOVER_SUPPLE, 1, 1000, 2, S, LINEAR),
        BENCH_CUBES(MOVER_SUPPLE, 1, 1000, 2, S, QUADRATIC),
        BENCH_SCENE(MOVER_SUPPLE, &bench_scene_384, S, RIGID),
        BENCH_SCENE(MOVER_SUPPLE, &bench_scene_384, S, QUADRATIC),
    };
    for (size_t k = 0; k < sizeof(entries) / sizeof(entries[0]); k++) {
        const bench_entry* entry = &entries[k];
        bool rigid = entry->way.mode == SUP_MATCH_RIGID, whole = !entry->scene && entry->cuts == 1;
        if (!check_reference("the Eigen reference", MOVER_EIGEN, entry, CHECK_DISTANCE)) {
            return false;
        }
        if (rigid && whole &&
            !check_reference("the plain C reference", MOVER_PLAIN, entry, CHECK_DISTANCE)) {
            return false;
        }
        if (rigid && !check_reference("Bullet", MOVER_BULLET_STEP, entry, CHECK_BULLET)) {
            return false;
        }
    }
    return bench_check_pulls() && check_workers();
}
