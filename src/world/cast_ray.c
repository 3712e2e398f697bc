/* The first thing that a ray meets. Differences of places are taken in double first, so that
   answers far from the origin are as exact. */
#include "base/float_mode.h"
#include "geom/facet.h"
#include "geom/vector.h"
#include "world/frame.h"
#include "world/query.h"
#include "world/ray.h"
#include "world/tear.h"

/* The part of a ray near a thing: no longer than that is large, so that its numbers are exact. */
typedef struct stretch {
    double begin, length; /* m, along the ray */
    double from[3], to[3];
} stretch;

static bool cut_out(const supi_ray* ray, const double low[3], const double high[3], double margin,
                    stretch* out) {
    double range[2];
    if (!supi_ray_clip(ray, low, high, margin, range)) return false;
    out->begin = range[0];
    out->length = range[1] - range[0];
    supi_ray_at(ray, range[0], out->from);
    supi_ray_at(ray, range[1], out->to);
    return true;
}

/* ---- Bodies ---- */

static sup_vec3 point_of(const sup_row* x) { return (sup_vec3){x->x, x->y, x->z}; }

/* Two planes that hold the ray. A polygon on one side of one of them cannot be met, which is
   cheaper to find out than by asking its triangles. */
typedef struct sight {
    double normals[2][3], levels[2];
    double slack; /* m, above all rounding: nothing that touches the ray is left out */
} sight;

static sight make_sight(const supi_ray* ray, const stretch* part, double slack) {
    sight s = {.slack = slack};
    int least = 0;
    for (int k = 1; k < 3; k++) {
        if (fabs(ray->unit[k]) < fabs(ray->unit[least])) least = k;
    }
    const double axis[3] = {least == 0, least == 1, least == 2};
    supi_vector_cross(ray->unit, axis, s.normals[0]);
    supi_vector_cross(ray->unit, s.normals[0], s.normals[1]);
    for (int i = 0; i < 2; i++) s.levels[i] = supi_vector_dot(s.normals[i], part->from);
    return s;
}

/* The drawn surface of a body. */
typedef struct drawing {
    const sup_blueprint* b;
    const sup_row* rows;
    const int32_t* vertex_rows;
} drawing;

static bool is_beside(const drawing* d, int32_t polygon, const sight* s) {
    for (int i = 0; i < 2; i++) {
        const double* n = s->normals[i];
        bool below = true, above = true;
        for (int32_t c = d->b->starts[polygon]; c < d->b->starts[polygon + 1]; c++) {
            const sup_row* x = d->rows + d->vertex_rows[d->b->corners[c]];
            double height =
                n[0] * (double)x->x + n[1] * (double)x->y + n[2] * (double)x->z - s->levels[i];
            below &= height < -s->slack;
            above &= height > s->slack;
        }
        if (below || above) return true;
    }
    return false;
}

/* One drawn polygon, as a fan about its first corner. */
static bool cast_at_polygon(const drawing* d, int32_t polygon, const stretch* part,
                            supi_crossing* best) {
    const int32_t *corners = d->b->corners + d->b->starts[polygon],
                  count = d->b->starts[polygon + 1] - d->b->starts[polygon];
    sup_vec3 triangle[3] = {point_of(d->rows + d->vertex_rows[corners[0]])};
    bool better = false;
    for (int32_t i = 2; i < count; i++) {
        double t, weights[3];
        supi_crossing met;
        triangle[1] = point_of(d->rows + d->vertex_rows[corners[i - 1]]);
        triangle[2] = point_of(d->rows + d->vertex_rows[corners[i]]);
        if (!supi_facet_cross(triangle, part->from, part->to, &t, weights)) continue;
        met.distance = part->begin + t * part->length;
        if (!(met.distance < best->distance) || !supi_facet_normal(triangle, met.normal)) continue;
        double length = supi_vector_length(met.normal);
        for (int k = 0; k < 3; k++) met.normal[k] /= length;
        *best = met;
        better = true;
    }
    return better;
}

/* Of a polygon's corners, the drawn row that is nearest to a place relative to the anchor. */
static int32_t nearest_corner(const drawing* d, int32_t polygon, const double place[3]) {
    int32_t nearest = -1;
    double least = INFINITY;
    for (int32_t c = d->b->starts[polygon]; c < d->b->starts[polygon + 1]; c++) {
        const sup_row* x = d->rows + d->vertex_rows[d->b->corners[c]];
        const double p[3] = {(double)x->x, (double)x->y, (double)x->z};
        double away[3];
        supi_vector_subtract(p, place, away);
        double square = supi_vector_dot(away, away);
        if (!(square < least)) continue;
        least = square;
        nearest = d->vertex_rows[d->b->corners[c]];
    }
    return nearest;
}

