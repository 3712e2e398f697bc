/* Bodies under a skin of clusters: their drawn vertices follow every map that their clusters can
   follow, rest on floors, and are the same bits however they are asked for. */
#include "supple/query.h"
#include "supple/snapshot.h"
#include "world/world.h"
#include "world/yard.h"

enum { VERTICES_MOST = 11000 };

static sup_blueprint_def skinned(sup_blueprint_def def) {
    def.skin = SUP_SKIN_CLUSTERS;
    return def;
}

typedef struct subject {
    sup_blueprint* print;
    sup_blueprint_info info;
    sup_mesh mesh; /* as given */
    sup_world* world;
    sup_body body;
} subject;

static subject make_subject(sup_mesh mesh, sup_blueprint_def def, const sup_world_def* world,
                            sup_body_def body) {
    subject s = {.mesh = mesh};
    sup_error error = {0};
    def.surface = &s.mesh;
    assert_ok(sup_blueprint_create(&def, &s.print, &error), error);
    s.info = sup_blueprint_get_info(s.print);
    assert_true(s.info.vertex_count <= VERTICES_MOST);
    s.world = make_world(world);
    body.blueprint = s.print;
    s.body = add_body(s.world, &body);
    return s;
}

static void free_subject(subject* s) {
    sup_world_destroy(s->world);
    sup_blueprint_release(s->print);
    sup_mesh_free(&s->mesh);
}

static sup_mesh ball(double radius, int32_t subdivisions) {
    sup_mesh mesh;
    assert_int_equal(sup_mesh_icosphere(NULL, radius, subdivisions, &mesh, NULL), SUP_OK);
    return mesh;
}

static sup_mesh bar(void) {
    sup_mesh mesh;
    assert_int_equal(
        sup_mesh_box(NULL, (double[3]){1.2, 0.5, 0.5}, (int32_t[3]){24, 10, 10}, &mesh, NULL),
        SUP_OK);
    return mesh;
}

/* ---- Maps ---- */

/* place = a rest + t + q (x^2, y^2, z^2, xy, yz, zx) */
typedef struct map {
    double a[9], t[3], q[18];
} map;

static sup_point apply(const map* m, double x, double y, double z) {
    const double p[3] = {x, y, z}, terms[6] = {x * x, y * y, z * z, x * y, y * z, z * x};
    double out[3];
    for (int k = 0; k < 3; k++) {
        out[k] = m->t[k];
        for (int j = 0; j < 3; j++) out[k] += m->a[3 * k + j] * p[j];
        for (int j = 0; j < 6; j++) out[k] += m->q[6 * k + j] * terms[j];
    }
    return (sup_point){out[0], out[1], out[2]};
}

/* Puts the particles where the map says. */
static void deform(const subject* s, const map* m) {
    sup_vec3* rest = malloc((size_t)s->info.particle_count * sizeof *rest);
    sup_point* to = malloc((size_t)s->info.particle_count * sizeof *to);
    sup_error error = {0};
    sup_blueprint_read_rest(s->print, rest);
    for (int32_t i = 0; i < s->info.particle_count; i++) {
        to[i] = apply(m, (double)rest[i].x, (double)rest[i].y, (double)rest[i].z);
    }
    assert_ok(sup_body_write_particles(s->world, s->body, to, NULL, &error), error);
    free(rest);
    free(to);
}

/* Largest distance of the drawn vertices from the map of the mesh, as a share of the size. */
static double misfit(const subject* s, const map* m) {
    static sup_vec3 seen[VERTICES_MOST];
    double worst = 0;
    assert_int_equal(sup_body_read_vertices(s->world, s->body, m->t, seen), SUP_OK);
    for (int32_t i = 0; i < s->info.vertex_count; i++) {
        const sup_vec3* p = s->mesh.points + i;
        sup_point to = apply(m, (double)p->x, (double)p->y, (double)p->z);
        const double d[3] = {(double)seen[i].x - (to.x - m->t[0]),
                             (double)seen[i].y - (to.y - m->t[1]),
                             (double)seen[i].z - (to.z - m->t[2])};
        worst = length_of(d) > worst ? length_of(d) : worst;
    }
    return worst / s->info.size;
}

static sup_body_def body_of(sup_match_mode mode, double beta) {
    sup_body_def def = sup_body_default();
    def.material.mode = mode;
    def.material.beta = beta;
    def.material.keeps_volume = false;
    return def;
}

