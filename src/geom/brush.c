/* See supple/fit.h: where an edit acts, and how much. */
#include "geom/vector.h"
#include "supple/fit.h"

/* How far a place is beyond the border, m; 0 within. */
static double beyond(const sup_brush* brush, const double place[3]) {
    double away[3], square = 0.0;
    supi_vector_subtract(place, brush->centre, away);
    switch (brush->kind) {
    case SUP_BRUSH_ALL: return 0.0;
    case SUP_BRUSH_SPHERE: {
        double distance = supi_vector_length(away) - brush->extent[0];
        return distance > 0.0 ? distance : 0.0;
    }
    case SUP_BRUSH_BOX:
        for (int k = 0; k < 3; k++) {
            double gap = fabs(away[k]) - brush->extent[k];
            square += gap > 0.0 ? gap * gap : 0.0;
        }
        return sqrt(square);
    case SUP_BRUSH_HALF: {
        double length = supi_vector_length(brush->extent);
        double height = supi_vector_dot(away, brush->extent) / length;
        return height > 0.0 ? height : 0.0;
    }
    }
    return 0.0;
}

double sup_brush_share(const sup_brush* brush, const double place[3]) {
    double distance = beyond(brush, place);
    if (!(distance > 0.0)) return 1.0;
    if (!(distance < brush->fade)) return 0.0;
    double t = 1.0 - distance / brush->fade;
    return t * t * (3.0 - 2.0 * t);
}
