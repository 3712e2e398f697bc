/* Volume meshes: a surface filled with tetrahedra. Arrays in, arrays out; no function keeps a
   pointer it was given. */
#ifndef SUPPLE_TETS_H
#define SUPPLE_TETS_H

#include "supple/mesh.h"

#ifdef __cplusplus
extern "C" {
#endif

/* `allocator` and `files` may be NULL everywhere here: the default ones are used. */

/* Tetrahedra of positive volume, (b - a) . ((c - a) x (d - a)) > 0, and the sides that one alone
   has, seen counter-clockwise from outside. Arrays belong to the mesh and came from `allocator`;
   sup_tets_free gives them back. */
typedef struct sup_tets {
    const sup_allocator* allocator;
    int32_t point_count, tet_count, triangle_count;
    sup_vec3* points;   /* m (point_count) */
    int32_t* tets;      /* point ids (4 * tet_count) */
    int32_t* triangles; /* point ids (3 * triangle_count) */
} sup_tets;
/* Also fine for zeroed ones. */
SUP_API void sup_tets_free(sup_tets* tets);

typedef enum sup_tets_method {
    SUP_TETS_AUTO,  /* STUFF; CAGE where the surface is open, and where STUFF misses its volume by
                       10 % or leaves it in more pieces than it had */
    SUP_TETS_STUFF, /* a lattice cut at the surface: its outside lies on the surface, whose sharp
                       edges are chamfered and whose thin parts vanish. Closed surfaces only */
    SUP_TETS_CAGE   /* whole tetrahedra of the lattice around all of the surface, open or not */
} sup_tets_method;

typedef struct sup_tets_def {
    size_t size;            /* set by sup_tets_default */
    sup_tets_method method; /* default SUP_TETS_AUTO */
    double cell;            /* m, of a cubic cell, of which 12 tetrahedra have the volume; 0
                               (default): by `count`, without that 1/12 of the longest side of the box.
                               Lower it when thin parts vanish or sharp edges matter */
    int32_t count;          /* about how many tetrahedra, where `cell` is 0; 0 (default): no wish */
    double shift[3];        /* m, default 0: of the lattice, of which a corner lies in the middle of
                               the box. Change it when a part falls between two layers of nodes */
} sup_tets_def;
SUP_API sup_tets_def sup_tets_default(void);

/* What was made of a surface, and how. */
typedef struct sup_tets_making {
    sup_tets_method method;   /* STUFF or CAGE */
    char reason[160];         /* why not STUFF, where AUTO did not take it; else empty */
    double cell;              /* m */
    sup_repair_report repair; /* of the surface, before all else */
    double volume;            /* m^3, of the tetrahedra */
    double fill;     /* share of that which is full: below 1 in a CAGE of a closed surface, which
                        is larger than what it holds. Multiply densities by it */
    int32_t pieces;  /* of tetrahedra that hold together by sides */
    int32_t split;   /* points added where tetrahedra touched in an edge or a point only */
    int32_t dropped; /* tetrahedra of lost pieces, of fewer than 8 (CAGE), or too flat (STUFF) */
} sup_tets_making;

/* Fills a surface, which is repaired first (sup_mesh_repair). Refused: nothing inside, more than 16
   million cells in its box, cells that are too small for floats so far from the origin. `making`
   may be NULL. The same surface gives the same bits everywhere. */
SUP_API sup_result sup_tets_create(const sup_allocator* allocator, const sup_mesh* surface,
                                   const sup_tets_def* def, sup_tets* out, sup_tets_making* making,
                                   sup_error* error);

/* Tetrahedra from arrays, say of a file: those inside out are turned (`flipped`), the flat ones and
   points of none left out (`dropped`, `isolated`). Refused: non-finite points, corners out of
   range, the same tetrahedron twice, nothing left. The report may be NULL. */
typedef struct sup_tets_mending {
    int32_t flipped, dropped, isolated;
    int32_t split; /* as above */
} sup_tets_mending;
SUP_API sup_result sup_tets_mend(const sup_allocator* allocator, int32_t point_count,
                                 const sup_vec3* points, int32_t tet_count, const int32_t* tets,
                                 sup_tets* out, sup_tets_mending* mending, sup_error* error);

/* How good tetrahedra are. */
#define SUP_TETS_BINS 18
typedef struct sup_tets_report {
    double volume, least_volume;             /* m^3 */
    double least_angle, most_angle;          /* degrees, between sides of a tetrahedron */
    int32_t angles[SUP_TETS_BINS];           /* how many of them there are in each 10 degrees */
    double least_edge, mean_edge, most_edge; /* m */
    int32_t edge_count, component_count;     /* parts share no point */
    sup_mesh_report surface;                 /* of the outside */
    int32_t euler; /* points - edges + triangles of the outside: 2 for a ball, 0 for a torus */
} sup_tets_report;
SUP_API sup_result sup_tets_measure(const sup_allocator* allocator, const sup_tets* tets,
                                    sup_tets_report* report, sup_error* error);

/* The outside as a mesh, with the points it has and no others. */
SUP_API sup_result sup_tets_outside(const sup_allocator* allocator, const sup_tets* tets,
                                    sup_mesh* out, sup_error* error);

/* A quarter of the mass of each tetrahedron for each of its points, kg; `masses` has room for
   point_count. Density in kg/m^3, `fill` as above: 1 but for cages. */
SUP_API void sup_tets_masses(const sup_tets* tets, double density, double fill, float* masses);

/* ---- Surfaces that go along ---- */

/* Points that hang on tetrahedra. Arrays belong to it and came from `allocator`;
   sup_embedding_free gives them back. */
typedef struct sup_embedding {
    const sup_allocator* allocator;
    int32_t point_count;
    int32_t* tets;     /* the tetrahedron of each point (point_count) */
    sup_row* weights;  /* of its corners, in their order: they add up to 1 (point_count) */
    sup_vec3* offsets; /* m, at rest: what goes along as something rigid; zero but for points that
                          are far outside (point_count) */
} sup_embedding;
SUP_API void sup_embedding_free(sup_embedding* embedding);
/* Hangs points on the tetrahedra that hold them best. A point outside of all hangs on the nearest:
   as far as half of it away its coordinates go on, further away the nearest place holds it.
   `tets` are as sup_tets_create and its like gave them, at rest. Refused: non-finite points. */
SUP_API sup_result sup_tets_embed(const sup_allocator* allocator, const sup_tets* tets,
                                  int32_t point_count, const sup_vec3* points, sup_embedding* out,
                                  sup_error* error);
/* Where the points are when those of the tetrahedra have moved: `moved` has rest->point_count,
   `points` room for all of the embedding. */
SUP_API void sup_embedding_pose(const sup_embedding* embedding, const sup_tets* rest,
                                const sup_vec3* moved, sup_vec3* points);
/* The other way round: forces on the points (N, or impulses), added to those on the points of the
   tetrahedra, by the same weights; what acts on something rigid far outside turns its tetrahedron
   as well. Sums of forces and of their moments stay the same. */
SUP_API void sup_embedding_spread(const sup_embedding* embedding, const sup_tets* rest,
                                  const sup_vec3* moved, const sup_vec3* forces, sup_vec3* out);

/* ---- Files ---- */

/* Tetrahedra from bytes, mended as above. Readers refuse, never guess; memory stays proportional to
   size. Gmsh: MSH 2.2 and 4.1 as text; tetrahedra of 4 and of 10 points, by their corners; other
   elements and sections are skipped. `name` stands in messages. */
SUP_API sup_result sup_msh_parse(const sup_allocator* allocator, const char* name,
                                 const uint8_t* bytes, size_t size, sup_tets* out,
                                 sup_tets_mending* mending, sup_error* error);
/* TetGen: the points of a .node file and the tetrahedra of an .ele file. */
typedef struct sup_tetgen_files {
    const char *node_name, *element_name; /* for messages */
    const uint8_t *nodes, *elements;
    size_t node_size, element_size;
} sup_tetgen_files;
SUP_API sup_result sup_tetgen_parse(const sup_allocator* allocator, const sup_tetgen_files* files,
                                    sup_tets* out, sup_tets_mending* mending, sup_error* error);
/* Does a name end like those of files of tetrahedra, .msh, .node or .ele? */
SUP_API bool sup_tets_is_file(const char* path);
/* By the ending of a name: .msh, or .node or .ele, which are read together. */
SUP_API sup_result sup_tets_load(const sup_allocator* allocator, const sup_file_gate* files,
                                 const char* path, sup_tets* out, sup_tets_mending* mending,
                                 sup_error* error);
/* To .vtu (VTK, ParaView), .msh (Gmsh, MSH 2.2) or .json (points, tets, triangles). */
SUP_API sup_result sup_tets_save(const sup_allocator* allocator, const sup_file_gate* files,
                                 const char* path, const sup_tets* tets, sup_error* error);

#ifdef __cplusplus
}
#endif
#endif
