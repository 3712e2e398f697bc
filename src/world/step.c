/* One step of the world, to be read from top to bottom. */
#include "base/check.h"
#include "base/clock.h"
#include "base/float_mode.h"
#include "world/blobs.h"
#include "world/cuts.h"
#include "world/folds.h"
#include "world/knead.h"
#include "world/lock.h"
#include "world/oriented.h"
#include "world/overlaps.h"
#include "world/spring_contacts.h"
#include "world/spring_holds.h"
#include "world/tear.h"

#include <math.h>

static bool meets_itself(const supi_body* body) {
    return body->oriented && body->frames.meets_itself && body->blueprint->info.radius > 0;
}

enum { RUNS_AT_ONCE = 32 }; /* what a worker takes at a time */

/* What changes from substep to substep. */
static void refresh_run(const sup_world* world, const supi_body* body, supi_run* run) {
    run->asleep = body->rest.asleep;
    run->speed = world->collider_count > 0 && !supi_body_still(body) ? body->fastest : 0.0f;
    for (int k = 0; k < 3; k++) {
        run->low[k] = body->box.low[k];
        run->high[k] = body->box.high[k];
    }
}

static void fill_run(sup_world* world, supi_body* body, supi_run* run) {
    const sup_blueprint_info* info = &body->blueprint->info;
    *run = (supi_run){
        .first = body->row,
        .count = info->particle_count,
        .reach = (float)info->radius,
        .spacing = supi_body_spacing(body),
        .depths = supi_body_depths(body),
        .deepest = supi_body_deepest(body),
        .grips = info->region_count == 1 ? &run->grip : body->grips,
        .grip = body->grips[0],
        .region_of = body->blueprint->region,
        .grip_count = info->region_count,
        .filter = body->filter,
        .ways = (supi_folds_has(body) ? SUPI_WAY_THIN : 0u) |
                (supi_overlaps_has(body) ? SUPI_WAY_TETS : 0u),
        .held = body->paused,
        .oriented = supi_oriented_contact(world, body),
        .self = meets_itself(body) ? &body->oriented->self : NULL,
        .outward = body->oriented ? NULL : body->blueprint->outward,
        .turns = world->now.rotation + body->cluster,
        .turn_of = body->blueprint->leader,
    };
    for (int k = 0; k < 3; k++) run->anchor[k] = body->anchor[k];
}

typedef struct filling {
    sup_world* world;
    bool first; /* substep of the step */
} filling;

static void fill_some_runs(void* context, int32_t index, int32_t worker) {
    (void)worker;
    const filling* f = context;
    sup_world* world = f->world;
    int32_t end = (index + 1) * RUNS_AT_ONCE;
    for (int32_t i = index * RUNS_AT_ONCE; i < end && i < world->body_count; i++) {
        if (f->first) fill_run(world, world->bodies + i, world->runs + i);
        refresh_run(world, world->bodies + i, world->runs + i);
    }
}

/* What the contact room needs to know of the bodies. */
static void fill_runs(sup_world* world, bool first) {
    int32_t shares = (world->body_count + RUNS_AT_ONCE - 1) / RUNS_AT_ONCE;
    filling f = {world, first};
    supi_tasks_run(world->tasks, shares, fill_some_runs, &f);
}

/* Bodies that something corrected have rows that changed after their move. */
static void note_corrections(sup_world* world) {
    const supi_contacts* met = &world->contacts;
    for (int32_t i = 0; i < met->pairing_count; i++) {
        supi_body_stir(world->bodies + met->pairings[i].run_a);
        supi_body_stir(world->bodies + met->pairings[i].run_b);
    }
    for (int32_t i = 0; i < met->touch_count; i++) {
        supi_body_stir(world->bodies + met->touches[i].run);
    }
    for (int32_t i = 0; i < world->folds.body_count; i++) {
        supi_body_stir(world->bodies + world->folds.bodies[i].run);
    }
    supi_overlaps_note(world);
    for (int32_t i = 0; i < world->attachment_count; i++) {
        const supi_attachment* a = world->attachments + i;
        if (a->body >= 0) supi_body_stir(world->bodies + a->body);
        if (a->other >= 0) supi_body_stir(world->bodies + a->other);
    }
}

static bool anything_to_meet(const sup_world* world) {
    int32_t meeting = 0;
    for (int32_t i = 0; i < world->body_count && meeting < 2; i++) {
        const supi_body* body = world->bodies + i;
        meeting += meets_itself(body) ? 2 : body->blueprint->info.radius > 0;
    }
    bool any = world->collider_count > 0 || meeting >= 2 || world->fold_count > 0 ||
               supi_overlaps_any(world);
    return world->body_count > 0 && any;
}

