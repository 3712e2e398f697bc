/* Signed distances of all kinds of colliders: gradient, special places, poses far from the origin,
   motion, and the conservative tests. */
#include "contact/things.h"

#include "geom/quaternion.h"

#include <float.h>

#define POINTS 10000

static uint64_t seed = 1;
static thing things[THINGS];

static int make_all(void** state) {
    (void)state;
    make_things(things);
    return 0;
}

static int free_all(void** state) {
    (void)state;
    free_things(things);
    return 0;
}

/* One of that kind with a random pose and size. */
static thing random_thing(int which) {
    thing t = things[which];
    random_pose(&seed, t.def.position, t.def.rotation);
    t.def.radius = uniform(&seed, 0.3, 1);
    t.def.half_length = uniform(&seed, 0, 1);
    for (int k = 0; k < 3; k++) t.def.half_size[k] = uniform(&seed, 0.2, 0.8);
    return t;
}

static sup_vec3 moved(sup_vec3 x, int axis, float by) {
    float c[3] = {x.x, x.y, x.z};
    c[axis] += by;
    return (sup_vec3){c[0], c[1], c[2]};
}

/* The gradient jumps at the medial axis, and bends where the surface has an edge: there the normals
 * close by are not alike. */
static bool normals_agree(const supi_shape* shape, sup_vec3 x, float side, float step, sup_vec3 n) {
    for (int k = 0; k < 3; k++) {
        for (int way = -1; way <= 1; way += 2) {
            supi_probe near = probe_at(shape, moved(x, k, (float)way * step), side);
            if (dot(near.normal, n) < 0.999998f || near.distance == FLT_MAX) return false;
        }
    }
    return true;
}

static void gradient_is_the_normal(void** state) {
    (void)state;
    const float step = 1e-3f;
    for (int which = 0; which < THINGS; which++) {
        int tested = 0, tries = 0;
        while (tested < POINTS && tries++ < 6 * POINTS) {
            thing t = random_thing(which);
            supi_shape shape = place_thing(&t, origin);
            sup_vec3 x = random_place(&seed, 2);
            float side = supi_shape_side(&shape, x), gradient[3];
            supi_probe probe = probe_at(&shape, x, side);
            sup_vec3 n = probe.normal;
            assert_float_equal(dot(n, n), 1, 1e-5);
            assert_true(dot(probe.velocity, probe.velocity) == 0);
            if (t.open) assert_true(probe.distance >= 0);
            if (!normals_agree(&shape, x, side, step, n)) continue;
            for (int k = 0; k < 3; k++) {
                float up = probe_at(&shape, moved(x, k, step), side).distance;
                float down = probe_at(&shape, moved(x, k, -step), side).distance;
                gradient[k] = (up - down) / (2 * step);
            }
            assert_float_equal(gradient[0], n.x, 1e-3);
            assert_float_equal(gradient[1], n.y, 1e-3);
            assert_float_equal(gradient[2], n.z, 1e-3);
            tested++;
        }
        assert_int_equal(tested, POINTS);
    }
}

