/* Colliders of a scene. */
#include "scene/assemble.h"
#include "scene/build.h"
#include "supple/mesh.h"

#include <math.h>
#include <string.h>

/* ---- shapes ---- */

static sup_result load_mesh(sup_scene* scene, const supi_reader* reader,
                            const supi_solid_draft* shape, sup_mesh* mesh) {
    static const double still[4] = {0, 0, 0, 1}, origin[3] = {0, 0, 0};
    const char* path = supi_assemble_path(scene, shape->file);
    if (!path) return supi_reader_memory(reader);
    sup_error cause;
    sup_result result = sup_mesh_load(scene->store.allocator, scene->files, path, mesh, &cause);
    if (result != SUP_OK) {
        *mesh = (sup_mesh){0};
        return supi_reader_wrap(reader, supi_reader_place(shape->place, "file"), &cause);
    }
    sup_mesh_transform(mesh, shape->scale, still, origin);
    /* what moves the points is chosen elsewhere then */
    if (shape->animation.place) mesh->ignored &= ~(uint32_t)SUP_MESH_ANIMATIONS;
    bool told = supi_notes_mesh(scene, shape->place, shape->file, mesh);
    return told ? SUP_OK : supi_reader_memory(reader);
}

static sup_result set_heights(sup_scene* scene, const supi_reader* reader,
                              const supi_solid_draft* shape, sup_collider_def* def) {
    supi_terrain_count(shape, def->height_count);
    size_t count = (size_t)def->height_count[0] * (size_t)def->height_count[1];
    float* heights = supi_arena_push(&scene->store, count, sizeof *heights);
    if (!heights) return supi_reader_memory(reader);
    supi_terrain_make(shape, heights);
    def->heights = heights;
    for (int32_t k = 0; k < 2; k++) {
        def->height_step[k] = shape->size[k] / (def->height_count[k] - 1);
    }
    return SUP_OK;
}

static sup_result set_shape(sup_scene* scene, const supi_reader* reader,
                            const supi_solid_draft* shape, sup_mesh* mesh, sup_collider_def* def) {
    def->kind = shape->kind;
    switch (shape->kind) {
    case SUP_COLLIDER_PLANE: break;
    case SUP_COLLIDER_SPHERE: def->radius = shape->radius; break;
    case SUP_COLLIDER_BOX:
        for (int32_t k = 0; k < 3; k++) def->half_size[k] = shape->size[k] / 2;
        break;
    case SUP_COLLIDER_CAPSULE:
        def->radius = shape->radius;
        def->half_length = shape->length / 2;
        break;
    case SUP_COLLIDER_MESH: def->mesh = mesh; return load_mesh(scene, reader, shape, mesh);
    case SUP_COLLIDER_HEIGHTS: return set_heights(scene, reader, shape, def);
    }
    return SUP_OK;
}

/* ---- motion ---- */

/* False where a point gets further than colliders may: better now than in the midst of a run. */
static bool scale_clip(sup_clip* clip, const double scale[3]) {
    int64_t count = (int64_t)clip->frame_count * clip->point_count;
    for (int64_t i = 0; i < count; i++) {
        sup_vec3* p = &clip->points[i];
        double x = scale[0] * (double)p->x, y = scale[1] * (double)p->y,
               z = scale[2] * (double)p->z;
        if (fabs(x) > 1e7 || fabs(y) > 1e7 || fabs(z) > 1e7) return false;
        *p = (sup_vec3){(float)x, (float)y, (float)z};
    }
    return true;
}

/* Loads the points of a mesh over time; its own become those of the start. */
static sup_result load_clip(sup_scene* scene, const supi_reader* reader,
                            const supi_solid_draft* shape, sup_mesh* mesh, sup_clip* clip) {
    const supi_animation_draft* draft = &shape->animation;
    const char* path = supi_assemble_path(scene, draft->file);
    if (!path) return supi_reader_memory(reader);
    const supi_json* place = supi_json_find(draft->place, "file");
    double fps = draft->fps > 0 ? draft->fps : scene->info.fps;
    sup_error cause;
    sup_result result =
        sup_clip_load(scene->store.allocator, scene->files, path, fps, clip, &cause);
    if (result != SUP_OK) {
        *clip = (sup_clip){0};
        return supi_reader_wrap(reader, place, &cause);
    }
    if (clip->point_count != mesh->point_count) {
        return supi_reader_fail(reader, place, "the animation has %d points, the mesh %d",
                                (int)clip->point_count, (int)mesh->point_count);
    }
    if (!scale_clip(clip, shape->scale)) {
        return supi_reader_fail(reader, place, "the animation leaves +-1e7 m, scaled as it is");
    }
    sup_clip_sample(clip, 0, mesh->points);
    return SUP_OK;
}

