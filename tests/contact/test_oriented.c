/* Oriented runs through the contact lists: found, swept and bounced as a world does it. */
#include "sizes.h"

#include "allocators.h"
#include "base/hash.h"
#include "contact/boxes.h"
#include "contact/contacts.h"
#include "contact/ellipsoids.h"
#include "contact/kin.h"
#include "contact/momenta.h"
#include "contact/vec3.h"
#include "geom/turn.h"

#include <string.h>

#define GRAVITY 9.81f
enum { ROWS = 400, RUNS = 24, COLLIDERS = 2 };

/* Free particles; each run is oriented or plain. */
typedef struct scene {
    int32_t run_count, row_count, sweeps, collider_count;
    supi_run runs[RUNS];
    supi_grip grips[RUNS];
    supi_oriented oriented[RUNS];
    sup_row x[ROWS], v[ROWS], w[ROWS], radii[ROWS];
    sup_quat q[ROWS], axes[ROWS];
    supi_moments inertia[ROWS];
    uint8_t flags[ROWS];
    sup_vec3 flat[ROWS], rest[ROWS];
    supi_self self;
    int32_t none[ROWS + 1];
    sup_collider_def colliders[COLLIDERS];
    supi_contacts contacts;
    supi_tasks* tasks;
    const sup_allocator* allocator;
    float gravity;
} scene;

static scene* make_scene(int32_t workers) {
    scene* s = calloc(1, sizeof *s);
    s->sweeps = 2;
    s->gravity = GRAVITY;
    s->allocator = sup_allocator_default();
    assert_int_equal(supi_tasks_create(s->allocator, workers, NULL, &s->tasks, NULL), SUP_OK);
    return s;
}

static void free_scene(scene* s) {
    supi_contacts_free(&s->contacts, s->allocator);
    supi_tasks_destroy(s->tasks);
    free(s);
}

static int32_t add_run(scene* s, bool oriented, float friction) {
    int32_t i = s->run_count++, first = s->row_count;
    s->grips[i] = (supi_grip){friction, friction, 0, false};
    s->oriented[i] = (supi_oriented){.axes = s->axes + first,
                                     .radii = s->radii + first,
                                     .turn = s->q + first,
                                     .spin = s->w + first,
                                     .inertia = s->inertia + first,
                                     .flags = s->flags + first,
                                     .flat = s->flat + first};
    s->runs[i] = (supi_run){.first = first,
                            .spacing = 0.1f,
                            .grips = &s->grips[i],
                            .grip_count = 1,
                            .filter = {1, UINT32_MAX},
                            .oriented = oriented ? &s->oriented[i] : NULL};
    return i;
}

/* To the last run. */
static int32_t add_row(scene* s, sup_vec3 at, const float radii[3], float mass, int flags) {
    int32_t i = s->row_count++;
    supi_run* run = &s->runs[s->run_count - 1];
    float a = radii[0] * radii[0], b = radii[1] * radii[1], c = radii[2] * radii[2];
    float most = fmaxf(radii[0], fmaxf(radii[1], radii[2]));
    run->count++;
    s->x[i] = (sup_row){at.x, at.y, at.z, 1 / mass};
    s->v[i].w = most;
    s->q[i] = s->axes[i] = (sup_quat){0, 0, 0, 1};
    s->radii[i] = (sup_row){radii[0], radii[1], radii[2], 0};
    s->inertia[i] =
        (supi_moments){{5 / (mass * (b + c)), 5 / (mass * (a + c)), 5 / (mass * (a + b)), 0, 0, 0}};
    s->flags[i] = (uint8_t)flags;
    supi_oriented* o = &s->oriented[s->run_count - 1];
    o->reach = most > o->reach ? most : o->reach;
    return i;
}

