/* Colliders as shapes. */
#include "geom/mesh.h"
#include "geom/quaternion.h"
#include "geom/vector.h"
#include "render/geometry.h"
#include "supple/mesh.h"

#include <stdlib.h>
#include <string.h>

/* ---- meshes in the collider's own frame ---- */

/* The makers of meshes know sizes up to 1e6 m, colliders larger ones: all are made small and
 * scaled. */
static sup_result scaled(sup_result made, sup_mesh* mesh, double x, double y, double z) {
    static const double still[4] = {0, 0, 0, 1}, origin[3] = {0, 0, 0};
    if (made == SUP_OK) sup_mesh_transform(mesh, (const double[3]){x, y, z}, still, origin);
    return made;
}

static sup_result plane_mesh(double horizon, sup_mesh* out) {
    return scaled(sup_mesh_grid(NULL, 2, 2, 1, 1, out, NULL), out, horizon, 1, horizon);
}

static sup_result box_mesh(const double half[3], sup_mesh* out) {
    static const double size[3] = {2, 2, 2};
    static const int32_t segments[3] = {1, 1, 1};
    return scaled(sup_mesh_box(NULL, size, segments, out, NULL), out, half[0], half[1], half[2]);
}

static sup_result ball_mesh(double radius, sup_mesh* out) {
    return scaled(sup_mesh_icosphere(NULL, 1, 5, out, NULL), out, radius, radius, radius);
}

static sup_result capsule_mesh(double radius, double half_length, sup_mesh* out) {
    if (!(half_length > 0)) return ball_mesh(radius, out);
    double large = radius > half_length ? radius : half_length, least = 2e-6;
    double r = radius / large, length = 2 * half_length / large;
    sup_result made = sup_mesh_capsule(NULL, r > least ? r : least, length > least ? length : least,
                                       48, 12, 1, out, NULL);
    return scaled(made, out, large, large, large);
}

/* Fans from their first corner cut the cells as contact/heights.c does. */
static sup_result heights_mesh(const sup_collider_def* def, sup_mesh* out) {
    int32_t nx = def->height_count[0], nz = def->height_count[1];
    if ((int64_t)nx * nz > INT32_MAX / 4) return SUP_NO_MEMORY;
    int32_t quads = (nx - 1) * (nz - 1);
    if (!supi_mesh_new(sup_allocator_default(), nx * nz, quads, 4 * quads, out)) {
        return SUP_NO_MEMORY;
    }
    int32_t polygon = 0;
    for (int32_t i = 0; i < nx * nz; i++) {
        int32_t x = i % nx, z = i / nx;
        out->points[i] =
            supi_vector_round((x - 0.5 * (nx - 1)) * def->height_step[0], (double)def->heights[i],
                              (z - 0.5 * (nz - 1)) * def->height_step[1]);
        if (x == nx - 1 || z == nz - 1) continue;
        const int32_t corners[4] = {i, i + nx, i + nx + 1, i + 1};
        memcpy(out->corners + 4 * polygon, corners, sizeof corners);
        polygon++;
        out->starts[polygon] = 4 * polygon;
    }
    return SUP_OK;
}

/* Containers are seen from inside. */
static void turn_inside_out(sup_mesh* mesh) {
    for (int32_t p = 0; p < mesh->polygon_count; p++) {
        int32_t a = mesh->starts[p], b = mesh->starts[p + 1] - 1;
        for (; a < b; a++, b--) {
            int32_t corner = mesh->corners[a];
            mesh->corners[a] = mesh->corners[b];
            mesh->corners[b] = corner;
        }
    }
}

static sup_result make_mesh(const sup_collider_def* def, double horizon, sup_mesh* out) {
    sup_result result = SUP_OK;
    switch (def->kind) {
    case SUP_COLLIDER_PLANE: result = plane_mesh(horizon, out); break;
    case SUP_COLLIDER_SPHERE: result = ball_mesh(def->radius, out); break;
    case SUP_COLLIDER_BOX: result = box_mesh(def->half_size, out); break;
    case SUP_COLLIDER_CAPSULE: result = capsule_mesh(def->radius, def->half_length, out); break;
    case SUP_COLLIDER_MESH:
        result = sup_mesh_create(NULL, def->mesh->point_count, def->mesh->points,
                                 def->mesh->polygon_count, def->mesh->starts, def->mesh->corners,
                                 out, NULL);
        break;
    case SUP_COLLIDER_HEIGHTS: result = heights_mesh(def, out); break;
    }
    if (result == SUP_OK && def->inverted) turn_inside_out(out);
    return result;
}

