/* See motion.h. */
#define _POSIX_C_SOURCE 200809L
#include "motion.h"

#include "file/clip.h"
#include "file/ending.h"
#include "file/polygons.h"
#include "tape_input.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Where a file does not say how fast it plays. */
#define USUAL_FPS 60.0
#define POSE_LIMIT 1000000

static tool_exit out_of_memory(void) { return tool_fail(TOOL_MEMORY, "out of memory"); }

/* ---- clips ---- */

/* Poses per second of a clip whose frames are evenly spaced; 0: they are not. Times of glTF are
   rounded to floats, so a rate that is nearly whole is whole. */
static double even_rate(const sup_clip* clip) {
    int32_t steps = clip->frame_count - 1;
    double first = clip->times[0], step = (clip->times[steps] - first) / steps;
    if (!(step > 0)) return 0;
    for (int32_t i = 0; i < steps; i++) {
        if (!(fabs(clip->times[i] - (first + i * step)) <= 0.01 * step)) return 0;
    }
    double rate = 1 / step, whole = floor(rate + 0.5);
    return fabs(rate - whole) <= 1e-4 * rate ? whole : rate;
}

/* PC2 counts in frames, so its poses stay one to one; the keys of glTF have times. */
static tool_exit plan_poses(motion* m, bool timed) {
    const sup_clip* clip = &m->clip;
    m->pose_count = clip->frame_count;
    if (m->pose_count == 1) return TOOL_DONE;
    double own = even_rate(clip);
    m->fps = own > 0 ? own : USUAL_FPS;
    if (timed && m->wish.fps > 0) m->fps = m->wish.fps;
    m->resampled = timed && m->fps != own;
    if (!m->resampled) return TOOL_DONE;
    double steps = ceil((clip->times[clip->frame_count - 1] - clip->times[0]) * m->fps - 1e-3);
    if (!(steps < POSE_LIMIT)) {
        return tool_fail(TOOL_INPUT, "%s is too long: at %g per second it has more than %d poses",
                         m->wish.path, m->fps, POSE_LIMIT);
    }
    m->pose_count = (int32_t)steps + 1;
    return TOOL_DONE;
}

static tool_exit load_clip(motion* m, const char* path) {
    bool timed = !supi_ending_is(path, ".pc2");
    sup_error error;
    if (sup_clip_load(NULL, NULL, path, m->wish.fps > 0 ? m->wish.fps : USUAL_FPS, &m->clip,
                      &error) != SUP_OK) {
        m->clip = (sup_clip){0};
        return tool_fail_error(&error);
    }
    if (m->clip.point_count != m->mesh.point_count) {
        return tool_fail(TOOL_INPUT, "%s has %d points, but its mesh has %d", path,
                         (int)m->clip.point_count, (int)m->mesh.point_count);
    }
    m->mesh.ignored &= ~(uint32_t)SUP_MESH_ANIMATIONS;
    return plan_poses(m, timed);
}

/* ---- meshes ---- */

/* The other file of a pair. */
static char* partner_of(const char* path, const char* ending) {
    char* name = strdup(path);
    if (name) supi_ending_set(name, ending);
    return name;
}

static tool_exit load_mesh(motion* m, const char* path) {
    sup_error error;
    if (sup_mesh_load(NULL, NULL, path, &m->mesh, &error) == SUP_OK) return TOOL_DONE;
    m->mesh = (sup_mesh){0};
    return tool_fail_error(&error);
}

/* NAME.pc2 holds points alone; their polygons are in NAME.obj. */
static tool_exit open_cache(motion* m) {
    m->partner = partner_of(m->wish.path, ".obj");
    if (!m->partner) return out_of_memory();
    tool_exit code = TOOL_DONE;
    if (access(m->partner, F_OK) == 0) {
        code = load_mesh(m, m->partner);
    } else if (access(m->wish.path, F_OK) == 0) {
        code = tool_fail(TOOL_INPUT, "%s holds points alone; %s, with their polygons, is not there",
                         m->wish.path, m->partner);
    }
    return code == TOOL_DONE ? load_clip(m, m->wish.path) : code;
}

/* The file that tells how a mesh moves; NULL where it does not, or by bones or nodes alone, which
   nobody here reads. */
