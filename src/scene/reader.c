/* See reader.h: values checked against their tables. */
#include "scene/reader.h"

#include "base/error.h"
#include "base/number.h"
#include "scene/near.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

static sup_result read_field(const supi_reader* reader, const supi_json* value,
                             const supi_field* field, void* target);

/* ---- messages ---- */

sup_result supi_reader_fail(const supi_reader* reader, const supi_json* place, const char* format,
                            ...) {
    char text[400];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    return supi_error_at(reader->error, reader->name, place->line, place->column, "%s", text);
}

sup_result supi_reader_wrap(const supi_reader* reader, const supi_json* place,
                            const sup_error* cause) {
    supi_reader_fail(reader, place, "%s", cause->text);
    if (reader->error) reader->error->code = cause->code;
    return cause->code;
}

sup_result supi_reader_memory(const supi_reader* reader) {
    return supi_error_memory(reader->error);
}

const supi_json* supi_reader_place(const supi_json* place, const char* key) {
    const supi_json* child = place->kind == SUPI_JSON_OBJECT ? supi_json_find(place, key) : NULL;
    return child ? child : place;
}

char* supi_reader_keep(supi_arena* store, const char* text, size_t length) {
    char* copy = supi_arena_push(store, length + 1, 1);
    if (copy) memcpy(copy, text, length);
    return copy;
}

static const char* kind_name(const supi_json* value) {
    switch (value->kind) {
    case SUPI_JSON_NULL: return "null";
    case SUPI_JSON_BOOL: return value->boolean ? "true" : "false";
    case SUPI_JSON_NUMBER: return "a number";
    case SUPI_JSON_STRING: return "a string";
    case SUPI_JSON_ARRAY: return "an array";
    case SUPI_JSON_OBJECT: return "an object";
    }
    return "something else";
}

static sup_result wrong_type(const supi_reader* reader, const supi_json* value, const char* key,
                             const char* wanted) {
    return supi_reader_fail(reader, value, "\"%s\" must be %s, not %s", key, wanted,
                            kind_name(value));
}

/* Adds a word to a list in words: "a", "b"; what does not fit any more becomes dots. */
static void list_word(char* list, size_t size, const char* word) {
    size_t used = strlen(list);
    bool full = used + strlen(word) + sizeof "\"\", , ..." > size;
    if (!full) {
        snprintf(list + used, size - used, "%s\"%s\"", used ? ", " : "", word);
    } else if (used < 3 || strcmp(list + used - 3, "...") != 0) {
        snprintf(list + used, size - used, ", ...");
    }
}

/* Known words, in whichever of three lists they stand. */
typedef struct word_list {
    const supi_field* fields;
    const supi_choice* choices;
    const char* const* words;
} word_list;

static const char* word_at(const word_list* list, int32_t i) {
    if (list->fields) return list->fields[i].key;
    return list->choices ? list->choices[i].name : list->words[i];
}

/* The end of a message about an unknown word: what was meant, or all that there is. */
static void suggest(const word_list* list, const char* word, char* text, size_t size) {
    const char* nearest = NULL;
    int32_t best = supi_near_limit(word);
    char all[300] = "";
    for (int32_t i = 0; word_at(list, i); i++) {
        int32_t distance = supi_near_distance(word, word_at(list, i));
        if (distance < best || (distance == best && !nearest)) {
            best = distance;
            nearest = word_at(list, i);
        }
        list_word(all, sizeof all, word_at(list, i));
    }
    if (nearest) {
        snprintf(text, size, "did you mean \"%s\"?", nearest);
    } else {
        snprintf(text, size, "known: %s", all);
    }
}

/* ---- simple values ---- */