static void distances_of_upright_shapes(void** state) {
    (void)state;
    thing t = {
        .def = {.rotation = {0, 0, 0, 1}, .radius = 0.5, .half_size = {1, 2, 3}, .half_length = 1}};
    t.def.kind = SUP_COLLIDER_PLANE;
    t.def.position[1] = 0.25;
    supi_shape shape = place_thing(&t, origin);
    assert_float_equal(probe_at(&shape, (sup_vec3){7, 1, 3}, 1).distance, 0.75, 1e-6);
    t.def.kind = SUP_COLLIDER_SPHERE;
    shape = place_thing(&t, origin);
    assert_float_equal(probe_at(&shape, (sup_vec3){2, 0.25f, 0}, 1).distance, 1.5, 1e-6);
    t.def.position[1] = 0;
    t.def.kind = SUP_COLLIDER_CAPSULE;
    shape = place_thing(&t, origin);
    supi_probe probe = probe_at(&shape, (sup_vec3){2, 0.5f, 0}, 1);
    assert_float_equal(probe.distance, 1.5, 1e-6);
    assert_float_equal(probe.normal.x, 1, 1e-6);
    probe = probe_at(&shape, (sup_vec3){0, -4, 4}, 1);
    assert_float_equal(probe.distance, 4.5, 1e-6);
    assert_float_equal(probe.normal.y, -0.6, 1e-6);
    t.def.kind = SUP_COLLIDER_BOX;
    shape = place_thing(&t, origin);
    probe = probe_at(&shape, (sup_vec3){4, 6, 0}, 1);
    assert_float_equal(probe.distance, 5, 1e-6);
    assert_float_equal(probe.normal.x, 0.6, 1e-6);
    assert_float_equal(probe.normal.y, 0.8, 1e-6);
    probe = probe_at(&shape, (sup_vec3){-0.9f, 0, 0}, 1);
    assert_float_equal(probe.distance, -0.1, 1e-6);
    assert_float_equal(probe.normal.x, -1, 0);
    t.def.inverted = true;
    shape = place_thing(&t, origin);
    probe = probe_at(&shape, (sup_vec3){-0.9f, 0, 0}, 1);
    assert_float_equal(probe.distance, 0.1, 1e-6);
    assert_float_equal(probe.normal.x, 1, 0);
}

static void check_normal(const supi_shape* shape, sup_vec3 x) {
    for (int side = -1; side <= 1; side += 2) {
        supi_probe probe = probe_at(shape, x, (float)side);
        assert_true(isfinite(probe.distance));
        assert_float_equal(dot(probe.normal, probe.normal), 1, 1e-5);
    }
}

static void special_places_have_a_normal(void** state) {
    (void)state;
    thing t = {
        .def = {.rotation = {0, 0, 0, 1}, .radius = 0.5, .half_size = {1, 1, 1}, .half_length = 2}};
    t.def.kind = SUP_COLLIDER_SPHERE;
    supi_shape shape = place_thing(&t, origin);
    supi_probe probe = probe_at(&shape, (sup_vec3){0, 0, 0}, 1);
    assert_float_equal(probe.distance, -0.5, 0);
    assert_true(probe.normal.x == 0 && probe.normal.y == 1 && probe.normal.z == 0);
    t.def.kind = SUP_COLLIDER_CAPSULE;
    shape = place_thing(&t, origin);
    for (float y = -2; y <= 2; y += 0.5f) {
        probe = probe_at(&shape, (sup_vec3){0, y, 0}, 1);
        assert_float_equal(probe.distance, -0.5, 0);
        assert_true(probe.normal.x == 1 && probe.normal.y == 0 && probe.normal.z == 0);
    }
    t.def.kind = SUP_COLLIDER_BOX;
    shape = place_thing(&t, origin);
    probe = probe_at(&shape, (sup_vec3){0, 0, 0}, 1);
    assert_float_equal(probe.distance, -1, 0);
    assert_true(probe.normal.x == 1 && probe.normal.y == 0 && probe.normal.z == 0);
    probe = probe_at(&shape, (sup_vec3){-1, 1, 1}, 1);
    assert_float_equal(probe.distance, 0, 0);
    assert_true(probe.normal.x == -1 && probe.normal.y == 0 && probe.normal.z == 0);
    /* at the centre, and on every scale around it and around the corners of a mesh */
    for (int which = 0; which < THINGS; which++) {
        shape = place_thing(&things[which], origin);
        check_normal(&shape, (sup_vec3){0, 0, 0});
        for (float off = 1; off > 0; off *= 0.25f) {
            check_normal(&shape, (sup_vec3){off, off, off});
            check_normal(&shape, (sup_vec3){0.5f + off, 0.3f + off, 0.7f - off});
            if (!things[which].mesh) continue;
            sup_vec3 p = supi_trimesh_points(things[which].mesh)[3];
            check_normal(&shape, p);
            check_normal(&shape, (sup_vec3){p.x + off, p.y, p.z});
        }
    }
}

