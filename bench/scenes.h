/* The headline scenes of Müller et al. 2005, in their numbers of objects, clusters and points. */
#ifndef SUPPLE_BENCH_SCENES_H
#define SUPPLE_BENCH_SCENES_H

#include "cloud.h"

extern const bench_plan bench_scene_100; /* 100 objects of 100 points and 8 clusters */
extern const bench_plan bench_scene_145; /* 145 objects, 1,728 clusters, 24,618 points */
extern const bench_plan bench_scene_384; /* 384 objects, 2,448 clusters, 55,200 points */

#endif
