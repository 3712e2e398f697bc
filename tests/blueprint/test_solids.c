/* Solids: from any surface to a body with a skin on tetrahedra, in one call. */
#include "blueprint/solids.h"

#include "blueprint/blueprint.h"
#include "sizes.h"

#include <stdio.h>

/* ---- What is made ---- */

/* Kinds, masses and particles are what they should be, for clean and dirty surfaces. */
static void every_surface_becomes_every_kind(void** state) {
    (void)state;
    for (int which = 0; which < SURFACES; which++) {
        for (int k = 0; k < KINDS; k++) {
            sup_solid_def def = sup_solid_default();
            def.kind = kinds[k];
            def.density = 500;
            made m = make_of_surface(which, &def);
            sup_solid_view view = sup_solid_get(m.solid);
            sup_blueprint_info info = sup_blueprint_get_info(m.print);
            const sup_tets_making* making = view.making;
            double full = making->volume * making->fill;
            print_message("%s: method %d, %d particles, %g kg\n", surface_names[which],
                          (int)making->method, (int)info.particle_count, info.mass);
            /* A sheet gets a cage of its own weight, a closed surface that of its volume (A3). */
            if (making->repair.closed && making->method == SUP_TETS_CAGE)
                assert_true(fabs(full - making->repair.volume) < 1e-6 * full);
            assert_int_equal(making->repair.closed, which != SHEET);
            assert_true(fabs(info.mass - 500 * full) < 1e-5 * info.mass);
            assert_true(fabs(view.mass - info.mass) < 1e-5 * info.mass);
            assert_int_equal(info.vertex_count, m.mesh.point_count);
            assert_int_equal(info.polygon_count, m.mesh.polygon_count);
            bool frames = kinds[k] == SUP_SOLID_FRAMES;
            assert_int_equal(info.skin, frames ? SUP_SKIN_FRAMES : SUP_SKIN_TETS);
            assert_int_equal(info.tet_count, frames ? 0 : view.tets->tet_count);
            assert_int_equal(info.clustered, kinds[k] == SUP_SOLID_CLUSTERS);
            assert_int_equal(info.spring_count > 0, kinds[k] == SUP_SOLID_SPRINGS);
            assert_int_equal(info.link_count > 0, frames);
            unmake(&m);
        }
    }
}

static void a_given_mass_is_shared_out(void** state) {
    (void)state;
    sup_solid_def def = sup_solid_default();
    def.mass = 3;
    made m = make_of_surface(SHEET, &def);
    assert_true(fabs(sup_blueprint_get_info(m.print).mass - 3) < 1e-5);
    for (int32_t i = 0; i < sup_blueprint_get_info(m.print).particle_count; i++)
        assert_true(sup_blueprint_get_particle(m.print, i).mass > 0);
    unmake(&m);
}

/* What the blueprint keeps for contacts: every side of one tetrahedron alone is listed, seen from
   outside, with its owner; edges ascend; neighbours are the edges from both ends. */
static void tetrahedra_are_kept_with_what_follows(void** state) {
    (void)state;
    made crossing = make_of_surface(CROSSING, NULL);
    const sup_blueprint* b = crossing.print;
    const supi_tet_mesh* m = &b->solid;
    const sup_tets view = {.point_count = b->info.particle_count,
                           .tet_count = m->tet_count,
                           .triangle_count = m->triangle_count,
                           .points = b->rest,
                           .tets = m->tets,
                           .triangles = m->triangles};
    check_tets(&view);
    double volume = 0;
    for (int32_t i = 0; i < m->triangle_count; i++) {
        const int32_t *t = m->triangles + 3 * i, *tet = m->tets + 4 * m->owners[i];
        double c[3][3];
        for (int k = 0; k < 3; k++) {
            const sup_vec3* p = &b->rest[t[k]];
            c[k][0] = (double)p->x, c[k][1] = (double)p->y, c[k][2] = (double)p->z;
            assert_true(t[k] == tet[0] || t[k] == tet[1] || t[k] == tet[2] || t[k] == tet[3]);
        }
        for (int k = 0; k < 3; k++)
            volume +=
                c[0][k] *
                (c[1][(k + 1) % 3] * c[2][(k + 2) % 3] - c[1][(k + 2) % 3] * c[2][(k + 1) % 3]) / 6;
    }
    assert_true(fabs(volume - b->info.volume) < 1e-5 * volume); /* outward */
    assert_int_equal(m->starts[b->info.particle_count], 2 * m->edge_count);
    for (int32_t e = 0; e < m->edge_count; e++) {
        const int32_t* edge = m->edges + 2 * e;
        bool found[2] = {false, false};
        assert_true(edge[0] < edge[1]);
        assert_true(e == 0 || edge[-2] < edge[0] || (edge[-2] == edge[0] && edge[-1] < edge[1]));
        for (int k = 0; k < 2; k++)
            for (int32_t n = m->starts[edge[k]]; n < m->starts[edge[k] + 1]; n++)
                found[k] = found[k] || m->neighbours[n] == edge[1 - k];
        assert_true(found[0] && found[1]);
    }
    unmake(&crossing);
}

