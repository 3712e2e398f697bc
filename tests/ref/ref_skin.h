/* Skins on oriented particles in double, written down plainly: the slow twin of src/skin. */
#ifndef SUPPLE_TESTS_REF_SKIN_H
#define SUPPLE_TESTS_REF_SKIN_H

#include "ref/ref_matrix.h"

#include <stdint.h>

enum { REF_SKIN_SLOTS = 4 };

/* A particle: its ellipsoid at rest, and what it has become. */
typedef struct ref_carrier {
    double rest[3], axes[4], radii[3];
    double x[3], turn[4], lasting[4]; /* the rotation is turn lasting */
} ref_carrier;

typedef struct ref_slots {
    int32_t count, home;
    int32_t carriers[REF_SKIN_SLOTS]; /* from the nearest to the farthest */
    double weights[REF_SKIN_SLOTS];
} ref_slots;

/* By looking at all carriers; carrier i is linked to links[starts[i]] .. */
ref_slots ref_skin_weigh(int32_t count, const ref_carrier* carriers, const int32_t* starts,
                         const int32_t* links, int32_t most, const double place[3]);

/* Where the slots take a place, and a direction (not made unit by the linear blend). */
void ref_skin_linear(const ref_carrier* carriers, const ref_slots* slots, const double place[3],
                     double out[3]);
void ref_skin_linear_turn(const ref_carrier* carriers, const ref_slots* slots,
                          const double direction[3], double out[3]);
void ref_skin_dual(const ref_carrier* carriers, const ref_slots* slots, const double place[3],
                   double out[3]);
void ref_skin_dual_turn(const ref_carrier* carriers, const ref_slots* slots,
                        const double direction[3], double out[3]);
/* How the linear blend changes volumes. */
double ref_skin_volume(const ref_carrier* carriers, const ref_slots* slots);

#endif
