/* Where pictures go: into one file, into numbered files, or into a film. */
#ifndef SUPPLE_TOOL_RENDER_REEL_H
#define SUPPLE_TOOL_RENDER_REEL_H

#include "render/film.h"

typedef enum reel_kind { REEL_PICTURE, REEL_NUMBERED, REEL_MP4, REEL_GIF } reel_kind;

typedef struct reel {
    reel_kind kind;
    const char* path;
    /* Of numbered files: path = text before the number, "%0Nd", text behind it. */
    int32_t number_at, number_end, digits;
    film* film; /* NULL: not open */
} reel;

/* Looks at the name alone. SUP_BAD_ARGUMENT: it is of no kind. */
sup_result reel_plan(reel* reel, const char* path, sup_error* error);
bool reel_is_film(const reel* reel);
/* The file that holds a frame; the caller frees. NULL: no memory. */
char* reel_file(const reel* reel, int32_t frame);
/* Is the picture of a frame there, whole and of this size? */
bool reel_has(const reel* reel, int32_t frame, int32_t width, int32_t height);

/* Starts a film, which asks `stop_asked` while it waits for ffmpeg; others need no opening. */
sup_result reel_open(reel* reel, int32_t width, int32_t height, double fps,
                     bool (*stop_asked)(void), sup_error* error);
sup_result reel_add(reel* reel, const picture* picture, int32_t frame, sup_error* error);
sup_result reel_close(reel* reel, sup_error* error);
/* Throws an open film away. Safe at any time. */
void reel_free(reel* reel);

#endif
