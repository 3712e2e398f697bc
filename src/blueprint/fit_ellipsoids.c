/* Ellipsoids of a rig from the surface around its particles. */
#include "base/check.h"
#include "blueprint/fit.h"
#include "geom/ellipsoid_fit.h"
#include "geom/quaternion.h"
#include "geom/rotation.h"
#include "geom/sites.h"
#include "geom/vector.h"

#include <math.h>

#define ONE_SIDED 0.25 /* of the reach: so far is the middle of what is around a particle */
#define ONE_WAY 0.5    /* mean of unit normals: so alike is what is around a particle */
#define FLAT 4.0       /* aspect from which a particle of the surface is flat */
#define CROWDED 0.6    /* of the spacing: nobody goes nearer to another */

sup_fit_def sup_fit_default(void) {
    return (sup_fit_def){.size = sizeof(sup_fit_def), .aspect = 8.0};
}

typedef struct job {
    const sup_rig* rig;
    supi_ellipsoid_rules rules;
    double spacing;
    const sup_brush* brush;
    supi_cloud cloud;
    supi_sites sites, particles;
    supi_rig_graph graph;
    int32_t* found;            /* points of the cloud */
    int32_t* beside;           /* particles */
    sup_vec3* places;          /* as they will be (particle_count) */
    sup_vec3* normals;         /* (particle_count) */
    sup_ellipsoid* ellipsoids; /* (particle_count) */
    uint8_t* done;             /* fitted, with axes of its own (particle_count) */
} job;

static sup_quat rotation_of(const double axes[9]) {
    float columns[9], q[4] = {0, 0, 0, 1};
    for (int r = 0; r < 3; r++) {
        for (int c = 0; c < 3; c++) columns[3 * r + c] = (float)axes[3 * c + r];
    }
    supi_rotation_cold(columns, q);
    return (sup_quat){q[0], q[1], q[2], q[3]};
}

/* Axes of a linked particle that has some already, as rows; false: there is none. */
static bool neighbour_axes(const job* j, int32_t id, double axes[9]) {
    for (int32_t k = j->graph.starts[id]; k < j->graph.starts[id + 1]; k++) {
        int32_t other = j->graph.neighbours[k];
        if (!j->done[other]) continue;
        sup_quat turn = j->ellipsoids[other].rotation;
        double q[4] = {(double)turn.x, (double)turn.y, (double)turn.z, (double)turn.w}, m[9];
        supi_quaternion_matrix(q, m);
        for (int r = 0; r < 3; r++) {
            for (int c = 0; c < 3; c++) axes[3 * r + c] = m[3 * c + r];
        }
        return true;
    }
    return false;
}

/* Is a place free of other particles, as they stand by now? */
static bool is_free(job* j, int32_t id, sup_vec3 place) {
    double x[3], gap = CROWDED * j->spacing, reach = gap + j->rules.reach;
    supi_vector_from(&place, x);
    int32_t count = supi_sites_within(&j->particles, x, reach * reach, j->beside);
    for (int32_t i = 0; i < count; i++) {
        int32_t other = j->beside[i];
        if (other != id && supi_point_square(&j->places[other], x) < gap * gap) return false;
    }
    return true;
}

/* The outward normal of a flat particle of the surface. */
static sup_vec3 flat_normal(const supi_ellipsoid_fit* fit) {
    int thin = 0, wide = 0;
    for (int k = 1; k < 3; k++) {
        thin = fit->radii[k] < fit->radii[thin] ? k : thin;
        wide = fit->radii[k] > fit->radii[wide] ? k : wide;
    }
    const double* axis = fit->axes + 3 * thin;
    double along = supi_vector_dot(axis, fit->normal);
    if (fit->radii[wide] < FLAT * fit->radii[thin] || fabs(along) < 0.5) {
        return (sup_vec3){0, 0, 0}; /* round, or with two sides */
    }
    double sign = along < 0.0 ? -1.0 : 1.0;
    return supi_vector_round(sign * axis[0], sign * axis[1], sign * axis[2]);
}

static void make_sphere(const job* j, int32_t id, double radius) {
    float r = (float)(radius > j->rules.least ? radius : j->rules.least);
    j->ellipsoids[id] = (sup_ellipsoid){.rotation = {0, 0, 0, 1}, .radii = {r, r, r}};
    j->normals[id] = (sup_vec3){0, 0, 0};
}

