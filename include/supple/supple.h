/* Supple: worlds of soft bodies.

   Make a blueprint (the recipe), put bodies made from it and colliders into a world, then step the
   world:

       sup_world_step(world, 1.0 / 60.0);

   Every definition comes filled with defaults from its sup_x_default(). Calls that can fail return
   a sup_result; one that is not SUP_OK has changed nothing. Pointers must not be NULL unless a
   comment says what NULL means. A world and everything in it may be used by one thread at a time;
   different worlds by different threads. Lengths are metres, masses kilograms, times seconds,
   angles radians; y is up by default. */
#ifndef SUPPLE_SUPPLE_H
#define SUPPLE_SUPPLE_H

#include "supple/base.h"
#include "supple/types.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ---- Blueprint: the immutable recipe of a body, shared by all bodies made from it ---- */

typedef struct sup_blueprint sup_blueprint;

typedef enum sup_cluster_layout {
    SUP_CLUSTERS_WHOLE,   /* one cluster holds every particle: swings and keeps its shape as a whole
                           */
    SUP_CLUSTERS_CUBES,   /* overlapping cubes: bends and squeezes locally */
    SUP_CLUSTERS_EXPLICIT /* the lists below */
} sup_cluster_layout;

/* Particles are the welded points of `surface`, then lattice points inside it, then `points`; ids
   in this order are the user's particle ids everywhere. At least one of surface and points must be
   given. */
typedef struct sup_blueprint_def {
    size_t size;                    /* sizeof(sup_blueprint_def); set by sup_blueprint_default */
    const sup_allocator* allocator; /* NULL: the default */

    const sup_mesh* surface; /* drawn surface, copied; NULL: nothing is drawn */
    double
        weld; /* m, points closer than this are one particle; < 0: 1e-6 of the diagonal (default) */
    double fill; /* m, spacing of lattice particles inside the closed surface; 0: none (default) */

    int32_t point_count;    /* loose particles that are not on the surface */
    const sup_vec3* points; /* m (point_count) */

    double density; /* kg/m^3, 1..20000, default 1000: mass = density x volume of the closed
                       surface. Used when mass = 0 */
    double
        mass; /* kg, total; 0: from density, or 1 kg per particle where the surface is not closed */
    const float* masses; /* kg per particle id, NULL: equal shares. Overrides mass and density. 0 =
                            follows without weight, and meets no other body */

    sup_cluster_layout layout;
    double cube;       /* m, edge of the cubes; must be above 2 spacings; 0: 4 spacings */
    double overlap;    /* 0.25..0.75 of the edge, default 0.5 */
    bool allow_joints; /* accept clusters that meet in fewer than 3 non-collinear particles, or not
                          at all */
    int32_t cluster_count;          /* SUP_CLUSTERS_EXPLICIT */
    const int32_t* cluster_starts;  /* (cluster_count + 1) */
    const int32_t* cluster_members; /* particle ids (cluster_starts[cluster_count]) */

    int32_t pin_count;   /* particles that stay where the body's transform puts them */
    const int32_t* pins; /* particle ids */
    double pin_factor; /* 1..1000, default 10: weight of a pinned particle in its clusters. Raise it
                          when pins should lead more */

    double radius; /* m, contact radius of surface particles; 0: half the mean spacing; < 0: bodies
                      pass through each other */
} sup_blueprint_def;

SUP_API sup_blueprint_def sup_blueprint_default(void);
SUP_API sup_result sup_blueprint_create(const sup_blueprint_def* def, sup_blueprint** out,
                                        sup_error* error);
/* The blueprint goes when the last body made from it is gone too. NULL is fine. */
SUP_API void sup_blueprint_release(sup_blueprint* blueprint);

typedef struct sup_blueprint_info {
    int32_t particle_count, surface_particle_count, pinned_count;
    int32_t vertex_count, polygon_count, corner_count; /* of the drawn surface, as given */
    int32_t cluster_count, membership_count;
    double mass, volume;    /* kg; m^3, 0 where the surface is not closed */
    double size;            /* m, diagonal of the rest box */
    double spacing, radius; /* m */
    double centre[3];       /* m, centre of mass at rest */
} sup_blueprint_info;
SUP_API sup_blueprint_info sup_blueprint_get_info(const sup_blueprint* blueprint);

/* The drawn surface as it was given: polygons over vertex ids. Pointers live as long as the
 * blueprint. */
SUP_API void sup_blueprint_get_surface(const sup_blueprint* blueprint, const int32_t** starts,
                                       const int32_t** corners);
