/* One bounded walk through the bytes of a file, for every reader: it knows line and column and
   never passes the end. */
#ifndef SUPPLE_FILE_CURSOR_H
#define SUPPLE_FILE_CURSOR_H

#include "supple/base.h"

typedef struct supi_cursor {
    const char* name; /* of the file, for messages */
    const uint8_t* bytes;
    size_t size, at;
    int32_t line, column; /* of `at`, from 1; columns count code points */
    char comment;         /* a word that starts with it ends the line; 0: none */
    bool joins_lines;     /* a backslash at the end of a line is a blank and the line goes on */
} supi_cursor;

/* A word between blanks. Its text lies in the file and has no zero at its end. */
typedef struct supi_token {
    const char* text;
    size_t size;
    int32_t line, column;
} supi_token;

/* Refuses what no text reader takes: an empty file, a byte-order mark, and 2 GiB or more, so that
   every line, column and count fits an int32_t. */
sup_result supi_cursor_begin(supi_cursor* cursor, const char* name, const uint8_t* bytes,
                             size_t size, sup_error* error);

static inline size_t supi_cursor_left(const supi_cursor* cursor) {
    return cursor->size - cursor->at;
}

/* The next byte, or -1 at the end. */
static inline int supi_cursor_peek(const supi_cursor* cursor) {
    return cursor->at < cursor->size ? cursor->bytes[cursor->at] : -1;
}

/* Goes over one byte; does nothing at the end. */
static inline void supi_cursor_skip(supi_cursor* cursor) {
    if (cursor->at == cursor->size) return;
    uint8_t byte = cursor->bytes[cursor->at++];
    if (byte == '\n') {
        cursor->line++;
        cursor->column = 1;
    } else if ((byte & 0xC0) != 0x80) {
        cursor->column++; /* the later bytes of a UTF-8 character do not count */
    }
}

/* The next word of this line. At the end of the line: false, and an empty token with that place. */
bool supi_cursor_token(supi_cursor* cursor, supi_token* token);

/* Goes to the start of the next line; a line ends with LF or CR LF. False at the end of the file.
 */
bool supi_cursor_next_line(supi_cursor* cursor);

/* Goes to the first word of this or a later line. False when there is none. */
bool supi_cursor_next_word(supi_cursor* cursor);

/* The next word of this line or a later one; an empty token at the end of the file. */
supi_token supi_cursor_word(supi_cursor* cursor);

bool supi_token_is(const supi_token* token, const char* word);

/* The whole token as a finite number in the range of float. */
sup_result supi_token_float(const supi_token* token, const char* name, float* value,
                            sup_error* error);

/* The whole token as an integer from low to high. `what` is it: "the number of points". */
sup_result supi_token_integer(const supi_token* token, const char* name, const char* what,
                              int64_t low, int64_t high, int64_t* value, sup_error* error);

/* "... stands where WANTED should". */
sup_result supi_token_refuse(const supi_token* token, const char* name, const char* wanted,
                             sup_error* error);

/* Bytes of the UTF-8 character at the start of `bytes`; 0 when it is invalid or cut. */
size_t supi_utf8_length(const uint8_t* bytes, size_t size);

/* Makes any bytes fit for a message: cut when long, '?' for what cannot be printed. Returns
   `quote`. */
#define SUPI_QUOTE_SIZE 48
const char* supi_text_quote(const char* text, size_t size, char quote[SUPI_QUOTE_SIZE]);
const char* supi_token_quote(const supi_token* token, char quote[SUPI_QUOTE_SIZE]);

#endif
