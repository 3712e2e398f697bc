/* Contacts that consistent depth does not see: of a body with itself, and edges that cross a body
   with no point in it; and how all of them share what they move. */
#ifndef SUPPLE_CONTACT_TET_OTHERS_H
#define SUPPLE_CONTACT_TET_OTHERS_H

#include "contact/tet_depth.h"

/* A point of the surface in a tetrahedron of its own body: where it would be in the rest shape says
   which part of the surface it has come through. False where it is a neighbour there. */
bool supi_tet_with_itself(const supi_tet_body* bodies, const supi_tet_hit* hit,
                          supi_tet_contact* out);

/* Points of one body in another, ascending. */
typedef struct supi_tet_inside {
    const supi_tet_hit* hits;
    int32_t count;
} supi_tet_inside;

/* Edges of the surface of `body` that go into `other` and come out again, with both ends outside,
   and through sides no corner of which is in `body`: such a corner leads out, and an edge that cuts
   it off would push it sideways. `faces` are those of `other`; `inside`: points of `body` in
   `other`, `back`: the other way round. Contacts are appended to a column; false when memory is
   short. */
bool supi_tet_edges(const supi_tet_body* bodies, int32_t body, int32_t other,
                    const supi_tet_face* faces, supi_tet_inside inside, supi_tet_inside back,
                    supi_tet_room* room, const sup_allocator* allocator, supi_column* contacts,
                    int32_t* count);

/* Fills the parts of contacts; columns are scratch. False when memory is short. */
bool supi_tet_crowd(const supi_tet_body* bodies, int32_t body_count, const sup_allocator* allocator,
                    supi_column* firsts, supi_column* loads, supi_tet_contact* contacts,
                    int32_t count);

#endif
