#include "memory_file.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define LINE 256 /* bytes of a printed line, at most */

void memory_file_print(memory_file* file, const char* format, ...) {
    if (!file->bytes && file->capacity > 0) return;
    if (file->capacity - file->size < LINE) {
        size_t capacity = 2 * file->capacity + 64 * LINE;
        uint8_t* larger = realloc(file->bytes, capacity);
        if (!larger) free(file->bytes);
        file->bytes = larger;
        file->capacity = capacity;
        if (!larger) return;
    }
    va_list arguments;
    va_start(arguments, format);
    int length = vsnprintf((char*)file->bytes + file->size, LINE, format, arguments);
    va_end(arguments);
    file->size += length < LINE ? (size_t)length : LINE - 1;
}

void memory_file_free(memory_file* file) {
    free(file->bytes);
    *file = (memory_file){0};
}

/* ---- the gate ---- */

static sup_result open_file(void* user, const char* path, sup_file_mode mode, void** out) {
    memory_folder* folder = user;
    if (mode != SUP_FILE_READ) return SUP_UNSUPPORTED;
    for (int32_t i = 0; i < folder->count; i++) {
        if (strcmp(folder->files[i].name, path) != 0) continue;
        folder->files[i].at = 0;
        *out = &folder->files[i];
        return SUP_OK;
    }
    return SUP_NOT_FOUND;
}

static sup_result read_file(void* user, void* handle, void* bytes, size_t size, size_t* got) {
    (void)user;
    memory_file* file = handle;
    size_t left = file->size - file->at;
    *got = size < left ? size : left;
    if (*got > 0) memcpy(bytes, file->bytes + file->at, *got);
    file->at += *got;
    return SUP_OK;
}

static sup_result seek_file(void* user, void* handle, uint64_t offset) {
    (void)user;
    memory_file* file = handle;
    if (offset > file->size) return SUP_NOT_FOUND;
    file->at = (size_t)offset;
    return SUP_OK;
}

static sup_result close_file(void* user, void* handle) {
    (void)user;
    (void)handle;
    return SUP_OK;
}

sup_file_gate memory_folder_gate(memory_folder* folder) {
    return (sup_file_gate){.user = folder,
                           .open = open_file,
                           .read = read_file,
                           .seek = seek_file,
                           .close = close_file};
}
