/* A recursive descent through JSON. A first look over the bytes bounds the number of values and of
   string bytes, so that the tree needs two blocks of memory and no pointer into it ever moves. */
#include "file/json.h"

#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "base/memory.h"
#include "base/number.h"
#include "base/trie.h"
#include "file/cursor.h"

typedef struct json_parser {
    supi_cursor cursor;
    supi_json_document* document;
    int depth;
    sup_error* error;
} json_parser;

/* --- messages --- */

#define FOUND_SIZE 40

/* Names what stands at the cursor: 'x', a character that cannot be printed, or the end. */
static void describe(const supi_cursor* cursor, char found[FOUND_SIZE]) {
    int byte = supi_cursor_peek(cursor);
    const uint8_t* here = cursor->bytes + cursor->at;
    size_t length = supi_utf8_length(here, supi_cursor_left(cursor));
    if (byte < 0) {
        snprintf(found, FOUND_SIZE, "end of the file");
    } else if (byte < 0x20 || byte == 0x7F) {
        snprintf(found, FOUND_SIZE, "control character 0x%02x", (unsigned)byte);
    } else {
        snprintf(found, FOUND_SIZE, "'%.*s'", (int)length, (const char*)here);
    }
}

/* The byte at the cursor starts no UTF-8 character. */
static bool is_invalid(const supi_cursor* cursor) {
    size_t left = supi_cursor_left(cursor);
    return left > 0 && supi_utf8_length(cursor->bytes + cursor->at, left) == 0;
}

static sup_result refuse_byte(const json_parser* parser) {
    const supi_cursor* cursor = &parser->cursor;
    return supi_error_at(parser->error, cursor->name, cursor->line, cursor->column,
                         "invalid UTF-8 byte 0x%02x", (unsigned)cursor->bytes[cursor->at]);
}

static sup_result unexpected(const json_parser* parser, const char* wanted) {
    const supi_cursor* cursor = &parser->cursor;
    if (is_invalid(cursor)) return refuse_byte(parser);
    char found[FOUND_SIZE];
    describe(cursor, found);
    return supi_error_at(parser->error, cursor->name, cursor->line, cursor->column,
                         "unexpected %s where %s should stand", found, wanted);
}

/* --- small steps --- */

static void skip_blanks(supi_cursor* cursor) {
    int byte = supi_cursor_peek(cursor);
    while (byte == ' ' || byte == '\t' || byte == '\n' || byte == '\r') {
        supi_cursor_skip(cursor);
        byte = supi_cursor_peek(cursor);
    }
}

static bool take(supi_cursor* cursor, int byte) {
    if (supi_cursor_peek(cursor) != byte) return false;
    supi_cursor_skip(cursor);
    return true;
}

static bool is_digit(int byte) { return byte >= '0' && byte <= '9'; }
static bool is_letter(int byte) {
    return (byte >= 'a' && byte <= 'z') || (byte >= 'A' && byte <= 'Z') || byte == '_';
}

/* --- words and numbers --- */

static supi_token take_word(supi_cursor* cursor) {
    supi_token word = {.text = (const char*)cursor->bytes + cursor->at,
                       .line = cursor->line,
                       .column = cursor->column};
    while (is_letter(supi_cursor_peek(cursor))) {
        supi_cursor_skip(cursor);
        word.size++;
    }
    return word;
}

static bool is_non_finite(const supi_token* word) {
    static const char* const names[] = {"NaN", "nan", "NAN", "Infinity", "infinity", "Inf", "inf"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        if (supi_token_is(word, names[i])) return true;
    }
    return false;
}

static sup_result refuse_word(const json_parser* parser, const supi_token* word) {
    char quote[SUPI_QUOTE_SIZE];
    supi_token_quote(word, quote);
    const char* name = parser->cursor.name;
    if (is_non_finite(word)) {
        return supi_error_at(parser->error, name, word->line, word->column,
                             "%s is not allowed: numbers must be finite", quote);
    }
    return supi_error_at(parser->error, name, word->line, word->column,
                         "unknown word \"%s\"; JSON has true, false and null", quote);
}

