/* Parts that yield: hit hard enough, a rigid part is soft for a moment, as its links and groups
   make it, and is rigid again in the shape that it then has. What it may flow is limited: if it has
   flowed too far, it moves back to the limit within a fifth of a second. */
#ifndef SUPPLE_SOLVE_PART_H
#define SUPPLE_SOLVE_PART_H

#include "solve/frame.h"

typedef enum supi_part_phase {
    SUPI_PART_RIGID,
    SUPI_PART_SOFT, /* matched as one no longer; its groups and links hold it */
    SUPI_PART_RAMP  /* rigid, its shape on the way to what it may keep */
} supi_part_phase;

typedef struct supi_part_settings {
    float yield;      /* m/s, approach speed above which a part yields; default 5 */
    float soft_time;  /* s, default 0.05; hits while it is soft extend it up to 0.2 in all */
    float permanence; /* 0..1: how much of the flow it keeps; default 1 */
    float most;       /* 0..1 of the radius of the part: how far a particle may flow; default 0.3 */
} supi_part_settings;

supi_part_settings supi_part_settings_default(void);

/* Of one body. Everything in the first half is state that a snapshot keeps; the rest follows from
   it by supi_part_refresh. Arrays by member are those of part_members. */
typedef struct supi_part_state {
    uint8_t* phase;   /* supi_part_phase, by part */
    float* left;      /* s until SOFT or RAMP end, by part */
    float* spent;     /* s in SOFT so far, by part */
    sup_vec3* offset; /* m, rest offset now, by member */
    sup_vec3* flow;   /* m, from the first rest shape: what it keeps, by member */
    sup_vec3* target; /* m, rest offset at the end of RAMP, by member */
    sup_quat* flowed; /* plastic rotation, by row: the shape of the particle is turned by it at
                         rest, and what is drawn by q flowed */
    const supi_part_settings* own; /* by part, in place of those that calls give; may be NULL */
    supi_frame_rest rest;
} supi_part_state;

/* Has the shape of a row been turned for good? */
static inline bool supi_part_turned(const supi_part_state* state, int32_t row) {
    const sup_quat* q = state->flowed + row;
    return q->x != 0.0f || q->y != 0.0f || q->z != 0.0f;
}

/* State of a body whose net yields: every part in its first shape. False: no memory. */
bool supi_part_state_push(const supi_frame_net* net, supi_arena* arena, supi_part_state* out);
/* Parts go back to their first shape as by a ramp: at once they would leap off what they lie on. A
   soft one keeps what the blow makes of it. Refresh then. */
void supi_part_relax(const supi_frame_net* net, supi_part_state* state);
/* After the first half was written from outside. */
void supi_part_refresh(const supi_frame_net* net, supi_part_state* state);

/* A contact of a member of `part` with something else than its body. speed: m/s, at which they
   approached by the velocities before project; those after it have in them how the part was pushed
   back into shape. May be called any number of times between project and advance. */
void supi_part_hit(const supi_part_settings* settings, float h, supi_part_state* state,
                   int32_t part, float speed);

/* At the end of a substep: parts that were soft long enough become rigid, those on a ramp go on.
   Returns true if a rest shape changed. */
bool supi_part_advance(const supi_frame_net* net, const supi_part_settings* settings,
                       const supi_frame_pull* pull, const supi_kernels* kernels,
                       const supi_frame_slices* slices, const supi_frame_room* room);

#endif
