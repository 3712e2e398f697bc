/* A table of names, each with a number. Messages, files and attachments find things by it. */
#ifndef SUPPLE_SCENE_NAMES_H
#define SUPPLE_SCENE_NAMES_H

#include "base/arena.h"

typedef struct supi_name {
    const char* text; /* NULL: a free place */
    int32_t value;    /* not negative */
} supi_name;

typedef struct supi_names {
    supi_arena* store;
    int32_t capacity; /* power of two, more than twice the names that will come */
    supi_name* items;
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
/* The name that a misspelt one was meant to be, or NULL. */
const char* supi_names_near(const supi_names* names, const char* text);

#endif
