/* Cloth and ropes that meet themselves and each other in a world: no crossing, the same bits
   everywhere, refusals, memory, snapshots, sleep. */
#include "allocators.h"
#include "world/sheets.h"

/* ---- Two bodies ---- */

static void two_sheets_meet_and_are_told(void** state) {
    (void)state;
    cloth c = cloth_make(short_tests() ? 8 : 20, false);
    sup_world* world = quiet_world(2, 1, SUP_SIMD_AUTO);
    sup_body bodies[2];
    const double none[3] = {0, 0, 0};
    assert_int_equal(sup_world_set_gravity(world, none, NULL), SUP_OK);
    bodies[0] = cloth_put(world, &c, true, 0, (double[3]){0, 0, 0});
    bodies[1] = cloth_put(world, &c, true, 0, (double[3]){1000.2, 0.4, 0.1});
    sup_point* p = calloc((size_t)c.count, sizeof *p);
    sup_vec3* v = calloc((size_t)c.count, sizeof *v);
    sup_spring_settings exact = sup_spring_settings_default();
    exact.meets_itself = true;
    exact.tolerance = 1e-6; /* what a solve leaves is momentum too */
    exact.iterations = 1000;
    for (int b = 0; b < 2; b++) { /* tilted against each other; the second comes from far away */
        assert_int_equal(sup_body_set_springs(world, bodies[b], &exact, NULL), SUP_OK);
        sup_body_read_particles(world, bodies[b], p, v);
        for (int32_t i = 0; i < c.count; i++) {
            if (b) p[i].x -= 1000;
            p[i].y += b ? 0.3 * p[i].z : -0.3 * p[i].z + 0.2 * p[i].x;
            v[i] = (sup_vec3){0, b ? -10.0f : 10.0f, 0};
        }
        assert_int_equal(sup_body_write_particles(world, bodies[b], p, v, NULL), SUP_OK);
    }
    double before = sup_world_measure(world).momentum[1], all = 2 * 0.2 * 10;
    sup_measures lower, later;
    sup_body_measure(world, bodies[0], &lower);
    double push = 0;
    int32_t met = 0; /* contacts are those of last substeps, impulses those of steps */
    for (int32_t f = 0; f < (short_tests() ? 6 : 20); f++) {
        assert_int_equal(sup_world_step(world, 1.0 / 60), SUP_OK);
        assert_int_equal(crossings(world, &c, bodies, 2), 0);
        int32_t count;
        const sup_meeting* m = sup_world_meetings(world, &count);
        for (int32_t i = 0; i < count; i++) {
            assert_true(m[i].normal_impulse > 0);
            met += m[i].contact_count;
        }
        if (count > 0) push += m->impulse[1];
    }
    assert_true(met > 0);
    /* What meetings say is what has stopped and turned the lower one; drag takes the rest. */
    sup_body_measure(world, bodies[0], &later);
    double change = later.momentum[1] - lower.momentum[1];
    print_message("pushed by %.4g of %.4g N s\n", push, change);
    assert_true(push < 0 && fabs(push - change) < 0.02 * all);
    /* They leave each other with as much as they came, but for drag, which takes alike. */
    assert_true(fabs(sup_world_measure(world).momentum[1] - before) < 1e-4 * all);
    free(p);
    free(v);
    sup_world_destroy(world);
    cloth_free(&c);
}

/* ---- Single contacts ---- */

enum { CONTACTS_MOST = 20000 };

static bool same(sup_body a, sup_body b) { return a.slot == b.slot && a.age == b.age; }

static double place_gap(const sup_world* world, const cloth* c, sup_body body, int32_t particle,
                        const double point[3]) {
    sup_point* p = calloc((size_t)c->count, sizeof *p);
    assert_true(particle >= 0 && particle < c->count);
    sup_body_read_particles(world, body, p, NULL);
    double d[3] = {p[particle].x - point[0], p[particle].y - point[1], p[particle].z - point[2]};
    free(p);
    return sqrt(d[0] * d[0] + d[1] * d[1] + d[2] * d[2]);
}

