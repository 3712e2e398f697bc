/* Rigs fitted to meshes: where particles are, how they hang together, what they weigh. */
#include "base/hash.h"
#include "blueprint/rigs.h"
#include "geom/quaternion.h"

#include <stdlib.h>

static sup_mesh torus_mesh(void) {
    sup_mesh mesh;
    assert_int_equal(sup_mesh_torus(NULL, 1, 0.3, 48, 24, &mesh, NULL), SUP_OK);
    return mesh;
}

/* Long and thin: the radius is less than the spacing. */
static sup_mesh worm_mesh(void) {
    sup_mesh mesh;
    assert_int_equal(sup_mesh_capsule(NULL, 0.04, 3, 12, 4, 60, &mesh, NULL), SUP_OK);
    return mesh;
}

static sup_mesh sheet_mesh(void) {
    sup_mesh mesh;
    assert_int_equal(sup_mesh_grid(NULL, 2, 1, 30, 15, &mesh, NULL), SUP_OK);
    return mesh;
}

/* 8 points and large sides. */
static sup_mesh box_mesh(void) {
    sup_mesh mesh;
    assert_int_equal(sup_mesh_box(NULL, (double[3]){1, 2, 3}, (int32_t[3]){1, 1, 1}, &mesh, NULL),
                     SUP_OK);
    return mesh;
}

/* Corners are not shared, one triangle has no area, one is missing and some stand twice. */
static sup_mesh dirty_mesh(void) {
    enum { TRIANGLES = 78 };
    sup_mesh sphere = sphere_mesh(1), mesh;
    sup_vec3 points[3 * (TRIANGLES + 3)];
    int32_t corners[3 * (TRIANGLES + 3)], count = 0;
    assert_int_equal(sphere.polygon_count, 80);
    for (int32_t t = 0; t < TRIANGLES; t++) {
        for (int k = 0; k < 3; k++) points[count++] = sphere.points[sphere.corners[3 * t + k]];
    }
    for (int k = 0; k < 6; k++) points[count++] = sphere.points[sphere.corners[k]];
    for (int k = 0; k < 3; k++) points[count++] = sphere.points[0];
    for (int32_t i = 0; i < count; i++) corners[i] = i;
    assert_int_equal(sup_mesh_create(NULL, count, points, count / 3, NULL, corners, &mesh, NULL),
                     SUP_OK);
    sup_mesh_free(&sphere);
    return mesh;
}

/* What meshes have wrong with them. */
typedef enum dirt {
    TURNED, /* inside out */
    MIXED,  /* every other polygon is turned round */
    HOLES,
    DOUBLED,   /* some polygons stand there twice */
    SHARED,    /* an edge has three polygons */
    LONELY,    /* a point far away that no polygon has */
    POINTED,   /* triangles of two or one point */
    SCATTERED, /* three balls that do not touch */
    TWO_SIDED, /* closed, but a leaf without an inside */
    DIRTS
} dirt;

static sup_mesh spoilt_mesh(dirt kind) {
    sup_mesh ball = sphere_mesh(3), mesh;
    int32_t points = ball.point_count, count = ball.polygon_count, used = 0;
    sup_vec3* places = calloc(3 * (size_t)points, sizeof *places);
    int32_t(*list)[3] = calloc(3 * (size_t)count, sizeof *list);
    for (int32_t copy = 0; copy < 3; copy++) {
        for (int32_t i = 0; i < points; i++) {
            places[copy * points + i] = ball.points[i];
            places[copy * points + i].x += 3.0f * (float)copy;
            if (kind == TWO_SIDED) places[copy * points + i].y = 0;
        }
    }
    for (int32_t t = 0; t < (kind == SCATTERED ? 3 : 1) * count; t++) {
        bool turned = kind == TURNED || (kind == MIXED && t % 2);
        if (kind == HOLES && t % 7 == 0) continue;
        for (int k = 0; k < 3; k++) {
            list[used][k] =
                ball.corners[3 * (t % count) + (turned ? 2 - k : k)] + t / count * points;
        }
        used++;
        if (kind == DOUBLED && t < 200) memcpy(list[used], list[used - 1], sizeof *list), used++;
    }
    const int32_t shared[3] = {list[0][0], list[0][1], points};
    if (kind == SHARED) memcpy(list[used++], shared, sizeof shared);
    for (int k = 0; k < 3 && kind == POINTED; k++) {
        const int32_t thin[3] = {k, k, k > 0 ? k : 1};
        memcpy(list[used++], thin, sizeof thin);
    }
    points = kind == SCATTERED                  ? 3 * points
             : kind == LONELY || kind == SHARED ? points + 1
                                                : points;
    if (kind == LONELY) places[points - 1] = (sup_vec3){1000, 0, 0};
    assert_int_equal(sup_mesh_create(NULL, points, places, used, NULL, list[0], &mesh, NULL),
                     SUP_OK);
    sup_mesh_free(&ball);
    free(places);
    free(list);
    return mesh;
}

