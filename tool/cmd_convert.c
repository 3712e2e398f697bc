/* supple convert: a mesh, or something that moves, from one format to another. */
#include "commands.h"
#include "file/ending.h"
#include "file/polygons.h"
#include "motion.h"
#include "outputs.h"
#include "progress.h"

#include <stdio.h>

typedef struct convert_options {
    const char *fps, *scale, *weld;
    int32_t frame; /* -1: not given */
    bool still, quiet;
} convert_options;

static const option options[] = {
    {.name = "scale",
     .value = "S",
     .kind = OPTION_TEXT,
     .offset = offsetof(convert_options, scale),
     .help = "multiply all lengths: 0.001 makes metres of millimetres"},
    {.name = "weld",
     .value = "TOL",
     .kind = OPTION_TEXT,
     .offset = offsetof(convert_options, weld),
     .help = "join points at most TOL m apart, after scaling; 0: equal ones"},
    {.name = "frame",
     .value = "N",
     .kind = OPTION_INTEGER,
     .offset = offsetof(convert_options, frame),
     .low = 0,
     .high = 1000000,
     .help = "pose N alone of what moves, as a mesh"},
    {.name = "still",
     .kind = OPTION_FLAG,
     .offset = offsetof(convert_options, still),
     .help = "the mesh alone of what moves"},
    {.name = "fps",
     .value = "N",
     .kind = OPTION_TEXT,
     .offset = offsetof(convert_options, fps),
     .help = "poses per second (default: those of A; where it does not tell, 60)"},
    {.name = "quiet",
     .letter = 'q',
     .kind = OPTION_FLAG,
     .offset = offsetof(convert_options, quiet),
     .help = "no progress bar, no notes, no summary"},
    {.name = NULL}};

/* What a format can hold. */
typedef struct target {
    const char* ending;
    bool still, moving; /* one pose; many */
    bool triangles;     /* nothing but triangles */
} target;

/* clang-format off */
static const target targets[] = {
    {".obj", true, true, false},  {".ply", true, false, false}, {".stl", true, false, true},
    {".glb", true, true, true},   {".vtu", true, false, false}, {".usda", true, true, false},
    {".pc2", false, true, false}, {".mdd", false, true, false}, {".pvd", false, true, false}};
/* clang-format on */

/* A conversion under way. */
typedef struct convert_job {
    convert_options options;
    const char* files[2]; /* from, to */
    const target* to;
    motion source;
    output_list outputs; /* of what moves */
} convert_job;

/* ---- the line ---- */

static const target* target_of(const char* path) {
    for (size_t i = 0; i < sizeof targets / sizeof *targets; i++) {
        if (supi_ending_is(path, targets[i].ending)) return &targets[i];
    }
    return NULL;
}

static bool wants_one_pose(const convert_options* o) { return o->still || o->frame >= 0; }

static tool_exit check_line(convert_job* job, motion_wish* wish) {
    const convert_options* o = &job->options;
    *wish = (motion_wish){.path = job->files[0], .frame = o->frame, .scale = 1, .weld = -1};
    tool_exit code = options_parse_real("scale", o->scale, 1e-9, 1e9, &wish->scale);
    if (code == TOOL_DONE) code = options_parse_real("weld", o->weld, 0, 1e6, &wish->weld);
    if (code == TOOL_DONE) code = options_parse_real("fps", o->fps, 0.001, 10000, &wish->fps);
    if (code != TOOL_DONE) return code;
    const char* to = job->files[1];
    job->to = target_of(to);
    if (!job->to) {
        return tool_fail(TOOL_USAGE,
                         "cannot write %s: the name must end in .obj, .ply, .stl, .glb, .vtu or "
                         ".usda, or for what moves in .pc2, .mdd or .pvd",
                         to);
    }
    if (o->still && o->frame >= 0) {
        return tool_fail(TOOL_USAGE, "--still and --frame exclude each other");
    }
    bool one_pose = wants_one_pose(o);
    if (one_pose && !job->to->still) {
        return tool_fail(TOOL_USAGE, "%s is for what moves; --%s gives one pose, for an .obj", to,
                         o->still ? "still" : "frame");
    }
    wish->moving = job->to->moving && !one_pose;
    return outputs_same_file(job->files[0], to)
               ? tool_fail(TOOL_USAGE, "%s is the input itself; it is not overwritten", to)
               : TOOL_DONE;
}

