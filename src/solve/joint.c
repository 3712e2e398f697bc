/* Joints between rigid parts. */
#include "solve/joint.h"

#include "solve/turns.h"

#include <string.h>

enum { PASSES = 8 }; /* over joints of loops */

/* ---- Momentum of a part ---- */

/* What matching has changed in the angular momentum of a part; its rows are still where they were.
   With changes d of places and t of rotations in the substep h: (1/h) sum m x0 x d, x0 at the
   start, and the change of I w. */
static void lost_momentum(const supi_frame_net* net, const supi_frame_rest* rest, int32_t part,
                          double h, const supi_frame_rows* rows, const supi_part_body* body,
                          double lost[3]) {
    lost[0] = lost[1] = lost[2] = 0.0;
    for (int32_t i = net->part_starts[part]; i < net->part_starts[part + 1]; i++) {
        int32_t row = net->part_members[i];
        double mass = (double)rest->member_mass[i], x[3], v[3], c[3], p[3], d[3], start[3], l[3];
        if (!(mass > 0.0)) continue;
        supi_vector_of_row(rows->x + row, x);
        supi_vector_of_row(rows->v + row, v);
        supi_vector_of_row(rows->cx + row, c);
        supi_vector_from(rest->offset + i, p);
        supi_turns_apply(body->r, p, d);
        for (int k = 0; k < 3; k++) {
            start[k] = x[k] - c[k] - h * v[k] - body->c[k];
            d[k] = mass * (body->c[k] + d[k] - x[k]) / h;
        }
        supi_vector_cross(start, d, l);
        for (int k = 0; k < 3; k++) lost[k] += l[k];
        const supi_frame_rows8* eight = rest->rows + row / 8;
        int32_t lane = supi_lane_order(row & 7);
        if (eight->plain[lane] > 0.0f) continue;
        double q[4], r[9], w[3], cw[3], t[3], inertia[6], before[6], after[6], one[3], two[3];
        const sup_row* turn = rows->q + row;
        q[0] = (double)turn->x, q[1] = (double)turn->y, q[2] = (double)turn->z;
        q[3] = (double)turn->w;
        supi_vector_of_row(rows->w + row, w);
        supi_vector_of_row(rows->cw + row, cw);
        supi_turns_between(q, body->q, t);
        for (int k = 0; k < 6; k++) inertia[k] = (double)eight->inertia[k][lane];
        for (int k = 0; k < 3; k++) w[k] += cw[k] / h;
        double back[3] = {-h * w[0], -h * w[1], -h * w[2]};
        supi_turns_add(back, q);
        supi_quaternion_matrix(q, r);
        supi_turns_of(r, inertia, before);
        supi_turns_of(body->r, inertia, after);
        supi_turns_symmetric(before, w, one);
        for (int k = 0; k < 3; k++) w[k] += t[k] / h;
        supi_turns_symmetric(after, w, two);
        for (int k = 0; k < 3; k++) lost[k] += two[k] - one[k];
    }
}

/* Turns a part, with its inertia: small turns leave that as it is. */
static void turn_part(const double by[3], supi_part_body* body) {
    supi_turns_add(by, body->q);
    supi_quaternion_matrix(body->q, body->r);
}

static void keep_momentum(const supi_frame_net* net, const supi_frame_rest* rest, int32_t part,
                          double h, const supi_frame_rows* rows, supi_part_body* body) {
    double lost[3], turn[3];
    lost_momentum(net, rest, part, h, rows, body, lost);
    supi_turns_symmetric(body->inverse, lost, turn);
    for (int k = 0; k < 3; k++) turn[k] *= -h;
    turn_part(turn, body);
}

/* ---- Joints ---- */

/* From the centre of the part to its member. */
static void arm_of(const supi_frame_rest* rest, const supi_part_body* body, int32_t member,
                   double arm[3]) {
    double p[3];
    supi_vector_from(rest->offset + member, p);
    supi_turns_apply(body->r, p, arm);
}

