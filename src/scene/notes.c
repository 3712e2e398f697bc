/* Notes: sentences about what is allowed but looks like a mistake. */
#include "base/number.h"
#include "blueprint/blueprint.h"
#include "scene/assemble.h"
#include "scene/build.h"
#include "supple/diagnose.h"
#include "supple/files.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

bool supi_notes_add(sup_scene* scene, const supi_json* place, const char* format, ...) {
    if (scene->note_count == SUPI_NOTES) return true;
    char text[400], whole[512];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    if (scene->note_count == SUPI_NOTES - 1) strcpy(text, "there is more like this");
    int length = snprintf(whole, sizeof whole, "%.300s:%d:%d: %s", scene->paths[0],
                          (int)place->line, (int)place->column, text);
    size_t kept = length < (int)sizeof whole ? (size_t)length : sizeof whole - 1;
    for (int32_t i = 0; i < scene->note_count; i++) { /* bodies share materials */
        if (strcmp(scene->notes[i], whole) == 0) return true;
    }
    const char* note = supi_reader_keep(&scene->store, whole, kept);
    if (note) scene->notes[scene->note_count++] = note;
    return note != NULL;
}

bool supi_notes_mesh(sup_scene* scene, const supi_json* place, const char* file,
                     const sup_mesh* mesh) {
    const char* note = sup_mesh_note(mesh);
    if (!note) return true;
    return supi_notes_add(scene, supi_reader_place(place, "file"), "%.200s: %s", file, note);
}

/* What too many share. */
static bool note_tangled(sup_scene* scene, const supi_weave_draft* weave, const sup_web_report* r) {
    char more[120] = "; none of them is drawn there";
    bool elements = weave->kind == SUPI_WEAVE_ELEMENTS;
    if (r->tangled == 0) return true;
    if (!elements) snprintf(more, sizeof more, "; each pair of polygons bends there");
    if (r->unbent > 0) {
        snprintf(more, sizeof more,
                 "; each pair of polygons bends there, where they are more than four, as at %d, of "
                 "the first four",
                 (int)r->unbent);
    }
    return supi_notes_add(scene, weave->place, "%s: %d, such as the one of points %d and %d%s",
                          elements ? "sides that three elements or more share"
                                   : "non-manifold edges, which three polygons or more share",
                          (int)r->tangled, (int)r->tangled_edge[0], (int)r->tangled_edge[1], more);
}

/* Points are counted from 0, as particles are. */
bool supi_notes_web(sup_scene* scene, const supi_body_draft* draft, const sup_web* web) {
    const supi_weave_draft* weave = draft->weave;
    const sup_web_report* r = &web->report;
    const char* owner = weave->kind == SUPI_WEAVE_ELEMENTS ? "element" : "polygon";
    return (r->isolated == 0 ||
            supi_notes_add(scene, weave->place,
                           "isolated points, which no %s has: %d, such as point %d; they would "
                           "have no mass and are left out",
                           owner, (int)r->isolated, (int)r->isolated_point)) &&
           (r->degenerate == 0 ||
            supi_notes_add(scene, weave->place, "%ss without extent: %d; they are left out", owner,
                           (int)r->degenerate)) &&
           (r->repeated == 0 ||
            supi_notes_add(scene, weave->place,
                           "polygons that are there twice: %d, such as one of points %d, %d and "
                           "%d; each counts once",
                           (int)r->repeated, (int)r->repeated_points[0], (int)r->repeated_points[1],
                           (int)r->repeated_points[2])) &&
           (r->flipped == 0 ||
            supi_notes_add(scene, weave->place,
                           "elements that were inside out: %d; they are turned%s", (int)r->flipped,
                           weave->kind != SUPI_WEAVE_SHELL
                               ? ""
                               : ", but the inner side of the shell has folded there: take a "
                                 "smaller \"thickness\"")) &&
           note_tangled(scene, weave, r) &&
           (web->anchor_count == 0 ||
            supi_notes_add(scene, weave->place,
                           "struts that meet nothing, for the surface is open there: %d, such as "
                           "that of particle %d; %s",
                           (int)web->anchor_count, (int)web->anchors[0],
                           supi_weave_anchored(draft) ? "anchors hold these particles instead"
                                                      : "these particles have none"));
}

bool supi_notes_solid(sup_scene* scene, const supi_body_draft* draft, const sup_solid* solid) {
    const sup_solid_view view = sup_solid_get(solid);
    if (!view.making || view.making->repair.closed || draft->mass > 0) return true;
    char number[32];
    supi_number_write_float((float)view.mass, number);
    return supi_notes_add(scene, draft->solid->place,
                          "the surface is open: without \"mass\" the body weighs as much as the "
                          "cage around it, %s kg",
                          number);
}

/* ---- bodies ---- */

/* Can it be deformed for good? */
static bool can_last(const supi_plastic_draft* plastic) {
    return plastic->limit > 0 && (plastic->creep > 0 || plastic->flow_time > 0);
}

static bool note_plastic(sup_scene* scene, const supi_body_draft* draft) {
    const supi_plastic_draft* plastic = &draft->material.plastic;
    if (!plastic->place) return true;
    static const char* const idle[] = {"flow_power", "flow_strain", "flow_least"};
    for (int32_t i = 0; i < 3 && plastic->flow_time == 0; i++) {
        const supi_json* given = supi_json_find(plastic->place, idle[i]);
        if (!given) continue;
        if (!supi_notes_add(scene, given, "\"%s\" does nothing without \"flow_time\"", idle[i])) {
            return false;
        }
    }
    bool lasts = can_last(plastic);
    const supi_region_draft* regions = draft->regions.items;
    for (int32_t i = 0; i < draft->regions.count; i++) {
        lasts = lasts || can_last(&regions[i].material.plastic);
    }
    if (!lasts) {
        const char* key = plastic->limit > 0 ? "creep" : "limit";
        return supi_notes_add(scene, supi_reader_place(plastic->place, key),
                              "with a \"%s\" of 0 nothing deforms for good", key);
    }
    if (draft->material.rule != SUP_STIFFNESS_RIGID) return true;
    return supi_notes_add(scene, plastic->place,
                          "with the rule \"rigid\" dents depend on the step: only what a blow "
                          "strains within one substep lasts; take another rule");
}

