/* A walk over the statements of an OBJ: a keyword and its words, on one line or joined ones. */
#ifndef SUPPLE_FILE_OBJ_STATEMENTS_H
#define SUPPLE_FILE_OBJ_STATEMENTS_H

#include "file/cursor.h"

static inline sup_result supi_obj_begin(supi_cursor* cursor, const char* name, const uint8_t* bytes,
                                        size_t size, sup_error* error) {
    sup_result result = supi_cursor_begin(cursor, name, bytes, size, error);
    cursor->comment = '#';
    cursor->joins_lines = true;
    return result;
}

/* Takes the rest of a statement; returns how many words that were. */
static inline int32_t supi_obj_skip_words(supi_cursor* cursor) {
    supi_token word;
    int32_t count = 0;
    while (supi_cursor_token(cursor, &word)) count++;
    return count;
}

#endif