/* The row whose particle is nearest to where the drawn surface is met; -1: it is not. */
static int32_t cast_at_surface(const drawing* d, const supi_ray* ray, const stretch* part,
                               supi_crossing* best) {
    sight s = make_sight(ray, part, 1e-6 * d->b->info.size);
    int32_t polygon = -1;
    for (int32_t k = 0; k < d->b->info.polygon_count; k++) {
        if (!is_beside(d, k, &s) && cast_at_polygon(d, k, part, best)) polygon = k;
    }
    if (polygon < 0) return -1;
    double place[3];
    supi_ray_at(ray, best->distance, place);
    int32_t nearest = nearest_corner(d, polygon, place);
    return d->b->skin.count > 0 ? d->b->skin.home[nearest] : nearest;
}

/* What stands for the contact radius of particles that have none, so that a ray can meet them. */
static double least_radius(const supi_body* body) {
    double size = body->blueprint->info.size;
    return 1e-3 * (size > 0 ? size : body->unit);
}

static int32_t cast_at_particles(const sup_world* world, const supi_body* body, const supi_ray* ray,
                                 supi_crossing* best) {
    double least = least_radius(body);
    int32_t row = -1;
    for (int32_t i = 0; i < body->blueprint->info.particle_count; i++) {
        double radius = (double)world->now.v[body->row + i].w, centre[3];
        supi_crossing met;
        supi_query_row(world, body, i, centre);
        if (!supi_ray_meet_sphere(ray, centre, radius > 0 ? radius : least, &met)) continue;
        if (!(met.distance < best->distance)) continue;
        *best = met;
        row = i;
    }
    return row;
}

/* Some room, so that flat bodies are not lost to rounding. */
static double room_around(const supi_body* body) {
    return body->blueprint->info.radius + least_radius(body);
}

/* Can the ray meet the skin? Rigid goals turn about the centres of their clusters, which lie among
   the particles; others may carry a skin farther, so that they have to be found first. */
static bool may_meet_skin(const sup_world* world, const supi_body* body, const supi_ray* ray) {
    double low[3], high[3], range[2];
    const sup_blueprint* b = body->blueprint;
    if (body->materials[0].mode != SUP_MATCH_RIGID || body->plastic) return true;
    if (b->info.skin == SUP_SKIN_TETS) return true;
    supi_query_box(world, body, low, high);
    double margin = (double)b->skin.reach + room_around(body);
    return supi_ray_clip(ray, low, high, margin, range);
}

static bool cast_at_body(const sup_world* world, const supi_body* body, const supi_ray* from,
                         sup_hit* hit) {
    const sup_blueprint* b = body->blueprint;
    const sup_blueprint_info* info = &b->info;
    supi_ray ray = *from;
    stretch part;
    double low[3], high[3];
    supi_vector_subtract(from->origin, body->anchor, ray.origin);
    if (b->skin.count > 0 && !may_meet_skin(world, body, &ray)) return false;
    const sup_row* rows = supi_drawn_rows(world, body);
    supi_query_rows(world, rows, b->skin.count > 0 ? b->skin.count : info->particle_count, low,
                    high);
    if (!cut_out(&ray, low, high, room_around(body), &part)) return false;

    const drawing drawn = {b, rows, supi_tear_vertex_rows(body)};
    supi_crossing best = {.distance = INFINITY};
    int32_t row = info->polygon_count > 0 ? cast_at_surface(&drawn, &ray, &part, &best)
                                          : cast_at_particles(world, body, &ray, &best);
    if (row < 0) return false;
    *hit = (sup_hit){
        .body = body->handle,
        .particle = body->blueprint->id_of[row],
        .normal = {best.normal[0], best.normal[1], best.normal[2]},
        .distance = best.distance,
    };
    return true;
}

/* ---- Colliders ---- */

/* Meshes and heights take floats: enough for the part within their own box. */
static bool cut_floats(const supi_ray* ray, const float low[3], const float high[3], stretch* out,
                       sup_vec3* from, sup_vec3* to) {
    const double a[3] = {(double)low[0], (double)low[1], (double)low[2]};
    const double b[3] = {(double)high[0], (double)high[1], (double)high[2]};
    double diagonal[3];
    supi_vector_subtract(b, a, diagonal);
    if (!cut_out(ray, a, b, 1e-3 * supi_vector_length(diagonal), out)) return false;
    *from = supi_vector_round(out->from[0], out->from[1], out->from[2]);
    *to = supi_vector_round(out->to[0], out->to[1], out->to[2]);
    return true;
}

