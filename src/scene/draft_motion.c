/* The tables of key frames, and of the boxes and spheres that pick particles. */
#include "scene/draft.h"

/* ---- motion ---- */

#define POSITION(key) SUPI_NUMBER(key, supi_key_draft, position, -SUPI_FAR, SUPI_FAR, 0)
#define ROTATION SUPI_NUMBER("rotation", supi_key_draft, rotation, -360000, 360000, 0)

static const char* const interpolations[] = {"linear", "smooth", NULL};
static const supi_key_draft key_defaults = {0};
static const supi_motion_draft motion_defaults = {0};

/* A motion whose keys hold a time and the given fields. */
#define MOTION(name, title, ...)                                                                   \
    static const supi_field name##_key_fields[] = {                                                \
        SUPI_NUMBER("time", supi_key_draft, time, 0, 1e6, SUPI_REQUIRED), __VA_ARGS__, SUPI_END};  \
    static const supi_table name##_key_table = {"a key of a motion", &key_defaults,                \
                                                sizeof key_defaults, name##_key_fields};           \
    static const supi_field name##_fields[] = {                                                    \
        SUPI_FIELD("keys", SUPI_FIELD_LIST, supi_motion_draft, keys, .flags = SUPI_REQUIRED,       \
                   .table = &name##_key_table),                                                    \
        SUPI_FIELD("interpolation", SUPI_FIELD_WORD, supi_motion_draft, interpolation,             \
                   .words = interpolations),                                                       \
        SUPI_FIELD("loop", SUPI_FIELD_BOOL, supi_motion_draft, loop, .flags = 0), SUPI_END};       \
    const supi_table supi_draft_##name##_table = {title, &motion_defaults, sizeof motion_defaults, \
                                                  name##_fields}

MOTION(motion, "a motion", POSITION("position"), ROTATION);
MOTION(pin_motion, "a motion of pins", POSITION("offset"), ROTATION);
MOTION(point_motion, "a motion of a point", POSITION("position"));

/* ---- picks ---- */

#define PLACE(type, key) SUPI_NUMBER(#key, type, key, -SUPI_FAR, SUPI_FAR, SUPI_REQUIRED)

static const supi_box_draft box_defaults = {0};
static const supi_field box_fields[] = {PLACE(supi_box_draft, low), PLACE(supi_box_draft, high),
                                        SUPI_END};
const supi_table supi_draft_box_table = {"a box of particles", &box_defaults, sizeof box_defaults,
                                         box_fields};

static const supi_ball_draft ball_defaults = {0};
static const supi_field ball_fields[] = {
    PLACE(supi_ball_draft, centre),
    SUPI_NUMBER("radius", supi_ball_draft, radius, 0, SUPI_FAR, SUPI_REQUIRED | SUPI_ABOVE),
    SUPI_END};
const supi_table supi_draft_ball_table = {"a sphere of particles", &ball_defaults,
                                          sizeof ball_defaults, ball_fields};
