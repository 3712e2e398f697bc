/* Meshes from bytes of a file that has been read, by the ending of its name. */
#ifndef SUPPLE_FILE_MESH_LOAD_H
#define SUPPLE_FILE_MESH_LOAD_H

#include "supple/files.h"

/* Refuses names of no mesh file. */
sup_result supi_mesh_check_name(const char* path, sup_error* error);
/* The name has passed. `files` is for what a glTF names beside it. */
sup_result supi_mesh_parse(const sup_allocator* allocator, const sup_file_gate* files,
                           const char* path, const uint8_t* bytes, size_t size, sup_mesh* out,
                           sup_error* error);

#endif
