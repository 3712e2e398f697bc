/* How much of what is inside belongs to each ball, and radii that follow: what merges or splits
   keeps its volume. */
#include "skin/blob.h"

#include <math.h>

/* No field is steeper, in 1/R. */
#define STEEPEST 5.0f

/* The part of a sample's cell that is inside, from its value over that of the surface. */
static double part_inside(double above, double steepness, double spacing) {
    if (!(steepness > 1e-9)) return above > 0.0 ? 1.0 : 0.0;
    double part = 0.5 + above / (steepness * spacing);
    return part < 0.0 ? 0.0 : part > 1.0 ? 1.0 : part;
}

/* Samples of a block that wait until they are eight. */
typedef struct waiting {
    int32_t count, share[8];
    float above[8], places[3][8];
} waiting;

/* Their parts inside, and what a rise of the value takes of them. */
static void settle_waiting(const supi_blob_job* j, const supi_blob_list* list, waiting* w,
                           float* shares, double* edge) {
    float values[8], gradients[3][8];
    double gs = (double)j->field->spacing;
    for (int32_t i = w->count; i < 8; i++) {
        for (int k = 0; k < 3; k++) w->places[k][i] = w->places[k][0];
    }
    j->kernels->values(list, (const float(*)[8])w->places, values, gradients);
    for (int32_t i = 0; i < w->count; i++) {
        double square = (double)gradients[0][i] * (double)gradients[0][i] +
                        (double)gradients[1][i] * (double)gradients[1][i] +
                        (double)gradients[2][i] * (double)gradients[2][i];
        double steepness = sqrt(square), part = part_inside((double)w->above[i], steepness, gs);
        if (part > 0.0 && part < 1.0) *edge += gs * gs / steepness;
        shares[w->share[i]] += (float)(part * gs * gs * gs);
    }
    w->count = 0;
}

static void share_block(void* context, int32_t block, int32_t worker) {
    const supi_blob_job* j = context;
    const supi_blob_field* f = j->field;
    supi_blob_block* b = j->s->blocks + block;
    float values[SUPI_BLOB_SAMPLES], owners[SUPI_BLOB_SAMPLES], low[3], smallest = INFINITY;
    waiting near = {.count = 0};
    supi_blob_list list = supi_blob_pack(j, block, worker, low);
    j->kernels->sample(&list, low, f->spacing, values, owners);
    float *shares = j->s->shares + b->begin, gs = f->spacing;
    for (int32_t i = b->begin; i < b->end; i++) {
        float radius = f->balls[j->s->list[i]].w;
        shares[i - b->begin] = 0.0f;
        smallest = radius < smallest ? radius : smallest;
    }
    float far = 0.5f * STEEPEST * gs / smallest;
    float cell = (float)((double)gs * (double)gs * (double)gs);
    b->edge = 0.0;
    for (int32_t n = 0; n < SUPI_BLOB_SAMPLES; n++) {
        float above = values[n] - f->iso;
        if (above < -far || !(owners[n] >= 0.0f)) continue;
        if (!(above < far)) {
            shares[(int32_t)owners[n]] += cell;
            continue;
        }
        int32_t to = near.count++;
        near.share[to] = (int32_t)owners[n];
        near.above[to] = above;
        near.places[0][to] = low[0] + gs * (float)(n % 8);
        near.places[1][to] = low[1] + gs * (float)(n / 8 % 8);
        near.places[2][to] = low[2] + gs * (float)(n / 64);
        if (near.count == 8) settle_waiting(j, &list, &near, shares, &b->edge);
    }
    if (near.count > 0) settle_waiting(j, &list, &near, shares, &b->edge);
}

bool supi_blob_volumes_find(supi_blob_surface* s, const sup_allocator* allocator, supi_tasks* tasks,
                            const supi_blob_field_kernels* kernels, const supi_blob_field* field,
                            float* volumes, double* slope) {
    supi_blob_job j = {.s = s, .field = field, .kernels = kernels};
    if (!supi_blob_blocks_find(&j, allocator, tasks)) return false;
    s->shares = supi_column_reserve(&s->stores[SUPI_BLOB_STORE_SHARE], allocator, s->list_count,
                                    sizeof *s->shares);
    if (s->list_count > 0 && !s->shares) return false;
    supi_tasks_each(tasks, s->block_count, share_block, &j);
    *slope = 0.0;
    for (int32_t i = 0; i < field->count; i++) volumes[i] = 0.0f;
    for (int32_t b = 0; b < s->block_count; b++) {
        *slope += s->blocks[b].edge;
        for (int32_t i = s->blocks[b].begin; i < s->blocks[b].end; i++) {
            volumes[s->list[i]] += s->shares[i];
        }
    }
    return true;
}

void supi_blob_follow(const float* volumes, double share, double gain, double most, double radius,
                      sup_row* balls, int32_t count) {
    double low = 0.7 * radius, high = 1.4 * radius;
    for (int32_t i = 0; i < count; i++) {
        if (!(volumes[i] > 0.0f)) continue;
        double factor = 1.0 + gain * (share - (double)volumes[i]) / (3.0 * share);
        factor = factor > most ? most : factor < 1.0 / most ? 1.0 / most : factor;
        double next = factor * (double)balls[i].w;
        balls[i].w = (float)(next < low ? low : next > high ? high : next);
    }
}
