/* Writing body files: see body_file.h. */
#include "base/check.h"
#include "base/error.h"
#include "base/memory.h"
#include "blueprint/fit.h"
#include "file/ending.h"
#include "file/text_write.h"
#include "scene/body_file.h"

#include <string.h>

#define ARRAYS ".arrays.ply"

/* ---- Arrays ---- */

static void put_header(supi_writer* out, const sup_rig_view* view) {
    static const char* const types[] = {"float", "int", "list int int", "float"};
    const int32_t counts[SUPI_BODY_TABLES] = {view->particle_count, view->link_count,
                                              view->part_count, view->weight_count};
    supi_writer_print(out, "ply\nformat binary_little_endian 1.0\ncomment Supple %s\n",
                      sup_version());
    for (int t = 0; t < SUPI_BODY_TABLES; t++) {
        const supi_ply_table* table = &supi_body_arrays[t];
        if (t > 0 && counts[t] == 0) continue;
        supi_writer_print(out, "element %s %d\n", table->element, (int)counts[t]);
        for (const supi_ply_field* field = table->fields; field->name; field++) {
            supi_writer_print(out, "property %s %s\n", types[field->kind], field->name);
        }
    }
    supi_writer_print(out, "end_header\n");
}

/* Members of a struct in the order of its table. */
static void put_row(supi_writer* out, const supi_ply_table* table, const void* row) {
    for (const supi_ply_field* field = table->fields; field->name; field++) {
        uint32_t bits;
        if (field->kind == SUPI_PLY_LIST) continue;
        memcpy(&bits, (const uint8_t*)row + field->offset, sizeof bits);
        supi_writer_put_u32(out, bits);
    }
}

static void put_particles(supi_writer* out, const sup_rig_view* view) {
    for (int32_t i = 0; i < view->particle_count; i++) {
        const sup_ellipsoid* e = &view->ellipsoids[i];
        const sup_vec3 *p = &view->places[i], *n = &view->normals[i];
        const supi_particle_row row = {
            .x = p->x,
            .y = p->y,
            .z = p->z,
            .mass = view->masses[i],
            .rotation = {e->rotation.x, e->rotation.y, e->rotation.z, e->rotation.w},
            .radii = {e->radii[0], e->radii[1], e->radii[2]},
            .turn_radius = view->turn_radii[i],
            .stiffness = view->stiffness[i],
            .nx = n->x,
            .ny = n->y,
            .nz = n->z,
            .flags = view->flags[i]};
        put_row(out, &supi_body_arrays[SUPI_BODY_PARTICLES], &row);
    }
}

static void put_arrays(supi_writer* out, const sup_rig_view* view) {
    put_header(out, view);
    put_particles(out, view);
    for (int32_t i = 0; i < view->link_count; i++) {
        put_row(out, &supi_body_arrays[SUPI_BODY_LINKS], &view->links[i]);
    }
    for (int32_t p = 0; p < view->part_count; p++) { /* the list is the first property */
        int32_t first = view->part_starts[p], end = view->part_starts[p + 1];
        supi_writer_put_u32(out, (uint32_t)(end - first));
        for (int32_t m = first; m < end; m++) {
            supi_writer_put_u32(out, (uint32_t)view->part_members[m]);
        }
        put_row(out, &supi_body_arrays[SUPI_BODY_PARTS], &view->plastics[p]);
    }
    for (int32_t i = 0; i < view->weight_count; i++) {
        put_row(out, &supi_body_arrays[SUPI_BODY_WEIGHTS], &view->weights[i]);
    }
}

/* ---- JSON ---- */

static void put_text(supi_writer* out, const char* key, const char* text) {
    supi_writer_print(out, ",\n  \"%s\": ", key);
    supi_text_put_string(out, text);
}

static void put_body(supi_writer* out, const sup_rig_view* view, const char* mesh_file,
                     const char* arrays) {
    static const char* const wheres[] = {"none", "inside", "surface"};
    const char* slash = strrchr(arrays, '/');
    supi_writer_print(out, "{\n  \"version\": 1");
    if (mesh_file) put_text(out, "mesh", mesh_file);
    put_text(out, "arrays", slash ? slash + 1 : arrays);
    supi_writer_print(out, ",\n  \"stiffness\": ");
    supi_text_put_double(out, view->settings.stiffness);
    supi_writer_print(
        out, ",\n  \"made\": {\"where\": \"%s\", \"spacing\": ", wheres[view->settings.where]);
    supi_text_put_double(out, view->settings.spacing);
    supi_writer_print(out, ", \"seed\": %d}\n}\n", (int)view->settings.seed);
}

/* ---- Both ---- */

static sup_result write_both(const sup_rig_view* view, const sup_file_gate* files,
                             const sup_allocator* allocator, const char* path, const char* arrays,
                             const char* mesh_file, sup_error* error) {
    supi_writer first = {0}, second = {0};
    sup_result result = supi_writer_begin(&first, files, allocator, path, error);
    if (result == SUP_OK) result = supi_writer_begin(&second, files, allocator, arrays, error);
    if (result != SUP_OK) {
        supi_writer_abort(&first);
        supi_writer_abort(&second);
        return result;
    }
    put_body(&first, view, mesh_file, arrays);
    put_arrays(&second, view);
    return supi_writer_commit_pair(&first, &second, error);
}

static sup_result check(const sup_rig_view* view, const char* path, const char* mesh_file,
                        sup_error* error) {
    if (view->particle_count == 0) {
        return supi_error_set(error, SUP_BAD_ARGUMENT, "%.300s: a body has at least one particle",
                              path);
    }
    if (!supi_ending_is(path, ".json") || strlen(path) == strlen(".json")) {
        return supi_error_set(error, SUP_BAD_ARGUMENT,
                              "%.300s: the name of a body file must end in .json", path);
    }
    bool named = mesh_file && *mesh_file;
    if (view->weight_count > 0 && !named) {
        return supi_error_set(error, SUP_BAD_ARGUMENT,
                              "%.300s: weights of vertices need the file of the mesh", path);
    }
    return SUP_OK;
}

sup_result sup_rig_save(const sup_rig* rig, const sup_file_gate* files, const char* path,
                        const char* mesh_file, sup_error* error) {
    SUPI_NEED(error, rig, path);
    sup_rig_view view = sup_rig_get(rig);
    sup_result result = check(&view, path, mesh_file, error);
    if (result != SUP_OK) return result;
    const sup_allocator* allocator = rig->allocator;
    if (!files) files = sup_file_gate_default();
    size_t size = strlen(path) - strlen(".json") + sizeof ARRAYS;
    char* arrays = supi_memory_new(allocator, size, 1);
    if (!arrays) return supi_error_memory(error);
    memcpy(arrays, path, strlen(path) - strlen(".json"));
    strcat(arrays, ARRAYS);
    result = write_both(&view, files, allocator, path, arrays,
                        mesh_file && *mesh_file ? mesh_file : NULL, error);
    supi_memory_free(allocator, arrays, size, 1);
    return result;
}
