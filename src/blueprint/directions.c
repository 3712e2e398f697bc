#include "blueprint/directions.h"

#include "base/error.h"
#include "geom/vertex_normals.h"

#include <math.h>

/* Makes x, y, z of a row unit; false where they have no direction. */
static bool make_unit(sup_row* row) {
    double x = (double)row->x, y = (double)row->y, z = (double)row->z;
    double square = x * x + y * y + z * z, scale = 1.0 / sqrt(square);
    if (!(square > 1e-30 && square < 1e30)) return false;
    row->x = (float)(scale * x);
    row->y = (float)(scale * y);
    row->z = (float)(scale * z);
    return true;
}

static sup_result refuse(const char* what, int32_t vertex, sup_error* error) {
    return supi_error_set(error, SUP_BAD_ARGUMENT, "the %s of vertex %d has no direction", what,
                          (int)vertex);
}

/* Of vertices in one place the first counts, so these go last. */
sup_result supi_directions_build(const sup_blueprint_def* def, sup_blueprint* b, sup_error* error) {
    size_t count = (size_t)b->skin.count;
    if (!supi_skin_carried(b->info.skin)) return SUP_OK;
    if (def->normals) b->normals = supi_arena_push(&b->arena, count, sizeof *b->normals);
    if (def->tangents) b->tangents = supi_arena_push(&b->arena, count, sizeof *b->tangents);
    if ((def->normals && !b->normals) || (def->tangents && !b->tangents)) {
        return supi_error_memory(error);
    }
    for (int32_t i = b->info.vertex_count - 1; i >= 0; i--) {
        int32_t point = b->vertex_rows[i];
        if (def->normals) {
            sup_row n = {def->normals[i].x, def->normals[i].y, def->normals[i].z, 0.0f};
            if (!make_unit(&n)) return refuse("normal", i, error);
            b->normals[point] = (sup_vec3){n.x, n.y, n.z};
        }
        if (def->tangents) {
            sup_row t = def->tangents[i];
            if (!make_unit(&t) || !(t.w < 0.0f || t.w >= 0.0f)) return refuse("tangent", i, error);
            t.w = t.w < 0.0f ? -1.0f : 1.0f;
            b->tangents[point] = t;
        }
    }
    return SUP_OK;
}

static bool is_unit(float x, float y, float z) {
    float square = x * x + y * y + z * z;
    return square > 0.999f && square < 1.001f;
}

bool supi_directions_fit(const sup_blueprint* b) {
    if ((b->normals || b->tangents) && !supi_skin_carried(b->info.skin)) return false;
    for (int32_t i = 0; i < b->skin.count; i++) {
        const sup_vec3* n = b->normals ? b->normals + i : NULL;
        const sup_row* t = b->tangents ? b->tangents + i : NULL;
        if (n && !is_unit(n->x, n->y, n->z)) return false;
        if (t && !(is_unit(t->x, t->y, t->z) && (t->w == 1.0f || t->w == -1.0f))) return false;
    }
    return true;
}

const sup_vec3* supi_directions_normals(const sup_blueprint* b, supi_arena* scratch) {
    if (b->normals) return b->normals;
    size_t count = (size_t)b->skin.count;
    const supi_drawn_surface surface = {b->info.polygon_count, b->starts, b->corners,
                                        b->vertex_rows, b->skin.count};
    sup_row* places = supi_arena_push(scratch, 2 * count, sizeof *places);
    sup_vec3* out = supi_arena_push(scratch, count, sizeof *out);
    if (!places || !out) return NULL;
    sup_row* normals = places + count;
    for (size_t i = 0; i < count; i++) {
        const sup_vec3* p = b->skin.rest + i;
        places[i] = (sup_row){p->x, p->y, p->z, 0.0f};
    }
    supi_vertex_normals(&surface, places, normals);
    for (size_t i = 0; i < count; i++) {
        out[i] = (sup_vec3){normals[i].x, normals[i].y, normals[i].z};
    }
    return out;
}
