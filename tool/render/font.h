/* A few letters made of dots: numbers and units in pictures. */
#ifndef SUPPLE_TOOL_RENDER_FONT_H
#define SUPPLE_TOOL_RENDER_FONT_H

#include "render/picture.h"

#define FONT_WIDTH 5
#define FONT_HEIGHT 7

/* White, from the upper left corner (x, y), dots of `size` pixels; what has no place in the picture
   is left out. Knows digits, ". - + /" and the letters of "m/s" and "strain"; others are gaps. */
void font_draw(picture* picture, int32_t x, int32_t y, int32_t size, const char* text);

#endif
