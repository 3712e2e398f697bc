/* Fast particles: none goes through anything, none that leaves is held. 100 m/s at 60 Hz against
   plates of a millimetre, still and moving. */
#include "contact/cast.h"
#include "contact/things.h"

#include <float.h>

#define SHOTS 10000 /* half of them within 3 degrees of the surface */
#define TAU 0.005f
#define H (1.0 / 60)
#define WAY (100 * H)
#define TOLERANCE 2e-5f

static uint64_t seed = 3;
static thing things[THINGS];

enum { PLATE_BOX = 2, PLATE_MESH = 4, SHEET = 5, HEIGHTS = 6, INVERTED_MESH = 10 };

/* Boxes and meshes as plates of 2 m by 2 m by 1 mm; the rest as it is. */
static int make_all(void** state) {
    (void)state;
    make_things(things);
    things[PLATE_BOX].def.half_size[0] = things[PLATE_BOX].def.half_size[2] = 1;
    things[PLATE_BOX].def.half_size[1] = 0.0005;
    sup_mesh plate = box_surface(2, 0.001, 2, 6), sheet = sheet_surface(2, 2, 6);
    supi_trimesh_free(things[PLATE_MESH].mesh);
    supi_trimesh_free(things[SHEET].mesh);
    things[PLATE_MESH].mesh = trimesh_of(&plate);
    things[SHEET].mesh = trimesh_of(&sheet);
    sup_mesh_free(&plate);
    sup_mesh_free(&sheet);
    return 0;
}

static int free_all(void** state) {
    (void)state;
    free_things(things);
    return 0;
}

static bool is_convex(int which) { return which < PLATE_MESH; }
static bool is_plate(int which) {
    return which == PLATE_BOX || which == PLATE_MESH || which == SHEET;
}

static sup_vec3 along(sup_vec3 a, float s, sup_vec3 b) {
    return (sup_vec3){a.x + s * b.x, a.y + s * b.y, a.z + s * b.z};
}

static sup_vec3 minus(sup_vec3 a, sup_vec3 b) { return along(a, -1, b); }
static float length(sup_vec3 a) { return sqrtf(dot(a, a)); }

static sup_vec3 unit_vector(void) {
    for (;;) {
        sup_vec3 a = random_place(&seed, 1);
        float size = length(a);
        if (size > 0.1f && size < 1) return along((sup_vec3){0, 0, 0}, 1 / size, a);
    }
}

static thing posed(int which) {
    thing t = things[which];
    random_pose(&seed, t.def.position, t.def.rotation);
    return t;
}

/* A place at this distance from the surface, above or below it where it has two sides. */
static sup_vec3 place_at(const supi_shape* shape, float distance, sup_vec3* normal) {
    for (int tries = 0; tries < 10000; tries++) {
        sup_vec3 c = {shape->centre[0], shape->centre[1], shape->centre[2]};
        sup_vec3 x = along(c, 1, random_place(&seed, 1.2));
        float side = supi_shape_side(shape, x);
        supi_probe probe = probe_at(shape, x, side);
        for (int i = 0; i < 4 && probe.distance < 9; i++) {
            x = along(x, distance - probe.distance, probe.normal);
            probe = probe_at(shape, x, side);
        }
        *normal = probe.normal;
        if (fabsf(probe.distance - distance) < 1e-7f) return x;
    }
    fail_msg("no place found");
    return (sup_vec3){0, 0, 0};
}

/* A start outside and a way that leads to the surface; half of the ways within 3 degrees of it. */
static void shoot(const supi_shape* shape, int i, sup_vec3* from, sup_vec3* to) {
    for (;;) {
        sup_vec3 n, target = place_at(shape, 0, &n), sideways = unit_vector();
        sideways = along(sideways, -dot(sideways, n), n);
        if (length(sideways) < 0.1f) continue;
        double steep = i % 2 ? uniform(&seed, 0.0001, 0.0523) : uniform(&seed, 0.05, 1.57);
        sup_vec3 way =
            along((sup_vec3){0, 0, 0}, (float)(cos(steep) / (double)length(sideways)), sideways);
        way = along(way, (float)-sin(steep), n);
        *from = along(target, -(float)uniform(&seed, 0.1 * WAY, 0.95 * WAY), way);
        *to = along(*from, (float)WAY, way);
        float distance = probe_at(shape, *from, supi_shape_side(shape, *from)).distance;
        if (distance > TAU && distance < FLT_MAX) return; /* outside, and not beside heights */
    }
}

