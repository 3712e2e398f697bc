/* A table of names, each with a number. Messages, files and attachments find things by it. */
#ifndef SUPPLE_SCENE_NAMES_H
#define SUPPLE_SCENE_NAMES_H

#include "base/arena.h"
#include "base/trie.h"

typedef struct supi_names {
    supi_arena* store;
    supi_trie texts;
    int32_t* values; /* not negative, by the numbers of the texts */
} supi_names;

/* An empty table for `most` names; false when memory is short. */
bool supi_names_begin(supi_names* names, supi_arena* store, int32_t most);
/* The value of a name, or -1. */
int32_t supi_names_find(const supi_names* names, const char* text);
/* Adds a name that is not there yet; keeps the pointer. */
void supi_names_add(supi_names* names, const char* text, int32_t value);
/* Adds the made-up name stem + joint + number, "ball.3"; where that is taken, "ball.3-2", and so
   on. Returns what was added, kept in the store, and whether it was taken; NULL when memory is
   short. */
const char* supi_names_make(supi_names* names, const char* stem, char joint, int32_t number,
                            int32_t value, bool* taken);
/* The end of a message about an unknown name: which one was meant, "; did you mean "ball"?", or
   nothing. Returns `hint`. */
#define SUPI_HINT_SIZE 96
const char* supi_names_hint(const supi_names* names, const char* text, char hint[SUPI_HINT_SIZE]);

#endif
