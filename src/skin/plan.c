#include "skin/plan.h"

#include "geom/sort.h"

#include <math.h>

/* Points change places within a window: what is written stays in the cache until it is complete. A
   batch looks at so many points for those that need few other frames. */
enum { WINDOW = SUPI_SKIN_WINDOW, LANES = 8, LOOK_AHEAD = 512 };
enum { MOST_FRAMES = LANES * SUPI_SKIN_SLOTS, HEAD = WINDOW, END = -1 };

/* The points of one window while batches are made of them. */
typedef struct window {
    uint64_t keys[WINDOW], spare_keys[WINDOW];
    int32_t points[WINDOW], spare_points[WINDOW];
    int32_t next[WINDOW + 1]; /* the place of the next point that no batch has, from HEAD to END */
    int32_t batches[WINDOW / LANES][LANES]; /* points */
    int32_t frame_counts[WINDOW / LANES];   /* by batch */
    int32_t batch_count;
} window;

typedef struct layout {
    const supi_skin* skin;
    const float* origin;
    const sup_vec3* normals;
    const sup_row* tangents;
    supi_skin_plan* plan;
    window* window;
    int32_t* seen; /* by frame: the last batch that has it, counted from 1 */
    int32_t made;  /* batches */
} layout;

/* Row j of eight stands in this lane. */
static int32_t lane_of(int32_t row) { return row / 2 + 4 * (row % 2); }

/* The slot with the largest weight that comes after slot `before` (-1: of all), -1 if none does. */
static int32_t next_strongest(const supi_skin* skin, int32_t point, int32_t before) {
    float limit = before < 0 ? INFINITY : skin->weights[before];
    int32_t best = -1;
    for (int32_t s = skin->starts[point]; s < skin->starts[point + 1]; s++) {
        float w = skin->weights[s];
        if (w > limit || (w == limit && s <= before)) continue;
        if (best < 0 || w > skin->weights[best]) best = s;
    }
    return best;
}

/* The frames of the three largest weights: points that share them come together. Numbers of frames
   that are too large fall on the same keys, which costs time and nothing else. */
static uint64_t key_of(const supi_skin* skin, int32_t point) {
    uint64_t key = 0;
    for (int32_t rank = 0, s = -1; rank < 3; rank++) {
        key <<= 21;
        if (rank == 0 || s >= 0) s = next_strongest(skin, point, s);
        if (s >= 0) key |= ((uint64_t)skin->frames[s] + 1) & ((1u << 21) - 1);
    }
    return key;
}

/* ---- Batches of one window ---- */

/* How many frames a point would bring to the batch at work. */
static int32_t count_new(const layout* l, int32_t point) {
    int32_t count = 0;
    for (int32_t s = l->skin->starts[point]; s < l->skin->starts[point + 1]; s++) {
        count += l->seen[l->skin->frames[s]] != l->made;
    }
    return count;
}

/* Takes the point that brings the fewest frames, and says how many. */
static int32_t take_point(const layout* l, int32_t* brought) {
    window* w = l->window;
    int32_t before = HEAD;
    *brought = INT32_MAX;
    for (int32_t looks = 0, at = HEAD; looks<LOOK_AHEAD&& * brought> 0; looks++) {
        int32_t place = w->next[at];
        if (place == END) break;
        int32_t count = count_new(l, w->points[place]);
        if (count < *brought) {
            *brought = count;
            before = at;
        }
        at = place;
    }
    int32_t place = w->next[before], point = w->points[place];
    w->next[before] = w->next[place];
    for (int32_t s = l->skin->starts[point]; s < l->skin->starts[point + 1]; s++) {
        l->seen[l->skin->frames[s]] = l->made;
    }
    return point;
}

/* Ascending: rows side by side in memory are written one after the other. */
static void sort_batch(int32_t* batch) {
    for (int32_t row = 1; row < LANES; row++) {
        int32_t point = batch[row], to = row;
        for (; to > 0 && batch[to - 1] > point; to--) batch[to] = batch[to - 1];
        batch[to] = point;
    }
}

/* What is missing of the last batch are copies of its last point. */
static void make_batch(layout* l) {
    window* w = l->window;
    int32_t *batch = w->batches[w->batch_count], *count = w->frame_counts + w->batch_count;
    l->made++;
    *count = 0;
    for (int32_t row = 0; row < LANES; row++) {
        if (w->next[HEAD] == END) {
            batch[row] = batch[row - 1];
            continue;
        }
        int32_t brought;
        batch[row] = take_point(l, &brought);
        *count += brought;
    }
    sort_batch(batch);
    w->batch_count++;
}

static void make_batches(layout* l, int32_t begin, int32_t count) {
    window* w = l->window;
    for (int32_t i = 0; i < count; i++) {
        w->keys[i] = key_of(l->skin, begin + i);
        w->points[i] = begin + i;
        w->next[i] = i + 1 < count ? i + 1 : END;
    }
    supi_sort_keys(count, w->keys, w->points, w->spare_keys, w->spare_points);
    w->next[HEAD] = 0;
    w->batch_count = 0;
    while (w->next[HEAD] != END) make_batch(l);
}

/* ---- Columns ---- */

