/* The verbs, and the options that several of them share. */
#ifndef SUPPLE_TOOL_COMMANDS_H
#define SUPPLE_TOOL_COMMANDS_H

#include "options.h"
#include "progress.h"
#include "supple/scene.h"

extern const tool_command command_run;
extern const tool_command command_info;
extern const tool_command command_hash;
extern const tool_command command_export;
extern const tool_command command_convert;
extern const tool_command command_fit;
extern const tool_command command_mesh;
extern const tool_command command_deform;
extern const tool_command command_model;
extern const tool_command command_render;
extern const tool_command command_plot;
extern const tool_command command_report;
extern const tool_command command_manual;
extern const tool_command command_completion;

/* All of them, in the order of --help; NULL at the end. */
extern const tool_command* const commands[];
/* What the command understands without a verb: --version. */
extern const option general_options[];

/* In the order of sup_simd; NULL at the end. */
extern const char* const simd_words[];

/* How a scene is simulated. */
typedef struct simulate_options {
    int32_t frames; /* 0: as many as the scene says */
    int32_t threads;
    int32_t simd;
} simulate_options;

/* Rows for the option table of a verb whose struct `type` has simulate_options as `member`. */
/* clang-format off */
#define SIMULATE_OPTIONS(type, member)                                                             \
    {"frames", 'n', "N", OPTION_INTEGER, offsetof(type, member.frames), 1, 1000000, NULL,          \
     "steps to simulate (default: what the scene says)"},                                          \
    {"threads", 't', "N", OPTION_INTEGER, offsetof(type, member.threads), 1, 64, NULL,             \
     "threads that share the work (default 1); the result is the same"},                           \
    {"simd", 0, "WORD", OPTION_WORD, offsetof(type, member.simd), 0, 0, simd_words,                \
     "auto, scalar, sse2 or avx2 (default auto); the result is the same"}
/* clang-format on */

/* Loads a scene for simulation; a failure has been said. */
tool_exit simulate_load(const simulate_options* options, const char* path, sup_scene** scene);
/* Tells what the scene allows but looks like a mistake. */
void simulate_notes(const sup_scene* scene);
/* One step of 1/fps; a failure has been said. */
tool_exit simulate_step(sup_scene* scene);

/* What a simulation should not do. All zero at the start. */
typedef struct simulate_troubles {
    const char* scene;       /* named in warnings; NULL: there is but one */
    int64_t restored;        /* times a body was put back */
    int32_t substeps_needed; /* largest that a body asked for, 0: none did */
    const char* advice;      /* what else would help that body; NULL: none did */
    int32_t forced_count; /* bodies whose steps were forced, as far as warnings have told them: */
    sup_body forced[16];
    int32_t loose; /* steps on end whose implicit solve has left too much; -1: told */
    bool turns;    /* looked for springs that are too stiff to turn */
    bool led;      /* warned of pins that are led too fast */
} simulate_troubles;
/* Counts those of the last step, and warns of each kind once, of forced steps once for each body.
 */
void simulate_watch(simulate_troubles* troubles, sup_scene* scene, progress* bar);

#endif
