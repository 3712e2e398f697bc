/* Triangle meshes against a search through all triangles: nearest points, sides, crossings; moved
   points; triangles without area; what is refused. */
#include "contact/surfaces.h"

#include "allocators.h"
#include "ref/ref_trimesh.h"

#include <float.h>
#include <string.h>

static uint64_t seed = 5;

static void to_double(sup_vec3 x, double out[3]) {
    out[0] = (double)x.x;
    out[1] = (double)x.y;
    out[2] = (double)x.z;
}

static double length(sup_vec3 a) {
    return sqrt((double)a.x * (double)a.x + (double)a.y * (double)a.y + (double)a.z * (double)a.z);
}

/* A place that is, more often than not, close to the surface. */
static sup_vec3 place_near(const supi_trimesh* mesh, int i) {
    if (i % 4 == 0) return random_place(&seed, 1.5);
    const sup_vec3* points = supi_trimesh_points(mesh);
    const int32_t* ids = supi_trimesh_triangles(mesh) +
                         3 * ref_random_index(&seed, supi_trimesh_triangle_count(mesh));
    double weights[3] = {uniform(&seed, 0, 1), uniform(&seed, 0, 1), uniform(&seed, 0, 1)};
    if (i % 4 == 3) weights[i % 3] = 0; /* on a side */
    double sum = weights[0] + weights[1] + weights[2];
    double off = i % 2 ? 0.01 : 0.1, at[3] = {0, 0, 0};
    for (int k = 0; k < 3; k++) {
        at[0] += weights[k] / sum * (double)points[ids[k]].x;
        at[1] += weights[k] / sum * (double)points[ids[k]].y;
        at[2] += weights[k] / sum * (double)points[ids[k]].z;
    }
    for (int k = 0; k < 3; k++) at[k] += uniform(&seed, -off, off);
    return (sup_vec3){(float)at[0], (float)at[1], (float)at[2]};
}

typedef struct question {
    const supi_trimesh* mesh;
    const sup_vec3* points;
    const int32_t* triangles;
    int32_t count;
} question;

static question ask(const supi_trimesh* mesh) {
    return (question){mesh, supi_trimesh_points(mesh), supi_trimesh_triangles(mesh),
                      supi_trimesh_triangle_count(mesh)};
}

static void check_nearest(const question* q, sup_vec3 x, bool closed) {
    supi_trimesh_hit hit;
    double at[3], point[3];
    to_double(x, at);
    assert_true(supi_trimesh_nearest(q->mesh, x, FLT_MAX, &hit));
    double distance = ref_trimesh_distance(q->points, q->triangles, q->count, at);
    assert_float_equal(fabsf(hit.distance), distance, 2e-7);
    assert_float_equal(length(hit.normal), 1, 1e-6);
    to_double(hit.point, point);
    assert_true(ref_trimesh_distance(q->points, q->triangles, q->count, point) < 2e-7);
    /* the nearest point is where normal and distance lead */
    assert_float_equal(hit.point.x, x.x - hit.distance * hit.normal.x, 1e-5);
    assert_float_equal(hit.point.y, x.y - hit.distance * hit.normal.y, 1e-5);
    assert_float_equal(hit.point.z, x.z - hit.distance * hit.normal.z, 1e-5);
    if (distance < 1e-5) return;
    if (closed) {
        bool inside = ref_trimesh_winding(q->points, q->triangles, q->count, at) > 0.5;
        assert_int_equal(hit.distance < 0, inside);
        assert_false(hit.border);
    } else {
        double border = ref_trimesh_border(q->points, q->triangles, q->count, at);
        if (border > distance + 1e-6) assert_false(hit.border);
        if (hit.border) {
            assert_float_equal(border, distance, 1e-6);
            assert_true(hit.distance >= 0);
        }
    }
    /* the limit */
    assert_true(supi_trimesh_nearest(q->mesh, x, (float)distance * 1.0001f, &hit));
    assert_false(supi_trimesh_nearest(q->mesh, x, (float)distance * 0.9999f, &hit));
}

