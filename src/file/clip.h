/* The arrays of a clip that a reader fills. */
#ifndef SUPPLE_FILE_CLIP_H
#define SUPPLE_FILE_CLIP_H

#include "supple/files.h"

/* Zeroed arrays of exactly these sizes, as sup_clip_free expects them; false when memory is short.
 */
bool supi_clip_new(const sup_allocator* allocator, int32_t frame_count, int32_t point_count,
                   sup_clip* clip);

#endif
