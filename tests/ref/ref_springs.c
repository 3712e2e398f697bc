#include "ref/ref_springs.h"

#include "ref/ref_matrix.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

void ref_spring_force(const sup_spring* spring, const double d[3], const double speed[3],
                      double force[3]) {
    double k = (double)spring->stiffness, c = (double)spring->damping, l = ref_length(d);
    if (!(spring->length > 0.0f)) {
        for (int i = 0; i < 3; i++) force[i] = k * d[i] + c * speed[i];
        return;
    }
    double tension = k * (l - (double)spring->length) + c * ref_dot(speed, d) / l;
    if (spring->slack && tension < 0.0) tension = 0.0;
    for (int i = 0; i < 3; i++) force[i] = tension * d[i] / l;
}

/* along u u^T + across (I - u u^T) */
static void axial(const double d[3], double along, double across, double out[9]) {
    double square = ref_dot(d, d);
    for (int i = 0; i < 9; i++) {
        double p = square > 0.0 ? d[i / 3] * d[i % 3] / square : 0.0;
        out[i] = along * p + across * ((i % 4 == 0 ? 1.0 : 0.0) - p);
    }
}

void ref_spring_stiffness(const sup_spring* spring, const double d[3], ref_tangent tangent,
                          double k[9]) {
    double stiffness = (double)spring->stiffness, rest = (double)spring->length, l = ref_length(d);
    double share = rest > 0.0 ? 1.0 - rest / l : 1.0;
    if (spring->slack && l <= rest) stiffness = 0.0;
    if (tangent == REF_TANGENT_WRONG) { /* -I + L/l I + 2 L/l u u^T */
        axial(d, stiffness * (3.0 * rest / l - 1.0), -stiffness * share, k);
        return;
    }
    if (tangent == REF_TANGENT_PROJECTED && share < 0.0) share = 0.0;
    axial(d, -stiffness, -stiffness * share, k);
}

void ref_spring_damping(const sup_spring* spring, const double d[3], double c[9]) {
    double damping = (double)spring->damping;
    if (spring->slack && ref_length(d) <= (double)spring->length) damping = 0.0;
    axial(d, -damping, spring->length > 0.0f ? 0.0 : -damping, c);
}

ref_springs ref_springs_new(int32_t count, const sup_row* x, const sup_row* v,
                            const sup_spring* springs, int32_t spring_count) {
    size_t n = (size_t)count;
    ref_springs body = {count,
                        spring_count,
                        springs,
                        calloc(3 * n, sizeof(double)),
                        calloc(3 * n, sizeof(double)),
                        calloc(n, sizeof(double))};
    if (!body.x || !body.v || !body.mass) abort();
    for (int32_t i = 0; i < count; i++) {
        const float place[3] = {x[i].x, x[i].y, x[i].z}, speed[3] = {v[i].x, v[i].y, v[i].z};
        for (int k = 0; k < 3; k++) {
            body.x[3 * i + k] = (double)place[k];
            body.v[3 * i + k] = (double)speed[k];
        }
        body.mass[i] = x[i].w > 0.0f ? 1.0 / (double)x[i].w : 0.0;
    }
    return body;
}

void ref_springs_free(ref_springs* body) {
    free(body->x);
    free(body->v);
    free(body->mass);
    memset(body, 0, sizeof *body);
}

/* Difference of two of the vectors of an array, seen from the end `a` of a spring. */
static void apart(const double* a, const sup_spring* spring, double d[3]) {
    for (int k = 0; k < 3; k++) d[k] = a[3 * spring->b + k] - a[3 * spring->a + k];
}

void ref_springs_forces(const ref_springs* body, double* f) {
    memset(f, 0, 3 * (size_t)body->count * sizeof *f);
    for (int32_t s = 0; s < body->spring_count; s++) {
        const sup_spring* spring = body->springs + s;
        double d[3], speed[3], force[3];
        apart(body->x, spring, d);
        apart(body->v, spring, speed);
        ref_spring_force(spring, d, speed, force);
        for (int k = 0; k < 3; k++) {
            f[3 * spring->a + k] += force[k];
            f[3 * spring->b + k] -= force[k];
        }
    }
}

