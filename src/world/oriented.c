#include "world/oriented.h"

#include "base/check.h"
#include "base/error.h"
#include "base/float_mode.h"
#include "base/memory.h"
#include "base/real.h"
#include "geom/quaternion.h"
#include "solve/turns.h"
#include "solve/wind.h"
#include "world/springs.h"

#include <float.h>
#include <math.h>
#include <string.h>

sup_frame_settings sup_frame_settings_default(void) {
    return (sup_frame_settings){
        .stiffness = 200.0,
        .damping = 0.1,
        .turn_damping = 0.5,
        .turn = 1.0,
        .restores_momentum = true,
        .meets_itself = true,
        .slerp = 0.5,
        .drag = 0.5,
        .turn_drag = 1.0,
        .plastic = {.limit = 0.3, .time = 0.05, .stiffness = 100.0, .keep = 1.0},
        .air = {.across = 1.0, .along = 0.05},
    };
}

/* ---- Settings ---- */

static sup_result check_settings(const sup_frame_settings* s, sup_error* error) {
    const supi_range ranges[] = {
        {"frames.stiffness", s->stiffness, 0, 1e5},
        {"frames.modulus", s->modulus, 0, 1e12},
        {"frames.damping", s->damping, 0, 100},
        {"frames.turn_damping", s->turn_damping, 0, 100},
        {"frames.turn", s->turn, 0, 1},
        {"frames.slerp", s->slerp, 0, 1},
        {"frames.drag", s->drag, 0, 1},
        {"frames.turn_drag", s->turn_drag, 0, 1},
        {"frames.rolling_friction", s->rolling_friction, 0, 2},
        {"frames.plastic.speed", s->plastic.speed, 0, 1e4},
        {"frames.plastic.limit", s->plastic.limit, 0, 1},
        {"frames.plastic.time", s->plastic.time, 0.001, 0.2},
        {"frames.plastic.stiffness", s->plastic.stiffness, 10, 1000},
        {"frames.plastic.keep", s->plastic.keep, 0, 1},
        {"frames.air.across", s->air.across, 0, 2},
        {"frames.air.along", s->air.along, 0, 2},
    };
    if (s->mode < SUP_FRAME_MEAN || s->mode > SUP_FRAME_CLASSIC) {
        return supi_error_set(error, SUP_BAD_ARGUMENT, "unknown mode of frames");
    }
    if (s->torsion < SUP_TORSION_TWIST || s->torsion > SUP_TORSION_SLERP) {
        return supi_error_set(error, SUP_BAD_ARGUMENT, "unknown rule of torsion");
    }
    if (s->friction < SUP_FRICTION_COULOMB || s->friction > SUP_FRICTION_PAPER) {
        return supi_error_set(error, SUP_BAD_ARGUMENT, "unknown rule of friction");
    }
    return supi_check_ranges(ranges, sizeof ranges / sizeof *ranges, error);
}

/* Contacts turn what is free or in a part; groups turn their members themselves. */
static sup_result check_rolling(const sup_blueprint* print, const sup_frame_settings* s,
                                sup_error* error) {
    bool rolls = !(s->rolling_friction > 0.0) || !print->oriented;
    for (int32_t r = 0; !rolls && r < print->info.particle_count; r++) {
        rolls = print->shapes.flags[r] & SUPI_ROLLS;
    }
    if (rolls) return SUP_OK;
    return supi_error_set(error, SUP_BAD_ARGUMENT,
                          "frames.rolling_friction acts on free particles and on those of parts, "
                          "but this body has none: all are linked");
}

/* Integrators that are a lesson of their own know springs only. */
static sup_result check_company(const sup_blueprint* print, const sup_spring_settings* springs,
                                sup_error* error) {
    sup_integrator by = springs->integrator;
    if (!print->oriented || print->spring_count == 0 || by == SUP_INTEGRATOR_AUTO ||
        by == SUP_INTEGRATOR_IMPLICIT || by == SUP_INTEGRATOR_SYMPLECTIC) {
        return SUP_OK;
    }
    return supi_error_set(error, SUP_BAD_ARGUMENT,
                          "springs.integrator: springs beside links or parts move by \"implicit\" "
                          "or \"symplectic\": the others know springs only");
}

