/* What a picture explains: particles, clusters, contacts, attachments, speeds, strains, sleep,
   levels of cloth. */
#ifndef SUPPLE_TOOL_RENDER_OVERLAY_H
#define SUPPLE_TOOL_RENDER_OVERLAY_H

#include "base/column.h"
#include "render/scale.h"
#include "render/shade.h"

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
    supi_column vertex_colour_column, value_column, contact_column;
} overlay;

/* Takes down the scene as it is now, for the camera of the stage. `top` 0: what scale_top says of
   this picture; it is raised to a good top of the scale. False: no memory. */
bool overlay_update(overlay* overlay, sup_scene* scene, const render_stage* stage, double top);
void overlay_free(overlay* overlay);

/* Counts the speeds (m/s) or strains of all particles now, as `kind` (RENDER_VELOCITY,
   RENDER_STRAIN) asks. False: no memory. */
bool overlay_count(const sup_world* world, uint32_t kind, scale_tally* tally);

#endif
