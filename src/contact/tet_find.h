/* Broad and narrow phase between bodies of tetrahedra: which points are in which tetrahedra. */
#ifndef SUPPLE_CONTACT_TET_FIND_H
#define SUPPLE_CONTACT_TET_FIND_H

#include "base/tasks.h"
#include "contact/cell_list.h"
#include "contact/sweep.h"
#include "contact/tet_form.h"
#include "contact/tet_lanes.h"

enum {
    SUPI_TET_ON_SURFACE = 1, /* on a side that is outside: touching, no contact */
    SUPI_TET_INVERTED = 2    /* the tetrahedron is inside out */
};

/* Point `point` of body `body` is in tetrahedron `tet` of body `other`. */
typedef struct supi_tet_hit {
    int32_t body, point, other, tet;
    float weights[4]; /* of its corners */
    uint32_t flags;
} supi_tet_hit;

/* All zero is an empty one. Memory is kept from call to call. */
typedef struct supi_tet_finder {
    supi_tet_hit* hits; /* sorted by body, other, point, tet; each once */
    int32_t hit_count;
    const uint64_t* couples; /* bodies whose boxes meet: lower index << 32 | higher, ascending */
    int32_t couple_count;
    int32_t skipped;     /* points and tetrahedra so far out that they have no cell, or no place:
                            they meet nobody */
    int32_t large_count; /* tetrahedra that cover many cells */

    supi_sweep sweep;
    supi_cell_list fine, coarse;
    supi_column boxes, blocks, entries, large, found, keys, ids, scratch_keys, scratch_ids,
        hit_store;
} supi_tet_finder;

typedef struct supi_tet_rules {
    float cell;  /* edge of a broad-phase cell in mean edges of tetrahedra: 0.5 to 2 are reasonable,
                    1 (default) is as good as any */
    sup_vec3 up; /* where to go when nothing else is known; default +y */
    const supi_exemptions* exempt; /* couples of ids that never meet; default NULL: none */
    const uint64_t* deep; /* couples of ids, the lower << 32 | the higher, ascending: those that may
                             be so deep in each other that even tetrahedra that stand in count */
    int32_t deep_count;
    float h; /* s, what the substep is long: x - h v is where a row came from; default 0: nobody
                asks where */
} supi_tet_rules;
supi_tet_rules supi_tet_rules_default(void);

/* Fills hits and couples. SUP_NO_MEMORY leaves no hits. */
sup_result supi_tet_find(supi_tet_finder* finder, const sup_allocator* allocator, supi_tasks* tasks,
                         const supi_tet_kernels* kernels, const supi_tet_body* bodies,
                         int32_t body_count, const supi_tet_rules* rules);
void supi_tet_finder_free(supi_tet_finder* finder, const sup_allocator* allocator);

#endif