/* Dents need room in the blueprint. */
static sup_result check_yield(const sup_blueprint* print, const sup_frame_settings* s,
                              sup_error* error) {
    bool own = false;
    for (int32_t p = 0; print->part_plastics && p < print->part_count; p++) {
        own = own || print->part_plastics[p].speed > 0.0f;
    }
    if (!own && !(s->plastic.speed > 0.0)) return SUP_OK;
    if (print->parts_yield) return SUP_OK;
    return supi_error_set(error, SUP_BAD_ARGUMENT,
                          "frames.plastic.speed is for bodies whose blueprint says parts_yield");
}

sup_result supi_oriented_check(const sup_body_def* def, sup_error* error) {
    sup_result result = check_settings(&def->frames, error);
    if (result == SUP_OK) result = check_yield(def->blueprint, &def->frames, error);
    if (result == SUP_OK) result = check_rolling(def->blueprint, &def->frames, error);
    return result == SUP_OK ? check_company(def->blueprint, &def->springs, error) : result;
}

sup_result sup_body_set_frames(sup_world* world, sup_body handle,
                               const sup_frame_settings* settings, sup_error* error) {
    SUPI_NEED(error, world, settings);
    supi_body* body = supi_world_body(world, handle);
    if (!body) return supi_error_set(error, SUP_STALE, "the body is gone");
    if (!body->oriented) {
        return supi_error_set(error, SUP_BAD_ARGUMENT, "the body has neither links nor parts");
    }
    sup_result result = check_settings(settings, error);
    if (result == SUP_OK) result = check_yield(body->blueprint, settings, error);
    if (result == SUP_OK) result = check_rolling(body->blueprint, settings, error);
    if (result != SUP_OK) return result;
    body->frames = *settings;
    body->prepared_h = 0.0;
    supi_body_edited(world, body);
    return SUP_OK;
}

/* ---- Coming and going ---- */

static bool push_parts(supi_turned* o, const sup_blueprint* b) {
    if (!b->parts_yield) return true;
    o->parts = supi_arena_push(&o->arena, 2, sizeof *o->parts);
    if (!o->parts) return false;
    o->parts_before = o->parts + 1;
    o->lost = supi_arena_push(&o->arena, (size_t)b->row_count, sizeof *o->lost);
    if (!o->lost || !supi_part_state_push(&b->frames, &o->arena, o->parts) ||
        !supi_part_state_push(&b->frames, &o->arena, o->parts_before) || !supi_dented_push(b, o)) {
        return false;
    }
    if (!b->part_plastics) return true;
    o->part_own = supi_arena_push(&o->arena, (size_t)b->frames.part_count, sizeof *o->part_own);
    o->soft_of = supi_arena_push(&o->arena, (size_t)b->frames.group_count, sizeof *o->soft_of);
    o->parts->own = o->part_own;
    return o->part_own && o->soft_of;
}

static bool push_rooms(supi_turned* o, const sup_blueprint* b) {
    o->pin_turns = supi_arena_push(&o->arena, 2 * (size_t)b->pin_count, sizeof *o->pin_turns);
    o->stiffness = supi_arena_push(&o->arena, (size_t)b->row_count, sizeof *o->stiffness);
    o->s = supi_arena_push(&o->arena, (size_t)b->frames.group_count, sizeof *o->s);
    o->shift = supi_arena_push(&o->arena, (size_t)b->row_count, sizeof *o->shift);
    o->shift_ends = supi_arena_push(&o->arena, 2 * (size_t)b->piece_count, sizeof *o->shift_ends);
    if (!b->loose || b->spring_count > 0) {
        o->aside = supi_arena_push(&o->arena, 2 * (size_t)b->row_count, sizeof *o->aside);
        if (!o->aside) return false;
    }
    return o->pin_turns && o->stiffness && o->s && o->shift && o->shift_ends && push_parts(o, b);
}

