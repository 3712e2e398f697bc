/* Scenes: a world, how to run it and how it looks, from one JSON file. docs/scene-reference.md says
 * what stands in it. */
#ifndef SUPPLE_SCENE_H
#define SUPPLE_SCENE_H

#include "supple/files.h"
#include "supple/supple.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct sup_scene sup_scene;

typedef struct sup_scene_options {
    size_t size; /* sizeof(sup_scene_options); set by sup_scene_options_default */
    const sup_allocator* allocator; /* NULL: the default */
    const sup_file_gate* files;     /* NULL: the files of the machine */
    int32_t threads;                /* as in sup_world_def, default 1 */
    sup_simd simd;
} sup_scene_options;

SUP_API sup_scene_options sup_scene_options_default(void);

/* A scene from a file. `options` may be NULL. Mesh files are found relative to the folder of the
   scene file. Messages begin with the place in the scene: jelly.json:14:7: unknown key "stifness"
   in a material; did you mean "stiffness"? */
SUP_API sup_result sup_scene_load(const sup_scene_options* options, const char* path,
                                  sup_scene** out, sup_error* error);
/* The same from bytes; `path` is where they would have been. */
SUP_API sup_result sup_scene_parse(const sup_scene_options* options, const char* path,
                                   const uint8_t* bytes, size_t size, sup_scene** out,
                                   sup_error* error);
/* The world goes too. NULL is fine. */
SUP_API void sup_scene_free(sup_scene* scene);

/* The world that was built; it belongs to the scene. Everything but destroying it is allowed. */
SUP_API sup_world* sup_scene_world(sup_scene* scene);

typedef struct sup_scene_info {
    const char* name; /* "" where the file gives none */
    double fps;       /* frames per second; one frame is one step of 1/fps */
    int32_t frames;   /* steps of a whole run */
    int32_t substeps, sweeps;
    double gravity[3];              /* m/s^2 */
    double budget_ms;               /* what a step may take, for sup_scene_adapt; 0: no limit */
    double sleep_speed, sleep_time; /* as in sup_world_def */
    int32_t entry_count;            /* bodies in the file; copies of one count once */
    int32_t body_count, collider_count, attachment_count;
    int32_t motion_count; /* colliders, bodies and attachments that sup_scene_drive moves */
    int64_t particle_count, cluster_count, vertex_count, triangle_count; /* of all bodies */
    double mass;                                                         /* kg, of all bodies */
    float background[3];                                                 /* linear RGB */
} sup_scene_info;
SUP_API sup_scene_info sup_scene_get_info(const sup_scene* scene);

/* One body of the file and its copies, which lie one after the other in the world. */
typedef struct sup_scene_entry {
    const char* name;
    const char* shape; /* as the file says: "box", "torus", "mesh", "squid"; a mesh without polygons
                          is a "cloud" */
    int32_t first_body, body_count;
    sup_blueprint_info blueprint;
    sup_material material;
    const sup_material* region_materials; /* by region (blueprint.region_count); NULL: `material` */
} sup_scene_entry;
SUP_API sup_scene_entry sup_scene_get_entry(const sup_scene* scene, int32_t entry);

/* Handle and name of a body, 0 .. body_count - 1. */
SUP_API sup_body sup_scene_get_body(const sup_scene* scene, int32_t index, const char** name);

/* The drawn surfaces, one per body in the same order, ready for sup_glb_open and its like. They
 * live as long as the scene. */
SUP_API const sup_surface* sup_scene_surfaces(const sup_scene* scene, int32_t* count);
/* Vertices of all surfaces one after the other, world (vertex_count). */
SUP_API sup_result sup_scene_read_vertices(const sup_scene* scene, sup_vec3* vertices);

/* A collider as it was built, and how it looks. Where it is now says sup_collider_get_pose. The
 * arrays of `def` live as long as the scene. */
typedef struct sup_scene_collider {
    const char* name;
    sup_collider handle;
    sup_collider_def def;
    float colour[3]; /* linear RGB */
    float roughness;
} sup_scene_collider;
SUP_API sup_scene_collider sup_scene_get_collider(const sup_scene* scene, int32_t index);
/* The points of a mesh collider where they are now, in its own frame (point_count of def.mesh).
 * SUP_STALE: it is gone; SUP_BAD_ARGUMENT: it is no mesh. */
SUP_API sup_result sup_scene_read_collider_points(const sup_scene* scene, int32_t index,
                                                  sup_vec3* points);

/* An attachment as it was built; one of the file that holds several particles is several here. */
typedef struct sup_scene_attachment {
    const char* name; /* copies are called name.1, name.2 ... */
    sup_attachment handle;
    sup_attachment_def def;
} sup_scene_attachment;
SUP_API sup_scene_attachment sup_scene_get_attachment(const sup_scene* scene, int32_t index);
/* Its two ends where they are now, m, world: the held particle and what holds it. SUP_STALE: it is
 * gone or broken. */
SUP_API sup_result sup_scene_read_attachment(const sup_scene* scene, int32_t index, double held[3],
                                             double holder[3]);

typedef struct sup_scene_camera {
    double from[3], look_at[3]; /* m; up is +y */
    double fov;                 /* degrees, from the bottom to the top of the picture */
    bool given; /* by the file; else chosen so that every body is seen at the start */
} sup_scene_camera;
SUP_API sup_scene_camera sup_scene_get_camera(const sup_scene* scene);

/* Moves colliders, pins and points with a motion to where they are at the time frame / fps. To be
   called before the step that makes frame `frame`, 1 for the first; what it does depends on the
   frame alone, so that a run goes on alike from a snapshot. What is gone is left out. */
SUP_API sup_result sup_scene_drive(sup_scene* scene, int32_t frame, sup_error* error);

/* ---- Levels of detail ---- */

/* How many levels a body of the scene has, from coarse to fine; 0: it stays as it is. */
SUP_API int32_t sup_scene_detail_count(const sup_scene* scene, int32_t body);
/* The level that a body has now, also after a restore; -1: none of them. */
SUP_API int32_t sup_scene_get_detail(const sup_scene* scene, int32_t body);
/* Holds the particles of a body together by the clusters and the mode of another level, as
   sup_body_set_blueprint and sup_body_set_mode do. */
SUP_API sup_result sup_scene_set_detail(sup_scene* scene, int32_t body, int32_t level,
                                        sup_error* error);
/* To be called after a step with the time that it took, mostly sup_profile.total. Where several
   steps in a row took more than budget_ms, the body that costs most gets its next coarser level;
   where many took less, and a finer one would still fit, the body in which that costs least gets
   it. At most one body is changed, and *choice (may be NULL) tells which; its `body` is -1 where
   none was. Bodies that sleep or are paused cost nothing and are left alone. The choice depends on
   the clock: record it, and repeat it by sup_scene_set_detail after the same step to get the same
   motion. */
SUP_API sup_result sup_scene_adapt(sup_scene* scene, double step_ms, sup_detail_choice* choice,
                                   sup_error* error);

/* What is allowed but looks like a mistake, a sentence each with its place: bodies that begin deep
   inside each other or inside colliders, made-up names that were taken. NULL past the end. */
SUP_API const char* sup_scene_note(const sup_scene* scene, int32_t index);

/* The files the scene was read from: the scene file first, then meshes and animations. NULL past
 * the end. */
SUP_API const char* sup_scene_file(const sup_scene* scene, int32_t index);

#ifdef __cplusplus
}
#endif
#endif
