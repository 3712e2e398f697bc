/* From triangle soup to a surface with an inside: weld, drop, orient, part, fill, in this order.
   Self-intersections stay; winding numbers can tell inside from outside all the same. */
#include "geom/repair.h"

#include "base/check.h"
#include "base/error.h"
#include "geom/mesh.h"
#include "geom/twins.h"
#include "geom/vector.h"

#include <string.h>

#define NO_AREA 1e-12 /* of the squared diagonal */

/* Polygons as fans about their first corners. */
static bool cut_polygons(const sup_allocator* allocator, const sup_mesh* mesh, sup_mesh* out) {
    int32_t count = mesh->corner_count - 2 * mesh->polygon_count;
    if (count > INT32_MAX / 3 ||
        !supi_mesh_new(allocator, mesh->point_count, count, 3 * count, out)) {
        return false;
    }
    if (mesh->point_count > 0)
        memcpy(out->points, mesh->points, (size_t)mesh->point_count * sizeof *out->points);
    int32_t* corner = out->corners;
    for (int32_t k = 0; k < mesh->polygon_count; k++) {
        const int32_t* corners = mesh->corners + mesh->starts[k];
        for (int32_t i = 2; i < mesh->starts[k + 1] - mesh->starts[k]; i++) {
            *corner++ = corners[0];
            *corner++ = corners[i - 1];
            *corner++ = corners[i];
        }
    }
    for (int32_t t = 0; t <= count; t++) out->starts[t] = 3 * t;
    return true;
}

/* ---- Triangles that go ---- */

static bool has_area(const sup_mesh* mesh, int32_t triangle, double least) {
    double normal[3];
    supi_mesh_normal(mesh, triangle, normal);
    return 0.5 * supi_vector_length(normal) >= least;
}

/* Whether the corners are an even turn of their sorted order. */
static bool is_even(const int32_t c[3]) { return (c[0] < c[1]) ^ (c[1] < c[2]) ^ (c[0] < c[2]); }

/* Of those with the same corners the first stays; none where some show the other side. */
static bool mark_twins(supi_repair* repair, bool* gone) {
    const sup_mesh* mesh = &repair->mesh;
    size_t count = (size_t)mesh->polygon_count;
    int32_t* padded = supi_arena_push(&repair->arena, 4 * count, sizeof *padded);
    int32_t* ids = supi_arena_push(&repair->arena, count, sizeof *ids);
    if (!padded || !ids) return false;
    for (size_t t = 0; t < count; t++) memcpy(padded + 4 * t, mesh->corners + 3 * t, 12);
    if (!supi_twins_order(mesh->allocator, mesh->polygon_count, 4, padded, ids)) return false;
    for (int32_t first = 0, end; first < mesh->polygon_count; first = end) {
        const int32_t* own = mesh->corners + 3 * ids[first];
        bool both = false;
        for (end = first + 1; end < mesh->polygon_count; end++) {
            const int32_t* other = mesh->corners + 3 * ids[end];
            bool same = true;
            for (int k = 0; k < 3; k++)
                same = same && (other[k] == own[0] || other[k] == own[1] || other[k] == own[2]);
            if (!same) break;
            gone[ids[end]] = true;
            both = both || is_even(other) != is_even(own);
        }
        gone[ids[first]] = gone[ids[first]] || both;
    }
    return true;
}

static bool drop_triangles(supi_repair* repair) {
    sup_mesh* mesh = &repair->mesh;
    double low[3], high[3];
    supi_mesh_bounds(mesh, low, high);
    supi_vector_subtract(high, low, high);
    double least = NO_AREA * supi_vector_dot(high, high);
    bool* gone = supi_arena_push(&repair->arena, (size_t)mesh->polygon_count, sizeof *gone);
    if (!gone || !mark_twins(repair, gone)) return false;
    int32_t kept = 0;
    for (int32_t t = 0; t < mesh->polygon_count; t++) {
        if (gone[t] || !has_area(mesh, t, least)) continue;
        memmove(mesh->corners + 3 * kept++, mesh->corners + 3 * t, 3 * sizeof *mesh->corners);
    }
    repair->report.dropped += mesh->polygon_count - kept;
    sup_mesh fewer;
    if (!supi_mesh_new(mesh->allocator, mesh->point_count, kept, 3 * kept, &fewer)) return false;
    memcpy(fewer.points, mesh->points, (size_t)mesh->point_count * sizeof *fewer.points);
    memcpy(fewer.corners, mesh->corners, 3 * (size_t)kept * sizeof *fewer.corners);
    for (int32_t t = 0; t <= kept; t++) fewer.starts[t] = 3 * t;
    sup_mesh_free(mesh);
    *mesh = fewer;
    return true;
}