/* Rest places in the blueprint's own frame, by particle id (particle_count). */
SUP_API void sup_blueprint_read_rest(const sup_blueprint* blueprint, sup_vec3* points);

/* ---- World ---- */

typedef struct sup_world sup_world;

/* Handles: slot and age. All zero is null; a handle of something that is gone is found out. */
typedef struct sup_body {
    uint32_t slot, age;
} sup_body;
typedef struct sup_collider {
    uint32_t slot, age;
} sup_collider;

/* Which copy of the kernels runs. All give the same bits. */
typedef enum sup_simd { SUP_SIMD_AUTO, SUP_SIMD_SCALAR, SUP_SIMD_SSE2, SUP_SIMD_AVX2 } sup_simd;
SUP_API const char* sup_simd_name(sup_simd simd);
SUP_API bool sup_simd_available(sup_simd simd);

typedef struct sup_world_def {
    size_t size;
    const sup_allocator* allocator; /* NULL: the default */
    double gravity[3];              /* m/s^2, default (0, -9.81, 0) */
    int32_t substeps; /* 1..64, default 4: equal parts of a step. Raise it when fast or stiff things
                         misbehave */
    int32_t sweeps;   /* 1..8, default 2: passes over the contacts of a substep. Raise it when piles
                         sink */
    int32_t threads;  /* 1..64, default 1, the calling thread counts. The result is the same for
                         every value */
    sup_simd simd;
} sup_world_def;

SUP_API sup_world_def sup_world_default(void);
SUP_API sup_result sup_world_create(const sup_world_def* def, sup_world** out, sup_error* error);
SUP_API void sup_world_destroy(sup_world* world);

/* Moves everything by exactly dt (1e-6 .. 1 s, dt/substeps at most 0.1) and returns SUP_OK,
   SUP_BAD_ARGUMENT, or SUP_NO_MEMORY with the world as it was before the call. */
SUP_API sup_result sup_world_step(sup_world* world, double dt);
SUP_API double sup_world_time(const sup_world* world);
SUP_API uint64_t sup_world_step_count(const sup_world* world);
/* A number that two worlds share only if they will go on alike. */
SUP_API uint64_t sup_world_hash(const sup_world* world);
SUP_API sup_simd sup_world_simd(const sup_world* world);

/* ---- Material ---- */

/* How the clusters of a body move (h = substep). */
typedef enum sup_scheme {
    SUP_SCHEME_D, /* default: tunable damping, both momenta exact */
    SUP_SCHEME_S, /* the 2005 paper's: no damping at all */
    SUP_SCHEME_P  /* predict and project: damps by itself, loses angular momentum */
} sup_scheme;

/* How `stiffness` becomes the pull per substep, alpha in 0..1. */
typedef enum sup_stiffness_rule {
    SUP_STIFFNESS_AUTO,      /* STATIC for D and P, FREQUENCY for S */
    SUP_STIFFNESS_STATIC,    /* (w0 h)^2: sag under load right at every h */
    SUP_STIFFNESS_FREQUENCY, /* 4 sin^2(w0 h / 2): swings at w0 at every h */
    SUP_STIFFNESS_IMPLICIT,  /* (w0 h)^2 / (1 + (w0 h)^2): for changing h */
    SUP_STIFFNESS_RELAX,     /* 1 - exp(-h / tau), stiffness is tau in s */
    SUP_STIFFNESS_RAW,       /* stiffness is alpha itself: depends on the step */
    SUP_STIFFNESS_RIGID      /* alpha = delta = 1: does not deform */
} sup_stiffness_rule;

typedef struct sup_material {
    sup_scheme scheme;
    sup_stiffness_rule rule;
    double stiffness; /* w0, rad/s, 0..1e5, default 120: natural frequency of a deformation. Raise
                         it when the body is too soft */
    double damping; /* ratio zeta, 0..1, default 0.3. Raise it when it wobbles too long. Not used by
                       S, P and RIGID */
    double raw_damping;      /* delta per substep, 0..1; < 0 (default): from damping */
    double friction_static;  /* 0..2, default 0.5. Pairs use the geometric mean */
    double friction_kinetic; /* 0..friction_static, default 0.4 */
    double restitution;      /* 0..1, default 0. Pairs use the larger */
} sup_material;

/* ---- Bodies ---- */

typedef struct sup_body_def {
    size_t size;
    sup_blueprint* blueprint;
    double position[3];         /* m, where the blueprint's origin goes */
    double rotation[4];         /* quaternion (x, y, z, w), default (0, 0, 0, 1); normalised */
    double velocity[3];         /* m/s of the centre of mass */
    double angular_velocity[3]; /* rad/s about the centre of mass, world frame */
    double gravity_scale;       /* default 1 */
    sup_material material;
    uint64_t user; /* yours */
} sup_body_def;

