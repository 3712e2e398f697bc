/* Drawing in the frame of a body or collider, for the host's callbacks. */
#ifndef SUPPLE_WORLD_PEN_H
#define SUPPLE_WORLD_PEN_H

#include "world/frame.h"

typedef struct supi_pen {
    const sup_draw* draw;
    double origin[3]; /* m, world: what drawn places are relative to */
    supi_frame frame; /* what given places are relative to */
    uint32_t colour;
} supi_pen;

#define SUPI_GREY 0x808080u /* asleep */

/* From now on places are relative to `position`, m. */
void supi_pen_put(supi_pen* pen, const double position[3]);

void supi_pen_line(const supi_pen* pen, const double a[3], const double b[3]);
void supi_pen_sphere(const supi_pen* pen, const double centre[3], double radius);
/* The twelve edges of a box. */
void supi_pen_box(const supi_pen* pen, const double low[3], const double high[3]);
/* From a to b, with a head. */
void supi_pen_arrow(const supi_pen* pen, const double a[3], const double b[3]);

/* An arc in the plane of two axes, from the first one towards the second and on. */
enum { SUPI_PEN_CIRCLE = 32 }; /* parts of a whole circle */
void supi_pen_arc(const supi_pen* pen, const double centre[3], double radius, const int axes[2],
                  int begin, int end);

/* draw_collider.c: the wire frame of a collider, in the colour of its kind. A plane is shown as a
   grid around the place `middle` (m, world), `size` m to each side and more. */
void supi_draw_collider(supi_pen* pen, const supi_collider* collider, const double middle[3],
                        double size);

#endif