static void nearest_is_the_nearest_of_all(void** state) {
    (void)state;
    for (int which = 0; which < SURFACES; which++) {
        sup_mesh surface = some_surface(which);
        supi_trimesh* mesh = trimesh_of(&surface);
        bool closed = which < CLOSED_SURFACES;
        assert_int_equal(supi_trimesh_closed(mesh), closed);
        question q = ask(mesh);
        int32_t count = ref_repeats(closed ? 1000 : 500, 10000);
        for (int32_t i = 0; i < count; i++) check_nearest(&q, place_near(mesh, i), closed);
        for (int32_t i = 0; i < surface.point_count; i++) {
            supi_trimesh_hit hit;
            assert_true(supi_trimesh_nearest(mesh, surface.points[i], 1, &hit));
            assert_true(fabsf(hit.distance) < 1e-7f);
            assert_float_equal(length(hit.normal), 1, 1e-6);
        }
        supi_trimesh_free(mesh);
        sup_mesh_free(&surface);
    }
}

static void crossing_is_the_first_of_all(void** state) {
    (void)state;
    for (int which = 0; which < SURFACES; which++) {
        sup_mesh surface = some_surface(which);
        supi_trimesh* mesh = trimesh_of(&surface);
        question q = ask(mesh);
        int crossed = 0, free = 0;
        for (int32_t i = 0; i < ref_repeats(2000, 20000); i++) {
            sup_vec3 from = random_place(&seed, 1.5), to = random_place(&seed, 1.5);
            supi_trimesh_crossing crossing;
            double a[3], b[3], margin;
            to_double(from, a);
            to_double(to, b);
            double t = ref_trimesh_cross(q.points, q.triangles, q.count, a, b, &margin);
            if (margin < 1e-9) continue;
            bool found = supi_trimesh_cross(mesh, from, to, &crossing);
            assert_int_equal(found, t <= 1);
            if (found) {
                assert_float_equal(crossing.t, t, 1e-6);
                assert_float_equal(length(crossing.normal), 1, 1e-6);
                crossed++;
            } else {
                free++;
            }
        }
        assert_true(crossed > 20 && free > 20);
        supi_trimesh_free(mesh);
        sup_mesh_free(&surface);
    }
}

/* Ways that go exactly through corners and sides of a closed surface: none slips through. */
static void no_way_slips_through(void** state) {
    (void)state;
    sup_mesh surface = sphere_surface(2);
    supi_trimesh* mesh = trimesh_of(&surface);
    const int32_t* ids = supi_trimesh_triangles(mesh);
    for (int32_t i = 0; i < supi_trimesh_triangle_count(mesh); i++) {
        for (int k = 0; k < 3; k++) {
            for (int n = 0; n < 8; n++) {
                sup_vec3 a = surface.points[ids[3 * i + k]];
                sup_vec3 b = surface.points[ids[3 * i + (k + 1) % 3]];
                float share = n == 0 ? 0 : (float)n / 8;
                sup_vec3 at = {a.x + share * (b.x - a.x), a.y + share * (b.y - a.y),
                               a.z + share * (b.z - a.z)};
                sup_vec3 from = n % 2 ? (sup_vec3){0, 0, 0} : random_place(&seed, 0.3);
                sup_vec3 to = {from.x + 2 * (at.x - from.x), from.y + 2 * (at.y - from.y),
                               from.z + 2 * (at.z - from.z)};
                supi_trimesh_crossing crossing;
                assert_true(supi_trimesh_cross(mesh, from, to, &crossing));
                assert_float_equal(crossing.t, 0.5, 1e-5);
                assert_true(supi_trimesh_cross(mesh, to, from, &crossing));
            }
        }
    }
    supi_trimesh_free(mesh);
    sup_mesh_free(&surface);
}

static void moved_is_as_made_there(void** state) {
    (void)state;
    for (int which = 0; which < SURFACES; which++) {
        sup_mesh surface = some_surface(which);
        supi_trimesh* moved = trimesh_of(&surface);
        assert_true(supi_trimesh_speed(moved) == 0);
        bend(&surface);
        supi_trimesh_move(moved, surface.points, NULL);
        supi_trimesh* made = trimesh_of(&surface);
        for (int32_t i = 0; i < 3000; i++) {
            supi_trimesh_hit a = {0}, b = {0};
            sup_vec3 x = place_near(made, i);
            assert_true(supi_trimesh_nearest(moved, x, FLT_MAX, &a));
            assert_true(supi_trimesh_nearest(made, x, FLT_MAX, &b));
            assert_true(a.distance == b.distance && a.triangle == b.triangle);
            assert_memory_equal(&a.normal, &b.normal, sizeof a.normal);
            assert_memory_equal(&a.point, &b.point, sizeof a.point);
            supi_trimesh_crossing p = {0}, q = {0};
            sup_vec3 to = random_place(&seed, 1.5);
            bool crosses = supi_trimesh_cross(moved, x, to, &p);
            assert_int_equal(supi_trimesh_cross(made, x, to, &q), crosses);
            assert_true(p.t == q.t && p.triangle == q.triangle);
        }
        float bounds[2][2][3];
        supi_trimesh_bounds(moved, bounds[0][0], bounds[0][1]);
        supi_trimesh_bounds(made, bounds[1][0], bounds[1][1]);
        assert_memory_equal(bounds[0], bounds[1], sizeof bounds[0]);
        supi_trimesh_free(moved);
        supi_trimesh_free(made);
        sup_mesh_free(&surface);
    }
}