/* ---- The whole ---- */

/* Points that no triangle has any more. */
static bool drop_points(supi_repair* repair) {
    sup_mesh* mesh = &repair->mesh;
    int32_t* numbers = supi_arena_push(&repair->arena, (size_t)mesh->point_count, sizeof *numbers);
    if (!numbers) return false;
    int32_t kept = 0;
    for (int32_t c = 0; c < mesh->corner_count; c++) numbers[mesh->corners[c]] = 1;
    for (int32_t p = 0; p < mesh->point_count; p++) kept += numbers[p];
    sup_mesh fewer;
    if (!supi_mesh_new(mesh->allocator, kept, mesh->polygon_count, mesh->corner_count, &fewer)) {
        return false;
    }
    kept = 0;
    for (int32_t p = 0; p < mesh->point_count; p++) {
        if (!numbers[p]) continue;
        fewer.points[kept] = mesh->points[p];
        numbers[p] = kept++;
    }
    for (int32_t c = 0; c < mesh->corner_count; c++) fewer.corners[c] = numbers[mesh->corners[c]];
    for (int32_t t = 0; t <= mesh->polygon_count; t++) fewer.starts[t] = 3 * t;
    sup_mesh_free(mesh);
    *mesh = fewer;
    return true;
}

static sup_result weld(const sup_allocator* allocator, const sup_mesh* mesh, supi_repair* repair,
                       sup_error* error) {
    sup_mesh triangles;
    if (!cut_polygons(allocator, mesh, &triangles)) return supi_error_memory(error);
    sup_result result = sup_mesh_weld(allocator, &triangles, -1.0, &repair->mesh, NULL, error);
    if (result == SUP_OK) {
        repair->report.welded = mesh->point_count - repair->mesh.point_count;
        repair->report.dropped = triangles.polygon_count - repair->mesh.polygon_count;
    }
    sup_mesh_free(&triangles);
    return result;
}

/* Holes that are closed may show that a part faced inwards, or lies in another. */
static bool face_again(supi_repair* repair) {
    if (repair->report.filled == 0) return true;
    repair->report.cavities = repair->report.unorientable = 0;
    return supi_repair_orient(repair);
}

sup_result sup_mesh_repair(const sup_allocator* allocator, const sup_mesh* mesh, sup_mesh* out,
                           sup_repair_report* report, sup_error* error) {
    SUPI_NEED(error, mesh, out);
    allocator = supi_mesh_allocator(allocator);
    sup_result result = supi_mesh_check(mesh, error);
    if (result != SUP_OK) return result;
    supi_repair repair = {.mates = NULL};
    result = weld(allocator, mesh, &repair, error);
    if (result != SUP_OK) return result;
    supi_arena_init(&repair.arena, allocator);
    sup_mesh_report found;
    bool enough = drop_triangles(&repair) && supi_repair_orient(&repair) &&
                  supi_repair_pair(&repair) && supi_repair_split(&repair) &&
                  supi_repair_fill(&repair) && face_again(&repair) && drop_points(&repair);
    supi_arena_free(&repair.arena);
    result = enough ? sup_mesh_inspect(allocator, &repair.mesh, &found, error)
                    : supi_error_memory(error);
    if (result != SUP_OK) {
        sup_mesh_free(&repair.mesh);
        return result;
    }
    repair.report.closed = found.closed && repair.report.unorientable == 0;
    repair.report.parts = found.component_count;
    repair.report.boundary_edges = found.boundary_edge_count;
    repair.report.tangled_edges = found.tangled_edge_count;
    repair.report.volume = found.volume;
    repair.report.area = found.area;
    *out = repair.mesh;
    if (report) *report = repair.report;
    return SUP_OK;
}
