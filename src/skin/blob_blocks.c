/* Blocks of the grid that balls reach, found by hashing their places; and who belongs together. */
#include "geom/union_find.h"
#include "skin/blob.h"

#include <string.h>

/* Places of blocks stay below, so that three of them are one key. */
#define PLACES_MOST (1 << 20)

typedef struct span {
    int32_t first[3], last[3];
} span;

/* m from its middle within which a ball matters to a block: its field, on cells that begin one
   before, and those near it. */
static float reach_of(const supi_blob_field* f, const sup_row* ball) {
    float reach = ball->w + f->spacing;
    return reach > f->join ? reach : f->join;
}

/* Rounds down what an int32_t can hold. */
static int32_t round_down(double q) {
    int32_t whole = (int32_t)q;
    return whole - (q < (double)whole);
}

/* The blocks around a ball; false: it is left out. */
static bool span_of(const supi_blob_field* f, const sup_row* ball, span* out) {
    const float at[3] = {ball->x, ball->y, ball->z};
    double block = (double)f->spacing * SUPI_BLOB_CELLS, reach = (double)reach_of(f, ball);
    if (!(ball->w > 0.0f) || !(ball->w < 64.0f * f->spacing)) return false;
    for (int k = 0; k < 3; k++) {
        double low = ((double)at[k] - reach) / block, high = ((double)at[k] + reach) / block;
        if (!(low >= 1 - PLACES_MOST) || !(high < PLACES_MOST)) return false;
        out->first[k] = round_down(low);
        out->last[k] = round_down(high);
    }
    return true;
}

/* The square of the gap between a ball and the blocks at `at` along an axis. */
static float gap_square(const supi_blob_field* f, float middle, int32_t at) {
    float size = f->spacing * SUPI_BLOB_CELLS, low = size * (float)at, high = low + size;
    float gap = middle < low ? low - middle : middle > high ? middle - high : 0.0f;
    return gap * gap;
}

/* ---- The map ---- */

static uint64_t key_of(const int32_t at[3]) {
    uint64_t key = 0;
    for (int k = 0; k < 3; k++) key = key << 21 | (uint64_t)(at[k] + PLACES_MOST);
    return key;
}

static int32_t find_block(const supi_blob_surface* s, const int32_t at[3]) {
    for (int k = 0; k < 3; k++) {
        if (at[k] <= -PLACES_MOST || at[k] >= PLACES_MOST) return -1;
    }
    return supi_key_map_find(&s->map, key_of(at));
}

