/* Sums for quadratic goals: a loop of its own, as no processor has registers for all sums at once.
 */
#include "solve/member_lanes.h"

void SUPI_KERNEL(supi_bend_add)(const supi_members* members, int32_t begin, int32_t end,
                                const bend_chunk* chunk, supi_f8 sums[3 * SUPI_BEND_TERMS]);
void SUPI_KERNEL(supi_bend_end)(const supi_bend* bend, const float offset[3],
                                const supi_f8 sums[3 * SUPI_BEND_TERMS],
                                float out[3 * SUPI_BEND_TERMS]);

/* Adds w d times the products of two coordinates of q for the members begin .. end-1, a chunk. */
void SUPI_KERNEL(supi_bend_add)(const supi_members* members, int32_t begin, int32_t end,
                                const bend_chunk* chunk, supi_f8 sums[3 * SUPI_BEND_TERMS]) {
    const supi_members m = *members;
    for (int k = 0; k < 3; k++, sums += SUPI_BEND_TERMS) {
        supi_f8 xx = sums[0], yy = sums[1], zz = sums[2], xy = sums[3], yz = sums[4], zx = sums[5];
        for (int32_t i = begin; i < end; i += 8) {
            supi_f8 qx = f8_load(m.qx + i), qy = f8_load(m.qy + i), qz = f8_load(m.qz + i);
            supi_f8 wd = f8_load(chunk->wd[k] + (i - begin));
            supi_f8 x = f8_mul(wd, qx), y = f8_mul(wd, qy), z = f8_mul(wd, qz);
            xx = f8_madd(x, qx, xx);
            yy = f8_madd(y, qy, yy);
            zz = f8_madd(z, qz, zz);
            xy = f8_madd(x, qy, xy);
            yz = f8_madd(y, qz, yz);
            zx = f8_madd(z, qx, zx);
        }
        sums[0] = xx, sums[1] = yy, sums[2] = zz, sums[3] = xy, sums[4] = yz, sums[5] = zx;
    }
}

/* From sums over products to sums over b(q), which has units of the cluster's size and no mean.
   `offset` is sum w d. */
void SUPI_KERNEL(supi_bend_end)(const supi_bend* bend, const float offset[3],
                                const supi_f8 sums[3 * SUPI_BEND_TERMS],
                                float out[3 * SUPI_BEND_TERMS]) {
    float square = bend->scale * bend->scale;
    sum_all(sums, 3 * SUPI_BEND_TERMS, out);
    for (int k = 0; k < 3; k++, out += SUPI_BEND_TERMS) {
        for (int t = 0; t < SUPI_BEND_TERMS; t++) {
            out[t] = square * out[t] - offset[k] * bend->mean[t];
        }
    }
}
