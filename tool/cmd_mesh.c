/* supple mesh: a surface filled with tetrahedra, and how good they are. */
#include "commands.h"
#include "emit.h"
#include "file/ending.h"
#include "file/mesh_load.h"
#include "mesh_picture.h"
#include "outputs.h"
#include "supple/files.h"
#include "supple/tets.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct mesh_options {
    option_texts outputs;
    const char *cell, *picture;
    int32_t count, method;
    bool cut, json, quiet;
} mesh_options;

static const char* const methods[] = {"auto", "stuff", "cage", NULL};

static const option options[] = {
    {.name = "output",
     .letter = 'o',
     .value = "FILE",
     .kind = OPTION_TEXTS,
     .offset = offsetof(mesh_options, outputs),
     .help = "write .vtu, .msh or .json, or the outside as a mesh; may be given again"},
    {.name = "cell",
     .value = "A",
     .kind = OPTION_TEXT,
     .offset = offsetof(mesh_options, cell),
     .help = "m, size of a cell of 12 tetrahedra (default: 1/12 of the longest side)"},
    {.name = "count",
     .value = "N",
     .kind = OPTION_INTEGER,
     .offset = offsetof(mesh_options, count),
     .low = 1,
     .high = 100000000,
     .help = "about how many tetrahedra, instead of a size"},
    {.name = "method",
     .value = "M",
     .kind = OPTION_WORD,
     .offset = offsetof(mesh_options, method),
     .words = methods,
     .help = "auto, stuff (ends at the surface) or cage (encloses it) (default auto)"},
    {.name = "cut",
     .kind = OPTION_FLAG,
     .offset = offsetof(mesh_options, cut),
     .help = "write only what is behind the middle, z < 0: shows the inside"},
    {.name = "picture",
     .value = "FILE",
     .kind = OPTION_TEXT,
     .offset = offsetof(mesh_options, picture),
     .help = "draw them cut open into a .png"},
    {.name = "json",
     .kind = OPTION_FLAG,
     .offset = offsetof(mesh_options, json),
     .help = "the report as JSON"},
    {.name = "quiet",
     .letter = 'q',
     .kind = OPTION_FLAG,
     .offset = offsetof(mesh_options, quiet),
     .help = "no report"},
    {.name = NULL}};

typedef struct mesh_job {
    mesh_options options;
    const char* input;
    bool given; /* tetrahedra already; then there is no making */
    sup_tets tets;
    sup_tets_making making;
    sup_tets_mending mending;
    sup_tets_report report;
} mesh_job;

/* ---- the line ---- */

static bool holds_tets(const char* path) {
    return supi_ending_is(path, ".vtu") || supi_ending_is(path, ".msh") ||
           supi_ending_is(path, ".json");
}

static tool_exit check_output(const mesh_job* job, const char* path) {
    static const char* const surfaces[] = {".obj", ".ply", ".stl", ".glb", ".usda"};
    bool known = holds_tets(path);
    for (size_t i = 0; i < sizeof surfaces / sizeof *surfaces; i++)
        known = known || supi_ending_is(path, surfaces[i]);
    if (!known) {
        return tool_fail(TOOL_USAGE,
                         "cannot write %s: the name must end in .vtu, .msh or .json, or for the "
                         "outside in .obj, .ply, .stl, .glb or .usda",
                         path);
    }
    if (outputs_same_file(job->input, path))
        return tool_fail(TOOL_USAGE, "%s is the input itself; it is not overwritten", path);
    return outputs_check_mesh(path);
}

static tool_exit check_line(const mesh_job* job, sup_tets_def* def) {
    const mesh_options* o = &job->options;
    tool_exit code = options_parse_real("cell", o->cell, 1e-6, 1e6, &def->cell);
    if (code != TOOL_DONE) return code;
    if (o->cell && o->count > 0)
        return tool_fail(TOOL_USAGE, "--cell and --count exclude each other");
    if (job->given && (o->cell || o->count > 0 || o->method != 0)) {
        return tool_fail(TOOL_USAGE,
                         "%s is full of tetrahedra already: --cell, --count and --method are for "
                         "surfaces",
                         job->input);
    }
    def->count = o->count;
    def->method = (sup_tets_method)o->method;
    for (int32_t i = 0; i < o->outputs.count && code == TOOL_DONE; i++)
        code = check_output(job, o->outputs.items[i]);
    for (int32_t i = 0; i < o->outputs.count; i++) {
        for (int32_t j = 0; j < i && code == TOOL_DONE; j++) {
            if (outputs_same_file(o->outputs.items[i], o->outputs.items[j]))
                code = tool_fail(TOOL_USAGE, "%s is written twice; give one of them another name",
                                 o->outputs.items[i]);
        }
    }
    if (code == TOOL_DONE && o->picture) code = mesh_picture_check(job->input, o->picture);
    return code;
}

