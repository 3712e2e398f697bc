/* Oriented particles as carriers of a skin: how far a place is from them, measured in their
   ellipsoids, and which of them a point at that place follows (Mueller and Chentanez: Solid
   Simulation with Oriented Particles, 2011). */
#ifndef SUPPLE_SKIN_CARRIERS_H
#define SUPPLE_SKIN_CARRIERS_H

#include "geom/point_tree.h"
#include "skin/slots.h"
#include "supple/frame.h"

/* A point follows this many carriers at most. */
enum { SUPI_CARRIER_SLOTS = 4 };

/* What carriers are made from; the arrays stay the caller's. */
typedef struct supi_carriers_def {
    int32_t count;                   /* particles, at least 1 */
    const sup_vec3* centres;         /* m, finite */
    const sup_ellipsoid* ellipsoids; /* NULL: spheres of one size. One without radii carries
                                        nothing, unless no other has any */
    const int32_t* link_starts;      /* particle i is linked to links[link_starts[i]] .. */
    const int32_t* links;            /* (count + 1); both NULL: there are none */
    int32_t paint_count;             /* weights that a user has painted */
    const sup_skin_weight* paint;    /* by point of the skin in place of a vertex and by particle,
                                        ascending; above 0, SUP_SKIN_WEIGHTS of a point at most */
} supi_carriers_def;

/* Places may be asked for by one thread at a time. */
typedef struct supi_carriers {
    supi_carriers_def def;
    supi_point_tree tree; /* of the centres of those that carry */
    int32_t* ids;         /* by point of the tree, ascending: its particle */
    double* shrink;       /* by particle, 9 each: from offsets from its centre, m, to where its
                             ellipsoid is the unit ball; all 0 where it carries nothing */
    double widest;        /* m: largest radius */
    int32_t* near;        /* scratch, by point of the tree */
    int32_t last;         /* particle that was nearest to the place before: a good guess */
} supi_carriers;

/* False when memory is short. `def` and its centres are kept. */
bool supi_carriers_build(const supi_carriers_def* def, supi_arena* arena, supi_carriers* out);

/* The carrier in whose radii the place is nearest, the lowest of equally near ones. */
int32_t supi_carriers_nearest(supi_carriers* carriers, const double place[3]);

/* How far it is from a carrier, in its radii, squared. */
double supi_carriers_square(const supi_carriers* carriers, int32_t id, const double place[3]);

/* What a point at this place follows: its nearest carrier (*home) and those linked to it, `most`
   (1..SUPI_CARRIER_SLOTS) at most. Returns how many; weights are shared, frames ascend. */
int32_t supi_carriers_weigh(supi_carriers* carriers, const double place[3], int32_t most,
                            supi_slot out[SUPI_CARRIER_SLOTS], int32_t* home);

/* Puts `painted` weights (1..SUPI_CARRIER_SLOTS) of a point over the `count` that were found for
   it: these share what is left of 1, `most` slots in all. Returns how many there are, as above;
   *home is the strongest. */
int32_t supi_carriers_paint(int32_t painted, const sup_skin_weight* paint, int32_t most,
                            int32_t count, supi_slot slots[SUPI_CARRIER_SLOTS], int32_t* home);

/* Binds the `count` points at `rest` (kept by the caller), at least one. False when memory is
   short. */
bool supi_carriers_bind(supi_carriers* carriers, int32_t most, int32_t count, sup_vec3* rest,
                        supi_arena* arena, supi_arena* scratch, supi_skin* out);

#endif
