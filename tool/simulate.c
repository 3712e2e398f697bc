/* Loading and stepping, as every verb that simulates does it. */
#include "commands.h"

const char* const simd_words[] = {"auto", "scalar", "sse2", "avx2", NULL};

tool_exit simulate_load(const simulate_options* options, const char* path, sup_scene** scene) {
    sup_simd simd = (sup_simd)options->simd;
    if (!sup_simd_available(simd)) {
        return tool_fail(TOOL_INPUT, "this processor or build has no %s", simd_words[simd]);
    }
    tool_exit code = tool_check_input(path);
    if (code != TOOL_DONE) return code;
    sup_scene_options load = sup_scene_options_default();
    load.threads = options->threads;
    load.simd = simd;
    sup_error error;
    sup_result result = sup_scene_load(&load, path, scene, &error);
    return result == SUP_OK ? TOOL_DONE : tool_fail_error(&error);
}

tool_exit simulate_step(sup_scene* scene) {
    sup_result result = sup_world_step(sup_scene_world(scene), 1.0 / sup_scene_get_info(scene).fps);
    if (result == SUP_OK) return TOOL_DONE;
    return tool_fail(tool_exit_for(result), "the simulation failed: %s", sup_result_name(result));
}
