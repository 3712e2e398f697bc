/* Marching tetrahedra on blocks: samples; which edges the surface passes, and how many points and
   triangles there are; then both, each block in its own place. An edge belongs to the block of its
   lower end. */
#include "base/simd_copies.h"
#include "skin/blob.h"

#include <math.h>
#include <string.h>

SUPI_SIMD_COPIES(supi_blob_field_kernels)

enum { CELLS = SUPI_BLOB_CELLS, SIDE = CELLS + 1, HALF = CELLS / 2 };

static int32_t sample_id(int32_t i, int32_t j, int32_t k) { return CELLS * (CELLS * k + j) + i; }

/* Bits that are set in one of 7. */
static int32_t count_bits(uint32_t bits) {
    const uint64_t counts = UINT64_C(0x4332322132212110); /* by four bits */
    return (int32_t)((counts >> 4 * (bits & 15)) & 15) +
           (int32_t)((counts >> 4 * (bits >> 4)) & 15);
}

/* The block that has a sample of 9^3 from the first one of a block on, and the sample in it; false:
   it does not exist, and nothing is there. */
static bool find_sample(const supi_blob_block* b, const int32_t at[3], int32_t* block,
                        int32_t* sample) {
    *block = b->beside[(at[0] == CELLS) + 2 * (at[1] == CELLS) + 4 * (at[2] == CELLS)];
    *sample = sample_id(at[0] % CELLS, at[1] % CELLS, at[2] % CELLS);
    return *block >= 0;
}

/* ---- Samples ---- */

static void sample_block(void* context, int32_t block, int32_t worker) {
    const supi_blob_job* j = context;
    float low[3], *values = j->s->values + (size_t)block * SUPI_BLOB_SAMPLES;
    supi_blob_list list = supi_blob_pack(j, block, worker, low);
    j->kernels->sample(&list, low, j->field->spacing, values, NULL);
    j->kernels->above(values, j->field->iso, j->s->rows + (size_t)block * CELLS * CELLS);
}

/* ---- Which edges are passed ---- */

/* Which samples are inside, as bits of rows, with the first ones of blocks beside it. True: some
   are, and some are not. */
static bool gather_rows(const supi_blob_surface* s, const supi_blob_block* b,
                        uint32_t rows[SIDE][SIDE]) {
    uint32_t any = 0, all = 0x1ff;
    for (int32_t k = 0; k < SIDE; k++) {
        for (int32_t m = 0; m < SIDE; m++) {
            int32_t row = (m == CELLS ? 2 : 0) + (k == CELLS ? 4 : 0);
            int32_t own = b->beside[row], next = b->beside[row + 1];
            size_t at = (size_t)(CELLS * (k % CELLS) + m % CELLS);
            uint32_t bits = own < 0 ? 0 : s->rows[(size_t)own * CELLS * CELLS + at];
            if (next >= 0) bits |= (uint32_t)(s->rows[(size_t)next * CELLS * CELLS + at] & 1) << 8;
            rows[k][m] = bits;
            any |= bits;
            all &= bits;
        }
    }
    return any != 0 && all != 0x1ff;
}

