#include "blueprint/paint.h"

#include "base/error.h"
#include "geom/sort.h"

static sup_result check(const sup_blueprint_def* def, const sup_blueprint* b, sup_error* error) {
    for (int32_t i = 0; i < def->skin_weight_count; i++) {
        const sup_skin_weight* w = def->skin_weights + i;
        if (w->vertex < 0 || w->vertex >= b->info.vertex_count) {
            return supi_error_set(error, SUP_BAD_ARGUMENT,
                                  "painted weight %d is of vertex %d, there are %d", (int)i,
                                  (int)w->vertex, (int)b->info.vertex_count);
        }
        if (w->particle < 0 || w->particle >= b->info.particle_count) {
            return supi_error_set(error, SUP_BAD_ARGUMENT,
                                  "vertex %d: a painted weight is of particle %d, there are %d",
                                  (int)w->vertex, (int)w->particle, (int)b->info.particle_count);
        }
        if (!(w->weight >= 0.0f && w->weight <= 1.0f)) {
            return supi_error_set(error, SUP_BAD_ARGUMENT,
                                  "vertex %d: a painted weight must lie between 0 and 1",
                                  (int)w->vertex);
        }
    }
    return SUP_OK;
}

/* The first vertex with weights at each point of the skin, among those that seams keep apart. */
static int32_t* find_owners(const sup_blueprint_def* def, const sup_blueprint* b,
                            supi_arena* scratch) {
    int32_t* owners = supi_arena_push(scratch, (size_t)b->skin.count, sizeof *owners);
    for (int32_t i = 0; owners && i < b->skin.count; i++) owners[i] = INT32_MAX;
    for (int32_t i = 0; owners && i < def->skin_weight_count; i++) {
        int32_t vertex = def->skin_weights[i].vertex, *owner = owners + b->vertex_rows[vertex];
        *owner = vertex < *owner ? vertex : *owner;
    }
    return owners;
}

/* Copies what counts, by point and row. */
static bool sort(const sup_blueprint_def* def, sup_blueprint* b, supi_arena* scratch) {
    size_t most = (size_t)def->skin_weight_count;
    uint64_t* keys = supi_arena_push(scratch, 2 * most, sizeof *keys);
    int32_t* ids = supi_arena_push(scratch, 2 * most, sizeof *ids);
    const int32_t* owners = find_owners(def, b, scratch);
    b->paint = supi_arena_push(&b->arena, most, sizeof *b->paint);
    if (!keys || !ids || !owners || !b->paint) return false;
    int32_t count = 0;
    for (int32_t i = 0; i < def->skin_weight_count; i++) {
        const sup_skin_weight* w = def->skin_weights + i;
        int32_t point = b->vertex_rows[w->vertex];
        if (owners[point] != w->vertex || w->weight == 0.0f) continue;
        keys[count] = (uint64_t)point << 32 | (uint64_t)b->row_of[w->particle];
        ids[count++] = i;
    }
    supi_sort_keys(count, keys, ids, keys + most, ids + most);
    for (int32_t i = 0; i < count; i++) {
        b->paint[i] = (sup_skin_weight){(int32_t)(keys[i] >> 32), (int32_t)(keys[i] & UINT32_MAX),
                                        def->skin_weights[ids[i]].weight};
    }
    b->paint_count = count;
    return true;
}

/* The first that is out of order, or one too many or too heavy for its point; the count: none is.
 */
static int32_t first_misfit(const sup_blueprint* b) {
    const sup_skin_weight* p = b->paint;
    int32_t begin = 0, i = 0;
    double sum = 0.0;
    for (; i < b->paint_count; i++) {
        bool same = i > 0 && p[i - 1].vertex == p[i].vertex;
        if (!same) begin = i, sum = 0.0;
        sum += (double)p[i].weight;
        bool after =
            i == 0 || (same ? p[i - 1].particle < p[i].particle : p[i - 1].vertex < p[i].vertex);
        if (!after || i - begin >= SUP_SKIN_WEIGHTS || !(p[i].weight > 0.0f && sum <= 1.0 + 1e-6)) {
            break;
        }
    }
    return i;
}

bool supi_paint_fits(const sup_blueprint* b) {
    return b->paint_count == 0 ||
           (supi_skin_carried(b->info.skin) && b->paint && first_misfit(b) == b->paint_count);
}

sup_result supi_paint_build(const sup_blueprint_def* def, sup_blueprint* b, supi_arena* scratch,
                            sup_error* error) {
    if (def->skin_weight_count == 0 || !supi_skin_carried(b->info.skin)) return SUP_OK;
    sup_result result = check(def, b, error);
    if (result != SUP_OK) return result;
    if (!sort(def, b, scratch)) return supi_error_memory(error);
    int32_t misfit = first_misfit(b);
    if (misfit == b->paint_count) return SUP_OK;
    int32_t vertex = 0;
    while (b->vertex_rows[vertex] != b->paint[misfit].vertex) vertex++;
    return supi_error_set(error, SUP_BAD_ARGUMENT,
                          "vertex %d: its painted weights must be of different particles, at most "
                          "%d, and 1 at most together",
                          (int)vertex, SUP_SKIN_WEIGHTS);
}
