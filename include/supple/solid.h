/* Solids: one call from a surface, clean or not, or from tetrahedra, to a body with a skin. */
#ifndef SUPPLE_SOLID_H
#define SUPPLE_SOLID_H

#include "supple/blueprint.h"
#include "supple/fit.h"
#include "supple/tets.h"

#ifdef __cplusplus
extern "C" {
#endif

/* What holds the body together. The surface hangs on tetrahedra (SUP_SKIN_TETS), or follows the
   oriented particles (SUP_SKIN_FRAMES). */
typedef enum sup_solid_kind {
    SUP_SOLID_CLUSTERS, /* clusters of all points of the tetrahedra within `reach` edges of their
                           middles, which are as far apart */
    SUP_SOLID_SPRINGS,  /* a spring along every edge of the tetrahedra */
    SUP_SOLID_FRAMES    /* oriented particles inside of the tetrahedra */
} sup_solid_kind;

typedef struct sup_solid_def {
    size_t size;         /* set by sup_solid_default */
    sup_solid_kind kind; /* default SUP_SOLID_CLUSTERS */
    sup_tets_def tets;   /* how the surface is filled; not used where tetrahedra are given */
    double density;      /* kg/m^3, 1..20000, default 1000: mass = density x volume of the closed
                            surface; of an open one that of the cage around it */
    double mass;         /* kg, of the whole body, 0..1e12; 0 (default): from `density` */
    double young;   /* Pa, 0..1e12, default 1e5: Young's modulus of springs. In a cage, which is
                       larger than what it holds, they are softer by as much */
    double poisson; /* 0.25..0.49, default 0.35: Poisson's ratio of springs. Above 0.25 tetrahedra
                       keep their volume: see `terms`. Raise it when they are crushed */
    int32_t reach;  /* edges, 1..4, default 3: of clusters. Raise it when the body is too floppy */
    int32_t particles; /* 1..100000, default 300: about how many oriented ones */
    int32_t seed;      /* 0 or above, default 1: of these */
} sup_solid_def;
SUP_API sup_solid_def sup_solid_default(void);

typedef struct sup_solid sup_solid;

/* Repairs and fills a surface. Refused: what sup_tets_create refuses. `allocator` and `files` may
   be NULL here and below: the default ones are used. */
SUP_API sup_result sup_solid_create(const sup_allocator* allocator, const sup_mesh* surface,
                                    const sup_solid_def* def, sup_solid** out, sup_error* error);
/* The same of tetrahedra that are there already (as sup_tets_create, sup_tets_mend and readers give
   them). `surface`: what is drawn, anywhere near; NULL: the outside of the tetrahedra. */
SUP_API sup_result sup_solid_take(const sup_allocator* allocator, const sup_tets* tets,
                                  const sup_mesh* surface, const sup_solid_def* def,
                                  sup_solid** out, sup_error* error);
/* The same of a file: a surface, or tetrahedra (.msh, .node, .ele). */
SUP_API sup_result sup_solid_load(const sup_allocator* allocator, const sup_file_gate* files,
                                  const char* path, const sup_solid_def* def, sup_solid** out,
                                  sup_error* error);
/* NULL is fine. */
SUP_API void sup_solid_free(sup_solid* solid);

/* What a solid is made of; all of it is the solid's. */
typedef struct sup_solid_view {
    const sup_mesh* surface;       /* drawn */
    const sup_tets* tets;          /* particle ids are those of their points, but for frames */
    const sup_tets_making* making; /* NULL where tetrahedra were given */
    const sup_rig* rig;            /* of frames; else NULL */
    double mass, density;          /* kg, kg/m^3 of what is full */
    sup_spring_solid terms;        /* of springs: for sup_spring_settings.solid of the body */
} sup_solid_view;
SUP_API sup_solid_view sup_solid_get(const sup_solid* solid);

/* The definition of its blueprint. Its arrays are the solid's: create the blueprint before the
   solid goes. */
SUP_API sup_blueprint_def sup_solid_blueprint(const sup_solid* solid);

#ifdef __cplusplus
}
#endif
#endif
