/* See emit.h. */
#include "emit.h"

#include "base/number.h"

#include <stdio.h>
#include <string.h>

static void put(emitter* e, const char* text, size_t size) {
    if (e->writer) {
        supi_writer_put(e->writer, text, size);
    } else {
        fwrite(text, 1, size, stdout);
    }
}

static void put_text(emitter* e, const char* text) { put(e, text, strlen(text)); }

static void put_line(emitter* e) {
    put_text(e, "\n");
    for (int32_t i = 0; i < e->depth; i++) put_text(e, "  ");
}

/* Bytes that JSON needs escaped; all else is UTF-8 and passes. */
static void put_quoted(emitter* e, const char* text) {
    put_text(e, "\"");
    for (; *text; text++) {
        unsigned char c = (unsigned char)*text;
        char escape[8];
        if (c == '"' || c == '\\') {
            snprintf(escape, sizeof escape, "\\%c", c);
            put_text(e, escape);
        } else if (c < 0x20) {
            snprintf(escape, sizeof escape, "\\u%04x", c);
            put_text(e, escape);
        } else {
            put(e, text, 1);
        }
    }
    put_text(e, "\"");
}

/* What stands before a value: a comma, a new line, its key. */
static void begin(emitter* e, const char* key) {
    if (e->depth > 0) {
        bool flat = e->inline_from[e->depth];
        if (e->started[e->depth]) put_text(e, flat ? ", " : ",");
        if (!flat) put_line(e);
        e->started[e->depth] = true;
    }
    if (key) {
        put_quoted(e, key);
        put_text(e, ": ");
    }
}

void emit_open(emitter* e, const char* key, const char* bracket) {
    begin(e, key);
    put(e, bracket, 1);
    bool flat = e->inline_from[e->depth] || bracket[1] == ' ';
    e->depth++;
    e->inline_from[e->depth] = flat;
    e->started[e->depth] = false;
}

void emit_close(emitter* e, char bracket) {
    bool flat = e->inline_from[e->depth], empty = !e->started[e->depth];
    e->depth--;
    if (!flat && !empty) put_line(e);
    put(e, &bracket, 1);
    if (e->depth == 0) put_text(e, "\n");
}

void emit_text(emitter* e, const char* key, const char* text) {
    begin(e, key);
    put_quoted(e, text);
}

void emit_number(emitter* e, const char* key, double number) {
    char text[32];
    begin(e, key);
    put(e, text, (size_t)supi_number_write(number, text));
}

void emit_float(emitter* e, const char* key, float number) {
    char text[32];
    begin(e, key);
    put(e, text, (size_t)supi_number_write_float(number, text));
}

void emit_integer(emitter* e, const char* key, int64_t number) {
    char text[32];
    begin(e, key);
    put(e, text, (size_t)snprintf(text, sizeof text, "%lld", (long long)number));
}

void emit_bool(emitter* e, const char* key, bool value) {
    begin(e, key);
    put_text(e, value ? "true" : "false");
}

void emit_row(emitter* e, const char* key, const double* numbers, int32_t count) {
    emit_open(e, key, "[ ");
    for (int32_t i = 0; i < count; i++) emit_number(e, NULL, numbers[i]);
    emit_close(e, ']');
}

void emit_hash(emitter* e, const char* key, uint64_t hash) {
    char text[20];
    snprintf(text, sizeof text, "%016llx", (unsigned long long)hash);
    emit_text(e, key, text);
}
