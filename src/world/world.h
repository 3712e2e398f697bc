/* The inside of a world. Bodies lie in the order of their rows; handles find them through a pool.
 */
#ifndef SUPPLE_WORLD_WORLD_H
#define SUPPLE_WORLD_WORLD_H

#include "base/arena.h"
#include "base/column.h"
#include "base/pool.h"
#include "base/tasks.h"
#include "blueprint/blueprint.h"
#include "contact/contacts.h"
#include "contact/tet_fast.h"
#include "contact/tet_respond.h"
#include "contact/thin.h"
#include "skin/kernels.h"
#include "solve/kernels.h"
#include "solve/plastic.h"
#include "supple/supple.h"

/* Where and how fast a body was created: what a reset needs. */
typedef struct supi_start {
    double position[3], rotation[4], velocity[3], angular_velocity[3];
} supi_start;

/* Of sleep, all that a failed step must take back. */
typedef struct supi_rest {
    double idle;     /* s for which its whole island could have slept */
    uint32_t island; /* asleep: slot of the lowest body that fell asleep together with it */
    bool asleep;
} supi_rest;

/* One body: a run of rows and of clusters in the world's columns. */
typedef struct supi_stand supi_stand;

typedef struct supi_body {
    sup_blueprint* blueprint;
    sup_body handle;
    uint64_t user;
    sup_material* materials; /* by region (region_count of the blueprint, at least 1) */
    supi_grip* grips;        /* the same of them that contact needs */
    double gravity_scale;
    sup_filter filter;
    int32_t locked; /* sum of sup_axis: see world/lock.h */
    supi_start start;
    bool stays_awake, paused;
    supi_rest rest, rest_before; /* now, and at the start of the last step */
    bool woke, woke_before;      /* since the last events were told */
    bool doomed;                 /* destroyed in a callback: goes after it */
    bool edited;                 /* since the last step: its old meetings say nothing any more */
    double anchor[3]; /* m, rows are relative to it; a multiple of `unit`, or of the one that the
                         body had before it took a larger blueprint */
    double unit;      /* m, power of two, at least the body's size */
    sup_point* pins;  /* m, world: where its pinned particles are at the end of a step, then where
                         they are at its start (2 * pin_count of the blueprint) */
    int32_t row, cluster, block, ask, piece, cell, turn,
        warm; /* its first ones in the world's columns */
    int32_t piece_count;

    /* What a substep needs, derived from material and gravity for one h. */
    double prepared_h; /* 0: not yet */
    double saturation; /* w0 h as a multiple of what a substep can carry */
    supi_pull pull;
    supi_pull* pulls; /* by cluster; NULL: `pull` for all, as the body has one region */
    supi_cluster_kind kind;

    /* Lasting deformation: by cluster now, then at the start of the last step (2 * cluster_count);
       NULL unless the body is or was plastic. */
    supi_plastic* plastic;
    supi_flow* flows; /* beside it, by cluster: for one h, as the pulls */
    float* depths;    /* m, by row: those of the blueprint as its lasting deformation has changed
                         them by the start of a step; NULL: they never change */
    float deepest;    /* m, the largest of them */

    sup_spring_settings springs;
    struct supi_elastic* elastic; /* what its springs need; NULL: it has none */

    sup_frame_settings frames;
    struct supi_turned* oriented; /* what its links and parts need; NULL: it has none */

    sup_overlap_settings overlap;
    struct supi_stand* stand; /* tetrahedra that stand in: world/stand.h; NULL: nobody asked yet */

    sup_blob_settings blob;
    struct supi_soft* soft; /* what soft substance needs; NULL: it is none */

    struct supi_knead* knead; /* what clay needs: world/knead.h; NULL: it is none */

    /* Only within a step. */
    supi_extent box; /* of its rows, where `boxed` */
    bool boxed;
    float fastest; /* m/s: after its move none of its particles is faster; known where there are
                      colliders */
    bool restored;
    bool driven; /* by a pin, an attachment or a collider that moves: cannot rest */

    /* The world's sums for this body are those of its present rows: the first pass of the next
     * substep can be left out. */
    bool carried;
    bool strained; /* contacts may have moved rows of it that others have to follow */
    bool calm;     /* it met nothing in the last substep, so carrying is worth while */
    bool touched;  /* it met something in the last step */
} supi_body;

