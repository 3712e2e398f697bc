/* See spring_momentum.h. */
#include "world/spring_momentum.h"

#include "geom/symmetric.h"
#include "solve/implicit.h"
#include "world/cuts.h"
#include "world/elastic.h"

#include <string.h>

static int32_t count_of(const supi_body* body) { return body->blueprint->info.particle_count; }

/* What is tied to others weighs nothing. */
static double mass_of(const supi_body* body, const sup_row* x, int32_t row) {
    return x[row].w < SUPI_TIED ? (double)supi_cuts_mass(body, row) : 0.0;
}

/* kg; with the middle. */
static double find_middle(const supi_body* body, const sup_row* x, double middle[3]) {
    double at[3], sum[3] = {0, 0, 0}, all = 0.0;
    for (int32_t r = 0; r < count_of(body); r++) {
        double mass = mass_of(body, x, r);
        supi_vector_of_row(x + r, at);
        for (int k = 0; k < 3; k++) sum[k] += mass * at[k];
        all += mass;
    }
    for (int k = 0; k < 3; k++) middle[k] = all > 0.0 ? sum[k] / all : 0.0;
    return all;
}

static void arm_of(const double middle[3], const sup_row* x, double out[3]) {
    double at[3];
    supi_vector_of_row(x, at);
    supi_vector_subtract(at, middle, out);
}

supi_momentum supi_momentum_expect(const supi_body* body, float h, const sup_row* x,
                                   const sup_row* v, sup_row* before) {
    supi_momentum wanted = {.before = before};
    double middle[3], arm[3], force[3], turn[3];
    memcpy(before, v, (size_t)count_of(body) * sizeof *before);
    find_middle(body, x, middle);
    for (int32_t r = 0; r < count_of(body); r++) {
        supi_vector_of_row(body->elastic->forces + r, force);
        arm_of(middle, x + r, arm);
        supi_vector_cross(arm, force, turn);
        for (int k = 0; k < 3; k++) {
            wanted.push[k] += (double)h * force[k];
            wanted.turn[k] += (double)h * turn[k];
        }
    }
    return wanted;
}

/* A body about its middle. */
typedef struct lack {
    double linear[3], angular[3], inertia[6];
} lack;

static lack find_lack(const supi_body* body, float h, const supi_momentum* wanted,
                      const double middle[3], const sup_row* x, const sup_row* v) {
    const double drag = 1.0 + (double)h * body->springs.drag;
    lack out = {.linear = {0, 0, 0}};
    for (int k = 0; k < 3; k++) {
        out.linear[k] = wanted->push[k];
        out.angular[k] = wanted->turn[k];
    }
    for (int32_t r = 0; r < count_of(body); r++) {
        double mass = mass_of(body, x, r), own[3], has[3], arm[3], turn[3];
        supi_vector_of_row(wanted->before + r, own);
        supi_vector_of_row(v + r, has);
        for (int k = 0; k < 3; k++) own[k] = mass * (own[k] - drag * has[k]);
        arm_of(middle, x + r, arm);
        supi_vector_cross(arm, own, turn);
        for (int k = 0; k < 3; k++) {
            out.linear[k] += own[k];
            out.angular[k] += turn[k];
        }
        supi_symmetric_add_mass(drag * mass, arm, out.inertia);
    }
    return out;
}

/* A turn about an axis moves along the other two: where one of these is locked there is none. */
static void lock_turns(int32_t locked, lack* lacks) {
    for (int k = 0; k < 3; k++) {
        if (!(locked & ~(1 << k))) continue;
        lacks->angular[k] = 0.0;
        lacks->inertia[3 + (k + 1) % 3] = lacks->inertia[3 + (k + 2) % 3] = 0.0;
    }
}

/* rad/s */
static void find_spin(lack* lacks, double spin[3]) {
    double inverse[6];
    supi_symmetric_regular(lacks->inertia);
    supi_symmetric_invert(lacks->inertia, inverse);
    supi_symmetric_apply(inverse, lacks->angular, spin);
}

void supi_momentum_keep(const supi_body* body, float h, const supi_momentum* wanted, bool turns,
                        sup_row* x, sup_row* v) {
    double middle[3], push[3], spin[3] = {0, 0, 0}, arm[3], turn[3];
    double mass = find_middle(body, x, middle);
    lack lacks = find_lack(body, h, wanted, middle, x, v);
    if (!(mass > 0.0)) return;
    for (int k = 0; k < 3; k++) {
        push[k] = lacks.linear[k] / (mass * (1.0 + (double)h * body->springs.drag));
        if (body->locked & 1 << k) push[k] = 0.0;
    }
    lock_turns(body->locked, &lacks);
    if (turns) find_spin(&lacks, spin);
    for (int32_t r = 0; r < count_of(body); r++) {
        if (!(x[r].w > 0.0f)) continue;
        arm_of(middle, x + r, arm);
        supi_vector_cross(spin, arm, turn);
        const float by[3] = {(float)(push[0] + turn[0]), (float)(push[1] + turn[1]),
                             (float)(push[2] + turn[2])};
        v[r] = (sup_row){v[r].x + by[0], v[r].y + by[1], v[r].z + by[2], v[r].w};
        x[r] = (sup_row){x[r].x + h * by[0], x[r].y + h * by[1], x[r].z + h * by[2], x[r].w};
    }
}
