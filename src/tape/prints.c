#include "tape/prints.h"

#include "base/memory.h"

/* Bodies of one blueprint mostly lie together: the last one found is looked at first. */
static int32_t find(const supi_prints* prints, const sup_blueprint* blueprint, int32_t last) {
    if (last < prints->count && prints->items[last] == blueprint) return last;
    int32_t i = 0;
    while (i < prints->count && prints->items[i] != blueprint) i++;
    return i;
}

bool supi_prints_collect(const sup_world* world, supi_prints* out) {
    size_t count = (size_t)world->body_count;
    *out = (supi_prints){
        .items = supi_memory_new(world->allocator, count, sizeof *out->items),
        .of_body = supi_memory_new(world->allocator, count, sizeof *out->of_body),
        .body_count = world->body_count,
    };
    if (!out->items || !out->of_body) {
        supi_prints_free(world, out);
        return false;
    }
    int32_t last = 0;
    for (int32_t i = 0; i < world->body_count; i++) {
        last = find(out, world->bodies[i].blueprint, last);
        if (last == out->count) out->items[out->count++] = world->bodies[i].blueprint;
        out->of_body[i] = last;
    }
    return true;
}

void supi_prints_free(const sup_world* world, supi_prints* prints) {
    size_t count = (size_t)prints->body_count;
    supi_memory_free(world->allocator, prints->items, count, sizeof *prints->items);
    supi_memory_free(world->allocator, prints->of_body, count, sizeof *prints->of_body);
    *prints = (supi_prints){0};
}
