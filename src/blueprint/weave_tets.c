/* Solids of tetrahedra: any, and those of a body-centred cubic lattice. */
#include "base/check.h"
#include "base/error.h"
#include "base/real.h"
#include "blueprint/weave.h"
#include "geom/bcc.h"
#include "geom/shapes.h"
#include "geom/twins.h"
#include "geom/vector.h"

#include <math.h>

#define NO_VOLUME 1e-12 /* of the cube of the diagonal */

static const int32_t edges[6][2] = {{0, 1}, {0, 2}, {0, 3}, {1, 2}, {1, 3}, {2, 3}};
static const int32_t sides[4][3] = {{0, 2, 1}, {0, 1, 3}, {0, 3, 2}, {1, 2, 3}};

/* ---- Tetrahedra ---- */

static void add_tet(supi_weave* weave, const int32_t tet[4], double volume, sup_weave_rule rule,
                    double young, double density) {
    double even = 0.1 * young * supi_cbrt(12.0 * volume);
    for (int k = 0; k < 4; k++) weave->masses[tet[k]] += density * volume / 4.0;
    for (int e = 0; e < 6; e++) {
        int32_t a = tet[edges[e][0]], b = tet[edges[e][1]];
        double by_length = young * volume / supi_weave_square(weave->points, a, b);
        supi_weave_add(weave, a, b, SUP_SPRING_STRUCT, rule == SUP_WEAVE_EVEN ? even : by_length);
    }
}

sup_result supi_weave_fill_tets(supi_weave* weave, int32_t tet_count, const int32_t* tets,
                                sup_weave_rule rule, double young, double density, bool surface,
                                sup_error* error) {
    double diagonal;
    sup_result result = supi_weave_measure(weave->point_count, weave->points, &diagonal, error);
    if (result != SUP_OK) return result;
    int32_t* kept = supi_weave_new(weave, 4 * (size_t)tet_count, sizeof *kept);
    if (weave->short_of_memory) return SUP_OK; /* the end tells */
    weave->tets = kept;
    for (int32_t t = 0; t < tet_count; t++) {
        int32_t* tet = kept + 4 * weave->tet_count;
        for (int k = 0; k < 4; k++) tet[k] = tets[4 * t + k];
        double volume = supi_weave_volume(weave->points, tet);
        if (!(fabs(volume) > NO_VOLUME * diagonal * diagonal * diagonal)) {
            weave->report.degenerate++;
            continue;
        }
        if (volume < 0.0) {
            int32_t swap = tet[2];
            tet[2] = tet[3];
            tet[3] = swap;
            weave->report.flipped++;
        }
        add_tet(weave, tet, fabs(volume), rule, young, density);
        weave->tet_count++;
    }
    if (surface) supi_weave_outside(weave, weave->tet_count, 4, kept, 4, 3, &sides[0][0]);
    return SUP_OK;
}

sup_result supi_weave_check_solid(double young, double density, sup_weave_rule rule,
                                  sup_error* error) {
    const supi_range ranges[] = {{"young", young, 0, 1e12},
                                 {"density", density, 1e-9, 1e9},
                                 {"rule", (double)rule, SUP_WEAVE_LENGTHS, SUP_WEAVE_EVEN}};
    return supi_check_ranges(ranges, sizeof ranges / sizeof *ranges, error);
}

sup_weave_tets_def sup_weave_tets_default(void) {
    return (sup_weave_tets_def){.size = sizeof(sup_weave_tets_def),
                                .weld = -1,
                                .young = 1e5,
                                .density = 1000,
                                .surface = true};
}

sup_result sup_weave_tets(const sup_allocator* allocator, const sup_weave_tets_def* def,
                          sup_web* out, sup_error* error) {
    SUPI_NEED(error, def, out);
    sup_result result = supi_weave_check_size(def->size, sizeof *def, "tets", error);
    if (result == SUP_OK)
        result = supi_weave_check_solid(def->young, def->density, def->rule, error);
    if (result == SUP_OK) {
        result = supi_weave_check_elements("tetrahedron", def->point_count, def->tet_count, 4,
                                           def->tets, error);
    }
    if (result != SUP_OK) return result;
    supi_weave_cloth cloth;
    sup_web_report report = {0};
    result = supi_weave_join(allocator, def->point_count, def->points, def->weld, &cloth, &report,
                             error);
    if (result != SUP_OK) return result;
    supi_weave weave;
    const int32_t* tets = def->tets;
    supi_weave_begin_joined(&weave, allocator, &cloth, 4 * (size_t)def->tet_count, &tets);
    weave.report = report;
    if (!weave.short_of_memory)
        result = supi_twins_check(weave.allocator, "tetrahedra", def->tet_count, 4, tets, error);
    if (!weave.short_of_memory && result == SUP_OK) {
        result = supi_weave_fill_tets(&weave, def->tet_count, tets, def->rule, def->young,
                                      def->density, def->surface, error);
    }
    result = supi_weave_end(&weave, result, out, error);
    supi_weave_cloth_free(&cloth);
    return result;
}

/* ---- Block ---- */

