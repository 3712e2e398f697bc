/* How bodies of tetrahedra get out of each other. */
#ifndef SUPPLE_OVERLAP_H
#define SUPPLE_OVERLAP_H

#include "supple/types.h"

#ifdef __cplusplus
extern "C" {
#endif

/* How a body of tetrahedra gets out of others like it. Of two that meet, the mode later in this
   list is that of both. */
typedef enum sup_overlap_mode {
    SUP_OVERLAP_DEPTH,   /* default: depths that agree with each other, from where its edges cross
                            the surface of the other */
    SUP_OVERLAP_NAIVE,   /* for comparison: every point goes to the nearest place of the surface,
                            deep ones out on the far side */
    SUP_OVERLAP_PENALTY, /* for comparison: the same depths as springs and dampers */
    SUP_OVERLAP_SPHERES  /* spheres around its particles, as of bodies without tetrahedra */
} sup_overlap_mode;

/* The numbers are those of the body whose point, or edge, is in the other. */
typedef struct sup_overlap_settings {
    sup_overlap_mode mode;
    bool meets_itself; /* default false: it also gets out of itself. Turn it on when it folds */
    bool edges;       /* default false: also edges that cross another body with no point in it. Turn
                         it on when thin or coarse bodies pass through each other edge by edge */
    double stiffness; /* 0.1..1, default 0.5: share of the depth that one sweep takes away. Raise
                         it when bodies press into each other, lower it when piles tremble */
    double depart;    /* 0..20, default 4: mean edges per second at which an overlap may open by
                         itself. Raise it when bodies stay in each other, lower it when they jump
                         apart */
    double shift;     /* 1..60, default 15: mean edges per second at which what is left of it opens
                         without becoming speed. Raise it when bodies that began deep in each other
                         part too slowly */
    double damping;   /* 0..0.75, default 0.3, PENALTY: share of the critical one */
} sup_overlap_settings;

SUP_API sup_overlap_settings sup_overlap_settings_default(void);

#ifdef __cplusplus
}
#endif
#endif
