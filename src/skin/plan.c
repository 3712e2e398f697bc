#include "skin/plan.h"

/* Groups change places within a window: what is written stays in the cache until it is complete. A
   batch looks at so many followers of each of its frames for those that need few others. */
enum { WINDOW = SUPI_SKIN_WINDOW, LANES = 8, LOOK_AHEAD = 256 };
enum { SLOTS = SUPI_SKIN_SLOTS, MOST_FRAMES = LANES * SLOTS, END = -1 };

/* The groups of one window, counted from its first, while batches are made of them. */
typedef struct window {
    int32_t begin; /* its first point */
    int32_t count;
    int32_t starts[WINDOW + 1];     /* by group: its first slot */
    int32_t frames[WINDOW * SLOTS]; /* by slot, ascending for each group */
    int32_t owners[WINDOW * SLOTS]; /* by slot: its group */
    int32_t next[WINDOW * SLOTS];   /* the next slot with the same frame, ascending, or END */
    bool taken[WINDOW];             /* a batch has it */
    int32_t met[WINDOW];            /* the last batch with a frame of the group */
    int32_t shared[WINDOW];         /* how many frames of that batch it follows */
    int32_t near[WINDOW];           /* groups that follow a frame of the batch at work */
    int32_t near_count;
    int32_t batches[WINDOW / LANES][LANES]; /* groups */
    int32_t frame_counts[WINDOW / LANES];   /* by batch */
    int32_t batch_count;
} window;

