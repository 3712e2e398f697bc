/* Bars of tetrahedra or hexahedra over a lattice of points, for tests. */
#ifndef SUPPLE_TESTS_WORLD_ELEMENTS_H
#define SUPPLE_TESTS_WORLD_ELEMENTS_H

#include "world/yard.h"

enum { BAR_POINTS_MOST = 192, BAR_ELEMENTS_MOST = 800 };

typedef struct element_bar {
    sup_blueprint_def def;
    sup_vec3 points[BAR_POINTS_MOST];
    int32_t elements[8 * BAR_ELEMENTS_MOST];
} element_bar;

/* Six tetrahedra of a cell: the ways from its first corner to its last along the axes in turn.
   Those of neighbouring cells share faces. */
static inline void cut_cell(element_bar* bar, const int32_t corner[8]) {
    static const int ways[6][3] = {{1, 2, 4}, {2, 4, 1}, {4, 1, 2},
                                   {1, 4, 2}, {4, 2, 1}, {2, 1, 4}};
    for (int t = 0; t < 6; t++) {
        int32_t* element = bar->elements + 4 * bar->def.element_count++;
        const int a = ways[t][0], b = a | ways[t][1];
        element[0] = corner[0];
        element[1] = corner[a];
        element[2] = corner[b];
        element[3] = corner[7];
    }
}

/* n[0] x n[1] x n[2] points `spacing` apart, in elements of 4 or 8 corners. */
static inline void make_element_bar(const int32_t n[3], double spacing, int32_t corners,
                                    element_bar* bar) {
    bar->def = sup_blueprint_default();
    bar->def.points = bar->points;
    bar->def.point_count =
        make_lattice(n[0], n[1], n[2], (double[3]){spacing, spacing, spacing}, bar->points);
    bar->def.layout = SUP_CLUSTERS_ELEMENTS;
    bar->def.element_corners = corners;
    bar->def.elements = bar->elements;
    for (int32_t z = 0; z + 1 < n[2]; z++) {
        for (int32_t y = 0; y + 1 < n[1]; y++) {
            for (int32_t x = 0; x + 1 < n[0]; x++) {
                int32_t corner[8];
                for (int32_t i = 0; i < 8; i++) {
                    corner[i] = x + (i & 1) + n[0] * (y + (i >> 1 & 1) + n[1] * (z + (i >> 2)));
                }
                if (corners == 4) {
                    cut_cell(bar, corner);
                } else {
                    memcpy(bar->elements + 8 * bar->def.element_count++, corner, sizeof corner);
                }
            }
        }
    }
    assert_true(bar->def.point_count <= BAR_POINTS_MOST);
    assert_true(bar->def.element_count <= BAR_ELEMENTS_MOST);
}

#endif