static tool_exit find_clip(motion* m, const char** path) {
    *path = NULL;
    if (supi_ending_is(m->wish.path, ".obj")) {
        m->partner = partner_of(m->wish.path, ".pc2");
        if (!m->partner) return out_of_memory();
        if (access(m->partner, F_OK) == 0) {
            *path = m->partner;
        } else {
            free(m->partner);
            m->partner = NULL;
        }
    } else if (m->mesh.ignored & SUP_MESH_ANIMATIONS) {
        bool moves;
        sup_error error;
        sup_result result = supi_glb_moves(m->wish.path, &moves, &error);
        if (result != SUP_OK) return tool_fail_error(&error);
        if (moves) *path = m->wish.path;
    }
    return TOOL_DONE;
}

static tool_exit open_mesh(motion* m) {
    tool_exit code = load_mesh(m, m->wish.path);
    if (code != TOOL_DONE || !(m->wish.moving || m->wish.frame >= 0)) return code;
    const char* clip;
    code = find_clip(m, &clip);
    if (code == TOOL_DONE && clip) code = load_clip(m, clip);
    if (code == TOOL_INPUT) tool_note("--still takes the mesh without its motion");
    return code;
}

/* ---- tapes ---- */

/* The polygons of all surfaces, one after the other. */
static void list_polygons(const motion* m, int32_t* starts, int32_t* corners) {
    int32_t polygon = 0, corner = 0, point = 0;
    for (int32_t k = 0; k < m->surface_count; k++) {
        const sup_surface* s = &m->surfaces[k];
        int32_t before = corner;
        for (int32_t c = 0; c < s->starts[s->polygon_count]; c++) {
            corners[corner++] = point + s->corners[c];
        }
        for (int32_t p = 1; p <= s->polygon_count; p++) starts[++polygon] = before + s->starts[p];
        point += s->point_count;
    }
}

/* All surfaces of a tape as one mesh, whose points are not set yet. */
static tool_exit join_surfaces(motion* m, int32_t point_count) {
    int64_t polygons = 0, corners = 0;
    for (int32_t k = 0; k < m->surface_count; k++) {
        polygons += m->surfaces[k].polygon_count;
        corners += m->surfaces[k].starts[m->surfaces[k].polygon_count];
    }
    if (corners > INT32_MAX) return tool_fail(TOOL_INPUT, "%s has too many corners", m->wish.path);
    sup_vec3* points = calloc((size_t)point_count, sizeof *points);
    int32_t* starts = calloc((size_t)polygons + 1, sizeof *starts);
    int32_t* ids = calloc((size_t)corners + 1, sizeof *ids);
    bool made = false;
    if (points && starts && ids) {
        list_polygons(m, starts, ids);
        made = sup_mesh_create(NULL, point_count, points, (int32_t)polygons, starts, ids, &m->mesh,
                               NULL) == SUP_OK;
    }
    free(points);
    free(starts);
    free(ids);
    return made ? TOOL_DONE : out_of_memory();
}

static tool_exit open_tape(motion* m) {
    if (m->wish.weld >= 0) return tool_fail(TOOL_USAGE, "--weld is for meshes, not for a tape");
    if (m->wish.fps > 0) return tool_fail(TOOL_USAGE, "--fps is not for a tape, which has its own");
    tool_exit code = tape_open(m->wish.path, &m->tape);
    if (code != TOOL_DONE) return code;
    sup_tape_info info = sup_tape_get_info(m->tape);
    if (info.frame_count == 0 || info.surface_count == 0) {
        return tool_fail(TOOL_INPUT, "%s holds no %s", m->wish.path,
                         info.frame_count == 0 ? "frame" : "surface");
    }
    m->surfaces = sup_tape_surfaces(m->tape, &m->surface_count);
    m->pose_count = info.frame_count;
    if (!info.whole) m->planned = info.planned_count;
    m->fps = info.fps;
    return join_surfaces(m, info.point_count);
}

/* ---- poses ---- */

/* A pose as it is in the file. */
static tool_exit read_raw(motion* m, int32_t pose, sup_vec3* points) {
    if (m->tape) {
        sup_error error;
        sup_result result = sup_tape_read_frame(m->tape, pose, points, &error);
        return result == SUP_OK ? TOOL_DONE : tool_fail_error(&error);
    }
    if (m->resampled) {
        sup_clip_sample(&m->clip, m->clip.times[0] + pose / m->fps, points);
    } else {
        size_t count = (size_t)m->clip.point_count;
        memcpy(points, m->clip.points + (size_t)pose * count, count * sizeof *points);
    }
    return TOOL_DONE;
}