static void a_capsule_without_length_is_a_sphere(void** state) {
    (void)state;
    thing ball = random_thing(1), capsule = ball;
    capsule.def.kind = SUP_COLLIDER_CAPSULE;
    capsule.def.half_length = 0;
    supi_shape a = place_thing(&ball, origin), b = place_thing(&capsule, origin);
    for (int i = 0; i < 1000; i++) {
        sup_vec3 x = random_place(&seed, 2);
        supi_probe p = probe_at(&a, x, 1), q = probe_at(&b, x, 1);
        assert_float_equal(p.distance, q.distance, 1e-6);
        assert_float_equal(dot(p.normal, q.normal), 1, 1e-5);
    }
}

/* Everything moved ten thousand kilometres away by a sum that is exact: the same bits. */
static void far_away_is_the_same(void** state) {
    (void)state;
    const double anchor[3] = {0x1p23, -0x1p24, 0x1p23};
    for (int which = 0; which < THINGS; which++) {
        for (int i = 0; i < 100; i++) {
            thing t = random_thing(which);
            for (int k = 0; k < 3; k++) t.def.position[k] = floor(t.def.position[k] * 256) / 256;
            supi_shape here = place_thing(&t, origin);
            for (int k = 0; k < 3; k++) t.def.position[k] += anchor[k];
            supi_shape there = place_thing(&t, anchor);
            sup_vec3 x = random_place(&seed, 2);
            supi_probe a = probe_at(&here, x, 1), b = probe_at(&there, x, 1);
            assert_memory_equal(&a, &b, sizeof a);
            /* and a shift is exact here too */
            const float shift[3] = {0.5f, -0.25f, 1};
            supi_shape_shift(&here, shift);
            supi_probe c = probe_at(&here, (sup_vec3){x.x - 0.5f, x.y + 0.25f, x.z - 1}, 1);
            assert_true(a.distance == c.distance || fabsf(a.distance - c.distance) < 1e-6f);
        }
    }
}

static void near_never_misses(void** state) {
    (void)state;
    for (int which = 0; which < THINGS; which++) {
        int far = 0;
        for (int i = 0; i < 3000; i++) {
            thing t = random_thing(which);
            supi_shape shape = place_thing(&t, origin);
            float low[3], high[3], margin = (float)uniform(&seed, 0, 0.3);
            /* a container is far only from what is well inside */
            double reach = t.def.inverted ? 0.4 : 3, size = t.def.inverted ? 0.1 : 1;
            for (int k = 0; k < 3; k++) {
                low[k] = (float)uniform(&seed, -reach, reach);
                if (t.def.inverted) low[k] += (float)t.def.position[k], margin *= 0.5f;
                high[k] = low[k] + (float)uniform(&seed, 0, size);
            }
            bool near = supi_shape_near(&shape, low, high, margin);
            far += !near;
            for (int j = 0; j < 20 && !near; j++) {
                sup_vec3 x = {(float)uniform(&seed, (double)low[0], (double)high[0]),
                              (float)uniform(&seed, (double)low[1], (double)high[1]),
                              (float)uniform(&seed, (double)low[2], (double)high[2])};
                float side = supi_shape_side(&shape, x);
                assert_true(probe_at(&shape, x, side).distance >= margin - 1e-5f);
            }
        }
        /* and it does say no, but for the mesh container, which is never asked in vain */
        assert_true(far > 500 || (things[which].mesh && things[which].def.inverted));
    }
}

static void mask_is_the_distance_test(void** state) {
    (void)state;
    for (int which = 0; which < THINGS; which++) {
        for (int i = 0; i < 300; i++) {
            thing t = random_thing(which);
            supi_shape shape = place_thing(&t, origin);
            sup_row rows[64];
            int32_t count = 1 + i % 64;
            float limit = i % 7 ? (float)uniform(&seed, 0, 0.2) : 0;
            double spread = i % 2 ? 2 : 0.1; /* far apart, and close together somewhere */
            sup_vec3 middle = random_place(&seed, i % 2 ? 0 : 2);
            for (int k = 0; k < 64; k++) {
                sup_vec3 x = random_place(&seed, spread);
                rows[k] =
                    (sup_row){middle.x + x.x, middle.y + x.y, middle.z + x.z, k % 5 ? 1.0f : 0.0f};
            }
            uint64_t mask = supi_shape_mask(&shape, rows, count, limit);
            for (int k = 0; k < 64; k++) {
                sup_vec3 x = {rows[k].x, rows[k].y, rows[k].z};
                float d = probe_at(&shape, x, supi_shape_side(&shape, x)).distance;
                bool bit = mask >> k & 1;
                if (fabsf(d - limit) < 1e-6f) continue;
                assert_int_equal(bit, k < count && rows[k].w > 0 && d < limit);
            }
        }
    }
}

