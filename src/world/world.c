/* The world itself: coming, going, colliders, hash. */
#include "world/world.h"

#include "base/check.h"
#include "base/error.h"
#include "base/hash.h"

#include <string.h>

sup_world_def sup_world_default(void) {
    return (sup_world_def){
        .size = sizeof(sup_world_def),
        .gravity = {0.0, -9.81, 0.0},
        .substeps = 4,
        .sweeps = 2,
        .threads = 1,
    };
}

static sup_result check_def(const sup_world_def* def, sup_error* error) {
    if (!def || def->size != sizeof *def) {
        return supi_error_set(error, SUP_BAD_ARGUMENT,
                              "sup_world_def must come from sup_world_default");
    }
    const supi_range ranges[] = {
        {"gravity", def->gravity[0], -1e4, 1e4}, {"gravity", def->gravity[1], -1e4, 1e4},
        {"gravity", def->gravity[2], -1e4, 1e4}, {"substeps", def->substeps, 1, 64},
        {"sweeps", def->sweeps, 1, 8},           {"threads", def->threads, 1, SUPI_WORKERS_MAX},
    };
    return supi_check_ranges(ranges, sizeof ranges / sizeof *ranges, error);
}

sup_result sup_world_create(const sup_world_def* def, sup_world** out, sup_error* error) {
    sup_result result = check_def(def, error);
    if (result != SUP_OK) return result;
    const supi_kernels* kernels = supi_kernels_find(def->simd);
    if (!kernels) {
        return supi_error_set(error, SUP_UNSUPPORTED, "this build or processor has no %s kernels",
                              sup_simd_name(def->simd));
    }
    const sup_allocator* allocator = def->allocator ? def->allocator : sup_allocator_default();
    sup_world* world = supi_memory_new(allocator, 1, sizeof *world);
    if (!world) return supi_error_memory(error);
    world->allocator = allocator;
    world->def = *def;
    world->kernels = kernels;
    result = supi_tasks_create(allocator, def->threads, &world->tasks, error);
    if (result != SUP_OK) {
        supi_memory_free(allocator, world, 1, sizeof *world);
        return result;
    }
    *out = world;
    return SUP_OK;
}

static void free_state(supi_state* state, const sup_allocator* allocator) {
    supi_column_free(&state->x_column, allocator);
    supi_column_free(&state->v_column, allocator);
    supi_column_free(&state->rotation_column, allocator);
    supi_column_free(&state->centre_column, allocator);
}

void sup_world_destroy(sup_world* world) {
    if (!world) return;
    const sup_allocator* a = world->allocator;
    for (int32_t i = 0; i < world->body_count; i++) {
        supi_body* body = world->bodies + i;
        supi_memory_free(a, body->pins, (size_t)body->blueprint->pin_count, sizeof *body->pins);
        sup_blueprint_release(body->blueprint);
    }
    supi_tasks_destroy(world->tasks);
    supi_contacts_free(&world->contacts, a);
    free_state(&world->now, a);
    free_state(&world->before, a);
    supi_column* columns[] = {
        &world->body_column, &world->collider_column, &world->collider_handle_column,
        &world->goal_column, &world->sum_column,      &world->ask_column,
        &world->box_column,  &world->run_column,      &world->work_column,
        &world->event_column};
    for (size_t i = 0; i < sizeof columns / sizeof *columns; i++) supi_column_free(columns[i], a);
    supi_pool_free(&world->body_pool, a);
    supi_pool_free(&world->collider_pool, a);
    supi_memory_free(a, world, 1, sizeof *world);
}

double sup_world_time(const sup_world* world) { return world->time; }
uint64_t sup_world_step_count(const sup_world* world) { return world->step_count; }
sup_simd sup_world_simd(const sup_world* world) { return world->kernels->simd; }
sup_profile sup_world_profile(const sup_world* world) { return world->profile; }

const sup_event* sup_world_events(const sup_world* world, int32_t* count) {
    *count = world->event_count;
    return world->events;
}

/* ---- Colliders ---- */

sup_collider_def sup_collider_default(void) {
    return (sup_collider_def){
        .size = sizeof(sup_collider_def),
        .rotation = {0, 0, 0, 1},
        .radius = 0.5,
        .half_size = {0.5, 0.5, 0.5},
        .thickness = 0.002,
        .friction_static = 0.5,
        .friction_kinetic = 0.4,
    };
}

static sup_result check_collider(const sup_collider_def* d, sup_error* error) {
    if (!d || d->size != sizeof *d) {
        return supi_error_set(error, SUP_BAD_ARGUMENT,
                              "sup_collider_def must come from sup_collider_default");
    }
    if (d->kind < SUP_COLLIDER_PLANE || d->kind > SUP_COLLIDER_BOX) {
        return supi_error_set(error, SUP_BAD_ARGUMENT, "unknown kind of collider");
    }
    double squared = 0.0;
    for (int k = 0; k < 4; k++) squared += d->rotation[k] * d->rotation[k];
    const supi_range ranges[] = {
        {"position", d->position[0], -1e12, 1e12},
        {"position", d->position[1], -1e12, 1e12},
        {"position", d->position[2], -1e12, 1e12},
        {"length of rotation", squared, 1e-12, 1e12},
        {"radius", d->radius, 1e-6, 1e7},
        {"half_size", d->half_size[0], 1e-6, 1e7},
        {"half_size", d->half_size[1], 1e-6, 1e7},
        {"half_size", d->half_size[2], 1e-6, 1e7},
        {"thickness", d->thickness, 0, 1e3},
        {"friction_static", d->friction_static, 0, 2},
        {"friction_kinetic", d->friction_kinetic, 0, d->friction_static},
        {"restitution", d->restitution, 0, 1},
    };
    return supi_check_ranges(ranges, sizeof ranges / sizeof *ranges, error);
}

