/* Surfaces of bodies made of cells, a fork among them, and what clusters do with its fingers. */
#ifndef SUPPLE_TESTS_BLUEPRINT_VOXELS_H
#define SUPPLE_TESTS_BLUEPRINT_VOXELS_H

#include "blueprint/blueprint.h"
#include "world/yard.h"

static inline int32_t cluster_size(const sup_blueprint* b, int32_t c) {
    return b->clusters[c].count;
}

static inline int32_t member(const sup_blueprint* b, int32_t c, int32_t i) {
    return b->members.index ? b->members.index[b->clusters[c].begin + i] : i;
}

/* The surface of a body of unit cells, scaled: quads between cells inside and cells outside. */
typedef bool inside_test(int x, int y, int z);

enum { VOXELS = 16 };

static inline sup_mesh voxel_mesh(inside_test* inside, double cell) {
    static int32_t ids[VOXELS + 1][VOXELS + 1][VOXELS + 1];
    static sup_vec3 points[5000];
    static int32_t corners[20000], starts[5000];
    int32_t point_count = 0, corner_count = 0, polygon_count = 0;
    memset(ids, -1, sizeof ids);
    for (int at = 0; at < VOXELS * VOXELS * VOXELS; at++) {
        int p[3] = {at % VOXELS, at / VOXELS % VOXELS, at / VOXELS / VOXELS};
        if (!inside(p[0], p[1], p[2])) continue;
        for (int side = 0; side < 6; side++) {
            int axis = side / 2, out = side % 2, n[3] = {p[0], p[1], p[2]};
            n[axis] += out ? 1 : -1;
            if (inside(n[0], n[1], n[2])) continue;
            /* Counter-clockwise from outside: along u, then w, where u x w is the axis. */
            int u = (axis + 1) % 3, w = (axis + 2) % 3;
            for (int i = 0; i < 4; i++) {
                int turn = out ? i : 3 - i, q[3] = {p[0], p[1], p[2]};
                q[axis] += out;
                q[u] += turn == 1 || turn == 2;
                q[w] += turn >= 2;
                int32_t* id = &ids[q[0]][q[1]][q[2]];
                if (*id < 0) {
                    *id = point_count;
                    points[point_count++] = (sup_vec3){(float)(cell * q[0]), (float)(cell * q[1]),
                                                       (float)(cell * q[2])};
                }
                corners[corner_count++] = *id;
            }
            starts[++polygon_count] = corner_count;
        }
    }
    sup_mesh mesh;
    sup_error error = {0};
    assert_ok(
        sup_mesh_create(NULL, point_count, points, polygon_count, starts, corners, &mesh, &error),
        error);
    return mesh;
}

/* A U: two fingers two cells thick and one cell apart, on a base. */
static inline bool inside_fork(int x, int y, int z) {
    if (x < 0 || x > 4 || y < 0 || y > 13 || z < 0 || z > 1) return false;
    return y < 2 || x != 2;
}

/* The same without the gap. */
static inline bool inside_block(int x, int y, int z) {
    return x >= 0 && x <= 4 && y >= 0 && y <= 13 && z >= 0 && z <= 1;
}

/* Clusters that hold particles of both fingers, well above the base. */
static inline int32_t count_glued(const sup_blueprint* b, double cell, double above) {
    int32_t glued = 0;
    for (int32_t c = 0; c < b->cluster_count; c++) {
        bool left = false, right = false, high = true;
        for (int32_t i = 0; i < cluster_size(b, c); i++) {
            const sup_vec3* p = b->rest + member(b, c, i);
            high = high && (double)p->y > above;
            left = left || (double)p->x < 2.5 * cell;
            right = right || (double)p->x > 2.5 * cell;
        }
        glued += high && left && right;
    }
    return glued;
}

#endif
