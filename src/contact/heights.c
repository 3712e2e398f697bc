/* Heights under a pyramid: each level keeps the lowest and highest point of blocks of two by two of
   the level below, so that a search leaves out most of the grid at once. */
#include "contact/heights.h"

#include "base/error.h"
#include "base/memory.h"
#include "geom/bounds.h"
#include "geom/facet.h"
#include "geom/vector.h"

#include <float.h>
#include <string.h>

#define COUNT_MAX 32768
#define LEVELS 17 /* 2^15 cells at most along a side, and the cells themselves */
#define STACK 64  /* a search leaves three blocks of each level behind */
#define STEP_MAX 1e6

typedef struct range {
    float low, high;
} range;

struct supi_heights {
    const sup_allocator* allocator;
    int32_t count[2]; /* along x, z */
    double step[2];
    float* values;                  /* (count[0] * count[1]) */
    int32_t level_count;            /* the last one is a single block; level 0 are the cells */
    int32_t block_count[LEVELS][2]; /* along x, z */
    size_t first[LEVELS];           /* of a level's ranges; level 0 has none */
    size_t range_count;
    range* ranges;
};

/* ---- The grid ---- */

static size_t value_count(const supi_heights* h) {
    return (size_t)h->count[0] * (size_t)h->count[1];
}

/* x or z of grid line i. */
static float line_at(const supi_heights* h, int axis, int32_t i) {
    return (float)(((double)i - 0.5 * (double)(h->count[axis] - 1)) * h->step[axis]);
}

static float height_at(const supi_heights* h, int32_t i, int32_t k) {
    return h->values[(size_t)k * (size_t)h->count[0] + (size_t)i];
}

static sup_vec3 point_at(const supi_heights* h, int32_t i, int32_t k) {
    return (sup_vec3){line_at(h, 0, i), height_at(h, i, k), line_at(h, 1, k)};
}

/* The triangle of a cell on the side of its x axis (0) or of its z axis (1), upwards. */
static void triangle_at(const supi_heights* h, int32_t i, int32_t k, int which, sup_vec3 out[3]) {
    sup_vec3 far = point_at(h, i + 1, k + 1);
    out[0] = point_at(h, i, k);
    out[1] = which == 0 ? far : point_at(h, i, k + 1);
    out[2] = which == 0 ? point_at(h, i + 1, k) : far;
}

static range cell_range(const supi_heights* h, int32_t i, int32_t k) {
    range r = {FLT_MAX, -FLT_MAX};
    for (int32_t n = 0; n < 4; n++) {
        float y = height_at(h, i + n % 2, k + n / 2);
        r.low = y < r.low ? y : r.low;
        r.high = y > r.high ? y : r.high;
    }
    return r;
}

/* ---- Blocks ---- */

typedef struct block {
    int32_t level, i, k;
} block;

static range block_range(const supi_heights* h, block b) {
    if (b.level == 0) return cell_range(h, b.i, b.k);
    size_t row = (size_t)h->block_count[b.level][0];
    return h->ranges[h->first[b.level] + (size_t)b.k * row + (size_t)b.i];
}

/* The line on which a block ends, or begins if `i` is its own index. */
static float block_line(const supi_heights* h, int axis, int32_t level, int32_t i) {
    int32_t line = i << level, last = h->count[axis] - 1;
    return line_at(h, axis, line < last ? line : last);
}

static void block_box(const supi_heights* h, block b, float low[3], float high[3]) {
    range r = block_range(h, b);
    low[0] = block_line(h, 0, b.level, b.i);
    low[1] = r.low;
    low[2] = block_line(h, 1, b.level, b.k);
    high[0] = block_line(h, 0, b.level, b.i + 1);
    high[1] = r.high;
    high[2] = block_line(h, 1, b.level, b.k + 1);
}

/* One of the four blocks below; false where the grid ends before. Bits of `which`: x, z. */
static bool block_part(const supi_heights* h, block b, int which, block* out) {
    *out = (block){b.level - 1, 2 * b.i + (which & 1), 2 * b.k + (which >> 1)};
    const int32_t* count = h->block_count[b.level - 1];
    return out->i < count[0] && out->k < count[1];
}

static block whole(const supi_heights* h) { return (block){h->level_count - 1, 0, 0}; }

/* Writes what is below a block, the one named by `near` last, so that it is looked at first. */
static int push_parts(const supi_heights* h, block b, int near, block* stack, int top) {
    for (int k = 3; k >= 0; k--) {
        if (block_part(h, b, k ^ near, &stack[top])) top++;
    }
    return top;
}

