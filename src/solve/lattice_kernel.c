/* Sums over windows that slide along a line of a lattice, in place. Lanes are the floats of a cell,
   so that lines of all three axes are alike. Near windows are added up directly; wide ones are the
   end of one stretch and the beginning of the next, stretches being as long as the window: a few
   additions per cell, and no subtraction of large sums. */
#include "base/simd.h"
#include "solve/lattice.h"

void SUPI_KERNEL(supi_window_slide)(const supi_window* window, const supi_cell_line* line);

enum {
    DIRECT_MOST = 2, /* reach of windows that are added up directly */
    WIDTH_MOST = 2 * SUPI_REACH_MOST + 1,
    PAIRS_MOST = SUPI_CELL_SUM_ROWS / 2
};

/* Sums of a window and its moment, the latter in both halves. */
typedef struct window_sums {
    supi_f8 pairs[PAIRS_MOST], moment;
} window_sums;

F8_INLINE supi_f8 twice(const sup_row* row) { return pair_load(row, row); }

/* Adds the moment to its target, which is in one of the first two pairs, and stores. */
F8_INLINE void store_cell(const window_sums* s, const supi_f8 share[2], int pairs, sup_row* out) {
    for (int p = 0; p < pairs; p++) {
        supi_f8 sum = s->pairs[p];
        if (p < 2) sum = f8_madd(share[p], s->moment, sum);
        f8_store(&out[2 * p].x, sum);
    }
}

/* The window around the cell `at`. */
F8_INLINE window_sums add_direct(const sup_row* at, int reach, int pairs, int source) {
    window_sums s;
    for (int p = 0; p < pairs; p++) s.pairs[p] = f8_load(&at[2 * p].x);
    s.moment = f8_set(0.0f);
    for (int k = 1; k <= reach; k++) {
        const sup_row *below = at - k * 2 * pairs, *above = at + k * 2 * pairs;
        for (int p = 0; p < pairs; p++) {
            supi_f8 both = f8_add(f8_load(&below[2 * p].x), f8_load(&above[2 * p].x));
            s.pairs[p] = f8_add(s.pairs[p], both);
        }
        supi_f8 apart = f8_sub(twice(above + source), twice(below + source));
        s.moment = f8_madd(f8_set((float)k), apart, s.moment);
    }
    return s;
}

F8_INLINE void slide_direct(const sup_row* buffer, int32_t count, int reach, int pairs, int source,
                            const supi_f8 share[2], sup_row* line, ptrdiff_t stride) {
    const sup_row* at = buffer + reach * 2 * pairs;
    for (int32_t i = 0; i < count; i++, at += 2 * pairs, line += stride) {
        window_sums s = add_direct(at, reach, pairs, source);
        store_cell(&s, share, pairs, line);
    }
}

/* Sums over a stretch of cells: of the pairs and of the source, and the moment of the source about
   an end of the stretch. */
typedef struct stretch {
    supi_f8 pairs[PAIRS_MOST], source, moment;
} stretch;

F8_INLINE stretch stretch_begin(int pairs) {
    stretch s;
    for (int p = 0; p < pairs; p++) s.pairs[p] = f8_set(0.0f);
    s.source = s.moment = f8_set(0.0f);
    return s;
}

/* One more cell, which becomes the end that the moment is about. */
F8_INLINE void stretch_take(stretch* s, const sup_row* cell, int pairs, int source) {
    s->moment = f8_add(s->moment, s->source);
    s->source = f8_add(s->source, twice(cell + source));
    for (int p = 0; p < pairs; p++) s->pairs[p] = f8_add(s->pairs[p], f8_load(&cell[2 * p].x));
}

