/* One substep of a body of oriented particles: its phases in order. */
#include "base/real.h"
#include "solve/frame_build.h"
#include "solve/joint.h"
#include "solve/part.h"
#include "solve/restore.h"

#include <math.h>
#include <string.h>

/* rad in a substep: half a turn and more could be told from its opposite no longer. */
#define WIDEST 1.5707963f

/* ---- Settings ---- */

supi_frame_settings supi_frame_settings_default(void) {
    return (supi_frame_settings){.mode = SUP_FRAME_MEAN,
                                 .torsion = SUP_TORSION_TWIST,
                                 .stiffness = 400.0f,
                                 .turn_share = 1.0f,
                                 .slerp = 0.5f,
                                 .damping = 0.1f,
                                 .turn_damping = 0.5f,
                                 .gravity = {0.0f, -9.81f, 0.0f},
                                 .most_gain = 20.0f,
                                 .fastest = 1e4f,
                                 .restore = true,
                                 .soft_stiffness = 100.0f};
}

/* How far a group pulls in a substep: (w0 h)^2, by which a load at rest does not depend on h; for
   one group after the other as implicit Euler does, which is stable for any w0. */
static float share_of(const supi_frame_settings* settings, double h, double stiffness) {
    double longest = (double)settings->longest > h ? (double)settings->longest : h;
    if (settings->mode == SUP_FRAME_CLASSIC) {
        double square = stiffness * h * stiffness * h;
        return (float)(square / (1.0 + square));
    }
    double most = 1.0 / longest, w = stiffness < most ? stiffness : most;
    double square = w * h * w * h;
    return square < 1.0 ? (float)square : 1.0f;
}

static supi_frame_drive drive_of(const supi_frame_settings* settings, double h) {
    supi_frame_drive drive = {.h = (float)h,
                              .per_h = (float)(1.0 / h),
                              .keep_v = (float)supi_exp(-(double)settings->damping * h),
                              .keep_w = (float)supi_exp(-(double)settings->turn_damping * h),
                              .fastest = settings->fastest,
                              .widest = (float)((double)WIDEST / h)};
    double gain[3], size = 0.0;
    for (int k = 0; k < 3; k++) {
        gain[k] = h * (double)settings->gravity[k];
        size += gain[k] * gain[k];
    }
    size = sqrt(size);
    double most = (double)settings->most_gain, scale = size > most ? most / size : 1.0;
    for (int k = 0; k < 3; k++) drive.gain[k] = (float)(scale * gain[k]);
    return drive;
}

supi_frame_pull supi_frame_prepare(const supi_frame_net* net, const supi_frame_settings* settings,
                                   double h, float* s) {
    supi_frame_pull pull = {.drive = drive_of(settings, h),
                            .mode = settings->mode,
                            .torsion = settings->torsion,
                            .turn_share = settings->turn_share,
                            .restore = settings->restore && !net->pinned,
                            .s = s};
    pull.slerp = (float)(1.0 - supi_pow(1.0 - (double)settings->slerp, 60.0 * h));
    pull.soft = share_of(settings, h, (double)settings->soft_stiffness);
    float same = share_of(settings, h, (double)settings->stiffness);
    pull.soft_of = settings->soft_of;
    memset(s, 0, (size_t)net->group_count * sizeof *s);
    bool any = false;
    for (int32_t i = 0; i < net->particle_count; i++) {
        int32_t group = net->group_of[i];
        if (group < 0) continue;
        if (settings->soft_of) {
            settings->soft_of[group] = share_of(settings, h, (double)settings->soft_of[group]);
        }
        s[group] = settings->stiffness_of ? share_of(settings, h, (double)settings->stiffness_of[i])
                                          : same;
        if (!any) pull.even = s[group];
        if (s[group] != pull.even) pull.even = -1.0f;
        any = true;
    }
    return pull;
}

/* ---- Rooms ---- */

void supi_frame_room_add(supi_frame_room_size* size, const supi_frame_net* net) {
    if (net->row_count > size->row_count) size->row_count = net->row_count;
    if (net->group_count > size->group_count) size->group_count = net->group_count;
    if (net->part_count > size->part_count) size->part_count = net->part_count;
    supi_herd_room_add(size, net);
}

bool supi_frame_room_push(supi_arena* arena, const supi_frame_room_size* size,
                          supi_frame_room* out) {
    size_t rows = (size_t)size->row_count, groups = (size_t)size->group_count;
    out->cx = supi_arena_push(arena, rows, sizeof *out->cx);
    out->cw = supi_arena_push(arena, rows, sizeof *out->cw);
    out->spin = supi_arena_push(arena, rows, sizeof *out->spin);
    out->moment = supi_arena_push(arena, 3 * rows, sizeof *out->moment);
    out->moments = supi_arena_push(arena, rows, sizeof *out->moments);
    out->origin = supi_arena_push(arena, groups, sizeof *out->origin);
    out->centre = supi_arena_push(arena, groups, sizeof *out->centre);
    out->s = supi_arena_push(arena, groups, sizeof *out->s);
    out->parts = supi_arena_push(arena, (size_t)size->part_count, sizeof *out->parts);
    return out->cx && out->cw && out->spin && out->moment && out->moments && out->origin &&
           out->centre && out->s && out->parts && supi_herd_room_push(arena, size, &out->herd);
}

