#include "solve/yield.h"

#include "solve/cluster.h"

#include <math.h>

void supi_yield_flow(const sup_spring_yield* yield, double h, const sup_spring* springs,
                     int32_t begin, int32_t end, const sup_row* x, float* lengths) {
    const float share = (float)(h < yield->time ? h / yield->time : 1.0);
    const float strain = (float)yield->strain, most = 1.0f + (float)yield->limit;
    for (int32_t i = begin; i < end; i++) {
        const sup_spring* s = springs + i;
        const sup_row *a = x + s->a, *b = x + s->b;
        float d[3] = {b->x - a->x, b->y - a->y, b->z - a->z};
        float stretch = sqrtf(d[0] * d[0] + d[1] * d[1] + d[2] * d[2]) - lengths[i];
        float elastic = strain * s->length, flow = 0.0f;
        if (stretch > elastic) flow = stretch - elastic;
        if (stretch < -elastic && !s->slack) flow = stretch + elastic;
        if (flow == 0.0f) continue;
        float next = lengths[i] + share * flow, low = s->length / most, high = s->length * most;
        lengths[i] = next < low ? low : next > high ? high : next;
    }
}

void supi_yield_spread(const supi_spring_net* net, const sup_spring* springs, int32_t begin,
                       int32_t end, const float* lengths, float* sides) {
    for (int32_t at = 8 * net->columns[begin]; at < 8 * net->columns[end]; at++) {
        int32_t spring = net->spring[at];
        if (spring < 0) continue;
        sides[supi_lane_order(at)] = springs[spring].slack ? -lengths[spring] : lengths[spring];
    }
}
