#include "blueprint/springs.h"

#include "base/error.h"
#include "geom/sort.h"
#include "geom/vector.h"

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

static sup_result refuse(sup_error* error, int32_t index, const char* what) {
    return supi_error_set(error, SUP_BAD_ARGUMENT, "spring %d %s", (int)index, what);
}

static sup_result check_spring(const sup_spring* s, int32_t index, const sup_blueprint* b,
                               sup_error* error) {
    const int32_t ends[2] = {s->a, s->b};
    for (int k = 0; k < 2; k++) {
        if (ends[k] >= 0 && ends[k] < b->info.particle_count) continue;
        return supi_error_set(error, SUP_BAD_ARGUMENT, "spring %d names particle %d, there are %d",
                              (int)index, (int)ends[k], (int)b->info.particle_count);
    }
    if (s->a == s->b) return refuse(error, index, "joins a particle with itself");
    if (!(s->stiffness >= 0.0f && s->stiffness <= 1e12f)) {
        return refuse(error, index, "needs a stiffness of 0 to 1e12 N/m");
    }
    if (!(s->damping <= 1e9f)) return refuse(error, index, "needs a damping of at most 1e9 N s/m");
    if (!(s->length <= 1e6f)) return refuse(error, index, "needs a length of at most 1e6 m");
    if (s->kind > SUP_SPRING_STRUT) return refuse(error, index, "is of an unknown kind");
    return SUP_OK;
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
                              "particle %d has no mass: springs cannot move it unless it has one",
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
        return supi_error_set(error, SUP_BAD_ARGUMENT,
                              "spring %d is one of the kind and the ends of spring %d", (int)ids[i],
                              (int)ids[i - 1]);
    }
    return SUP_OK;
}

sup_result supi_springs_build(const sup_blueprint_def* def, sup_blueprint* b, supi_arena* scratch,
                              sup_error* error) {
    if (def->spring_count == 0) {
        if (!b->loose) return SUP_OK;
        return supi_error_set(error, SUP_BAD_ARGUMENT,
                              "nothing holds the particles together: give clusters or springs");
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
        *s = *given;
        int32_t from = b->row_of[given->a], to = b->row_of[given->b];
        s->a = from < to ? from : to;
        s->b = from < to ? to : from;
        if (!(given->length >= 0.0f)) s->length = (float)rest_distance(b, s);
        if (!(given->damping >= 0.0f)) {
            s->damping = (float)damping_by_ratio(b, s, def->spring_damping);
        }
    }
    if (result == SUP_OK) result = check_masses(def, b, scratch, error);
    if (result == SUP_OK) result = check_repeats(b, scratch, error);
    if (result == SUP_OK && !supi_springs_weave(b, scratch)) result = supi_error_memory(error);
    return result;
}

bool supi_springs_reshape(sup_blueprint* b, supi_arena* scratch) {
    for (int32_t i = 0; i < b->spring_count; i++) {
        b->springs[i].length = (float)rest_distance(b, b->springs + i);
    }
    return b->spring_count == 0 || supi_springs_weave(b, scratch);
}

