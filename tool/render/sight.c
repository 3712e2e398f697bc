/* See sight.h. Lines of sight go to points of the bodies' surfaces and of the box; only colliders
   can be in the way. */
#include "render/sight.h"

#include "geom/vector.h"
#include "render/vec.h"

#define ENOUGH 0.6 /* who sees this much stays where he is */
#define NEARLY 0.8 /* of the best view: a lower place that sees this much of it is better */
#define BODY_POINTS 512
#define BOX_SIDE 6 /* points along an edge of the box */
#define BOX_POINTS (BOX_SIDE * BOX_SIDE * BOX_SIDE)
#define SIDES 4 /* that are looked at where the camera goes around */

typedef struct sight_points {
    int32_t count;
    sup_vec3 at[BODY_POINTS];
} sight_points;

static void take_bodies(const render_geometry* g, sight_points* out) {
    int32_t apart = g->body_vertex_count / BODY_POINTS + 1;
    for (int32_t i = 0; i < g->body_vertex_count; i += apart) {
        out->at[out->count++] = g->vertices[i];
    }
}

static void take_box(const sight_scene* s, sight_points* out) {
    for (int32_t i = 0; i < BOX_POINTS; i++) {
        const int32_t index[3] = {i % BOX_SIDE, i / BOX_SIDE % BOX_SIDE, i / BOX_SIDE / BOX_SIDE};
        double at[3];
        for (int k = 0; k < 3; k++) {
            double share = (index[k] + 0.5) / BOX_SIDE;
            at[k] = s->low[k] + share * (s->high[k] - s->low[k]) - s->geometry->origin[k];
        }
        out->at[out->count++] = supi_vector_round(at[0], at[1], at[2]);
    }
}

/* How many of the points are seen from a place, as a share. */
static double share_seen(const ray_tracer* tracer, sup_vec3 from, const sight_points* points) {
    int32_t seen = 0;
    for (int32_t first = 0; first < points->count; first += RAY_LANES) {
        ray_batch rays;
        ray_hits hits;
        ray_clear(&rays);
        for (int lane = 0; lane < RAY_LANES && first + lane < points->count; lane++) {
            sup_vec3 way = vec_subtract(points->at[first + lane], from);
            /* What a body lies on does not hide it. */
            ray_set(&rays, lane, from, way, 0.0f, 0.999f);
        }
        tracer_find(tracer, &rays, &hits);
        for (int lane = 0; lane < RAY_LANES; lane++) {
            seen += rays.valid[lane] && hits.target[lane] == RAY_NOTHING;
        }
    }
    return points->count > 0 ? (double)seen / points->count : 1;
}

/* The tracer gets the colliders alone, without those that turn their back on the viewer. */
static sup_result build(const sight_scene* s, sup_vec3 viewer, sup_error* error) {
    render_geometry* g = s->geometry;
    int32_t blocking, seen, bodies = g->soft_triangle_count;
    geometry_order_planes(g, viewer, (sup_vec3){0, 1, 0}, &blocking, &seen);
    tracer_shapes shapes = {.triangle_count = seen - bodies,
                            .blocking_count = seen - bodies,
                            .triangles = (const int32_t(*)[3])g->triangles + bodies,
                            .vertex_count = g->vertex_count,
                            .vertices = g->vertices,
                            .sphere_count = g->solid_sphere_count,
                            .spheres = g->spheres};
    return tracer_build(s->tracer, &shapes, error);
}

/* The least share of bodies or box from any side. */
static sup_result look(const sight_scene* s, const camera_stand* stand, const sight_points* bodies,
                       const sight_points* box, double* share, sup_error* error) {
    *share = 1;
    for (int side = 0; side < (s->around ? SIDES : 1); side++) {
        render_camera camera =
            camera_at(stand, 360.0 * side / SIDES, s->aspect, s->geometry->origin);
        sup_result result = build(s, camera.from, error);
        if (result != SUP_OK) return result;
        double of_bodies = share_seen(s->tracer, camera.from, bodies);
        double of_box = share_seen(s->tracer, camera.from, box);
        if (of_bodies < *share) *share = of_bodies;
        if (of_box < *share) *share = of_box;
    }
    return SUP_OK;
}

sup_result sight_choose(const sight_scene* s, camera_stand* stand, double* share,
                        sup_error* error) {
    sight_points bodies = {.count = 0}, box = {.count = 0};
    take_bodies(s->geometry, &bodies);
    take_box(s, &box);
    camera_stand stands[CAMERA_RISES];
    double shares[CAMERA_RISES], best = 0;
    for (int rise = 0; rise < CAMERA_RISES; rise++) {
        stands[rise] = camera_choose(&s->camera, s->low, s->high, s->aspect, s->around, rise);
        sup_result result = look(s, stands + rise, &bodies, &box, shares + rise, error);
        if (result != SUP_OK) return result;
        if (shares[rise] > best) best = shares[rise];
        if (rise == 0 && best >= ENOUGH) break;
    }
    int rise = 0;
    while (shares[rise] < ENOUGH && shares[rise] < NEARLY * best) rise++;
    *stand = stands[rise];
    *share = shares[rise];
    return SUP_OK;
}
