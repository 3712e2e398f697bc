/* Finding and solving contacts: momentum, friction, bounce, slow depenetration, memory, threads. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "allocators.h"
#include "contact/boxes.h"
#include "contact/contacts.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define GRAVITY 9.81

static uint64_t random_state = 1;

static double uniform(double low, double high) {
    random_state = random_state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return low + (high - low) * (double)(random_state >> 11) * 0x1p-53;
}

/* A world of runs without any forces inside them. */
typedef struct scene {
    supi_run* runs;
    supi_grip* grips; /* one for each run */
    sup_row *x, *v;
    int32_t run_count, row_count;
    sup_collider_def colliders[4];
    int32_t collider_count;
    supi_contacts contacts;
    supi_tasks* tasks;
    const sup_allocator* allocator;
    int32_t sweeps;
} scene;

static scene make_scene(int32_t run_count, int32_t run_size) {
    scene s = {.run_count = run_count, .row_count = run_count * run_size, .sweeps = 2};
    s.allocator = sup_allocator_default();
    s.runs = calloc((size_t)run_count, sizeof *s.runs);
    s.grips = calloc((size_t)run_count, sizeof *s.grips);
    s.x = calloc((size_t)s.row_count, sizeof *s.x);
    s.v = calloc((size_t)s.row_count, sizeof *s.v);
    assert_int_equal(supi_tasks_create(s.allocator, 1, NULL, &s.tasks, NULL), SUP_OK);
    for (int32_t i = 0; i < run_count; i++) {
        s.runs[i] = (supi_run){.first = i * run_size,
                               .count = run_size,
                               .spacing = 0.1f,
                               .grips = &s.grips[i],
                               .grip_count = 1,
                               .filter = {1, UINT32_MAX}};
        for (int32_t k = 0; k < run_size; k++) s.x[i * run_size + k].w = 1;
    }
    return s;
}

static void free_scene(scene* s) {
    supi_contacts_free(&s->contacts, s->allocator);
    supi_tasks_destroy(s->tasks);
    free(s->runs);
    free(s->grips);
    free(s->x);
    free(s->v);
}

static void use_workers(scene* s, int32_t workers) {
    supi_tasks_destroy(s->tasks);
    assert_int_equal(supi_tasks_create(sup_allocator_default(), workers, NULL, &s->tasks, NULL),
                     SUP_OK);
}

static sup_collider_def* add_plane(scene* s, double tilt) {
    sup_collider_def* def = &s->colliders[s->collider_count++];
    *def = (sup_collider_def){.size = sizeof *def,
                              .filter = {1, UINT32_MAX},
                              .kind = SUP_COLLIDER_PLANE,
                              .rotation = {0, 0, sin(tilt / 2), cos(tilt / 2)},
                              .thickness = 0.002};
    return def;
}

static void make_solid(const sup_collider_def* def, float h, supi_solid* solid) {
    supi_solid_make(def, NULL, NULL, solid);
    supi_solid_pose(solid, def->position, def->rotation, def->position, def->rotation, (double)h);
}

static sup_result find(scene* s, float h) {
    supi_solid solids[4];
    fit_boxes(s->runs, s->run_count, s->x, s->v);
    for (int32_t i = 0; i < s->collider_count; i++) make_solid(&s->colliders[i], h, &solids[i]);
    return supi_contacts_find(&s->contacts, s->allocator, s->tasks, s->runs, s->run_count, solids,
                              s->collider_count, NULL, s->x, s->v, h);
}

static void solve(scene* s, float h, int32_t sweeps) {
    for (int32_t i = 0; i < sweeps; i++) {
        supi_contacts_sweep(&s->contacts, s->tasks, s->x, s->v, h);
    }
}

