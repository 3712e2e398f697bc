/* Binary glTF 2.0 with morph targets: the first kept frame is the mesh, every later one a target
   that holds the differences from it. All surfaces share one sampler, whose weights are 1 for the
   target of the key and 0 for the others, so that linear interpolation of weights is linear
   interpolation of points. A cloud is a primitive of points. Buffer: positions, indices, times,
   weights, differences; the JSON chunk comes first. */
#include <math.h>
#include <string.h>

#include "base/check.h"
#include "base/error.h"
#include "base/file_io.h"
#include "base/memory.h"
#include "file/animation.h"
#include "file/box.h"
#include "file/cursor.h"
#include "file/polygons.h"
#include "file/text_write.h"

#define KEY_LIMIT 120

#define MAGIC 0x46546C67u      /* glTF */
#define CHUNK_JSON 0x4E4F534Au /* JSON */
#define CHUNK_BIN 0x004E4942u  /* BIN */
#define TOTAL_OFFSET 8
#define JSON_LENGTH_OFFSET 12
#define JSON_OFFSET 20

enum { UNSIGNED_INT = 5125, FLOAT = 5126 };
enum { VIEW_POSITIONS, VIEW_INDICES, VIEW_TIMES, VIEW_WEIGHTS, VIEW_DIFFERENCES, VIEW_COUNT };
enum { ACCESSOR_TIMES, ACCESSOR_WEIGHTS, SHARED_ACCESSORS };

typedef struct glb {
    sup_animation base;
    supi_writer out;
    int32_t kept; /* how many frames become keys */
    int32_t key_count;
    int32_t key_frames[KEY_LIMIT];
    sup_vec3* keys[KEY_LIMIT]; /* key 0: points; others: differences from key 0 */
    sup_vec3* latest;          /* the last frame while it is not a key: an early end makes it one */
} glb;

/* --- frames --- */

/* The frame of key k: evenly spaced, rounded, first and last included. */
static int32_t frame_of_key(const glb* self, int32_t k) {
    int32_t steps = self->kept - 1;
    if (steps == 0) return 0;
    return (int32_t)(((int64_t)k * (self->base.announced - 1) + steps / 2) / steps);
}

static void keep_latest(glb* self, int32_t frame) {
    self->key_frames[self->key_count] = frame;
    self->keys[self->key_count] = self->latest;
    self->key_count++;
    self->latest = NULL;
}

static sup_vec3 difference(sup_vec3 a, sup_vec3 b) {
    return (sup_vec3){a.x - b.x, a.y - b.y, a.z - b.z};
}

static sup_result glb_frame(sup_animation* animation, const sup_vec3* points, sup_error* error) {
    glb* self = (glb*)animation;
    int32_t frame = animation->frame_count;
    size_t count = (size_t)animation->point_count;
    if (frame > 0) {
        sup_result result = supi_animation_check_moves(animation, self->keys[0], points, 1.0,
                                                       "the first frame", error);
        if (result != SUP_OK) return result;
    }
    if (!self->latest)
        self->latest = supi_memory_new(animation->allocator, count, sizeof(sup_vec3));
    if (!self->latest) return supi_error_memory(error);
    for (size_t i = 0; i < count; i++) {
        self->latest[i] = frame == 0 ? points[i] : difference(points[i], self->keys[0][i]);
    }
    if (frame == frame_of_key(self, self->key_count)) keep_latest(self, frame);
    return SUP_OK;
}

/* --- sizes and places --- */

static uint64_t index_count(const sup_surface* surface) {
    if (supi_polygons_is_cloud(surface)) return (uint64_t)surface->point_count;
    return 3 * (uint64_t)supi_polygons_triangle_count(surface);
}

static uint64_t index_total(const sup_animation* animation) {
    uint64_t total = 0;
    for (int32_t k = 0; k < animation->surface_count; k++) {
        total += index_count(&animation->surfaces[k]);
    }
    return total;
}

/* Bytes of every view of the buffer with `keys` keys; returns their sum. */
static uint64_t view_sizes(const sup_animation* animation, int32_t keys,
                           uint64_t sizes[VIEW_COUNT]) {
    uint64_t points = 12 * (uint64_t)animation->point_count, targets = (uint64_t)keys - 1;
    sizes[VIEW_POSITIONS] = points;
    sizes[VIEW_INDICES] = 4 * index_total(animation);
    sizes[VIEW_TIMES] = targets == 0 ? 0 : 4 * (uint64_t)keys;
    sizes[VIEW_WEIGHTS] = 4 * (uint64_t)keys * targets;
    sizes[VIEW_DIFFERENCES] = points * targets;
    uint64_t sum = 0;
    for (int v = 0; v < VIEW_COUNT; v++) sum += sizes[v];
    return sum;
}

