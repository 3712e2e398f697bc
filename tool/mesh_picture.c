/* The picture is that of a small scene: what was outside is one body, where it was cut another. */
#include "mesh_picture.h"

#include "file/ending.h"
#include "outputs.h"
#include "render/picture.h"
#include "render/renderer.h"
#include "supple/scene.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define AWAY 1.2 /* sizes of the box from its middle to the camera */

/* The scene sees the tetrahedra with a size of about 1 m, whatever theirs is. */
typedef struct frame {
    double middle[3], scale;
    double floor; /* y of the lowest */
} frame;

enum { OUTSIDE, CUT, SCENE, FILE_COUNT };

/* ---- cutting ---- */

sup_result mesh_cut(const sup_tets* tets, const sup_mesh_report* box, sup_tets* out, int32_t* kept,
                    sup_error* error) {
    double plane = 4.0 * 0.5 * (box->low[2] + box->high[2]);
    int32_t* corners = malloc(4 * (size_t)tets->tet_count * sizeof *corners);
    int32_t count = 0;
    for (int32_t t = 0; corners && t < tets->tet_count; t++) {
        const int32_t* tet = tets->tets + 4 * (size_t)t;
        double z = 0;
        for (int k = 0; k < 4; k++) z += (double)tets->points[tet[k]].z;
        if (!(z < plane)) continue;
        if (kept) kept[count] = t;
        memcpy(corners + 4 * count++, tet, 4 * sizeof *corners);
    }
    sup_result result = SUP_NO_MEMORY;
    if (corners) {
        result =
            sup_tets_mend(NULL, tets->point_count, tets->points, count, corners, out, NULL, error);
    }
    free(corners);
    return result;
}

static bool same_side(const int32_t* triangle, const int32_t* tet, int side) {
    static const int sides[4][3] = {{0, 2, 1}, {0, 1, 3}, {0, 3, 2}, {1, 2, 3}};
    for (int k = 0; k < 3; k++) {
        if (triangle[k] != tet[sides[side][k]]) return false;
    }
    return true;
}

/* Marks sides (4 a tetrahedron) that are outside: triangles come in the order of these. */
static void mark_outside(const sup_tets* tets, bool* marks) {
    int32_t at = 0;
    for (int32_t s = 0; s < 4 * tets->tet_count && at < tets->triangle_count; s++) {
        const int32_t* tet = tets->tets + (size_t)s / 4 * 4;
        marks[s] = same_side(tets->triangles + 3 * (size_t)at, tet, s % 4);
        at += marks[s];
    }
}

/* ---- the scene ---- */

static void put_points(const sup_tets* part, const frame* f, memory_file* file) {
    for (int32_t p = 0; p < part->point_count; p++) {
        const sup_vec3* x = part->points + p;
        memory_file_print(file, "v %.7f %.7f %.7f\n", ((double)x->x - f->middle[0]) * f->scale,
                          ((double)x->y - f->middle[1]) * f->scale,
                          ((double)x->z - f->middle[2]) * f->scale);
    }
}

/* The triangles of the part go to one file or the other, by what their sides were in the whole. */
static void put_triangles(const sup_tets* part, const int32_t* kept, const bool* outside,
                          const bool* exposed, memory_file files[2]) {
    int32_t at = 0;
    for (int32_t s = 0; s < 4 * part->tet_count; s++) {
        if (!exposed[s]) continue;
        const int32_t* c = part->triangles + 3 * (size_t)at++;
        memory_file_print(&files[outside[4 * kept[s / 4] + s % 4] ? OUTSIDE : CUT], "f %d %d %d\n",
                          (int)c[0] + 1, (int)c[1] + 1, (int)c[2] + 1);
    }
}

static bool has_triangle(const memory_file* file) {
    return file->bytes && file->size > 0 && memchr(file->bytes, 'f', file->size) != NULL;
}

static void put_scene(const frame* f, const memory_file files[2], memory_file* out) {
    static const char* const colours[2] = {"#c9c3b4", "#e4572e"};
    memory_file_print(out,
                      "{\"version\": 1, \"frames\": 1, \"gravity\": [0, 0, 0], \"camera\": "
                      "{\"from\": [%.4f, %.4f, %.4f], \"look_at\": [0, 0, -0.1]},\n",
                      0.45 * AWAY, 0.4 * AWAY, 0.8 * AWAY);
    memory_file_print(out, "\"colliders\": [{\"shape\": \"plane\", \"position\": [0, %.5f, 0]}],\n",
                      f->floor);
    const char* before = "\"bodies\": [";
    for (int i = 0; i < 2; i++) {
        if (!has_triangle(&files[i])) continue;
        memory_file_print(out,
                          "%s{\"shape\": {\"mesh\": {\"file\": \"%s\"}}, \"mass\": 1, \"paused\": "
                          "true, \"pass_through\": true,\n",
                          before, files[i].name);
        memory_file_print(out, "\"colour\": \"%s\", \"roughness\": 0.7}", colours[i]);
        before = ", ";
    }
    memory_file_print(out, "]}\n");
}

