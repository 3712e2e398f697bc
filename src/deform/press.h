/* Clay of a world: pulls without edges that split, and without questions. */
#ifndef SUPPLE_DEFORM_PRESS_H
#define SUPPLE_DEFORM_PRESS_H

#include "supple/deform.h"

/* As sup_clay_create, of what is known to be good. */
sup_result supi_clay_make(const sup_allocator* allocator, const sup_mesh* mesh,
                          const sup_clay_def* def, sup_clay** out, sup_error* error);
/* Moves `count` points (m), ascending, none twice or pinned. `points` and `by` must last until it
   is done. False when memory is short: then nothing has moved. Takes none where an earlier call
   moved no fewer. */
bool supi_clay_press(sup_clay* clay, const sup_pull_def* def, int32_t count, const int32_t* points,
                     const sup_vec3* by);

#endif
