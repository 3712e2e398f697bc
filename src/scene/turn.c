/* Rotations as scenes write them: degrees about x, then y, then z. */
#include "base/real.h"
#include "scene/build.h"

#define PI 3.14159265358979323846

void supi_turn_product(const double a[4], const double b[4], double out[4]) {
    double x = a[3] * b[0] + a[0] * b[3] + a[1] * b[2] - a[2] * b[1];
    double y = a[3] * b[1] - a[0] * b[2] + a[1] * b[3] + a[2] * b[0];
    double z = a[3] * b[2] + a[0] * b[1] - a[1] * b[0] + a[2] * b[3];
    double w = a[3] * b[3] - a[0] * b[0] - a[1] * b[1] - a[2] * b[2];
    out[0] = x, out[1] = y, out[2] = z, out[3] = w;
}

void supi_turn_from_degrees(const double degrees[3], double rotation[4]) {
    double turn[4] = {0, 0, 0, 1};
    for (int k = 0; k < 3; k++) {
        double half = degrees[k] * (PI / 360.0);
        double axis[4] = {0, 0, 0, supi_cos(half)};
        axis[k] = supi_sin(half);
        supi_turn_product(axis, turn, turn);
    }
    for (int k = 0; k < 4; k++) rotation[k] = turn[k];
}
