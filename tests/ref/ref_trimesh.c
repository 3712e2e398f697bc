/* Triangles asked one by one, in double. Written apart from the searches: by projection onto planes
   and sides, solid angles, and Cramer's rule. */
#include "ref/ref_trimesh.h"

#include <math.h>

static void corner(const sup_vec3* points, const int32_t* triangle, int k, double out[3]) {
    out[0] = (double)points[triangle[k]].x;
    out[1] = (double)points[triangle[k]].y;
    out[2] = (double)points[triangle[k]].z;
}

static void minus(const double a[3], const double b[3], double out[3]) {
    for (int k = 0; k < 3; k++) out[k] = a[k] - b[k];
}

static double dot(const double a[3], const double b[3]) {
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

static void cross(const double a[3], const double b[3], double out[3]) {
    out[0] = a[1] * b[2] - a[2] * b[1];
    out[1] = a[2] * b[0] - a[0] * b[2];
    out[2] = a[0] * b[1] - a[1] * b[0];
}

static double side_distance(const double a[3], const double b[3], const double x[3]) {
    double ab[3], ax[3];
    minus(b, a, ab);
    minus(x, a, ax);
    double square = dot(ab, ab), t = square > 0 ? dot(ax, ab) / square : 0;
    t = t < 0 ? 0 : t > 1 ? 1 : t;
    for (int k = 0; k < 3; k++) ax[k] -= t * ab[k];
    return sqrt(dot(ax, ax));
}

static double triangle_distance(const double c[3][3], const double x[3]) {
    double ab[3], ac[3], n[3], least = INFINITY;
    minus(c[1], c[0], ab);
    minus(c[2], c[0], ac);
    cross(ab, ac, n);
    bool over = dot(n, n) > 0;
    for (int k = 0; k < 3; k++) {
        const double *a = c[k], *b = c[(k + 1) % 3];
        double side[3], ax[3], turn[3];
        minus(b, a, side);
        minus(x, a, ax);
        cross(side, ax, turn);
        over = over && dot(turn, n) >= 0;
        least = fmin(least, side_distance(a, b, x));
    }
    if (!over) return least;
    double ax[3];
    minus(x, c[0], ax);
    return fabs(dot(ax, n)) / sqrt(dot(n, n));
}

double ref_trimesh_distance(const sup_vec3* points, const int32_t* triangles, int32_t count,
                            const double x[3]) {
    double least = INFINITY;
    for (int32_t i = 0; i < count; i++) {
        double c[3][3];
        for (int k = 0; k < 3; k++) corner(points, triangles + 3 * i, k, c[k]);
        least = fmin(least, triangle_distance(c, x));
    }
    return least;
}

static bool has_side(const int32_t* triangle, int32_t a, int32_t b) {
    bool has[2] = {false, false};
    for (int k = 0; k < 3; k++) {
        has[0] = has[0] || triangle[k] == a;
        has[1] = has[1] || triangle[k] == b;
    }
    return has[0] && has[1];
}

double ref_trimesh_border(const sup_vec3* points, const int32_t* triangles, int32_t count,
                          const double x[3]) {
    double least = INFINITY;
    for (int32_t i = 0; i < count; i++) {
        for (int k = 0; k < 3; k++) {
            double a[3], b[3];
            corner(points, triangles + 3 * i, k, a);
            corner(points, triangles + 3 * i, (k + 1) % 3, b);
            double distance = side_distance(a, b, x);
            if (distance >= least) continue;
            int32_t owners = 0;
            for (int32_t j = 0; j < count; j++) {
                owners += has_side(triangles + 3 * j, triangles[3 * i + k],
                                   triangles[3 * i + (k + 1) % 3]);
            }
            if (owners == 1) least = distance;
        }
    }
    return least;
}

/* Solid angles (van Oosterom and Strackee 1983). */
double ref_trimesh_winding(const sup_vec3* points, const int32_t* triangles, int32_t count,
                           const double x[3]) {
    double sum = 0;
    for (int32_t i = 0; i < count; i++) {
        double c[3][3], length[3], product[3];
        for (int k = 0; k < 3; k++) {
            corner(points, triangles + 3 * i, k, c[k]);
            minus(c[k], x, c[k]);
            length[k] = sqrt(dot(c[k], c[k]));
        }
        cross(c[1], c[2], product);
        double volume = dot(c[0], product);
        double below = length[0] * length[1] * length[2] + dot(c[0], c[1]) * length[2] +
                       dot(c[1], c[2]) * length[0] + dot(c[2], c[0]) * length[1];
        sum += 2 * atan2(volume, below);
    }
    return sum / (4 * acos(-1.0));
}

double ref_trimesh_cross(const sup_vec3* points, const int32_t* triangles, int32_t count,
                         const double from[3], const double to[3], double* margin) {
    double first = 2, way[3];
    minus(to, from, way);
    *margin = INFINITY;
    for (int32_t i = 0; i < count; i++) {
        double c[3][3], ab[3], ac[3], at[3], p[3], q[3];
        for (int k = 0; k < 3; k++) corner(points, triangles + 3 * i, k, c[k]);
        minus(c[1], c[0], ab);
        minus(c[2], c[0], ac);
        minus(from, c[0], at);
        cross(way, ac, p);
        cross(at, ab, q);
        double det = dot(ab, p), u = dot(at, p) / det, v = dot(way, q) / det, t = dot(ac, q) / det;
        if (!isfinite(u + v + t)) continue;
        double inside = fmin(fmin(u, v), fmin(1 - u - v, fmin(t, 1 - t)));
        *margin = fmin(*margin, fabs(inside));
        if (inside >= 0 && t < first) first = t;
    }
    return first;
}