static sup_result out_of_range(const supi_reader* reader, const supi_json* value,
                               const supi_field* field) {
    char low[32], high[32], given[32];
    supi_number_write(field->low, low);
    supi_number_write(field->high, high);
    supi_number_write(value->number, given);
    if (field->low == field->high) {
        return supi_reader_fail(reader, value, "\"%s\" must be %s, not %s", field->key, low, given);
    }
    if (!(field->flags & SUPI_ABOVE)) {
        return supi_reader_fail(reader, value, "\"%s\" must be from %s to %s, not %s", field->key,
                                low, high, given);
    }
    return supi_reader_fail(reader, value, "\"%s\" must be above %s and at most %s, not %s",
                            field->key, low, high, given);
}

/* One number of a row, checked and stored at its index. */
static sup_result read_number(const supi_reader* reader, const supi_json* value,
                              const supi_field* field, int32_t index, uint8_t* at) {
    bool integer = field->kind == SUPI_FIELD_INTEGER || field->kind == SUPI_FIELD_NUMBERS ||
                   field->kind == SUPI_FIELD_SETS;
    if (value->kind != SUPI_JSON_NUMBER) {
        return wrong_type(reader, value, field->key, integer ? "a whole number" : "a number");
    }
    double number = value->number;
    bool low = field->flags & SUPI_ABOVE ? number > field->low : number >= field->low;
    if (!low || !(number <= field->high)) return out_of_range(reader, value, field);
    if (!integer) {
        memcpy(at + (size_t)index * sizeof number, &number, sizeof number);
        return SUP_OK;
    }
    if (floor(number) != number) {
        char given[32];
        supi_number_write(number, given);
        return supi_reader_fail(reader, value, "\"%s\" must be a whole number, not %s", field->key,
                                given);
    }
    int32_t whole = (int32_t)number;
    memcpy(at + (size_t)index * sizeof whole, &whole, sizeof whole);
    return SUP_OK;
}

static sup_result read_row(const supi_reader* reader, const supi_json* value,
                           const supi_field* field, uint8_t* at) {
    if (field->count == 1) return read_number(reader, value, field, 0, at);
    bool spread = field->flags & SUPI_SPREAD && value->kind == SUPI_JSON_NUMBER;
    if (!spread && (value->kind != SUPI_JSON_ARRAY || value->child_count != field->count)) {
        return supi_reader_fail(reader, value, "\"%s\" must be %san array of %d numbers",
                                field->key, field->flags & SUPI_SPREAD ? "a number or " : "",
                                (int)field->count);
    }
    const supi_json* item = spread ? value : value->first;
    for (int32_t i = 0; i < field->count; i++) {
        sup_result result = read_number(reader, item, field, i, at);
        if (result != SUP_OK) return result;
        if (!spread) item = item->next;
    }
    return SUP_OK;
}

static sup_result read_text(const supi_reader* reader, const supi_json* value,
                            const supi_field* field, uint8_t* at) {
    if (value->kind != SUPI_JSON_STRING) return wrong_type(reader, value, field->key, "a string");
    if (!*value->text) return supi_reader_fail(reader, value, "\"%s\" is empty", field->key);
    const char* copy = supi_reader_keep(reader->store, value->text, strlen(value->text));
    if (!copy) return supi_reader_memory(reader);
    memcpy(at, &copy, sizeof copy);
    return SUP_OK;
}

static sup_result read_word(const supi_reader* reader, const supi_json* value,
                            const supi_field* field, uint8_t* at) {
    if (value->kind != SUPI_JSON_STRING) return wrong_type(reader, value, field->key, "a string");
    for (int32_t i = 0; field->words[i]; i++) {
        if (strcmp(field->words[i], value->text) == 0) {
            if (field->flags & SUPI_BYTE) {
                *at = (uint8_t)i;
            } else {
                memcpy(at, &i, sizeof i);
            }
            return SUP_OK;
        }
    }
    char hint[320];
    suggest(&(word_list){.words = field->words}, value->text, hint, sizeof hint);
    return supi_reader_fail(reader, value, "\"%s\" cannot be \"%.60s\"; %s", field->key,
                            value->text, hint);
}

