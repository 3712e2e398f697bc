/* The tables of a scene, and the rules that bind several values of it together. */
#include "scene/draft.h"

#include <string.h>

#define END                                                                                        \
    { .key = NULL }

/* ---- materials ---- */

static const char* const schemes[] = {"D", "S", "P", NULL}; /* as sup_scheme */
static const char* const rules[] = {"auto", "static", "frequency", "implicit", "relax",
                                    "raw",  "rigid",  NULL}; /* as sup_stiffness_rule */

#define MATERIAL(key, low, high) SUPI_NUMBER(#key, supi_material_draft, key, low, high, 0)
static const supi_field material_fields[] = {
    SUPI_FIELD("scheme", SUPI_FIELD_WORD, supi_material_draft, scheme, .words = schemes),
    SUPI_FIELD("rule", SUPI_FIELD_WORD, supi_material_draft, rule, .words = rules),
    MATERIAL(stiffness, 0, 1e5),
    MATERIAL(damping, 0, 1),
    MATERIAL(raw_damping, 0, 1),
    MATERIAL(friction, 0, 2),
    MATERIAL(sliding_friction, 0, 2),
    MATERIAL(restitution, 0, 1),
    END};
static const supi_material_draft material_defaults = {
    .stiffness = 120, .damping = 0.3, .raw_damping = -1, .friction = 0.5, .sliding_friction = -1};
const supi_table supi_draft_material_table = {"a material", &material_defaults,
                                              sizeof material_defaults, material_fields};

/* ---- colliders ---- */

static const supi_solid_draft plane_defaults = {.kind = SUP_COLLIDER_PLANE};
static const supi_field plane_fields[] = {END};
static const supi_table plane_table = {"a plane", &plane_defaults, sizeof plane_defaults,
                                       plane_fields};

static const supi_solid_draft sphere_defaults = {.kind = SUP_COLLIDER_SPHERE, .radius = 0.5};
static const supi_field sphere_fields[] = {
    SUPI_NUMBER("radius", supi_solid_draft, radius, 0, SUPI_FAR, SUPI_ABOVE), END};
static const supi_table sphere_table = {"a sphere", &sphere_defaults, sizeof sphere_defaults,
                                        sphere_fields};

static const supi_solid_draft box_defaults = {.kind = SUP_COLLIDER_BOX, .size = {1, 1, 1}};
static const supi_field box_fields[] = {
    SUPI_NUMBER("size", supi_solid_draft, size, 0, SUPI_FAR, SUPI_ABOVE), END};
static const supi_table box_table = {"a box", &box_defaults, sizeof box_defaults, box_fields};

static const supi_choice solids[] = {{"plane", &plane_table, NULL},
                                     {"sphere", &sphere_table, NULL},
                                     {"box", &box_table, NULL},
                                     {NULL, NULL, NULL}};

#define COLLIDER(key, low, high) SUPI_NUMBER(#key, supi_collider_draft, key, low, high, 0)
static const supi_field collider_fields[] = {
    SUPI_FIELD("name", SUPI_FIELD_TEXT, supi_collider_draft, name, .flags = 0),
    SUPI_FIELD("shape", SUPI_FIELD_CHOICE, supi_collider_draft, shape, .flags = SUPI_REQUIRED,
               .choices = solids),
    COLLIDER(position, -SUPI_FAR, SUPI_FAR),
    COLLIDER(rotation, -3600, 3600),
    COLLIDER(friction, 0, 2),
    COLLIDER(sliding_friction, 0, 2),
    COLLIDER(restitution, 0, 1),
    COLLIDER(thickness, 0, 1),
    SUPI_FIELD("colour", SUPI_FIELD_COLOUR, supi_collider_draft, colour, .flags = 0),
    COLLIDER(roughness, 0, 1),
    END};
static const supi_collider_draft collider_defaults = {.friction = 0.5,
                                                      .sliding_friction = -1,
                                                      .thickness = 0.002,
                                                      .colour = {0.25, 0.25, 0.26},
                                                      .roughness = 0.8};
static const supi_table collider_table = {"a collider", &collider_defaults,
                                          sizeof collider_defaults, collider_fields};

/* ---- camera and scene ---- */

static const supi_field camera_fields[] = {
    SUPI_NUMBER("from", supi_camera_draft, from, -SUPI_FAR, SUPI_FAR, SUPI_REQUIRED),
    SUPI_NUMBER("look_at", supi_camera_draft, look_at, -SUPI_FAR, SUPI_FAR, SUPI_REQUIRED),
    SUPI_NUMBER("fov", supi_camera_draft, fov, 1, 170, 0), END};
