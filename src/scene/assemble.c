/* See assemble.h. Everything is read and checked before the first mesh is made. */
#include "scene/assemble.h"

#include "base/error.h"
#include "base/memory.h"
#include "base/real.h"
#include "scene/build.h"
#include "supple/mesh.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define PI 3.14159265358979323846

/* Given in turn to bodies that name no colour. */
static const char* const palette[] = {"#e4572e", "#17a2b8", "#ffb627", "#76b041", "#3d5a98",
                                      "#c2417c", "#8d6cab", "#2f9e77", "#f28482", "#a98467"};
#define PALETTE_COUNT ((int32_t)(sizeof palette / sizeof *palette))

/* ---- colours and names ---- */

static void set_colour(const double linear[3], float colour[3]) {
    for (int32_t k = 0; k < 3; k++) colour[k] = (float)linear[k];
}

static void body_colour(const supi_body_draft* draft, int32_t index, float colour[3]) {
    double linear[3] = {0, 0, 0};
    if (draft->colour[0] >= 0) {
        memcpy(linear, draft->colour, sizeof linear);
    } else {
        supi_colour_parse(palette[index % PALETTE_COUNT], linear);
    }
    set_colour(linear, colour);
}

/* "ball", its copies "ball.1", "ball.2"; "body-3" for the third entry without a name. NULL when
 * memory is short. */
static const char* make_name(supi_arena* store, const char* given, const char* kind,
                             int32_t position) {
    if (given) return supi_reader_keep(store, given, strlen(given));
    char name[64];
    int length = snprintf(name, sizeof name, "%s-%d", kind, (int)position + 1);
    return supi_reader_keep(store, name, (size_t)length);
}

static const char* copy_name(supi_arena* store, const char* name, int32_t copy) {
    size_t room = strlen(name) + 16;
    char* text = supi_arena_push(store, room, 1);
    if (text) snprintf(text, room, "%s.%d", name, (int)copy + 1);
    return text;
}

/* ---- blueprints ---- */

static sup_blueprint_def blueprint_def(const sup_allocator* allocator, const supi_body_draft* draft,
                                       const sup_mesh* mesh) {
    sup_blueprint_def def = sup_blueprint_default();
    def.allocator = allocator;
    def.surface = mesh;
    if (draft->weld >= 0) def.weld = draft->weld;
    def.fill = draft->fill;
    if (draft->density > 0) def.density = draft->density;
    def.mass = draft->mass;
    def.layout = draft->clusters.layout;
    def.cube = draft->clusters.edge;
    def.overlap = draft->clusters.overlap;
    def.allow_joints = draft->clusters.joints;
    def.pin_factor = draft->pin_factor;
    def.radius = draft->pass_through ? -1 : draft->radius;
    return def;
}

/* Pins are chosen among the particles of a blueprint without them: the engine alone says which
 * particles there are. */
static sup_result choose_pins(const supi_reader* reader, const supi_body_draft* draft,
                              sup_blueprint_def* def) {
    sup_error cause;
    sup_blueprint* plain;
    sup_result result = sup_blueprint_create(def, &plain, &cause);
    if (result != SUP_OK) return supi_reader_wrap(reader, draft->place, &cause);
    const sup_allocator* allocator = reader->store->allocator;
    int32_t count = sup_blueprint_get_info(plain).particle_count;
    sup_vec3* rest = supi_memory_new(allocator, (size_t)count, sizeof *rest);
    supi_pins pins = {0, NULL};
    if (rest) {
        sup_blueprint_read_rest(plain, rest);
        result = supi_pins_choose(reader, draft, count, rest, &pins);
    } else {
        result = supi_reader_memory(reader);
    }
    supi_memory_free(allocator, rest, (size_t)count, sizeof *rest);
    sup_blueprint_release(plain);
    def->pin_count = pins.count;
    def->pins = pins.ids;
    return result;
}

static sup_result make_blueprint(sup_scene* scene, const supi_reader* reader,
                                 const supi_body_draft* draft, sup_blueprint** out) {
    const char* path = "";
    if (draft->shape.kind == SUPI_SHAPE_MESH) {
        path = supi_shape_path(&scene->store, scene->paths[0], draft->shape.file);
        if (!path) return supi_reader_memory(reader);
        scene->paths[scene->path_count++] = path;
    }
    sup_mesh mesh;
    sup_result result = supi_shape_mesh(reader, scene->files, draft, path, &mesh);
    if (result != SUP_OK) return result;
    sup_blueprint_def def = blueprint_def(scene->store.allocator, draft, &mesh);
    if (draft->pins.count > 0) result = choose_pins(reader, draft, &def);
    if (result == SUP_OK) {
        sup_error cause;
        result = sup_blueprint_create(&def, out, &cause);
        if (result != SUP_OK) supi_reader_wrap(reader, draft->place, &cause);
    }
    sup_mesh_free(&mesh);
    return result;
}