/* ---- Motion ---- */

static sup_vec3 at_pose(const double position[3], const double rotation[4], sup_vec3 p) {
    double m[9], x[3];
    supi_quaternion_matrix(rotation, m);
    for (int k = 0; k < 3; k++) {
        x[k] = position[k] + m[3 * k] * (double)p.x + m[3 * k + 1] * (double)p.y +
               m[3 * k + 2] * (double)p.z;
    }
    return (sup_vec3){(float)x[0], (float)x[1], (float)x[2]};
}

typedef struct motion {
    double from_position[3], from_rotation[4], to_position[3], to_rotation[4], h;
} motion;

/* Any turn up to half a circle, by quaternions of any length and sign; often a small one. */
static motion random_motion(void) {
    motion m;
    m.h = uniform(&seed, 0.001, 0.02);
    random_pose(&seed, m.from_position, m.from_rotation);
    random_pose(&seed, m.to_position, m.to_rotation);
    double share = ref_random(&seed) < 0 ? 0.01 : 1, sign = ref_random(&seed) < 0 ? -3 : 1;
    for (int k = 0; k < 4; k++) {
        m.to_rotation[k] = sign * (m.from_rotation[k] + share * m.to_rotation[k]);
    }
    for (int k = 0; k < 3; k++) m.to_position[k] = m.from_position[k] + share * m.to_position[k];
    return m;
}

static supi_shape place_moving(const thing* t, const motion* m) {
    supi_solid solid;
    supi_shape shape;
    supi_solid_make(&t->def, t->mesh, t->heights, &solid);
    supi_solid_pose(&solid, m->from_position, m->from_rotation, m->to_position, m->to_rotation,
                    m->h);
    supi_shape_place(&solid, origin, &shape);
    return shape;
}

static void assert_same_place(sup_vec3 a, sup_vec3 b, double tolerance) {
    assert_float_equal(a.x, b.x, tolerance);
    assert_float_equal(a.y, b.y, tolerance);
    assert_float_equal(a.z, b.z, tolerance);
}

/* What moves with the shape is where the velocity says, however much it turns in the substep. */
static void velocity_leads_back_to_the_start(void** state) {
    (void)state;
    for (int which = 0; which < THINGS; which++) {
        for (int i = 0; i < 1000; i++) {
            motion m = random_motion();
            supi_shape shape = place_moving(&things[which], &m);
            assert_true(shape.moves);
            sup_vec3 p = random_place(&seed, 1);
            sup_vec3 start = at_pose(m.from_position, m.from_rotation, p);
            sup_vec3 end = at_pose(m.to_position, m.to_rotation, p);
            sup_vec3 v = probe_at(&shape, end, 1).velocity;
            float h = (float)m.h;
            sup_vec3 back = {end.x - h * v.x, end.y - h * v.y, end.z - h * v.z};
            assert_same_place(back, start, 2e-6);
            assert_same_place(supi_shape_carry(&shape, start), end, 2e-6);
        }
    }
}

/* A point on a disc that turns for a thousand substeps, led by the velocities alone. */
static void a_point_on_a_disc_is_followed(void** state) {
    (void)state;
    const double h = 1.0 / 240, spin = 12;
    thing t = {.def = {.kind = SUP_COLLIDER_BOX, .half_size = {1, 0.1, 1}}};
    sup_vec3 x = {0.7f, 0.1f, 0.2f};
    double angle = atan2(0.2, 0.7), radius = hypot(0.2, 0.7), largest = 0;
    for (int i = 0; i < 1000; i++) {
        motion m = {.h = h};
        m.from_rotation[1] = sin(-0.5 * spin * h * i);
        m.from_rotation[3] = cos(-0.5 * spin * h * i);
        m.to_rotation[1] = sin(-0.5 * spin * h * (i + 1));
        m.to_rotation[3] = cos(-0.5 * spin * h * (i + 1));
        supi_shape shape = place_moving(&t, &m);
        /* the end of the step that began here: its velocity is taken there */
        sup_vec3 to = supi_shape_carry(&shape, x), v = probe_at(&shape, to, 1).velocity;
        x = (sup_vec3){x.x + (float)h * v.x, x.y + (float)h * v.y, x.z + (float)h * v.z};
        angle += spin * h;
        largest = fmax(largest,
                       hypot((double)x.x - radius * cos(angle), (double)x.z - radius * sin(angle)));
    }
    assert_true(largest < 2e-5); /* 1000 roundings of 1e-8 */
}

