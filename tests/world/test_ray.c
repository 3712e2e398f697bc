/* Rays against slow answers in double. */
#include "world/answers.h"

#include <float.h>

static long ray_count(void) { return long_tests() ? 100000 : 10000; }

/* ---- Triangles: what a ray meets first, by trying all ---- */

typedef struct soup {
    int32_t count;
    double (*corners)[3][3]; /* (count) */
} soup;

static soup soup_of(int32_t polygon_count, const int32_t* starts, const int32_t* corners,
                    const sup_point* places) {
    soup s = {0, calloc((size_t)starts[polygon_count], sizeof *s.corners)};
    for (int32_t k = 0; k < polygon_count; k++) {
        for (int32_t c = starts[k] + 2; c < starts[k + 1]; c++) {
            const int32_t ids[3] = {corners[starts[k]], corners[c - 1], corners[c]};
            for (int i = 0; i < 3; i++) {
                const double p[3] = {places[ids[i]].x, places[ids[i]].y, places[ids[i]].z};
                memcpy(s.corners[s.count][i], p, sizeof p);
            }
            s.count++;
        }
    }
    return s;
}

/* The drawn surface of a body that was made without welding: vertices are particles. */
static soup soup_of_body(const sup_world* world, sup_body body) {
    const sup_blueprint* print = sup_body_blueprint(world, body);
    const int32_t *starts, *corners;
    swarm s = read_swarm(world, body);
    sup_blueprint_get_surface(print, &starts, &corners);
    soup out = soup_of(sup_blueprint_get_info(print).polygon_count, starts, corners, s.x);
    free_swarm(&s);
    return out;
}

/* `slack` widens all triangles by that share of their size. */
static double meet_soup(const soup* s, const double o[3], const double d[3], double slack,
                        double normal[3]) {
    double best = (double)INFINITY;
    for (int32_t i = 0; i < s->count; i++) {
        double ab[3], ac[3], ao[3], n[3], q[3];
        subtract(s->corners[i][1], s->corners[i][0], ab);
        subtract(s->corners[i][2], s->corners[i][0], ac);
        subtract(o, s->corners[i][0], ao);
        cross(ab, ac, n);
        double det = -dot(d, n), t = dot(ao, n) / det;
        cross(ao, d, q);
        double u = dot(ac, q) / det, v = -dot(ab, q) / det;
        if (!(u >= -slack && v >= -slack && u + v <= 1 + slack)) continue;
        if (!(t >= 0 && t <= 1 && t < best)) continue;
        best = t;
        for (int k = 0; k < 3; k++) normal[k] = n[k] / length_of(n);
    }
    return best;
}

/* ---- Colliders: marching along the ray ---- */

/* Where the distance changes its sign first: never steps further than it is away. `closest` is the
   least distance on the way. */
static double march(const sup_collider_def* def, const double o[3], const double d[3],
                    double* closest) {
    double length = length_of(d), p[3], t = 0, last = 0, start = distance_to(def, o);
    *closest = fabs(start);
    while (last < 1) {
        along(o, d, t, p);
        double gap = distance_to(def, p);
        if ((gap > 0) != (start > 0)) break;
        *closest = fmin(*closest, fabs(gap));
        if (t >= 1) return (double)INFINITY;
        last = t;
        t = fmin(1, t + fmax(fabs(gap), 1e-5) / length);
    }
    for (int i = 0; i < 60; i++) {
        double middle = 0.5 * (last + t);
        along(o, d, middle, p);
        if ((distance_to(def, p) > 0) == (start > 0)) {
            last = middle;
        } else {
            t = middle;
        }
    }
    return t;
}

/* Rays of all directions from in and around a ball of radius `size` about `middle`. */
static void random_ray(dice* d, const double middle[3], double size, double o[3], double way[3]) {
    for (int k = 0; k < 3; k++) {
        o[k] = middle[k] + 2 * size * dice_roll(d);
        way[k] = middle[k] + size * dice_roll(d) - o[k];
    }
    double stretch = 1 + 2 * (1 + dice_roll(d)); /* some end before they are there */
    for (int k = 0; k < 3; k++) way[k] *= stretch * 0.4;
}

static void check_unit(const double n[3]) { assert_below(fabs(length_of(n) - 1), 1e-6); }

