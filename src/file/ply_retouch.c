/* A PLY written again with other vertices; all other numbers and elements stay as they are. */
#include "base/error.h"
#include "base/memory.h"
#include "file/ply_values.h"
#include "file/retouch.h"
#include "file/text_write.h"

#include <string.h>

typedef struct retouch {
    supi_ply_walk walk;
    supi_writer* out;
    const uint8_t* bytes;
    size_t copied; /* bytes that are out */
    const sup_mesh* mesh;
    const sup_vec3* points;
} retouch;

/* The bytes of a number as the file has them. */
static size_t encode(const supi_ply_header* header, supi_ply_type type, float value,
                     uint8_t out[8]) {
    double wide = (double)value;
    uint64_t bits = 0;
    size_t size = supi_ply_type_size(type);
    if (type == SUPI_PLY_FLOAT32) {
        uint32_t narrow;
        memcpy(&narrow, &value, sizeof narrow);
        bits = narrow;
    } else {
        memcpy(&bits, &wide, sizeof bits);
    }
    for (size_t i = 0; i < size; i++) {
        size_t shift = header->format == SUPI_PLY_BIG_ENDIAN ? size - 1 - i : i;
        out[i] = (uint8_t)(bits >> 8 * shift);
    }
    return size;
}

/* The last value of the walk becomes another one. */
static void put_value(retouch* r, const supi_ply_property* property, float value) {
    bool ascii = r->walk.header->format == SUPI_PLY_ASCII;
    size_t at = ascii ? (size_t)((const uint8_t*)r->walk.token.text - r->bytes) : r->walk.value_at;
    supi_writer_put(r->out, r->bytes + r->copied, at - r->copied);
    if (ascii) {
        supi_text_put_float(r->out, value);
        r->copied = at + r->walk.token.size;
    } else {
        uint8_t raw[8];
        size_t size = encode(r->walk.header, property->type, value, raw);
        supi_writer_put(r->out, raw, size);
        r->copied = at + size;
    }
}

static sup_result read_property(retouch* r, const supi_ply_property* property, int32_t row) {
    int64_t count = 1;
    bool coordinate = property->role >= SUPI_PLY_X && property->role <= SUPI_PLY_Z;
    if (property->is_list) {
        sup_result result = supi_ply_list(&r->walk, property, &count);
        if (result != SUP_OK) return result;
    }
    if (property->is_list || !coordinate) return supi_ply_skip(&r->walk, property, count);
    double value;
    sup_result result = supi_ply_value(&r->walk, property, property->type, &value);
    if (result != SUP_OK) return result;
    if (memcmp(&r->mesh->points[row], &r->points[row], sizeof *r->points) == 0) return SUP_OK;
    if (supi_ply_type_is_integer(property->type))
        return supi_error_set(r->walk.error, SUP_UNSUPPORTED,
                              "%.200s: points that are whole numbers cannot be moved",
                              r->walk.cursor.name);
    const sup_vec3* to = &r->points[row];
    put_value(r, property,
              property->role == SUPI_PLY_X   ? to->x
              : property->role == SUPI_PLY_Y ? to->y
                                             : to->z);
    return SUP_OK;
}

static sup_result read_all(retouch* r) {
    const supi_ply_header* header = r->walk.header;
    for (int32_t i = 0; i < header->element_count; i++) {
        const supi_ply_element* element = &header->elements[i];
        for (int32_t row = 0; row < element->count; row++) {
            sup_result result = supi_ply_begin_row(&r->walk, element, row);
            for (int32_t k = 0; result == SUP_OK && k < element->property_count; k++)
                result = read_property(r, &element->properties[k], row);
            if (result == SUP_OK) result = supi_ply_end_row(&r->walk, element);
            if (result != SUP_OK) return result;
        }
    }
    return SUP_OK;
}

sup_result supi_ply_retouch(supi_writer* out, const sup_allocator* allocator, const char* name,
                            const uint8_t* bytes, size_t size, const sup_mesh* mesh,
                            const sup_vec3* points, sup_error* error) {
    supi_cursor cursor;
    supi_ply_header* header = supi_memory_new(allocator, 1, sizeof *header);
    if (!header) return supi_error_memory(error);
    sup_result result = supi_cursor_begin(&cursor, name, bytes, size, error);
    if (result == SUP_OK) result = supi_ply_header_read(&cursor, header, error);
    if (result == SUP_OK) {
        retouch r = {.walk = {.header = header, .cursor = cursor, .error = error},
                     .out = out,
                     .bytes = bytes,
                     .mesh = mesh,
                     .points = points};
        result = read_all(&r);
        if (result == SUP_OK) supi_writer_put(out, bytes + r.copied, size - r.copied);
    }
    supi_memory_free(allocator, header, 1, sizeof *header);
    return result;
}
