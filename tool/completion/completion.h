/* Completion scripts for shells, made from the tables of the verbs. */
#ifndef SUPPLE_TOOL_COMPLETION_COMPLETION_H
#define SUPPLE_TOOL_COMPLETION_COMPLETION_H

#include "commands.h"

typedef enum hint_kind {
    HINT_NOTHING, /* a number, a name: nobody can guess */
    HINT_WORDS,   /* one of the list */
    HINT_ENDINGS, /* a file with one of the endings in the list, without their dots */
    HINT_FILES    /* any file */
} hint_kind;

/* What may stand in a place of the command line. */
typedef struct hint {
    hint_kind kind;
    char list[200]; /* with a blank between two */
} hint;

hint hint_of_value(const option* o);
/* Of all operands together. */
hint hint_of_operand(const tool_command* command);

void completion_bash(void);
void completion_zsh(void);
void completion_fish(void);

#endif
