/* The inside of a blueprint. Rows are particles in Morton order, or along lines of springs; ids are
   the user's order. */
#ifndef SUPPLE_BLUEPRINT_BLUEPRINT_H
#define SUPPLE_BLUEPRINT_BLUEPRINT_H

#include "base/arena.h"
#include "contact/contact.h"
#include "contact/tet_form.h"
#include "skin/carriers.h"
#include "skin/hung.h"
#include "skin/plan.h"
#include "solve/cluster.h"
#include "solve/frame.h"
#include "solve/limit.h"
#include "solve/refine.h"
#include "supple/supple.h"

#include <stdatomic.h>

/* A stretch of memberships of one cluster that is summed at once; sums of blocks are added in
 * order. */
typedef struct supi_block {
    int32_t cluster, begin, end;
} supi_block;

enum { SUPI_BLOCK_MEMBERS = 2048 };

/* Clusters of SUP_CLUSTERS_LATTICE: cluster r holds all nodes within `reach` cells of row r along
   each axis. They are never listed, as sums over boxes are cheap on a grid. */
typedef struct supi_lattice {
    int32_t reach;
    int32_t size[3]; /* cells along x, y, z */
    double spacing;  /* m, a float: what the steps of a body multiply with */
    int32_t* cells;  /* by row: x + size[0] (y + size[1] z) */
    float* weights;  /* kg, by row: matching weight, the same in all of its clusters */
    /* What follows from those above. */
    int32_t cell_count;
    int32_t* rows;    /* by cell; -1: empty */
    sup_row* offsets; /* by cluster: m from its node to its rest centre; how much its rounded weight
                         is too large, as a share */
    int32_t order[3]; /* the axes, shortest first */
    int32_t blocks[3]; /* along x, y, z: see solve/lattice.h */
    int32_t* about;    /* by block: the row that its cells refer to, in it or near it */
    int32_t* refers;   /* by row: that of its block */
} supi_lattice;

/* The tetrahedra of a body, for springs, skins and contacts. All by row, so that places at rest are
   `rest` of the blueprint and those now the rows of the body. What follows from `tets` is found
   anew when a blueprint is read. */
typedef struct supi_tet_mesh {
    int32_t tet_count;      /* 0: there are none, nor any of the arrays */
    int32_t* tets;          /* of positive volume, but that of baked springs (4 * tet_count) */
    int32_t triangle_count; /* sides that one tetrahedron alone has */
    int32_t* triangles;     /* seen counter-clockwise from outside, in the order of tetrahedra and
                               of supi_tet_sides (3 * triangle_count) */
    int32_t* owners;        /* by triangle: its tetrahedron */
    int32_t edge_count;
    int32_t* edges;      /* of all tetrahedra, a < b, ascending, none twice (2 * edge_count) */
    int32_t* starts;     /* by row: its neighbours along edges (particle_count + 1) ... */
    int32_t* neighbours; /* ... ascending (2 * edge_count) */
} supi_tet_mesh;

/* How its surface tears: see blueprint/tears.h. */
typedef struct supi_tears supi_tears;

struct sup_blueprint {
    supi_arena arena; /* owns every array below, and the blueprint itself lives outside it */
    atomic_int references;
    sup_blueprint_info info;

    int32_t row_count;   /* particle_count padded to a multiple of 8 */
    int32_t* row_of;     /* id -> row (particle_count) */
    int32_t* id_of;      /* row -> id (particle_count) */
    sup_vec3* rest;      /* m, by row (particle_count) */
    float* mass;         /* kg, by row */
    float* inverse_mass; /* 1/kg, by row; 0: pinned or weightless */
    float* radius;       /* m, contact radius by row; 0: inside */
    float* depth;  /* m, by row: how far under the drawn surface it lies, so far that colliders stay
                      away; 0 inside, below 0 above it, as in cages of tetrahedra. In a cloud, which
                      is drawn as spheres, their radius. NULL: particles are on the surface */
    float deepest; /* m, the largest of them, at least 0 */
    sup_vec3* outward; /* unit normals by row, 0 inside; NULL where the surface is open or absent */

    int32_t cluster_count, member_count, block_count; /* member_count with padding */
    supi_lattice* lattice; /* NULL: members are listed. Else there are none of bends, members,
                              blocks and asks */
    supi_cluster* clusters;
    supi_bend* bends; /* by cluster */
    float extent;     /* m^2, that of a usual cluster: see extent.h */
    double* centres;  /* m, rest centres, 3 per cluster */
    supi_members members;
    supi_block* blocks;
    bool single;         /* one cluster of all rows in order: no gather needed */
    int32_t* ask_starts; /* by row: its memberships are asks[ask_starts[row]] .. (particle_count +
                            1); NULL if single */
    int32_t* asks;
    int32_t* leader; /* by row: the first of its clusters; NULL if single */
    float* share;    /* by row: 1 / number of its clusters; NULL if single */

