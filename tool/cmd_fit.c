/* supple fit: a body of oriented particles from a mesh, or edits of one that is there. */
#define _XOPEN_SOURCE 700

#include "base/file_io.h"
#include "commands.h"
#include "emit.h"
#include "file/ending.h"
#include "outputs.h"
#include "scene/body_file.h"
#include "supple/files.h"
#include "supple/mesh.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct fit_options {
    const char *output, *spacing, *reach, *density, *surface_density, *mass, *stiffness;
    const char *edits, *mirror;
    int32_t where, count, seed, nearest;
    option_texts edit;
    bool check, json, quiet;
} fit_options;

static const char* const where_words[] = {"auto", "inside", "surface", NULL}; /* sup_spray_where */

#define TEXT(option, word, member, words)                                                          \
    {                                                                                              \
        .name = option, .value = word, .kind = OPTION_TEXT,                                        \
        .offset = offsetof(fit_options, member), .help = words                                     \
    }
#define INTEGER(option, member, least, most, words)                                                \
    {                                                                                              \
        .name = option, .value = "N", .kind = OPTION_INTEGER,                                      \
        .offset = offsetof(fit_options, member), .low = least, .high = most, .help = words         \
    }
#define FLAG(option, short_form, member, words)                                                    \
    {                                                                                              \
        .name = option, .letter = short_form, .kind = OPTION_FLAG,                                 \
        .offset = offsetof(fit_options, member), .help = words                                     \
    }

static const option options[] = {
    {.name = "output",
     .letter = 'o',
     .value = "FILE",
     .kind = OPTION_TEXT,
     .offset = offsetof(fit_options, output),
     .help = "the body file, .json; without it there is a report only"},
    {.name = "where",
     .value = "WORD",
     .kind = OPTION_WORD,
     .offset = offsetof(fit_options, where),
     .words = where_words,
     .help = "inside or surface (default auto: inside where MESH is closed)"},
    INTEGER("count", count, 1, 100000, "about so many particles (default 300)"),
    TEXT("spacing", "M", spacing, "m between particles, instead of a count"),
    INTEGER("seed", seed, 0, INT32_MAX, "each gives other places (default 1)"),
    TEXT("reach", "M", reach, "links are shorter (default 1.6 times the spacing)"),
    INTEGER("nearest", nearest, 1, 24, "links to so many neighbours at most (default 12)"),
    TEXT("density", "D", density, "kg/m^3 of a body that is filled (default 1000)"),
    TEXT("surface-density", "D", surface_density, "kg/m^2 of a surface (default 1)"),
    TEXT("mass", "KG", mass, "of the whole body, instead of a density"),
    TEXT("stiffness", "W", stiffness, "rad/s of all particles (default 200)"),
    TEXT("mirror", "AXIS", mirror, "x, y, z, -x, -y or -z: keep that side and its image"),
    {.name = "edit",
     .value = "EDIT",
     .kind = OPTION_TEXTS,
     .offset = offsetof(fit_options, edit),
     .help = "\"pin below y 0.1\" and the like; may be given again"},
    TEXT("edits", "FILE", edits, "a file of such edits, a line each; these come first"),
    FLAG("check", 0, check, "end with 7 where the report has findings"),
    FLAG("json", 0, json, "print the report as JSON"),
    FLAG("quiet", 'q', quiet, "no report"),
    {.name = NULL}};

typedef struct fit_job {
    fit_options options;
    const char* input;
    sup_rig* rig;
    supi_arena store; /* of paths */
    const char* mesh; /* path of the mesh; NULL: none */
    bool fresh;       /* from a mesh, not from a body file */
    sup_rig_report report;
} fit_job;

/* ---- the line ---- */

/* Only a mesh is sprayed; a body keeps what it has. */
static tool_exit check_fresh(const fit_job* job) {
    const fit_options* o = &job->options;
    const char* given = o->spacing           ? "spacing"
                        : o->reach           ? "reach"
                        : o->density         ? "density"
                        : o->surface_density ? "surface-density"
                        : o->mass            ? "mass"
                        : o->where > 0       ? "where"
                        : o->count > 0       ? "count"
                        : o->seed >= 0       ? "seed"
                        : o->nearest > 0     ? "nearest"
                                             : NULL;
    if (job->fresh || !given) return TOOL_DONE;
    return tool_fail(TOOL_USAGE, "--%s is for a mesh; %s is a body already: use --edit", given,
                     job->input);
}

