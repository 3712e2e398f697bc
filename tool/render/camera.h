/* Where a picture is taken from. */
#ifndef SUPPLE_TOOL_RENDER_CAMERA_H
#define SUPPLE_TOOL_RENDER_CAMERA_H

#include "supple/scene.h"

/* How the camera stands before it is turned. */
typedef struct camera_stand {
    double from[3], look_at[3]; /* m, world */
    double fov;                 /* degrees, from the bottom to the top of the picture */
} camera_stand;

/* An automatic camera stands 18, 40, 60 or 75 degrees above the horizon. */
#define CAMERA_RISES 4

/* The camera of the scene, or where it gives none, one that sees the box low..high; with `around`
   it sees the box from every side. `aspect` is width / height, `rise` 0 .. CAMERA_RISES - 1. */
camera_stand camera_choose(const sup_scene_camera* given, const double low[3], const double high[3],
                           double aspect, bool around, int rise);

/* Ready for rays. Places are relative to an origin. */
typedef struct render_camera {
    sup_vec3 from;
    sup_vec3 ahead, right, up; /* right and up are half the picture long at distance 1 */
} render_camera;

/* `orbit` turns it about the vertical through its target, degrees. */
render_camera camera_at(const camera_stand* stand, double orbit, double aspect,
                        const double origin[3]);

/* Unit direction through a place of the picture: -1..1, from the left and from the bottom. */
sup_vec3 camera_ray(const render_camera* camera, float x, float y);

#endif