static sup_collider_def* add_collider(scene* s, sup_collider_kind kind, float friction) {
    sup_collider_def* def = &s->colliders[s->collider_count++];
    *def = (sup_collider_def){.size = sizeof *def,
                              .kind = kind,
                              .filter = {1, UINT32_MAX},
                              .rotation = {0, 0, 0, 1},
                              .radius = 0.5,
                              .half_size = {0.5, 0.5, 0.5},
                              .half_length = 0.5,
                              .friction_static = (double)friction,
                              .friction_kinetic = (double)friction};
    return def;
}

static void predict(scene* s, float h) {
    for (int32_t i = 0; i < s->row_count; i++) {
        if (!(s->x[i].w > 0)) continue;
        s->v[i].y -= s->gravity * h;
        s->x[i].x += h * s->v[i].x;
        s->x[i].y += h * s->v[i].y;
        s->x[i].z += h * s->v[i].z;
        s->q[i] = supi_turn_by(s->q[i], supi_vec3_scaled(supi_vec3_of_row(&s->w[i]), h));
    }
}

static sup_result find(scene* s, float h) {
    supi_solid solids[COLLIDERS];
    fit_boxes(s->runs, s->run_count, s->x, s->v);
    for (int32_t i = 0; i < s->collider_count; i++) {
        const sup_collider_def* d = &s->colliders[i];
        supi_solid_make(d, NULL, NULL, &solids[i]);
        supi_solid_pose(&solids[i], d->position, d->rotation, d->position, d->rotation, (double)h);
    }
    return supi_contacts_find(&s->contacts, s->allocator, s->tasks, s->runs, s->run_count, solids,
                              s->collider_count, NULL, s->x, s->v, h);
}

static void substep(scene* s, float h) {
    predict(s, h);
    assert_int_equal(find(s, h), SUP_OK);
    for (int32_t i = 0; i < s->sweeps; i++) {
        supi_contacts_sweep(&s->contacts, s->tasks, s->x, s->v, h);
    }
    supi_contacts_bounce(&s->contacts, s->tasks, s->x, s->v, h, s->gravity);
}

static void run(scene* s, float time, float h) {
    for (int i = 0; i < (int)(time / h + 0.5f); i++) substep(s, h);
}

/* ---- Colliders ---- */

static void rolls_on_a_plane(void** state) {
    (void)state;
    const float shapes[3][3] = {{0.1f, 0.1f, 0.1f}, {0.1f, 0.1f, 0.2f}, {0.1f, 0.1f, 0.05f}};
    for (int k = 0; k < 3; k++) {
        scene* s = make_scene(1);
        add_collider(s, SUP_COLLIDER_PLANE, 0.3f);
        add_run(s, true, 0.3f);
        add_row(s, (sup_vec3){0, 0.1f, 0}, shapes[k], 1, SUPI_TIPS | SUPI_ROLLS);
        s->v[0].x = 3;
        double rolled = 0;
        for (int i = 0; i < 2 * 480; i++) {
            substep(s, 1.0f / 480);
            if (rolled == 0 && s->v[0].x + 0.1f * s->w[0].z < 1e-3f) rolled = (i + 1) / 480.0;
        }
        double expected = 2 * 3 / (7 * 0.3 * (double)GRAVITY);
        print_message("rolls at %.4f of 5/7 v0 after %.4f of the time\n",
                      (double)s->v[0].x / (15.0 / 7), rolled / expected);
        assert_true(fabs((double)s->v[0].x / (15.0 / 7) - 1) < 0.01);
        assert_true(fabs(rolled / expected - 1) < 0.03);
        free_scene(s);
    }
}

/* How deep a row is in the first collider. */
static float depth_of(const scene* s) {
    return supi_contacts_measure(&s->contacts, s->x, s->v).touch_deepest;
}

