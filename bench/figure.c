/* The timing figure of Müller et al. 2005: time of a step over the number of points, for 1, 8 and
   64 clusters, linear and quadratic matching, beside what the paper's figure shows. */
#include "contest.h"
#include "plot/chart.h"

#include <stdio.h>
#include <string.h>

enum { SIZES = 7, LAYOUTS = 3, MODES = 2, FIGURE_REPEATS = 15, LEVEL_POINTS = 2 };

static const int32_t sizes[SIZES] = {100, 200, 500, 1000, 2000, 5000, 10000};
static const int32_t cuts[LAYOUTS] = {1, 2, 4};
static const char* const layout_names[LAYOUTS] = {"1 cluster", "8 clusters", "64 clusters"};
static const sup_match_mode modes[MODES] = {SUP_MATCH_LINEAR, SUP_MATCH_QUADRATIC};
static const char* const mode_names[MODES] = {"linear", "quadratic"};

/* Read off the paper's figure at 10,000 points, ms on a Pentium 4 of 3.2 GHz. */
static const double paper[MODES][LAYOUTS] = {{2.3, 2.55, 3.1}, {3.95, 4.1, 4.4}};

/* ms of a step; 0: too few points for so many clusters. */
typedef double times[MODES][LAYOUTS][SIZES];

/* Boxes of three layers along an axis that are all different. */
static bool fits(int32_t size, int32_t cut) { return cut < 4 || size >= 500; }

static bool measure_size(int32_t at, times out) {
    bench_contestant contestants[MODES * LAYOUTS];
    bench_subject subjects[MODES * LAYOUTS];
    double* places[MODES * LAYOUTS];
    double seconds[MODES * LAYOUTS];
    int32_t made = 0;
    bool good = true;
    for (int mode = 0; mode < MODES && good; mode++) {
        for (int layout = 0; layout < LAYOUTS && good; layout++) {
            out[mode][layout][at] = 0.0;
            if (!fits(sizes[at], cuts[layout])) continue;
            const bench_entry entry = {MOVER_SUPPLE, 1,
                                       sizes[at],    cuts[layout],
                                       NULL,         {SUP_SCHEME_S, modes[mode], 1, SUP_SIMD_AUTO}};
            good = bench_contestant_create(&entry, &contestants[made]);
            if (!good) break;
            places[made] = &out[mode][layout][at];
            subjects[made] = contestants[made].subject;
            made++;
        }
    }
    good = good && bench_time_work(subjects, made, FIGURE_REPEATS, seconds);
    for (int32_t k = 0; k < made; k++) {
        if (good) *places[k] = 1e3 * seconds[k];
        good = good && bench_contestant_whole(&contestants[k]);
        bench_contestant_destroy(&contestants[k]);
    }
    return good;
}

/* ---- Output ---- */

static void print_table(const times all) {
    printf("| points |");
    for (int mode = 0; mode < MODES; mode++) {
        for (int layout = 0; layout < LAYOUTS; layout++) {
            printf(" %s, %s |", mode_names[mode], layout_names[layout]);
        }
    }
    printf("\n| --- | --- | --- | --- | --- | --- | --- |\n");
    for (int at = 0; at < SIZES; at++) {
        printf("| %d |", sizes[at]);
        for (int mode = 0; mode < MODES; mode++) {
            for (int layout = 0; layout < LAYOUTS; layout++) {
                double ms = all[mode][layout][at];
                if (ms > 0.0) {
                    printf(" %.4f |", ms);
                } else {
                    printf(" - |");
                }
            }
        }
        printf("\n");
    }
}

static bool write_chart(const chart* c, const char* folder, const char* name) {
    char path[1024];
    int length = snprintf(path, sizeof path, "%s/matching-%s.svg", folder, name);
    if (length < 0 || (size_t)length >= sizeof path) return false;
    sup_error error;
    if (chart_save(c, path, &error) == SUP_OK) return true;
    fprintf(stderr, "supple_bench: %s\n", error.text);
    return false;
}

/* The measured lines, and a dashed level for what the paper's figure shows at its right end. */
static bool draw_mode(int mode, const times all, const char* folder) {
    static const double ends[LEVEL_POINTS] = {100.0, 10000.0};
    double points[LAYOUTS][SIZES], values[LAYOUTS][SIZES], levels[LAYOUTS][LEVEL_POINTS];
    char title[80];
    snprintf(title, sizeof title, "A step of %s matching", mode_names[mode]);
    chart c = {.title = title,
               .across = "points",
               .across_unit = "",
               .width = 960,
               .height = 480,
               .log = true,
               .standalone = true};
    for (int layout = 0; layout < LAYOUTS; layout++) {
        int32_t count = 0;
        for (int at = 0; at < SIZES; at++) {
            if (all[mode][layout][at] <= 0.0) continue;
            points[layout][count] = sizes[at];
            values[layout][count++] = all[mode][layout][at];
        }
        levels[layout][0] = levels[layout][1] = paper[mode][layout];
        chart_series* own = &c.series[c.series_count++];
        *own = (chart_series){.unit = "ms",
                              .times = points[layout],
                              .values = values[layout],
                              .count = count,
                              .stride = 1,
                              .colour = layout};
        snprintf(own->name, sizeof own->name, "%s", layout_names[layout]);
    }
    for (int layout = 0; layout < LAYOUTS; layout++) {
        chart_series* theirs = &c.series[c.series_count++];
        *theirs = (chart_series){.unit = "ms",
                                 .times = ends,
                                 .values = levels[layout],
                                 .count = LEVEL_POINTS,
                                 .stride = 1,
                                 .colour = layout,
                                 .dashed = true};
        snprintf(theirs->name, sizeof theirs->name, "2005: 10,000 points, %s",
                 layout_names[layout]);
    }
    return write_chart(&c, folder, mode_names[mode]);
}

bool bench_figure(const char* folder) {
    times all;
    for (int32_t at = 0; at < SIZES; at++) {
        fprintf(stderr, "%d points\n", sizes[at]);
        if (measure_size(at, all)) continue;
        fprintf(stderr, "supple_bench: %d points could not be measured\n", sizes[at]);
        return false;
    }
    print_table(all);
    for (int mode = 0; mode < MODES; mode++) {
        if (!draw_mode(mode, all, folder)) return false;
    }
    return true;
}
