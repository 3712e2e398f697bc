/* Spraying particles into a mesh or onto it. */
#include "base/check.h"
#include "base/real.h"
#include "blueprint/fit.h"
#include "geom/spray.h"
#include "geom/vector.h"

#include <math.h>

#define ROUNDS 10       /* of looking for the spacing that gives a count */
#define NEAR_ENOUGH 0.1 /* of the count */
#define COVER 1.5       /* spacings from every particle: there a part is too thin to be filled */

sup_spray_def sup_spray_default(void) {
    return (sup_spray_def){.size = sizeof(sup_spray_def),
                           .count = 300,
                           .seed = 1,
                           .failures = 30,
                           .relax = 2,
                           .cover = true};
}

/* A spray in the making. */
typedef struct job {
    sup_rig* rig;
    const sup_spray_def* def;
    bool inside;
    supi_arena scratch;
    supi_cloud cloud; /* of the surface */
    const sup_vec3* lattice;
    int32_t lattice_count;
    double step; /* m, between spots of the lattice */
    int32_t count, surface_count;
    sup_vec3* places; /* those of the rig, then the new ones: first all inside */
} job;

static sup_result check(const sup_rig* rig, const sup_spray_def* def, sup_error* error) {
    sup_result result = supi_rig_check_size(def->size, sizeof *def, "sup_spray_def", error);
    if (result == SUP_OK) result = supi_rig_check_brush(&def->brush, error);
    if (result == SUP_OK) result = supi_rig_check_mesh(rig, "spray", error);
    if (result != SUP_OK) return result;
    const supi_range ranges[] = {{"where", def->where, SUP_SPRAY_AUTO, SUP_SPRAY_SURFACE},
                                 {"the spacing", def->spacing, 0, SUPI_RIG_FAR},
                                 {"the count", def->count, 1, 100000},
                                 {"the gap", def->gap, 0, SUPI_RIG_FAR},
                                 {"the seed", def->seed, 0, INT32_MAX},
                                 {"failures", def->failures, 1, 1000},
                                 {"relax", def->relax, 0, 100}};
    result = supi_check_ranges(ranges, sizeof ranges / sizeof *ranges, error);
    if (result != SUP_OK || def->spacing == 0.0 || def->spacing >= 1e-5 * rig->shape.size) {
        return result;
    }
    return supi_error_set(error, SUP_BAD_ARGUMENT,
                          "the spacing is less than a hundred-thousandth of the mesh");
}

/* Where to begin looking for the spacing that gives a count: that of a thick body, but for one that
   has hardly any inside. */
static double guess(const job* j) {
    if (j->def->spacing > 0.0) return j->def->spacing;
    const supi_rig_shape* shape = &j->rig->shape;
    double thick = supi_cbrt(0.7 * shape->volume / j->def->count);
    double thin = sqrt(0.7 * shape->area / j->def->count);
    return j->inside && thick > 0.05 * thin ? thick : thin;
}

static sup_result lay_lattice(job* j, double spacing, sup_error* error) {
    sup_result result =
        supi_rig_lattice(j->rig, spacing / 3.0, &j->lattice, &j->lattice_count, error);
    j->step = j->rig->lattice_step;
    if (result != SUP_OK || j->lattice_count > 0) return result;
    return supi_error_set(error, SUP_BAD_ARGUMENT,
                          "the mesh is too thin to be filled; spray its surface");
}

static sup_result sample_surface(job* j, double step, sup_error* error) {
    const supi_rig_shape* shape = &j->rig->shape;
    bool made = supi_cloud_sample(&j->scratch, shape->point_count, shape->points,
                                  shape->triangle_count, shape->triangles, step, &j->cloud);
    return made ? SUP_OK : supi_error_memory(error);
}

