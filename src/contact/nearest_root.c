/* The nearest place is y_k = e_k^2 z_k / (t + e_k^2), with t the largest root of
   F(t) = sum (e_k z_k / (t + e_k^2))^2 - 1, which is convex and falls beyond -(smallest e)^2.
   From a start where F >= 0 Newton's method rises to it without passing it, inside and outside
   alike. What is iterated is t + (smallest e)^2, so that near the pole nothing cancels. */
#include "contact/nearest_root.h"

#include <math.h>

#define ROUNDS 12
#define AXIS 1e-6f /* share of the smallest radius within which a point lies on its plane */

bool supi_ellipsoid_floor(const float radii[3], float out[3]) {
    float largest = radii[0];
    for (int k = 1; k < 3; k++) largest = radii[k] > largest ? radii[k] : largest;
    for (int k = 0; k < 3; k++) {
        float least = SUPI_ELLIPSOID_FLAT * largest;
        out[k] = radii[k] > least ? radii[k] : least;
    }
    return largest > 0;
}

/* The sum over all but the smallest axis at the pole: below 1 there is no root, and the nearest
   place is beside the plane on which the point lies. */
static float sum_at_pole(int count, int least, const float* e, const float* z, const float* gap) {
    float sum = 0;
    for (int k = 0; k < count; k++) {
        if (k == least || z[k] == 0) continue;
        float r = e[k] * z[k] / gap[k];
        sum += r * r;
    }
    return sum;
}

static float find_root(int count, const float* e, const float* z, const float* gap) {
    float t = 1e-30f;
    for (int k = 0; k < count; k++) {
        float start = e[k] * fabsf(z[k]) - gap[k];
        t = start > t ? start : t;
    }
    for (int round = 0; round < ROUNDS; round++) {
        float f = -1, slope = 0;
        for (int k = 0; k < count; k++) {
            float d = t + gap[k], r = e[k] * z[k] / d;
            f += r * r;
            slope += r * r / d;
        }
        float step = 0.5f * f / slope;
        if (!(step > 2e-7f * t)) break;
        t += step;
    }
    return t;
}

float supi_nearest_root(int count, const float* radii, const float* z_in, float* y, float* n) {
    float e[3] = {0}, z[3] = {0}, gap[3], largest = radii[0];
    int least = 0;
    for (int k = 1; k < count; k++) {
        if (radii[k] < radii[least]) least = k;
        largest = radii[k] > largest ? radii[k] : largest;
    }
    for (int k = 0; k < count; k++) {
        e[k] = radii[k] / largest;
        z[k] = z_in[k] / largest;
    }
    for (int k = 0; k < count; k++) gap[k] = (e[k] - e[least]) * (e[k] + e[least]);
    bool beside = fabsf(z[least]) < AXIS * e[least] && sum_at_pole(count, least, e, z, gap) < 1;
    float t = beside ? 0 : find_root(count, e, z, gap), rest = 1, square = 0, distance = 0;
    for (int k = 0; k < count; k++) {
        float d = t + gap[k];
        y[k] = d > 0 ? e[k] * (e[k] * z[k] / d) : 0;
        if (k != least) rest -= y[k] / e[k] * (y[k] / e[k]);
    }
    if (beside) y[least] = (z[least] < 0 ? -e[least] : e[least]) * sqrtf(rest > 0 ? rest : 0);
    for (int k = 0; k < count; k++) {
        n[k] = y[k] / e[k] * (e[least] / e[k]);
        square += n[k] * n[k];
    }
    float length = sqrtf(square);
    for (int k = 0; k < count; k++) {
        n[k] /= length;
        distance += n[k] * (z[k] - y[k]);
        y[k] *= largest;
    }
    return largest * distance;
}
