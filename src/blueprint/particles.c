#include "blueprint/particles.h"

#include "base/error.h"
#include "blueprint/blob.h"
#include "blueprint/rim.h"
#include "blueprint/sheet.h"
#include "blueprint/tears.h"
#include "geom/mesh.h"
#include "geom/morton.h"
#include "geom/nearest.h"
#include "geom/vector.h"
#include "solve/straight.h"
#include "supple/mesh.h"

#include <float.h>
#include <math.h>
#include <string.h>

/* Are the drawn vertices no particles? */
static bool is_skinned(const sup_blueprint_def* def) { return def->skin != SUP_SKIN_PARTICLES; }

/* Particles by id while they are collected. */
typedef struct gathering {
    const sup_allocator* allocator;
    sup_mesh welded;
    sup_weld_map map;
    sup_adjacency adjacency;
    sup_mesh_report report;
    sup_vec3* filled;
    int32_t filled_count;
} gathering;

static void gathering_free(gathering* g) {
    sup_mesh_free(&g->welded);
    sup_weld_map_free(&g->map);
    sup_adjacency_free(&g->adjacency);
    sup_points_free(g->allocator, g->filled, g->filled_count);
}

static sup_result gather_surface(const sup_blueprint_def* def, gathering* g, sup_error* error) {
    sup_result result =
        sup_mesh_weld(g->allocator, def->surface, def->weld, &g->welded, &g->map, error);
    if (result == SUP_OK && !is_skinned(def)) {
        result = sup_mesh_adjacency(g->allocator, &g->welded, &g->adjacency, error);
    }
    if (result == SUP_OK) result = sup_mesh_inspect(g->allocator, &g->welded, &g->report, error);
    /* Oriented particles and tetrahedra need no outside: what they carry is drawn, and no more. */
    if (def->skin > SUP_SKIN_CLUSTERS) g->report.volume = fabs(g->report.volume);
    if (result == SUP_OK && supi_mesh_inside_out(&g->report)) {
        result = supi_error_set(error, SUP_BAD_ARGUMENT,
                                "the surface is inside out (its volume is negative)");
    }
    if (result == SUP_OK && def->fill > 0) {
        result = sup_mesh_fill(g->allocator, &g->welded, def->fill, 0.5 * def->fill, &g->filled,
                               &g->filled_count, error);
    }
    return result;
}

/* Grows a box around points. */
static void box_grow(int32_t count, const sup_vec3* points, double low[3], double high[3]) {
    for (int32_t i = 0; i < count; i++) {
        double p[3];
        supi_vector_from(points + i, p);
        for (int k = 0; k < 3; k++) {
            low[k] = p[k] < low[k] ? p[k] : low[k];
            high[k] = p[k] > high[k] ? p[k] : high[k];
        }
    }
}

/* The diagonal of the box around the particles and, where there is one, the skin. */
static sup_result measure_size(int32_t count, const sup_vec3* points, int32_t skin_count,
                               const sup_vec3* skin, double* size, sup_error* error) {
    double low[3] = {DBL_MAX, DBL_MAX, DBL_MAX}, high[3] = {-DBL_MAX, -DBL_MAX, -DBL_MAX};
    double diagonal[3];
    box_grow(count, points, low, high);
    box_grow(skin_count, skin, low, high);
    supi_vector_subtract(high, low, diagonal);
    *size = supi_vector_length(diagonal);
    if (*size <= 1e6) return SUP_OK;
    return supi_error_set(error, SUP_BAD_ARGUMENT, "the body is larger than 1000 km");
}

/* Mean distance of neighbours: along mesh edges or the lattice where there is one, else to the
   nearest particle. False: no memory. */
static bool mean_spacing(const sup_blueprint_def* def, const gathering* g, int32_t count,
                         const sup_vec3* points, double* mean) {
    bool lattice = is_skinned(def) && def->fill > 0;
    *mean = lattice ? def->fill : g->report.mean_edge;
    if (lattice || (!is_skinned(def) && g->report.edge_count > 0)) return true;
    return supi_nearest_mean(g->allocator, count, points, mean);
}

