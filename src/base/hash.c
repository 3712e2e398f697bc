#include "base/hash.h"

#include <string.h>

uint64_t supi_hash_begin(void) { return UINT64_C(0x9e3779b97f4a7c15); }

/* A product moves a change of the top bit (a sign) nowhere: the turn brings it down before the
 * second one. */
uint64_t supi_hash_word(uint64_t hash, uint64_t word) {
    hash ^= word * UINT64_C(0xc4ceb9fe1a85ec53);
    hash = hash << 31 | hash >> 33;
    return hash * UINT64_C(0xff51afd7ed558ccd);
}

uint64_t supi_hash_double(uint64_t hash, double value) {
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    return supi_hash_word(hash, bits);
}

static uint64_t float_bits(float value) {
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    return bits;
}

uint64_t supi_hash_floats(uint64_t hash, const float* values, size_t count) {
    size_t i = 0;
    for (; i + 2 <= count; i += 2) {
        hash = supi_hash_word(hash, float_bits(values[i]) | float_bits(values[i + 1]) << 32);
    }
    return i < count ? supi_hash_word(hash, float_bits(values[i])) : hash;
}

/* Eight bytes per word, the last word filled with zeros; the size keeps it apart from real ones. */
uint64_t supi_hash_bytes(uint64_t hash, const uint8_t* bytes, size_t size) {
    for (size_t at = 0; at < size; at += 8) {
        uint64_t word = 0;
        size_t count = size - at < 8 ? size - at : 8;
        for (size_t i = 0; i < count; i++) word |= (uint64_t)bytes[at + i] << (8 * i);
        hash = supi_hash_word(hash, word);
    }
    return supi_hash_word(hash, size);
}
