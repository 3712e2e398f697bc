/* From a surface to tetrahedra: repair, lattice, STUFF, and CAGE where that does not do. */
#include "base/check.h"
#include "base/real.h"
#include "geom/mesh.h"
#include "geom/tet.h"
#include "geom/twins.h"
#include "geom/vector.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define CELLS_MOST 16000000
#define SIDES 12.0         /* cells along the longest side of the box, by default */
#define SHEET 20.0         /* tetrahedra around a sheet for each square of the size of a cell */
#define RIM 5.3            /* that a cage has outside for each such square of a closed surface */
#define LOST_VOLUME 0.1    /* STUFF has failed when it misses more */
#define FLAT 1e-9          /* of the cube of a cell: no tetrahedron */
#define FLAT_GIVEN 1e-15   /* of the cube of the diagonal: no tetrahedron, when given */
#define PIECE 8            /* tetrahedra that a piece of a cage has at least */
#define FLOAT_STEPS 4096.0 /* of floats in a cell, at least */

sup_tets_def sup_tets_default(void) { return (sup_tets_def){.size = sizeof(sup_tets_def)}; }

static sup_result check_def(const sup_tets_def* def, sup_error* error) {
    if (def->size != sizeof *def) {
        return supi_error_set(error, SUP_BAD_ARGUMENT,
                              "a definition of tetrahedra must come from sup_tets_default");
    }
    const supi_range ranges[] = {{"method", (double)def->method, SUP_TETS_AUTO, SUP_TETS_CAGE},
                                 {"cell", def->cell, 0, 1e6},
                                 {"count", (double)def->count, 0, 1e8},
                                 {"shift[0]", def->shift[0], -1e6, 1e6},
                                 {"shift[1]", def->shift[1], -1e6, 1e6},
                                 {"shift[2]", def->shift[2], -1e6, 1e6}};
    return supi_check_ranges(ranges, sizeof ranges / sizeof *ranges, error);
}

/* ---- The lattice ---- */

/* The size at which a cage around a closed surface has about so many: those that fill it, and what
   stands out of it all round. */
static double find_cage_cell(const sup_repair_report* surface, double count) {
    double fine = supi_cbrt(12.0 * surface->volume / count);
    for (int round = 0; round < 30; round++) {
        /* Newton's method, which comes from the side of too many and never goes past */
        double inside = 12.0 * surface->volume / (fine * fine * fine);
        double rim = RIM * surface->area / (fine * fine);
        fine *= 1.0 + (inside + rim - count) / (3.0 * inside + 2.0 * rim);
    }
    return fine;
}

static double find_cell(const sup_tets_def* def, const sup_repair_report* surface,
                        const double extent[3]) {
    double longest = 0.0;
    for (int k = 0; k < 3; k++) longest = extent[k] > longest ? extent[k] : longest;
    if (def->cell > 0.0) return def->cell;
    if (def->count == 0) return longest / SIDES;
    if (!(surface->volume > 0.0)) return sqrt(SHEET * surface->area / def->count);
    return def->method == SUP_TETS_CAGE ? find_cage_cell(surface, def->count)
                                        : supi_cbrt(12.0 * surface->volume / def->count);
}

/* A corner in the middle of the box, moved by the shift, and one cell more than needed all round.
 */
static sup_result lay_lattice(const sup_tets_def* def, const sup_mesh* mesh,
                              const sup_repair_report* surface, supi_bcc* bcc, sup_error* error) {
    double low[3], high[3], extent[3], total = 1.0, furthest = 0.0;
    supi_mesh_bounds(mesh, low, high);
    supi_vector_subtract(high, low, extent);
    double cell = find_cell(def, surface, extent);
    for (int k = 0; k < 3; k++) {
        double half = ceil(0.5 * extent[k] / cell) + 2.0;
        double shift = def->shift[k] - cell * floor(def->shift[k] / cell);
        double far = fabs(low[k]) > fabs(high[k]) ? fabs(low[k]) : fabs(high[k]);
        total *= 2.0 * half;
        furthest = far > furthest ? far : furthest;
        if (!(total <= CELLS_MOST)) {
            return supi_error_set(error, SUP_BAD_ARGUMENT,
                                  "cells of %g m are too small for this surface: its box has more "
                                  "than %d of them",
                                  cell, CELLS_MOST);
        }
        bcc->cells[k] = (int32_t)(2.0 * half);
        bcc->origin[k] = 0.5 * (low[k] + high[k]) + shift - cell * half;
    }
    if (!(cell > FLOAT_STEPS * 6e-8 * furthest)) {
        return supi_error_set(error, SUP_BAD_ARGUMENT,
                              "cells of %g m are too small for places %g m from the origin: move "
                              "the surface nearer to it",
                              cell, furthest);
    }
    bcc->cell = cell;
    return SUP_OK;
}

