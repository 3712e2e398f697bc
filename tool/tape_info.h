/* supple info of a tape. */
#ifndef SUPPLE_TOOL_TAPE_INFO_H
#define SUPPLE_TOOL_TAPE_INFO_H

#include "tool.h"

/* By its name: .sup, or the .part of one. */
bool tape_info_wanted(const char* path);
/* Reads and checks the whole tape. */
tool_exit tape_info(const char* path, bool json);

#endif