/* All lengths in the file are 32-bit. The text is not known yet; this is more than it can be. */
static bool fits(const glb* self) {
    uint64_t sizes[VIEW_COUNT];
    uint64_t bytes = 4096 + view_sizes(&self->base, self->kept, sizes);
    for (int32_t k = 0; k < self->base.surface_count; k++) {
        bytes += 2048 + 512 * (uint64_t)self->kept + 24 * strlen(self->base.surfaces[k].name);
    }
    return bytes <= UINT32_MAX;
}

static bool is_moving(const glb* self) { return self->key_count > 1; }

/* Every surface has one accessor for its indices, then one per key. */
static int64_t accessor_of_indices(const glb* self, int32_t surface) {
    int32_t shared = is_moving(self) ? SHARED_ACCESSORS : 0;
    return shared + (int64_t)surface * (1 + self->key_count);
}

static int64_t accessor_of_key(const glb* self, int32_t surface, int32_t key) {
    return accessor_of_indices(self, surface) + 1 + key;
}

static float time_of_key(const glb* self, int32_t key) {
    return (float)(self->key_frames[key] / self->base.fps);
}

/* --- JSON --- */

static void put_comma(supi_writer* out, int32_t position) {
    if (position > 0) supi_writer_put(out, ",", 1);
}

static void put_floats_text(supi_writer* out, const float* values, int32_t count) {
    for (int32_t i = 0; i < count; i++) {
        put_comma(out, i);
        supi_text_put_float(out, values[i]);
    }
}

static void put_nodes(glb* self) {
    supi_writer* out = &self->out;
    supi_writer_print(out, ",\"scene\":0,\"scenes\":[{\"nodes\":[");
    for (int32_t k = 0; k < self->base.surface_count; k++) {
        put_comma(out, k);
        supi_writer_print(out, "%d", (int)k);
    }
    supi_writer_print(out, "]}],\"nodes\":[");
    for (int32_t k = 0; k < self->base.surface_count; k++) {
        put_comma(out, k);
        supi_writer_print(out, "{\"mesh\":%d,\"name\":", (int)k);
        supi_text_put_string(out, self->base.surfaces[k].name);
        supi_writer_print(out, "}");
    }
    supi_writer_print(out, "]");
}

static void put_mesh(glb* self, int32_t k) {
    supi_writer* out = &self->out;
    supi_writer_print(out, "{\"name\":");
    supi_text_put_string(out, self->base.surfaces[k].name);
    supi_writer_print(out, ",\"primitives\":[{\"attributes\":{\"POSITION\":%lld},",
                      (long long)accessor_of_key(self, k, 0));
    supi_writer_print(out, "\"indices\":%lld,\"material\":%d",
                      (long long)accessor_of_indices(self, k), (int)k);
    if (supi_polygons_is_cloud(&self->base.surfaces[k])) supi_writer_print(out, ",\"mode\":0");
    if (is_moving(self)) {
        supi_writer_print(out, ",\"targets\":[");
        for (int32_t key = 1; key < self->key_count; key++) {
            put_comma(out, key - 1);
            supi_writer_print(out, "{\"POSITION\":%lld}", (long long)accessor_of_key(self, k, key));
        }
        supi_writer_print(out, "]}],\"weights\":[");
        for (int32_t key = 1; key < self->key_count; key++) {
            put_comma(out, key - 1);
            supi_writer_put(out, "0", 1);
        }
        supi_writer_print(out, "]}");
    } else {
        supi_writer_print(out, "}]}");
    }
}

/* Cloth is seen from both sides. */
static void put_material(glb* self, int32_t k) {
    supi_writer* out = &self->out;
    const sup_surface* surface = &self->base.surfaces[k];
    supi_writer_print(out, "{\"name\":");
    supi_text_put_string(out, surface->name);
    supi_writer_print(out, ",\"doubleSided\":true,\"pbrMetallicRoughness\":{\"baseColorFactor\":[");
    put_floats_text(out, surface->colour, 3);
    supi_writer_print(out, ",1],\"metallicFactor\":0,\"roughnessFactor\":");
    put_floats_text(out, &surface->roughness, 1);
    supi_writer_print(out, "}}");
}

static void put_meshes_and_materials(glb* self) {
    supi_writer* out = &self->out;
    supi_writer_print(out, ",\"meshes\":[");
    for (int32_t k = 0; k < self->base.surface_count; k++) {
        put_comma(out, k);
        put_mesh(self, k);
    }
    supi_writer_print(out, "],\"materials\":[");
    for (int32_t k = 0; k < self->base.surface_count; k++) {
        put_comma(out, k);
        put_material(self, k);
    }
    supi_writer_print(out, "]");
}

