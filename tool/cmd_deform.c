/* supple deform: a mesh is pulled, dented, bulged and morphed. */
#include "commands.h"
#include "deform_loss.h"
#include "deform_picture.h"
#include "file/ending.h"
#include "file/polygons.h"
#include "mesh_picture.h"
#include "outputs.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define USUAL_FPS 30

typedef struct deform_options {
    option_texts outputs, operations;
    const char *script, *morph, *landmarks, *picture;
    int32_t frames, fps, orbit;
    bool quiet;
} deform_options;

static const option options[] = {
    {.name = "output",
     .letter = 'o',
     .value = "FILE",
     .kind = OPTION_TEXTS,
     .offset = offsetof(deform_options, outputs),
     .help = "write .obj, .ply, .stl, .glb, .vtu or .usda; may be given again"},
    {.name = "do",
     .letter = 'e',
     .value = "WORDS",
     .kind = OPTION_TEXTS,
     .offset = offsetof(deform_options, operations),
     .help = "an operation, say \"pull nearest=0,1,0 by=0,0.2,0\"; may be given again"},
    {.name = "script",
     .value = "FILE",
     .kind = OPTION_TEXT,
     .offset = offsetof(deform_options, script),
     .help = "operations from a .json, before those of the line"},
    {.name = "morph",
     .value = "A",
     .kind = OPTION_TEXT,
     .offset = offsetof(deform_options, morph),
     .help = "begin with the mesh of this file, and let it become that of FILE"},
    {.name = "landmarks",
     .value = "FILE",
     .kind = OPTION_TEXT,
     .offset = offsetof(deform_options, landmarks),
     .help = "landmarks of parts for a morph, from a .json"},
    {.name = "frames",
     .value = "N",
     .kind = OPTION_INTEGER,
     .offset = offsetof(deform_options, frames),
     .low = 2,
     .high = 100000,
     .help = "animate the way there: " OUTPUT_ANIMATIONS " or .obj"},
    {.name = "fps",
     .value = "F",
     .kind = OPTION_INTEGER,
     .offset = offsetof(deform_options, fps),
     .low = 1,
     .high = 1000,
     .help = "frames per second of the animation (default 30)"},
    {.name = "picture",
     .value = "FILE",
     .kind = OPTION_TEXT,
     .offset = offsetof(deform_options, picture),
     .help = "draw what it is in the end as .png, faces by generations of the last pull"},
    {.name = "orbit",
     .value = "DEGREES",
     .kind = OPTION_INTEGER,
     .offset = offsetof(deform_options, orbit),
     .low = -3600,
     .high = 3600,
     .help = "turn the camera of the picture about the vertical"},
    {.name = "quiet",
     .letter = 'q',
     .kind = OPTION_FLAG,
     .offset = offsetof(deform_options, quiet),
     .help = "say nothing but warnings"},
    {.name = NULL}};

typedef struct deform_job {
    deform_options options;
    const char* input;
    deform_script script;
    deform_work work;
    output_list animation;
} deform_job;

/* ---- The line ---- */

static tool_exit check_output(const char* path) {
    static const char* const endings[] = {".obj", ".ply", ".stl", ".glb", ".vtu", ".usda"};
    for (size_t i = 0; i < sizeof endings / sizeof *endings; i++)
        if (supi_ending_is(path, endings[i])) return outputs_check_mesh(path);
    return tool_fail(TOOL_USAGE,
                     "cannot write %s: the name must end in .obj, .ply, .stl, .glb, .vtu or .usda",
                     path);
}

static tool_exit check_animation(const char* path) {
    static const char* const endings[] = {".glb", ".pc2", ".mdd", ".pvd", ".usda", ".ply", ".obj"};
    for (size_t i = 0; i < sizeof endings / sizeof *endings; i++)
        if (supi_ending_is(path, endings[i])) return TOOL_DONE;
    return tool_fail(
        TOOL_USAGE,
        "cannot write %s: with --frames the name must end in " OUTPUT_ANIMATIONS " or .obj", path);
}

/* Does the line write this file? `but`: an output that is not asked, -1: none. */
static const char* writer_of(const deform_job* job, const char* path, int32_t but) {
    const deform_options* o = &job->options;
    for (int32_t i = 0; i < job->animation.count; i++) {
        if (output_writes(&job->animation.items[i], path)) return job->animation.items[i].path;
    }
    for (int32_t i = 0; o->frames == 0 && i < o->outputs.count; i++) {
        if (i != but && outputs_same_file(o->outputs.items[i], path)) return o->outputs.items[i];
    }
    return NULL;
}

static tool_exit check_kept(const deform_job* job, const char* input) {
    const char* picture = job->options.picture;
    if (!input) return TOOL_DONE;
    const char* writer = writer_of(job, input, -1);
    if (!writer && picture && outputs_same_file(picture, input)) writer = picture;
    if (!writer) return TOOL_DONE;
    return tool_fail(TOOL_USAGE, "%s is %s; it is not overwritten", writer,
                     input == job->input ? "the input itself" : "an input too");
}

