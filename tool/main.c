/* The `supple` command: finds the verb and hands over. */
#include "commands.h"

#include <stdio.h>
#include <string.h>

static const char* command_name(const void* list, int i) {
    const tool_command* command = ((const tool_command* const*)list)[i];
    return command ? command->name : NULL;
}

static void print_help(void) {
    puts("Usage: supple VERB ...\n\nSimulates soft bodies.\n\nVerbs:");
    for (int i = 0; commands[i]; i++) {
        printf("  %-10s %s\n", commands[i]->name, commands[i]->summary);
    }
    puts("\nOptions:");
    options_print(general_options);
    puts("\n\"supple VERB --help\" says more about a verb.");
}

static tool_exit unknown_verb(const char* word) {
    const char* meant = options_nearest(word, command_name, commands);
    if (meant) {
        return tool_fail(TOOL_USAGE, "there is no verb \"%s\"; did you mean %s?", word, meant);
    }
    return tool_fail(TOOL_USAGE, "there is no verb \"%s\"; see supple --help", word);
}

static tool_exit dispatch(int count, char** words) {
    if (count < 2) return tool_fail(TOOL_USAGE, "what shall be done? See supple --help");
    if (strcmp(words[1], "--help") == 0 || strcmp(words[1], "-h") == 0) {
        print_help();
        return TOOL_DONE;
    }
    if (strcmp(words[1], "--version") == 0) {
        printf("supple %s\n", sup_version());
        return TOOL_DONE;
    }
    for (int i = 0; commands[i]; i++) {
        if (strcmp(words[1], commands[i]->name) == 0) {
            return commands[i]->run(commands[i], count - 2, words + 2);
        }
    }
    return unknown_verb(words[1]);
}

int main(int count, char** words) {
    tool_watch_signals();
    tool_exit code = dispatch(count, words);
    bool written = fflush(stdout) == 0 && !ferror(stdout);
    if (!written && code == TOOL_DONE) {
        code = tool_fail(TOOL_SYSTEM, "cannot write to standard output");
    }
    return (int)code;
}
