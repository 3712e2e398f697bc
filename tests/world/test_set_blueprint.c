/* A living body takes another blueprint of its particles, or another mode: nothing jumps, nobody
   else notices, and it goes on the same from a snapshot and with threads. */
#include "allocators.h"
#include "blueprint/blueprint.h"
#include "supple/snapshot.h"
#include "world/world.h"
#include "world/yard.h"

/* One box of particles with one cluster, some and many. */
enum { LEVELS = 3 };
static sup_blueprint_def level_def(int level) {
    return level == 0 ? filled(0.1) : in_cubes(0.1, level == 1 ? 0.6 : 0.35);
}
static sup_blueprint* level_of(int level) {
    return box_of((double[3]){0.8, 0.6, 0.7}, 7, level_def(level));
}
static void make_levels(sup_blueprint* prints[LEVELS]) {
    for (int k = 0; k < LEVELS; k++) prints[k] = level_of(k);
    for (int k = 1; k < LEVELS; k++) {
        assert_true(sup_blueprint_get_info(prints[k]).cluster_count >
                    2 * sup_blueprint_get_info(prints[k - 1]).cluster_count);
    }
}
static void release_all(sup_blueprint* prints[LEVELS]) {
    for (int k = 0; k < LEVELS; k++) sup_blueprint_release(prints[k]);
}

static void change(sup_world* world, sup_body body, sup_blueprint* print) {
    sup_error error = {0};
    assert_ok(sup_body_set_blueprint(world, body, print, &error), error);
    assert_ptr_equal(sup_body_blueprint(world, body), print);
}

static void assert_same_swarm(const swarm* a, const swarm* b) {
    assert_int_equal(a->count, b->count);
    assert_memory_equal(a->x, b->x, (size_t)a->count * sizeof *a->x);
    assert_memory_equal(a->v, b->v, (size_t)a->count * sizeof *a->v);
}

static double distance3(const double a[3], const double b[3]) {
    return sqrt((a[0] - b[0]) * (a[0] - b[0]) + (a[1] - b[1]) * (a[1] - b[1]) +
                (a[2] - b[2]) * (a[2] - b[2]));
}

static double apart(sup_point a, sup_point b) {
    return distance3((double[3]){a.x, a.y, a.z}, (double[3]){b.x, b.y, b.z});
}

/* ---- What stays ---- */

/* A tilted body that has just landed: places and velocities are the same bits, and so are the
   momenta; the next step is about the one it would have been. */
static void nothing_jumps(void** state) {
    (void)state;
    sup_blueprint* prints[LEVELS];
    make_levels(prints);
    for (int from = 0; from < LEVELS; from++) {
        for (int to = 0; to < LEVELS; to++) {
            sup_world* worlds[2];
            sup_body body = {0, 0};
            for (int k = 0; k < 2; k++) {
                worlds[k] = make_world(NULL);
                add_floor(worlds[k]);
                sup_body_def def = body_at(prints[from], 0, 0.6, 0);
                def.rotation[2] = 0.3;
                def.velocity[1] = -1.0;
                def.angular_velocity[0] = 3.0;
                body = add_body(worlds[k], &def);
                take_steps(worlds[k], 25);
            }
            swarm was = read_swarm(worlds[1], body);
            sup_measures before = sup_world_measure(worlds[1]);
            assert_true(before.contact_count > 0);
            change(worlds[1], body, prints[to]);
            swarm is = read_swarm(worlds[1], body);
            sup_measures after = sup_world_measure(worlds[1]);
            assert_same_swarm(&was, &is);
            assert_memory_equal(before.momentum, after.momentum, sizeof before.momentum);
            assert_memory_equal(before.angular_momentum, after.angular_momentum,
                                sizeof before.angular_momentum);
            free_swarm(&was);
            free_swarm(&is);
            for (int k = 0; k < 2; k++) take_steps(worlds[k], 1);
            was = read_swarm(worlds[0], body);
            is = read_swarm(worlds[1], body);
            double most = 0;
            for (int32_t i = 0; i < was.count; i++) {
                double way = apart(was.x[i], is.x[i]);
                most = way > most ? way : most;
            }
            print_message("level %d to %d: the next step differs by %.2g m at most\n", from, to,
                          most);
            assert_below(most, from == to ? 1e-9 : 0.1);
            free_swarm(&was);
            free_swarm(&is);
            for (int k = 0; k < 2; k++) sup_world_destroy(worlds[k]);
        }
    }
    release_all(prints);
}

