/* Bodies of oriented particles for tests: chains and blocks of balls joined by links. */
#ifndef SUPPLE_TESTS_WORLD_ORIENTED_H
#define SUPPLE_TESTS_WORLD_ORIENTED_H

#include "supple/snapshot.h"
#include "supple/supple.h"
#include "world/world.h"
#include "world/yard.h"

#include <stdlib.h>

/* nx x ny x nz balls, `step` m apart, linked to their neighbours along the axes. The first
   `pins` of them are pinned. */
typedef struct block_def {
    int32_t size[3];
    double step, radius, mass; /* m, m, kg of one */
    int32_t pins;
    bool diagonals;    /* links across the faces of cells too */
    bool part;         /* one rigid part, without links unless it yields */
    bool yields;       /* the part may be dented; its links are as soft as this then: */
    double compliance; /* m/N */
} block_def;

static inline int32_t block_id(const block_def* d, int32_t x, int32_t y, int32_t z) {
    return x + d->size[0] * (y + d->size[1] * z);
}

/* All particles of one shape; NULL: balls. `normal`: they are flat, and this is outside; or NULL.
 */
static inline sup_blueprint* make_block_of(const block_def* d, const sup_ellipsoid* shape,
                                           const sup_vec3* normal) {
    static const int32_t ways[][3] = {{1, 0, 0}, {0, 1, 0},  {0, 0, 1},  {1, 1, 0}, {1, 0, 1},
                                      {0, 1, 1}, {1, -1, 0}, {1, 0, -1}, {0, 1, -1}};
    int32_t count = d->size[0] * d->size[1] * d->size[2], links = 0;
    sup_vec3* points = calloc((size_t)count, sizeof *points);
    float* masses = calloc((size_t)count, sizeof *masses);
    int32_t* ids = calloc((size_t)count, sizeof *ids);
    sup_link* list = calloc((size_t)count * 9, sizeof *list);
    sup_ellipsoid* shapes = calloc((size_t)count, sizeof *shapes);
    sup_vec3* normals = calloc((size_t)count, sizeof *normals);
    for (int32_t i = 0; shape && i < count; i++) shapes[i] = *shape;
    for (int32_t i = 0; normal && i < count; i++) normals[i] = *normal;
    for (int32_t z = 0; z < d->size[2]; z++) {
        for (int32_t y = 0; y < d->size[1]; y++) {
            for (int32_t x = 0; x < d->size[0]; x++) {
                int32_t id = block_id(d, x, y, z);
                points[id] =
                    (sup_vec3){(float)(d->step * x), (float)(d->step * y), (float)(d->step * z)};
                masses[id] = (float)d->mass;
                ids[id] = id;
                for (int k = 0; k < (d->diagonals ? 9 : 3) && (!d->part || d->yields); k++) {
                    int32_t to[3] = {x + ways[k][0], y + ways[k][1], z + ways[k][2]};
                    bool inside = true;
                    for (int i = 0; i < 3; i++) {
                        inside = inside && to[i] >= 0 && to[i] < d->size[i];
                    }
                    if (!inside) continue;
                    list[links++] = (sup_link){.a = id,
                                               .b = block_id(d, to[0], to[1], to[2]),
                                               .length = -1,
                                               .compliance = (float)d->compliance,
                                               .torsion = -1};
                }
            }
        }
    }
    const int32_t starts[2] = {0, count};
    sup_blueprint_def def = sup_blueprint_default();
    def.points = points;
    def.point_count = count;
    def.masses = masses;
    def.layout = SUP_CLUSTERS_NONE;
    def.radius = d->radius;
    def.ellipsoids = shape ? shapes : NULL;
    def.flat_normals = normal ? normals : NULL;
    def.links = list;
    def.link_count = links;
    def.part_count = d->part ? 1 : 0;
    def.part_starts = starts;
    def.part_members = ids;
    def.parts_yield = d->yields;
    def.pin_count = d->pins;
    def.pins = ids;
    sup_blueprint* blueprint;
    sup_error error;
    if (sup_blueprint_create(&def, &blueprint, &error) != SUP_OK) fail_msg("%s", error.text);
    free(points);
    free(masses);
    free(ids);
    free(list);
    free(shapes);
    free(normals);
    return blueprint;
}

static inline sup_blueprint* make_block(const block_def* d) { return make_block_of(d, NULL, NULL); }

/* The body takes the blueprint over. */
static inline sup_body add_oriented(sup_world* world, sup_blueprint* blueprint,
                                    const sup_body_def* def) {
    sup_body_def own = *def;
    sup_body body;
    sup_error error;
    own.blueprint = blueprint;
    if (sup_body_create(world, &own, &body, &error) != SUP_OK) fail_msg("%s", error.text);
    sup_blueprint_release(blueprint);
    return body;
}

/* Random velocities and spins. */
static inline void shake(sup_world* world, sup_body body, uint32_t seed) {
    dice d = {seed};
    swarm s = read_swarm(world, body);
    sup_vec3* spins = calloc((size_t)s.count, sizeof *spins);
    for (int32_t i = 0; i < s.count; i++) {
        s.v[i] = (sup_vec3){(float)dice_roll(&d), (float)dice_roll(&d), (float)dice_roll(&d)};
        spins[i] = (sup_vec3){(float)dice_roll(&d), (float)dice_roll(&d), (float)dice_roll(&d)};
    }
    assert_int_equal(sup_body_write_particles(world, body, NULL, s.v, NULL), SUP_OK);
    assert_int_equal(sup_body_write_turns(world, body, NULL, spins, NULL), SUP_OK);
    free(spins);
    free_swarm(&s);
}

/* All that the next step reads comes back: a world and what is made of its snapshot go on alike. */
static inline void check_snapshot(sup_world* world, sup_world* other) {
    sup_error error = {0};
    sup_bytes bytes;
    assert_ok(sup_world_save(world, &bytes, &error), error);
    assert_ok(sup_world_restore(other, bytes.data, bytes.size, &error), error);
    assert_true(sup_world_hash(world) == sup_world_hash(other));
    take_steps(world, 30);
    take_steps(other, 30);
    assert_true(sup_world_hash(world) == sup_world_hash(other));
    sup_bytes_free(&bytes);
}

#endif
