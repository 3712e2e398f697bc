/* Makes heaps of cubes of tetrahedra. */
#include "heaps.h"

#include "geom/tet.h"

#include <stdlib.h>
#include <string.h>

static double random_unit(uint64_t* state) {
    *state = *state * 6364136223846793005u + 1442695040888963407u;
    return (double)(*state >> 11) / 9007199254740992.0;
}

enum { CUBE_TETS = 5 };

/* The five tetrahedra of a cube, mirrored in every second one. */
bool bench_cube_create(int32_t cells, sup_tets* out) {
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

static void place_bodies(bench_heaps* h, const bench_heap_plan* plan) {
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

bool bench_heaps_create(const bench_heap_plan* plan, int32_t threads, bench_heaps* h) {
    const sup_allocator* allocator = sup_allocator_default();
    memset(h, 0, sizeof *h);
    h->rules = supi_tet_rules_default();
    supi_arena_init(&h->arena, allocator);
    if (!bench_cube_create(plan->cells, &h->tets)) return false;
    bool done = supi_tet_adjacency(allocator, &h->tets, &h->edges, NULL) == SUP_OK &&
                supi_tet_form_make(&h->arena, &h->tets, &h->edges, &h->form);
    h->count = plan->heaps * plan->nx * plan->ny * plan->nz;
    size_t rows = (size_t)h->count * (size_t)h->form.point_count;
    h->bodies = calloc((size_t)h->count, sizeof *h->bodies);
    h->x = aligned_alloc(16, rows * sizeof *h->x);
    h->v = aligned_alloc(16, rows * sizeof *h->v);
    done = done && h->bodies && h->x && h->v &&
           supi_tasks_create(allocator, threads, NULL, &h->tasks, NULL) == SUP_OK;
    if (!done) return false;
    memset(h->v, 0, rows * sizeof *h->v);
    place_bodies(h, plan);
    return true;
}

void bench_heaps_destroy(bench_heaps* h) {
    supi_tet_contacts_free(&h->contacts, sup_allocator_default());
    if (h->tasks) supi_tasks_destroy(h->tasks);
    supi_arena_free(&h->arena);
    sup_adjacency_free(&h->edges);
    sup_tets_free(&h->tets);
    free(h->bodies);
    free(h->x);
    free(h->v);
}

bool bench_heaps_find(void* state) {
    bench_heaps* h = state;
    return supi_tet_contacts_find(&h->contacts, sup_allocator_default(), h->tasks,
                                  supi_tet_kernels_find(SUP_SIMD_AUTO), h->bodies, h->count,
                                  &h->rules) == SUP_OK;
}
