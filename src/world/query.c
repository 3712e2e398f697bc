/* What is near a place: particles and colliders. */
#include "world/query.h"

#include "base/float_mode.h"
#include "geom/vector.h"
#include "world/ray.h"

#include <float.h>

/* ---- Particles near a place ---- */

/* How far a place is from the box around a body's particles; 0 inside. */
static double box_gap(const sup_world* world, const supi_body* body, const double place[3]) {
    double low[3], high[3], gap[3];
    supi_query_box(world, body, low, high);
    for (int k = 0; k < 3; k++) {
        double left = low[k] - place[k], right = place[k] - high[k];
        double most = left > right ? left : right;
        gap[k] = most > 0 ? most : 0;
    }
    return supi_vector_length(gap);
}

/* A particle as seen from a place relative to its body's anchor: a sphere of that radius. */
static sup_hit particle_hit(const sup_world* world, const supi_body* body, int32_t row,
                            const double place[3], double radius) {
    double x[3], away[3];
    supi_query_row(world, body, row, x);
    supi_vector_subtract(place, x, away);
    double length = supi_vector_length(away);
    sup_hit hit = {
        .body = body->handle,
        .particle = body->blueprint->id_of[row],
        .distance = length - radius,
    };
    for (int k = 0; k < 3; k++) {
        hit.normal[k] = length > 0 ? away[k] / length : (double)(k == 1);
        hit.point[k] = body->anchor[k] + x[k] + radius * hit.normal[k];
    }
    return hit;
}

/* The nearest particle that is not further than `limit`; `thick`: from its contact radius on, else
   from its centre. */
static bool nearest_in_body(const sup_world* world, const supi_body* body, const double place[3],
                            double limit, bool thick, sup_hit* hit) {
    const sup_blueprint_info* info = &body->blueprint->info;
    double from[3], largest = thick ? (double)(float)info->radius : 0.0;
    supi_vector_subtract(place, body->anchor, from);
    if (!(box_gap(world, body, from) - largest <= limit)) return false;
    int32_t nearest = -1;
    double least = INFINITY, radius = 0;
    for (int32_t row = 0; row < info->particle_count; row++) {
        double r = thick ? (double)world->now.v[body->row + row].w : 0.0, x[3], away[3];
        supi_query_row(world, body, row, x);
        supi_vector_subtract(from, x, away);
        double gap = supi_vector_length(away) - r;
        if (!(gap < least)) continue;
        least = gap;
        nearest = row;
        radius = r;
    }
    if (!(least <= limit)) return false;
    *hit = particle_hit(world, body, nearest, from, radius);
    return true;
}

bool sup_world_nearest_particle(const sup_world* world, const double point[3], double most,
                                sup_filter filter, sup_hit* hit) {
    if (!supi_ray_sane(point) || !isfinite(most)) return false;
    supi_float_mode mode = supi_float_mode_enter();
    sup_hit best = {.distance = INFINITY}, met;
    double limit = most;
    for (int32_t i = 0; i < world->body_count; i++) {
        const supi_body* body = world->bodies + i;
        if (supi_query_body(body, filter) &&
            nearest_in_body(world, body, point, limit, false, &met) &&
            met.distance < best.distance) {
            best = met;
            limit = met.distance;
        }
    }
    supi_float_mode_leave(mode);
    if (!isfinite(best.distance)) return false;
    *hit = best;
    return true;
}

/* ---- Overlap ---- */

static bool overlap_collider(const supi_collider* collider, const double centre[3], double radius,
                             sup_hit* hit) {
    supi_solid solid;
    supi_shape shape;
    supi_probe probe;
    const sup_vec3 here = {0, 0, 0}; /* everything is seen from the centre */
    const double *position = collider->from_position, *rotation = collider->from_rotation;
    supi_solid_make(&collider->def, collider->mesh, collider->heights, &solid);
    supi_solid_pose(&solid, position, rotation, position, rotation, 1.0);
    supi_shape_place(&solid, centre, &shape);
    supi_shape_probe(&shape, here, supi_shape_side(&shape, here), &probe);
    if (!((double)probe.distance <= radius && probe.distance < FLT_MAX)) return false;
    *hit = (sup_hit){
        .collider = collider->handle,
        .particle = -1,
        .distance = (double)probe.distance,
    };
    supi_vector_from(&probe.normal, hit->normal);
    double length = supi_vector_length(hit->normal);
    for (int k = 0; k < 3; k++) {
        hit->normal[k] /= length;
        hit->point[k] = centre[k] - hit->distance * hit->normal[k];
    }
    return true;
}

int32_t sup_world_overlap_sphere(const sup_world* world, const double centre[3], double radius,
                                 sup_filter filter, sup_hit* out, int32_t capacity) {
    if (!supi_ray_sane(centre) || !isfinite(radius) || radius < 0) return 0;
    supi_float_mode mode = supi_float_mode_enter();
    int32_t count = 0;
    sup_hit met;
    for (int32_t i = 0; i < world->body_count; i++) {
        const supi_body* body = world->bodies + i;
        if (!supi_query_body(body, filter)) continue;
        if (!nearest_in_body(world, body, centre, radius, true, &met)) continue;
        if (count < capacity) out[count] = met;
        count++;
    }
    for (int32_t i = 0; i < world->collider_count; i++) {
        const supi_collider* collider = world->colliders + i;
        if (!supi_query_collider(collider, filter)) continue;
        if (!overlap_collider(collider, centre, radius, &met)) continue;
        if (count < capacity) out[count] = met;
        count++;
    }
    supi_float_mode_leave(mode);
    return count;
}
