/* What several values of a scene must agree on. */
#include "scene/blob.h"
#include "scene/build.h"
#include "scene/clay.h"
#include "scene/names.h"

#include <string.h>

/* ---- materials ---- */

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
    const supi_json* stiffness = supi_json_find(value, "stiffness");
    if (stiffness && stiffness->kind == SUPI_JSON_NUMBER && stiffness->number < 0) {
        return supi_reader_fail(reader, stiffness, "\"stiffness\" must not be below 0");
    }
    sup_result result = supi_reader_object(reader, value, &supi_draft_material_table, material);
    if (result != SUP_OK) return result;
    bool own_unit = material->rule == SUP_STIFFNESS_RELAX || material->rule == SUP_STIFFNESS_RAW ||
                    material->rule == SUP_STIFFNESS_MODULUS;
    if (own_unit && !stiffness) {
        return supi_reader_fail(reader, value,
                                "a material with the rule \"%s\" needs \"stiffness\"",
                                supi_draft_rules[material->rule]);
    }
    if (material->rule == SUP_STIFFNESS_RAW && material->stiffness > 1) {
        return supi_reader_fail(reader, stiffness,
                                "\"stiffness\" must be from 0 to 1 with the rule \"raw\"");
    }
    if (material->rule != SUP_STIFFNESS_MODULUS && material->stiffness > 1e5) {
        return supi_reader_fail(reader, stiffness,
                                "\"stiffness\" must be from 0 to 100000, but for the rule "
                                "\"modulus\"");
    }
    return settle_friction(reader, value, material->friction, &material->sliding_friction);
}

/* The materials of the scene by their names. */
typedef struct material_list {
    supi_names names;
    supi_material_draft* items;
} material_list;

/* Reads every material, used or not, so that a slip in any of them is found. */
static sup_result read_materials(const supi_reader* reader, const supi_json* materials,
                                 material_list* list) {
    if (materials && materials->kind != SUPI_JSON_OBJECT) {
        return supi_reader_fail(reader, materials, "\"materials\" must be an object");
    }
    int32_t count = materials ? materials->child_count : 0;
    list->items = supi_arena_push(reader->store, (size_t)count, sizeof *list->items);
    if (!list->items || !supi_names_begin(&list->names, reader->store, count)) {
        return supi_reader_memory(reader);
    }
    const supi_json* child = materials ? materials->first : NULL;
    for (int32_t i = 0; i < count; i++, child = child->next) {
        sup_result result = read_material(reader, child, &list->items[i]);
        if (result != SUP_OK) return result;
        supi_names_add(&list->names, child->key, i);
    }
    return SUP_OK;
}

static sup_result unknown_material(const supi_reader* reader, const supi_json* place,
                                   const supi_names* names) {
    char hint[SUPI_HINT_SIZE];
    return supi_reader_fail(reader, place, "\"materials\" has no \"%.60s\"%s", place->text,
                            supi_names_hint(names, place->text, hint));
}

/* `place` is a name, an object or NULL: all defaults. */
static sup_result find_material(const supi_reader* reader, const material_list* list,
                                const supi_json* place, supi_material_draft* material) {
    if (place && place->kind == SUPI_JSON_STRING) {
        int32_t index = supi_names_find(&list->names, place->text);
        if (index < 0) return unknown_material(reader, place, &list->names);
        *material = list->items[index];
        return SUP_OK;
    }
    if (place && place->kind != SUPI_JSON_OBJECT) {
        return supi_reader_fail(reader, place,
                                "\"material\" must be the name of a material or an object");
    }
    if (place) return read_material(reader, place, material);
    *material = *(const supi_material_draft*)supi_draft_material_table.defaults;
    return settle_friction(reader, place, material->friction, &material->sliding_friction);
}

/* ---- picks and motion ---- */

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

static sup_result check_pick(const supi_reader* reader, const supi_pick_draft* pick) {
    return check_box(reader, pick->box.place, pick->box.low, pick->box.high);
}

