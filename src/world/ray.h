/* Rays against simple shapes, in double. Each function finds where a ray first crosses the surface,
   from whichever side: one that starts inside meets it where it leaves. */
#ifndef SUPPLE_WORLD_RAY_H
#define SUPPLE_WORLD_RAY_H

#include <stdbool.h>

typedef struct supi_ray {
    double origin[3]; /* m */
    double unit[3];   /* its direction */
    double reach;     /* m, its length, at most 10 SUPI_FAR */
} supi_ray;

typedef struct supi_crossing {
    double distance;  /* m along the ray, 0 .. reach */
    double normal[3]; /* unit, outwards */
} supi_crossing;

/* Places beyond this take no part in queries, m: numbers are too coarse there. */
#define SUPI_FAR 1e15
/* Finite, and not that far? */
bool supi_ray_sane(const double place[3]);

/* False where the ray can meet nothing: it is not finite, or has no direction. */
bool supi_ray_make(const double origin[3], const double direction[3], supi_ray* out);

/* The place `distance` m along the ray. */
void supi_ray_at(const supi_ray* ray, double distance, double out[3]);

/* The part of the ray within the box grown by `margin`, m along it. False: none. */
bool supi_ray_clip(const supi_ray* ray, const double low[3], const double high[3], double margin,
                   double range[2]);

/* The plane y = 0, solid below. */
bool supi_ray_meet_plane(const supi_ray* ray, supi_crossing* out);
bool supi_ray_meet_sphere(const supi_ray* ray, const double centre[3], double radius,
                          supi_crossing* out);
/* Around the origin. */
bool supi_ray_meet_box(const supi_ray* ray, const double half_size[3], supi_crossing* out);
/* Around the origin, along y. */
bool supi_ray_meet_capsule(const supi_ray* ray, double radius, double half_length,
                           supi_crossing* out);

#endif
