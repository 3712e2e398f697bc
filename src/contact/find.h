/* How the contact lists of a substep are filled: pairs, then colliders. */
#ifndef SUPPLE_CONTACT_FIND_H
#define SUPPLE_CONTACT_FIND_H

#include "contact/contacts.h"
#include "contact/fill_turning.h"
#include "geom/quaternion.h"

/* What two grips made of each other, and where that stands: neighbours are often alike. */
typedef struct supi_find_last {
    bool known;
    supi_grip a, b;
    float spacing;
    int32_t surface;
} supi_find_last;

/* What the loops of one call share. */
typedef struct supi_find {
    supi_contacts* contacts;
    const supi_run* runs;
    int32_t run_count;
    const supi_exemptions* exemptions; /* or NULL */
    const sup_row *x, *v;
    float h;
    const sup_allocator* allocator;
    supi_tasks* tasks;
    supi_find_last last;
} supi_find;

/* False when memory is short. */
bool supi_find_pairs(supi_find* find);
bool supi_find_touches(supi_find* find, const supi_solid* solids, int32_t solid_count);

/* What two grips make of each other, where particles are `spacing` apart. */
supi_surface supi_find_surface(const supi_grip* a, const supi_grip* b, float spacing);
/* Adds the surfaces of all regions of a against all of b; the first of them, or -1 when memory is
   short. */
int32_t supi_find_surfaces(supi_find* find, const supi_grip* a, int32_t a_count, const supi_grip* b,
                           int32_t b_count, float spacing);

/* The speed of approach that may bounce: none where the two had met before the substep, or what a
   body's own springs do to its resting particles would count as a blow. */
static inline float supi_find_approach(const supi_surface* surface, float depth, float closing,
                                       float h) {
    float depth_before = depth + h * closing;
    return depth_before > -surface->slack ? 0 : closing;
}

static inline supi_fill supi_find_fill(const supi_find* c) {
    return (supi_fill){
        c->contacts->kernels, c->contacts->near, c->contacts->surfaces, c->x, c->v, c->h};
}

/* The present outward normal of a row of a run that has some. */
static inline sup_vec3 supi_find_outward(const supi_run* run, int32_t row) {
    int32_t local = row - run->first;
    return supi_quaternion_turn(run->turns + (run->turn_of ? run->turn_of[local] : 0),
                                run->outward[local]);
}

#endif