static sup_result check_motion(const supi_reader* reader, const supi_motion_draft* motion) {
    if (!motion->place) return SUP_OK;
    const supi_json* place = supi_json_find(motion->place, "keys");
    const supi_key_draft* keys = motion->keys.items;
    if (motion->keys.count == 0) return supi_reader_fail(reader, place, "a motion needs a key");
    for (int32_t i = 1; i < motion->keys.count; i++) {
        if (keys[i].time <= keys[i - 1].time) {
            return supi_reader_fail(reader, supi_json_find(keys[i].place, "time"),
                                    "the time of a key must be above that of the key before");
        }
    }
    if (!motion->loop || motion->keys.count > 1) return SUP_OK;
    return supi_reader_fail(reader, place, "a motion in a loop needs two keys");
}

/* ---- bodies ---- */

static sup_result check_copies(const supi_reader* reader, const supi_copies_draft* copies) {
    int64_t count = (int64_t)copies->count[0] * copies->count[1];
    count = count > SUPI_COPIES ? count : count * copies->count[2];
    if (count > SUPI_COPIES) {
        return supi_reader_fail(reader, supi_reader_place(copies->place, "count"),
                                "a body may have at most %d copies", SUPI_COPIES);
    }
    return check_box(reader, copies->place, copies->low, copies->high);
}

/* The clusters of a body mix the materials of its regions, which works only for one way to move.
   Returns the key in which they differ, or NULL. */
static const char* differing_key(const supi_material_draft* a, const supi_material_draft* b) {
    const supi_plastic_draft *p = &a->plastic, *q = &b->plastic;
    if (!p->place != !q->place) return "plastic";
    if (p->rule != q->rule) return "rule\" of \"plastic";
    if (p->flow_time != q->flow_time) return "flow_time";
    if (p->flow_power != q->flow_power) return "flow_power";
    if (p->flow_strain != q->flow_strain) return "flow_strain";
    if (p->flow_least != q->flow_least) return "flow_least";
    if (a->scheme != b->scheme) return "scheme";
    if (a->rule != b->rule) return "rule";
    if (a->mode != b->mode) return "mode";
    return a->keep_volume != b->keep_volume ? "keep_volume" : NULL;
}

/* Is it a key of lasting deformation, in which regions may differ a little? */
static bool is_plastic(const char* key) {
    return strstr(key, "plastic") || strncmp(key, "flow_", 5) == 0;
}

static sup_result check_regions(const supi_reader* reader, const material_list* materials,
                                const supi_body_draft* body) {
    if (body->regions.count > SUPI_REGIONS) {
        return supi_reader_fail(reader, supi_json_find(body->place, "regions"),
                                "a body may have at most %d regions", SUPI_REGIONS);
    }
    supi_region_draft* region = body->regions.items;
    for (int32_t i = 0; i < body->regions.count; i++, region++) {
        sup_result result = check_pick(reader, &region->pick);
        if (result == SUP_OK) {
            result = find_material(reader, materials, region->material_place, &region->material);
        }
        if (result != SUP_OK) return result;
        const char* key = differing_key(&region->material, &body->material);
        if (key) {
            return supi_reader_fail(reader, region->material_place,
                                    "the material of a region must have the \"%s\" of the body's%s",
                                    key,
                                    is_plastic(key) ? "; its \"yield\", \"creep\" and \"limit\" "
                                                      "may differ, and a \"yield\" of 1e9 leaves "
                                                      "nothing but slow flow"
                                                    : "");
        }
    }
    return SUP_OK;
}

/* Fills what levels of detail leave to the body, and its level at the start. */
static sup_result settle_details(const supi_reader* reader, supi_body_draft* body) {
    int32_t count = body->details.count;
    const supi_json* place = supi_json_find(body->place, "details");
    if (place && (count < 1 || count > SUPI_DETAILS)) {
        return supi_reader_fail(reader, place, "\"details\" must hold 1 to %d levels",
                                SUPI_DETAILS);
    }
    if (body->detail >= count) {
        return supi_reader_fail(reader, supi_json_find(body->place, "detail"),
                                "\"detail\" is %d, but the body has %d levels in \"details\"",
                                (int)body->detail, (int)count);
    }
    supi_detail_draft* details = body->details.items;
    for (int32_t i = 0; i < count; i++) {
        if (!details[i].clusters.place) details[i].clusters = body->clusters;
        if (details[i].mode < 0) details[i].mode = body->material.mode;
    }
    if (body->detail < 0) body->detail = count - 1;
    return SUP_OK;
}

