/* Bodies whose surface tears: which row each drawn vertex follows, and what follows from that. */
#ifndef SUPPLE_WORLD_TEAR_H
#define SUPPLE_WORLD_TEAR_H

#include "blueprint/tears.h"
#include "solve/net.h"
#include "world/elastic.h"
#include "world/world.h"

struct supi_tear {
    /* State: now, and at the start of the last step. */
    int32_t torn, torn_before;   /* spare rows in use, taken in order */
    int32_t *rows, *rows_before; /* by drawn vertex, which is a corner */
    float *mass, *mass_before;   /* kg, by row; 0 where it waits */

    /* What follows from the state. */
    int32_t* origin; /* by row: the one of the blueprint that it was parted from, or itself; of a
                        spare one that waits, its host */
    float* inverse_mass; /* 1/kg, by row: 0 where it is pinned or waits */
    sup_vec3* rest;      /* m, by row */
    int32_t spring_count;
    sup_spring* springs; /* between rows as they are now */
    supi_net_rooms rooms;
    supi_spring_net net; /* of these springs */

    /* Scratch of supi_tear_open. */
    uint64_t* keys;              /* (2 * spring_most) */
    int32_t* order;              /* the same */
    bool *eased, *queued;        /* by row */
    int32_t* queue;              /* rows (row_count) */
    int32_t *fan, *side, *group; /* (fan_most) */
};

/* Room for it in an elastic that is being made; nothing to do where the surface cannot tear. False:
   no memory. */
bool supi_tear_make(supi_elastic* elastic, const sup_blueprint* blueprint);
/* Whole again. Masses and radii of rows are not written. */
void supi_tear_mend(supi_body* body);
/* The start of a step is kept, and comes back. */
void supi_tear_keep(supi_body* body);
void supi_tear_restore(supi_body* body);
/* Works out what follows from a state that was read. False: the surface cannot have torn so. */
bool supi_tear_adopt(supi_body* body);
/* The same from one that is sound. */
void supi_tear_derive(supi_body* body);

/* Opens the surface where its springs are strained too far, and takes spare rows of x and v for
   that. */
void supi_tear_open(supi_body* body, sup_row* x, sup_row* v);
/* Spare rows that wait go with their hosts. */
void supi_tear_wait(const supi_body* body, sup_row* x, sup_row* v);
/* How often its particles have parted in the last step. */
int32_t supi_tear_count(const supi_body* body);

/* What is the body's own where its surface tears, and else the blueprint's. */

static inline const supi_tear* supi_tear_of(const supi_body* body) {
    return body->elastic ? body->elastic->tear : NULL;
}
static inline const int32_t* supi_tear_vertex_rows(const supi_body* body) {
    const supi_tear* tear = supi_tear_of(body);
    return tear ? tear->rows : body->blueprint->vertex_rows;
}
static inline const float* supi_tear_masses(const supi_body* body) {
    const supi_tear* tear = supi_tear_of(body);
    return tear ? tear->mass : body->blueprint->mass;
}
/* By row of particles. */
static inline const float* supi_tear_inverse_masses(const supi_body* body) {
    const supi_tear* tear = supi_tear_of(body);
    return tear ? tear->inverse_mass : body->blueprint->inverse_mass;
}
static inline float supi_tear_radius(const supi_body* body, int32_t row) {
    const supi_tear* tear = supi_tear_of(body);
    if (!tear) return body->blueprint->radius[row];
    return tear->mass[row] > 0.0f ? body->blueprint->radius[tear->origin[row]] : 0.0f;
}
/* The row whose place at the start of the step says where `row` was then: one that was parted in
   this step was where the rest of its particle was. */
static inline int32_t supi_tear_start_row(const supi_body* body, int32_t row) {
    const supi_tear* tear = supi_tear_of(body);
    if (!tear || row < supi_tears_rows(body->blueprint) + tear->torn_before) return row;
    return tear->origin[row];
}
static inline const supi_spring_net* supi_tear_net(const supi_body* body) {
    const supi_tear* tear = supi_tear_of(body);
    return tear ? &tear->net : &body->blueprint->net;
}
static inline const sup_spring* supi_tear_springs(const supi_body* body, int32_t* count) {
    const supi_tear* tear = supi_tear_of(body);
    *count = tear ? tear->spring_count : body->blueprint->spring_count;
    return tear ? tear->springs : body->blueprint->springs;
}

#endif
