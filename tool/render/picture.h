/* A picture in memory: 8-bit sRGB, rows from the top, three bytes a pixel. */
#ifndef SUPPLE_TOOL_RENDER_PICTURE_H
#define SUPPLE_TOOL_RENDER_PICTURE_H

#include "supple/base.h"

typedef struct picture {
    int32_t width, height;
    uint8_t* rgb; /* (3 * width * height) */
} picture;

/* False: no memory. All black. */
bool picture_create(picture* out, int32_t width, int32_t height);
void picture_free(picture* picture);

/* The Debian package that this build lacks for PNG, or NULL. */
const char* picture_missing(void);

/* PNG bytes of a picture; the caller frees with picture_free_bytes. SUP_UNSUPPORTED where the tool
   was built without libspng. */
sup_result picture_encode_png(const picture* picture, uint8_t** bytes, size_t* size,
                              sup_error* error);
void picture_free_bytes(uint8_t* bytes);
/* A whole PNG file, or none. */
sup_result picture_save(const picture* picture, const char* path, sup_error* error);
/* Does a file begin and end as a PNG of this size does? One that is cut off does not. */
bool picture_is_whole(const char* path, int32_t width, int32_t height);

#endif