bool supi_oriented_make(const sup_world* world, supi_body* body) {
    const sup_blueprint* b = body->blueprint;
    if (!b->oriented) return true;
    supi_turned* o = supi_memory_new(world->allocator, 1, sizeof *o);
    if (!o) return false;
    body->oriented = o;
    o->contact = b->shapes;
    o->self = b->self;
    supi_arena_init(&o->arena, world->allocator);
    if (push_rooms(o, b)) return true;
    supi_oriented_free(world, body);
    return false;
}

void supi_oriented_free(const sup_world* world, supi_body* body) {
    if (!body->oriented) return;
    supi_arena_free(&body->oriented->arena);
    supi_memory_free(world->allocator, body->oriented, 1, sizeof *body->oriented);
    body->oriented = NULL;
}

void supi_oriented_place(supi_body* body, supi_state* state, sup_quat q, sup_row w) {
    const sup_blueprint* b = body->blueprint;
    if (!b->oriented) return;
    for (int32_t r = 0; r < b->row_count; r++) {
        state->turn[body->turn + r] = q;
        state->spin[body->turn + r] = w;
    }
    sup_quat* warm = state->warm + body->warm;
    supi_frame_start(&b->frames, &q, warm, warm + b->frames.group_count);
    for (int32_t i = 0; i < 2 * b->pin_count; i++) body->oriented->pin_turns[i] = q;
    for (int32_t i = 0; i < b->pin_count; i++) {
        state->spin[body->turn + b->pins[i]] = (sup_row){0.0f, 0.0f, 0.0f, 0.0f};
    }
}

void supi_oriented_stop(const sup_world* world, const supi_body* body) {
    if (!body->oriented) return;
    memset(world->now.spin + body->turn, 0,
           (size_t)body->blueprint->row_count * sizeof *world->now.spin);
}

/* A long substep is forgotten within a second or so, too slowly to feed a swing. */
static void forget_longest(const sup_world* world, supi_body* body) {
    supi_turned* o = body->oriented;
    double h = body->prepared_h, dt = h * world->def.substeps, before = o->longest;
    o->longest = h > before ? h : before - (dt < 1.0 ? dt : 1.0) * (before - h);
    if (o->longest < 1.01 * h) o->longest = h;
    if (o->longest != before && before > 0.0) body->prepared_h = 0.0;
}

void supi_oriented_settle(const sup_world* world, supi_body* body) {
    if (!body->oriented || body->paused) return;
    forget_longest(world, body);
    size_t count = (size_t)body->blueprint->pin_count;
    sup_quat* turns = body->oriented->pin_turns;
    if (count > 0) memcpy(turns + count, turns, count * sizeof *turns);
}

void supi_oriented_restore_turns(const supi_body* body, const supi_state* good, supi_state* state) {
    if (!body->oriented) return;
    for (int32_t r = 0; r < body->blueprint->row_count; r++) {
        state->turn[body->turn + r] = good->turn[body->turn + r];
        state->spin[body->turn + r] = (sup_row){0.0f, 0.0f, 0.0f, 0.0f};
    }
    for (int32_t i = 0; i < supi_oriented_warm_count(body->blueprint); i++) {
        state->warm[body->warm + i] = good->warm[body->warm + i];
    }
}

bool supi_oriented_sane(const sup_world* world, const supi_body* body, const supi_state* state) {
    if (!body->oriented) return true;
    const supi_frame_kernels* k = world->kernels->frames;
    const sup_row* q = (const sup_row*)state->turn + body->turn;
    const sup_row* warm = (const sup_row*)state->warm + body->warm;
    int32_t rows = body->blueprint->row_count;
    return k->are_turns(q, rows) && k->are_finite(state->spin + body->turn, rows / 8) &&
           k->are_turns(warm, supi_oriented_warm_count(body->blueprint));
}

