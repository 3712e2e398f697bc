/* Contacts are looked for at the end of a substep: who has come out on the far side by then has met
   nobody. So the few that are fast enough for that are looked at on their way, with straight ways,
   and hit each other like lumps. What is left of it is for contacts. */
#include "contact/tet_fast.h"

#include "contact/find.h"
#include "contact/rub.h"
#include "geom/vector.h"

#include <float.h>
#include <math.h>

#define FAST 0.5    /* of the thickness in a substep, from which on one may pass the other */
#define SEEN 1.5    /* of the radii of spheres: the same for these */
#define BLOWN 1e3   /* of the thickness: who goes that far has been blown up */
#define INTO 0.25   /* of the thickness: how far into each other they are looked at */
#define SAMPLES 8   /* rows that tell whether a body is fast at all */
#define LOOKS 16    /* times that a couple is looked at on its way */
#define SHORTER 0.9 /* of the overlap along the mean normal: less is better */
#define AGREED 0.1  /* length of the mean of normals below which they do not agree */
#define ROOM 64     /* encounters and stops that there is always room for */

typedef struct traveller {
    double low[3], high[3]; /* m, of its box at the end of the substep, world, with its spheres */
    double way[3];          /* m, in the substep */
    double reach;           /* m, the largest radius of its spheres */
    bool stopped;
} traveller;

/* Two that meet at the time t of the substep, 0..1. */
typedef struct encounter {
    double t, later; /* later: when they are furthest in */
    int32_t a, b;
} encounter;

typedef struct chase {
    supi_tet_fast* fast;
    const sup_allocator* allocator;
    supi_tasks* tasks;
    const supi_tet_kernels* kernels;
    const supi_tet_body* bodies;
    int32_t body_count;
    const supi_tet_rules* rules;
    float h;
    traveller* travellers;
    encounter* encounters;
    int32_t encounter_count;
} chase;

/* ---- Who is fast ---- */

/* m/s, of the fastest of some rows. */
static float speed_of(const supi_tet_body* body) {
    int32_t count = body->form->point_count, step = count / SAMPLES + 1;
    float most = 0;
    for (int32_t i = 0; i < count && !body->still; i += step) {
        sup_vec3 v = supi_vec3_of_row(&body->v[i]);
        float square = supi_vec3_dot(v, v);
        most = square > most ? square : most;
    }
    return sqrtf(most);
}

/* Of two that pass each other one at least goes half of the way. */
bool supi_tet_fast_may(float fastest, float thinnest, float h) {
    return fastest * h > 0.5f * (float)FAST * thinnest;
}

static bool anybody_may_be_fast(const chase* c) {
    float thinnest = FLT_MAX, fastest = 0;
    for (int32_t i = 0; i < c->body_count; i++) {
        float own = c->bodies[i].form->thickness, speed = speed_of(&c->bodies[i]);
        thinnest = own < thinnest ? own : thinnest;
        fastest = speed > fastest ? speed : fastest;
    }
    return supi_tet_fast_may(fastest, thinnest, c->h);
}

/* Sheets and ropes do not move as one. */
static bool is_flat(const supi_tet_body* body) { return body->form->tet_count == 0; }

/* A set of rows that move as one: all of a body, or those that are marked. */
typedef struct lump {
    double mass, momentum[3];
    int32_t count, pinned;
    double plain[3]; /* m/s, sum of all speeds */
} lump;

static lump take_lump(const supi_tet_body* body, const uint8_t* marks) {
    lump l = {0};
    double v[3];
    for (int32_t i = 0; i < body->form->point_count; i++) {
        if (marks && !marks[i]) continue;
        float w = body->x[i].w;
        double m = w > 0 ? 1.0 / (double)w : 0.0;
        supi_vector_of_row(&body->v[i], v);
        l.mass += m;
        l.pinned += body->held && w == 0 && body->v[i].w > 0;
        l.count++;
        for (int k = 0; k < 3; k++) l.momentum[k] += m * v[k], l.plain[k] += v[k];
    }
    return l;
}

/* m/s: of what is free, or of all where nothing is. */
static void lump_speed(const supi_tet_body* body, const lump* l, double v[3]) {
    for (int k = 0; k < 3; k++) {
        v[k] = l->mass > 0.0 ? l->momentum[k] / l->mass : l->count > 0 ? l->plain[k] / l->count : 0;
        if (body->still) v[k] = 0.0;
    }
}

