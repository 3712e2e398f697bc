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
    supi_limit_rooms r;
    int32_t count;        /* of ids */
    supi_limit_order out; /* its counts, as far as they are */
} builder;

/* ---- Distance from pins ---- */

static bool pinned(const builder* b, int32_t row) { return !(b->w[row] > 0.0f); }

static void push_pins(builder* b, int32_t* end) {
    for (int32_t i = 0; i < b->net->row_count; i++) b->r.distance[i] = FAR;
    for (int32_t i = 0; i < b->net->spring_count; i++) {
        const int32_t ends[2] = {b->springs[i].a, b->springs[i].b};
        for (int k = 0; k < 2; k++) {
            if (!pinned(b, ends[k]) || b->r.distance[ends[k]] == 0) continue;
            b->r.distance[ends[k]] = 0;
            b->r.queue[(*end)++] = ends[k];
        }
    }
}

static void find_distances(builder* b) {
    const supi_spring_net* net = b->net;
    int32_t end = 0;
    push_pins(b, &end);
    for (int32_t i = 0; i < end; i++) {
        int32_t row = b->r.queue[i];
        for (int32_t c = net->columns[row / 8]; c < net->columns[row / 8 + 1]; c++) {
            int32_t other = net->other[8 * c + (row & 7)];
            if (b->r.distance[other] != FAR) continue;
            b->r.distance[other] = b->r.distance[row] + 1;
            b->r.queue[end++] = other;
        }
    }
}

/* ---- Which springs, in which order ---- */

static void sort(builder* b) {
    size_t room = (size_t)b->net->spring_count;
    supi_sort_keys(b->count, b->r.keys, b->r.ids, b->r.keys + room, b->r.ids + room);
}

static void list_kind(builder* b, sup_spring_kind kind) {
    b->count = 0;
    for (int32_t i = 0; i < b->net->spring_count; i++) {
        const sup_spring* s = b->springs + i;
        if (s->kind != kind || !(s->length > 0.0f)) continue;
        if (pinned(b, s->a) && pinned(b, s->b)) continue;
        int32_t one = b->r.distance[s->a], two = b->r.distance[s->b];
        b->r.keys[b->count] = (uint64_t)(one < two ? one : two);
        b->r.ids[b->count++] = i;
    }
    sort(b);
}

static bool between(const sup_spring* s) {
    return s->a / SUPI_LIMIT_ROWS != s->b / SUPI_LIMIT_ROWS;
}

/* A sweep of a block goes away from the pins band by band, or towards them. What lies between
   blocks is one band, as each colour of it is a phase. */
static void find_bands(builder* b) {
    const uint64_t last = (uint64_t)b->r.band_most - 1;
    for (int32_t i = 0; i < b->count; i++) {
        uint64_t band = b->r.keys[i] / BAND_RANKS;
        bool none = b->r.keys[i] == FAR || between(b->springs + b->r.ids[i]);
        b->r.band[i] = none ? 0 : band < last ? (int32_t)band : (int32_t)last;
        if (b->r.band[i] >= b->out.band_count) b->out.band_count = b->r.band[i] + 1;
    }
}

/* The colours of a row's springs in a band. */
static uint64_t* taken_of(builder* b, int32_t row, int32_t band) {
    if (b->r.taken_in[row] != band) b->r.taken[row] = 0;
    b->r.taken_in[row] = band;
    return b->r.taken + row;
}

