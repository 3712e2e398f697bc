/* Surfaces for tests of deformers. */
#ifndef SUPPLE_TESTS_DEFORM_SURFACES_H
#define SUPPLE_TESTS_DEFORM_SURFACES_H

#include "allocators.h"
#include "deform/clay.h"
#include "ref/ref_propagate.h"
#include "ref/ref_random.h"
#include "sizes.h"
#include "supple/deform.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

static inline void require(sup_result result, const sup_error* error) {
    if (result != SUP_OK) fail_msg("%s", error->text);
}

static inline sup_mesh mesh_of(int32_t points, const sup_vec3* places, int32_t polygons,
                               const int32_t* starts, const int32_t* corners) {
    sup_mesh mesh;
    sup_error error;
    require(sup_mesh_create(NULL, points, places, polygons, starts, corners, &mesh, &error),
            &error);
    return mesh;
}

/* Points on a line along x, `step` apart; edges between neighbours only. */
static inline sup_mesh chain(int32_t count, double step) {
    sup_vec3* places = calloc((size_t)count, sizeof *places);
    int32_t* corners = malloc((size_t)count * 3 * sizeof *corners);
    for (int32_t i = 0; i < count; i++) {
        places[i].x = (float)(step * i);
        corners[3 * i] = i;
        corners[3 * i + 1] = corners[3 * i + 2] = i + 1;
    }
    sup_mesh mesh = mesh_of(count, places, count - 1, NULL, corners);
    free(places);
    free(corners);
    return mesh;
}

/* Sheet of n by n quads of edge 1 in the plane z = 0, the middle at the origin; point (i, j) has
   the id j (n + 1) + i. */
static inline sup_mesh sheet(int32_t n) {
    sup_mesh mesh;
    sup_error error;
    require(sup_mesh_grid(NULL, n, n, n, n, &mesh, &error), &error);
    for (int32_t i = 0; i < mesh.point_count; i++) {
        mesh.points[i].y = mesh.points[i].z;
        mesh.points[i].z = 0.0f;
    }
    return mesh;
}

/* A ring of cells with both diagonals, bent at random: up to 8 neighbours, all sorts of parents. */
static inline sup_mesh tangle(int32_t width, int32_t height, double noise, uint64_t seed) {
    int32_t count = width * height, at = 0;
    sup_vec3* places = malloc((size_t)count * sizeof *places);
    int32_t* corners = malloc((size_t)count * 12 * sizeof *corners);
    for (int32_t i = 0; i < count; i++) {
        double u = 2.0 * 3.14159265358979 * (i % width) / width;
        double x = cos(u) * width / 6.28, z = sin(u) * width / 6.28;
        places[i] = (sup_vec3){(float)(x + noise * ref_random(&seed)),
                               (float)(i / width + noise * ref_random(&seed)),
                               (float)(z + noise * ref_random(&seed))};
    }
    for (int32_t j = 0; j + 1 < height; j++) {
        for (int32_t i = 0; i < width; i++) {
            int32_t a = j * width + i, b = j * width + (i + 1) % width, c = b + width;
            int32_t d = a + width;
            const int32_t cell[12] = {a, b, d, b, c, d, a, b, c, a, c, d};
            memcpy(corners + at, cell, sizeof cell);
            at += 12;
        }
    }
    sup_mesh mesh = mesh_of(count, places, at / 3, NULL, corners);
    free(places);
    free(corners);
    return mesh;
}

/* The surface of a cube of n^3 cells of edge 1, quads cut by diagonals. */
static inline sup_mesh cut_cube(int32_t n) {
    sup_mesh box, mesh;
    sup_error error;
    const double size[3] = {n, n, n};
    const int32_t segments[3] = {n, n, n};
    require(sup_mesh_box(NULL, size, segments, &box, &error), &error);
    int32_t* corners = malloc((size_t)box.polygon_count * 6 * sizeof *corners);
    for (int32_t p = 0; p < box.polygon_count; p++) {
        const int32_t* q = box.corners + box.starts[p];
        const int32_t two[6] = {q[0], q[1], q[2], q[0], q[2], q[3]};
        memcpy(corners + 6 * p, two, sizeof two);
    }
    mesh = mesh_of(box.point_count, box.points, 2 * box.polygon_count, NULL, corners);
    free(corners);
    sup_mesh_free(&box);
    return mesh;
}

static inline int32_t corner_of(const sup_mesh* mesh) {
    for (int32_t i = 0; i < mesh->point_count; i++) {
        if (mesh->points[i].x > 1.9f && mesh->points[i].y > 1.9f && mesh->points[i].z > 1.9f)
            return i;
    }
    return -1;
}

static inline sup_vec3 outwards(double length) {
    float part = (float)(length / sqrt(3.0));
    return (sup_vec3){part, part, part};
}

static inline sup_clay* surface_of(const sup_mesh* mesh, const sup_clay_def* def) {
    sup_clay_def plain = sup_clay_default();
    sup_clay* surface;
    sup_error error;
    require(sup_clay_create(NULL, mesh, def ? def : &plain, &surface, &error), &error);
    return surface;
}

static inline sup_pull_report pull_by(sup_clay* surface, const sup_pull_def* def, int32_t point,
                                      sup_vec3 by) {
    sup_pull_report report;
    sup_error error;
    require(sup_clay_pull(surface, def, 1, &point, &by, &report, &error), &error);
    return report;
}

static inline sup_vec3* points_of(const sup_clay* surface) {
    sup_vec3* points = malloc((size_t)sup_clay_point_count(surface) * sizeof *points);
    sup_clay_points(surface, points);
    return points;
}

static inline sup_vec3* moved_of(const sup_clay* surface) {
    sup_vec3* moved = malloc((size_t)sup_clay_point_count(surface) * sizeof *moved);
    sup_clay_moved(surface, moved);
    return moved;
}

static inline double size_of(sup_vec3 a) {
    double x = (double)a.x, y = (double)a.y, z = (double)a.z;
    return sqrt(x * x + y * y + z * z);
}

static inline void assert_near(double value, double wanted, double tolerance) {
    if (!(fabs(value - wanted) <= tolerance))
        fail_msg("%.10g is not within %g of %.10g", value, tolerance, wanted);
}

/* One pass with all that is asked for, without quantisation. */
static inline sup_pull_def one_pass(double transfer, double transverse) {
    sup_pull_def def = sup_pull_seed();
    def.transfer = transfer;
    def.transverse = transverse;
    def.passes = 1;
    def.remember = true;
    return def;
}

#endif
