/* What contact needs to know about a mesh of tetrahedra, found once. */
#include "contact/tet_form.h"

#include "geom/main_axes.h"
#include "geom/tet.h"
#include "geom/vector.h"

#include <float.h>
#include <math.h>
#include <string.h>

#define HOLLOW 0.5 /* of what its extent says about volume over surface: less is */

/* Lists of the triangles around each point, by counting. */
static bool make_fans(supi_arena* arena, supi_tet_form* form) {
    int32_t corners = 3 * form->triangle_count;
    form->fan_starts =
        supi_arena_push(arena, (size_t)form->point_count + 1, sizeof *form->fan_starts);
    form->fans = supi_arena_push(arena, (size_t)corners, sizeof *form->fans);
    if (!form->fan_starts || !form->fans) return false;
    for (int32_t c = 0; c < corners; c++) form->fan_starts[form->triangles[c]]++;
    int32_t sum = 0;
    for (int32_t i = 0; i <= form->point_count; i++) {
        sum += form->fan_starts[i], form->fan_starts[i] = sum;
    }
    for (int32_t c = corners - 1; c >= 0; c--) {
        form->fans[--form->fan_starts[form->triangles[c]]] = c / 3;
    }
    return true;
}

static bool has_point(const int32_t triangle[3], int32_t point) {
    return triangle[0] == point || triangle[1] == point || triangle[2] == point;
}

/* Whether these three points are a triangle of the surface; two: an edge of it. */
static bool on_surface(const supi_tet_form* form, const int32_t* points, int count) {
    for (int32_t i = form->fan_starts[points[0]]; i < form->fan_starts[points[0] + 1]; i++) {
        const int32_t* triangle = form->triangles + 3 * form->fans[i];
        bool all = true;
        for (int k = 1; k < count; k++) all = all && has_point(triangle, points[k]);
        if (all) return true;
    }
    return false;
}

static bool mark_outside(supi_arena* arena, supi_tet_form* form) {
    form->outer = supi_arena_push(arena, (size_t)form->tet_count, sizeof *form->outer);
    if (!form->outer) return false;
    for (int32_t t = 0; t < form->tet_count; t++) {
        const int32_t* tet = form->tets + 4 * t;
        for (int side = 0; side < 4; side++) {
            const int32_t* corner = supi_tet_sides[side];
            int32_t points[3] = {tet[corner[0]], tet[corner[1]], tet[corner[2]]};
            /* a side is named by the corner that it lacks */
            if (on_surface(form, points, 3)) form->outer[t] |= (uint8_t)(1 << (3 - side));
        }
    }
    return true;
}

static bool find_surface_edges(supi_arena* arena, const int32_t* edges, supi_tet_form* form) {
    double sum = 0.0;
    form->surface_edges =
        supi_arena_push(arena, 2 * (size_t)form->edge_count, sizeof *form->surface_edges);
    if (!form->surface_edges) return false;
    for (int32_t e = 0; e < form->edge_count; e++) {
        const int32_t* ends = edges + 2 * e;
        double a[3], b[3];
        supi_vector_from(&form->rest[ends[0]], a);
        supi_vector_from(&form->rest[ends[1]], b);
        supi_vector_subtract(b, a, a);
        sum += supi_vector_length(a);
        if (!on_surface(form, ends, 2)) continue;
        memcpy(form->surface_edges + 2 * form->surface_edge_count++, ends, 2 * sizeof *ends);
    }
    if (form->edge_count > 0) form->edge = (float)(sum / form->edge_count);
    return true;
}

static void rest_of(const void* form, int32_t i, double at[3]) {
    supi_vector_from(&((const supi_tet_form*)form)->rest[i], at);
}

/* Along the main axis along which it is the least. */
static double extent_of(const supi_tet_form* form) {
    double axes[9], at[3], least = DBL_MAX;
    supi_main_axes(form->point_count, rest_of, form, axes);
    for (int n = 0; n < 3; n++) {
        double low = DBL_MAX, high = -DBL_MAX;
        for (int32_t i = 0; i < form->point_count; i++) {
            rest_of(form, i, at);
            double place = supi_vector_dot(axes + 3 * n, at);
            low = place < low ? place : low;
            high = place > high ? place : high;
        }
        least = high - low < least ? high - low : least;
    }
    return least;
}

