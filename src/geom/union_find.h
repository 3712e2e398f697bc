/* Sets that merge: parent[i] == i marks a root; the lowest member leads. */
#ifndef SUPPLE_GEOM_UNION_FIND_H
#define SUPPLE_GEOM_UNION_FIND_H

#include <stdint.h>

static inline int32_t supi_union_root(int32_t* parent, int32_t i) {
    while (parent[i] != i) i = parent[i] = parent[parent[i]];
    return i;
}

static inline void supi_union_join(int32_t* parent, int32_t a, int32_t b) {
    a = supi_union_root(parent, a);
    b = supi_union_root(parent, b);
    if (a < b)
        parent[b] = a;
    else
        parent[a] = b;
}

#endif
