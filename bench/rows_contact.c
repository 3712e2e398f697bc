/* Rows about contact: bodies of tetrahedra that overlap, beside what the method allows; spheres,
   beside a plain hash table. */
#include "bench.h"
#include "contact/grid.h"
#include "contact/tet_contacts.h"
#include "geom/tet.h"
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

/* Heaps side by side, each of `nx` ny nz cubes, of `cells` cells along each edge, that overlap
   their neighbours by 0.3 cells. */
typedef struct heap_plan {
    int32_t heaps, nx, ny, nz, cells;
    bool depths; /* all of it; false: who is inside */
} heap_plan;

#define DETECTION_MOST 3.0 /* ms */

typedef struct heaps {
    sup_tets tets;
    sup_adjacency edges;
    supi_arena arena;
    supi_tet_form form;
    int32_t count;
    supi_tet_body* bodies;
    sup_row *x, *v;
    supi_tasks* tasks;
    supi_tet_contacts contacts;
    supi_tet_rules rules;
} heaps;

enum { CUBE_TETS = 5 };

/* The five tetrahedra of a cube, mirrored in every second one. */
static bool make_cube(int32_t cells, sup_tets* out) {
    static const int32_t corners[CUBE_TETS][4] = {
        {0, 1, 2, 4}, {3, 1, 2, 7}, {5, 1, 4, 7}, {6, 2, 4, 7}, {1, 2, 4, 7}};
    int32_t n = cells + 1, count = n * n * n, all = cells * cells * cells, next = 0;
    sup_vec3* points = malloc((size_t)count * sizeof *points);
    int32_t* tets = malloc((size_t)all * 4 * CUBE_TETS * sizeof *tets);
    bool done = points && tets;
    for (int32_t p = 0; done && p < count; p++) {
        points[p] = (sup_vec3){(float)(p % n), (float)(p / n % n), (float)(p / n / n)};
    }
    for (int32_t c = 0; done && c < all; c++) {
        int32_t i = c % cells, j = c / cells % cells, k = c / cells / cells;
        for (int t = 0; t < 4 * CUBE_TETS; t++) {
            int32_t corner = corners[t / 4][t % 4] ^ ((i + j + k) % 2 ? 7 : 0);
            tets[next++] = ((k + (corner >> 2)) * n + j + (corner >> 1 & 1)) * n + i + (corner & 1);
        }
    }
    done = done &&
           sup_tets_mend(NULL, count, points, CUBE_TETS * all, tets, out, NULL, NULL) == SUP_OK;
    free(points);
    free(tets);
    return done;
}

static void place_bodies(heaps* h, const heap_plan* plan) {
    uint64_t seed = 1;
    int32_t each = plan->nx * plan->ny * plan->nz, side = 1;
    while (side * side < plan->heaps) side++;
    double step = plan->cells - 0.3;
    for (int32_t b = 0; b < h->count; b++) {
        int32_t heap = b / each, own = b % each;
        double at[3] = {(heap % side) * 1.5 * plan->nx * plan->cells + own % plan->nx * step,
                        own / plan->nx % plan->ny * step,
                        (heap / side) * 1.5 * plan->nz * plan->cells +
                            own / plan->nx / plan->ny * step};
        double tilt = 0.03 * (random_unit(&seed) - 0.5);
        for (int k = 0; k < 3; k++) at[k] += 0.2 * (random_unit(&seed) - 0.5);
        h->bodies[b] = (supi_tet_body){.form = &h->form,
                                       .x = h->x + (size_t)b * (size_t)h->form.point_count,
                                       .v = h->v + (size_t)b * (size_t)h->form.point_count,
                                       .id = b,
                                       .filter = {1, 0xffffffffu}};
        for (int32_t i = 0; i < h->form.point_count; i++) {
            sup_vec3 p = h->form.rest[i];
            double x = (double)p.x + tilt * (double)p.y, y = (double)p.y - tilt * (double)p.x;
            h->bodies[b].x[i] =
                (sup_row){(float)(at[0] + x), (float)(at[1] + y), (float)(at[2] + (double)p.z), 1};
        }
    }
}

static bool heaps_create(const heap_plan* plan, heaps* h) {
    const sup_allocator* allocator = sup_allocator_default();
    memset(h, 0, sizeof *h);
    h->rules = supi_tet_rules_default();
    supi_arena_init(&h->arena, allocator);
    if (!make_cube(plan->cells, &h->tets)) return false;
    bool done = supi_tet_adjacency(allocator, &h->tets, &h->edges, NULL) == SUP_OK &&
                supi_tet_form_make(&h->arena, &h->tets, &h->edges, &h->form);
    h->count = plan->heaps * plan->nx * plan->ny * plan->nz;
    size_t rows = (size_t)h->count * (size_t)h->form.point_count;
    h->bodies = calloc((size_t)h->count, sizeof *h->bodies);
    h->x = aligned_alloc(16, rows * sizeof *h->x);
    h->v = aligned_alloc(16, rows * sizeof *h->v);
    done = done && h->bodies && h->x && h->v &&
           supi_tasks_create(allocator, 1, NULL, &h->tasks, NULL) == SUP_OK;
    if (!done) return false;
    memset(h->v, 0, rows * sizeof *h->v);
    place_bodies(h, plan);
    return true;
}

