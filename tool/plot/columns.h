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
    COLUMN_HASTE,
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
    COLUMN_SPRING_TORN,
    COLUMN_SPRING_ACTIVE,
    COLUMN_SPRING_LEVEL,
    COLUMN_THIN_CANDIDATES,
    COLUMN_THIN_ACTIVE,
    COLUMN_THIN_BOUNDED,
    COLUMN_THIN_CLAMPED,
    COLUMN_THIN_ZONED,
    COLUMN_THIN_ROUNDS,
    COLUMN_THIN_CROSSINGS,
    COLUMN_THIN_LEAST,
    COLUMN_THIN_LED,
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

/* What is told of every body of the scene file: "ball.energy", "ball.momentum.x". */
typedef enum part {
    PART_ENERGY,
    PART_MOMENTUM_X,
    PART_MOMENTUM_Y,
    PART_MOMENTUM_Z,
    PART_COUNT
} part;

#define BY_NAME_MOST 64 /* bodies of a scene file that are told one by one */

typedef struct columns {
    int32_t count, capacity;
    double* rows; /* columns_width each: those of the world, then PART_COUNT of each name */
    int32_t name_count;
    const char* names[BY_NAME_MOST]; /* of bodies, whoever owns them */
} columns;

/* Columns in all. Those from COLUMN_COUNT on are parts of names. */
static inline int32_t columns_width(const columns* c) {
    return COLUMN_COUNT + PART_COUNT * c->name_count;
}

/* One more frame; `parts` of all names. False: no memory, and nothing has changed. */
bool columns_add(columns* c, const sup_measures* measures, int64_t clusters,
                 const sup_profile* profile, const double (*parts)[PART_COUNT]);
void columns_free(columns* c);

/* The column of that name, bars may be left out: "momentum" is "|momentum|". columns_width: none.
 */
int32_t columns_find(const columns* c, const char* name, size_t length);

/* What a column is called; `name` of a part lies in `room`. */
column_info columns_info(const columns* c, int32_t which, char room[48]);

/* The column as a line of a chart, under its own name; `c` must have a row. Times of phases begin
   with the first step. */
chart_series columns_series(const columns* c, int32_t which);

#endif