static void count_block(void* context, int32_t block, int32_t worker) {
    (void)worker;
    const supi_blob_job* own = context;
    supi_blob_surface* s = own->s;
    supi_blob_block* b = s->blocks + block;
    size_t first = (size_t)block * SUPI_BLOB_SAMPLES;
    uint8_t *passes = s->passes + first, *cells = s->cells + first;
    uint16_t* ranks = s->ranks + first;
    uint32_t rows[SIDE][SIDE];
    b->point_count = b->triangle_count = 0;
    memset(passes, 0, SUPI_BLOB_SAMPLES);
    memset(cells, 0, SUPI_BLOB_SAMPLES);
    if (!gather_rows(s, b, rows)) return;
    for (int32_t row = 0; row < CELLS * CELLS; row++) {
        int32_t k = row / CELLS, m = row % CELLS;
        uint32_t r0 = rows[k][m], r1 = rows[k][m + 1], r2 = rows[k + 1][m], r3 = rows[k + 1][m + 1];
        uint32_t any = r0 | r1 | r2 | r3, all = r0 & r1 & r2 & r3;
        uint32_t cut = (any | any >> 1) & ~(all & all >> 1) & 0xff; /* corners differ */
        for (; cut; cut &= cut - 1) {
            int32_t i = __builtin_ctz(cut), n = CELLS * row + i;
            uint32_t inside =
                (r0 >> i & 3) | (r1 >> i & 3) << 2 | (r2 >> i & 3) << 4 | (r3 >> i & 3) << 6;
            /* corner c differs from the lowest one: the edge to it is passed */
            uint32_t others = (inside & 1 ? ~inside & 255 : inside) >> 1;
            cells[n] = (uint8_t)inside;
            passes[n] = (uint8_t)others;
            ranks[n] = (uint16_t)b->point_count;
            b->triangle_count += s->cut_counts[inside];
            b->point_count += count_bits(others);
        }
    }
}

/* ---- Points ---- */

/* Edges that are passed, until they are eight. */
typedef struct edges {
    int32_t count, way[8], to[8];
    float from[3][8], a[8],
        b[8]; /* the lower end; the field at both less its value at the surface */
} edges;

static void place_along(const edges* e, const double t[8], float spacing, float places[3][8]) {
    for (int k = 0; k < 3; k++) {
        for (int32_t i = 0; i < 8; i++) {
            float step = e->way[i] >> k & 1 ? (float)t[i] * spacing : 0.0f;
            places[k][i] = e->from[k][i] + step;
        }
    }
}

static void put_points(const supi_blob_job* j, const supi_blob_list* list, edges* e) {
    float places[3][8], values[8], gradients[3][8], gs = j->field->spacing;
    double t[8];
    for (int32_t i = e->count; i < 8; i++) { /* fill up with the first */
        e->way[i] = e->way[0];
        e->a[i] = e->a[0];
        e->b[i] = e->b[0];
        for (int k = 0; k < 3; k++) e->from[k][i] = e->from[k][0];
    }
    for (int32_t i = 0; i < 8; i++) t[i] = supi_kuhn_chord((double)e->a[i], (double)e->b[i]);
    place_along(e, t, gs, places);
    j->kernels->values(list, (const float(*)[8])places, values, NULL);
    for (int32_t i = 0; i < 8; i++) {
        t[i] = supi_kuhn_refine(t[i], (double)e->a[i], (double)e->b[i],
                                (double)(values[i] - j->field->iso));
    }
    place_along(e, t, gs, places);
    const double* shift = j->out->shift;
    for (int32_t i = 0; i < e->count; i++) {
        j->out->points[e->to[i]] = (sup_vec3){(float)((double)places[0][i] + shift[0]),
                                              (float)((double)places[1][i] + shift[1]),
                                              (float)((double)places[2][i] + shift[2])};
    }
    if (j->out->normals) j->kernels->values(list, (const float(*)[8])places, values, gradients);
    for (int32_t i = 0; j->out->normals && i < e->count; i++) {
        float x = gradients[0][i], y = gradients[1][i], z = gradients[2][i];
        float length = sqrtf(x * x + y * y + z * z), per = length > 1e-9f ? -1.0f / length : 0.0f;
        j->out->normals[e->to[i]] = (sup_vec3){per * x, per * y, per * z};
    }
    e->count = 0;
}

