/* Soft substance: a surface that has other triangles in each picture. See geometry.h. */
#include "render/geometry.h"

#include "supple/mesh.h"

#include <stdlib.h>
#include <string.h>

bool softs_create(render_geometry* g, sup_scene* scene) {
    int32_t count;
    const sup_surface* surfaces = sup_scene_surfaces(scene, &count);
    g->softs = calloc((size_t)count + 1, sizeof *g->softs);
    if (!g->softs) return false;
    for (int32_t i = 0; i < count; i++) {
        if (!surfaces[i].changes) continue;
        render_soft* soft = g->softs + g->soft_count;
        sup_body body = sup_scene_get_body(scene, i, NULL);
        if (sup_body_find_surface(sup_scene_world(scene), body, g->origin, &soft->mesh,
                                  &soft->normals, NULL) != SUP_OK) {
            return false;
        }
        soft->material = i;
        g->soft_count++;
    }
    return true;
}

void softs_add(render_geometry* g) {
    for (int32_t i = 0; i < g->soft_count; i++) {
        render_soft* soft = g->softs + i;
        const sup_mesh* mesh = &soft->mesh;
        size_t points = (size_t)mesh->point_count;
        soft->normal = g->normal_count;
        if (points > 0)
            memcpy(g->vertices + g->vertex_count, mesh->points, points * sizeof *mesh->points);
        for (int32_t t = 0; t < mesh->polygon_count; t++) {
            int32_t to = g->triangle_count++;
            for (int k = 0; k < 3; k++) {
                g->triangles[to][k] = g->vertex_count + mesh->corners[3 * t + k];
                g->corner_normals[to][k] = g->normal_count + mesh->corners[3 * t + k];
            }
            g->triangle_material[to] = soft->material;
        }
        g->vertex_count += mesh->point_count;
        g->normal_count += mesh->point_count;
    }
}

void softs_shade(render_geometry* g) {
    for (int32_t i = 0; i < g->soft_count; i++) {
        const render_soft* soft = g->softs + i;
        for (int32_t p = 0; p < soft->mesh.point_count; p++) {
            sup_vec3 n = soft->normals[p];
            bool flat = n.x == 0.0f && n.y == 0.0f && n.z == 0.0f;
            if (!flat) g->normals[soft->normal + p] = n;
        }
    }
}

void softs_free(render_geometry* g) {
    for (int32_t i = 0; i < g->soft_count; i++) {
        render_soft* soft = g->softs + i;
        sup_points_free(soft->mesh.allocator, soft->normals, soft->mesh.point_count);
        sup_mesh_free(&soft->mesh);
    }
    free(g->softs);
}
