/* Positions, friction, bounces and, for comparison, penalty forces. */
#include "contact/tet_respond.h"

#include "contact/rub.h"
#include "contact/tet_patch.h"
#include "geom/vector.h"

#include <math.h>

#define NO_SLIP 1e-9f /* m */

enum { DRIFT_SAMPLES = 16 };

static const supi_tet_body* side_of(const supi_tet_body* bodies, const supi_tet_contact* c, int k) {
    return &bodies[k < c->own_count ? c->body : c->other];
}

/* What stands still is immovable. */
static float weight_of(const supi_tet_body* body, int32_t row) {
    return body->still ? 0 : body->x[row].w;
}

/* The rows of a side of a contact: 0 its own, 1 those of the other. */
typedef struct rows {
    const supi_tet_body* body;
    const supi_tet_patch* patch;
    int begin, end;
} rows;

static rows rows_of(const supi_tet_body* bodies, const supi_tet_contact* c, int side) {
    return side ? (rows){&bodies[c->other], c->patches[1], c->own_count, c->row_count}
                : (rows){&bodies[c->body], c->patches[0], 0, c->own_count};
}

/* 1/kg, of an impulse along a unit vector. */
static float lightness(const supi_tet_body* bodies, const supi_tet_contact* c, sup_vec3 along) {
    float sum = 0;
    for (int side = 0; side < 2; side++) {
        rows r = rows_of(bodies, c, side);
        if (r.patch) sum += supi_tet_patch_lightness(r.patch, along);
        for (int k = r.begin; !r.patch && k < r.end; k++) {
            sum += c->shares[k] * c->shares[k] * weight_of(r.body, c->rows[k]);
        }
    }
    return sum;
}

float supi_tet_lightness(const supi_tet_body* bodies, const supi_tet_contact* c) {
    return lightness(bodies, c, c->normal);
}

/* How far the two sides are apart. Places are taken from a row of the other side, so that little is
   lost far from the anchors. */
static sup_vec3 gap_of(const supi_tet_body* bodies, const supi_tet_contact* c) {
    const sup_row* base = &bodies[c->other].x[c->rows[c->own_count]];
    double offset[3];
    supi_tet_offset(&bodies[c->body], &bodies[c->other], offset);
    sup_vec3 from[2] = {supi_vector_round((double)base->x - offset[0], (double)base->y - offset[1],
                                          (double)base->z - offset[2]),
                        supi_vec3_of_row(base)};
    sup_vec3 sum = {0, 0, 0};
    for (int k = 0; k < c->row_count; k++) {
        sup_vec3 at = supi_vec3_of_row(&side_of(bodies, c, k)->x[c->rows[k]]);
        sum = supi_vec3_along(sum, c->shares[k], supi_vec3_minus(at, from[k >= c->own_count]));
    }
    return sum;
}

float supi_tet_left(const supi_tet_body* bodies, const supi_tet_contact* c) {
    return c->goal - supi_vec3_dot(c->normal, gap_of(bodies, c));
}

/* How fast they part. */
static sup_vec3 speed_of(const supi_tet_body* bodies, const supi_tet_contact* c) {
    sup_vec3 sum = {0, 0, 0};
    for (int k = 0; k < c->row_count; k++) {
        const sup_row* v = &side_of(bodies, c, k)->v[c->rows[k]];
        sum = supi_vec3_along(sum, c->shares[k], supi_vec3_of_row(v));
    }
    return sum;
}

/* What a row gets of an impulse: so much of it for its place, and for its velocity. */
typedef struct gift {
    float place, speed;
} gift;

static void give(const supi_tet_body* body, int32_t row, sup_vec3 by, gift to) {
    if (to.place != 0) supi_rub_add(&body->x[row], supi_vec3_scaled(by, to.place));
    if (to.speed != 0) supi_rub_add(&body->v[row], supi_vec3_scaled(by, to.speed));
    if (to.speed == 0 && body->shift) supi_rub_add(&body->shift[row], by);
}

