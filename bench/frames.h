/* Scenes of oriented particles: models of the library with particles fitted to them, dropped on a
   floor or driven into each other. */
#ifndef SUPPLE_BENCH_FRAMES_H
#define SUPPLE_BENCH_FRAMES_H

#include "bench.h"
#include "supple/mesh.h"

enum { BENCH_FRAME_SUBSTEPS = 8 };
#define BENCH_FRAME_DT (1.0 / 60.0) /* s of one step */

typedef struct bench_frames_plan {
    sup_model model;
    double detail;          /* of the drawn mesh */
    int32_t count, nearest; /* of sup_spray_def and sup_spray_links_def */
    double reach;           /* spacings, links are shorter */
    int32_t body_count;     /* a square of them over the floor; trucks: two that meet head on */
    double apart, above;    /* m: of neighbours in the square, and how much higher the next falls */
    int32_t steps;          /* of a run */
    double budget;          /* ms */
} bench_frames_plan;

/* All of these say on stderr why they fail. */

/* What all bodies of a plan are made from; NULL: failed. */
sup_blueprint* bench_frames_print(const bench_frames_plan* plan);
/* The world of a plan, at its start, and its first body (may be NULL); NULL: failed. */
sup_world* bench_frames_world(const bench_frames_plan* plan, sup_blueprint* print, int32_t threads,
                              sup_body* first);

#endif
