/* The numbers of every frame, by name: rows as they come, columns for charts and tables. */
#ifndef SUPPLE_TOOL_PLOT_COLUMNS_H
#define SUPPLE_TOOL_PLOT_COLUMNS_H

#include "plot/chart.h"
#include "supple/supple.h"

typedef enum column {
    COLUMN_TIME,
    COLUMN_KINETIC,
    COLUMN_POTENTIAL,
    COLUMN_ELASTIC,
    COLUMN_ENERGY,
    COLUMN_MOMENTUM_X,
    COLUMN_MOMENTUM_Y,
    COLUMN_MOMENTUM_Z,
    COLUMN_MOMENTUM,
    COLUMN_ANGULAR_X,
    COLUMN_ANGULAR_Y,
    COLUMN_ANGULAR_Z,
    COLUMN_ANGULAR,
    COLUMN_TOP_SPEED,
    COLUMN_STRAIN_LARGEST,
    COLUMN_STRAIN_MEAN,
    COLUMN_CONTACTS,
    COLUMN_CLUSTERS,
    COLUMN_DEEPEST,
    COLUMN_DEEPEST_SHARE,
    COLUMN_SPRING_ENERGY,
    COLUMN_SPRING_MEAN_STRAIN,
    COLUMN_SPRING_MOST_STRAIN,
    COLUMN_SPRING_STEPS,
    COLUMN_SPRING_REJECTED,
    COLUMN_SPRING_FORCED,
    COLUMN_SPRING_FREQUENCY,
    COLUMN_SPRING_ITERATIONS,
    COLUMN_SPRING_RESIDUAL,
    COLUMN_SPRING_EXCESS,
    COLUMN_MS_BEGIN,
    COLUMN_MS_INTEGRATE,
    COLUMN_MS_CONTACTS,
    COLUMN_MS_PROJECT,
    COLUMN_MS_SETTLE,
    COLUMN_MS_TOTAL,
    COLUMN_COUNT
} column;

typedef struct column_info {
    const char* name; /* "momentum.x", "|momentum|" */
    const char* unit; /* "": none */
    const char* meaning;
} column_info;
extern const column_info column_table[COLUMN_COUNT];

typedef struct columns {
    int32_t count, capacity;
    double (*rows)[COLUMN_COUNT];
} columns;

/* One more frame. False: no memory, and nothing has changed. */
bool columns_add(columns* c, const sup_measures* measures, int64_t clusters,
                 const sup_profile* profile);
void columns_free(columns* c);

/* The column of that name, bars may be left out: "momentum" is "|momentum|". COLUMN_COUNT: none. */
column columns_find(const char* name, size_t length);

/* The column as a line of a chart, under its own name; `c` must have a row. Times of phases begin
   with the first step. */
chart_series columns_series(const columns* c, column which);

#endif
