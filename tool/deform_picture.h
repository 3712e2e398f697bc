/* The mesh of `supple deform` as a picture. */
#ifndef SUPPLE_TOOL_DEFORM_PICTURE_H
#define SUPPLE_TOOL_DEFORM_PICTURE_H

#include "deform_work.h"

/* Draws the mesh as it is now: faces by the generation that the last pull gave them, those that it
   did not reach grey. All of it is in the picture, and all of what it was; `orbit`: degrees by
   which the camera is turned about the vertical. Failures have been said. */
tool_exit deform_picture_draw(const deform_work* work, double orbit, const char* path);

#endif
