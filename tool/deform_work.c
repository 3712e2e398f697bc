/* See deform_work.h. */
#include "deform_work.h"

#include "deform/places.h"
#include "deform_loss.h"
#include "deform_notes.h"
#include "file/ending.h"
#include "file/mesh_load.h"
#include "geom/mesh.h"
#include "geom/vertex_normals.h"
#include "supple/files.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define NEAR_CENTRE 1e-6 /* m */
#define TOOL_LARGE 100.0 /* radii over the diagonal of a mesh */

static tool_exit no_memory(void) { return tool_fail(TOOL_MEMORY, "not enough memory"); }

tool_exit deform_wrap(const supi_reader* reader, const deform_operation* o,
                      const sup_error* cause) {
    sup_error error;
    supi_reader place = *reader;
    place.error = &error;
    supi_reader_wrap(&place, o->place, cause);
    return deform_fail(&error);
}

/* ---- Opening ---- */

static void fill_values(deform_work* w) {
    for (int32_t c = 0; c < w->mesh.corner_count; c++) {
        float* to = w->values + SUPI_OBJ_CORNER * (size_t)c;
        int32_t uv = w->detail.corner_uvs[c], normal = w->detail.corner_normals[c];
        if (uv >= 0) memcpy(to, w->detail.uvs[uv], 3 * sizeof *to);
        if (normal >= 0) memcpy(to + 3, w->detail.normals[normal], 3 * sizeof *to);
        memcpy(to + 6, w->detail.colours[w->mesh.corners[c]], 3 * sizeof *to);
    }
}

static sup_result read_detail(deform_work* w, sup_error* error) {
    sup_result result = supi_obj_detail_read(&w->detail, sup_allocator_default(), w->path,
                                             w->bytes.data, w->bytes.size, &w->mesh, error);
    bool has_any = w->detail.has_uvs || w->detail.has_normals || w->detail.has_colours;
    if (result != SUP_OK || !has_any) return result;
    w->values = calloc((size_t)w->mesh.corner_count, SUPI_OBJ_CORNER * sizeof *w->values);
    if (!w->values) return SUP_NO_MEMORY;
    fill_values(w);
    return SUP_OK;
}

/* A glTF has a point once for each uv and normal: pulled by one of them, it would tear. */
static sup_result join_seams(deform_work* w, sup_error* error) {
    sup_result result = sup_mesh_weld(NULL, &w->mesh, 0.0, &w->seamless, &w->seams, error);
    if (result != SUP_OK) return result;
    w->joined = true;
    if (w->seamless.point_count < w->mesh.point_count &&
        w->seamless.polygon_count == w->mesh.polygon_count &&
        w->seamless.corner_count == w->mesh.corner_count)
        return SUP_OK;
    w->joined = false;
    sup_mesh_free(&w->seamless);
    sup_weld_map_free(&w->seams);
    return SUP_OK;
}

/* A mesh that clay refuses; where a point of an .obj is why, with its place there. */
static tool_exit fail_of(const deform_work* w, const char* why) {
    for (int32_t i = 0; w->is_obj && i < w->mesh.point_count; i++) {
        const supi_token* at = &w->detail.places[i];
        if (supi_places_check("points", 1, &w->mesh.points[i], NULL) != SUP_OK)
            return tool_fail(TOOL_INPUT, "%s:%d:%d: cannot be deformed: %s", w->path, (int)at->line,
                             (int)at->column, why);
    }
    return tool_fail(TOOL_INPUT, "%s cannot be deformed: %s", w->path, why);
}

