/* PLY: the vertices and faces of a mesh; vertices alone are a cloud. The data is walked twice:
   first to check every value and count the corners, then, with arrays of the exact size, to fill
   them. */

#include "base/check.h"
#include "base/error.h"
#include "base/number.h"
#include "file/mesh_arrays.h"
#include "file/ply_values.h"
#include "supple/files.h"

typedef struct ply_reader {
    supi_ply_walk walk;
    sup_mesh* mesh; /* NULL in the first walk */
    int32_t polygons_read, corners_read;
} ply_reader;

static sup_result read_coordinate(ply_reader* reader, const supi_ply_property* property,
                                  int32_t row) {
    double value = 0;
    sup_result result = supi_ply_value(&reader->walk, property, property->type, &value);
    if (result != SUP_OK) return result;
    if (!supi_number_fits_float(value)) {
        return supi_ply_refuse(&reader->walk,
                               "a coordinate is not finite or beyond the range of a float");
    }
    if (!reader->mesh) return SUP_OK;
    sup_vec3* point = &reader->mesh->points[row];
    if (property->role == SUPI_PLY_X) point->x = (float)value;
    if (property->role == SUPI_PLY_Y) point->y = (float)value;
    if (property->role == SUPI_PLY_Z) point->z = (float)value;
    return SUP_OK;
}

static sup_result read_corners(ply_reader* reader, const supi_ply_property* property,
                               int64_t count) {
    if (count < 3) {
        return supi_ply_refuse(&reader->walk, "a face has 3 or more corners, but this one %d",
                               (int)count);
    }
    int32_t point_count = reader->walk.header->point_count;
    for (int64_t i = 0; i < count; i++) {
        double index = 0;
        sup_result result = supi_ply_value(&reader->walk, property, property->type, &index);
        if (result != SUP_OK) return result;
        if (index < 0 || index >= point_count) {
            return supi_ply_refuse(&reader->walk, "vertex index %lld is out of the range 0 to %d",
                                   (long long)index, (int)point_count - 1);
        }
        if (reader->mesh) reader->mesh->corners[reader->corners_read] = (int32_t)index;
        reader->corners_read++;
    }
    reader->polygons_read++;
    if (reader->mesh) reader->mesh->starts[reader->polygons_read] = reader->corners_read;
    return SUP_OK;
}

static sup_result read_property(ply_reader* reader, const supi_ply_property* property,
                                int32_t row) {
    if (!property->is_list) {
        return property->role == SUPI_PLY_SKIPPED ? supi_ply_skip(&reader->walk, property, 1)
                                                  : read_coordinate(reader, property, row);
    }
    int64_t count = 0;
    sup_result result = supi_ply_list(&reader->walk, property, &count);
    if (result != SUP_OK) return result;
    return property->role == SUPI_PLY_CORNERS ? read_corners(reader, property, count)
                                              : supi_ply_skip(&reader->walk, property, count);
}

static sup_result read_row(ply_reader* reader, const supi_ply_element* element, int32_t row) {
    sup_result result = supi_ply_begin_row(&reader->walk, element, row);
    for (int32_t i = 0; result == SUP_OK && i < element->property_count; i++) {
        result = read_property(reader, &element->properties[i], row);
    }
    return result == SUP_OK ? supi_ply_end_row(&reader->walk, element) : result;
}

static sup_result read_data(ply_reader* reader) {
    const supi_ply_header* header = reader->walk.header;
    for (int32_t i = 0; i < header->element_count; i++) {
        const supi_ply_element* element = &header->elements[i];
        for (int32_t row = 0; row < element->count; row++) {
            sup_result result = read_row(reader, element, row);
            if (result != SUP_OK) return result;
        }
    }
    return supi_ply_end(&reader->walk);
}

sup_result sup_ply_parse(const sup_allocator* allocator, const char* name, const uint8_t* bytes,
                         size_t size, sup_mesh* out, sup_error* error) {
    SUPI_NEED(error, name, out);
    if (size > 0) SUPI_NEED(error, bytes);
    if (!allocator) allocator = sup_allocator_default();
    supi_cursor cursor;
    supi_ply_header header;
    sup_result result = supi_cursor_begin(&cursor, name, bytes, size, error);
    if (result == SUP_OK) result = supi_ply_header_read(&cursor, &header, error);
    if (result != SUP_OK) return result;
    const supi_ply_walk begin = {.header = &header, .cursor = cursor, .error = error};
    ply_reader check = {.walk = begin};
    result = read_data(&check);
    if (result != SUP_OK) return result;

    sup_mesh mesh;
    if (!supi_mesh_arrays_new(allocator, header.point_count, header.polygon_count,
                              check.corners_read, &mesh)) {
        return supi_error_memory(error);
    }
    ply_reader fill = {.walk = begin, .mesh = &mesh};
    read_data(&fill); /* cannot fail: the same bytes have just passed */
    *out = mesh;
    return SUP_OK;
}