/* Asleep or paused: its rows do not change. */
static inline bool supi_body_still(const supi_body* body) {
    return body->rest.asleep || body->paused;
}

/* Something has changed its rows after their move: the sums of that are no good. */
static inline void supi_body_stir(supi_body* body) { body->calm = body->carried = false; }

/* Everything about particles and clusters that the next step reads. Two of these: now, and at the
 * start of the last step. */
typedef struct supi_state {
    sup_row* x;         /* m relative to the anchor, 1/kg */
    sup_row* v;         /* m/s, contact radius m */
    sup_quat* rotation; /* by cluster: warm start */
    sup_row* centre;    /* by cluster: reference point of the next sums */
    sup_quat* turn;     /* by row of oriented bodies alone: rotation since rest */
    sup_row* spin;      /* beside it: rad/s, world frame */
    sup_quat* warm;     /* by group, then by part of oriented bodies: warm starts */
    supi_column x_column, v_column, rotation_column, centre_column, turn_column, spin_column,
        warm_column;
} supi_state;

/* A collider: its recipe without the arrays, which it owns as mesh or heights. */
typedef struct supi_collider {
    sup_collider_def def;
    sup_collider handle;
    supi_trimesh* mesh;
    supi_heights* heights;
    /* Poses at the start and at the end of the next step; between steps the first is where it is.
     */
    double from_position[3], from_rotation[4], to_position[3], to_rotation[4];
    sup_vec3 *from_points, *to_points; /* of the mesh, once it was moved by points; else NULL */
    sup_vec3* rest_points; /* beside them: those it was made with, on which its tree is built */
    sup_vec3 *velocities, *places; /* scratch beside them */
    bool moves;                    /* in the next step */
    bool doomed;
    double impulse[3], moment[3]; /* N s, N m s of the last step */
    double pushed[3], turned[3];  /* the same of the step at work */
} supi_collider;

/* An end of an attachment at a particle of springs: see world/spring_holds.h. */
typedef struct supi_hold supi_hold;

/* A particle and what holds it. Lost ends are found when it is looked at, and it goes in the next
 * step. */
typedef struct supi_attachment {
    sup_attachment_def def; /* `here` and a negative length are worked out */
    sup_attachment handle;
    double from_point[3], to_point[3]; /* as def.point: at the start and the end of the next step */
    bool moves;                        /* its point does, in the next step */
    bool doomed;
    double impulse[3]; /* N s on `body`, of the last step */
    double dt;         /* s, the last step; 0: none yet */

    /* Only within a step. */
    int32_t body, other, collider; /* indices; -1: none. No body: it has lost an end */
    int32_t row, other_row;
    int32_t hold, other_hold; /* of the world's holds of springs; -1: none */
    double sum[3];            /* N s on `body`, of the substeps so far */

    /* Only within a substep. */
    double target[3], last_target[3]; /* m, world: where a collider or the world holds it, at the
                                         end and the start of the substep */
    double start[3];                  /* m, gap between the two ends at its start */
    double keep;                      /* share of that gap which may stay */
    double along[3];                  /* unit, line of a distance */
    double base[3];                   /* kg m: what moving springs have taken already to hold it */
    double pull[3];                   /* kg m: multiplier, beside that */
} supi_attachment;

/* Consecutive bodies that one worker integrates at a time, or one large body that all workers
 * share. */
typedef struct supi_work {
    int32_t first, count; /* bodies */
    bool large;
} supi_work;

/* Scratch of the workers for any body of oriented particles. */
typedef struct supi_rooms {
    supi_arena arena;
    supi_frame_room* of; /* by worker; NULL: there was no such body yet */
    supi_frame_room_size size;
} supi_rooms;

