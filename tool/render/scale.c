/* See scale.h. */
#include "render/scale.h"

#include "base/number.h"
#include "render/font.h"
#include "render/light.h"
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

/* ---- the top of the scale ---- */

#define BINS_PER_DOUBLING 16
#define LEAST_EXPONENT (-32)

static int32_t bin_of(float value) {
    int exponent;
    if (!(value >= 0x1p-33f)) return 0;
    if (value >= 0x1p31f) return SCALE_BINS - 1;
    float half = frexpf(value, &exponent); /* 0.5 .. 1 */
    int32_t part = (int32_t)((half - 0.5f) * (2 * BINS_PER_DOUBLING));
    return (exponent - LEAST_EXPONENT) * BINS_PER_DOUBLING + part;
}

void scale_count(scale_tally* t, float value) {
    t->bins[bin_of(value)]++;
    t->count++;
}

double scale_top(const scale_tally* t) {
    int64_t above = t->count / 100;
    for (int32_t bin = SCALE_BINS; bin-- > 0;) {
        if (t->bins[bin] > above) {
            double half = 0.5 + (bin % BINS_PER_DOUBLING + 1) / (2.0 * BINS_PER_DOUBLING);
            return ldexp(half, bin / BINS_PER_DOUBLING + LEAST_EXPONENT);
        }
        above -= t->bins[bin];
    }
    return 0;
}

double scale_round(double top) {
    static const double good[] = {1, 1.2, 1.6, 2, 2.4, 3.2, 4, 4.8, 6, 8, 10};
    if (!(top > 1e-9)) return 1e-9;
    double unit = 1e-9;
    while (unit * 10 < top) unit *= 10;
    int i = 0;
    while (good[i] < 10 && top > good[i] * unit) i++;
    return good[i] * unit;
}

/* ---- the bar ---- */

#define TICKS 4
#define TICK_LETTERS 5

/* "0.015" or "1.5e-3"; ticks have two digits at most. */
static void write_tick(double value, bool plain, char text[40]) {
    supi_number_write_float((float)value, text);
    if (plain || value == 0) return;
    char digits[32];
    snprintf(digits, sizeof digits, "%.1e", value);
    int exponent = atoi(strchr(digits, 'e') + 1);
    snprintf(text, 40, "%.*se%d", digits[2] == '0' ? 1 : 3, digits, exponent);
}

/* Is there room for the ticks without exponents? */
static bool are_plain(double top) {
    bool plain = true;
    for (int tick = 0; tick <= TICKS; tick++) {
        char text[40];
        write_tick(top * tick / TICKS, true, text);
        plain = plain && strlen(text) <= TICK_LETTERS;
    }
    return plain;
}

static uint8_t* pixel(picture* p, int32_t x, int32_t y) {
    return p->rgb + 3 * ((size_t)y * (size_t)p->width + (size_t)x);
}

/* Ends at x = right. A shade around the letters keeps them readable on everything. */
static void draw_words(picture* p, int32_t right, int32_t top, int32_t size, const char* text) {
    int32_t wide = ((int32_t)strlen(text) * (FONT_WIDTH + 1) - 1) * size, left = right - wide;
    for (int32_t y = top - size; y < top + (FONT_HEIGHT + 1) * size; y++) {
        for (int32_t x = left - size; x < right + size; x++) {
            uint8_t* rgb = pixel(p, x, y);
            for (int k = 0; k < 3; k++) rgb[k] = (uint8_t)(rgb[k] / 2);
        }
    }
    font_draw(p, left, top, size, text);
}

void scale_draw(picture* p, double top, const char* unit) {
    int32_t size = p->height / 360 > 0 ? p->height / 360 : 1; /* pixels of a dot of the font */
    int32_t line = (FONT_HEIGHT + 2) * size, bar_width = 4 * size, margin = 3 * size;
    if (p->width < 150 * size || p->height < 10 * line) return; /* no room for it */
    int32_t x = p->width - margin - bar_width, right = x - 3 * size;
    int32_t y0 = margin + 2 * line, y1 = p->height - margin - line / 2;
    draw_words(p, p->width - margin, margin, size, unit);
    for (int32_t y = y0 - size; y < y1 + size; y++) {
        float rgb[3];
        stop_colour((float)(y1 - 1 - y) / (float)(y1 - 1 - y0), rgb);
        for (int32_t i = -size; i < bar_width + size; i++) {
            bool inside = i >= 0 && i < bar_width && y >= y0 && y < y1; /* else the dark rim */
            uint8_t* at = pixel(p, x + i, y);
            for (int k = 0; k < 3; k++) at[k] = inside ? (uint8_t)(rgb[k] + 0.5f) : 20;
        }
    }
    bool plain = are_plain(top);
    for (int tick = 0; tick <= TICKS; tick++) {
        char text[40];
        write_tick(top * tick / TICKS, plain, text);
        if (tick == TICKS) strcat(text, "+");
        int32_t y = y1 - 1 - (y1 - 1 - y0) * tick / TICKS;
        draw_words(p, right, y - FONT_HEIGHT * size / 2, size, text);
    }
}
