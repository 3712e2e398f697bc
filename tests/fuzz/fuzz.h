/* What every fuzz target stands on: memory with a bound, files in memory, and the checks of a
   refusal. A target is one file fuzz_NAME.c with LLVMFuzzerTestOneInput; any broken promise
   aborts. */
#ifndef SUPPLE_TESTS_FUZZ_H
#define SUPPLE_TESTS_FUZZ_H

#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "supple/base.h"

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size);

/* An assertion that is there in every build. */
#define FUZZ_REQUIRE(condition)                                                                    \
    do {                                                                                           \
        if (!(condition)) fuzz_broken(__FILE__, __LINE__, #condition);                             \
    } while (0)

static inline void fuzz_broken(const char* file, int line, const char* promise) {
    fprintf(stderr, "%s:%d: broken promise: %s\n", file, line, promise);
    abort();
}

/* --- memory --- */

/* Memory that counts; it must not move between begin and end. Safe in threads. */
typedef struct fuzz_memory {
    sup_allocator table;
    size_t limit; /* bytes that may be alive at once */
    bool refuses; /* beyond it; else that is a finding */
    atomic_size_t bytes, blocks;
} fuzz_memory;

static inline void* fuzz_memory_allocate(void* user, size_t size, size_t alignment) {
    fuzz_memory* memory = user;
    size_t before = atomic_fetch_add(&memory->bytes, size);
    bool beyond = size > memory->limit || before > memory->limit - size;
    if (beyond && !memory->refuses) {
        fprintf(stderr, "%zu bytes are alive and %zu more wanted, but %zu are the limit\n", before,
                size, memory->limit);
        abort();
    }
    void* block = beyond ? NULL : aligned_alloc(alignment, size);
    if (block) {
        atomic_fetch_add(&memory->blocks, 1);
    } else {
        atomic_fetch_sub(&memory->bytes, size);
    }
    return block;
}

static inline void fuzz_memory_release(void* user, void* pointer, size_t size) {
    fuzz_memory* memory = user;
    if (!pointer) return;
    atomic_fetch_sub(&memory->bytes, size);
    atomic_fetch_sub(&memory->blocks, 1);
    free(pointer);
}

static inline const sup_allocator* fuzz_memory_open(fuzz_memory* memory, size_t limit,
                                                    bool refuses) {
    *memory = (fuzz_memory){.limit = limit, .refuses = refuses};
    memory->table = (sup_allocator){memory, fuzz_memory_allocate, fuzz_memory_release};
    return &memory->table;
}

/* What a reader may use for an input of that size. */
static inline size_t fuzz_memory_bound(size_t input_size) {
    return 64 * input_size + ((size_t)1 << 20);
}

/* For readers: who wants more than the bound has broken a promise. */
static inline const sup_allocator* fuzz_memory_begin(fuzz_memory* memory, size_t input_size) {
    return fuzz_memory_open(memory, fuzz_memory_bound(input_size), false);
}

/* For builds and steps: who wants more than `limit` gets NULL. */
static inline const sup_allocator* fuzz_memory_begin_refusing(fuzz_memory* memory, size_t limit) {
    return fuzz_memory_open(memory, limit, true);
}

/* Everything must have come back. */
static inline void fuzz_memory_end(const fuzz_memory* memory) {
    FUZZ_REQUIRE(atomic_load(&memory->blocks) == 0);
    FUZZ_REQUIRE(atomic_load(&memory->bytes) == 0);
}

/* --- files --- */

/* A file that can be read; everything else is not there, and nothing can be written. */
typedef struct fuzz_file {
    const char* name;
    const uint8_t* bytes;
    size_t size;
} fuzz_file;

#define FUZZ_OPEN_FILES 8

typedef struct fuzz_handle {
    const fuzz_file* file; /* NULL: free */
    uint64_t at;
} fuzz_handle;

typedef struct fuzz_files {
    sup_file_gate table;
    const fuzz_file* files;
    size_t count;
    fuzz_handle handles[FUZZ_OPEN_FILES];
} fuzz_files;

static inline sup_result fuzz_files_open(void* user, const char* path, sup_file_mode mode,
                                         void** file) {
    fuzz_files* files = user;
    if (mode == SUP_FILE_CREATE) return SUP_IO;
    for (size_t i = 0; i < files->count; i++) {
        if (strcmp(files->files[i].name, path) != 0) continue;
        for (int k = 0; k < FUZZ_OPEN_FILES; k++) {
            if (files->handles[k].file) continue;
            files->handles[k] = (fuzz_handle){&files->files[i], 0};
            *file = &files->handles[k];
            return SUP_OK;
        }
        return SUP_IO;
    }
    return SUP_NOT_FOUND;
}

static inline sup_result fuzz_files_read(void* user, void* file, void* bytes, size_t size,
                                         size_t* got) {
    (void)user;
    fuzz_handle* handle = file;
    uint64_t left = handle->at < handle->file->size ? handle->file->size - handle->at : 0;
    *got = size < left ? size : (size_t)left;
    if (*got > 0) memcpy(bytes, handle->file->bytes + handle->at, *got);
    handle->at += *got;
    return SUP_OK;
}

static inline sup_result fuzz_files_seek(void* user, void* file, uint64_t offset) {
    (void)user;
    ((fuzz_handle*)file)->at = offset;
    return SUP_OK;
}

static inline sup_result fuzz_files_close(void* user, void* file) {
    (void)user;
    ((fuzz_handle*)file)->file = NULL;
    return SUP_OK;
}

static inline sup_result fuzz_files_write(void* user, void* file, const void* bytes, size_t size) {
    (void)user, (void)file, (void)bytes, (void)size;
    return SUP_IO;
}

static inline sup_result fuzz_files_sync(void* user, void* file) {
    (void)user, (void)file;
    return SUP_IO;
}

static inline sup_result fuzz_files_rename(void* user, const char* from, const char* to) {
    (void)user, (void)from, (void)to;
    return SUP_IO;
}

static inline sup_result fuzz_files_remove(void* user, const char* path) {
    (void)user, (void)path;
    return SUP_NOT_FOUND;
}

/* A gate to `given` (may be NULL: to nothing), which must outlive it. */
static inline const sup_file_gate* fuzz_files_begin(fuzz_files* files, const fuzz_file* given,
                                                    size_t count) {
    *files = (fuzz_files){.files = given, .count = count};
    files->table = (sup_file_gate){.user = files,
                                   .open = fuzz_files_open,
                                   .read = fuzz_files_read,
                                   .write = fuzz_files_write,
                                   .seek = fuzz_files_seek,
                                   .sync = fuzz_files_sync,
                                   .close = fuzz_files_close,
                                   .rename = fuzz_files_rename,
                                   .remove = fuzz_files_remove};
    return &files->table;
}

/* Everything must have been closed. */
static inline void fuzz_files_end(const fuzz_files* files) {
    for (int i = 0; i < FUZZ_OPEN_FILES; i++) FUZZ_REQUIRE(!files->handles[i].file);
}

/* --- refusals --- */

/* Marks what a call is to fill, so that fuzz_check_refusal sees whether it was touched. */
static inline void fuzz_mark(void* out, size_t size) { memset(out, 0xA5, size); }

/* A message begins with the name of the file; after it stands line and column, where it has some,
   or another place in words. */
static inline void fuzz_check_message(const sup_error* error, const char* name) {
    char place[128];
    snprintf(place, sizeof place, error->line > 0 ? "%s:%d:%d: " : "%s: ", name, (int)error->line,
             (int)error->column);
    FUZZ_REQUIRE(memchr(error->text, 0, sizeof error->text));
    FUZZ_REQUIRE(strncmp(error->text, place, strlen(place)) == 0);
    FUZZ_REQUIRE(error->text[strlen(place)] != 0);
}

/* What a call that answered anything but SUP_OK must leave behind: the same code, words (with a
   place, when the content was wrong), and `out` as fuzz_mark left it. */
static inline void fuzz_check_refusal(sup_result result, const sup_error* error, const char* name,
                                      const void* out, size_t size) {
    FUZZ_REQUIRE(error->code == result);
    FUZZ_REQUIRE(error->text[0] != 0);
    if (result == SUP_BAD_FILE) fuzz_check_message(error, name);
    for (size_t i = 0; i < size; i++) FUZZ_REQUIRE(((const uint8_t*)out)[i] == 0xA5);
}

#endif
