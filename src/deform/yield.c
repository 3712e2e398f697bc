/* Shapes that return, or stay where they were pulled too hard: Hooke's law with a threshold. */
#include "base/check.h"
#include "base/error.h"
#include "base/float_mode.h"
#include "base/real.h"
#include "geom/vector.h"
#include "supple/deform.h"

#include <float.h>

sup_yield_def sup_yield_default(void) {
    return (sup_yield_def){.size = sizeof(sup_yield_def),
                           .stiffness = 100.0,
                           .threshold = INFINITY,
                           .rate = INFINITY,
                           .time = 0.2};
}

static sup_result check(const sup_yield_def* d, double dt, sup_error* error) {
    if (d->size != sizeof *d)
        return supi_error_set(error, SUP_BAD_ARGUMENT,
                              "the definition is not from sup_yield_default");
    const supi_range ranges[] = {
        {"stiffness", d->stiffness, DBL_MIN, DBL_MAX},
        {"threshold", d->threshold, 0.0, INFINITY},
        {"rate", d->rate, 0.0, INFINITY},
        {"time", d->time, 0.0, 1e9},
        {"dt", dt, 0.0, 1e9},
    };
    return supi_check_ranges(ranges, sizeof ranges / sizeof *ranges, error);
}

sup_result sup_points_yield(const sup_yield_def* def, double dt, int32_t count, const float* masses,
                            sup_vec3* rest, sup_vec3* points, sup_error* error) {
    SUPI_NEED(error, def);
    if (count > 0) SUPI_NEED(error, rest, points);
    sup_result result = check(def, dt, error);
    if (result != SUP_OK) return result;
    supi_float_mode mode = supi_float_mode_enter();
    double flow = dt > 0.0 ? def->rate * dt : 0.0, keep = 0.0;
    flow = flow < 1.0 ? flow : 1.0;
    if (def->time > 0.0) keep = supi_exp(-dt / def->time);
    for (int32_t i = 0; i < count; i++) {
        double x[3], home[3], y[3];
        if (masses && !(masses[i] < FLT_MAX)) continue;
        supi_vector_from(&points[i], x);
        supi_vector_from(&rest[i], home);
        supi_vector_subtract(x, home, y);
        double force = def->stiffness * supi_vector_length(y);
        if (force > def->threshold) {
            double part = (1.0 - def->threshold / force) * flow;
            for (int k = 0; k < 3; k++) home[k] += part * y[k];
            rest[i] = supi_vector_round(home[0], home[1], home[2]);
        }
        for (int k = 0; k < 3; k++) x[k] = home[k] + keep * (x[k] - home[k]);
        points[i] = supi_vector_round(x[0], x[1], x[2]);
    }
    supi_float_mode_leave(mode);
    return SUP_OK;
}