/* ---- Reading and writing ---- */

sup_result sup_body_read_turns(const sup_world* world, sup_body handle, sup_quat* rotations,
                               sup_vec3* spins) {
    SUPI_NEED(NULL, world);
    const supi_body* body = supi_world_body(world, handle);
    if (!body) return SUP_STALE;
    if (!body->oriented) return SUP_BAD_ARGUMENT;
    const sup_blueprint* b = body->blueprint;
    for (int32_t id = 0; id < b->info.particle_count; id++) {
        int32_t at = body->turn + b->row_of[id];
        const sup_row* w = world->now.spin + at;
        if (rotations) rotations[id] = world->now.turn[at];
        if (spins) spins[id] = (sup_vec3){w->x, w->y, w->z};
    }
    return SUP_OK;
}

/* The unit quaternion along q; false: it has none. */
static bool unit_turn(const sup_quat* q, sup_quat* out) {
    double x = (double)q->x, y = (double)q->y, z = (double)q->z, w = (double)q->w;
    double squared = x * x + y * y + z * z + w * w, scale = 1.0 / sqrt(squared);
    if (!(squared > 1e-12 && squared < 1e12)) return false;
    *out =
        (sup_quat){(float)(scale * x), (float)(scale * y), (float)(scale * z), (float)(scale * w)};
    return true;
}

static sup_result check_turns(const sup_quat* rotations, int32_t count, sup_error* error) {
    for (int32_t i = 0; rotations && i < count; i++) {
        sup_quat unit;
        if (unit_turn(rotations + i, &unit)) continue;
        return supi_error_set(error, SUP_BAD_ARGUMENT,
                              "rotation %d must be a quaternion of some length", (int)i);
    }
    return SUP_OK;
}

static sup_result check_spins(const sup_vec3* spins, int32_t count, sup_error* error) {
    for (int32_t i = 0; spins && i < count; i++) {
        const supi_range ranges[] = {{"spins", (double)spins[i].x, -1e6, 1e6},
                                     {"spins", (double)spins[i].y, -1e6, 1e6},
                                     {"spins", (double)spins[i].z, -1e6, 1e6}};
        sup_result result = supi_check_ranges(ranges, 3, error);
        if (result != SUP_OK) return result;
    }
    return SUP_OK;
}

/* The body of a handle, if it has turns. */
static sup_result find_oriented(sup_world* world, sup_body handle, supi_body** out,
                                sup_error* error) {
    *out = supi_world_body(world, handle);
    if (!*out) return supi_error_set(error, SUP_STALE, "the body is gone");
    if ((*out)->oriented) return SUP_OK;
    return supi_error_set(error, SUP_BAD_ARGUMENT, "the body has neither links nor parts");
}

sup_result sup_body_write_turns(sup_world* world, sup_body handle, const sup_quat* rotations,
                                const sup_vec3* spins, sup_error* error) {
    SUPI_NEED(error, world);
    supi_body* body;
    sup_result result = find_oriented(world, handle, &body, error);
    if (result != SUP_OK) return result;
    const sup_blueprint* b = body->blueprint;
    result = check_turns(rotations, b->info.particle_count, error);
    if (result == SUP_OK) result = check_spins(spins, b->info.particle_count, error);
    if (result != SUP_OK) return result;
    supi_float_mode mode = supi_float_mode_enter();
    for (int32_t id = 0; id < b->info.particle_count; id++) {
        int32_t at = body->turn + b->row_of[id];
        if (rotations) unit_turn(rotations + id, world->now.turn + at);
        if (spins) world->now.spin[at] = (sup_row){spins[id].x, spins[id].y, spins[id].z, 0.0f};
    }
    sup_quat* pins = body->oriented->pin_turns;
    for (int32_t i = 0; rotations && i < b->pin_count; i++) {
        pins[i] = pins[b->pin_count + i] = world->now.turn[body->turn + b->pins[i]];
    }
    supi_body_edited(world, body);
    supi_float_mode_leave(mode);
    return SUP_OK;
}