tool_exit deform_open(deform_work* w, const char* path, bool quiet) {
    *w = (deform_work){.path = path, .quiet = quiet, .splitting = sup_pull_default()};
    sup_error error = {SUP_NO_MEMORY, 0, 0, "not enough memory"};
    tool_exit code = tool_check_input(path);
    if (code != TOOL_DONE) return code;
    const sup_allocator* allocator = sup_allocator_default();
    const sup_file_gate* files = sup_file_gate_default();
    sup_result result = supi_mesh_check_name(path, &error);
    if (result == SUP_OK) result = supi_file_read(files, allocator, path, &w->bytes, &error);
    if (result == SUP_OK)
        result =
            supi_mesh_parse(allocator, files, path, w->bytes.data, w->bytes.size, &w->mesh, &error);
    w->is_obj = supi_ending_is(path, ".obj");
    if (result == SUP_OK && w->is_obj) result = read_detail(w, &error);
    if (result == SUP_OK && (supi_ending_is(path, ".glb") || supi_ending_is(path, ".gltf")))
        result = join_seams(w, &error);
    sup_clay_def def = sup_clay_default();
    def.values = w->values;
    def.value_width = w->values ? SUPI_OBJ_CORNER : 0;
    if (result == SUP_OK) {
        result = sup_clay_create(NULL, w->joined ? &w->seamless : &w->mesh, &def, &w->clay, &error);
        if (result == SUP_BAD_ARGUMENT) return fail_of(w, error.text);
    }
    if (result == SUP_OK && sup_mesh_note(&w->mesh) && !quiet)
        tool_note("%s: %s", path, sup_mesh_note(&w->mesh));
    return result == SUP_OK ? TOOL_DONE : tool_fail_error(&error);
}

void deform_close(deform_work* w) {
    sup_clay_destroy(w->clay);
    if (w->detail.arena.allocator) supi_obj_detail_free(&w->detail);
    supi_bytes_free(sup_allocator_default(), &w->bytes);
    if (w->mesh.points) sup_mesh_free(&w->mesh);
    if (w->joined) sup_mesh_free(&w->seamless);
    if (w->joined) sup_weld_map_free(&w->seams);
    free(w->values);
    free(w->generations);
}

/* ---- Pulling ---- */

/* Unit normals of all points as they are now; NULL: said. */
static sup_row* normals_now(const deform_work* w) {
    sup_mesh now;
    sup_error error;
    if (sup_clay_mesh(w->clay, NULL, &now, NULL, &error) != SUP_OK) {
        tool_fail_error(&error);
        return NULL;
    }
    size_t count = (size_t)now.point_count;
    sup_row* normals = malloc(count * sizeof *normals);
    sup_row* places = malloc(count * sizeof *places);
    int32_t* same = malloc(count * sizeof *same);
    if (normals && places && same) {
        for (int32_t i = 0; i < now.point_count; i++) {
            places[i] = (sup_row){now.points[i].x, now.points[i].y, now.points[i].z, 0.0f};
            same[i] = i;
        }
        const supi_drawn_surface surface = {now.polygon_count, now.starts, now.corners, same,
                                            now.point_count};
        supi_vertex_normals(&surface, places, normals);
    } else {
        no_memory();
        free(normals);
        normals = NULL;
    }
    free(places);
    free(same);
    sup_mesh_free(&now);
    return normals;
}

/* By the same for all, or along the normal of each. */
static tool_exit displacements(const deform_work* w, const deform_operation* o, int32_t count,
                               const int32_t* ids, sup_vec3* by) {
    float far = (float)(o->kind == DEFORM_PUSH ? -o->along : o->along);
    for (int32_t i = 0; i < count; i++)
        by[i] = (sup_vec3){(float)o->by[0], (float)o->by[1], (float)o->by[2]};
    if (deform_given(o, "by")) return TOOL_DONE;
    sup_row* normals = normals_now(w);
    if (!normals) return TOOL_MEMORY;
    for (int32_t i = 0; i < count; i++) {
        const sup_row* n = &normals[ids[i]];
        by[i] = (sup_vec3){far * n->x, far * n->y, far * n->z};
    }
    free(normals);
    return TOOL_DONE;
}

static sup_pull_def pull_def(const deform_work* w, const deform_operation* o) {
    sup_pull_def def = w->splitting;
    def.transfer = o->transfer;
    def.transverse = o->transverse;
    def.beta = o->beta;
    def.passes = o->passes;
    def.depth = o->depth;
    def.fade = o->fade;
    def.pins_block = o->pins_block;
    def.lengths = o->memory ? SUP_PULL_MEMORY : SUP_PULL_CLAY;
    def.sums = o->reproducible ? SUP_PULL_REPRODUCIBLE : SUP_PULL_ORDERED;
    return def;
}

