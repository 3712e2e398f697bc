/* Joints between rigid parts. */
#include "solve/joint.h"

#include "solve/restore.h"
#include "solve/turns.h"

enum { PASSES = 8 }; /* over joints of loops */

/* ---- Momentum of a part ---- */

/* I w of what is turned by q now, and has turned with w for h. */
static void spin_at_start(const double inertia[6], const double q[4], double h, const double w[3],
                          double out[3]) {
    double r[9], own[3], back[3] = {-h * w[0], -h * w[1], -h * w[2]};
    supi_quaternion_matrix(q, r);
    supi_turns_apply_back(r, w, own); /* the same at both times, as it turned about w itself */
    supi_symmetric_apply(inertia, own, own);
    supi_turns_apply(r, own, out);
    supi_turns_vector(back, out);
}

/* What matching changes in the angular momentum of a member that has an orientation: I w at its
   start, and at its end in the frame of the part. */
static void member_spin(const supi_frame_rest* rest, int32_t row, double h, double per_h,
                        const supi_frame_rows* rows, const supi_part_body* body, double before[3],
                        double after[3]) {
    const supi_frame_rows8* eight = rest->rows + row / 8;
    int32_t lane = supi_lane_order(row & 7);
    double q[4], w[3], cw[3], t[3], inertia[6], own[3];
    supi_turns_from((const sup_quat*)(rows->q + row), q);
    supi_vector_of_row(rows->w + row, w);
    supi_vector_of_row(rows->cw + row, cw);
    for (int k = 0; k < 6; k++) inertia[k] = (double)eight->inertia[k][lane];
    if (cw[0] == 0.0 && cw[1] == 0.0 && cw[2] == 0.0) {
        supi_vector_of_row(rows->spin + row, before);
    } else {
        for (int k = 0; k < 3; k++) w[k] += cw[k] * per_h;
        spin_at_start(inertia, q, h, w, before);
    }
    supi_turns_between(q, body->q, t);
    for (int k = 0; k < 3; k++) w[k] += t[k] * per_h;
    supi_turns_apply_back(body->r, w, own);
    supi_symmetric_apply(inertia, own, after);
}

/* What matching has changed in the angular momentum of a part; its rows are still where they were.
   With changes d of places in the substep h: (1/h) sum m x0 x d, x0 at the start, and the change of
   I w. */
static void lost_momentum(const supi_frame_net* net, const supi_frame_rest* rest, int32_t part,
                          double h, const supi_frame_rows* rows, const supi_part_body* body,
                          double lost[3]) {
    double per_h = 1.0 / h, spins[3] = {0, 0, 0}, turned[3];
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
            d[k] = mass * per_h * (body->c[k] + d[k] - x[k]);
        }
        supi_vector_cross(start, d, l);
        for (int k = 0; k < 3; k++) lost[k] += l[k];
        if (rest->rows[row / 8].plain[supi_lane_order(row & 7)] > 0.0f) continue;
        double before[3], after[3];
        member_spin(rest, row, h, per_h, rows, body, before, after);
        for (int k = 0; k < 3; k++) {
            lost[k] -= before[k];
            spins[k] += after[k];
        }
    }
    supi_turns_apply(body->r, spins, turned);
    for (int k = 0; k < 3; k++) lost[k] += turned[k];
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
    supi_symmetric_apply(body->inverse, lost, turn);
    if (!supi_restore_gives(h, turn)) return;
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
        supi_symmetric_apply(body->inverse, moment, turn);
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
    supi_symmetric_apply(body->inverse, moment, turn);
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
    supi_symmetric_invert(ease, inverse);
    supi_symmetric_apply(inverse, gap, impulse);
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

/* A part alone. */
static void begin_form(supi_part_body* body) {
    supi_part_form* form = &body->form;
    for (int k = 0; k < 3; k++) {
        form->a[k] = body->mass;
        form->a[3 + k] = form->f[k] = form->g[k] = 0.0;
        for (int j = 0; j < 3; j++) form->b[j][k] = 0.0;
    }
    for (int k = 0; k < 6; k++) form->c[k] = body->inertia[k];
}

/* The same form for moves u of the point at `arm` instead: u is v + w x arm. */
static void shift_form(const double arm[3], supi_part_form* form) {
    const double s[3][3] = {
        {0.0, arm[2], -arm[1]}, {-arm[2], 0.0, arm[0]}, {arm[1], -arm[0], 0.0}}; /* v by turns */
    static const int pairs[6][2] = {{0, 0}, {1, 1}, {2, 2}, {1, 2}, {2, 0}, {0, 1}};
    double heavy[3][3];
    for (int j = 0; j < 3; j++) supi_symmetric_apply(form->a, s[j], heavy[j]);
    for (int k = 0; k < 6; k++) {
        int i = pairs[k][0], j = pairs[k][1];
        form->c[k] += supi_vector_dot(s[i], heavy[j]) + supi_vector_dot(s[i], form->b[j]) +
                      supi_vector_dot(s[j], form->b[i]);
    }
    for (int j = 0; j < 3; j++) {
        for (int k = 0; k < 3; k++) form->b[j][k] += heavy[j][k];
        form->g[j] += supi_vector_dot(s[j], form->f);
    }
}

