/* Whole files in, atomic files out, through any gate. */
#define _POSIX_C_SOURCE 200809L
#include "base/file_io.h"

#include <assert.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#if defined(__unix__)
#include <unistd.h>
#endif

#include "base/error.h"
#include "base/memory.h"

#define BUFFER_SIZE ((size_t)65536)
#define FIRST_ROOM ((size_t)4096) /* of a file that is read: most are small */

/* --- reading --- */

static sup_result read_error(sup_error* error, sup_result result, const char* path,
                             const char* hint) {
    if (result == SUP_NO_MEMORY) {
        return supi_error_set(error, result, "cannot read %.300s: out of memory", path);
    }
    if (result == SUP_NOT_FOUND) {
        return supi_error_set(error, result, "cannot read %.300s: there is no such file", path);
    }
    return supi_error_set(error, SUP_IO, "cannot read %.300s: %s", path, hint);
}

/* Twice the room, the bytes so far kept. */
static bool enlarge(const sup_allocator* allocator, supi_bytes* bytes) {
    if (bytes->capacity > SIZE_MAX / 2) return false;
    size_t capacity = bytes->capacity == 0 ? FIRST_ROOM : 2 * bytes->capacity;
    uint8_t* larger = supi_memory_new(allocator, capacity, 1);
    if (!larger) return false;
    if (bytes->size > 0) memcpy(larger, bytes->data, bytes->size);
    supi_memory_free(allocator, bytes->data, bytes->capacity, 1);
    bytes->data = larger;
    bytes->capacity = capacity;
    return true;
}

/* Reads to the end; the last byte of the room stays free for the closing zero. */
static sup_result read_all(const sup_file_gate* gate, const sup_allocator* allocator, void* file,
                           supi_bytes* bytes) {
    for (;;) {
        if (bytes->size + 1 >= bytes->capacity && !enlarge(allocator, bytes)) return SUP_NO_MEMORY;
        size_t room = bytes->capacity - bytes->size - 1, got = 0;
        sup_result result = gate->read(gate->user, file, bytes->data + bytes->size, room, &got);
        if (result != SUP_OK) return result;
        if (got > room) return SUP_IO;
        bytes->size += got;
        if (got == 0) break;
    }
    bytes->data[bytes->size] = 0;
    return SUP_OK;
}

sup_result supi_file_read(const sup_file_gate* gate, const sup_allocator* allocator,
                          const char* path, supi_bytes* out, sup_error* error) {
    supi_bytes bytes = {NULL, 0, 0};
    void* file = NULL;
    sup_result result = gate->open(gate->user, path, SUP_FILE_READ, &file);
    if (result != SUP_OK) {
        return read_error(error, result, path, "the system refuses to open it");
    }
    result = read_all(gate, allocator, file, &bytes);
    sup_result closed = gate->close(gate->user, file);
    if (result == SUP_OK) result = closed;
    if (result != SUP_OK) {
        supi_bytes_free(allocator, &bytes);
        return read_error(error, result, path, "it is a folder, or the system failed");
    }
    *out = bytes;
    return SUP_OK;
}

void supi_bytes_free(const sup_allocator* allocator, supi_bytes* bytes) {
    supi_memory_free(allocator, bytes->data, bytes->capacity, 1);
    *bytes = (supi_bytes){NULL, 0, 0};
}

sup_result supi_file_read_at(const sup_file_gate* gate, void* file, uint64_t offset, void* bytes,
                             size_t size) {
    sup_result result = gate->seek(gate->user, file, offset);
    size_t done = 0;
    while (result == SUP_OK && done < size) {
        size_t got = 0;
        result = gate->read(gate->user, file, (uint8_t*)bytes + done, size - done, &got);
        if (result == SUP_OK && got > size - done) result = SUP_IO;
        if (result == SUP_OK && got == 0) result = SUP_NOT_FOUND;
        done += got;
    }
    return result;
}

/* A gate tells no sizes, but whether there is a byte: the end is closed in on by halves. */
sup_result supi_file_size(const sup_file_gate* gate, void* file, uint64_t* size) {
    uint64_t low = 0, high = UINT64_MAX >> 2; /* at least low bytes, fewer than high */
    bool bounded = false;
    for (uint64_t probe = 4096; low + 1 < high;) {
        uint8_t byte;
        sup_result result = supi_file_read_at(gate, file, probe - 1, &byte, 1);
        if (result != SUP_OK && result != SUP_NOT_FOUND) return result;
        bounded = bounded || result == SUP_NOT_FOUND;
        if (result == SUP_OK)
            low = probe;
        else
            high = probe;
        probe = bounded ? low + (high - low) / 2 : 4 * probe;
    }
    *size = low;
    return SUP_OK;
}

/* --- writing --- */

sup_result supi_file_write_error(const char* action, const char* path, sup_result result,
                                 sup_error* error) {
    const char* reason = "the system failed; is there space, and may its folder be written?";
    if (result == SUP_NOT_FOUND) reason = "its folder is not there, or takes no files";
    if (result == SUP_NO_MEMORY) reason = "out of memory";
    return supi_error_set(error, result, "cannot %s %.300s: %s", action, path, reason);
}

