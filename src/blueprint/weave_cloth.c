/* Cloth and ropes: rows of particles. Every row of cells brings its share of the springs along it,
   so that the boundary, with cells on one side, has half of what lies within. */
#include "base/check.h"
#include "base/error.h"
#include "blueprint/weave.h"
#include "geom/shapes.h"
#include "geom/vector.h"
#include "solve/refine.h"

#include <math.h>
#include <string.h>

#define SQUARE_ANGLE 1e-6 /* cosine of the angle between the axes, at most */

/* ---- Grid ---- */

sup_weave_grid_def sup_weave_grid_default(void) {
    return (sup_weave_grid_def){.size = sizeof(sup_weave_grid_def),
                                .count = {21, 21},
                                .sides = {1, 1},
                                .axes = {{1, 0, 0}, {0, 0, 1}},
                                .stretch = 1000,
                                .shear = 500,
                                .bend = 50,
                                .density = 0.2};
}

/* Particles along a side when all cells are cut. */
static int32_t finest_count(const sup_weave_grid_def* def, int side) {
    return ((def->count[side] - 1) << def->levels) + 1;
}

static sup_result check_axes(const sup_weave_grid_def* def, double axes[2][3], sup_error* error) {
    for (int k = 0; k < 2; k++) {
        double length = supi_vector_length(def->axes[k]);
        if (!(length >= 1e-6 && length <= 1e6)) {
            return supi_error_set(error, SUP_BAD_ARGUMENT,
                                  "axis %d of a grid must be from 1e-6 to 1e6 long", k);
        }
        for (int i = 0; i < 3; i++) axes[k][i] = def->axes[k][i] / length;
    }
    if (!(fabs(supi_vector_dot(axes[0], axes[1])) <= SQUARE_ANGLE)) {
        return supi_error_set(error, SUP_BAD_ARGUMENT,
                              "the axes of a grid must be at a right angle");
    }
    return SUP_OK;
}

static sup_result check_grid(const sup_weave_grid_def* def, double axes[2][3], sup_error* error) {
    const supi_range ranges[] = {{"stretch", def->stretch, 0, 1e12},
                                 {"shear", def->shear, 0, 1e12},
                                 {"bend", def->bend, 0, 1e12},
                                 {"density", def->density, 1e-9, 1e9},
                                 {"centre[0]", def->centre[0], -1e6, 1e6},
                                 {"centre[1]", def->centre[1], -1e6, 1e6},
                                 {"centre[2]", def->centre[2], -1e6, 1e6}};
    sup_result result = supi_weave_check_size(def->size, sizeof *def, "grid", error);
    if (result == SUP_OK) {
        result = supi_check_ranges(ranges, sizeof ranges / sizeof *ranges, error);
    }
    for (int k = 0; k < 2 && result == SUP_OK; k++) {
        result = supi_shapes_check_count("the count of a grid", def->count[k], 2, 16384, error);
        if (result == SUP_OK) {
            result = supi_shapes_check_size("the side of a grid", def->sides[k], error);
        }
    }
    if (result == SUP_OK) {
        result = supi_shapes_check_count("the levels of a grid", def->levels, 0, SUPI_REFINE_LEVELS,
                                         error);
    }
    if (result == SUP_OK && (int64_t)finest_count(def, 0) * finest_count(def, 1) > INT32_MAX / 16) {
        result = supi_error_set(error, SUP_BAD_ARGUMENT, "the grid has too many particles");
    }
    return result == SUP_OK ? check_axes(def, axes, error) : result;
}

static void place_grid(const sup_weave_grid_def* def, const double axes[2][3], sup_vec3* points) {
    for (int32_t j = 0; j < def->count[1]; j++) {
        for (int32_t i = 0; i < def->count[0]; i++) {
            double u = def->sides[0] * (double)(2 * i - (def->count[0] - 1)) /
                       (double)(2 * (def->count[0] - 1));
            double v = def->sides[1] * (double)(2 * j - (def->count[1] - 1)) /
                       (double)(2 * (def->count[1] - 1));
            double p[3];
            for (int k = 0; k < 3; k++) p[k] = def->centre[k] + (u * axes[0][k] + v * axes[1][k]);
            *points++ = supi_vector_round(p[0], p[1], p[2]);
        }
    }
}

