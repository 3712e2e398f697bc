/* Colliders as signed distance fields, in the frame of a run of particles. */
#ifndef SUPPLE_CONTACT_COLLIDER_H
#define SUPPLE_CONTACT_COLLIDER_H

#include "contact/heights.h"
#include "contact/trimesh.h"
#include "supple/collider.h"

/* A collider as a run sees it: all in float, relative to the run's anchor, at the end of a substep.
 */
typedef struct supi_shape {
    sup_collider_kind kind;
    bool inverted;      /* solid outside: distance and normal are those of the inside, negated */
    bool moves;         /* during this substep: pose or points */
    float axes[3][3];   /* its x, y and z directions, unit; a plane's normal is y */
    float centre[3];    /* m; planes use it only to turn about */
    float offset;       /* m, plane: distance = normal . x - offset */
    float radius;       /* m, sphere, capsule */
    float half_size[3]; /* m, box */
    float inset; /* m, of a box: 0, or what a room keeps from its walls, whose corners are sharp at
                    that distance too */
    float half_length;        /* m, capsule */
    const supi_trimesh* mesh; /* at the end of the substep, in its own frame */
    const supi_heights* heights;
    float safe; /* m: what starts outside and moves less than this is still nearest to the side
                   where it came in, so that pushing it out is enough and no cast is needed */

    /* How it came here during the substep, where it moves. Over a substep that turns by an angle,
       places do not move along their tangents but along chords: `chord` are the factors for that,
       sin(angle) / angle and h (1 - cos(angle)) / angle^2. */
    float velocity[3], spin[3]; /* m/s of the centre, rad/s */
    float chord[2];
    float h; /* s */
} supi_shape;

/* A collider with its pose worked out, from which shapes are placed cheaply. */
typedef struct supi_solid {
    double position[3], normal[3]; /* world, end of the substep; direction of its y axis */
    supi_shape shape;              /* all that does not depend on the anchor */
    float thickness;               /* m, distance kept */
    float friction_static, friction_kinetic, restitution;
    sup_filter filter;
    bool sensor;
} supi_solid;

/* Everything but the pose. `mesh` or `heights`: the collider's own, for these kinds. */
void supi_solid_make(const sup_collider_def* def, const supi_trimesh* mesh,
                     const supi_heights* heights, supi_solid* out);
/* The pose at the beginning and the end of a substep of h; quaternions of any length. A solid whose
   two poses are the same and whose mesh does not move does not move. */
void supi_solid_pose(supi_solid* solid, const double from_position[3],
                     const double from_rotation[4], const double to_position[3],
                     const double to_rotation[4], double h);

/* The collider seen from `anchor`. Differences are taken in double, so a shape far from the origin
 * is as exact. */
void supi_shape_place(const supi_solid* solid, const double anchor[3], supi_shape* out);

/* The same seen from an anchor that has moved by `shift`, m. */
void supi_shape_shift(supi_shape* shape, const float shift[3]);

/* What a shape looks like from a place. */
typedef struct supi_probe {
    float distance;  /* m, from the surface, negative inside */
    sup_vec3 normal; /* unit: the direction in which it grows */
    /* m/s of what is at the place and moves with the surface nearest to it: h times that is the way
       it has come in the substep. 0 where the shape does not move */
    sup_vec3 velocity;
} supi_probe;

/* Where there are many normals: up at a sphere's centre, the lowest of a box's equal axes towards
   its positive side, a fixed one on a capsule's axis. `side` (1 or -1, from supi_shape_side) says
   which side of an open mesh is outside; others do not look at it. */
void supi_shape_probe(const supi_shape* shape, sup_vec3 x, float side, supi_probe* out);

/* The side of an open mesh on which a place was at the START of the substep; 1 for all others. */
float supi_shape_side(const supi_shape* shape, sup_vec3 x);
/* The same for a place at the END of the substep. */
float supi_shape_end_side(const supi_shape* shape, sup_vec3 x);
/* Is it an open mesh, which has no inside? */
bool supi_shape_two_sided(const supi_shape* shape);

/* Where a place of the start of the substep is at its end if it moves with the shape, and with the
   points of a mesh near it. */
sup_vec3 supi_shape_carry(const supi_shape* shape, sup_vec3 x);

/* The first crossing of the way from..to with a mesh or heights as they are at the end of the
   substep: at from + t (to - from), with the face's own normal. */
bool supi_shape_cross(const supi_shape* shape, sup_vec3 from, sup_vec3 to, float* t,
                      sup_vec3* normal);

/* False only where no point of the box low..high comes closer to the surface than `margin` (>= 0)
 * at the end of the substep, but for rounding. Inverted ones: closer to what is solid. */
bool supi_shape_near(const supi_shape* shape, const float low[3], const float high[3],
                     float margin);

/* m, a bound on how far the surface near the box low..high moves in the substep. */
float supi_shape_travel(const supi_shape* shape, const float low[3], const float high[3]);

/* Bit i says that particle i can move and is closer to the surface than `limit`, whatever the side.
 * At most 64 rows. */
uint64_t supi_shape_mask(const supi_shape* shape, const sup_row* x, int32_t count, float limit);

#endif
