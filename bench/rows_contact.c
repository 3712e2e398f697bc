/* Rows about contact: bodies of tetrahedra that overlap, beside what the method allows; spheres,
   beside a plain hash table. */
#include "contact/grid.h"
#include "heaps.h"
#include "spheres.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static double random_unit(uint64_t* state) {
    *state = *state * 6364136223846793005u + 1442695040888963407u;
    return (double)(*state >> 11) / 9007199254740992.0;
}

/* ---- Heaps of cubes ---- */

#define DETECTION_MOST 3.0 /* ms */

typedef struct heap_plan {
    bench_heap_plan heap;
    bool depths; /* all of it; false: who is inside */
} heap_plan;

static bool heaps_detect(void* state) {
    bench_heaps* h = state;
    return supi_tet_find(&h->contacts.finder, sup_allocator_default(), h->tasks,
                         supi_tet_kernels_find(SUP_SIMD_AUTO), h->bodies, h->count,
                         &h->rules) == SUP_OK;
}

/* Seconds to find all contacts; < 0 when it failed. */
static double time_heaps(const heap_plan* plan, int32_t repeats, bench_heaps* h) {
    double seconds = -1.0;
    if (!bench_heaps_create(&plan->heap, 1, h)) return -1.0;
    bench_subject subject = {
        .state = h, .step = plan->depths ? bench_heaps_find : heaps_detect, .steps = 1};
    return bench_time_work(&subject, 1, repeats, &seconds) ? seconds : -1.0;
}

static bool measure_heap(const bench_row* row, bench_figures* out) {
    const heap_plan* plan = row->detail;
    bench_heaps h;
    double seconds = time_heaps(plan, row->repeats, &h);
    out->value = 1e3 * seconds;
    out->reference = DETECTION_MOST;
    snprintf(out->note, sizeof out->note, "%d tetrahedra, %d points, %d hits",
             (int)(h.count * h.form.tet_count), (int)(h.count * h.form.point_count),
             (int)h.contacts.finder.hit_count);
    bench_heaps_destroy(&h);
    return seconds > 0.0;
}

/* What grows by 1 may grow by this power at most, and at least, or not all of it was measured. */
#define POWER_MOST 1.15
#define POWER_LEAST 0.85

/* By which power of the number of tetrahedra the time grows. */
static bool measure_growth(const bench_row* row, bench_figures* out) {
    const heap_plan* plans = row->detail;
    double seconds[2];
    for (int k = 0; k < 2; k++) {
        bench_heaps h;
        seconds[k] = time_heaps(&plans[k], row->repeats, &h);
        bench_heaps_destroy(&h);
        if (!(seconds[k] > 0.0)) return false;
    }
    double times = (double)plans[1].heap.heaps / plans[0].heap.heaps;
    out->value = log(seconds[1] / seconds[0]) / log(times);
    out->reference = POWER_MOST;
    out->ceiling = POWER_MOST / POWER_LEAST;
    snprintf(out->note, sizeof out->note, "%.2f ms and %.1f ms", 1e3 * seconds[0],
             1e3 * seconds[1]);
    return true;
}

/* Two workers beside one, by the clock on the wall; both must find the same bits. */
static bool measure_tet_workers(const bench_row* row, bench_figures* out) {
    const heap_plan* plan = row->detail;
    bench_heaps h[2];
    bench_subject subjects[2];
    double seconds[2] = {0.0, 0.0};
    bool done = true;
    for (int k = 0; k < 2; k++) {
        done = bench_heaps_create(&plan->heap, 2 - k, &h[k]) && done;
        subjects[k] = (bench_subject){.state = &h[k], .step = bench_heaps_find, .steps = 1};
    }
    done = done && bench_time(subjects, 2, row->repeats, seconds);
    const supi_tet_contacts *two = &h[0].contacts, *one = &h[1].contacts;
    bool same = done && two->contact_count == one->contact_count &&
                memcmp(two->contacts, one->contacts,
                       (size_t)one->contact_count * sizeof *one->contacts) == 0;
    if (done && !same) fprintf(stderr, "supple_bench: two workers find other contacts\n");
    out->value = 1e3 * seconds[0];
    out->reference = 1e3 * seconds[1];
    snprintf(out->note, sizeof out->note, "%d contacts, the same bits", (int)one->contact_count);
    for (int k = 0; k < 2; k++) bench_heaps_destroy(&h[k]);
    return same;
}

/* ---- Spheres ---- */

