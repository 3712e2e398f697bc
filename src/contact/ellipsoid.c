/* One ellipsoid against planes, points and spheres. The nearest place of the surface to a point is
   one root of one equation (Eberly: Distance from a Point to an Ellipse, an Ellipsoid, or a
   Hyperellipsoid, 2013). */
#include "contact/ellipsoid.h"

#include "contact/nearest_root.h"
#include "contact/vec3.h"
#include "geom/turn.h"

#include <float.h>
#include <math.h>

supi_ellipsoid supi_ellipsoid_at(sup_vec3 centre, sup_quat turn, sup_quat rest,
                                 const float radii[3]) {
    supi_ellipsoid e = {.centre = centre, .radii = {radii[0], radii[1], radii[2]}};
    supi_turn_axes(supi_turn_product(turn, rest), e.axes);
    return e;
}

/* Squares of single components would be lost below 1e-19 m; nothing is that small. */
float supi_ellipsoid_reach(const supi_ellipsoid* e, sup_vec3 n) {
    float sum = 0;
    for (int k = 0; k < 3; k++) {
        float along = e->radii[k] * supi_vec3_dot(supi_vec3_from(e->axes[k]), n);
        sum += along * along;
    }
    return sqrtf(sum);
}

/* The place that lies furthest along n, and how far that is from the centre. */
static sup_vec3 foremost(const supi_ellipsoid* e, sup_vec3 n, float* reach) {
    float along[3], sum = 0;
    for (int k = 0; k < 3; k++) {
        along[k] = e->radii[k] * supi_vec3_dot(supi_vec3_from(e->axes[k]), n);
        sum += along[k] * along[k];
    }
    sup_vec3 place = e->centre;
    *reach = sqrtf(sum);
    if (!(sum > 0)) return place;
    for (int k = 0; k < 3; k++) {
        place = supi_vec3_along(place, along[k] / *reach * e->radii[k], supi_vec3_from(e->axes[k]));
    }
    return place;
}

sup_vec3 supi_ellipsoid_foremost(const supi_ellipsoid* e, sup_vec3 n) {
    float ignored;
    return foremost(e, n, &ignored);
}

supi_gap supi_ellipsoid_plane(const supi_ellipsoid* e, sup_vec3 n, float offset) {
    float reach;
    sup_vec3 place = foremost(e, supi_vec3_scaled(n, -1), &reach);
    return (supi_gap){supi_vec3_dot(n, e->centre) - offset - reach, n, place};
}

/* Two points, the one on which the normal ends being the ellipsoid. */
static supi_gap point_sphere(sup_vec3 point, sup_vec3 centre, float radius) {
    sup_vec3 d = supi_vec3_minus(point, centre);
    float square = supi_vec3_dot(d, d), length = sqrtf(square);
    if (!(square >= FLT_MIN)) return (supi_gap){-radius, {0, 1, 0}, point};
    return (supi_gap){length - radius, supi_vec3_scaled(d, 1 / length), point};
}

supi_gap supi_ellipsoid_sphere(const supi_ellipsoid* e, sup_vec3 centre, float radius) {
    float radii[3], z[3], y[3], n[3];
    if (!supi_ellipsoid_floor(e->radii, radii)) return point_sphere(e->centre, centre, radius);
    sup_vec3 d = supi_vec3_minus(centre, e->centre), normal = {0, 0, 0}, place = e->centre;
    for (int k = 0; k < 3; k++) z[k] = supi_vec3_dot(supi_vec3_from(e->axes[k]), d);
    float distance = supi_nearest_root(3, radii, z, y, n);
    for (int k = 0; k < 3; k++) {
        normal = supi_vec3_along(normal, -n[k], supi_vec3_from(e->axes[k]));
        place = supi_vec3_along(place, y[k], supi_vec3_from(e->axes[k]));
    }
    return (supi_gap){distance - radius, normal, place};
}

void supi_ellipsoid_load(supi_ellipsoid_pairs* pairs, int32_t lane, const supi_ellipsoid* a,
                         const supi_ellipsoid* b) {
    float ra[3], rb[3];
    supi_ellipsoid_floor(a->radii, ra);
    supi_ellipsoid_floor(b->radii, rb);
    const float from[3] = {a->centre.x, a->centre.y, a->centre.z};
    const float to[3] = {b->centre.x, b->centre.y, b->centre.z};
    for (int k = 0; k < 3; k++) {
        pairs->offset[k][lane] = to[k] - from[k];
        for (int c = 0; c < 3; c++) {
            pairs->a[3 * k + c][lane] = ra[k] * a->axes[k][c];
            pairs->b[3 * k + c][lane] = rb[k] * b->axes[k][c];
        }
    }
}

void supi_ellipsoid_rows_take(supi_ellipsoid_rows* rows, int32_t lane,
                              const supi_ellipsoid_rows* others, int32_t from) {
    for (int side = 0; side < 2; side++) {
        rows->oriented[side][lane] = others->oriented[side][from];
        rows->first[side][lane] = others->first[side][from];
        rows->row[side][lane] = others->row[side][from];
    }
    for (int k = 0; k < 3; k++) rows->offset[k][lane] = others->offset[k][from];
    rows->scale[lane] = others->scale[from];
}
