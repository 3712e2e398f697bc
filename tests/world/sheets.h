/* Sheets that meet themselves in a world, folded and thrown, and what crosses what. */
#ifndef SUPPLE_TESTS_WORLD_SHEETS_H
#define SUPPLE_TESTS_WORLD_SHEETS_H

#include "ref/ref_thin.h"
#include "supple/weave.h"
#include "world/springs.h"

#include <math.h>
#include <string.h>

/* A square sheet and what its surface consists of. */
typedef struct cloth {
    int32_t side, count; /* particles along an edge, and all */
    double limit;        /* of strain, 0: none */
    sup_blueprint* print;
    int32_t *triangles, *edges, triangle_count, edge_count;
} cloth;

static inline cloth cloth_make(int32_t side, bool tears) {
    cloth c = {.side = side};
    sup_error error = {0};
    sup_web web;
    sup_weave_grid_def grid = sup_weave_grid_default();
    grid.count[0] = grid.count[1] = side;
    grid.stretch = 400;
    grid.shear = 200;
    grid.bend = 2;
    assert_ok(sup_weave_grid(NULL, &grid, &web, &error), error);
    const sup_mesh* m = &web.surface;
    c.triangles = calloc(6 * (size_t)m->polygon_count, sizeof(int32_t));
    c.edges = calloc(10 * (size_t)m->polygon_count, sizeof(int32_t));
    for (int32_t p = 0; p < m->polygon_count; p++) {
        const int32_t* q = m->corners + m->starts[p];
        const int32_t fan[6] = {q[0], q[1], q[2], q[0], q[2], q[3]};
        const int32_t sides[10] = {q[0], q[1], q[1], q[2], q[2], q[3], q[3], q[0], q[0], q[2]};
        memcpy(c.triangles + 6 * p, fan, sizeof fan);
        memcpy(c.edges + 10 * p, sides, sizeof sides);
    }
    c.triangle_count = 2 * m->polygon_count;
    c.edge_count = 5 * m->polygon_count;
    sup_blueprint_def def = sup_web_blueprint(&web);
    def.tears = tears;
    assert_ok(sup_blueprint_create(&def, &c.print, &error), error);
    c.count = sup_blueprint_get_info(c.print).particle_count; /* with spare ones */
    sup_web_free(&web);
    return c;
}

static inline void cloth_free(cloth* c) {
    sup_blueprint_release(c->print);
    free(c->triangles);
    free(c->edges);
}

static inline sup_body cloth_put(sup_world* world, const cloth* c, bool folds, double thickness,
                                 const double at[3]) {
    sup_body_def def = sup_body_default();
    sup_error error = {0};
    sup_body body;
    def.blueprint = c->print;
    def.springs.meets_itself = folds;
    def.springs.thickness = thickness;
    def.springs.limit = c->limit;
    def.springs.drag = 1;
    for (int k = 0; k < 3; k++) def.position[k] = at[k];
    assert_ok(sup_body_create(world, &def, &body, &error), error);
    return body;
}

/* Folds a sheet over once along x, `gap` apart, and throws it. */
static inline void cloth_fold(sup_world* world, const cloth* c, sup_body body, double gap,
                              const double velocity[3]) {
    sup_point* p = calloc((size_t)c->count, sizeof *p);
    sup_vec3* v = calloc((size_t)c->count, sizeof *v);
    double radius = gap / 2, turn = 3.14159265358979 * radius;
    sup_body_read_particles(world, body, p, v);
    double middle = 0;
    for (int32_t i = 0; i < c->count; i++) middle += p[i].x / c->count;
    for (int32_t i = 0; i < c->count; i++) {
        double along = p[i].x - middle;
        if (along < -turn / 2) {
            p[i].x = middle + along + turn / 2;
        } else if (along > turn / 2) {
            p[i].x = middle + turn / 2 - along;
            p[i].y += gap;
        } else {
            double angle = (along + turn / 2) / radius;
            p[i].x = middle + radius * sin(angle);
            p[i].y += radius * (1 - cos(angle));
        }
        v[i] = (sup_vec3){(float)velocity[0], (float)velocity[1], (float)velocity[2]};
    }
    assert_int_equal(sup_body_write_particles(world, body, p, v, NULL), SUP_OK);
    free(p);
    free(v);
}