/* What one cell brings; a is its lowest corner. Cells that are not square stretch alike per width
   of cloth; their diagonals carry the same shear. */
typedef struct cell_share {
    double along[2], over[2]; /* half a spring of the two on its sides; and of those over two */
    double diagonal, mass;
} cell_share;

static cell_share share_of_cell(const sup_weave_grid_def* def) {
    double u = def->sides[0] / (def->count[0] - 1), v = def->sides[1] / (def->count[1] - 1);
    return (cell_share){.along = {0.5 * def->stretch * (v / u), 0.5 * def->stretch * (u / v)},
                        .over = {0.5 * def->bend * (v / u), 0.5 * def->bend * (u / v)},
                        .diagonal = def->shear * ((u * u + v * v) / (2.0 * u * v)),
                        .mass = def->density * u * v / 4.0};
}

static void add_cell(supi_weave* weave, const sup_weave_grid_def* def, const cell_share* share,
                     const int32_t at[2]) {
    const int32_t step[2] = {1, def->count[0]};
    int32_t a = at[1] * step[1] + at[0], opposite = a + step[0] + step[1];
    const int32_t corners[4] = {a, a + step[0], a + step[1], opposite};
    for (int k = 0; k < 4; k++) weave->masses[corners[k]] += share->mass;
    supi_weave_add(weave, a, opposite, SUP_SPRING_SHEAR, share->diagonal);
    supi_weave_add(weave, a + step[0], a + step[1], SUP_SPRING_SHEAR, share->diagonal);
    for (int k = 0; k < 2; k++) {
        for (int32_t b = a; b <= a + step[1 - k]; b += step[1 - k]) {
            supi_weave_add(weave, b, b + step[k], SUP_SPRING_STRUCT, share->along[k]);
            if (at[k] + 2 >= def->count[k]) continue;
            supi_weave_add(weave, b, b + 2 * step[k], SUP_SPRING_BEND, share->over[k]);
        }
    }
}

static void make_faces(supi_weave* weave, const sup_weave_grid_def* def) {
    int32_t row = def->count[0], quads = (row - 1) * (def->count[1] - 1),
            size = def->triangles ? 3 : 4;
    int32_t polygons = def->triangles ? 2 * quads : quads;
    int32_t* starts = supi_weave_new(weave, (size_t)polygons + 1, sizeof *starts);
    int32_t* corners = supi_weave_new(weave, (size_t)polygons * (size_t)size, sizeof *corners);
    if (weave->short_of_memory) return;
    weave->polygon_count = polygons;
    weave->starts = starts;
    weave->corners = corners;
    for (int32_t k = 0; k <= polygons; k++) starts[k] = size * k;
    for (int32_t q = 0; q < quads; q++) {
        int32_t a = q / (row - 1) * row + q % (row - 1);
        const int32_t quad[4] = {a, a + row, a + row + 1, a + 1};
        const int32_t cut[6] = {quad[0], quad[1], quad[2], quad[0], quad[2], quad[3]};
        size_t count = def->triangles ? 6 : 4;
        memcpy(corners, def->triangles ? cut : quad, count * sizeof *corners);
        corners += count;
    }
}

/* Springs are as stiff whether cells are cut or not. */
static sup_refine_grid refinement(const sup_weave_grid_def* def, const cell_share* share) {
    if (def->levels == 0) return (sup_refine_grid){0};
    return (sup_refine_grid){.levels = def->levels,
                             .cells = {def->count[0] - 1, def->count[1] - 1},
                             .stretch = {2.0 * share->along[0], 2.0 * share->along[1]},
                             .bend = {2.0 * share->over[0], 2.0 * share->over[1]},
                             .shear = share->diagonal};
}

