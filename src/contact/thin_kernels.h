/* Pairs of thin features, eight at a time. */
#ifndef SUPPLE_CONTACT_THIN_KERNELS_H
#define SUPPLE_CONTACT_THIN_KERNELS_H

#include "supple/supple.h"

/* Boxes of eight features, or of eight nodes of the level below. */
typedef struct supi_thin_node {
    float low[3][8], high[3][8];
} supi_thin_node;

enum { SUPI_THIN_LEVELS = 11 };

/* Features in their order, eight in a node, eight of these in a node of the next level, and so on
   up to one. Neighbours of a sheet stay neighbours, so the order at rest is good for all times. */
typedef struct supi_thin_tree {
    supi_thin_node* nodes;
    int32_t starts[SUPI_THIN_LEVELS]; /* the first node of a level */
    int32_t level_count;              /* 0: no features */
    int32_t count;                    /* features */
    const int32_t* members;           /* `size` rows each */
    int32_t size;
    int32_t first; /* particle that is row 0 */
} supi_thin_tree;

/* Eight pairs of one job. In lanes without a pair, and of pairs that do not count, `distance` and
   `keep` are -1 and all shares 0. */
typedef struct supi_thin_block {
    int32_t at[4][8];  /* particles: of a one and of b three, or two and two */
    float share[4][8]; /* sums to 0: sum of share x leads from b to a */
    float normal[3][8];
    float distance[8]; /* m, to be kept along the normal */
    float keep[8];     /* m, the gap that has to be there at the end */
    float gap[8];      /* m, that at the start */
    float depth[8];    /* m, how much too near they were when they were first pushed */
    float push[8];     /* m, sum of the corrections that became speed, in the end also by the bound
                        */
    float over[8];     /* m, of the push: what opens an old overlap, and is not to become speed */
    float drag[3][8];  /* m, sum of those of friction */
    int32_t job;
    bool relented;   /* distances are those of pairs that may be close at rest */
    uint8_t bounded; /* bits of those that were kept from closing */
} supi_thin_block;

typedef struct supi_thin_kernels {
    /* Boxes of all features around those of their particles, by particle; and of all levels. */
    void (*grow)(const supi_thin_tree* tree, const sup_row* low, const sup_row* high);
    /* The features from `from` on whose boxes meet this one, ascending; how many there are. */
    int32_t (*hits)(const supi_thin_tree* tree, const sup_row* low, const sup_row* high,
                    int32_t from, int32_t* out);
    /* Shares and normals of closest points at x, and how far these are apart; below 0 where that
       gives no direction. */
    void (*faces)(supi_thin_block* block, const sup_row* x, float apart[8]);
    void (*edges)(supi_thin_block* block, const sup_row* x, float apart[8]);
    /* Gaps along the normals at x, and what has to be kept of them. */
    void (*aim)(supi_thin_block* block, bool faces, const sup_row* x);
    /* The first block from `from` on with pairs that are too near at x, and which; `end` if none.
     */
    int32_t (*near)(const supi_thin_block* blocks, int32_t from, int32_t end, const sup_row* x,
                    int* bits);
    /* The same of pairs whose gap has closed too far. */
    int32_t (*tight)(const supi_thin_block* blocks, int32_t from, int32_t end, bool faces,
                     const sup_row* x, int* bits);
} supi_thin_kernels;

/* The copy for `simd` (SUP_SIMD_AUTO: the best one here), or NULL where there is none. */
const supi_thin_kernels* supi_thin_kernels_find(sup_simd simd);

#endif
