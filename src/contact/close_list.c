#include "contact/close_list.h"

#include <float.h>
#include <math.h>

/* How many calls a list should last, and what that may cost: shares of the largest contact radius
   that rows may stray. */
#define LIFE 5
#define LEAST_ROOM 0.04f
#define MOST_ROOM 1.0f
/* Share of it by which two must be further apart than they have strayed, for rounding. */
#define CERTAIN 1e-3f

enum { SENT_FOR = 32 }; /* rows and pairs that are asked for ahead */

bool supi_close_reserve(supi_close_list* list, const sup_allocator* allocator, int32_t rows,
                        bool shares) {
    int32_t stride = supi_close_stride(rows), pairs = rows * (rows - 1) / 2;
    list->made = false;
    list->shares = shares;
    return supi_column_reserve(&list->kept, allocator, pairs, sizeof(supi_near_two)) &&
           supi_column_reserve(&list->apart, allocator, pairs + 7, sizeof(float)) &&
           supi_column_reserve(&list->blocks, allocator, stride / 8, sizeof(supi_near_block)) &&
           (shares || supi_column_reserve(&list->scales, allocator, rows * stride, sizeof(float)));
}

static const float* scales_of(const supi_close_list* list, const supi_run* run) {
    return list->shares ? run->self->scales : list->scales.items;
}

bool supi_close_holds(supi_close_list* list, const supi_close_rows* rows) {
    const supi_run* run = rows->run;
    if (!list->made) return false;
    list->age++;
    return rows->kernels->stray(list->blocks.items, run->count, rows->x + run->first,
                                rows->v + run->first, run->oriented->turn, true);
}

static float strayed_of(const supi_close_list* list, int32_t row) {
    return ((const supi_near_block*)list->blocks.items)[row / 8].strayed[row % 8];
}

bool supi_close_resized(const supi_close_list* list, int32_t rows) {
    for (int32_t i = 0; i < rows; i++) {
        if (!(strayed_of(list, i) <= FLT_MAX)) return true;
    }
    return false;
}

/* ---- Making it ---- */

static float most_strayed(const supi_close_list* list, int32_t rows) {
    float most = 0;
    for (int32_t i = 0; i < rows; i++) {
        float strayed = strayed_of(list, i);
        most = strayed > most ? strayed : most;
    }
    return most;
}

/* m that all rows get, by how fast one has strayed lately: who was slow may be the next to go. */
static float room_for(const supi_close_list* list, int32_t rows, float reach) {
    float strayed = list->made ? most_strayed(list, rows) : 0;
    float room = strayed <= FLT_MAX && list->age > 0 ? LIFE * strayed / (float)list->age : 0;
    room = room < MOST_ROOM * reach ? room : MOST_ROOM * reach;
    return room > LEAST_ROOM * reach ? room : LEAST_ROOM * reach;
}

/* By how much the reach of a shape differs from direction to direction. */
static float spread_of(const sup_row* r) {
    float most = r->x > r->y ? r->x : r->y, least = r->x < r->y ? r->x : r->y;
    most = r->z > most ? r->z : most;
    least = r->z < least ? r->z : least;
    return most - least;
}

/* A row as it is now. */
static void remember(const supi_close_rows* rows, int32_t local, supi_near_block* block, int lane) {
    const supi_run* run = rows->run;
    const sup_row* at = &rows->x[run->first + local];
    const sup_quat* q = &run->oriented->turn[local];
    block->place[0][lane] = at->x;
    block->place[1][lane] = at->y;
    block->place[2][lane] = at->z;
    block->radius[lane] = rows->v[run->first + local].w;
    block->spread[lane] = spread_of(&run->oriented->radii[local]);
    block->strayed[lane] = 0;
    block->turn[0][lane] = q->x;
    block->turn[1][lane] = q->y;
    block->turn[2][lane] = q->z;
    block->turn[3][lane] = q->w;
}

void supi_close_outlines(const supi_close_rows* rows, supi_outline* out) {
    const supi_run* run = rows->run;
    const supi_oriented* o = run->oriented;
    if (o) rows->kernels->outline(o, run->count, out);
    for (int32_t i = 0; i < run->count && !o; i++) {
        float r = rows->v[run->first + i].w, square = r * r;
        out[i] = (supi_outline){{square, square, square, SUPI_NEAR_SLACK * square}, {0, 0, 0, 0}};
    }
    /* of what is flat the line of centres says nothing */
    for (int32_t i = 0; o && o->flags && i < run->count; i++) {
        if (o->flags[i] & SUPI_FLAT) out[i].straight.w = INFINITY;
    }
}

void supi_close_make(supi_close_list* list, const supi_close_rows* rows) {
    const supi_run* run = rows->run;
    supi_near_block* blocks = list->blocks.items;
    supi_outline outlines[SUPI_NEAR_SPAN];
    int32_t stride = supi_close_stride(run->count);
    float room = room_for(list, run->count, run->reach);
    for (int32_t i = 0; i < stride; i++) {
        int32_t local = i < run->count ? i : run->count - 1;
        supi_near_block* block = &blocks[i / 8];
        block->room[i % 8] = room;
        remember(rows, local, block, i % 8);
        block->reach[i % 8] = block->radius[i % 8] + block->room[i % 8];
    }
    supi_close_outlines(rows, outlines);
    const supi_near_all all = {blocks, outlines, scales_of(list, run), run->count, stride};
    list->count = rows->kernels->pair_up(&all, list->kept.items, list->apart.items);
    list->age = 0;
    list->made = true;
}

/* ---- Who may overlap now ---- */

int32_t supi_close_find(const supi_close_list* list, const supi_close_rows* rows,
                        supi_candidate* out) {
    const supi_run* run = rows->run;
    supi_outline outlines[SUPI_NEAR_SPAN];
    const supi_near_kept kept = {.blocks = list->blocks.items,
                                 .pairs = list->kept.items,
                                 .apart = list->apart.items,
                                 .scales = scales_of(list, run),
                                 .first = run->first,
                                 .row_count = run->count,
                                 .pair_count = list->count,
                                 .stride = supi_close_stride(run->count),
                                 .least = CERTAIN * run->reach};
    int32_t unsure = rows->kernels->unsure(&kept, out), found = 0;
    if (unsure == 0) return 0;
    supi_close_outlines(rows, outlines);
    supi_near_sides sides = {outlines, outlines, run->first, run->first, {0, 0, 0}};
    for (int32_t i = 0; i < unsure; i += 64) {
        int32_t some = unsure - i < 64 ? unsure - i : 64;
        uint64_t bits = rows->kernels->meet(&sides, out + i, some, rows->x);
        for (; bits; bits &= bits - 1) out[found++] = out[i + __builtin_ctzll(bits)];
    }
    return found;
}

/* Its beginning, or all. */
static void send_for(const supi_column* column, size_t most) {
    size_t size = (size_t)column->capacity * column->size;
    supi_memory_send_for(column->items, size < most ? size : most);
}

void supi_close_send_for(const supi_close_list* list) {
    send_for(&list->blocks, SENT_FOR * sizeof(supi_near_block) / 8);
    send_for(&list->apart, SENT_FOR * sizeof(float));
    send_for(&list->kept, SENT_FOR * sizeof(supi_near_two));
}

void supi_close_free(supi_close_list* list, const sup_allocator* allocator) {
    supi_column_free(&list->kept, allocator);
    supi_column_free(&list->apart, allocator);
    supi_column_free(&list->blocks, allocator);
    supi_column_free(&list->scales, allocator);
    *list = (supi_close_list){0};
}
