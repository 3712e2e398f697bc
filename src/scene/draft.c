/* The tables of a scene as a whole. */
#include "scene/draft.h"

#include "solve/plastic.h"

/* ---- materials ---- */

static const char* const schemes[] = {"D", "S", "P", NULL}; /* as sup_scheme */
const char* const supi_draft_rules[] = {"auto", "static",  "frequency", "implicit", "relax",
                                        "raw",  "modulus", "rigid",     NULL};

const char* const supi_draft_modes[] = {"rigid", "linear", "quadratic", NULL};

static const char* const plastic_rules[] = {"log", "paper", NULL}; /* sup_plastic_rule */

#define PLASTIC(key, low, high, usual) SUPI_NUMBER(#key, supi_plastic_draft, key, low, high, 0),
static const supi_field plastic_fields[] = {
    SUPI_FIELD("rule", SUPI_FIELD_WORD, supi_plastic_draft, rule, .words = plastic_rules),
    SUPI_PLASTIC_NUMBERS(PLASTIC) SUPI_END};
static const supi_plastic_draft plastic_defaults = {SUPI_PLASTIC_NUMBERS(SUPI_PLASTIC_DEFAULT)};
static const supi_table plastic_table = {"the plasticity of a material", &plastic_defaults,
                                         sizeof plastic_defaults, plastic_fields};

#define MATERIAL(key, low, high) SUPI_NUMBER(#key, supi_material_draft, key, low, high, 0)
static const supi_field material_fields[] = {
    SUPI_FIELD("scheme", SUPI_FIELD_WORD, supi_material_draft, scheme, .words = schemes),
    SUPI_FIELD("rule", SUPI_FIELD_WORD, supi_material_draft, rule, .words = supi_draft_rules),
    SUPI_FIELD("mode", SUPI_FIELD_WORD, supi_material_draft, mode, .words = supi_draft_modes),
    MATERIAL(beta, 0, 1),
    SUPI_FIELD("keep_volume", SUPI_FIELD_BOOL, supi_material_draft, keep_volume, .flags = 0),
    MATERIAL(stiffness, 0, 1e12),
    MATERIAL(damping, 0, 1),
    MATERIAL(raw_damping, 0, 1),
    MATERIAL(friction, 0, 2),
    MATERIAL(sliding_friction, 0, 2),
    MATERIAL(restitution, 0, 1),
    SUPI_FIELD("plastic", SUPI_FIELD_OBJECT, supi_material_draft, plastic, .table = &plastic_table),
    SUPI_END};
static const supi_material_draft material_defaults = {
    .beta = 0.5,
    .keep_volume = true,
    .stiffness = 120,
    .damping = 0.3,
    .raw_damping = -1,
    .friction = 0.5,
    .sliding_friction = -1,
    .plastic = {SUPI_PLASTIC_NUMBERS(SUPI_PLASTIC_DEFAULT)}};
const supi_table supi_draft_material_table = {"a material", &material_defaults,
                                              sizeof material_defaults, material_fields};

/* ---- camera, sleep and scene ---- */

static const supi_field camera_fields[] = {
    SUPI_NUMBER("from", supi_camera_draft, from, -SUPI_FAR, SUPI_FAR, SUPI_REQUIRED),
    SUPI_NUMBER("look_at", supi_camera_draft, look_at, -SUPI_FAR, SUPI_FAR, SUPI_REQUIRED),
    SUPI_NUMBER("fov", supi_camera_draft, fov, 1, 170, 0), SUPI_END};
static const supi_camera_draft camera_defaults = {.fov = 40};
static const supi_table camera_table = {"a camera", &camera_defaults, sizeof camera_defaults,
                                        camera_fields};

static const supi_field sleep_fields[] = {SUPI_NUMBER("speed", supi_sleep_draft, speed, 0, 1, 0),
                                          SUPI_NUMBER("time", supi_sleep_draft, time, 0.05, 60, 0),
                                          SUPI_END};
static const supi_sleep_draft sleep_defaults = {.speed = 0.01, .time = 0.5};
static const supi_table sleep_table = {"the sleep of a scene", &sleep_defaults,
                                       sizeof sleep_defaults, sleep_fields};

#define SCENE(key, how, ...) SUPI_FIELD(#key, how, supi_scene_draft, key, __VA_ARGS__)
static const supi_field scene_fields[] = {
    SUPI_FIELD("$schema", SUPI_FIELD_TEXT, supi_scene_draft, schema, .flags = 0),
    SUPI_INTEGER("version", supi_scene_draft, version, 1, 1, SUPI_REQUIRED),
    SCENE(name, SUPI_FIELD_TEXT, .flags = 0),
    SUPI_NUMBER("fps", supi_scene_draft, fps, 1, 10000, 0),
    SUPI_INTEGER("frames", supi_scene_draft, frames, 1, 1000000, 0),
    SUPI_INTEGER("substeps", supi_scene_draft, substeps, 1, 64, 0),
    SUPI_INTEGER("sweeps", supi_scene_draft, sweeps, 1, 8, 0),
    SUPI_NUMBER("gravity", supi_scene_draft, gravity, -1000, 1000, 0),
    SUPI_NUMBER("budget_ms", supi_scene_draft, budget_ms, 0, 1e6, 0),
    SCENE(sleep, SUPI_FIELD_OBJECT, .table = &sleep_table),
    SCENE(materials, SUPI_FIELD_ANY, .flags = 0),
    SCENE(bodies, SUPI_FIELD_LIST, .flags = SUPI_REQUIRED, .table = &supi_draft_body_table),
    SCENE(colliders, SUPI_FIELD_LIST, .table = &supi_draft_collider_table),
    SCENE(attachments, SUPI_FIELD_LIST, .table = &supi_draft_attachment_table),
    SCENE(camera, SUPI_FIELD_OBJECT, .table = &camera_table),
    SCENE(background, SUPI_FIELD_COLOUR, .flags = 0),
    SUPI_END};
static const supi_scene_draft scene_defaults = {.fps = 60,
                                                .frames = 300,
                                                .substeps = 4,
                                                .sweeps = 2,
                                                .gravity = {0, -9.81, 0},
                                                .sleep = {.speed = 0.01, .time = 0.5},
                                                .camera = {.fov = 40},
                                                .background = {0.8, 0.85, 0.9}};
const supi_table supi_draft_table = {"a scene", &scene_defaults, sizeof scene_defaults,
                                     scene_fields};

/* ---- reading ---- */

sup_result supi_draft_read(const supi_reader* reader, const supi_json* root,
                           supi_scene_draft* draft) {
    sup_result result = supi_reader_object(reader, root, &supi_draft_table, draft);
    return result == SUP_OK ? supi_draft_check(reader, draft) : result;
}
