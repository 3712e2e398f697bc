/* See names.h: open addressing, never full. */
#include "scene/names.h"

#include "scene/near.h"

#include <stdio.h>
#include <string.h>

/* FNV-1a (Fowler, Noll and Vo 1991). */
static uint64_t hash_text(const char* text) {
    uint64_t hash = 0xcbf29ce484222325u;
    for (; *text; text++) hash = (hash ^ (uint8_t)*text) * 0x100000001b3u;
    return hash;
}

bool supi_names_begin(supi_names* names, supi_arena* store, int32_t most) {
    *names = (supi_names){.store = store, .capacity = 8};
    while (names->capacity <= 2 * most) names->capacity *= 2;
    names->items = supi_arena_push(store, (size_t)names->capacity, sizeof *names->items);
    return names->items != NULL;
}

/* Where the name stands, or the free place where it would. */
static supi_name* look_up(const supi_names* names, const char* text) {
    uint64_t mask = (uint64_t)names->capacity - 1, at = hash_text(text) & mask;
    while (names->items[at].text && strcmp(names->items[at].text, text) != 0) at = (at + 1) & mask;
    return &names->items[at];
}

int32_t supi_names_find(const supi_names* names, const char* text) {
    const supi_name* name = look_up(names, text);
    return name->text ? name->value : -1;
}

void supi_names_add(supi_names* names, const char* text, int32_t value) {
    *look_up(names, text) = (supi_name){text, value};
}

const char* supi_names_make(supi_names* names, const char* stem, char joint, int32_t number,
                            int32_t value, bool* taken) {
    size_t room = strlen(stem) + 32;
    char* text = supi_arena_push(names->store, room, 1);
    if (!text) return NULL;
    snprintf(text, room, "%s%c%d", stem, joint, (int)number);
    *taken = look_up(names, text)->text != NULL;
    for (int32_t next = 2; look_up(names, text)->text; next++) {
        snprintf(text, room, "%s%c%d-%d", stem, joint, (int)number, (int)next);
    }
    supi_names_add(names, text, value);
    return text;
}

const char* supi_names_near(const supi_names* names, const char* text) {
    const char* nearest = NULL;
    int32_t best = supi_near_limit(text) + 1;
    for (int32_t i = 0; i < names->capacity; i++) {
        const char* name = names->items[i].text;
        int32_t distance = name ? supi_near_distance(text, name) : best;
        if (distance < best) best = distance, nearest = name;
    }
    return nearest;
}
