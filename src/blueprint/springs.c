#include "blueprint/springs.h"

#include "base/error.h"
#include "base/number.h"
#include "blueprint/sheet.h"
#include "blueprint/tears.h"
#include "geom/sort.h"
#include "geom/vector.h"
#include "solve/levels.h"
#include "solve/net.h"
#include "solve/straight.h"

#include <float.h>
#include <math.h>
#include <string.h>

/* ---- From the definition ---- */

static double rest_distance(const sup_blueprint* b, const sup_spring* spring) {
    double from[3], to[3];
    supi_vector_from(b->rest + spring->a, from);
    supi_vector_from(b->rest + spring->b, to);
    supi_vector_subtract(to, from, to);
    return supi_vector_length(to);
}

/* N s/m: `ratio` of what brings the two ends to rest soonest. */
static double damping_by_ratio(const sup_blueprint* b, const sup_spring* spring, double ratio) {
    double w = (double)b->inverse_mass[spring->a] + (double)b->inverse_mass[spring->b];
    return w > 0.0 ? 2.0 * ratio * sqrt((double)spring->stiffness / w) : 0.0;
}

/* `value` of the spring is not what it has to be. */
static sup_result refuse(sup_error* error, int32_t index, const sup_spring* s, const char* what,
                         float value, const char* wanted) {
    char number[32];
    supi_number_write_float(value, number);
    bool finite = value - value == 0.0f;
    if (!finite) strcpy(number, "that is not finite");
    return supi_error_set(
        error, SUP_BAD_ARGUMENT, "spring %d, of particles %d and %d, has a %s %s%s: it must be %s",
        (int)index, (int)s->a, (int)s->b, what, finite ? "of " : "", number, wanted);
}

static sup_result check_spring(const sup_spring* s, int32_t index, const sup_blueprint* b,
                               sup_error* error) {
    const int32_t ends[2] = {s->a, s->b};
    for (int k = 0; k < 2; k++) {
        if (ends[k] >= 0 && ends[k] < supi_tears_rows(b)) continue;
        return supi_error_set(error, SUP_BAD_ARGUMENT, "spring %d names particle %d, there are %d",
                              (int)index, (int)ends[k], (int)supi_tears_rows(b));
    }
    if (s->a == s->b) {
        return supi_error_set(error, SUP_BAD_ARGUMENT, "spring %d joins particle %d with itself",
                              (int)index, (int)s->a);
    }
    if (!(s->stiffness >= 0.0f && s->stiffness <= 1e12f)) {
        return refuse(error, index, s, "stiffness", s->stiffness, "0 to 1e12 N/m");
    }
    if (!(s->damping >= -FLT_MAX && s->damping <= 1e9f)) {
        return refuse(error, index, s, "damping", s->damping,
                      "0 to 1e9 N s/m, or below 0 for that of the ratio");
    }
    if (!(s->length >= -FLT_MAX && s->length <= 1e6f)) {
        return refuse(error, index, s, "length", s->length,
                      "0 to 1e6 m, or below 0 for that at rest");
    }
    if (s->kind <= SUP_SPRING_STRUT) return SUP_OK;
    return refuse(error, index, s, "kind", s->kind, "one of sup_spring_kind");
}

/* Nothing but a mass lets forces move a particle. */
static sup_result check_masses(const sup_blueprint_def* def, const sup_blueprint* b,
                               supi_arena* scratch, sup_error* error) {
    bool* held = supi_arena_push(scratch, (size_t)b->info.particle_count, sizeof *held);
    if (!held) return supi_error_memory(error);
    for (int32_t i = 0; i < b->spring_count; i++) {
        held[b->springs[i].a] = held[b->springs[i].b] = true;
    }
    for (int32_t i = 0; i < b->weightless_count; i++) {
        int32_t row = b->weightless[i];
        if (!held[row] && def->layout != SUP_CLUSTERS_NONE) continue;
        return supi_error_set(error, SUP_BAD_ARGUMENT,
                              "particle %d has zero mass, but springs are to move it: give it a "
                              "mass, pin it, or set clamp_masses",
                              (int)b->id_of[row]);
    }
    return SUP_OK;
}

