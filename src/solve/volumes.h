/* Triangles that keep their area and tetrahedra that keep their volume (Teschner et al. 2004): the
   energy of an element is 1/2 k (V - V0)^2. Pure functions on slices.

   Everything an element does goes along its gradient u = sqrt(k) dV/dx: its forces are -c u with
   c = sqrt(k) (V - V0), and its part of an implicit step, without what would make that indefinite,
   is h^2 u u^T. So both are the same sum over the elements of a row with other weights. */
#ifndef SUPPLE_SOLVE_VOLUMES_H
#define SUPPLE_SOLVE_VOLUMES_H

#include "solve/patches.h"
#include "solve/spring.h"

typedef struct supi_volume {
    float rest;  /* m^2 or m^3 */
    float stiff; /* root of the stiffness: sqrt(J)/m^2 or sqrt(J)/m^3 */
} supi_volume;

typedef struct supi_volumes {
    supi_patches patches; /* triangles and tetrahedra */
    supi_volume* own;     /* by element */
    sup_row* gradients;   /* u by slot */
    float* weights;       /* by element */
} supi_volumes;

/* The area or volume of an element. */
double supi_volumes_size(const int32_t rows[SUPI_PATCH_CORNERS], const sup_row* x);

/* Gradients of the elements begin .. end-1, and c as their weights; returns their energy, J. */
double supi_volumes_look(const supi_volumes* volumes, int32_t begin, int32_t end, const sup_row* x);
/* u . p as their weights; returns the sum of the squares. */
double supi_volumes_weigh(const supi_volumes* volumes, int32_t begin, int32_t end,
                          const sup_row* p);
/* Adds to rows begin .. end-1 of y: scale times the weighted sum of their gradients. */
void supi_volumes_add(const supi_volumes* volumes, int32_t begin, int32_t end, float scale,
                      sup_row* y);
/* Adds to the blocks of rows begin .. end-1: scale times the sum of u u^T. */
void supi_volumes_diagonal(const supi_volumes* volumes, int32_t begin, int32_t end, float scale,
                           supi_spring_rows8* rows);

#endif
