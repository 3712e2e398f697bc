/* supple completion: a script that lets a shell complete the command line. */
#include "completion/completion.h"

#include <string.h>

static const option options[] = {{.name = NULL}};

static const struct {
    const char* name;
    void (*print)(void);
} shells[] = {{"bash", completion_bash}, {"zsh", completion_zsh}, {"fish", completion_fish}};

static tool_exit run(const tool_command* command, int count, char** words) {
    const char* shell;
    tool_exit code;
    if (!options_parse(command, count, words, NULL, &shell, &code)) return code;
    for (size_t i = 0; i < sizeof shells / sizeof *shells; i++) {
        if (strcmp(shells[i].name, shell) == 0) {
            shells[i].print();
            return TOOL_DONE;
        }
    }
    return tool_fail(TOOL_USAGE, "completion is there for %s, not for \"%s\"", command->operand,
                     shell);
}

const tool_command command_completion = {
    "completion",
    "bash|zsh|fish",
    "print a script that completes the command line",
    "Prints a script that lets a shell complete verbs, options, their values and file names.\n"
    "Where Supple is installed in the folders of the system, shells find it already. For one\n"
    "session:\n"
    "  bash, zsh   source <(supple completion bash)   or zsh\n"
    "  fish        supple completion fish | source",
    options,
    run};
