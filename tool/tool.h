/* What all verbs of the `supple` command share: exit codes, messages, the clock. */
#ifndef SUPPLE_TOOL_TOOL_H
#define SUPPLE_TOOL_TOOL_H

#include "supple/base.h"

/* How the program ends; also in docs/tool-reference.md. */
typedef enum tool_exit {
    TOOL_DONE = 0,
    TOOL_USAGE = 1,   /* the command line is wrong */
    TOOL_INPUT = 2,   /* something the user gave is wrong or not there */
    TOOL_SYSTEM = 3,  /* the system failed while reading or writing */
    TOOL_MEMORY = 4,  /* not enough memory */
    TOOL_STOPPED = 5, /* stopped by a signal */
    TOOL_MISSING = 6, /* a needed program or package is missing */
    TOOL_CHECK = 7    /* a check failed */
} tool_exit;

/* The exit code that a failed call asks for. */
tool_exit tool_exit_for(sup_result result);

/* Messages go to the terminal's error side. `tool_fail` returns its code: return
 * tool_fail(TOOL_INPUT, ...). */
tool_exit tool_fail(tool_exit code, const char* format, ...) __attribute__((format(printf, 2, 3)));
/* The words of a failed call; one with a place stands alone on its line, so that editors can jump
 * to it. */
tool_exit tool_fail_error(const sup_error* error);
void tool_warn(const char* format, ...) __attribute__((format(printf, 1, 2)));
void tool_note(const char* format, ...) __attribute__((format(printf, 1, 2)));

/* TOOL_DONE unless `path` is a folder or the like: reading one is the user's slip, not the
   system's, and a pipe may never end. Nor may it be a file of tetrahedra, as the name says. */
tool_exit tool_check_input(const char* path);

/* Seconds since some moment that never changes. */
double tool_seconds(void);

/* Signals that ask to stop (SIGINT, SIGTERM) only set a mark; a second one ends the program at
 * once. */
void tool_watch_signals(void);
bool tool_stop_asked(void);
/* True: for work that cannot look at the mark and has nothing open to write, a signal ends the
   program at once, with TOOL_STOPPED. */
void tool_stop_at_once(bool on);
/* TOOL_STOPPED, and said so, once a stop was asked for. */
tool_exit tool_check_stop(void);

#endif
