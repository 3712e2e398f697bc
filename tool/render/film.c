/* See film.h. Pictures go to ffmpeg through a pipe; it is started without a shell, so names may
   hold anything. */
#define _POSIX_C_SOURCE 200809L

#include "render/film.h"

#include "base/error.h"
#include "base/number.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

extern char** environ;

#define GIF_FPS 25.0 /* viewers slow faster ones down */

/* What ffmpeg may still take once a stop is asked for, seconds. The end of a large film is long
   work: as long as it computes, it has more time. */
#define STILL_LIMIT 1.0 /* without taking data or computing */
#define STOP_LIMIT 30.0 /* in all */
#define LEAST_WORK 0.02 /* less in STILL_LIMIT is no computing */
#define GLANCE_MS 20    /* between two looks at it, milliseconds */

struct film {
    char* path;
    char* temporary;
    int32_t width, height;
    pid_t process; /* 0: not running */
    int pipe;      /* -1: closed */
    FILE* words;   /* what ffmpeg complains about */

    bool (*stop_asked)(void);
    double stop_time;   /* when that was noticed, s; 0: not yet */
    double lively_time; /* when it last took data or computed */
    double work;        /* seconds that it had computed by then */
    bool hung;          /* it has been ended for that */
};

static void film_free(film* f) {
    if (f->pipe >= 0) close(f->pipe);
    if (f->words) fclose(f->words);
    free(f->path);
    free(f->temporary);
    free(f);
}

static char* join(const char* a, const char* b) {
    size_t length = strlen(a), tail = strlen(b) + 1;
    char* text = malloc(length + tail);
    if (!text) return NULL;
    memcpy(text, a, length);
    memcpy(text + length, b, tail);
    return text;
}

/* Pipe ends and files of ours must not live on in ffmpeg: it would never see the end. */
static bool keep_private(int file) { return fcntl(file, F_SETFD, FD_CLOEXEC) == 0; }

/* What ffmpeg reads, and where its words go. */
static int set_files(posix_spawn_file_actions_t* actions, int input, int words) {
    int failed = posix_spawn_file_actions_adddup2(actions, input, STDIN_FILENO);
    if (failed) return failed;
    failed = posix_spawn_file_actions_addopen(actions, STDOUT_FILENO, "/dev/null", O_WRONLY, 0);
    if (failed) return failed;
    return posix_spawn_file_actions_adddup2(actions, words, STDERR_FILENO);
}

/* In a process group of its own, so that Ctrl-C stops us and we end the film in good order. */
static int set_group(posix_spawnattr_t* attributes) {
    sigset_t defaults;
    sigemptyset(&defaults);
    sigaddset(&defaults, SIGPIPE);
    int failed = posix_spawnattr_setsigdefault(attributes, &defaults);
    if (failed) return failed;
    return posix_spawnattr_setflags(attributes, POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGDEF);
}

static int spawn(film* f, int input, char* const words[]) {
    posix_spawn_file_actions_t actions;
    posix_spawnattr_t attributes;
    int failed = posix_spawn_file_actions_init(&actions);
    if (failed) return failed;
    failed = posix_spawnattr_init(&attributes);
    if (failed) {
        posix_spawn_file_actions_destroy(&actions);
        return failed;
    }
    failed = set_files(&actions, input, fileno(f->words));
    if (!failed) failed = set_group(&attributes);
    if (!failed) {
        failed = posix_spawnp(&f->process, words[0], &actions, &attributes, words, environ);
    }
    if (failed) f->process = 0;
    posix_spawnattr_destroy(&attributes);
    posix_spawn_file_actions_destroy(&actions);
    return failed;
}

/* The command line. A .gif gets new colours for every picture, so ffmpeg keeps none back. Where
   pictures come faster than it shows them, the last one stays for one of its own: else nothing
   would be left of a film shorter than that. */
