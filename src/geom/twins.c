/* See twins.h. Elements with sorted corners, sorted by these, are next to their twins. */
#include "geom/twins.h"

#include <string.h>

#include "base/error.h"
#include "base/memory.h"
#include "geom/sort.h"

enum { CORNERS_MOST = 8 };

/* `sorted` have their corners in order. True: one names a corner twice. */
static bool sort_corners(int32_t corners, const int32_t* element, int32_t* sorted) {
    bool twice = false;
    for (int32_t i = 0; i < corners; i++) {
        int32_t at = i;
        for (; at > 0 && sorted[at - 1] > element[i]; at--) sorted[at] = sorted[at - 1];
        twice = twice || (at > 0 && sorted[at - 1] == element[i]);
        sorted[at] = element[i];
    }
    return twice;
}

typedef struct twin_room {
    uint64_t *keys, *scratch_keys;
    int32_t *ids, *scratch_ids;
} twin_room;

/* By the last pair of corners first: each sort keeps the order of those before. */
static void sort_elements(twin_room* room, int32_t count, int32_t corners,
                          const int32_t* elements) {
    for (int32_t pair = corners - 2; pair >= 0; pair -= 2) {
        for (int32_t i = 0; i < count; i++) {
            int32_t sorted[CORNERS_MOST];
            sort_corners(corners, elements + (size_t)corners * (size_t)room->ids[i], sorted);
            room->keys[i] = (uint64_t)sorted[pair] << 32 | (uint64_t)sorted[pair + 1];
        }
        supi_sort_keys(count, room->keys, room->ids, room->scratch_keys, room->scratch_ids);
    }
}

/* The sort is stable: of elements with the same corners the first in the list comes first. */
static void pick_twins(const int32_t* ids, int32_t count, int32_t corners, const int32_t* elements,
                       int32_t twins[2]) {
    int32_t before[CORNERS_MOST], now[CORNERS_MOST];
    size_t size = (size_t)corners * sizeof *now;
    for (int32_t i = 0; i < count; i++) {
        bool twice = sort_corners(corners, elements + (size_t)corners * (size_t)ids[i], now);
        if (i > 0 && !twice && memcmp(before, now, size) == 0 &&
            (twins[1] < 0 || ids[i] < twins[1])) {
            twins[0] = ids[i - 1];
            twins[1] = ids[i];
        }
        memcpy(before, now, size);
    }
}

bool supi_twins_order(const sup_allocator* allocator, int32_t count, int32_t corners,
                      const int32_t* elements, int32_t* ids) {
    size_t n = (size_t)count;
    twin_room room = {supi_memory_new(allocator, n, sizeof *room.keys),
                      supi_memory_new(allocator, n, sizeof *room.keys), ids,
                      supi_memory_new(allocator, n, sizeof *room.ids)};
    bool made = room.keys && room.scratch_keys && room.scratch_ids;
    if (made) {
        for (int32_t i = 0; i < count; i++) ids[i] = i;
        sort_elements(&room, count, corners, elements);
    }
    supi_memory_free(allocator, room.keys, n, sizeof *room.keys);
    supi_memory_free(allocator, room.scratch_keys, n, sizeof *room.keys);
    supi_memory_free(allocator, room.scratch_ids, n, sizeof *room.ids);
    return made;
}

sup_result supi_twins_check(const sup_allocator* allocator, const char* what, int32_t count,
                            int32_t corners, const int32_t* elements, sup_error* error) {
    int32_t twins[2] = {-1, -1};
    int32_t* ids = supi_memory_new(allocator, (size_t)count, sizeof *ids);
    bool made = ids && supi_twins_order(allocator, count, corners, elements, ids);
    if (made) pick_twins(ids, count, corners, elements, twins);
    supi_memory_free(allocator, ids, (size_t)count, sizeof *ids);
    if (!made) return supi_error_memory(error);
    if (twins[1] < 0) return SUP_OK;
    return supi_error_set(error, SUP_BAD_ARGUMENT,
                          "%s %d and %d have the same corners: leave one of them out", what,
                          (int)twins[0], (int)twins[1]);
}
