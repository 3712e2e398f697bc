/* Rows about overlapping clusters: one body of 10,000 points, and the scenes of Müller et al. 2005.
   Matching and integration, without contacts. */
#include "contest.h"
#include "scenes.h"

/* The paper does not tell the shapes; boxes, plates and bars that give its numbers. */
const bench_plan bench_scene_100 = {1, 1, {{100, {5, 5, 4}, {2, 2, 2}, 0}}};
const bench_plan bench_scene_145 = {
    1,
    3,
    {{47, {8, 4, 3}, {4, 2, 1}, 0}, {54, {9, 7, 3}, {4, 3, 1}, 0}, {44, {9, 5, 5}, {4, 2, 2}, 0}}};
const bench_plan bench_scene_384 = {
    48,
    3,
    {{3, {8, 5, 5}, {2, 2, 2}, 0}, {2, {7, 5, 4}, {3, 2, 1}, 0}, {3, {10, 3, 3}, {5, 1, 1}, 0}}};

/* ---- One body ---- */

#define BODY_ROW(name, text, cuts, mode, mover, reference)                                         \
    {                                                                                              \
        "cluster." name, text, "ms/step", reference, 0.0, 0.0, 1, SUP_SIMD_AUTO,                   \
            bench_measure_step,                                                                    \
            &(const bench_contest){2,                                                              \
                                   {BENCH_CUBES(MOVER_SUPPLE, 1, 10000, cuts, S, mode),            \
                                    BENCH_CUBES(mover, 1, 10000, cuts, S, mode)},                  \
                                   1.0},                                                           \
            BENCH_REPEATS                                                                          \
    }
#define BODY_ROWS(count, cuts)                                                                     \
    BODY_ROW("linear.10000x" count, "10,000 points, " count " clusters, linear", cuts, LINEAR,     \
             MOVER_EIGEN, "Eigen"),                                                                \
        BODY_ROW("quadratic.10000x" count, "10,000 points, " count " clusters, quadratic", cuts,   \
                 QUADRATIC, MOVER_EIGEN, "Eigen"),                                                 \
        BODY_ROW("rigid.10000x" count ".bullet.match",                                             \
                 "10,000 points, " count " clusters, rigid, beside Bullet's clusters alone", cuts, \
                 RIGID, MOVER_BULLET_MATCH, "Bullet matching"),                                    \
        BODY_ROW("rigid.10000x" count ".bullet.step",                                              \
                 "10,000 points, " count " clusters, rigid, beside Bullet's step of a body", cuts, \
                 RIGID, MOVER_BULLET_STEP, "Bullet step"),                                         \
        BODY_ROW("rigid.10000x" count ".bullet.world",                                             \
                 "10,000 points, " count " clusters, rigid, beside Bullet's stepSimulation", cuts, \
                 RIGID, MOVER_BULLET_WORLD, "Bullet world")

/* ---- Scenes ---- */

#define SCENE_ROW(name, text, scene, mode, mover, reference, floor, goal)                          \
    {                                                                                              \
        "cluster." name, text, "ms/step", reference, floor, goal, 1, SUP_SIMD_AUTO,                \
            bench_measure_step,                                                                    \
            &(const bench_contest){                                                                \
                2,                                                                                 \
                {BENCH_SCENE(MOVER_SUPPLE, &scene, S, mode), BENCH_SCENE(mover, &scene, S, mode)}, \
                1.0},                                                                              \
            BENCH_REPEATS                                                                          \
    }