static void say_pull(const deform_work* w, const deform_operation* o, int32_t count,
                     const sup_pull_report* r) {
    if (r->capped && r->passes < 64) /* edges were split, and the shortest one has become longer */
        tool_warn("%s: 64 passes are too few for a part of the way: some of %d were longer than "
                  "beta wants",
                  deform_name(o->kind), (int)r->passes);
    else if (r->capped)
        tool_warn("%s: 64 passes are too few for so long a way", deform_name(o->kind));
    if (r->over_budget) tool_warn("%s: edges are left that are too long", deform_name(o->kind));
    if (r->ignored > 0)
        tool_warn("%s: %d of its points %s pinned", deform_name(o->kind), (int)r->ignored,
                  r->ignored == 1 ? "is" : "are");
    if (w->quiet) return;
    printf("%s: %d %s, %d reached in %d generations, %d %s", deform_name(o->kind), (int)count,
           count == 1 ? "point" : "points", (int)r->reached, (int)r->generations, (int)r->passes,
           r->passes == 1 ? "pass" : "passes");
    if (r->split + r->joined > 0)
        printf(", %d edges split, %d joined", (int)r->split, (int)r->joined);
    printf("\n");
    if (r->reached > 0 && r->reached < sup_clay_point_count(w->clay)) deform_note_parts(w, o);
}

static tool_exit keep_generations(deform_work* w) {
    int32_t count = sup_clay_point_count(w->clay);
    free(w->generations);
    w->generation_count = 0;
    w->generations = malloc((size_t)count * sizeof *w->generations);
    if (!w->generations) return no_memory();
    w->generation_count = count;
    sup_clay_generations(w->clay, w->generations);
    return TOOL_DONE;
}

static tool_exit apply_pull(deform_work* w, const supi_reader* reader, const deform_operation* o) {
    sup_error error;
    sup_pull_report report;
    int32_t *ids, count;
    if (deform_given(o, "by") == deform_given(o, "along")) {
        snprintf(error.text, sizeof error.text, "give either \"by\" or \"along\"");
        error.code = SUP_BAD_FILE;
        return deform_wrap(reader, o, &error);
    }
    tool_exit code = deform_select(w, reader, o, &ids, &count);
    if (code != TOOL_DONE) return code;
    sup_vec3* by = malloc((size_t)count * sizeof *by);
    code = by ? displacements(w, o, count, ids, by) : no_memory();
    sup_pull_def def = pull_def(w, o);
    if (code == TOOL_DONE) {
        if (!w->quiet && !w->pulled) deform_note_edges(w);
        w->pulled = true;
        if (sup_clay_pull(w->clay, &def, count, ids, by, &report, &error) != SUP_OK) {
            code = deform_wrap(reader, o, &error);
        } else {
            say_pull(w, o, count, &report);
            code = keep_generations(w);
        }
    }
    free(by);
    free(ids);
    return code;
}

static tool_exit apply_pin(deform_work* w, const supi_reader* reader, const deform_operation* o) {
    sup_error error;
    int32_t *ids, count;
    tool_exit code = deform_select(w, reader, o, &ids, &count);
    if (code != TOOL_DONE) return code;
    float* masses = malloc((size_t)sup_clay_point_count(w->clay) * sizeof *masses);
    if (masses) {
        sup_clay_masses(w->clay, masses);
        for (int32_t i = 0; i < count; i++)
            masses[ids[i]] = o->mass < 0.0 ? INFINITY : (float)o->mass;
        if (sup_clay_set_masses(w->clay, masses, &error) != SUP_OK)
            code = deform_wrap(reader, o, &error);
    } else {
        code = no_memory();
    }
    if (code == TOOL_DONE && !w->quiet)
        printf("pin: %d %s\n", (int)count, count == 1 ? "point" : "points");
    free(masses);
    free(ids);
    return code;
}

static void apply_split(deform_work* w, const deform_operation* o) {
    w->splitting.split = o->stretch;
    w->splitting.split_budget = o->budget;
    w->splitting.point_limit = o->limit;
    w->splitting.squeeze = (sup_pull_squeeze)o->squeeze;
    w->splitting.squeezed = o->squeezed;
    w->splitting.splits = o->within ? SUP_SPLIT_WITHIN : SUP_SPLIT_AFTER;
}

