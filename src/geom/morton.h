/* Points in Morton order: neighbours in space become neighbours in memory. */
#ifndef SUPPLE_GEOM_MORTON_H
#define SUPPLE_GEOM_MORTON_H

#include "supple/base.h"

/* Interleaves the low 21 bits of three numbers: bit k of x, y, z becomes bit 3k, 3k + 1, 3k + 2. */
uint64_t supi_morton_code(uint32_t x, uint32_t y, uint32_t z);

/* order[new] = old for points along the Morton curve of the smallest cube around them, 2^21 cells a
   side; points of one cell keep their order. Point i is points[i * stride .. + 2], finite: stride 3
   for sup_vec3, 4 for sup_row. False when memory is short. */
bool supi_morton_order(const sup_allocator* allocator, int32_t count, const float* points,
                       int32_t stride, int32_t* order);

#endif
