/* Files that are hard on their readers: many tiny things, long names, deep nests, equal corners. */
#ifndef SUPPLE_BENCH_WORST_FILES_H
#define SUPPLE_BENCH_WORST_FILES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct bench_bytes {
    uint8_t* data;
    size_t size, room;
    bool failed; /* memory was short */
} bench_bytes;

void bench_bytes_free(bench_bytes* bytes);

/* Each makes a good file whose size grows with `count`. */
typedef void (*bench_file_maker)(bench_bytes* out, int32_t count);

void bench_json_values(bench_bytes* out, int32_t count);  /* an array of digits */
void bench_json_keys(bench_bytes* out, int32_t count);    /* one object of alike keys */
void bench_json_nest(bench_bytes* out, int32_t count);    /* nested as deep as allowed, often */
void bench_json_escapes(bench_bytes* out, int32_t count); /* one string of escapes */
void bench_json_digits(bench_bytes* out, int32_t count);  /* one number */

void bench_obj_triangles(bench_bytes* out, int32_t count);
void bench_obj_polygon(bench_bytes* out, int32_t count); /* one face over joined lines */

void bench_ply_text(bench_bytes* out, int32_t count);
void bench_ply_binary(bench_bytes* out, int32_t count);
void bench_ply_lists(bench_bytes* out, int32_t count); /* empty lists, one byte each */

void bench_stl_text(bench_bytes* out, int32_t count);
void bench_stl_binary(bench_bytes* out, int32_t count); /* no two corners alike */
void bench_stl_alike(bench_bytes* out, int32_t count);  /* corners that differ in few bits */

void bench_glb_nodes(bench_bytes* out, int32_t count);      /* each below the one before */
void bench_glb_primitives(bench_bytes* out, int32_t count); /* of one mesh, each its accessors */
void bench_glb_points(bench_bytes* out, int32_t count);

void bench_scene_materials(bench_bytes* out, int32_t count); /* and bodies of the last of them */
void bench_scene_names(bench_bytes* out, int32_t count);     /* of bodies and attachments */
void bench_scene_colliders(bench_bytes* out, int32_t count);
void bench_scene_pins(bench_bytes* out, int32_t count); /* each with a motion */
void bench_scene_rows(bench_bytes* out, int32_t count); /* of a height field */

#endif
