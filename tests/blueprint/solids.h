/* Surfaces that solids are made of, clean and dirty, and bodies of these. */
#ifndef SUPPLE_TESTS_BLUEPRINT_SOLIDS_H
#define SUPPLE_TESTS_BLUEPRINT_SOLIDS_H

#include "geom/tets.h"
#include "supple/snapshot.h"
#include "supple/solid.h"
#include "supple/supple.h"

enum { BALL, SHEET, FLIPPED, CROSSING, SURFACES };
static const char* const surface_names[] = {"ball", "sheet", "flipped", "crossing"};
static const sup_solid_kind kinds[] = {SUP_SOLID_CLUSTERS, SUP_SOLID_SPRINGS, SUP_SOLID_FRAMES};
enum { KINDS = 3 };

/* Every third polygon turned inside out. */
static inline void flip_some(sup_mesh* mesh) {
    for (int32_t p = 0; p < mesh->polygon_count; p += 3) {
        int32_t *a = mesh->corners + mesh->starts[p], *b = mesh->corners + mesh->starts[p + 1] - 1;
        for (; a < b; a++, b--) {
            int32_t swap = *a;
            *a = *b;
            *b = swap;
        }
    }
}

/* Two meshes as one. */
static inline sup_mesh join_meshes(const sup_mesh* a, const sup_mesh* b) {
    int32_t points = a->point_count + b->point_count,
            polygons = a->polygon_count + b->polygon_count;
    int32_t corners = a->corner_count + b->corner_count;
    sup_vec3* places = malloc((size_t)points * sizeof *places);
    int32_t* starts = malloc((size_t)(polygons + 1) * sizeof *starts);
    int32_t* ids = malloc((size_t)corners * sizeof *ids);
    memcpy(places, a->points, (size_t)a->point_count * sizeof *places);
    memcpy(places + a->point_count, b->points, (size_t)b->point_count * sizeof *places);
    memcpy(starts, a->starts, (size_t)(a->polygon_count + 1) * sizeof *starts);
    memcpy(ids, a->corners, (size_t)a->corner_count * sizeof *ids);
    for (int32_t i = 0; i <= b->polygon_count; i++)
        starts[a->polygon_count + i] = a->corner_count + b->starts[i];
    for (int32_t i = 0; i < b->corner_count; i++)
        ids[a->corner_count + i] = a->point_count + b->corners[i];
    sup_mesh out;
    assert_int_equal(sup_mesh_create(NULL, points, places, polygons, starts, ids, &out, NULL),
                     SUP_OK);
    free(places);
    free(starts);
    free(ids);
    return out;
}

/* About 0.8 m large. */
static inline sup_mesh make_surface(int which) {
    static const double still[4] = {0, 0, 0, 1}, one[3] = {1, 1, 1}, aside[3] = {0.17, 0.05, 0.02};
    sup_mesh mesh;
    if (which == SHEET) {
        assert_int_equal(sup_mesh_grid(NULL, 0.8, 0.8, 20, 20, &mesh, NULL), SUP_OK);
        for (int32_t i = 0; i < mesh.point_count; i++) {
            sup_vec3* p = &mesh.points[i];
            p->y = 0.4f * p->x * p->x - 0.3f * p->z * p->z;
        }
        return mesh;
    }
    mesh = make_icosphere(0.4, 3);
    if (which == FLIPPED) flip_some(&mesh);
    if (which != CROSSING) return mesh;
    sup_mesh box = make_box(0.5, 0.4, 0.3, 5), both;
    sup_mesh_transform(&box, one, still, aside);
    both = join_meshes(&mesh, &box);
    sup_mesh_free(&mesh);
    sup_mesh_free(&box);
    return both;
}

static inline sup_solid* make_solid(const sup_mesh* mesh, const sup_solid_def* def) {
    sup_solid* solid = NULL;
    sup_error error = {0};
    sup_result result = sup_solid_create(NULL, mesh, def, &solid, &error);
    if (result != SUP_OK) print_message("%s\n", error.text);
    assert_int_equal(result, SUP_OK);
    return solid;
}

static inline sup_blueprint* make_print(const sup_solid* solid) {
    sup_blueprint_def def = sup_solid_blueprint(solid);
    sup_blueprint* print = NULL;
    sup_error error = {0};
    sup_result result = sup_blueprint_create(&def, &print, &error);
    if (result != SUP_OK) print_message("%s\n", error.text);
    assert_int_equal(result, SUP_OK);
    return print;
}

/* A surface, and what is made of it. */
typedef struct made {
    sup_mesh mesh;
    sup_solid* solid;
    sup_blueprint* print;
} made;

/* `def` NULL: the default. */
static inline made make_of_surface(int which, const sup_solid_def* def) {
    const sup_solid_def plain = sup_solid_default();
    sup_mesh mesh = make_surface(which);
    sup_solid* solid = make_solid(&mesh, def ? def : &plain);
    return (made){mesh, solid, make_print(solid)};
}

static inline void unmake(made* m) {
    sup_blueprint_release(m->print);
    sup_solid_free(m->solid);
    sup_mesh_free(&m->mesh);
}

/* A world with a floor, or without gravity and floor. */
static inline sup_world* make_world(bool floor) {
    sup_world_def def = sup_world_default();
    if (!floor) def.gravity[1] = 0;
    sup_world* world;
    assert_int_equal(sup_world_create(&def, &world, NULL), SUP_OK);
    if (!floor) return world;
    sup_collider_def plane = sup_collider_default();
    sup_collider handle;
    assert_int_equal(sup_collider_create(world, &plane, &handle, NULL), SUP_OK);
    return world;
}

/* A body of this blueprint, made of the solid itself or of what became of it. */
static inline sup_body put_body_of(sup_world* world, const sup_solid* solid, sup_blueprint* print,
                                   double height) {
    sup_body_def def = sup_body_default();
    sup_body body;
    sup_error error = {0};
    def.blueprint = print;
    def.position[1] = height;
    def.springs.solid = sup_solid_get(solid).terms;
    sup_result result = sup_body_create(world, &def, &body, &error);
    if (result != SUP_OK) print_message("%s\n", error.text);
    assert_int_equal(result, SUP_OK);
    return body;
}

static inline sup_body put_body(sup_world* world, const made* m, double height) {
    return put_body_of(world, m->solid, m->print, height);
}

static inline sup_vec3* read_vertices(const sup_world* world, sup_body body, int32_t count) {
    sup_vec3* out = malloc((size_t)count * sizeof *out);
    assert_int_equal(sup_body_read_vertices(world, body, NULL, out), SUP_OK);
    return out;
}

static inline double away(const sup_vec3* a, const double b[3]) {
    double x = (double)a->x - b[0], y = (double)a->y - b[1], z = (double)a->z - b[2];
    return sqrt(x * x + y * y + z * z);
}

#endif
