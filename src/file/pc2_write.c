/* PC2: a 32-byte header and frame_count * point_count * 3 little-endian floats. */
#include "base/check.h"
#include "file/pair_write.h"

#define FRAME_COUNT_OFFSET 28

/* One sample per frame, from frame 0; the number of frames is patched in at the end. */
static void put_header(supi_writer* cache, const sup_animation* animation) {
    static const char signature[12] = "POINTCACHE2";
    static const float start_and_rate[2] = {0.0f, 1.0f};
    supi_writer_put(cache, signature, sizeof signature);
    supi_writer_put_u32(cache, 1);
    supi_writer_put_u32(cache, (uint32_t)animation->point_count);
    supi_writer_put_floats(cache, start_and_rate, 2);
    supi_writer_put_u32(cache, 0);
}

static void patch_count(supi_writer* cache, const sup_animation* animation) {
    supi_writer_patch_u32(cache, FRAME_COUNT_OFFSET, (uint32_t)animation->frame_count);
}

sup_result sup_pc2_open(const sup_allocator* allocator, const sup_file_gate* files,
                        const char* path, int32_t surface_count, const sup_surface* surfaces,
                        double fps, sup_animation** out, sup_error* error) {
    if (surface_count > 0) SUPI_NEED(error, surfaces);
    static const supi_pair_format format = {".pc2", "the first frame of the .pc2 of the same name",
                                            put_header, supi_writer_put_points, patch_count};
    supi_animation_def def =
        supi_animation_define(allocator, files, path, surface_count, surfaces, fps);
    return supi_pair_open(&format, &def, out, error);
}
