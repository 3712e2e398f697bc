#include "blueprint/extent.h"

#include "base/memory.h"
#include "blueprint/members.h"
#include "geom/eigen.h"
#include "geom/vector.h"

#include <stdlib.h>

/* So many clusters tell what is usual, evenly taken from all. */
enum { LOOKED_AT = 255 };
/* How far around a cluster the body is looked at, in sizes of the cluster. */
static const double reach = 3.0;

/* Sums of points and of their products. */
typedef struct cloud {
    double first[3], second[9];
    int32_t count;
} cloud;

static void add_point(cloud* c, const double p[3]) {
    c->count++;
    for (int k = 0; k < 3; k++) c->first[k] += p[k];
    for (int k = 0; k < 9; k++) c->second[k] += p[k / 3] * p[k % 3];
}

/* Mean squares along the principal axes, largest first. */
static void principal(const cloud* c, double squares[3], double axes[9]) {
    double moments[9], share = 1.0 / c->count;
    for (int k = 0; k < 9; k++) {
        moments[k] = share * (c->second[k] - share * c->first[k / 3] * c->first[k % 3]);
    }
    supi_eigen_symmetric(3, moments, squares, axes);
    for (int k = 0; k < 3; k++) squares[k] = squares[k] > 0.0 ? squares[k] : 0.0;
}

/* Unit, the direction in which the body goes on around cluster c: along a bar or a ring, along a
   surface, any deep inside. */
static void direction_at(const sup_blueprint* b, int32_t c, double reach_squared, double along[3]) {
    cloud near = {0};
    double squares[3], axes[9];
    for (int32_t r = 0; r < b->info.particle_count; r++) {
        double p[3];
        supi_vector_from(b->rest + r, p);
        supi_vector_subtract(p, b->centres + 3 * (size_t)c, p);
        if (supi_vector_dot(p, p) <= reach_squared) add_point(&near, p);
    }
    principal(&near, squares, axes);
    for (int k = 0; k < 3; k++) along[k] = axes[k];
}

double supi_extent_of(const sup_blueprint* b, int32_t c) {
    cloud members = {0};
    double squares[3], axes[9], along[3], parts[3], extent = 0.0;
    supi_member_walk m = supi_members_of(b, c);
    while (supi_members_next(&m)) {
        const double q[3] = {(double)m.q[0], (double)m.q[1], (double)m.q[2]};
        add_point(&members, q);
    }
    principal(&members, squares, axes);
    double size_squared = squares[0] + squares[1] + squares[2];
    if (!(size_squared > 0.0)) return 0.0;
    direction_at(b, c, reach * reach * size_squared, along);
    for (int k = 0; k < 3; k++) {
        double part = supi_vector_dot(axes + 3 * k, along);
        parts[k] = part * part;
        extent += parts[k] * parts[k] * squares[k];
    }
    /* Shear s in the plane of two axes i, j, less the turn t that fits best:
       least (s - t)^2 m_i + (s + t)^2 m_j = 4 s^2 m_i m_j / (m_i + m_j). */
    for (int k = 0; k < 3; k++) {
        int i = k, j = (k + 1) % 3;
        double sum = squares[i] + squares[j];
        if (sum > 0.0) extent += 4.0 * parts[i] * parts[j] * squares[i] * squares[j] / sum;
    }
    return extent;
}

/* Equal ones are alike, so that any order of them is the same. */
static int by_size(const void* left, const void* right) {
    double a = *(const double*)left, b = *(const double*)right;
    return (a > b) - (a < b);
}

bool supi_extent_find(sup_blueprint* b) {
    int32_t count = b->cluster_count < LOOKED_AT ? b->cluster_count : LOOKED_AT;
    double* extents = supi_memory_new(b->arena.allocator, (size_t)count, sizeof *extents);
    if (!extents) return false;
    for (int32_t i = 0; i < count; i++) {
        extents[i] = supi_extent_of(b, (int32_t)((int64_t)i * b->cluster_count / count));
    }
    qsort(extents, (size_t)count, sizeof *extents, by_size);
    b->extent = (float)extents[count / 2];
    supi_memory_free(b->arena.allocator, extents, (size_t)count, sizeof *extents);
    return true;
}
