#include "tape/prints.h"

#include "base/hash.h"
#include "base/memory.h"
#include "geom/sort.h"
#include "tape/recipe.h"

/* So many blueprints of one fingerprint are looked at: more of them were made to waste time. */
enum { TRIES = 4 };

/* Lists equal pointers together, in the order of their bodies: sorting is linear for every world.
 */
static void sort_bodies(const sup_world* world, uint64_t* keys, int32_t* bodies) {
    int32_t count = world->body_count;
    for (int32_t i = 0; i < count; i++) {
        keys[i] = (uint64_t)(uintptr_t)world->bodies[i].blueprint;
        bodies[i] = i;
    }
    supi_sort_keys(count, keys, bodies, keys + count, bodies + count);
}

bool supi_prints_collect(const sup_world* world, supi_prints* out) {
    *out = (supi_prints){0};
    supi_arena_init(&out->store, world->allocator);
    int32_t count = world->body_count;
    size_t room = (size_t)count;
    out->items = supi_arena_push(&out->store, room, sizeof *out->items);
    out->of_body = supi_arena_push(&out->store, room, sizeof *out->of_body);
    uint64_t* keys = supi_arena_push(&out->store, 2 * room, sizeof *keys);
    int32_t* bodies = supi_arena_push(&out->store, 2 * room, sizeof *bodies);
    if (!out->items || !out->of_body || !keys || !bodies) {
        supi_prints_free(out);
        return false;
    }
    sort_bodies(world, keys, bodies);
    /* of_body = the first body of the blueprint, and then what number that one gave it */
    for (int32_t i = 0; i < count; i++) {
        bool first = i == 0 || keys[i] != keys[i - 1];
        out->of_body[bodies[i]] = first ? bodies[i] : out->of_body[bodies[i - 1]];
    }
    for (int32_t i = 0; i < count; i++) {
        bool first = out->of_body[i] == i;
        if (first) out->items[out->count] = world->bodies[i].blueprint;
        out->of_body[i] = first ? out->count++ : out->of_body[out->of_body[i]];
    }
    return true;
}

void supi_prints_free(supi_prints* prints) {
    supi_arena_free(&prints->store);
    *prints = (supi_prints){0};
}

/* ---- Finding ---- */

static bool fingerprint(const sup_allocator* allocator, const sup_blueprint* blueprint,
                        uint64_t* out) {
    supi_pack count = supi_pack_begin(NULL);
    supi_recipe_pack(&count, blueprint);
    uint8_t* bytes = supi_memory_new(allocator, count.size, 1);
    if (!bytes) return false;
    supi_pack pack = supi_pack_begin(bytes);
    supi_recipe_pack(&pack, blueprint);
    *out = supi_hash_bytes(supi_hash_begin(), bytes, count.size);
    supi_memory_free(allocator, bytes, count.size, 1);
    return true;
}

static bool sort_prints(supi_prints* prints) {
    size_t room = (size_t)prints->count;
    uint64_t* keys = supi_arena_push(&prints->store, 2 * room, sizeof *keys);
    int32_t* ids = supi_arena_push(&prints->store, 2 * room, sizeof *ids);
    if (!keys || !ids) return false;
    for (int32_t i = 0; i < prints->count; i++) {
        ids[i] = i;
        if (!prints->items[i]) continue; /* taken */
        if (!fingerprint(prints->store.allocator, prints->items[i], &keys[i])) return false;
    }
    supi_sort_keys(prints->count, keys, ids, keys + room, ids + room);
    prints->fingerprints = keys;
    prints->by_fingerprint = ids;
    return true;
}

/* The first of them that is not below `key`. */
static int32_t first_from(const supi_prints* prints, uint64_t key) {
    int32_t low = 0, high = prints->count;
    while (low < high) {
        int32_t middle = low + (high - low) / 2;
        if (prints->fingerprints[middle] < key) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low;
}

/* Number i, if it is still there and has these bytes, or NULL. */
static sup_blueprint* take(supi_prints* prints, int32_t i, const uint8_t* bytes, size_t size) {
    sup_blueprint* print = prints->items[i];
    if (!print || !supi_recipe_is(print, bytes, size)) return NULL;
    prints->items[i] = NULL;
    return print;
}

bool supi_prints_take(supi_prints* prints, int32_t likely, const uint8_t* bytes, size_t size,
                      sup_blueprint** found) {
    *found = likely < prints->count ? take(prints, likely, bytes, size) : NULL;
    if (*found) return true;
    if (!prints->fingerprints && !sort_prints(prints)) return false;
    uint64_t key = supi_hash_bytes(supi_hash_begin(), bytes, size);
    int32_t first = first_from(prints, key);
    for (int32_t i = first; i < prints->count && i < first + TRIES && !*found; i++) {
        if (prints->fingerprints[i] != key) break;
        *found = take(prints, prints->by_fingerprint[i], bytes, size);
    }
    return true;
}
