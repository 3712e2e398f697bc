/* Bodies that meet themselves: the same pairs as brute force wherever they have gone meanwhile, and
   nothing between those that are joined. */
#include "sizes.h"

#include "allocators.h"
#include "contact/boxes.h"
#include "contact/ellipsoids.h"
#include "contact/self_list.h"
#include "geom/turn.h"

#include <float.h>
#include <string.h>

enum { RUNS = 6, ROWS = 200 };

typedef struct crowd {
    supi_run runs[RUNS];
    supi_self selves[RUNS];
    supi_oriented oriented[RUNS];
    sup_row x[RUNS * ROWS], v[RUNS * ROWS], radii[RUNS * ROWS];
    sup_quat axes[RUNS * ROWS], turns[RUNS * ROWS];
    sup_vec3 rest[RUNS * ROWS];
    int32_t joined[RUNS][2 * ROWS], joined_starts[RUNS][ROWS + 1];
    int32_t parts[RUNS][ROWS], part_starts[RUNS][ROWS + 1];
} crowd;

/* Chains of rows, every fifth without a radius; some rows are in a part. Two runs are small, one
   does not meet itself, every other is oriented. */
static void fill_run(crowd* c, int32_t i, uint64_t* seed) {
    supi_run* run = &c->runs[i];
    *run = (supi_run){.first = i * ROWS, .count = i > 3 ? 40 : ROWS, .filter = {1, UINT32_MAX}};
    for (int k = 0; k < 3; k++) run->anchor[k] = 100 + 0.25 * (double)ref_random_index(seed, 9);
    int32_t joined = 0, parts = 0;
    for (int32_t j = 0; j < run->count; j++) {
        int32_t row = run->first + j;
        float* at = &c->x[row].x;
        for (int k = 0; k < 3; k++) at[k] = (float)ref_random(seed);
        c->rest[row] = random_offset(seed, 1);
        c->axes[row] = random_turn(seed);
        c->turns[row] = (sup_quat){0, 0, 0, 1};
        float r = 0.15f + 0.05f * (float)ref_random(seed);
        c->radii[row] = (sup_row){r, 0.5f * r, 0.7f * r, 0};
        c->v[row].w = j % 5 ? r : 0;
        c->joined_starts[i][j] = joined;
        if (j > 0) c->joined[i][joined++] = j - 1;
        if (j + 1 < run->count) c->joined[i][joined++] = j + 1;
        c->part_starts[i][j] = parts;
        if (j % 2) c->parts[i][parts++] = j % 8;
    }
    c->joined_starts[i][run->count] = joined;
    c->part_starts[i][run->count] = parts;
    c->selves[i] = (supi_self){c->rest + run->first,
                               c->joined[i],
                               c->joined_starts[i],
                               c->parts[i],
                               i % 2 ? c->part_starts[i] : NULL,
                               NULL,
                               0};
    c->oriented[i] = (supi_oriented){.axes = c->axes + run->first,
                                     .radii = c->radii + run->first,
                                     .turn = c->turns + run->first};
    if (i != 3) run->self = &c->selves[i];
    if (i % 2 == 0) run->oriented = &c->oriented[i];
    fit_box(run, c->x, c->v);
}

/* How much of their shapes two rows of a run show each other, by the rest shape. */
static float scale_of(const crowd* c, int32_t i, int32_t a, int32_t b) {
    sup_vec3 d = {c->rest[a].x - c->rest[b].x, c->rest[a].y - c->rest[b].y,
                  c->rest[a].z - c->rest[b].z};
    float length = sqrtf(d.x * d.x + d.y * d.y + d.z * d.z), reach = 0;
    for (int k = 0; k < 2; k++) {
        int32_t row = k ? b : a;
        const sup_row* r = &c->radii[row];
        supi_ellipsoid e = supi_ellipsoid_at((sup_vec3){0, 0, 0}, (sup_quat){0, 0, 0, 1},
                                             c->axes[row], (float[3]){r->x, r->y, r->z});
        reach += i % 2 ? c->v[row].w : supi_ellipsoid_reach(&e, unit_vec3(d));
    }
    return length < reach ? length / reach : 1;
}

