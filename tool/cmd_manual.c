/* supple manual: supple(1) in roff, made from the tables that give --help. */
#include "commands.h"

#include <stdio.h>
#include <string.h>

static const option options[] = {{.name = NULL}};

/* ---- roff ---- */

/* Text that roff takes for nothing else, also at the start of a line and within quotes. */
static void put_text(const char* text, size_t length) {
    if (length > 0 && *text == '.') fputs("\\&", stdout);
    for (size_t i = 0; i < length; i++) {
        switch (text[i]) {
        case '\\': fputs("\\e", stdout); break;
        case '-': fputs("\\-", stdout); break;
        case '"': fputs("\\(dq", stdout); break;
        case '\'': fputs("\\(aq", stdout); break;
        case '`': fputs("\\(ga", stdout); break;
        case '^': fputs("\\(ha", stdout); break;
        case '~': fputs("\\(ti", stdout); break;
        default: putchar(text[i]);
        }
    }
}

static void put(const char* text) { put_text(text, strlen(text)); }

static void put_line(const char* text) {
    put(text);
    putchar('\n');
}

/* Lines that run on, but for those that begin with a blank: they stay as they are. */
static void put_lines(const char* text) {
    bool fixed = false;
    while (*text) {
        size_t length = strcspn(text, "\n");
        if ((*text == ' ') != fixed) {
            fixed = !fixed;
            puts(fixed ? ".nf" : ".fi");
        }
        put_text(text, length);
        putchar('\n');
        text += length + (text[length] == '\n');
    }
    if (fixed) puts(".fi");
}

/* A word in bold and what it means; the meaning may go on with more lines. */
static void put_item(const char* word, const char* meaning) {
    fputs(".TP\n\\fB", stdout);
    put(word);
    puts("\\fR");
    put_line(meaning);
}

/* ---- parts of the page ---- */

static void put_option(const option* o) {
    puts(".TP");
    if (o->letter) printf("\\fB\\-%c\\fR, ", o->letter);
    fputs("\\fB\\-\\-", stdout);
    put(o->name);
    fputs("\\fR", stdout);
    if (o->value) {
        fputs(" \\fI", stdout);
        put(o->value);
        fputs("\\fR", stdout);
    }
    putchar('\n');
    put(o->help);
    if (o->kind == OPTION_INTEGER) {
        char range[40];
        snprintf(range, sizeof range, "; from %d to %d", (int)o->low, (int)o->high);
        put(range);
    }
    putchar('\n');
}

static void put_options(const option* table) {
    for (; table->name; table++) put_option(table);
}

static void put_verb(const tool_command* command) {
    fputs(".SS \"supple ", stdout);
    put(command->name);
    if (*command->operand) putchar(' ');
    put(command->operand);
    puts("\"");
    put_lines(command->details);
    put_options(command->options);
}

static void put_verbs(void) {
    puts(".SH VERBS");
    for (int i = 0; commands[i]; i++) put_verb(commands[i]);
}

static void put_exit_codes(void) {
    static const char* const meanings[] = {
        [TOOL_DONE] = "done",
        [TOOL_USAGE] = "the command line is wrong",
        [TOOL_INPUT] = "something that was given is wrong or not there: a scene, a mesh, a folder",
        [TOOL_SYSTEM] = "the system failed while reading or writing",
        [TOOL_MEMORY] = "not enough memory",
        [TOOL_STOPPED] = "stopped by a signal",
        [TOOL_MISSING] = "a needed program or package is missing",
        [TOOL_CHECK] = "a check failed"};
    puts(".SH EXIT STATUS");
    for (int i = 0; i < (int)(sizeof meanings / sizeof *meanings); i++) {
        char code[4];
        snprintf(code, sizeof code, "%d", i);
        put_item(code, meanings[i]);
    }
}

static void put_surroundings(void) {
    puts(".SH ENVIRONMENT");
    put_item("NO_COLOR", "Where it is set and not empty, messages have no colours.");
    put_item("TERM", "So it is where this is \"dumb\".");
    put_item("PATH", "Where ffmpeg is looked for, which films need.");
    puts(".SH FILES");
    put_item("NAME.sup", "A tape: the poses of a whole run.");
    put_item("NAME.sup.part", "A tape that is being written, or that a run has left which ended "
                              "before its time; \"supple run --resume\" goes on with it.");
    put_item("share/supple/scenes", "Below the folder that Supple is installed in: scenes for a "
                                    "first try.");
    put_item("share/doc/supple", "There too: the manual of the scene file, of this command and of "
                                 "the C library.");
}

static void put_examples(void) {
    static const char* const examples[] = {
        "Simulate a scene and write an animation for any viewer of glTF:\n"
        "    supple run jelly.json -o jelly.glb",
        "Record a long run on a tape, go on with it after a power cut, and make an animation of\n"
        "a part of it:\n"
        "    supple run jelly.json -o jelly.sup\n"
        "    supple run jelly.json -o jelly.sup --resume\n"
        "    supple export jelly.sup -o jelly.glb --frames 100:200",
        "Draw the last frame, then a film:\n"
        "    supple render jelly.json -o jelly.png\n"
        "    supple render jelly.json -o jelly.mp4",
        "See whether two machines compute the same bits:\n"
        "    supple hash jelly.json --frames 60 | sha256sum"};
    puts(".SH EXAMPLES");
    for (size_t i = 0; i < sizeof examples / sizeof *examples; i++) {
        if (i > 0) puts(".PP");
        put_lines(examples[i]);
    }
}

static tool_exit run(const tool_command* command, int count, char** words) {
    tool_exit code;
    if (!options_parse(command, count, words, NULL, NULL, &code)) return code;
    printf(".\\\" Made by \"supple manual\".\n"
           ".TH SUPPLE 1 \"\" \"Supple %s\" \"User Commands\"\n"
           ".SH NAME\nsupple \\- simulate soft bodies\n"
           ".SH SYNOPSIS\n\\fBsupple\\fR \\fIVERB\\fR [\\fIOPERAND\\fR]... [\\fIOPTION\\fR]...\n"
           ".SH DESCRIPTION\n",
           sup_version());
    put_lines("Simulates jelly, rubber, bars that bend and piles of all of them, from scenes "
              "that are JSON files.\n"
              "Results go to standard output, talk goes to standard error.\n"
              "A file gets its name only when it is whole.\n"
              "Messages about files begin with their place: file, line and column.");
    puts(".SH OPTIONS");
    put_options(general_options);
    put_option(&option_help);
    put_lines("(behind a verb: what is to be known of that verb)");
    put_verbs();
    put_exit_codes();
    put_surroundings();
    put_examples();
    puts(".SH SEE ALSO\n.BR ffmpeg (1)");
    return TOOL_DONE;
}

const tool_command command_manual = {"manual",
                                     "",
                                     "print the man page",
                                     "Prints supple(1) for man, as \"supple manual | man -l -\" "
                                     "shows it.",
                                     options,
                                     run};
