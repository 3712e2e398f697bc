#include "memory_files.h"

#include <stdlib.h>
#include <string.h>

struct memory_file {
    memory_file* next;
    char* path;
    uint8_t* bytes;
    size_t size, capacity;
    int32_t opened; /* how often */
    bool written;   /* one of the openers writes */
    bool nameless;  /* removed while it was open: goes with the last opener */
};

/* One opening of a file. */
typedef struct handle {
    memory_file* file;
    size_t at;
    bool writes;
} handle;

/* The link that leads to the file; its target is NULL where there is none. */
static memory_file** link_to(memory_files* files, const char* path) {
    memory_file** link = &files->first;
    while (*link && strcmp((*link)->path, path) != 0) link = &(*link)->next;
    return link;
}

static void free_file(memory_file* file) {
    free(file->path);
    free(file->bytes);
    free(file);
}

static void unlink_file(memory_file** link) {
    memory_file* file = *link;
    *link = file->next;
    if (file->opened > 0) {
        file->nameless = true;
    } else {
        free_file(file);
    }
}

static char* copy_text(const char* text) {
    size_t size = strlen(text) + 1;
    char* copy = malloc(size);
    return copy ? memcpy(copy, text, size) : NULL;
}

/* A new file without bytes; there is none of that name. */
static memory_file* new_file(memory_files* files, const char* path) {
    memory_file* file = calloc(1, sizeof *file);
    if (!file) return NULL;
    file->path = copy_text(path);
    if (!file->path) {
        free(file);
        return NULL;
    }
    file->next = files->first;
    files->first = file;
    return file;
}

/* Room for `size` bytes; new ones are zero. */
static bool reserve(memory_file* file, size_t size) {
    if (size <= file->capacity) return true;
    size_t doubled = file->capacity > SIZE_MAX / 2 ? SIZE_MAX : 2 * file->capacity;
    size_t capacity = size > doubled ? size : doubled;
    uint8_t* larger = realloc(file->bytes, capacity);
    if (!larger) return false;
    memset(larger + file->capacity, 0, capacity - file->capacity);
    file->bytes = larger;
    file->capacity = capacity;
    return true;
}

static sup_result gate_open(void* user, const char* path, sup_file_mode mode, void** out) {
    memory_files* files = user;
    memory_file* file = *link_to(files, path);
    bool writes = mode != SUP_FILE_READ;
    if (!file && mode != SUP_FILE_CREATE) return SUP_NOT_FOUND;
    if (file && writes && file->written) return SUP_BUSY;
    handle* opened = calloc(1, sizeof *opened);
    if (opened && !file) file = new_file(files, path);
    if (!opened || !file) {
        free(opened);
        return SUP_NO_MEMORY;
    }
    if (mode == SUP_FILE_CREATE) file->size = 0;
    if (writes) file->written = true;
    file->opened++;
    *opened = (handle){file, 0, writes};
    *out = opened;
    return SUP_OK;
}

static sup_result gate_read(void* user, void* open_file, void* bytes, size_t size, size_t* got) {
    (void)user;
    handle* opened = open_file;
    const memory_file* file = opened->file;
    size_t left = opened->at < file->size ? file->size - opened->at : 0;
    *got = size < left ? size : left;
    if (*got > 0) memcpy(bytes, file->bytes + opened->at, *got);
    opened->at += *got;
    return SUP_OK;
}

static sup_result gate_write(void* user, void* open_file, const void* bytes, size_t size) {
    (void)user;
    handle* opened = open_file;
    memory_file* file = opened->file;
    if (size == 0) return SUP_OK;
    if (size > SIZE_MAX - opened->at || !reserve(file, opened->at + size)) return SUP_NO_MEMORY;
    if (opened->at > file->size) memset(file->bytes + file->size, 0, opened->at - file->size);
    memcpy(file->bytes + opened->at, bytes, size);
    opened->at += size;
    if (opened->at > file->size) file->size = opened->at;
    return SUP_OK;
}

static sup_result gate_seek(void* user, void* open_file, uint64_t offset) {
    (void)user;
    if (offset > SIZE_MAX) return SUP_IO;
    ((handle*)open_file)->at = (size_t)offset;
    return SUP_OK;
}

static sup_result gate_sync(void* user, void* open_file) {
    (void)user, (void)open_file;
    return SUP_OK;
}

static sup_result gate_close(void* user, void* open_file) {
    (void)user;
    handle* opened = open_file;
    memory_file* file = opened->file;
    if (opened->writes) file->written = false;
    file->opened--;
    if (file->nameless && file->opened == 0) free_file(file);
    free(opened);
    return SUP_OK;
}

static sup_result gate_remove(void* user, const char* path) {
    memory_file** link = link_to(user, path);
    if (!*link) return SUP_NOT_FOUND;
    unlink_file(link);
    return SUP_OK;
}

static sup_result gate_rename(void* user, const char* from, const char* to) {
    if (!*link_to(user, from)) return SUP_NOT_FOUND;
    if (strcmp(from, to) == 0) return SUP_OK;
    char* path = copy_text(to);
    if (!path) return SUP_NO_MEMORY;
    memory_file** replaced = link_to(user, to);
    if (*replaced) unlink_file(replaced);
    memory_file* file = *link_to(user, from);
    free(file->path);
    file->path = path;
    return SUP_OK;
}

static sup_result gate_truncate(void* user, void* open_file, uint64_t size) {
    (void)user;
    memory_file* file = ((handle*)open_file)->file;
    if (size < file->size) file->size = (size_t)size;
    return SUP_OK;
}

sup_file_gate memory_files_gate(memory_files* files) {
    return (sup_file_gate){
        .user = files,
        .open = gate_open,
        .read = gate_read,
        .write = gate_write,
        .seek = gate_seek,
        .sync = gate_sync,
        .close = gate_close,
        .rename = gate_rename,
        .remove = gate_remove,
        .truncate = gate_truncate,
    };
}

uint8_t* memory_files_add(memory_files* files, const char* path, size_t size) {
    memory_file* file = *link_to(files, path);
    if (!file) file = new_file(files, path);
    if (!file || file->opened > 0 || !reserve(file, size > 0 ? size : 1)) return NULL;
    file->size = size;
    return file->bytes;
}

const uint8_t* memory_files_find(const memory_files* files, const char* path, size_t* size) {
    const memory_file* file = *link_to((memory_files*)files, path);
    if (!file) return NULL;
    *size = file->size;
    return file->bytes;
}

void memory_files_clear(memory_files* files) {
    while (files->first) unlink_file(&files->first);
}