/* ---- Coming and going ---- */

void supi_heights_free(supi_heights* h) {
    if (!h) return;
    supi_memory_free(h->allocator, h->values, value_count(h), sizeof *h->values);
    supi_memory_free(h->allocator, h->ranges, h->range_count, sizeof *h->ranges);
    supi_memory_free(h->allocator, h, 1, sizeof *h);
}

/* Levels up to the one of a single block. */
static void plan_levels(supi_heights* h) {
    int32_t across[2] = {h->count[0] - 1, h->count[1] - 1};
    for (h->level_count = 0;; h->level_count++) {
        memcpy(h->block_count[h->level_count], across, sizeof across);
        h->first[h->level_count] = h->range_count;
        if (h->level_count > 0) h->range_count += (size_t)across[0] * (size_t)across[1];
        if (across[0] == 1 && across[1] == 1) break;
        for (int axis = 0; axis < 2; axis++) across[axis] = (across[axis] + 1) / 2;
    }
    h->level_count++;
}

static void fill_levels(supi_heights* h) {
    range* out = h->ranges;
    for (int32_t level = 1; level < h->level_count; level++) {
        for (int32_t k = 0; k < h->block_count[level][1]; k++) {
            for (int32_t i = 0; i < h->block_count[level][0]; i++) {
                range all = {FLT_MAX, -FLT_MAX};
                for (int which = 0; which < 4; which++) {
                    block part;
                    if (!block_part(h, (block){level, i, k}, which, &part)) continue;
                    range r = block_range(h, part);
                    all.low = r.low < all.low ? r.low : all.low;
                    all.high = r.high > all.high ? r.high : all.high;
                }
                *out++ = all;
            }
        }
    }
}

static sup_result check(const int32_t count[2], const double step[2], const float* heights,
                        sup_error* error) {
    for (int axis = 0; axis < 2; axis++) {
        const char* name = axis == 0 ? "x" : "z";
        if (count[axis] < 2 || count[axis] > COUNT_MAX) {
            return supi_error_set(error, SUP_BAD_ARGUMENT,
                                  "a grid of heights needs 2 to %d along %s, not %d", COUNT_MAX,
                                  name, (int)count[axis]);
        }
        if (!(step[axis] > 0.0 && step[axis] <= STEP_MAX)) {
            return supi_error_set(error, SUP_BAD_ARGUMENT,
                                  "the step of heights along %s must be above 0 and at most 1e6 m",
                                  name);
        }
    }
    for (int32_t k = 0; k < count[1]; k++) {
        for (int32_t i = 0; i < count[0]; i++) {
            if (isfinite(heights[(size_t)k * (size_t)count[0] + (size_t)i])) continue;
            return supi_error_set(error, SUP_BAD_ARGUMENT,
                                  "height %d along x, %d along z is not finite", (int)i, (int)k);
        }
    }
    return SUP_OK;
}

sup_result supi_heights_create(const sup_allocator* allocator, const int32_t count[2],
                               const double step[2], const float* heights, supi_heights** out,
                               sup_error* error) {
    sup_result result = check(count, step, heights, error);
    if (result != SUP_OK) return result;
    supi_heights* made = supi_memory_new(allocator, 1, sizeof *made);
    if (!made) return supi_error_memory(error);
    *made = (supi_heights){
        .allocator = allocator, .count = {count[0], count[1]}, .step = {step[0], step[1]}};
    plan_levels(made);
    made->values = supi_memory_new(allocator, value_count(made), sizeof *made->values);
    made->ranges = supi_memory_new(allocator, made->range_count, sizeof *made->ranges);
    if (!made->values || !made->ranges) {
        supi_heights_free(made);
        return supi_error_memory(error);
    }
    memcpy(made->values, heights, value_count(made) * sizeof *heights);
    fill_levels(made);
    *out = made;
    return SUP_OK;
}

void supi_heights_bounds(const supi_heights* h, float low[3], float high[3]) {
    block_box(h, whole(h), low, high);
}

void supi_heights_get(const supi_heights* h, int32_t count[2], double step[2],
                      const float** values) {
    for (int axis = 0; axis < 2; axis++) {
        count[axis] = h->count[axis];
        step[axis] = h->step[axis];
    }
    *values = h->values;
}

/* ---- Asking ---- */

