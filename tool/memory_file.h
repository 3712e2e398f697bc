/* Files that are never on a disk: bytes by name, for who reads files only. */
#ifndef SUPPLE_TOOL_MEMORY_FILE_H
#define SUPPLE_TOOL_MEMORY_FILE_H

#include "supple/base.h"

typedef struct memory_file {
    const char* name;
    uint8_t* bytes; /* from malloc; NULL: memory was short */
    size_t size, capacity;
    size_t at; /* where a reader is; one at a time */
} memory_file;

typedef struct memory_folder {
    int32_t count;
    memory_file* files;
} memory_folder;

/* Adds a printed line. After a failure `bytes` is NULL, and stays so. */
void memory_file_print(memory_file* file, const char* format, ...)
    __attribute__((format(printf, 2, 3)));
void memory_file_free(memory_file* file);

/* A gate to the files of a folder, which must stay. Nothing can be written. */
sup_file_gate memory_folder_gate(memory_folder* folder);

#endif
