/* A bar with rate and time left on a terminal; silence everywhere else. */
#ifndef SUPPLE_TOOL_PROGRESS_H
#define SUPPLE_TOOL_PROGRESS_H

#include <stdbool.h>
#include <stdint.h>

typedef struct progress {
    bool shown;
    double start, last; /* s */
    const char* unit;   /* what is counted; "frames" */
} progress;

/* Shown only if standard error is a terminal and `quiet` is not set. */
progress progress_begin(bool quiet);
void progress_show(progress* p, int32_t done, int32_t total);
/* Wipes the bar, before a message and at the end. */
void progress_clear(progress* p);

#endif
