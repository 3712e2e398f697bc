/* Bodies taken by the hand: teleport, reset, pause, pins that are led. */
#include "base/check.h"
#include "base/error.h"
#include "base/float_mode.h"
#include "geom/quaternion.h"
#include "world/cuts.h"
#include "world/lock.h"
#include "world/oriented.h"
#include "world/overlaps.h"
#include "world/springs.h"
#include "world/tear.h"

#include <math.h>
#include <string.h>

/* Whom the body touches, holds or hangs on. */
static void wake_company(sup_world* world, const supi_body* body) {
    sup_body handle = body->handle;
    supi_sleep_wake_around(world, handle, (sup_collider){0});
    for (int32_t i = 0; i < world->attachment_count; i++) {
        const supi_attachment* a = world->attachments + i;
        bool held = a->def.body.slot == handle.slot && a->def.body.age == handle.age;
        bool holds = a->def.other.slot == handle.slot && a->def.other.age == handle.age;
        if (held || holds) supi_attach_wake(world, a);
    }
}

void supi_body_edited(sup_world* world, supi_body* body) {
    supi_cuts_follow(world, body);
    supi_lock_strip(body, 0, body->blueprint->row_count, world->now.v + body->row);
    supi_body_copy(body, &world->now, &world->before);
    supi_springs_edited(body);
    body->carried = body->boxed = false;
    body->edited = true;
    supi_sleep_wake(world, body);
    wake_company(world, body);
    supi_meetings_forget(world); /* its rows have moved */
    supi_overlaps_forget(world, (int32_t)(body - world->bodies), false);
}

/* ---- Teleport ---- */

static void centre_of_mass(const sup_world* world, const supi_body* body, double centre[3]) {
    const sup_blueprint* b = body->blueprint;
    const float* masses = supi_tear_masses(body);
    double sum[3] = {0, 0, 0}, weight = 0.0;
    for (int32_t r = 0; r < b->info.particle_count; r++) {
        const sup_row* x = world->now.x + body->row + r;
        double m = (double)masses[r];
        sum[0] += m * (double)x->x;
        sum[1] += m * (double)x->y;
        sum[2] += m * (double)x->z;
        weight += m;
    }
    for (int k = 0; k < 3; k++) centre[k] = body->anchor[k] + sum[k] / weight;
}

/* m times p about `centre`. */
static void turn_about(const double m[9], const double centre[3], double p[3]) {
    double arm[3];
    for (int k = 0; k < 3; k++) arm[k] = p[k] - centre[k];
    for (int k = 0; k < 3; k++) {
        p[k] = centre[k] + m[3 * k] * arm[0] + m[3 * k + 1] * arm[1] + m[3 * k + 2] * arm[2];
    }
}

static void turn_further(const double by[4], sup_quat* q) {
    double turned[4] = {(double)q->x, (double)q->y, (double)q->z, (double)q->w};
    supi_quaternion_product(by, turned, turned);
    *q = (sup_quat){(float)turned[0], (float)turned[1], (float)turned[2], (float)turned[3]};
}

/* A rigid motion: turn about a centre, then shift. */
typedef struct motion {
    double m[9], centre[3], shift[3];
    bool turns;
} motion;

/* The shift is split into whole units, which move the anchor and round nothing, and a rest. */
static void move_row(const motion* way, const double anchor[3], const double rest[3], sup_row* x) {
    double p[3] = {(double)x->x, (double)x->y, (double)x->z}, centre[3];
    for (int k = 0; k < 3; k++) centre[k] = way->centre[k] - anchor[k];
    if (way->turns) turn_about(way->m, centre, p);
    x->x = (float)(p[0] + rest[0]);
    x->y = (float)(p[1] + rest[1]);
    x->z = (float)(p[2] + rest[2]);
}

static void move_body(sup_world* world, supi_body* body, const motion* way,
                      const double rotation[4]) {
    const sup_blueprint* b = body->blueprint;
    double rest[3], whole[3];
    for (int k = 0; k < 3; k++) {
        whole[k] = floor(way->shift[k] / body->unit + 0.5) * body->unit;
        rest[k] = way->shift[k] - whole[k];
    }
    for (int32_t r = 0; r < b->row_count; r++) {
        move_row(way, body->anchor, rest, world->now.x + body->row + r);
        sup_row* v = world->now.v + body->row + r;
        double u[3] = {(double)v->x, (double)v->y, (double)v->z}, none[3] = {0, 0, 0};
        if (way->turns) turn_about(way->m, none, u);
        *v = (sup_row){(float)u[0], (float)u[1], (float)u[2], v->w};
    }
    for (int32_t c = 0; c < b->cluster_count; c++) {
        move_row(way, body->anchor, rest, world->now.centre + body->cluster + c);
        if (way->turns) turn_further(rotation, world->now.rotation + body->cluster + c);
    }
    for (int32_t r = 0; b->oriented && way->turns && r < b->row_count; r++) {
        sup_row* w = world->now.spin + body->turn + r;
        double u[3] = {(double)w->x, (double)w->y, (double)w->z}, none[3] = {0, 0, 0};
        turn_about(way->m, none, u);
        *w = (sup_row){(float)u[0], (float)u[1], (float)u[2], 0.0f};
        turn_further(rotation, world->now.turn + body->turn + r);
    }
    for (int32_t i = 0; way->turns && i < supi_oriented_warm_count(b); i++) {
        turn_further(rotation, world->now.warm + body->warm + i);
    }
    for (int32_t i = 0; b->oriented && way->turns && i < 2 * b->pin_count; i++) {
        turn_further(rotation, body->oriented->pin_turns + i);
    }
    for (int32_t i = 0; i < 2 * b->pin_count; i++) {
        double p[3] = {body->pins[i].x, body->pins[i].y, body->pins[i].z};
        if (way->turns) turn_about(way->m, way->centre, p);
        body->pins[i] =
            (sup_point){p[0] + way->shift[0], p[1] + way->shift[1], p[2] + way->shift[2]};
    }
    for (int k = 0; k < 3; k++) body->anchor[k] += whole[k];
}

