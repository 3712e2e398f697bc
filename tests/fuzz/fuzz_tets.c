/* Tetrahedra: bytes -> volume mesh. What begins with $ is a Gmsh file, else the points and the
   elements of TetGen with a % between them. */
#include <string.h>

#include "fuzz/meshes.h"
#include "supple/tets.h"

static void check_tets(const sup_tets* tets) {
    FUZZ_REQUIRE(tets->point_count >= 4 && tets->tet_count > 0 && tets->triangle_count > 0);
    fuzz_check_points(tets->points, (size_t)tets->point_count);
    for (int32_t c = 0; c < 4 * tets->tet_count; c++)
        FUZZ_REQUIRE(tets->tets[c] >= 0 && tets->tets[c] < tets->point_count);
    for (int32_t c = 0; c < 3 * tets->triangle_count; c++)
        FUZZ_REQUIRE(tets->triangles[c] >= 0 && tets->triangles[c] < tets->point_count);
}

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
    fuzz_memory memory;
    const sup_allocator* allocator = fuzz_memory_begin(&memory, size);
    sup_error error = {0};
    sup_tets tets;
    sup_result result;
    fuzz_mark(&tets, sizeof tets);
    if (size > 0 && data[0] == '$') {
        result = sup_msh_parse(allocator, "f", data, size, &tets, NULL, &error);
    } else {
        const uint8_t* split = size > 0 ? memchr(data, '%', size) : NULL;
        size_t first = split ? (size_t)(split - data) : size;
        sup_tetgen_files files = {.node_name = "f",
                                  .element_name = "f",
                                  .nodes = data,
                                  .elements = split ? split + 1 : data,
                                  .node_size = first,
                                  .element_size = split ? size - first - 1 : 0};
        result = sup_tetgen_parse(allocator, &files, &tets, NULL, &error);
    }
    FUZZ_REQUIRE(result == SUP_OK || result == SUP_BAD_FILE);
    if (result == SUP_OK) {
        check_tets(&tets);
        sup_tets_free(&tets);
    } else {
        fuzz_check_refusal(result, &error, "f", &tets, sizeof tets);
    }
    fuzz_memory_end(&memory);
    return 0;
}