static void standing_still_does_not_move(void** state) {
    (void)state;
    for (int which = 0; which < THINGS; which++) {
        supi_solid solid;
        supi_shape shape;
        motion m = random_motion();
        supi_solid_make(&things[which].def, things[which].mesh, things[which].heights, &solid);
        for (int round = 0; round < 2; round++) { /* after a substep in which it moved */
            supi_solid_pose(&solid, m.from_position, m.from_rotation, m.to_position, m.to_rotation,
                            m.h);
            memcpy(m.from_position, m.to_position, sizeof m.to_position);
            memcpy(m.from_rotation, m.to_rotation, sizeof m.to_rotation);
        }
        supi_shape_place(&solid, origin, &shape);
        const float low[3] = {0, 0, 0}, high[3] = {1, 1, 1};
        sup_vec3 x = random_place(&seed, 1), v = probe_at(&shape, x, 1).velocity;
        assert_false(shape.moves);
        assert_true(v.x == 0 && v.y == 0 && v.z == 0);
        assert_true(supi_shape_travel(&shape, low, high) == 0);
        assert_same_place(supi_shape_carry(&shape, x), x, 0);
    }
}

/* Of points of the surface that end in a box, none has come further than `travel`. */
static void travel_is_a_bound(void** state) {
    (void)state;
    thing* t = &things[4];
    const sup_vec3* points = supi_trimesh_points(t->mesh);
    int32_t count = supi_trimesh_point_count(t->mesh);
    float closest = 1;
    for (int i = 0; i < 2000; i++) {
        motion m = random_motion();
        supi_shape shape = place_moving(t, &m);
        sup_vec3 p = points[ref_random_index(&seed, count)];
        sup_vec3 start = at_pose(m.from_position, m.from_rotation, p);
        sup_vec3 end = at_pose(m.to_position, m.to_rotation, p);
        float low[3] = {end.x, end.y, end.z}, high[3];
        for (int k = 0; k < 3; k++) {
            low[k] -= (float)uniform(&seed, 0, 0.005);
            high[k] = low[k] + 0.006f;
        }
        sup_vec3 way = {end.x - start.x, end.y - start.y, end.z - start.z};
        float travel = supi_shape_travel(&shape, low, high), moved_by = sqrtf(dot(way, way));
        assert_true(moved_by <= travel + 1e-5f);
        closest = fminf(closest, 1 - moved_by / travel);
    }
    assert_true(closest < 0.02f); /* and not far from the truth */
}

static void points_of_a_mesh_carry_too(void** state) {
    (void)state;
    sup_mesh surface = sheet_surface(2, 2, 4);
    thing t = {.def = {.kind = SUP_COLLIDER_MESH, .rotation = {0, 0, 1, 1}}, .open = true};
    t.mesh = trimesh_of(&surface);
    const float h = 0.01f;
    /* from y = 0 up to y = 1 in one substep, in a frame whose y is the world's -x */
    sup_vec3 velocities[25];
    for (int32_t i = 0; i < surface.point_count; i++) {
        surface.points[i].y += 1;
        velocities[i] = (sup_vec3){0, 1 / h, 0};
    }
    supi_trimesh_move(t.mesh, surface.points, velocities);
    supi_solid solid;
    supi_shape shape;
    supi_solid_make(&t.def, t.mesh, NULL, &solid);
    supi_solid_pose(&solid, origin, t.def.rotation, origin, t.def.rotation, (double)h);
    supi_shape_place(&solid, origin, &shape);
    assert_true(shape.moves);
    sup_vec3 x = {-0.5f, 0.1f, 0.2f}; /* above at the start, below at the end */
    assert_true(supi_shape_side(&shape, x) == 1);
    assert_same_place(supi_shape_carry(&shape, x), (sup_vec3){-1.5f, 0.1f, 0.2f}, 1e-6);
    supi_probe probe = probe_at(&shape, x, 1);
    assert_float_equal(probe.distance, -0.5, 1e-6);
    assert_same_place(probe.normal, (sup_vec3){-1, 0, 0}, 1e-6);
    assert_same_place(probe.velocity, (sup_vec3){-1 / h, 0, 0}, 1e-4);
    assert_float_equal(probe_at(&shape, x, -1).distance, 0.5, 1e-6);
    assert_true(supi_shape_side(&shape, (sup_vec3){0.5f, 0, 0}) == -1);
    supi_trimesh_free(t.mesh);
    sup_mesh_free(&surface);
}

