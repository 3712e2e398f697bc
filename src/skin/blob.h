/* The surface of soft substance: where a sum of soft balls has a value. Spec 5, section 7.

   The field of a ball of radius R is (1 - d^2/R^2)^3 up to d = R. Balls that are chained together
   by short gaps are a piece; fields of different pieces are not added but the largest counts, so
   that two pieces keep their shapes until they touch. The grid is fixed in space and made of blocks
   of 8^3 samples; only blocks that a ball reaches exist. */
#ifndef SUPPLE_SKIN_BLOB_H
#define SUPPLE_SKIN_BLOB_H

#include "base/column.h"
#include "base/key_map.h"
#include "base/tasks.h"
#include "geom/kuhn.h"
#include "supple/supple.h"

enum { SUPI_BLOB_CELLS = 8, SUPI_BLOB_SAMPLES = 512 };

/* Radius of a ball over the distance r0 at which particles rest: alone it is drawn with 0.6 r0, and
   smaller once it follows the mean volume of the lump that it comes from. */
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

/* Balls near a block, those of a piece together. */
typedef struct supi_blob_list {
    const sup_row* balls;  /* m; w: 1/R^2 */
    const int32_t* starts; /* of pieces (piece_count + 1) */
    int32_t piece_count;
} supi_blob_list;

typedef struct supi_blob_field_kernels {
    sup_simd simd;
    /* The field at the samples of a block. `owners`, unless NULL: the place in the list of the ball
       whose own field is largest there, -1: none reaches it. */
    void (*sample)(const supi_blob_list* list, const float low[3], float spacing, float* values,
                   float* owners);
    /* Which samples of a block are above a value, as bits of its 64 rows. */
    void (*above)(const float* values, float iso, uint8_t* rows);
    /* The field at eight places, and its gradients unless that is NULL. */
    void (*values)(const supi_blob_list* list, const float places[3][8], float values[8],
                   float gradients[3][8]);
    /* Those of the points first .. end-1 that are nearer than the root of `square`; how many. Reads
       and writes up to seven more. */
    int32_t (*close)(const float* const columns[3], int32_t first, int32_t end, const float at[3],
                     float square, int32_t* out);
    /* Those of `count` balls of a list that reach a box; how many. Writes up to seven more. */
    int32_t (*narrow)(const sup_row* balls, int32_t count, const float low[3], float size,
                      int32_t* out);
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

/* What `stores` hold. */
enum {
    SUPI_BLOB_STORE_BLOCK,
    SUPI_BLOB_STORE_PAIR,
    SUPI_BLOB_STORE_LIST,
    SUPI_BLOB_STORE_PIECE,
    SUPI_BLOB_STORE_HOME,
    SUPI_BLOB_STORE_COLUMN,
    SUPI_BLOB_STORE_LINK,
    SUPI_BLOB_STORE_PACKED,
    SUPI_BLOB_STORE_START,
    SUPI_BLOB_STORE_NEAR,
    SUPI_BLOB_STORE_VALUE,
    SUPI_BLOB_STORE_ROW,
    SUPI_BLOB_STORE_CELL,
    SUPI_BLOB_STORE_PASS,
    SUPI_BLOB_STORE_RANK,
    SUPI_BLOB_STORE_CUT,
    SUPI_BLOB_STORE_SHARE,
    SUPI_BLOB_STORES
};

/* All zero is an empty one. Memory is kept from call to call. */
typedef struct supi_blob_surface {
    int32_t point_count, triangle_count;
    int32_t block_count, list_count, piece_count;
    supi_blob_block* blocks;
    int32_t* list;    /* balls by block, ascending in each piece */
    int32_t* piece;   /* by ball: the lowest ball of its piece */
    int32_t* home;    /* by ball: the block where it is; -1: it is left out */
    int32_t* links;   /* by entry of the list: the first in its block that it hangs together with */
    float* values;    /* by sample */
    uint8_t* rows;    /* by row of samples: which are inside (64 in a block) */
    uint8_t* cells;   /* by sample: corners inside of the cell that begins there; 0: no surface */
    uint8_t* passes;  /* by sample: ways along which the surface passes */
    uint16_t* ranks;  /* by sample: points of its block that come before its own */
    float* shares;    /* by entry of the list: m^3 */
    supi_key_map map; /* from places of blocks to them */
    sup_row* packed;  /* scratch of each worker: two lists */
    int32_t *packed_starts, *packed_near;
    float* columns; /* and places of one */
    int32_t packed_room;
    bool ready; /* `cuts` is filled in */
    int32_t cut_counts[256];
    supi_kuhn_triangle (*cuts)[SUPI_KUHN_MOST]; /* by corners inside */
    supi_column stores[SUPI_BLOB_STORES];
} supi_blob_surface;

/* Where a surface is written to; the arrays are the caller's. */
typedef struct supi_blob_mesh {
    double shift[3];   /* m, added to all points */
    sup_vec3* points;  /* m (point_count) */
    sup_vec3* normals; /* unit, outward; 0 where the field has no slope. NULL: none (point_count) */
    int32_t* corners;  /* (3 * triangle_count) */
} supi_blob_mesh;

/* What work on blocks shares. */
typedef struct supi_blob_job {
    supi_blob_surface* s;
    const supi_blob_field* field;
    const supi_blob_field_kernels* kernels;
    const supi_blob_mesh* out; /* once points are placed */
} supi_blob_job;

/* Which blocks there are, their balls, and the pieces. Balls that are not finite or too far out are
   left out. False when memory is short. */
bool supi_blob_blocks_find(supi_blob_job* job, const sup_allocator* allocator, supi_tasks* tasks);
/* The balls of a block in the scratch of a worker; `low` becomes its first sample. */
supi_blob_list supi_blob_pack(const supi_blob_job* job, int32_t block, int32_t worker,
                              float low[3]);
/* Those of the list that a worker has packed that reach a box. */
supi_blob_list supi_blob_narrow(const supi_blob_job* job, const supi_blob_list* list,
                                int32_t worker, const float low[3], float size);

/* The surface as closed triangles: how many there are. False when memory is short: there are none
   then. `tasks` may be NULL. */
bool supi_blob_surface_find(supi_blob_surface* s, const sup_allocator* allocator, supi_tasks* tasks,
                            const supi_blob_field_kernels* kernels, const supi_blob_field* field);
/* Writes what was found last, with the same kernels and field. */
void supi_blob_surface_write(supi_blob_surface* s, supi_tasks* tasks,
                             const supi_blob_field_kernels* kernels, const supi_blob_field* field,
                             const supi_blob_mesh* out);
void supi_blob_surface_free(supi_blob_surface* s, const sup_allocator* allocator);

/* What is inside, by the samples where a ball's own field is largest (m^3, by ball; 0: it is hidden
   by others); how much smaller that becomes for each 1 by which the value rises. False when memory
   is short. */
bool supi_blob_volumes_find(supi_blob_surface* s, const sup_allocator* allocator, supi_tasks* tasks,
                            const supi_blob_field_kernels* kernels, const supi_blob_field* field,
                            float* volumes, double* slope);

/* How radii follow volumes, of which each should have `share`: local control. `gain` of the way, by
   at most the factor `most` (above 1), between 0.7 and 1.4 of `radius`. Radii are w of the balls.
 */
void supi_blob_follow(const float* volumes, double share, double gain, double most, double radius,
                      sup_row* balls, int32_t count);

#endif