/* ---- Placement ---- */

/* No two nearer than what relaxing and fitting allow, and no vertex far from all. */
static void check_placement(sup_mesh mesh, sup_spray_where where, int32_t count, double farthest) {
    sup_rig* rig = body_of(mesh, where, count);
    sup_rig_report report = report_of(rig);
    double spacing = sup_rig_get(rig).settings.spacing;
    check_rig(rig);
    print_message("%d particles, least gap %.2f, farthest %.2f spacings, %d links\n",
                  (int)report.particle_count, report.least_gap / spacing, report.farthest / spacing,
                  (int)report.link_count);
    assert_true(report.least_gap >= 0.6 * spacing);
    assert_true(report.farthest <= farthest * spacing);
    assert_int_equal(report.component_count, 1);
    assert_int_equal(report.isolated_count, 0);
    assert_true(report.most_links <= 24);
    assert_int_equal(report.line_count + report.flat_count, 0);
    char text[320];
    assert_false(sup_rig_report_line(&report, 0, text));
    sup_rig_free(rig);
}

static void places_are_even_and_cover_the_mesh(void** state) {
    (void)state;
    check_placement(sphere_mesh(3), SUP_SPRAY_INSIDE, 300, 1.5);
    check_placement(sphere_mesh(3), SUP_SPRAY_SURFACE, 300, 1.5);
    check_placement(torus_mesh(), SUP_SPRAY_AUTO, 200, 1.5);
    check_placement(worm_mesh(), SUP_SPRAY_AUTO, 30, 1.5);
    check_placement(sheet_mesh(), SUP_SPRAY_AUTO, 100, 1.5);
    check_placement(box_mesh(), SUP_SPRAY_AUTO, 300, 1.5);
    check_placement(dirty_mesh(), SUP_SPRAY_SURFACE, 100, 1.5);
}

/* Without relaxing the spacing is kept to the letter, and no gap is wider. */
/* Whatever is wrong with a mesh, its surface carries a body, and it moves. */
static void spoilt_meshes_have_a_surface(void** state) {
    (void)state;
    for (int kind = 0; kind < DIRTS; kind++) {
        for (int where = SUP_SPRAY_AUTO; where <= SUP_SPRAY_SURFACE; where += 2) {
            sup_rig* rig = body_of(spoilt_mesh((dirt)kind), (sup_spray_where)where, 150);
            sup_rig_report report = report_of(rig);
            sup_blueprint_def def = sup_blueprint_default();
            sup_blueprint* blueprint;
            sup_error error = {0};
            char text[320];
            check_rig(rig);
            if (sup_rig_report_line(&report, 0, text))
                fail_msg("dirt %d, %d: %s", kind, where, text);
            assert_int_equal(report.component_count, 1);
            sup_rig_fill_def(rig, &def);
            def.layout = SUP_CLUSTERS_NONE;
            def.skin = SUP_SKIN_FRAMES;
            assert_done(sup_blueprint_create(&def, &blueprint, &error), &error);
            sup_blueprint_release(blueprint);
            sup_rig_free(rig);
        }
    }
}

