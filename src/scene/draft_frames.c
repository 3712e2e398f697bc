/* The tables of oriented particles: which hold a body, and how they move it. */
#include "scene/draft.h"

/* ---- fits ---- */

#define FIT(name, words, values, ...)                                                              \
    static const supi_fit_draft name##_defaults = values;                                          \
    static const supi_field name##_fields[] = {__VA_ARGS__, SUPI_END};                             \
    static const supi_table name##_table = {words, &name##_defaults, sizeof(supi_fit_draft),       \
                                            name##_fields}
#define VALUES(...)                                                                                \
    { __VA_ARGS__ }

#define LENGTH(key) SUPI_NUMBER(#key, supi_fit_draft, key, 0, SUPI_FAR, SUPI_ABOVE)
#define LINKS                                                                                      \
    SUPI_NUMBER("compliance", supi_fit_draft, compliance, 0, 1e9, 0),                              \
        SUPI_NUMBER("damping", supi_fit_draft, damping, 0, 1e9, 0),                                \
        SUPI_NUMBER("torsion", supi_fit_draft, torsion, 0, 1e9, 0)
#define SPRAY                                                                                      \
    LENGTH(spacing), SUPI_INTEGER("count", supi_fit_draft, count, 1, 100000, 0),                   \
        SUPI_INTEGER("seed", supi_fit_draft, seed, 0, INT32_MAX, 0), LENGTH(reach),                \
        SUPI_NUMBER("aspect", supi_fit_draft, aspect, 1, 16, 0), LINKS
#define SPRAYED(how) VALUES(.kind = how, .count = 300, .seed = 1, .aspect = 8, .torsion = -1)

FIT(all, "particles where they fit", SPRAYED(SUPI_FIT_AUTO), SPRAY);
FIT(inside, "particles inside", SPRAYED(SUPI_FIT_INSIDE), SPRAY);
FIT(surface, "particles on the surface", SPRAYED(SUPI_FIT_SURFACE), SPRAY);
FIT(chain, "a chain", VALUES(.kind = SUPI_FIT_CHAIN, .torsion = -1), LENGTH(radius),
    SUPI_NUMBER("turn_radius", supi_fit_draft, turn_radius, 0, 1000, SUPI_ABOVE), LINKS);

const supi_choice supi_draft_fits[] = {{"auto", &all_table},
                                       {"inside", &inside_table},
                                       {"surface", &surface_table},
                                       {"chain", &chain_table},
                                       {NULL, NULL}};

/* ---- rigid parts, and how they are dented ---- */

#define DENT(key, low, high) SUPI_NUMBER(#key, supi_dent_draft, key, low, high, 0)
#define DENTS VALUES(.speed = 5, .limit = 0.3, .time = 0.05, .stiffness = 100, .keep = 1)
static const supi_dent_draft dent_defaults = DENTS;
static const supi_field dent_fields[] = {
    SUPI_NUMBER("speed", supi_dent_draft, speed, 0, 1e4, SUPI_ABOVE),
    DENT(limit, 0, 1),
    DENT(time, 0.001, 0.2),
    DENT(stiffness, 10, 1000),
    DENT(keep, 0, 1),
    SUPI_END};
static const supi_table dent_table = {"how parts are dented", &dent_defaults, sizeof dent_defaults,
                                      dent_fields};

static const supi_disc_draft disc_defaults = {.count = 3};
static const supi_field disc_fields[] = {
    SUPI_NUMBERS("from", supi_disc_draft, from, 3, -SUPI_FAR, SUPI_FAR, SUPI_REQUIRED),
    SUPI_NUMBERS("to", supi_disc_draft, to, 3, -SUPI_FAR, SUPI_FAR, SUPI_REQUIRED),
    SUPI_NUMBER("radius", supi_disc_draft, radius, 0, 1000, SUPI_ABOVE | SUPI_REQUIRED),
    SUPI_INTEGER("count", supi_disc_draft, count, 1, 100, 0), SUPI_END};
static const supi_table disc_table = {"the discs of a part", &disc_defaults, sizeof disc_defaults,
                                      disc_fields};

