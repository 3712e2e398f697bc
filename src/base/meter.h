/* An allocator that hands on to another one, up to a number of bytes alive at once. */
#ifndef SUPPLE_BASE_METER_H
#define SUPPLE_BASE_METER_H

#include "supple/base.h"

/* Must not move while in use. What was taken through it may be given back to `inner` directly. */
typedef struct supi_meter {
    sup_allocator table;
    const sup_allocator* inner;
    uint64_t limit, bytes; /* that may be and are alive */
    bool refused;          /* someone wanted more */
} supi_meter;

/* Returns the table to allocate with. Not for several threads at once. */
const sup_allocator* supi_meter_begin(supi_meter* meter, const sup_allocator* inner,
                                      uint64_t limit);

#endif
