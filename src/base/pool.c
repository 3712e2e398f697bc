#include "base/pool.h"

bool supi_pool_take(supi_pool* pool, const sup_allocator* allocator, int32_t value, uint32_t* slot,
                    uint32_t* age) {
    int32_t at = pool->free;
    if (at == 0) {
        int32_t next = pool->count == 0 ? 1 : pool->count;
        if (next == INT32_MAX ||
            !supi_column_reserve(&pool->column, allocator, next + 1, sizeof *pool->slots)) {
            return false;
        }
        pool->slots = pool->column.items;
        at = next;
        pool->count = next + 1;
    } else {
        pool->free = pool->slots[at].value;
    }
    pool->slots[at].age++;
    pool->slots[at].value = value;
    *slot = (uint32_t)at;
    *age = pool->slots[at].age;
    return true;
}

void supi_pool_drop(supi_pool* pool, uint32_t slot) {
    pool->slots[slot].age++;
    pool->slots[slot].value = pool->free;
    pool->free = (int32_t)slot;
}

int32_t supi_pool_find(const supi_pool* pool, uint32_t slot, uint32_t age) {
    bool alive = slot < (uint32_t)pool->count && (age & 1) && pool->slots[slot].age == age;
    return alive ? pool->slots[slot].value : -1;
}

void supi_pool_free(supi_pool* pool, const sup_allocator* allocator) {
    supi_column_free(&pool->column, allocator);
    *pool = (supi_pool){0};
}
