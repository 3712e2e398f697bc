#include "contact/neighbours.h"

#include "geom/vec8.h"

F8_INLINE vec8 points8(const supi_neighbour_columns* c, int32_t at) {
    return (vec8){f8_load(c->x + at), f8_load(c->y + at), f8_load(c->z + at)};
}

static int32_t sift(const supi_neighbour_columns* c, int32_t own, float reach, int32_t first,
                    int32_t end, int32_t* out) {
    const float at[3] = {c->x[own], c->y[own], c->z[own]};
    vec8 from = set8(at);
    supi_f8 room = f8_set(reach + c->room[own]);
    int32_t found = 0;
    for (int32_t i = first; i < end; i += 8) {
        vec8 way = minus8(points8(c, i), from);
        supi_f8 sum = f8_add(room, f8_load(c->room + i));
        uint32_t near = (uint32_t)m8_bits(f8_less(dot8(way, way), f8_mul(sum, sum)));
        if (end - i < 8) near &= (1u << (end - i)) - 1u;
        if (own >= i && own < i + 8) near &= ~(1u << (own - i));
        for (; near; near &= near - 1) out[found++] = i + __builtin_ctz(near);
    }
    return found;
}

const supi_neighbour_kernels SUPI_KERNEL(supi_neighbour_kernels) = {SUPI_SIMD_SET, sift};