/* ---- bodies ---- */

static sup_material make_material(const supi_material_draft* draft) {
    return (sup_material){.scheme = (sup_scheme)draft->scheme,
                          .rule = (sup_stiffness_rule)draft->rule,
                          .stiffness = draft->stiffness,
                          .damping = draft->damping,
                          .raw_damping = draft->raw_damping,
                          .friction_static = draft->friction,
                          .friction_kinetic = draft->sliding_friction,
                          .restitution = draft->restitution};
}

/* Adds the particles of an entry to the scene's, unless they become too many. */
static sup_result count_entry(sup_scene* scene, const supi_reader* reader,
                              const supi_body_draft* draft, const sup_scene_entry* entry) {
    const sup_blueprint_info* one = &entry->blueprint;
    sup_scene_info* all = &scene->info;
    int64_t copies = entry->body_count;
    if (all->particle_count + copies * one->particle_count > SUPI_PARTICLE_LIMIT) {
        return supi_reader_fail(
            reader, draft->place, "with this body the scene has %lld particles; at most %d fit",
            (long long)(all->particle_count + copies * one->particle_count), SUPI_PARTICLE_LIMIT);
    }
    all->particle_count += copies * one->particle_count;
    all->cluster_count += copies * one->cluster_count;
    all->vertex_count += copies * one->vertex_count;
    all->triangle_count += copies * (one->corner_count - 2 * (int64_t)one->polygon_count);
    all->mass += (double)copies * one->mass;
    return SUP_OK;
}

static sup_result make_body(sup_scene* scene, const supi_reader* reader,
                            const supi_body_draft* draft, const sup_scene_entry* entry,
                            int32_t copy, sup_body_def* def) {
    int32_t index = entry->first_body + copy;
    sup_surface* surface = &scene->surfaces[index];
    *surface = (sup_surface){
        .name = entry->body_count == 1 ? entry->name : copy_name(&scene->store, entry->name, copy),
        .point_count = entry->blueprint.vertex_count,
        .polygon_count = entry->blueprint.polygon_count,
        .roughness = (float)draft->roughness};
    if (!surface->name) return supi_reader_memory(reader);
    sup_blueprint_get_surface(def->blueprint, &surface->starts, &surface->corners);
    body_colour(draft, index, surface->colour);
    def->user = (uint64_t)index;
    sup_error cause;
    sup_result result = sup_body_create(scene->world, def, &scene->bodies[index], &cause);
    return result == SUP_OK ? SUP_OK : supi_reader_wrap(reader, draft->place, &cause);
}

static sup_result make_copies(sup_scene* scene, const supi_reader* reader,
                              const supi_body_draft* draft, const sup_scene_entry* entry,
                              sup_blueprint* blueprint) {
    const sup_allocator* allocator = scene->store.allocator;
    size_t count = (size_t)entry->body_count;
    supi_pose* poses = supi_memory_new(allocator, count, sizeof *poses);
    if (!poses) return supi_reader_memory(reader);
    sup_body_def def = sup_body_default();
    def.blueprint = blueprint;
    def.gravity_scale = draft->gravity_scale;
    def.material = entry->material;
    for (int32_t k = 0; k < 3; k++) {
        def.velocity[k] = draft->velocity[k];
        def.angular_velocity[k] = draft->spin[k] * (PI / 180.0);
    }
    sup_result result = supi_copies_place(reader, draft, poses);
    for (int32_t i = 0; result == SUP_OK && i < entry->body_count; i++) {
        memcpy(def.position, poses[i].position, sizeof def.position);
        memcpy(def.rotation, poses[i].rotation, sizeof def.rotation);
        result = make_body(scene, reader, draft, entry, i, &def);
    }
    supi_memory_free(allocator, poses, count, sizeof *poses);
    return result;
}

static sup_result make_entry(sup_scene* scene, const supi_reader* reader,
                             const supi_body_draft* draft, sup_scene_entry* entry) {
    sup_blueprint* blueprint;
    sup_result result = make_blueprint(scene, reader, draft, &blueprint);
    if (result != SUP_OK) return result;
    entry->shape = supi_shape_name(draft->shape.kind);
    entry->blueprint = sup_blueprint_get_info(blueprint);
    entry->material = make_material(&draft->material);
    result = count_entry(scene, reader, draft, entry);
    if (result == SUP_OK) result = make_copies(scene, reader, draft, entry, blueprint);
    sup_blueprint_release(blueprint);
    return result;
}

