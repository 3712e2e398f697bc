/* What a scene file says, checked value by value, before anything of it exists. */
#ifndef SUPPLE_SCENE_DRAFT_H
#define SUPPLE_SCENE_DRAFT_H

#include "scene/reader.h"
#include "supple/mesh.h"
#include "supple/supple.h"

/* Angles are degrees here, as in the file; lengths m, masses kg, times s. */

typedef struct supi_plastic_draft {
    const supi_json* place; /* NULL: not plastic */
    int32_t rule;           /* sup_plastic_rule */
    double yield, creep, limit;
    double flow_time, flow_power, flow_strain, flow_least;
} supi_plastic_draft;

typedef struct supi_material_draft {
    const supi_json* place;
    int32_t scheme, rule, mode; /* sup_scheme, sup_stiffness_rule, sup_match_mode */
    bool keep_volume;
    double beta;
    double stiffness, damping, raw_damping;
    double friction, sliding_friction; /* sliding < 0: 0.8 of friction */
    double restitution;
    supi_plastic_draft plastic;
} supi_material_draft;

typedef enum supi_shape_kind {
    SUPI_SHAPE_BOX,
    SUPI_SHAPE_ICOSPHERE,
    SUPI_SHAPE_TORUS,
    SUPI_SHAPE_CAPSULE,
    SUPI_SHAPE_GRID,
    SUPI_SHAPE_MESH,
    SUPI_SHAPE_ROPE,
    SUPI_SHAPE_VOXELS,
    SUPI_SHAPE_RIG,
    SUPI_SHAPE_MODEL
} supi_shape_kind;

typedef struct supi_shape_draft {
    const supi_json* place;
    supi_shape_kind kind;
    int32_t least;               /* voxels */
    double size[3];              /* box, grid (x and z) */
    double radius, tube, length; /* icosphere, torus, capsule */
    int32_t segments[3];         /* box, torus (around, tube), capsule (around), grid */
    int32_t subdivisions;        /* icosphere */
    int32_t rings, rows;         /* capsule */
    const char* file;            /* mesh, voxels, rig */
    double from[3], to[3];       /* rope */
    double cell;                 /* voxels */
    sup_model model;             /* model */
    double detail;               /* the same */
} supi_shape_draft;

typedef struct supi_struts_draft {
    const supi_json* place; /* NULL: none */
    double stiffness;
    int32_t every;
    bool split;
} supi_struts_draft;

typedef enum supi_weave_kind {
    SUPI_WEAVE_CLOTH,
    SUPI_WEAVE_MESH,
    SUPI_WEAVE_SHELL,
    SUPI_WEAVE_BLOCK,
    SUPI_WEAVE_HEXES,
    SUPI_WEAVE_ROPE,
    SUPI_WEAVE_ELEMENTS,
    SUPI_WEAVE_SOLID /* springs of a solid: no key of its own */
} supi_weave_kind;

/* Which springs hold a body, as the sup_weave_x_def of its kind says. */
typedef struct supi_weave_draft {
    const supi_json* place; /* NULL: none */
    supi_weave_kind kind;
    double stretch, shear, bend;            /* cloth, rope; mesh: shear and bend are shares */
    double young, stiffness, space;         /* solids; mesh; hexes */
    double poisson;                         /* solids, mesh; 0: that of springs alone */
    double density, thickness, scale, cell; /* all; shell and mesh; shell; block */
    int32_t layers, inner, rule;            /* shell; shell and block */
    bool centre, slack;                     /* shell; rope */
    double tear, tear_force, spare;         /* cloth, mesh; both 0: it does not tear */
    int32_t levels, refine_rule;            /* cloth; sup_refine_rule */
    double refine_angle;                    /* cloth */
    supi_struts_draft struts;               /* mesh */
    supi_sets corners;                      /* elements */
} supi_weave_draft;

