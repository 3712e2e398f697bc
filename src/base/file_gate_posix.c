/* The machine's files. A handle is a POSIX descriptor plus one, so that opening takes no memory. */
#define _POSIX_C_SOURCE 200809L
#define _FILE_OFFSET_BITS 64

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#if defined(__unix__)
#include <sys/file.h>
#endif
#include <unistd.h>

#include "supple/base.h"

#define PATH_ROOM 4096
/* A name that changes hands so often is one of a file system that numbers files anew each time. */
#define OPEN_TRIES 8
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

/* Marks the file as ours until it is closed or the process ends, however that comes about. Where
   the file system knows no locks, all go without. */
static bool lock(int number) {
#if defined(__unix__)
    int failed;
    do {
        failed = flock(number, LOCK_EX | LOCK_NB);
    } while (failed && errno == EINTR);
    return !failed || errno != EWOULDBLOCK;
#else
    (void)number;
    return true;
#endif
}

/* Does the name still stand for the file that was opened? Another writer may have renamed it before
   it was locked. */
static bool is_named(int number, const char* path) {
    struct stat opened, named;
    if (fstat(number, &opened) != 0 || stat(path, &named) != 0) return false;
    return opened.st_dev == named.st_dev && opened.st_ino == named.st_ino;
}

/* Emptied only once it is ours alone. Devices have no length. */
static bool empty(int number) {
    struct stat at;
    if (fstat(number, &at) != 0) return false;
    return !S_ISREG(at.st_mode) || ftruncate(number, 0) == 0;
}

static sup_result open_to_write(const char* path, sup_file_mode mode, int* number) {
    int flags = mode == SUP_FILE_CREATE ? O_WRONLY | O_CREAT : O_RDWR;
    for (int tries = 1;; tries++) {
        *number = open_retrying(path, flags);
        if (*number < 0) return result_of_errno();
        if (!lock(*number)) {
            close(*number);
            return SUP_BUSY;
        }
        if (is_named(*number, path) || tries == OPEN_TRIES) break;
        close(*number);
    }
    if (mode == SUP_FILE_UPDATE || empty(*number)) return SUP_OK;
    close(*number);
    return SUP_IO;
}

static sup_result machine_open(void* user, const char* path, sup_file_mode mode, void** file) {
    (void)user;
    int number = -1;
    sup_result result = SUP_OK;
    if (mode == SUP_FILE_READ) {
        number = open_retrying(path, O_RDONLY);
        if (number < 0) result = result_of_errno();
    } else {
        result = open_to_write(path, mode, &number);
    }
    if (result == SUP_OK) *file = (void*)((intptr_t)number + 1);
    return result;
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

static bool is_no_plain_file(const char* path) {
    struct stat at;
    return lstat(path, &at) == 0 && !S_ISREG(at.st_mode);
}

/* A new name survives a power cut only when its folder is synced too. Where that fails the file has
   its name all the same: to say otherwise would be wrong, to move it back as unsure. A folder in
   the way is not moved, a device not replaced. */
static sup_result machine_rename(void* user, const char* from, const char* to) {
    (void)user;
    if (is_no_plain_file(from) || is_no_plain_file(to)) return SUP_IO;
    int folder = open_folder(to);
    if (folder < 0) return result_of_errno();
    sup_result result = rename(from, to) == 0 ? SUP_OK : result_of_errno();
    if (result == SUP_OK) sync_descriptor(folder);
    close(folder);
    return result;
}

static sup_result machine_remove(void* user, const char* path) {
    (void)user;
    return unlink(path) == 0 ? SUP_OK : result_of_errno();
}

static sup_result machine_truncate(void* user, void* file, uint64_t size) {
    (void)user;
    int failed;
    if (size > INT64_MAX) return SUP_IO;
    do {
        failed = ftruncate(descriptor(file), (off_t)size);
    } while (failed && errno == EINTR);
    return failed ? SUP_IO : SUP_OK;
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
        .truncate = machine_truncate,
    };
    return &gate;
}