static supi_spray_board board_of(const job* j, bool inside) {
    const supi_rig_shape* shape = &j->rig->shape;
    return (supi_spray_board){.spot_count = inside ? j->lattice_count : j->cloud.count,
                              .spots = inside ? j->lattice : j->cloud.points,
                              .tree = &shape->tree,
                              .jitter = inside ? 0.5 * j->step : 0.0,
                              .triangle_count = shape->triangle_count,
                              .points = shape->points,
                              .triangles = shape->triangles,
                              .sums = shape->sums};
}

/* Places that are there, in cells as wide as the gap. */
static bool enter_old(const job* j, int32_t count, double gap, supi_cells* old) {
    supi_cells_begin(old, j->rig->allocator, gap);
    for (int32_t i = 0; i < count; i++) {
        double p[3];
        supi_vector_from(&j->places[i], p);
        if (!supi_cells_add(old, p)) return false;
    }
    return true;
}

/* One throw with these distances; spray->found is then the caller's. */
static sup_result throw_once(const job* j, bool inside, double spacing, double gap, int32_t most,
                             supi_spray* spray, sup_error* error) {
    supi_cells old;
    supi_spray_board board = board_of(j, inside);
    *spray = (supi_spray){.old = &old,
                          .gap = gap,
                          .spacing = spacing,
                          .failures = j->def->failures,
                          .most = most,
                          .brush = j->def->brush,
                          .random = supi_random_begin((uint32_t)j->def->seed)};
    bool made =
        enter_old(j, j->count, gap, &old) && supi_spray_throw(spray, j->rig->allocator, &board);
    supi_cells_free(&old);
    spray->old = NULL;
    return made ? SUP_OK : supi_error_memory(error);
}

static sup_result append(job* j, const supi_cells* found, sup_error* error) {
    int64_t count = (int64_t)j->count + found->count;
    if (count > SUPI_RIG_MOST) {
        return supi_error_set(error, SUP_BAD_ARGUMENT,
                              "the spacing is too small: it gives more than a million particles");
    }
    sup_vec3* places = supi_arena_push(&j->scratch, (size_t)count, sizeof *places);
    if (!places) return supi_error_memory(error);
    for (int32_t i = 0; i < j->count; i++) places[i] = j->places[i];
    for (int32_t i = 0; i < found->count; i++) {
        const double* p = supi_cells_place(found, i);
        places[j->count + i] = supi_vector_round(p[0], p[1], p[2]);
    }
    j->places = places;
    j->count = (int32_t)count;
    return SUP_OK;
}

/* New places inside or on the surface, each in the middle of what is nearest to it. */
static sup_result place(job* j, bool inside, double spacing, double gap, sup_error* error) {
    supi_spray spray;
    int32_t before = j->count;
    sup_result result =
        throw_once(j, inside, spacing, gap, SUPI_RIG_MOST - before + 1, &spray, error);
    if (result == SUP_OK) result = append(j, &spray.found, error);
    supi_cells_free(&spray.found);
    const supi_spray_board board = board_of(j, inside);
    const supi_relax relax = {.spot_count = board.spot_count,
                              .spots = board.spots,
                              .areas = inside ? NULL : j->cloud.areas,
                              .tree = board.tree,
                              .on_surface = !inside,
                              .brush = &j->def->brush};
    for (int32_t i = 0; result == SUP_OK && i < j->def->relax && j->count > before; i++) {
        if (!supi_spray_relax(&relax, j->rig->allocator, before, j->count, j->places)) {
            result = supi_error_memory(error);
        }
    }
    return result;
}

/* Particles follow the spacing with a power from 1 (a rope) to 3: with 2 in between, every guess is
   at most half as wrong as the one before. */
