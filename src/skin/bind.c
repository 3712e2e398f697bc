/* Binding: which frames a point of a skin follows, and how much. */
#include "geom/point_tree.h"
#include "geom/vector.h"
#include "skin/skin.h"

#include <string.h>

/* How far around its nearest one a point looks at others, in spacings: enough for weights that
   change smoothly from point to point, few enough for bends to show. */
static const double reach_spacings = 2.0;
/* Weights are multiples of this part of 1, so that their sum has no rounding. */
static const int32_t weight_parts = 1 << 20;
/* Share of the first weight that is left out which is taken off all others. */
static const double cut_share = 0.99;

typedef struct binding {
    const supi_skin_cloud* cloud;
    supi_point_tree tree;
    double reach2;    /* m^2 */
    int32_t* near;    /* points of the cloud around the one at work */
    double* pulls;    /* by frame: what the near points give it, 0 between points */
    int32_t* touched; /* frames with a pull */
    int32_t touched_count;
} binding;

/* One slot while it is chosen. */
typedef struct slot {
    int32_t frame;
    double weight;
} slot;

static void pull(binding* b, int32_t frame, double weight) {
    if (b->pulls[frame] == 0.0) b->touched[b->touched_count++] = frame;
    b->pulls[frame] += weight;
}

/* Shares a weight among the frames of a point. */
static void pull_frames(binding* b, int32_t point, double weight) {
    const supi_skin_cloud* cloud = b->cloud;
    if (!cloud->starts) {
        pull(b, 0, weight);
        return;
    }
    int32_t begin = cloud->starts[point], end = cloud->starts[point + 1];
    for (int32_t s = begin; s < end; s++) pull(b, cloud->frames[s], weight / (end - begin));
}

/* Gives the frames of the points near x their pulls, and returns the nearest point. Seen from afar
   the squared distance is what must not grow by more than the reach: then as many points count as
   for one that lies among them. */
static int32_t gather_pulls(binding* b, const double x[3]) {
    double least;
    int32_t home = supi_point_tree_nearest(&b->tree, x, -1, &least);
    int32_t count = supi_point_tree_within(&b->tree, x, least + b->reach2, b->near);
    for (int32_t i = 0; i < count; i++) {
        int32_t point = b->near[i];
        double far = (supi_point_square(b->cloud->points + point, x) - least) / b->reach2;
        double fall = far < 1.0 ? (1.0 - far) * (1.0 - far) : 0.0;
        if (fall > 0.0) pull_frames(b, point, fall);
    }
    /* A place that no distance can be told of. */
    if (b->touched_count == 0) pull_frames(b, home, 1.0);
    return home;
}

static bool stronger(const slot* a, const slot* b) {
    return a->weight > b->weight || (a->weight == b->weight && a->frame < b->frame);
}

/* The strongest pulls, in order; those that are left out are told by *next, the first of them. */
static int32_t choose_slots(binding* b, slot out[SUPI_SKIN_SLOTS], double* next) {
    int32_t count = 0;
    *next = 0.0;
    for (int32_t i = 0; i < b->touched_count; i++) {
        slot candidate = {b->touched[i], b->pulls[b->touched[i]]};
        b->pulls[candidate.frame] = 0.0;
        int32_t at = count;
        while (at > 0 && stronger(&candidate, out + at - 1)) at--;
        double dropped = at == SUPI_SKIN_SLOTS      ? candidate.weight
                         : count == SUPI_SKIN_SLOTS ? out[count - 1].weight
                                                    : 0.0;
        *next = dropped > *next ? dropped : *next;
        if (at == SUPI_SKIN_SLOTS) continue;
        if (count < SUPI_SKIN_SLOTS) count++;
        memmove(out + at + 1, out + at, (size_t)(count - 1 - at) * sizeof *out);
        out[at] = candidate;
    }
    b->touched_count = 0;
    return count;
}

