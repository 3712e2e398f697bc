/* supple hash: a number per frame that two runs share only if they are alike to the last bit. */
#include "commands.h"
#include "emit.h"

#include <inttypes.h>
#include <stdio.h>

typedef struct hash_options {
    simulate_options simulate;
    bool json;
} hash_options;

static const option options[] = {SIMULATE_OPTIONS(hash_options, simulate),
                                 {.name = "json",
                                  .kind = OPTION_FLAG,
                                  .offset = offsetof(hash_options, json),
                                  .help = "print the hashes as one JSON object"},
                                 {.name = NULL}};

static tool_exit print_hashes(sup_scene* scene, const hash_options* chosen) {
    int32_t frames = chosen->simulate.frames;
    if (frames == 0) frames = sup_scene_get_info(scene).frames;
    emitter out = {0};
    if (chosen->json) {
        emit_open(&out, NULL, "{");
        emit_open(&out, "hashes", "[");
    }
    tool_exit code = TOOL_DONE;
    for (int32_t frame = 1; code == TOOL_DONE && frame <= frames; frame++) {
        code = simulate_step(scene);
        if (code != TOOL_DONE) break;
        uint64_t hash = sup_world_hash(sup_scene_world(scene));
        if (chosen->json) {
            emit_hash(&out, NULL, hash);
        } else {
            printf("%d %016" PRIx64 "\n", (int)frame, hash);
        }
        if (fflush(stdout) != 0) break; /* nobody reads on; main says so */
        if (tool_stop_asked()) code = tool_fail(TOOL_STOPPED, "stopped after frame %d", (int)frame);
    }
    if (chosen->json) {
        emit_close(&out, ']');
        emit_close(&out, '}');
    }
    return code;
}

static tool_exit run(const tool_command* command, int count, char** words) {
    hash_options chosen = {.simulate = {.threads = 1}};
    const char* path;
    tool_exit code;
    if (!options_parse(command, count, words, &chosen, &path, &code)) return code;
    sup_scene* scene;
    code = simulate_load(&chosen.simulate, path, &scene);
    if (code != TOOL_DONE) return code;
    code = print_hashes(scene, &chosen);
    sup_scene_free(scene);
    return code;
}

const tool_command command_hash = {
    "hash",
    "SCENE",
    "print a hash of the world after every frame",
    "Simulates and prints one line \"frame hash\" for each frame from 1 on. Equal hashes mean\n"
    "equal bits: the number of threads and the instructions in use make no difference.",
    options,
    run};
