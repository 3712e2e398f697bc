/* The ending of a file's name, which chooses its reader or writer. */
#ifndef SUPPLE_FILE_ENDING_H
#define SUPPLE_FILE_ENDING_H

#include <stdbool.h>
#include <string.h>

/* `ending` is lower case; only ASCII letters fold. */
static inline bool supi_ending_is(const char* path, const char* ending) {
    size_t length = strlen(path), tail = strlen(ending);
    if (length < tail) return false;
    for (size_t i = 0; i < tail; i++) {
        char letter = path[length - tail + i];
        if (letter >= 'A' && letter <= 'Z') letter = (char)(letter - 'A' + 'a');
        if (letter != ending[i]) return false;
    }
    return true;
}

/* Makes `path`, which has an ending of the same length, end in `ending`; one that does, in capital
   letters too, stays as it is. */
static inline void supi_ending_set(char* path, const char* ending) {
    size_t tail = strlen(ending);
    if (!supi_ending_is(path, ending)) memcpy(path + strlen(path) - tail, ending, tail);
}

#endif
