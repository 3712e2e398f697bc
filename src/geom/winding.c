/* Generalised winding number (Jacobson et al. 2013): the solid angle of the surface seen from a
   point, each triangle by the formula of Van Oosterom and Strackee (1983). In a tree, triangles
   that are far away together are one dipole (Barill et al. 2018). */
#include "geom/winding.h"

#include "base/real.h"
#include "geom/vector.h"
#include "supple/mesh.h"

#define TWO_PI 6.283185307179586
#define FAR 2.0  /* sizes of a group away, its triangles are seen as one */
#define DEPTH 64 /* as deep as any tree */

double supi_winding_half_angle(const double a[3], const double b[3], const double c[3]) {
    double bc[3];
    supi_vector_cross(b, c, bc);
    double height = supi_vector_dot(a, bc);
    if (height == 0.0) return 0.0;
    double la = supi_vector_length(a), lb = supi_vector_length(b), lc = supi_vector_length(c);
    double base = la * lb * lc + supi_vector_dot(a, b) * lc + supi_vector_dot(b, c) * la +
                  supi_vector_dot(c, a) * lb;
    return supi_atan2(height, base);
}

double sup_mesh_winding(const sup_mesh* mesh, const double point[3]) {
    double sum = 0.0;
    for (int32_t k = 0; k < mesh->polygon_count; k++) {
        const int32_t* corners = mesh->corners + mesh->starts[k];
        double a[3], b[3], c[3];
        supi_vector_from(&mesh->points[corners[0]], a);
        supi_vector_from(&mesh->points[corners[1]], b);
        supi_vector_subtract(a, point, a);
        supi_vector_subtract(b, point, b);
        for (int32_t i = 2; i < mesh->starts[k + 1] - mesh->starts[k]; i++) {
            supi_vector_from(&mesh->points[corners[i]], c);
            supi_vector_subtract(c, point, c);
            sum += supi_winding_half_angle(a, b, c);
            for (int d = 0; d < 3; d++) b[d] = c[d];
        }
    }
    return sum / TWO_PI;
}

/* ---- Many ---- */

static void add_slot(const supi_bvh_slot* slot, supi_winding_half* half) {
    double c[3][3], ab[3], ac[3], normal[3];
    for (int k = 0; k < 3; k++) supi_vector_from(&slot->corners[k], c[k]);
    supi_vector_subtract(c[1], c[0], ab);
    supi_vector_subtract(c[2], c[0], ac);
    supi_vector_cross(ab, ac, normal);
    double area = 0.5 * supi_vector_length(normal);
    half->area += area;
    for (int k = 0; k < 3; k++) {
        half->normal[k] += 0.5 * normal[k];
        half->centre[k] += area * (c[0][k] + c[1][k] + c[2][k]) / 3.0;
    }
}

static void add_half(const supi_winding_half* below, supi_winding_half* half) {
    half->area += below->area;
    for (int k = 0; k < 3; k++) {
        half->normal[k] += below->normal[k];
        half->centre[k] += below->area * below->centre[k];
    }
}

/* From the furthest corner of the box. */
static double find_reach(const supi_bvh_node* node, int k, const double centre[3]) {
    double square = 0.0;
    for (int d = 0; d < 3; d++) {
        double below = centre[d] - (double)node->low[k][d];
        double above = (double)node->high[k][d] - centre[d];
        double most = below > above ? below : above;
        square += most * most;
    }
    return FAR * FAR * square;
}

void supi_winding_summarise(const supi_bvh* tree, supi_winding_half* halves) {
    for (int32_t i = tree->node_count - 1; i >= 0; i--) {
        const supi_bvh_node* node = &tree->nodes[i];
        for (int k = 0; k < 2; k++) {
            supi_winding_half half = {.area = 0.0};
            for (int32_t s = 0; s < node->count[k]; s++) {
                add_slot(&tree->slots[node->first[k] + s], &half);
            }
            for (int below = 0; node->count[k] == 0 && below < 2; below++) {
                add_half(&halves[2 * node->first[k] + below], &half);
            }
            for (int d = 0; half.area > 0.0 && d < 3; d++) half.centre[d] /= half.area;
            half.reach2 = find_reach(node, k, half.centre);
            halves[2 * i + k] = half;
        }
    }
}

static double leaf_angle(const supi_bvh* tree, int32_t first, int32_t count, const double x[3]) {
    double sum = 0.0;
    for (int32_t s = first; s < first + count; s++) {
        double c[3][3];
        for (int k = 0; k < 3; k++) {
            supi_vector_from(&tree->slots[s].corners[k], c[k]);
            supi_vector_subtract(c[k], x, c[k]);
        }
        sum += supi_winding_half_angle(c[0], c[1], c[2]);
    }
    return sum;
}

double supi_winding_number(const supi_bvh* tree, const supi_winding_half* halves,
                           const double x[3]) {
    double sum = 0.0;
    int32_t stack[DEPTH], top = 0;
    stack[top++] = 0;
    while (top > 0) {
        int32_t i = stack[--top];
        const supi_bvh_node* node = &tree->nodes[i];
        for (int k = 0; k < 2; k++) {
            const supi_winding_half* half = &halves[2 * i + k];
            double to[3];
            supi_vector_subtract(half->centre, x, to);
            double square = supi_vector_dot(to, to);
            if (node->count[k] < 0) continue;
            if (square > half->reach2) {
                sum += 0.5 * supi_vector_dot(half->normal, to) / (square * sqrt(square));
            } else if (node->count[k] > 0) {
                sum += leaf_angle(tree, node->first[k], node->count[k], x);
            } else {
                stack[top++] = node->first[k];
            }
        }
    }
    return sum / TWO_PI;
}