static sup_result find_spacing(job* j, double* spacing, sup_error* error) {
    double wanted = (double)j->def->count;
    for (int32_t round = 0; round < ROUNDS; round++) {
        supi_spray spray;
        sup_result result = SUP_OK;
        if (j->inside) result = lay_lattice(j, *spacing, error);
        if (result == SUP_OK) {
            result = throw_once(j, j->inside, *spacing, j->def->gap > 0.0 ? j->def->gap : *spacing,
                                4 * j->def->count + 100, &spray, error);
        }
        if (result != SUP_OK) return result;
        double ratio = (spray.found.count > 0 ? spray.found.count : 0.25) / wanted;
        supi_cells_free(&spray.found);
        if (fabs(ratio - 1.0) <= NEAR_ENOUGH) break;
        double factor = sqrt(ratio);
        double next = *spacing * (factor < 0.5 ? 0.5 : factor > 2.0 ? 2.0 : factor);
        if (next > j->rig->shape.size) next = j->rig->shape.size;
        if (next < 1e-5 * j->rig->shape.size || next == *spacing) break;
        *spacing = next;
    }
    return SUP_OK;
}

static sup_result run(job* j, double* spacing, sup_error* error) {
    const sup_spray_def* def = j->def;
    *spacing = guess(j);
    sup_result result = sample_surface(j, *spacing / 3.0, error);
    if (result == SUP_OK && def->spacing == 0.0) result = find_spacing(j, spacing, error);
    if (result == SUP_OK && j->inside) result = lay_lattice(j, *spacing, error);
    if (result == SUP_OK) result = sample_surface(j, *spacing / 3.0, error);
    double gap = def->gap > 0.0 ? def->gap : *spacing;
    if (result == SUP_OK) result = place(j, j->inside, *spacing, gap, error);
    j->surface_count = j->inside ? 0 : j->count - j->rig->now.particle_count;
    if (result != SUP_OK || !j->inside || !def->cover) return result;
    int32_t before = j->count;
    result = place(j, false, *spacing, COVER * *spacing, error);
    j->surface_count = j->count - before;
    return result;
}

static sup_result commit(job* j, double spacing, int32_t* added, sup_error* error) {
    sup_rig* rig = j->rig;
    int32_t before = rig->now.particle_count, inside_end = j->count - j->surface_count;
    if (!supi_rig_reserve(rig, j->count, 0, 0, 0, 0)) return supi_error_memory(error);
    const sup_rig_settings old = rig->now.settings;
    rig->now.settings.where = j->inside ? SUP_SPRAY_INSIDE : SUP_SPRAY_SURFACE;
    rig->now.settings.spacing = spacing;
    rig->now.settings.seed = j->def->seed;
    for (int32_t i = before; i < j->count; i++) {
        supi_rig_append(rig, j->places[i], i < inside_end ? 0 : SUP_RIG_SURFACE);
    }
    sup_result result = supi_rig_weigh_new(rig, before, error);
    if (result != SUP_OK) rig->now.settings = old;
    if (result == SUP_OK && added) *added = j->count - before;
    return result;
}

/* A mesh that is closed may still have no inside: a leaf of two sides, or polygons that disagree
   about where that is. */
static sup_result find_inside(job* j, sup_error* error) {
    const sup_vec3* points;
    int32_t count = 0;
    sup_result result = SUP_OK;
    j->inside = j->def->where == SUP_SPRAY_INSIDE;
    if (j->inside) return supi_rig_check_closed(j->rig, error);
    if (j->def->where == SUP_SPRAY_SURFACE || !j->rig->shape.closed) return SUP_OK;
    result = supi_rig_lattice(j->rig, j->rig->shape.size, &points, &count, error);
    j->inside = count > 0;
    return result;
}

sup_result sup_rig_spray(sup_rig* rig, const sup_spray_def* def, int32_t* added, sup_error* error) {
    SUPI_NEED(error, rig, def);
    sup_result result = check(rig, def, error);
    if (result != SUP_OK) return result;
    job j = {
        .rig = rig, .def = def, .count = rig->now.particle_count, .places = supi_rig_places(rig)};
    result = find_inside(&j, error);
    if (result != SUP_OK) return result;
    double spacing;
    supi_arena_init(&j.scratch, rig->allocator);
    result = run(&j, &spacing, error);
    if (result == SUP_OK) result = commit(&j, spacing, added, error);
    supi_arena_free(&j.scratch);
    return result;
}