static void darts_keep_their_distance(void** state) {
    (void)state;
    for (int on_surface = 0; on_surface < 2; on_surface++) {
        sup_rig* rig = rig_of(sphere_mesh(4));
        sup_spray_def def = sup_spray_default();
        def.where = on_surface ? SUP_SPRAY_SURFACE : SUP_SPRAY_INSIDE;
        def.spacing = 0.3;
        def.relax = 0;
        assert_int_equal(sup_rig_spray(rig, &def, NULL, NULL), SUP_OK);
        sup_rig_report report = report_of(rig);
        assert_true(report.least_gap >= 0.3 && report.farthest <= 1.35 * 0.3);
        sup_rig_view v = sup_rig_get(rig);
        for (int32_t i = 0; i < v.particle_count; i++) {
            double r = apart(v.places[i], (sup_vec3){0, 0, 0});
            assert_true(on_surface ? r > 0.99 && r < 1.001 : r < 1);
        }
        sup_rig_free(rig);
    }
}

static void counts_are_met(void** state) {
    (void)state;
    const int32_t counts[] = {10, 100, 1000};
    for (int i = 0; i < 3; i++) {
        for (int where = SUP_SPRAY_INSIDE; where <= SUP_SPRAY_SURFACE; where++) {
            sup_rig* rig = body_of(torus_mesh(), (sup_spray_where)where, counts[i]);
            double ratio = (double)sup_rig_get(rig).particle_count / counts[i];
            assert_true(ratio > 0.7 && ratio < 1.35);
            sup_rig_free(rig);
        }
    }
}

/* A second spray keeps away from what is there, and a brush from the rest. */
static void sprays_add_up(void** state) {
    (void)state;
    sup_rig* rig = rig_of(sphere_mesh(3));
    sup_spray_def def = sup_spray_default();
    int32_t first, second;
    def.spacing = 0.25;
    def.brush = below(0);
    assert_int_equal(sup_rig_spray(rig, &def, &first, NULL), SUP_OK);
    sup_rig_view v = sup_rig_get(rig);
    for (int32_t i = 0; i < first; i++) assert_true(v.places[i].y < 0.2f);
    def.brush = everywhere;
    def.seed = 2;
    assert_int_equal(sup_rig_spray(rig, &def, &second, NULL), SUP_OK);
    assert_true(second > first / 3 && second < 3 * first);
    assert_true(report_of(rig).least_gap > 0.7 * 0.25);
    assert_int_equal(sup_rig_spray(rig, &def, &second, NULL), SUP_OK);
    assert_true(second < first / 5); /* what relaxing has opened */
    sup_rig_free(rig);
}

/* ---- The same bits ---- */

static uint64_t hash_of(const sup_rig* rig) {
    sup_rig_view v = sup_rig_get(rig);
    uint64_t hash = supi_hash_begin();
    hash = supi_hash_floats(hash, &v.places->x, 3 * (size_t)v.particle_count);
    hash = supi_hash_floats(hash, v.masses, (size_t)v.particle_count);
    hash = supi_hash_floats(hash, &v.ellipsoids->rotation.x, 7 * (size_t)v.particle_count);
    for (int32_t i = 0; i < v.link_count; i++) {
        hash = supi_hash_word(hash, (uint64_t)v.links[i].a << 32 | (uint64_t)v.links[i].b);
    }
    return hash;
}

/* Whatever the compiler: the numbers were taken once. */
static void seeds_reproduce_placement(void** state) {
    (void)state;
    static const uint64_t wanted[2][2] = {
        {UINT64_C(0xd80886a545e65420), UINT64_C(0xf24b7f893a653fe1)},
        {UINT64_C(0x1e1ddbbfd07124c2), UINT64_C(0x93969022787d9150)}};
    for (int where = 0; where < 2; where++) {
        for (int seed = 0; seed < 2; seed++) {
            sup_rig *rig = rig_of(torus_mesh()), *again = rig_of(torus_mesh());
            sup_spray_def def = sup_spray_default();
            def.where = where ? SUP_SPRAY_SURFACE : SUP_SPRAY_INSIDE;
            def.seed = seed + 1;
            def.count = 120;
            assert_int_equal(make_body(rig, &def, NULL), SUP_OK);
            assert_int_equal(make_body(again, &def, NULL), SUP_OK);
            assert_true(same_rig(rig, again));
            uint64_t hash = hash_of(rig);
            if (hash != wanted[where][seed]) {
                fail_msg("where %d, seed %d: 0x%016llx", where, seed + 1, (unsigned long long)hash);
            }
            sup_rig_free(rig);
            sup_rig_free(again);
        }
    }
}

/* ---- Masses ---- */

