/* Cloth that is fine where it bends and coarse where it is flat (after Hutchinson, Preston and
   Hewitt 1996). Pure functions on slices.

   A sheet of cells, each a quad that may be cut in four, these again, and so on. The points of the
   finest lattice are rows of the body from the start, but a row moves by itself only where it is a
   corner of all cells around it. Everything else is made from the levels of the cells: each leaf
   brings its mass to its corners and its share of springs, so that mass and stiffness of the cloth
   are the same at all levels. In two dimensions a spring keeps its stiffness when cells are cut:
   each is half as long, and twice as many lie side by side. */
#ifndef SUPPLE_SOLVE_REFINE_H
#define SUPPLE_SOLVE_REFINE_H

#include "base/arena.h"
#include "solve/net.h"
#include "solve/ties.h"

enum {
    SUPI_REFINE_LEVELS = 4, /* cuts at most */
    SUPI_REFINE_EVERY = 4   /* steps from one check to the next */
};

typedef enum supi_point_state {
    SUPI_POINT_ABSENT, /* no corner of any cell: drawn where its cell has it */
    SUPI_POINT_ACTIVE, /* moves by itself */
    SUPI_POINT_HANGING /* in the middle of an edge of a coarser cell: the mean of its ends */
} supi_point_state;

/* What the sheet is made of. Arrays belong to others. */
typedef struct supi_refine_grid {
    int32_t cells[2]; /* of level 0, along both sides */
    int32_t levels;   /* of the finest cells, 0..SUPI_REFINE_LEVELS */
    int32_t row_count;
    double stretch[2], bend[2]; /* N/m: springs along both sides, and those over two cells */
    double shear;               /* N/m: both diagonals of a cell */
    double mass;                /* kg, of a cell of level 0 */
    double damping;             /* ratio to critical */
    const int32_t* row_of;      /* by point of the finest lattice, the first side runs fastest */
    const sup_vec3* rest;       /* by row, m */
    const float* inverse_mass;  /* by row; 0: pinned */
} supi_refine_grid;

typedef struct supi_refine_rules {
    double bent;  /* cosine of the angle above which cells are cut */
    double flat;  /* cosine of the one below which they are joined */
    bool doubles; /* springs double their stiffness when they are cut, as is right for ropes alone:
                     to compare */
} supi_refine_rules;

/* A sheet as it is cut. */
typedef struct supi_refine {
    /* The state: by cell of the finest lattice. */
    uint8_t* level; /* of the leaf that it lies in */
    uint8_t* calm;  /* where four leaves begin that could be one: checks for which they were flat */

    /* What follows from it: supi_refine_make. */
    int32_t leaf_count, active_count, deepest; /* leaves; active points; the finest level */
    uint8_t* state;                            /* by point: supi_point_state */
    float* mass;    /* kg, by row; 0 unless active: hanging ones gave theirs to the ends */
    float* inverse; /* 1/kg, by row; 0 unless active and not pinned */
    float* loose;   /* the same, but hanging rows have what they gave away */
    int32_t tie_count, spring_count, spring_room;
    supi_tie* ties; /* of hanging rows */
    sup_spring* springs;
    supi_spring_net net; /* its row_count ends with the last row that is not absent */

    /* Scratch. */
    supi_net_rooms rooms;
    uint8_t *bends, *was;  /* by point */
    uint8_t* was_level;    /* by cell */
    double (*momentum)[3]; /* by row */
    double* weights;       /* kg, by row */
} supi_refine;

/* How many there are in the finest lattice. */
int32_t supi_refine_cell_count(const supi_refine_grid* grid);
int32_t supi_refine_point_count(const supi_refine_grid* grid);
/* Coarsest level that has a corner at point (i, j) of the finest lattice. */
int32_t supi_refine_point_level(int32_t levels, int32_t i, int32_t j);

/* Level of the finest cell around a point. */
int32_t supi_refine_level_around(const supi_refine_grid* grid, const uint8_t* level, int32_t point);

/* Room for any state, which is that of no cuts. False when memory is short. */
bool supi_refine_push(supi_arena* arena, const supi_refine_grid* grid, supi_refine* refine);
/* No cuts. */
void supi_refine_clear(const supi_refine_grid* grid, supi_refine* refine);
/* May the levels be those of a sheet? Cells lie on their lattice, edge neighbours differ by one
   level at most, what is pinned is a corner of all cells around it. For levels from a file. */
bool supi_refine_fits(const supi_refine_grid* grid, const uint8_t* level);
/* All that follows from the levels. */
void supi_refine_make(const supi_refine_grid* grid, const supi_refine_rules* rules,
                      supi_refine* refine);

/* Cuts what it takes to make active what is pinned or held (by row; NULL: nothing is). Returns how
   many cells were cut: above 0, the rest is to be made anew. Rows follow before it. */
int32_t supi_refine_hold(const supi_refine_grid* grid, const uint8_t* held, supi_refine* refine);
/* Cuts what is bent, joins what was flat for long, and makes all that follows. At most one cell in
   twenty changes, or one if that is less. Nobody who is held is removed. Rows follow before it;
   joined points give their momentum to those that stay. Returns how many cells changed. */
int32_t supi_refine_check(const supi_refine_grid* grid, const supi_refine_rules* rules,
                          const uint8_t* held, const sup_row* x, sup_row* v, supi_refine* refine);

/* The leaves as triangles, by fours of rows as patches are (solve/patches.h), and the mass of each,
   kg. Where cells of two levels meet, hanging points are corners of both. Returns how many: at most
   two for each cell of the finest lattice. */
int32_t supi_refine_faces(const supi_refine_grid* grid, const supi_refine* refine, int32_t* rows,
                          float* masses);

/* Places or velocities of what is hanging or absent, from those of what is active. */
void supi_refine_follow(const supi_refine_grid* grid, const supi_refine* refine, sup_row* rows);

#endif