typedef struct sphere_plan {
    int32_t count, more; /* spheres; and how many are compared with them, or 0 */
    bool arrays;         /* how the table beside them is written */
} sphere_plan;

typedef struct crowd {
    int32_t count;
    float radius;
    sup_row *x, *v;
    int32_t* starts;
    supi_self self;
    supi_run run;
    supi_tasks* tasks;
    supi_grid grid;
} crowd;

/* As dense as spheres that are heaped up: about six neighbours each. */
static bool crowd_create(crowd* c, int32_t count, int32_t threads) {
    uint64_t seed = 3;
    size_t rows = (size_t)count;
    memset(c, 0, sizeof *c);
    c->count = count;
    c->radius = (float)(0.0125 * cbrt(1e5 / count));
    c->x = aligned_alloc(16, rows * sizeof *c->x);
    c->v = aligned_alloc(16, rows * sizeof *c->v);
    c->starts = calloc(rows + 1, sizeof *c->starts);
    if (!c->x || !c->v || !c->starts) return false;
    for (int32_t i = 0; i < count; i++) {
        c->x[i] = (sup_row){(float)random_unit(&seed), (float)random_unit(&seed),
                            (float)random_unit(&seed), 1};
        c->v[i] = (sup_row){0, 0, 0, c->radius};
    }
    c->self = (supi_self){.joined_starts = c->starts};
    c->run = (supi_run){.count = count,
                        .high = {1, 1, 1},
                        .reach = c->radius,
                        .filter = {1, 0xffffffffu},
                        .self = &c->self};
    return supi_tasks_create(sup_allocator_default(), threads, NULL, &c->tasks, NULL) == SUP_OK;
}

static void crowd_destroy(crowd* c) {
    supi_grid_free(&c->grid, sup_allocator_default());
    if (c->tasks) supi_tasks_destroy(c->tasks);
    free(c->x);
    free(c->v);
    free(c->starts);
}

static bool crowd_step(void* state) {
    crowd* c = state;
    return supi_grid_find_self(&c->grid, sup_allocator_default(), c->tasks, &c->run, c->x, c->v,
                               0) == SUP_OK;
}

static bool same_pairs(const crowd* c, bench_plain_spheres* plain) {
    int32_t count;
    const int32_t* pairs = bench_plain_spheres_pairs(plain, &count);
    bool same = count == c->grid.pair_count;
    for (int32_t i = 0; same && i < count; i++) {
        same = pairs[2 * i] == c->grid.pairs[i].a && pairs[2 * i + 1] == c->grid.pairs[i].b;
    }
    if (!same) fprintf(stderr, "supple_bench: the two do not find the same pairs\n");
    return same;
}

static bool measure_spheres(const bench_row* row, bench_figures* out) {
    const sphere_plan* plan = row->detail;
    crowd c;
    bool made = crowd_create(&c, plan->count, 1);
    bench_plain_spheres* plain =
        made ? bench_plain_spheres_create(c.x, plan->count, c.radius, plan->arrays) : NULL;
    bench_subject subjects[2] = {{.state = &c, .step = crowd_step, .steps = 1},
                                 {.state = plain, .step = bench_plain_spheres_step, .steps = 1}};
    double seconds[2] = {0.0, 0.0};
    bool done =
        plain && bench_time_work(subjects, 2, row->repeats, seconds) && same_pairs(&c, plain);
    out->value = 1e3 * seconds[0];
    out->reference = 1e3 * seconds[1];
    snprintf(out->note, sizeof out->note, "%d pairs, the same", (int)c.grid.pair_count);
    if (plain) bench_plain_spheres_destroy(plain);
    crowd_destroy(&c);
    return done;
}

/* Two crowds in turn: their seconds by the wall or of processors. */
static bool time_crowds(const bench_row* row, crowd c[2], bool wall, double seconds[2]) {
    bench_subject subjects[2];
    for (int k = 0; k < 2; k++) {
        subjects[k] = (bench_subject){.state = &c[k], .step = crowd_step, .steps = 1};
    }
    return (wall ? bench_time : bench_time_work)(subjects, 2, row->repeats, seconds);
}