static int start(film* f, film_kind kind, double fps, int input) {
    char size[32], rate[32], slower[80] = "", filter[240];
    snprintf(size, sizeof size, "%dx%d", (int)f->width, (int)f->height);
    supi_number_write(fps, rate);
    if (fps > GIF_FPS) {
        snprintf(slower, sizeof slower, "tpad=stop_mode=clone:stop_duration=%g,fps=%g:round=down,",
                 1 / GIF_FPS, GIF_FPS);
    }
    snprintf(filter, sizeof filter,
             "%ssplit[a][b];[a]palettegen=stats_mode=single[p];"
             "[b][p]paletteuse=new=1:dither=bayer:bayer_scale=4",
             slower);
    char* target = join("file:", f->temporary);
    if (!target) return ENOMEM;
    char* mp4[] = {"ffmpeg",
                   "-v",
                   "error",
                   "-nostdin",
                   "-xerror",
                   "-y",
                   "-f",
                   "rawvideo",
                   "-pix_fmt",
                   "rgb24",
                   "-s",
                   size,
                   "-r",
                   rate,
                   "-i",
                   "pipe:0",
                   "-vf",
                   "scale=out_color_matrix=bt709",
                   "-c:v",
                   "libx264",
                   "-preset",
                   "medium",
                   "-crf",
                   "18",
                   "-pix_fmt",
                   "yuv420p",
                   "-colorspace",
                   "bt709",
                   "-color_primaries",
                   "bt709",
                   "-color_trc",
                   "bt709",
                   "-movflags",
                   "+faststart",
                   "-f",
                   "mp4",
                   target,
                   NULL};
    char* gif[] = {"ffmpeg",   "-v",    "error", "-nostdin", "-xerror", "-y",  "-f",   "rawvideo",
                   "-pix_fmt", "rgb24", "-s",    size,       "-r",      rate,  "-i",   "pipe:0",
                   "-vf",      filter,  "-loop", "0",        "-f",      "gif", target, NULL};
    int failed = spawn(f, input, kind == FILM_GIF ? gif : mp4);
    free(target);
    return failed;
}

static sup_result start_error(int failed, sup_error* error) {
    if (failed == ENOENT) {
        return supi_error_set(error, SUP_UNSUPPORTED,
                              "films need the program ffmpeg (Debian: ffmpeg)");
    }
    if (failed == EACCES || failed == ENOEXEC) {
        return supi_error_set(error, SUP_UNSUPPORTED,
                              "films need the program ffmpeg (Debian: ffmpeg); the one that was "
                              "found cannot be run: %s",
                              strerror(failed));
    }
    if (failed == ENOMEM) return supi_error_memory(error);
    return supi_error_set(error, SUP_IO, "cannot start ffmpeg: %s", strerror(failed));
}

/* Looks now whether the name can be written: ffmpeg would say so only at the first picture. What
   stands there is left over from a process of the same number; a link is not followed. */
static int touch(const char* path) {
    unlink(path);
    int file = open(path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0666);
    if (file < 0) return errno;
    close(file);
    return 0;
}

sup_result film_open(const char* path, film_kind kind, int32_t width, int32_t height, double fps,
                     bool (*stop_asked)(void), film** out, sup_error* error) {
    film* f = calloc(1, sizeof *f);
    if (!f) return supi_error_memory(error);
    /* Named as base/file_io.c does it: two runs that write the same film keep apart. */
    char ending[32];
    snprintf(ending, sizeof ending, ".%ld.part", (long)getpid());
    *f = (film){.path = join(path, ""),
                .temporary = join(path, ending),
                .width = width,
                .height = height,
                .pipe = -1,
                .stop_asked = stop_asked};
    int failed = f->path && f->temporary ? 0 : ENOMEM, ends[2] = {-1, -1};
    if (!failed && (failed = touch(f->temporary)) != 0) {
        film_free(f);
        return supi_error_set(error, SUP_IO, "cannot create %.300s: %s", path, strerror(failed));
    }
    if (!failed && !(f->words = tmpfile())) failed = errno;
    if (!failed && pipe(ends) != 0) failed = errno;
    if (!failed) {
        f->pipe = ends[1];
        if (!keep_private(ends[0]) || !keep_private(ends[1]) || !keep_private(fileno(f->words)) ||
            fcntl(ends[1], F_SETFL, O_NONBLOCK) != 0) {
            failed = errno;
        }
        if (!failed) failed = start(f, kind, fps, ends[0]);
        close(ends[0]);
    }
    if (failed) {
        if (f->temporary) unlink(f->temporary);
        film_free(f);
        return start_error(failed, error);
    }
    *out = f;
    return SUP_OK;
}

/* ---- waiting for ffmpeg ---- */