static sup_result check_pins(const supi_reader* reader, const supi_body_draft* body) {
    const supi_pin_draft* pin = body->pins.items;
    for (int32_t i = 0; i < body->pins.count; i++, pin++) {
        sup_result result = check_pick(reader, &pin->pick);
        if (result == SUP_OK) result = check_motion(reader, &pin->motion);
        if (result != SUP_OK) return result;
    }
    return SUP_OK;
}

/* Elements are all of one kind. */
static sup_result check_corners(const supi_reader* reader, const supi_json* list) {
    int32_t corners = list->first->child_count;
    if (corners != 4 && corners != 8) {
        return supi_reader_fail(reader, list->first,
                                "an element has 4 corners (a tetrahedron) or 8 (a hexahedron), "
                                "not %d",
                                (int)corners);
    }
    for (const supi_json* item = list->first; item; item = item->next) {
        if (item->child_count == corners) continue;
        return supi_reader_fail(reader, item, "this element has %d corners, the first %d",
                                (int)item->child_count, (int)corners);
    }
    return SUP_OK;
}

/* Lists have something in them. */
static sup_result check_clusters(const supi_reader* reader, const supi_clusters_draft* clusters) {
    bool elements = clusters->layout == SUP_CLUSTERS_ELEMENTS;
    const char* key = elements ? "corners" : "particles";
    if (!clusters->place || clusters->place->kind != SUPI_JSON_OBJECT) return SUP_OK;
    const supi_json* list = supi_json_find(clusters->place, key);
    if (!list) return SUP_OK;
    if (clusters->sets.count == 0) {
        return supi_reader_fail(reader, list, "\"%s\" must hold %s at least", key,
                                elements ? "an element" : "a set of particles");
    }
    return elements ? check_corners(reader, list) : SUP_OK;
}

/* What each weave is woven over. */
static bool suits_shape(supi_weave_kind kind, supi_shape_kind shape) {
    bool meshed = shape != SUPI_SHAPE_ROPE && shape != SUPI_SHAPE_VOXELS;
    switch (kind) {
    case SUPI_WEAVE_CLOTH: return shape == SUPI_SHAPE_GRID;
    case SUPI_WEAVE_BLOCK: return shape == SUPI_SHAPE_BOX;
    case SUPI_WEAVE_HEXES: return shape == SUPI_SHAPE_BOX || shape == SUPI_SHAPE_VOXELS;
    case SUPI_WEAVE_ROPE: return shape == SUPI_SHAPE_ROPE;
    case SUPI_WEAVE_ELEMENTS: return shape == SUPI_SHAPE_MESH;
    default: return meshed;
    }
}

static bool is_solid(const supi_body_draft* body, sup_solid_kind kind) {
    return body->solid && body->solid->kind == (int32_t)kind;
}

/* A solid has particles, what holds them and a skin of its own. */
static sup_result check_filled(const supi_reader* reader, const supi_body_draft* body) {
    static const char* const others[] = {"fill", "skin",    "clusters", "weave",
                                         "fit",  "details", "radius",   "locked"};
    if (!body->solid) return SUP_OK;
    /* The last two go with particles that have no rotations. */
    int count = is_solid(body, SUP_SOLID_FRAMES) ? 8 : 6;
    for (int i = 0; i < count; i++) {
        const supi_json* given = supi_json_find(body->place, others[i]);
        if (!given) continue;
        return supi_reader_fail(reader, given, "a body with a \"solid\"%s takes no \"%s\"",
                                i < 6 ? "" : " of \"frames\"", others[i]);
    }
    supi_shape_kind shape = body->shape.kind;
    if (shape == SUPI_SHAPE_ROPE || shape == SUPI_SHAPE_VOXELS || shape == SUPI_SHAPE_RIG) {
        return supi_reader_fail(reader, body->solid->place,
                                "\"solid\" fills surfaces; the shape \"%s\" has none",
                                supi_shape_name(&body->shape));
    }
    return SUP_OK;
}

