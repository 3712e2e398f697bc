/* Lines, words and characters of a text that came from outside. */
#include "file/cursor.h"

#include <string.h>

#include "base/error.h"
#include "base/number.h"

sup_result supi_cursor_begin(supi_cursor* cursor, const char* name, const uint8_t* bytes,
                             size_t size, sup_error* error) {
    *cursor = (supi_cursor){.name = name, .bytes = bytes, .size = size, .line = 1, .column = 1};
    if (size == 0) return supi_error_at(error, name, 1, 1, "the file is empty");
    if (size >= INT32_MAX) {
        return supi_error_at(error, name, 1, 1, "the file has 2 GiB or more; less can be read");
    }
    if (size >= 3 && memcmp(bytes, "\xEF\xBB\xBF", 3) == 0) {
        return supi_error_at(error, name, 1, 1, "the file starts with a byte-order mark");
    }
    return SUP_OK;
}

/* Bytes of the line end at `at`; 0 when there is none. */
static size_t newline_length(const supi_cursor* cursor, size_t at) {
    if (at < cursor->size && cursor->bytes[at] == '\n') return 1;
    bool both = at + 1 < cursor->size && cursor->bytes[at] == '\r' && cursor->bytes[at + 1] == '\n';
    return both ? 2 : 0;
}

/* Bytes of the blank at `at`: a space, a tab or a joined line end; 0 when there is none. */
static size_t blank_length(const supi_cursor* cursor, size_t at) {
    uint8_t byte = cursor->bytes[at];
    if (byte == ' ' || byte == '\t') return 1;
    if (byte != '\\' || !cursor->joins_lines) return 0;
    size_t newline = newline_length(cursor, at + 1);
    return newline ? 1 + newline : 0;
}

static void skip_blanks(supi_cursor* cursor) {
    while (cursor->at < cursor->size) {
        size_t blank = blank_length(cursor, cursor->at);
        if (blank == 0) return;
        while (blank--) supi_cursor_skip(cursor);
    }
}

bool supi_cursor_token(supi_cursor* cursor, supi_token* token) {
    skip_blanks(cursor);
    size_t start = cursor->at;
    *token = (supi_token){
        .text = (const char*)cursor->bytes + start, .line = cursor->line, .column = cursor->column};
    if (cursor->comment && supi_cursor_peek(cursor) == cursor->comment) return false;
    while (cursor->at < cursor->size && !blank_length(cursor, cursor->at) &&
           !newline_length(cursor, cursor->at)) {
        supi_cursor_skip(cursor);
    }
    token->size = cursor->at - start;
    return token->size > 0;
}

bool supi_cursor_next_line(supi_cursor* cursor) {
    while (cursor->at < cursor->size) {
        bool last = cursor->bytes[cursor->at] == '\n';
        supi_cursor_skip(cursor);
        if (last) break;
    }
    return cursor->at < cursor->size;
}

bool supi_cursor_next_word(supi_cursor* cursor) {
    for (;;) {
        skip_blanks(cursor);
        if (cursor->at == cursor->size) return false;
        bool word = newline_length(cursor, cursor->at) == 0 &&
                    !(cursor->comment && cursor->bytes[cursor->at] == cursor->comment);
        if (word) return true;
        if (!supi_cursor_next_line(cursor)) return false;
    }
}

bool supi_token_is(const supi_token* token, const char* word) {
    return token->size == strlen(word) && memcmp(token->text, word, token->size) == 0;
}

sup_result supi_token_float(const supi_token* token, const char* name, float* value,
                            sup_error* error) {
    double number = 0;
    size_t used = 0;
    char quote[SUPI_QUOTE_SIZE];
    supi_number_status status = supi_number_parse(token->text, token->size, &number, &used);
    if (status == SUPI_NUMBER_OVERFLOW || !supi_number_fits_float(number)) {
        return supi_error_at(error, name, token->line, token->column,
                             "%s is beyond the range of a float", supi_token_quote(token, quote));
    }
    if (status == SUPI_NUMBER_MALFORMED || used != token->size) {
        return supi_error_at(error, name, token->line, token->column,
                             "\"%s\" stands where a finite number should",
                             supi_token_quote(token, quote));
    }
    *value = (float)number;
    return SUP_OK;
}

size_t supi_utf8_length(const uint8_t* bytes, size_t size) {
    if (size == 0) return 0;
    uint8_t lead = bytes[0];
    if (lead < 0x80) return 1;
    size_t length = lead < 0xE0 ? 2 : lead < 0xF0 ? 3 : 4;
    if (lead < 0xC2 || lead > 0xF4 || length > size) return 0;
    for (size_t i = 1; i < length; i++) {
        if ((bytes[i] & 0xC0) != 0x80) return 0;
    }
    /* Longer than needed, a surrogate, or beyond U+10FFFF: all show in the second byte. */
    uint8_t second = bytes[1];
    bool wrong = (lead == 0xE0 && second < 0xA0) || (lead == 0xED && second > 0x9F) ||
                 (lead == 0xF0 && second < 0x90) || (lead == 0xF4 && second > 0x8F);
    return wrong ? 0 : length;
}

const char* supi_text_quote(const char* text, size_t size, char quote[SUPI_QUOTE_SIZE]) {
    const uint8_t* bytes = (const uint8_t*)text;
    size_t from = 0, to = 0;
    while (from < size) {
        size_t length = supi_utf8_length(bytes + from, size - from);
        bool printable = length > 1 || (length == 1 && bytes[from] >= 0x20 && bytes[from] != 0x7F);
        if (length == 0) length = 1;
        if (to + length + sizeof "..." > SUPI_QUOTE_SIZE) {
            memcpy(quote + to, "...", 3);
            to += 3;
            break;
        }
        if (printable) {
            memcpy(quote + to, bytes + from, length);
            to += length;
        } else {
            quote[to++] = '?';
        }
        from += length;
    }
    quote[to] = 0;
    return quote;
}

const char* supi_token_quote(const supi_token* token, char quote[SUPI_QUOTE_SIZE]) {
    return supi_text_quote(token->text, token->size, quote);
}

supi_token supi_cursor_word(supi_cursor* cursor) {
    supi_token token;
    supi_cursor_next_word(cursor);
    supi_cursor_token(cursor, &token);
    return token;
}

sup_result supi_token_refuse(const supi_token* token, const char* name, const char* wanted,
                             sup_error* error) {
    char quote[SUPI_QUOTE_SIZE];
    bool end = token->size == 0;
    return supi_error_at(
        error, name, token->line, token->column, "%s%s%s stands where %s should", end ? "" : "\"",
        end ? "the end of the file" : supi_token_quote(token, quote), end ? "" : "\"", wanted);
}

sup_result supi_token_integer(const supi_token* token, const char* name, const char* what,
                              int64_t low, int64_t high, int64_t* value, sup_error* error) {
    size_t used;
    int64_t number;
    if (token->size == 0 || !supi_number_parse_integer(token->text, token->size, &number, &used) ||
        used != token->size) {
        return supi_token_refuse(token, name, what, error);
    }
    if (number < low || number > high) {
        return supi_error_at(error, name, token->line, token->column,
                             "%s is %lld, it must be from %lld to %lld", what, (long long)number,
                             (long long)low, (long long)high);
    }
    *value = number;
    return SUP_OK;
}
