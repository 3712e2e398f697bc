/* Tetrahedra on their way: from a surface and a lattice to a draft, from a draft to sup_tets. */
#ifndef SUPPLE_GEOM_TET_H
#define SUPPLE_GEOM_TET_H

#include "base/arena.h"
#include "geom/bcc.h"
#include "geom/sdf.h"
#include "supple/tets.h"

/* The sides of a tetrahedron of positive volume, seen counter-clockwise from outside. */
extern const int32_t supi_tet_sides[4][3];

double supi_tet_volume(const sup_vec3* points, const int32_t tet[4]);

/* ---- The lattice around a surface ---- */

typedef struct supi_tet_lattice {
    supi_bcc bcc;
    int8_t* sides; /* by node: -1 inside, 0 on the surface, 1 outside */
} supi_tet_lattice;

/* Which nodes are inside, on and outside. `closed`: there are no others in between. False when
   memory is short, as below. */
bool supi_tet_lattice_sort(supi_arena* arena, const supi_sdf* sdf, bool closed,
                           supi_tet_lattice* lattice);

/* ---- Drafts ---- */

typedef struct supi_tet_draft {
    int32_t point_count, tet_count;
    sup_vec3* points; /* m (point_count) */
    int32_t* tets;    /* in any order of corners (4 * tet_count) */
} supi_tet_draft;

bool supi_tet_stuff(supi_arena* arena, const supi_sdf* sdf, const supi_tet_lattice* lattice,
                    supi_tet_draft* out);
/* A draft of STUFF in double. */
typedef struct supi_tet_relaxing {
    const supi_sdf* sdf;
    double cell;                     /* m */
    int32_t node_count, point_count; /* nodes of the lattice, and they and cuts */
    const int8_t* sides;             /* of nodes: -1 inside, 0 on the surface; cuts are on it */
    int32_t tet_count;
    const int32_t* tets; /* of positive volume */
    double (*places)[3];
} supi_tet_relaxing;

/* Moves points where that makes the worst of the angles around them better: those inside where
   angles are below 20 or above 140 degrees, and where they are below 19 or above 144 after that
   also those on the surface, along it. */
bool supi_tet_relax(supi_arena* arena, const supi_tet_relaxing* given);
bool supi_tet_cage(supi_arena* arena, const sup_mesh* triangles, const supi_tet_lattice* lattice,
                   supi_tet_draft* out);

/* ---- The end ---- */

typedef struct supi_tet_finish {
    double least_volume;   /* m^3, flatter ones go */
    int32_t least_members; /* of parts that hold together by sides: smaller ones go */
    bool keep_order;       /* points and tetrahedra stay in theirs */
    int32_t dropped, flipped, isolated, split; /* what was done */
    int32_t pieces;                            /* that hold together by sides */
} supi_tet_finish;

/* Turns, drops and parts tetrahedra, and numbers points so that neighbours are near each other.
   Changes the draft. With no tetrahedra left there are no points either. */
bool supi_tet_finish_draft(const sup_allocator* allocator, supi_tet_draft* draft,
                           supi_tet_finish* finish, sup_tets* out);

/* Which sides are shared: mates[4 t + side] is the same side of the other tetrahedron, -1 where
   there is none. Sides of three or more are everybody's outside. At most 2^27 tetrahedra. */
bool supi_tet_mates(supi_arena* arena, int32_t tet_count, const int32_t* tets, int32_t* mates);

/* Edges and neighbours of tetrahedra. */
sup_result supi_tet_adjacency(const sup_allocator* allocator, const sup_tets* tets,
                              sup_adjacency* out, sup_error* error);

#endif