static const map turned = {
    {0.36, 0.48, -0.8, -0.8, 0.6, 0.0, 0.48, 0.64, 0.6}, {3.1, -2.2, 1.3}, {0}};
static const map sheared = {{1.3, 0.3, -0.2, 0.1, 0.8, 0.3, -0.2, 0.2, 1.1}, {3.1, -2.2, 1.3}, {0}};

/* Every mode and layout; near and 10 km from the origin. */
static void test_rigid_maps(void** state) {
    (void)state;
    double worst = 0;
    for (int i = 0; i < 12; i++) {
        sup_blueprint_def def = i % 2 ? in_cubes(0.1, 0.32) : filled(0.1);
        subject s =
            make_subject(bar(), skinned(def), NULL, body_of((sup_match_mode)(i / 2 % 3), 0.5));
        map m = turned;
        if (i >= 6) m.t[0] = 1e4;
        deform(&s, &m);
        /* Of quadratic clusters the softening of their inverse is seen. */
        double off = misfit(&s, &m) / (i / 2 % 3 == SUP_MATCH_QUADRATIC ? 3 : 1);
        worst = off > worst ? off : worst;
        free_subject(&s);
    }
    print_message("rigid: %.2g of the size\n", worst);
    assert_true(worst < 1e-6);
}

static void test_affine_maps(void** state) {
    (void)state;
    double worst = 0;
    for (int i = 0; i < 4; i++) {
        sup_blueprint_def def = i % 2 ? in_cubes(0.1, 0.32) : filled(0.1);
        sup_match_mode mode = i < 2 ? SUP_MATCH_LINEAR : SUP_MATCH_QUADRATIC;
        subject s = make_subject(bar(), skinned(def), NULL, body_of(mode, 1.0));
        deform(&s, &sheared);
        double off = misfit(&s, &sheared) / (mode == SUP_MATCH_LINEAR ? 1 : 10);
        worst = off > worst ? off : worst;
        free_subject(&s);
    }
    print_message("affine: %.2g of the size\n", worst);
    assert_true(worst < 1e-6);
}

static void test_quadratic_maps(void** state) {
    (void)state;
    map bent = turned;
    for (int k = 0; k < 18; k++) bent.q[k] = 0.06 * ((k * 7) % 5 - 2);
    double off[2];
    for (int i = 0; i < 2; i++) {
        sup_match_mode mode = i ? SUP_MATCH_LINEAR : SUP_MATCH_QUADRATIC;
        subject s = make_subject(bar(), skinned(filled(0.1)), NULL, body_of(mode, 1.0));
        deform(&s, &bent);
        off[i] = misfit(&s, &bent);
        free_subject(&s);
    }
    print_message("quadratic: %.2g of the size, linear %.2g\n", off[0], off[1]);
    assert_true(off[0] < 2e-5);
    assert_true(off[1] > 1e-2);
}

/* The share of the goal is that of the material now, not of the last step. */
static void test_material_counts_at_once(void** state) {
    (void)state;
    subject s = make_subject(bar(), skinned(filled(0.1)), NULL, body_of(SUP_MATCH_LINEAR, 0.0));
    sup_error error = {0};
    take_steps(s.world, 1);
    deform(&s, &sheared);
    assert_true(misfit(&s, &sheared) > 0.05);
    sup_material material = body_of(SUP_MATCH_LINEAR, 1.0).material;
    assert_ok(sup_body_set_material(s.world, s.body, &material, &error), error);
    assert_true(misfit(&s, &sheared) < 1e-6);
    free_subject(&s);
}

/* ---- Blueprints ---- */

static void test_counts(void** state) {
    (void)state;
    subject s = make_subject(ball(0.5, 4), skinned(in_cubes(0.14, 0.4)), NULL, sup_body_default());
    assert_int_equal(s.info.skin, SUP_SKIN_CLUSTERS);
    assert_int_equal(s.info.vertex_count, 2562);
    assert_int_equal(s.info.surface_particle_count, 0);
    assert_in_range(s.info.particle_count, 100, 200);
    assert_true(fabs(s.info.mass - 1000 * s.info.volume) < 1e-3);
    assert_true(s.info.spacing == 0.14);
    /* The largest sphere in the ball that does not reach its surface. */
    assert_true(s.info.radius >= 0.07 && s.info.radius < 0.14 * 1.5);
    free_subject(&s);
}