/* ---- all of a scene ---- */

static bool is_one_sided(const sup_collider_def* def) {
    return def->kind == SUP_COLLIDER_PLANE || def->inverted;
}

bool solids_create(render_geometry* g, sup_scene* scene, double horizon) {
    int32_t count = sup_scene_get_info(scene).collider_count;
    g->solids = calloc((size_t)count + 1, sizeof *g->solids);
    if (!g->solids) return false;
    for (int one_sided = 0; one_sided < 2; one_sided++) {
        for (int32_t i = 0; i < count; i++) {
            sup_scene_collider collider = sup_scene_get_collider(scene, i);
            const sup_collider_def* def = &collider.def;
            if (def->sensor || is_one_sided(def) != (one_sided == 1)) continue;
            render_solid* solid = g->solids + g->solid_count++;
            *solid = (render_solid){.collider = i, .sphere = -1, .one_sided = one_sided == 1};
            if (def->kind == SUP_COLLIDER_SPHERE && !def->inverted)
                solid->sphere = g->sphere_count++;
            else if (make_mesh(def, horizon, &solid->mesh) != SUP_OK)
                return false;
        }
    }
    return true;
}

/* Where a collider is: its axes as columns, and its place from the origin of the picture. */
typedef struct pose {
    double axes[9], centre[3];
} pose;

static sup_vec3 placed(const pose* at, sup_vec3 p) {
    const double *m = at->axes, *c = at->centre;
    double x = (double)p.x, y = (double)p.y, z = (double)p.z;
    return supi_vector_round(c[0] + m[0] * x + m[1] * y + m[2] * z,
                             c[1] + m[3] * x + m[4] * y + m[5] * z,
                             c[2] + m[6] * x + m[7] * y + m[8] * z);
}

static sup_vec3 column(const pose* at, int k) {
    return supi_vector_round(at->axes[k], at->axes[3 + k], at->axes[6 + k]);
}

/* A plane is drawn around the place that is nearest to the origin; its grid stays with it. */
static void place_plane(render_material* m, pose* at) {
    const double up[3] = {at->axes[1], at->axes[4], at->axes[7]};
    double height = supi_vector_dot(up, at->centre);
    m->is_ground = true;
    m->centre = supi_vector_round(at->centre[0], at->centre[1], at->centre[2]);
    m->across = column(at, 0);
    m->other = column(at, 2);
    for (int k = 0; k < 3; k++) at->centre[k] = height * up[k];
}

void solids_update(render_geometry* g, sup_scene* scene) {
    for (int32_t i = 0; i < g->solid_count; i++) {
        render_solid* solid = g->solids + i;
        sup_scene_collider collider = sup_scene_get_collider(scene, solid->collider);
        double position[3], rotation[4];
        pose at;
        /* One that has gone stays where it was seen last. */
        if (sup_collider_get_pose(sup_scene_world(scene), collider.handle, position, rotation) !=
            SUP_OK) {
            continue;
        }
        supi_vector_subtract(position, g->origin, at.centre);
        supi_quaternion_matrix(rotation, at.axes);
        if (collider.def.kind == SUP_COLLIDER_PLANE) {
            place_plane(g->materials + solid->material, &at);
        }
        if (solid->sphere >= 0) {
            g->spheres[solid->sphere] = (sup_row){(float)at.centre[0], (float)at.centre[1],
                                                  (float)at.centre[2], (float)collider.def.radius};
        }
        if (collider.def.kind == SUP_COLLIDER_MESH) {
            sup_scene_read_collider_points(scene, solid->collider, solid->mesh.points);
        }
        for (int32_t k = 0; k < solid->mesh.point_count; k++) {
            g->vertices[solid->vertex + k] = placed(&at, solid->mesh.points[k]);
        }
    }
}

void solids_free(render_geometry* g) {
    for (int32_t i = 0; i < g->solid_count; i++) {
        if (g->solids[i].mesh.points) sup_mesh_free(&g->solids[i].mesh);
    }
    free(g->solids);
}