/* No file is written twice, and none that is read; what operations read is known by now. */
static tool_exit check_apart(const deform_job* job, const deform_sources* sources) {
    const deform_options* o = &job->options;
    const char* const inputs[] = {job->input, sources->target, sources->landmarks, sources->file};
    tool_exit code = TOOL_DONE;
    for (size_t i = 0; i < sizeof inputs / sizeof *inputs && code == TOOL_DONE; i++)
        code = check_kept(job, inputs[i]);
    for (int which = 0; which < DEFORM_ORIGINS; which++) {
        const deform_operation* list = job->script.lists[which].items;
        for (int32_t i = 0; i < job->script.lists[which].count && code == TOOL_DONE; i++) {
            code = check_kept(job, list[i].mesh);
            if (code == TOOL_DONE) code = check_kept(job, list[i].file);
        }
    }
    for (int32_t i = 0; o->frames == 0 && i < o->outputs.count && code == TOOL_DONE; i++) {
        if (writer_of(job, o->outputs.items[i], i))
            code = tool_fail(TOOL_USAGE, "%s is written twice; give one of them another name",
                             o->outputs.items[i]);
    }
    return code;
}

static tool_exit check_line(deform_job* job) {
    const deform_options* o = &job->options;
    tool_exit code = TOOL_DONE;
    if (o->outputs.count == 0 && !o->picture)
        return tool_fail(TOOL_USAGE, "give -o FILE or a picture: nothing is written");
    if (o->operations.count == 0 && !o->script && !o->morph)
        return tool_fail(TOOL_USAGE, "give --do, --script or --morph: nothing is done");
    if (o->landmarks && !o->morph)
        return tool_fail(TOOL_USAGE, "--landmarks is for --morph; give that too");
    if (o->orbit != 0 && !o->picture)
        return tool_fail(TOOL_USAGE, "--orbit turns the camera of a picture; give --picture too");
    if (o->fps != 0 && o->frames == 0)
        return tool_fail(TOOL_USAGE, "--fps is for an animation; give --frames too");
    if (o->picture) code = mesh_picture_check(job->input, o->picture);
    if (o->frames == 0) {
        for (int32_t i = 0; i < o->outputs.count && code == TOOL_DONE; i++)
            code = check_output(o->outputs.items[i]);
        return code;
    }
    if (o->outputs.count == 0)
        return tool_fail(TOOL_USAGE, "--frames is for an animation; give -o FILE too");
    for (int32_t i = 0; i < o->outputs.count && code == TOOL_DONE; i++)
        code = check_animation(o->outputs.items[i]);
    return code == TOOL_DONE ? outputs_plan(&job->animation, &o->outputs, NULL) : code;
}

/* ---- The work ---- */

/* Pins and splits are for the pulls behind them; others move points. */
static void warn_of_nothing(const deform_job* job, const deform_operation* o, bool pulls_follow,
                            const sup_vec3* before, int32_t count) {
    if (o->kind == DEFORM_PIN || o->kind == DEFORM_SPLIT) {
        if (!pulls_follow)
            tool_warn("%s: no pull follows, so it does nothing", deform_name(o->kind));
    } else if (!deform_moved(&job->work, before, count)) {
        tool_warn("%s: it has moved nothing", deform_name(o->kind));
    }
}

static bool is_pull(const deform_operation* o) {
    return o->kind == DEFORM_PULL || o->kind == DEFORM_PUSH;
}

static tool_exit apply_one(deform_job* job, int which, const deform_operation* o,
                           bool pulls_follow) {
    int32_t count = sup_clay_point_count(job->work.clay);
    sup_vec3* before = malloc((size_t)count * sizeof *before);
    if (!before) return tool_fail(TOOL_MEMORY, "not enough memory");
    sup_clay_points(job->work.clay, before);
    tool_exit code = deform_apply(&job->work, &job->script.readers[which], o);
    if (code == TOOL_DONE) warn_of_nothing(job, o, pulls_follow, before, count);
    free(before);
    return code;
}

static tool_exit apply_all(deform_job* job) {
    const supi_list* lists = job->script.lists;
    int32_t pulls = 0;
    for (int which = 0; which < DEFORM_ORIGINS; which++) {
        const deform_operation* o = lists[which].items;
        for (int32_t i = 0; i < lists[which].count; i++) pulls += is_pull(&o[i]);
    }
    for (int which = 0; which < DEFORM_ORIGINS; which++) {
        const deform_operation* o = lists[which].items;
        for (int32_t i = 0; i < lists[which].count; i++) {
            pulls -= is_pull(&o[i]);
            tool_exit code = apply_one(job, which, &o[i], pulls > 0);
            if (code != TOOL_DONE) return code;
        }
    }
    return TOOL_DONE;
}

/* Has this output an .obj of the first frame? */
static bool has_obj(const output* one) {
    return one->kind == OUTPUT_PC2 || one->kind == OUTPUT_MDD;
}

