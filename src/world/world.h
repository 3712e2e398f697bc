/* The inside of a world. Bodies lie in the order of their rows; handles find them through a pool.
 */
#ifndef SUPPLE_WORLD_WORLD_H
#define SUPPLE_WORLD_WORLD_H

#include "base/column.h"
#include "base/pool.h"
#include "base/tasks.h"
#include "blueprint/blueprint.h"
#include "contact/contacts.h"
#include "solve/kernels.h"

/* One body: a run of rows and of clusters in the world's columns. */
typedef struct supi_body {
    sup_blueprint* blueprint;
    sup_body handle;
    uint64_t user;
    sup_material material;
    double gravity_scale;
    double anchor[3]; /* m, a multiple of `unit`; rows are relative to it */
    double unit;      /* m, power of two, at least the body's size */
    sup_point* pins;  /* m, world: where its pinned particles stay (pin_count of the blueprint) */
    int32_t row, cluster, block, ask, piece; /* its first ones in the world's columns */
    int32_t piece_count;

    /* What a substep needs, derived from material and gravity for one h. */
    double prepared_h; /* 0: not yet */
    double saturation; /* w0 h as a multiple of what a substep can carry */
    supi_pull pull;
    supi_cluster_kind kind;

    /* Only within a step. */
    supi_extent box;
    bool restored;

    /* The world's sums for this body are those of its present rows: the first pass of the next
     * substep can be left out. */
    bool carried;
    bool calm; /* it met nothing in the last substep, so carrying is worth while */
} supi_body;

/* Everything about particles and clusters that the next step reads. Two of these: now, and at the
 * start of the last step. */
typedef struct supi_state {
    sup_row* x;         /* m relative to the anchor, 1/kg */
    sup_row* v;         /* m/s, contact radius m */
    sup_quat* rotation; /* by cluster: warm start */
    sup_row* centre;    /* by cluster: reference point of the next sums */
    supi_column x_column, v_column, rotation_column, centre_column;
} supi_state;

/* Consecutive bodies that one worker integrates at a time, or one large body that all workers
 * share. */
typedef struct supi_work {
    int32_t first, count; /* bodies */
    bool large;
} supi_work;

struct sup_world {
    const sup_allocator* allocator;
    sup_world_def def;
    const supi_kernels* kernels;
    supi_tasks* tasks;
    double time;
    uint64_t step_count;

    supi_body* bodies;
    int32_t body_count;
    supi_pool body_pool;
    supi_column body_column;
    int32_t row_count, cluster_count, block_count, ask_count, piece_count; /* used */
    supi_state now, before;

    sup_collider_def* colliders; /* in order of creation */
    sup_collider* collider_handles;
    int32_t collider_count;
    supi_pool collider_pool;
    supi_column collider_column, collider_handle_column;

    /* Scratch of a step. */
    supi_goal* goals;              /* by cluster */
    float (*sums)[SUPI_SUM_COUNT]; /* by block */
    sup_row* asked;                /* by membership of bodies with several clusters */
    supi_extent* boxes;            /* by piece */
    supi_run* runs;                /* by body */
    supi_work* works;
    int32_t work_count;
    bool planned; /* works fit the bodies */
    supi_column goal_column, sum_column, ask_column, box_column, run_column, work_column;
    supi_contacts contacts;

    sup_event* events; /* room for two per body */
    int32_t event_count;
    supi_column event_column;
    sup_profile profile;
};

/* The body of a handle, or NULL. */
supi_body* supi_world_body(const sup_world* world, sup_body handle);

/* Phase 3: one substep of every body's clusters, from `from` into world->now (the same after the
 * first substep). */
void supi_integrate(sup_world* world, const supi_state* from, bool first);
/* Pull, damping and kind of every body for substeps of h. */
void supi_integrate_prepare(sup_world* world, double h);
/* Cuts the bodies into work after a change; room is reserved. */
void supi_integrate_plan(sup_world* world);

/* Puts a body back to where `good` has it, or to its rest shape where that is no good either, with
   zero velocity and its own masses, in `state`. */
void supi_contain_restore(const sup_world* world, supi_body* body, const supi_state* good,
                          supi_state* state);
/* Are the rotations and centres of the body in `state` finite and in range? */
bool supi_contain_clusters_sane(const supi_body* body, const supi_state* state);

/* sum w |x - goal|^2 over cluster c of a body as it is now. */
double supi_measure_misfit(const sup_world* world, const supi_body* body, int32_t c);

/* Moves the anchor under a body that has gone far from it. */
void supi_body_anchor(sup_world* world, supi_body* body);

#endif