/* What is said of a contact fits what is said of its bodies. */
static void check_contact(const sup_world* world, const cloth* c, const sup_contact* one,
                          double thickness) {
    double length = 0, rub = 0, across = 0;
    for (int k = 0; k < 3; k++) {
        length += (double)one->normal[k] * (double)one->normal[k];
        rub += (double)one->friction_impulse[k] * (double)one->friction_impulse[k];
        across += (double)one->friction_impulse[k] * (double)one->normal[k];
    }
    assert_true(fabs(length - 1) < 1e-4);
    assert_true(one->normal_impulse > 0 && one->depth >= 0);
    /* The material's, static. */
    assert_true(sqrt(rub) <= 0.5 * (double)one->normal_impulse * 1.001 + 1e-9);
    assert_true(fabs(across) <= 1e-3 * sqrt(rub) + 1e-9);
    /* Somewhere on the triangle or edge that has the particle, and half the thickness off. */
    double reach = 1.5 / (c->side - 1) + thickness;
    assert_true(place_gap(world, c, one->body, one->particle, one->point) < reach);
    assert_true(place_gap(world, c, one->other, one->other_particle, one->point) < reach);
}

/* One substep: sums over the list are those of the meetings, one after the other, and what is left
   over is of a body and itself. Returns how many of these there are. */
static int32_t check_contacts(const sup_world* world, const cloth* c, double thickness) {
    static sup_contact contacts[CONTACTS_MOST];
    int32_t count, at = 0, alone = 0, total = sup_world_contacts(world, contacts, CONTACTS_MOST);
    assert_true(total <= CONTACTS_MOST);
    assert_int_equal(total, sup_world_measure(world).contact_count);
    const sup_meeting* m = sup_world_meetings(world, &count);
    for (int32_t i = 0; i < count; i++) {
        double normal = 0, sum[3] = {0, 0, 0};
        for (int32_t k = 0; k < m[i].contact_count; at++) {
            assert_true(at < total);
            const sup_contact* one = contacts + at;
            if (one->other_particle >= 0) check_contact(world, c, one, thickness);
            if (same(one->body, one->other)) {
                alone++;
                continue;
            }
            k++;
            assert_true(same(one->body, m[i].body) && same(one->other, m[i].other));
            assert_true((double)one->depth <= m[i].deepest * (1 + 1e-6));
            normal += (double)one->normal_impulse;
            for (int j = 0; j < 3; j++) {
                sum[j] += (double)one->normal_impulse * (double)one->normal[j] +
                          (double)one->friction_impulse[j];
            }
        }
        assert_true(fabs(normal - m[i].normal_impulse) < 1e-4 * normal);
        for (int j = 0; j < 3; j++) assert_true(fabs(sum[j] - m[i].impulse[j]) < 1e-4 * normal);
    }
    for (; at < total; at++) {
        assert_true(same(contacts[at].body, contacts[at].other));
        alone++;
    }
    return alone;
}

/* A fold on a plane, and a sheet that falls on it. */
static void contacts_are_told_one_by_one(void** state) {
    (void)state;
    cloth c = cloth_make(short_tests() ? 8 : 14, false);
    const double thickness = 0.02;
    sup_world* world = quiet_world(1, 1, SUP_SIMD_AUTO);
    sup_error error = {0};
    sup_collider_def plane = sup_collider_default();
    sup_collider collider;
    plane.kind = SUP_COLLIDER_PLANE;
    assert_ok(sup_collider_create(world, &plane, &collider, &error), error);
    sup_body fold = cloth_put(world, &c, true, thickness, (double[3]){0, 0.03, 0});
    cloth_fold(world, &c, fold, 0.08, (double[3]){0, -1, 0});
    sup_body sheet = cloth_put(world, &c, true, thickness, (double[3]){-0.1, 0.2, 0.03});
    int32_t alone = 0, met = 0, count;
    double deepest = 0;
    for (int32_t f = 0; f < 120; f++) {
        assert_int_equal(sup_world_step(world, 1.0 / 240), SUP_OK);
        alone += check_contacts(world, &c, thickness);
        const sup_meeting* m = sup_world_meetings(world, &count);
        for (int32_t i = 0; i < count; i++) {
            if (!same(m[i].other, sheet)) continue;
            met++;
            assert_true(m[i].impulse[1] < 0); /* the fold is pushed down */
        }
        deepest = fmax(deepest, sup_world_measure(world).deepest);
    }
    assert_true(alone > 0 && met > 0 && deepest > 0);
    sup_contact one, guard = {.particle = 77}, few[2] = {guard, guard};
    int32_t total = sup_world_contacts(world, NULL, 0);
    assert_true(total > 1);
    assert_int_equal(sup_world_contacts(world, few, 1), total);
    assert_int_equal(few[1].particle, 77);
    assert_int_equal(sup_world_contacts(world, &one, 1), total);
    /* An edit makes the world forget them. */
    sup_body_destroy(world, fold);
    assert_int_equal(sup_world_contacts(world, few, 1), 0);
    assert_int_equal(sup_world_measure(world).contact_count, 0);
    sup_world_destroy(world);
    cloth_free(&c);
}

