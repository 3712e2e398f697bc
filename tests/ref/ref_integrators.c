#include "ref/ref_integrators.h"

#include <math.h>
#include <string.h>

typedef double vector[REF_COORDINATES];

static void accelerations(const ref_system* s, const double* x, const double* v, double* a) {
    s->forces(s->context, x, v, a);
    for (int i = 0; i < s->count; i++) a[i] *= s->inverse_mass[i];
}

/* out = a + h b */
static void along(int count, const double* a, double h, const double* b, double* out) {
    for (int i = 0; i < count; i++) out[i] = a[i] + h * b[i];
}

static void velocity_verlet(ref_system* s, double h) {
    vector a, half;
    accelerations(s, s->x, s->v, a);
    along(s->count, s->v, 0.5 * h, a, half);
    along(s->count, s->x, h, half, s->x);
    accelerations(s, s->x, half, a);
    along(s->count, half, 0.5 * h, a, s->v);
}

/* As it is printed, with the place before. */
static void position_verlet(ref_system* s, double h) {
    vector a, next;
    double hp = s->last;
    accelerations(s, s->x, s->v, a);
    for (int i = 0; i < s->count; i++) {
        double before = s->x[i] - hp * s->v[i];
        double way = hp > 0.0 ? (s->x[i] - before) * h / hp : h * s->v[i];
        next[i] = s->x[i] + way + 0.5 * a[i] * h * (h + hp);
        s->v[i] = (next[i] - s->x[i]) / h;
        s->x[i] = next[i];
    }
    s->last = h;
}

static void midpoint(ref_system* s, double h) {
    vector a, x, v;
    accelerations(s, s->x, s->v, a);
    along(s->count, s->x, 0.5 * h, s->v, x);
    along(s->count, s->v, 0.5 * h, a, v);
    accelerations(s, x, v, a);
    along(s->count, s->x, h, v, s->x);
    along(s->count, s->v, h, a, s->v);
}

static void runge_kutta(ref_system* s, double h) {
    vector x[4], v[4], a[4];
    const double parts[4] = {0.0, 0.5, 0.5, 1.0};
    for (int k = 0; k < 4; k++) {
        along(s->count, s->x, parts[k] * h, k > 0 ? v[k - 1] : s->v, x[k]);
        along(s->count, s->v, parts[k] * h, k > 0 ? a[k - 1] : s->v, v[k]);
        accelerations(s, x[k], v[k], a[k]);
    }
    for (int i = 0; i < s->count; i++) {
        s->x[i] += h / 6.0 * (v[0][i] + 2.0 * v[1][i] + 2.0 * v[2][i] + v[3][i]);
        s->v[i] += h / 6.0 * (a[0][i] + 2.0 * a[1][i] + 2.0 * a[2][i] + a[3][i]);
    }
}

/* What v1 misses: v1 - v - h a(x + h v1, v1). */
static void implicit_miss(const ref_system* s, double h, const double* v1, double* miss) {
    vector x, a;
    along(s->count, s->x, h, v1, x);
    accelerations(s, x, v1, a);
    for (int i = 0; i < s->count; i++) miss[i] = v1[i] - s->v[i] - h * a[i];
}

/* Solves m y = b by elimination with pivots; y takes the place of b. */
static void solve(int n, double m[][REF_COORDINATES], double* b) {
    for (int c = 0; c < n; c++) {
        int pivot = c;
        for (int r = c + 1; r < n; r++) {
            if (fabs(m[r][c]) > fabs(m[pivot][c])) pivot = r;
        }
        vector row;
        memcpy(row, m[pivot], sizeof row);
        memcpy(m[pivot], m[c], sizeof row);
        memcpy(m[c], row, sizeof row);
        double value = b[pivot];
        b[pivot] = b[c];
        b[c] = value;
        for (int r = c + 1; r < n; r++) {
            double factor = m[r][c] / m[c][c];
            for (int k = c; k < n; k++) m[r][k] -= factor * m[c][k];
            b[r] -= factor * b[c];
        }
    }
    for (int c = n - 1; c >= 0; c--) {
        for (int k = c + 1; k < n; k++) b[c] -= m[c][k] * b[k];
        b[c] /= m[c][c];
    }
}

static void implicit_euler(ref_system* s, double h) {
    static double slope[REF_COORDINATES][REF_COORDINATES];
    vector v, miss, moved;
    const double tiny = 1e-6;
    memcpy(v, s->v, sizeof v);
    for (int iteration = 0; iteration < 3; iteration++) {
        implicit_miss(s, h, v, miss);
        for (int c = 0; c < s->count; c++) {
            double kept = v[c];
            v[c] += tiny;
            implicit_miss(s, h, v, moved);
            v[c] = kept;
            for (int r = 0; r < s->count; r++) slope[r][c] = (moved[r] - miss[r]) / tiny;
        }
        solve(s->count, slope, miss);
        along(s->count, v, -1.0, miss, v);
    }
    memcpy(s->v, v, sizeof v);
    along(s->count, s->x, h, v, s->x);
}

void ref_system_step(ref_system* s, sup_integrator integrator, double h) {
    vector a;
    switch (integrator) {
    case SUP_INTEGRATOR_EULER:
        accelerations(s, s->x, s->v, a);
        along(s->count, s->x, h, s->v, s->x);
        along(s->count, s->v, h, a, s->v);
        break;
    case SUP_INTEGRATOR_SYMPLECTIC:
        accelerations(s, s->x, s->v, a);
        along(s->count, s->v, h, a, s->v);
        along(s->count, s->x, h, s->v, s->x);
        break;
    case SUP_INTEGRATOR_VELOCITY_VERLET: velocity_verlet(s, h); break;
    case SUP_INTEGRATOR_POSITION_VERLET: position_verlet(s, h); break;
    case SUP_INTEGRATOR_MIDPOINT: midpoint(s, h); break;
    case SUP_INTEGRATOR_RK4: runge_kutta(s, h); break;
    case SUP_INTEGRATOR_AUTO:
    case SUP_INTEGRATOR_IMPLICIT: implicit_euler(s, h); break;
    }
}

void ref_spring_list_forces(const void* context, const double* x, const double* v, double* f) {
    const ref_spring_list* springs = context;
    const ref_system* s = springs->system;
    for (int i = 0; i < s->count; i++) {
        double w = s->inverse_mass[i];
        f[i] = w > 0.0 ? springs->gravity[i % 3] / w : 0.0;
    }
    for (int e = 0; e < springs->count; e++) {
        const sup_spring* spring = springs->springs + e;
        int a = 3 * spring->a, b = 3 * spring->b;
        double k = (double)spring->stiffness, c = (double)spring->damping;
        double length = (double)spring->length, l = 0.0, rate = 0.0;
        for (int axis = 0; axis < 3; axis++) l += pow(x[b + axis] - x[a + axis], 2.0);
        l = sqrt(l);
        bool whole = springs->unprojected || length == 0.0;
        for (int axis = 0; axis < 3; axis++) {
            double u = l > 0.0 ? (x[b + axis] - x[a + axis]) / l : 0.0;
            rate += u * (v[b + axis] - v[a + axis]);
        }
        for (int axis = 0; axis < 3; axis++) {
            double u = l > 0.0 ? (x[b + axis] - x[a + axis]) / l : 0.0;
            double damping = whole ? c * (v[b + axis] - v[a + axis]) : c * rate * u;
            double force = k * (l - length) * u + damping;
            f[a + axis] += force;
            f[b + axis] -= force;
        }
    }
}
