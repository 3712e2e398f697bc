/* Position corrections for contacts, one after the other on the depth that is left (Gauss-Seidel).

   Only the part of a correction that stops the approach, or opens an overlap slowly, becomes speed;
   the rest moves the particles and leaves their speed alone. Letting all of it become speed would
   turn old overlap into energy.

   Friction follows Coulomb's law over the whole substep: the sum of a contact's friction
   corrections is bound by the sum of its normal ones, so that the number of sweeps does not change
   how much a surface can hold. */
#include "contact/respond.h"

#include <math.h>

/* Share of a pair's depth that one sweep takes. Several pairs share a particle: 1 would push it too
 * far. */
#define PAIR_SHARE 0.5f

typedef struct vec {
    float x, y, z;
} vec;

static vec scaled(vec a, float s) { return (vec){a.x * s, a.y * s, a.z * s}; }
static float dot(vec a, vec b) { return a.x * b.x + a.y * b.y + a.z * b.z; }
static vec minus(vec a, vec b) { return (vec){a.x - b.x, a.y - b.y, a.z - b.z}; }

static vec row_vec(const sup_row* row) { return (vec){row->x, row->y, row->z}; }
static vec array_vec(const float a[3]) { return (vec){a[0], a[1], a[2]}; }

static void add(sup_row* row, vec a) {
    row->x += a.x;
    row->y += a.y;
    row->z += a.z;
}

/* Adds to the place and, as the same move within h, to the velocity. */
static void move(sup_row* x, sup_row* v, vec a, float per_h) {
    add(x, a);
    add(v, scaled(a, per_h));
}

/* Divides a correction into the part that becomes speed and the part that only moves. `un` is the
   normal part of the relative move of this substep. */
static void split(const supi_surface* surface, float correction, float un, float h, float* speed,
                  float* shift) {
    float room = surface->depart * h - un;
    if (room < 0) room = 0;
    *speed = correction < room ? correction : room;
    float rest = correction - *speed, bound = surface->shift * h;
    *shift = rest < bound ? rest : bound;
}

/* The friction correction that answers the tangential move `ut`: a full stop if the sum stays below
   the static limit, else the limit itself as long as the particle only creeps, for some contacts of
   a body that holds are always beyond their share; and where it slides, as much as sliding gives.
 */
static vec rub(const supi_surface* surface, supi_contact* contact, vec ut, float h) {
    vec before = array_vec(contact->drag), sum = minus(before, ut);
    float length = sqrtf(dot(sum, sum)), limit = surface->friction_static * contact->push;
    if (length > limit) {
        if (length - limit > surface->creep * h) limit = surface->friction_kinetic * contact->push;
        sum = scaled(sum, limit / length);
    }
    contact->drag[0] = sum.x;
    contact->drag[1] = sum.y;
    contact->drag[2] = sum.z;
    return minus(sum, before);
}

static vec tangent(vec u, vec n) { return minus(u, scaled(n, dot(u, n))); }

void supi_respond_pairing(const supi_pairing* pairing, supi_contact* contacts, sup_row* x,
                          sup_row* v, float h) {
    const supi_surface* surface = &pairing->surface;
    const vec offset = array_vec(pairing->offset);
    const bool rubs = surface->friction_static > 0;
    const float per_h = 1 / h;
    for (int32_t i = 0; i < pairing->count; i++) {
        supi_contact* c = &contacts[i];
        sup_row *xa = &x[c->a], *xb = &x[c->b], *va = &v[c->a], *vb = &v[c->b];
        float w = xa->w + xb->w;
        if (!(w > 0)) continue;
        float wa = xa->w / w, wb = xb->w / w;
        vec n = array_vec(c->normal);
        float depth = c->distance - dot(n, minus(minus(row_vec(xa), row_vec(xb)), offset));
        if (depth > 0) {
            float un = h * dot(n, minus(row_vec(va), row_vec(vb))), speed, shift;
            split(surface, PAIR_SHARE * depth, un, h, &speed, &shift);
            move(xa, va, scaled(n, wa * speed), per_h);
            move(xb, vb, scaled(n, -(wb * speed)), per_h);
            add(xa, scaled(n, wa * shift));
            add(xb, scaled(n, -(wb * shift)));
            c->push += speed;
        }
        if (rubs && c->push > 0) {
            vec ut = tangent(scaled(minus(row_vec(va), row_vec(vb)), h), n);
            vec d = rub(surface, c, ut, h);
            move(xa, va, scaled(d, wa), per_h);
            move(xb, vb, scaled(d, -wb), per_h);
        }
    }
}

void supi_respond_touches(const supi_touch* touches, supi_contact* contacts, int32_t count,
                          sup_row* x, sup_row* v, float h) {
    const float per_h = 1 / h;
    for (int32_t i = 0; i < count; i++) {
        supi_contact* c = &contacts[i];
        const supi_touch* touch = &touches[c->b];
        sup_row *xa = &x[c->a], *va = &v[c->a];
        sup_vec3 normal;
        float distance =
            supi_shape_distance(&touch->shape, (sup_vec3){xa->x, xa->y, xa->z}, &normal);
        vec n = {normal.x, normal.y, normal.z};
        if (distance < c->distance) {
            float speed, shift;
            split(&touch->surface, c->distance - distance, h * dot(n, row_vec(va)), h, &speed,
                  &shift);
            move(xa, va, scaled(n, speed), per_h);
            add(xa, scaled(n, shift));
            c->push += speed;
            c->normal[0] = n.x;
            c->normal[1] = n.y;
            c->normal[2] = n.z;
        }
        if (c->push > 0) {
            vec d = rub(&touch->surface, c, tangent(scaled(row_vec(va), h), n), h);
            move(xa, va, d, per_h);
        }
    }
}

/* Change of the normal speed `vn` that makes up for the bounce, or 0. */
static float missing_speed(const supi_surface* surface, const supi_contact* c, float vn,
                           float slow) {
    if (!(c->push > 0) || !(c->approach < -slow)) return 0;
    float missing = -surface->restitution * c->approach - vn;
    return missing > 0 ? missing : 0;
}

void supi_respond_bounce_pairing(const supi_pairing* pairing, const supi_contact* contacts,
                                 const sup_row* x, sup_row* v, float slow) {
    if (!(pairing->surface.restitution > 0)) return;
    for (int32_t i = 0; i < pairing->count; i++) {
        const supi_contact* c = &contacts[i];
        sup_row *va = &v[c->a], *vb = &v[c->b];
        float wa = x[c->a].w, wb = x[c->b].w, w = wa + wb;
        vec n = array_vec(c->normal);
        float vn = dot(n, minus(row_vec(va), row_vec(vb)));
        float missing = missing_speed(&pairing->surface, c, vn, slow);
        if (!(missing > 0) || !(w > 0)) continue;
        add(va, scaled(n, wa / w * missing));
        add(vb, scaled(n, -(wb / w * missing)));
    }
}

void supi_respond_bounce_touches(const supi_touch* touches, const supi_contact* contacts,
                                 int32_t count, sup_row* v, float slow) {
    for (int32_t i = 0; i < count; i++) {
        const supi_contact* c = &contacts[i];
        const supi_surface* surface = &touches[c->b].surface;
        if (!(surface->restitution > 0)) continue;
        vec n = array_vec(c->normal);
        add(&v[c->a], scaled(n, missing_speed(surface, c, dot(n, row_vec(&v[c->a])), slow)));
    }
}
