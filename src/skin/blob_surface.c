/* Marching tetrahedra on blocks: samples; which edges the surface passes, and how many points and
   triangles there are; then both, each block in its own place. An edge belongs to the block of its
   lower end. */
#include "base/simd_copies.h"
#include "skin/blob.h"

#include <math.h>
#include <string.h>

SUPI_SIMD_COPIES(supi_blob_field_kernels)

enum { CELLS = SUPI_BLOB_CELLS, SIDE = CELLS + 1, WAYS = 7 };
enum {
    STORE_VALUE = 8,
    STORE_PASS,
    STORE_RANK,
    STORE_POINT,
    STORE_NORMAL,
    STORE_CORNER,
    STORE_CUT
};

typedef struct job {
    supi_blob_surface* s;
    const supi_blob_field* field;
    const supi_blob_field_kernels* kernels;
} job;

void supi_blob_each_block(supi_blob_surface* s, supi_tasks* tasks, supi_task* task, void* context) {
    if (tasks) {
        supi_tasks_run(tasks, s->block_count, task, context);
    } else {
        for (int32_t i = 0; i < s->block_count; i++) task(context, i, 0);
    }
}

static void sample_block(void* context, int32_t block, int32_t worker) {
    const job* j = context;
    float low[3];
    supi_blob_list list = supi_blob_pack(j->s, j->field, block, worker, low);
    j->kernels->sample(&list, low, j->field->spacing,
                       j->s->values + (size_t)block * SUPI_BLOB_SAMPLES, NULL);
}

/* ---- Which edges are passed ---- */

static int32_t sample_id(int32_t i, int32_t j, int32_t k) { return CELLS * (CELLS * k + j) + i; }
static int32_t side_id(int32_t i, int32_t j, int32_t k) { return SIDE * (SIDE * k + j) + i; }

/* Values of a block less that of the surface, with the first layers of those beside it; nothing is
   where there is no block. True: some are inside, and some are not. */
static bool gather(const job* j, int32_t block, float out[SIDE * SIDE * SIDE]) {
    const supi_blob_block* b = j->s->blocks + block;
    float iso = j->field->iso;
    bool in = false, outside = false;
    for (int32_t k = 0; k < SIDE; k++) {
        for (int32_t m = 0; m < SIDE; m++) {
            int32_t row = (m == CELLS ? 2 : 0) + (k == CELLS ? 4 : 0);
            for (int32_t end = 0; end < 2; end++) {
                int32_t from = b->beside[row + end], count = end ? 1 : CELLS;
                int32_t at = sample_id(0, m % CELLS, k % CELLS);
                float* to = out + side_id(end ? CELLS : 0, m, k);
                const float* values =
                    from < 0 ? NULL : j->s->values + (size_t)from * SUPI_BLOB_SAMPLES + at;
                for (int32_t i = 0; i < count; i++) {
                    to[i] = values ? values[i] - iso : -iso;
                    in = in || to[i] > 0.0f;
                    outside = outside || !(to[i] > 0.0f);
                }
            }
        }
    }
    return in && outside;
}

static int32_t inside_of(const float* values, int32_t i, int32_t j, int32_t k) {
    int32_t inside = 0;
    for (int32_t c = 0; c < 8; c++) {
        inside |= (values[side_id(i + (c & 1), j + (c >> 1 & 1), k + (c >> 2))] > 0.0f) << c;
    }
    return inside;
}

static void count_block(void* context, int32_t block, int32_t worker) {
    (void)worker;
    const job* own = context;
    supi_blob_surface* s = own->s;
    supi_blob_block* b = s->blocks + block;
    uint8_t* passes = s->passes + (size_t)block * SUPI_BLOB_SAMPLES;
    uint16_t* ranks = s->ranks + (size_t)block * SUPI_BLOB_SAMPLES;
    float values[SIDE * SIDE * SIDE];
    b->point_count = b->triangle_count = 0;
    memset(passes, 0, SUPI_BLOB_SAMPLES);
    if (!gather(own, block, values)) return;
    for (int32_t n = 0; n < SUPI_BLOB_SAMPLES; n++) {
        int32_t inside = inside_of(values, n % CELLS, n / CELLS % CELLS, n / (CELLS * CELLS));
        ranks[n] = (uint16_t)b->point_count;
        if (inside == 0 || inside == 255) continue;
        b->triangle_count += s->cut_counts[inside];
        /* corner c differs from the lowest one: the edge to it is passed */
        int32_t others = inside & 1 ? ~inside & 255 : inside;
        passes[n] = (uint8_t)(others >> 1);
        b->point_count += __builtin_popcount((unsigned)others >> 1);
    }
}