/* A rope across another that is held at both ends: only edges see it, and it stays above. */
static void a_rope_lies_on_a_rope(void** state) {
    (void)state;
    enum { COUNT = 25 };
    for (int folds = 0; folds < 2; folds++) {
        sup_world* world = quiet_world(4, 1, SUP_SIMD_AUTO);
        sup_error error = {0};
        sup_body ropes[2];
        for (int r = 0; r < 2; r++) {
            sup_vec3 points[COUNT];
            float masses[COUNT];
            sup_spring springs[COUNT];
            const int32_t pins[2] = {0, COUNT - 1};
            for (int32_t i = 0; i < COUNT; i++) {
                float s = 0.04f * (float)(i - COUNT / 2);
                points[i] = r ? (sup_vec3){0.013f, 0, s} : (sup_vec3){s, 0, 0.011f};
                masses[i] = 0.004f;
                springs[i] = (sup_spring){i, i + 1, -1, 2000, -1, SUP_SPRING_STRUCT, false};
            }
            sup_blueprint_def def = sup_blueprint_default();
            def.points = points;
            def.point_count = COUNT;
            def.masses = masses;
            def.layout = SUP_CLUSTERS_NONE;
            def.springs = springs;
            def.spring_count = COUNT - 1;
            def.spring_damping = 0.1;
            def.pins = pins;
            def.pin_count = r ? 0 : 2;
            def.radius = -1;
            sup_blueprint* print;
            assert_ok(sup_blueprint_create(&def, &print, &error), error);
            sup_body_def body = sup_body_default();
            body.blueprint = print;
            body.springs.meets_itself = folds;
            body.springs.thickness = 0.02;
            body.springs.drag = 1;
            body.position[1] = r ? 0.3 : 0;
            body.velocity[1] = r ? -8 : 0;
            assert_ok(sup_body_create(world, &body, &ropes[r], &error), error);
            sup_blueprint_release(print);
        }
        for (int32_t f = 0; f < 30; f++) {
            assert_int_equal(sup_world_step(world, 1.0 / 60), SUP_OK);
        }
        sup_point low[COUNT], high[COUNT];
        sup_body_read_particles(world, ropes[0], low, NULL);
        sup_body_read_particles(world, ropes[1], high, NULL);
        double gap = high[COUNT / 2].y - low[COUNT / 2].y;
        assert_true(folds ? gap > 0.01 : gap < -0.2);
        sup_world_destroy(world);
    }
}

/* ---- Same bits ---- */

static void all_threads_and_instructions_agree(void** state) {
    (void)state;
    cloth c = cloth_make(12, false);
    const sup_simd simds[] = {SUP_SIMD_AUTO, SUP_SIMD_SCALAR, SUP_SIMD_AUTO};
    const int32_t threads[] = {1, 1, 3};
    uint64_t want = 0;
    for (int i = 0; i < 3; i++) {
        if (simds[i] == SUP_SIMD_SCALAR && !every_copy()) continue;
        sup_body body;
        sup_world* world = drop_world(&c, true, 0, threads[i], simds[i], &body);
        for (int32_t f = 0; f < 25; f++) sup_world_step(world, 1.0 / 60);
        if (i == 0) want = sup_world_hash(world);
        assert_int_equal(sup_world_hash(world), want);
        sup_world_destroy(world);
    }
    cloth_free(&c);
}

/* The settings are part of the state; a world that was saved goes on as the other. */
static void a_snapshot_goes_on_alike(void** state) {
    (void)state;
    cloth c = cloth_make(12, true);
    sup_error error = {0};
    sup_body body, other;
    sup_world* world = drop_world(&c, true, 0.03, 1, SUP_SIMD_AUTO, &body);
    sup_world* plain = drop_world(&c, false, 0.03, 1, SUP_SIMD_AUTO, &other);
    assert_true(sup_world_hash(world) != sup_world_hash(plain));
    for (int32_t f = 0; f < 12; f++) sup_world_step(world, 1.0 / 60);
    sup_bytes bytes = {0};
    assert_ok(sup_world_save(world, &bytes, &error), error);
    assert_ok(sup_world_restore(plain, bytes.data, bytes.size, &error), error);
    assert_int_equal(sup_world_hash(world), sup_world_hash(plain));
    for (int32_t f = 0; f < 12; f++) {
        sup_world_step(world, 1.0 / 60);
        sup_world_step(plain, 1.0 / 60);
    }
    assert_int_equal(sup_world_hash(world), sup_world_hash(plain));
    assert_true(sup_world_measure(plain).thin.candidates > 0);
    sup_bytes_free(&bytes);
    sup_world_destroy(world);
    sup_world_destroy(plain);
    cloth_free(&c);
}

