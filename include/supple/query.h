/* Questions about a world, and a way to draw what it holds. None of them changes it. What is not
   finite, a ray without direction or a negative radius finds nothing. */
#ifndef SUPPLE_QUERY_H
#define SUPPLE_QUERY_H

#include "supple/world.h"

#ifdef __cplusplus
extern "C" {
#endif

/* What a query found: body or collider, the other is null. */
typedef struct sup_hit {
    sup_body body;
    sup_collider collider;
    int32_t particle; /* id of the nearest one; of a drawn surface, of the polygon that was met; -1
                         for colliders */
    double point[3];  /* m, world */
    double normal[3]; /* unit, outwards; of a particle: towards the point that was asked about */
    double distance;  /* m, along the ray, or from the point that was asked about; negative: that
                         is inside */
} sup_hit;

/* The first thing that the ray origin + t direction meets, 0 <= t <= 1. Bodies are met at their
   drawn surfaces, or at the spheres of their particles where they have none; a ray that starts
   inside something meets it where it leaves. False: nothing. Sensors are not met. */
SUP_API bool sup_world_cast_ray(const sup_world* world, const double origin[3],
                                const double direction[3], sup_filter filter, sup_hit* hit);
/* Bodies with a particle (its radius counts) within the sphere, and colliders that it reaches into:
   the nearest point of each. In order of creation, bodies first; returns how many there are, writes
   at most `capacity`. */
SUP_API int32_t sup_world_overlap_sphere(const sup_world* world, const double centre[3],
                                         double radius, sup_filter filter, sup_hit* out,
                                         int32_t capacity);
/* The particle nearest to a point, its centre not further than `most`. False: none. */
SUP_API bool sup_world_nearest_particle(const sup_world* world, const double point[3], double most,
                                        sup_filter filter, sup_hit* hit);

/* ---- Drawing for those who look for mistakes ---- */

typedef enum sup_draw_flags {
    SUP_DRAW_SURFACES = 1,  /* edges of drawn surfaces, spheres of clouds */
    SUP_DRAW_PARTICLES = 2, /* places and contact radii */
    SUP_DRAW_CLUSTERS = 4,  /* centres and axes */
    SUP_DRAW_COLLIDERS = 8, /* wire frames */
    SUP_DRAW_CONTACTS = 16, /* normals of those that push */
    SUP_DRAW_ATTACHMENTS = 32,
    SUP_DRAW_BOUNDS = 64, /* boxes of bodies; grey: asleep */
    SUP_DRAW_ALL = 127
} sup_draw_flags;

/* Places are relative to the origin that was asked for; colours 0xRRGGBB. A callback that is NULL
 * is not called. None of them may ask for drawn vertices of the same world (by reading them, by
 * rays, by baking): where they lie is what is being drawn. */
typedef struct sup_draw {
    void* user;
    void (*line)(void* user, sup_vec3 a, sup_vec3 b, uint32_t colour);
    void (*sphere)(void* user, sup_vec3 centre, float radius, uint32_t colour);
} sup_draw;

/* `origin` (m, world) may be NULL: 0. */
SUP_API void sup_world_draw(const sup_world* world, const sup_draw* draw, uint32_t flags,
                            const double origin[3]);

#ifdef __cplusplus
}
#endif
#endif
