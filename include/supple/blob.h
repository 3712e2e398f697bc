/* Soft substance: particles that hold together by forces between all that are near, so that the
   body flows, splits and merges. */
#ifndef SUPPLE_BLOB_H
#define SUPPLE_BLOB_H

#include "supple/types.h"

#ifdef __cplusplus
extern "C" {
#endif

/* What keeps the volume of the drawn surface as the substance splits and merges. */
typedef enum sup_blob_volume {
    SUP_BLOB_VOLUME_LOCAL,  /* default: each particle keeps its own */
    SUP_BLOB_VOLUME_GLOBAL, /* the whole surface is drawn wider or narrower */
    SUP_BLOB_VOLUME_FREE    /* nothing: it swells where particles meet. The cheapest */
} sup_blob_volume;

typedef struct sup_blob_settings {
    double stiffness; /* J/kg, 1e-4..1e4, default 2: two particles of m kg at rest are as stiff as a
                         spring of 4 m stiffness / spacing^2, and an eighth of m stiffness parts
                         them. Raise it when the substance is squashed by its weight or runs; a step
                         takes shorter parts then, at most 64 in a substep */
    double friction;  /* 1/m, 0..1e4, default 20: of two that pass close by, times their mean mass
                         and the square of their speed. Raise it when the substance is too lively */
    double drag;      /* 1/s, 0..100, default 0.1: at which all motion fades */
    bool central;     /* friction acts along the line between two alone, and so keeps angular
                         momentum. Default false */
    double iso;       /* 0.05..0.9, default 0.5: value of the field at the drawn surface. Raise it
                         when the surface is too far out */
    int32_t cells; /* 3..12, default 6: cells of the surface's grid for the radius of a particle's
                      field. 4 is a preview at a third of the cost. Raise it when the surface
                      shows facets */
    sup_blob_volume volume;
} sup_blob_settings;
SUP_API sup_blob_settings sup_blob_settings_default(void);

/* Particles in the densest order there is, as far apart as those of `spacing` m rest in it (0.917
   of that), inside a closed surface: a cloud for sup_blueprint_def.surface. They keep away from the
   faces by half the spacing, so that the drawn surface is about the given one. Refused as by
   sup_mesh_fill, and where there is room for none. The caller frees it with sup_mesh_free. */
SUP_API sup_result sup_blob_fill(const sup_allocator* allocator, const sup_mesh* closed,
                                 double spacing, sup_mesh* cloud, sup_error* error);

#ifdef __cplusplus
}
#endif
#endif
