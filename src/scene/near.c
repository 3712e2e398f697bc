/* See near.h: edit distance with transpositions (optimal string alignment), three rows at a time.
 */
#include "scene/near.h"

#include <string.h>

#define LONGEST 40

static int32_t least(int32_t a, int32_t b) { return a < b ? a : b; }

int32_t supi_near_distance(const char* a, const char* b) {
    size_t m = strlen(a), n = strlen(b);
    if (m > LONGEST || n > LONGEST) return 1000;
    int32_t row[3][LONGEST + 1] = {{0}}; /* rows i - 2, i - 1 and i, in turn */
    for (size_t j = 0; j <= n; j++) row[0][j] = (int32_t)j;
    for (size_t i = 1; i <= m; i++) {
        const int32_t* before = row[(i + 1) % 3];
        const int32_t* above = row[(i - 1) % 3];
        int32_t* now = row[i % 3];
        now[0] = (int32_t)i;
        for (size_t j = 1; j <= n; j++) {
            int32_t change = above[j - 1] + (a[i - 1] != b[j - 1]);
            now[j] = least(change, least(above[j], now[j - 1]) + 1);
            if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1]) {
                now[j] = least(now[j], before[j - 2] + 1);
            }
        }
    }
    return row[m % 3][n];
}

int32_t supi_near_limit(const char* word) {
    size_t length = strlen(word);
    return length < 2 ? 0 : length < 5 ? 1 : 2;
}
