/* Shapes of quads: box, grid, torus, capsule. Points are computed in double and rounded once. */
#include "geom/shapes.h"

#include "base/check.h"
#include "base/error.h"
#include "base/real.h"
#include "geom/mesh.h"
#include "geom/vector.h"

#define TWO_PI 6.283185307179586
#define HALF_PI 1.5707963267948966

sup_result supi_shapes_check_size(const char* what, double size, sup_error* error) {
    if (size >= 1e-6 && size <= 1e6) return SUP_OK;
    return supi_error_set(error, SUP_BAD_ARGUMENT, "%s must be from 1e-6 to 1e6 m", what);
}

sup_result supi_shapes_check_count(const char* what, int32_t count, int32_t low, int32_t high,
                                   sup_error* error) {
    if (count >= low && count <= high) return SUP_OK;
    return supi_error_set(error, SUP_BAD_ARGUMENT, "%s must be from %d to %d, not %d", what,
                          (int)low, (int)high, (int)count);
}

/* Place i of n segments along a side: exactly as far left of the middle as n - i is right. */
static double along(double size, int32_t i, int32_t n) {
    return (double)(2 * i - n) * size / (double)(2 * n);
}

static void circle_point(int32_t i, int32_t n, double* x, double* z) {
    double angle = TWO_PI * (double)i / (double)n;
    *x = supi_cos(angle);
    *z = supi_sin(angle);
}

/* Adds a polygon of the given corners (d < 0: a triangle) to a mesh under construction. */
static void add_polygon(sup_mesh* mesh, int32_t* polygon, int32_t a, int32_t b, int32_t c,
                        int32_t d) {
    int32_t end = mesh->starts[*polygon];
    mesh->corners[end++] = a;
    mesh->corners[end++] = b;
    mesh->corners[end++] = c;
    if (d >= 0) mesh->corners[end++] = d;
    mesh->starts[++*polygon] = end;
}

/* --- Box --- */

/* Point of the surface at lattice place (i, j, k): the layers k = 0 and k = n[2] are full, those
   between are rings. */
static int32_t box_id(const int32_t n[3], const int32_t at[3]) {
    int32_t i = at[0], j = at[1], k = at[2];
    int32_t layer = (n[0] + 1) * (n[1] + 1), ring = 2 * (n[0] + n[1]);
    if (k == 0) return j * (n[0] + 1) + i;
    if (k == n[2]) return layer + (n[2] - 1) * ring + j * (n[0] + 1) + i;
    int32_t first = layer + (k - 1) * ring;
    if (j == 0) return first + i;
    if (i == n[0]) return first + n[0] + j;
    if (j == n[1]) return first + n[0] + n[1] + (n[0] - i);
    return first + 2 * n[0] + n[1] + (n[1] - j);
}

/* The side of the box at low or high `axis`: its points and quads. */
static void add_box_side(sup_mesh* mesh, int32_t* polygon, const double size[3], const int32_t n[3],
                         int axis, bool high) {
    int u = (axis + 1) % 3, v = (axis + 2) % 3;
    for (int32_t i = 0; i <= n[u]; i++) {
        for (int32_t j = 0; j <= n[v]; j++) {
            int32_t at[3];
            at[axis] = high ? n[axis] : 0;
            at[u] = i;
            at[v] = j;
            int32_t a = box_id(n, at);
            mesh->points[a] =
                supi_vector_round(along(size[0], at[0], n[0]), along(size[1], at[1], n[1]),
                                  along(size[2], at[2], n[2]));
            if (i == n[u] || j == n[v]) continue;
            at[u] = i + 1;
            int32_t b = box_id(n, at);
            at[v] = j + 1;
            int32_t c = box_id(n, at);
            at[u] = i;
            int32_t d = box_id(n, at);
            if (high) add_polygon(mesh, polygon, a, b, c, d);
            if (!high) add_polygon(mesh, polygon, a, d, c, b);
        }
    }
}

