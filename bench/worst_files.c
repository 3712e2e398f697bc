/* See worst_files.h. */
#include "worst_files.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- Bytes ---- */

void bench_bytes_free(bench_bytes* bytes) {
    free(bytes->data);
    *bytes = (bench_bytes){0};
}

static void put(bench_bytes* out, const void* data, size_t size) {
    if (out->size + size > out->room && !out->failed) {
        size_t room = 2 * (out->size + size);
        uint8_t* larger = realloc(out->data, room);
        out->failed = !larger;
        if (larger) out->data = larger, out->room = room;
    }
    if (out->failed) return;
    memcpy(out->data + out->size, data, size);
    out->size += size;
}

__attribute__((format(printf, 2, 3))) static void say(bench_bytes* out, const char* format, ...) {
    char text[512];
    va_list arguments;
    va_start(arguments, format);
    int length = vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    put(out, text, (size_t)length);
}

static void repeat(bench_bytes* out, const char* text, int32_t count) {
    for (int32_t i = 0; i < count; i++) put(out, text, strlen(text));
}

static void put_u32(bench_bytes* out, uint32_t value) {
    uint8_t four[4] = {(uint8_t)value, (uint8_t)(value >> 8), (uint8_t)(value >> 16),
                       (uint8_t)(value >> 24)};
    put(out, four, 4);
}

static void put_point(bench_bytes* out, float x, float y, float z) {
    const float values[3] = {x, y, z};
    for (int k = 0; k < 3; k++) {
        uint32_t bits;
        memcpy(&bits, &values[k], sizeof bits);
        put_u32(out, bits);
    }
}

/* Long, and the same as the others up to its end. */
static void say_name(bench_bytes* out, int32_t number) {
    repeat(out, "name", 10);
    say(out, "%d", (int)number);
}

/* ---- JSON ---- */

void bench_json_values(bench_bytes* out, int32_t count) {
    say(out, "[0");
    repeat(out, ",1", count);
    say(out, "]");
}

void bench_json_keys(bench_bytes* out, int32_t count) {
    say(out, "{");
    for (int32_t i = 0; i < count; i++) {
        say(out, "%s\"", i ? "," : "");
        say_name(out, (int32_t)((int64_t)i * 48271 % count)); /* not in their order */
        say(out, "\":0");
    }
    say(out, "}");
}

void bench_json_nest(bench_bytes* out, int32_t count) {
    say(out, "[0");
    for (int32_t i = 0; i < count; i++) {
        say(out, ",");
        repeat(out, "{\"\":", 62);
        say(out, "[]");
        repeat(out, "}", 62);
    }
    say(out, "]");
}

void bench_json_escapes(bench_bytes* out, int32_t count) {
    say(out, "\"");
    repeat(out, "\\ud83d\\ude00\\n", count);
    say(out, "\"");
}

void bench_json_digits(bench_bytes* out, int32_t count) {
    say(out, "0.");
    repeat(out, "1234567890", count);
}

/* ---- OBJ, PLY and STL ---- */

void bench_obj_triangles(bench_bytes* out, int32_t count) {
    for (int32_t i = 0; i < count; i++) say(out, "v 0 0 %d\nf 1 -1 1\n", (int)(i % 10));
}

void bench_obj_polygon(bench_bytes* out, int32_t count) {
    say(out, "v 0 0 0\nf");
    repeat(out, " 1\\\n", count);
    say(out, " 1\n");
}

static void say_ply(bench_bytes* out, const char* format, int32_t count) {
    say(out, "ply\nformat %s 1.0\nelement vertex %d\n", format, (int)count);
    say(out, "property float x\nproperty float y\nproperty float z\nelement face %d\n", (int)count);
    say(out, "property list uchar int vertex_indices\nend_header\n");
}

void bench_ply_text(bench_bytes* out, int32_t count) {
    say_ply(out, "ascii", count);
    repeat(out, "0 0 0\n", count);
    repeat(out, "3 0 0 0\n", count);
}

void bench_ply_binary(bench_bytes* out, int32_t count) {
    say_ply(out, "binary_little_endian", count);
    for (int32_t i = 0; i < count; i++) put_point(out, 0, 0, 0);
    for (int32_t i = 0; i < count; i++) put(out, "\3\0\0\0\0\0\0\0\0\0\0\0\0", 13);
}