static void substep(scene* s, float h, double gravity) {
    for (int32_t i = 0; i < s->row_count; i++) {
        if (s->x[i].w == 0) continue;
        s->v[i].y -= (float)gravity * h;
        s->x[i].x += h * s->v[i].x;
        s->x[i].y += h * s->v[i].y;
        s->x[i].z += h * s->v[i].z;
    }
    assert_int_equal(find(s, h), SUP_OK);
    solve(s, h, s->sweeps);
    supi_contacts_bounce(&s->contacts, s->tasks, s->x, s->v, h, (float)gravity);
}

static void set_friction(scene* s, float fixed, float sliding) {
    for (int32_t i = 0; i < s->run_count; i++) {
        s->grips[i].friction_static = fixed;
        s->grips[i].friction_kinetic = sliding;
    }
    for (int32_t i = 0; i < s->collider_count; i++) {
        s->colliders[i].friction_static = (double)fixed;
        s->colliders[i].friction_kinetic = (double)sliding;
    }
}

/* Overlapping random runs with all kinds of masses, anchors, radii and speeds. */
static scene make_heap(int32_t run_count, int32_t run_size, bool pins) {
    scene s = make_scene(run_count, run_size);
    for (int32_t i = 0; i < s.row_count; i++) {
        s.x[i] = (sup_row){(float)uniform(-0.5, 0.5), (float)uniform(-0.5, 0.5),
                           (float)uniform(-0.5, 0.5), (float)uniform(0.1, 10)};
        if (pins && i % 7 == 0) s.x[i].w = 0;
        s.v[i] = (sup_row){(float)uniform(-3, 3), (float)uniform(-3, 3), (float)uniform(-3, 3),
                           i % 4 ? (float)uniform(0.03, 0.1) : 0};
    }
    for (int32_t i = 0; i < run_count; i++) {
        for (int k = 0; k < 3; k++) s.runs[i].anchor[k] = 1000 + floor(uniform(-4, 4)) / 4;
        s.grips[i].restitution = (float)(i % 3) * 0.4f;
    }
    set_friction(&s, 0.5f, 0.4f);
    return s;
}

static void momentum(const scene* s, double p[3], double* scale) {
    p[0] = p[1] = p[2] = *scale = 0;
    for (int32_t i = 0; i < s->row_count; i++) {
        if (s->x[i].w == 0) continue;
        const double m = 1 / (double)s->x[i].w;
        const double v[3] = {(double)s->v[i].x, (double)s->v[i].y, (double)s->v[i].z};
        for (int k = 0; k < 3; k++) p[k] += m * v[k];
        *scale += m * sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
    }
}

static void pairs_keep_momentum(void** state) {
    (void)state;
    for (int round = 0; round < 10; round++) {
        scene s = make_heap(12, 80, false);
        double before[3], after[3], scale;
        momentum(&s, before, &scale);
        substep(&s, 1.0f / 240, 0);
        assert_true(s.contacts.pair_contact_count > 20);
        for (int step = 1; step < 20; step++) substep(&s, 1.0f / 240, 0);
        double ignored;
        momentum(&s, after, &ignored);
        for (int k = 0; k < 3; k++) assert_true(fabs(after[k] - before[k]) < 1e-6 * scale);
        free_scene(&s);
    }
}

static void colours_share_no_run(void** state) {
    (void)state;
    scene s = make_heap(100, 40, false);
    for (int32_t i = 0; i < s.run_count; i++) memset(s.runs[i].anchor, 0, sizeof s.runs[i].anchor);
    assert_int_equal(find(&s, 0.004f), SUP_OK);
    const supi_contacts* c = &s.contacts;
    assert_true(c->pairing_count > 200);
    assert_true(c->colour_count > 64); /* also past the end of the bit mask */
    int32_t* colour_of_run = malloc(100 * sizeof *colour_of_run);
    int32_t* seen = calloc((size_t)c->pairing_count, sizeof *seen);
    for (int32_t i = 0; i < 100; i++) colour_of_run[i] = -1;
    for (int32_t k = 0; k < c->colour_count; k++) {
        for (int32_t i = c->colour_starts[k]; i < c->colour_starts[k + 1]; i++) {
            const supi_pairing* p = &c->pairings[c->order[i]];
            seen[c->order[i]]++;
            assert_true(colour_of_run[p->run_a] != k && colour_of_run[p->run_b] != k);
            colour_of_run[p->run_a] = colour_of_run[p->run_b] = k;
        }
    }
    for (int32_t i = 0; i < c->pairing_count; i++) assert_int_equal(seen[i], 1);
    free(colour_of_run);
    free(seen);
    free_scene(&s);
}

