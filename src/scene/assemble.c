/* See assemble.h. Everything is read and checked before the first mesh is made. */
#include "scene/assemble.h"

#include "base/real.h"
#include "scene/build.h"

#include <math.h>
#include <string.h>

#define PI 3.14159265358979323846

/* ---- what the parts share ---- */

supi_driven* supi_assemble_driven(sup_scene* scene, supi_driven_kind kind, int32_t index) {
    supi_driven* driven = supi_arena_push(&scene->store, 1, sizeof *driven);
    if (!driven) return NULL;
    *driven = (supi_driven){.next = scene->driven, .kind = kind, .index = index};
    scene->driven = driven;
    scene->info.motion_count++;
    return driven;
}

const char* supi_assemble_path(sup_scene* scene, const char* file) {
    const char* path = supi_shape_path(&scene->store, scene->paths[0], file);
    if (path) scene->paths[scene->path_count++] = path;
    return path;
}

uint32_t supi_assemble_bits(const supi_list* numbers, uint32_t absent) {
    if (!numbers->items) return absent;
    const int32_t* number = numbers->items;
    uint32_t bits = 0;
    for (int32_t i = 0; i < numbers->count; i++) bits |= 1u << number[i];
    return bits;
}

void supi_assemble_colour(const double linear[3], float colour[3]) {
    for (int32_t k = 0; k < 3; k++) colour[k] = (float)linear[k];
}

/* ---- camera ---- */

/* A view from the front right and above that holds the box of all bodies. */
static void choose_camera(sup_scene* scene, double fov) {
    static const double aside[3] = {0.5, 0.4, 0.768}; /* about one long */
    double low[3], high[3], square = 0;
    for (int32_t i = 0; i < scene->info.body_count; i++) {
        double a[3], b[3];
        if (sup_body_bounds(scene->world, scene->bodies[i], a, b) != SUP_OK) continue;
        for (int32_t k = 0; k < 3; k++) {
            low[k] = i == 0 || a[k] < low[k] ? a[k] : low[k];
            high[k] = i == 0 || b[k] > high[k] ? b[k] : high[k];
        }
    }
    for (int32_t k = 0; k < 3; k++) square += (high[k] - low[k]) * (high[k] - low[k]);
    double away = 0.55 * sqrt(square) / supi_sin(fov * (PI / 360.0)) + 0.1;
    scene->camera = (sup_scene_camera){.fov = fov};
    for (int32_t k = 0; k < 3; k++) {
        scene->camera.look_at[k] = (low[k] + high[k]) / 2;
        scene->camera.from[k] = scene->camera.look_at[k] + away * aside[k];
    }
}

static void set_camera(sup_scene* scene, const supi_camera_draft* draft) {
    if (!draft->place) {
        choose_camera(scene, draft->fov);
        return;
    }
    scene->camera = (sup_scene_camera){.fov = draft->fov, .given = true};
    memcpy(scene->camera.from, draft->from, sizeof draft->from);
    memcpy(scene->camera.look_at, draft->look_at, sizeof draft->look_at);
}

/* ---- the whole ---- */

/* Without levels to choose from a budget changes nothing. */
static bool note_budget(sup_scene* scene, const supi_scene_draft* draft) {
    if (!(draft->budget_ms > 0)) return true;
    for (int32_t i = 0; i < scene->info.entry_count; i++) {
        if (scene->details[i].count > 1) return true;
    }
    return supi_notes_add(scene, supi_reader_place(draft->place, "budget_ms"),
                          "\"budget_ms\" changes nothing: no body has two levels of \"details\"");
}

static sup_wind wind_of(const supi_wind_draft* draft) {
    sup_wind wind = {.gust = draft->gust,
                     .gust_length = draft->gust_length,
                     .gust_time = draft->gust_time,
                     .density = draft->density,
                     .seed = draft->seed};
    memcpy(wind.velocity, draft->velocity, sizeof wind.velocity);
    return wind;
}

static sup_result make_world(sup_scene* scene, const sup_scene_options* options,
                             const supi_scene_draft* draft, const supi_reader* reader) {
    sup_world_def def = sup_world_default();
    def.allocator = options->allocator;
    memcpy(def.gravity, draft->gravity, sizeof def.gravity);
    def.substeps = draft->substeps;
    def.sweeps = draft->sweeps;
    def.threads = options->threads;
    def.simd = options->simd;
    def.sleep_speed = draft->sleep.speed;
    def.sleep_time = draft->sleep.time;
    if (draft->wind.place) def.wind = wind_of(&draft->wind);
    return sup_world_create(&def, &scene->world, reader->error);
}

