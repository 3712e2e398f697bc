/* Parts of a rig: rigid groups, the joints between them, and how they yield. */
#include "base/check.h"
#include "blueprint/fit.h"
#include "geom/point_tree.h"
#include "geom/vector.h"

#include <math.h>
#include <string.h>

sup_rig_plastic sup_rig_plastic_default(void) {
    return (sup_rig_plastic){
        .speed = 5.0f, .permanence = 1.0f, .limit = 0.3f, .time = 0.05f, .stiffness = 100.0f};
}

static sup_result check_room(const sup_rig* rig, int32_t count, sup_error* error) {
    const supi_rig_state* s = &rig->now;
    if (count == 0) {
        return supi_error_set(error, SUP_BAD_ARGUMENT,
                              "no particle is there: a part has at least one");
    }
    if (count <= 4 * SUPI_RIG_MOST - s->member_count && s->part_count < SUPI_RIG_MOST) {
        return SUP_OK;
    }
    return supi_error_set(error, SUP_BAD_ARGUMENT, "the parts have too many members");
}

/* Its members stand behind the last ones. */
static void end_part(sup_rig* rig, int32_t* part) {
    supi_rig_state* s = &rig->now;
    ((sup_rig_plastic*)s->plastics.items)[s->part_count] = (sup_rig_plastic){0};
    if (part) *part = s->part_count;
    supi_rig_part_starts(rig)[++s->part_count] = s->member_count;
}

sup_result sup_rig_add_part(sup_rig* rig, const sup_brush* brush, int32_t* part, sup_error* error) {
    SUPI_NEED(error, rig, brush);
    sup_result result = supi_rig_check_brush(brush, error);
    if (result != SUP_OK) return result;
    supi_rig_state* s = &rig->now;
    int32_t found = 0;
    for (int32_t i = 0; i < s->particle_count; i++) found += supi_rig_share(rig, brush, i) >= 0.5;
    result = check_room(rig, found, error);
    if (result != SUP_OK) return result;
    if (!supi_rig_reserve(rig, 0, 0, s->part_count + 1, s->member_count + found, 0)) {
        return supi_error_memory(error);
    }
    for (int32_t i = 0; i < s->particle_count; i++) {
        if (supi_rig_share(rig, brush, i) >= 0.5) supi_rig_part_members(rig)[s->member_count++] = i;
    }
    end_part(rig, part);
    return SUP_OK;
}

sup_result sup_rig_add_part_of(sup_rig* rig, int32_t count, const int32_t* ids, int32_t* part,
                               sup_error* error) {
    SUPI_NEED(error, rig);
    if (count > 0) SUPI_NEED(error, ids);
    supi_rig_state* s = &rig->now;
    sup_result result = check_room(rig, count < 0 ? 0 : count, error);
    for (int32_t i = 0; i < count && result == SUP_OK; i++) {
        result = supi_rig_check_id(rig, ids[i], error);
        if (result == SUP_OK && i > 0 && ids[i] <= ids[i - 1]) {
            result = supi_error_set(error, SUP_BAD_ARGUMENT, "the ids of a part must ascend");
        }
    }
    if (result != SUP_OK) return result;
    if (!supi_rig_reserve(rig, 0, 0, s->part_count + 1, s->member_count + count, 0)) {
        return supi_error_memory(error);
    }
    memcpy(supi_rig_part_members(rig) + s->member_count, ids, (size_t)count * sizeof *ids);
    s->member_count += count;
    end_part(rig, part);
    return SUP_OK;
}

sup_result sup_rig_remove_part(sup_rig* rig, int32_t part, sup_error* error) {
    SUPI_NEED(error, rig);
    sup_result result = supi_rig_check_part(rig, part, error);
    if (result != SUP_OK) return result;
    supi_rig_state* s = &rig->now;
    int32_t *starts = supi_rig_part_starts(rig), *members = supi_rig_part_members(rig);
    sup_rig_plastic* plastics = s->plastics.items;
    int32_t size = starts[part + 1] - starts[part];
    for (int32_t m = starts[part + 1]; m < s->member_count; m++) members[m - size] = members[m];
    for (int32_t p = part; p + 1 < s->part_count; p++) {
        starts[p + 1] = starts[p + 2] - size;
        plastics[p] = plastics[p + 1];
    }
    s->part_count--;
    s->member_count -= size;
    return SUP_OK;
}

/* Place of a particle in the list of a part, or where it would be. */
static int32_t member_place(const sup_rig* rig, int32_t part, int32_t particle) {
    const int32_t *starts = supi_rig_part_starts(rig), *members = supi_rig_part_members(rig);
    int32_t at = starts[part];
    while (at < starts[part + 1] && members[at] < particle) at++;
    return at;
}

bool supi_rig_is_member(const sup_rig* rig, int32_t part, int32_t particle) {
    int32_t at = member_place(rig, part, particle);
    return at < supi_rig_part_starts(rig)[part + 1] && supi_rig_part_members(rig)[at] == particle;
}

