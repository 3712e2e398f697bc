/* Which points are in which tetrahedra: the same as asking all of them, whatever the cells are. */
#include "contact/tet_bodies.h"

#include "allocators.h"
#include "contact/tet_test.h"
#include "sizes.h"

enum { BODIES = 4 };

typedef struct crowd {
    tet_thing things[BODIES];
    supi_tet_body bodies[BODIES];
} crowd;

/* About 5000 tetrahedra in four bodies that overlap. */
static void crowd_make(crowd* c) {
    thing_make(&c->things[0], make_block(6, 6, 6, 1, 1, 1), 1, 3);
    thing_make(&c->things[1], make_block(6, 6, 6, 1.1, 0.9, 1), 1, 5);
    thing_make(&c->things[2], make_ball(0.6, 0.2), 1, 6);
    thing_make(&c->things[3], make_block(8, 4, 6, 1.3, 0.6, 1), 1, 9);
}

static void crowd_free(crowd* c) {
    for (int i = 0; i < BODIES; i++) thing_free(&c->things[i]);
}

/* Somewhere around a place, anchors included. */
static void crowd_pose(crowd* c, uint64_t* seed, double away, double anchors) {
    double centre[3];
    for (int k = 0; k < 3; k++) centre[k] = away * ref_random(seed);
    for (int i = 0; i < BODIES; i++) {
        double turn[3][3], at[3];
        random_rotation(seed, turn);
        c->bodies[i] = c->things[i].body;
        for (int k = 0; k < 3; k++) {
            c->bodies[i].anchor[k] = floor(anchors * ref_random(seed));
            at[k] = centre[k] + 0.5 * ref_random(seed) - c->bodies[i].anchor[k];
        }
        thing_pose(&c->things[i], (const double(*)[3])turn, at[0], at[1], at[2]);
    }
}

/* Every point against every tetrahedron, in the order of hits. */
static int32_t ask_all(const supi_tet_body* bodies, int32_t count, supi_tet_hit* hits) {
    int32_t found = 0;
    for (int32_t a = 0; a < count; a++) {
        for (int32_t b = 0; b < count; b++) {
            double offset[3];
            supi_tet_offset(&bodies[a], &bodies[b], offset);
            for (int32_t p = 0; a != b && p < bodies[a].form->point_count; p++) {
                const sup_row* x = &bodies[a].x[p];
                const double at[3] = {(double)x->x + offset[0], (double)x->y + offset[1],
                                      (double)x->z + offset[2]};
                for (int32_t t = 0; t < bodies[b].form->tet_count; t++) {
                    double w[4];
                    bool inverted = false;
                    supi_tet_side side =
                        supi_tet_locate(bodies[b].x, bodies[b].form->tets + 4 * t,
                                        bodies[b].form->outer[t], at, w, &inverted);
                    if (side != SUPI_TET_INSIDE && side != SUPI_TET_TOUCHING) continue;
                    hits[found++] = (supi_tet_hit){.body = a, .point = p, .other = b, .tet = t};
                }
            }
        }
    }
    return found;
}

static void expect_hits(const supi_tet_finder* finder, const supi_tet_hit* hits, int32_t count) {
    assert_int_equal(finder->hit_count, count);
    for (int32_t i = 0; i < count; i++) {
        const supi_tet_hit* hit = &finder->hits[i];
        assert_int_equal(hit->body, hits[i].body);
        assert_int_equal(hit->point, hits[i].point);
        assert_int_equal(hit->other, hits[i].other);
        assert_int_equal(hit->tet, hits[i].tet);
        float sum = 0;
        for (int k = 0; k < 4; k++) sum += hit->weights[k];
        assert_true(fabsf(sum - 1) <= 1e-6f);
    }
}

static void find(supi_tet_finder* finder, const supi_tet_body* bodies, int32_t count, float cell,
                 int32_t workers) {
    supi_tasks* tasks = make_workers(workers);
    supi_tet_rules rules = supi_tet_rules_default();
    rules.cell = cell;
    assert_int_equal(supi_tet_find(finder, sup_allocator_default(), tasks, best_kernels(), bodies,
                                   count, &rules),
                     SUP_OK);
    supi_tasks_destroy(tasks);
}