static sup_vec3 own_place(const supi_shape* shape, sup_vec3 x) {
    sup_vec3 d = {x.x - shape->centre[0], x.y - shape->centre[1], x.z - shape->centre[2]};
    float p[3];
    for (int k = 0; k < 3; k++) {
        p[k] = shape->axes[k][0] * d.x + shape->axes[k][1] * d.y + shape->axes[k][2] * d.z;
    }
    return (sup_vec3){p[0], p[1], p[2]};
}

/* Whether a straight way goes through the middle of a plate. */
static bool through_plate(const supi_shape* shape, sup_vec3 from, sup_vec3 to) {
    sup_vec3 a = own_place(shape, from), b = own_place(shape, to);
    if ((a.y > 0) == (b.y > 0)) return false;
    sup_vec3 at = along(a, a.y / (a.y - b.y), minus(b, a));
    return fabsf(at.x) < 0.9999f && fabsf(at.z) < 0.9999f;
}

/* The least distance on the way. */
static float least_on_way(const supi_shape* shape, sup_vec3 from, sup_vec3 to) {
    float least = FLT_MAX;
    for (int i = 0; i <= 400; i++) {
        sup_vec3 x = along(from, (float)i / 400, minus(to, from));
        float d = probe_at(shape, x, supi_shape_end_side(shape, x)).distance;
        least = d < least ? d : least;
    }
    return least;
}

static void no_shot_goes_through(void** state) {
    (void)state;
    for (int which = 0; which < RIGHT_WAY_OUT; which++) {
        int hits = 0;
        for (int32_t i = 0; i < SHOTS; i++) {
            thing t = posed(which);
            supi_shape shape = place_thing(&t, origin);
            sup_vec3 from, to;
            shoot(&shape, i, &from, &to);
            supi_cast cast;
            float side = supi_shape_side(&shape, from);
            bool hit = supi_cast_particle(&shape, from, to, TAU, side, &cast);
            sup_vec3 end = hit ? cast.place : to;
            if (is_plate(which)) assert_false(through_plate(&shape, from, end));
            assert_true(probe_at(&shape, end, cast.side).distance >= TAU - TOLERANCE);
            if (hit) {
                hits++;
                assert_float_equal(length(cast.normal), 1, 1e-5);
                assert_true(length(minus(cast.place, from)) < (float)WAY * 1.01f);
                if (is_convex(which)) {
                    assert_true(dot(cast.normal, minus(to, from)) < 0);
                    assert_true(cast.iterations <= 8);
                }
                /* what is there already stays; past edges the straight way there is another one */
                supi_cast again;
                if (is_convex(which) &&
                    supi_cast_particle(&shape, from, cast.place, TAU, side, &again)) {
                    assert_true(length(minus(again.place, cast.place)) < 2e-4f);
                }
            } else if (i % 10 == 0) {
                float least = least_on_way(&shape, from, to);
                assert_true(least >= (is_convex(which) ? TAU - TOLERANCE : 0));
            }
        }
        assert_true(hits > 1000);
    }
}

/* The part of the way along the surface is kept. */
static void a_flat_shot_slides_on(void** state) {
    (void)state;
    for (int which = 0; which < RIGHT_WAY_OUT; which++) {
        if (which != 0 && !is_plate(which)) continue;
        supi_shape shape = place_thing(&things[which], origin);
        sup_vec3 from = {-0.9f, 0.05f, 0.1f}, to = {0.7f, -0.1f, -0.2f};
        supi_cast cast;
        assert_true(supi_cast_particle(&shape, from, to, TAU, 1, &cast));
        float surface = which == PLATE_BOX || which == PLATE_MESH ? 0.0005f : 0;
        assert_float_equal(cast.place.x, to.x, 1e-5);
        assert_float_equal(cast.place.y, surface + TAU, 1e-5);
        assert_float_equal(cast.place.z, to.z, 1e-5);
        assert_float_equal(cast.normal.y, 1, 1e-6);
    }
}