/* The edges that begin at a sample of a block. */
static void place_sample(const supi_blob_job* j, const supi_blob_block* b,
                         const supi_blob_list* list, const float low[3], const int32_t at[3],
                         edges* e) {
    const supi_blob_surface* s = j->s;
    size_t own = (size_t)b->beside[0] * SUPI_BLOB_SAMPLES + (size_t)sample_id(at[0], at[1], at[2]);
    int32_t to = b->point + s->ranks[own];
    for (uint32_t left = s->passes[own]; left; left &= left - 1) {
        int32_t way = __builtin_ctz(left) + 1, i = e->count++, block, sample;
        const int32_t end[3] = {at[0] + (way & 1), at[1] + (way >> 1 & 1), at[2] + (way >> 2)};
        bool there = find_sample(b, end, &block, &sample);
        size_t other = there ? (size_t)block * SUPI_BLOB_SAMPLES + (size_t)sample : 0;
        e->way[i] = way;
        e->to[i] = to++;
        for (int k = 0; k < 3; k++) e->from[k][i] = low[k] + j->field->spacing * (float)at[k];
        e->a[i] = s->values[own] - j->field->iso;
        e->b[i] = (there ? s->values[other] : 0.0f) - j->field->iso;
        if (e->count == 8) put_points(j, list, e);
    }
}

/* By eighths of the block, each with the balls that reach it. */
static void place_block(void* context, int32_t block, int32_t worker) {
    const supi_blob_job* j = context;
    const supi_blob_block* b = j->s->blocks + block;
    const uint8_t* passes = j->s->passes + (size_t)block * SUPI_BLOB_SAMPLES;
    float low[3], gs = j->field->spacing;
    if (b->point_count == 0) return;
    supi_blob_list all = supi_blob_pack(j, block, worker, low);
    for (int32_t part = 0; part < 8; part++) {
        const int32_t first[3] = {HALF * (part & 1), HALF * (part >> 1 & 1), HALF * (part >> 2)};
        float corner[3];
        for (int k = 0; k < 3; k++) corner[k] = low[k] + gs * (float)first[k];
        supi_blob_list list = {.balls = NULL};
        edges e = {.count = 0};
        for (int32_t n = 0; n < HALF * HALF * HALF; n++) {
            const int32_t at[3] = {first[0] + n % HALF, first[1] + n / HALF % HALF,
                                   first[2] + n / (HALF * HALF)};
            if (!passes[sample_id(at[0], at[1], at[2])]) continue;
            if (!list.balls) list = supi_blob_narrow(j, &all, worker, corner, gs * (float)HALF);
            place_sample(j, b, &list, low, at, &e);
        }
        if (e.count > 0) put_points(j, &list, &e);
    }
}

/* ---- Triangles ---- */

/* Of a corner of a cell: the first point on edges that begin there, and their ways. */
typedef struct corner {
    int32_t point;
    uint32_t passes;
} corner;

static void find_corners(const supi_blob_surface* s, const supi_blob_block* b, int32_t n,
                         corner out[8]) {
    for (int32_t c = 0; c < 8; c++) {
        const int32_t at[3] = {n % CELLS + (c & 1), n / CELLS % CELLS + (c >> 1 & 1),
                               n / (CELLS * CELLS) + (c >> 2)};
        int32_t block, sample;
        out[c] = (corner){0, 0};
        if (!find_sample(b, at, &block, &sample)) continue;
        size_t id = (size_t)block * SUPI_BLOB_SAMPLES + (size_t)sample;
        if (!s->passes[id]) continue;
        out[c] = (corner){s->blocks[block].point + s->ranks[id], s->passes[id]};
    }
}

static void cut_block(void* context, int32_t block, int32_t worker) {
    (void)worker;
    const supi_blob_job* own = context;
    const supi_blob_surface* s = own->s;
    const supi_blob_block* b = s->blocks + block;
    const uint8_t* cells = s->cells + (size_t)block * SUPI_BLOB_SAMPLES;
    if (b->triangle_count == 0) return;
    int32_t* to = own->out->corners + 3 * (size_t)b->triangle;
    for (int32_t n = 0; n < SUPI_BLOB_SAMPLES; n++) {
        if (!cells[n]) continue;
        corner corners[8];
        find_corners(s, b, n, corners);
        for (int32_t i = 0; i < s->cut_counts[cells[n]]; i++) {
            const supi_kuhn_triangle* t = &s->cuts[cells[n]][i];
            int32_t p[3];
            for (int c = 0; c < 3; c++) {
                const corner* low = &corners[t->low[c]];
                p[c] = low->point + count_bits(low->passes & ((1u << (t->way[c] - 1)) - 1u));
            }
            *to++ = p[0];
            *to++ = t->turned ? p[2] : p[1];
            *to++ = t->turned ? p[1] : p[2];
        }
    }
}

