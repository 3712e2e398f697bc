/* The elementary functions in float: those in double, rounded once more. An error of 2^-53 before
   that rounding hardly ever shows, so the results are as good as correctly rounded. */
#include "base/real.h"

float supi_sinf(float x) { return (float)supi_sin(x); }
float supi_cosf(float x) { return (float)supi_cos(x); }
float supi_expf(float x) { return (float)supi_exp(x); }
float supi_expm1f(float x) { return (float)supi_expm1(x); }
float supi_logf(float x) { return (float)supi_log(x); }
float supi_powf(float x, float y) { return (float)supi_pow(x, y); }
float supi_atan2f(float y, float x) { return (float)supi_atan2(y, x); }
float supi_acosf(float x) { return (float)supi_acos(x); }
float supi_cbrtf(float x) { return (float)supi_cbrt(x); }