    bool loose; /* its one cluster pulls nothing, but says how the body lies as a whole */
    int32_t spring_count;
    sup_spring* springs;     /* by number: rows in place of ids, a < b, with length and damping */
    supi_spring_net net;     /* the same as each row sees them */
    double wave;             /* 1/s: edges that an elastic wave in them runs, in the mean */
    supi_limit_order limits; /* and as a strain limit goes through them */
    supi_tet_mesh solid;
    supi_tet_form form; /* the same as contact sees it; no tetrahedra: there are none, or none that
                           have an inside */
    uint8_t* held;      /* by row: 1 where anchors hold it; NULL: they hold all */

    bool oriented; /* its particles have rotations: see blueprint/oriented.h */
    int32_t link_count, part_count;
    sup_link* links;                /* rows in place of ids, a < b, with length */
    int32_t* part_starts;           /* (part_count + 1); NULL: no parts */
    int32_t* part_members;          /* rows */
    sup_rig_plastic* part_plastics; /* by part; NULL: as the body says */
    sup_ellipsoid* ellipsoids;      /* by row; NULL unless oriented, as are */
    float* moments;                 /* kg m^2, 6 by row: second moment at rest, xx yy zz yz zx xy */
    float* frame_stiffness;         /* rad/s, by row; below 0: that of the body; may be NULL */
    sup_vec3* flat;                 /* outward normals by row, 0: none; may be NULL */
    double link_pin_factor;
    bool parts_yield;
    supi_frame_net frames; /* links and parts as the solver goes through them */
    supi_oriented shapes;  /* its particles as contacts see them, but for where they are now */
    int32_t piece_count;   /* of what hangs together and is not pinned, at most */
    supi_self self;        /* and what they know of each other */

    bool can_tear;
    int32_t spare_count;     /* rows at the end that wait until the surface tears */
    supi_tears* tears;       /* NULL: it cannot */
    supi_refine_grid refine; /* levels 0: none. Its ids are points of the finest lattice */

    int32_t pin_count, weightless_count;
    int32_t* pins;       /* rows */
    int32_t* weightless; /* rows of zero mass: they go where their clusters want them */

    uint8_t* region; /* by row; NULL: one region */

    uint64_t hash; /* of all above that a step reads */

    supi_skin skin; /* of welded points, bound to clusters, or to oriented particles by row; none:
                       these are particles */
    supi_hung hung; /* the same bound to tetrahedra, where there are no frames in `skin` */
    supi_skin_plan carried; /* the same laid out, and */
    sup_row* carriers;      /* rest places of these, m, from `centre`; of such a skin only */
    int32_t skin_slots;     /* of such a skin: carriers of a point, at most */
    int32_t paint_count;
    sup_skin_weight* paint; /* painted weights by point of the skin and row, ascending */
    sup_vec3* normals;      /* of points of the skin, as given; NULL: those of the polygons */
    sup_row* tangents;      /* likewise; NULL: none */
    int32_t* vertex_rows;   /* row or point of the skin that is each drawn vertex (vertex_count) */
    int32_t* starts;
    int32_t* corners;
};

/* Is it drawn as spheres, for want of polygons? */
static inline bool supi_blueprint_is_cloud(const sup_blueprint* blueprint) {
    return blueprint->info.vertex_count > 0 && blueprint->info.polygon_count == 0;
}

/* Is it a skin that oriented particles carry? */
static inline bool supi_skin_carried(sup_skin_kind kind) {
    return kind == SUP_SKIN_FRAMES || kind == SUP_SKIN_DUAL;
}

/* Goals of a higher mode need more particles in a cluster to be determined. */
static inline int32_t supi_blueprint_least_members(sup_match_mode mode) {
    return mode == SUP_MATCH_RIGID ? 4 : mode == SUP_MATCH_LINEAR ? 6 : 12;
}

/* Takes one more reference. */
void supi_blueprint_retain(sup_blueprint* blueprint);
/* Two blueprints that share it make bodies that move alike from the same places. */
uint64_t supi_blueprint_hash(const sup_blueprint* blueprint);
/* Are all numbers of both the same? Then bodies of either do the same, and no hash has to be
   trusted. */
bool supi_blueprint_equal(const sup_blueprint* a, const sup_blueprint* b);
/* A new blueprint like `old` but for its rest places, by row, and those of its skin, if it has one.
 */
sup_result supi_blueprint_reshape(const sup_blueprint* old, const sup_vec3* places,
                                  const sup_vec3* skin, sup_blueprint** out, sup_error* error);

/* Binds the points of the skin, once what it follows stands. Refused but for want of memory: what
   tetrahedra without an outside should carry. */
sup_result supi_blueprint_bind(sup_blueprint* blueprint, sup_error* error);
/* What a skin on oriented particles is bound to. */
supi_carriers_def supi_blueprint_carriers(const sup_blueprint* blueprint);

#endif