void bench_ply_lists(bench_bytes* out, int32_t count) {
    say(out, "ply\nformat binary_big_endian 1.0\nelement x %d\nproperty list uchar double y\n",
        (int)count);
    say(out, "element vertex 1\nproperty char x\nproperty char y\nproperty char z\n");
    say(out, "element face 1\nproperty list uchar uchar vertex_index\nend_header\n");
    for (int32_t i = 0; i < count; i++) put(out, "", 1);
    put(out, "\0\0\0\3\0\0\0", 7);
}

void bench_stl_text(bench_bytes* out, int32_t count) {
    say(out, "solid\n");
    repeat(out,
           "facet normal 0 0 0 outer loop vertex 0 0 0 vertex 1 0 0 vertex 0 1 0 endloop endfacet ",
           count);
    say(out, "endsolid");
}

static void begin_stl(bench_bytes* out, int32_t count) {
    repeat(out, "ten chars ", 8);
    put_u32(out, (uint32_t)count);
}

void bench_stl_binary(bench_bytes* out, int32_t count) {
    begin_stl(out, count);
    uint32_t state = 1;
    for (int32_t i = 0; i < count; i++) {
        put_point(out, 0, 0, 1);
        for (int32_t k = 0; k < 9; k++) {
            state = state * 1664525u + 1013904223u;
            put_u32(out, state & 0xBFFFFFFFu); /* finite: the exponent has a zero */
        }
        put(out, "\0", 2);
    }
}

/* Neighbours of one, and the same place turned by the sign of zeros. */
void bench_stl_alike(bench_bytes* out, int32_t count) {
    begin_stl(out, count);
    for (int32_t i = 0; i < count; i++) {
        put_point(out, 0, 0, 1);
        for (uint32_t k = 0; k < 3; k++) {
            put_u32(out, 0x3F800000u);
            put_u32(out, 0x80000000u * (k & 1));
            put_u32(out, 0x3F800000u + 3 * (uint32_t)i + k);
        }
        put(out, "\0", 2);
    }
}

/* ---- GLB ---- */

/* Joins the JSON and the binary chunk, and frees both. */
static void join_glb(bench_bytes* out, bench_bytes* json, bench_bytes* binary) {
    while (json->size % 4) say(json, " ");
    while (binary->size % 4) put(binary, "", 1);
    put(out, "glTF", 4);
    put_u32(out, 2);
    put_u32(out, (uint32_t)(28 + json->size + binary->size));
    put_u32(out, (uint32_t)json->size);
    put(out, "JSON", 4);
    put(out, json->data, json->size);
    put_u32(out, (uint32_t)binary->size);
    put(out, "BIN", 4);
    put(out, binary->data, binary->size);
    out->failed = out->failed || json->failed || binary->failed;
    bench_bytes_free(json);
    bench_bytes_free(binary);
}

#define GLB_START "{\"asset\":{\"version\":\"2.0\"},\"scenes\":[{\"nodes\":[0]}]"
#define GLB_ACCESSOR "{\"bufferView\":0,\"componentType\":5126,\"count\":3,\"type\":\"VEC3\"}"

/* One view of `size` bytes, and the end. */
static void end_glb(bench_bytes* json, size_t size) {
    say(json,
        ",\"bufferViews\":[{\"buffer\":0,\"byteLength\":%zu}],\"buffers\":[{\"byteLength\":%zu}]}",
        size, size);
}

static void put_triangle(bench_bytes* out) {
    put_point(out, 0, 0, 0);
    put_point(out, 1, 0, 0);
    put_point(out, 0, 1, 0);
}

void bench_glb_nodes(bench_bytes* out, int32_t count) {
    bench_bytes json = {0}, binary = {0};
    put_triangle(&binary);
    say(&json, GLB_START ",\"nodes\":[");
    for (int32_t i = 0; i < count; i++) {
        say(&json, "{\"children\":[%d],\"translation\":[0,0,1]},", (int)i + 1);
    }
    say(&json, "{\"mesh\":0}],\"meshes\":[{\"primitives\":[{\"attributes\":{\"POSITION\":0}}]}]");
    say(&json, ",\"accessors\":[" GLB_ACCESSOR "]");
    end_glb(&json, binary.size);
    join_glb(out, &json, &binary);
}

