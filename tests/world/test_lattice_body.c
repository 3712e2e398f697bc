/* Bodies on a lattice in company with the rest of the engine: skins, lasting deformation, other
   blueprints for a living body, findings, and what is refused. */
#include "supple/diagnose.h"
#include "supple/snapshot.h"
#include "world/yard.h"

static sup_blueprint_def lattice_def(double spacing, int32_t reach) {
    sup_blueprint_def def = filled(spacing);
    def.layout = SUP_CLUSTERS_LATTICE;
    def.skin = SUP_SKIN_CLUSTERS;
    def.reach = reach;
    return def;
}

static const double bar_size[3] = {1.6, 0.6, 0.5};
enum { BAR_CELLS = 12, BAR_VERTICES = 6 * (BAR_CELLS + 1) * (BAR_CELLS + 1) };

static sup_blueprint* bar(sup_blueprint_def def) { return box_of(bar_size, BAR_CELLS, def); }

static sup_blueprint* bar_of_cubes(void) {
    sup_blueprint_def def = in_cubes(0.1, 0.35);
    def.skin = SUP_SKIN_CLUSTERS;
    return bar(def);
}

/* ---- Skins ---- */

typedef void warp(sup_point* p);

static void warp_affine(sup_point* p) {
    *p = (sup_point){1.2 * p->x + 0.3 * p->y - 0.1 * p->z + 3, 0.9 * p->y + 0.2 * p->x - 2,
                     1.1 * p->z - 0.2 * p->y + 0.1 * p->x + 1};
}

static void warp_turn(sup_point* p) {
    *p = (sup_point){0.6 * p->x - 0.8 * p->y + 5, 0.8 * p->x + 0.6 * p->y + 7, p->z - 1};
}

/* Around a circle: what clusters that are rigid follow piece by piece. */
static void warp_bend(sup_point* p) {
    double turn = p->x / 1.5, away = 1.5 - p->y;
    *p = (sup_point){away * sin(turn), 1.5 - away * cos(turn), p->z};
}

/* Largest distance of the drawn vertices from where the map takes those at rest. */
static double misfit(warp* to, sup_match_mode mode, sup_scheme scheme, int32_t reach) {
    sup_blueprint* print = bar(lattice_def(0.1, reach));
    sup_blueprint_info info = sup_blueprint_get_info(print);
    sup_world* world = make_weightless_world();
    sup_body_def def = body_at(print, 0, 0, 0);
    def.material.mode = mode;
    def.material.scheme = scheme;
    def.material.beta = 1.0;
    def.material.keeps_volume = false;
    def.velocity[0] = 1.0; /* what is drawn is where it is, not where it will be */
    sup_body body = add_body(world, &def);
    take_steps(world, 2);
    const double origin[3] = {0, 0, 0};
    sup_vec3 rest[BAR_VERTICES], seen[BAR_VERTICES];
    assert_in_range(info.vertex_count, 1, BAR_VERTICES);
    assert_int_equal(sup_body_read_vertices(world, body, origin, rest), SUP_OK);
    swarm s = read_swarm(world, body);
    for (int32_t i = 0; i < s.count; i++) to(&s.x[i]);
    assert_int_equal(sup_body_write_particles(world, body, s.x, NULL, NULL), SUP_OK);
    assert_int_equal(sup_body_read_vertices(world, body, origin, seen), SUP_OK);
    double worst = 0;
    for (int32_t i = 0; i < info.vertex_count; i++) {
        sup_point p = {(double)rest[i].x, (double)rest[i].y, (double)rest[i].z};
        to(&p);
        const double at[3] = {p.x, p.y, p.z},
                     is[3] = {(double)seen[i].x, (double)seen[i].y, (double)seen[i].z};
        double off = distance_of(at, is);
        worst = off > worst ? off : worst;
    }
    free_swarm(&s);
    sup_world_destroy(world);
    sup_blueprint_release(print);
    return worst;
}

