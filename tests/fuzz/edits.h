/* Bytes that a script changes here and there, so that inputs of a few bytes get deep into formats
   with sizes and checksums, and no input grows stale when a format changes. An edit names a part of
   the bytes and a place in it. */
#ifndef SUPPLE_TESTS_FUZZ_EDITS_H
#define SUPPLE_TESTS_FUZZ_EDITS_H

#include <math.h>

#include "fuzz/input.h"

enum { FUZZ_PARTS = 64, FUZZ_EDITS = 32, FUZZ_EDIT_LENGTH = 64 };

/* Bytes with room to grow. */
typedef struct fuzz_bytes {
    uint8_t* data;
    size_t size, room;
} fuzz_bytes;

/* A stretch of the bytes; at `size_at` of it stands a u64, the bytes of its content. */
typedef struct fuzz_part {
    size_t start, size;
    size_t size_at; /* 0: it tells no size */
} fuzz_part;

/* Cuts bytes, however damaged, into parts; returns how many, 1..FUZZ_PARTS. */
typedef int32_t fuzz_split(const uint8_t* data, size_t size, fuzz_part parts[FUZZ_PARTS]);

static inline fuzz_bytes fuzz_bytes_copy(const uint8_t* data, size_t size) {
    fuzz_bytes bytes = {.size = size, .room = size + FUZZ_EDITS * FUZZ_EDIT_LENGTH};
    bytes.data = malloc(bytes.room);
    FUZZ_REQUIRE(bytes.data);
    if (size > 0) memcpy(bytes.data, data, size);
    return bytes;
}

static inline void fuzz_store(uint8_t* bytes, uint64_t value, size_t width) {
    for (size_t i = 0; i < width; i++) bytes[i] = (uint8_t)(value >> (8 * i));
}

static inline uint64_t fuzz_fetch(const uint8_t* bytes, size_t width) {
    fuzz_input input = {bytes, width};
    return fuzz_take(&input, width);
}

/* Overwrites, as far as there is something. */
static inline void fuzz_bytes_set(fuzz_bytes* bytes, size_t at, uint64_t value, size_t width) {
    if (at <= bytes->size && bytes->size - at >= width) fuzz_store(bytes->data + at, value, width);
}

static inline void fuzz_bytes_insert(fuzz_bytes* bytes, size_t at, size_t count) {
    if (bytes->room - bytes->size < count) return;
    memmove(bytes->data + at + count, bytes->data + at, bytes->size - at);
    memset(bytes->data + at, 0, count);
    bytes->size += count;
}

static inline void fuzz_bytes_remove(fuzz_bytes* bytes, size_t at, size_t count) {
    size_t left = bytes->size - at;
    if (count > left) count = left;
    memmove(bytes->data + at, bytes->data + at + count, left - count);
    bytes->size -= count;
}

/* What a part says of its size follows from `change`, or it stays a lie. */
static inline void fuzz_part_resize(fuzz_bytes* bytes, const fuzz_part* part, size_t change) {
    size_t at = part->start + part->size_at;
    if (part->size_at == 0 || bytes->size < at + 8) return;
    fuzz_store(bytes->data + at, fuzz_fetch(bytes->data + at, 8) + change, 8);
}

/* Numbers that readers stumble over, as bits of doubles and floats. */
static inline uint64_t fuzz_odd_number(fuzz_input* input, size_t* width) {
    static const double odd[] = {0.0,  -0.0, 1.0,   -1.0,   1e-300, 1e-12,  1e7,      1e12,
                                 1e15, 1e30, 1e300, -1e300, 5e-324, 0.0625, INFINITY, NAN};
    uint64_t bits = 0;
    double value = odd[fuzz_pick(input, 16)];
    float single = (float)(value > 3e38 && value < 1e301 ? 3e38 : value < -3e38 ? -3e38 : value);
    *width = fuzz_pick(input, 2) ? 8 : 4;
    memcpy(&bits, *width == 8 ? (const void*)&value : &single, *width);
    return bits;
}

static inline void fuzz_edit(fuzz_bytes* bytes, fuzz_input* input, fuzz_split* split) {
    fuzz_part parts[FUZZ_PARTS];
    int32_t count = split(bytes->data, bytes->size, parts);
    int32_t kind = fuzz_pick(input, 12);
    fuzz_part part = parts[fuzz_pick(input, count)];
    size_t offset = (size_t)fuzz_take(input, 2) % (part.size + 1), at = part.start + offset;
    size_t length = 1 + (size_t)fuzz_pick(input, FUZZ_EDIT_LENGTH), width;
    uint64_t number;
    switch (kind) {
    case 0: fuzz_bytes_set(bytes, at, fuzz_take(input, 1), 1); break;
    case 1: fuzz_bytes_set(bytes, at, fuzz_take(input, 4), 4); break;
    case 2: fuzz_bytes_set(bytes, at, fuzz_take(input, 8), 8); break;
    case 3: fuzz_bytes_set(bytes, at, fuzz_take(input, 1), 4); break; /* a small count */
    case 4:
        number = fuzz_odd_number(input, &width);
        fuzz_bytes_set(bytes, at, number, width);
        break;
    case 5: /* one more, one less */
        if (at == bytes->size) break;
        bytes->data[at] = (uint8_t)(bytes->data[at] + (fuzz_pick(input, 2) ? 1 : 255));
        break;
    case 6: fuzz_bytes_insert(bytes, at, length); break;
    case 7: fuzz_bytes_remove(bytes, at, length); break;
    case 8:
        fuzz_bytes_insert(bytes, at, length);
        fuzz_part_resize(bytes, &part, length);
        break;
    case 9:
        length = length < part.size - offset ? length : part.size - offset;
        fuzz_bytes_remove(bytes, at, length);
        fuzz_part_resize(bytes, &part, 0 - length);
        break;
    case 10: fuzz_bytes_remove(bytes, part.start, part.size); break;
    default: bytes->size = at < bytes->size ? at : bytes->size; break;
    }
}

static inline void fuzz_edit_all(fuzz_bytes* bytes, fuzz_input* input, fuzz_split* split) {
    for (int i = 0; i < FUZZ_EDITS && input->left > 0; i++) fuzz_edit(bytes, input, split);
}

#endif
