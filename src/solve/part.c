#include "solve/part.h"

#include "solve/frame_build.h"
#include "solve/joint.h"
#include "solve/turns.h"

#include <string.h>

#define LONGEST 0.2f /* s: in SOFT in all, and in RAMP */
enum { SUBSTEPS_LEAST = 3 };

supi_part_settings supi_part_settings_default(void) {
    return (supi_part_settings){
        .yield = 5.0f, .soft_time = 0.05f, .permanence = 1.0f, .most = 0.3f};
}

/* ---- State ---- */

static void* copy_of(supi_arena* arena, const void* from, int32_t count, size_t size, bool* good) {
    void* to = supi_arena_push(arena, (size_t)count, size);
    if (to && count > 0) memcpy(to, from, (size_t)count * size);
    *good = *good && to;
    return to;
}

static bool copy_rest(const supi_frame_net* net, supi_arena* arena, supi_frame_rest* out) {
    const supi_frame_rest* from = &net->rest;
    int32_t rows = net->row_count, parts = net->part_count, members = net->part_starts[parts];
    bool good = true;
#define COPY(field, count)                                                                         \
    out->field = copy_of(arena, from->field, count, sizeof *out->field, &good)
    COPY(place, rows);
    COPY(rows, rows / 8);
    COPY(batches, net->group_count / 8);
    COPY(columns, net->column_count);
    COPY(blends, net->blend_count);
    COPY(shares, net->share_count);
    COPY(classic, net->classic_count);
    COPY(classic_columns, net->classic_column_count);
    COPY(links, net->link8_count);
    COPY(twists, net->twist8_count);
    COPY(offset, members);
    COPY(stand, members);
    COPY(member_mass, members);
    COPY(part_mass, parts);
    COPY(part_inertia, parts);
    COPY(awake, net->group_count);
    COPY(soft, parts);
    COPY(joints.joints, net->joint_room);
    COPY(joints.place, parts);
    COPY(joints.work, 4 * parts);
#undef COPY
    out->joints.tree_count = from->joints.tree_count;
    out->joints.count = from->joints.count;
    return good;
}

bool supi_part_state_push(const supi_frame_net* net, supi_arena* arena, supi_part_state* out) {
    size_t parts = (size_t)net->part_count, members = (size_t)net->part_starts[net->part_count];
    supi_part_state s = {0};
    s.phase = supi_arena_push(arena, parts, sizeof *s.phase);
    s.left = supi_arena_push(arena, parts, sizeof *s.left);
    s.spent = supi_arena_push(arena, parts, sizeof *s.spent);
    s.offset = supi_arena_push(arena, members, sizeof *s.offset);
    s.flow = supi_arena_push(arena, members, sizeof *s.flow);
    s.target = supi_arena_push(arena, members, sizeof *s.target);
    s.flowed = supi_arena_push(arena, (size_t)net->row_count, sizeof *s.flowed);
    if (!s.phase || !s.left || !s.spent || !s.offset || !s.flow || !s.target || !s.flowed) {
        return false;
    }
    if (!copy_rest(net, arena, &s.rest)) return false;
    for (size_t i = 0; i < members; i++) s.offset[i] = s.target[i] = net->rest.offset[i];
    for (int32_t i = 0; i < net->row_count; i++) s.flowed[i] = (sup_quat){0, 0, 0, 1};
    *out = s;
    return true;
}

/* Moments of a row, turned as its shape has flowed; bits stay where it has not. */
static void turn_moment(const supi_frame_net* net, supi_part_state* state, int32_t row) {
    double q[4], r[9], moment[6], turned[6];
    float own[6];
    memcpy(own, net->moment[row], sizeof own);
    if (supi_part_turned(state, row)) {
        supi_turns_from(state->flowed + row, q);
        supi_quaternion_matrix(q, r);
        for (int k = 0; k < 6; k++) moment[k] = (double)own[k];
        supi_symmetric_turned(r, moment, turned);
        for (int k = 0; k < 6; k++) own[k] = (float)turned[k];
    }
    supi_frame_fill_moment(own, !(net->inverse_mass[row] > 0.0f), &state->rest, row);
}

static bool same(const sup_vec3* a, const sup_vec3* b) {
    return a->x == b->x && a->y == b->y && a->z == b->z;
}

/* A row stands where the parts it is in have it at rest, each for itself and all on the mean; bits
   stay where nothing has flowed. */