static void sort_by_frame(slot* slots, int32_t count) {
    for (int32_t i = 1; i < count; i++) {
        slot one = slots[i];
        int32_t at = i;
        for (; at > 0 && slots[at - 1].frame > one.frame; at--) slots[at] = slots[at - 1];
        slots[at] = one;
    }
}

/* Turns weights into parts of 1 and drops those without any; what rounding leaves goes to the
   strongest, which is the first. Returns how many are left. */
static int32_t share_out(slot* slots, int32_t count) {
    double sum = 0.0;
    for (int32_t i = 0; i < count; i++) sum += slots[i].weight;
    int32_t left = weight_parts, kept = 1;
    for (int32_t i = 1; i < count; i++) {
        int32_t parts = (int32_t)(slots[i].weight / sum * weight_parts);
        left -= parts;
        if (parts > 0) slots[kept++] = (slot){slots[i].frame, parts};
    }
    slots[0].weight = left;
    sort_by_frame(slots, kept);
    for (int32_t i = 0; i < kept; i++) slots[i].weight /= weight_parts;
    return kept;
}

/* The slots of one point. A frame that comes into the choice does so with next to no weight, as
   the weight of the first that is left out is taken off: the surface has no steps there. */
static int32_t bind_point(binding* b, const sup_vec3* rest, int32_t* home,
                          slot out[SUPI_SKIN_SLOTS]) {
    double x[3], next;
    supi_vector_from(rest, x);
    *home = gather_pulls(b, x);
    int32_t count = choose_slots(b, out, &next);
    for (int32_t i = 0; i < count; i++) out[i].weight -= cut_share * next;
    return share_out(out, count);
}

/* Slots of all points, in chunks: how many there are is known at the end. */
static bool bind_points(binding* b, supi_skin* skin, supi_arena* scratch, slot** slots) {
    size_t most = (size_t)skin->count * SUPI_SKIN_SLOTS;
    *slots = supi_arena_push(scratch, most, sizeof **slots);
    if (!*slots) return false;
    for (int32_t i = 0; i < skin->count; i++) {
        skin->starts[i + 1] = skin->starts[i] + bind_point(b, skin->rest + i, skin->home + i,
                                                           *slots + skin->starts[i]);
    }
    return true;
}

bool supi_skin_bind(const supi_skin_cloud* cloud, int32_t count, sup_vec3* rest, supi_arena* arena,
                    supi_arena* scratch, supi_skin* out) {
    binding b = {.cloud = cloud};
    double reach = cloud->spacing > 0.0 ? reach_spacings * cloud->spacing : 1.0;
    b.reach2 = reach * reach;
    b.near = supi_arena_push(scratch, (size_t)cloud->count, sizeof *b.near);
    b.pulls = supi_arena_push(scratch, (size_t)cloud->frame_count, sizeof *b.pulls);
    b.touched = supi_arena_push(scratch, (size_t)cloud->frame_count, sizeof *b.touched);
    *out = (supi_skin){.count = count, .rest = rest};
    out->home = supi_arena_push(arena, (size_t)count, sizeof *out->home);
    out->starts = supi_arena_push(arena, (size_t)count + 1, sizeof *out->starts);
    slot* slots;
    if (count > INT32_MAX / SUPI_SKIN_SLOTS || !b.near || !b.pulls || !b.touched || !out->home ||
        !out->starts || !supi_point_tree_build(scratch, cloud->count, cloud->points, &b.tree) ||
        !bind_points(&b, out, scratch, &slots)) {
        return false;
    }
    int32_t used = out->starts[count];
    out->frames = supi_arena_push(arena, (size_t)used, sizeof *out->frames);
    out->weights = supi_arena_push(arena, (size_t)used, sizeof *out->weights);
    if (!out->frames || !out->weights) return false;
    for (int32_t i = 0; i < used; i++) {
        out->frames[i] = slots[i].frame;
        out->weights[i] = (float)slots[i].weight;
    }
    return true;
}
