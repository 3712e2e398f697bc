/* The outside of a body as something that ways cross: triangles of a region in cells, ways through
   the cells by 3D-DDA. */
#ifndef SUPPLE_CONTACT_TET_WALLS_H
#define SUPPLE_CONTACT_TET_WALLS_H

#include "base/column.h"
#include "contact/tet_form.h"

/* Triangles of the surface of a body that reach into a box, all in the frame of the body. */
typedef struct supi_tet_walls {
    const supi_tet_body* body;
    const supi_tet_face* faces;
    double low[3], inverse; /* cell of x: floor((x - low) * inverse) */
    int32_t count[3];       /* of cells */
    int32_t triangle_count;
    int32_t* triangles;        /* ascending */
    int32_t *starts, *members; /* by cell: numbers of `triangles` */

    supi_column triangle_store, start_store, member_store;
} supi_tet_walls;

/* Where a way crosses the surface. */
typedef struct supi_tet_crossing {
    double t; /* of the way, 0..1 */
    int32_t triangle;
    int32_t member;    /* its number among those of the walls */
    double weights[3]; /* of its corners */
} supi_tet_crossing;

/* Room for bodies with so many triangles, so that building needs none. False when memory is short.
 */
bool supi_tet_walls_reserve(supi_tet_walls* walls, const sup_allocator* allocator,
                            int32_t triangle_count);
/* `faces` are those of the body, as it is. */
void supi_tet_walls_build(supi_tet_walls* walls, const supi_tet_body* body,
                          const supi_tet_face* faces, const double low[3], const double high[3]);
void supi_tet_walls_free(supi_tet_walls* walls, const sup_allocator* allocator);

/* The first crossing of the way from..to, which lies in the box; of equal ones that with the lowest
   triangle. */
bool supi_tet_walls_first(const supi_tet_walls* walls, const double from[3], const double to[3],
                          supi_tet_crossing* out);

/* All crossings by t, each triangle once; at most `most`. */
int32_t supi_tet_walls_all(const supi_tet_walls* walls, const double from[3], const double to[3],
                           supi_tet_crossing* out, int32_t most);

bool supi_tet_crosses(const supi_tet_body* body, int32_t triangle, const double from[3],
                      const double to[3], supi_tet_crossing* out);
/* Puts a crossing where it belongs by t in a list, unless it is there; the last one is lost where
   there is no room. Returns how many there are. */
int32_t supi_tet_crossing_insert(supi_tet_crossing* list, int32_t count, int32_t most,
                                 supi_tet_crossing c);

#endif