static sup_result parse_word(json_parser* parser, supi_json* value) {
    supi_token word = take_word(&parser->cursor);
    if (supi_token_is(&word, "null")) {
        value->kind = SUPI_JSON_NULL;
    } else if (supi_token_is(&word, "true") || supi_token_is(&word, "false")) {
        value->kind = SUPI_JSON_BOOL;
        value->boolean = word.text[0] == 't';
    } else {
        return refuse_word(parser, &word);
    }
    return SUP_OK;
}

static sup_result take_digits(json_parser* parser) {
    if (!is_digit(supi_cursor_peek(&parser->cursor))) return unexpected(parser, "a digit");
    while (is_digit(supi_cursor_peek(&parser->cursor))) supi_cursor_skip(&parser->cursor);
    return SUP_OK;
}

/* -? (0 | digits without leading 0) (. digits)? ([eE] [+-]? digits)? */
static sup_result take_number(json_parser* parser) {
    supi_cursor* cursor = &parser->cursor;
    take(cursor, '-');
    if (is_letter(supi_cursor_peek(cursor))) {
        supi_token word = take_word(cursor);
        return refuse_word(parser, &word);
    }
    bool zero = supi_cursor_peek(cursor) == '0';
    int32_t line = cursor->line, column = cursor->column;
    size_t start = cursor->at;
    sup_result result = take_digits(parser);
    if (result != SUP_OK) return result;
    if (zero && cursor->at - start > 1) {
        return supi_error_at(parser->error, cursor->name, line, column,
                             "a number must not have leading zeros");
    }
    if (take(cursor, '.')) result = take_digits(parser);
    if (result != SUP_OK) return result;
    if (take(cursor, 'e') || take(cursor, 'E')) {
        if (!take(cursor, '+')) take(cursor, '-');
        result = take_digits(parser);
    }
    return result;
}

static sup_result parse_number(json_parser* parser, supi_json* value) {
    supi_cursor* cursor = &parser->cursor;
    const char* text = (const char*)cursor->bytes + cursor->at;
    size_t start = cursor->at, used = 0;
    sup_result result = take_number(parser);
    if (result != SUP_OK) return result;
    size_t size = cursor->at - start;
    if (supi_number_parse(text, size, &value->number, &used) != SUPI_NUMBER_OK) {
        char quote[SUPI_QUOTE_SIZE];
        return supi_error_at(parser->error, cursor->name, value->line, value->column,
                             "%s is beyond the range of a double",
                             supi_text_quote(text, size, quote));
    }
    value->kind = SUPI_JSON_NUMBER;
    return SUP_OK;
}

/* --- strings --- */

static void put_byte(supi_json_document* document, uint32_t byte) {
    document->strings[document->string_used++] = (char)byte;
}

static void put_code_point(supi_json_document* document, uint32_t code) {
    if (code < 0x80) {
        put_byte(document, code);
        return;
    }
    if (code < 0x800) {
        put_byte(document, 0xC0 | code >> 6);
    } else {
        if (code < 0x10000) {
            put_byte(document, 0xE0 | code >> 12);
        } else {
            put_byte(document, 0xF0 | code >> 18);
            put_byte(document, 0x80 | (code >> 12 & 0x3F));
        }
        put_byte(document, 0x80 | (code >> 6 & 0x3F));
    }
    put_byte(document, 0x80 | (code & 0x3F));
}

/* Four hexadecimal digits; false when there are fewer. */
static bool take_hex(supi_cursor* cursor, uint32_t* code) {
    *code = 0;
    for (int i = 0; i < 4; i++) {
        int byte = supi_cursor_peek(cursor), digit;
        if (is_digit(byte)) {
            digit = byte - '0';
        } else if (byte >= 'a' && byte <= 'f') {
            digit = byte - 'a' + 10;
        } else if (byte >= 'A' && byte <= 'F') {
            digit = byte - 'A' + 10;
        } else {
            return false;
        }
        *code = *code << 4 | (uint32_t)digit;
        supi_cursor_skip(cursor);
    }
    return true;
}

