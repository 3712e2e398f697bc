/* The tables of a collider: its shape, and what it is made of. */
#include "scene/draft.h"

/* ---- shapes ---- */

#define SOLID(name, words, values, ...)                                                            \
    static const supi_solid_draft name##_defaults = values;                                        \
    static const supi_field name##_fields[] = {__VA_ARGS__};                                       \
    static const supi_table name##_table = {words, &name##_defaults, sizeof(supi_solid_draft),     \
                                            name##_fields}
#define VALUES(...)                                                                                \
    { __VA_ARGS__ }
#define LENGTH(key) SUPI_NUMBER(#key, supi_solid_draft, key, 0, SUPI_FAR, SUPI_ABOVE)

static const supi_animation_draft animation_defaults = {0};
static const supi_field animation_fields[] = {
    SUPI_FIELD("file", SUPI_FIELD_TEXT, supi_animation_draft, file, .flags = SUPI_REQUIRED),
    SUPI_NUMBER("fps", supi_animation_draft, fps, 0, 10000, SUPI_ABOVE),
    SUPI_FIELD("loop", SUPI_FIELD_BOOL, supi_animation_draft, loop, .flags = 0), SUPI_END};
static const supi_table animation_table = {"an animation", &animation_defaults,
                                           sizeof animation_defaults, animation_fields};

#define HILLS(key, low) SUPI_NUMBER(#key, supi_hills_draft, key, low, SUPI_FAR, 0)
static const supi_hills_draft hills_defaults = {.height = 1, .length = 4, .octaves = 3, .seed = 1};
static const supi_field hills_fields[] = {
    HILLS(height, 0),
    HILLS(length, 0.001),
    SUPI_INTEGER("octaves", supi_hills_draft, octaves, 1, 8, 0),
    HILLS(rim, 0),
    SUPI_INTEGER("seed", supi_hills_draft, seed, 0, INT32_MAX, 0),
    SUPI_END};
static const supi_table hills_table = {"hills", &hills_defaults, sizeof hills_defaults,
                                       hills_fields};

SOLID(plane, "a plane", VALUES(.kind = SUP_COLLIDER_PLANE), SUPI_END);
SOLID(sphere, "a sphere", VALUES(.kind = SUP_COLLIDER_SPHERE, .radius = 0.5), LENGTH(radius),
      SUPI_END);
SOLID(box, "a box", VALUES(.kind = SUP_COLLIDER_BOX, .size = {1, 1, 1}), LENGTH(size), SUPI_END);
SOLID(capsule, "a capsule", VALUES(.kind = SUP_COLLIDER_CAPSULE, .radius = 0.25, .length = 0.5),
      LENGTH(radius), LENGTH(length), SUPI_END);
SOLID(mesh, "a mesh", VALUES(.kind = SUP_COLLIDER_MESH, .scale = {1, 1, 1}),
      SUPI_FIELD("file", SUPI_FIELD_TEXT, supi_solid_draft, file, .flags = SUPI_REQUIRED),
      SUPI_NUMBER("scale", supi_solid_draft, scale, 0, 1e6, SUPI_ABOVE | SUPI_SPREAD),
      SUPI_FIELD("animation", SUPI_FIELD_OBJECT, supi_solid_draft, animation,
                 .table = &animation_table),
      SUPI_END);
SOLID(heights, "a height field", VALUES(.kind = SUP_COLLIDER_HEIGHTS, .cells = {64, 64}),
      SUPI_NUMBERS("size", supi_solid_draft, size, 2, 0, SUPI_FAR, SUPI_REQUIRED | SUPI_ABOVE),
      SUPI_FIELD("rows", SUPI_FIELD_ROWS, supi_solid_draft, rows, .flags = SUPI_ALTERNATIVE,
                 .low = -SUPI_FAR, .high = SUPI_FAR),
      SUPI_FIELD("hills", SUPI_FIELD_OBJECT, supi_solid_draft, hills, .flags = SUPI_ALTERNATIVE,
                 .table = &hills_table),
      SUPI_INTEGERS("cells", supi_solid_draft, cells, 2, 1, 4096, 0), SUPI_END);

static const supi_choice solids[] = {{"plane", &plane_table},
                                     {"sphere", &sphere_table},
                                     {"box", &box_table},
                                     {"capsule", &capsule_table},
                                     {"mesh", &mesh_table},
                                     {"heights", &heights_table},
                                     {NULL, NULL}};

/* ---- the collider ---- */

#define NUMBER(key, low, high) SUPI_NUMBER(#key, supi_collider_draft, key, low, high, 0)
#define FIELD(key, how, ...) SUPI_FIELD(#key, how, supi_collider_draft, key, __VA_ARGS__)
static const supi_field collider_fields[] = {
    FIELD(name, SUPI_FIELD_TEXT, .flags = 0),
    FIELD(shape, SUPI_FIELD_CHOICE, .flags = SUPI_REQUIRED, .choices = solids),
    NUMBER(position, -SUPI_FAR, SUPI_FAR),
    NUMBER(rotation, -3600, 3600),
    FIELD(motion, SUPI_FIELD_OBJECT, .table = &supi_draft_motion_table),
    FIELD(inverted, SUPI_FIELD_BOOL, .flags = 0),
    FIELD(sensor, SUPI_FIELD_BOOL, .flags = 0),
    FIELD(category, SUPI_FIELD_NUMBERS, .high = SUPI_BITS - 1),
    FIELD(mask, SUPI_FIELD_NUMBERS, .high = SUPI_BITS - 1),
    NUMBER(friction, 0, 2),
    NUMBER(sliding_friction, 0, 2),
    NUMBER(restitution, 0, 1),
    NUMBER(thickness, 0, 1),
    FIELD(colour, SUPI_FIELD_COLOUR, .flags = 0),
    NUMBER(roughness, 0, 1),
    SUPI_END};
static const supi_collider_draft collider_defaults = {.friction = 0.5,
                                                      .sliding_friction = -1,
                                                      .thickness = 0.002,
                                                      .colour = {0.25, 0.25, 0.26},
                                                      .roughness = 0.8};
const supi_table supi_draft_collider_table = {"a collider", &collider_defaults,
                                              sizeof collider_defaults, collider_fields};