static void follow(const chase* c, int32_t index) {
    const supi_tet_body* body = &c->bodies[index];
    traveller* t = &c->travellers[index];
    double at[3], reach = 0.0;
    *t = (traveller){0};
    for (int k = 0; k < 3; k++) t->low[k] = DBL_MAX, t->high[k] = -DBL_MAX;
    for (int32_t i = 0; i < body->form->point_count; i++) {
        supi_vector_of_row(&body->x[i], at);
        double radius = (double)body->v[i].w;
        reach = radius > reach ? radius : reach;
        for (int k = 0; k < 3; k++) {
            double place = body->anchor[k] + at[k];
            t->low[k] = place < t->low[k] ? place : t->low[k];
            t->high[k] = place > t->high[k] ? place : t->high[k];
        }
    }
    t->reach = reach;
    if (supi_tet_solid(body)) reach = 0.0;
    for (int k = 0; k < 3; k++) t->low[k] -= reach, t->high[k] += reach;
    lump l = take_lump(body, NULL);
    lump_speed(body, &l, t->way);
    for (int k = 0; k < 3; k++) t->way[k] *= (double)c->h;
}

/* ---- Who meets whom ---- */

static bool is_finite(const supi_box* box) {
    double sum = 0.0;
    for (int k = 0; k < 3; k++) sum += (box->low[k] - box->low[k]) + (box->high[k] - box->high[k]);
    return sum == 0.0;
}

/* Boxes of whole ways that have something in common. */
static bool find_couples(const chase* c) {
    supi_box* boxes = supi_sweep_boxes(&c->fast->sweep, c->allocator, c->body_count);
    int32_t count = 0;
    if (!boxes) return false;
    for (int32_t i = 0; i < c->body_count; i++) {
        const traveller* t = &c->travellers[i];
        supi_box* box = &boxes[count];
        box->id = i;
        for (int k = 0; k < 3; k++) {
            box->low[k] = t->way[k] > 0.0 ? t->low[k] - t->way[k] : t->low[k];
            box->high[k] = t->way[k] < 0.0 ? t->high[k] - t->way[k] : t->high[k];
        }
        count += is_finite(box) && c->bodies[i].form->point_count > 0;
    }
    return supi_sweep_run(&c->fast->sweep, c->allocator, count);
}

static bool may_meet(const chase* c, int32_t a, int32_t b) {
    const supi_tet_body *one = &c->bodies[a], *other = &c->bodies[b];
    uint64_t ids = (uint64_t)one->id << 32 | (uint32_t)other->id;
    return !(one->still && other->still) && !(one->thin && other->thin) &&
           supi_tet_mode(one, other) != SUP_OVERLAP_SPHERES &&
           supi_filters_meet(one->filter, other->filter) &&
           !supi_exemptions_part(c->rules->exempt, ids);
}

/* m: how far the two come nearer, if that is far enough; else 0. Spheres see each other as long as
   that is less than their radii, and miss each other from twice that on. */
static double fast_way(const chase* c, int32_t a, int32_t b, double* thickness) {
    double way[3], one = (double)c->bodies[a].form->thickness;
    double other = (double)c->bodies[b].form->thickness;
    supi_vector_subtract(c->travellers[a].way, c->travellers[b].way, way);
    double length = supi_vector_length(way);
    *thickness = one < other ? one : other;
    double seen = FAST * *thickness, radii = c->travellers[a].reach + c->travellers[b].reach;
    bool spheres = !supi_tet_solid(&c->bodies[a]) || !supi_tet_solid(&c->bodies[b]);
    if (spheres && SEEN * radii > seen) seen = SEEN * radii;
    return length > seen && length < BLOWN * *thickness ? length : 0.0;
}

/* From when to when the boxes of the two have something in common, were they to go on for ever;
   false: not within the substep. */
static bool boxes_meet(const traveller* a, const traveller* b, double* from, double* to) {
    *from = -DBL_MAX;
    *to = DBL_MAX;
    for (int k = 0; k < 3; k++) {
        /* b stands where it ends, and a lacks the rest of both ways */
        double way = a->way[k] - b->way[k];
        double first = b->low[k] - a->high[k] + way, last = b->high[k] - a->low[k] + way;
        if (way == 0.0) {
            if (first > 0.0 || last < 0.0) return false;
            continue;
        }
        double one = first / way, other = last / way;
        double early = one < other ? one : other, late = one < other ? other : one;
        *from = early > *from ? early : *from;
        *to = late < *to ? late : *to;
    }
    if (*from < 0.0) *from = 0.0;
    return *from < *to && *from < 1.0;
}

