/* Springs, and terms beside them, for a wanted Poisson's ratio. Springs resist shear with the first
   constant of Lame, mu, and have the second, lambda, equal to it: what lambda is more goes to the
   terms of volume or area, which resist no shear. */
#include "base/check.h"
#include "base/error.h"
#include "supple/weave.h"

static sup_result check(double value, double low, double high, const char* name, sup_error* error) {
    if (value >= low && value <= high) return SUP_OK;
    return supi_error_set(error, SUP_BAD_ARGUMENT, "%s must be from %g to %g", name, low, high);
}

sup_result sup_weave_solid_moduli(double young, double poisson, sup_weave_moduli* out,
                                  sup_error* error) {
    SUPI_NEED(error, out);
    sup_result result = check(young, 0.0, 1e12, "young", error);
    if (result == SUP_OK) result = check(poisson, 0.25, 0.49, "poisson of a solid", error);
    if (result != SUP_OK) return result;
    double mu = young / (2.0 * (1.0 + poisson));
    double lambda = young * poisson / ((1.0 + poisson) * (1.0 - 2.0 * poisson));
    double more = lambda - mu;
    *out = (sup_weave_moduli){.young = 2.5 * mu, .solid.volume = more > 0.0 ? more : 0.0};
    return SUP_OK;
}

sup_result sup_weave_sheet_moduli(double young, double poisson, double thickness,
                                  sup_weave_moduli* out, sup_error* error) {
    SUPI_NEED(error, out);
    sup_result result = check(young, 0.0, 1e12, "young", error);
    if (result == SUP_OK) result = check(poisson, 0.333, 0.9, "poisson of a sheet", error);
    if (result == SUP_OK) result = check(thickness, 0.0, 1e3, "thickness", error);
    if (result != SUP_OK) return result;
    double mu = young / (2.0 * (1.0 + poisson));
    double plane = young / (1.0 - poisson * poisson), more = plane * poisson - mu;
    *out = (sup_weave_moduli){
        .young = 8.0 / 3.0 * mu,
        .solid = {.area = more > 0.0 ? more : 0.0, .bend = plane * thickness * thickness / 12.0}};
    return SUP_OK;
}