/* ---- colliders and camera ---- */

static sup_result make_collider(sup_scene* scene, const supi_reader* reader,
                                const supi_collider_draft* draft, int32_t index) {
    sup_scene_collider* collider = &scene->colliders[index];
    collider->name = make_name(&scene->store, draft->name, "collider", index);
    if (!collider->name) return supi_reader_memory(reader);
    sup_collider_def* def = &collider->def;
    *def = sup_collider_default();
    def->kind = draft->shape.kind;
    def->radius = draft->shape.kind == SUP_COLLIDER_SPHERE ? draft->shape.radius : def->radius;
    for (int32_t k = 0; k < 3; k++) {
        def->position[k] = draft->position[k];
        if (draft->shape.kind == SUP_COLLIDER_BOX) def->half_size[k] = draft->shape.size[k] / 2;
    }
    supi_turn_from_degrees(draft->rotation, def->rotation);
    def->thickness = draft->thickness;
    def->friction_static = draft->friction;
    def->friction_kinetic = draft->sliding_friction;
    def->restitution = draft->restitution;
    def->user = (uint64_t)index;
    set_colour(draft->colour, collider->colour);
    collider->roughness = (float)draft->roughness;
    sup_error cause;
    sup_result result = sup_collider_create(scene->world, def, &collider->handle, &cause);
    return result == SUP_OK ? SUP_OK : supi_reader_wrap(reader, draft->place, &cause);
}

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

static sup_result make_world(sup_scene* scene, const sup_scene_options* options,
                             const supi_scene_draft* draft, const supi_reader* reader) {
    sup_world_def def = sup_world_default();
    def.allocator = options->allocator;
    memcpy(def.gravity, draft->gravity, sizeof def.gravity);
    def.substeps = draft->substeps;
    def.sweeps = draft->sweeps;
    def.threads = options->threads;
    def.simd = options->simd;
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
    info->entry_count = draft->bodies.count;
    info->collider_count = draft->colliders.count;
    set_colour(draft->background, info->background);
}

/* Arrays of the right lengths, and the entries with their names and runs of bodies. */
static sup_result make_room(sup_scene* scene, const supi_scene_draft* draft,
                            const supi_reader* reader) {
    supi_arena* store = &scene->store;
    size_t entry_count = (size_t)scene->info.entry_count;
    scene->entries = supi_arena_push(store, entry_count, sizeof *scene->entries);
    if (!scene->entries) return supi_reader_memory(reader);
    const supi_body_draft* bodies = draft->bodies.items;
    int64_t total = 0;
    for (int32_t i = 0; i < scene->info.entry_count; i++) {
        sup_scene_entry* entry = &scene->entries[i];
        entry->name = make_name(store, bodies[i].name, "body", i);
        if (!entry->name) return supi_reader_memory(reader);
        entry->first_body = (int32_t)total;
        entry->body_count = supi_copies_count(&bodies[i].copies);
        total += entry->body_count;
        if (total > SUPI_COPIES) {
            return supi_reader_fail(reader, bodies[i].place, "a scene may have at most %d bodies",
                                    SUPI_COPIES);
        }
    }
    scene->info.body_count = (int32_t)total;
    size_t body_count = (size_t)total, collider_count = (size_t)scene->info.collider_count;
    scene->bodies = supi_arena_push(store, body_count, sizeof *scene->bodies);
    scene->surfaces = supi_arena_push(store, body_count, sizeof *scene->surfaces);
    scene->colliders = supi_arena_push(store, collider_count, sizeof *scene->colliders);
    scene->paths = supi_arena_push(store, entry_count + 1, sizeof *scene->paths);
    bool memory = scene->bodies && scene->surfaces && scene->colliders && scene->paths;
    return memory ? SUP_OK : supi_reader_memory(reader);
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
    result = make_world(scene, options, &draft, &reader);
    const supi_collider_draft* colliders = draft.colliders.items;
    for (int32_t i = 0; result == SUP_OK && i < draft.colliders.count; i++) {
        result = make_collider(scene, &reader, &colliders[i], i);
    }
    const supi_body_draft* bodies = draft.bodies.items;
    for (int32_t i = 0; result == SUP_OK && i < draft.bodies.count; i++) {
        result = make_entry(scene, &reader, &bodies[i], &scene->entries[i]);
    }
    if (result == SUP_OK) set_camera(scene, &draft.camera);
    return result;
}
