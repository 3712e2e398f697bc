/* Colliders: hard things that bodies meet, still or moved by the user. */
#ifndef SUPPLE_COLLIDER_H
#define SUPPLE_COLLIDER_H

#include "supple/world.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef enum sup_collider_kind {
    SUP_COLLIDER_PLANE, /* solid below its local y = 0 */
    SUP_COLLIDER_SPHERE,
    SUP_COLLIDER_BOX,
    SUP_COLLIDER_CAPSULE, /* around its local y axis */
    SUP_COLLIDER_MESH,    /* closed: solid; open: a sheet that stops things on both sides */
    SUP_COLLIDER_HEIGHTS  /* solid below a grid of heights, two triangles a cell */
} sup_collider_kind;

typedef struct sup_collider_def {
    size_t size;
    sup_collider_kind kind;
    double position[3], rotation[4];
    double radius;           /* m, sphere, capsule; default 0.5 */
    double half_size[3];     /* m, box; default 0.5 each */
    double half_length;      /* m, capsule: from the middle to the centre of a cap; default 0.5 */
    const sup_mesh* mesh;    /* copied; its points in the collider's frame */
    int32_t height_count[2]; /* along x and along z, at least 2 each */
    double height_step[2];   /* m, distance of neighbours along x and z; default 1 each */
    const float* heights;    /* m, y of (i, k) is heights[k * height_count[0] + i], copied. The grid
                                is centred on the origin in x and z */
    bool inverted;           /* a container: solid outside. Sphere, box, capsule, closed mesh */
    bool sensor; /* holds nothing back, only tells who is inside at the end of a substep */
    sup_filter filter;
    double thickness; /* m, distance kept from the surface, 0..1000; default 0.002. An open mesh
                         needs more than 0 */
    double friction_static, friction_kinetic,
        restitution; /* as in sup_material; defaults 0.5, 0.4, 0 */
    uint64_t user;
} sup_collider_def;

SUP_API sup_collider_def sup_collider_default(void);
SUP_API sup_result sup_collider_create(sup_world* world, const sup_collider_def* def,
                                       sup_collider* out, sup_error* error);
SUP_API sup_result sup_collider_destroy(sup_world* world, sup_collider collider);
SUP_API bool sup_collider_is_valid(const sup_world* world, sup_collider collider);

/* Living colliders in order of creation; returns how many there are, writes at most `capacity`. */
SUP_API int32_t sup_world_colliders(const sup_world* world, sup_collider* out, int32_t capacity);
SUP_API uint64_t sup_collider_user(const sup_world* world, sup_collider collider);
SUP_API sup_collider_kind sup_collider_get_kind(const sup_world* world, sup_collider collider);

/* Where the collider is at the end of the next step: it goes there during the step, each substep
   its part, and pushes and rubs at that speed. Then it stays until moved again. */
SUP_API sup_result sup_collider_move(sup_world* world, sup_collider collider,
                                     const double position[3], const double rotation[4],
                                     sup_error* error);
/* The same for the points of a mesh, in the collider's frame (point_count of the mesh given). */
SUP_API sup_result sup_collider_move_points(sup_world* world, sup_collider collider,
                                            const sup_vec3* points, sup_error* error);
/* Puts it there at once, without speed. */
SUP_API sup_result sup_collider_place(sup_world* world, sup_collider collider,
                                      const double position[3], const double rotation[4],
                                      sup_error* error);
SUP_API sup_result sup_collider_get_pose(const sup_world* world, sup_collider collider,
                                         double position[3], double rotation[4]);
SUP_API sup_result sup_collider_set_filter(sup_world* world, sup_collider collider,
                                           sup_filter filter);
/* What contacts and attachments did to the collider in the last step: N s, and N m s about its
   position at the end of it. For hosts that move it as a rigid body. */
SUP_API sup_result sup_collider_read_impulse(const sup_world* world, sup_collider collider,
                                             double impulse[3], double moment[3]);

#ifdef __cplusplus
}
#endif
#endif
