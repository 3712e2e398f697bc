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
    RENDER_IDS = 32,     /* bodies in flat colours on black: a mask, see render/ids.h */
    RENDER_ATTACHMENTS = 64,
    RENDER_SLEEP = 128,  /* sleeping bodies are grey */
    RENDER_LEVELS = 256, /* cloth coloured by how finely it is cut */
    RENDER_DEPTHS = 512  /* how deep contacts are, and which way out */
} render_overlay;
/* Each of these shows contacts, which are of the last step. */
#define RENDER_OF_CONTACTS (RENDER_CONTACTS | RENDER_DEPTHS)
/* Each of these colours the surfaces: one of them at most. */
#define RENDER_COLOURS                                                                             \
    (RENDER_CLUSTERS | RENDER_VELOCITY | RENDER_STRAIN | RENDER_SLEEP | RENDER_LEVELS)

#define RENDER_SIZE_LEAST 16
#define RENDER_SIZE_MOST 8192
#define RENDER_SAMPLES_MOST 4096

typedef struct render_settings {
    int32_t width, height; /* RENDER_SIZE_LEAST..RENDER_SIZE_MOST */
    int32_t samples;       /* rays per pixel, 1..RENDER_SAMPLES_MOST, default 16 */
    int32_t threads;       /* 1..64; the picture is the same for every value, bit for bit */
    uint32_t overlays;     /* render_overlay bits */
    /* Box that an automatic camera must see: the bodies in their whole motion. Empty (low = high):
       as they are now. */
    double low[3], high[3];
    double orbit; /* degrees by which the camera is turned about the vertical through its target */
    bool around;  /* it will be turned: an automatic camera sees the box from every side */
    double top;   /* of the colour bar, m/s or strain; 0: by each picture, see scale_top */
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
/* How much of the bodies as they were when the renderer was made, or of the box low..high, an
   automatic camera sees past the colliders, as a share: whichever is less. */
double renderer_sight(const renderer* renderer);
void renderer_set_orbit(renderer* renderer, double degrees);

/* Who looks on while a picture is drawn. */
typedef struct render_watch {
    bool (*stop_asked)(void); /* from any thread; once it is true, no more is drawn */
    void (*show)(void* user, int32_t rows, int32_t total); /* in the calling thread; NULL: nobody */
    void* user;
    bool stopped; /* out: rows are missing */
} render_watch;

/* Draws the world as it is now. `out` was made with the settings' size. `watch` may be NULL. */
sup_result renderer_draw(renderer* renderer, picture* out, render_watch* watch, sup_error* error);
/* Draws the colour bar of the last picture, where its overlays have one; `out` has any size. */
void renderer_draw_scale(const renderer* renderer, picture* out);
void renderer_free(renderer* renderer);

#endif