/* Points that fly apart from the middle: what is between them flies in between. */
static void points_carry_the_surface(void** state) {
    (void)state;
    sup_mesh surface = sphere_surface(2);
    supi_trimesh* mesh = trimesh_of(&surface);
    sup_vec3* velocities = malloc((size_t)surface.point_count * sizeof *velocities);
    for (int32_t i = 0; i < surface.point_count; i++) {
        sup_vec3 p = surface.points[i];
        velocities[i] = (sup_vec3){3 * p.x, 3 * p.y, 3 * p.z};
    }
    supi_trimesh_move(mesh, surface.points, velocities);
    assert_float_equal(supi_trimesh_speed(mesh), 3, 1e-5);
    for (int i = 0; i < 1000; i++) {
        supi_trimesh_hit hit;
        supi_trimesh_crossing crossing;
        sup_vec3 x = random_place(&seed, 1.5);
        assert_true(supi_trimesh_nearest(mesh, x, FLT_MAX, &hit));
        assert_float_equal(hit.velocity.x, 3 * hit.point.x, 1e-5);
        assert_float_equal(hit.velocity.y, 3 * hit.point.y, 1e-5);
        assert_float_equal(hit.velocity.z, 3 * hit.point.z, 1e-5);
        if (!supi_trimesh_cross(mesh, (sup_vec3){0, 0, 0}, x, &crossing)) continue;
        assert_float_equal(crossing.velocity.x, 3 * crossing.t * x.x, 1e-5);
        assert_float_equal(crossing.velocity.y, 3 * crossing.t * x.y, 1e-5);
    }
    supi_trimesh_move(mesh, surface.points, NULL);
    assert_true(supi_trimesh_speed(mesh) == 0);
    free(velocities);
    supi_trimesh_free(mesh);
    sup_mesh_free(&surface);
}

/* A wedge with flat triangles in its sharp edge, polygons that name a point twice, and a point that
   nothing uses. */
static void triangles_without_area_take_no_part(void** state) {
    (void)state;
    static const sup_vec3 points[] = {
        {-1, -1, 0.05f}, {1, -1, 0.05f}, {1, -0.9f, 0}, {-1, -0.9f, 0}, {-1, -1, 1}, {1, -1, 1},
        {1, 1, 1},       {-1, 1, 1},     {0, 1, 1},     {0.25f, 1, 1},  {9, 9, 9}};
    static const int32_t corners[] = {0, 3, 2, 1,        /* back */
                                      0, 1, 5, 4,        /* bottom */
                                      1, 2, 6, 5,        /* right */
                                      0, 4, 7, 3,        /* left */
                                      4, 5, 6, 9, 8, 7,  /* front, with two points on its edge */
                                      2, 3, 7, 6,        /* top, without them */
                                      7, 8, 6, 8, 9, 6,  /* the gap: triangles without area */
                                      1, 1, 2, 5, 5, 5}; /* nothing */
    static const int32_t starts[] = {0, 4, 8, 12, 16, 22, 26, 29, 32, 35, 38};
    sup_mesh surface;
    assert_int_equal(sup_mesh_create(NULL, 11, points, 10, starts, corners, &surface, NULL),
                     SUP_OK);
    supi_trimesh* mesh = trimesh_of(&surface);
    assert_true(supi_trimesh_closed(mesh));
    float low[3], high[3];
    supi_trimesh_bounds(mesh, low, high);
    assert_true(low[1] == -1 && high[1] == 1 && low[2] == 0 && high[2] == 1);
    question q = ask(mesh);
    for (int i = 0; i < 20000; i++) {
        sup_vec3 x = random_place(&seed, 1.4);
        if (i % 2) x.y = 1 + 0.2f * x.y, x.z = 1 + 0.2f * x.z; /* around the sharp edge */
        check_nearest(&q, x, true);
    }
    supi_trimesh_free(mesh);
    sup_mesh_free(&surface);
}

