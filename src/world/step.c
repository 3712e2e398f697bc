/* One step of the world, to be read from top to bottom. */
#include "base/clock.h"
#include "base/float_mode.h"
#include "world/world.h"

#include <math.h>

/* No particle of the body is faster, m/s. */
static float speed_bound(const sup_world* world, const supi_body* body) {
    supi_extent speeds;
    world->kernels->inspect(world->now.v + body->row, 0, body->blueprint->info.particle_count,
                            &speeds);
    float squared = 0.0f;
    for (int k = 0; k < 3; k++) {
        float low = -speeds.low[k], high = speeds.high[k], most = low > high ? low : high;
        squared += most * most;
    }
    return sqrtf(squared);
}

/* What the contact room needs to know of the bodies. */
static void fill_runs(sup_world* world) {
    for (int32_t i = 0; i < world->body_count; i++) {
        const supi_body* body = world->bodies + i;
        const sup_blueprint_info* info = &body->blueprint->info;
        supi_run* run = world->runs + i;
        *run = (supi_run){
            .first = body->row,
            .count = info->particle_count,
            .reach = (float)info->radius,
            .spacing = info->spacing > 0 ? (float)info->spacing : (float)body->unit,
            .speed = world->collider_count > 0 ? speed_bound(world, body) : 0.0f,
            .friction_static = (float)body->material.friction_static,
            .friction_kinetic = (float)body->material.friction_kinetic,
            .restitution = (float)body->material.restitution,
            .outward = body->blueprint->outward,
            .turns = world->now.rotation + body->cluster,
            .turn_of = body->blueprint->leader,
        };
        for (int k = 0; k < 3; k++) {
            run->anchor[k] = body->anchor[k];
            run->low[k] = body->box.low[k];
            run->high[k] = body->box.high[k];
        }
    }
}

/* Bodies in contact have rows that changed after their move. */
static void note_contacts(sup_world* world) {
    const supi_contacts* met = &world->contacts;
    for (int32_t i = 0; i < world->body_count; i++) world->bodies[i].calm = true;
    for (int32_t i = 0; i < met->pairing_count; i++) {
        world->bodies[met->pairings[i].run_a].calm = false;
        world->bodies[met->pairings[i].run_b].calm = false;
    }
    for (int32_t i = 0; i < met->touch_count; i++) world->bodies[met->touches[i].run].calm = false;
    for (int32_t i = 0; i < world->body_count; i++) {
        supi_body* body = world->bodies + i;
        body->carried = body->carried && body->calm;
    }
}

static bool anything_to_meet(const sup_world* world) {
    int32_t meeting = 0;
    for (int32_t i = 0; i < world->body_count && meeting < 2; i++) {
        meeting += world->bodies[i].blueprint->info.radius > 0;
    }
    return world->body_count > 0 && (world->collider_count > 0 || meeting == 2);
}

/* Phases 4 to 6: find the contacts of the candidate places, correct these and the velocities.
   Corrections act on v at once (v += dx / h), which is the rule v = v_integrated + (p -
   p_candidate) / h of the commit. */
static sup_result meet(sup_world* world, float h, sup_profile* profile) {
    double begin = supi_clock_ms();
    fill_runs(world);
    sup_result result = supi_contacts_find(&world->contacts, world->allocator, world->tasks,
                                           world->runs, world->body_count, world->colliders,
                                           world->collider_count, world->now.x, world->now.v, h);
    if (result != SUP_OK) return result;
    double found = supi_clock_ms();
    const double* g = world->def.gravity;
    float gravity = (float)sqrt(g[0] * g[0] + g[1] * g[1] + g[2] * g[2]);
    supi_contacts_solve(&world->contacts, world->tasks, world->now.x, world->now.v, h,
                        world->def.sweeps);
    supi_contacts_bounce(&world->contacts, world->tasks, world->now.x, world->now.v, h, gravity);
    profile->contacts += found - begin;
    profile->project += supi_clock_ms() - found;
    return SUP_OK;
}

static void swap_states(sup_world* world) {
    supi_state state = world->now;
    world->now = world->before;
    world->before = state;
}

/* Phase 7: anchors follow their bodies; what happened to each is told. */
static void settle(sup_world* world, double dt, double h) {
    for (int32_t i = 0; i < world->body_count; i++) {
        supi_body* body = world->bodies + i;
        if (body->saturation > 1.0) {
            double substeps = ceil(body->saturation * dt / h - 1e-9);
            world->events[world->event_count++] =
                (sup_event){SUP_EVENT_STIFFNESS_SATURATED, body->handle, substeps};
        }
        if (body->restored) {
            world->events[world->event_count++] =
                (sup_event){SUP_EVENT_BODY_RESTORED, body->handle, 0.0};
        }
        supi_body_anchor(world, body);
    }
}

/* After a failed step: back to the state at its start. */
static void undo(sup_world* world) {
    swap_states(world);
    world->event_count = 0;
    supi_contacts_clear(&world->contacts);
    for (int32_t i = 0; i < world->body_count; i++) world->bodies[i].carried = false;
}

static sup_result advance(sup_world* world, double dt, double h) {
    sup_profile profile = {0};
    double start = supi_clock_ms();

    /* Phases 1 and 2: material and gravity become what a substep needs; the state at the start is
     * kept by swapping. */
    world->event_count = 0;
    supi_integrate_plan(world);
    supi_integrate_prepare(world, h);
    swap_states(world);
    double begun = supi_clock_ms();
    profile.begin = begun - start;

    bool meets = anything_to_meet(world);
    if (!meets) supi_contacts_clear(&world->contacts);
    for (int32_t substep = 0; substep < world->def.substeps; substep++) {
        supi_integrate(world, substep == 0 ? &world->before : &world->now, substep == 0);
        if (meets && meet(world, (float)h, &profile) != SUP_OK) {
            undo(world);
            return SUP_NO_MEMORY;
        }
        note_contacts(world);
    }
    double moved = supi_clock_ms();
    settle(world, dt, h);
    world->time += dt;
    world->step_count++;
    double end = supi_clock_ms();
    profile.integrate = moved - begun - profile.contacts - profile.project;
    profile.settle = end - moved;
    profile.total = end - start;
    world->profile = profile;
    return SUP_OK;
}

sup_result sup_world_step(sup_world* world, double dt) {
    if (!(dt >= 1e-6 && dt <= 1.0)) return SUP_BAD_ARGUMENT;
    double h = dt / world->def.substeps;
    if (!(h <= 0.1)) return SUP_BAD_ARGUMENT;
    supi_float_mode mode = supi_float_mode_enter();
    sup_result result = advance(world, dt, h);
    supi_float_mode_leave(mode);
    return result;
}