/* After \u. A code point beyond U+FFFF is written as two halves, the first in D800..DBFF. */
static sup_result take_unicode(json_parser* parser, const supi_cursor* start, uint32_t* code) {
    supi_cursor* cursor = &parser->cursor;
    uint32_t low = 0;
    const char* wrong = NULL;
    if (!take_hex(cursor, code)) {
        wrong = "\\u needs four hexadecimal digits";
    } else if (*code == 0) {
        wrong = "\\u0000 is not allowed in a string";
    } else if (*code >= 0xD800 && *code <= 0xDFFF) {
        bool paired = *code < 0xDC00 && take(cursor, '\\') && take(cursor, 'u') &&
                      take_hex(cursor, &low) && low >= 0xDC00 && low <= 0xDFFF;
        if (!paired) wrong = "unpaired surrogate";
        *code = 0x10000 + ((*code & 0x3FF) << 10 | (low & 0x3FF));
    }
    if (!wrong) return SUP_OK;
    return supi_error_at(parser->error, cursor->name, start->line, start->column, "%s", wrong);
}

static sup_result parse_escape(json_parser* parser) {
    static const char letters[] = "\"\\/bfnrt", meanings[] = "\"\\/\b\f\n\r\t";
    supi_cursor* cursor = &parser->cursor;
    supi_cursor start = *cursor;
    supi_cursor_skip(cursor);
    if (take(cursor, 'u')) {
        uint32_t code;
        sup_result result = take_unicode(parser, &start, &code);
        if (result == SUP_OK) put_code_point(parser->document, code);
        return result;
    }
    int byte = supi_cursor_peek(cursor);
    const char* letter = byte > 0 ? strchr(letters, byte) : NULL;
    if (!letter) return unexpected(parser, "one of \" \\ / b f n r t u");
    put_byte(parser->document, (uint8_t)meanings[letter - letters]);
    supi_cursor_skip(cursor);
    return SUP_OK;
}

/* One character of a string as it stands. */
static sup_result parse_character(json_parser* parser) {
    supi_cursor* cursor = &parser->cursor;
    int byte = supi_cursor_peek(cursor);
    if (byte < 0x20) {
        return supi_error_at(parser->error, cursor->name, cursor->line, cursor->column,
                             "control character 0x%02x must be escaped in a string",
                             (unsigned)byte);
    }
    if (is_invalid(cursor)) return refuse_byte(parser);
    size_t length = supi_utf8_length(cursor->bytes + cursor->at, supi_cursor_left(cursor));
    while (length--) {
        put_byte(parser->document, cursor->bytes[cursor->at]);
        supi_cursor_skip(cursor);
    }
    return SUP_OK;
}

static sup_result parse_string(json_parser* parser, const char** text) {
    supi_cursor* cursor = &parser->cursor;
    supi_cursor start = *cursor;
    *text = parser->document->strings + parser->document->string_used;
    supi_cursor_skip(cursor);
    while (!take(cursor, '"')) {
        int byte = supi_cursor_peek(cursor);
        if (byte < 0 || byte == '\n') {
            return supi_error_at(parser->error, cursor->name, start.line, start.column,
                                 "the string that starts here does not end on its line");
        }
        sup_result result = byte == '\\' ? parse_escape(parser) : parse_character(parser);
        if (result != SUP_OK) return result;
    }
    put_byte(parser->document, 0);
    return SUP_OK;
}

/* --- the tree --- */

static sup_result parse_value(json_parser* parser, supi_json** out);