static void place_row(const supi_frame_net* net, supi_part_state* state, int32_t row) {
    const sup_vec3* first = net->rest.place + row;
    double sum[3] = {0, 0, 0};
    bool moved = false;
    int32_t begin = net->row_part_starts[row], end = net->row_part_starts[row + 1];
    for (int32_t k = begin; k < end; k++) {
        const sup_vec3 *now = state->offset + net->row_places[k],
                       *then = net->rest.offset + net->row_places[k];
        const double d[3] = {(double)now->x - (double)then->x, (double)now->y - (double)then->y,
                             (double)now->z - (double)then->z};
        moved = moved || !same(now, then);
        state->rest.stand[net->row_places[k]] = supi_vector_round(
            (double)first->x + d[0], (double)first->y + d[1], (double)first->z + d[2]);
        for (int j = 0; j < 3; j++) sum[j] += d[j];
    }
    int32_t count = end - begin;
    state->rest.place[row] = moved ? supi_vector_round((double)first->x + sum[0] / count,
                                                       (double)first->y + sum[1] / count,
                                                       (double)first->z + sum[2] / count)
                                   : *first;
    turn_moment(net, state, row);
}

/* Offsets have their middle at 0 by these masses. */
static void centre(const supi_frame_net* net, const float* masses, int32_t part,
                   sup_vec3* offsets) {
    double sum = 0.0, middle[3] = {0, 0, 0};
    int32_t begin = net->part_starts[part], end = net->part_starts[part + 1];
    for (int32_t i = begin; i < end; i++) {
        double w = (double)masses[i], p[3];
        supi_vector_from(offsets + i, p);
        sum += w;
        for (int k = 0; k < 3; k++) middle[k] += w * p[k];
    }
    for (int32_t i = begin; i < end && sum > 0.0; i++) {
        double p[3];
        supi_vector_from(offsets + i, p);
        offsets[i] = supi_vector_round(p[0] - middle[0] / sum, p[1] - middle[1] / sum,
                                       p[2] - middle[2] / sum);
    }
}

/* Offsets as they are matched: beside a soft part, a rigid one has all of the mass of their
   joint, and its middle is elsewhere. */
static void set_offsets(const supi_frame_net* net, supi_part_state* state, int32_t part) {
    supi_frame_rest* rest = &state->rest;
    int32_t begin = net->part_starts[part], end = net->part_starts[part + 1];
    bool alone = false;
    for (int32_t i = begin; i < end; i++) {
        rest->offset[i] = state->offset[i];
        alone = alone || rest->member_mass[i] != net->rest.member_mass[i];
    }
    if (alone) centre(net, rest->member_mass, part, rest->offset);
}

void supi_part_refresh(const supi_frame_net* net, supi_part_state* state) {
    supi_frame_rest* rest = &state->rest;
    for (int32_t i = 0; i < net->part_count; i++) rest->soft[i] = state->phase[i] == SUPI_PART_SOFT;
    for (int32_t i = 0; i < net->particle_count; i++) {
        if (net->row_part_starts[i + 1] > net->row_part_starts[i]) place_row(net, state, i);
    }
    supi_frame_fill(net, rest);
    for (int32_t i = 0; i < net->part_count; i++) set_offsets(net, state, i);
    supi_part_weigh(net, rest);
    supi_joint_order(net, rest, &rest->joints);
}

/* ---- Soft ---- */

void supi_part_hit(const supi_part_settings* settings, float h, supi_part_state* state,
                   int32_t part, float speed) {
    if (state->own) settings = state->own + part;
    if (!(speed > settings->yield)) return;
    float least = (float)SUBSTEPS_LEAST * h;
    float time = settings->soft_time > least ? settings->soft_time : least;
    if (state->phase[part] != SUPI_PART_SOFT) {
        state->phase[part] = SUPI_PART_SOFT;
        state->spent[part] = 0.0f;
    } else if (state->spent[part] + time > LONGEST) {
        time = LONGEST - state->spent[part];
    }
    if (time > state->left[part] || state->spent[part] == 0.0f) state->left[part] = time;
}

/* Groups of a part that becomes soft start from its rotation. */
static void soften(const supi_frame_net* net, int32_t part, const supi_frame_slices* slices) {
    for (int32_t i = net->part_starts[part]; i < net->part_starts[part + 1]; i++) {
        int32_t group = net->group_of[net->part_members[i]];
        if (group >= 0) slices->group_turn[group] = slices->part_turn[part];
    }
}

/* ---- Rigid again ---- */

