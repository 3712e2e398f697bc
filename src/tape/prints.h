/* The different blueprints that the bodies of a world are made from, in order of first use. */
#ifndef SUPPLE_TAPE_PRINTS_H
#define SUPPLE_TAPE_PRINTS_H

#include "world/world.h"

typedef struct supi_prints {
    sup_blueprint** items; /* not retained */
    int32_t* of_body;      /* which one, by body (body_count) */
    int32_t count, body_count;
} supi_prints;

/* False when memory is short. */
bool supi_prints_collect(const sup_world* world, supi_prints* out);
void supi_prints_free(const sup_world* world, supi_prints* prints);

#endif