/* ---- Memory ---- */

static void a_step_without_memory_changes_nothing(void** state) {
    (void)state;
    cloth c = cloth_make(8, false);
    test_allocator counter;
    sup_error error = {0};
    sup_world_def def = sup_world_default();
    def.allocator = test_allocator_init(&counter);
    def.sleep_speed = 0;
    sup_world* world;
    assert_ok(sup_world_create(&def, &world, &error), error);
    sup_body body = cloth_put(world, &c, true, 0, (double[3]){0, 0, 0});
    cloth_fold(world, &c, body, 0.2, (double[3]){0, 1, 0});
    int32_t failed = 0;
    for (long long at = 1;; at++) {
        uint64_t before = sup_world_hash(world);
        test_allocator_arm(&counter, at, true);
        sup_result result = sup_world_step(world, 1.0 / 60);
        if (result == SUP_OK) break;
        assert_int_equal(result, SUP_NO_MEMORY);
        assert_int_equal(sup_world_hash(world), before);
        test_allocator_arm(&counter, 0, false);
        failed++;
        assert_true(at < 200);
    }
    assert_true(failed > 5);
    /* Warm: nothing is allocated while no more pairs come near. */
    test_allocator_arm(&counter, 0, false);
    for (int32_t f = 0; f < 10; f++) sup_world_step(world, 1.0 / 60);
    cloth_fold(world, &c, body, 0.2, (double[3]){0, 0, 0});
    assert_int_equal(sup_world_step(world, 1.0 / 60), SUP_OK);
    test_allocator_arm(&counter, 1, true);
    assert_int_equal(sup_world_step(world, 1.0 / 60), SUP_OK);
    sup_world_destroy(world);
    assert_int_equal(atomic_load(&counter.blocks), 0);
    cloth_free(&c);
}

/* ---- Refusals and changes ---- */

static void what_cannot_meet_itself_is_refused(void** state) {
    (void)state;
    sup_world* world = quiet_world(2, 1, SUP_SIMD_AUTO);
    cloth c = cloth_make(5, false);
    sup_body_def def = sup_body_default();
    sup_error error = {0};
    sup_body body;
    def.blueprint = c.print;
    def.springs.meets_itself = true;
    def.springs.thickness = -1;
    assert_int_equal(sup_body_create(world, &def, &body, &error), SUP_BAD_ARGUMENT);
    def.springs.thickness = NAN;
    assert_int_equal(sup_body_create(world, &def, &body, &error), SUP_BAD_ARGUMENT);
    def.springs.thickness = 0;
    def.locked = SUP_AXIS_Z;
    assert_int_equal(sup_body_create(world, &def, &body, &error), SUP_BAD_ARGUMENT);
    assert_non_null(strstr(error.text, "meet themselves"));
    def.springs.meets_itself = false;
    assert_ok(sup_body_create(world, &def, &body, &error), error);
    def.springs.meets_itself = true;
    assert_int_equal(sup_body_set_springs(world, body, &def.springs, &error), SUP_BAD_ARGUMENT);
    sup_world_destroy(world);
    cloth_free(&c);
}

/* Springs that are no edges: there is nothing to meet. */
static void a_body_without_edges_meets_nobody(void** state) {
    (void)state;
    sup_world* world = quiet_world(2, 1, SUP_SIMD_AUTO);
    sup_error error = {0};
    const sup_vec3 points[3] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}};
    const float masses[3] = {1, 1, 1};
    const sup_spring springs[2] = {{0, 1, -1, 100, -1, SUP_SPRING_SHEAR, false},
                                   {1, 2, -1, 100, -1, SUP_SPRING_SHEAR, false}};
    sup_blueprint_def def = sup_blueprint_default();
    def.points = points;
    def.point_count = 3;
    def.masses = masses;
    def.layout = SUP_CLUSTERS_NONE;
    def.springs = springs;
    def.spring_count = 2;
    sup_blueprint* print;
    assert_ok(sup_blueprint_create(&def, &print, &error), error);
    sup_body_def body = sup_body_default();
    sup_body made;
    body.blueprint = print;
    body.springs.meets_itself = true;
    assert_ok(sup_body_create(world, &body, &made, &error), error);
    assert_int_equal(sup_world_step(world, 1.0 / 60), SUP_OK);
    assert_int_equal(sup_world_measure(world).thin.candidates, 0);
    sup_blueprint_release(print);
    sup_world_destroy(world);
}