/* Where a member is; a joint where the rigid parts have it that it is in: contacts have moved it
   alone, and the two of a hinge are as far apart as there. */
static void spot_of(const supi_frame_net* net, const supi_frame_slices* slices,
                    const supi_part_body* bodies, int32_t row, double spot[3]) {
    const supi_frame_rest* rest = &slices->parts->rest;
    double sum[3] = {0, 0, 0};
    int count = 0;
    for (int32_t k = net->row_part_starts[row]; k < net->row_part_starts[row + 1]; k++) {
        const supi_part_body* body = bodies + net->row_parts[k];
        double p[3], arm[3];
        if (rest->soft[net->row_parts[k]]) continue;
        supi_vector_from(rest->offset + net->row_places[k], p);
        supi_turns_apply(body->r, p, arm);
        for (int j = 0; j < 3; j++) sum[j] += body->c[j] + arm[j];
        count++;
    }
    supi_vector_of_row(slices->x + row, spot);
    for (int j = 0; j < 3 && count > 0; j++) spot[j] = sum[j] / count;
}

/* Rest offsets, and what may stay of the flow. */
static void rebase_offsets(const supi_frame_net* net, const supi_part_settings* settings,
                           const supi_frame_slices* slices, const supi_part_body* bodies,
                           int32_t part) {
    const supi_part_body* body = bodies + part;
    supi_part_state* state = slices->parts;
    int32_t begin = net->part_starts[part], end = net->part_starts[part + 1];
    double radius = 0.0;
    for (int32_t i = begin; i < end; i++) {
        double p[3];
        supi_vector_from(net->rest.offset + i, p);
        double far = supi_vector_length(p);
        radius = far > radius ? far : radius;
    }
    for (int32_t i = begin; i < end; i++) {
        double x[3], d[3], p[3], first[3], flow[3];
        spot_of(net, slices, bodies, net->part_members[i], x);
        supi_vector_subtract(x, body->c, d);
        supi_turns_apply_back(body->r, d, p);
        supi_vector_from(net->rest.offset + i, first);
        supi_vector_from(state->flow + i, flow);
        for (int k = 0; k < 3; k++) {
            flow[k] += (double)settings->permanence * (p[k] - first[k] - flow[k]);
        }
        double far = supi_vector_length(flow), most = (double)settings->most * radius;
        for (int k = 0; k < 3 && far > most; k++) flow[k] *= most / far;
        state->offset[i] = supi_vector_round(p[0], p[1], p[2]);
        state->flow[i] = supi_vector_round(flow[0], flow[1], flow[2]);
        state->target[i] =
            supi_vector_round(first[0] + flow[0], first[1] + flow[1], first[2] + flow[2]);
    }
}

/* The joints of a block go back together, as far as they do on the mean: in the other part they are
   as far apart. */
static void keep_block(const supi_frame_net* net, supi_part_state* state, int32_t part,
                       int32_t block) {
    double way[3] = {0, 0, 0};
    int32_t end = net->part_starts[part + 1], count = 0;
    for (int32_t i = block; i < end; i++) {
        const sup_vec3 *from = state->offset + i, *to = state->target + i;
        if (net->block_of[i] != block) continue;
        way[0] += (double)to->x - (double)from->x;
        way[1] += (double)to->y - (double)from->y;
        way[2] += (double)to->z - (double)from->z;
        count++;
    }
    for (int32_t i = block; i < end; i++) {
        const sup_vec3* from = state->offset + i;
        if (net->block_of[i] != block) continue;
        state->target[i] =
            supi_vector_round((double)from->x + way[0] / count, (double)from->y + way[1] / count,
                              (double)from->z + way[2] / count);
    }
}

/* In the part, and in those around that are on their way to a shape of before. */
static void keep_blocks(const supi_frame_net* net, supi_part_state* state, int32_t part) {
    for (int32_t i = net->part_starts[part]; i < net->part_starts[part + 1]; i++) {
        int32_t row = net->part_members[i];
        if (net->block_of[i] < 0) continue;
        for (int32_t k = net->row_part_starts[row]; k < net->row_part_starts[row + 1]; k++) {
            int32_t other = net->row_parts[k], block = net->block_of[net->row_places[k]];
            bool moves = other == part || state->phase[other] == SUPI_PART_RAMP;
            if (moves && block >= 0) keep_block(net, state, other, block);
        }
    }
}

