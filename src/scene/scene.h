/* The inside of a scene, shared by the file that builds it and the file that answers questions
 * about it. */
#ifndef SUPPLE_SCENE_SCENE_H
#define SUPPLE_SCENE_SCENE_H

#include "base/arena.h"
#include "supple/scene.h"

/* All arrays live in the store. */
struct sup_scene {
    supi_arena store;
    const sup_file_gate* files;
    sup_world* world;
    sup_scene_info info;
    sup_scene_entry* entries;      /* (info.entry_count) */
    sup_body* bodies;              /* (info.body_count) */
    sup_surface* surfaces;         /* (info.body_count) */
    sup_scene_collider* colliders; /* (info.collider_count) */
    sup_scene_camera camera;
    const char** paths; /* scene file and meshes (path_count) */
    int32_t path_count;
};

#endif
