#include "file/tet_arrays.h"

#include "base/error.h"
#include "base/memory.h"

void supi_tet_arrays_free(supi_tet_arrays* arrays) {
    supi_memory_free(arrays->allocator, arrays->points, (size_t)arrays->point_room,
                     sizeof(sup_vec3));
    supi_memory_free(arrays->allocator, arrays->tets, (size_t)arrays->tet_room,
                     4 * sizeof(int32_t));
}

bool supi_tet_arrays_add_point(supi_tet_arrays* arrays, sup_vec3 point) {
    if (arrays->point_count == arrays->point_room &&
        !supi_memory_grow(arrays->allocator, &arrays->points, &arrays->point_room,
                          arrays->point_count + 1, sizeof point)) {
        return false;
    }
    ((sup_vec3*)arrays->points)[arrays->point_count++] = point;
    return true;
}

bool supi_tet_arrays_add_tet(supi_tet_arrays* arrays, const int32_t tet[4]) {
    if (arrays->tet_count == arrays->tet_room &&
        !supi_memory_grow(arrays->allocator, &arrays->tets, &arrays->tet_room,
                          arrays->tet_count + 1, 4 * sizeof *tet)) {
        return false;
    }
    int32_t* row = (int32_t*)arrays->tets + 4 * (size_t)arrays->tet_count++;
    for (int k = 0; k < 4; k++) row[k] = tet[k];
    return true;
}

sup_result supi_tet_arrays_read_place(supi_cursor* cursor, sup_vec3* place, sup_error* error) {
    float* numbers[3] = {&place->x, &place->y, &place->z};
    sup_result result = SUP_OK;
    for (int k = 0; k < 3 && result == SUP_OK; k++) {
        supi_token word = supi_cursor_word(cursor);
        if (word.size == 0) return supi_token_refuse(&word, cursor->name, "a coordinate", error);
        result = supi_token_float(&word, cursor->name, numbers[k], error);
    }
    return result;
}

sup_result supi_tet_arrays_read_integer(supi_cursor* cursor, const char* what, int64_t low,
                                        int64_t high, int64_t* value, sup_error* error) {
    supi_token word = supi_cursor_word(cursor);
    return supi_token_integer(&word, cursor->name, what, low, high, value, error);
}

sup_result supi_tet_arrays_finish(supi_tet_arrays* arrays, const char* name, sup_tets* out,
                                  sup_tets_mending* mending, sup_error* error) {
    sup_error why;
    sup_result result = sup_tets_mend(arrays->allocator, arrays->point_count, arrays->points,
                                      arrays->tet_count, arrays->tets, out, mending, &why);
    if (result == SUP_BAD_ARGUMENT)
        return supi_error_set(error, SUP_BAD_FILE, "%.200s: %.250s", name, why.text);
    return result == SUP_OK ? result : supi_error_memory(error);
}
