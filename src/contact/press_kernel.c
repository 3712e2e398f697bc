#include "contact/press.h"

#include "contact/turning.h"
#include "geom/vec8.h"

#include <stddef.h>

/* What is taken and put as four floats in a row. */
#define FOLLOWS(type, first, next)                                                                 \
    _Static_assert(offsetof(type, next) == offsetof(type, first) + 3 * sizeof(float), "in a row")
FOLLOWS(supi_contact, distance, push);
FOLLOWS(supi_contact, drag, opened);
FOLLOWS(supi_touch_contact, found, side);
_Static_assert(offsetof(supi_touch_contact, gain) ==
                   offsetof(supi_touch_contact, side) + sizeof(float),
               "in a row");

/* Four floats of each of eight contacts. */
typedef struct fours8 {
    float* at[8];
} fours8;

F8_INLINE quat8 take_fours8(const fours8* from) {
    supi_rows8 rows;
    quat8 q;
    for (int k = 0; k < 4; k++) {
        rows.r[k] = pair_load((const sup_row*)from->at[k], (const sup_row*)from->at[k + 4]);
    }
    rows8_to_lanes(rows, &q.x, &q.y, &q.z, &q.w);
    return q;
}

F8_INLINE void put_fours8(const fours8* to, quat8 q) {
    supi_rows8 rows = rows8_from_lanes(q.x, q.y, q.z, q.w);
    for (int k = 0; k < 4; k++) {
        pair_store((sup_row*)to->at[k], (sup_row*)to->at[k + 4], rows.r[k]);
    }
}

F8_INLINE void put_rows8(sup_row* base, const int32_t at[8], vec8 a, supi_f8 w) {
    supi_rows8 rows = rows8_from_lanes(a.x, a.y, a.z, w);
    for (int k = 0; k < 4; k++) pair_store(base + at[k], base + at[k + 4], rows.r[k]);
}

F8_INLINE vec8 choose8(supi_m8 m, vec8 yes, vec8 no) {
    return (vec8){f8_select(m, yes.x, no.x), f8_select(m, yes.y, no.y), f8_select(m, yes.z, no.z)};
}

/* Eight contacts at work. */
typedef struct eight {
    vec8 n, x, v, found, drag, gain;
    supi_f8 distance, known; /* what is kept; how far it was as found */
    supi_f8 old, push, opened;
    supi_f8 per_h;
} eight;

F8_INLINE supi_f8 depth8(const eight* e) {
    supi_f8 way = dot8(e->n, minus8(e->x, e->found));
    return f8_sub(e->distance, f8_add(e->known, way));
}

/* See supi_turning_push: what moves without speed, for the caller to tell. */
F8_INLINE supi_f8 push8(const supi_press* p, eight* e, supi_m8 pressed, supi_f8 depth) {
    const supi_surface* s = p->surface;
    supi_f8 zero = f8_set(0.0f), un = f8_mul(f8_set(p->h), dot8(e->n, e->v));
    supi_f8 room = f8_sub(f8_set(s->depart * p->h), un);
    room = f8_select(f8_less(room, zero), zero, room);
    supi_f8 speed = f8_min(depth, room), rest = f8_sub(depth, speed);
    supi_f8 shift = f8_min(rest, f8_set(s->shift * p->h));
    supi_f8 fresh = f8_sub(f8_sub(depth, e->old), speed);
    shift = f8_select(f8_less(shift, fresh), fresh, shift);
    shift = f8_select(f8_less(rest, shift), rest, shift);
    vec8 pushed = scaled8(e->n, speed), gained = scaled8(pushed, e->per_h);
    supi_m8 moved = m8_and(pressed, f8_less(zero, speed));
    e->x = choose8(moved, plus8(e->x, pushed), e->x);
    e->v = choose8(moved, plus8(e->v, gained), e->v);
    e->gain = choose8(pressed, plus8(e->gain, gained), e->gain);
    supi_m8 shifted = m8_and(pressed, f8_less(zero, shift));
    e->x = choose8(shifted, plus8(e->x, scaled8(e->n, shift)), e->x);
    e->push = f8_select(pressed, f8_add(e->push, speed), e->push);
    supi_f8 stop = f8_select(f8_less(un, zero), f8_sub(zero, un), zero);
    supi_m8 opens = m8_and(pressed, f8_less(stop, speed));
    e->opened = f8_select(opens, f8_add(e->opened, f8_sub(speed, stop)), e->opened);
    return f8_select(shifted, shift, zero);
}

