/* Bodies that are in each other for the most part move apart as wholes. */
#include "contact/rub.h"
#include "contact/tet_leave.h"
#include "contact/tet_respond.h"
#include "geom/vector.h"

#define BEYOND 0.05f /* edges that they are to be apart in the end */

/* 1/kg of a body as a whole; 0: something holds it. */
static float lightness_of(const supi_tet_body* body) {
    double mass = 0.0;
    for (int32_t i = 0; i < body->form->point_count; i++) {
        if (!(body->x[i].w > 0)) return 0;
        mass += 1.0 / (double)body->x[i].w;
    }
    return body->still || !(mass > 0.0) ? 0 : (float)(1.0 / mass);
}

/* Adds to all rows alike, which strains nothing: so it is no shift that others have to follow. */
static void add(const supi_tet_body* body, sup_row* rows, sup_vec3 by) {
    for (int32_t i = 0; i < body->form->point_count; i++) supi_rub_add(&rows[i], by);
}

/* m/s, of what has mass. */
static sup_vec3 mean_speed(const supi_tet_body* body) {
    double mass = 0.0, sum[3] = {0.0, 0.0, 0.0}, v[3];
    for (int32_t i = 0; i < body->form->point_count && !body->still; i++) {
        if (!(body->x[i].w > 0)) continue;
        double m = 1.0 / (double)body->x[i].w;
        supi_vector_of_row(&body->v[i], v);
        mass += m;
        for (int k = 0; k < 3; k++) sum[k] += m * v[k];
    }
    if (!(mass > 0.0)) return (sup_vec3){0, 0, 0};
    return supi_vector_round(sum[0] / mass, sum[1] / mass, sum[2] / mass);
}

bool supi_tet_carry_apart(const supi_tet_body* body, const supi_tet_body* other, sup_vec3 way,
                          float deep, float shift, float h) {
    float light[2] = {lightness_of(body), lightness_of(other)}, both = light[0] + light[1];
    float edge = body->form->edge, by = deep + BEYOND * edge, most = shift * edge * h;
    if (!(both > 0) || !(supi_vec3_dot(way, way) > 0)) return false;
    way = supi_tet_unit(way);
    /* overlap that opens so leaves nothing for contacts to stop: a fall would go on as fast */
    float near = supi_vec3_dot(way, supi_vec3_minus(mean_speed(other), mean_speed(body)));
    float gone = (by < most ? by : most) / both, stop = near > 0 ? near / both : 0;
    for (int i = 0; i < 2; i++) {
        const supi_tet_body* side = i ? other : body;
        float share = i ? -light[1] : light[0];
        if (share == 0) continue;
        add(side, side->x, supi_vec3_scaled(way, gone * share));
        if (stop > 0) add(side, side->v, supi_vec3_scaled(way, stop * share));
    }
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