/* What acts beside springs, as the structs of supple/spring.h say. */
typedef struct supi_air_draft {
    const supi_json* place;
    double across, along;
} supi_air_draft;
typedef struct supi_pressure_draft {
    const supi_json* place;
    double inside, outside, power;
} supi_pressure_draft;
typedef struct supi_bulk_draft {
    const supi_json* place;
    double area, volume, bend;
} supi_bulk_draft;
typedef struct supi_anchor_draft {
    const supi_json* place;
    double frequency, damping;
    int32_t frame; /* sup_anchor_frame */
} supi_anchor_draft;
typedef struct supi_yield_draft {
    const supi_json* place;
    double strain, time, limit;
} supi_yield_draft;

/* How springs move a body; damping is their ratio. */
typedef struct supi_springs_draft {
    const supi_json* place;
    int32_t integrator; /* sup_integrator */
    double damping, drag, tolerance;
    int32_t iterations, newton;
    int32_t preconditioner; /* sup_preconditioner */
    bool adaptive, meet_itself;
    double thickness;
    double error_length, error_strain;
    double limit, limit_compression; /* 0: off */
    int32_t limit_kinds;             /* sup_limit_kinds */
    int32_t limit_sweeps;
    supi_air_draft air;
    supi_pressure_draft pressure;
    supi_bulk_draft solid;
    supi_anchor_draft anchor;
    supi_yield_draft yield;
} supi_springs_draft;

/* Which oriented particles hold a body. */
typedef enum supi_fit_kind {
    SUPI_FIT_AUTO,
    SUPI_FIT_INSIDE,
    SUPI_FIT_SURFACE,
    SUPI_FIT_CHAIN
} supi_fit_kind;

typedef struct supi_fit_draft {
    const supi_json* place;
    supi_fit_kind kind;
    double spacing; /* 0: by `count` */
    int32_t count, seed;
    double reach;                        /* of links; 0: 1.6 spacings */
    double aspect;                       /* of ellipsoids, at most */
    double radius;                       /* chain; 0: half a segment */
    double turn_radius;                  /* chain; 0: as the radius */
    double compliance, damping, torsion; /* of links; torsion < 0: free */
} supi_fit_draft;

typedef struct supi_dent_draft {
    const supi_json* place; /* NULL: parts take no dents */
    double speed, limit, time, stiffness, keep;
} supi_dent_draft;

/* How links and parts move a body. */
typedef struct supi_frames_draft {
    const supi_json* place;
    int32_t mode, torsion, friction; /* sup_frame_mode, sup_torsion_mode, sup_friction_rule */
    double stiffness, modulus, damping, turn_damping, turn, slerp, pin_factor;
    double drag, turn_drag, rolling_friction;
    bool restore, meet_itself;
    supi_dent_draft dents;
    supi_air_draft air;
} supi_frames_draft;

/* Tetrahedra in a shape, and what holds them together: as sup_solid_def says. */
typedef struct supi_filled_draft {
    const supi_json* place; /* NULL: none */
    int32_t kind;           /* sup_solid_kind */
    double cell;
    int32_t count, method;   /* sup_tets_method */
    double young, poisson;   /* springs */
    int32_t reach;           /* clusters */
    int32_t particles, seed; /* frames */
} supi_filled_draft;

/* How a body of tetrahedra gets out of others. */
typedef struct supi_overlap_draft {
    const supi_json* place;
    int32_t mode; /* sup_overlap_mode */
    bool meet_itself, edges;
    double stiffness, depart, shift, damping;
} supi_overlap_draft;

typedef struct supi_clusters_draft {
    const supi_json* place;
    sup_cluster_layout layout;
    double edge; /* 0: 4 spacings */
    double overlap;
    int32_t reach;
    bool joints;
    supi_sets sets; /* particle ids: of clusters, or corners of elements */
} supi_clusters_draft;

/* Soft substance, as sup_blob_settings says. */
typedef struct supi_blob_draft {
    const supi_json* place;
    double spacing, stiffness, friction, drag, iso;
    int32_t cells, volume; /* volume: sup_blob_volume */
    bool central;
    bool surface; /* is drawn; else its particles are, as spheres */
} supi_blob_draft;