/* Edges through triangles, over one or two sheets of a kind. */
static inline int32_t crossings(const sup_world* world, const cloth* c, const sup_body* bodies,
                                int32_t count) {
    sup_point* p = calloc((size_t)(count * c->count), sizeof *p);
    double* places = calloc(3 * (size_t)(count * c->count), sizeof *places);
    int32_t* edges = calloc(2 * (size_t)(count * c->edge_count), sizeof *edges);
    int32_t* triangles = calloc(3 * (size_t)(count * c->triangle_count), sizeof *triangles);
    for (int32_t b = 0; b < count; b++) {
        sup_body_read_particles(world, bodies[b], p + b * c->count, NULL);
        for (int32_t i = 0; i < 2 * c->edge_count; i++) {
            edges[2 * b * c->edge_count + i] = c->edges[i] + b * c->count;
        }
        for (int32_t i = 0; i < 3 * c->triangle_count; i++) {
            triangles[3 * b * c->triangle_count + i] = c->triangles[i] + b * c->count;
        }
    }
    for (int32_t i = 0; i < count * c->count; i++) {
        places[3 * i] = p[i].x, places[3 * i + 1] = p[i].y, places[3 * i + 2] = p[i].z;
    }
    int32_t found = ref_thin_crossings(places, edges, count * c->edge_count, triangles,
                                       count * c->triangle_count);
    free(p);
    free(places);
    free(edges);
    free(triangles);
    return found;
}

static inline double rms_speed(const sup_world* world, const cloth* c, sup_body body) {
    sup_point* p = calloc((size_t)c->count, sizeof *p);
    sup_vec3* v = calloc((size_t)c->count, sizeof *v);
    double sum = 0;
    sup_body_read_particles(world, body, p, v);
    for (int32_t i = 0; i < c->count; i++) {
        sum += (double)v[i].x * (double)v[i].x + (double)v[i].y * (double)v[i].y +
               (double)v[i].z * (double)v[i].z;
    }
    free(p);
    free(v);
    return sqrt(sum / c->count);
}

/* ---- A fold thrown on itself, a ball and a plane ---- */

static inline sup_world* drop_swept(const cloth* c, bool folds, double thickness, int32_t sweeps,
                                    int32_t threads, sup_simd simd, sup_body* body) {
    sup_world_def quiet = sup_world_default();
    quiet.sleep_speed = 0.0;
    quiet.substeps = 4;
    quiet.sweeps = sweeps;
    quiet.threads = threads;
    quiet.simd = simd;
    sup_world* world = make_world(&quiet);
    sup_error error = {0};
    sup_collider_def def = sup_collider_default();
    sup_collider collider;
    def.kind = SUP_COLLIDER_PLANE;
    assert_ok(sup_collider_create(world, &def, &collider, &error), error);
    def = sup_collider_default();
    def.kind = SUP_COLLIDER_SPHERE;
    def.radius = 0.3;
    def.position[1] = 0.3;
    assert_ok(sup_collider_create(world, &def, &collider, &error), error);
    *body = cloth_put(world, c, folds, thickness, (double[3]){0, 0.8, 0});
    cloth_fold(world, c, *body, 2.0 / (c->side - 1), (double[3]){0, -5, 0});
    return world;
}

static inline sup_world* drop_world(const cloth* c, bool folds, double thickness, int32_t threads,
                                    sup_simd simd, sup_body* body) {
    int32_t sweeps = sup_world_default().sweeps;
    return drop_swept(c, folds, thickness, sweeps, threads, simd, body);
}

#endif
