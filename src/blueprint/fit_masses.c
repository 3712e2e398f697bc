/* Masses of a rig: what is nearest to each particle, of the space inside or of the surface. */
#include "base/check.h"
#include "blueprint/fit.h"
#include "geom/sites.h"
#include "geom/vector.h"

#define LEAST_MASS 1e-30 /* kg, of a particle, as blueprints have it */
#define LARGEST_MASS 1e9

sup_weigh_def sup_weigh_default(void) {
    return (sup_weigh_def){
        .size = sizeof(sup_weigh_def), .density = 1000.0, .surface_density = 1.0};
}

/* What particles share out: equal pieces of the space inside, or pieces of the surface. */
typedef struct spots {
    int32_t count;
    const sup_vec3* points;
    const double* areas; /* m^2; NULL: all alike */
} spots;

static sup_result find_spots(sup_rig* rig, supi_arena* scratch, spots* out, sup_error* error) {
    const supi_rig_shape* shape = &rig->shape;
    double spacing;
    if (!supi_rig_spacing(rig, &spacing)) return supi_error_memory(error);
    double step = (spacing > 0.0 ? spacing : shape->size) / 3.0;
    out->areas = NULL;
    if (rig->now.settings.where == SUP_SPRAY_INSIDE) {
        return supi_rig_lattice(rig, step, &out->points, &out->count, error);
    }
    supi_cloud cloud;
    if (!supi_cloud_sample(scratch, shape->point_count, shape->points, shape->triangle_count,
                           shape->triangles, step, &cloud)) {
        return supi_error_memory(error);
    }
    *out = (spots){cloud.count, cloud.points, cloud.areas};
    return SUP_OK;
}

static double weight_of(const spots* s, int32_t i) { return s->areas ? s->areas[i] : 1.0; }

/* The nearest of the first `count` particles to each spot. NULL when memory is short. */
static int32_t* find_owners(const sup_rig* rig, int32_t count, const spots* s,
                            supi_arena* scratch) {
    int32_t guess = 0, *owners = supi_arena_push(scratch, (size_t)s->count, sizeof *owners);
    supi_sites sites;
    if (!owners || !supi_sites_build(scratch, count, supi_rig_places(rig), &sites)) return NULL;
    for (int32_t i = 0; i < s->count; i++) {
        double x[3], square;
        supi_vector_from(&s->points[i], x);
        owners[i] = supi_sites_nearest(&sites, x, &guess, &square);
    }
    return owners;
}

/* Shares of all particles, and what the whole weighs by its density. */
static sup_result find_shares(sup_rig* rig, const sup_weigh_def* def, supi_arena* scratch,
                              double* shares, double* mass, sup_error* error) {
    spots s;
    sup_result result = find_spots(rig, scratch, &s, error);
    if (result != SUP_OK) return result;
    const int32_t* owners = find_owners(rig, rig->now.particle_count, &s, scratch);
    if (!owners) return supi_error_memory(error);
    for (int32_t i = 0; i < s.count; i++) shares[owners[i]] += weight_of(&s, i);
    *mass = s.areas ? def->surface_density * rig->shape.area : def->density * rig->shape.volume;
    return SUP_OK;
}

/* Who has too little gets a hundredth of the mean share: nobody is weightless by accident. */
static double raise_least(int32_t count, double* shares) {
    double sum = 0.0, raised = 0.0;
    for (int32_t i = 0; i < count; i++) sum += shares[i];
    double least = sum > 0.0 ? 0.01 * sum / count : 1.0;
    for (int32_t i = 0; i < count; i++) {
        shares[i] = shares[i] > least ? shares[i] : least;
        raised += shares[i];
    }
    return raised;
}

/* Masses by shares, none of them out of range. */
static sup_result put_masses(sup_rig* rig, double mass, double* shares, sup_error* error) {
    int32_t count = rig->now.particle_count;
    double scale = mass / raise_least(count, shares);
    for (int32_t i = 0; i < count; i++) {
        double own = scale * shares[i];
        if (own >= LEAST_MASS && own <= LARGEST_MASS) continue;
        return supi_error_set(error, SUP_BAD_ARGUMENT,
                              "the mass of particle %d does not lie between 1e-30 and 1e9 kg; "
                              "change the density",
                              (int)i);
    }
    for (int32_t i = 0; i < count; i++) supi_rig_masses(rig)[i] = (float)(scale * shares[i]);
    return SUP_OK;
}

