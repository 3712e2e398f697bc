/* The picture is that of a small scene: faces of one colour are a body, seen from the front and
   from above. */
#include "deform_picture.h"

#include "mesh_picture.h"

#include <math.h>
#include <stdlib.h>

#define AWAY 1.15 /* sizes of the box from its middle to the camera */

/* Generations go round these; the last one is for faces without. */
static const char* const colours[] = {"#e4572e", "#f3a712", "#e8d5a0",
                                      "#a8c686", "#29a19c", "#b9b4a8"};
enum { COLOURS = sizeof colours / sizeof *colours, RINGS = COLOURS - 1 };

static const char* const names[COLOURS] = {"ring0.obj", "ring1.obj", "ring2.obj",
                                           "ring3.obj", "ring4.obj", "rest.obj"};

typedef struct view {
    double middle[3], scale, floor;
} view;

static void stretch_box(const sup_mesh* mesh, float low[3], float high[3]) {
    for (int32_t i = 0; i < mesh->point_count; i++) {
        const float* x = &mesh->points[i].x;
        for (int k = 0; k < 3; k++) {
            low[k] = x[k] < low[k] ? x[k] : low[k];
            high[k] = x[k] > high[k] ? x[k] : high[k];
        }
    }
}

/* The box of the mesh as it was and as it is, so that what has moved is in the picture. */
static view find_view(const sup_mesh* before, const sup_mesh* now) {
    const float* first = &now->points[0].x;
    float low[3] = {first[0], first[1], first[2]}, high[3] = {first[0], first[1], first[2]};
    view v = {.floor = 0.0};
    double size = 0.0;
    stretch_box(now, low, high);
    double floor = (double)low[1];
    stretch_box(before, low, high);
    for (int k = 0; k < 3; k++) {
        double side = (double)high[k] - (double)low[k];
        v.middle[k] = 0.5 * ((double)low[k] + (double)high[k]);
        size += side * side;
    }
    v.scale = size > 0.0 ? 1.0 / sqrt(size) : 1.0;
    v.floor = (floor - v.middle[1]) * v.scale;
    return v;
}

/* The colour of a face: by its lowest generation, none if one of its points has none. */
static int colour_of(const sup_mesh* mesh, const int32_t* generations, int32_t face) {
    int32_t least = INT32_MAX;
    for (int32_t c = mesh->starts[face]; c < mesh->starts[face + 1]; c++) {
        int32_t g = generations[mesh->corners[c]];
        if (g < 0) return RINGS;
        least = g < least ? g : least;
    }
    return (int)(least % RINGS);
}

/* Returns how many faces there are. */
static int32_t put_faces(const sup_mesh* mesh, const int32_t* generations, const view* v,
                         int colour, memory_file* file) {
    int32_t count = 0;
    for (int32_t i = 0; i < mesh->point_count; i++) {
        const sup_vec3* x = &mesh->points[i];
        memory_file_print(file, "v %.7f %.7f %.7f\n", ((double)x->x - v->middle[0]) * v->scale,
                          ((double)x->y - v->middle[1]) * v->scale,
                          ((double)x->z - v->middle[2]) * v->scale);
    }
    for (int32_t f = 0; f < mesh->polygon_count; f++) {
        if (colour_of(mesh, generations, f) != colour) continue;
        count++;
        memory_file_print(file, "f");
        for (int32_t c = mesh->starts[f]; c < mesh->starts[f + 1]; c++)
            memory_file_print(file, " %d", (int)mesh->corners[c] + 1);
        memory_file_print(file, "\n");
    }
    return count;
}

/* Meshes and then the scene; false when memory is short. */
static bool write_files(const sup_mesh* mesh, const int32_t* generations, const view* v,
                        memory_file files[COLOURS + 1]) {
    memory_file* scene = &files[COLOURS];
    memory_file_print(scene,
                      "{\"version\": 1, \"frames\": 1, \"gravity\": [0, 0, 0], \"camera\": "
                      "{\"from\": [%.4f, %.4f, %.4f], \"look_at\": [0, 0, 0]},\n",
                      0.35 * AWAY, 0.55 * AWAY, 0.8 * AWAY);
    memory_file_print(scene,
                      "\"colliders\": [{\"shape\": \"plane\", \"position\": [0, %.5f, 0]}],\n",
                      v->floor - 0.02);
    const char* before = "\"bodies\": [";
    for (int k = 0; k < COLOURS; k++) {
        if (put_faces(mesh, generations, v, k, &files[k]) == 0) continue;
        memory_file_print(scene,
                          "%s{\"shape\": {\"mesh\": {\"file\": \"%s\"}}, \"mass\": 1, "
                          "\"paused\": true, \"pass_through\": true,\n\"colour\": \"%s\", "
                          "\"roughness\": 0.7}",
                          before, files[k].name, colours[k]);
        before = ", ";
    }
    memory_file_print(scene, "]}\n");
    bool enough = true;
    for (int k = 0; k <= COLOURS; k++) enough = enough && files[k].bytes;
    return enough;
}

tool_exit deform_picture_draw(const deform_work* w, const char* path) {
    sup_error error = {SUP_NO_MEMORY, 0, 0, "not enough memory"};
    memory_file files[COLOURS + 1] = {{.name = NULL}};
    sup_mesh now;
    for (int k = 0; k < COLOURS; k++) files[k].name = names[k];
    files[COLOURS].name = "picture.json";
    sup_result result = sup_clay_mesh(w->clay, NULL, &now, NULL, &error);
    if (result != SUP_OK) return tool_fail_error(&error);
    int32_t* generations = malloc((size_t)now.point_count * sizeof *generations);
    const view v = find_view(&w->mesh, &now);
    if (now.polygon_count == 0) {
        free(generations);
        sup_mesh_free(&now);
        return tool_fail(TOOL_INPUT, "%s has no faces to be drawn", w->path);
    }
    if (generations) sup_clay_generations(w->clay, generations);
    result = generations && write_files(&now, generations, &v, files) ? SUP_OK : SUP_NO_MEMORY;
    tool_exit code =
        result == SUP_OK ? mesh_picture_scene(COLOURS + 1, files, path) : tool_fail_error(&error);
    for (int k = 0; k <= COLOURS; k++) memory_file_free(&files[k]);
    free(generations);
    sup_mesh_free(&now);
    return code;
}
