/* supple info of the particles of a body. */
#ifndef SUPPLE_TOOL_PARTICLE_INFO_H
#define SUPPLE_TOOL_PARTICLE_INFO_H

#include "supple/scene.h"
#include "tool.h"

/* Lists them by id, in the order that lists of a scene mean. `name` is that of a body of the file,
   whose copies all have the same, or of one of the copies. */
tool_exit particle_info(sup_scene* scene, const char* name, bool json);

#endif