/* How far side b of a joint is from side a, or from where it is pinned. */
static void gap_of(const supi_frame_rest* rest, const supi_frame_joint* joint,
                   const supi_frame_rows* rows, const supi_part_body* parts, double arm_a[3],
                   double arm_b[3], double gap[3]) {
    const supi_part_body* b = parts + joint->b;
    arm_of(rest, b, joint->member_b, arm_b);
    double from[3];
    supi_vector_of_row(rows->x + joint->row, from);
    arm_a[0] = arm_a[1] = arm_a[2] = 0.0;
    if (joint->a >= 0) {
        const supi_part_body* a = parts + joint->a;
        arm_of(rest, a, joint->member_a, arm_a);
        for (int k = 0; k < 3; k++) from[k] = a->c[k] + arm_a[k];
    }
    for (int k = 0; k < 3; k++) gap[k] = b->c[k] + arm_b[k] - from[k];
}

/* Adds to k (xx yy zz yz zx xy) how far a unit impulse at `arm` moves the point: I/m - [r] I^-1
   [r]. */
static void add_ease(const supi_part_body* body, const double arm[3], double k[6]) {
    double column[3][3];
    for (int j = 0; j < 3; j++) {
        double unit[3] = {j == 0, j == 1, j == 2}, moment[3], turn[3];
        supi_vector_cross(arm, unit, moment);
        supi_turns_symmetric(body->inverse, moment, turn);
        supi_vector_cross(turn, arm, column[j]);
        column[j][j] += body->inverse_mass;
    }
    for (int j = 0; j < 3; j++) k[j] += column[j][j];
    k[3] += column[2][1];
    k[4] += column[0][2];
    k[5] += column[1][0];
}

/* Moves a part by an impulse (kg m) at `arm`. */
static void push_part(const double impulse[3], double sign, const double arm[3],
                      supi_part_body* body) {
    double moment[3], turn[3];
    supi_vector_cross(arm, impulse, moment);
    supi_turns_symmetric(body->inverse, moment, turn);
    for (int k = 0; k < 3; k++) {
        body->c[k] += sign * impulse[k] * body->inverse_mass;
        turn[k] *= sign;
    }
    turn_part(turn, body);
}

static void mend_joint(const supi_frame_rest* rest, const supi_frame_joint* joint,
                       const supi_frame_rows* rows, supi_part_body* parts) {
    double arm_a[3], arm_b[3], gap[3], ease[6] = {0}, inverse[6], impulse[3];
    gap_of(rest, joint, rows, parts, arm_a, arm_b, gap);
    if (joint->a >= 0) add_ease(parts + joint->a, arm_a, ease);
    add_ease(parts + joint->b, arm_b, ease);
    supi_turns_invert(ease, inverse);
    supi_turns_symmetric(inverse, gap, impulse);
    if (joint->a >= 0) push_part(impulse, 1.0, arm_a, parts + joint->a);
    push_part(impulse, -1.0, arm_b, parts + joint->b);
}

static void mend_loops(const supi_frame_rest* rest, const supi_frame_rows* rows,
                       supi_part_body* parts) {
    const supi_frame_joints* j = &rest->joints;
    for (int pass = 0; pass < PASSES; pass++) {
        for (int32_t i = j->tree_count; i < j->count; i++) {
            int32_t k = pass % 2 == 0 ? i : j->tree_count + j->count - 1 - i;
            mend_joint(rest, j->joints + k, rows, parts);
        }
    }
}

/* ---- Trees ---- */

/* Place of (row, column) in the lower triangle. */
static int at(int row, int column) { return row * (row + 1) / 2 + column; }

static void factor(double a[21]) {
    for (int j = 0; j < 6; j++) {
        double d = a[at(j, j)];
        for (int k = 0; k < j; k++) d -= a[at(j, k)] * a[at(j, k)];
        d = d > 1e-300 ? sqrt(d) : 1e150; /* what nothing resists does not move */
        a[at(j, j)] = d;
        for (int i = j + 1; i < 6; i++) {
            double s = a[at(i, j)];
            for (int k = 0; k < j; k++) s -= a[at(i, k)] * a[at(j, k)];
            a[at(i, j)] = s / d;
        }
    }
}

static void solve(const double l[21], double b[6]) {
    for (int i = 0; i < 6; i++) {
        for (int k = 0; k < i; k++) b[i] -= l[at(i, k)] * b[k];
        b[i] /= l[at(i, i)];
    }
    for (int i = 5; i >= 0; i--) {
        for (int k = i + 1; k < 6; k++) b[i] -= l[at(k, i)] * b[k];
        b[i] /= l[at(i, i)];
    }
}