/* 1: near; 0: not; -1: so close to the limit that rounding decides. */
static int near(const crowd* c, int32_t i, int32_t a, int32_t b) {
    int32_t p = a - c->runs[i].first, q = b - c->runs[i].first;
    if (!(c->v[a].w > 0 && c->v[b].w > 0) || q == p + 1) return 0;
    if (i % 2 && p % 2 && q % 2 && p % 8 == q % 8) return 0;
    float dx = c->x[a].x - c->x[b].x, dy = c->x[a].y - c->x[b].y, dz = c->x[a].z - c->x[b].z;
    float square = dx * dx + dy * dy + dz * dz;
    float sum = scale_of(c, i, a, b) * (c->v[a].w + c->v[b].w), ratio = square / (sum * sum);
    return fabsf(ratio - 1) < 1e-5f ? -1 : ratio < 1;
}

/* m, how far the shapes of two rows are apart, as deep as Newton's method finds it. */
static float gap(const crowd* c, int32_t i, int32_t a, int32_t b) {
    float scale = scale_of(c, i, a, b);
    supi_ellipsoid_pairs pairs = {.margin = FLT_MAX, .rounds = 30};
    supi_ellipsoid e[2];
    for (int k = 0; k < 2; k++) {
        int32_t row = k ? b : a;
        const sup_row *x = &c->x[row], *r = &c->radii[row];
        e[k] = supi_ellipsoid_at((sup_vec3){x->x, x->y, x->z}, c->turns[row], c->axes[row],
                                 (float[3]){scale * r->x, scale * r->y, scale * r->z});
    }
    for (int32_t lane = 0; lane < 8; lane++) supi_ellipsoid_load(&pairs, lane, &e[0], &e[1]);
    supi_ellipsoid_kernels_find(SUP_SIMD_AUTO)->separate(&pairs);
    return pairs.separation[0];
}

static int32_t check(const crowd* c, const supi_self_lists* lists) {
    int32_t total = 0;
    for (int32_t i = 0; i < RUNS; i++) {
        const supi_run* run = &c->runs[i];
        const supi_self_list* list = &lists->lists[i];
        int32_t next = 0;
        for (int32_t a = run->first; i != 3 && a < run->first + run->count; a++) {
            for (int32_t b = a + 1; b < run->first + run->count; b++) {
                bool listed = next < list->near_count && list->near[next].pair.a == a &&
                              list->near[next].pair.b == b;
                int expected = near(c, i, a, b);
                /* only those that are near, and all that overlap: by more than rounding leaves */
                if (list->sifted) {
                    assert_true(!listed || expected);
                    assert_true(listed || !expected || gap(c, i, a, b) > -1e-5f);
                } else if (expected >= 0) {
                    assert_int_equal(listed, expected);
                }
                if (listed)
                    assert_true(fabsf(list->near[next].scale - scale_of(c, i, a, b)) < 1e-6f);
                next += listed;
            }
        }
        assert_int_equal(list->near_count, next);
        total += next;
    }
    return total;
}

static supi_tasks* make_tasks(int32_t workers) {
    supi_tasks* tasks = NULL;
    assert_int_equal(supi_tasks_create(sup_allocator_default(), workers, NULL, &tasks, NULL),
                     SUP_OK);
    return tasks;
}

/* Runs drift and their rows jitter: most lists last for a while, and none is ever wrong. */
static void pairs_equal_brute_force(void** state) {
    (void)state;
    static crowd c;
    uint64_t seed = 1;
    for (int workers = 1; workers <= 3; workers += 2) {
        supi_self_lists lists = {0};
        supi_tasks* tasks = make_tasks(workers);
        int32_t made = 0, pairs = 0, steps = short_tests() ? 10 : 60;
        for (int32_t i = 0; i < RUNS; i++) fill_run(&c, i, &seed);
        for (int32_t step = 0; step < steps; step++) {
            assert_int_equal(supi_self_lists_find(&lists, sup_allocator_default(), tasks, c.runs,
                                                  RUNS, c.x, c.v),
                             SUP_OK);
            made += lists.made;
            pairs += check(&c, &lists);
            for (int32_t i = 0; i < RUNS * ROWS; i++) {
                sup_vec3 by = random_offset(&seed, 0.01);
                c.x[i].x += by.x + 0.05f;
                c.x[i].y += by.y;
                c.x[i].z += by.z;
                c.turns[i] = supi_turn_by(c.turns[i], random_offset(&seed, 0.05));
            }
            for (int32_t i = 0; i < RUNS; i++) fit_box(&c.runs[i], c.x, c.v);
        }
        print_message("%d pairs in %d steps, lists made anew %d times of %d\n", (int)pairs,
                      (int)steps, (int)made, (int)(5 * steps));
        assert_true(pairs > 100 * steps && made < 3 * steps);
        supi_self_lists_free(&lists, sup_allocator_default());
        supi_tasks_destroy(tasks);
    }
}

