/* Notes: sentences about what is allowed but looks like a mistake. */
#include "base/number.h"
#include "scene/assemble.h"
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

/* A body may well be flat, or hang in joints that were asked for. */
static bool looks_wrong(const supi_body_draft* draft, sup_diagnosis_kind kind) {
    switch (kind) {
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
    const supi_json* place = draft->clusters.place ? draft->clusters.place : draft->place;
    for (int32_t i = 0; i < count; i++) {
        if (!looks_wrong(draft, list[i].kind)) continue;
        if (!supi_notes_add(scene, place, "%s", list[i].text)) return supi_reader_memory(reader);
    }
    sup_blueprint_info info = sup_blueprint_get_info(blueprint);
    return note_sag(scene, draft, &info) ? SUP_OK : supi_reader_memory(reader);
}
