/* Views of buffers, and the arrays of numbers in them. */
#include <math.h>
#include <string.h>

#include "base/error.h"
#include "file/gltf_file.h"
#include "file/little_endian.h"

#define LARGEST_OFFSET ((int64_t)1 << 53)

size_t supi_gltf_component_size(supi_gltf_component component) {
    switch (component) {
    case SUPI_GLTF_BYTE:
    case SUPI_GLTF_UBYTE: return 1;
    case SUPI_GLTF_SHORT:
    case SUPI_GLTF_USHORT: return 2;
    case SUPI_GLTF_UINT:
    case SUPI_GLTF_FLOAT: return 4;
    }
    return 0;
}

static size_t element_size(const supi_gltf_accessor* accessor) {
    return supi_gltf_component_size(accessor->component) * (size_t)accessor->width;
}

/* --- tables --- */

static sup_result read_view(supi_gltf* gltf, const supi_json* place, supi_gltf_view* view) {
    int32_t buffer;
    int64_t offset = 0, length = 0, stride = 0;
    sup_result result = supi_gltf_needed_index(gltf, place, "buffer", gltf->buffer_count, &buffer);
    if (result == SUP_OK) {
        result = supi_gltf_integer(gltf, place, "byteOffset", 0, LARGEST_OFFSET, &offset);
    }
    if (result == SUP_OK) {
        result = supi_gltf_needed_integer(gltf, place, "byteLength", 1, LARGEST_OFFSET, &length);
    }
    if (result == SUP_OK) result = supi_gltf_integer(gltf, place, "byteStride", 4, 252, &stride);
    if (result != SUP_OK) return result;
    const supi_gltf_buffer* bytes = &gltf->buffers[buffer];
    if ((uint64_t)offset + (uint64_t)length > bytes->size) {
        return supi_gltf_fail(gltf, place, "the view ends at byte %lld of a buffer of %zu bytes",
                              (long long)(offset + length), bytes->size);
    }
    *view = (supi_gltf_view){bytes->bytes + offset, (size_t)length, (size_t)stride};
    return SUP_OK;
}

/* Where `count` elements of `size` bytes lie; `stride` 0: packed. */
static sup_result locate(const supi_gltf* gltf, const supi_json* place, const supi_gltf_view* view,
                         int64_t count, size_t size, size_t stride, const uint8_t** bytes) {
    int64_t offset = 0;
    sup_result result = supi_gltf_integer(gltf, place, "byteOffset", 0, LARGEST_OFFSET, &offset);
    if (result != SUP_OK) return result;
    if (stride == 0) stride = size;
    if (stride < size) {
        return supi_gltf_fail(gltf, place, "elements of %zu bytes are only %zu bytes apart", size,
                              stride);
    }
    uint64_t end = (uint64_t)offset + (uint64_t)(count - 1) * stride + size;
    if (end > view->size) {
        return supi_gltf_fail(gltf, place, "%lld elements end at byte %llu of a view of %zu bytes",
                              (long long)count, (unsigned long long)end, view->size);
    }
    *bytes = view->bytes + offset;
    return SUP_OK;
}

static sup_result read_component(const supi_gltf* gltf, const supi_json* place,
                                 supi_gltf_component* component) {
    int64_t type = 0;
    sup_result result = supi_gltf_needed_integer(gltf, place, "componentType", SUPI_GLTF_BYTE,
                                                 SUPI_GLTF_FLOAT, &type);
    if (result != SUP_OK) return result;
    *component = (supi_gltf_component)type;
    if (supi_gltf_component_size(*component) > 0) return SUP_OK;
    return supi_gltf_fail(
        gltf, place, "\"componentType\" must be 5120 to 5123, 5125 or 5126, not %d", (int)type);
}

/* How many numbers an element has. */
static sup_result read_width(const supi_gltf* gltf, const supi_json* place, int32_t* width) {
    static const struct {
        const char* name;
        int32_t width;
    } types[] = {{"SCALAR", 1}, {"VEC2", 2}, {"VEC3", 3}, {"VEC4", 4},
                 {"MAT2", 4},   {"MAT3", 9}, {"MAT4", 16}};
    const supi_json* type;
    sup_result result = supi_gltf_needed(gltf, place, "type", SUPI_JSON_STRING, &type);
    if (result != SUP_OK) return result;
    for (size_t i = 0; i < sizeof types / sizeof *types; i++) {
        if (strcmp(type->text, types[i].name) != 0) continue;
        *width = types[i].width;
        return SUP_OK;
    }
    return supi_gltf_fail(gltf, type,
                          "\"type\" must be SCALAR, VEC2, VEC3, VEC4, MAT2, MAT3 or MAT4");
}