static sup_result weigh(sup_rig* rig, const sup_weigh_def* def, supi_arena* scratch,
                        sup_error* error) {
    int32_t count = rig->now.particle_count;
    double* shares = supi_arena_push(scratch, (size_t)count, sizeof *shares);
    if (!shares) return supi_error_memory(error);
    double mass = count;
    if (rig->shape.area > 0.0) {
        sup_result result = find_shares(rig, def, scratch, shares, &mass, error);
        if (result != SUP_OK) return result;
    }
    if (def->mass > 0.0) mass = def->mass;
    return put_masses(rig, mass, shares, error);
}

sup_result sup_rig_weigh(sup_rig* rig, const sup_weigh_def* def, sup_error* error) {
    SUPI_NEED(error, rig, def);
    sup_result result = supi_rig_check_size(def->size, sizeof *def, "sup_weigh_def", error);
    const supi_range ranges[] = {{"the density", def->density, 1e-9, 1e9},
                                 {"the surface density", def->surface_density, 1e-9, 1e9},
                                 {"the mass", def->mass, 0, 1e12}};
    if (result == SUP_OK) result = supi_check_ranges(ranges, 3, error);
    if (result != SUP_OK || rig->now.particle_count == 0) return result;
    supi_arena scratch;
    supi_arena_init(&scratch, rig->allocator);
    result = weigh(rig, def, &scratch, error);
    supi_arena_free(&scratch);
    return result;
}

/* ---- New particles among old ones ---- */

/* Every spot keeps its mass, and those that are nearest to it now get it: as dense as before,
   painted or not. `shares` comes as the masses of the first `before`. */
static sup_result pass_on(sup_rig* rig, int32_t before, supi_arena* scratch, double* shares,
                          sup_error* error) {
    int32_t count = rig->now.particle_count;
    spots s;
    sup_result result = find_spots(rig, scratch, &s, error);
    if (result != SUP_OK) return result;
    double* pieces = supi_arena_push(scratch, (size_t)before, sizeof *pieces);
    double* old = supi_arena_push(scratch, (size_t)before, sizeof *old);
    const int32_t* from = find_owners(rig, before, &s, scratch);
    const int32_t* to = find_owners(rig, count, &s, scratch);
    if (!pieces || !old || !from || !to) return supi_error_memory(error);
    for (int32_t i = 0; i < before; i++) old[i] = shares[i];
    for (int32_t i = 0; i < s.count; i++) pieces[from[i]] += weight_of(&s, i);
    for (int32_t i = 0; i < s.count; i++) {
        double piece = old[from[i]] * weight_of(&s, i) / pieces[from[i]];
        if (from[i] == to[i]) continue;
        shares[from[i]] -= piece;
        shares[to[i]] += piece;
    }
    return SUP_OK;
}

static sup_result weigh_new(sup_rig* rig, int32_t before, supi_arena* scratch, sup_error* error) {
    int32_t count = rig->now.particle_count;
    double sum = 0.0, *shares = supi_arena_push(scratch, (size_t)count, sizeof *shares);
    if (!shares) return supi_error_memory(error);
    for (int32_t i = 0; i < before; i++) {
        shares[i] = (double)supi_rig_masses(rig)[i];
        sum += shares[i];
    }
    if (rig->shape.area > 0.0) {
        sup_result result = pass_on(rig, before, scratch, shares, error);
        return result == SUP_OK ? put_masses(rig, sum, shares, error) : result;
    }
    for (int32_t i = before; i < count; i++) shares[i] = sum / before;
    return put_masses(rig, sum * count / before, shares, error);
}

sup_result supi_rig_weigh_new(sup_rig* rig, int32_t before, sup_error* error) {
    const sup_weigh_def usual = sup_weigh_default();
    if (before == rig->now.particle_count) return SUP_OK;
    supi_arena scratch;
    supi_arena_init(&scratch, rig->allocator);
    sup_result result =
        before == 0 ? weigh(rig, &usual, &scratch, error) : weigh_new(rig, before, &scratch, error);
    supi_arena_free(&scratch);
    if (result != SUP_OK) rig->now.particle_count = before;
    return result;
}