static void skins_follow(void** state) {
    (void)state;
    for (int32_t reach = 1; reach <= 4; reach++) {
        for (sup_scheme scheme = SUP_SCHEME_D; scheme <= SUP_SCHEME_P; scheme++) {
            double turn = misfit(warp_turn, SUP_MATCH_RIGID, scheme, reach);
            double affine = misfit(warp_affine, SUP_MATCH_LINEAR, scheme, reach);
            double bend = misfit(warp_bend, SUP_MATCH_LINEAR, scheme, reach);
            print_message("reach %d: turned %.1e, affine %.1e, bent %.1e m\n", (int)reach, turn,
                          affine, bend);
            assert_below(turn, 3e-6);
            assert_below(affine, 1e-5);
            /* A cluster is straight where the circle goes on. */
            assert_below(bend, 0.01 + 0.015 * reach);
        }
    }
}

/* Who looks changes nothing: the cells that the sums of frames are in are free between steps. */
static void looking_changes_nothing(void** state) {
    (void)state;
    sup_blueprint* print = bar(lattice_def(0.1, 2));
    uint64_t hashes[2];
    for (int look = 0; look < 2; look++) {
        sup_world* world = make_world(NULL);
        add_floor(world);
        sup_body_def def = body_at(print, 0, 0.5, 0);
        def.rotation[2] = 0.2;
        sup_body bodies[2] = {add_body(world, &def)};
        def.position[1] = 1.2;
        bodies[1] = add_body(world, &def);
        for (int i = 0; i < 60; i++) {
            sup_vec3 seen[BAR_VERTICES];
            for (int k = 0; look && k < 2; k++) {
                sup_body_read_vertices(world, bodies[k], (double[3]){0, 0, 0}, seen);
            }
            take_steps(world, 1);
        }
        hashes[look] = sup_world_hash(world);
        sup_world_destroy(world);
    }
    assert_int_equal(hashes[0], hashes[1]);
    sup_blueprint_release(print);
}

/* The lowest vertex of one that lies on a floor is on the floor. */
static void skins_lie_on_floors(void** state) {
    (void)state;
    sup_blueprint* print = bar(lattice_def(0.1, 2));
    sup_blueprint_info info = sup_blueprint_get_info(print);
    sup_world* world = make_world(NULL);
    add_floor(world);
    sup_body_def def = body_at(print, 0, 0.5, 0);
    sup_body body = add_body(world, &def);
    take_steps(world, 120);
    sup_vec3 seen[BAR_VERTICES];
    double low = 1;
    sup_body_read_vertices(world, body, (double[3]){0, 0, 0}, seen);
    for (int32_t i = 0; i < info.vertex_count; i++) {
        low = (double)seen[i].y < low ? (double)seen[i].y : low;
    }
    print_message("lowest vertex at %.4f m\n", low);
    assert_below(fabs(low), 0.01);
    sup_world_destroy(world);
    sup_blueprint_release(print);
}

/* ---- Other blueprints ---- */

static double way_between(const swarm* a, const swarm* b) {
    double worst = 0;
    for (int32_t i = 0; i < a->count; i++) {
        const double p[3] = {a->x[i].x, a->x[i].y, a->x[i].z},
                     q[3] = {b->x[i].x, b->x[i].y, b->x[i].z};
        double way = distance_of(p, q);
        worst = way > worst ? way : worst;
    }
    return worst;
}

