/* Surfaces whose edges are split where they become too long, and joined or split where they become
   too short. */
#ifndef SUPPLE_DEFORM_SPLIT_H
#define SUPPLE_DEFORM_SPLIT_H

#include "deform/clay.h"
#include "deform/insert.h"

/* All passes of a pull, each followed by its splits. False when memory is short: then the surface
   is as before. */
bool supi_pull_splitting(sup_clay* clay, supi_pull* pull, sup_pull_report* report);

/* What edges of a fabric are to be changed. */
typedef struct supi_edge_rule {
    double longest;  /* over the first length; 0: none is split */
    double shortest; /* over the first length; 0: none is too short */
    bool split_short;
    double length; /* m; above 0: edges longer than this that come within `reach` of `centre` are
                      split, and no others */
    double centre[3], reach;
    double least; /* m: shorter edges are never split */
    int32_t budget;
    int32_t point_limit;
    const int32_t* sources; /* ids, sorted: points that stay where they are */
    int32_t source_count;
    supi_insert* inserts; /* NULL, or the points that edges get, and no others */
    int32_t insert_count;
} supi_edge_rule;

/* How long an edge is, m, and over its length at first (0: that had none). */
double supi_edge_length(const supi_fabric* fabric, int32_t edge);
double supi_edge_stretch(const supi_fabric* fabric, int32_t edge);
/* 1/(1 + mass) of a point in the middle of an edge: as the free end, else by the mean mass. */
float supi_edge_middle_give(const supi_fabric* fabric, int32_t edge);
/* The edge of two ids, or -1. */
int32_t supi_edge_find(const supi_fabric* fabric, int32_t a, int32_t b);

/* Edge ids by `strain`, the greatest first; the arena's. NULL when memory is short. Edges of strain
   0 are left out. */
int32_t* supi_edge_rank(supi_arena* arena, const supi_fabric* fabric,
                        double (*strain)(const supi_fabric*, int32_t edge,
                                         const supi_edge_rule* rule),
                        const supi_edge_rule* rule, int32_t* count);

/* One round: no face is touched twice. *count edges are changed, as `changes` tells at its end;
   where there are any, `out` is a fabric of its own, and the old one is as it was. False when
   memory is short: nothing changed. */
bool supi_split_round(const supi_fabric* fabric, const sup_clay* clay, const supi_edge_rule* rule,
                      supi_changes* changes, int32_t* count, supi_fabric* out);
/* The same for edges that become one point. `to_new` (point_count) gets the new id of each point.
 */
bool supi_collapse_round(const supi_fabric* fabric, const sup_clay* clay,
                         const supi_edge_rule* rule, supi_changes* changes, int32_t* count,
                         int32_t* to_new, supi_fabric* out);

#endif
