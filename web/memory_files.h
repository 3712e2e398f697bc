/* Files in memory: a gate for a machine that has none. Paths are compared letter by letter. */
#ifndef SUPPLE_WEB_MEMORY_FILES_H
#define SUPPLE_WEB_MEMORY_FILES_H

#include "supple/base.h"

typedef struct memory_file memory_file;

typedef struct memory_files {
    memory_file* first;
} memory_files;

/* A gate to these files; it lives as long as they do. */
sup_file_gate memory_files_gate(memory_files* files);

/* A file of `size` bytes, in place of one that had the name; returns where its bytes go. NULL: no
   memory, or someone has it open. */
uint8_t* memory_files_add(memory_files* files, const char* path, size_t size);
/* The bytes of a file, or NULL. */
const uint8_t* memory_files_find(const memory_files* files, const char* path, size_t* size);
void memory_files_clear(memory_files* files);

#endif