/* The first frame is the mesh as it came: an .obj of it may be the file itself, with all it has. */
static tool_exit keep_detail(deform_job* job) {
    const deform_work* w = &job->work;
    bool lost = false;
    for (int32_t i = 0; i < job->animation.count; i++) {
        const output* one = &job->animation.items[i];
        supi_writer out;
        sup_error error;
        lost = lost || !w->is_obj || !has_obj(one);
        if (!w->is_obj || !has_obj(one)) continue;
        sup_result result = supi_writer_begin(&out, sup_file_gate_default(),
                                              sup_allocator_default(), one->files[0], &error);
        if (result != SUP_OK) return tool_fail_error(&error);
        supi_writer_put(&out, w->bytes.data, w->bytes.size);
        result = supi_writer_commit(&out, &error);
        supi_writer_abort(&out);
        if (result != SUP_OK) return tool_fail_error(&error);
    }
    if (lost) deform_warn_of_loss(&job->work, true);
    return TOOL_DONE;
}

static tool_exit write_frames(deform_job* job, const sup_mesh* last, bool same_faces) {
    const sup_mesh* first = &job->work.mesh;
    sup_surface surface = supi_polygons_of(first);
    output_source source = {
        .surfaces = &surface,
        .surface_count = 1,
        .vertex_count = first->point_count,
        .fps = job->options.fps > 0 ? job->options.fps : USUAL_FPS,
    };
    int32_t frames = job->options.frames;
    if (!same_faces)
        return tool_fail(TOOL_INPUT,
                         "%s has other faces in the end; --frames is for operations that split "
                         "nothing",
                         job->input);
    tool_exit code = outputs_open(&job->animation, &source, frames, GLB_POSES);
    for (int32_t f = 0; f < frames && code == TOOL_DONE; f++) {
        sup_points_blend(first->point_count, first->points, last->points, f / (frames - 1.0),
                         job->animation.vertices);
        code = outputs_write(&job->animation, NULL);
        if (code == TOOL_DONE) code = tool_check_stop();
    }
    if (code == TOOL_DONE) code = outputs_close(&job->animation, false);
    if (code == TOOL_DONE) code = keep_detail(job);
    if (code == TOOL_DONE && !job->options.quiet) outputs_print(&job->animation, false);
    return code;
}

static tool_exit write_all(deform_job* job) {
    const option_texts* outputs = &job->options.outputs;
    if (job->options.frames > 0) {
        sup_mesh last;
        bool same_faces;
        tool_exit code = deform_mesh_now(&job->work, &last, NULL, &same_faces);
        if (code != TOOL_DONE) return code;
        code = write_frames(job, &last, same_faces);
        sup_mesh_free(&last);
        return code;
    }
    for (int32_t i = 0; i < outputs->count; i++) {
        tool_exit code = tool_check_stop();
        if (code == TOOL_DONE) code = deform_save(&job->work, outputs->items[i]);
        if (code != TOOL_DONE) return code;
        if (!job->options.quiet) printf("wrote %s\n", outputs->items[i]);
    }
    return TOOL_DONE;
}

static tool_exit run(const tool_command* command, int count, char** words) {
    deform_job job = {.input = NULL};
    tool_exit code;
    if (!options_parse(command, count, words, &job.options, &job.input, &code)) return code;
    const deform_options* o = &job.options;
    const deform_sources sources = {o->morph ? job.input : NULL, o->landmarks, o->script,
                                    &o->operations};
    if (o->morph) job.input = o->morph;
    code = check_line(&job);
    tool_stop_at_once(true);
    if (code == TOOL_DONE) code = deform_script_read(&job.script, &sources);
    if (code == TOOL_DONE) code = check_apart(&job, &sources);
    if (code == TOOL_DONE) code = deform_open(&job.work, job.input, job.options.quiet);
    if (code == TOOL_DONE) code = apply_all(&job);
    tool_stop_at_once(false);
    /* the picture first: where it cannot be drawn no mesh has changed */
    if (code == TOOL_DONE && o->picture) {
        code = deform_picture_draw(&job.work, o->orbit, o->picture);
        if (code == TOOL_DONE && !o->quiet) printf("drew %s\n", o->picture);
    }
    if (code == TOOL_DONE) code = write_all(&job);
    outputs_free(&job.animation);
    deform_close(&job.work);
    deform_script_free(&job.script);
    return code;
}

const tool_command command_deform = {
    "deform",
    "FILE",
    "pull, dent, bulge or morph a mesh",
    "Reads an .obj, .ply, .stl, .glb or .gltf, does the operations in their order and writes the\n"
    "mesh. An .obj, .ply or .glb written as its own kind keeps all that was not moved: groups,\n"
    "materials, uv, colours, comments. Where edges were split or joined, an .obj keeps groups,\n"
    "materials, uv and normals, the others points and faces. With --frames the .obj beside a .pc2\n"
    "or .mdd is that of the input, others have points and faces. What is lost is warned of.\n"
    "Operations: pull, push, pin, split, dent, bulge, carve, landmarks and morph; docs/deform.md\n"
    "has their words. --morph A B lets A become B: what is written has the faces of A.",
    options,
    run};
