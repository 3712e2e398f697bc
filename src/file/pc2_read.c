/* PC2: a 32-byte header, then every frame as raw little-endian floats. */
#include <math.h>
#include <string.h>

#include "base/check.h"
#include "base/error.h"
#include "file/clip.h"
#include "file/little_endian.h"

enum { HEADER_SIZE = 32, POINT_SIZE = 12 };

typedef struct pc2_header {
    int32_t point_count, frame_count;
    double start, step; /* in frames of the program that wrote it */
} pc2_header;

/* Refuses what stands at an offset of the file. */
static sup_result refuse(const char* name, size_t at, const char* message, sup_error* error) {
    return supi_error_set(error, SUP_BAD_FILE, "%.200s: byte %zu: %s", name, at, message);
}

static sup_result read_header(const char* name, const uint8_t* bytes, size_t size,
                              pc2_header* header, sup_error* error) {
    static const char signature[12] = "POINTCACHE2";
    if (size < HEADER_SIZE) return refuse(name, size, "the file ends inside its header", error);
    if (memcmp(bytes, signature, sizeof signature) != 0) {
        return refuse(name, 0, "a PC2 file starts with \"POINTCACHE2\"", error);
    }
    if (supi_little_u32(bytes + 12) != 1) return refuse(name, 12, "the version is not 1", error);
    uint32_t points = supi_little_u32(bytes + 16), frames = supi_little_u32(bytes + 28);
    if (points == 0 || points > INT32_MAX) {
        return refuse(name, 16, "the number of points must be within 1 .. 2147483647", error);
    }
    header->start = (double)supi_little_float(bytes + 20);
    header->step = (double)supi_little_float(bytes + 24);
    if (!isfinite(header->start)) return refuse(name, 20, "the first frame is not finite", error);
    if (!(isfinite(header->step) && header->step > 0)) {
        return refuse(name, 24, "the distance of two samples must be finite and above 0", error);
    }
    if (frames == 0 || frames > INT32_MAX) {
        return refuse(name, 28, "the number of samples must be within 1 .. 2147483647", error);
    }
    uint64_t need = (uint64_t)points * POINT_SIZE, room = size - HEADER_SIZE;
    if (room / need != frames || room % need != 0) {
        return supi_error_set(error, SUP_BAD_FILE,
                              "%.200s: byte 32: %u samples of %u points need %llu bytes each, "
                              "but %llu follow",
                              name, (unsigned)frames, (unsigned)points, (unsigned long long)need,
                              (unsigned long long)room);
    }
    header->point_count = (int32_t)points;
    header->frame_count = (int32_t)frames;
    return SUP_OK;
}

static sup_result read_times(const char* name, const pc2_header* header, double fps, sup_clip* clip,
                             sup_error* error) {
    for (int32_t i = 0; i < header->frame_count; i++) {
        clip->times[i] = (header->start + i * header->step) / fps;
        bool good = isfinite(clip->times[i]) && (i == 0 || clip->times[i] > clip->times[i - 1]);
        if (!good) return refuse(name, 20, "the times of the samples do not grow", error);
    }
    return SUP_OK;
}

static sup_result read_points(const char* name, const uint8_t* bytes, sup_clip* clip,
                              sup_error* error) {
    const uint8_t* next = bytes + HEADER_SIZE;
    sup_vec3* point = clip->points;
    for (int32_t frame = 0; frame < clip->frame_count; frame++) {
        for (int32_t i = 0; i < clip->point_count; i++, point++, next += POINT_SIZE) {
            point->x = supi_little_float(next);
            point->y = supi_little_float(next + 4);
            point->z = supi_little_float(next + 8);
            if (isfinite(point->x) && isfinite(point->y) && isfinite(point->z)) continue;
            return supi_error_set(error, SUP_BAD_FILE,
                                  "%.200s: byte %zu: point %d of sample %d is not finite", name,
                                  (size_t)(next - bytes), (int)i, (int)frame);
        }
    }
    return SUP_OK;
}

sup_result sup_pc2_parse(const sup_allocator* allocator, const char* name, const uint8_t* bytes,
                         size_t size, double fps, sup_clip* out, sup_error* error) {
    SUPI_NEED(error, name, out);
    if (size > 0) SUPI_NEED(error, bytes);
    if (!allocator) allocator = sup_allocator_default();
    if (!(isfinite(fps) && fps > 0)) {
        return supi_error_set(error, SUP_BAD_ARGUMENT,
                              "%.200s: frames per second must be finite and above 0", name);
    }
    pc2_header header = {0};
    sup_result result = read_header(name, bytes, size, &header, error);
    if (result != SUP_OK) return result;
    sup_clip clip;
    if (!supi_clip_new(allocator, header.frame_count, header.point_count, &clip)) {
        return supi_error_memory(error);
    }
    result = read_times(name, &header, fps, &clip, error);
    if (result == SUP_OK) result = read_points(name, bytes, &clip, error);
    if (result == SUP_OK) {
        *out = clip;
    } else {
        sup_clip_free(&clip);
    }
    return result;
}
