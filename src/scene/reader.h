/* Tables that say what an object of a scene file may hold, and the one reader that obeys them. A
   table carries the keys, types, ranges and defaults, so that no check is written twice and every
   message has its place. */
#ifndef SUPPLE_SCENE_READER_H
#define SUPPLE_SCENE_READER_H

#include "base/arena.h"
#include "file/json.h"

/* What a value becomes in its struct. */
typedef enum supi_field_kind {
    SUPI_FIELD_NUMBER,  /* double, or double[count] */
    SUPI_FIELD_INTEGER, /* int32_t, or int32_t[count] */
    SUPI_FIELD_BOOL,    /* bool */
    SUPI_FIELD_TEXT,    /* const char*, never empty, kept in the store */
    SUPI_FIELD_WORD,    /* int32_t, the index in `words` */
    SUPI_FIELD_COLOUR,  /* double[3], linear RGB, from "#rrggbb" */
    SUPI_FIELD_OBJECT,  /* a struct, by `table` */
    SUPI_FIELD_CHOICE,  /* a struct, by one of `choices` */
    SUPI_FIELD_LIST,    /* supi_list of structs, by `table` or `choices` */
    SUPI_FIELD_NUMBERS, /* supi_list of int32_t */
    SUPI_FIELD_ROWS,    /* supi_rows: rows of numbers, all of one length */
    SUPI_FIELD_SETS,    /* supi_sets: lists of whole numbers, each of its own length */
    SUPI_FIELD_ANY      /* const supi_json*: looked at later */
} supi_field_kind;

enum {
    SUPI_REQUIRED = 1,
    SUPI_ABOVE = 2,       /* the lower bound itself is refused */
    SUPI_SPREAD = 4,      /* one number may stand for all of the row */
    SUPI_ALTERNATIVE = 8, /* exactly one of the fields marked so must be given */
    SUPI_EXCLUSIVE = 16,  /* at most one of the fields marked so may be given */
    SUPI_BYTE = 64,       /* word: the index is a uint8_t */
    SUPI_APART = 32 /* object, choice: the struct lies in the store and the field points to it;
                       NULL: it is not given */
};

/* Lists hold at most this many items: more is a mistake or an attack. */
#define SUPI_LIST_LIMIT 20000

typedef struct supi_list {
    int32_t count;
    void* items;
} supi_list;

typedef struct supi_rows {
    int32_t row_count, column_count;
    double* values; /* row by row */
} supi_rows;

/* Set i holds members[starts[i]] .. members[starts[i + 1] - 1]. */
typedef struct supi_sets {
    int32_t count;
    int32_t* starts; /* (count + 1) */
    int32_t* members;
} supi_sets;

typedef struct supi_table supi_table;
typedef struct supi_choice supi_choice;

typedef struct supi_field {
    const char* key;
    supi_field_kind kind;
    int32_t flags;
    int32_t count;            /* numbers in a row; 1: a bare number */
    size_t offset;            /* in the struct */
    double low, high;         /* of numbers */
    const char* const* words; /* NULL at the end */
    const supi_table* table;
    const supi_choice* choices; /* name = NULL at the end */
} supi_field;

/* A struct that a table fills begins with `const supi_json* place`: where it stands in the file,
 * NULL if it does not. */
struct supi_table {
    const char* what; /* for messages: "a material" */
    const void* defaults;
    size_t size;
    const supi_field* fields; /* key = NULL at the end */
};

/* One kind of a thing that comes in kinds: {"sphere": {...}}, or just "sphere" when nothing in it
 * is required. */
struct supi_choice {
    const char* name;
    const supi_table* table;
};

typedef struct supi_reader {
    const char* name; /* of the file, for messages */
    supi_arena* store;
    sup_error* error;
} supi_reader;

/* Fills `target` (table->size bytes) with defaults, then with what the object says. */
sup_result supi_reader_object(const supi_reader* reader, const supi_json* value,
                              const supi_table* table, void* target);

/* name:line:column: and the message; returns SUP_BAD_FILE. */
sup_result supi_reader_fail(const supi_reader* reader, const supi_json* place, const char* format,
                            ...) __attribute__((format(printf, 3, 4)));
/* Puts the place in the scene before an error that came from elsewhere (a mesh file, the engine);
 * keeps its code. */
sup_result supi_reader_wrap(const supi_reader* reader, const supi_json* place,
                            const sup_error* cause);
sup_result supi_reader_memory(const supi_reader* reader);

/* The value under `key` if `place` is an object that has it, else `place`: where to point with a
 * message. */
const supi_json* supi_reader_place(const supi_json* place, const char* key);

/* A copy of the first `length` bytes of a text, zero-terminated; NULL when memory is short. */
char* supi_reader_keep(supi_arena* store, const char* text, size_t length);

/* Linear red, green, blue of "#rrggbb"; false when it is not that. */
bool supi_colour_parse(const char* text, double linear[3]);

#endif
