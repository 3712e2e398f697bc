/* Bodies and their materials. */
#ifndef SUPPLE_BODY_H
#define SUPPLE_BODY_H

#include "supple/blob.h"
#include "supple/blueprint.h"
#include "supple/clay.h"
#include "supple/frame.h"
#include "supple/overlap.h"
#include "supple/spring.h"
#include "supple/world.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ---- Material ---- */

/* How the clusters of a body move (h = substep). */
typedef enum sup_scheme {
    SUP_SCHEME_D, /* default: tunable damping, both momenta exact */
    SUP_SCHEME_S, /* the 2005 paper's: no damping at all */
    SUP_SCHEME_P  /* predict and project: damps by itself, loses angular momentum */
} sup_scheme;

/* What shape a cluster pulls its particles to: the one of its rest shapes that fits them best. */
typedef enum sup_match_mode {
    SUP_MATCH_RIGID,    /* default: turned and moved */
    SUP_MATCH_LINEAR,   /* stretched and sheared too */
    SUP_MATCH_QUADRATIC /* twisted and bent too */
} sup_match_mode;

/* How `stiffness` becomes the pull per substep, alpha in 0..1. */
typedef enum sup_stiffness_rule {
    SUP_STIFFNESS_AUTO,      /* STATIC for D and P, FREQUENCY for S */
    SUP_STIFFNESS_STATIC,    /* (w0 h)^2: sag under load right at every h */
    SUP_STIFFNESS_FREQUENCY, /* 4 sin^2(w0 h / 2): swings at w0 at every h */
    SUP_STIFFNESS_IMPLICIT,  /* (w0 h)^2 / (1 + (w0 h)^2): for changing h */
    SUP_STIFFNESS_RELAX,     /* 1 - exp(-h / tau), stiffness is tau in s */
    SUP_STIFFNESS_RAW,       /* stiffness is alpha itself: depends on the step */
    SUP_STIFFNESS_MODULUS, /* stiffness is Young's modulus, Pa: w0 follows from it, the density, the
                              size of the clusters and beta, then as AUTO. Not with a beta of 1 */
    SUP_STIFFNESS_RIGID    /* alpha = delta = 1: does not deform */
} sup_stiffness_rule;

/* How fast a cluster that is strained beyond its yield takes the strain for good. */
typedef enum sup_plastic_rule {
    SUP_PLASTIC_LOG,  /* default: what is beyond the yield goes at the rate `creep` at every h; the
                         volume and the limit are kept exactly */
    SUP_PLASTIC_PAPER /* the 2005 paper's: h creep of the whole strain (all of it where that is
                         above 1) as soon as it is beyond the yield */
} sup_plastic_rule;

/* Lasting deformation: of what a cluster is strained, part becomes its rest shape. Strains are
   those of its most stretched or squeezed direction: 0.1 is a tenth longer or shorter. Volume does
   not flow. A body that flows does not fall asleep; one with slow flow under a load stays awake
   until it has come to the limit. */
typedef struct sup_plasticity {
    bool on; /* default false. A body that it is turned off for keeps the shape that it has got */
    sup_plastic_rule rule;
    double yield; /* strain, 0..1e9, default 0.1: up to here it springs back. Raise it when the body
                     takes dents too easily */
    double creep; /* 1/s, 0..1e3, default 10: rate at which strain beyond the yield becomes
                     lasting. Raise it when a short blow should leave its mark */
    double limit; /* strain, 0..4, default 0.5: no cluster is deformed for good beyond it. Raise it
                     when the body should take any shape */
    double
        flow_time; /* s, 0 (default: off)..1e6: time in which a lasting strain, however small,
                      fades to 37 %, as of pitch or bread dough. Raise it when it flows too fast */
    double
        flow_power;     /* 1..5, default 1: above 1 small strains flow more slowly than in
                           proportion. Raise it when it should sag under much and stand under little */
    double flow_strain; /* strain, 1e-6..1, default 0.01: at this one it flows in flow_time,
                           whatever the power. Raise it together with the strains that matter */
    double flow_least;  /* strain, 1e-6..1, default 1e-4: below it nothing flows slowly. Raise it
                           when the body should come to rest sooner */
} sup_plasticity;

