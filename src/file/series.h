/* A file that lists numbered others (NAME.pvd and NAME-000000.vtu ...): all take their names
   together, or none does. They wait at their temporary names (supi_writer_park) until then, so that
   nothing is kept for each of them. */
#ifndef SUPPLE_FILE_SERIES_H
#define SUPPLE_FILE_SERIES_H

#include "base/file_io.h"

/* In the place of a number: the file that lists the others. */
#define SUPI_SERIES_LIST (-1)

typedef struct supi_series {
    const sup_file_gate* gate;
    const sup_allocator* allocator;
    const char* list_ending;   /* ".pvd" */
    const char* number_ending; /* ".vtu" */
    size_t stem, room;
    char *name, *temporary, *aside; /* of the file last chosen (room each) */
} supi_series;

/* The first `stem` bytes of `path` begin all names. False when memory is short. */
bool supi_series_begin(supi_series* series, const char* path, size_t stem);
/* The name of a file; valid until the next call. */
const char* supi_series_name(supi_series* series, int32_t number);
/* Gives the list and the numbers 0 .. count - 1 their names, the list last. Old files of these
   names wait aside (as NAME.PROCESS.part-old), the old list first, so that no list ever stands
   beside files of two series; they come back when a name fails. All must be parked; after a failure
   those that have not taken their names still are. */
sup_result supi_series_commit(supi_series* series, int32_t count, sup_error* error);
/* Removes what is parked of the numbers first .. count - 1. */
void supi_series_drop(supi_series* series, int32_t first, int32_t count);
void supi_series_free(supi_series* series);

#endif