/* Corners of cells first, then their middles; both x fastest. */
static int32_t corner_id(const int32_t n[3], const int32_t at[3]) {
    return (at[2] * (n[1] + 1) + at[1]) * (n[0] + 1) + at[0];
}

static int32_t middle_id(const int32_t n[3], const int32_t at[3]) {
    return (n[0] + 1) * (n[1] + 1) * (n[2] + 1) + (at[2] * n[1] + at[1]) * n[0] + at[0];
}

static void place_points(const sup_weave_block_def* def, sup_vec3* points) {
    for (int32_t middle = 0; middle < 2; middle++) {
        const int32_t* n = def->cells;
        int32_t at[3], end[3];
        for (int k = 0; k < 3; k++) end[k] = n[k] + (middle ? 0 : 1);
        for (at[2] = 0; at[2] < end[2]; at[2]++) {
            for (at[1] = 0; at[1] < end[1]; at[1]++) {
                for (at[0] = 0; at[0] < end[0]; at[0]++) {
                    double p[3];
                    for (int k = 0; k < 3; k++)
                        p[k] = 0.5 * def->cell * (2 * at[k] + middle - n[k]);
                    points[middle ? middle_id(n, at) : corner_id(n, at)] =
                        supi_vector_round(p[0], p[1], p[2]);
                }
            }
        }
    }
}

/* The four around the side that cell `at` shares with the next one along the axis. */
static void add_side(const int32_t n[3], const int32_t at[3], int axis, int32_t* tets) {
    for (int32_t i = 0; i < 4; i++) {
        int32_t nodes[4][3];
        supi_bcc_tet(at, axis, i, nodes);
        for (int k = 0; k < 4; k++) {
            int32_t cell[3] = {nodes[k][0] / 2, nodes[k][1] / 2, nodes[k][2] / 2};
            tets[4 * i + k] = k < 2 ? middle_id(n, cell) : corner_id(n, cell);
        }
    }
}

static void list_tets(const int32_t n[3], int32_t* tets) {
    int32_t at[3], count = 0;
    for (at[2] = 0; at[2] < n[2]; at[2]++) {
        for (at[1] = 0; at[1] < n[1]; at[1]++) {
            for (at[0] = 0; at[0] < n[0]; at[0]++) {
                for (int axis = 0; axis < 3; axis++) {
                    if (at[axis] + 1 == n[axis]) continue;
                    add_side(n, at, axis, tets + 4 * count);
                    count += 4;
                }
            }
        }
    }
}

sup_weave_block_def sup_weave_block_default(void) {
    return (sup_weave_block_def){.size = sizeof(sup_weave_block_def),
                                 .cells = {8, 8, 8},
                                 .cell = 0.1,
                                 .rule = SUP_WEAVE_EVEN,
                                 .young = 1e5,
                                 .density = 1000,
                                 .surface = true};
}

static sup_result check_block(const sup_weave_block_def* def, int64_t* point_count,
                              int64_t* tet_count, sup_error* error) {
    sup_result result = supi_weave_check_size(def->size, sizeof *def, "block", error);
    if (result == SUP_OK)
        result = supi_weave_check_solid(def->young, def->density, def->rule, error);
    if (result == SUP_OK) result = supi_shapes_check_size("the cell of a block", def->cell, error);
    for (int k = 0; k < 3 && result == SUP_OK; k++) {
        result = supi_shapes_check_count("the cells of a block", def->cells[k], 1, 1024, error);
    }
    if (result != SUP_OK) return result;
    const int64_t x = def->cells[0], y = def->cells[1], z = def->cells[2];
    *point_count = (x + 1) * (y + 1) * (z + 1) + x * y * z;
    *tet_count = 4 * ((x - 1) * y * z + x * (y - 1) * z + x * y * (z - 1));
    if (*tet_count == 0) {
        return supi_error_set(error, SUP_BAD_ARGUMENT,
                              "a block needs two cells or more along one axis at least");
    }
    if (*tet_count > INT32_MAX / 32) {
        return supi_error_set(error, SUP_BAD_ARGUMENT, "the block has too many cells");
    }
    return SUP_OK;
}

sup_result sup_weave_block(const sup_allocator* allocator, const sup_weave_block_def* def,
                           sup_web* out, sup_error* error) {
    SUPI_NEED(error, def, out);
    int64_t point_count, tet_count;
    sup_result result = check_block(def, &point_count, &tet_count, error);
    if (result != SUP_OK) return result;
    supi_weave weave;
    supi_weave_begin(&weave, allocator, (int32_t)point_count, NULL);
    sup_vec3* points = supi_weave_new(&weave, (size_t)point_count, sizeof *points);
    int32_t* tets = supi_weave_new(&weave, 4 * (size_t)tet_count, sizeof *tets);
    if (!weave.short_of_memory) {
        weave.points = points;
        place_points(def, points);
        list_tets(def->cells, tets);
        result = supi_weave_fill_tets(&weave, (int32_t)tet_count, tets, def->rule, def->young,
                                      def->density, def->surface, error);
    }
    return supi_weave_end(&weave, result, out, error);
}
