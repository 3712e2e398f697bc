/* Scales of a chart: round ticks and their labels. */
#ifndef SUPPLE_TOOL_PLOT_AXIS_H
#define SUPPLE_TOOL_PLOT_AXIS_H

#include "supple/base.h"

#define AXIS_TICKS 64

typedef struct axis_tick {
    double value;
    char label[48];
} axis_tick;

typedef struct axis {
    bool log;
    double low, high;
    int32_t exponent; /* labels times 10^exponent are the values */
    int32_t tick_count;
    axis_tick ticks[AXIS_TICKS];
} axis;

/* About `wanted` ticks (2..20) from low to high, both at most 1e100 in size. `whole` moves the ends
   out to ticks; a range of no width is widened. */
axis axis_linear(double low, double high, int32_t wanted, bool whole);
/* Powers of ten around 0 < low <= high. */
axis axis_log(double low, double high, int32_t wanted);

/* Where a value lies, 0 at `low` and 1 at `high`. Values <= 0 have no place on a logarithmic axis.
 */
double axis_share(const axis* a, double value);

#endif
