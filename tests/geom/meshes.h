/* Meshes that several tests of this room need. */
#ifndef SUPPLE_TESTS_GEOM_MESHES_H
#define SUPPLE_TESTS_GEOM_MESHES_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>
#include <stdlib.h>

#include "allocators.h"
#include "supple/mesh.h"

#define PI 3.14159265358979323846

/* A repeatable number from -1 to 1. */
static inline double random_number(uint64_t* state) {
    *state = *state * 6364136223846793005u + 1442695040888963407u;
    return (double)(*state >> 11) / 4503599627370496.0 - 1.0;
}

static inline sup_mesh_report inspect(const sup_mesh* mesh) {
    sup_mesh_report report;
    assert_int_equal(sup_mesh_inspect(NULL, mesh, &report, NULL), SUP_OK);
    return report;
}

static inline sup_mesh make_icosphere(double radius, int32_t subdivisions) {
    sup_mesh mesh;
    assert_int_equal(sup_mesh_icosphere(NULL, radius, subdivisions, &mesh, NULL), SUP_OK);
    return mesh;
}

static inline sup_mesh make_box(double x, double y, double z, int32_t segments) {
    sup_mesh mesh;
    const double size[3] = {x, y, z};
    const int32_t n[3] = {segments, segments, segments};
    assert_int_equal(sup_mesh_box(NULL, size, n, &mesh, NULL), SUP_OK);
    return mesh;
}

static inline sup_mesh make_torus(double radius, double tube, int32_t around, int32_t m) {
    sup_mesh mesh;
    assert_int_equal(sup_mesh_torus(NULL, radius, tube, around, m, &mesh, NULL), SUP_OK);
    return mesh;
}

static inline sup_mesh make_capsule(double radius, double length, int32_t segments) {
    sup_mesh mesh;
    assert_int_equal(sup_mesh_capsule(NULL, radius, length, segments, segments / 4, 3, &mesh, NULL),
                     SUP_OK);
    return mesh;
}

/* The same polygons, each with its own points. */
static inline sup_mesh make_soup(const sup_mesh* mesh) {
    size_t count = (size_t)mesh->corner_count;
    sup_vec3* points = malloc(count * sizeof *points);
    int32_t* corners = malloc(count * sizeof *corners);
    for (int32_t c = 0; c < mesh->corner_count; c++) {
        points[c] = mesh->points[mesh->corners[c]];
        corners[c] = c;
    }
    sup_mesh soup;
    assert_int_equal(sup_mesh_create(NULL, mesh->corner_count, points, mesh->polygon_count,
                                     mesh->starts, corners, &soup, NULL),
                     SUP_OK);
    free(points);
    free(corners);
    return soup;
}

/* Both in one mesh; the second is turned inside out if asked. */
static inline sup_mesh make_union(const sup_mesh* a, const sup_mesh* b, bool reverse) {
    int32_t points = a->point_count + b->point_count;
    int32_t polygons = a->polygon_count + b->polygon_count;
    sup_vec3* p = malloc((size_t)points * sizeof *p);
    int32_t* starts = malloc(((size_t)polygons + 1) * sizeof *starts);
    int32_t* corners = malloc((size_t)(a->corner_count + b->corner_count) * sizeof *corners);
    for (int32_t i = 0; i < points; i++) {
        p[i] = i < a->point_count ? a->points[i] : b->points[i - a->point_count];
    }
    for (int32_t k = 0; k <= a->polygon_count; k++) starts[k] = a->starts[k];
    for (int32_t c = 0; c < a->corner_count; c++) corners[c] = a->corners[c];
    for (int32_t k = 0; k < b->polygon_count; k++) {
        int32_t first = b->starts[k], last = b->starts[k + 1] - 1;
        for (int32_t c = first; c <= last; c++) {
            corners[a->corner_count + c] =
                a->point_count + b->corners[reverse ? first + last - c : c];
        }
        starts[a->polygon_count + k + 1] = a->corner_count + last + 1;
    }
    sup_mesh both;
    assert_int_equal(sup_mesh_create(NULL, points, p, polygons, starts, corners, &both, NULL),
                     SUP_OK);
    free(p);
    free(starts);
    free(corners);
    return both;
}

/* Runs `attempt` with the first allocation refused, then the second and so on until it succeeds; it
   must say so and leak nothing each time. `attempt` frees what it got. */
static inline void refuse_each_allocation(sup_result (*attempt)(const sup_allocator* allocator,
                                                                sup_error* error)) {
    test_allocator counter;
    const sup_allocator* allocator = test_allocator_init(&counter);
    for (long long n = 1;; n++) {
        sup_error error = {SUP_OK, 0, 0, ""};
        test_allocator_arm(&counter, n, false);
        sup_result result = attempt(allocator, &error);
        assert_int_equal(counter.blocks, 0);
        assert_int_equal(counter.bytes, 0);
        if (counter.refused == 0) {
            assert_int_equal(result, SUP_OK);
            assert_true(n > 1);
            return;
        }
        assert_int_equal(result, SUP_NO_MEMORY);
        assert_int_equal(error.code, SUP_NO_MEMORY);
    }
}

#endif