static void clamp_masses(int32_t count, float* masses) {
    double sum = 0.0;
    for (int32_t i = 0; i < count; i++) sum += (double)masses[i];
    for (int32_t i = 0; i < count; i++) {
        if (masses[i] == 0.0f) masses[i] = (float)(1e-6 * sum / count);
    }
}

static sup_result masses_by_id(const sup_blueprint_def* def, const gathering* g, int32_t count,
                               float* masses, sup_error* error) {
    double share = 1.0;
    if (def->mass > 0)
        share = def->mass / count;
    else if (!def->masses && g->report.closed) {
        if (!(g->report.volume > 0)) {
            return supi_error_set(error, SUP_BAD_ARGUMENT,
                                  "the surface has no volume: give a mass instead of a density");
        }
        share = def->density * g->report.volume / count;
    }
    for (int32_t i = 0; i < count; i++) {
        float mass = def->masses ? def->masses[i] : (float)share;
        if (!(mass == 0.0f || (mass >= 1e-30f && mass <= 1e9f))) {
            return supi_error_set(error, SUP_BAD_ARGUMENT,
                                  "mass of particle %d must be 0 or lie between 1e-30 and 1e9 kg",
                                  (int)i);
        }
        masses[i] = mass;
    }
    if (def->clamp_masses) clamp_masses(count, masses);
    return SUP_OK;
}

/* Springs that name particles, and alone hold them together. */
static bool springs_alone(const sup_blueprint_def* def, int32_t count) {
    bool alone = def->spring_count > 0 && def->layout == SUP_CLUSTERS_NONE &&
                 def->link_count + def->part_count == 0 && def->refine.levels == 0;
    for (int32_t i = 0; i < def->spring_count && alone; i++) {
        const sup_spring* s = def->springs + i;
        alone = s->a >= 0 && s->a < count && s->b >= 0 && s->b < count;
    }
    return alone;
}

/* Takes ids for rows where springs go along lines then, so that a pass over them takes a good deal
   less than in the order at hand. False: no memory. */
static bool keep_lines(const sup_blueprint_def* def, sup_blueprint* b, int32_t count,
                       supi_arena* scratch) {
    supi_straight_sums sorted, as_given;
    if (!springs_alone(def, count)) return true;
    for (int32_t row = 0; row < count; row++) b->row_of[b->id_of[row]] = row;
    if (!supi_straight_measure(count, b->row_of, def->spring_count, def->springs, scratch,
                               &sorted) ||
        !supi_straight_measure(count, NULL, def->spring_count, def->springs, scratch, &as_given)) {
        return false;
    }
    bool better = 8 * as_given.cost < 7 * sorted.cost;
    for (int32_t row = 0; row < count && better; row++) b->id_of[row] = row;
    return true;
}

/* Ids in Morton order become rows, or as they are. */
static sup_result order_rows(const sup_blueprint_def* def, sup_blueprint* b,
                             const sup_allocator* allocator, supi_arena* scratch,
                             const sup_vec3* points, const float* masses, int32_t surface_count,
                             double radius, sup_error* error) {
    int32_t count = supi_tears_rows(b);
    if (!supi_morton_order(allocator, count, &points->x, 3, b->id_of) ||
        !keep_lines(def, b, count, scratch) ||
        !supi_sheet_order(&def->refine, count, b->id_of, scratch)) {
        return supi_error_memory(error);
    }
    for (int32_t row = 0; row < count; row++) {
        int32_t id = b->id_of[row];
        b->row_of[id] = row;
        b->rest[row] = points[id];
        b->mass[row] = masses[id];
        b->inverse_mass[row] = masses[id] > 0.0f ? 1.0f / masses[id] : 0.0f;
        /* A weightless particle meets nobody: it would push with infinite mass. */
        b->radius[row] = id < surface_count && masses[id] > 0.0f ? (float)radius : 0.0f;
        b->info.mass += (double)masses[id];
    }
    supi_tears_place(b);
    if (!(b->info.mass > 0)) {
        return supi_error_set(error, SUP_BAD_ARGUMENT, "all particles have zero mass");
    }
    return SUP_OK;
}

