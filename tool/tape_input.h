/* Tapes that a verb reads. */
#ifndef SUPPLE_TOOL_TAPE_INPUT_H
#define SUPPLE_TOOL_TAPE_INPUT_H

#include "supple/tape.h"
#include "tool.h"

/* Opens a tape and looks at every byte of it: nothing is made of a damaged one. *tape is NULL
   where it fails, which has been said. */
tool_exit tape_open(const char* path, sup_tape** tape);

#endif
