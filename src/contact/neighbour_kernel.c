#include "contact/neighbours.h"

#include "geom/pick8.h"
#include "geom/vec8.h"

static int32_t sift(const supi_neighbour_columns* c, int32_t own, const supi_neighbour_run* runs,
                    int32_t run_count, int32_t* out) {
    const float at[3] = {c->x[own], c->y[own], c->z[own]};
    const float speed[3] = {c->vx[own], c->vy[own], c->vz[own]};
    vec8 from = set8(at), moves = set8(speed);
    supi_f8 reach = f8_set(c->reach), ahead = f8_set(c->ahead), least = f8_set(c->least);
    supi_f8 most = f8_set(c->most);
    int32_t found = 0;
    for (int32_t r = 0; r < run_count; r++) {
        int32_t end = runs[r].end;
        for (int32_t i = runs[r].first; i < end; i += 8) {
            vec8 way =
                minus8((vec8){f8_load(c->x + i), f8_load(c->y + i), f8_load(c->z + i)}, from);
            vec8 dv =
                minus8((vec8){f8_load(c->vx + i), f8_load(c->vy + i), f8_load(c->vz + i)}, moves);
            supi_f8 slack = f8_madd(ahead, f8_sqrt(dot8(dv, dv)), least);
            supi_f8 sum = f8_add(reach, f8_min(slack, most));
            uint32_t near = (uint32_t)m8_bits(f8_less(dot8(way, way), f8_mul(sum, sum)));
            uint32_t left = (uint32_t)(end - i), self = (uint32_t)(own - i);
            near &= left < 8 ? (1u << left) - 1u : 255u;
            near &= self < 8 ? ~(1u << self) : 255u;
            found += pick8((int)near, i, out + found);
        }
    }
    return found;
}

const supi_neighbour_kernels SUPI_KERNEL(supi_neighbour_kernels) = {SUPI_SIMD_SET, sift};