static bool add_encounter(chase* c, int32_t a, int32_t b) {
    double from, to, thickness;
    double length = fast_way(c, a, b, &thickness);
    if (!(length > 0.0)) return true;
    if (!boxes_meet(&c->travellers[a], &c->travellers[b], &from, &to)) return true;
    double middle = 0.5 * (from + to), t = from + INTO * thickness / length;
    encounter e = {.t = t < middle ? t : middle, .later = middle, .a = a, .b = b};
    if (!(e.t < 1.0)) return true;
    c->encounters =
        supi_column_reserve(&c->fast->encounters, c->allocator, c->encounter_count + 1, sizeof e);
    if (!c->encounters) return false;
    int32_t to_place = c->encounter_count++; /* in their order, as they are few */
    while (to_place > 0 && c->encounters[to_place - 1].t > e.t) {
        c->encounters[to_place] = c->encounters[to_place - 1];
        to_place--;
    }
    c->encounters[to_place] = e;
    return true;
}

/* ---- How they meet ---- */

/* Contacts of the two as they were at the time t. */
static bool look(const chase* c, const encounter* e, double t) {
    supi_tet_body both[2] = {c->bodies[e->a], c->bodies[e->b]};
    float rest = (float)(1.0 - t) * c->h;
    for (int i = 0; i < 2; i++) {
        sup_row* x = c->fast->rows[i].items;
        for (int32_t p = 0; p < both[i].form->point_count; p++) {
            x[p] = both[i].x[p];
            if (both[i].still) continue;
            supi_rub_add(&x[p], supi_vec3_scaled(supi_vec3_of_row(&both[i].v[p]), -rest));
        }
        both[i].x = x;
        both[i].self = false;
        both[i].points_only = both[i].form->stands_in;
    }
    c->fast->contacts.memory_count = 0;
    return supi_tet_contacts_find(&c->fast->contacts, c->allocator, c->tasks, c->kernels, both, 2,
                                  c->rules) == SUP_OK;
}

/* m: how far the two are in each other along n, which leads a out, as they were looked at. */
static double overlap_along(const chase* c, const encounter* e, const double n[3]) {
    double reach[2] = {-DBL_MAX, -DBL_MAX}, shift[3], at[3];
    const supi_tet_body *a = &c->bodies[e->a], *b = &c->bodies[e->b];
    supi_tet_offset(a, b, shift);
    for (int i = 0; i < 2; i++) {
        const sup_row* x = c->fast->rows[i].items;
        double sign = i ? 1.0 : -1.0;
        for (int32_t p = 0; p < (i ? b : a)->form->point_count; p++) {
            supi_vector_of_row(&x[p], at);
            double place = sign * supi_vector_dot(n, at);
            reach[i] = place > reach[i] ? place : reach[i];
        }
    }
    return reach[0] + reach[1] - supi_vector_dot(n, shift);
}

static void contact_normal(const chase* c, int32_t i, double out[3]) {
    const supi_tet_contact* contact = &c->fast->contacts.contacts[i];
    supi_vector_from(&contact->normal, out);
    for (int k = 0; k < 3 && contact->body != 0; k++) out[k] = -out[k];
}

/* Contacts at edges and corners look anywhere: of what some of them say, and of the way back, that
   counts along which the two are the least in each other, if that is much less. */
static void choose_normal(const chase* c, const encounter* e, const double way[3],
                          double normal[3]) {
    int32_t count = c->fast->contacts.contact_count, step = (count - 1) / LOOKS + 1;
    double least = SHORTER * overlap_along(c, e, normal), length = supi_vector_length(way), n[3];
    for (int32_t i = -1; i < count; i += i < 0 ? 1 : step) {
        for (int k = 0; k < 3; k++) n[k] = way[k] / length;
        if (i >= 0) contact_normal(c, i, n);
        double size = supi_vector_length(n);
        if (!(size > 0.0) || !(supi_vector_dot(n, way) > 0.0)) continue;
        double overlap = overlap_along(c, e, n);
        if (!(overlap < least)) continue;
        least = overlap;
        for (int k = 0; k < 3; k++) normal[k] = n[k] / size;
    }
}

/* The way out for a: the mean of what contacts say, or back where these do not agree. False: they
   do, and it is on that way. */