/* "key" : value */
static sup_result parse_member(json_parser* parser, supi_json** out) {
    supi_cursor* cursor = &parser->cursor;
    supi_cursor start = *cursor;
    const char* key;
    if (supi_cursor_peek(cursor) != '"') return unexpected(parser, "a key in quotes");
    sup_result result = parse_string(parser, &key);
    if (result != SUP_OK) return result;
    skip_blanks(cursor);
    if (!take(cursor, ':')) return unexpected(parser, "':'");
    result = parse_value(parser, out);
    if (result != SUP_OK) return result;
    (*out)->key = key;
    (*out)->key_line = start.line;
    (*out)->key_column = start.column;
    return SUP_OK;
}

/* An array or an object: they differ in their brackets and in what stands between the commas. */
static sup_result parse_container(json_parser* parser, supi_json* value) {
    supi_cursor* cursor = &parser->cursor;
    bool object = supi_cursor_peek(cursor) == '{';
    char close = object ? '}' : ']';
    value->kind = object ? SUPI_JSON_OBJECT : SUPI_JSON_ARRAY;
    if (parser->depth == SUPI_JSON_DEPTH) {
        return supi_error_at(parser->error, cursor->name, cursor->line, cursor->column,
                             "nested deeper than %d", SUPI_JSON_DEPTH);
    }
    parser->depth++;
    supi_cursor_skip(cursor);
    skip_blanks(cursor);
    const supi_json** link = &value->first;
    bool more = !take(cursor, close);
    while (more) {
        supi_json* child = NULL;
        skip_blanks(cursor);
        sup_result result = object ? parse_member(parser, &child) : parse_value(parser, &child);
        if (result != SUP_OK) return result;
        *link = child;
        link = &child->next;
        value->child_count++;
        skip_blanks(cursor);
        more = take(cursor, ',');
        if (!more && !take(cursor, close)) {
            return unexpected(parser, object ? "',' or '}'" : "',' or ']'");
        }
    }
    parser->depth--;
    return SUP_OK;
}

static sup_result parse_value(json_parser* parser, supi_json** out) {
    supi_cursor* cursor = &parser->cursor;
    skip_blanks(cursor);
    supi_json* value = &parser->document->values[parser->document->value_count++];
    value->line = cursor->line;
    value->column = cursor->column;
    *out = value;
    int byte = supi_cursor_peek(cursor);
    if (byte == '{' || byte == '[') return parse_container(parser, value);
    if (byte == '-' || is_digit(byte)) return parse_number(parser, value);
    if (is_letter(byte)) return parse_word(parser, value);
    if (byte != '"') return unexpected(parser, "a value");
    value->kind = SUPI_JSON_STRING;
    return parse_string(parser, &value->text);
}

/* --- keys --- */

/* `keys` has room for those of the object. */
static sup_result check_object(const supi_json_document* document, const supi_json* object,
                               supi_trie* keys, sup_error* error) {
    keys->count = 0;
    for (const supi_json* child = object->first; child; child = child->next) {
        int32_t count = keys->count, number = supi_trie_add(keys, child->key);
        if (number == count) continue;
        const supi_json* before = object->first;
        while (number--) before = before->next;
        char quote[SUPI_QUOTE_SIZE];
        return supi_error_at(error, document->name, child->key_line, child->key_column,
                             "the key \"%s\" stands already in line %d",
                             supi_text_quote(child->key, strlen(child->key), quote),
                             (int)before->key_line);
    }
    return SUP_OK;
}

