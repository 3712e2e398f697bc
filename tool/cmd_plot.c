/* supple plot: columns of a --stats file over time, as an SVG chart. */
#include "commands.h"
#include "outputs.h"
#include "plot/stats_file.h"
#include "plot/target.h"

#include <stdio.h>
#include <string.h>

#define DEFAULT_COLUMNS "kinetic,potential,elastic,energy"

typedef struct plot_options {
    const char *output, *columns, *title, *size;
    bool log, list;
} plot_options;

static const option options[] = {
    {.name = "output",
     .letter = 'o',
     .value = "FILE",
     .kind = OPTION_TEXT,
     .offset = offsetof(plot_options, output),
     .help = "write the chart to this .svg (default: standard output)"},
    {.name = "columns",
     .letter = 'c',
     .value = "A,B,...",
     .kind = OPTION_TEXT,
     .offset = offsetof(plot_options, columns),
     .help = "up to 8 columns (default " DEFAULT_COLUMNS ")"},
    {.name = "list",
     .kind = OPTION_FLAG,
     .offset = offsetof(plot_options, list),
     .help = "print the columns, their units and ranges, and draw nothing"},
    {.name = "log",
     .kind = OPTION_FLAG,
     .offset = offsetof(plot_options, log),
     .help = "logarithmic values; those of 0 and below are left out"},
    {.name = "size",
     .value = "WxH",
     .kind = OPTION_TEXT,
     .offset = offsetof(plot_options, size),
     .help = "pixels (default 960x480)"},
    {.name = "title",
     .value = "TEXT",
     .kind = OPTION_TEXT,
     .offset = offsetof(plot_options, title),
     .help = "heading (default: the scene's file)"},
    {.name = NULL}};

/* ---- columns ---- */

static const char* column_name(const void* list, int i) {
    (void)list;
    return i < COLUMN_COUNT ? column_table[i].name : NULL;
}

static tool_exit unknown_column(const char* name, size_t length) {
    char word[48];
    snprintf(word, sizeof word, "%.*s", (int)(length < 47 ? length : 47), name);
    const char* meant = options_nearest(word, column_name, NULL);
    if (meant) {
        return tool_fail(TOOL_INPUT, "there is no column \"%s\"; did you mean \"%s\"?", word,
                         meant);
    }
    return tool_fail(TOOL_INPUT, "there is no column \"%s\"; --list names them all", word);
}

static tool_exit choose_columns(const char* names, const columns* numbers, chart* out) {
    for (const char* name = names;; name++) {
        size_t length = strcspn(name, ",");
        int32_t which = columns_find(numbers, name, length);
        if (which == columns_width(numbers)) return unknown_column(name, length);
        if (out->series_count == CHART_SERIES) {
            return tool_fail(TOOL_USAGE, "a chart takes %d columns at most", CHART_SERIES);
        }
        chart_series* series = &out->series[out->series_count];
        *series = columns_series(numbers, which);
        for (int32_t k = 0; k < out->series_count; k++) {
            if (out->series[k].values != series->values) continue;
            return tool_fail(TOOL_USAGE, "the column \"%s\" is named twice", series->name);
        }
        series->colour = out->series_count++;
        name += length;
        if (!*name) return TOOL_DONE;
    }
}

/* Allowed, but the heights of such lines cannot be compared. */
static void note_units(const chart* c) {
    int32_t other = chart_other_unit(c);
    if (other == c->series_count) return;
    const chart_series *a = &c->series[0], *b = &c->series[other];
    tool_note("%s (%s) and %s (%s) share one axis; columns of one unit are better in a chart of "
              "their own",
              a->name, a->unit[0] ? a->unit : "no unit", b->name, b->unit[0] ? b->unit : "no unit");
}

static void print_columns(const columns* numbers) {
    printf("%-20s %-8s %12s %12s  %s\n", "column", "unit", "lowest", "highest", "meaning");
    for (int32_t i = 0; i < columns_width(numbers); i++) {
        char room[48];
        column_info info = columns_info(numbers, i, room);
        chart_series series = columns_series(numbers, i);
        double low, high;
        chart_range(&series, false, &low, &high);
        /* printf counts bytes, a person sees characters */
        int unit = 8 + (int)strlen(info.unit) - markup_length(info.unit);
        printf("%-20s %-*s %12.5g %12.5g  %s\n", info.name, unit, info.unit, low, high,
               info.meaning);
    }
}

/* ---- the chart ---- */

/* A logarithmic chart needs something above 0. */
static tool_exit check_log(const chart* c) {
    double low, high;
    for (int32_t k = 0; c->log && k < c->series_count; k++) {
        if (!chart_range(&c->series[k], true, &low, &high)) {
            return tool_fail(TOOL_INPUT, "\"%s\" is never above 0; --log cannot show it",
                             c->series[k].name);
        }
    }
    return TOOL_DONE;
}

static tool_exit write_chart(const chart* c, const char* path) {
    if (!path) {
        chart_write(&(markup){NULL}, c);
        return TOOL_DONE;
    }
    sup_error error;
    if (chart_save(c, path, &error) != SUP_OK) return tool_fail_error(&error);
    printf("wrote %s\n", path);
    return TOOL_DONE;
}

static tool_exit plot(const plot_options* chosen, const stats_file* file) {
    const char* slash = strrchr(file->scene, '/');
    const char* name = slash ? slash + 1 : file->scene;
    const char* names = chosen->columns ? chosen->columns : DEFAULT_COLUMNS;
    chart c = {.title = chosen->title ? chosen->title : name,
               .width = 960,
               .height = 480,
               .log = chosen->log,
               .standalone = true};
    tool_exit code = TOOL_DONE;
    if (chosen->size) {
        code = options_parse_pair("size", "WxH", chosen->size, 240, 4096, &c.width, &c.height);
    }
    if (code == TOOL_DONE) code = choose_columns(names, &file->numbers, &c);
    if (code == TOOL_DONE) code = check_log(&c);
    if (code == TOOL_DONE) note_units(&c);
    return code == TOOL_DONE ? write_chart(&c, chosen->output) : code;
}

static tool_exit run(const tool_command* command, int count, char** words) {
    plot_options chosen = {.columns = NULL};
    const char* path;
    tool_exit code;
    if (!options_parse(command, count, words, &chosen, &path, &code)) return code;
    if (chosen.list && chosen.output) {
        return tool_fail(TOOL_USAGE, "--list draws nothing: it goes without --output");
    }
    if (chosen.output) code = target_check_name(chosen.output, ".svg");
    if (code == TOOL_DONE && chosen.output && outputs_same_file(chosen.output, path)) {
        code = tool_fail(TOOL_USAGE, "%s is read; it is not overwritten", path);
    }
    if (code == TOOL_DONE) code = tool_check_input(path);
    if (code != TOOL_DONE) return code;
    stats_file file;
    sup_error error;
    if (stats_file_read(path, &file, &error) != SUP_OK) return tool_fail_error(&error);
    if (chosen.list) {
        print_columns(&file.numbers);
    } else {
        code = plot(&chosen, &file);
    }
    stats_file_free(&file);
    return code;
}

const tool_command command_plot = {
    "plot",
    "STATS",
    "draw numbers over time as an SVG chart",
    "Draws columns of a file that \"supple run --stats\" has written. Parts of vectors are\n"
    "momentum.x and so on, their lengths |momentum|; the bars may be left out.",
    options,
    run};
