/* Attachments: coming, going, moving and reading. What they do in a step is in attach_solve.c. */
#include "base/check.h"
#include "base/error.h"
#include "base/float_mode.h"
#include "geom/quaternion.h"
#include "world/tear.h"

#include <math.h>
#include <string.h>

sup_attachment_def sup_attachment_default(void) {
    return (sup_attachment_def){.size = sizeof(sup_attachment_def)};
}

/* ---- Finding ---- */

static bool is_null(uint32_t slot, uint32_t age) { return slot == 0 && age == 0; }
static bool has_other(const sup_attachment_def* d) { return !is_null(d->other.slot, d->other.age); }
static bool has_collider(const sup_attachment_def* d) {
    return !is_null(d->collider.slot, d->collider.age);
}

bool supi_attach_whole(const sup_world* world, const supi_attachment* a) {
    return supi_world_body(world, a->def.body) &&
           (!has_other(&a->def) || supi_world_body(world, a->def.other)) &&
           (!has_collider(&a->def) || supi_world_collider(world, a->def.collider));
}

/* The attachment of a handle, or NULL; one that has lost an end is gone. */
static supi_attachment* find(const sup_world* world, sup_attachment handle) {
    int32_t index = supi_pool_find(&world->attachment_pool, handle.slot, handle.age);
    if (index < 0 || !supi_attach_whole(world, world->attachments + index)) return NULL;
    return world->attachments + index;
}

void supi_attach_wake(sup_world* world, const supi_attachment* a) {
    supi_body *body = supi_world_body(world, a->def.body),
              *other = supi_world_body(world, a->def.other);
    if (body) supi_sleep_wake(world, body);
    if (other) supi_sleep_wake(world, other);
}

/* ---- Coming ---- */

static sup_result check_numbers(const sup_attachment_def* d, sup_error* error) {
    const supi_range ranges[] = {
        {"point", d->point[0], -1e12, 1e12},      {"point", d->point[1], -1e12, 1e12},
        {"point", d->point[2], -1e12, 1e12},      {"length", d->length, -1e12, 1e12},
        {"stiffness", d->stiffness, 0, 1e9},      {"damping", d->damping, 0, 1e9},
        {"force_limit", d->force_limit, 0, 1e12}, {"break_force", d->break_force, 0, 1e12},
    };
    sup_result result = supi_check_ranges(ranges, sizeof ranges / sizeof *ranges, error);
    if (result == SUP_OK && d->stiffness > 0.0 && d->stiffness < 1e-6) {
        result =
            supi_error_set(error, SUP_BAD_ARGUMENT, "stiffness must be 0 or at least 1e-6 N/m");
    }
    return result;
}

/* `what`: how the message calls the body. */
static sup_result check_particle(const sup_world* world, sup_body handle, int32_t id,
                                 const char* what, sup_error* error) {
    const supi_body* body = supi_world_body(world, handle);
    if (!body) return supi_error_set(error, SUP_STALE, "the %s of the attachment is gone", what);
    const sup_blueprint* b = body->blueprint;
    if (id < 0 || id >= b->info.particle_count) {
        return supi_error_set(error, SUP_BAD_ARGUMENT,
                              "the %s has the particles 0 to %d; there is no particle %d", what,
                              (int)b->info.particle_count - 1, (int)id);
    }
    if (!(supi_tear_masses(body)[b->row_of[id]] > 0.0f)) {
        return supi_error_set(error, SUP_BAD_ARGUMENT,
                              "particle %d of the %s has no mass: nothing can hold on to it",
                              (int)id, what);
    }
    return SUP_OK;
}

static bool is_pinned(const sup_world* world, sup_body handle, int32_t id) {
    const supi_body* body = supi_world_body(world, handle);
    return !(supi_tear_inverse_masses(body)[body->blueprint->row_of[id]] > 0.0f);
}

static sup_result check_other(const sup_world* world, const sup_attachment_def* d,
                              sup_error* error) {
    if (has_collider(d)) {
        return supi_error_set(error, SUP_BAD_ARGUMENT,
                              "a particle is attached to another or to a collider, not to both");
    }
    if (d->here) {
        return supi_error_set(error, SUP_BAD_ARGUMENT,
                              "`here` is for points of colliders and of the world");
    }
    sup_result result = check_particle(world, d->other, d->other_particle, "other body", error);
    if (result != SUP_OK) return result;
    if (d->body.slot == d->other.slot && d->particle == d->other_particle) {
        return supi_error_set(error, SUP_BAD_ARGUMENT, "a particle cannot hold itself");
    }
    return SUP_OK;
}