/* A6: cells of any size find what asking all finds. */
static void test_all_are_found(void** state) {
    (void)state;
    crowd c;
    uint64_t seed = 6;
    supi_tet_finder finder = {0};
    supi_tet_hit* hits = calloc(100000, sizeof *hits);
    crowd_make(&c);
    int32_t tets = 0, most = 0;
    for (int i = 0; i < BODIES; i++) tets += c.things[i].form.tet_count;
    assert_in_range(tets, 4500, 6000);
    for (int pose = 0; pose < (short_tests() ? 4 : 20); pose++) {
        crowd_pose(&c, &seed, pose % 4 == 3 ? 1000 : 2, pose % 2 ? 100 : 0);
        int32_t count = ask_all(c.bodies, BODIES, hits);
        most = count > most ? count : most;
        static const float cells[] = {1, 0.5f, 2, 0.1f, 30};
        for (size_t k = 0; k < sizeof cells / sizeof *cells; k++) {
            find(&finder, c.bodies, BODIES, cells[k], 1 + (int32_t)k);
            expect_hits(&finder, hits, count);
            assert_int_equal(finder.skipped, 0);
            assert_int_equal(finder.large_count > 0, cells[k] < 0.2f);
        }
    }
    assert_true(most > 300);
    free(hits);
    supi_tet_finder_free(&finder, sup_allocator_default());
    crowd_free(&c);
}

/* Few points in a wide box: cells share hashes, and a large body covers many. */
static void test_wide(void** state) {
    (void)state;
    enum { SMALL = 30 };
    tet_thing things[SMALL + 1];
    supi_tet_body bodies[SMALL + 1];
    uint64_t seed = 12;
    supi_tet_finder finder = {0};
    supi_tet_hit* hits = calloc(100000, sizeof *hits);
    for (int32_t i = 0; i <= SMALL; i++) {
        double size = i == SMALL ? 100 : 0.4, turn[3][3];
        thing_make(&things[i], make_block(2, 2, 2, size, size, size), 1, i);
        random_rotation(&seed, turn);
        thing_pose(&things[i], (const double(*)[3])turn, i == SMALL ? 0 : 30 * ref_random(&seed),
                   30 * ref_random(&seed), 30 * ref_random(&seed));
        bodies[i] = things[i].body;
    }
    int32_t count = ask_all(bodies, SMALL + 1, hits);
    assert_true(count > 300);
    find(&finder, bodies, SMALL + 1, 1, 2);
    expect_hits(&finder, hits, count);
    assert_true(finder.fine.mask != 0);
    assert_true(finder.large_count > 0);
    free(hits);
    supi_tet_finder_free(&finder, sup_allocator_default());
    for (int32_t i = 0; i <= SMALL; i++) thing_free(&things[i]);
}

/* A17: one in a hundred inside out or flat. */
static void test_broken_tets(void** state) {
    (void)state;
    crowd c;
    uint64_t seed = 17;
    supi_tet_contacts all = {0};
    supi_tet_hit* hits = calloc(100000, sizeof *hits);
    supi_tet_rules rules = supi_tet_rules_default();
    crowd_make(&c);
    int32_t inverted = 0;
    for (int pose = 0; pose < 5; pose++) {
        crowd_pose(&c, &seed, 3, 10);
        for (int i = 0; i < BODIES; i++) {
            const supi_tet_form* form = &c.things[i].form;
            for (int32_t t = 0; t < form->tet_count; t += 100) {
                const int32_t* tet = form->tets + 4 * t;
                sup_row* x = c.bodies[i].x;
                if (t % 200 == 0) { /* flat: one corner in the middle of the others */
                    x[tet[0]].x = (x[tet[1]].x + x[tet[2]].x + x[tet[3]].x) / 3;
                    x[tet[0]].y = (x[tet[1]].y + x[tet[2]].y + x[tet[3]].y) / 3;
                    x[tet[0]].z = (x[tet[1]].z + x[tet[2]].z + x[tet[3]].z) / 3;
                } else { /* inside out: two corners change places */
                    sup_row swap = x[tet[0]];
                    x[tet[0]] = x[tet[1]];
                    x[tet[1]] = swap;
                }
            }
            /* all corners in one place */
            for (int k = 1; k < 4; k++) {
                c.bodies[i].x[form->tets[4 * 7 + k]] = c.bodies[i].x[form->tets[4 * 7]];
            }
        }
        int32_t count = ask_all(c.bodies, BODIES, hits);
        find_contacts(&all, c.bodies, BODIES, &rules);
        expect_hits(&all.finder, hits, count);
        for (int32_t i = 0; i < all.contact_count; i++) {
            const supi_tet_contact* contact = &all.contacts[i];
            assert_true(isfinite(contact->depth) && contact->depth >= 0);
            float length = supi_vec3_dot(contact->normal, contact->normal);
            assert_true(fabsf(length - 1) < 1e-4f);
            inverted += (contact->flags & SUPI_TET_INVERTED) != 0;
        }
    }
    assert_true(inverted > 0);
    free(hits);
    supi_tet_contacts_free(&all, sup_allocator_default());
    crowd_free(&c);
}