/* Colours first .. first + 63 go to what has none yet and can have one. Tells whether all have. */
static bool colour_some(builder* b, int32_t first, bool outside) {
    bool all = true;
    for (int32_t i = 0; i < b->net->row_count; i++) b->r.taken_in[i] = -1;
    for (int32_t i = 0; i < b->count; i++) {
        const sup_spring* s = b->springs + b->r.ids[i];
        if (between(s) != outside || b->r.colour[i] >= 0) continue;
        uint64_t *one = taken_of(b, s->a, b->r.band[i]), *two = taken_of(b, s->b, b->r.band[i]);
        uint64_t taken = *one | *two, lowest = ~taken & (taken + 1);
        if (lowest == 0) {
            all = false;
            continue;
        }
        *one |= lowest;
        *two |= lowest;
        b->r.colour[i] = first + __builtin_ctzll(lowest);
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
    for (int32_t i = 0; i < b->count; i++) b->r.colour[i] = -1;
    for (int outside = 0; outside < 2; outside++) {
        for (int32_t first = 0; !colour_some(b, first, outside);) first += 64;
    }
    for (int32_t i = 0; i < b->count; i++) {
        const sup_spring* s = b->springs + b->r.ids[i];
        uint64_t block = between(s) ? last_block(b) : (uint64_t)s->a / SUPI_LIMIT_ROWS;
        b->r.keys[i] = block << 43 | (uint64_t)b->r.band[i] << 31 | (uint64_t)b->r.colour[i];
    }
    sort(b);
}

/* ---- Groups, parts and phases ---- */

/* Springs begin .. end-1 of one colour. Two groups go at a time, so that their number is even. */
static void add_groups(builder* b, int32_t begin, int32_t end) {
    int32_t room = (end - begin + 15) / 16 * 16;
    for (int32_t i = 0; i < room && b->r.groups; i++) {
        const sup_spring* s = b->springs + b->r.ids[begin + i < end ? begin + i : end - 1];
        supi_limit8* group = b->r.groups + b->out.group_count + i / 8;
        group->a[i & 7] = s->a;
        group->b[i & 7] = s->b;
        group->length[supi_lane_order(i & 7)] = s->slack ? -s->length : s->length;
    }
    b->out.group_count += room / 8;
}

static void end_part(builder* b) {
    b->out.part_count++;
    if (b->r.parts) b->r.parts[b->out.part_count] = b->out.group_count;
}

static void end_phase(builder* b) {
    b->out.phase_count++;
    if (b->r.phases) b->r.phases[b->out.phase_count] = b->out.part_count;
}

/* A part for each block, and for each piece of a colour between them; the blocks are one phase, and
   each such colour. */
static void add_phases(builder* b) {
    const int32_t most = 8 * SUPI_LIMIT_PART;
    bool in_blocks = false;
    for (int32_t i = 0, end; i < b->count; i = end) {
        uint64_t key = b->r.keys[i], block = block_of(key);
        for (end = i + 1; end < b->count && b->r.keys[end] == key;) end++;
        if (block < last_block(b)) {
            add_groups(b, i, end);
            in_blocks = true;
            if (end == b->count || block_of(b->r.keys[end]) != block) end_part(b);
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

/* ---- Rooms ---- */

static bool push_scratch(supi_arena* arena, int32_t row_count, int32_t spring_count,
                         supi_limit_rooms* r) {
    size_t rows = (size_t)row_count, count = (size_t)spring_count;
    r->distance = supi_arena_push(arena, rows, sizeof *r->distance);
    r->queue = supi_arena_push(arena, rows, sizeof *r->queue);
    r->band = supi_arena_push(arena, count, sizeof *r->band);
    r->colour = supi_arena_push(arena, count, sizeof *r->colour);
    r->taken_in = supi_arena_push(arena, rows, sizeof *r->taken_in);
    r->taken = supi_arena_push(arena, rows, sizeof *r->taken);
    r->ids = supi_arena_push(arena, 2 * count, sizeof *r->ids);
    r->keys = supi_arena_push(arena, 2 * count, sizeof *r->keys);
    return r->distance && r->queue && r->band && r->colour && r->taken && r->taken_in && r->ids &&
           r->keys;
}

static bool push_groups(supi_arena* arena, int64_t groups, int64_t parts, int64_t phases,
                        supi_limit_rooms* r) {
    if (groups > INT32_MAX || parts > INT32_MAX || phases > INT32_MAX) return false;
    r->groups = supi_arena_push(arena, (size_t)groups, sizeof *r->groups);
    r->parts = supi_arena_push(arena, (size_t)parts + 1, sizeof *r->parts);
    r->phases = supi_arena_push(arena, (size_t)phases + 1, sizeof *r->phases);
    return r->groups && r->parts && r->phases;
}

bool supi_limit_rooms_push(supi_arena* arena, const supi_limit_sizes* most, supi_limit_rooms* out) {
    int64_t blocks = most->row_count / SUPI_LIMIT_ROWS + 1, springs = most->spring_count;
    int64_t colours = 2 * (int64_t)most->side_count; /* a spring meets so many others */
    int64_t runs = 2 * (blocks * most->band_count + 1) * colours;
    int64_t groups = springs / 8 + 2 * (runs < springs ? runs : springs);
    int64_t parts = 2 * (blocks + colours) + groups / SUPI_LIMIT_PART + 1;
    *out = (supi_limit_rooms){.band_most = most->band_count, .part_most = (int32_t)parts};
    return push_scratch(arena, most->row_count, most->spring_count, out) &&
           push_groups(arena, groups, parts, 2 * (colours + 1), out);
}

/* ---- All of it ---- */

static void build(builder* b) {
    find_distances(b);
    add_kinds(b);
    b->out.groups = b->r.groups;
    b->out.parts = b->r.parts;
    b->out.phases = b->r.phases;
}

void supi_limit_order_fill(const supi_spring_net* net, const sup_spring* springs, const float* w,
                           const supi_limit_rooms* rooms, supi_limit_order* out) {
    builder b = {.net = net, .springs = springs, .w = w, .r = *rooms};
    build(&b);
    *out = b.out;
}

bool supi_limit_order_build(const supi_spring_net* net, const sup_spring* springs, const float* w,
                            supi_arena* arena, supi_arena* scratch, supi_limit_order* out) {
    builder b = {.net = net, .springs = springs, .w = w, .r = {.band_most = BANDS}};
    if (!push_scratch(scratch, net->row_count, net->spring_count, &b.r)) return false;
    build(&b); /* counts */
    if (!push_groups(arena, b.out.group_count, b.out.part_count, b.out.phase_count, &b.r)) {
        return false;
    }
    build(&b); /* fills */
    *out = b.out;
    return true;
}