/* ---- Rays ---- */

static void check_rays_at_body(const double at[3]) {
    sup_world* world = make_world(NULL);
    sup_blueprint* print = ball_of(0.5, 2, in_cubes(0.0, 0.8));
    sup_body body = add_dented_ball(world, print, at);
    soup s = soup_of_body(world, body);
    double middle[3];
    centre_of(world, body, middle, NULL);
    uint64_t hash = sup_world_hash(world);
    dice d = {7};
    long met = 0, missed = 0, inside = 0;
    for (long i = 0; i < ray_count(); i++) {
        double o[3], way[3], n[3] = {0}, point[3];
        sup_hit hit;
        random_ray(&d, middle, 0.5, o, way);
        bool found = sup_world_cast_ray(world, o, way, ALL, &hit);
        double wide = meet_soup(&s, o, way, 1e-9, n), narrow = meet_soup(&s, o, way, -1e-9, n);
        if (!found) {
            assert_true(!isfinite(narrow));
            missed++;
            continue;
        }
        double t = hit.distance / length_of(way);
        if (fabs(t - narrow) > 1e-8) narrow = wide, meet_soup(&s, o, way, 1e-9, n);
        assert_below(fabs(t - narrow), 1e-8);
        assert_memory_equal(&hit.body, &body, sizeof body);
        assert_int_equal(hit.collider.slot, 0);
        along(o, way, t, point);
        assert_below(distance_of(point, hit.point), 1e-9);
        check_unit(hit.normal);
        if (wide == narrow) assert_below(distance_of(n, hit.normal), 1e-5);
        inside += dot(hit.normal, way) > 0;
        met++;
    }
    assert_true(met > ray_count() / 4 && missed > ray_count() / 20 && inside > ray_count() / 50);
    assert_int_equal(sup_world_hash(world), hash);
    free(s.corners);
    sup_world_destroy(world);
    sup_blueprint_release(print);
}

static void rays_meet_bodies_as_brute_force_does(void** state) {
    (void)state;
    check_rays_at_body((double[3]){0, 0, 0});
    check_rays_at_body((double[3]){10000, -3000, 10000});
}

/* A ray straight at a corner or edge has many triangles to choose from and loses none of them. */
static void rays_at_edges_are_not_lost(void** state) {
    (void)state;
    sup_world* world = make_weightless_world();
    sup_blueprint* print = ball_of(0.5, 3, sup_blueprint_default());
    sup_body_def def = body_at(print, 9000.1, 0.3, -77.7);
    dice d = {3};
    dice_turn(&d, def.rotation);
    sup_body body = add_body(world, &def);
    soup s = soup_of_body(world, body);
    swarm p = read_swarm(world, body);
    double middle[3];
    centre_of(world, body, middle, NULL);
    for (int32_t i = 0; i < 3 * s.count; i++) {
        const double *a = s.corners[i / 3][i % 3], *b = s.corners[i / 3][(i + 1) % 3];
        double on[3], o[3], way[3];
        sup_hit hit;
        double share = i % 5 == 0 ? 0 : 0.5 + 0.5 * dice_roll(&d);
        for (int k = 0; k < 3; k++) {
            on[k] = a[k] + share * (b[k] - a[k]);
            o[k] = middle[k] + 3 * (on[k] - middle[k]) + 0.3 * dice_roll(&d);
            way[k] = 1.5 * (on[k] - o[k]);
        }
        assert_true(sup_world_cast_ray(world, o, way, ALL, &hit));
        assert_below(distance_of(hit.point, on), 1e-9);
        /* the nearest particle is one of the two ends */
        const double at[3] = {p.x[hit.particle].x, p.x[hit.particle].y, p.x[hit.particle].z};
        assert_below(distance_of(at, share < 0.499 ? a : share > 0.501 ? b : at), 1e-9);
    }
    free_swarm(&p);
    free(s.corners);
    sup_world_destroy(world);
    sup_blueprint_release(print);
}

