/* Morphs: point by point where both meshes have the same, else by landmarks of parts and then to
   the nearest place of the other surface. */
#include "deform_work.h"

#include "geom/bvh.h"
#include "supple/files.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct morphing {
    const deform_work* work;
    const supi_reader* reader;
    const deform_operation* o;
    const sup_vec3* points; /* as they are */
    sup_vec3* target;       /* where they go (count) */
    int32_t count;
    int32_t* parts; /* how many parts have moved each point */
} morphing;

static sup_result no_memory(sup_error* error) {
    snprintf(error->text, sizeof error->text, "not enough memory");
    return error->code = SUP_NO_MEMORY;
}

/* The failure has been said: its code without a text. */
static sup_result said(sup_result result, sup_error* error) {
    error->code = SUP_OK;
    return result;
}

/* What is wrong with the other mesh. Where the line names it there is no place to tell. */
static sup_result refuse_target(const deform_operation* o, sup_result result, sup_error* error) {
    if (deform_given(o, "file")) return result;
    tool_fail_error(error);
    return said(result, error);
}

/* ---- Parts ---- */

static bool selects(const deform_operation* part) {
    static const char* const keys[] = {"index", "nearest", "box", "sphere", "material", "group"};
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++) {
        if (deform_given(part, keys[i])) return true;
    }
    return false;
}

/* Adds where a part's landmarks bring its points. */
static sup_result add_part(morphing* m, int32_t which, sup_error* error) {
    const deform_operation* part = (const deform_operation*)m->o->parts.items + which;
    sup_landmarks_report report;
    char whose[32];
    int32_t *ids = NULL, count = 0;
    if (deform_select(m->work, m->reader, part, &ids, &count) != TOOL_DONE)
        return said(SUP_BAD_FILE, error);
    sup_vec3* moved = malloc((size_t)count * sizeof *moved);
    for (int32_t i = 0; moved && i < count; i++) moved[i] = m->points[ids[i]];
    sup_result result =
        moved ? deform_landmarks(part, count, moved, &report, error) : no_memory(error);
    snprintf(whose, sizeof whose, "landmarks of part %d", (int)which + 1);
    if (result == SUP_OK) deform_warn_of_fit(whose, &report);
    for (int32_t i = 0; result == SUP_OK && i < count; i++) {
        sup_vec3* to = &m->target[ids[i]];
        if (m->parts[ids[i]]++ == 0) *to = (sup_vec3){0.0f, 0.0f, 0.0f};
        *to = (sup_vec3){to->x + moved[i].x, to->y + moved[i].y, to->z + moved[i].z};
    }
    free(moved);
    free(ids);
    return result;
}

/* Where points of no part go: all landmarks count for them. */
static sup_result add_rest(morphing* m, sup_landmarks_report* report, sup_error* error) {
    const deform_operation* parts = m->o->parts.items;
    deform_operation all = parts[0];
    int32_t rows = 0;
    for (int32_t i = 0; i < m->o->parts.count; i++) rows += parts[i].from.row_count;
    double* values = malloc(6 * (size_t)rows * sizeof *values);
    if (!values) return no_memory(error);
    all.from = (supi_rows){rows, 3, values};
    all.to = (supi_rows){rows, 3, values + 3 * (size_t)rows};
    rows = 0;
    for (int32_t i = 0; i < m->o->parts.count; i++) {
        const supi_rows *from = &parts[i].from, *to = &parts[i].to;
        size_t bytes = 3 * (size_t)from->row_count * sizeof *values;
        memcpy(all.from.values + 3 * (size_t)rows, from->values, bytes);
        memcpy(all.to.values + 3 * (size_t)rows, to->values, bytes);
        rows += from->row_count;
    }
    sup_result result = deform_landmarks(&all, m->count, m->target, report, error);
    free(values);
    return result;
}

/* What is wrong within a part is told there, before all landmarks are looked at together. */
static sup_result check_parts(const morphing* m, sup_error* error) {
    const deform_operation* parts = m->o->parts.items;
    for (int32_t i = 0; i < m->o->parts.count; i++) {
        sup_landmarks_report report;
        sup_result result = deform_landmarks(&parts[i], 0, NULL, &report, error);
        if (result == SUP_OK) continue;
        deform_wrap(m->reader, &parts[i], error);
        return said(result, error);
    }
    return SUP_OK;
}

