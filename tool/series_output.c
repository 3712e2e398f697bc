/* See series_output.h. */
#include "series_output.h"

#include "supple/mesh.h"

#include <stdlib.h>
#include <string.h>

/* One mesh of many, while it grows. */
typedef struct joint_mesh {
    sup_vec3* points;
    int32_t *starts, *corners;
    int64_t point_count, polygon_count, corner_count;
} joint_mesh;

/* The surfaces that change, by surface; no points for others. */
static sup_result find_changing(const output_source* from, sup_mesh* meshes, sup_error* error) {
    static const double origin[3] = {0, 0, 0};
    for (int32_t i = 0; i < from->surface_count; i++) {
        if (!from->surfaces[i].changes || !from->scene) continue;
        sup_body body = sup_scene_get_body(from->scene, i, NULL);
        sup_result result = sup_body_find_surface(sup_scene_world(from->scene), body, origin,
                                                  meshes + i, NULL, error);
        if (result != SUP_OK) return result;
    }
    return SUP_OK;
}

static void add(joint_mesh* to, int32_t points, const sup_vec3* places, int32_t polygons,
                const int32_t* starts, const int32_t* corners) {
    for (int32_t p = 0; p < polygons; p++) {
        to->starts[to->polygon_count++] = (int32_t)to->corner_count + starts[p];
    }
    for (int32_t c = 0; polygons > 0 && c < starts[polygons]; c++) {
        to->corners[to->corner_count + c] = (int32_t)to->point_count + corners[c];
    }
    if (points > 0) memcpy(to->points + to->point_count, places, (size_t)points * sizeof *places);
    to->corner_count += polygons > 0 ? starts[polygons] : 0;
    to->point_count += points;
}

/* Room for all of them. */
static bool make_room(const output_source* from, const sup_mesh* meshes, joint_mesh* out) {
    int64_t points = 0, polygons = 0, corners = 0;
    for (int32_t i = 0; i < from->surface_count; i++) {
        const sup_surface* s = from->surfaces + i;
        points += s->point_count + meshes[i].point_count;
        polygons += s->polygon_count + meshes[i].polygon_count;
        corners += s->starts[s->polygon_count] + meshes[i].corner_count;
    }
    if (points > INT32_MAX || corners > INT32_MAX) return false;
    out->points = malloc((size_t)(points + 1) * sizeof *out->points);
    out->starts = malloc((size_t)(polygons + 1) * sizeof *out->starts);
    out->corners = malloc((size_t)(corners + 1) * sizeof *out->corners);
    return out->points && out->starts && out->corners;
}

static sup_result save(const char* path, const joint_mesh* all, sup_error* error) {
    sup_mesh mesh;
    sup_result result =
        sup_mesh_create(NULL, (int32_t)all->point_count, all->points, (int32_t)all->polygon_count,
                        all->starts, all->corners, &mesh, error);
    if (result != SUP_OK) return result;
    result = sup_mesh_save(NULL, NULL, path, &mesh, error);
    sup_mesh_free(&mesh);
    return result;
}

tool_exit series_write(const char* path, const output_source* from, const sup_vec3* vertices) {
    sup_mesh* meshes = calloc((size_t)from->surface_count + 1, sizeof *meshes);
    joint_mesh all = {0};
    sup_error error;
    if (!meshes) return tool_fail(TOOL_MEMORY, "out of memory");
    sup_result result = find_changing(from, meshes, &error);
    tool_exit code = result == SUP_OK ? TOOL_DONE : tool_fail_error(&error);
    if (code == TOOL_DONE && !make_room(from, meshes, &all)) {
        code = tool_fail(TOOL_MEMORY, "out of memory");
    }
    for (int32_t i = 0; code == TOOL_DONE && i < from->surface_count; i++) {
        const sup_surface* s = from->surfaces + i;
        const sup_mesh* m = meshes + i;
        if (s->changes && from->scene) {
            add(&all, m->point_count, m->points, m->polygon_count, m->starts, m->corners);
        } else {
            add(&all, s->point_count, vertices, s->polygon_count, s->starts, s->corners);
        }
        vertices += s->point_count;
    }
    if (code == TOOL_DONE) {
        all.starts[all.polygon_count] = (int32_t)all.corner_count;
        if (save(path, &all, &error) != SUP_OK) code = tool_fail_error(&error);
    }
    for (int32_t i = 0; i < from->surface_count; i++) sup_mesh_free(meshes + i);
    free(meshes);
    free(all.points);
    free(all.starts);
    free(all.corners);
    return code;
}