/* Phase 4: find the contacts of the candidate places. */
static sup_result find(sup_world* world, float h, bool first) {
    if (!supi_overlaps_stop_fast(world, h)) return SUP_NO_MEMORY;
    fill_runs(world, first);
    sup_result result = supi_folds_find(world, first);
    if (result != SUP_OK) return result;
    result = supi_contacts_find(&world->contacts, world->allocator, world->tasks, world->runs,
                                world->body_count, world->solids, world->collider_count,
                                &world->exemptions, world->now.x, world->now.v, h);
    return result == SUP_OK ? supi_overlaps_find(world, h, first) : result;
}

/* Phases 5 and 6: correct places and velocities. Corrections act on v at once (v += dx / h), which
   is the rule v = v_integrated + (p - p_candidate) / h of the commit. */
static void correct(sup_world* world, float h) {
    const double* g = world->def.gravity;
    float gravity = (float)sqrt(g[0] * g[0] + g[1] * g[1] + g[2] * g[2]);
    sup_row *x = world->now.x, *v = world->now.v;
    supi_overlaps_penalise(world, h);
    for (int32_t sweep = 0; sweep < supi_folds_sweeps(world); sweep++) {
        supi_attach_sweep(world, h, sweep == 0);
        supi_folds_sweep(world, h);
        supi_overlaps_sweep(world, h);
        supi_contacts_sweep(&world->contacts, world->tasks, x, v, h);
        supi_lock_hold_all(world);
    }
    supi_contacts_bounce(&world->contacts, world->tasks, x, v, h, gravity);
    supi_overlaps_bounce(world, h, gravity);
    supi_oriented_follow(world);
    supi_lock_hold_all(world);
    supi_folds_bound(world, h);
}

static void swap_states(sup_world* world) {
    supi_state state = world->now;
    world->now = world->before;
    world->before = state;
}

static void note_kinds(sup_world* world, const supi_body* body) {
    supi_kinds* kinds = &world->kinds;
    kinds->locked = kinds->locked || body->locked != 0;
    kinds->asleep = kinds->asleep || body->rest.asleep;
    kinds->kneaded = kinds->kneaded || body->knead;
    kinds->dented = kinds->dented || (body->oriented && body->oriented->parts);
    kinds->elastic = kinds->elastic || body->elastic;
}

/* Phase 1: what the step starts from is kept: states by swapping, the rest as copies. False when
 * memory is short. */
static bool begin(sup_world* world, double dt, double h) {
    world->dt = dt;
    world->kinds = (supi_kinds){0};
    for (int32_t i = 0; i < world->body_count; i++) {
        supi_body* body = world->bodies + i;
        note_kinds(world, body);
        body->rest_before = body->rest;
        body->woke_before = body->woke;
        supi_body_keep_plastic(body);
        supi_springs_keep(body);
        supi_dented_keep(body);
        supi_cuts_keep(body);
        supi_blobs_keep(body);
        supi_knead_keep(body);
        supi_body_find_depths(body);
    }
    supi_attach_begin(world);
    supi_cuts_begin(world);
    supi_collider_begin(world);
    supi_meetings_begin(world);
    supi_integrate_plan(world);
    supi_prepare(world, h);
    swap_states(world);
    return supi_sleep_begin(world) && supi_holds_begin(world) && supi_folds_begin(world) &&
           supi_overlaps_begin(world);
}

/* One of the equal parts of a step; at its end `share` of the step is over. */
static bool substep(sup_world* world, int32_t index, double h, bool meets, sup_profile* profile) {
    double count = world->def.substeps, share = (index + 1) / count;
    supi_collider_pose(world, index / count, share, h);
    const supi_state* from = index == 0 ? &world->before : &world->now;
    supi_attach_aim(world, share);
    supi_holds_lead(world, from, h);
    if (!supi_blobs_find(world, from, h)) return false;
    supi_integrate(world, from, index, share);
    /* Nothing to find and to correct: the clock alone would cost more than all of it. */
    if (!meets && world->attachment_count == 0) {
        supi_dented_advance(world);
        note_corrections(world);
        return supi_meetings_gather(world, (float)h);
    }
    double integrated = supi_clock_ms();
    if (meets && find(world, (float)h, index == 0) != SUP_OK) return false;
    supi_spring_contacts_tell(world, (float)h);
    supi_sleep_touch(world);
    double found = supi_clock_ms();
    supi_knead_begin(world);
    correct(world, (float)h);
    supi_attach_gather(world, (float)h, share);
    if (!supi_meetings_gather(world, (float)h)) return false;
    supi_dented_advance(world);
    if (!supi_knead_advance(world, h)) return false;
    note_corrections(world);
    profile->contacts += found - integrated;
    profile->project += supi_clock_ms() - found;
    return true;
}

/* The check of phase 5, once for all substeps: a correction may throw a body out of range, as a
   container does that is very far away. Within the step the next move would have found it. */
