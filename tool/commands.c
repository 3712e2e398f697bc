/* See commands.h. */
#include "commands.h"

/* clang-format off */
const tool_command* const commands[] = {
    &command_run,
    &command_info,
    &command_export,
    &command_convert,
    &command_fit,
    &command_model,
    &command_mesh,
    &command_deform,
    &command_hash,
    &command_render,
    &command_plot,
    &command_report,
    &command_manual,
    &command_completion,
    NULL};
/* clang-format on */

const option general_options[] = {
    {.name = "version", .kind = OPTION_FLAG, .help = "print the version and end"}, {.name = NULL}};
