#include "geom/cells.h"

#include "base/memory.h"
#include "geom/vector.h"

void supi_cells_begin(supi_cells* cells, const sup_allocator* allocator, double size) {
    *cells = (supi_cells){.allocator = allocator, .size = size};
}

void supi_cells_free(supi_cells* cells) {
    supi_memory_free(cells->allocator, cells->places, (size_t)cells->capacity, 3 * sizeof(double));
    supi_memory_free(cells->allocator, cells->nexts, (size_t)cells->next_capacity, sizeof(int32_t));
    supi_memory_free(cells->allocator, cells->heads, (size_t)cells->head_count, sizeof(int32_t));
    *cells = (supi_cells){0};
}

const double* supi_cells_place(const supi_cells* cells, int32_t i) {
    return (const double*)cells->places + 3 * (size_t)i;
}

static int32_t* head_of(const supi_cells* cells, const double p[3], const int32_t offset[3]) {
    uint64_t key = 0;
    for (int k = 0; k < 3; k++) {
        int64_t cell = (int64_t)floor(p[k] / cells->size) + offset[k];
        key = (key ^ (uint64_t)cell) * UINT64_C(0x9e3779b97f4a7c15);
    }
    return &cells->heads[(key >> 32) & (uint64_t)(cells->head_count - 1)];
}

static void enter(supi_cells* cells, int32_t i) {
    static const int32_t here[3] = {0, 0, 0};
    int32_t* head = head_of(cells, supi_cells_place(cells, i), here);
    ((int32_t*)cells->nexts)[i] = *head;
    *head = i + 1;
}

/* More lists than places. */
static bool grow_heads(supi_cells* cells) {
    if (cells->head_count > cells->count) return true;
    int32_t wanted = cells->head_count > 0 ? 4 * cells->head_count : 64;
    int32_t* heads = supi_memory_new(cells->allocator, (size_t)wanted, sizeof *heads);
    if (!heads) return false;
    supi_memory_free(cells->allocator, cells->heads, (size_t)cells->head_count, sizeof *heads);
    cells->heads = heads;
    cells->head_count = wanted;
    for (int32_t i = 0; i < cells->count; i++) enter(cells, i);
    return true;
}

bool supi_cells_add(supi_cells* cells, const double place[3]) {
    int32_t need = cells->count + 1;
    if (!supi_memory_grow(cells->allocator, &cells->places, &cells->capacity, need,
                          3 * sizeof(double)) ||
        !supi_memory_grow(cells->allocator, &cells->nexts, &cells->next_capacity, need,
                          sizeof(int32_t)) ||
        !grow_heads(cells)) {
        return false;
    }
    double* to = (double*)cells->places + 3 * (size_t)cells->count;
    for (int k = 0; k < 3; k++) to[k] = place[k];
    enter(cells, cells->count++);
    return true;
}

bool supi_cells_clear(const supi_cells* cells, const double place[3], double gap) {
    if (cells->count == 0) return true;
    for (int32_t n = 0; n < 27; n++) {
        int32_t offset[3] = {n % 3 - 1, n / 3 % 3 - 1, n / 9 - 1};
        for (int32_t i = *head_of(cells, place, offset); i; i = ((int32_t*)cells->nexts)[i - 1]) {
            double apart[3];
            supi_vector_subtract(place, supi_cells_place(cells, i - 1), apart);
            if (supi_vector_dot(apart, apart) < gap * gap) return false;
        }
    }
    return true;
}