/* ---- Making ---- */

typedef struct making {
    const sup_allocator* allocator;
    supi_arena arena;
    sup_mesh surface; /* repaired */
    supi_sdf sdf;
    supi_tet_lattice lattice;
    sup_tets_making* report;
} making;

static bool make(making* m, sup_tets_method method, sup_tets* out) {
    supi_tet_draft draft;
    double cell = m->lattice.bcc.cell;
    bool stuff = method == SUP_TETS_STUFF;
    supi_tet_finish finish = {.least_volume = FLAT * cell * cell * cell,
                              .least_members = stuff ? 1 : PIECE};
    bool made = stuff ? supi_tet_stuff(&m->arena, &m->sdf, &m->lattice, &draft)
                      : supi_tet_cage(&m->arena, &m->surface, &m->lattice, &draft);
    if (!made || !supi_tet_finish_draft(m->allocator, &draft, &finish, out)) return false;
    m->report->method = method;
    m->report->pieces = finish.pieces;
    m->report->split = finish.split;
    m->report->dropped = finish.dropped;
    m->report->volume = 0.0;
    for (int32_t t = 0; t < out->tet_count; t++)
        m->report->volume += supi_tet_volume(out->points, out->tets + 4 * (size_t)t);
    return true;
}

/* Why STUFF will not do, or has not done; false: it does. */
static bool is_unfit(const sup_tets_making* report, const sup_tets* made, char reason[160]) {
    const sup_repair_report* surface = &report->repair;
    if (!surface->closed) {
        snprintf(reason, 160, "the surface is open: %d boundary edges, %d tangled ones",
                 (int)surface->boundary_edges, (int)surface->tangled_edges);
    } else if (made && made->tet_count == 0) {
        snprintf(reason, 160, "the surface is too thin everywhere for cells of %g m", report->cell);
    } else if (made && !(fabs(report->volume - surface->volume) <= LOST_VOLUME * surface->volume)) {
        snprintf(reason, 160, "cells of %g m make %.3g of the volume of the surface", report->cell,
                 report->volume / surface->volume);
    } else if (made && report->pieces > surface->parts - surface->cavities) {
        snprintf(reason, 160, "cells of %g m leave %d pieces of the %d of the surface",
                 report->cell, (int)report->pieces, (int)(surface->parts - surface->cavities));
    }
    return reason[0] != '\0';
}

static sup_result make_stuff(making* m, sup_tets* out, sup_error* error) {
    char reason[160] = "";
    if (is_unfit(m->report, NULL, reason))
        return supi_error_set(error, SUP_BAD_ARGUMENT, "the surface has no inside: %s", reason);
    if (!make(m, SUP_TETS_STUFF, out)) return supi_error_memory(error);
    if (out->tet_count > 0) return SUP_OK;
    is_unfit(m->report, out, reason);
    sup_tets_free(out);
    return supi_error_set(error, SUP_BAD_ARGUMENT,
                          "nothing is left of the surface: %s; take smaller ones or the cage",
                          reason);
}

static sup_result make_cage(making* m, sup_tets* out, sup_error* error) {
    if (!make(m, SUP_TETS_CAGE, out)) return supi_error_memory(error);
    const sup_repair_report* surface = &m->report->repair;
    if (out->tet_count == 0) {
        sup_tets_free(out);
        return supi_error_set(error, SUP_BAD_ARGUMENT,
                              "nothing is left of the surface: its pieces have fewer than %d "
                              "tetrahedra each; take cells smaller than %g m",
                              PIECE, m->report->cell);
    }
    if (surface->closed && surface->volume > 0.0)
        m->report->fill = surface->volume / m->report->volume;
    return SUP_OK;
}

static sup_result make_any(making* m, sup_tets* out, sup_error* error) {
    char* reason = m->report->reason;
    if (!is_unfit(m->report, NULL, reason)) {
        if (!make(m, SUP_TETS_STUFF, out)) return supi_error_memory(error);
        if (!is_unfit(m->report, out, reason)) return SUP_OK;
        sup_tets_free(out);
    }
    return make_cage(m, out, error);
}

