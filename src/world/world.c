/* The world itself: coming, going, settings. */
#include "world/springs.h"

#include "base/check.h"
#include "base/error.h"

#include <string.h>

sup_wind sup_wind_default(void) {
    return (sup_wind){.gust_length = 2.0, .gust_time = 1.0, .density = 1.2};
}

sup_world_def sup_world_default(void) {
    sup_wind none = sup_wind_default();
    none.density = 0.0;
    return (sup_world_def){
        .size = sizeof(sup_world_def),
        .gravity = {0.0, -9.81, 0.0},
        .wind = none,
        .substeps = 4,
        .sweeps = 2,
        .threads = 1,
        .sleep_speed = 0.01,
        .sleep_time = 0.5,
    };
}

static sup_result check_wind(const sup_wind* wind, sup_error* error) {
    const supi_range ranges[] = {
        {"wind.velocity", wind->velocity[0], -1e3, 1e3},
        {"wind.velocity", wind->velocity[1], -1e3, 1e3},
        {"wind.velocity", wind->velocity[2], -1e3, 1e3},
        {"wind.gust", wind->gust, 0, 1e3},
        {"wind.gust_length", wind->gust_length, 0.01, 1e6},
        {"wind.gust_time", wind->gust_time, 0.01, 1e6},
        {"wind.density", wind->density, 0, 1e5},
        {"wind.seed", wind->seed, 0, INT32_MAX},
    };
    return supi_check_ranges(ranges, sizeof ranges / sizeof *ranges, error);
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
        {"sleep_speed", def->sleep_speed, 0, 1}, {"sleep_time", def->sleep_time, 0.05, 60},
    };
    sup_result result = supi_check_ranges(ranges, sizeof ranges / sizeof *ranges, error);
    return result == SUP_OK ? check_wind(&def->wind, error) : result;
}

sup_result sup_world_create(const sup_world_def* def, sup_world** out, sup_error* error) {
    SUPI_NEED(error, out);
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
    world->skins = supi_skin_kernels_choose(def->simd);
    world->contacts.kernels = supi_ellipsoid_kernels_find(def->simd);
    world->contacts.near = supi_near_kernels_find(def->simd);
    world->folds.kernels = supi_thin_kernels_find(def->simd);
    world->overlaps.kernels = supi_tet_kernels_find(def->simd);
    result = supi_tasks_create(allocator, def->threads, def->tasks, &world->tasks, error);
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
    supi_column_free(&state->turn_column, allocator);
    supi_column_free(&state->spin_column, allocator);
    supi_column_free(&state->warm_column, allocator);
}

void sup_world_destroy(sup_world* world) {
    if (!world || world->telling) return;
    const sup_allocator* a = world->allocator;
    for (int32_t i = 0; i < world->body_count; i++) supi_body_free(world, world->bodies + i);
    supi_collider_free_all(world);
    supi_tasks_destroy(world->tasks);
    supi_contacts_free(&world->contacts, a);
    supi_arena_free(&world->rooms.arena);
    supi_thin_free(&world->folds, a);
    supi_tet_contacts_free(&world->overlaps.found, a);
    supi_tet_fast_free(&world->overlaps.fast, a);
    free_state(&world->now, a);
    free_state(&world->before, a);
    supi_column* columns[] = {&world->body_column,
                              &world->collider_column,
                              &world->solid_column,
                              &world->attachment_column,
                              &world->couple_column,
                              &world->hold_column,
                              &world->exempt_id_column,
                              &world->fold_body_column,
                              &world->fold_start_column,
                              &world->overlaps.body_column,
                              &world->overlaps.answer_column,
                              &world->overlaps.kept_column,
                              &world->overlaps.deep_column,
                              &world->overlaps.part_column,
                              &world->overlaps.mover_column,
                              &world->spring_hold_column,
                              &world->hold_key_column,
                              &world->hold_id_column,
                              &world->answer_column,
                              &world->recoil_column,
                              &world->path_row_column,
                              &world->path_start_column,
                              &world->path_end_column,
                              &world->meeting_column,
                              &world->meeting_before_column,
                              &world->meeting_key_column,
                              &world->meeting_key_before_column,
                              &world->island_column,
                              &world->goal_column,
                              &world->sum_column,
                              &world->ask_column,
                              &world->box_column,
                              &world->cell_column,
                              &world->run_column,
                              &world->work_column,
                              &world->strained_column,
                              &world->frame_column,
                              &world->bend_column,
                              &world->dual_column,
                              &world->drawn_column,
                              &world->event_column};
    for (size_t i = 0; i < sizeof columns / sizeof *columns; i++) supi_column_free(columns[i], a);
    supi_pool_free(&world->body_pool, a);
    supi_pool_free(&world->collider_pool, a);
    supi_pool_free(&world->attachment_pool, a);
    supi_memory_free(a, world, 1, sizeof *world);
}

double sup_world_time(const sup_world* world) { return world->time; }
uint64_t sup_world_step_count(const sup_world* world) { return world->step_count; }
sup_simd sup_world_simd(const sup_world* world) { return world->kernels->simd; }

sup_result sup_world_set_gravity(sup_world* world, const double gravity[3], sup_error* error) {
    SUPI_NEED(error, world, gravity);
    const supi_range ranges[] = {{"gravity", gravity[0], -1e4, 1e4},
                                 {"gravity", gravity[1], -1e4, 1e4},
                                 {"gravity", gravity[2], -1e4, 1e4}};
    sup_result result = supi_check_ranges(ranges, 3, error);
    if (result != SUP_OK) return result;
    memcpy(world->def.gravity, gravity, sizeof world->def.gravity);
    for (int32_t i = 0; i < world->body_count; i++) world->bodies[i].prepared_h = 0.0;
    supi_sleep_wake_all(world);
    return SUP_OK;
}

sup_result sup_world_set_wind(sup_world* world, const sup_wind* wind, sup_error* error) {
    SUPI_NEED(error, world, wind);
    sup_result result = check_wind(wind, error);
    if (result != SUP_OK) return result;
    for (int32_t i = 0; i < world->body_count; i++) {
        supi_body* body = world->bodies + i;
        bool equipped = supi_springs_equip(world, body, wind, &body->springs);
        /* Who is equipped for wind that does not blow feels none. */
        if (!equipped && wind->density > 0.0) return supi_error_memory(error);
    }
    world->def.wind = *wind;
    supi_sleep_wake_all(world);
    return SUP_OK;
}

sup_profile sup_world_profile(const sup_world* world) { return world->profile; }