static double mass_of(const sup_rig* rig) {
    sup_rig_view v = sup_rig_get(rig);
    double sum = 0;
    for (int32_t i = 0; i < v.particle_count; i++) sum += (double)v.masses[i];
    return sum;
}

static void masses_add_up(void** state) {
    (void)state;
    sup_rig* solid = body_of(box_mesh(), SUP_SPRAY_AUTO, 200);
    assert_near(mass_of(solid), 6000, 6000 * 1e-6);
    sup_rig* skin = body_of(box_mesh(), SUP_SPRAY_SURFACE, 200);
    assert_near(mass_of(skin), 22, 22 * 1e-6);
    sup_weigh_def weigh = sup_weigh_default();
    weigh.mass = 5;
    assert_int_equal(sup_rig_weigh(skin, &weigh, NULL), SUP_OK);
    assert_near(mass_of(skin), 5, 5e-6);
    sup_rig_view v = sup_rig_get(solid);
    double least = INFINITY, most = 0;
    for (int32_t i = 0; i < v.particle_count; i++) {
        least = (double)v.masses[i] < least ? (double)v.masses[i] : least;
        most = (double)v.masses[i] > most ? (double)v.masses[i] : most;
    }
    assert_true(least > 0.1 * 30 && most < 3 * 30); /* even places, even shares */
    sup_rig_free(solid);
    sup_rig_free(skin);
}

/* A particle of which nothing is nearest still has a mass. */
static void nobody_is_weightless(void** state) {
    (void)state;
    sup_rig* rig = body_of(sphere_mesh(2), SUP_SPRAY_INSIDE, 50);
    sup_weigh_def weigh = sup_weigh_default();
    int32_t id;
    assert_int_equal(sup_rig_add(rig, (double[3]){9, 0, 0}, &id, NULL), SUP_OK);
    assert_int_equal(sup_rig_weigh(rig, &weigh, NULL), SUP_OK);
    assert_true(sup_rig_get(rig).masses[id] > 0);
    double volume = report_of(rig).mass / 1000;
    assert_true(volume > 3.5 && volume < 4.19);
    sup_rig_free(rig);
}

/* ---- Links ---- */

/* Two slabs with a gap that is less than the reach of a link: nothing leads across. */
static void links_stay_inside(void** state) {
    (void)state;
    sup_mesh slab, mesh;
    assert_int_equal(sup_mesh_box(NULL, (double[3]){2, 0.3, 2}, (int32_t[3]){8, 1, 8}, &slab, NULL),
                     SUP_OK);
    sup_vec3 points[2 * 400];
    int32_t starts[2 * 400 + 1], corners[2 * 1600], n = slab.point_count, c = slab.corner_count;
    for (int32_t i = 0; i < 2 * n; i++) {
        points[i] = slab.points[i % n];
        points[i].y += i < n ? 0.0f : 0.45f; /* 0.15 m between them */
    }
    for (int32_t i = 0; i < 2 * c; i++) corners[i] = slab.corners[i % c] + (i < c ? 0 : n);
    for (int32_t i = 0; i <= 2 * slab.polygon_count; i++) {
        starts[i] =
            i <= slab.polygon_count ? slab.starts[i] : c + slab.starts[i - slab.polygon_count];
    }
    assert_int_equal(
        sup_mesh_create(NULL, 2 * n, points, 2 * slab.polygon_count, starts, corners, &mesh, NULL),
        SUP_OK);
    sup_mesh_free(&slab);
    sup_rig* rig = rig_of(mesh);
    sup_spray_def def = sup_spray_default();
    sup_spray_links_def links = sup_spray_links_default();
    def.spacing = 0.25;
    assert_int_equal(sup_rig_spray(rig, &def, NULL, NULL), SUP_OK);
    assert_int_equal(sup_rig_spray_links(rig, &links, NULL, NULL), SUP_OK);
    assert_int_equal(report_of(rig).component_count, 2);
    links.inside = false; /* the control */
    sup_rig* free_links;
    assert_int_equal(sup_rig_copy(rig, &free_links, NULL), SUP_OK);
    assert_int_equal(sup_rig_spray_links(free_links, &links, NULL, NULL), SUP_OK);
    assert_int_equal(report_of(free_links).component_count, 1);
    int32_t added;
    assert_int_equal(sup_rig_bridge(rig, 3, &added, NULL), SUP_OK);
    assert_int_equal(added, 3);
    assert_int_equal(report_of(rig).component_count, 1);
    assert_int_equal(sup_rig_bridge(rig, 3, &added, NULL), SUP_OK);
    assert_int_equal(added, 0);
    sup_rig_free(rig);
    sup_rig_free(free_links);
}