/* A body that flies and spins changes its clusters and mode all the time. */
static void momenta_stay_over_many_changes(void** state) {
    (void)state;
    sup_blueprint* prints[LEVELS];
    make_levels(prints);
    sup_world* world = make_weightless_world();
    sup_body_def def = body_at(prints[0], 0, 0, 0);
    def.velocity[0] = 1.0;
    def.angular_velocity[0] = 2.0;
    def.angular_velocity[1] = -3.0;
    def.stays_awake = true;
    def.material.stiffness = 30.0;
    sup_body body = add_body(world, &def);
    sup_measures before = sup_world_measure(world);
    for (int k = 0; k < 60; k++) {
        take_steps(world, 4);
        change(world, body, prints[k * 2 % LEVELS]);
        assert_int_equal(sup_body_set_mode(world, body, (sup_match_mode)(k % 3), NULL), SUP_OK);
        assert_int_equal(mishap_count(world), 0);
    }
    sup_measures after = sup_world_measure(world);
    double zero[3] = {0, 0, 0};
    double linear = distance3(before.momentum, after.momentum) / distance3(before.momentum, zero);
    double angular = distance3(before.angular_momentum, after.angular_momentum) /
                     distance3(before.angular_momentum, zero);
    print_message("60 changes: dP/P %.1e, dL/L %.1e, kinetic %.3f of what it was\n", linear,
                  angular, after.kinetic / before.kinetic);
    assert_below(linear, 1e-4);
    assert_below(angular, 1e-3);
    assert_below(fabs(after.kinetic / before.kinetic - 1), 0.2);
    sup_world_destroy(world);
    release_all(prints);
}

/* Bodies before and after the one that changes, with one cluster and with several, in free fall and
   on the floor: bit for bit those of a world in which nobody changes. */
static void others_do_not_notice(void** state) {
    (void)state;
    enum { BODIES = 6, CHANGES = 2 };
    sup_blueprint* prints[LEVELS];
    make_levels(prints);
    sup_world* worlds[2];
    sup_body bodies[2][BODIES];
    for (int w = 0; w < 2; w++) {
        worlds[w] = make_world(NULL);
        add_floor(worlds[w]);
        for (int i = 0; i < BODIES; i++) {
            sup_body_def def = body_at(prints[i % LEVELS], 3.0 * i, i % 2 ? 0.8 : 30.0, 0);
            def.angular_velocity[2] = i;
            bodies[w][i] = add_body(worlds[w], &def);
        }
    }
    for (int step = 0; step < 40; step++) {
        for (int w = 0; w < 2; w++) take_steps(worlds[w], 1);
        int who = step % 2 ? 1 : 4; /* up and down through the levels, also in the last step */
        change(worlds[1], bodies[1][who], prints[(step / 2 * 2 + who) % LEVELS]);
        for (int i = 0; i < BODIES; i++) {
            if (i == 1 || i == 4) continue;
            swarm a = read_swarm(worlds[0], bodies[0][i]), b = read_swarm(worlds[1], bodies[1][i]);
            assert_same_swarm(&a, &b);
            free_swarm(&a);
            free_swarm(&b);
        }
    }
    /* what is behind it can still be taken away, and so can it */
    assert_int_equal(sup_body_destroy(worlds[1], bodies[1][5]), SUP_OK);
    assert_int_equal(sup_body_destroy(worlds[1], bodies[1][1]), SUP_OK);
    take_steps(worlds[1], 5);
    for (int w = 0; w < 2; w++) sup_world_destroy(worlds[w]);
    release_all(prints);
}