static double seconds_on(clockid_t clock) {
    struct timespec now;
    return clock_gettime(clock, &now) == 0 ? (double)now.tv_sec + 1e-9 * (double)now.tv_nsec : 0;
}

/* Seconds that a process has computed. */
static double work_of(pid_t process) {
    clockid_t clock;
    return clock_getcpuclockid(process, &clock) == 0 ? seconds_on(clock) : 0;
}

/* Must we stop, and ffmpeg keeps us from it? */
static bool is_hung(film* f) {
    if (!f->stop_asked()) return false;
    double now = seconds_on(CLOCK_MONOTONIC), work = work_of(f->process);
    if (f->stop_time == 0) f->stop_time = f->lively_time = now;
    if (work > f->work + LEAST_WORK) {
        f->work = work;
        f->lively_time = now;
    }
    f->hung = now - f->lively_time > STILL_LIMIT || now - f->stop_time > STOP_LIMIT;
    return f->hung;
}

/* With all that it has started: it leads a group. */
static void kill_process(const film* f) { kill(-f->process, SIGKILL); }

/* Closes the pipe and waits. True: ffmpeg is content. It has been seen to end with 0 on a full
   disk, so any complaint counts as failure. */
static bool end_process(film* f) {
    if (f->pipe >= 0) close(f->pipe);
    f->pipe = -1;
    int status = 0;
    pid_t ended;
    while ((ended = waitpid(f->process, &status, WNOHANG)) == 0 || (ended < 0 && errno == EINTR)) {
        if (is_hung(f)) kill_process(f);
        poll(NULL, 0, GLANCE_MS);
    }
    bool silent = fseek(f->words, 0, SEEK_END) == 0 && ftell(f->words) == 0;
    return silent && ended == f->process && WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

/* In the words of ffmpeg, where it has said something; its first line. */
static sup_result failure(film* f, sup_error* error) {
    if (f->hung) {
        return supi_error_set(error, SUP_IO, "cannot write %.200s: ffmpeg hung and was ended",
                              f->path);
    }
    char line[200] = "it ended early";
    rewind(f->words);
    if (fgets(line, sizeof line, f->words)) line[strcspn(line, "\n")] = 0;
    if (strstr(line, "Unknown encoder")) {
        return supi_error_set(error, SUP_UNSUPPORTED,
                              "films need an ffmpeg with libx264 for .mp4 (Debian: ffmpeg); this "
                              "one says: %s",
                              line);
    }
    return supi_error_set(error, SUP_IO, "cannot write %.200s: ffmpeg says: %s", f->path, line);
}

sup_result film_add(film* f, const picture* picture_given, sup_error* error) {
    const uint8_t* bytes = picture_given->rgb;
    size_t left = 3 * (size_t)f->width * (size_t)f->height;
    while (left > 0) {
        ssize_t written = write(f->pipe, bytes, left);
        if (written > 0) {
            bytes += written;
            left -= (size_t)written;
            f->lively_time = seconds_on(CLOCK_MONOTONIC);
            continue;
        }
        /* The pipe breaks when ffmpeg has given up; why, it says when it has ended. */
        if ((errno != EAGAIN && errno != EINTR) || is_hung(f)) {
            return supi_error_set(error, SUP_IO, "ffmpeg takes no more pictures");
        }
        poll(&(struct pollfd){.fd = f->pipe, .events = POLLOUT}, 1, GLANCE_MS);
    }
    return SUP_OK;
}

/* Makes the file durable and gives it its name. */
static bool finish_file(const film* f) {
    struct stat at;
    int file = open(f->temporary, O_RDONLY | O_CLOEXEC);
    if (file < 0) return false;
    bool good = fstat(file, &at) == 0 && at.st_size > 0 && fsync(file) == 0;
    close(file);
    const sup_file_gate* gate = sup_file_gate_default();
    return good && gate->rename(gate->user, f->temporary, f->path) == SUP_OK;
}

sup_result film_close(film* f, sup_error* error) {
    sup_result result = SUP_OK;
    if (!end_process(f) || !finish_file(f)) {
        result = failure(f, error);
        unlink(f->temporary);
    }
    film_free(f);
    return result;
}

void film_abort(film* f) {
    if (!f) return;
    kill_process(f);
    end_process(f);
    unlink(f->temporary);
    film_free(f);
}
