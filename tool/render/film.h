/* Moving pictures, through the program ffmpeg. */
#ifndef SUPPLE_TOOL_RENDER_FILM_H
#define SUPPLE_TOOL_RENDER_FILM_H

#include "render/picture.h"

typedef enum film_kind { FILM_MP4, FILM_GIF } film_kind;

typedef struct film film;

/* Starts ffmpeg, which writes beside `path` under a temporary name (path + ".PROCESS.part"). Width
   and height must be even. SUP_UNSUPPORTED, also from later calls: there is no ffmpeg, or it lacks
   what films need. Once `stop_asked` is true, a call waits no longer than a second for an ffmpeg
   that stands still: it is ended, and the film fails. */
sup_result film_open(const char* path, film_kind kind, int32_t width, int32_t height, double fps,
                     bool (*stop_asked)(void), film** out, sup_error* error);
/* Hands over the next picture, of that size; nothing is kept of it. */
sup_result film_add(film* film, const picture* picture, sup_error* error);
/* Waits for ffmpeg, gives the file its name, and frees the film, also on failure. */
sup_result film_close(film* film, sup_error* error);
/* Leaves no trace. NULL is fine. */
void film_abort(film* film);

#endif