static sup_result read_colour(const supi_reader* reader, const supi_json* value,
                              const supi_field* field, uint8_t* at) {
    double linear[3];
    if (value->kind != SUPI_JSON_STRING || !supi_colour_parse(value->text, linear)) {
        return supi_reader_fail(reader, value, "\"%s\" must be a colour like \"#e07a2f\"",
                                field->key);
    }
    memcpy(at, linear, sizeof linear);
    return SUP_OK;
}

/* ---- structs ---- */

static const supi_field* find_field(const supi_table* table, const char* key) {
    const supi_field* field = table->fields;
    while (field->key && strcmp(field->key, key) != 0) field++;
    return field->key ? field : NULL;
}

/* `owner`: what has such a key; NULL: nothing that it could be mistaken for. */
static sup_result unknown_key(const supi_reader* reader, const supi_json* child,
                              const supi_table* table, const supi_table* owner) {
    char hint[320];
    suggest(&(word_list){.fields = table->fields}, child->key, hint, sizeof hint);
    supi_json place = {.line = child->key_line, .column = child->key_column};
    return supi_reader_fail(reader, &place, "unknown key \"%.60s\" in %s%s%s; %s", child->key,
                            table->what, owner ? ": it belongs to " : "", owner ? owner->what : "",
                            table->fields->key ? hint : "it has none");
}

static sup_result check_required(const supi_reader* reader, const supi_json* value,
                                 const supi_table* table) {
    for (const supi_field* field = table->fields; field->key; field++) {
        bool given = value->kind == SUPI_JSON_OBJECT && supi_json_find(value, field->key);
        if (field->flags & SUPI_REQUIRED && !given) {
            return supi_reader_fail(reader, value, "%s needs \"%s\"", table->what, field->key);
        }
    }
    return SUP_OK;
}

/* Of alternatives one must be given, of fields that exclude each other one may be. */
static sup_result check_alternatives(const supi_reader* reader, const supi_json* value,
                                     const supi_table* table) {
    bool needed = false;
    const supi_json* given = NULL;
    char all[300] = "";
    for (const supi_field* field = table->fields; field->key; field++) {
        if (!(field->flags & (SUPI_ALTERNATIVE | SUPI_EXCLUSIVE))) continue;
        needed = needed || field->flags & SUPI_ALTERNATIVE;
        list_word(all, sizeof all, field->key);
        const supi_json* child = supi_json_find(value, field->key);
        if (child && given) {
            return supi_reader_fail(reader, child, "%s takes \"%s\" or \"%s\", not both",
                                    table->what, given->key, child->key);
        }
        given = child ? child : given;
    }
    if (!needed || given) return SUP_OK;
    return supi_reader_fail(reader, value, "%s needs one of %s", table->what, all);
}

static void set_defaults(const supi_table* table, const supi_json* place, void* target) {
    memcpy(target, table->defaults, table->size);
    memcpy(target, &place, sizeof place);
}

sup_result supi_reader_object(const supi_reader* reader, const supi_json* value,
                              const supi_table* table, void* target) {
    if (value->kind != SUPI_JSON_OBJECT) {
        return supi_reader_fail(reader, value, "%s must be an object, not %s", table->what,
                                kind_name(value));
    }
    set_defaults(table, value, target);
    for (const supi_json* child = value->first; child; child = child->next) {
        const supi_field* field = find_field(table, child->key);
        if (!field) return unknown_key(reader, child, table, NULL);
        sup_result result = read_field(reader, child, field, target);
        if (result != SUP_OK) return result;
    }
    sup_result result = check_required(reader, value, table);
    return result == SUP_OK ? check_alternatives(reader, value, table) : result;
}

static const supi_choice* find_choice(const supi_choice* choices, const char* name) {
    while (choices->name && strcmp(choices->name, name) != 0) choices++;
    return choices->name ? choices : NULL;
}