static frame find_frame(const sup_mesh_report* box) {
    frame f;
    double square = 0;
    for (int k = 0; k < 3; k++) {
        double side = box->high[k] - box->low[k];
        f.middle[k] = 0.5 * (box->low[k] + box->high[k]);
        square += side * side;
    }
    f.scale = 1.0 / sqrt(square);
    f.floor = (box->low[1] - f.middle[1]) * f.scale;
    return f;
}

/* Meshes and scene as files; false when memory is short. */
static bool write_files(const sup_tets* tets, const sup_tets* part, const int32_t* kept,
                        const frame* f, memory_file files[FILE_COUNT]) {
    bool* outside = calloc(4 * (size_t)tets->tet_count, sizeof *outside);
    bool* exposed = calloc(4 * (size_t)part->tet_count, sizeof *exposed);
    bool enough = outside && exposed;
    if (enough) {
        mark_outside(tets, outside);
        mark_outside(part, exposed);
        put_points(part, f, &files[OUTSIDE]);
        put_points(part, f, &files[CUT]);
        put_triangles(part, kept, outside, exposed, files);
        put_scene(f, files, &files[SCENE]);
    }
    free(outside);
    free(exposed);
    for (int i = 0; i < FILE_COUNT; i++) enough = enough && files[i].bytes;
    return enough;
}

/* ---- drawing ---- */

tool_exit mesh_picture_check(const char* input, const char* path) {
    if (!supi_ending_is(path, ".png"))
        return tool_fail(TOOL_USAGE, "cannot draw %s: the name must end in .png", path);
    if (outputs_same_file(input, path))
        return tool_fail(TOOL_USAGE, "%s is the input itself; it is not overwritten", path);
    if (!renderer_available())
        return tool_fail(TOOL_MISSING, "this build cannot draw; install %s and build again",
                         renderer_missing());
    return outputs_check_writable(path);
}

static sup_result draw_scene(int32_t count, memory_file* files, const char* path, bool* stopped,
                             sup_error* error) {
    memory_folder folder = {count, files};
    const memory_file* last = &files[count - 1];
    const sup_file_gate gate = memory_folder_gate(&folder);
    sup_scene_options options = sup_scene_options_default();
    render_settings settings = renderer_default();
    sup_scene* scene = NULL;
    renderer* drawer = NULL;
    picture canvas = {0};
    options.files = &gate;
    settings.width = MESH_PICTURE_X;
    settings.height = MESH_PICTURE_Y;
    sup_result result =
        sup_scene_parse(&options, last->name, last->bytes, last->size, &scene, error);
    if (result == SUP_OK && !picture_create(&canvas, MESH_PICTURE_X, MESH_PICTURE_Y))
        result = SUP_NO_MEMORY;
    if (result == SUP_OK) result = renderer_create(&settings, scene, &drawer, error);
    render_watch watch = {.stop_asked = tool_stop_asked};
    if (result == SUP_OK) result = renderer_draw(drawer, &canvas, &watch, error);
    *stopped = watch.stopped;
    if (result == SUP_OK && !watch.stopped) result = picture_save(&canvas, path, error);
    renderer_free(drawer);
    picture_free(&canvas);
    sup_scene_free(scene);
    return result;
}

tool_exit mesh_picture_scene(int32_t count, memory_file* files, const char* path) {
    sup_error error = {SUP_NO_MEMORY, 0, 0, "not enough memory"};
    bool stopped = false;
    sup_result result = draw_scene(count, files, path, &stopped, &error);
    if (result != SUP_OK) return tool_fail_error(&error);
    return stopped ? tool_fail(TOOL_STOPPED, "stopped; %s is not drawn", path) : TOOL_DONE;
}

tool_exit mesh_picture_draw(const sup_tets* tets, const sup_mesh_report* box, const char* path) {
    memory_file files[FILE_COUNT] = {
        {.name = "outside.obj"}, {.name = "cut.obj"}, {.name = "tetrahedra.json"}};
    sup_error error = {SUP_NO_MEMORY, 0, 0, "out of memory"};
    sup_tets part = {0};
    const frame f = find_frame(box);
    int32_t* kept = malloc((size_t)tets->tet_count * sizeof *kept);
    sup_result result = kept ? mesh_cut(tets, box, &part, kept, &error) : SUP_NO_MEMORY;
    if (result == SUP_OK && !write_files(tets, &part, kept, &f, files)) result = SUP_NO_MEMORY;
    tool_exit code =
        result == SUP_OK ? mesh_picture_scene(FILE_COUNT, files, path) : tool_fail_error(&error);
    for (int i = 0; i < FILE_COUNT; i++) memory_file_free(&files[i]);
    sup_tets_free(&part);
    free(kept);
    return code;
}
