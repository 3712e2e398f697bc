#include "blueprint/tears.h"

#include "base/error.h"
#include "geom/vector.h"

#include <math.h>

/* ---- From the definition ---- */

sup_result supi_tears_check(const sup_blueprint_def* def, sup_error* error) {
    const char* why = NULL;
    if (!def->tears) return SUP_OK;
    if (def->layout != SUP_CLUSTERS_NONE || def->spring_count == 0) {
        why = "only a body that springs alone hold together can tear";
    } else if (!def->surface || def->surface->polygon_count == 0) {
        why = "there is no surface of polygons that could tear";
    } else if (def->fill > 0 || def->point_count > 0) {
        why = "a body that tears is a sheet: all its particles lie on the surface";
    } else if (def->region_count > 1) {
        why = "a body that tears has one region";
    } else if (def->refine.levels > 0) {
        why = "cloth that tears cannot be refined: take levels or tear out";
    }
    return why ? supi_error_set(error, SUP_BAD_ARGUMENT, "%s", why) : SUP_OK;
}

int32_t supi_tears_spares(const sup_blueprint_def* def, int32_t particle_count) {
    if (!def->tears) return 0;
    double most = (double)def->surface->corner_count - particle_count; /* every polygon alone */
    double wanted = ceil(def->spare * particle_count);
    wanted = wanted < most ? wanted : most;
    return wanted > 0.0 ? (int32_t)wanted : 0;
}

void supi_tears_place(sup_blueprint* b) {
    for (int32_t row = supi_tears_rows(b); row < b->info.particle_count; row++) {
        b->row_of[row] = b->id_of[row] = row;
        b->rest[row] = b->rest[supi_tears_host(b, row)];
        b->mass[row] = b->inverse_mass[row] = b->radius[row] = 0.0f;
    }
}

void supi_tears_unshare(sup_blueprint* b) {
    int32_t* rows = b->vertex_rows + b->info.vertex_count;
    for (int32_t c = 0; c < b->info.corner_count; c++) {
        rows[c] = b->vertex_rows[b->corners[c]];
        b->corners[c] = c;
    }
    b->vertex_rows = rows;
    b->info.vertex_count = b->info.corner_count;
}

bool supi_tears_fit(const sup_blueprint* b) {
    if (!b->can_tear) return b->spare_count == 0;
    bool fits = b->loose && b->starts && !b->region && !b->outward && b->spring_count > 0 &&
                b->skin.count == 0 && b->info.polygon_count > 0 && b->refine.levels == 0 &&
                b->spare_count < b->info.particle_count &&
                b->info.vertex_count == b->info.corner_count;
    int32_t rows = supi_tears_rows(b);
    for (int32_t c = 0; fits && c < b->info.corner_count; c++) {
        fits = b->corners[c] == c && b->vertex_rows[c] < rows;
    }
    for (int32_t i = 0; fits && i < b->spring_count; i++) fits = b->springs[i].b < rows;
    for (int32_t i = 0; fits && i < b->pin_count; i++) fits = b->pins[i] < rows;
    for (int32_t row = 0; fits && row < b->info.particle_count; row++) {
        fits = row < rows ? b->mass[row] > 0.0f || b->inverse_mass[row] == 0.0f /* pinned */
                          : b->row_of[row] == row && b->mass[row] == 0.0f &&
                                b->inverse_mass[row] == 0.0f && b->radius[row] == 0.0f;
    }
    return fits;
}

/* ---- Seats ---- */

static double polygon_area(const sup_blueprint* b, int32_t polygon) {
    const int32_t* rows = b->vertex_rows + b->starts[polygon];
    int32_t count = b->starts[polygon + 1] - b->starts[polygon];
    double first[3], sum[3] = {0, 0, 0};
    supi_vector_from(b->rest + rows[0], first);
    for (int32_t i = 1; i + 1 < count; i++) {
        double u[3], v[3], n[3];
        supi_vector_from(b->rest + rows[i], u);
        supi_vector_from(b->rest + rows[i + 1], v);
        supi_vector_subtract(u, first, u);
        supi_vector_subtract(v, first, v);
        supi_vector_cross(u, v, n);
        for (int k = 0; k < 3; k++) sum[k] += n[k];
    }
    return 0.5 * supi_vector_length(sum);
}

/* The corner of a polygon at a row, or -1. */
static int32_t corner_at(const sup_blueprint* b, int32_t polygon, int32_t row) {
    for (int32_t c = b->starts[polygon]; c < b->starts[polygon + 1]; c++) {
        if (b->vertex_rows[c] == row) return c;
    }
    return -1;
}

/* Corners that two polygons have in common, the first two of them; how many. */
static int32_t common_corners(const sup_blueprint* b, int32_t one, int32_t other,
                              int32_t out[2][2]) {
    int32_t count = 0;
    for (int32_t c = b->starts[one]; c < b->starts[one + 1] && count < 2; c++) {
        int32_t d = corner_at(b, other, b->vertex_rows[c]);
        if (d < 0) continue;
        out[count][0] = c;
        out[count++][1] = d;
    }
    return count;
}

typedef struct seating {
    const sup_blueprint* b;
    const supi_tears* tears;
    supi_seat* out; /* NULL: they are only counted */
    int32_t count;
} seating;

static void add_seat(seating* s, const supi_seat* seat) {
    if (s->out) s->out[s->count] = *seat;
    s->count++;
}