/* ---- the work ---- */

static sup_result make_tets(mesh_job* job, const sup_tets_def* def, sup_error* error) {
    const char* path = job->input;
    if (job->given) return sup_tets_load(NULL, NULL, path, &job->tets, &job->mending, error);
    sup_mesh surface;
    sup_result result = sup_mesh_load(NULL, NULL, path, &surface, error);
    if (result != SUP_OK) return result;
    sup_error why;
    result = sup_tets_create(NULL, &surface, def, &job->tets, &job->making, &why);
    sup_mesh_free(&surface);
    if (result != SUP_OK && error) {
        error->code = result;
        snprintf(error->text, sizeof error->text, "%.150s: %.340s", path, why.text);
    }
    return result;
}

static sup_result save_outside(const char* path, const sup_tets* tets, sup_error* error) {
    sup_mesh mesh;
    sup_result result = sup_tets_outside(NULL, tets, &mesh, error);
    if (result != SUP_OK) return result;
    result = sup_mesh_save(NULL, NULL, path, &mesh, error);
    sup_mesh_free(&mesh);
    return result;
}

static sup_result save_all(const mesh_job* job, sup_error* error) {
    sup_tets part = {0};
    const sup_tets* tets = &job->tets;
    sup_result result = SUP_OK;
    if (job->options.cut) {
        result = mesh_cut(tets, &job->report.surface, &part, NULL, error);
        tets = &part;
    }
    for (int32_t i = 0; result == SUP_OK && i < job->options.outputs.count; i++) {
        const char* path = job->options.outputs.items[i];
        if (tool_stop_asked()) break;
        result = holds_tets(path) ? sup_tets_save(NULL, NULL, path, tets, error)
                                  : save_outside(path, tets, error);
    }
    sup_tets_free(&part);
    return result;
}

/* ---- what is said ---- */

static void print_repair(const sup_repair_report* r) {
    if (r->welded + r->dropped + r->flipped + r->split + r->filled == 0) return;
    printf("repaired: %d points joined, %d triangles dropped, %d turned, %d points split, %d holes "
           "filled\n",
           (int)r->welded, (int)r->dropped, (int)r->flipped, (int)r->split, (int)r->filled);
}

static void print_making(const mesh_job* job) {
    const sup_tets_making* m = &job->making;
    print_repair(&m->repair);
    printf("%s, cells of %.6g m", methods[m->method], m->cell);
    if (m->reason[0]) printf("; not stuff, as %s", m->reason);
    printf("\n");
    double ratio = m->repair.closed ? job->report.volume / m->repair.volume : 0.0;
    if (m->repair.closed) {
        printf("volume %.6g m^3, the surface has %.6g ", job->report.volume, m->repair.volume);
        if (ratio < 10.0) {
            printf("(%+.2f %%)\n", 100.0 * (ratio - 1.0));
        } else { /* the cage of something thin, or what turns partly inside out */
            printf("(%.3g times that)\n", ratio);
        }
    } else {
        printf("volume %.6g m^3\n", job->report.volume);
    }
    if (m->fill < 1.0) printf("multiply densities by %.6g\n", m->fill);
}

static void print_report(const mesh_job* job) {
    const sup_tets_report* r = &job->report;
    printf("%d tetrahedra, %d points, %d edges, %d triangles outside\n", (int)job->tets.tet_count,
           (int)job->tets.point_count, (int)r->edge_count, (int)job->tets.triangle_count);
    if (job->given) {
        printf("%d were inside out, %d flat, %d points unused, %d split\n",
               (int)job->mending.flipped, (int)job->mending.dropped, (int)job->mending.isolated,
               (int)job->mending.split);
        printf("volume %.6g m^3\n", r->volume);
    } else {
        print_making(job);
    }
    printf("angles %.2f to %.2f degrees, edges %.4g to %.4g m, mean %.4g m\n", r->least_angle,
           r->most_angle, r->least_edge, r->most_edge, r->mean_edge);
    for (int i = 0; i < SUP_TETS_BINS; i++) {
        if (r->angles[i] == 0) continue;
        printf("  %3d to %3d  %6.2f %%\n", 10 * i, 10 * i + 10,
               100.0 * r->angles[i] / (6.0 * job->tets.tet_count));
    }
    printf("%d %s, outside %s, Euler number %d\n", (int)r->component_count,
           r->component_count == 1 ? "piece" : "pieces",
           r->surface.closed && r->surface.fan_point_count == 0 ? "closed and simple"
                                                                : "touches itself",
           (int)r->euler);
}

