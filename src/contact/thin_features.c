/* Triangles, edges and points of a surface, and of edges that belong to none. */
#include "contact/thin.h"
#include "contact/vec3.h"
#include "geom/sort.h"

#include <math.h>

int32_t supi_thin_triangle_count(const int32_t* starts, int32_t polygon_count) {
    int32_t count = 0;
    for (int32_t i = 0; i < polygon_count; i++) {
        int32_t corners = starts[i + 1] - starts[i];
        count += corners > 2 ? corners - 2 : 0;
    }
    return count;
}

static void add_edge(const supi_thin_build* build, int32_t* count, int32_t a, int32_t b) {
    if (a == b) return;
    uint64_t low = (uint64_t)(a < b ? a : b), high = (uint64_t)(a < b ? b : a);
    build->keys[*count] = low << 32 | high;
    build->ids[*count] = *count;
    ++*count;
}

/* Fans, as rows; the sides of each go to the keys of edges. Those that are a line at best are left
   out, not their sides. */
static int32_t fill_triangles(const supi_thin_build* build, const int32_t* starts,
                              const int32_t* corners, const int32_t* rows, int32_t polygon_count,
                              int32_t* key_count) {
    int32_t count = 0;
    for (int32_t i = 0; i < polygon_count; i++) {
        for (int32_t c = starts[i] + 1; c + 1 < starts[i + 1]; c++) {
            int32_t t[3] = {corners[starts[i]], corners[c], corners[c + 1]};
            for (int k = 0; rows && k < 3; k++) t[k] = rows[t[k]];
            for (int k = 0; k < 3; k++) add_edge(build, key_count, t[k], t[(k + 1) % 3]);
            if (t[0] == t[1] || t[1] == t[2] || t[2] == t[0]) continue;
            for (int k = 0; k < 3; k++) build->triangles[3 * count + k] = t[k];
            count++;
        }
    }
    return count;
}

/* Each edge once, in the order of its rows; returns how many. */
static int32_t fill_edges(const supi_thin_build* build, int32_t key_count) {
    int32_t count = 0;
    supi_sort_keys(key_count, build->keys, build->ids, build->spare_keys, build->spare_ids);
    for (int32_t i = 0; i < key_count; i++) {
        if (i > 0 && build->keys[i] == build->keys[i - 1]) continue;
        build->edges[2 * count] = (int32_t)(build->keys[i] >> 32);
        build->edges[2 * count + 1] = (int32_t)(build->keys[i] & 0xffffffff);
        count++;
    }
    return count;
}

supi_thin_features supi_thin_features_fill(const supi_thin_build* build, const int32_t* starts,
                                           const int32_t* corners, const int32_t* rows,
                                           int32_t polygon_count, const int32_t* beside,
                                           int32_t beside_count, const sup_vec3* rest,
                                           int32_t row_count) {
    supi_thin_features f = {
        .triangles = build->triangles, .edges = build->edges, .points = build->points};
    int32_t keys = 0;
    f.triangle_count = fill_triangles(build, starts, corners, rows, polygon_count, &keys);
    for (int32_t i = 0; i < beside_count; i++) {
        add_edge(build, &keys, beside[2 * i], beside[2 * i + 1]);
    }
    f.edge_count = fill_edges(build, keys);
    for (int32_t r = 0; r < row_count; r++) build->points[r] = 0;
    double sum = 0.0;
    for (int32_t i = 0; i < f.edge_count; i++) {
        const int32_t* e = build->edges + 2 * (size_t)i;
        sup_vec3 d = supi_vec3_minus(rest[e[0]], rest[e[1]]);
        sum += sqrt((double)supi_vec3_dot(d, d));
        build->points[e[0]] = build->points[e[1]] = 1;
    }
    for (int32_t r = 0; r < row_count; r++) {
        if (build->points[r]) build->points[f.point_count++] = r;
    }
    f.mean_edge = f.edge_count > 0 ? (float)(sum / f.edge_count) : 0.0f;
    return f;
}
