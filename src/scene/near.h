/* "Did you mean": the word of a list that a misspelt word comes closest to. */
#ifndef SUPPLE_SCENE_NEAR_H
#define SUPPLE_SCENE_NEAR_H

#include <stdint.h>

/* How many letters must be added, dropped, changed or swapped with their neighbour to make b out of
   a; words of more than 40 letters are far from everything (1000). */
int32_t supi_near_distance(const char* a, const char* b);

/* A word may be this far from another to be taken for a slip of the keys. */
int32_t supi_near_limit(const char* word);

#endif