sup_result sup_mesh_box(const sup_allocator* allocator, const double size[3],
                        const int32_t segments[3], sup_mesh* out, sup_error* error) {
    SUPI_NEED(error, size, segments, out);
    for (int k = 0; k < 3; k++) {
        sup_result result = supi_shapes_check_size("the size of a box", size[k], error);
        if (result != SUP_OK) return result;
        result = supi_shapes_check_count("the segments of a box", segments[k], 1, 1024, error);
        if (result != SUP_OK) return result;
    }
    const int32_t* n = segments;
    int32_t points = 2 * (n[0] + 1) * (n[1] + 1) + 2 * (n[0] + n[1]) * (n[2] - 1);
    int32_t quads = 2 * (n[0] * n[1] + n[1] * n[2] + n[2] * n[0]), polygon = 0;
    sup_mesh mesh;
    if (!supi_mesh_new(supi_mesh_allocator(allocator), points, quads, 4 * quads, &mesh)) {
        return supi_error_memory(error);
    }
    for (int axis = 0; axis < 3; axis++) {
        add_box_side(&mesh, &polygon, size, n, axis, false);
        add_box_side(&mesh, &polygon, size, n, axis, true);
    }
    *out = mesh;
    return SUP_OK;
}

/* --- Grid --- */

sup_result sup_mesh_grid(const sup_allocator* allocator, double size_x, double size_z,
                         int32_t segments_x, int32_t segments_z, sup_mesh* out, sup_error* error) {
    SUPI_NEED(error, out);
    const double size[2] = {size_x, size_z};
    const int32_t n[2] = {segments_x, segments_z};
    for (int k = 0; k < 2; k++) {
        sup_result result = supi_shapes_check_size("the size of a grid", size[k], error);
        if (result != SUP_OK) return result;
        result = supi_shapes_check_count("the segments of a grid", n[k], 1, 4096, error);
        if (result != SUP_OK) return result;
    }
    sup_mesh mesh;
    int32_t row = n[0] + 1, quads = n[0] * n[1], polygon = 0;
    if (!supi_mesh_new(supi_mesh_allocator(allocator), row * (n[1] + 1), quads, 4 * quads, &mesh)) {
        return supi_error_memory(error);
    }
    for (int32_t j = 0; j <= n[1]; j++) {
        for (int32_t i = 0; i <= n[0]; i++) {
            int32_t a = j * row + i;
            mesh.points[a] = supi_vector_round(along(size_x, i, n[0]), 0.0, along(size_z, j, n[1]));
            if (i == n[0] || j == n[1]) continue;
            add_polygon(&mesh, &polygon, a, a + row, a + row + 1, a + 1);
        }
    }
    *out = mesh;
    return SUP_OK;
}

/* --- Torus --- */

sup_result sup_mesh_torus(const sup_allocator* allocator, double radius, double tube,
                          int32_t segments_around, int32_t segments_tube, sup_mesh* out,
                          sup_error* error) {
    SUPI_NEED(error, out);
    const int32_t n = segments_around, m = segments_tube;
    sup_result result = supi_shapes_check_size("the radius of a torus", radius, error);
    if (result == SUP_OK) result = supi_shapes_check_size("the tube of a torus", tube, error);
    if (result == SUP_OK && tube >= radius) {
        result = supi_error_set(error, SUP_BAD_ARGUMENT,
                                "the tube of a torus must be thinner than its radius");
    }
    if (result == SUP_OK) {
        result = supi_shapes_check_count("the segments around a torus", n, 3, 4096, error);
    }
    if (result == SUP_OK) {
        result = supi_shapes_check_count("the segments of the tube", m, 3, 4096, error);
    }
    if (result != SUP_OK) return result;
    sup_mesh mesh;
    if (!supi_mesh_new(supi_mesh_allocator(allocator), n * m, n * m, 4 * n * m, &mesh)) {
        return supi_error_memory(error);
    }
    int32_t polygon = 0;
    for (int32_t i = 0; i < n; i++) {
        double x, z, out_by, up;
        circle_point(i, n, &x, &z);
        int32_t here = i * m, there = (i + 1) % n * m;
        for (int32_t j = 0; j < m; j++) {
            circle_point(j, m, &out_by, &up);
            double r = radius + tube * out_by;
            mesh.points[here + j] = supi_vector_round(r * x, tube * up, r * z);
            int32_t k = (j + 1) % m;
            add_polygon(&mesh, &polygon, here + j, here + k, there + k, there + j);
        }
    }
    *out = mesh;
    return SUP_OK;
}

