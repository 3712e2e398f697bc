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

/* Gives each spot's weight to the particle that is nearest. */
static void share_out(const supi_sites* sites, int32_t count, const sup_vec3* spots,
                      const double* areas, double* shares) {
    int32_t guess = 0;
    for (int32_t i = 0; i < count; i++) {
        double x[3], square;
        supi_vector_from(&spots[i], x);
        shares[supi_sites_nearest(sites, x, &guess, &square)] += areas ? areas[i] : 1.0;
    }
}

/* Shares of all particles, and what the whole weighs by its density. */
static sup_result find_shares(sup_rig* rig, const sup_weigh_def* def, supi_arena* scratch,
                              double* shares, double* mass, sup_error* error) {
    const supi_rig_shape* shape = &rig->shape;
    int32_t count = rig->now.particle_count, spots;
    double spacing;
    supi_sites sites;
    if (!supi_rig_spacing(rig, &spacing) ||
        !supi_sites_build(scratch, count, supi_rig_places(rig), &sites)) {
        return supi_error_memory(error);
    }
    double step = (spacing > 0.0 ? spacing : shape->size) / 3.0;
    if (rig->now.settings.where == SUP_SPRAY_INSIDE) {
        const sup_vec3* points;
        sup_result result = supi_rig_lattice(rig, step, &points, &spots, error);
        if (result != SUP_OK) return result;
        share_out(&sites, spots, points, NULL, shares);
        *mass = def->density * shape->volume;
        return SUP_OK;
    }
    supi_cloud cloud;
    if (!supi_cloud_sample(scratch, shape->point_count, shape->points, shape->triangle_count,
                           shape->triangles, step, &cloud)) {
        return supi_error_memory(error);
    }
    share_out(&sites, cloud.count, cloud.points, cloud.areas, shares);
    *mass = def->surface_density * shape->area;
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
    double sum = raise_least(count, shares);
    for (int32_t i = 0; i < count; i++) {
        double own = mass * shares[i] / sum;
        if (own >= LEAST_MASS && own <= LARGEST_MASS) continue;
        return supi_error_set(error, SUP_BAD_ARGUMENT,
                              "the mass of particle %d does not lie between 1e-30 and 1e9 kg; "
                              "change the density",
                              (int)i);
    }
    for (int32_t i = 0; i < count; i++) {
        supi_rig_masses(rig)[i] = (float)(mass * shares[i] / sum);
    }
    return SUP_OK;
}

sup_result sup_rig_weigh(sup_rig* rig, const sup_weigh_def* def, sup_error* error) {
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
