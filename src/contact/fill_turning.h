/* Fills in the contacts of particles that turn or have other shapes than spheres. */
#ifndef SUPPLE_CONTACT_FILL_TURNING_H
#define SUPPLE_CONTACT_FILL_TURNING_H

#include "contact/ellipsoid.h"
#include "contact/grid.h"
#include "contact/respond.h"

/* No pair is ever closer than this: contacts with it are none. */
#define SUPI_NEVER (-1e30f)

/* What is the same for all contacts of a substep. */
typedef struct supi_fill {
    const supi_ellipsoid_kernels* kernels;
    const supi_near_kernels* near;
    const supi_surface* surfaces;
    const sup_row *x, *v;
    float h;
} supi_fill;

/* What a pairing is filled in from. */
typedef struct supi_fill_source {
    supi_pairing* pairing;
    const supi_run *run_a, *run_b;
    const supi_candidate* pairs; /* (pairing->count) */
    bool sifted;                 /* they may overlap, as far as outlines show it */
    supi_near_sides sides;
    supi_contact* contacts; /* as many as pairs */
    supi_grasp* grasps;
} supi_fill_source;

/* Contacts and grasps of those pairs that overlap; the counts of the pairings become theirs. */
void supi_fill_pairs(const supi_fill* fill, const supi_fill_source* sources, int32_t source_count);

/* The same for a touch, of which all is filled in that the ellipsoid does not change. */
void supi_fill_touch(const supi_fill* fill, const supi_touch* touch, supi_touch_contact* contact,
                     supi_grasp* grasp);

/* The same for several of a touch with a plane that rests. */
void supi_fill_plane_touches(const supi_fill* fill, const supi_touch* touch,
                             supi_touch_contact** contacts, supi_grasp** grasps, int32_t count);

#endif