/* One half of a sparse accessor, packed in a view of its own. */
static sup_result locate_sparse(const supi_gltf* gltf, const supi_json* sparse, const char* key,
                                int64_t count, size_t size, const uint8_t** bytes) {
    const supi_json* place;
    int32_t view;
    sup_result result = supi_gltf_needed(gltf, sparse, key, SUPI_JSON_OBJECT, &place);
    if (result == SUP_OK) {
        result = supi_gltf_needed_index(gltf, place, "bufferView", gltf->view_count, &view);
    }
    if (result != SUP_OK) return result;
    return locate(gltf, place, &gltf->views[view], count, size, 0, bytes);
}

static sup_result read_sparse(const supi_gltf* gltf, const supi_json* sparse,
                              supi_gltf_accessor* accessor) {
    const supi_json* indices;
    int64_t count = 0;
    sup_result result = supi_gltf_needed_integer(gltf, sparse, "count", 1, accessor->count, &count);
    if (result == SUP_OK) {
        result = supi_gltf_needed(gltf, sparse, "indices", SUPI_JSON_OBJECT, &indices);
    }
    if (result == SUP_OK) result = read_component(gltf, indices, &accessor->sparse_component);
    if (result != SUP_OK) return result;
    supi_gltf_component component = accessor->sparse_component;
    if (component != SUPI_GLTF_UBYTE && component != SUPI_GLTF_USHORT &&
        component != SUPI_GLTF_UINT) {
        return supi_gltf_fail(gltf, indices, "sparse indices must be unsigned integers");
    }
    result = locate_sparse(gltf, sparse, "indices", count, supi_gltf_component_size(component),
                           &accessor->sparse_indices);
    if (result == SUP_OK) {
        result = locate_sparse(gltf, sparse, "values", count, element_size(accessor),
                               &accessor->sparse_values);
    }
    if (result == SUP_OK) accessor->sparse_count = (int32_t)count;
    return result;
}

static sup_result read_accessor(const supi_gltf* gltf, const supi_json* place,
                                supi_gltf_accessor* accessor) {
    const supi_json *normalized, *sparse;
    int64_t count = 0;
    int32_t view;
    accessor->place = place;
    sup_result result = read_component(gltf, place, &accessor->component);
    if (result == SUP_OK) result = read_width(gltf, place, &accessor->width);
    if (result == SUP_OK) {
        result = supi_gltf_needed_integer(gltf, place, "count", 1, INT32_MAX, &count);
    }
    if (result == SUP_OK) {
        result = supi_gltf_field(gltf, place, "normalized", SUPI_JSON_BOOL, &normalized);
    }
    if (result == SUP_OK) {
        result = supi_gltf_field(gltf, place, "sparse", SUPI_JSON_OBJECT, &sparse);
    }
    if (result == SUP_OK) {
        result = supi_gltf_index(gltf, place, "bufferView", gltf->view_count, &view);
    }
    if (result != SUP_OK) return result;
    accessor->count = (int32_t)count;
    accessor->normalized = normalized && normalized->boolean;
    if (accessor->normalized && supi_gltf_component_size(accessor->component) == 4) {
        return supi_gltf_fail(gltf, normalized, "only integers of 8 and 16 bits are normalized");
    }
    if (view >= 0) {
        size_t size = element_size(accessor), stride = gltf->views[view].stride;
        accessor->stride = stride ? stride : size;
        result = locate(gltf, place, &gltf->views[view], count, size, stride, &accessor->bytes);
    }
    return result == SUP_OK && sparse ? read_sparse(gltf, sparse, accessor) : result;
}

static sup_result read_views(supi_gltf* gltf) {
    supi_gltf_table table;
    sup_result result = supi_gltf_table_read(gltf, gltf->json.root, "bufferViews", &table);
    if (result != SUP_OK) return result;
    gltf->views = supi_arena_push(&gltf->store, (size_t)table.count, sizeof *gltf->views);
    if (!gltf->views) return supi_error_memory(gltf->error);
    gltf->view_count = table.count;
    for (int32_t i = 0; i < table.count && result == SUP_OK; i++) {
        result = read_view(gltf, table.rows[i], &gltf->views[i]);
    }
    return result;
}

sup_result supi_gltf_accessors_read(supi_gltf* gltf) {
    supi_gltf_table table;
    sup_result result = read_views(gltf);
    if (result == SUP_OK) {
        result = supi_gltf_table_read(gltf, gltf->json.root, "accessors", &table);
    }
    if (result != SUP_OK) return result;
    gltf->accessors = supi_arena_push(&gltf->store, (size_t)table.count, sizeof *gltf->accessors);
    if (!gltf->accessors) return supi_error_memory(gltf->error);
    gltf->accessor_count = table.count;
    for (int32_t i = 0; i < table.count && result == SUP_OK; i++) {
        result = read_accessor(gltf, table.rows[i], &gltf->accessors[i]);
    }
    return result;
}

