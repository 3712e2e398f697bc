/* See lever.h. Linear and angular momentum are those of the pull at the particle. */
#include "world/lever.h"

#include "blueprint/members.h"
#include "geom/vector.h"

static supi_member_walk members_of(const supi_lever* lever) {
    return supi_members_of(lever->body->blueprint, lever->cluster);
}

static double mass_of(const supi_lever* lever, int32_t row) {
    return (double)lever->body->blueprint->mass[row - lever->body->row];
}

/* Of a symmetric matrix; a share of the trace keeps flat and thin clusters in it. */
static void invert(const double m[9], double out[9]) {
    double least = 1e-9 * (m[0] + m[4] + m[8]);
    double a = m[0] + least, b = m[1], c = m[2], d = m[4] + least, e = m[5], f = m[8] + least;
    double A = d * f - e * e, B = c * e - b * f, C = b * e - c * d;
    double det = a * A + b * B + c * C, s = det > 0.0 ? 1.0 / det : 0.0;
    const double inverse[9] = {
        A, B, C, B, a * f - c * c, b * c - a * e, C, b * c - a * e, a * d - b * b};
    for (int k = 0; k < 9; k++) out[k] = s * inverse[k];
}

static void multiply(const double m[9], const double a[3], double out[3]) {
    for (int k = 0; k < 3; k++)
        out[k] = m[3 * k] * a[0] + m[3 * k + 1] * a[1] + m[3 * k + 2] * a[2];
}

static void arm_of(const supi_lever* lever, const sup_row* x, double out[3]) {
    out[0] = (double)x->x - lever->centre[0];
    out[1] = (double)x->y - lever->centre[1];
    out[2] = (double)x->z - lever->centre[2];
}

bool supi_lever_make(const sup_world* world, const supi_body* body, int32_t row, supi_lever* out) {
    const sup_blueprint* print = body->blueprint;
    int32_t c = print->leader ? print->leader[row - body->row] : 0;
    const supi_pull* pull = body->pulls ? body->pulls + c : &body->pull;
    bool whole = pull->k * pull->h >= 0.999f && print->pin_count == 0;
    if (!whole || supi_body_still(body)) return false;
    *out = (supi_lever){.body = body, .cluster = c};
    double mass = 0.0, inertia[9] = {0};
    for (supi_member_walk walk = members_of(out); supi_members_next(&walk);) {
        int32_t at = out->body->row + walk.row;
        const sup_row* x = world->now.x + at;
        double m = mass_of(out, at);
        out->centre[0] += m * (double)x->x;
        out->centre[1] += m * (double)x->y;
        out->centre[2] += m * (double)x->z;
        mass += m;
    }
    if (!(mass > 0.0)) return false;
    for (int k = 0; k < 3; k++) out->centre[k] /= mass;
    for (supi_member_walk walk = members_of(out); supi_members_next(&walk);) {
        int32_t at = out->body->row + walk.row;
        double r[3], m = mass_of(out, at);
        arm_of(out, world->now.x + at, r);
        double square = supi_vector_dot(r, r);
        for (int k = 0; k < 9; k++) {
            inertia[k] += m * ((k % 4 == 0 ? square : 0.0) - r[k / 3] * r[k % 3]);
        }
    }
    out->inverse_mass = 1.0 / mass;
    invert(inertia, out->inverse_inertia);
    arm_of(out, world->now.x + row, out->arm);
    return true;
}

double supi_lever_weight(const supi_lever* lever, const double along[3]) {
    double moment[3], turn[3], move[3];
    supi_vector_cross(lever->arm, along, moment);
    multiply(lever->inverse_inertia, moment, turn);
    supi_vector_cross(turn, lever->arm, move);
    return lever->inverse_mass + supi_vector_dot(move, along);
}

void supi_lever_weights(const supi_lever* lever, double sum[9]) {
    for (int k = 0; k < 3; k++) {
        const double along[3] = {k == 0, k == 1, k == 2};
        double moment[3], turn[3], move[3];
        supi_vector_cross(lever->arm, along, moment);
        multiply(lever->inverse_inertia, moment, turn);
        supi_vector_cross(turn, lever->arm, move);
        for (int i = 0; i < 3; i++) sum[3 * i + k] += lever->inverse_mass * along[i] + move[i];
    }
}

void supi_lever_solve(const double m[9], const double b[3], double x[3]) {
    double inverse[9];
    invert(m, inverse);
    multiply(inverse, b, x);
}

double supi_lever_bears(const supi_lever* lever, const double pull[3]) {
    const double most = 0.2; /* rad */
    double moment[3], turn[3];
    supi_vector_cross(lever->arm, pull, moment);
    multiply(lever->inverse_inertia, moment, turn);
    double angle = supi_vector_length(turn);
    return angle > most ? most / angle : 1.0;
}

void supi_lever_move(const sup_world* world, const supi_lever* lever, const double pull[3],
                     double h) {
    double moment[3], turn[3];
    supi_vector_cross(lever->arm, pull, moment);
    multiply(lever->inverse_inertia, moment, turn);
    for (supi_member_walk walk = members_of(lever); supi_members_next(&walk);) {
        int32_t at = lever->body->row + walk.row;
        sup_row *x = world->now.x + at, *v = world->now.v + at;
        double r[3], d[3];
        arm_of(lever, x, r);
        supi_vector_cross(turn, r, d);
        for (int k = 0; k < 3; k++) d[k] += lever->inverse_mass * pull[k];
        *x = (sup_row){x->x + (float)d[0], x->y + (float)d[1], x->z + (float)d[2], x->w};
        *v = (sup_row){v->x + (float)(d[0] / h), v->y + (float)(d[1] / h), v->z + (float)(d[2] / h),
                       v->w};
    }
}
