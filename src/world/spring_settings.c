/* What the springs of bodies are moved by. */
#include "base/check.h"
#include "base/error.h"
#include "world/cuts.h"
#include "world/folds.h"
#include "world/overlaps.h"
#include "world/spring_forces.h"
#include "world/springs.h"

sup_spring_settings sup_spring_settings_default(void) {
    return (sup_spring_settings){
        .drag = 0.1,
        .tolerance = 1e-2,
        .iterations = 60,
        .newton = 1,
        .adaptive = true,
        .error_length = 1e-5,
        .error_strain = 1e-3,
        .limit_sweeps = 20,
        .air = {.across = 1.0, .along = 0.05},
        .pressure = {.power = 1.0},
        .anchor = {.damping = 0.3},
        .yield = {.limit = 0.5},
        .refine_angle = 15,
    };
}

static sup_result refuse(sup_error* error, const char* why) {
    return supi_error_set(error, SUP_BAD_ARGUMENT, "%s", why);
}

/* What acts beside the springs. */
static sup_result check_beside(const sup_spring_settings* s, sup_error* error) {
    const supi_range ranges[] = {
        {"springs.air.across", s->air.across, 0, 2},
        {"springs.air.along", s->air.along, 0, 2},
        {"springs.pressure.inside", s->pressure.inside, 0, 1e9},
        {"springs.pressure.outside", s->pressure.outside, 0, 1e9},
        {"springs.pressure.power", s->pressure.power, 0, 10},
        {"springs.solid.area", s->solid.area, 0, 1e12},
        {"springs.solid.volume", s->solid.volume, 0, 1e12},
        {"springs.solid.bend", s->solid.bend, 0, 1e12},
        {"springs.anchor.frequency", s->anchor.frequency, 0, 1e4},
        {"springs.anchor.damping", s->anchor.damping, 0, 10},
        {"springs.yield.strain", s->yield.strain, 0, 1},
        {"springs.yield.time", s->yield.time, 0, 1e6},
        {"springs.yield.limit", s->yield.limit, 0, 2},
    };
    if (s->anchor.frame < SUP_ANCHOR_FITTED || s->anchor.frame > SUP_ANCHOR_FIXED) {
        return refuse(error, "unknown frame of anchors");
    }
    return supi_check_ranges(ranges, sizeof ranges / sizeof *ranges, error);
}

static sup_result check_settings(const sup_spring_settings* s, sup_error* error) {
    if (s->integrator < SUP_INTEGRATOR_AUTO || s->integrator > SUP_INTEGRATOR_RK4) {
        return refuse(error, "unknown integrator");
    }
    if (s->preconditioner < SUP_PRECONDITIONER_BLOCKS ||
        s->preconditioner > SUP_PRECONDITIONER_LEVELS) {
        return refuse(error, "unknown preconditioner");
    }
    if (s->limit_kinds < SUP_LIMIT_STRUCT || s->limit_kinds > SUP_LIMIT_STRUCT_SHEAR) {
        return refuse(error, "unknown kinds of a strain limit");
    }
    if (s->refine_rule < SUP_REFINE_EVEN || s->refine_rule > SUP_REFINE_SEED) {
        return refuse(error, "unknown rule of refinement");
    }
    bool off = s->limit == 0.0, off_below = s->limit_compression == 0.0;
    const supi_range ranges[] = {
        {"springs.drag", s->drag, 0, 10},
        {"springs.tolerance", s->tolerance, 1e-6, 0.1},
        {"springs.iterations", s->iterations, 1, 1000},
        {"springs.newton", s->newton, 1, 5},
        {"springs.error_length", s->error_length, 0, 1},
        {"springs.error_strain", s->error_strain, 0, 1},
        {"springs.limit", s->limit, off ? 0 : 0.01, off ? 0 : 0.5},
        {"springs.limit_compression", s->limit_compression, off_below ? 0 : 0.01,
         off_below ? 0 : 0.5},
        {"springs.limit_sweeps", s->limit_sweeps, 1, 100},
        {"springs.tear", s->tear, s->tear == 0.0 ? 0 : 0.01, 10},
        {"springs.tear_force", s->tear_force, s->tear_force == 0.0 ? 0 : 1e-6, 1e12},
        {"springs.refine_angle", s->refine_angle, 5, 45},
    };
    sup_result result = supi_check_ranges(ranges, sizeof ranges / sizeof *ranges, error);
    if (result != SUP_OK) return result;
    if (s->error_length == 0.0 && s->error_strain == 0.0) {
        return refuse(error, "springs.error_length and springs.error_strain are both 0: no step "
                             "would be short enough");
    }
    return SUP_OK;
}

