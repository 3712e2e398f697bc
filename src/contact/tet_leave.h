/* The one way out for a part of a body that is inside another as a whole, so that no edge of it
   tells where the surface is. */
#ifndef SUPPLE_CONTACT_TET_LEAVE_H
#define SUPPLE_CONTACT_TET_LEAVE_H

#include "contact/tet_depth.h"

typedef struct supi_tet_part {
    const supi_tet_body *body, *other;
    double offset[3]; /* of places of `body` in the frame of `other` */
    const supi_tet_pair* pair;
    const supi_tet_contact* contacts; /* of the pair */
    const int32_t* members;           /* those of the part */
    int32_t count;
} supi_tet_part;

/* The remembered direction of a point; false: none. */
bool supi_tet_recall(const supi_tet_pair* pair, int32_t point, sup_vec3* normal);

/* As it came, else towards the nearest surface where its points agree about that, else the
   shortest of some ways; `up` where nothing tells one from another. Never along axes on which
   neither of the two can move, unless those are all. Sheets and ropes take a way that draws in what
   follows only where there is no other. Unit. */
sup_vec3 supi_tet_leave(const supi_tet_part* part, sup_vec3 up);

/* The pair of the same bodies the other way round, or NULL. Pairs are in their order. */
const supi_tet_pair* supi_tet_pair_back(const supi_tet_pair* pairs, int32_t count,
                                        const supi_tet_pair* pair);
/* Has its body been carried out of the other not long ago? */
bool supi_tet_pair_carried(const supi_tet_pair* pair);
/* Is most of its body in the other, and more than of the other in it? Or has it been, and is not
   yet out? `back` may be NULL. */
bool supi_tet_pair_leads(const supi_tet_body* bodies, const supi_tet_pair* pair,
                         const supi_tet_pair* back);

/* Of a pair that leads: points of the other in its body that would go the same way as it are to let
   it pass. */
void supi_tet_give_way(const supi_tet_body* bodies, const supi_tet_pair* pair,
                       const supi_tet_pair* back, supi_tet_contact* contacts);

#endif