/* --- Capsule --- */

/* Circle c from the bottom up, without the poles: rings - 1 of the lower half sphere above its
   pole, rows + 1 of the cylinder, rings - 1 of the upper half sphere. Gives its height and its
   radius. */
static void capsule_circle(double radius, double length, int32_t rings, int32_t rows, int32_t c,
                           double* height, double* wide) {
    int32_t row = c - (rings - 1), above = row - rows;
    *wide = radius;
    if (row >= 0 && above <= 0) {
        *height = along(length, row, rows);
        return;
    }
    int32_t steps = above > 0 ? above : -row;
    double angle = HALF_PI * (double)steps / (double)rings;
    double far = 0.5 * length + radius * supi_sin(angle);
    *height = above > 0 ? far : -far;
    *wide = radius * supi_cos(angle);
}

static void build_capsule(sup_mesh* mesh, double radius, double length, int32_t n, int32_t rings,
                          int32_t rows) {
    int32_t circles = rows + 2 * rings - 1, bottom = circles * n, top = bottom + 1, polygon = 0;
    for (int32_t c = 0; c < circles; c++) {
        double height, wide, x, z;
        capsule_circle(radius, length, rings, rows, c, &height, &wide);
        for (int32_t i = 0; i < n; i++) {
            circle_point(i, n, &x, &z);
            mesh->points[c * n + i] = supi_vector_round(wide * x, height, wide * z);
        }
    }
    double far = 0.5 * length + radius;
    mesh->points[bottom] = supi_vector_round(0.0, -far, 0.0);
    mesh->points[top] = supi_vector_round(0.0, far, 0.0);
    int32_t last = (circles - 1) * n;
    for (int32_t i = 0; i < n; i++) {
        int32_t k = (i + 1) % n;
        add_polygon(mesh, &polygon, bottom, i, k, -1);
        for (int32_t c = 0; c < last; c += n) {
            add_polygon(mesh, &polygon, c + i, c + n + i, c + n + k, c + k);
        }
        add_polygon(mesh, &polygon, last + i, top, last + k, -1);
    }
}

sup_result sup_mesh_capsule(const sup_allocator* allocator, double radius, double length,
                            int32_t segments, int32_t rings, int32_t rows, sup_mesh* out,
                            sup_error* error) {
    SUPI_NEED(error, out);
    sup_result result = supi_shapes_check_size("the radius of a capsule", radius, error);
    if (result == SUP_OK) {
        result = supi_shapes_check_size("the length of a capsule", length, error);
    }
    if (result == SUP_OK) {
        result = supi_shapes_check_count("the segments of a capsule", segments, 3, 4096, error);
    }
    if (result == SUP_OK) {
        result = supi_shapes_check_count("the rings of a capsule", rings, 1, 1024, error);
    }
    if (result == SUP_OK) {
        result = supi_shapes_check_count("the rows of a capsule", rows, 1, 1024, error);
    }
    if (result != SUP_OK) return result;
    int32_t circles = rows + 2 * rings - 1;
    int32_t quads = (circles - 1) * segments, triangles = 2 * segments;
    sup_mesh mesh;
    if (!supi_mesh_new(supi_mesh_allocator(allocator), circles * segments + 2, quads + triangles,
                       4 * quads + 3 * triangles, &mesh)) {
        return supi_error_memory(error);
    }
    build_capsule(&mesh, radius, length, segments, rings, rows);
    *out = mesh;
    return SUP_OK;
}