sup_result sup_body_turn_pins(sup_world* world, sup_body handle, const sup_quat* rotations,
                              sup_error* error) {
    SUPI_NEED(error, world);
    supi_body* body;
    sup_result result = find_oriented(world, handle, &body, error);
    if (result != SUP_OK) return result;
    int32_t count = body->blueprint->pin_count;
    if (count > 0) SUPI_NEED(error, rotations);
    result = check_turns(rotations, count, error);
    if (result != SUP_OK) return result;
    for (int32_t i = 0; i < count; i++) {
        unit_turn(rotations + i, body->oriented->pin_turns + i);
    }
    if (supi_oriented_pins_turn(body)) supi_sleep_wake(world, body);
    return SUP_OK;
}

bool supi_oriented_pins_turn(const supi_body* body) {
    if (!body->oriented) return false;
    size_t count = (size_t)body->blueprint->pin_count;
    const sup_quat* turns = body->oriented->pin_turns;
    return count > 0 && memcmp(turns, turns + count, count * sizeof *turns) != 0;
}

/* ---- Measures ---- */

void supi_oriented_measure(const sup_world* world, const supi_body* body, sup_measures* out) {
    if (!body->oriented) return;
    const sup_blueprint* b = body->blueprint;
    const supi_part_state* parts = body->oriented->parts;
    for (int32_t r = 0; r < b->info.particle_count; r++) {
        const sup_quat* q = world->now.turn + body->turn + r;
        const sup_row* w = world->now.spin + body->turn + r;
        const float* d = b->moments + 6 * r;
        double turn[4] = {(double)q->x, (double)q->y, (double)q->z, (double)q->w};
        const double spin[3] = {(double)w->x, (double)w->y, (double)w->z};
        if (b->inverse_mass[r] == 0.0f) continue;
        const double trace = (double)d[0] + (double)d[1] + (double)d[2];
        const double inertia[9] = {
            trace - (double)d[0], -(double)d[5],        -(double)d[4],
            -(double)d[5],        trace - (double)d[1], -(double)d[3],
            -(double)d[4],        -(double)d[3],        trace - (double)d[2]};
        double m[9], own[3], moment[3];
        if (parts) { /* its shape has turned so far */
            double flowed[4];
            supi_turns_from(parts->flowed + r, flowed);
            supi_quaternion_product(turn, flowed, turn);
        }
        supi_quaternion_matrix(turn, m);
        for (int k = 0; k < 3; k++) {
            own[k] = m[k] * spin[0] + m[3 + k] * spin[1] + m[6 + k] * spin[2];
        }
        for (int k = 0; k < 3; k++) {
            moment[k] =
                inertia[3 * k] * own[0] + inertia[3 * k + 1] * own[1] + inertia[3 * k + 2] * own[2];
            out->kinetic += 0.5 * own[k] * moment[k];
        }
        for (int k = 0; k < 3; k++) {
            out->angular_momentum[k] +=
                m[3 * k] * moment[0] + m[3 * k + 1] * moment[1] + m[3 * k + 2] * moment[2];
        }
    }
}

/* ---- A substep ---- */

/* The frequency of every group, of its own, of the body, or by Young's modulus; returns the
   largest. */
static double find_stiffness(const supi_body* body) {
    double most = 0.0;
    const sup_blueprint* b = body->blueprint;
    const sup_frame_settings* s = &body->frames;
    for (int32_t r = 0; r < b->info.particle_count; r++) {
        double spread = (double)b->frames.spread[r] * b->info.density, w0 = s->stiffness;
        if (s->modulus > 0.0) {
            w0 = spread > 0.0 ? sqrt(s->modulus / spread) : 0.0;
        } else if (b->frame_stiffness && b->frame_stiffness[r] >= 0.0f) {
            w0 = (double)b->frame_stiffness[r];
        }
        w0 = w0 < 1e5 ? w0 : 1e5;
        most = w0 > most && b->frames.group_of[r] >= 0 ? w0 : most;
        body->oriented->stiffness[r] = (float)w0;
    }
    return most;
}

