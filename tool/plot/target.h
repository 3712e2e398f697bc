/* What charts and reports are to become: names and sizes from the command line. */
#ifndef SUPPLE_TOOL_PLOT_TARGET_H
#define SUPPLE_TOOL_PLOT_TARGET_H

#include "tool.h"

/* Looks at the name alone: its ending, its folder. Failures have been said. */
tool_exit target_check_name(const char* path, const char* ending);
/* "640x360": two whole numbers from low to high. A failure has been said. */
tool_exit target_parse_size(const char* text, int32_t low, int32_t high, int32_t* width,
                            int32_t* height);

#endif
