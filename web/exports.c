/* What JavaScript calls (supple.mjs). Strings are UTF-8 and end with a zero; addresses that are
   given out are good until the next call that makes or steps a scene. */
#include "memory_files.h"
#include "supple/scene.h"

#include <stdlib.h>
#include <string.h>

/* Declares and begins a function that JavaScript sees. */
#define EXPORT(type, name, ...)                                                                    \
    __attribute__((export_name(#name))) type name(__VA_ARGS__);                                    \
    type name(__VA_ARGS__)

#define FILM "film.glb"

/* A scene, its files, and room for what it gives out. */
typedef struct web_scene {
    memory_files files;
    sup_file_gate gate;
    sup_scene* scene; /* NULL until it is loaded */
    sup_animation* film;
    sup_vec3* vertices;
    double numbers[18];
    sup_error error; /* of the last call that failed */
} web_scene;

EXPORT(const char*, version, void) { return sup_version(); }
EXPORT(void*, allocate, size_t size) { return malloc(size); }
EXPORT(void, release, void* block) { free(block); }

/* ---- A scene comes and goes ---- */

EXPORT(web_scene*, scene_new, void) {
    web_scene* self = calloc(1, sizeof *self);
    if (self) self->gate = memory_files_gate(&self->files);
    return self;
}

EXPORT(void, scene_free, web_scene* self) {
    sup_animation_abort(self->film);
    sup_scene_free(self->scene);
    memory_files_clear(&self->files);
    free(self->vertices);
    free(self);
}

/* Where the bytes of a file go, or NULL. */
EXPORT(uint8_t*, scene_add_file, web_scene* self, const char* path, size_t size) {
    return memory_files_add(&self->files, path, size);
}

/* Once: reads the file `path`, and what it names, from the files that were added. */
EXPORT(sup_result, scene_load, web_scene* self, const char* path) {
    sup_scene_options options = sup_scene_options_default();
    options.files = &self->gate;
    sup_result result = sup_scene_load(&options, path, &self->scene, &self->error);
    memory_files_clear(&self->files);
    if (result != SUP_OK) return result;
    size_t count = (size_t)sup_scene_get_info(self->scene).vertex_count;
    self->vertices = calloc(count > 0 ? count : 1, sizeof *self->vertices);
    return self->vertices ? SUP_OK : SUP_NO_MEMORY;
}

/* ---- Errors ---- */

EXPORT(const char*, result_name, sup_result result) { return sup_result_name(result); }
EXPORT(const char*, error_text, const web_scene* self) { return self->error.text; }
EXPORT(int32_t, error_line, const web_scene* self) { return self->error.line; }
EXPORT(int32_t, error_column, const web_scene* self) { return self->error.column; }

/* ---- Time ---- */

EXPORT(int32_t, scene_frame, const web_scene* self) {
    return (int32_t)sup_world_step_count(sup_scene_world(self->scene));
}

EXPORT(sup_result, scene_step, web_scene* self) {
    self->error = (sup_error){0};
    sup_result result = sup_scene_drive(self->scene, scene_frame(self) + 1, &self->error);
    if (result != SUP_OK) return result;
    return sup_world_step(sup_scene_world(self->scene), 1.0 / sup_scene_get_info(self->scene).fps);
}

EXPORT(uint64_t, scene_hash, const web_scene* self) {
    return sup_world_hash(sup_scene_world(self->scene));
}

/* ---- What there is ---- */

EXPORT(const char*, scene_name, const web_scene* self) {
    return sup_scene_get_info(self->scene).name;
}

EXPORT(const char*, scene_simd, const web_scene* self) {
    return sup_simd_name(sup_world_simd(sup_scene_world(self->scene)));
}

/* The numbers of sup_scene_info in the order of `infoKeys` in supple.mjs. */
EXPORT(const double*, scene_numbers, web_scene* self) {
    sup_scene_info info = sup_scene_get_info(self->scene);
    const double numbers[] = {
        info.fps,
        info.frames,
        info.substeps,
        info.sweeps,
        info.gravity[0],
        info.gravity[1],
        info.gravity[2],
        info.body_count,
        info.collider_count,
        info.attachment_count,
        (double)info.particle_count,
        (double)info.cluster_count,
        (double)info.vertex_count,
        (double)info.triangle_count,
        info.mass,
        info.background[0],
        info.background[1],
        info.background[2],
    };
    _Static_assert(sizeof numbers == sizeof self->numbers, "room for all numbers");
    return memcpy(self->numbers, numbers, sizeof numbers);
}

/* NULL past the end. */
EXPORT(const char*, scene_note, const web_scene* self, int32_t index) {
    return sup_scene_note(self->scene, index);
}

/* NULL when they cannot be read. */
EXPORT(const sup_vec3*, scene_vertices, web_scene* self) {
    return sup_scene_read_vertices(self->scene, self->vertices) == SUP_OK ? self->vertices : NULL;
}

static const sup_surface* surface_at(const web_scene* self, int32_t index) {
    int32_t count;
    return sup_scene_surfaces(self->scene, &count) + index;
}

EXPORT(int32_t, surface_count, const web_scene* self) {
    int32_t count;
    sup_scene_surfaces(self->scene, &count);
    return count;
}
EXPORT(const char*, surface_name, const web_scene* self, int32_t index) {
    return surface_at(self, index)->name;
}
EXPORT(int32_t, surface_point_count, const web_scene* self, int32_t index) {
    return surface_at(self, index)->point_count;
}
EXPORT(int32_t, surface_polygon_count, const web_scene* self, int32_t index) {
    return surface_at(self, index)->polygon_count;
}
EXPORT(const int32_t*, surface_starts, const web_scene* self, int32_t index) {
    return surface_at(self, index)->starts;
}
EXPORT(const int32_t*, surface_corners, const web_scene* self, int32_t index) {
    return surface_at(self, index)->corners;
}
EXPORT(const float*, surface_colour, const web_scene* self, int32_t index) {
    return surface_at(self, index)->colour;
}
EXPORT(float, surface_roughness, const web_scene* self, int32_t index) {
    return surface_at(self, index)->roughness;
}
EXPORT(float, surface_point_radius, const web_scene* self, int32_t index) {
    return surface_at(self, index)->point_radius;
}

/* ---- Films: a GLB in memory ---- */

/* Keeps the pose of now as the next frame. */
EXPORT(sup_result, film_frame, web_scene* self) {
    self->error = (sup_error){0};
    sup_result result = sup_scene_read_vertices(self->scene, self->vertices);
    if (result != SUP_OK) return result;
    return sup_animation_frame(self->film, self->vertices, &self->error);
}

EXPORT(sup_result, film_open, web_scene* self, int32_t frame_count, int32_t kept) {
    int32_t count;
    const sup_surface* surfaces = sup_scene_surfaces(self->scene, &count);
    double fps = sup_scene_get_info(self->scene).fps;
    return sup_glb_open(NULL, &self->gate, FILM, count, surfaces, fps, frame_count, kept,
                        &self->film, &self->error);
}

/* Ends the film; its bytes stay until film_forget. */
EXPORT(sup_result, film_close, web_scene* self) {
    sup_animation* film = self->film;
    self->film = NULL;
    return sup_animation_close(film, &self->error);
}

EXPORT(const uint8_t*, film_bytes, const web_scene* self) {
    size_t size;
    return memory_files_find(&self->files, FILM, &size);
}

EXPORT(size_t, film_size, const web_scene* self) {
    size_t size = 0;
    memory_files_find(&self->files, FILM, &size);
    return size;
}

/* Also in the middle of a film. */
EXPORT(void, film_forget, web_scene* self) {
    sup_animation_abort(self->film);
    self->film = NULL;
    memory_files_clear(&self->files);
}
