/* A set of texts, each with its number: a trie over their bits (Morrison 1968, PATRICIA). To find a
   text takes as many steps as it has bits at most, whatever the others are; a hash table could be
   led to collide. */
#ifndef SUPPLE_BASE_TRIE_H
#define SUPPLE_BASE_TRIE_H

#include <stdint.h>

/* A text and the bit where it parted from those that came before it. */
typedef struct supi_trie_node {
    const char* text;
    int64_t bit;
    int32_t children[2]; /* where that bit is 0, and where it is 1 */
} supi_trie_node;

typedef struct supi_trie {
    int32_t count;
    supi_trie_node* nodes; /* in the order in which the texts came; the owner makes room */
} supi_trie;

/* The number of a text, or -1. */
int32_t supi_trie_find(const supi_trie* trie, const char* text);
/* The same, but a text that is not there gets the next number, `count` before the call. Keeps the
   pointer. */
int32_t supi_trie_add(supi_trie* trie, const char* text);

#endif
