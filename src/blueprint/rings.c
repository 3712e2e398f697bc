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

/* Counts the members of all rings, then lists them. */
static sup_result list_rings(const sup_allocator* allocator, search* s, int32_t reach,
                             supi_rings* out, sup_error* error) {
    int64_t total = 0;
    for (int32_t p = 0; p < out->count; p++) {
        total += look_around(s, p, reach);
        if (total > INT32_MAX / 8) {
            return supi_error_set(error, SUP_BAD_ARGUMENT,
                                  "clusters of this reach have too many members");
        }
        out->starts[p + 1] = (int32_t)total;
    }
    out->members = supi_memory_new(allocator, (size_t)total, sizeof *out->members);
    if (!out->members) return supi_error_memory(error);
    for (int32_t p = 0; p < out->count; p++) s->seen[p] = 0;
    for (int32_t p = 0; p < out->count; p++) {
        int32_t *to = out->members + out->starts[p], count = look_around(s, p, reach);
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
    supi_rings made = {.count = tets->point_count,
                       .starts = supi_memory_new(allocator, count + 1, sizeof *made.starts)};
    bool memory = s.found && s.seen && made.starts;
    result = memory ? list_rings(allocator, &s, reach, &made, error) : supi_error_memory(error);
    supi_arena_free(&scratch);
    sup_adjacency_free(&edges);
    if (result == SUP_OK)
        *out = made;
    else
        supi_rings_free(allocator, &made);
    return result;
}
