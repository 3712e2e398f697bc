/* The order in which a strain limit goes through springs: one after the other away from what is
   pinned, and at once what that lets be done at once. */
#include "geom/sort.h"
#include "solve/limit.h"

enum { FAR = INT32_MAX }; /* no way leads there from a pin */

typedef struct builder {
    const supi_spring_net* net;
    const sup_spring* springs;
    const float* w;
    supi_limit_rooms r;
    int32_t count;       /* of ids */
    int32_t group_count; /* as far as they are */
} builder;

static bool pinned(const builder* b, int32_t row) { return !(b->w[row] > 0.0f); }

/* ---- Distance from pins, in springs ---- */

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
            int32_t side = 8 * c + (row & 7), other = net->other[side];
            if (net->spring[side] < 0 || b->r.distance[other] != FAR) continue;
            b->r.distance[other] = b->r.distance[row] + 1;
            b->r.queue[end++] = other;
        }
    }
}

/* ---- Levels ---- */

static void sort(builder* b) {
    size_t room = (size_t)b->net->spring_count;
    supi_sort_keys(b->count, b->r.keys, b->r.ids, b->r.keys + room, b->r.ids + room);
}

/* By the distance of the nearer end, and by number. */
static void sort_by_distance(builder* b, sup_spring_kind kind) {
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

/* The level of a spring is above those of all springs before it that share a row with it. */
static void sort_by_level(builder* b) {
    for (int32_t i = 0; i < b->net->row_count; i++) b->r.level[i] = 0;
    for (int32_t i = 0; i < b->count; i++) {
        const sup_spring* s = b->springs + b->r.ids[i];
        int32_t *one = b->r.level + s->a, *two = b->r.level + s->b;
        int32_t level = *one > *two ? *one : *two;
        *one = *two = level + 1;
        b->r.keys[i] = (uint64_t)level;
    }
    sort(b);
}

/* Springs begin .. end-1 of one level. Two groups go at a time, so that their number is even. */
static void add_level(builder* b, int32_t begin, int32_t end) {
    int32_t room = (end - begin + 15) / 16 * 16;
    for (int32_t i = 0; i < room && b->r.groups; i++) {
        const sup_spring* s = b->springs + b->r.ids[begin + i < end ? begin + i : end - 1];
        supi_limit8* group = b->r.groups + b->group_count + i / 8;
        group->a[i & 7] = s->a;
        group->b[i & 7] = s->b;
        group->length[supi_lane_order(i & 7)] = s->slack ? -s->length : s->length;
    }
    b->group_count += room / 8;
}

/* Returns the number of groups so far. */
static int32_t add_kind(builder* b, sup_spring_kind kind) {
    sort_by_distance(b, kind);
    sort_by_level(b);
    for (int32_t i = 0, end; i < b->count; i = end) {
        for (end = i + 1; end < b->count && b->r.keys[end] == b->r.keys[i];) end++;
        add_level(b, i, end);
    }
    return b->group_count;
}

/* ---- Rooms ---- */

static bool push_scratch(supi_arena* arena, int32_t row_count, int32_t spring_count,
                         supi_limit_rooms* r) {
    size_t rows = (size_t)row_count, count = (size_t)spring_count;
    r->distance = supi_arena_push(arena, rows, sizeof *r->distance);
    r->queue = supi_arena_push(arena, rows, sizeof *r->queue);
    r->level = supi_arena_push(arena, rows, sizeof *r->level);
    r->ids = supi_arena_push(arena, 2 * count, sizeof *r->ids);
    r->keys = supi_arena_push(arena, 2 * count, sizeof *r->keys);
    return r->distance && r->queue && r->level && r->ids && r->keys;
}

/* A level has two groups for each of its springs, at most. */
bool supi_limit_rooms_push(supi_arena* arena, int32_t row_count, int32_t spring_count,
                           supi_limit_rooms* out) {
    out->groups = supi_arena_push(arena, 2 * (size_t)spring_count, sizeof *out->groups);
    return out->groups && push_scratch(arena, row_count, spring_count, out);
}

/* ---- All of it ---- */

static void build(builder* b, supi_limit_order* out) {
    b->group_count = 0;
    find_distances(b);
    out->struct_count = add_kind(b, SUP_SPRING_STRUCT);
    out->group_count = add_kind(b, SUP_SPRING_SHEAR);
    out->groups = b->r.groups;
}

void supi_limit_order_fill(const supi_spring_net* net, const sup_spring* springs, const float* w,
                           const supi_limit_rooms* rooms, supi_limit_order* out) {
    builder b = {.net = net, .springs = springs, .w = w, .r = *rooms};
    build(&b, out);
}

bool supi_limit_order_build(const supi_spring_net* net, const sup_spring* springs, const float* w,
                            supi_arena* arena, supi_arena* scratch, supi_limit_order* out) {
    builder b = {.net = net, .springs = springs, .w = w};
    if (!push_scratch(scratch, net->row_count, net->spring_count, &b.r)) return false;
    build(&b, out); /* counts */
    b.r.groups = supi_arena_push(arena, (size_t)b.group_count, sizeof *b.r.groups);
    if (!b.r.groups) return false;
    build(&b, out); /* fills */
    return true;
}
