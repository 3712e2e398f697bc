/* Groups of a net of oriented particles: those that are done at once, eight of much the same size;
   the rows that they hold, in the same way; and for one after the other, eight that share no row.
 */
#include "geom/sort.h"
#include "solve/frame_build.h"

typedef struct order {
    int32_t* ids;   /* rows, in order */
    uint64_t* keys; /* what they are ordered by */
    int32_t count;
    size_t room;
} order;

static bool order_push(supi_frame_builder* b, order* out) {
    out->room = (size_t)b->net->row_count;
    out->ids = supi_arena_push(b->scratch, 2 * out->room, sizeof *out->ids);
    out->keys = supi_arena_push(b->scratch, 2 * out->room, sizeof *out->keys);
    return out->ids && out->keys;
}

static void order_sort(order* o) {
    supi_sort_keys(o->count, o->keys, o->ids, o->keys + o->room, o->ids + o->room);
}

/* With the row itself. */
static int32_t group_size(const supi_frame_net* net, int32_t row) {
    return net->neighbour_starts[row + 1] - net->neighbour_starts[row] + 1;
}

/* A row has a group if it has mass and a neighbour, and is in no part that is always rigid. A joint
   has none: that would hold parts which turn against each other. */
static bool has_group(const supi_frame_net* net, int32_t row) {
    int32_t parts = net->row_part_starts[row + 1] - net->row_part_starts[row];
    bool own = parts == 0 || (parts == 1 && net->yields);
    return group_size(net, row) > 1 && net->mass[row] > 0.0f && own;
}

/* ---- Groups ---- */

/* Columns of the groups about rows ids[0 .. 7]; the longest comes first or last. */
static void write_batch(const supi_frame_net* net, const int32_t* ids, const int32_t* group_of,
                        supi_frame_batch* batch, supi_frame_column* columns, int32_t* used) {
    int32_t least = INT32_MAX, most = 0;
    batch->begin = *used;
    for (int j = 0; j < 8; j++) {
        int32_t size = group_size(net, ids[j]);
        least = size < least ? size : least;
        most = size > most ? size : most;
        batch->centre[j] = ids[j];
        batch->group[j] = group_of[ids[j]];
    }
    batch->full = *used + least;
    batch->end = *used + most;
    *used = batch->end;
    for (int32_t c = 0; columns && c < most; c++) {
        for (int j = 0; j < 8; j++) {
            bool there = c > 0 && c < group_size(net, ids[j]);
            int32_t from = net->neighbour_starts[ids[j]] + c - 1;
            columns[batch->begin + c].at[j] = there ? net->neighbours[from] : ids[j];
        }
    }
}

static int32_t clamp_index(int32_t i, int32_t begin, int32_t end) {
    return begin + i < end ? begin + i : end - 1;
}

/* Batches of ids[begin .. end-1]. */
static void write_batches(const supi_frame_net* net, const int32_t* ids, int32_t begin, int32_t end,
                          const int32_t* group_of, supi_frame_batch* batches,
                          supi_frame_column* columns, int32_t* batch_count, int32_t* used) {
    for (int32_t i = 0; i < end - begin; i += 8) {
        int32_t eight[8];
        for (int j = 0; j < 8; j++) eight[j] = ids[clamp_index(i + j, begin, end)];
        supi_frame_batch unused, *to = batches ? batches + *batch_count : &unused;
        write_batch(net, eight, group_of, to, columns, used);
        (*batch_count)++;
    }
}

/* Groups are numbered as they stand in batches. */
static bool build_groups(supi_frame_builder* b, order* o) {
    supi_frame_net* net = b->net;
    int32_t* group_of = supi_arena_push(b->arena, (size_t)net->row_count, sizeof *group_of);
    if (!group_of) return false;
    o->count = 0;
    for (int32_t i = 0; i < net->row_count; i++) {
        group_of[i] = -1;
        if (i >= net->particle_count || !has_group(net, i)) continue;
        o->keys[o->count] = (uint64_t)(UINT32_MAX - (uint32_t)group_size(net, i));
        o->ids[o->count++] = i;
    }
    order_sort(o);
    size_t padded = ((size_t)o->count + 7) & ~(size_t)7;
    int32_t* centre_of = supi_arena_push(b->arena, padded, sizeof *centre_of);
    if (!centre_of) return false;
    for (int32_t i = 0; i < o->count; i++) group_of[centre_of[i] = o->ids[i]] = i;
    int32_t batch_count = 0, used = 0;
    write_batches(net, o->ids, 0, o->count, group_of, NULL, NULL, &batch_count, &used);
    supi_frame_rest* rest = &net->rest;
    rest->batches = supi_arena_push(b->arena, (size_t)batch_count, sizeof *rest->batches);
    rest->columns = supi_arena_push(b->arena, (size_t)used, sizeof *rest->columns);
    rest->awake = supi_arena_push(b->arena, 8 * (size_t)batch_count, 1);
    if (!rest->batches || !rest->columns || !rest->awake) return false;
    net->group_of = group_of;
    net->centre_of = centre_of;
    net->group_count = 8 * batch_count;
    batch_count = used = 0;
    write_batches(net, o->ids, 0, o->count, group_of, rest->batches, rest->columns, &batch_count,
                  &used);
    net->column_count = used;
    return true;
}

/* ---- Rows ---- */

