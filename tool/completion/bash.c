/* See completion.h: for bash 4 and later, without the help of other scripts. */
#include "completion/completion.h"

#include <stdio.h>

/* "-o | --output" or "-o --output" */
static void print_names(const option* o, const char* between) {
    if (o->letter) printf("-%c%s", o->letter, between);
    printf("--%s", o->name);
}

static void print_table(const option* table) {
    for (; table->name; table++) {
        print_names(table, " ");
        putchar(' ');
    }
    print_names(&option_help, " ");
}

static void print_hint(const hint* h) {
    switch (h->kind) {
    case HINT_NOTHING: break;
    case HINT_WORDS: printf(" words='%s'", h->list); break;
    case HINT_ENDINGS: printf(" files='%s'", h->list); break;
    case HINT_FILES: fputs(" files=all", stdout); break;
    }
}

static void print_verb(const tool_command* command) {
    printf("        %s)\n            case $prev in\n", command->name);
    for (const option* o = command->options; o->name; o++) {
        if (!o->value) continue;
        fputs("                ", stdout);
        print_names(o, " | ");
        putchar(')');
        hint h = hint_of_value(o);
        print_hint(&h);
        puts(" ;;");
    }
    fputs("                *) options='", stdout);
    print_table(command->options);
    putchar('\'');
    hint h = hint_of_operand(command);
    print_hint(&h);
    puts(" ;;\n            esac\n            ;;");
}

void completion_bash(void) {
    puts("# Completion of supple for bash. Made by \"supple completion bash\".\n"
         "_supple() {\n"
         "    local cur=${COMP_WORDS[COMP_CWORD]} prev=${COMP_WORDS[COMP_CWORD - 1]}\n"
         "    local verb=${COMP_WORDS[1]} options='' words='' files='' ending\n"
         "    # \"--name=value\" comes as three words\n"
         "    if [[ $cur == = ]]; then\n"
         "        cur=''\n"
         "    elif [[ $prev == = ]]; then\n"
         "        prev=${COMP_WORDS[COMP_CWORD - 2]}\n"
         "    fi\n"
         "    [[ $COMP_CWORD -gt 1 ]] || verb=''\n"
         "    case $verb in");
    fputs("        '') words='", stdout);
    for (int i = 0; commands[i]; i++) printf("%s ", commands[i]->name);
    print_table(general_options);
    puts("' ;;");
    for (int i = 0; commands[i]; i++) print_verb(commands[i]);
    puts("    esac\n"
         "    if [[ $options && ($cur == -* || -z $words$files) ]]; then\n"
         "        words=$options files=''\n"
         "    fi\n"
         "    mapfile -t COMPREPLY < <(\n"
         "        compgen -W \"$words\" -- \"$cur\"\n"
         "        case $files in\n"
         "            '') ;;\n"
         "            all) compgen -f -- \"$cur\" ;;\n"
         "            *)\n"
         "                for ending in $files; do compgen -f -X \"!*.$ending\" -- \"$cur\"; done\n"
         "                compgen -d -- \"$cur\"\n"
         "                ;;\n"
         "        esac\n"
         "    )\n"
         "    [[ -z $files ]] || compopt -o filenames 2>/dev/null\n"
         "    return 0\n"
         "}\n"
         "complete -F _supple supple");
}
