/* Loading, freeing and asking a scene. How its parts come to be stands in assemble.c. */
#include "scene/scene.h"

#include "base/check.h"
#include "base/error.h"
#include "base/file_io.h"
#include "base/float_mode.h"
#include "base/memory.h"
#include "scene/assemble.h"
#include "supple/mesh.h"
#include "world/world.h"

#include <string.h>

sup_scene_options sup_scene_options_default(void) {
    return (sup_scene_options){.size = sizeof(sup_scene_options), .threads = 1};
}

/* Checks options and fills what they leave open. */
static sup_result settle_options(const sup_scene_options* given, sup_scene_options* options,
                                 sup_error* error) {
    *options = given ? *given : sup_scene_options_default();
    if (options->size != sizeof *options) {
        return supi_error_set(error, SUP_BAD_ARGUMENT,
                              "sup_scene_options must come from sup_scene_options_default");
    }
    if (!options->allocator) options->allocator = sup_allocator_default();
    if (!options->files) options->files = sup_file_gate_default();
    return SUP_OK;
}

sup_result sup_scene_parse(const sup_scene_options* given, const char* path, const uint8_t* bytes,
                           size_t size, sup_scene** out, sup_error* error) {
    SUPI_NEED(error, path, out);
    if (size > 0) SUPI_NEED(error, bytes);
    sup_scene_options options;
    sup_result result = settle_options(given, &options, error);
    if (result != SUP_OK) return result;
    supi_json_document document;
    result = supi_json_parse(options.allocator, path, bytes, size, &document, error);
    if (result != SUP_OK) return result;
    sup_scene* scene = supi_memory_new(options.allocator, 1, sizeof *scene);
    if (scene) {
        supi_arena_init(&scene->store, options.allocator);
        scene->files = options.files;
        supi_float_mode mode = supi_float_mode_enter();
        result = supi_assemble(scene, &options, path, document.root, error);
        supi_float_mode_leave(mode);
    } else {
        result = supi_error_memory(error);
    }
    supi_json_free(&document);
    if (result != SUP_OK) {
        sup_scene_free(scene);
        return result;
    }
    *out = scene;
    return SUP_OK;
}

sup_result sup_scene_load(const sup_scene_options* given, const char* path, sup_scene** out,
                          sup_error* error) {
    SUPI_NEED(error, path, out);
    sup_scene_options options;
    sup_result result = settle_options(given, &options, error);
    if (result != SUP_OK) return result;
    supi_bytes bytes;
    result = supi_file_read(options.files, options.allocator, path, &bytes, error);
    if (result != SUP_OK) return result;
    result = sup_scene_parse(&options, path, bytes.data, bytes.size, out, error);
    supi_bytes_free(options.allocator, &bytes);
    return result;
}

void sup_scene_free(sup_scene* scene) {
    if (!scene) return;
    const sup_allocator* allocator = scene->store.allocator;
    if (scene->world) sup_world_destroy(scene->world);
    for (int32_t i = 0; scene->blueprints && i < scene->info.entry_count; i++) {
        sup_blueprint_release(scene->blueprints[i]);
    }
    for (int32_t i = 0; scene->details && i < scene->info.entry_count; i++) {
        for (int32_t k = 0; k < scene->details[i].count; k++) {
            sup_blueprint_release(scene->details[i].levels[k].blueprint);
        }
    }
    for (int32_t i = 0; scene->meshes && i < scene->info.collider_count; i++) {
        sup_mesh_free(&scene->meshes[i]);
    }
    for (int32_t i = 0; scene->clips && i < scene->info.collider_count; i++) {
        sup_clip_free(&scene->clips[i]);
    }
    supi_memory_free(allocator, scene->attachments, (size_t)scene->attachment_capacity,
                     sizeof *scene->attachments);
    supi_arena_free(&scene->store);
    supi_memory_free(allocator, scene, 1, sizeof *scene);
}

sup_world* sup_scene_world(sup_scene* scene) { return scene->world; }

sup_scene_info sup_scene_get_info(const sup_scene* scene) { return scene->info; }

sup_scene_entry sup_scene_get_entry(const sup_scene* scene, int32_t entry) {
    bool there = entry >= 0 && entry < scene->info.entry_count;
    return there ? scene->entries[entry] : (sup_scene_entry){.name = ""};
}

sup_body sup_scene_get_body(const sup_scene* scene, int32_t index, const char** name) {
    bool there = index >= 0 && index < scene->info.body_count;
    if (name) *name = there ? scene->surfaces[index].name : "";
    return there ? scene->bodies[index] : (sup_body){0, 0};
}

const sup_surface* sup_scene_surfaces(const sup_scene* scene, int32_t* count) {
    *count = scene->info.body_count;
    return scene->surfaces;
}

sup_result sup_scene_read_vertices(const sup_scene* scene, sup_vec3* vertices) {
    SUPI_NEED(NULL, scene, vertices);
    static const double origin[3] = {0, 0, 0};
    for (int32_t i = 0; i < scene->info.body_count; i++) {
        sup_result result =
            sup_body_read_vertices(scene->world, scene->bodies[i], origin, vertices);
        if (result != SUP_OK) return result;
        vertices += scene->surfaces[i].point_count;
    }
    return SUP_OK;
}

sup_scene_collider sup_scene_get_collider(const sup_scene* scene, int32_t index) {
    bool there = index >= 0 && index < scene->info.collider_count;
    return there ? scene->colliders[index] : (sup_scene_collider){.name = ""};
}

sup_result sup_scene_read_collider_points(const sup_scene* scene, int32_t index, sup_vec3* points) {
    SUPI_NEED(NULL, scene, points);
    sup_collider handle = sup_scene_get_collider(scene, index).handle;
    const supi_collider* collider = supi_world_collider(scene->world, handle);
    if (!collider) return SUP_STALE;
    if (!collider->mesh) return SUP_BAD_ARGUMENT;
    size_t count = (size_t)supi_trimesh_point_count(collider->mesh);
    memcpy(points, supi_trimesh_points(collider->mesh), count * sizeof *points);
    return SUP_OK;
}

sup_scene_attachment sup_scene_get_attachment(const sup_scene* scene, int32_t index) {
    bool there = index >= 0 && index < scene->info.attachment_count;
    return there ? scene->attachments[index] : (sup_scene_attachment){.name = ""};
}

sup_result sup_scene_read_attachment(const sup_scene* scene, int32_t index, double held[3],
                                     double holder[3]) {
    SUPI_NEED(NULL, scene);
    const sup_world* world = scene->world;
    sup_attachment handle = sup_scene_get_attachment(scene, index).handle;
    int32_t at = supi_pool_find(&world->attachment_pool, handle.slot, handle.age);
    bool there = at >= 0 && supi_attach_ends(world, world->attachments + at, held, holder);
    return there ? SUP_OK : SUP_STALE;
}

sup_scene_camera sup_scene_get_camera(const sup_scene* scene) { return scene->camera; }

const char* sup_scene_note(const sup_scene* scene, int32_t index) {
    return index >= 0 && index < scene->note_count ? scene->notes[index] : NULL;
}

const char* sup_scene_file(const sup_scene* scene, int32_t index) {
    return index >= 0 && index < scene->path_count ? scene->paths[index] : NULL;
}
