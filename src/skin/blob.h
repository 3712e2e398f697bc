/* The surface of soft substance: where a sum of soft balls has a value. Spec 5, section 7.

   The field of a ball of radius R is (1 - d^2/R^2)^3 up to d = R. Balls that are chained together
   by short gaps are a piece; fields of different pieces are not added but the largest counts, so
   that two pieces keep their shapes until they touch. The grid is fixed in space and made of blocks
   of 8^3 samples; only blocks that a ball reaches exist. */
#ifndef SUPPLE_SKIN_BLOB_H
#define SUPPLE_SKIN_BLOB_H

#include "base/column.h"
#include "base/tasks.h"
#include "geom/kuhn.h"
#include "supple/supple.h"

enum { SUPI_BLOB_CELLS = 8, SUPI_BLOB_SAMPLES = 512 };

/* Radius of a ball over the distance r0 at which particles rest: alone it is drawn with 0.6 r0. */
#define SUPI_BLOB_BALL 1.32
/* Particles nearer than this many r0 are of one piece. */
#define SUPI_BLOB_JOIN 1.3

typedef struct supi_blob_field {
    const sup_row* balls; /* m; w: R */
    int32_t count;
    float join;    /* m */
    float spacing; /* m, of the grid */
    float iso;     /* 0.05..0.9: the value at the surface, smaller inside a wider one */
} supi_blob_field;

/* Balls near a block in columns, those of a piece together and each piece filled up to a multiple
   of 8 with balls that reach nothing. */
typedef struct supi_blob_list {
    const float *x, *y, *z, *inverse; /* m, 1/R^2 */
    const int32_t* starts;            /* of pieces (piece_count + 1) */
    const int32_t* entries;           /* where each stands in the list of the block; -1: nowhere */
    int32_t piece_count;
} supi_blob_list;

typedef struct supi_blob_field_kernels {
    sup_simd simd;
    /* The field at the samples of a block. `owners`, unless NULL: the place in the list of the ball
       whose own field is largest there. */
    void (*sample)(const supi_blob_list* list, const float low[3], float spacing, float* values,
                   float* owners);
    /* The field at a place, and its gradient unless that is NULL. */
    float (*value)(const supi_blob_list* list, const float place[3], float gradient[3]);
} supi_blob_field_kernels;

/* The copy for `simd` (SUP_SIMD_AUTO: the best one here), or NULL where there is none. */
const supi_blob_field_kernels* supi_blob_field_kernels_find(sup_simd simd);

/* A block: its balls, and its part of the surface. */
typedef struct supi_blob_block {
    int32_t at[3];           /* first sample over 8 */
    int32_t begin, end;      /* of its balls in the list */
    int32_t beside[8];       /* blocks one step along some of the axes; -1: none */
    int32_t point, triangle; /* its first ones */
    int32_t point_count, triangle_count;
    double edge; /* m^3 by which a rise of the value by 1 makes it smaller: see volumes */
} supi_blob_block;

/* All zero is an empty one. Memory is kept from call to call. */
typedef struct supi_blob_surface {
    int32_t point_count, triangle_count;
    sup_vec3* points;  /* m */
    sup_vec3* normals; /* unit, outward; 0 where the field has no slope */
    int32_t* corners;  /* (3 * triangle_count) */

    int32_t block_count, list_count, piece_count;
    supi_blob_block* blocks;
    int32_t* list;   /* balls by block, ascending in each piece */
    int32_t* piece;  /* by ball: the lowest ball of its piece */
    float* values;   /* by sample */
    uint8_t* passes; /* by sample: ways along which the surface passes */
    uint16_t* ranks; /* by sample: points of its block that come before its own */
    float* shares;   /* by entry of the list: m^3 */
    uint64_t* keys;  /* of a map from places of blocks to them (1 << map_bits) */
    int32_t* found;
    int32_t map_bits;
    float* packed; /* scratch of each worker */
    int32_t *packed_starts, *packed_entries;
    int32_t packed_room;
    bool ready; /* `cuts` is filled in */
    int32_t cut_counts[256];
    supi_kuhn_triangle (*cuts)[SUPI_KUHN_MOST]; /* by corners inside */
    supi_column stores[16];
} supi_blob_surface;

/* Which blocks there are, their balls, and the pieces. Balls that are not finite or too far out are
   left out. False when memory is short. */
bool supi_blob_blocks_find(supi_blob_surface* s, const sup_allocator* allocator, int32_t workers,
                           const supi_blob_field* field);
/* The balls of a block in the scratch of a worker; `low` becomes its first sample. */
supi_blob_list supi_blob_pack(const supi_blob_surface* s, const supi_blob_field* field,
                              int32_t block, int32_t worker, float low[3]);

/* The surface as closed triangles. False when memory is short: there is none then. `tasks` may be
   NULL. */
bool supi_blob_surface_find(supi_blob_surface* s, const sup_allocator* allocator, supi_tasks* tasks,
                            const supi_blob_field_kernels* kernels, const supi_blob_field* field);
void supi_blob_surface_free(supi_blob_surface* s, const sup_allocator* allocator);

/* What is inside, by the samples where a ball's own field is largest (m^3, by ball; 0: it is hidden
   by others); how much smaller that becomes for each 1 by which the value rises. False when memory
   is short. */
bool supi_blob_volumes_find(supi_blob_surface* s, const sup_allocator* allocator, supi_tasks* tasks,
                            const supi_blob_field_kernels* kernels, const supi_blob_field* field,
                            float* volumes, double* slope);
/* m^3: what that is on the average of one ball alone. */
double supi_blob_volume_alone(double radius, double spacing, double iso);

/* How radii follow volumes: local control. `gain` of the way, by at most the factor `most` (above
   1), between 0.7 and 1.4 of `radius`. Radii are w of the balls. */
void supi_blob_follow(const float* volumes, double alone, double gain, double most, double radius,
                      sup_row* balls, int32_t count);

/* task(context, block, worker) for all blocks. */
void supi_blob_each_block(supi_blob_surface* s, supi_tasks* tasks, supi_task* task, void* context);

#endif