typedef struct sup_material {
    sup_scheme scheme;
    sup_stiffness_rule rule;
    sup_match_mode mode;
    bool keeps_volume; /* default true: linear and quadratic goals have the volume of the rest
                          shape */
    double beta; /* 0..1, default 0.5: share of the linear or quadratic shape in the goal, the rest
                    is rigid. Raise it when the body should stretch and bend more; above 0.9 it
                    hardly remembers its shape. Not used by RIGID */
    double stiffness; /* w0, rad/s, 0..1e5, default 120: natural frequency of a deformation. Raise
                         it when the body is too soft. MODULUS: Pa, 0..1e12 */
    double damping; /* ratio zeta, 0..1, default 0.3. Raise it when it wobbles too long. Not used by
                       S, P and RIGID */
    double raw_damping;      /* delta per substep, 0..1; < 0 (default): from damping */
    double friction_static;  /* 0..2, default 0.5. Pairs use the geometric mean */
    double friction_kinetic; /* 0..friction_static, default 0.4 */
    double restitution;      /* 0..1, default 0. Pairs use the larger */
    sup_plasticity plastic;  /* default off */
} sup_material;

/* ---- Bodies ---- */

/* Axes of the world; a set of them is their sum. */
typedef enum sup_axis { SUP_AXIS_X = 1, SUP_AXIS_Y = 2, SUP_AXIS_Z = 4 } sup_axis;

