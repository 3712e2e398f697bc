/* Bytes back to fields. It never reads beyond the end, and refuses what is out of range with the
   place. After the first refusal nothing more is read: fields keep the values they had, so that a
   walk needs to look only at the end. */
#ifndef SUPPLE_TAPE_UNPACK_H
#define SUPPLE_TAPE_UNPACK_H

#include "world/fields.h"

typedef struct supi_unpack {
    supi_visitor visitor;
    const uint8_t* data;
    size_t at, end;   /* bytes */
    uint64_t origin;  /* place of data[0] in the file that messages speak of */
    const char* name; /* of that file, for messages */
    const char* part; /* what is being read: "body" */
    int32_t index;    /* which of them; -1: there is only one */
    sup_result result;
    sup_error* error;
} supi_unpack;

supi_unpack supi_unpack_begin(const char* name, uint64_t origin, const uint8_t* data, size_t size,
                              sup_error* error);
/* From here on messages speak of this part. */
void supi_unpack_enter(supi_unpack* unpack, const char* part, int32_t index);

uint32_t supi_unpack_u32(supi_unpack* unpack, const char* field);
uint64_t supi_unpack_u64(supi_unpack* unpack, const char* field);
/* A number of things that take at least `least` bytes each: no more than there can be. 0 after a
   refusal. */
int32_t supi_unpack_count(supi_unpack* unpack, const char* field, size_t least);
/* Are there `count` things of `size` bytes? Refuses otherwise. */
bool supi_unpack_has(supi_unpack* unpack, const char* field, size_t count, size_t size);
/* `size` bytes as they lie there, or NULL. */
const uint8_t* supi_unpack_bytes(supi_unpack* unpack, const char* field, size_t size);

/* Refuses: "NAME: byte 123 (body 3, anchor): REASON". Only the first refusal counts. */
void supi_unpack_refuse(supi_unpack* unpack, const char* field, const char* format, ...)
    __attribute__((format(printf, 3, 4)));
/* Ends for want of memory, or with the words of another call. */
void supi_unpack_memory(supi_unpack* unpack);
void supi_unpack_wrap(supi_unpack* unpack, const char* field, const sup_error* cause);

#endif
