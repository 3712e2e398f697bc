#include "blueprint/rings.h"

#include "base/error.h"
#include "base/memory.h"
#include "geom/tet.h"

/* Who is within reach of a point, found edge by edge. */
typedef struct search {
    const sup_adjacency* edges;
    int32_t* found; /* (point count) */
    int32_t* seen;  /* by point: the last one around which it was found, + 1 */
} search;

static int32_t look_around(search* s, int32_t point, int32_t reach) {
    int32_t count = 1, first = 0;
    s->found[0] = point;
    s->seen[point] = point + 1;
    for (int32_t ring = 0; ring < reach; ring++) {
        for (int32_t end = count; first < end; first++) {
            int32_t at = s->found[first];
            for (int32_t i = s->edges->starts[at]; i < s->edges->starts[at + 1]; i++) {
                int32_t next = s->edges->neighbours[i];
                if (s->seen[next] == point + 1) continue;
                s->seen[next] = point + 1;
                s->found[count++] = next;
            }
        }
    }
    return count;
}

/* Found ids in ascending order: few, and nearly sorted. */
static void sort_found(int32_t* ids, int32_t count) {
    for (int32_t i = 1; i < count; i++) {
        int32_t id = ids[i], at = i;
        for (; at > 0 && ids[at - 1] > id; at--) ids[at] = ids[at - 1];
        ids[at] = id;
    }
}

/* Middles in the order of points: whoever is nearer than `reach` edges to one is none. `counts`:
   how many are around each. */
static sup_result find_middles(search* s, int32_t reach, int32_t* middles, int32_t* counts,
                               bool* near, int32_t* count, sup_error* error) {
    int64_t total = 0;
    *count = 0;
    for (int32_t p = 0; p < s->edges->point_count; p++) {
        if (near[p]) continue;
        int32_t inner = look_around(s, p, reach - 1);
        for (int32_t i = 0; i < inner; i++) near[s->found[i]] = true;
        for (int32_t i = 0; i < inner; i++) s->seen[s->found[i]] = 0;
        middles[*count] = p;
        counts[*count] = look_around(s, p, reach);
        total += counts[(*count)++];
        if (total <= INT32_MAX / 8) continue;
        return supi_error_set(error, SUP_BAD_ARGUMENT,
                              "clusters of this reach have too many members");
    }
    for (int32_t p = 0; p < s->edges->point_count; p++) s->seen[p] = 0;
    return SUP_OK;
}

static sup_result list_rings(const sup_allocator* allocator, search* s, int32_t reach,
                             const int32_t* middles, const int32_t* counts, supi_rings* out,
                             sup_error* error) {
    out->starts = supi_memory_new(allocator, (size_t)out->count + 1, sizeof *out->starts);
    if (!out->starts) return supi_error_memory(error);
    for (int32_t c = 0; c < out->count; c++) out->starts[c + 1] = out->starts[c] + counts[c];
    size_t total = (size_t)out->starts[out->count];
    out->members = supi_memory_new(allocator, total, sizeof *out->members);
    if (!out->members) return supi_error_memory(error);
    for (int32_t c = 0; c < out->count; c++) {
        int32_t *to = out->members + out->starts[c], count = look_around(s, middles[c], reach);
        for (int32_t i = 0; i < count; i++) to[i] = s->found[i];
        sort_found(to, count);
    }
    return SUP_OK;
}

void supi_rings_free(const sup_allocator* allocator, supi_rings* rings) {
    if (!rings->starts) return;
    supi_memory_free(allocator, rings->members, (size_t)rings->starts[rings->count],
                     sizeof *rings->members);
    supi_memory_free(allocator, rings->starts, (size_t)rings->count + 1, sizeof *rings->starts);
    *rings = (supi_rings){0};
}

sup_result supi_rings_make(const sup_allocator* allocator, const sup_tets* tets, int32_t reach,
                           supi_rings* out, sup_error* error) {
    sup_adjacency edges;
    sup_result result = supi_tet_adjacency(allocator, tets, &edges, error);
    if (result != SUP_OK) return result;
    size_t count = (size_t)tets->point_count;
    supi_arena scratch;
    supi_arena_init(&scratch, allocator);
    search s = {.edges = &edges,
                .found = supi_arena_push(&scratch, count, sizeof *s.found),
                .seen = supi_arena_push(&scratch, count, sizeof *s.seen)};
    int32_t* middles = supi_arena_push(&scratch, count, sizeof *middles);
    int32_t* counts = supi_arena_push(&scratch, count, sizeof *counts);
    bool* near = supi_arena_push(&scratch, count, sizeof *near);
    supi_rings made = {0};
    bool memory = s.found && s.seen && middles && counts && near;
    result = memory ? find_middles(&s, reach, middles, counts, near, &made.count, error)
                    : supi_error_memory(error);
    if (result == SUP_OK) result = list_rings(allocator, &s, reach, middles, counts, &made, error);
    supi_arena_free(&scratch);
    sup_adjacency_free(&edges);
    if (result == SUP_OK)
        *out = made;
    else
        supi_rings_free(allocator, &made);
    return result;
}
