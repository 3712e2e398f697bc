/* See geometry.h. */
#include "render/geometry.h"

#include "blueprint/blueprint.h"
#include "file/polygons.h"
#include "render/vec.h"

#include <stdlib.h>
#include <string.h>

/* How far light goes into a soft body, as a share of its size. */
#define LIGHT_DEPTH 0.1
/* Soft bodies look moist: their coat is smoother than the same colour on stone. */
#define WET 0.65f

/* Is it drawn as spheres? */
static bool is_cloud(const sup_surface* s) { return supi_polygons_is_cloud(s) && !s->changes; }

/* Vertices of all clouds. */
static size_t count_cloud_points(const sup_scene* scene) {
    int32_t count;
    const sup_surface* surfaces = sup_scene_surfaces(scene, &count);
    size_t points = 0;
    for (int32_t i = 0; i < count; i++) {
        if (is_cloud(surfaces + i)) points += (size_t)surfaces[i].point_count;
    }
    return points;
}

static bool allocate(render_geometry* g, const sup_scene_info* info, size_t cloud_points) {
    size_t colliders = (size_t)g->solid_count;
    size_t vertices = (size_t)info->vertex_count + 1;
    size_t triangles = (size_t)info->triangle_count + 1;
    size_t spheres = (size_t)g->sphere_count + cloud_points + 1;
    for (int32_t i = 0; i < g->solid_count; i++) {
        const sup_mesh* mesh = &g->solids[i].mesh;
        vertices += (size_t)mesh->point_count;
        triangles += (size_t)(mesh->corner_count - 2 * mesh->polygon_count);
    }
    for (int32_t i = 0; i < g->soft_count; i++) {
        vertices += (size_t)g->softs[i].mesh.point_count;
        triangles += (size_t)g->softs[i].mesh.polygon_count;
    }
    g->vertices = calloc(vertices, sizeof *g->vertices);
    g->triangles = calloc(triangles, sizeof *g->triangles);
    g->corner_normals = calloc(triangles, sizeof *g->corner_normals);
    g->triangle_material = calloc(triangles, sizeof *g->triangle_material);
    g->normals = calloc(3 * triangles, sizeof *g->normals); /* more than points of softs */
    g->spheres = calloc(spheres, sizeof *g->spheres);
    g->sphere_material = calloc(spheres, sizeof *g->sphere_material);
    g->sphere_vertex = calloc(spheres, sizeof *g->sphere_vertex);
    g->materials = calloc((size_t)info->body_count + colliders + 1, sizeof *g->materials);
    g->sheets = calloc((size_t)info->body_count + 1, sizeof *g->sheets);
    return g->vertices && g->triangles && g->corner_normals && g->triangle_material && g->normals &&
           g->spheres && g->sphere_material && g->sphere_vertex && g->materials && g->sheets;
}

/* Polygons become fans of triangles. */
static void add_triangles(render_geometry* g, int32_t polygon_count, const int32_t* starts,
                          const int32_t* all_corners, int32_t material) {
    for (int32_t p = 0; p < polygon_count; p++) {
        const int32_t* corners = all_corners + starts[p];
        int32_t count = starts[p + 1] - starts[p];
        for (int32_t k = 2; k < count; k++) {
            int32_t t = g->triangle_count++;
            g->triangles[t][0] = g->vertex_count + corners[0];
            g->triangles[t][1] = g->vertex_count + corners[k - 1];
            g->triangles[t][2] = g->vertex_count + corners[k];
            g->triangle_material[t] = material;
        }
    }
}

/* A sphere around each vertex of a cloud; its centre comes with the update. */
static void add_cloud(render_geometry* g, const sup_surface* s, int32_t material) {
    for (int32_t i = 0; i < s->point_count; i++) {
        int32_t sphere = g->sphere_count++;
        g->spheres[sphere].w = s->point_radius;
        g->sphere_vertex[sphere] = g->vertex_count + i;
        g->sphere_material[sphere] = material;
    }
}

/* Normals go by particle or point of the skin: vertices that the blueprint has welded shade as
   one. */
