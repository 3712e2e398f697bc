/* What else is asked of the drawn surface: how it faces, and where it was at rest. */
#include "base/check.h"
#include "base/error.h"
#include "base/float_mode.h"
#include "geom/vertex_normals.h"
#include "skin/undo.h"
#include "world/oriented.h"
#include "world/tear.h"

/* ---- Normals ---- */

/* Of a skin on oriented particles, or of polygons as they are now. */
static void find_normals(const sup_world* world, const supi_body* body,
                         const supi_skin_drawn* out) {
    const sup_blueprint* b = body->blueprint;
    supi_float_mode mode = supi_float_mode_enter();
    if (supi_oriented_carries(b)) {
        supi_drawn_carried(world, body, out);
    } else {
        const supi_drawn_surface surface = {b->info.polygon_count, b->starts, b->corners,
                                            supi_tear_vertex_rows(body),
                                            b->skin.count > 0 ? b->skin.count : b->row_count};
        supi_vertex_normals(&surface, supi_drawn_rows(world, body), out->normals);
    }
    supi_float_mode_leave(mode);
}

sup_result sup_body_read_normals(const sup_world* world, sup_body handle, sup_vec3* normals,
                                 sup_row* tangents) {
    SUPI_NEED(NULL, world);
    const supi_body* body = supi_world_body(world, handle);
    if (!body) return SUP_STALE;
    const sup_blueprint* b = body->blueprint;
    const int32_t* rows = supi_tear_vertex_rows(body);
    if (tangents && !b->tangents) return SUP_BAD_ARGUMENT;
    size_t count = (size_t)supi_skin_room(b->skin.count > 0 ? b->skin.count : b->row_count);
    supi_arena arena;
    supi_arena_init(&arena, world->allocator);
    supi_skin_drawn out = {.places = world->drawn};
    out.normals = supi_arena_push(&arena, count, sizeof *out.normals);
    if (tangents) out.tangents = supi_arena_push(&arena, count, sizeof *out.tangents);
    bool memory = out.normals && (!tangents || out.tangents);
    if (memory) find_normals(world, body, &out);
    for (int32_t i = 0; memory && i < b->info.vertex_count; i++) {
        const sup_row* n = out.normals + rows[i];
        if (normals) normals[i] = (sup_vec3){n->x, n->y, n->z};
        if (tangents) tangents[i] = out.tangents[rows[i]];
    }
    supi_arena_free(&arena);
    return memory ? SUP_OK : SUP_NO_MEMORY;
}

/* ---- Back to rest ---- */

/* All that a search needs; `origin` and `base` as those of the frames. */
typedef struct finder {
    float origin[3], base[3];
    supi_carriers rest;
    supi_skin_search search;
} finder;

static bool make_finder(const sup_world* world, const supi_body* body, supi_arena* arena,
                        finder* out) {
    const sup_blueprint* b = body->blueprint;
    const supi_skin_blend blend = {world->frames,
                                   b->info.skin == SUP_SKIN_DUAL ? world->duals : NULL};
    const supi_carriers_def def = supi_blueprint_carriers(b);
    const supi_skin_pose pose = supi_drawn_pose(world, body);
    const sup_row* centre = world->now.centre + body->cluster;
    for (int k = 0; k < 3; k++) out->origin[k] = (float)b->info.centre[k];
    out->base[0] = centre->x, out->base[1] = centre->y, out->base[2] = centre->z;
    supi_drawn_carried(world, body, &(supi_skin_drawn){.places = world->drawn});
    return supi_carriers_build(&def, arena, &out->rest) &&
           supi_skin_search_build(&out->rest, SUPI_CARRIER_SLOTS, b->info.size, &pose, &blend,
                                  out->origin, out->base, arena, &out->search);
}

static bool find_place(finder* f, const double anchor[3], const sup_point* place, sup_point* out) {
    const double at[3] = {place->x - anchor[0] - (double)f->base[0],
                          place->y - anchor[1] - (double)f->base[1],
                          place->z - anchor[2] - (double)f->base[2]};
    double rest[3];
    bool found = supi_skin_search_find(&f->search, at, rest);
    *out = (sup_point){rest[0] + (double)f->origin[0], rest[1] + (double)f->origin[1],
                       rest[2] + (double)f->origin[2]};
    return found;
}

sup_result sup_body_find_rest(const sup_world* world, sup_body handle, int32_t count,
                              const sup_point* places, sup_point* rest, bool* found,
                              sup_error* error) {
    SUPI_NEED(error, world);
    if (count > 0) SUPI_NEED(error, places, rest, found);
    const supi_body* body = supi_world_body(world, handle);
    if (!body) return supi_error_set(error, SUP_STALE, "the body is gone");
    if (!supi_oriented_carries(body->blueprint)) {
        return supi_error_set(error, SUP_BAD_ARGUMENT,
                              "the body has no skin on oriented particles");
    }
    supi_arena arena;
    finder f;
    supi_arena_init(&arena, world->allocator);
    supi_float_mode mode = supi_float_mode_enter();
    bool memory = make_finder(world, body, &arena, &f);
    for (int32_t i = 0; memory && i < count; i++) {
        bool sure = find_place(&f, body->anchor, places + i, rest + i);
        if (found) found[i] = sure;
    }
    supi_float_mode_leave(mode);
    supi_arena_free(&arena);
    return memory ? SUP_OK : supi_error_memory(error);
}
