/* A fast 64-bit hash of numbers in a given order: the fingerprint of a world. Not for secrets. */
#ifndef SUPPLE_BASE_HASH_H
#define SUPPLE_BASE_HASH_H

#include <stddef.h>
#include <stdint.h>

uint64_t supi_hash_begin(void);
uint64_t supi_hash_word(uint64_t hash, uint64_t word);
uint64_t supi_hash_double(uint64_t hash, double value);
/* Floats by their bits, two per word. */
uint64_t supi_hash_floats(uint64_t hash, const float* values, size_t count);
/* Any bytes, the same on every machine. A change of up to eight neighbours always shows. */
uint64_t supi_hash_bytes(uint64_t hash, const uint8_t* bytes, size_t size);

#endif
