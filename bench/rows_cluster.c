/* Rows about shape matching, bodies of one cluster each, stepped by sup_world_step. A step of a row
   is one substep of 1/60 s. */
#include "contest.h"

#define SUPPLE_WAY(bodies, points, scheme, mode, threads, simd)                                    \
    {                                                                                              \
        MOVER_SUPPLE, bodies, points, 1, NULL, {                                                   \
            SUP_SCHEME_##scheme, SUP_MATCH_##mode, threads, simd                                   \
        }                                                                                          \
    }
#define SUPPLE(points, scheme, mode) BENCH_CUBES(MOVER_SUPPLE, 1, points, 1, scheme, mode)

#define BESIDE(bodies, points, mode, other)                                                        \
    &(const bench_contest) {                                                                       \
        2,                                                                                         \
            {BENCH_CUBES(MOVER_SUPPLE, bodies, points, 1, S, mode),                                \
             BENCH_CUBES(other, bodies, points, 1, S, mode)},                                      \
            1.0                                                                                    \
    }

#define EIGEN_ROW(name, text, bodies, points, mode, floor, goal)                                   \
    {                                                                                              \
        "cluster." name, text ", beside plain Eigen", "ns/point", "Eigen", floor, goal, 1,         \
            SUP_SIMD_AUTO, bench_measure_points, BESIDE(bodies, points, mode, MOVER_EIGEN),        \
            BENCH_REPEATS                                                                          \
    }
#define PLAIN_ROW(name, text, bodies, points)                                                      \
    {                                                                                              \
        "cluster." name ".c", text ", beside plain C", "ns/point", "plain C", 0.0, 0.0, 1,         \
            SUP_SIMD_AUTO, bench_measure_points, BESIDE(bodies, points, RIGID, MOVER_PLAIN),       \
            BENCH_REPEATS                                                                          \
    }

#define RIGID_ROW(suffix, text, bodies, points, floor)                                             \
    EIGEN_ROW("rigid." suffix, "rigid matching, " text, bodies, points, RIGID, floor, 16.0),       \
        PLAIN_ROW("rigid." suffix, "rigid matching, " text, bodies, points)

/* What D may cost beside S, and bends beside stretches. */
#define DAMPED_ROW(name, text, mode)                                                               \
    {                                                                                              \
        "cluster.damped." name, "scheme D beside 1.8 times the time of scheme S, " text,           \
            "ns/point", "1.8 x scheme S", 1.0, 1.2, 1, SUP_SIMD_AUTO, bench_measure_points,        \
            &(const bench_contest){2, {SUPPLE(10000, D, mode), SUPPLE(10000, S, mode)}, 1.8},      \
            BENCH_REPEATS                                                                          \
    }
#define BENT_ROW(suffix, text, points)                                                             \
    {                                                                                              \
        "cluster.bent." suffix, "quadratic beside 2.3 times the time of linear matching, " text,   \
            "ns/point", "2.3 x linear", 1.0, 1.21, 1, SUP_SIMD_AUTO, bench_measure_points,         \
            &(const bench_contest){                                                                \
                2, {SUPPLE(points, S, QUADRATIC), SUPPLE(points, S, LINEAR)}, 2.3},                \
            BENCH_REPEATS                                                                          \
    }

#define SCALING_ROW(name, text, mode)                                                              \
    {                                                                                              \
        "cluster.scaling." name,                                                                   \
            "dearest over cheapest point among 1,000, 10,000 and 100,000, " text, "x", "at most",  \
            1.0, 0.0, 1, SUP_SIMD_AUTO, bench_measure_spread,                                      \
            &(const bench_contest){                                                                \
                3, {SUPPLE(1000, S, mode), SUPPLE(10000, S, mode), SUPPLE(100000, S, mode)}, 1.2}, \
            BENCH_REPEATS                                                                          \
    }

#define EIGHTS(bodies) BENCH_CUBES(MOVER_SUPPLE, bodies, 100, 2, S, LINEAR)

