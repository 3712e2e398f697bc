/* See target.h. */
#include "plot/target.h"

#include "outputs.h"

#include <string.h>

tool_exit target_check_name(const char* path, const char* ending) {
    size_t length = strlen(path), tail = strlen(ending);
    if (length <= tail || strcmp(path + length - tail, ending) != 0) {
        return tool_fail(TOOL_USAGE, "cannot write %s: the name must end in %s", path, ending);
    }
    return outputs_check_writable(path);
}
