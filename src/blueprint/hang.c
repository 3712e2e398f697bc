#include "blueprint/hang.h"

#include "base/error.h"
#include "blueprint/particles.h"
#include "blueprint/tets.h"
#include "geom/sdf.h"
#include "geom/vector.h"
#include "supple/mesh.h"

/* A particle outside of what is drawn has a smaller contact radius, but never less than this share
   of the usual one. */
#define LEAST_RADIUS 0.2
#define FAR 1e18 /* m, beyond every body */

sup_result supi_hang_check(const sup_blueprint_def* def, sup_error* error) {
    const char* why = NULL;
    if (def->skin != SUP_SKIN_TETS) return SUP_OK;
    if (def->tet_count == 0)
        why = "a skin of tetrahedra needs tetrahedra";
    else if (def->link_count + def->part_count > 0)
        why = "a skin of tetrahedra is for particles without links and parts";
    else if (def->fill > 0)
        why = "under a skin of tetrahedra the particles are those of `points`: it takes no fill";
    else if (def->tears)
        why = "a skin of tetrahedra does not tear";
    else if (def->normals || def->tangents)
        why = "a skin of tetrahedra finds its normals by itself";
    return why ? supi_error_set(error, SUP_BAD_ARGUMENT, "%s", why) : SUP_OK;
}

/* ---- The outside ---- */

/* Outward normals from the triangles outside. */
static bool find_outward(sup_blueprint* b, supi_arena* scratch) {
    int32_t count = b->solid.triangle_count;
    int32_t* starts = supi_arena_push(scratch, (size_t)count + 1, sizeof *starts);
    int32_t* rows = supi_arena_push(scratch, (size_t)b->info.particle_count, sizeof *rows);
    if (!starts || !rows) return false;
    for (int32_t i = 0; i <= count; i++) starts[i] = 3 * i;
    for (int32_t i = 0; i < b->info.particle_count; i++) rows[i] = i;
    const sup_mesh outside = {.point_count = b->info.particle_count,
                              .polygon_count = count,
                              .corner_count = 3 * count,
                              .points = b->rest,
                              .starts = starts,
                              .corners = b->solid.triangles};
    return supi_particles_outward(b, &outside, rows, scratch);
}

/* How far the drawn surface is away, and the unit vector from there. */
static double find_nearest(const supi_sdf* sdf, const double x[3], double up[3]) {
    int32_t triangle;
    supi_facet_point nearest;
    if (!supi_bvh_nearest_to(&sdf->tree, x, FAR, &triangle, &nearest)) return 0.0;
    supi_vector_subtract(x, nearest.place, up);
    double away = supi_vector_length(up);
    for (int k = 0; k < 3 && away > 0; k++) up[k] /= away;
    return away;
}

/* How far the rows outside lie under the drawn surface, which is mended first; below 0: above it,
   and their way out leads away from it. An open surface has no inside. */
static bool find_depths(sup_blueprint* b, const supi_sdf* sdf, bool closed, supi_arena* scratch) {
    bool* known = supi_arena_push(scratch, (size_t)b->info.particle_count, sizeof *known);
    b->deepest = 0.0f;
    for (int32_t i = 0; known && i < 3 * b->solid.triangle_count; i++) {
        int32_t row = b->solid.triangles[i];
        double x[3];
        if (known[row]) continue;
        known[row] = true;
        supi_vector_from(b->rest + row, x);
        double up[3], away = find_nearest(sdf, x, up);
        bool under = closed && supi_sdf_inside(sdf, x);
        b->depth[row] = (float)(under ? away : -away);
        if (!under && away > 0) b->outward[row] = supi_vector_round(up[0], up[1], up[2]);
        if (b->depth[row] > b->deepest) b->deepest = b->depth[row];
    }
    return known != NULL;
}

/* The drawn surface at rest, as a mesh of the blueprint's own arrays. */
static bool draw_rest(const sup_blueprint* b, supi_arena* scratch, sup_mesh* out) {
    sup_vec3* points = supi_arena_push(scratch, (size_t)b->info.vertex_count, sizeof *points);
    if (!points) return false;
    for (int32_t i = 0; i < b->info.vertex_count; i++) points[i] = b->skin.rest[b->vertex_rows[i]];
    *out = (sup_mesh){.point_count = b->info.vertex_count,
                      .polygon_count = b->info.polygon_count,
                      .corner_count = b->info.corner_count,
                      .points = points,
                      .starts = b->starts,
                      .corners = b->corners};
    return true;
}

static sup_result measure_depths(sup_blueprint* b, supi_arena* scratch, sup_error* error) {
    sup_mesh drawn, mended;
    sup_repair_report report;
    if (!draw_rest(b, scratch, &drawn)) return supi_error_memory(error);
    sup_result result = sup_mesh_repair(scratch->allocator, &drawn, &mended, &report, error);
    if (result != SUP_OK) return result;
    supi_sdf sdf;
    if (mended.polygon_count > 0) {
        bool built = supi_sdf_build(scratch->allocator, &mended, &sdf);
        if (!built || !find_depths(b, &sdf, report.closed, scratch)) {
            result = supi_error_memory(error);
        }
        if (built) supi_sdf_free(&sdf);
    }
    sup_mesh_free(&mended);
    return result;
}

sup_result supi_hang_renew(sup_blueprint* b, supi_arena* scratch, sup_error* error) {
    if (!supi_tets_sound(b)) {
        return supi_error_set(error, SUP_BAD_ARGUMENT, "the body is turned inside out");
    }
    b->info.volume = supi_tets_volume(b);
    if (!find_outward(b, scratch)) return supi_error_memory(error);
    return measure_depths(b, scratch, error);
}

/* Contact radii: with those above what is drawn, other bodies come nearer to it. */
static void find_radii(const sup_blueprint_def* def, sup_blueprint* b) {
    double usual = def->radius > 0 ? def->radius : 0.5 * b->info.spacing;
    for (int32_t i = 0; def->radius >= 0 && i < 3 * b->solid.triangle_count; i++) {
        int32_t row = b->solid.triangles[i];
        double least = LEAST_RADIUS * usual, own = usual;
        if (def->radius == 0 && b->depth[row] < 0.0f) own += (double)b->depth[row];
        /* A weightless particle meets nobody: it would push with infinite mass. */
        if (!(b->mass[row] > 0.0f)) continue;
        b->radius[row] = (float)(own > least ? own : least);
        if ((double)b->radius[row] > b->info.radius) b->info.radius = (double)b->radius[row];
    }
}

sup_result supi_hang_build(const sup_blueprint_def* def, sup_blueprint* b, supi_arena* scratch,
                           sup_error* error) {
    if (def->skin != SUP_SKIN_TETS) return SUP_OK;
    b->depth = supi_arena_push(&b->arena, (size_t)b->info.particle_count, sizeof *b->depth);
    if (!b->depth) return supi_error_memory(error);
    sup_result result = supi_hang_renew(b, scratch, error);
    if (result != SUP_OK) return result;
    b->info.density = def->density;
    find_radii(def, b);
    return SUP_OK;
}

sup_result supi_hang_bind(sup_blueprint* b, supi_arena* scratch, sup_error* error) {
    const sup_tets view = supi_tets_view(b);
    b->skin.home = supi_arena_push(&b->arena, (size_t)b->skin.count, sizeof *b->skin.home);
    if (!b->skin.home) return supi_error_memory(error);
    return supi_hung_bind(&view, b->skin.count, b->skin.rest, &b->arena, scratch, &b->hung,
                          b->skin.home, error);
}
