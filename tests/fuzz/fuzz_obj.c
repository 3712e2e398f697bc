/* OBJ: bytes -> mesh. */
#include "fuzz/meshes.h"

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
    fuzz_parse_mesh(sup_obj_parse, data, size);
    return 0;
}
