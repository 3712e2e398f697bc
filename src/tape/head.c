#include "tape/head.h"

#include <float.h>
#include <string.h>

#include "base/check.h"
#include "base/error.h"

#define LEAST_FPS 1e-6
#define MOST_FPS 1e6
#define MOST_POINTS (INT32_MAX / 16)

/* ---- Definitions ---- */

sup_tape_def sup_tape_default(void) {
    return (sup_tape_def){
        .size = sizeof(sup_tape_def), .fps = 60.0, .frame_count = 1, .snapshot_every = 60};
}

static bool is_unit(float value) { return value >= 0.0f && value <= 1.0f; }

/* What is wrong with a surface, or NULL. Counts and pointers are all that `starts` needs. */
static const char* find_fault(const sup_surface* s) {
    if (!s->name || s->name[0] == 0) return "it has no name";
    if (s->point_count < 1 || s->polygon_count < 0) return "it has no point";
    if (!s->starts || !s->corners) return "it has no corners";
    for (int k = 0; k < 3; k++) {
        if (!is_unit(s->colour[k])) return "its colour is not within 0 .. 1";
    }
    if (!is_unit(s->roughness)) return "its roughness is not within 0 .. 1";
    if (!(s->point_radius >= 0.0f && s->point_radius <= FLT_MAX)) {
        return "the radius of its points is not finite or below 0";
    }
    if (s->starts[0] != 0) return "its first polygon does not start at 0";
    for (int32_t k = 0; k < s->polygon_count; k++) {
        if (s->starts[k + 1] < s->starts[k] || s->starts[k + 1] - s->starts[k] < 3) {
            return "a polygon has fewer than 3 corners";
        }
    }
    for (int32_t i = 0; i < s->starts[s->polygon_count]; i++) {
        if (s->corners[i] < 0 || s->corners[i] >= s->point_count) {
            return "a polygon names a point that is not there";
        }
    }
    return NULL;
}

sup_result supi_head_make(const sup_tape_def* def, const sup_world* world, supi_head* out,
                          sup_error* error) {
    if (!def || def->size != sizeof *def) {
        return supi_error_set(error, SUP_BAD_ARGUMENT,
                              "sup_tape_def must come from sup_tape_default");
    }
    const supi_range ranges[] = {
        {"fps", def->fps, LEAST_FPS, MOST_FPS},
        {"frame_count", def->frame_count, 1, INT32_MAX - 8},
        {"snapshot_every", def->snapshot_every, 1, INT32_MAX},
        {"surface_count", def->surface_count, 0, def->surfaces ? INT32_MAX : 0},
    };
    sup_result result = supi_check_ranges(ranges, sizeof ranges / sizeof *ranges, error);
    if (result != SUP_OK) return result;
    int64_t points = 0;
    for (int32_t i = 0; i < def->surface_count; i++) {
        const char* fault = find_fault(def->surfaces + i);
        if (fault) return supi_error_set(error, SUP_BAD_ARGUMENT, "surface %d: %s", (int)i, fault);
        points += def->surfaces[i].point_count;
    }
    if (points > MOST_POINTS) {
        return supi_error_set(error, SUP_BAD_ARGUMENT, "the surfaces have too many points");
    }
    *out = (supi_head){.fps = def->fps,
                       .frame_count = def->frame_count,
                       .snapshot_every = def->snapshot_every,
                       .scene_hash = def->scene_hash,
                       .start_hash = sup_world_hash(world),
                       .scene = def->scene,
                       .scene_size = def->scene ? def->scene_size : 0,
                       .surface_count = def->surface_count,
                       .point_count = (int32_t)points,
                       .surfaces = def->surfaces};
    return SUP_OK;
}

/* ---- Bytes ---- */

static void visit_settings(supi_visitor* v, supi_head* h) {
    supi_visit_f64(v, "fps", &h->fps, 1, LEAST_FPS, MOST_FPS);
    supi_visit_i32(v, "frame_count", &h->frame_count, 1, 1, INT32_MAX - 8);
    supi_visit_i32(v, "snapshot_every", &h->snapshot_every, 1, 1, INT32_MAX);
    supi_visit_u64(v, "scene_hash", &h->scene_hash);
    supi_visit_u64(v, "start_hash", &h->start_hash);
    supi_visit_i32(v, "surface_count", &h->surface_count, 1, 0, MOST_POINTS);
    supi_visit_u64(v, "scene_size", &h->scene_size);
}

