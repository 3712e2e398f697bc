/* Blocks of the grid that balls reach, found by hashing their places; and who belongs together. */
#include "geom/union_find.h"
#include "skin/blob.h"

#include <math.h>
#include <string.h>

/* Places of blocks stay below, so that three of them are one key. */
#define PLACES_MOST (1 << 20)

enum {
    STORE_BLOCK,
    STORE_KEY,
    STORE_FOUND,
    STORE_PAIR,
    STORE_LIST,
    STORE_PIECE,
    STORE_PACKED,
    STORE_START
};

typedef struct span {
    int32_t first[3], last[3];
} span;

/* m from its middle within which a ball matters to a block: its field, on cells that begin one
   before, and those near it. */
static float reach_of(const supi_blob_field* f, const sup_row* ball) {
    float reach = ball->w + f->spacing;
    return reach > f->join ? reach : f->join;
}

/* The blocks around a ball; false: it is left out. */
static bool span_of(const supi_blob_field* f, const sup_row* ball, span* out) {
    const float at[3] = {ball->x, ball->y, ball->z};
    double block = (double)f->spacing * SUPI_BLOB_CELLS, reach = (double)reach_of(f, ball);
    if (!(ball->w > 0.0f) || !(ball->w < 64.0f * f->spacing)) return false;
    for (int k = 0; k < 3; k++) {
        double low = floor(((double)at[k] - reach) / block),
               high = floor(((double)at[k] + reach) / block);
        if (!(low > -PLACES_MOST) || !(high < PLACES_MOST)) return false;
        out->first[k] = (int32_t)low;
        out->last[k] = (int32_t)high;
    }
    return true;
}

/* Is the box of a block within reach? */
static bool is_near(const supi_blob_field* f, const sup_row* ball, const int32_t at[3]) {
    const float middle[3] = {ball->x, ball->y, ball->z};
    float size = f->spacing * SUPI_BLOB_CELLS, reach = reach_of(f, ball), sum = 0.0f;
    for (int k = 0; k < 3; k++) {
        float low = size * (float)at[k], high = low + size;
        float gap = middle[k] < low ? low - middle[k] : middle[k] > high ? middle[k] - high : 0.0f;
        sum += gap * gap;
    }
    return sum <= 1.0001f * reach * reach;
}

/* ---- The map ---- */

static uint64_t key_of(const int32_t at[3]) {
    uint64_t key = 0;
    for (int k = 0; k < 3; k++) key = key << 21 | (uint64_t)(at[k] + PLACES_MOST);
    return key + 1; /* 0: free */
}

static size_t slot_of(const supi_blob_surface* s, uint64_t key) {
    size_t mask = ((size_t)1 << s->map_bits) - 1;
    size_t slot = (size_t)((key * 0x9E3779B97F4A7C15u) >> (64 - s->map_bits));
    while (s->keys[slot] != 0 && s->keys[slot] != key) slot = (slot + 1) & mask;
    return slot;
}

static bool make_map(supi_blob_surface* s, const sup_allocator* allocator, int32_t bits) {
    if (bits > 28) return false;
    int32_t size = 1 << bits;
    s->keys = supi_column_reserve(&s->stores[STORE_KEY], allocator, size, sizeof *s->keys);
    s->found = supi_column_reserve(&s->stores[STORE_FOUND], allocator, size, sizeof *s->found);
    if (!s->keys || !s->found) return false;
    s->map_bits = bits;
    memset(s->keys, 0, (size_t)size * sizeof *s->keys);
    for (int32_t b = 0; b < s->block_count; b++) {
        uint64_t key = key_of(s->blocks[b].at);
        size_t slot = slot_of(s, key);
        s->keys[slot] = key;
        s->found[slot] = b;
    }
    return true;
}

static int32_t find_block(const supi_blob_surface* s, const int32_t at[3]) {
    for (int k = 0; k < 3; k++) {
        if (at[k] <= -PLACES_MOST || at[k] >= PLACES_MOST) return -1;
    }
    uint64_t key = key_of(at);
    size_t slot = slot_of(s, key);
    return s->keys[slot] == key ? s->found[slot] : -1;
}