void supi_frame_start(const supi_frame_net* net, const sup_quat* q, sup_quat* group_turn,
                      sup_quat* part_turn) {
    for (int32_t i = 0; i < net->group_count; i++) group_turn[i] = *q;
    for (int32_t i = 0; i < net->part_count; i++) part_turn[i] = *q;
}

/* ---- Phases ---- */

static supi_frame_rows rows_of(const supi_frame_slices* s, const supi_frame_room* room) {
    supi_frame_rows rows = {.x = s->x, .v = s->v, .q = (sup_row*)s->q, .w = s->w};
    if (room) {
        rows.cx = room->cx;
        rows.cw = room->cw;
        rows.spin = room->spin;
        rows.moment = room->moment;
    }
    return rows;
}

void supi_frame_predict(const supi_frame_net* net, const supi_frame_pull* pull,
                        const supi_kernels* kernels, const supi_frame_slices* from,
                        const supi_frame_slices* to) {
    supi_frame_rows read = rows_of(from, NULL), write = rows_of(to, NULL);
    kernels->frames->predict(net->rest.rows, net->row_count / 8, &pull->drive, &read, &write);
    kernels->frames->spin(net->rest.rows, net->row_count / 8, &pull->drive, &read, &write);
}

void supi_frame_spin(const supi_frame_net* net, const supi_frame_pull* pull,
                     const supi_kernels* kernels, const supi_frame_slices* from,
                     const supi_frame_slices* to) {
    supi_frame_rows read = rows_of(from, NULL), write = rows_of(to, NULL);
    kernels->frames->spin(net->rest.rows, net->row_count / 8, &pull->drive, &read, &write);
}

/* Groups of parts that are soft have a stiffness of their own. */
static const float* shares(const supi_frame_net* net, const supi_frame_rest* rest,
                           const supi_frame_pull* pull, const supi_frame_room* room) {
    if (!net->yields) return pull->s;
    for (int32_t i = 0; i < net->group_count; i++) {
        float own = rest->awake[i] == 1 ? pull->s[i] : 0.0f;
        float soft = pull->soft_of ? pull->soft_of[i] : pull->soft;
        room->s[i] = rest->awake[i] == 2 ? soft : own;
    }
    return room->s;
}

static void match_groups(const supi_frame_net* net, const supi_frame_rest* rest,
                         const supi_frame_pull* pull, const supi_frame_kernels* kernels,
                         const supi_frame_rows* rows, const supi_frame_room* room,
                         sup_quat* group_turn) {
    const float* s = shares(net, rest, pull, room);
    sup_row* turn = (sup_row*)group_turn;
    kernels->moments(rest->rows, net->row_count / 8, (int32_t)pull->mode, rows);
    if (pull->mode == SUP_FRAME_MEAN) {
        kernels->match(rest->batches, net->group_count / 8, rest->columns, &pull->drive, s, rows,
                       turn, room->origin, room->centre);
        kernels->blend(rest->blends, net->blend_count, rest->shares, turn, room->origin,
                       room->centre, rows);
        return;
    }
    for (int32_t i = 0; i < net->classic_count; i++) {
        int32_t k = pull->backward ? net->classic_count - 1 - i : i;
        kernels->classic(rest->classic + k, rest->classic_columns, &pull->drive, s,
                         pull->turn_share, rest->rows, rows, turn);
    }
}

void supi_frame_project(const supi_frame_net* net, const supi_frame_pull* pull,
                        const supi_kernels* kernels, const supi_frame_slices* slices,
                        const supi_frame_room* room) {
    const supi_frame_rest* rest = slices->parts ? &slices->parts->rest : &net->rest;
    const supi_frame_kernels* k = kernels->frames;
    supi_frame_rows rows = rows_of(slices, room);
    int32_t eights = net->row_count / 8;
    k->begin(rest->rows, eights, &pull->drive, &rows);
    if (net->link8_count > 0) {
        k->links(rest->links, net->link8_count, &pull->drive, rest->place, &rows);
        k->shift(eights, &rows);
    }
    if (net->group_count > 0) match_groups(net, rest, pull, k, &rows, room, slices->group_turn);
    if (net->part_count > 0) {
        supi_joint_solve(net, rest, pull, kernels, &rows, room, slices->part_turn);
    }
    if (net->twist8_count > 0) {
        bool slerp = pull->torsion == SUP_TORSION_SLERP;
        k->twist(rest->twists, net->twist8_count, &pull->drive, rest->rows,
                 slerp ? pull->slerp : -1.0f, &rows, room->moments);
        k->turn(rest->rows, eights, slerp, &rows, room->moments);
    }
    if (pull->restore) supi_restore_momenta(net, rest, &pull->drive, kernels, &rows);
    k->finish(rest->rows, eights, &pull->drive, &rows);
}