static bool find_normal(const chase* c, const encounter* e, double normal[3]) {
    double way[3], own[3], sum[3] = {0.0, 0.0, 0.0};
    int32_t count = c->fast->contacts.contact_count;
    for (int32_t i = 0; i < count; i++) {
        contact_normal(c, i, own);
        for (int k = 0; k < 3; k++) sum[k] += own[k];
    }
    supi_vector_subtract(c->travellers[e->b].way, c->travellers[e->a].way, way);
    bool agree = supi_vector_length(sum) > AGREED * count;
    const double* n = agree ? sum : way;
    double length = supi_vector_length(n);
    for (int k = 0; k < 3; k++) normal[k] = n[k] / length;
    if (!(supi_vector_dot(n, way) > 0.0)) return false;
    choose_normal(c, e, way, normal);
    return true;
}

/* The mean of where points were in the other body; those points are what is hit. */
static void find_place(const chase* c, const encounter* e, double place[3]) {
    int32_t count = c->fast->contacts.contact_count;
    for (int k = 0; k < 3; k++) place[k] = 0.0;
    for (int i = 0; i < 2; i++) {
        const supi_tet_body* body = &c->bodies[i ? e->b : e->a];
        for (int32_t p = 0; p < body->form->point_count; p++) c->fast->swept.hit[i][p] = 0;
    }
    for (int32_t i = 0; i < count; i++) {
        const supi_tet_contact* contact = &c->fast->contacts.contacts[i];
        const sup_row* rows = c->fast->rows[contact->body].items;
        const double* anchor = c->bodies[contact->body == 0 ? e->a : e->b].anchor;
        double at[3];
        supi_vector_of_row(&rows[contact->rows[0]], at);
        for (int k = 0; k < 3; k++) place[k] += (anchor[k] + at[k]) / count;
        c->fast->swept.hit[contact->body][contact->rows[0]] = 1;
    }
}

/* By tetrahedra, first at e->t, then later. 1: they meet; 0: they do not; -1: no memory. */
static int meet_inside(const chase* c, const encounter* e, supi_swept_touch* out) {
    double thickness, length = fast_way(c, e->a, e->b, &thickness);
    double last = e->later < 1.0 ? e->later : 1.0, wanted = (last - e->t) * length / thickness;
    int32_t looks = wanted < LOOKS - 2 ? (int32_t)wanted + 2 : LOOKS;
    out->t = e->t;
    c->fast->contacts.contact_count = 0;
    for (int32_t i = 0; i < looks && c->fast->contacts.contact_count == 0; i++) {
        out->t = i == 0 ? e->t : e->t + (last - e->t) * i / (looks - 1);
        if (!look(c, e, out->t)) return -1;
    }
    if (c->fast->contacts.contact_count == 0 || !find_normal(c, e, out->normal)) return 0;
    find_place(c, e, out->place);
    return 1;
}

/* By their spheres. */
static bool meet_outside(const chase* c, const encounter* e, supi_swept_touch* out) {
    supi_swept_side sides[2];
    double thickness;
    for (int i = 0; i < 2; i++) {
        int32_t index = i ? e->b : e->a;
        const supi_tet_body* body = &c->bodies[index];
        sides[i] = (supi_swept_side){.x = body->x, .v = body->v, .count = body->form->point_count};
        for (int k = 0; k < 3; k++) {
            sides[i].anchor[k] = body->anchor[k];
            sides[i].way[k] = c->travellers[index].way[k];
        }
    }
    fast_way(c, e->a, e->b, &thickness);
    return supi_swept_find(&c->fast->swept, sides, INTO * thickness, out);
}

/* Spheres lie apart on a coarse solid, so what slips through between them is looked for inside. */
static int find_meeting(const chase* c, const encounter* e, supi_swept_touch* out) {
    bool one = supi_tet_solid(&c->bodies[e->a]), other = supi_tet_solid(&c->bodies[e->b]);
    if (one && other) return meet_inside(c, e, out);
    if (meet_outside(c, e, out)) return 1;
    return one || other ? meet_inside(c, e, out) : 0;
}

/* ---- What happens then ---- */

