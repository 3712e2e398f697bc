/* The arrays of a clip that a reader fills, and whether there is one to read. */
#ifndef SUPPLE_FILE_CLIP_H
#define SUPPLE_FILE_CLIP_H

#include "supple/files.h"

/* Zeroed arrays of exactly these sizes, as sup_clip_free expects them; false when memory is short.
 */
bool supi_clip_new(const sup_allocator* allocator, int32_t frame_count, int32_t point_count,
                   sup_clip* clip);

/* Has a .glb or .gltf an animation of weights, which alone makes a clip? Bones and nodes do not. */
sup_result supi_glb_moves(const char* path, bool* moves, sup_error* error);

#endif