/* Every link is as short as it should be and among the nearest of both ends; brute force finds no
   other. */
static void links_are_those_of_all_pairs(void** state) {
    (void)state;
    sup_rig* rig = rig_of(sphere_mesh(3));
    sup_spray_def def = sup_spray_default();
    sup_spray_links_def links = sup_spray_links_default();
    def.count = 150;
    links.inside = false;
    assert_int_equal(sup_rig_spray(rig, &def, NULL, NULL), SUP_OK);
    assert_int_equal(sup_rig_spray_links(rig, &links, NULL, NULL), SUP_OK);
    sup_rig_view v = sup_rig_get(rig);
    double reach = 1.6 * v.settings.spacing;
    int32_t at = 0;
    for (int32_t a = 0; a < v.particle_count; a++) {
        for (int32_t b = a + 1; b < v.particle_count; b++) {
            double length = apart(v.places[a], v.places[b]);
            int32_t nearer[2] = {0, 0};
            for (int32_t i = 0; i < v.particle_count; i++) {
                nearer[0] += i != a && apart(v.places[a], v.places[i]) < length;
                nearer[1] += i != b && apart(v.places[b], v.places[i]) < length;
            }
            bool wanted = length < reach && nearer[0] < 12 && nearer[1] < 12;
            bool there = at < v.link_count && v.links[at].a == a && v.links[at].b == b;
            assert_int_equal(there, wanted);
            at += there;
        }
    }
    assert_int_equal(at, v.link_count);
    sup_rig_free(rig);
}

/* ---- Ellipsoids ---- */

static void ellipsoids_suit_the_shape(void** state) {
    (void)state;
    sup_rig* sheet = body_of(sheet_mesh(), SUP_SPRAY_AUTO, 100);
    sup_rig_view v = sup_rig_get(sheet);
    int32_t flat = 0;
    for (int32_t i = 0; i < v.particle_count; i++) { /* flat ones know which way is up */
        const float* radii = v.ellipsoids[i].radii;
        bool is_flat = 4 * radii[2] <= (radii[0] > radii[1] ? radii[0] : radii[1]);
        assert_near((double)v.normals[i].y, is_flat ? 1 : 0, 1e-3);
        flat += is_flat;
    }
    assert_true(flat > v.particle_count * 2 / 3);
    sup_rig* worm = body_of(worm_mesh(), SUP_SPRAY_AUTO, 30);
    v = sup_rig_get(worm);
    double worst = 0;
    for (int32_t i = 0; i < v.particle_count; i++) { /* on the axis, and along it */
        double off = sqrt((double)(v.places[i].x * v.places[i].x + v.places[i].z * v.places[i].z));
        worst = off > worst ? off : worst;
        assert_true(v.ellipsoids[i].radii[0] > 1.2f * v.ellipsoids[i].radii[2]);
        sup_quat q = v.ellipsoids[i].rotation;
        double up = 2 * (double)(q.x * q.y + q.w * q.z); /* y of the first axis */
        assert_true(fabs(up) > 0.95);
    }
    assert_true(worst < 0.01);
    sup_rig* solid = body_of(sphere_mesh(4), SUP_SPRAY_INSIDE, 300);
    v = sup_rig_get(solid);
    for (int32_t i = 0; i < v.particle_count; i++) { /* nothing looks out */
        double r = apart(v.places[i], (sup_vec3){0, 0, 0});
        assert_true(r + (double)v.ellipsoids[i].radii[0] < 1.05);
    }
    sup_rig_free(sheet);
    sup_rig_free(worm);
    sup_rig_free(solid);
}

