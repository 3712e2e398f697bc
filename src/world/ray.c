/* Rays against simple shapes. Of a convex shape the ray covers one interval, from which the first
   crossing is taken. */
#include "world/ray.h"

#include "geom/vector.h"

/* A stretch of the line, m from the origin; empty where it ends before it begins. */
typedef struct interval {
    double begin, end;
} interval;

static const interval NOTHING = {1, 0};

static bool is_empty(interval i) { return !(i.begin <= i.end); }

static interval common(interval a, interval b) {
    return (interval){a.begin > b.begin ? a.begin : b.begin, a.end < b.end ? a.end : b.end};
}

/* The least interval that holds both. */
static interval hull(interval a, interval b) {
    if (is_empty(a)) return b;
    if (is_empty(b)) return a;
    return (interval){a.begin < b.begin ? a.begin : b.begin, a.end > b.end ? a.end : b.end};
}

/* The first end of the interval that lies on the ray. */
static bool first_end(const supi_ray* ray, interval i, double* distance) {
    if (is_empty(i)) return false;
    *distance = i.begin >= 0 ? i.begin : i.end;
    return *distance >= 0 && *distance <= ray->reach;
}

void supi_ray_at(const supi_ray* ray, double distance, double out[3]) {
    for (int k = 0; k < 3; k++) out[k] = ray->origin[k] + distance * ray->unit[k];
}

/* Makes v a unit vector; one without length points up. */
static void make_unit(double v[3]) {
    double length = supi_vector_length(v);
    for (int k = 0; k < 3; k++) v[k] = length > 0 ? v[k] / length : (double)(k == 1);
}

bool supi_ray_sane(const double place[3]) {
    for (int k = 0; k < 3; k++) {
        if (!(fabs(place[k]) <= SUPI_FAR)) return false;
    }
    return true;
}

bool supi_ray_make(const double origin[3], const double direction[3], supi_ray* out) {
    double largest = 0;
    for (int k = 0; k < 3; k++) {
        double size = fabs(direction[k]);
        if (!isfinite(size)) return false;
        largest = size > largest ? size : largest;
    }
    if (!(largest > 0) || !supi_ray_sane(origin)) return false;
    for (int k = 0; k < 3; k++) {
        out->origin[k] = origin[k];
        out->unit[k] = direction[k] / largest; /* first, lest squares overflow or vanish */
    }
    double length = supi_vector_length(out->unit);
    for (int k = 0; k < 3; k++) out->unit[k] /= length;
    double reach = largest * length;
    out->reach = reach < 10 * SUPI_FAR ? reach : 10 * SUPI_FAR;
    return true;
}

/* Where the ray is between low and high along one axis. */
static interval within_slab(const supi_ray* ray, int axis, double low, double high) {
    double from = ray->origin[axis], unit = ray->unit[axis];
    if (unit == 0) return from >= low && from <= high ? (interval){-INFINITY, INFINITY} : NOTHING;
    double a = (low - from) / unit, b = (high - from) / unit;
    return a < b ? (interval){a, b} : (interval){b, a};
}

static interval within_sphere(const supi_ray* ray, const double centre[3], double radius) {
    double to[3], aside[3];
    supi_vector_subtract(centre, ray->origin, to);
    double middle = supi_vector_dot(to, ray->unit);
    for (int k = 0; k < 3; k++) aside[k] = to[k] - middle * ray->unit[k];
    double square = radius * radius - supi_vector_dot(aside, aside);
    if (!(square >= 0)) return NOTHING;
    return (interval){middle - sqrt(square), middle + sqrt(square)};
}

/* The same for the endless cylinder around the y axis. */
static interval within_cylinder(const supi_ray* ray, double radius) {
    const double *o = ray->origin, *u = ray->unit;
    double across = sqrt(u[0] * u[0] + u[2] * u[2]);
    if (across == 0) {
        bool inside = o[0] * o[0] + o[2] * o[2] <= radius * radius;
        return inside ? (interval){-INFINITY, INFINITY} : NOTHING;
    }
    double middle = -(o[0] * u[0] + o[2] * u[2]) / across;
    double aside = (o[0] * u[2] - o[2] * u[0]) / across;
    double square = radius * radius - aside * aside;
    if (!(square >= 0)) return NOTHING;
    return (interval){(middle - sqrt(square)) / across, (middle + sqrt(square)) / across};
}

bool supi_ray_clip(const supi_ray* ray, const double low[3], const double high[3], double margin,
                   double range[2]) {
    interval i = {0, ray->reach};
    for (int k = 0; k < 3; k++) {
        i = common(i, within_slab(ray, k, low[k] - margin, high[k] + margin));
    }
    range[0] = i.begin;
    range[1] = i.end;
    return !is_empty(i);
}

bool supi_ray_meet_plane(const supi_ray* ray, supi_crossing* out) {
    if (ray->unit[1] == 0) return false;
    double distance = -ray->origin[1] / ray->unit[1];
    *out = (supi_crossing){distance, {0, 1, 0}};
    return distance >= 0 && distance <= ray->reach;
}

bool supi_ray_meet_sphere(const supi_ray* ray, const double centre[3], double radius,
                          supi_crossing* out) {
    double place[3];
    if (!first_end(ray, within_sphere(ray, centre, radius), &out->distance)) return false;
    supi_ray_at(ray, out->distance, place);
    supi_vector_subtract(place, centre, out->normal);
    make_unit(out->normal);
    return true;
}

bool supi_ray_meet_box(const supi_ray* ray, const double half_size[3], supi_crossing* out) {
    interval i = {-INFINITY, INFINITY};
    int enters = 0, leaves = 0;
    for (int k = 0; k < 3; k++) {
        interval slab = within_slab(ray, k, -half_size[k], half_size[k]);
        if (is_empty(slab)) return false;
        if (slab.begin > i.begin) enters = k;
        if (slab.end < i.end) leaves = k;
        i = common(i, slab);
    }
    if (!first_end(ray, i, &out->distance)) return false;
    bool entering = i.begin >= 0;
    int axis = entering ? enters : leaves;
    for (int k = 0; k < 3; k++) out->normal[k] = 0;
    out->normal[axis] = (ray->unit[axis] > 0) == entering ? -1 : 1;
    return true;
}

bool supi_ray_meet_capsule(const supi_ray* ray, double radius, double half_length,
                           supi_crossing* out) {
    const double top[3] = {0, half_length, 0}, bottom[3] = {0, -half_length, 0};
    interval middle =
        common(within_cylinder(ray, radius), within_slab(ray, 1, -half_length, half_length));
    interval caps = hull(within_sphere(ray, top, radius), within_sphere(ray, bottom, radius));
    if (!first_end(ray, hull(middle, caps), &out->distance)) return false;
    supi_ray_at(ray, out->distance, out->normal);
    double y = out->normal[1];
    out->normal[1] = y > half_length ? y - half_length : y < -half_length ? y + half_length : 0;
    make_unit(out->normal);
    return true;
}