/* With colliders. */
static int32_t count_events(const sup_world* world, sup_event_kind kind) {
    int32_t count, found = 0;
    const sup_event* events = sup_world_events(world, &count);
    for (int32_t i = 0; i < count; i++) {
        found += events[i].kind == kind && events[i].collider.slot > 0;
    }
    return found;
}

/* Attachments go on holding the same particles, contacts neither end nor begin. */
static void attachments_and_meetings_stay(void** state) {
    (void)state;
    sup_blueprint* prints[LEVELS];
    make_levels(prints);
    sup_world* world = make_wakeful_world();
    add_floor(world);
    sup_body_def def = body_at(prints[0], 0, 0.3, 0);
    sup_body low = add_body(world, &def);
    def = body_at(prints[2], 2, 5, 0);
    sup_body high = add_body(world, &def);
    sup_attachment_def hold = sup_attachment_default();
    hold.body = high;
    hold.particle = 5;
    hold.here = true;
    sup_attachment nail, rope;
    assert_int_equal(sup_attachment_create(world, &hold, &nail, NULL), SUP_OK);
    hold.particle = 100;
    hold.here = false;
    hold.other = low;
    hold.other_particle = 17;
    hold.length = -1;
    hold.stiffness = 50;
    assert_int_equal(sup_attachment_create(world, &hold, &rope, NULL), SUP_OK);
    swarm start = read_swarm(world, high);
    take_steps(world, 60);
    for (int k = 0; k < 30; k++) {
        change(world, low, prints[(k + 1) % LEVELS]);
        change(world, high, prints[(2 * k + 1) % LEVELS]);
        take_steps(world, 1);
        assert_true(sup_attachment_is_valid(world, nail) && sup_attachment_is_valid(world, rope));
        assert_int_equal(count_events(world, SUP_EVENT_CONTACT_BEGIN), 0);
        assert_int_equal(count_events(world, SUP_EVENT_CONTACT_END), 0);
        assert_int_equal(mishap_count(world), 0);
        swarm now = read_swarm(world, high);
        assert_below(apart(start.x[5], now.x[5]), 1e-3);
        free_swarm(&now);
        take_steps(world, 20);
    }
    free_swarm(&start);
    sup_world_destroy(world);
    release_all(prints);
}

/* Rows lie in the order of the rest shape: another shape has another order, but ids are ids. */
static void another_rest_shape(void** state) {
    (void)state;
    enum { COUNT = 64 };
    static const int32_t pins[] = {3, 40, 21};
    sup_vec3 points[COUNT], bent[COUNT];
    sup_blueprint_def def = cube_of_64(points);
    def.pins = pins;
    def.pin_count = 3;
    sup_blueprint *straight, *other;
    assert_int_equal(sup_blueprint_create(&def, &straight, NULL), SUP_OK);
    for (int i = 0; i < COUNT; i++) {
        bent[i] = (sup_vec3){3 * points[i].y, points[i].z, -points[i].x};
    }
    def.points = bent;
    assert_int_equal(sup_blueprint_create(&def, &other, NULL), SUP_OK);
    assert_memory_not_equal(straight->id_of, other->id_of, COUNT * sizeof(int32_t));
    sup_world* world = make_weightless_world();
    sup_body_def start = body_at(straight, 100, 0, 0);
    sup_body body = add_body(world, &start);
    int32_t ids[3];
    sup_point places[3];
    sup_blueprint_read_pins(straight, ids);
    for (int i = 0; i < 3; i++) places[i] = (sup_point){100 + 0.1 * ids[i], 0, 0};
    assert_int_equal(sup_body_move_pins(world, body, places, NULL), SUP_OK);
    take_steps(world, 3);
    swarm was = read_swarm(world, body);
    change(world, body, other);
    swarm is = read_swarm(world, body);
    assert_same_swarm(&was, &is);
    take_steps(world, 200);
    swarm after = read_swarm(world, body);
    for (int i = 0; i < 3; i++) {
        assert_below(fabs(after.x[pins[i]].x - (100 + 0.1 * pins[i])), 1e-5);
    }
    free_swarm(&was);
    free_swarm(&is);
    free_swarm(&after);
    sup_world_destroy(world);
    sup_blueprint_release(straight);
    sup_blueprint_release(other);
}