/* Clay, as sup_clay_settings says. */
typedef struct supi_clay_draft {
    const supi_json* place;
    double strength, rate; /* rate 0: infinite */
    double transfer, transverse;
    int32_t reach;
} supi_clay_draft;

/* What a level of detail says in place of the body; settled by the check. */
typedef struct supi_detail_draft {
    const supi_json* place;
    supi_clusters_draft clusters; /* no place: those of the body */
    int32_t mode;                 /* sup_match_mode; < 0: that of its material */
} supi_detail_draft;

typedef enum supi_copies_kind { SUPI_COPIES_GRID, SUPI_COPIES_SCATTER } supi_copies_kind;

typedef struct supi_copies_draft {
    const supi_json* place;
    supi_copies_kind kind;
    int32_t count[3]; /* scatter: the first */
    double step[3];
    double low[3], high[3], gap;
    int32_t seed;
    bool turn;
} supi_copies_draft;

typedef struct supi_box_draft {
    const supi_json* place;
    double low[3], high[3];
} supi_box_draft;

typedef struct supi_ball_draft {
    const supi_json* place;
    double centre[3], radius;
} supi_ball_draft;

/* Which particles of a body are meant, in its own frame after scaling. Its four keys stand among
   those of its owner; at most one of them is given. */
typedef struct supi_pick_draft {
    supi_box_draft box;
    supi_ball_draft sphere;
    supi_list index; /* int32_t */
    double nearest[3];
} supi_pick_draft;

/* What a key frame says; `position` is an offset for pins. */
typedef struct supi_key_draft {
    const supi_json* place;
    double time, position[3], rotation[3];
} supi_key_draft;

enum { SUPI_LINEAR, SUPI_SMOOTH };

typedef struct supi_motion_draft {
    const supi_json* place;
    supi_list keys;        /* supi_key_draft */
    int32_t interpolation; /* SUPI_LINEAR, SUPI_SMOOTH */
    bool loop;
} supi_motion_draft;

typedef struct supi_pin_draft {
    const supi_json* place;
    supi_pick_draft pick;
    supi_motion_draft motion;
} supi_pin_draft;

/* Discs that a part rolls on, in place of the particles picked for it. */
typedef struct supi_disc_draft {
    const supi_json* place; /* NULL: there are none */
    double from[3], to[3], radius;
    int32_t count;
} supi_disc_draft;

typedef struct supi_part_draft {
    const supi_json* place;
    supi_pick_draft pick;
    bool rest;             /* in place of a pick: all that are in no part yet */
    supi_dent_draft dents; /* no place: those of the body */
    supi_disc_draft discs;
} supi_part_draft;

/* Where two parts are joined: in a point, or along an axle. */
typedef struct supi_joint_draft {
    const supi_json* place;
    int32_t parts[2];
    double at[3], to[3];
} supi_joint_draft;

typedef struct supi_region_draft {
    const supi_json* place;
    supi_pick_draft pick;
    const supi_json* material_place;
    supi_material_draft material; /* found after all materials were read */
} supi_region_draft;

typedef struct supi_body_draft {
    const supi_json* place;
    const char* name;
    supi_shape_draft shape;
    double scale[3];
    double fill, weld, radius; /* weld < 0: the engine's default */
    bool pass_through, paused, stays_awake;
    uint8_t locked;           /* sum of sup_axis */
    int32_t skin, skin_slots; /* sup_skin_kind; of oriented particles */
    int32_t detail;           /* at the start; < 0: the finest */
    supi_clusters_draft clusters;
    const supi_filled_draft* solid;    /* NULL: none */
    const supi_weave_draft* weave;     /* NULL: none */
    const supi_springs_draft* springs; /* NULL: all defaults */
    const supi_fit_draft* fit;         /* NULL: its particles are not oriented */
    const supi_frames_draft* frames;   /* NULL: all defaults */
    const supi_overlap_draft* overlap; /* NULL: all defaults */
    const supi_blob_draft* blob;       /* NULL: it is no soft substance */
    const supi_clay_draft* clay;       /* NULL: it is no clay */
    supi_list parts;                   /* supi_part_draft */
    supi_list joints;                  /* supi_joint_draft */
    supi_list details;                 /* supi_detail_draft, coarse to fine */
    supi_material_draft material; /* its place is a name or an object, or NULL: all defaults. The
                                     rest is found after all materials were read */
    double density, mass;         /* 0: not given */
    double position[3], rotation[3], velocity[3], spin[3];
    double gravity_scale;
    double colour[3]; /* linear; < 0: from the palette */
    double roughness;
    supi_copies_draft copies;
    supi_list regions; /* supi_region_draft */
    supi_list pins;    /* supi_pin_draft */
    double pin_factor;
    supi_list category, mask; /* int32_t; items = NULL: the default */
} supi_body_draft;