/* Between lattices, cubes and one cluster, with bodies before and behind in the world. */
static void blueprints_change_both_ways(void** state) {
    (void)state;
    enum { KINDS = 4 };
    sup_blueprint_def whole = filled(0.1);
    whole.skin = SUP_SKIN_CLUSTERS;
    sup_blueprint* prints[KINDS] = {bar(lattice_def(0.1, 1)), bar(lattice_def(0.1, 3)),
                                    bar_of_cubes(), bar(whole)};
    sup_world* world = make_weightless_world();
    sup_body bodies[3];
    for (int k = 0; k < 3; k++) {
        sup_body_def def = body_at(prints[k], 3.0 * k, 0, 0);
        def.velocity[1] = 1.0;
        def.angular_velocity[0] = 2.0;
        def.stays_awake = true;
        bodies[k] = add_body(world, &def);
    }
    sup_measures before = sup_world_measure(world);
    for (int i = 0; i < 48; i++) {
        sup_body body = bodies[i % 3];
        swarm was = read_swarm(world, body);
        sup_error error = {0};
        assert_ok(sup_body_set_blueprint(world, body, prints[(5 * i + i / 3) % KINDS], &error),
                  error);
        swarm is = read_swarm(world, body);
        assert_memory_equal(was.x, is.x, (size_t)was.count * sizeof *was.x);
        assert_memory_equal(was.v, is.v, (size_t)was.count * sizeof *was.v);
        take_steps(world, 1);
        swarm next = read_swarm(world, body);
        assert_below(way_between(&is, &next), 0.06); /* at 2.6 m/s, and no leap */
        free_swarm(&was);
        free_swarm(&is);
        free_swarm(&next);
        assert_int_equal(mishap_count(world), 0);
    }
    sup_measures after = sup_world_measure(world);
    double dp = distance_of(before.momentum, after.momentum) / length_of(before.momentum);
    double dl = distance_of(before.angular_momentum, after.angular_momentum) /
                length_of(before.angular_momentum);
    print_message("48 changes: dP/P %.1e, dL/L %.1e, strain %.1e\n", dp, dl, after.strain_largest);
    assert_below(dp, 1e-4);
    assert_below(dl, 1e-3);
    assert_below(after.strain_largest, 0.05);
    sup_world_destroy(world);
    for (int k = 0; k < KINDS; k++) sup_blueprint_release(prints[k]);
}

/* Bodies behind one that takes a lattice and gives it back go on bit for bit, though other workers
   have them. */
static void others_do_not_notice(void** state) {
    (void)state;
    sup_blueprint* prints[2] = {bar_of_cubes(), bar(lattice_def(0.1, 1))};
    sup_world_def settings = sup_world_default();
    sup_world* worlds[2];
    sup_body bodies[3];
    for (int k = 0; k < 2; k++) {
        settings.threads = 1 + 2 * k;
        worlds[k] = make_world(&settings);
        add_floor(worlds[k]);
        for (int i = 0; i < 3; i++) {
            sup_body_def def = body_at(prints[i > 0], 2.0 * i, 0.5, 0);
            def.rotation[2] = 0.2;
            bodies[i] = add_body(worlds[k], &def);
        }
    }
    for (int i = 0; i < 40; i++) {
        for (int k = 0; k < 2; k++) take_steps(worlds[k], 1);
        sup_error error = {0};
        if (i % 5 == 0) {
            sup_blueprint* other = prints[i / 5 % 2 == 0];
            assert_ok(sup_body_set_blueprint(worlds[1], bodies[0], other, &error), error);
        }
        for (int b = 1; b < 3; b++) {
            swarm s[2] = {read_swarm(worlds[0], bodies[b]), read_swarm(worlds[1], bodies[b])};
            assert_memory_equal(s[0].x, s[1].x, (size_t)s[0].count * sizeof *s[0].x);
            for (int k = 0; k < 2; k++) free_swarm(&s[k]);
        }
    }
    for (int k = 0; k < 2; k++) {
        sup_world_destroy(worlds[k]);
        sup_blueprint_release(prints[k]);
    }
}

/* ---- Lasting deformation ---- */

static sup_body_def clay_at(sup_blueprint* print) {
    sup_body_def def = body_at(print, 0, 0, 0);
    def.material.mode = SUP_MATCH_LINEAR;
    def.material.stiffness = 60;
    def.material.plastic.on = true;
    def.material.plastic.yield = 0.02;
    def.material.plastic.creep = 100;
    def.stays_awake = true;
    return def;
}

