/* The machine's files. A handle is a POSIX descriptor plus one, so that opening takes no memory. */
#define _POSIX_C_SOURCE 200809L
#define _FILE_OFFSET_BITS 64

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "supple/base.h"

#define PATH_ROOM 4096
/* Linux takes no more in one call anyway. */
#define TRANSFER_LIMIT ((size_t)1 << 30)

static sup_result result_of_errno(void) {
    switch (errno) {
    case ENOENT:
    case ENOTDIR: return SUP_NOT_FOUND;
    case ENOMEM: return SUP_NO_MEMORY;
    default: return SUP_IO;
    }
}

static int descriptor(void* file) { return (int)((intptr_t)file - 1); }

static int open_retrying(const char* path, int flags) {
    int number;
    do {
        number = open(path, flags | O_CLOEXEC, 0666);
    } while (number < 0 && errno == EINTR);
    return number;
}

static sup_result machine_open(void* user, const char* path, sup_file_mode mode, void** file) {
    (void)user;
    int flags = mode == SUP_FILE_CREATE ? O_WRONLY | O_CREAT | O_TRUNC : O_RDONLY;
    int number = open_retrying(path, flags);
    if (number < 0) return result_of_errno();
    *file = (void*)((intptr_t)number + 1);
    return SUP_OK;
}

static sup_result machine_read(void* user, void* file, void* bytes, size_t size, size_t* got) {
    (void)user;
    ssize_t count;
    do {
        count = read(descriptor(file), bytes, size < TRANSFER_LIMIT ? size : TRANSFER_LIMIT);
    } while (count < 0 && errno == EINTR);
    if (count < 0) return SUP_IO;
    *got = (size_t)count;
    return SUP_OK;
}

static sup_result machine_write(void* user, void* file, const void* bytes, size_t size) {
    (void)user;
    const char* next = bytes;
    while (size > 0) {
        ssize_t count =
            write(descriptor(file), next, size < TRANSFER_LIMIT ? size : TRANSFER_LIMIT);
        if (count < 0 && errno == EINTR) continue;
        if (count <= 0) return SUP_IO;
        next += count;
        size -= (size_t)count;
    }
    return SUP_OK;
}

static sup_result machine_seek(void* user, void* file, uint64_t offset) {
    (void)user;
    if (offset > INT64_MAX) return SUP_IO;
    return lseek(descriptor(file), (off_t)offset, SEEK_SET) < 0 ? SUP_IO : SUP_OK;
}

/* Pipes and some file systems cannot sync; their bytes are as safe as they will ever be. */
static sup_result sync_descriptor(int number) {
    int failed;
    do {
        failed = fsync(number);
    } while (failed && errno == EINTR);
    return failed && errno != EINVAL && errno != ENOTSUP ? SUP_IO : SUP_OK;
}

static sup_result machine_sync(void* user, void* file) {
    (void)user;
    return sync_descriptor(descriptor(file));
}

static sup_result machine_close(void* user, void* file) {
    (void)user;
    /* After EINTR the descriptor is gone too: closing again could hit someone else's file. */
    return close(descriptor(file)) == 0 || errno == EINTR ? SUP_OK : SUP_IO;
}

/* Opens the folder that holds `path`. */
static int open_folder(const char* path) {
    const char* slash = strrchr(path, '/');
    if (!slash) return open_retrying(".", O_RDONLY | O_DIRECTORY);
    char folder[PATH_ROOM];
    size_t length = slash == path ? 1 : (size_t)(slash - path);
    if (length >= sizeof folder) {
        errno = ENAMETOOLONG;
        return -1;
    }
    memcpy(folder, path, length);
    folder[length] = 0;
    return open_retrying(folder, O_RDONLY | O_DIRECTORY);
}

/* A new name survives a power cut only when its folder is synced too. */
static sup_result machine_rename(void* user, const char* from, const char* to) {
    (void)user;
    struct stat at;
    if (lstat(to, &at) == 0 && !S_ISREG(at.st_mode)) return SUP_IO; /* a device would be gone */
    int folder = open_folder(to);
    if (folder < 0) return result_of_errno();
    sup_result result = rename(from, to) == 0 ? sync_descriptor(folder) : result_of_errno();
    close(folder);
    return result;
}

static sup_result machine_remove(void* user, const char* path) {
    (void)user;
    return unlink(path) == 0 ? SUP_OK : result_of_errno();
}

const sup_file_gate* sup_file_gate_default(void) {
    static const sup_file_gate gate = {
        .open = machine_open,
        .read = machine_read,
        .write = machine_write,
        .seek = machine_seek,
        .sync = machine_sync,
        .close = machine_close,
        .rename = machine_rename,
        .remove = machine_remove,
    };
    return &gate;
}
