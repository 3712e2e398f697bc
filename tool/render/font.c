/* See font.h. */
#include "render/font.h"

#include <stddef.h>

/* Rows from the top; the highest of five bits is the left dot. */
typedef struct glyph {
    char letter;
    uint8_t rows[FONT_HEIGHT];
} glyph;

static const glyph glyphs[] = {
    {'0', {14, 17, 19, 21, 25, 17, 14}}, {'1', {4, 12, 4, 4, 4, 4, 14}},
    {'2', {14, 17, 1, 2, 4, 8, 31}},     {'3', {31, 2, 4, 2, 1, 17, 14}},
    {'4', {2, 6, 10, 18, 31, 2, 2}},     {'5', {31, 16, 30, 1, 1, 17, 14}},
    {'6', {6, 8, 16, 30, 17, 17, 14}},   {'7', {31, 1, 2, 4, 8, 8, 8}},
    {'8', {14, 17, 17, 14, 17, 17, 14}}, {'9', {14, 17, 17, 15, 1, 2, 12}},
    {'.', {0, 0, 0, 0, 0, 12, 12}},      {'-', {0, 0, 0, 31, 0, 0, 0}},
    {'+', {0, 4, 4, 31, 4, 4, 0}},       {'/', {1, 1, 2, 4, 8, 16, 16}},
    {'a', {0, 0, 14, 1, 15, 17, 15}},    {'e', {0, 0, 14, 17, 31, 16, 14}},
    {'i', {4, 0, 12, 4, 4, 4, 14}},      {'m', {0, 0, 26, 21, 21, 21, 21}},
    {'n', {0, 0, 22, 25, 17, 17, 17}},   {'r', {0, 0, 22, 25, 16, 16, 16}},
    {'s', {0, 0, 15, 16, 14, 1, 30}},    {'t', {8, 8, 28, 8, 8, 9, 6}}};

static const glyph* find(char letter) {
    for (size_t i = 0; i < sizeof glyphs / sizeof *glyphs; i++) {
        if (glyphs[i].letter == letter) return glyphs + i;
    }
    return NULL;
}

static void dot(picture* p, int32_t x, int32_t y, int32_t size) {
    for (int32_t j = y < 0 ? 0 : y; j < y + size && j < p->height; j++) {
        for (int32_t i = x < 0 ? 0 : x; i < x + size && i < p->width; i++) {
            uint8_t* rgb = p->rgb + 3 * ((size_t)j * (size_t)p->width + (size_t)i);
            rgb[0] = rgb[1] = rgb[2] = 240;
        }
    }
}

void font_draw(picture* p, int32_t x, int32_t y, int32_t size, const char* text) {
    for (; *text; text++, x += (FONT_WIDTH + 1) * size) {
        const glyph* g = find(*text);
        if (!g) continue;
        for (int32_t row = 0; row < FONT_HEIGHT; row++) {
            for (int32_t column = 0; column < FONT_WIDTH; column++) {
                if (g->rows[row] >> (FONT_WIDTH - 1 - column) & 1) {
                    dot(p, x + column * size, y + row * size, size);
                }
            }
        }
    }
}