static sup_result check_def(const sup_world* world, const sup_attachment_def* d, sup_error* error) {
    if (!d || d->size != sizeof *d) {
        return supi_error_set(error, SUP_BAD_ARGUMENT,
                              "sup_attachment_def must come from sup_attachment_default");
    }
    sup_result result = check_numbers(d, error);
    if (result == SUP_OK) result = check_particle(world, d->body, d->particle, "body", error);
    if (result == SUP_OK && has_other(d)) result = check_other(world, d, error);
    if (result != SUP_OK) return result;
    if (has_collider(d) && !supi_world_collider(world, d->collider)) {
        return supi_error_set(error, SUP_STALE, "the collider of the attachment is gone");
    }
    if (is_pinned(world, d->body, d->particle) &&
        (!has_other(d) || is_pinned(world, d->other, d->other_particle))) {
        return supi_error_set(error, SUP_BAD_ARGUMENT, "both ends are pinned: neither can move");
    }
    return SUP_OK;
}

static void particle_place(const sup_world* world, sup_body handle, int32_t id, double place[3]) {
    const supi_body* body = supi_world_body(world, handle);
    const sup_row* x = world->now.x + body->row + body->blueprint->row_of[id];
    const double rows[3] = {(double)x->x, (double)x->y, (double)x->z};
    for (int k = 0; k < 3; k++) place[k] = body->anchor[k] + rows[k];
}

bool supi_attach_ends(const sup_world* world, const supi_attachment* a, double held[3],
                      double holder[3]) {
    if (!supi_attach_whole(world, a)) return false;
    particle_place(world, a->def.body, a->def.particle, held);
    if (has_other(&a->def)) {
        particle_place(world, a->def.other, a->def.other_particle, holder);
    } else {
        supi_attach_place(world, a, 0.0, holder);
    }
    return true;
}

/* A place of the world in the frame of a collider where it is now. */
static void into_frame(const supi_collider* collider, const double place[3], double point[3]) {
    double r[9];
    supi_quaternion_matrix(collider->from_rotation, r);
    for (int k = 0; k < 3; k++) {
        point[k] = 0.0;
        for (int i = 0; i < 3; i++) {
            point[k] += r[3 * i + k] * (place[i] - collider->from_position[i]);
        }
    }
}

void supi_attach_place(const sup_world* world, const supi_attachment* a, double share,
                       double place[3]) {
    double point[3];
    for (int k = 0; k < 3; k++) {
        point[k] = a->to_point[k] - (1.0 - share) * (a->to_point[k] - a->from_point[k]);
    }
    const supi_collider* collider = supi_world_collider(world, a->def.collider);
    if (!collider) {
        memcpy(place, point, sizeof point);
        return;
    }
    double position[3], rotation[4], r[9];
    supi_collider_at(collider, share, position, rotation);
    supi_quaternion_matrix(rotation, r);
    for (int k = 0; k < 3; k++) {
        place[k] =
            position[k] + (r[3 * k] * point[0] + r[3 * k + 1] * point[1] + r[3 * k + 2] * point[2]);
    }
}

/* Works out `here` and a length that is the present one. */
static void resolve(const sup_world* world, supi_attachment* a) {
    sup_attachment_def* d = &a->def;
    double held[3], holds[3], squared = 0.0;
    particle_place(world, d->body, d->particle, held);
    if (d->here && has_collider(d)) {
        into_frame(supi_world_collider(world, d->collider), held, d->point);
    } else if (d->here) {
        memcpy(d->point, held, sizeof held);
    }
    d->here = false;
    memcpy(a->from_point, d->point, sizeof d->point);
    memcpy(a->to_point, d->point, sizeof d->point);
    if (!(d->length < 0.0)) return;
    if (has_other(d)) {
        particle_place(world, d->other, d->other_particle, holds);
    } else {
        supi_attach_place(world, a, 0.0, holds);
    }
    for (int k = 0; k < 3; k++) squared += (held[k] - holds[k]) * (held[k] - holds[k]);
    /* What is only rounding has no direction. */
    double least = 1e-6 * supi_world_body(world, d->body)->unit;
    d->length = squared > least * least ? sqrt(squared) : 0.0;
}