/* What goes with oriented particles, and what does not. */
static sup_result check_fitted(const supi_reader* reader, const supi_body_draft* body) {
    bool rig = body->shape.kind == SUPI_SHAPE_RIG, rope = body->shape.kind == SUPI_SHAPE_ROPE;
    static const char* const needs[] = {"frames", "parts", "joints", "skin_slots"};
    for (int k = 0; k < 4 && !body->fit && !rig && !is_solid(body, SUP_SOLID_FRAMES); k++) {
        const supi_json* given = supi_json_find(body->place, needs[k]);
        if (!given) continue;
        return supi_reader_fail(
            reader, given, "\"%s\" is for oriented particles: give the body a \"fit\"", needs[k]);
    }
    if (!body->fit && !rig) return SUP_OK;
    if (body->fit && rig) {
        return supi_reader_fail(reader, body->fit->place, "a rig is fitted already");
    }
    if (rope != (body->fit && body->fit->kind == SUPI_FIT_CHAIN)) {
        return supi_reader_fail(reader, body->fit ? body->fit->place : body->place,
                                rope ? "a rope is fitted by a \"chain\""
                                     : "a \"chain\" is for the shape \"rope\"");
    }
    if (body->shape.kind == SUPI_SHAPE_VOXELS) {
        return supi_reader_fail(reader, body->fit->place, "voxels are woven, not fitted");
    }
    static const char* const others[] = {"fill", "weave", "details", "radius", "locked"};
    for (size_t i = 0; i < sizeof others / sizeof *others; i++) {
        const supi_json* given = supi_json_find(body->place, others[i]);
        if (!given) continue;
        return supi_reader_fail(reader, given, "a body of oriented particles takes no \"%s\"",
                                others[i]);
    }
    static const char* const weights[] = {"mass", "density"};
    for (int k = 0; k < 2 && rig; k++) {
        const supi_json* given = supi_json_find(body->place, weights[k]);
        if (given) return supi_reader_fail(reader, given, "a rig brings its own masses");
    }
    bool scaled = body->scale[0] != 1 || body->scale[1] != 1 || body->scale[2] != 1;
    if (rig && scaled) {
        return supi_reader_fail(reader, supi_reader_place(body->place, "scale"),
                                "a rig has the size that it was made with");
    }
    return SUP_OK;
}

/* Cloth that may be cut is made of springs alone, and whole. */
static sup_result check_levels(const supi_reader* reader, const supi_body_draft* body) {
    const supi_json* levels = supi_reader_place(body->weave->place, "levels");
    if (body->clusters.place) {
        return supi_reader_fail(reader, levels,
                                "cloth with \"levels\" is held together by springs alone: take "
                                "\"clusters\" or \"levels\" out");
    }
    if (!(body->weave->tear > 0 || body->weave->tear_force > 0)) return SUP_OK;
    return supi_reader_fail(
        reader, levels, "cloth that tears cannot be cut finer: take \"tear\" or \"levels\" out");
}

