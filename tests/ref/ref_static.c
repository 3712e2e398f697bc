/* Newton's method on the energy of springs with its exact second derivative. */
#include "ref/ref_static.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { NEWTON = 12, GRADIENTS = 4000 };

typedef struct problem {
    int32_t point_count, spring_count;
    const sup_spring* springs;
    const double (*x)[3];
    const bool (*held)[3];
} problem;

static double direction_of(const double a[3], const double b[3], double direction[3]) {
    double square = 0.0;
    for (int k = 0; k < 3; k++) {
        direction[k] = b[k] - a[k];
        square += direction[k] * direction[k];
    }
    double length = sqrt(square);
    for (int k = 0; k < 3; k++) direction[k] /= length;
    return length;
}

double ref_static_pull(const sup_spring* spring, const double (*x)[3], double direction[3]) {
    double length = direction_of(x[spring->a], x[spring->b], direction);
    return (double)spring->stiffness * (length - (double)spring->length);
}

/* Forces on free coordinates. */
static void find_forces(const problem* p, double (*f)[3]) {
    memset(f, 0, (size_t)p->point_count * sizeof *f);
    for (int32_t s = 0; s < p->spring_count; s++) {
        double u[3], pull = ref_static_pull(&p->springs[s], p->x, u);
        for (int k = 0; k < 3; k++) {
            f[p->springs[s].a][k] += pull * u[k];
            f[p->springs[s].b][k] -= pull * u[k];
        }
    }
    for (int32_t i = 0; i < p->point_count; i++) {
        for (int k = 0; k < 3; k++) f[i][k] = p->held[i][k] ? 0.0 : f[i][k];
    }
}

/* Second derivative of the energy times d. */
static void multiply(const problem* p, const double (*d)[3], double (*out)[3]) {
    memset(out, 0, (size_t)p->point_count * sizeof *out);
    for (int32_t s = 0; s < p->spring_count; s++) {
        const sup_spring* spring = &p->springs[s];
        double u[3], along = 0.0, length = direction_of(p->x[spring->a], p->x[spring->b], u);
        double k1 = (double)spring->stiffness, k2 = k1 * (1.0 - (double)spring->length / length);
        for (int k = 0; k < 3; k++) along += u[k] * (d[spring->b][k] - d[spring->a][k]);
        for (int k = 0; k < 3; k++) {
            double g = (k1 - k2) * along * u[k] + k2 * (d[spring->b][k] - d[spring->a][k]);
            out[spring->a][k] -= g;
            out[spring->b][k] += g;
        }
    }
    for (int32_t i = 0; i < p->point_count; i++) {
        for (int k = 0; k < 3; k++) out[i][k] = p->held[i][k] ? 0.0 : out[i][k];
    }
}

static double dot(const problem* p, const double (*a)[3], const double (*b)[3]) {
    double sum = 0.0;
    for (int32_t i = 0; i < p->point_count; i++) {
        for (int k = 0; k < 3; k++) sum += a[i][k] * b[i][k];
    }
    return sum;
}

typedef const double (*view)[3];

/* d = inverse of the second derivative times r, which is used up. */
static void solve(const problem* p, double (*r)[3], double (*d)[3], double (*q)[3],
                  double (*g)[3]) {
    size_t bytes = (size_t)p->point_count * sizeof *d;
    memset(d, 0, bytes);
    memcpy(q, r, bytes);
    double square = dot(p, (view)r, (view)r), enough = 1e-24 * square;
    for (int it = 0; it < GRADIENTS && square > enough; it++) {
        multiply(p, (view)q, g);
        double curvature = dot(p, (view)q, (view)g);
        if (!(curvature > 0.0)) break;
        double step = square / curvature;
        for (int32_t i = 0; i < p->point_count; i++) {
            for (int k = 0; k < 3; k++) {
                d[i][k] += step * q[i][k];
                r[i][k] -= step * g[i][k];
            }
        }
        double next = dot(p, (view)r, (view)r);
        for (int32_t i = 0; i < p->point_count; i++) {
            for (int k = 0; k < 3; k++) q[i][k] = r[i][k] + next / square * q[i][k];
        }
        square = next;
    }
}

double ref_static_solve(int32_t point_count, double (*x)[3], const bool (*held)[3],
                        int32_t spring_count, const sup_spring* springs) {
    problem p = {point_count, spring_count, springs, (view)x, held};
    double(*block)[3] = malloc(4 * (size_t)point_count * sizeof *block);
    double(*r)[3] = block, (*d)[3] = r + point_count, (*q)[3] = d + point_count;
    double(*g)[3] = q + point_count, largest = 0.0;
    for (int it = 0; it < NEWTON; it++) {
        find_forces(&p, r);
        solve(&p, r, d, q, g);
        for (int32_t i = 0; i < point_count; i++) {
            for (int k = 0; k < 3; k++) x[i][k] += d[i][k];
        }
    }
    find_forces(&p, r);
    for (int32_t i = 0; i < point_count; i++) {
        for (int k = 0; k < 3; k++) largest = fabs(r[i][k]) > largest ? fabs(r[i][k]) : largest;
    }
    free(block);
    return largest;
}
