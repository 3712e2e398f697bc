/* Numbers of the bodies of a scene one by one, under the names of its file: copies of a body count
   together. */
#ifndef SUPPLE_TOOL_BY_NAME_H
#define SUPPLE_TOOL_BY_NAME_H

#include "plot/columns.h"
#include "supple/scene.h"

/* Bodies of the file; 0: there is but one, or more than BY_NAME_MOST, which nobody tells apart. */
int32_t by_name_count(const sup_scene* scene);
/* Their names as the scene keeps them (by_name_count). */
void by_name_list(const sup_scene* scene, const char** names);
/* As they are now (by_name_count). */
void by_name_measure(sup_scene* scene, double (*parts)[PART_COUNT]);

#endif
