/* Bodies so fast that they would pass through each other within a substep. */
#ifndef SUPPLE_CONTACT_TET_FAST_H
#define SUPPLE_CONTACT_TET_FAST_H

#include "contact/swept.h"
#include "contact/tet_contacts.h"

/* Two that were stopped: a < b are their ids. */
typedef struct supi_tet_stop {
    int32_t a, b;
    double impulse[3]; /* N s, on a */
    double place[3];   /* m, world: where they met */
    double haste;      /* how far they came nearer, over half the thickness of the thinner */
} supi_tet_stop;

/* All zero is an empty one. Memory is kept from call to call. */
typedef struct supi_tet_fast {
    supi_tet_stop* stops; /* by a, then b */
    int32_t stop_count;

    int32_t reserved;           /* rows of a body that there is room for */
    supi_tet_contacts contacts; /* of the two that are looked at */
    supi_swept swept;
    supi_sweep sweep;
    supi_column travellers, encounters, stop_store, rows[2];
} supi_tet_fast;

/* Makes room for the rows and spheres of an encounter of two of the bodies, and for what looking at
   the two largest solids takes where they are. Where more points than that are in each other, or
   more encounters come together, the first such substep makes more. False when memory is short. */
bool supi_tet_fast_reserve(supi_tet_fast* fast, const sup_allocator* allocator, supi_tasks* tasks,
                           const supi_tet_kernels* kernels, const supi_tet_body* bodies,
                           int32_t body_count, const supi_tet_rules* rules);

/* May one of bodies of which none is faster than `fastest` (m/s), nor thinner than `thinnest` (m),
   pass another in a substep of h? */
bool supi_tet_fast_may(float fastest, float thinnest, float h);

/* Before contacts are looked for, after room was made. Couples that come nearer by more than half
   the thickness of one of them are followed from the start of the substep on; those that meet by
   spheres by more than the larger of that and 1.5 times the sum of their radii. Where they meet on
   their way, two with tetrahedra of their own by these and all others by their spheres, both go on
   with the speed that they then have in common along the normal: as wholes, or of sheets and ropes
   what is hit. Friction acts across, momentum is kept, spin is left alone, and nothing bounces.
   Rows without inverse mass stay, also those of a body that is pinned in part. One that is about to
   run into a body that sleeps waits before it, as fast as it is, until that is awake. Each is
   stopped once at most. False when memory is short; rows may have changed then. */
bool supi_tet_fast_stop(supi_tet_fast* fast, const sup_allocator* allocator, supi_tasks* tasks,
                        const supi_tet_kernels* kernels, const supi_tet_body* bodies,
                        int32_t body_count, const supi_tet_rules* rules, float h);
void supi_tet_fast_free(supi_tet_fast* fast, const sup_allocator* allocator);

#endif
