/* One collider of every kind, inverted ones too, for the tests of distances and casts. */
#ifndef SUPPLE_TESTS_CONTACT_THINGS_H
#define SUPPLE_TESTS_CONTACT_THINGS_H

#include "contact/collider.h"
#include "contact/surfaces.h"

#include <string.h>

typedef struct thing {
    const char* name;
    sup_collider_def def;
    supi_trimesh* mesh;
    supi_heights* heights;
    bool open; /* a mesh with two sides */
} thing;

enum { THINGS = 11, RIGHT_WAY_OUT = 7 /* the rest is inverted */ };

static const double origin[3] = {0, 0, 0};

static inline supi_heights* hilly_heights(void) {
    const int32_t count[2] = {17, 15};
    const double step[2] = {0.15, 0.2};
    float values[17 * 15];
    for (int i = 0; i < 17 * 15; i++) {
        values[i] = 0.2f * sinf(0.9f * (float)(i % 17)) * cosf(0.7f * (float)(i / 17));
    }
    supi_heights* made = NULL;
    assert_int_equal(supi_heights_create(sup_allocator_default(), count, step, values, &made, NULL),
                     SUP_OK);
    return made;
}

static inline supi_trimesh* numbered_trimesh(int which) {
    sup_mesh surface = some_surface(which);
    supi_trimesh* mesh = trimesh_of(&surface);
    sup_mesh_free(&surface);
    return mesh;
}

/* All about 1 m in size. */
static inline void make_things(thing things[THINGS]) {
    const sup_collider_def def = {.size = sizeof def,
                                  .rotation = {0, 0, 0, 1},
                                  .radius = 0.5,
                                  .half_size = {0.5, 0.3, 0.7},
                                  .half_length = 0.6,
                                  .thickness = 0.005};
    static const struct {
        const char* name;
        sup_collider_kind kind;
        bool inverted;
    } kinds[THINGS] = {
        {"plane", SUP_COLLIDER_PLANE, false},      {"sphere", SUP_COLLIDER_SPHERE, false},
        {"box", SUP_COLLIDER_BOX, false},          {"capsule", SUP_COLLIDER_CAPSULE, false},
        {"closed mesh", SUP_COLLIDER_MESH, false}, {"open mesh", SUP_COLLIDER_MESH, false},
        {"heights", SUP_COLLIDER_HEIGHTS, false},  {"inverted sphere", SUP_COLLIDER_SPHERE, true},
        {"inverted box", SUP_COLLIDER_BOX, true},  {"inverted capsule", SUP_COLLIDER_CAPSULE, true},
        {"inverted mesh", SUP_COLLIDER_MESH, true}};
    for (int i = 0; i < THINGS; i++) {
        things[i] = (thing){.name = kinds[i].name, .def = def};
        things[i].def.kind = kinds[i].kind;
        things[i].def.inverted = kinds[i].inverted;
        if (kinds[i].kind == SUP_COLLIDER_HEIGHTS) things[i].heights = hilly_heights();
        if (kinds[i].kind != SUP_COLLIDER_MESH) continue;
        things[i].open = i == 5;
        things[i].mesh = numbered_trimesh(things[i].open ? 5 : 1);
    }
}

static inline void free_things(thing things[THINGS]) {
    for (int i = 0; i < THINGS; i++) {
        supi_trimesh_free(things[i].mesh);
        supi_heights_free(things[i].heights);
    }
}

static inline void random_pose(uint64_t* state, double position[3], double rotation[4]) {
    for (int k = 0; k < 3; k++) position[k] = uniform(state, -1, 1);
    for (int k = 0; k < 4; k++) rotation[k] = uniform(state, -1, 1);
}

/* As it stands at its own pose, without moving. */
static inline supi_shape place_thing(const thing* t, const double anchor[3]) {
    supi_solid solid;
    supi_shape shape;
    supi_solid_make(&t->def, t->mesh, t->heights, &solid);
    supi_solid_pose(&solid, t->def.position, t->def.rotation, t->def.position, t->def.rotation,
                    0.01);
    supi_shape_place(&solid, anchor, &shape);
    return shape;
}

static inline supi_probe probe_at(const supi_shape* shape, sup_vec3 x, float side) {
    supi_probe probe;
    supi_shape_probe(shape, x, side, &probe);
    return probe;
}

static inline float dot(sup_vec3 a, sup_vec3 b) { return a.x * b.x + a.y * b.y + a.z * b.z; }

#endif