/* ---- Maps of all points ---- */

/* Does the surface go through the centre of a tool? A point there has no direction to leave in. Of
   a closed one half of the view is inside, wherever on it the centre is. */
static bool touches(const sup_mesh* now, const deform_operation* o, bool closed) {
    double winding = closed ? sup_mesh_winding(now, o->centre) : 0.0;
    for (int32_t i = 0; i < now->point_count; i++) {
        const sup_vec3* p = now->points + i;
        double x = (double)p->x - o->centre[0], y = (double)p->y - o->centre[1];
        double z = (double)p->z - o->centre[2];
        if (x * x + y * y + z * z <= NEAR_CENTRE * NEAR_CENTRE) return true;
    }
    return winding > 0.05 && winding < 0.95;
}

/* Bulges begin inside of a closed surface, dents outside; of an open one neither is known. */
static sup_result check_side(const deform_work* w, const deform_operation* o, double* volume,
                             sup_error* error) {
    sup_mesh now;
    sup_mesh_report report = {.closed = false};
    sup_result result = sup_clay_mesh(w->clay, NULL, &now, NULL, error);
    if (result != SUP_OK) return result;
    result = sup_mesh_inspect(NULL, &now, &report, error);
    *volume = report.closed ? report.volume : 0.0;
    if (result == SUP_OK && o->kind >= 0 && touches(&now, o, report.closed)) {
        result = error->code = SUP_BAD_FILE;
        snprintf(error->text, sizeof error->text,
                 "the centre lies on the surface, which would be torn up there: move it %s",
                 o->kind == DEFORM_BULGE ? "inside" : "outside");
    } else if (result == SUP_OK && report.closed && o->kind >= 0) {
        bool inside = sup_mesh_winding(&now, o->centre) > 0.5;
        if (inside != (o->kind == DEFORM_BULGE)) {
            result = error->code = SUP_BAD_FILE;
            snprintf(error->text, sizeof error->text,
                     inside ? "the centre of a dent must be outside of the surface"
                            : "the centre of a bulge must be inside of the surface");
        }
    }
    sup_mesh_free(&now);
    return result;
}

static void tell_splits(const deform_operation* o, int32_t count) {
    printf("%s: %d edges split\n", deform_name(o->kind), (int)count);
}

/* Edges near the tool become as short as a quarter of its least radius. */
static sup_result refine(deform_work* w, const deform_operation* o, sup_error* error) {
    bool ball = deform_given(o, "radius"), box = deform_given(o, "sides");
    double least = INFINITY, most = 0.0;
    int32_t split = 0;
    for (int k = 0; k < 3; k++) {
        double radius = ball ? o->radius : box ? 0.5 * o->sides[k] : o->radii[k];
        least = radius < least ? radius : least;
        most = radius > most ? radius : most;
    }
    sup_result result =
        sup_clay_refine(w->clay, o->centre, 2.0 * most, 0.25 * least, 0, &split, error);
    if (result == SUP_OK && !w->quiet) tell_splits(o, split);
    return result;
}

static sup_result warp(const deform_operation* o, int32_t count, sup_vec3* points,
                       sup_error* error) {
    sup_warp_def def = sup_warp_default();
    sup_mesh tool;
    memcpy(def.centre, o->centre, sizeof def.centre);
    memcpy(def.rotation, o->rotation, sizeof def.rotation);
    def.strength = o->strength;
    def.near_end = o->fading[0];
    def.far_end = o->fading[1];
    def.inverse = o->inverse;
    def.shape = deform_given(o, "radii")   ? SUP_WARP_ELLIPSOID
                : deform_given(o, "sides") ? SUP_WARP_BOX
                : o->mesh                  ? SUP_WARP_MESH
                                           : SUP_WARP_BALL;
    for (int k = 0; k < 3; k++) {
        if (def.shape == SUP_WARP_BALL) def.radii[k] = o->radius;
        if (def.shape == SUP_WARP_ELLIPSOID) def.radii[k] = o->radii[k];
        if (def.shape == SUP_WARP_BOX) def.radii[k] = 0.5 * o->sides[k];
    }
    if (!o->mesh) return sup_points_warp(NULL, &def, count, points, points, error);
    sup_result result = sup_mesh_load(NULL, NULL, o->mesh, &tool, error);
    if (result != SUP_OK) return result;
    def.mesh = &tool;
    result = sup_points_warp(NULL, &def, count, points, points, error);
    sup_mesh_free(&tool);
    return result;
}

