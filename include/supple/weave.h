/* Weaves: cloth, solids, shells and ropes of springs, made in one call. Each gives a web: particles
   with their masses and the springs between them, ready for a blueprint. Arrays in, arrays out; no
   function keeps a pointer it was given. */
#ifndef SUPPLE_WEAVE_H
#define SUPPLE_WEAVE_H

#include "supple/blueprint.h"
#include "supple/spring.h"

#ifdef __cplusplus
extern "C" {
#endif

/* What a weave had to mend or leave out: all zero for clean input. */
typedef struct sup_web_report {
    int32_t welded;     /* points that have become one with another */
    int32_t isolated;   /* points of no polygon or element: left out, they would have no mass */
    int32_t degenerate; /* polygons without area, elements without volume: left out */
    int32_t repeated;   /* polygons with the edges of an earlier one, either way around: left out,
                           they would count twice */
    int32_t flipped;    /* elements that were inside out: two of their corners are swapped. In a
                           shell: where its inner side has folded */
    int32_t tangled;    /* edges with three polygons or more, sides with three elements or more */
    int32_t unbent;     /* such edges with more than four: only the first four got bend springs */
    int32_t isolated_point;  /* the first of the isolated, as it was given */
    int32_t tangled_edge[2]; /* two points of the first tangled edge or side, as they were given */
    int32_t repeated_points[3]; /* the first three points of the first repeated polygon, so too */
} sup_web_report;

/* Particles and springs. The points of the surface come first, so that a blueprint of the surface
   and the points after it has the same ids. Arrays belong to the web and came from `allocator`;
   sup_web_free gives them back. */
typedef struct sup_web {
    const sup_allocator* allocator;
    int32_t point_count, spring_count, tet_count, given_count, anchor_count;
    sup_vec3* points;       /* m, at rest (point_count) */
    float* masses;          /* kg, above 0 (point_count) */
    sup_spring* springs;    /* a < b, ordered by a, b, kind, none twice; struts after the others
                               (spring_count) */
    int32_t* tets;          /* point ids of positive volume (4 * tet_count) */
    int32_t* particles;     /* by point that was given: its particle, -1: left out (given_count) */
    int32_t* anchors;       /* particles where sup_weave_struts met nothing (anchor_count) */
    sup_mesh surface;       /* drawn: its points are the first particles; no points: none */
    sup_refine_grid refine; /* of a grid with levels, for the blueprint; all zero: none */
    sup_web_report report;
} sup_web;

/* Also fine for a zeroed web. */
SUP_API void sup_web_free(sup_web* web);
/* The definition of a blueprint of the web, held together by its springs alone. Its arrays are the
   web's: create the blueprint before the web goes. */
SUP_API sup_blueprint_def sup_web_blueprint(const sup_web* web);

/* `allocator` and `files` may be NULL everywhere here: the default ones are used. Stiffnesses are 0
   to 1e12, densities 1e-9 to 1e9, all places within 1e6 m. Springs of no stiffness are left out but
   for those along edges, which strain limits may want. */

/* ---- Cloth ---- */

/* A sheet of count[0] x count[1] particles; the i-th along the first side in the j-th row is
   particle j * count[0] + i. Its springs stiffen it by the same amount for every
   count: those on the boundary, which have cells on one side only, have half the stiffness. */
typedef struct sup_weave_grid_def {
    size_t size;       /* set by sup_weave_grid_default */
    int32_t count[2];  /* particles along each side, 2..16384, default 21 and 21 */
    double sides[2];   /* m, default 1 and 1 */
    double axes[2][3]; /* directions of the sides, of any length, at a right angle; default x and
                          z. The second across the first is the side that is seen as front */
    double centre[3];  /* m, default 0 */
    double stretch;    /* N/m, default 1000: stiffness of springs along the sides of cells */
    double shear;      /* N/m, default 500: along the diagonals; half of `stretch` makes the cloth
                          the same in all directions */
    double bend;       /* N/m, default 50: over two cells. Adds four times itself to the stretch;
                          0: none, for flat bodies */
    double density;    /* kg/m^2, default 0.2 */
    bool triangles;    /* surface of triangles instead of quads; default false */
    int32_t levels;    /* 0..4, default 0: how often cells may be cut in four where the cloth bends.
                          The web is that of the finest cells, `refine` tells of the coarsest, of
                          which `count` is */
} sup_weave_grid_def;
SUP_API sup_weave_grid_def sup_weave_grid_default(void);
SUP_API sup_result sup_weave_grid(const sup_allocator* allocator, const sup_weave_grid_def* def,
                                  sup_web* out, sup_error* error);

/* A spring along every edge of a mesh, and one across every edge between the corners beside it.
   Quads get springs along both diagonals, larger polygons along those from their first corner. An
   edge with three polygons or more bends against each pair of the first four. */
typedef struct sup_weave_mesh_def {
    size_t size; /* set by sup_weave_mesh_default */
    const sup_mesh* mesh;
    double weld;      /* m, points closer than this are one; < 0: 1e-6 of the diagonal (default) */
    double young;     /* N/m, default 1000: Young's modulus times thickness. An edge gets its share
                         by the area beside it */
    double stiffness; /* N/m, default 0; above 0: of every edge, whatever its length, instead of
                         `young` */
    double shear;     /* default 0.5: share of `stiffness` of diagonals */
    double bend;      /* default 0.05: share of springs across edges; 0: none */
    double density;   /* kg/m^2, default 0.2 */
} sup_weave_mesh_def;
SUP_API sup_weave_mesh_def sup_weave_mesh_default(void);
SUP_API sup_result sup_weave_mesh(const sup_allocator* allocator, const sup_weave_mesh_def* def,
                                  sup_web* out, sup_error* error);

/* ---- Materials ---- */

/* Springs alone have Poisson's ratio 1/3 in sheets and 1/4 in solids. For a larger one, weave with
   `young` from here, and give the body `solid` in its spring settings. */
typedef struct sup_weave_moduli {
    double young;
    sup_spring_solid solid;
} sup_weave_moduli;
/* For tetrahedra (of hexahedra with `tets` too) of Young's modulus `young`, Pa, and a ratio from
   0.25 to 0.49. */
SUP_API sup_result sup_weave_solid_moduli(double young, double poisson, sup_weave_moduli* out,
                                          sup_error* error);
/* For meshes: `young` is Young's modulus times thickness, N/m, the ratio from 1/3 to 0.9. The
   `thickness`, m, says how the sheet bends, without springs across its edges (`bend` 0); 0: not. */
SUP_API sup_result sup_weave_sheet_moduli(double young, double poisson, double thickness,
                                          sup_weave_moduli* out, sup_error* error);

/* ---- Solids ---- */

/* How an element of volume V stiffens its edges. Springs alone always have Poisson's ratio 1/4
   where they are the same in all directions. */
typedef enum sup_weave_rule {
    SUP_WEAVE_LENGTHS, /* young V / L^2 for an edge of length L: for tetrahedra of any shape */
    SUP_WEAVE_EVEN     /* 0.1 young (12 V)^(1/3) for each edge: exact in a body-centred lattice */
} sup_weave_rule;

/* A spring along every edge of tetrahedra. */
typedef struct sup_weave_tets_def {
    size_t size; /* set by sup_weave_tets_default */
    int32_t point_count, tet_count;
    const sup_vec3* points; /* m (point_count) */
    const int32_t* tets;    /* point ids (4 * tet_count) */
    double weld;            /* m, as for meshes */
    sup_weave_rule rule;    /* default SUP_WEAVE_LENGTHS */
    double young;           /* Pa, default 1e5 */
    double density;         /* kg/m^3, default 1000 */
    bool surface;           /* the sides of single tetrahedra are drawn; default true */
} sup_weave_tets_def;
SUP_API sup_weave_tets_def sup_weave_tets_default(void);
SUP_API sup_result sup_weave_tets(const sup_allocator* allocator, const sup_weave_tets_def* def,
                                  sup_web* out, sup_error* error);

/* A box of cells of a body-centred cubic lattice, centred at the origin: particles at corners and
   middles of cells, and a tetrahedron for each edge of each side between two cells. */
typedef struct sup_weave_block_def {
    size_t size;         /* set by sup_weave_block_default */
    int32_t cells[3];    /* 1..1024, default 8 each; 2 or more along one axis at least */
    double cell;         /* m, default 0.1 */
    sup_weave_rule rule; /* default SUP_WEAVE_EVEN */
    double young;        /* Pa, default 1e5 */
    double density;      /* kg/m^3, default 1000 */
    bool surface;        /* default true */
} sup_weave_block_def;
SUP_API sup_weave_block_def sup_weave_block_default(void);
SUP_API sup_result sup_weave_block(const sup_allocator* allocator, const sup_weave_block_def* def,
                                   sup_web* out, sup_error* error);

/* Springs along the edges and the diagonals of the sides of hexahedra. */
typedef struct sup_weave_hexes_def {
    size_t size; /* set by sup_weave_hexes_default */
    int32_t point_count, hex_count;
    const sup_vec3* points; /* m (point_count) */
    const int32_t* hexes;   /* point ids: around the bottom, then around the top (8 * hex_count) */
    double weld;            /* m, as for meshes */
    double young;           /* Pa, default 1e5 */
    double space;   /* share of young V^(1/3) of the four diagonals through the middle; default 0:
                       none. Raise it against a solid that is too soft along them */
    double density; /* kg/m^3, default 1000 */
    bool surface;   /* the sides of single hexahedra are drawn, as quads; default true */
    bool tets;      /* gives six tetrahedra for each too; default false */
} sup_weave_hexes_def;
SUP_API sup_weave_hexes_def sup_weave_hexes_default(void);
SUP_API sup_result sup_weave_hexes(const sup_allocator* allocator, const sup_weave_hexes_def* def,
                                   sup_web* out, sup_error* error);

/* The same for the full cells of a picture in three dimensions, centred at the origin. */
typedef struct sup_weave_voxels_def {
    size_t size;           /* set by sup_weave_voxels_default */
    int32_t cells[3];      /* 1..4096 along x, y, z */
    const uint8_t* voxels; /* x runs fastest, then y, then z (cells[0] * cells[1] * cells[2]) */
    int32_t least;         /* 0..255, default 1: cells of this value or above are full */
    double cell;           /* m, default 0.1 */
    double young, space, density; /* as for hexahedra */
    bool surface, tets;
} sup_weave_voxels_def;
SUP_API sup_weave_voxels_def sup_weave_voxels_default(void);
SUP_API sup_result sup_weave_voxels(const sup_allocator* allocator, const sup_weave_voxels_def* def,
                                    sup_web* out, sup_error* error);
/* The same with the voxels of a .raw file: one byte each and nothing else. A file of another size
   is refused; def->voxels is not looked at. */
SUP_API sup_result sup_weave_load_voxels(const sup_allocator* allocator, const sup_file_gate* files,
                                         const char* path, const sup_weave_voxels_def* def,
                                         sup_web* out, sup_error* error);

/* ---- Shells ---- */

typedef enum sup_weave_inner {
    SUP_WEAVE_OFFSET, /* against the normals, at most 0.4 of the way to the other side */
    SUP_WEAVE_SCALED  /* towards the centre: only where all of the surface is seen from there */
} sup_weave_inner;

/* A closed surface with layers of tetrahedra under it. */
typedef struct sup_weave_shell_def {
    size_t size;           /* set by sup_weave_shell_default */
    const sup_mesh* mesh;  /* closed, faces outwards */
    double weld;           /* m, as for meshes */
    int32_t layers;        /* 1..4, default 1 */
    sup_weave_inner inner; /* default SUP_WEAVE_OFFSET */
    double thickness;      /* m, of each layer; 0 (default): a quarter of the mean edge */
    double scale;          /* 0.01..0.99, default 0.8: of each layer, SUP_WEAVE_SCALED */
    bool centre;           /* one more particle in the middle that holds the innermost layer, where
                              all of that is seen from there; default false */
    sup_weave_rule rule;   /* default SUP_WEAVE_LENGTHS */
    double young;          /* Pa, default 1e5 */
    double density;        /* kg/m^3, default 1000 */
} sup_weave_shell_def;
SUP_API sup_weave_shell_def sup_weave_shell_default(void);
SUP_API sup_result sup_weave_shell(const sup_allocator* allocator, const sup_weave_shell_def* def,
                                   sup_web* out, sup_error* error);

/* Struts through the inside of a web's surface: from its points against their normals to what is
   met there, further away than the mean edge. Points that meet nothing, as those of an open
   surface, are the web's anchors: bodies made of it hold these where sup_spring_settings.anchor is
   set. A frequency of sqrt(stiffness / mass of a particle) holds them as a strut would. */
typedef struct sup_weave_struts_def {
    size_t size;      /* set by sup_weave_struts_default */
    double stiffness; /* N/m, default 100 */
    int32_t every;    /* 1..1000000, default 1: of so many points one has a strut */
    bool split;       /* to all corners of the triangle that is met, by its place there, instead of
                         to the one that is nearest by it; default false */
} sup_weave_struts_def;
SUP_API sup_weave_struts_def sup_weave_struts_default(void);
/* Adds to a web that another weave has made, with that one's allocator. */
SUP_API sup_result sup_weave_struts(const sup_weave_struts_def* def, sup_web* web,
                                    sup_error* error);

/* ---- Ropes ---- */

/* A row of particles from one place to another, with springs between neighbours. */
typedef struct sup_weave_rope_def {
    size_t size;       /* set by sup_weave_rope_default */
    int32_t count;     /* particles, 2..1000000, default 21 */
    double ends[2][3]; /* m, default 0 and 1 m along x */
    double stretch;    /* N, default 1000: pull at twice the length. Springs are the stiffer the
                          shorter they are, so that it is the same for every count */
    double bend;       /* share of springs over two, which push too; default 0: none */
    double density;    /* kg/m, default 0.1 */
    bool slack;        /* springs between neighbours pull but do not push; default true */
} sup_weave_rope_def;
SUP_API sup_weave_rope_def sup_weave_rope_default(void);
SUP_API sup_result sup_weave_rope(const sup_allocator* allocator, const sup_weave_rope_def* def,
                                  sup_web* out, sup_error* error);

#ifdef __cplusplus
}
#endif
#endif
