/* The bytes of a large body alone: reads and writes the rows and columns that Supple's substeps do,
   in the same order, and computes next to nothing. */
#include "cloud.h"

#include <stdlib.h>

enum { BLOCK = 2048 };

typedef float four __attribute__((vector_size(16)));

typedef struct traffic {
    size_t points, count; /* the second rounded up to fours */
    four *x[2], *v[2];    /* now and before, a row each */
    four* columns[4];     /* rest places and weights, four points each */
    float still;          /* 0, which the compiler does not know */
} traffic;

static void pass(const traffic* t, size_t begin, size_t end, const four* x, const four* v,
                 four* x_out, four* v_out) {
    float s = t->still;
    four* const columns[4] = {t->columns[0], t->columns[1], t->columns[2], t->columns[3]};
    for (size_t i = begin; i < end; i += 4) {
        four change = {0};
        for (int k = 0; k < 4; k++) change += columns[k][i / 4];
        for (size_t k = i; k < i + 4; k++) {
            four u = v[k] + s * change;
            x_out[k] = x[k] + s * u;
            v_out[k] = u;
        }
    }
}

/* The first substep goes from one state to the other, those that follow stay there; every second
   one goes backwards. */
static bool step(void* state) {
    traffic* t = state;
    size_t blocks = (t->count + BLOCK - 1) / BLOCK;
    for (int n = 0; n < BENCH_SUBSTEPS; n++) {
        int from = n == 0 ? 0 : 1;
        for (size_t k = 0; k < blocks; k++) {
            size_t begin = BLOCK * (n % 2 ? blocks - 1 - k : k);
            size_t end = begin + BLOCK < t->count ? begin + BLOCK : t->count;
            pass(t, begin, end, t->x[from], t->v[from], t->x[1], t->v[1]);
        }
    }
    four *x = t->x[0], *v = t->v[0];
    t->x[0] = t->x[1];
    t->v[0] = t->v[1];
    t->x[1] = x;
    t->v[1] = v;
    return true;
}

/* There are none. */
static bool read_places(void* state, sup_point* places) {
    const traffic* t = state;
    for (size_t n = 0; n < t->points; n++) places[n] = (sup_point){0.0, 0.0, 0.0};
    return true;
}

static void destroy(void* state) {
    traffic* t = state;
    for (int k = 0; k < 2; k++) {
        free(t->x[k]);
        free(t->v[k]);
    }
    for (int k = 0; k < 4; k++) free(t->columns[k]);
    free(t);
}

bool bench_traffic_create(const bench_cloud* cloud, bench_subject* out) {
    traffic* t = calloc(1, sizeof(*t));
    if (!t) return false;
    t->points = cloud->body_points[cloud->body_count];
    t->count = (t->points + 3) / 4 * 4;
    bool made = true;
    for (int k = 0; k < 2; k++) {
        t->x[k] = calloc(t->count, sizeof(four));
        t->v[k] = calloc(t->count, sizeof(four));
        made = made && t->x[k] && t->v[k];
    }
    for (int k = 0; k < 4; k++) {
        t->columns[k] = calloc(t->count / 4, sizeof(four));
        /* Written once: memory that nobody wrote is one page of zeros. */
        for (size_t n = 0; t->columns[k] && n < t->count / 4; n++) t->columns[k][n] += 1.0f;
        made = made && t->columns[k];
    }
    if (!made) {
        destroy(t);
        return false;
    }
    *out = (bench_subject){t, step, BENCH_SUBSTEPS, read_places, destroy};
    return true;
}
