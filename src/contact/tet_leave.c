/* Ways are told by the nearest places of the surface. Where these lie all around, their sum is
   what symmetry has left over and points anywhere: a body near the middle of another would leave
   it over a far corner. So the ways that some points would take are tried for all. */
#include "contact/tet_leave.h"

#include "contact/tet_escape.h"
#include "geom/main_axes.h"
#include "geom/vector.h"

#include <float.h>
#include <math.h>

#define NO_DIRECTION 1e-3f /* a mean of directions shorter than this is none */
#define AGREED 0.5f        /* share of their length that ways must have in common to lead out */
#define AGREED_FLAT 0.9f   /* the same for sheets and ropes */
#define SHORTER 0.9f       /* of a way that comes before: less is better */
#define TRIED 16           /* points whose own ways are tried */
#define WRONG 0.2f         /* cosine to the way of the other from which on a way is its own */
#define BEHIND 0.7f        /* cosine of an edge to the way that it would follow */
#define LEADING 0.5        /* part of a body that must be inside */
#define ASKED 32           /* points that say how long a way is, or how a part lies */

typedef struct point_search {
    const supi_tet_memory* past;
    int32_t point;
} point_search;

static bool point_before(const void* search, int32_t i) {
    const point_search* s = search;
    return s->past[i].point < s->point;
}

bool supi_tet_recall(const supi_tet_pair* pair, int32_t point, sup_vec3* normal) {
    const point_search search = {pair->past, point};
    int32_t i = supi_seek_by(pair->past_count, point_before, &search);
    if (i == pair->past_count || pair->past[i].point != point) return false;
    *normal = pair->past[i].normal;
    return true;
}

static int32_t point_of(const supi_tet_part* p, int32_t i) {
    return p->contacts[p->members[i]].rows[0];
}

/* In the frame of the other body. */
static void place_of(const void* part, int32_t i, double at[3]) {
    const supi_tet_part* p = part;
    supi_vector_of_row(&p->body->x[point_of(p, i)], at);
    for (int k = 0; k < 3; k++) at[k] += p->offset[k];
}

/* Axes along which neither of the two moves; all three are as good as none. */
static int32_t stuck_axes(const supi_tet_part* p) {
    int32_t axes = supi_tet_stuck(p->body) & supi_tet_stuck(p->other);
    return axes == (SUP_AXIS_X | SUP_AXIS_Y | SUP_AXIS_Z) ? 0 : axes;
}

/* To the nearest place of the surface. */
static bool nearest_way(const supi_tet_part* p, int32_t i, double way[3]) {
    double place[3];
    int32_t triangle;
    place_of(p, i, place);
    if (!supi_tet_nearest(p->other, place, way, &triangle)) return false;
    supi_vector_subtract(way, place, way);
    return true;
}

/* Sum of the ways to the nearest surface, and of their lengths. */
static sup_vec3 sum_nearest(const supi_tet_part* p, float* lengths) {
    sup_vec3 sum = {0, 0, 0};
    *lengths = 0;
    for (int32_t i = 0; i < p->count; i++) {
        double way[3];
        if (!nearest_way(p, i, way)) continue;
        sup_vec3 open = supi_tet_without(supi_vector_round(way[0], way[1], way[2]), stuck_axes(p));
        sum = supi_vec3_along(sum, 1, open);
        *lengths += sqrtf(supi_vec3_dot(open, open));
    }
    return sum;
}

/* ---- The shortest of some ways ---- */

typedef struct choice {
    const supi_tet_part* part;
    sup_vec3 best;
    float shortest;
    bool drags; /* does the best way? */
} choice;

typedef struct contact_search {
    const supi_tet_contact* contacts;
    int32_t point;
} contact_search;

static bool contact_before(const void* search, int32_t i) {
    const contact_search* s = search;
    return s->contacts[i].rows[0] < s->point;
}

static bool is_inside(const supi_tet_part* p, int32_t point) {
    const contact_search search = {p->contacts, point};
    int32_t i = supi_seek_by(p->pair->count, contact_before, &search);
    return i < p->pair->count && p->contacts[i].rows[0] == point;
}

/* Would a sheet or a rope that leaves on this way draw in what follows, as a thread goes through a
   bead? */