/* How the point at `arm` moves with a part that moves by d, and what a pull there is to the part.
 */
static void point_move(const double d[6], const double arm[3], double out[3]) {
    supi_vector_cross(d + 3, arm, out);
    for (int k = 0; k < 3; k++) out[k] += d[k];
}
static void point_pull(const double pull[3], const double arm[3], double out[6]) {
    for (int k = 0; k < 3; k++) out[k] = pull[k];
    supi_vector_cross(arm, pull, out + 3);
}

/* A part alone. */
static void begin_part(supi_part_body* body) {
    const double* inertia = body->inertia;
    memset(body->held, 0, sizeof body->held);
    memset(body->force, 0, sizeof body->force);
    for (int k = 0; k < 3; k++) {
        body->held[at(k, k)] = body->mass;
        body->held[at(3 + k, 3 + k)] = inertia[k];
    }
    body->held[at(5, 4)] = inertia[3];
    body->held[at(5, 3)] = inertia[4];
    body->held[at(4, 3)] = inertia[5];
}

/* Adds J^T m J, J = what moves the point at `arm`, and the pull J^T f. */
static void hang(const double m[6], const double f[3], const double arm[3], supi_part_body* to) {
    double columns[6][3], pull[6];
    for (int j = 0; j < 6; j++) {
        double unit[6] = {0};
        unit[j] = 1.0;
        point_move(unit, arm, columns[j]);
    }
    for (int i = 0; i < 6; i++) {
        double heavy[3];
        supi_turns_symmetric(m, columns[i], heavy);
        for (int j = 0; j <= i; j++) to->held[at(i, j)] += supi_vector_dot(columns[j], heavy);
    }
    point_pull(f, arm, pull);
    for (int k = 0; k < 6; k++) to->force[k] += pull[k];
}

/* From a leaf to its root: with all that hangs on b known, what b is to a. */
static void fold_joint(const supi_frame_rest* rest, const supi_frame_joint* joint,
                       const supi_frame_rows* rows, supi_part_body* parts) {
    supi_part_body* b = parts + joint->b;
    double arm_a[3], arm_b[3], gap[3], ease[6], moved[3], column[3][3], f[3];
    gap_of(rest, joint, rows, parts, arm_a, arm_b, gap);
    factor(b->held);
    for (int j = 0; j < 3; j++) {
        double unit[3] = {j == 0, j == 1, j == 2}, d[6];
        point_pull(unit, arm_b, d);
        solve(b->held, d);
        point_move(d, arm_b, column[j]);
    }
    for (int j = 0; j < 3; j++) ease[j] = column[j][j];
    ease[3] = column[2][1];
    ease[4] = column[0][2];
    ease[5] = column[1][0];
    memcpy(b->move, b->force, sizeof b->move);
    solve(b->held, b->move);
    point_move(b->move, arm_b, moved);
    supi_turns_invert(ease, b->apparent);
    for (int k = 0; k < 3; k++) b->gap[k] = gap[k] + moved[k];
    if (joint->a < 0) return;
    supi_turns_symmetric(b->apparent, b->gap, f);
    hang(b->apparent, f, arm_a, parts + joint->a);
}

/* Back: a has moved, and b goes with it. */
static void unfold_joint(const supi_frame_rest* rest, const supi_frame_joint* joint,
                         supi_part_body* parts) {
    supi_part_body* b = parts + joint->b;
    double arm[3], want[3] = {0, 0, 0}, pull[3], d[6];
    if (joint->a >= 0) {
        arm_of(rest, parts + joint->a, joint->member_a, arm);
        point_move(parts[joint->a].move, arm, want);
    }
    for (int k = 0; k < 3; k++) want[k] -= b->gap[k];
    supi_turns_symmetric(b->apparent, want, pull);
    arm_of(rest, b, joint->member_b, arm);
    point_pull(pull, arm, d);
    solve(b->held, d);
    for (int k = 0; k < 6; k++) b->move[k] += d[k];
}

