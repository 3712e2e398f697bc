/* Rows of runs as ellipsoids and as sides of a contact. */
#ifndef SUPPLE_CONTACT_KIN_H
#define SUPPLE_CONTACT_KIN_H

#include "contact/ellipsoid.h"
#include "contact/respond.h"
#include "contact/turning.h"

/* Present shape of a row, all radii times `scale`. Plain particles are spheres of radius v.w. */
supi_ellipsoid supi_kin_shape(const supi_kin* kin, int32_t row, const sup_row* x, const sup_row* v,
                              float scale);
/* The same at the start of the substep: rows have come from there by h v and h w. */
supi_ellipsoid supi_kin_before(const supi_kin* kin, int32_t row, const sup_row* x, const sup_row* v,
                               float scale, float h);

/* The side of a contact; `weight` is its inverse mass (0: immovable), `weights` that of both. It is
   written in place: to copy what was just written piece by piece is to wait for it. */
void supi_kin_side(const supi_kin* kin, int32_t row, sup_row* x, sup_row* v, float weight,
                   float weights, sup_vec3 arm, supi_side* side);

/* Do contacts turn the row? If not, it reaches as far along a normal as it was found to. */
bool supi_kin_turns(const supi_kin* kin, int32_t row);
/* Do both sides of a contact belong to one piece? */
bool supi_kin_hang_together(const supi_pairing* pairing, const supi_contact* contact);

/* The present outward normal of a row that is flat; false: it is not. */
bool supi_kin_outward(const supi_kin* kin, int32_t row, sup_vec3* out);

/* m/s of the place at `arm` from the centre of a row. */
sup_vec3 supi_kin_speed(const supi_kin* kin, int32_t row, const sup_row* v, sup_vec3 arm);

#endif