static void fail(supi_writer* writer, sup_result result, const char* action) {
    if (writer->result != SUP_OK || result == SUP_OK) return;
    writer->result = result;
    writer->failed = action;
}

sup_result supi_writer_check(const supi_writer* writer, sup_error* error) {
    if (writer->result == SUP_OK) return SUP_OK;
    return supi_file_write_error(writer->failed, writer->path ? writer->path : "a file",
                                 writer->result, error);
}

/* Gives back the memory; the result stays, so that later calls still know it. */
static void release(supi_writer* writer) {
    supi_writer end = {.result = writer->result, .failed = writer->failed};
    if (writer->allocator) {
        supi_memory_free(writer->allocator, writer->path, writer->path_size, 1);
        supi_memory_free(writer->allocator, writer->temporary, writer->temporary_size, 1);
        supi_memory_free(writer->allocator, writer->buffer, BUFFER_SIZE, 1);
    }
    *writer = end;
}

char* supi_file_join(const sup_allocator* allocator, const char* path, const char* ending,
                     size_t* size) {
    size_t length = strlen(path), tail = strlen(ending) + 1;
    char* text = supi_memory_new(allocator, length + tail, 1);
    if (!text) return NULL;
    memcpy(text, path, length);
    memcpy(text + length, ending, tail);
    *size = length + tail;
    return text;
}

/* Keeps the temporaries of two runs that write the same name apart. */
static long process_number(void) {
#if defined(__unix__)
    return (long)getpid();
#else
    return 0;
#endif
}

void supi_file_temporary_ending(char ending[SUPI_TEMPORARY_ROOM]) {
    snprintf(ending, SUPI_TEMPORARY_ROOM, ".%ld.part", process_number());
}

sup_result supi_writer_begin(supi_writer* writer, const sup_file_gate* gate,
                             const sup_allocator* allocator, const char* path, sup_error* error) {
    *writer = (supi_writer){.gate = gate, .allocator = allocator};
    writer->path = supi_file_join(allocator, path, "", &writer->path_size);
    char ending[SUPI_TEMPORARY_ROOM];
    supi_file_temporary_ending(ending);
    writer->temporary = supi_file_join(allocator, path, ending, &writer->temporary_size);
    writer->buffer = supi_memory_new(allocator, BUFFER_SIZE, 1);
    sup_result result = SUP_NO_MEMORY;
    if (writer->path && writer->temporary && writer->buffer) {
        result = gate->open(gate->user, writer->temporary, SUP_FILE_CREATE, &writer->file);
    }
    if (result != SUP_OK) {
        fail(writer, result, "create");
        supi_file_write_error("create", path, result, error);
        release(writer);
    }
    return result;
}

static void flush(supi_writer* writer) {
    if (writer->result != SUP_OK || writer->used == 0) return;
    const sup_file_gate* gate = writer->gate;
    fail(writer, gate->write(gate->user, writer->file, writer->buffer, writer->used), "write");
    writer->used = 0;
}

void supi_writer_put(supi_writer* writer, const void* bytes, size_t size) {
    const uint8_t* next = bytes;
    while (size > 0 && writer->result == SUP_OK) {
        if (writer->used == BUFFER_SIZE) flush(writer);
        size_t room = BUFFER_SIZE - writer->used;
        size_t part = size < room ? size : room;
        memcpy(writer->buffer + writer->used, next, part);
        writer->used += part;
        writer->written += part;
        next += part;
        size -= part;
    }
}

static void store_u32(uint8_t* bytes, uint32_t value) {
    for (int i = 0; i < 4; i++) bytes[i] = (uint8_t)(value >> (8 * i));
}

void supi_writer_put_u32(supi_writer* writer, uint32_t value) {
    uint8_t bytes[4];
    store_u32(bytes, value);
    supi_writer_put(writer, bytes, sizeof bytes);
}

void supi_writer_put_floats(supi_writer* writer, const float* values, size_t count) {
    for (size_t i = 0; i < count; i++) {
        uint32_t bits;
        memcpy(&bits, &values[i], sizeof bits);
        supi_writer_put_u32(writer, bits);
    }
}

_Static_assert(sizeof(sup_vec3) == 3 * sizeof(float), "points are written as plain floats");

void supi_writer_put_points(supi_writer* writer, const sup_vec3* points, size_t count) {
    supi_writer_put_floats(writer, &points->x, 3 * count);
}

