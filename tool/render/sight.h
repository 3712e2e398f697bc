/* What colliders hide from an automatic camera, and how high it must stand to see. */
#ifndef SUPPLE_TOOL_RENDER_SIGHT_H
#define SUPPLE_TOOL_RENDER_SIGHT_H

#include "render/camera.h"
#include "render/geometry.h"
#include "render/tracer.h"

/* What is to be seen. */
typedef struct sight_scene {
    render_geometry* geometry; /* bodies and colliders as they are now */
    ray_tracer* tracer;        /* is built anew */
    sup_scene_camera camera;   /* not given by the scene */
    double low[3], high[3];    /* box of the whole motion */
    double aspect;             /* width / height */
    bool around;               /* from every side */
} sight_scene;

/* As low as it can be without colliders in the way. *share tells how much it sees of the bodies as
   they are now and of the box, whichever is less: 1 all, 0 nothing. */
sup_result sight_choose(const sight_scene* scene, camera_stand* stand, double* share,
                        sup_error* error);

#endif
