/* See geometry.h. */
#include "render/geometry.h"

#include "blueprint/blueprint.h"
#include "render/vec.h"

#include <stdlib.h>

/* How far light goes into a soft body, as a share of its size. */
#define LIGHT_DEPTH 0.1
/* Soft bodies look moist: their coat is smoother than the same colour on stone. */
#define WET 0.65f

static bool allocate(render_geometry* g, const sup_scene_info* info) {
    size_t colliders = (size_t)info->collider_count;
    size_t vertices = (size_t)info->vertex_count + 8 * colliders + 1;
    size_t triangles = (size_t)info->triangle_count + 12 * colliders + 1;
    size_t normals = 3 * (size_t)info->triangle_count + 6 * colliders + 1;
    g->vertices = calloc(vertices, sizeof *g->vertices);
    g->triangles = calloc(triangles, sizeof *g->triangles);
    g->corner_normals = calloc(triangles, sizeof *g->corner_normals);
    g->triangle_material = calloc(triangles, sizeof *g->triangle_material);
    g->normals = calloc(normals, sizeof *g->normals);
    g->spheres = calloc(colliders + 1, sizeof *g->spheres);
    g->sphere_material = calloc(colliders + 1, sizeof *g->sphere_material);
    g->materials = calloc((size_t)info->body_count + colliders + 1, sizeof *g->materials);
    return g->vertices && g->triangles && g->corner_normals && g->triangle_material && g->normals &&
           g->spheres && g->sphere_material && g->materials;
}

/* Polygons become fans of triangles. */
static void add_triangles(render_geometry* g, const sup_surface* surface, int32_t material) {
    for (int32_t p = 0; p < surface->polygon_count; p++) {
        const int32_t* corners = surface->corners + surface->starts[p];
        int32_t count = surface->starts[p + 1] - surface->starts[p];
        for (int32_t k = 2; k < count; k++) {
            int32_t t = g->triangle_count++;
            g->triangles[t][0] = g->vertex_count + corners[0];
            g->triangles[t][1] = g->vertex_count + corners[k - 1];
            g->triangles[t][2] = g->vertex_count + corners[k];
            g->triangle_material[t] = material;
        }
    }
}

/* Normals go by particle: vertices that the blueprint has welded shade as one. */
static bool add_normals(render_geometry* g, const sup_blueprint* blueprint, int32_t first) {
    const sup_blueprint_info* info = &blueprint->info;
    return crease_corners((const int32_t(*)[3])g->triangles + first, g->triangle_count - first,
                          g->vertex_count, blueprint->vertex_rows, blueprint->rest,
                          info->particle_count, g->corner_normals + first, &g->normal_count);
}

static bool add_bodies(render_geometry* g, sup_scene* scene, const sup_scene_info* info) {
    int32_t count;
    const sup_surface* surfaces = sup_scene_surfaces(scene, &count);
    for (int32_t e = 0; e < info->entry_count; e++) {
        sup_scene_entry entry = sup_scene_get_entry(scene, e);
        bool soft = entry.material.rule != SUP_STIFFNESS_RIGID;
        for (int32_t i = entry.first_body; i < entry.first_body + entry.body_count; i++) {
            const sup_surface* s = surfaces + i;
            g->materials[g->material_count++] = (render_material){
                .colour = {s->colour[0], s->colour[1], s->colour[2]},
                .roughness = soft ? WET * s->roughness : s->roughness,
                .depth = soft ? (float)(LIGHT_DEPTH * entry.blueprint.size) : 0.0f};
            int32_t first = g->triangle_count;
            add_triangles(g, s, i);
            const sup_blueprint* blueprint =
                sup_body_blueprint(sup_scene_world(scene), sup_scene_get_body(scene, i, NULL));
            if (!add_normals(g, blueprint, first)) return false;
            g->vertex_count += s->point_count;
        }
    }
    return true;
}