/* A spike, one face of which is cut into many thin triangles: they must not outvote the others at
   its tip. */
static void sharp_tips_tell_inside_from_outside(void** state) {
    (void)state;
    enum { CUTS = 40 };
    sup_vec3 points[CUTS + 4] = {{0, 1, 0}, {0, 0, -0.1f}};
    int32_t corners[3 * (2 * CUTS + 2)], count = 0;
    for (int i = 0; i <= CUTS; i++)
        points[2 + i] = (sup_vec3){-0.3f + 0.6f * (float)i / CUTS, 0, 0.1f};
    for (int i = 0; i < CUTS; i++) {
        const int32_t pair[6] = {0, 2 + i, 3 + i, 1, 3 + i, 2 + i};
        memcpy(corners + 3 * count, pair, sizeof pair);
        count += 2;
    }
    const int32_t sides[6] = {0, 1, 2, 0, 2 + CUTS, 1};
    memcpy(corners + 3 * count, sides, sizeof sides);
    count += 2;
    sup_mesh surface;
    assert_int_equal(sup_mesh_create(NULL, CUTS + 3, points, count, NULL, corners, &surface, NULL),
                     SUP_OK);
    supi_trimesh* mesh = trimesh_of(&surface);
    assert_true(supi_trimesh_closed(mesh));
    question q = ask(mesh);
    for (int i = 0; i < 5000; i++) {
        sup_vec3 x = random_place(&seed, 0.5);
        x.y = x.y + 1; /* around the tip */
        check_nearest(&q, x, true);
    }
    supi_trimesh_free(mesh);
    sup_mesh_free(&surface);
}

/* Every polygon with points of its own: closed all the same. Bodies that share an edge of points:
   closed as they are. */
static void soup_is_joined_and_neighbours_are_not(void** state) {
    (void)state;
    sup_mesh box = box_surface(1, 1, 1, 2);
    sup_vec3* points = malloc(2 * (size_t)box.corner_count * sizeof *points);
    int32_t* corners = malloc(2 * (size_t)box.corner_count * sizeof *corners);
    int32_t* starts = malloc((2 * (size_t)box.polygon_count + 1) * sizeof *starts);
    for (int32_t c = 0; c < box.corner_count; c++) {
        points[c] = box.points[box.corners[c]];
        corners[c] = c;
    }
    sup_mesh soup;
    assert_int_equal(sup_mesh_create(NULL, box.corner_count, points, box.polygon_count, box.starts,
                                     corners, &soup, NULL),
                     SUP_OK);
    supi_trimesh *mesh = trimesh_of(&soup), *plain = trimesh_of(&box);
    assert_true(supi_trimesh_closed(mesh));
    for (int i = 0; i < 3000; i++) {
        supi_trimesh_hit a, b;
        sup_vec3 x = random_place(&seed, 1);
        assert_true(supi_trimesh_nearest(mesh, x, FLT_MAX, &a));
        assert_true(supi_trimesh_nearest(plain, x, FLT_MAX, &b));
        assert_true(a.distance == b.distance);
        assert_memory_equal(&a.normal, &b.normal, sizeof a.normal);
    }
    supi_trimesh_free(mesh);
    supi_trimesh_free(plain);
    sup_mesh_free(&soup);

    for (int32_t i = 0; i < 2 * box.point_count; i++) {
        points[i] = box.points[i % box.point_count];
        if (i >= box.point_count) points[i].x += 1, points[i].y += 1;
    }
    for (int32_t c = 0; c < 2 * box.corner_count; c++) {
        corners[c] =
            box.corners[c % box.corner_count] + (c < box.corner_count ? 0 : box.point_count);
    }
    for (int32_t k = 0; k <= 2 * box.polygon_count; k++) starts[k] = 4 * k;
    assert_int_equal(sup_mesh_create(NULL, 2 * box.point_count, points, 2 * box.polygon_count,
                                     starts, corners, &soup, NULL),
                     SUP_OK);
    mesh = trimesh_of(&soup);
    assert_true(supi_trimesh_closed(mesh));
    supi_trimesh_free(mesh);
    sup_mesh_free(&soup);
    sup_mesh_free(&box);
    free(points);
    free(corners);
    free(starts);
}

