/* supple_bench: options, choice of rows, tries and exit code. */
#define _POSIX_C_SOURCE 200809L

#include "bench.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { ROWS_MAX = 256, TRIES_MAX = 3 };

enum { EXIT_USAGE = 1, EXIT_NO_ROW = 2, EXIT_FAILED = 3, EXIT_BELOW = 7 };

typedef struct options {
    const char* filter; /* NULL: every row */
    bool json, check, list, help;
} options;

static const char help_text[] =
    "usage: supple_bench [FILTER] [--json] [--check] [--list]\n"
    "       supple_bench figure FOLDER\n"
    "\n"
    "Times Supple beside references, in turn, and keeps the least time of each.\n"
    "ratio = reference / value, so more is better in every row.\n"
    "\n"
    "  FILTER    run the row of this name, or else all rows whose names begin with it, or else\n"
    "            all whose names contain it\n"
    "  --json    print {\"rows\": [...]} instead of a table\n"
    "  --check   end with 7 when a ratio stays below its floor, or above its ceiling, in three\n"
    "            tries of its row\n"
    "  --list    say which rows there are and stop\n"
    "  figure    time of a step over points and clusters, as a table and as charts in FOLDER\n"
    "  --help    this text\n"
    "\n"
    "Ends with 0 done, 1 wrong usage, 2 no such row, 3 a row could not be measured or\n"
    "written, 7 a check failed: a ratio below its floor or above its ceiling, or a reference\n"
    "that does not move as Supple does.\n";

static bool parse(int argc, char** argv, options* out) {
    *out = (options){0};
    for (int k = 1; k < argc; k++) {
        const char* word = argv[k];
        if (strcmp(word, "--json") == 0) {
            out->json = true;
        } else if (strcmp(word, "--check") == 0) {
            out->check = true;
        } else if (strcmp(word, "--list") == 0) {
            out->list = true;
        } else if (strcmp(word, "--help") == 0 || strcmp(word, "-h") == 0) {
            out->help = true;
        } else if (word[0] == '-' || out->filter) {
            fprintf(stderr, "supple_bench: unexpected \"%s\", see --help\n", word);
            return false;
        } else {
            out->filter = word;
        }
    }
    return true;
}

static const bench_row* (*const row_lists[])(int32_t* count) = {
    bench_rows_cluster,  bench_rows_lattice, bench_rows_scenes,  bench_rows_spring,
    bench_rows_implicit, bench_rows_cloth,   bench_rows_readers, bench_rows_render,
    bench_rows_skin,     bench_rows_blend,   bench_rows_frames,  bench_rows_chains,
    bench_rows_fit,      bench_rows_mesh,    bench_rows_contact, bench_rows_deform,
    bench_rows_pile,     bench_rows_blob};
enum { ROW_LIST_COUNT = sizeof row_lists / sizeof *row_lists };

static int32_t list_rows(const bench_row** all) {
    int32_t all_count = 0;
    for (int32_t list = 0; list < ROW_LIST_COUNT; list++) {
        int32_t count;
        const bench_row* rows = row_lists[list](&count);
        for (int32_t k = 0; k < count && all_count < ROWS_MAX; k++) all[all_count++] = &rows[k];
    }
    return all_count;
}

/* How well a filter means a row: not at all, by a part of its name, its beginning, or all of it. */
static int match_name(const char* filter, const char* name) {
    if (!filter || strcmp(name, filter) == 0) return 3;
    if (strncmp(name, filter, strlen(filter)) == 0) return 2;
    return strstr(name, filter) ? 1 : 0;
}

/* The rows that the filter means best. */
static int32_t choose_rows(const char* filter, const bench_row** chosen) {
    const bench_row* all[ROWS_MAX];
    int32_t all_count = list_rows(all), count = 0;
    int best = 1;
    for (int32_t k = 0; k < all_count; k++) {
        int match = match_name(filter, all[k]->name);
        if (match < best) continue;
        if (match > best) count = 0;
        best = match;
        chosen[count++] = all[k];
    }
    return count;
}

/* Why this machine cannot run the row, NULL when it can. */
static const char* obstacle(const bench_row* row) {
    if (row->simd != SUP_SIMD_AUTO && !sup_simd_available(row->simd))
        return "the processor has no such kernels";
    if (sysconf(_SC_NPROCESSORS_ONLN) < row->threads) return "too few processors";
    return NULL;
}

/* Measures until nothing is wrong with the ratio, at most `tries` times, and keeps the best. */
static bool measure_row(const bench_row* row, int32_t tries, bench_figures* best) {
    for (int32_t n = 0; n < tries; n++) {
        bench_figures figures = {0};
        fprintf(stderr, "%s%s%s\n", row->name, n ? ": again, it was " : "",
                n ? bench_fault(row, best) : "");
        if (!row->measure(row, &figures)) return false;
        if (n == 0 || !bench_fault(row, &figures) ||
            figures.reference * best->value > best->reference * figures.value) {
            *best = figures;
        }
        if (!bench_fault(row, best)) return true;
    }
    return true;
}

/* Measures the chosen rows and drops those this machine cannot run. */
static bool measure_rows(const bench_row** rows, int32_t* count, int32_t tries,
                         bench_figures* figures) {
    int32_t kept = 0;
    for (int32_t k = 0; k < *count; k++) {
        const char* why = obstacle(rows[k]);
        if (why) {
            fprintf(stderr, "%s skipped: %s\n", rows[k]->name, why);
            continue;
        }
        rows[kept] = rows[k];
        if (!measure_row(rows[kept], tries, &figures[kept])) return false;
        kept++;
    }
    *count = kept;
    return true;
}

static int exit_code(const options* chosen, const bench_row* const* rows,
                     const bench_figures* figures, int32_t count) {
    int code = EXIT_SUCCESS;
    for (int32_t k = 0; k < count && chosen->check; k++) {
        const char* fault = bench_fault(rows[k], &figures[k]);
        if (!fault) continue;
        fprintf(stderr, "supple_bench: %s is %s\n", rows[k]->name, fault);
        code = EXIT_BELOW;
    }
    return code;
}

int main(int argc, char** argv) {
    if (argc == 3 && strcmp(argv[1], "figure") == 0) {
        return bench_figure(argv[2]) && fflush(stdout) == 0 ? EXIT_SUCCESS : EXIT_FAILED;
    }
    options chosen;
    if (!parse(argc, argv, &chosen)) return EXIT_USAGE;
    if (chosen.help) {
        fputs(help_text, stdout);
        return EXIT_SUCCESS;
    }
    const bench_row* rows[ROWS_MAX];
    bench_figures figures[ROWS_MAX];
    int32_t count = choose_rows(chosen.filter, rows);
    if (count == 0) {
        fprintf(stderr, "supple_bench: no row has \"%s\" in its name, see --list\n", chosen.filter);
        return EXIT_NO_ROW;
    }
    if (chosen.list) {
        bench_print_list(rows, count);
        return EXIT_SUCCESS;
    }
    if (!bench_check_references()) return EXIT_BELOW;
    if (!measure_rows(rows, &count, chosen.check ? TRIES_MAX : 1, figures)) return EXIT_FAILED;
    (chosen.json ? bench_print_json : bench_print_table)(rows, figures, count);
    if (fflush(stdout) != 0) return EXIT_FAILED;
    return exit_code(&chosen, rows, figures, count);
}
