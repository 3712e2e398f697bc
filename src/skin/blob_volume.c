/* How much of what is inside belongs to each ball, and radii that follow: what merges or splits
   keeps its volume. */
#include "skin/blob.h"

#include <math.h>

enum { STORE_SHARE = 15 };

/* No field is steeper, in 1/R. */
#define STEEPEST 5.0f

typedef struct job {
    supi_blob_surface* s;
    const supi_blob_field* field;
    const supi_blob_field_kernels* kernels;
} job;

/* The part of a sample's cell that is inside, from its value over that of the surface. */
static double part_inside(double above, double steepness, double spacing) {
    if (!(steepness > 1e-9)) return above > 0.0 ? 1.0 : 0.0;
    double part = 0.5 + above / (steepness * spacing);
    return part < 0.0 ? 0.0 : part > 1.0 ? 1.0 : part;
}

/* The same at sample n of a block, near the surface; its part of what a rise of the value takes. */
static double part_at(const job* j, const supi_blob_list* list, const float low[3], int32_t n,
                      float above, double* edge) {
    float gs = j->field->spacing, gradient[3];
    const float place[3] = {low[0] + gs * (float)(n % 8), low[1] + gs * (float)(n / 8 % 8),
                            low[2] + gs * (float)(n / 64)};
    j->kernels->value(list, place, gradient);
    double square = (double)gradient[0] * (double)gradient[0] +
                    (double)gradient[1] * (double)gradient[1] +
                    (double)gradient[2] * (double)gradient[2];
    double steepness = sqrt(square), part = part_inside((double)above, steepness, (double)gs);
    if (part > 0.0 && part < 1.0) *edge += (double)gs * (double)gs / steepness;
    return part;
}

static void share_block(void* context, int32_t block, int32_t worker) {
    const job* j = context;
    const supi_blob_field* f = j->field;
    supi_blob_block* b = j->s->blocks + block;
    float values[SUPI_BLOB_SAMPLES], owners[SUPI_BLOB_SAMPLES], low[3], smallest = INFINITY;
    supi_blob_list list = supi_blob_pack(j->s, f, block, worker, low);
    j->kernels->sample(&list, low, f->spacing, values, owners);
    float* shares = j->s->shares + b->begin;
    for (int32_t i = b->begin; i < b->end; i++) {
        float radius = f->balls[j->s->list[i]].w;
        shares[i - b->begin] = 0.0f;
        smallest = radius < smallest ? radius : smallest;
    }
    double gs = (double)f->spacing;
    float far = 0.5f * STEEPEST * f->spacing / smallest;
    b->edge = 0.0;
    for (int32_t n = 0; n < SUPI_BLOB_SAMPLES; n++) {
        float above = values[n] - f->iso;
        if (above < -far || !(owners[n] >= 0.0f)) continue;
        double part = above < far ? part_at(j, &list, low, n, above, &b->edge) : 1.0;
        shares[list.entries[(int32_t)owners[n]]] += (float)(part * gs * gs * gs);
    }
}

bool supi_blob_volumes_find(supi_blob_surface* s, const sup_allocator* allocator, supi_tasks* tasks,
                            const supi_blob_field_kernels* kernels, const supi_blob_field* field,
                            float* volumes, double* slope) {
    job j = {s, field, kernels};
    int32_t workers = tasks ? supi_tasks_worker_count(tasks) : 1;
    if (!supi_blob_blocks_find(s, allocator, workers, field)) return false;
    s->shares =
        supi_column_reserve(&s->stores[STORE_SHARE], allocator, s->list_count, sizeof *s->shares);
    if (s->list_count > 0 && !s->shares) return false;
    supi_blob_each_block(s, tasks, share_block, &j);
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

/* Over shells: on the average, the grid lies anywhere. */
double supi_blob_volume_alone(double radius, double spacing, double iso) {
    enum { SHELLS = 1000 };
    double sum = 0.0, width = radius / SHELLS;
    for (int32_t i = 0; i < SHELLS; i++) {
        double r = width * (i + 0.5), t = 1.0 - r * r / (radius * radius);
        double steepness = 6.0 * r / (radius * radius) * t * t;
        sum +=
            12.566370614359172 * r * r * width * part_inside(t * t * t - iso, steepness, spacing);
    }
    return sum;
}

void supi_blob_follow(const float* volumes, double alone, double gain, double most, double radius,
                      sup_row* balls, int32_t count) {
    double low = 0.7 * radius, high = 1.4 * radius;
    for (int32_t i = 0; i < count; i++) {
        if (!(volumes[i] > 0.0f)) continue;
        double factor = 1.0 + gain * (alone - (double)volumes[i]) / (3.0 * alone);
        factor = factor > most ? most : factor < 1.0 / most ? 1.0 / most : factor;
        double next = factor * (double)balls[i].w;
        balls[i].w = (float)(next < low ? low : next > high ? high : next);
    }
}