/* Bodies of tetrahedra that reach into each other: world/overlaps.h. */
typedef struct supi_overlaps {
    supi_tet_contacts found; /* ids of bodies are their indices */
    const supi_tet_kernels* kernels;
    supi_tet_body* bodies;
    int32_t body_count;  /* 0: nothing was found since the world was changed */
    int32_t solid_count; /* bodies of tetrahedra in this step */
    bool meets_itself;   /* one of them does */
    uint64_t* deep;      /* couples of bodies that may be deep in each other, ascending */
    int32_t deep_count;
    uint8_t* parts; /* by body: whether it takes part */
    supi_tet_fast fast;
    supi_tet_body* movers; /* all that may be fast, or be hit by such */
    int32_t mover_count;
    float thinnest;           /* m, of them */
    supi_tet_answer* answers; /* of the contacts */
    supi_tet_memory* kept;    /* what was remembered at the start of the step */
    int32_t kept_count;
    bool keeps;   /* there is such a start */
    double haste; /* the most of this step: see sup_measures */
    supi_column body_column, answer_column, kept_column, deep_column, part_column, mover_column;
} supi_overlaps;

/* What the bodies of the step at work have in them: what nobody has is asked of nobody. */
typedef struct supi_kinds {
    bool locked, asleep; /* asleep at its start: nobody falls asleep within it */
    bool kneaded, dented, elastic;
} supi_kinds;

struct sup_world {
    const sup_allocator* allocator;
    sup_world_def def;
    const supi_kernels* kernels;
    const supi_skin_kernels* skins; /* the same of skins */
    supi_tasks* tasks;
    double time;
    double dt; /* s, of the step at work */
    uint64_t step_count;

    supi_body* bodies;
    int32_t body_count;
    supi_kinds kinds;
    supi_pool body_pool;
    supi_column body_column;
    int32_t row_count, cluster_count, block_count, ask_count, piece_count, cell_count, turn_count,
        warm_count; /* used */
    supi_state now, before;

    supi_collider* colliders; /* in order of creation */
    supi_solid* solids;       /* the same for contact, posed for a substep */
    int32_t collider_count;
    supi_pool collider_pool;
    supi_column collider_column, solid_column;

    supi_attachment* attachments; /* in order of creation */
    int32_t attachment_count;
    supi_pool attachment_pool;
    supi_column attachment_column;
    supi_exemptions exemptions; /* by attachments; only within a step */
    supi_column couple_column, hold_column, exempt_id_column;

    /* Ends of attachments at particles of springs; only within a step. */
    supi_hold* spring_holds;
    int32_t spring_hold_count;
    supi_column spring_hold_column, hold_key_column, hold_id_column, answer_column, recoil_column,
        path_row_column, path_start_column, path_end_column;

    /* Who met whom in this step and in the one before, both sorted by key. */
    sup_meeting *meetings, *meetings_before;
    uint64_t *meeting_keys,
        *meeting_keys_before; /* body index << 32 | collider << 31 | other index */
    int32_t meeting_count, meeting_before_count;
    supi_column meeting_column, meeting_before_column, meeting_key_column,
        meeting_key_before_column, island_column;

    /* Scratch of a step. */
    supi_goal* goals;              /* by cluster */
    float (*sums)[SUPI_SUM_COUNT]; /* by block */
    sup_row* asked;                /* by membership of bodies with several clusters */
    supi_extent* boxes;            /* by piece */
    supi_cell* cells;              /* of bodies on a lattice */
    supi_run* runs;                /* by body */
    supi_work* works;
    int32_t work_count;
    bool planned;      /* works fit the bodies */
    int32_t* strained; /* bodies that are */
    supi_column goal_column, sum_column, ask_column, box_column, cell_column, run_column,
        work_column, strained_column;
    supi_contacts contacts;
    supi_rooms rooms;

    /* Thin bodies: world/folds.h. */
    supi_thin folds;
    supi_thin_counts fold_counts; /* of the last step */
    int32_t fold_count;           /* such bodies, within a step */
    supi_thin_body* fold_bodies;
    sup_row* fold_start; /* by row of such bodies: places at the start of a substep */
    supi_column fold_body_column, fold_start_column;

    supi_overlaps overlaps;

    /* Scratch of questions about drawn vertices: room for the largest skin. */
    supi_skin_frame* frames; /* by cluster of a body, or by row of an oriented one */
    supi_skin_bend* bends;
    supi_skin_dual* duals; /* by row */
    sup_row* drawn;        /* by point of its skin */
    supi_column frame_column, bend_column, dual_column, drawn_column;

