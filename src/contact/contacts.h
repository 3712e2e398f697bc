/* All contacts of a world in one substep: found, solved, measured. */
#ifndef SUPPLE_CONTACT_CONTACTS_H
#define SUPPLE_CONTACT_CONTACTS_H

#include "base/tasks.h"
#include "contact/ellipsoid.h"
#include "contact/pair_list.h"
#include "contact/respond.h"
#include "contact/self_list.h"

/* Up to 64 rows of a run near colliders: what one worker takes at a time. */
typedef struct supi_touch_block {
    int32_t row, row_count;
    int32_t touch, touch_count;     /* touches of its run */
    int32_t mask;                   /* first of its masks, one for each touch */
    int32_t contact, contact_count; /* sorted by row, then collider */
    int32_t grasp;                  /* first of its grasps; -1: its run is plain */
    bool deep;                      /* as that of a pairing */
    bool even; /* its contacts are with one resting plane and one surface, and turn nobody */
} supi_touch_block;

/* All zero is an empty one. Memory is kept from call to call; what find needs no more of than
   before it does not allocate again. */
typedef struct supi_contacts {
    const supi_ellipsoid_kernels* kernels; /* NULL: the best that the processor has, */
    const supi_near_kernels* near;         /* and all from one instruction set */

    /* between runs: pairings sorted by runs, contacts by rows inside */
    supi_pairing* pairings;
    supi_contact* pair_contacts; /* of which only those that pairings name are contacts */
    int32_t pairing_count, pair_contact_count;
    int32_t* order;         /* (pairing_count) by colour; pairings of one colour share no run */
    int32_t* colour_starts; /* (colour_count + 1) into order */
    int32_t colour_count;
    int32_t* bunches; /* first pairings of those that are filled in together */

    supi_surface* surfaces; /* of pairings and touches, one for each pair of regions */
    int32_t surface_count;

    /* with colliders: touches sorted by run, then collider */
    supi_touch* touches;
    supi_touch_block* blocks;
    uint64_t* masks;
    supi_touch_contact* touch_contacts;
    int32_t touch_count, block_count, touch_contact_count;

    supi_grasp *pair_grasps, *touch_grasps; /* of runs that are oriented or meet themselves */
    supi_outline* outlines;                 /* of the runs that these are about */
    int32_t* outline_firsts;                /* of each run; -1: it has none */

    supi_pair_lists others;
    supi_self_lists selves;
    supi_column pairing_store, pair_contact_store, order_store, colour_store, used_store,
        bunch_store;
    supi_column surface_store, touch_store, block_store, mask_store, touch_contact_store;
    supi_column pair_grasp_store, touch_grasp_store, outline_store, outline_first_store;
} supi_contacts;

/* Fills the lists for rows that are about to be corrected: x the candidate places with their boxes
   in the runs, v the candidate velocities; rotations of oriented runs are candidates too. Sweeps
   and bounces turn these. SUP_NO_MEMORY leaves the lists empty. */
sup_result supi_contacts_find(supi_contacts* contacts, const sup_allocator* allocator,
                              supi_tasks* tasks, const supi_run* runs, int32_t run_count,
                              const supi_solid* solids, int32_t solid_count,
                              const supi_exemptions* exemptions, const sup_row* x, const sup_row* v,
                              float h);

/* Two runs are too deep in each other for spheres, which do not know which way is out: none of
   theirs acts in this substep. */
void supi_contacts_silence(supi_contacts* contacts, int32_t run_a, int32_t run_b);
/* m, how deep spheres of two runs are in each other at most; 0: they are not. */
float supi_contacts_deepest(const supi_contacts* contacts, int32_t run_a, int32_t run_b);
/* Run a is to leave run b along `way`: spheres that push it back do not act. */
void supi_contacts_silence_against(supi_contacts* contacts, int32_t run_a, int32_t run_b,
                                   sup_vec3 way);

/* One pass over all contacts; colliders last, so that nothing ends below the floor. */
void supi_contacts_sweep(supi_contacts* contacts, supi_tasks* tasks, sup_row* x, sup_row* v,
                         float h);

/* Restitution, after the last sweep. `gravity` (m/s^2, its length) tells a bounce from resting. */
void supi_contacts_bounce(supi_contacts* contacts, supi_tasks* tasks, sup_row* x, sup_row* v,
                          float h, float gravity);

typedef struct supi_contact_measures {
    int32_t pair_count, touch_count;   /* contacts that overlapped or were pushed */
    float pair_deepest, touch_deepest; /* m, overlap left in x; 0: none */
    float pair_deepest_share;          /* largest overlap as a share of the smaller radius */
} supi_contact_measures;

/* Looks at the rows that the lists were made for, as they are now. */
supi_contact_measures supi_contacts_measure(const supi_contacts* contacts, const sup_row* x,
                                            const sup_row* v);

/* The anchor of a run has moved by `shift`, m: keeps what is known of its contacts right. */
void supi_contacts_shift(supi_contacts* contacts, int32_t run, const float shift[3]);

/* Forgets the contacts and keeps the memory: to be called when rows move or go. */
void supi_contacts_clear(supi_contacts* contacts);
void supi_contacts_free(supi_contacts* contacts, const sup_allocator* allocator);

#endif
