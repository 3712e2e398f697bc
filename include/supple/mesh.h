/* Meshes: making, welding, checking, filling. Arrays in, arrays out; no function keeps a pointer it
   was given. */
#ifndef SUPPLE_MESH_H
#define SUPPLE_MESH_H

#include "supple/types.h"

#ifdef __cplusplus
extern "C" {
#endif

/* `allocator` may be NULL everywhere here: the default one is used. */

/* A mesh with its own copies of the arrays. Refused: non-finite points, polygons of fewer than 3
   corners, corners out of range. `starts` may be NULL for triangles (corner_count = 3 *
   polygon_count). */
SUP_API sup_result sup_mesh_create(const sup_allocator* allocator, int32_t point_count,
                                   const sup_vec3* points, int32_t polygon_count,
                                   const int32_t* starts, const int32_t* corners, sup_mesh* out,
                                   sup_error* error);
SUP_API void sup_mesh_free(sup_mesh* mesh);

/* Shapes, centred at the origin, y up, outward faces. Sizes from 1e-6 to 1e6 m. */

/* Box of quads; segments 1..1024 along each side. Shared edges are one vertex. */
SUP_API sup_result sup_mesh_box(const sup_allocator* allocator, const double size[3],
                                const int32_t segments[3], sup_mesh* out, sup_error* error);
/* Icosahedron divided `subdivisions` times (0..8): 10 * 4^n + 2 points on the sphere. */
SUP_API sup_result sup_mesh_icosphere(const sup_allocator* allocator, double radius,
                                      int32_t subdivisions, sup_mesh* out, sup_error* error);
/* Torus about the y axis: `radius` to the middle of the tube, `tube` its radius (< radius);
   segments 3..4096. */
SUP_API sup_result sup_mesh_torus(const sup_allocator* allocator, double radius, double tube,
                                  int32_t segments_around, int32_t segments_tube, sup_mesh* out,
                                  sup_error* error);
/* Capsule along y: a cylinder of `length` with half spheres; segments around 3..4096, rings per
   half sphere 1..1024, rows of the cylinder 1..1024. */
SUP_API sup_result sup_mesh_capsule(const sup_allocator* allocator, double radius, double length,
                                    int32_t segments, int32_t rings, int32_t rows, sup_mesh* out,
                                    sup_error* error);
/* Open sheet in the plane y = 0, normals up; segments 1..4096. */
SUP_API sup_result sup_mesh_grid(const sup_allocator* allocator, double size_x, double size_z,
                                 int32_t segments_x, int32_t segments_z, sup_mesh* out,
                                 sup_error* error);

/* Models, made from formulas: closed triangles of about equal size, outward faces, y up, x ahead,
   the origin on the ground below the middle. The size is that of the thing, in m. */
typedef enum sup_model {
    SUP_MODEL_SQUID,    /* upright on eight arms, 0.9 m high; 5,000 points */
    SUP_MODEL_LIONFISH, /* 0.65 m long, all fins spread; 30,000 points */
    SUP_MODEL_TRUCK, /* monster truck, 5.2 m long; the body and four wheels that touch nothing, so
                        five components; 60,000 points */
    SUP_MODEL_ROPE,  /* three strands, 1.2 m along x; 6,000 points */
    SUP_MODEL_PLANT  /* in a pot, 0.8 m high; 20,000 points */
} sup_model;
#define SUP_MODEL_LEAST_DETAIL 0.25
#define SUP_MODEL_MOST_DETAIL 4.0
/* `detail` is how many times as many points there are, 0.25 to 4; 1: about as many as said above.
 */
SUP_API sup_result sup_mesh_model(const sup_allocator* allocator, sup_model model, double detail,
                                  sup_mesh* out, sup_error* error);
/* "squid", "lionfish", "truck", "twisted_rope", "plant"; NULL beyond the last. */
SUP_API const char* sup_model_name(sup_model model);

/* Moves every point: p -> rotation * (scale * p) + offset; rotation is a unit quaternion (x, y, z,
   w). A scale that mirrors turns the polygons round too, so that outward stays outward. */
SUP_API void sup_mesh_transform(sup_mesh* mesh, const double scale[3], const double rotation[4],
                                const double offset[3]);

/* What welding did: to_welded[old point] = new point, to_original[new point] = lowest old point. */
typedef struct sup_weld_map {
    const sup_allocator* allocator;
    int32_t original_count, welded_count;
    int32_t* to_welded;   /* (original_count) */
    int32_t* to_original; /* (welded_count) */
} sup_weld_map;
SUP_API void sup_weld_map_free(sup_weld_map* map);

/* Joins points at most `tolerance` m apart (< 0: 1e-6 of the box diagonal; 0: only equal points),
   lowest id wins: a point joins the lowest kept point in reach. The new points keep the order of
   the old. Polygons lose repeated neighbouring corners; one with fewer than 3 different corners is
   dropped. `map` may be NULL. */
SUP_API sup_result sup_mesh_weld(const sup_allocator* allocator, const sup_mesh* mesh,
                                 double tolerance, sup_mesh* welded, sup_weld_map* map,
                                 sup_error* error);

/* What a mesh is. Edges are those of the polygons; `boundary` edges have one polygon, `tangled`
   three or more or two that run the same way. */
typedef struct sup_mesh_report {
    int32_t edge_count, boundary_edge_count, tangled_edge_count;
    int32_t component_count; /* parts that share no point; unused points are none */
    int32_t unused_point_count;
    int32_t fan_point_count; /* points where two surfaces touch in one point only */
    bool closed;             /* no boundary edge and no tangled edge, at least one polygon */
    double volume;           /* m^3, negative for inward faces; 0 unless closed */
    double area;             /* m^2 */
    double mean_edge;        /* m */
    double low[3], high[3];  /* box of all points, m */
} sup_mesh_report;
SUP_API sup_result sup_mesh_inspect(const sup_allocator* allocator, const sup_mesh* mesh,
                                    sup_mesh_report* report, sup_error* error);

/* Edges once each (lower id first, sorted), and for each point its neighbours, sorted. */
typedef struct sup_adjacency {
    const sup_allocator* allocator;
    int32_t point_count, edge_count;
    int32_t* edges;      /* pairs (2 * edge_count) */
    int32_t* starts;     /* (point_count + 1) */
    int32_t* neighbours; /* (2 * edge_count) */
} sup_adjacency;
SUP_API sup_result sup_mesh_adjacency(const sup_allocator* allocator, const sup_mesh* mesh,
                                      sup_adjacency* out, sup_error* error);
SUP_API void sup_adjacency_free(sup_adjacency* adjacency);

/* What a repair did, and what it could not. */
typedef struct sup_repair_report {
    int32_t welded;         /* points that lay within 1e-6 of the diagonal of a lower one: joined */
    int32_t dropped;        /* triangles without area, there twice, or there from both sides */
    int32_t flipped;        /* triangles turned round */
    int32_t split;          /* points added where surfaces touched in an edge or a point only */
    int32_t filled;         /* holes closed: flat ones of at most 64 edges */
    int32_t parts;          /* that share no point */
    int32_t cavities;       /* parts that lie inside of others and face inwards */
    int32_t unorientable;   /* parts with one side only, as a Moebius strip */
    int32_t boundary_edges; /* left: edges of one triangle */
    int32_t tangled_edges;  /* left: edges of three or more, or of two that contradict */
    bool closed;            /* none of the last three */
    double volume;          /* m^3, 0 unless closed */
    double area;            /* m^2 */
} sup_repair_report;
/* Makes triangles of the polygons and of those a surface with an inside, as far as it goes: welds,
   drops, turns, parts and fills. Self-intersections stay. A clean mesh of triangles stays as it is.
   `report` may be NULL. */
SUP_API sup_result sup_mesh_repair(const sup_allocator* allocator, const sup_mesh* mesh,
                                   sup_mesh* out, sup_repair_report* report, sup_error* error);

/* Generalised winding number of the surface about a point: 1 inside, 0 outside; also for triangle
   soup. Polygons count as fans about their first corner. */
SUP_API double sup_mesh_winding(const sup_mesh* mesh, const double point[3]);

/* Points of a cubic lattice of `spacing` m inside the surface (winding number above 1/2), at least
   `clearance` m (often spacing / 2; 0: not on the surface) from every face. One lattice point is
   the middle of the box; the order is by z, then y, then x. The mesh may be soup, but one with
   boundary edges after welding is refused. The caller frees *points with sup_points_free. Refused
   too: more than 4 million lattice points in the box. */
SUP_API sup_result sup_mesh_fill(const sup_allocator* allocator, const sup_mesh* mesh,
                                 double spacing, double clearance, sup_vec3** points,
                                 int32_t* point_count, sup_error* error);
SUP_API void sup_points_free(const sup_allocator* allocator, sup_vec3* points, int32_t point_count);

#ifdef __cplusplus
}
#endif
#endif
