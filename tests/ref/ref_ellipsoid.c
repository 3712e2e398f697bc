#include "ref/ref_ellipsoid.h"

#include "ref/ref_matrix.h"

#include <float.h>
#include <math.h>
#include <stdbool.h>
#include <string.h>

enum { DIRECTIONS = 200, BEST = 2 };

double ref_ellipsoid_reach(const ref_ellipsoid* e, const double n[3]) {
    double sum = 0;
    for (int k = 0; k < 3; k++) {
        double along = e->radii[k] * ref_dot(e->axes[k], n);
        sum += along * along;
    }
    return sqrt(sum);
}

static double separation_along(const ref_ellipsoid* e, const ref_solid* s, const double n[3]) {
    double furthest = -DBL_MAX;
    for (int32_t i = 0; i < s->count; i++) {
        double along = ref_dot(n, s->corners[i]);
        furthest = along > furthest ? along : furthest;
    }
    if (s->ellipsoid) {
        double along = ref_dot(n, s->ellipsoid->centre) + ref_ellipsoid_reach(s->ellipsoid, n);
        furthest = along > furthest ? along : furthest;
    }
    return ref_dot(n, e->centre) - furthest - s->radius - ref_ellipsoid_reach(e, n);
}

static void normalise(double n[3]) {
    double length = ref_length(n);
    for (int k = 0; k < 3; k++) n[k] /= length;
}

/* Evenly spread. */
static void direction(int i, int count, double n[3]) {
    double z = 1 - (2 * i + 1.0) / count, r = sqrt(1 - z * z);
    double turn = i * acos(-1) * (3 - sqrt(5));
    n[0] = r * cos(turn);
    n[1] = r * sin(turn);
    n[2] = z;
}

/* Uphill by steps to all sides that halve when none helps: slow, but no derivative can be wrong.
   Where corners make ridges, more sides are needed to find the way along them. */
static double climb(const ref_ellipsoid* e, const ref_solid* s, double n[3], double step) {
    enum { MOST = 64 };
    int sides = s->count > 1 ? MOST : 6;
    double best = separation_along(e, s, n), around[MOST][2];
    for (int k = 0; k < sides; k++) {
        around[k][0] = cos(2 * k * acos(-1) / sides);
        around[k][1] = sin(2 * k * acos(-1) / sides);
    }
    while (step > 2e-5) {
        double t[3] = {fabs(n[0]) < 0.5, fabs(n[0]) >= 0.5, 0}, u[3], found[3];
        ref_cross(n, t, u);
        normalise(u);
        ref_cross(u, n, t);
        double better = best;
        for (int k = 0; k < sides; k++) {
            double m[3];
            for (int c = 0; c < 3; c++) {
                m[c] = n[c] + step * (around[k][0] * t[c] + around[k][1] * u[c]);
            }
            normalise(m);
            double value = separation_along(e, s, m);
            if (value > better) {
                better = value;
                memcpy(found, m, sizeof found);
            }
        }
        if (better > best) {
            best = better;
            memcpy(n, found, sizeof found);
        } else {
            step *= 0.5;
        }
    }
    return best;
}

/* Made once. */
static void directions(double out[DIRECTIONS][3]) {
    static double made[DIRECTIONS][3];
    static bool done;
    for (int i = 0; i < DIRECTIONS && !done; i++) direction(i, DIRECTIONS, made[i]);
    done = true;
    memcpy(out, made, sizeof made);
}

double ref_ellipsoid_separation(const ref_ellipsoid* e, const ref_solid* s, double out[3]) {
    double starts[BEST][3], values[BEST], best = -DBL_MAX, tried[DIRECTIONS][3];
    for (int k = 0; k < BEST; k++) values[k] = -DBL_MAX;
    directions(tried);
    for (int i = 0; i < DIRECTIONS; i++) {
        double value = separation_along(e, s, tried[i]);
        for (int k = 0; k < BEST; k++) {
            if (value <= values[k]) continue;
            for (int j = BEST - 1; j > k; j--) {
                values[j] = values[j - 1];
                memcpy(starts[j], starts[j - 1], sizeof starts[j]);
            }
            values[k] = value;
            memcpy(starts[k], tried[i], sizeof tried[i]);
            break;
        }
    }
    for (int k = 0; k < BEST; k++) {
        double value = climb(e, s, starts[k], 0.1);
        if (value <= best) continue;
        best = value;
        if (out) memcpy(out, starts[k], sizeof starts[k]);
    }
    return best;
}

double ref_ellipsoid_inside(const ref_ellipsoid* e, const double a[3], const double b[3],
                            double radius) {
    enum { PLACES = 20000 };
    double furthest = 0, way[3], square = 0;
    for (int k = 0; k < 3; k++) {
        way[k] = b[k] - a[k];
        square += way[k] * way[k];
    }
    for (int i = 0; i < PLACES; i++) {
        double n[3], d[3], t = 0;
        direction(i, PLACES, n);
        for (int c = 0; c < 3; c++) {
            d[c] = e->centre[c] - a[c];
            for (int k = 0; k < 3; k++) d[c] += e->axes[k][c] * e->radii[k] * n[k];
        }
        if (square > 0) t = fmin(1, fmax(0, ref_dot(d, way) / square));
        for (int c = 0; c < 3; c++) d[c] -= t * way[c];
        furthest = fmax(furthest, ref_length(d));
    }
    return radius - furthest;
}
