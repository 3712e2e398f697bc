/* Snapshots: a whole world as bytes. */
#ifndef SUPPLE_SNAPSHOT_H
#define SUPPLE_SNAPSHOT_H

#include "supple/world.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Bytes that the library made; sup_bytes_free gives them back. */
typedef struct sup_bytes {
    const sup_allocator* allocator;
    uint8_t* data;
    size_t size;
} sup_bytes;
SUP_API void sup_bytes_free(sup_bytes* bytes);

/* Everything that the world needs to go on alike: settings, blueprints, bodies, colliders,
   attachments, who met whom. Little-endian, with a version and a checksum; the same on every
   machine. SUP_BUSY inside a callback of the world, for both calls. */
SUP_API sup_result sup_world_save(const sup_world* world, sup_bytes* out, sup_error* error);
/* Puts a world into the state of a snapshot, whatever it held before. Handles of that state are
   valid again (forget those of what was made since: their numbers will be given out anew);
   allocator, threads, kernels and callback stay the world's own, and so do blueprints that are the
   same to the last bit. Events and single contacts of the last step are not there. Bytes that are
   damaged, foreign or of another version are refused with the place and leave the world as it is.
 */
SUP_API sup_result sup_world_restore(sup_world* world, const uint8_t* bytes, size_t size,
                                     sup_error* error);

#ifdef __cplusplus
}
#endif
#endif
