/* Whole files in, atomic files out: everything in Supple that touches a file goes through here. */
#ifndef SUPPLE_BASE_FILE_IO_H
#define SUPPLE_BASE_FILE_IO_H

#include "supple/base.h"
#include "supple/types.h"

/* The bytes of a file, followed by one zero byte that is not counted. */
typedef struct supi_bytes {
    uint8_t* data;
    size_t size;
    size_t capacity;
} supi_bytes;

/* Reads a whole file; the caller frees. Errors name the path. */
sup_result supi_file_read(const sup_file_gate* gate, const sup_allocator* allocator,
                          const char* path, supi_bytes* out, sup_error* error);
void supi_bytes_free(const sup_allocator* allocator, supi_bytes* bytes);

/* How long an open file is. Leaves it at any place. */
sup_result supi_file_size(const sup_file_gate* gate, void* file, uint64_t* size);
/* Exactly `size` bytes from `offset` on; fewer: SUP_NOT_FOUND. */
sup_result supi_file_read_at(const sup_file_gate* gate, void* file, uint64_t offset, void* bytes,
                             size_t size);

/* `path` and `ending` in one new string of *size bytes, the zero counted. NULL when memory is
 * short. */
char* supi_file_join(const sup_allocator* allocator, const char* path, const char* ending,
                     size_t* size);

/* Writes beside `path` under a temporary name (path + ".PROCESS.part"), and takes the name only at
   the end. Bytes are buffered. After an error every later call returns the same error, so that a
   writer needs to look only at commit. */
typedef struct supi_writer {
    const sup_file_gate* gate;
    const sup_allocator* allocator;
    char* path;
    char* temporary;
    size_t path_size, temporary_size;
    void* file;
    uint8_t* buffer;
    size_t used;
    uint64_t written; /* bytes put so far */
    sup_result result;
    const char* failed; /* what went wrong first: "create", "write", "replace" */
} supi_writer;

sup_result supi_writer_begin(supi_writer* writer, const sup_file_gate* gate,
                             const sup_allocator* allocator, const char* path, sup_error* error);
void supi_writer_put(supi_writer* writer, const void* bytes, size_t size);
/* Little-endian, on every machine. */
void supi_writer_put_u32(supi_writer* writer, uint32_t value);
void supi_writer_put_floats(supi_writer* writer, const float* values, size_t count);
void supi_writer_put_points(supi_writer* writer, const sup_vec3* points, size_t count);
/* printf into the file; numbers must be integers or strings (the decimal point of %g depends on the
   locale). */
void supi_writer_print(supi_writer* writer, const char* format, ...)
    __attribute__((format(printf, 2, 3)));
/* Overwrites bytes at an earlier offset (a count in a header), then goes on at the end. */
void supi_writer_patch(supi_writer* writer, uint64_t offset, const void* bytes, size_t size);
void supi_writer_patch_u32(supi_writer* writer, uint64_t offset, uint32_t value);
/* The first error so far, for those who do not want to wait for commit. */
sup_result supi_writer_check(const supi_writer* writer, sup_error* error);
/* Flushes, syncs and renames. On failure the temporary is removed and an old file of that name is
   untouched. */
sup_result supi_writer_commit(supi_writer* writer, sup_error* error);
/* Commits two files that belong together: both or neither. While the two names change hands, an old
   first file waits aside. */
sup_result supi_writer_commit_pair(supi_writer* first, supi_writer* second, sup_error* error);
/* For a file that must wait for others before it takes its name: makes it whole and durable, closes
   it and leaves it at its temporary name. On failure it is removed. Either way the writer is done.
 */
sup_result supi_writer_park(supi_writer* writer, sup_error* error);
/* Why a file could not be written, for those who call the gate themselves: "cannot replace PATH:
   ...". */
sup_result supi_file_write_error(const char* action, const char* path, sup_result result,
                                 sup_error* error);
/* What a temporary name has behind that of its file. */
#define SUPI_TEMPORARY_ROOM 32
void supi_file_temporary_ending(char ending[SUPI_TEMPORARY_ROOM]);
/* What the name of an old file that waits aside has behind that temporary name:
   path + ".PROCESS.part-old". */
#define SUPI_ASIDE_ENDING "-old"
/* Where several files take their names together, an old one waits aside until all have theirs. That
   there is none is no failure. */
sup_result supi_file_set_aside(const sup_file_gate* gate, const char* path, const char* aside);
/* The old file has its name again; where there was none, the new one goes. */
void supi_file_bring_back(const sup_file_gate* gate, const char* path, const char* aside);
/* Throws the temporary away. Safe after commit and after a failed begin. */
void supi_writer_abort(supi_writer* writer);

#endif
