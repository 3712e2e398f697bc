/* How drawn surfaces face, and where their places were at rest. */
#include "world/yard.h"

#include "supple/mesh.h"
#include "supple/snapshot.h"
#include "world/oriented.h"

enum { BEADS = 12, AROUND = 16, RINGS = 45 };
static const double bead_step = 0.1, tube_radius = 0.05;

/* A tube along x about a chain of beads, of which the first is pinned. */
static sup_mesh make_tube(void) {
    sup_mesh mesh;
    sup_error error = {0};
    assert_ok(sup_mesh_capsule(NULL, tube_radius, bead_step * (BEADS - 1), AROUND, 4, RINGS, &mesh,
                               &error),
              error);
    const double scale[3] = {1, 1, 1}, turn[4] = {0, 0, -0.70710678118654752, 0.70710678118654752};
    const double shift[3] = {0.5 * bead_step * (BEADS - 1), 0, 0};
    sup_mesh_transform(&mesh, scale, turn, shift);
    return mesh;
}

typedef struct tube {
    sup_mesh mesh;
    sup_world* world;
    sup_body body;
    sup_vec3 *now, *normals;
    sup_row* tangents;
} tube;

static sup_result make_print(const sup_mesh* mesh, sup_skin_kind skin, const sup_vec3* normals,
                             const sup_row* tangents, sup_blueprint** out, sup_error* error) {
    sup_vec3 points[BEADS];
    sup_link links[BEADS];
    sup_ellipsoid shapes[BEADS];
    const int32_t pin = 0;
    for (int32_t i = 0; i < BEADS; i++) {
        points[i] = (sup_vec3){(float)(bead_step * i), 0, 0};
        shapes[i] = (sup_ellipsoid){{0, 0, 0, 1}, {0.06f, 0.05f, 0.05f}};
        links[i] = (sup_link){i, i + 1, -1, 0, 0, -1};
    }
    sup_blueprint_def def = sup_blueprint_default();
    def.surface = mesh;
    def.points = points;
    def.point_count = BEADS;
    def.layout = SUP_CLUSTERS_NONE;
    def.mass = 1;
    def.skin = skin;
    def.links = links;
    def.link_count = BEADS - 1;
    def.ellipsoids = shapes;
    def.pins = &pin;
    def.pin_count = 1;
    def.normals = normals;
    def.tangents = tangents;
    return sup_blueprint_create(&def, out, error);
}

static tube make(sup_skin_kind skin, const sup_vec3* normals, const sup_row* tangents) {
    tube t = {.mesh = make_tube()};
    sup_world_def space = sup_world_default();
    sup_body_def def = sup_body_default();
    sup_error error = {0};
    size_t count = (size_t)t.mesh.point_count;
    space.substeps = 8;
    def.frames.damping = 5;
    def.gravity_scale = 0.25; /* bends it by half a right angle */
    assert_ok(sup_world_create(&space, &t.world, &error), error);
    sup_blueprint* print;
    assert_ok(make_print(&t.mesh, skin, normals, tangents, &print, &error), error);
    t.body = add_oriented(t.world, print, &def);
    t.now = calloc(count, sizeof *t.now);
    t.normals = calloc(count, sizeof *t.normals);
    t.tangents = calloc(count, sizeof *t.tangents);
    return t;
}

static void drop(tube* t) {
    sup_world_destroy(t->world);
    sup_mesh_free(&t->mesh);
    free(t->now);
    free(t->normals);
    free(t->tangents);
}

static void sag(const tube* t) {
    for (int i = 0; i < 60; i++) assert_int_equal(sup_world_step(t->world, 1.0 / 60), SUP_OK);
}

static double dot(const sup_vec3* a, const sup_vec3* b) {
    return (double)a->x * (double)b->x + (double)a->y * (double)b->y + (double)a->z * (double)b->z;
}

