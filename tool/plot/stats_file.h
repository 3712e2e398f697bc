/* A file that `supple run --stats` has written, read back strictly. */
#ifndef SUPPLE_TOOL_PLOT_STATS_FILE_H
#define SUPPLE_TOOL_PLOT_STATS_FILE_H

#include "base/arena.h"
#include "plot/columns.h"

typedef struct stats_file {
    supi_arena store;
    const char* scene; /* the path it was made from */
    columns numbers;   /* at least one row */
} stats_file;

/* Refuses all that `run` would not write, with file:line:column. A failure leaves nothing to free.
 */
sup_result stats_file_read(const char* path, stats_file* out, sup_error* error);
void stats_file_free(stats_file* file);

#endif
