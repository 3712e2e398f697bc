/* Fields to bytes: little-endian, one number after the other, no padding. */
#ifndef SUPPLE_TAPE_PACK_H
#define SUPPLE_TAPE_PACK_H

#include "world/fields.h"

/* Bytes of one number. */
size_t supi_pack_width(supi_visit_kind kind);
/* The bytes of number i of a field, as many as its width. */
void supi_pack_number(const supi_visited* field, size_t i, uint8_t bytes[8]);

static inline void supi_pack_store(uint8_t* bytes, uint64_t value, size_t width) {
    for (size_t i = 0; i < width; i++) bytes[i] = (uint8_t)(value >> (8 * i));
}
static inline uint64_t supi_pack_fetch(const uint8_t* bytes, size_t width) {
    uint64_t value = 0;
    for (size_t i = 0; i < width; i++) value |= (uint64_t)bytes[i] << (8 * i);
    return value;
}

/* Without `data` it only counts: walk once to learn the size, then again to write. */
typedef struct supi_pack {
    supi_visitor visitor;
    uint8_t* data;
    size_t size; /* bytes so far */
} supi_pack;

supi_pack supi_pack_begin(uint8_t* data);
void supi_pack_bytes(supi_pack* pack, const void* bytes, size_t size);
void supi_pack_u32(supi_pack* pack, uint32_t value);
void supi_pack_u64(supi_pack* pack, uint64_t value);

/* Looks whether fields are the same as the bytes of others. */
typedef struct supi_match {
    supi_visitor visitor;
    const uint8_t* data;
    size_t size, at;
    bool differs;
} supi_match;

supi_match supi_match_begin(const uint8_t* data, size_t size);
/* After the walk: the same in all, and nothing left over? */
bool supi_match_same(const supi_match* match);

#endif
