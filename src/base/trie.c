/* See trie.h. A link to a node whose bit is not higher than that of the node it leaves ends the
   search there. */
#include "base/trie.h"

#include <stddef.h>
#include <string.h>

/* Bit 0 is 1 in every text; then come the bits of its bytes, highest first, and zeros. */
static int bit_of(const char* text, size_t length, int64_t bit) {
    if (bit == 0) return 1;
    size_t byte = (size_t)(bit - 1) / 8;
    return byte < length ? (uint8_t)text[byte] >> (7 - (bit - 1) % 8) & 1 : 0;
}

/* The first bit in which two texts differ; 0 where they do not. */
static int64_t parting_bit(const char* a, const char* b) {
    size_t byte = 0;
    while (a[byte] == b[byte]) {
        if (a[byte++] == 0) return 0;
    }
    unsigned differs = (unsigned)((uint8_t)a[byte] ^ (uint8_t)b[byte]);
    int64_t bit = 8 * (int64_t)byte + 1;
    for (; !(differs & 0x80); differs <<= 1) bit++;
    return bit;
}

/* Goes down by the bits of the text to a link that ends the search, or to the first node whose bit
   is not below `limit`. *parent is the node before it. There is a node. */
static int32_t descend(const supi_trie* trie, const char* text, size_t length, int64_t limit,
                       int32_t* parent) {
    int32_t at = 0;
    int64_t bit = -1;
    *parent = -1;
    while (trie->nodes[at].bit > bit && trie->nodes[at].bit < limit) {
        bit = trie->nodes[at].bit;
        *parent = at;
        at = trie->nodes[at].children[bit_of(text, length, bit)];
    }
    return at;
}

/* The text that shares most bits with this one. Those that agree with each other beyond its end
   are not it: one of them is as good as all. */
static int32_t closest(const supi_trie* trie, const char* text, size_t length) {
    int32_t parent;
    return descend(trie, text, length, 8 * (int64_t)length + 9, &parent);
}

int32_t supi_trie_find(const supi_trie* trie, const char* text) {
    if (trie->count == 0) return -1;
    int32_t found = closest(trie, text, strlen(text));
    return strcmp(trie->nodes[found].text, text) == 0 ? found : -1;
}

int32_t supi_trie_add(supi_trie* trie, const char* text) {
    int32_t index = trie->count;
    supi_trie_node* node = &trie->nodes[index];
    *node = (supi_trie_node){.text = text, .children = {index, index}};
    if (index > 0) {
        size_t length = strlen(text);
        int32_t near = closest(trie, text, length), parent;
        node->bit = parting_bit(text, trie->nodes[near].text);
        if (node->bit == 0) return near;
        int32_t below = descend(trie, text, length, node->bit, &parent);
        node->children[!bit_of(text, length, node->bit)] = below;
        supi_trie_node* above = &trie->nodes[parent];
        above->children[bit_of(text, length, above->bit)] = index;
    }
    trie->count++;
    return index;
}