/* Adds a speed to a lump from the time t on; or, where it is to wait, only takes its way back. */
static void push(const chase* c, int32_t index, const uint8_t* marks, const double dv[3], double t,
                 bool waits) {
    const supi_tet_body* body = &c->bodies[index];
    sup_vec3 more = supi_vector_round(dv[0], dv[1], dv[2]);
    float rest = (float)(1.0 - t) * c->h;
    for (int32_t p = 0; p < body->form->point_count; p++) {
        if (!(body->x[p].w > 0) || (marks && !marks[p])) continue;
        supi_rub_add(&body->x[p], supi_vec3_scaled(more, rest));
        if (!waits) supi_rub_add(&body->v[p], more);
    }
}

static bool comes_before(const supi_tet_stop* one, const supi_tet_stop* other) {
    return one->a < other->a || (one->a == other->a && one->b < other->b);
}

static bool note_stop(const chase* c, const supi_tet_stop* stop) {
    supi_tet_fast* fast = c->fast;
    fast->stops = supi_column_reserve(&fast->stop_store, c->allocator, fast->stop_count + 1,
                                      sizeof *fast->stops);
    if (!fast->stops) return false;
    int32_t to = fast->stop_count++; /* in their order, as they are few */
    for (; to > 0 && comes_before(stop, &fast->stops[to - 1]); to--) {
        fast->stops[to] = fast->stops[to - 1];
    }
    fast->stops[to] = *stop;
    return true;
}

/* 1/kg along each axis; 0: nothing moves it there. What is pinned of a sheet holds all that is hit
   of it. */
static void lightness_of(const supi_tet_body* body, const lump* l, double out[3]) {
    bool held = body->still || !(l->mass > 0.0) || (is_flat(body) && l->pinned > 0);
    for (int k = 0; k < 3; k++) {
        out[k] = held || (body->locked >> k & 1) ? 0.0 : 1.0 / l->mass;
    }
}

/* The two lumps of an encounter. */
typedef struct blow {
    int32_t index[2];
    const uint8_t* marks[2];
    double speed[2][3], light[2][3];
    bool waits;
} blow;

static blow take_blow(const chase* c, const encounter* e) {
    blow b = {.index = {e->a, e->b}};
    for (int i = 0; i < 2; i++) {
        const supi_tet_body* body = &c->bodies[b.index[i]];
        b.marks[i] = is_flat(body) ? c->fast->swept.hit[i] : NULL;
        lump l = take_lump(body, b.marks[i]);
        lump_speed(body, &l, b.speed[i]);
        lightness_of(body, &l, b.light[i]);
        b.waits = b.waits || body->asleep;
    }
    return b;
}

/* N s on side 0: stops the approach along the normal, and what friction stops across. False: there
   is nothing to stop. */
static bool find_impulse(const chase* c, const blow* b, const double n[3], double out[3]) {
    const supi_grip *one = c->bodies[b->index[0]].grip, *other = c->bodies[b->index[1]].grip;
    supi_surface surface = supi_find_surface(one, other, 1.0f);
    double u[3], by = 0.0, sum = 0.0;
    supi_vector_subtract(b->speed[0], b->speed[1], u);
    for (int k = 0; k < 3; k++) {
        by -= n[k] * u[k];
        sum += n[k] * n[k] * (b->light[0][k] + b->light[1][k]);
    }
    if (!(by > 0.0) || !(sum > 0.0)) return false;
    for (int k = 0; k < 3; k++) u[k] += by * n[k];
    double slip = supi_vector_length(u), part = 1.0;
    if (slip > (double)surface.friction_static * by) {
        part = (double)surface.friction_kinetic * by / slip;
        part = part < 1.0 ? part : 1.0;
    }
    for (int k = 0; k < 3; k++) {
        double light = b->light[0][k] + b->light[1][k];
        out[k] = n[k] * by / sum - (light > 0.0 ? part * u[k] / light : 0.0);
    }
    return true;
}

static bool meet(const chase* c, const encounter* e) {
    supi_swept_touch m;
    double impulse[3];
    if (c->travellers[e->a].stopped || c->travellers[e->b].stopped) return true;
    int met = find_meeting(c, e, &m);
    if (met <= 0) return met == 0;
    blow b = take_blow(c, e);
    if (!find_impulse(c, &b, m.normal, impulse)) return true;
    for (int i = 0; i < 2; i++) {
        double dv[3], moved = 0.0;
        for (int k = 0; k < 3; k++) {
            dv[k] = (i ? -1.0 : 1.0) * impulse[k] * b.light[i][k];
            moved += b.light[i][k];
        }
        if (moved > 0.0) push(c, b.index[i], b.marks[i], dv, m.t, b.waits);
        /* what nothing moves may be hit by many */
        c->travellers[b.index[i]].stopped = moved > 0.0;
    }
    double thickness, length = fast_way(c, e->a, e->b, &thickness);
    supi_tet_stop stop = {
        .a = c->bodies[e->a].id, .b = c->bodies[e->b].id, .haste = length / (FAST * thickness)};
    for (int k = 0; k < 3; k++) {
        stop.impulse[k] = b.waits ? 0.0 : impulse[k];
        stop.place[k] = m.place[k];
    }
    return note_stop(c, &stop);
}

