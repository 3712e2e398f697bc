/* Worlds of bodies of tetrahedra, for tests. */
#ifndef SUPPLE_TESTS_WORLD_TETS_H
#define SUPPLE_TESTS_WORLD_TETS_H

#include "contact/tet_bodies.h"
#include "sizes.h"

#define assert_ok(call)                                                                            \
    do {                                                                                           \
        sup_error error_ = {0};                                                                    \
        sup_result result_ = call;                                                                 \
        if (result_ != SUP_OK) print_error("%s\n", error_.text);                                   \
        assert_int_equal(result_, SUP_OK);                                                         \
    } while (0)

/* A block or a ball that one cluster holds, kg/m^3, drawn as the outside of its tetrahedra. */
static inline sup_blueprint* make_heavy(sup_tets tets, bool pinned, double density) {
    sup_blueprint_def def = sup_blueprint_default();
    sup_blueprint* print;
    sup_mesh outside;
    float* masses = calloc((size_t)tets.point_count, sizeof *masses);
    int32_t* pins = calloc((size_t)tets.point_count, sizeof *pins);
    sup_tets_masses(&tets, density, 1, masses);
    for (int32_t i = 0; i < tets.point_count; i++) pins[i] = i;
    def.point_count = tets.point_count;
    def.points = tets.points;
    def.masses = masses;
    def.tets = tets.tets;
    def.tet_count = tets.tet_count;
    def.layout = SUP_CLUSTERS_WHOLE;
    assert_ok(sup_tets_outside(NULL, &tets, &outside, &error_));
    def.surface = &outside;
    def.skin = SUP_SKIN_TETS;
    if (pinned) {
        def.pins = pins;
        def.pin_count = tets.point_count;
    }
    assert_ok(sup_blueprint_create(&def, &print, &error_));
    free(masses);
    free(pins);
    sup_mesh_free(&outside);
    sup_tets_free(&tets);
    return print;
}

static inline sup_blueprint* make_print(sup_tets tets, bool pinned) {
    return make_heavy(tets, pinned, 1000);
}

static inline sup_world* make_world(double gravity, int32_t substeps, int32_t threads) {
    sup_world_def def = sup_world_default();
    sup_world* world;
    def.gravity[1] = -gravity;
    def.substeps = substeps;
    def.threads = threads;
    def.sleep_speed = 0;
    assert_ok(sup_world_create(&def, &world, &error_));
    return world;
}

typedef struct placing {
    double at[3], v[3], damping;
    sup_overlap_settings overlap;
} placing;

static inline placing place(double x, double y, double z) {
    return (placing){.at = {x, y, z}, .damping = 0.3, .overlap = sup_overlap_settings_default()};
}

/* As stiff as the spec has them; takes the blueprint. */
static inline sup_body add(sup_world* world, sup_blueprint* print, const placing* p) {
    sup_body_def def = sup_body_default();
    sup_body body;
    def.blueprint = print;
    def.material.stiffness = 300;
    def.material.damping = p->damping;
    def.overlap = p->overlap;
    for (int k = 0; k < 3; k++) def.position[k] = p->at[k], def.velocity[k] = p->v[k];
    assert_ok(sup_body_create(world, &def, &body, &error_));
    sup_blueprint_release(print);
    return body;
}

static inline void step(sup_world* world) {
    assert_int_equal(sup_world_step(world, 1.0 / 60), SUP_OK);
}

/* Mean velocity by mass, and middle. */
static inline void read_middle(const sup_world* world, sup_body body, double at[3], double v[3]) {
    const sup_blueprint* print = sup_body_blueprint(world, body);
    sup_blueprint_info info = sup_blueprint_get_info(print);
    sup_point* places = calloc((size_t)info.particle_count, sizeof *places);
    sup_vec3* speeds = calloc((size_t)info.particle_count, sizeof *speeds);
    double sum = 0;
    assert_int_equal(sup_body_read_particles(world, body, places, speeds), SUP_OK);
    for (int k = 0; k < 3; k++) at[k] = v[k] = 0;
    for (int32_t i = 0; i < info.particle_count; i++) {
        double m = (double)sup_blueprint_get_particle(print, i).mass;
        const double p[3] = {places[i].x, places[i].y, places[i].z};
        const double u[3] = {(double)speeds[i].x, (double)speeds[i].y, (double)speeds[i].z};
        for (int k = 0; k < 3; k++) at[k] += m * p[k], v[k] += m * u[k];
        sum += m;
    }
    for (int k = 0; k < 3; k++) at[k] /= sum, v[k] /= sum;
    free(places);
    free(speeds);
}

#endif
