/* Impulses between particles that turn. They are told in units of the corrections that they would
   be to particles that do not: divided by the masses, so that one that turns just gives way more
   easily. */
#include "contact/turning.h"

#include "contact/rub.h"
#include "contact/vec3.h"
#include "geom/turn.h"

#include <math.h>

#define TURN_MAX 0.5f /* rad, by one push */

static sup_vec3 times(const supi_moments* m, sup_vec3 a) {
    const float* s = m->m;
    return (sup_vec3){s[0] * a.x + s[3] * a.y + s[4] * a.z, s[3] * a.x + s[1] * a.y + s[5] * a.z,
                      s[4] * a.x + s[5] * a.y + s[2] * a.z};
}

supi_moments supi_moments_turned(const supi_moments* rest, sup_quat q) {
    float axes[3][3];
    supi_turn_axes(q, axes);
    sup_vec3 columns[3], rows[3]; /* of R and of R times the moments, row by row of R */
    for (int k = 0; k < 3; k++) {
        columns[k] = (sup_vec3){axes[0][k], axes[1][k], axes[2][k]};
        rows[k] = times(rest, columns[k]);
    }
    return (supi_moments){{supi_vec3_dot(rows[0], columns[0]), supi_vec3_dot(rows[1], columns[1]),
                           supi_vec3_dot(rows[2], columns[2]), supi_vec3_dot(rows[0], columns[1]),
                           supi_vec3_dot(rows[0], columns[2]), supi_vec3_dot(rows[1], columns[2])}};
}

static void add(sup_row* row, float s, sup_vec3 a) {
    row->x += s * a.x;
    row->y += s * a.y;
    row->z += s * a.z;
}

static bool turns(const supi_side* side, bool push) {
    return side->q && (push ? side->tips : side->rolls);
}

static float side_ease(const supi_side* side, sup_vec3 n, bool turn) {
    if (!turn) return side->share;
    sup_vec3 moment = supi_vec3_cross(side->arm, n);
    return side->share + supi_vec3_dot(moment, times(&side->ease, moment));
}

float supi_turning_ease(const supi_turning* t, sup_vec3 n, bool push) {
    return side_ease(&t->a, n, turns(&t->a, push)) + side_ease(&t->b, n, turns(&t->b, push));
}

/* Velocity of the place where they touch. */
static sup_vec3 speed_at(const supi_side* side) {
    sup_vec3 v = supi_vec3_of_row(side->v);
    if (!side->w) return v;
    return supi_vec3_along(v, 1, supi_vec3_cross(supi_vec3_of_row(side->w), side->arm));
}

/* What an impulse of this kind can answer: a spin that it took nothing from would drive for ever.
 */
static sup_vec3 answered_at(const supi_side* side, bool push) {
    bool moved_only = side->share > 0 && !turns(side, push);
    return moved_only ? supi_vec3_of_row(side->v) : speed_at(side);
}

static sup_vec3 slip(const supi_turning* t, bool push) {
    return supi_vec3_minus(answered_at(&t->a, push), answered_at(&t->b, push));
}

/* The impulse c on a side: moves it by `moved` times that, adds `per_h` times that to its speed. */
static void give(const supi_side* side, sup_vec3 c, bool turn, float moved, float per_h) {
    if (moved != 0) add(side->x, side->share * moved, c);
    if (per_h != 0) add(side->v, side->share * per_h, c);
    if (!turn) return;
    sup_vec3 angle = times(&side->ease, supi_vec3_cross(side->arm, c));
    float square = supi_vec3_dot(angle, angle);
    if (square > TURN_MAX * TURN_MAX) angle = supi_vec3_scaled(angle, TURN_MAX / sqrtf(square));
    if (moved != 0) *side->q = supi_turn_by(*side->q, supi_vec3_scaled(angle, moved));
    if (per_h != 0) add(side->w, per_h, angle);
}

/* Equal and opposite. */
static void give_both(const supi_turning* t, sup_vec3 c, bool push, float moved, float per_h) {
    give(&t->a, c, turns(&t->a, push), moved, per_h);
    give(&t->b, supi_vec3_scaled(c, -1), turns(&t->b, push), moved, per_h);
}

/* c has moved both and is not to become speed. */
static void note_shift(const supi_turning* t, sup_vec3 c) {
    if (t->a.shift) add(t->a.shift, t->a.share, c);
    if (t->b.shift) add(t->b.shift, -t->b.share, c);
}

/* Opens `depth` without speed. What is `deep` is a matter of whole pieces, which do not turn. */
static void shift_both(const supi_turning* t, float depth, bool tips, bool deep) {
    bool turn_a = tips && turns(&t->a, true) && !(deep && t->a.shift);
    bool turn_b = tips && turns(&t->b, true) && !(deep && t->b.shift);
    float ease = side_ease(&t->a, t->normal, turn_a) + side_ease(&t->b, t->normal, turn_b);
    sup_vec3 c = supi_vec3_scaled(t->normal, depth / ease);
    give(&t->a, c, turn_a, 1, 0);
    give(&t->b, supi_vec3_scaled(c, -1), turn_b, 1, 0);
    if (deep) note_shift(t, c);
}

