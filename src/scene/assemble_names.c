/* Names: given ones are unique, made-up ones give way to them. */
#include "scene/assemble.h"

static sup_result add_given(const supi_reader* reader, const supi_json* place, const char* what,
                            const char* name, int32_t value, supi_names* names) {
    if (supi_names_find(names, name) >= 0) {
        return supi_reader_fail(reader, supi_json_find(place, "name"),
                                "two %s have the name \"%.60s\"", what, name);
    }
    supi_names_add(names, name, value);
    return SUP_OK;
}

/* Like supi_names_make, with a note where the name was taken. */
static sup_result make_up(sup_scene* scene, const supi_reader* reader, const supi_json* place,
                          supi_names* names, const char* stem, char joint, int32_t number,
                          int32_t value, const char** out) {
    bool taken;
    *out = supi_names_make(names, stem, joint, number, value, &taken);
    bool memory = *out != NULL;
    if (memory && taken) {
        memory =
            supi_notes_add(scene, place, "\"%.60s%c%d\" is taken; this one is called \"%.80s\"",
                           stem, joint, (int)number, *out);
    }
    return memory ? SUP_OK : supi_reader_memory(reader);
}

static sup_result name_entries(sup_scene* scene, const supi_reader* reader,
                               const supi_body_draft* bodies) {
    supi_names* names = &scene->entry_names;
    int32_t count = scene->info.entry_count;
    if (!supi_names_begin(names, &scene->store, count)) return supi_reader_memory(reader);
    sup_result result = SUP_OK;
    for (int32_t i = 0; result == SUP_OK && i < count; i++) {
        if (!bodies[i].name) continue;
        scene->entries[i].name = bodies[i].name;
        result = add_given(reader, bodies[i].place, "bodies", bodies[i].name, i, names);
    }
    for (int32_t i = 0; result == SUP_OK && i < count; i++) {
        if (bodies[i].name) continue;
        result = make_up(scene, reader, bodies[i].place, names, "body", '-', i + 1, i,
                         &scene->entries[i].name);
    }
    return result;
}

/* A body alone has the name of its entry, so those come first; copies get a number each. */
static sup_result name_bodies(sup_scene* scene, const supi_reader* reader,
                              const supi_body_draft* bodies) {
    supi_names* names = &scene->body_names;
    if (!supi_names_begin(names, &scene->store, scene->info.body_count)) {
        return supi_reader_memory(reader);
    }
    for (int32_t i = 0; i < scene->info.entry_count; i++) {
        const sup_scene_entry* entry = &scene->entries[i];
        if (entry->body_count > 1) continue;
        scene->surfaces[entry->first_body].name = entry->name;
        supi_names_add(names, entry->name, entry->first_body);
    }
    sup_result result = SUP_OK;
    for (int32_t i = 0; i < scene->info.entry_count; i++) {
        const sup_scene_entry* entry = &scene->entries[i];
        int32_t copies = entry->body_count > 1 ? entry->body_count : 0;
        for (int32_t copy = 0; result == SUP_OK && copy < copies; copy++) {
            int32_t index = entry->first_body + copy;
            result = make_up(scene, reader, bodies[i].place, names, entry->name, '.', copy + 1,
                             index, &scene->surfaces[index].name);
        }
    }
    return result;
}

static sup_result name_colliders(sup_scene* scene, const supi_reader* reader,
                                 const supi_collider_draft* colliders) {
    supi_names* names = &scene->collider_names;
    int32_t count = scene->info.collider_count;
    if (!supi_names_begin(names, &scene->store, count)) return supi_reader_memory(reader);
    sup_result result = SUP_OK;
    for (int32_t i = 0; result == SUP_OK && i < count; i++) {
        if (!colliders[i].name) continue;
        scene->colliders[i].name = colliders[i].name;
        result = add_given(reader, colliders[i].place, "colliders", colliders[i].name, i, names);
    }
    for (int32_t i = 0; result == SUP_OK && i < count; i++) {
        if (colliders[i].name) continue;
        result = make_up(scene, reader, colliders[i].place, names, "collider", '-', i + 1, i,
                         &scene->colliders[i].name);
    }
    return result;
}

sup_result supi_assemble_names(sup_scene* scene, const supi_reader* reader,
                               const supi_scene_draft* draft) {
    sup_result result = name_entries(scene, reader, draft->bodies.items);
    if (result == SUP_OK) result = name_bodies(scene, reader, draft->bodies.items);
    return result == SUP_OK ? name_colliders(scene, reader, draft->colliders.items) : result;
}
