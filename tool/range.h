/* Ranges of frames on the command line. */
#ifndef SUPPLE_TOOL_RANGE_H
#define SUPPLE_TOOL_RANGE_H

#include "tool.h"

/* The value of --frames: "12:90", both ends included. A failure has been said. */
tool_exit range_parse(const char* text, int32_t* first, int32_t* last);

#endif