/* What springs and clusters of one body can do together. */
static sup_result check_mix(const sup_spring_settings* s, const sup_blueprint* print,
                            sup_error* error) {
    if (print->spring_count == 0 || print->loose) return SUP_OK;
    if (s->integrator != SUP_INTEGRATOR_AUTO && s->integrator != SUP_INTEGRATOR_SYMPLECTIC) {
        return refuse(error, "springs.integrator: a body with clusters beside its springs moves by "
                             "\"symplectic\" (or \"auto\"): the others know no clusters");
    }
    if (s->limit > 0.0 || s->limit_compression > 0.0) {
        return refuse(error,
                      "springs.limit is for bodies of springs alone: this one has clusters too");
    }
    return SUP_OK;
}

static sup_result check_tear(const sup_spring_settings* s, const sup_blueprint* print,
                             sup_error* error) {
    if ((s->tear > 0.0 || s->tear_force > 0.0) && !print->can_tear) {
        return refuse(error, "springs.tear and tear_force are for bodies whose blueprint tears");
    }
    bool limited = s->limit > 0.0 || s->limit_compression > 0.0;
    bool implicit =
        s->integrator == SUP_INTEGRATOR_AUTO || s->integrator == SUP_INTEGRATOR_IMPLICIT;
    if ((s->tear > 0.0 || s->tear_force > 0.0) && limited && !implicit) {
        return refuse(error, "a body that tears under a strain limit moves by the implicit "
                             "integrator: the others do not tell how hard the limit pulls");
    }
    if (print->can_tear && s->yield.strain > 0.0) {
        return refuse(error, "a body that tears does not yield");
    }
    return SUP_OK;
}

sup_result supi_springs_check(const sup_spring_settings* settings, const sup_blueprint* print,
                              sup_error* error) {
    sup_result result = check_settings(settings, error);
    if (result == SUP_OK) result = check_beside(settings, error);
    if (result == SUP_OK) result = check_mix(settings, print, error);
    if (result == SUP_OK) result = check_tear(settings, print, error);
    if (result == SUP_OK) result = supi_folds_check(settings, print, error);
    return result == SUP_OK ? supi_spring_forces_check(settings, print, error) : result;
}

sup_integrator supi_springs_integrator(const supi_body* body) {
    sup_integrator asked = body->springs.integrator;
    if (asked != SUP_INTEGRATOR_AUTO) return asked;
    return body->blueprint->loose ? SUP_INTEGRATOR_IMPLICIT : SUP_INTEGRATOR_SYMPLECTIC;
}

sup_result sup_body_set_springs(sup_world* world, sup_body handle,
                                const sup_spring_settings* settings, sup_error* error) {
    SUPI_NEED(error, world, settings);
    supi_body* body = supi_world_body(world, handle);
    if (!body) return supi_error_set(error, SUP_STALE, "the body is gone");
    if (body->blueprint->spring_count == 0) return refuse(error, "the body has no springs");
    sup_result result = supi_springs_check(settings, body->blueprint, error);
    if (result != SUP_OK) return result;
    if (settings->meets_itself && body->locked != 0) {
        return refuse(error, "springs.meet_itself is for bodies whose axes are free");
    }
    if (!supi_springs_equip(world, body, &world->def.wind, settings)) {
        return supi_error_memory(error);
    }
    sup_integrator was = supi_springs_integrator(body);
    /* Others meet it otherwise. */
    if (settings->meets_itself != body->springs.meets_itself) {
        supi_meetings_forget(world);
        supi_overlaps_forget(world, (int32_t)(body - world->bodies), false);
    }
    body->springs = *settings;
    supi_cuts_remake(body);
    if (supi_springs_integrator(body) != was) supi_springs_reset(body);
    supi_sleep_wake(world, body);
    return SUP_OK;
}