/* A dent stays when clusters change, and its volume too; baked and reset, it is the rest shape. */
static void what_is_lasting_stays(void** state) {
    (void)state;
    sup_blueprint *prints[LEVELS], *baked;
    make_levels(prints);
    sup_world* world = make_weightless_world();
    sup_body_def def = body_at(prints[0], 0, 0, 0);
    def.material.mode = SUP_MATCH_LINEAR;
    def.material.plastic.on = true;
    def.material.plastic.creep = 200;
    sup_body body = add_body(world, &def);
    swarm s = read_swarm(world, body);
    for (int32_t i = 0; i < s.count; i++) s.x[i].x *= 1.6;
    assert_int_equal(sup_body_write_particles(world, body, s.x, s.v, NULL), SUP_OK);
    take_steps(world, 60);
    float one[6], many[6 * 512], again[6];
    assert_int_equal(sup_body_read_plastic(world, body, one), SUP_OK);
    assert_above((double)one[0], 1.05);
    change(world, body, prints[2]);
    int32_t clusters = sup_blueprint_get_info(prints[2]).cluster_count;
    assert_in_range(clusters, 2, 512);
    assert_int_equal(sup_body_read_plastic(world, body, many), SUP_OK);
    for (int32_t i = 0; i < 6 * clusters; i++) {
        assert_below(fabs((double)(many[i] - one[i % 6])), 1e-6);
    }
    change(world, body, prints[0]);
    assert_int_equal(sup_body_read_plastic(world, body, again), SUP_OK);
    for (int k = 0; k < 6; k++) assert_below(fabs((double)(again[k] - one[k])), 1e-6);
    assert_int_equal(sup_body_bake(world, body, &baked, NULL), SUP_OK);
    change(world, body, baked);
    assert_int_equal(sup_body_reset_rest(world, body), SUP_OK);
    swarm was = read_swarm(world, body);
    take_steps(world, 60);
    swarm is = read_swarm(world, body);
    for (int32_t i = 0; i < is.count; i++) assert_below(apart(was.x[i], is.x[i]), 2e-3);
    free_swarm(&s);
    free_swarm(&was);
    free_swarm(&is);
    sup_world_destroy(world);
    sup_blueprint_release(baked);
    release_all(prints);
}

/* Strain that a cluster has still to take over goes along, and so does its age. */
static void gathered_strain_stays(void** state) {
    (void)state;
    sup_blueprint* prints[LEVELS];
    make_levels(prints);
    sup_world* world = make_weightless_world();
    sup_body_def def = body_at(prints[1], 0, 0, 0);
    def.material.plastic.on = true;
    sup_body handle = add_body(world, &def);
    supi_body* body = supi_world_body(world, handle);
    for (int32_t c = 0; c < body->blueprint->cluster_count; c++) {
        body->plastic[c].gathered[0] = 5e-5;
        body->plastic[c].gathered[3] = -2e-5;
        body->plastic[c].since = c % 2 ? 3.0 : 7.0;
        body->plastic[c].stuck = true;
    }
    for (int level = 0; level < LEVELS; level += 2) {
        change(world, handle, prints[level]);
        body = supi_world_body(world, handle);
        for (int32_t c = 0; c < body->blueprint->cluster_count; c++) {
            const supi_plastic* p = body->plastic + c;
            assert_below(fabs(p->gathered[0] - 5e-5), 1e-9);
            assert_below(fabs(p->gathered[3] + 2e-5), 1e-9);
            assert_true(p->since == 7.0 && p->stuck);
        }
    }
    sup_world_destroy(world);
    release_all(prints);
}