/* Two springs of one kind between the same ends are a mistake. */
static sup_result check_repeats(const sup_blueprint* b, supi_arena* scratch, sup_error* error) {
    size_t count = (size_t)b->spring_count;
    uint64_t* keys = supi_arena_push(scratch, 2 * count, sizeof *keys);
    int32_t* ids = supi_arena_push(scratch, 2 * count, sizeof *ids);
    if (!keys || !ids) return supi_error_memory(error);
    uint64_t rows = (uint64_t)b->info.particle_count;
    for (int32_t i = 0; i < b->spring_count; i++) {
        const sup_spring* s = b->springs + i;
        keys[i] = ((uint64_t)s->a * rows + (uint64_t)s->b) * (SUP_SPRING_STRUT + 1) + s->kind;
        ids[i] = i;
    }
    supi_sort_keys(b->spring_count, keys, ids, keys + count, ids + count);
    for (int32_t i = 1; i < b->spring_count; i++) {
        if (keys[i] != keys[i - 1]) continue;
        const sup_spring* s = b->springs + ids[i];
        return supi_error_set(
            error, SUP_BAD_ARGUMENT,
            "spring %d is a duplicate of spring %d: both are of one kind and join "
            "particles %d and %d; make them one, with the sum of the stiffnesses",
            (int)ids[i], (int)ids[i - 1], (int)b->id_of[s->a], (int)b->id_of[s->b]);
    }
    return SUP_OK;
}

/* Which rows anchors hold. */
static sup_result mark_anchors(const sup_blueprint_def* def, sup_blueprint* b, sup_error* error) {
    if (def->anchor_count == 0) return SUP_OK;
    b->held = supi_arena_push(&b->arena, (size_t)b->info.particle_count, sizeof *b->held);
    if (!b->held) return supi_error_memory(error);
    for (int32_t i = 0; i < def->anchor_count; i++) {
        int32_t id = def->anchors[i];
        if (id < 0 || id >= supi_tears_rows(b)) {
            return supi_error_set(error, SUP_BAD_ARGUMENT,
                                  "anchor %d names particle %d, there are %d", (int)i, (int)id,
                                  (int)supi_tears_rows(b));
        }
        b->held[b->row_of[id]] = 1;
    }
    return SUP_OK;
}

sup_result supi_springs_build(const sup_blueprint_def* def, sup_blueprint* b, supi_arena* scratch,
                              sup_error* error) {
    if (def->spring_count == 0) {
        if (!b->loose || def->link_count + def->part_count > 0 || def->blob_spacing > 0) {
            return SUP_OK;
        }
        return supi_error_set(
            error, SUP_BAD_ARGUMENT,
            "nothing holds the particles together: give clusters, springs, links, parts or a "
            "spacing of soft substance");
    }
    b->springs = supi_arena_push(&b->arena, (size_t)def->spring_count, sizeof *b->springs);
    if (!b->springs) return supi_error_memory(error);
    b->spring_count = b->info.spring_count = def->spring_count;
    sup_result result = SUP_OK;
    for (int32_t i = 0; i < def->spring_count && result == SUP_OK; i++) {
        const sup_spring* given = def->springs + i;
        sup_spring* s = b->springs + i;
        result = check_spring(given, i, b, error);
        if (result != SUP_OK) break;
        int32_t from = b->row_of[given->a], to = b->row_of[given->b];
        s->a = from < to ? from : to; /* by fields: gaps between them stay 0 */
        s->b = from < to ? to : from;
        s->length = given->length;
        s->stiffness = given->stiffness;
        s->damping = given->damping;
        s->kind = given->kind;
        s->slack = given->slack;
        if (!(given->length >= 0.0f)) s->length = (float)rest_distance(b, s);
        if (!(given->damping >= 0.0f)) {
            s->damping = (float)damping_by_ratio(b, s, def->spring_damping);
        }
    }
    if (result == SUP_OK) result = check_masses(def, b, scratch, error);
    if (result == SUP_OK) result = check_repeats(b, scratch, error);
    if (result == SUP_OK) result = mark_anchors(def, b, error);
    if (result == SUP_OK && !supi_springs_weave(b, scratch)) result = supi_error_memory(error);
    if (result == SUP_OK) supi_sheet_take(def, b);
    return result;
}

