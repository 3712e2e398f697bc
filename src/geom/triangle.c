/* One triangle in double: how far it is, and what it touches. */
#include "geom/triangle.h"

#include "geom/vector.h"

supi_triangle supi_triangle_from(const sup_vec3* a, const sup_vec3* b, const sup_vec3* c) {
    supi_triangle t;
    const sup_vec3* points[3] = {a, b, c};
    for (int i = 0; i < 3; i++) {
        supi_vector_from(points[i], t.corner[i]);
        for (int k = 0; k < 3; k++) {
            double x = t.corner[i][k];
            if (i == 0 || x < t.low[k]) t.low[k] = x;
            if (i == 0 || x > t.high[k]) t.high[k] = x;
        }
    }
    double ab[3], ac[3];
    supi_vector_subtract(t.corner[1], t.corner[0], ab);
    supi_vector_subtract(t.corner[2], t.corner[0], ac);
    supi_vector_cross(ab, ac, t.normal);
    return t;
}

static double segment_distance2(const double p[3], const double a[3], const double b[3]) {
    double ab[3], ap[3];
    supi_vector_subtract(b, a, ab);
    supi_vector_subtract(p, a, ap);
    double length2 = supi_vector_dot(ab, ab), t = supi_vector_dot(ap, ab);
    t = t <= 0.0 ? 0.0 : (t >= length2 ? 1.0 : t / length2);
    for (int k = 0; k < 3; k++) ap[k] -= t * ab[k];
    return supi_vector_dot(ap, ap);
}

/* Where p projects into the triangle its plane is nearest, else one of its sides. */
double supi_triangle_distance2(const supi_triangle* t, const double p[3]) {
    double normal2 = supi_vector_dot(t->normal, t->normal);
    bool within = normal2 > 0.0;
    for (int i = 0; i < 3 && within; i++) {
        const double *a = t->corner[i], *b = t->corner[(i + 1) % 3];
        double ab[3], ap[3], turn[3];
        supi_vector_subtract(b, a, ab);
        supi_vector_subtract(p, a, ap);
        supi_vector_cross(ab, ap, turn);
        within = supi_vector_dot(turn, t->normal) >= 0.0;
    }
    if (within) {
        double ap[3];
        supi_vector_subtract(p, t->corner[0], ap);
        double height = supi_vector_dot(ap, t->normal);
        return height * height / normal2;
    }
    double least = segment_distance2(p, t->corner[0], t->corner[1]);
    double second = segment_distance2(p, t->corner[1], t->corner[2]);
    double third = segment_distance2(p, t->corner[2], t->corner[0]);
    least = second < least ? second : least;
    return third < least ? third : least;
}

/* An axis of length 0 separates nothing. */
static bool axis_separates(const double axis[3], const double* const corner[3],
                           const double half[3]) {
    double radius = 0.0;
    for (int k = 0; k < 3; k++) radius += half[k] * fabs(axis[k]);
    double a = supi_vector_dot(axis, corner[0]), b = supi_vector_dot(axis, corner[1]);
    double c = supi_vector_dot(axis, corner[2]);
    return (a > radius && b > radius && c > radius) || (a < -radius && b < -radius && c < -radius);
}

/* Separating axes (Akenine-Moller 2001): the normals of the box and of the triangle, and the
   products of their edges. */
bool supi_triangle_touches_box(const supi_triangle* t, const double centre[3],
                               const double half[3]) {
    double from_centre[3][3];
    for (int i = 0; i < 3; i++) supi_vector_subtract(t->corner[i], centre, from_centre[i]);
    const double* const corner[3] = {from_centre[0], from_centre[1], from_centre[2]};
    for (int k = 0; k < 3; k++) {
        double axis[3] = {0.0, 0.0, 0.0};
        axis[k] = 1.0;
        if (axis_separates(axis, corner, half)) return false;
        for (int i = 0; i < 3; i++) {
            double edge[3], product[3];
            supi_vector_subtract(corner[(i + 1) % 3], corner[i], edge);
            supi_vector_cross(axis, edge, product);
            if (axis_separates(product, corner, half)) return false;
        }
    }
    return !axis_separates(t->normal, corner, half);
}