sup_vec3 supi_turning_push(const supi_turning* t, const supi_surface* surface,
                           supi_contact* contact, float depth, float old, bool tips, float h) {
    float un = h * supi_vec3_dot(t->normal, slip(t, true));
    float ease = tips ? supi_turning_ease(t, t->normal, true) : t->a.share + t->b.share;
    float speed, shift;
    supi_rub_split(surface, depth, un, h, &speed, &shift);
    /* What came within the substep goes within it. */
    float rest = depth - speed, fresh = depth - old;
    if (shift < fresh - speed) shift = fresh - speed;
    if (shift > rest) shift = rest;
    sup_vec3 pushed = supi_vec3_scaled(t->normal, speed / ease);
    if (speed > 0) {
        give(&t->a, pushed, tips && turns(&t->a, true), 1, 1 / h);
        give(&t->b, supi_vec3_scaled(pushed, -1), tips && turns(&t->b, true), 1, 1 / h);
    }
    if (shift > 0) shift_both(t, shift, tips, supi_turning_is_deep(surface, old));
    contact->push += speed / ease;
    float stop = un < 0 ? -un : 0;
    if (speed > stop) contact->opened += (speed - stop) / ease;
    return pushed;
}

/* A unit vector along the part of u across n, and how long that is; false: there is none. */
static bool tangent_of(sup_vec3 u, sup_vec3 n, sup_vec3* t, float* length) {
    sup_vec3 ut = supi_rub_tangent(u, n);
    *length = sqrtf(supi_vec3_dot(ut, ut));
    if (!(*length > 1e-20f)) return false;
    *t = supi_vec3_scaled(ut, 1 / *length);
    return true;
}

sup_vec3 supi_turning_rub(const supi_turning* t, const supi_surface* surface, supi_contact* contact,
                          float h) {
    sup_vec3 along, none = {0, 0, 0};
    float speed;
    if (!(contact->push > 0) || !tangent_of(slip(t, false), t->normal, &along, &speed)) return none;
    float ease = supi_turning_ease(t, along, false);
    if (!(ease > 0)) return none;
    sup_vec3 wanted = supi_vec3_scaled(along, h * speed / ease);
    sup_vec3 given = supi_rub(surface, contact, wanted, surface->creep * h / ease);
    give_both(t, given, false, 1, 1 / h);
    return given;
}

/* Opening old overlap lent them speed, which carries loads from one to the next within the sweeps.
   Takes back as much of it as parts them faster than they came. */
static sup_vec3 calm(const supi_turning* t, const supi_surface* surface, supi_contact* contact,
                     float h) {
    float most = contact->opened / h, came = (contact->push - contact->opened) / h;
    float ease = supi_turning_ease(t, t->normal, true);
    float parting = supi_vec3_dot(t->normal, slip(t, true)) / ease - came;
    float taken = parting < most ? parting : most;
    sup_vec3 back = {0, 0, 0};
    if (!(taken > 0)) return back;
    back = supi_vec3_scaled(t->normal, -taken);
    give_both(t, back, true, 0, 1);
    if (supi_turning_is_deep(surface, contact->depth)) note_shift(t, supi_vec3_scaled(back, -h));
    contact->push -= h * taken;
    return back;
}

sup_vec3 supi_turning_bounce(const supi_turning* t, const supi_surface* surface,
                             supi_contact* contact, float slow, float h) {
    sup_vec3 along, n = t->normal, sum = {0, 0, 0};
    float missing = supi_rub_missing(surface, contact, supi_vec3_dot(n, slip(t, true)), slow);
    float ease = supi_turning_ease(t, n, true), speed;
    if (!(ease > 0)) return sum;
    if (!(surface->restitution > 0) || !(missing > 0)) return calm(t, surface, contact, h);
    float blow = missing / ease, limit = surface->friction_kinetic * blow;
    sum = supi_vec3_scaled(n, blow);
    give_both(t, sum, true, 0, 1);
    contact->push += h * blow;
    if (!(limit > 0) || !tangent_of(slip(t, false), n, &along, &speed)) return sum;
    float stop = speed / supi_turning_ease(t, along, false);
    sup_vec3 drag = supi_vec3_scaled(along, -(stop < limit ? stop : limit));
    give_both(t, drag, false, 0, 1);
    contact->drag[0] += h * drag.x;
    contact->drag[1] += h * drag.y;
    contact->drag[2] += h * drag.z;
    return supi_vec3_along(sum, 1, drag);
}

/* `met`: velocity of what the side rubs on. */
static void drag_side(const supi_side* side, sup_vec3 n, sup_vec3 met, float linear,
                      float turning) {
    if (!(side->share > 0)) return;
    sup_vec3 lag = supi_vec3_minus(met, supi_vec3_of_row(side->v));
    add(side->v, linear, supi_rub_tangent(lag, n));
    float square = supi_vec3_dot(side->arm, side->arm);
    if (!side->w || !(square > 0)) return;
    lag = supi_vec3_minus(met, speed_at(side));
    add(side->w, turning / square, supi_vec3_cross(side->arm, lag));
}

void supi_turning_drag(const supi_turning* t, float linear, float turning) {
    /* The mean velocity by mass; shares are inverse masses. A side of no share leads alone. */
    float a = t->b.share, b = t->a.share, sum = a + b;
    if (!(sum > 0)) return;
    sup_vec3 met = supi_vec3_along(supi_vec3_scaled(supi_vec3_of_row(t->a.v), a / sum), b / sum,
                                   supi_vec3_of_row(t->b.v));
    drag_side(&t->a, t->normal, met, linear, turning);
    drag_side(&t->b, t->normal, met, linear, turning);
}

void supi_turning_roll(const supi_side* side, sup_vec3 n, float most) {
    sup_vec3 along;
    float speed;
    if (!side->w || !tangent_of(supi_vec3_of_row(side->w), n, &along, &speed)) return;
    add(side->w, -(speed < most ? speed : most), along);
}
