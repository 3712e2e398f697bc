/* Ray-traced pictures of a scene's world as it stands. */
#ifndef SUPPLE_TOOL_RENDER_RENDERER_H
#define SUPPLE_TOOL_RENDER_RENDERER_H

#include "render/picture.h"
#include "supple/scene.h"

/* What is drawn over the surfaces. */
typedef enum render_overlay {
    RENDER_PARTICLES = 1,
    RENDER_CLUSTERS = 2,
    RENDER_CONTACTS = 4,
    RENDER_VELOCITY = 8, /* surfaces coloured by speed, with a colour bar */
    RENDER_STRAIN = 16,  /* surfaces coloured by strain of their clusters, with a colour bar */
    RENDER_IDS = 32      /* bodies in flat colours on black: a mask, see render/ids.h */
} render_overlay;
/* Each of these colours the surfaces: one of them at most. */
#define RENDER_COLOURS (RENDER_CLUSTERS | RENDER_VELOCITY | RENDER_STRAIN)

typedef struct render_settings {
    int32_t width, height; /* 16..8192 */
    int32_t samples;       /* rays per pixel, 1..4096, default 16 */
    int32_t threads;       /* 1..64; the picture is the same for every value, bit for bit */
    uint32_t overlays;     /* render_overlay bits */
    /* Box that an automatic camera must see: the bodies in their whole motion. Empty (low = high):
       as they are now. */
    double low[3], high[3];
    double orbit; /* degrees by which the camera is turned about the vertical through its target */
    bool around;  /* it will be turned: an automatic camera sees the box from every side */
    double top;   /* of the colour bar, m/s or strain; 0: the largest in each picture */
} render_settings;

typedef struct renderer renderer;

/* Can this build draw at all (Embree, libspng)? If not, which Debian package did it lack? */
bool renderer_available(void);
const char* renderer_missing(void);

render_settings renderer_default(void);
/* Widens a box so that it holds the bodies as they are now; an empty one (low = high) starts there.
 */
void renderer_widen(sup_scene* scene, double low[3], double high[3]);

/* SUP_UNSUPPORTED names the missing package. The camera comes from the scene, or frames low..high
   where it has none. The scene must outlive the renderer. */
sup_result renderer_create(const render_settings* settings, sup_scene* scene, renderer** out,
                           sup_error* error);
/* About how much of the picture the bodies cover as they are now, as a share; more than 1 where
   many lie behind each other. */
double renderer_cover(const renderer* renderer);
/* The camera that the largest body would get alone, as it is now. */
sup_scene_camera renderer_close_up(const renderer* renderer);
void renderer_set_orbit(renderer* renderer, double degrees);
/* Draws the world as it is now. `out` was made with the settings' size. */
sup_result renderer_draw(renderer* renderer, picture* out, sup_error* error);
void renderer_free(renderer* renderer);

#endif