/* What is no number, or too far away for one, meets nobody and is told of. */
static void test_out_of_range(void** state) {
    (void)state;
    crowd c;
    uint64_t seed = 3;
    supi_tet_finder finder = {0};
    crowd_make(&c);
    crowd_pose(&c, &seed, 0, 0);
    find(&finder, c.bodies, BODIES, 1, 1);
    int32_t all = finder.hit_count;
    assert_int_equal(finder.skipped, 0);
    c.bodies[1].x[3].y = NAN;
    find(&finder, c.bodies, BODIES, 1, 1);
    assert_true(finder.skipped > 0);
    assert_true(finder.hit_count > 0 && finder.hit_count < all);
    for (int32_t i = 0; i < finder.hit_count; i++) {
        assert_true(finder.hits[i].body != 1 && finder.hits[i].other != 1);
    }
    /* a body so large that it has more cells than numbers */
    for (int32_t i = 0; i < c.things[1].form.point_count; i++) {
        sup_vec3 at = c.things[1].form.rest[i];
        c.bodies[1].x[i] = (sup_row){1e12f * at.x, 1e12f * at.y, 1e12f * at.z, 1};
    }
    find(&finder, c.bodies, BODIES, 1, 1);
    assert_true(finder.skipped > 0);
    supi_tet_finder_free(&finder, sup_allocator_default());
    crowd_free(&c);
}

/* Filters, and what stands still. */
static void test_who_may_meet(void** state) {
    (void)state;
    crowd c;
    uint64_t seed = 21;
    supi_tet_finder finder = {0};
    crowd_make(&c);
    crowd_pose(&c, &seed, 0, 0);
    c.bodies[0].still = c.bodies[1].still = true;
    c.bodies[2].filter = (sup_filter){2, 0xfffffffeu};
    find(&finder, c.bodies, BODIES, 1, 1);
    int32_t pairs[BODIES][BODIES] = {{0}};
    for (int32_t i = 0; i < finder.hit_count; i++) {
        pairs[finder.hits[i].body][finder.hits[i].other]++;
    }
    assert_true(pairs[0][3] > 0 && pairs[1][3] > 0);
    assert_int_equal(pairs[0][1] + pairs[1][0], 0);
    assert_int_equal(pairs[2][0] + pairs[2][1] + pairs[2][3] + pairs[0][2] + pairs[3][2], 0);
    supi_tet_finder_free(&finder, sup_allocator_default());
    crowd_free(&c);
}

static void find_all(supi_tet_contacts* all, const sup_allocator* allocator, supi_tasks* tasks,
                     const crowd* c, const supi_tet_rules* rules, sup_result expected) {
    assert_int_equal(
        supi_tet_contacts_find(all, allocator, tasks, best_kernels(), c->bodies, BODIES, rules),
        expected);
}

