#include "skin/hung.h"

#include "base/error.h"
#include "geom/sort.h"

/* The corner with the largest weight; the first of several. */
static int32_t nearest_corner(const int32_t tet[4], const sup_row* weights) {
    const float w[4] = {weights->x, weights->y, weights->z, weights->w};
    int most = 0;
    for (int k = 1; k < 4; k++) most = w[k] > w[most] ? k : most;
    return tet[most];
}

/* Points by their tetrahedra; false when memory is short. */
static bool sort_points(const sup_embedding* e, supi_arena* scratch, int32_t* points) {
    size_t count = (size_t)e->point_count;
    uint64_t* keys = supi_arena_push(scratch, 2 * count, sizeof *keys);
    int32_t* ids = supi_arena_push(scratch, count, sizeof *ids);
    if (!keys || !ids) return false;
    for (int32_t i = 0; i < e->point_count; i++) {
        keys[i] = (uint64_t)e->tets[i];
        points[i] = i;
    }
    supi_sort_keys(e->point_count, keys, points, keys + count, ids);
    return true;
}

static bool lay_out(const sup_embedding* e, const sup_tets* tets, supi_arena* arena,
                    supi_arena* scratch, supi_hung* out, int32_t* home) {
    size_t count = (size_t)e->point_count;
    out->count = e->point_count;
    out->points = supi_arena_push(arena, count, sizeof *out->points);
    out->tets = supi_arena_push(arena, count, sizeof *out->tets);
    out->weights = supi_arena_push(arena, count, sizeof *out->weights);
    out->offsets = supi_arena_push(arena, count, sizeof *out->offsets);
    if (!out->points || !out->tets || !out->weights || !out->offsets) return false;
    if (!sort_points(e, scratch, out->points)) return false;
    for (size_t i = 0; i < count; i++) {
        int32_t point = out->points[i];
        out->tets[i] = e->tets[point];
        out->weights[i] = e->weights[point];
        out->offsets[i] = e->offsets[point];
        home[point] = nearest_corner(tets->tets + 4 * (size_t)out->tets[i], &out->weights[i]);
    }
    return true;
}

sup_result supi_hung_bind(const sup_tets* tets, int32_t count, const sup_vec3* points,
                          supi_arena* arena, supi_arena* scratch, supi_hung* out, int32_t* home,
                          sup_error* error) {
    sup_embedding e;
    sup_result result = sup_tets_embed(scratch->allocator, tets, count, points, &e, error);
    if (result != SUP_OK) return result;
    bool memory = lay_out(&e, tets, arena, scratch, out, home);
    sup_embedding_free(&e);
    return memory ? SUP_OK : supi_error_memory(error);
}

void supi_hung_pose(const supi_hung* hung, const int32_t* tets, const sup_vec3* rest,
                    const sup_row* x, sup_row* out) {
    const supi_embed_pose pose = {rest, &x->x, 4};
    for (int32_t i = 0; i < hung->count; i++) {
        const int32_t* tet = tets + 4 * (size_t)hung->tets[i];
        sup_vec3 p = supi_embed_place(&pose, tet, &hung->weights[i], &hung->offsets[i]);
        out[hung->points[i]] = (sup_row){p.x, p.y, p.z, 0.0f};
    }
}