/* ---- The skin ---- */

/* A4: at rest the surface is where it was given, and it goes along with affine motion, also where
   it lies outside of all tetrahedra. */
static void skins_follow_affine_motion(void** state) {
    (void)state;
    static const double f[3][3] = {{1.2, 0.3, -0.1}, {-0.2, 0.8, 0.25}, {0.1, -0.3, 1.1}};
    static const double shift[3] = {0.7, -1.3, 2.1};
    for (int which = 0; which < SURFACES; which++) {
        made m = make_of_surface(which, NULL);
        sup_world* world = make_world(false);
        sup_body body = put_body(world, &m, 0);
        double size = sup_blueprint_get_info(m.print).size, rest = 0, moved = 0;
        sup_vec3* drawn = read_vertices(world, body, m.mesh.point_count);
        for (int32_t i = 0; i < m.mesh.point_count; i++) {
            const sup_vec3* p = &m.mesh.points[i];
            const double at[3] = {(double)p->x, (double)p->y, (double)p->z};
            double error = away(&drawn[i], at);
            rest = error > rest ? error : rest;
        }
        free(drawn);
        int32_t count = sup_blueprint_get_info(m.print).particle_count;
        sup_point* places = malloc((size_t)count * sizeof *places);
        sup_body_read_particles(world, body, places, NULL);
        for (int32_t i = 0; i < count; i++) {
            const double x[3] = {places[i].x, places[i].y, places[i].z};
            double y[3];
            for (int k = 0; k < 3; k++)
                y[k] = f[k][0] * x[0] + f[k][1] * x[1] + f[k][2] * x[2] + shift[k];
            places[i] = (sup_point){y[0], y[1], y[2]};
        }
        assert_int_equal(sup_body_write_particles(world, body, places, NULL, NULL), SUP_OK);
        free(places);
        drawn = read_vertices(world, body, m.mesh.point_count);
        for (int32_t i = 0; i < m.mesh.point_count; i++) {
            const sup_vec3* p = &m.mesh.points[i];
            double y[3];
            for (int k = 0; k < 3; k++)
                y[k] = f[k][0] * (double)p->x + f[k][1] * (double)p->y + f[k][2] * (double)p->z +
                       shift[k];
            double error = away(&drawn[i], y);
            moved = error > moved ? error : moved;
        }
        free(drawn);
        print_message("%s: rest %.2g, affine %.2g of the size\n", surface_names[which], rest / size,
                      moved / size);
        assert_true(rest < 1e-6 * size && moved < 1e-5 * size);
        sup_world_destroy(world);
        unmake(&m);
    }
}

/* Normals are those of the polygons as they are now, unit and outwards. */
static void skins_have_normals(void** state) {
    (void)state;
    made m = make_of_surface(BALL, NULL);
    sup_world* world = make_world(false);
    sup_body body = put_body(world, &m, 0);
    sup_vec3* normals = malloc((size_t)m.mesh.point_count * sizeof *normals);
    assert_int_equal(sup_body_read_normals(world, body, normals, NULL), SUP_OK);
    for (int32_t i = 0; i < m.mesh.point_count; i++) {
        const sup_vec3 *n = &normals[i], *p = &m.mesh.points[i];
        assert_true((double)(n->x * p->x + n->y * p->y + n->z * p->z) > 0.399);
    }
    sup_row tangents[1];
    assert_int_equal(sup_body_read_normals(world, body, normals, tangents), SUP_BAD_ARGUMENT);
    free(normals);
    sup_world_destroy(world);
    unmake(&m);
}

/* ---- Moving ---- */

static double lowest(const sup_vec3* points, int32_t count) {
    double low = INFINITY;
    for (int32_t i = 0; i < count; i++) low = (double)points[i].y < low ? (double)points[i].y : low;
    return low;
}

/* Dropped on a floor, what is drawn comes to lie on it, though a cage is larger, and nothing blows
   up; a ray from above meets what is drawn. Snapshots go on to the last bit. */
