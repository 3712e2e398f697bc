/* Explicit integrators: rows with forces go one step ahead (Verlet 1967; Hairer, Lubich and Wanner
   2006). Pure functions on slices. */
#ifndef SUPPLE_SOLVE_EXPLICIT_H
#define SUPPLE_SOLVE_EXPLICIT_H

#include "base/tasks.h"
#include "supple/spring.h"

/* All forces on the rows at the places x with the velocities v, gravity among them, in N; what
   rows of inverse mass 0 get does not matter. Fills f.x, f.y, f.z; depends on x and v alone. */
typedef void supi_forces(void* context, const sup_row* x, const sup_row* v, sup_row* f);

/* What moves the rows of a body through `span` seconds. Rows of inverse mass 0 feel no force. Those
   that are not padding (at rest) are pins: each goes along a straight line at one speed, so that
   every stage of every scheme finds it where it is at that time. */
typedef struct supi_motion {
    supi_tasks* tasks; /* may be NULL */
    sup_integrator integrator;
    int32_t row_count; /* with padding */
    supi_forces* forces;
    /* What else happens to rows after each step of h seconds, such as limits of strain; may be
       NULL. Depends on its arguments alone: steps may be tried and taken back. */
    void (*after)(void* context, double h, sup_row* x, sup_row* v);
    /* Of step control: a step of h counts, whose last forces were f; may be NULL. */
    void (*taken)(void* context, double h, const sup_row* f);
    void* context; /* of all three */
    double drag;   /* 1/s: after a step of h velocities are divided by 1 + h drag */
    double span;   /* s */
    int32_t pin_count;
    const int32_t* pins;       /* rows */
    const sup_vec3* pin_start; /* by pin, m: where it is at the time 0, and */
    const sup_vec3* pin_end;   /* at the time `span` */
    sup_row* scratch;          /* supi_explicit_scratch times row_count */
} supi_motion;

/* Rows on their way: (x, y, z, inverse mass), (vx, vy, vz, radius).

   Position Verlet, x1 = x + (x - xp) h / hp + a h (h + hp) / 2, needs no place xp of the step hp
   before: with the velocity v = (x - xp) / hp it reads v1 = v + a (h + hp) / 2, x1 = x + h v1, and
   with hp = 0 it starts from a true velocity. So its velocities are those of the middle of the last
   step. That at the time between two steps is (h v1 + hp v) / (h + hp). */
typedef struct supi_moving {
    sup_row *x, *v;
    double last; /* s: hp, the step before; 0: none. Other schemes leave it alone */
} supi_moving;

/* Arrays of rows that a step of the integrator needs as scratch: 1, 3 or 5. */
int32_t supi_explicit_scratch(sup_integrator integrator);

/* Puts pins where they are at the time t, 0 .. span, with their velocity. */
void supi_explicit_pin(const supi_motion* motion, double t, sup_row* x, sup_row* v);

/* One step of h from the time t on, any integrator but the implicit one. `first`: the forces at the
   start with pins in place, not in scratch, or NULL. */
void supi_explicit_step(const supi_motion* motion, double t, double h, const sup_row* first,
                        supi_moving* rows);

#endif
