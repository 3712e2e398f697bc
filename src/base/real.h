/* Own elementary functions: libm's differ from system to system, these give the same bits
   everywhere. They use only addition, subtraction, multiplication, division and square root in a
   fixed order. Special values (NaN, infinities, signed zeros, domains) are as in C Annex F, and
   every NaN they return is the same one. The bounds are in units in the last place, and tested. */
#ifndef SUPPLE_BASE_REAL_H
#define SUPPLE_BASE_REAL_H

/* double: for every finite argument of the domain; results that are denormal are within 0.8 */
double supi_sin(double x);             /* 0.85; even the largest x is reduced exactly */
double supi_cos(double x);             /* 0.85 */
double supi_exp(double x);             /* 0.55 */
double supi_expm1(double x);           /* 0.8 */
double supi_log(double x);             /* 0.55 */
double supi_pow(double x, double y);   /* 0.55 */
double supi_atan2(double y, double x); /* 0.52 */
double supi_acos(double x);            /* 0.52 */
double supi_cbrt(double x);            /* 0.51 */

/* float: 0.501 for every finite argument of the domain */
float supi_sinf(float x);
float supi_cosf(float x);
float supi_expf(float x);
float supi_expm1f(float x);
float supi_logf(float x);
float supi_powf(float x, float y);
float supi_atan2f(float y, float x);
float supi_acosf(float x);
float supi_cbrtf(float x);

#endif