void deform_warn_of_fit(const char* whose, const sup_landmarks_report* report) {
    if (report->fit != SUP_LANDMARKS_TRANSLATION) return;
    if (report->count < 4)
        tool_warn("%s: %d in different places: an affine map needs 4, so turns and scales are not "
                  "kept",
                  whose, (int)report->count);
    else
        tool_warn("%s: all %d are in a plane: no affine map fits, so turns and scales are not kept",
                  whose, (int)report->count);
}

sup_result deform_landmarks(const deform_operation* o, int32_t count, sup_vec3* points,
                            sup_landmarks_report* report, sup_error* error) {
    sup_landmarks_def def = sup_landmarks_default();
    def.method = (sup_landmark_method)o->method;
    def.power = o->power;
    def.reach = o->reach;
    def.compact = o->compact || o->reach > 0.0;
    def.amount = o->amount;
    if (o->from.row_count != o->to.row_count || o->from.column_count != 3 ||
        o->to.column_count != 3) {
        snprintf(error->text, sizeof error->text,
                 "\"from\" and \"to\" must be as many places of three numbers");
        return error->code = SUP_BAD_FILE;
    }
    int32_t n = o->from.row_count;
    sup_vec3* pairs = malloc(2 * (size_t)n * sizeof *pairs);
    if (!pairs) return error->code = SUP_NO_MEMORY;
    for (int32_t i = 0; i < 2 * n; i++) {
        const double* row = i < n ? o->from.values + 3 * i : o->to.values + 3 * (i - n);
        pairs[i] = (sup_vec3){(float)row[0], (float)row[1], (float)row[2]};
    }
    sup_result result =
        sup_points_landmarks(NULL, &def, n, pairs, pairs + n, count, points, points, report, error);
    free(pairs);
    return result;
}

/* What is inside of a closed surface, 0 of others. */
static double volume_of(const deform_work* w, const deform_operation* o) {
    deform_operation any = *o;
    sup_error error;
    double volume = 0.0;
    any.kind = -1; /* neither inside nor outside is asked for */
    return check_side(w, &any, &volume, &error) == SUP_OK ? volume : 0.0;
}

static void tell_map(const deform_work* w, const deform_operation* o, double before) {
    printf("%s: %d points", deform_name(o->kind), (int)sup_clay_point_count(w->clay));
    if (before > 0.0) printf(", volume %.6g -> %.6g m^3", before, volume_of(w, o));
    printf("\n");
}

static bool is_tool(const deform_operation* o) {
    return o->kind >= DEFORM_DENT && o->kind <= DEFORM_CARVE;
}

static sup_result mark_points(const deform_operation* o, int32_t count, sup_vec3* points,
                              sup_error* error) {
    sup_landmarks_report report;
    sup_result result = deform_landmarks(o, count, points, &report, error);
    if (result == SUP_OK) deform_warn_of_fit(deform_name(o->kind), &report);
    return result;
}

static sup_result map_points(deform_work* w, const supi_reader* reader, const deform_operation* o,
                             sup_vec3* points, sup_error* error) {
    int32_t count = sup_clay_point_count(w->clay);
    bool tool = is_tool(o);
    double before = 0.0;
    sup_clay_points(w->clay, points);
    sup_result result = tool && !o->inverse ? check_side(w, o, &before, error) : SUP_OK;
    if (result == SUP_OK)
        result = tool                          ? warp(o, count, points, error)
                 : o->kind == DEFORM_LANDMARKS ? mark_points(o, count, points, error)
                                               : deform_morph(w, reader, o, points, error);
    if (result == SUP_OK) result = sup_clay_set_points(w->clay, points, error);
    if (result == SUP_OK && !w->quiet) tell_map(w, o, before);
    return result;
}

