/* USD as text (.usda): one Mesh prim per surface below one Xform, or Points of a cloud. All time
   samples of a prim stand together, but frames come one by one: they wait in a spool and are put
   surface by surface at the end. Memory holds the points of one surface at a time. */
#include <float.h>
#include <stdlib.h>
#include <string.h>

#include "base/check.h"
#include "base/error.h"
#include "base/memory.h"
#include "file/animation.h"
#include "file/box.h"
#include "file/polygons.h"
#include "file/spool.h"
#include "file/text_write.h"

/* One value for all points of a prim. */
#define CONSTANT " (\n            interpolation = \"constant\"\n        )\n"

typedef struct usda {
    sup_animation base;
    supi_writer out;
    supi_spool spool;
    bool* repeated;     /* an earlier surface has the same name of a prim (surface_count) */
    sup_vec3* points;   /* of one surface at a time (point_room) */
    int32_t point_room; /* points of the largest surface */
} usda;

/* --- names --- */

static bool is_letter_or_digit(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
}

/* The characters of a prim's name one after the other; 0 at the end. Any run of others is one
   underscore, so that a name never has two in a row. */
static char next_in_name(const char** at) {
    char c = **at;
    if (c == 0) return 0;
    ++*at;
    if (is_letter_or_digit(c)) return c;
    while (**at && !is_letter_or_digit(**at)) ++*at;
    return '_';
}

static int compare_names(const char* a, const char* b) {
    for (;;) {
        char x = next_in_name(&a), y = next_in_name(&b);
        if (x != y) return x < y ? -1 : 1;
        if (x == 0) return 0;
    }
}

typedef struct named {
    const char* name;
    int32_t surface;
} named;

/* A total order: no two are alike. */
static int by_name_and_surface(const void* left, const void* right) {
    const named *a = left, *b = right;
    int order = compare_names(a->name, b->name);
    return order != 0 ? order : (a->surface > b->surface) - (a->surface < b->surface);
}

static bool find_repeated(usda* self) {
    const sup_animation* animation = &self->base;
    size_t count = (size_t)animation->surface_count;
    named* order = supi_memory_new(animation->allocator, count, sizeof(named));
    if (!order) return false;
    for (int32_t k = 0; k < animation->surface_count; k++) {
        order[k] = (named){animation->surfaces[k].name, k};
    }
    qsort(order, count, sizeof(named), by_name_and_surface);
    for (size_t k = 1; k < count; k++) {
        self->repeated[order[k].surface] = compare_names(order[k - 1].name, order[k].name) == 0;
    }
    supi_memory_free(animation->allocator, order, count, sizeof(named));
    return true;
}

/* Letters, digits and underscores, no digit first. Two underscores, which no name has by itself,
   keep apart what would be alike: before a digit, and before the number of a surface whose name was
   there before. */
static void put_prim_name(usda* self, int32_t surface) {
    const char* at = self->base.surfaces[surface].name;
    if (*at >= '0' && *at <= '9') supi_writer_put(&self->out, "__", 2);
    for (char c; (c = next_in_name(&at)) != 0;) supi_writer_put(&self->out, &c, 1);
    if (self->repeated[surface]) supi_writer_print(&self->out, "__%d", (int)surface);
}

/* --- values --- */

static void put_triples(supi_writer* out, const sup_vec3* points, int32_t count) {
    for (int32_t i = 0; i < count; i++) {
        supi_writer_print(out, "%s(", i == 0 ? "[" : ", ");
        supi_text_put_float(out, points[i].x);
        supi_writer_put(out, ", ", 2);
        supi_text_put_float(out, points[i].y);
        supi_writer_put(out, ", ", 2);
        supi_text_put_float(out, points[i].z);
        supi_writer_put(out, ")", 1);
    }
    supi_writer_put(out, "]", 1);
}

