/* What values of forms and their shortening share. */
#ifndef SUPPLE_GEOM_FORM_INSIDE_H
#define SUPPLE_GEOM_FORM_INSIDE_H

#include "geom/form.h"
#include "geom/vector.h"

/* Squared distance to the box of a form; 0 inside. */
static inline double supi_form_box_square(const supi_form* form, const double p[3]) {
    double sum = 0;
    for (int k = 0; k < 3; k++) {
        double under = form->low[k] - p[k], over = p[k] - form->high[k];
        double out = under > over ? under : over;
        if (out > 0) sum += out * out;
    }
    return sum;
}

/* The smaller of two, less where they are nearly equal. */
static inline double supi_form_blend(double a, double b, double blend) {
    double least = a < b ? a : b, near = blend - fabs(a - b);
    return near > 0 ? least - 0.25 * near * near / blend : least;
}

/* The place as seen by the part of a placed form. */
static inline void supi_form_enter(const supi_form* form, const double p[3], double out[3]) {
    double from[3];
    supi_vector_subtract(p, form->number + 9, from);
    for (int k = 0; k < 3; k++) out[k] = supi_vector_dot(form->number + 3 * k, from);
}

#endif
