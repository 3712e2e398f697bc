#include "ref/ref_skin.h"

#include <math.h>
#include <stdbool.h>

/* ---- Weights ---- */

static double far_from(const ref_carrier* c, const double place[3]) {
    double r[9], sum = 0.0;
    ref_quaternion_matrix(c->axes, r);
    for (int k = 0; k < 3; k++) {
        double along = 0.0;
        for (int j = 0; j < 3; j++) along += r[3 * j + k] * (place[j] - c->rest[j]);
        sum += along * along / (c->radii[k] * c->radii[k]);
    }
    return sqrt(sum);
}

ref_slots ref_skin_weigh(int32_t count, const ref_carrier* carriers, const int32_t* starts,
                         const int32_t* links, int32_t most, const double place[3]) {
    ref_slots out = {0};
    double far[REF_SKIN_SLOTS + 1], sum = 0.0;
    int32_t who[REF_SKIN_SLOTS + 1], found = 0;
    for (int32_t i = 1; i < count; i++) {
        if (far_from(carriers + i, place) < far_from(carriers + out.home, place)) out.home = i;
    }
    for (int32_t l = starts[out.home] - 1; l < starts[out.home + 1]; l++) {
        int32_t id = l < starts[out.home] ? out.home : links[l], at = found;
        double d = far_from(carriers + id, place);
        while (at > 0 && d < far[at - 1]) at--;
        if (at > most) continue;
        found = found > most ? found : found + 1;
        for (int32_t k = found - 1; k > at; k--) far[k] = far[k - 1], who[k] = who[k - 1];
        far[at] = d;
        who[at] = id;
    }
    double edge = found > most ? 1.01 * far[most] : 2.0 * far[0];
    int32_t kept = found < most ? found : most;
    for (int32_t i = 0; i < kept; i++) {
        double t = far[i] / edge;
        far[i] = t < 1.0 ? (1.0 - t * t) * (1.0 - t * t) : 0.0;
        sum += far[i];
    }
    for (int32_t i = 0; i < kept; i++) {
        if (far[i] / sum < 0.02) continue;
        out.carriers[out.count] = who[i];
        out.weights[out.count++] = far[i] / sum;
    }
    sum = 0.0;
    for (int32_t i = 0; i < out.count; i++) sum += out.weights[i];
    for (int32_t i = 0; i < out.count; i++) out.weights[i] /= sum;
    return out;
}

/* ---- Blends ---- */

static void turn_of(const ref_carrier* c, double q[4]) {
    ref_quaternion_product(c->turn, c->lasting, q);
}

void ref_skin_linear(const ref_carrier* carriers, const ref_slots* slots, const double place[3],
                     double out[3]) {
    for (int k = 0; k < 3; k++) out[k] = 0.0;
    for (int32_t i = 0; i < slots->count; i++) {
        const ref_carrier* c = carriers + slots->carriers[i];
        double q[4], r[9], away[3], to[3];
        turn_of(c, q);
        ref_quaternion_matrix(q, r);
        for (int k = 0; k < 3; k++) away[k] = place[k] - c->rest[k];
        ref_matrix_apply(r, away, to);
        for (int k = 0; k < 3; k++) out[k] += slots->weights[i] * (to[k] + c->x[k]);
    }
}

static void blend_matrix(const ref_carrier* carriers, const ref_slots* slots, double out[9]) {
    for (int k = 0; k < 9; k++) out[k] = 0.0;
    for (int32_t i = 0; i < slots->count; i++) {
        double q[4], r[9];
        turn_of(carriers + slots->carriers[i], q);
        ref_quaternion_matrix(q, r);
        for (int k = 0; k < 9; k++) out[k] += slots->weights[i] * r[k];
    }
}

void ref_skin_linear_turn(const ref_carrier* carriers, const ref_slots* slots,
                          const double direction[3], double out[3]) {
    double m[9];
    blend_matrix(carriers, slots, m);
    ref_matrix_apply(m, direction, out);
}

double ref_skin_volume(const ref_carrier* carriers, const ref_slots* slots) {
    double m[9];
    blend_matrix(carriers, slots, m);
    return ref_matrix_determinant(m);
}

static void scale_to(double q[4], double divisor) {
    for (int k = 0; k < 4; k++) q[k] /= divisor;
}

static double length4(const double q[4]) {
    return sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3]);
}

/* Unit blend (b, d) of the dual quaternions (r, e) of the slots. */
static void blend_duals(const ref_carrier* carriers, const ref_slots* slots, double b[4],
                        double d[4]) {
    double first[4];
    int32_t strongest = 0;
    for (int32_t i = 1; i < slots->count; i++) {
        if (slots->weights[i] > slots->weights[strongest]) strongest = i;
    }
    turn_of(carriers + slots->carriers[strongest], first);
    for (int k = 0; k < 4; k++) b[k] = d[k] = 0.0;
    for (int32_t i = 0; i < slots->count; i++) {
        const ref_carrier* c = carriers + slots->carriers[i];
        double q[4], r[9], to[3], shift[4] = {0}, e[4], side = 0.0;
        turn_of(c, q);
        scale_to(q, length4(q));
        ref_quaternion_matrix(q, r);
        ref_matrix_apply(r, c->rest, to);
        for (int k = 0; k < 3; k++) shift[k] = 0.5 * (c->x[k] - to[k]);
        ref_quaternion_product(shift, q, e);
        for (int k = 0; k < 4; k++) side += q[k] * first[k];
        double w = side < 0.0 ? -slots->weights[i] : slots->weights[i];
        for (int k = 0; k < 4; k++) {
            b[k] += w * q[k];
            d[k] += w * e[k];
        }
    }
    double length = length4(b);
    scale_to(b, length);
    scale_to(d, length);
}

void ref_skin_dual(const ref_carrier* carriers, const ref_slots* slots, const double place[3],
                   double out[3]) {
    double b[4], d[4], r[9], shift[4];
    blend_duals(carriers, slots, b, d);
    const double back[4] = {-b[0], -b[1], -b[2], b[3]};
    ref_quaternion_product(d, back, shift);
    ref_quaternion_matrix(b, r);
    ref_matrix_apply(r, place, out);
    for (int k = 0; k < 3; k++) out[k] += 2.0 * shift[k];
}

void ref_skin_dual_turn(const ref_carrier* carriers, const ref_slots* slots,
                        const double direction[3], double out[3]) {
    double b[4], d[4], r[9];
    blend_duals(carriers, slots, b, d);
    ref_quaternion_matrix(b, r);
    ref_matrix_apply(r, direction, out);
}