static void visit_look(supi_visitor* v, sup_surface* s) {
    supi_visit_i32(v, "point_count", &s->point_count, 1, 1, MOST_POINTS);
    supi_visit_i32(v, "polygon_count", &s->polygon_count, 1, 0, MOST_POINTS);
    supi_visit_f32(v, "colour", s->colour, 3);
    supi_visit_f32(v, "roughness", &s->roughness, 1);
    supi_visit_f32(v, "point_radius", &s->point_radius, 1);
}

static void pack_surface(supi_pack* p, const sup_surface* surface) {
    sup_surface s = *surface;
    size_t length = strlen(s.name);
    supi_pack_u32(p, (uint32_t)length);
    supi_pack_bytes(p, s.name, length);
    visit_look(&p->visitor, &s);
    supi_visit_i32(&p->visitor, "starts", (int32_t*)(uintptr_t)s.starts,
                   (size_t)s.polygon_count + 1, 0, INT32_MAX);
    supi_visit_i32(&p->visitor, "corners", (int32_t*)(uintptr_t)s.corners,
                   (size_t)s.starts[s.polygon_count], 0, INT32_MAX);
}

void supi_head_pack(supi_pack* pack, const supi_head* head) {
    supi_head h = *head;
    visit_settings(&pack->visitor, &h);
    supi_pack_bytes(pack, h.scene, (size_t)h.scene_size);
    for (int32_t i = 0; i < h.surface_count; i++) pack_surface(pack, h.surfaces + i);
}

/* An array of 32-bit numbers, or NULL after a refusal. */
static int32_t* unpack_numbers(supi_unpack* u, supi_arena* arena, const char* name, int32_t count,
                               double most) {
    if (!supi_unpack_has(u, name, (size_t)count, 4)) return NULL;
    int32_t* numbers = supi_arena_push(arena, (size_t)count, sizeof *numbers);
    if (!numbers) supi_unpack_memory(u);
    if (numbers) supi_visit_i32(&u->visitor, name, numbers, (size_t)count, 0, most);
    return u->result == SUP_OK ? numbers : NULL;
}

static char* unpack_name(supi_unpack* u, supi_arena* arena) {
    int32_t length = supi_unpack_count(u, "name", 1);
    const uint8_t* bytes = supi_unpack_bytes(u, "name", (size_t)length);
    if (!bytes) return NULL;
    if (memchr(bytes, 0, (size_t)length)) supi_unpack_refuse(u, "name", "a zero is in it");
    char* name = supi_arena_push(arena, (size_t)length + 1, 1);
    if (!name) supi_unpack_memory(u);
    if (name) memcpy(name, bytes, (size_t)length);
    return name;
}

static void unpack_surface(supi_unpack* u, supi_arena* arena, sup_surface* s) {
    s->name = unpack_name(u, arena);
    visit_look(&u->visitor, s);
    if (u->result != SUP_OK) return;
    int32_t* starts = unpack_numbers(u, arena, "starts", s->polygon_count + 1, INT32_MAX / 8);
    s->starts = starts;
    if (starts) {
        s->corners =
            unpack_numbers(u, arena, "corners", starts[s->polygon_count], s->point_count - 1);
    }
    const char* fault = u->result == SUP_OK ? find_fault(s) : NULL;
    if (fault) supi_unpack_refuse(u, "polygons", "%s", fault);
}

void supi_head_unpack(supi_unpack* u, supi_arena* arena, supi_head* out) {
    *out = (supi_head){0};
    supi_unpack_enter(u, "header", -1);
    visit_settings(&u->visitor, out);
    const uint8_t* scene = NULL;
    if (out->scene_size > u->end) {
        supi_unpack_refuse(u, "scene", "it is longer than the header");
    } else {
        scene = supi_unpack_bytes(u, "scene", (size_t)out->scene_size);
    }
    if (!supi_unpack_has(u, "surfaces", (size_t)out->surface_count, 37)) return;
    sup_surface* surfaces = supi_arena_push(arena, (size_t)out->surface_count, sizeof *surfaces);
    uint8_t* text = supi_arena_push(arena, (size_t)out->scene_size + 1, 1);
    if (!surfaces || !text) {
        supi_unpack_memory(u);
        return;
    }
    if (scene) memcpy(text, scene, (size_t)out->scene_size);
    out->scene = text;
    out->surfaces = surfaces;
    int64_t points = 0;
    for (int32_t i = 0; u->result == SUP_OK && i < out->surface_count; i++) {
        supi_unpack_enter(u, "surface", i);
        unpack_surface(u, arena, surfaces + i);
        points += surfaces[i].point_count;
    }
    if (points > MOST_POINTS) supi_unpack_refuse(u, "points", "there are too many");
    if (u->at != u->end) supi_unpack_refuse(u, "end", "bytes are left over");
    out->point_count = (int32_t)(points > MOST_POINTS ? 0 : points);
}
