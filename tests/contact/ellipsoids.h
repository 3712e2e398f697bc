/* Random ellipsoids in float, each with its twin in double. */
#ifndef SUPPLE_TESTS_CONTACT_ELLIPSOIDS_H
#define SUPPLE_TESTS_CONTACT_ELLIPSOIDS_H

#include "contact/ellipsoid.h"
#include "ref/ref_ellipsoid.h"
#include "ref/ref_matrix.h"
#include "ref/ref_random.h"

#include <math.h>

/* From low to high. */
static inline double between(uint64_t* seed, double low, double high) {
    return low + (high - low) * 0.5 * (1 + ref_random(seed));
}

static inline sup_quat random_turn(uint64_t* seed) {
    double q[4];
    ref_quaternion_random(seed, q);
    return (sup_quat){(float)q[0], (float)q[1], (float)q[2], (float)q[3]};
}

static inline sup_vec3 random_offset(uint64_t* seed, double size) {
    float c[3]; /* one after the other: compilers differ in the order within an expression */
    for (int k = 0; k < 3; k++) c[k] = (float)(size * ref_random(seed));
    return (sup_vec3){c[0], c[1], c[2]};
}

/* Radii within a factor of `aspect`. */
static inline supi_ellipsoid random_ellipsoid(uint64_t* seed, double size, double aspect) {
    float radii[3];
    for (int k = 0; k < 3; k++) radii[k] = (float)pow(aspect, -between(seed, 0, 1));
    sup_vec3 centre = random_offset(seed, size);
    sup_quat turn = random_turn(seed), rest = random_turn(seed);
    return supi_ellipsoid_at(centre, turn, rest, radii);
}

static inline ref_ellipsoid twin(const supi_ellipsoid* e) {
    ref_ellipsoid r = {.centre = {(double)e->centre.x, (double)e->centre.y, (double)e->centre.z}};
    for (int k = 0; k < 3; k++) {
        r.radii[k] = (double)e->radii[k];
        for (int c = 0; c < 3; c++) r.axes[k][c] = (double)e->axes[k][c];
    }
    return r;
}

static inline double largest_radius(const supi_ellipsoid* e) {
    return fmax((double)e->radii[0], fmax((double)e->radii[1], (double)e->radii[2]));
}

static inline double smallest_radius(const supi_ellipsoid* e) {
    return fmin((double)e->radii[0], fmin((double)e->radii[1], (double)e->radii[2]));
}

static inline sup_vec3 unit_vec3(sup_vec3 a) {
    float length = sqrtf(a.x * a.x + a.y * a.y + a.z * a.z);
    return (sup_vec3){a.x / length, a.y / length, a.z / length};
}

static inline void doubles_of(sup_vec3 a, double out[3]) {
    out[0] = (double)a.x;
    out[1] = (double)a.y;
    out[2] = (double)a.z;
}

#endif