static const bench_row rows[] = {
    RIGID_ROW("64", "16 bodies x 64 points", 16, 64, 4.0),
    RIGID_ROW("1000", "1,000 points", 1, 1000, 9.0),
    RIGID_ROW("10000", "10,000 points", 1, 10000, 9.0),
    RIGID_ROW("100000", "100,000 points", 1, 100000, 9.0),
    {"cluster.rigid.100000.bytes", "rigid matching, 100,000 points, beside its bytes alone",
     "ns/point", "bare loop", 0.0, 0.0, 1, SUP_SIMD_AUTO, bench_measure_points,
     BESIDE(1, 100000, RIGID, MOVER_TRAFFIC), BENCH_REPEATS},
    EIGEN_ROW("linear.64", "linear matching, 16 bodies x 64 points", 16, 64, LINEAR, 4.0, 16.0),
    EIGEN_ROW("linear.1000", "linear matching, 1,000 points", 1, 1000, LINEAR, 9.0, 16.0),
    EIGEN_ROW("linear.10000", "linear matching, 10,000 points", 1, 10000, LINEAR, 9.0, 16.0),
    EIGEN_ROW("linear.100000", "linear matching, 100,000 points", 1, 100000, LINEAR, 9.0, 16.0),
    EIGEN_ROW("quadratic.64", "quadratic matching, 16 bodies x 64 points", 16, 64, QUADRATIC, 3.0,
              11.0),
    EIGEN_ROW("quadratic.1000", "quadratic matching, 1,000 points", 1, 1000, QUADRATIC, 7.0, 11.0),
    EIGEN_ROW("quadratic.10000", "quadratic matching, 10,000 points", 1, 10000, QUADRATIC, 8.0,
              11.0),
    EIGEN_ROW("quadratic.100000", "quadratic matching, 100,000 points", 1, 100000, QUADRATIC, 8.0,
              11.0),
    DAMPED_ROW("rigid", "rigid matching, 10,000 points", RIGID),
    DAMPED_ROW("linear", "linear matching, 10,000 points", LINEAR),
    DAMPED_ROW("quadratic", "quadratic matching, 10,000 points", QUADRATIC),
    BENT_ROW("1000", "1,000 points", 1000),
    BENT_ROW("10000", "10,000 points", 10000),
    BENT_ROW("100000", "100,000 points", 100000),
    {"cluster.simd.10000", "AVX2 kernels beside SSE2 kernels, 10,000 points", "ns/point", "SSE2",
     1.4, 0.0, 1, SUP_SIMD_AVX2, bench_measure_points,
     &(const bench_contest){2,
                            {SUPPLE_WAY(1, 10000, S, RIGID, 1, SUP_SIMD_AVX2),
                             SUPPLE_WAY(1, 10000, S, RIGID, 1, SUP_SIMD_SSE2)},
                            1.0},
     BENCH_REPEATS},
    {"cluster.workers.4000x64", "two workers beside one, 4,000 bodies x 64 points, scheme D",
     "ms/step", "one worker", 1.6, 1.9, 2, SUP_SIMD_AUTO, bench_measure_step,
     &(const bench_contest){2,
                            {SUPPLE_WAY(4000, 64, D, RIGID, 2, SUP_SIMD_AUTO),
                             SUPPLE_WAY(4000, 64, D, RIGID, 1, SUP_SIMD_AUTO)},
                            1.0},
     BENCH_REPEATS},
    {"cluster.budget.4000x64", "4,000 bodies x 64 points, scheme D, in 4 ms a step", "ms/step",
     "budget", 1.0, 0.0, 1, SUP_SIMD_AUTO, bench_measure_budget,
     &(const bench_contest){
         2, {BENCH_CUBES(MOVER_SUPPLE, 4000, 64, 1, D, RIGID), BENCH_YARDSTICK}, 4.0},
     BENCH_REPEATS},
    SCALING_ROW("rigid", "rigid matching", RIGID),
    SCALING_ROW("linear", "linear matching", LINEAR),
    SCALING_ROW("quadratic", "quadratic matching", QUADRATIC),
    {"cluster.scaling.clusters",
     "dearest over cheapest cluster among 80, 800 and 8,000, linear matching, 8 in 100 points", "x",
     "at most", 1.0, 0.0, 1, SUP_SIMD_AUTO, bench_measure_spread,
     &(const bench_contest){3, {EIGHTS(10), EIGHTS(100), EIGHTS(1000)}, 1.2}, BENCH_REPEATS},
};

const bench_row* bench_rows_cluster(int32_t* count) {
    *count = (int32_t)(sizeof(rows) / sizeof(rows[0]));
    return rows;
}
