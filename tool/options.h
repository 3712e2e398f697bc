/* Command lines from tables: one table per verb gives parsing, checks and --help alike. */
#ifndef SUPPLE_TOOL_OPTIONS_H
#define SUPPLE_TOOL_OPTIONS_H

#include "tool.h"

typedef enum option_kind {
    OPTION_FLAG,    /* bool */
    OPTION_INTEGER, /* int32_t, low..high */
    OPTION_TEXT,    /* const char*, NULL before: given once at most */
    OPTION_TEXTS,   /* option_texts: may be given again */
    OPTION_WORD     /* int32_t, the index in `words` */
} option_kind;

#define OPTION_TEXTS_LIMIT 16
typedef struct option_texts {
    int32_t count;
    const char* items[OPTION_TEXTS_LIMIT];
} option_texts;

typedef struct option {
    const char* name;  /* without the dashes; NULL at the end of a table */
    char letter;       /* short form, 0: none */
    const char* value; /* what its value is called in the help; NULL for flags */
    option_kind kind;
    size_t offset; /* in the verb's struct */
    int32_t low, high;
    const char* const* words; /* NULL at the end */
    const char* help;
} option;

/* The option that every verb understands; it stands in none of their tables. */
extern const option option_help;

typedef struct tool_command {
    const char* name;
    const char* operand; /* the things it works on, a word each: "SCENE", "A B", "" */
    const char* summary; /* one line */
    const char* details; /* for its own --help */
    const option* options;
    tool_exit (*run)(const struct tool_command* command, int count, char** words);
} tool_command;

/* Fills `target`, which holds the defaults, and `operands`, one for each word of command->operand.
   True: go on; false: end with *code (help was asked for, or the line is wrong and that has been
   said). */
bool options_parse(const tool_command* command, int count, char** words, void* target,
                   const char** operands, tool_exit* code);
/* The lines of --help about a table, and about --help itself. */
void options_print(const option* table);
/* "640x360", the value of --name: two whole numbers from low to high. `form` shows what they are,
   "WxH". A failure has been said. */
tool_exit options_parse_pair(const char* name, const char* form, const char* text, int32_t low,
                             int32_t high, int32_t* first, int32_t* second);
/* The number that is the value of --name, from low to high; a NULL text leaves the default. A
   failure has been said. */
tool_exit options_parse_real(const char* name, const char* text, double low, double high,
                             double* value);
/* The word of the list that was probably meant, or NULL. */
const char* options_nearest(const char* word, const char* (*at)(const void* list, int index),
                            const void* list);

#endif
