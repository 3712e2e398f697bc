/* How good tetrahedra are, and what they weigh. */
#include "base/check.h"
#include "base/error.h"
#include "base/memory.h"
#include "base/real.h"
#include "geom/mesh.h"
#include "geom/tet.h"
#include "geom/union_find.h"
#include "geom/vector.h"

#define DEGREES 57.29577951308232

/* The six angles between the sides of a tetrahedron. */
static void add_angles(const sup_tets* tets, int32_t t, sup_tets_report* report) {
    const int32_t* tet = tets->tets + 4 * (size_t)t;
    double c[4][3], normals[4][3], lengths[4];
    for (int k = 0; k < 4; k++) supi_vector_from(&tets->points[tet[k]], c[k]);
    for (int s = 0; s < 4; s++) {
        const int32_t* side = supi_tet_sides[s];
        double ab[3], ac[3];
        supi_vector_subtract(c[side[1]], c[side[0]], ab);
        supi_vector_subtract(c[side[2]], c[side[0]], ac);
        supi_vector_cross(ab, ac, normals[s]);
        lengths[s] = supi_vector_length(normals[s]);
    }
    for (int i = 0; i < 4; i++) {
        for (int j = 0; j < i; j++) {
            double cosine = -supi_vector_dot(normals[i], normals[j]) / (lengths[i] * lengths[j]);
            cosine = cosine > 1.0 ? 1.0 : cosine < -1.0 ? -1.0 : cosine;
            double angle = DEGREES * supi_acos(cosine);
            if (!(angle >= 0.0)) angle = 0.0; /* a side of no area */
            if (angle < report->least_angle) report->least_angle = angle;
            if (angle > report->most_angle) report->most_angle = angle;
            int32_t bin = (int32_t)(angle / 10.0);
            report->angles[bin < SUP_TETS_BINS ? bin : SUP_TETS_BINS - 1]++;
        }
    }
}

static void add_edges(const sup_tets* tets, const sup_adjacency* adjacency,
                      sup_tets_report* report) {
    double sum = 0.0;
    report->edge_count = adjacency->edge_count;
    for (int32_t e = 0; e < adjacency->edge_count; e++) {
        double a[3], b[3];
        supi_vector_from(&tets->points[adjacency->edges[2 * e]], a);
        supi_vector_from(&tets->points[adjacency->edges[2 * e + 1]], b);
        supi_vector_subtract(b, a, b);
        double length = supi_vector_length(b);
        if (e == 0 || length < report->least_edge) report->least_edge = length;
        if (e == 0 || length > report->most_edge) report->most_edge = length;
        sum += length;
    }
    if (adjacency->edge_count > 0) report->mean_edge = sum / adjacency->edge_count;
}

static sup_result measure_edges(const sup_allocator* allocator, const sup_tets* tets,
                                sup_tets_report* report, sup_error* error) {
    sup_adjacency adjacency;
    sup_result result = supi_tet_adjacency(allocator, tets, &adjacency, error);
    if (result != SUP_OK) return result;
    int32_t* parents = supi_memory_new(allocator, (size_t)tets->point_count, sizeof *parents);
    if (parents) {
        add_edges(tets, &adjacency, report);
        for (int32_t p = 0; p < tets->point_count; p++) parents[p] = p;
        for (int32_t e = 0; e < adjacency.edge_count; e++)
            supi_union_join(parents, adjacency.edges[2 * e], adjacency.edges[2 * e + 1]);
        for (int32_t p = 0; p < tets->point_count; p++) report->component_count += parents[p] == p;
    }
    supi_memory_free(allocator, parents, (size_t)tets->point_count, sizeof *parents);
    sup_adjacency_free(&adjacency);
    return parents ? SUP_OK : supi_error_memory(error);
}

static sup_result measure_surface(const sup_allocator* allocator, const sup_tets* tets,
                                  sup_tets_report* report, sup_error* error) {
    sup_mesh surface;
    sup_result result =
        sup_mesh_create(allocator, tets->point_count, tets->points, tets->triangle_count, NULL,
                        tets->triangles, &surface, error);
    if (result != SUP_OK) return result;
    result = sup_mesh_inspect(allocator, &surface, &report->surface, error);
    sup_mesh_free(&surface);
    const sup_mesh_report* found = &report->surface;
    report->euler =
        tets->point_count - found->unused_point_count - found->edge_count + tets->triangle_count;
    return result;
}

static sup_result check(const sup_tets* tets, sup_error* error) {
    for (int64_t c = 0; c < 4 * (int64_t)tets->tet_count; c++) {
        if (tets->tets[c] >= 0 && tets->tets[c] < tets->point_count) continue;
        return supi_error_set(error, SUP_BAD_ARGUMENT,
                              "tetrahedron %d names point %d, but there are %d points",
                              (int)(c / 4), (int)tets->tets[c], (int)tets->point_count);
    }
    return SUP_OK;
}

sup_result sup_tets_measure(const sup_allocator* allocator, const sup_tets* tets,
                            sup_tets_report* report, sup_error* error) {
    SUPI_NEED(error, tets, report);
    if (!allocator) allocator = sup_allocator_default();
    sup_result result = check(tets, error);
    if (result != SUP_OK) return result;
    sup_tets_report found = {.least_angle = 180.0};
    for (int32_t t = 0; t < tets->tet_count; t++) {
        double volume = supi_tet_volume(tets->points, tets->tets + 4 * (size_t)t);
        found.volume += volume;
        if (t == 0 || volume < found.least_volume) found.least_volume = volume;
        add_angles(tets, t, &found);
    }
    result = measure_edges(allocator, tets, &found, error);
    if (result == SUP_OK) result = measure_surface(allocator, tets, &found, error);
    if (result == SUP_OK) *report = found;
    return result;
}

sup_result sup_tets_outside(const sup_allocator* allocator, const sup_tets* tets, sup_mesh* out,
                            sup_error* error) {
    SUPI_NEED(error, tets, out);
    int32_t count = 0, corners = 3 * tets->triangle_count;
    supi_arena arena;
    supi_arena_init(&arena, supi_mesh_allocator(allocator));
    int32_t* numbers = supi_arena_push(&arena, (size_t)tets->point_count, sizeof *numbers);
    int32_t* own = supi_arena_push(&arena, (size_t)corners, sizeof *own);
    sup_vec3* points = supi_arena_push(&arena, (size_t)tets->point_count, sizeof *points);
    sup_result result = SUP_NO_MEMORY;
    if (numbers && own && points) {
        for (int32_t i = 0; i < corners; i++) {
            int32_t* number = &numbers[tets->triangles[i]];
            if (*number == 0) points[count] = tets->points[tets->triangles[i]], *number = ++count;
            own[i] = *number - 1;
        }
        result =
            sup_mesh_create(allocator, count, points, tets->triangle_count, NULL, own, out, error);
    } else {
        supi_error_memory(error);
    }
    supi_arena_free(&arena);
    return result;
}

void sup_tets_masses(const sup_tets* tets, double density, double fill, float* masses) {
    for (int32_t p = 0; p < tets->point_count; p++) masses[p] = 0.0f;
    for (int32_t t = 0; t < tets->tet_count; t++) {
        const int32_t* tet = tets->tets + 4 * (size_t)t;
        double mass = density * fill * supi_tet_volume(tets->points, tet);
        for (int k = 0; k < 4; k++) masses[tet[k]] = (float)((double)masses[tet[k]] + 0.25 * mass);
    }
}