/* Without a drawn surface it is the particles that are met, which are small spheres then. */
static void rays_meet_loose_particles(void** state) {
    (void)state;
    sup_vec3 points[64];
    sup_blueprint_def recipe = cube_of_64(points);
    sup_blueprint* print = NULL;
    sup_world* world = make_weightless_world();
    assert_int_equal(sup_blueprint_create(&recipe, &print, NULL), SUP_OK);
    sup_body_def def = body_at(print, -10000, 200, 5000);
    sup_body body = add_body(world, &def);
    swarm s = read_swarm(world, body);
    double radius = 1e-3 * sup_blueprint_get_info(print).size;
    dice d = {11};
    int met = 0, passed = 0;
    for (int i = 0; i < 3000; i++) {
        double o[3], way[3], best = (double)INFINITY;
        int32_t id = -1;
        const sup_point* aim = s.x + i % s.count;
        const double target[3] = {aim->x, aim->y, aim->z};
        for (int k = 0; k < 3; k++) {
            o[k] = target[k] + (i % 7 == 0 ? radius : 1) * dice_roll(&d); /* some from inside */
            way[k] = 2 * (target[k] + 1.5 * radius * dice_roll(&d) - o[k]);
        }
        double length = length_of(way);
        for (int32_t k = 0; k < s.count; k++) {
            double to[3] = {s.x[k].x - o[0], s.x[k].y - o[1], s.x[k].z - o[2]};
            double b = dot(to, way) / length, c = dot(to, to) - radius * radius;
            if (!(b * b >= c)) continue;
            double t = c > 0 ? b - sqrt(b * b - c) : b + sqrt(b * b - c);
            if (t < 0 || t > length || t >= best) continue;
            best = t;
            id = k;
        }
        sup_hit hit;
        assert_int_equal(sup_world_cast_ray(world, o, way, ALL, &hit), id >= 0);
        passed += id < 0;
        if (id < 0) continue;
        assert_int_equal(hit.particle, id);
        assert_below(fabs(hit.distance - best), 1e-8);
        met++;
    }
    assert_true(met > 300 && passed > 300);
    free_swarm(&s);
    sup_world_destroy(world);
    sup_blueprint_release(print);
}

static void check_rays_at_collider(sup_collider_def def, double size) {
    sup_world* world = make_world(NULL);
    sup_collider collider = add_collider(world, &def);
    dice d = {5};
    long met = 0;
    for (long i = 0; i < ray_count() / 4; i++) {
        double o[3], way[3], closest;
        sup_hit hit = {0};
        random_ray(&d, def.position, size, o, way);
        double wanted = march(&def, o, way, &closest);
        bool found = sup_world_cast_ray(world, o, way, ALL, &hit);
        if (found) {
            double step[3], slope = 1e-6;
            assert_below(fabs(distance_to(&def, hit.point)), 1e-8);
            check_unit(hit.normal);
            along(hit.point, hit.normal, slope, step);
            assert_below(fabs(distance_to(&def, step) - slope), 1e-8);
            assert_memory_equal(&hit.collider, &collider, sizeof collider);
            assert_int_equal(hit.body.slot, 0);
            assert_int_equal(hit.particle, -1);
            met++;
        }
        if (!isfinite(wanted)) {
            assert_true(!found || closest < 1e-4); /* it may graze between two steps */
        } else {
            assert_true(found);
            assert_below(fabs(hit.distance - wanted * length_of(way)), 1e-6);
        }
    }
    assert_true(met > ray_count() / 50);
    sup_world_destroy(world);
}

static void rays_meet_colliders_as_marching_does(void** state) {
    (void)state;
    const sup_collider_kind kinds[] = {SUP_COLLIDER_PLANE, SUP_COLLIDER_SPHERE, SUP_COLLIDER_BOX,
                                       SUP_COLLIDER_CAPSULE};
    dice d = {2};
    for (int i = 0; i < 4; i++) {
        for (int variant = 0; variant < 3; variant++) {
            sup_collider_def def = sup_collider_default();
            def.kind = kinds[i];
            def.half_size[0] = 0.2;
            def.half_size[2] = 1.1;
            def.half_length = variant == 1 ? 0 : 0.8;
            dice_turn(&d, def.rotation);
            if (variant == 1) def.position[0] = def.position[2] = -10000;
            def.inverted = variant == 2 && i > 0;
            check_rays_at_collider(def, 1.0);
        }
    }
}

