/* What a contact did to its particles. */
#ifndef SUPPLE_WORLD_IMPULSE_H
#define SUPPLE_WORLD_IMPULSE_H

#include "contact/respond.h"
#include "supple/contact.h"

#include <math.h>

/* N s on particle a: along the normal, across it, and both together. */
typedef struct supi_impulse {
    double normal, friction[3], total[3];
} supi_impulse;

/* Did it push, or would it have if it could? Others were only watched. */
static inline bool supi_impulse_acted(const supi_contact* c) { return c->push > 0 || c->depth > 0; }

/* Adds one contact to a meeting. `place`: m, world. */
static inline void supi_impulse_add(sup_meeting* m, const supi_impulse* impulse,
                                    const double place[3], double depth) {
    const double *f = impulse->friction, *p = impulse->total;
    m->contact_count++;
    m->normal_impulse += impulse->normal;
    m->friction_impulse += sqrt(f[0] * f[0] + f[1] * f[1] + f[2] * f[2]);
    for (int k = 0; k < 3; k++) {
        int i = (k + 1) % 3, j = (k + 2) % 3;
        m->impulse[k] += p[k];
        m->moment[k] += place[i] * p[j] - place[j] * p[i];
    }
    if (depth > m->deepest) m->deepest = depth;
}

/* Corrections of a pair are shared out by the inverse masses; a held side has none. */
static inline supi_impulse supi_impulse_pair(const supi_pairing* p, const supi_contact* c,
                                             const sup_row* x, double h) {
    double w = (p->hold_a ? 0.0 : (double)x[c->a].w) + (p->hold_b ? 0.0 : (double)x[c->b].w);
    double scale = w > 0 ? 1.0 / (w * h) : 0.0;
    supi_impulse out = {.normal = scale * (double)c->push};
    for (int k = 0; k < 3; k++) {
        out.friction[k] = scale * (double)c->drag[k];
        out.total[k] = out.normal * (double)c->normal[k] + out.friction[k];
    }
    return out;
}

/* A collider's normal may turn from sweep to sweep: only the sum is told apart, by the last one. */
static inline supi_impulse supi_impulse_touch(const supi_touch_contact* contact, const sup_row* x) {
    const supi_contact* c = &contact->common;
    double w = (double)x[c->a].w, mass = w > 0 ? 1.0 / w : 0.0;
    supi_impulse out = {0};
    for (int k = 0; k < 3; k++) {
        out.total[k] = mass * (double)contact->gain[k];
        out.normal += out.total[k] * (double)c->normal[k];
    }
    for (int k = 0; k < 3; k++) {
        out.friction[k] = out.total[k] - out.normal * (double)c->normal[k];
    }
    return out;
}

#endif
