#include "base/meter.h"

static void* allocate(void* user, size_t size, size_t alignment) {
    supi_meter* meter = user;
    if (size > meter->limit || meter->bytes > meter->limit - size) {
        meter->refused = true;
        return NULL;
    }
    void* block = meter->inner->allocate(meter->inner->user, size, alignment);
    if (block) meter->bytes += size;
    return block;
}

static void release(void* user, void* pointer, size_t size) {
    supi_meter* meter = user;
    if (!pointer) return;
    meter->bytes -= size;
    meter->inner->release(meter->inner->user, pointer, size);
}

const sup_allocator* supi_meter_begin(supi_meter* meter, const sup_allocator* inner,
                                      uint64_t limit) {
    *meter = (supi_meter){.inner = inner, .limit = limit};
    meter->table = (sup_allocator){meter, allocate, release};
    return &meter->table;
}
