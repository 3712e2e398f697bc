/* Key frames: where something is at a time. */
#ifndef SUPPLE_SCENE_MOTION_H
#define SUPPLE_SCENE_MOTION_H

#include "scene/draft.h"

/* Some of the keys: those that give one of the two things that keys can give. */
typedef struct supi_track {
    int32_t count;
    const double* times;       /* s, ascending (count) */
    const double (*values)[3]; /* (count) */
} supi_track;

typedef struct supi_motion {
    double begin, end; /* s, of the first and of the last key */
    bool smooth, loop;
    supi_track position, rotation; /* m; degrees */
} supi_motion;

/* Keeps what the draft says in the store; `position` is what its keys call that: "position" or
 * "offset". False when memory is short. */
bool supi_motion_make(supi_arena* store, const supi_motion_draft* draft, const char* position,
                      supi_motion* out);

/* Position and angles (degrees) at a time; what no key gives stays as it is. Before the first key
   and after the last it is held; a motion in a loop begins anew instead. Angles go from key to key
   as numbers, so that 0 to 720 is two turns. */
void supi_motion_at(const supi_motion* motion, double time, double position[3], double rotation[3]);

/* The time of the one round from `begin` to `end` that all others of a loop are like; the time
 * itself where there is no loop, or before its first round is over. */
double supi_motion_wrap(double begin, double end, bool loop, double time);

#endif
