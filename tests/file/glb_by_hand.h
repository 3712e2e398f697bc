/* GLB and glTF files made by hand: a square in JSON and bytes, to be changed at will. In the JSON '
   stands for ". */
#ifndef SUPPLE_TESTS_FILE_GLB_BY_HAND_H
#define SUPPLE_TESTS_FILE_GLB_BY_HAND_H

#include "failing_files.h"
#include "sweeps.h"

#include <math.h>
#include <stdio.h>

#include "supple/files.h"
#include "supple/mesh.h"

/* --- bytes --- */

typedef struct bytes {
    size_t size;
    uint8_t data[8192];
} bytes;

static inline void put(bytes* out, const void* data, size_t size) {
    assert_true(out->size + size <= sizeof out->data);
    memcpy(out->data + out->size, data, size);
    out->size += size;
}

static inline void put_u32(bytes* out, uint32_t value) {
    uint8_t four[4] = {(uint8_t)value, (uint8_t)(value >> 8), (uint8_t)(value >> 16),
                       (uint8_t)(value >> 24)};
    put(out, four, 4);
}

static inline void put_floats(bytes* out, const float* values, int count) {
    for (int i = 0; i < count; i++) {
        uint32_t bits;
        memcpy(&bits, &values[i], 4);
        put_u32(out, bits);
    }
}

static inline void put_json(bytes* out, const char* text) {
    for (; *text; text++) put(out, *text == '\'' ? "\"" : text, 1);
}

static inline bytes make_glb(const char* json, const bytes* binary) {
    bytes glb = {0};
    uint32_t text = (uint32_t)(strlen(json) + 3) / 4 * 4;
    uint32_t data = (uint32_t)(binary->size + 3) / 4 * 4;
    put(&glb, "glTF", 4);
    put_u32(&glb, 2);
    put_u32(&glb, 12 + 8 + text + 8 + data);
    put_u32(&glb, text);
    put(&glb, "JSON", 4);
    put_json(&glb, json);
    put(&glb, "   ", text - strlen(json));
    put_u32(&glb, data);
    put(&glb, "BIN\0", 4);
    put(&glb, binary->data, binary->size);
    put(&glb, "\0\0\0", data - binary->size);
    return glb;
}

/* `text` with its only `from` replaced. */
static inline void replace(char* text, size_t room, const char* from, const char* to) {
    char* at = strstr(text, from);
    assert_non_null(at);
    assert_null(strstr(at + 1, from));
    assert_true(strlen(text) + strlen(to) - strlen(from) < room);
    memmove(at + strlen(to), at + strlen(from), strlen(at + strlen(from)) + 1);
    memcpy(at, to, strlen(to));
}

/* --- the square --- */

/* A square of two triangles, a target that folds it along z, and two keys. */
static const float square[] = {0, 0, 0, 1, 0, 0, 0, 1, 0, 1, 1, 0};
static const uint8_t square_indices[] = {0, 1, 2, 2, 1, 3};
static const float fold[] = {0, 0, 0, 0, 0, 1, 0, 0, 2, 0, 0, 4};
enum { INDICES = 48, TARGET = 56, TIMES = 104, WEIGHTS = 112, BINARY = 120 };

static const char square_json[] =
    "{'asset':{'version':'2.0'},'scenes':[{'nodes':[0]}],'nodes':[{'mesh':0}],"
    "'meshes':[{'primitives':[{'attributes':{'POSITION':0},'indices':1,"
    "'targets':[{'POSITION':2}]}]}],"
    "'animations':[{'channels':[{'sampler':0,'target':{'node':0,'path':'weights'}}],"
    "'samplers':[{'input':3,'output':4}]}],"
    "'accessors':[{'bufferView':0,'componentType':5126,'count':4,'type':'VEC3'},"
    "{'bufferView':1,'componentType':5121,'count':6,'type':'SCALAR'},"
    "{'bufferView':2,'componentType':5126,'count':4,'type':'VEC3'},"
    "{'bufferView':3,'componentType':5126,'count':2,'type':'SCALAR'},"
    "{'bufferView':3,'byteOffset':8,'componentType':5126,'count':2,'type':'SCALAR'}],"
    "'bufferViews':[{'buffer':0,'byteLength':48},{'buffer':0,'byteOffset':48,'byteLength':6},"
    "{'buffer':0,'byteOffset':56,'byteLength':48},{'buffer':0,'byteOffset':104,'byteLength':16}],"
    "'buffers':[{'byteLength':120}]}";

static inline bytes square_binary(void) {
    bytes binary = {0};
    put_floats(&binary, square, 12);
    put(&binary, square_indices, 6);
    put(&binary, "\0\0", 2);
    put_floats(&binary, fold, 12);
    put_floats(&binary, (const float[]){0.25f, 0.75f, 0.5f, 1}, 4);
    assert_int_equal(binary.size, BINARY);
    return binary;
}

static inline bytes square_glb(void) {
    bytes binary = square_binary();
    return make_glb(square_json, &binary);
}

#define NODES "'nodes':[{'mesh':0}]"
#define INDEXED "{'attributes':{'POSITION':0},'indices':1,'targets':[{'POSITION':2}]}"

/* Reads the square with a part of its JSON replaced. */
static inline bytes changed_square(const char* from, const char* to, const bytes* binary) {
    char json[4096];
    strcpy(json, square_json);
    replace(json, sizeof json, from, to);
    return make_glb(json, binary);
}

/* The square as JSON alone, with this URI. */
static inline bytes square_gltf(const char* uri) {
    bytes file = {0};
    const char* end = strstr(square_json, "{'byteLength':120}");
    char start[4096] = "";
    memcpy(start, square_json, (size_t)(end - square_json));
    put_json(&file, start);
    put_json(&file, "{'byteLength':120,'uri':'");
    put_json(&file, uri);
    put_json(&file, "'}]}\n");
    return file;
}

static inline void place_bytes(failing_disk* disk, const char* name, const bytes* content) {
    sup_file_gate gate = failing_gate(disk);
    void* file = NULL;
    assert_int_equal(gate.open(disk, name, SUP_FILE_CREATE, &file), SUP_OK);
    assert_int_equal(gate.write(disk, file, content->data, content->size), SUP_OK);
    assert_int_equal(gate.close(disk, file), SUP_OK);
}

/* --- reading --- */

/* No file of the machine is touched. */
static failing_disk empty_disk;

static inline sup_result read_mesh(const sup_allocator* allocator, const uint8_t* data, size_t size,
                                   sup_error* error) {
    sup_file_gate gate = failing_gate(&empty_disk);
    sup_mesh mesh;
    sup_result result = sup_glb_parse(allocator, &gate, "f", data, size, &mesh, error);
    if (result == SUP_OK) sup_mesh_free(&mesh);
    return result;
}

static inline sup_result read_clip(const sup_allocator* allocator, const uint8_t* data, size_t size,
                                   sup_error* error) {
    sup_file_gate gate = failing_gate(&empty_disk);
    sup_clip clip;
    sup_result result = sup_glb_parse_clip(allocator, &gate, "f", data, size, &clip, error);
    if (result == SUP_OK) sup_clip_free(&clip);
    return result;
}

#endif