/* The mean of the polygons about each vertex, as they are now. */
static void polygon_normals(const sup_mesh* mesh, const sup_vec3* places, sup_vec3* out) {
    for (int32_t i = 0; i < mesh->point_count; i++) out[i] = (sup_vec3){0, 0, 0};
    for (int32_t k = 0; k < mesh->polygon_count; k++) {
        const int32_t* c = mesh->corners + mesh->starts[k];
        int32_t corners = mesh->starts[k + 1] - mesh->starts[k];
        for (int32_t j = 1; j + 1 < corners; j++) {
            const sup_vec3 *o = places + c[0], *p = places + c[j], *q = places + c[j + 1];
            sup_vec3 a = {p->x - o->x, p->y - o->y, p->z - o->z};
            sup_vec3 b = {q->x - o->x, q->y - o->y, q->z - o->z};
            sup_vec3 n = {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
            for (int32_t i = 0; i < corners; i++) {
                sup_vec3* to = out + c[i];
                *to = (sup_vec3){to->x + n.x, to->y + n.y, to->z + n.z};
            }
        }
    }
    for (int32_t i = 0; i < mesh->point_count; i++) {
        float size = sqrtf((float)dot(out + i, out + i));
        out[i] = (sup_vec3){out[i].x / size, out[i].y / size, out[i].z / size};
    }
}

/* Cosine of the largest angle between those read and those of the polygons. */
static double worst_normal(const tube* t) {
    size_t count = (size_t)t->mesh.point_count;
    sup_vec3* wanted = calloc(count, sizeof *wanted);
    double worst = 1;
    assert_int_equal(sup_body_read_vertices(t->world, t->body, NULL, t->now), SUP_OK);
    assert_int_equal(sup_body_read_normals(t->world, t->body, t->normals, NULL), SUP_OK);
    polygon_normals(&t->mesh, t->now, wanted);
    for (size_t i = 0; i < count; i++) {
        assert_true(fabs(dot(t->normals + i, t->normals + i) - 1) < 1e-5);
        worst = fmin(worst, dot(t->normals + i, wanted + i));
    }
    free(wanted);
    return worst;
}

static void normals_follow_the_skin(void** state) {
    (void)state;
    const sup_skin_kind kinds[] = {SUP_SKIN_FRAMES, SUP_SKIN_DUAL};
    for (int k = 0; k < 2; k++) {
        tube t = make(kinds[k], NULL, NULL);
        assert_true(worst_normal(&t) > 1 - 1e-5);
        sag(&t);
        double worst = worst_normal(&t);
        print_message("normals: %.3f rad from those of the polygons\n", acos(worst));
        assert_true(worst > cos(0.2)); /* where it bends they are those of a blend */
        sup_vec3 end = t.now[0];
        for (int32_t i = 0; i < t.mesh.point_count; i++) end = t.now[i].y < end.y ? t.now[i] : end;
        assert_true((double)end.y < -0.2);
        drop(&t);
    }
}

static void particles_have_those_of_polygons(void** state) {
    (void)state;
    sup_mesh mesh;
    sup_error error = {0};
    sup_world* world = make_world(NULL);
    assert_ok(sup_mesh_icosphere(NULL, 0.5, 2, &mesh, &error), error);
    sup_blueprint* print = ball_of(0.5, 2, sup_blueprint_default());
    sup_body_def at = body_at(print, 0, 0, 0);
    sup_body body = add_body(world, &at);
    sup_vec3* normals = calloc((size_t)mesh.point_count, sizeof *normals);
    sup_row tangent;
    assert_int_equal(sup_body_read_normals(world, body, normals, NULL), SUP_OK);
    for (int32_t i = 0; i < mesh.point_count; i++) {
        assert_true(2 * dot(normals + i, mesh.points + i) > 0.999);
    }
    assert_int_equal(sup_body_read_normals(world, body, normals, &tangent), SUP_BAD_ARGUMENT);
    free(normals);
    sup_mesh_free(&mesh);
    sup_blueprint_release(print);
    sup_world_destroy(world);
}

/* ---- What was given ---- */

static void tangents_turn_along_and_are_kept(void** state) {
    (void)state;
    sup_mesh mesh = make_tube();
    size_t count = (size_t)mesh.point_count;
    sup_vec3* normals = calloc(count, sizeof *normals);
    sup_row* tangents = calloc(count, sizeof *tangents);
    for (size_t i = 0; i < count; i++) {
        normals[i] = (sup_vec3){0, 3, 0};
        tangents[i] = (sup_row){2, 0, 0, i % 2 ? -0.5f : 7};
    }
    tube t = make(SUP_SKIN_FRAMES, normals, tangents);
    sag(&t);
    assert_int_equal(sup_body_read_normals(t.world, t.body, t.normals, t.tangents), SUP_OK);
    double lowest = 1;
    for (size_t i = 0; i < count; i++) {
        const sup_row* r = t.tangents + i;
        sup_vec3 along = {r->x, r->y, r->z};
        assert_true(fabs(dot(&along, &along) - 1) < 1e-5);
        assert_true(fabs(dot(&along, t.normals + i)) < 1e-4);
        assert_true(r->w == 1 || r->w == -1);
        lowest = fmin(lowest, (double)along.x);
    }
    assert_true(lowest < 0.9);
    /* they are in snapshots, too */
    sup_bytes bytes;
    sup_error error = {0};
    sup_world* again = make_world(NULL);
    sup_row* kept = calloc(count, sizeof *kept);
    assert_ok(sup_world_save(t.world, &bytes, &error), error);
    assert_ok(sup_world_restore(again, bytes.data, bytes.size, &error), error);
    assert_int_equal(sup_body_read_normals(again, t.body, NULL, kept), SUP_OK);
    assert_memory_equal(kept, t.tangents, count * sizeof *kept);
    sup_world_destroy(again);
    sup_bytes_free(&bytes);
    /* no direction: refused by name */
    sup_blueprint* none;
    normals[3] = (sup_vec3){0, 0, 0};
    assert_int_equal(make_print(&mesh, SUP_SKIN_FRAMES, normals, NULL, &none, &error),
                     SUP_BAD_ARGUMENT);
    assert_non_null(strstr(error.text, "vertex 3"));
    free(kept);
    free(normals);
    free(tangents);
    sup_mesh_free(&mesh);
    drop(&t);
}

/* ---- Back to rest ---- */

static void places_are_found_at_rest(void** state) {
    (void)state;
    const sup_skin_kind kinds[] = {SUP_SKIN_FRAMES, SUP_SKIN_DUAL};
    for (int k = 0; k < 2; k++) {
        tube t = make(kinds[k], NULL, NULL);
        size_t count = (size_t)t.mesh.point_count;
        sup_point* places = calloc(count, sizeof *places);
        sup_point* rest = calloc(count, sizeof *rest);
        bool* found = calloc(count, sizeof *found);
        sup_error error = {0};
        sag(&t);
        assert_int_equal(sup_body_read_vertices(t.world, t.body, NULL, t.now), SUP_OK);
        for (size_t i = 0; i < count; i++) {
            places[i] = (sup_point){(double)t.now[i].x, (double)t.now[i].y, (double)t.now[i].z};
        }
        assert_ok(sup_body_find_rest(t.world, t.body, (int32_t)count, places, rest, found, &error),
                  error);
        int32_t near = 0;
        for (size_t i = 0; i < count; i++) {
            const sup_vec3* p = t.mesh.points + i;
            double away = hypot(hypot(rest[i].x - (double)p->x, rest[i].y - (double)p->y),
                                rest[i].z - (double)p->z);
            near += found[i] && away < 1e-4 * bead_step * BEADS;
        }
        assert_true(near >= (int32_t)(0.98 * (double)count));
        free(places);
        free(rest);
        free(found);
        drop(&t);
    }
}

static void others_have_no_way_back(void** state) {
    (void)state;
    sup_world* world = make_world(NULL);
    sup_blueprint* print = ball_of(0.5, 1, sup_blueprint_default());
    sup_body_def at = body_at(print, 0, 0, 0);
    sup_body body = add_body(world, &at);
    sup_point place = {0, 0, 0};
    bool found;
    sup_error error = {0};
    assert_int_equal(sup_body_find_rest(world, body, 1, &place, &place, &found, &error),
                     SUP_BAD_ARGUMENT);
    assert_int_equal(sup_body_destroy(world, body), SUP_OK);
    assert_int_equal(sup_body_find_rest(world, body, 1, &place, &place, &found, &error), SUP_STALE);
    assert_int_equal(sup_body_read_normals(world, body, NULL, NULL), SUP_STALE);
    sup_blueprint_release(print);
    sup_world_destroy(world);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(normals_follow_the_skin),
        cmocka_unit_test(particles_have_those_of_polygons),
        cmocka_unit_test(tangents_turn_along_and_are_kept),
        cmocka_unit_test(places_are_found_at_rest),
        cmocka_unit_test(others_have_no_way_back),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
