/* Choosing the reader of a mesh by the ending of the file's name. */
#include <string.h>

#include "base/error.h"
#include "base/file_io.h"
#include "supple/files.h"

typedef sup_result (*mesh_parser)(const sup_allocator* allocator, const char* name,
                                  const uint8_t* bytes, size_t size, sup_mesh* out,
                                  sup_error* error);

/* `ending` is lower case; only ASCII letters fold. */
static bool ends_with(const char* path, const char* ending) {
    size_t length = strlen(path), tail = strlen(ending);
    if (length < tail) return false;
    for (size_t i = 0; i < tail; i++) {
        char letter = path[length - tail + i];
        if (letter >= 'A' && letter <= 'Z') letter = (char)(letter - 'A' + 'a');
        if (letter != ending[i]) return false;
    }
    return true;
}

static mesh_parser parser_of(const char* path) {
    if (ends_with(path, ".obj")) return sup_obj_parse;
    if (ends_with(path, ".ply")) return sup_ply_parse;
    return NULL;
}

sup_result sup_mesh_load(const sup_allocator* allocator, const sup_file_gate* files,
                         const char* path, sup_mesh* out, sup_error* error) {
    if (!allocator) allocator = sup_allocator_default();
    if (!files) files = sup_file_gate_default();
    mesh_parser parse = parser_of(path);
    if (!parse) {
        return supi_error_set(error, SUP_BAD_ARGUMENT,
                              "%.200s: the name of a mesh file must end in .obj or .ply", path);
    }
    supi_bytes bytes;
    sup_result result = supi_file_read(files, allocator, path, &bytes, error);
    if (result != SUP_OK) return result;
    result = parse(allocator, path, bytes.data, bytes.size, out, error);
    supi_bytes_free(allocator, &bytes);
    return result;
}