static void put_polygons(supi_writer* out, const sup_surface* surface) {
    const int32_t* starts = surface->starts;
    supi_writer_print(out, "        int[] faceVertexCounts = ");
    for (int32_t p = 0; p < surface->polygon_count; p++) {
        supi_writer_print(out, "%s%d", p == 0 ? "[" : ", ", (int)(starts[p + 1] - starts[p]));
    }
    supi_writer_print(out, "]\n        int[] faceVertexIndices = ");
    for (int32_t c = 0; c < starts[surface->polygon_count]; c++) {
        supi_writer_print(out, "%s%d", c == 0 ? "[" : ", ", (int)surface->corners[c]);
    }
    supi_writer_print(out, "]\n");
}

/* --- what moves --- */

static void put_values(supi_writer* out, const sup_surface* surface, const sup_vec3* points) {
    put_triples(out, points, surface->point_count);
}

static float bounded(double value) {
    double limit = (double)FLT_MAX;
    return (float)(value > limit ? limit : value < -limit ? -limit : value);
}

/* The spheres of a cloud are in its box. */
static void put_extent(supi_writer* out, const sup_surface* surface, const sup_vec3* points) {
    double margin = supi_polygons_is_cloud(surface) ? (double)surface->point_radius : 0.0;
    sup_vec3 corners[2];
    supi_box_of(points, surface->point_count, &corners[0], &corners[1]);
    for (int side = 0; side < 2; side++, margin = -margin) {
        sup_vec3* c = &corners[side];
        *c = (sup_vec3){bounded(c->x - margin), bounded(c->y - margin), bounded(c->z - margin)};
    }
    put_triples(out, corners, 2);
}

/* One attribute of a surface, whose points begin at `first` in every frame: a plain value where
   there is one frame, else a sample for each. */
static sup_result
put_attribute(usda* self, const char* type_and_name, const sup_surface* surface, uint64_t first,
              void (*put)(supi_writer* out, const sup_surface* surface, const sup_vec3* points)) {
    const sup_animation* animation = &self->base;
    supi_writer* out = &self->out;
    bool moving = animation->frame_count > 1;
    supi_writer_print(out, "        %s%s", type_and_name, moving ? ".timeSamples = {\n" : " = ");
    for (int32_t frame = 0; frame < animation->frame_count; frame++) {
        uint64_t at = (uint64_t)frame * (uint64_t)animation->point_count + first;
        sup_result result = supi_spool_read(&self->spool, at, self->points, surface->point_count);
        if (result != SUP_OK) return result;
        if (moving) supi_writer_print(out, "            %d: ", (int)frame);
        put(out, surface, self->points);
        supi_writer_print(out, moving ? ",\n" : "\n");
    }
    if (moving) supi_writer_print(out, "        }\n");
    return SUP_OK;
}

/* --- the file --- */

static void put_header(usda* self) {
    supi_writer* out = &self->out;
    supi_writer_print(out, "#usda 1.0\n(\n    defaultPrim = \"Supple\"\n");
    supi_writer_print(out, "    doc = \"Supple %s\"\n", sup_version());
    supi_writer_print(
        out, "    endTimeCode = %d\n    framesPerSecond = ", (int)self->base.frame_count - 1);
    supi_text_put_double(out, self->base.fps);
    supi_writer_print(out, "\n    metersPerUnit = 1\n    startTimeCode = 0\n"
                           "    timeCodesPerSecond = ");
    supi_text_put_double(out, self->base.fps);
    supi_writer_print(out, "\n    upAxis = \"Y\"\n)\n\n");
}