/* Of a mesh, and of heights as the triangles that they are. */
static void check_rays_at_triangles(const sup_collider_def* def, const soup* s) {
    sup_world* world = make_world(NULL);
    sup_collider collider = add_collider(world, def);
    dice d = {13};
    long met = 0;
    for (long i = 0; i < ray_count() / 4; i++) {
        double o[3], way[3], in[3], end[3], n[3] = {0}, away[3];
        sup_hit hit = {0};
        random_ray(&d, def->position, 1.0, o, way);
        for (int k = 0; i % 10 == 0 && k < 3; k++) { /* from and to far away */
            o[k] -= 500 * way[k];
            way[k] *= 1000;
        }
        along(o, way, 1, away);
        into_frame(def, o, in);
        into_frame(def, away, end);
        subtract(end, in, end);
        double wide = meet_soup(s, in, end, 1e-4, n), narrow = meet_soup(s, in, end, -1e-4, n);
        bool found = sup_world_cast_ray(world, o, way, ALL, &hit);
        if (!found) {
            assert_true(!isfinite(narrow) || narrow > 1 - 1e-5 || narrow < 1e-5);
            continue;
        }
        double t = hit.distance / length_of(way), slope = fabs(dot(n, end)) / length_of(end);
        assert_true(isfinite(wide));
        assert_memory_equal(&hit.collider, &collider, sizeof collider);
        check_unit(hit.normal);
        if (wide != narrow || slope < 0.05) continue; /* too near to an edge, or too flat */
        assert_below(fabs(t - wide) * length_of(way), 2e-5);
        double turned[3], tip[3];
        along(def->position, hit.normal, 1, tip);
        into_frame(def, tip, turned);
        for (int k = 0; k < 3; k++) turned[k] *= def->inverted ? -1 : 1;
        assert_below(distance_of(turned, n), 1e-5);
        met++;
    }
    assert_true(met > ray_count() / 50);
    sup_world_destroy(world);
}

static void rays_meet_meshes_and_heights(void** state) {
    (void)state;
    enum { NX = 9, NZ = 7 };
    dice d = {17};
    for (int variant = 0; variant < 3; variant++) {
        sup_mesh torus;
        sup_collider_def def = sup_collider_default();
        assert_int_equal(sup_mesh_torus(NULL, 0.6, 0.3, 20, 12, &torus, NULL), SUP_OK);
        sup_point places[20 * 12];
        for (int32_t i = 0; i < torus.point_count; i++) {
            const sup_vec3* p = torus.points + i;
            places[i] = (sup_point){(double)p->x, (double)p->y, (double)p->z};
        }
        soup s = soup_of(torus.polygon_count, torus.starts, torus.corners, places);
        def.kind = SUP_COLLIDER_MESH;
        def.mesh = &torus;
        dice_turn(&d, def.rotation);
        if (variant == 1) def.position[1] = 10000;
        def.inverted = variant == 2;
        check_rays_at_triangles(&def, &s);
        free(s.corners);
        sup_mesh_free(&torus);
    }
    for (int variant = 0; variant < 2; variant++) {
        float heights[NX * NZ];
        sup_point places[NX * NZ];
        int32_t starts[2 * NX * NZ + 1] = {0}, corners[6 * NX * NZ], count = 0;
        sup_collider_def def = sup_collider_default();
        for (int k = 0; k < NZ; k++) {
            for (int i = 0; i < NX; i++) {
                float y = heights[k * NX + i] = (float)(0.15 * dice_roll(&d));
                places[k * NX + i] = (sup_point){(i - 4) * 0.3, (double)y, (k - 3) * 0.4};
            }
        }
        for (int k = 0; k + 1 < NZ; k++) {
            for (int i = 0; i + 1 < NX; i++) {
                int32_t a = k * NX + i, b = a + 1, c = a + NX, e = c + 1;
                const int32_t cell[6] = {a, e, b, a, c, e};
                memcpy(corners + 3 * count, cell, sizeof cell);
                starts[count + 1] = 3 * (count + 1);
                starts[count + 2] = 3 * (count + 2);
                count += 2;
            }
        }
        soup s = soup_of(count, starts, corners, places);
        def.kind = SUP_COLLIDER_HEIGHTS;
        def.height_count[0] = NX;
        def.height_count[1] = NZ;
        def.height_step[0] = 0.3;
        def.height_step[1] = 0.4;
        def.heights = heights;
        dice_turn(&d, def.rotation);
        if (variant == 1) def.position[0] = -10000;
        check_rays_at_triangles(&def, &s);
        free(s.corners);
    }
}

