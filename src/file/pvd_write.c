/* A ParaView collection (.pvd): a list of the frames, one .vtu each, with their times. */
#include <string.h>

#include "base/check.h"
#include "base/error.h"
#include "base/memory.h"
#include "file/animation.h"
#include "file/cursor.h"
#include "file/ending.h"
#include "file/series.h"
#include "file/text_write.h"
#include "file/vtu_write.h"

typedef struct pvd {
    sup_animation base;
    supi_series series;
    supi_writer list;
    char list_ending[sizeof ".pvd"]; /* as its name has it */
    bool list_parked;
    int32_t parked;           /* frames that wait for their names */
    sup_vec3 *first, *before; /* points of the first frame and the one before */
} pvd;

/* --- XML --- */

static const char* name_in_folder(const char* path) {
    const char* slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

/* XML has no way to write control characters or bytes that are no text. */
static bool is_text(const char* name) {
    for (size_t left = strlen(name), length; left > 0; left -= length, name += length) {
        length = supi_utf8_length((const uint8_t*)name, left);
        if (length == 0 || (unsigned char)*name < ' ') return false;
    }
    return true;
}

static void put_escaped(supi_writer* out, const char* text) {
    for (; *text; text++) {
        switch (*text) {
        case '&': supi_writer_print(out, "&amp;"); break;
        case '<': supi_writer_print(out, "&lt;"); break;
        case '"': supi_writer_print(out, "&quot;"); break;
        default: supi_writer_put(out, text, 1);
        }
    }
}

static void put_head(supi_writer* list) {
    supi_writer_print(list, "<?xml version=\"1.0\"?>\n<!-- Supple %s -->\n", sup_version());
    supi_writer_print(list, "<VTKFile type=\"Collection\" version=\"1.0\" "
                            "byte_order=\"LittleEndian\">\n<Collection>\n");
}

/* The frames lie beside the list, which can so be moved with them. */
static void put_entry(supi_writer* list, double time, const char* path) {
    supi_writer_print(list, "<DataSet timestep=\"");
    supi_text_put_double(list, time);
    supi_writer_print(list, "\" part=\"0\" file=\"");
    put_escaped(list, name_in_folder(path));
    supi_writer_print(list, "\"/>\n");
}

/* --- frames --- */

/* How fast and how far points have moved must fit floats. */
static sup_result check_motion(const pvd* self, const sup_vec3* points, sup_error* error) {
    const sup_animation* animation = &self->base;
    if (animation->frame_count == 0) return SUP_OK;
    sup_result result =
        supi_animation_check_moves(animation, self->first, points, 1.0, "the first frame", error);
    if (result != SUP_OK) return result;
    return supi_animation_check_moves(animation, self->before, points, animation->fps,
                                      "the frame before", error);
}

/* Leaves a whole file at its temporary name. */
static sup_result park_frame(pvd* self, const sup_vec3* points, sup_error* error) {
    const sup_animation* animation = &self->base;
    bool begins = animation->frame_count == 0;
    supi_vtu_motion motion = {begins ? points : self->first, begins ? points : self->before,
                              animation->fps};
    const char* path = supi_series_name(&self->series, animation->frame_count);
    supi_writer out;
    sup_result result =
        supi_writer_begin(&out, animation->files, animation->allocator, path, error);
    if (result != SUP_OK) return result;
    supi_vtu_put(&out, animation->surface_count, animation->surfaces, points, &motion);
    return supi_writer_park(&out, error);
}

static sup_result pvd_frame(sup_animation* animation, const sup_vec3* points, sup_error* error) {
    pvd* self = (pvd*)animation;
    int32_t frame = animation->frame_count;
    sup_result result = check_motion(self, points, error);
    if (result == SUP_OK) result = park_frame(self, points, error);
    if (result != SUP_OK) return result;
    self->parked = frame + 1;
    put_entry(&self->list, frame / animation->fps, supi_series_name(&self->series, frame));
    result = supi_writer_check(&self->list, error);
    if (result != SUP_OK) return result;
    size_t bytes = (size_t)animation->point_count * sizeof(sup_vec3);
    if (frame == 0) memcpy(self->first, points, bytes);
    memcpy(self->before, points, bytes);
    return SUP_OK;
}

/* --- the whole --- */

static sup_result pvd_finish(sup_animation* animation, sup_error* error) {
    pvd* self = (pvd*)animation;
    supi_writer_print(&self->list, "</Collection>\n</VTKFile>\n");
    sup_result result = supi_writer_park(&self->list, error);
    if (result != SUP_OK) return result;
    self->list_parked = true;
    result = supi_series_commit(&self->series, animation->frame_count, error);
    if (result != SUP_OK) return result;
    self->list_parked = false;
    self->parked = 0;
    return SUP_OK;
}

static void pvd_release(sup_animation* animation) {
    pvd* self = (pvd*)animation;
    size_t count = (size_t)animation->point_count;
    supi_writer_abort(&self->list);
    supi_series_drop(&self->series, self->list_parked ? SUPI_SERIES_LIST : 0, self->parked);
    supi_series_free(&self->series);
    supi_memory_free(animation->allocator, self->first, count, sizeof(sup_vec3));
    supi_memory_free(animation->allocator, self->before, count, sizeof(sup_vec3));
}

static sup_result begin(pvd* self, const char* path, sup_error* error) {
    const sup_animation* animation = &self->base;
    size_t length = strlen(path), count = (size_t)animation->point_count;
    if (length < sizeof ".pvd" || !supi_ending_is(path, ".pvd")) {
        return supi_error_set(error, SUP_BAD_ARGUMENT,
                              "%.300s: the name of the file must end in .pvd", path);
    }
    if (!is_text(name_in_folder(path))) {
        return supi_error_set(error, SUP_BAD_ARGUMENT,
                              "%.300s: a name in XML must be UTF-8 without control characters",
                              path);
    }
    memcpy(self->list_ending, path + length - 4, sizeof self->list_ending);
    self->series = (supi_series){.gate = animation->files,
                                 .allocator = animation->allocator,
                                 .list_ending = self->list_ending,
                                 .number_ending = ".vtu"};
    self->first = supi_memory_new(animation->allocator, count, sizeof(sup_vec3));
    self->before = supi_memory_new(animation->allocator, count, sizeof(sup_vec3));
    bool named = supi_series_begin(&self->series, path, length - 4);
    if (!self->first || !self->before || !named) return supi_error_memory(error);
    /* It stays open to the end, which keeps a second writer of the same name away. */
    sup_result result =
        supi_writer_begin(&self->list, animation->files, animation->allocator, path, error);
    if (result == SUP_OK) put_head(&self->list);
    return result;
}

sup_result sup_pvd_open(const sup_allocator* allocator, const sup_file_gate* files,
                        const char* path, int32_t surface_count, const sup_surface* surfaces,
                        double fps, sup_animation** out, sup_error* error) {
    if (surface_count > 0) SUPI_NEED(error, surfaces);
    static const supi_animation_kind kind = {sizeof(pvd), pvd_frame, pvd_finish, pvd_release};
    supi_animation_def def =
        supi_animation_define(allocator, files, path, surface_count, surfaces, fps);
    sup_animation* animation = NULL;
    sup_result result = supi_animation_new(&kind, &def, out, &animation, error);
    if (result != SUP_OK) return result;
    result = begin((pvd*)animation, path, error);
    return supi_animation_begun(animation, result, out);
}