bool supi_attach_reserve(sup_world* world, int32_t need) {
    bool ok = supi_column_reserve(&world->attachment_column, world->allocator, need,
                                  sizeof *world->attachments) != NULL;
    world->attachments = world->attachment_column.items;
    /* Each with as much again to sort into. */
    ok = ok && need <= INT32_MAX / 2 &&
         supi_column_reserve(&world->couple_column, world->allocator, 2 * need, sizeof(uint64_t)) &&
         supi_column_reserve(&world->hold_column, world->allocator, 2 * need, sizeof(uint64_t)) &&
         supi_column_reserve(&world->exempt_id_column, world->allocator, 2 * need, sizeof(int32_t));
    return ok;
}

sup_result sup_attachment_create(sup_world* world, const sup_attachment_def* def,
                                 sup_attachment* out, sup_error* error) {
    SUPI_NEED(error, world);
    sup_result result = check_def(world, def, error);
    if (result != SUP_OK) return result;
    supi_attachment made = {.def = *def, .body = -1, .other = -1, .collider = -1};
    supi_float_mode mode = supi_float_mode_enter();
    resolve(world, &made);
    supi_float_mode_leave(mode);
    result = check_numbers(&made.def, error); /* a body may have gone too far to be held there */
    if (result != SUP_OK) return result;
    if (!supi_attach_reserve(world, world->attachment_count + 1) ||
        !supi_pool_take(&world->attachment_pool, world->allocator, world->attachment_count,
                        &made.handle.slot, &made.handle.age)) {
        return supi_error_memory(error);
    }
    world->attachments[world->attachment_count++] = made;
    supi_attach_wake(world, &made);
    if (out) *out = made.handle;
    return SUP_OK;
}

/* ---- Going ---- */

void supi_attach_bury(sup_world* world) {
    int32_t kept = 0;
    for (int32_t i = 0; i < world->attachment_count; i++) {
        supi_attachment* a = world->attachments + i;
        if (a->doomed) {
            supi_attach_wake(world, a);
            supi_pool_drop(&world->attachment_pool, a->handle.slot);
            continue;
        }
        world->attachment_pool.slots[a->handle.slot].value = kept;
        world->attachments[kept++] = *a;
    }
    world->attachment_count = kept;
}

sup_result sup_attachment_destroy(sup_world* world, sup_attachment attachment) {
    SUPI_NEED(NULL, world);
    supi_attachment* found = find(world, attachment);
    if (!found || found->doomed) return SUP_STALE;
    found->doomed = true;
    if (!world->telling) supi_attach_bury(world);
    return SUP_OK;
}

/* ---- Reading and moving ---- */

bool sup_attachment_is_valid(const sup_world* world, sup_attachment attachment) {
    return find(world, attachment) != NULL;
}

int32_t sup_world_attachments(const sup_world* world, sup_attachment* out, int32_t capacity) {
    int32_t count = 0;
    for (int32_t i = 0; i < world->attachment_count; i++) {
        const supi_attachment* a = world->attachments + i;
        if (!supi_attach_whole(world, a)) continue;
        if (count < capacity) out[count] = a->handle;
        count++;
    }
    return count;
}

uint64_t sup_attachment_user(const sup_world* world, sup_attachment attachment) {
    const supi_attachment* found = find(world, attachment);
    return found ? found->def.user : 0;
}

sup_result sup_attachment_move(sup_world* world, sup_attachment attachment, const double point[3],
                               sup_error* error) {
    SUPI_NEED(error, world, point);
    supi_attachment* found = find(world, attachment);
    if (!found) return supi_error_set(error, SUP_STALE, "the attachment is gone");
    if (has_other(&found->def)) {
        return supi_error_set(error, SUP_BAD_ARGUMENT,
                              "an attachment of two particles has no point to move");
    }
    const supi_range ranges[] = {{"point", point[0], -1e12, 1e12},
                                 {"point", point[1], -1e12, 1e12},
                                 {"point", point[2], -1e12, 1e12}};
    sup_result result = supi_check_ranges(ranges, 3, error);
    if (result != SUP_OK) return result;
    memcpy(found->to_point, point, sizeof found->to_point);
    found->moves = memcmp(found->from_point, found->to_point, sizeof found->to_point) != 0;
    if (found->moves) supi_attach_wake(world, found);
    return SUP_OK;
}

sup_result sup_attachment_read_force(const sup_world* world, sup_attachment attachment,
                                     double force[3]) {
    SUPI_NEED(NULL, world, force);
    const supi_attachment* found = find(world, attachment);
    if (!found) return SUP_STALE;
    for (int k = 0; k < 3; k++) force[k] = found->dt > 0.0 ? found->impulse[k] / found->dt : 0.0;
    return SUP_OK;
}
