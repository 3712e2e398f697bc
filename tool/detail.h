/* Levels of detail during a run: chosen by the clock, or repeated from a tape. */
#ifndef SUPPLE_TOOL_DETAIL_H
#define SUPPLE_TOOL_DETAIL_H

#include "supple/scene.h"
#include "supple/tape.h"
#include "tool.h"

/* All zero: the clock chooses, where the scene has a budget. */
typedef struct detail_run {
    sup_tape* tape; /* whose choices are repeated; NULL: the clock chooses */
    const char* path;
    const sup_detail_choice* choices;
    int32_t count, next; /* of them */
    int32_t made;        /* changes so far */
} detail_run;

/* Failures have been said. */

/* Repeats the choices of a tape of this very scene. */
tool_exit detail_replay(detail_run* run, const char* path, sup_scene* scene);
/* Frames that a run can repeat; the most that there can be where no tape is repeated. */
int32_t detail_frames(const detail_run* run);
/* The run goes on behind this frame: its choices are in the world already. */
void detail_skip(detail_run* run, int32_t frame);
/* Puts the world forward to the last snapshot that the tape has up to `frame`; without a tape, or
   where none lies ahead, nothing. */
tool_exit detail_jump(detail_run* run, sup_scene* scene, int32_t frame);
/* After the step to `frame`: changes what is to be changed, and records it, unless `recorder` is
   NULL. */
tool_exit detail_step(detail_run* run, sup_scene* scene, int32_t frame, sup_recorder* recorder);
/* After a step of a run that does not follow the clock: changes what the tape says, if there is
   one. */
tool_exit detail_repeat(detail_run* run, sup_scene* scene);
/* The scene was loaded anew. */
void detail_rewind(detail_run* run);
void detail_close(detail_run* run);

#endif