/* The block at a place, made where it is not there; -1 when memory is short. */
static int32_t need_block(supi_blob_surface* s, const sup_allocator* allocator,
                          const int32_t at[3]) {
    uint64_t key = key_of(at);
    int32_t block = supi_key_map_find(&s->map, key);
    if (block >= 0) return block;
    supi_blob_block* blocks = supi_column_reserve(&s->stores[SUPI_BLOB_STORE_BLOCK], allocator,
                                                  s->block_count + 1, sizeof *s->blocks);
    if (!blocks) return -1;
    s->blocks = blocks;
    if (!supi_key_map_add(&s->map, allocator, key, s->block_count)) return -1;
    blocks[s->block_count] = (supi_blob_block){.at = {at[0], at[1], at[2]}};
    return s->block_count++;
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

/* The block where a ball is. */
static void find_home(const supi_blob_field* f, const sup_row* ball, int32_t at[3]) {
    const float middle[3] = {ball->x, ball->y, ball->z};
    double size = (double)f->spacing * SUPI_BLOB_CELLS;
    for (int k = 0; k < 3; k++) at[k] = round_down((double)middle[k] / size);
}

/* The blocks of a ball as pairs (ball, block): those whose boxes are within reach. */
static bool find_ball(supi_blob_surface* s, const sup_allocator* allocator,
                      const supi_blob_field* f, int32_t i, const span* a, int32_t (*pairs)[2]) {
    const sup_row* ball = f->balls + i;
    float reach = reach_of(f, ball), most = 1.0001f * reach * reach;
    int32_t at[3], home[3];
    find_home(f, ball, home);
    for (at[2] = a->first[2]; at[2] <= a->last[2]; at[2]++) {
        float z = gap_square(f, ball->z, at[2]);
        for (at[1] = a->first[1]; at[1] <= a->last[1]; at[1]++) {
            float y = gap_square(f, ball->y, at[1]);
            for (at[0] = a->first[0]; at[0] <= a->last[0]; at[0]++) {
                if (gap_square(f, ball->x, at[0]) + y + z > most) continue;
                int32_t block = need_block(s, allocator, at);
                if (block < 0) return false;
                s->blocks[block].end++;
                if (at[0] == home[0] && at[1] == home[1] && at[2] == home[2]) s->home[i] = block;
                pairs[s->list_count][0] = i;
                pairs[s->list_count++][1] = block;
            }
        }
    }
    return true;
}

static bool find_pairs(supi_blob_surface* s, const sup_allocator* allocator,
                       const supi_blob_field* f, int32_t (*pairs)[2]) {
    span around;
    s->list_count = 0;
    for (int32_t i = 0; i < f->count; i++) {
        s->home[i] = -1;
        if (!span_of(f, f->balls + i, &around)) continue;
        if (!find_ball(s, allocator, f, i, &around, pairs)) return false;
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

/* Who of a block's list hangs together, as the place in it of the first of each. Every pair that is
   near stands in the list of the block where its lower ball is at home. */
static void link_block(void* context, int32_t block, int32_t worker) {
    const supi_blob_job* j = context;
    supi_blob_surface* s = j->s;
    const supi_blob_field* f = j->field;
    const supi_blob_block* b = s->blocks + block;
    size_t room = (size_t)s->packed_room;
    float* x = s->columns + 3 * room * (size_t)worker;
    float *y = x + room, *z = y + room;
    const float* const columns[3] = {x, y, z};
    int32_t count = b->end - b->begin, *near = s->packed_near + 2 * room * (size_t)worker;
    int32_t *links = s->links + b->begin, *list = s->list + b->begin;
    for (int32_t i = 0; i < count; i++) {
        const sup_row* ball = f->balls + list[i];
        x[i] = ball->x;
        y[i] = ball->y;
        z[i] = ball->z;
        links[i] = i;
    }
    for (int32_t i = 0; i < count; i++) {
        const float at[3] = {x[i], y[i], z[i]};
        if (s->home[list[i]] != block) continue;
        int32_t found = /* lists ascend */
            j->kernels->close(columns, i + 1, count, at, f->join * f->join, near);
        for (int32_t k = 0; k < found; k++) supi_union_join(links, i, near[k]);
    }
    for (int32_t i = 0; i < count; i++) links[i] = supi_union_root(links, i);
}

/* The lists of all blocks together. */
static void join_links(supi_blob_surface* s) {
    for (int32_t b = 0; b < s->block_count; b++) {
        const int32_t begin = s->blocks[b].begin;
        for (int32_t i = begin; i < s->blocks[b].end; i++) {
            int32_t first = begin + s->links[i];
            if (first != i) supi_union_join(s->piece, s->list[first], s->list[i]);
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

static void find_pieces(supi_blob_job* j, supi_tasks* tasks) {
    supi_blob_surface* s = j->s;
    const supi_blob_field* f = j->field;
    s->piece_count = 0;
    for (int32_t i = 0; i < f->count; i++) s->piece[i] = i;
    supi_tasks_each(tasks, s->block_count, link_block, j);
    join_links(s);
    for (int32_t i = 0; i < f->count; i++) {
        s->piece[i] = supi_union_root(s->piece, i);
        s->piece_count += s->piece[i] == i && s->home[i] >= 0;
    }
    for (int32_t b = 0; s->piece_count > 1 && b < s->block_count; b++) {
        sort_pieces(s, s->blocks + b);
    }
}

/* ---- The whole ---- */

static void find_beside(supi_blob_surface* s, supi_blob_block* b) {
    for (int32_t n = 0; n < 8; n++) {
        const int32_t at[3] = {b->at[0] + (n & 1), b->at[1] + (n >> 1 & 1), b->at[2] + (n >> 2)};
        b->beside[n] = find_block(s, at);
    }
}

/* Balls of the fullest block. */
static int32_t find_longest(const supi_blob_surface* s) {
    int32_t longest = 0;
    for (int32_t b = 0; b < s->block_count; b++) {
        int32_t count = s->blocks[b].end - s->blocks[b].begin;
        longest = count > longest ? count : longest;
    }
    return longest;
}

/* Scratch of workers, and of all entries of lists. */
static bool make_rooms(supi_blob_surface* s, const sup_allocator* allocator, int32_t workers) {
    int32_t longest = find_longest(s);
    int64_t room = ((int64_t)longest + 8) * workers;
    if (3 * room > INT32_MAX) return false;
    s->packed_room = longest + 8;
    s->packed = supi_column_reserve(&s->stores[SUPI_BLOB_STORE_PACKED], allocator,
                                    (int32_t)(2 * room), sizeof *s->packed);
    s->packed_starts = supi_column_reserve(&s->stores[SUPI_BLOB_STORE_START], allocator,
                                           (int32_t)(2 * room), sizeof *s->packed_starts);
    s->packed_near = supi_column_reserve(&s->stores[SUPI_BLOB_STORE_NEAR], allocator,
                                         (int32_t)(2 * room), sizeof *s->packed_near);
    s->columns = supi_column_reserve(&s->stores[SUPI_BLOB_STORE_COLUMN], allocator,
                                     (int32_t)(3 * room), sizeof *s->columns);
    s->links = supi_column_reserve(&s->stores[SUPI_BLOB_STORE_LINK], allocator, s->list_count,
                                   sizeof *s->links);
    if (!s->packed || !s->packed_starts || !s->packed_near || !s->columns) return false;
    memset(s->columns, 0, 3 * (size_t)room * sizeof *s->columns);
    return s->list_count == 0 || s->links;
}

bool supi_blob_blocks_find(supi_blob_job* j, const sup_allocator* allocator, supi_tasks* tasks) {
    supi_blob_surface* s = j->s;
    const supi_blob_field* f = j->field;
    int32_t workers = tasks ? supi_tasks_worker_count(tasks) : 1;
    int64_t most = count_pairs(f);
    s->block_count = s->list_count = s->piece_count = 0;
    if (most > INT32_MAX / 2) return false;
    int32_t(*pairs)[2] = supi_column_reserve(&s->stores[SUPI_BLOB_STORE_PAIR], allocator,
                                             (int32_t)most, sizeof *pairs);
    s->list = supi_column_reserve(&s->stores[SUPI_BLOB_STORE_LIST], allocator, (int32_t)most,
                                  sizeof *s->list);
    s->piece = supi_column_reserve(&s->stores[SUPI_BLOB_STORE_PIECE], allocator, f->count,
                                   sizeof *s->piece);
    s->home =
        supi_column_reserve(&s->stores[SUPI_BLOB_STORE_HOME], allocator, f->count, sizeof *s->home);
    if ((most > 0 && (!pairs || !s->list)) || (f->count > 0 && (!s->piece || !s->home))) {
        return false;
    }
    if (!supi_key_map_clear(&s->map, allocator) || !find_pairs(s, allocator, f, pairs)) {
        return false;
    }
    fill_lists(s, pairs);
    if (!make_rooms(s, allocator, workers)) return false;
    find_pieces(j, tasks);
    for (int32_t b = 0; b < s->block_count; b++) find_beside(s, s->blocks + b);
    return true;
}

/* ---- Lists as kernels want them ---- */

supi_blob_list supi_blob_pack(const supi_blob_job* j, int32_t block, int32_t worker, float low[3]) {
    const supi_blob_surface* s = j->s;
    const supi_blob_block* b = s->blocks + block;
    size_t first = 2 * (size_t)worker * (size_t)s->packed_room;
    sup_row* balls = s->packed + first;
    int32_t pieces = 0, *starts = s->packed_starts + first;
    for (int32_t i = b->begin; i < b->end; i++) {
        const sup_row* ball = j->field->balls + s->list[i];
        if (i == b->begin || s->piece[s->list[i]] != s->piece[s->list[i - 1]]) {
            starts[pieces++] = i - b->begin;
        }
        balls[i - b->begin] = (sup_row){ball->x, ball->y, ball->z, 1.0f / (ball->w * ball->w)};
    }
    starts[pieces] = b->end - b->begin;
    for (int k = 0; k < 3; k++) {
        low[k] = (float)((double)j->field->spacing * SUPI_BLOB_CELLS * (double)b->at[k]);
    }
    return (supi_blob_list){balls, starts, pieces};
}

supi_blob_list supi_blob_narrow(const supi_blob_job* j, const supi_blob_list* list, int32_t worker,
                                const float low[3], float size) {
    size_t first = (2 * (size_t)worker + 1) * (size_t)j->s->packed_room;
    sup_row* balls = j->s->packed + first;
    int32_t *starts = j->s->packed_starts + first, *near = j->s->packed_near + first;
    int32_t kept =
        j->kernels->narrow(list->balls, list->starts[list->piece_count], low, size, near);
    int32_t pieces = 0, from = -1; /* the piece in the whole list of those before */
    for (int32_t i = 0, p = 0; i < kept; i++) {
        while (near[i] >= list->starts[p + 1]) p++;
        if (p != from) starts[pieces++] = i;
        from = p;
        balls[i] = list->balls[near[i]];
    }
    starts[pieces] = kept;
    return (supi_blob_list){balls, starts, pieces};
}

void supi_blob_surface_free(supi_blob_surface* s, const sup_allocator* allocator) {
    for (size_t i = 0; i < sizeof s->stores / sizeof *s->stores; i++) {
        supi_column_free(&s->stores[i], allocator);
    }
    supi_key_map_free(&s->map, allocator);
    *s = (supi_blob_surface){0};
}