#define SCENE_ROWS(name, text, scene, eigen_floor, eigen_goal, bullet_floor)                       \
    SCENE_ROW(name ".rigid", text ", rigid", scene, RIGID, MOVER_EIGEN, "Eigen", eigen_floor,      \
              eigen_goal),                                                                         \
        SCENE_ROW(name ".quadratic", text ", quadratic", scene, QUADRATIC, MOVER_EIGEN, "Eigen",   \
                  eigen_floor, eigen_goal),                                                        \
        SCENE_ROW(name ".rigid.bullet.match", text ", rigid, beside Bullet's clusters alone",      \
                  scene, RIGID, MOVER_BULLET_MATCH, "Bullet matching", 0.0, 0.0),                  \
        SCENE_ROW(name ".rigid.bullet.step", text ", rigid, beside Bullet's step of the bodies",   \
                  scene, RIGID, MOVER_BULLET_STEP, "Bullet step", bullet_floor, 0.0),              \
        SCENE_ROW(name ".rigid.bullet.world", text ", rigid, beside Bullet's stepSimulation",      \
                  scene, RIGID, MOVER_BULLET_WORLD, "Bullet world", 0.0, 0.0),                     \
        SCENE_ROW(name ".quadratic.bullet.step",                                                   \
                  text ", quadratic, beside Bullet's rigid step of the bodies", scene, QUADRATIC,  \
                  MOVER_BULLET_STEP, "Bullet step", bullet_floor, 0.0)

/* ---- Budgets: scheme D, the default ---- */

/* The last argument: whose time it is. */
#define BUDGET_ROW(name, text, ms, ...)                                                            \
    {                                                                                              \
        "cluster.budget." name, text " in " #ms " ms a step", "ms/step", "budget", 1.0, 0.0, 1,    \
            SUP_SIMD_AUTO, bench_measure_budget,                                                   \
            &(const bench_contest){2, {__VA_ARGS__, BENCH_YARDSTICK}, ms}, BENCH_REPEATS           \
    }
#define BODY_BUDGET(count, cuts, word, mode, ms)                                                   \
    BUDGET_ROW(word ".10000x" count, "10,000 points, clusters: " count ", " word, ms,              \
               BENCH_CUBES(MOVER_SUPPLE, 1, 10000, cuts, D, mode))
#define SCENE_BUDGET(name, text, scene, ms)                                                        \
    BUDGET_ROW(name, text ", quadratic,", ms, BENCH_SCENE(MOVER_SUPPLE, &scene, D, QUADRATIC))

#define TEXT_100 "100 objects of 100 points and 8 clusters"
#define TEXT_145 "145 objects, 1,728 clusters, 24,618 points"
#define TEXT_384 "384 objects, 2,448 clusters, 55,200 points"

static const bench_row rows[] = {
    BODY_ROWS("8", 2),
    BODY_ROWS("64", 4),
    SCENE_ROWS("scene100", TEXT_100, bench_scene_100, 0.0, 0.0, 0.0),
    SCENE_ROWS("scene145", TEXT_145, bench_scene_145, 0.0, 0.0, 0.0),
    SCENE_ROWS("scene384", TEXT_384, bench_scene_384, 2.0, 7.0, 3.0),
    {"cluster.workers.scene384", "two workers beside one, " TEXT_384 ", quadratic, scheme D",
     "ms/step", "one worker", 1.7, 1.9, 2, SUP_SIMD_AUTO, bench_measure_step,
     &(const bench_contest){2,
                            {{MOVER_SUPPLE,
                              0,
                              0,
                              0,
                              &bench_scene_384,
                              {SUP_SCHEME_D, SUP_MATCH_QUADRATIC, 2, SUP_SIMD_AUTO}},
                             BENCH_SCENE(MOVER_SUPPLE, &bench_scene_384, D, QUADRATIC)},
                            1.0},
     BENCH_REPEATS},
    BODY_BUDGET("1", 1, "linear", LINEAR, 0.10),
    BODY_BUDGET("8", 2, "linear", LINEAR, 0.11),
    BODY_BUDGET("64", 4, "linear", LINEAR, 0.15),
    BODY_BUDGET("1", 1, "quadratic", QUADRATIC, 0.20),
    BODY_BUDGET("8", 2, "quadratic", QUADRATIC, 0.21),
    BODY_BUDGET("64", 4, "quadratic", QUADRATIC, 0.25),
    SCENE_BUDGET("scene100", TEXT_100, bench_scene_100, 0.5),
    SCENE_BUDGET("scene145", TEXT_145, bench_scene_145, 1.16), /* 0.008 ms an object */
    SCENE_BUDGET("scene384", TEXT_384, bench_scene_384, 1.5),
};

const bench_row* bench_rows_scenes(int32_t* count) {
    *count = (int32_t)(sizeof(rows) / sizeof(rows[0]));
    return rows;
}