void supi_oriented_prepare(const sup_world* world, supi_body* body, double h) {
    supi_turned* o = body->oriented;
    if (!o) return;
    const sup_frame_settings* s = &body->frames;
    supi_frame_settings own = supi_frame_settings_default();
    double needed = h * find_stiffness(body);
    if (needed > body->saturation) body->saturation = needed;
    own.mode = s->mode;
    own.torsion = s->torsion;
    own.stiffness_of = o->stiffness;
    own.longest = o->longest > h ? (float)o->longest : 0.0f;
    own.turn_share = (float)s->turn;
    own.slerp = (float)s->slerp;
    own.damping = (float)s->damping;
    own.turn_damping = (float)s->turn_damping;
    own.restore = s->restores_momentum;
    own.soft_stiffness = (float)s->plastic.stiffness;
    own.soft_of = o->soft_of;
    supi_dented_prepare(body);
    for (int k = 0; k < 3; k++) {
        own.gravity[k] = (float)(body->gravity_scale * world->def.gravity[k]);
    }
    o->slowing = (supi_slowing){.rolling = (float)s->rolling_friction};
    if (s->friction == SUP_FRICTION_PAPER) {
        o->slowing.drags = true;
        o->slowing.drag = (float)(1.0 - supi_pow(1.0 - s->drag, 60.0 * h));
        o->slowing.turn_drag = (float)(1.0 - supi_pow(1.0 - s->turn_drag, 60.0 * h));
    }
    o->pull = supi_frame_prepare(&body->blueprint->frames, &own, h, o->s);
}

supi_frame_slices supi_oriented_slices(const supi_state* state, const supi_body* body) {
    sup_quat* warm = state->warm + body->warm;
    return (supi_frame_slices){.x = state->x + body->row,
                               .v = state->v + body->row,
                               .q = state->turn + body->turn,
                               .w = state->spin + body->turn,
                               .group_turn = warm,
                               .part_turn = warm + body->blueprint->frames.group_count,
                               .parts = body->oriented->parts};
}

bool supi_oriented_alone(const supi_body* body) {
    return body->oriented && body->blueprint->loose && !body->elastic;
}

/* Is there air to resist it? */
static bool is_in_air(const sup_world* world, const supi_body* body) {
    const sup_spring_air* air = &body->frames.air;
    return world->def.wind.density > 0.0 && (air->across > 0.0 || air->along > 0.0);
}

bool supi_oriented_blown(const sup_world* world, const supi_body* body) {
    const sup_wind* wind = &world->def.wind;
    const double* u = wind->velocity;
    bool moves = wind->gust > 0.0 || u[0] != 0.0 || u[1] != 0.0 || u[2] != 0.0;
    return supi_oriented_alone(body) && moves && is_in_air(world, body);
}

/* What air and water do in the substep that ends when `share` of the step is over. */
static void carry(const sup_world* world, const supi_body* body, double share,
                  const supi_frame_slices* end) {
    const sup_blueprint* b = body->blueprint;
    const supi_wind_job job = {.wind = &world->def.wind,
                               .time = world->time + share * world->dt,
                               .origin = body->anchor,
                               .across = body->frames.air.across,
                               .along = body->frames.air.along,
                               .h = (double)body->pull.h};
    const supi_wind_balls balls = {.count = b->info.particle_count,
                                   .axes = body->oriented->contact.axes,
                                   .turn = end->q,
                                   .radii = b->shapes.radii,
                                   .mass = b->mass};
    supi_wind_carry(&job, &balls, end->x, end->v);
}

