/* How strained the springs of a body are. */
#include "base/check.h"
#include "geom/vector.h"
#include "world/springs.h"
#include "world/tear.h"

#include <math.h>

static double present_length(const sup_row* x, const sup_spring* s) {
    const double d[3] = {(double)x[s->b].x - (double)x[s->a].x,
                         (double)x[s->b].y - (double)x[s->a].y,
                         (double)x[s->b].z - (double)x[s->a].z};
    return supi_vector_length(d);
}

/* The springs that there are now. */
static const sup_spring* springs_of(const supi_body* body, int32_t* count) {
    const supi_refine* cuts = body->elastic->cuts;
    if (!cuts) return supi_tear_springs(body, count);
    *count = cuts->net.spring_count;
    return cuts->springs;
}

/* m by which spring i is longer than `rest`; what only pulls is never shorter. */
static double stretch_of(const supi_body* body, const sup_row* x, const sup_spring* springs,
                         int32_t i, double* rest) {
    const float* own = body->elastic->lengths;
    const sup_spring* s = springs + i;
    *rest = (double)(own ? own[i] : s->length);
    double stretch = present_length(x, s) - *rest;
    return s->slack && stretch < 0.0 ? 0.0 : stretch;
}

int32_t supi_springs_measure(const sup_world* world, const supi_body* body,
                             sup_spring_measures* out) {
    *out = (sup_spring_measures){0};
    if (!body->elastic) return 0;
    const supi_refine* cuts = body->elastic->cuts;
    int32_t spring_count;
    const sup_spring* springs = springs_of(body, &spring_count);
    const sup_row* x = world->now.x + body->row;
    double strains = 0.0;
    int32_t count = 0;
    *out = body->elastic->measures;
    out->excess = supi_limit_measure(world, body);
    out->torn = body->elastic->tear ? body->elastic->tear->torn : 0;
    out->active = cuts ? cuts->active_count : body->blueprint->info.particle_count;
    out->level = cuts ? cuts->deepest : 0;
    for (int32_t i = 0; i < spring_count; i++) {
        const sup_spring* s = springs + i;
        double rest, stretch = stretch_of(body, x, springs, i, &rest);
        out->energy += 0.5 * (double)s->stiffness * stretch * stretch;
        if (s->kind != SUP_SPRING_STRUCT || !(rest > 0.0)) continue;
        double strain = fabs(stretch) / rest;
        strains += strain;
        count++;
        if (strain > out->most_strain) out->most_strain = strain;
    }
    if (!(out->frequency > 0.0)) { /* nothing asked for it: a bound has to do */
        const supi_spring_net net = supi_yield_net(body);
        out->frequency = supi_step_bound(&net, x);
    }
    out->mean_strain = count > 0 ? strains / count : 0.0;
    return count;
}

void supi_springs_strains(const sup_world* world, const supi_body* body, float* strains) {
    const sup_row* x = world->now.x + body->row;
    int32_t spring_count;
    const sup_spring* springs = springs_of(body, &spring_count);
    for (int32_t r = 0; r < body->blueprint->info.particle_count; r++) strains[r] = 0.0f;
    for (int32_t i = 0; i < spring_count; i++) {
        const sup_spring* s = springs + i;
        double rest, stretch = stretch_of(body, x, springs, i, &rest);
        if (s->kind != SUP_SPRING_STRUCT || !(rest > 0.0)) continue;
        float strain = (float)(fabs(stretch) / rest);
        if (strain > strains[s->a]) strains[s->a] = strain;
        if (strain > strains[s->b]) strains[s->b] = strain;
    }
}

void supi_springs_add_measures(const sup_spring_measures* one, sup_spring_measures* all) {
    all->energy += one->energy;
    all->steps += one->steps;
    all->rejected += one->rejected;
    all->forced += one->forced;
    all->iterations += one->iterations;
    all->torn += one->torn;
    all->active += one->active;
    if (one->level > all->level) all->level = one->level;
    if (one->most_strain > all->most_strain) all->most_strain = one->most_strain;
    if (one->frequency > all->frequency) all->frequency = one->frequency;
    if (one->residual > all->residual) all->residual = one->residual;
    if (one->excess > all->excess) all->excess = one->excess;
}

sup_result sup_body_measure_springs(const sup_world* world, sup_body handle,
                                    sup_spring_measures* out) {
    SUPI_NEED(NULL, world, out);
    const supi_body* body = supi_world_body(world, handle);
    if (!body) return SUP_STALE;
    if (!body->elastic) return SUP_BAD_ARGUMENT;
    supi_springs_measure(world, body, out);
    return SUP_OK;
}
