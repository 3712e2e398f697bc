/* Wire frames of colliders. */
#include "geom/vector.h"
#include "world/pen.h"

enum { PLANE_CELLS = 8 };   /* from the middle of a plane's grid to each side */
enum { HEIGHT_LINES = 64 }; /* at most, along each side of a height field */

static const uint32_t SOLID = 0x7fb069, CONTAINER = 0x4fa3a5, SENSOR = 0xb388eb;

/* The middle stands on lines of the grid that depend on its size only, so that a grid which follows
   moving bodies seems to stand still. */
static void draw_plane(const supi_pen* pen, const double middle[3], double size) {
    double at[3], cell = 1.0 / 1024;
    supi_frame_in(&pen->frame, middle, at);
    while (PLANE_CELLS * cell < size) cell *= 2;
    double x = floor(at[0] / cell + 0.5) * cell, z = floor(at[2] / cell + 0.5) * cell;
    double half = PLANE_CELLS * cell;
    for (int i = -PLANE_CELLS; i <= PLANE_CELLS; i++) {
        double c = i * cell;
        supi_pen_line(pen, (double[3]){x + c, 0, z - half}, (double[3]){x + c, 0, z + half});
        supi_pen_line(pen, (double[3]){x - half, 0, z + c}, (double[3]){x + half, 0, z + c});
    }
    supi_pen_arrow(pen, (double[3]){x, 0, z}, (double[3]){x, 2 * cell, z});
}

static const int PLANES[3][2] = {{0, 2}, {0, 1}, {2, 1}};

static void draw_sphere(const supi_pen* pen, double radius) {
    for (int i = 0; i < 3; i++) {
        supi_pen_arc(pen, (double[3]){0, 0, 0}, radius, PLANES[i], 0, SUPI_PEN_CIRCLE);
    }
}

static void draw_capsule(const supi_pen* pen, double radius, double half_length) {
    for (int end = 1; end >= -1; end -= 2) {
        const double centre[3] = {0, end * half_length, 0};
        int begin = end > 0 ? 0 : SUPI_PEN_CIRCLE / 2;
        supi_pen_arc(pen, centre, radius, PLANES[0], 0, SUPI_PEN_CIRCLE);
        supi_pen_arc(pen, centre, radius, PLANES[1], begin, begin + SUPI_PEN_CIRCLE / 2);
        supi_pen_arc(pen, centre, radius, PLANES[2], begin, begin + SUPI_PEN_CIRCLE / 2);
    }
    for (int side = 0; side < 4; side++) {
        double r = side & 1 ? radius : -radius, x = side & 2 ? r : 0, z = side & 2 ? 0 : r;
        supi_pen_line(pen, (double[3]){x, -half_length, z}, (double[3]){x, half_length, z});
    }
}

/* An order of places. Points of a seam lie at one place, so ids would not do. */
static bool comes_first(const sup_vec3* a, const sup_vec3* b) {
    if (a->x != b->x) return a->x < b->x;
    if (a->y != b->y) return a->y < b->y;
    return a->z < b->z;
}

static void draw_mesh(const supi_pen* pen, const supi_trimesh* mesh) {
    const sup_vec3* points = supi_trimesh_points(mesh);
    const int32_t* corners = supi_trimesh_triangles(mesh);
    int32_t count = 3 * supi_trimesh_triangle_count(mesh);
    bool closed = supi_trimesh_closed(mesh);
    for (int32_t i = 0; i < count; i++) {
        const sup_vec3 *from = points + corners[i],
                       *to = points + corners[i % 3 == 2 ? i - 2 : i + 1];
        double a[3], b[3];
        /* Two triangles of a closed mesh go along an edge, one each way. */
        if (closed && !comes_first(from, to)) continue;
        supi_vector_from(from, a);
        supi_vector_from(to, b);
        supi_pen_line(pen, a, b);
    }
}

/* Which of `count` heights line number i goes through, where there are fewer lines. */
static int32_t nth(int32_t i, int32_t lines, int32_t count) {
    return (int32_t)((int64_t)i * (count - 1) / (lines - 1));
}

static void draw_heights(const supi_pen* pen, const supi_heights* heights) {
    int32_t count[2], lines[2];
    double step[2];
    const float* values;
    supi_heights_get(heights, count, step, &values);
    for (int k = 0; k < 2; k++) lines[k] = count[k] < HEIGHT_LINES ? count[k] : HEIGHT_LINES;
    for (int along = 0; along < 2; along++) {
        int across = 1 - along;
        for (int32_t line = 0; line < lines[across]; line++) {
            double last[3] = {0}, next[3];
            for (int32_t i = 0; i < lines[along]; i++) {
                int32_t at[2];
                at[along] = nth(i, lines[along], count[along]);
                at[across] = nth(line, lines[across], count[across]);
                next[0] = (at[0] - 0.5 * (count[0] - 1)) * step[0];
                next[1] = (double)values[(size_t)at[1] * (size_t)count[0] + (size_t)at[0]];
                next[2] = (at[1] - 0.5 * (count[1] - 1)) * step[1];
                if (i > 0) supi_pen_line(pen, last, next);
                for (int k = 0; k < 3; k++) last[k] = next[k];
            }
        }
    }
}

void supi_draw_collider(supi_pen* pen, const supi_collider* collider, const double middle[3],
                        double size) {
    const sup_collider_def* def = &collider->def;
    const double* half = def->half_size;
    pen->frame = supi_frame_of(collider);
    pen->colour = def->sensor ? SENSOR : def->inverted ? CONTAINER : SOLID;
    switch (def->kind) {
    case SUP_COLLIDER_PLANE: draw_plane(pen, middle, size); break;
    case SUP_COLLIDER_SPHERE: draw_sphere(pen, def->radius); break;
    case SUP_COLLIDER_BOX:
        supi_pen_box(pen, (double[3]){-half[0], -half[1], -half[2]}, half);
        break;
    case SUP_COLLIDER_CAPSULE: draw_capsule(pen, def->radius, def->half_length); break;
    case SUP_COLLIDER_MESH: draw_mesh(pen, collider->mesh); break;
    case SUP_COLLIDER_HEIGHTS: draw_heights(pen, collider->heights); break;
    }
}
