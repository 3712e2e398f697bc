/* What looks like a mistake where a mesh is pulled, and may be meant. */
#ifndef SUPPLE_TOOL_DEFORM_NOTES_H
#define SUPPLE_TOOL_DEFORM_NOTES_H

#include "deform_work.h"

/* Before the first pull: how many edges have no length. */
void deform_note_edges(const deform_work* work);
/* After a pull that has reached somebody: to how many points no edges lead from there. Those beyond
   its depth, or behind pins, are none of them. */
void deform_note_parts(const deform_work* work, const deform_operation* operation);

#endif
