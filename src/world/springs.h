/* Springs of bodies: their state, and their part of a substep. */
#ifndef SUPPLE_WORLD_SPRINGS_H
#define SUPPLE_WORLD_SPRINGS_H

#include "solve/brace.h"
#include "world/world.h"

/* Ranges, and what springs and clusters of one blueprint can do together. */
sup_result supi_springs_check(const sup_spring_settings* settings, const sup_blueprint* blueprint,
                              sup_error* error);
/* The integrator that AUTO means. */
sup_integrator supi_springs_integrator(const supi_body* body);

/* Room for the springs of a body; nothing to do where there are none. False when memory is short.
 */
bool supi_springs_make(const sup_world* world, supi_body* body);
/* Then, and whenever they change: room for what the settings ask for in this wind. False when
   memory is short, and all is as before. */
bool supi_springs_equip(const sup_world* world, supi_body* body, const sup_wind* wind,
                        const sup_spring_settings* settings);
/* Its surface has torn or is cut otherwise: all else that follows from its springs and triangles.
 */
void supi_springs_lay(supi_body* body);
void supi_springs_free(const sup_world* world, supi_body* body);
/* Forgets what past substeps left. */
void supi_springs_reset(supi_body* body);
/* Velocities were given: they are those of now, not of the middle of the last step. */
void supi_springs_edited(supi_body* body);
/* Substeps of the last step as multiples of what its springs can carry; 0: they took shorter ones.
 */
double supi_springs_saturation(const supi_body* body);
/* Bad steps of the last step that could not be shorter, where these are many; else 0. */
int32_t supi_springs_forced(const supi_body* body);
/* Edges that an elastic wave runs within a substep of an implicit body of springs alone, rounded
   up; 0 where it does not get to the next point, and of all others. */
int32_t supi_springs_reach(const supi_body* body);
/* Does moving air push the body? */
bool supi_springs_blown(const sup_world* world, const supi_body* body);
/* The start of a step is kept, and comes back. */
void supi_springs_keep(supi_body* body);
void supi_springs_restore(supi_body* body);

/* Of one body; returns how many structural springs it has. */
int32_t supi_springs_measure(const sup_world* world, const supi_body* body,
                             sup_spring_measures* out);
/* By row: the strain of the most strained of its structural springs. */
void supi_springs_strains(const sup_world* world, const supi_body* body, float* strains);
/* Adds those of one body to those of all, but for the mean. */
void supi_springs_add_measures(const sup_spring_measures* one, sup_spring_measures* all);

/* Has it springs beside clusters, which push before these pull? */
static inline bool supi_springs_kick(const supi_body* body) {
    return body->elastic && !body->blueprint->loose;
}

/* A substep: from the state `from` into world->now. */
typedef struct supi_springs_way {
    sup_world* world;
    const supi_state* from;
    bool first;        /* of the step: `from` is another state than now */
    double share;      /* of the step that is over at its end */
    supi_tasks* tasks; /* NULL: alone */
    float h;           /* s, of the substep, or of a part of it that an implicit body takes */
} supi_springs_way;

/* ---- spring_yield.c: springs that stay longer or shorter ---- */

/* Room for lengths of its own; there may be some already. False: no memory. */
bool supi_yield_make(supi_body* body);
bool supi_yield_has(const supi_body* body);
/* Lengths as the blueprint has them; as they were at the start of the step. */
void supi_yield_reset(supi_body* body);
void supi_yield_restore(supi_body* body);
void supi_yield_keep(supi_body* body);
/* The lengths of another blueprint's springs that are the same, as shares. */
void supi_yield_carry(const supi_body* from, supi_body* to);
/* Have springs yielded in the last step? */
bool supi_yield_flows(const supi_body* body);
/* The net of the body with its own lengths. */
supi_spring_net supi_yield_net(const supi_body* body);

/* ---- spring_limit.c: how long springs may get ---- */

/* Room for a body whose springs change, where the settings ask for it. False: no memory. */
bool supi_limit_make(supi_body* body, const sup_spring_settings* settings);
/* Do the settings ask for any? */
bool supi_limit_has(const supi_body* body);
/* Its springs are others. */
void supi_limit_lay(supi_body* body);
/* After a step of h, or a try of one: strain beyond the limit is taken back. */
void supi_limit_strain(const supi_springs_way* way, const supi_body* body, double h, sup_row* x,
                       sup_row* v);
/* What is beyond it now; of sleepers as well. */
double supi_limit_measure(const sup_world* world, const supi_body* body);
/* The same beforehand, where the substep is implicit: adds to its forces. */
supi_brace_rules supi_limit_rules(const supi_body* body);
supi_braces supi_limit_brace(const supi_springs_way* way, const supi_body* body, const sup_row* x,
                             const sup_row* v);

/* Springs beside clusters: the velocities after their push, and the places as they are. */
void supi_springs_push(const supi_springs_way* way, supi_body* body);
/* Springs alone: the whole substep, and the boxes of the body's pieces. */
void supi_springs_move(const supi_springs_way* way, supi_body* body);
/* After either: what is strained too far yields. */
void supi_springs_yield(const supi_springs_way* way, supi_body* body);

#endif
