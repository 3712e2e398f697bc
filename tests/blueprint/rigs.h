/* What tests of rigs share. */
#ifndef SUPPLE_TESTS_BLUEPRINT_RIGS_H
#define SUPPLE_TESTS_BLUEPRINT_RIGS_H

#include "blueprint/webs.h"
#include "supple/fit.h"

static const sup_brush everywhere = {.kind = SUP_BRUSH_ALL};

static inline sup_brush ball(double x, double y, double z, double radius) {
    return (sup_brush){SUP_BRUSH_SPHERE, {x, y, z}, {radius, 0, 0}, 0};
}

/* What lies on the side of a plane y = at. */
static inline sup_brush below(double at) {
    return (sup_brush){SUP_BRUSH_HALF, {0, at, 0}, {0, 1, 0}, 0};
}

static inline sup_mesh sphere_mesh(int32_t subdivisions) {
    sup_mesh mesh;
    assert_int_equal(sup_mesh_icosphere(NULL, 1, subdivisions, &mesh, NULL), SUP_OK);
    return mesh;
}

/* Takes the mesh. */
static inline sup_rig* rig_of(sup_mesh mesh) {
    sup_rig* rig;
    sup_error error = {0};
    assert_done(sup_rig_create(NULL, &mesh, &rig, &error), &error);
    sup_mesh_free(&mesh);
    return rig;
}

/* The steps of the command: particles, links, ellipsoids and masses. */
static inline sup_result make_body(sup_rig* rig, const sup_spray_def* spray, sup_error* error) {
    sup_spray_links_def links = sup_spray_links_default();
    sup_fit_def fit = sup_fit_default();
    sup_weigh_def weigh = sup_weigh_default();
    sup_result result = sup_rig_spray(rig, spray, NULL, error);
    if (result == SUP_OK) result = sup_rig_spray_links(rig, &links, NULL, error);
    if (result == SUP_OK) result = sup_rig_bridge(rig, 3, NULL, error);
    if (result == SUP_OK) result = sup_rig_fit(rig, &fit, error);
    if (result == SUP_OK) result = sup_rig_weigh(rig, &weigh, error);
    return result;
}

static inline sup_rig* body_of(sup_mesh mesh, sup_spray_where where, int32_t count) {
    sup_rig* rig = rig_of(mesh);
    sup_spray_def def = sup_spray_default();
    sup_error error = {0};
    def.where = where;
    def.count = count;
    assert_done(make_body(rig, &def, &error), &error);
    return rig;
}

static inline bool same_bytes(const void* a, const void* b, int32_t count, size_t size) {
    return count == 0 || memcmp(a, b, (size_t)count * size) == 0;
}

/* Bit by bit. */
static inline bool same_rig(const sup_rig* first, const sup_rig* second) {
    sup_rig_view a = sup_rig_get(first), b = sup_rig_get(second);
    if (a.particle_count != b.particle_count || a.link_count != b.link_count ||
        a.part_count != b.part_count || a.pin_count != b.pin_count ||
        a.weight_count != b.weight_count) {
        return false;
    }
    int32_t n = a.particle_count, members = a.part_starts[a.part_count];
    return same_bytes(a.places, b.places, n, sizeof *a.places) &&
           same_bytes(a.masses, b.masses, n, sizeof *a.masses) &&
           same_bytes(a.ellipsoids, b.ellipsoids, n, sizeof *a.ellipsoids) &&
           same_bytes(a.turn_radii, b.turn_radii, n, sizeof *a.turn_radii) &&
           same_bytes(a.stiffness, b.stiffness, n, sizeof *a.stiffness) &&
           same_bytes(a.normals, b.normals, n, sizeof *a.normals) &&
           same_bytes(a.flags, b.flags, n, sizeof *a.flags) &&
           same_bytes(a.links, b.links, a.link_count, sizeof *a.links) &&
           same_bytes(a.part_starts, b.part_starts, a.part_count + 1, sizeof *a.part_starts) &&
           same_bytes(a.part_members, b.part_members, members, sizeof *a.part_members) &&
           same_bytes(a.plastics, b.plastics, a.part_count, sizeof *a.plastics) &&
           same_bytes(a.pins, b.pins, a.pin_count, sizeof *a.pins) &&
           same_bytes(a.weights, b.weights, a.weight_count, sizeof *a.weights) &&
           a.settings.where == b.settings.where && a.settings.spacing == b.settings.spacing &&
           a.settings.seed == b.settings.seed && a.settings.stiffness == b.settings.stiffness;
}

static inline double apart(sup_vec3 a, sup_vec3 b) {
    double x = (double)a.x - (double)b.x, y = (double)a.y - (double)b.y;
    double z = (double)a.z - (double)b.z;
    return sqrt(x * x + y * y + z * z);
}

/* What must hold of every rig. */
static inline void check_rig(const sup_rig* rig) {
    sup_rig_view v = sup_rig_get(rig);
    int32_t pins = 0;
    for (int32_t i = 0; i < v.particle_count; i++) {
        const sup_quat* q = &v.ellipsoids[i].rotation;
        assert_near((double)(q->x * q->x + q->y * q->y + q->z * q->z + q->w * q->w), 1, 2e-5);
        assert_true(v.masses[i] > 0 && isfinite(v.places[i].x + v.places[i].y + v.places[i].z));
        for (int k = 0; k < 3; k++) assert_true(v.ellipsoids[i].radii[k] >= 0);
        if (v.flags[i] & SUP_RIG_PINNED) assert_int_equal(v.pins[pins++], i);
    }
    assert_int_equal(pins, v.pin_count);
    for (int32_t i = 0; i < v.link_count; i++) {
        const sup_link *l = &v.links[i], *before = l - 1;
        assert_true(l->a >= 0 && l->a < l->b && l->b < v.particle_count);
        if (i > 0) assert_true(before->a < l->a || (before->a == l->a && before->b < l->b));
    }
    assert_int_equal(v.part_starts[0], 0);
    for (int32_t p = 0; p < v.part_count; p++) {
        assert_true(v.part_starts[p] < v.part_starts[p + 1]);
        for (int32_t m = v.part_starts[p]; m < v.part_starts[p + 1]; m++) {
            assert_true(v.part_members[m] >= 0 && v.part_members[m] < v.particle_count);
            if (m > v.part_starts[p]) assert_true(v.part_members[m - 1] < v.part_members[m]);
        }
    }
    for (int32_t i = 0; i < v.weight_count; i++) {
        assert_true(v.weights[i].vertex < v.mesh->point_count);
        assert_true(v.weights[i].particle < v.particle_count);
    }
}

static inline sup_rig_report report_of(const sup_rig* rig) {
    sup_rig_report report;
    assert_int_equal(sup_rig_validate(rig, &report, NULL), SUP_OK);
    return report;
}

#endif
