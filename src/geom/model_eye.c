/* An eye that is seen as one without any colour. */
#include "geom/model.h"

const supi_form* supi_model_eye(supi_arena* arena, double radius) {
    double r = radius;
    const supi_form* lid = supi_form_torus(arena, SUPI_AT(0, 0, 0), 0.96 * r, 0.22 * r);
    const supi_form* ball = supi_form_cut(
        arena, supi_form_ellipsoid(arena, SUPI_AT(0, 0, 0), SUPI_AT(r, r, r)),
        supi_form_ellipsoid(arena, SUPI_AT(1.02 * r, 0, 0), SUPI_AT(0.36 * r, 0.5 * r, 0.5 * r)),
        0.08 * r);
    lid = supi_form_turn(arena, lid, 2, 1.5707963267948966);
    const supi_form* both[2] = {ball, supi_form_move(arena, lid, SUPI_AT(0.22 * r, 0, 0))};
    return supi_form_join(arena, 2, both, 0.06 * r);
}
