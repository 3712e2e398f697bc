/* GLB and the JSON of glTF: bytes -> mesh. */
#include "fuzz/glb.h"

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
    fuzz_glb glb;
    fuzz_glb_begin(&glb, size);
    sup_error error = {0};
    sup_mesh mesh;
    fuzz_mark(&mesh, sizeof mesh);
    sup_result result = sup_glb_parse(glb.allocator, glb.gate, "f", data, size, &mesh, &error);
    FUZZ_REQUIRE(result == SUP_OK || result == SUP_BAD_FILE || result == SUP_NOT_FOUND);
    fuzz_finish_mesh(result, &error, "f", glb.allocator, &mesh);
    fuzz_glb_end(&glb);
    return 0;
}