static bool drags(const supi_tet_part* p, sup_vec3 r) {
    const supi_tet_form* form = p->body->form;
    for (int32_t i = 0; i < p->count && form->tet_count == 0; i++) {
        int32_t point = point_of(p, i);
        sup_vec3 own = supi_tet_place(p->body, point);
        for (int32_t j = form->starts[point]; j < form->starts[point + 1]; j++) {
            sup_vec3 next = supi_vec3_minus(supi_tet_place(p->body, form->neighbours[j]), own);
            float behind = -supi_vec3_dot(next, r), length = sqrtf(supi_vec3_dot(next, next));
            if (behind > BEHIND * length && !is_inside(p, form->neighbours[j])) return true;
        }
    }
    return false;
}

/* The longest way that a point of the part has in a direction. */
static float longest_way(const supi_tet_part* p, sup_vec3 r) {
    int32_t step = (p->count - 1) / ASKED + 1;
    float most = 0;
    for (int32_t i = 0; i < p->count; i += step) {
        double place[3];
        place_of(p, i, place);
        float way = supi_tet_exit(p->other, place, r);
        most = way > most ? way : most;
    }
    return most;
}

static void try_way(choice* c, sup_vec3 r, float shorter) {
    r = supi_tet_without(r, stuck_axes(c->part));
    if (!(supi_vec3_dot(r, r) > 0)) return;
    r = supi_tet_unit(r);
    bool own = drags(c->part, r);
    if (own && !c->drags) return;
    float way = longest_way(c->part, r);
    if (own == c->drags && !(way < shorter * c->shortest)) return;
    *c = (choice){.part = c->part, .best = r, .shortest = way, .drags = own};
}

static int32_t degree(const supi_tet_part* p, int32_t i) {
    const int32_t* starts = p->body->form->starts + point_of(p, i);
    return starts[1] - starts[0];
}

/* The neighbours of the points of a part, one after the other. */
static void place_around(const void* part, int32_t i, double at[3]) {
    const supi_tet_part* p = part;
    const supi_tet_form* form = p->body->form;
    int32_t member = 0;
    for (; i >= degree(p, member); member++) i -= degree(p, member);
    supi_vector_of_row(&p->body->x[form->neighbours[form->starts[point_of(p, member)] + i]], at);
    for (int k = 0; k < 3; k++) at[k] += p->offset[k];
}

/* Few points lie in no plane; together with their neighbours they do. */
static void find_axes(const supi_tet_part* p, double axes[9]) {
    int32_t around = 0;
    for (int32_t i = 0; i < p->count; i++) around += degree(p, i);
    bool few = p->count <= ASKED && around > 0;
    supi_main_axes(few ? around : p->count, few ? place_around : place_of, p, axes);
}

/* Of sheets and ropes that go through a body, the nearest surface says little: the ways to it lie
   in the sheet and along the rope, where all of it would have to follow. The main axes of the part
   tell which way is across; the shortest is taken. */
static void try_across(choice* c) {
    double axes[9];
    find_axes(c->part, axes);
    for (int k = 5; k >= 0; k--) { /* the thinnest side first */
        const double* axis = axes + 3 * (k / 2);
        double sign = k % 2 ? 1.0 : -1.0;
        try_way(c, supi_vector_round(sign * axis[0], sign * axis[1], sign * axis[2]), 0.999f);
    }
}

/* The ways of some points, if one is shorter by much than that to which all add up, else from
   middle to middle, else up. */
static void try_own(choice* c, sup_vec3 sum, sup_vec3 up) {
    const supi_tet_part* p = c->part;
    float least = NO_DIRECTION * p->body->form->edge;
    if (!(supi_vec3_dot(sum, sum) > least * least)) {
        sum = supi_tet_between(p->other, p->body, p->offset);
    }
    sum = supi_tet_without(sum, stuck_axes(p));
    try_way(c, supi_vec3_dot(sum, sum) > least * least ? sum : up, 1);
    int32_t step = (p->count - 1) / TRIED + 1;
    for (int32_t i = 0; i < p->count; i += step) {
        double way[3];
        if (!nearest_way(p, i, way)) continue;
        try_way(c, supi_vector_round(way[0], way[1], way[2]), SHORTER);
    }
}