bool supi_springs_fit(const sup_blueprint* b) {
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

/* A spring between two pinned particles does nothing. */
static bool acts(const sup_blueprint* b, const sup_spring* s) {
    return b->inverse_mass[s->a] > 0.0f || b->inverse_mass[s->b] > 0.0f;
}

/* Cuts slices to the most springs that one of their rows has; columns in all, or -1: too many. */
static int32_t cut_slices(const int32_t* springs_of, int32_t row_count, int32_t* columns) {
    int64_t used = 0;
    for (int32_t slice = 0; slice < row_count / 8; slice++) {
        int32_t most = 0;
        for (int32_t r = 8 * slice; r < 8 * slice + 8; r++) {
            most = springs_of[r] > most ? springs_of[r] : most;
        }
        columns[slice] = (int32_t)used;
        used += most;
        if (used > INT32_MAX / 16) return -1;
    }
    columns[row_count / 8] = (int32_t)used;
    return (int32_t)used;
}

typedef struct sides {
    int32_t *columns, *other, *spring;
    float *length, *stiffness, *damping;
    int32_t* used; /* by row: sides so far */
} sides;

static void put_side(const sides* to, int32_t row, int32_t other, int32_t number,
                     const sup_spring* s) {
    int32_t first = 8 * (to->columns[row / 8] + to->used[row]++), at = first + (row & 7);
    int32_t lane = supi_lane_order(at);
    to->other[at] = other;
    to->spring[at] = number;
    to->length[lane] = s->slack ? -s->length : s->length;
    to->stiffness[lane] = s->stiffness;
    to->damping[lane] = s->damping;
}

/* Springs in order, so that each row has its own in order. */
static void fill_sides(const sup_blueprint* b, const sides* to, int32_t column_count) {
    for (int32_t slice = 0; slice < b->row_count / 8; slice++) {
        for (int32_t c = to->columns[slice]; c < to->columns[slice + 1]; c++) {
            for (int32_t k = 0; k < 8; k++) to->other[8 * c + k] = 8 * slice + k;
        }
    }
    for (int32_t i = 0; i < 8 * column_count; i++) to->spring[i] = -1;
    memset(to->used, 0, (size_t)b->row_count * sizeof *to->used);
    for (int32_t i = 0; i < b->spring_count; i++) {
        const sup_spring* s = b->springs + i;
        if (!acts(b, s)) continue;
        put_side(to, s->a, s->b, i, s);
        put_side(to, s->b, s->a, i, s);
    }
}

bool supi_springs_weave(sup_blueprint* b, supi_arena* scratch) {
    double sum = 0.0;
    float longest = 0.0f;
    bool plain = true;
    size_t rows = (size_t)b->row_count;
    sides s = {.used = supi_arena_push(scratch, rows, sizeof *s.used),
               .columns = supi_arena_push(&b->arena, rows / 8 + 1, sizeof *s.columns)};
    if (!s.used || !s.columns) return false;
    for (int32_t i = 0; i < b->spring_count; i++) {
        float length = b->springs[i].length;
        sum += (double)length;
        longest = length > longest ? length : longest;
        plain = plain && length > 0.0f && !b->springs[i].slack;
        if (!acts(b, b->springs + i)) continue;
        s.used[b->springs[i].a]++;
        s.used[b->springs[i].b]++;
    }
    int32_t column_count = cut_slices(s.used, b->row_count, s.columns);
    if (column_count < 0) return false;
    size_t side_count = 8 * (size_t)column_count;
    s.other = supi_arena_push(&b->arena, side_count, sizeof *s.other);
    s.spring = supi_arena_push(&b->arena, side_count, sizeof *s.spring);
    s.length = supi_arena_push(&b->arena, side_count, sizeof *s.length);
    s.stiffness = supi_arena_push(&b->arena, side_count, sizeof *s.stiffness);
    s.damping = supi_arena_push(&b->arena, side_count, sizeof *s.damping);
    if (!s.other || !s.spring || !s.length || !s.stiffness || !s.damping) return false;
    fill_sides(b, &s, column_count);
    b->net = (supi_spring_net){
        .row_count = b->row_count,
        .spring_count = b->spring_count,
        .column_count = column_count,
        .mean_length = b->spring_count > 0 ? (float)(sum / b->spring_count) : 0.0f,
        .longest = longest,
        .plain = plain,
        .columns = s.columns,
        .other = s.other,
        .spring = s.spring,
        .length = s.length,
        .stiffness = s.stiffness,
        .damping = s.damping,
        .rest = b->rest,
    };
    return supi_limit_order_build(&b->net, b->springs, b->inverse_mass, &b->arena, scratch,
                                  &b->limits);
}