/* Beyond the border of a sheet both sides are the same: a plain distance. */
static void a_sheet_ends_at_its_border(void** state) {
    (void)state;
    sup_mesh surface = sheet_surface(2, 2, 4);
    thing t = {.def = {.kind = SUP_COLLIDER_MESH, .rotation = {0, 0, 0, 1}}, .open = true};
    t.mesh = trimesh_of(&surface);
    supi_shape shape = place_thing(&t, origin);
    for (int side = -1; side <= 1; side += 2) {
        supi_probe probe = probe_at(&shape, (sup_vec3){1.3f, 0.4f, 0}, (float)side);
        assert_float_equal(probe.distance, 0.5, 1e-6);
        assert_same_place(probe.normal, (sup_vec3){0.6f, 0.8f, 0}, 1e-6);
        probe = probe_at(&shape, (sup_vec3){0.5f, 0.4f, 0}, (float)side);
        assert_float_equal(probe.distance, (side * 0.4), 1e-6);
        assert_same_place(probe.normal, (sup_vec3){0, (float)side, 0}, 1e-6);
    }
    assert_true(supi_shape_side(&shape, (sup_vec3){1.3f, -0.4f, 0}) == -1);
    supi_trimesh_free(t.mesh);
    sup_mesh_free(&surface);
}

/* A plane has no other side to come out of; with all others a cast decides. */
static void safe_is_the_thickness(void** state) {
    (void)state;
    for (int which = 0; which < THINGS; which++) {
        supi_shape shape = place_thing(&things[which], origin);
        assert_true(shape.safe == (which == 0 ? FLT_MAX : 0.005f));
    }
}

static void beside_heights_nothing_is_near(void** state) {
    (void)state;
    supi_shape shape = place_thing(&things[6], origin);
    supi_probe probe = probe_at(&shape, (sup_vec3){5, -1, 0}, 1);
    assert_true(probe.distance == FLT_MAX && probe.normal.y == 1);
    const sup_row row = {5, -1, 0, 1};
    assert_true(supi_shape_mask(&shape, &row, 1, 100) == 0);
    const float low[3] = {0, -9, 0}, high[3] = {1, -8, 1}; /* deep below counts as near */
    assert_true(supi_shape_near(&shape, low, high, 0));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(gradient_is_the_normal),
        cmocka_unit_test(distances_of_upright_shapes),
        cmocka_unit_test(special_places_have_a_normal),
        cmocka_unit_test(a_capsule_without_length_is_a_sphere),
        cmocka_unit_test(far_away_is_the_same),
        cmocka_unit_test(near_never_misses),
        cmocka_unit_test(mask_is_the_distance_test),
        cmocka_unit_test(velocity_leads_back_to_the_start),
        cmocka_unit_test(a_point_on_a_disc_is_followed),
        cmocka_unit_test(standing_still_does_not_move),
        cmocka_unit_test(travel_is_a_bound),
        cmocka_unit_test(points_of_a_mesh_carry_too),
        cmocka_unit_test(a_sheet_ends_at_its_border),
        cmocka_unit_test(safe_is_the_thickness),
        cmocka_unit_test(beside_heights_nothing_is_near),
    };
    return cmocka_run_group_tests(tests, make_all, free_all);
}