SUP_API sup_body_def sup_body_default(void);
SUP_API sup_result sup_body_create(sup_world* world, const sup_body_def* def, sup_body* out,
                                   sup_error* error);
SUP_API sup_result sup_body_destroy(sup_world* world, sup_body body);
SUP_API bool sup_body_is_valid(const sup_world* world, sup_body body);
/* Living bodies in order of creation; returns how many there are, writes at most `capacity`. */
SUP_API int32_t sup_world_bodies(const sup_world* world, sup_body* out, int32_t capacity);

SUP_API const sup_blueprint* sup_body_blueprint(const sup_world* world,
                                                sup_body body); /* NULL when stale */
SUP_API uint64_t sup_body_user(const sup_world* world, sup_body body);
SUP_API sup_result sup_body_set_material(sup_world* world, sup_body body,
                                         const sup_material* material, sup_error* error);
/* Places (m, world) and velocities (m/s) of the particles by id; either array may be NULL
 * (particle_count). */
SUP_API sup_result sup_body_read_particles(const sup_world* world, sup_body body, sup_point* places,
                                           sup_vec3* velocities);
SUP_API sup_result sup_body_write_particles(sup_world* world, sup_body body,
                                            const sup_point* places, const sup_vec3* velocities,
                                            sup_error* error);
/* Vertices of the drawn surface relative to `origin` (vertex_count). */
SUP_API sup_result sup_body_read_vertices(const sup_world* world, sup_body body,
                                          const double origin[3], sup_vec3* vertices);
/* Box around the particles, world. */
SUP_API sup_result sup_body_bounds(const sup_world* world, sup_body body, double low[3],
                                   double high[3]);

/* ---- Colliders ---- */

typedef enum sup_collider_kind {
    SUP_COLLIDER_PLANE, /* solid below its local y = 0 */
    SUP_COLLIDER_SPHERE,
    SUP_COLLIDER_BOX
} sup_collider_kind;

typedef struct sup_collider_def {
    size_t size;
    sup_collider_kind kind;
    double position[3], rotation[4];
    double radius;       /* m, sphere; default 0.5 */
    double half_size[3]; /* m, box; default 0.5 each */
    double thickness;    /* m, distance kept from the surface; default 0.002 */
    double friction_static, friction_kinetic,
        restitution; /* as in sup_material; defaults 0.5, 0.4, 0 */
    uint64_t user;
} sup_collider_def;

SUP_API sup_collider_def sup_collider_default(void);
SUP_API sup_result sup_collider_create(sup_world* world, const sup_collider_def* def,
                                       sup_collider* out, sup_error* error);
SUP_API sup_result sup_collider_destroy(sup_world* world, sup_collider collider);
SUP_API bool sup_collider_is_valid(const sup_world* world, sup_collider collider);

/* ---- What happened ---- */

typedef enum sup_event_kind {
    SUP_EVENT_BODY_RESTORED, /* the body became non-finite or left the range: put back with zero
                                velocity */
    SUP_EVENT_STIFFNESS_SATURATED /* w0 h is above what a substep can carry; `value` = substeps
                                     needed */
} sup_event_kind;

typedef struct sup_event {
    sup_event_kind kind;
    sup_body body;
    double value;
} sup_event;

/* Events of the last step, in body order; valid until the next step. */
SUP_API const sup_event* sup_world_events(const sup_world* world, int32_t* count);

/* Wall time of the phases of the last step, ms. */
typedef struct sup_profile {
    double begin, integrate, contacts, project, settle, total;
} sup_profile;
SUP_API sup_profile sup_world_profile(const sup_world* world);

/* Numbers about the whole world, computed when asked for (double, fixed order). */
typedef struct sup_measures {
    double time;
    double kinetic, potential, elastic; /* J; potential against the origin */
    double momentum[3],
        angular_momentum[3]; /* kg m/s; kg m^2/s about the origin; pinned particles do not count */
    double top_speed;        /* m/s */
    double strain_largest,
        strain_mean; /* per cluster: root of sum w|x-g|^2 / sum w|q|^2, mean weighted by mass */
    int32_t contact_count; /* body-body and body-collider, of the last substep */
    double deepest;        /* m, of those, after the step */
    double deepest_share;  /* the same as a share of the particle radius, body-body only */
} sup_measures;
SUP_API sup_measures sup_world_measure(const sup_world* world);

#ifdef __cplusplus
}
#endif
#endif
