#include "blueprint/spring_parts.h"

#include "blueprint/members.h"
#include "blueprint/tears.h"
#include "geom/union_find.h"

/* Clusters join their members; the one of a body of springs alone pulls nothing. */
static void join_rows(const sup_blueprint* b, int32_t* parent) {
    for (int32_t i = 0; i < b->spring_count; i++) {
        supi_union_join(parent, b->springs[i].a, b->springs[i].b);
    }
    for (int32_t c = 0; !b->loose && c < b->cluster_count; c++) {
        supi_member_walk m = supi_members_of(b, c);
        int32_t first = -1;
        while (supi_members_next(&m)) {
            if (first < 0) first = m.row;
            supi_union_join(parent, first, m.row);
        }
    }
}

bool supi_spring_parts_find(const sup_blueprint* b, supi_arena* scratch, supi_spring_parts* out) {
    int32_t rows = supi_tears_rows(b); /* spare ones wait outside of everything */
    size_t count = (size_t)b->info.particle_count;
    int32_t* parent = supi_arena_push(scratch, count, sizeof *parent);
    int32_t* sizes = supi_arena_push(scratch, count, sizeof *sizes);
    *out = (supi_spring_parts){.examples = {-1, -1}, .isolated = -1};
    if (!parent || !sizes) return false;
    for (int32_t r = 0; r < b->info.particle_count; r++) parent[r] = r;
    join_rows(b, parent);
    for (int32_t r = 0; r < rows; r++) sizes[supi_union_root(parent, r)]++;
    for (int32_t id = 0; id < rows; id++) {
        int32_t* size = sizes + supi_union_root(parent, b->row_of[id]);
        if (*size == 1 && b->loose && out->isolated_count++ == 0) out->isolated = id;
        if (*size > 1) {
            if (out->count < 2) out->examples[out->count] = id;
            out->count++;
        }
        *size = 0; /* counted */
    }
    return true;
}
