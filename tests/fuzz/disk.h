/* Files in memory that can be written too. */
#ifndef SUPPLE_TESTS_FUZZ_DISK_H
#define SUPPLE_TESTS_FUZZ_DISK_H

#include "fuzz/fuzz.h"

enum { FUZZ_DISK_FILES = 8, FUZZ_DISK_NAME = 32 };

typedef struct fuzz_disk_file {
    char name[FUZZ_DISK_NAME]; /* empty: none */
    uint8_t* data;
    size_t size;
    uint64_t at;
    bool open;
} fuzz_disk_file;

typedef struct fuzz_disk {
    sup_file_gate gate;
    fuzz_disk_file files[FUZZ_DISK_FILES];
} fuzz_disk;

static inline fuzz_disk_file* fuzz_disk_find(fuzz_disk* disk, const char* name) {
    for (int i = 0; i < FUZZ_DISK_FILES; i++) {
        if (strcmp(disk->files[i].name, name) == 0) return &disk->files[i];
    }
    return NULL;
}

static inline void fuzz_disk_erase(fuzz_disk_file* file) {
    free(file->data);
    *file = (fuzz_disk_file){0};
}

/* A file without bytes, in the place of one that has that name. */
static inline fuzz_disk_file* fuzz_disk_create(fuzz_disk* disk, const char* name) {
    fuzz_disk_file* file = fuzz_disk_find(disk, name);
    if (file) fuzz_disk_erase(file);
    file = fuzz_disk_find(disk, "");
    FUZZ_REQUIRE(file && strlen(name) < FUZZ_DISK_NAME);
    strcpy(file->name, name);
    return file;
}

static inline sup_result fuzz_disk_open(void* user, const char* path, sup_file_mode mode,
                                        void** out) {
    fuzz_disk_file* file =
        mode == SUP_FILE_CREATE ? fuzz_disk_create(user, path) : fuzz_disk_find(user, path);
    if (!file) return SUP_NOT_FOUND;
    FUZZ_REQUIRE(!file->open);
    file->open = true;
    file->at = 0;
    *out = file;
    return SUP_OK;
}

static inline sup_result fuzz_disk_read(void* user, void* handle, void* bytes, size_t size,
                                        size_t* got) {
    (void)user;
    fuzz_disk_file* file = handle;
    uint64_t left = file->at < file->size ? file->size - file->at : 0;
    *got = size < left ? size : (size_t)left;
    if (*got > 0) memcpy(bytes, file->data + file->at, *got);
    file->at += *got;
    return SUP_OK;
}

static inline sup_result fuzz_disk_write(void* user, void* handle, const void* bytes, size_t size) {
    (void)user;
    fuzz_disk_file* file = handle;
    FUZZ_REQUIRE(file->at <= file->size);
    if (size == 0) return SUP_OK;
    if (file->size < file->at + size) {
        file->size = (size_t)file->at + size;
        file->data = realloc(file->data, file->size);
        FUZZ_REQUIRE(file->data);
    }
    memcpy(file->data + file->at, bytes, size);
    file->at += size;
    return SUP_OK;
}

static inline sup_result fuzz_disk_seek(void* user, void* handle, uint64_t offset) {
    (void)user;
    ((fuzz_disk_file*)handle)->at = offset;
    return SUP_OK;
}

static inline sup_result fuzz_disk_sync(void* user, void* handle) {
    (void)user, (void)handle;
    return SUP_OK;
}

static inline sup_result fuzz_disk_close(void* user, void* handle) {
    (void)user;
    ((fuzz_disk_file*)handle)->open = false;
    return SUP_OK;
}

static inline sup_result fuzz_disk_remove(void* user, const char* path) {
    fuzz_disk_file* file = fuzz_disk_find(user, path);
    if (!file) return SUP_NOT_FOUND;
    fuzz_disk_erase(file);
    return SUP_OK;
}

static inline sup_result fuzz_disk_rename(void* user, const char* from, const char* to) {
    fuzz_disk_file* file = fuzz_disk_find(user, from);
    if (!file) return SUP_NOT_FOUND;
    fuzz_disk_remove(user, to);
    strcpy(file->name, to);
    return SUP_OK;
}

static inline sup_result fuzz_disk_truncate(void* user, void* handle, uint64_t size) {
    (void)user;
    fuzz_disk_file* file = handle;
    if (size < file->size) file->size = (size_t)size;
    return SUP_OK;
}

static inline const sup_file_gate* fuzz_disk_begin(fuzz_disk* disk) {
    *disk = (fuzz_disk){.gate = {disk, fuzz_disk_open, fuzz_disk_read, fuzz_disk_write,
                                 fuzz_disk_seek, fuzz_disk_sync, fuzz_disk_close, fuzz_disk_rename,
                                 fuzz_disk_remove, fuzz_disk_truncate}};
    return &disk->gate;
}

/* Everything must have been closed. */
static inline void fuzz_disk_end(fuzz_disk* disk) {
    for (int i = 0; i < FUZZ_DISK_FILES; i++) {
        FUZZ_REQUIRE(!disk->files[i].open);
        fuzz_disk_erase(&disk->files[i]);
    }
}

#endif
