/* The inside of a tape that is read, also by a recorder that goes on with one. */
#ifndef SUPPLE_TAPE_TAPE_H
#define SUPPLE_TAPE_TAPE_H

#include "base/arena.h"
#include "base/column.h"
#include "tape/head.h"
#include "tape/record.h"

typedef struct supi_place {
    int32_t frame;
    uint64_t offset; /* of the record */
} supi_place;

struct sup_tape {
    supi_tape_file file;
    supi_arena arena; /* path and header */
    supi_head head;
    supi_record header;    /* its record */
    supi_column frames;    /* uint64_t, offsets (frame_count) */
    supi_column snapshots; /* supi_place (snapshot_count), frames ascend */
    supi_column choices;   /* sup_detail_choice (choice_count), frames never fall */
    int32_t frame_count, snapshot_count, choice_count;
    uint64_t end; /* where the records end that belong together */
    bool whole;
};

/* Adds a record behind the others. False when memory is short. */
bool supi_tape_add_frame(sup_tape* tape, uint64_t offset);
bool supi_tape_add_snapshot(sup_tape* tape, int32_t frame, uint64_t offset);
bool supi_tape_add_choice(sup_tape* tape, sup_detail_choice choice);

/* A tape in a file that is open; it takes the file over, and closes it when it fails. With
   `forgiving`, damage ends the tape as a cut does, and SUP_NOT_FOUND says that not even the header
   is there. */
sup_result supi_tape_read(const sup_allocator* allocator, const sup_file_gate* gate, void* file,
                          const char* path, bool forgiving, sup_tape** out, sup_error* error);
/* Frees all but leaves the file open. */
void supi_tape_free(sup_tape* tape);

/* Reads the record of snapshot number i; its content is then the file's. */
sup_result supi_tape_read_snapshot(sup_tape* tape, int32_t i, supi_record* record,
                                   sup_error* error);

/* Bytes of the content of the index. */
size_t supi_tape_index_size(const sup_tape* tape);
void supi_tape_pack_index(supi_pack* pack, const sup_tape* tape);

#endif
