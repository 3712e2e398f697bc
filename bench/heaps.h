/* Heaps of cubes of tetrahedra, as contact sees them. */
#ifndef SUPPLE_BENCH_HEAPS_H
#define SUPPLE_BENCH_HEAPS_H

#include "bench.h"
#include "contact/tet_contacts.h"

/* A cube with so many cells of 1 m along each edge, each cut into five tetrahedra. False: no
   memory. */
bool bench_cube_create(int32_t cells, sup_tets* out);

/* Heaps side by side, each of `nx` ny nz cubes, of `cells` cells along each edge, that overlap
   their neighbours by 0.3 cells. */
typedef struct bench_heap_plan {
    int32_t heaps, nx, ny, nz, cells;
} bench_heap_plan;

typedef struct bench_heaps {
    sup_tets tets;
    sup_adjacency edges;
    supi_arena arena;
    supi_tet_form form;
    int32_t count;
    supi_tet_body* bodies;
    sup_row *x, *v; /* of all bodies */
    supi_tasks* tasks;
    supi_tet_contacts contacts;
    supi_tet_rules rules;
} bench_heaps;

/* False when memory is short; to be destroyed all the same. */
bool bench_heaps_create(const bench_heap_plan* plan, int32_t threads, bench_heaps* out);
void bench_heaps_destroy(bench_heaps* heaps);
/* All contacts with their depths, as a step of a subject. */
bool bench_heaps_find(void* heaps);

#endif
