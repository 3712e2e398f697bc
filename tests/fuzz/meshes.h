/* What a mesh or a clip that a reader gives must hold. */
#ifndef SUPPLE_TESTS_FUZZ_MESHES_H
#define SUPPLE_TESTS_FUZZ_MESHES_H

#include <math.h>

#include "fuzz/fuzz.h"
#include "supple/files.h"
#include "supple/mesh.h"

static inline void fuzz_check_points(const sup_vec3* points, size_t count) {
    for (size_t i = 0; i < count; i++) {
        FUZZ_REQUIRE(isfinite(points[i].x) && isfinite(points[i].y) && isfinite(points[i].z));
    }
}

static inline void fuzz_check_mesh(const sup_mesh* mesh) {
    FUZZ_REQUIRE(mesh->point_count > 0 && mesh->polygon_count >= 0);
    FUZZ_REQUIRE(mesh->starts[0] == 0);
    FUZZ_REQUIRE(mesh->starts[mesh->polygon_count] == mesh->corner_count);
    for (int32_t i = 0; i < mesh->polygon_count; i++) {
        FUZZ_REQUIRE(mesh->starts[i + 1] - mesh->starts[i] >= 3);
    }
    for (int32_t i = 0; i < mesh->corner_count; i++) {
        FUZZ_REQUIRE(mesh->corners[i] >= 0 && mesh->corners[i] < mesh->point_count);
    }
    fuzz_check_points(mesh->points, (size_t)mesh->point_count);
}

/* What sums of a flat volume may miss, m^3: its true value is 0. */
static inline double fuzz_volume_rounding(const sup_mesh_report* mesh,
                                          const sup_repair_report* repair) {
    double size = 0.0;
    for (int k = 0; k < 3; k++) size += mesh->high[k] - mesh->low[k];
    return 1e-12 * size * repair->area;
}

/* The first things that a user does with a mesh must take whatever a reader gave. */
static inline void fuzz_use_mesh(const sup_allocator* allocator, const sup_mesh* mesh) {
    sup_error error = {0};
    sup_mesh_report report;
    sup_result result = sup_mesh_inspect(allocator, mesh, &report, &error);
    FUZZ_REQUIRE(result == SUP_OK || result == SUP_NO_MEMORY);
    sup_mesh welded;
    result = sup_mesh_weld(allocator, mesh, -1, &welded, NULL, &error);
    FUZZ_REQUIRE(error.code == result);
    if (result != SUP_OK) return;
    FUZZ_REQUIRE(welded.point_count <= mesh->point_count);
    sup_mesh_free(&welded);
    sup_mesh repaired;
    sup_repair_report repair;
    result = sup_mesh_repair(allocator, mesh, &repaired, &repair, &error);
    FUZZ_REQUIRE(error.code == result);
    if (result != SUP_OK) return;
    FUZZ_REQUIRE(repair.volume >= -fuzz_volume_rounding(&report, &repair) || !repair.closed ||
                 repair.cavities > 0);
    sup_mesh_free(&repaired);
}

/* Larger ones would only make the search slow. */
#define FUZZ_MESH_USED 64

/* All that follows a mesh reader's answer; `name` is the one it was given. */
static inline void fuzz_finish_mesh(sup_result result, const sup_error* error, const char* name,
                                    const sup_allocator* allocator, sup_mesh* mesh) {
    if (result != SUP_OK) {
        fuzz_check_refusal(result, error, name, mesh, sizeof *mesh);
        return;
    }
    fuzz_check_mesh(mesh);
    if (mesh->point_count <= FUZZ_MESH_USED) fuzz_use_mesh(allocator, mesh);
    sup_mesh_free(mesh);
}

typedef sup_result fuzz_mesh_parser(const sup_allocator* allocator, const char* name,
                                    const uint8_t* bytes, size_t size, sup_mesh* out,
                                    sup_error* error);

/* The whole run of a reader whose files stand alone. */
static inline void fuzz_parse_mesh(fuzz_mesh_parser* parse, const uint8_t* data, size_t size) {
    fuzz_memory memory;
    const sup_allocator* allocator = fuzz_memory_begin(&memory, size);
    sup_error error = {0};
    sup_mesh mesh;
    fuzz_mark(&mesh, sizeof mesh);
    sup_result result = parse(allocator, "f", data, size, &mesh, &error);
    FUZZ_REQUIRE(result == SUP_OK || result == SUP_BAD_FILE);
    fuzz_finish_mesh(result, &error, "f", allocator, &mesh);
    fuzz_memory_end(&memory);
}

static inline void fuzz_check_clip(const sup_clip* clip) {
    FUZZ_REQUIRE(clip->frame_count > 0 && clip->point_count > 0);
    for (int32_t i = 0; i < clip->frame_count; i++) {
        FUZZ_REQUIRE(isfinite(clip->times[i]));
        FUZZ_REQUIRE(i == 0 || clip->times[i] >= clip->times[i - 1]);
    }
    fuzz_check_points(clip->points, (size_t)clip->frame_count * (size_t)clip->point_count);
}

/* Before, between and after all frames the points must be finite too. */
static inline void fuzz_use_clip(const sup_clip* clip) {
    sup_vec3 points[FUZZ_MESH_USED];
    double first = clip->times[0], last = clip->times[clip->frame_count - 1];
    double times[] = {-INFINITY, first, first / 2 + last / 2, last, INFINITY};
    for (size_t i = 0; i < sizeof times / sizeof *times; i++) {
        sup_clip_sample(clip, times[i], points);
        fuzz_check_points(points, (size_t)clip->point_count);
    }
}

static inline void fuzz_finish_clip(sup_result result, const sup_error* error, const char* name,
                                    sup_clip* clip) {
    if (result != SUP_OK) {
        fuzz_check_refusal(result, error, name, clip, sizeof *clip);
        return;
    }
    fuzz_check_clip(clip);
    if (clip->point_count <= FUZZ_MESH_USED) fuzz_use_clip(clip);
    sup_clip_free(clip);
}

#endif
