/* What a scene file says, checked value by value, before anything of it exists. */
#ifndef SUPPLE_SCENE_DRAFT_H
#define SUPPLE_SCENE_DRAFT_H

#include "scene/reader.h"
#include "supple/supple.h"

/* Angles are degrees here, as in the file; lengths m, masses kg, times s. */

typedef struct supi_material_draft {
    const supi_json* place;
    int32_t scheme, rule; /* sup_scheme, sup_stiffness_rule */
    double stiffness, damping, raw_damping;
    double friction, sliding_friction; /* sliding < 0: 0.8 of friction */
    double restitution;
} supi_material_draft;

typedef enum supi_shape_kind {
    SUPI_SHAPE_BOX,
    SUPI_SHAPE_ICOSPHERE,
    SUPI_SHAPE_TORUS,
    SUPI_SHAPE_CAPSULE,
    SUPI_SHAPE_GRID,
    SUPI_SHAPE_MESH
} supi_shape_kind;

typedef struct supi_shape_draft {
    const supi_json* place;
    supi_shape_kind kind;
    double size[3];              /* box, grid (x and z) */
    double radius, tube, length; /* icosphere, torus, capsule */
    int32_t segments[3];         /* box, torus (around, tube), capsule (around), grid */
    int32_t subdivisions;        /* icosphere */
    int32_t rings, rows;         /* capsule */
    const char* file;            /* mesh */
} supi_shape_draft;

typedef struct supi_clusters_draft {
    const supi_json* place;
    sup_cluster_layout layout;
    double edge; /* 0: 4 spacings */
    double overlap;
    bool joints;
} supi_clusters_draft;

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

typedef enum supi_pin_kind {
    SUPI_PIN_BOX,
    SUPI_PIN_SPHERE,
    SUPI_PIN_INDEX,
    SUPI_PIN_NEAREST
} supi_pin_kind;

typedef struct supi_pin_draft {
    const supi_json* place;
    supi_pin_kind kind;
    double low[3], high[3];
    double centre[3], radius; /* nearest: the centre */
    supi_list index;          /* int32_t */
} supi_pin_draft;

typedef struct supi_body_draft {
    const supi_json* place;
    const char* name;
    supi_shape_draft shape;
    double scale[3];
    double fill, weld, radius; /* weld < 0: the engine's default */
    bool pass_through;
    supi_clusters_draft clusters;
    const supi_json* material_place; /* a name or an object; NULL: all defaults */
    supi_material_draft material;    /* found after all materials were read */
    double density, mass;            /* 0: not given */
    double position[3], rotation[3], velocity[3], spin[3];
    double gravity_scale;
    double colour[3]; /* linear; < 0: from the palette */
    double roughness;
    supi_copies_draft copies;
    supi_list pins; /* supi_pin_draft */
    double pin_factor;
} supi_body_draft;

typedef struct supi_solid_draft {
    const supi_json* place;
    sup_collider_kind kind;
    double radius, size[3];
} supi_solid_draft;

typedef struct supi_collider_draft {
    const supi_json* place;
    const char* name;
    supi_solid_draft shape;
    double position[3], rotation[3];
    double friction, sliding_friction, restitution, thickness;
    double colour[3], roughness;
} supi_collider_draft;

typedef struct supi_camera_draft {
    const supi_json* place;
    double from[3], look_at[3], fov;
} supi_camera_draft;

typedef struct supi_scene_draft {
    const supi_json* place;
    int32_t version;
    const char* name; /* NULL: none */
    double fps;
    int32_t frames, substeps, sweeps;
    double gravity[3];
    const supi_json* materials; /* NULL: none */
    supi_list bodies;           /* supi_body_draft */
    supi_list colliders;        /* supi_collider_draft */
    supi_camera_draft camera;
    double background[3]; /* linear */
} supi_scene_draft;

/* The table of the whole file; all others hang on it. */
extern const supi_table supi_draft_table;
extern const supi_table supi_draft_material_table;
extern const supi_table supi_draft_body_table; /* in draft_body.c */

/* Reads the file and what its parts must agree on. Everything lives in the reader's store or in the
 * document. */
sup_result supi_draft_read(const supi_reader* reader, const supi_json* root,
                           supi_scene_draft* draft);

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

/* Ranges that several tables share. */
#define SUPI_FAR 1e6        /* m, largest place */
#define SUPI_COPIES 1000000 /* of one body */

#endif
