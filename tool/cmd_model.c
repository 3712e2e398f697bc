/* supple model: a mesh of something, made from formulas. */
#include "commands.h"
#include "file/ending.h"
#include "outputs.h"
#include "supple/files.h"
#include "supple/mesh.h"

#include <stdio.h>
#include <string.h>

typedef struct model_options {
    const char *output, *detail;
    bool quiet;
} model_options;

static const option options[] = {
    {.name = "output",
     .letter = 'o',
     .value = "FILE",
     .kind = OPTION_TEXT,
     .offset = offsetof(model_options, output),
     .help = "an .obj, .ply, .stl, .glb, .vtu or .usda (default: MODEL.ply here)"},
    {.name = "detail",
     .value = "D",
     .kind = OPTION_TEXT,
     .offset = offsetof(model_options, detail),
     .help = "how many times as many points, 0.25 to 4 (default 1)"},
    {.name = "quiet",
     .letter = 'q',
     .kind = OPTION_FLAG,
     .offset = offsetof(model_options, quiet),
     .help = "no summary"},
    {.name = NULL}};

static const char* model_at(const void* list, int index) {
    (void)list;
    return sup_model_name((sup_model)index);
}

static tool_exit find_model(const char* name, sup_model* model) {
    for (int i = 0; model_at(NULL, i); i++) {
        if (strcmp(model_at(NULL, i), name) != 0) continue;
        *model = (sup_model)i;
        return TOOL_DONE;
    }
    const char* meant = options_nearest(name, model_at, NULL);
    if (meant) {
        return tool_fail(TOOL_USAGE, "there is no model \"%s\"; did you mean \"%s\"?", name, meant);
    }
    return tool_fail(TOOL_USAGE, "there is no model \"%s\"; supple model --help names them all",
                     name);
}

static tool_exit check_ending(const char* path) {
    static const char* const endings[] = {".obj", ".ply", ".stl", ".glb", ".vtu", ".usda"};
    for (size_t i = 0; i < sizeof endings / sizeof *endings; i++) {
        if (supi_ending_is(path, endings[i])) return TOOL_DONE;
    }
    return tool_fail(TOOL_USAGE,
                     "cannot write %s: the name must end in .obj, .ply, .stl, .glb, .vtu or .usda",
                     path);
}

static tool_exit write_model(sup_model model, double detail, const char* path, bool quiet) {
    sup_error error;
    sup_mesh mesh;
    sup_mesh_report report;
    if (sup_mesh_model(NULL, model, detail, &mesh, &error) != SUP_OK) {
        return tool_fail_error(&error);
    }
    sup_result result = sup_mesh_inspect(NULL, &mesh, &report, &error);
    if (result == SUP_OK) result = sup_mesh_save(NULL, NULL, path, &mesh, &error);
    if (result == SUP_OK && !quiet) {
        printf("%d points, %d triangles, %d closed %s, %.3g x %.3g x %.3g m\n",
               (int)mesh.point_count, (int)mesh.polygon_count, (int)report.component_count,
               report.component_count == 1 ? "surface" : "surfaces", report.high[0] - report.low[0],
               report.high[1] - report.low[1], report.high[2] - report.low[2]);
        printf("wrote %s\n", path);
    }
    sup_mesh_free(&mesh);
    return result == SUP_OK ? TOOL_DONE : tool_fail_error(&error);
}

static tool_exit run(const tool_command* command, int count, char** words) {
    model_options chosen = {NULL, NULL, false};
    const char* name;
    char own[64];
    double detail = 1;
    sup_model model = SUP_MODEL_SQUID;
    tool_exit code;
    if (!options_parse(command, count, words, &chosen, &name, &code)) return code;
    code = find_model(name, &model);
    if (code == TOOL_DONE) {
        code = options_parse_real("detail", chosen.detail, SUP_MODEL_LEAST_DETAIL,
                                  SUP_MODEL_MOST_DETAIL, &detail);
    }
    if (code != TOOL_DONE) return code;
    snprintf(own, sizeof own, "%s.ply", name);
    const char* path = chosen.output ? chosen.output : own;
    code = check_ending(path);
    if (code == TOOL_DONE) code = outputs_check_mesh(path);
    return code == TOOL_DONE ? write_model(model, detail, path, chosen.quiet) : code;
}

const tool_command command_model = {
    "model",
    "squid|lionfish|truck|twisted_rope|plant",
    "write a mesh of something, made from formulas",
    "Writes a closed surface of even triangles, in m, y up, x ahead, that stands on y = 0:\n"
    "  squid          upright on eight arms, 5,000 points\n"
    "  lionfish       with all its fins spread, 30,000 points\n"
    "  truck          monster truck: a body and four wheels that do not touch it, 60,000 points\n"
    "  twisted_rope   three strands along x, 6,000 points\n"
    "  plant          in a pot, 20,000 points\n"
    "Scenes know these names as shapes, too.",
    options,
    run};
