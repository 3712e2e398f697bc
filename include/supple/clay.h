/* Bodies of clay: rigid ones whose surface keeps the dents of what hits it. */
#ifndef SUPPLE_CLAY_H
#define SUPPLE_CLAY_H

#include "supple/types.h"

#ifdef __cplusplus
extern "C" {
#endif

/* How a body gives way. What a contact moves a particle of the surface in a substep is a spring
   that wants to return; what of it is longer than `give` stays, and pulls the surface around along,
   as sup_clay_pull does. */
typedef struct sup_clay_settings {
    double give;       /* m, 0..1e3, default 0.001: as much returns, with the force that hits back;
                          half as much wants half the blow. Raise it when resting or light blows
                          leave marks */
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
