/* Parts of bodies that a contact moves as one. Within a substep an elastic wave runs some edges far
   (supi_tet_body.reach), and implicit springs know that: whoever pushes one point pushes all that
   it reaches. A contact that pushed a light corner alone would have to push it far to stop what
   comes behind it, and the springs would pull it in again in the next substep: as deep as its load
   for the substep is heavy beside the corner, without an end. */
#ifndef SUPPLE_CONTACT_TET_PATCH_H
#define SUPPLE_CONTACT_TET_PATCH_H

#include "contact/tet_contact.h"

typedef struct supi_tet_patch_row {
    int32_t row;
    sup_vec3 arm; /* m: from the middle of the patch */
} supi_tet_patch_row;

/* One side of a contact: points within reach of its rows, as a rigid piece. It moves little in a
   substep, so that all is as it was when it was made. */
typedef struct supi_tet_patch {
    const supi_tet_patch_row* rows; /* (count) */
    int32_t count;
    int32_t first, side; /* of the rows of all patches; of the sides of all contacts */
    double light;        /* 1/kg */
    double arm[3];       /* m: from the middle of its mass to the contact */
    double turn[6];      /* 1/(kg m^2): inverse of the inertia about the middle */
} supi_tet_patch;

/* All zero is empty. Memory is kept from call to call. */
typedef struct supi_tet_patches {
    supi_tet_patch* of;       /* (patch_count) */
    supi_tet_patch_row* rows; /* (row_count) */
    int32_t patch_count, row_count;
    supi_column patch_store, row_store, mark_store;
} supi_tet_patches;

/* Makes those of all contacts, and tells these which are theirs. False when memory is short. */
bool supi_tet_patches_make(supi_tet_patches* patches, const sup_allocator* allocator,
                           const supi_tet_body* bodies, int32_t body_count,
                           supi_tet_contact* contacts, int32_t count);
void supi_tet_patches_free(supi_tet_patches* patches, const sup_allocator* allocator);

/* 1/kg: what an impulse along a unit vector makes of the speed of the place of contact. */
float supi_tet_patch_lightness(const supi_tet_patch* patch, sup_vec3 along);

/* What an impulse at the contact does to a patch: `shift` to its middle, `spin` about it. */
typedef struct supi_tet_patch_move {
    double shift[3], spin[3];
} supi_tet_patch_move;

supi_tet_patch_move supi_tet_patch_push(const supi_tet_patch* patch, sup_vec3 impulse);
/* And so to a point of it. */
sup_vec3 supi_tet_patch_way(const supi_tet_patch_move* move, sup_vec3 arm);

#endif