/* Refuses a key that its object had before. */
static sup_result check_keys(const supi_json_document* document, sup_error* error) {
    int32_t largest = 0;
    for (int32_t i = 0; i < document->value_count; i++) {
        const supi_json* value = &document->values[i];
        if (value->kind != SUPI_JSON_OBJECT) continue;
        largest = largest > value->child_count ? largest : value->child_count;
    }
    if (largest < 2) return SUP_OK;
    size_t room = (size_t)largest;
    supi_trie keys = {.nodes = supi_memory_new(document->allocator, room, sizeof *keys.nodes)};
    if (!keys.nodes) return supi_error_memory(error);
    sup_result result = SUP_OK;
    for (int32_t i = 0; i < document->value_count && result == SUP_OK; i++) {
        const supi_json* value = &document->values[i];
        if (value->kind == SUPI_JSON_OBJECT) result = check_object(document, value, &keys, error);
    }
    supi_memory_free(document->allocator, keys.nodes, room, sizeof *keys.nodes);
    return result;
}

/* --- the document --- */

/* Bounds what the tree can need. Each value but the root follows its own bracket or comma. Also, a
   value and the comma or closing bracket that goes with it take two bytes, unless its brackets stay
   open; so no noise asks for more than 36 times its size. A string is never longer than in the
   file, and its zero replaces a quote. */
static void measure(supi_json_document* document, const uint8_t* bytes, size_t size) {
    size_t values = 1, in_strings = 0;
    bool inside = false;
    for (size_t i = 0; i < size; i++) {
        if (bytes[i] == '"') {
            inside = !inside;
            in_strings++;
        } else if (inside) {
            in_strings++;
            if (bytes[i] == '\\') {
                in_strings++;
                i++;
            }
        } else if (bytes[i] == ',' || bytes[i] == '[' || bytes[i] == '{') {
            values++;
        }
    }
    size_t most = size / 2 + 1 + SUPI_JSON_DEPTH;
    document->value_capacity = (int32_t)(values < most ? values : most);
    document->string_capacity = in_strings + 1;
}

static sup_result allocate(supi_json_document* document, const char* name) {
    const sup_allocator* allocator = document->allocator;
    size_t name_size = strlen(name) + 1;
    char* copy = supi_memory_new(allocator, name_size, 1);
    if (copy) memcpy(copy, name, name_size);
    document->name = copy;
    document->values =
        supi_memory_new(allocator, (size_t)document->value_capacity, sizeof *document->values);
    document->strings = supi_memory_new(allocator, document->string_capacity, 1);
    return copy && document->values && document->strings ? SUP_OK : SUP_NO_MEMORY;
}

sup_result supi_json_parse(const sup_allocator* allocator, const char* name, const uint8_t* bytes,
                           size_t size, supi_json_document* out, sup_error* error) {
    supi_json_document document = {.allocator = allocator};
    json_parser parser = {.document = &document, .error = error};
    sup_result result = supi_cursor_begin(&parser.cursor, name, bytes, size, error);
    if (result != SUP_OK) return result;
    measure(&document, bytes, size);
    if (allocate(&document, name) != SUP_OK) {
        supi_json_free(&document);
        return supi_error_memory(error);
    }
    supi_json* root = NULL;
    result = parse_value(&parser, &root);
    document.root = root;
    if (result == SUP_OK) {
        skip_blanks(&parser.cursor);
        if (supi_cursor_left(&parser.cursor)) result = unexpected(&parser, "the end of the file");
    }
    if (result == SUP_OK) result = check_keys(&document, error);
    if (result == SUP_OK) {
        *out = document;
    } else {
        supi_json_free(&document);
    }
    return result;
}

void supi_json_free(supi_json_document* document) {
    const sup_allocator* allocator = document->allocator;
    char* name = (char*)document->name;
    if (name) supi_memory_free(allocator, name, strlen(name) + 1, 1);
    supi_memory_free(allocator, document->values, (size_t)document->value_capacity,
                     sizeof *document->values);
    supi_memory_free(allocator, document->strings, document->string_capacity, 1);
    *document = (supi_json_document){0};
}

const supi_json* supi_json_find(const supi_json* object, const char* key) {
    if (object->kind != SUPI_JSON_OBJECT) return NULL;
    for (const supi_json* child = object->first; child; child = child->next) {
        if (strcmp(child->key, key) == 0) return child;
    }
    return NULL;
}
