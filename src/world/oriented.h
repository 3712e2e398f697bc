/* Bodies of oriented particles: their rotations, and their part of a substep. */
#ifndef SUPPLE_WORLD_ORIENTED_H
#define SUPPLE_WORLD_ORIENTED_H

#include "base/arena.h"
#include "solve/part.h"
#include "world/world.h"

/* Shapes of the particles where parts yield, by row: those of the blueprint, turned as they have
   flowed. */
typedef struct supi_dented {
    sup_quat* axes;
    supi_moments* inertia;
    sup_vec3* flat; /* NULL: nothing is flat */
} supi_dented;

/* What a body with links or parts keeps beside its rows. */
typedef struct supi_turned {
    supi_arena arena;
    sup_quat* pin_turns;  /* rotations of its pins at the end of a step, then at its start (2 *
                             pin_count) */
    supi_frame_pull pull; /* for one h, and: */
    supi_slowing slowing;
    double longest;        /* s: no substep of late was longer; groups that it could not carry stay
                              as soft when substeps get shorter, as a stiffness that comes and goes
                              with them would pump energy */
    float* stiffness;      /* rad/s, by row: scratch of preparing it */
    float* s;              /* by group, of the pull */
    sup_row* aside;        /* scratch of bodies that others move: places, velocities */
    supi_oriented contact; /* its particles as contacts see them, */
    supi_self self;        /* and what they know of each other */
    supi_dented dented;    /* what these read where its parts yield */
    sup_row* shift;        /* m, by row: what contacts moved it without speed, within a substep */
    sup_vec3* shift_ends;  /* m, by piece: the least and the most of its rows, axis by axis */
    supi_part_state *parts, *parts_before; /* now, and at the start of the step; NULL: its parts do
                                              not yield */
    supi_part_settings* part_own;          /* by part, and */
    float* soft_of; /* by group: where parts have a plasticity of their own, else NULL */
    sup_row* lost;  /* m/s, by row: what velocities were less before links, groups and parts gave
                       theirs in this substep; NULL as above */
} supi_turned;

/* Warm starts of a body: by group, then by part. */
static inline int32_t supi_oriented_warm_count(const sup_blueprint* b) {
    return b->oriented ? b->frames.group_count + b->frames.part_count : 0;
}

/* Do its particles carry a skin? */
static inline bool supi_oriented_carries(const sup_blueprint* b) {
    return b->oriented && b->skin.count > 0 && supi_skin_carried(b->info.skin);
}

/* Ranges of the settings, and what links can live beside. */
sup_result supi_oriented_check(const sup_body_def* def, sup_error* error);
/* Nothing to do where there are neither links nor parts. False when memory is short. */
bool supi_oriented_make(const sup_world* world, supi_body* body);
void supi_oriented_free(const sup_world* world, supi_body* body);
/* Takes over settings for one h. */
void supi_oriented_prepare(const sup_world* world, supi_body* body, double h);
/* Parts in their first shape, or on the way to it; as they are at the start of a step, and back to
   that. */
void supi_dented_reset(supi_body* body);
void supi_dented_relax(supi_body* body);
void supi_dented_keep(supi_body* body);
void supi_dented_restore(supi_body* body);

/* Takes over how parts yield. */
void supi_dented_prepare(const supi_body* body);
/* Around project, with velocities before and after it. */
void supi_dented_begin(const supi_body* body, const sup_row* v);
void supi_dented_end(const supi_body* body, const sup_row* v);
/* Shapes of their own for particles whose parts yield. False: no memory. */
bool supi_dented_push(const sup_blueprint* b, supi_turned* o);
/* After a rest shape has changed: shapes follow. */
void supi_dented_follow(const sup_blueprint* b, supi_turned* o);
/* After the state of parts was written from outside: all that follows from it. */
void supi_dented_refresh(supi_body* body);

/* All particles turned by q, and turning with w. */
void supi_oriented_place(supi_body* body, supi_state* state, sup_quat q, sup_row w);
/* Nothing turns any more. */
void supi_oriented_stop(const sup_world* world, const supi_body* body);
/* Pins have arrived. */
void supi_oriented_settle(const sup_world* world, supi_body* body);
/* Turns of another state, at rest. */
void supi_oriented_restore_turns(const supi_body* body, const supi_state* good, supi_state* state);
/* Its rows in a state. */
supi_frame_slices supi_oriented_slices(const supi_state* state, const supi_body* body);
/* Are all rotations unit and all spins finite? */
bool supi_oriented_sane(const sup_world* world, const supi_body* body, const supi_state* state);
/* Does a pin turn in the next step? */
bool supi_oriented_pins_turn(const supi_body* body);
/* Does wind that blows push it? */
bool supi_oriented_blown(const sup_world* world, const supi_body* body);
/* Adds energy and angular momentum of what turns. */
void supi_oriented_measure(const sup_world* world, const supi_body* body, sup_measures* out);

/* What contacts need to know of the rotations of a body, until its rows move; NULL: it has none. */
const supi_oriented* supi_oriented_contact(sup_world* world, supi_body* body);

/* Do its links and parts alone move the body? */
bool supi_oriented_alone(const supi_body* body);

/* A substep. First its particles turn as they do, and where neither springs nor clusters hold the
   body its rows move on too, from `from` into world->now: then it returns true. At the end `share`
   of the step is over. */
bool supi_oriented_move(sup_world* world, const supi_state* from, supi_body* body, double share);
/* Then links, groups and parts correct rows and turns, in substep `index` of the step, with the
   scratch of a worker. */
void supi_oriented_project(sup_world* world, supi_body* body, int32_t worker, int32_t index,
                           double share);
/* The same for up to SUPI_HERD bodies at once that flock together. */
bool supi_oriented_flock(const supi_body* a, const supi_body* b);
void supi_oriented_project_herd(sup_world* world, supi_body* const* bodies, int32_t count,
                                int32_t worker, double share);
/* m, by row: where to add what moves rows of it and is to become no speed; NULL: it has none. */
sup_row* supi_oriented_shift(const supi_body* body);
/* After the sweeps of a substep: pieces follow those of their rows that contacts moved without
   speed. */
void supi_oriented_follow(sup_world* world);
/* After the contacts of a substep: parts that were hit hard yield. */
void supi_dented_advance(sup_world* world);

#endif