/* The block at a place, made where it is not there; -1 when memory is short. */
static int32_t need_block(supi_blob_surface* s, const sup_allocator* allocator,
                          const int32_t at[3]) {
    uint64_t key = key_of(at);
    size_t slot = slot_of(s, key);
    if (s->keys[slot] == key) return s->found[slot];
    supi_blob_block* blocks = supi_column_reserve(&s->stores[STORE_BLOCK], allocator,
                                                  s->block_count + 1, sizeof *s->blocks);
    if (!blocks) return -1;
    s->blocks = blocks;
    blocks[s->block_count] = (supi_blob_block){.at = {at[0], at[1], at[2]}};
    s->keys[slot] = key;
    s->found[slot] = s->block_count++;
    if (2 * (int64_t)s->block_count > (int64_t)1 << s->map_bits &&
        !make_map(s, allocator, s->map_bits + 1)) {
        return -1;
    }
    return s->block_count - 1;
}

/* ---- Lists ---- */

static int64_t count_pairs(const supi_blob_field* f) {
    int64_t sum = 0;
    span around;
    for (int32_t i = 0; i < f->count; i++) {
        int64_t blocks = 1;
        if (!span_of(f, f->balls + i, &around)) continue;
        for (int k = 0; k < 3; k++) blocks *= around.last[k] - around.first[k] + 1;
        sum += blocks;
    }
    return sum;
}

/* The blocks of each ball one after the other, as pairs (ball, block). */
static bool find_pairs(supi_blob_surface* s, const sup_allocator* allocator,
                       const supi_blob_field* f, int32_t (*pairs)[2]) {
    span a;
    s->list_count = 0;
    for (int32_t i = 0; i < f->count; i++) {
        int32_t at[3];
        if (!span_of(f, f->balls + i, &a)) continue;
        for (at[2] = a.first[2]; at[2] <= a.last[2]; at[2]++) {
            for (at[1] = a.first[1]; at[1] <= a.last[1]; at[1]++) {
                for (at[0] = a.first[0]; at[0] <= a.last[0]; at[0]++) {
                    if (!is_near(f, f->balls + i, at)) continue;
                    int32_t block = need_block(s, allocator, at);
                    if (block < 0) return false;
                    s->blocks[block].end++;
                    pairs[s->list_count][0] = i;
                    pairs[s->list_count++][1] = block;
                }
            }
        }
    }
    return true;
}

static void fill_lists(supi_blob_surface* s, int32_t (*pairs)[2]) {
    int32_t sum = 0;
    for (int32_t b = 0; b < s->block_count; b++) {
        int32_t count = s->blocks[b].end;
        s->blocks[b].begin = s->blocks[b].end = sum;
        sum += count;
    }
    for (int32_t i = 0; i < s->list_count; i++) {
        s->list[s->blocks[pairs[i][1]].end++] = pairs[i][0];
    }
}

/* ---- Pieces ---- */

static bool is_home(const supi_blob_field* f, const sup_row* ball, const int32_t at[3]) {
    const float middle[3] = {ball->x, ball->y, ball->z};
    double size = (double)f->spacing * SUPI_BLOB_CELLS;
    for (int k = 0; k < 3; k++) {
        if (floor((double)middle[k] / size) != (double)at[k]) return false;
    }
    return true;
}

/* Every pair that is near stands in the list of the block where its lower ball is at home. */
static void join_block(supi_blob_surface* s, const supi_blob_field* f, const supi_blob_block* b) {
    float square = f->join * f->join;
    for (int32_t i = b->begin; i < b->end; i++) {
        int32_t own = s->list[i];
        const sup_row* a = f->balls + own;
        if (!is_home(f, a, b->at)) continue;
        for (int32_t j = i + 1; j < b->end; j++) { /* lists ascend */
            const sup_row* c = f->balls + s->list[j];
            float x = c->x - a->x, y = c->y - a->y, z = c->z - a->z;
            if (x * x + y * y + z * z < square) supi_union_join(s->piece, own, s->list[j]);
        }
    }
}

/* Balls of a piece together; in most blocks there is but one. */
static void sort_pieces(supi_blob_surface* s, const supi_blob_block* b) {
    for (int32_t i = b->begin + 1; i < b->end; i++) {
        int32_t ball = s->list[i], j = i;
        while (j > b->begin && s->piece[s->list[j - 1]] > s->piece[ball]) {
            s->list[j] = s->list[j - 1];
            j--;
        }
        s->list[j] = ball;
    }
}

static void find_pieces(supi_blob_surface* s, const supi_blob_field* f) {
    span ignored;
    s->piece_count = 0;
    for (int32_t i = 0; i < f->count; i++) s->piece[i] = i;
    for (int32_t b = 0; b < s->block_count; b++) join_block(s, f, s->blocks + b);
    for (int32_t i = 0; i < f->count; i++) {
        s->piece[i] = supi_union_root(s->piece, i);
        s->piece_count += s->piece[i] == i && span_of(f, f->balls + i, &ignored);
    }
    for (int32_t b = 0; b < s->block_count; b++) sort_pieces(s, s->blocks + b);
}

