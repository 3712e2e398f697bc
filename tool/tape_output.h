/* The tape among the files of a run. */
#ifndef SUPPLE_TOOL_TAPE_OUTPUT_H
#define SUPPLE_TOOL_TAPE_OUTPUT_H

#include "supple/scene.h"
#include "supple/tape.h"
#include "tool.h"

/* Failures have been said. `poses` counts frame 0 too. */

/* Of the scene file and of all files that it names, as a tape has it. */
tool_exit tape_scene_hash(const sup_scene* scene, uint64_t* hash);
/* Begins a tape of the scene, which is at its start. */
tool_exit tape_begin(sup_scene* scene, const char* path, int32_t poses, sup_recorder** recorder);
/* Goes on with a tape that was begun before: the world is then at *frame. *recorder is NULL where
   there is nothing to go on with; why is said unless `quiet`. */
tool_exit tape_go_on(sup_scene* scene, const char* path, int32_t poses, bool quiet,
                     sup_recorder** recorder, int32_t* frame);
/* Is the whole tape of such a run there already, and sound? One of another scene is refused. */
tool_exit tape_is_done(sup_scene* scene, const char* path, int32_t poses, bool* done);
/* Is there a tape that was begun and not ended? */
bool tape_is_begun(const char* path);

#endif
