/* Bodies of soft substance: their state, their part of a step, their surface. */
#ifndef SUPPLE_WORLD_BLOBS_H
#define SUPPLE_WORLD_BLOBS_H

#include "contact/neighbours.h"
#include "skin/blob.h"
#include "solve/blob.h"
#include "world/world.h"

/* What such a body has beside its rows. */
struct supi_soft {
    supi_arena arena;
    /* By row: m, how far the field of each reaches, now and at the start of the step; follows its
       volume. Then the value of the field at the surface. */
    float *reach, *reach_before;
    double iso, iso_before;
    int32_t age, age_before; /* steps since fields followed their volumes */

    /* Of a substep: who is near whom, and the rows in that order, twice. Nothing of it outlives the
       step. */
    supi_neighbours lists;
    double listed, holds; /* s since the lists were made; for which they should hold, 0: none */
    sup_row *x[2], *v[2];
    int32_t steps;
    supi_blob_law law;

    /* m^3 that each has of the shape at rest as it is drawn, and what it was found for; 0: not
       yet. */
    double share, share_iso;
    int32_t share_cells;

    /* Scratch of volumes and of the drawn surface. */
    sup_row* balls;
    float* volumes;
    double* piece_sums; /* by the lowest ball of a piece */
    int32_t* piece_counts;
    supi_blob_surface grid, drawn;
};

#define SUPI_NO_BLOB "\"blob\" is for bodies of soft substance"

sup_result supi_blobs_check(const sup_blob_settings* settings, sup_error* error);

/* Room for a body of soft substance; nothing to do for others. False when memory is short. */
bool supi_blobs_make(const sup_world* world, supi_body* body);
void supi_blobs_free(const sup_world* world, supi_body* body);
/* m, how far the field of each reaches at first; later from 0.7 to 1.4 of that. */
double supi_blobs_reach(const supi_body* body);
/* Fields reach as far as at rest. */
void supi_blobs_reset(supi_body* body);
/* The start of a step is kept, and comes back. */
void supi_blobs_keep(supi_body* body);
void supi_blobs_restore(supi_body* body);

/* A substep of h as a multiple of what it can carry. */
double supi_blobs_saturation(const supi_body* body, double h);
/* Before each substep of h from the state `from`: who may come near whom in it. False when memory
   is short. */
bool supi_blobs_find(sup_world* world, const supi_state* from, double h);

/* Moves the body from `from` into world->now by the end of a substep, when `share` of the step is
   over, and finds the boxes of its pieces. False: it is none of these. `tasks` may be NULL. */
bool supi_blobs_move(sup_world* world, const supi_state* from, double share, supi_tasks* tasks,
                     supi_body* body);

/* Its particles as balls about the anchor, in its scratch. */
supi_blob_field supi_blobs_field(const sup_world* world, const supi_body* body);

/* Steps from one such time to the next: volumes change slowly, and cost more than the steps. */
enum { SUPI_BLOB_EVERY = 4 };

/* End of a step of dt: now and then the surface follows its volume. False when memory is short. */
bool supi_blobs_settle(sup_world* world, double dt);

#endif
