/* What a picture explains: particles, clusters, contacts, speeds, strains. */
#ifndef SUPPLE_TOOL_RENDER_OVERLAY_H
#define SUPPLE_TOOL_RENDER_OVERLAY_H

#include "base/column.h"
#include "render/geometry.h"
#include "render/picture.h"

/* All zero is empty. Memory is kept from picture to picture. */
typedef struct overlay {
    uint32_t kinds; /* render_overlay bits */
    double top;     /* value at the top of the colour bar */

    int32_t sphere_count, cone_count;
    sup_row* spheres; /* centre, radius */
    sup_vec3* sphere_colours;
    sup_row (*cones)[2];
    sup_vec3* cone_colours;
    sup_vec3* vertex_colours; /* NULL: bodies keep their own colours */
    supi_column sphere_column, sphere_colour_column, cone_column, cone_colour_column;
    supi_column vertex_colour_column, value_column;
} overlay;

/* Takes down the world as it is now. `top` 0: the largest value there is; it is raised to a good
   top of the scale. `reach` is the size of what is looked at, m. False: no memory. */
bool overlay_update(overlay* overlay, const sup_world* world, const render_geometry* geometry,
                    double top, float reach);
void overlay_free(overlay* overlay);

/* Largest speed (m/s) or strain of any body now, as `kind` (RENDER_VELOCITY, RENDER_STRAIN) asks.
 */
double overlay_largest(const sup_world* world, uint32_t kind);

/* ---- parts ---- */

/* Colour of a share 0..1 of the scale, linear RGB. */
sup_vec3 scale_colour(float share);
/* Draws the scale with its numbers at the right edge. */
void scale_draw(picture* picture, double top, const char* unit);
/* The next value that makes a good top of the scale: 1, 2, 4 or 8 times a power of ten. */
double scale_round(double top);
/* A colour of its own for each number, linear RGB. */
sup_vec3 scale_distinct(int32_t number);

#endif