/* Windows that begin in the stretch of cells at `first`. */
F8_INLINE void slide_stretch(const sup_row* first, int32_t count, int reach, int pairs, int source,
                             const supi_f8 share[2], sup_row* line, ptrdiff_t stride) {
    int width = 2 * reach + 1, rows = 2 * pairs;
    supi_f8 far = f8_set((float)reach);
    stretch ends[WIDTH_MOST], begun = stretch_begin(pairs), end = begun;
    for (int t = width - 1; t >= 0; t--) {
        stretch_take(&end, first + t * rows, pairs, source);
        ends[t] = end;
    }
    for (int t = 0; t < width && t < count; t++, line += stride) {
        if (t > 0) stretch_take(&begun, first + (width + t - 1) * rows, pairs, source);
        window_sums s;
        for (int p = 0; p < pairs; p++) s.pairs[p] = f8_add(ends[t].pairs[p], begun.pairs[p]);
        /* Those of the stretch lie below the middle by `far` less their place, those behind it
         * above. */
        supi_f8 below = f8_sub(ends[t].moment, f8_mul(far, ends[t].source));
        supi_f8 above = f8_sub(f8_mul(far, begun.source), begun.moment);
        s.moment = f8_add(below, above);
        store_cell(&s, share, pairs, line);
    }
}

F8_INLINE void slide_stretches(const sup_row* buffer, int32_t count, int reach, int pairs,
                               int source, const supi_f8 share[2], sup_row* line,
                               ptrdiff_t stride) {
    int width = 2 * reach + 1;
    for (int32_t i = 0; i < count; i += width) {
        slide_stretch(buffer + (ptrdiff_t)i * 2 * pairs, count - i, reach, pairs, source, share,
                      line + i * stride, stride);
    }
}

/* ---- Blocks ---- */

/* What a block's rows refer to. */
typedef struct reference {
    float x[3], v[3];
} reference;

static reference reference_of(const supi_window* window, const supi_cell_line* line,
                              int32_t block) {
    int32_t row = line->about[block * line->about_stride];
    const sup_row *x = window->x + row, *v = window->v + row;
    return (reference){{x->x, x->y, x->z}, {v->x, v->y, v->z}};
}

static void add_cross(const float a[3], const float b[3], float scale, sup_row* out) {
    out->x += scale * (a[1] * b[2] - a[2] * b[1]);
    out->y += scale * (a[2] * b[0] - a[0] * b[2]);
    out->z += scale * (a[0] * b[1] - a[1] * b[0]);
}

/* The sums for damping: d and u become d + e and u + f. */
static void refer_sums(sup_row* cell, const float e[3], const float f[3]) {
    const sup_row s = cell[SUPI_CELL_OFFSET];
    sup_row *p = cell + SUPI_CELL_MOMENTUM, *squares = cell + SUPI_CELL_SQUARES,
            *products = cell + SUPI_CELL_PRODUCTS;
    const float offset[3] = {s.x, s.y, s.z}, momentum[3] = {p->x, p->y, p->z};
    add_cross(e, momentum, 1.0f, cell + SUPI_CELL_SPIN);
    add_cross(offset, f, 1.0f, cell + SUPI_CELL_SPIN);
    add_cross(e, f, s.w, cell + SUPI_CELL_SPIN);
    *p = (sup_row){p->x + s.w * f[0], p->y + s.w * f[1], p->z + s.w * f[2], p->w};
    squares->x += (s.x + s.x + s.w * e[0]) * e[0];
    squares->y += (s.y + s.y + s.w * e[1]) * e[1];
    squares->z += (s.z + s.z + s.w * e[2]) * e[2];
    products->x += s.x * e[1] + (s.y + s.w * e[1]) * e[0];
    products->y += s.y * e[2] + (s.z + s.w * e[2]) * e[1];
    products->z += s.z * e[0] + (s.x + s.w * e[0]) * e[2];
}

/* Rows of a cell from one reference to another. */
static void refer_cell(sup_row* cell, int rows, const reference* from, const reference* to) {
    float e[3], f[3];
    for (int k = 0; k < 3; k++) {
        e[k] = from->x[k] - to->x[k];
        f[k] = from->v[k] - to->v[k];
    }
    if (rows == SUPI_CELL_SUM_ROWS) refer_sums(cell, e, f);
    if (rows == SUPI_CELL_ASK_ROWS) {
        sup_row *turn = cell + SUPI_CELL_TURN, *drift = cell + SUPI_CELL_DRIFT;
        add_cross(e, (const float[3]){turn->x, turn->y, turn->z}, 1.0f, drift);
        *drift = (sup_row){drift->x + drift->w * f[0], drift->y + drift->w * f[1],
                           drift->z + drift->w * f[2], drift->w};
    }
    for (int i = 0; i < SUPI_CELL_PLAIN_ROWS; i++) {
        sup_row* row = cell + i;
        *row = (sup_row){row->x + row->w * e[0], row->y + row->w * e[1], row->z + row->w * e[2],
                         row->w};
    }
}