static bool add_normals(render_geometry* g, const sup_blueprint* blueprint, int32_t body,
                        int32_t first) {
    if (blueprint->can_tear) {
        int32_t count = g->triangle_count - first;
        g->sheets[g->sheet_count++] =
            (render_sheet){body, g->vertex_count, first, g->normal_count, count};
        g->normal_count += 3 * count;
        return true;
    }
    bool skinned = blueprint->skin.count > 0;
    const sup_vec3* rest = skinned ? blueprint->skin.rest : blueprint->rest;
    int32_t count = skinned ? blueprint->skin.count : blueprint->info.particle_count;
    return crease_corners((const int32_t(*)[3])g->triangles + first, g->triangle_count - first,
                          g->vertex_count, blueprint->vertex_rows, rest, count,
                          g->corner_normals + first, &g->normal_count);
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
                .depth = soft && !is_cloud(s) ? (float)(LIGHT_DEPTH * entry.blueprint.size) : 0.0f};
            int32_t first = g->triangle_count;
            if (is_cloud(s)) add_cloud(g, s, i);
            add_triangles(g, s->polygon_count, s->starts, s->corners, i);
            const sup_blueprint* blueprint =
                sup_body_blueprint(sup_scene_world(scene), sup_scene_get_body(scene, i, NULL));
            if (!add_normals(g, blueprint, i, first)) return false;
            g->vertex_count += s->point_count;
        }
    }
    return true;
}

/* A mesh of its own: every point shades by itself. */
static bool add_mesh(render_geometry* g, render_solid* solid) {
    const sup_mesh* mesh = &solid->mesh;
    int32_t first = g->triangle_count;
    int32_t* own = malloc(((size_t)mesh->point_count + 1) * sizeof *own);
    if (!own) return false;
    for (int32_t i = 0; i < mesh->point_count; i++) own[i] = i;
    add_triangles(g, mesh->polygon_count, mesh->starts, mesh->corners, solid->material);
    bool ok = crease_corners((const int32_t(*)[3])g->triangles + first, g->triangle_count - first,
                             g->vertex_count, own, mesh->points, mesh->point_count,
                             g->corner_normals + first, &g->normal_count);
    free(own);
    solid->vertex = g->vertex_count;
    g->vertex_count += mesh->point_count;
    return ok;
}

static bool keep_facets(render_geometry* g) {
    int32_t first = g->solid_triangle_count, count = g->triangle_count - first;
    g->facets = calloc((size_t)count + 1, sizeof *g->facets);
    if (!g->facets) return false;
    for (int32_t i = 0; i < count; i++) {
        render_facet* facet = g->facets + i;
        memcpy(facet->corners, g->triangles[first + i], sizeof facet->corners);
        memcpy(facet->normals, g->corner_normals[first + i], sizeof facet->normals);
        facet->material = g->triangle_material[first + i];
    }
    return true;
}

static bool add_solids(render_geometry* g, sup_scene* scene) {
    g->solid_triangle_count = -1;
    for (int32_t i = 0; i < g->solid_count; i++) {
        render_solid* solid = g->solids + i;
        sup_scene_collider collider = sup_scene_get_collider(scene, solid->collider);
        solid->material = g->material_count++;
        g->materials[solid->material] = (render_material){
            .colour = {collider.colour[0], collider.colour[1], collider.colour[2]},
            .roughness = collider.roughness};
        if (solid->one_sided && g->solid_triangle_count < 0) {
            g->solid_triangle_count = g->triangle_count;
        }
        if (solid->sphere >= 0)
            g->sphere_material[solid->sphere] = solid->material;
        else if (!add_mesh(g, solid))
            return false;
    }
    if (g->solid_triangle_count < 0) g->solid_triangle_count = g->triangle_count;
    return keep_facets(g);
}

bool geometry_create(render_geometry* g, sup_scene* scene, const double origin[3], double horizon) {
    sup_scene_info info = sup_scene_get_info(scene);
    *g = (render_geometry){.origin = {origin[0], origin[1], origin[2]}, .horizon = horizon};
    if (!solids_create(g, scene, horizon) || !softs_create(g, scene)) return false;
    g->solid_sphere_count = g->sphere_count;
    if (!allocate(g, &info, count_cloud_points(scene)) || !add_bodies(g, scene, &info)) {
        return false;
    }
    g->body_vertex_count = g->vertex_count;
    g->body_triangle_count = g->triangle_count;
    softs_add(g);
    g->soft_triangle_count = g->triangle_count;
    return add_solids(g, scene);
}

/* Normal of a triangle, as long as twice its area. */
static sup_vec3 facing(const render_geometry* g, const int32_t corners[3]) {
    sup_vec3 a = g->vertices[corners[0]];
    return vec_cross(vec_subtract(g->vertices[corners[1]], a),
                     vec_subtract(g->vertices[corners[2]], a));
}

/* Normals of a surface that tears go by the particles that its vertices follow now: the lips of a
   crack have their own. */
