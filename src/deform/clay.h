/* A surface that is pulled: what it is made of, and what a pull keeps for the next. */
#ifndef SUPPLE_DEFORM_CLAY_H
#define SUPPLE_DEFORM_CLAY_H

#include "deform/plan.h"
#include "deform/sweep.h"
#include "supple/deform.h"

/* Points, polygons and edges as they are after the last split; all arrays are the arena's. */
typedef struct supi_fabric {
    supi_arena arena;
    sup_mesh mesh; /* its points are used while it is built only */
    supi_graph graph;
    sup_row* rows;         /* (x, y, z, 1/(1 + mass)), by row of the graph */
    float* transfers;      /* by edge; NULL: none */
    float* firsts;         /* m, by edge: length at first, or when the edge was made */
    float* rests;          /* m, by edge: length that SUP_PULL_MEMORY wants */
    int32_t* point_from;   /* ids in the first mesh, -1: made by a split */
    int32_t* polygon_from; /* ids in the first mesh */
    int32_t value_width;   /* of corners */
    float* values;         /* (corner_count * value_width) */
    double mean_edge;      /* m, rounded down so that it depends on no order */
    bool light;            /* no point has a mass */
} supi_fabric;

/* What became of points. */
typedef struct supi_changes {
    supi_column list; /* sup_clay_event */
    int32_t count;
} supi_changes;

struct sup_clay {
    const sup_allocator* allocator;
    supi_tasks* tasks;
    const supi_sweep_kernels* kernels;
    bool keep_order;
    supi_fabric fabric;
    double first_mean_edge;          /* m, of the mesh as it came */
    supi_plan plan;                  /* while it is ready, it knows best where reached points are */
    supi_plan spare;                 /* the next one is made here */
    bool pulled;                     /* `plan` tells generations */
    bool remembers;                  /* `moved` tells what the last pull moved */
    supi_column places[2], steps[2]; /* sup_row: two generations, see sweep.h */
    supi_column moved;               /* sup_row by place of the plan */
    supi_column keys[2], picks[2];   /* of sources while they are sorted */
    supi_column sources, pulls;      /* int32_t rows of the graph; sup_vec3 */
    supi_changes changes, fresh;     /* by the last call; by the one under way */
    double shortest;                 /* m, edge; how it was when it was last measured */
    double drift;                    /* m, that it may have changed since; below 0: unknown */
};

/* Points that are pulled, each once, in the order of their ids; none is pinned. */
typedef struct supi_pull {
    const sup_pull_def* def;
    int32_t count;
    const int32_t* rows;              /* of the graph */
    const sup_vec3* by;               /* m */
    double most;                      /* m, the longest */
    struct supi_inserting* inserting; /* NULL, or what puts points into edges within passes */
} supi_pull;

/* The fabric of a mesh. The numbers of edges are their lengths; transfers are copied, or there is
   room for them. */
sup_result supi_fabric_build(supi_fabric* out, const sup_allocator* allocator, const sup_mesh* mesh,
                             const sup_clay_def* def, bool with_transfers, sup_error* error);
void supi_fabric_free(supi_fabric* fabric);
/* 1/(1 + mass), exactly 0 for what is pinned. */
float supi_fabric_give(float mass);
/* The shortest edge that has a length (0: there is none), and whether there are some without. */
double supi_fabric_shortest(const supi_fabric* fabric, bool* with_zero);

/* Room for `more` events behind those that are there, which the caller counts; NULL: no memory. */
sup_clay_event* supi_changes_grow(supi_changes* changes, const sup_allocator* allocator,
                                  int32_t more);
/* The call under way is done: what it changed is told from now on. */
void supi_clay_tell(sup_clay* clay);

/* Brings all places to the rows of the graph; the plan is no longer the one that knows. */
void supi_clay_settle(sup_clay* clay);

/* Passes of a pull that names no number. */
enum { SUPI_PASSES_MOST = 64 };
/* A plan for the pull and room for its passes; nothing has moved yet. False when memory is short:
   then the plan is that of before. */
bool supi_pull_prepare(sup_clay* clay, const supi_pull* pull);
/* One pass, which moves sources by `part` of what is asked. */
void supi_pull_pass(sup_clay* clay, const supi_pull* pull, double part);
/* How many passes are needed for a length; true in `capped` if there are too few. */
int32_t supi_pull_passes(sup_clay* clay, const supi_pull* pull, double length, int32_t most,
                         bool* capped);

#endif
