/* Points in Morton order: neighbours in space become neighbours in memory. */
#include "geom/morton.h"

#include "base/memory.h"
#include "geom/sort.h"

#define CELLS 2097152.0 /* 2^21 a side: three coordinates fill 63 bits */

/* Moves bit k of the low 21 bits to bit 3k. */
static uint64_t spread(uint64_t x) {
    x &= 0x1fffff;
    x = (x | x << 32) & 0x001f00000000ffff;
    x = (x | x << 16) & 0x001f0000ff0000ff;
    x = (x | x << 8) & 0x100f00f00f00f00f;
    x = (x | x << 4) & 0x10c30c30c30c30c3;
    x = (x | x << 2) & 0x1249249249249249;
    return x;
}

uint64_t supi_morton_code(uint32_t x, uint32_t y, uint32_t z) {
    return spread(x) | spread(y) << 1 | spread(z) << 2;
}

static void find_codes(int32_t count, const float* points, int32_t stride, uint64_t* codes) {
    double low[3] = {0.0, 0.0, 0.0}, high[3] = {0.0, 0.0, 0.0}, side = 0.0;
    for (int32_t i = 0; i < count; i++) {
        for (int k = 0; k < 3; k++) {
            double x = (double)points[(int64_t)i * stride + k];
            if (i == 0 || x < low[k]) low[k] = x;
            if (i == 0 || x > high[k]) high[k] = x;
        }
    }
    for (int k = 0; k < 3; k++) side = high[k] - low[k] > side ? high[k] - low[k] : side;
    for (int32_t i = 0; i < count; i++) {
        uint32_t cell[3] = {0, 0, 0};
        for (int k = 0; k < 3 && side > 0.0; k++) {
            double x = ((double)points[(int64_t)i * stride + k] - low[k]) / side * CELLS;
            cell[k] = x < CELLS ? (uint32_t)x : (uint32_t)CELLS - 1;
        }
        codes[i] = supi_morton_code(cell[0], cell[1], cell[2]);
    }
}

bool supi_morton_order(const sup_allocator* allocator, int32_t count, const float* points,
                       int32_t stride, int32_t* order) {
    size_t size = (size_t)count;
    uint64_t* codes = supi_memory_new(allocator, size, sizeof(uint64_t));
    uint64_t* scratch_codes = supi_memory_new(allocator, size, sizeof(uint64_t));
    int32_t* scratch_order = supi_memory_new(allocator, size, sizeof(int32_t));
    bool enough = codes && scratch_codes && scratch_order;
    if (enough) {
        find_codes(count, points, stride, codes);
        for (int32_t i = 0; i < count; i++) order[i] = i;
        supi_sort_keys(count, codes, order, scratch_codes, scratch_order);
    }
    supi_memory_free(allocator, codes, size, sizeof(uint64_t));
    supi_memory_free(allocator, scratch_codes, size, sizeof(uint64_t));
    supi_memory_free(allocator, scratch_order, size, sizeof(int32_t));
    return enough;
}
