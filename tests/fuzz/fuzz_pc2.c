/* PC2: bytes -> clip. */
#include "fuzz/meshes.h"

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
    fuzz_memory memory;
    const sup_allocator* allocator = fuzz_memory_begin(&memory, size);
    sup_error error = {0};
    sup_clip clip;
    fuzz_mark(&clip, sizeof clip);
    sup_result result = sup_pc2_parse(allocator, "f", data, size, 24, &clip, &error);
    FUZZ_REQUIRE(result == SUP_OK || result == SUP_BAD_FILE);
    fuzz_finish_clip(result, &error, "f", &clip);
    fuzz_memory_end(&memory);
    return 0;
}