/* Ropes and voxels are nothing without springs. */
static sup_result check_woven(const supi_reader* reader, const supi_body_draft* body) {
    static const char* const wants[] = {"the shape \"grid\"",
                                        "a shape of polygons",
                                        "a shape of polygons",
                                        "the shape \"box\"",
                                        "the shapes \"box\" and \"voxels\"",
                                        "the shape \"rope\"",
                                        "the points of the shape \"mesh\""};
    const supi_weave_draft* weave = body->weave;
    bool bare = body->shape.kind == SUPI_SHAPE_ROPE || body->shape.kind == SUPI_SHAPE_VOXELS;
    if (!weave) {
        if (bare && !body->fit) {
            return supi_reader_fail(reader, body->shape.place,
                                    "this shape needs springs: \"weave\": \"%s\"",
                                    body->shape.kind == SUPI_SHAPE_ROPE ? "rope" : "hexes");
        }
        if (!body->springs || is_solid(body, SUP_SOLID_SPRINGS)) return SUP_OK;
        return supi_reader_fail(reader, body->springs->place,
                                "\"springs\" says how springs move, but the body has none: "
                                "give it a \"weave\"");
    }
    if (!suits_shape(weave->kind, body->shape.kind)) {
        const char* more = weave->levels > 0                 ? ": only grids can be refined"
                           : weave->kind == SUPI_WEAVE_CLOTH ? "; \"mesh\" takes any surface"
                                                             : "";
        return supi_reader_fail(reader, weave->place, "the weave \"%s\" is for %s%s",
                                supi_draft_weaves[weave->kind].name, wants[weave->kind], more);
    }
    static const char* const others[] = {"fill", "skin", "details", "density"};
    for (size_t i = 0; i < sizeof others / sizeof *others; i++) {
        const supi_json* given = supi_json_find(body->place, others[i]);
        if (!given) continue;
        return supi_reader_fail(reader, given, "a body with a \"weave\" takes no \"%s\"%s",
                                others[i], i == 3 ? ": the weave has its own" : "");
    }
    if (weave->stiffness > 0) {
        static const char* const moduli[] = {"poisson", "thickness"};
        for (int k = 0; k < 2; k++) {
            const supi_json* given = supi_json_find(weave->place, moduli[k]);
            if (!given) continue;
            return supi_reader_fail(
                reader, given, "\"%s\" goes with \"young\", not with \"stiffness\"", moduli[k]);
        }
    }
    const supi_json* corners = supi_json_find(weave->place, "corners");
    if (corners && weave->corners.count == 0) {
        return supi_reader_fail(reader, corners, "\"corners\" must hold an element at least");
    }
    sup_result result = corners ? check_corners(reader, corners) : SUP_OK;
    if (result != SUP_OK) return result;
    if (weave->levels > 0) {
        result = check_levels(reader, body);
        if (result != SUP_OK) return result;
    }
    const supi_json* spare = supi_json_find(weave->place, "spare");
    if (spare && !(weave->tear > 0 || weave->tear_force > 0)) {
        return supi_reader_fail(
            reader, spare,
            "\"spare\" is for a weave that tears: give it a \"tear\" or a \"tear_force\"");
    }
    bool even = body->scale[0] == body->scale[1] && body->scale[1] == body->scale[2];
    const supi_json* cell = supi_json_find(weave->place, "cell");
    if (body->shape.kind == SUPI_SHAPE_VOXELS && cell) {
        return supi_reader_fail(reader, cell, "the voxels of the shape have a \"cell\" already");
    }
    if (body->shape.kind == SUPI_SHAPE_VOXELS && !even) {
        return supi_reader_fail(reader, supi_reader_place(body->place, "scale"),
                                "voxels are cubes: \"scale\" must be one number");
    }
    return SUP_OK;
}

static sup_result check_body(const supi_reader* reader, const material_list* materials,
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
    const supi_detail_draft* levels = body->details.items;
    sup_result result = supi_blob_draft_check(reader, body);
    if (result == SUP_OK) result = supi_clay_draft_check(reader, body);
    if (result == SUP_OK) result = check_filled(reader, body);
    if (result == SUP_OK) result = check_fitted(reader, body);
    if (result == SUP_OK) result = check_woven(reader, body);
    if (result == SUP_OK) result = check_clusters(reader, &body->clusters);
    for (int32_t i = 0; result == SUP_OK && i < body->details.count; i++) {
        result = check_clusters(reader, &levels[i].clusters);
    }
    if (result == SUP_OK) result = check_pins(reader, body);
    if (result == SUP_OK) result = check_copies(reader, &body->copies);
    if (result == SUP_OK) {
        result = find_material(reader, materials, body->material.place, &body->material);
    }
    if (result == SUP_OK) result = settle_details(reader, body);
    return result == SUP_OK ? check_regions(reader, materials, body) : result;
}

/* ---- colliders ---- */

static sup_result check_heights(const supi_reader* reader, const supi_solid_draft* shape) {
    const supi_json* rows = supi_json_find(shape->place, "rows");
    if (!rows) return SUP_OK;
    if (shape->rows.row_count < 2 || shape->rows.column_count < 2) {
        return supi_reader_fail(reader, rows, "\"rows\" needs 2 rows of 2 numbers at least");
    }
    const supi_json* cells = supi_json_find(shape->place, "cells");
    if (!cells) return SUP_OK;
    return supi_reader_fail(reader, cells, "\"cells\" is for hills; rows are as many as they are");
}

static sup_result check_collider(const supi_reader* reader, supi_collider_draft* collider) {
    sup_result result =
        settle_friction(reader, collider->place, collider->friction, &collider->sliding_friction);
    if (result == SUP_OK) result = check_motion(reader, &collider->motion);
    if (result != SUP_OK) return result;
    sup_collider_kind kind = collider->shape.kind;
    if (kind == SUP_COLLIDER_HEIGHTS) result = check_heights(reader, &collider->shape);
    if (result != SUP_OK) return result;
    bool endless = kind == SUP_COLLIDER_PLANE || kind == SUP_COLLIDER_HEIGHTS;
    if (!collider->inverted || !endless) return SUP_OK;
    return supi_reader_fail(reader, supi_json_find(collider->place, "inverted"),
                            "%s cannot be inverted",
                            kind == SUP_COLLIDER_PLANE ? "a plane" : "a height field");
}

