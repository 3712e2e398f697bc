/* The order in which a strain limit goes through springs: away from what is pinned, in blocks of
   rows, and by colours, as springs of one colour can be mended at once. */
#include "geom/sort.h"
#include "solve/limit.h"

#include <string.h>

enum {
    FAR = INT32_MAX, /* no way leads there from a pin */
    BAND_RANKS = 12, /* springs as far away as this from a pin go before those beyond */
    BANDS = 1 << 12
};

typedef struct builder {
    const supi_spring_net* net;
    const sup_spring* springs;
    const float* w;
    int32_t* distance; /* by row, in springs from the nearest pin */
    int32_t* queue;
    int32_t *band, *colour; /* by place in the order */
    uint64_t* taken;        /* by row: which of 64 colours its springs have */
    int32_t* taken_in;      /* in this band */
    int32_t* ids;           /* springs in order, twice the room */
    uint64_t* keys;         /* the same */
    int32_t count;          /* of ids */
    supi_limit8* groups;
    int32_t *parts, *phases;
    supi_limit_order out; /* its counts, as far as they are */
} builder;

/* ---- Distance from pins ---- */

static bool pinned(const builder* b, int32_t row) { return !(b->w[row] > 0.0f); }

static void push_pins(builder* b, int32_t* end) {
    for (int32_t i = 0; i < b->net->row_count; i++) b->distance[i] = FAR;
    for (int32_t i = 0; i < b->net->spring_count; i++) {
        const int32_t ends[2] = {b->springs[i].a, b->springs[i].b};
        for (int k = 0; k < 2; k++) {
            if (!pinned(b, ends[k]) || b->distance[ends[k]] == 0) continue;
            b->distance[ends[k]] = 0;
            b->queue[(*end)++] = ends[k];
        }
    }
}

static void find_distances(builder* b) {
    const supi_spring_net* net = b->net;
    int32_t end = 0;
    push_pins(b, &end);
    for (int32_t i = 0; i < end; i++) {
        int32_t row = b->queue[i];
        for (int32_t c = net->columns[row / 8]; c < net->columns[row / 8 + 1]; c++) {
            int32_t other = net->other[8 * c + (row & 7)];
            if (b->distance[other] != FAR) continue;
            b->distance[other] = b->distance[row] + 1;
            b->queue[end++] = other;
        }
    }
}

/* ---- Which springs, in which order ---- */

static void sort(builder* b) {
    size_t room = (size_t)b->net->spring_count;
    supi_sort_keys(b->count, b->keys, b->ids, b->keys + room, b->ids + room);
}

static void list_kind(builder* b, sup_spring_kind kind) {
    b->count = 0;
    for (int32_t i = 0; i < b->net->spring_count; i++) {
        const sup_spring* s = b->springs + i;
        if (s->kind != kind || !(s->length > 0.0f)) continue;
        if (pinned(b, s->a) && pinned(b, s->b)) continue;
        int32_t one = b->distance[s->a], two = b->distance[s->b];
        b->keys[b->count] = (uint64_t)(one < two ? one : two);
        b->ids[b->count++] = i;
    }
    sort(b);
}

static bool between(const sup_spring* s) {
    return s->a / SUPI_LIMIT_ROWS != s->b / SUPI_LIMIT_ROWS;
}

/* A sweep of a block goes away from the pins band by band, or towards them. What lies between
   blocks is one band, as each colour of it is a phase. */
static void find_bands(builder* b) {
    for (int32_t i = 0; i < b->count; i++) {
        uint64_t band = b->keys[i] / BAND_RANKS;
        bool none = b->keys[i] == FAR || between(b->springs + b->ids[i]);
        b->band[i] = none ? 0 : band < BANDS ? (int32_t)band : BANDS - 1;
    }
}

/* The colours of a row's springs in a band. */
static uint64_t* taken_of(builder* b, int32_t row, int32_t band) {
    if (b->taken_in[row] != band) b->taken[row] = 0;
    b->taken_in[row] = band;
    return b->taken + row;
}

/* Colours first .. first + 63 go to what has none yet and can have one. Tells whether all have. */
static bool colour_some(builder* b, int32_t first, bool outside) {
    bool all = true;
    for (int32_t i = 0; i < b->net->row_count; i++) b->taken_in[i] = -1;
    for (int32_t i = 0; i < b->count; i++) {
        const sup_spring* s = b->springs + b->ids[i];
        if (between(s) != outside || b->colour[i] >= 0) continue;
        uint64_t *one = taken_of(b, s->a, b->band[i]), *two = taken_of(b, s->b, b->band[i]);
        uint64_t taken = *one | *two, lowest = ~taken & (taken + 1);
        if (lowest == 0) {
            all = false;
            continue;
        }
        *one |= lowest;
        *two |= lowest;
        b->colour[i] = first + __builtin_ctzll(lowest);
    }
    return all;
}