/* Pushes the sides apart: `impulse` on one, its opposite on the other. */
static void push(const supi_tet_body* bodies, const supi_tet_contact* c, sup_vec3 impulse,
                 gift to) {
    for (int side = 0; side < 2; side++) {
        rows r = rows_of(bodies, c, side);
        for (int k = r.begin; !r.patch && k < r.end; k++) {
            float share = c->shares[k] * weight_of(r.body, c->rows[k]);
            give(r.body, c->rows[k], supi_vec3_scaled(impulse, share), to);
        }
        if (!r.patch) continue;
        supi_tet_patch_move way =
            supi_tet_patch_push(r.patch, supi_vec3_scaled(impulse, side ? -1 : 1));
        for (int32_t k = 0; k < r.patch->count; k++) {
            const supi_tet_patch_row* row = &r.patch->rows[k];
            give(r.body, row->row, supi_tet_patch_way(&way, row->arm), to);
        }
    }
}

/* Places and, as the same move within h, velocities. */
static gift moving(float h) { return (gift){1, 1 / h}; }
static const gift shifting = {1, 0}, kicking = {0, 1};

/* Lengths are counted as if all were as light as along the normal; `light` is that. */
static void rub(const supi_tet_body* bodies, supi_tet_contact* c, const supi_tet_answer* answer,
                float light, float pushed, float h) {
    sup_vec3 slip = supi_vec3_scaled(supi_rub_tangent(speed_of(bodies, c), c->normal), h);
    float length = sqrtf(supi_vec3_dot(slip, slip));
    if (!(length >= NO_SLIP)) return;
    float across = lightness(bodies, c, supi_vec3_scaled(slip, 1 / length)), ratio = across / light;
    float part = 1;
    if (length > answer->friction_static * pushed * ratio) {
        part = answer->friction_kinetic * pushed * ratio / length;
        part = part < 1 ? part : 1;
    }
    push(bodies, c, supi_vec3_scaled(slip, -part / across), moving(h));
    c->drag = supi_vec3_along(c->drag, -part / ratio, slip);
}

static void respond_one(const supi_tet_body* bodies, supi_tet_contact* c,
                        const supi_tet_answer* answer, float h) {
    if (c->flags & SUPI_TET_PENALTY) return;
    float light = supi_tet_lightness(bodies, c);
    if (!(light > 0)) return;
    float left = supi_tet_left(bodies, c);
    if (!(left > 0)) return;
    float edge = bodies[c->body].form->edge, speed, shift;
    float parting = h * supi_vec3_dot(c->normal, speed_of(bodies, c));
    supi_surface surface = {.depart = c->flags & SUPI_TET_CONTAINED ? 0 : answer->depart * edge,
                            .shift = answer->shift * edge * c->part};
    supi_rub_split(&surface, answer->stiffness * left, parting, h, &speed, &shift);
    if (speed > 0) push(bodies, c, supi_vec3_scaled(c->normal, speed / light), moving(h));
    if (shift > 0) push(bodies, c, supi_vec3_scaled(c->normal, shift / light), shifting);
    c->push += speed;
    rub(bodies, c, answer, light, speed, h);
}

void supi_tet_respond(const supi_tet_body* bodies, supi_tet_contact* contacts, int32_t count,
                      const supi_tet_answer* answers, float h) {
    for (int32_t i = 0; i < count; i++) {
        respond_one(bodies, &contacts[i], &answers[contacts[i].answer], h);
    }
}

void supi_tet_approach(const supi_tet_body* bodies, supi_tet_contact* contacts, int32_t count) {
    for (int32_t i = 0; i < count; i++) {
        contacts[i].approach = supi_vec3_dot(contacts[i].normal, speed_of(bodies, &contacts[i]));
    }
}