static tool_exit check_line(fit_job* job) {
    const fit_options* o = &job->options;
    job->fresh = !supi_ending_is(job->input, ".json");
    if (o->output && !supi_ending_is(o->output, ".json")) {
        return tool_fail(TOOL_USAGE, "cannot write %s: the name must end in .json", o->output);
    }
    if (o->spacing && o->count > 0) {
        return tool_fail(TOOL_USAGE, "--spacing and --count exclude each other");
    }
    if (o->quiet && o->json) {
        return tool_fail(TOOL_USAGE, "--quiet and --json exclude each other");
    }
    tool_exit code = check_fresh(job);
    if (code == TOOL_DONE) code = tool_check_input(job->input);
    if (code == TOOL_DONE && o->output) code = outputs_check_writable(o->output);
    return code;
}

/* ---- the work ---- */

static tool_exit fail(const sup_error* error) { return tool_fail_error(error); }

static tool_exit load_mesh(fit_job* job) {
    sup_mesh mesh;
    sup_error error;
    if (sup_mesh_load(NULL, NULL, job->input, &mesh, &error) != SUP_OK) return fail(&error);
    const char* ignored = sup_mesh_note(&mesh);
    if (ignored && !job->options.quiet) tool_note("%s: %s", job->input, ignored);
    sup_result result = sup_rig_create(NULL, &mesh, &job->rig, &error);
    sup_mesh_free(&mesh);
    job->mesh = job->input;
    return result == SUP_OK ? TOOL_DONE
                            : tool_fail(tool_exit_for(result), "%s: %s", job->input, error.text);
}

static tool_exit load_body(fit_job* job) {
    sup_error error;
    supi_bytes bytes;
    supi_body_paths paths = {0};
    const sup_allocator* allocator = sup_allocator_default();
    const sup_file_gate* files = sup_file_gate_default();
    if (supi_file_read(files, allocator, job->input, &bytes, &error) != SUP_OK) return fail(&error);
    sup_result result = supi_body_file_parse(&job->store, files, job->input, bytes.data, bytes.size,
                                             &paths, &job->rig, &error);
    supi_bytes_free(allocator, &bytes);
    job->mesh = paths.mesh;
    return result == SUP_OK ? TOOL_DONE : fail(&error);
}

/* Numbers of the line, over the defaults. */
static tool_exit read_numbers(const fit_options* o, sup_spray_def* spray,
                              sup_spray_links_def* links, sup_weigh_def* weigh, double* stiffness) {
    if (o->where > 0) spray->where = (sup_spray_where)o->where;
    if (o->count > 0) spray->count = o->count;
    if (o->seed >= 0) spray->seed = o->seed;
    if (o->nearest > 0) links->nearest = o->nearest;
    tool_exit code = options_parse_real("spacing", o->spacing, 1e-6, 1e6, &spray->spacing);
    if (code == TOOL_DONE) code = options_parse_real("reach", o->reach, 1e-6, 1e6, &links->reach);
    if (code == TOOL_DONE)
        code = options_parse_real("density", o->density, 1e-9, 1e9, &weigh->density);
    if (code == TOOL_DONE) {
        code = options_parse_real("surface-density", o->surface_density, 1e-9, 1e9,
                                  &weigh->surface_density);
    }
    if (code == TOOL_DONE) code = options_parse_real("mass", o->mass, 1e-9, 1e12, &weigh->mass);
    if (code == TOOL_DONE) code = options_parse_real("stiffness", o->stiffness, 0, 1e5, stiffness);
    return code;
}

/* Particles, links, ellipsoids and masses. */
static tool_exit make(fit_job* job, const sup_spray_def* spray, const sup_spray_links_def* links,
                      const sup_weigh_def* weigh, double stiffness) {
    sup_error error;
    sup_fit_def shape = sup_fit_default();
    sup_rig* rig = job->rig;
    sup_result result = sup_rig_set_stiffness(rig, stiffness, &error);
    if (result == SUP_OK) result = sup_rig_spray(rig, spray, NULL, &error);
    if (result == SUP_OK) result = sup_rig_spray_links(rig, links, NULL, &error);
    if (result == SUP_OK) result = sup_rig_bridge(rig, 3, NULL, &error);
    if (result == SUP_OK) result = sup_rig_fit(rig, &shape, &error);
    if (result == SUP_OK) result = sup_rig_weigh(rig, weigh, &error);
    if (result == SUP_OK) return TOOL_DONE;
    return tool_fail(tool_exit_for(result), "%s: %s", job->input, error.text);
}

static tool_exit spray(fit_job* job) {
    sup_spray_def particles = sup_spray_default();
    sup_spray_links_def links = sup_spray_links_default();
    sup_weigh_def weigh = sup_weigh_default();
    const sup_brush all = {.kind = SUP_BRUSH_ALL};
    double stiffness = 200;
    tool_exit code = read_numbers(&job->options, &particles, &links, &weigh, &stiffness);
    if (code != TOOL_DONE) return code;
    if (job->fresh) return make(job, &particles, &links, &weigh, stiffness);
    sup_error error;
    if (!job->options.stiffness) return TOOL_DONE;
    return sup_rig_paint(job->rig, SUP_PAINT_STIFFNESS, stiffness, &all, &error) == SUP_OK
               ? TOOL_DONE
               : fail(&error);
}