/* The cell in which x (along an axis) lies; -1: beside the grid. */
static int32_t cell_of(const supi_heights* h, int axis, float x) {
    int32_t cells = h->count[axis] - 1;
    if (!(x >= line_at(h, axis, 0) && x <= line_at(h, axis, cells))) return -1;
    double at = (double)x / h->step[axis] + 0.5 * (double)cells;
    if (!(at > 0.0)) return 0;
    return at < (double)cells ? (int32_t)at : cells - 1;
}

/* How high x is above the surface, straight down; false: beside the grid. */
static bool height_over(const supi_heights* h, sup_vec3 x, double* out) {
    int32_t i = cell_of(h, 0, x.x), k = cell_of(h, 1, x.z);
    if (i < 0 || k < 0) return false;
    double u = ((double)x.x - (double)line_at(h, 0, i)) / h->step[0];
    double v = ((double)x.z - (double)line_at(h, 1, k)) / h->step[1];
    double near = (double)height_at(h, i, k), far = (double)height_at(h, i + 1, k + 1);
    double side = (double)(u > v ? height_at(h, i + 1, k) : height_at(h, i, k + 1));
    double more = u > v ? u : v, less = u > v ? v : u;
    *out = (double)x.y - (near + more * (side - near) + less * (far - side));
    return true;
}

typedef struct nearest_search {
    supi_facet_point best;
    sup_vec3 triangle[3];
    bool found;
} nearest_search;

static void look_nearest(const supi_heights* h, block cell, const double x[3],
                         nearest_search* search) {
    for (int which = 0; which < 2; which++) {
        sup_vec3 c[3];
        supi_facet_point point;
        triangle_at(h, cell.i, cell.k, which, c);
        supi_facet_nearest(c, x, &point);
        if (!(point.square < search->best.square)) continue;
        search->best = point;
        memcpy(search->triangle, c, sizeof c);
        search->found = true;
    }
}

/* Looks at a cell unless its box is further than the best so far. */
static void try_cell(const supi_heights* h, int32_t i, int32_t k, sup_vec3 x,
                     nearest_search* search) {
    const float at[3] = {x.x, x.y, x.z};
    float low[3], high[3];
    double place[3];
    block_box(h, (block){0, i, k}, low, high);
    if ((double)supi_bounds_square(low, high, at) > search->best.square * (1.0 + 1e-6)) return;
    supi_vector_from(&x, place);
    look_nearest(h, (block){0, i, k}, place, search);
}

/* Cells within `bound` of x along an axis. */
static void cells_within(const supi_heights* h, int axis, double x, double bound,
                         int32_t cells[2]) {
    double last = (double)(h->count[axis] - 2), middle = 0.5 * (double)(h->count[axis] - 1);
    for (int end = 0; end < 2; end++) {
        double at = floor((x + (end ? bound : -bound)) / h->step[axis] + middle);
        cells[end] = !(at > 0.0) ? 0 : at < last ? (int32_t)at : (int32_t)last;
    }
}

/* Mostly x is close to the surface: then the few cells around it are all there is to see. False:
 * they are many. */
static bool find_around(const supi_heights* h, sup_vec3 x, double bound, nearest_search* search) {
    int32_t along[2], across[2];
    cells_within(h, 0, (double)x.x, bound, along);
    cells_within(h, 1, (double)x.z, bound, across);
    if (along[1] - along[0] > 3 || across[1] - across[0] > 3) return false;
    int32_t own_i = cell_of(h, 0, x.x), own_k = cell_of(h, 1, x.z);
    try_cell(h, own_i, own_k, x, search);
    for (int32_t k = across[0]; k <= across[1]; k++) {
        for (int32_t i = along[0]; i <= along[1]; i++) {
            if (i != own_i || k != own_k) try_cell(h, i, k, x, search);
        }
    }
    return true;
}

/* The nearest triangle closer than the square root of search->best.square. */
static void find_nearest(const supi_heights* h, sup_vec3 x, nearest_search* search) {
    const float at[3] = {x.x, x.y, x.z};
    double place[3];
    supi_vector_from(&x, place);
    block stack[STACK];
    int top = 0;
    stack[top++] = whole(h);
    while (top > 0) {
        block b = stack[--top];
        float low[3], high[3];
        block_box(h, b, low, high);
        if ((double)supi_bounds_square(low, high, at) > search->best.square * (1.0 + 1e-6)) {
            continue;
        }
        if (b.level == 0) {
            look_nearest(h, b, place, search);
            continue;
        }
        int near = (x.x > block_line(h, 0, b.level - 1, 2 * b.i + 1)) |
                   (x.z > block_line(h, 1, b.level - 1, 2 * b.k + 1)) << 1;
        top = push_parts(h, b, near, stack, top);
    }
}