typedef struct supi_hills_draft {
    const supi_json* place;
    double height, length, rim;
    int32_t octaves, seed;
} supi_hills_draft;

typedef struct supi_animation_draft {
    const supi_json* place;
    const char* file;
    double fps; /* 0: the scene's */
    bool loop;
} supi_animation_draft;

typedef struct supi_solid_draft {
    const supi_json* place;
    sup_collider_kind kind;
    double radius, length;
    double size[3];   /* box; heights: along x and z */
    const char* file; /* mesh */
    double scale[3];
    supi_animation_draft animation;
    supi_rows rows; /* heights: either these or hills */
    int32_t cells[2];
    supi_hills_draft hills;
} supi_solid_draft;

typedef struct supi_collider_draft {
    const supi_json* place;
    const char* name;
    supi_solid_draft shape;
    double position[3], rotation[3];
    supi_motion_draft motion;
    bool inverted, sensor;
    supi_list category, mask; /* int32_t; items = NULL: the default */
    double friction, sliding_friction, restitution, thickness;
    double colour[3], roughness;
} supi_collider_draft;

/* What holds a particle: one of a body, a point of a collider, or a point of the world. */
typedef struct supi_end_draft {
    const supi_json* place; /* NULL: the place where the particle is */
    const char* body;
    const char* collider;
    supi_pick_draft pick;
    double point[3];
    supi_motion_draft motion;
} supi_end_draft;

typedef struct supi_attachment_draft {
    const supi_json* place;
    const char* name;
    const char* body;
    supi_pick_draft pick;
    supi_end_draft to;
    double length, stiffness, damping, force_limit, break_force;
    bool keep_length, meet;
} supi_attachment_draft;

typedef struct supi_sleep_draft {
    const supi_json* place;
    double speed, time;
} supi_sleep_draft;

/* As sup_wind says. */
typedef struct supi_wind_draft {
    const supi_json* place; /* NULL: no air */
    double velocity[3], gust, gust_length, gust_time, density;
    int32_t seed;
} supi_wind_draft;

typedef struct supi_camera_draft {
    const supi_json* place;
    double from[3], look_at[3], fov;
} supi_camera_draft;

typedef struct supi_scene_draft {
    const supi_json* place;
    const char* schema; /* for editors only */
    int32_t version;
    const char* name; /* NULL: none */
    double fps;
    int32_t frames, substeps, sweeps;
    double gravity[3];
    double budget_ms; /* 0: none */
    supi_sleep_draft sleep;
    supi_wind_draft wind;
    const supi_json* materials; /* NULL: none */
    supi_list bodies;           /* supi_body_draft */
    supi_list colliders;        /* supi_collider_draft */
    supi_list attachments;      /* supi_attachment_draft */
    supi_camera_draft camera;
    double background[3]; /* linear */
} supi_scene_draft;