static void heaps_destroy(heaps* h) {
    supi_tet_contacts_free(&h->contacts, sup_allocator_default());
    if (h->tasks) supi_tasks_destroy(h->tasks);
    supi_arena_free(&h->arena);
    sup_adjacency_free(&h->edges);
    sup_tets_free(&h->tets);
    free(h->bodies);
    free(h->x);
    free(h->v);
}

static bool heaps_detect(void* state) {
    heaps* h = state;
    return supi_tet_find(&h->contacts.finder, sup_allocator_default(), h->tasks,
                         supi_tet_kernels_find(SUP_SIMD_AUTO), h->bodies, h->count,
                         &h->rules) == SUP_OK;
}

static bool heaps_step(void* state) {
    heaps* h = state;
    return supi_tet_contacts_find(&h->contacts, sup_allocator_default(), h->tasks,
                                  supi_tet_kernels_find(SUP_SIMD_AUTO), h->bodies, h->count,
                                  &h->rules) == SUP_OK;
}

/* Seconds to find all contacts; < 0 when it failed. */
static double time_heaps(const heap_plan* plan, int32_t repeats, heaps* h) {
    double seconds = -1.0;
    if (!heaps_create(plan, h)) return -1.0;
    bench_subject subject = {
        .state = h, .step = plan->depths ? heaps_step : heaps_detect, .steps = 1};
    return bench_time_work(&subject, 1, repeats, &seconds) ? seconds : -1.0;
}

static bool measure_heap(const bench_row* row, bench_figures* out) {
    const heap_plan* plan = row->detail;
    heaps h;
    double seconds = time_heaps(plan, row->repeats, &h);
    out->value = 1e3 * seconds;
    out->reference = DETECTION_MOST;
    snprintf(out->note, sizeof out->note, "%d tetrahedra, %d points, %d hits",
             (int)(h.count * h.form.tet_count), (int)(h.count * h.form.point_count),
             (int)h.contacts.finder.hit_count);
    heaps_destroy(&h);
    return seconds > 0.0;
}

/* By which power of the number of tetrahedra the time grows. */
static bool measure_growth(const bench_row* row, bench_figures* out) {
    const heap_plan* plans = row->detail;
    double seconds[2];
    for (int k = 0; k < 2; k++) {
        heaps h;
        seconds[k] = time_heaps(&plans[k], row->repeats, &h);
        heaps_destroy(&h);
        if (!(seconds[k] > 0.0)) return false;
    }
    double times = (double)plans[1].heaps / plans[0].heaps;
    out->value = log(seconds[1] / seconds[0]) / log(times);
    out->reference = 1.15;
    snprintf(out->note, sizeof out->note, "%.2f ms and %.1f ms", 1e3 * seconds[0],
             1e3 * seconds[1]);
    return true;
}

/* ---- Spheres ---- */

enum { SPHERES = 100000 };

typedef struct crowd {
    sup_row *x, *v;
    int32_t* starts;
    supi_self self;
    supi_run run;
    supi_tasks* tasks;
    supi_grid grid;
} crowd;

/* As dense as spheres that are heaped up: about six neighbours each. */
static bool crowd_create(crowd* c, float radius) {
    uint64_t seed = 3;
    memset(c, 0, sizeof *c);
    c->x = aligned_alloc(16, SPHERES * sizeof *c->x);
    c->v = aligned_alloc(16, SPHERES * sizeof *c->v);
    c->starts = calloc(SPHERES + 1, sizeof *c->starts);
    if (!c->x || !c->v || !c->starts) return false;
    for (int32_t i = 0; i < SPHERES; i++) {
        c->x[i] = (sup_row){(float)random_unit(&seed), (float)random_unit(&seed),
                            (float)random_unit(&seed), 1};
        c->v[i] = (sup_row){0, 0, 0, radius};
    }
    c->self = (supi_self){.joined_starts = c->starts};
    c->run = (supi_run){.count = SPHERES,
                        .high = {1, 1, 1},
                        .reach = radius,
                        .filter = {1, 0xffffffffu},
                        .self = &c->self};
    return supi_tasks_create(sup_allocator_default(), 1, NULL, &c->tasks, NULL) == SUP_OK;
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
    const float radius = *(const float*)row->detail;
    crowd c;
    bool made = crowd_create(&c, radius);
    bench_plain_spheres* plain = made ? bench_plain_spheres_create(c.x, SPHERES, radius) : NULL;
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

static const heap_plan pile = {1, 3, 3, 2, 6, false}, deep_pile = {1, 3, 3, 2, 6, true};
static const heap_plan growth[2] = {{1, 2, 4, 2, 4, true}, {100, 2, 4, 2, 4, true}};
static const float sphere_radius = 0.0125f;

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
     .detail = &sphere_radius,
     .repeats = 5},
};

const bench_row* bench_rows_contact(int32_t* count) {
    *count = (int32_t)(sizeof rows / sizeof *rows);
    return rows;
}