/* A ball and a cube are six times as thick as volume over surface, a wall twice. */
static float find_thickness(const supi_tet_form* form) {
    double volume = 0.0, surface = 0.0;
    if (form->tet_count == 0) return form->edge;
    for (int32_t t = 0; t < form->tet_count; t++) {
        volume += supi_tet_volume(form->rest, form->tets + 4 * t);
    }
    for (int32_t t = 0; t < form->triangle_count; t++) {
        double c[3][3], normal[3];
        for (int k = 0; k < 3; k++) rest_of(form, form->triangles[3 * t + k], c[k]);
        supi_vector_subtract(c[1], c[0], c[1]);
        supi_vector_subtract(c[2], c[0], c[2]);
        supi_vector_cross(c[1], c[2], normal);
        surface += 0.5 * supi_vector_length(normal);
    }
    double extent = extent_of(form);
    bool hollow = 6.0 * volume < HOLLOW * extent * surface;
    if (hollow && volume > 0.0) return (float)(2.0 * volume / surface);
    return extent > (double)form->edge ? (float)extent : form->edge;
}

bool supi_tet_form_make(supi_arena* arena, const sup_tets* tets, const sup_adjacency* edges,
                        supi_tet_form* out) {
    *out = (supi_tet_form){.point_count = tets->point_count,
                           .tet_count = tets->tet_count,
                           .triangle_count = tets->triangle_count,
                           .edge_count = edges->edge_count,
                           .rest = tets->points,
                           .tets = tets->tets,
                           .triangles = tets->triangles,
                           .starts = edges->starts,
                           .neighbours = edges->neighbours};
    if (!make_fans(arena, out) || !mark_outside(arena, out) ||
        !find_surface_edges(arena, edges->edges, out)) {
        return false;
    }
    out->thickness = find_thickness(out);
    return true;
}

/* ---- Normals ---- */

sup_vec3 supi_tet_unit(sup_vec3 a) {
    float length = sqrtf(supi_vec3_dot(a, a));
    return length > 0 ? supi_vec3_scaled(a, 1 / length) : (sup_vec3){0, 0, 0};
}

sup_vec3 supi_tet_area(const supi_tet_body* body, int32_t triangle) {
    sup_vec3 c[3];
    supi_tet_corners(body, triangle, c);
    return supi_vec3_cross(supi_vec3_minus(c[1], c[0]), supi_vec3_minus(c[2], c[0]));
}

void supi_tet_measure(const supi_tet_body* body, supi_tet_face* faces) {
    for (int32_t t = 0; t < body->form->triangle_count; t++) {
        sup_vec3 c[3];
        supi_tet_face* face = &faces[t];
        supi_tet_corners(body, t, c);
        face->area = supi_vec3_cross(supi_vec3_minus(c[1], c[0]), supi_vec3_minus(c[2], c[0]));
        for (int k = 0; k < 3; k++) {
            const float at[3] = {c[k].x, c[k].y, c[k].z};
            for (int j = 0; j < 3; j++) {
                face->low[j] = k == 0 || at[j] < face->low[j] ? at[j] : face->low[j];
                face->high[j] = k == 0 || at[j] > face->high[j] ? at[j] : face->high[j];
            }
        }
    }
}

sup_vec3 supi_tet_normal(const supi_tet_form* form, const supi_tet_face* faces, int32_t point) {
    sup_vec3 sum = {0, 0, 0};
    for (int32_t i = form->fan_starts[point]; i < form->fan_starts[point + 1]; i++) {
        sum = supi_vec3_along(sum, 1, faces[form->fans[i]].area);
    }
    return supi_tet_unit(sum);
}

sup_vec3 supi_tet_corner_normal(const supi_tet_form* form, const supi_tet_face* faces,
                                int32_t triangle, int k) {
    int32_t point = form->triangles[3 * triangle + k];
    sup_vec3 own = faces[triangle].area, sum = {0, 0, 0};
    float square = supi_vec3_dot(own, own);
    for (int32_t i = form->fan_starts[point]; i < form->fan_starts[point + 1]; i++) {
        sup_vec3 area = faces[form->fans[i]].area;
        float along = supi_vec3_dot(area, own);
        /* the cosine of 45 degrees, squared, is 1/2 */
        bool near = along > 0 && 2 * along * along >= square * supi_vec3_dot(area, area);
        if (near) sum = supi_vec3_along(sum, 1, area);
    }
    return supi_tet_unit(sum);
}