/* A particle on a slope of 20 degrees. */
static void friction_on_a_slope(void** state) {
    (void)state;
    const double angle = 20 * acos(-1) / 180;
    const float h = 1.0f / 240;
    for (int sweeps = 1; sweeps <= 4; sweeps += 3) {
        scene s = make_scene(1, 1);
        s.sweeps = sweeps;
        add_plane(&s, angle);
        s.x[0].y = 0.003f;
        set_friction(&s, 0.5f, 0.4f);
        for (int step = 0; step < 240; step++) substep(&s, h, GRAVITY);
        sup_row held = s.x[0];
        for (int step = 0; step < 960; step++) substep(&s, h, GRAVITY);
        assert_float_equal(s.x[0].x, held.x, 1e-3);
        assert_float_equal(s.x[0].y, held.y, 1e-3);

        set_friction(&s, 0.2f, 0.2f);
        float from = hypotf(s.v[0].x, s.v[0].y);
        for (int step = 0; step < 240; step++) substep(&s, h, GRAVITY);
        double gained = (double)hypotf(s.v[0].x, s.v[0].y) - (double)from;
        double expected = GRAVITY * (sin(angle) - 0.2 * cos(angle));
        assert_true(fabs(gained / expected - 1) < 0.02);
        free_scene(&s);
    }
}

/* Two particles, one above the other, that close in at 1 m/s and pass by each other at `slip`. */
static scene make_rubbing_pair(float slip, float fixed, float sliding) {
    scene s = make_scene(2, 1);
    s.x[0] = (sup_row){0, 0.098f, 0, 1};
    s.x[1] = (sup_row){0, 0, 0, 0.25f};
    s.v[0] = (sup_row){slip, -1, 0, 0.05f};
    s.v[1] = (sup_row){0, 0, 0, 0.05f};
    set_friction(&s, fixed, sliding);
    return s;
}

static void friction_of_a_pair(void** state) {
    (void)state;
    const float h = 1.0f / 240;
    scene s = make_rubbing_pair(5, 0.5f, 0.4f);
    assert_int_equal(find(&s, h), SUP_OK);
    solve(&s, h, 8);
    const supi_contact* c = &s.contacts.pair_contacts[0];
    assert_int_equal(s.contacts.pair_contact_count, 1);
    assert_true(c->push > 0);
    /* the limit of sliding, over all sweeps together */
    assert_float_equal((5 - (s.v[0].x - s.v[1].x)) * h / c->push, 0.4, 1e-3);
    free_scene(&s);

    float slow = 0.01f;
    s = make_rubbing_pair(slow, 0.5f, 0.4f);
    assert_int_equal(find(&s, h), SUP_OK);
    solve(&s, h, 2);
    c = &s.contacts.pair_contacts[0];
    assert_true(slow * h < 0.5f * c->push);
    assert_float_equal(s.v[0].x, s.v[1].x, 1e-6);
    free_scene(&s);
}