static void bodies_fall_and_lie(void** state) {
    (void)state;
    skip_under_sanitizers();
    const int half = short_tests() ? 10 : 60; /* frames; it lands after 12 */
    for (int which = 0; which < SURFACES; which++) {
        for (int k = 0; k < KINDS; k++) {
            sup_solid_def def = sup_solid_default();
            def.kind = kinds[k];
            def.young = 3e5;
            made m = make_of_surface(which, &def);
            sup_world *world = make_world(true), *other = make_world(true);
            sup_body body = put_body(world, &m, 0.6);
            for (int i = 0; i < half; i++) sup_world_step(world, 1.0 / 60);
            sup_bytes bytes;
            assert_int_equal(sup_world_save(world, &bytes, NULL), SUP_OK);
            assert_int_equal(sup_world_restore(other, bytes.data, bytes.size, NULL), SUP_OK);
            sup_bytes_free(&bytes);
            for (int i = 0; i < half; i++) {
                sup_world_step(world, 1.0 / 60);
                sup_world_step(other, 1.0 / 60);
            }
            assert_true(sup_world_hash(world) == sup_world_hash(other));
            sup_vec3* drawn = read_vertices(world, body, m.mesh.point_count);
            sup_vec3* again = read_vertices(other, body, m.mesh.point_count);
            assert_memory_equal(drawn, again, (size_t)m.mesh.point_count * sizeof *drawn);
            double cell = sup_solid_get(m.solid).making->cell,
                   low = lowest(drawn, m.mesh.point_count);
            print_message("%s, kind %d: lowest %.3f cells\n", surface_names[which], k, low / cell);
            /* Ellipsoids fill their cage, and so hold it up. */
            assert_true(low > -0.35 * cell);
            assert_true(short_tests() || low < (k == 2 ? 1.2 : 0.3) * cell);
            const double above[3] = {0, 3, 0}, down[3] = {0, -5, 0};
            const sup_filter all = {1, UINT32_MAX};
            sup_hit hit;
            bool met = sup_world_cast_ray(world, above, down, all, &hit);
            assert_true(met);
            free(drawn);
            free(again);
            sup_world_destroy(world);
            sup_world_destroy(other);
            unmake(&m);
        }
    }
}

/* A sheet with two sides lets nothing in, not even what lies above the drawn surface. */
static void cages_do_not_go_through_sheets(void** state) {
    (void)state;
    sup_mesh ground;
    assert_int_equal(sup_mesh_grid(NULL, 4, 4, 8, 8, &ground, NULL), SUP_OK);
    for (int k = 0; k < 2; k++) {
        sup_solid_def def = sup_solid_default();
        def.kind = kinds[k];
        def.mass = 2;
        made m = make_of_surface(SHEET, &def);
        sup_world* world = make_world(false);
        sup_collider_def sheet = sup_collider_default();
        sup_collider handle;
        sheet.kind = SUP_COLLIDER_MESH;
        sheet.mesh = &ground;
        assert_int_equal(sup_collider_create(world, &sheet, &handle, NULL), SUP_OK);
        assert_int_equal(sup_world_set_gravity(world, (const double[3]){0, -9.81, 0}, NULL),
                         SUP_OK);
        sup_body body = put_body(world, &m, 0.5);
        for (int i = 0; i < 120; i++) sup_world_step(world, 1.0 / 60);
        double low[3], high[3];
        sup_body_bounds(world, body, low, high);
        print_message("kind %d: particles from %g m on\n", k, low[1]);
        assert_true(low[1] > -0.01 && low[1] < 0.1);
        sup_world_destroy(world);
        unmake(&m);
    }
    sup_mesh_free(&ground);
}

