/* Cells and points of a sheet by their place in the finest lattice. */
#ifndef SUPPLE_SOLVE_REFINE_TREE_H
#define SUPPLE_SOLVE_REFINE_TREE_H

#include "solve/refine.h"

/* A cell that is not cut. */
typedef struct supi_leaf {
    int32_t cell;  /* the first of the finest cells in it, by number and */
    int32_t at[2]; /* by place */
    int32_t size;  /* finest cells along a side */
    int32_t level;
} supi_leaf;

/* Finest cells along side k. */
static inline int32_t supi_tree_side(const supi_refine_grid* g, int k) {
    return g->cells[k] << g->levels;
}

static inline int32_t supi_tree_point(const supi_refine_grid* g, int32_t i, int32_t j) {
    return j * (supi_tree_side(g, 0) + 1) + i;
}

static inline int32_t supi_tree_row(const supi_refine_grid* g, int32_t i, int32_t j) {
    return g->row_of[supi_tree_point(g, i, j)];
}

/* Level of the leaf over finest cell (i, j); -1: beyond the sheet. */
static inline int32_t supi_tree_level(const supi_refine_grid* g, const uint8_t* level, int32_t i,
                                      int32_t j) {
    int32_t n = supi_tree_side(g, 0), m = supi_tree_side(g, 1);
    return i < 0 || j < 0 || i >= n || j >= m ? -1 : level[j * n + i];
}

/* The leaf over finest cell (i, j), which is on the sheet. */
static inline supi_leaf supi_tree_leaf(const supi_refine_grid* g, const uint8_t* level, int32_t i,
                                       int32_t j) {
    supi_leaf leaf = {.level = supi_tree_level(g, level, i, j)};
    leaf.size = 1 << (g->levels - leaf.level);
    leaf.at[0] = i & ~(leaf.size - 1);
    leaf.at[1] = j & ~(leaf.size - 1);
    leaf.cell = leaf.at[1] * supi_tree_side(g, 0) + leaf.at[0];
    return leaf;
}

/* Goes from leaf to leaf in order of their first cells; begins at a leaf whose cell is -1. False:
   that was the last one. */
static inline bool supi_tree_next(const supi_refine_grid* g, const uint8_t* level,
                                  supi_leaf* leaf) {
    int32_t n = supi_tree_side(g, 0), count = supi_refine_cell_count(g);
    for (int32_t c = leaf->cell + 1; c < count; c++) {
        *leaf = supi_tree_leaf(g, level, c % n, c / n);
        if (leaf->cell == c) return true;
    }
    return false;
}

/* Level beside a leaf: `along` and `across` are in its sizes, along side k. */
static inline int32_t supi_tree_beside(const supi_refine_grid* g, const uint8_t* level,
                                       const supi_leaf* leaf, int k, int32_t along,
                                       int32_t across) {
    int32_t at[2] = {leaf->at[0], leaf->at[1]};
    at[k] += along * leaf->size;
    at[1 - k] += across * leaf->size;
    return supi_tree_level(g, level, at[0], at[1]);
}

/* Point of the lattice of a leaf's corners, from its first one. */
static inline int32_t supi_tree_corner(const supi_refine_grid* g, const supi_leaf* leaf, int k,
                                       int32_t along, int32_t across) {
    int32_t at[2] = {leaf->at[0], leaf->at[1]};
    at[k] += along * leaf->size;
    at[1 - k] += across * leaf->size;
    return supi_tree_point(g, at[0], at[1]);
}

#endif
