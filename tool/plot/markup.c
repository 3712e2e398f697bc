/* See markup.h. */
#include "plot/markup.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void put(markup* m, const char* bytes, size_t size) {
    if (m->writer) {
        supi_writer_put(m->writer, bytes, size);
    } else {
        fwrite(bytes, 1, size, stdout);
    }
}

void markup_raw(markup* m, const char* text) { put(m, text, strlen(text)); }

void markup_print(markup* m, const char* format, ...) {
    char text[400];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    markup_raw(m, text);
}

/* ---- text ---- */

/* Bytes of the UTF-8 character at `text` if XML may hold it, else 0. */
static size_t character_size(const char* text) {
    const unsigned char* c = (const unsigned char*)text;
    if (c[0] < 0x80) return c[0] >= 0x20 || c[0] == '\t' || c[0] == '\n' ? 1 : 0;
    size_t size = c[0] >= 0xf0 ? 4 : c[0] >= 0xe0 ? 3 : 2;
    if (c[0] < 0xc2 || c[0] > 0xf4) return 0;
    uint32_t code = c[0] & (0x7fu >> size);
    for (size_t i = 1; i < size; i++) {
        if ((c[i] & 0xc0) != 0x80) return 0;
        code = code << 6 | (c[i] & 0x3fu);
    }
    static const uint32_t smallest[] = {0, 0, 0x80, 0x800, 0x10000};
    bool surrogate = code >= 0xd800 && code <= 0xdfff;
    bool fine = code >= smallest[size] && code <= 0x10ffff && !surrogate && (code & ~1u) != 0xfffe;
    return fine ? size : 0;
}

static const char* escape_of(char c) {
    switch (c) {
    case '&': return "&amp;";
    case '<': return "&lt;";
    case '>': return "&gt;";
    case '"': return "&quot;";
    default: return NULL;
    }
}

void markup_text(markup* m, const char* text) { markup_part(m, text, strlen(text)); }

void markup_part(markup* m, const char* text, size_t length) {
    const char* end = text + length;
    while (text < end) {
        size_t size = character_size(text);
        const char* escape = escape_of(*text);
        if (size == 0) {
            markup_raw(m, "\xef\xbf\xbd");
        } else if (escape) {
            markup_raw(m, escape);
        } else {
            put(m, text, size);
        }
        text += size ? size : 1;
    }
}

void markup_element(markup* m, const char* tag, const char* text) {
    markup_print(m, "<%s>", tag);
    markup_text(m, text);
    markup_print(m, "</%s>", tag);
}

int32_t markup_length(const char* text) {
    int32_t length = 0;
    for (; *text; text++) length += (*text & 0xc0) != 0x80;
    return length;
}

size_t markup_bytes(const char* text, int32_t length) {
    size_t bytes = 0;
    for (; text[bytes]; bytes++) {
        if ((text[bytes] & 0xc0) != 0x80 && length-- == 0) break;
    }
    return bytes;
}

/* ---- numbers ---- */

void markup_superscript(char* text, int32_t number) {
    static const char* const digits[] = {"⁰", "¹", "²", "³", "⁴", "⁵", "⁶", "⁷", "⁸", "⁹"};
    char plain[16];
    snprintf(plain, sizeof plain, "%d", (int)number);
    *text = 0;
    for (const char* c = plain; *c; c++) strcat(text, *c == '-' ? "⁻" : digits[*c - '0']);
}

void markup_number(markup* m, double value) {
    char text[32];
    bool plain = fabs(value) >= 1e3 && fabs(value) < 1e6;
    snprintf(text, sizeof text, plain ? "%.0f" : "%.4g", value == 0 ? 0.0 : value);
    char* exponent = strchr(text, 'e');
    if (exponent) *exponent = 0;
    markup_raw(m, text[0] == '-' ? "−" : "");
    markup_raw(m, text + (text[0] == '-'));
    if (!exponent) return;
    char power[40];
    markup_superscript(power, (int32_t)strtol(exponent + 1, NULL, 10));
    markup_print(m, "×10%s", power);
}

void markup_base64(markup* m, const uint8_t* bytes, size_t size) {
    static const char letters[] =
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    for (size_t i = 0; i < size; i += 3) {
        uint32_t three = (uint32_t)bytes[i] << 16;
        if (i + 1 < size) three |= (uint32_t)bytes[i + 1] << 8;
        if (i + 2 < size) three |= bytes[i + 2];
        char four[4];
        for (int k = 0; k < 4; k++) four[k] = letters[three >> (18 - 6 * k) & 63];
        if (i + 1 >= size) four[2] = '=';
        if (i + 2 >= size) four[3] = '=';
        put(m, four, 4);
    }
}
