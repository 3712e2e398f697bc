/* The outside of elements: the sides that belong to one alone. */
#include "blueprint/weave.h"
#include "geom/sort.h"

#define MOST_CORNERS 4 /* of a side */

typedef struct side_list {
    int32_t count;
    uint64_t *first, *second; /* keys by side: its lower two points, its others */
    int32_t* ids;
    uint64_t *sorted, *scratch_keys; /* keys in the order of ids */
    int32_t* scratch_ids;
} side_list;

static void sort_corners(int32_t count, int32_t* corners) {
    for (int32_t i = 1; i < count; i++) {
        for (int32_t k = i; k > 0 && corners[k - 1] > corners[k]; k--) {
            int32_t swap = corners[k];
            corners[k] = corners[k - 1];
            corners[k - 1] = swap;
        }
    }
}

/* A stable sort by the less important key, then by the other. */
static void sort_sides(side_list* list) {
    for (int pass = 0; pass < 2; pass++) {
        const uint64_t* keys = pass == 0 ? list->second : list->first;
        for (int32_t i = 0; i < list->count; i++) list->sorted[i] = keys[list->ids[i]];
        supi_sort_keys(list->count, list->sorted, list->ids, list->scratch_keys, list->scratch_ids);
    }
}

static bool new_list(supi_weave* weave, int32_t count, side_list* list) {
    size_t n = (size_t)count;
    list->count = count;
    list->first = supi_weave_new(weave, n, sizeof(uint64_t));
    list->second = supi_weave_new(weave, n, sizeof(uint64_t));
    list->ids = supi_weave_new(weave, n, sizeof(int32_t));
    list->sorted = supi_weave_new(weave, n, sizeof(uint64_t));
    list->scratch_keys = supi_weave_new(weave, n, sizeof(uint64_t));
    list->scratch_ids = supi_weave_new(weave, n, sizeof(int32_t));
    return !weave->short_of_memory;
}

static bool same_side(const side_list* list, int32_t i, int32_t j) {
    int32_t a = list->ids[i], b = list->ids[j];
    return list->first[a] == list->first[b] && list->second[a] == list->second[b];
}

/* Marks single sides in `alone` and returns their number. */
static int32_t find_single(supi_weave* weave, const side_list* list, bool* alone) {
    int32_t count = 0;
    for (int32_t i = 0, next; i < list->count; i = next) {
        for (next = i + 1; next < list->count && same_side(list, i, next);) next++;
        alone[list->ids[i]] = next == i + 1;
        if (next == i + 1) count++;
        if (next > i + 2) {
            uint64_t lower = list->first[list->ids[i]];
            supi_weave_tangle(weave, (int32_t)(lower >> 32), (int32_t)(lower & UINT32_MAX));
        }
    }
    return count;
}

void supi_weave_outside(supi_weave* weave, int32_t element_count, int32_t element_corners,
                        const int32_t* elements, int32_t side_count, int32_t side_corners,
                        const int32_t* sides) {
    side_list list;
    int32_t total = element_count * side_count;
    bool* alone = supi_weave_new(weave, (size_t)total, sizeof *alone);
    if (!new_list(weave, total, &list)) return;
    for (int32_t s = 0; s < total; s++) {
        int32_t at[MOST_CORNERS] = {0};
        for (int32_t c = 0; c < side_corners; c++) {
            at[c] = elements[s / side_count * element_corners +
                             sides[s % side_count * side_corners + c]];
        }
        sort_corners(side_corners, at);
        list.first[s] = (uint64_t)at[0] << 32 | (uint64_t)at[1];
        list.second[s] = (uint64_t)at[2] << 32 | (uint64_t)at[3];
        list.ids[s] = s;
    }
    sort_sides(&list);
    int32_t polygon_count = find_single(weave, &list, alone), polygon = 0, end = 0;
    int32_t* starts = supi_weave_new(weave, (size_t)polygon_count + 1, sizeof *starts);
    int32_t* corners =
        supi_weave_new(weave, (size_t)polygon_count * (size_t)side_corners, sizeof *corners);
    if (weave->short_of_memory) return;
    for (int32_t s = 0; s < total; s++) {
        if (!alone[s]) continue;
        for (int32_t c = 0; c < side_corners; c++) {
            corners[end++] = elements[s / side_count * element_corners +
                                      sides[s % side_count * side_corners + c]];
        }
        starts[++polygon] = end;
    }
    weave->polygon_count = polygon_count;
    weave->starts = starts;
    weave->corners = corners;
}
