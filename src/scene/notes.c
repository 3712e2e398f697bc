/* Notes: sentences about what is allowed but looks like a mistake. */
#include "scene/assemble.h"
#include "supple/files.h"

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