/* m/s, of a body as a whole, near enough: the mean of some of its points. */
static sup_vec3 drift_of(const supi_tet_body* body) {
    int32_t count = body->form->point_count, step = count / DRIFT_SAMPLES + 1, taken = 0;
    sup_vec3 sum = {0, 0, 0};
    for (int32_t i = 0; i < count && !body->still; i += step, taken++) {
        sum = supi_vec3_along(sum, 1, supi_vec3_of_row(&body->v[i]));
    }
    return taken > 0 ? supi_vec3_scaled(sum, 1 / (float)taken) : sum;
}

float supi_tet_haste(const supi_tet_body* bodies, const supi_tet_pair* pairs, int32_t pair_count,
                     const supi_tet_contact* contacts, float h) {
    float most = 0;
    for (int32_t i = 0; i < pair_count; i++) {
        const supi_tet_pair* p = &pairs[i];
        const supi_tet_body *one = &bodies[p->body], *other = &bodies[p->other];
        float thickness = one->form->thickness, thinner = other->form->thickness;
        thinner = thickness < thinner ? thickness : thinner;
        sup_vec3 way = {0, 0, 0};
        for (int32_t k = p->first; k < p->first + p->count; k++) {
            way = supi_vec3_along(way, 1, contacts[k].normal);
        }
        float length = sqrtf(supi_vec3_dot(way, way));
        if (p->body == p->other || !(length > 0)) continue;
        float nearer = supi_vec3_dot(way, supi_vec3_minus(drift_of(other), drift_of(one))) / length;
        float haste = 2 * h * nearer / thinner;
        most = haste > most ? haste : most;
    }
    return most;
}

void supi_tet_bounce(const supi_tet_body* bodies, supi_tet_contact* contacts, int32_t count,
                     const supi_tet_answer* answers, float slow, float h) {
    for (int32_t i = 0; i < count; i++) {
        supi_tet_contact* c = &contacts[i];
        float light = supi_tet_lightness(bodies, c);
        if (!(answers[c->answer].restitution > 0) || (c->flags & SUPI_TET_PENALTY)) continue;
        if (!(light > 0) || !(c->push > 0) || !(c->approach < -slow)) continue;
        float missing = -answers[c->answer].restitution * c->approach -
                        supi_vec3_dot(c->normal, speed_of(bodies, c));
        if (!(missing > 0)) continue;
        push(bodies, c, supi_vec3_scaled(c->normal, missing / light), kicking);
        c->push += missing * h;
    }
}

void supi_tet_penalise(const supi_tet_body* bodies, supi_tet_contact* contacts, int32_t count,
                       const supi_tet_answer* answers, float h) {
    for (int32_t i = 0; i < count; i++) {
        supi_tet_contact* c = &contacts[i];
        const supi_tet_answer* answer = &answers[c->answer];
        if (!(c->flags & SUPI_TET_PENALTY)) continue;
        float light = supi_tet_lightness(bodies, c);
        if (!(light > 0)) continue;
        float depth = supi_tet_left(bodies, c);
        if (!(depth > 0)) continue;
        float stiffness = answer->stiffness / (light * h * h);
        float damping = 2 * answer->damping * sqrtf(stiffness / light);
        sup_vec3 speed = speed_of(bodies, c), slip = supi_rub_tangent(speed, c->normal);
        float force = stiffness * depth - damping * supi_vec3_dot(speed, c->normal);
        if (!(force > 0)) continue;
        float length = sqrtf(supi_vec3_dot(slip, slip));
        float drag = damping * length, most = answer->friction_kinetic * force;
        sup_vec3 sum = supi_vec3_scaled(c->normal, force);
        if (length > 0) {
            float part = (drag < most ? drag : most) / length;
            sum = supi_vec3_along(sum, -part, slip);
            c->drag = supi_vec3_along(c->drag, -part * light * h * h, slip);
        }
        push(bodies, c, supi_vec3_scaled(sum, h), kicking);
        c->push += force * light * h * h;
    }
}
