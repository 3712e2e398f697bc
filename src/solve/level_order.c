/* Groups of rows for the levels of a preconditioner: boxes with as many rows as a group has, got by
   halving the longest side again and again. Boxes along a Morton curve take more iterations, as
   groups of so many rows one after the other do not keep to its cells. */
#include "geom/sort.h"
#include "solve/levels.h"

typedef struct halving {
    const float* rest; /* 3 for each row */
    int32_t* order;    /* what comes out: rows */
    int32_t* spare;
    uint64_t *keys, *spare_keys;
} halving;

static size_t longest_side(const halving* h, int32_t begin, int32_t end) {
    size_t best = 0;
    float most = -1.0f;
    for (size_t k = 0; k < 3; k++) {
        float low = h->rest[3 * (size_t)h->order[begin] + k], high = low;
        for (int32_t i = begin + 1; i < end; i++) {
            float x = h->rest[3 * (size_t)h->order[i] + k];
            low = x < low ? x : low;
            high = x > high ? x : high;
        }
        if (high - low > most) most = high - low, best = k;
    }
    return best;
}

/* Near the middle, and at the end of a group as large as there is more than one of. */
static int32_t middle_of(int32_t count) {
    int64_t size = 8;
    while (8 * size < count) size *= 8;
    int64_t half = (count / 2 + size / 2) / size * size;
    return (int32_t)(half < size ? size : half);
}

static void halve(const halving* h, int32_t begin, int32_t end) {
    while (end - begin > 8) {
        size_t side = longest_side(h, begin, end);
        for (int32_t i = begin; i < end; i++) {
            h->keys[i] = supi_sort_key((double)h->rest[3 * (size_t)h->order[i] + side]);
        }
        supi_sort_keys(end - begin, h->keys + begin, h->order + begin, h->spare_keys, h->spare);
        int32_t middle = begin + middle_of(end - begin);
        halve(h, begin, middle);
        begin = middle;
    }
}

bool supi_levels_order(int32_t count, int32_t row_count, const sup_vec3* rest, supi_arena* scratch,
                       int32_t* of, int32_t* members) {
    size_t rows = (size_t)count;
    const int32_t room = (row_count + 63) & ~63;
    const halving h = {&rest->x, supi_arena_push(scratch, rows, sizeof(int32_t)),
                       supi_arena_push(scratch, rows, sizeof(int32_t)),
                       supi_arena_push(scratch, rows, sizeof(uint64_t)),
                       supi_arena_push(scratch, rows, sizeof(uint64_t))};
    if (!h.order || !h.spare || !h.keys || !h.spare_keys) return false;
    for (int32_t i = 0; i < count; i++) h.order[i] = i;
    halve(&h, 0, count);
    for (int32_t i = 0; i < room; i++) {
        int32_t row = i < count ? h.order[i] : i < row_count ? i : row_count;
        members[(i & ~63) + 8 * (i & 7) + (i >> 3 & 7)] = row;
        if (row < row_count) of[row] = i / 8;
    }
    return true;
}