static void put_animation(glb* self) {
    supi_writer* out = &self->out;
    supi_writer_print(out, ",\"animations\":[{\"samplers\":[{\"input\":%d,\"output\":%d,",
                      ACCESSOR_TIMES, ACCESSOR_WEIGHTS);
    supi_writer_print(out, "\"interpolation\":\"LINEAR\"}],\"channels\":[");
    for (int32_t k = 0; k < self->base.surface_count; k++) {
        put_comma(out, k);
        supi_writer_print(out, "{\"sampler\":0,\"target\":{\"node\":%d,\"path\":\"weights\"}}",
                          (int)k);
    }
    supi_writer_print(out, "]}]");
}

/* The start that all accessors share; the caller closes the brace. */
static void put_accessor(supi_writer* out, int view, uint64_t offset, int component, uint64_t count,
                         const char* type) {
    supi_writer_print(out, "{\"bufferView\":%d,\"byteOffset\":%llu,\"componentType\":%d,", view,
                      (unsigned long long)offset, component);
    supi_writer_print(out, "\"count\":%llu,\"type\":\"%s\"", (unsigned long long)count, type);
}

static void put_bounds(supi_writer* out, const float* least, const float* most, int32_t count) {
    supi_writer_print(out, ",\"min\":[");
    put_floats_text(out, least, count);
    supi_writer_print(out, "],\"max\":[");
    put_floats_text(out, most, count);
    supi_writer_print(out, "]}");
}

static void put_point_accessor(supi_writer* out, int view, uint64_t first, const sup_vec3* points,
                               int32_t count) {
    sup_vec3 low, high;
    supi_box_of(points, count, &low, &high);
    put_accessor(out, view, 12 * first, FLOAT, (uint64_t)count, "VEC3");
    put_bounds(out, &low.x, &high.x, 3);
}

/* In the order of accessor_of_indices and accessor_of_key. */
static void put_accessors(glb* self) {
    supi_writer* out = &self->out;
    uint64_t keys = (uint64_t)self->key_count, points = (uint64_t)self->base.point_count;
    supi_writer_print(out, ",\"accessors\":[");
    if (is_moving(self)) {
        float first_time = time_of_key(self, 0), last_time = time_of_key(self, self->key_count - 1);
        put_accessor(out, VIEW_TIMES, 0, FLOAT, keys, "SCALAR");
        put_bounds(out, &first_time, &last_time, 1);
        supi_writer_put(out, ",", 1);
        put_accessor(out, VIEW_WEIGHTS, 0, FLOAT, keys * (keys - 1), "SCALAR");
        supi_writer_print(out, "},");
    }
    uint64_t first_index = 0, first_point = 0;
    for (int32_t k = 0; k < self->base.surface_count; k++) {
        const sup_surface* surface = &self->base.surfaces[k];
        put_comma(out, k);
        put_accessor(out, VIEW_INDICES, 4 * first_index, UNSIGNED_INT, index_count(surface),
                     "SCALAR");
        supi_writer_print(out, "}");
        for (int32_t key = 0; key < self->key_count; key++) {
            int view = key == 0 ? VIEW_POSITIONS : VIEW_DIFFERENCES;
            uint64_t earlier = key == 0 ? 0 : (uint64_t)(key - 1) * points;
            supi_writer_put(out, ",", 1);
            put_point_accessor(out, view, earlier + first_point, self->keys[key] + first_point,
                               surface->point_count);
        }
        first_index += index_count(surface);
        first_point += (uint64_t)surface->point_count;
    }
    supi_writer_print(out, "]");
}

/* Targets: 34962 is vertex data, 34963 indices. Views with several vertex accessors must state
   their stride. */
static void put_views(glb* self) {
    static const char* const ends[VIEW_COUNT] = {
        [VIEW_POSITIONS] = ",\"byteStride\":12,\"target\":34962}",
        [VIEW_INDICES] = ",\"target\":34963}",
        [VIEW_TIMES] = "}",
        [VIEW_WEIGHTS] = "}",
        [VIEW_DIFFERENCES] = ",\"byteStride\":12,\"target\":34962}",
    };
    supi_writer* out = &self->out;
    uint64_t sizes[VIEW_COUNT], offset = 0;
    uint64_t total = view_sizes(&self->base, self->key_count, sizes);
    int count = is_moving(self) ? VIEW_COUNT : VIEW_TIMES;
    supi_writer_print(out, ",\"bufferViews\":[");
    for (int v = 0; v < count; v++) {
        put_comma(out, v);
        supi_writer_print(out, "{\"buffer\":0,\"byteOffset\":%llu,\"byteLength\":%llu%s",
                          (unsigned long long)offset, (unsigned long long)sizes[v], ends[v]);
        offset += sizes[v];
    }
    supi_writer_print(out, "],\"buffers\":[{\"byteLength\":%llu}]", (unsigned long long)total);
}

/* --- the binary chunk --- */

