/* Results, errors, memory and files: what every other header of Supple stands on. */
#ifndef SUPPLE_BASE_H
#define SUPPLE_BASE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define SUP_VERSION_MAJOR 0
#define SUP_VERSION_MINOR 1
#define SUP_VERSION_PATCH 0

#if defined(__GNUC__)
#define SUP_API __attribute__((visibility("default")))
#else
#define SUP_API
#endif

#ifdef __cplusplus
extern "C" {
#endif

/* "0.1.0"; always equal to the three macros above when header and library belong together. */
SUP_API const char* sup_version(void);

/* What a call says. Anything but SUP_OK means that the call has changed nothing. */
typedef enum sup_result {
    SUP_OK = 0,
    SUP_BAD_ARGUMENT, /* a definition or argument is out of its range */
    SUP_BAD_FILE,     /* the content of a file is wrong */
    SUP_NOT_FOUND,    /* the file is not there */
    SUP_STALE,        /* the handle names something that is gone */
    SUP_BUSY,         /* not inside a callback of this world; someone else writes the file */
    SUP_UNSUPPORTED,  /* this build or processor cannot do it */
    SUP_NO_MEMORY,    /* the allocator refused */
    SUP_IO            /* the system failed while reading or writing */
} sup_result;

/* Short English name of a result: "bad argument". */
SUP_API const char* sup_result_name(sup_result result);

/* Why a call failed, in words for a person. Owned by the caller; every function that takes one
   accepts NULL. */
typedef struct sup_error {
    sup_result code;
    int32_t line, column; /* from 1; 0 where the error has no place in a text */
    char text[512]; /* a whole sentence with its place: jelly.json:14:7: unknown key "stifness" */
} sup_error;

/* The gate for all memory. `allocate` returns NULL when it cannot; `release` gets the size that was
   asked for. Both may be called from any thread that steps a world. */
typedef struct sup_allocator {
    void* user;
    void* (*allocate)(void* user, size_t size, size_t alignment);
    void (*release)(void* user, void* pointer, size_t size);
} sup_allocator;

/* The C library's memory. Lives forever. */
SUP_API const sup_allocator* sup_allocator_default(void);

typedef enum sup_file_mode {
    SUP_FILE_READ,
    SUP_FILE_CREATE, /* truncates */
    SUP_FILE_UPDATE  /* reads and writes a file that exists, and keeps the rest of it */
} sup_file_mode;

/* The gate for all files. `read` gives *got = 0 at the end, and `seek` may go beyond it; `truncate`
   ends a longer file at `size`, and the next read or write is where it would have been.
   A file is written by one opener at a time: a second one gets SUP_BUSY until the first has closed
   it or its process has ended. `rename` may meet a file that is still open; it replaces atomically,
   and where it fails both names are as before. It also makes the new name durable, as far as the
   system lets it: a power cut may bring back the old file, but never half of one. Each call returns
   SUP_OK, SUP_NOT_FOUND, SUP_BUSY, SUP_NO_MEMORY or SUP_IO. */
typedef struct sup_file_gate {
    void* user;
    sup_result (*open)(void* user, const char* path, sup_file_mode mode, void** file);
    sup_result (*read)(void* user, void* file, void* bytes, size_t size, size_t* got);
    sup_result (*write)(void* user, void* file, const void* bytes, size_t size);
    sup_result (*seek)(void* user, void* file, uint64_t offset);
    sup_result (*sync)(void* user, void* file);
    sup_result (*close)(void* user, void* file);
    sup_result (*rename)(void* user, const char* from, const char* to);
    sup_result (*remove)(void* user, const char* path);
    sup_result (*truncate)(void* user, void* file,
                           uint64_t size); /* to go on with a tape; NULL: none can */
} sup_file_gate;

/* The files of the machine. Lives forever. */
SUP_API const sup_file_gate* sup_file_gate_default(void);

#ifdef __cplusplus
}
#endif
#endif
