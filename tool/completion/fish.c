/* See completion.h: for fish 3. */
#include "completion/completion.h"

#include <stdio.h>

static void print_text(const char* text) {
    putchar('\'');
    for (; *text; text++) {
        if (*text == '\'' || *text == '\\') putchar('\\');
        putchar(*text);
    }
    putchar('\'');
}

static void print_hint(const hint* h) {
    switch (h->kind) {
    case HINT_NOTHING: break;
    case HINT_WORDS: printf(" -a '%s'", h->list); break;
    case HINT_ENDINGS: printf(" -a '(__supple_files %s)'", h->list); break;
    case HINT_FILES: fputs(" -F", stdout); break;
    }
}

/* The start of a line about a verb; NULL: about the place where the verb will be. */
static void print_start(const char* verb) {
    printf("complete -c supple -n '__supple_verb%s%s'", verb ? " " : "", verb ? verb : "");
}

static void print_option(const char* verb, const option* o) {
    print_start(verb);
    if (o->letter) printf(" -s %c", o->letter);
    printf(" -l %s", o->name);
    hint h = hint_of_value(o);
    if (o->value) fputs(h.kind == HINT_FILES ? " -r" : " -x", stdout);
    print_hint(&h);
    fputs(" -d ", stdout);
    print_text(o->help);
    putchar('\n');
}

static void print_options(const char* verb, const option* table) {
    for (; table->name; table++) print_option(verb, table);
    print_option(verb, &option_help);
}

static void print_verb(const tool_command* command) {
    print_start(NULL);
    printf(" -a %s -d ", command->name);
    print_text(command->summary);
    putchar('\n');
    print_options(command->name, command->options);
    hint h = hint_of_operand(command);
    if (h.kind == HINT_NOTHING) return;
    print_start(command->name);
    print_hint(&h);
    putchar('\n');
}

void completion_fish(void) {
    puts("# Completion of supple for fish. Made by \"supple completion fish\".\n"
         "# __supple_verb [VERB]: is this the verb of the line? Without one: is there none yet?\n"
         "function __supple_verb\n"
         "    set -l words (commandline -opc)\n"
         "    test \"$words[2]\" = \"$argv[1]\"\n"
         "end\n"
         "# __supple_files ENDING...: files with these endings, and folders\n"
         "function __supple_files\n"
         "    set -l endings (string join '|' $argv)\n"
         "    __fish_complete_path (commandline -ct) |\n"
         "        string match -r \".*(?:/|\\.(?:$endings))(?=\\t|\\$)\"\n"
         "end\n"
         "complete -c supple -f");
    print_options(NULL, general_options);
    for (int i = 0; commands[i]; i++) print_verb(commands[i]);
}
