/* Points that a pass puts into edges while it goes on (Bobrovsky and Romanovsky 1999, to the
   letter): where a child would be left too far behind a parent, a new point half-way follows that
   parent, and the child follows the new point. */
#ifndef SUPPLE_DEFORM_INSERT_H
#define SUPPLE_DEFORM_INSERT_H

#include "deform/clay.h"

/* A point for the edge of two ids, and where it has moved to. */
typedef struct supi_insert {
    int32_t ends[2]; /* lower first */
    sup_vec3 place;
    bool done; /* it is in the surface */
} supi_insert;

typedef struct supi_inserting {
    double longest;   /* over the first length */
    double least;     /* m: shorter edges get no point */
    int32_t budget;   /* points that may still come in this pass */
    bool over_budget; /* there were edges for more */
    bool failed;      /* memory was short: the pass is worth nothing */
    supi_column list; /* supi_insert, by generation and stretch */
    int32_t count;
    supi_column cuts, keys[2], picks[2]; /* of a generation while it is looked at */
    supi_column chosen;                  /* uint8_t by edge */
} supi_inserting;

/* Begins a pass with `budget` points; false when memory is short. */
bool supi_insert_begin(supi_inserting* inserting, const sup_clay* clay, int32_t budget);
/* A generation that a pass has just moved: puts points into its edges to the one above, and moves
   children of such edges anew. */
void supi_insert_level(supi_inserting* inserting, const sup_clay* clay, const supi_sweep* sweep,
                       int32_t level);
void supi_insert_free(supi_inserting* inserting, const sup_allocator* allocator);

#endif