static tool_exit apply_map(deform_work* w, const supi_reader* reader, const deform_operation* o) {
    sup_error error = {SUP_NO_MEMORY, 0, 0, "not enough memory"};
    if (o->refine && refine(w, o, &error) != SUP_OK) return deform_wrap(reader, o, &error);
    sup_vec3* points = malloc((size_t)sup_clay_point_count(w->clay) * sizeof *points);
    sup_result result = points ? map_points(w, reader, o, points, &error) : SUP_NO_MEMORY;
    free(points);
    if (result != SUP_OK && error.code == SUP_OK) return tool_exit_for(result); /* said already */
    return result == SUP_OK ? TOOL_DONE : deform_wrap(reader, o, &error);
}

/* The tool goes its way in steps, and each dents what those before have left. All of them are told
   as one. */
static tool_exit carve(deform_work* w, const supi_reader* reader, const deform_operation* o) {
    tool_exit code = TOOL_DONE;
    bool quiet = w->quiet;
    int32_t points = sup_clay_point_count(w->clay);
    double before = volume_of(w, o);
    w->quiet = true;
    for (int32_t i = 0; code == TOOL_DONE && i < o->steps; i++) {
        deform_operation step = *o;
        step.steps = 1;
        for (int k = 0; k < 3; k++) step.centre[k] += o->way[k] * i / (o->steps - 1);
        code = apply_map(w, reader, &step);
    }
    w->quiet = quiet;
    if (code != TOOL_DONE || quiet) return code;
    if (o->refine) tell_splits(o, sup_clay_point_count(w->clay) - points);
    tell_map(w, o, before);
    return code;
}

/* A tool takes its own room, and what is around it goes as far: a slip of the unit is seen here. */
static void warn_of_size(const deform_work* w, const deform_operation* o) {
    double low[3], high[3], square = 0.0, most = deform_given(o, "radius") ? o->radius : 0.0;
    bool radii = deform_given(o, "radii"), sides = deform_given(o, "sides");
    sup_mesh now;
    if (sup_clay_mesh(w->clay, NULL, &now, NULL, NULL) != SUP_OK) return;
    supi_mesh_bounds(&now, low, high);
    sup_mesh_free(&now);
    for (int k = 0; k < 3; k++) {
        square += (high[k] - low[k]) * (high[k] - low[k]);
        double radius = radii ? o->radii[k] : sides ? 0.5 * o->sides[k] : 0.0;
        most = radius > most ? radius : most;
    }
    if (most > TOOL_LARGE * sqrt(square))
        tool_warn("%s: its tool of %.3g m is far larger than the mesh of %.3g m",
                  deform_name(o->kind), 2.0 * most, sqrt(square));
}

tool_exit deform_apply(deform_work* w, const supi_reader* reader, const deform_operation* o) {
    if (o->kind == DEFORM_PULL || o->kind == DEFORM_PUSH) return apply_pull(w, reader, o);
    if (o->kind == DEFORM_PIN) return apply_pin(w, reader, o);
    if (o->kind == DEFORM_SPLIT) {
        apply_split(w, o);
        return TOOL_DONE;
    }
    if (is_tool(o)) warn_of_size(w, o);
    return o->kind == DEFORM_CARVE && o->steps > 1 ? carve(w, reader, o) : apply_map(w, reader, o);
}

bool deform_moved(const deform_work* w, const sup_vec3* before, int32_t count) {
    if (sup_clay_point_count(w->clay) != count) return true;
    sup_vec3* now = malloc((size_t)count * sizeof *now);
    if (!now) return true;
    sup_clay_points(w->clay, now);
    bool moved = memcmp(before, now, (size_t)count * sizeof *now) != 0;
    free(now);
    return moved;
}

/* Whether two meshes differ in where their points are at most. */
static bool same_faces_have(const sup_mesh* a, const sup_mesh* b) {
    if (a->point_count != b->point_count || a->polygon_count != b->polygon_count ||
        a->corner_count != b->corner_count)
        return false;
    if (a->polygon_count == 0) return true; /* a cloud needs no arrays of faces */
    size_t starts = (size_t)a->polygon_count + 1, corners = (size_t)a->corner_count;
    return memcmp(a->starts, b->starts, starts * sizeof *a->starts) == 0 &&
           memcmp(a->corners, b->corners, corners * sizeof *a->corners) == 0;
}

