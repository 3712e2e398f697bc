/* Strict JSON (RFC 8259) into a tree in one arena-like block; every value remembers its line and
   column (both from 1, columns count code points). */
#ifndef SUPPLE_FILE_JSON_H
#define SUPPLE_FILE_JSON_H

#include "supple/base.h"

#define SUPI_JSON_DEPTH 64

typedef enum supi_json_kind {
    SUPI_JSON_NULL,
    SUPI_JSON_BOOL,
    SUPI_JSON_NUMBER,
    SUPI_JSON_STRING,
    SUPI_JSON_ARRAY,
    SUPI_JSON_OBJECT
} supi_json_kind;

/* Children of arrays and objects are linked by `next`. Strings are UTF-8, unescaped,
   zero-terminated, without inner zeros. */
typedef struct supi_json {
    supi_json_kind kind;
    int32_t line, column;         /* of the value */
    int32_t key_line, key_column; /* of its key, in an object */
    const char* key;              /* NULL outside objects */
    const struct supi_json* first;
    const struct supi_json* next;
    int32_t child_count;
    bool boolean;
    double number;
    const char* text;
} supi_json;

typedef struct supi_json_document {
    const sup_allocator* allocator;
    const char* name;  /* for messages; copied */
    supi_json* values; /* in the order of the file: parents before children (value_count) */
    char* strings;
    int32_t value_count, value_capacity;
    size_t string_used, string_capacity;
    const supi_json* root;
} supi_json_document;

/* Refuses with file:line:column: anything but one value and blanks, duplicate keys, NaN and
   Infinity, numbers beyond double, invalid UTF-8, unpaired surrogates, control characters, nesting
   deeper than SUPI_JSON_DEPTH, a byte-order mark. Memory stays below 64 times `size` + 1 MiB. A
   refusal leaves *out as it was. */
sup_result supi_json_parse(const sup_allocator* allocator, const char* name, const uint8_t* bytes,
                           size_t size, supi_json_document* out, sup_error* error);
void supi_json_free(supi_json_document* document);

/* The child of an object with that key, or NULL. */
const supi_json* supi_json_find(const supi_json* object, const char* key);

#endif