static bool part_normals(render_geometry* g, const sup_world* world, sup_body body,
                         const render_sheet* sheet) {
    const sup_blueprint* blueprint = sup_body_blueprint(world, body);
    int32_t count = blueprint->info.particle_count, vertices = blueprint->info.vertex_count;
    int32_t* particles = calloc((size_t)vertices + 1, sizeof *particles);
    sup_vec3* rest = calloc((size_t)count + 1, sizeof *rest);
    int32_t normal = sheet->normal;
    bool ok = particles && rest;
    if (ok) {
        sup_body_read_vertex_particles(world, body, particles);
        for (int32_t i = 0; i < vertices; i++) {
            rest[particles[i]] = blueprint->rest[blueprint->vertex_rows[i]];
        }
        ok = crease_corners((const int32_t(*)[3])g->triangles + sheet->triangle,
                            sheet->triangle_count, sheet->vertex, particles, rest, count,
                            g->corner_normals + sheet->triangle, &normal);
    }
    free(particles);
    free(rest);
    return ok;
}

/* Sums of the triangles around. */
static void update_normals(render_geometry* g) {
    for (int32_t i = 0; i < g->normal_count; i++) g->normals[i] = (sup_vec3){0, 0, 0};
    for (int32_t t = 0; t < g->triangle_count; t++) {
        sup_vec3 normal = facing(g, g->triangles[t]);
        for (int k = 0; k < 3; k++) {
            sup_vec3* sum = g->normals + g->corner_normals[t][k];
            *sum = vec_add(*sum, normal);
        }
    }
    for (int32_t i = 0; i < g->normal_count; i++) g->normals[i] = vec_unit(g->normals[i]);
}

static void put_facet(render_geometry* g, int32_t t, const render_facet* facet) {
    memcpy(g->triangles[t], facet->corners, sizeof facet->corners);
    memcpy(g->corner_normals[t], facet->normals, sizeof facet->normals);
    g->triangle_material[t] = facet->material;
}

/* Surfaces of soft substance have other triangles now. */
static bool make_anew(render_geometry* g, sup_scene* scene) {
    render_geometry next;
    bool ok = geometry_create(&next, scene, g->origin, g->horizon);
    if (ok) {
        geometry_free(g);
        *g = next;
    } else {
        geometry_free(&next);
    }
    return ok;
}

bool geometry_update(render_geometry* g, sup_scene* scene) {
    int32_t count, vertex = 0;
    if (g->soft_count > 0 && !make_anew(g, scene)) return false;
    for (int32_t t = g->solid_triangle_count; t < g->triangle_count; t++) {
        put_facet(g, t, g->facets + t - g->solid_triangle_count);
    }
    const sup_surface* surfaces = sup_scene_surfaces(scene, &count);
    for (int32_t i = 0; i < count; i++) {
        sup_body body = sup_scene_get_body(scene, i, NULL);
        sup_body_read_vertices(sup_scene_world(scene), body, g->origin, g->vertices + vertex);
        vertex += surfaces[i].point_count;
    }
    for (int32_t i = g->solid_sphere_count; i < g->sphere_count; i++) {
        sup_vec3 at = g->vertices[g->sphere_vertex[i]];
        g->spheres[i] = (sup_row){at.x, at.y, at.z, g->spheres[i].w};
    }
    solids_update(g, scene);
    for (int32_t i = 0; i < g->sheet_count; i++) {
        sup_body body = sup_scene_get_body(scene, g->sheets[i].body, NULL);
        if (!part_normals(g, sup_scene_world(scene), body, g->sheets + i)) return false;
    }
    update_normals(g);
    softs_shade(g);
    return true;
}

typedef enum plane_kind { PLANE_BLOCKS, PLANE_SEEN, PLANE_HIDDEN } plane_kind;

static plane_kind plane_kind_of(const render_geometry* g, const render_facet* facet,
                                sup_vec3 viewer, sup_vec3 lamp) {
    sup_vec3 normal = facing(g, facet->corners);
    sup_vec3 to_viewer = vec_subtract(viewer, g->vertices[facet->corners[0]]);
    if (vec_dot(normal, to_viewer) <= 0.0f) return PLANE_HIDDEN;
    return vec_dot(normal, lamp) > 0.0f ? PLANE_BLOCKS : PLANE_SEEN;
}

void geometry_order_planes(render_geometry* g, sup_vec3 viewer, sup_vec3 lamp,
                           int32_t* blocking_count, int32_t* seen_count) {
    int32_t ends[3], at = g->solid_triangle_count, count = g->triangle_count - at;
    for (plane_kind kind = PLANE_BLOCKS; kind <= PLANE_HIDDEN; kind++) {
        for (int32_t i = 0; i < count; i++) {
            const render_facet* facet = g->facets + i;
            if (plane_kind_of(g, facet, viewer, lamp) == kind) put_facet(g, at++, facet);
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
    free(g->facets);
    free(g->sheets);
    free(g->spheres);
    free(g->sphere_material);
    free(g->sphere_vertex);
    free(g->materials);
    softs_free(g);
    solids_free(g);
    *g = (render_geometry){0};
}
