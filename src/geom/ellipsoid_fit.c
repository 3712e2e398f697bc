/* Weighted principal component analysis: near points count more, by the cube of the distance. */
#include "geom/ellipsoid_fit.h"

#include "geom/eigen.h"
#include "geom/vector.h"

#include <math.h>
#include <string.h>

#define ALIKE 0.02 /* eigenvalues that differ by less, relative, leave their axes open */
#define LEAST_POINTS 4
#define LEAST_SHARE 0.25 /* of radii that are made smaller */
#define SHRINKS 8        /* times that one of them is */
#define FLATTEST 1e-3    /* of the reach: thinner is no ellipsoid */

typedef struct patch {
    const supi_cloud* cloud;
    const double* place;
    double reach;
    int32_t count;
    const int32_t* ids;
} patch;

/* Offset of a point from the place and its weight; 0: it is beyond the reach. */
static double weigh(const patch* p, int32_t i, double offset[3]) {
    int32_t id = p->ids[i];
    double x[3];
    supi_vector_from(&p->cloud->points[id], x);
    supi_vector_subtract(x, p->place, offset);
    double t = supi_vector_length(offset) / p->reach;
    return t < 1.0 ? p->cloud->areas[id] * (1.0 - t * t * t) : 0.0;
}

/* Mean offset and normal, nearest point; returns how many points count. */
static int32_t measure(const patch* p, supi_ellipsoid_fit* out) {
    double whole = 0.0, offset[3];
    int32_t used = 0;
    out->nearest = p->reach;
    for (int k = 0; k < 3; k++) out->mean[k] = out->normal[k] = 0.0;
    for (int32_t i = 0; i < p->count; i++) {
        double w = weigh(p, i, offset);
        if (!(w > 0.0)) continue;
        double distance = supi_vector_length(offset);
        out->nearest = distance < out->nearest ? distance : out->nearest;
        const double* normal = p->cloud->normals[p->ids[i]];
        double share = w / p->cloud->areas[p->ids[i]];
        for (int k = 0; k < 3; k++)
            out->mean[k] += w * offset[k], out->normal[k] += share * normal[k];
        whole += w;
        used++;
    }
    for (int k = 0; k < 3 && used > 0; k++) out->mean[k] /= whole, out->normal[k] /= whole;
    return used;
}

static double covariance(const patch* p, const double mean[3], double c[9]) {
    double whole = 0.0, offset[3], d[3];
    memset(c, 0, 9 * sizeof *c);
    for (int32_t i = 0; i < p->count; i++) {
        double w = weigh(p, i, offset);
        if (!(w > 0.0)) continue;
        supi_vector_subtract(offset, mean, d);
        for (int r = 0; r < 3; r++) {
            for (int k = 0; k < 3; k++) c[3 * r + k] += w * d[r] * d[k];
        }
        whole += w;
    }
    for (int k = 0; k < 9; k++) c[k] /= whole;
    return c[0] + c[4] + c[8];
}

/* Turns axes a and b in their plane so that a resembles one of `like`. */
static void align_pair(double* axes, int a, int b, const double* like) {
    double best[3] = {0, 0, 0}, longest = 0.0;
    const double *u = axes + 3 * a, *v = axes + 3 * b;
    for (int i = 0; i < 3; i++) {
        double along = supi_vector_dot(like + 3 * i, u), across = supi_vector_dot(like + 3 * i, v);
        double length = sqrt(along * along + across * across);
        if (!(length > longest)) continue;
        longest = length;
        for (int k = 0; k < 3; k++) best[k] = (along * u[k] + across * v[k]) / length;
    }
    if (longest > 0.0) memcpy(axes + 3 * a, best, sizeof best);
}

/* Where axes are not unique they follow `like`; then they are made a rotation. */
static void settle_axes(double* axes, const double values[3], const double* like) {
    bool first = values[0] - values[1] <= ALIKE * values[0];
    bool last = values[1] - values[2] <= ALIKE * values[0];
    if (like && first && last) {
        memcpy(axes, like, 9 * sizeof *axes);
    } else if (like && first) {
        align_pair(axes, 0, 1, like);
        supi_vector_cross(axes + 6, axes, axes + 3);
    } else if (like && last) {
        align_pair(axes, 1, 2, like);
    }
    supi_vector_cross(axes, axes + 3, axes + 6);
}