/* ---- The whole ---- */

static bool make_cuts(supi_blob_surface* s, const sup_allocator* allocator) {
    s->cuts = supi_column_reserve(&s->stores[SUPI_BLOB_STORE_CUT], allocator, 256, sizeof *s->cuts);
    if (!s->cuts) return false;
    for (int32_t i = 0; i < 256 && !s->ready; i++) s->cut_counts[i] = supi_kuhn_cut(i, s->cuts[i]);
    s->ready = true;
    return true;
}

static bool reserve_samples(supi_blob_surface* s, const sup_allocator* allocator) {
    int64_t samples = (int64_t)s->block_count * SUPI_BLOB_SAMPLES;
    if (samples > INT32_MAX) return false;
    int32_t need = (int32_t)samples;
    supi_column* stores = s->stores;
    s->values =
        supi_column_reserve(&stores[SUPI_BLOB_STORE_VALUE], allocator, need, sizeof *s->values);
    s->rows =
        supi_column_reserve(&stores[SUPI_BLOB_STORE_ROW], allocator, need / CELLS, sizeof *s->rows);
    s->cells =
        supi_column_reserve(&stores[SUPI_BLOB_STORE_CELL], allocator, need, sizeof *s->cells);
    s->passes =
        supi_column_reserve(&stores[SUPI_BLOB_STORE_PASS], allocator, need, sizeof *s->passes);
    s->ranks =
        supi_column_reserve(&stores[SUPI_BLOB_STORE_RANK], allocator, need, sizeof *s->ranks);
    return need == 0 || (s->values && s->rows && s->cells && s->passes && s->ranks);
}

/* Places of all points and triangles; false: there are too many. */
static bool number_mesh(supi_blob_surface* s) {
    int64_t points = 0, triangles = 0;
    for (int32_t b = 0; b < s->block_count; b++) {
        s->blocks[b].point = (int32_t)points;
        s->blocks[b].triangle = (int32_t)triangles;
        points += s->blocks[b].point_count;
        triangles += s->blocks[b].triangle_count;
        if (points > INT32_MAX / 4 || triangles > INT32_MAX / 4) return false;
    }
    s->point_count = (int32_t)points;
    s->triangle_count = (int32_t)triangles;
    return true;
}

bool supi_blob_surface_find(supi_blob_surface* s, const sup_allocator* allocator, supi_tasks* tasks,
                            const supi_blob_field_kernels* kernels, const supi_blob_field* field) {
    supi_blob_job j = {.s = s, .field = field, .kernels = kernels};
    s->point_count = s->triangle_count = 0;
    if (!supi_blob_blocks_find(&j, allocator, tasks) || !make_cuts(s, allocator) ||
        !reserve_samples(s, allocator)) {
        return false;
    }
    supi_tasks_each(tasks, s->block_count, sample_block, &j);
    supi_tasks_each(tasks, s->block_count, count_block, &j);
    return number_mesh(s);
}

void supi_blob_surface_write(supi_blob_surface* s, supi_tasks* tasks,
                             const supi_blob_field_kernels* kernels, const supi_blob_field* field,
                             const supi_blob_mesh* out) {
    supi_blob_job j = {s, field, kernels, out};
    supi_tasks_each(tasks, s->block_count, place_block, &j);
    supi_tasks_each(tasks, s->block_count, cut_block, &j);
}
