/* Models: closed, as large and as fine as they say, their parts apart. */
#include <string.h>

#include "geom/bvh.h"
#include "geom/meshes.h"
#include "geom/union_find.h"
#include "geom/vector.h"
#include "sizes.h"

typedef struct wanted {
    sup_model model;
    int32_t points, components;
    double size[3]; /* m */
} wanted;

static const wanted all[] = {{SUP_MODEL_SQUID, 5000, 1, {0.77, 0.91, 0.77}},
                             {SUP_MODEL_LIONFISH, 30000, 1, {0.66, 0.5, 0.57}},
                             {SUP_MODEL_TRUCK, 60000, 5, {5.2, 3.1, 3.2}},
                             {SUP_MODEL_ROPE, 6000, 1, {1.2, 0.088, 0.088}},
                             {SUP_MODEL_PLANT, 20000, 1, {0.78, 0.8, 0.71}}};
#define MODELS ((int)(sizeof all / sizeof *all))

static sup_mesh make(sup_model model, double detail) {
    sup_mesh mesh;
    sup_error error;
    if (sup_mesh_model(NULL, model, detail, &mesh, &error) != SUP_OK) fail_msg("%s", error.text);
    return mesh;
}

static void check_shape(const wanted* w, const sup_mesh* mesh) {
    sup_mesh_report report = inspect(mesh);
    const char* name = sup_model_name(w->model);
    assert_true(report.closed);
    assert_int_equal(report.fan_point_count, 0);
    assert_int_equal(report.unused_point_count, 0);
    assert_int_equal(report.component_count, w->components);
    assert_true(report.volume > 0);
    for (int k = 0; k < 3; k++) {
        double size = report.high[k] - report.low[k];
        if (fabs(size / w->size[k] - 1) > 0.05) fail_msg("%s is %g m along %d", name, size, k);
    }
    assert_true(fabs(report.low[1]) < 0.003 * w->size[1] + 0.001);
    assert_true(fabs(report.low[0] + report.high[0]) < 0.35 * w->size[0]);
    assert_true(fabs(report.low[2] + report.high[2]) < 0.1 * w->size[2]);
}

/* Triangles are neither needles nor of very different sizes. */
static void check_triangles(const sup_mesh* mesh) {
    double mean = inspect(mesh).mean_edge;
    int32_t blunt = 0;
    for (int32_t t = 0; t < mesh->polygon_count; t++) {
        double p[3][3], way[3][3], least = 1e30, most = 0, cross[3];
        for (int k = 0; k < 3; k++) {
            supi_vector_from(mesh->points + mesh->corners[3 * t + k], p[k]);
        }
        for (int k = 0; k < 3; k++) {
            supi_vector_subtract(p[(k + 1) % 3], p[k], way[k]);
            double length = supi_vector_length(way[k]);
            least = length < least ? length : least;
            most = length > most ? length : most;
        }
        supi_vector_cross(way[0], way[1], cross);
        assert_true(supi_vector_length(cross) > 0.1 * most * most);
        assert_true(least > 0.1 * mean && most < 4 * mean);
        if (supi_vector_length(cross) < 0.35 * most * most) blunt++;
    }
    assert_true(blunt < mesh->polygon_count / 500);
}

static void models_are_what_they_say(void** state) {
    (void)state;
    for (int i = 0; i < (short_tests() ? 1 : MODELS); i++) {
        sup_mesh mesh = make(all[i].model, 1);
        check_shape(all + i, &mesh);
        check_triangles(&mesh);
        if (fabs((double)mesh.point_count / all[i].points - 1) > 0.2) {
            fail_msg("%s has %d points", sup_model_name(all[i].model), (int)mesh.point_count);
        }
        assert_int_equal(mesh.corner_count, 3 * mesh.polygon_count);
        sup_mesh_free(&mesh);
    }
}

/* The component of each point, by its lowest point. */
static int32_t* find_components(const sup_mesh* mesh) {
    int32_t* parent = malloc(sizeof *parent * (size_t)mesh->point_count);
    for (int32_t i = 0; i < mesh->point_count; i++) parent[i] = i;
    for (int32_t c = 0; c < mesh->corner_count; c += 3) {
        supi_union_join(parent, mesh->corners[c], mesh->corners[c + 1]);
        supi_union_join(parent, mesh->corners[c], mesh->corners[c + 2]);
    }
    for (int32_t i = 0; i < mesh->point_count; i++) parent[i] = supi_union_root(parent, i);
    return parent;
}