/* What members are turned against the part stays for good. */
static void rebase_turns(const supi_frame_net* net, const supi_frame_slices* slices,
                         const supi_part_body* body, int32_t part) {
    supi_part_state* state = slices->parts;
    double back[4] = {-body->q[0], -body->q[1], -body->q[2], body->q[3]};
    for (int32_t i = net->part_starts[part]; i < net->part_starts[part + 1]; i++) {
        int32_t row = net->part_members[i];
        bool joint = net->row_part_starts[row + 1] - net->row_part_starts[row] > 1;
        if (joint || !(net->inverse_mass[row] > 0.0f)) continue;
        double q[4], p[4];
        supi_turns_from(slices->q + row, q);
        supi_turns_from(state->flowed + row, p);
        supi_quaternion_product(back, q, q);
        supi_quaternion_product(q, p, p);
        supi_turns_unit(p);
        state->flowed[row] = supi_turns_round(p);
        slices->q[row] = supi_turns_round(body->q);
    }
}

/* Velocities become those of a rigid body with the same momenta, of the shape that it has now. */
static void rebase_speeds(const supi_frame_net* net, const supi_frame_slices* slices,
                          const supi_part_body* body, int32_t part) {
    const supi_frame_rest* rest = &slices->parts->rest;
    int32_t begin = net->part_starts[part], end = net->part_starts[part + 1];
    double momentum[3] = {0, 0, 0}, spin[3] = {0, 0, 0}, whole[6] = {0}, inverse[6], turn[3];
    for (int32_t i = begin; i < end; i++) {
        int32_t row = net->part_members[i];
        double mass = (double)rest->member_mass[i], x[3], v[3], w[3], d[3], l[3], own[6], r[9];
        supi_vector_of_row(slices->x + row, x);
        supi_vector_of_row(slices->v + row, v);
        supi_vector_of_row(slices->w + row, w);
        supi_vector_subtract(x, body->c, d);
        supi_vector_cross(d, v, l);
        for (int k = 0; k < 3; k++) {
            momentum[k] += mass * v[k];
            spin[k] += mass * l[k];
        }
        supi_symmetric_add_mass(mass, d, whole);
        double q[4], inertia[6];
        const supi_frame_rows8* eight = rest->rows + row / 8;
        for (int k = 0; k < 6; k++) {
            inertia[k] = (double)eight->inertia[k][supi_lane_order(row & 7)];
        }
        supi_turns_from(slices->q + row, q);
        supi_quaternion_matrix(q, r);
        supi_symmetric_turned(r, inertia, own);
        supi_symmetric_apply(own, w, l);
        for (int k = 0; k < 3 && mass > 0.0; k++) spin[k] += l[k];
        for (int k = 0; k < 6 && mass > 0.0; k++) whole[k] += own[k];
    }
    supi_symmetric_regular(whole);
    supi_symmetric_invert(whole, inverse);
    supi_symmetric_apply(inverse, spin, turn);
    for (int32_t i = begin; i < end; i++) {
        int32_t row = net->part_members[i];
        if (!(slices->x[row].w > 0.0f)) continue;
        double x[3], d[3], v[3];
        supi_vector_of_row(slices->x + row, x);
        supi_vector_subtract(x, body->c, d);
        supi_vector_cross(turn, d, v);
        for (int k = 0; k < 3; k++) v[k] += momentum[k] * body->inverse_mass;
        slices->v[row] = (sup_row){(float)v[0], (float)v[1], (float)v[2], slices->v[row].w};
        bool plain = rest->rows[row / 8].plain[supi_lane_order(row & 7)] > 0.0f;
        if (plain) continue;
        slices->w[row] =
            (sup_row){(float)turn[0], (float)turn[1], (float)turn[2], slices->w[row].w};
    }
}

/* Rigid, and on the way to its target if it is not there. */
static void start_ramp(const supi_frame_net* net, supi_part_state* state, int32_t part) {
    state->phase[part] = SUPI_PART_RIGID;
    for (int32_t i = net->part_starts[part]; i < net->part_starts[part + 1]; i++) {
        if (!same(state->offset + i, state->target + i)) state->phase[part] = SUPI_PART_RAMP;
    }
    state->left[part] = state->phase[part] == SUPI_PART_RAMP ? LONGEST : 0.0f;
    state->spent[part] = 0.0f;
}