/* Where the nearest surface is out of reach, ways along the axes that are left. */
static void try_axes(choice* c) {
    for (int k = 0; k < 6 && stuck_axes(c->part) != 0; k++) {
        double axis[3] = {0.0, 0.0, 0.0};
        axis[k / 2] = k % 2 ? -1.0 : 1.0;
        try_way(c, supi_vector_round(axis[0], axis[1], axis[2]), SHORTER);
    }
}

sup_vec3 supi_tet_leave(const supi_tet_part* part, sup_vec3 up) {
    sup_vec3 sum = {0, 0, 0}, old;
    bool flat = part->body->form->tet_count == 0;
    for (int32_t i = 0; i < part->count; i++) {
        if (supi_tet_recall(part->pair, point_of(part, i), &old))
            sum = supi_vec3_along(sum, 1, old);
    }
    sum = supi_tet_without(sum, stuck_axes(part));
    if (supi_vec3_dot(sum, sum) > NO_DIRECTION * NO_DIRECTION) return supi_tet_unit(sum);
    float lengths;
    sum = sum_nearest(part, &lengths);
    float agreed = (flat ? AGREED_FLAT : AGREED) * lengths;
    if (agreed > 0 && supi_vec3_dot(sum, sum) > agreed * agreed) {
        sum = supi_tet_unit(sum);
        if (!drags(part, sum)) return sum;
    }
    choice c = {.part = part, .best = up, .shortest = FLT_MAX, .drags = true};
    if (flat)
        try_across(&c);
    else
        try_own(&c, sum, up);
    try_axes(&c);
    return c.best;
}

typedef struct pair_search {
    const supi_tet_pair* pairs;
    int32_t body, other;
} pair_search;

static bool pair_before(const void* search, int32_t i) {
    const pair_search* s = search;
    const supi_tet_pair* at = &s->pairs[i];
    return at->body < s->body || (at->body == s->body && at->other < s->other);
}

const supi_tet_pair* supi_tet_pair_back(const supi_tet_pair* pairs, int32_t count,
                                        const supi_tet_pair* pair) {
    const pair_search search = {pairs, pair->other, pair->body};
    int32_t i = supi_seek_by(count, pair_before, &search);
    bool there = i < count && pairs[i].body == pair->other && pairs[i].other == pair->body;
    return there ? &pairs[i] : NULL;
}

static double part_inside(const supi_tet_body* bodies, const supi_tet_pair* pair) {
    return (double)pair->count / supi_tet_used(&bodies[pair->body]);
}

bool supi_tet_pair_carried(const supi_tet_pair* pair) {
    for (int32_t i = 0; i < pair->past_count; i++) {
        if (supi_tet_was_carried(&pair->past[i])) return true;
    }
    return false;
}

bool supi_tet_pair_leads(const supi_tet_body* bodies, const supi_tet_pair* pair,
                         const supi_tet_pair* back) {
    const supi_tet_body *body = &bodies[pair->body], *other = &bodies[pair->other];
    if (supi_tet_mode(body, other) != SUP_OVERLAP_DEPTH) return false;
    bool was = supi_tet_pair_carried(pair), others = back && supi_tet_pair_carried(back);
    if (was != others) return was;
    double own = part_inside(bodies, pair), theirs = back ? part_inside(bodies, back) : 0.0;
    return (was || own > LEADING) && (own > theirs || (own == theirs && pair->body < pair->other));
}

void supi_tet_give_way(const supi_tet_body* bodies, const supi_tet_pair* pair,
                       const supi_tet_pair* back, supi_tet_contact* contacts) {
    const supi_tet_body *body = &bodies[pair->body], *other = &bodies[pair->other];
    sup_vec3 sum = {0, 0, 0};
    double offset[3], place[3];
    for (int32_t i = pair->first; i < pair->first + pair->count; i++) {
        sum = supi_vec3_along(sum, -1, contacts[i].normal);
    }
    if (!(supi_vec3_dot(sum, sum) > 0)) return;
    sup_vec3 way = supi_tet_unit(sum);
    supi_tet_offset(other, body, offset);
    for (int32_t i = back->first; i < back->first + back->count; i++) {
        supi_tet_contact* c = &contacts[i];
        if (!(supi_vec3_dot(c->normal, way) < -WRONG)) continue;
        supi_vector_of_row(&other->x[c->rows[0]], place);
        for (int k = 0; k < 3; k++) place[k] += offset[k];
        c->normal = way;
        c->depth = c->goal = supi_tet_exit(body, place, way);
    }
}