/* Refuses keys that only another kind of the same thing has. */
static sup_result check_kind(const supi_reader* reader, const supi_json* value,
                             const supi_choice* choices, const supi_choice* own) {
    for (const supi_json* child = value->first; child; child = child->next) {
        if (value->kind != SUPI_JSON_OBJECT || find_field(own->table, child->key)) continue;
        for (const supi_choice* other = choices; other->name; other++) {
            if (find_field(other->table, child->key))
                return unknown_key(reader, child, own->table, other->table);
        }
    }
    return SUP_OK;
}

static sup_result read_choice(const supi_reader* reader, const supi_json* value,
                              const supi_field* field, void* target) {
    bool bare = value->kind == SUPI_JSON_STRING;
    if (!bare && (value->kind != SUPI_JSON_OBJECT || value->child_count != 1)) {
        char all[300] = "";
        for (const supi_choice* c = field->choices; c->name; c++) {
            list_word(all, sizeof all, c->name);
        }
        return supi_reader_fail(reader, value, "\"%s\" must name one of %s", field->key, all);
    }
    const supi_json* inside = bare ? value : value->first;
    const char* name = bare ? value->text : inside->key;
    const supi_choice* choice = find_choice(field->choices, name);
    if (!choice) {
        char hint[320];
        suggest(&(word_list){.choices = field->choices}, name, hint, sizeof hint);
        supi_json place = *value;
        if (!bare) place.line = inside->key_line, place.column = inside->key_column;
        return supi_reader_fail(reader, &place, "%s\"%s\" cannot be \"%.60s\"; %s",
                                field->kind == SUPI_FIELD_LIST ? "an item of " : "", field->key,
                                name, hint);
    }
    if (bare) {
        set_defaults(choice->table, value, target);
        return check_required(reader, value, choice->table);
    }
    sup_result result = check_kind(reader, inside, field->choices, choice);
    return result == SUP_OK ? supi_reader_object(reader, inside, choice->table, target) : result;
}

/* The size of what a choice becomes; all its kinds share one struct. */
static size_t item_size(const supi_field* field) {
    if (field->kind == SUPI_FIELD_NUMBERS) return sizeof(int32_t);
    return field->table ? field->table->size : field->choices->table->size;
}

static sup_result check_list(const supi_reader* reader, const supi_json* value,
                             const supi_field* field) {
    if (value->kind != SUPI_JSON_ARRAY) return wrong_type(reader, value, field->key, "an array");
    if (value->child_count <= SUPI_LIST_LIMIT) return SUP_OK;
    return supi_reader_fail(reader, value, "\"%s\" has %d items; at most %d are allowed",
                            field->key, (int)value->child_count, SUPI_LIST_LIMIT);
}

static sup_result read_list(const supi_reader* reader, const supi_json* value,
                            const supi_field* field, uint8_t* at) {
    sup_result checked = check_list(reader, value, field);
    if (checked != SUP_OK) return checked;
    size_t size = item_size(field);
    supi_list list = {value->child_count, NULL};
    list.items = supi_arena_push(reader->store, (size_t)list.count, size);
    if (!list.items) return supi_reader_memory(reader);
    uint8_t* item = list.items;
    for (const supi_json* child = value->first; child; child = child->next, item += size) {
        sup_result result = field->kind == SUPI_FIELD_NUMBERS
                                ? read_number(reader, child, field, 0, item)
                            : field->table ? supi_reader_object(reader, child, field->table, item)
                                           : read_choice(reader, child, field, item);
        if (result != SUP_OK) return result;
    }
    memcpy(at, &list, sizeof list);
    return SUP_OK;
}