static void place_point(const layout* l, int32_t batch, int32_t row, int32_t point) {
    supi_skin_plan* plan = l->plan;
    int32_t lane = lane_of(row);
    plan->rows[LANES * batch + row] = (uint32_t)sizeof(sup_row) * (uint32_t)point;
    plan->firsts[LANES * batch + row] = l->skin->frames[next_strongest(l->skin, point, -1)];
    const sup_vec3* p = l->skin->rest + point;
    const float rest[3] = {p->x, p->y, p->z};
    for (int k = 0; k < 3; k++) {
        plan->rest[LANES * (3 * batch + k) + lane] = rest[k] - l->origin[k];
    }
    if (l->normals) {
        const sup_vec3* n = l->normals + point;
        const float normal[3] = {n->x, n->y, n->z};
        for (int k = 0; k < 3; k++) plan->normals[LANES * (3 * batch + k) + lane] = normal[k];
    }
    if (l->tangents) {
        const sup_row* t = l->tangents + point;
        const float tangent[4] = {t->x, t->y, t->z, t->w};
        for (int k = 0; k < 4; k++) plan->tangents[LANES * (4 * batch + k) + lane] = tangent[k];
    }
}

/* Batches with as many frames follow each other: a processor foresees when their loops end. */
static void place_window(const layout* l, int32_t first) {
    const window* w = l->window;
    int32_t to = first;
    for (int32_t count = 1; count <= MOST_FRAMES; count++) {
        for (int32_t b = 0; b < w->batch_count; b++) {
            if (w->frame_counts[b] != count) continue;
            for (int32_t row = 0; row < LANES; row++) place_point(l, to, row, w->batches[b][row]);
            l->plan->starts[to + 1] = l->plan->starts[to] + count;
            to++;
        }
    }
}

static int32_t point_of(const supi_skin_plan* plan, int32_t batch, int32_t row) {
    return (int32_t)(plan->rows[LANES * batch + row] / sizeof(sup_row));
}

/* The frames of a batch, ascending. */
static void place_frames(const layout* l, int32_t batch) {
    const supi_skin* skin = l->skin;
    supi_skin_plan* plan = l->plan;
    int32_t *frames = plan->frames + plan->starts[batch], count = 0;
    for (int32_t row = 0; row < LANES; row++) {
        int32_t point = point_of(plan, batch, row);
        for (int32_t s = skin->starts[point]; s < skin->starts[point + 1]; s++) {
            int32_t frame = skin->frames[s], at = count;
            while (at > 0 && frames[at - 1] > frame) at--;
            if (at > 0 && frames[at - 1] == frame) continue;
            for (int32_t k = count++; k > at; k--) frames[k] = frames[k - 1];
            frames[at] = frame;
        }
    }
}

static void place_weights(const layout* l, int32_t batch) {
    const supi_skin* skin = l->skin;
    supi_skin_plan* plan = l->plan;
    for (int32_t row = 0; row < LANES; row++) {
        int32_t point = point_of(plan, batch, row), entry = plan->starts[batch];
        for (int32_t s = skin->starts[point]; s < skin->starts[point + 1]; s++) {
            while (plan->frames[entry] != skin->frames[s]) entry++;
            plan->weights[LANES * entry + lane_of(row)] = skin->weights[s];
        }
    }
}

/* ---- Room ---- */

static int32_t frame_count_of(const supi_skin* skin) {
    int32_t last = 0;
    for (int32_t s = 0; s < skin->starts[skin->count]; s++) {
        last = skin->frames[s] > last ? skin->frames[s] : last;
    }
    return last + 1;
}

static bool make_room(layout* l, supi_arena* arena, supi_arena* scratch) {
    supi_skin_plan* plan = l->plan;
    size_t batches = (size_t)plan->batch_count;
    l->window = supi_arena_push(scratch, 1, sizeof *l->window);
    l->seen = supi_arena_push(scratch, (size_t)frame_count_of(l->skin), sizeof *l->seen);
    plan->starts = supi_arena_push(arena, batches + 1, sizeof *plan->starts);
    plan->rows = supi_arena_push(arena, batches, LANES * sizeof *plan->rows);
    plan->firsts = supi_arena_push(arena, batches, LANES * sizeof *plan->firsts);
    plan->rest = supi_arena_push(arena, batches, 3 * LANES * sizeof *plan->rest);
    if (l->normals) {
        plan->normals = supi_arena_push(arena, batches, 3 * LANES * sizeof *plan->normals);
    }
    if (l->tangents) {
        plan->tangents = supi_arena_push(arena, batches, 4 * LANES * sizeof *plan->tangents);
    }
    return l->window && l->seen && plan->starts && plan->rows && plan->firsts && plan->rest &&
           !l->normals == !plan->normals && !l->tangents == !plan->tangents;
}

bool supi_skin_plan_build(const supi_skin* skin, const float origin[3], const sup_vec3* normals,
                          const sup_row* tangents, supi_arena* arena, supi_arena* scratch,
                          supi_skin_plan* out) {
    int32_t batches = skin->count / LANES + (skin->count % LANES > 0);
    *out = (supi_skin_plan){.count = skin->count, .batch_count = batches};
    layout l = {
        .skin = skin, .origin = origin, .normals = normals, .tangents = tangents, .plan = out};
    if (!make_room(&l, arena, scratch)) return false;
    for (int32_t begin = 0; begin < skin->count; begin += WINDOW) {
        int32_t left = skin->count - begin;
        make_batches(&l, begin, left < WINDOW ? left : WINDOW);
        place_window(&l, begin / LANES);
    }
    size_t used = (size_t)out->starts[batches];
    out->frames = supi_arena_push(arena, used, sizeof *out->frames);
    out->weights = supi_arena_push(arena, used, LANES * sizeof *out->weights);
    if (!out->frames || !out->weights) return false;
    for (int32_t b = 0; b < batches; b++) {
        place_frames(&l, b);
        place_weights(&l, b);
    }
    return true;
}