static void what_rests_may_leave(void** state) {
    (void)state;
    for (int which = 0; which < THINGS; which++) {
        for (int i = 0; i < 1000; i++) {
            thing t = posed(which);
            supi_shape shape = place_thing(&t, origin);
            sup_vec3 n, from = place_at(&shape, TAU, &n), way = unit_vector();
            if (dot(way, n) < 0) way = along(way, -2 * dot(way, n), n);
            float size = which < PLATE_MESH || is_plate(which) ? (float)WAY : 0.02f;
            sup_vec3 to = along(from, size, way);
            float side = supi_shape_side(&shape, from);
            /* out of a hollow a way may lead back to the surface */
            if (probe_at(&shape, to, side).distance < TAU) continue;
            supi_cast cast;
            assert_false(supi_cast_particle(&shape, from, to, TAU, side, &cast));
        }
    }
}

/* Rest and slide over edges and hollows of everything that is not flat. */
static void bent_surfaces_hold_too(void** state) {
    (void)state;
    for (int round = 0; round < 3; round++) {
        thing t = {.def = things[PLATE_MESH].def, .open = round == 1};
        t.mesh = numbered_trimesh(round == 1 ? 5 : 2 - round / 2);
        t.def.inverted = round == 2;
        int hits = 0;
        for (int i = 0; i < 2500; i++) {
            random_pose(&seed, t.def.position, t.def.rotation);
            supi_shape shape = place_thing(&t, origin);
            sup_vec3 from, to;
            shoot(&shape, i, &from, &to);
            supi_cast cast;
            float side = supi_shape_side(&shape, from);
            bool hit = supi_cast_particle(&shape, from, to, TAU, side, &cast);
            sup_vec3 end = hit ? cast.place : to;
            hits += hit;
            assert_true(probe_at(&shape, end, cast.side).distance >= TAU - TOLERANCE);
            float along_way;
            sup_vec3 n;
            if (!hit) assert_false(supi_shape_cross(&shape, from, to, &along_way, &n));
        }
        assert_true(hits > 1000);
        supi_trimesh_free(t.mesh);
    }
}

/* Half the room between two sheets that come together. */
static float half_gap(float x) { return 0.0105f - 0.0095f * x; }

/* What shoots into a gap that becomes narrower than the distance kept stays in it. */
static void narrow_gaps_are_not_left_through_a_wall(void** state) {
    (void)state;
    sup_mesh one = sheet_surface(2, 2, 3), both;
    sup_vec3 points[32];
    int32_t corners[72], starts[19];
    for (int i = 0; i < 32; i++) {
        points[i] = one.points[i % 16];
        points[i].y = (i < 16 ? -1.0f : 1.0f) * half_gap(points[i].x);
    }
    for (int c = 0; c < 72; c++) corners[c] = one.corners[c % 36] + (c < 36 ? 0 : 16);
    for (int k = 0; k < 19; k++) starts[k] = 4 * k;
    assert_int_equal(sup_mesh_create(NULL, 32, points, 18, starts, corners, &both, NULL), SUP_OK);
    thing t = {.def = things[SHEET].def, .mesh = trimesh_of(&both), .open = true};
    for (int i = 0; i < 1000; i++) {
        supi_shape shape = place_thing(&t, origin);
        sup_vec3 from = {(float)uniform(&seed, -0.9, 0.9), 0, (float)uniform(&seed, -0.8, 0.8)};
        from.y = 0.9f * half_gap(from.x) * (float)ref_random(&seed);
        sup_vec3 way = random_place(&seed, 1);
        way.x = fabsf(way.x);
        if (i % 2) way.y *= 0.002f; /* straight in */
        supi_cast cast;
        float side = supi_shape_side(&shape, from);
        bool hit = supi_cast_particle(&shape, from, along(from, 1, way), TAU, side, &cast);
        sup_vec3 end = hit ? cast.place : along(from, 1, way);
        if (fabsf(end.x) < 1 && fabsf(end.z) < 1) assert_true(fabsf(end.y) < half_gap(end.x));
    }
    supi_trimesh_free(t.mesh);
    sup_mesh_free(&both);
    sup_mesh_free(&one);
}

