/* See names.h. */
#include "scene/names.h"

#include "scene/near.h"

#include <stdio.h>
#include <string.h>

bool supi_names_begin(supi_names* names, supi_arena* store, int32_t most) {
    *names = (supi_names){.store = store};
    size_t room = (size_t)most;
    names->texts.nodes = supi_arena_push(store, room, sizeof *names->texts.nodes);
    names->values = supi_arena_push(store, room, sizeof *names->values);
    return names->texts.nodes && names->values;
}

int32_t supi_names_find(const supi_names* names, const char* text) {
    int32_t index = supi_trie_find(&names->texts, text);
    return index < 0 ? -1 : names->values[index];
}

void supi_names_add(supi_names* names, const char* text, int32_t value) {
    names->values[supi_trie_add(&names->texts, text)] = value;
}

const char* supi_names_make(supi_names* names, const char* stem, char joint, int32_t number,
                            int32_t value, bool* taken) {
    size_t room = strlen(stem) + 32;
    char* text = supi_arena_push(names->store, room, 1);
    if (!text) return NULL;
    snprintf(text, room, "%s%c%d", stem, joint, (int)number);
    *taken = supi_names_find(names, text) >= 0;
    for (int32_t next = 2; supi_names_find(names, text) >= 0; next++) {
        snprintf(text, room, "%s%c%d-%d", stem, joint, (int)number, (int)next);
    }
    supi_names_add(names, text, value);
    return text;
}

const char* supi_names_hint(const supi_names* names, const char* text, char hint[SUPI_HINT_SIZE]) {
    const char* nearest = NULL;
    int32_t best = supi_near_limit(text) + 1;
    for (int32_t i = 0; i < names->texts.count; i++) {
        const char* name = names->texts.nodes[i].text;
        int32_t distance = supi_near_distance(text, name);
        if (distance < best) best = distance, nearest = name;
    }
    hint[0] = 0;
    if (nearest) snprintf(hint, SUPI_HINT_SIZE, "; did you mean \"%.60s\"?", nearest);
    return hint;
}
