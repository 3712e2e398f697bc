/* The picture is that of a small scene: faces of one colour are a body, seen from the front and
   from above, or from another side. */
#include "deform_picture.h"

#include "base/real.h"
#include "geom/vector.h"
#include "mesh_picture.h"

#include <math.h>
#include <stdlib.h>

#define DEGREE 0.017453292519943295
#define FOV 40.0            /* degrees, from the lower edge to the upper one */
#define HALF_FOV 0.36397023 /* tangent of half of it */
#define MARGIN 0.05         /* share of the picture that is free at each edge */
#define NEAREST 1e-3        /* sizes of all: of what is a single point */
#define HALVINGS 12         /* of the room in which the camera can stand aside */

/* Generations go round these; the last one is for faces without. */
static const char* const colours[] = {"#e4572e", "#f3a712", "#e8d5a0",
                                      "#a8c686", "#29a19c", "#b9b4a8"};
enum { COLOURS = sizeof colours / sizeof *colours, RINGS = COLOURS - 1 };

static const char* const names[COLOURS] = {"ring0.obj", "ring1.obj", "ring2.obj",
                                           "ring3.obj", "ring4.obj", "rest.obj"};

typedef struct view {
    double middle[3], scale, floor;
    double from[3], look_at[3]; /* of the camera, as the scene sees it */
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

/* Ahead, right and up, one long each, of a camera that looks down from the front, turned about the
   vertical as that of `supple render` is. */
static void find_axes(double orbit, double axes[3][3]) {
    static const double aside[3] = {-0.35, -0.55, -0.8};
    const double sine = supi_sin(orbit * DEGREE), cosine = supi_cos(orbit * DEGREE);
    double length = supi_vector_length(aside);
    double* ahead = axes[0];
    ahead[0] = (cosine * aside[0] + sine * aside[2]) / length;
    ahead[1] = aside[1] / length;
    ahead[2] = (cosine * aside[2] - sine * aside[0]) / length;
    double level = sqrt(ahead[0] * ahead[0] + ahead[2] * ahead[2]);
    axes[1][0] = -ahead[2] / level;
    axes[1][1] = 0.0;
    axes[1][2] = ahead[0] / level;
    supi_vector_cross(axes[1], ahead, axes[2]);
}

typedef struct sight {
    const sup_mesh* meshes[2]; /* as it was, as it is */
    double axes[3][3];
    double distance; /* from the camera to the plane through the middle */
    double at[2];    /* of the camera, to the right and up */
} sight;

/* Of a point: right, up and ahead of the middle. */
static void see(const sight* s, const view* v, const sup_vec3* point, double seen[3]) {
    double p[3];
    supi_vector_from(point, p);
    for (int k = 0; k < 3; k++) p[k] = (p[k] - v->middle[k]) * v->scale;
    for (int k = 0; k < 3; k++) seen[k] = supi_vector_dot(s->axes[(k + 1) % 3], p);
}

/* Between which planes through the camera, of these tangents, does all lie along an axis? Of a
   camera in the plane of the middle: where they meet it. */
static void find_planes(const sight* s, const view* v, int axis, double tan, double planes[2]) {
    planes[0] = INFINITY;
    planes[1] = -INFINITY;
    for (int m = 0; m < 2; m++) {
        for (int32_t i = 0; i < s->meshes[m]->point_count; i++) {
            double p[3];
            see(s, v, &s->meshes[m]->points[i], p);
            planes[0] = fmin(planes[0], p[axis] + tan * p[2]);
            planes[1] = fmax(planes[1], p[axis] - tan * p[2]);
        }
    }
}

/* By how much more the picture reaches to one side of its middle than to the other. */
static double lean(const sight* s, const view* v, int axis) {
    double low = INFINITY, high = -INFINITY;
    for (int m = 0; m < 2; m++) {
        for (int32_t i = 0; i < s->meshes[m]->point_count; i++) {
            double p[3];
            see(s, v, &s->meshes[m]->points[i], p);
            double x = (p[axis] - s->at[axis]) / (p[2] + s->distance);
            low = fmin(low, x);
            high = fmax(high, x);
        }
    }
    return low + high;
}

/* As near as all of both is in the picture, and that in the middle of it. */
static void place_camera(sight* s, view* v) {
    const double upright = (1.0 - 2.0 * MARGIN) * HALF_FOV;
    const double tans[2] = {upright * MESH_PICTURE_X / MESH_PICTURE_Y, upright};
    double planes[2][2];
    s->distance = NEAREST;
    for (int k = 0; k < 2; k++) {
        find_planes(s, v, k, tans[k], planes[k]);
        s->distance = fmax(s->distance, (planes[k][1] - planes[k][0]) / (2.0 * tans[k]));
    }
    for (int k = 0; k < 2; k++) {
        double low = planes[k][1] - tans[k] * s->distance;
        double high = planes[k][0] + tans[k] * s->distance;
        for (int i = 0; i < HALVINGS; i++) {
            s->at[k] = 0.5 * (low + high);
            *(lean(s, v, k) > 0.0 ? &low : &high) = s->at[k];
        }
    }
    for (int k = 0; k < 3; k++) {
        v->look_at[k] = s->at[0] * s->axes[1][k] + s->at[1] * s->axes[2][k];
        v->from[k] = v->look_at[k] - s->distance * s->axes[0][k];
    }
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
                      "{\"from\": [%.6f, %.6f, %.6f], \"look_at\": [%.6f, %.6f, %.6f], \"fov\": "
                      "%g},\n",
                      v->from[0], v->from[1], v->from[2], v->look_at[0], v->look_at[1],
                      v->look_at[2], FOV);
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

tool_exit deform_picture_draw(const deform_work* w, double orbit, const char* path) {
    sup_error error = {SUP_NO_MEMORY, 0, 0, "not enough memory"};
    memory_file files[COLOURS + 1] = {{.name = NULL}};
    sup_mesh now;
    for (int k = 0; k < COLOURS; k++) files[k].name = names[k];
    files[COLOURS].name = "picture.json";
    sup_result result = sup_clay_mesh(w->clay, NULL, &now, NULL, &error);
    if (result != SUP_OK) return tool_fail_error(&error);
    int32_t* generations = malloc((size_t)now.point_count * sizeof *generations);
    view v = find_view(&w->mesh, &now);
    sight s = {.meshes = {&w->mesh, &now}};
    find_axes(orbit, s.axes);
    place_camera(&s, &v);
    if (now.polygon_count == 0) {
        free(generations);
        sup_mesh_free(&now);
        return tool_fail(TOOL_INPUT, "%s has no faces to be drawn", w->path);
    }
    for (int32_t i = 0; generations && i < now.point_count; i++)
        generations[i] = i < w->generation_count ? w->generations[i] : -1;
    result = generations && write_files(&now, generations, &v, files) ? SUP_OK : SUP_NO_MEMORY;
    tool_exit code =
        result == SUP_OK ? mesh_picture_scene(COLOURS + 1, files, path) : tool_fail_error(&error);
    for (int k = 0; k <= COLOURS; k++) memory_file_free(&files[k]);
    free(generations);
    sup_mesh_free(&now);
    return code;
}
