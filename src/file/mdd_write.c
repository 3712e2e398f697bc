/* MDD (Lightwave): two counts, the time of every frame, then frame_count * point_count * 3 floats;
   all big-endian. */
#include <string.h>

#include "base/check.h"
#include "file/pair_write.h"

static void put_u32(supi_writer* cache, uint32_t value) {
    uint8_t bytes[4] = {(uint8_t)(value >> 24), (uint8_t)(value >> 16), (uint8_t)(value >> 8),
                        (uint8_t)value};
    supi_writer_put(cache, bytes, sizeof bytes);
}

static void put_float(supi_writer* cache, float value) {
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    put_u32(cache, bits);
}

static void put_points(supi_writer* cache, const sup_vec3* points, size_t count) {
    for (size_t i = 0; i < count; i++) {
        put_float(cache, points[i].x);
        put_float(cache, points[i].y);
        put_float(cache, points[i].z);
    }
}

static void put_header(supi_writer* cache, const sup_animation* animation) {
    put_u32(cache, (uint32_t)animation->announced);
    put_u32(cache, (uint32_t)animation->point_count);
    for (int32_t frame = 0; frame < animation->announced; frame++) {
        put_float(cache, (float)(frame / animation->fps));
    }
}

sup_result sup_mdd_open(const sup_allocator* allocator, const sup_file_gate* files,
                        const char* path, int32_t surface_count, const sup_surface* surfaces,
                        double fps, int32_t frame_count, sup_animation** out, sup_error* error) {
    if (surface_count > 0) SUPI_NEED(error, surfaces);
    static const supi_pair_format format = {".mdd", "the first frame of the .mdd of the same name",
                                            put_header, put_points, NULL};
    supi_animation_def def =
        supi_animation_define(allocator, files, path, surface_count, surfaces, fps);
    supi_animation_announce(&def, frame_count);
    return supi_pair_open(&format, &def, out, error);
}