sup_result sup_body_teleport(sup_world* world, sup_body handle, const double shift[3],
                             const double rotation[4], sup_error* error) {
    SUPI_NEED(error, world, shift);
    supi_body* body = supi_world_body(world, handle);
    if (!body) return supi_error_set(error, SUP_STALE, "the body is gone");
    double unit[4] = {0, 0, 0, 1}, squared = 1.0;
    if (rotation) {
        squared = 0.0;
        for (int k = 0; k < 4; k++) squared += rotation[k] * rotation[k];
    }
    const double* from = body->anchor; /* many shifts must not add up to a place without end */
    const supi_range ranges[] = {{"shift", shift[0], -1e12, 1e12},
                                 {"shift", shift[1], -1e12, 1e12},
                                 {"shift", shift[2], -1e12, 1e12},
                                 {"place behind the shift", from[0] + shift[0], -1e14, 1e14},
                                 {"place behind the shift", from[1] + shift[1], -1e14, 1e14},
                                 {"place behind the shift", from[2] + shift[2], -1e14, 1e14},
                                 {"length of rotation", squared, 1e-12, 1e12}};
    sup_result result = supi_check_ranges(ranges, sizeof ranges / sizeof *ranges, error);
    if (result != SUP_OK) return result;
    motion way = {.shift = {shift[0], shift[1], shift[2]}, .turns = rotation != NULL};
    supi_float_mode mode = supi_float_mode_enter();
    for (int k = 0; rotation && k < 4; k++) unit[k] = rotation[k] / sqrt(squared);
    supi_quaternion_matrix(unit, way.m);
    centre_of_mass(world, body, way.centre);
    move_body(world, body, &way, unit);
    supi_body_edited(world, body);
    supi_float_mode_leave(mode);
    return SUP_OK;
}

/* ---- Reset, pause, sleep ---- */

sup_result sup_body_reset(sup_world* world, sup_body handle) {
    SUPI_NEED(NULL, world);
    supi_body* body = supi_world_body(world, handle);
    if (!body) return SUP_STALE;
    supi_float_mode mode = supi_float_mode_enter();
    supi_body_take_start(world, body);
    supi_body_edited(world, body);
    supi_float_mode_leave(mode);
    return SUP_OK;
}

sup_result sup_body_set_paused(sup_world* world, sup_body handle, bool paused) {
    SUPI_NEED(NULL, world);
    supi_body* body = supi_world_body(world, handle);
    if (!body) return SUP_STALE;
    if (body->paused == paused) return SUP_OK;
    bool edited = body->edited;
    body->paused = paused;
    for (int32_t r = 0; paused && r < body->blueprint->row_count; r++) {
        sup_row* v = world->now.v + body->row + r;
        *v = (sup_row){0.0f, 0.0f, 0.0f, v->w};
    }
    if (paused) supi_oriented_stop(world, body);
    supi_body_edited(world, body);
    body->edited = edited; /* it is where it was */
    return SUP_OK;
}

bool sup_body_is_paused(const sup_world* world, sup_body handle) {
    const supi_body* body = supi_world_body(world, handle);
    return body && body->paused;
}

bool sup_body_is_asleep(const sup_world* world, sup_body handle) {
    const supi_body* body = supi_world_body(world, handle);
    return body && body->rest.asleep;
}

sup_result sup_body_wake(sup_world* world, sup_body handle) {
    SUPI_NEED(NULL, world);
    supi_body* body = supi_world_body(world, handle);
    if (!body) return SUP_STALE;
    supi_sleep_wake(world, body);
    return SUP_OK;
}

/* ---- Pins ---- */

sup_result sup_body_move_pins(sup_world* world, sup_body handle, const sup_point* places,
                              sup_error* error) {
    SUPI_NEED(error, world);
    supi_body* body = supi_world_body(world, handle);
    if (!body) return supi_error_set(error, SUP_STALE, "the body is gone");
    int32_t count = body->blueprint->pin_count;
    if (count > 0) SUPI_NEED(error, places);
    for (int32_t i = 0; i < count; i++) {
        const supi_range ranges[] = {{"places", places[i].x, -1e12, 1e12},
                                     {"places", places[i].y, -1e12, 1e12},
                                     {"places", places[i].z, -1e12, 1e12}};
        sup_result result = supi_check_ranges(ranges, 3, error);
        if (result != SUP_OK) return result;
    }
    if (count == 0) return SUP_OK;
    for (int32_t i = 0; i < count; i++) {
        const sup_point* stay = body->pins + count + i;
        body->pins[i] = (sup_point){body->locked & SUP_AXIS_X ? stay->x : places[i].x,
                                    body->locked & SUP_AXIS_Y ? stay->y : places[i].y,
                                    body->locked & SUP_AXIS_Z ? stay->z : places[i].z};
    }
    bool led = memcmp(body->pins, body->pins + count, (size_t)count * sizeof *places) != 0;
    if (led) supi_sleep_wake(world, body);
    return SUP_OK;
}

void supi_body_settle(const sup_world* world, supi_body* body) {
    body->edited = false;
    supi_oriented_settle(world, body);
    size_t count = (size_t)body->blueprint->pin_count;
    if (count > 0 && !body->paused)
        memcpy(body->pins + count, body->pins, count * sizeof *body->pins);
}