/* Things without thickness: a sheet, a collider of one, and ground that is level. */
static void flat_things_are_met_from_both_sides(void** state) {
    (void)state;
    const double at[3] = {10000.7, 0.3, -10000.9};
    for (int thing = 0; thing < 3; thing++) {
        sup_world* world = make_weightless_world();
        sup_mesh mesh;
        assert_int_equal(sup_mesh_grid(NULL, 2, 2, 5, 5, &mesh, NULL), SUP_OK);
        const float level[4] = {0, 0, 0, 0};
        sup_collider_def collider = sup_collider_default();
        memcpy(collider.position, at, sizeof collider.position);
        collider.kind = thing == 1 ? SUP_COLLIDER_MESH : SUP_COLLIDER_HEIGHTS;
        collider.mesh = &mesh;
        collider.heights = level;
        collider.height_count[0] = collider.height_count[1] = 2;
        collider.height_step[0] = collider.height_step[1] = 2;
        if (thing > 0) add_collider(world, &collider);
        sup_blueprint* print = blueprint_of(&mesh, sup_blueprint_default());
        sup_body_def def = body_at(print, at[0], at[1], at[2]);
        if (thing == 0) add_body(world, &def);
        dice d = {23};
        for (int i = 0; i < 2000; i++) {
            double o[3], way[3],
                on[3] = {at[0] + 0.99 * dice_roll(&d), at[1], at[2] + 0.99 * dice_roll(&d)};
            for (int k = 0; k < 3; k++) {
                o[k] = i % 4 == 0 && k != 1 ? on[k] : at[k] + 2 * dice_roll(&d);
            }
            if (fabs(o[1] - at[1]) < 0.1) continue;
            for (int k = 0; k < 3; k++) way[k] = 1.5 * (on[k] - o[k]);
            sup_hit hit;
            assert_true(sup_world_cast_ray(world, o, way, ALL, &hit));
            assert_below(distance_of(hit.point, on), 3e-6);
            assert_below(fabs(hit.normal[1] - 1), 1e-6);
            for (int k = 0; k < 3; k++) way[k] *= 0.6; /* ends before it is there */
            assert_false(sup_world_cast_ray(world, o, way, ALL, &hit));
        }
        sup_world_destroy(world);
        sup_blueprint_release(print);
    }
}

/* ---- Who is met ---- */

static void first_of_many_is_met(void** state) {
    (void)state;
    sup_world* world = make_weightless_world();
    sup_blueprint* print = ball_of(0.2, 2, sup_blueprint_default());
    sup_collider_def wall = sup_collider_default();
    wall.kind = SUP_COLLIDER_BOX;
    sup_body bodies[4];
    sup_collider walls[4];
    for (int i = 0; i < 4; i++) {
        sup_body_def def = body_at(print, 4 * i + 2, 0, 0);
        def.filter.category = 1u << i;
        bodies[i] = add_body(world, &def);
        wall.position[0] = 4 * i + 4;
        wall.filter.category = 1u << i;
        wall.sensor = i == 0;
        walls[i] = add_collider(world, &wall);
    }
    const double o[3] = {0, 0.01, 0.02}, way[3] = {100, 0, 0};
    sup_hit hit;
    sup_filter some = {1, 0x6};
    assert_true(sup_world_cast_ray(world, o, way, ALL, &hit));
    assert_memory_equal(&hit.body, &bodies[0], sizeof hit.body);
    assert_true(sup_world_cast_ray(world, o, way, some, &hit));
    assert_memory_equal(&hit.body, &bodies[1], sizeof hit.body);
    assert_int_equal(sup_body_destroy(world, bodies[0]), SUP_OK);
    assert_int_equal(sup_body_destroy(world, bodies[1]), SUP_OK);
    assert_true(sup_world_cast_ray(world, o, way, ALL, &hit)); /* the first wall is a sensor */
    assert_memory_equal(&hit.collider, &walls[1], sizeof hit.collider);
    assert_int_equal(sup_collider_destroy(world, walls[1]), SUP_OK);
    assert_true(sup_world_cast_ray(world, o, way, ALL, &hit));
    assert_memory_equal(&hit.body, &bodies[2], sizeof hit.body);

    /* Each one's mask must have a bit of the other's category. */
    sup_filter shy = {1, 0};
    assert_int_equal(sup_body_set_filter(world, bodies[2], (sup_filter){4, 2}), SUP_OK);
    assert_false(sup_world_cast_ray(world, o, way, shy, &hit));
    assert_true(sup_world_cast_ray(world, o, way, ALL, &hit));
    assert_memory_equal(&hit.collider, &walls[2], sizeof hit.collider);
    assert_true(sup_world_cast_ray(world, o, way, (sup_filter){2, UINT32_MAX}, &hit));
    assert_memory_equal(&hit.body, &bodies[2], sizeof hit.body);
    sup_world_destroy(world);
    sup_blueprint_release(print);
}

