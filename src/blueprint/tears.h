/* Surfaces that can tear. Each corner of a polygon is a drawn vertex of its own, and spare rows
   wait behind the particles: where the surface opens, some of the corners at a particle go over to
   a spare one. Counts and ids never change; what changes is which row a corner follows, and all
   else is worked out from that. */
#ifndef SUPPLE_BLUEPRINT_TEARS_H
#define SUPPLE_BLUEPRINT_TEARS_H

#include "blueprint/blueprint.h"

/* Where a spring sits on the surface: between two corners of one polygon, or of two neighbours. It
   has as many seats as there are such polygons or pairs, and each carries the same share of it. */
typedef struct supi_seat {
    int32_t ends[2];     /* the corners at its particles a and b */
    int32_t hinge[2][2]; /* corners of the one and the other polygon: while these follow the same
                            rows, they are neighbours; -1: nothing is asked for */
} supi_seat;

struct supi_tears {
    int32_t* starts; /* by spring: its seats are seats[starts[i]] .. (spring_count + 1). Springs
                        through the inside have none */
    supi_seat* seats;
    int32_t* fan_starts; /* by row that is no spare: the corners there are fans[fan_starts[row]] ..
                          */
    int32_t* fans;
    int32_t* polygons;   /* by corner */
    float* areas;        /* m^2, by corner: its share of the polygon at rest */
    int32_t fan_most;    /* corners at a row, at most */
    int32_t spring_most; /* springs and columns of the net, however the surface may tear */
    int32_t column_most;
};

/* Rows before the first spare one. */
static inline int32_t supi_tears_rows(const sup_blueprint* b) {
    return b->info.particle_count - b->spare_count;
}
/* A spare row that waits goes with one of these. */
static inline int32_t supi_tears_host(const sup_blueprint* b, int32_t spare) {
    int32_t rows = supi_tears_rows(b);
    return (spare - rows) % rows;
}

/* What has to be true of a definition that tears. */
sup_result supi_tears_check(const sup_blueprint_def* def, sup_error* error);
/* How many spare rows it wants. */
int32_t supi_tears_spares(const sup_blueprint_def* def, int32_t particle_count);
/* Puts the spare rows in order: no mass, no radius, beside others. */
void supi_tears_place(sup_blueprint* blueprint);
/* Polygons without common vertices. */
void supi_tears_unshare(sup_blueprint* blueprint);
/* Once springs and surface stand. False: no memory. */
bool supi_tears_build(sup_blueprint* blueprint, supi_arena* scratch);
/* Does all of it fit? For blueprints from a file. */
bool supi_tears_fit(const sup_blueprint* blueprint);

#endif
