/* Colours as people write them (#rrggbb, sRGB) into colours as light adds up (linear). */
#include "base/real.h"
#include "scene/reader.h"

#include <string.h>

static int32_t hex_digit(char c) {
    if (c >= '0' && c <= '9') return c - '0';
    if (c >= 'a' && c <= 'f') return c - 'a' + 10;
    if (c >= 'A' && c <= 'F') return c - 'A' + 10;
    return -1;
}

/* IEC 61966-2-1 */
static double to_linear(double s) {
    return s <= 0.04045 ? s / 12.92 : supi_pow((s + 0.055) / 1.055, 2.4);
}

bool supi_colour_parse(const char* text, double linear[3]) {
    if (strlen(text) != 7 || text[0] != '#') return false;
    for (int32_t k = 0; k < 3; k++) {
        int32_t high = hex_digit(text[1 + 2 * k]), low = hex_digit(text[2 + 2 * k]);
        if (high < 0 || low < 0) return false;
        linear[k] = to_linear((16 * high + low) / 255.0);
    }
    return true;
}
