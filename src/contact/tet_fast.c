/* Contacts are looked for at the end of a substep: who has come out on the far side by then has met
   nobody. So the few that are fast enough for that are looked at on their way, with straight ways
   and boxes, and hit each other like lumps. What is left of it is for contacts. */
#include "contact/tet_fast.h"

#include "contact/rub.h"
#include "geom/main_axes.h"
#include "geom/vector.h"

#include <float.h>
#include <math.h>

#define FAST 0.5   /* of the thickness in a substep, from which on one may pass the other */
#define INTO 0.25  /* of the thickness: how far into each other they are looked at */
#define SAMPLES 8  /* rows that tell whether a body is fast at all */
#define AGREED 0.1 /* length of the mean of normals below which they do not agree */

typedef struct traveller {
    double low[3], high[3]; /* m, of its box at the end of the substep, world */
    double way[3];          /* m, in the substep */
    double thickness;       /* m */
    double inverse_mass;    /* 1/kg; 0: nothing moves it */
    bool fast, stopped;
    bool apart; /* it would not move as one: sheets and ropes, what is pinned in part, locked along
                   an axis or asleep */
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

static bool is_fast(const chase* c, const supi_tet_body* body, double thinnest) {
    int32_t count = body->form->point_count, step = count / SAMPLES + 1;
    float least = (float)(0.5 * FAST * thinnest) / c->h;
    for (int32_t i = 0; i < count && !body->still; i += step) {
        sup_vec3 v = supi_vec3_of_row(&body->v[i]);
        if (supi_vec3_dot(v, v) > least * least) return true;
    }
    return false;
}

/* By some rows, if nobody is thinner than its edges are long. */
static bool anybody_may_be_fast(const chase* c) {
    double thinnest = DBL_MAX;
    for (int32_t i = 0; i < c->body_count; i++) {
        double edge = (double)c->bodies[i].form->edge;
        thinnest = edge < thinnest ? edge : thinnest;
    }
    for (int32_t i = 0; i < c->body_count; i++) {
        if (is_fast(c, &c->bodies[i], thinnest)) return true;
    }
    return false;
}

static void place_of(const void* body, int32_t i, double at[3]) {
    supi_vector_of_row(&((const supi_tet_body*)body)->x[i], at);
}

/* Along the main axis along which it is the least. */
static double thickness_of(const supi_tet_body* body) {
    int32_t count = body->form->point_count;
    double axes[9], at[3], least = DBL_MAX;
    supi_main_axes(count, place_of, body, axes);
    for (int n = 0; n < 3; n++) {
        const double* axis = axes + 3 * n;
        double low = DBL_MAX, high = -DBL_MAX;
        for (int32_t i = 0; i < count; i++) {
            supi_vector_of_row(&body->x[i], at);
            double place = supi_vector_dot(axis, at);
            low = place < low ? place : low;
            high = place > high ? place : high;
        }
        least = high - low < least ? high - low : least;
    }
    double edge = (double)body->form->edge;
    return least > edge ? least : edge;
}

static void follow(const chase* c, int32_t index) {
    const supi_tet_body* body = &c->bodies[index];
    traveller* t = &c->travellers[index];
    double mass = 0.0, sum[3] = {0}, plain[3] = {0}, at[3], v[3];
    int32_t count = body->form->point_count, pinned = 0;
    *t = (traveller){.thickness = DBL_MAX, .apart = !body->lump || !supi_tet_solid(body)};
    for (int k = 0; k < 3; k++) t->low[k] = DBL_MAX, t->high[k] = -DBL_MAX;
    for (int32_t i = 0; i < count && !t->apart; i++) {
        float w = body->x[i].w;
        supi_vector_of_row(&body->x[i], at);
        supi_vector_of_row(&body->v[i], v);
        double m = w > 0 ? 1.0 / (double)w : 0.0;
        mass += m;
        pinned += w == 0;
        for (int k = 0; k < 3; k++) {
            double place = body->anchor[k] + at[k];
            t->low[k] = place < t->low[k] ? place : t->low[k];
            t->high[k] = place > t->high[k] ? place : t->high[k];
            sum[k] += m * v[k];
            plain[k] += v[k] / count;
        }
    }
    t->apart = t->apart || (pinned > 0 && pinned < count);
    if (t->apart) return;
    t->thickness = thickness_of(body);
    if (body->still) return;
    t->inverse_mass = pinned == 0 && mass > 0.0 ? 1.0 / mass : 0.0;
    for (int k = 0; k < 3; k++) {
        t->way[k] = (double)c->h * (pinned == 0 ? sum[k] / mass : plain[k]);
    }
}

/* Of two that pass each other one at least goes half of the way. */
static bool mark_fast(const chase* c) {
    double thinnest = DBL_MAX;
    bool any = false;
    for (int32_t i = 0; i < c->body_count; i++) {
        follow(c, i);
        double own = c->travellers[i].thickness;
        thinnest = own < thinnest ? own : thinnest;
    }
    for (int32_t i = 0; i < c->body_count; i++) {
        traveller* t = &c->travellers[i];
        t->fast = supi_vector_length(t->way) > 0.5 * FAST * thinnest;
        any = any || t->fast;
    }
    return any;
}

/* ---- Who meets whom ---- */

static bool may_meet(const chase* c, int32_t a, int32_t b) {
    const supi_tet_body *one = &c->bodies[a], *other = &c->bodies[b];
    uint64_t ids = (uint64_t)one->id << 32 | (uint32_t)other->id;
    return (c->travellers[a].fast || c->travellers[b].fast) && !c->travellers[a].apart &&
           !c->travellers[b].apart &&
           c->travellers[a].inverse_mass + c->travellers[b].inverse_mass > 0.0 &&
           supi_filters_meet(one->filter, other->filter) &&
           !supi_exemptions_part(c->rules->exempt, ids);
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
    const traveller *one = &c->travellers[a], *other = &c->travellers[b];
    double way[3], from, to, thickness = one->thickness;
    thickness = other->thickness < thickness ? other->thickness : thickness;
    supi_vector_subtract(one->way, other->way, way);
    double length = supi_vector_length(way);
    if (!(length > FAST * thickness) || !boxes_meet(one, other, &from, &to)) return true;
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

/* ---- What happens then ---- */

/* Contacts of the two as they were at the time t. */
static bool look(const chase* c, const encounter* e, double t) {
    supi_tet_body both[2] = {c->bodies[e->a], c->bodies[e->b]};
    float rest = (float)(1.0 - t) * c->h;
    for (int i = 0; i < 2; i++) {
        int32_t count = both[i].form->point_count;
        sup_row* x = supi_column_reserve(&c->fast->rows[i], c->allocator, count, sizeof *both[i].x);
        if (!x) return false;
        for (int32_t p = 0; p < count; p++) {
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

/* The way out for a, of length 1: the mean of what contacts say, or back where these do not agree.
   False: they do, and it is on that way. */
static bool find_normal(const chase* c, const encounter* e, double normal[3]) {
    double way[3], sum[3] = {0.0, 0.0, 0.0};
    int32_t count = c->fast->contacts.contact_count;
    for (int32_t i = 0; i < count; i++) {
        const supi_tet_contact* contact = &c->fast->contacts.contacts[i];
        double n[3], sign = contact->body == 0 ? 1.0 : -1.0;
        supi_vector_from(&contact->normal, n);
        for (int k = 0; k < 3; k++) sum[k] += sign * n[k];
    }
    supi_vector_subtract(c->travellers[e->b].way, c->travellers[e->a].way, way);
    bool agree = supi_vector_length(sum) > AGREED * count;
    const double* n = agree ? sum : way;
    double length = supi_vector_length(n);
    for (int k = 0; k < 3; k++) normal[k] = n[k] / length;
    return supi_vector_dot(n, way) > 0.0;
}

/* Adds a speed to all of a body from the time t on. */
static void push(const chase* c, int32_t index, const double dv[3], double t) {
    const supi_tet_body* body = &c->bodies[index];
    sup_vec3 more = supi_vector_round(dv[0], dv[1], dv[2]);
    float rest = (float)(1.0 - t) * c->h;
    for (int32_t p = 0; p < body->form->point_count; p++) {
        if (!(body->x[p].w > 0)) continue;
        supi_rub_add(&body->v[p], more);
        supi_rub_add(&body->x[p], supi_vec3_scaled(more, rest));
    }
}

/* The mean of where points were in the other body. */
static void find_place(const chase* c, const encounter* e, double place[3]) {
    int32_t count = c->fast->contacts.contact_count;
    for (int k = 0; k < 3; k++) place[k] = 0.0;
    for (int32_t i = 0; i < count; i++) {
        const supi_tet_contact* contact = &c->fast->contacts.contacts[i];
        const sup_row* rows = c->fast->rows[contact->body].items;
        const double* anchor = c->bodies[contact->body == 0 ? e->a : e->b].anchor;
        double at[3];
        supi_vector_of_row(&rows[contact->rows[0]], at);
        for (int k = 0; k < 3; k++) place[k] += (anchor[k] + at[k]) / count;
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
    /* what nothing moves may be hit by many */
    traveller *a = &c->travellers[stop->a], *b = &c->travellers[stop->b];
    a->stopped = a->inverse_mass > 0.0;
    b->stopped = b->inverse_mass > 0.0;
    return true;
}

static bool meet(const chase* c, const encounter* e) {
    double normal[3], t = e->t, by = 0.0;
    if (c->travellers[e->a].stopped || c->travellers[e->b].stopped) return true;
    if (!look(c, e, t)) return false;
    if (c->fast->contacts.contact_count == 0) {
        t = e->later < 1.0 ? e->later : 1.0;
        if (!look(c, e, t)) return false;
    }
    if (c->fast->contacts.contact_count == 0) return true;
    if (!find_normal(c, e, normal)) return true;
    const traveller *a = &c->travellers[e->a], *b = &c->travellers[e->b];
    for (int k = 0; k < 3; k++) by -= normal[k] * (a->way[k] - b->way[k]) / (double)c->h;
    double light = a->inverse_mass + b->inverse_mass, dv[2][3];
    for (int k = 0; k < 3; k++) {
        dv[0][k] = normal[k] * by * a->inverse_mass / light;
        dv[1][k] = -normal[k] * by * b->inverse_mass / light;
    }
    if (a->inverse_mass > 0.0) push(c, e->a, dv[0], t);
    if (b->inverse_mass > 0.0) push(c, e->b, dv[1], t);
    supi_tet_stop stop = {.a = e->a, .b = e->b};
    for (int k = 0; k < 3; k++) stop.impulse[k] = normal[k] * by / light;
    find_place(c, e, stop.place);
    return note_stop(c, &stop);
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
               .h = h};
    fast->stop_count = 0;
    c.travellers =
        supi_column_reserve(&fast->travellers, allocator, body_count, sizeof *c.travellers);
    if (!c.travellers) return false;
    if (!anybody_may_be_fast(&c) || !mark_fast(&c)) return true;
    for (int32_t a = 0; a < body_count; a++) {
        for (int32_t b = a + 1; b < body_count; b++) {
            if (may_meet(&c, a, b) && !add_encounter(&c, a, b)) return false;
        }
    }
    for (int32_t i = 0; i < c.encounter_count; i++) {
        if (!meet(&c, &c.encounters[i])) return false;
    }
    return true;
}

void supi_tet_fast_free(supi_tet_fast* fast, const sup_allocator* allocator) {
    supi_tet_contacts_free(&fast->contacts, allocator);
    supi_column_free(&fast->travellers, allocator);
    supi_column_free(&fast->encounters, allocator);
    supi_column_free(&fast->stop_store, allocator);
    for (int i = 0; i < 2; i++) supi_column_free(&fast->rows[i], allocator);
    *fast = (supi_tet_fast){0};
}