/* Another version, another place or radius, sleep, and memory that runs out. */
static void lists_know_when_they_are_old(void** state) {
    (void)state;
    static crowd c;
    uint64_t seed = 2;
    test_allocator counter;
    const sup_allocator* allocator = test_allocator_init(&counter);
    supi_tasks* tasks = make_tasks(1);
    supi_self_lists lists = {0};
    for (int32_t i = 0; i < RUNS; i++) fill_run(&c, i, &seed);
    const int32_t expected[] = {5, 0, 1, 1, 5, 0};
    for (int step = 0; step < 6; step++) {
        if (step == 2) c.selves[1].version++;
        if (step == 3) c.v[1].w *= 0.9f;
        if (step == 4) supi_self_lists_forget(&lists);
        if (step == 5) c.runs[0].asleep = true;
        assert_int_equal(supi_self_lists_find(&lists, allocator, tasks, c.runs, RUNS, c.x, c.v),
                         SUP_OK);
        assert_int_equal(lists.made, expected[step]);
    }
    assert_int_equal(lists.lists[0].near_count, 0);
    long long calls = counter.calls;
    supi_self_lists_free(&lists, allocator);
    for (long long n = 1; n <= calls; n++) {
        test_allocator_arm(&counter, n, false);
        sup_result result = supi_self_lists_find(&lists, allocator, tasks, c.runs, RUNS, c.x, c.v);
        bool refused = counter.refused > 0;
        test_allocator_arm(&counter, 0, false);
        assert_int_equal(result, refused ? SUP_NO_MEMORY : SUP_OK);
        assert_int_equal(supi_self_lists_find(&lists, allocator, tasks, c.runs, RUNS, c.x, c.v),
                         SUP_OK);
        c.runs[0].asleep = false;
        supi_self_lists_find(&lists, allocator, tasks, c.runs, RUNS, c.x, c.v);
        check(&c, &lists);
        c.runs[0].asleep = true;
        supi_self_lists_free(&lists, allocator);
        assert_int_equal(counter.blocks, 0);
    }
    supi_tasks_destroy(tasks);
}

/* However a body turns as a whole, who was near stays near. */
static void turning_bodies_keep_their_lists(void** state) {
    (void)state;
    static crowd c;
    uint64_t seed = 3;
    supi_tasks* tasks = make_tasks(1);
    supi_self_lists lists = {0};
    for (int32_t i = 0; i < RUNS; i++) fill_run(&c, i, &seed);
    for (int32_t i = 0; i < RUNS; i++) c.runs[i].asleep = i % 2; /* those without turns */
    const float sine = 0.6f, cosine = 0.8f;
    for (int step = 0; step < 4; step++) {
        assert_int_equal(
            supi_self_lists_find(&lists, sup_allocator_default(), tasks, c.runs, RUNS, c.x, c.v),
            SUP_OK);
        assert_int_equal(lists.made, step == 0 ? 3 : 0);
        for (int32_t i = 0; i < RUNS * ROWS; i++) {
            const sup_row p = c.x[i];
            const sup_quat q = c.turns[i], t = {0, 0.31622777f, 0, 0.9486833f};
            c.x[i].x = cosine * p.x + sine * p.z;
            c.x[i].z = cosine * p.z - sine * p.x;
            c.turns[i] = (sup_quat){t.w * q.x + t.y * q.z, t.w * q.y + t.y * q.w,
                                    t.w * q.z - t.y * q.x, t.w * q.w - t.y * q.y};
        }
    }
    supi_self_lists_free(&lists, sup_allocator_default());
    supi_tasks_destroy(tasks);
}

/* Small runs know how far their shapes are apart. Rows that only turn come to touch as well, and
   what is known of the others saves looking at them again. */