/* ---- All of it ---- */

/* Looks at the two solids with the most points where they are: what that needs, most others will
   need. */
static bool rehearse(chase* c) {
    encounter e = {.a = -1, .b = -1};
    for (int32_t i = 0; i < c->body_count; i++) {
        int32_t count = c->bodies[i].form->point_count;
        if (!supi_tet_solid(&c->bodies[i])) continue;
        if (e.a < 0 || count > c->bodies[e.a].form->point_count)
            e.b = e.a, e.a = i;
        else if (e.b < 0 || count > c->bodies[e.b].form->point_count)
            e.b = i;
    }
    return e.b < 0 || look(c, &e, 1.0);
}

bool supi_tet_fast_reserve(supi_tet_fast* fast, const sup_allocator* allocator, supi_tasks* tasks,
                           const supi_tet_kernels* kernels, const supi_tet_body* bodies,
                           int32_t body_count, const supi_tet_rules* rules) {
    chase c = {.fast = fast,
               .allocator = allocator,
               .tasks = tasks,
               .kernels = kernels,
               .bodies = bodies,
               .body_count = body_count,
               .rules = rules};
    int32_t most = 0;
    for (int32_t i = 0; i < body_count; i++) {
        int32_t count = bodies[i].form->point_count;
        most = count > most ? count : most;
    }
    if (!supi_column_reserve(&fast->travellers, allocator, body_count, sizeof(traveller)) ||
        !supi_sweep_boxes(&fast->sweep, allocator, body_count) ||
        !supi_column_reserve(&fast->encounters, allocator, ROOM, sizeof(encounter)) ||
        !supi_column_reserve(&fast->stop_store, allocator, ROOM, sizeof *fast->stops)) {
        return false;
    }
    if (most <= fast->reserved) return true;
    for (int i = 0; i < 2; i++) {
        if (!supi_column_reserve(&fast->rows[i], allocator, most, sizeof(sup_row))) return false;
    }
    if (!supi_swept_reserve(&fast->swept, allocator, most) || !rehearse(&c)) return false;
    fast->reserved = most;
    return true;
}

bool supi_tet_fast_stop(supi_tet_fast* fast, const sup_allocator* allocator, supi_tasks* tasks,
                        const supi_tet_kernels* kernels, const supi_tet_body* bodies,
                        int32_t body_count, const supi_tet_rules* rules, float h) {
    chase c = {.fast = fast,
               .allocator = allocator,
               .tasks = tasks,
               .kernels = kernels,
               .bodies = bodies,
               .body_count = body_count,
               .rules = rules,
               .h = h,
               .travellers = fast->travellers.items};
    fast->stop_count = 0;
    if (body_count < 2 || !anybody_may_be_fast(&c)) return true;
    for (int32_t i = 0; i < body_count; i++) follow(&c, i);
    if (!find_couples(&c)) return false;
    for (int32_t i = 0; i < fast->sweep.couple_count; i++) {
        uint64_t couple = fast->sweep.couples[i];
        int32_t a = (int32_t)(couple >> 32), b = (int32_t)(uint32_t)couple;
        if (may_meet(&c, a, b) && !add_encounter(&c, a, b)) return false;
    }
    for (int32_t i = 0; i < c.encounter_count; i++) {
        if (!meet(&c, &c.encounters[i])) return false;
    }
    return true;
}

void supi_tet_fast_free(supi_tet_fast* fast, const sup_allocator* allocator) {
    supi_tet_contacts_free(&fast->contacts, allocator);
    supi_swept_free(&fast->swept, allocator);
    supi_sweep_free(&fast->sweep, allocator);
    supi_column_free(&fast->travellers, allocator);
    supi_column_free(&fast->encounters, allocator);
    supi_column_free(&fast->stop_store, allocator);
    for (int i = 0; i < 2; i++) supi_column_free(&fast->rows[i], allocator);
    *fast = (supi_tet_fast){0};
}