void supi_writer_print(supi_writer* writer, const char* format, ...) {
    char text[512];
    va_list arguments;
    va_start(arguments, format);
    int length = vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    if (length < 0) {
        fail(writer, SUP_IO, "write");
    } else if ((size_t)length < sizeof text) {
        supi_writer_put(writer, text, (size_t)length);
    } else {
        /* Rare: too long for the stack. */
        size_t size = (size_t)length + 1;
        char* block = writer->result == SUP_OK ? supi_memory_new(writer->allocator, size, 1) : NULL;
        if (!block) {
            fail(writer, SUP_NO_MEMORY, "write");
            return;
        }
        va_start(arguments, format);
        vsnprintf(block, size, format, arguments);
        va_end(arguments);
        supi_writer_put(writer, block, size - 1);
        supi_memory_free(writer->allocator, block, size, 1);
    }
}

void supi_writer_patch(supi_writer* writer, uint64_t offset, const void* bytes, size_t size) {
    if (writer->result != SUP_OK) return;
    assert(offset <= writer->written && size <= writer->written - offset);
    uint64_t flushed = writer->written - writer->used;
    if (offset >= flushed) {
        memcpy(writer->buffer + (offset - flushed), bytes, size);
        return;
    }
    flush(writer);
    const sup_file_gate* gate = writer->gate;
    if (writer->result == SUP_OK)
        fail(writer, gate->seek(gate->user, writer->file, offset), "write");
    if (writer->result == SUP_OK) {
        fail(writer, gate->write(gate->user, writer->file, bytes, size), "write");
    }
    if (writer->result == SUP_OK) {
        fail(writer, gate->seek(gate->user, writer->file, writer->written), "write");
    }
}

void supi_writer_patch_u32(supi_writer* writer, uint64_t offset, uint32_t value) {
    uint8_t bytes[4];
    store_u32(bytes, value);
    supi_writer_patch(writer, offset, bytes, sizeof bytes);
}

/* Makes the temporary whole and durable, and closes it. */
static void finish(supi_writer* writer) {
    flush(writer);
    if (!writer->file) return;
    const sup_file_gate* gate = writer->gate;
    if (writer->result == SUP_OK) fail(writer, gate->sync(gate->user, writer->file), "write");
    fail(writer, gate->close(gate->user, writer->file), "write");
    writer->file = NULL;
}

static void take_name(supi_writer* writer) {
    if (writer->result != SUP_OK) return;
    const sup_file_gate* gate = writer->gate;
    fail(writer, gate->rename(gate->user, writer->temporary, writer->path), "replace");
}

/* Frees a writer that is done; the temporary of one that has failed goes too. */
static sup_result end(supi_writer* writer, sup_error* error) {
    sup_result result = supi_writer_check(writer, error);
    if (result == SUP_OK) {
        release(writer);
    } else {
        supi_writer_abort(writer);
    }
    return result;
}

sup_result supi_writer_commit(supi_writer* writer, sup_error* error) {
    finish(writer);
    take_name(writer);
    return end(writer, error);
}

sup_result supi_writer_park(supi_writer* writer, sup_error* error) {
    finish(writer);
    return end(writer, error);
}

sup_result supi_file_set_aside(const sup_file_gate* gate, const char* path, const char* aside) {
    sup_result result = gate->rename(gate->user, path, aside);
    return result == SUP_NOT_FOUND ? SUP_OK : result;
}

void supi_file_bring_back(const sup_file_gate* gate, const char* path, const char* aside) {
    sup_result result = gate->rename(gate->user, aside, path);
    if (result == SUP_NOT_FOUND) gate->remove(gate->user, path);
}

/* Both temporaries are whole. The second name changes hands in one step, the first must be able to
   come back until then. */
static void take_names(supi_writer* first, supi_writer* second, const char* aside) {
    const sup_file_gate* gate = first->gate;
    fail(first, supi_file_set_aside(gate, first->path, aside), "replace");
    if (first->result != SUP_OK) return;
    take_name(first);
    if (first->result == SUP_OK) take_name(second);
    if (first->result == SUP_OK && second->result == SUP_OK) {
        gate->remove(gate->user, aside);
    } else {
        supi_file_bring_back(gate, first->path, aside);
    }
}

sup_result supi_writer_commit_pair(supi_writer* first, supi_writer* second, sup_error* error) {
    finish(first);
    finish(second);
    if (first->result == SUP_OK && second->result == SUP_OK) {
        size_t size = 0;
        char* aside = supi_file_join(first->allocator, first->temporary, SUPI_ASIDE_ENDING, &size);
        if (aside) {
            take_names(first, second, aside);
        } else {
            fail(first, SUP_NO_MEMORY, "replace");
        }
        supi_memory_free(first->allocator, aside, size, 1);
    }
    sup_result result = supi_writer_check(first, error);
    if (result == SUP_OK) result = supi_writer_check(second, error);
    if (result == SUP_OK) {
        release(first);
        release(second);
    } else {
        supi_writer_abort(first);
        supi_writer_abort(second);
    }
    return result;
}

void supi_writer_abort(supi_writer* writer) {
    const sup_file_gate* gate = writer->gate;
    if (gate) {
        if (writer->file) gate->close(gate->user, writer->file);
        gate->remove(gate->user, writer->temporary);
    }
    release(writer);
}