static void fit_one(job* j, int32_t id) {
    double x[3], like[9], off[3];
    supi_vector_from(&j->places[id], x);
    int32_t count = supi_sites_within(&j->sites, x, j->rules.reach * j->rules.reach, j->found);
    supi_ellipsoid_fit fit;
    supi_ellipsoid_fit_points(&j->rules, &j->cloud, count, j->found, x,
                              neighbour_axes(j, id, like) ? like : NULL, &fit);
    bool surface = supi_rig_flags(j->rig)[id] & SUP_RIG_SURFACE;
    supi_vector_subtract(fit.mean, x, off);
    if (fit.sphere) {
        make_sphere(j, id, j->rules.sphere);
        return;
    }
    bool one_sided = supi_vector_length(off) > ONE_SIDED * j->rules.reach ||
                     supi_vector_length(fit.normal) > ONE_WAY;
    if (!surface && one_sided) {
        make_sphere(j, id, fit.nearest < j->rules.sphere ? fit.nearest : j->rules.sphere);
        return;
    }
    sup_vec3 centre = supi_vector_round(fit.centre[0], fit.centre[1], fit.centre[2]);
    if (is_free(j, id, centre)) j->places[id] = centre;
    supi_vector_from(&j->places[id], off);
    if (!surface) supi_ellipsoid_fit_shrink(&j->rules, &j->cloud, count, j->found, x, off, &fit);
    j->ellipsoids[id] =
        (sup_ellipsoid){.rotation = rotation_of(fit.axes),
                        .radii = {(float)fit.radii[0], (float)fit.radii[1], (float)fit.radii[2]}};
    j->normals[id] = surface ? flat_normal(&fit) : (sup_vec3){0, 0, 0};
    j->done[id] = 1;
}

static bool prepare(job* j, supi_arena* scratch) {
    const sup_rig* rig = j->rig;
    const supi_rig_shape* shape = &rig->shape;
    size_t count = (size_t)rig->now.particle_count;
    if (!supi_cloud_sample(scratch, shape->point_count, shape->points, shape->triangle_count,
                           shape->triangles, j->rules.reach / 3.0, &j->cloud)) {
        return false;
    }
    j->found = supi_arena_push(scratch, (size_t)j->cloud.count, sizeof *j->found);
    j->beside = supi_arena_push(scratch, count, sizeof *j->beside);
    j->places = supi_arena_push(scratch, count, sizeof *j->places);
    j->normals = supi_arena_push(scratch, count, sizeof *j->normals);
    j->ellipsoids = supi_arena_push(scratch, count, sizeof *j->ellipsoids);
    j->done = supi_arena_push(scratch, count, 1);
    return j->found && j->beside && j->places && j->normals && j->ellipsoids && j->done &&
           supi_sites_build(scratch, j->cloud.count, j->cloud.points, &j->sites) &&
           supi_sites_build(scratch, rig->now.particle_count, supi_rig_places(rig),
                            &j->particles) &&
           supi_rig_graph_make(rig, scratch, &j->graph);
}

static sup_result fit_all(sup_rig* rig, job* j, supi_arena* scratch, sup_error* error) {
    if (!prepare(j, scratch)) return supi_error_memory(error);
    sup_vec3* normals = rig->now.normals.items;
    for (int32_t i = 0; i < rig->now.particle_count; i++) {
        j->places[i] = supi_rig_places(rig)[i];
        j->normals[i] = normals[i];
        j->ellipsoids[i] = supi_rig_ellipsoids(rig)[i];
    }
    for (int32_t i = 0; i < rig->now.particle_count; i++) {
        if (supi_rig_share(rig, j->brush, i) >= 0.5) fit_one(j, i);
    }
    for (int32_t i = 0; i < rig->now.particle_count; i++) {
        supi_rig_places(rig)[i] = j->places[i];
        normals[i] = j->normals[i];
        supi_rig_ellipsoids(rig)[i] = j->ellipsoids[i];
    }
    return SUP_OK;
}

sup_result sup_rig_fit(sup_rig* rig, const sup_fit_def* def, sup_error* error) {
    SUPI_NEED(error, rig, def);
    sup_result result = supi_rig_check_size(def->size, sizeof *def, "sup_fit_def", error);
    if (result == SUP_OK) result = supi_rig_check_brush(&def->brush, error);
    if (result == SUP_OK) result = supi_rig_check_mesh(rig, "fit ellipsoids", error);
    const supi_range ranges[] = {{"the reach", def->reach, 0, SUPI_RIG_FAR},
                                 {"the least radius", def->least, 0, SUPI_RIG_FAR},
                                 {"the aspect", def->aspect, 1, 16}};
    if (result == SUP_OK) result = supi_check_ranges(ranges, 3, error);
    if (result != SUP_OK || rig->now.particle_count == 0) return result;
    job j = {.rig = rig, .brush = &def->brush};
    if (!supi_rig_spacing(rig, &j.spacing)) return supi_error_memory(error);
    if (!(j.spacing > 0.0)) j.spacing = rig->shape.size;
    double least = 0.02 * rig->shape.size, finest = 0.25 * j.spacing;
    j.rules = (supi_ellipsoid_rules){.reach = def->reach > 0.0 ? def->reach : 1.2 * j.spacing,
                                     .sphere = 0.5 * j.spacing,
                                     .least = least < finest ? least : finest,
                                     .aspect = def->aspect};
    if (def->least > 0.0) j.rules.least = def->least;
    if (j.rules.least > j.rules.reach) j.rules.least = j.rules.reach;
    supi_arena scratch;
    supi_arena_init(&scratch, rig->allocator);
    result = fit_all(rig, &j, &scratch, error);
    supi_arena_free(&scratch);
    return result;
}