/* See supi_turning_rub and supi_rub. */
F8_INLINE void rub8(const supi_press* p, eight* e) {
    const supi_surface* s = p->surface;
    supi_f8 one = f8_set(1.0f);
    vec8 across = minus8(e->v, scaled8(e->n, dot8(e->v, e->n)));
    supi_f8 speed = f8_sqrt(dot8(across, across));
    supi_m8 rubs = m8_and(f8_less(f8_set(0.0f), e->push), f8_less(f8_set(1e-20f), speed));
    if (!m8_bits(rubs)) return;
    vec8 along = scaled8(across, f8_div(one, f8_select(rubs, speed, one)));
    vec8 sum = minus8(e->drag, scaled8(along, f8_mul(f8_set(p->h), speed)));
    supi_f8 length = f8_sqrt(dot8(sum, sum)), limit = f8_mul(f8_set(s->friction_static), e->push);
    supi_m8 over = f8_less(limit, length);
    supi_m8 slides = f8_less(f8_set(s->creep * p->h), f8_sub(length, limit));
    limit = f8_select(slides, f8_mul(f8_set(s->friction_kinetic), e->push), limit);
    sum = choose8(over, scaled8(sum, f8_div(limit, f8_select(over, length, one))), sum);
    vec8 given = minus8(sum, e->drag), gained = scaled8(given, e->per_h);
    e->x = choose8(rubs, plus8(e->x, given), e->x);
    e->v = choose8(rubs, plus8(e->v, gained), e->v);
    e->gain = choose8(rubs, plus8(e->gain, gained), e->gain);
    e->drag = choose8(rubs, sum, e->drag);
}

/* Old overlap that has opened is a matter of whole pieces: see supi_side. */
static void note_shifts(const supi_press* p, int32_t first, int32_t count, supi_f8 moved) {
    const supi_oriented* o = p->kin->oriented;
    float by[8];
    if (!o->piece || !m8_bits(f8_less(f8_set(0.0f), moved))) return;
    f8_store(by, moved);
    for (int32_t k = 0; k < count; k++) {
        const supi_contact* c = &p->contacts[first + k].common;
        int32_t local = c->a - p->kin->first;
        bool deep = supi_turning_is_deep(p->surface, p->grasps[first + k].old);
        if (!(by[k] > 0) || !deep || o->piece[local] < 0) continue;
        o->shift[local].x += c->normal[0] * by[k];
        o->shift[local].y += c->normal[1] * by[k];
        o->shift[local].z += c->normal[2] * by[k];
    }
}

static void press_eight(const supi_press* p, int32_t first, int32_t count) {
    int32_t at[8];
    float olds[8];
    fours8 sizes, drags, founds, gains;
    for (int32_t k = 0; k < 8; k++) { /* fewer: the last one is there again */
        int32_t i = first + (k < count ? k : count - 1);
        supi_touch_contact* c = &p->contacts[i];
        at[k] = c->common.a;
        olds[k] = p->grasps[i].old;
        sizes.at[k] = &c->common.distance;
        drags.at[k] = c->common.drag;
        founds.at[k] = c->found;
        gains.at[k] = &c->side;
    }
    quat8 x = gather8(p->x, at), v = gather8(p->v, at), size = take_fours8(&sizes);
    quat8 found = take_fours8(&founds);
    supi_f8 zero = f8_set(0.0f);
    eight e = {.n = set8(p->contacts[first].common.normal),
               .x = vector8(x),
               .found = vector8(found),
               .distance = size.x,
               .known = f8_sub(size.x, size.y),
               .push = size.w};
    supi_f8 depth = depth8(&e);
    supi_m8 pressed = f8_less(zero, depth), busy = m8_or(pressed, f8_less(zero, e.push));
    if (!m8_bits(busy)) return;
    quat8 drag = take_fours8(&drags), gain = take_fours8(&gains);
    e.v = vector8(v);
    e.drag = vector8(drag);
    e.opened = drag.w;
    e.gain = (vec8){gain.y, gain.z, gain.w};
    e.old = f8_load(olds);
    e.per_h = f8_set(1 / p->h);
    note_shifts(p, first, count, push8(p, &e, pressed, depth));
    rub8(p, &e);
    depth = depth8(&e);
    note_shifts(p, first, count, push8(p, &e, m8_and(busy, f8_less(zero, depth)), depth));
    put_rows8(p->x, at, e.x, x.w);
    put_rows8(p->v, at, e.v, v.w);
    put_fours8(&sizes, (quat8){size.x, size.y, size.z, e.push});
    put_fours8(&drags, (quat8){e.drag.x, e.drag.y, e.drag.z, e.opened});
    put_fours8(&gains, (quat8){gain.x, e.gain.x, e.gain.y, e.gain.z});
}

extern supi_press_plane SUPI_KERNEL(supi_press_plane);
void SUPI_KERNEL(supi_press_plane)(const supi_press* press) {
    for (int32_t i = 0; i < press->count; i += 8) {
        press_eight(press, i, press->count - i < 8 ? press->count - i : 8);
    }
}