/* What is left of a squid beyond a cylinder about its axis, in pieces of at least ten points, and
   the directions of their middles in turns. */
static int32_t count_outside(const sup_mesh* mesh, double radius, double directions[16]) {
    int32_t *parent = malloc(sizeof *parent * (size_t)mesh->point_count), pieces = 0;
    for (int32_t i = 0; i < mesh->point_count; i++) parent[i] = i;
    for (int32_t c = 0; c < mesh->corner_count; c++) {
        int32_t a = mesh->corners[c], b = mesh->corners[c % 3 == 2 ? c - 2 : c + 1];
        const sup_vec3 *p = mesh->points + a, *q = mesh->points + b;
        bool out = hypot((double)p->x, (double)p->z) > radius &&
                   hypot((double)q->x, (double)q->z) > radius;
        if (out) supi_union_join(parent, a, b);
    }
    for (int32_t root = 0; root < mesh->point_count; root++) {
        double x = 0, z = 0;
        int32_t count = 0;
        if (parent[root] != root) continue;
        for (int32_t i = root; i < mesh->point_count; i++) {
            if (supi_union_root(parent, i) != root) continue;
            x += (double)mesh->points[i].x;
            z += (double)mesh->points[i].z;
            count++;
        }
        if (count < 10) continue;
        assert_in_range(pieces, 0, 15);
        directions[pieces++] = atan2(z, x) / (2 * acos(-1)) + 0.5;
    }
    free(parent);
    return pieces;
}

/* Cut through the middle and beyond the fins, the arms are eight, all around the head. */
static void squid_has_eight_arms(void** state) {
    (void)state;
    sup_mesh mesh = make(SUP_MODEL_SQUID, 1);
    double directions[16];
    assert_int_equal(count_outside(&mesh, 0.0, directions), 1);
    assert_int_equal(count_outside(&mesh, 0.25, directions), 8);
    bool seen[8] = {false};
    for (int i = 0; i < 8; i++) {
        int eighth = (int)(8 * directions[i]) % 8;
        assert_false(seen[eighth]);
        seen[eighth] = true;
    }
    sup_mesh_free(&mesh);
}

/* A tree of the triangles of one component. */
static supi_bvh tree_of(const sup_mesh* mesh, const int32_t* component, int32_t which) {
    int32_t* corners = malloc(sizeof *corners * (size_t)mesh->corner_count);
    int32_t count = 0;
    for (int32_t c = 0; c < mesh->corner_count; c++) {
        if (component[mesh->corners[c]] == which) corners[count++] = mesh->corners[c];
    }
    supi_bvh tree;
    assert_true(supi_bvh_build(sup_allocator_default(), mesh->points, corners, count / 3, &tree));
    free(corners);
    return tree;
}

/* No wheel comes near the body or another wheel, and none is inside: their edges cross nothing. */
static void wheels_stand_free(void** state) {
    (void)state;
    sup_mesh mesh = make(SUP_MODEL_TRUCK, 0.25);
    int32_t *component = find_components(&mesh), parts = 0;
    for (int32_t which = 0; which < mesh.point_count; which++) {
        if (component[which] != which) continue;
        supi_bvh tree = tree_of(&mesh, component, which);
        parts++;
        for (int32_t i = 0; i < mesh.point_count; i++) {
            int32_t triangle;
            supi_facet_point at;
            if (component[i] == which) continue;
            assert_false(supi_bvh_nearest(&tree, mesh.points[i], 0.02f, &triangle, &at));
        }
        for (int32_t c = 0; c < mesh.corner_count; c++) {
            int32_t a = mesh.corners[c], b = mesh.corners[c % 3 == 2 ? c - 2 : c + 1], triangle;
            double t, weights[3];
            if (component[a] == which) continue;
            assert_false(
                supi_bvh_cross(&tree, mesh.points[a], mesh.points[b], &triangle, &t, weights));
        }
        supi_bvh_free(&tree);
    }
    assert_int_equal(parts, 5);
    free(component);
    sup_mesh_free(&mesh);
}

/* --- crossings --- */

typedef double place[3];