/* A cloud names each of its points: then it needs what surfaces need, and nothing else. */
static void put_indices(supi_writer* out, const sup_surface* surface) {
    for (int32_t i = 0; supi_polygons_is_cloud(surface) && i < surface->point_count; i++) {
        supi_writer_put_u32(out, (uint32_t)i);
    }
    supi_triangles at = {surface, 0, 0};
    for (int32_t corners[3]; supi_triangles_next(&at, corners);) {
        for (int c = 0; c < 3; c++) supi_writer_put_u32(out, (uint32_t)corners[c]);
    }
}

static void put_binary(glb* self) {
    supi_writer* out = &self->out;
    size_t count = (size_t)self->base.point_count;
    supi_writer_put_points(out, self->keys[0], count);
    for (int32_t k = 0; k < self->base.surface_count; k++) {
        put_indices(out, &self->base.surfaces[k]);
    }
    if (!is_moving(self)) return;
    for (int32_t key = 0; key < self->key_count; key++) {
        float time = time_of_key(self, key);
        supi_writer_put_floats(out, &time, 1);
    }
    for (int32_t key = 0; key < self->key_count; key++) {
        for (int32_t target = 1; target < self->key_count; target++) {
            float weight = target == key ? 1.0f : 0.0f;
            supi_writer_put_floats(out, &weight, 1);
        }
    }
    for (int32_t key = 1; key < self->key_count; key++) {
        supi_writer_put_points(out, self->keys[key], count);
    }
}

/* --- the whole file --- */

static sup_result glb_finish(sup_animation* animation, sup_error* error) {
    glb* self = (glb*)animation;
    supi_writer* out = &self->out;
    if (self->latest) keep_latest(self, animation->frame_count - 1);

    supi_writer_put_u32(out, MAGIC);
    supi_writer_put_u32(out, 2);
    supi_writer_put_u32(out, 0);
    supi_writer_put_u32(out, 0);
    supi_writer_put_u32(out, CHUNK_JSON);
    supi_writer_print(out, "{\"asset\":{\"version\":\"2.0\",\"generator\":\"Supple %s\"}",
                      sup_version());
    put_nodes(self);
    put_meshes_and_materials(self);
    if (is_moving(self)) put_animation(self);
    put_accessors(self);
    put_views(self);
    supi_writer_put(out, "}", 1);
    while (out->result == SUP_OK && out->written % 4 != 0) supi_writer_put(out, " ", 1);
    supi_writer_patch_u32(out, JSON_LENGTH_OFFSET, (uint32_t)(out->written - JSON_OFFSET));

    uint64_t sizes[VIEW_COUNT];
    supi_writer_put_u32(out, (uint32_t)view_sizes(animation, self->key_count, sizes));
    supi_writer_put_u32(out, CHUNK_BIN);
    put_binary(self);
    supi_writer_patch_u32(out, TOTAL_OFFSET, (uint32_t)out->written);
    return supi_writer_commit(out, error);
}

static void glb_release(sup_animation* animation) {
    glb* self = (glb*)animation;
    size_t count = (size_t)animation->point_count;
    for (int32_t k = 0; k < self->key_count; k++) {
        supi_memory_free(animation->allocator, self->keys[k], count, sizeof(sup_vec3));
    }
    supi_memory_free(animation->allocator, self->latest, count, sizeof(sup_vec3));
    supi_writer_abort(&self->out);
}

sup_result sup_glb_open(const sup_allocator* allocator, const sup_file_gate* files,
                        const char* path, int32_t surface_count, const sup_surface* surfaces,
                        double fps, int32_t frame_count, int32_t kept, sup_animation** out,
                        sup_error* error) {
    if (surface_count > 0) SUPI_NEED(error, surfaces);
    static const supi_animation_kind kind = {sizeof(glb), glb_frame, glb_finish, glb_release};
    supi_animation_def def =
        supi_animation_define(allocator, files, path, surface_count, surfaces, fps);
    supi_animation_announce(&def, frame_count);
    if (kept < 2 || kept > KEY_LIMIT) {
        return supi_error_set(error, SUP_BAD_ARGUMENT,
                              "the number of kept frames must be within 2 .. %d", KEY_LIMIT);
    }
    sup_animation* animation = NULL;
    sup_result result = supi_animation_new(&kind, &def, out, &animation, error);
    if (result != SUP_OK) return result;
    glb* self = (glb*)animation;
    self->kept = kept < frame_count ? kept : frame_count;
    if (fits(self)) {
        result = supi_writer_begin(&self->out, animation->files, animation->allocator, path, error);
    } else {
        result = supi_error_set(error, SUP_BAD_ARGUMENT,
                                "%.300s: the file would be larger than 4 GiB, which GLB cannot "
                                "hold; keep fewer frames or write PC2",
                                path);
    }
    return supi_animation_begun(animation, result, out);
}
