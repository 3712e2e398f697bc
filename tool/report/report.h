/* A report: one or two scenes, simulated, measured and drawn, as one HTML page. */
#ifndef SUPPLE_TOOL_REPORT_REPORT_H
#define SUPPLE_TOOL_REPORT_REPORT_H

#include "commands.h"
#include "plot/columns.h"
#include "progress.h"

#define REPORT_SHEET 8       /* pictures of a contact sheet */
#define REPORT_SIZE_LEAST 64 /* pixels of the large picture */
#define REPORT_SIZE_MOST 4096

typedef struct report_options {
    simulate_options simulate;
    const char *output, *compare, *size_text;
    int32_t width, height; /* of the poster, px; those of the sheet are half as wide */
    int32_t samples;
    int32_t poster; /* frame, -1: at a third of the run */
    bool no_pictures, quiet;
} report_options;

/* A drawn frame. */
typedef struct report_picture {
    int32_t frame;
    uint8_t* png; /* owned; NULL: not drawn */
    size_t size;
} report_picture;

/* One scene of the report. */
typedef struct report_side {
    const char* path;
    sup_scene* scene; /* as it is after the last frame */
    int32_t frames;
    columns numbers;        /* frames + 1 rows */
    uint64_t hash;          /* of the last frame */
    double low[3], high[3]; /* box of the whole motion */
    simulate_troubles troubles;
    report_picture poster;
    int32_t sheet_count;
    report_picture sheet[REPORT_SHEET];
} report_side;

typedef struct report {
    report_options options;
    int32_t side_count;
    report_side sides[2];
    char no_pictures[512]; /* why there are none; "" if there are */
    progress progress;
    int32_t done, total; /* frames simulated so far and in all */
} report;

/* Loads the scenes and sees that all that is asked of them can be done. */
tool_exit report_load(report* r);
/* First pass: numbers and bounds of all frames. */
tool_exit report_measure(report* r);
/* Second pass: simulates again and draws the few frames that are shown. */
tool_exit report_draw(report* r);
void report_free(report* r);
/* Says that a signal has ended the work. */
tool_exit report_stopped(report* r);

/* The page (page.c) and its parts: what is in a scene (contents.c), the look (style.c). */
void report_write(markup* m, const report* r);
void report_write_contents(markup* m, const report_side* side);
extern const char report_style[];

/* <table> with a caption and a head of columns separated by "|"; a name that ends in "#" heads
   numbers. Rows are then put inside, and </tbody></table></div> ends it. */
void report_open_table(markup* m, const char* caption, const char* heads);
void report_close_table(markup* m);
/* A cell with a number. */
void report_number_cell(markup* m, double value);

#endif
