/* The inside of a scene, shared by the files that build it, drive it and answer questions about it.
 */
#ifndef SUPPLE_SCENE_SCENE_H
#define SUPPLE_SCENE_SCENE_H

#include "scene/motion.h"
#include "scene/names.h"
#include "supple/scene.h"

/* So many notes are kept; the last one tells of all that would follow. */
#define SUPI_NOTES 32

/* Pins that move together: about their centre, and along. */
typedef struct supi_pin_group {
    supi_motion motion;
    double centre[3]; /* m, world, at the start */
} supi_pin_group;

/* The pins of one body, in the order of its blueprint. */
typedef struct supi_driven_pins {
    int32_t count;
    const sup_point* start; /* m, world: where they are without motion (count) */
    const int32_t* groups;  /* which of `movers` each follows; -1: none (count) */
    const supi_pin_group* movers;
    sup_point* places; /* scratch of a frame (count) */
    double turn[4];    /* of the body at the start */
    sup_quat* turns;   /* scratch of a frame (count); NULL: its particles do not turn */
} supi_driven_pins;

/* Points of a mesh collider that move by themselves. */
typedef struct supi_driven_points {
    const sup_clip* clip; /* NULL: they do not */
    bool loop;
    sup_vec3* places; /* scratch of a frame (point_count of the clip) */
} supi_driven_points;

typedef enum supi_driven_kind {
    SUPI_DRIVEN_COLLIDER,
    SUPI_DRIVEN_PINS,
    SUPI_DRIVEN_POINT
} supi_driven_kind;

/* Something with a motion. */
typedef struct supi_driven {
    struct supi_driven* next;
    supi_driven_kind kind;
    int32_t index;                   /* of the collider, body or attachment */
    supi_motion motion;              /* collider, point */
    double position[3], rotation[3]; /* where no key says otherwise: m, degrees */
    supi_driven_points points;       /* collider */
    supi_driven_pins pins;
} supi_driven;

/* How a body may be held together. */
typedef struct supi_level {
    sup_blueprint* blueprint;
    sup_match_mode mode;
} supi_level;

/* The levels of the bodies of one entry, coarse to fine. */
typedef struct supi_details {
    int32_t count; /* 0: it has none */
    supi_level* levels;
} supi_details;

/* What the budget has seen so far. */
typedef struct supi_watch {
    int32_t over, under; /* steps in a row */
    int32_t patience;    /* steps under the budget before something is refined; 0: the usual ones */
    int32_t refined;     /* steps since something was */
} supi_watch;

/* All arrays live in the store but for those that grow or came as a mesh. */
struct sup_scene {
    supi_arena store;
    const sup_file_gate* files;
    sup_world* world;
    sup_scene_info info;
    sup_scene_entry* entries;   /* (info.entry_count) */
    sup_blueprint** blueprints; /* of the entries: surfaces point into them (info.entry_count) */
    supi_details* details;      /* (info.entry_count) */
    supi_watch watch;
    sup_body* bodies;              /* (info.body_count) */
    sup_surface* surfaces;         /* (info.body_count) */
    sup_scene_collider* colliders; /* (info.collider_count) */
    sup_mesh* meshes;              /* of colliders, or empty (info.collider_count) */
    sup_clip* clips;               /* the same of their animations */
    sup_scene_attachment* attachments;
    int32_t attachment_capacity;
    supi_names entry_names, body_names, collider_names; /* -> index */
    supi_driven* driven;
    sup_scene_camera camera;
    const char** paths; /* scene file, meshes and animations (path_count) */
    int32_t path_count;
    const char* notes[SUPI_NOTES];
    int32_t note_count; /* may be more than are kept */
};

#endif
