/* What a file holds beside points and faces, which only a file of its own kind keeps. */
#ifndef SUPPLE_TOOL_DEFORM_LOSS_H
#define SUPPLE_TOOL_DEFORM_LOSS_H

#include "deform_work.h"

/* Warns of what a file of another kind, or an animation (`moving`), has no place for; once. */
void deform_warn_of_loss(deform_work* work, bool moving);
/* Has the file normals? Of a .ply they are properties as all others: false. */
bool deform_has_normals(const deform_work* work);

#endif