    sup_event* events;
    int32_t event_count;
    supi_column event_column;
    bool telling; /* inside a callback */
    sup_profile profile;
};

/* The body of a handle, or NULL. */
supi_body* supi_world_body(const sup_world* world, sup_body handle);

/* ---- body.c ---- */

/* How much of the world's columns a body takes. */
typedef struct supi_share {
    int32_t rows, clusters, blocks, asks, pieces, cells, turns, warms;
    int32_t frames, drawn; /* of scratch that all bodies with a skin use in turn */
} supi_share;

supi_share supi_body_share(const sup_blueprint* blueprint);
/* Room in every column for one more body of this blueprint. False when memory is short. */
bool supi_body_reserve(sup_world* world, const sup_blueprint* blueprint);
/* The same of scratch. */
bool supi_rooms_reserve(sup_world* world, const sup_blueprint* blueprint);
/* The same for other workers, whose world it will be. */
bool supi_rooms_lend(sup_world* world, const supi_tasks* tasks);
/* The same for a body that is there and changes its share. */
bool supi_body_reserve_change(sup_world* world, const supi_share* was, const supi_share* is);
/* Gives a body another share of the columns and moves all later bodies; room is reserved. What its
   own clusters hold is then up to the caller. */
void supi_body_resize(sup_world* world, supi_body* body, const supi_share* was,
                      const supi_share* is);
/* m, the power of two to whose multiples bodies of this size are anchored. */
double supi_body_unit(double size);
/* m between its particles; one that is alone has its radius or, without, some length of its size.
 */
float supi_body_spacing(const supi_body* body);
/* A body of its own with room for all that the blueprint asks, in no world yet. */
bool supi_body_make(const sup_world* world, sup_blueprint* blueprint, supi_body* out);
void supi_body_free(const sup_world* world, supi_body* body);
/* Puts a made body behind all others, with a run of rows and clusters; room is reserved. */
supi_body* supi_body_append(sup_world* world, const supi_body* made);
/* Copies one body's share of a state to another. */
void supi_body_copy(const supi_body* body, const supi_state* from, supi_state* to);
/* Destroys what was destroyed inside a callback. */
void supi_body_bury(sup_world* world);

/* ---- material.c, start.c, places.c, edit.c, exchange.c: what is done to a body ---- */

/* Ranges and sense of a material; whether two may be those of regions of one body: they must move
 * by one rule. */
sup_result supi_material_check(const sup_material* material, sup_error* error);
sup_result supi_material_alike(const sup_material* a, const sup_material* b, sup_error* error);
/* Refuses what clusters of this blueprint cannot do. */
sup_result supi_material_suits(const sup_material* material, const sup_blueprint* blueprint,
                               sup_error* error);
/* What suits it becomes the mode of all regions. */
void supi_body_take_mode(sup_world* world, supi_body* body, sup_match_mode mode);
/* Another blueprint of the same particles and another mode at once: both, or nothing. */
sup_result supi_body_change(sup_world* world, sup_body body, sup_blueprint* blueprint,
                            sup_match_mode mode, sup_error* error);
/* Can all regions of a body match in this mode by clusters of this blueprint? */
sup_result supi_material_check_mode(const supi_body* body, const sup_blueprint* blueprint,
                                    sup_match_mode mode, sup_error* error);
/* Takes over changed materials. */
void supi_body_set_grips(supi_body* body);
/* Anchor, rows and clusters as the body started, in both states. */
void supi_body_take_start(sup_world* world, supi_body* body);
/* Moves the anchor under a body that has gone far from it. */
void supi_body_anchor(sup_world* world, supi_body* body);

/* Takes new places and velocities for good: copies them to the state before, forgets caches, wakes.
 */
void supi_body_edited(sup_world* world, supi_body* body);
/* End of a step: moving pins have arrived. */
void supi_body_settle(const sup_world* world, supi_body* body);

/* ---- plastic.c ---- */

/* Gives a body room to flow, at its rest shape; nothing to do where it has it. False when memory is
 * short. */