static void inside_there_is_no_first_touch(void** state) {
    (void)state;
    supi_cast cast;
    for (int which = 0; which < THINGS; which++) {
        if (which == SHEET || which == PLATE_BOX || which == PLATE_MESH) continue;
        supi_shape shape = place_thing(&things[which], origin);
        sup_vec3 n, from = place_at(&shape, -0.1f, &n), to = along(from, -1, n);
        assert_false(supi_cast_particle(&shape, from, to, TAU, 1, &cast));
    }
    /* and none in what is a container, from wherever */
    for (int which = RIGHT_WAY_OUT; which < INVERTED_MESH; which++) {
        supi_shape shape = place_thing(&things[which], origin);
        assert_false(
            supi_cast_particle(&shape, (sup_vec3){0, 0, 0}, (sup_vec3){9, 9, 9}, TAU, 1, &cast));
    }
}

/* What starts within the distance keeps what it has, and is not thrown out. */
static void what_is_too_close_is_not_pushed(void** state) {
    (void)state;
    for (int which = 0; which < RIGHT_WAY_OUT; which++) {
        for (int i = 0; i < 200; i++) {
            supi_shape shape = place_thing(&things[which], origin);
            sup_vec3 n, from = place_at(&shape, 0.4f * TAU, &n), to = along(from, -1, n);
            supi_cast cast;
            float side = supi_shape_side(&shape, from);
            if (!supi_cast_particle(&shape, from, to, TAU, side, &cast)) {
                assert_true(which == HEIGHTS || which == SHEET); /* past the border */
                continue;
            }
            float kept = probe_at(&shape, cast.place, side).distance;
            assert_true(kept > 0.4f * TAU - TOLERANCE);
            if (is_convex(which)) assert_true(kept < 0.4f * TAU + TOLERANCE);
        }
    }
}

/* ---- Things that move ---- */

static supi_shape place_moving(const thing* t, const double from_position[3],
                               const double from_rotation[4], const double to_position[3],
                               const double to_rotation[4]) {
    supi_solid solid;
    supi_shape shape;
    supi_solid_make(&t->def, t->mesh, t->heights, &solid);
    supi_solid_pose(&solid, from_position, from_rotation, to_position, to_rotation, H);
    supi_shape_place(&solid, origin, &shape);
    return shape;
}

/* At 50 m/s along its own y, against particles at rest. */
static void flying_colliders_take_along_what_rests(void** state) {
    (void)state;
    for (int which = 0; which < RIGHT_WAY_OUT; which++) {
        for (int i = 0; i < 1000; i++) {
            thing t = posed(which);
            supi_shape still = place_thing(&t, origin);
            const float* up = still.axes[1];
            sup_vec3 y = {up[0], up[1], up[2]}, n, x = place_at(&still, 0.01f, &n);
            double to[3];
            for (int k = 0; k < 3; k++) {
                to[k] = t.def.position[k] + 50 * H * (double)up[k];
            }
            supi_shape shape = place_moving(&t, t.def.position, t.def.rotation, to, t.def.rotation);
            float side = supi_shape_side(&shape, x);
            supi_cast cast;
            bool hit = supi_cast_particle(&shape, x, x, TAU, side, &cast);
            sup_vec3 end = hit ? cast.place : x;
            assert_true(probe_at(&shape, end, side).distance >= TAU - TOLERANCE);
            if (is_plate(which)) {
                sup_vec3 before = own_place(&still, x), after = own_place(&shape, end);
                if (fabsf(before.x) < 0.99f && fabsf(before.z) < 0.99f) {
                    assert_int_equal(before.y > 0, after.y > 0);
                    assert_int_equal(hit, before.y > 0);
                }
            }
            if (!hit) continue;
            assert_float_equal(dot(cast.velocity, y), 50, 1e-3);
            assert_true(dot(cast.normal, y) > 0);
        }
    }
}

