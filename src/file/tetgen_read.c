/* TetGen: a .node file of points and an .ele file of tetrahedra, both with a number before each
   row, from 0 or from 1 on. */
#include "base/check.h"
#include "base/error.h"
#include "file/tet_arrays.h"

#define COUNT_MOST (INT32_MAX / 16)

/* Begins with a header of `size` numbers, of which none is above `most`. */
static sup_result begin(supi_cursor* cursor, const char* name, const uint8_t* bytes, size_t size,
                        const char* const* what, const int64_t (*ranges)[2], int64_t* header,
                        int32_t count, sup_error* error) {
    sup_result result = supi_cursor_begin(cursor, name, bytes, size, error);
    cursor->comment = '#';
    for (int32_t k = 0; k < count && result == SUP_OK; k++)
        result = supi_tet_arrays_read_integer(cursor, what[k], ranges[k][0], ranges[k][1],
                                              &header[k], error);
    if (result == SUP_OK) supi_cursor_next_line(cursor);
    return result;
}

/* Rows are numbered one after the other; the first says from where. */
static sup_result read_number(supi_cursor* cursor, int32_t row, int64_t* first, sup_error* error) {
    int64_t number;
    int64_t low = row == 0 ? 0 : *first + row, high = row == 0 ? 1 : *first + row;
    sup_result result =
        supi_tet_arrays_read_integer(cursor, "the number of a row", low, high, &number, error);
    if (result == SUP_OK && row == 0) *first = number;
    return result;
}

static sup_result read_nodes(supi_cursor* cursor, supi_tet_arrays* arrays, int64_t count,
                             int64_t* first, sup_error* error) {
    for (int32_t row = 0; row < count; row++) {
        sup_vec3 place;
        sup_result result = read_number(cursor, row, first, error);
        if (result == SUP_OK) result = supi_tet_arrays_read_place(cursor, &place, error);
        if (result != SUP_OK) return result;
        if (!supi_tet_arrays_add_point(arrays, place)) return supi_error_memory(error);
        supi_cursor_next_line(cursor); /* attributes and marks */
    }
    return SUP_OK;
}

static sup_result read_elements(supi_cursor* cursor, supi_tet_arrays* arrays, int64_t count,
                                int64_t first, sup_error* error) {
    int64_t own = 0;
    for (int32_t row = 0; row < count; row++) {
        int32_t tet[4];
        sup_result result = read_number(cursor, row, &own, error);
        for (int k = 0; k < 4 && result == SUP_OK; k++) {
            int64_t point = first;
            result = supi_tet_arrays_read_integer(cursor, "a corner", first,
                                                  first + arrays->point_count - 1, &point, error);
            tet[k] = (int32_t)(point - first);
        }
        if (result != SUP_OK) return result;
        if (!supi_tet_arrays_add_tet(arrays, tet)) return supi_error_memory(error);
        supi_cursor_next_line(cursor); /* midpoints of edges, regions */
    }
    return SUP_OK;
}

sup_result sup_tetgen_parse(const sup_allocator* allocator, const sup_tetgen_files* files,
                            sup_tets* out, sup_tets_mending* mending, sup_error* error) {
    SUPI_NEED(error, files, out);
    static const char* const nodes[2] = {"the number of points", "their dimension"};
    static const char* const elements[2] = {"the number of tetrahedra",
                                            "the number of their corners"};
    static const int64_t node_ranges[2][2] = {{1, COUNT_MOST}, {3, 3}};
    static const int64_t element_ranges[2][2] = {{1, COUNT_MOST}, {4, 10}};
    supi_tet_arrays arrays = {.allocator = allocator ? allocator : sup_allocator_default()};
    supi_cursor cursor;
    int64_t header[2] = {0, 0}, first = 0;
    sup_result result = begin(&cursor, files->node_name, files->nodes, files->node_size, nodes,
                              node_ranges, header, 2, error);
    if (result == SUP_OK) result = read_nodes(&cursor, &arrays, header[0], &first, error);
    if (result == SUP_OK)
        result = begin(&cursor, files->element_name, files->elements, files->element_size, elements,
                       element_ranges, header, 2, error);
    if (result == SUP_OK) result = read_elements(&cursor, &arrays, header[0], first, error);
    if (result == SUP_OK)
        result = supi_tet_arrays_finish(&arrays, files->element_name, out, mending, error);
    supi_tet_arrays_free(&arrays);
    return result;
}