void bench_glb_primitives(bench_bytes* out, int32_t count) {
    bench_bytes json = {0}, binary = {0};
    put_triangle(&binary);
    say(&json, GLB_START ",\"nodes\":[{\"mesh\":0}],\"meshes\":[{\"primitives\":[");
    for (int32_t i = 0; i < count; i++) {
        say(&json, "%s{\"attributes\":{\"POSITION\":%d}}", i ? "," : "", (int)i);
    }
    say(&json, "]}],\"accessors\":[" GLB_ACCESSOR);
    repeat(&json, "," GLB_ACCESSOR, count - 1);
    say(&json, "]");
    end_glb(&json, binary.size);
    join_glb(out, &json, &binary);
}

void bench_glb_points(bench_bytes* out, int32_t count) {
    bench_bytes json = {0}, binary = {0};
    for (int32_t i = 0; i < count; i++) put_triangle(&binary);
    say(&json,
        GLB_START ",\"nodes\":[{\"mesh\":0}],\"meshes\":[{\"primitives\":[{\"attributes\":{"
                  "\"POSITION\":0}}]}],\"accessors\":[{\"bufferView\":0,\"componentType\":"
                  "5126,\"count\":%d,\"type\":\"VEC3\"}]",
        (int)(3 * count));
    end_glb(&json, binary.size);
    join_glb(out, &json, &binary);
}

/* ---- Scenes ---- */

#define SCENE_START "{\"version\":1,"
/* Far from each other, so that none is looked at more closely. */
#define SCENE_BODY "{\"shape\":\"box\",\"position\":[%d,0,0]"

void bench_scene_materials(bench_bytes* out, int32_t count) {
    say(out, SCENE_START "\"materials\":{\"a\":{}");
    for (int32_t i = 0; i < 20 * count; i++) {
        say(out, ",\"");
        say_name(out, i);
        say(out, "\":{}");
    }
    say(out, "},\"bodies\":[" SCENE_BODY "}", 0);
    for (int32_t i = 0; i < count; i++) {
        say(out, "," SCENE_BODY ",\"material\":\"", (int)(3 * i + 3));
        say_name(out, 20 * count - 1 - i);
        say(out, "\"}");
    }
    say(out, "]}");
}

void bench_scene_names(bench_bytes* out, int32_t count) {
    say(out, SCENE_START "\"bodies\":[");
    for (int32_t i = 0; i < count; i++) {
        say(out, "%s" SCENE_BODY ",\"name\":\"", i ? "," : "", (int)(3 * i));
        say_name(out, i);
        say(out, "\"}");
    }
    say(out, "],\"attachments\":[");
    for (int32_t i = 0; i < count; i++) {
        say(out, "%s{\"body\":\"", i ? "," : "");
        say_name(out, count - 1 - i);
        say(out, "\",\"index\":[0,1,2,3]}");
    }
    say(out, "]}");
}

void bench_scene_colliders(bench_bytes* out, int32_t count) {
    say(out, SCENE_START "\"bodies\":[" SCENE_BODY "}],\"colliders\":[", 0);
    for (int32_t i = 0; i < count; i++) {
        say(out, "%s{\"shape\":\"sphere\",\"position\":[%d,9,0]}", i ? "," : "", (int)i);
    }
    say(out, "]}");
}

void bench_scene_pins(bench_bytes* out, int32_t count) {
    say(out, SCENE_START "\"bodies\":[{\"shape\":\"box\",\"pins\":[");
    for (int32_t i = 0; i < count; i++) {
        say(out, "%s{\"index\":[%d],\"motion\":{\"keys\":[{\"time\":0}]}}", i ? "," : "",
            (int)(i % 8));
    }
    say(out, "]}]}");
}

void bench_scene_rows(bench_bytes* out, int32_t count) {
    say(out, SCENE_START "\"bodies\":[" SCENE_BODY "}],\"colliders\":[{\"shape\":{\"heights\":{",
        0);
    say(out, "\"size\":[9,9],\"rows\":[");
    for (int32_t i = 0; i < count; i++) {
        say(out, "%s[0", i ? "," : "");
        repeat(out, ",1", 63);
        say(out, "]");
    }
    say(out, "]}},\"position\":[0,-9,0]}]}");
}
