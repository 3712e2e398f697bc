/* Records: what a tape is made of. See docs/tape-format.md.

   A file begins with magic and version. Each record is a head (type, frame, bytes of its content),
   the content, and a checksum of both. Behind the last record, the index, a footer says where that
   begins. */
#ifndef SUPPLE_TAPE_RECORD_H
#define SUPPLE_TAPE_RECORD_H

#include "supple/base.h"

#define SUPI_TAPE_MAGIC "\x89SUPT\r\n\x1a"
#define SUPI_TAPE_END_MAGIC "\x89SUPE\r\n\x1a"
#define SUPI_TAPE_VERSION 2

enum {
    SUPI_TAPE_START = 12,   /* bytes before the first record: magic 8, version 4 */
    SUPI_TAPE_FOOTER = 24,  /* bytes: place of the index 8, its checksum 8, magic 8 */
    SUPI_RECORD_HEAD = 16,  /* bytes: type 4, frame 4, size 8 */
    SUPI_RECORD_TAIL = 8,   /* bytes: checksum */
    SUPI_RECORD_EXTRA = 24, /* both */
    SUPI_CHOICE_SIZE = 8    /* content of a choice: body 4, level 4 */
};

/* Types, as four letters in the file. */
#define SUPI_RECORD_HEADER "HEAD"
#define SUPI_RECORD_FRAME "FRAM"
#define SUPI_RECORD_SNAPSHOT "SNAP"
#define SUPI_RECORD_CHOICE "DETL"
#define SUPI_RECORD_INDEX "INDX"

typedef struct supi_record {
    char type[5];
    int32_t frame;   /* 0 for header and index */
    uint64_t offset; /* of its head, in the file */
    uint64_t size;   /* of its content */
} supi_record;

void supi_record_head(const supi_record* record, uint8_t bytes[SUPI_RECORD_HEAD]);
uint64_t supi_record_checksum(const uint8_t head[SUPI_RECORD_HEAD], const uint8_t* content,
                              size_t size);
void supi_record_footer(uint64_t index, uint8_t bytes[SUPI_TAPE_FOOTER]);
/* Where the index is; false: this is no footer. */
bool supi_record_read_footer(const uint8_t bytes[SUPI_TAPE_FOOTER], uint64_t* index);

/* A tape that is open to be read. */
typedef struct supi_tape_file {
    const sup_allocator* allocator;
    const sup_file_gate* gate;
    void* file;
    const char* path; /* for messages */
    uint64_t size;    /* bytes */
    uint8_t* content; /* of the record read last */
    size_t room;
} supi_tape_file;

/* SUP_NOT_FOUND: the file ends within the record; it says nothing then, for that is no fault.
   SUP_BAD_FILE: its bytes are damaged. */
sup_result supi_record_read(supi_tape_file* file, uint64_t offset, supi_record* out,
                            sup_error* error);
/* The same where there is no doubt that it must be such a record of such a size. */
sup_result supi_record_expect(supi_tape_file* file, const supi_record* expected, sup_error* error);
static inline uint64_t supi_record_end(const supi_record* record) {
    return record->offset + record->size + SUPI_RECORD_EXTRA;
}
void supi_record_release(supi_tape_file* file);

/* "PATH: byte N (WHAT): REASON", SUP_BAD_FILE. */
sup_result supi_record_refuse(const supi_tape_file* file, uint64_t offset, const char* what,
                              int32_t frame, const char* reason, sup_error* error);
/* What a failed read of the file from `offset` on is called. */
sup_result supi_record_fail(const supi_tape_file* file, uint64_t offset, sup_result result,
                            sup_error* error);

#endif