static void bounces_as_restitution_says(void** state) {
    (void)state;
    const float h = 1.0f / 240;
    scene s = make_scene(1, 1);
    add_plane(&s, 0)->restitution = 0.5;
    s.x[0].y = 0.5f;
    float fastest = 0;
    int step = 0;
    while (s.v[0].y <= 0 && step++ < 1000) {
        fastest = s.v[0].y < fastest ? s.v[0].y : fastest;
        substep(&s, h, GRAVITY);
    }
    assert_float_equal(s.v[0].y / (fastest - (float)GRAVITY * h), -0.5, 1e-3);
    for (step = 0; step < 1200; step++) substep(&s, h, GRAVITY);
    assert_float_equal(s.v[0].y, 0, 1e-4); /* comes to rest */
    free_scene(&s);

    /* two equal particles, head on, elastic: they exchange their velocities */
    s = make_scene(2, 1);
    s.x[0].x = 0.105f; /* apart before the substep, or it would be no blow */
    s.v[0] = (sup_row){-2, 0, 0, 0.05f};
    s.v[1] = (sup_row){1, 0, 0, 0.05f};
    s.grips[1].restitution = 1;
    substep(&s, h, 0);
    assert_float_equal(s.v[0].x, 1, 1e-5);
    assert_float_equal(s.v[1].x, -2, 1e-5);
    free_scene(&s);
}

static void old_overlap_opens_slowly(void** state) {
    (void)state;
    const float h = 1.0f / 240, spacing = 0.1f;
    scene s = make_scene(1, 1);
    add_plane(&s, 0);
    s.x[0].y = -0.2f;
    float fastest = 0;
    for (int step = 0; step < 480; step++) {
        substep(&s, h, GRAVITY);
        fastest = s.v[0].y > fastest ? s.v[0].y : fastest;
    }
    assert_true(fastest < 4.1f * spacing);
    assert_true(s.x[0].y > 0);
    free_scene(&s);

    s = make_scene(2, 1);
    s.x[0].x = 0.02f;
    s.v[0].w = s.v[1].w = 0.1f;
    for (int step = 0; step < 240; step++) {
        substep(&s, h, 0);
        assert_true(fabsf(s.v[0].x - s.v[1].x) < 4.1f * spacing);
    }
    assert_true(s.x[0].x - s.x[1].x >= 0.2f);
    assert_true(supi_contacts_measure(&s.contacts, s.x, s.v).pair_deepest == 0);
    free_scene(&s);
}

/* Particles at one place part along the line between their bodies' boxes, or upwards. */
static void coinciding_particles_part(void** state) {
    (void)state;
    scene s = make_scene(2, 2);
    for (int32_t i = 0; i < 4; i++) s.v[i].w = 0.05f;
    s.x[1].x = 1;
    s.x[3].x = -1;
    assert_int_equal(find(&s, 0.01f), SUP_OK);
    assert_int_equal(s.contacts.pair_contact_count, 1);
    assert_float_equal(s.contacts.pair_contacts[0].normal[0], 1, 0);
    s.x[3].x = 1;
    assert_int_equal(find(&s, 0.01f), SUP_OK);
    assert_int_equal(s.contacts.pair_contact_count, 2);
    assert_float_equal(s.contacts.pair_contacts[0].normal[1], 1, 0);
    solve(&s, 0.01f, 2);
    assert_true(s.x[0].y > 0 && s.x[2].y < 0);
    free_scene(&s);
}

static void nothing_is_left_below_the_floor(void** state) {
    (void)state;
    scene s = make_scene(2, 1);
    add_plane(&s, 0);
    s.x[0].y = 0.002f;
    s.x[1].y = 0.05f;
    s.v[0].w = s.v[1].w = 0.05f;
    s.v[1].y = -3; /* falls on the one below */
    for (int step = 0; step < 100; step++) {
        substep(&s, 1.0f / 240, GRAVITY);
        assert_true(s.x[0].y > 0.002f - 1e-6f);
    }
    supi_contact_measures m = supi_contacts_measure(&s.contacts, s.x, s.v);
    assert_true(m.touch_count >= 1);
    assert_true(m.touch_deepest < 1e-6f);
    assert_true(m.pair_deepest_share < 0.05f);
    free_scene(&s);
}

