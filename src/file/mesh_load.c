/* Choosing the reader of a mesh by the ending of the file's name, and what it has left out. */
#include "file/mesh_load.h"

#include "base/check.h"
#include "base/error.h"
#include "base/file_io.h"
#include "file/ending.h"

typedef sup_result (*mesh_parser)(const sup_allocator* allocator, const char* name,
                                  const uint8_t* bytes, size_t size, sup_mesh* out,
                                  sup_error* error);

/* The parser of a format whose files stand alone. */
static mesh_parser parser_of(const char* path) {
    if (supi_ending_is(path, ".obj")) return sup_obj_parse;
    if (supi_ending_is(path, ".ply")) return sup_ply_parse;
    if (supi_ending_is(path, ".stl")) return sup_stl_parse;
    return NULL;
}

sup_result supi_mesh_check_name(const char* path, sup_error* error) {
    if (parser_of(path) || supi_ending_is(path, ".glb") || supi_ending_is(path, ".gltf"))
        return SUP_OK;
    return supi_error_set(
        error, SUP_BAD_ARGUMENT,
        "%.200s: the name of a mesh file must end in .obj, .ply, .stl, .glb or .gltf", path);
}

sup_result supi_mesh_parse(const sup_allocator* allocator, const sup_file_gate* files,
                           const char* path, const uint8_t* bytes, size_t size, sup_mesh* out,
                           sup_error* error) {
    mesh_parser parse = parser_of(path);
    return parse ? parse(allocator, path, bytes, size, out, error)
                 : sup_glb_parse(allocator, files, path, bytes, size, out, error);
}

sup_result sup_mesh_load(const sup_allocator* allocator, const sup_file_gate* files,
                         const char* path, sup_mesh* out, sup_error* error) {
    SUPI_NEED(error, path, out);
    if (!allocator) allocator = sup_allocator_default();
    if (!files) files = sup_file_gate_default();
    supi_bytes bytes;
    sup_result result = supi_mesh_check_name(path, error);
    if (result == SUP_OK) result = supi_file_read(files, allocator, path, &bytes, error);
    if (result != SUP_OK) return result;
    result = supi_mesh_parse(allocator, files, path, bytes.data, bytes.size, out, error);
    supi_bytes_free(allocator, &bytes);
    return result;
}

const char* sup_mesh_note(const sup_mesh* mesh) {
    bool skins = mesh->ignored & SUP_MESH_SKINS, animations = mesh->ignored & SUP_MESH_ANIMATIONS;
    if (skins && animations) {
        return "its skin and its animations are ignored; the mesh stands as it was modelled";
    }
    if (skins) return "its skin is ignored; the mesh stands as it was modelled";
    return animations ? "its animations are ignored; the mesh stands still" : NULL;
}