/* Groups that hold a row: its own first. Writes column c of them, if there are so many. */
static int32_t groups_of_row(const supi_frame_net* net, int32_t row, int32_t wanted,
                             int32_t* group) {
    int32_t count = 0;
    for (int32_t i = net->neighbour_starts[row] - 1; i < net->neighbour_starts[row + 1]; i++) {
        int32_t other = i < net->neighbour_starts[row] ? row : net->neighbours[i];
        if (net->group_of[other] < 0) continue;
        if (count == wanted) *group = net->group_of[other];
        count++;
    }
    return count;
}

static void write_blend(const supi_frame_net* net, const int32_t* ids, supi_frame_blend* blend,
                        supi_frame_column* columns, int32_t* used) {
    int32_t most = 0;
    blend->begin = *used;
    for (int j = 0; j < 8; j++) {
        blend->row[j] = ids[j];
        most = net->groups_held[ids[j]] > most ? net->groups_held[ids[j]] : most;
    }
    blend->end = *used + most;
    *used = blend->end;
    for (int32_t c = 0; columns && c < most; c++) {
        for (int j = 0; j < 8; j++) {
            int32_t* at = columns[blend->begin + c].at + j;
            groups_of_row(net, ids[j], 0, at); /* padding: the first one */
            groups_of_row(net, ids[j], c, at);
        }
    }
}

static bool build_blends(supi_frame_builder* b, order* o) {
    supi_frame_net* net = b->net;
    int32_t* held = supi_arena_push(b->arena, (size_t)net->row_count, sizeof *held);
    if (!held) return false;
    o->count = 0;
    for (int32_t i = 0; i < net->particle_count; i++) {
        held[i] = groups_of_row(net, i, -1, NULL);
        bool pinned = net->mass[i] > 0.0f && !(net->inverse_mass[i] > 0.0f);
        if (held[i] == 0 || pinned) continue;
        o->keys[o->count] = (uint64_t)(UINT32_MAX - (uint32_t)held[i]);
        o->ids[o->count++] = i;
    }
    net->groups_held = held;
    order_sort(o);
    supi_frame_rest* rest = &net->rest;
    net->blend_count = (o->count + 7) / 8;
    rest->blends = supi_arena_push(b->arena, (size_t)net->blend_count, sizeof *rest->blends);
    if (!rest->blends) return false;
    for (int pass = 0; pass < 2; pass++) { /* counts, then writes */
        net->share_count = 0;
        for (int32_t i = 0; i < net->blend_count; i++) {
            int32_t eight[8];
            for (int j = 0; j < 8; j++) eight[j] = o->ids[clamp_index(8 * i + j, 0, o->count)];
            write_blend(net, eight, rest->blends + i, rest->shares, &net->share_count);
        }
        if (pass == 1) break;
        rest->shares = supi_arena_push(b->arena, (size_t)net->share_count, sizeof *rest->shares);
        if (!rest->shares) return false;
    }
    return true;
}

/* ---- Groups one after the other ---- */

/* The first colour that no group has which shares a row with this one. `seen` (by colour) holds the
   last row that met the colour, plus 1. */
static int32_t free_colour(const supi_frame_net* net, int32_t row, const int32_t* colour,
                           int32_t* seen) {
    for (int32_t i = net->neighbour_starts[row] - 1; i < net->neighbour_starts[row + 1]; i++) {
        int32_t member = i < net->neighbour_starts[row] ? row : net->neighbours[i];
        int32_t begin = net->neighbour_starts[member], end = net->neighbour_starts[member + 1];
        for (int32_t k = begin - 1; k < end; k++) {
            int32_t other = k < begin ? member : net->neighbours[k];
            if (colour[other] >= 0) seen[colour[other]] = row + 1;
        }
    }
    int32_t free = 0;
    while (seen[free] == row + 1) free++;
    return free;
}

static bool build_classic(supi_frame_builder* b, order* o) {
    supi_frame_net* net = b->net;
    size_t rows = (size_t)net->row_count;
    int32_t* colour = supi_arena_push(b->scratch, rows, sizeof *colour);
    int32_t* seen = supi_arena_push(b->scratch, rows + 1, sizeof *seen);
    if (!colour || !seen) return false;
    o->count = 0;
    for (size_t i = 0; i < rows; i++) colour[i] = -1;
    for (int32_t i = 0; i < net->particle_count; i++) {
        if (net->group_of[i] < 0) continue;
        colour[i] = free_colour(net, i, colour, seen);
        o->keys[o->count] = (uint64_t)colour[i];
        o->ids[o->count++] = i;
    }
    order_sort(o);
    supi_frame_rest* rest = &net->rest;
    for (int pass = 0; pass < 2; pass++) { /* counts, then writes */
        net->classic_count = net->classic_column_count = 0;
        for (int32_t i = 0, end; i < o->count; i = end) {
            for (end = i + 1; end < o->count && o->keys[end] == o->keys[i];) end++;
            write_batches(net, o->ids, i, end, net->group_of, rest->classic, rest->classic_columns,
                          &net->classic_count, &net->classic_column_count);
        }
        if (pass == 1) break;
        size_t count = (size_t)net->classic_count, columns = (size_t)net->classic_column_count;
        rest->classic = supi_arena_push(b->arena, count, sizeof *rest->classic);
        rest->classic_columns = supi_arena_push(b->arena, columns, sizeof *rest->classic_columns);
        if (!rest->classic || !rest->classic_columns) return false;
    }
    return true;
}

bool supi_frame_groups_build(supi_frame_builder* b) {
    order o;
    return order_push(b, &o) && build_groups(b, &o) && build_blends(b, &o) && build_classic(b, &o);
}
