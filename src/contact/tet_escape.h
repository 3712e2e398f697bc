/* Ways out of a body that are found by asking all of its surface: for the few points that
   consistent depth cannot tell about. */
#ifndef SUPPLE_CONTACT_TET_ESCAPE_H
#define SUPPLE_CONTACT_TET_ESCAPE_H

#include "contact/tet_contact.h"

/* m: how far p is from the outside along the unit vector r: to where the surface is not wound
   around it any more; 0 where the ray meets nothing. */
float supi_tet_exit(const supi_tet_body* body, const double p[3], sup_vec3 r);

/* The nearest place of the surface and its triangle. False for a body without one. */
bool supi_tet_nearest(const supi_tet_body* body, const double p[3], double place[3],
                      int32_t* triangle);

/* Normal and depth of a contact as the way to that place. */
void supi_tet_escape_nearest(const supi_tet_body* body, const double p[3],
                             supi_tet_contact* contact);

/* m: how deep a contact is yet: along its way out, but no deeper than the point is from the nearest
   place of the surface, as bodies lie now; 0 where it is out. */
float supi_tet_deep(const supi_tet_body* bodies, const supi_tet_contact* contact);

/* m, of the body's box. */
float supi_tet_diagonal(const supi_tet_body* body);

/* From the middle of one body to that of another, which lies `offset` further away. */
sup_vec3 supi_tet_between(const supi_tet_body* from, const supi_tet_body* to,
                          const double offset[3]);

#endif
