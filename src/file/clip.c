/* Clips: made, loaded by the ending of the name, sampled and given back. */
#include "file/clip.h"

#include <string.h>

#include "base/check.h"
#include "base/error.h"
#include "base/file_io.h"
#include "base/memory.h"
#include "file/ending.h"

bool supi_clip_new(const sup_allocator* allocator, int32_t frame_count, int32_t point_count,
                   sup_clip* clip) {
    if ((uint64_t)point_count > SIZE_MAX / sizeof(sup_vec3)) return false;
    *clip =
        (sup_clip){.allocator = allocator, .frame_count = frame_count, .point_count = point_count};
    clip->times = supi_memory_new(allocator, (size_t)frame_count, sizeof(double));
    clip->points =
        supi_memory_new(allocator, (size_t)frame_count, (size_t)point_count * sizeof(sup_vec3));
    if (clip->times && clip->points) return true;
    sup_clip_free(clip);
    return false;
}

void sup_clip_free(sup_clip* clip) {
    if (!clip || !clip->allocator) return;
    supi_memory_free(clip->allocator, clip->times, (size_t)clip->frame_count, sizeof(double));
    supi_memory_free(clip->allocator, clip->points, (size_t)clip->frame_count,
                     (size_t)clip->point_count * sizeof(sup_vec3));
    *clip = (sup_clip){0};
}

/* The last frame that is not later than `time`; the first when all are. */
static int32_t frame_at(const sup_clip* clip, double time) {
    int32_t low = 0, high = clip->frame_count; /* the answer is in low .. high - 1 */
    while (high - low > 1) {
        int32_t middle = low + (high - low) / 2;
        if (clip->times[middle] <= time) {
            low = middle;
        } else {
            high = middle;
        }
    }
    return low;
}

static float between(float a, float b, double share) {
    return (float)((double)a + ((double)b - (double)a) * share);
}

void sup_clip_sample(const sup_clip* clip, double time, sup_vec3* points) {
    int32_t frame = frame_at(clip, time);
    size_t count = (size_t)clip->point_count;
    const sup_vec3* a = clip->points + (size_t)frame * count;
    bool inside = time > clip->times[frame] && frame + 1 < clip->frame_count;
    if (!inside) {
        memcpy(points, a, count * sizeof *points);
        return;
    }
    const sup_vec3* b = a + count;
    double start = clip->times[frame], end = clip->times[frame + 1];
    double share = (time - start) / (end - start);
    for (size_t i = 0; i < count; i++) {
        points[i] = (sup_vec3){between(a[i].x, b[i].x, share), between(a[i].y, b[i].y, share),
                               between(a[i].z, b[i].z, share)};
    }
}

sup_result sup_clip_load(const sup_allocator* allocator, const sup_file_gate* files,
                         const char* path, double fps, sup_clip* out, sup_error* error) {
    SUPI_NEED(error, path, out);
    if (!allocator) allocator = sup_allocator_default();
    if (!files) files = sup_file_gate_default();
    bool pc2 = supi_ending_is(path, ".pc2");
    if (!pc2 && !supi_ending_is(path, ".glb") && !supi_ending_is(path, ".gltf")) {
        return supi_error_set(error, SUP_BAD_ARGUMENT,
                              "%.200s: the name of a clip must end in .pc2, .glb or .gltf", path);
    }
    supi_bytes bytes;
    sup_result result = supi_file_read(files, allocator, path, &bytes, error);
    if (result != SUP_OK) return result;
    result = pc2 ? sup_pc2_parse(allocator, path, bytes.data, bytes.size, fps, out, error)
                 : sup_glb_parse_clip(allocator, files, path, bytes.data, bytes.size, out, error);
    supi_bytes_free(allocator, &bytes);
    return result;
}
