/* Forms: solids as trees of signed distances, m. A value is below 0 inside and above 0 outside, and
   it nowhere changes faster than the place does: the surface is at least |value| away, so whoever
   looks for it can leave out the ball of that radius. Spheres, capsules and their like have the
   true distance; where forms are blended, stretched, bent or twisted the value is at most the
   distance.

   Forms live in an arena and are never changed, so one form may be part of many. Every function
   returns NULL when memory is short and when a form that it needs is NULL: only the last form of a
   tree must be looked at. Angles are radians, lengths m and above 0. */
#ifndef SUPPLE_GEOM_FORM_H
#define SUPPLE_GEOM_FORM_H

#include "base/arena.h"

typedef enum supi_form_kind {
    SUPI_FORM_ELLIPSOID,
    SUPI_FORM_CAPSULE,
    SUPI_FORM_TORUS,
    SUPI_FORM_BOX,
    SUPI_FORM_PRISM,
    SUPI_FORM_LATHE,
    SUPI_FORM_TRIANGLE,
    SUPI_FORM_JOIN,
    SUPI_FORM_CUT,
    SUPI_FORM_SWELL,
    SUPI_FORM_PLACE,
    SUPI_FORM_MIRROR,
    SUPI_FORM_RING,
    SUPI_FORM_TWIST,
    SUPI_FORM_BEND
} supi_form_kind;

/* `number` is laid out by the functions that make the kind and read by form_value.c; they stand
   side by side there. */
typedef struct supi_form {
    supi_form_kind kind;
    int32_t part_count, corner_count, axis;
    double low[3], high[3]; /* a box around the solid */
    double number[16];
    const struct supi_form* const* parts; /* (part_count) */
    const double (*corners)[2];           /* of an outline, or turns (corner_count) */
} supi_form;

/* --- Solids --- */

const supi_form* supi_form_ellipsoid(supi_arena* arena, const double middle[3],
                                     const double radii[3]);
/* From one ball to another and all between. */
const supi_form* supi_form_capsule(supi_arena* arena, const double from[3], double from_radius,
                                   const double to[3], double to_radius);
/* Capsules along a smooth curve through `count` >= 2 points, `steps` of them from each to the next;
   the radii go along. */
const supi_form* supi_form_tube(supi_arena* arena, int32_t count, const double (*points)[3],
                                const double* radii, int32_t steps);
/* About the y axis: `radius` to the middle of the tube. */
const supi_form* supi_form_torus(supi_arena* arena, const double middle[3], double radius,
                                 double tube);
/* Edges rounded inwards by `round` (0: sharp), at most the smallest half size. */
const supi_form* supi_form_box(supi_arena* arena, const double middle[3], const double half[3],
                               double round);
/* A polygon of 3 corners or more in the plane of x and y, from -half to half in z, and all that is
   at most `round` away from that. */
const supi_form* supi_form_prism(supi_arena* arena, int32_t count, const double (*corners)[2],
                                 double half, double round);
/* The same polygon, in the plane of x and y at x >= 0, turned about the y axis, and all that is at
   most `round` away. */
const supi_form* supi_form_lathe(supi_arena* arena, int32_t count, const double (*corners)[2],
                                 double round);
/* All that is at most `round` away from a triangle. */
const supi_form* supi_form_triangle(supi_arena* arena, const double a[3], const double b[3],
                                    const double c[3], double round);

/* --- Together --- */

/* All of 1 form or more, in this order; seams are filled where the surfaces of two are less than
   `blend` apart (0: none). */
const supi_form* supi_form_join(supi_arena* arena, int32_t count, const supi_form* const* parts,
                                double blend);
/* The first without the second; edges are worn down where their surfaces are less than `blend`
   apart. */
const supi_form* supi_form_cut(supi_arena* arena, const supi_form* form, const supi_form* away,
                               double blend);
/* All that is at most `by` away; below 0: all that is as deep inside. */
const supi_form* supi_form_swell(supi_arena* arena, const supi_form* form, double by);

/* --- Elsewhere --- */

const supi_form* supi_form_move(supi_arena* arena, const supi_form* form, const double by[3]);
/* About an axis (0, 1, 2) through the origin, right-handed. */
const supi_form* supi_form_turn(supi_arena* arena, const supi_form* form, int32_t axis,
                                double angle);
const supi_form* supi_form_scale(supi_arena* arena, const supi_form* form, const double by[3]);
/* What lies at the positive side of an axis, there and at the other side. */
const supi_form* supi_form_mirror(supi_arena* arena, const supi_form* form, int32_t axis);
/* `count` >= 3 copies about the y axis; the form must reach no farther than into the places of its
   neighbours. */
const supi_form* supi_form_ring(supi_arena* arena, const supi_form* form, int32_t count);
/* Turns about the y axis by `rate` rad for each m along it. */
const supi_form* supi_form_twist(supi_arena* arena, const supi_form* form, double rate);
/* Bends the x axis within the plane of x and y, by `rate` rad for each m along it; above 0: towards
   y. The origin stays. The form must be thinner than 0.7 / |rate| on the inner side and turn by
   less than half a circle from the origin to either end. */
const supi_form* supi_form_bend(supi_arena* arena, const supi_form* form, double rate);

/* --- Values --- */

double supi_form_value(const supi_form* form, const double place[3]);
/* The unit normal, outwards, from differences over `step`; 0 where the value is even. */
void supi_form_normal(const supi_form* form, const double place[3], double step, double out[3]);

/* A form with the same values, bit by bit, at every place in the ball, without the parts that do
   not matter there. What it needs comes from `arena`, which lives no longer than the caller wants;
   the form itself when there is nothing to leave out, and when memory is short. */
const supi_form* supi_form_near(supi_arena* arena, const supi_form* form, const double middle[3],
                                double radius);

#endif
