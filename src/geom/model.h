/* What a model is made of: forms, and how finely each becomes triangles. One file per model. */
#ifndef SUPPLE_GEOM_MODEL_H
#define SUPPLE_GEOM_MODEL_H

#include "geom/form.h"

#define SUPI_MODEL_PARTS 4

/* A place, or three sizes, in the middle of a call. */
#define SUPI_AT(x, y, z) ((const double[3]){(x), (y), (z)})

/* A part becomes a closed surface of its own, `count` times; parts must not touch. */
typedef struct supi_model_part {
    const supi_form* form;
    double thin;   /* m: the grid has two cells across the thinnest of it */
    double length; /* m, of edges at detail 1 */
    double finest; /* m, where it is bent */
    int32_t count;
    double places[4][3]; /* m, where the origin of the form goes (count) */
    bool turned[4];      /* half a turn about y (count) */
} supi_model_part;

typedef struct supi_model {
    int32_t part_count;
    supi_model_part parts[SUPI_MODEL_PARTS];
} supi_model;

/* A ball with a ring of skin about it and a dent for the pupil, that looks along x. */
const supi_form* supi_model_eye(supi_arena* arena, double radius);

/* A form is NULL when memory was short. */
void supi_model_squid(supi_arena* arena, supi_model* out);
void supi_model_lionfish(supi_arena* arena, supi_model* out);
void supi_model_truck(supi_arena* arena, supi_model* out);
void supi_model_rope(supi_arena* arena, supi_model* out);
void supi_model_plant(supi_arena* arena, supi_model* out);

#endif