/* Cloth is seen from both sides. */
static sup_result put_prim(usda* self, int32_t number, uint64_t first) {
    supi_writer* out = &self->out;
    const sup_surface* surface = &self->base.surfaces[number];
    bool cloud = supi_polygons_is_cloud(surface);
    supi_writer_print(out, "    def %s \"", cloud ? "Points" : "Mesh");
    put_prim_name(self, number);
    supi_writer_print(out, "\"\n    {\n");
    if (!cloud) supi_writer_print(out, "        uniform bool doubleSided = 1\n");
    sup_result result = put_attribute(self, "float3[] extent", surface, first, put_extent);
    if (result != SUP_OK) return result;
    if (!cloud) {
        put_polygons(out, surface);
        supi_writer_print(out, "        uniform token orientation = \"rightHanded\"\n");
    }
    result = put_attribute(self, "point3f[] points", surface, first, put_values);
    if (result != SUP_OK) return result;
    sup_vec3 colour = {surface->colour[0], surface->colour[1], surface->colour[2]};
    supi_writer_print(out, "        color3f[] primvars:displayColor = ");
    put_triples(out, &colour, 1);
    supi_writer_print(out, CONSTANT);
    if (cloud) {
        supi_writer_print(out, "        float[] widths = [");
        supi_text_put_float(out, bounded(2.0 * (double)surface->point_radius));
        supi_writer_print(out, "]" CONSTANT);
    } else {
        supi_writer_print(out, "        uniform token subdivisionScheme = \"none\"\n");
    }
    supi_writer_print(out, "    }\n");
    return SUP_OK;
}

/* A failure of the spool is told as one of the file. */
static sup_result tell(const usda* self, sup_result result, sup_error* error) {
    if (result == SUP_OK) return SUP_OK;
    return supi_file_write_error("write", self->out.path, result, error);
}

static sup_result usda_frame(sup_animation* animation, const sup_vec3* points, sup_error* error) {
    usda* self = (usda*)animation;
    return tell(self, supi_spool_put(&self->spool, points, animation->point_count), error);
}

static sup_result usda_finish(sup_animation* animation, sup_error* error) {
    usda* self = (usda*)animation;
    sup_result result = supi_spool_turn(&self->spool);
    put_header(self);
    supi_writer_print(&self->out, "def Xform \"Supple\"\n{\n");
    uint64_t first = 0;
    for (int32_t k = 0; result == SUP_OK && k < animation->surface_count; k++) {
        result = put_prim(self, k, first);
        first += (uint64_t)animation->surfaces[k].point_count;
    }
    if (result == SUP_OK) result = supi_spool_close(&self->spool);
    if (result != SUP_OK) return tell(self, result, error);
    supi_writer_print(&self->out, "}\n");
    return supi_writer_commit(&self->out, error);
}

static void usda_release(sup_animation* animation) {
    usda* self = (usda*)animation;
    supi_spool_end(&self->spool);
    supi_writer_abort(&self->out);
    supi_memory_free(animation->allocator, self->repeated, (size_t)animation->surface_count,
                     sizeof(bool));
    supi_memory_free(animation->allocator, self->points, (size_t)self->point_room,
                     sizeof(sup_vec3));
}

static sup_result begin(usda* self, const char* path, sup_error* error) {
    const sup_animation* animation = &self->base;
    for (int32_t k = 0; k < animation->surface_count; k++) {
        int32_t count = animation->surfaces[k].point_count;
        self->point_room = count > self->point_room ? count : self->point_room;
    }
    self->points =
        supi_memory_new(animation->allocator, (size_t)self->point_room, sizeof(sup_vec3));
    self->repeated =
        supi_memory_new(animation->allocator, (size_t)animation->surface_count, sizeof(bool));
    if (!self->points || !self->repeated || !find_repeated(self)) return supi_error_memory(error);
    sup_result result =
        supi_writer_begin(&self->out, animation->files, animation->allocator, path, error);
    if (result != SUP_OK) return result;
    return tell(self, supi_spool_begin(&self->spool, animation->files, animation->allocator, path),
                error);
}

sup_result sup_usda_open(const sup_allocator* allocator, const sup_file_gate* files,
                         const char* path, int32_t surface_count, const sup_surface* surfaces,
                         double fps, sup_animation** out, sup_error* error) {
    if (surface_count > 0) SUPI_NEED(error, surfaces);
    static const supi_animation_kind kind = {sizeof(usda), usda_frame, usda_finish, usda_release};
    supi_animation_def def =
        supi_animation_define(allocator, files, path, surface_count, surfaces, fps);
    sup_animation* animation = NULL;
    sup_result result = supi_animation_new(&kind, &def, out, &animation, error);
    if (result != SUP_OK) return result;
    result = begin((usda*)animation, path, error);
    return supi_animation_begun(animation, result, out);
}