static void far_and_large_is_finite(void** state) {
    (void)state;
    sup_mesh surface = sphere_surface(1);
    for (double size = 1e-12; size < 1e30; size *= 1e6) {
        sup_mesh scaled;
        assert_int_equal(sup_mesh_create(NULL, surface.point_count, surface.points,
                                         surface.polygon_count, surface.starts, surface.corners,
                                         &scaled, NULL),
                         SUP_OK);
        for (int32_t i = 0; i < scaled.point_count; i++) {
            scaled.points[i].x *= (float)size;
            scaled.points[i].y *= (float)size;
            scaled.points[i].z *= (float)size;
        }
        supi_trimesh* mesh = trimesh_of(&scaled);
        supi_trimesh_hit hit;
        assert_true(supi_trimesh_nearest(mesh, (sup_vec3){0, 0, 0}, FLT_MAX, &hit));
        assert_true(hit.distance < 0 && (double)hit.distance > -1.01 * size);
        sup_vec3 out = {(float)(2 * size), 0, 0};
        assert_true(supi_trimesh_nearest(mesh, out, FLT_MAX, &hit));
        assert_float_equal(((double)hit.distance / size), 1, 0.1);
        assert_float_equal(length(hit.normal), 1, 1e-5);
        supi_trimesh_crossing crossing;
        assert_true(supi_trimesh_cross(mesh, (sup_vec3){0, 0, 0}, out, &crossing));
        assert_float_equal(crossing.t, 0.5, 0.05);
        supi_trimesh_free(mesh);
        sup_mesh_free(&scaled);
    }
    sup_mesh_free(&surface);
}

static void expect_refused(const sup_mesh* mesh, const char* words) {
    supi_trimesh* made = (supi_trimesh*)(uintptr_t)1;
    sup_error error = {0};
    assert_int_equal(supi_trimesh_create(sup_allocator_default(), mesh, &made, &error),
                     SUP_BAD_ARGUMENT);
    assert_non_null(strstr(error.text, words));
    assert_true(made == (supi_trimesh*)(uintptr_t)1);
}

static void bad_meshes_are_refused(void** state) {
    (void)state;
    sup_vec3 points[4] = {{0, 0, 0}, {1, 0, 0}, {2, 0, 0}, {0, 1, 0}};
    int32_t starts[2] = {0, 3}, corners[3] = {0, 1, 2};
    sup_mesh mesh = {.point_count = 4, .points = points, .starts = starts, .corners = corners};
    expect_refused(&mesh, "no polygon");
    mesh.polygon_count = 1;
    mesh.corner_count = 3;
    expect_refused(&mesh, "area");
    corners[2] = 3;
    points[3].y = NAN;
    expect_refused(&mesh, "point 3 is not finite");
    points[3].y = 1;
    corners[2] = 4;
    expect_refused(&mesh, "names point 4");
}

static void short_memory_leaks_nothing(void** state) {
    (void)state;
    for (int which = 0; which < SURFACES; which += 4) { /* closed, and open: welded too */
        sup_mesh surface = some_surface(which);
        test_allocator counter;
        const sup_allocator* allocator = test_allocator_init(&counter);
        for (long long n = 1;; n++) {
            supi_trimesh* made = NULL;
            sup_error error = {0};
            test_allocator_arm(&counter, n, false);
            sup_result result = supi_trimesh_create(allocator, &surface, &made, &error);
            if (counter.refused == 0) {
                assert_int_equal(result, SUP_OK);
                assert_true(n > 10);
                test_allocator_arm(&counter, 1, true);
                supi_trimesh_move(made, surface.points, surface.points); /* allocates nothing */
                assert_int_equal(counter.calls, 0);
                supi_trimesh_free(made);
                break;
            }
            assert_int_equal(result, SUP_NO_MEMORY);
            assert_int_equal(error.code, SUP_NO_MEMORY);
            assert_int_equal(counter.blocks, 0);
        }
        assert_int_equal(counter.blocks, 0);
        sup_mesh_free(&surface);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(nearest_is_the_nearest_of_all),
        cmocka_unit_test(crossing_is_the_first_of_all),
        cmocka_unit_test(no_way_slips_through),
        cmocka_unit_test(moved_is_as_made_there),
        cmocka_unit_test(points_carry_the_surface),
        cmocka_unit_test(triangles_without_area_take_no_part),
        cmocka_unit_test(sharp_tips_tell_inside_from_outside),
        cmocka_unit_test(soup_is_joined_and_neighbours_are_not),
        cmocka_unit_test(far_and_large_is_finite),
        cmocka_unit_test(bad_meshes_are_refused),
        cmocka_unit_test(short_memory_leaks_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