static void find_centre(sup_blueprint* b) {
    for (int k = 0; k < 3; k++) b->info.centre[k] = 0.0;
    for (int32_t row = 0; row < b->info.particle_count; row++) {
        double p[3];
        supi_vector_from(b->rest + row, p);
        for (int k = 0; k < 3; k++) b->info.centre[k] += (double)b->mass[row] / b->info.mass * p[k];
    }
}

sup_result supi_particles_measure(sup_blueprint* b, sup_error* error) {
    find_centre(b);
    return measure_size(b->info.particle_count, b->rest, b->skin.count, b->skin.rest, &b->info.size,
                        error);
}

static sup_result mark_pins(const sup_blueprint_def* def, sup_blueprint* b, sup_error* error) {
    int32_t count = supi_tears_rows(b);
    for (int32_t i = 0; i < def->pin_count; i++) {
        int32_t id = def->pins[i];
        if (id < 0 || id >= count) {
            return supi_error_set(error, SUP_BAD_ARGUMENT, "pin %d names particle %d, there are %d",
                                  (int)i, (int)id, (int)count);
        }
        b->inverse_mass[b->row_of[id]] = -1.0f; /* a mark that survives duplicates */
    }
    for (int32_t row = 0; row < count; row++) {
        if (b->inverse_mass[row] < 0.0f) {
            b->inverse_mass[row] = 0.0f;
            b->pins[b->pin_count++] = row;
        } else if (b->mass[row] == 0.0f) {
            b->weightless[b->weightless_count++] = row;
        }
    }
    b->info.pinned_count = b->pin_count;
    return SUP_OK;
}

/* The mean of their polygons' normals by area. */
bool supi_particles_outward(sup_blueprint* b, const sup_mesh* surface, const int32_t* row_of,
                            supi_arena* scratch) {
    size_t count = (size_t)b->info.particle_count;
    double(*sums)[3] = supi_arena_push(scratch, count, sizeof *sums);
    b->outward = supi_arena_push(&b->arena, count, sizeof *b->outward);
    if (!sums || !b->outward) return false;
    for (int32_t p = 0; p < surface->polygon_count; p++) {
        const int32_t* corner = surface->corners + surface->starts[p];
        int32_t corners = surface->starts[p + 1] - surface->starts[p];
        double normal[3];
        supi_mesh_normal(surface, p, normal);
        for (int32_t i = 0; i < corners; i++) {
            for (int k = 0; k < 3; k++) sums[row_of[corner[i]]][k] += normal[k];
        }
    }
    for (size_t r = 0; r < count; r++) {
        double length = supi_vector_length(sums[r]);
        if (!(length > 0)) continue;
        b->outward[r] = (sup_vec3){(float)(sums[r][0] / length), (float)(sums[r][1] / length),
                                   (float)(sums[r][2] / length)};
    }
    return true;
}

/* Nothing is drawn between the particles of a cloud: colliders stay away from their spheres. */
static bool round_cloud(sup_blueprint* b) {
    size_t count = (size_t)b->info.particle_count;
    b->depth = supi_arena_push(&b->arena, count, sizeof *b->depth);
    if (!b->depth) return false;
    memcpy(b->depth, b->radius, count * sizeof *b->depth);
    b->deepest = (float)b->info.radius;
    return true;
}

/* The drawn points of a skin that oriented particles or tetrahedra carry: these meet others by
   themselves. */
