/* What all questions about a world need: who is asked, and where particles are. */
#ifndef SUPPLE_WORLD_QUERY_H
#define SUPPLE_WORLD_QUERY_H

#include "world/world.h"

/* Does a question with this filter see it? */
static inline bool supi_query_body(const supi_body* body, sup_filter filter) {
    return !body->doomed && supi_filters_meet(body->filter, filter);
}

static inline bool supi_query_collider(const supi_collider* collider, sup_filter filter) {
    return !collider->doomed && !collider->def.sensor &&
           supi_filters_meet(collider->def.filter, filter);
}

/* m: where a row of a body is, relative to its anchor. */
static inline void supi_query_row(const sup_world* world, const supi_body* body, int32_t row,
                                  double out[3]) {
    const sup_row* x = world->now.x + body->row + row;
    out[0] = (double)x->x;
    out[1] = (double)x->y;
    out[2] = (double)x->z;
}

/* m: box around some rows. */
static inline void supi_query_rows(const sup_world* world, const sup_row* rows, int32_t count,
                                   double low[3], double high[3]) {
    supi_extent box;
    world->kernels->inspect(rows, 0, count, &box);
    for (int k = 0; k < 3; k++) {
        low[k] = (double)box.low[k];
        high[k] = (double)box.high[k];
    }
}

/* m: box around a body's particles, relative to its anchor. */
static inline void supi_query_box(const sup_world* world, const supi_body* body, double low[3],
                                  double high[3]) {
    supi_query_rows(world, world->now.x + body->row, body->blueprint->info.particle_count, low,
                    high);
}

#endif