/* A paddle that turns by 20 degrees around a skew axis, against particles at rest around it. */
static void turning_paddles_take_along_what_rests(void** state) {
    (void)state;
    thing box = things[PLATE_BOX], mesh = {.def = things[PLATE_MESH].def};
    sup_mesh surface = box_surface(1, 0.4, 0.02, 3);
    box.def.half_size[0] = 0.5;
    box.def.half_size[1] = 0.2;
    box.def.half_size[2] = 0.01;
    mesh.mesh = trimesh_of(&surface);
    sup_mesh_free(&surface);
    for (int kind = 0; kind < 2; kind++) {
        int hits = 0;
        for (int i = 0; i < 2000; i++) {
            thing* t = kind ? &mesh : &box;
            double half = 0.5 * 0.35, from[4], to[4], turn[4] = {0, sin(half), 0, cos(half)};
            random_pose(&seed, t->def.position, from);
            /* to = from * turn: about its own y */
            to[0] = from[0] * turn[3] - from[2] * turn[1];
            to[1] = from[1] * turn[3] + from[3] * turn[1];
            to[2] = from[2] * turn[3] + from[0] * turn[1];
            to[3] = from[3] * turn[3] - from[1] * turn[1];
            memcpy(t->def.rotation, from, sizeof from);
            supi_shape start = place_thing(t, origin);
            supi_shape shape = place_moving(t, t->def.position, from, t->def.position, to);
            sup_vec3 x = along((sup_vec3){start.centre[0], start.centre[1], start.centre[2]}, 1,
                               random_place(&seed, 0.4));
            if (probe_at(&start, x, 1).distance < TAU) continue;
            supi_cast cast;
            bool hit = supi_cast_particle(&shape, x, x, TAU, 1, &cast);
            sup_vec3 end = hit ? cast.place : x;
            hits += hit;
            assert_true(probe_at(&shape, end, 1).distance >= TAU - TOLERANCE);
            sup_vec3 before = own_place(&start, x), after = own_place(&shape, end);
            bool over = fabsf(before.x) < 0.45f && fabsf(before.y) < 0.19f &&
                        fabsf(after.x) < 0.45f && fabsf(after.y) < 0.19f;
            if (over) assert_int_equal(before.z > 0, after.z > 0);
        }
        assert_true(hits > 50);
    }
    supi_trimesh_free(mesh.mesh);
}

/* The same by the points of a mesh. */
static void flying_points_take_along_what_rests(void** state) {
    (void)state;
    sup_mesh surface = sheet_surface(2, 2, 6);
    thing t = {.def = things[SHEET].def, .mesh = trimesh_of(&surface), .open = true};
    sup_vec3 velocities[49];
    for (int32_t i = 0; i < surface.point_count; i++) {
        velocities[i] = (sup_vec3){0, 50, 0};
        surface.points[i].y += (float)(50 * H);
    }
    supi_trimesh_move(t.mesh, surface.points, velocities);
    for (int i = 0; i < 500; i++) {
        random_pose(&seed, t.def.position, t.def.rotation);
        supi_shape shape =
            place_moving(&t, t.def.position, t.def.rotation, t.def.position, t.def.rotation);
        const float own[3] = {(float)uniform(&seed, -0.9, 0.9), (float)uniform(&seed, 0.01, 0.8),
                              (float)uniform(&seed, -0.9, 0.9)};
        sup_vec3 x = {shape.centre[0], shape.centre[1], shape.centre[2]};
        for (int k = 0; k < 3; k++) {
            x = along(x, own[k], (sup_vec3){shape.axes[k][0], shape.axes[k][1], shape.axes[k][2]});
        }
        supi_cast cast;
        float side = supi_shape_side(&shape, x);
        assert_true(side == 1);
        assert_true(supi_cast_particle(&shape, x, x, TAU, side, &cast));
        sup_vec3 end = own_place(&shape, cast.place);
        assert_float_equal(end.x, own[0], 1e-5);
        assert_float_equal(end.y, (50 * H + (double)TAU), TOLERANCE);
        assert_float_equal(end.z, own[2], 1e-5);
        assert_float_equal(length(cast.velocity), 50, 1e-3);
    }
    supi_trimesh_free(t.mesh);
    sup_mesh_free(&surface);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(no_shot_goes_through),
        cmocka_unit_test(a_flat_shot_slides_on),
        cmocka_unit_test(what_rests_may_leave),
        cmocka_unit_test(bent_surfaces_hold_too),
        cmocka_unit_test(narrow_gaps_are_not_left_through_a_wall),
        cmocka_unit_test(inside_there_is_no_first_touch),
        cmocka_unit_test(what_is_too_close_is_not_pushed),
        cmocka_unit_test(flying_colliders_take_along_what_rests),
        cmocka_unit_test(turning_paddles_take_along_what_rests),
        cmocka_unit_test(flying_points_take_along_what_rests),
    };
    return cmocka_run_group_tests(tests, make_all, free_all);
}