/* A body that lies in its lasting shape has not turned, whatever its new clusters are. */
static void rotations_know_what_is_lasting(void** state) {
    (void)state;
    sup_blueprint* prints[LEVELS];
    make_levels(prints);
    sup_world* world = make_weightless_world();
    sup_body_def def = body_at(prints[0], 0, 0, 0);
    def.material.plastic.on = true;
    sup_body handle = add_body(world, &def);
    supi_body* body = supi_world_body(world, handle);
    const double log[6] = {0.3, -0.1, -0.2, 0.2, 0.1, -0.15};
    supi_plastic_from_log(log, body->plastic);
    supi_body_keep_plastic(body);
    const double* s = body->plastic->stretch;
    swarm lasting = read_swarm(world, handle);
    for (int32_t i = 0; i < lasting.count; i++) {
        sup_point p = lasting.x[i];
        lasting.x[i] =
            (sup_point){s[0] * p.x + s[3] * p.y + s[5] * p.z, s[3] * p.x + s[1] * p.y + s[4] * p.z,
                        s[5] * p.x + s[4] * p.y + s[2] * p.z};
    }
    assert_int_equal(sup_body_write_particles(world, handle, lasting.x, NULL, NULL), SUP_OK);
    change(world, handle, prints[1]);
    body = supi_world_body(world, handle);
    double most = 0;
    for (int32_t c = 0; c < body->blueprint->cluster_count; c++) {
        const sup_quat* q = world->now.rotation + body->cluster + c;
        double turned = sqrt((double)(q->x * q->x + q->y * q->y + q->z * q->z));
        most = turned > most ? turned : most;
    }
    print_message("clusters turned by %.1e at most\n", most);
    assert_below(most, 1e-4);
    free_swarm(&lasting);
    sup_world_destroy(world);
    release_all(prints);
}

/* ---- What is refused ---- */

static void refuse(sup_world* world, sup_body body, sup_blueprint* print, const char* words) {
    sup_error error = {0};
    uint64_t hash = sup_world_hash(world);
    assert_int_equal(sup_body_set_blueprint(world, body, print, &error), SUP_BAD_ARGUMENT);
    if (!strstr(error.text, words)) fail_msg("\"%s\" lacks \"%s\"", error.text, words);
    assert_int_equal(sup_world_hash(world), hash);
    if (print) sup_blueprint_release(print);
}

static sup_blueprint* cube_like(sup_blueprint_def def) {
    return box_of((double[3]){1, 1, 1}, 3, def);
}

static void other_particles_are_refused(void** state) {
    (void)state;
    float masses[56];
    uint8_t regions[56];
    static const int32_t pins[] = {7};
    for (int i = 0; i < 56; i++) masses[i] = 1.0f, regions[i] = 0;
    sup_blueprint_def def = sup_blueprint_default();
    def.masses = masses;
    def.radius = 0.1;
    def.regions = regions;
    def.region_count = 2;
    sup_world* world = make_weightless_world();
    sup_blueprint* print = cube_like(def);
    assert_int_equal(sup_blueprint_get_info(print).particle_count, 56);
    sup_body_def start = body_at(print, 0, 0, 0);
    sup_body body = add_body(world, &start);
    refuse(world, body, NULL, "no blueprint");
    sup_blueprint_def other = def;
    masses[3] = 2.0f;
    refuse(world, body, cube_like(other), "3 has another mass");
    masses[3] = 1.0f;
    other.pins = pins;
    other.pin_count = 1;
    refuse(world, body, cube_like(other), "7 is pinned in one of them only");
    other = def;
    other.radius = 0.2;
    refuse(world, body, cube_like(other), "has another contact radius");
    other = def;
    regions[9] = 1;
    refuse(world, body, cube_like(other), "9 lies in another region");
    other.region_count = 0;
    refuse(world, body, cube_like(other), "2 regions, not 1");
    regions[9] = 0;
    other = filled(0.4);
    refuse(world, body, cube_like(other), "56 particles, not");
    /* the same points, but of one polygon less */
    sup_mesh mesh;
    assert_int_equal(sup_mesh_box(NULL, (double[3]){1, 1, 1}, (int32_t[3]){3, 3, 3}, &mesh, NULL),
                     SUP_OK);
    mesh.corner_count -= mesh.starts[mesh.polygon_count] - mesh.starts[mesh.polygon_count - 1];
    int32_t all = mesh.polygon_count--;
    def.surface = &mesh;
    sup_blueprint* open = NULL;
    assert_int_equal(sup_blueprint_create(&def, &open, NULL), SUP_OK);
    refuse(world, body, open, "draws another surface");
    mesh.polygon_count = all;
    mesh.corner_count = mesh.starts[all];
    sup_mesh_free(&mesh);
    assert_int_equal(sup_body_destroy(world, body), SUP_OK);
    assert_int_equal(sup_body_set_blueprint(world, body, print, NULL), SUP_STALE);
    assert_int_equal(sup_body_set_mode(world, body, SUP_MATCH_LINEAR, NULL), SUP_STALE);
    sup_world_destroy(world);
    sup_blueprint_release(print);
}