tool_exit deform_mesh_now(const deform_work* w, sup_mesh* out, sup_clay_maps* maps,
                          bool* same_faces) {
    sup_error error;
    sup_mesh now, whole;
    if (sup_clay_mesh(w->clay, NULL, &now, maps, &error) != SUP_OK) return tool_fail_error(&error);
    *same_faces = same_faces_have(&now, w->joined ? &w->seamless : &w->mesh);
    *out = now;
    if (!w->joined || !*same_faces) return TOOL_DONE;
    sup_result result =
        sup_mesh_create(NULL, w->mesh.point_count, w->mesh.points, w->mesh.polygon_count,
                        w->mesh.starts, w->mesh.corners, &whole, &error);
    for (int32_t i = 0; result == SUP_OK && i < whole.point_count; i++)
        whole.points[i] = now.points[w->seams.to_welded[i]];
    sup_mesh_free(&now);
    *out = whole;
    if (result == SUP_OK) return TOOL_DONE;
    if (maps) sup_clay_maps_free(maps);
    return tool_fail_error(&error);
}

/* ---- Saving ---- */

typedef struct changed {
    sup_mesh mesh;
    sup_clay_maps maps;
    bool same_faces;
} changed;

/* The file of before with other points. */
static sup_result save_retouched(const deform_work* w, const changed* now, const char* path,
                                 sup_error* error) {
    const sup_allocator* allocator = sup_allocator_default();
    supi_writer out;
    sup_result result = supi_writer_begin(&out, sup_file_gate_default(), allocator, path, error);
    if (result != SUP_OK) return result;
    if (supi_ending_is(path, ".glb")) {
        result = supi_glb_retouch(&out, allocator, sup_file_gate_default(), w->path, w->bytes.data,
                                  w->bytes.size, &w->mesh, now->mesh.points, error);
    } else if (!w->is_obj) {
        result = supi_ply_retouch(&out, allocator, w->path, w->bytes.data, w->bytes.size, &w->mesh,
                                  now->mesh.points, error);
    } else if (now->same_faces) {
        supi_obj_retouch(&out, w->bytes.data, w->bytes.size, &w->mesh, now->mesh.points);
    } else {
        supi_obj_change change = {&w->mesh, &now->mesh, now->maps.points, now->maps.polygons,
                                  now->maps.values};
        if (!supi_obj_recast(&out, allocator, w->bytes.data, w->bytes.size, &w->detail, &change)) {
            result = error->code = SUP_NO_MEMORY;
            snprintf(error->text, sizeof error->text, "not enough memory");
        }
    }
    if (result == SUP_OK) result = supi_writer_commit(&out, error);
    supi_writer_abort(&out);
    return result;
}

static bool both_end(const char* a, const char* b, const char* ending) {
    return supi_ending_is(a, ending) && supi_ending_is(b, ending);
}

tool_exit deform_save(deform_work* w, const char* path) {
    changed now;
    sup_error error;
    tool_exit code = deform_mesh_now(w, &now.mesh, &now.maps, &now.same_faces);
    if (code != TOOL_DONE) return code;
    bool obj = both_end(w->path, path, ".obj"), glb = both_end(w->path, path, ".glb");
    bool ply = both_end(w->path, path, ".ply");
    sup_result result = SUP_UNSUPPORTED;
    if (obj || ((ply || glb) && now.same_faces)) {
        result = save_retouched(w, &now, path, &error);
        if (result == SUP_OK && !w->quiet && deform_has_normals(w))
            tool_note("normals of %s stay as they were", w->path);
        if (result == SUP_UNSUPPORTED) tool_warn("%s", error.text);
    }
    if (result == SUP_UNSUPPORTED) {
        result = sup_mesh_save(NULL, NULL, path, &now.mesh, &error);
        if (result == SUP_OK && (ply || glb))
            tool_warn("%s is written anew: points and faces only", w->path);
        if (result == SUP_OK && !ply && !glb) deform_warn_of_loss(w, false);
    }
    sup_mesh_free(&now.mesh);
    sup_clay_maps_free(&now.maps);
    return result == SUP_OK ? TOOL_DONE : tool_fail_error(&error);
}