static void test_refusals(void** state) {
    (void)state;
    sup_mesh mesh = ball(0.5, 2);
    const sup_vec3 middle = {0, 0, 0};
    sup_blueprint_def none = sup_blueprint_default(), narrow = filled(2.0), bare = none,
                      wrong = filled(0.2);
    none.surface = narrow.surface = wrong.surface = &mesh;
    narrow.weld = -1;
    bare.points = &middle;
    bare.point_count = 1;
    wrong.skin = (sup_skin_kind)7;
    none.skin = narrow.skin = bare.skin = SUP_SKIN_CLUSTERS;
    /* One lattice point is the middle of the box: only a ring has no room for it. */
    sup_mesh ring;
    assert_int_equal(sup_mesh_torus(NULL, 0.5, 0.1, 24, 12, &ring, NULL), SUP_OK);
    narrow.surface = &ring;
    const struct {
        const sup_blueprint_def* def;
        const char* text;
    } cases[] = {
        {&none,
         "under a skin of clusters there must be particles: fill the surface, or give points"},
        {&narrow, "no particle under the skin: the surface is too narrow for a filling of this "
                  "spacing"},
        {&bare, "a skin needs a surface"},
        {&wrong, "unknown skin"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        sup_blueprint* print = NULL;
        sup_error error = {0};
        assert_int_equal(sup_blueprint_create(cases[i].def, &print, &error), SUP_BAD_ARGUMENT);
        assert_string_equal(error.text, cases[i].text);
        assert_null(print);
    }
    sup_mesh_free(&mesh);
    sup_mesh_free(&ring);
}

/* Loose points alone carry a skin too, also one that is far larger than they are. */
static void test_loose_points(void** state) {
    (void)state;
    sup_vec3 points[27];
    sup_blueprint_def def = sup_blueprint_default();
    def.point_count = make_lattice(3, 3, 3, (double[3]){0.05, 0.05, 0.05}, points);
    def.points = points;
    subject s = make_subject(ball(3.0, 3), skinned(def), NULL, body_of(SUP_MATCH_LINEAR, 1.0));
    deform(&s, &sheared);
    assert_true(misfit(&s, &sheared) < 1e-5); /* 3 m away from a cloud of 0.1 m */
    free_subject(&s);
}

/* Of loose points those next to the surface meet others, as those of a filling do. */
static void test_loose_points_inside_meet_nobody(void** state) {
    (void)state;
    enum { SIDE = 6 };
    sup_vec3 points[SIDE * SIDE * SIDE];
    sup_mesh mesh;
    sup_blueprint_def def = sup_blueprint_default();
    def.point_count = make_lattice(SIDE, SIDE, SIDE, (double[3]){0.1, 0.1, 0.1}, points);
    def.points = points;
    for (int32_t i = 0; i < def.point_count; i++) { /* not quite even, as points of others */
        points[i].x += 0.02f * (float)sin(7.0 * i);
        points[i].y += 0.02f * (float)sin(11.0 * i);
        points[i].z += 0.02f * (float)sin(13.0 * i);
    }
    assert_int_equal(
        sup_mesh_box(NULL, (double[3]){0.64, 0.64, 0.64}, (int32_t[3]){4, 4, 4}, &mesh, NULL),
        SUP_OK);
    subject s = make_subject(mesh, skinned(def), NULL, sup_body_default());
    for (int32_t i = 0; i < def.point_count; i++) {
        int32_t row = s.print->row_of[i], inner = 0;
        const int32_t at[3] = {i % SIDE, i / SIDE % SIDE, i / SIDE / SIDE};
        for (int k = 0; k < 3; k++) inner += at[k] > 0 && at[k] < SIDE - 1;
        assert_true((s.print->radius[row] > 0.0f) == (inner < 3));
        assert_true((s.print->depth[row] > 0.0f) == (inner < 3));
    }
    assert_true(s.info.radius < 0.1);
    free_subject(&s);
}

/* ---- Contact ---- */

static double lowest(const subject* s) {
    static sup_vec3 seen[VERTICES_MOST];
    double low = INFINITY;
    assert_int_equal(sup_body_read_vertices(s->world, s->body, NULL, seen), SUP_OK);
    for (int32_t i = 0; i < s->info.vertex_count; i++) {
        low = (double)seen[i].y < low ? (double)seen[i].y : low;
    }
    return low;
}

/* Stiff enough for goals to be where the particles are. */
static sup_body_def stiff_body(double height) {
    sup_body_def def = sup_body_default();
    def.material.stiffness = 400.0;
    def.position[1] = height;
    return def;
}

static sup_world_def fine_world(void) {
    sup_world_def def = sup_world_default();
    def.substeps = 8;
    return def;
}

/* A fine ball on some hundred particles falls, bounces and lies on the floor with its surface. */
static void test_rests_on_the_floor(void** state) {
    (void)state;
    for (int shape = 0; shape < 2; shape++) {
        sup_world_def world = fine_world();
        sup_mesh mesh = shape ? bar() : ball(0.5, short_tests() ? 4 : 5);
        subject s = make_subject(mesh, skinned(in_cubes(0.12, 0.4)), &world, stiff_body(0.8));
        add_floor(s.world);
        double deepest = 0;
        for (int frame = 0; frame < 400; frame += 4) {
            take_steps(s.world, 4);
            assert_int_equal(mishap_count(s.world), 0);
            double low = lowest(&s);
            deepest = low < deepest ? low : deepest;
        }
        double low = lowest(&s) / s.info.spacing;
        print_message("%d particles, %d vertices: lies %.3f spacings high, was %.3f deep\n",
                      (int)s.info.particle_count, (int)s.info.vertex_count, low,
                      -deepest / s.info.spacing);
        assert_true(low > -0.2 && low < 0.05);
        assert_true(deepest > -0.6 * s.info.spacing);
        free_subject(&s);
    }
}

/* Clay that is made flat for good lies on the floor with its surface, not as high as its particles
   lay under the round one; so does a body with its shape baked, and a snapshot goes on alike. */
static void test_flattened_clay_lies_flat(void** state) {
    (void)state;
    for (int whole = 0; whole < 2; whole++) {
        const map flat = {.a = {1.4, 0, 0, 0, 0.5, 0, 0, 0, 1.4}, .t = {0, 1.5, 0}};
        sup_world_def def = fine_world();
        sup_body_def clay = stiff_body(0.3);
        clay.material.plastic.on = true;
        clay.material.plastic.yield = 0.05;
        clay.material.plastic.creep = 1000.0;
        clay.material.plastic.limit = 2.0;
        subject s = make_subject(ball(0.5, 4), skinned(whole ? filled(0.12) : in_cubes(0.12, 0.4)),
                                 &def, clay);
        deform(&s, &flat);
        take_steps(s.world, 20);
        add_floor(s.world);
        sup_bytes saved;
        sup_error error = {0};
        assert_ok(sup_world_save(s.world, &saved, &error), error);
        sup_world* other = make_world(NULL);
        assert_ok(sup_world_restore(other, saved.data, saved.size, &error), error);
        take_steps(other, 300);
        take_steps(s.world, 300);
        assert_true(sup_world_hash(s.world) == sup_world_hash(other));
        double low[2] = {lowest(&s)};
        sup_body_def fired = stiff_body(0.6);
        assert_ok(sup_body_bake(s.world, s.body, &fired.blueprint, &error), error);
        assert_int_equal(sup_body_destroy(s.world, s.body), SUP_OK);
        s.body = add_body(s.world, &fired);
        take_steps(s.world, 300);
        low[1] = lowest(&s);
        print_message("lies %.3f, baked %.3f spacings high\n", low[0] / s.info.spacing,
                      low[1] / s.info.spacing);
        for (int i = 0; i < 2; i++) {
            assert_true(low[i] > -0.2 * s.info.spacing && low[i] < 0.1 * s.info.spacing);
        }
        sup_blueprint_release(fired.blueprint);
        sup_bytes_free(&saved);
        sup_world_destroy(other);
        free_subject(&s);
    }
}

/* Two balls, one held: the other comes to lie on it where the surfaces meet. */
static void test_meets_other_bodies(void** state) {
    (void)state;
    sup_blueprint* print = ball_of(0.3, 4, skinned(in_cubes(0.1, 0.3)));
    sup_world_def fine = fine_world();
    sup_world* world = make_world(&fine);
    sup_body_def lower = stiff_body(0.0), upper = stiff_body(0.7);
    lower.blueprint = upper.blueprint = print;
    sup_body held = add_body(world, &lower), fallen = add_body(world, &upper);
    double low[3], high[3], least = INFINITY;
    assert_int_equal(sup_body_set_paused(world, held, true), SUP_OK);
    for (int i = 0; i < 40; i++) {
        take_steps(world, 1);
        assert_int_equal(sup_body_bounds(world, fallen, low, high), SUP_OK);
        double height = 0.5 * (low[1] + high[1]);
        least = height < least ? height : least;
    }
    print_message("middles come as near as %.3f m, the surfaces touch at 0.6 m\n", least);
    assert_true(least > 0.5 && least < 0.63);
    sup_world_destroy(world);
    sup_blueprint_release(print);
}

/* Bodies pass through each other, but not through the floor. */
static void test_radius_off(void** state) {
    (void)state;
    sup_blueprint_def def = skinned(filled(0.12));
    sup_world_def world = fine_world();
    def.radius = -1;
    subject s = make_subject(ball(0.5, 3), def, &world, stiff_body(0.6));
    add_floor(s.world);
    take_steps(s.world, 300);
    assert_true(s.info.radius == 0.0);
    assert_true(lowest(&s) > -0.25 * s.info.spacing);
    free_subject(&s);
}

/* ---- Questions ---- */

static void test_rays_meet_the_surface(void** state) {
    (void)state;
    const sup_filter all = {1, UINT32_MAX};
    sup_body_def def = sup_body_default();
    def.position[0] = 1000.0;
    subject s = make_subject(ball(0.5, 4), skinned(in_cubes(0.14, 0.4)), NULL, def);
    const double above[3] = {1000.1, 2, 0.1}, down[3] = {0, -4, 0};
    sup_hit hit;
    assert_true(sup_world_cast_ray(s.world, above, down, all, &hit));
    double height = sqrt(0.25 - 0.02);
    assert_true(fabs(hit.point[1] - height) < 2e-3);
    assert_true(hit.normal[1] > 0.8);
    assert_in_range(hit.particle, 0, s.info.particle_count - 1);
    /* Above all particles, but through the ball. */
    const double beside[3] = {998, 0.48, 0}, along[3] = {4, 0, 0}, over[3] = {998, 0.51, 0};
    double low[3], high[3];
    assert_int_equal(sup_body_bounds(s.world, s.body, low, high), SUP_OK);
    assert_true(high[1] < 0.47);
    assert_true(sup_world_cast_ray(s.world, beside, along, all, &hit));
    assert_false(sup_world_cast_ray(s.world, over, along, all, &hit));
    free_subject(&s);
}

/* A skin is not moved for a ray that passes far from it, and rays that graze it still find
   the surface. */
static void test_rays_beside_cost_nothing(void** state) {
    (void)state;
    const sup_filter all = {1, UINT32_MAX};
    sup_body_def def = sup_body_default();
    sup_blueprint_def print = skinned(in_cubes(0.14, 0.4));
    print.radius = -1; /* nothing but the skin reaches beyond the particles */
    def.angular_velocity[2] = 9.0;
    subject s = make_subject(ball(0.5, 4), print, NULL, def);
    take_steps(s.world, 20);
    static sup_vec3 seen[VERTICES_MOST];
    assert_int_equal(sup_body_read_vertices(s.world, s.body, NULL, seen), SUP_OK);
    sup_row* drawn = s.world->drawn;
    double centre[3], low[3], high[3];
    sup_hit hit;
    assert_int_equal(sup_body_bounds(s.world, s.body, low, high), SUP_OK);
    for (int k = 0; k < 3; k++) centre[k] = 0.5 * (low[k] + high[k]);
    for (int32_t i = 0; i < s.info.vertex_count; i++) { /* just below each vertex, crosswise */
        double from[3] = {0.995 * seen[i].x + 0.005 * centre[0],
                          0.995 * seen[i].y + 0.005 * centre[1],
                          0.995 * seen[i].z + 0.005 * centre[2]};
        const double out[3] = {seen[i].y - centre[1], centre[0] - seen[i].x, 0.1};
        for (int k = 0; k < 3; k++) from[k] -= 4 * out[k];
        const double way[3] = {8 * out[0], 8 * out[1], 8 * out[2]};
        assert_true(sup_world_cast_ray(s.world, from, way, all, &hit));
    }
    drawn[0].w = 7.0f;
    const double far[3] = {2, 9, 0}, down[3] = {0, -90, 0};
    assert_false(sup_world_cast_ray(s.world, far, down, all, &hit));
    assert_true(drawn[0].w == 7.0f);
    const double above[3] = {centre[0], centre[1] + 9, centre[2]};
    assert_true(sup_world_cast_ray(s.world, above, down, all, &hit));
    assert_true(drawn[0].w == 0.0f);
    free_subject(&s);
}

static void count_line(void* user, sup_vec3 a, sup_vec3 b, uint32_t colour) {
    (void)a;
    (void)b;
    (void)colour;
    ++*(int32_t*)user;
}

static void test_drawing_shows_the_surface(void** state) {
    (void)state;
    subject s = make_subject(ball(0.5, 3), skinned(filled(0.14)), NULL, sup_body_default());
    int32_t lines = 0;
    const sup_draw draw = {&lines, count_line, NULL};
    sup_world_draw(s.world, &draw, SUP_DRAW_SURFACES, NULL);
    assert_int_equal(lines, s.info.corner_count / 2);
    free_subject(&s);
}

/* ---- The same bits ---- */

static void add_yard(subject* s) {
    add_floor(s->world);
    for (int i = 0; i < 2; i++) {
        sup_body_def def = body_at(s->print, 0.3 * i + 0.2, 1.9 + i, 0.1);
        def.angular_velocity[2] = 3.0;
        add_body(s->world, &def);
    }
}

static subject make_yard(const sup_world_def* world, sup_match_mode mode) {
    sup_body_def def = sup_body_default();
    def.material.mode = mode;
    def.position[1] = 0.8;
    def.angular_velocity[0] = 2.0;
    subject s = make_subject(ball(0.4, 3), skinned(in_cubes(0.1, 0.3)), world, def);
    add_yard(&s);
    return s;
}

static void test_kernels_and_threads(void** state) {
    (void)state;
    static sup_vec3 seen[2][VERTICES_MOST];
    static const sup_simd simds[] = {SUP_SIMD_AUTO, SUP_SIMD_SCALAR, SUP_SIMD_SSE2, SUP_SIMD_AVX2};
    for (int mode = 0; mode < 3; mode++) {
        for (int i = 0; i < 5; i++) {
            sup_world_def def = sup_world_default();
            def.simd = simds[i % 4];
            def.threads = i == 4 ? 3 : 1;
            if (simds[i % 4] != SUP_SIMD_AUTO && !every_copy()) continue;
            sup_world* probe = NULL;
            if (sup_world_create(&def, &probe, NULL) != SUP_OK) continue; /* no such processor */
            sup_world_destroy(probe);
            subject s = make_yard(&def, (sup_match_mode)mode);
            take_steps(s.world, 30);
            assert_int_equal(sup_body_read_vertices(s.world, s.body, NULL, seen[i > 0]), SUP_OK);
            if (i > 0) {
                assert_memory_equal(seen[0], seen[1],
                                    (size_t)s.info.vertex_count * sizeof *seen[0]);
            }
            free_subject(&s);
        }
    }
}

/* Asking changes nothing, also within a run. */
static void test_asking_changes_nothing(void** state) {
    (void)state;
    static sup_vec3 seen[VERTICES_MOST];
    const sup_filter all = {1, UINT32_MAX};
    const double above[3] = {0, 9, 0}, down[3] = {0, -9, 0};
    subject s = make_yard(NULL, SUP_MATCH_QUADRATIC), t = make_yard(NULL, SUP_MATCH_QUADRATIC);
    for (int i = 0; i < 40; i++) {
        sup_hit hit;
        uint64_t before = sup_world_hash(s.world);
        assert_int_equal(sup_body_read_vertices(s.world, s.body, NULL, seen), SUP_OK);
        sup_world_cast_ray(s.world, above, down, all, &hit);
        assert_true(sup_world_hash(s.world) == before);
        take_steps(s.world, 1);
        take_steps(t.world, 1);
        assert_true(sup_world_hash(s.world) == sup_world_hash(t.world));
    }
    free_subject(&s);
    free_subject(&t);
}

/* A snapshot brings back drawn vertices, also in a world that has never stepped, and the body goes
   on in the same way. */
static void test_snapshot(void** state) {
    (void)state;
    static sup_vec3 seen[2][VERTICES_MOST];
    for (int mode = 0; mode < 3; mode++) {
        subject s = make_yard(NULL, (sup_match_mode)mode);
        sup_bytes saved;
        sup_error error = {0};
        take_steps(s.world, 25);
        assert_ok(sup_world_save(s.world, &saved, &error), error);
        sup_world* other = make_world(NULL);
        assert_ok(sup_world_restore(other, saved.data, saved.size, &error), error);
        for (int i = 0; i < 2; i++) {
            assert_int_equal(sup_body_read_vertices(s.world, s.body, NULL, seen[0]), SUP_OK);
            assert_int_equal(sup_body_read_vertices(other, s.body, NULL, seen[1]), SUP_OK);
            assert_memory_equal(seen[0], seen[1], (size_t)s.info.vertex_count * sizeof *seen[0]);
            assert_true(sup_world_hash(s.world) == sup_world_hash(other));
            take_steps(s.world, 10);
            take_steps(other, 10);
        }
        sup_blueprint_info info = sup_blueprint_get_info(sup_body_blueprint(other, s.body));
        assert_int_equal(info.skin, s.info.skin);
        assert_int_equal(info.vertex_count, s.info.vertex_count);
        sup_bytes_free(&saved);
        sup_world_destroy(other);
        free_subject(&s);
    }
}

/* A bent body under a skin takes its baked shape, and other clusters, but no other skin. */
static void test_blueprints_change_under_a_skin(void** state) {
    (void)state;
    subject s = make_subject(ball(0.3, 4), skinned(in_cubes(0.1, 0.32)), NULL, sup_body_default());
    assert_true(s.info.vertex_count > s.info.particle_count);
    sup_error error = {0};
    sup_blueprint *baked, *whole, *bare;
    sup_blueprint_def def = skinned(filled(0.1));
    def.surface = &s.mesh;
    assert_ok(sup_blueprint_create(&def, &whole, &error), error);
    take_steps(s.world, 5);
    assert_ok(sup_body_bake(s.world, s.body, &baked, &error), error);
    assert_ok(sup_body_set_blueprint(s.world, s.body, baked, &error), error);
    assert_ok(sup_body_set_blueprint(s.world, s.body, whole, &error), error);
    take_steps(s.world, 5);
    assert_int_equal(mishap_count(s.world), 0);

    sup_vec3* points = malloc((size_t)s.info.particle_count * sizeof *points);
    assert_non_null(points);
    sup_blueprint_read_rest(s.print, points);
    def = sup_blueprint_default();
    def.points = points;
    def.point_count = s.info.particle_count;
    def.radius = s.info.radius;
    assert_ok(sup_blueprint_create(&def, &bare, &error), error);
    assert_int_equal(sup_body_set_blueprint(s.world, s.body, bare, &error), SUP_BAD_ARGUMENT);
    free(points);
    sup_blueprint_release(baked);
    sup_blueprint_release(whole);
    sup_blueprint_release(bare);
    free_subject(&s);
}

/* Points without polygons are drawn as they are: nothing could be a skin. */
static void test_clouds_have_no_skin(void** state) {
    (void)state;
    sup_vec3 points[64];
    sup_mesh cloud;
    sup_blueprint* print;
    sup_error error = {0};
    sup_blueprint_def def = skinned(cube_of_64(points));
    assert_int_equal(sup_mesh_create(NULL, 64, points, 0, NULL, NULL, &cloud, NULL), SUP_OK);
    def.surface = &cloud;
    assert_int_equal(sup_blueprint_create(&def, &print, &error), SUP_BAD_ARGUMENT);
    assert_string_equal(error.text, "a cloud has no surface that could be a skin");
    sup_mesh_free(&cloud);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_rigid_maps),
        cmocka_unit_test(test_affine_maps),
        cmocka_unit_test(test_quadratic_maps),
        cmocka_unit_test(test_material_counts_at_once),
        cmocka_unit_test(test_counts),
        cmocka_unit_test(test_refusals),
        cmocka_unit_test(test_loose_points),
        cmocka_unit_test(test_loose_points_inside_meet_nobody),
        cmocka_unit_test(test_rests_on_the_floor),
        cmocka_unit_test(test_flattened_clay_lies_flat),
        cmocka_unit_test(test_meets_other_bodies),
        cmocka_unit_test(test_radius_off),
        cmocka_unit_test(test_rays_meet_the_surface),
        cmocka_unit_test(test_rays_beside_cost_nothing),
        cmocka_unit_test(test_drawing_shows_the_surface),
        cmocka_unit_test(test_kernels_and_threads),
        cmocka_unit_test(test_asking_changes_nothing),
        cmocka_unit_test(test_snapshot),
        cmocka_unit_test(test_blueprints_change_under_a_skin),
        cmocka_unit_test(test_clouds_have_no_skin),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
