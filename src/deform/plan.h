/* Who follows whom when certain points are pulled: generations, parents, and rows in the order in
   which a pass goes over them. It is made once and serves until other points are pulled. */
#ifndef SUPPLE_DEFORM_PLAN_H
#define SUPPLE_DEFORM_PLAN_H

#include "base/column.h"
#include "base/tasks.h"
#include "deform/graph.h"

/* Places are positions in the plan; each generation begins at a multiple of 8. */
typedef struct supi_plan {
    const sup_allocator* allocator;
    bool ready;
    int32_t reached;     /* points */
    int32_t level_count; /* generations, that of the sources included */
    int32_t widest;      /* places of the largest generation, a multiple of 8 */
    supi_column places;  /* int32_t: the place of each row of the graph, -1: not reached */
    supi_column order;   /* int32_t: the row of each place; -1: padding */
    supi_column levels;  /* int32_t: the first place of each generation, and the end of the last */
    supi_column widths;  /* int32_t: points of each generation */
    supi_column rows;    /* sup_row: (x, y, z, 1/((1 + mass) parents)) by place */
    supi_column columns; /* int32_t: first column of each batch of 8 places, and the end */
    supi_column parents; /* int32_t: by column and place in its batch; see sweep.h */
    supi_column weights; /* float: transfers of the edges, by column and lane, or empty */
    supi_column rests;   /* float: their first lengths, or empty */
    supi_column ways, counts; /* of a generation while it is searched */
    supi_column fresh;        /* uint8_t by row: 1 where the search has not been */
    /* what it was made for */
    supi_column sources; /* int32_t: rows of the graph */
    int32_t source_count, depth;
    bool pins_block, weighted, resting;
} supi_plan;

typedef struct supi_plan_order {
    int32_t source_count;
    const int32_t* sources; /* rows of the graph, each once */
    int32_t depth;          /* generations after the sources; INT32_MAX: all */
    bool pins_block;
    const float* transfers;  /* by edge; NULL: none */
    const float* rests;      /* lengths by edge; NULL: none */
    const supi_plan* before; /* never NULL; where it is ready, it knows where points are */
    bool light;              /* no point has a mass */
} supi_plan_order;

/* `rows` are those of the graph: (x, y, z, 1/(1 + mass)). False when memory is short: then there is
   no plan. */
bool supi_plan_make(supi_plan* plan, const supi_graph* graph, const sup_row* rows,
                    supi_tasks* tasks, const supi_plan_order* order);
/* Whether it would be made again as it is. */
bool supi_plan_fits(const supi_plan* plan, const supi_plan_order* order);
/* Brings the places of points back to the rows of the graph. */
void supi_plan_bring_back(const supi_plan* plan, sup_row* rows);
/* The same for points that `next`, which was made with this plan before, does not reach. */
void supi_plan_leave(const supi_plan* plan, const supi_plan* next, int32_t point_count,
                     sup_row* rows);
void supi_plan_free(supi_plan* plan);

#define SUPI_PLAN_INTS(column) ((int32_t*)(column).items)

#endif
