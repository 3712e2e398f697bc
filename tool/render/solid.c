/* Colliders as shapes. */
#include "geom/quaternion.h"
#include "geom/vector.h"
#include "render/geometry.h"
#include "render/vec.h"

/* A vector turned by a quaternion (x, y, z, w). */
static sup_vec3 turned(const double q[4], double x, double y, double z) {
    double m[9];
    supi_quaternion_matrix(q, m);
    return supi_vector_round(m[0] * x + m[1] * y + m[2] * z, m[3] * x + m[4] * y + m[5] * z,
                             m[6] * x + m[7] * y + m[8] * z);
}

/* A flat side of four corners, seen counter-clockwise. */
static void add_side(render_geometry* g, int32_t first_vertex, const int32_t corners[4],
                     sup_vec3 normal, int32_t material) {
    for (int half = 0; half < 2; half++) {
        int32_t t = g->triangle_count++;
        g->triangles[t][0] = first_vertex + corners[0];
        g->triangles[t][1] = first_vertex + corners[1 + half];
        g->triangles[t][2] = first_vertex + corners[2 + half];
        for (int k = 0; k < 3; k++) g->corner_normals[t][k] = g->normal_count;
        g->triangle_material[t] = material;
    }
    g->normals[g->normal_count++] = normal;
}

static void add_box(render_geometry* g, const sup_collider_def* def, sup_vec3 centre,
                    int32_t material) {
    static const int32_t sides[6][4] = {{0, 4, 6, 2}, {1, 3, 7, 5}, {0, 1, 5, 4},
                                        {2, 6, 7, 3}, {0, 2, 3, 1}, {4, 5, 7, 6}};
    int32_t first = g->vertex_count;
    for (int corner = 0; corner < 8; corner++) {
        double at[3];
        for (int k = 0; k < 3; k++) at[k] = (corner >> k & 1 ? 1 : -1) * def->half_size[k];
        g->vertices[g->vertex_count++] =
            vec_add(centre, turned(def->rotation, at[0], at[1], at[2]));
    }
    for (int side = 0; side < 6; side++) {
        double out[3] = {0, 0, 0};
        out[side / 2] = side % 2 ? 1 : -1;
        add_side(g, first, sides[side], turned(def->rotation, out[0], out[1], out[2]), material);
    }
}

/* A square around the place of the plane that is nearest to the origin. */
static void add_plane(render_geometry* g, const sup_collider_def* def, sup_vec3 centre,
                      double horizon, int32_t material) {
    static const int32_t corners[4] = {0, 2, 3, 1};
    render_material* m = g->materials + material;
    sup_vec3 normal = turned(def->rotation, 0, 1, 0);
    m->is_ground = true;
    m->centre = centre;
    m->across = turned(def->rotation, 1, 0, 0);
    m->other = turned(def->rotation, 0, 0, 1);
    sup_vec3 nearest = vec_scale(normal, vec_dot(normal, centre));
    int32_t first = g->vertex_count;
    for (int corner = 0; corner < 4; corner++) {
        float x = (float)(corner & 1 ? horizon : -horizon);
        float z = (float)(corner & 2 ? horizon : -horizon);
        g->vertices[g->vertex_count++] = vec_along(vec_along(nearest, m->across, x), m->other, z);
    }
    add_side(g, first, corners, normal, material);
}

void solid_add(render_geometry* g, const sup_scene_collider* collider, double horizon) {
    const sup_collider_def* def = &collider->def;
    double at[3];
    supi_vector_subtract(def->position, g->origin, at);
    sup_vec3 centre = supi_vector_round(at[0], at[1], at[2]);
    int32_t material = g->material_count++;
    g->materials[material] =
        (render_material){.colour = {collider->colour[0], collider->colour[1], collider->colour[2]},
                          .roughness = collider->roughness};
    switch (def->kind) {
    case SUP_COLLIDER_PLANE: add_plane(g, def, centre, horizon, material); break;
    case SUP_COLLIDER_BOX: add_box(g, def, centre, material); break;
    case SUP_COLLIDER_SPHERE:
        g->sphere_material[g->sphere_count] = material;
        g->spheres[g->sphere_count++] = (sup_row){centre.x, centre.y, centre.z, (float)def->radius};
        break;
    }
}
