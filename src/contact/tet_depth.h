/* Consistent penetration depth (Heidelberger et al. 2004): how far and which way the points of one
   body have to go to be out of another. */
#ifndef SUPPLE_CONTACT_TET_DEPTH_H
#define SUPPLE_CONTACT_TET_DEPTH_H

#include "contact/tet_contact.h"
#include "contact/tet_walls.h"

/* Points of `body` that are in `other`: contacts first .. first + count - 1, by point. */
typedef struct supi_tet_pair {
    int32_t body, other; /* indexes */
    int32_t first, count;
    const supi_tet_memory* past; /* what is remembered of the two, by point */
    int32_t past_count;
} supi_tet_pair;

/* What a worker needs for one pair. All zero is an empty one. */
typedef struct supi_tet_room {
    supi_tet_walls walls;
    supi_column slots, levels, queue, starts, ways, bends;
} supi_tet_room;

/* Room for any pair of the bodies. False when memory is short. */
bool supi_tet_room_reserve(supi_tet_room* room, const sup_allocator* allocator,
                           const supi_tet_body* bodies, int32_t body_count);
void supi_tet_room_free(supi_tet_room* room, const sup_allocator* allocator);

/* Fills normal, depth and flags of the contacts of a pair, of which row 0 is the point. `faces`: of
   each of the bodies, as it is. */
void supi_tet_depth(const supi_tet_body* bodies, const supi_tet_face* const* faces,
                    const supi_tet_pair* pair, const supi_tet_rules* rules, supi_tet_room* room,
                    supi_tet_contact* contacts);

#endif
