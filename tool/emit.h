/* JSON out, value by value, into a file or onto the terminal. */
#ifndef SUPPLE_TOOL_EMIT_H
#define SUPPLE_TOOL_EMIT_H

#include "base/file_io.h"

#define EMIT_DEPTH 16

typedef struct emitter {
    supi_writer* writer; /* NULL: standard output */
    int32_t depth;
    bool inline_from[EMIT_DEPTH]; /* this level is written on one line */
    bool started[EMIT_DEPTH];     /* this level has a value already */
} emitter;

/* `key` is NULL inside arrays and for the outermost value. Levels opened with `bracket` "{" or "["
   stand on lines of their own, "{ " and "[ " on one line. */
void emit_open(emitter* e, const char* key, const char* bracket);
void emit_close(emitter* e, char bracket);
void emit_text(emitter* e, const char* key, const char* text);
void emit_number(emitter* e, const char* key, double number);
void emit_float(emitter* e, const char* key, float number); /* as few digits as give it back */
void emit_integer(emitter* e, const char* key, int64_t number);
void emit_bool(emitter* e, const char* key, bool value);
void emit_row(emitter* e, const char* key, const double* numbers, int32_t count);
/* 64 bits as a text of 16 hexadecimal digits: JSON numbers cannot hold them. */
void emit_hash(emitter* e, const char* key, uint64_t hash);

#endif