static bool take_skin(sup_blueprint* b, const sup_mesh* welded) {
    size_t points = (size_t)welded->point_count;
    b->skin.rest = supi_arena_push(&b->arena, points, sizeof *b->skin.rest);
    if (!b->skin.rest) return false;
    b->skin.count = welded->point_count;
    memcpy(b->skin.rest, welded->points, points * sizeof *b->skin.rest);
    return true;
}

static sup_result copy_surface(const sup_blueprint_def* def, sup_blueprint* b, const gathering* g,
                               supi_arena* scratch, int32_t** edges, int32_t* edge_count,
                               sup_error* error) {
    const sup_mesh* mesh = def->surface;
    bool skinned = is_skinned(def);
    size_t vertices = (size_t)mesh->point_count + (def->tears ? (size_t)mesh->corner_count : 0);
    b->vertex_rows = supi_arena_push(&b->arena, vertices, sizeof(int32_t));
    b->starts = supi_arena_push(&b->arena, (size_t)mesh->polygon_count + 1, sizeof(int32_t));
    b->corners = supi_arena_push(&b->arena, (size_t)mesh->corner_count, sizeof(int32_t));
    if (!b->vertex_rows || !b->starts || !b->corners) return supi_error_memory(error);
    for (int32_t i = 0; i < mesh->point_count; i++) {
        int32_t point = g->map.to_welded[i];
        b->vertex_rows[i] = skinned ? point : b->row_of[point];
    }
    memcpy(b->starts, mesh->starts, ((size_t)mesh->polygon_count + 1) * sizeof(int32_t));
    if (mesh->corner_count > 0) {
        memcpy(b->corners, mesh->corners, (size_t)mesh->corner_count * sizeof(int32_t));
    }
    b->info.vertex_count = mesh->point_count;
    b->info.polygon_count = mesh->polygon_count;
    b->info.corner_count = mesh->corner_count;
    if (def->skin > SUP_SKIN_CLUSTERS) {
        return take_skin(b, &g->welded) ? SUP_OK : supi_error_memory(error);
    }
    if (skinned) {
        const supi_rim_source source = {&g->welded, g->report.closed, g->filled_count};
        return supi_rim_build(def, &source, b, scratch, edges, edge_count)
                   ? SUP_OK
                   : supi_error_memory(error);
    }
    *edge_count = g->adjacency.edge_count;
    *edges = supi_arena_push(scratch, 2 * (size_t)*edge_count, sizeof(int32_t));
    if (!*edges) return supi_error_memory(error);
    for (int32_t i = 0; i < 2 * *edge_count; i++) (*edges)[i] = b->row_of[g->adjacency.edges[i]];
    /* What tears does not stay closed. */
    if (def->tears) {
        supi_tears_unshare(b);
        return SUP_OK;
    }
    if (g->report.closed && !supi_particles_outward(b, &g->welded, b->row_of, scratch)) {
        return supi_error_memory(error);
    }
    return mesh->polygon_count > 0 || round_cloud(b) ? SUP_OK : supi_error_memory(error);
}

static bool push_rows(sup_blueprint* b, int32_t pin_count) {
    size_t count = (size_t)b->info.particle_count;
    b->row_of = supi_arena_push(&b->arena, count, sizeof(int32_t));
    b->id_of = supi_arena_push(&b->arena, count, sizeof(int32_t));
    b->rest = supi_arena_push(&b->arena, count, sizeof(sup_vec3));
    b->mass = supi_arena_push(&b->arena, count, sizeof(float));
    b->inverse_mass = supi_arena_push(&b->arena, count, sizeof(float));
    b->radius = supi_arena_push(&b->arena, count, sizeof(float));
    b->pins = supi_arena_push(&b->arena, (size_t)pin_count, sizeof(int32_t));
    b->weightless = supi_arena_push(&b->arena, count, sizeof(int32_t));
    return b->row_of && b->id_of && b->rest && b->mass && b->inverse_mass && b->radius && b->pins &&
           b->weightless;
}

