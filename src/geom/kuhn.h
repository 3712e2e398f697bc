/* A cube of a grid, cut into Kuhn's six tetrahedra, and how a surface passes through them. All
   cubes are cut alike, so the triangles of neighbours fit together. */
#ifndef SUPPLE_GEOM_KUHN_H
#define SUPPLE_GEOM_KUHN_H

#include <stdbool.h>
#include <stdint.h>

enum { SUPI_KUHN_MOST = 12 }; /* triangles of a cube */

/* Corners of cubes are bits of axes. A corner of a triangle lies on the edge that goes from corner
   `low` of the cube by one step along some of the axes: bits of `way`. */
typedef struct supi_kuhn_triangle {
    uint8_t low[3], way[3];
    bool turned; /* seen from outside they run clockwise */
} supi_kuhn_triangle;

/* The triangles of a cube whose corners inside are the bits of `inside`; how many there are. */
int32_t supi_kuhn_cut(int32_t inside, supi_kuhn_triangle out[SUPI_KUHN_MOST]);

/* Where a value passes 0 between a at 0 and b at 1, by the chord; and again, knowing what it is
   there, by the chord of the side where the surface must be. Kept off the ends, so that no triangle
   is degenerate. */
static inline double supi_kuhn_chord(double a, double b) { return a / (a - b); }
static inline double supi_kuhn_refine(double t, double a, double b, double here) {
    if ((here > 0) == (a > 0)) {
        t += (1 - t) * (here / (here - b));
    } else {
        t *= a / (a - here);
    }
    if (!(t > 0.01)) return 0.01; /* also if a value is not finite */
    return t < 0.99 ? t : 0.99;
}

#endif
