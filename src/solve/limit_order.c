/* The order in which a strain limit goes through springs: one after the other as they are numbered,
   and at once what that lets be done at once. */
#include "geom/sort.h"
#include "solve/limit.h"

typedef struct builder {
    const supi_spring_net* net;
    const sup_spring* springs;
    const float* w;
    int32_t* level; /* by row: of the next spring that it may have */
    int32_t* ids;   /* springs in order, twice the room */
    uint64_t* keys; /* the same */
    int32_t count;  /* of ids */
    supi_limit8* groups;
    int32_t group_count; /* as far as they are */
} builder;

static bool pinned(const builder* b, int32_t row) { return !(b->w[row] > 0.0f); }

/* The level of a spring is above those of all springs before it that share a row with it. */
static void sort_by_level(builder* b, sup_spring_kind kind) {
    size_t room = (size_t)b->net->spring_count;
    b->count = 0;
    for (int32_t i = 0; i < b->net->row_count; i++) b->level[i] = 0;
    for (int32_t i = 0; i < b->net->spring_count; i++) {
        const sup_spring* s = b->springs + i;
        if (s->kind != kind || !(s->length > 0.0f)) continue;
        if (pinned(b, s->a) && pinned(b, s->b)) continue;
        int32_t *one = b->level + s->a, *two = b->level + s->b;
        int32_t level = *one > *two ? *one : *two;
        *one = *two = level + 1;
        b->keys[b->count] = (uint64_t)level;
        b->ids[b->count++] = i;
    }
    supi_sort_keys(b->count, b->keys, b->ids, b->keys + room, b->ids + room);
}

/* Springs begin .. end-1 of one level. Two groups go at a time, so that their number is even. */
static void add_level(builder* b, int32_t begin, int32_t end) {
    int32_t room = (end - begin + 15) / 16 * 16;
    for (int32_t i = 0; i < room && b->groups; i++) {
        const sup_spring* s = b->springs + b->ids[begin + i < end ? begin + i : end - 1];
        supi_limit8* group = b->groups + b->group_count + i / 8;
        group->a[i & 7] = s->a;
        group->b[i & 7] = s->b;
        group->length[supi_lane_order(i & 7)] = s->slack ? -s->length : s->length;
    }
    b->group_count += room / 8;
}

/* Returns the number of groups so far. */
static int32_t add_kind(builder* b, sup_spring_kind kind) {
    sort_by_level(b, kind);
    for (int32_t i = 0, end; i < b->count; i = end) {
        for (end = i + 1; end < b->count && b->keys[end] == b->keys[i];) end++;
        add_level(b, i, end);
    }
    return b->group_count;
}

bool supi_limit_order_build(const supi_spring_net* net, const sup_spring* springs, const float* w,
                            supi_arena* arena, supi_arena* scratch, supi_limit_order* out) {
    size_t rows = (size_t)net->row_count, count = (size_t)net->spring_count;
    builder b = {
        .net = net,
        .springs = springs,
        .w = w,
        .level = supi_arena_push(scratch, rows, sizeof *b.level),
        .ids = supi_arena_push(scratch, 2 * count, sizeof *b.ids),
        .keys = supi_arena_push(scratch, 2 * count, sizeof *b.keys),
    };
    if (!b.level || !b.ids || !b.keys) return false;
    out->struct_count = add_kind(&b, SUP_SPRING_STRUCT); /* counts */
    out->group_count = add_kind(&b, SUP_SPRING_SHEAR);
    b.groups = supi_arena_push(arena, (size_t)b.group_count, sizeof *b.groups);
    if (!b.groups) return false;
    b.group_count = 0;
    add_kind(&b, SUP_SPRING_STRUCT); /* fills */
    add_kind(&b, SUP_SPRING_SHEAR);
    out->groups = b.groups;
    return true;
}