/* Block, band and colour; what lies between blocks is as if in one after the last. */
static uint64_t last_block(const builder* b) {
    return (uint64_t)b->net->row_count / SUPI_LIMIT_ROWS + 1;
}
static uint64_t block_of(uint64_t key) { return key >> 43; }

static void colour_all(builder* b) {
    find_bands(b);
    for (int32_t i = 0; i < b->count; i++) b->colour[i] = -1;
    for (int outside = 0; outside < 2; outside++) {
        for (int32_t first = 0; !colour_some(b, first, outside);) first += 64;
    }
    for (int32_t i = 0; i < b->count; i++) {
        const sup_spring* s = b->springs + b->ids[i];
        uint64_t block = between(s) ? last_block(b) : (uint64_t)s->a / SUPI_LIMIT_ROWS;
        b->keys[i] = block << 43 | (uint64_t)b->band[i] << 31 | (uint64_t)b->colour[i];
    }
    sort(b);
}

/* ---- Groups, parts and phases ---- */

/* Springs begin .. end-1 of one colour. Two groups go at a time, so that their number is even. */
static void add_groups(builder* b, int32_t begin, int32_t end) {
    int32_t room = (end - begin + 15) / 16 * 16;
    for (int32_t i = 0; i < room && b->groups; i++) {
        const sup_spring* s = b->springs + b->ids[begin + i < end ? begin + i : end - 1];
        supi_limit8* group = b->groups + b->out.group_count + i / 8;
        group->a[i & 7] = s->a;
        group->b[i & 7] = s->b;
        group->length[supi_lane_order(i & 7)] = s->slack ? -s->length : s->length;
    }
    b->out.group_count += room / 8;
}

static void end_part(builder* b) {
    b->out.part_count++;
    if (b->parts) b->parts[b->out.part_count] = b->out.group_count;
}

static void end_phase(builder* b) {
    b->out.phase_count++;
    if (b->phases) b->phases[b->out.phase_count] = b->out.part_count;
}

/* A part for each block, and for each piece of a colour between them; the blocks are one phase, and
   each such colour. */
static void add_phases(builder* b) {
    const int32_t most = 8 * SUPI_LIMIT_PART;
    bool in_blocks = false;
    for (int32_t i = 0, end; i < b->count; i = end) {
        uint64_t key = b->keys[i], block = block_of(key);
        for (end = i + 1; end < b->count && b->keys[end] == key;) end++;
        if (block < last_block(b)) {
            add_groups(b, i, end);
            in_blocks = true;
            if (end == b->count || block_of(b->keys[end]) != block) end_part(b);
            continue;
        }
        if (in_blocks) end_phase(b);
        in_blocks = false;
        for (int32_t j = i; j < end; j += most) {
            add_groups(b, j, end - j < most ? end : j + most);
            end_part(b);
        }
        end_phase(b);
    }
    if (in_blocks) end_phase(b);
}

static void add_kinds(builder* b) {
    b->out = (supi_limit_order){0};
    list_kind(b, SUP_SPRING_STRUCT);
    colour_all(b);
    add_phases(b);
    b->out.struct_phases = b->out.phase_count;
    list_kind(b, SUP_SPRING_SHEAR);
    colour_all(b);
    add_phases(b);
}

bool supi_limit_order_build(const supi_spring_net* net, const sup_spring* springs, const float* w,
                            supi_arena* arena, supi_arena* scratch, supi_limit_order* out) {
    size_t rows = (size_t)net->row_count, count = (size_t)net->spring_count;
    builder b = {
        .net = net,
        .springs = springs,
        .w = w,
        .distance = supi_arena_push(scratch, rows, sizeof *b.distance),
        .queue = supi_arena_push(scratch, rows, sizeof *b.queue),
        .band = supi_arena_push(scratch, count, sizeof *b.band),
        .colour = supi_arena_push(scratch, count, sizeof *b.colour),
        .taken_in = supi_arena_push(scratch, rows, sizeof *b.taken_in),
        .taken = supi_arena_push(scratch, rows, sizeof *b.taken),
        .ids = supi_arena_push(scratch, 2 * count, sizeof *b.ids),
        .keys = supi_arena_push(scratch, 2 * count, sizeof *b.keys),
    };
    if (!b.distance || !b.queue || !b.band || !b.colour || !b.taken || !b.taken_in || !b.ids ||
        !b.keys)
        return false;
    find_distances(&b);
    add_kinds(&b); /* counts */
    b.groups = supi_arena_push(arena, (size_t)b.out.group_count, sizeof *b.groups);
    b.parts = supi_arena_push(arena, (size_t)b.out.part_count + 1, sizeof *b.parts);
    b.phases = supi_arena_push(arena, (size_t)b.out.phase_count + 1, sizeof *b.phases);
    if (!b.groups || !b.parts || !b.phases) return false;
    add_kinds(&b); /* fills */
    *out = b.out;
    out->groups = b.groups;
    out->parts = b.parts;
    out->phases = b.phases;
    return true;
}