/* Each point to the mean of where its parts bring it. */
static sup_result follow_parts(morphing* m, sup_error* error) {
    const deform_operation* parts = m->o->parts.items;
    sup_landmarks_report rest;
    bool rest_counts = false;
    sup_result result = check_parts(m, error);
    if (result == SUP_OK) result = add_rest(m, &rest, error);
    for (int32_t i = 0; result == SUP_OK && i < m->o->parts.count; i++) {
        if (selects(&parts[i])) result = add_part(m, i, error);
    }
    for (int32_t i = 0; result == SUP_OK && i < m->count; i++) {
        rest_counts = rest_counts || m->parts[i] == 0;
        float share = m->parts[i] > 0 ? 1.0f / (float)m->parts[i] : 1.0f;
        sup_vec3 to = m->target[i];
        m->target[i] = (sup_vec3){share * to.x, share * to.y, share * to.z};
    }
    if (rest_counts) deform_warn_of_fit("landmarks of all parts", &rest);
    return result;
}

/* ---- The other surface ---- */

static sup_result snap_to(morphing* m, const sup_mesh* other, sup_error* error) {
    sup_mesh triangles;
    supi_bvh tree;
    sup_result result = sup_mesh_triangulate(NULL, other, NULL, NULL, &triangles, error);
    if (result != SUP_OK) return result;
    if (triangles.polygon_count == 0) {
        snprintf(error->text, sizeof error->text, "%.200s has no faces to go to", m->o->file);
        error->code = SUP_BAD_FILE;
        result = refuse_target(m->o, SUP_BAD_FILE, error);
    } else if (!supi_bvh_build(sup_allocator_default(), triangles.points, triangles.corners,
                               triangles.polygon_count, &tree)) {
        result = no_memory(error);
    } else {
        for (int32_t i = 0; i < m->count; i++) {
            const sup_vec3 at = m->target[i];
            const double x[3] = {(double)at.x, (double)at.y, (double)at.z};
            int32_t triangle;
            supi_facet_point near;
            if (!supi_bvh_nearest_to(&tree, x, 1e18, &triangle, &near)) continue;
            m->target[i] =
                (sup_vec3){(float)near.place[0], (float)near.place[1], (float)near.place[2]};
        }
        supi_bvh_free(&tree);
    }
    sup_mesh_free(&triangles);
    return result;
}

static sup_result find_target(morphing* m, const sup_mesh* other, sup_error* error) {
    bool snap = m->o->snap && (m->o->parts.count > 0 || deform_given(m->o, "snap"));
    if (m->o->parts.count == 0 && !snap) {
        const deform_work* w = m->work;
        if (w->joined && m->count == w->seams.welded_count &&
            other->point_count == w->seams.original_count) { /* it has the same seams */
            for (int32_t i = 0; i < m->count; i++)
                m->target[i] = other->points[w->seams.to_original[i]];
            return SUP_OK;
        }
        if (other->point_count != m->count) {
            snprintf(error->text, sizeof error->text,
                     "%.200s has %d points, but there are %d: give landmarks of parts", m->o->file,
                     (int)other->point_count, (int)m->count);
            error->code = SUP_BAD_FILE;
            return refuse_target(m->o, SUP_BAD_FILE, error);
        }
        memcpy(m->target, other->points, (size_t)m->count * sizeof *m->target);
        return SUP_OK;
    }
    sup_result result = m->o->parts.count > 0 ? follow_parts(m, error) : SUP_OK;
    return result == SUP_OK && snap ? snap_to(m, other, error) : result;
}

sup_result deform_morph(const deform_work* w, const supi_reader* reader, const deform_operation* o,
                        sup_vec3* points, sup_error* error) {
    sup_mesh other;
    sup_result result = sup_mesh_load(NULL, NULL, o->file, &other, error);
    if (result != SUP_OK) return refuse_target(o, result, error);
    morphing m = {w, reader, o, points, NULL, sup_clay_point_count(w->clay), NULL};
    size_t count = (size_t)m.count;
    m.target = malloc(count * sizeof *m.target);
    m.parts = calloc(count, sizeof *m.parts);
    if (m.target && m.parts) {
        memcpy(m.target, points, count * sizeof *points);
        result = find_target(&m, &other, error);
        if (result == SUP_OK) sup_points_blend(m.count, points, m.target, o->amount, points);
    } else {
        result = no_memory(error);
    }
    free(m.target);
    free(m.parts);
    sup_mesh_free(&other);
    return result;
}
