/* Points that are written in one order and read back in another: a temporary file beside the one
   that they are for, so that memory does not grow with them. */
#ifndef SUPPLE_FILE_SPOOL_H
#define SUPPLE_FILE_SPOOL_H

#include "base/file_io.h"
#include "supple/types.h"

typedef struct supi_spool {
    const sup_file_gate* gate;
    const sup_allocator* allocator;
    supi_writer writer; /* while points are put */
    char* temporary;    /* the name of the file */
    size_t temporary_size;
    bool parked; /* all points are put */
    void* file;  /* while points are read */
} supi_spool;

/* Failures have no words of their own: the caller knows what the points are for. */
sup_result supi_spool_begin(supi_spool* spool, const sup_file_gate* gate,
                            const sup_allocator* allocator, const char* path);
sup_result supi_spool_put(supi_spool* spool, const sup_vec3* points, int32_t count);
/* From putting to reading. */
sup_result supi_spool_turn(supi_spool* spool);
/* `count` points from the `first` on. */
sup_result supi_spool_read(supi_spool* spool, uint64_t first, sup_vec3* points, int32_t count);
/* No more will be read. */
sup_result supi_spool_close(supi_spool* spool);
/* Removes the file; safe in every state, also when all is zero. */
void supi_spool_end(supi_spool* spool);

#endif
