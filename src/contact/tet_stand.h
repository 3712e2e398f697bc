/* Tetrahedra that stand in for a body of particles that has none, so that contact can ask what is
   inside of it. */
#ifndef SUPPLE_CONTACT_TET_STAND_H
#define SUPPLE_CONTACT_TET_STAND_H

#include "contact/tet_form.h"

typedef struct supi_tet_particles {
    int32_t count;
    const sup_vec3* rest; /* m (count); stays the caller's */
    const float* masses;  /* kg (count): what has none is left out */
    double spacing;       /* m, about how far they are apart */
} supi_tet_particles;

/* A form over the particles. One that fills no volume, as cloth and ropes, has no tetrahedra and no
   triangles, but edges between neighbours; one that is beyond all bounds has neither. All arrays
   lie in the arena; `scratch` is needed meanwhile. False: no memory. */
bool supi_tet_stand_in(supi_arena* arena, supi_arena* scratch, const supi_tet_particles* particles,
                       supi_tet_form* out);

#endif
