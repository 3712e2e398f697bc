/* See whole.h. */
#include "solve/whole.h"

#include "solve/cluster.h"

static float mass_of(const supi_spring_rows8* rows, int32_t row) {
    return rows[row / 8].mass[supi_lane_order(row & 7)];
}

void supi_whole_shift(const supi_spring_rows8* rows, int32_t row_count, int32_t locked, sup_row* r,
                      sup_row* dv) {
    double mass = 0.0, sum[3] = {0};
    for (int32_t i = 0; i < row_count; i++) {
        mass += (double)mass_of(rows, i);
        sum[0] += (double)r[i].x;
        sum[1] += (double)r[i].y;
        sum[2] += (double)r[i].z;
    }
    if (!(mass > 0.0)) return;
    float by[3];
    for (int k = 0; k < 3; k++) by[k] = locked & 1 << k ? 0.0f : (float)(sum[k] / mass);
    for (int32_t i = 0; i < row_count; i++) {
        float own = mass_of(rows, i);
        if (!(own > 0.0f)) continue;
        dv[i] = (sup_row){dv[i].x + by[0], dv[i].y + by[1], dv[i].z + by[2], dv[i].w};
        r[i] = (sup_row){r[i].x - own * by[0], r[i].y - own * by[1], r[i].z - own * by[2], r[i].w};
    }
}