/* ---- Points ---- */

static void put_point(const job* j, const supi_blob_list* list, const float from[3], int32_t way,
                      float a, float b, int32_t to) {
    float place[3], gradient[3], gs = j->field->spacing;
    double t = supi_kuhn_chord((double)a, (double)b);
    for (int k = 0; k < 3; k++) place[k] = from[k] + (way >> k & 1 ? (float)t * gs : 0.0f);
    double here = (double)(j->kernels->value(list, place, NULL) - j->field->iso);
    t = supi_kuhn_refine(t, (double)a, (double)b, here);
    for (int k = 0; k < 3; k++) place[k] = from[k] + (way >> k & 1 ? (float)t * gs : 0.0f);
    j->kernels->value(list, place, gradient);
    float square =
        gradient[0] * gradient[0] + gradient[1] * gradient[1] + gradient[2] * gradient[2];
    float length = sqrtf(square), per = length > 1e-9f ? -1.0f / length : 0.0f;
    j->s->points[to] = (sup_vec3){place[0], place[1], place[2]};
    j->s->normals[to] = (sup_vec3){per * gradient[0], per * gradient[1], per * gradient[2]};
}

static void place_block(void* context, int32_t block, int32_t worker) {
    const job* own = context;
    supi_blob_surface* s = own->s;
    const supi_blob_block* b = s->blocks + block;
    const uint8_t* passes = s->passes + (size_t)block * SUPI_BLOB_SAMPLES;
    float values[SIDE * SIDE * SIDE], low[3], gs = own->field->spacing;
    if (b->point_count == 0) return;
    gather(own, block, values);
    supi_blob_list list = supi_blob_pack(s, own->field, block, worker, low);
    int32_t to = b->point;
    for (int32_t n = 0; n < SUPI_BLOB_SAMPLES; n++) {
        const int32_t at[3] = {n % CELLS, n / CELLS % CELLS, n / (CELLS * CELLS)};
        for (int32_t way = 1; way <= WAYS; way++) {
            if (!(passes[n] >> (way - 1) & 1)) continue;
            float from[3];
            for (int k = 0; k < 3; k++) from[k] = low[k] + gs * (float)at[k];
            float there =
                values[side_id(at[0] + (way & 1), at[1] + (way >> 1 & 1), at[2] + (way >> 2))];
            put_point(own, &list, from, way, values[side_id(at[0], at[1], at[2])], there, to++);
        }
    }
}

/* ---- Triangles ---- */

/* The point on the edge from a sample of a block, or of one beside it, by a way. */
static int32_t point_at(const supi_blob_surface* s, const supi_blob_block* b, const int32_t at[3],
                        int32_t way) {
    int32_t beside = (at[0] == CELLS) + 2 * (at[1] == CELLS) + 4 * (at[2] == CELLS);
    int32_t block = b->beside[beside];
    size_t sample = (size_t)block * SUPI_BLOB_SAMPLES +
                    (size_t)sample_id(at[0] % CELLS, at[1] % CELLS, at[2] % CELLS);
    unsigned before = s->passes[sample] & ((1u << (way - 1)) - 1u);
    return s->blocks[block].point + s->ranks[sample] + __builtin_popcount(before);
}

