/* The different blueprints that the bodies of a world are made from, in order of first use. */
#ifndef SUPPLE_TAPE_PRINTS_H
#define SUPPLE_TAPE_PRINTS_H

#include "base/arena.h"
#include "world/world.h"

typedef struct supi_prints {
    supi_arena store;
    sup_blueprint** items; /* not retained; NULL: taken */
    int32_t* of_body;      /* which one, by body */
    int32_t count;
    /* The same by the fingerprints of their bytes, once they are looked for; NULL until then. */
    uint64_t* fingerprints;
    int32_t* by_fingerprint;
} supi_prints;

/* False when memory is short. */
bool supi_prints_collect(const sup_world* world, supi_prints* out);
/* Takes a blueprint with these very bytes as its recipe out of the list, or NULL; `likely` is
   looked at first. None is taken twice: two that are alike are still two. False when memory is
   short. */
bool supi_prints_take(supi_prints* prints, int32_t likely, const uint8_t* bytes, size_t size,
                      sup_blueprint** found);
void supi_prints_free(supi_prints* prints);

#endif