/* Turned on and off while the world runs; bodies that go while others stay. */
static void it_may_be_turned_on_later(void** state) {
    (void)state;
    cloth c = cloth_make(10, false);
    sup_error error = {0};
    sup_body body;
    sup_world* world = drop_world(&c, false, 0, 1, SUP_SIMD_AUTO, &body);
    sup_body second = cloth_put(world, &c, true, 0, (double[3]){0, 1.2, 0});
    sup_spring_settings s = sup_spring_settings_default();
    s.meets_itself = true;
    assert_ok(sup_body_set_springs(world, body, &s, &error), error);
    for (int32_t f = 0; f < 20; f++) {
        assert_int_equal(sup_world_step(world, 1.0 / 60), SUP_OK);
        assert_int_equal(crossings(world, &c, (sup_body[]){body, second}, 2), 0);
    }
    assert_true(sup_world_measure(world).thin.candidates > 0);
    s.meets_itself = false;
    assert_ok(sup_body_set_springs(world, body, &s, &error), error);
    sup_body_destroy(world, second);
    assert_int_equal(sup_world_step(world, 1.0 / 60), SUP_OK);
    assert_int_equal(sup_world_measure(world).thin.candidates, 0);
    sup_world_destroy(world);
    cloth_free(&c);
}

/* Pieces of what tears go on to meet each other, and nothing breaks. */
static void a_torn_sheet_meets_itself(void** state) {
    (void)state;
    cloth c = cloth_make(12, true);
    sup_error error = {0};
    sup_body body;
    sup_world* world = drop_world(&c, true, 0.02, 1, SUP_SIMD_AUTO, &body);
    sup_spring_settings s = sup_spring_settings_default();
    s.meets_itself = true;
    s.thickness = 0.02;
    s.tear = 0.03;
    assert_ok(sup_body_set_springs(world, body, &s, &error), error);
    int32_t torn = 0;
    for (int32_t f = 0; f < 60; f++) {
        assert_int_equal(sup_world_step(world, 1.0 / 60), SUP_OK);
        sup_measures m = sup_world_measure(world);
        torn = m.springs.torn;
        assert_true(isfinite(m.kinetic));
    }
    assert_true(torn > 0);
    sup_world_destroy(world);
    cloth_free(&c);
}

/* ---- Sleep ---- */

static void who_lies_on_a_sleeper_wakes_it(void** state) {
    (void)state;
    cloth c = cloth_make(8, false);
    sup_error error = {0};
    sup_world_def def = sup_world_default();
    sup_world* world;
    assert_ok(sup_world_create(&def, &world, &error), error);
    sup_collider_def plane = sup_collider_default();
    sup_collider collider;
    plane.kind = SUP_COLLIDER_PLANE;
    assert_ok(sup_collider_create(world, &plane, &collider, &error), error);
    sup_body low = cloth_put(world, &c, true, 0.02, (double[3]){0, 0.01, 0});
    int32_t f = 0;
    while (!sup_body_is_asleep(world, low) && f++ < 400) sup_world_step(world, 1.0 / 60);
    assert_true(sup_body_is_asleep(world, low));
    sup_body high = cloth_put(world, &c, true, 0.02, (double[3]){0.03, 0.4, 0.02});
    bool woke = false;
    for (f = 0; f < 60; f++) {
        sup_world_step(world, 1.0 / 60);
        woke = woke || !sup_body_is_asleep(world, low);
        assert_int_equal(crossings(world, &c, (sup_body[]){low, high}, 2), 0);
    }
    assert_true(woke);
    sup_world_destroy(world);
    cloth_free(&c);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(two_sheets_meet_and_are_told),
        cmocka_unit_test(contacts_are_told_one_by_one),
        cmocka_unit_test(a_rope_lies_on_a_rope),
        cmocka_unit_test(all_threads_and_instructions_agree),
        cmocka_unit_test(a_snapshot_goes_on_alike),
        cmocka_unit_test(a_step_without_memory_changes_nothing),
        cmocka_unit_test(what_cannot_meet_itself_is_refused),
        cmocka_unit_test(a_body_without_edges_meets_nobody),
        cmocka_unit_test(it_may_be_turned_on_later),
        cmocka_unit_test(a_torn_sheet_meets_itself),
        cmocka_unit_test(who_lies_on_a_sleeper_wakes_it),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