/* Stretches the right half of a body. */
static void pull(sup_world* world, sup_body body) {
    swarm s = read_swarm(world, body);
    for (int32_t i = 0; i < s.count; i++) {
        if (s.x[i].x > 0) s.x[i].x *= 1.5;
        s.v[i].y += (float)(0.3 * s.x[i].x);
    }
    assert_int_equal(sup_body_write_particles(world, body, s.x, s.v, NULL), SUP_OK);
    free_swarm(&s);
}

/* Root mean square distance of the particles from their middle, however the body is turned. */
static double spread_of(const sup_world* world, sup_body body) {
    swarm s = read_swarm(world, body);
    double middle[3] = {0, 0, 0}, sum = 0;
    for (int32_t i = 0; i < s.count; i++) {
        middle[0] += s.x[i].x / s.count;
        middle[1] += s.x[i].y / s.count;
        middle[2] += s.x[i].z / s.count;
    }
    for (int32_t i = 0; i < s.count; i++) {
        double way = distance_of(middle, (double[3]){s.x[i].x, s.x[i].y, s.x[i].z});
        sum += way * way / s.count;
    }
    free_swarm(&s);
    return sqrt(sum);
}

static void dents_last(void** state) {
    (void)state;
    for (int32_t reach = 1; reach <= 3; reach++) {
        sup_blueprint *print = bar(lattice_def(0.1, reach)), *cubes = bar_of_cubes();
        sup_world *world = make_weightless_world(), *twin = make_weightless_world();
        sup_body_def def = clay_at(print);
        sup_body body = add_body(world, &def);
        double straight = spread_of(world, body);
        pull(world, body);
        sup_measures before = sup_world_measure(world);
        take_steps(world, 40);
        sup_bytes bytes;
        sup_error error = {0};
        assert_ok(sup_world_save(world, &bytes, &error), error);
        assert_ok(sup_world_restore(twin, bytes.data, bytes.size, &error), error);
        sup_bytes_free(&bytes);
        take_steps(world, 80);
        take_steps(twin, 80);
        assert_int_equal(sup_world_hash(world), sup_world_hash(twin));
        sup_measures after = sup_world_measure(world);
        double drift =
            distance_of(before.momentum, after.momentum) / sup_blueprint_get_info(print).mass;
        double dl = distance_of(before.angular_momentum, after.angular_momentum) /
                    length_of(before.angular_momentum);
        print_message("reach %d: %.3f m became %.3f m, drift %.1e m/s, dL/L %.1e\n", (int)reach,
                      straight, spread_of(world, body), drift, dl);
        assert_above(spread_of(world, body), 1.05 * straight);
        assert_below(drift, 1e-4);
        assert_below(dl, 1e-3);
        /* What has become lasting goes with the body to other clusters. */
        double dented = spread_of(world, body);
        assert_ok(sup_body_set_blueprint(world, body, cubes, &error), error);
        take_steps(world, 60);
        assert_near(spread_of(world, body), dented, 0.05);
        assert_ok(sup_body_set_blueprint(world, body, print, &error), error);
        take_steps(world, 60);
        assert_near(spread_of(world, body), dented, 0.05);
        sup_world_destroy(world);
        sup_world_destroy(twin);
        sup_blueprint_release(print);
        sup_blueprint_release(cubes);
    }
}

/* ---- What is refused ---- */

