/* How groups hang together: firmly, by joints, or not at all. */
#ifndef SUPPLE_BLUEPRINT_JOINTS_H
#define SUPPLE_BLUEPRINT_JOINTS_H

#include "blueprint/groups.h"

/* Two parts that share one particle, or several on a line. */
typedef struct supi_joint {
    int32_t count;     /* of such joints; the rest is of the first one */
    int32_t groups[2]; /* the first of either part that takes part in it */
    int32_t rows[2];   /* shared particles; the second of a hinge only */
} supi_joint;

/* Groups that share three particles off a line with a group of a part belong to that part. Parts
   that share anything belong to one piece. */
typedef struct supi_joints {
    int32_t part_count, piece_count;
    int32_t loose; /* a group of the second piece, or -1 */
    supi_joint balls, hinges;
} supi_joints;

/* Particles without weight hold nothing together. False: no memory. */
bool supi_joints_find(const supi_groups* groups, const sup_blueprint* blueprint,
                      supi_arena* scratch, supi_joints* out);

/* Drops groups without weight; refuses those that leave a row out or, unless joints are allowed,
   fall into parts. */
sup_result supi_joints_verify(supi_groups* groups, const sup_blueprint* blueprint,
                              bool allow_joints, supi_arena* scratch, sup_error* error);

#endif
