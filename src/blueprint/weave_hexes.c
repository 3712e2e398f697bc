/* Solids of hexahedra, and of voxels. Edges and diagonals of sides have the stiffnesses at which a
   cubic lattice is the same in all directions: C11 = 3 C12 = 3 C44. */
#include "base/check.h"
#include "base/error.h"
#include "base/file_io.h"
#include "base/real.h"
#include "blueprint/weave.h"
#include "geom/shapes.h"
#include "geom/twins.h"
#include "geom/vector.h"

#include <math.h>
#include <string.h>

#define NO_VOLUME 1e-12 /* of the cube of the diagonal */
#define EDGE 0.1        /* shares of young V^(1/3) that one hexahedron gives */
#define DIAGONAL 0.2

static const int32_t sides[6][4] = {{0, 3, 2, 1}, {4, 5, 6, 7}, {0, 1, 5, 4},
                                    {1, 2, 6, 5}, {2, 3, 7, 6}, {3, 0, 4, 7}};
/* About the diagonal from 0 to 6: hexahedra of a lattice agree about the cuts of their sides. */
static const int32_t tets_of[6][4] = {{0, 1, 2, 6}, {0, 2, 3, 6}, {0, 3, 7, 6},
                                      {0, 7, 4, 6}, {0, 4, 5, 6}, {0, 5, 1, 6}};

static double hex_volume(const sup_vec3* points, const int32_t hex[8]) {
    double sum = 0.0;
    for (int t = 0; t < 6; t++) {
        int32_t tet[4];
        for (int k = 0; k < 4; k++) tet[k] = hex[tets_of[t][k]];
        sum += supi_weave_volume(points, tet);
    }
    return sum;
}

static void add_hex(supi_weave* weave, const sup_weave_hexes_def* def, const int32_t hex[8],
                    double volume) {
    double unit = def->young * supi_cbrt(volume);
    for (int k = 0; k < 8; k++) weave->masses[hex[k]] += def->density * volume / 8.0;
    for (int k = 0; k < 4; k++) {
        int next = (k + 1) % 4;
        supi_weave_add(weave, hex[k], hex[next], SUP_SPRING_STRUCT, EDGE * unit);
        supi_weave_add(weave, hex[4 + k], hex[4 + next], SUP_SPRING_STRUCT, EDGE * unit);
        supi_weave_add(weave, hex[k], hex[4 + k], SUP_SPRING_STRUCT, EDGE * unit);
        supi_weave_add(weave, hex[k], hex[4 + (k + 2) % 4], SUP_SPRING_SHEAR, def->space * unit);
    }
    for (int s = 0; s < 6; s++) {
        for (int k = 0; k < 2; k++) {
            supi_weave_add(weave, hex[sides[s][k]], hex[sides[s][k + 2]], SUP_SPRING_SHEAR,
                           DIAGONAL * unit);
        }
    }
    for (int i = 0; def->tets && i < 24; i++) {
        weave->tets[4 * weave->tet_count + i] = hex[tets_of[i / 4][i % 4]];
    }
    if (def->tets) weave->tet_count += 6;
}

static sup_result fill_hexes(supi_weave* weave, const sup_weave_hexes_def* def, sup_error* error) {
    double diagonal;
    sup_result result = supi_weave_measure(def->point_count, def->points, &diagonal, error);
    if (result != SUP_OK) return result;
    size_t count = (size_t)def->hex_count;
    int32_t *kept = supi_weave_new(weave, 8 * count, sizeof *kept), kept_count = 0;
    weave->tets = supi_weave_new(weave, def->tets ? 24 * count : 0, sizeof *weave->tets);
    if (weave->short_of_memory) return SUP_OK; /* the end tells */
    for (int32_t h = 0; h < def->hex_count; h++) {
        int32_t* hex = kept + 8 * kept_count;
        memcpy(hex, def->hexes + 8 * h, 8 * sizeof *hex);
        double volume = hex_volume(def->points, hex);
        if (!(fabs(volume) > NO_VOLUME * diagonal * diagonal * diagonal)) {
            weave->report.degenerate++;
            continue;
        }
        if (volume < 0.0) {
            memcpy(hex, def->hexes + 8 * h + 4, 4 * sizeof *hex);
            memcpy(hex + 4, def->hexes + 8 * h, 4 * sizeof *hex);
            weave->report.flipped++;
        }
        add_hex(weave, def, hex, fabs(volume));
        kept_count++;
    }
    if (def->surface) supi_weave_outside(weave, kept_count, 8, kept, 6, 4, &sides[0][0]);
    return SUP_OK;
}

