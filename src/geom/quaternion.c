/* Rotations on their way. */
#include "geom/quaternion.h"

#include "base/real.h"

#include <math.h>

void supi_quaternion_unit(const double q[4], double out[4]) {
    double length = sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3]);
    for (int k = 0; k < 4; k++) out[k] = q[k] / length;
}

void supi_quaternion_between(const double from[4], const double to[4], double share,
                             double out[4]) {
    double a[4], b[4], along = 0.0;
    supi_quaternion_unit(from, a);
    supi_quaternion_unit(to, b);
    for (int k = 0; k < 4; k++) along += a[k] * b[k];
    double sign = along < 0.0 ? -1.0 : 1.0;
    along *= sign;
    double wa = 1.0 - share, wb = share;
    if (along < 0.9999) { /* closer together a straight line is as good */
        double angle = supi_acos(along), sine = supi_sin(angle);
        wa = supi_sin(wa * angle) / sine;
        wb = supi_sin(wb * angle) / sine;
    }
    double mixed[4];
    for (int k = 0; k < 4; k++) mixed[k] = wa * a[k] + wb * sign * b[k];
    supi_quaternion_unit(mixed, out);
}
