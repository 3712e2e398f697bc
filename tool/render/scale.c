/* Colours for numbers, and the bar that explains them. */
#include "base/number.h"
#include "render/font.h"
#include "render/light.h"
#include "render/overlay.h"
#include "render/vec.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The colours of inferno from bright to dark, at equal steps: brightness falls evenly, also for the
   colour-blind, and what is small stays light. */
static const uint8_t stops[][3] = {{252, 255, 164}, {249, 201, 50}, {249, 140, 10}, {227, 89, 51},
                                   {186, 54, 85},   {136, 34, 106}, {85, 15, 109},  {31, 12, 72}};
#define LAST_STOP ((int)(sizeof stops / sizeof *stops) - 1)

static void stop_colour(float share, float rgb[3]) {
    float at = clamp01(share) * (float)LAST_STOP;
    int below = (int)at < LAST_STOP ? (int)at : LAST_STOP - 1;
    for (int k = 0; k < 3; k++) {
        float from = stops[below][k], to = stops[below + 1][k];
        rgb[k] = from + (to - from) * (at - (float)below);
    }
}

sup_vec3 scale_colour(float share) {
    float rgb[3];
    stop_colour(share, rgb);
    return light_linear((uint8_t)(rgb[0] + 0.5f), (uint8_t)(rgb[1] + 0.5f),
                        (uint8_t)(rgb[2] + 0.5f));
}

double scale_round(double top) {
    if (!(top > 1e-9)) return 1e-9;
    double unit = 1e-9;
    while (unit * 10 < top) unit *= 10;
    for (int factor = 1; factor <= 8; factor *= 2) {
        if (top <= factor * unit) return factor * unit;
    }
    return 10 * unit;
}

/* Hues at golden steps around the circle: neighbours differ most. */
sup_vec3 scale_distinct(int32_t number) {
    float turn = (float)number * 0.61803399f, hue = 6.0f * (turn - floorf(turn));
    float rgb[3];
    for (int k = 0; k < 3; k++) {
        float from = fabsf(hue - (float)(2 * k));
        if (from > 3.0f) from = 6.0f - from;
        rgb[k] = 0.06f + 0.6f * clamp01(2.0f - from);
    }
    return (sup_vec3){rgb[0], rgb[1], rgb[2]};
}

/* ---- the bar ---- */

static void dim(picture* p, int32_t x0, int32_t y0, int32_t x1, int32_t y1) {
    for (int32_t y = y0; y < y1; y++) {
        for (int32_t x = x0; x < x1; x++) {
            uint8_t* rgb = p->rgb + 3 * ((size_t)y * (size_t)p->width + (size_t)x);
            for (int k = 0; k < 3; k++) rgb[k] = (uint8_t)(rgb[k] * 3 / 10);
        }
    }
}

#define TICKS 4
#define TICK_LETTERS 6

/* "0.0015" or "1.5e-3"; ticks have two digits at most. */
static void write_tick(double value, bool plain, char text[32]) {
    supi_number_write_float((float)value, text);
    if (plain || value == 0) return;
    char digits[32];
    snprintf(digits, sizeof digits, "%.1e", value);
    int exponent = atoi(strchr(digits, 'e') + 1);
    snprintf(text, 32, "%.*se%d", digits[2] == '0' ? 1 : 3, digits, exponent);
}

/* Is there room for the ticks without exponents? */
static bool are_plain(double top) {
    bool plain = true;
    for (int tick = 0; tick <= TICKS; tick++) {
        char text[32];
        write_tick(top * tick / TICKS, true, text);
        plain = plain && strlen(text) <= TICK_LETTERS;
    }
    return plain;
}

void scale_draw(picture* p, double top, const char* unit) {
    int32_t size = p->height / 360 > 0 ? p->height / 360 : 1; /* pixels of a dot of the font */
    int32_t wide = 50 * size, line = (FONT_HEIGHT + 2) * size;
    int32_t bar_width = 8 * size, margin = 6 * size;
    if (p->width < 3 * wide || p->height < 10 * line) return; /* no room for it */
    int32_t x = p->width - wide, y0 = margin + 2 * line, y1 = p->height - margin - line;
    dim(p, x - margin, 0, p->width, p->height);
    font_draw(p, x, margin, size, unit);
    for (int32_t y = y0; y < y1; y++) {
        float rgb[3];
        stop_colour((float)(y1 - 1 - y) / (float)(y1 - 1 - y0), rgb);
        for (int32_t i = 0; i < bar_width; i++) {
            uint8_t* at = p->rgb + 3 * ((size_t)y * (size_t)p->width + (size_t)(x + i));
            for (int k = 0; k < 3; k++) at[k] = (uint8_t)(rgb[k] + 0.5f);
        }
    }
    bool plain = are_plain(top);
    for (int tick = 0; tick <= TICKS; tick++) {
        char text[32];
        write_tick(top * tick / TICKS, plain, text);
        int32_t y = y1 - 1 - (y1 - 1 - y0) * tick / TICKS;
        font_draw(p, x + bar_width + 4 * size, y - FONT_HEIGHT * size / 2, size, text);
    }
}
