/* Volume meshes from and to files, by the endings of their names. */
#include <math.h>
#include <string.h>

#include "base/check.h"
#include "base/error.h"
#include "base/file_io.h"
#include "base/memory.h"
#include "file/ending.h"
#include "file/text_write.h"
#include "file/vtu_write.h"
#include "supple/tets.h"

/* ---- In ---- */

static sup_result load_msh(const sup_allocator* allocator, const sup_file_gate* files,
                           const char* path, sup_tets* out, sup_tets_mending* mending,
                           sup_error* error) {
    supi_bytes bytes;
    sup_result result = supi_file_read(files, allocator, path, &bytes, error);
    if (result != SUP_OK) return result;
    result = sup_msh_parse(allocator, path, bytes.data, bytes.size, out, mending, error);
    supi_bytes_free(allocator, &bytes);
    return result;
}

/* The name is one of two; the other has the same stem. */
static sup_result load_tetgen(const sup_allocator* allocator, const sup_file_gate* files,
                              const char* path, sup_tets* out, sup_tets_mending* mending,
                              sup_error* error) {
    bool is_node = supi_ending_is(path, ".node");
    size_t stem = strlen(path) - (is_node ? 5 : 4), room = stem + 6;
    char* other = supi_memory_new(allocator, room, 1);
    if (!other) return supi_error_memory(error);
    memcpy(other, path, stem);
    memcpy(other + stem, is_node ? ".ele" : ".node", is_node ? 5 : 6);
    sup_tetgen_files pair = {.node_name = is_node ? path : other,
                             .element_name = is_node ? other : path};
    supi_bytes nodes, elements;
    sup_result result = supi_file_read(files, allocator, pair.node_name, &nodes, error);
    if (result == SUP_OK) {
        result = supi_file_read(files, allocator, pair.element_name, &elements, error);
        if (result == SUP_OK) {
            pair.nodes = nodes.data, pair.node_size = nodes.size;
            pair.elements = elements.data, pair.element_size = elements.size;
            result = sup_tetgen_parse(allocator, &pair, out, mending, error);
            supi_bytes_free(allocator, &elements);
        }
        supi_bytes_free(allocator, &nodes);
    }
    supi_memory_free(allocator, other, room, 1);
    return result;
}

bool sup_tets_is_file(const char* path) {
    return supi_ending_is(path, ".msh") || supi_ending_is(path, ".node") ||
           supi_ending_is(path, ".ele");
}

sup_result sup_tets_load(const sup_allocator* allocator, const sup_file_gate* files,
                         const char* path, sup_tets* out, sup_tets_mending* mending,
                         sup_error* error) {
    SUPI_NEED(error, path, out);
    if (!allocator) allocator = sup_allocator_default();
    if (!files) files = sup_file_gate_default();
    if (supi_ending_is(path, ".msh")) return load_msh(allocator, files, path, out, mending, error);
    if (supi_ending_is(path, ".node") || supi_ending_is(path, ".ele"))
        return load_tetgen(allocator, files, path, out, mending, error);
    return supi_error_set(
        error, SUP_BAD_ARGUMENT,
        "%.200s: the name of a file of tetrahedra must end in .msh, .node or .ele", path);
}

/* ---- Out ---- */

static void put_place(supi_writer* out, sup_vec3 p, const char* between) {
    supi_text_put_float(out, p.x);
    supi_writer_print(out, "%s", between);
    supi_text_put_float(out, p.y);
    supi_writer_print(out, "%s", between);
    supi_text_put_float(out, p.z);
}

/* MSH 2.2, which every reader of Gmsh files knows. */
static void put_msh(supi_writer* out, const sup_tets* tets) {
    supi_writer_print(out, "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$Nodes\n%d\n",
                      (int)tets->point_count);
    for (int32_t p = 0; p < tets->point_count; p++) {
        supi_writer_print(out, "%d ", (int)p + 1);
        put_place(out, tets->points[p], " ");
        supi_writer_print(out, "\n");
    }
    supi_writer_print(out, "$EndNodes\n$Elements\n%d\n", (int)tets->tet_count);
    for (int32_t t = 0; t < tets->tet_count; t++) {
        const int32_t* tet = tets->tets + 4 * (size_t)t;
        supi_writer_print(out, "%d 4 2 1 1 %d %d %d %d\n", (int)t + 1, (int)tet[0] + 1,
                          (int)tet[1] + 1, (int)tet[2] + 1, (int)tet[3] + 1);
    }
    supi_writer_print(out, "$EndElements\n");
}

static void put_rows(supi_writer* out, const char* name, int32_t count, int32_t width,
                     const int32_t* rows, const char* end) {
    supi_writer_print(out, "\"%s\": [", name);
    for (int32_t i = 0; i < count; i++) {
        for (int32_t k = 0; k < width; k++)
            supi_writer_print(out, "%s%d",
                              k   ? ", "
                              : i ? ",\n["
                                  : "\n[",
                              (int)rows[(size_t)width * (size_t)i + (size_t)k]);
        supi_writer_print(out, "]");
    }
    supi_writer_print(out, "]%s\n", end);
}

static void put_json(supi_writer* out, const sup_tets* tets) {
    supi_writer_print(out, "{\n\"points\": [");
    for (int32_t p = 0; p < tets->point_count; p++) {
        supi_writer_print(out, p ? ",\n[" : "\n[");
        put_place(out, tets->points[p], ", ");
        supi_writer_print(out, "]");
    }
    supi_writer_print(out, "],\n");
    put_rows(out, "tets", tets->tet_count, 4, tets->tets, ",");
    put_rows(out, "triangles", tets->triangle_count, 3, tets->triangles, "");
    supi_writer_print(out, "}\n");
}

static sup_result check(const char* path, const sup_tets* tets, sup_error* error) {
    for (int32_t p = 0; p < tets->point_count; p++) {
        sup_vec3 x = tets->points[p];
        if (isfinite(x.x) && isfinite(x.y) && isfinite(x.z)) continue;
        return supi_error_set(error, SUP_BAD_ARGUMENT, "%.300s: point %d is not finite", path,
                              (int)p);
    }
    for (int64_t c = 0; c < 4 * (int64_t)tets->tet_count; c++) {
        if (tets->tets[c] >= 0 && tets->tets[c] < tets->point_count) continue;
        return supi_error_set(error, SUP_BAD_ARGUMENT, "%.300s: tetrahedron %d has no such point",
                              path, (int)(c / 4));
    }
    return SUP_OK;
}

sup_result sup_tets_save(const sup_allocator* allocator, const sup_file_gate* files,
                         const char* path, const sup_tets* tets, sup_error* error) {
    SUPI_NEED(error, path, tets);
    static const struct {
        const char* ending;
        void (*put)(supi_writer* out, const sup_tets* tets);
    } formats[] = {{".vtu", supi_vtu_put_tets}, {".msh", put_msh}, {".json", put_json}};
    if (!allocator) allocator = sup_allocator_default();
    if (!files) files = sup_file_gate_default();
    for (size_t i = 0; i < sizeof formats / sizeof *formats; i++) {
        if (!supi_ending_is(path, formats[i].ending)) continue;
        supi_writer out;
        sup_result result = check(path, tets, error);
        if (result == SUP_OK) result = supi_writer_begin(&out, files, allocator, path, error);
        if (result != SUP_OK) return result;
        formats[i].put(&out, tets);
        return supi_writer_commit(&out, error);
    }
    return supi_error_set(error, SUP_BAD_ARGUMENT,
                          "%.200s: the name of a file of tetrahedra to write must end in .vtu, "
                          ".msh or .json",
                          path);
}
