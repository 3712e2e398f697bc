/* Matching of rigid parts, and the angular momentum that each of them keeps. */
#include "solve/frame_build.h"
#include "solve/joint.h"
#include "solve/turns.h"

static void moment_of(const supi_frame_rest* rest, int32_t row, double moment[6]) {
    const supi_frame_rows8* eight = rest->rows + row / 8;
    for (int k = 0; k < 6; k++) moment[k] = (double)eight->moment[k][supi_lane_order(row & 7)];
}

static bool plain(const supi_frame_rest* rest, int32_t row) {
    return rest->rows[row / 8].plain[supi_lane_order(row & 7)] > 0.0f;
}

static void matrix_of_row(const supi_frame_rows* rows, int32_t row, double q[4], double r[9]) {
    const sup_row* p = rows->q + row;
    q[0] = (double)p->x, q[1] = (double)p->y, q[2] = (double)p->z, q[3] = (double)p->w;
    supi_quaternion_matrix(q, r);
}

static void offset_of(const supi_frame_rest* rest, int32_t member, double out[3]) {
    supi_vector_from(rest->offset + member, out);
}

/* ---- Centre and rotation ---- */

/* Centre, mass, and the matrix whose rotation is that of the part. */
static void sum_part(const supi_frame_net* net, const supi_frame_rest* rest, int32_t part,
                     const supi_frame_rows* rows, supi_part_body* body, double a[9]) {
    int32_t begin = net->part_starts[part], end = net->part_starts[part + 1];
    double first[3] = {0, 0, 0}, origin[3];
    supi_vector_of_row(rows->x + net->part_members[begin], origin);
    for (int k = 0; k < 9; k++) a[k] = 0.0;
    for (int32_t i = begin; i < end; i++) {
        int32_t row = net->part_members[i];
        double mass = (double)rest->member_mass[i], d[3], p[3], x[3];
        if (!(mass > 0.0)) continue;
        supi_vector_of_row(rows->x + row, x);
        supi_vector_subtract(x, origin, d);
        offset_of(rest, i, p);
        for (int k = 0; k < 3; k++) first[k] += mass * d[k];
        for (int k = 0; k < 9; k++) a[k] += mass * d[k / 3] * p[k % 3];
        if (plain(rest, row)) continue;
        double q[4], r[9], moment[6], b[3];
        matrix_of_row(rows, row, q, r);
        moment_of(rest, row, moment);
        for (int k = 0; k < 3; k++) {
            supi_symmetric_apply(moment, r + 3 * k, b);
            for (int j = 0; j < 3; j++) a[3 * k + j] += b[j];
        }
    }
    body->mass = rest->part_mass[part];
    body->inverse_mass = body->mass > 0.0 ? 1.0 / body->mass : 0.0;
    for (int k = 0; k < 3; k++) body->c[k] = origin[k] + first[k] * body->inverse_mass;
}

/* Warm starts go ahead as the first member that has an orientation does. */
static void start_ahead(const supi_frame_net* net, const supi_frame_rest* rest, int32_t part,
                        const supi_frame_rows* rows, double h, sup_quat* turn) {
    for (int32_t i = net->part_starts[part]; i < net->part_starts[part + 1]; i++) {
        int32_t row = net->part_members[i];
        if (plain(rest, row) || !(rest->member_mass[i] > 0.0f)) continue;
        double w[3], q[4];
        supi_vector_of_row(rows->w + row, w);
        for (int k = 0; k < 3; k++) w[k] *= h;
        supi_turns_from(turn, q);
        supi_turns_add(w, q);
        *turn = supi_turns_round(q);
        return;
    }
}

static bool is_matched(const supi_frame_rest* rest, bool all, int32_t part) {
    return all || !rest->soft[part];
}

/* Rotations of up to eight parts. */
static void rotate_eight(const supi_kernels* kernels, const int32_t* ids, int count, float a[9][8],
                         supi_part_body* parts, sup_quat* part_turn) {
    float q[4][8];
    int32_t steps[8];
    for (int j = 0; j < 8; j++) {
        const sup_quat* turn = part_turn + ids[j < count ? j : 0];
        const float from[4] = {turn->x, turn->y, turn->z, turn->w};
        for (int k = 0; k < 4; k++) q[k][j] = from[k];
        for (int k = 0; k < 9 && j >= count; k++) a[k][j] = a[k][0];
    }
    kernels->rotate(a, q, steps);
    for (int j = 0; j < count; j++) {
        supi_part_body* body = parts + ids[j];
        for (int k = 0; k < 4; k++) body->q[k] = (double)q[k][j];
        supi_turns_unit(body->q);
    }
}

/* ---- Mass and inertia ---- */

static void weigh_part(const supi_frame_net* net, supi_frame_rest* rest, int32_t part) {
    double inertia[6] = {0}, moment[6], sum[6] = {0}, *own = rest->part_inertia[part];
    rest->part_mass[part] = 0.0;
    for (int32_t i = net->part_starts[part]; i < net->part_starts[part + 1]; i++) {
        double mass = (double)rest->member_mass[i], p[3];
        if (!(mass > 0.0)) continue;
        offset_of(rest, i, p);
        rest->part_mass[part] += mass;
        supi_symmetric_add_mass(mass, p, inertia);
        moment_of(rest, net->part_members[i], moment);
        for (int k = 0; k < 6; k++) sum[k] += moment[k];
    }
    double trace = sum[0] + sum[1] + sum[2];
    for (int k = 0; k < 6; k++) own[k] = inertia[k] + (k < 3 ? trace : 0.0) - sum[k];
    supi_symmetric_regular(own);
}

void supi_part_weigh(const supi_frame_net* net, supi_frame_rest* rest) {
    for (int32_t i = 0; i < net->part_count; i++) weigh_part(net, rest, i);
}

/* As it is turned now. */
static void turn_inertia(const supi_frame_rest* rest, int32_t part, supi_part_body* body) {
    supi_quaternion_matrix(body->q, body->r);
    supi_symmetric_turned(body->r, rest->part_inertia[part], body->inertia);
    supi_symmetric_invert(body->inertia, body->inverse);
}

void supi_joint_match(const supi_frame_net* net, const supi_frame_rest* rest,
                      const supi_frame_drive* drive, const supi_kernels* kernels,
                      const supi_frame_rows* rows, bool all, supi_part_body* parts,
                      sup_quat* part_turn) {
    float a[9][8];
    int32_t ids[8];
    int count = 0;
    for (int32_t part = 0; part < net->part_count; part++) {
        if (is_matched(rest, all, part)) {
            double sum[9];
            sum_part(net, rest, part, rows, parts + part, sum);
            for (int k = 0; k < 9; k++) a[k][count] = (float)sum[k];
            start_ahead(net, rest, part, rows, (double)drive->h, part_turn + part);
            ids[count++] = part;
        }
        if (count == 8 || (count > 0 && part + 1 == net->part_count)) {
            rotate_eight(kernels, ids, count, a, parts, part_turn);
            count = 0;
        }
    }
    for (int32_t part = 0; part < net->part_count; part++) {
        if (is_matched(rest, all, part)) turn_inertia(rest, part, parts + part);
    }
}
