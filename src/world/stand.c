#include "world/stand.h"

#include "base/arena.h"
#include "contact/tet_stand.h"

struct supi_stand {
    supi_arena arena;
    sup_blueprint* blueprint; /* whose places at rest it is about */
    supi_tet_form form;
    int32_t users;
};

static void release(const sup_world* world, supi_stand* stand) {
    if (--stand->users > 0) return;
    supi_arena_free(&stand->arena);
    sup_blueprint_release(stand->blueprint);
    supi_memory_free(world->allocator, stand, 1, sizeof *stand);
}

static supi_stand* find(const sup_world* world, const sup_blueprint* blueprint) {
    for (int32_t i = 0; i < world->body_count; i++) {
        supi_stand* stand = world->bodies[i].stand;
        if (stand && stand->blueprint == blueprint) return stand;
    }
    return NULL;
}

bool supi_stand_make(const sup_world* world, supi_body* body) {
    sup_blueprint* b = body->blueprint;
    if (body->stand) return true;
    supi_stand* stand = find(world, b);
    if (!stand) {
        stand = supi_memory_new(world->allocator, 1, sizeof *stand);
        if (!stand) return false;
        supi_arena scratch;
        const supi_tet_particles particles = {.count = b->info.particle_count,
                                              .rest = b->rest,
                                              .masses = b->mass,
                                              .spacing = (double)supi_body_spacing(body)};
        supi_arena_init(&stand->arena, world->allocator);
        supi_arena_init(&scratch, world->allocator);
        supi_blueprint_retain(b);
        stand->blueprint = b;
        bool made = supi_tet_stand_in(&stand->arena, &scratch, &particles, &stand->form);
        supi_arena_free(&scratch);
        if (!made) {
            release(world, stand);
            return false;
        }
    }
    stand->users++;
    body->stand = stand;
    return true;
}

const supi_tet_form* supi_stand_form(const supi_body* body) { return &body->stand->form; }

void supi_stand_free(const sup_world* world, supi_body* body) {
    if (body->stand) release(world, body->stand);
    body->stand = NULL;
}