sup_result sup_weave_grid(const sup_allocator* allocator, const sup_weave_grid_def* def,
                          sup_web* out, sup_error* error) {
    SUPI_NEED(error, def, out);
    double axes[2][3], diagonal;
    sup_result result = check_grid(def, axes, error);
    if (result != SUP_OK) return result;
    sup_weave_grid_def finest = *def;
    for (int k = 0; k < 2; k++) finest.count[k] = finest_count(def, k);
    const cell_share share = share_of_cell(&finest);
    int32_t count = finest.count[0] * finest.count[1];
    supi_weave weave;
    supi_weave_begin(&weave, allocator, count, NULL);
    sup_vec3* points = supi_weave_new(&weave, (size_t)count, sizeof *points);
    if (!weave.short_of_memory) {
        weave.points = points;
        place_grid(&finest, (const double(*)[3])axes, points);
        result = supi_weave_measure(count, points, &diagonal, error);
        for (int32_t j = 0; j + 1 < finest.count[1]; j++) {
            for (int32_t i = 0; i + 1 < finest.count[0]; i++) {
                add_cell(&weave, &finest, &share, (const int32_t[2]){i, j});
            }
        }
        make_faces(&weave, &finest);
    }
    result = supi_weave_end(&weave, result, out, error);
    if (result == SUP_OK) out->refine = refinement(def, &share);
    return result;
}

/* ---- Rope ---- */

sup_weave_rope_def sup_weave_rope_default(void) {
    return (sup_weave_rope_def){.size = sizeof(sup_weave_rope_def),
                                .count = 21,
                                .ends = {{0, 0, 0}, {1, 0, 0}},
                                .stretch = 1000,
                                .density = 0.1,
                                .slack = true};
}

static sup_result check_rope(const sup_weave_rope_def* def, double* length, sup_error* error) {
    const supi_range ranges[] = {{"stretch", def->stretch, 0, 1e12},
                                 {"bend", def->bend, 0, 1e6},
                                 {"density", def->density, 1e-9, 1e9}};
    sup_result result = supi_weave_check_size(def->size, sizeof *def, "rope", error);
    if (result == SUP_OK) {
        result = supi_check_ranges(ranges, sizeof ranges / sizeof *ranges, error);
    }
    if (result == SUP_OK) {
        result = supi_shapes_check_count("the count of a rope", def->count, 2, 1000000, error);
    }
    if (result != SUP_OK) return result;
    double along[3];
    supi_vector_subtract(def->ends[1], def->ends[0], along);
    *length = supi_vector_length(along);
    return supi_shapes_check_size("the length of a rope", *length, error);
}

sup_result sup_weave_rope(const sup_allocator* allocator, const sup_weave_rope_def* def,
                          sup_web* out, sup_error* error) {
    SUPI_NEED(error, def, out);
    double length, diagonal;
    sup_result result = check_rope(def, &length, error);
    if (result != SUP_OK) return result;
    supi_weave weave;
    supi_weave_begin(&weave, allocator, def->count, NULL);
    weave.slack = def->slack;
    sup_vec3* points = supi_weave_new(&weave, (size_t)def->count, sizeof *points);
    if (!weave.short_of_memory) {
        weave.points = points;
        double n = (double)(def->count - 1), segment = length / n;
        for (int32_t i = 0; i < def->count; i++) {
            double p[3], t = (double)i / n;
            for (int k = 0; k < 3; k++) p[k] = def->ends[0][k] * (1.0 - t) + def->ends[1][k] * t;
            points[i] = supi_vector_round(p[0], p[1], p[2]);
        }
        for (int32_t i = 0; i + 1 < def->count; i++) {
            weave.masses[i] += 0.5 * def->density * segment;
            weave.masses[i + 1] += 0.5 * def->density * segment;
            supi_weave_add(&weave, i, i + 1, SUP_SPRING_STRUCT, def->stretch / segment);
            if (i + 2 == def->count) continue;
            supi_weave_add(&weave, i, i + 2, SUP_SPRING_BEND,
                           def->bend * def->stretch / (2.0 * segment));
        }
        result = supi_weave_measure(def->count, points, &diagonal, error);
    }
    return supi_weave_end(&weave, result, out, error);
}