/* Everything once the surface is welded and filled. */
static sup_result place_rows(const sup_blueprint_def* def, sup_blueprint* b, const gathering* g,
                             supi_arena* scratch, sup_error* error) {
    int32_t welded = is_skinned(def) ? 0 : g->welded.point_count;
    int64_t total = (int64_t)welded + g->filled_count + def->point_count;
    if (total < 1 && is_skinned(def)) {
        return supi_error_set(error, SUP_BAD_ARGUMENT,
                              "no particle under the skin: the surface is too narrow for a filling "
                              "of this spacing");
    }
    if (total < 1 || total > INT32_MAX - 8) {
        return supi_error_set(error, SUP_BAD_ARGUMENT, "a blueprint needs 1 to 2^31 particles");
    }
    int32_t count = (int32_t)total;
    sup_vec3* points = supi_arena_push(scratch, (size_t)count, sizeof *points);
    float* masses = supi_arena_push(scratch, (size_t)count, sizeof *masses);
    b->spare_count = b->info.spare_count = supi_tears_spares(def, count);
    if (count > INT32_MAX - 8 - b->spare_count) {
        return supi_error_set(error, SUP_BAD_ARGUMENT, "a blueprint needs 1 to 2^31 particles");
    }
    b->info.particle_count = count + b->spare_count;
    b->row_count = (b->info.particle_count + 7) & ~7;
    if (!points || !masses || !push_rows(b, def->pin_count)) return supi_error_memory(error);
    if (welded) memcpy(points, g->welded.points, (size_t)welded * sizeof *points);
    if (g->filled_count) {
        memcpy(points + welded, g->filled, (size_t)g->filled_count * sizeof *points);
    }
    if (def->point_count) {
        memcpy(points + welded + g->filled_count, def->points,
               (size_t)def->point_count * sizeof *points);
    }

    int32_t skin_count = is_skinned(def) ? g->welded.point_count : 0;
    sup_result result =
        measure_size(count, points, skin_count, g->welded.points, &b->info.size, error);
    if (result != SUP_OK) return result;
    if (!mean_spacing(def, g, count, points, &b->info.spacing)) return supi_error_memory(error);
    double radius = def->radius > 0         ? def->radius
                    : def->blob_spacing > 0 ? SUPI_BLOB_RADIUS * def->blob_spacing
                                            : 0.5 * b->info.spacing;
    if (def->radius < 0 || welded == 0) radius = 0.0;
    b->info.radius = radius;
    b->info.surface_particle_count = welded;
    b->info.skin = def->skin;
    b->info.volume = g->report.closed ? g->report.volume : 0.0;
    result = masses_by_id(def, g, count, masses, error);
    if (result != SUP_OK) return result;
    result = supi_sheet_check(def, count, points, error);
    if (result != SUP_OK) return result;
    result = order_rows(def, b, g->allocator, scratch, points, masses, welded, radius, error);
    if (result == SUP_OK) find_centre(b);
    b->info.density = b->info.volume > 0 ? b->info.mass / b->info.volume : def->density;
    return result == SUP_OK ? mark_pins(def, b, error) : result;
}

sup_result supi_particles_build(const sup_blueprint_def* def, sup_blueprint* blueprint,
                                supi_arena* scratch, int32_t** edges, int32_t* edge_count,
                                sup_error* error) {
    gathering g = {.allocator = blueprint->arena.allocator};
    *edges = NULL;
    *edge_count = 0;
    sup_result result = def->surface ? gather_surface(def, &g, error) : SUP_OK;
    if (result == SUP_OK) result = place_rows(def, blueprint, &g, scratch, error);
    if (result == SUP_OK && def->surface) {
        result = copy_surface(def, blueprint, &g, scratch, edges, edge_count, error);
    }
    gathering_free(&g);
    return result;
}