sup_result sup_collider_create(sup_world* world, const sup_collider_def* def, sup_collider* out,
                               sup_error* error) {
    sup_result result = check_collider(def, error);
    if (result != SUP_OK) return result;
    int32_t need = world->collider_count + 1;
    bool ok = supi_column_reserve(&world->collider_column, world->allocator, need,
                                  sizeof *world->colliders) &&
              supi_column_reserve(&world->collider_handle_column, world->allocator, need,
                                  sizeof *world->collider_handles);
    world->colliders = world->collider_column.items;
    world->collider_handles = world->collider_handle_column.items;
    sup_collider handle;
    if (!ok || !supi_pool_take(&world->collider_pool, world->allocator, world->collider_count,
                               &handle.slot, &handle.age)) {
        return supi_error_memory(error);
    }
    world->colliders[world->collider_count] = *def;
    world->collider_handles[world->collider_count++] = handle;
    if (out) *out = handle;
    return SUP_OK;
}

sup_result sup_collider_destroy(sup_world* world, sup_collider collider) {
    int32_t index = supi_pool_find(&world->collider_pool, collider.slot, collider.age);
    if (index < 0) return SUP_STALE;
    supi_pool_drop(&world->collider_pool, collider.slot);
    world->collider_count--;
    for (int32_t i = index; i < world->collider_count; i++) {
        world->colliders[i] = world->colliders[i + 1];
        world->collider_handles[i] = world->collider_handles[i + 1];
        world->collider_pool.slots[world->collider_handles[i].slot].value = i;
    }
    supi_contacts_clear(&world->contacts);
    return SUP_OK;
}

bool sup_collider_is_valid(const sup_world* world, sup_collider collider) {
    return supi_pool_find(&world->collider_pool, collider.slot, collider.age) >= 0;
}

/* ---- Hash: everything the next step reads, nothing else ---- */

static uint64_t hash_doubles(uint64_t hash, const double* values, size_t count) {
    for (size_t i = 0; i < count; i++) hash = supi_hash_double(hash, values[i]);
    return hash;
}

static uint64_t hash_collider(uint64_t hash, const sup_collider_def* d) {
    hash = supi_hash_word(hash, (uint64_t)d->kind);
    hash = hash_doubles(hash, d->position, 3);
    hash = hash_doubles(hash, d->rotation, 4);
    hash = hash_doubles(hash, d->half_size, 3);
    const double rest[] = {d->radius, d->thickness, d->friction_static, d->friction_kinetic,
                           d->restitution};
    return hash_doubles(hash, rest, sizeof rest / sizeof *rest);
}

static uint64_t hash_body(uint64_t hash, const sup_world* world, const supi_body* body) {
    const sup_blueprint* b = body->blueprint;
    const sup_material* m = &body->material;
    hash = supi_hash_word(hash, b->hash);
    hash = supi_hash_word(hash, (uint64_t)m->scheme << 8 | (uint64_t)m->rule);
    const double settings[] = {m->stiffness,       m->damping,          m->raw_damping,
                               m->friction_static, m->friction_kinetic, m->restitution,
                               body->gravity_scale};
    hash = hash_doubles(hash, settings, sizeof settings / sizeof *settings);
    hash = hash_doubles(hash, body->anchor, 3);
    for (int32_t i = 0; i < b->pin_count; i++) hash = hash_doubles(hash, &body->pins[i].x, 3);
    size_t rows = 4 * (size_t)b->info.particle_count, clusters = 4 * (size_t)b->cluster_count;
    hash = supi_hash_floats(hash, &world->now.x[body->row].x, rows);
    hash = supi_hash_floats(hash, &world->now.v[body->row].x, rows);
    hash = supi_hash_floats(hash, &world->now.rotation[body->cluster].x, clusters);
    return supi_hash_floats(hash, &world->now.centre[body->cluster].x, clusters);
}

uint64_t sup_world_hash(const sup_world* world) {
    uint64_t hash = supi_hash_begin();
    hash = hash_doubles(hash, world->def.gravity, 3);
    hash = supi_hash_word(hash, (uint64_t)world->def.substeps << 32 | (uint32_t)world->def.sweeps);
    hash = supi_hash_double(hash, world->time);
    for (int32_t i = 0; i < world->collider_count; i++) {
        hash = hash_collider(hash, world->colliders + i);
    }
    for (int32_t i = 0; i < world->body_count; i++) {
        hash = hash_body(hash, world, world->bodies + i);
    }
    return hash;
}
