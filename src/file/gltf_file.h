/* A glTF 2.0 file while it is read: its JSON, its bytes, and the arrays of numbers (accessors) in
   them. Every count and offset is checked when the file is opened, every number before its first
   use. */
#ifndef SUPPLE_FILE_GLTF_FILE_H
#define SUPPLE_FILE_GLTF_FILE_H

#include "base/arena.h"
#include "base/file_io.h"
#include "base/meter.h"
#include "base/trie.h"
#include "file/json.h"

typedef struct supi_gltf_buffer {
    const uint8_t* bytes;
    size_t size;
} supi_gltf_buffer;

typedef struct supi_gltf_view {
    const uint8_t* bytes;
    size_t size;
    size_t stride; /* bytes from element to element; 0: they are packed */
} supi_gltf_view;

typedef enum supi_gltf_component {
    SUPI_GLTF_BYTE = 5120,
    SUPI_GLTF_UBYTE = 5121,
    SUPI_GLTF_SHORT = 5122,
    SUPI_GLTF_USHORT = 5123,
    SUPI_GLTF_UINT = 5125,
    SUPI_GLTF_FLOAT = 5126
} supi_gltf_component;

/* `count` elements of `width` numbers. */
typedef struct supi_gltf_accessor {
    const supi_json* place;
    supi_gltf_component component;
    bool normalized; /* integers stand for 0 .. 1 or -1 .. 1 */
    int32_t width, count;
    const uint8_t* bytes; /* NULL: all zero, but for the sparse ones */
    size_t stride;
    /* Elements that stand elsewhere: packed, by ascending index. */
    int32_t sparse_count;
    supi_gltf_component sparse_component;
    const uint8_t *sparse_indices, *sparse_values;
} supi_gltf_accessor;

typedef struct supi_gltf {
    const char* name; /* of the file, for messages; buffers lie beside it */
    const sup_allocator* allocator;
    const sup_file_gate* files;
    sup_error* error;
    supi_arena store; /* all tables */
    supi_json_document json;
    const uint8_t* binary; /* the chunk of that name */
    size_t binary_size;
    bool quantized;   /* points may be integers */
    uint64_t budget;  /* numbers that may still be unfolded */
    supi_meter meter; /* bounds the memory: all but `beside` goes through it */
    supi_trie beside_names;
    supi_bytes* beside; /* files that buffers name, each once (beside_names.count) */
    int32_t buffer_count, view_count, accessor_count;
    supi_gltf_buffer* buffers;
    supi_gltf_view* views;
    supi_gltf_accessor* accessors;
} supi_gltf;

/* Opens GLB or JSON, whichever the bytes are, and reads the buffers beside it. The bytes must
   outlive it, and it must not move. Close also after a failure. */
sup_result supi_gltf_open(supi_gltf* gltf, const sup_allocator* allocator,
                          const sup_file_gate* files, const char* name, const uint8_t* bytes,
                          size_t size, sup_error* error);
/* Returns `result`, or that the file was too small for the memory that it asked for. */
sup_result supi_gltf_close(supi_gltf* gltf, sup_result result);

/* The parts of supi_gltf_open. */
sup_result supi_gltf_buffers_read(supi_gltf* gltf);
sup_result supi_gltf_accessors_read(supi_gltf* gltf);

/* A few bytes can name many numbers: instances, zeros that are not stored, shared arrays. Whoever
   is about to look at `count` of them takes them from the budget, which refuses at the end. A file
   that stores all its numbers never gets there. Whatever was spent, memory stays within
   SUPI_GLTF_MEMORY_PER_BYTE and a little more. */
#define SUPI_GLTF_PER_BYTE 4
#define SUPI_GLTF_MEMORY_PER_BYTE 64
sup_result supi_gltf_spend(supi_gltf* gltf, const supi_json* place, uint64_t count);

/* --- accessors --- */

/* Bytes of a number; 0: there is no such component. */
size_t supi_gltf_component_size(supi_gltf_component component);
/* Spends its elements; refuses numbers that are not finite and sparse indices out of order. Before
   every other use. */
sup_result supi_gltf_accessor_check(supi_gltf* gltf, const supi_gltf_accessor* accessor);
/* sums[i] += weight * number i, for count * width numbers. */
void supi_gltf_accessor_add(const supi_gltf_accessor* accessor, double weight, double* sums);

/* --- fields of JSON objects --- */

/* name:line:column: and the message; returns SUP_BAD_FILE. */
sup_result supi_gltf_fail(const supi_gltf* gltf, const supi_json* place, const char* format, ...)
    __attribute__((format(printf, 3, 4)));

/* The value under `key`, of that kind; NULL when there is none. */
sup_result supi_gltf_field(const supi_gltf* gltf, const supi_json* object, const char* key,
                           supi_json_kind kind, const supi_json** value);
/* The same, but there must be one. */
sup_result supi_gltf_needed(const supi_gltf* gltf, const supi_json* object, const char* key,
                            supi_json_kind kind, const supi_json** value);
/* Keeps *value when the key is missing. */
sup_result supi_gltf_integer(const supi_gltf* gltf, const supi_json* object, const char* key,
                             int64_t low, int64_t high, int64_t* value);
sup_result supi_gltf_needed_integer(const supi_gltf* gltf, const supi_json* object, const char* key,
                                    int64_t low, int64_t high, int64_t* value);
/* A place in a table of `count` rows; -1 when the key is missing. */
sup_result supi_gltf_index(const supi_gltf* gltf, const supi_json* object, const char* key,
                           int32_t count, int32_t* index);
sup_result supi_gltf_needed_index(const supi_gltf* gltf, const supi_json* object, const char* key,
                                  int32_t count, int32_t* index);
/* The same for an item of an array. */
sup_result supi_gltf_item_index(const supi_gltf* gltf, const supi_json* item, int32_t count,
                                int32_t* index);
/* Exactly `count` numbers; keeps `values` when the key is missing. */
sup_result supi_gltf_numbers(const supi_gltf* gltf, const supi_json* object, const char* key,
                             int32_t count, double* values, bool* given);
/* The objects of an array by their number; none when the key is missing. */
typedef struct supi_gltf_table {
    int32_t count;
    const supi_json** rows; /* in the store */
} supi_gltf_table;
sup_result supi_gltf_table_read(supi_gltf* gltf, const supi_json* object, const char* key,
                                supi_gltf_table* table);

#endif
