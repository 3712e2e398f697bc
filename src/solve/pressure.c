#include "solve/pressure.h"

#include "base/real.h"
#include "geom/vector.h"

/* Gas is not squeezed to less than this share of its volume: a body turned inside out has none. */
#define SHARE_LEAST 0.05

double supi_pressure_areas(const supi_patches* faces, int32_t begin, int32_t end, const sup_row* x,
                           sup_row* areas) {
    double volume = 0.0;
    for (int32_t f = begin; f < end; f++) {
        const int32_t* rows = faces->rows + SUPI_PATCH_CORNERS * f;
        const sup_row *a = x + rows[0], *b = x + rows[1], *c = x + rows[2];
        const double u[3] = {(double)b->x - (double)a->x, (double)b->y - (double)a->y,
                             (double)b->z - (double)a->z};
        const double v[3] = {(double)c->x - (double)a->x, (double)c->y - (double)a->y,
                             (double)c->z - (double)a->z};
        const double from[3] = {(double)a->x - (double)x->x, (double)a->y - (double)x->y,
                                (double)a->z - (double)x->z};
        double n[3];
        supi_vector_cross(u, v, n);
        volume += supi_vector_dot(from, n) / 6.0;
        areas[f] = (sup_row){(float)(0.5 * n[0]), (float)(0.5 * n[1]), (float)(0.5 * n[2]), 0.0f};
    }
    return volume;
}

supi_pressure_state supi_pressure_at(const sup_spring_pressure* gas, double rest_volume,
                                     double volume) {
    double least = SHARE_LEAST * rest_volume;
    double v = volume > least ? volume : least;
    double inside = gas->inside * supi_pow(rest_volume / v, gas->power);
    return (supi_pressure_state){inside - gas->outside, gas->power * inside / v};
}
