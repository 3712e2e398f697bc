/* supple report: a scene, or two of them side by side, as one HTML page. */
#include "outputs.h"
#include "plot/target.h"
#include "render/renderer.h"
#include "report/report.h"

#include <stdio.h>

static const option options[] = {
    {.name = "output",
     .letter = 'o',
     .value = "FILE",
     .kind = OPTION_TEXT,
     .offset = offsetof(report_options, output),
     .help = "the .html to write (needed)"},
    {.name = "compare",
     .value = "SCENE",
     .kind = OPTION_TEXT,
     .offset = offsetof(report_options, compare),
     .help = "lay this scene beside the other, on the left"},
    SIMULATE_OPTIONS(report_options, simulate),
    {.name = "size",
     .value = "WxH",
     .kind = OPTION_TEXT,
     .offset = offsetof(report_options, size_text),
     .help = "pixels of the large picture (default 960x540); the others are half"},
    {.name = "samples",
     .value = "N",
     .kind = OPTION_INTEGER,
     .offset = offsetof(report_options, samples),
     .low = 1,
     .high = RENDER_SAMPLES_MOST,
     .help = "rays per pixel (default 16); more give calmer pictures"},
    {.name = "poster",
     .value = "N",
     .kind = OPTION_INTEGER,
     .offset = offsetof(report_options, poster),
     .low = 0,
     .high = 1000000,
     .help = "frame of the large picture (default: at a third of the run)"},
    {.name = "no-pictures",
     .kind = OPTION_FLAG,
     .offset = offsetof(report_options, no_pictures),
     .help = "numbers, tables and charts only"},
    {.name = "quiet",
     .letter = 'q',
     .kind = OPTION_FLAG,
     .offset = offsetof(report_options, quiet),
     .help = "no progress bar, no notes, no summary"},
    {.name = NULL}};

/* The page must not take the place of a scene or its meshes. */
static tool_exit check_inputs(const report* r) {
    output_list none = {.count = 0};
    tool_exit code = TOOL_DONE;
    for (int32_t k = 0; code == TOOL_DONE && k < r->side_count; k++) {
        code = outputs_check_inputs(&none, r->options.output, r->sides[k].scene);
    }
    return code;
}

static tool_exit make(report* r, supi_writer* writer) {
    r->progress = progress_begin(r->options.quiet);
    tool_exit code = report_measure(r);
    if (code == TOOL_DONE) code = report_draw(r);
    progress_clear(&r->progress);
    if (code == TOOL_DONE && tool_stop_asked()) code = report_stopped(r);
    if (code != TOOL_DONE) return code;
    report_write(&(markup){writer}, r);
    sup_error error;
    return supi_writer_commit(writer, &error) == SUP_OK ? TOOL_DONE : tool_fail_error(&error);
}

/* The file is opened first: that it cannot be written should not come out after an hour. */
static tool_exit write_report(report* r) {
    tool_exit code = report_load(r);
    if (code == TOOL_DONE) code = check_inputs(r);
    if (code != TOOL_DONE) return code;
    supi_writer writer;
    sup_error error;
    sup_result result = supi_writer_begin(&writer, sup_file_gate_default(), sup_allocator_default(),
                                          r->options.output, &error);
    if (result != SUP_OK) return tool_fail_error(&error);
    code = make(r, &writer);
    supi_writer_abort(&writer);
    if (code == TOOL_DONE && !r->options.quiet) {
        printf("wrote %s\n", r->options.output);
        if (r->no_pictures[0] && !r->options.no_pictures) {
            tool_note("the report has no pictures: %s", r->no_pictures);
        }
    }
    return code;
}

static tool_exit run(const tool_command* command, int count, char** words) {
    render_settings usual = renderer_default();
    report r = {.options = {.simulate = {.threads = 1},
                            .width = usual.width,
                            .height = usual.height,
                            .samples = usual.samples,
                            .poster = -1}};
    report_options* chosen = &r.options;
    const char* path;
    tool_exit code;
    if (!options_parse(command, count, words, chosen, &path, &code)) return code;
    if (!chosen->output) return tool_fail(TOOL_USAGE, "report needs -o FILE.html");
    code = target_check_name(chosen->output, ".html");
    if (code == TOOL_DONE && chosen->size_text) {
        code = options_parse_pair("size", "WxH", chosen->size_text, REPORT_SIZE_LEAST,
                                  REPORT_SIZE_MOST, &chosen->width, &chosen->height);
    }
    if (code != TOOL_DONE) return code;
    if (chosen->compare) r.sides[r.side_count++].path = chosen->compare;
    r.sides[r.side_count++].path = path;
    code = write_report(&r);
    report_free(&r);
    return code;
}

const tool_command command_report = {
    "report",
    "SCENE",
    "write an HTML page about a scene, or two side by side",
    "Simulates a scene and writes one page with pictures, tables and charts. The page needs\n"
    "no other file and fetches nothing. Without Embree and libspng it has no pictures.\n"
    "\"supple report --compare A B\" lays the scenes A and B side by side.",
    options,
    run};
