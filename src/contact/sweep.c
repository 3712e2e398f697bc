/* Sort and sweep: boxes in order of their low ends along one axis, each compared with those that
   begin before it ends. The second axis is cut into strips that are swept one by one, so that a
   floor or a heap full of bodies costs little more than a row of them. */
#include "contact/sweep.h"

#include "geom/sort.h"

#include <string.h>

typedef struct strips {
    int axis; /* across the strips */
    double low, width;
    int32_t count;
} strips;

/* From the axis along which the boxes are spread most to the one where they are least. */
static void rank_axes(const supi_box* boxes, int32_t count, int axes[3]) {
    double width[3];
    for (int k = 0; k < 3; k++) {
        double low = boxes[0].low[k], high = low;
        for (int32_t i = 1; i < count; i++) {
            double at = boxes[i].low[k];
            low = at < low ? at : low;
            high = at > high ? at : high;
        }
        width[k] = high - low;
        axes[k] = k;
    }
    for (int i = 1; i < 3; i++) {
        for (int k = i; k > 0 && width[axes[k]] > width[axes[k - 1]]; k--) {
            int swap = axes[k];
            axes[k] = axes[k - 1];
            axes[k - 1] = swap;
        }
    }
}

/* Strips as wide as the mean box: then a box lies in three of them at most, on average. */
static strips cut_strips(const supi_box* boxes, int32_t count, int axis) {
    double low = boxes[0].low[axis], high = boxes[0].high[axis], sum = 0;
    for (int32_t i = 0; i < count; i++) {
        const supi_box* b = &boxes[i];
        low = b->low[axis] < low ? b->low[axis] : low;
        high = b->high[axis] > high ? b->high[axis] : high;
        sum += b->high[axis] - b->low[axis];
    }
    double width = sum / count, number = (high - low) / width;
    if (!(number < count)) number = count;
    strips s = {axis, low, (high - low) / number, (int32_t)number};
    if (s.count < 1 || !(s.width > 0)) s.count = 1;
    return s;
}

static int32_t strip_of(const strips* s, double at) {
    if (s->count == 1) return 0;
    double number = (at - s->low) / s->width;
    if (!(number > 0)) return 0;
    return number < s->count ? (int32_t)number : s->count - 1;
}

/* Indices of the boxes in order of their low ends. */
static const int32_t* sort_boxes(supi_sweep* sweep, const sup_allocator* allocator, int32_t count,
                                 int axis) {
    const supi_box* boxes = sweep->boxes.items;
    uint64_t* keys = supi_column_reserve(&sweep->keys, allocator, 2 * count, sizeof *keys);
    int32_t* ids = supi_column_reserve(&sweep->ids, allocator, 2 * count, sizeof *ids);
    if (!keys || !ids) return NULL;
    for (int32_t i = 0; i < count; i++) {
        keys[i] = supi_sort_key(boxes[i].low[axis]);
        ids[i] = i;
    }
    supi_sort_keys(count, keys, ids, keys + count, ids + count);
    return ids;
}

/* Copies the boxes, in sorted order, into every strip they reach; starts says where each strip
 * begins. */
static supi_box* fill_strips(supi_sweep* sweep, const sup_allocator* allocator, int32_t count,
                             const int32_t* order, const strips* s) {
    const supi_box* boxes = sweep->boxes.items;
    /* As much as any places of so many boxes need, so that moving boxes need no new memory. */
    int32_t* starts = supi_column_reserve(&sweep->starts, allocator, count + 1, sizeof *starts);
    if (!starts || count > INT32_MAX / 3) return NULL;
    memset(starts, 0, (size_t)(s->count + 1) * sizeof *starts);
    int64_t sum = 0;
    for (int32_t i = 0; i < count; i++) {
        int32_t first = strip_of(s, boxes[i].low[s->axis]);
        int32_t last = strip_of(s, boxes[i].high[s->axis]);
        sum += last - first + 1;
        if (sum > INT32_MAX) return NULL;
        for (int32_t k = first; k <= last; k++) starts[k]++;
    }
    if (sum < 3 * count) sum = 3 * count;
    supi_box* members =
        supi_column_reserve(&sweep->members, allocator, (int32_t)sum, sizeof *members);
    if (!members) return NULL;
    int32_t end = 0;
    for (int32_t k = 0; k <= s->count; k++) {
        end += starts[k];
        starts[k] = end;
    }
    for (int32_t i = count - 1; i >= 0; i--) {
        const supi_box* b = &boxes[order[i]];
        int32_t last = strip_of(s, b->high[s->axis]);
        for (int32_t k = strip_of(s, b->low[s->axis]); k <= last; k++) members[--starts[k]] = *b;
    }
    return members;
}

