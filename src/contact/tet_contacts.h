/* All contacts between bodies of tetrahedra in one substep, and what is remembered of earlier ones.
 */
#ifndef SUPPLE_CONTACT_TET_CONTACTS_H
#define SUPPLE_CONTACT_TET_CONTACTS_H

#include "contact/tet_depth.h"
#include "contact/tet_patch.h"

/* All zero is an empty one. Memory is kept from call to call. */
typedef struct supi_tet_contacts {
    supi_tet_contact* contacts; /* by body, other, point; then those of edges, by couple */
    int32_t contact_count, edge_contact_count;
    supi_tet_pair* pairs;
    int32_t pair_count;
    supi_tet_memory* memory; /* by body, other, point: part of the state that the next call reads */
    int32_t memory_count;
    supi_tet_finder finder;
    supi_tet_patches patches;

    supi_column contact_store, pair_store, memory_store, memory_spare, rooms, faces, face_starts,
        firsts, loads;
} supi_tet_contacts;

/* Finds them anew. SUP_NO_MEMORY leaves no contacts, and the memory as it was. */
sup_result supi_tet_contacts_find(supi_tet_contacts* all, const sup_allocator* allocator,
                                  supi_tasks* tasks, const supi_tet_kernels* kernels,
                                  const supi_tet_body* bodies, int32_t body_count,
                                  const supi_tet_rules* rules);
/* Forgets the contacts, and remembers again what it did before: `memory` of that time. There is
   room for it, as memory is kept. */
void supi_tet_contacts_recall(supi_tet_contacts* all, const supi_tet_memory* memory, int32_t count);
/* Is anything remembered of the body of one id in that of another? */
bool supi_tet_contacts_remember(const supi_tet_contacts* all, int32_t body, int32_t other);
/* In place of finding them where nobody is to be asked: what is remembered is one substep older. */
void supi_tet_contacts_age(supi_tet_contacts* all);
/* Forgets the contacts. What is remembered stays. */
void supi_tet_contacts_clear(supi_tet_contacts* all);
void supi_tet_contacts_free(supi_tet_contacts* all, const sup_allocator* allocator);

#endif