bool supi_heights_nearest(const supi_heights* h, sup_vec3 x, float limit, float* distance,
                          sup_vec3* normal) {
    double over;
    if (!height_over(h, x, &over)) return false;
    /* The surface is no further than straight below or above, but for rounding. */
    double bound = fabs(over) * 1.001 + 1e-5 * (fabs((double)x.y) + h->step[0] + h->step[1]);
    if (over > 0.0 && bound > (double)limit) bound = (double)limit;
    nearest_search search = {.best = {.square = bound * bound}};
    if (!find_around(h, x, bound, &search)) find_nearest(h, x, &search);
    if (!search.found) return false;

    double at[3], away[3], up[3], sign = over < 0.0 ? -1.0 : 1.0;
    supi_vector_from(&x, at);
    supi_vector_subtract(at, search.best.place, away);
    double length = sqrt(search.best.square);
    bool on_surface = search.best.square <= 1e-24 * supi_vector_dot(at, at) + (double)FLT_MIN;
    if (search.best.part == SUPI_FACET_FACE || on_surface) {
        supi_facet_normal(search.triangle, up);
        double size = supi_vector_length(up);
        *normal = supi_vector_round(up[0] / size, up[1] / size, up[2] / size);
    } else {
        *normal = supi_vector_round(sign * away[0] / length, sign * away[1] / length,
                                    sign * away[2] / length);
    }
    *distance = (float)(sign * length);
    return *distance < limit;
}

typedef struct cross_search {
    double from[3], to[3];
    double end[3]; /* of what is left of the way: the first crossing so far */
    double t;
    sup_vec3 triangle[3];
} cross_search;

static void look_cross(const supi_heights* h, block cell, cross_search* search) {
    for (int which = 0; which < 2; which++) {
        sup_vec3 c[3];
        double t, weights[3];
        triangle_at(h, cell.i, cell.k, which, c);
        if (!supi_facet_cross(c, search->from, search->to, &t, weights) || !(t < search->t)) {
            continue;
        }
        search->t = t;
        memcpy(search->triangle, c, sizeof c);
        for (int k = 0; k < 3; k++) {
            search->end[k] = search->from[k] + t * (search->to[k] - search->from[k]);
        }
    }
}

bool supi_heights_cross(const supi_heights* h, sup_vec3 from, sup_vec3 to, float* t,
                        sup_vec3* normal) {
    cross_search search = {.t = 2.0};
    supi_vector_from(&from, search.from);
    supi_vector_from(&to, search.to);
    supi_vector_from(&to, search.end);
    int near = (to.x < from.x) | (to.z < from.z) << 1;
    block stack[STACK];
    int top = 0;
    stack[top++] = whole(h);
    while (top > 0) {
        block b = stack[--top];
        float low[3], high[3];
        block_box(h, b, low, high);
        if (!supi_bounds_meet(low, high, search.from, search.end)) continue;
        if (b.level == 0)
            look_cross(h, b, &search);
        else
            top = push_parts(h, b, near, stack, top);
    }
    if (search.t > 1.0) return false;
    double up[3];
    supi_facet_normal(search.triangle, up);
    double length = supi_vector_length(up);
    *t = (float)search.t;
    *normal = supi_vector_round(up[0] / length, up[1] / length, up[2] / length);
    return true;
}

void supi_heights_visit(const supi_heights* h, const float low[3], const float high[3],
                        supi_facet_visit* visit, void* context) {
    int32_t along[2], across[2];
    for (int axis = 0; axis < 2; axis++) {
        double from = (double)low[2 * axis], to = (double)high[2 * axis];
        if (from > (double)line_at(h, axis, h->count[axis] - 1)) return;
        if (to < (double)line_at(h, axis, 0)) return;
        cells_within(h, axis, 0.5 * (from + to), 0.5 * (to - from), axis == 0 ? along : across);
    }
    for (int32_t k = across[0]; k <= across[1]; k++) {
        for (int32_t i = along[0]; i <= along[1]; i++) {
            if (cell_range(h, i, k).high < low[1]) continue;
            for (int which = 0; which < 2; which++) {
                sup_vec3 corners[3];
                triangle_at(h, i, k, which, corners);
                visit(context, corners);
            }
        }
    }
}