static void discs_never_pass_a_plane(void** state) {
    (void)state;
    uint64_t seed = 1;
    float worst = 0;
    for (int32_t i = 0; i < (short_tests() ? 20 : 4000); i++) {
        float r = i % 2 ? 0.1f : 0.4f;
        scene* s = make_scene(1);
        add_collider(s, SUP_COLLIDER_PLANE, 0.3f);
        add_run(s, true, 0.3f);
        add_row(s, (sup_vec3){0, 1.5f * r, 0}, (float[3]){r, r / 8, r}, 1,
                i / 2 % 2 ? SUPI_TIPS | SUPI_ROLLS : 0);
        s->q[0] = random_turn(&seed);
        sup_vec3 spin = random_offset(&seed, 20);
        s->w[0] = (sup_row){spin.x, spin.y, spin.z, 0};
        s->v[0].y = -5;
        for (int k = 0; k < 120; k++) {
            substep(s, 1.0f / 240);
            assert_true(s->x[0].y > 0);
            worst = fmaxf(worst, depth_of(s) / r);
        }
        free_scene(s);
    }
    print_message("discs: depth %.1e r\n", (double)worst);
    assert_true(worst < 1e-3f);
}

/* Dropped on things of every kind, an ellipsoid rocks on them or falls off, and is in none. */
static void lands_on_everything(void** state) {
    (void)state;
    const sup_collider_kind kinds[] = {SUP_COLLIDER_PLANE, SUP_COLLIDER_BOX, SUP_COLLIDER_SPHERE,
                                       SUP_COLLIDER_CAPSULE};
    for (int k = 0; k < 4; k++) {
        scene* s = make_scene(1);
        sup_collider_def* def = add_collider(s, kinds[k], 0.5f);
        def->thickness = 0.01;
        if (k == 3) def->rotation[0] = def->rotation[3] = sqrt(0.5); /* lies */
        add_run(s, true, 0.5f);
        add_row(s, (sup_vec3){0, 1, 0}, (float[3]){0.2f, 0.1f, 0.15f}, 1, SUPI_TIPS | SUPI_ROLLS);
        s->q[0] = supi_turn_exp((sup_vec3){0.1f, 0, 0.1f});
        float worst = 0, top = k == 0 ? 0 : 0.5f;
        for (int i = 0; i < 720; i++) {
            substep(s, 1.0f / 480);
            worst = fmaxf(worst, depth_of(s));
        }
        print_message("kind %d: deepest %.1e m, at %.4f m\n", (int)kinds[k], (double)worst,
                      (double)s->x[0].y);
        assert_true(worst < 1e-4f);
        if (k < 2) assert_true(s->x[0].y > top + 0.1099f && s->x[0].y < top + 0.22f);
        free_scene(s);
    }
}

static void bounces_from_a_plane(void** state) {
    (void)state;
    const double restitutions[] = {0.5, 0.8};
    for (int e = 0; e < 2; e++) {
        double left = restitutions[e] * restitutions[e];
        scene* s = make_scene(1);
        add_collider(s, SUP_COLLIDER_PLANE, 0.3f)->restitution = restitutions[e];
        add_run(s, true, 0.3f);
        add_row(s, (sup_vec3){0, 1.1f, 0}, (float[3]){0.1f, 0.1f, 0.1f}, 1, SUPI_TIPS | SUPI_ROLLS);
        float highest = 0;
        bool up = false;
        for (int i = 0; i < 480; i++) {
            substep(s, 1.0f / 480);
            up = up || s->v[0].y > 0;
            if (up) highest = fmaxf(highest, s->x[0].y - 0.1f);
        }
        print_message("comes up to %.3f of %.2f m\n", (double)highest, left);
        assert_true(fabs((double)highest / left - 1) < 0.02);
        free_scene(s);
    }
}

/* ---- Pairs ---- */