/* ---- what is said ---- */

static bool moves(const convert_job* job) { return job->source.pose_count > 1; }

/* Nobody is told of a motion that was asked to be left out. */
static void note_ignored(const convert_job* job) {
    sup_mesh mesh = job->source.mesh;
    if (wants_one_pose(&job->options)) mesh.ignored &= ~(uint32_t)SUP_MESH_ANIMATIONS;
    const char* ignored = sup_mesh_note(&mesh);
    if (ignored) tool_note("%s: %s", job->files[0], ignored);
    const motion* source = &job->source;
    if (source->planned > 0) {
        tool_note("%s is partial: it ends with frame %d of %d", job->files[0],
                  (int)source->all_poses - 1, (int)source->planned - 1);
    }
    if (source->all_poses > 1 && !moves(job) && !wants_one_pose(&job->options)) {
        tool_note("%s holds no motion: it has the first of %d poses", job->files[1],
                  (int)source->all_poses);
    }
}

static void print_notes(const convert_job* job, const sup_mesh_report* report) {
    const sup_mesh* mesh = &job->source.mesh;
    const char* to = job->files[1];
    sup_surface surface = supi_polygons_of(mesh);
    int64_t triangles = supi_polygons_triangle_count(&surface);
    note_ignored(job);
    if (job->to->triangles && triangles != mesh->polygon_count) {
        tool_note("%s holds triangles: %d polygons are cut into %lld", to, (int)mesh->polygon_count,
                  (long long)triangles);
    }
    if (supi_ending_is(to, ".stl") && report->unused_point_count > 0) {
        tool_note("%s has no place for points of no polygon: %d", to,
                  (int)report->unused_point_count);
    }
    if (moves(job) && supi_ending_is(to, ".glb") && job->source.pose_count > GLB_POSES) {
        tool_note("%s keeps %d of %d poses, evenly spaced", to, GLB_POSES,
                  (int)job->source.pose_count);
    }
}

static void print_summary(const convert_job* job, const sup_mesh_report* report) {
    const sup_mesh* mesh = &job->source.mesh;
    printf("%d points, %d polygons, ", (int)mesh->point_count, (int)mesh->polygon_count);
    if (mesh->polygon_count == 0) {
        printf("a cloud\n");
    } else if (report->closed) {
        printf("closed, volume %.6g m^3\n", report->volume);
    } else {
        printf("not closed: %d open edges, %d tangled edges\n", (int)report->boundary_edge_count,
               (int)report->tangled_edge_count);
    }
    if (!moves(job)) {
        printf("wrote %s\n", job->files[1]);
        return;
    }
    printf("%d poses, %.6g per second\n", (int)job->source.pose_count, job->source.fps);
    outputs_print(&job->outputs, false);
}

/* ---- the work ---- */

/* Neither the input nor the file that goes with it is overwritten. */
static tool_exit check_clash(const convert_job* job) {
    const char* inputs[] = {job->files[0], job->source.partner};
    for (int i = 0; i < 2; i++) {
        if (!inputs[i]) continue;
        bool clash = moves(job) ? output_writes(&job->outputs.items[0], inputs[i])
                                : outputs_same_file(job->files[1], inputs[i]);
        if (clash) return tool_fail(TOOL_USAGE, "%s is read; it is not overwritten", inputs[i]);
    }
    return TOOL_DONE;
}