static bool cast_at_mesh(const supi_trimesh* mesh, const supi_ray* ray, supi_crossing* out) {
    float low[3], high[3];
    stretch part;
    sup_vec3 from, to;
    supi_trimesh_crossing met;
    supi_trimesh_bounds(mesh, low, high);
    if (!cut_floats(ray, low, high, &part, &from, &to)) return false;
    if (!supi_trimesh_cross(mesh, from, to, &met)) return false;
    out->distance = part.begin + (double)met.t * part.length;
    supi_vector_from(&met.normal, out->normal);
    return true;
}

static bool cast_at_heights(const supi_heights* heights, const supi_ray* ray, supi_crossing* out) {
    float low[3], high[3], t;
    stretch part;
    sup_vec3 from, to, normal;
    supi_heights_bounds(heights, low, high);
    if (!cut_floats(ray, low, high, &part, &from, &to)) return false;
    if (!supi_heights_cross(heights, from, to, &t, &normal)) return false;
    out->distance = part.begin + (double)t * part.length;
    supi_vector_from(&normal, out->normal);
    return true;
}

/* The ray and the crossing are in the collider's frame. */
static bool cast_at_shape(const supi_collider* collider, const supi_ray* ray, supi_crossing* out) {
    const double centre[3] = {0, 0, 0};
    const sup_collider_def* def = &collider->def;
    switch (def->kind) {
    case SUP_COLLIDER_PLANE: return supi_ray_meet_plane(ray, out);
    case SUP_COLLIDER_SPHERE: return supi_ray_meet_sphere(ray, centre, def->radius, out);
    case SUP_COLLIDER_BOX: return supi_ray_meet_box(ray, def->half_size, out);
    case SUP_COLLIDER_CAPSULE:
        return supi_ray_meet_capsule(ray, def->radius, def->half_length, out);
    case SUP_COLLIDER_MESH: return cast_at_mesh(collider->mesh, ray, out);
    case SUP_COLLIDER_HEIGHTS: return cast_at_heights(collider->heights, ray, out);
    }
    return false;
}

/* A container is solid outside, so its outward normals point inwards. */
static bool cast_at_collider(const supi_collider* collider, const supi_ray* from, sup_hit* hit) {
    supi_frame frame = supi_frame_of(collider);
    supi_ray ray = *from;
    supi_crossing met;
    supi_frame_in(&frame, from->origin, ray.origin);
    supi_frame_turn_in(&frame, from->unit, ray.unit);
    if (!cast_at_shape(collider, &ray, &met)) return false;
    *hit = (sup_hit){.collider = collider->handle, .particle = -1, .distance = met.distance};
    supi_frame_turn_out(&frame, met.normal, hit->normal);
    for (int k = 0; collider->def.inverted && k < 3; k++) hit->normal[k] = -hit->normal[k];
    return true;
}

/* ---- The question ---- */

static void cast(const sup_world* world, const supi_ray* ray, sup_filter filter, sup_hit* best) {
    supi_ray rest = *ray; /* up to the nearest so far */
    sup_hit met;
    for (int32_t i = 0; i < world->body_count; i++) {
        const supi_body* body = world->bodies + i;
        if (supi_query_body(body, filter) && cast_at_body(world, body, &rest, &met) &&
            met.distance < best->distance) {
            *best = met;
            rest.reach = met.distance;
        }
    }
    for (int32_t i = 0; i < world->collider_count; i++) {
        const supi_collider* collider = world->colliders + i;
        if (supi_query_collider(collider, filter) && cast_at_collider(collider, &rest, &met) &&
            met.distance < best->distance) {
            *best = met;
            rest.reach = met.distance;
        }
    }
}

bool sup_world_cast_ray(const sup_world* world, const double origin[3], const double direction[3],
                        sup_filter filter, sup_hit* hit) {
    supi_ray ray;
    sup_hit best = {.distance = INFINITY};
    supi_float_mode mode = supi_float_mode_enter();
    if (supi_ray_make(origin, direction, &ray)) cast(world, &ray, filter, &best);
    bool found = isfinite(best.distance);
    if (found) {
        supi_ray_at(&ray, best.distance, best.point);
        *hit = best;
    }
    supi_float_mode_leave(mode);
    return found;
}
