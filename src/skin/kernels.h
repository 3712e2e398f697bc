/* The table of skin kernels: one copy per instruction set, all with the same results. */
#ifndef SUPPLE_SKIN_KERNELS_H
#define SUPPLE_SKIN_KERNELS_H

#include "skin/plan.h"
#include "supple/world.h"

/* The same map as that of a rigid frame: (r, e), r the unit quaternion of its rotation, e half the
   product of its translation and r. */
typedef struct supi_skin_dual {
    float r[4], e[4];
} supi_skin_dual;

/* Oriented particles as they are now, by frame. */
typedef struct supi_skin_pose {
    int32_t count;
    const sup_row* rest;     /* m, relative to the origin; the fourth entry is not read */
    const sup_row* x;        /* m; the fourth entry is not read */
    const sup_quat* turn;    /* relative to rest */
    const sup_quat* lasting; /* what they have turned for good, before `turn`; NULL: nothing */
} supi_skin_pose;

/* Where the points go; all but `places` may be NULL. Rows by point, room for supi_skin_room of
   their number, fourth entry 0, that of a tangent its side. A normal or tangent is 0 where a linear
   blend leaves no direction. */
typedef struct supi_skin_drawn {
    sup_row *places, *normals, *tangents;
} supi_skin_drawn;

typedef struct supi_skin_kernels {
    sup_simd simd;
    /* The frames of particles, from offsets from the origin to places relative to `base`, and the
       same as dual quaternions unless `duals` is NULL. */
    void (*frames)(const supi_skin_pose* pose, const float base[3], supi_skin_frame* frames,
                   supi_skin_dual* duals);
    /* Linear blend: base + the blend of the frames at the rest places. Normals and tangents are
       blended likewise and made unit. */
    void (*linear)(const supi_skin_plan* plan, const supi_skin_frame* frames, const float base[3],
                   const supi_skin_drawn* out);
    /* Dual quaternions (Kavan, Collins, Zara, O'Sullivan 2007) in place of frames: the blend is
       rigid, so that directions keep their length. */
    void (*dual)(const supi_skin_plan* plan, const supi_skin_dual* duals, const float base[3],
                 const supi_skin_drawn* out);
} supi_skin_kernels;

/* The copy for `simd` (SUP_SIMD_AUTO: the best of these), or NULL where this build or processor has
   none. */
const supi_skin_kernels* supi_skin_kernels_find(sup_simd simd);

/* The copy with registers of sixteen floats, or NULL. Its `simd` is AVX2, as all else is then. */
const supi_skin_kernels* supi_skin_kernels_wide(void);

/* As supi_skin_kernels_find, but SUP_SIMD_AUTO may mean the wide copy: where it is faster. */
const supi_skin_kernels* supi_skin_kernels_choose(sup_simd simd);

#endif