static tool_exit scale_point(const motion* m, int32_t number, sup_vec3* point) {
    double x = point->x * m->wish.scale, y = point->y * m->wish.scale, z = point->z * m->wish.scale;
    if (!(fabs(x) <= FLT_MAX && fabs(y) <= FLT_MAX && fabs(z) <= FLT_MAX)) {
        return tool_fail(TOOL_INPUT, "%s: with --scale %g, point %d is too far out for a float",
                         m->wish.path, m->wish.scale, (int)number);
    }
    *point = (sup_vec3){(float)x, (float)y, (float)z};
    return TOOL_DONE;
}

tool_exit motion_read(motion* m, int32_t pose, sup_vec3* points) {
    const int32_t* original = m->map.to_original;
    sup_vec3* raw = original ? m->raw : points;
    tool_exit code = read_raw(m, pose, raw);
    for (int32_t i = 0; code == TOOL_DONE && i < m->mesh.point_count; i++) {
        int32_t number = original ? original[i] : i;
        points[i] = raw[number];
        code = scale_point(m, number, &points[i]);
    }
    return code;
}

/* ---- all together ---- */

/* Brings the mesh into the pose that is wanted, or the first. */
static tool_exit pose_mesh(motion* m) {
    bool has_poses = m->tape || m->clip.frame_count > 0;
    int32_t frame = m->wish.frame;
    if (frame >= 0 && m->pose_count == 1) {
        return tool_fail(TOOL_USAGE, "%s does not move; --frame is for what does", m->wish.path);
    }
    if (frame >= m->pose_count) {
        return tool_fail(TOOL_USAGE, "frame %d is beyond the end: %s has the poses 0 to %d",
                         (int)frame, m->wish.path, (int)m->pose_count - 1);
    }
    m->all_poses = m->pose_count;
    tool_exit code = has_poses ? read_raw(m, frame >= 0 ? frame : 0, m->mesh.points) : TOOL_DONE;
    if (!m->wish.moving || frame >= 0) m->pose_count = 1;
    for (int32_t i = 0; code == TOOL_DONE && i < m->mesh.point_count; i++) {
        code = scale_point(m, i, &m->mesh.points[i]);
    }
    return code;
}

static tool_exit weld(motion* m) {
    sup_mesh welded;
    sup_error error;
    sup_result result = sup_mesh_weld(NULL, &m->mesh, m->wish.weld, &welded, &m->map, &error);
    if (result != SUP_OK) {
        m->map = (sup_weld_map){0};
        return tool_fail_error(&error);
    }
    bool empty = welded.polygon_count == 0 && m->mesh.polygon_count > 0;
    welded.ignored = m->mesh.ignored;
    sup_mesh_free(&m->mesh);
    m->mesh = welded;
    if (empty) {
        return tool_fail(TOOL_INPUT, "%s: --weld %g leaves no polygon of it", m->wish.path,
                         m->wish.weld);
    }
    m->raw = calloc((size_t)m->map.original_count, sizeof *m->raw);
    return m->raw ? TOOL_DONE : out_of_memory();
}

static tool_exit check_ending(const char* path) {
    static const char* const read[] = {".obj",  ".ply", ".stl", ".glb",
                                       ".gltf", ".pc2", ".sup", ".sup.part"};
    for (size_t i = 0; i < sizeof read / sizeof *read; i++) {
        if (supi_ending_is(path, read[i])) return TOOL_DONE;
    }
    return tool_fail(TOOL_INPUT,
                     "cannot read \"%s\": the name must end in .obj, .ply, .stl, .glb, .gltf, .pc2 "
                     "or .sup; other formats are only written",
                     path);
}

tool_exit motion_open(motion* m, const motion_wish* wish) {
    *m = (motion){.wish = *wish, .pose_count = 1, .all_poses = 1};
    tool_exit code = tool_check_input(wish->path);
    if (code == TOOL_DONE) code = check_ending(wish->path);
    if (code != TOOL_DONE) return code;
    if (supi_ending_is(wish->path, ".sup") || supi_ending_is(wish->path, ".sup.part")) {
        code = open_tape(m);
    } else if (supi_ending_is(wish->path, ".pc2")) {
        code = open_cache(m);
    } else {
        code = open_mesh(m);
    }
    if (code == TOOL_DONE) code = pose_mesh(m);
    if (code == TOOL_DONE && wish->weld >= 0) code = weld(m);
    if (code != TOOL_DONE || m->tape) return code;
    m->own = supi_polygons_of(&m->mesh);
    m->surfaces = &m->own;
    m->surface_count = 1;
    return TOOL_DONE;
}

void motion_close(motion* m) {
    free(m->raw);
    sup_weld_map_free(&m->map);
    sup_clip_free(&m->clip);
    sup_tape_close(m->tape);
    sup_mesh_free(&m->mesh);
    free(m->partner);
}
