/* Snapshots inside other files: messages then speak of those. */
#ifndef SUPPLE_TAPE_SNAPSHOT_H
#define SUPPLE_TAPE_SNAPSHOT_H

#include "supple/snapshot.h"

/* As sup_world_restore; byte 0 is byte `origin` of the file `name`. */
sup_result supi_snapshot_restore(sup_world* world, const char* name, uint64_t origin,
                                 const uint8_t* bytes, size_t size, sup_error* error);

#endif