static void contain(sup_world* world) {
    for (int32_t i = 0; i < world->body_count; i++) {
        supi_body* body = world->bodies + i;
        supi_extent box;
        if (body->calm || supi_body_still(body)) continue;
        const sup_row* x = world->now.x + body->row;
        world->kernels->inspect(x, 0, body->blueprint->info.particle_count, &box);
        if (box.sane && supi_oriented_sane(world, body, &world->now)) continue;
        supi_contain_restore(world, body, &world->before, &world->now);
        world->kernels->inspect(x, 0, body->blueprint->info.particle_count, &body->box);
        body->restored = true;
    }
}

/* Phase 7: what is broken breaks, who is at rest falls asleep, anchors follow their bodies; what
   happened to each is told. */
static bool settle(sup_world* world, double dt, double h) {
    if (!supi_blobs_settle(world, dt) || !supi_meetings_settle(world)) return false;
    supi_cuts_settle(world);
    supi_attach_settle(world, dt);
    supi_sleep_settle(world, dt);
    for (int32_t i = 0; i < world->body_count; i++) {
        supi_body* body = world->bodies + i;
        double saturation = supi_springs_saturation(body);
        if (body->saturation > saturation) saturation = body->saturation;
        if (saturation > 1.0) {
            double substeps = ceil(saturation * dt / h - 1e-9);
            supi_events_add(world, (sup_event){.kind = SUP_EVENT_STIFFNESS_SATURATED,
                                               .body = body->handle,
                                               .value = substeps});
        }
        int32_t forced = supi_springs_forced(body);
        if (forced > 0) {
            supi_events_add(world, (sup_event){.kind = SUP_EVENT_STEPS_FORCED,
                                               .body = body->handle,
                                               .value = (double)forced});
        }
        int32_t torn = supi_tear_count(body);
        if (torn > 0) {
            supi_events_add(world, (sup_event){.kind = SUP_EVENT_BODY_TORN,
                                               .body = body->handle,
                                               .value = (double)torn});
        }
        if (body->restored) {
            supi_events_add(world,
                            (sup_event){.kind = SUP_EVENT_BODY_RESTORED, .body = body->handle});
        }
        supi_body_settle(world, body);
        supi_body_anchor(world, body);
    }
    supi_collider_settle(world, false);
    supi_overlaps_settle(world);
    return true;
}

/* After a failed step: back to the state at its start. */
static void undo(sup_world* world) {
    swap_states(world);
    world->event_count = 0;
    supi_meetings_forget(world);
    supi_overlaps_undo(world);
    supi_meetings_undo(world);
    supi_collider_settle(world, true);
    for (int32_t i = 0; i < world->body_count; i++) {
        supi_body* body = world->bodies + i;
        body->carried = body->boxed = false;
        body->rest = body->rest_before;
        body->woke = body->woke_before;
        supi_body_restore_plastic(body);
        supi_springs_restore(body);
        supi_dented_restore(body);
        supi_cuts_restore(world, body);
        supi_blobs_restore(body);
        supi_knead_restore(body);
        /* Nobody copies the rows of a body that stands still from state to state. */
        if (supi_body_still(body)) supi_body_copy(body, &world->now, &world->before);
    }
}

static sup_result advance(sup_world* world, double dt, double h) {
    sup_profile profile = {0};
    double start = supi_clock_ms();
    world->event_count = 0;
    if (!supi_events_reserve(world, 0)) {
        return SUP_NO_MEMORY;
    }
    if (!begin(world, dt, h)) {
        undo(world);
        return SUP_NO_MEMORY;
    }
    double begun = supi_clock_ms();
    bool meets = anything_to_meet(world);
    if (!meets) supi_contacts_clear(&world->contacts);
    for (int32_t i = 0; i < world->def.substeps; i++) {
        if (!substep(world, i, h, meets, &profile)) {
            undo(world);
            return SUP_NO_MEMORY;
        }
    }
    contain(world);
    double moved = supi_clock_ms();
    if (!settle(world, dt, h)) {
        undo(world);
        return SUP_NO_MEMORY;
    }
    world->time += dt;
    world->step_count++;
    double end = supi_clock_ms();
    profile.begin = begun - start;
    profile.integrate = moved - begun - profile.contacts - profile.project;
    profile.settle = end - moved;
    profile.total = end - start;
    world->profile = profile;
    return SUP_OK;
}

sup_result sup_world_step(sup_world* world, double dt) {
    SUPI_NEED(NULL, world);
    if (world->telling) return SUP_BUSY;
    if (!(dt >= 1e-6 && dt <= 1.0)) return SUP_BAD_ARGUMENT;
    double h = dt / world->def.substeps;
    if (!(h <= 0.1)) return SUP_BAD_ARGUMENT;
    supi_float_mode mode = supi_float_mode_enter();
    sup_result result = advance(world, dt, h);
    supi_float_mode_leave(mode);
    if (result == SUP_OK) supi_events_tell(world);
    return result;
}