sup_weave_hexes_def sup_weave_hexes_default(void) {
    return (sup_weave_hexes_def){.size = sizeof(sup_weave_hexes_def),
                                 .weld = -1,
                                 .young = 1e5,
                                 .density = 1000,
                                 .surface = true};
}

static sup_result check_material(double young, double density, double space, sup_error* error) {
    const supi_range range = {"space", space, 0, 1};
    sup_result result = supi_check_ranges(&range, 1, error);
    if (result != SUP_OK) return result;
    return supi_weave_check_solid(young, density, SUP_WEAVE_EVEN, error);
}

sup_result sup_weave_hexes(const sup_allocator* allocator, const sup_weave_hexes_def* def,
                           sup_web* out, sup_error* error) {
    SUPI_NEED(error, def, out);
    sup_result result = supi_weave_check_size(def->size, sizeof *def, "hexes", error);
    if (result == SUP_OK) result = check_material(def->young, def->density, def->space, error);
    if (result == SUP_OK) {
        result = supi_weave_check_elements("hexahedron", def->point_count, def->hex_count, 8,
                                           def->hexes, error);
    }
    if (result != SUP_OK) return result;
    supi_weave_cloth cloth;
    sup_web_report report = {0};
    result = supi_weave_join(allocator, def->point_count, def->points, def->weld, &cloth, &report,
                             error);
    if (result != SUP_OK) return result;
    supi_weave weave;
    sup_weave_hexes_def joined = *def;
    joined.point_count = cloth.mesh.point_count;
    joined.points = cloth.mesh.points;
    supi_weave_begin_joined(&weave, allocator, &cloth, 8 * (size_t)def->hex_count, &joined.hexes);
    weave.report = report;
    if (!weave.short_of_memory) {
        result =
            supi_twins_check(weave.allocator, "hexahedra", def->hex_count, 8, joined.hexes, error);
    }
    if (!weave.short_of_memory && result == SUP_OK) result = fill_hexes(&weave, &joined, error);
    result = supi_weave_end(&weave, result, out, error);
    supi_weave_cloth_free(&cloth);
    return result;
}

/* ---- Voxels ---- */

sup_weave_voxels_def sup_weave_voxels_default(void) {
    return (sup_weave_voxels_def){.size = sizeof(sup_weave_voxels_def),
                                  .least = 1,
                                  .cell = 0.1,
                                  .young = 1e5,
                                  .density = 1000,
                                  .surface = true};
}

static sup_result check_voxels(const sup_weave_voxels_def* def, sup_error* error) {
    sup_result result = supi_weave_check_size(def->size, sizeof *def, "voxels", error);
    if (result == SUP_OK) result = check_material(def->young, def->density, def->space, error);
    if (result == SUP_OK) result = supi_shapes_check_size("the cell of voxels", def->cell, error);
    if (result == SUP_OK) {
        result = supi_shapes_check_count("the least value of voxels", def->least, 0, 255, error);
    }
    int64_t nodes = 1;
    for (int k = 0; k < 3 && result == SUP_OK; k++) {
        result = supi_shapes_check_count("the cells of voxels", def->cells[k], 1, 4096, error);
        nodes *= def->cells[k] + 1; /* at most 4097^3 */
    }
    if (result == SUP_OK && nodes > INT32_MAX) {
        result = supi_error_set(error, SUP_BAD_ARGUMENT, "there are too many voxels");
    }
    return result;
}

static int32_t count_full(const sup_weave_voxels_def* def) {
    int32_t count = 0, cells = def->cells[0] * def->cells[1] * def->cells[2];
    for (int32_t i = 0; i < cells; i++) count += def->voxels[i] >= def->least;
    return count;
}

/* Numbers the corners of full cells as they come; `ids` of all nodes are 0 before and the id + 1
   after. Returns the number of points. */
