/* Binding: which frames a point of a skin follows, and how much. */
#include "geom/point_tree.h"
#include "geom/vector.h"
#include "skin/slots.h"

/* How far around its nearest one a point looks at others, in spacings: enough for weights that
   change smoothly from point to point, few enough for bends to show. */
static const double reach_spacings = 2.0;
/* Share of the first weight that is left out which is taken off all others. */
static const double cut_share = 0.99;

typedef struct binding {
    const supi_skin_cloud* cloud;
    const sup_vec3* rest; /* of the points of the skin */
    supi_point_tree tree;
    double reach2;    /* m^2 */
    int32_t* near;    /* points of the cloud around the one at work */
    double* pulls;    /* by frame: what the near points give it, 0 between points */
    int32_t* touched; /* frames with a pull */
    int32_t touched_count;
} binding;

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

/* The strongest pulls, in order; those that are left out are told by *next, the first of them. */
static int32_t choose_slots(binding* b, supi_slot out[SUPI_SKIN_SLOTS], double* next) {
    int32_t count = 0;
    *next = 0.0;
    for (int32_t i = 0; i < b->touched_count; i++) {
        supi_slot candidate = {b->touched[i], b->pulls[b->touched[i]]}, dropped;
        b->pulls[candidate.frame] = 0.0;
        count = supi_slots_insert(out, count, SUPI_SKIN_SLOTS, candidate, &dropped);
        *next = dropped.weight > *next ? dropped.weight : *next;
    }
    b->touched_count = 0;
    return count;
}

/* The slots of one point. A frame that comes into the choice does so with next to no weight, as
   the weight of the first that is left out is taken off: the surface has no steps there. */
static int32_t bind_point(void* state, int32_t i, supi_slot out[SUPI_SKIN_SLOTS], int32_t* home) {
    binding* b = state;
    double x[3], next;
    supi_vector_from(b->rest + i, x);
    *home = gather_pulls(b, x);
    int32_t count = choose_slots(b, out, &next);
    for (int32_t k = 0; k < count; k++) out[k].weight -= cut_share * next;
    return supi_slots_share(out, count);
}

bool supi_skin_bind(const supi_skin_cloud* cloud, int32_t count, sup_vec3* rest, supi_arena* arena,
                    supi_arena* scratch, supi_skin* out) {
    binding b = {.cloud = cloud, .rest = rest};
    double reach = cloud->spacing > 0.0 ? reach_spacings * cloud->spacing : 1.0;
    b.reach2 = reach * reach;
    b.near = supi_arena_push(scratch, (size_t)cloud->count, sizeof *b.near);
    b.pulls = supi_arena_push(scratch, (size_t)cloud->frame_count, sizeof *b.pulls);
    b.touched = supi_arena_push(scratch, (size_t)cloud->frame_count, sizeof *b.touched);
    return b.near && b.pulls && b.touched &&
           supi_point_tree_build(scratch, cloud->count, cloud->points, &b.tree) &&
           supi_slots_fill(count, rest, SUPI_SKIN_SLOTS, bind_point, &b, arena, scratch, out);
}