/* A bar that hangs by its upper end gets as much longer as its modulus says. */
static double stretch_bar(sup_solid_kind kind, double young) {
    sup_mesh mesh = make_box(0.25, 1.0, 0.25, 8);
    sup_solid_def def = sup_solid_default();
    def.kind = kind;
    def.young = young;
    def.tets.cell = 0.0625;
    sup_solid* solid = make_solid(&mesh, &def);
    const sup_tets* tets = sup_solid_get(solid).tets;
    int32_t* pins = malloc((size_t)tets->point_count * sizeof *pins);
    sup_blueprint_def own = sup_solid_blueprint(solid);
    for (int32_t i = 0; i < tets->point_count; i++)
        if (tets->points[i].y > 0.49f) pins[own.pin_count++] = i;
    own.pins = pins;
    assert_true(own.pin_count > 4);
    sup_blueprint* print;
    assert_int_equal(sup_blueprint_create(&own, &print, NULL), SUP_OK);
    sup_world_def how = sup_world_default();
    how.substeps = 8;
    sup_world* world;
    assert_int_equal(sup_world_create(&how, &world, NULL), SUP_OK);
    sup_body_def body_def = sup_body_default();
    sup_body body;
    body_def.blueprint = print;
    body_def.springs.solid = sup_solid_get(solid).terms;
    body_def.springs.drag = 5;
    body_def.material.rule = SUP_STIFFNESS_MODULUS;
    body_def.material.stiffness = young;
    body_def.material.damping = 1;
    assert_int_equal(sup_body_create(world, &body_def, &body, NULL), SUP_OK);
    for (int i = 0; i < 240; i++) sup_world_step(world, 1.0 / 60);
    sup_vec3* drawn = read_vertices(world, body, mesh.point_count);
    double longer = -0.5 - lowest(drawn, mesh.point_count);
    free(drawn);
    free(pins);
    sup_world_destroy(world);
    sup_blueprint_release(print);
    sup_solid_free(solid);
    sup_mesh_free(&mesh);
    return longer;
}

static void bars_stretch_by_their_modulus(void** state) {
    (void)state;
    skip_under_sanitizers();
    const double young = 3e5, wanted = 1000 * 9.81 / (2 * young);
    double springs = stretch_bar(SUP_SOLID_SPRINGS, young);
    double clusters = stretch_bar(SUP_SOLID_CLUSTERS, young);
    print_message("wanted %.4f m, springs %.4f, clusters %.4f\n", wanted, springs, clusters);
    assert_true(fabs(springs - wanted) < 0.1 * wanted);
    assert_true(fabs(clusters - wanted) < 0.15 * wanted);
}

/* What has been dented becomes a blueprint with tetrahedra and skin of its own. */
static void solids_can_be_baked(void** state) {
    (void)state;
    made m = make_of_surface(BALL, NULL);
    sup_blueprint* baked;
    sup_world* world = make_world(false);
    sup_body body = put_body(world, &m, 0);
    int32_t count = sup_blueprint_get_info(m.print).particle_count;
    sup_point* places = malloc((size_t)count * sizeof *places);
    sup_body_read_particles(world, body, places, NULL);
    for (int32_t i = 0; i < count; i++) places[i].y *= 0.7;
    sup_body_write_particles(world, body, places, NULL, NULL);
    sup_vec3* drawn = read_vertices(world, body, m.mesh.point_count);
    assert_int_equal(sup_body_bake(world, body, &baked, NULL), SUP_OK);
    sup_blueprint_info info = sup_blueprint_get_info(baked), old = sup_blueprint_get_info(m.print);
    assert_int_equal(info.skin, SUP_SKIN_TETS);
    assert_true(fabs(info.volume - 0.7 * old.volume) < 1e-4 * old.volume);
    sup_world* next = make_world(false);
    sup_body twin = put_body_of(next, m.solid, baked, 0);
    sup_vec3* again = read_vertices(next, twin, m.mesh.point_count);
    for (int32_t i = 0; i < m.mesh.point_count; i++) {
        const double at[3] = {(double)drawn[i].x, (double)drawn[i].y, (double)drawn[i].z};
        assert_true(away(&again[i], at) < 1e-5);
    }
    for (int32_t i = 0; i < count; i++) places[i].y *= -1;
    sup_body_write_particles(world, body, places, NULL, NULL);
    sup_blueprint* inverted = NULL;
    sup_error error = {0};
    assert_int_equal(sup_body_bake(world, body, &inverted, &error), SUP_BAD_ARGUMENT);
    assert_string_equal(error.text, "the body is turned inside out");
    free(places);
    free(drawn);
    free(again);
    sup_world_destroy(world);
    sup_world_destroy(next);
    sup_blueprint_release(baked);
    unmake(&m);
}

/* ---- Tetrahedra that are given ---- */

static void tetrahedra_can_be_given(void** state) {
    (void)state;
    sup_mesh mesh = make_surface(BALL);
    sup_tets tets;
    sup_tets_def how = sup_tets_default();
    assert_int_equal(sup_tets_create(NULL, &mesh, &how, &tets, NULL, NULL), SUP_OK);
    for (int drawn = 0; drawn < 2; drawn++) {
        for (int k = 0; k < KINDS; k++) {
            sup_solid_def def = sup_solid_default();
            def.kind = kinds[k];
            sup_solid* solid;
            assert_int_equal(sup_solid_take(NULL, &tets, drawn ? &mesh : NULL, &def, &solid, NULL),
                             SUP_OK);
            assert_null(sup_solid_get(solid).making);
            sup_blueprint* print = make_print(solid);
            int32_t polygons = sup_blueprint_get_info(print).polygon_count;
            assert_int_equal(polygons, drawn ? mesh.polygon_count : tets.triangle_count);
            sup_blueprint_release(print);
            sup_solid_free(solid);
        }
    }
    sup_tets_free(&tets);
    sup_mesh_free(&mesh);
}

