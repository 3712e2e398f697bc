/* The file that a chart or a report is to become. */
#ifndef SUPPLE_TOOL_PLOT_TARGET_H
#define SUPPLE_TOOL_PLOT_TARGET_H

#include "tool.h"

/* Looks at the name alone: its ending, its folder, and what has that name already. Failures have
   been said. */
tool_exit target_check_name(const char* path, const char* ending);

#endif
