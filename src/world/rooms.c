/* Scratch of the workers: as large as the largest body needs, and so in cache for all of them. */
#include "world/world.h"

#include <string.h>

static bool push_rooms(const sup_world* world, int32_t workers, supi_rooms* rooms) {
    supi_arena_init(&rooms->arena, world->allocator);
    rooms->of = supi_arena_push(&rooms->arena, (size_t)workers, sizeof *rooms->of);
    bool ok = rooms->of != NULL;
    for (int32_t i = 0; i < workers && ok; i++) {
        ok = supi_frame_room_push(&rooms->arena, &rooms->size, rooms->of + i);
    }
    if (!ok) supi_arena_free(&rooms->arena);
    return ok;
}

static void put(sup_world* world, const supi_rooms* rooms) {
    supi_arena_free(&world->rooms.arena);
    world->rooms = *rooms;
}

bool supi_rooms_reserve(sup_world* world, const sup_blueprint* blueprint) {
    const supi_frame_room_size* had = &world->rooms.size;
    supi_rooms rooms = {.size = *had};
    if (!blueprint->oriented) return true;
    supi_frame_room_add(&rooms.size, &blueprint->frames);
    if (world->rooms.of && memcmp(&rooms.size, had, sizeof *had) == 0) return true;
    if (!push_rooms(world, supi_tasks_worker_count(world->tasks), &rooms)) return false;
    put(world, &rooms);
    return true;
}

bool supi_rooms_lend(sup_world* world, const supi_tasks* tasks) {
    supi_rooms rooms = {.size = world->rooms.size};
    if (!world->rooms.of) return true;
    if (!push_rooms(world, supi_tasks_worker_count(tasks), &rooms)) return false;
    put(world, &rooms);
    return true;
}
