/* Bodies of clay: rigid ones whose surface keeps the dents of what hits it. */
#ifndef SUPPLE_CLAY_H
#define SUPPLE_CLAY_H

#include "supple/types.h"

#ifdef __cplusplus
extern "C" {
#endif

/* How a body gives way: Hooke's law with a threshold. What a contact moves a particle of the
   surface in a substep wants to return, with the force that the contact took; what of that is above
   the threshold stays, and pulls the surface around along, as sup_clay_pull does. */
typedef struct sup_clay_settings {
    double strength;   /* Pa, 0..1e12, default 10000: the pressure that the surface bears. Raise it
                          when rest or light blows leave marks; a body that only moving colliders
                          hit hardly feels more than its mass by surface times depth / h^2 */
    double rate;       /* 1/s, above 0, default infinity: what is too much stays at once. Lower it
                          when a short hit shall leave less than a long one */
    double transfer;   /* 0..1, default 0.9: the part of a motion that an edge of the surface hands
                          on. Lower it when dents are too wide */
    double transverse; /* 0..1, default 0.5: the part of that which is handed on as it is, not only
                          along the edge. Raise it when dents have too steep a wall */
    int32_t reach;     /* 0..2^20, default 12: edges from a hit as far as which the surface follows,
                          in the outer half ever less; 0: only what is hit is moved */
} sup_clay_settings;
SUP_API sup_clay_settings sup_clay_settings_default(void);

#ifdef __cplusplus
}
#endif
#endif
