/* OBJ: bytes -> mesh. */
#include "fuzz/meshes.h"

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
    fuzz_memory memory;
    const sup_allocator* allocator = fuzz_memory_begin(&memory, size);
    sup_error error = {0};
    sup_mesh mesh;
    fuzz_mark(&mesh, sizeof mesh);
    sup_result result = sup_obj_parse(allocator, "f", data, size, &mesh, &error);
    FUZZ_REQUIRE(result == SUP_OK || result == SUP_BAD_FILE);
    fuzz_finish_mesh(result, &error, "f", allocator, &mesh);
    fuzz_memory_end(&memory);
    return 0;
}