/* A10: any number of workers, any copy of the kernels: the same bits. */
static void test_workers(void** state) {
    (void)state;
    crowd c;
    uint64_t seed = 31;
    supi_tet_rules rules = supi_tet_rules_default();
    crowd_make(&c);
    for (int32_t i = 0; i < BODIES; i++) c.things[i].body.edges = true;
    for (int i = 0; i < BODIES; i++) c.things[i].body.self = i == 2;
    supi_tet_contacts one = {0}, many = {0};
    supi_tasks *single = make_workers(1), *eight = make_workers(8);
    for (int pose = 0; pose < 20 && one.edge_contact_count == 0; pose++) {
        crowd_pose(&c, &seed, 1, 3);
        one.memory_count = 0;
        find_all(&one, sup_allocator_default(), single, &c, &rules, SUP_OK);
    }
    assert_true(one.contact_count > 100 && one.edge_contact_count > 0);
    for (int round = 0; round < 4; round++) {
        static const sup_simd sets[] = {SUP_SIMD_SCALAR, SUP_SIMD_SSE2, SUP_SIMD_AVX2,
                                        SUP_SIMD_AUTO};
        const supi_tet_kernels* copy = supi_tet_kernels_find(sets[round]);
        if (!copy) continue;
        many.memory_count = 0;
        assert_int_equal(supi_tet_contacts_find(&many, sup_allocator_default(), eight, copy,
                                                c.bodies, BODIES, &rules),
                         SUP_OK);
        assert_int_equal(many.contact_count, one.contact_count);
        assert_memory_equal(many.contacts, one.contacts,
                            (size_t)one.contact_count * sizeof *one.contacts);
        assert_int_equal(many.memory_count, one.memory_count);
    }
    supi_tasks_destroy(single);
    supi_tasks_destroy(eight);
    supi_tet_contacts_free(&one, sup_allocator_default());
    supi_tet_contacts_free(&many, sup_allocator_default());
    crowd_free(&c);
}

/* Every allocation may fail; later calls need none. */
static void test_memory(void** state) {
    (void)state;
    crowd c;
    uint64_t seed = 41;
    supi_tet_rules rules = supi_tet_rules_default();
    crowd_make(&c);
    for (int32_t i = 0; i < BODIES; i++) c.things[i].body.edges = true;
    crowd_pose(&c, &seed, 1, 3);
    supi_tasks* tasks = make_workers(3);
    test_allocator counter;
    const sup_allocator* allocator = test_allocator_init(&counter);
    bool failed = true;
    for (long long at = 1; failed; at++) {
        supi_tet_contacts all = {0};
        test_allocator_arm(&counter, at, false);
        sup_result result = supi_tet_contacts_find(&all, allocator, tasks, best_kernels(), c.bodies,
                                                   BODIES, &rules);
        failed = result != SUP_OK;
        assert_int_equal(failed, counter.refused > 0);
        if (failed) assert_int_equal(all.contact_count + all.memory_count, 0);
        if (!failed) {
            assert_true(at > 20);
            test_allocator_arm(&counter, 0, false); /* memories of earlier steps come in addition */
            find_all(&all, allocator, tasks, &c, &rules, SUP_OK);
            find_all(&all, allocator, tasks, &c, &rules, SUP_OK);
            test_allocator_arm(&counter, 1, true); /* warm: nothing is asked for */
            find_all(&all, allocator, tasks, &c, &rules, SUP_OK);
        }
        supi_tet_contacts_free(&all, allocator);
        assert_int_equal(counter.bytes, 0);
    }
    supi_tasks_destroy(tasks);
    crowd_free(&c);
}

/* A mesh becomes a form, or nothing is left of it. */
static void test_form_memory(void** state) {
    (void)state;
    sup_tets tets = make_block(2, 2, 2, 1, 1, 1);
    sup_adjacency edges;
    assert_int_equal(supi_tet_adjacency(sup_allocator_default(), &tets, &edges, NULL), SUP_OK);
    test_allocator counter;
    const sup_allocator* allocator = test_allocator_init(&counter);
    sup_result result = SUP_NO_MEMORY;
    for (long long at = 1; result != SUP_OK; at++) {
        supi_tet_form form;
        supi_arena arena;
        supi_arena_init(&arena, allocator);
        test_allocator_arm(&counter, at, false);
        result = supi_tet_form_make(&arena, &tets, &edges, &form) ? SUP_OK : SUP_NO_MEMORY;
        supi_arena_free(&arena);
        assert_int_equal(counter.bytes, 0);
        assert_int_equal(result != SUP_OK, counter.refused > 0);
    }
    sup_adjacency_free(&edges);
    sup_tets_free(&tets);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_all_are_found), cmocka_unit_test(test_wide),
        cmocka_unit_test(test_broken_tets),   cmocka_unit_test(test_out_of_range),
        cmocka_unit_test(test_who_may_meet),  cmocka_unit_test(test_workers),
        cmocka_unit_test(test_memory),        cmocka_unit_test(test_form_memory)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
