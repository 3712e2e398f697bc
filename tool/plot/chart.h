/* A line chart as SVG: thin grid, round ticks, legend, readable on light and on dark paper. */
#ifndef SUPPLE_TOOL_PLOT_CHART_H
#define SUPPLE_TOOL_PLOT_CHART_H

#include "plot/markup.h"

#define CHART_SERIES 8    /* lines in a chart; there are as many colours */
#define CHART_POINTS 2000 /* of a line; longer ones keep the extremes of every part */

/* Numbers over time, in arrays of structs: one lies `stride` doubles after the other. */
typedef struct chart_series {
    char name[48];
    const char* unit; /* "": none */
    const double* times;
    const double* values;
    int32_t count, stride;
    int32_t colour; /* 0 .. CHART_SERIES - 1 */
    bool dashed;
} chart_series;

typedef struct chart {
    const char* title;
    const char *across, *across_unit; /* what `times` are; NULL: time in s */
    int32_t width, height;            /* px */
    bool log;                         /* values <= 0 are left out */
    bool standalone; /* a whole SVG file with title and paper; else for inside an HTML page */
    int32_t series_count;
    chart_series series[CHART_SERIES];
} chart;

/* At least one series, each with at least one number, none larger than 1e100. */
void chart_write(markup* m, const chart* c);
/* As a file of its own. */
sup_result chart_save(const chart* c, const char* path, sup_error* error);
/* The CSS rules of all charts, once for an HTML page. */
void chart_write_style(markup* m);

/* The first series with another unit than series 0; series_count: there is none. */
int32_t chart_other_unit(const chart* c);
/* Smallest and largest value; for a logarithmic chart of those above 0. False: there are none, and
   both are 0. */
bool chart_range(const chart_series* series, bool log, double* low, double* high);

#endif