/* Two balls that cross, the second oriented or plain. */
static void glancing_hits(void** state) {
    (void)state;
    uint64_t seed = 2;
    double dp = 0, dl = 0;
    float deepest = 0;
    for (int32_t i = 0; i < 500; i++) {
        scene* s = make_scene(1);
        float friction = i % 2 ? 0.5f : 0, speed = i / 2 % 2 ? 10 : 1;
        bool plain = i % 3 == 2;
        s->gravity = 0;
        sup_vec3 along = unit_vec3(random_offset(&seed, 1));
        sup_vec3 aside = unit_vec3(supi_vec3_cross(along, random_offset(&seed, 1)));
        sup_vec3 at = supi_vec3_along(supi_vec3_scaled(along, (float)between(&seed, 0.2, 0.25)),
                                      (float)between(&seed, 0, 0.17), aside);
        add_run(s, true, friction);
        add_row(s, (sup_vec3){0, 0, 0}, (float[3]){0.1f, 0.1f, 0.1f}, 1, SUPI_TIPS | SUPI_ROLLS);
        add_run(s, !plain, friction);
        add_row(s, at, (float[3]){0.08f, 0.08f, 0.08f}, 2.5f, SUPI_TIPS | SUPI_ROLLS);
        sup_vec3 v = supi_vec3_scaled(along, 0.7f * speed),
                 u = supi_vec3_scaled(along, -0.3f * speed);
        s->v[0] = (sup_row){v.x, v.y, v.z, s->v[0].w};
        s->v[1] = (sup_row){u.x, u.y, u.z, s->v[1].w};
        momenta before = measure_momenta(s->row_count, s->x, s->v, s->w, s->inertia);
        for (int k = 0; k < (int)(240 / speed) + 2; k++) {
            substep(s, 1.0f / 480);
            sup_vec3 d = supi_vec3_minus(supi_vec3_of_row(&s->x[0]), supi_vec3_of_row(&s->x[1]));
            deepest = fmaxf(deepest, 0.18f - sqrtf(supi_vec3_dot(d, d)));
        }
        momenta after = measure_momenta(s->row_count, s->x, s->v, s->w, s->inertia);
        dp = fmax(dp, distance3(before.p, after.p) / before.p_scale);
        /* a plain particle cannot take its part of the moment that friction has about its centre */
        if (!plain || friction == 0) dl = fmax(dl, distance3(before.l, after.l) / before.l_scale);
        free_scene(s);
    }
    print_message("hits: dP %.1e dL %.1e depth %.1e m\n", dp, dl, (double)deepest);
    assert_true(dp < 1e-6 && dl < 3e-5 && deepest < 1e-6f);
}

static void stacks_stand(void** state) {
    (void)state;
    for (int k = 0; k < 2; k++) {
        float wide = k ? 0.1f : 0.15f, worst = 0;
        scene* s = make_scene(1);
        add_collider(s, SUP_COLLIDER_PLANE, 0.5f);
        for (int i = 0; i < 10; i++) {
            add_run(s, true, 0.5f);
            add_row(s, (sup_vec3){0, 0.1f + 0.2f * (float)i, 0}, (float[3]){wide, 0.1f, wide}, 1,
                    SUPI_TIPS | SUPI_ROLLS);
        }
        run(s, 0.5f, 1.0f / 480);
        for (int i = 0; i < 480; i++) {
            substep(s, 1.0f / 480);
            supi_contact_measures m = supi_contacts_measure(&s->contacts, s->x, s->v);
            worst = fmaxf(worst, fmaxf(m.pair_deepest, m.touch_deepest));
        }
        print_message("stack of %s: depth %.2f %% of r\n", k ? "spheres" : "ellipsoids",
                      1e3 * (double)worst);
        assert_true(worst < 0.02f * 0.1f);
        assert_true(s->x[9].y > 1.88f);
        free_scene(s);
    }
}