/* What has no volume does not weigh by its density; what is woven weighs by that of its weave, and
   oriented particles as they were fitted: on a surface by its area. */
static bool note_mass(sup_scene* scene, const supi_body_draft* draft,
                      const sup_blueprint* blueprint) {
    const sup_blueprint_info* info = &blueprint->info;
    bool cloud = supi_blueprint_is_cloud(blueprint);
    const supi_fit_draft* fit = draft->fit;
    if (fit && fit->kind != SUPI_FIT_CHAIN &&
        (fit->kind == SUPI_FIT_SURFACE || !(info->volume > 0))) {
        static const char* const density[] = {"density", NULL};
        return supi_notes_idle(scene, draft->place, density,
                               "particles on a surface weigh 1 kg/m^2; give the body a \"mass\"");
    }
    if (info->volume > 0 || draft->mass > 0 || draft->weave || draft->blob || blueprint->oriented) {
        return true;
    }
    if (!cloud && !(draft->density > 0)) return true;
    char radius[64] = "", number[32];
    if (cloud && draft->radius == 0 && info->radius > 0) {
        supi_number_write_float((float)info->radius, number);
        snprintf(radius, sizeof radius, "; without \"radius\" it is %s m", number);
    }
    return supi_notes_add(
        scene, supi_reader_place(draft->place, "density"),
        "%s has no volume: without \"mass\" each of its %d particles weighs 1 kg%s",
        cloud ? "a cloud" : "an open surface", (int)info->particle_count, radius);
}

/* Pins that are led may well lead all of it. */
static bool note_pins(sup_scene* scene, const supi_body_draft* draft,
                      const sup_blueprint_info* info) {
    const supi_pin_draft* pins = draft->pins.items;
    if (info->pinned_count < info->particle_count - info->spare_count) return true;
    for (int32_t i = 0; i < draft->pins.count; i++) {
        if (pins[i].motion.place) return true;
    }
    return supi_notes_add(scene, supi_reader_place(draft->place, "pins"),
                          "the pins hold all %d particles: nothing of this body can move",
                          (int)info->pinned_count);
}

bool supi_notes_body(sup_scene* scene, const supi_body_draft* draft,
                     const sup_blueprint* blueprint) {
    return note_plastic(scene, draft) && supi_notes_keys(scene, draft, blueprint) &&
           note_mass(scene, draft, blueprint) && note_pins(scene, draft, &blueprint->info);
}

/* ---- clusters ---- */

/* A body may well be flat, or hang in joints that were asked for. */
static bool looks_wrong(const supi_body_draft* draft, sup_diagnosis_kind kind) {
    switch (kind) {
    case SUP_DIAGNOSIS_ISOLATED:
    case SUP_DIAGNOSIS_MASS_RATIO:
    case SUP_DIAGNOSIS_LOOSE_PIECES: return true;
    case SUP_DIAGNOSIS_FEW_PARTICLES: return draft->material.mode != SUP_MATCH_RIGID;
    default: return false;
    }
}

/* A modulus of so few Pa that the body would not stand: often it was meant in kPa. */
static bool note_sag(sup_scene* scene, const supi_body_draft* draft,
                     const sup_blueprint_info* info) {
    const supi_material_draft* material = &draft->material;
    const double *g = scene->info.gravity, side = info->size / sqrt(3.0);
    if (material->rule != SUP_STIFFNESS_MODULUS || !material->place) return true;
    double pull = fabs(draft->gravity_scale) * sqrt(g[0] * g[0] + g[1] * g[1] + g[2] * g[2]);
    double pressure = 0.5 * info->density * pull * side; /* the mean over its height */
    if (!(pressure > material->stiffness)) return true;
    char number[32];
    supi_number_write_float((float)material->stiffness, number);
    return supi_notes_add(scene, supi_reader_place(material->place, "stiffness"),
                          "with %s Pa the body sags by more than its own height under its weight; "
                          "is it meant in kPa?",
                          number);
}

sup_result supi_notes_clusters(sup_scene* scene, const supi_reader* reader,
                               const supi_body_draft* draft, const sup_blueprint* blueprint) {
    sup_diagnosis list[SUP_DIAGNOSIS_KINDS];
    int32_t count;
    sup_error cause;
    sup_result result = sup_blueprint_diagnose(blueprint, (sup_match_mode)draft->material.mode,
                                               list, &count, &cause);
    if (result != SUP_OK) return supi_reader_wrap(reader, draft->place, &cause);
    const supi_json* place = draft->solid            ? draft->solid->place
                             : draft->clusters.place ? draft->clusters.place
                             : draft->weave          ? draft->weave->place
                                                     : draft->place;
    for (int32_t i = 0; i < count; i++) {
        if (!looks_wrong(draft, list[i].kind)) continue;
        if (!supi_notes_add(scene, place, "%s", list[i].text)) return supi_reader_memory(reader);
    }
    sup_blueprint_info info = sup_blueprint_get_info(blueprint);
    return note_sag(scene, draft, &info) ? SUP_OK : supi_reader_memory(reader);
}
