/* See progress.h. */
#define _POSIX_C_SOURCE 200809L

#include "progress.h"

#include "tool.h"

#include <stdio.h>
#include <unistd.h>

#define WIDTH 30
#define PAUSE 0.1 /* s between two pictures of the bar */

progress progress_begin(bool quiet) {
    return (progress){!quiet && isatty(STDERR_FILENO), tool_seconds(), 0, "frames"};
}

void progress_show(progress* p, int32_t done, int32_t total) {
    double now = tool_seconds();
    if (!p->shown || (now - p->last < PAUSE && done < total)) return;
    p->last = now;
    double passed = now - p->start, rate = passed > 0 ? done / passed : 0;
    int filled = (int)((int64_t)WIDTH * done / (total > 0 ? total : 1));
    char bar[WIDTH + 1];
    for (int i = 0; i < WIDTH; i++) bar[i] = i < filled ? '#' : '.';
    bar[WIDTH] = 0;
    fprintf(stderr, "\r\033[K[%s] %d/%d  %.1f %s/s  %.0f s left", bar, (int)done, (int)total, rate,
            p->unit, rate > 0 ? (total - done) / rate : 0.0);
    fflush(stderr);
}

void progress_clear(progress* p) {
    if (p->shown && p->last > 0) fputs("\r\033[K", stderr);
}