/* A layer of discs falls fast on another: with outward normals it does not get through. */
static bool layer_holds(int flags, float speed) {
    scene* s = make_scene(1);
    s->gravity = 0;
    const float radii[3] = {0.1f, 0.01f, 0.1f};
    for (int layer = 0; layer < 2; layer++) {
        add_run(s, true, 0.3f);
        for (int i = 0; i < 25; i++) {
            sup_vec3 at = {0.15f * (float)(i % 5), layer ? 0.05f : 0, 0.15f * (float)(i / 5)};
            int32_t row = add_row(s, at, radii, layer ? 1 : 1e6f, flags);
            s->flat[row] = (sup_vec3){0, layer ? -1 : 1, 0};
            if (layer) s->v[row].y = -speed;
        }
    }
    run(s, 0.2f, 1.0f / 240);
    bool holds = true;
    for (int i = 25; i < 50; i++) holds = holds && s->x[i].y > s->x[i - 25].y;
    free_scene(s);
    return holds;
}

static void thin_layers_hold(void** state) {
    (void)state;
    assert_true(layer_holds(SUPI_FLAT, 15));
    assert_false(layer_holds(0, 15)); /* 6 cm a substep: it is through before it is seen */
}

/* ---- A run that meets itself ---- */

static scene* make_chain(bool oriented, float spacing) {
    scene* s = make_scene(1);
    s->gravity = 0;
    add_run(s, oriented, 0.3f);
    for (int i = 0; i < 20; i++) {
        sup_vec3 at = {spacing * (float)i, 0, 0};
        int32_t row = add_row(s, at, (float[3]){0.06f, 0.04f, 0.05f}, 1, 0);
        s->axes[row] = supi_turn_exp((sup_vec3){0.3f * (float)i, 0.2f, 0});
        s->rest[row] = at;
    }
    s->self = (supi_self){.rest = s->rest, .joined = s->none, .joined_starts = s->none};
    s->runs[0].self = &s->self;
    return s;
}

static void overlap_at_rest_is_no_contact(void** state) {
    (void)state;
    for (int oriented = 0; oriented < 2; oriented++) {
        scene* s = make_chain(oriented, 0.03f); /* each overlaps two or three on both sides */
        run(s, 1, 1.0f / 480);
        const supi_self_list* list = &s->contacts.selves.lists[0];
        assert_true((oriented ? list->close.count : list->kept_count) > 30);
        for (int i = 0; i < 20; i++) {
            sup_vec3 v = supi_vec3_of_row(&s->v[i]);
            assert_true(supi_vec3_dot(v, v) < 1e-8f);
        }
        /* pressed together they push back */
        for (int i = 0; i < 20; i++) s->v[i].x = i < 10 ? 0.5f : -0.5f;
        run(s, 0.1f, 1.0f / 480);
        assert_true(s->x[10].x - s->x[9].x > 0.025f);
        free_scene(s);
    }
}

static void ends_of_a_chain_meet(void** state) {
    (void)state;
    for (int oriented = 0; oriented < 2; oriented++) {
        scene* s = make_chain(oriented, 0.2f);
        s->x[19] = (sup_row){0.02f, 0.5f, 0, 1};
        s->v[19] = (sup_row){0, -4, 0, s->v[19].w};
        bool passed = false;
        for (int i = 0; i < 240; i++) {
            substep(s, 1.0f / 480);
            passed = passed || s->x[19].y < s->x[0].y;
        }
        assert_false(passed);
        assert_true(s->v[0].y < -1); /* it was hit */
        free_scene(s);
    }
}

/* ---- Threads and memory ---- */

static scene* make_heap(int32_t workers) {
    uint64_t seed = 3;
    scene* s = make_scene(workers);
    add_collider(s, SUP_COLLIDER_PLANE, 0.4f)->position[1] = -0.6;
    add_collider(s, SUP_COLLIDER_BOX, 0.4f)->position[0] = 0.7;
    for (int i = 0; i < RUNS; i++) {
        add_run(s, i % 4 != 3, 0.4f);
        for (int k = 0; k < 12; k++) {
            float radii[3];
            for (int c = 0; c < 3; c++) radii[c] = (float)between(&seed, 0.03, 0.12);
            sup_vec3 at = random_offset(&seed, 0.5);
            float mass = (float)between(&seed, 1, 3);
            int32_t row = add_row(s, at, radii, mass, k % 4 ? SUPI_TIPS | SUPI_ROLLS : 0);
            s->q[row] = random_turn(&seed);
            sup_vec3 v = random_offset(&seed, 2);
            s->v[row] = (sup_row){v.x, v.y, v.z, s->v[row].w};
            s->rest[row] = supi_vec3_of_row(&s->x[row]);
        }
        s->grips[i].restitution = i % 3 ? 0 : 0.5f;
    }
    s->self = (supi_self){.rest = s->rest, .joined = s->none, .joined_starts = s->none};
    s->runs[0].self = &s->self;
    return s;
}