/* ---- Lines ---- */

/* Cells from .. to-1 of a line into the buffer; beyond its end there is nothing. */
F8_INLINE void fill_buffer(sup_row* buffer, const supi_cell_line* line, int32_t from, int32_t to,
                           int pairs) {
    for (int32_t i = from; i < to; i++, buffer += 2 * pairs) {
        const sup_row* cell = line->first + i * line->stride;
        for (int p = 0; p < pairs; p++) {
            f8_store(&buffer[2 * p].x, i < line->count ? f8_load(&cell[2 * p].x) : f8_set(0.0f));
        }
    }
}

/* One block. The buffer has `reach` cells before it, of the block before as they were, and gets
   those of the next. */
F8_INLINE void slide_one(const supi_window* window, const supi_cell_line* line, int32_t begin,
                         int pairs, const supi_f8 share[2], sup_row* buffer) {
    int reach = window->reach, rows = 2 * pairs, source = window->source;
    int32_t size = supi_lattice_block(reach), end = begin + size, block = begin / size;
    int32_t here = line->count < end ? line->count - begin : size, read = here;
    if (reach > DIRECT_MOST) read = (here + 2 * reach) / (2 * reach + 1) * (2 * reach + 1);
    reference own = reference_of(window, line, block);
    if (begin > 0) {
        reference last = reference_of(window, line, block - 1);
        for (int i = 0; i < reach; i++) refer_cell(buffer + i * rows, rows, &last, &own);
    }
    fill_buffer(buffer + reach * rows, line, begin, begin + read + reach, pairs);
    if (end < line->count) {
        reference next = reference_of(window, line, block + 1);
        for (int i = 0; i < reach; i++) {
            refer_cell(buffer + (reach + size + i) * rows, rows, &next, &own);
        }
    }
    sup_row* to = line->first + begin * line->stride;
    if (reach > DIRECT_MOST)
        slide_stretches(buffer, here, reach, pairs, source, share, to, line->stride);
    else
        slide_direct(buffer, here, reach, pairs, source, share, to, line->stride);
}

F8_INLINE void slide(const supi_window* window, const supi_cell_line* line, int pairs) {
    sup_row buffer[(SUPI_LATTICE_BLOCK_MOST + 2 * SUPI_REACH_MOST) * SUPI_CELL_SUM_ROWS];
    const sup_row none = {0}, full = {window->sign, window->sign, window->sign, window->sign};
    supi_f8 share[2];
    for (int p = 0; p < 2; p++) {
        share[p] = pair_load(window->target == 2 * p ? &full : &none,
                             window->target == 2 * p + 1 ? &full : &none);
    }
    int32_t size = supi_lattice_block(window->reach);
    size_t before = (size_t)(window->reach * 2 * pairs);
    memset(buffer, 0, before * sizeof *buffer);
    for (int32_t begin = 0; begin < line->count; begin += size) {
        slide_one(window, line, begin, pairs, share, buffer);
        memmove(buffer, buffer + size * 2 * pairs, before * sizeof *buffer);
    }
}

void SUPI_KERNEL(supi_window_slide)(const supi_window* window, const supi_cell_line* line) {
    switch (window->rows) {
    case SUPI_CELL_PLAIN_ROWS: slide(window, line, SUPI_CELL_PLAIN_ROWS / 2); break;
    case SUPI_CELL_ASK_ROWS: slide(window, line, SUPI_CELL_ASK_ROWS / 2); break;
    default: slide(window, line, SUPI_CELL_SUM_ROWS / 2); break;
    }
}
