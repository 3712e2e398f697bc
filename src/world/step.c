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

/* Phase 4 and 5: find the contacts of the candidate places and correct these and the velocities.
   Corrections act on v at once (v += dx / h), which is the rule v = v_integrated + (p -
   p_candidate) / h of the commit. */
static sup_result meet(sup_world* world, float h, double* find_ms) {
    if (world->collider_count == 0 && world->body_count < 2) return SUP_OK;
    double begin = supi_clock_ms();
    for (int32_t i = 0; i < world->body_count; i++) {
        const supi_body* body = world->bodies + i;
        const sup_blueprint_info* info = &body->blueprint->info;
        supi_run* run = world->runs + i;
        *run = (supi_run){
            .first = body->row,
            .count = info->particle_count,
            .reach = (float)info->radius,
            .spacing = info->spacing > 0 ? (float)info->spacing : (float)body->unit,
            .speed = speed_bound(world, body),
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
    sup_result result = supi_contacts_find(&world->contacts, world->allocator, world->tasks,
                                           world->runs, world->body_count, world->colliders,
                                           world->collider_count, world->now.x, world->now.v, h);
    *find_ms += supi_clock_ms() - begin;
    if (result != SUP_OK) return result;
    const double* g = world->def.gravity;
    float gravity = (float)sqrt(g[0] * g[0] + g[1] * g[1] + g[2] * g[2]);
    supi_contacts_solve(&world->contacts, world->tasks, world->now.x, world->now.v, h,
                        world->def.sweeps);
    supi_contacts_bounce(&world->contacts, world->tasks, world->now.x, world->now.v, h, gravity);
    return SUP_OK;
}

static void swap_states(sup_world* world) {
    supi_state state = world->now;
    world->now = world->before;
    world->before = state;
}

/* Phase 7: anchors follow their bodies; what was restored is told. */
static void settle(sup_world* world) {
    for (int32_t i = 0; i < world->body_count; i++) {
        supi_body* body = world->bodies + i;
        if (body->restored) {
            world->events[world->event_count++] =
                (sup_event){SUP_EVENT_BODY_RESTORED, body->handle, 0.0};
        }
        double old[3] = {body->anchor[0], body->anchor[1], body->anchor[2]};
        supi_body_anchor(world, body);
        for (int k = 0; k < 3; k++) {
            if (old[k] != body->anchor[k]) supi_contacts_clear(&world->contacts);
        }
    }
}

static sup_result advance(sup_world* world, double dt, double h) {
    sup_profile profile = {0};
    double start = supi_clock_ms(), at = start, now, find_ms;

    /* Phase 1 and 2: gravity and material become what a substep needs; the state at the start is
     * kept by swapping. */
    world->event_count = 0;
    supi_integrate_prepare(world, dt, h);
    swap_states(world);
    now = supi_clock_ms();
    profile.begin = now - at;
    at = now;

    for (int32_t substep = 0; substep < world->def.substeps; substep++) {
        /* Phase 3. */
        supi_integrate(world, substep == 0 ? &world->before : &world->now, substep == 0);
        now = supi_clock_ms();
        profile.integrate += now - at;
        at = now;

        /* Phases 4 to 6. */
        find_ms = 0.0;
        if (meet(world, (float)h, &find_ms) != SUP_OK) {
            swap_states(world);
            world->event_count = 0;
            supi_contacts_clear(&world->contacts);
            return SUP_NO_MEMORY;
        }
        now = supi_clock_ms();
        profile.contacts += find_ms;
        profile.project += now - at - find_ms;
        at = now;
    }
    settle(world);
    world->time += dt;
    world->step_count++;
    now = supi_clock_ms();
    profile.settle = now - at;
    profile.total = now - start;
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