static void same_for_every_worker_count(void** state) {
    (void)state;
    scene* one = make_heap(1);
    scene* three = make_heap(3);
    for (int i = 0; i < 60; i++) {
        substep(one, 1.0f / 240);
        substep(three, 1.0f / 240);
    }
    assert_true(one->contacts.pair_contact_count > 20);
    uint64_t hash = supi_hash_begin();
    hash = supi_hash_floats(hash, &one->x[0].x, 4 * ROWS);
    hash = supi_hash_floats(hash, &one->q[0].x, 4 * ROWS);
    hash = supi_hash_floats(hash, &one->w[0].x, 4 * ROWS);
    assert_true(hash == UINT64_C(0x4219a870a3490287)); /* of every compiler and instruction set */
    assert_memory_equal(one->x, three->x, sizeof one->x);
    assert_memory_equal(one->v, three->v, sizeof one->v);
    assert_memory_equal(one->q, three->q, sizeof one->q);
    assert_memory_equal(one->w, three->w, sizeof one->w);
    for (int32_t i = 0; i < one->row_count; i++) {
        assert_true(isfinite(one->x[i].x) && isfinite(one->w[i].x));
        sup_quat q = one->q[i];
        assert_float_equal(q.x * q.x + q.y * q.y + q.z * q.z + q.w * q.w, 1, 1e-5);
    }
    free_scene(one);
    free_scene(three);
}

static void memory_is_kept_and_may_run_out(void** state) {
    (void)state;
    test_allocator counter;
    scene* s = make_heap(1);
    s->allocator = test_allocator_init(&counter);
    const float h = 1.0f / 240;
    assert_int_equal(find(s, h), SUP_OK);
    int32_t pairs = s->contacts.pair_contact_count, touches = s->contacts.touch_contact_count;
    long long calls = counter.calls;
    assert_int_equal(find(s, h), SUP_OK);
    assert_int_equal(counter.calls, calls);
    supi_contacts_free(&s->contacts, s->allocator);
    assert_int_equal(counter.blocks, 0);
    for (long long n = 1; n <= calls; n++) {
        test_allocator_arm(&counter, n, true);
        assert_int_equal(find(s, h), SUP_NO_MEMORY);
        assert_int_equal(s->contacts.pair_contact_count + s->contacts.touch_contact_count, 0);
        test_allocator_arm(&counter, 0, false);
        assert_int_equal(find(s, h), SUP_OK);
        assert_int_equal(s->contacts.pair_contact_count, pairs);
        assert_int_equal(s->contacts.touch_contact_count, touches);
        supi_contacts_free(&s->contacts, s->allocator);
        assert_int_equal(counter.blocks, 0);
    }
    free_scene(s);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rolls_on_a_plane),
        cmocka_unit_test(discs_never_pass_a_plane),
        cmocka_unit_test(lands_on_everything),
        cmocka_unit_test(bounces_from_a_plane),
        cmocka_unit_test(glancing_hits),
        cmocka_unit_test(stacks_stand),
        cmocka_unit_test(thin_layers_hold),
        cmocka_unit_test(overlap_at_rest_is_no_contact),
        cmocka_unit_test(ends_of_a_chain_meet),
        cmocka_unit_test(same_for_every_worker_count),
        cmocka_unit_test(memory_is_kept_and_may_run_out),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