bool geometry_create(render_geometry* g, sup_scene* scene, const double origin[3], double horizon) {
    sup_scene_info info = sup_scene_get_info(scene);
    *g = (render_geometry){.origin = {origin[0], origin[1], origin[2]}};
    if (!allocate(g, &info) || !add_bodies(g, scene, &info)) return false;
    g->body_vertex_count = g->vertex_count;
    g->body_triangle_count = g->triangle_count;
    g->body_normal_count = g->normal_count;
    /* Planes last: the tracer wants those that only are seen at the end. */
    for (int planes = 0; planes < 2; planes++) {
        if (planes) g->solid_triangle_count = g->triangle_count;
        for (int32_t i = 0; i < info.collider_count; i++) {
            sup_scene_collider collider = sup_scene_get_collider(scene, i);
            bool is_plane = collider.def.kind == SUP_COLLIDER_PLANE;
            if (is_plane == (planes == 1)) solid_add(g, &collider, horizon);
        }
    }
    return true;
}

/* Sums of the triangles around, each as long as twice its area. */
static void update_normals(render_geometry* g) {
    for (int32_t i = 0; i < g->body_normal_count; i++) g->normals[i] = (sup_vec3){0, 0, 0};
    for (int32_t t = 0; t < g->body_triangle_count; t++) {
        const int32_t* v = g->triangles[t];
        sup_vec3 a = g->vertices[v[0]];
        sup_vec3 normal =
            vec_cross(vec_subtract(g->vertices[v[1]], a), vec_subtract(g->vertices[v[2]], a));
        for (int k = 0; k < 3; k++) {
            sup_vec3* sum = g->normals + g->corner_normals[t][k];
            *sum = vec_add(*sum, normal);
        }
    }
    for (int32_t i = 0; i < g->body_normal_count; i++) g->normals[i] = vec_unit(g->normals[i]);
}

void geometry_update(render_geometry* g, sup_scene* scene) {
    int32_t count, vertex = 0;
    const sup_surface* surfaces = sup_scene_surfaces(scene, &count);
    for (int32_t i = 0; i < count; i++) {
        sup_body body = sup_scene_get_body(scene, i, NULL);
        sup_body_read_vertices(sup_scene_world(scene), body, g->origin, g->vertices + vertex);
        vertex += surfaces[i].point_count;
    }
    update_normals(g);
}

typedef enum plane_kind { PLANE_BLOCKS, PLANE_SEEN, PLANE_HIDDEN } plane_kind;

static plane_kind plane_kind_of(const render_geometry* g, int32_t t, sup_vec3 viewer,
                                sup_vec3 lamp) {
    sup_vec3 normal = g->normals[g->corner_normals[t][0]];
    sup_vec3 to_viewer = vec_subtract(viewer, g->vertices[g->triangles[t][0]]);
    if (vec_dot(normal, to_viewer) <= 0.0f) return PLANE_HIDDEN;
    return vec_dot(normal, lamp) > 0.0f ? PLANE_BLOCKS : PLANE_SEEN;
}

static void swap_triangles(render_geometry* g, int32_t a, int32_t b) {
    for (int k = 0; k < 3; k++) {
        int32_t vertex = g->triangles[a][k], normal = g->corner_normals[a][k];
        g->triangles[a][k] = g->triangles[b][k];
        g->corner_normals[a][k] = g->corner_normals[b][k];
        g->triangles[b][k] = vertex;
        g->corner_normals[b][k] = normal;
    }
    int32_t material = g->triangle_material[a];
    g->triangle_material[a] = g->triangle_material[b];
    g->triangle_material[b] = material;
}

void geometry_order_planes(render_geometry* g, sup_vec3 viewer, sup_vec3 lamp,
                           int32_t* blocking_count, int32_t* seen_count) {
    int32_t ends[2], at = g->solid_triangle_count;
    for (plane_kind kind = PLANE_BLOCKS; kind <= PLANE_SEEN; kind++) {
        for (int32_t t = at; t < g->triangle_count; t++) {
            if (plane_kind_of(g, t, viewer, lamp) == kind) swap_triangles(g, at++, t);
        }
        ends[kind] = at;
    }
    *blocking_count = ends[0];
    *seen_count = ends[1];
}

void geometry_free(render_geometry* g) {
    free(g->vertices);
    free(g->triangles);
    free(g->corner_normals);
    free(g->triangle_material);
    free(g->normals);
    free(g->spheres);
    free(g->sphere_material);
    free(g->materials);
    *g = (render_geometry){0};
}
