#include "blueprint/blob.h"

#include "base/check.h"
#include "base/error.h"
#include "geom/mesh.h"
#include "supple/mesh.h"

#include <math.h>

/* Distance of neighbours at rest when many are densely packed, over that of two: those further away
   pull them together. */
#define REST 0.917

static sup_result refuse(sup_error* error, const char* why) {
    return supi_error_set(error, SUP_BAD_ARGUMENT, "%s", why);
}

sup_result supi_blob_check(const sup_blueprint_def* def, sup_error* error) {
    if (!(def->blob_spacing > 0)) return SUP_OK;
    if (def->blob_spacing < 1e-6) {
        return refuse(error, "the spacing of soft substance must be at least 1e-6 m");
    }
    if (def->layout != SUP_CLUSTERS_NONE ||
        def->spring_count + def->link_count + def->part_count + def->tet_count + def->point_count >
            0) {
        return refuse(error,
                      "soft substance holds together by itself: it has no clusters, springs, "
                      "links, parts, tetrahedra or further points");
    }
    if (!def->surface || def->surface->polygon_count > 0 || def->skin != SUP_SKIN_PARTICLES) {
        return refuse(error, "soft substance is a cloud of particles: fill a closed surface with "
                             "sup_blob_fill");
    }
    if (def->tears || def->refine.levels > 0 || def->fill > 0) {
        return refuse(error, "soft substance has nothing that tears, is refined or filled");
    }
    for (int32_t i = 0; def->masses && i < def->surface->point_count; i++) {
        if (!(def->masses[i] > 0.0f)) return refuse(error, "soft substance needs masses above 0");
    }
    return SUP_OK;
}

bool supi_blob_fits(const sup_blueprint* b) {
    double spacing = b->info.blob_spacing;
    if (spacing == 0.0) return true;
    return spacing >= 1e-6 && spacing <= 1e3 && b->loose && b->spring_count == 0 && !b->oriented &&
           b->solid.tet_count == 0 && b->skin.count == 0 && b->weightless_count == 0 &&
           !b->can_tear && b->refine.levels == 0 && supi_blueprint_is_cloud(b);
}

/* ---- Filling ---- */

/* Is the place of a cubic lattice one of every second, as on a board of chess? These are the
   centres of densely packed balls. */
static bool is_dark(const sup_vec3* p, const double middle[3], double step) {
    const double at[3] = {(double)p->x, (double)p->y, (double)p->z};
    int64_t sum = 0;
    for (int k = 0; k < 3; k++) sum += (int64_t)floor((at[k] - middle[k]) / step + 0.5);
    return (sum & 1) == 0;
}

sup_result sup_blob_fill(const sup_allocator* allocator, const sup_mesh* closed, double spacing,
                         sup_mesh* cloud, sup_error* error) {
    SUPI_NEED(error, closed, cloud);
    if (!(spacing >= 1e-6 && spacing <= 1e3)) {
        return refuse(error, "the spacing of soft substance must lie between 1e-6 and 1000 m");
    }
    const sup_allocator* memory = supi_mesh_allocator(allocator);
    double step = REST * spacing / 1.4142135623730951, low[3], high[3], middle[3];
    sup_vec3* points;
    int32_t count, kept = 0;
    sup_result result = sup_mesh_fill(memory, closed, step, 0.5 * spacing, &points, &count, error);
    if (result != SUP_OK) return result;
    supi_mesh_bounds(closed, low, high);
    for (int k = 0; k < 3; k++) middle[k] = 0.5 * (low[k] + high[k]);
    for (int32_t i = 0; i < count; i++) kept += is_dark(points + i, middle, step);
    sup_mesh mesh = {0};
    if (kept == 0) {
        result =
            refuse(error, "there is no room for a particle: the surface is too narrow for this "
                          "spacing");
    } else if (!supi_mesh_new(memory, kept, 0, 0, &mesh)) {
        result = supi_error_memory(error);
    }
    for (int32_t i = 0, to = 0; result == SUP_OK && i < count; i++) {
        if (is_dark(points + i, middle, step)) mesh.points[to++] = points[i];
    }
    sup_points_free(memory, points, count);
    if (result == SUP_OK) *cloud = mesh;
    return result;
}