static void turning_rows_come_to_touch(void** state) {
    (void)state;
    static crowd c;
    uint64_t seed = 4;
    supi_tasks* tasks = make_tasks(1);
    supi_self_lists lists = {0};
    int32_t listed = 0, spheres = 0, steps = 40;
    for (int32_t i = 0; i < RUNS; i++) fill_run(&c, i, &seed);
    for (int32_t i = 0; i < RUNS; i++) c.runs[i].asleep = i != 4;
    for (int32_t i = 0; i < ROWS; i++) { /* long ones, so that turns tell */
        sup_row *r = &c.radii[4 * ROWS + i], *x = &c.x[4 * ROWS + i];
        r->y = r->z = 0.2f * r->x;
        *x = (sup_row){0.5f * x->x, 0.5f * x->y, 0.5f * x->z, x->w};
    }
    for (int step = 0; step < steps; step++) {
        assert_int_equal(
            supi_self_lists_find(&lists, sup_allocator_default(), tasks, c.runs, RUNS, c.x, c.v),
            SUP_OK);
        const supi_self_list* list = &lists.lists[4];
        assert_true(list->sifted);
        for (int32_t a = 4 * ROWS, next = 0; a < 4 * ROWS + 40; a++) {
            for (int32_t b = a + 1; b < 4 * ROWS + 40; b++) {
                bool is = next < list->near_count && list->near[next].pair.a == a &&
                          list->near[next].pair.b == b;
                int expected = near(&c, 4, a, b);
                next += is;
                listed += is;
                spheres += expected != 0;
                assert_true(is || !expected || gap(&c, 4, a, b) > -1e-5f);
            }
        }
        for (int32_t i = 0; i < 40; i++) {
            sup_quat* q = &c.turns[4 * ROWS + i];
            *q = supi_turn_by(*q, random_offset(&seed, 0.1));
        }
    }
    print_message("%d of %d pairs of spheres left\n", (int)listed, (int)spheres);
    assert_true(listed > 0 && listed < spheres / 2);
    supi_self_lists_free(&lists, sup_allocator_default());
    supi_tasks_destroy(tasks);
}

/* What a small run knows of its scales spares the list to find them, unless rows have no radius. */
static void known_scales_are_shared(void** state) {
    (void)state;
    static crowd c, knowing;
    static float scales[40 * 40];
    uint64_t seed = 6;
    supi_tasks* tasks = make_tasks(1);
    supi_self_lists lists[2] = {0};
    int32_t found = 0;
    for (int32_t i = 0; i < RUNS; i++) fill_run(&c, i, &seed);
    for (int32_t i = 0; i < RUNS; i++) c.runs[i].asleep = i != 4;
    for (int32_t i = 4 * ROWS; i < 4 * ROWS + 40; i++) c.v[i].w = c.radii[i].x;
    supi_self_scales(&c.runs[4], NULL, scales);
    for (int step = 0; step < 30; step++) {
        if (step == 20) { /* one leaves */
            c.v[4 * ROWS + 7].w = 0;
            c.selves[4].version++;
        }
        knowing = c;
        supi_oriented oriented = c.oriented[4];
        supi_self self = c.selves[4];
        self.scales = scales;
        knowing.runs[4].oriented = &oriented;
        knowing.runs[4].self = &self;
        const crowd* both[2] = {&c, &knowing};
        for (int k = 0; k < 2; k++) {
            assert_int_equal(supi_self_lists_find(&lists[k], sup_allocator_default(), tasks,
                                                  both[k]->runs, RUNS, c.x, c.v),
                             SUP_OK);
        }
        const supi_self_list *one = &lists[0].lists[4], *other = &lists[1].lists[4];
        assert_true(!one->close.shares && other->close.shares == (step < 20));
        assert_int_equal(one->near_count, other->near_count);
        assert_memory_equal(one->near, other->near, (size_t)one->near_count * sizeof *one->near);
        found += one->near_count;
        for (int32_t i = 0; i < 40; i++) {
            sup_quat* q = &c.turns[4 * ROWS + i];
            *q = supi_turn_by(*q, random_offset(&seed, 0.1));
        }
    }
    assert_true(found > 30);
    for (int k = 0; k < 2; k++) supi_self_lists_free(&lists[k], sup_allocator_default());
    supi_tasks_destroy(tasks);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(pairs_equal_brute_force),
        cmocka_unit_test(lists_know_when_they_are_old),
        cmocka_unit_test(turning_bodies_keep_their_lists),
        cmocka_unit_test(turning_rows_come_to_touch),
        cmocka_unit_test(known_scales_are_shared),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