/* stiff K + damped D of every spring, row-major (9 spring_count); free it. */
static double* tangents_new(const ref_springs* body, ref_tangent tangent, double stiff,
                            double damped) {
    double* tangents = calloc(9 * (size_t)body->spring_count + 1, sizeof *tangents);
    if (!tangents) abort();
    for (int32_t s = 0; s < body->spring_count; s++) {
        double d[3], k[9], c[9];
        apart(body->x, body->springs + s, d);
        ref_spring_stiffness(body->springs + s, d, tangent, k);
        ref_spring_damping(body->springs + s, d, c);
        for (int i = 0; i < 9; i++) tangents[9 * s + i] = stiff * k[i] + damped * c[i];
    }
    return tangents;
}

/* y += (tangents of all springs) p */
static void add_tangents(const ref_springs* body, const double* tangents, const double* p,
                         double* y) {
    for (int32_t s = 0; s < body->spring_count; s++) {
        const sup_spring* spring = body->springs + s;
        double between[3], change[3];
        apart(p, spring, between);
        ref_matrix_apply(tangents + 9 * s, between, change);
        for (int i = 0; i < 3; i++) {
            y[3 * spring->a + i] -= change[i];
            y[3 * spring->b + i] += change[i];
        }
    }
}

static void clear_pinned(const ref_springs* body, double* a) {
    for (int32_t i = 0; i < 3 * body->count; i++) {
        if (!(body->mass[i / 3] > 0.0)) a[i] = 0.0;
    }
}

static void apply(const ref_springs* body, const ref_implicit* step, const double* tangents,
                  const double* p, double* y) {
    for (int32_t i = 0; i < 3 * body->count; i++) {
        y[i] = body->mass[i / 3] * (1.0 + step->h * step->drag) * p[i];
    }
    add_tangents(body, tangents, p, y);
    clear_pinned(body, y);
}

void ref_implicit_apply(const ref_springs* body, const ref_implicit* step, const double* p,
                        double* y) {
    double* tangents = tangents_new(body, step->tangent, -step->h * step->h, -step->h);
    apply(body, step, tangents, p, y);
    free(tangents);
}

void ref_implicit_right_side(const ref_springs* body, const ref_implicit* step, double* b) {
    double* tangents = tangents_new(body, step->tangent, step->h * step->h, 0.0);
    ref_springs_forces(body, b);
    for (int32_t i = 0; i < 3 * body->count; i++) {
        b[i] =
            step->h * (b[i] + body->mass[i / 3] * (step->gravity[i % 3] - step->drag * body->v[i]));
    }
    add_tangents(body, tangents, body->v, b);
    clear_pinned(body, b);
    free(tangents);
}

static double product(int32_t count, const double* a, const double* b) {
    double sum = 0.0;
    for (int32_t i = 0; i < count; i++) sum += a[i] * b[i];
    return sum;
}

bool ref_implicit_step(ref_springs* body, const ref_implicit* step) {
    int32_t n = 3 * body->count;
    double* memory = calloc(4 * (size_t)n, sizeof *memory);
    if (!memory) abort();
    double *dv = memory, *r = memory + n, *p = r + n, *g = p + n;
    double* tangents = tangents_new(body, step->tangent, -step->h * step->h, -step->h);
    bool negative = false;
    ref_implicit_right_side(body, step, r);
    memcpy(p, r, (size_t)n * sizeof *p);
    double rho = product(n, r, r), enough = step->tolerance * step->tolerance * rho;
    for (int32_t i = 0; i < step->iterations && rho > enough && !negative; i++) {
        apply(body, step, tangents, p, g);
        double curvature = product(n, p, g);
        negative = !(curvature > 0.0);
        if (negative) break;
        double a = rho / curvature, before = rho;
        for (int32_t k = 0; k < n; k++) {
            dv[k] += a * p[k];
            r[k] -= a * g[k];
        }
        rho = product(n, r, r);
        for (int32_t k = 0; k < n; k++) p[k] = r[k] + rho / before * p[k];
    }
    for (int32_t i = 0; i < n; i++) {
        body->v[i] += dv[i];
        body->x[i] += step->h * body->v[i];
    }
    free(tangents);
    free(memory);
    return negative;
}