/* One edit of the line. */
static tool_exit edit(fit_job* job, const char* name, const char* text, size_t size) {
    sup_error error;
    return sup_rig_edit(job->rig, name, text, size, &error) == SUP_OK ? TOOL_DONE : fail(&error);
}

static tool_exit edit_file(fit_job* job, const char* path) {
    sup_error error;
    supi_bytes bytes;
    tool_exit code = tool_check_input(path);
    if (code != TOOL_DONE) return code;
    if (supi_file_read(sup_file_gate_default(), sup_allocator_default(), path, &bytes, &error) !=
        SUP_OK) {
        return fail(&error);
    }
    code = edit(job, path, (const char*)bytes.data, bytes.size);
    supi_bytes_free(sup_allocator_default(), &bytes);
    return code;
}

static double mass_of(const sup_rig* rig) {
    sup_rig_view view = sup_rig_get(rig);
    double sum = 0.0;
    for (int32_t i = 0; i < view.particle_count; i++) sum += (double)view.masses[i];
    return sum;
}

/* A new body keeps the mass that it has got, though no particle may lie right opposite of another.
 */
static tool_exit mirror(fit_job* job) {
    char text[64];
    double mass = mass_of(job->rig);
    int length = snprintf(text, sizeof text, "mirror %.40s 0", job->options.mirror);
    tool_exit code = edit(job, "--mirror", text, (size_t)length);
    if (code != TOOL_DONE || !job->fresh) return code;
    const sup_brush all = {.kind = SUP_BRUSH_ALL};
    double factor = mass / mass_of(job->rig);
    sup_error error;
    sup_result result = sup_rig_paint(job->rig, SUP_PAINT_MASS, factor, &all, &error);
    return result == SUP_OK ? TOOL_DONE : fail(&error);
}

static tool_exit apply_edits(fit_job* job) {
    const fit_options* o = &job->options;
    tool_exit code = o->mirror ? mirror(job) : TOOL_DONE;
    if (code == TOOL_DONE && o->edits) code = edit_file(job, o->edits);
    for (int32_t i = 0; code == TOOL_DONE && i < o->edit.count; i++) {
        code = edit(job, "--edit", o->edit.items[i], strlen(o->edit.items[i]));
    }
    return code;
}

/* ---- the files ---- */

/* The folder of a path, as the system calls it; "." where it has none. */
static bool real_folder(const char* path, char out[PATH_MAX]) {
    char folder[PATH_MAX];
    const char* slash = strrchr(path, '/');
    int length = snprintf(folder, sizeof folder, "%.*s", slash ? (int)(slash - path) + 1 : 1,
                          slash ? path : ".");
    return length > 0 && length < PATH_MAX && realpath(folder, out);
}

/* How a file in the folder of `from` calls the file `to`: up to where both ways part, then down. */
static const char* relative_path(const char* from, const char* to, char out[PATH_MAX]) {
    char folder[PATH_MAX], target[PATH_MAX];
    if (!real_folder(from, folder) || !realpath(to, target)) return to;
    size_t same = 0, used = 0;
    for (size_t i = 0;; i++) {
        bool end = (folder[i] == '/' || !folder[i]) && target[i] == '/';
        if (end) same = i;
        if (folder[i] != target[i] || !folder[i]) break;
    }
    out[0] = 0;
    for (const char* rest = folder + same; *rest; rest++) {
        bool step = *rest == '/' && rest[1];
        if (step && used + 3 < PATH_MAX) memcpy(out + used, "../", 4), used += 3;
    }
    snprintf(out + used, PATH_MAX - used, "%s", target + same + 1);
    return out;
}

/* The file of arrays beside a body file. */
static void name_arrays(const char* path, char arrays[PATH_MAX]) {
    snprintf(arrays, PATH_MAX, "%.*s.arrays.ply", (int)(strlen(path) - strlen(".json")), path);
}

/* Of what is read, only a body may be replaced by what has become of it. */
static tool_exit check_clash(const fit_job* job) {
    char arrays[PATH_MAX];
    const char *path = job->options.output, *inputs[] = {job->mesh, job->options.edits};
    if (!path) return TOOL_DONE;
    name_arrays(path, arrays);
    for (int i = 0; i < 2; i++) {
        bool clash = inputs[i] &&
                     (outputs_same_file(inputs[i], path) || outputs_same_file(inputs[i], arrays));
        if (clash) return tool_fail(TOOL_USAGE, "%s is read; it is not overwritten", inputs[i]);
    }
    return outputs_check_writable(arrays);
}