/* Whether a way crosses a triangle. */
static bool crosses(const place from, const place to, const place corner[3]) {
    double way[3], ab[3], ac[3], off[3], h[3], g[3];
    supi_vector_subtract(to, from, way);
    supi_vector_subtract(corner[1], corner[0], ab);
    supi_vector_subtract(corner[2], corner[0], ac);
    supi_vector_subtract(from, corner[0], off);
    supi_vector_cross(way, ac, h);
    supi_vector_cross(off, ab, g);
    double volume = supi_vector_dot(ab, h);
    if (volume == 0) return false;
    double u = supi_vector_dot(off, h) / volume, v = supi_vector_dot(way, g) / volume;
    double t = supi_vector_dot(ac, g) / volume;
    return u >= 0 && v >= 0 && u + v <= 1 && t >= 0 && t <= 1;
}

static void get_corners(const sup_mesh* mesh, int32_t triangle, place out[3]) {
    for (int i = 0; i < 3; i++) {
        supi_vector_from(mesh->points + mesh->corners[3 * triangle + i], out[i]);
    }
}

/* Whether two triangles that share no point cross. */
static bool cross_each_other(const sup_mesh* mesh, int32_t a, int32_t b) {
    place p[3], q[3];
    for (int i = 0; i < 9; i++) {
        if (mesh->corners[3 * a + i / 3] == mesh->corners[3 * b + i % 3]) return false;
    }
    get_corners(mesh, a, p);
    get_corners(mesh, b, q);
    for (int i = 0; i < 3; i++) {
        if (crosses(p[i], p[(i + 1) % 3], q) || crosses(q[i], q[(i + 1) % 3], p)) return true;
    }
    return false;
}

/* Triangles in the cells of a grid that their boxes touch, as lists. */
typedef struct cells {
    double edge;
    int32_t *first, *next, *triangle, count, room;
} cells;
enum { CELLS_MOST = 1 << 18 };

static int32_t cell_of(const int32_t at[3]) {
    uint32_t hash =
        (uint32_t)at[0] * 73856093u ^ (uint32_t)at[1] * 19349663u ^ (uint32_t)at[2] * 83492791u;
    return (int32_t)(hash % CELLS_MOST);
}

/* Adds a triangle; true if it crosses one that is there. */
static bool add_to_cells(cells* c, const sup_mesh* mesh, int32_t triangle) {
    place p[3];
    int32_t low[3], high[3], at[3];
    bool found = false;
    get_corners(mesh, triangle, p);
    for (int k = 0; k < 3; k++) {
        double least = fmin(p[0][k], fmin(p[1][k], p[2][k]));
        double most = fmax(p[0][k], fmax(p[1][k], p[2][k]));
        low[k] = (int32_t)floor(least / c->edge);
        high[k] = (int32_t)floor(most / c->edge);
    }
    for (at[2] = low[2]; at[2] <= high[2]; at[2]++) {
        for (at[1] = low[1]; at[1] <= high[1]; at[1]++) {
            for (at[0] = low[0]; at[0] <= high[0]; at[0]++) {
                int32_t cell = cell_of(at);
                for (int32_t i = c->first[cell]; i >= 0; i = c->next[i]) {
                    found = found || cross_each_other(mesh, triangle, c->triangle[i]);
                }
                assert_true(c->count < c->room);
                c->triangle[c->count] = triangle;
                c->next[c->count] = c->first[cell];
                c->first[cell] = c->count++;
            }
        }
    }
    return found;
}

static int32_t count_crossings(const sup_mesh* mesh) {
    cells c = {.edge = 2 * inspect(mesh).mean_edge, .room = 64 * mesh->polygon_count};
    c.first = malloc(sizeof *c.first * CELLS_MOST);
    c.next = malloc(sizeof *c.next * (size_t)c.room);
    c.triangle = malloc(sizeof *c.triangle * (size_t)c.room);
    memset(c.first, -1, sizeof *c.first * CELLS_MOST);
    int32_t count = 0;
    for (int32_t t = 0; t < mesh->polygon_count; t++) count += add_to_cells(&c, mesh, t);
    free(c.first);
    free(c.next);
    free(c.triangle);
    return count;
}

