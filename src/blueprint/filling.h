/* The lattice that fills a surface, as its particles: who is beside whom. Memory goes with the
   particles, not with the box around them. */
#ifndef SUPPLE_BLUEPRINT_FILLING_H
#define SUPPLE_BLUEPRINT_FILLING_H

#include "blueprint/blueprint.h"

/* Sites are the particles of the filling in the order of sup_mesh_fill, x fastest. */
typedef struct supi_filling {
    const sup_blueprint* blueprint;
    int32_t count, first_id; /* of sites; id of site 0 */
    double origin[3];        /* m, lowest corner of their box */
    double spacing;          /* m */
    int32_t size[3];         /* places along each axis of the box */
    int64_t steps[3];        /* of the key, to the next place along each axis */
    int64_t* keys;           /* by site, ascending */
    int32_t (*beside)[6];    /* by site: that one place lower and higher along x, y, z; -1: none */
} supi_filling;

/* False when memory is short. */
bool supi_filling_lay(const sup_blueprint* blueprint, int32_t count, double spacing,
                      supi_arena* scratch, supi_filling* out);

/* The first site with this key or a higher one; `count` where there is none. */
int32_t supi_filling_seek(const supi_filling* filling, int64_t key);

/* Place of a site along an axis, 0 .. size - 1. */
static inline int32_t supi_filling_index(const supi_filling* filling, int32_t site, int axis) {
    int64_t along = filling->keys[site] / filling->steps[axis];
    return (int32_t)(axis < 2 ? along % (filling->size[axis] + 1) : along);
}

/* Its row in the blueprint. */
static inline int32_t supi_filling_row(const supi_filling* filling, int32_t site) {
    return filling->blueprint->row_of[filling->first_id + site];
}

#endif