static tool_exit save(fit_job* job) {
    char mesh[PATH_MAX];
    sup_error error;
    const char* path = job->options.output;
    const char* name = job->mesh ? relative_path(path, job->mesh, mesh) : NULL;
    return sup_rig_save(job->rig, NULL, path, name, &error) == SUP_OK ? TOOL_DONE : fail(&error);
}

/* ---- the report ---- */

static bool has_findings(const fit_job* job) {
    char text[320];
    return sup_rig_report_line(&job->report, 0, text);
}

static void print_json(const fit_job* job) {
    const sup_rig_report* r = &job->report;
    sup_rig_settings settings = sup_rig_get(job->rig).settings;
    emitter out = {0};
    char text[320];
    emit_open(&out, NULL, "{");
    emit_text(&out, "input", job->input);
    if (job->options.output) emit_text(&out, "body", job->options.output);
    emit_text(&out, "where", where_words[settings.where]);
    emit_number(&out, "spacing", settings.spacing);
    emit_integer(&out, "seed", settings.seed);
    emit_integer(&out, "particles", r->particle_count);
    emit_integer(&out, "links", r->link_count);
    emit_integer(&out, "parts", r->part_count);
    emit_integer(&out, "joints", r->joint_count);
    emit_integer(&out, "pins", r->pin_count);
    emit_number(&out, "mass", r->mass);
    emit_number(&out, "size", r->size);
    emit_number(&out, "least_gap", r->least_gap);
    emit_number(&out, "mean_link", r->mean_link);
    emit_integer(&out, "most_links", r->most_links);
    emit_integer(&out, "pieces", r->component_count);
    emit_integer(&out, "isolated", r->isolated_count);
    emit_integer(&out, "crowded", r->crowded_count);
    emit_integer(&out, "far_vertices", r->far_count);
    emit_number(&out, "farthest", r->farthest);
    emit_integer(&out, "groups", r->group_count);
    emit_integer(&out, "flat_groups", r->flat_count);
    emit_integer(&out, "line_groups", r->line_count);
    emit_integer(&out, "slight", r->slight_count);
    emit_integer(&out, "narrow_hinges", r->narrow_count);
    emit_open(&out, "findings", "[");
    for (int32_t i = 0; sup_rig_report_line(r, i, text); i++) emit_text(&out, NULL, text);
    emit_close(&out, ']');
    emit_close(&out, '}');
}

static void print_report(const fit_job* job) {
    const sup_rig_report* r = &job->report;
    sup_rig_settings settings = sup_rig_get(job->rig).settings;
    char text[320];
    printf("%d particles, %d links, %d parts, %d joints, %d pins\n", (int)r->particle_count,
           (int)r->link_count, (int)r->part_count, (int)r->joint_count, (int)r->pin_count);
    printf("spacing %.6g m, seed %d, size %.6g m, mass %.6g kg\n", settings.spacing,
           (int)settings.seed, r->size, r->mass);
    if (!has_findings(job)) puts("one piece, nothing amiss");
    for (int32_t i = 0; sup_rig_report_line(r, i, text); i++) printf("finding: %s\n", text);
    if (job->options.output) printf("wrote %s\n", job->options.output);
}

/* ---- all of it ---- */

static tool_exit fit(fit_job* job) {
    tool_exit code = check_line(job);
    if (code == TOOL_DONE) code = job->fresh ? load_mesh(job) : load_body(job);
    if (code == TOOL_DONE) code = check_clash(job);
    if (code == TOOL_DONE) code = spray(job);
    if (code == TOOL_DONE) code = apply_edits(job);
    if (code != TOOL_DONE) return code;
    sup_error error;
    if (sup_rig_validate(job->rig, &job->report, &error) != SUP_OK) return fail(&error);
    if (job->options.output) code = save(job);
    if (code != TOOL_DONE) return code;
    if (job->options.json) {
        print_json(job);
    } else if (!job->options.quiet) {
        print_report(job);
    }
    return job->options.check && has_findings(job) ? TOOL_CHECK : TOOL_DONE;
}

static tool_exit run(const tool_command* command, int count, char** words) {
    fit_job job = {.options = {.seed = -1}};
    tool_exit code;
    if (!options_parse(command, count, words, &job.options, &job.input, &code)) return code;
    supi_arena_init(&job.store, sup_allocator_default());
    code = fit(&job);
    sup_rig_free(job.rig);
    supi_arena_free(&job.store);
    return code;
}

const tool_command command_fit = {
    "fit",
    "MESH",
    "make a body of oriented particles from a mesh",
    "Sprays particles into MESH (.obj, .ply, .stl, .glb, .gltf) or onto it, links them, fits\n"
    "ellipsoids, shares out the mass, and writes a body file: NAME.json with NAME.arrays.ply.\n"
    "The same seed gives the same body. Where MESH is a body file, it is edited.",
    options,
    run};
