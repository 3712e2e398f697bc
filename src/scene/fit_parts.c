/* The parts of a body of oriented particles: which are rigid, which roll, and what joins them. */
#include "scene/build.h"

static sup_rig_plastic make_plastic(const supi_dent_draft* d) {
    if (!d->place) return (sup_rig_plastic){0};
    return (sup_rig_plastic){.speed = (float)d->speed,
                             .permanence = (float)d->keep,
                             .limit = (float)d->limit,
                             .time = (float)d->time,
                             .stiffness = (float)d->stiffness};
}

static sup_result refuse(const supi_reader* reader, const supi_json* place, sup_result result,
                         const sup_error* cause) {
    return result == SUP_OK ? SUP_OK : supi_reader_wrap(reader, place, cause);
}

/* All that are in no part. */
static sup_result mark_rest(const supi_reader* reader, const supi_part_draft* part,
                            const sup_rig_view* view, int32_t mark, int32_t* marks) {
    const supi_json* place = supi_json_find(part->place, "rest");
    int32_t members = view->part_count > 0 ? view->part_starts[view->part_count] : 0, found = 0;
    if (!part->rest) {
        return supi_reader_fail(reader, place,
                                "\"rest\" is true, or another way to pick particles is given");
    }
    for (int32_t i = 0; i < view->particle_count; i++) marks[i] = mark;
    for (int32_t m = 0; m < members; m++) marks[view->part_members[m]] = 0;
    for (int32_t i = 0; i < view->particle_count; i++) found += marks[i] == mark;
    if (found > 0) return SUP_OK;
    return supi_reader_fail(reader, place, "every particle is in a part already");
}

/* A part of the particles that are picked for it; marks are those of the picks before. */
static sup_result add_part(const supi_reader* reader, const supi_part_draft* part, int32_t mark,
                           sup_rig* rig, int32_t* marks, int32_t* ids) {
    sup_rig_view view = sup_rig_get(rig);
    sup_error cause;
    int32_t count = 0, made;
    sup_result result = supi_json_find(part->place, "rest")
                            ? mark_rest(reader, part, &view, mark, marks)
                            : supi_pick_mark(reader, part->place, &part->pick, view.particle_count,
                                             view.places, mark, marks);
    if (result != SUP_OK) return result;
    for (int32_t i = 0; i < view.particle_count; i++) {
        if (marks[i] == mark) ids[count++] = i;
    }
    result = sup_rig_add_part_of(rig, count, ids, &made, &cause);
    const sup_rig_plastic plastic = make_plastic(&part->dents);
    if (result == SUP_OK) result = sup_rig_set_plastic(rig, made, &plastic, &cause);
    return refuse(reader, part->place, result, &cause);
}

static sup_result add_joint(const supi_reader* reader, const supi_joint_draft* joint,
                            sup_rig* rig) {
    sup_error cause;
    int32_t a = joint->parts[0], b = joint->parts[1];
    sup_result result = sup_rig_add_joint(rig, a, b, joint->at, NULL, &cause);
    if (result == SUP_OK && supi_json_find(joint->place, "to")) {
        result = sup_rig_add_joint(rig, a, b, joint->to, NULL, &cause);
    }
    return refuse(reader, joint->place, result, &cause);
}

sup_result supi_fit_parts(const supi_reader* reader, const supi_body_draft* draft, sup_rig* rig) {
    size_t count = (size_t)sup_rig_get(rig).particle_count;
    int32_t *marks = NULL, *ids = NULL, had = sup_rig_get(rig).part_count;
    sup_result result = SUP_OK;
    if (draft->parts.count > 0) {
        marks = supi_arena_push(reader->store, count, sizeof *marks);
        ids = supi_arena_push(reader->store, count, sizeof *ids);
        if (!marks || !ids) return supi_reader_memory(reader);
    }
    const supi_part_draft* parts = draft->parts.items;
    for (int32_t p = 0; p < draft->parts.count && result == SUP_OK; p++) {
        result = add_part(reader, parts + p, p + 1, rig, marks, ids);
    }
    /* Then numbers of particles change. */
    for (int32_t p = 0; p < draft->parts.count && result == SUP_OK; p++) {
        const supi_disc_draft* d = &parts[p].discs;
        sup_error cause;
        if (!d->place) continue;
        result = sup_rig_set_discs(rig, had + p, d->from, d->to, d->radius, d->count, &cause);
        result = refuse(reader, d->place, result, &cause);
    }
    const supi_joint_draft* joints = draft->joints.items;
    for (int32_t i = 0; i < draft->joints.count && result == SUP_OK; i++) {
        result = add_joint(reader, joints + i, rig);
    }
    return result;
}