static const supi_part_draft part_defaults = {0};
static const supi_field part_fields[] = {
    SUPI_PICK(supi_part_draft, SUPI_ALTERNATIVE),
    SUPI_FIELD("rest", SUPI_FIELD_BOOL, supi_part_draft, rest, .flags = SUPI_ALTERNATIVE),
    SUPI_FIELD("dents", SUPI_FIELD_OBJECT, supi_part_draft, dents, .table = &dent_table),
    SUPI_FIELD("discs", SUPI_FIELD_OBJECT, supi_part_draft, discs, .table = &disc_table), SUPI_END};
const supi_table supi_draft_part_table = {"a part", &part_defaults, sizeof part_defaults,
                                          part_fields};

static const supi_joint_draft joint_defaults = {0};
static const supi_field joint_fields[] = {
    SUPI_INTEGERS("parts", supi_joint_draft, parts, 2, 0, INT32_MAX, SUPI_REQUIRED),
    SUPI_NUMBERS("at", supi_joint_draft, at, 3, -SUPI_FAR, SUPI_FAR, SUPI_REQUIRED),
    SUPI_NUMBERS("to", supi_joint_draft, to, 3, -SUPI_FAR, SUPI_FAR, 0), SUPI_END};
const supi_table supi_draft_joint_table = {"a joint", &joint_defaults, sizeof joint_defaults,
                                           joint_fields};

/* ---- how they move ---- */

static const char* const modes[] = {"mean", "classic", NULL};      /* sup_frame_mode */
static const char* const torsions[] = {"twist", "slerp", NULL};    /* sup_torsion_mode */
static const char* const frictions[] = {"coulomb", "paper", NULL}; /* sup_friction_rule */

#define NUMBER(key, low, high) SUPI_NUMBER(#key, supi_frames_draft, key, low, high, 0)
static const supi_frames_draft frames_defaults = {.stiffness = 200,
                                                  .damping = 0.1,
                                                  .turn_damping = 0.5,
                                                  .turn = 1,
                                                  .restore = true,
                                                  .meet_itself = true,
                                                  .slerp = 0.5,
                                                  .drag = 0.5,
                                                  .turn_drag = 1,
                                                  .pin_factor = 1,
                                                  .air = {.across = 1, .along = 0.05}};
static const supi_field frames_fields[] = {
    SUPI_FIELD("mode", SUPI_FIELD_WORD, supi_frames_draft, mode, .words = modes),
    SUPI_NUMBER("stiffness", supi_frames_draft, stiffness, 0, 1e5, SUPI_EXCLUSIVE),
    SUPI_NUMBER("modulus", supi_frames_draft, modulus, 0, 1e12, SUPI_ABOVE | SUPI_EXCLUSIVE),
    NUMBER(damping, 0, 100),
    NUMBER(turn_damping, 0, 100),
    NUMBER(turn, 0, 1),
    NUMBER(pin_factor, 1, 1000),
    SUPI_FIELD("restore", SUPI_FIELD_BOOL, supi_frames_draft, restore, .flags = 0),
    SUPI_FIELD("meet_itself", SUPI_FIELD_BOOL, supi_frames_draft, meet_itself, .flags = 0),
    SUPI_FIELD("torsion", SUPI_FIELD_WORD, supi_frames_draft, torsion, .words = torsions),
    NUMBER(slerp, 0, 1),
    SUPI_FIELD("friction", SUPI_FIELD_WORD, supi_frames_draft, friction, .words = frictions),
    NUMBER(drag, 0, 1),
    NUMBER(turn_drag, 0, 1),
    NUMBER(rolling_friction, 0, 2),
    SUPI_FIELD("dents", SUPI_FIELD_OBJECT, supi_frames_draft, dents, .table = &dent_table),
    SUPI_FIELD("air", SUPI_FIELD_OBJECT, supi_frames_draft, air, .table = &supi_draft_air_table),
    SUPI_END};
const supi_table supi_draft_frames_table = {"the frames of a body", &frames_defaults,
                                            sizeof frames_defaults, frames_fields};