/* Two workers beside one; both must find the same. */
static bool measure_sphere_workers(const bench_row* row, bench_figures* out) {
    const sphere_plan* plan = row->detail;
    crowd c[2];
    double seconds[2] = {0.0, 0.0};
    bool done = crowd_create(&c[0], plan->count, 2);
    done = crowd_create(&c[1], plan->count, 1) && done && time_crowds(row, c, true, seconds);
    const supi_grid *two = &c[0].grid, *one = &c[1].grid;
    bool same = done && two->pair_count == one->pair_count &&
                memcmp(two->pairs, one->pairs, (size_t)one->pair_count * sizeof *one->pairs) == 0;
    if (done && !same) fprintf(stderr, "supple_bench: two workers find other pairs\n");
    out->value = 1e3 * seconds[0];
    out->reference = 1e3 * seconds[1];
    snprintf(out->note, sizeof out->note, "%d pairs, the same", (int)one->pair_count);
    for (int k = 0; k < 2; k++) crowd_destroy(&c[k]);
    return same;
}

static bool measure_sphere_growth(const bench_row* row, bench_figures* out) {
    const sphere_plan* plan = row->detail;
    crowd c[2];
    double seconds[2] = {0.0, 0.0};
    bool done = crowd_create(&c[0], plan->count, 1);
    done = crowd_create(&c[1], plan->more, 1) && done && time_crowds(row, c, false, seconds);
    for (int k = 0; k < 2; k++) crowd_destroy(&c[k]);
    if (!done) return false;
    out->value = log(seconds[1] / seconds[0]) / log((double)plan->more / plan->count);
    out->reference = POWER_MOST;
    out->ceiling = POWER_MOST / POWER_LEAST;
    snprintf(out->note, sizeof out->note, "%.3f ms and %.1f ms", 1e3 * seconds[0],
             1e3 * seconds[1]);
    return true;
}

static const heap_plan pile = {{1, 3, 3, 2, 6}, false}, deep_pile = {{1, 3, 3, 2, 6}, true};
static const heap_plan growth[2] = {{{1, 2, 4, 2, 4}, true}, {{100, 2, 4, 2, 4}, true}};
static const sphere_plan spheres = {100000, 0, false}, table_spheres = {100000, 0, true};
static const sphere_plan more_spheres = {5000, 500000, false};

static const bench_row rows[] = {
    {.name = "contact.tets.20k",
     .about = "points in tetrahedra, 18 cubes that overlap their neighbours",
     .unit = "ms",
     .reference = "limit",
     .floor = 1,
     .goal = 3,
     .threads = 1,
     .measure = measure_heap,
     .detail = &pile,
     .repeats = BENCH_REPEATS},
    {.name = "contact.tets.20k.depth",
     .about = "the same with depths and directions",
     .unit = "ms",
     .reference = "limit of that",
     .threads = 1,
     .measure = measure_heap,
     .detail = &deep_pile,
     .repeats = BENCH_REPEATS},
    {.name = "contact.tets.growth",
     .about = "power by which that grows from 5,000 to 500,000 tetrahedra",
     .unit = "",
     .reference = "limit",
     .floor = 1,
     .threads = 1,
     .measure = measure_growth,
     .detail = growth,
     .repeats = 5},
    {.name = "contact.spheres.100k",
     .about = "all pairs of 100,000 spheres that touch",
     .unit = "ms",
     .reference = "hash table",
     .floor = 8,
     .goal = 17,
     .threads = 1,
     .measure = measure_spheres,
     .detail = &spheres,
     .repeats = 5},
    {.name = "contact.spheres.100k.arrays",
     .about = "the same beside a hash table of two arrays",
     .unit = "ms",
     .reference = "hash table",
     .threads = 1,
     .measure = measure_spheres,
     .detail = &table_spheres,
     .repeats = 5},
    {.name = "contact.tets.workers",
     .about = "contacts of 20,000 tetrahedra with depths, two workers",
     .unit = "ms",
     .reference = "one worker",
     .floor = 1.6,
     .goal = 1.9,
     .threads = 2,
     .measure = measure_tet_workers,
     .detail = &deep_pile,
     .repeats = BENCH_REPEATS},
    {.name = "contact.spheres.workers",
     .about = "all pairs of 100,000 spheres that touch, two workers",
     .unit = "ms",
     .reference = "one worker",
     .floor = 1.6,
     .goal = 1.9,
     .threads = 2,
     .measure = measure_sphere_workers,
     .detail = &spheres,
     .repeats = BENCH_REPEATS},
    {.name = "contact.spheres.growth",
     .about = "power by which that grows from 5,000 to 500,000 spheres",
     .unit = "",
     .reference = "limit",
     .floor = 1,
     .threads = 1,
     .measure = measure_sphere_growth,
     .detail = &more_spheres,
     .repeats = 10},
};

const bench_row* bench_rows_contact(int32_t* count) {
    *count = (int32_t)(sizeof rows / sizeof *rows);
    return rows;
}
