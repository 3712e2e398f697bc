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

bool supi_tet_carry_apart(const supi_tet_body* body, const supi_tet_body* other, sup_vec3 way,
                          float deep, float shift, float h) {
    const whole a = whole_of(body), b = whole_of(other);
    float edge = body->form->edge, by = deep + BEYOND * edge, most = shift * edge * h;
    double n[3], both = 0.0, near = 0.0;
    way = supi_tet_without(way, supi_tet_stuck(body) & supi_tet_stuck(other));
    if (!(supi_vec3_dot(way, way) > 0)) return false;
    way = supi_tet_unit(way);
    supi_vector_from(&way, n);
    for (int k = 0; k < 3; k++) {
        both += n[k] * n[k] * (a.light[k] + b.light[k]);
        near += n[k] * (b.speed[k] - a.speed[k]);
    }
    if (!(both > 0.0)) return false;
    double gone = (double)(by < most ? by : most) / both;
    part(&a, body, body->x, n, gone);
    part(&b, other, other->x, n, -gone);
    /* overlap that opens so leaves nothing for contacts to stop: a fall would go on as fast */
    if (!(near > 0.0)) return true;
    part(&a, body, body->v, n, near / both);
    part(&b, other, other->v, n, -near / both);
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
