/* Bodies of tetrahedra that reach into each other: what contact needs to know of them, and its part
   of a step. */
#ifndef SUPPLE_WORLD_OVERLAPS_H
#define SUPPLE_WORLD_OVERLAPS_H

#include "world/world.h"

sup_result supi_overlaps_check(const sup_overlap_settings* settings, sup_error* error);
/* Why settings have no effect on a body whose form has no tetrahedra. */
#define SUPI_NO_OVERLAP                                                                            \
    "\"overlap\" is for bodies of tetrahedra that all have weight and cannot tear"

/* Settings are for bodies with tetrahedra of their own; all others have the defaults, which no
   snapshot holds. */
void supi_overlaps_set(supi_body* body, const sup_overlap_settings* settings);

/* Does it meet its like by its tetrahedra? */
bool supi_overlaps_has(const supi_body* body);
/* Can it be in others, and others in it, by its tetrahedra or by those that stand in for them? Soft
   substance has no shape at rest, and what meets by spheres alone is for comparison. */
bool supi_overlaps_may_hold(const supi_body* body);
/* Such a body, or another that has a stand-in, as contact sees it, as it lies now. */
supi_tet_body supi_overlaps_describe(const sup_world* world, const supi_body* body);
/* Is there anything to look for? */
bool supi_overlaps_any(const sup_world* world);

/* Start of a step: who takes part, and what is remembered is kept. False when memory is short. */
bool supi_overlaps_begin(sup_world* world);
/* The step failed, and it did not. */
void supi_overlaps_undo(sup_world* world);
void supi_overlaps_settle(sup_world* world);
/* Bodies and their rows lie elsewhere now. */
void supi_overlaps_bind(sup_world* world);
/* After all have moved: stops who would pass through another on its way. False when memory is
 * short.
 */
bool supi_overlaps_stop_fast(sup_world* world, float h);
/* After others have found their contacts; `first` in the step. Wakes whom something awake touches.
 */
sup_result supi_overlaps_find(sup_world* world, float h, bool first);
/* Before the first sweep: forces of those that are answered by them. */
void supi_overlaps_penalise(sup_world* world, float h);
/* One sweep; what bounces after the last: m/s^2 of gravity say what is too slow for it. */
void supi_overlaps_sweep(sup_world* world, float h);
void supi_overlaps_bounce(sup_world* world, float h, float gravity);

/* Bodies whose rows it has changed are not calm. */
void supi_overlaps_note(sup_world* world);

/* Contacts found go; what is remembered stays. */
void supi_overlaps_clear(sup_world* world);
/* Nothing is remembered of a body that was moved by hand. One that is `gone`: those behind it move
   up by one. */
void supi_overlaps_forget(sup_world* world, int32_t body, bool gone);

/* The bodies a < b of the couples that were looked at, ascending. */
int32_t supi_overlaps_couple_count(const sup_world* world);
void supi_overlaps_couple(const sup_world* world, int32_t index, int32_t* a, int32_t* b);
/* Adds how many there are, how deep they are still, and how fast they came. */
void supi_overlaps_measure(const sup_world* world, sup_measures* out);

/* Couples that were stopped in the last substep, ascending, as bodies of the world. */
int32_t supi_overlaps_stop_count(const sup_world* world);
supi_tet_stop supi_overlaps_stop(const sup_world* world, int32_t index);

/* What a contact did. Bodies are indices of the world. */
typedef struct supi_overlap {
    int32_t body, other, couple; /* couple: -1 of a body with itself */
    int32_t row, other_row;      /* of the world: the point, and the one that it is nearest to */
    double place[3];             /* m, world: of the point, or on the edge */
    double normal[3];            /* unit, towards `body` */
    double depth, left;          /* m, at detection and now */
    double push, rub[3];         /* N s on `body`: along the normal, and by friction */
} supi_overlap;
int32_t supi_overlaps_count(const sup_world* world);
supi_overlap supi_overlaps_get(const sup_world* world, int32_t index, double h);

#endif