bool supi_rig_is_shared(const sup_rig* rig, int32_t part, int32_t particle) {
    for (int32_t p = 0; p < rig->now.part_count; p++) {
        if (p != part && supi_rig_is_member(rig, p, particle)) return true;
    }
    return false;
}

/* Room for one more is there. */
static void insert_member(sup_rig* rig, int32_t part, int32_t particle) {
    supi_rig_state* s = &rig->now;
    if (supi_rig_is_member(rig, part, particle)) return;
    int32_t *starts = supi_rig_part_starts(rig), *members = supi_rig_part_members(rig);
    int32_t at = member_place(rig, part, particle);
    for (int32_t m = s->member_count++; m > at; m--) members[m] = members[m - 1];
    members[at] = particle;
    for (int32_t p = part + 1; p <= s->part_count; p++) starts[p]++;
}

static void drop_member(sup_rig* rig, int32_t part, int32_t particle) {
    supi_rig_state* s = &rig->now;
    int32_t *starts = supi_rig_part_starts(rig), *members = supi_rig_part_members(rig);
    int32_t at = member_place(rig, part, particle);
    s->member_count--;
    for (int32_t m = at; m < s->member_count; m++) members[m] = members[m + 1];
    for (int32_t p = part + 1; p <= s->part_count; p++) starts[p]--;
}

sup_result sup_rig_set_member(sup_rig* rig, int32_t part, int32_t particle, bool member,
                              sup_error* error) {
    SUPI_NEED(error, rig);
    sup_result result = supi_rig_check_part(rig, part, error);
    if (result == SUP_OK) result = supi_rig_check_id(rig, particle, error);
    if (result != SUP_OK || supi_rig_is_member(rig, part, particle) == member) return result;
    const int32_t* starts = supi_rig_part_starts(rig);
    if (!member && starts[part + 1] - starts[part] == 1) {
        return supi_error_set(error, SUP_BAD_ARGUMENT,
                              "particle %d is the last one of part %d; remove the part",
                              (int)particle, (int)part);
    }
    if (!member) {
        drop_member(rig, part, particle);
    } else if (supi_rig_reserve(rig, 0, 0, 0, rig->now.member_count + 1, 0)) {
        insert_member(rig, part, particle);
    } else {
        result = supi_error_memory(error);
    }
    return result;
}

sup_result sup_rig_join(sup_rig* rig, int32_t a, int32_t b, const double place[3],
                        int32_t* particle, sup_error* error) {
    SUPI_NEED(error, rig, place);
    sup_result result = supi_rig_check_part(rig, a, error);
    if (result == SUP_OK) result = supi_rig_check_part(rig, b, error);
    if (result == SUP_OK) result = supi_rig_check_place(place, error);
    if (result != SUP_OK) return result;
    if (a == b) {
        return supi_error_set(error, SUP_BAD_ARGUMENT, "part %d cannot be joined to itself",
                              (int)a);
    }
    int32_t nearest = 0;
    double least = INFINITY;
    for (int32_t i = 0; i < rig->now.particle_count; i++) {
        double square = supi_point_square(&supi_rig_places(rig)[i], place);
        if (square < least) least = square, nearest = i;
    }
    if (!supi_rig_reserve(rig, 0, 0, 0, rig->now.member_count + 2, 0)) {
        return supi_error_memory(error);
    }
    insert_member(rig, a, nearest);
    insert_member(rig, b, nearest);
    if (particle) *particle = nearest;
    return SUP_OK;
}

sup_result supi_rig_check_plastic(const sup_rig_plastic* plastic, sup_error* error) {
    static const sup_rig_plastic none = {0};
    if (memcmp(plastic, &none, sizeof none) == 0) return SUP_OK;
    const supi_range ranges[] = {
        {"the speed of a blow", (double)plastic->speed, 1e-6, 1e6},
        {"the permanence of a dent", (double)plastic->permanence, 0, 1},
        {"the limit of a dent", (double)plastic->limit, 0, 1},
        {"the time for which a part is soft", (double)plastic->time, 0.001f, 0.2f},
        {"the stiffness of a soft part", (double)plastic->stiffness, 10, 1000}};
    return supi_check_ranges(ranges, sizeof ranges / sizeof *ranges, error);
}

sup_result sup_rig_set_plastic(sup_rig* rig, int32_t part, const sup_rig_plastic* plastic,
                               sup_error* error) {
    SUPI_NEED(error, rig, plastic);
    sup_result result = part == -1 ? SUP_OK : supi_rig_check_part(rig, part, error);
    if (result == SUP_OK) result = supi_rig_check_plastic(plastic, error);
    if (result != SUP_OK) return result;
    sup_rig_plastic* plastics = rig->now.plastics.items;
    for (int32_t p = 0; p < rig->now.part_count; p++) {
        if (part == -1 || part == p) plastics[p] = *plastic;
    }
    return SUP_OK;
}