bool supi_oriented_move(sup_world* world, const supi_state* from, supi_body* body, double share) {
    supi_turned* o = body->oriented;
    if (!o) return false;
    const sup_blueprint* b = body->blueprint;
    const supi_frame_slices start = supi_oriented_slices(from, body);
    supi_frame_slices end = supi_oriented_slices(&world->now, body);
    if (from != &world->now) {
        size_t warms = (size_t)supi_oriented_warm_count(b);
        memcpy(end.group_turn, start.group_turn, warms * sizeof *end.group_turn);
    }
    bool alone = supi_oriented_alone(body);
    if (!alone) { /* others move the rows */
        end.x = o->aside;
        end.v = o->aside + b->row_count;
    }
    supi_frame_predict(&b->frames, &o->pull, world->kernels, &start, &end);
    if (alone && is_in_air(world, body)) carry(world, body, share, &end);
    if (alone) supi_integrate_find_boxes(world, body);
    return alone;
}

/* Where a pin is on its way from one rotation to the other, and how fast it turns. */
static void turn_pin(const double from[4], const double to[4], double share, double dt,
                     double now[4], double spin[3]) {
    const double inverse[4] = {-from[0], -from[1], -from[2], from[3]};
    double way[4], sine = 0.0;
    supi_quaternion_between(from, to, share, now);
    supi_quaternion_product(to, inverse, way);
    double sign = way[3] < 0.0 ? -1.0 : 1.0;
    for (int k = 0; k < 3; k++) sine += way[k] * way[k];
    sine = sqrt(sine);
    double angle = 2.0 * supi_atan2(sine, sign * way[3]);
    double rate = sine > 0.0 ? sign * angle / (sine * dt) : 0.0;
    for (int k = 0; k < 3; k++) spin[k] = rate * way[k];
}

/* Pins go their part of the way. */
static void turn_pins(const sup_world* world, const supi_body* body, double share) {
    const sup_blueprint* b = body->blueprint;
    for (int32_t i = 0; i < b->pin_count; i++) {
        const sup_quat *to = body->oriented->pin_turns + i, *from = to + b->pin_count;
        const double end[4] = {(double)to->x, (double)to->y, (double)to->z, (double)to->w};
        double now[4], spin[3] = {0.0, 0.0, 0.0};
        if (memcmp(from, to, sizeof *to) == 0) {
            supi_quaternion_unit(end, now);
        } else {
            const double start[4] = {(double)from->x, (double)from->y, (double)from->z,
                                     (double)from->w};
            turn_pin(start, end, share, world->dt, now, spin);
        }
        int32_t at = body->turn + b->pins[i];
        world->now.turn[at] =
            (sup_quat){(float)now[0], (float)now[1], (float)now[2], (float)now[3]};
        world->now.spin[at] = (sup_row){(float)spin[0], (float)spin[1], (float)spin[2], 0.0f};
    }
}

bool supi_oriented_flock(const supi_body* a, const supi_body* b) {
    return a->oriented && b->oriented && a->blueprint == b->blueprint &&
           supi_frame_flocks(&a->blueprint->frames, &a->oriented->pull, &b->oriented->pull);
}

void supi_oriented_project_herd(sup_world* world, supi_body* const* bodies, int32_t count,
                                int32_t worker, double share) {
    supi_frame_slices slices[SUPI_HERD];
    for (int32_t i = 0; i < count; i++) {
        slices[i] = supi_oriented_slices(&world->now, bodies[i]);
        turn_pins(world, bodies[i], share);
    }
    supi_frame_project_herd(&bodies[0]->blueprint->frames, &bodies[0]->oriented->pull,
                            world->kernels, slices, count, world->rooms.of + worker);
}

void supi_oriented_project(sup_world* world, supi_body* body, int32_t worker, int32_t index,
                           double share) {
    supi_turned* o = body->oriented;
    if (!o) return;
    const supi_frame_slices slices = supi_oriented_slices(&world->now, body);
    int64_t count = (int64_t)world->step_count * world->def.substeps + index;
    o->pull.backward = count % 2 != 0;
    turn_pins(world, body, share);
    supi_dented_begin(body, slices.v);
    supi_frame_project(&body->blueprint->frames, &o->pull, world->kernels, &slices,
                       world->rooms.of + worker);
    supi_dented_end(body, slices.v);
}

