/* Nearest point by the regions around a triangle (Ericson 2005), crossing by the volumes that its
   sides span with the way. In double: corners are floats, so differences are all but exact. */
#include "geom/facet.h"

#include "geom/vector.h"

/* Of the product of two sides: below it their cross product is all rounding. */
#define NO_AREA 1e-12

static void get_corners(const sup_vec3 corners[3], double out[3][3]) {
    for (int k = 0; k < 3; k++) supi_vector_from(&corners[k], out[k]);
}

bool supi_facet_normal(const sup_vec3 corners[3], double out[3]) {
    double c[3][3], ab[3], ac[3];
    get_corners(corners, c);
    supi_vector_subtract(c[1], c[0], ab);
    supi_vector_subtract(c[2], c[0], ac);
    supi_vector_cross(ab, ac, out);
    double bound = NO_AREA * supi_vector_length(ab) * supi_vector_length(ac);
    return supi_vector_length(out) > bound;
}

static void corner(int k, supi_facet_point* out) {
    for (int i = 0; i < 3; i++) out->weights[i] = i == k ? 1.0 : 0.0;
    out->part = k;
}

static void side(int k, double share, supi_facet_point* out) {
    int next = (k + 1) % 3;
    out->weights[k] = 1.0 - share;
    out->weights[next] = share;
    out->weights[3 - k - next] = 0.0;
    out->part = SUPI_FACET_SIDE + k;
}

/* `ab` and `ac` are sides; *_c is how far x is along them, seen from corner c. */
static void find_part(const double c[3][3], const double ab[3], const double ac[3],
                      const double x[3], supi_facet_point* out) {
    double from[3];
    supi_vector_subtract(x, c[0], from);
    double ab_a = supi_vector_dot(ab, from), ac_a = supi_vector_dot(ac, from);
    if (ab_a <= 0.0 && ac_a <= 0.0) {
        corner(0, out);
        return;
    }
    supi_vector_subtract(x, c[1], from);
    double ab_b = supi_vector_dot(ab, from), ac_b = supi_vector_dot(ac, from);
    if (ab_b >= 0.0 && ac_b <= ab_b) {
        corner(1, out);
        return;
    }
    double over_c = ab_a * ac_b - ab_b * ac_a;
    if (over_c <= 0.0 && ab_a >= 0.0 && ab_b <= 0.0) {
        side(0, ab_a / (ab_a - ab_b), out);
        return;
    }
    supi_vector_subtract(x, c[2], from);
    double ab_c = supi_vector_dot(ab, from), ac_c = supi_vector_dot(ac, from);
    if (ac_c >= 0.0 && ab_c <= ac_c) {
        corner(2, out);
        return;
    }
    double over_b = ab_c * ac_a - ab_a * ac_c;
    if (over_b <= 0.0 && ac_a >= 0.0 && ac_c <= 0.0) {
        side(2, 1.0 - ac_a / (ac_a - ac_c), out);
        return;
    }
    double over_a = ab_b * ac_c - ab_c * ac_b, bc_b = ac_b - ab_b, cb_c = ab_c - ac_c;
    if (over_a <= 0.0 && bc_b >= 0.0 && cb_c >= 0.0) {
        side(1, bc_b / (bc_b + cb_c), out);
        return;
    }
    double sum = over_a + over_b + over_c;
    out->weights[1] = over_b / sum;
    out->weights[2] = over_c / sum;
    out->weights[0] = 1.0 - out->weights[1] - out->weights[2];
    out->part = SUPI_FACET_FACE;
}

void supi_facet_nearest(const sup_vec3 corners[3], const double x[3], supi_facet_point* out) {
    double c[3][3], ab[3], ac[3], away[3];
    get_corners(corners, c);
    supi_vector_subtract(c[1], c[0], ab);
    supi_vector_subtract(c[2], c[0], ac);
    find_part(c, ab, ac, x, out);
    for (int k = 0; k < 3; k++) {
        out->place[k] = c[0][k] + (out->weights[1] * ab[k] + out->weights[2] * ac[k]);
    }
    supi_vector_subtract(x, out->place, away);
    out->square = supi_vector_dot(away, away);
}

bool supi_facet_cross(const sup_vec3 corners[3], const double from[3], const double to[3],
                      double* t, double weights[3]) {
    double c[3][3], way[3], ab[3], ac[3], normal[3], product[3];
    get_corners(corners, c);
    supi_vector_subtract(to, from, way);
    for (int k = 0; k < 3; k++) supi_vector_subtract(c[k], from, c[k]);
    double sum = 0.0;
    bool below = false, above = false;
    for (int k = 0; k < 3; k++) {
        supi_vector_cross(c[(k + 1) % 3], c[(k + 2) % 3], product);
        weights[k] = supi_vector_dot(product, way);
        below |= weights[k] < 0.0;
        above |= weights[k] > 0.0;
        sum += weights[k];
    }
    if (below == above) return false; /* beside it, or the way lies in its plane */
    supi_vector_subtract(c[1], c[0], ab);
    supi_vector_subtract(c[2], c[0], ac);
    supi_vector_cross(ab, ac, normal);
    /* Heights of both ends above the plane, seen from the end that is at the origin. */
    double start = -supi_vector_dot(normal, c[0]);
    supi_vector_subtract(way, c[0], product);
    double end = supi_vector_dot(normal, product);
    if (start == end || (start > 0.0 && end > 0.0) || (start < 0.0 && end < 0.0)) return false;
    *t = start / (start - end);
    for (int k = 0; k < 3; k++) weights[k] /= sum;
    return true;
}