/* Adds a couple; there is always room for as many to sort into. */
static bool add_couple(supi_sweep* sweep, const sup_allocator* allocator, int32_t a, int32_t b) {
    if (sweep->couple_count > INT32_MAX / 2 - 1) return false;
    uint64_t* couples = supi_column_reserve(&sweep->couple_store, allocator,
                                            2 * (sweep->couple_count + 1), sizeof *couples);
    if (!couples) return false;
    uint64_t low = (uint64_t)(a < b ? a : b), high = (uint64_t)(a < b ? b : a);
    couples[sweep->couple_count++] = low << 32 | high;
    return true;
}

/* Boxes that share several strips meet in the one where the later of them begins. */
static bool sweep_strip(supi_sweep* sweep, const sup_allocator* allocator, const strips* s,
                        int32_t strip, const supi_box* members, const int axes[3]) {
    const int32_t* starts = sweep->starts.items;
    const int along = axes[0], across = axes[1], third = axes[2];
    for (int32_t i = starts[strip]; i < starts[strip + 1]; i++) {
        const supi_box* a = &members[i];
        for (int32_t j = i + 1; j < starts[strip + 1]; j++) {
            const supi_box* b = &members[j];
            if (b->low[along] > a->high[along]) break;
            if (a->low[across] > b->high[across] || b->low[across] > a->high[across] ||
                a->low[third] > b->high[third] || b->low[third] > a->high[third]) {
                continue;
            }
            double later = a->low[across] > b->low[across] ? a->low[across] : b->low[across];
            if (strip_of(s, later) != strip) continue;
            if (!add_couple(sweep, allocator, a->id, b->id)) return false;
        }
    }
    return true;
}

static bool sort_couples(supi_sweep* sweep, const sup_allocator* allocator) {
    int32_t count = sweep->couple_count;
    if (count == 0) return true;
    int32_t* ids = supi_column_reserve(&sweep->ids, allocator, 2 * count, sizeof *ids);
    if (!ids) return false;
    sweep->couples = sweep->couple_store.items;
    supi_sort_keys(count, sweep->couples, ids, sweep->couples + count, ids + count);
    return true;
}

static bool find_couples(supi_sweep* sweep, const sup_allocator* allocator, int32_t count) {
    const supi_box* boxes = sweep->boxes.items;
    int axes[3];
    rank_axes(boxes, count, axes);
    strips s = cut_strips(boxes, count, axes[1]);
    const int32_t* order = sort_boxes(sweep, allocator, count, axes[0]);
    if (!order) return false;
    const supi_box* members = fill_strips(sweep, allocator, count, order, &s);
    if (!members) return false;
    for (int32_t k = 0; k < s.count; k++) {
        if (!sweep_strip(sweep, allocator, &s, k, members, axes)) return false;
    }
    return sort_couples(sweep, allocator);
}

supi_box* supi_sweep_boxes(supi_sweep* sweep, const sup_allocator* allocator, int32_t capacity) {
    sweep->couple_count = 0;
    return supi_column_reserve(&sweep->boxes, allocator, capacity, sizeof(supi_box));
}

bool supi_sweep_run(supi_sweep* sweep, const sup_allocator* allocator, int32_t count) {
    sweep->couple_count = 0;
    if (count < 2) return true;
    if (count <= INT32_MAX / 2 && find_couples(sweep, allocator, count)) return true;
    sweep->couple_count = 0;
    return false;
}

void supi_sweep_free(supi_sweep* sweep, const sup_allocator* allocator) {
    supi_column* stores[] = {&sweep->boxes,  &sweep->keys,    &sweep->ids,
                             &sweep->starts, &sweep->members, &sweep->couple_store};
    for (size_t i = 0; i < sizeof stores / sizeof *stores; i++) {
        supi_column_free(stores[i], allocator);
    }
    *sweep = (supi_sweep){0};
}
