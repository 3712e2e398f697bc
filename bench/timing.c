/* Takes the time of several subjects in turn. */
#define _POSIX_C_SOURCE 200809L

#include "bench.h"

#include <time.h>

enum { SUBJECTS_MAX = 8 };

#define TURN_SECONDS 0.02 /* least length of a turn */

static double now(clockid_t clock) {
    struct timespec t;
    clock_gettime(clock, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* Seconds of a turn of `calls` calls; < 0 when a step fails. */
static double take_turn(bench_subject* subject, int64_t calls, clockid_t clock) {
    double start = now(clock);
    for (int64_t n = 0; n < calls; n++) {
        if (!subject->step(subject->state)) return -1.0;
    }
    return now(clock) - start;
}

/* How many calls fill a turn; 0 when a step fails. Warms the caches as well. */
static int64_t calls_per_turn(bench_subject* subject, clockid_t clock) {
    int64_t calls = 1;
    for (;;) {
        double seconds = take_turn(subject, calls, clock);
        if (seconds < 0.0) return 0;
        if (seconds >= TURN_SECONDS) return calls;
        calls *= 2;
    }
}

static bool take_time(bench_subject* subjects, int32_t count, int32_t repeats, clockid_t clock,
                      double* seconds) {
    int64_t calls[SUBJECTS_MAX];
    if (count > SUBJECTS_MAX) return false;
    for (int32_t k = 0; k < count; k++) {
        seconds[k] = -1.0;
        calls[k] = calls_per_turn(&subjects[k], clock);
        if (calls[k] == 0) return false;
    }
    for (int32_t repeat = 0; repeat < repeats; repeat++) {
        for (int32_t k = 0; k < count; k++) {
            double turn =
                take_turn(&subjects[k], calls[k], clock) / (double)(calls[k] * subjects[k].steps);
            if (turn < 0.0) return false;
            if (seconds[k] < 0.0 || turn < seconds[k]) seconds[k] = turn;
        }
    }
    return true;
}

bool bench_time(bench_subject* subjects, int32_t count, int32_t repeats, double* seconds) {
    return take_time(subjects, count, repeats, CLOCK_MONOTONIC, seconds);
}

bool bench_time_work(bench_subject* subjects, int32_t count, int32_t repeats, double* seconds) {
    return take_time(subjects, count, repeats, CLOCK_PROCESS_CPUTIME_ID, seconds);
}

double bench_time_mean(bench_subject* subject, int32_t calls) {
    return take_turn(subject, calls, CLOCK_PROCESS_CPUTIME_ID) / calls;
}