/* How far an ellipsoid reaches along an axis of the world. */
static double reach_along(const sup_ellipsoid* e, int axis) {
    const double q[4] = {(double)e->rotation.x, (double)e->rotation.y, (double)e->rotation.z,
                         (double)e->rotation.w};
    double m[9], sum = 0;
    supi_quaternion_matrix(q, m);
    for (int k = 0; k < 3; k++) {
        double part = m[3 * axis + k] * (double)e->radii[k];
        sum += part * part;
    }
    return sqrt(sum);
}

/* Eight vertices, and few particles: none cowers at an edge, and none looks far out. */
static void boxes_of_few_particles_are_filled(void** state) {
    (void)state;
    static const int32_t counts[] = {1, 2, 4, 8, 20, 60};
    for (size_t c = 0; c < sizeof counts / sizeof *counts; c++) {
        sup_mesh mesh;
        assert_int_equal(
            sup_mesh_box(NULL, (double[3]){1, 1, 1}, (int32_t[3]){1, 1, 1}, &mesh, NULL), SUP_OK);
        sup_rig* rig = body_of(mesh, SUP_SPRAY_AUTO, counts[c]);
        sup_rig_view v = sup_rig_get(rig);
        double least = INFINITY, out = 0, light = INFINITY;
        for (int32_t i = 0; i < v.particle_count; i++) {
            const float* r = v.ellipsoids[i].radii;
            const double place[3] = {(double)v.places[i].x, (double)v.places[i].y,
                                     (double)v.places[i].z};
            for (int k = 0; k < 3; k++) {
                least = fmin(least, (double)r[k]);
                out = fmax(out, fabs(place[k]) + reach_along(&v.ellipsoids[i], k) - 0.5);
            }
            light = fmin(light, (double)v.masses[i]);
        }
        double spacing = v.settings.spacing;
        print_message("%d of %d: radii from %.2f, %.2f beyond the box (spacings), %.2f of the mean "
                      "mass\n",
                      (int)v.particle_count, (int)counts[c], least / spacing, out / spacing,
                      light * v.particle_count / 1000);
        assert_true(abs(v.particle_count - counts[c]) <= 1 + counts[c] / 8);
        assert_true(least > 0.15 * spacing);
        assert_true(out < 0.1 * spacing);
        assert_true(light * v.particle_count > 0.3 * 1000);
        sup_rig_free(rig);
    }
}

/* ---- Brushes ---- */

static void brushes_fade_smoothly(void** state) {
    (void)state;
    sup_brush brush = ball(1, 0, 0, 2);
    brush.fade = 1;
    assert_true(sup_brush_share(&brush, (double[3]){2.9, 0, 0}) == 1);
    assert_near(sup_brush_share(&brush, (double[3]){3.5, 0, 0}), 0.5, 1e-12);
    assert_true(sup_brush_share(&brush, (double[3]){4, 0, 0}) == 0);
    sup_brush box = {SUP_BRUSH_BOX, {0, 0, 0}, {1, 2, 3}, 0.5};
    assert_true(sup_brush_share(&box, (double[3]){1, -2, 3}) == 1);
    assert_near(sup_brush_share(&box, (double[3]){1.25, 0, 0}), 0.5, 1e-12);
    assert_true(sup_brush_share(&box, (double[3]){1.4, 2.4, 0}) == 0);
    sup_brush half = {SUP_BRUSH_HALF, {0, 1, 0}, {0, 5, 0}, 0};
    assert_true(sup_brush_share(&half, (double[3]){7, 1, 7}) == 1);
    assert_true(sup_brush_share(&half, (double[3]){7, 1.001, 7}) == 0);
    assert_true(sup_brush_share(&everywhere, (double[3]){1e5, 0, 0}) == 1);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(places_are_even_and_cover_the_mesh),
        cmocka_unit_test(spoilt_meshes_have_a_surface),
        cmocka_unit_test(darts_keep_their_distance),
        cmocka_unit_test(counts_are_met),
        cmocka_unit_test(sprays_add_up),
        cmocka_unit_test(seeds_reproduce_placement),
        cmocka_unit_test(masses_add_up),
        cmocka_unit_test(nobody_is_weightless),
        cmocka_unit_test(links_stay_inside),
        cmocka_unit_test(links_are_those_of_all_pairs),
        cmocka_unit_test(ellipsoids_suit_the_shape),
        cmocka_unit_test(boxes_of_few_particles_are_filled),
        cmocka_unit_test(brushes_fade_smoothly),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