/* Adds what hangs at `arm`: a mass and its pull, which no turn of its own changes. */
static void hang_form(const double arm[3], const double mass[6], const double pull[3],
                      supi_part_form* to) {
    const double s[3][3] = {
        {0.0, -arm[2], arm[1]}, {arm[2], 0.0, -arm[0]}, {-arm[1], arm[0], 0.0}}; /* u by turns */
    double heavy[3][3];
    for (int k = 0; k < 6; k++) to->a[k] += mass[k];
    for (int j = 0; j < 3; j++) {
        supi_symmetric_apply(mass, s[j], heavy[j]);
        for (int k = 0; k < 3; k++) to->b[j][k] += heavy[j][k];
        to->c[j] += supi_vector_dot(s[j], heavy[j]);
        to->f[j] += pull[j];
        to->g[j] += supi_vector_dot(s[j], pull);
    }
    to->c[3] += supi_vector_dot(s[1], heavy[2]);
    to->c[4] += supi_vector_dot(s[2], heavy[0]);
    to->c[5] += supi_vector_dot(s[0], heavy[1]);
}

/* The turn that a part takes where it moves by v: the one of least energy. */
static void turn_of(const supi_part_body* body, const double v[3], double turn[3]) {
    double rest[3];
    for (int j = 0; j < 3; j++) rest[j] = body->form.g[j] - supi_vector_dot(body->form.b[j], v);
    supi_symmetric_apply(body->ease, rest, turn);
}

/* A form of moves alone is left where the part turns so: the mass that it shows, and its pull. */
static void leave_turns(supi_part_body* body, double mass[6], double pull[3]) {
    supi_part_form* form = &body->form;
    double row[3][3], eased[3][3];
    supi_symmetric_invert(form->c, body->ease);
    for (int k = 0; k < 3; k++) {
        for (int j = 0; j < 3; j++) row[k][j] = form->b[j][k];
        supi_symmetric_apply(body->ease, row[k], eased[k]);
        mass[k] = form->a[k] - supi_vector_dot(row[k], eased[k]);
        pull[k] = form->f[k] - supi_vector_dot(eased[k], form->g);
    }
    mass[3] = form->a[3] - supi_vector_dot(row[1], eased[2]);
    mass[4] = form->a[4] - supi_vector_dot(row[2], eased[0]);
    mass[5] = form->a[5] - supi_vector_dot(row[0], eased[1]);
}

/* From a leaf to its root: with all that hangs on b known, what b is to a. */
static void fold_joint(const supi_frame_rest* rest, const supi_frame_joint* joint,
                       const supi_frame_rows* rows, supi_part_body* parts) {
    supi_part_body* b = parts + joint->b;
    double arm_a[3], mass[6], pull[3], heavy[3];
    gap_of(rest, joint, rows, parts, arm_a, b->arm, b->gap);
    shift_form(b->arm, &b->form);
    leave_turns(b, mass, pull);
    if (joint->a < 0) return;
    supi_symmetric_apply(mass, b->gap, heavy);
    for (int k = 0; k < 3; k++) pull[k] += heavy[k];
    hang_form(arm_a, mass, pull, &parts[joint->a].form);
}

/* Back: a has moved, and b goes with it. */
static void unfold_joint(const supi_frame_rest* rest, const supi_frame_joint* joint,
                         supi_part_body* parts) {
    supi_part_body* b = parts + joint->b;
    double way[3] = {0, 0, 0}, own[3];
    if (joint->a >= 0) {
        const supi_part_body* a = parts + joint->a;
        double arm[3];
        arm_of(rest, a, joint->member_a, arm);
        supi_vector_cross(a->turn, arm, way);
        for (int k = 0; k < 3; k++) way[k] += a->move[k];
    }
    for (int k = 0; k < 3; k++) way[k] -= b->gap[k];
    turn_of(b, way, b->turn);
    supi_vector_cross(b->turn, b->arm, own);
    supi_vector_subtract(way, own, b->move);
}

static void move_root(supi_part_body* root) {
    double mass[6], pull[3], inverse[6];
    leave_turns(root, mass, pull);
    supi_symmetric_invert(mass, inverse);
    supi_symmetric_apply(inverse, pull, root->move);
    turn_of(root, root->move, root->turn);
}

static void mend_trees(const supi_frame_net* net, const supi_frame_rest* rest,
                       const supi_frame_rows* rows, supi_part_body* parts) {
    const supi_frame_joints* j = &rest->joints;
    if (j->tree_count == 0) return;
    for (int32_t i = 0; i < net->part_count; i++) {
        if (j->place[i] != SUPI_JOINT_NONE) begin_form(parts + i);
    }
    for (int32_t i = j->tree_count - 1; i >= 0; i--) fold_joint(rest, j->joints + i, rows, parts);
    for (int32_t i = 0; i < net->part_count; i++) {
        if (j->place[i] == SUPI_JOINT_ROOT) move_root(parts + i);
    }
    for (int32_t i = 0; i < j->tree_count; i++) unfold_joint(rest, j->joints + i, parts);
    for (int32_t i = 0; i < net->part_count; i++) {
        if (j->place[i] != SUPI_JOINT_ROOT && j->place[i] != SUPI_JOINT_TREE) continue;
        for (int k = 0; k < 3; k++) parts[i].c[k] += parts[i].move[k];
        turn_part(parts[i].turn, parts + i);
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
    if (count > 1) {
        supi_turns_unit(turn);
        for (int j = 0; j < 3; j++) place[j] /= count;
    }
    supi_turns_between(q, turn, t);
    sup_row *to = rows->x + row, *cx = rows->cx + row, *cw = rows->cw + row;
    float* const way[3] = {&cx->x, &cx->y, &cx->z};
    float* const arc[3] = {&cw->x, &cw->y, &cw->z};
    for (int j = 0; j < 3; j++) {
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