bool supi_springs_reshape(sup_blueprint* b, supi_arena* scratch) {
    for (int32_t i = 0; i < b->spring_count; i++) {
        b->springs[i].length = (float)rest_distance(b, b->springs + i);
    }
    supi_sheet_derive(b);
    return b->spring_count == 0 || supi_springs_weave(b, scratch);
}

bool supi_springs_fit(const sup_blueprint* b) {
    if (b->loose && b->spring_count == 0 && !b->oriented && !(b->info.blob_spacing > 0))
        return false;
    for (int32_t i = 0; i < b->spring_count; i++) {
        const sup_spring* s = b->springs + i;
        bool fits = s->a >= 0 && s->a < s->b && s->b < b->info.particle_count &&
                    s->length >= 0.0f && s->length <= 2e6f && s->stiffness >= 0.0f &&
                    s->stiffness <= 1e12f && s->damping >= 0.0f && s->kind <= SUP_SPRING_STRUT;
        if (!fits) return false;
    }
    return true;
}

/* ---- The net ---- */

/* Where half of the springs or more can have straight columns, rows lie along lines, and columns
   become so. False: no memory. */
static bool find_lines(sup_blueprint* b, supi_arena* scratch, supi_net_rooms* rooms) {
    supi_straight_sums sums;
    if (!supi_straight_measure(b->row_count, NULL, b->spring_count, b->springs, scratch, &sums)) {
        return false;
    }
    if (sums.straight < b->spring_count - sums.straight) return true;
    rooms->straight = supi_arena_push(&b->arena, (size_t)b->row_count / 8, sizeof *rooms->straight);
    return rooms->straight;
}

/* False: no memory. */
static bool find_groups(sup_blueprint* b, supi_arena* scratch, supi_spring_groups* out) {
    size_t rows = (size_t)b->row_count;
    int32_t* of = supi_arena_push(&b->arena, rows, sizeof *of);
    int32_t* members = supi_arena_push(&b->arena, (rows + 63) & ~(size_t)63, sizeof *members);
    *out = (supi_spring_groups){of, members};
    return of && members &&
           supi_levels_order(supi_tears_rows(b), b->row_count, b->rest, scratch, of, members);
}

/* How fast a wave runs in a body with springs in all directions: of the stiffness of each a fifth
   counts along any line, the mean of the fourth power of a cosine. */
static double find_wave(const sup_blueprint* b) {
    double stiffness = 0.0, mass = 0.0;
    for (int32_t i = 0; i < b->spring_count; i++) stiffness += (double)b->springs[i].stiffness;
    for (int32_t r = 0; r < b->info.particle_count; r++) mass += (double)b->mass[r];
    return mass > 0.0 ? sqrt(stiffness / (5.0 * mass)) : 0.0;
}

bool supi_springs_weave(sup_blueprint* b, supi_arena* scratch) {
    b->wave = find_wave(b);
    size_t rows = (size_t)b->row_count;
    supi_net_source source = {b->row_count,    b->spring_count, b->springs,
                              b->inverse_mass, b->rest,         {NULL, NULL}};
    supi_net_rooms rooms = {.used = supi_arena_push(scratch, rows, sizeof *rooms.used),
                            .columns =
                                supi_arena_push(&b->arena, rows / 8 + 1, sizeof *rooms.columns)};
    if (!rooms.used || !rooms.columns || !find_lines(b, scratch, &rooms) ||
        !find_groups(b, scratch, &source.groups)) {
        return false;
    }
    int32_t column_count = supi_net_cut(&source, &rooms);
    if (column_count < 0 || !supi_net_push(&b->arena, column_count, &rooms)) return false;
    b->net = supi_net_fill(&source, &rooms);
    supi_spring_net* once = supi_arena_push(&b->arena, 1, sizeof *once);
    if (!once || !supi_net_once(&b->net, &b->arena, scratch, once)) return false;
    b->net.once = once;
    return supi_limit_order_build(&b->net, b->springs, b->inverse_mass, &b->arena, scratch,
                                  &b->limits);
}