/* --- numbers --- */

static double number_at(const uint8_t* bytes, supi_gltf_component component) {
    switch (component) {
    case SUPI_GLTF_BYTE: return (int8_t)bytes[0];
    case SUPI_GLTF_UBYTE: return bytes[0];
    case SUPI_GLTF_SHORT: return (int16_t)supi_little_u16(bytes);
    case SUPI_GLTF_USHORT: return supi_little_u16(bytes);
    case SUPI_GLTF_UINT: return supi_little_u32(bytes);
    case SUPI_GLTF_FLOAT: return (double)supi_little_float(bytes);
    }
    return 0;
}

/* The integer that stands for 1; the most negative one would be a little below -1. */
static double unit_of(const supi_gltf_accessor* accessor) {
    if (!accessor->normalized) return 1;
    switch (accessor->component) {
    case SUPI_GLTF_BYTE: return INT8_MAX;
    case SUPI_GLTF_UBYTE: return UINT8_MAX;
    case SUPI_GLTF_SHORT: return INT16_MAX;
    case SUPI_GLTF_USHORT: return UINT16_MAX;
    default: return 1;
    }
}

static int64_t sparse_index(const supi_gltf_accessor* accessor, int32_t i) {
    size_t size = supi_gltf_component_size(accessor->sparse_component);
    return (int64_t)number_at(accessor->sparse_indices + size * (size_t)i,
                              accessor->sparse_component);
}

static sup_result check_sparse(const supi_gltf* gltf, const supi_gltf_accessor* accessor) {
    int64_t last = -1;
    for (int32_t i = 0; i < accessor->sparse_count; i++) {
        int64_t index = sparse_index(accessor, i);
        if (index <= last || index >= accessor->count) {
            return supi_gltf_fail(gltf, accessor->place,
                                  "sparse index %lld does not ascend within 0 .. %d",
                                  (long long)index, (int)accessor->count - 1);
        }
        last = index;
    }
    return SUP_OK;
}

/* Elements of floats `stride` bytes apart. */
static sup_result check_finite(const supi_gltf* gltf, const supi_gltf_accessor* accessor,
                               const uint8_t* bytes, size_t stride, int32_t count) {
    for (int32_t i = 0; i < count; i++, bytes += stride) {
        for (int32_t k = 0; k < accessor->width; k++) {
            if (isfinite(supi_little_float(bytes + 4 * k))) continue;
            return supi_gltf_fail(gltf, accessor->place, "element %d is not finite", (int)i);
        }
    }
    return SUP_OK;
}

sup_result supi_gltf_accessor_check(supi_gltf* gltf, const supi_gltf_accessor* accessor) {
    sup_result result = supi_gltf_spend(gltf, accessor->place, (uint64_t)accessor->count);
    if (result == SUP_OK) result = check_sparse(gltf, accessor);
    if (result != SUP_OK || accessor->component != SUPI_GLTF_FLOAT) return result;
    if (accessor->bytes) {
        result = check_finite(gltf, accessor, accessor->bytes, accessor->stride, accessor->count);
    }
    if (result != SUP_OK) return result;
    return check_finite(gltf, accessor, accessor->sparse_values, element_size(accessor),
                        accessor->sparse_count);
}

static void add_element(const supi_gltf_accessor* accessor, const uint8_t* bytes, double weight,
                        double* sums) {
    size_t size = supi_gltf_component_size(accessor->component);
    double unit = unit_of(accessor);
    for (int32_t k = 0; k < accessor->width; k++) {
        double number = number_at(bytes + size * (size_t)k, accessor->component) / unit;
        if (accessor->normalized && number < -1) number = -1;
        sums[k] += weight * number;
    }
}

void supi_gltf_accessor_add(const supi_gltf_accessor* accessor, double weight, double* sums) {
    size_t width = (size_t)accessor->width;
    int32_t next = 0; /* sparse element */
    if (accessor->bytes) {
        const uint8_t* bytes = accessor->bytes;
        for (int32_t i = 0; i < accessor->count; i++, bytes += accessor->stride) {
            bool replaced = next < accessor->sparse_count && sparse_index(accessor, next) == i;
            next += replaced;
            if (!replaced) add_element(accessor, bytes, weight, sums + width * (size_t)i);
        }
    }
    for (int32_t i = 0; i < accessor->sparse_count; i++) {
        add_element(accessor, accessor->sparse_values + element_size(accessor) * (size_t)i, weight,
                    sums + width * (size_t)sparse_index(accessor, i));
    }
}
