/* What a scene looks like: triangles with smooth normals, spheres and materials. The points of a
   cloud are spheres. Bodies and colliders move from picture to picture. */
#ifndef SUPPLE_TOOL_RENDER_GEOMETRY_H
#define SUPPLE_TOOL_RENDER_GEOMETRY_H

#include "supple/scene.h"

typedef struct render_material {
    sup_vec3 colour; /* linear RGB */
    float roughness;
    float depth;                    /* m, how far light goes into it; 0: not at all */
    bool is_ground;                 /* a plane: has a grid and fades out far away */
    sup_vec3 centre, across, other; /* of a plane: unit vectors along the grid */
} render_material;

/* A collider: a sphere, or a mesh in its own frame. */
typedef struct render_solid {
    int32_t collider; /* of the scene */
    int32_t material;
    sup_mesh mesh;  /* empty for spheres */
    int32_t vertex; /* its first one */
    int32_t sphere; /* -1: it is a mesh */
    bool one_sided; /* seen and felt by light from its front only: planes and containers */
} render_solid;

/* A triangle of a one-sided collider. */
typedef struct render_facet {
    int32_t corners[3], normals[3], material;
} render_facet;

/* A body whose surface tears: its corners share other normals after it. */
typedef struct render_sheet {
    int32_t body;                     /* of the scene */
    int32_t vertex, triangle, normal; /* its first ones; each corner could have a normal */
    int32_t triangle_count;
} render_sheet;

/* The surface of soft substance in one picture. */
typedef struct render_soft {
    sup_mesh mesh;
    sup_vec3* normals; /* by point of the mesh */
    int32_t material;  /* and body of the scene */
    int32_t normal;    /* its first one */
} render_soft;

/* Places are relative to `origin`. Bodies come first in all arrays but that of spheres, in the
   order of the scene. */
typedef struct render_geometry {
    double origin[3]; /* m, world */
    double horizon;   /* m */

    int32_t vertex_count, body_vertex_count;
    sup_vec3* vertices; /* (vertex_count + 1) */
    int32_t triangle_count, body_triangle_count,
        soft_triangle_count,      /* of bodies, and then of soft substance */
        solid_triangle_count;     /* one-sided ones come last */
    int32_t (*triangles)[3];      /* vertices */
    int32_t (*corner_normals)[3]; /* normals of their corners */
    int32_t* triangle_material;
    int32_t normal_count;
    sup_vec3* normals;
    /* As they were made (triangle_count - solid_triangle_count): above, each picture has another
       order, which must not follow from the picture before. */
    render_facet* facets;

    int32_t sheet_count;
    render_sheet* sheets;

    int32_t soft_count; /* behind the bodies; made anew for each picture */
    render_soft* softs;

    int32_t solid_count;
    render_solid* solids; /* one-sided ones last */

    int32_t sphere_count, solid_sphere_count; /* those of colliders come first */
    sup_row* spheres;                         /* centre, radius (sphere_count + 1) */
    int32_t* sphere_material;
    int32_t* sphere_vertex; /* of a cloud, which each of its spheres is around */

    int32_t material_count; /* bodies, then colliders */
    render_material* materials;
} render_geometry;

/* Planes reach out to `horizon` m. False: no memory. */
bool geometry_create(render_geometry* geometry, sup_scene* scene, const double origin[3],
                     double horizon);
/* Brings bodies and colliders to where they are now. False: no memory. */
bool geometry_update(render_geometry* geometry, sup_scene* scene);
/* Puts the one-sided triangles in order: first those that `lamp` shines on, which block light, then
   those that do not, at last those that turn their back on the viewer, which are not drawn.
   Otherwise they would darken or hide everything. Counts all triangles of the first kind, and of
   both. */
void geometry_order_planes(render_geometry* geometry, sup_vec3 viewer, sup_vec3 lamp,
                           int32_t* blocking_count, int32_t* seen_count);
void geometry_free(render_geometry* geometry);

/* ---- parts ---- */

/* Gives every corner of a body's `count` triangles the number of a normal, counted up from
   *normal_count: corners at one particle share theirs unless an edge between them is sharper than
   about 40 degrees at rest. `rest` and `particle_of` (by vertex, from `first_vertex` on) say where
   that was. False: no memory. */
bool crease_corners(const int32_t (*triangles)[3], int32_t count, int32_t first_vertex,
                    const int32_t* particle_of, const sup_vec3* rest, int32_t particle_count,
                    int32_t (*corner_normals)[3], int32_t* normal_count);

/* Finds the surfaces of soft substance as they are now. False: no memory. */
bool softs_create(render_geometry* geometry, sup_scene* scene);
/* Their triangles, once there is room for them. */
void softs_add(render_geometry* geometry);
/* Their normals are those of the field. */
void softs_shade(render_geometry* geometry);
void softs_free(render_geometry* geometry);

/* Makes the meshes of all colliders that are drawn: all but sensors. False: no memory. */
bool solids_create(render_geometry* geometry, sup_scene* scene, double horizon);
/* Puts vertices, spheres and the grids of planes to where their colliders are now. */
void solids_update(render_geometry* geometry, sup_scene* scene);
void solids_free(render_geometry* geometry);

#endif