typedef struct layout {
    const supi_skin* skin;
    const float* origin;
    const sup_vec3* normals;
    const sup_row* tangents;
    supi_skin_plan* plan;
    int32_t step; /* points for a row that is listed */
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

/* The last group of all repeats the last point. */
static int32_t clip_point(const supi_skin* skin, int32_t point) {
    return point < skin->count ? point : skin->count - 1;
}

/* Puts the frames of a point among `count` ascending ones, and returns how many these are then. */
static int32_t add_frames(const supi_skin* skin, int32_t point, int32_t* frames, int32_t count) {
    for (int32_t s = skin->starts[point]; s < skin->starts[point + 1]; s++) {
        int32_t frame = skin->frames[s], at = count;
        while (at > 0 && frames[at - 1] > frame) at--;
        if (at > 0 && frames[at - 1] == frame) continue;
        for (int32_t k = count++; k > at; k--) frames[k] = frames[k - 1];
        frames[at] = frame;
    }
    return count;
}

/* ---- Batches of one window ---- */

static void list_frames(const layout* l) {
    window* w = l->window;
    for (int32_t i = 0; i < w->count; i++) {
        int32_t used = 0, point = w->begin + l->plan->group * i;
        for (int32_t k = 0; k < l->plan->group; k++) {
            used =
                add_frames(l->skin, clip_point(l->skin, point + k), w->frames + w->starts[i], used);
        }
        w->starts[i + 1] = w->starts[i] + used;
    }
}

/* Lists who follows each frame. */
static void open_window(layout* l, int32_t begin, int32_t points) {
    window* w = l->window;
    w->begin = begin;
    w->count = (points + l->plan->group - 1) / l->plan->group;
    w->batch_count = 0;
    list_frames(l);
    for (int32_t s = 0; s < w->starts[w->count]; s++) l->heads[w->frames[s]] = END;
    for (int32_t i = w->count - 1; i >= 0; i--) {
        w->taken[i] = false;
        w->met[i] = 0;
        for (int32_t s = w->starts[i]; s < w->starts[i + 1]; s++) {
            w->owners[s] = i;
            w->next[s] = l->heads[w->frames[s]];
            l->heads[w->frames[s]] = s;
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

/* Puts a group into the batch at work, and says how many frames it brings. */
static int32_t take_group(layout* l, int32_t i) {
    window* w = l->window;
    int32_t brought = 0;
    w->taken[i] = true;
    for (int32_t s = w->starts[i]; s < w->starts[i + 1]; s++) {
        int32_t frame = w->frames[s];
        if (l->seen[frame] == l->made) continue;
        l->seen[frame] = l->made;
        meet_followers(l, frame);
        brought++;
    }
    return brought;
}

/* The group that brings the fewest frames to a batch with `count`, of these one that shares the
   most: who follows few frames fits elsewhere too. END if nobody shares any. */
static int32_t find_alike(const window* w, int32_t count) {
    int32_t best = END, least = INT32_MAX;
    for (int32_t k = 0; k < w->near_count; k++) {
        int32_t i = w->near[k];
        if (w->taken[i]) continue;
        int32_t brings = w->starts[i + 1] - w->starts[i] - w->shared[i];
        int32_t rank = brings * (MOST_FRAMES + 1) - w->shared[i];
        if (rank >= least) continue;
        least = rank;
        best = i;
        if (rank == -count) break;
    }
    return best;
}

/* Ascending: rows side by side in memory are written one after the other. */
static void sort_batch(int32_t* batch, int32_t count) {
    for (int32_t k = 1; k < count; k++) {
        int32_t group = batch[k], to = k;
        for (; to > 0 && batch[to - 1] > group; to--) batch[to] = batch[to - 1];
        batch[to] = group;
    }
}

/* `first`: the first group that no batch has. What is missing of the last batch are copies of its
   last group. */
static void make_batch(layout* l, int32_t first) {
    window* w = l->window;
    int32_t *batch = w->batches[w->batch_count], *count = w->frame_counts + w->batch_count;
    l->made++;
    w->near_count = 0;
    *count = 0;
    for (int32_t k = 0; k < LANES / l->plan->group; k++) {
        int32_t i = find_alike(w, *count);
        while (i == END && first < w->count && w->taken[first]) first++;
        if (i == END) i = first;
        batch[k] = i < w->count ? i : batch[k - 1];
        if (i < w->count) *count += take_group(l, i);
    }
    sort_batch(batch, LANES / l->plan->group);
    w->batch_count++;
}

static void make_batches(layout* l, int32_t begin, int32_t points) {
    open_window(l, begin, points);
    for (int32_t first = 0; first < l->window->count; first++) {
        if (!l->window->taken[first]) make_batch(l, first);
    }
}

/* ---- Columns ---- */

static void place_point(const layout* l, int32_t batch, int32_t row, int32_t point) {
    supi_skin_plan* plan = l->plan;
    int32_t lane = lane_of(row);
    if (row % l->step == 0) {
        plan->rows[(LANES * batch + row) / l->step] = (uint32_t)sizeof(sup_row) * (uint32_t)point;
    }
    point = clip_point(l->skin, point);
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
            for (int32_t row = 0; row < LANES; row++) {
                int32_t group = w->batches[b][row / l->plan->group];
                place_point(l, to, row, w->begin + l->plan->group * group + row % l->plan->group);
            }
            l->plan->starts[to + 1] = l->plan->starts[to] + count;
            to++;
        }
    }
}

static int32_t point_of(const layout* l, int32_t batch, int32_t row) {
    uint32_t first = l->plan->rows[(LANES * batch + row) / l->step] / (uint32_t)sizeof(sup_row);
    return clip_point(l->skin, (int32_t)first + row % l->step);
}

static void place_frames(const layout* l, int32_t batch) {
    int32_t *frames = l->plan->frames + l->plan->starts[batch], count = 0;
    for (int32_t row = 0; row < LANES; row++) {
        count = add_frames(l->skin, point_of(l, batch, row), frames, count);
    }
}

static void place_weights(const layout* l, int32_t batch) {
    const supi_skin* skin = l->skin;
    supi_skin_plan* plan = l->plan;
    for (int32_t row = 0; row < LANES; row++) {
        int32_t point = point_of(l, batch, row), entry = plan->starts[batch];
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
    plan->rows = supi_arena_push(arena, batches, (size_t)(LANES / l->step) * sizeof *plan->rows);
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

/* Do `group` points side by side follow much the same frames? With a fifth more frames than alone
   a batch loses what it saves when it writes. */
static bool are_alike(const supi_skin* skin, int32_t group) {
    int64_t together = 0, alone = skin->starts[skin->count];
    for (int32_t point = 0; point < skin->count; point += group) {
        int32_t frames[LANES * SLOTS], count = 0;
        for (int32_t k = 0; k < group; k++) {
            count = add_frames(skin, clip_point(skin, point + k), frames, count);
        }
        together += group * count;
    }
    return 5 * together <= 6 * alone;
}

static int32_t choose_group(const supi_skin* skin) {
    if (skin->count > SUPI_SKIN_LARGE && are_alike(skin, SUPI_SKIN_LINE)) return SUPI_SKIN_LINE;
    return are_alike(skin, 2) ? 2 : 1;
}

bool supi_skin_plan_build(const supi_skin* skin, const float origin[3], const sup_vec3* normals,
                          const sup_row* tangents, supi_arena* arena, supi_arena* scratch,
                          supi_skin_plan* out) {
    int32_t batches = skin->count / LANES + (skin->count % LANES > 0);
    int32_t group = choose_group(skin);
    *out = (supi_skin_plan){.count = skin->count, .batch_count = batches, .group = group};
    layout l = {.skin = skin,
                .origin = origin,
                .normals = normals,
                .tangents = tangents,
                .plan = out,
                .step = group > 1 ? 2 : 1};
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