static void collider_lists_are_complete_and_sorted(void** state) {
    (void)state;
    scene s = make_heap(20, 150, true);
    add_plane(&s, 0.3)->position[1] = 1000;
    s.colliders[s.collider_count++] = (sup_collider_def){.filter = {1, UINT32_MAX},
                                                         .kind = SUP_COLLIDER_SPHERE,
                                                         .position = {1000, 1000, 1000},
                                                         .rotation = {0, 0, 0, 1},
                                                         .radius = 0.6,
                                                         .thickness = 0.01};
    s.colliders[s.collider_count++] = (sup_collider_def){.filter = {1, UINT32_MAX},
                                                         .kind = SUP_COLLIDER_BOX,
                                                         .position = {1000.5, 1000, 999.5},
                                                         .rotation = {0.6, 0, 0, 0.8},
                                                         .half_size = {0.5, 0.1, 0.4},
                                                         .thickness = 0.01};
    const float h = 0.004f;
    assert_int_equal(find(&s, h), SUP_OK);
    int32_t next = 0;
    for (int32_t r = 0; r < s.run_count; r++) {
        const supi_run* run = &s.runs[r];
        for (int32_t i = run->first; i < run->first + run->count; i++) {
            for (int32_t k = 0; k < s.collider_count; k++) {
                supi_solid solid;
                supi_shape shape;
                supi_probe probe;
                make_solid(&s.colliders[k], h, &solid);
                supi_shape_place(&solid, run->anchor, &shape);
                float limit =
                    (float)s.colliders[k].thickness + 0.5f * run->spacing + run->speed * h;
                bool near = supi_shape_mask(&shape, &s.x[i], 1, limit) != 0;
                if (!near) continue;
                assert_true(next < s.contacts.touch_contact_count);
                const supi_contact* c = &s.contacts.touch_contacts[next++].common;
                assert_int_equal(c->a, i);
                assert_int_equal(s.contacts.touches[c->b].collider, k);
                assert_int_equal(s.contacts.touches[c->b].run, r);
                supi_shape_probe(&shape, (sup_vec3){s.x[i].x, s.x[i].y, s.x[i].z}, 1, &probe);
                assert_float_equal(c->depth, (float)s.colliders[k].thickness - probe.distance, 0);
            }
        }
    }
    assert_int_equal(s.contacts.touch_contact_count, next);
    assert_true(next > 1000);
    free_scene(&s);
}

static scene make_busy_scene(void) {
    random_state = 7;
    scene s = make_heap(40, 100, true);
    add_plane(&s, 0.1)->position[1] = 999.8;
    s.colliders[s.collider_count++] = (sup_collider_def){.filter = {1, UINT32_MAX},
                                                         .kind = SUP_COLLIDER_SPHERE,
                                                         .position = {1000, 1000, 1000},
                                                         .rotation = {0, 0, 0, 1},
                                                         .radius = 0.5,
                                                         .restitution = 0.5,
                                                         .thickness = 0.01};
    return s;
}

static void same_bits_for_every_worker_count(void** state) {
    (void)state;
    const int32_t workers[] = {1, 2, 8};
    scene first = make_busy_scene();
    for (int step = 0; step < 10; step++) substep(&first, 1.0f / 240, GRAVITY);
    for (int k = 1; k < 3; k++) {
        scene s = make_busy_scene();
        use_workers(&s, workers[k]);
        for (int step = 0; step < 10; step++) substep(&s, 1.0f / 240, GRAVITY);
        assert_memory_equal(s.x, first.x, (size_t)s.row_count * sizeof *s.x);
        assert_memory_equal(s.v, first.v, (size_t)s.row_count * sizeof *s.v);
        free_scene(&s);
    }
    free_scene(&first);
}