typedef struct sup_body_def {
    size_t size;
    sup_blueprint* blueprint;
    double position[3];         /* m, where the blueprint's origin goes */
    double rotation[4];         /* quaternion (x, y, z, w), default (0, 0, 0, 1); normalised */
    double velocity[3];         /* m/s of the centre of mass */
    double angular_velocity[3]; /* rad/s about the centre of mass, world frame */
    double gravity_scale;       /* default 1 */
    sup_material material;
    const sup_material* region_materials; /* by region (region_count of the blueprint), all of the
                                             same scheme, rules and mode; NULL: `material` for
                                             all */
    sup_spring_settings springs;          /* used where the blueprint has springs */
    sup_frame_settings frames;            /* used where it has links or parts */
    sup_overlap_settings overlap;         /* used where it has tetrahedra */
    sup_blob_settings blob;               /* used where it is soft substance */
    sup_filter filter;
    int32_t locked;   /* sum of sup_axis, default 0: along these no particle ever moves by itself,
                         whatever pushes it. SUP_AXIS_Z: a body in a plane. Not all three */
    bool stays_awake; /* never falls asleep; default false */
    uint64_t user;    /* yours */
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
/* The material of one region, 0 .. region_count - 1. Scheme, rules and mode must be those of the
   body, and so must `on`, rule and slow flow of its plasticity. A cluster moves by the mean of its
   particles' materials, weighted by mass. */
SUP_API sup_result sup_body_set_region_material(sup_world* world, sup_body body, int32_t region,
                                                const sup_material* material, sup_error* error);
/* How all regions of a body match their shape, whatever else their materials say. */
SUP_API sup_result sup_body_set_mode(sup_world* world, sup_body body, sup_match_mode mode,
                                     sup_error* error);
/* Another blueprint of the same particles: ids, masses, pins, contact radii, regions and drawn
   surface must be those of the present one; clusters and rest shape may differ. Refused with what
   differs. Places and velocities stay, so linear and angular momentum do too, and the handle,
   attachments and meetings stay valid; only what holds the particles together is new. What has
   become lasting stays: each new cluster has the mean of what its particles had. The body wakes,
   unless the blueprint is equal to its own. Bodies that tear, cloth with levels, and
   bodies with links or parts keep their own. */
SUP_API sup_result sup_body_set_blueprint(sup_world* world, sup_body body, sup_blueprint* blueprint,
                                          sup_error* error);
/* How the springs of a body move it; refused where the blueprint has none. */
SUP_API sup_result sup_body_set_springs(sup_world* world, sup_body body,
                                        const sup_spring_settings* settings, sup_error* error);
/* How the links and parts of a body move it; refused where the blueprint has neither. */
SUP_API sup_result sup_body_set_frames(sup_world* world, sup_body body,
                                       const sup_frame_settings* settings, sup_error* error);
/* How a body with tetrahedra meets others with such; refused where the blueprint has none. */
SUP_API sup_result sup_body_set_overlap(sup_world* world, sup_body body,
                                        const sup_overlap_settings* settings, sup_error* error);
/* How soft substance moves and is drawn; refused where the body is none. With another `volume` the
   drawn surface begins again as that of a new body. */
SUP_API sup_result sup_body_set_blob(sup_world* world, sup_body body,
                                     const sup_blob_settings* settings, sup_error* error);
/* Makes the body clay, or changes how it gives way; NULL: it is clay no more, and has the shape of
   its blueprint. Refused: bodies but those of one cluster, matched rigidly and not plastic, whose
   particles are the points of a surface. A body of clay keeps its blueprint. Its dents are part of
   its state; sup_body_reset_rest and sup_body_reset take them out. */
SUP_API sup_result sup_body_set_clay(sup_world* world, sup_body body,
                                     const sup_clay_settings* settings, sup_error* error);
/* How it gives way. False: it is gone or no clay, and `out` is unchanged. */
SUP_API bool sup_body_get_clay(const sup_world* world, sup_body body, sup_clay_settings* out);
/* How far each particle (in the order of ids) of the shape has been moved for good, in m, in the
   frame of the blueprint; 0 where the body is no clay. */
SUP_API sup_result sup_body_read_dents(const sup_world* world, sup_body body, sup_vec3* moved);
/* Refused where the blueprint has no springs. */
SUP_API sup_result sup_body_measure_springs(const sup_world* world, sup_body body,
                                            sup_spring_measures* out);
/* What sup_world_measure tells of all bodies, of one; nothing of contacts. */
SUP_API sup_result sup_body_measure(const sup_world* world, sup_body body, sup_measures* out);
SUP_API sup_result sup_body_set_filter(sup_world* world, sup_body body, sup_filter filter);

/* Where the pinned particles are at the end of the next step (m, pinned_count, in the order of
   sup_blueprint_read_pins); every substep goes its part of the way. They stay there until moved
   again. Along locked axes they stay where they are. */
SUP_API sup_result sup_body_move_pins(sup_world* world, sup_body body, const sup_point* places,
                                      sup_error* error);
/* The same for the rotations of pinned oriented particles (pinned_count, in that order), by the
   shorter way. Refused where the blueprint has neither links nor parts. */
SUP_API sup_result sup_body_turn_pins(sup_world* world, sup_body body, const sup_quat* rotations,
                                      sup_error* error);
/* Moves the body as it is: shifts it by `shift` (m) and turns it about its centre of mass by
   `rotation` (NULL: not). Its velocities turn along; nothing between here and there is met. */
SUP_API sup_result sup_body_teleport(sup_world* world, sup_body body, const double shift[3],
                                     const double rotation[4], sup_error* error);
/* Back to how it was created. */
SUP_API sup_result sup_body_reset(sup_world* world, sup_body body);

/* The shape of the blueprint is the rest shape again: the body springs back to it. */
SUP_API sup_result sup_body_reset_rest(sup_world* world, sup_body body);
/* A new blueprint that has the body as it is now for its rest shape, turned and moved back to where
   the old one lies; masses, clusters, pins, regions and contact radii are the old ones. What the
   body was strained is strain no more, so that a body made from it stands still where the old one
   would spring back. Give it to the body itself with sup_body_set_blueprint and then
   sup_body_reset_rest: what was lasting is in the shape now. Release it like any other. A body
   of a lattice is refused: its particles would leave their nodes. */
SUP_API sup_result sup_body_bake(const sup_world* world, sup_body body, sup_blueprint** out,
                                 sup_error* error);
/* How far each cluster is deformed for good: the symmetric stretch xx yy zz xy yz zx of its rest
   offsets in the blueprint's frame, 1 1 1 0 0 0 where it is not (6 * cluster_count). */
SUP_API sup_result sup_body_read_plastic(const sup_world* world, sup_body body, float* stretches);

/* A paused body stands still and is immovable for all others. */
SUP_API sup_result sup_body_set_paused(sup_world* world, sup_body body, bool paused);
SUP_API bool sup_body_is_paused(const sup_world* world, sup_body body);
/* A sleeping body does not change until it is touched, edited, or what it lies on moves. */
SUP_API bool sup_body_is_asleep(const sup_world* world, sup_body body);
SUP_API sup_result sup_body_wake(sup_world* world, sup_body body);

/* Places (m, world) and velocities (m/s) of the particles by id; either array may be NULL
 * (particle_count). */
SUP_API sup_result sup_body_read_particles(const sup_world* world, sup_body body, sup_point* places,
                                           sup_vec3* velocities);
/* Velocities along locked axes become 0; places are taken as they are. */
SUP_API sup_result sup_body_write_particles(sup_world* world, sup_body body,
                                            const sup_point* places, const sup_vec3* velocities,
                                            sup_error* error);
/* Rotations of the oriented particles since they were at rest, and angular velocities (rad/s,
   world frame), by id; either array may be NULL (particle_count). Refused where the blueprint has
   neither links nor parts. */
SUP_API sup_result sup_body_read_turns(const sup_world* world, sup_body body, sup_quat* rotations,
                                       sup_vec3* spins);
SUP_API sup_result sup_body_write_turns(sup_world* world, sup_body body, const sup_quat* rotations,
                                        const sup_vec3* spins, sup_error* error);
/* Vertices of the drawn surface relative to `origin` (vertex_count). */
SUP_API sup_result sup_body_read_vertices(const sup_world* world, sup_body body,
                                          const double origin[3], sup_vec3* vertices);
/* The surface of soft substance as it is now, closed triangles relative to `origin`; others in
   every step. `normals` (may be NULL): unit, by point of the mesh. The caller frees both, with
   sup_mesh_free and sup_points_free of the world's allocator. Refused for other bodies. */
SUP_API sup_result sup_body_find_surface(const sup_world* world, sup_body body,
                                         const double origin[3], sup_mesh* mesh, sup_vec3** normals,
                                         sup_error* error);
/* Unit normals of the drawn surface, and tangents (fourth entry: the side, 1 or -1) where the
   blueprint has some; either array may be NULL (vertex_count). Skins on oriented particles turn
   those at rest; other surfaces have the means of their polygons, and no tangents. 0 where there is
   no direction. */
SUP_API sup_result sup_body_read_normals(const sup_world* world, sup_body body, sup_vec3* normals,
                                         sup_row* tangents);
/* From places on or near a skin on oriented particles (m, world) back to where they were at rest
   (m, as the blueprint was given): to paint on a body that has moved, to look up a texture, to
   pick. `found` (count; may be NULL): false where the skin is so folded or flat that no place, or
   several, would do; then it is what the nearest particle says. */
SUP_API sup_result sup_body_find_rest(const sup_world* world, sup_body body, int32_t count,
                                      const sup_point* places, sup_point* rest, bool* found,
                                      sup_error* error);
/* The particle that each vertex of the drawn surface follows now (vertex_count): others where the
   surface has torn. Refused where vertices are no particles. */
SUP_API sup_result sup_body_read_vertex_particles(const sup_world* world, sup_body body,
                                                  int32_t* ids);
/* Box around the particles, world. */
SUP_API sup_result sup_body_bounds(const sup_world* world, sup_body body, double low[3],
                                   double high[3]);

#ifdef __cplusplus
}
#endif
#endif