/* An equal one is taken without waking anybody: only the reference changes. */
static void equal_blueprints_wake_nobody(void** state) {
    (void)state;
    test_allocator memory;
    sup_world_def world_def = sup_world_default();
    world_def.allocator = test_allocator_init(&memory);
    sup_blueprint_def def = level_def(1);
    def.allocator = world_def.allocator;
    sup_blueprint *one = box_of((double[3]){0.8, 0.6, 0.7}, 7, def),
                  *twin = box_of((double[3]){0.8, 0.6, 0.7}, 7, def);
    def = level_def(0);
    def.allocator = world_def.allocator;
    sup_blueprint* other = box_of((double[3]){0.8, 0.6, 0.7}, 7, def);
    sup_world* world = make_world(&world_def);
    add_floor(world);
    sup_body_def start = body_at(one, 0, 0.3, 0);
    sup_body body = add_body(world, &start);
    sup_blueprint_release(one);
    take_steps(world, 200);
    assert_true(sup_body_is_asleep(world, body));
    uint64_t hash = sup_world_hash(world);
    change(world, body, twin);
    sup_blueprint_release(twin);
    assert_int_equal(sup_world_hash(world), hash);
    assert_true(sup_body_is_asleep(world, body));
    change(world, body, other);
    sup_blueprint_release(other);
    assert_false(sup_body_is_asleep(world, body));
    take_steps(world, 3);
    sup_world_destroy(world);
    assert_int_equal(memory.blocks, 0);
}

/* ---- Same bits ---- */

static uint64_t hash_after(sup_world* world, int32_t steps) {
    take_steps(world, steps);
    uint64_t hash = sup_world_hash(world);
    sup_world_destroy(world);
    return hash;
}

static sup_world* copy_of(const sup_world* world, int32_t threads) {
    sup_bytes bytes;
    sup_error error = {0};
    sup_world_def def = sup_world_default();
    def.threads = threads;
    sup_world* copy = make_world(&def);
    assert_ok(sup_world_save(world, &bytes, &error), error);
    assert_ok(sup_world_restore(copy, bytes.data, bytes.size, &error), error);
    sup_bytes_free(&bytes);
    return copy;
}

/* Two regions, one cluster or several, that meet the floor and fly by; a large body among them. */
static sup_world* make_crowd(sup_blueprint* prints[LEVELS], sup_body bodies[4], int32_t threads) {
    sup_world_def def = sup_world_default();
    def.threads = threads;
    sup_world* world = make_world(&def);
    add_floor(world);
    for (int i = 0; i < 4; i++) {
        sup_body_def start = body_at(prints[i % LEVELS], 1.1 * i, 0.5 + i, 0);
        start.angular_velocity[1] = 2;
        start.material.mode = (sup_match_mode)(i % 3);
        bodies[i] = add_body(world, &start);
    }
    return world;
}

