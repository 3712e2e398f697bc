/* Tapes: a whole run in one file. Every frame of the drawn surfaces lies in it as it was, and every
   so often a snapshot from which the world can go on. docs/tape-format.md says how. */
#ifndef SUPPLE_TAPE_H
#define SUPPLE_TAPE_H

#include "supple/files.h"
#include "supple/world.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ---- Recording ---- */

typedef struct sup_tape_def {
    size_t size;
    const sup_allocator* allocator; /* NULL: the default */
    const sup_file_gate* files;     /* NULL: the files of the machine */
    double fps;                     /* frames per second, default 60 */
    int32_t frame_count;            /* how many will be recorded, with frame 0; at least 1 */
    int32_t snapshot_every;         /* frames, default 60. Lower it when going on takes long */
    int32_t surface_count;          /* 0: only snapshots count */
    const sup_surface* surfaces;    /* read during the call only */
    const uint8_t* scene;           /* what the world was built from, for the record; may be NULL */
    size_t scene_size;              /* bytes */
    uint64_t scene_hash; /* yours: a number that differs where the scene does, meshes included */
} sup_tape_def;
SUP_API sup_tape_def sup_tape_default(void);

typedef struct sup_recorder sup_recorder;

/* Begins a tape, and replaces one that was begun before. It grows as path + ".part", which only one
   recorder can write at a time (SUP_BUSY), and takes the name `path` when it is whole. `world` is
   at its start. */
SUP_API sup_result sup_recorder_open(const sup_tape_def* def, const char* path,
                                     const sup_world* world, sup_recorder** out, sup_error* error);
/* Goes on with path + ".part": the world takes the state of its last whole snapshot, of frame
   *frame, and frame *frame + 1 is recorded next. The tape becomes the same, byte for byte, as if
   nothing had happened in between. `world` is at its start, made from the same scene. SUP_NOT_FOUND
   where there is nothing to go on with; SUP_BAD_ARGUMENT where the tape was begun with something
   else. The world has not changed then. */
SUP_API sup_result sup_recorder_resume(const sup_tape_def* def, const char* path, sup_world* world,
                                       sup_recorder** out, int32_t* frame, sup_error* error);
/* Records the next frame; `points` as in sup_animation_frame. What a snapshot holds is safe from a
   power cut when the call returns. After a failure every later call fails too. */
SUP_API sup_result sup_recorder_frame(sup_recorder* recorder, const sup_world* world,
                                      const sup_vec3* points, sup_error* error);
/* Records that a body has another level of detail from the next frame on, which is recorded after
   this. At least one frame is recorded already: what is before the first is how the world began. */
SUP_API sup_result sup_recorder_choice(sup_recorder* recorder, int32_t body, int32_t level,
                                       sup_error* error);
/* Ends the tape, gives it its name, and frees the recorder, also on failure. Fewer frames than
   announced are fine. */
SUP_API sup_result sup_recorder_close(sup_recorder* recorder, sup_error* error);
/* Frees the recorder and leaves path + ".part" to be gone on with. NULL is fine. */
SUP_API void sup_recorder_stop(sup_recorder* recorder);

/* ---- Playing ---- */

typedef struct sup_tape sup_tape;

/* Opens a tape, whole or not; one that was cut off holds the frames before the cut. Refused with
   the place: what is no tape, and what is damaged. */
SUP_API sup_result sup_tape_open(const sup_allocator* allocator, const sup_file_gate* files,
                                 const char* path, sup_tape** out, sup_error* error);
/* NULL is fine. */
SUP_API void sup_tape_close(sup_tape* tape);

typedef struct sup_tape_info {
    bool whole;                         /* it was ended as planned */
    double fps;                         /* frames per second */
    int32_t frame_count;                /* frames that it holds, with frame 0 */
    int32_t planned_count;              /* frames that were announced */
    int32_t snapshot_count;             /* snapshots that it holds */
    int32_t snapshot_every;             /* frames */
    int32_t choice_count;               /* of levels of detail */
    int32_t surface_count, point_count; /* points of all surfaces */
    uint64_t scene_hash;                /* as in sup_tape_def */
    uint64_t start_hash;                /* of the world at frame 0 */
    uint64_t size;                      /* bytes */
} sup_tape_info;
SUP_API sup_tape_info sup_tape_get_info(const sup_tape* tape);
/* Both live as long as the tape. */
SUP_API const sup_surface* sup_tape_surfaces(const sup_tape* tape, int32_t* count);
SUP_API const uint8_t* sup_tape_scene(const sup_tape* tape, size_t* size);

/* Points of all surfaces one after the other (point_count), frame 0 .. frame_count - 1. */
SUP_API sup_result sup_tape_read_frame(sup_tape* tape, int32_t frame, sup_vec3* points,
                                       sup_error* error);
/* The levels of detail that were chosen on the way, in their order (choice_count). They live as
   long as the tape. */
SUP_API const sup_detail_choice* sup_tape_choices(const sup_tape* tape, int32_t* count);
/* The last snapshot that is not after a frame; -1: none. */
SUP_API int32_t sup_tape_snapshot_before(const sup_tape* tape, int32_t frame);
/* Puts a world into the state of the snapshot of this very frame, as sup_world_restore does. */
SUP_API sup_result sup_tape_restore(sup_tape* tape, int32_t frame, sup_world* world,
                                    sup_error* error);
/* Reads every byte and looks whether it is as it was written; open looks only at what it needs. */
SUP_API sup_result sup_tape_check(sup_tape* tape, sup_error* error);

#ifdef __cplusplus
}
#endif
#endif
