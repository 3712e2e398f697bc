/* GLB and the JSON of glTF: bytes -> clip. */
#include "fuzz/glb.h"

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
    fuzz_glb glb;
    fuzz_glb_begin(&glb, size);
    sup_error error = {0};
    sup_clip clip;
    fuzz_mark(&clip, sizeof clip);
    sup_result result = sup_glb_parse_clip(glb.allocator, glb.gate, "f", data, size, &clip, &error);
    FUZZ_REQUIRE(result == SUP_OK || result == SUP_BAD_FILE || result == SUP_NOT_FOUND);
    fuzz_finish_clip(result, &error, "f", &clip);
    fuzz_glb_end(&glb);
    return 0;
}