/* Exactly as long as needed, longer than numbers can be squared, and against the surface. */
static void rays_of_any_length_are_right(void** state) {
    (void)state;
    sup_world* world = make_world(NULL);
    sup_collider_def def = sup_collider_default();
    def.kind = SUP_COLLIDER_SPHERE;
    add_collider(world, &def);
    const double o[3] = {-2, 0, 0};
    const double lengths[] = {1.5, 1.6, 1e6, 1e200, DBL_MAX};
    sup_hit hit;
    for (int i = 0; i < 5; i++) {
        assert_true(sup_world_cast_ray(world, o, (double[3]){lengths[i], 0, 0}, ALL, &hit));
        assert_below(fabs(hit.distance - 1.5), 1e-12);
        assert_below(distance_of(hit.point, (double[3]){-0.5, 0, 0}), 1e-12);
        assert_below(distance_of(hit.normal, (double[3]){-1, 0, 0}), 1e-12);
    }
    assert_false(sup_world_cast_ray(world, o, (double[3]){1.4999, 0, 0}, ALL, &hit));
    assert_false(sup_world_cast_ray(world, o, (double[3]){-5, 0, 0}, ALL, &hit));
    assert_false(sup_world_cast_ray(world, o, (double[3]){1e-320, 0, 0}, ALL, &hit));
    sup_world_destroy(world);
}

static void senseless_rays_meet_nothing(void** state) {
    (void)state;
    sup_world* world = make_weightless_world();
    sup_blueprint* print = ball_of(0.5, 1, sup_blueprint_default());
    sup_body_def def = body_at(print, 0, 0, 0);
    add_body(world, &def);
    for (int kind = SUP_COLLIDER_PLANE; kind <= SUP_COLLIDER_CAPSULE; kind++) {
        sup_collider_def wall = sup_collider_default();
        wall.kind = (sup_collider_kind)kind;
        add_collider(world, &wall);
    }
    const double bad[] = {(double)NAN, (double)INFINITY, -(double)INFINITY, 1e300};
    sup_hit hit;
    for (int i = 0; i < 4; i++) {
        for (int k = 0; k < 3; k++) {
            double o[3] = {0, 3, 0}, way[3] = {0, -5, 0};
            o[k] = bad[i];
            assert_false(sup_world_cast_ray(world, o, way, ALL, &hit));
            o[k] = 0;
            way[k] = bad[i];
            bool found = sup_world_cast_ray(world, o, way, ALL, &hit);
            assert_true(i == 3 || !found);
        }
    }
    assert_false(sup_world_cast_ray(world, (double[3]){0, 0, 0}, (double[3]){0, 0, 0}, ALL, &hit));
    sup_world_destroy(world);
    sup_blueprint_release(print);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rays_meet_bodies_as_brute_force_does),
        cmocka_unit_test(rays_at_edges_are_not_lost),
        cmocka_unit_test(rays_meet_loose_particles),
        cmocka_unit_test(rays_meet_colliders_as_marching_does),
        cmocka_unit_test(rays_meet_meshes_and_heights),
        cmocka_unit_test(flat_things_are_met_from_both_sides),
        cmocka_unit_test(first_of_many_is_met),
        cmocka_unit_test(rays_of_any_length_are_right),
        cmocka_unit_test(senseless_rays_meet_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