/* ---- The whole ---- */

static void find_beside(supi_blob_surface* s, supi_blob_block* b) {
    for (int32_t n = 0; n < 8; n++) {
        const int32_t at[3] = {b->at[0] + (n & 1), b->at[1] + (n >> 1 & 1), b->at[2] + (n >> 2)};
        b->beside[n] = find_block(s, at);
    }
}

/* Each piece may need seven more places. */
static bool make_packed(supi_blob_surface* s, const sup_allocator* allocator, int32_t workers) {
    int32_t longest = 0;
    for (int32_t b = 0; b < s->block_count; b++) {
        int32_t count = s->blocks[b].end - s->blocks[b].begin;
        longest = count > longest ? count : longest;
    }
    int64_t room = 8 * ((int64_t)longest + 1);
    if (room * 4 * workers > INT32_MAX) return false;
    s->packed_room = (int32_t)room;
    s->packed = supi_column_reserve(&s->stores[STORE_PACKED], allocator,
                                    4 * s->packed_room * workers, sizeof *s->packed);
    s->packed_starts = supi_column_reserve(&s->stores[STORE_START], allocator,
                                           2 * s->packed_room * workers, sizeof *s->packed_starts);
    if (!s->packed || !s->packed_starts) return false;
    s->packed_entries = s->packed_starts + (size_t)s->packed_room * (size_t)workers;
    return true;
}

bool supi_blob_blocks_find(supi_blob_surface* s, const sup_allocator* allocator, int32_t workers,
                           const supi_blob_field* f) {
    int64_t most = count_pairs(f);
    s->block_count = s->list_count = s->piece_count = 0;
    if (most > INT32_MAX / 2) return false;
    int32_t(*pairs)[2] =
        supi_column_reserve(&s->stores[STORE_PAIR], allocator, (int32_t)most, sizeof *pairs);
    s->list =
        supi_column_reserve(&s->stores[STORE_LIST], allocator, (int32_t)most, sizeof *s->list);
    s->piece = supi_column_reserve(&s->stores[STORE_PIECE], allocator, f->count, sizeof *s->piece);
    if ((most > 0 && (!pairs || !s->list)) || (f->count > 0 && !s->piece)) return false;
    if (!make_map(s, allocator, s->map_bits > 0 ? s->map_bits : 10) ||
        !find_pairs(s, allocator, f, pairs)) {
        return false;
    }
    fill_lists(s, pairs);
    find_pieces(s, f);
    for (int32_t b = 0; b < s->block_count; b++) find_beside(s, s->blocks + b);
    return make_packed(s, allocator, workers);
}

supi_blob_list supi_blob_pack(const supi_blob_surface* s, const supi_blob_field* f, int32_t block,
                              int32_t worker, float low[3]) {
    const supi_blob_block* b = s->blocks + block;
    int32_t room = s->packed_room, *starts = s->packed_starts + (size_t)worker * (size_t)room;
    float* x = s->packed + (size_t)worker * 4 * (size_t)room;
    float *y = x + room, *z = y + room, *inverse = z + room;
    int32_t count = 0, pieces = 0, *entries = s->packed_entries + (size_t)worker * (size_t)room;
    for (int32_t i = b->begin; i < b->end; i++) {
        const sup_row* ball = f->balls + s->list[i];
        if (i == b->begin || s->piece[s->list[i]] != s->piece[s->list[i - 1]]) {
            starts[pieces++] = count;
        }
        x[count] = ball->x;
        y[count] = ball->y;
        z[count] = ball->z;
        entries[count] = i - b->begin;
        inverse[count++] = 1.0f / (ball->w * ball->w);
        bool last = i + 1 == b->end || s->piece[s->list[i + 1]] != s->piece[s->list[i]];
        for (; last && count % 8 != 0; count++) { /* so far away that it reaches nothing */
            x[count] = y[count] = z[count] = 1e18f;
            inverse[count] = 1.0f;
            entries[count] = -1;
        }
    }
    starts[pieces] = count;
    for (int k = 0; k < 3; k++) {
        low[k] = (float)((double)f->spacing * SUPI_BLOB_CELLS * (double)b->at[k]);
    }
    return (supi_blob_list){x, y, z, inverse, starts, entries, pieces};
}

void supi_blob_surface_free(supi_blob_surface* s, const sup_allocator* allocator) {
    for (size_t i = 0; i < sizeof s->stores / sizeof *s->stores; i++) {
        supi_column_free(&s->stores[i], allocator);
    }
    *s = (supi_blob_surface){0};
}