static void rebase(const supi_frame_net* net, const supi_part_settings* settings,
                   const supi_frame_slices* slices, const supi_part_body* bodies, int32_t part) {
    const supi_part_body* body = bodies + part;
    supi_part_state* state = slices->parts;
    rebase_speeds(net, slices, body, part);
    rebase_offsets(net, settings, slices, bodies, part);
    rebase_turns(net, slices, body, part);
    centre(net, net->rest.member_mass, part, state->offset);
    centre(net, net->rest.member_mass, part, state->target);
    keep_blocks(net, state, part);
    slices->part_turn[part] = supi_turns_round(body->q);
    start_ramp(net, state, part);
}

/* ---- Ramp ---- */

static float towards(float from, float to, float share) { return from + share * (to - from); }

static void ramp(const supi_frame_net* net, supi_part_state* state, int32_t part, float h) {
    bool last = !(state->left[part] > h);
    float share = last ? 1.0f : h / state->left[part];
    for (int32_t i = net->part_starts[part]; i < net->part_starts[part + 1]; i++) {
        sup_vec3 *at = state->offset + i, *to = state->target + i;
        *at = last ? *to
                   : (sup_vec3){towards(at->x, to->x, share), towards(at->y, to->y, share),
                                towards(at->z, to->z, share)};
    }
    state->left[part] = last ? 0.0f : state->left[part] - h;
    if (last) state->phase[part] = SUPI_PART_RIGID;
}

/* Do its links, and the groups that these make, stay within it and the parts that it is joined to?
   No number of theirs is looked at while it is rigid, then. */
static bool keeps_to_itself(const supi_frame_net* net, int32_t part) {
    for (int32_t i = net->part_starts[part]; i < net->part_starts[part + 1]; i++) {
        int32_t row = net->part_members[i];
        for (int32_t k = net->neighbour_starts[row]; k < net->neighbour_starts[row + 1]; k++) {
            bool within = false;
            for (int32_t p = net->row_part_starts[row]; p < net->row_part_starts[row + 1]; p++) {
                within = within || supi_weld_holds(net, net->row_parts[p], net->neighbours[k]);
            }
            if (!within) return false;
        }
    }
    return true;
}

/* What a refresh would change of a part that only goes on along its ramp. */
static void refresh_ramp(const supi_frame_net* net, supi_part_state* state, int32_t part) {
    for (int32_t i = net->part_starts[part]; i < net->part_starts[part + 1]; i++) {
        place_row(net, state, net->part_members[i]);
    }
    set_offsets(net, state, part);
    supi_part_weigh(net, &state->rest);
}

void supi_part_relax(const supi_frame_net* net, supi_part_state* state) {
    for (int32_t i = 0; i < net->part_starts[net->part_count]; i++) {
        state->target[i] = net->rest.offset[i];
        state->flow[i] = (sup_vec3){0, 0, 0};
    }
    for (int32_t i = 0; i < net->row_count; i++) state->flowed[i] = (sup_quat){0, 0, 0, 1};
    for (int32_t i = 0; i < net->part_count; i++) {
        if (state->phase[i] != SUPI_PART_SOFT) start_ramp(net, state, i);
    }
}

bool supi_part_advance(const supi_frame_net* net, const supi_part_settings* settings,
                       const supi_frame_pull* pull, const supi_kernels* kernels,
                       const supi_frame_slices* slices, const supi_frame_room* room) {
    supi_part_state* state = slices->parts;
    supi_frame_rows rows = {
        .x = slices->x, .v = slices->v, .q = (sup_row*)slices->q, .w = slices->w};
    supi_frame_drive still = pull->drive;
    bool changed = false, matched = false, ramped = false;
    still.h = 0.0f; /* what is matched is where it is */
    for (int32_t i = 0; i < net->part_count; i++) {
        bool soft = state->phase[i] == SUPI_PART_SOFT;
        if (soft && !state->rest.soft[i]) {
            soften(net, i, slices);
            changed = true;
        } else if (soft) {
            state->spent[i] += pull->drive.h;
            state->left[i] -= pull->drive.h;
            if (state->left[i] > 0.5f * pull->drive.h) continue;
            if (!matched) {
                supi_joint_match(net, &state->rest, &still, kernels, &rows, true, room->parts,
                                 slices->part_turn);
            }
            matched = changed = true;
            rebase(net, state->own ? state->own + i : settings, slices, room->parts, i);
        } else if (state->phase[i] == SUPI_PART_RAMP) {
            ramp(net, state, i, pull->drive.h);
            ramped = true;
            if (keeps_to_itself(net, i))
                refresh_ramp(net, state, i);
            else
                changed = true;
        }
    }
    if (changed) supi_part_refresh(net, state);
    return changed || ramped;
}
