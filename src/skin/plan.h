/* A skin laid out for blending: points that follow the same frames stand together, eight to a
   batch, so that an entry of a frame is fetched once for all eight. Points side by side stay
   together in pairs where they follow much the same frames: their rows are written at once. */
#ifndef SUPPLE_SKIN_PLAN_H
#define SUPPLE_SKIN_PLAN_H

#include "skin/skin.h"

/* Points change places within so many that follow each other, from a multiple of it on. */
enum { SUPI_SKIN_WINDOW = 4096 };

/* The rows of a skin with more points fit no cache: four points side by side, whose rows are a line
   of memory, stay together then, and are written past it. */
enum { SUPI_SKIN_LARGE = 1 << 18, SUPI_SKIN_LINE = 4 };

/* How many rows a skin of `count` points is written to: all of the last line. */
static inline int32_t supi_skin_room(int32_t count) {
    return count + (SUPI_SKIN_LINE - count % SUPI_SKIN_LINE) % SUPI_SKIN_LINE;
}

/* Columns hold eight floats for each batch in the order of lanes (see supi_rows8). The last batch
   of all repeats its last group, and that the last point. */
typedef struct supi_skin_plan {
    int32_t count; /* points */
    int32_t batch_count;
    int32_t group;   /* points side by side that stay together: 1, 2 or SUPI_SKIN_LINE */
    int32_t* starts; /* batch b blends frames[starts[b]] .. frames[starts[b + 1] - 1] */
    int32_t* frames; /* ascending for each batch */
    float* weights;  /* 8 by entry of `frames`, 0 for a point that does not follow it */
    uint32_t* rows;  /* where rows begin, in bytes: those of points, 8 a batch, or, where they stay
                        together, of pairs, 4 a batch */
    int32_t* firsts; /* 8 a batch, in the order of rows: the frame with the largest weight */
    float* rest;     /* m, relative to the origin: 8 x, 8 y, 8 z a batch */
    float* normals;  /* 8 x, 8 y, 8 z a batch; NULL: none */
    float* tangents; /* 8 x, 8 y, 8 z and 8 times the side, 1 or -1, a batch; NULL: none */
} supi_skin_plan;

/* Lays out a skin; `normals` and `tangents` (unit, by point, at rest; fourth entry of a tangent:
   the side) may be NULL. `origin`: that of the frames. False when memory is short. */
bool supi_skin_plan_build(const supi_skin* skin, const float origin[3], const sup_vec3* normals,
                          const sup_row* tangents, supi_arena* arena, supi_arena* scratch,
                          supi_skin_plan* out);

#endif
