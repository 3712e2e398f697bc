/* Meshes for the tests of colliders: closed and open, smooth and bent. */
#ifndef SUPPLE_TESTS_CONTACT_SURFACES_H
#define SUPPLE_TESTS_CONTACT_SURFACES_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "contact/trimesh.h"
#include "ref/ref_random.h"
#include "supple/mesh.h"

#include <math.h>

static inline double uniform(uint64_t* state, double low, double high) {
    return low + (high - low) * (0.5 + 0.5 * ref_random(state));
}

static inline sup_vec3 random_place(uint64_t* state, double size) {
    sup_vec3 x;
    x.x = (float)uniform(state, -size, size);
    x.y = (float)uniform(state, -size, size);
    x.z = (float)uniform(state, -size, size);
    return x;
}

/* Twists and bends everything smoothly. */
static inline void bend(sup_mesh* mesh) {
    for (int32_t i = 0; i < mesh->point_count; i++) {
        sup_vec3 p = mesh->points[i];
        float angle = 0.8f * p.y;
        mesh->points[i].x = cosf(angle) * p.x - sinf(angle) * p.z + 0.2f * sinf(3 * p.y);
        mesh->points[i].z = sinf(angle) * p.x + cosf(angle) * p.z;
    }
}

static inline sup_mesh sphere_surface(int32_t subdivisions) {
    sup_mesh mesh;
    assert_int_equal(sup_mesh_icosphere(NULL, 1, subdivisions, &mesh, NULL), SUP_OK);
    return mesh;
}

static inline sup_mesh box_surface(double x, double y, double z, int32_t segments) {
    sup_mesh mesh;
    const double size[3] = {x, y, z};
    const int32_t n[3] = {segments, segments, segments};
    assert_int_equal(sup_mesh_box(NULL, size, n, &mesh, NULL), SUP_OK);
    return mesh;
}

static inline sup_mesh sheet_surface(double x, double z, int32_t segments) {
    sup_mesh mesh;
    assert_int_equal(sup_mesh_grid(NULL, x, z, segments, segments, &mesh, NULL), SUP_OK);
    return mesh;
}

enum { CLOSED_SURFACES = 4, SURFACES = 7 };

/* Number `which` of a row of surfaces about 1 m in size, the first CLOSED_SURFACES of them closed.
 */
static inline sup_mesh some_surface(int which) {
    sup_mesh mesh;
    static const sup_vec3 corners[3] = {
        {-0.7f, 0.1f, -0.3f}, {0.6f, -0.2f, -0.4f}, {0, 0.3f, 0.8f}};
    static const int32_t ids[3] = {0, 1, 2};
    switch (which) {
    case 0: return sphere_surface(3);
    case 1:
        assert_int_equal(sup_mesh_torus(NULL, 0.8, 0.25, 24, 10, &mesh, NULL), SUP_OK);
        return mesh;
    case 2:
        mesh = box_surface(1.2, 1.6, 0.15, 6);
        bend(&mesh);
        return mesh;
    case 3: return box_surface(1, 0.7, 1.3, 1);
    case 4: return sheet_surface(1.5, 1.2, 8);
    case 5:
        mesh = sheet_surface(1.5, 1.5, 12);
        for (int32_t i = 0; i < mesh.point_count; i++) {
            mesh.points[i].y = 0.3f * sinf(4 * mesh.points[i].x) * cosf(3 * mesh.points[i].z);
        }
        bend(&mesh);
        return mesh;
    default:
        assert_int_equal(sup_mesh_create(NULL, 3, corners, 1, NULL, ids, &mesh, NULL), SUP_OK);
        return mesh;
    }
}

static inline supi_trimesh* trimesh_of(const sup_mesh* mesh) {
    supi_trimesh* made = NULL;
    assert_int_equal(supi_trimesh_create(sup_allocator_default(), mesh, &made, NULL), SUP_OK);
    return made;
}

#endif
