#include "blueprint/extent.h"

#include "base/memory.h"
#include "blueprint/members.h"
#include "geom/eigen.h"
#include "geom/vector.h"

#include <stdlib.h>

/* Means of points and of their products, one by one. */
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

void supi_extent_direction(const sup_blueprint* b, double along[3]) {
    cloud all = {0};
    double squares[3], axes[9];
    for (int32_t r = 0; r < b->info.particle_count; r++) {
        double p[3];
        supi_vector_from(b->rest + r, p);
        supi_vector_subtract(p, b->info.centre, p);
        add_point(&all, p);
    }
    principal(&all, squares, axes);
    for (int k = 0; k < 3; k++) along[k] = axes[k];
}

double supi_extent_of(const sup_blueprint* b, int32_t c, const double along[3]) {
    cloud members = {0};
    double squares[3], axes[9], parts[3], extent = 0.0;
    supi_member_walk m = supi_members_of(b, c);
    while (supi_members_next(&m)) {
        const double q[3] = {(double)m.q[0], (double)m.q[1], (double)m.q[2]};
        add_point(&members, q);
    }
    principal(&members, squares, axes);
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
    int32_t count = b->cluster_count;
    double along[3], *extents = supi_memory_new(b->arena.allocator, (size_t)count, sizeof *extents);
    if (!extents) return false;
    supi_extent_direction(b, along);
    for (int32_t c = 0; c < count; c++) extents[c] = supi_extent_of(b, c, along);
    qsort(extents, (size_t)count, sizeof *extents, by_size);
    b->extent = (float)extents[count / 2];
    supi_memory_free(b->arena.allocator, extents, (size_t)count, sizeof *extents);
    return true;
}