bool supi_body_make_plastic(const sup_world* world, supi_body* body);
void supi_body_free_plastic(const sup_world* world, supi_body* body);
/* No lasting deformation. */
void supi_body_reset_plastic(supi_body* body);
/* The start of a step is kept, and comes back. */
void supi_body_keep_plastic(supi_body* body);
void supi_body_restore_plastic(supi_body* body);
/* How far under the drawn surface its rows lie with the lasting deformation that it has now. */
void supi_body_find_depths(supi_body* body);
const float* supi_body_depths(const supi_body* body);
float supi_body_deepest(const supi_body* body);
/* Its rest shape is changing. */
bool supi_body_flows(const supi_body* body);

/* ---- collider.c ---- */

supi_collider* supi_world_collider(const sup_world* world, sup_collider handle);
void supi_collider_bury(sup_world* world);
/* Room for `need` colliders. False when memory is short. */
bool supi_collider_reserve(sup_world* world, int32_t need);
/* Gives back what colliders own. */
void supi_collider_free_all(sup_world* world);
/* Where a collider is when `share` of the step at work is over. */
void supi_collider_at(const supi_collider* collider, double share, double position[3],
                      double rotation[4]);
/* Clears the sums of the step. */
void supi_collider_begin(sup_world* world);
/* Poses all solids for the substep from share `from` to share `to` (0..1) of the step; h is the
 * substep. */
void supi_collider_pose(sup_world* world, double from, double to, double h);
/* Takes the poses reached: those of the end, or after a failed step those of the start. */
void supi_collider_settle(sup_world* world, bool failed);
/* Adds an impulse (N s) that acted at a place (m, world) to the sums of the step. */
void supi_collider_push(supi_collider* collider, const double impulse[3], const double place[3]);

/* ---- frames.c: where drawn vertices are ---- */

/* Rows relative to the body's anchor, as vertex_rows of its blueprint counts them: its particles,
   or the points of its skin, until the next such call. */
const sup_row* supi_drawn_rows(const sup_world* world, const supi_body* body);
/* Of a skin on oriented particles: how they are now, and the blend of their motions since rest;
   world->frames, and world->duals where it is of these, are left as it was made from. */
supi_skin_pose supi_drawn_pose(const sup_world* world, const supi_body* body);
void supi_drawn_carried(const sup_world* world, const supi_body* body, const supi_skin_drawn* out);

/* ---- integrate.c ---- */

/* Phase 3: substep `index` of every body's clusters, from `from` into world->now (the same after
 * the first substep). `share` of the step is over at its end: where moving pins are. */
void supi_integrate(sup_world* world, const supi_state* from, int32_t index, double share);
/* Cuts the bodies into work after a change; room is reserved. */
void supi_integrate_plan(sup_world* world);
/* How much there is to do in a substep, in memberships; a cell of a lattice counts as a few. */
int64_t supi_integrate_load(const sup_blueprint* blueprint);
/* Where pin i of a body is (m, from its anchor) when `share` of the step is over, on its straight
   way from where the step found it to where it ends, and how fast. */
void supi_integrate_pin(const sup_world* world, const supi_body* body, int32_t i, double share,
                        float place[3], float speed[3]);
/* The boxes of what has moved, by piece, of a body with one cluster. */
void supi_integrate_find_boxes(const sup_world* world, const supi_body* body);
/* Finds `fastest` where there are colliders. */
void supi_integrate_bound_speed(const sup_world* world, supi_body* body);
/* Rigid and implicit bodies damp the velocity after gravity. Gravity acts on all their particles
   alike, which changes no difference of velocities, but for the pinned: these lag behind by one
   pull of gravity. */
bool supi_integrate_lags(const supi_body* body);

/* ---- prepare.c ---- */

/* Pull, damping and kind of every body for substeps of h. */
void supi_prepare(sup_world* world, double h);
/* The mean of the materials of a cluster's particles, weighted by mass. */
void supi_prepare_material(const supi_body* body, int32_t c, sup_material* out);

/* ---- attach.c, attach_solve.c: attachments ---- */

/* Are both its ends there? */
bool supi_attach_whole(const sup_world* world, const supi_attachment* attachment);
/* Where its two ends are between steps, m, world. False: one of them is gone. */
bool supi_attach_ends(const sup_world* world, const supi_attachment* attachment, double held[3],
                      double holder[3]);
