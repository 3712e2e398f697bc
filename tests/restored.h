/* Bodies that were not finite any more: the step puts them back, so nobody else sees it. */
#ifndef SUPPLE_TESTS_RESTORED_H
#define SUPPLE_TESTS_RESTORED_H

#include "supple/supple.h"

/* How many the last step has put back. */
static inline int32_t restored_count(const sup_world* world) {
    int32_t count, restored = 0;
    const sup_event* events = sup_world_events(world, &count);
    for (int32_t i = 0; i < count; i++) restored += events[i].kind == SUP_EVENT_BODY_RESTORED;
    return restored;
}

#endif
