/* Cell lists by counting sort: histogram, sums, fill. */
#include "contact/cell_list.h"

#include "contact/cell_number.h"

#include <float.h>
#include <string.h>

/* A box has few cells if they are fewer than this many times the entries. */
#define PLACES_PER_ENTRY 4

#define PLACES_MAX (1 << 28)

static void set_frame(supi_cell_list* list, const supi_cell_entry* entries, int32_t count,
                      float size) {
    float low[3] = {FLT_MAX, FLT_MAX, FLT_MAX}, high[3] = {-FLT_MAX, -FLT_MAX, -FLT_MAX};
    for (int32_t i = 0; i < count; i++) {
        const float at[3] = {entries[i].x, entries[i].y, entries[i].z};
        for (int k = 0; k < 3; k++) {
            low[k] = at[k] < low[k] ? at[k] : low[k];
            high[k] = at[k] > high[k] ? at[k] : high[k];
        }
    }
    list->inverse = 1 / size;
    double cells = 1.0;
    int32_t numbers[3] = {0, 0, 0};
    bool finite = true;
    for (int k = 0; k < 3; k++) {
        finite = finite && supi_cell_floor((high[k] - low[k]) * list->inverse, &numbers[k]);
        cells *= (double)numbers[k] + 1.0;
    }
    bool few = finite && cells < (double)PLACES_PER_ENTRY * (double)count && cells < PLACES_MAX;
    for (int k = 0; k < 3; k++) {
        list->low[k] = finite ? low[k] : 0;
        list->count[k] = few ? numbers[k] + 1 : 0;
    }
    uint32_t places = 2;
    while (places < 2 * (uint32_t)count) places *= 2;
    list->mask = few ? 0 : places - 1;
}

int32_t supi_cell_list_places(const supi_cell_list* list) {
    if (list->mask) return (int32_t)list->mask + 1;
    return list->count[0] * list->count[1] * list->count[2];
}

/* Whose points each cell has, where cells have places. */
static void find_owners(supi_cell_list* list, int32_t count) {
    for (int32_t p = 0; p < count; p++) {
        int32_t first = list->starts[p], end = list->starts[p + 1], owner = SUPI_CELL_EMPTY;
        for (int32_t i = first; i < end; i++) {
            int32_t body = list->entries[i].body;
            owner = i == first || owner == body ? body : SUPI_CELL_SHARED;
        }
        list->owners[p] = owner;
    }
}

bool supi_cell_list_build(supi_cell_list* list, const sup_allocator* allocator,
                          const supi_cell_entry* entries, int32_t count, float size) {
    list->entry_count = list->skipped = 0;
    set_frame(list, entries, count, size);
    int32_t all = supi_cell_list_places(list);
    int32_t* places = supi_column_reserve(&list->places, allocator, count, sizeof *places);
    int32_t(*numbers)[3] = supi_column_reserve(&list->numbers, allocator, count, sizeof *numbers);
    /* for either kind of list, so that a change of kind needs no memory */
    int64_t most = (int64_t)PLACES_PER_ENTRY * count;
    most = most > all ? most : all;
    if (most >= INT32_MAX) return false;
    list->starts =
        supi_column_reserve(&list->start_store, allocator, (int32_t)most + 1, sizeof *list->starts);
    list->owners =
        supi_column_reserve(&list->owner_store, allocator, (int32_t)most, sizeof *list->owners);
    list->cells = supi_column_reserve(&list->cell_store, allocator, count, sizeof *list->cells);
    list->entries =
        supi_column_reserve(&list->entry_store, allocator, count, sizeof *list->entries);
    if (!places || !numbers || !list->starts || !list->owners || !list->cells || !list->entries) {
        return false;
    }
    int32_t* ends = list->starts;
    memset(ends, 0, ((size_t)all + 1) * sizeof *ends);
    for (int32_t i = 0; i < count; i++) {
        const float x[3] = {entries[i].x, entries[i].y, entries[i].z};
        places[i] = supi_cell_list_number(list, x, numbers[i])
                        ? supi_cell_list_place(list, numbers[i])
                        : -1;
        if (places[i] >= 0)
            ends[places[i]]++;
        else
            list->skipped++;
    }
    int32_t sum = 0;
    for (int32_t p = 0; p <= all; p++) sum += ends[p], ends[p] = sum;
    for (int32_t i = count - 1; i >= 0; i--) {
        if (places[i] < 0) continue;
        int32_t to = --ends[places[i]];
        list->entries[to] = entries[i];
        if (list->mask) memcpy(list->cells[to], numbers[i], sizeof numbers[i]);
    }
    list->entry_count = sum;
    if (!list->mask) find_owners(list, all);
    return true;
}

void supi_cell_list_free(supi_cell_list* list, const sup_allocator* allocator) {
    supi_column_free(&list->start_store, allocator);
    supi_column_free(&list->entry_store, allocator);
    supi_column_free(&list->cell_store, allocator);
    supi_column_free(&list->owner_store, allocator);
    supi_column_free(&list->places, allocator);
    supi_column_free(&list->numbers, allocator);
    *list = (supi_cell_list){0};
}