static const supi_camera_draft camera_defaults = {.fov = 40};
static const supi_table camera_table = {"a camera", &camera_defaults, sizeof camera_defaults,
                                        camera_fields};

#define SCENE(key, how, ...) SUPI_FIELD(#key, how, supi_scene_draft, key, __VA_ARGS__)
static const supi_field scene_fields[] = {
    SUPI_INTEGER("version", supi_scene_draft, version, 1, 1, SUPI_REQUIRED),
    SCENE(name, SUPI_FIELD_TEXT, .flags = 0),
    SUPI_NUMBER("fps", supi_scene_draft, fps, 1, 10000, 0),
    SUPI_INTEGER("frames", supi_scene_draft, frames, 1, 1000000, 0),
    SUPI_INTEGER("substeps", supi_scene_draft, substeps, 1, 64, 0),
    SUPI_INTEGER("sweeps", supi_scene_draft, sweeps, 1, 8, 0),
    SUPI_NUMBER("gravity", supi_scene_draft, gravity, -1000, 1000, 0),
    SCENE(materials, SUPI_FIELD_ANY, .flags = 0),
    SCENE(bodies, SUPI_FIELD_LIST, .flags = SUPI_REQUIRED, .table = &supi_draft_body_table),
    SCENE(colliders, SUPI_FIELD_LIST, .table = &collider_table),
    SCENE(camera, SUPI_FIELD_OBJECT, .table = &camera_table),
    SCENE(background, SUPI_FIELD_COLOUR, .flags = 0),
    END};
static const supi_scene_draft scene_defaults = {.fps = 60,
                                                .frames = 300,
                                                .substeps = 4,
                                                .sweeps = 2,
                                                .gravity = {0, -9.81, 0},
                                                .camera = {.fov = 40},
                                                .background = {0.8, 0.85, 0.9}};
const supi_table supi_draft_table = {"a scene", &scene_defaults, sizeof scene_defaults,
                                     scene_fields};

/* ---- what several values must agree on ---- */

/* Sliding friction follows the sticking one unless given, and never exceeds it. */
static sup_result settle_friction(const supi_reader* reader, const supi_json* place,
                                  double friction, double* sliding) {
    if (*sliding < 0) *sliding = 0.8 * friction;
    if (*sliding <= friction) return SUP_OK;
    return supi_reader_fail(reader, supi_reader_place(place, "sliding_friction"),
                            "\"sliding_friction\" must not be above \"friction\"");
}

static sup_result read_material(const supi_reader* reader, const supi_json* value,
                                supi_material_draft* material) {
    sup_result result = supi_reader_object(reader, value, &supi_draft_material_table, material);
    if (result != SUP_OK) return result;
    bool own_unit = material->rule == SUP_STIFFNESS_RELAX || material->rule == SUP_STIFFNESS_RAW;
    const supi_json* stiffness = supi_json_find(value, "stiffness");
    if (own_unit && !stiffness) {
        return supi_reader_fail(reader, value,
                                "a material with the rule \"%s\" needs \"stiffness\"",
                                rules[material->rule]);
    }
    if (material->rule == SUP_STIFFNESS_RAW && material->stiffness > 1) {
        return supi_reader_fail(reader, stiffness,
                                "\"stiffness\" must be from 0 to 1 with the rule \"raw\"");
    }
    return settle_friction(reader, value, material->friction, &material->sliding_friction);
}

/* Reads every material, used or not, so that a slip in any of them is found. */
static sup_result check_materials(const supi_reader* reader, const supi_json* materials) {
    if (!materials) return SUP_OK;
    if (materials->kind != SUPI_JSON_OBJECT) {
        return supi_reader_fail(reader, materials, "\"materials\" must be an object");
    }
    for (const supi_json* child = materials->first; child; child = child->next) {
        supi_material_draft material;
        sup_result result = read_material(reader, child, &material);
        if (result != SUP_OK) return result;
    }
    return SUP_OK;
}

static sup_result find_material(const supi_reader* reader, const supi_json* materials,
                                supi_body_draft* body) {
    const supi_json* place = body->material_place;
    if (place && place->kind == SUPI_JSON_STRING) {
        const supi_json* named = materials ? supi_json_find(materials, place->text) : NULL;
        if (!named) {
            return supi_reader_fail(reader, place, "\"materials\" has no \"%.60s\"", place->text);
        }
        place = named;
    } else if (place && place->kind != SUPI_JSON_OBJECT) {
        return supi_reader_fail(reader, place,
                                "\"material\" must be the name of a material or an object");
    }
    if (place) return read_material(reader, place, &body->material);
    body->material = material_defaults;
    body->material.sliding_friction = 0.8 * body->material.friction;
    return SUP_OK;
}

