/* Signed distance to planes, spheres and boxes, in the frame of a run of particles. */
#ifndef SUPPLE_CONTACT_COLLIDER_H
#define SUPPLE_CONTACT_COLLIDER_H

#include "supple/supple.h"

/* A collider as a run sees it: all in float, relative to the run's anchor. */
typedef struct supi_shape {
    sup_collider_kind kind;
    float axes[3][3];   /* its x, y and z directions, unit; a plane's normal is y */
    float centre[3];    /* m; not used by planes */
    float offset;       /* m, plane: distance = normal . x - offset */
    float radius;       /* m, sphere */
    float half_size[3]; /* m, box */
} supi_shape;

/* A collider with its rotation worked out, from which shapes are placed cheaply. */
typedef struct supi_solid {
    double position[3], normal[3]; /* world; direction of its y axis */
    supi_shape shape;              /* all that does not depend on the anchor */
} supi_solid;

void supi_solid_make(const sup_collider_def* def, supi_solid* out);

/* The collider seen from `anchor`. Differences are taken in double, so a shape far from the origin
 * is as exact. */
void supi_shape_place(const supi_solid* solid, const double anchor[3], supi_shape* out);

/* The same seen from an anchor that has moved by `shift`, m. */
void supi_shape_shift(supi_shape* shape, const float shift[3]);

/* Distance from the surface, negative inside, and the unit normal: the direction in which it grows.
   Where there are many: up at a sphere's centre, the lowest of a box's equal axes towards its
   positive side. */
float supi_shape_distance(const supi_shape* shape, sup_vec3 x, sup_vec3* normal);

/* False only where no point of the box low..high is closer to the surface than `margin` (>= 0), but
 * for rounding. */
bool supi_shape_near(const supi_shape* shape, const float low[3], const float high[3],
                     float margin);

/* Bit i says that particle i can move and is closer to the surface than `limit`. At most 64 rows.
 */
uint64_t supi_shape_mask(const supi_shape* shape, const sup_row* x, int32_t count, float limit);

#endif
