/* The laws of a contact, whatever its particles are: how much of a correction becomes speed, and
   how much friction there is. */
#ifndef SUPPLE_CONTACT_RUB_H
#define SUPPLE_CONTACT_RUB_H

#include "contact/contact.h"
#include "contact/vec3.h"

#include <math.h>

static inline void supi_rub_add(sup_row* row, sup_vec3 a) {
    row->x += a.x;
    row->y += a.y;
    row->z += a.z;
}

/* Adds to the place and, as the same move within h, to the velocity. */
static inline void supi_rub_move(sup_row* x, sup_row* v, sup_vec3 a, float per_h) {
    supi_rub_add(x, a);
    supi_rub_add(v, supi_vec3_scaled(a, per_h));
}

/* What a collider has added to the velocity of a particle. */
static inline void supi_rub_remember(supi_touch_contact* contact, sup_vec3 gain) {
    contact->gain[0] += gain.x;
    contact->gain[1] += gain.y;
    contact->gain[2] += gain.z;
}

/* Adds a correction that becomes speed, and remembers it. */
static inline void supi_rub_give(supi_touch_contact* contact, sup_row* x, sup_row* v, sup_vec3 a,
                                 float per_h) {
    supi_rub_move(x, v, a, per_h);
    supi_rub_remember(contact, supi_vec3_scaled(a, per_h));
}

static inline void supi_rub_set_normal(supi_contact* c, sup_vec3 n) {
    c->normal[0] = n.x;
    c->normal[1] = n.y;
    c->normal[2] = n.z;
}

/* Divides a correction into the part that becomes speed and the part that only moves. `un` is the
   normal part of the relative move of this substep. */
static inline void supi_rub_split(const supi_surface* surface, float correction, float un, float h,
                                  float* speed, float* shift) {
    float room = surface->depart * h - un;
    if (room < 0) room = 0;
    *speed = correction < room ? correction : room;
    float rest = correction - *speed, bound = surface->shift * h;
    *shift = rest < bound ? rest : bound;
}

/* The friction correction that answers `ut`, the correction that would stop the slip: a full stop
   if the sum stays below the static limit, else the limit itself as long as the particle only
   creeps (by no more than `creep`), for some contacts of a body that holds are always beyond their
   share; and where it slides, as much as sliding gives. */
static inline sup_vec3 supi_rub(const supi_surface* surface, supi_contact* contact, sup_vec3 ut,
                                float creep) {
    sup_vec3 before = supi_vec3_from(contact->drag), sum = supi_vec3_minus(before, ut);
    float length = sqrtf(supi_vec3_dot(sum, sum)), limit = surface->friction_static * contact->push;
    if (length > limit) {
        if (length - limit > creep) limit = surface->friction_kinetic * contact->push;
        sum = supi_vec3_scaled(sum, limit / length);
    }
    contact->drag[0] = sum.x;
    contact->drag[1] = sum.y;
    contact->drag[2] = sum.z;
    return supi_vec3_minus(sum, before);
}

/* m/s: what comes no faster than gravity makes it in two substeps does not bounce. */
static inline float supi_rub_slow(float gravity, float h) { return 2 * gravity * h; }

/* Change of the normal speed `vn` that makes up for the bounce or the stop, or 0. */
static inline float supi_rub_missing(const supi_surface* surface, const supi_contact* c, float vn,
                                     float slow) {
    bool bounces = c->approach < -slow;
    if (!(c->push > 0) || !(bounces || surface->stops)) return 0;
    float missing = (bounces ? -surface->restitution * c->approach : 0.0f) - vn;
    return missing > 0 ? missing : 0;
}

/* The part of u across n. */
static inline sup_vec3 supi_rub_tangent(sup_vec3 u, sup_vec3 n) {
    return supi_vec3_minus(u, supi_vec3_scaled(n, supi_vec3_dot(u, n)));
}

#endif
