/* Bodies that are in each other for the most part move apart as wholes. */
#include "contact/rub.h"
#include "contact/tet_leave.h"
#include "contact/tet_respond.h"
#include "geom/vector.h"

#define BEYOND 0.05f /* edges that they are to be apart in the end */

/* A body as a whole. */
typedef struct whole {
    double speed[3]; /* m/s, of what has mass */
    double light[3]; /* 1/kg along each axis; 0: nothing moves it there */
} whole;

static whole whole_of(const supi_tet_body* body) {
    whole w = {0};
    double mass = 0.0, v[3];
    int32_t stuck = supi_tet_stuck(body);
    for (int32_t i = 0; i < body->form->point_count && !body->still; i++) {
        if (!(body->x[i].w > 0)) continue;
        double m = 1.0 / (double)body->x[i].w;
        supi_vector_of_row(&body->v[i], v);
        mass += m;
        for (int k = 0; k < 3; k++) w.speed[k] += m * v[k];
    }
    for (int k = 0; k < 3 && mass > 0.0; k++) {
        w.speed[k] /= mass;
        w.light[k] = stuck >> k & 1 ? 0.0 : 1.0 / mass;
    }
    return w;
}

/* Adds to all rows alike, which strains nothing: so it is no shift that others have to follow. */
static void add(const supi_tet_body* body, sup_row* rows, sup_vec3 by) {
    for (int32_t i = 0; i < body->form->point_count; i++) supi_rub_add(&rows[i], by);
}

/* Gives each its part of `by` along n. */
static void part(const whole* w, const supi_tet_body* body, sup_row* rows, const double n[3],
                 double by) {
    if (w->light[0] + w->light[1] + w->light[2] == 0.0) return;
    add(body, rows,
        supi_vector_round(by * n[0] * w->light[0], by * n[1] * w->light[1],
                          by * n[2] * w->light[2]));
}

/* Two bodies, and the way on which they are to part. */
typedef struct couple {
    const supi_tet_body *body, *other;
    whole a, b;
    double n[3]; /* of `body`, unit */
    double both; /* 1/kg along n */
} couple;

/* False where there is no way, or nothing moves along it. */
static bool couple_of(const supi_tet_body* body, const supi_tet_body* other, sup_vec3 way,
                      couple* out) {
    *out = (couple){.body = body, .other = other, .a = whole_of(body), .b = whole_of(other)};
    way = supi_tet_without(way, supi_tet_stuck(body) & supi_tet_stuck(other));
    if (!(supi_vec3_dot(way, way) > 0)) return false;
    way = supi_tet_unit(way);
    supi_vector_from(&way, out->n);
    for (int k = 0; k < 3; k++) {
        out->both += out->n[k] * out->n[k] * (out->a.light[k] + out->b.light[k]);
    }
    return out->both > 0.0;
}

static void move(const couple* c, float by) {
    double gone = (double)by / c->both;
    part(&c->a, c->body, c->body->x, c->n, gone);
    part(&c->b, c->other, c->other->x, c->n, -gone);
}

/* Overlap that opens so leaves nothing for contacts to stop: a fall would go on as fast. */
static void stop(const couple* c) {
    double near = 0.0;
    for (int k = 0; k < 3; k++) near += c->n[k] * (c->b.speed[k] - c->a.speed[k]);
    if (!(near > 0.0)) return;
    part(&c->a, c->body, c->body->v, c->n, near / c->both);
    part(&c->b, c->other, c->other->v, c->n, -near / c->both);
}

bool supi_tet_carry_apart(const supi_tet_body* body, const supi_tet_body* other, sup_vec3 way,
                          float deep, float shift, float h) {
    couple c;
    if (!couple_of(body, other, way, &c)) return false;
    float edge = body->form->edge, by = deep + BEYOND * edge, most = shift * edge * h;
    move(&c, by < most ? by : most);
    stop(&c);
    return true;
}

bool supi_tet_carry_free(const supi_tet_body* body, const supi_tet_body* other, sup_vec3 way,
                         float deep) {
    couple c;
    if (!couple_of(body, other, way, &c)) return false;
    move(&c, deep + BEYOND * body->form->edge);
    return true;
}

static bool carry_pair(const supi_tet_body* bodies, const supi_tet_pair* pair,
                       const supi_tet_contact* contacts, const supi_tet_answer* answers, float h) {
    sup_vec3 sum = {0, 0, 0};
    float deepest = 0, shift = answers[contacts[pair->first].answer].shift;
    for (int32_t i = pair->first; i < pair->first + pair->count; i++) {
        sum = supi_vec3_along(sum, 1, contacts[i].normal);
        deepest = contacts[i].depth > deepest ? contacts[i].depth : deepest;
    }
    return supi_tet_carry_apart(&bodies[pair->body], &bodies[pair->other], sum, deepest, shift, h);
}

static void quieten(const supi_tet_pair* pair, supi_tet_contact* contacts) {
    for (int32_t i = pair->first; i < pair->first + pair->count; i++) {
        contacts[i].flags |= SUPI_TET_CONTAINED;
        contacts[i].part = 0;
    }
}

void supi_tet_carry(const supi_tet_body* bodies, const supi_tet_pair* pairs, int32_t pair_count,
                    supi_tet_contact* contacts, const supi_tet_answer* answers, float h) {
    for (int32_t i = 0; i < pair_count; i++) {
        if (!(contacts[pairs[i].first].flags & SUPI_TET_CARRIED)) continue;
        if (!carry_pair(bodies, &pairs[i], contacts, answers, h)) continue;
        const supi_tet_pair* back = supi_tet_pair_back(pairs, pair_count, &pairs[i]);
        quieten(&pairs[i], contacts);
        if (back) quieten(back, contacts);
    }
}
