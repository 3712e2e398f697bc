/* See target.h. */
#include "plot/target.h"

#include "base/number.h"
#include "outputs.h"

#include <string.h>

tool_exit target_check_name(const char* path, const char* ending) {
    size_t length = strlen(path), tail = strlen(ending);
    if (length <= tail || strcmp(path + length - tail, ending) != 0) {
        return tool_fail(TOOL_USAGE, "cannot write %s: the name must end in %s", path, ending);
    }
    output_list none;
    tool_exit code = outputs_plan(&none, &(option_texts){.count = 0}, path);
    outputs_free(&none);
    return code;
}

/* A whole number from low to high at *text, which moves behind it. */
static bool take_number(const char** text, int32_t low, int32_t high, int32_t* number) {
    int64_t value;
    size_t used;
    if (!supi_number_parse_integer(*text, strlen(*text), &value, &used)) return false;
    if (value < low || value > high) return false;
    *number = (int32_t)value;
    *text += used;
    return true;
}

tool_exit target_parse_size(const char* text, int32_t low, int32_t high, int32_t* width,
                            int32_t* height) {
    const char* at = text;
    bool good = take_number(&at, low, high, width) && *at++ == 'x' &&
                take_number(&at, low, high, height) && !*at;
    if (good) return TOOL_DONE;
    return tool_fail(TOOL_USAGE, "--size must be WxH, both from %d to %d, not \"%s\"", (int)low,
                     (int)high, text);
}