/* The table of the whole file; all others hang on it. */
extern const supi_table supi_draft_table;
extern const supi_table supi_draft_material_table;
extern const supi_table supi_draft_body_table;       /* in draft_body.c */
extern const supi_table supi_draft_collider_table;   /* in draft_collider.c */
extern const supi_table supi_draft_attachment_table; /* in draft_attachment.c */
/* Motion of colliders, of pins and of points, and what a pick is made of: in draft_motion.c. */
extern const supi_table supi_draft_motion_table, supi_draft_pin_motion_table,
    supi_draft_point_motion_table, supi_draft_box_table, supi_draft_ball_table;
/* Which springs hold a body, and how they move it: in draft_springs.c. */
extern const supi_choice supi_draft_weaves[];
extern const supi_table supi_draft_springs_table, supi_draft_air_table;
/* Which oriented particles hold a body, and how they move it: in draft_frames.c. */
extern const supi_choice supi_draft_fits[];
extern const supi_table supi_draft_frames_table, supi_draft_part_table, supi_draft_joint_table;
/* Tetrahedra in a body, and how it meets others: in draft_solid.c. */
extern const supi_choice supi_draft_solids[];
extern const supi_table supi_draft_overlap_table;
extern const supi_table supi_draft_blob_table; /* in draft_blob.c */
extern const supi_table supi_draft_clay_table; /* in clay.c */
extern const char* const supi_draft_rules[];   /* as sup_stiffness_rule */
extern const char* const supi_draft_modes[];   /* as sup_match_mode */

/* Reads the file and what its parts must agree on. Everything lives in the reader's store or in the
 * document. */
sup_result supi_draft_read(const supi_reader* reader, const supi_json* root,
                           supi_scene_draft* draft);
/* What several values must agree on; finds the materials of bodies and regions. In check.c. */
sup_result supi_draft_check(const supi_reader* reader, supi_scene_draft* draft);

/* Makes a field of a table; the key need not be the member's name. */
#define SUPI_NUMBERS(name, type, member, row, lowest, highest, more)                               \
    {                                                                                              \
        .key = name, .kind = SUPI_FIELD_NUMBER, .flags = more, .count = row,                       \
        .offset = offsetof(type, member), .low = lowest, .high = highest                           \
    }
#define SUPI_NUMBER(name, type, member, lowest, highest, more)                                     \
    SUPI_NUMBERS(name, type, member, sizeof((type*)0)->member / sizeof(double), lowest, highest,   \
                 more)
#define SUPI_INTEGERS(name, type, member, row, lowest, highest, more)                              \
    {                                                                                              \
        .key = name, .kind = SUPI_FIELD_INTEGER, .flags = more, .count = row,                      \
        .offset = offsetof(type, member), .low = lowest, .high = highest                           \
    }
#define SUPI_INTEGER(name, type, member, lowest, highest, more)                                    \
    SUPI_INTEGERS(name, type, member, 1, lowest, highest, more)
#define SUPI_FIELD(name, how, type, member, ...)                                                   \
    { .key = name, .kind = how, .offset = offsetof(type, member), __VA_ARGS__ }

#define SUPI_END                                                                                   \
    { .key = NULL }
/* The four ways to pick particles, in a struct with a member `pick`. */
#define SUPI_PICK(type, more)                                                                      \
    SUPI_FIELD("box", SUPI_FIELD_OBJECT, type, pick.box, .flags = more,                            \
               .table = &supi_draft_box_table),                                                    \
        SUPI_FIELD("sphere", SUPI_FIELD_OBJECT, type, pick.sphere, .flags = more,                  \
                   .table = &supi_draft_ball_table),                                               \
        SUPI_FIELD("index", SUPI_FIELD_NUMBERS, type, pick.index, .flags = more,                   \
                   .high = INT32_MAX),                                                             \
        SUPI_NUMBERS("nearest", type, pick.nearest, 3, -SUPI_FAR, SUPI_FAR, more)

/* Ranges that several tables share. */
#define SUPI_FAR 1e6        /* m, largest place */
#define SUPI_COPIES 1000000 /* of one body */
#define SUPI_REGIONS 255    /* of one body, besides the rest of it */
#define SUPI_DETAILS 16     /* levels of one body */
#define SUPI_BITS 32        /* of a filter */

#endif