static void refusals(void** state) {
    (void)state;
    sup_blueprint *print = bar(lattice_def(0.1, 2)), *cubes = bar_of_cubes(), *out = NULL;
    sup_world* world = make_weightless_world();
    sup_body_def def = clay_at(print);
    sup_body body = add_body(world, &def);
    take_steps(world, 2);
    uint64_t hash = sup_world_hash(world);
    sup_error error = {0};
    assert_int_equal(sup_body_bake(world, body, &out, &error), SUP_BAD_ARGUMENT);
    assert_string_equal(
        error.text, "a body of a lattice cannot be baked: its particles would leave their nodes");
    assert_null(out);
    assert_int_equal(sup_body_set_mode(world, body, SUP_MATCH_QUADRATIC, &error), SUP_BAD_ARGUMENT);
    assert_non_null(strstr(error.text, "no quadratic terms"));
    assert_int_equal(sup_world_hash(world), hash);
    assert_int_equal(sup_body_set_mode(world, body, SUP_MATCH_RIGID, &error), SUP_OK);
    assert_ok(sup_body_set_blueprint(world, body, cubes, &error), error);
    assert_int_equal(sup_body_set_mode(world, body, SUP_MATCH_QUADRATIC, &error), SUP_OK);
    take_steps(world, 1);
    hash = sup_world_hash(world);
    assert_int_equal(sup_body_set_blueprint(world, body, print, &error), SUP_BAD_ARGUMENT);
    assert_non_null(strstr(error.text, "no quadratic terms"));
    assert_int_equal(sup_world_hash(world), hash);
    sup_world_destroy(world);
    sup_blueprint_release(print);
    sup_blueprint_release(cubes);
    sup_mesh mesh;
    assert_int_equal(sup_mesh_box(NULL, bar_size, (int32_t[3]){4, 4, 4}, &mesh, NULL), SUP_OK);
    sup_blueprint_def bare = lattice_def(0.1, 1);
    bare.surface = &mesh;
    bare.skin = SUP_SKIN_PARTICLES;
    assert_int_equal(sup_blueprint_create(&bare, &out, &error), SUP_BAD_ARGUMENT);
    assert_non_null(strstr(error.text, "give it a skin of clusters"));
    sup_mesh_free(&mesh);
}

/* ---- Findings ---- */

static void findings(void** state) {
    (void)state;
    sup_diagnosis list[SUP_DIAGNOSIS_KINDS];
    int32_t count = -1;
    sup_blueprint* print = bar(lattice_def(0.1, 4));
    assert_int_equal(sup_blueprint_diagnose(print, SUP_MATCH_LINEAR, list, &count, NULL), SUP_OK);
    assert_int_equal(count, 0); /* though a particle lies in hundreds of clusters */
    sup_blueprint_release(print);
    /* A line of four, and two far away. */
    const sup_vec3 points[6] = {{0, 0, 0},    {0.1f, 0, 0}, {0.2f, 0, 0},
                                {0.3f, 0, 0}, {2, 0, 0},    {2, 0.1f, 0}};
    sup_blueprint_def def = sup_blueprint_default();
    def.layout = SUP_CLUSTERS_LATTICE;
    def.fill = 0.1;
    def.points = points;
    def.point_count = 6;
    def.allow_joints = true;
    assert_int_equal(sup_blueprint_create(&def, &print, NULL), SUP_OK);
    assert_int_equal(sup_blueprint_diagnose(print, SUP_MATCH_RIGID, list, &count, NULL), SUP_OK);
    assert_int_equal(count, 3);
    assert_int_equal(list[0].kind, SUP_DIAGNOSIS_FEW_PARTICLES);
    assert_int_equal(list[0].count, 6);
    assert_int_equal(list[1].kind, SUP_DIAGNOSIS_LINE);
    assert_int_equal(list[1].count, 6);
    assert_int_equal(list[2].kind, SUP_DIAGNOSIS_LOOSE_PIECES);
    assert_int_equal(list[2].count, 2);
    sup_blueprint_release(print);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(skins_follow),
        cmocka_unit_test(looking_changes_nothing),
        cmocka_unit_test(skins_lie_on_floors),
        cmocka_unit_test(blueprints_change_both_ways),
        cmocka_unit_test(others_do_not_notice),
        cmocka_unit_test(dents_last),
        cmocka_unit_test(refusals),
        cmocka_unit_test(findings),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
