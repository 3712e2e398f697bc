/* A contest: several movers of clouds, timed in turn. Rows about shape matching are contests. */
#ifndef SUPPLE_BENCH_CONTEST_H
#define SUPPLE_BENCH_CONTEST_H

#include "cloud.h"

typedef enum bench_mover {
    MOVER_SUPPLE,
    MOVER_EIGEN,
    MOVER_PLAIN,
    MOVER_TRAFFIC,
    MOVER_BULLET_MATCH,
    MOVER_BULLET_STEP,
    MOVER_BULLET_WORLD
} bench_mover;

/* Who moves what. Of the way, the references know the mode at most. */
typedef struct bench_entry {
    bench_mover mover;
    int32_t body_count, point_count, cuts; /* of bench_plan_cubes */
    const bench_plan* scene;               /* instead, unless NULL */
    bench_way way;
} bench_entry;

enum { BENCH_ENTRIES_MAX = 3 };

/* What a row times: the value comes first. */
typedef struct bench_contest {
    int32_t count;
    bench_entry entries[BENCH_ENTRIES_MAX];
    double allowance; /* factor on the reference's time, or the reference itself */
} bench_contest;

/* The bodies of an entry, and who moves them. */
typedef struct bench_contestant {
    bench_cloud cloud;
    bench_subject subject;
} bench_contestant;
bool bench_contestant_create(const bench_entry* entry, bench_contestant* out);
void bench_contestant_destroy(bench_contestant* who);
/* False where a body flew apart or is not made of numbers any more: that is not the work to be
   timed. */
bool bench_contestant_whole(const bench_contestant* who);

/* Measures of rows whose `detail` is a contest. */
bool bench_measure_points(const bench_row* row, bench_figures* out); /* ns/point of two entries */
bool bench_measure_step(const bench_row* row, bench_figures* out);   /* ms/step of two entries */
/* ms/step beside the allowance, which grows on a machine slower than that it was written for: the
   second entry tells. */
bool bench_measure_budget(const bench_row* row, bench_figures* out);
/* Dearest over cheapest point of all entries, beside the allowance. */
bool bench_measure_spread(const bench_row* row, bench_figures* out);

/* ---- Words for tables of rows ---- */

#define BENCH_WAY(scheme, mode)                                                                    \
    { SUP_SCHEME_##scheme, SUP_MATCH_##mode, 1, SUP_SIMD_AUTO }
/* Bodies like cubes: who moves them in which scheme and mode. */
#define BENCH_CUBES(mover, bodies, points, cuts, scheme, mode)                                     \
    { mover, bodies, points, cuts, NULL, BENCH_WAY(scheme, mode) }
/* A scene. */
#define BENCH_SCENE(mover, scene, scheme, mode)                                                    \
    { mover, 0, 0, 0, scene, BENCH_WAY(scheme, mode) }

/* The allowances of budgets were written for a machine on which the Eigen reference takes this
   long, ns/point, for the yardstick. */
#define BENCH_YARDSTICK_NS 21.5
#define BENCH_YARDSTICK BENCH_CUBES(MOVER_EIGEN, 1, 1000, 1, S, LINEAR)

#endif
