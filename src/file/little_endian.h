/* Numbers in the bytes of a file, lowest byte first, at any address and on every machine. */
#ifndef SUPPLE_FILE_LITTLE_ENDIAN_H
#define SUPPLE_FILE_LITTLE_ENDIAN_H

#include <stdint.h>
#include <string.h>

static inline uint16_t supi_little_u16(const uint8_t* bytes) {
    return (uint16_t)(bytes[0] | bytes[1] << 8);
}

static inline uint32_t supi_little_u32(const uint8_t* bytes) {
    return bytes[0] | (uint32_t)bytes[1] << 8 | (uint32_t)bytes[2] << 16 | (uint32_t)bytes[3] << 24;
}

static inline float supi_little_float(const uint8_t* bytes) {
    uint32_t bits = supi_little_u32(bytes);
    float value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

#endif