static void emit_making(emitter* e, const sup_tets_making* m) {
    emit_text(e, "method", methods[m->method]);
    emit_text(e, "reason", m->reason);
    emit_number(e, "cell", m->cell);
    emit_number(e, "fill", m->fill);
    emit_integer(e, "split", m->split);
    emit_integer(e, "dropped", m->dropped);
    emit_open(e, "surface", "{");
    emit_bool(e, "closed", m->repair.closed);
    emit_number(e, "volume", m->repair.volume);
    emit_number(e, "area", m->repair.area);
    emit_integer(e, "parts", m->repair.parts);
    emit_integer(e, "cavities", m->repair.cavities);
    emit_integer(e, "boundary_edges", m->repair.boundary_edges);
    emit_integer(e, "tangled_edges", m->repair.tangled_edges);
    emit_integer(e, "welded", m->repair.welded);
    emit_integer(e, "dropped", m->repair.dropped);
    emit_integer(e, "flipped", m->repair.flipped);
    emit_integer(e, "split", m->repair.split);
    emit_integer(e, "filled", m->repair.filled);
    emit_close(e, '}');
}

static void emit_mending(emitter* e, const sup_tets_mending* m) {
    emit_open(e, "repaired", "{");
    emit_integer(e, "flipped", m->flipped);
    emit_integer(e, "dropped", m->dropped);
    emit_integer(e, "isolated", m->isolated);
    emit_integer(e, "split", m->split);
    emit_close(e, '}');
}

static void emit_report(const mesh_job* job) {
    const sup_tets_report* r = &job->report;
    const double edges[3] = {r->least_edge, r->mean_edge, r->most_edge};
    double bins[SUP_TETS_BINS];
    for (int i = 0; i < SUP_TETS_BINS; i++) bins[i] = r->angles[i];
    emitter e = {.writer = NULL};
    emit_open(&e, NULL, "{");
    emit_integer(&e, "tets", job->tets.tet_count);
    emit_integer(&e, "points", job->tets.point_count);
    emit_integer(&e, "triangles", job->tets.triangle_count);
    emit_number(&e, "volume", r->volume);
    emit_number(&e, "least_angle", r->least_angle);
    emit_number(&e, "most_angle", r->most_angle);
    emit_row(&e, "angles", bins, SUP_TETS_BINS);
    emit_row(&e, "edges", edges, 3);
    emit_integer(&e, "pieces", r->component_count);
    emit_integer(&e, "euler", r->euler);
    emit_bool(&e, "simple", r->surface.closed && r->surface.fan_point_count == 0);
    if (job->given) {
        emit_mending(&e, &job->mending);
    } else {
        emit_making(&e, &job->making);
    }
    emit_close(&e, '}');
    printf("\n");
}

static tool_exit run(const tool_command* command, int count, char** words) {
    mesh_job job = {.given = false};
    sup_tets_def def = sup_tets_default();
    sup_error error = {SUP_OK, 0, 0, ""};
    tool_exit code;
    if (!options_parse(command, count, words, &job.options, &job.input, &code)) return code;
    job.given = sup_tets_is_file(job.input);
    if (!job.given && supi_mesh_check_name(job.input, NULL) != SUP_OK) {
        return tool_fail(TOOL_INPUT,
                         "cannot read %s: the name must end in .obj, .ply, .stl, .glb or .gltf, or "
                         "for tetrahedra in .msh, .node or .ele",
                         job.input);
    }
    code = check_line(&job, &def);
    if (code != TOOL_DONE) return code;
    tool_stop_at_once(true);
    sup_result result = make_tets(&job, &def, &error);
    if (result == SUP_OK) result = sup_tets_measure(NULL, &job.tets, &job.report, &error);
    tool_stop_at_once(false);
    /* the picture first: where it cannot be drawn nothing is written */
    if (result == SUP_OK && job.options.picture)
        code = mesh_picture_draw(&job.tets, &job.report.surface, job.options.picture);
    if (result == SUP_OK && code == TOOL_DONE) result = save_all(&job, &error);
    if (result == SUP_OK && code == TOOL_DONE) code = tool_check_stop();
    if (result != SUP_OK || code != TOOL_DONE) {
        sup_tets_free(&job.tets);
        return result == SUP_OK ? code : tool_fail_error(&error);
    }
    if (job.options.json) {
        emit_report(&job);
    } else if (!job.options.quiet) {
        print_report(&job);
        for (int32_t i = 0; i < job.options.outputs.count; i++)
            printf("wrote %s\n", job.options.outputs.items[i]);
        if (job.options.picture) printf("drew %s\n", job.options.picture);
    }
    sup_tets_free(&job.tets);
    return TOOL_DONE;
}

const tool_command command_mesh = {
    "mesh",
    "FILE",
    "fill a surface with tetrahedra",
    "Repairs the surface of an .obj, .ply, .stl, .glb or .gltf, fills it with tetrahedra of a\n"
    "body-centred lattice and says how good they are. An open surface, or one that is too thin\n"
    "for its cells, gets a cage around it. Tetrahedra that are there already, as .msh (Gmsh) or\n"
    ".node and .ele (TetGen), are read, mended and measured.",
    options,
    run};
