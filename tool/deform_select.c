/* Points by index, nearest place, box, sphere, material or group. */
#include "deform_work.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct picking {
    const deform_work* work;
    const deform_operation* o;
    const sup_vec3* points;
    int32_t count;
    bool* chosen;
} picking;

static double far_from(const double* at, sup_vec3 p) {
    double x = (double)p.x - at[0], y = (double)p.y - at[1], z = (double)p.z - at[2];
    return x * x + y * y + z * z;
}

static void pick_nearest(picking* p) {
    int32_t best = 0;
    for (int32_t i = 1; i < p->count; i++) {
        if (far_from(p->o->nearest, p->points[i]) < far_from(p->o->nearest, p->points[best]))
            best = i;
    }
    p->chosen[best] = true;
}

static bool in_box(const double* box, sup_vec3 p) {
    const double at[3] = {(double)p.x, (double)p.y, (double)p.z};
    for (int k = 0; k < 3; k++) {
        if (at[k] < box[k] || at[k] > box[k + 3]) return false;
    }
    return true;
}

static tool_exit pick_polygons(picking* p) {
    const deform_work* w = p->work;
    bool by_material = deform_given(p->o, "material");
    const char* name = by_material ? p->o->material : p->o->group;
    const supi_token* names = by_material ? w->detail.materials : w->detail.groups;
    if (!w->is_obj)
        return tool_fail(TOOL_INPUT, "%s: materials and groups are known of .obj files only",
                         w->path);
    sup_mesh now;
    sup_clay_maps maps;
    sup_error error;
    if (sup_clay_mesh(w->clay, NULL, &now, &maps, &error) != SUP_OK) return tool_fail_error(&error);
    for (int32_t i = 0; i < now.polygon_count; i++) {
        const supi_token* of = &names[maps.polygons[i]];
        /* a material has one name, of one or more words; a face may be in several groups */
        if (by_material ? !of->text || !supi_token_is(of, name) : !supi_obj_names_hold(of, name))
            continue;
        for (int32_t c = now.starts[i]; c < now.starts[i + 1]; c++)
            p->chosen[now.corners[c]] = true;
    }
    sup_clay_maps_free(&maps);
    sup_mesh_free(&now);
    return TOOL_DONE;
}

static tool_exit pick_indices(picking* p, const supi_reader* reader) {
    const int32_t* index = p->o->index.items;
    const deform_work* w = p->work;
    /* the file's numbers; after splits there are others, and all are the clay's */
    const int32_t* seams =
        w->joined && p->count == w->seams.welded_count ? w->seams.to_welded : NULL;
    int32_t count = seams ? w->seams.original_count : p->count;
    for (int32_t i = 0; i < p->o->index.count; i++) {
        if (index[i] >= count) {
            sup_error error;
            supi_reader place = *reader;
            place.error = &error;
            supi_reader_fail(&place, supi_reader_place(p->o->place, "index"),
                             "index %d is out of the range 0 to %d", (int)index[i], (int)count - 1);
            return deform_fail(&error);
        }
        p->chosen[seams ? seams[index[i]] : index[i]] = true;
    }
    return TOOL_DONE;
}

static tool_exit pick(picking* p, const supi_reader* reader) {
    const deform_operation* o = p->o;
    if (deform_given(o, "index")) return pick_indices(p, reader);
    if (deform_given(o, "material") || deform_given(o, "group")) return pick_polygons(p);
    if (deform_given(o, "nearest")) pick_nearest(p);
    for (int32_t i = 0; i < p->count && deform_given(o, "box"); i++)
        p->chosen[i] = in_box(o->box, p->points[i]);
    for (int32_t i = 0; i < p->count && deform_given(o, "sphere"); i++)
        p->chosen[i] = far_from(o->sphere, p->points[i]) <= o->sphere[3] * fabs(o->sphere[3]);
    return TOOL_DONE;
}

static tool_exit gather(const picking* p, const supi_reader* reader, int32_t** ids,
                        int32_t* count) {
    *ids = malloc((size_t)p->count * sizeof **ids);
    *count = 0;
    if (!*ids) return tool_fail(TOOL_MEMORY, "not enough memory");
    for (int32_t i = 0; i < p->count; i++) {
        if (p->chosen[i]) (*ids)[(*count)++] = i;
    }
    if (*count > 0) return TOOL_DONE;
    sup_error error;
    supi_reader place = *reader;
    place.error = &error;
    supi_reader_fail(&place, p->o->place, "no point of %.200s is selected", p->work->path);
    free(*ids);
    *ids = NULL;
    return deform_fail(&error);
}

tool_exit deform_select(const deform_work* w, const supi_reader* reader, const deform_operation* o,
                        int32_t** ids, int32_t* count) {
    int32_t n = sup_clay_point_count(w->clay);
    sup_vec3* points = malloc((size_t)n * sizeof *points);
    bool* chosen = calloc((size_t)n, sizeof *chosen);
    tool_exit code = points && chosen ? TOOL_DONE : tool_fail(TOOL_MEMORY, "not enough memory");
    picking p = {w, o, points, n, chosen};
    if (code == TOOL_DONE) {
        sup_clay_points(w->clay, points);
        code = pick(&p, reader);
    }
    if (code == TOOL_DONE) code = gather(&p, reader, ids, count);
    free(points);
    free(chosen);
    return code;
}