static void pinned_particles_stay(void** state) {
    (void)state;
    scene s = make_busy_scene();
    sup_row* before = malloc((size_t)s.row_count * sizeof *before);
    memcpy(before, s.x, (size_t)s.row_count * sizeof *before);
    for (int step = 0; step < 10; step++) substep(&s, 1.0f / 240, GRAVITY);
    int32_t pins = 0;
    for (int32_t i = 0; i < s.row_count; i++) {
        if (before[i].w > 0) continue;
        pins++;
        assert_memory_equal(&before[i], &s.x[i], sizeof *before);
    }
    assert_true(pins > 100);
    free(before);
    free_scene(&s);
}

/* Wild but finite numbers stay finite. */
static void nothing_becomes_nan(void** state) {
    (void)state;
    const double sizes[] = {0, 1e-30, 1e-10, 1, 1e4};
    for (int round = 0; round < 25; round++) {
        scene s = make_heap(10, 40, true);
        add_plane(&s, 0.1)->position[1] = 999.8;
        double place = sizes[round % 5], speed = sizes[round / 5] * 100;
        for (int32_t i = 0; i < s.row_count; i++) {
            s.x[i].x = (float)uniform(-place, place);
            s.x[i].y = (float)uniform(-place, place);
            s.x[i].z = (float)uniform(-place, place);
            s.v[i].x = (float)uniform(-speed, speed);
            s.v[i].y = (float)uniform(-speed, speed);
            s.v[i].z = (float)uniform(-speed, speed);
        }
        for (int32_t i = 0; i < s.run_count; i++) {
            for (int k = 0; k < 3; k++) s.runs[i].anchor[k] = 1000;
        }
        for (int step = 0; step < 2; step++) substep(&s, 1.0f / 240, GRAVITY);
        for (int32_t i = 0; i < s.row_count; i++) {
            assert_true(isfinite(s.x[i].x + s.x[i].y + s.x[i].z));
            assert_true(isfinite(s.v[i].x + s.v[i].y + s.v[i].z));
        }
        free_scene(&s);
    }
}

static void memory_is_kept_and_may_run_out(void** state) {
    (void)state;
    const float h = 1.0f / 240;
    test_allocator counter;
    scene s = make_busy_scene();
    use_workers(&s, 2);
    s.allocator = test_allocator_init(&counter);
    assert_int_equal(find(&s, h), SUP_OK);
    long long calls = counter.calls;
    assert_true(calls > 10);
    for (int again = 0; again < 10; again++) {
        assert_int_equal(find(&s, h), SUP_OK);
        solve(&s, 0, 0);
    }
    assert_int_equal(counter.calls, calls);
    supi_contacts_free(&s.contacts, s.allocator);
    assert_int_equal(counter.blocks, 0);

    for (long long n = 1; n <= calls; n++) {
        test_allocator_arm(&counter, n, n % 2);
        assert_int_equal(find(&s, h), SUP_NO_MEMORY);
        assert_int_equal(s.contacts.pairing_count, 0);
        assert_int_equal(s.contacts.block_count, 0);
        solve(&s, h, 2); /* nothing to do */
        test_allocator_arm(&counter, 0, false);
        assert_int_equal(find(&s, h), SUP_OK);
        supi_contacts_free(&s.contacts, s.allocator);
        assert_int_equal(counter.blocks, 0);
        assert_int_equal(counter.bytes, 0);
    }
    free_scene(&s);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(pairs_keep_momentum),
        cmocka_unit_test(colours_share_no_run),
        cmocka_unit_test(friction_on_a_slope),
        cmocka_unit_test(friction_of_a_pair),
        cmocka_unit_test(bounces_as_restitution_says),
        cmocka_unit_test(old_overlap_opens_slowly),
        cmocka_unit_test(coinciding_particles_part),
        cmocka_unit_test(nothing_is_left_below_the_floor),
        cmocka_unit_test(collider_lists_are_complete_and_sorted),
        cmocka_unit_test(same_bits_for_every_worker_count),
        cmocka_unit_test(pinned_particles_stay),
        cmocka_unit_test(nothing_becomes_nan),
        cmocka_unit_test(memory_is_kept_and_may_run_out),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