static void set_info(sup_scene* scene, const supi_scene_draft* draft) {
    sup_scene_info* info = &scene->info;
    info->name = draft->name ? draft->name : "";
    info->fps = draft->fps;
    info->frames = draft->frames;
    info->substeps = draft->substeps;
    info->sweeps = draft->sweeps;
    memcpy(info->gravity, draft->gravity, sizeof info->gravity);
    info->budget_ms = draft->budget_ms;
    info->sleep_speed = draft->sleep.speed;
    info->sleep_time = draft->sleep.time;
    info->entry_count = draft->bodies.count;
    info->collider_count = draft->colliders.count;
    supi_assemble_colour(draft->background, info->background);
}

/* Arrays of the right lengths, and the entries with their runs of bodies. */
static sup_result make_room(sup_scene* scene, const supi_scene_draft* draft,
                            const supi_reader* reader) {
    supi_arena* store = &scene->store;
    size_t entry_count = (size_t)scene->info.entry_count;
    size_t collider_count = (size_t)scene->info.collider_count;
    scene->entries = supi_arena_push(store, entry_count, sizeof *scene->entries);
    scene->blueprints = supi_arena_push(store, entry_count, sizeof *scene->blueprints);
    scene->details = supi_arena_push(store, entry_count, sizeof *scene->details);
    scene->colliders = supi_arena_push(store, collider_count, sizeof *scene->colliders);
    scene->meshes = supi_arena_push(store, collider_count, sizeof *scene->meshes);
    /* one for the scene, one for each body, two for each collider */
    scene->paths =
        supi_arena_push(store, 1 + entry_count + 2 * collider_count, sizeof *scene->paths);
    scene->clips = supi_arena_push(store, collider_count, sizeof *scene->clips);
    bool memory = scene->entries && scene->blueprints && scene->colliders && scene->meshes;
    if (!memory || !scene->details || !scene->clips || !scene->paths)
        return supi_reader_memory(reader);
    const supi_body_draft* bodies = draft->bodies.items;
    int64_t total = 0;
    for (int32_t i = 0; i < scene->info.entry_count; i++) {
        sup_scene_entry* entry = &scene->entries[i];
        entry->first_body = (int32_t)total;
        entry->body_count = supi_copies_count(&bodies[i].copies);
        total += entry->body_count;
        if (total > SUPI_COPIES) {
            return supi_reader_fail(reader, bodies[i].place, "a scene may have at most %d bodies",
                                    SUPI_COPIES);
        }
    }
    scene->info.body_count = (int32_t)total;
    scene->bodies = supi_arena_push(store, (size_t)total, sizeof *scene->bodies);
    scene->surfaces = supi_arena_push(store, (size_t)total, sizeof *scene->surfaces);
    return scene->bodies && scene->surfaces ? SUP_OK : supi_reader_memory(reader);
}

static sup_result make_parts(sup_scene* scene, const supi_scene_draft* draft,
                             const supi_reader* reader) {
    sup_result result = SUP_OK;
    const supi_collider_draft* colliders = draft->colliders.items;
    for (int32_t i = 0; result == SUP_OK && i < draft->colliders.count; i++) {
        result = supi_assemble_collider(scene, reader, &colliders[i], i);
    }
    const supi_body_draft* bodies = draft->bodies.items;
    for (int32_t i = 0; result == SUP_OK && i < draft->bodies.count; i++) {
        result = supi_assemble_body(scene, reader, &bodies[i], &scene->entries[i]);
    }
    const supi_attachment_draft* attachments = draft->attachments.items;
    for (int32_t i = 0; result == SUP_OK && i < draft->attachments.count; i++) {
        result = supi_assemble_attachment(scene, reader, &attachments[i], i);
    }
    return result;
}

sup_result supi_assemble(sup_scene* scene, const sup_scene_options* options, const char* path,
                         const supi_json* root, sup_error* error) {
    supi_reader reader = {path, &scene->store, error};
    supi_scene_draft draft;
    sup_result result = supi_draft_read(&reader, root, &draft);
    if (result != SUP_OK) return result;
    set_info(scene, &draft);
    result = make_room(scene, &draft, &reader);
    if (result != SUP_OK) return result;
    scene->paths[0] = supi_reader_keep(&scene->store, path, strlen(path));
    if (!scene->paths[0]) return supi_reader_memory(&reader);
    scene->path_count = 1;
    result = supi_assemble_names(scene, &reader, &draft);
    if (result == SUP_OK) result = make_world(scene, options, &draft, &reader);
    if (result == SUP_OK) result = make_parts(scene, &draft, &reader);
    if (result != SUP_OK) return result;
    set_camera(scene, &draft.camera);
    bool noted = note_budget(scene, &draft) && supi_notes_wind(scene, &draft) &&
                 supi_overlap_note(scene, &draft);
    return noted ? SUP_OK : supi_reader_memory(&reader);
}
