/* Gas in a closed surface of triangles: its pressure grows as the volume shrinks. Pure functions on
   slices. */
#ifndef SUPPLE_SOLVE_PRESSURE_H
#define SUPPLE_SOLVE_PRESSURE_H

#include "solve/patches.h"
#include "supple/spring.h"

/* Areas of the faces begin .. end-1 as vectors along their normals, m^2; returns the volume between
   them and row 0, m^3: that of all faces together is the volume of the body. */
double supi_pressure_areas(const supi_patches* faces, int32_t begin, int32_t end, const sup_row* x,
                           sup_row* areas);

/* What the gas does at a volume. */
typedef struct supi_pressure_state {
    double over;  /* Pa, how much more than outside */
    double slope; /* Pa/m^3, how fast it falls as the volume grows, at least 0 */
} supi_pressure_state;
supi_pressure_state supi_pressure_at(const sup_spring_pressure* gas, double rest_volume,
                                     double volume);

#endif
