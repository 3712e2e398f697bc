/* See range.h. */
#include "range.h"

#include "base/number.h"

#include <string.h>

tool_exit range_parse(const char* text, int32_t* first, int32_t* last) {
    const char* colon = strchr(text, ':');
    int64_t a, b;
    size_t used_a, used_b;
    bool good = colon && supi_number_parse_integer(text, (size_t)(colon - text), &a, &used_a) &&
                used_a == (size_t)(colon - text) &&
                supi_number_parse_integer(colon + 1, strlen(colon + 1), &b, &used_b) &&
                colon[1 + used_b] == 0 && a >= 0 && a <= b && b <= 1000000;
    if (!good) {
        return tool_fail(TOOL_USAGE, "--frames must be A:B with 0 <= A <= B, not \"%s\"", text);
    }
    *first = (int32_t)a;
    *last = (int32_t)b;
    return TOOL_DONE;
}