/* Polygons that have both ends; false: there are none. */
static bool sit_within(seating* s, const sup_spring* spring) {
    const supi_tears* t = s->tears;
    int32_t before = s->count;
    for (int32_t i = t->fan_starts[spring->a]; i < t->fan_starts[spring->a + 1]; i++) {
        int32_t end = corner_at(s->b, t->polygons[t->fans[i]], spring->b);
        if (end >= 0) add_seat(s, &(supi_seat){{t->fans[i], end}, {{-1, -1}, {-1, -1}}});
    }
    return s->count > before;
}

/* Pairs of polygons with one end each that have `wanted` corners in common. */
static bool sit_across(seating* s, const sup_spring* spring, int32_t wanted) {
    const supi_tears* t = s->tears;
    int32_t before = s->count;
    for (int32_t i = t->fan_starts[spring->a]; i < t->fan_starts[spring->a + 1]; i++) {
        for (int32_t j = t->fan_starts[spring->b]; j < t->fan_starts[spring->b + 1]; j++) {
            supi_seat seat = {{t->fans[i], t->fans[j]}, {{-1, -1}, {-1, -1}}};
            int32_t common =
                common_corners(s->b, t->polygons[t->fans[i]], t->polygons[t->fans[j]], seat.hinge);
            if (common == wanted) add_seat(s, &seat);
        }
    }
    return s->count > before;
}

/* Edges and diagonals sit within polygons; springs against folding across an edge or, over two
   cells of triangles, about a particle. */
static void seat_springs(seating* s, int32_t* starts) {
    for (int32_t i = 0; i < s->b->spring_count; i++) {
        const sup_spring* spring = s->b->springs + i;
        if (starts) starts[i] = s->count;
        if (spring->kind == SUP_SPRING_STRUT) continue;
        if (!sit_within(s, spring) && !sit_across(s, spring, 2)) sit_across(s, spring, 1);
    }
    if (starts) starts[s->b->spring_count] = s->count;
}

/* ---- Putting it together ---- */

static bool list_fans(sup_blueprint* b, supi_tears* t) {
    int32_t rows = supi_tears_rows(b);
    t->fan_starts = supi_arena_push(&b->arena, (size_t)rows + 2, sizeof(int32_t));
    t->fans = supi_arena_push(&b->arena, (size_t)b->info.corner_count, sizeof(int32_t));
    t->polygons = supi_arena_push(&b->arena, (size_t)b->info.corner_count, sizeof(int32_t));
    t->areas = supi_arena_push(&b->arena, (size_t)b->info.corner_count, sizeof(float));
    if (!t->fan_starts || !t->fans || !t->polygons || !t->areas) return false;
    for (int32_t c = 0; c < b->info.corner_count; c++) t->fan_starts[b->vertex_rows[c] + 2]++;
    for (int32_t row = 0; row < rows; row++) {
        int32_t count = t->fan_starts[row + 2];
        t->fan_most = count > t->fan_most ? count : t->fan_most;
        t->fan_starts[row + 2] += t->fan_starts[row + 1];
    }
    for (int32_t p = 0; p < b->info.polygon_count; p++) {
        double share = polygon_area(b, p) / (b->starts[p + 1] - b->starts[p]);
        for (int32_t c = b->starts[p]; c < b->starts[p + 1]; c++) {
            t->fans[t->fan_starts[b->vertex_rows[c] + 1]++] = c;
            t->polygons[c] = p;
            t->areas[c] = (float)share;
        }
    }
    return true;
}

/* How large the net can become: every seat a spring of its own, and every spare row as many of them
   as the row with the most has. False: too large, or no memory. */
static bool bound_net(const sup_blueprint* b, supi_tears* t, supi_arena* scratch) {
    int32_t* sides = supi_arena_push(scratch, (size_t)b->row_count, sizeof *sides);
    int32_t most = 0, rows = supi_tears_rows(b);
    int64_t springs = 0, columns = 0;
    if (!sides) return false;
    for (int32_t i = 0; i < b->spring_count; i++) {
        int32_t seats = t->starts[i + 1] - t->starts[i];
        seats = seats > 1 ? seats : 1;
        sides[b->springs[i].a] += seats;
        sides[b->springs[i].b] += seats;
        springs += seats;
    }
    for (int32_t row = 0; row < rows; row++) most = sides[row] > most ? sides[row] : most;
    for (int32_t row = rows; row < b->info.particle_count; row++) sides[row] = most;
    for (int32_t slice = 0; slice < b->row_count / 8; slice++) {
        int32_t widest = 0;
        for (int32_t row = 8 * slice; row < 8 * slice + 8; row++) {
            widest = sides[row] > widest ? sides[row] : widest;
        }
        columns += widest;
    }
    if (springs > INT32_MAX / 16 || columns > INT32_MAX / 16) return false;
    t->spring_most = (int32_t)springs;
    t->column_most = (int32_t)columns;
    return true;
}

bool supi_tears_build(sup_blueprint* b, supi_arena* scratch) {
    b->tears = NULL;
    if (!b->can_tear) return true;
    supi_tears* t = supi_arena_push(&b->arena, 1, sizeof *t);
    if (!t || !list_fans(b, t)) return false;
    t->starts = supi_arena_push(&b->arena, (size_t)b->spring_count + 1, sizeof *t->starts);
    seating count = {.b = b, .tears = t};
    seat_springs(&count, NULL);
    t->seats = supi_arena_push(&b->arena, (size_t)count.count, sizeof *t->seats);
    if (!t->starts || !t->seats) return false;
    seat_springs(&(seating){.b = b, .tears = t, .out = t->seats}, t->starts);
    b->tears = t;
    return bound_net(b, t, scratch);
}