/* A box from low to high must have low <= high on every axis. */
static sup_result check_box(const supi_reader* reader, const supi_json* place, const double low[3],
                            const double high[3]) {
    for (int32_t k = 0; k < 3; k++) {
        if (low[k] > high[k]) {
            return supi_reader_fail(reader, supi_reader_place(place, "low"),
                                    "\"low\" is above \"high\" in %c", "xyz"[k]);
        }
    }
    return SUP_OK;
}

static sup_result check_copies(const supi_reader* reader, const supi_copies_draft* copies) {
    int64_t count = (int64_t)copies->count[0] * copies->count[1];
    count = count > SUPI_COPIES ? count : count * copies->count[2];
    if (count > SUPI_COPIES) {
        return supi_reader_fail(reader, supi_reader_place(copies->place, "count"),
                                "a body may have at most %d copies", SUPI_COPIES);
    }
    return check_box(reader, copies->place, copies->low, copies->high);
}

static sup_result check_body(const supi_reader* reader, const supi_json* materials,
                             supi_body_draft* body) {
    if (body->mass > 0 && body->density > 0) {
        return supi_reader_fail(reader, supi_reader_place(body->place, "mass"),
                                "a body takes \"mass\" or \"density\", not both");
    }
    if (body->pass_through && body->radius > 0) {
        return supi_reader_fail(reader, supi_reader_place(body->place, "radius"),
                                "a body that others pass through has no \"radius\"");
    }
    const supi_shape_draft* shape = &body->shape;
    if (shape->kind == SUPI_SHAPE_TORUS && shape->tube >= shape->radius) {
        return supi_reader_fail(reader, supi_reader_place(shape->place, "tube"),
                                "\"tube\" must be below \"radius\"");
    }
    const supi_pin_draft* pin = body->pins.items;
    for (int32_t i = 0; i < body->pins.count; i++, pin++) {
        sup_result result = check_box(reader, pin->place, pin->low, pin->high);
        if (result != SUP_OK) return result;
    }
    sup_result result = check_copies(reader, &body->copies);
    return result == SUP_OK ? find_material(reader, materials, body) : result;
}

/* Names stand in files and messages, so each may be used once. */
static sup_result check_names(const supi_reader* reader, const supi_scene_draft* draft) {
    const supi_body_draft* bodies = draft->bodies.items;
    for (int32_t i = 0; i < draft->bodies.count; i++) {
        for (int32_t j = 0; bodies[i].name && j < i; j++) {
            if (bodies[j].name && strcmp(bodies[i].name, bodies[j].name) == 0) {
                return supi_reader_fail(reader, supi_reader_place(bodies[i].place, "name"),
                                        "two bodies have the name \"%.60s\"", bodies[i].name);
            }
        }
    }
    return SUP_OK;
}

static sup_result check_camera(const supi_reader* reader, const supi_camera_draft* camera) {
    if (!camera->place) return SUP_OK;
    double dx = camera->from[0] - camera->look_at[0], dz = camera->from[2] - camera->look_at[2];
    if (dx * dx + dz * dz > 1e-12) return SUP_OK;
    return supi_reader_fail(reader, supi_reader_place(camera->place, "look_at"),
                            "the camera must not look straight up or down");
}

sup_result supi_draft_read(const supi_reader* reader, const supi_json* root,
                           supi_scene_draft* draft) {
    sup_result result = supi_reader_object(reader, root, &supi_draft_table, draft);
    if (result == SUP_OK) result = check_materials(reader, draft->materials);
    supi_body_draft* bodies = draft->bodies.items;
    for (int32_t i = 0; result == SUP_OK && i < draft->bodies.count; i++) {
        result = check_body(reader, draft->materials, &bodies[i]);
    }
    supi_collider_draft* colliders = draft->colliders.items;
    for (int32_t i = 0; result == SUP_OK && i < draft->colliders.count; i++) {
        result = settle_friction(reader, colliders[i].place, colliders[i].friction,
                                 &colliders[i].sliding_friction);
    }
    if (result == SUP_OK) result = check_names(reader, draft);
    if (result == SUP_OK) result = check_camera(reader, &draft->camera);
    if (result != SUP_OK) return result;
    if (draft->bodies.count == 0) {
        return supi_reader_fail(reader, supi_json_find(root, "bodies"), "a scene needs a body");
    }
    if (draft->fps * draft->substeps < 10) {
        return supi_reader_fail(reader, supi_reader_place(root, "fps"),
                                "\"fps\" times \"substeps\" must be at least 10");
    }
    return SUP_OK;
}