static void mend_trees(const supi_frame_net* net, const supi_frame_rest* rest,
                       const supi_frame_rows* rows, supi_part_body* parts) {
    const supi_frame_joints* j = &rest->joints;
    if (j->tree_count == 0) return;
    for (int32_t i = 0; i < net->part_count; i++) {
        if (j->place[i] != SUPI_JOINT_NONE) begin_part(parts + i);
    }
    for (int32_t i = j->tree_count - 1; i >= 0; i--) fold_joint(rest, j->joints + i, rows, parts);
    for (int32_t i = 0; i < net->part_count; i++) {
        if (j->place[i] != SUPI_JOINT_ROOT) continue;
        factor(parts[i].held);
        memcpy(parts[i].move, parts[i].force, sizeof parts[i].move);
        solve(parts[i].held, parts[i].move);
    }
    for (int32_t i = 0; i < j->tree_count; i++) unfold_joint(rest, j->joints + i, parts);
    for (int32_t i = 0; i < net->part_count; i++) {
        if (j->place[i] != SUPI_JOINT_ROOT && j->place[i] != SUPI_JOINT_TREE) continue;
        for (int k = 0; k < 3; k++) parts[i].c[k] += parts[i].move[k];
        turn_part(parts[i].move + 3, parts + i);
    }
}

/* ---- Rows ---- */

static bool is_free(const supi_frame_rest* rest, const supi_frame_rows* rows, int32_t row) {
    return rows->x[row].w > 0.0f || rest->rows[row / 8].follows[supi_lane_order(row & 7)] > 0.0f;
}

/* A row that is in one rigid part goes where that is; a joint to the mean of what its parts say. */
static void set_row(const supi_frame_net* net, const supi_frame_rest* rest, int32_t row,
                    const supi_frame_rows* rows, const supi_part_body* parts) {
    double place[3] = {0, 0, 0}, turn[4] = {0, 0, 0, 0}, x[3], q[4], t[3];
    const double* first = NULL;
    int count = 0;
    for (int32_t k = net->row_part_starts[row]; k < net->row_part_starts[row + 1]; k++) {
        if (rest->soft[net->row_parts[k]]) continue;
        const supi_part_body* body = parts + net->row_parts[k];
        double arm[3];
        arm_of(rest, body, net->row_places[k], arm);
        first = first ? first : body->q;
        double along = first[0] * body->q[0] + first[1] * body->q[1] + first[2] * body->q[2] +
                       first[3] * body->q[3];
        for (int j = 0; j < 3; j++) place[j] += body->c[j] + arm[j];
        for (int j = 0; j < 4; j++) turn[j] += along < 0.0 ? -body->q[j] : body->q[j];
        count++;
    }
    if (count == 0 || !is_free(rest, rows, row)) return;
    supi_vector_of_row(rows->x + row, x);
    supi_turns_from((const sup_quat*)(rows->q + row), q);
    supi_turns_unit(turn);
    supi_turns_between(q, turn, t);
    sup_row *to = rows->x + row, *cx = rows->cx + row, *cw = rows->cw + row;
    float* const way[3] = {&cx->x, &cx->y, &cx->z};
    float* const arc[3] = {&cw->x, &cw->y, &cw->z};
    for (int j = 0; j < 3; j++) {
        place[j] /= count;
        *way[j] = (float)((double)*way[j] + (place[j] - x[j]));
        *arc[j] = (float)((double)*arc[j] + t[j]);
    }
    *to = (sup_row){(float)place[0], (float)place[1], (float)place[2], to->w};
    rows->q[row] = (sup_row){(float)turn[0], (float)turn[1], (float)turn[2], (float)turn[3]};
}

void supi_joint_solve(const supi_frame_net* net, const supi_frame_rest* rest,
                      const supi_frame_pull* pull, const supi_kernels* kernels,
                      const supi_frame_rows* rows, const supi_frame_room* room,
                      sup_quat* part_turn) {
    supi_part_body* parts = room->parts;
    supi_joint_match(net, rest, &pull->drive, kernels, rows, false, parts, part_turn);
    for (int32_t i = 0; i < net->part_count; i++) {
        if (!rest->soft[i]) keep_momentum(net, rest, i, (double)pull->drive.h, rows, parts + i);
    }
    mend_trees(net, rest, rows, parts);
    mend_loops(rest, rows, parts);
    for (int32_t i = 0; i < net->part_count; i++) {
        if (!rest->soft[i]) part_turn[i] = supi_turns_round(parts[i].q);
    }
    for (int32_t i = 0; i < net->particle_count; i++) {
        if (net->row_part_starts[i + 1] > net->row_part_starts[i]) {
            set_row(net, rest, i, rows, parts);
        }
    }
}
