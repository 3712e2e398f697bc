/* See tool.h. */
#define _POSIX_C_SOURCE 200809L

#include "tool.h"

#include "supple/tets.h"

#include <signal.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

tool_exit tool_exit_for(sup_result result) {
    switch (result) {
    case SUP_OK: return TOOL_DONE;
    case SUP_IO: return TOOL_SYSTEM;
    case SUP_NO_MEMORY: return TOOL_MEMORY;
    case SUP_BAD_ARGUMENT:
    case SUP_BAD_FILE:
    case SUP_NOT_FOUND:
    case SUP_STALE:
    case SUP_BUSY:
    case SUP_UNSUPPORTED: return TOOL_INPUT;
    }
    return TOOL_INPUT;
}

/* Colour only where a person looks on, and has not asked for none (no-color.org). */
static bool coloured(void) {
    const char* plain = getenv("NO_COLOR");
    const char* terminal = getenv("TERM");
    bool dumb = terminal && strcmp(terminal, "dumb") == 0;
    return !(plain && *plain) && !dumb && isatty(STDERR_FILENO);
}

static void say(const char* colour, const char* label, const char* format, va_list arguments) {
    bool paint = coloured();
    fprintf(stderr, "%s%s%s", paint ? colour : "", label, paint ? "\033[0m" : "");
    vfprintf(stderr, format, arguments);
    fputc('\n', stderr);
}

tool_exit tool_fail(tool_exit code, const char* format, ...) {
    va_list arguments;
    va_start(arguments, format);
    say("\033[1;31m", "supple: ", format, arguments);
    va_end(arguments);
    return code;
}

tool_exit tool_fail_error(const sup_error* error) {
    if (error->line == 0) return tool_fail(tool_exit_for(error->code), "%s", error->text);
    fprintf(stderr, "%s\n", error->text);
    return tool_exit_for(error->code);
}

void tool_warn(const char* format, ...) {
    va_list arguments;
    va_start(arguments, format);
    say("\033[1;33m", "supple: warning: ", format, arguments);
    va_end(arguments);
}

void tool_note(const char* format, ...) {
    va_list arguments;
    va_start(arguments, format);
    say("", "supple: ", format, arguments);
    va_end(arguments);
}

tool_exit tool_check_input(const char* path) {
    struct stat at;
    if (sup_tets_is_file(path)) {
        return tool_fail(TOOL_INPUT,
                         "cannot read %s: it is for tetrahedra; supple mesh reads them and writes "
                         "their outside",
                         path);
    }
    if (stat(path, &at) != 0 || S_ISREG(at.st_mode)) return TOOL_DONE;
    return tool_fail(TOOL_INPUT, "cannot read %s: it is %s", path,
                     S_ISDIR(at.st_mode) ? "a folder" : "not a plain file");
}

double tool_seconds(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

/* The only variable of the program: a signal handler can reach nothing else. All threads look at
   it. */
static atomic_int stop_state;
enum { GOES_ON, STOP_ASKED, ENDS_AT_ONCE };

static void end_at_once(void) {
    static const char said[] = "supple: stopped; nothing is written\n";
    /* said, or nobody listens */
    if (write(STDERR_FILENO, said, sizeof said - 1) != 0) _exit(TOOL_STOPPED);
}

static void mark_stop(int number) {
    (void)number;
    if (stop_state == ENDS_AT_ONCE) end_at_once();
    stop_state = STOP_ASKED;
}

void tool_watch_signals(void) {
    struct sigaction action = {.sa_handler = mark_stop, .sa_flags = SA_RESTART | (int)SA_RESETHAND};
    sigemptyset(&action.sa_mask);
    sigaction(SIGINT, &action, NULL);
    sigaction(SIGTERM, &action, NULL);
    sigaction(SIGHUP, &action, NULL);
    /* A reader that went away shows as a failed write, with a message and a code. */
    signal(SIGPIPE, SIG_IGN);
    signal(SIGXFSZ, SIG_IGN); /* likewise a file that grew beyond its limit */
}

bool tool_stop_asked(void) { return stop_state == STOP_ASKED; }

void tool_stop_at_once(bool on) {
    int from = on ? GOES_ON : ENDS_AT_ONCE;
    atomic_compare_exchange_strong(&stop_state, &from, on ? ENDS_AT_ONCE : GOES_ON);
    if (on && from == STOP_ASKED) end_at_once();
}

tool_exit tool_check_stop(void) {
    return tool_stop_asked() ? tool_fail(TOOL_STOPPED, "stopped") : TOOL_DONE;
}
