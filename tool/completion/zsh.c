/* See completion.h: for zsh, by its own _arguments. */
#include "completion/completion.h"

#include <stdio.h>
#include <string.h>

/* Text within single quotes, in a place where `special` letters have a meaning. */
static void print_text(const char* text, const char* special) {
    for (; *text; text++) {
        if (*text == '\'') {
            fputs("'\\''", stdout);
            continue;
        }
        if (strchr(special, *text)) putchar('\\');
        putchar(*text);
    }
}

/* "a b" becomes "*.a *.b". */
static void print_patterns(const char* endings) {
    fputs("*.", stdout);
    for (; *endings; endings++) {
        putchar(*endings);
        if (*endings == ' ') fputs("*.", stdout);
    }
}

/* What completes a value, behind its last colon. */
static void print_hint(const hint* h) {
    switch (h->kind) {
    case HINT_NOTHING: putchar(' '); break;
    case HINT_WORDS: printf("(%s)", h->list); break;
    case HINT_ENDINGS:
        fputs("_files -g \"", stdout);
        print_patterns(h->list);
        putchar('"');
        break;
    case HINT_FILES: fputs("_files", stdout); break;
    }
}

/* -h and --help forbid everything else, an option forbids itself unless it may be given again. */
static void print_option(const option* o, bool alone, const char* indent) {
    const char* equals = o->value ? "=" : "";
    printf(" \\\n%s", indent);
    if (alone) {
        fputs("'(- : *)'", stdout);
    } else if (o->kind == OPTION_TEXTS) {
        fputs("'*'", stdout);
    } else if (o->letter) {
        printf("'(-%c --%s)'", o->letter, o->name);
    }
    if (o->letter) {
        printf("{-%c,--%s%s}'[", o->letter, o->name, equals);
    } else {
        printf("'--%s%s[", o->name, equals);
    }
    print_text(o->help, "[]\\:");
    putchar(']');
    if (o->value) {
        putchar(':');
        print_text(o->value, "\\:");
        putchar(':');
        hint h = hint_of_value(o);
        print_hint(&h);
    }
    putchar('\'');
}

static void print_verb(const tool_command* command) {
    static const char indent[] = "                        ";
    printf("                %s)\n                    _arguments", command->name);
    for (const option* o = command->options; o->name; o++) print_option(o, false, indent);
    print_option(&option_help, true, indent);
    hint h = hint_of_operand(command);
    if (h.kind != HINT_NOTHING) {
        printf(" \\\n%s'*:", indent);
        print_text(command->operand, "\\:");
        putchar(':');
        print_hint(&h);
        putchar('\'');
    }
    puts("\n                    ;;");
}

void completion_zsh(void) {
    puts("#compdef supple\n"
         "# Completion of supple for zsh. Made by \"supple completion zsh\".\n"
         "_supple() {\n"
         "    local curcontext=$curcontext state\n"
         "    local -a line verbs=(");
    for (int i = 0; commands[i]; i++) {
        printf("        '%s:", commands[i]->name);
        print_text(commands[i]->summary, "\\:");
        puts("'");
    }
    fputs("    )\n    _arguments -C", stdout);
    for (const option* o = general_options; o->name; o++) print_option(o, true, "        ");
    print_option(&option_help, true, "        ");
    puts(" \\\n        '1: :->verb' '*:: :->rest'\n"
         "    case $state in\n"
         "        verb) _describe verb verbs ;;\n"
         "        rest)\n"
         "            case $line[1] in");
    for (int i = 0; commands[i]; i++) print_verb(commands[i]);
    puts("            esac\n"
         "            ;;\n"
         "    esac\n"
         "}\n"
         "if [[ $funcstack[1] == _supple ]]; then\n"
         "    _supple \"$@\"\n"
         "else\n"
         "    compdef _supple supple\n"
         "fi");
}