static sup_result read_rows(const supi_reader* reader, const supi_json* value,
                            const supi_field* field, uint8_t* at) {
    sup_result result = check_list(reader, value, field);
    if (result != SUP_OK) return result;
    bool filled = value->first && value->first->kind == SUPI_JSON_ARRAY;
    supi_rows rows = {value->child_count, filled ? value->first->child_count : 0, NULL};
    rows.values = supi_arena_push(reader->store, (size_t)rows.row_count,
                                  (size_t)rows.column_count * sizeof *rows.values);
    if (!rows.values) return supi_reader_memory(reader);
    double* number = rows.values;
    for (const supi_json* row = value->first; row; row = row->next) {
        result = check_list(reader, row, field);
        if (result != SUP_OK) return result;
        if (row->child_count != rows.column_count) {
            return supi_reader_fail(reader, row, "this row of \"%s\" has %d numbers, the first %d",
                                    field->key, (int)row->child_count, (int)rows.column_count);
        }
        for (const supi_json* item = row->first; item; item = item->next, number++) {
            result = read_number(reader, item, field, 0, (uint8_t*)number);
            if (result != SUP_OK) return result;
        }
    }
    memcpy(at, &rows, sizeof rows);
    return SUP_OK;
}

static sup_result read_sets(const supi_reader* reader, const supi_json* value,
                            const supi_field* field, uint8_t* at) {
    sup_result result = check_list(reader, value, field);
    if (result != SUP_OK) return result;
    supi_sets sets = {value->child_count, NULL, NULL};
    int64_t total = 0;
    for (const supi_json* set = value->first; set; set = set->next) {
        result = check_list(reader, set, field);
        if (result != SUP_OK) return result;
        total += set->child_count;
    }
    if (total > INT32_MAX / 4) {
        return supi_reader_fail(reader, value, "\"%s\" holds too many numbers", field->key);
    }
    sets.starts = supi_arena_push(reader->store, (size_t)sets.count + 1, sizeof *sets.starts);
    sets.members = supi_arena_push(reader->store, (size_t)total, sizeof *sets.members);
    if (!sets.starts || !sets.members) return supi_reader_memory(reader);
    int32_t used = 0, *end = sets.starts;
    for (const supi_json* set = value->first; set; set = set->next) {
        for (const supi_json* item = set->first; item; item = item->next) {
            result = read_number(reader, item, field, used++, (uint8_t*)sets.members);
            if (result != SUP_OK) return result;
        }
        *++end = used;
    }
    memcpy(at, &sets, sizeof sets);
    return SUP_OK;
}

/* One struct, in its place or apart. */
static sup_result read_struct(const supi_reader* reader, const supi_json* value,
                              const supi_field* field, void* at) {
    bool choice = field->kind == SUPI_FIELD_CHOICE;
    if (field->flags & SUPI_APART) {
        void* apart = supi_arena_push(reader->store, 1,
                                      (choice ? field->choices->table : field->table)->size);
        if (!apart) return supi_reader_memory(reader);
        memcpy(at, &apart, sizeof apart);
        at = apart;
    }
    return choice ? read_choice(reader, value, field, at)
                  : supi_reader_object(reader, value, field->table, at);
}

static sup_result read_field(const supi_reader* reader, const supi_json* value,
                             const supi_field* field, void* target) {
    uint8_t* at = (uint8_t*)target + field->offset;
    switch (field->kind) {
    case SUPI_FIELD_NUMBER:
    case SUPI_FIELD_INTEGER: return read_row(reader, value, field, at);
    case SUPI_FIELD_BOOL:
        if (value->kind != SUPI_JSON_BOOL) {
            return wrong_type(reader, value, field->key, "true or false");
        }
        memcpy(at, &value->boolean, sizeof value->boolean);
        return SUP_OK;
    case SUPI_FIELD_TEXT: return read_text(reader, value, field, at);
    case SUPI_FIELD_WORD: return read_word(reader, value, field, at);
    case SUPI_FIELD_COLOUR: return read_colour(reader, value, field, at);
    case SUPI_FIELD_OBJECT:
    case SUPI_FIELD_CHOICE: return read_struct(reader, value, field, at);
    case SUPI_FIELD_LIST:
    case SUPI_FIELD_NUMBERS: return read_list(reader, value, field, at);
    case SUPI_FIELD_ROWS: return read_rows(reader, value, field, at);
    case SUPI_FIELD_SETS: return read_sets(reader, value, field, at);
    case SUPI_FIELD_ANY: memcpy(at, &value, sizeof value); return SUP_OK;
    }
    return SUP_OK;
}
