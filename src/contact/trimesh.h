/* A triangle mesh as a collider: nearest point, inside or outside, and crossings, through a tree of
   boxes. Points may move from substep to substep. */
#ifndef SUPPLE_CONTACT_TRIMESH_H
#define SUPPLE_CONTACT_TRIMESH_H

#include "geom/facet.h"
#include "supple/types.h"

typedef struct supi_trimesh supi_trimesh;

/* Copies the mesh, polygons cut into triangles as fans. Refused: no polygon, none with an area, a
   point that is not finite. Triangles without area take no part. A mesh that is open only because
   its polygons have points of their own at the same places is joined there. */
sup_result supi_trimesh_create(const sup_allocator* allocator, const sup_mesh* mesh,
                               supi_trimesh** out, sup_error* error);
void supi_trimesh_free(supi_trimesh* mesh);

/* Closed: every edge belongs to two triangles that agree on the outside. */
bool supi_trimesh_closed(const supi_trimesh* mesh);
int32_t supi_trimesh_point_count(const supi_trimesh* mesh);
int32_t supi_trimesh_triangle_count(const supi_trimesh* mesh);
const sup_vec3* supi_trimesh_points(const supi_trimesh* mesh);
/* Point ids, 3 for each triangle. */
const int32_t* supi_trimesh_triangles(const supi_trimesh* mesh);
void supi_trimesh_bounds(const supi_trimesh* mesh, float low[3], float high[3]);

/* New places of the points and their velocities (m/s; NULL: at rest). Allocates nothing. */
void supi_trimesh_move(supi_trimesh* mesh, const sup_vec3* points, const sup_vec3* velocities);
/* m/s, of the fastest point; 0: at rest. */
float supi_trimesh_speed(const supi_trimesh* mesh);

typedef struct supi_trimesh_hit {
    float distance;  /* m, signed by the pseudo-normal: negative behind the surface (Baerentzen and
                        Aanaes 2005). On the border of an open mesh: never negative */
    sup_vec3 point;  /* m, nearest one */
    sup_vec3 normal; /* unit, the direction in which the signed distance grows */
    sup_vec3 velocity; /* m/s of that point */
    float side;        /* 1, or -1 behind the surface; on the border too */
    bool border; /* the nearest point lies on the border of an open mesh, or where more than two
                    triangles meet */
    int32_t triangle;
} supi_trimesh_hit;

/* The nearest point, if it is closer than `limit` (m; FLT_MAX: any). False, too, where moving has
   left no triangle with an area. */
bool supi_trimesh_nearest(const supi_trimesh* mesh, sup_vec3 x, float limit, supi_trimesh_hit* out);

/* The first triangle that from + t (to - from) crosses, 0 <= t <= 1, from either side; the normal
   is the face's own. */
typedef struct supi_trimesh_crossing {
    float t;
    int32_t triangle;
    sup_vec3 normal, velocity;
} supi_trimesh_crossing;
bool supi_trimesh_cross(const supi_trimesh* mesh, sup_vec3 from, sup_vec3 to,
                        supi_trimesh_crossing* out);

/* Visits the triangles with an area whose boxes touch the box low..high. */
void supi_trimesh_visit(const supi_trimesh* mesh, const float low[3], const float high[3],
                        supi_facet_visit* visit, void* context);

#endif
