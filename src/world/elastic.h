/* What a body with springs has beside its rows. */
#ifndef SUPPLE_WORLD_ELASTIC_H
#define SUPPLE_WORLD_ELASTIC_H

#include "base/arena.h"
#include "solve/brace.h"
#include "solve/implicit.h"
#include "solve/refine.h"
#include "solve/step_control.h"
#include "supple/spring.h"

/* What the next substep reads of the last ones. */
typedef struct supi_spring_past {
    supi_step_state steps;
    sup_row* rows; /* by row: of an implicit body the last change of its velocities, m/s, where the
                      next solve starts; of an explicit one the direction of its fastest swing */
    int32_t check; /* steps since cells were last looked at */
} supi_spring_past;

/* How its surface has torn: see world/tear.h. */
typedef struct supi_tear supi_tear;

typedef struct supi_elastic {
    supi_arena arena;                  /* owns every array below */
    supi_spring_past past, before;     /* now, and at the start of the last step */
    sup_spring_measures measures;      /* of the last step */
    double saturation;                 /* the same: supi_springs_saturation */
    supi_tear* tear;                   /* NULL: its surface cannot tear */
    struct supi_spring_forces* beside; /* what else acts on the body; NULL: nothing */

    /* Springs that have become longer or shorter; NULL unless the body yields or did so. */
    supi_arena lasting;              /* owns these */
    float *lengths, *lengths_before; /* m, by spring: now, and at the start of the last step */
    float* sides;                    /* m, the same as the net has them */

    supi_arena limiting;          /* owns this: */
    struct supi_own_limit* limit; /* of springs that change; NULL: none, or the blueprint's */

    struct supi_folds* folds; /* triangles and edges: world/folds.h; NULL: it never met itself */

    supi_refine* cuts; /* how its cloth is cut; NULL: it never is */
    uint8_t *level_before, *calm_before;
    uint8_t* held; /* scratch by row: who may not be joined away */

    /* Scratch of a substep. */
    sup_row *forces, *scratch;
    sup_vec3 *pin_start, *pin_end; /* m, by pin */
    supi_step_part* parts;
    supi_implicit_scratch implicit;
    supi_brace* braces; /* by structural and shear spring */

    /* Planes of colliders that particles slide on, from the solve to the contacts of a substep. */
    supi_slide* slides;
    int32_t slide_count;
    uint8_t* planes; /* by row: how many it has */

    /* Particles that attachments hold, within a step: world/spring_holds.h. */
    struct supi_hold* holds;
    int32_t hold_count, answer_count; /* all, and those that it may answer to */
    int32_t path; /* its first one in the world's columns of pins and led rows */
} supi_elastic;

#endif