/* Threads, and a snapshot right after or right before a change, change no bit. */
static void snapshots_and_threads_go_on_alike(void** state) {
    (void)state;
    sup_blueprint* prints[LEVELS];
    make_levels(prints);
    uint64_t ends[2];
    for (int32_t threads = 1; threads <= 2; threads++) {
        sup_body bodies[4];
        sup_world* world = make_crowd(prints, bodies, threads);
        for (int k = 0; k < 12; k++) {
            take_steps(world, 5);
            sup_world* copy = copy_of(world, 3 - threads);
            for (int n = 0; n < 2; n++) {
                sup_world* one = n ? world : copy;
                change(one, bodies[k % 4], prints[(k + 1) % LEVELS]);
                sup_match_mode mode = (sup_match_mode)(k % 3);
                assert_int_equal(sup_body_set_mode(one, bodies[(k + 1) % 4], mode, NULL), SUP_OK);
            }
            assert_int_equal(sup_world_hash(copy), sup_world_hash(world));
            assert_int_equal(hash_after(copy, 4), hash_after(copy_of(world, threads), 4));
        }
        ends[threads - 1] = hash_after(world, 10);
    }
    assert_int_equal(ends[0], ends[1]);
    release_all(prints);
}

/* One cluster that meets nothing carries its sums from substep to substep: a copy, which has none,
   must go on alike from every mode to every other. */
static void a_change_of_mode_forgets_carried_sums(void** state) {
    (void)state;
    sup_blueprint* print = level_of(0);
    for (int n = 0; n < 2 * 9; n++) {
        sup_world* world = make_world(NULL);
        sup_body_def def = body_at(print, 0, 50, 0);
        def.material.mode = (sup_match_mode)(n / 3 % 3);
        def.angular_velocity[0] = 9;
        sup_body body = add_body(world, &def);
        take_steps(world, 5);
        sup_world* copy = copy_of(world, 1);
        sup_material material = def.material;
        material.mode = (sup_match_mode)(n % 3);
        sup_world* by_mode = n < 9 ? world : copy;
        sup_world* by_material = n < 9 ? copy : world;
        assert_int_equal(sup_body_set_mode(by_mode, body, material.mode, NULL), SUP_OK);
        assert_int_equal(sup_body_set_material(by_material, body, &material, NULL), SUP_OK);
        assert_int_equal(hash_after(world, 5), hash_after(copy, 5));
    }
    sup_blueprint_release(print);
}

/* Regions keep their materials, and all of them change their mode together. */
static void regions_change_mode_together(void** state) {
    (void)state;
    uint8_t regions[56];
    for (int i = 0; i < 56; i++) regions[i] = (uint8_t)(i % 2);
    sup_blueprint_def def = sup_blueprint_default();
    def.regions = regions;
    def.region_count = 2;
    sup_blueprint* print = cube_like(def);
    def.layout = SUP_CLUSTERS_CUBES;
    def.cube = 0.7;
    sup_blueprint* fine = cube_like(def);
    sup_world* world = make_weightless_world();
    sup_body_def start = body_at(print, 0, 0, 0);
    sup_material materials[2] = {start.material, start.material};
    materials[1].stiffness = 20;
    start.region_materials = materials;
    sup_body body = add_body(world, &start);
    assert_int_equal(sup_body_set_mode(world, body, SUP_MATCH_QUADRATIC, NULL), SUP_OK);
    assert_int_equal(sup_body_set_mode(world, body, (sup_match_mode)3, NULL), SUP_BAD_ARGUMENT);
    change(world, body, fine);
    take_steps(world, 2);
    materials[1].mode = SUP_MATCH_QUADRATIC;
    sup_error error = {0};
    assert_ok(sup_body_set_region_material(world, body, 1, &materials[1], &error), error);
    sup_world_destroy(world);
    sup_blueprint_release(print);
    sup_blueprint_release(fine);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(nothing_jumps),
        cmocka_unit_test(momenta_stay_over_many_changes),
        cmocka_unit_test(others_do_not_notice),
        cmocka_unit_test(attachments_and_meetings_stay),
        cmocka_unit_test(another_rest_shape),
        cmocka_unit_test(what_is_lasting_stays),
        cmocka_unit_test(gathered_strain_stays),
        cmocka_unit_test(rotations_know_what_is_lasting),
        cmocka_unit_test(other_particles_are_refused),
        cmocka_unit_test(equal_blueprints_wake_nobody),
        cmocka_unit_test(snapshots_and_threads_go_on_alike),
        cmocka_unit_test(a_change_of_mode_forgets_carried_sums),
        cmocka_unit_test(regions_change_mode_together),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
