/* Eight bodies of one net in lock-step. */
#include "solve/frame_build.h"
#include "solve/restore.h"

#include <string.h>

/* Rows of eight bodies beyond which they do not stay in the cache. */
#define ROWS_MAX 128

/* ---- What a net says to a herd ---- */

static bool is_for_herds(const supi_frame_net* net) {
    return net->row_count <= ROWS_MAX && net->part_count == 0 && net->twist8_count == 0 &&
           net->group_count > 0;
}

static void take_rows(const supi_frame_rest* rest, int32_t count, supi_herd_row* out) {
    for (int32_t i = 0; i < count; i++) {
        const supi_frame_rows8* eight = rest->rows + i / 8;
        int32_t lane = supi_lane_order(i & 7);
        out[i].mass = eight->mass[lane];
        out[i].follows = eight->follows[lane];
        out[i].plain = eight->plain[lane];
        out[i].weight = eight->weight[SUP_FRAME_MEAN][lane];
        for (int k = 0; k < 6; k++) {
            out[i].moment[k] = eight->moment[k][lane];
            out[i].inertia[k] = eight->inertia[k][lane];
        }
    }
}

/* Entry j of a column; `weights` are its mu or its shares. */
static supi_herd_member take_member(const supi_frame_column* column, const float* weights, int j) {
    int32_t lane = supi_lane_order(j);
    return (supi_herd_member){column->at[j], weights[lane], column->x[lane], column->y[lane],
                              column->z[lane]};
}

/* Members without a share are padding, but for the one in the middle, which leads. */
static void take_groups(const supi_frame_net* net, supi_herd_group* groups,
                        supi_herd_member* members) {
    int32_t used = 0;
    for (int32_t i = 0; i < net->group_count; i++) {
        const supi_frame_batch* batch = net->rest.batches + i / 8;
        int32_t j = i & 7, lane = supi_lane_order(j);
        supi_herd_group* to = groups + i;
        to->centre = batch->centre[j];
        to->inverse_weight = batch->inverse_weight[lane];
        for (int k = 0; k < 3; k++) to->residue[k] = batch->residue[k][lane];
        to->begin = used;
        for (int32_t c = batch->begin; c < batch->end; c++) {
            const supi_frame_column* column = net->rest.columns + c;
            if (c >= batch->full && !(column->share[lane] > 0.0f)) continue;
            members[used++] = take_member(column, column->mu, j);
        }
        to->end = used;
    }
}

static int32_t take_blends(const supi_frame_net* net, supi_herd_blend* blends,
                           supi_herd_member* shares) {
    int32_t count = 0, used = 0;
    for (int32_t i = 0; i < 8 * net->blend_count; i++) {
        const supi_frame_blend* blend = net->rest.blends + i / 8;
        int32_t j = i & 7, lane = supi_lane_order(j);
        if (j > 0 && blend->row[j] == blend->row[j - 1]) break; /* the last one again */
        supi_herd_blend* to = blends + count++;
        *to = (supi_herd_blend){.row = blend->row[j],
                                .begin = used,
                                .follows = blend->follows[lane],
                                .plain = blend->plain[lane]};
        for (int32_t c = blend->begin; c < blend->end; c++) {
            const supi_frame_column* column = net->rest.shares + c;
            if (column->share[lane] > 0.0f) {
                shares[used++] = take_member(column, column->share, j);
            }
        }
        to->end = used;
    }
    return count;
}

static int32_t take_links(const supi_frame_net* net, supi_herd_link* links) {
    int32_t count = 0;
    for (int32_t i = 0; i < 8 * net->link8_count; i++) {
        const supi_frame_link8* eight = net->rest.links + i / 8;
        int32_t j = i & 7, lane = supi_lane_order(j);
        if (j > 0 && net->link_of[i] == net->link_of[i - 1]) continue;
        links[count++] = (supi_herd_link){eight->a[j],          eight->b[j],
                                          eight->length[lane],  eight->compliance[lane],
                                          eight->damping[lane], eight->on[lane]};
    }
    return count;
}

bool supi_frame_herd_build(supi_frame_builder* b) {
    supi_frame_net* net = b->net;
    if (!is_for_herds(net)) return true;
    supi_frame_herd* herd = supi_arena_push(b->arena, 1, sizeof *herd);
    supi_herd_row* rows = supi_arena_push(b->arena, (size_t)net->row_count, sizeof *rows);
    supi_herd_group* groups = supi_arena_push(b->arena, (size_t)net->group_count, sizeof *groups);
    supi_herd_member* members =
        supi_arena_push(b->arena, 8 * (size_t)net->column_count, sizeof *members);
    supi_herd_blend* blends =
        supi_arena_push(b->arena, 8 * (size_t)net->blend_count, sizeof *blends);
    supi_herd_member* shares =
        supi_arena_push(b->arena, 8 * (size_t)net->share_count, sizeof *shares);
    supi_herd_link* links = supi_arena_push(b->arena, 8 * (size_t)net->link8_count, sizeof *links);
    if (!herd || !rows || !groups || !members || !blends || !shares || !links) return false;
    take_rows(&net->rest, net->row_count, rows);
    take_groups(net, groups, members);
    *herd = (supi_frame_herd){.row_count = net->row_count,
                              .group_count = net->group_count,
                              .blend_count = take_blends(net, blends, shares),
                              .link_count = take_links(net, links),
                              .rows = rows,
                              .groups = groups,
                              .members = members,
                              .blends = blends,
                              .shares = shares,
                              .links = links,
                              .place = net->rest.place};
    net->herd = herd;
    return true;
}

