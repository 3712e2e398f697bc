/* See tape_input.h. */
#include "tape_input.h"

tool_exit tape_open(const char* path, sup_tape** tape) {
    *tape = NULL;
    tool_exit code = tool_check_input(path);
    if (code != TOOL_DONE) return code;
    sup_tape* opened;
    sup_error error;
    if (sup_tape_open(NULL, NULL, path, &opened, &error) != SUP_OK) return tool_fail_error(&error);
    if (sup_tape_check(opened, &error) != SUP_OK) {
        sup_tape_close(opened);
        return tool_fail_error(&error);
    }
    *tape = opened;
    return TOOL_DONE;
}