/* Where the collider is at the start, and how it goes on from there. */
static sup_result set_pose(sup_scene* scene, const supi_reader* reader,
                           const supi_collider_draft* draft, int32_t index, sup_collider_def* def) {
    double degrees[3];
    memcpy(degrees, draft->rotation, sizeof degrees);
    memcpy(def->position, draft->position, sizeof def->position);
    bool moves = draft->motion.place != NULL, lives = draft->shape.animation.place != NULL;
    if (moves || lives) {
        supi_driven* driven = supi_assemble_driven(scene, SUPI_DRIVEN_COLLIDER, index);
        if (!driven) return supi_reader_memory(reader);
        memcpy(driven->position, draft->position, sizeof driven->position);
        memcpy(driven->rotation, draft->rotation, sizeof driven->rotation);
        if (moves &&
            !supi_motion_make(&scene->store, &draft->motion, "position", &driven->motion)) {
            return supi_reader_memory(reader);
        }
        supi_motion_at(&driven->motion, 0, def->position, degrees);
    }
    supi_turn_from_degrees(degrees, def->rotation);
    return SUP_OK;
}

/* The world gets room for moving points now, so that no frame has to ask for it. */
static sup_result set_points(sup_scene* scene, const supi_reader* reader,
                             const supi_collider_draft* draft, int32_t index) {
    const sup_mesh* mesh = &scene->meshes[index];
    supi_driven_points* points = &scene->driven->points; /* the newest */
    points->clip = &scene->clips[index];
    points->loop = draft->shape.animation.loop;
    points->places =
        supi_arena_push(&scene->store, (size_t)mesh->point_count, sizeof *points->places);
    if (!points->places) return supi_reader_memory(reader);
    sup_error cause;
    sup_result result = sup_collider_move_points(scene->world, scene->colliders[index].handle,
                                                 mesh->points, &cause);
    return result == SUP_OK ? SUP_OK : supi_reader_wrap(reader, draft->place, &cause);
}

/* ---- the collider ---- */

sup_result supi_assemble_collider(sup_scene* scene, const supi_reader* reader,
                                  const supi_collider_draft* draft, int32_t index) {
    sup_scene_collider* collider = &scene->colliders[index];
    sup_collider_def* def = &collider->def;
    *def = sup_collider_default();
    sup_result result = set_shape(scene, reader, &draft->shape, &scene->meshes[index], def);
    bool lives = draft->shape.animation.place != NULL;
    if (result == SUP_OK && lives) {
        result =
            load_clip(scene, reader, &draft->shape, &scene->meshes[index], &scene->clips[index]);
    }
    if (result == SUP_OK) result = set_pose(scene, reader, draft, index, def);
    if (result != SUP_OK) return result;
    def->inverted = draft->inverted;
    def->sensor = draft->sensor;
    def->filter.category = supi_assemble_bits(&draft->category, def->filter.category);
    def->filter.mask = supi_assemble_bits(&draft->mask, def->filter.mask);
    def->thickness = draft->thickness;
    def->friction_static = draft->friction;
    def->friction_kinetic = draft->sliding_friction;
    def->restitution = draft->restitution;
    def->user = (uint64_t)index;
    supi_assemble_colour(draft->colour, collider->colour);
    collider->roughness = (float)draft->roughness;
    sup_error cause;
    result = sup_collider_create(scene->world, def, &collider->handle, &cause);
    if (result != SUP_OK) return supi_reader_wrap(reader, draft->place, &cause);
    return lives ? set_points(scene, reader, draft, index) : SUP_OK;
}