static void a_crossing_is_found(void** state) {
    (void)state;
    sup_mesh mesh = make(SUP_MODEL_SQUID, 1);
    assert_int_equal(count_crossings(&mesh), 0);
    mesh.points[100].x += 0.15f;
    assert_true(count_crossings(&mesh) > 0);
    sup_mesh_free(&mesh);
}

/* --- the rest --- */

/* Fewer points, and the same shape; thin parts need more than their share. */
static void check_detail(const wanted* w, double detail) {
    sup_mesh mesh = make(w->model, detail);
    double share = (double)mesh.point_count / (w->points * detail);
    check_shape(w, &mesh);
    assert_int_equal(count_crossings(&mesh), 0);
    if (share < 0.6 || share > 1.6) {
        fail_msg("%s has %d points at detail %g", sup_model_name(w->model), (int)mesh.point_count,
                 detail);
    }
    sup_mesh_free(&mesh);
}

static void detail_changes_the_number_of_points(void** state) {
    (void)state;
    for (int i = 0; i < MODELS; i += short_tests() ? 3 : 1) {
        check_detail(all + i, 0.25);
        if (long_tests()) check_detail(all + i, 4);
    }
    if (!short_tests()) check_detail(all + 3, 4);
}

static void the_same_model_has_the_same_bits(void** state) {
    (void)state;
    static const sup_model models[2] = {SUP_MODEL_SQUID, SUP_MODEL_ROPE};
    for (int i = 0; i < 2; i++) {
        sup_mesh a = make(models[i], 0.25), b = make(models[i], 0.25);
        assert_int_equal(a.point_count, b.point_count);
        assert_memory_equal(a.points, b.points, sizeof *a.points * (size_t)a.point_count);
        assert_memory_equal(a.corners, b.corners, sizeof *a.corners * (size_t)a.corner_count);
        sup_mesh_free(&a);
        sup_mesh_free(&b);
    }
}

static void names_and_refusals(void** state) {
    (void)state;
    static const double bad[4] = {0.2, 4.1, NAN, -1};
    sup_mesh mesh;
    sup_error error;
    assert_string_equal(sup_model_name(SUP_MODEL_SQUID), "squid");
    assert_string_equal(sup_model_name(SUP_MODEL_ROPE), "twisted_rope");
    assert_null(sup_model_name((sup_model)MODELS));
    assert_null(sup_model_name((sup_model)-1));
    for (int i = 0; i < 4; i++) {
        assert_int_equal(sup_mesh_model(NULL, SUP_MODEL_SQUID, bad[i], &mesh, &error),
                         SUP_BAD_ARGUMENT);
        assert_non_null(strstr(error.text, "detail must be from 0.25 to 4"));
    }
    assert_int_equal(sup_mesh_model(NULL, (sup_model)99, 1, &mesh, &error), SUP_BAD_ARGUMENT);
    assert_non_null(strstr(error.text, "no model 99"));
}

/* Refusing an allocation of many: the call fails or, where it can do without, succeeds; nothing is
   left behind. */
static void failures_leave_nothing(void** state) {
    (void)state;
    test_allocator counter;
    const sup_allocator* allocator = test_allocator_init(&counter);
    int failures = 0;
    for (long long n = 1, step = 1;; n += step, step += (short_tests() ? 5 : 1) + n % 3) {
        sup_mesh mesh;
        sup_error error = {SUP_OK, 0, 0, ""};
        test_allocator_arm(&counter, n, n % 2 == 0);
        sup_result result = sup_mesh_model(allocator, SUP_MODEL_ROPE, 0.25, &mesh, &error);
        if (result == SUP_OK) sup_mesh_free(&mesh);
        assert_int_equal(counter.blocks, 0);
        assert_int_equal(counter.bytes, 0);
        if (counter.refused == 0) break;
        if (result == SUP_OK) continue;
        assert_int_equal(result, SUP_NO_MEMORY);
        assert_int_equal(error.code, SUP_NO_MEMORY);
        failures++;
    }
    assert_true(failures > 2);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(models_are_what_they_say),
        cmocka_unit_test(squid_has_eight_arms),
        cmocka_unit_test(wheels_stand_free),
        cmocka_unit_test(a_crossing_is_found),
        cmocka_unit_test(detail_changes_the_number_of_points),
        cmocka_unit_test(the_same_model_has_the_same_bits),
        cmocka_unit_test(names_and_refusals),
        cmocka_unit_test(failures_leave_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
