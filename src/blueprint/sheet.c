#include "blueprint/sheet.h"

#include "base/check.h"
#include "base/error.h"
#include "base/hash.h"
#include "geom/vector.h"

#include <string.h>

#define OFF_GRID 1e-3 /* of a finest cell: how far a point may be from where its grid has it */

/* Points of the finest lattice along a side. */
static int64_t points_along(const int32_t cells[2], int32_t levels, int side) {
    return ((int64_t)cells[side] << levels) + 1;
}

static sup_result refuse(sup_error* error, const char* why) {
    return supi_error_set(error, SUP_BAD_ARGUMENT, "%s", why);
}

static sup_result check_numbers(const sup_refine_grid* g, sup_error* error) {
    const supi_range ranges[] = {{"refine.levels", g->levels, 1, SUPI_REFINE_LEVELS},
                                 {"refine.cells[0]", g->cells[0], 1, 16384},
                                 {"refine.cells[1]", g->cells[1], 1, 16384},
                                 {"refine.stretch[0]", g->stretch[0], 0, 1e12},
                                 {"refine.stretch[1]", g->stretch[1], 0, 1e12},
                                 {"refine.bend[0]", g->bend[0], 0, 1e12},
                                 {"refine.bend[1]", g->bend[1], 0, 1e12},
                                 {"refine.shear", g->shear, 0, 1e12}};
    return supi_check_ranges(ranges, sizeof ranges / sizeof *ranges, error);
}

/* Every point lies where the first one and the ends of the two sides beside it put it. */
static sup_result check_places(const sup_refine_grid* g, const sup_vec3* points, sup_error* error) {
    int32_t n = (int32_t)points_along(g->cells, g->levels, 0);
    int32_t m = (int32_t)points_along(g->cells, g->levels, 1);
    double first[3], sides[2][3], off[3];
    supi_vector_from(points, first);
    supi_vector_from(points + (n - 1), sides[0]);
    supi_vector_from(points + (m - 1) * n, sides[1]);
    for (int k = 0; k < 2; k++) supi_vector_subtract(sides[k], first, sides[k]);
    double cell[2] = {supi_vector_length(sides[0]) / (n - 1),
                      supi_vector_length(sides[1]) / (m - 1)};
    double limit = OFF_GRID * (cell[0] < cell[1] ? cell[0] : cell[1]);
    for (int32_t p = 0; p < n * m; p++) {
        double u = (double)(p % n) / (n - 1), v = (double)(p / n) / (m - 1);
        supi_vector_from(points + p, off);
        for (int k = 0; k < 3; k++) off[k] -= first[k] + u * sides[0][k] + v * sides[1][k];
        if (supi_vector_length(off) <= limit) continue;
        return supi_error_set(error, SUP_BAD_ARGUMENT,
                              "refinement is for grids: particle %d is not where its grid has it",
                              (int)p);
    }
    return SUP_OK;
}

sup_result supi_sheet_check(const sup_blueprint_def* def, int32_t particle_count,
                            const sup_vec3* points, sup_error* error) {
    const sup_refine_grid* g = &def->refine;
    if (g->levels == 0) return SUP_OK;
    sup_result result = check_numbers(g, error);
    if (result != SUP_OK) return result;
    if (def->layout != SUP_CLUSTERS_NONE || def->spring_count == 0) {
        return refuse(error, "refinement is for cloth that springs alone hold together");
    }
    int64_t wanted = points_along(g->cells, g->levels, 0) * points_along(g->cells, g->levels, 1);
    if (wanted != particle_count) {
        return supi_error_set(
            error, SUP_BAD_ARGUMENT,
            "refinement is for grids: one of %d x %d cells with %d levels has %lld "
            "particles, here are %d",
            (int)g->cells[0], (int)g->cells[1], (int)g->levels, (long long)wanted,
            (int)particle_count);
    }
    return check_places(g, points, error);
}

bool supi_sheet_order(const sup_refine_grid* g, int32_t count, int32_t* ids, supi_arena* scratch) {
    if (g->levels == 0) return true;
    int32_t n = (int32_t)points_along(g->cells, g->levels, 0), next = 0;
    int32_t* sorted = supi_arena_push(scratch, (size_t)count, sizeof *sorted);
    if (!sorted) return false;
    for (int32_t level = 0; level <= g->levels; level++) {
        for (int32_t i = 0; i < count; i++) {
            int32_t own = supi_refine_point_level(g->levels, ids[i] % n, ids[i] / n);
            if (own == level) sorted[next++] = ids[i];
        }
    }
    memcpy(ids, sorted, (size_t)count * sizeof *ids);
    return true;
}

void supi_sheet_take(const sup_blueprint_def* def, sup_blueprint* b) {
    const sup_refine_grid* g = &def->refine;
    if (g->levels == 0) return;
    b->refine = (supi_refine_grid){.cells = {g->cells[0], g->cells[1]},
                                   .levels = g->levels,
                                   .stretch = {g->stretch[0], g->stretch[1]},
                                   .bend = {g->bend[0], g->bend[1]},
                                   .shear = g->shear,
                                   .damping = def->spring_damping};
    supi_sheet_derive(b);
}

void supi_sheet_derive(sup_blueprint* b) {
    supi_refine_grid* g = &b->refine;
    b->info.refine_levels = g->levels;
    if (g->levels == 0) return;
    g->row_count = b->row_count;
    g->mass = b->info.mass / ((double)g->cells[0] * g->cells[1]);
    g->row_of = b->row_of;
    g->rest = b->rest;
    g->inverse_mass = b->inverse_mass;
}

bool supi_sheet_fits(const sup_blueprint* b) {
    const supi_refine_grid* g = &b->refine;
    return g->levels == 0 || (b->loose && points_along(g->cells, g->levels, 0) *
                                                  points_along(g->cells, g->levels, 1) ==
                                              b->info.particle_count);
}

uint64_t supi_sheet_hash(const sup_blueprint* b, uint64_t hash) {
    const supi_refine_grid* g = &b->refine;
    const double numbers[] = {g->stretch[0], g->stretch[1], g->bend[0], g->bend[1],
                              g->shear,      g->mass,       g->damping};
    hash = supi_hash_word(hash, (uint64_t)g->levels);
    for (int k = 0; k < 2; k++) hash = supi_hash_word(hash, (uint64_t)g->cells[k]);
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) {
        hash = supi_hash_double(hash, numbers[i]);
    }
    return hash;
}
