/* Bodies of clay: rest shapes that contacts dent for good. */
#ifndef SUPPLE_WORLD_KNEAD_H
#define SUPPLE_WORLD_KNEAD_H

#include "supple/deform.h"
#include "world/fields.h"
#include "world/world.h"

/* What such a body has beside its rows. Arrays are by row, which are the points of `surface`. */
struct supi_knead {
    supi_arena arena;
    sup_clay_settings settings;
    sup_vec3 *rest, *rest_before; /* m, frame of the blueprint: now, at the start of the step */
    sup_clay* surface;            /* who is beside whom; its points are those of the last dent */

    /* What follows from `rest`: takes the place of the blueprint's. */
    supi_members members;
    float* offsets[3]; /* of the members */
    supi_cluster cluster;
    float* areas; /* m^2, of the surface that belongs to it, at rest in the blueprint */

    /* Only within a substep. */
    sup_row* moved;   /* where the move has left the rows */
    uint8_t* touched; /* 1: a contact has pushed it */
    bool hit;         /* one of them */
    int32_t* sources;
    sup_vec3* by; /* m, frame of the blueprint */
};

/* Rest offsets of a body's members, and its clusters. */
static inline const supi_members* supi_body_members(const supi_body* body) {
    return body->knead ? &body->knead->members : &body->blueprint->members;
}
static inline const supi_cluster* supi_body_clusters(const supi_body* body) {
    return body->knead ? &body->knead->cluster : body->blueprint->clusters;
}

void supi_knead_free(const sup_world* world, supi_body* body);
/* Refuses what a body of clay cannot be made of; all is well with others. */
sup_result supi_knead_allows(const supi_body* body, const sup_material* material, sup_error* error);
/* Makes a body clay, or sets how it gives way. */
sup_result supi_knead_make(const sup_world* world, supi_body* body,
                           const sup_clay_settings* settings, sup_error* error);
/* No dents from now on; what is kept of the start of a step stays. */
void supi_knead_reset(supi_body* body);
/* The start of a step is kept, and comes back. */
void supi_knead_keep(supi_body* body);
void supi_knead_restore(supi_body* body);
/* After `rest` was set. */
void supi_knead_refresh(supi_body* body);

/* Of a substep of h: before contacts are answered, and after it. False when memory is short. */
void supi_knead_begin(const sup_world* world);
bool supi_knead_advance(sup_world* world, double h);

/* Settings and state of a body of clay. */
void supi_knead_settings(supi_visitor* visitor, sup_clay_settings* settings);
void supi_knead_fields(supi_visitor* visitor, supi_body* body);

#endif