static sup_result make_by(making* m, const sup_tets_def* def, sup_tets* out, sup_error* error) {
    supi_bcc* bcc = &m->lattice.bcc;
    sup_result result = lay_lattice(def, &m->surface, &m->report->repair, bcc, error);
    if (result != SUP_OK) return result;
    m->report->cell = bcc->cell;
    m->report->fill = 1.0;
    if (!supi_sdf_build(m->allocator, &m->surface, &m->sdf)) return supi_error_memory(error);
    supi_arena_init(&m->arena, m->allocator);
    if (!supi_tet_lattice_sort(&m->arena, &m->sdf, m->report->repair.closed, &m->lattice))
        result = supi_error_memory(error);
    else if (def->method == SUP_TETS_STUFF)
        result = make_stuff(m, out, error);
    else
        result = def->method == SUP_TETS_CAGE ? make_cage(m, out, error) : make_any(m, out, error);
    supi_arena_free(&m->arena);
    supi_sdf_free(&m->sdf);
    return result;
}

sup_result sup_tets_create(const sup_allocator* allocator, const sup_mesh* surface,
                           const sup_tets_def* def, sup_tets* out, sup_tets_making* report,
                           sup_error* error) {
    SUPI_NEED(error, surface, def, out);
    sup_tets_making made = {.fill = 1.0};
    sup_tets tets;
    making m = {.allocator = supi_mesh_allocator(allocator), .report = &made};
    sup_result result = check_def(def, error);
    if (result == SUP_OK)
        result = sup_mesh_repair(m.allocator, surface, &m.surface, &made.repair, error);
    if (result != SUP_OK) return result;
    if (m.surface.polygon_count == 0) {
        result = supi_error_set(error, SUP_BAD_ARGUMENT,
                                "the surface has no inside: none of its %d polygons has an area of "
                                "its own",
                                (int)surface->polygon_count);
    } else {
        result = make_by(&m, def, &tets, error);
    }
    sup_mesh_free(&m.surface);
    if (result != SUP_OK) return result;
    *out = tets;
    if (report) *report = made;
    return SUP_OK;
}

/* ---- Given ones ---- */

static sup_result check_given(int32_t point_count, const sup_vec3* points, int32_t tet_count,
                              const int32_t* tets, sup_error* error) {
    if (point_count < 4 || tet_count < 1) {
        return supi_error_set(error, SUP_BAD_ARGUMENT, "there is no tetrahedron");
    }
    for (int32_t p = 0; p < point_count; p++) {
        if (isfinite(points[p].x) && isfinite(points[p].y) && isfinite(points[p].z)) continue;
        return supi_error_set(error, SUP_BAD_ARGUMENT, "point %d is not finite", (int)p);
    }
    for (int64_t c = 0; c < 4 * (int64_t)tet_count; c++) {
        if (tets[c] >= 0 && tets[c] < point_count) continue;
        return supi_error_set(error, SUP_BAD_ARGUMENT,
                              "tetrahedron %d names point %d, but there are %d points",
                              (int)(c / 4), (int)tets[c], (int)point_count);
    }
    return SUP_OK;
}

sup_result sup_tets_mend(const sup_allocator* allocator, int32_t point_count,
                         const sup_vec3* points, int32_t tet_count, const int32_t* tets,
                         sup_tets* out, sup_tets_mending* mending, sup_error* error) {
    SUPI_NEED(error, out);
    if (point_count > 0) SUPI_NEED(error, points);
    if (tet_count > 0) SUPI_NEED(error, tets);
    allocator = supi_mesh_allocator(allocator);
    sup_result result = check_given(point_count, points, tet_count, tets, error);
    if (result == SUP_OK)
        result = supi_twins_check(allocator, "tetrahedra", tet_count, 4, tets, error);
    if (result != SUP_OK) return result;
    const sup_mesh cloud = {.point_count = point_count, .points = (sup_vec3*)points};
    double low[3], high[3];
    supi_mesh_bounds(&cloud, low, high);
    supi_vector_subtract(high, low, high);
    double size = supi_vector_length(high);
    supi_tet_finish finish = {
        .least_volume = FLAT_GIVEN * size * size * size, .least_members = 1, .keep_order = true};
    supi_arena arena;
    supi_arena_init(&arena, allocator);
    supi_tet_draft draft = {.point_count = point_count,
                            .tet_count = tet_count,
                            .points = cloud.points,
                            .tets = supi_arena_push(&arena, 4 * (size_t)tet_count, sizeof *tets)};
    if (draft.tets) memcpy(draft.tets, tets, 4 * (size_t)tet_count * sizeof *tets);
    sup_tets made;
    if (!draft.tets || !supi_tet_finish_draft(allocator, &draft, &finish, &made))
        result = supi_error_memory(error);
    supi_arena_free(&arena);
    if (result != SUP_OK) return result;
    if (made.tet_count == 0) {
        sup_tets_free(&made);
        return supi_error_set(error, SUP_BAD_ARGUMENT, "no tetrahedron has a volume");
    }
    *out = made;
    if (mending) {
        *mending =
            (sup_tets_mending){finish.flipped, finish.dropped, finish.isolated, finish.split};
    }
    return SUP_OK;
}