static tool_exit write_still(convert_job* job) {
    tool_exit code = check_clash(job);
    if (code == TOOL_DONE) code = outputs_check_mesh(job->files[1]);
    if (code != TOOL_DONE) return code;
    sup_error error;
    sup_result result = sup_mesh_save(NULL, NULL, job->files[1], &job->source.mesh, &error);
    return result == SUP_OK ? TOOL_DONE : tool_fail_error(&error);
}

static tool_exit open_moving(convert_job* job) {
    option_texts names = {.count = 1, .items = {job->files[1]}};
    tool_exit code = outputs_plan(&job->outputs, &names, NULL);
    if (code == TOOL_DONE) code = check_clash(job);
    if (code != TOOL_DONE) return code;
    const motion* m = &job->source;
    output_source source = {.surfaces = m->surfaces,
                            .surface_count = m->surface_count,
                            .vertex_count = m->mesh.point_count,
                            .fps = m->fps};
    return outputs_open(&job->outputs, &source, m->pose_count, GLB_POSES);
}

static tool_exit write_moving(convert_job* job) {
    tool_exit code = open_moving(job);
    progress bar = progress_begin(job->options.quiet);
    bar.unit = "poses";
    for (int32_t pose = 0; code == TOOL_DONE && pose < job->source.pose_count; pose++) {
        code = motion_read(&job->source, pose, job->outputs.vertices);
        if (code == TOOL_DONE) code = outputs_write(&job->outputs, NULL);
        progress_show(&bar, pose + 1, job->source.pose_count);
        if (code == TOOL_DONE && tool_stop_asked()) {
            progress_clear(&bar);
            return tool_fail(TOOL_STOPPED, "stopped at pose %d; nothing is written", (int)pose);
        }
    }
    progress_clear(&bar);
    return code == TOOL_DONE ? outputs_close(&job->outputs, false) : code;
}

static tool_exit convert(convert_job* job) {
    motion_wish wish;
    tool_exit code = check_line(job, &wish);
    if (code == TOOL_DONE) code = motion_open(&job->source, &wish);
    if (code != TOOL_DONE) return code;
    if (!moves(job) && !job->to->still) {
        note_ignored(job);
        return tool_fail(TOOL_INPUT, "%s does not move, and %s is for what does", job->files[0],
                         job->files[1]);
    }
    if (job->options.fps && !moves(job) && job->source.clip.frame_count > 1) {
        return tool_fail(TOOL_USAGE, "--fps %s leaves one pose of %s", job->options.fps,
                         job->files[0]);
    }
    if (job->options.fps && !moves(job)) {
        return tool_fail(TOOL_USAGE, "--fps is for what moves; one pose has no speed");
    }
    sup_mesh_report report;
    sup_error error;
    if (sup_mesh_inspect(NULL, &job->source.mesh, &report, &error) != SUP_OK) {
        return tool_fail_error(&error);
    }
    code = moves(job) ? write_moving(job) : write_still(job);
    if (code != TOOL_DONE || job->options.quiet) return code;
    print_notes(job, &report);
    print_summary(job, &report);
    return TOOL_DONE;
}

static tool_exit run(const tool_command* command, int count, char** words) {
    convert_job job = {.options = {.frame = -1}};
    tool_exit code;
    if (!options_parse(command, count, words, &job.options, job.files, &code)) return code;
    code = convert(&job);
    outputs_free(&job.outputs);
    motion_close(&job.source);
    return code;
}

const tool_command command_convert = {
    "convert",
    "A B",
    "turn a mesh or a clip into another format",
    "Reads A (.obj, .ply, .stl, .glb, .gltf) and writes it as B (.obj, .ply, .stl, .glb, .vtu,\n"
    ".usda). What moves (.glb and .gltf with morph targets, .pc2 with its .obj, tapes) moves in B\n"
    "too where B can (.glb, .usda, .obj/.pc2, .obj/.mdd, .pvd); else its mesh is written.",
    options,
    run};
