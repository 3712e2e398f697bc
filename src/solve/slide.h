/* Rows of an implicit substep that slide on planes. */
#ifndef SUPPLE_SOLVE_SLIDE_H
#define SUPPLE_SOLVE_SLIDE_H

#include <stdbool.h>
#include <stdint.h>

/* At most so many for each row. */
enum { SUPI_SLIDE_MOST = 3 };

/* A row slides on a plane: its velocity along the normal is given. Two such of a row leave it a
   line, three nothing. */
typedef struct supi_slide {
    int32_t row;
    float normal[3]; /* unit */
    float speed;     /* m/s */
    int32_t tag;     /* the caller's own */
    bool one_sided;  /* the plane pushes and never pulls: what would leave it does, and the substep
                        is solved once more without. What leaves then only does so in the next */
    /* What comes out of a substep: */
    bool left;
    float impulse; /* N s along the normal, given by the plane to the row; of the linearised substep
                    */
} supi_slide;

/* Orthogonal unit normals of the slides of one row, and the speeds along them; returns how many. */
int supi_slides_orthogonal(const supi_slide* slides, int32_t count, float normals[3][3],
                           float speeds[3]);
/* From what the planes of a row have to give along each normal to what each gives, none of them a
   pull where it is one-sided: by projected Gauss-Seidel. Tells whether the row leaves one. */
bool supi_slides_share(supi_slide* slides, int32_t count);

/* Of a symmetric matrix a in a lane of a block (xx yy zz yz zx xy): S a S for S = I - n n^T, */
void supi_slide_block_remove(float block[6][8], int lane, const float n[3]);
/* n . a n, */
float supi_slide_block_along(float block[6][8], int lane, const float n[3]);
/* and a + scale n n^T. */
void supi_slide_block_add(float block[6][8], int lane, float scale, const float n[3]);

#endif