/* The box of the points along the axes: its middle as an offset, and half of its sides. */
static void box_points(const patch* p, const double* axes, double middle[3], double half[3]) {
    double low[3] = {0, 0, 0}, high[3] = {0, 0, 0}, offset[3];
    bool begun = false;
    for (int32_t i = 0; i < p->count; i++) {
        if (!(weigh(p, i, offset) > 0.0)) continue;
        for (int k = 0; k < 3; k++) {
            double along = supi_vector_dot(offset, axes + 3 * k);
            low[k] = !begun || along < low[k] ? along : low[k];
            high[k] = !begun || along > high[k] ? along : high[k];
        }
        begun = true;
    }
    for (int k = 0; k < 3; k++) {
        middle[k] = 0.0;
        half[k] = 0.5 * (high[k] - low[k]);
    }
    for (int i = 0; i < 3; i++) {
        for (int k = 0; k < 3; k++) middle[k] += 0.5 * (low[i] + high[i]) * axes[3 * i + k];
    }
}

static void clamp_radii(const supi_ellipsoid_rules* rules, double radii[3]) {
    double largest = 0.0;
    for (int k = 0; k < 3; k++) {
        radii[k] = radii[k] < rules->reach ? radii[k] : rules->reach;
        largest = radii[k] > largest ? radii[k] : largest;
    }
    double least = largest / rules->aspect;
    least = least > rules->least ? least : rules->least;
    for (int k = 0; k < 3; k++) radii[k] = radii[k] > least ? radii[k] : least;
}

void supi_ellipsoid_fit_points(const supi_ellipsoid_rules* rules, const supi_cloud* cloud,
                               int32_t count, const int32_t* ids, const double place[3],
                               const double* like, supi_ellipsoid_fit* out) {
    patch p = {cloud, place, rules->reach, count, ids};
    double c[9], values[3], middle[3];
    int32_t used = measure(&p, out);
    double spread = used < LEAST_POINTS ? 0.0 : covariance(&p, out->mean, c);
    out->sphere = spread < 1e-8 * rules->reach * rules->reach;
    for (int k = 0; k < 3; k++) {
        out->centre[k] = place[k];
        out->mean[k] += place[k];
        out->radii[k] = rules->sphere;
    }
    for (int k = 0; k < 9; k++) out->axes[k] = k % 4 == 0 ? 1.0 : 0.0;
    if (out->sphere) return;
    supi_eigen_symmetric(3, c, values, out->axes);
    settle_axes(out->axes, values, like);
    box_points(&p, out->axes, middle, out->radii);
    clamp_radii(rules, out->radii);
    if (supi_vector_length(middle) > 0.5 * rules->reach) return;
    for (int k = 0; k < 3; k++) out->centre[k] += middle[k];
}

/* The point that lies deepest in an ellipsoid: along its axes, in its radii. Returns its squared
   distance from the centre; 1: none lies inside. */
static double find_deepest(const patch* p, const double off[3], const supi_ellipsoid_fit* fit,
                           double deepest[3]) {
    double least = 1.0, offset[3], along[3];
    for (int32_t i = 0; i < p->count; i++) {
        if (!(weigh(p, i, offset) > 0.0)) continue;
        supi_vector_subtract(offset, off, offset);
        double square = 0.0;
        for (int k = 0; k < 3; k++) {
            along[k] = fabs(supi_vector_dot(offset, fit->axes + 3 * k)) / fit->radii[k];
            square += along[k] * along[k];
        }
        if (square < least) least = square, memcpy(deepest, along, sizeof along);
    }
    return least;
}

void supi_ellipsoid_fit_shrink(const supi_ellipsoid_rules* rules, const supi_cloud* cloud,
                               int32_t count, const int32_t* ids, const double place[3],
                               const double centre[3], supi_ellipsoid_fit* fit) {
    patch p = {cloud, place, rules->reach, count, ids};
    double middle[3], half[3], off[3], deepest[3];
    box_points(&p, fit->axes, middle, half);
    supi_vector_subtract(centre, place, off);
    for (int k = 0; k < 3; k++) {
        half[k] = half[k] > FLATTEST * rules->reach ? half[k] : FLATTEST * rules->reach;
        fit->radii[k] = half[k];
    }
    for (int round = 0; round < SHRINKS; round++) {
        double square = find_deepest(&p, off, fit, deepest);
        if (!(square < 1.0)) break;
        /* The axis that points there most becomes so short that it does not reach it. */
        int k = deepest[0] > deepest[1] ? 0 : 1;
        k = deepest[2] > deepest[k] ? 2 : k;
        double own = deepest[k] * deepest[k], share = sqrt(own / (1.0 - square + own));
        double least = LEAST_SHARE * half[k] / fit->radii[k];
        fit->radii[k] *= share > least ? share : least;
    }
    clamp_radii(rules, fit->radii);
}
