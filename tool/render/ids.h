/* Masks: every body in a flat colour of its own, all else black. */
#ifndef SUPPLE_TOOL_RENDER_IDS_H
#define SUPPLE_TOOL_RENDER_IDS_H

#include "render/shade.h"

/* Row y of the picture, three bytes a pixel. Body n has the colour (n + 1) * 0x9e3779 mod 2^24, red
   in the highest byte. The middle of a pixel decides, so that colours never mix. */
void ids_row(const render_stage* stage, int32_t y, uint8_t* rgb);

#endif
