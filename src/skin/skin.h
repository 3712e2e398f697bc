/* Skins: the surface that is drawn, where it is finer than the body that moves. Each point of it
   is bound to some frames (of clusters or oriented particles) by weights that never change, and
   goes where their blend takes it. Pure functions on slices: who makes the frames is no business of
   a skin. */
#ifndef SUPPLE_SKIN_SKIN_H
#define SUPPLE_SKIN_SKIN_H

#include "base/arena.h"
#include "supple/types.h"

/* A point is bound to this many frames at most. */
enum { SUPI_SKIN_SLOTS = 8, SUPI_SKIN_TERMS = 6 };

typedef struct supi_skin {
    int32_t count;   /* points; 0: there is no skin */
    float reach;     /* m: no point lies farther from the rest centre of one of its frames */
    sup_vec3* rest;  /* m, at rest */
    int32_t* home;   /* the point of the cloud that was nearest at rest */
    int32_t* starts; /* point i has the slots starts[i] .. starts[i + 1] - 1 (count + 1) */
    int32_t* frames; /* by slot, ascending for each point */
    float* weights;  /* by slot, above 0; those of a point have the sum 1, exactly */
} supi_skin;

/* What a skin is bound to: points at rest, each of which belongs to some frames in equal shares. */
typedef struct supi_skin_cloud {
    int32_t count;
    const sup_vec3* points;
    int32_t frame_count;
    const int32_t* starts; /* point i belongs to frames[starts[i]] .. (count + 1); NULL: all belong
                              to frame 0 */
    const int32_t* frames;
    double spacing; /* m, of the points; 0 where there is none */
} supi_skin_cloud;

/* Binds the `count` points at `rest` (kept by the caller) to the cloud: slots go to `arena`,
   `scratch` is for the work. At least one point of either kind. False when memory is short. */
bool supi_skin_bind(const supi_skin_cloud* cloud, int32_t count, sup_vec3* rest, supi_arena* arena,
                    supi_arena* scratch, supi_skin* out);

/* Where a frame takes the place p, an offset from the common origin of all frames: a p.x + b p.y +
   c p.z + t. The fourth entry of each column is 0; with it a blend is four wide. */
typedef struct supi_skin_frame {
    float columns[16]; /* a, b, c, t */
} supi_skin_frame;

/* What a quadratic frame adds: bend b(scale (p - centre)), b the squares and products x^2 y^2 z^2
   xy yz zx minus `mean`. */
typedef struct supi_skin_bend {
    float centre[3], scale;
    float mean[SUPI_SKIN_TERMS];
    float bend[3 * SUPI_SKIN_TERMS];
} supi_skin_bend;

/* Where the points are now: base + the blend of the frames at (rest - origin). `bends`: NULL unless
   the frames are quadratic. The fourth entry of each row becomes 0. */
void supi_skin_cluster(const supi_skin* skin, const float origin[3], const float base[3],
                       const supi_skin_frame* frames, const supi_skin_bend* bends, sup_row* out);

#endif
