/* Lists of rows: the clusters of a blueprint before they get their numbers. */
#ifndef SUPPLE_BLUEPRINT_GROUPS_H
#define SUPPLE_BLUEPRINT_GROUPS_H

#include "blueprint/blueprint.h"

/* Group g holds the rows members[starts[g]] .. members[starts[g + 1] - 1], ascending, each once. */
typedef struct supi_groups {
    int32_t count;
    int32_t* starts; /* (count + 1) */
    int32_t* members;
} supi_groups;

/* The other way round: row r lies in the groups groups[starts[r]] .., ascending. */
typedef struct supi_group_index {
    int32_t* starts; /* (row count + 1) */
    int32_t* groups;
} supi_group_index;

/* Sorts (group, row) pairs into groups, dropping repeats; group ids may have gaps, which close.
 * False: no memory. */
bool supi_groups_from_pairs(supi_arena* scratch, int32_t pair_count, const int32_t* pair_groups,
                            const int32_t* pair_rows, supi_groups* out);
bool supi_groups_invert(supi_arena* scratch, const supi_groups* groups, int32_t row_count,
                        supi_group_index* out);

/* Overlapping cubes over the particles, split where the body is not connected inside a cube.
 * `edges` are pairs of rows. */
sup_result supi_cubes_build(const sup_blueprint_def* def, const sup_blueprint* blueprint,
                            const int32_t* edges, int32_t edge_count, supi_arena* scratch,
                            supi_groups* out, sup_error* error);

/* One group for each element of a volume mesh: those of the definition, or the full cells of the
   lattice that fills the surface. */
sup_result supi_elements_build(const sup_blueprint_def* def, const sup_blueprint* blueprint,
                               supi_arena* scratch, supi_groups* out, sup_error* error);

/* The inverses that linear and quadratic goals of a cluster need, once its members stand. */
void supi_shape_build(const supi_members* members, supi_cluster* cluster, supi_bend* bend);

/* The same for all clusters, and what they have in common. False: no memory. */
bool supi_shapes_build(sup_blueprint* blueprint);

/* The inverse and the null directions of a cluster from sum w q q^T (row-major, destroyed). */
void supi_shape_invert(double moments[9], supi_cluster* cluster);

/* Rest offsets of cluster c about its weighted centre, and what follows from them, once count,
   begin and end stand; rows and weights of its members. */
void supi_rest_centre(sup_blueprint* blueprint, int32_t c, const int32_t* rows,
                      const double* weights);
/* The same from places: members are `rows` (NULL: all in order) with weights `w` in lane order, as
   `q`. */
void supi_rest_about(const sup_vec3* places, const int32_t* rows, const float* w, float* const q[3],
                     supi_cluster* cluster, double centre[3]);

/* Turns groups into clusters: weights, rest offsets, blocks, and who asks what of each row. */
sup_result supi_rest_build(const sup_blueprint_def* def, const supi_groups* groups,
                           sup_blueprint* blueprint, supi_arena* scratch, sup_error* error);

#endif