const supi_oriented* supi_oriented_contact(sup_world* world, supi_body* body) {
    if (!body->oriented) return NULL;
    supi_oriented* out = &body->oriented->contact;
    out->turn = world->now.turn + body->turn;
    out->spin = world->now.spin + body->turn;
    out->shift = body->oriented->shift;
    out->slowing = body->oriented->slowing;
    return out;
}

/* ---- Old overlap ---- */

sup_row* supi_oriented_shift(const supi_body* body) {
    return body->oriented ? body->oriented->shift : NULL;
}

static void widen(sup_vec3* low, sup_vec3* high, const sup_row* by) {
    low->x = by->x < low->x ? by->x : low->x;
    low->y = by->y < low->y ? by->y : low->y;
    low->z = by->z < low->z ? by->z : low->z;
    high->x = by->x > high->x ? by->x : high->x;
    high->y = by->y > high->y ? by->y : high->y;
    high->z = by->z > high->z ? by->z : high->z;
}

/* A piece goes as far as the furthest of its rows; what drives it apart cancels. So nothing within
   it is strained, which would become speed. */
static void follow(const sup_world* world, const supi_body* body) {
    const sup_blueprint* b = body->blueprint;
    const int32_t *piece = b->shapes.piece, count = b->info.particle_count;
    sup_row *x = world->now.x + body->row, *shift = body->oriented->shift;
    sup_vec3* ends = body->oriented->shift_ends;
    bool any = false;
    for (int32_t r = 0; r < count; r++) {
        any |= (shift[r].x != 0.0f) | (shift[r].y != 0.0f) | (shift[r].z != 0.0f);
    }
    if (!any) return;
    memset(ends, 0, 2 * (size_t)b->piece_count * sizeof *ends);
    for (int32_t r = 0; r < count; r++) {
        if (piece[r] >= 0) widen(ends + 2 * piece[r], ends + 2 * piece[r] + 1, shift + r);
    }
    for (int32_t r = 0; r < count; r++) {
        if (piece[r] < 0) continue;
        const sup_vec3 *low = ends + 2 * piece[r], *high = low + 1;
        x[r].x += low->x + high->x - shift[r].x;
        x[r].y += low->y + high->y - shift[r].y;
        x[r].z += low->z + high->z - shift[r].z;
    }
    memset(shift, 0, (size_t)b->row_count * sizeof *shift);
}

static void follow_one(void* context, int32_t index, int32_t worker) {
    (void)worker;
    sup_world* world = context;
    supi_body* body = world->bodies + world->strained[index];
    follow(world, body);
    body->strained = false;
}

/* Each once. */
static void strain(sup_world* world, int32_t index, int32_t* count) {
    supi_body* body = world->bodies + index;
    if (body->strained) return;
    body->strained = true;
    world->strained[(*count)++] = index;
}

void supi_oriented_follow(sup_world* world) {
    const supi_contacts* met = &world->contacts;
    int32_t count = 0;
    for (int32_t i = 0; i < met->pairing_count; i++) {
        const supi_pairing* p = met->pairings + i;
        if (!p->deep) continue;
        if (p->a.oriented) strain(world, p->run_a, &count);
        if (p->b.oriented) strain(world, p->run_b, &count);
    }
    const supi_overlaps* solids = &world->overlaps;
    for (int32_t i = 0; solids->found.contact_count > 0 && i < solids->body_count; i++) {
        if (solids->bodies[i].shift) strain(world, solids->bodies[i].id, &count);
    }
    for (int32_t i = 0; i < met->block_count; i++) {
        if (met->blocks[i].deep) strain(world, met->touches[met->blocks[i].touch].run, &count);
    }
    supi_tasks_run(world->tasks, count, follow_one, world);
}