/* ---- attachments ---- */

static bool is_given(const supi_json* object, const char* key) {
    return supi_json_find(object, key) != NULL;
}

/* A body with a pick or without, a collider with a point or without, or a point. */
static sup_result check_end(const supi_reader* reader, const supi_end_draft* end) {
    if (!end->place) return SUP_OK;
    bool point = is_given(end->place, "point");
    if (!end->body && !end->collider && !point) {
        return supi_reader_fail(reader, end->place,
                                "the end of an attachment needs \"body\", \"collider\" or "
                                "\"point\"");
    }
    if (end->body && (end->collider || point)) {
        return supi_reader_fail(reader, end->place,
                                "the end of an attachment takes \"body\" or \"%s\", not both",
                                end->collider ? "collider" : "point");
    }
    static const char* const picks[] = {"box", "sphere", "index", "nearest"};
    for (int32_t i = 0; i < 4 && !end->body; i++) {
        const supi_json* pick = supi_json_find(end->place, picks[i]);
        if (pick) return supi_reader_fail(reader, pick, "\"%s\" needs \"body\" here", picks[i]);
    }
    if (end->motion.place && !point) {
        return supi_reader_fail(reader, end->motion.place, "only a \"point\" can have a motion");
    }
    sup_result result = check_pick(reader, &end->pick);
    return result == SUP_OK ? check_motion(reader, &end->motion) : result;
}

static sup_result check_attachment(const supi_reader* reader,
                                   const supi_attachment_draft* attachment) {
    const supi_json* place = attachment->place;
    if (attachment->keep_length && is_given(place, "length")) {
        return supi_reader_fail(reader, supi_json_find(place, "length"),
                                "an attachment takes \"length\" or \"keep_length\", not both");
    }
    if (attachment->damping > 0 && attachment->stiffness <= 0) {
        return supi_reader_fail(reader, supi_json_find(place, "damping"),
                                "\"damping\" needs \"stiffness\" above 0");
    }
    sup_result result = check_pick(reader, &attachment->pick);
    return result == SUP_OK ? check_end(reader, &attachment->to) : result;
}

/* ---- the whole ---- */

static sup_result check_camera(const supi_reader* reader, const supi_camera_draft* camera) {
    if (!camera->place) return SUP_OK;
    double dx = camera->from[0] - camera->look_at[0], dz = camera->from[2] - camera->look_at[2];
    if (dx * dx + dz * dz > 1e-12) return SUP_OK;
    return supi_reader_fail(reader, supi_reader_place(camera->place, "look_at"),
                            "the camera must not look straight up or down");
}

sup_result supi_draft_check(const supi_reader* reader, supi_scene_draft* draft) {
    material_list materials;
    sup_result result = read_materials(reader, draft->materials, &materials);
    supi_body_draft* bodies = draft->bodies.items;
    for (int32_t i = 0; result == SUP_OK && i < draft->bodies.count; i++) {
        result = check_body(reader, &materials, &bodies[i]);
    }
    supi_collider_draft* colliders = draft->colliders.items;
    for (int32_t i = 0; result == SUP_OK && i < draft->colliders.count; i++) {
        result = check_collider(reader, &colliders[i]);
    }
    const supi_attachment_draft* attachments = draft->attachments.items;
    for (int32_t i = 0; result == SUP_OK && i < draft->attachments.count; i++) {
        result = check_attachment(reader, &attachments[i]);
    }
    if (result == SUP_OK) result = check_camera(reader, &draft->camera);
    if (result != SUP_OK) return result;
    if (draft->bodies.count == 0) {
        return supi_reader_fail(reader, supi_json_find(draft->place, "bodies"),
                                "a scene needs a body");
    }
    if (draft->fps * draft->substeps < 10) {
        return supi_reader_fail(reader, supi_reader_place(draft->place, "fps"),
                                "\"fps\" times \"substeps\" must be at least 10");
    }
    return SUP_OK;
}