static int32_t list_cells(const sup_weave_voxels_def* def, int32_t* ids, sup_vec3* points,
                          int32_t* hexes) {
    const int32_t* n = def->cells;
    int32_t point_count = 0, cell = 0, at[3];
    for (at[2] = 0; at[2] < n[2]; at[2]++) {
        for (at[1] = 0; at[1] < n[1]; at[1]++) {
            for (at[0] = 0; at[0] < n[0]; at[0]++) {
                if (def->voxels[cell++] < def->least) continue;
                for (int c = 0; c < 8; c++) {
                    const int32_t p[3] = {at[0] + (c % 4 == 1 || c % 4 == 2), at[1] + (c % 4 >= 2),
                                          at[2] + c / 4};
                    int32_t* id = &ids[(p[2] * (n[1] + 1) + p[1]) * (n[0] + 1) + p[0]];
                    double half = 0.5 * def->cell;
                    if (*id == 0) {
                        points[point_count] =
                            supi_vector_round(half * (2 * p[0] - n[0]), half * (2 * p[1] - n[1]),
                                              half * (2 * p[2] - n[2]));
                        *id = ++point_count;
                    }
                    *hexes++ = *id - 1;
                }
            }
        }
    }
    return point_count;
}

sup_result sup_weave_voxels(const sup_allocator* allocator, const sup_weave_voxels_def* def,
                            sup_web* out, sup_error* error) {
    SUPI_NEED(error, def, out);
    sup_result result = check_voxels(def, error);
    if (result != SUP_OK) return result;
    if (!def->voxels) return supi_error_set(error, SUP_BAD_ARGUMENT, "there are no voxels");
    const int32_t* n = def->cells;
    int32_t nodes = (n[0] + 1) * (n[1] + 1) * (n[2] + 1), full = count_full(def);
    if (full == 0) return supi_error_set(error, SUP_BAD_ARGUMENT, "no voxel is full");
    if (full > INT32_MAX / 32) {
        return supi_error_set(error, SUP_BAD_ARGUMENT, "there are too many full voxels");
    }
    size_t most = (size_t)full < (size_t)nodes / 8 ? 8 * (size_t)full : (size_t)nodes;
    supi_weave weave;
    supi_weave_begin(&weave, allocator, (int32_t)most, NULL);
    int32_t* ids = supi_weave_new(&weave, (size_t)nodes, sizeof *ids);
    sup_vec3* points = supi_weave_new(&weave, most, sizeof *points);
    int32_t* hexes = supi_weave_new(&weave, 8 * (size_t)full, sizeof *hexes);
    if (!weave.short_of_memory) {
        weave.points = points;
        weave.point_count = list_cells(def, ids, points, hexes);
        const sup_weave_hexes_def solid = {.point_count = weave.point_count,
                                           .hex_count = full,
                                           .points = points,
                                           .hexes = hexes,
                                           .young = def->young,
                                           .space = def->space,
                                           .density = def->density,
                                           .surface = def->surface,
                                           .tets = def->tets};
        result = fill_hexes(&weave, &solid, error);
    }
    return supi_weave_end(&weave, result, out, error);
}

sup_result sup_weave_load_voxels(const sup_allocator* allocator, const sup_file_gate* files,
                                 const char* path, const sup_weave_voxels_def* def, sup_web* out,
                                 sup_error* error) {
    SUPI_NEED(error, path, def, out);
    if (!allocator) allocator = sup_allocator_default();
    if (!files) files = sup_file_gate_default();
    sup_result result = check_voxels(def, error);
    if (result != SUP_OK) return result;
    supi_bytes bytes;
    result = supi_file_read(files, allocator, path, &bytes, error);
    if (result != SUP_OK) return result;
    size_t cells = (size_t)def->cells[0] * (size_t)def->cells[1] * (size_t)def->cells[2];
    if (bytes.size == cells) {
        sup_weave_voxels_def read = *def;
        read.voxels = bytes.data;
        result = sup_weave_voxels(allocator, &read, out, error);
    } else {
        result = supi_error_set(error, SUP_BAD_FILE,
                                "%.300s: %llu bytes, but %d x %d x %d voxels are %llu", path,
                                (unsigned long long)bytes.size, (int)def->cells[0],
                                (int)def->cells[1], (int)def->cells[2], (unsigned long long)cells);
    }
    supi_bytes_free(allocator, &bytes);
    return result;
}
