/* Who is near whom, eight rows at a time. */
#ifndef SUPPLE_CONTACT_NEAR_H
#define SUPPLE_CONTACT_NEAR_H

#include "contact/contact.h"
#include "supple/supple.h"

typedef struct supi_pair {
    int32_t a, b; /* rows, a of the lower run, or the lower row of one run */
} supi_pair;

/* Two that may come near. */
typedef struct supi_candidate {
    supi_pair pair;
    float scale; /* of both shapes */
    float reach; /* m, below which they are near: scale times the sum of their radii */
} supi_candidate;

/* Eight rows as they were. The last eight of a run repeat its last row where they are fewer. */
typedef struct supi_near_block {
    float place[3][8], radius[8];
    float turn[4][8]; /* not set where rows have none */
    float room[8];    /* m that each may stray from where the run as a whole takes it */
    float reach[8];   /* m, radius and room; below 0: has no radius */
    float spread[8];  /* m, by how much a turn of 1 rad may change how far each reaches; not set
                         where spheres are all that counts */
    float strayed[8]; /* m, how far it has, and how much further it may reach for having turned
                         against the whole; not finite where it has another radius */
} supi_near_block;

/* Boxes around the places of eight blocks, and how far one in each reaches at most. */
typedef struct supi_near_boxes {
    float low[3][8], high[3][8], reach[8];
} supi_near_boxes;

/* Share of the square of a row's largest radius by which outlines are too large: for rounding, and
   because no shape counts as thinner than a thousandth. */
#define SUPI_NEAR_SLACK 4e-6f

/* How far the shape of a row reaches along d, times the length of d: at most the root of d.M d and
   |d|^2 times the slack. */
typedef struct supi_outline {
    sup_row straight; /* xx, yy, zz of M; w: slack; infinite: of no use */
    sup_row cross;    /* xy, xz, yz */
} supi_outline;

/* Two runs with their outlines, by row of the run. */
typedef struct supi_near_sides {
    const supi_outline *a, *b;
    int32_t first_a, first_b;
    float offset[3]; /* m, anchor of b - anchor of a */
} supi_near_sides;

/* Rows of two runs. */
enum { SUPI_NEAR_SPAN = 64 };

/* Two rows of a run of at most a span, from 0. There are many of them in a world of small bodies:
   what else a candidate says follows from its rows. */
typedef struct supi_near_two {
    uint8_t a, b;
} supi_near_two;

/* Pairs of a run, and how far they were apart when its blocks were filled. */
typedef struct supi_near_kept {
    const supi_near_block* blocks; /* and how far its rows have strayed */
    const supi_near_two* pairs;
    const float* apart;  /* m; up to seven more are read */
    const float* scales; /* as those of supi_near_all */
    int32_t first, row_count, pair_count, stride;
    float least; /* m that they must be apart */
} supi_near_kept;

/* All rows of a run, at most a span. */
typedef struct supi_near_all {
    const supi_near_block* blocks;
    const supi_outline* outlines; /* up to seven more are read */
    const float* scales; /* of pairs, every `stride` those of the next row; 0: never meet */
    int32_t count, stride;
} supi_near_all;

typedef struct supi_near_couple {
    const sup_row *xa, *va, *xb, *vb;
    int32_t count_a, count_b; /* at most a span of b */
    float offset[3];          /* m, anchor of b - anchor of a */
    float margin;             /* m */
    int32_t stride;           /* from one mask to that of the next row of a */
} supi_near_couple;

/* Spheres in columns, with seven more to read after the last. */
typedef struct supi_near_columns {
    const float *x, *y, *z, *radius; /* m */
    const float* run;                /* as a number; not for near_in */
} supi_near_columns;

/* Spheres first .. end - 1 of columns. */
typedef struct supi_near_span {
    int32_t first, end;
} supi_near_span;

typedef struct supi_near_kernels {
    /* Fills in how far rows have strayed from where the run as a whole takes them. False: one of
       them has no room left. `turn` may be NULL; `spreads`: shapes count, not spheres alone. */
    bool (*stray)(supi_near_block* blocks, int32_t count, const sup_row* x, const sup_row* v,
                  const sup_quat* turn, bool spreads);
    /* The blocks from `first` on that have rows which may be within reach of one of it, in order;
       how many there are. */
    int32_t (*pick)(const supi_near_boxes* boxes, int32_t block_count, int32_t first, int32_t* out);
    /* The rows after `row` among the first `count` that are within reach of it, in order, by the
       blocks that were picked for its own; how many there are. Up to seven more are written. */
    int32_t (*mates)(const supi_near_block* blocks, int32_t count, const int32_t* picked,
                     int32_t picked_count, int32_t row, int32_t* out);
    /* Those that are near now, in order; how many there are. `offset` is between the anchors of b
       and a. Up to seven beyond `count` are read, and as many written. */
    int32_t (*sift)(const supi_candidate* kept, int32_t count, const sup_row* x,
                    const float offset[3], supi_candidate* near);
    /* m, how far a row is from where it was at most, `shift` being how far their origin has gone
       since; infinite where one has another radius (w of what was). */
    float (*drift)(const sup_row* then, int32_t count, const sup_row* x, const sup_row* v,
                   const float shift[3]);
    /* Bits of up to 64 rows that can move and whose shapes are closer to the plane n.x = offset
       than `limit`; rows are from `first` on of their run. */
    uint64_t (*touch_plane)(const supi_oriented* oriented, int32_t first, int32_t count,
                            const sup_row* x, const float normal[3], float offset, float limit);
    /* Outlines of the rows of a run; up to seven more are written. */
    void (*outline)(const supi_oriented* oriented, int32_t count, supi_outline* out);
    /* Bits of up to 64 pairs: those that are near and show neither along the line of their centres
       nor along the first guess of Newton's method that they are apart. */
    uint64_t (*meet)(const supi_near_sides* sides, const supi_candidate* pairs, int32_t count,
                     const sup_row* x);
    /* All pairs of a run that may meet until one has strayed beyond its room, in order, and how far
       they are apart at least, m; how many there are. */
    int32_t (*pair_up)(const supi_near_all* all, supi_near_two* out, float* apart);
    /* Those of kept pairs that may be no further apart any more, in order; how many there are. */
    int32_t (*unsure)(const supi_near_kept* kept, supi_candidate* out);
    /* By row of a (every `stride` masks) the bits of the rows of b with |xa - xb| < ra + rb +
       margin, radii above 0; how many there are in all. */
    int32_t (*beside)(const supi_near_couple* couple, uint64_t* out);
    /* Bits of up to 64 spheres of other runs from `first` on that are closer to sphere `own` than
       their radii and `margin`. */
    uint64_t (*close)(const supi_near_columns* columns, int32_t own, int32_t first, int32_t count,
                      float margin);
    /* The spheres in spans that are closer to sphere `own` than their radii and `margin`, in order;
       how many there are. Up to seven more are written. */
    int32_t (*near_in)(const supi_near_columns* columns, int32_t own, const supi_near_span* spans,
                       int32_t span_count, float margin, int32_t* out);
} supi_near_kernels;

/* The copy for `simd` (SUP_SIMD_AUTO: the best one here), or NULL where there is none. */
const supi_near_kernels* supi_near_kernels_find(sup_simd simd);

#endif