/* ---- Refusals ---- */

static void expect_refusal(const sup_blueprint_def* def, const char* text) {
    sup_blueprint* print = NULL;
    sup_error error = {0};
    assert_int_equal(sup_blueprint_create(def, &print, &error), SUP_BAD_ARGUMENT);
    assert_string_equal(error.text, text);
}

static void what_does_not_go_together_is_refused(void** state) {
    (void)state;
    sup_mesh mesh = make_surface(BALL);
    sup_solid_def def = sup_solid_default();
    sup_error error = {0};
    sup_solid* solid = make_solid(&mesh, &def);
    const sup_blueprint_def good = sup_solid_blueprint(solid);
    sup_blueprint_def bad = good;
    bad.tet_count = 0;
    expect_refusal(&bad, "a skin of tetrahedra needs tetrahedra");
    bad = good;
    bad.fill = 0.1;
    expect_refusal(&bad,
                   "under a skin of tetrahedra the particles are those of `points`: it takes no "
                   "fill");
    bad = good;
    bad.normals = mesh.points;
    expect_refusal(&bad, "a skin of tetrahedra finds its normals by itself");
    def.kind = SUP_SOLID_SPRINGS;
    sup_solid* woven = make_solid(&mesh, &def);
    bad = sup_solid_blueprint(woven);
    bad.tears = true;
    sup_blueprint* torn = NULL;
    assert_int_equal(sup_blueprint_create(&bad, &torn, &error), SUP_BAD_ARGUMENT);
    print_message("%s\n", error.text);
    sup_solid_free(woven);
    def = sup_solid_default();
    const sup_link link = {.a = 0, .b = 1};
    bad = good;
    bad.links = &link;
    bad.link_count = 1;
    expect_refusal(&bad, "a skin of tetrahedra is for particles without links and parts");
    int32_t* ids = malloc(4 * (size_t)good.tet_count * sizeof *ids);
    memcpy(ids, good.tets, 4 * (size_t)good.tet_count * sizeof *ids);
    bad = good;
    bad.tets = ids;
    ids[7] = good.point_count;
    char text[120];
    snprintf(text, sizeof text, "tetrahedron 1 names particle %d, there are %d",
             (int)good.point_count, (int)good.point_count);
    expect_refusal(&bad, text);
    ids[7] = ids[6];
    expect_refusal(&bad, "tetrahedron 1 is flat or inside out");
    free(ids);
    sup_solid* none = NULL;
    def.reach = 5;
    assert_int_equal(sup_solid_create(NULL, &mesh, &def, &none, &error), SUP_BAD_ARGUMENT);
    assert_string_equal(error.text, "reach is out of its range");
    def = sup_solid_default();
    def.size = 3;
    assert_int_equal(sup_solid_create(NULL, &mesh, &def, &none, &error), SUP_BAD_ARGUMENT);
    assert_string_equal(error.text, "sup_solid_def must come from sup_solid_default");
    def = sup_solid_default();
    const sup_tets empty = {0};
    assert_int_equal(sup_solid_take(NULL, &empty, NULL, &def, &none, &error), SUP_BAD_ARGUMENT);
    assert_string_equal(error.text, "a solid needs tetrahedra with an outside");
    assert_int_equal(sup_solid_load(NULL, NULL, "nowhere.obj", &def, &none, &error), SUP_NOT_FOUND);
    sup_solid_free(NULL);
    sup_solid_free(solid);
    sup_mesh_free(&mesh);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_surface_becomes_every_kind),
        cmocka_unit_test(a_given_mass_is_shared_out),
        cmocka_unit_test(tetrahedra_are_kept_with_what_follows),
        cmocka_unit_test(skins_follow_affine_motion),
        cmocka_unit_test(skins_have_normals),
        cmocka_unit_test(bodies_fall_and_lie),
        cmocka_unit_test(cages_do_not_go_through_sheets),
        cmocka_unit_test(bars_stretch_by_their_modulus),
        cmocka_unit_test(solids_can_be_baked),
        cmocka_unit_test(tetrahedra_can_be_given),
        cmocka_unit_test(what_does_not_go_together_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
