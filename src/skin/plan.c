#include "skin/plan.h"

/* Points change places within a window: what is written stays in the cache until it is complete. A
   batch looks at so many followers of each of its frames for those that need few others. */
enum { WINDOW = SUPI_SKIN_WINDOW, LANES = 8, LOOK_AHEAD = 256 };
enum { SLOTS = SUPI_SKIN_SLOTS, MOST_FRAMES = LANES * SLOTS, END = -1 };

/* The points of one window, counted from its first, while batches are made of them. */
typedef struct window {
    int32_t begin, count;
    int32_t owners[WINDOW * SLOTS]; /* by slot of the window: its point */
    int32_t next[WINDOW * SLOTS];   /* the next slot with the same frame, ascending, or END */
    bool taken[WINDOW];             /* a batch has it */
    int32_t met[WINDOW];            /* the last batch with a frame of the point */
    int32_t shared[WINDOW];         /* how many frames of that batch it follows */
    int32_t near[WINDOW];           /* points that follow a frame of the batch at work */
    int32_t near_count;
    int32_t batches[WINDOW / LANES][LANES]; /* points of the skin */
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
    int32_t* heads; /* by frame: its first slot in the window, or END */
    int32_t* seen;  /* by frame: the last batch that has it, counted from 1 */
    int32_t made;   /* batches */
} layout;

/* Row j of eight stands in this lane. */
static int32_t lane_of(int32_t row) { return row / 2 + 4 * (row % 2); }

/* The frame with the largest weight, the first of equal ones. */
static int32_t strongest_frame(const supi_skin* skin, int32_t point) {
    int32_t best = skin->starts[point];
    for (int32_t s = best + 1; s < skin->starts[point + 1]; s++) {
        if (skin->weights[s] > skin->weights[best]) best = s;
    }
    return skin->frames[best];
}

/* ---- Batches of one window ---- */

/* Lists who follows each frame. */
static void open_window(layout* l, int32_t begin, int32_t count) {
    window* w = l->window;
    const int32_t *starts = l->skin->starts + begin, *frames = l->skin->frames + starts[0];
    w->begin = begin;
    w->count = count;
    w->batch_count = 0;
    for (int32_t s = 0; s < starts[count] - starts[0]; s++) l->heads[frames[s]] = END;
    for (int32_t i = count - 1; i >= 0; i--) {
        w->taken[i] = false;
        w->met[i] = 0;
        for (int32_t s = starts[i] - starts[0]; s < starts[i + 1] - starts[0]; s++) {
            w->owners[s] = i;
            w->next[s] = l->heads[frames[s]];
            l->heads[frames[s]] = s;
        }
    }
}

/* A frame comes to the batch at work; who was taken is no longer listed. */
static void meet_followers(layout* l, int32_t frame) {
    window* w = l->window;
    int32_t* at = l->heads + frame;
    for (int32_t looks = 0; looks < LOOK_AHEAD && *at != END;) {
        int32_t i = w->owners[*at];
        if (w->taken[i]) {
            *at = w->next[*at];
            continue;
        }
        if (w->met[i] != l->made) {
            w->met[i] = l->made;
            w->shared[i] = 0;
            w->near[w->near_count++] = i;
        }
        w->shared[i]++;
        looks++;
        at = w->next + *at;
    }
}

/* Puts a point into the batch at work, and says how many frames it brings. */
static int32_t take_point(layout* l, int32_t i) {
    const supi_skin* skin = l->skin;
    int32_t brought = 0, point = l->window->begin + i;
    l->window->taken[i] = true;
    for (int32_t s = skin->starts[point]; s < skin->starts[point + 1]; s++) {
        int32_t frame = skin->frames[s];
        if (l->seen[frame] == l->made) continue;
        l->seen[frame] = l->made;
        meet_followers(l, frame);
        brought++;
    }
    return brought;
}

/* The point that brings the fewest frames to a batch with `count`, of these one that shares the
   most: who follows few frames fits elsewhere too. END if nobody shares any. */
static int32_t find_alike(const layout* l, int32_t count) {
    const window* w = l->window;
    const int32_t* starts = l->skin->starts + w->begin;
    int32_t best = END, least = INT32_MAX;
    for (int32_t k = 0; k < w->near_count; k++) {
        int32_t i = w->near[k];
        if (w->taken[i]) continue;
        int32_t brings = starts[i + 1] - starts[i] - w->shared[i];
        int32_t rank = brings * (MOST_FRAMES + 1) - w->shared[i];
        if (rank >= least) continue;
        least = rank;
        best = i;
        if (rank == -count) break;
    }
    return best;
}

/* Ascending: rows side by side in memory are written one after the other. */
static void sort_batch(int32_t* batch) {
    for (int32_t row = 1; row < LANES; row++) {
        int32_t point = batch[row], to = row;
        for (; to > 0 && batch[to - 1] > point; to--) batch[to] = batch[to - 1];
        batch[to] = point;
    }
}

/* `first`: the first point that no batch has. What is missing of the last batch are copies of its
   last point. */
static void make_batch(layout* l, int32_t first) {
    window* w = l->window;
    int32_t *batch = w->batches[w->batch_count], *count = w->frame_counts + w->batch_count;
    l->made++;
    w->near_count = 0;
    *count = 0;
    for (int32_t row = 0; row < LANES; row++) {
        int32_t i = find_alike(l, *count);
        while (i == END && first < w->count && w->taken[first]) first++;
        if (i == END) i = first;
        batch[row] = i < w->count ? w->begin + i : batch[row - 1];
        if (i < w->count) *count += take_point(l, i);
    }
    sort_batch(batch);
    w->batch_count++;
}

static void make_batches(layout* l, int32_t begin, int32_t count) {
    open_window(l, begin, count);
    for (int32_t first = 0; first < count; first++) {
        if (!l->window->taken[first]) make_batch(l, first);
    }
}

/* ---- Columns ---- */

static void place_point(const layout* l, int32_t batch, int32_t row, int32_t point) {
    supi_skin_plan* plan = l->plan;
    int32_t lane = lane_of(row);
    plan->rows[LANES * batch + row] = (uint32_t)sizeof(sup_row) * (uint32_t)point;
    plan->firsts[LANES * batch + row] = strongest_frame(l->skin, point);
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
    size_t frames = (size_t)frame_count_of(l->skin);
    l->window = supi_arena_push(scratch, 1, sizeof *l->window);
    l->heads = supi_arena_push(scratch, frames, sizeof *l->heads);
    l->seen = supi_arena_push(scratch, frames, sizeof *l->seen);
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
    return l->window && l->heads && l->seen && plan->starts && plan->rows && plan->firsts &&
           plan->rest && !l->normals == !plan->normals && !l->tangents == !plan->tangents;
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