/* Wakes the bodies at its ends, as far as they are there. */
void supi_attach_wake(sup_world* world, const supi_attachment* attachment);
/* Where (m, world) its point is when `share` of the step at work is over. */
void supi_attach_place(const sup_world* world, const supi_attachment* attachment, double share,
                       double place[3]);
/* Room for `need` attachments in all. False when memory is short. */
bool supi_attach_reserve(sup_world* world, int32_t need);
/* Start of a step: finds the rows of both ends and wakes whom a lost end has let go. */
void supi_attach_begin(sup_world* world);
/* Start of a substep, at whose end `share` of the step is over: where colliders and the world hold.
 */
void supi_attach_aim(sup_world* world, double share);
/* The share of the gap at the start of a substep of h which may stay: what is hard, but far away,
   is reeled in. */
double supi_attach_keep(const sup_world* world, const supi_attachment* attachment,
                        const double gap[3], double h);
/* One sweep over the attachments in order of creation; `first`: of the substep. Corrections act on
 * x and v at once, as those of contacts. */
void supi_attach_sweep(sup_world* world, float h, bool first);
/* Adds what the sweeps of the substep did to the sums of the step, and to those of colliders. */
void supi_attach_gather(sup_world* world, float h, double share);
/* End of a step, when nothing can fail any more: breaks what was pulled too hard, with an event
 * each (room for these is there), lets go what has lost an end. Points reach their ends. */
void supi_attach_settle(sup_world* world, double dt);
/* Removes what is doomed. */
void supi_attach_bury(sup_world* world);

/* ---- meetings.c: who meets whom ---- */

/* Start of a step: this step's list begins empty, the last one becomes the one before, under its
   bodies' present indices; who is gone is dropped. */
void supi_meetings_begin(sup_world* world);
/* After each substep: adds its contacts to the sums of the step, also to those of colliders. False
 * when memory is short. */
bool supi_meetings_gather(sup_world* world, float h);
/* End of a step: keeps the meetings of those asleep, tells who began and ended to meet. False when
 * memory is short: nothing told. */
bool supi_meetings_settle(sup_world* world);
/* After a failed step: the list of the step before stands again. */
void supi_meetings_undo(sup_world* world);
/* The contacts of the last substep are no longer what they were. */
void supi_meetings_forget(sup_world* world);

/* ---- sleep.c ---- */

/* Start of a step, room for scratch reserved: wakes what lies on a collider, pin or attachment that
 * moves. False when memory is short. */
bool supi_sleep_begin(sup_world* world);
/* After contacts were found, before they are solved: wakes whom something awake or moving touches.
 */
void supi_sleep_touch(sup_world* world);
/* End of a step: counts idle time, lets whole islands fall asleep; velocities become 0. */
void supi_sleep_settle(sup_world* world, double dt);
/* Does it move, or touch something that does? */
bool supi_sleep_restless(const supi_body* body);
/* Wakes a body and all that fell asleep with it. */
void supi_sleep_wake(sup_world* world, supi_body* body);
void supi_sleep_wake_all(sup_world* world);
/* Wakes whom the meetings of the last step show to touch this body or collider (handle null: not
 * looked at). */
void supi_sleep_wake_around(sup_world* world, sup_body body, sup_collider collider);

/* ---- events.c ---- */

/* Room for `count` more events of this step, beside those that befall each body and attachment
   once. False when memory is short. */
bool supi_events_reserve(sup_world* world, int32_t count);
void supi_events_add(sup_world* world, sup_event event);
/* Calls the callback for each, then lets go what was destroyed in it. */
void supi_events_tell(sup_world* world);

/* ---- contain.c, measure.c ---- */

/* Puts a body back to where `good` has it, or to its rest shape where that is no good either, with
   zero velocity and its own masses, in `state`. */
void supi_contain_restore(const sup_world* world, supi_body* body, const supi_state* good,
                          supi_state* state);
/* Are the rotations and centres of its clusters, and the turns of its particles, finite and in
   range? */
bool supi_contain_sane(const sup_world* world, const supi_body* body, const supi_state* state);

/* sum w |x - goal|^2 over cluster c of a body as it is now. */
double supi_measure_misfit(const sup_world* world, const supi_body* body, int32_t c);

#endif