/* ---- Rooms ---- */

void supi_herd_room_add(supi_frame_room_size* size, const supi_frame_net* net) {
    if (!net->herd) return;
    if (net->row_count > size->herd_rows) size->herd_rows = net->row_count;
    if (net->group_count > size->herd_groups) size->herd_groups = net->group_count;
}

bool supi_herd_room_push(supi_arena* arena, const supi_frame_room_size* size, supi_herd_room* out) {
    size_t rows = (size_t)size->herd_rows, groups = (size_t)size->herd_groups;
    out->x = supi_arena_push(arena, rows, sizeof *out->x);
    out->q = supi_arena_push(arena, rows, sizeof *out->q);
    out->v = supi_arena_push(arena, rows, sizeof *out->v);
    out->w = supi_arena_push(arena, rows, sizeof *out->w);
    out->cx = supi_arena_push(arena, rows, sizeof *out->cx);
    out->cw = supi_arena_push(arena, rows, sizeof *out->cw);
    out->spin = supi_arena_push(arena, rows, sizeof *out->spin);
    out->moment = supi_arena_push(arena, 3 * rows, sizeof *out->moment);
    out->turn = supi_arena_push(arena, groups, sizeof *out->turn);
    out->origin = supi_arena_push(arena, groups, sizeof *out->origin);
    out->centre = supi_arena_push(arena, groups, sizeof *out->centre);
    return out->x && out->q && out->v && out->w && out->cx && out->cw && out->spin && out->moment &&
           out->turn && out->origin && out->centre;
}

/* ---- A substep ---- */

/* Which groups there are says the net. */
static bool share_alike(const supi_frame_net* net, const supi_frame_pull* a,
                        const supi_frame_pull* b) {
    if (a->even >= 0.0f || b->even >= 0.0f) return a->even == b->even;
    return memcmp(a->s, b->s, (size_t)net->group_count * sizeof *a->s) == 0;
}

bool supi_frame_flocks(const supi_frame_net* net, const supi_frame_pull* a,
                       const supi_frame_pull* b) {
    return net->herd && a->mode == SUP_FRAME_MEAN && b->mode == SUP_FRAME_MEAN &&
           a->restore == b->restore && memcmp(&a->drive, &b->drive, sizeof a->drive) == 0 &&
           share_alike(net, a, b);
}

/* What brings the momenta of each body back. */
static void find_carries(const float sums[SUPI_FRAME_SUM_COUNT][8], const float reference[3][8],
                         double h, supi_herd_carry* out) {
    for (int j = 0; j < 8; j++) {
        double s[SUPI_FRAME_SUM_COUNT];
        float about[3], u[3], o[3], middle[3];
        for (int k = 0; k < SUPI_FRAME_SUM_COUNT; k++) s[k] = (double)sums[k][j];
        for (int k = 0; k < 3; k++) about[k] = reference[k][j];
        supi_restore_find(s, about, h, u, o, middle);
        for (int k = 0; k < 3; k++) {
            out->u[k][j] = u[k];
            out->o[k][j] = o[k];
            out->middle[k][j] = middle[k];
        }
    }
}

void supi_frame_project_herd(const supi_frame_net* net, const supi_frame_pull* pull,
                             const supi_kernels* kernels, const supi_frame_slices* slices,
                             int32_t count, const supi_frame_room* room) {
    supi_frame_rows bodies[8];
    sup_row* turns[8];
    float reference[3][8], sums[SUPI_FRAME_SUM_COUNT][8];
    for (int32_t j = 0; j < 8; j++) { /* fewer: the last one is there again */
        const supi_frame_slices* s = slices + (j < count ? j : count - 1);
        bodies[j] = (supi_frame_rows){.x = s->x, .v = s->v, .q = (sup_row*)s->q, .w = s->w};
        turns[j] = (sup_row*)s->group_turn;
    }
    const supi_frame_kernels* k = kernels->frames;
    k->herd_match(net->herd, &pull->drive, pull->s, bodies, turns, &room->herd, reference,
                  pull->restore ? sums : NULL);
    supi_herd_carry carry;
    bool carried = pull->restore && sums[SUPI_FRAME_SUM_MASS][0] > 0.0f; /* all weigh the same */
    if (carried) {
        find_carries((const float(*)[8])sums, (const float(*)[8])reference, (double)pull->drive.h,
                     &carry);
    }
    k->herd_finish(net->herd, &pull->drive, carried ? &carry : NULL, &room->herd, bodies);
}
