/* The header of a tape: how it was recorded, and what is drawn. */
#ifndef SUPPLE_TAPE_HEAD_H
#define SUPPLE_TAPE_HEAD_H

#include "base/arena.h"
#include "supple/tape.h"
#include "tape/pack.h"
#include "tape/unpack.h"

typedef struct supi_head {
    double fps;
    int32_t frame_count, snapshot_every;
    uint64_t scene_hash, start_hash;
    const uint8_t* scene;
    uint64_t scene_size;
    int32_t surface_count, point_count; /* points of all surfaces */
    const sup_surface* surfaces;
} supi_head;

/* Checks a definition and makes the header of a tape of `world`, which points to the definition's
   arrays. */
sup_result supi_head_make(const sup_tape_def* def, const sup_world* world, supi_head* out,
                          sup_error* error);
void supi_head_pack(supi_pack* pack, const supi_head* head);
/* Arrays go into the arena. */
void supi_head_unpack(supi_unpack* unpack, supi_arena* arena, supi_head* out);

#endif
