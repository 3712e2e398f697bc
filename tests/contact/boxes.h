/* Box, reach and speed of runs, as a world keeps them. */
#ifndef SUPPLE_TESTS_CONTACT_BOXES_H
#define SUPPLE_TESTS_CONTACT_BOXES_H

#include "contact/contacts.h"

#include <float.h>
#include <math.h>

static inline void fit_box(supi_run* run, const sup_row* x, const sup_row* v) {
    run->reach = run->speed = 0;
    for (int k = 0; k < 3; k++) run->low[k] = FLT_MAX, run->high[k] = -FLT_MAX;
    for (int32_t i = run->first; i < run->first + run->count; i++) {
        const float at[3] = {x[i].x, x[i].y, x[i].z};
        for (int k = 0; k < 3; k++) {
            run->low[k] = fminf(run->low[k], at[k]);
            run->high[k] = fmaxf(run->high[k], at[k]);
        }
        run->reach = fmaxf(run->reach, v[i].w);
        run->speed = fmaxf(run->speed, sqrtf(v[i].x * v[i].x + v[i].y * v[i].y + v[i].z * v[i].z));
    }
}

static inline void fit_boxes(supi_run* runs, int32_t count, const sup_row* x, const sup_row* v) {
    for (int32_t i = 0; i < count; i++) fit_box(&runs[i], x, v);
}

#endif