static void cut_block(void* context, int32_t block, int32_t worker) {
    (void)worker;
    const job* own = context;
    supi_blob_surface* s = own->s;
    const supi_blob_block* b = s->blocks + block;
    float values[SIDE * SIDE * SIDE];
    if (b->triangle_count == 0) return;
    gather(own, block, values);
    int32_t* to = s->corners + 3 * (size_t)b->triangle;
    for (int32_t n = 0; n < SUPI_BLOB_SAMPLES; n++) {
        const int32_t cell[3] = {n % CELLS, n / CELLS % CELLS, n / (CELLS * CELLS)};
        int32_t inside = inside_of(values, cell[0], cell[1], cell[2]);
        for (int32_t i = 0; i < s->cut_counts[inside]; i++) {
            const supi_kuhn_triangle* t = &s->cuts[inside][i];
            int32_t p[3];
            for (int c = 0; c < 3; c++) {
                const int32_t at[3] = {cell[0] + (t->low[c] & 1), cell[1] + (t->low[c] >> 1 & 1),
                                       cell[2] + (t->low[c] >> 2)};
                p[c] = point_at(s, b, at, t->way[c]);
            }
            *to++ = p[0];
            *to++ = t->turned ? p[2] : p[1];
            *to++ = t->turned ? p[1] : p[2];
        }
    }
}

/* ---- The whole ---- */

static bool make_cuts(supi_blob_surface* s, const sup_allocator* allocator) {
    s->cuts = supi_column_reserve(&s->stores[STORE_CUT], allocator, 256, sizeof *s->cuts);
    if (!s->cuts) return false;
    for (int32_t i = 0; i < 256 && !s->ready; i++) s->cut_counts[i] = supi_kuhn_cut(i, s->cuts[i]);
    s->ready = true;
    return true;
}

static bool reserve_samples(supi_blob_surface* s, const sup_allocator* allocator) {
    int64_t samples = (int64_t)s->block_count * SUPI_BLOB_SAMPLES;
    if (samples > INT32_MAX) return false;
    int32_t need = (int32_t)samples;
    s->values = supi_column_reserve(&s->stores[STORE_VALUE], allocator, need, sizeof *s->values);
    s->passes = supi_column_reserve(&s->stores[STORE_PASS], allocator, need, sizeof *s->passes);
    s->ranks = supi_column_reserve(&s->stores[STORE_RANK], allocator, need, sizeof *s->ranks);
    return need == 0 || (s->values && s->passes && s->ranks);
}

/* Places of all points and triangles. */
static bool reserve_mesh(supi_blob_surface* s, const sup_allocator* allocator) {
    int64_t points = 0, triangles = 0;
    for (int32_t b = 0; b < s->block_count; b++) {
        s->blocks[b].point = (int32_t)points;
        s->blocks[b].triangle = (int32_t)triangles;
        points += s->blocks[b].point_count;
        triangles += s->blocks[b].triangle_count;
        if (points > INT32_MAX / 4 || triangles > INT32_MAX / 4) return false;
    }
    int32_t corners = (int32_t)(3 * triangles), need = (int32_t)points;
    s->points = supi_column_reserve(&s->stores[STORE_POINT], allocator, need, sizeof *s->points);
    s->normals = supi_column_reserve(&s->stores[STORE_NORMAL], allocator, need, sizeof *s->normals);
    s->corners =
        supi_column_reserve(&s->stores[STORE_CORNER], allocator, corners, sizeof *s->corners);
    if (need > 0 && (!s->points || !s->normals || !s->corners)) return false;
    s->point_count = need;
    s->triangle_count = (int32_t)triangles;
    return true;
}

bool supi_blob_surface_find(supi_blob_surface* s, const sup_allocator* allocator, supi_tasks* tasks,
                            const supi_blob_field_kernels* kernels, const supi_blob_field* field) {
    job j = {s, field, kernels};
    int32_t workers = tasks ? supi_tasks_worker_count(tasks) : 1;
    s->point_count = s->triangle_count = 0;
    if (!supi_blob_blocks_find(s, allocator, workers, field) || !make_cuts(s, allocator) ||
        !reserve_samples(s, allocator)) {
        return false;
    }
    supi_blob_each_block(s, tasks, sample_block, &j);
    supi_blob_each_block(s, tasks, count_block, &j);
    if (!reserve_mesh(s, allocator)) return false;
    supi_blob_each_block(s, tasks, place_block, &j);
    supi_blob_each_block(s, tasks, cut_block, &j);
    return true;
}
